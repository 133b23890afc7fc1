//! Dormand and Prince's pair of orders 5 and 4, with step control and dense output.
//!
//! The seventh stage is evaluated at the end of the step after projection. It is used in the error estimate (which projection
//! changes by O(h⁶) only), in the dense output, whose end is then the projected state, and as the first stage of the next step.

mod control;
mod error;
mod passage;

use super::evaluation::Evaluation;
use super::runge_kutta::{Stages, combine};
use super::tableaus::Tableau;
use super::{Inputs, Statistics, Stepper};
use crate::singular::Probe;
use crate::{Error, Item, Mechanism, Real, Stabilization, State};
use control::Control;

const TABLEAU: Tableau<7> = Tableau {
    a: [
        [0.0; 7],
        [1.0 / 5.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
        [3.0 / 40.0, 9.0 / 40.0, 0.0, 0.0, 0.0, 0.0, 0.0],
        [44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0, 0.0, 0.0, 0.0, 0.0],
        [19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0, 0.0, 0.0, 0.0],
        [9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0, 0.0, 0.0],
        B,
    ],
    b: B,
    c: [0.0, 1.0 / 5.0, 3.0 / 10.0, 4.0 / 5.0, 8.0 / 9.0, 1.0, 1.0],
};

/// Weights of order 5, and the last row of a.
const B: [f64; 7] = [35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0, 0.0];

/// Weights of order 5 minus weights of order 4.
const ERROR: [f64; 7] =
    [71.0 / 57600.0, 0.0, -71.0 / 16695.0, 71.0 / 1920.0, -17253.0 / 339200.0, 22.0 / 525.0, -1.0 / 40.0];

/// d of the dense output.
const DENSE: [f64; 7] = [
    -12715105075.0 / 11282082432.0,
    0.0,
    87487479700.0 / 32700410799.0,
    -10690763975.0 / 1880347072.0,
    701980252875.0 / 199316789632.0,
    -1453857185.0 / 822651844.0,
    69997945.0 / 29380423.0,
];

/// Relative tolerance of [`DormandPrince`] unless changed.
pub const RTOL: f64 = 1e-9;
/// Absolute tolerance of [`DormandPrince`] unless changed, in the unit of each variable.
pub const ATOL: f64 = 1e-11;

/// Dormand–Prince 5(4) with step control and dense output of order 4: six evaluations per accepted step.
///
/// - The error per step in the norm √(mean (e_i/(atol + rtol max(|y_i|, |y_i⁺|)))²) over q, v and z without discrete variables is kept
///   below 1. Unless changed, rtol is [`RTOL`] = 1e-9 and atol is [`ATOL`] = 1e-11.
/// - A step whose evaluation or projection fails is repeated with a quarter of its length.
/// - `step` is a step of order 5 without control; `step_towards` and `advance_to` control the error.
///
/// # Source
/// Dormand & Prince (1980), J. Comp. Appl. Math. 6; Hairer, Nørsett & Wanner (1993), Solving ODEs I, §II.5 table 5.2,
/// §II.6 (dense output), §II.4 (starting step), §IV.2 of volume II (PI control).
pub struct DormandPrince<M: Mechanism<T>, T: Real = f64> {
    /// Largest number of steps, accepted or not, of one [`Stepper::advance_to`]; 100 000 unless changed.
    pub max_steps: usize,
    /// Longest step \[s\]; `None`, the default, does not limit steps.
    pub max_step: Option<T>,
    control: Control<T>,
    stages: Stages<M, T, 7>,
    /// Beginning and end of the last step made; equal before the first.
    start: State<M, T>,
    end: State<M, T>,
    trial: State<M, T>,
    is_fresh: bool,
    evaluation: Evaluation<M, T>,
    probe: Probe<M, T>,
}

impl<M: Mechanism<T>, T: Real> DormandPrince<M, T> {
    /// The integrator with the tolerances [`RTOL`] and [`ATOL`].
    pub fn new(mechanism: &M) -> Self {
        let state = State::new(mechanism);
        DormandPrince {
            max_steps: 100_000,
            max_step: None,
            control: Control::new(T::from_f64(RTOL), T::from_f64(ATOL)),
            stages: Stages::new(mechanism),
            start: state.clone(),
            end: state.clone(),
            trial: state,
            is_fresh: false,
            evaluation: Evaluation::new(mechanism),
            probe: Probe::new(mechanism),
        }
    }

    /// Returns the integrator with these tolerances: relative `rtol` ≥ 0, absolute `atol` > 0 in the unit of each variable.
    #[must_use]
    pub fn with_tolerances(mut self, rtol: T, atol: T) -> Self {
        self.control = Control::new(rtol, atol);
        self
    }

    /// Returns the integrator with this stabilisation instead of projection.
    #[must_use]
    pub fn with_stabilization(mut self, stabilization: Stabilization<T>) -> Self {
        self.evaluation.stabilization = stabilization;
        self
    }

    /// Beginning and end of the last step \[s\], between which [`DormandPrince::interpolate`] is accurate.
    pub fn last_step(&self) -> (T, T) {
        (self.start.t, self.end.t)
    }

    /// The state at time t of the last step, of order 4, stabilised as steps are; `state` is overwritten.
    ///
    /// With θ = (t − t₀)/h, d = y₁ − y₀: y = y₀ + θ (d + (1 − θ)(b + θ (d − h k₇ − b + (1 − θ) r))), b = h k₁ − d,
    /// r = h Σ d_i k_i. Exact at both ends.
    ///
    /// # Errors
    /// Those of the projection; [`Error::Size`] of a state of another mechanism.
    ///
    /// # Source
    /// Hairer, Nørsett & Wanner (1993), §II.6, program `CONTD5`.
    pub fn interpolate(&mut self, mechanism: &M, t: T, state: &mut State<M, T>) -> Result<(), Error<T>> {
        state.check_like(&self.end)?;
        let h = self.end.t - self.start.t;
        if t == self.end.t || h == T::ZERO {
            state.copy_from(&self.end);
            return Ok(());
        }
        if t == self.start.t {
            state.copy_from(&self.start);
            return Ok(());
        }
        let (weight, weights) = dense_weights((t - self.start.t) / h);
        combine(state, &self.start, h, &weights, &self.stages.rates);
        blend(state.q.as_mut(), weight, self.start.q.as_ref(), self.end.q.as_ref());
        blend(state.v.as_mut(), weight, self.start.v.as_ref(), self.end.v.as_ref());
        blend(state.z.as_mut(), weight, self.start.z.as_ref(), self.end.z.as_ref());
        state.t = t;
        self.evaluation.settle(mechanism, &self.start, state)
    }

    /// Sets k₁ of a step from `state`: the last stage of the last step if that ended here, else an evaluation.
    fn begin(&mut self, mechanism: &M, state: &State<M, T>, inputs: &mut Inputs<T>) -> Result<(), Error<T>> {
        state.check_like(&self.end)?;
        if self.is_fresh && *state == self.end {
            let (first, last) = self.stages.rates.split_at_mut(6);
            first[0].copy_from(&last[0]);
        } else {
            self.stages.first(mechanism, state, inputs, &mut self.evaluation)?;
        }
        // Until the step is accepted, the stages belong to no step.
        self.is_fresh = false;
        self.start.copy_from(state);
        self.end.copy_from(state);
        Ok(())
    }

    /// Evaluates stages 2 to 7, and writes the projected end of a step from `start` to `trial`.
    fn attempt(&mut self, mechanism: &M, inputs: &mut Inputs<T>, t: T, h: T) -> Result<(), Error<T>> {
        let evaluation = &mut self.evaluation;
        self.stages.following(mechanism, &TABLEAU, 6, (&self.start, h), inputs, evaluation)?;
        combine(&mut self.trial, &self.start, h, &TABLEAU.b, &self.stages.rates);
        self.trial.t = t;
        evaluation.settle(mechanism, &self.start, &mut self.trial)?;
        evaluation.rates(mechanism, &self.trial, inputs, &mut self.stages.rates[6])
    }

    fn accept(&mut self, state: &mut State<M, T>) {
        self.end.copy_from(&self.trial);
        state.copy_from(&self.trial);
        self.is_fresh = true;
        self.evaluation.statistics.accept();
    }
}

impl<M: Mechanism<T>, T: Real> Stepper<M, T> for DormandPrince<M, T> {
    const ORDER: usize = 5;
    const IS_DENSE: bool = true;

    fn step(&mut self, mechanism: &M, state: &mut State<M, T>, inputs: &mut Inputs<T>, h: T) -> Result<(), Error<T>> {
        self.begin(mechanism, state, inputs)?;
        self.attempt(mechanism, inputs, state.t + h, h)?;
        self.accept(state);
        Ok(())
    }

    fn step_towards(
        &mut self,
        mechanism: &M,
        state: &mut State<M, T>,
        t_end: T,
        inputs: &mut Inputs<T>,
    ) -> Result<(), Error<T>> {
        self.controlled_step(mechanism, state, t_end, inputs, usize::MAX).map(|_| ())
    }

    fn state_at(
        &mut self,
        mechanism: &M,
        _: &State<M, T>,
        t: T,
        _: &mut Inputs<T>,
        state: &mut State<M, T>,
    ) -> Result<(), Error<T>> {
        self.interpolate(mechanism, t, state)
    }

    fn restart(&mut self) {
        self.is_fresh = false;
    }

    fn advance_to(
        &mut self,
        mechanism: &M,
        state: &mut State<M, T>,
        t_end: T,
        inputs: &mut Inputs<T>,
    ) -> Result<(), Error<T>> {
        self.restart();
        let mut remaining = self.max_steps;
        while state.t != t_end {
            remaining -= self.controlled_step(mechanism, state, t_end, inputs, remaining)?;
        }
        Ok(())
    }

    fn statistics(&self) -> Statistics {
        self.evaluation.statistics
    }

    fn limited_by(&self) -> Option<Item> {
        self.largest_error()
    }
}

/// The dense output as y₀ + w (y₁ − y₀) + h Σ w_i k_i: (w, w_i) at θ.
fn dense_weights<T: Real>(theta: T) -> (T, [f64; 7]) {
    let x = theta.to_f64();
    let y = 1.0 - x;
    // d + (1 − θ)(b + θ(d − h k₇ − b + (1 − θ) r)) with b = h k₁ − d, sorted by d, k₁, k₇ and r, times θ.
    let mut weights = DENSE.map(|d| x * x * y * y * d);
    weights[0] += x * y * y;
    weights[6] -= x * x * y;
    (T::from_f64(x * x * (3.0 - 2.0 * x)), weights)
}

/// out ← out + w (end − start).
fn blend<T: Real>(out: &mut [T], weight: T, start: &[T], end: &[T]) {
    for ((out, start), end) in out.iter_mut().zip(start).zip(end) {
        *out += weight * (*end - *start);
    }
}
