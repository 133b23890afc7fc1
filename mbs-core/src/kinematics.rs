//! Motion without loads: the least velocities and accelerations that satisfy the rows.
//!
//! Where the rows leave degrees of freedom, the motion is the least in the metric of kinetic energy T = ½ v·M v + b·v + T₀; b is nonzero only if
//! something moves as a function of time:
//!
//! 1. velocities of least kinetic energy:  M v + Gᵀ μ = −b, G v = ν
//! 2. loaded accelerations:                M a₀ + Gᵀ λ = Q, G a₀ = γ
//! 3. the effect of loads is removed:      M x + Gᵀ μ = Q_v − Q, G x = 0,  a = a₀ + x
//!
//! With Q_v the part of Q that is quadratic in speeds, (3) gives M a + Gᵀ(λ + μ) = Q_v, G a = γ: Gauss' least constraint without
//! loads, ½ Σ m |p̈|² of all material points. (1) and (3) are the same motion of the bodies in every choice of coordinates. Where the
//! rows leave no degrees of freedom, (3) is not needed, and λ are the multipliers of the loads.
//!
//! Positions come from [`project_positions`](crate::project_positions): mass-weighted Newton steps from the given q. Its
//! corrections depend on the choice of coordinates where degrees of freedom remain. [`Tracker`] follows a motion in time.

mod predict;
mod square;
mod track;

pub use track::{Obstacle, Tracker};

use crate::project::correct_velocities;
use crate::{Error, Mechanism, Projection, Real, Sizes, State, StateView};
use mbs_math::{add_scaled, negate};

impl Sizes {
    /// Degrees of freedom that all rows leave, n_v − n_c: 0 if the motion is prescribed, negative if there are more rows than speeds.
    pub fn freedoms_left(&self) -> isize {
        self.n_v as isize - self.n_c as isize
    }
}

/// Work space of [`least_velocities`] and [`least_accelerations`], with the storage types of the mechanism: made once, allocates
/// nothing afterwards.
pub struct MotionWork<M: Mechanism<T>, T: Real = f64> {
    /// Work space of the corrections.
    pub projection: Projection<M, T>,
    forces: M::Speeds,
    zero: M::Multipliers,
    rows: M::Multipliers,
    multipliers: M::Multipliers,
    speeds: M::Speeds,
    inputs: M::Inputs,
}

impl<M: Mechanism<T>, T: Real> MotionWork<M, T> {
    /// Work space for one mechanism.
    pub fn new(mechanism: &M) -> Self {
        let (_, forces, zero, _, inputs, _) = mechanism.storage();
        MotionWork {
            projection: Projection::new(mechanism),
            speeds: forces.clone(),
            forces,
            rows: zero.clone(),
            multipliers: zero.clone(),
            zero,
            inputs,
        }
    }

    /// Kinetic energy at speeds that are zero except v\[i\].
    fn kinetic(&mut self, mechanism: &M, state: &State<M, T>, speed: Option<(usize, T)>) -> T {
        let v = self.speeds.as_mut();
        v.fill(T::ZERO);
        if let Some((i, value)) = speed {
            v[i] = value;
        }
        mechanism.energy(StateView { v, ..state.view(self.inputs.as_ref()) }).kinetic
    }

    /// Writes −b to `forces`: b_i = (T(e_i) − T(−e_i))/2, exact for an energy of second degree. Where T(0) = 0, b is zero, since
    /// T is never negative.
    fn write_linear_term(&mut self, mechanism: &M, state: &State<M, T>) {
        self.forces.as_mut().fill(T::ZERO);
        if self.kinetic(mechanism, state, None) <= T::ZERO {
            return;
        }
        for i in 0..mechanism.sizes().n_v {
            let ahead = self.kinetic(mechanism, state, Some((i, T::ONE)));
            let behind = self.kinetic(mechanism, state, Some((i, -T::ONE)));
            self.forces.as_mut()[i] = T::from_f64(0.5) * (behind - ahead);
        }
    }
}

