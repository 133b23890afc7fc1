//! The generalized-α method for mechanisms with rows and attitudes.
//!
//! With the accelerations v̇ of the motion, algorithmic ones a, and Δ = α_m − α_f:
//!
//! 1. (1 − α_m) a⁺ + α_m a = (1 − α_f) v̇⁺ + α_f v̇;
//! 2. δ = h v + h² ((½ − β) a + β a⁺), q⁺ = (q ⊕ δ) ⊕ x with the least x, x of order h³, that has Φ(q⁺) = 0 (`project.rs`);
//!    v⁺ = v + h ((1 − γ) a + γ a⁺);
//! 3. M v̇⁺ + Gᵀ λ = Q, ψ = 0 for position and velocity rows, G v̇⁺ = γ for rows of accelerations, at t⁺, q⁺ and v⁺.
//!
//! That is the stabilised form of index 2 of Arnold, Brüls & Cardona; the displacement x replaces their multipliers of Φ = 0. (Index 3, Φ = 0
//! instead of ψ = 0 and no x, leaves ψ = O(h²): for the pendulum of the tests its steps diverge for ρ∞ ≥ 0.8 and h = 0.1 s, and those of index 2
//! do not.)
//!
//! a is v̇ at t + Δ h, up to O(h²). ⊕ is evaluated at the midpoint (`middle.rs`), of second order for any N. Auxiliary states obey 1 and the
//! second of 2 with their rates. At the start, or after a change of the state, a is unknown. The step is then the trapezoidal rule, which does not
//! need a: 2 with β = ¼, γ = ½ and v̇ for a, and a⁺ = v̇⁺ + Δ (v̇⁺ − v̇).
//!
//! The unknown is v̇⁺ (`balance.rs`).

mod balance;
mod derivatives;

pub use derivatives::AlphaDerivatives;

use core::borrow::Borrow;

use super::iteration::{Iteration, NoDerivatives, Stage, StageDerivatives};
use super::{Inputs, Statistics, Stepper, steps_of_equal_length};
use crate::{Differentiable, Error, Mechanism, Real, Stabilization, State};
use balance::Balance;
use mbs_math::add_scaled;

/// The generalized-α method: order 2, with a chosen damping of high frequencies and little damping of low ones.
///
/// - The spectral radius ρ∞ in [0, 1] is the factor of the amplitude of an infinitely fast oscillation over a step: 1 damps nothing,
///   0 removes all. α_m = (2ρ∞ − 1)/(ρ∞ + 1), α_f = ρ∞/(ρ∞ + 1), γ = ½ + α_f − α_m, β = ¼ (γ + ½)².
/// - It is stable at any step for linear oscillations, with rows or not. Released far from equilibrium, stiff motions overshoot in speed before
///   they decay. Positions and velocities satisfy the rows as part of the equations; with [`Stabilization::None`], and with
///   [`Stabilization::Baumgarte`], velocities alone do, and positions drift.
/// - [`GeneralizedAlpha::new`] solves steps by Newton's method: with the derivatives of [`Differentiable::state_jacobian`], projected onto the rows,
///   or by [`Differentiable::correct_stage`].
///   Derivatives of ⊕, and of the effect of rows on accelerations that violate them, are neglected. They are a fraction O(h) of the derivatives, and
///   secants approximate them. [`GeneralizedAlpha::without_derivatives`] uses secants alone, for any mechanism.
/// - Algorithmic accelerations continue from step to step. They are initialised again where the state was changed, after [`Stepper::restart`], and
///   where a step is more than twice the last one or has the opposite sign.
///
/// # Source
/// Chung & Hulbert (1993), J. Appl. Mech. 60; Arnold & Brüls (2007), Multibody Syst. Dyn. 18 (rows);
/// Brüls, Cardona & Arnold (2012), Mech. Mach. Theory 48 (attitudes); Arnold, Brüls & Cardona (2015), Numer. Math. 129 (index 2, stabilised);
/// Jansen, Whiting & Hulbert (2000), Comput. Methods Appl. Mech. Eng. 190 (auxiliary states). Equations of rows are divided by γ h, as in
/// Bottasso, Dopico & Trainelli (2008), Multibody Syst. Dyn. 19, so that round-off does not grow as steps get shorter.
pub struct GeneralizedAlpha<M: Mechanism<T>, T: Real, W> {
    /// Longest step of [`Stepper::advance_to`] \[s\], > 0.
    pub h: T,
    /// Largest number of iterations per step, one evaluation each; unless changed 20 with Newton's method, 60 without.
    pub iterations: usize,
    parameters: Parameters,
    next: State<M, T>,
    /// States and rates at the beginning and at the end of the last step.
    memory: [Memory<M, T>; 2],
    lambda: M::Multipliers,
    balance: Balance<M, T>,
    iteration: Iteration<M, T, W, 1>,
}

