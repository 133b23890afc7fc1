//! Angles of joints, measured: each by its sine and cosine, times a common positive factor.

#![allow(non_snake_case)] // monogram notation

use mbs_expr::{Expr, JointId, MarkerId, Op, Scalar};
use mbs_math::{Vec3, Vector};

use super::basis::across;
use super::equations::cosine;
use crate::catalog::{Geometry, attitude};

/// Sine and cosine of an angle, times a positive factor.
pub type Direction<'e> = [Expr<'e>; 2];

/// A coordinate: the expression that measures it, and what ties an unwrapped unknown to it.
#[derive(Clone, Copy, Debug)]
pub struct Measured<'e> {
    /// In any formulation.
    pub value: Expr<'e>,
    /// Residual, see [`Joint::ties`](crate::Joint::ties).
    pub tie: Option<Expr<'e>>,
    /// See [`Joint::beside`](crate::Joint::beside).
    pub beside: Option<Expr<'e>>,
}

impl<'e> From<Expr<'e>> for Measured<'e> {
    fn from(value: Expr<'e>) -> Self {
        Measured { value, tie: None, beside: None }
    }
}

/// Coordinate k of a joint.
fn coordinate<'e>(g: &Geometry<'e>, joint: JointId, k: usize) -> Expr<'e> {
    g.writer.op(Op::JointCoordinate(joint, k as u8))
}

/// An angle θ in (−π, π\], tied to coordinate k = φ of a joint by sin(θ − φ) = s cos φ − c sin φ.
pub fn angle<'e>(g: &Geometry<'e>, joint: JointId, k: usize, [s, c]: Direction<'e>) -> Measured<'e> {
    let (sin, cos) = coordinate(g, joint, k).sin_cos();
    let tie = Some(s * cos - c * sin);
    let value = s.atan2(c);
    let id = g.id(value);
    g.writer.edit(|exprs| exprs.set_angle(id));
    Measured { value, tie, beside: None }
}

/// The turn of B against A about û: n̂_B = cos θ n̂_A + sin θ b̂_A.
pub fn turn<'e>(g: &Geometry<'e>, ends: [MarkerId; 2], u: Vec3<Expr<'e>>) -> Direction<'e> {
    let [n, b] = across(u);
    [cosine(g, ends, b, n), cosine(g, ends, n, n)]
}

/// The turn of B against A about û in (−π, π\], and what ties the one coordinate of `joint` to it.
pub fn turn_about<'e>(
    g: &Geometry<'e>,
    joint: JointId,
    ends: [MarkerId; 2],
    u: Vec3<Expr<'e>>,
) -> (Expr<'e>, Option<Expr<'e>>) {
    let measured = angle(g, joint, 0, turn(g, ends, u));
    (measured.value, measured.tie)
}

/// The turns of R_AB = R(û, q₀) R(v̂, q₁). With w = û × v̂, and u', v' the parts of û and v̂ across each other: v̂_B shows q₀ to A, as sin q₀ w_A
/// + cos q₀ v'_A across û, and û_A shows q₁ to B, as sin q₁ w_B + cos q₁ u'_B across v̂.
pub fn cross_turns<'e>(
    g: &Geometry<'e>,
    ends: [MarkerId; 2],
    u: Vec3<Expr<'e>>,
    v: Vec3<Expr<'e>>,
) -> [Direction<'e>; 2] {
    let (w, common) = (u.cross(v), u.dot(v));
    let (v_across, u_across) = (v - common * u, u - common * v);
    [[cosine(g, ends, w, v), cosine(g, ends, v_across, v)], [cosine(g, ends, u, w), cosine(g, ends, u, u_across)]]
}

/// The axes of the second end in the first's, the columns of R_AB.
pub fn relative<'e>(g: &Geometry<'e>, [p, q]: [MarkerId; 2]) -> [Vec3<Expr<'e>>; 3] {
    g.axes(q).map(|axis| g.from_world(p, axis))
}

/// The turns of R_AB = R_x(q₀) R_y(q₁) R_z(q₂). The middle one has no tie: it stays in \[−π/2, π/2\] where q₀ is measured, too.
pub fn gimbal<'e>(g: &Geometry<'e>, joint: JointId, first: usize, ends: [MarkerId; 2]) -> [Measured<'e>; 3] {
    let [a, b, c] = attitude::euler_directions([0, 1, 2], relative(g, ends));
    let value = b[0].atan2(b[1]);
    let beside = Some(beside(coordinate(g, joint, first), a, b[0]));
    [angle(g, joint, first, a), Measured { value, tie: None, beside }, angle(g, joint, first + 2, c)]
}

/// The azimuth of Q from P about the first end's z, from x, and its elevation above the plane across z, which has no tie: it stays in \[−π/2,
/// π/2\] where the azimuth is measured, too.
pub fn sphere<'e>(g: &Geometry<'e>, joint: JointId, [p, q]: [MarkerId; 2]) -> [Measured<'e>; 2] {
    let [x, y, z] = g.from_world(p, g.displacement(p, q)).0;
    let value = z.atan2(Vector([x, y]).square().sqrt());
    let beside = Some(beside(coordinate(g, joint, 0), [y, x], z));
    [angle(g, joint, 0, [y, x]), Measured { value, tie: None, beside }]
}

/// The angle out of a plane that turns with a coordinate φ, from the height z above the plane and the direction (r sin φ, r cos φ) in
/// it, where r has any sign: atan2(z, s sin φ + c cos φ).
fn beside<'e>(phi: Expr<'e>, [s, c]: Direction<'e>, z: Expr<'e>) -> Expr<'e> {
    let (sin, cos) = phi.sin_cos();
    z.atan2(s * sin + c * cos)
}
