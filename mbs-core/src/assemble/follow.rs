//! An initial state that follows parameters.
//!
//! [`Mechanism::guess`] is the assembled state of the declared poses at default parameters. At other parameters it is assembled first. The guesses
//! that depend on parameters then have residuals r_k with gradients h_k. Gauss–Newton steps that satisfy rows and `initial` conditions minimise
//! Σ r_k². A step is the δ with
//!
//! 1. G δ = 0
//!
//! that minimises Σ (h_k·δ + r_k)², where `initial` conditions are included with a large weight. Conjugate gradients find it. Their directions are
//! the responses of the mechanism to forces Σ (h_k·δ + r_k) h_k: one solve each, no matrix, and as many as there are independent guesses, except
//! for rounding. A step is halved until it assembles nearer to the guesses.
//!
//! Hestenes & Stiefel (1952), Methods of conjugate gradients for solving linear systems; Nocedal & Wright (2006), *Numerical Optimization*, §10.3.

use super::conditions::{Guessed, ImposedConditions, Initial, Problem};
use super::{Assembly, HALVINGS, displace, tolerance};
use crate::{Condition, Error, Level, Mechanism, Real, State};
use mbs_math::{add_scaled, dot, max_norm};

/// Largest number of steps of a level.
const STEPS: usize = 50;
/// Steps end where one lowers the sum of squares by less than this part of what remains.
const GAIN: f64 = 1e-6;
/// The weight of an `initial` condition; that of a guess is 1.
const WEIGHT: f64 = 1e6;
/// Conjugate gradients end where the squared gradient has become this fraction of the first: the remainder may be round-off of rows.
const SMALL: f64 = 1e-18;

impl<M: Mechanism<T>, T: Real> State<M, T> {
    /// The declared guess at t = 0, not yet assembled: see [`assemble`](crate::assemble).
    ///
    /// At default parameters it is [`Mechanism::guess`]. Where other parameters change declared poses or speeds, it satisfies these as far as
    /// rows and `initial` conditions allow, in the sense of least squares where it cannot satisfy them all.
    pub fn new(mechanism: &M) -> Self {
        let (mut q, mut v, _, mut z, _, _) = mechanism.storage();
        mechanism.guess(q.as_mut(), v.as_mut(), z.as_mut());
        let mut state = State { t: T::ZERO, q, v, z };
        if mechanism.sizes().n_guesses > 0 && !is_satisfied(mechanism, &state) {
            follow_parameters(mechanism, &mut state);
        }
        state
    }
}

/// Whether a state satisfies the rows, the `initial` conditions and the guesses, as the guess of default parameters does. It needs far less
/// stack than [`follow_parameters`], and suffices for most initial states.
fn is_satisfied<M: Mechanism<T>, T: Real>(mechanism: &M, state: &State<M, T>) -> bool {
    let sizes = mechanism.sizes();
    let (_, mut gradient, mut rows, _, inputs, _) = mechanism.storage();
    let rows = rows.as_mut();
    mechanism.position_residuals(state.view(&[]), &mut rows[..sizes.n_position]);
    let is_closed = max_norm(&rows[..sizes.n_position]) <= tolerance(state, Level::Position);
    mechanism.velocity_residuals(state.view(&[]), &mut rows[..sizes.n_velocity]);
    let is_admissible = max_norm(&rows[..sizes.n_velocity]) <= tolerance(state, Level::Velocity);
    is_closed
        && is_admissible
        && (0..ImposedConditions::<M, T>::count(&Guessed, mechanism)).all(|k| {
            let (k, at) = (ImposedConditions::<M, T>::index(&Guessed, mechanism, k), state.view(inputs.as_ref()));
            let Condition { residual, level } = mechanism.initial_condition(k, at, gradient.as_mut());
            residual.abs() <= tolerance(state, level)
        })
}

/// Moves the guess of default parameters to the poses at the present parameters, positions first. Where no guess depends on parameters, it is
/// not changed, to the bit; where a step fails, the state is the best one before.
fn follow_parameters<M: Mechanism<T>, T: Real>(mechanism: &M, state: &mut State<M, T>) {
    let mut assembly = Assembly::new(mechanism, state);
    let (_, zero, ..) = mechanism.storage();
    let mut work = Work { gradient: zero.clone(), response: zero.clone(), direction: zero.clone(), step: zero };
    for level in [Level::Position, Level::Velocity] {
        assembly.follow_guesses(mechanism, state, level, &mut work);
    }
}

/// Vectors of conjugate gradients.
struct Work<V> {
    gradient: V,
    response: V,
    direction: V,
    step: V,
}

