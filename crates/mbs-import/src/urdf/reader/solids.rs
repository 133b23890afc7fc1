//! Solids of links, for drawings.

use mbs_definition::{Item, Shape, Solid};

use super::element::Reader;
use super::names::Names;
use super::robot::{Geometry, Link, Pose, Robot, Shape as Visual};
use super::write::Writer;

/// The solids of all links.
///
/// Meshes are not read: a link whose visuals are meshes only has the boxes, cylinders and spheres of its collisions. A capsule
/// becomes a cylinder and two spheres. Shapes that are completely transparent are left out.
pub(super) fn solids(robot: &Robot, names: &Names, reader: &mut Reader) -> Vec<Item> {
    let mut items = Vec::new();
    for link in &robot.links {
        for visual in drawn_shapes(link) {
            let body = Writer::at_bytes(&visual.bytes, reader).ident(&names.link(&link.name.value));
            let color = visual.colour.map(|[red, green, blue, _]| [red, green, blue].map(byte));
            let attitude = quaternion(visual.origin.rpy.value);
            for (shape, height) in shapes(&visual.geometry) {
                let position = point_on_z_axis(&visual.origin, height);
                items.push(Item::Solid(Solid { body: body.clone(), shape, position, attitude, color }));
            }
        }
    }
    items
}

/// The visuals of a link that are solids, or its collisions if all visuals are meshes.
fn drawn_shapes(link: &Link) -> impl Iterator<Item = &Visual> {
    let is_mesh = |visual: &Visual| matches!(visual.geometry, Geometry::Mesh { .. });
    let only_meshes = !link.visuals.is_empty() && link.visuals.iter().all(is_mesh);
    let chosen = if only_meshes { &link.collisions } else { &link.visuals };
    chosen.iter().filter(|visual| visual.colour.is_none_or(|[.., alpha]| alpha > 0.0))
}

/// The solids of a geometry, with their positions on its z axis \[m\].
fn shapes(geometry: &Geometry) -> Vec<(Shape, f64)> {
    match *geometry {
        Geometry::Box(size) => vec![(Shape::Block { size }, 0.0)],
        Geometry::Cylinder { radius, length } => vec![(Shape::Cylinder { radius, length }, 0.0)],
        Geometry::Sphere(radius) => vec![(Shape::Sphere { radius }, 0.0)],
        Geometry::Capsule { radius, length } => vec![
            (Shape::Cylinder { radius, length }, 0.0),
            (Shape::Sphere { radius }, length / 2.0),
            (Shape::Sphere { radius }, -length / 2.0),
        ],
        Geometry::Mesh { .. } => Vec::new(),
    }
}

/// A point of the frame's z axis, in the link's frame.
fn point_on_z_axis(frame: &Pose, height: f64) -> [f64; 3] {
    let (origin, axes) = (frame.xyz.value, frame.rotation());
    std::array::from_fn(|i| origin[i] + height * axes[i][2])
}

/// The unit quaternion of Rz(yaw) Ry(pitch) Rx(roll), scalar first: the product of those of half angles about z, y and x.
fn quaternion([roll, pitch, yaw]: [f64; 3]) -> [f64; 4] {
    let [(sr, cr), (sp, cp), (sy, cy)] = [roll, pitch, yaw].map(|angle| (0.5 * angle).sin_cos());
    [cy * cp * cr + sy * sp * sr, cy * cp * sr - sy * sp * cr, cy * sp * cr + sy * cp * sr, sy * cp * cr - cy * sp * sr]
}

/// 255 times a fraction, rounded.
fn byte(share: f64) -> u8 {
    (255.0 * share).round() as u8
}

#[cfg(test)]
mod tests {
    use super::super::axes;
    use super::*;

    /// The rotation matrix of a unit quaternion, as given in textbooks.
    fn matrix([a, b, c, d]: [f64; 4]) -> [[f64; 3]; 3] {
        [
            [1.0 - 2.0 * (c * c + d * d), 2.0 * (b * c - a * d), 2.0 * (b * d + a * c)],
            [2.0 * (b * c + a * d), 1.0 - 2.0 * (b * b + d * d), 2.0 * (c * d - a * b)],
            [2.0 * (b * d - a * c), 2.0 * (c * d + a * b), 1.0 - 2.0 * (b * b + c * c)],
        ]
    }

    #[test]
    fn quaternions_rotate_as_roll_pitch_and_yaw_do() {
        for rpy in [[0.3, -1.2, 2.5], [-2.0, 0.4, -0.7], [3.1, 1.5, -3.0]] {
            let (found, expected) = (matrix(quaternion(rpy)), axes::rotation(rpy));
            for (a, b) in found.as_flattened().iter().zip(expected.as_flattened()) {
                // 1e-15: ten operations on numbers up to 1.
                assert!((a - b).abs() < 1e-15 * 4.0, "{rpy:?}");
            }
        }
    }

    #[test]
    fn colours_are_rounded() {
        assert_eq!([0.0, 0.5, 1.0, 0.2].map(byte), [0, 128, 255, 51]);
    }
}
