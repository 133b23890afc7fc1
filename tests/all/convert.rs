//! Rotations and poses in types of other libraries: components, and the image of a point.

use mbs::rotation::{axis_angle, rotate};
use mbs::{Pose, convert};

/// A pose in which no two numbers are equal.
fn pose() -> Pose {
    Pose { position: [0.5, -2.0, 3.0], attitude: axis_angle([2.0 / 7.0, 3.0 / 7.0, 6.0 / 7.0], 0.7) }
}

/// A point in body axes.
const POINT: [f64; 3] = [0.3, -0.1, 0.8];

/// The point in world axes: p + R_WB x_B.
fn mapped(pose: &Pose) -> [f64; 3] {
    let arm = rotate(pose.attitude, POINT);
    std::array::from_fn(|k| pose.position[k] + arm[k])
}

/// Asserts equality to 4e-15: some ten operations on numbers up to 3.
fn assert_near(a: [f64; 3], b: [f64; 3]) {
    assert!((0..3).all(|k| (a[k] - b[k]).abs() <= 4e-15), "{a:?}, {b:?}");
}

#[test]
fn nalgebra_maps_points_as_the_pose_does() {
    use mbs::nalgebra::{Point3, Vector3};
    let pose = pose();
    let isometry = convert::nalgebra::isometry(&pose);
    let [e0, e1, e2, e3] = pose.attitude;
    let q = isometry.rotation;
    assert_eq!([q.w, q.i, q.j, q.k], [e0, e1, e2, e3]);
    assert_eq!(isometry.translation.vector, Vector3::from(pose.position));
    assert_near((isometry * Point3::from(POINT)).into(), mapped(&pose));
    assert_eq!(convert::nalgebra::pose(&isometry), pose);
    let flipped = pose.attitude.map(|e| -e);
    assert_eq!(convert::nalgebra::attitude(&convert::nalgebra::rotation(flipped)), flipped, "the sign stays");
}

#[test]
fn glam_maps_points_as_the_pose_does() {
    use mbs::glam::DVec3;
    let pose = pose();
    let (position, rotation) = convert::glam::parts(&pose);
    let [e0, e1, e2, e3] = pose.attitude;
    assert_eq!([rotation.w, rotation.x, rotation.y, rotation.z], [e0, e1, e2, e3]);
    assert_eq!([position.x, position.y, position.z], pose.position);
    assert_near(convert::glam::affine(&pose).transform_point3(DVec3::from(POINT)).into(), mapped(&pose));
    assert_eq!(convert::glam::pose(position, rotation), pose);
    let flipped = pose.attitude.map(|e| -e);
    assert_eq!(convert::glam::attitude(convert::glam::rotation(flipped)), flipped, "the sign stays");
}

#[test]
fn mint_has_the_components_of_the_pose() {
    let pose = pose();
    let (position, rotation) = convert::mint::parts(&pose);
    let [e0, e1, e2, e3] = pose.attitude;
    assert_eq!((rotation.s, [rotation.v.x, rotation.v.y, rotation.v.z]), (e0, [e1, e2, e3]));
    assert_eq!([position.x, position.y, position.z], pose.position);
    assert_eq!(convert::mint::pose(position, rotation), pose);
}
