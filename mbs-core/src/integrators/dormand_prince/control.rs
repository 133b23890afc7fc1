//! Step-size control of Dormand–Prince 5(4).

use super::DormandPrince;
use super::passage::Passage;
use crate::integrators::Inputs;
use crate::integrators::evaluation::{Rates, StageStates, continuous};
use crate::integrators::runge_kutta::combine;
use crate::{Error, Mechanism, Real, State};
use mbs_math::max_norm;

/// Safety factor, and bounds of the change from step to step.
const SAFETY: f64 = 0.9;
const SHRINK: f64 = 0.2;
const GROW: f64 = 10.0;
/// Exponents of the PI controller: 1/5 − ¾ β and β.
const BETA: f64 = 0.04;
const ALPHA: f64 = 0.2 - 0.75 * BETA;

/// log₂ 1e-4: smaller errors do not count in the memory of the controller.
const LEAST_LOG: f64 = -13.287_712_379_549_45;

/// Tolerances and the memory of the controller.
pub(super) struct Control<T> {
    rtol: T,
    atol: T,
    /// log₂ of the error of the last accepted step, or of 1e-4 if that is larger.
    previous: f64,
    /// Proposed size of the next step, positive; zero before the first.
    proposal: T,
}

impl<T: Real> Control<T> {
    pub(super) fn new(rtol: T, atol: T) -> Self {
        Control { rtol, atol, previous: LEAST_LOG, proposal: T::ZERO }
    }

    /// Tolerance of a variable of a given size: atol + rtol size.
    pub(super) fn weight(&self, size: T) -> T {
        self.atol + self.rtol * size
    }

    /// Length of the step after an accepted one of length h: h · 0.9 e^(−α) e_prev^β within bounds.
    fn after_success(&mut self, h: T, error: T) -> T {
        let log = log2_roughly(error.to_f64().max(1e-10));
        let factor = SAFETY * exp2_roughly(BETA * self.previous - ALPHA * log);
        self.previous = log.max(LEAST_LOG);
        h * T::from_f64(factor.clamp(SHRINK, GROW))
    }

    /// Proposes the step after an accepted one of length h, which was proposed as `size`.
    fn accept(&mut self, error: T, h: T, size: T, passage: Option<&Passage<T>>) {
        let next = self.after_success(h, error);
        self.proposal = match passage {
            // Where a step is shortened to pass a singular pose, its error allows a longer one.
            Some(passage) => next.max(passage.natural),
            // A step shortened to end at t_end does not determine the next one.
            None if h < size => next.max(size),
            None => next,
        };
    }

    /// Length of the step after a rejected one: h · 0.9 e^(−1/5), at least a fifth of h.
    fn after_failure(h: T, error: T) -> T {
        let factor = T::from_f64(SAFETY) / error.powf(T::from_f64(0.2));
        h * factor.max(T::from_f64(SHRINK)).min(T::ONE)
    }
}

/// Results of the rejected steps from one state.
struct Rejected<T> {
    /// A singular pose near the beginning.
    passage: Option<Passage<T>>,
    /// Length and error of the first step that was rejected by its error.
    first: Option<(T, T)>,
    /// Whether shorter ones showed that the error is rounding.
    is_rounding: bool,
}

impl<T: Real> Rejected<T> {
    /// States at which stages of the next step are evaluated. If they are projected, the error is assessed in the directions that rows admit.
    fn stages(&self) -> StageStates {
        if self.passage.is_some() || self.is_rounding { StageStates::Projected } else { StageStates::AsGiven }
    }
}

