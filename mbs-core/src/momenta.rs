//! Momenta of mechanisms that do not implement them, from the functions of every mechanism.
//!
//! T is quadratic in speeds, and so is what of Q has no load, −B(v, v). Slopes of both are had exactly from values at other speeds:
//!
//! 1. ∂T/∂v_i = (T(v + s e_i) − T(v − s e_i)) / 2s,
//! 2. B(v, e_i) = (B(v + s e_i, v + s e_i) − B(v − s e_i, v − s e_i)) / 4s.
//!
//! B consists of Christoffel's symbols, B(x, y)_i = Γ_ijk x_j y_k with ∂M_jk/∂q_i = Γ_jik + Γ_kij, so that with q̇ = v
//!
//! 3. ∂T/∂q_i = ½ ∂M_jk/∂q_i v_j v_k = v · B(v, e_i).
//!
//! Where something moves at v = 0, time is in T, and there is more than B says.

use crate::error::Unsuited;
use crate::{Error, Mechanism, Real, StateView};
use mbs_math::{add_scaled, dot, max_norm, negate};

/// Writes v with s added along axis i.
fn beside<T: Real>(v: &[T], i: usize, s: T, moved: &mut [T]) {
    moved.copy_from_slice(v);
    moved[i] += s;
}

/// s of the module header.
fn distance<T: Real>(v: &[T]) -> T {
    let size = max_norm(v);
    if size > T::ZERO { size } else { T::ONE }
}

/// Checks that q̇ = v, as far as this state shows.
///
/// # Errors
/// [`Unsuited::Rates`] with the coordinate that moves otherwise.
pub(crate) fn check_rates<T: Real, M: Mechanism<T> + ?Sized>(mechanism: &M, at: StateView<T>) -> Result<(), Error<T>> {
    let unsuited = |coordinate| Err(Error::Unsuited { cause: Unsuited::Rates { coordinate } });
    if at.q.len() != at.v.len() {
        return unsuited(at.q.len().min(at.v.len()));
    }
    let (mut rates, ..) = mechanism.storage();
    mechanism.coordinate_rates(at.t, at.q, at.v, rates.as_mut());
    match rates.as_ref().iter().zip(at.v).position(|(rate, v)| rate != v) {
        Some(coordinate) => unsuited(coordinate),
        None => Ok(()),
    }
}

/// Default implementation of [`Mechanism::momenta`], equation 1.
///
/// # Errors
/// [`Error::Unsuited`] if no motion has kinetic energy.
pub fn momenta_of_energy<T: Real, M: Mechanism<T> + ?Sized>(
    mechanism: &M,
    at: StateView<T>,
    momenta: &mut [T],
) -> Result<(), Error<T>> {
    let (_, mut moved, ..) = mechanism.storage();
    let (moved, s) = (moved.as_mut(), distance(at.v));
    let mut largest = T::ZERO;
    for (i, p) in momenta.iter_mut().enumerate() {
        let [ahead, behind] = [s, -s].map(|s| {
            beside(at.v, i, s, moved);
            mechanism.energy(StateView { v: moved, ..at }).kinetic
        });
        *p = (ahead - behind) / (s + s);
        largest = largest.max(ahead).max(behind);
    }
    let is_known = largest > T::ZERO || momenta.is_empty();
    if is_known { Ok(()) } else { Err(Error::Unsuited { cause: Unsuited::NoKineticEnergy }) }
}

/// Default implementation of [`Mechanism::momentum_rates`]: M a + Gᵀ λ + B(v, v) + ∂T/∂q with a and λ of the mechanism, and equation 3.
///
/// # Errors
/// Those of [`Mechanism::accelerations`] and [`Mechanism::momenta`]; [`Error::Unsuited`] where something prescribed has kinetic energy, or
/// speeds are not rates.
pub fn momentum_rates_of_accelerations<T: Real, M: Mechanism<T> + ?Sized>(
    mechanism: &M,
    at: StateView<T>,
    rates: &mut [T],
) -> Result<(), Error<T>> {
    check_rates(mechanism, at)?;
    let (_, mut a, mut lambda, ..) = mechanism.storage();
    let (mut forces, mut moved) = (a.clone(), a.clone());
    let (forces, moved) = (forces.as_mut(), moved.as_mut());
    moved.fill(T::ZERO);
    if mechanism.energy(StateView { v: moved, ..at }).kinetic > T::ZERO {
        return Err(Error::Unsuited { cause: Unsuited::Prescribed });
    }
    mechanism.accelerations(at, a.as_mut(), lambda.as_mut())?;
    mechanism.momenta(StateView { v: a.as_ref(), ..at }, rates)?;
    mechanism.constraint_forces(at, lambda.as_ref(), forces);
    add_scaled(rates, T::ONE, forces);
    mechanism.velocity_forces(at, forces);
    add_scaled(rates, -T::ONE, forces);
    let s = distance(at.v);
    for (i, rate) in rates.iter_mut().enumerate() {
        for sign in [s, -s] {
            beside(at.v, i, sign, moved);
            mechanism.velocity_forces(StateView { v: moved, ..at }, forces);
            *rate -= dot(at.v, forces) / (T::from_f64(4.0) * sign);
        }
    }
    Ok(())
}

/// Default implementation of [`Mechanism::speeds_of_momenta`]: v of M v + Gᵀ μ = p, G v = ν.
///
/// # Errors
/// Those of [`Mechanism::momenta`] and [`Mechanism::solve`].
pub fn admissible_speeds_of_momenta<T: Real, M: Mechanism<T> + ?Sized>(
    mechanism: &M,
    at: StateView<T>,
    momenta: &[T],
    v: &mut [T],
) -> Result<(), Error<T>> {
    let (_, mut zero, mut targets, ..) = mechanism.storage();
    let (mut beyond, mut mu) = (zero.clone(), targets.clone());
    zero.as_mut().fill(T::ZERO);
    let at = StateView { v: zero.as_ref(), ..at };
    let (beyond, targets) = (beyond.as_mut(), targets.as_mut());
    mechanism.momenta(at, v)?;
    beyond.copy_from_slice(momenta);
    add_scaled(beyond, -T::ONE, v);
    targets.fill(T::ZERO);
    let n = mechanism.sizes().n_velocity;
    mechanism.velocity_residuals(at, &mut targets[..n]);
    negate(targets);
    mechanism.solve(at, beyond, targets, v, mu.as_mut())
}

/// (Gᵀ λ)_i = λ · (ψ(v + e_i) − ψ(v)), at v = 0 where ψ is affine.
pub(crate) fn constraint_forces_of_residuals<T: Real, M: Mechanism<T> + ?Sized>(
    mechanism: &M,
    at: StateView<T>,
    lambda: &[T],
    forces: &mut [T],
) {
    let (_, mut zero, mut psi, ..) = mechanism.storage();
    let mut moved = zero.clone();
    zero.as_mut().fill(T::ZERO);
    let n = mechanism.sizes().n_velocity;
    let mut product = |v: &[T]| {
        mechanism.velocity_residuals(StateView { v, ..at }, &mut psi.as_mut()[..n]);
        dot(&psi.as_ref()[..n], lambda)
    };
    let still = product(zero.as_ref());
    for (i, force) in forces.iter_mut().enumerate() {
        beside(zero.as_ref(), i, T::ONE, moved.as_mut());
        *force = product(moved.as_ref()) - still;
    }
}
