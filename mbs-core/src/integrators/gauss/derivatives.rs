//! Newton's method for the stages of Gauss's methods.
//!
//! In raw coordinates x_i = (q_i, v_i, z_i), with J_j = ∂f/∂x at stage j and the residuals r_i of equations 2 (those of equations 1 are
//! zero), corrections obey
//!
//! 1. δx_i − h Σ_j a_ij J_j δx_j = (0, r_i).
//!
//! If a mechanism corrects stages itself ([`Differentiable::correct_stage`]), stages are solved one after the other, with the triangle T of
//! A = T U, where U has ones on its diagonal,
//!
//! 2. δx_i − h t_ii J_i δx_i = ρ_i + h Σ_{j<i} t_ij J_j δx_j,
//!
//! and the part of 1 that this neglects, h Σ_j (a_ij − t_ij) J_j δx_j, is ρ of the next sweep; the first has (0, r_i). Coordinates are error
//! states there. A sweep leaves an error of O(h), for two stages at most a seventh; for infinitely stiff motions S sweeps leave none. The change
//! of N from stage to stage is neglected, O(h) where q̇ ≠ v. Equation 1 is factorised densely if the mechanism does not correct stages, if a pivot
//! vanishes in its order, or if sweeps do not converge.
//!
//! Source of 2: van der Houwen & de Swart (1997), Triangularly implicit iteration methods for ODE-IVP solvers, SIAM J. Sci. Comput. 18.

use core::borrow::Borrow;

use super::Collocation;
use crate::integrators::iteration::{Correction, Stage, StageDerivatives, is_corrected};
use crate::linear::blocks::solve;
use crate::{Differentiable, Error, Mechanism, Real, Sizes, StageCoefficients, StageRows};
use mbs_math::{add_scaled, max_norm};

/// Largest number of sweeps of equation 2.
const SWEEPS: usize = 20;
/// Fraction of residuals that may remain after sweeps: Newton's method gains no more than that for nonlinear motions.
const REMAINDER: f64 = 1e-3;

/// Derivatives of the stages of [`GaussRungeKutta`](super::GaussRungeKutta), exact for inputs that do not depend on the state: S² + S + 1 Jacobians
/// of the mechanism's storage.
pub struct GaussDerivatives<M: Differentiable<T>, T: Real, const S: usize> {
    jacobian: M::Jacobian,
    /// The matrix of equation 1, as columns of blocks; its right side follows.
    blocks: [[M::Jacobian; S]; S],
    right: [M::Jacobian; S],
}

impl<M: Differentiable<T>, T: Real, const S: usize> GaussDerivatives<M, T, S> {
    pub(super) fn new(mechanism: &M) -> Self {
        let storage = |_| mechanism.jacobian_storage();
        GaussDerivatives {
            jacobian: mechanism.jacobian_storage(),
            blocks: core::array::from_fn(|_| core::array::from_fn(storage)),
            right: core::array::from_fn(storage),
        }
    }

