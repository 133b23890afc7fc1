//! The implicit midpoint rule.
//!
//! With the half step ½h and the midpoint (q_m, v_m, z_m) at t_m = t + ½h:
//!
//! 1. q = q_m ⊕ (−½h v_m), q⁺ = q_m ⊕ ½h v_m;
//! 2. v_m = v + ½h a(t_m, q_m, v_m, z_m), z_m = z + ½h ż; v⁺ = v + h a, z⁺ = z + h ż.
//!
//! Where ⊕ is q + N(q) δ, 1 is the rule in coordinates, q⁺ − q = h N(q_m) v_m about their mean q_m, whatever N is. For
//! other ⊕ it stays symmetric in time: from (q⁺, v⁺), a step of −h has the same midpoint. Unknowns are v_m and z_m, in
//! linear spaces: 1 places q_m for each v_m by a fixed point that needs no accelerations; 2 is solved by fixed points too,
//! which [`Secants`] accelerate. Neither needs a derivative of a.

mod secants;

use super::evaluation::{Evaluation, Rates, continuous};
use super::{Inputs, Statistics, Stepper, divide};
use crate::vector::{add_scaled, max_norm};
use crate::{Error, Mechanism, Real, Stabilization, State};
use secants::{Secants, Stage};

/// Residuals below so many roundings are zero.
const ROUNDINGS: f64 = 64.0;
/// Iterations in a row that do not halve the residual: it is round-off if it is small, too.
const STALLS: usize = 3;
/// Iterations that place q_m for one v_m: each gains a factor of 4/(h |ω|) or more on quaternions.
const PLACEMENTS: usize = 100;

/// The implicit midpoint rule: v⁺ = v + h a and q⁺ = q_m ⊕ ½h v_m, where everything is evaluated at the midpoint. Order 2.
///
/// - Symmetric in time but for projection, and symplectic for Hamiltonian systems in canonical coordinates; it keeps what is
///   quadratic in (q, v), so that quaternions stay unit quaternions, and energy and |L| of a free body stay to round-off,
///   at any step.
/// - Stable at any step for linear oscillations and decays. The equations are solved without derivatives of a by fixed
///   points with secants, which stiff directions slow down: a few are no obstacle; with many, [`Error::NotConverged`] asks
///   for a shorter step.
/// - With constraint rows, a satisfies G a = γ at the midpoint, and what follows a step is as
///   [`with_stabilization`](ImplicitMidpoint::with_stabilization) says.
/// - About 5 to 10 evaluations per step where h is small against the motion.
///
/// # Source
/// Hairer, Lubich & Wanner (2006), Geometric Numerical Integration, §I.1.2, eq. (1.7), and theorem IV.2.1; iteration
/// as in the header of this module.
pub struct ImplicitMidpoint<M: Mechanism<T>, T: Real = f64> {
    /// Longest step of [`Stepper::advance_to`] \[s\], > 0.
    pub h: T,
    /// Most iterations per step, one evaluation each; 60 unless changed.
    pub iterations: usize,
    /// (q_m, v_m, z_m).
    midpoint: State<M, T>,
    next: State<M, T>,
    rates: Rates<M, T>,
    back: M::Coordinates,
    delta: M::Speeds,
    image: Stage<M, T>,
    residual: Stage<M, T>,
    secants: Secants<M, T>,
    evaluation: Evaluation<M, T>,
}

impl<M: Mechanism<T>, T: Real> ImplicitMidpoint<M, T> {
    /// The implicit midpoint rule with steps of at most `h` \[s\].
    pub fn new(mechanism: &M, h: T) -> Self {
        let (back, delta, ..) = mechanism.storage();
        ImplicitMidpoint {
            h,
            iterations: 60,
            midpoint: State::new(mechanism),
            next: State::new(mechanism),
            rates: Rates::new(mechanism),
            back,
            delta,
            image: Stage::new(mechanism),
            residual: Stage::new(mechanism),
            secants: Secants::new(mechanism),
            evaluation: Evaluation::new(mechanism),
        }
    }

    /// The same with another stabilisation than projection.
    #[must_use]
    pub fn with_stabilization(mut self, stabilization: Stabilization<T>) -> Self {
        self.evaluation.stabilization = stabilization;
        self
    }

    fn step_to(
        &mut self,
        mechanism: &M,
        state: &mut State<M, T>,
        inputs: &mut Inputs<T>,
        (t, h): (T, T),
    ) -> Result<(), Error<T>> {
        let half = T::from_f64(0.5) * h;
        self.solve(mechanism, state, inputs, half)?;
        let (next, image) = (&mut self.next, &self.image);
        next.copy_from(state);
        next.q.as_mut().copy_from_slice(self.midpoint.q.as_ref());
        scale_into(self.delta.as_mut(), half, image.v.as_ref());
        mechanism.retract(self.midpoint.t, next.q.as_mut(), self.delta.as_ref(), self.rates.q.as_mut());
        add_scaled(next.v.as_mut(), h, self.rates.v.as_ref());
        add_scaled(next.z.as_mut(), h, self.rates.z.as_ref());
        next.t = t;
        self.evaluation.settle(mechanism, next)?;
        state.copy_from(next);
        self.evaluation.statistics.accepted += 1;
        Ok(())
    }

