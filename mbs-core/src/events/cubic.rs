//! The cubic through two values with given derivatives, and its extrema.

use crate::Real;

/// p(θ) = x₀ + m₀ θ + c₂ θ² + c₃ θ³ on 0 ≤ θ ≤ 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cubic<T> {
    x: T,
    m: T,
    c2: T,
    c3: T,
}

impl<T: Real> Cubic<T> {
    /// Hermite's cubic, from values at both ends and derivatives dp/dθ there.
    pub(super) fn new([x0, x1]: [T; 2], [m0, m1]: [T; 2]) -> Self {
        let (two, three, rise) = (T::from_f64(2.0), T::from_f64(3.0), x1 - x0);
        Cubic { x: x0, m: m0, c2: three * rise - two * m0 - m1, c3: m0 + m1 - two * rise }
    }

    /// p(θ).
    pub(super) fn value_at(&self, theta: T) -> T {
        self.x + theta * (self.m + theta * (self.c2 + theta * self.c3))
    }

    /// Zeros of p' with 0 < θ < 1, in order.
    pub(super) fn extrema(&self) -> [Option<T>; 2] {
        // p' = m + b θ + a θ², its roots without cancellation.
        let (a, b) = (T::from_f64(3.0) * self.c3, self.c2 + self.c2);
        let square = b * b - T::from_f64(4.0) * a * self.m;
        if square.is_finite() && square < T::ZERO {
            return [None; 2];
        }
        let root = square.sqrt();
        let q = T::from_f64(-0.5) * (if b < T::ZERO { b - root } else { b + root });
        let inside = |theta: T| (theta > T::ZERO && theta < T::ONE).then_some(theta);
        match [inside(q / a), inside(self.m / q)] {
            [Some(first), Some(second)] if second < first => [Some(second), Some(first)],
            [None, second] => [second, None],
            both => both,
        }
    }

    /// The local minimum of s p with 0 < θ < 1, as (θ, s p), if there is one.
    pub(super) fn minimum(&self, s: T) -> Option<(T, T)> {
        let curvature = |theta: T| s * (self.c2 + T::from_f64(3.0) * self.c3 * theta);
        let found = self.extrema().into_iter().flatten().find(|theta| curvature(*theta) > T::ZERO)?;
        Some((found, s * self.value_at(found)))
    }
}

/// Vertex of the parabola through three points (t, x) with the least x in the middle, and x there.
pub(super) fn vertex<T: Real>([(t0, x0), (t1, x1), (t2, x2)]: [(T, T); 3]) -> Option<(T, T)> {
    let (left, right) = ((x1 - x0) / (t1 - t0), (x2 - x1) / (t2 - t1));
    let curvature = (right - left) / (t2 - t0);
    // Newton's form: x₁ + derivative (t − t₁) + curvature (t − t₁)², with the first derivative at t₁ and half the second.
    let derivative = left + curvature * (t1 - t0);
    let t = t1 - derivative / (curvature + curvature);
    (curvature > T::ZERO && t > t0 && t < t2)
        .then(|| (t, x1 - derivative * derivative / (T::from_f64(4.0) * curvature)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cubic_is_found_from_its_ends() {
        // p = θ (θ − ¼)(θ − ¾), p' = 3 θ² − 2 θ + 3/16.
        let p = Cubic::new([0.0, 0.1875], [0.1875, 1.1875]);
        let [Some(first), Some(second)] = p.extrema() else { panic!("two extrema") };
        let root = (1.0_f64 - 9.0 / 16.0).sqrt();
        assert!((first - (1.0 - root) / 3.0).abs() < 1e-15 && (second - (1.0 + root) / 3.0).abs() < 1e-15);
        assert_eq!(p.minimum(1.0).unwrap().0, second);
        assert_eq!(p.minimum(-1.0).unwrap().0, first);
    }

    #[test]
    fn extremum_of_a_line_is_nowhere_and_of_a_short_hop_near_its_start() {
        assert_eq!(Cubic::new([1.0, 2.0], [1.0, 1.0]).extrema(), [None; 2]);
        // 1e-14 θ − θ²: at 5e-15, although the derivative is far below round-off of the rest.
        let hop = Cubic::new([0.0, 1e-14 - 1.0], [1e-14, 1e-14 - 2.0]);
        let (at, _) = hop.minimum(-1.0).unwrap();
        assert!((at / 5e-15 - 1.0).abs() < 0.1, "{at}");
    }

    #[test]
    fn vertex_of_a_parabola_is_exact() {
        let x = |t: f64| 3.0 * (t - 0.4) * (t - 0.4) + 0.2;
        let (t, least) = vertex([0.0, 0.5, 1.0].map(|t| (t, x(t)))).unwrap();
        assert!((t - 0.4).abs() < 1e-15 && (least - 0.2).abs() < 1e-15);
    }
}
