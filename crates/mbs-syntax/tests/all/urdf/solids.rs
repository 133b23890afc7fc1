//! Solids for drawings of bodies.

use mbs_definition::{Item, Shape};

use crate::urdf::{errors_of, import};

/// Body, shape, position, colour.
type Looks = (String, Shape, [f64; 3], Option<[u8; 3]>);

/// Solids of a link `a` with these elements.
fn solids(inside: &str) -> Vec<Looks> {
    let parsed = import(&format!(
        "<robot name=\"r\"> <material name=\"red\"> <color rgba=\"1 0 0.2 1\"/> </material>
        <link name=\"a\"> {inside} </link> </robot>"
    ));
    assert!(parsed.errors.is_empty(), "{}", errors_of(&parsed));
    let solid = |item: &Item| match item {
        Item::Solid(s) => Some((s.body.text.clone(), s.shape, s.position, s.color)),
        _ => None,
    };
    parsed.definitions[0].items.iter().filter_map(solid).collect()
}

fn visual(geometry: &str, more: &str) -> String {
    format!("<visual> {more} <geometry> {geometry} </geometry> </visual>")
}

#[test]
fn simple_visuals_become_solids() {
    let block = visual("<box size=\"1 2 3\"/>", "<origin xyz=\"0 0 0.5\"/> <material name=\"red\"/>");
    let rod = visual("<cylinder radius=\"0.1\" length=\"2\"/>", "");
    let ball = visual("<sphere radius=\"0.3\"/>", "<material name=\"\"> <color rgba=\"0 0.5 0 0.4\"/> </material>");
    assert_eq!(
        solids(&format!("{block} {rod} {ball}")),
        [
            ("a".to_owned(), Shape::Block { size: [1.0, 2.0, 3.0] }, [0.0, 0.0, 0.5], Some([255, 0, 51])),
            ("a".to_owned(), Shape::Cylinder { radius: 0.1, length: 2.0 }, [0.0; 3], None),
            ("a".to_owned(), Shape::Sphere { radius: 0.3 }, [0.0; 3], Some([0, 128, 0])),
        ]
    );
}

#[test]
fn a_capsule_is_a_cylinder_and_two_spheres_on_its_axis() {
    // A rotation by 90° about x maps z to −y.
    let laid =
        visual("<capsule radius=\"0.1\" length=\"2\"/>", "<origin xyz=\"0 0 1\" rpy=\"1.5707963267948966 0 0\"/>");
    let found = solids(&laid);
    let places: Vec<[f64; 3]> = found.iter().map(|(.., place, _)| *place).collect();
    assert_eq!(places, [[0.0, 0.0, 1.0], [0.0, -1.0, 1.0], [0.0, 1.0, 1.0]]);
    assert_eq!(found[1].1, Shape::Sphere { radius: 0.1 });
}

#[test]
fn collisions_replace_meshes_only() {
    let mesh = visual("<mesh filename=\"a.stl\"/>", "");
    let collision = "<collision> <geometry> <box size=\"1 1 1\"/> </geometry> </collision>";
    let shapes = |inside: &str| solids(inside).into_iter().map(|(_, shape, ..)| shape).collect::<Vec<_>>();
    assert_eq!(shapes(&format!("{mesh} {collision}")), [Shape::Block { size: [1.0; 3] }]);
    let ball = visual("<sphere radius=\"0.3\"/>", "");
    assert_eq!(shapes(&format!("{mesh} {ball} {collision}")), [Shape::Sphere { radius: 0.3 }]);
    assert!(shapes(&mesh).is_empty() && shapes(collision).is_empty());
}

#[test]
fn transparent_shapes_are_not_drawn() {
    assert!(
        solids(&visual("<sphere radius=\"1\"/>", "<material name=\"\"> <color rgba=\"1 1 1 0\"/> </material>"))
            .is_empty()
    );
}
