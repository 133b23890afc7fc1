//! Angles of joints, measured: each by its sine and cosine, times a common positive factor.

#![allow(non_snake_case)] // monogram notation

use mbs_expr::{ExprId, Function2, JointId, MarkerId, Op};

use super::basis::across;
use super::equations::cosine;
use crate::Rotation;
use crate::catalog::{Argued, Geometry, attitude};

/// Sine and cosine of an angle, times a positive factor.
pub type Direction = [ExprId; 2];

/// A coordinate: the expression that measures it, and what ties an unwrapped unknown to it.
#[derive(Clone, Copy, Debug)]
pub struct Measured {
    /// In any formulation.
    pub value: ExprId,
    /// Residual, see [`Joint::ties`](crate::Joint::ties).
    pub tie: Option<ExprId>,
    /// See [`Joint::beside`](crate::Joint::beside).
    pub beside: Option<ExprId>,
}

impl From<ExprId> for Measured {
    fn from(value: ExprId) -> Self {
        Measured { value, tie: None, beside: None }
    }
}

/// An angle θ in (−π, π\], tied to coordinate k = φ of a joint by sin(θ − φ) = s cos φ − c sin φ.
pub fn angle(g: &mut Geometry<'_>, joint: JointId, k: usize, [s, c]: Direction) -> Measured {
    let phi = g.exprs.push(Op::JointCoordinate(joint, k as u8));
    let [sin, cos] = [mbs_expr::Function::Sin, mbs_expr::Function::Cos].map(|f| g.exprs.unary(f, phi));
    let (ahead, behind) = (g.exprs.mul(s, cos), g.exprs.mul(c, sin));
    let tie = Some(g.exprs.sub(ahead, behind));
    let value = g.exprs.binary(Function2::Atan2, s, c);
    g.exprs.set_angle(value);
    Measured { value, tie, beside: None }
}

/// The turn of B against A about û: n̂_B = cos θ n̂_A + sin θ b̂_A.
pub fn turn(g: &mut Geometry<'_>, ends: [MarkerId; 2], u: [ExprId; 3]) -> Direction {
    let [n, b] = across(g.exprs, u);
    [cosine(g, ends, b, n), cosine(g, ends, n, n)]
}

/// The turn of B against A about û in (−π, π\], and what ties the one coordinate of `joint` to it.
pub fn turn_about(g: &mut Geometry<'_>, joint: JointId, ends: [MarkerId; 2], u: Argued) -> (ExprId, Option<ExprId>) {
    let direction = turn(g, ends, u);
    let measured = angle(g, joint, 0, direction);
    (measured.value, measured.tie)
}

/// The turns of R_AB = R(û, q₀) R(v̂, q₁). With w = û × v̂, and u', v' the parts of û and v̂ across each other: v̂_B shows q₀ to A, as sin q₀ w_A
/// + cos q₀ v'_A across û, and û_A shows q₁ to B, as sin q₁ w_B + cos q₁ u'_B across v̂.
pub fn cross_turns(g: &mut Geometry<'_>, ends: [MarkerId; 2], u: [ExprId; 3], v: [ExprId; 3]) -> [Direction; 2] {
    let (w, common) = (g.cross(u, v), g.exprs.dot(&u, &v));
    let (along_u, along_v) = (g.scaled(common, u), g.scaled(common, v));
    let (v_across, u_across) = (g.minus(v, along_u), g.minus(u, along_v));
    [[cosine(g, ends, w, v), cosine(g, ends, v_across, v)], [cosine(g, ends, u, w), cosine(g, ends, u, u_across)]]
}

/// R_AB: the axes of the second end in the first's.
pub fn relative(g: &mut Geometry<'_>, [p, q]: [MarkerId; 2]) -> Rotation {
    g.axes(q).map(|axis| g.from_world(p, axis))
}

/// The turns of R_AB = R_x(q₀) R_y(q₁) R_z(q₂). The middle one has no tie: it stays in \[−π/2, π/2\] where q₀ is measured, too.
pub fn gimbal(g: &mut Geometry<'_>, joint: JointId, first: usize, ends: [MarkerId; 2]) -> [Measured; 3] {
    let R_AB = relative(g, ends);
    let [a, b, c] = attitude::euler_directions(g.exprs, [0, 1, 2], R_AB);
    let value = g.exprs.binary(Function2::Atan2, b[0], b[1]);
    let beside = Some(beside(g, (joint, first), a, b[0]));
    [angle(g, joint, first, a), Measured { value, tie: None, beside }, angle(g, joint, first + 2, c)]
}

/// The azimuth of Q from P about the first end's z, from x, and its elevation above the plane across z, which has no tie: it stays in \[−π/2,
/// π/2\] where the azimuth is measured, too.
pub fn sphere(g: &mut Geometry<'_>, joint: JointId, [p, q]: [MarkerId; 2]) -> [Measured; 2] {
    let r = g.displacement(p, q);
    let [x, y, z] = g.from_world(p, r);
    let flat = g.exprs.norm(&[x, y]);
    let value = g.exprs.binary(Function2::Atan2, z, flat);
    let beside = Some(beside(g, (joint, 0), [y, x], z));
    [angle(g, joint, 0, [y, x]), Measured { value, tie: None, beside }]
}

/// The angle out of a plane that turns with coordinate k = φ of a joint, from the height above the plane and the direction (r sin φ, r cos φ) in
/// it, where r has any sign: atan2(z, s sin φ + c cos φ).
fn beside(g: &mut Geometry<'_>, (joint, k): (JointId, usize), [s, c]: Direction, z: ExprId) -> ExprId {
    let phi = g.exprs.push(Op::JointCoordinate(joint, k as u8));
    let [sin, cos] = [mbs_expr::Function::Sin, mbs_expr::Function::Cos].map(|f| g.exprs.unary(f, phi));
    let (across, along) = (g.exprs.mul(s, sin), g.exprs.mul(c, cos));
    let flat = g.exprs.add(across, along);
    g.exprs.binary(Function2::Atan2, z, flat)
}
