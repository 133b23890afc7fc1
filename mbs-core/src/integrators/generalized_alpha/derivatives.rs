//! Newton's method for steps of the generalized-α method.
//!
//! With P = 1 − X G, P_q alike for position rows alone, and the derivatives of (a*, ż) with respect to error states at the end,
//! K = ∂(a*, ż)/∂(δθ, δv, δz), those with respect to the unknowns (v̇⁺, ż⁺) are
//!
//! 1. W = K \[w_q P_q 0; w_v 0; 0 w_v\],
//!
//! where q⁺ is taken to change with δ as at rest. Equation 1 of `balance.rs` has the derivatives diag(P, 1) W − Y, Y = X ψ_q N \[w_q P_q/w_v 0\],
//! except those of G and X, which only matter where G (v̇⁺ − a*) − ψ/w_v is not yet small. Corrections obey
//!
//! 2. (1 − diag(P, 1) W + Y) δ = r.
//!
//! Those are corrections of (v⁺, z⁺) divided by w_v. If a mechanism corrects stages itself ([`Differentiable::correct_stage`]), that is called
//! first, with s = w_v and p = w_q/w_v. It returns y, tangent to the position rows, and the correction that takes their ψ to zero is added,
//!
//! 3. δ = y + X (G r − ψ_q N δθ/w_v), for position rows.
//!
//! Derivatives in the directions of X are neglected there: the effect of loads on speeds that violate the rows, a fraction O(h²).

use core::borrow::Borrow;

use super::balance::{Balance, Guide};
use crate::discrete::linearization::propagate;
use crate::integrators::iteration::{Correction, Stage, StageDerivatives, is_corrected};
use crate::linear::blocks::solve;
use crate::{
    Differentiable, Error, Linearization, Mechanism, Real, Sizes, Stabilization, StageCoefficients, StageRows,
};
use mbs_math::{add_scaled, dot};

/// Derivatives of steps of [`GeneralizedAlpha`](super::GeneralizedAlpha): five matrices of the mechanism's storage.
pub struct AlphaDerivatives<M: Differentiable<T>, T: Real> {
    linearization: Linearization<M, T>,
    matrix: M::Jacobian,
    right: M::Jacobian,
    theta: M::Speeds,
    column: M::Speeds,
    lambda: M::Multipliers,
    guide: Guide<M, T>,
}

impl<M: Differentiable<T>, T: Real> AlphaDerivatives<M, T> {
    pub(super) fn new(mechanism: &M) -> Self {
        let (_, column, lambda, ..) = mechanism.storage();
        AlphaDerivatives {
            linearization: Linearization::new(mechanism),
            matrix: mechanism.jacobian_storage(),
            right: mechanism.jacobian_storage(),
            theta: column.clone(),
            column,
            lambda,
            guide: Guide::new(mechanism),
        }
    }

    /// Corrects the residual of (v⁺, z⁺) by the method of the mechanism, at v̇⁺ and λ⁺ of the image. Returns whether that was possible.
    fn correct_stage<L: Mechanism<T>>(
        &mut self,
        mechanism: &M,
        balance: &Balance<L, T>,
        residual: &mut Stage<L, T>,
    ) -> Result<bool, Error<T>> {
        let Sizes { n_v, n_z, n_position, .. } = mechanism.sizes();
        let [positions, speeds] = balance.weights;
        let right = &mut self.right.as_mut()[..2 * n_v + n_z];
        let (d, rest) = right.split_at_mut(n_v);
        d.fill(T::ZERO);
        residual.write(rest);
        rest.iter_mut().for_each(|r| *r *= speeds);
        balance.write_motion(self.column.as_mut(), self.lambda.as_mut());
        let motion = (self.column.as_ref(), self.lambda.as_ref());
        let stage = StageCoefficients { speeds, coordinates: positions / speeds, rows: StageRows::States };
        let at = balance.end.view(balance.evaluation.inputs());
        if !is_corrected(mechanism.correct_stage(at, motion, stage, right))? {
            return Ok(false);
        }
        let (theta, rest) = right.split_at_mut(n_v);
        if n_position > 0 {
            self.guide.write_rows(mechanism, at, residual.v.as_ref());
            self.guide.add_derivatives(mechanism, at, theta, -T::ONE / speeds);
            self.guide.keep_positions(mechanism);
            self.guide.solve(mechanism, at)?;
        }
        rest.iter_mut().for_each(|x| *x /= speeds);
        residual.read(rest);
        if n_position > 0 {
            add_scaled(residual.v.as_mut(), T::ONE, self.guide.shift.as_ref());
        }
        Ok(true)
    }

