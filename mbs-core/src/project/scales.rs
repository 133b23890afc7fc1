//! Units in which residuals of position rows are assessed.
//!
//! A relative error ε of coordinates changes row r by ε s_r with s_r = Σ_j |G_rj q_j|: the length of a lever times its angle, a length, the
//! square of a length in natural coordinates. A displacement of 1 rad or 1 m changes it by at most Σ_j |G_rj|.
//! Both change slowly along a motion, so that they are evaluated rarely: n_v + 1 evaluations of ψ.

use crate::{Error, Mechanism, Real, State, StateView};
use mbs_math::max_norm;

/// Largest number of projections between two evaluations of the scales.
const INTERVAL: usize = 256;

/// Below this fraction of the coordinates of the last evaluation, scales are evaluated again.
const MUCH_SMALLER: f64 = 1.0 / 16.0;

/// Residuals below this number of ε, relative to the largest scale of a row, count as small: a row may have zero derivatives at a pose.
const SMALL: f64 = 64.0;

/// Residuals in ε, relative to the scales of their rows, that roundings of a solution may leave.
const NEAR: f64 = 1024.0;

/// Coordinates beyond so many lengths or radians, divided by √ε, are not resolved: rounding changes their rows by 8 ε times as much, a
/// millionth of lengths in double precision.
const UNRESOLVED: f64 = 8.0;

/// Scales of the rows of one mechanism.
pub(crate) struct RowScales<M: Mechanism<T>, T: Real> {
    /// Σ_j |G_rj q_j|.
    rounding: M::Multipliers,
    /// Σ_j |G_rj| max(1, |q_j|).
    sums: M::Multipliers,
    /// Σ_j |G_rj|, for velocity rows too.
    derivatives: M::Multipliers,
    /// `rounding` of the evaluation before.
    before: M::Multipliers,
    /// Largest of `sums` for position rows.
    largest_sum: T,
    /// Velocity residuals at zero speeds.
    at_rest: M::Multipliers,
    /// Velocity residuals at a unit speed.
    column: M::Multipliers,
    direction: M::Speeds,
    rates: M::Coordinates,
    /// Projections since the last evaluation.
    age: usize,
    /// The largest coordinate at the last evaluation.
    size: T,
    /// A row that rounding of the coordinates moves noticeably.
    unresolved: Option<usize>,
}

impl<M: Mechanism<T>, T: Real> RowScales<M, T> {
    pub(crate) fn new(mechanism: &M) -> Self {
        let (rates, direction, rows, ..) = mechanism.storage();
        let [rounding, sums, derivatives, before, at_rest] = core::array::from_fn(|_| rows.clone());
        let (largest_sum, size) = (T::ZERO, T::ZERO);
        let (column, age, unresolved) = (rows, INTERVAL, None);
        RowScales {
            rounding,
            sums,
            derivatives,
            before,
            largest_sum,
            at_rest,
            column,
            direction,
            rates,
            age,
            size,
            unresolved,
        }
    }

    /// Evaluates the scales at a state if the last evaluation was many projections ago, or coordinates have become twice as large or much smaller
    /// since, as after a rejected step.
    pub(crate) fn update(&mut self, mechanism: &M, state: &State<M, T>) {
        let size = max_norm(state.q.as_ref());
        self.age += 1;
        let is_similar = size <= self.size + self.size && size >= T::from_f64(MUCH_SMALLER) * self.size;
        if self.age > INTERVAL || !is_similar || self.unresolved.is_some() {
            self.evaluate(mechanism, state);
        }
    }

    /// Evaluates the scales again where the last evaluation was at coordinates that were much larger.
    pub(crate) fn update_if_smaller(&mut self, mechanism: &M, state: &State<M, T>) {
        if max_norm(state.q.as_ref()) < T::from_f64(MUCH_SMALLER) * self.size {
            self.evaluate(mechanism, state);
        }
    }

    /// Checks that rounding of the coordinates at the last evaluation does not move rows noticeably.
    ///
    /// # Errors
    /// [`Error::Unresolved`].
    pub(crate) fn check(&self, t: T) -> Result<(), Error<T>> {
        self.unresolved.map_or(Ok(()), |row| Err(Error::Unresolved { row, t }))
    }

