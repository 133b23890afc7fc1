//! Prediction of a prescribed motion from its last step.
//!
//! With the last step H, its displacement d, its ends (v₋, a₋) and (v, a), and the time τ since then, the path of degree five through both ends is
//!
//! 1. δ(τ) = τ v + ½ τ² a + τ³ (c₃ + τ c₄ + τ² c₅)
//! 2. H³ c₃ = −10 e₀ − 4 e₁ − ½ e₂,  H⁴ c₄ = −15 e₀ − 7 e₁ − e₂,  H⁵ c₅ = −6 e₀ − 3 e₁ − ½ e₂, with
//! 3. e₀ = H v − d − ½ H² a,  e₁ = H (v₋ − v) + H² a,  e₂ = H² (a₋ − a).
//!
//! For equal steps its error is q⁽⁶⁾ h⁶/90, plus about thirty times the round-off of d. Where the step is too large for that, or
//! the acceleration changes abruptly, higher terms are wrong. If any of them is more than a hundredth of the lower ones,
//!
//! 4. δ(τ) = τ v + ½ τ² a + τ³/6 j,  j = (a − a₋)/H
//!
//! replaces (1). Speeds are the derivatives of (1) or (4):
//!
//! 5. v(τ) = v + τ a + τ² (3 c₃ + 4 τ c₄ + 5 τ² c₅), or v + τ a + ½ τ² j.

use crate::{Real, Storage};
use mbs_math::max_norm;

/// Largest ratio of higher terms to lower ones.
const HIGHER: f64 = 0.01;
/// Displacement relative to the size of coordinates that counts as zero.
const FLOOR: f64 = 1e-9;

/// Coefficients of the last step for the prediction of the next.
pub(super) struct Path<S> {
    jerk: S,
    /// c₃, c₄, c₅.
    higher: [S; 3],
    /// Whether `higher` is known.
    has_higher: bool,
    /// Whether the next pose was predicted by (1).
    uses_higher: bool,
}

impl<S: Clone> Path<S> {
    /// Work space for vectors of the size of this one.
    pub fn new(vector: &S) -> Self {
        let higher = [(); 3].map(|()| vector.clone());
        Path { jerk: vector.clone(), higher, has_higher: false, uses_higher: false }
    }

    /// Discards the last step.
    pub fn clear<T: Real>(&mut self)
    where
        S: Storage<T>,
    {
        self.jerk.as_mut().fill(T::ZERO);
        self.has_higher = false;
    }

    /// Writes the predicted displacement δ after a step h from q with (v, a).
    #[inline]
    pub fn predict<T: Real>(&mut self, h: T, [v, a]: [&[T]; 2], q: &[T], delta: &mut [T])
    where
        S: Storage<T>,
    {
        let (half, cube) = (T::from_f64(0.5) * h * h, h * h * h);
        self.uses_higher = self.has_higher;
        if self.has_higher {
            let floor = T::from_f64(FLOOR).max(T::from_f64(64.0) * T::EPSILON) * max_norm(q);
            let part = T::from_f64(HIGHER);
            let [c3, c4, c5] = self.higher.each_ref().map(S::as_ref);
            for (i, delta) in delta.iter_mut().enumerate() {
                let (linear, quadratic) = (h * v[i], half * a[i]);
                let higher = cube * (c3[i] + h * (c4[i] + h * c5[i]));
                self.uses_higher &= higher.abs() <= part * (linear.abs() + quadratic.abs()) + floor;
                *delta = linear + quadratic + higher;
            }
        }
        if !self.uses_higher {
            let sixth = cube / T::from_f64(6.0);
            for (i, (delta, jerk)) in delta.iter_mut().zip(self.jerk.as_ref()).enumerate() {
                *delta = h * v[i] + half * a[i] + sixth * *jerk;
            }
        }
    }

    /// Writes the speeds at the pose of the last [`Path::predict`].
    #[inline]
    pub fn predict_speeds<T: Real>(&self, h: T, [v, a]: [&[T]; 2], speeds: &mut [T])
    where
        S: Storage<T>,
    {
        let square = h * h;
        if self.uses_higher {
            let [three, four, five] = [3.0, 4.0, 5.0].map(T::from_f64);
            let [c3, c4, c5] = self.higher.each_ref().map(S::as_ref);
            for (i, speed) in speeds.iter_mut().enumerate() {
                *speed = v[i] + h * a[i] + square * (three * c3[i] + h * (four * c4[i] + h * five * c5[i]));
            }
        } else {
            let half = T::from_f64(0.5) * square;
            for (i, (speed, jerk)) in speeds.iter_mut().zip(self.jerk.as_ref()).enumerate() {
                *speed = v[i] + h * a[i] + half * *jerk;
            }
        }
    }

