//! Measured angles of joints. Each follows from its sine and cosine times a common positive factor.

#![allow(non_snake_case)] // monogram notation

use mbs_expr::{Expr, JointId, MarkerId, Op, Scalar};
use mbs_math::{Vec3, Vector};

use super::basis::normal_directions;
use super::equations::cosine;
use crate::catalog::{Geometry, attitude};

/// Sine and cosine of an angle, times a common positive factor.
pub type Direction<'e> = [Expr<'e>; 2];

/// A measured coordinate.
#[derive(Clone, Copy, Debug)]
pub struct Measured<'e> {
    /// The expression that measures it, in any formulation.
    pub value: Expr<'e>,
    /// The residual of [`Joint::ties`](crate::Joint::ties), which determines the continuous coordinate.
    pub tie: Option<Expr<'e>>,
    /// See [`Joint::by_previous`](crate::Joint::by_previous).
    pub by_previous: Option<Expr<'e>>,
}

impl<'e> From<Expr<'e>> for Measured<'e> {
    fn from(value: Expr<'e>) -> Self {
        Measured { value, tie: None, by_previous: None }
    }
}

/// The expression of coordinate k of a joint.
fn coordinate<'e>(g: &Geometry<'e>, joint: JointId, k: usize) -> Expr<'e> {
    g.writer.op(Op::JointCoordinate(joint, k as u8))
}

/// The angle θ of a direction in (−π, π\]. Its tie to coordinate k = φ of a joint is sin(θ − φ) = s cos φ − c sin φ.
pub fn measured_angle<'e>(g: &Geometry<'e>, joint: JointId, k: usize, [s, c]: Direction<'e>) -> Measured<'e> {
    let (sin, cos) = coordinate(g, joint, k).sin_cos();
    let tie = Some(s * cos - c * sin);
    let value = s.atan2(c);
    let id = g.id(value);
    g.writer.edit(|exprs| exprs.set_angle(id));
    Measured { value, tie, by_previous: None }
}

/// The rotation θ of B relative to A about û, from n̂_B = cos θ n̂_A + sin θ b̂_A.
pub fn rotation_about<'e>(g: &Geometry<'e>, ends: [MarkerId; 2], u: Vec3<Expr<'e>>) -> Direction<'e> {
    let [n, b] = normal_directions(u);
    [cosine(g, ends, b, n), cosine(g, ends, n, n)]
}

/// The angle of B relative to A about û in (−π, π\], and the residual that ties the only coordinate of `joint` to it.
pub fn angle_about<'e>(
    g: &Geometry<'e>,
    joint: JointId,
    ends: [MarkerId; 2],
    u: Vec3<Expr<'e>>,
) -> (Expr<'e>, Option<Expr<'e>>) {
    let measured = measured_angle(g, joint, 0, rotation_about(g, ends, u));
    (measured.value, measured.tie)
}

/// The two angles of R_AB = R(û, q₀) R(v̂, q₁). With w = û × v̂, v' the part of v̂ normal to û and u' the part of û normal to v̂: the part of v̂_B
/// normal to û_A is sin q₀ w_A + cos q₀ v'_A, and the part of û_A normal to v̂_B is sin q₁ w_B + cos q₁ u'_B.
pub fn cross_angles<'e>(
    g: &Geometry<'e>,
    ends: [MarkerId; 2],
    u: Vec3<Expr<'e>>,
    v: Vec3<Expr<'e>>,
) -> [Direction<'e>; 2] {
    let (w, common) = (u.cross(v), u.dot(v));
    let (v_normal, u_normal) = (v - common * u, u - common * v);
    [[cosine(g, ends, w, v), cosine(g, ends, v_normal, v)], [cosine(g, ends, u, w), cosine(g, ends, u, u_normal)]]
}

/// The axes of the second end in those of the first: the columns of R_AB.
pub fn relative_axes<'e>(g: &Geometry<'e>, [p, q]: [MarkerId; 2]) -> [Vec3<Expr<'e>>; 3] {
    g.axes(q).map(|axis| g.from_world(p, axis))
}

/// The three angles of R_AB = R_x(q₀) R_y(q₁) R_z(q₂), which are the coordinates of a joint from index `first` on. q₁ has no tie: it stays in
/// \[−π/2, π/2\] if q₀ is measured, too.
pub fn gimbal_angles<'e>(g: &Geometry<'e>, joint: JointId, first: usize, ends: [MarkerId; 2]) -> [Measured<'e>; 3] {
    let [a, b, c] = attitude::euler_directions([0, 1, 2], relative_axes(g, ends));
    let value = b[0].atan2(b[1]);
    let by_previous = Some(elevation_at_azimuth(coordinate(g, joint, first), a, b[0]));
    let last = measured_angle(g, joint, first + 2, c);
    [measured_angle(g, joint, first, a), Measured { value, tie: None, by_previous }, last]
}

/// The azimuth of Q from P about the first end's z axis, from x, and its elevation above the plane normal to z. The elevation has no tie: it
/// stays in \[−π/2, π/2\] if the azimuth is measured, too.
pub fn sphere_angles<'e>(g: &Geometry<'e>, joint: JointId, [p, q]: [MarkerId; 2]) -> [Measured<'e>; 2] {
    let [x, y, z] = g.from_world(p, g.displacement(p, q)).0;
    let value = z.atan2(Vector([x, y]).square().sqrt());
    let by_previous = Some(elevation_at_azimuth(coordinate(g, joint, 0), [y, x], z));
    [measured_angle(g, joint, 0, [y, x]), Measured { value, tie: None, by_previous }]
}

/// The elevation of a vector above a plane, given its azimuth φ: atan2(z, s sin φ + c cos φ). z is the height above the plane and
/// (s, c) = (r sin φ, r cos φ) the part in the plane, where r has any sign.
fn elevation_at_azimuth<'e>(phi: Expr<'e>, [s, c]: Direction<'e>, z: Expr<'e>) -> Expr<'e> {
    let (sin, cos) = phi.sin_cos();
    z.atan2(s * sin + c * cos)
}
