//! Explicit Runge–Kutta methods: one implementation for all tableaus.
//!
//! 1. Y_i = y + h Σ_{j<i} a_ij k_j, k_i = f(t + c_i h, Y_i), i = 1…S;
//! 2. y⁺ = y + h Σ b_i k_i.

use super::evaluation::{Evaluation, Rates, StageStates};
use super::tableaus::{Tableau, tableau};
use super::{Inputs, Statistics, Stepper, steps_of_equal_length};
use crate::{Error, Mechanism, Real, Stabilization, State};
use mbs_math::{add_scaled, set_sum_scaled};

/// Stage states and rates.
pub(super) struct Stages<M: Mechanism<T>, T: Real, const S: usize> {
    pub(super) rates: [Rates<M, T>; S],
    stage: State<M, T>,
}

impl<M: Mechanism<T>, T: Real, const S: usize> Stages<M, T, S> {
    pub(super) fn new(mechanism: &M) -> Self {
        Stages { rates: core::array::from_fn(|_| Rates::new(mechanism)), stage: State::new(mechanism) }
    }

    /// Evaluates k_1 = f(t, y).
    #[inline]
    pub(super) fn first(
        &mut self,
        mechanism: &M,
        state: &State<M, T>,
        inputs: &mut Inputs<T>,
        evaluation: &mut Evaluation<M, T>,
    ) -> Result<(), Error<T>> {
        evaluation.rates(mechanism, state, inputs, &mut self.rates[0])
    }

    /// Evaluates k_i for i = 2…`last` (counted from 1), equation 1 of the module header.
    #[inline]
    pub(super) fn following(
        &mut self,
        mechanism: &M,
        tableau: &Tableau<S>,
        last: usize,
        (state, h): (&State<M, T>, T),
        inputs: &mut Inputs<T>,
        evaluation: &mut Evaluation<M, T>,
    ) -> Result<(), Error<T>> {
        for i in 1..last.min(S) {
            let (known, next) = self.rates.split_at_mut(i);
            combine(&mut self.stage, state, h, &tableau.a[i], known);
            self.stage.t = state.t + T::from_f64(tableau.c[i]) * h;
            if evaluation.stages == StageStates::Projected {
                evaluation.settle(mechanism, state, &mut self.stage)?;
            }
            evaluation.rates(mechanism, &self.stage, inputs, &mut next[0])?;
        }
        Ok(())
    }
}

/// out ← y + h Σ w_j k_j over the given rates; zero weights are skipped. `out.t` is not changed.
#[inline]
pub(crate) fn combine<M: Mechanism<T>, T: Real>(
    out: &mut State<M, T>,
    state: &State<M, T>,
    h: T,
    weights: &[f64],
    rates: &[Rates<M, T>],
) {
    let mut terms = weights.iter().zip(rates).filter(|(weight, _)| **weight != 0.0);
    let Some((weight, first)) = terms.next() else {
        out.q.as_mut().copy_from_slice(state.q.as_ref());
        out.v.as_mut().copy_from_slice(state.v.as_ref());
        out.z.as_mut().copy_from_slice(state.z.as_ref());
        return;
    };
    let step = T::from_f64(*weight) * h;
    set_sum_scaled(out.q.as_mut(), state.q.as_ref(), step, first.q.as_ref());
    set_sum_scaled(out.v.as_mut(), state.v.as_ref(), step, first.v.as_ref());
    set_sum_scaled(out.z.as_mut(), state.z.as_ref(), step, first.z.as_ref());
    for (weight, rates) in terms {
        let step = T::from_f64(*weight) * h;
        add_scaled(out.q.as_mut(), step, rates.q.as_ref());
        add_scaled(out.v.as_mut(), step, rates.v.as_ref());
        add_scaled(out.z.as_mut(), step, rates.z.as_ref());
    }
}

/// An explicit Runge–Kutta method of S ≤ 4 stages and order S, with a fixed step: see [`ExplicitEuler`](super::ExplicitEuler),
/// [`Rk2`](super::Rk2), [`Rk3`](super::Rk3), [`Rk4`](super::Rk4), which construct it.
pub struct ExplicitRungeKutta<M: Mechanism<T>, T: Real, const S: usize> {
    /// Longest step of [`Stepper::advance_to`] \[s\], > 0.
    pub h: T,
    stages: Stages<M, T, S>,
    next: State<M, T>,
    evaluation: Evaluation<M, T>,
}

impl<M: Mechanism<T>, T: Real, const S: usize> ExplicitRungeKutta<M, T, S> {
    /// A constant, so that weights are immediate and zero ones cost nothing.
    const TABLEAU: Tableau<S> = tableau();

    /// The method of S stages with steps of at most `h` \[s\].
    pub fn new(mechanism: &M, h: T) -> Self {
        ExplicitRungeKutta {
            h,
            stages: Stages::new(mechanism),
            next: State::new(mechanism),
            evaluation: Evaluation::new(mechanism),
        }
    }

    /// Returns the integrator with this stabilisation instead of projection.
    #[must_use]
    pub fn with_stabilization(mut self, stabilization: Stabilization<T>) -> Self {
        self.evaluation.stabilization = stabilization;
        self
    }

    #[inline]
    fn step_to(
        &mut self,
        mechanism: &M,
        state: &mut State<M, T>,
        inputs: &mut Inputs<T>,
        t: T,
        h: T,
    ) -> Result<(), Error<T>> {
        state.check_like(&self.next)?;
        self.stages.first(mechanism, state, inputs, &mut self.evaluation)?;
        self.stages.following(mechanism, &Self::TABLEAU, S, (state, h), inputs, &mut self.evaluation)?;
        combine(&mut self.next, state, h, &Self::TABLEAU.b, &self.stages.rates);
        self.next.t = t;
        self.evaluation.settle(mechanism, state, &mut self.next)?;
        state.copy_from(&self.next);
        self.evaluation.statistics.accept();
        Ok(())
    }
}

impl<M: Mechanism<T>, T: Real, const S: usize> Stepper<M, T> for ExplicitRungeKutta<M, T, S> {
    const ORDER: usize = S;

    steps_of_equal_length!();

    fn statistics(&self) -> Statistics {
        self.evaluation.statistics
    }
}
