//! Reads the visual and collision shapes of links.

use std::collections::BTreeMap;

use roxmltree::Node;

use super::Read;
use super::element::{Reader, SIZES, children, printable_name};
use super::pose::pose;
use super::robot::{Geometry, Shape};

/// Colours of materials by name.
pub(super) type Materials = BTreeMap<String, [f64; 4]>;

/// The colours that materials of the robot or of its visuals declare; of several with one name the first counts.
pub(super) fn materials(root: Node, reader: &mut Reader) -> Materials {
    let mut materials = Materials::new();
    let visuals = children(root, "link").flat_map(|link| children(link, "visual"));
    for node in children(root, "material").chain(visuals.flat_map(|visual| children(visual, "material"))) {
        let Some(name) = node.attribute("name") else { continue };
        if !materials.contains_key(name)
            && let Ok(Some(colour)) = colour(node, reader)
        {
            materials.insert(name.to_owned(), colour);
        }
    }
    materials
}

fn colour(material: Node, reader: &mut Reader) -> Read<Option<[f64; 4]>> {
    let Some(node) = reader.child(material, "color") else { return Ok(None) };
    let rgba = reader.required_attribute(node, "rgba", "the colour")?;
    let rgba = reader.parse_numbers(&rgba, "`rgba`")?;
    if rgba.value.iter().any(|x| !(0.0..=1.0).contains(x)) {
        return reader.fail(
            "MBS031",
            &rgba.bytes,
            "a colour has a number that is not from 0 to 1",
            Some("write red, green, blue and alpha"),
        );
    }
    Ok(Some(rgba.value))
}

/// The visuals or the collisions of a link. Those whose geometry is of a kind that URDF does not have are left out.
pub(super) fn shapes(link: Node, name: &str, materials: &Materials, reader: &mut Reader) -> Read<Vec<Shape>> {
    let shapes: Vec<Read<Option<Shape>>> = children(link, name).map(|node| shape(node, materials, reader)).collect();
    let shapes = shapes.into_iter().collect::<Read<Vec<_>>>()?;
    Ok(shapes.into_iter().flatten().collect())
}

fn shape(node: Node, materials: &Materials, reader: &mut Reader) -> Read<Option<Shape>> {
    let origin = pose(node, reader);
    let geometry = match reader.child(node, "geometry") {
        Some(child) => geometry(child, reader),
        None => {
            let message = format!("this `{}` has no geometry", node.tag_name().name());
            reader.fail("MBS018", &reader.start_tag(node), message, Some("write `<geometry>…</geometry>`"))
        }
    };
    let colour = match reader.child(node, "material") {
        // A wrong colour has been reported with the materials.
        Some(material) if material.attribute("name").is_some_and(|name| materials.contains_key(name)) => {
            material.attribute("name").and_then(|name| materials.get(name)).copied()
        }
        Some(material) if material.attribute("name").is_none() => colour(material, reader)?,
        _ => None,
    };
    let (origin, bytes) = (origin?, reader.start_tag(node));
    Ok(geometry?.map(|geometry| Shape { origin, geometry, colour, bytes }))
}

fn geometry(node: Node, reader: &mut Reader) -> Read<Option<Geometry>> {
    let Some(solid) = node.children().find(Node::is_element) else {
        return reader.fail(
            "MBS018",
            &reader.start_tag(node),
            "this geometry is empty",
            Some("write `<box …/>`, `<cylinder …/>`, `<sphere …/>` or `<mesh …/>`"),
        );
    };
    let owner = format!("the {}", printable_name(solid.tag_name().name()));
    let geometry = match solid.tag_name().name() {
        "box" => {
            let size = reader.required_attribute(solid, "size", &owner)?;
            let size = reader.parse_numbers(&size, "`size`")?;
            if size.value.iter().any(|x| *x < 0.0) {
                return reader.fail("MBS031", &size.bytes, "the `size` of the box is negative", Some(SIZES));
            }
            Geometry::Box(size.value)
        }
        "cylinder" | "capsule" => {
            let (radius, length) = (
                reader.required_magnitude(solid, "radius", &owner),
                reader.required_magnitude(solid, "length", &owner),
            );
            let (radius, length) = (radius?.value, length?.value);
            match solid.tag_name().name() {
                "cylinder" => Geometry::Cylinder { radius, length },
                _ => Geometry::Capsule { radius, length },
            }
        }
        "sphere" => Geometry::Sphere(reader.required_magnitude(solid, "radius", &owner)?.value),
        "mesh" => {
            let filename = reader.required_name(solid, "filename", &owner)?.value;
            let scale = match reader.attribute(solid, "scale") {
                Some(text) => reader.parse_numbers(&text, "`scale`")?.value,
                None => [1.0; 3],
            };
            Geometry::Mesh { filename, scale }
        }
        _ => return Ok(None),
    };
    Ok(Some(geometry))
}
