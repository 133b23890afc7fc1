//! Symmetric projection onto the rows.
//!
//! With the shift y = X(x) g of M y + Gᵀ μ = 0, G y = g for positions and for velocities, x ⊞ g = (q ⊕ X g_q, v + X g_v), and the step Φ_h:
//!
//! 1. x̃ = x ⊞ g, x̃⁺ = Φ_h(x̃), x̃⁺ = x⁺ ⊞ (−g), where g is such that x⁺ satisfies the rows.
//!
//! The step back from x⁺ has −g for g: the step is symmetric where Φ_h is. Shifts at the beginning carry over to the end, and those of velocities
//! change positions, so that Φ(x⁺) and ψ(x⁺) change by 2 δg_q + h δg_v and 2 δg_v, up to relative changes of O(h):
//!
//! 2. δg_v = −½ ψ, δg_q = −½ (Φ + h δg_v), repeated.
//!
//! Where 2 stalls above roundings, for rotations above some half a radian a step, x⁺ is projected directly.
//!
//! Source: Hairer, Lubich & Wanner (2006), Geometric Numerical Integration, §V.4.1, algorithm 4.1, with X instead of Gᵀ.

use super::{Collocation, GaussRungeKutta};
use crate::integrators::Inputs;
use crate::integrators::iteration::{StageDerivatives, ratio};
use crate::integrators::middle::Middle;
use crate::project::RowScales;
use crate::{Error, History, Mechanism, Real, State};
use mbs_math::{add_scaled, max_norm};

/// Largest number of corrections of g.
const MOST: usize = 20;
/// Largest number of passes that remove the shift at the end: each reduces the error by a factor of the size of the shift.
const PASSES: usize = 8;

/// The shift g, with the work space to apply it.
pub(super) struct Shift<M: Mechanism<T>, T: Real> {
    positions: M::Multipliers,
    velocities: M::Multipliers,
    zero: M::Speeds,
    change: M::Speeds,
    multipliers: M::Multipliers,
    middle: Middle<M, T>,
    before: State<M, T>,
    phi: M::Multipliers,
    psi: M::Multipliers,
}

impl<M: Mechanism<T>, T: Real> Shift<M, T> {
    pub(super) fn new(mechanism: &M) -> Self {
        let (_, zero, multipliers, ..) = mechanism.storage();
        let rows = || multipliers.clone();
        Shift {
            positions: rows(),
            velocities: rows(),
            phi: rows(),
            psi: rows(),
            change: zero.clone(),
            zero,
            middle: Middle::new(mechanism),
            before: State::new(mechanism),
            multipliers,
        }
    }

    fn clear(&mut self) {
        self.positions.as_mut().fill(T::ZERO);
        self.velocities.as_mut().fill(T::ZERO);
    }

    /// Whether g = 0, as in the first iteration: no shift is needed then.
    fn is_zero(&self) -> bool {
        max_norm(self.positions.as_ref()) <= T::ZERO && max_norm(self.velocities.as_ref()) <= T::ZERO
    }

    /// Writes X(x) g_q, times `sign`, to the displacement of `middle`, and X(x) g_v to `change`.
    fn evaluate(&mut self, mechanism: &M, x: &State<M, T>, sign: T) -> Result<(), Error<T>> {
        let (zero, change, mu) = (self.zero.as_ref(), self.change.as_mut(), self.multipliers.as_mut());
        mechanism.solve(x.view(&[]), zero, self.positions.as_ref(), change, mu)?;
        self.middle.set_delta(sign, change);
        mechanism.solve(x.view(&[]), zero, self.velocities.as_ref(), change, mu)
    }

    /// x ← x ⊞ g.
    fn apply(&mut self, mechanism: &M, x: &mut State<M, T>) -> Result<(), Error<T>> {
        if self.is_zero() {
            return Ok(());
        }
        self.evaluate(mechanism, x, T::ONE)?;
        self.middle.advance(mechanism, x.t, x.q.as_mut());
        add_scaled(x.v.as_mut(), T::ONE, self.change.as_ref());
        Ok(())
    }