impl<M: Differentiable<T>, T: Real> GeneralizedAlpha<M, T, AlphaDerivatives<M, T>> {
    /// The integrator with steps of at most `h` \[s\] and the spectral radius ρ∞ (clamped to [0, 1]), solved by Newton's method.
    pub fn new(mechanism: &M, h: T, spectral_radius: T) -> Self {
        Self::with_derivatives_of(mechanism, h, spectral_radius)
    }
}

impl<M: Mechanism<T> + Borrow<D>, D: Differentiable<T>, T: Real> GeneralizedAlpha<M, T, AlphaDerivatives<D, T>> {
    /// Integrator for a mechanism that wraps one with derivatives, `D`, and adds loads without derivatives: Newton's method uses the derivatives
    /// of `D`, and secants replace those of the loads.
    pub fn with_derivatives_of(mechanism: &M, h: T, spectral_radius: T) -> Self {
        Self::with_derivatives(mechanism, h, spectral_radius, AlphaDerivatives::new(mechanism.borrow()))
    }
}

impl<M: Mechanism<T>, T: Real> GeneralizedAlpha<M, T, NoDerivatives> {
    /// The integrator with steps of at most `h` \[s\] and the spectral radius ρ∞ (clamped to [0, 1]), solved by fixed-point iteration with secants.
    pub fn without_derivatives(mechanism: &M, h: T, spectral_radius: T) -> Self {
        Self::with_derivatives(mechanism, h, spectral_radius, NoDerivatives)
    }
}

impl<M: Mechanism<T>, T: Real, W: StageDerivatives<M, T, Balance<M, T>, 1>> GeneralizedAlpha<M, T, W> {
    fn with_derivatives(mechanism: &M, h: T, spectral_radius: T, derivatives: W) -> Self {
        let (_, _, lambda, ..) = mechanism.storage();
        GeneralizedAlpha {
            h,
            iterations: W::ITERATIONS,
            parameters: Parameters::new(spectral_radius.to_f64()),
            next: State::new(mechanism),
            memory: core::array::from_fn(|_| Memory::new(mechanism)),
            lambda,
            balance: Balance::new(mechanism),
            iteration: Iteration::new(mechanism, derivatives),
        }
    }

    /// Returns the integrator with this stabilisation instead of projection. [`Stabilization::Baumgarte`] is the same as [`Stabilization::None`].
    #[must_use]
    pub fn with_stabilization(mut self, stabilization: Stabilization<T>) -> Self {
        let is_kept = matches!(stabilization, Stabilization::Projection | Stabilization::SymmetricProjection);
        self.balance.evaluation.stabilization = if is_kept { stabilization } else { Stabilization::None };
        self
    }

    /// λ at the end of the last step (n_c), of the equations of the method: of order 2. Zero before the first step.
    pub fn multipliers(&self) -> &[T] {
        self.lambda.as_ref()
    }

    /// Sets the rates at the beginning of a step from `state`: the stored ones if the last step ended here, else an evaluation.
    fn begin(&mut self, mechanism: &M, state: &State<M, T>, inputs: &mut Inputs<T>) -> Result<(), Error<T>> {
        let [first, last] = &mut self.memory;
        if last.is_known && last.state == *state {
            first.copy_from(last);
            return Ok(());
        }
        first.begin_anew(mechanism, state, &mut self.balance, inputs)
    }

    /// Computes the state at the end of a step from the rates at its beginning.
    fn attempt(&mut self, mechanism: &M, inputs: &mut Inputs<T>, t: T, h: T) -> Result<(), Error<T>> {
        let first = &self.memory[0];
        self.balance.begin(first, &self.parameters, t, h);
        self.iteration.unknowns[0].copy_from(first.rates.v.as_ref(), first.rates.z.as_ref());
        self.iteration.solve(mechanism, &mut self.balance, inputs, self.iterations)?;
        self.next.copy_from(&self.balance.end);
        self.balance.evaluation.settle(mechanism, &first.state, &mut self.next)
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
        self.begin(mechanism, state, inputs)?;
        self.memory[1].is_known = false;
        self.attempt(mechanism, inputs, t, h)?;
        let (last, [rates]) = (&mut self.memory[1], &self.iteration.unknowns);
        last.rates.copy_from(rates.v.as_ref(), rates.z.as_ref());
        self.balance.write_algorithmic(rates, &mut last.algorithmic);
        last.state.copy_from(&self.next);
        (last.is_known, last.step) = (true, Some(h));
        self.balance.write_multipliers(self.lambda.as_mut());
        state.copy_from(&self.next);
        self.balance.evaluation.statistics.accept();
        Ok(())
    }
}

/// Parameters α_m, α_f, β, γ of the method.
struct Parameters {
    alpha_m: f64,
    alpha_f: f64,
    beta: f64,
    gamma: f64,
}

impl Parameters {
    /// The parameters for a spectral radius.
    fn new(spectral_radius: f64) -> Self {
        let rho = Real::min(Real::max(0.0, spectral_radius), 1.0);
        let (alpha_m, alpha_f) = ((2.0 * rho - 1.0) / (rho + 1.0), rho / (rho + 1.0));
        let gamma = 0.5 + alpha_f - alpha_m;
        Parameters { alpha_m, alpha_f, beta: 0.25 * (gamma + 0.5) * (gamma + 0.5), gamma }
    }