    /// Evaluates the scales at a state. A scale is at least half of the one before, in proportion to the coordinates, since derivatives of a row may
    /// vanish at single poses; scales of much larger coordinates do not count.
    pub(crate) fn evaluate(&mut self, mechanism: &M, state: &State<M, T>) {
        let size = max_norm(state.q.as_ref());
        let is_far = size < T::from_f64(MUCH_SMALLER) * self.size;
        let factor = if is_far { T::ZERO } else { T::from_f64(0.5) * T::ONE.min(size / self.size) };
        (self.age, self.size) = (0, size);
        let sizes = mechanism.sizes();
        let psi = |speeds: &[T], rows: &mut M::Multipliers| {
            let at = StateView { v: speeds, ..state.view(&[]) };
            mechanism.velocity_residuals(at, &mut rows.as_mut()[..sizes.n_velocity]);
        };
        let direction = self.direction.as_mut();
        direction.fill(T::ZERO);
        psi(direction, &mut self.at_rest);
        self.before.as_mut().copy_from_slice(self.rounding.as_ref());
        for row_sums in [&mut self.rounding, &mut self.sums, &mut self.derivatives] {
            row_sums.as_mut().fill(T::ZERO);
        }
        for j in 0..sizes.n_v {
            direction[j] = T::ONE;
            psi(direction, &mut self.column);
            mechanism.coordinate_rates(state.t, state.q.as_ref(), direction, self.rates.as_mut());
            direction[j] = T::ZERO;
            let weight = self.rates.as_ref().iter().zip(state.q.as_ref());
            let weight = weight.fold(T::ZERO, |sum, (rate, q)| sum + (*rate * *q).abs());
            for (r, (psi, at_rest)) in
                self.column.as_ref().iter().zip(self.at_rest.as_ref()).enumerate().take(sizes.n_velocity)
            {
                let derivative = (*psi - *at_rest).abs();
                self.rounding.as_mut()[r] += derivative * weight;
                self.sums.as_mut()[r] += derivative * T::ONE.max(weight);
                self.derivatives.as_mut()[r] += derivative;
            }
        }
        let limit = T::from_f64(UNRESOLVED) / T::EPSILON.sqrt();
        let scales = self.rounding.as_ref().iter().zip(self.derivatives.as_ref());
        self.unresolved = scales.take(sizes.n_position).position(|(scale, derivative)| *scale > limit * *derivative);
        for (scale, before) in self.rounding.as_mut().iter_mut().zip(self.before.as_ref()) {
            *scale = scale.max(factor * *before);
        }
        self.largest_sum = max_norm(&self.sums.as_ref()[..sizes.n_position]);
    }

    /// Whether residuals are round-off of the coordinates, |Φ_r| ≤ 2 ε s_r.
    pub(crate) fn are_round_off(&self, residuals: &[T]) -> bool {
        are_below(residuals, self.rounding.as_ref(), T::EPSILON + T::EPSILON)
    }

    /// Whether residuals are small enough for an iteration that converges quadratically, |Φ_r| ≤ 8 ε s_r.
    pub(crate) fn are_converged(&self, residuals: &[T]) -> bool {
        are_below(residuals, self.rounding.as_ref(), T::from_f64(8.0) * T::EPSILON)
    }

    /// Whether residuals are small enough for an iteration that stalls, |Φ_r| ≤ 1024 ε Σ_j |G_rj| max(1, |q_j|), and for one that has used up its
    /// iterations, √ε of that sum; in both cases also residuals up to 64 ε of the largest such sum.
    pub(crate) fn are_near_or_small(&self, residuals: &[T]) -> [bool; 2] {
        let least = T::from_f64(SMALL) * T::EPSILON * self.largest_sum;
        [T::from_f64(NEAR) * T::EPSILON, T::EPSILON.sqrt()].map(|factor| {
            let bound = |sum: &T| least.max(factor * *sum);
            residuals.iter().zip(self.sums.as_ref()).all(|(residual, sum)| residual.abs() <= bound(sum))
        })
    }

    /// Largest residual of a position row relative to its Σ_j |G_rj| max(1, |q_j|): a few ε where it is round-off.
    pub(crate) fn relative(&self, residuals: &[T]) -> T {
        let scale = |sum: T| if sum > T::ZERO { sum } else { T::ONE.max(self.largest_sum) };
        let list = residuals.iter().zip(self.sums.as_ref());
        list.fold(T::ZERO, |largest, (residual, sum)| {
            let relative = residual.abs() / scale(*sum);
            // NaN is factor.
            if relative <= largest { largest } else { relative }
        })
    }

    /// Whether residuals of velocity rows are small enough for an iteration that stalls, |ψ_r| ≤ 1024 ε Σ_j |G_rj| max(1, |v|) with the largest
    /// speed |v|.
    pub(crate) fn are_near_velocities(&self, residuals: &[T], size: T) -> bool {
        are_below(residuals, self.derivatives.as_ref(), T::from_f64(NEAR) * T::EPSILON * T::ONE.max(size))
    }
}

fn are_below<T: Real>(residuals: &[T], scales: &[T], factor: T) -> bool {
    residuals.iter().zip(scales).all(|(residual, scale)| residual.abs() <= factor * *scale)
}
