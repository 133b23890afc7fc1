//! Step-size control of Dormand–Prince 5(4).

use super::passage::Passage;
use super::{DormandPrince, ERROR};
use crate::integrators::Inputs;
use crate::integrators::evaluation::{Rates, StageStates, continuous};
use crate::{Error, Item, Mechanism, Real, State};
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
    /// log₂ of the error of the last accepted step, that at least 1e-4.
    previous: f64,
    /// Proposed size of the next step, positive; zero before the first.
    proposal: T,
}

impl<T: Real> Control<T> {
    pub(super) fn new(rtol: T, atol: T) -> Self {
        Control { rtol, atol, previous: LEAST_LOG, proposal: T::ZERO }
    }

    pub(super) fn weight(&self, size: T) -> T {
        self.atol + self.rtol * size
    }

    /// Step after an accepted one of size h: h · 0.9 e^(−α) e_prev^β within bounds.
    fn after_success(&mut self, h: T, error: T) -> T {
        let log = log2_roughly(error.to_f64().max(1e-10));
        let factor = SAFETY * exp2_roughly(BETA * self.previous - ALPHA * log);
        self.previous = log.max(LEAST_LOG);
        h * T::from_f64(factor.clamp(SHRINK, GROW))
    }

    /// Step after a rejected one: h · 0.9 e^(−1/5), at least a fifth.
    fn after_failure(h: T, error: T) -> T {
        let factor = T::from_f64(SAFETY) / error.powf(T::from_f64(0.2));
        h * factor.max(T::from_f64(SHRINK)).min(T::ONE)
    }
}

