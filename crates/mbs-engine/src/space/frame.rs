//! Frames and vectors with their first two derivatives, world axes.

use mbs_math::{Mat3, Vec3};

use super::vector::{FixedPose, IDENTITY, ZERO};

/// Pose, velocity and acceleration of a frame, world axes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    /// R_WF: maps components in the frame to world components.
    pub rotation: Mat3<f64>,
    /// Position of the origin \[m\].
    pub origin: Vec3<f64>,
    /// ρ, the vector from the origin of the parent frame to this origin \[m\].
    pub offset: Vec3<f64>,
    /// Angular velocity ω \[rad/s\].
    pub rate: Vec3<f64>,
    /// Velocity of the origin \[m/s\].
    pub velocity: Vec3<f64>,
    pub angular_acceleration: Vec3<f64>,
    /// Acceleration of the origin \[m/s²\].
    pub acceleration: Vec3<f64>,
}

/// Ground.
pub(crate) const GROUND: Frame = Frame {
    rotation: IDENTITY,
    origin: ZERO,
    offset: ZERO,
    rate: ZERO,
    velocity: ZERO,
    angular_acceleration: ZERO,
    acceleration: ZERO,
};

/// A vector and its first two derivatives.
#[derive(Clone, Copy, Debug)]
pub(crate) struct VectorMotion {
    pub value: Vec3<f64>,
    pub rate: Vec3<f64>,
    pub second: Vec3<f64>,
}

impl Frame {
    /// Motion of a vector fixed in the frame, given by its world components.
    pub fn fixed_vector(&self, arm: Vec3<f64>) -> VectorMotion {
        let rate = self.rate.cross(arm);
        let second = self.angular_acceleration.cross(arm) + self.rate.cross(rate);
        VectorMotion { value: arm, rate, second }
    }

    /// Motion of a direction fixed in the frame, given in the frame's axes.
    pub fn direction(&self, local: Vec3<f64>) -> VectorMotion {
        self.fixed_vector(self.rotation * local)
    }

    /// Motion of a point fixed in the frame, given in the frame's axes.
    pub fn point(&self, local: Vec3<f64>) -> VectorMotion {
        let arm = self.direction(local);
        VectorMotion {
            value: self.origin + arm.value,
            rate: self.velocity + arm.rate,
            second: self.acceleration + arm.second,
        }
    }

    /// Motion of a frame that is fixed in this one at a constant pose.
    pub fn fixed_frame(&self, pose: &FixedPose) -> Frame {
        let at = self.point(pose.point);
        Frame {
            rotation: self.rotation * pose.rotation,
            origin: at.value,
            offset: at.value - self.origin,
            velocity: at.rate,
            acceleration: at.second,
            ..*self
        }
    }
}
