//! Zhong and Gao's symplectic integrator for momenta and positions.
//!
//! With the means q_m = ½ (q + q⁺), t_m = t + ½h and v_m = (q⁺ − q)/h over a step, momenta p = ∂T/∂v, f = ṗ + Gᵀ λ as the mechanism has it
//! without rows ([`Momenta::momentum_rates`]), and an impulse μ = ½h λ of the rows at either end:
//!
//! 1. p(t_m, q_m, v_m) − ½h f(t_m, q_m, v_m) + G(t, q)ᵀ μ = p,
//! 2. Φ(t⁺, q⁺) = 0 for position rows, ψ(t_m, q_m, v_m) = 0 for velocity rows,
//! 3. p⁺ = p(t_m, q_m, v_m) + ½h f(t_m, q_m, v_m) − G(t⁺, q⁺)ᵀ μ.
//!
//! Where M is constant, p(q_m, v_m) = M (q⁺ − q)/h: Zhong and Gao's equations times 1/h, with λ of theirs −h μ, and 3 is
//! p⁺ = −p + 2 M (q⁺ − q)/h + (G(q) − G(q⁺))ᵀ μ. Where it is not, f has ∂T/∂q: 1 and 3 are the discrete Euler–Lagrange equations of
//! L_d = h L(q_m, v_m). Auxiliary states go by the midpoint rule, z_m = z + ½h ż(t_m, q_m, v_m, z_m), z⁺ = 2 z_m − z, and inputs are those of
//! t_m. All of it is symmetric in time.
//!
//! Only the part of p that the rows leave free causes motion: with p + Gᵀ κ in place of p, μ + κ solves 1 and 2 with the same v_m. So speeds
//! may be projected, and momenta computed anew from them, without any change of positions.
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
/// - Energy of conservative motions, with holonomic rows or without, does not drift: it oscillates by O(h²). Momenta that belong to symmetries
///   in which coordinates are linear (translations; rotations in natural coordinates) are kept to round-off.
/// - Symmetric in time. Position rows are satisfied at the ends of steps to round-off, without projection; velocity rows on average, at the
///   mean position and speed (the discrete principle of Lagrange and d'Alembert).
/// - Speeds at the end of a step are those of its momenta, v = M⁻¹ p as [`Momenta::speeds_of_momenta`] says. They miss ψ = 0 by O(h²), now
///   more, now less; with [`Stabilization::Projection`] they do not. Neither choice changes positions.
/// - Steps are solved by Newton's method where the mechanism has its derivatives ([`Momenta::momentum_step`]: generated types with
///   `kernels: [momenta]`), else, and with [`Zhong06::without_derivatives`], by fixed points with the factorisation of the accelerations and
///   secants.
/// - Momenta continue from step to step. They begin anew, p = ∂T/∂v, where the state was changed, and after [`Stepper::restart`].
///
/// Speeds have to be the rates of coordinates: attitudes are refused ([`Error::Unsuited`]), natural coordinates have none. Refused are also
/// rows of accelerations alone, and rows that are not affine in speeds. Rows that depend on time, prescribed motions, rows that are switched
/// off, auxiliary states and inputs are not.
///
/// # Source
/// Zhong & Gao (2006), Integration of constrained dynamical system via analytical structural mechanics, J. Dyn. Control 4 (constant M, rows);
/// Luo et al., A unified approach to dynamic modeling and simulation of general tensegrity structures (natural coordinates, as in Rible);
/// Marsden & West (2001), Acta Numerica 10, §§ 2.3, 3.2, 3.4 (discrete mechanics: M that changes, loads, rows); Cortés & Martínez (2001),
/// Nonlinearity 14 (velocity rows).
pub struct Zhong06<M: Mechanism<T>, T: Real = f64> {
    /// Longest step of [`Stepper::advance_to`] \[s\], > 0.
    pub h: T,
    /// Most iterations per step, one evaluation each; 60 unless changed.
    pub iterations: usize,
    next: State<M, T>,
    /// States, momenta and mean speeds at the beginning and at the end of the last step.
    memory: [Memory<M, T>; 2],
    lambda: M::Multipliers,
    balance: Balance<M, T>,
    iteration: Iteration<M, T, Corrections, 1>,
}

impl<M: Momenta<T>, T: Real> Zhong06<M, T> {
    /// With steps of at most `h` \[s\].
    pub fn new(mechanism: &M, h: T) -> Self {
        Self::with_method(mechanism, h, Method::Newton)
    }

    /// As [`Zhong06::new`], but solved by fixed points with secants for every mechanism.
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
    /// The rows take Gᵀ λ h/2 from the momenta at either end. The constrained part of p oscillates with λ from step to step, by up to O(h):
    /// the mean of two steps is of order 2 at the time between them.
    pub fn multipliers(&self) -> &[T] {
        self.lambda.as_ref()
    }

    /// Computes the state after a step from the momenta at its beginning; p⁺ stays in the balance.
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
        // The values kept if the last step ended here, else the momenta of the state.
        let goes_on = self.memory[1].is_known && self.memory[1].state == *state;
        if goes_on {
            self.memory.swap(0, 1);
        } else {
            self.memory[0].begin_anew(mechanism, state)?;
        }
        if let Err(error) = self.attempt(mechanism, inputs, t, h) {
            if goes_on {
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

    /// A step of another length from where the last one began; the values kept for the next step are unchanged.
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

/// Mean speeds kept, from which the next ones are guessed.
const MEANS: usize = 4;

/// A state with its momenta and the mean speeds before it.
struct Memory<M: Mechanism<T>, T: Real> {
    state: State<M, T>,
    momenta: M::Speeds,
    is_known: bool,
    /// v_m of the last `known` steps, the last first; these steps have the same length.
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

    /// Takes a state, of which no more is known than its speeds.
    fn begin_anew(&mut self, mechanism: &M, state: &State<M, T>) -> Result<(), Error<T>> {
        (self.is_known, self.known) = (false, 0);
        balance::check(mechanism, state)?;
        self.state.copy_from(state);
        mechanism.momenta(state.view(&[]), self.momenta.as_mut())?;
        self.is_known = true;
        Ok(())
    }

    /// Means at the end of a step of h whose own is v_m.
    fn accept(&mut self, first: &Self, h: T, mean: &[T]) {
        let kept = if first.is_one_length(h) { first.known.min(MEANS - 1) } else { 0 };
        for i in 0..kept {
            self.means[i + 1].as_mut().copy_from_slice(first.means[i].as_ref());
        }
        self.means[0].as_mut().copy_from_slice(mean);
        (self.known, self.step, self.is_known) = (kept + 1, h, true);
    }

    /// Whether the last step was as long as h.
    fn is_one_length(&self, h: T) -> bool {
        (h - self.step).abs() <= T::from_f64(1e-6) * h.abs()
    }

    /// v_m of the next step by the polynomial through the last ones, else v, and z.
    fn write_guess(&self, h: T, guess: &mut Stage<M, T>) {
        guess.copy_from(self.state.v.as_ref(), self.state.z.as_ref());
        let weights: &[f64] = match self.known {
            _ if !self.is_one_length(h) => return,
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
