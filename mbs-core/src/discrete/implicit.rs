//! The implicit midpoint rule, solved by Newton's method, and its derivatives by the implicit function theorem.
//!
//! A step is two half steps from the midpoint x_m = (q_m, v_m, z_m) at t + ½h: one backward that ends in x, one forward that
//! ends in x⁺. With half = ½h, f = (N v, a, ż) at the midpoint and normalised coordinates,
//!
//! 1. x = x_m − half f, 2. x⁺ = x_m + half f,
//!
//! which is `integrators/implicit_midpoint.rs` for q ⊕ δ = q + N(q) δ, normalised. Derivatives with respect to error states δx_m of the
//! midpoint, with the basis E and K = ∂f/∂x E + [0 ∂f/∂u] there, are
//!
//! 3. W∓ = diag(N⁺(q_m ∓ half N v_m), 1, 1) (E ∓ half K), n_e × (n_e + n_u), whose columns are W_x and W_u;
//! 4. Newton: W⁻_x δx_m = x ⊖ (x_m − half f), x_m ← x_m ⊕ δx_m;
//! 5. implicit functions: W⁻_x δx_m + W⁻_u δu = δx, δx⁺ = W⁺_x δx_m + W⁺_u δu, so that with Z = (W⁻_x)⁻¹ [1 −W⁻_u]
//!    [A B] = W⁺_x Z + [0 W⁺_u].
//!
//! Where N = 1, A is Cayley's transform of ∂f/∂x, symplectic where that is Hamiltonian.

use super::linearization::{half_columns, multiply, propagate, split};
use super::{Columns, Discrete};
use crate::integrators::iteration::ratio;
use crate::linear::blocks::solve;
use crate::{Differentiable, Error, History, Real, Sizes, State};
use mbs_math::{add_scaled, max_norm};

/// Iterations in a row that do not halve the correction: it is round-off if it is small, too.
const STALLS: usize = 2;

/// Matrices of the implicit method that are stored in those of the K_i of explicit methods.
const BACKWARD: usize = 0;
const FORWARD: usize = 1;
const SOLUTION: usize = 2;

impl<M: Differentiable<T>, T: Real> Discrete<M, T> {
    /// Writes x⁺ to `next`, and the midpoint to the stage.
    pub(super) fn solve_midpoint(
        &mut self,
        mechanism: &M,
        x: &State<M, T>,
        u: &[T],
        next: &mut State<M, T>,
    ) -> Result<(), Error<T>> {
        self.find_midpoint(mechanism, x, u, next)?;
        let half = T::from_f64(0.5) * self.h;
        let (stage, rates) = (&self.flow.stage, &mut self.flow.rates[0]);
        mechanism.coordinate_rates(stage.t, stage.q.as_ref(), stage.v.as_ref(), rates.q.as_mut());
        half_step(next.q.as_mut(), stage.q.as_ref(), half, rates.q.as_ref());
        mechanism.normalize(next.q.as_mut());
        reflect(next.v.as_mut(), stage.v.as_ref(), x.v.as_ref());
        reflect(next.z.as_mut(), stage.z.as_ref(), x.z.as_ref());
        next.t = x.t + self.h;
        self.flow.evaluation.memories.follow(mechanism, x, next);
        Ok(())
    }

    /// Iterates equation 4 until corrections are round-off. `end` is work space.
    fn find_midpoint(
        &mut self,
        mechanism: &M,
        x: &State<M, T>,
        u: &[T],
        end: &mut State<M, T>,
    ) -> Result<(), Error<T>> {
        let half = T::from_f64(0.5) * self.h;
        let t = x.t + half;
        self.flow.stage.copy_from(x);
        self.flow.stage.t = t;
        let (mut previous, mut stalls, mut residual, mut history) = (None, 0, T::ZERO, History::new());
        for _ in 0..self.iterations {
            self.correct(mechanism, x, u, end)?;
            let strict;
            [strict, residual] = self.measure(mechanism, x, half);
            if !residual.is_finite() {
                return Err(Error::NotFinite { t });
            }
            history.push(residual);
            let halved = previous.is_none_or(|previous| strict + strict <= previous);
            stalls = if halved { 0 } else { stalls + 1 };
            // The next correction by quadratic convergence, predicted from the last two.
            let ahead = previous.map_or(strict, |previous| strict * square(T::ONE.min(strict / previous)));
            let is_round_off = stalls >= STALLS && residual <= T::EPSILON.sqrt();
            if strict <= T::ZERO || ahead <= T::EPSILON || is_round_off {
                return Ok(());
            }
            previous = Some(strict);
        }
        Err(Error::NotConverged { residual, iterations: self.iterations, history, t })
    }

