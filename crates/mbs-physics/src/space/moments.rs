//! Moments of the masses of bodies.

use mbs_expr::{ExprId, Scalar};
use mbs_math::Vector;
use mbs_model::Body;

use super::fixed::Fixed;
use super::transform::{Moments, Part, Transform};
use super::vector::zero;

/// Moments of a body about its link's origin in the link's axes; `centred` says that this is its centre of mass.
pub fn body_moments<S: Scalar>(body: &Body, pose: &Fixed<S>, centred: bool, value: &dyn Fn(ExprId) -> S) -> Moments<S> {
    let second = second_moments(body.inertia.map(value));
    let own = Moments { mass: value(body.mass), first: zero(), second };
    let mut parts = Vec::new();
    if !centred {
        parts.push(Part::Shift(pose.point));
    }
    parts.extend(pose.rotation.map(Part::Rotate));
    if !centred {
        parts.push(Part::Shift(Vector(body.com.map(value))));
    }
    Transform { parts }.moments_up(own)
}

/// ∫ r rᵀ dm about the centre of mass from the tensor of inertia, S = ½ tr(I) 1 − I; xx, yy, zz, xy, xz, yz of both.
pub fn second_moments<S: Scalar>([xx, yy, zz, xy, xz, yz]: [S; 6]) -> [S; 6] {
    let half = S::number(0.5);
    [half * (yy + zz - xx), half * (xx + zz - yy), half * (xx + yy - zz), -xy, -xz, -yz]
}
