//! The typed robot, with its shapes.

use mbs_definition::{Errors, Origin};
use mbs_import::urdf::{Geometry, JointType, Robot, read};

fn robot(text: &str) -> Robot {
    let mut errors = Errors::new();
    let robot = read(text, &mut |_| Origin::NONE, &mut errors);
    assert!(errors.is_empty(), "{:?}", errors.list());
    robot.expect("a text without mistakes is a robot")
}

const SHAPES: &str = r#"<robot name="shapes">
<material name="red"> <color rgba="1 0 0 1"/> </material>
<link name="a">
 <visual> <origin xyz="1 2 3"/> <geometry> <box size="1 2 3"/> </geometry> <material name="red"/> </visual>
 <visual> <geometry> <cylinder radius="0.1" length="2"/> </geometry> <material name="blue"> <color rgba="0 0 1 0.5"/> </material> </visual>
 <visual> <geometry> <sphere radius="0.3"/> </geometry> <material name="blue"/> </visual>
 <visual> <geometry> <mesh filename="package://a/b.stl" scale="1 1 -1"/> </geometry> <material name="none"/> </visual>
 <visual> <geometry> <torus/> </geometry> </visual>
 <collision> <geometry> <capsule radius="0.1" length="0.5"/> </geometry> </collision>
</link> </robot>"#;

#[test]
fn shapes_have_frames_solids_and_colours() {
    let robot = robot(SHAPES);
    let link = &robot.links[0];
    let geometries: Vec<&Geometry> = link.visuals.iter().map(|shape| &shape.geometry).collect();
    let mesh = Geometry::Mesh { filename: "package://a/b.stl".to_owned(), scale: [1.0, 1.0, -1.0] };
    let cylinder = Geometry::Cylinder { radius: 0.1, length: 2.0 };
    assert_eq!(geometries, [&Geometry::Box([1.0, 2.0, 3.0]), &cylinder, &Geometry::Sphere(0.3), &mesh]);
    let colours: Vec<Option<[f64; 4]>> = link.visuals.iter().map(|shape| shape.colour).collect();
    let (red, blue) = (Some([1.0, 0.0, 0.0, 1.0]), Some([0.0, 0.0, 1.0, 0.5]));
    assert_eq!(colours, [red, blue, blue, None]);
    assert_eq!(link.visuals[0].origin.xyz.value, [1.0, 2.0, 3.0]);
    assert_eq!(link.collisions[0].geometry, Geometry::Capsule { radius: 0.1, length: 0.5 });
}

#[test]
fn every_part_keeps_its_bytes() {
    let text = r#"<robot name="r"><link name = 'a'/><link name="b"/>
<joint name="j" type="prismatic"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/><limit upper="2"/></joint></robot>"#;
    let robot = robot(text);
    let joint = &robot.joints[0];
    let of = |bytes: &std::ops::Range<usize>| &text[bytes.clone()];
    assert_eq!([of(&robot.name.bytes), of(&robot.links[0].name.bytes), of(&joint.child.bytes)], ["r", "a", "b"]);
    assert_eq!([of(&joint.axis.bytes), of(&joint.kind.bytes), of(&joint.bytes)], ["0 0 1", "prismatic", "<joint"]);
    assert_eq!(of(&joint.limit.upper.as_ref().expect("it is given").bytes), "2");
    assert_eq!((joint.limit.lower.as_ref(), joint.kind.value), (None, JointType::Prismatic));
}

#[test]
fn the_root_is_the_link_without_a_parent() {
    let text = r#"<robot name="r"><link name="a"/><link name="b"/>
<joint name="j" type="fixed"><parent link="b"/><child link="a"/></joint></robot>"#;
    assert_eq!(robot(text).root().map(|link| link.name.value.as_str()), Some("b"));
}
