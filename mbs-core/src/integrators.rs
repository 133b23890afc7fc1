//! Integrators: one file each, one trait.
//!
//! The state (q, v, z) obeys q̇ = N(q) v, v̇ = a, ż = rates. Methods act on q additively, normalise it, and stabilise as
//! [`Stabilization`](crate::Stabilization) states. Work space is made once from the mechanism's storage; steps allocate
//! nothing. Discrete variables, the last of z, are not changed, and count neither in error norms nor in residuals.

mod dormand_prince;
pub(crate) mod evaluation;
mod explicit_euler;
mod gauss;
mod generalized_alpha;
mod implicit_midpoint;
mod inputs;
pub(crate) mod iteration;
mod middle;
mod rk2;
mod rk3;
mod rk4;
pub(crate) mod runge_kutta;
mod semi_implicit_euler;
pub(crate) mod tableaus;
mod zhong06;

pub use dormand_prince::{ATOL, DormandPrince, RTOL};
pub use explicit_euler::ExplicitEuler;
pub use gauss::{Gauss4, Gauss6, GaussDerivatives, GaussRungeKutta};
pub use generalized_alpha::{AlphaDerivatives, GeneralizedAlpha};
pub use implicit_midpoint::{ImplicitMidpoint, MidpointDerivatives};
pub use inputs::{Inputs, ZeroOrderHold, zero_inputs};
pub use iteration::NoDerivatives;
pub use rk2::Rk2;
pub use rk3::Rk3;
pub use rk4::Rk4;
pub use runge_kutta::ExplicitRungeKutta;
pub use semi_implicit_euler::SemiImplicitEuler;
pub use zhong06::Zhong06;

use crate::{Error, Item, Mechanism, Real, State};

/// `step` and `step_towards` of a [`Stepper`] over M and T that has a longest step `h` and a method `step_to`, which makes a step of a given length
/// that ends at a given time.
macro_rules! steps_of_equal_length {
    () => {
        fn step(
            &mut self,
            mechanism: &M,
            state: &mut State<M, T>,
            inputs: &mut Inputs<T>,
            h: T,
        ) -> Result<(), Error<T>> {
            let t = state.t + h;
            self.step_to(mechanism, state, inputs, t, h)
        }

        fn step_towards(
            &mut self,
            mechanism: &M,
            state: &mut State<M, T>,
            t_end: T,
            inputs: &mut Inputs<T>,
        ) -> Result<(), Error<T>> {
            if state.t == t_end {
                return Ok(());
            }
            let (t, h) = $crate::integrators::divide(state.t, t_end, self.h)?;
            self.step_to(mechanism, state, inputs, t, h)
        }
    };
}
use steps_of_equal_length;

/// Steps and evaluations of an integration so far. Counts saturate at `usize::MAX`, as they do in long runs with 32 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Steps made.
    pub accepted: usize,
    /// Steps tried and repeated with a smaller step.
    pub rejected: usize,
    /// Evaluations of the accelerations.
    pub evaluations: usize,
}

impl Statistics {
    pub(crate) fn accept(&mut self) {
        self.accepted = self.accepted.saturating_add(1);
    }

    pub(crate) fn reject(&mut self) {
        self.rejected = self.rejected.saturating_add(1);
    }

    pub(crate) fn evaluate(&mut self) {
        self.evaluations = self.evaluations.saturating_add(1);
    }
}

/// An integrator of one mechanism. It owns its work space and advances a state.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an integrator of `{M}`",
    label = "not a stepper",
    note = "integrators are made for one mechanism, as in `DormandPrince::new(&mechanism)`; `Integrator::…` are choices of a `Simulation`"
)]
pub trait Stepper<M: Mechanism<T>, T: Real = f64> {
    /// Order p: the error at a fixed time is O(hᵖ).
    const ORDER: usize;

    /// Whether [`Stepper::state_at`] is dense output, which takes no step.
    const IS_DENSE: bool = false;