    /// Corrects the stages by the method of the mechanism, in sweeps of equation 2. Returns whether that was possible and has converged.
    fn correct_in_sweeps<L: Mechanism<T>>(
        &mut self,
        mechanism: &M,
        collocation: &Collocation<L, T, S>,
        residual: &mut [Stage<L, T>; S],
    ) -> Result<bool, Error<T>> {
        let sizes = mechanism.sizes();
        let (n, n_v) = (sizes.n_e(), sizes.n_v);
        for ((right, column), residual) in self.right.iter_mut().zip(&mut self.blocks).zip(residual.iter()) {
            let (theta, rest) = right.as_mut()[..n].split_at_mut(n_v);
            theta.fill(T::ZERO);
            residual.write(rest);
            column[..2].iter_mut().for_each(|x| x.as_mut()[..n].fill(T::ZERO));
        }
        let size = |right: &[M::Jacobian; S]| {
            let theta = |x: &[T]| max_norm(&x[..n_v]) / collocation.h.abs();
            right.iter().fold(T::ZERO, |most, x| most.max(theta(x.as_ref())).max(max_norm(&x.as_ref()[n_v..n])))
        };
        let first = size(&self.right);
        for _ in 0..SWEEPS {
            if !self.sweep(mechanism, collocation, n)? {
                return Ok(false);
            }
            if size(&self.right) <= T::from_f64(REMAINDER) * first {
                for (residual, column) in residual.iter_mut().zip(&self.blocks) {
                    residual.read(&column[0].as_ref()[n_v..n]);
                }
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// One sweep of equation 2 with the residual of equation 1 on the right. The first block of each stage accumulates δx_i, the second one contains
    /// h J_i δx_i. Returns whether the mechanism could correct all stages.
    fn sweep<L: Mechanism<T>>(
        &mut self,
        mechanism: &M,
        collocation: &Collocation<L, T, S>,
        n: usize,
    ) -> Result<bool, Error<T>> {
        let (a, triangle) = (&Collocation::<L, T, S>::TABLEAU.a, &Collocation::<L, T, S>::TRIANGLE);
        for (i, weights) in triangle.iter().enumerate() {
            let (before, rest) = self.blocks.split_at_mut(i);
            let [gathered, change, ..] = &mut rest[0][..] else { return Ok(false) };
            let (change, rho) = (&mut change.as_mut()[..n], &mut self.jacobian.as_mut()[..n]);
            change.copy_from_slice(&self.right[i].as_ref()[..n]);
            for (column, t) in before.iter().zip(weights) {
                add_scaled(change, T::from_f64(*t), &column[1].as_ref()[..n]);
            }
            rho.copy_from_slice(change);
            let t = T::from_f64(weights[i]);
            let at = collocation.stages[i].view(collocation.inputs[i].as_ref());
            let motion = (collocation.rates[i].v.as_ref(), collocation.multipliers[i].as_ref());
            let h = t * collocation.h;
            let stage = StageCoefficients { speeds: h, coordinates: h, rows: StageRows::Accelerations };
            if !is_corrected(mechanism.correct_stage(at, motion, stage, change))? {
                return Ok(false);
            }
            add_scaled(&mut gathered.as_mut()[..n], T::ONE, change);
            add_scaled(change, -T::ONE, rho);
            change.iter_mut().for_each(|x| *x /= t);
        }
        for (right, (a, t)) in self.right.iter_mut().zip(a.iter().zip(triangle)) {
            let right = &mut right.as_mut()[..n];
            right.fill(T::ZERO);
            for (column, (a, t)) in self.blocks.iter().zip(a.iter().zip(t)) {
                add_scaled(right, T::from_f64(a - t), &column[1].as_ref()[..n]);
            }
        }
        Ok(true)
    }

    /// Writes column j of blocks: δ_ij − h a_ij J_j.
    fn write_column<L: Mechanism<T>>(
        &mut self,
        mechanism: &M,
        collocation: &Collocation<L, T, S>,
        j: usize,
    ) -> Result<(), Error<T>> {
        let sizes = mechanism.sizes();
        let (n_x, width) = (sizes.n_x(), sizes.n_x() + sizes.n_u);
        let jacobian = &mut self.jacobian.as_mut()[..n_x * width];
        let at = collocation.stages[j].view(collocation.inputs[j].as_ref());
        mechanism.state_jacobian(at, jacobian)?;
        for (i, block) in self.blocks[j].iter_mut().enumerate() {
            let step = T::from_f64(Collocation::<L, T, S>::TABLEAU.a[i][j]) * collocation.h;
            let rows = block.as_mut().chunks_exact_mut(n_x.max(1)).zip(jacobian.chunks_exact(width.max(1)));
            for (k, (row, derivatives)) in rows.take(n_x).enumerate() {
                row.fill(T::ZERO);
                add_scaled(row, -step, &derivatives[..n_x]);
                if i == j {
                    row[k] += T::ONE;
                }
            }
        }
        Ok(())
    }
}

impl<L, M, T: Real, const S: usize> StageDerivatives<L, T, Collocation<L, T, S>, S> for GaussDerivatives<M, T, S>
where
    L: Mechanism<T> + Borrow<M>,
    M: Differentiable<T>,
{
    const ITERATIONS: usize = 20;

    fn correct(
        &mut self,
        mechanism: &L,
        collocation: &Collocation<L, T, S>,
        residual: &mut [Stage<L, T>; S],
    ) -> Result<Correction, Error<T>> {
        let sizes = mechanism.sizes();
        let Sizes { n_q, n_v, n_c, .. } = sizes;
        if self.correct_in_sweeps(mechanism.borrow(), collocation, residual)? {
            return Ok(Correction::Newton);
        }
        for j in 0..S {
            self.write_column(mechanism.borrow(), collocation, j)?;
        }
        for (right, residual) in self.right.iter_mut().zip(residual.iter()) {
            let (q, rest) = right.as_mut()[..sizes.n_x()].split_at_mut(n_q);
            q.fill(T::ZERO);
            residual.write(rest);
        }
        // Row that is reported for an unknown: a speed, also for a coordinate, or an auxiliary state, counted after the rows.
        let row = |unknown: usize| match unknown % sizes.n_x() {
            coordinate if coordinate < n_q => coordinate.min(n_v - 1),
            speed if speed < n_q + n_v => speed - n_q,
            other => other - n_q + n_c,
        };
        let failure = solve(&mut self.blocks, &mut self.right, sizes.n_x(), 1).err();
        if let Some(failure) = failure {
            return Err(failure.into_error(collocation.start.t, row));
        }
        for (right, residual) in self.right.iter().zip(residual) {
            residual.read(&right.as_ref()[n_q..sizes.n_x()]);
        }
        Ok(Correction::Newton)
    }
}