    /// Equations 2 of the module header: leaves the midpoint, rates there, and v + ½h a in `image`.
    fn solve(&mut self, mechanism: &M, state: &State<M, T>, inputs: &mut Inputs<T>, half: T) -> Result<(), Error<T>> {
        self.midpoint.copy_from(state);
        self.midpoint.t = state.t + half;
        self.secants.clear();
        let (mut best, mut stalls, mut residual) = (None, 0, T::ZERO);
        for iteration in 1..=self.iterations {
            self.place(mechanism, state, half, iteration)?;
            self.evaluation.rates(mechanism, &self.midpoint, inputs, &mut self.rates)?;
            self.image.copy_from(state.v.as_ref(), state.z.as_ref());
            add_scaled(self.image.v.as_mut(), half, self.rates.v.as_ref());
            add_scaled(self.image.z.as_mut(), half, self.rates.z.as_ref());
            self.residual.difference(&self.image, self.midpoint.v.as_ref(), self.midpoint.z.as_ref());
            let relative;
            [relative, residual] = self.measure(mechanism, state, half);
            if !residual.is_finite() {
                return Err(Error::NotFinite { t: self.midpoint.t });
            }
            let halved = best.is_none_or(|best| residual + residual <= best);
            stalls = if halved { 0 } else { stalls + 1 };
            best = if halved { Some(residual) } else { best };
            if relative <= T::from_f64(ROUNDINGS) * T::EPSILON || stalls >= STALLS && residual <= T::EPSILON.sqrt() {
                return Ok(());
            }
            let (v, z) = (self.midpoint.v.as_mut(), self.midpoint.z.as_mut());
            self.secants.advance(&self.residual, &self.image, v, z);
        }
        Err(Error::NotConverged { residual, iterations: self.iterations, t: self.midpoint.t })
    }

    /// Equation 1: moves q_m of the midpoint to where q_m ⊕ (−½h v_m) = q.
    fn place(&mut self, mechanism: &M, state: &State<M, T>, half: T, iteration: usize) -> Result<(), Error<T>> {
        let (t, back, q) = (self.midpoint.t, &mut self.back, self.midpoint.q.as_mut());
        scale_into(self.delta.as_mut(), -half, self.midpoint.v.as_ref());
        let (mut previous, mut gap) = (None, T::ZERO);
        for _ in 0..PLACEMENTS {
            back.as_mut().copy_from_slice(q);
            mechanism.retract(t, back.as_mut(), self.delta.as_ref(), self.rates.q.as_mut());
            for (back, wanted) in back.as_mut().iter_mut().zip(state.q.as_ref()) {
                *back = *wanted - *back;
            }
            add_scaled(q, T::ONE, back.as_ref());
            mechanism.normalize(q);
            gap = ratio(max_norm(back.as_ref()), max_norm(q));
            if !gap.is_finite() {
                return Err(Error::NotFinite { t });
            }
            let stalled = previous.is_some_and(|previous| gap + gap > previous);
            if gap <= T::from_f64(2.0) * T::EPSILON || stalled && gap <= T::from_f64(1e4) * T::EPSILON {
                return Ok(());
            }
            previous = Some(gap);
        }
        Err(Error::NotConverged { residual: gap, iterations: iteration, t })
    }

    /// The largest residual relative to the sizes of v_m and z_m, and relative to those or |q|/½h and |z|: rates that matter.
    fn measure(&self, mechanism: &M, state: &State<M, T>, half: T) -> [T; 2] {
        let size = |a: &[T], b: &[T]| max_norm(a).max(max_norm(b));
        let n_z = continuous(mechanism, state.z.as_ref().len());
        let speeds = size(state.v.as_ref(), self.image.v.as_ref());
        let others = size(&state.z.as_ref()[..n_z], &self.image.z.as_ref()[..n_z]);
        let (v, z) = (max_norm(self.residual.v.as_ref()), max_norm(&self.residual.z.as_ref()[..n_z]));
        let moving = speeds.max(max_norm(state.q.as_ref()) / half.abs());
        [ratio(v, speeds).max(ratio(z, others)), ratio(v, moving).max(ratio(z, others))]
    }
}

/// a/b for b > 0, 0 for a = 0; not finite where a is not.
fn ratio<T: Real>(a: T, b: T) -> T {
    if a.is_finite() && a <= T::ZERO { T::ZERO } else { a / b }
}

/// y ← s x.
fn scale_into<T: Real>(y: &mut [T], s: T, x: &[T]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y = s * *x;
    }
}

impl<M: Mechanism<T>, T: Real> Stepper<M, T> for ImplicitMidpoint<M, T> {
    const ORDER: usize = 2;

    fn step(&mut self, mechanism: &M, state: &mut State<M, T>, inputs: &mut Inputs<T>, h: T) -> Result<(), Error<T>> {
        let t = state.t + h;
        self.step_to(mechanism, state, inputs, (t, h))
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
        let target = divide(state.t, t_end, self.h)?;
        self.step_to(mechanism, state, inputs, target)
    }

    fn statistics(&self) -> Statistics {
        self.evaluation.statistics
    }
}
