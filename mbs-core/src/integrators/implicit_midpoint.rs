//! The implicit midpoint rule.
//!
//! With the half step ½h and the midpoint (q_m, v_m, z_m) at t_m = t + ½h:
//!
//! 1. q = q_m ⊕ (−½h v_m), q⁺ = q_m ⊕ ½h v_m;
//! 2. v_m = v + ½h a(t_m, q_m, v_m, z_m), z_m = z + ½h ż; v⁺ = v + h a, z⁺ = z + h ż.
//!
//! Where ⊕ is q + N(q) δ, 1 is the rule in coordinates, q⁺ − q = h N(q_m) v_m about their mean q_m, whatever N is. For
//! other ⊕ it stays symmetric in time: from (q⁺, v⁺), a step of −h has the same midpoint. Unknowns are v_m and z_m, in
//! linear spaces. Equation 1 gives q_m for each v_m (`middle.rs`), which needs no derivative of a. Equations 2 are solved by Newton's method
//! (`implicit_midpoint/derivatives.rs`) or by fixed-point iteration with secants (`iteration.rs`).

mod derivatives;

pub use derivatives::MidpointDerivatives;

use core::borrow::Borrow;

use super::evaluation::{Evaluation, Rates};
use super::iteration::{Equations, Iteration, NoDerivatives, Stage, StageDerivatives, relative_sizes};
use super::middle::Middle;
use super::{Inputs, Statistics, Stepper, steps_of_equal_length};
use crate::{Differentiable, Error, Mechanism, Real, Stabilization, State};
use mbs_math::add_scaled;

/// The implicit midpoint rule: v⁺ = v + h a and q⁺ = q_m ⊕ ½h v_m, where everything is evaluated at the midpoint. Order 2.
///
/// - It is symmetric in time except for projection, and symplectic for Hamiltonian systems in canonical coordinates. It conserves quadratic
///   invariants of (q, v), such as the norm of quaternions and the energy and |L| of a free body, to round-off at any step.
/// - It is stable at any step for linear oscillations and decays. [`ImplicitMidpoint::new`] solves steps by Newton's method with the exact
///   derivatives of [`Differentiable::state_jacobian`], or by [`Differentiable::correct_stage`], for any stiffness. Secants approximate the
///   derivatives of a law of inputs, and of Baumgarte's correction. [`ImplicitMidpoint::without_derivatives`] uses secants alone, for any
///   mechanism: it converges with a few stiff directions; with many, [`Error::NotConverged`] shows that the step has to be shorter.
/// - With constraint rows, a satisfies G a = γ at the midpoint, and the state after a step is stabilised as
///   [`with_stabilization`](ImplicitMidpoint::with_stabilization) states.
/// - A step takes about 5 to 10 evaluations where h is small compared with the time scale of the motion, 3 to 5 with derivatives.
///
/// # Source
/// Hairer, Lubich & Wanner (2006), Geometric Numerical Integration, §I.1.2, eq. (1.7), and theorem IV.2.1; iteration
/// as in the header of this module.
pub struct ImplicitMidpoint<M: Mechanism<T>, T: Real, W> {
    /// Longest step of [`Stepper::advance_to`] \[s\], > 0.
    pub h: T,
    /// Largest number of iterations per step, one evaluation each; unless changed 20 with Newton's method, 60 without.
    pub iterations: usize,
    next: State<M, T>,
    halves: Halves<M, T>,
    iteration: Iteration<M, T, W, 1>,
}

impl<M: Differentiable<T>, T: Real> ImplicitMidpoint<M, T, MidpointDerivatives<M, T>> {
    /// The integrator with steps of at most `h` \[s\], solved by Newton's method.
    pub fn new(mechanism: &M, h: T) -> Self {
        Self::with_derivatives_of(mechanism, h)
    }
}

impl<M: Mechanism<T> + Borrow<D>, D: Differentiable<T>, T: Real> ImplicitMidpoint<M, T, MidpointDerivatives<D, T>> {
    /// Integrator for a mechanism that wraps one with derivatives, `D`, and adds loads without derivatives: Newton's method uses the derivatives
    /// of `D`, and secants replace those of the loads.
    pub fn with_derivatives_of(mechanism: &M, h: T) -> Self {
        Self::with_derivatives(mechanism, h, MidpointDerivatives::new(mechanism.borrow()))
    }
}

impl<M: Mechanism<T>, T: Real> ImplicitMidpoint<M, T, NoDerivatives> {
    /// The integrator with steps of at most `h` \[s\], solved by fixed-point iteration with secants.
    pub fn without_derivatives(mechanism: &M, h: T) -> Self {
        Self::with_derivatives(mechanism, h, NoDerivatives)
    }
}

