//! Momenta of mechanisms that do not implement them, from the functions of every mechanism.
//!
//! T is quadratic in speeds, and so is the part of Q without loads, −B(v, v). Derivatives of both follow exactly from values at other speeds:
//!
//! 1. ∂T/∂v_i = (T(v + s e_i) − T(v − s e_i)) / 2s,
//! 2. B(v, e_i) = (B(v + s e_i, v + s e_i) − B(v − s e_i, v − s e_i)) / 4s.
//!
//! B consists of Christoffel's symbols, B(x, y)_i = Γ_ijk x_j y_k with ∂M_jk/∂q_i = Γ_jik + Γ_kij, so that with q̇ = v
//!
//! 3. ∂T/∂q_i = ½ ∂M_jk/∂q_i v_j v_k = v · B(v, e_i).
//!
//! Where something moves at v = 0, T depends on time, and there are terms beyond B.

use crate::error::Unsuited;
use crate::{Error, Mechanism, Real, StateView};
use mbs_math::{add_scaled, dot, max_norm, negate};

/// Momenta of a mechanism, as integrators of momenta need them: [`Zhong06`](crate::Zhong06).
///
/// Everything has a default that is right for any mechanism with kinetic energy, so that `impl Momenta for Pendulum {}` is enough.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no momenta",
    label = "its momenta are needed here",
    note = "for a type of your own, `impl mbs::Momenta for {Self} {{}}` takes them from energies and accelerations"
)]
pub trait Momenta<T: Real = f64>: Mechanism<T> {
    /// Momenta p = ∂T/∂v (n_v): M v, plus the contribution of prescribed motions.
    ///
    /// The default takes central differences of the kinetic energy, 2 n_v evaluations. They are exact, since T is quadratic in speeds.
    ///
    /// # Errors
    /// [`Error::Unsuited`] if no motion has kinetic energy.
    fn momenta(&self, at: StateView<T>, momenta: &mut [T]) -> Result<(), Error<T>> {
        momenta_of_energy(self, at, momenta)
    }

    /// Rates of the momenta (n_v) without the rows, f = ∂T/∂q + loads: ṗ = f − Gᵀ λ, where speeds are the rates of coordinates.
    ///
    /// The default computes them from [`Mechanism::accelerations`], [`Momenta::momenta`] and [`Mechanism::velocity_forces`], without differences.
    ///
    /// # Errors
    /// Those of these methods; [`Error::Unsuited`] where a prescribed motion has kinetic energy, or speeds are not rates of coordinates.
    fn momentum_rates(&self, at: StateView<T>, rates: &mut [T]) -> Result<(), Error<T>> {
        momentum_rates_of_accelerations(self, at, rates)
    }

    /// Speeds v (n_v) with the momenta p (n_v). `at.v` is not read.
    ///
    /// They are M⁻¹ p where that is implemented. The default gives the speeds that the rows admit: M v + Gᵀ μ = p, G v = ν.
    ///
    /// # Errors
    /// Those of [`Mechanism::solve`] and of [`Momenta::momenta`].
    fn speeds_of_momenta(&self, at: StateView<T>, momenta: &[T], v: &mut [T]) -> Result<(), Error<T>> {
        admissible_speeds_of_momenta(self, at, momenta, v)
    }

    /// The correction of Newton's method for a step of h \[s\] of [`Zhong06`](crate::Zhong06), from its mean state `at` and the momenta p at its
    /// beginning: δ of mean speeds (n_v), the rows' impulse μ (n_c), and the momenta at the end (n_v), to first order in δ. With
    /// the coordinates q = q_m − ½h v_m and q⁺ = q_m + ½h v_m at the ends and f of [`Momenta::momentum_rates`],
    ///
    /// [d(p_m − ½h f)/dv_m, G(q)ᵀ; d(Φ(q⁺)/h)/dv_m, 0] \[δ; μ\] = \[p − p_m + ½h f; −Φ(q⁺)/h\], ψ(q_m, v_m) for Φ/h of velocity rows.
    ///
    /// # Errors
    /// [`Error::MissingKernel`] unless implemented, and [`Error::Singular`] where a pivot vanishes: such steps are solved without derivatives.
    fn momentum_step(
        &self,
        at: StateView<T>,
        h: T,
        momenta: &[T],
        delta: &mut [T],
        mu: &mut [T],
        end: &mut [T],
    ) -> Result<(), Error<T>> {
        let _ = (at, h, momenta, delta, mu, end);
        Err(Error::MissingKernel { kernel: "momenta" })
    }
}

/// Writes v + s e_i to `moved`.
fn perturb<T: Real>(v: &[T], i: usize, s: T, moved: &mut [T]) {
    moved.copy_from_slice(v);
    moved[i] += s;
}

/// The difference s of the module header.
fn perturbation<T: Real>(v: &[T]) -> T {
    let size = max_norm(v);
    if size > T::ZERO { size } else { T::ONE }
}

/// Checks that q̇ = v at this state.
///
/// # Errors
/// [`Unsuited::Rates`] with the first coordinate whose rate is not its speed.
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

/// Default implementation of [`Momenta::momenta`], equation 1.
///
/// # Errors
/// [`Error::Unsuited`] if no motion has kinetic energy.
pub fn momenta_of_energy<T: Real, M: Mechanism<T> + ?Sized>(
    mechanism: &M,
    at: StateView<T>,
    momenta: &mut [T],
) -> Result<(), Error<T>> {
    let (_, mut moved, ..) = mechanism.storage();
    let (moved, s) = (moved.as_mut(), perturbation(at.v));
    let mut largest = T::ZERO;
    for (i, p) in momenta.iter_mut().enumerate() {
        let [ahead, behind] = [s, -s].map(|s| {
            perturb(at.v, i, s, moved);
            mechanism.energy(StateView { v: moved, ..at }).kinetic
        });
        *p = (ahead - behind) / (s + s);
        largest = largest.max(ahead).max(behind);
    }
    let is_known = largest > T::ZERO || momenta.is_empty();
    if is_known { Ok(()) } else { Err(Error::Unsuited { cause: Unsuited::NoKineticEnergy }) }
}

/// Default implementation of [`Momenta::momentum_rates`]: M a + Gᵀ λ + B(v, v) + ∂T/∂q with a and λ of the mechanism, and equation 3.
///
/// # Errors
/// Those of [`Mechanism::accelerations`] and [`Momenta::momenta`]; [`Error::Unsuited`] where a prescribed motion has kinetic energy, or
/// speeds are not rates of coordinates.
pub fn momentum_rates_of_accelerations<T: Real, M: Momenta<T> + ?Sized>(
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
    let s = perturbation(at.v);
    for (i, rate) in rates.iter_mut().enumerate() {
        for sign in [s, -s] {
            perturb(at.v, i, sign, moved);
            mechanism.velocity_forces(StateView { v: moved, ..at }, forces);
            *rate -= dot(at.v, forces) / (T::from_f64(4.0) * sign);
        }
    }
    Ok(())
}

/// Default implementation of [`Momenta::speeds_of_momenta`]: v of M v + Gᵀ μ = p, G v = ν.
///
/// # Errors
/// Those of [`Momenta::momenta`] and [`Mechanism::solve`].
pub fn admissible_speeds_of_momenta<T: Real, M: Momenta<T> + ?Sized>(
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