    /// Makes one step of exactly `h` \[s\], which may be negative, and overwrites `state`; adaptive methods do not control its error.
    /// `inputs` writes u at a state. After an error the state is unchanged.
    ///
    /// # Errors
    /// Those of [`Mechanism::accelerations`] and of the projection; [`Error::Size`] of a state of another mechanism.
    fn step(&mut self, mechanism: &M, state: &mut State<M, T>, inputs: &mut Inputs<T>, h: T) -> Result<(), Error<T>>;

    /// Makes one step towards `t_end`, of a length that the method chooses: never past it, and exactly to it if it is near enough.
    /// Methods of fixed step divide the remaining time into equal steps of at most their step. Nothing happens at `t_end`.
    ///
    /// # Errors
    /// Those of [`Stepper::step`]; [`Error::StepTooSmall`]; [`Error::NotFinite`] if `t_end` is not finite.
    fn step_towards(
        &mut self,
        mechanism: &M,
        state: &mut State<M, T>,
        t_end: T,
        inputs: &mut Inputs<T>,
    ) -> Result<(), Error<T>>;

    /// The state at time `t` within the last step made, which began at `start`; `state` is overwritten.
    ///
    /// Unless the method has dense output, that is a step from `start` to `t`, counted as such.
    ///
    /// # Errors
    /// Those of [`Stepper::step`], or of the projection.
    fn state_at(
        &mut self,
        mechanism: &M,
        start: &State<M, T>,
        t: T,
        inputs: &mut Inputs<T>,
        state: &mut State<M, T>,
    ) -> Result<(), Error<T>> {
        state.check_like(start)?;
        state.copy_from(start);
        if t != start.t {
            self.step(mechanism, state, inputs, t - start.t)?;
            state.t = t;
        }
        Ok(())
    }

    /// Discards values that are stored from the last step, such as its last evaluation. Call it when parameters or inputs have
    /// jumped. A changed state is detected without it.
    fn restart(&mut self) {}

    /// Steps until `state.t` equals `t_end` exactly, forwards or backwards. Starts with [`Stepper::restart`].
    ///
    /// # Errors
    /// Those of [`Stepper::step_towards`]; [`Error::TooManySteps`] from adaptive methods. The state is the last one
    /// reached.
    fn advance_to(
        &mut self,
        mechanism: &M,
        state: &mut State<M, T>,
        t_end: T,
        inputs: &mut Inputs<T>,
    ) -> Result<(), Error<T>> {
        self.restart();
        while state.t != t_end {
            self.step_towards(mechanism, state, t_end, inputs)?;
        }
        Ok(())
    }

    /// Steps and evaluations since the integrator was made.
    fn statistics(&self) -> Statistics;

    /// The coordinate, speed or state in which the estimate of the error of the last step tried is largest, in units of its tolerance; `None`
    /// of methods that estimate no error, and before the first step.
    fn limited_by(&self) -> Option<Item> {
        None
    }
}

/// The next of n = ⌈|t_end − t|/h⌉ equal steps, as (new time, step); a step too long by a relative 1e-9 is not divided.
///
/// # Errors
/// [`Error::StepTooSmall`] if the step is below the rounding of t or of `t_end`; [`Error::NotFinite`] if `t_end` is not finite.
fn divide<T: Real>(t: T, t_end: T, h: T) -> Result<(T, T), Error<T>> {
    let left = t_end - t;
    if !left.is_finite() {
        return Err(Error::NotFinite { t });
    }
    let steps = -mbs_math::math::floor(1e-9 - (left / h).abs().to_f64());
    if steps <= 1.0 {
        return Ok((t_end, left));
    }
    let step = left / T::from_f64(steps);
    // Not finite where h is NaN.
    if t + step == t || t_end - step == t_end || !step.is_finite() {
        Err(Error::StepTooSmall { t, step, limited_by: None })
    } else {
        Ok((t + step, step))
    }
}