    /// Solves x̃ = x ⊞ (−g) for x; `x` is x̃ on entry.
    fn remove(&mut self, mechanism: &M, x: &mut State<M, T>) -> Result<(), Error<T>> {
        if self.is_zero() {
            mechanism.normalize(x.q.as_mut());
            return Ok(());
        }
        self.before.copy_from(x);
        let mut previous = None;
        for _ in 0..PASSES {
            self.evaluate(mechanism, x, -T::ONE)?;
            let size = max_norm(self.middle.delta.as_ref()).max(max_norm(self.change.as_ref()));
            x.v.as_mut().copy_from_slice(self.before.v.as_ref());
            add_scaled(x.v.as_mut(), T::ONE, self.change.as_ref());
            self.middle.solve(mechanism, x.t, self.before.q.as_ref(), x.q.as_mut())?;
            if previous.is_some_and(|previous: T| (size - previous).abs() <= T::EPSILON * size) {
                break;
            }
            previous = Some(size);
        }
        Ok(())
    }

    /// The larger of Φ in units of its rows and ψ relative to the speeds at x; in the second, speeds are max(|v|, |q|/h), since slower speeds do not
    /// matter in the step.
    fn measure(&mut self, mechanism: &M, x: &State<M, T>, h: T, scales: &mut RowScales<M, T>) -> [T; 2] {
        scales.update(mechanism, x);
        let sizes = mechanism.sizes();
        let (phi, psi) = (&mut self.phi.as_mut()[..sizes.n_position], &mut self.psi.as_mut()[..sizes.n_velocity]);
        mechanism.position_residuals(x.view(&[]), phi);
        mechanism.velocity_residuals(x.view(&[]), psi);
        let (q, v) = (max_norm(x.q.as_ref()), max_norm(x.v.as_ref()));
        let phi = scales.relative(phi);
        let relative = |v: T| ratio(max_norm(psi), (v * T::ONE.max(q)).max(v * v));
        [phi.max(relative(v)), phi.max(relative(v.max(q / h.abs())))]
    }

    /// Equation 2 of the module header.
    fn correct(&mut self, mechanism: &M, h: T) {
        let half = T::from_f64(0.5);
        let sizes = mechanism.sizes();
        for (i, psi) in self.psi.as_ref()[..sizes.n_velocity].iter().enumerate() {
            let change = half * *psi;
            self.velocities.as_mut()[i] += -change;
            if i < sizes.n_position {
                self.positions.as_mut()[i] += -half * (self.phi.as_ref()[i] - h * change);
            }
        }
    }
}

impl<M, T: Real, W, const S: usize> GaussRungeKutta<M, T, S, W>
where
    M: Mechanism<T>,
    W: StageDerivatives<M, T, Collocation<M, T, S>, S>,
{
    /// Solves equation 1 of the module header; x⁺ is written to the next state.
    pub(super) fn solve_symmetrically(
        &mut self,
        mechanism: &M,
        state: &State<M, T>,
        inputs: &mut Inputs<T>,
        t: T,
        h: T,
    ) -> Result<(), Error<T>> {
        let (next, shift, collocation) = (&mut self.next, &mut self.shift, &mut self.collocation);
        let (mut best, mut history) = (None, History::new());
        shift.clear();
        for _ in 0..MOST {
            collocation.start.copy_from(state);
            shift.apply(mechanism, &mut collocation.start)?;
            self.iteration.solve(mechanism, collocation, inputs, self.iterations)?;
            collocation.write_end(next);
            next.t = t;
            shift.remove(mechanism, next)?;
            let [strict, miss] = shift.measure(mechanism, next, h, &mut collocation.evaluation.work.scales);
            if !miss.is_finite() {
                return Err(Error::NotFinite { t });
            }
            history.push(miss);
            let stalled = best.is_some_and(|best: T| miss + miss > best) && miss <= T::EPSILON.sqrt();
            if strict <= T::from_f64(4.0) * T::EPSILON {
                collocation.evaluation.work.scales.check(t)?;
                mechanism.normalize(next.q.as_mut());
                collocation.evaluation.memories.follow(mechanism, state, next);
                return Ok(());
            }
            if stalled {
                // Round-off, or a step so long that shifts no longer converge: rows are satisfied in either case.
                return collocation.evaluation.settle(mechanism, state, next);
            }
            best = Some(best.map_or(miss, |best| best.min(miss)));
            shift.correct(mechanism, h);
        }
        Err(Error::NotConverged { residual: best.unwrap_or(T::ZERO), iterations: MOST, history, t })
    }
}
