//! Explicit Runge–Kutta steps and their derivatives.
//!
//! With Y_i = y + h Σ_{j<i} a_ij k_j and k_i = f(t + c_i h, Y_i, u) of the step, its columns S = ∂y/∂(δx, u) pass through
//! the same tableau:
//!
//! 1. S_i = S + h Σ_{j<i} a_ij K_j, K_i = ∂f/∂x S_i + [0 ∂f/∂u] at stage i;
//! 2. S⁺ = S + h Σ b_i K_i.
//!
//! Source: Hairer, Nørsett & Wanner (1993), Solving ODEs I, §I.14: the method applied to the variational equation.

use super::linearization::{self, propagate, split};
use super::{Discrete, Scheme};
use crate::integrators::runge_kutta::combine;
use crate::integrators::tableaus::{TABLEAUS, Tableau};
use crate::{Differentiable, Error, Real, State};

/// An explicit method: a tableau, and the number of its stages.
#[derive(Clone, Copy)]
pub(super) struct Explicit {
    tableau: &'static Tableau<4>,
    stages: usize,
}

impl Scheme {
    /// The explicit method of the scheme; `None` if it is implicit.
    pub(super) fn explicit(self) -> Option<Explicit> {
        let stages = match self {
            Scheme::ExplicitEuler => 1,
            Scheme::Rk2 => 2,
            Scheme::Rk3 => 3,
            Scheme::Rk4 => 4,
            Scheme::ImplicitMidpoint => return None,
        };
        Some(Explicit { tableau: &TABLEAUS[stages - 1], stages })
    }
}

impl<M: Differentiable<T>, T: Real> Discrete<M, T> {
    pub(super) fn step_explicitly(
        &mut self,
        mechanism: &M,
        method: Explicit,
        x: &State<M, T>,
        u: &[T],
        next: &mut State<M, T>,
    ) -> Result<(), Error<T>> {
        for i in 0..method.stages {
            self.evaluate_stage(mechanism, method, x, u, i)?;
        }
        self.finish(method, x, next);
        mechanism.normalize(next.q.as_mut());
        self.flow.evaluation.memories.follow(mechanism, x, next);
        Ok(())
    }

    pub(super) fn linearize_explicitly(
        &mut self,
        mechanism: &M,
        method: Explicit,
        x: &State<M, T>,
        u: &[T],
        next: &mut State<M, T>,
        derivatives: (&mut [T], &mut [T]),
    ) -> Result<(), Error<T>> {
        let (sizes, h, Explicit { tableau, stages }) = (mechanism.sizes(), self.h, method);
        let (n_e, n_u) = (sizes.n_e(), sizes.n_u);
        self.linearization.write_basis(mechanism, x.t, x.q.as_ref());
        for i in 0..stages {
            self.evaluate_stage(mechanism, method, x, u, i)?;
            let (work, columns) = (&mut self.linearization, &mut self.columns);
            let (known, rest) = columns.rates.split_at_mut(i);
            let (basis, stage) = (work.basis.as_ref(), columns.stage.as_mut());
            linearization::combine(stage, basis, h, &tableau.a[i], known);
            propagate(mechanism, self.flow.stage.view(u), work.jacobian.as_mut(), stage, rest[0].as_mut())?;
        }
        self.finish(method, x, next);
        let (work, columns) = (&mut self.linearization, &mut self.columns);
        let end = columns.stage.as_mut();
        linearization::combine(end, work.basis.as_ref(), h, &tableau.b, &columns.rates);
        // Before q is normalised.
        work.reduce(mechanism, next.t, next.q.as_ref(), end);
        mechanism.normalize(next.q.as_mut());
        self.flow.evaluation.memories.follow(mechanism, x, next);
        split(&end[..n_e * (n_e + n_u)], (n_e, n_u), derivatives);
        Ok(())
    }

    /// Stage i, counted from 0, and its rates.
    fn evaluate_stage(
        &mut self,
        mechanism: &M,
        Explicit { tableau, .. }: Explicit,
        x: &State<M, T>,
        u: &[T],
        i: usize,
    ) -> Result<(), Error<T>> {
        let (h, flow) = (self.h, &mut self.flow);
        combine(&mut flow.stage, x, h, &tableau.a[i], &flow.rates[..i]);
        flow.stage.t = x.t + T::from_f64(tableau.c[i]) * h;
        flow.evaluate(mechanism, u, i)
    }

    /// The end of the step, not yet normalised.
    fn finish(&self, method: Explicit, x: &State<M, T>, next: &mut State<M, T>) {
        combine(next, x, self.h, &method.tableau.b, &self.flow.rates);
        next.t = x.t + self.h;
    }
}