    /// Weights of v̇⁺, a and v̇ in δ/h², (v⁺ − v)/h and a⁺, where a is known.
    fn weights(&self) -> [[f64; 3]; 3] {
        let Parameters { alpha_m, alpha_f, beta, gamma } = *self;
        let algorithmic = [(1.0 - alpha_f), -alpha_m, alpha_f].map(|weight| weight / (1.0 - alpha_m));
        // a⁺ of equation 1 put into equations 2.
        let combined = |a: f64, end: f64| [end * algorithmic[0], a + end * algorithmic[1], end * algorithmic[2]];
        [combined(0.5 - beta, beta), combined(1.0 - gamma, gamma), algorithmic]
    }

    /// Weights as in `weights`, for a step where a is unknown: those of a are zero.
    fn first_weights(&self) -> [[f64; 3]; 3] {
        let delta = self.alpha_m - self.alpha_f;
        [[0.25, 0.0, 0.25], [0.5, 0.0, 0.5], [1.0 + delta, 0.0, -delta]]
    }
}

/// A state with its rates and algorithmic accelerations.
struct Memory<M: Mechanism<T>, T: Real> {
    state: State<M, T>,
    /// (v̇, ż), and the algorithmic accelerations a with their counterpart for z; `algorithmic` is known only at the end of a step.
    rates: Stage<M, T>,
    algorithmic: Stage<M, T>,
    step: Option<T>,
    is_known: bool,
}

impl<M: Mechanism<T>, T: Real> Memory<M, T> {
    fn new(mechanism: &M) -> Self {
        Memory {
            state: State::new(mechanism),
            rates: Stage::new(mechanism),
            algorithmic: Stage::new(mechanism),
            step: None,
            is_known: false,
        }
    }

    fn copy_from(&mut self, other: &Self) {
        self.state.copy_from(&other.state);
        self.rates.copy_from(other.rates.v.as_ref(), other.rates.z.as_ref());
        self.algorithmic.copy_from(other.algorithmic.v.as_ref(), other.algorithmic.z.as_ref());
        (self.step, self.is_known) = (other.step, other.is_known);
    }

    /// Sets the state and evaluates the rates there; algorithmic accelerations are unknown.
    fn begin_anew(
        &mut self,
        mechanism: &M,
        state: &State<M, T>,
        balance: &mut Balance<M, T>,
        inputs: &mut Inputs<T>,
    ) -> Result<(), Error<T>> {
        self.is_known = false;
        self.state.copy_from(state);
        balance.evaluate(mechanism, state, inputs, &mut self.rates)?;
        (self.is_known, self.step) = (true, None);
        Ok(())
    }

    /// The ratio of h to the last step, by which a − v̇ is scaled; `None` where a is unknown, and for steps of opposite sign or of more than twice
    /// the length.
    fn ratio(&self, h: T) -> Option<T> {
        let ratio = h / self.step?;
        (ratio > T::ZERO && ratio <= T::from_f64(2.0)).then_some(ratio)
    }
}

impl<M: Mechanism<T>, T: Real, W: StageDerivatives<M, T, Balance<M, T>, 1>> Stepper<M, T>
    for GeneralizedAlpha<M, T, W>
{
    const ORDER: usize = 2;

    steps_of_equal_length!();

    /// A step of another length from the beginning of the last one; the values stored for the next step are unchanged.
    fn state_at(
        &mut self,
        mechanism: &M,
        start: &State<M, T>,
        t: T,
        inputs: &mut Inputs<T>,
        state: &mut State<M, T>,
    ) -> Result<(), Error<T>> {
        start.check_like(&self.next)?;
        state.check_like(start)?;
        state.copy_from(start);
        let first = &mut self.memory[0];
        if t == start.t {
            return Ok(());
        }
        if !(first.is_known && first.state == *start) {
            first.begin_anew(mechanism, start, &mut self.balance, inputs)?;
        }
        self.attempt(mechanism, inputs, t, t - start.t)?;
        state.copy_from(&self.next);
        self.balance.evaluation.statistics.accept();
        Ok(())
    }

    fn restart(&mut self) {
        self.memory.iter_mut().for_each(|memory| memory.is_known = false);
    }

    fn statistics(&self) -> Statistics {
        self.balance.evaluation.statistics
    }
}

/// out ← s a + r b.
fn combine<M: Mechanism<T>, T: Real>(out: &mut Stage<M, T>, s: T, a: &Stage<M, T>, r: T, b: &Stage<M, T>) {
    out.v.as_mut().fill(T::ZERO);
    out.z.as_mut().fill(T::ZERO);
    for (s, x) in [(s, a), (r, b)] {
        add_scaled(out.v.as_mut(), s, x.v.as_ref());
        add_scaled(out.z.as_mut(), s, x.z.as_ref());
    }
}
