//! Zhong and Gao's symplectic integrator for momenta and positions.
//!
//! With the means q_m = ½ (q + q⁺), t_m = t + ½h and v_m = (q⁺ − q)/h over a step, momenta p = ∂T/∂v, their rates f = ṗ + Gᵀ λ without the
//! rows ([`Momenta::momentum_rates`]), and an impulse μ = ½h λ of the rows at either end:
//!
//! 1. p(t_m, q_m, v_m) − ½h f(t_m, q_m, v_m) + G(t, q)ᵀ μ = p,
//! 2. Φ(t⁺, q⁺) = 0 for position rows, ψ(t_m, q_m, v_m) = 0 for velocity rows,
//! 3. p⁺ = p(t_m, q_m, v_m) + ½h f(t_m, q_m, v_m) − G(t⁺, q⁺)ᵀ μ.
//!
//! Where M is constant, p(q_m, v_m) = M (q⁺ − q)/h: these are Zhong and Gao's equations times 1/h, whose λ is −h μ, and 3 is
//! p⁺ = −p + 2 M (q⁺ − q)/h + (G(q) − G(q⁺))ᵀ μ. Where M is not constant, f includes ∂T/∂q: 1 and 3 are the discrete Euler–Lagrange equations of
//! L_d = h L(q_m, v_m). Auxiliary states follow the midpoint rule, z_m = z + ½h ż(t_m, q_m, v_m, z_m), z⁺ = 2 z_m − z, and inputs are those at
//! t_m. The step is symmetric in time.
//!
//! Only the part of p that the rows admit causes motion: with p + Gᵀ κ in place of p, μ + κ solves 1 and 2 with the same v_m. Therefore speeds
//! may be projected, and momenta computed again from them, without any change of positions.
//!
//! The unknowns are v_m and z_m (`balance.rs`).

mod balance;

use super::iteration::{Iteration, Stage};
use super::{Inputs, Statistics, Stepper, steps_of_equal_length};
use crate::{Error, Mechanism, Momenta, Real, Stabilization, State};
use balance::{Balance, Corrections, Method};
use mbs_math::add_scaled;

/// The symplectic integrator of Zhong and Gao, of mean positions and momenta: order 2.
///
/// - The energy of conservative motions, with holonomic rows or without, does not drift: it oscillates by O(h²). Momenta of symmetries
///   in which coordinates are linear (translations; rotations in natural coordinates) are conserved to round-off.
/// - It is symmetric in time. Position rows are satisfied at the ends of steps to round-off, without projection; velocity rows on average, at the
///   mean position and speed (the discrete principle of Lagrange and d'Alembert).
/// - Speeds at the end of a step are those of its momenta, v = M⁻¹ p by [`Momenta::speeds_of_momenta`]. They violate ψ = 0 by an O(h²) that varies
///   from step to step; with [`Stabilization::Projection`] they satisfy it. Neither choice changes positions.
/// - Steps are solved by Newton's method where the mechanism implements [`Momenta::momentum_step`], as generated types with
///   `kernels: [momenta]` do. Otherwise, and with [`Zhong06::without_derivatives`], they are solved by fixed-point iteration with the
///   factorisation of the accelerations and secants.
/// - Momenta continue from step to step. They are set to p = ∂T/∂v where the state was changed, and after [`Stepper::restart`].
///
/// Speeds have to be the rates of coordinates. [`Error::Unsuited`] is returned for attitudes (use natural coordinates), for rows of accelerations
/// alone, and for rows that are not affine in speeds. Rows that depend on time, prescribed motions, rows that are switched
/// off, auxiliary states and inputs are supported.
///
/// # Source
/// Zhong & Gao (2006), Integration of constrained dynamical system via analytical structural mechanics, J. Dyn. Control 4 (constant M, rows);
/// Luo et al., A unified approach to dynamic modeling and simulation of general tensegrity structures (natural coordinates, as in Rible);
/// Marsden & West (2001), Acta Numerica 10, §§ 2.3, 3.2, 3.4 (discrete mechanics: M that changes, loads, rows); Cortés & Martínez (2001),
/// Nonlinearity 14 (velocity rows).
pub struct Zhong06<M: Mechanism<T>, T: Real = f64> {
    /// Longest step of [`Stepper::advance_to`] \[s\], > 0.
    pub h: T,
    /// Largest number of iterations per step, one evaluation each; 60 unless changed.
    pub iterations: usize,
    next: State<M, T>,
    /// States, momenta and mean speeds at the beginning and at the end of the last step.
    memory: [Memory<M, T>; 2],
    lambda: M::Multipliers,
    balance: Balance<M, T>,
    iteration: Iteration<M, T, Corrections, 1>,
}

impl<M: Momenta<T>, T: Real> Zhong06<M, T> {
    /// The integrator with steps of at most `h` \[s\], solved by Newton's method where the mechanism implements it.
    pub fn new(mechanism: &M, h: T) -> Self {
        Self::with_method(mechanism, h, Method::Newton)
    }

    /// As [`Zhong06::new`], but solved by fixed-point iteration with secants for every mechanism.
    pub fn without_derivatives(mechanism: &M, h: T) -> Self {
        Self::with_method(mechanism, h, Method::Chord)
    }

    fn with_method(mechanism: &M, h: T, method: Method) -> Self {
        Zhong06 {
            h,
            iterations: 60,
            next: State::new(mechanism),
            memory: core::array::from_fn(|_| Memory::new(mechanism)),
            lambda: mechanism.storage().2,
            balance: Balance::new(mechanism, method),
            iteration: Iteration::new(mechanism, Corrections),
        }
    }

