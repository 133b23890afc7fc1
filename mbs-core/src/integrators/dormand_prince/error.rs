//! Error of a step of Dormand–Prince 5(4), in units of the tolerances.

use super::{DormandPrince, ERROR};
use crate::integrators::evaluation::continuous;
use crate::{Item, Mechanism, Real};

impl<M: Mechanism<T>, T: Real> DormandPrince<M, T> {
    /// ‖h Σ (b_i − b̂_i) k_i‖ between `start` and `trial`, root mean square in units of the tolerances.
    pub(super) fn error(&self, mechanism: &M, h: T) -> T {
        let (start, trial, rates) = (&self.start, &self.trial, &self.stages.rates);
        let sum = self.squares([start.q.as_ref(), trial.q.as_ref()], |k| h * estimate(|i| rates[i].q.as_ref()[k]))
            + self.squares([start.v.as_ref(), trial.v.as_ref()], |k| h * estimate(|i| rates[i].v.as_ref()[k]))
            + self.squares_of_auxiliary(mechanism, h);
        self.mean(mechanism, sum)
    }

    /// Σ (e_k/(atol + rtol max(|y_k|, |y_k⁺|)))².
    #[inline]
    pub(super) fn squares(&self, [start, trial]: [&[T]; 2], error: impl Fn(usize) -> T) -> T {
        let mut sum = T::ZERO;
        for (k, (a, b)) in start.iter().zip(trial).enumerate() {
            let e = error(k) / self.control.weight(a.abs().max(b.abs()));
            sum += e * e;
        }
        sum
    }

    /// Σ (e_i/(atol + rtol |z_i|))² of auxiliary states.
    pub(super) fn squares_of_auxiliary(&self, mechanism: &M, h: T) -> T {
        let (start, trial, rates) = (&self.start, &self.trial, &self.stages.rates);
        let n_z = continuous(mechanism);
        self.squares([&start.z.as_ref()[..n_z], trial.z.as_ref()], |k| h * estimate(|i| rates[i].z.as_ref()[k]))
    }

    /// The root mean square of the errors of q, v and z, from the sum of their squares.
    pub(super) fn mean(&self, mechanism: &M, sum: T) -> T {
        let start = &self.start;
        let n_z = continuous(mechanism);
        let count = start.q.as_ref().len() + start.v.as_ref().len() + n_z;
        (sum / T::from_f64(count.max(1) as f64)).sqrt()
    }

    /// The coordinate, speed or state with the largest error in the last step tried, in units of its tolerance.
    pub(super) fn largest_error(&self) -> Option<Item> {
        let (start, trial, rates) = (&self.start, &self.trial, &self.stages.rates);
        let mut largest = (T::ZERO, None);
        let mut compare = |ends: [&[T]; 2], item: fn(usize) -> Item, error: &dyn Fn(usize) -> T| {
            for (k, (a, b)) in ends[0].iter().zip(ends[1]).enumerate() {
                let error = (error(k) / self.control.weight(a.abs().max(b.abs()))).abs();
                // An error that is no number is larger than any other.
                if largest.1.is_none_or(|_| error > largest.0 || (!error.is_finite() && largest.0.is_finite())) {
                    largest = (error, Some(item(k)));
                }
            }
        };
        compare([start.q.as_ref(), trial.q.as_ref()], Item::Coordinate, &|k| estimate(|i| rates[i].q.as_ref()[k]));
        compare([start.v.as_ref(), trial.v.as_ref()], Item::Speed, &|k| estimate(|i| rates[i].v.as_ref()[k]));
        compare([start.z.as_ref(), trial.z.as_ref()], Item::Auxiliary, &|k| estimate(|i| rates[i].z.as_ref()[k]));
        largest.1.filter(|_| self.evaluation.statistics.accepted + self.evaluation.statistics.rejected > 0)
    }

    /// Whether the rates of all stages are finite.
    pub(super) fn is_finite(&self) -> bool {
        let all = |x: &[T]| x.iter().all(|x| x.is_finite());
        self.stages.rates.iter().all(|k| all(k.q.as_ref()) && all(k.v.as_ref()) && all(k.z.as_ref()))
    }
}

/// Σ (b_i − b̂_i) k_i.
#[inline]
pub(super) fn estimate<T: Real>(rate: impl Fn(usize) -> T) -> T {
    let mut e = T::ZERO;
    for (i, weight) in ERROR.iter().enumerate() {
        e += T::from_f64(*weight) * rate(i);
    }
    e
}