impl<M: Mechanism<T>, T: Real, W: StageDerivatives<M, T, Halves<M, T>, 1>> ImplicitMidpoint<M, T, W> {
    fn with_derivatives(mechanism: &M, h: T, derivatives: W) -> Self {
        let state = State::new(mechanism);
        let halves = Halves {
            start: state.clone(),
            midpoint: state.clone(),
            half: T::ZERO,
            rates: Rates::new(mechanism),
            middle: Middle::new(mechanism),
            evaluation: Evaluation::new(mechanism),
        };
        let iteration = Iteration::new(mechanism, derivatives);
        ImplicitMidpoint { h, iterations: W::ITERATIONS, next: state, halves, iteration }
    }

    /// Returns the integrator with this stabilisation instead of projection.
    #[must_use]
    pub fn with_stabilization(mut self, stabilization: Stabilization<T>) -> Self {
        self.halves.evaluation.stabilization = stabilization;
        self
    }

    fn step_to(
        &mut self,
        mechanism: &M,
        state: &mut State<M, T>,
        inputs: &mut Inputs<T>,
        t: T,
        h: T,
    ) -> Result<(), Error<T>> {
        state.check_like(&self.next)?;
        let half = T::from_f64(0.5) * h;
        let (next, halves, iteration) = (&mut self.next, &mut self.halves, &mut self.iteration);
        halves.begin(state, half);
        iteration.unknowns[0].copy_from(state.v.as_ref(), state.z.as_ref());
        iteration.solve(mechanism, halves, inputs, self.iterations)?;
        next.copy_from(state);
        next.q.as_mut().copy_from_slice(halves.midpoint.q.as_ref());
        halves.middle.set_delta(half, iteration.image[0].v.as_ref());
        halves.middle.advance(mechanism, halves.midpoint.t, next.q.as_mut());
        add_scaled(next.v.as_mut(), h, halves.rates.v.as_ref());
        add_scaled(next.z.as_mut(), h, halves.rates.z.as_ref());
        next.t = t;
        halves.evaluation.settle(mechanism, state, next)?;
        state.copy_from(next);
        halves.evaluation.statistics.accept();
        Ok(())
    }
}

/// Equations 1 and 2 of the module header.
pub struct Halves<M: Mechanism<T>, T: Real> {
    start: State<M, T>,
    /// (q_m, v_m, z_m).
    midpoint: State<M, T>,
    half: T,
    /// Rates at the midpoint.
    rates: Rates<M, T>,
    middle: Middle<M, T>,
    evaluation: Evaluation<M, T>,
}

impl<M: Mechanism<T>, T: Real> Halves<M, T> {
    fn begin(&mut self, state: &State<M, T>, half: T) {
        self.start.copy_from(state);
        self.midpoint.copy_from(state);
        self.midpoint.t = state.t + half;
        self.half = half;
    }
}

impl<M: Mechanism<T>, T: Real> Equations<M, T, 1> for Halves<M, T> {
    fn image(
        &mut self,
        mechanism: &M,
        inputs: &mut Inputs<T>,
        [unknowns]: &[Stage<M, T>; 1],
        [image]: &mut [Stage<M, T>; 1],
    ) -> Result<(), Error<T>> {
        let (start, midpoint) = (&self.start, &mut self.midpoint);
        midpoint.v.as_mut().copy_from_slice(unknowns.v.as_ref());
        midpoint.z.as_mut().copy_from_slice(unknowns.z.as_ref());
        self.middle.set_delta(-self.half, midpoint.v.as_ref());
        self.middle.solve(mechanism, midpoint.t, start.q.as_ref(), midpoint.q.as_mut())?;
        self.evaluation.rates(mechanism, midpoint, inputs, &mut self.rates)?;
        image.copy_from(start.v.as_ref(), start.z.as_ref());
        image.add_scaled(self.half, self.rates.v.as_ref(), self.rates.z.as_ref());
        Ok(())
    }

    fn measure(&self, mechanism: &M, image: &[Stage<M, T>; 1], residual: &[Stage<M, T>; 1]) -> [T; 2] {
        relative_sizes(mechanism, &self.start, self.half, image, residual)
    }

    fn time(&self) -> T {
        self.midpoint.t
    }
}

impl<M: Mechanism<T>, T: Real, W: StageDerivatives<M, T, Halves<M, T>, 1>> Stepper<M, T> for ImplicitMidpoint<M, T, W> {
    const ORDER: usize = 2;

    steps_of_equal_length!();

    fn statistics(&self) -> Statistics {
        self.halves.evaluation.statistics
    }
}