    /// Returns the integrator with speeds projected onto ψ = 0 ([`Stabilization::Projection`], [`Stabilization::SymmetricProjection`]), or not.
    #[must_use]
    pub fn with_stabilization(mut self, stabilization: Stabilization<T>) -> Self {
        self.balance.set_stabilization(stabilization);
        self
    }

    /// Momenta p at the end of the last step (n_v). Zero before the first.
    pub fn momenta(&self) -> &[T] {
        self.memory[1].momenta.as_ref()
    }

    /// Mean speeds v_m = (q⁺ − q)/h of the last step (n_v). Zero before the first.
    pub fn mid_velocity(&self) -> &[T] {
        self.memory[1].means[0].as_ref()
    }

    /// λ of the last step (n_c), M a + Gᵀ λ = Q, in newtons where the row is in metres. Zero before the first.
    ///
    /// The rows subtract Gᵀ λ h/2 from the momenta at either end. λ and the constrained part of p oscillate from step to step, by up to O(h):
    /// the mean of two steps is of order 2 at the time between them.
    pub fn multipliers(&self) -> &[T] {
        self.lambda.as_ref()
    }

    /// Computes the state after a step from the momenta at its beginning; p⁺ is then in `balance`.
    fn attempt(&mut self, mechanism: &M, inputs: &mut Inputs<T>, t: T, h: T) -> Result<(), Error<T>> {
        let first = &self.memory[0];
        self.balance.begin(&first.state, first.momenta.as_ref(), t, h);
        first.write_guess(h, &mut self.iteration.unknowns[0]);
        self.iteration.solve(mechanism, &mut self.balance, inputs, self.iterations)?;
        if first.known == 0 {
            self.balance.check_middle(mechanism)?;
        }
        self.balance.finish(mechanism, &mut self.next)
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
        // The stored values if the last step ended here, else the momenta of the state.
        let continues = self.memory[1].is_known && self.memory[1].state == *state;
        if continues {
            self.memory.swap(0, 1);
        } else {
            self.memory[0].begin_anew(mechanism, state)?;
        }
        if let Err(error) = self.attempt(mechanism, inputs, t, h) {
            if continues {
                self.memory.swap(0, 1);
            }
            return Err(error);
        }
        let [first, last] = &mut self.memory;
        last.accept(first, h, self.balance.mean_speeds());
        last.state.copy_from(&self.next);
        last.momenta.as_mut().copy_from_slice(self.balance.momenta());
        self.balance.write_multipliers(self.lambda.as_mut());
        state.copy_from(&self.next);
        Ok(())
    }
}

impl<M: Momenta<T>, T: Real> Stepper<M, T> for Zhong06<M, T> {
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
        if t == start.t {
            return Ok(());
        }
        let first = &mut self.memory[0];
        if !(first.is_known && first.state == *start) {
            first.begin_anew(mechanism, start)?;
        }
        self.attempt(mechanism, inputs, t, t - start.t)?;
        state.copy_from(&self.next);
        Ok(())
    }

    fn restart(&mut self) {
        self.memory.iter_mut().for_each(|memory| memory.is_known = false);
    }

    fn statistics(&self) -> Statistics {
        self.balance.statistics()
    }
}

/// Number of stored mean speeds, from which the next ones are extrapolated.
const MEANS: usize = 4;

/// A state with its momenta and the mean speeds before it.
struct Memory<M: Mechanism<T>, T: Real> {
    state: State<M, T>,
    momenta: M::Speeds,
    is_known: bool,
    /// v_m of the last `known` steps, the latest first; these steps have the same length.
    means: [M::Speeds; MEANS],
    known: usize,
    step: T,
}

impl<M: Momenta<T>, T: Real> Memory<M, T> {
    fn new(mechanism: &M) -> Self {
        let (_, v, ..) = mechanism.storage();
        Memory {
            state: State::new(mechanism),
            momenta: v.clone(),
            is_known: false,
            means: core::array::from_fn(|_| v.clone()),
            known: 0,
            step: T::ZERO,
        }
    }

    /// Sets the state and its momenta; mean speeds are unknown.
    fn begin_anew(&mut self, mechanism: &M, state: &State<M, T>) -> Result<(), Error<T>> {
        (self.is_known, self.known) = (false, 0);
        balance::check(mechanism, state)?;
        self.state.copy_from(state);
        mechanism.momenta(state.view(&[]), self.momenta.as_mut())?;
        self.is_known = true;
        Ok(())
    }

    /// Stores the mean speeds at the end of a step of length h with mean `mean`, after those of `first`.
    fn accept(&mut self, first: &Self, h: T, mean: &[T]) {
        let kept = if first.has_length(h) { first.known.min(MEANS - 1) } else { 0 };
        for i in 0..kept {
            self.means[i + 1].as_mut().copy_from_slice(first.means[i].as_ref());
        }
        self.means[0].as_mut().copy_from_slice(mean);
        (self.known, self.step, self.is_known) = (kept + 1, h, true);
    }

    /// Whether the last step was as long as h.
    fn has_length(&self, h: T) -> bool {
        (h - self.step).abs() <= T::from_f64(1e-6) * h.abs()
    }

    /// Writes a guess of v_m of the next step, by the polynomial through the last ones or else v, and of z.
    fn write_guess(&self, h: T, guess: &mut Stage<M, T>) {
        guess.copy_from(self.state.v.as_ref(), self.state.z.as_ref());
        let weights: &[f64] = match self.known {
            _ if !self.has_length(h) => return,
            2 => &[2.0, -1.0],
            3 => &[3.0, -3.0, 1.0],
            4 => &[4.0, -6.0, 4.0, -1.0],
            _ => return,
        };
        let v = guess.v.as_mut();
        v.fill(T::ZERO);
        for (mean, weight) in self.means.iter().zip(weights) {
            add_scaled(v, T::from_f64(*weight), mean.as_ref());
        }
    }
}
