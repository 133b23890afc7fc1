//! Newton's method for the stages of Gauss's methods.
//!
//! In raw coordinates x_i = (q_i, v_i, z_i), with J_j = ∂f/∂x at stage j and the residuals r_i of equations 2, where equations 1 leave
//! none, corrections obey
//!
//! 1. δx_i − h Σ_j a_ij J_j δx_j = (0, r_i).

use core::borrow::Borrow;

use super::Collocation;
use crate::elimination::solve;
use crate::integrators::iteration::{Correction, Slopes, Stage};
use crate::vector::add_scaled;
use crate::{Differentiable, Error, Mechanism, Real, Sizes};

/// Slopes of the stages of [`GaussRungeKutta`](super::GaussRungeKutta), exact for held inputs: S² + S + 1 Jacobians of the mechanism's storage.
pub struct GaussSlopes<M: Differentiable<T>, T: Real, const S: usize> {
    jacobian: M::Jacobian,
    /// The matrix of equation 1, columns of blocks first, and its right side.
    blocks: [[M::Jacobian; S]; S],
    right: [M::Jacobian; S],
}

impl<M: Differentiable<T>, T: Real, const S: usize> GaussSlopes<M, T, S> {
    pub(super) fn new(mechanism: &M) -> Self {
        let storage = |_| mechanism.jacobian_storage();
        GaussSlopes {
            jacobian: mechanism.jacobian_storage(),
            blocks: core::array::from_fn(|_| core::array::from_fn(storage)),
            right: core::array::from_fn(storage),
        }
    }

    /// Column j of blocks: δ_ij − h a_ij J_j.
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
            for (k, (row, slopes)) in rows.take(n_x).enumerate() {
                row.fill(T::ZERO);
                add_scaled(row, -step, &slopes[..n_x]);
                if i == j {
                    row[k] += T::ONE;
                }
            }
        }
        Ok(())
    }
}

impl<L, M, T: Real, const S: usize> Slopes<L, T, Collocation<L, T, S>, S> for GaussSlopes<M, T, S>
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
        for j in 0..S {
            self.write_column(mechanism.borrow(), collocation, j)?;
        }
        for (right, residual) in self.right.iter_mut().zip(residual.iter()) {
            let (places, rest) = right.as_mut()[..sizes.n_x()].split_at_mut(n_q);
            places.fill(T::ZERO);
            residual.write(rest);
        }
        // What is reported for an unknown: a speed, also for coordinates, or an auxiliary state after the rows.
        let row = |unknown: usize| match unknown % sizes.n_x() {
            place if place < n_q => place.min(n_v - 1),
            speed if speed < n_q + n_v => speed - n_q,
            other => other - n_q + n_c,
        };
        let failure = solve(&mut self.blocks, &mut self.right, (sizes.n_x(), 1)).err();
        if let Some(failure) = failure {
            return Err(failure.at(collocation.start.t, row));
        }
        for (right, residual) in self.right.iter().zip(residual) {
            residual.read(&right.as_ref()[n_q..sizes.n_x()]);
        }
        Ok(Correction::Newton)
    }
}