/// Velocities of least kinetic energy that satisfy the rows: (1) of the module. q should satisfy Φ = 0; v is
/// overwritten. They do not depend on the masses where the rows leave no degrees of freedom. Rows of accelerations, which do not constrain
/// velocities, count as G v = 0.
///
/// Where rows are not affine in speeds ([`Mechanism::jacobian_reads_speeds`]), v becomes the velocities that satisfy them and are nearest to
/// the given ones: [`project_velocities`](crate::project_velocities).
///
/// # Errors
/// [`Error::Singular`] from the solve, [`Error::NotFinite`], and those of the projection.
///
/// # Source
/// Derived in the header of `kinematics.rs`.
pub fn least_velocities<M: Mechanism<T>, T: Real>(
    mechanism: &M,
    state: &mut State<M, T>,
    work: &mut MotionWork<M, T>,
) -> Result<(), Error<T>> {
    state.check_counts(mechanism)?;
    let sizes = mechanism.sizes();
    let correct = |work: &mut Projection<M, T>, at: StateView<T>| work.correct(mechanism, at);
    let roundings = T::from_f64(64.0);
    if mechanism.jacobian_reads_speeds() {
        return correct_velocities(mechanism, state, &mut work.projection, roundings, correct).map(|_| ());
    }
    state.v.as_mut().fill(T::ZERO);
    if sizes.freedoms_left() > 0 {
        work.write_linear_term(mechanism, state);
    } else {
        work.forces.as_mut().fill(T::ZERO);
    }
    let rows = work.rows.as_mut();
    rows.fill(T::ZERO);
    mechanism.velocity_residuals(state.view(&[]), &mut rows[..sizes.n_velocity]);
    negate(rows);
    let (f, g) = (work.forces.as_ref(), work.rows.as_ref());
    mechanism.solve(state.view(&[]), f, g, work.speeds.as_mut(), work.multipliers.as_mut())?;
    state.v.as_mut().copy_from_slice(work.speeds.as_ref());
    // One more pass: it corrects errors near singular poses that exceed round-off.
    correct_velocities(mechanism, state, &mut work.projection, roundings, correct).map(|_| ())
}

/// Accelerations of least kinetic metric that satisfy the rows: (2) and (3) of the module. `a` is n_v, `lambda` n_c; both are overwritten.
///
/// Where the rows leave no degrees of freedom ([`Sizes::freedoms_left`]), `lambda` are the multipliers under the loads of the
/// mechanism, and (3) is omitted: one evaluation of the accelerations. Otherwise they are those of the motion without any loads.
///
/// # Errors
/// [`Error::Singular`] from the solves.
///
/// # Source
/// Derived in the header of `kinematics.rs`, after Gauss (1829), Über ein neues allgemeines Grundgesetz der Mechanik.
pub fn least_accelerations<M: Mechanism<T>, T: Real>(
    mechanism: &M,
    at: StateView<T>,
    a: &mut [T],
    lambda: &mut [T],
    work: &mut MotionWork<M, T>,
) -> Result<(), Error<T>> {
    mechanism.accelerations(at, a, lambda)?;
    if mechanism.sizes().freedoms_left() <= 0 {
        return Ok(());
    }
    mechanism.generalized_forces(at, work.forces.as_mut());
    mechanism.velocity_forces(at, work.speeds.as_mut());
    negate(work.forces.as_mut());
    add_scaled(work.forces.as_mut(), T::ONE, work.speeds.as_ref());
    let (f, g) = (work.forces.as_ref(), work.zero.as_ref());
    mechanism.solve(at, f, g, work.speeds.as_mut(), work.multipliers.as_mut())?;
    add_scaled(a, T::ONE, work.speeds.as_ref());
    add_scaled(lambda, T::ONE, work.multipliers.as_ref());
    Ok(())
}
