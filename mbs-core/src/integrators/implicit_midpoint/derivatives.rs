//! Newton's method for steps of the implicit midpoint rule.
//!
//! With the derivatives W of x_m − ½h f with respect to error states of the midpoint (W⁻_x of `discrete/implicit.rs`), and the residuals r of
//! equations 2 (those of equations 1 are zero), corrections obey
//!
//! 1. W (δθ_m, δv_m, δz_m) = (0, r).
//!
//! If a mechanism corrects stages itself ([`Differentiable::correct_stage`]), that is called first, with s = p = ½h. W is factorised densely if
//! it does not, or if a pivot vanishes in its order.

use core::borrow::Borrow;

use super::Halves;
use crate::discrete::linearization::{half_columns, propagate};
use crate::integrators::iteration::{Correction, Stage, StageDerivatives, is_corrected};
use crate::linear::blocks::solve;
use crate::{Differentiable, Error, Linearization, Mechanism, Real, Sizes, StageCoefficients, StageRows};
use mbs_math::add_scaled;

/// Derivatives of steps of [`ImplicitMidpoint`](super::ImplicitMidpoint), exact for inputs that do not depend on the state: six matrices of the
/// mechanism's storage.
pub struct MidpointDerivatives<M: Differentiable<T>, T: Real> {
    linearization: Linearization<M, T>,
    columns: M::Jacobian,
    matrix: M::Jacobian,
    right: M::Jacobian,
    /// q_m − ½h N v_m, not normalised.
    end: M::Coordinates,
}

impl<M: Differentiable<T>, T: Real> MidpointDerivatives<M, T> {
    pub(super) fn new(mechanism: &M) -> Self {
        let (end, ..) = mechanism.storage();
        let storage = || mechanism.jacobian_storage();
        MidpointDerivatives {
            linearization: Linearization::new(mechanism),
            columns: storage(),
            matrix: storage(),
            right: storage(),
            end,
        }
    }

    /// Writes the matrix of equation 1, n_e × n_e.
    fn write_matrix<L: Mechanism<T>>(&mut self, mechanism: &M, halves: &Halves<L, T>) -> Result<(), Error<T>> {
        let (work, midpoint) = (&mut self.linearization, &halves.midpoint);
        let at = midpoint.view(halves.evaluation.inputs());
        work.write_basis(mechanism, at.t, at.q);
        propagate(mechanism, at, work.jacobian.as_mut(), work.basis.as_ref(), work.rates.as_mut())?;
        let end = self.end.as_mut();
        end.copy_from_slice(at.q);
        add_scaled(end, -halves.half, halves.rates.q.as_ref());
        half_columns(mechanism, work, at.t, end, -halves.half, &mut self.columns);
        let sizes = mechanism.sizes();
        let n = sizes.n_e();
        let columns = self.columns.as_ref().chunks_exact((n + sizes.n_u).max(1));
        for (to, from) in self.matrix.as_mut().chunks_exact_mut(n.max(1)).zip(columns).take(n) {
            to.copy_from_slice(&from[..n]);
        }
        Ok(())
    }
}

impl<L, M, T: Real> StageDerivatives<L, T, Halves<L, T>, 1> for MidpointDerivatives<M, T>
where
    L: Mechanism<T> + Borrow<M>,
    M: Differentiable<T>,
{
    const ITERATIONS: usize = 20;

    fn correct(
        &mut self,
        mechanism: &L,
        halves: &Halves<L, T>,
        [residual]: &mut [Stage<L, T>; 1],
    ) -> Result<Correction, Error<T>> {
        let sizes = mechanism.sizes();
        let Sizes { n_v, n_c, .. } = sizes;
        let right = &mut self.right.as_mut()[..sizes.n_e()];
        let (theta, rest) = right.split_at_mut(n_v);
        theta.fill(T::ZERO);
        residual.write(rest);
        let at = halves.midpoint.view(halves.evaluation.inputs());
        let motion = (halves.rates.v.as_ref(), halves.evaluation.multipliers());
        let stage = StageCoefficients { speeds: halves.half, coordinates: halves.half, rows: StageRows::Accelerations };
        if is_corrected(mechanism.borrow().correct_stage(at, motion, stage, right))? {
            residual.read(&right[n_v..]);
            return Ok(Correction::Newton);
        }
        self.write_matrix(mechanism.borrow(), halves)?;
        let right = &mut self.right.as_mut()[..sizes.n_e()];
        let row = |unknown: usize| match unknown {
            theta if theta < n_v => theta,
            speed if speed < 2 * n_v => speed - n_v,
            other => other - n_v + n_c,
        };
        solve(&mut [[self.matrix.as_mut()]], &mut [&mut *right], sizes.n_e(), 1)
            .map_err(|failure| failure.into_error(halves.midpoint.t, row))?;
        residual.read(&right[n_v..]);
        Ok(Correction::Newton)
    }
}
