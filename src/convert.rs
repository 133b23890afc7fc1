//! Points, vectors, rotations and poses as types of nalgebra, glam and mint, each in a feature of that name.
//!
//! Mechanisms state points and vectors as `[f64; 3]`, which all three libraries convert by themselves, in both directions:
//! `Vector3::from(reaction.force)`, `DVec3::from(pose.position)`, `mint::Vector3::from(velocity)`.
//!
//! Attitudes are quaternions `[e0, e1, e2, e3]` of the rotation R_WB from body to world, scalar first. The libraries read an array of four
//! numbers with the scalar **last**: only the functions of this module convert them. All of them copy the components as they are, so that −q
//! stays −q, and allocate nothing.

/// Rotations and poses of nalgebra.
#[cfg(feature = "nalgebra")]
pub mod nalgebra {
    use ::nalgebra::{Isometry3, Quaternion, Translation3, UnitQuaternion};
    use mbs_core::Pose;

    /// The rotation of an attitude `[e0, e1, e2, e3]` of unit length, which is not normalised.
    pub fn rotation(attitude: [f64; 4]) -> UnitQuaternion<f64> {
        let [w, i, j, k] = attitude;
        UnitQuaternion::new_unchecked(Quaternion::new(w, i, j, k))
    }

    /// The attitude `[e0, e1, e2, e3]` of a rotation.
    pub fn attitude(rotation: &UnitQuaternion<f64>) -> [f64; 4] {
        [rotation.w, rotation.i, rotation.j, rotation.k]
    }

    /// The isometry that maps points of the body frame to world points: x_W = p + R_WB x_B.
    pub fn isometry(pose: &Pose) -> Isometry3<f64> {
        Isometry3::from_parts(Translation3::from(pose.position), rotation(pose.attitude))
    }

    /// The pose of a body frame from which the isometry maps points to the world.
    pub fn pose(isometry: &Isometry3<f64>) -> Pose {
        Pose { position: isometry.translation.vector.into(), attitude: attitude(&isometry.rotation) }
    }
}

/// Rotations and poses of glam, in its types of `f64`; `as_quat`, `as_vec3` and `as_affine3a` of these lead on to `f32`.
#[cfg(feature = "glam")]
pub mod glam {
    use ::glam::{DAffine3, DQuat, DVec3};
    use mbs_core::Pose;

    /// The rotation of an attitude `[e0, e1, e2, e3]` of unit length, which is not normalised.
    pub fn rotation(attitude: [f64; 4]) -> DQuat {
        let [w, x, y, z] = attitude;
        DQuat::from_xyzw(x, y, z, w)
    }

    /// The attitude `[e0, e1, e2, e3]` of a rotation.
    pub fn attitude(rotation: DQuat) -> [f64; 4] {
        [rotation.w, rotation.x, rotation.y, rotation.z]
    }

    /// Origin and rotation of a body frame: x_W = p + R_WB x_B.
    pub fn parts(pose: &Pose) -> (DVec3, DQuat) {
        (pose.position.into(), rotation(pose.attitude))
    }

    /// The affine map of points of the body frame to world points: x_W = p + R_WB x_B.
    pub fn affine(pose: &Pose) -> DAffine3 {
        let (position, rotation) = parts(pose);
        DAffine3::from_rotation_translation(rotation, position)
    }

    /// The pose of a body frame with this origin and rotation.
    pub fn pose(position: DVec3, rotation: DQuat) -> Pose {
        Pose { position: position.into(), attitude: attitude(rotation) }
    }
}

/// Rotations and poses of mint, which other libraries convert to their own types.
#[cfg(feature = "mint")]
pub mod mint {
    use ::mint::{Point3, Quaternion};
    use mbs_core::Pose;

    /// The rotation of an attitude `[e0, e1, e2, e3]`, which is not normalised.
    pub fn rotation(attitude: [f64; 4]) -> Quaternion<f64> {
        let [s, x, y, z] = attitude;
        Quaternion { s, v: [x, y, z].into() }
    }

    /// The attitude `[e0, e1, e2, e3]` of a rotation.
    pub fn attitude(rotation: Quaternion<f64>) -> [f64; 4] {
        [rotation.s, rotation.v.x, rotation.v.y, rotation.v.z]
    }

    /// Origin and rotation of a body frame: x_W = p + R_WB x_B.
    pub fn parts(pose: &Pose) -> (Point3<f64>, Quaternion<f64>) {
        (pose.position.into(), rotation(pose.attitude))
    }

    /// The pose of a body frame with this origin and rotation.
    pub fn pose(position: Point3<f64>, rotation: Quaternion<f64>) -> Pose {
        Pose { position: position.into(), attitude: attitude(rotation) }
    }
}
