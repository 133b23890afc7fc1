//! Two unit vectors normal to an axis.

use mbs_expr::{Expr, Scalar};
use mbs_math::{Vec3, Vector};

use crate::catalog::geometry::{unit, zero};

/// Unit vectors n̂ and b̂ with n̂ × b̂ = û, for a unit vector û.
///
/// The choice depends on the components of û that are the literal zero, not on values of parameters, so that the equations are the same for
/// all parameters:
///
/// - if a component is the number zero, b̂ is that axis and n̂ = b̂ × û. If two are zero, b̂ is the axis before û in the order x, y, z, x. For the
///   coordinate axes (n̂, b̂) are coordinate axes: (x, y) for z, (y, z) for x, (z, x) for y;
/// - otherwise n̂ = (1 + σ a x², σ b, −σ x) and b̂ = (b, σ + a y², −y) with σ = ±1 the sign of z, a = −1/(σ + z), b = a x y. This is
///   regular for every û.
///
/// # Source
/// Duff et al. (2017), Building an orthonormal basis, revisited, J. Computer Graphics Techniques 6(1), listing 3.
pub fn normal_directions(u: Vec3<Expr<'_>>) -> [Vec3<Expr<'_>>; 2] {
    if let Some(c) = (0..3).find(|c| u[*c].is_zero() && !u[(c + 1) % 3].is_zero()) {
        let mut n = zero();
        n[(c + 1) % 3] = -u[(c + 2) % 3];
        n[(c + 2) % 3] = u[(c + 1) % 3];
        return [n, unit(c)];
    }
    let [x, y, z] = u.0;
    let sign = z.if_less(0.0, -1.0, 1.0);
    let a = -1.0 / (sign + z);
    let (ax, ay) = (a * x, a * y);
    let b = ax * y;
    [Vector([1.0 + sign * (ax * x), sign * b, -(sign * x)]), Vector([b, sign + ay * y, -y])]
}