    /// One correction of the midpoint, equation 4, which is also stored in the columns of the solution. `end` is work space.
    fn correct(&mut self, mechanism: &M, x: &State<M, T>, u: &[T], end: &mut State<M, T>) -> Result<(), Error<T>> {
        let Sizes { n_v, .. } = mechanism.sizes();
        let half = T::from_f64(0.5) * self.h;
        self.flow.evaluate(mechanism, u, 0)?;
        self.differentiate(mechanism, u)?;
        let (stage, rates) = (&self.flow.stage, &self.flow.rates[0]);
        half_step(end.q.as_mut(), stage.q.as_ref(), -half, rates.q.as_ref());
        let backward = &mut self.columns.rates[BACKWARD];
        half_columns(mechanism, &mut self.linearization, stage.t, end.q.as_ref(), -half, backward);
        mechanism.normalize(end.q.as_mut());
        self.write_gap(mechanism, x, end, half);
        self.solve_columns(mechanism, 1)?;
        let (stage, delta) = (&mut self.flow.stage, self.columns.rates[SOLUTION].as_ref());
        let (theta, rest) = delta.split_at(n_v);
        mechanism.retract(stage.t, stage.q.as_mut(), theta, self.flow.rates[1].q.as_mut());
        for (x, delta) in stage.v.as_mut().iter_mut().chain(stage.z.as_mut()).zip(rest) {
            *x += *delta;
        }
        Ok(())
    }

    /// Right side of equation 4, one column: x ⊖ (x_m − half f) with the coordinates of the latter in `end`.
    fn write_gap(&mut self, mechanism: &M, x: &State<M, T>, end: &mut State<M, T>, half: T) {
        let (stage, [rates, change, ..]) = (&self.flow.stage, &mut self.flow.rates);
        let (gap, change) = (self.columns.rates[SOLUTION].as_mut(), change.q.as_mut());
        half_step(end.v.as_mut(), stage.v.as_ref(), -half, rates.v.as_ref());
        half_step(end.z.as_mut(), stage.z.as_ref(), -half, rates.z.as_ref());
        change.copy_from_slice(x.q.as_ref());
        add_scaled(change, -T::ONE, end.q.as_ref());
        let (theta, rest) = gap.split_at_mut(mechanism.sizes().n_v);
        mechanism.speeds_of_rates(stage.t, end.q.as_ref(), change, theta);
        let ours = x.v.as_ref().iter().chain(x.z.as_ref());
        for (gap, (x, end)) in rest.iter_mut().zip(ours.zip(end.v.as_ref().iter().chain(end.z.as_ref()))) {
            *gap = *x - *end;
        }
    }

    /// Sizes of the last correction, relative to q, v and z of the midpoint. In the second, speeds are relative to max(|v|, |q|/½h), since slower
    /// speeds do not matter in the step.
    fn measure(&self, mechanism: &M, x: &State<M, T>, half: T) -> [T; 2] {
        let (stage, [rates, change, ..]) = (&self.flow.stage, &self.flow.rates);
        let Sizes { n_v, n_z, .. } = mechanism.sizes();
        let delta = &self.columns.rates[SOLUTION].as_ref()[n_v..];
        let size = |a: &[T], b: &[T]| max_norm(a).max(max_norm(b));
        let speeds = size(stage.v.as_ref(), x.v.as_ref());
        let positions = size(stage.q.as_ref(), x.q.as_ref()).max(half.abs() * max_norm(rates.q.as_ref()));
        // Work space of the retraction: N(q) δθ.
        let q = ratio(max_norm(change.q.as_ref()), positions);
        let z = ratio(max_norm(&delta[n_v..n_v + n_z]), size(&stage.z.as_ref()[..n_z], &x.z.as_ref()[..n_z]));
        let v = max_norm(&delta[..n_v]);
        [q.max(ratio(v, speeds)).max(z), q.max(ratio(v, speeds.max(positions / half.abs()))).max(z)]
    }