impl<M: Mechanism<T>, T: Real> DormandPrince<M, T> {
    /// Makes one accepted step towards `t_end`; returns the number of tried steps, at most `limit`.
    pub(super) fn controlled_step(
        &mut self,
        mechanism: &M,
        state: &mut State<M, T>,
        t_end: T,
        inputs: &mut Inputs<T>,
        limit: usize,
    ) -> Result<usize, Error<T>> {
        if state.t == t_end {
            return Ok(0);
        }
        if !t_end.is_finite() {
            return Err(Error::NotFinite { t: state.t });
        }
        self.begin(mechanism, state, inputs)?;
        if self.control.proposal <= T::ZERO {
            self.control.proposal = self.starting_step(mechanism, t_end, inputs)?;
        }
        let mut size = self.control.proposal;
        let mut rejected = Rejected { passage: None, first: None, is_rounding: false };
        for tried in 1..=limit {
            if let Some(longest) = self.max_step {
                size = size.min(longest);
            }
            let (t, h) = self.target(t_end, size)?;
            self.evaluation.stages = rejected.stages();
            let failure = match self.judge(mechanism, inputs, t, h) {
                Ok(error) if error <= T::ONE => {
                    self.control.accept(error, h.abs(), size, rejected.passage.as_ref());
                    self.accept(state);
                    return Ok(tried);
                }
                failure => failure,
            };
            self.evaluation.statistics.reject();
            if rejected.passage.is_none() {
                rejected.passage = self.passage(mechanism, h);
                if let Some(passage) = &rejected.passage {
                    size = passage.step();
                    continue;
                }
            }
            size = self.shorter(mechanism, failure, h.abs(), size, t_end, &mut rejected)?;
            if let Some(passage) = &mut rejected.passage {
                passage.natural = size;
                size = passage.step();
            }
            self.control.proposal = size;
        }
        Err(Error::TooManySteps { t: state.t, limited_by: self.largest_error() })
    }

    /// End and length of a step of about `size` from `start`.
    fn target(&self, t_end: T, size: T) -> Result<(T, T), Error<T>> {
        let start = self.start.t;
        let (t, h) = divide(start, t_end, size);
        if !h.is_finite() {
            return Err(Error::NotFinite { t: start });
        }
        if h.abs() <= T::from_f64(4.0) * T::EPSILON * start.abs() && t != t_end {
            return Err(Error::StepTooSmall { t: start, step: h, limited_by: self.largest_error() });
        }
        Ok((t, h))
    }

    /// Tries a step from `start`; returns its error in units of the tolerances.
    fn judge(&mut self, mechanism: &M, inputs: &mut Inputs<T>, t: T, h: T) -> Result<T, Error<T>> {
        self.attempt(mechanism, inputs, t, h)?;
        let error = match self.evaluation.stages {
            StageStates::Projected => self.admissible_error(mechanism, h),
            StageStates::AsGiven => self.error(mechanism, h),
        };
        // The error is a multiple of tiny tolerances and may overflow. If all rates are finite, the step is only too long.
        let is_large = error > T::ONE && self.is_finite();
        if error.is_finite() || is_large { Ok(error) } else { Err(Error::NotFinite { t: self.start.t }) }
    }

    /// Length of the step after one of length h, proposed as `size`, that failed or was rejected by its error.
    fn shorter(
        &self,
        mechanism: &M,
        failure: Result<T, Error<T>>,
        h: T,
        size: T,
        t_end: T,
        rejected: &mut Rejected<T>,
    ) -> Result<T, Error<T>> {
        let is_admissible = rejected.stages() == StageStates::Projected;
        match failure {
            Ok(error) if !is_admissible && self.is_rounding(mechanism, &mut rejected.first, h, error) => {
                rejected.is_rounding = true;
                Ok(rejected.first.map_or(size, |(longest, _)| longest))
            }
            Ok(error) => Ok(Control::after_failure(h, error)),
            Err(failure) => {
                let (start, quarter) = (self.start.t, h * T::from_f64(0.25));
                let is_least = quarter <= T::EPSILON.sqrt() * (T::EPSILON + start.abs().min((t_end - start).abs()));
                if is_least { Err(failure) } else { Ok(quarter) }
            }
        }
    }

    /// Whether the errors of rejected steps from one state decrease so little with their length that they are rounding: near a singular pose, that
    /// of accelerations in the direction which rows hardly oppose, which projection removes. `first` stores length and error of the first.
    fn is_rounding(&self, mechanism: &M, first: &mut Option<(T, T)>, h: T, error: T) -> bool {
        let (longest, before) = *first.get_or_insert((h, error));
        let ratio = h / longest;
        let is_projected = mechanism.sizes().n_position > 0 && self.projects();
        is_projected && ratio <= T::from_f64(0.5) && error > before * ratio * ratio
    }

