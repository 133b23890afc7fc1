//! Products with G for mechanisms that do not implement them, from the residuals of velocity rows.
//!
//! Columns of G are ψ(e_i) − ψ(0), exact where ψ is affine in v.

use super::{Mechanism, StateView};
use crate::Real;
use mbs_math::dot;

/// Default implementation of [`Mechanism::constraint_jacobian`].
pub fn constraint_jacobian<T: Real, M: Mechanism<T> + ?Sized>(mechanism: &M, at: StateView<T>, jacobian: &mut [T]) {
    let (_, mut speeds, mut psi, ..) = mechanism.storage();
    let (n, rows) = (speeds.as_ref().len(), mechanism.sizes().n_velocity);
    let mut still = psi.clone();
    speeds.as_mut().fill(T::ZERO);
    mechanism.velocity_residuals(StateView { v: speeds.as_ref(), ..at }, &mut still.as_mut()[..rows]);
    for j in 0..n {
        speeds.as_mut().fill(T::ZERO);
        speeds.as_mut()[j] = T::ONE;
        mechanism.velocity_residuals(StateView { v: speeds.as_ref(), ..at }, &mut psi.as_mut()[..rows]);
        for (i, (psi, still)) in psi.as_ref().iter().zip(still.as_ref()).take(rows).enumerate() {
            jacobian[i * n + j] = *psi - *still;
        }
    }
}

/// Default implementation of [`Mechanism::constraint_forces`]: (Gᵀ λ)_i = λ · (ψ(e_i) − ψ(0)).
pub fn constraint_forces<T: Real, M: Mechanism<T> + ?Sized>(
    mechanism: &M,
    at: StateView<T>,
    lambda: &[T],
    forces: &mut [T],
) {
    let (_, mut speeds, mut psi, ..) = mechanism.storage();
    let n = mechanism.sizes().n_velocity;
    let mut product = |v: &[T]| {
        mechanism.velocity_residuals(StateView { v, ..at }, &mut psi.as_mut()[..n]);
        dot(&psi.as_ref()[..n], lambda)
    };
    speeds.as_mut().fill(T::ZERO);
    let still = product(speeds.as_ref());
    for (i, force) in forces.iter_mut().enumerate() {
        speeds.as_mut().fill(T::ZERO);
        speeds.as_mut()[i] = T::ONE;
        *force = product(speeds.as_ref()) - still;
    }
}