    /// Stores a step of length H with the speeds and accelerations at both ends. `displacement` is its prediction and its correction; `None` if (1)
    /// is not to be used.
    #[inline]
    pub fn set_step<T: Real>(&mut self, step: T, [v, a]: [[&[T]; 2]; 2], displacement: Option<[&[T]; 2]>)
    where
        S: Storage<T>,
    {
        let reciprocal = T::ONE / step;
        for (i, jerk) in self.jerk.as_mut().iter_mut().enumerate() {
            *jerk = (a[1][i] - a[0][i]) * reciprocal;
        }
        self.has_higher = displacement.is_some();
        let Some([predicted, corrected]) = displacement else { return };
        let [half, two, three, five, seven] = [0.5, 2.0, 3.0, 5.0, 7.0].map(T::from_f64);
        let cube = reciprocal * reciprocal * reciprocal;
        let [c3, c4, c5] = self.higher.each_mut().map(S::as_mut);
        for i in 0..c3.len() {
            let (d, quadratic) = (predicted[i] + corrected[i], step * step * a[1][i]);
            let e0 = step * v[1][i] - d - half * quadratic;
            let e1 = step * (v[0][i] - v[1][i]) + quadratic;
            let e2 = step * step * a[0][i] - quadratic;
            c3[i] = -cube * (two * five * e0 + (two + two) * e1 + half * e2);
            c4[i] = -cube * reciprocal * (three * five * e0 + seven * e1 + e2);
            c5[i] = -cube * reciprocal * reciprocal * (two * three * e0 + three * e1 + half * e2);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Path;

    #[test]
    fn path_of_degree_five_is_extrapolated_exactly() {
        // p(t) = 3 + t − 0.2 t² + 0.01 t³ − 0.005 t⁴ + 0.002 t⁵ from t = 1 to 1.4, then to 1.3 and 1.6; degree 5, 20 roundings.
        let p = |t: f64| 3.0 + t - 0.2 * t.powi(2) + 0.01 * t.powi(3) - 0.005 * t.powi(4) + 0.002 * t.powi(5);
        let v = |t: f64| 1.0 - 0.4 * t + 0.03 * t.powi(2) - 0.02 * t.powi(3) + 0.01 * t.powi(4);
        let a = |t: f64| -0.4 + 0.06 * t - 0.06 * t.powi(2) + 0.04 * t.powi(3);
        let (start, end) = (1.0, 1.4);
        let mut path = Path::new(&[0.0]);
        let ends = [[&[v(start)][..], &[v(end)]], [&[a(start)], &[a(end)]]];
        path.set_step(end - start, ends, Some([&[p(end) - p(start) - 0.25], &[0.25]]));
        for h in [-0.1, 0.2] {
            let (mut delta, mut speed) = ([0.0], [0.0]);
            path.predict(h, [&[v(end)], &[a(end)]], &[p(end)], &mut delta);
            path.predict_speeds(h, [&[v(end)], &[a(end)]], &mut speed);
            assert!(path.uses_higher);
            assert!((delta[0] - (p(end + h) - p(end))).abs() < 1e-14, "{delta:?}");
            assert!((speed[0] - v(end + h)).abs() < 1e-13, "{speed:?}");
        }
    }

    #[test]
    fn abrupt_accelerations_are_not_extrapolated() {
        // v stays 1 and a jumps to 5: c₃ alone would be −10 e₀ … = 10.
        let mut path = Path::new(&[0.0]);
        path.set_step(1.0, [[&[1.0][..], &[1.0]], [&[0.0], &[5.0]]], Some([&[1.0], &[0.0]]));
        let mut delta = [0.0];
        path.predict(1.0, [&[1.0], &[5.0]], &[1.0], &mut delta);
        assert_eq!((path.uses_higher, delta[0]), (false, 1.0 + 2.5 + 5.0 / 6.0));
    }
}
