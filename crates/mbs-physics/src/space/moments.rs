//! Moments of the masses of bodies.

use mbs_expr::{ExprId, Scalar};
use mbs_math::Vector;
use mbs_model::Body;

use super::fixed::Fixed;
use super::transform::{Moments, Part, Transform};
use super::vector::zero;

/// Moments of a body about its link's origin in the link's axes; `centroidal` if that origin is the body's centre of mass.
pub fn body_moments<S: Scalar>(
    body: &Body,
    pose: &Fixed<S>,
    centroidal: bool,
    value: &dyn Fn(ExprId) -> S,
) -> Moments<S> {
    let second = second_moments(body.inertia.map(value));
    let moments = Moments { mass: value(body.mass), first: zero(), second };
    let mut parts = Vec::new();
    if !centroidal {
        parts.push(Part::Translation(pose.point));
    }
    parts.extend(pose.rotation.map(Part::Rotation));
    if !centroidal {
        parts.push(Part::Translation(Vector(body.com).map(value)));
    }
    Transform { parts }.moments_to_parent(moments)
}

/// Second moments S = ∫ r rᵀ dm = ½ tr(I) 1 − I about the centre of mass, from the inertia tensor I; both as xx, yy, zz, xy, xz, yz.
pub fn second_moments<S: Scalar>([xx, yy, zz, xy, xz, yz]: [S; 6]) -> [S; 6] {
    let half = S::number(0.5);
    [half * (yy + zz - xx), half * (xx + zz - yy), half * (xx + yy - zz), -xy, -xz, -yz]
}