    /// E and K at the midpoint.
    fn differentiate(&mut self, mechanism: &M, u: &[T]) -> Result<(), Error<T>> {
        let (work, midpoint) = (&mut self.linearization, &self.flow.stage);
        work.write_basis(mechanism, midpoint.t, midpoint.q.as_ref());
        propagate(mechanism, midpoint.view(u), work.jacobian.as_mut(), work.basis.as_ref(), work.rates.as_mut())
    }

    /// Solves W⁻_x X = B in place of the solution, `count` columns; the columns of a stage are work space.
    fn solve_columns(&mut self, mechanism: &M, count: usize) -> Result<(), Error<T>> {
        let sizes = mechanism.sizes();
        let (n_v, n_c, n_e) = (sizes.n_v, sizes.n_c, sizes.n_e());
        let Columns { stage, rates } = &mut self.columns;
        let backward = rates[BACKWARD].as_ref().chunks_exact((n_e + sizes.n_u).max(1));
        for (to, from) in stage.as_mut().chunks_exact_mut(n_e.max(1)).zip(backward).take(n_e) {
            to.copy_from_slice(&from[..n_e]);
        }
        let row = |unknown: usize| match unknown {
            theta if theta < n_v => theta,
            speed if speed < 2 * n_v => speed - n_v,
            other => other - n_v + n_c,
        };
        solve(&mut [[stage.as_mut()]], &mut [rates[SOLUTION].as_mut()], n_e, count)
            .map_err(|failure| failure.into_error(self.flow.stage.t, row))
    }

    /// Equation 5 at the midpoint that [`Discrete::solve_midpoint`] left.
    pub(super) fn linearize_midpoint(
        &mut self,
        mechanism: &M,
        u: &[T],
        derivatives: (&mut [T], &mut [T]),
    ) -> Result<(), Error<T>> {
        let sizes = mechanism.sizes();
        let (n_e, n_u) = (sizes.n_e(), sizes.n_u);
        let width = (n_e + n_u).max(1);
        self.differentiate(mechanism, u)?;
        for (sign, matrix) in [(-T::ONE, BACKWARD), (T::ONE, FORWARD)] {
            let half = sign * T::from_f64(0.5) * self.h;
            let [rates, end, ..] = &mut self.flow.rates;
            let stage = &self.flow.stage;
            mechanism.coordinate_rates(stage.t, stage.q.as_ref(), stage.v.as_ref(), rates.q.as_mut());
            half_step(end.q.as_mut(), stage.q.as_ref(), half, rates.q.as_ref());
            half_columns(
                mechanism,
                &mut self.linearization,
                stage.t,
                end.q.as_ref(),
                half,
                &mut self.columns.rates[matrix],
            );
        }
        let [backward, _, solution, _] = &mut self.columns.rates;
        let rows = solution.as_mut().chunks_exact_mut(width).zip(backward.as_ref().chunks_exact(width));
        for (i, (to, from)) in rows.take(n_e).enumerate() {
            to.fill(T::ZERO);
            to[i] = T::ONE;
            add_scaled(&mut to[n_e..], -T::ONE, &from[n_e..]);
        }
        self.solve_columns(mechanism, width)?;
        let Columns { stage, rates } = &mut self.columns;
        let (forward, rows) = (&rates[FORWARD].as_ref()[..n_e * width], &mut stage.as_mut()[..n_e * width]);
        multiply(forward, n_e, rates[SOLUTION].as_ref(), (n_e, n_u), rows);
        split(rows, (n_e, n_u), derivatives);
        Ok(())
    }
}

/// out ← x + s f.
fn half_step<T: Real>(out: &mut [T], x: &[T], s: T, f: &[T]) {
    out.copy_from_slice(x);
    add_scaled(out, s, f);
}

/// out ← 2 m − x: the other end of the interval with midpoint m, 2 minus 1 of the module header.
fn reflect<T: Real>(out: &mut [T], middle: &[T], x: &[T]) {
    for ((out, m), x) in out.iter_mut().zip(middle).zip(x) {
        *out = *m + (*m - *x);
    }
}

fn square<T: Real>(x: T) -> T {
    x * x
}