    /// A first step with an Euler step and one more evaluation: Hairer, Nørsett & Wanner (1993), §II.4.
    fn starting_step(&mut self, mechanism: &M, t_end: T, inputs: &mut Inputs<T>) -> Result<T, Error<T>> {
        let span = (t_end - self.start.t).abs();
        let n_z = continuous(mechanism);
        let (d0, d1) = (self.size_of_state(n_z), self.size_of_rates(&self.stages.rates[0]));
        let tiny = T::from_f64(1e-5);
        let guess = if d0 < tiny || d1 < tiny { T::from_f64(1e-6) } else { T::from_f64(0.01) * d0 / d1 };
        let h0 = guess.min(span);
        let signed = if t_end < self.start.t { -h0 } else { h0 };
        combine(&mut self.trial, &self.start, signed, &[1.0], &self.stages.rates);
        self.trial.t = self.start.t + signed;
        if self.evaluation.rates(mechanism, &self.trial, inputs, &mut self.stages.rates[1]).is_err() {
            return Ok(h0);
        }
        let d2 = self.change_of_rates() / h0;
        let steepest = d1.max(d2);
        let h1 = if steepest <= T::from_f64(1e-15) {
            T::from_f64(1e-6).max(h0 * T::from_f64(1e-3))
        } else {
            (T::from_f64(0.01) / steepest).powf(T::from_f64(0.2))
        };
        Ok((h0 * T::from_f64(100.0)).min(h1).min(span))
    }

    fn size_of_state(&self, n_z: usize) -> T {
        let s = &self.start;
        [s.q.as_ref(), s.v.as_ref(), &s.z.as_ref()[..n_z]]
            .iter()
            .fold(T::ZERO, |d, y| d.max(self.weighted_norm(y, y, None)))
    }

    fn size_of_rates(&self, rates: &Rates<M, T>) -> T {
        let s = &self.start;
        let pairs =
            [(s.q.as_ref(), rates.q.as_ref()), (s.v.as_ref(), rates.v.as_ref()), (s.z.as_ref(), rates.z.as_ref())];
        pairs.iter().fold(T::ZERO, |d, (y, k)| d.max(self.weighted_norm(y, k, None)))
    }

    fn change_of_rates(&self) -> T {
        let (s, a, b) = (&self.start, &self.stages.rates[0], &self.stages.rates[1]);
        let triples = [
            (s.q.as_ref(), a.q.as_ref(), b.q.as_ref()),
            (s.v.as_ref(), a.v.as_ref(), b.v.as_ref()),
            (s.z.as_ref(), a.z.as_ref(), b.z.as_ref()),
        ];
        triples.iter().fold(T::ZERO, |d, (y, a, b)| d.max(self.weighted_norm(y, a, Some(b))))
    }

    /// max |x_i − x0_i|/(atol + rtol |y_i|).
    fn weighted_norm(&self, y: &[T], x: &[T], x0: Option<&[T]>) -> T {
        let mut largest = T::ZERO;
        for (i, (y, x)) in y.iter().zip(x).enumerate() {
            let change = *x - x0.map_or(T::ZERO, |x0| x0[i]);
            largest = largest.max(max_norm(&[change]) / self.control.weight(y.abs()));
        }
        largest
    }
}

/// log₂ x within 0.05 for normal x > 0: exponent and mantissa read as one fixed-point number. A step size needs no more,
/// and `ln` with `exp` would take as long as two evaluations of a small mechanism.
fn log2_roughly(x: f64) -> f64 {
    x.to_bits() as f64 * f64::EPSILON - 1022.957
}

/// 2^x within 4 % for |x| < 1000, the inverse of [`log2_roughly`].
fn exp2_roughly(x: f64) -> f64 {
    f64::from_bits(((x + 1022.957) / f64::EPSILON) as u64)
}

/// End and length of a step of `size` towards `t_end`: to `t_end` if that is within 1 % of the size, half the remaining time if within twice the
/// size.
fn divide<T: Real>(t: T, t_end: T, size: T) -> (T, T) {
    let left = t_end - t;
    let distance = left.abs();
    if size * T::from_f64(1.01) >= distance {
        return (t_end, left);
    }
    let size = if size + size > distance { distance * T::from_f64(0.5) } else { size };
    let h = if left < T::ZERO { -size } else { size };
    (t + h, h)
}