impl<M: Mechanism<T>, T: Real> DormandPrince<M, T> {
    /// One accepted step towards `t_end`; returns how many were tried, at most `limit`.
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
        let mut passage: Option<Passage<T>> = None;
        // The first step that was rejected by its error, and whether shorter ones showed that rounding is the error.
        let (mut first, mut is_rounding): (Option<(T, T)>, bool) = (None, false);
        for tried in 1..=limit {
            if let Some(longest) = self.max_step {
                size = size.min(longest);
            }
            let (t, h) = reach(state.t, t_end, size);
            if !h.is_finite() {
                return Err(Error::NotFinite { t: state.t });
            }
            if h.abs() <= T::from_f64(4.0) * T::EPSILON * state.t.abs() && t != t_end {
                return Err(Error::StepTooSmall { t: state.t, step: h, limited_by: self.largest_error() });
            }
            let along_rows = passage.is_some() || is_rounding;
            self.evaluation.stages = if along_rows { StageStates::Projected } else { StageStates::AsGiven };
            let failure = match self.attempt(mechanism, inputs, (t, h)) {
                Ok(()) => {
                    let error = if along_rows { self.error_along_rows(mechanism, h) } else { self.error(mechanism, h) };
                    if error <= T::ONE {
                        let next = self.control.after_success(h.abs(), error);
                        self.control.proposal = match &passage {
                            // Where a step is cut to the passage of a singular pose, its error allows for more.
                            Some(passage) => next.max(passage.natural),
                            // A step cut short to end at t_end is no measure for the next one.
                            None if h.abs() < size => next.max(size),
                            None => next,
                        };
                        self.accept(state);
                        return Ok(tried);
                    }
                    // The error is a multiple of tiny tolerances and may overflow. If all rates are finite, the step is only too long.
                    let is_large = error > T::ONE && self.is_finite();
                    if error.is_finite() || is_large { Ok(error) } else { Err(Error::NotFinite { t: state.t }) }
                }
                Err(failure) => Err(failure),
            };
            self.evaluation.statistics.reject();
            if passage.is_none() {
                passage = self.passage(mechanism, h);
                if let Some(passage) = &passage {
                    size = passage.step();
                    continue;
                }
            }
            size = match failure {
                Ok(error) if !along_rows && self.is_rounding(mechanism, &mut first, (h.abs(), error)) => {
                    is_rounding = true;
                    first.map_or(size, |(longest, _)| longest)
                }
                Ok(error) => Control::after_failure(h.abs(), error),
                Err(failure) => {
                    let quarter = h.abs() * T::from_f64(0.25);
                    if quarter <= T::EPSILON.sqrt() * (T::EPSILON + state.t.abs().min((t_end - state.t).abs())) {
                        return Err(failure);
                    }
                    quarter
                }
            };
            if let Some(passage) = &mut passage {
                passage.natural = size;
                size = passage.step();
            }
            self.control.proposal = size;
        }
        Err(Error::TooManySteps { t: state.t, limited_by: self.largest_error() })
    }

    /// Whether errors of rejected steps of one beginning fall so little with their length that rounding makes them: near a singular pose that of
    /// accelerations along the motion which rows hardly oppose, which projection takes out. `first` keeps length and error of the first.
    fn is_rounding(&self, mechanism: &M, first: &mut Option<(T, T)>, (h, error): (T, T)) -> bool {
        let (longest, before) = *first.get_or_insert((h, error));
        let ratio = h / longest;
        let is_projected = mechanism.sizes().n_position > 0 && self.projects();
        is_projected && ratio <= T::from_f64(0.5) && error > before * ratio * ratio
    }

    /// The coordinate, speed or state with the largest error in the last step tried, in units of its tolerance.
    pub(super) fn largest_error(&self) -> Option<Item> {
        let (start, trial, rates) = (&self.start, &self.trial, &self.stages.rates);
        let mut largest = (T::ZERO, None);
        let mut look = |ends: [&[T]; 2], item: fn(usize) -> Item, error: &dyn Fn(usize) -> T| {
            for (k, (a, b)) in ends[0].iter().zip(ends[1]).enumerate() {
                let error = (error(k) / self.control.weight(a.abs().max(b.abs()))).abs();
                // An error that is no number is larger than any other.
                if largest.1.is_none_or(|_| error > largest.0 || (!error.is_finite() && largest.0.is_finite())) {
                    largest = (error, Some(item(k)));
                }
            }
        };
        look([start.q.as_ref(), trial.q.as_ref()], Item::Coordinate, &|k| estimate(|i| rates[i].q.as_ref()[k]));
        look([start.v.as_ref(), trial.v.as_ref()], Item::Speed, &|k| estimate(|i| rates[i].v.as_ref()[k]));
        look([start.z.as_ref(), trial.z.as_ref()], Item::Auxiliary, &|k| estimate(|i| rates[i].z.as_ref()[k]));
        largest.1.filter(|_| self.evaluation.statistics.accepted + self.evaluation.statistics.rejected > 0)
    }

    /// Whether all stages have numbers for rates.
    fn is_finite(&self) -> bool {
        let all = |x: &[T]| x.iter().all(|x| x.is_finite());
        self.stages.rates.iter().all(|k| all(k.q.as_ref()) && all(k.v.as_ref()) && all(k.z.as_ref()))
    }

    /// ‖h Σ (b_i − b̂_i) k_i‖ between `start` and `trial`, root mean square in units of the tolerances.
    fn error(&self, mechanism: &M, h: T) -> T {
        let (start, trial, rates) = (&self.start, &self.trial, &self.stages.rates);
        let sum = self.squares((start.q.as_ref(), trial.q.as_ref()), |k| h * estimate(|i| rates[i].q.as_ref()[k]))
            + self.squares((start.v.as_ref(), trial.v.as_ref()), |k| h * estimate(|i| rates[i].v.as_ref()[k]))
            + self.squares_of_auxiliary(mechanism, h);
        self.mean(mechanism, sum)
    }

    /// Σ (e_i/(atol + rtol |z_i|))² of auxiliary states.
    pub(super) fn squares_of_auxiliary(&self, mechanism: &M, h: T) -> T {
        let (start, trial, rates) = (&self.start, &self.trial, &self.stages.rates);
        let n_z = continuous(mechanism);
        self.squares((&start.z.as_ref()[..n_z], trial.z.as_ref()), |k| h * estimate(|i| rates[i].z.as_ref()[k]))
    }

    /// The root mean square of all errors from the sum of their squares.
    pub(super) fn mean(&self, mechanism: &M, sum: T) -> T {
        let start = &self.start;
        let n_z = continuous(mechanism);
        let count = start.q.as_ref().len() + start.v.as_ref().len() + n_z;
        (sum / T::from_f64(count.max(1) as f64)).sqrt()
    }

    /// Σ (e_k/(atol + rtol max(|y_k|, |y_k⁺|)))².
    #[inline]
    pub(super) fn squares(&self, (start, trial): (&[T], &[T]), error: impl Fn(usize) -> T) -> T {
        let mut sum = T::ZERO;
        for (k, (a, b)) in start.iter().zip(trial).enumerate() {
            let e = error(k) / self.control.weight(a.abs().max(b.abs()));
            sum += e * e;
        }
        sum
    }

    /// A first step with an Euler step and one more evaluation: Hairer, Nørsett & Wanner (1993), §II.4.
    fn starting_step(&mut self, mechanism: &M, t_end: T, inputs: &mut Inputs<T>) -> Result<T, Error<T>> {
        let span = (t_end - self.start.t).abs();
        let n_z = continuous(mechanism);
        let (d0, d1) = (self.size_of_state(n_z), self.size_of(&self.stages.rates[0]));
        let tiny = T::from_f64(1e-5);
        let guess = if d0 < tiny || d1 < tiny { T::from_f64(1e-6) } else { T::from_f64(0.01) * d0 / d1 };
        let h0 = guess.min(span);
        let signed = if t_end < self.start.t { -h0 } else { h0 };
        crate::integrators::runge_kutta::combine(&mut self.trial, &self.start, signed, &[1.0], &self.stages.rates);
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
        [s.q.as_ref(), s.v.as_ref(), &s.z.as_ref()[..n_z]].iter().fold(T::ZERO, |d, y| d.max(self.weighted(y, y, None)))
    }

    fn size_of(&self, rates: &Rates<M, T>) -> T {
        let s = &self.start;
        let pairs =
            [(s.q.as_ref(), rates.q.as_ref()), (s.v.as_ref(), rates.v.as_ref()), (s.z.as_ref(), rates.z.as_ref())];
        pairs.iter().fold(T::ZERO, |d, (y, k)| d.max(self.weighted(y, k, None)))
    }

    fn change_of_rates(&self) -> T {
        let (s, a, b) = (&self.start, &self.stages.rates[0], &self.stages.rates[1]);
        let triples = [
            (s.q.as_ref(), a.q.as_ref(), b.q.as_ref()),
            (s.v.as_ref(), a.v.as_ref(), b.v.as_ref()),
            (s.z.as_ref(), a.z.as_ref(), b.z.as_ref()),
        ];
        triples.iter().fold(T::ZERO, |d, (y, a, b)| d.max(self.weighted(y, a, Some(b))))
    }

    /// max |x_i − x0_i|/(atol + rtol |y_i|).
    fn weighted(&self, y: &[T], x: &[T], x0: Option<&[T]>) -> T {
        let mut largest = T::ZERO;
        for (i, (y, x)) in y.iter().zip(x).enumerate() {
            let change = *x - x0.map_or(T::ZERO, |x0| x0[i]);
            largest = largest.max(max_norm(&[change]) / self.control.weight(y.abs()));
        }
        largest
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

/// log₂ x within 0.05 for normal x > 0: exponent and mantissa read as one fixed-point number. A step size needs no more,
/// and `ln` with `exp` would take as long as two evaluations of a small mechanism.
fn log2_roughly(x: f64) -> f64 {
    x.to_bits() as f64 * f64::EPSILON - 1022.957
}

/// 2^x within 4 % for |x| < 1000, the inverse of [`log2_roughly`].
fn exp2_roughly(x: f64) -> f64 {
    f64::from_bits(((x + 1022.957) / f64::EPSILON) as u64)
}

/// A step of `size` towards `t_end`: on it if it is within 1 %, half way if within twice the size.
fn reach<T: Real>(t: T, t_end: T, size: T) -> (T, T) {
    let left = t_end - t;
    let distance = left.abs();
    if size * T::from_f64(1.01) >= distance {
        return (t_end, left);
    }
    let size = if size + size > distance { distance * T::from_f64(0.5) } else { size };
    let h = if left < T::ZERO { -size } else { size };
    (t + h, h)
}
