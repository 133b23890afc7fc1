//! Vectors of a bar that are not along its line, by the rotation of least angle.
//!
//! Let u be the unit vector along the line in the bar's axes, and w the same in the world's. The rotation of least angle from u to w is
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
//! For x parallel to d these are the rates of d itself. The rates (2) are not those of (1), whose motion includes a rotation about d.
//! Bishop (1975), There is more than one way to frame a curve, Amer. Math. Monthly 82; Møller & Hughes (1999), Efficiently building a matrix
//! to rotate one vector to another, J. Graphics Tools 4.

use mbs_expr::{Comparison, Scalar};
use mbs_math::Vector;

use crate::space::vector::Vector3;

/// World components of the vector `x_bar` of a bar: value, first and second rate. `line` is the bar's line in its axes, `moved` are its world
/// components with their rates.
pub fn off_axis_vector<S: Scalar>(line: Vector3<S>, moved: [Vector3<S>; 3], x_bar: Vector3<S>) -> [Vector3<S>; 3] {
    let [d, v, a] = moved;
    let one = S::number(1.0);
    let over = one / d.dot(d);
    let rho = over * d.dot(v);
    let omega = d.cross(v) * over;
    let twice = S::number(2.0) * rho;
    let alpha = d.cross(a) * over - omega * twice;
    let rho_rate = over * (v.dot(v) + d.dot(a)) - twice * rho;
    let square = line.dot(line);
    let stretch = length(d.dot(d) / square);
    let (u, w) = (line * (one / length(square)), d * (one / length(d.dot(d))));
    let x = rotate_least(u, w, x_bar) * stretch;
    let rate = omega.cross(x) + x * rho;
    let second = alpha.cross(x) + omega.cross(rate) + (x * rho_rate + rate * rho);
    [x, rate, second]
}

/// √square.
fn length<S: Scalar>(square: S) -> S {
    square.sqrt()
}

/// R x with the rotation (1) of least angle from u to w.
fn rotate_least<S: Scalar>(u: Vector3<S>, w: Vector3<S>, x: Vector3<S>) -> Vector3<S> {
    let (zero, one) = (S::number(0.0), S::number(1.0));
    let c = u.dot(w);
    let if_positive = |then: S, otherwise: S| S::select(Comparison::Less, c, zero, otherwise, then);
    // A rotation by π about h maps x to 2 h h·x − x.
    let if_near_x = |then: f64, otherwise: f64| {
        S::select(Comparison::Less, S::number(0.5), u[0] * u[0], S::number(otherwise), S::number(then))
    };
    let h = u.cross(Vector([if_near_x(1.0, 0.0), if_near_x(0.0, 1.0), zero]));
    let half = h * (S::number(2.0) * h.dot(x) / h.dot(h)) - x;
    let start = x.zip(half, if_positive);
    let v = u.cross(w) * if_positive(one, -one);
    let cross = v.cross(start);
    start + (cross + v.cross(cross) * (one / (one + if_positive(c, -c))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::vector::unit;
    use mbs_expr::Series;

    /// The axes of a bar stay orthonormal and right-handed, and the bar's line has its world components; also where the bar points backwards.
    #[test]
    fn axes_of_a_bar_are_rotated() {
        let number = |v: [f64; 3]| Vector(v.map(Series::<2>::constant));
        let size = |v: [f64; 3]| v.iter().map(|x| x * x).sum::<f64>().sqrt();
        for line in [[1.0, 0.0, 0.0], [0.0, 0.0, 0.4], [0.3, -0.2, 0.5], [0.0, -2.0, 0.1]] {
            let goals = [[0.2, 0.9, -0.3], line.map(|x| -x), line.map(|x| -x + 1e-9), line];
            for goal in goals {
                let length = size(line) / size(goal);
                let moved = [number(goal.map(|x| length * x)), number([0.0; 3]), number([0.0; 3])];
                let axes = [0, 1, 2].map(|k| off_axis_vector(number(line), moved, unit(k))[0]);
                for i in 0..3 {
                    for k in 0..3 {
                        let found = axes[i].dot(axes[k]).value();
                        assert!((found - f64::from(u8::from(i == k))).abs() < 1e-14, "{line:?} to {goal:?}: {found}");
                    }
                }
                let volume = axes[0].dot(axes[1].cross(axes[2])).value();
                assert!((volume - 1.0).abs() < 1e-14, "{line:?} to {goal:?}: {volume}");
                let end = [0, 1, 2].map(|c| (0..3).map(|k| line[k] * axes[k][c].value()).sum::<f64>());
                let miss = size([0, 1, 2].map(|c| end[c] - moved[0][c].value()));
                assert!(miss < 1e-14 * (1.0 + size(line)), "{line:?} to {goal:?}: {end:?}");
            }
        }
    }

    /// A combination of axes that is the bar's line has the line's rates, also where these change its length.
    #[test]
    fn combinations_along_a_bar_have_its_rates() {
        let number = |v: [f64; 3]| Vector(v.map(Series::<2>::constant));
        let line = [0.3, -0.2, 0.5];
        let moved = [[0.5, 0.1, -0.7], [1.1, -0.4, 0.2], [-3.0, 2.0, 0.6]].map(number);
        let axes = [0, 1, 2].map(|k| off_axis_vector(number(line), moved, unit(k)));
        for rate in 0..3 {
            for c in 0..3 {
                let sum: f64 = (0..3).map(|k| line[k] * axes[k][rate][c].value()).sum();
                let expected = moved[rate][c].value();
                assert!((sum - expected).abs() < 1e-14 * (1.0 + expected.abs()), "rate {rate}: {sum}, not {expected}");
            }
        }
    }
}