    /// Writes the matrix of equation 2, (n_v + n_z)².
    fn write_matrix<L: Mechanism<T>>(&mut self, mechanism: &M, balance: &Balance<L, T>) -> Result<(), Error<T>> {
        let (end, work) = (&balance.end, &mut self.linearization);
        work.write_basis(mechanism, end.t, end.q.as_ref());
        let at = end.view(balance.evaluation.inputs());
        propagate(mechanism, at, work.jacobian.as_mut(), work.basis.as_ref(), work.rates.as_mut())?;
        let Sizes { n_v, n_z, .. } = mechanism.sizes();
        for j in 0..n_v + n_z {
            self.write_displacement(mechanism, balance, j)?;
            self.write_column(mechanism, balance, j)?;
        }
        Ok(())
    }

    /// Writes the derivative of q⁺, as a displacement, with respect to unknown j to `theta`: w_q P_q e_j, or zero.
    fn write_displacement<L: Mechanism<T>>(
        &mut self,
        mechanism: &M,
        balance: &Balance<L, T>,
        j: usize,
    ) -> Result<(), Error<T>> {
        let Sizes { n_v, n_position, .. } = mechanism.sizes();
        let theta = self.theta.as_mut();
        theta.fill(T::ZERO);
        if j >= n_v {
            return Ok(());
        }
        theta[j] = balance.weights[0];
        if n_position == 0 || balance.evaluation.stabilization == Stabilization::None {
            return Ok(());
        }
        let end = balance.end.view(&[]);
        self.guide.write_rows(mechanism, end, theta);
        self.guide.keep_positions(mechanism);
        self.guide.solve(mechanism, end)?;
        add_scaled(theta, -T::ONE, self.guide.shift.as_ref());
        Ok(())
    }

    /// Writes column j of the matrix.
    fn write_column<L: Mechanism<T>>(
        &mut self,
        mechanism: &M,
        balance: &Balance<L, T>,
        j: usize,
    ) -> Result<(), Error<T>> {
        let sizes = mechanism.sizes();
        let Sizes { n_q, n_v, n_z, .. } = sizes;
        let (n, width, weight) = (n_v + n_z, sizes.n_e() + sizes.n_u, balance.weights[1]);
        let (derivatives, theta, matrix) =
            (self.linearization.rates.as_ref(), self.theta.as_ref(), self.matrix.as_mut());
        let derivative = |row: usize| {
            let row = &derivatives[(n_q + row) * width..][..width];
            dot(&row[..n_v], theta) + weight * row[n_v + j]
        };
        for (i, x) in self.column.as_mut().iter_mut().enumerate() {
            *x = derivative(i);
        }
        let end = balance.end.view(&[]);
        self.guide.write_rows(mechanism, end, self.column.as_ref());
        self.guide.add_derivatives(mechanism, end, theta, T::ONE / weight);
        self.guide.solve(mechanism, end)?;
        for (i, (x, shift)) in self.column.as_ref().iter().zip(self.guide.shift.as_ref()).enumerate() {
            matrix[i * n + j] = *shift - *x;
        }
        for i in n_v..n {
            matrix[i * n + j] = -derivative(i);
        }
        matrix[j * n + j] += T::ONE;
        Ok(())
    }
}

impl<L, M, T: Real> StageDerivatives<L, T, Balance<L, T>, 1> for AlphaDerivatives<M, T>
where
    L: Mechanism<T> + Borrow<M>,
    M: Differentiable<T>,
{
    const ITERATIONS: usize = 20;

    fn correct(
        &mut self,
        mechanism: &L,
        balance: &Balance<L, T>,
        [residual]: &mut [Stage<L, T>; 1],
    ) -> Result<Correction, Error<T>> {
        let Sizes { n_v, n_c, n_z, .. } = mechanism.sizes();
        let n = n_v + n_z;
        if self.correct_stage(mechanism.borrow(), balance, residual)? {
            return Ok(Correction::Newton);
        }
        self.write_matrix(mechanism.borrow(), balance)?;
        let right = &mut self.right.as_mut()[..n];
        residual.write(right);
        let row = |unknown: usize| if unknown < n_v { unknown } else { unknown + n_c };
        solve(&mut [[self.matrix.as_mut()]], &mut [&mut *right], n, 1)
            .map_err(|failure| failure.into_error(balance.end.t, row))?;
        residual.read(right);
        Ok(Correction::Newton)
    }
}
