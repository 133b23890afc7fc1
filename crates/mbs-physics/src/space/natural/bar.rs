//! Off-axis vectors of a bar, by the rotation of least angle.
//!
//! With unit vectors u along the line in the bar's axes and w in the world's, the rotation of least angle from one to the other is
//!
//! ```text
//! (1)  R x = x + v × x + v × (v × x)/(1 + c)      v = u × w, c = u·w ≥ 0
//! ```
//!
//! and where c < 0 that of −u, after a half revolution about a line normal to u. A vector x that rotates with d without rotating about it,
//! and scales with its length, has the rates
//!
//! ```text
//! (2)  ẋ = ω × x + ρ x                            ω = d × ḋ/d²,           ρ = d·ḋ/d²
//!      ẍ = α × x + ω × ẋ + ρ̇ x + ρ ẋ              α = d × d̈/d² − 2 ρ ω,   ρ̇ = (ḋ·ḋ + d·d̈)/d² − 2 ρ²
//! ```
//!
//! which are those of d where x is parallel to d, for every d. Rates (2) are not those of (1), whose motion includes a rotation about d.
//! Bishop (1975), There is more than one way to frame a curve, Amer. Math. Monthly 82; Møller & Hughes (1999), Efficiently building a matrix
//! to rotate one vector to another, J. Graphics Tools 4.

use mbs_expr::{Comparison, Scalar};
use mbs_math::Vector;

use crate::space::vector::Vector3;

/// A vector of a bar with its rates, world axes: `along` is the line in the bar's axes, `moved` that in the world's, with its rates.
pub(super) fn carried<S: Scalar>(along: Vector3<S>, moved: [Vector3<S>; 3], of: Vector3<S>) -> [Vector3<S>; 3] {
    let [d, v, a] = moved;
    let one = S::number(1.0);
    let over = one / d.dot(d);
    let longer = over * d.dot(v);
    let omega = d.cross(v) * over;
    let twice = S::number(2.0) * longer;
    let alpha = d.cross(a) * over - omega * twice;
    let longer_rate = over * (v.dot(v) + d.dot(a)) - twice * longer;
    let square = along.dot(along);
    let stretch = length(d.dot(d) / square);
    let (u, w) = (along * (one / length(square)), d * (one / length(d.dot(d))));
    let x = turned(u, w, of) * stretch;
    let rate = omega.cross(x) + x * longer;
    let second = alpha.cross(x) + omega.cross(rate) + (x * longer_rate + rate * longer);
    [x, rate, second]
}

fn length<S: Scalar>(square: S) -> S {
    square.sqrt()
}

/// (1).
fn turned<S: Scalar>(u: Vector3<S>, w: Vector3<S>, x: Vector3<S>) -> Vector3<S> {
    let (zero, one) = (S::number(0.0), S::number(1.0));
    let c = u.dot(w);
    let ahead = |then: S, otherwise: S| S::select(Comparison::Less, c, zero, otherwise, then);
    // Half a turn about h is 2 h h·x − x.
    let is_near = |then: f64, otherwise: f64| {
        S::select(Comparison::Less, S::number(0.5), u[0] * u[0], S::number(otherwise), S::number(then))
    };
    let beside = u.cross(Vector([is_near(1.0, 0.0), is_near(0.0, 1.0), zero]));
    let half = beside * (S::number(2.0) * beside.dot(x) / beside.dot(beside)) - x;
    let start = x.zip(half, ahead);
    let v = u.cross(w) * ahead(one, -one);
    let around = v.cross(start);
    start + (around + v.cross(around) * (one / (one + ahead(c, -c))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::vector::unit;
    use mbs_expr::Series;

    /// A unit vector of a bar goes where the bar goes, and what is across stays so, the right way round; also where the bar points backwards.
    #[test]
    fn axes_of_a_bar_are_turned() {
        let number = |v: [f64; 3]| Vector(v.map(Series::<1>::constant));
        let size = |v: [f64; 3]| v.iter().map(|x| x * x).sum::<f64>().sqrt();
        for along in [[1.0, 0.0, 0.0], [0.0, 0.0, 0.4], [0.3, -0.2, 0.5], [0.0, -2.0, 0.1]] {
            let goals = [[0.2, 0.9, -0.3], along.map(|x| -x), along.map(|x| -x + 1e-9), along];
            for goal in goals {
                let length = size(along) / size(goal);
                let moved = [number(goal.map(|x| length * x)), number([0.0; 3]), number([0.0; 3])];
                let axes = [0, 1, 2].map(|k| carried(number(along), moved, unit(k))[0]);
                for i in 0..3 {
                    for k in 0..3 {
                        let found = axes[i].dot(axes[k]).value();
                        assert!((found - f64::from(u8::from(i == k))).abs() < 1e-14, "{along:?} to {goal:?}: {found}");
                    }
                }
                let volume = axes[0].dot(axes[1].cross(axes[2])).value();
                assert!((volume - 1.0).abs() < 1e-14, "{along:?} to {goal:?}: {volume}");
                let end = [0, 1, 2].map(|c| (0..3).map(|k| along[k] * axes[k][c].value()).sum::<f64>());
                let miss = size([0, 1, 2].map(|c| end[c] - moved[0][c].value()));
                assert!(miss < 1e-14 * (1.0 + size(along)), "{along:?} to {goal:?}: {end:?}");
            }
        }
    }

    /// Sums of axes that are along the bar have its rates, also where these make it longer.
    #[test]
    fn sums_along_a_bar_have_its_rates() {
        let number = |v: [f64; 3]| Vector(v.map(Series::<1>::constant));
        let along = [0.3, -0.2, 0.5];
        let moved = [[0.5, 0.1, -0.7], [1.1, -0.4, 0.2], [-3.0, 2.0, 0.6]].map(number);
        let axes = [0, 1, 2].map(|k| carried(number(along), moved, unit(k)));
        for rate in 0..3 {
            for c in 0..3 {
                let sum: f64 = (0..3).map(|k| along[k] * axes[k][rate][c].value()).sum();
                let expected = moved[rate][c].value();
                assert!((sum - expected).abs() < 1e-14 * (1.0 + expected.abs()), "rate {rate}: {sum}, not {expected}");
            }
        }
    }
}