impl<M: Mechanism<T>, T: Real> Assembly<M, T> {
    fn follow_guesses(&mut self, mechanism: &M, state: &mut State<M, T>, level: Level, work: &mut Work<M::Speeds>) {
        let mut at = state.clone();
        if level == Level::Position {
            mechanism.normalize(at.q.as_mut());
        }
        // A state that does not assemble is infinitely far from the guesses.
        let mut before = match self.assemble_level(mechanism, &mut at, &Initial, level) {
            Ok(_) => match self.guess_residuals(mechanism, &at, level) {
                (largest, _) if largest <= tolerance(&at, level) => return,
                (_, squares) => squares,
            },
            Err(_) => {
                at.copy_from(state);
                T::from_f64(f64::INFINITY)
            }
        };
        for _ in 0..STEPS {
            if self.least_squares(mechanism, &at, level, work).is_err() {
                break;
            }
            let Some((next, squares)) = self.line_search(mechanism, &at, level, before, work) else { break };
            let gained = before - squares;
            at.copy_from(&next);
            before = squares;
            if gained <= T::from_f64(GAIN) * squares {
                break;
            }
        }
        if before.is_finite() {
            state.copy_from(&at);
        }
    }

    /// The state after a step, halved until it assembles nearer to the guesses, and Σ r_k² there.
    fn line_search(
        &mut self,
        mechanism: &M,
        at: &State<M, T>,
        level: Level,
        before: T,
        work: &mut Work<M::Speeds>,
    ) -> Option<(State<M, T>, T)> {
        let step = &mut work.step;
        step.as_mut().copy_from_slice(self.delta.as_ref());
        let mut next = at.clone();
        for _ in 0..=HALVINGS {
            next.copy_from(at);
            displace(mechanism, &mut next, level, step.as_ref(), &mut self.rates);
            if self.assemble_level(mechanism, &mut next, &Initial, level).is_ok() {
                let (_, squares) = self.guess_residuals(mechanism, &next, level);
                if squares < before {
                    return Some((next, squares));
                }
            }
            step.as_mut().iter_mut().for_each(|x| *x *= T::from_f64(0.5));
        }
        None
    }

    /// The largest |r_k| of the guesses, and Σ r_k².
    fn guess_residuals(&mut self, mechanism: &M, state: &State<M, T>, level: Level) -> (T, T) {
        let (first, mut largest, mut squares) = (mechanism.sizes().n_conditions, T::ZERO, T::ZERO);
        self.conditions.for_each(Problem { mechanism, imposed: &Guessed }, level, state, |k, residual, _| {
            if k >= first {
                largest = largest.max(residual.abs());
                squares += residual * residual;
            }
        });
        (largest, squares)
    }

    /// The δ of the module header.
    fn least_squares(
        &mut self,
        mechanism: &M,
        state: &State<M, T>,
        level: Level,
        Work { gradient, response, direction, .. }: &mut Work<M::Speeds>,
    ) -> Result<(), Error<T>> {
        let problem = Problem { mechanism, imposed: &Guessed };
        let first = mechanism.sizes().n_conditions;
        let weight = |k: usize| if k < first { T::from_f64(WEIGHT) } else { T::ONE };
        self.response.release(mechanism, level);
        self.rows.as_mut().fill(T::ZERO);
        self.delta.as_mut().fill(T::ZERO);
        direction.as_mut().fill(T::ZERO);
        let (mut start, mut last) = (T::ZERO, T::ZERO);
        // Twice as many as without rounding.
        for _ in 0..2 * mechanism.sizes().n_v {
            let delta = self.delta.as_ref();
            let sum = gradient.as_mut();
            sum.fill(T::ZERO);
            self.conditions.for_each(problem, level, state, |k, residual, h| {
                add_scaled(sum, -weight(k) * (dot(h, delta) + residual), h);
            });
            let (f, g) = (gradient.as_ref(), self.rows.as_ref());
            self.response.solve(mechanism, state.view(&[]), (f, g), response.as_mut())?;
            let square = dot(gradient.as_ref(), response.as_ref());
            if last == T::ZERO {
                start = square;
            }
            if square <= T::from_f64(SMALL) * start || !square.is_finite() {
                break;
            }
            let kept = if last > T::ZERO { square / last } else { T::ZERO };
            last = square;
            let entries = direction.as_mut().iter_mut().zip(response.as_ref());
            entries.for_each(|(p, z)| *p = *z + kept * *p);
            let mut curvature = T::ZERO;
            let direction = direction.as_ref();
            self.conditions.for_each(problem, level, state, |k, _, h| {
                let derivative = dot(h, direction);
                curvature += weight(k) * derivative * derivative;
            });
            if curvature <= T::ZERO || !curvature.is_finite() {
                break;
            }
            add_scaled(self.delta.as_mut(), square / curvature, direction);
        }
        Ok(())
    }
}
