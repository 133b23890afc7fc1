//! Two directions across an axis.

use mbs_expr::{Comparison, ExprId, Exprs};

/// Unit vectors n̂ and b̂ with n̂ × b̂ = û, of a unit vector û.
///
/// What is zero in û by its text decides, not the value of a parameter, so that equations are the same for all parameters:
///
/// - if a component is the number zero, b̂ is that axis and n̂ = b̂ × û; of two, b̂ is the one before û in the order x, y, z, x. Coordinate
///   axes have coordinate axes: z has (x, y), x has (y, z), y has (z, x);
/// - otherwise n̂ = (1 + σ a x², σ b, −σ x) and b̂ = (b, σ + a y², −y) with σ = ±1 the sign of z, a = −1/(σ + z), b = a x y: regular
///   for every û, also where parameters move it.
///
/// # Source
/// Duff et al. (2017), Building an orthonormal basis, revisited, J. Computer Graphics Techniques 6(1), listing 3.
pub fn across(exprs: &mut Exprs, u: [ExprId; 3]) -> [[ExprId; 3]; 2] {
    let [zero, one, minus_one] = [0.0, 1.0, -1.0].map(|x| exprs.number(x));
    let is_zero = u.map(|x| exprs.value(x) == Some(0.0));
    if let Some(c) = (0..3).find(|c| is_zero[*c] && !is_zero[(c + 1) % 3]) {
        let (mut n, mut b) = ([zero; 3], [zero; 3]);
        b[c] = one;
        n[(c + 1) % 3] = exprs.neg(u[(c + 2) % 3]);
        n[(c + 2) % 3] = u[(c + 1) % 3];
        return [n, b];
    }
    let [x, y, z] = u;
    let sign = exprs.select(Comparison::Less, z, zero, minus_one, one);
    let size = exprs.add(sign, z);
    let a = exprs.div(minus_one, size);
    let (ax, ay) = (exprs.mul(a, x), exprs.mul(a, y));
    let (axx, ayy, axy) = (exprs.mul(ax, x), exprs.mul(ay, y), exprs.mul(ax, y));
    let (saxx, saxy, sx) = (exprs.mul(sign, axx), exprs.mul(sign, axy), exprs.mul(sign, x));
    let n = [exprs.add(one, saxx), saxy, exprs.neg(sx)];
    let b = [axy, exprs.add(sign, ayy), exprs.neg(y)];
    [n, b]
}
