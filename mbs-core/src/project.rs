//! Projection of positions and velocities onto the constraints, and the choice of stabilisation.
//!
//! Corrections are the smallest in the metric of kinetic energy, and come from the factorisation of the accelerations:
//!
//! 1. positions: M δ + Gᵀ μ = 0, G δ = −Φ, q ← q ⊕ δ, repeated (Newton);
//! 2. velocities: M x + Gᵀ μ = 0, G x = −ψ, v ← v + x, exact in one step where rows are affine in v, else repeated (Newton on ∂ψ/∂v);
//! 3. Baumgarte: M x + Gᵀ μ = 0, G x = −(2 α ψ + β² Φ), a ← a + x.
//!
//! Rows that do not exist at a level have a zero right side there, so that corrections stay compatible with them.

mod scales;

use crate::{Corrections, Error, Mechanism, Real, State, StateView};
use mbs_math::{add_scaled, largest, max_norm, negate};
pub(crate) use scales::RowScales;

/// Method by which an integrator maintains Φ = 0 and ψ = 0.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum Stabilization<T = f64> {
    /// Positions and velocities are projected after every step, to round-off.
    #[default]
    Projection,
    /// Positions and velocities are projected at both ends of every step alike, so that symmetric methods stay symmetric in time:
    /// for long runs, where energy then does not drift. [`GaussRungeKutta`](crate::GaussRungeKutta) does so, at about twice the evaluations;
    /// other methods project as with [`Stabilization::Projection`].
    ///
    /// # Source
    /// Hairer, Lubich & Wanner (2006), Geometric Numerical Integration, §V.4.1.
    SymmetricProjection,
    /// Accelerations obey G a = γ − 2 α ψ − β² Φ: violations decay like a damped oscillator, critically for α = β.
    /// Velocity rows without a position row decay as e^(−2 α t).
    ///
    /// # Source
    /// Baumgarte (1972), Stabilization of constraints and integrals of motion in dynamical systems.
    Baumgarte {
        /// α \[1/s\] ≥ 0.
        alpha: T,
        /// β \[1/s\] ≥ 0.
        beta: T,
    },
    /// No stabilisation: violations grow with the error of integration.
    None,
}

/// Work space of projections, with the storage types of the mechanism: made once, used at every step without allocating.
pub struct Projection<M: Mechanism<T>, T: Real = f64> {
    /// Largest number of Newton iterations per call of [`project_positions`], which makes up to two more from small residuals; three times as many
    /// are allowed in [`project_velocities`]. 4 unless changed.
    pub iterations: usize,
    zero: M::Speeds,
    pub(crate) correction: M::Speeds,
    rates: M::Coordinates,
    pub(crate) residuals: M::Multipliers,
    multipliers: M::Multipliers,
    /// Units of position residuals.
    pub(crate) scales: RowScales<M, T>,
    /// Φ after a displacement: [`Corrections::remainder`](crate::Corrections).
    remainder: M::Multipliers,
    /// Change of speeds: [`Corrections::speeds`](crate::Corrections).
    speeds: M::Speeds,
}

impl<M: Mechanism<T>, T: Real> Projection<M, T> {
    /// Work space for one mechanism.
    pub fn new(mechanism: &M) -> Self {
        let (rates, zero, residuals, ..) = mechanism.storage();
        let (correction, speeds) = (zero.clone(), zero.clone());
        let (multipliers, remainder, scales) = (residuals.clone(), residuals.clone(), RowScales::new(mechanism));
        Projection { iterations: 4, correction, remainder, speeds, multipliers, zero, rates, residuals, scales }
    }

    /// Solves for the correction x with G x = −residuals; negates `residuals`.
    #[inline]
    pub(crate) fn correct(&mut self, mechanism: &M, at: StateView<T>) -> Result<(), Error<T>> {
        negate(self.residuals.as_mut());
        let (f, g) = (self.zero.as_ref(), self.residuals.as_ref());
        mechanism.solve(at, f, g, self.correction.as_mut(), self.multipliers.as_mut())
    }
}

/// Iterations beyond [`Projection::iterations`] from residuals that are small and not yet round-off.
const LAST: usize = 2;

/// Projects q onto Φ(q, t) = 0: [`Mechanism::normalize`], then Newton with M-weighted least corrections, q ← q ⊕ δ.
///
/// Each row is assessed in its own unit, by the change that a relative error of coordinates makes: s = Σ_j |G_j q_j|, with ℓ |θ| for an
/// angle θ at a lever ℓ. Nothing is solved where |Φ| ≤ 2 ε s already. The iteration ends there, where an iteration reduces Φ by more than
/// √(8 ε), since Newton's method has then converged to round-off, or where one no longer gains a factor of two and 1024 ε Σ_j |G_j| max(1, |q_j|)
/// is reached. Angles that have made many revolutions have fewer digits: the residual left is linear in revolutions. Returns the largest |Φ|
/// found at entry.
///
/// # Errors
/// [`Error::Singular`] from the solve, [`Error::NotFinite`], [`Error::NotAssembled`] if a residual is above √ε Σ_j |G_j| max(1, |q_j|)
/// when the iterations are used up (below that two more bring it to round-off), and [`Error::Unresolved`] if coordinates are so large (angles
/// beyond some 5e8 rad) that their rounding alone moves a row by more than 1e-6 Σ_j |G_j|. [`Error::Size`] of a state of another mechanism.
pub fn project_positions<M: Mechanism<T>, T: Real>(
    mechanism: &M,
    state: &mut State<M, T>,
    work: &mut Projection<M, T>,
) -> Result<T, Error<T>> {
    state.check_counts(mechanism)?;
    // Φ is defined for normalised coordinates only, and q ⊕ δ keeps them normalised.
    mechanism.normalize(state.q.as_mut());
    if mechanism.sizes().n_position == 0 {
        return Ok(T::ZERO);
    }
    work.scales.update(mechanism, state);
    iterate_positions(mechanism, state, work)
}

/// [`project_positions`] from normalised q, with scales that are updated.
fn iterate_positions<M: Mechanism<T>, T: Real>(
    mechanism: &M,
    state: &mut State<M, T>,
    work: &mut Projection<M, T>,
) -> Result<T, Error<T>> {
    let solve = |work: &mut Projection<M, T>, at: StateView<T>| work.correct(mechanism, at).map(|()| false);
    let entry = correct_positions(mechanism, state, work, Limits::OfRows, solve)?;
    work.scales.check(state.t)?;
    Ok(entry)
}

/// Bounds of residuals between which an iteration on positions ends.
#[derive(Clone, Copy)]
pub(crate) enum Limits<T> {
    /// Those of [`Projection::scales`], row by row.
    OfRows,
    /// Done below the first, for all rows; acceptable below the second where the iteration stalls.
    OfAll([T; 2]),
}

/// Newton's method on positions, from normalised q; returns the largest |Φ| at entry. `solve` writes the correction δ with G δ = −residuals at a
/// state. It returns whether the residuals after this correction are negligible and need no further evaluation.
#[inline]
pub(crate) fn correct_positions<M: Mechanism<T>, T: Real>(
    mechanism: &M,
    state: &mut State<M, T>,
    work: &mut Projection<M, T>,
    limits: Limits<T>,
    mut solve: impl FnMut(&mut Projection<M, T>, StateView<T>) -> Result<bool, Error<T>>,
) -> Result<T, Error<T>> {
    let t = state.t;
    let rows = mechanism.sizes().n_position;
    if rows == 0 {
        return Ok(T::ZERO);
    }
    // Newton's method is quadratic: r₁/r₀ ≈ r₀/ℓ, so that r₁ ≤ 8 ε ℓ where (r₁/r₀)² ≤ 8 ε.
    let quadratic = (T::from_f64(8.0) * T::EPSILON).sqrt();
    let mut entry = T::ZERO;
    let mut previous = T::ZERO;
    for iteration in 0..=work.iterations + LAST {
        let residuals = work.residuals.as_mut();
        mechanism.position_residuals(state.view(&[]), &mut residuals[..rows]);
        residuals[rows..].fill(T::ZERO);
        let (row, residual) = largest(&residuals[..rows]);
        if !residual.is_finite() {
            return Err(Error::NotFinite { t });
        }
        // An earlier iteration may have evaluated the scales at much larger coordinates. They are too coarse here.
        if matches!(limits, Limits::OfRows) {
            work.scales.update_if_smaller(mechanism, state);
        }
        let is_last = iteration >= work.iterations;
        let [is_round_off, is_converged, mut is_near, mut acceptable] = match limits {
            Limits::OfRows => {
                let (scales, residuals) = (&work.scales, &residuals[..rows]);
                let [near, small] = scales.are_near_or_small(residuals);
                [scales.are_round_off(residuals), scales.are_converged(residuals), near, small]
            }
            Limits::OfAll([round_off, tolerance]) => {
                [residual <= round_off, false, residual <= tolerance, residual <= tolerance]
            }
        };
        let stalled = iteration > 0 && residual + residual > previous;
        let converged = iteration > 0 && is_converged && residual <= quadratic * previous;
        if (stalled || is_last) && !acceptable && matches!(limits, Limits::OfRows) {
            // Rows may have been switched on since.
            work.scales.evaluate(mechanism, state);
            [is_near, acceptable] = work.scales.are_near_or_small(&work.residuals.as_ref()[..rows]);
        }
        if iteration == 0 {
            entry = residual;
        }
        // Near a singular pose residuals decrease irregularly.
        if is_round_off || (stalled && is_near) || (converged && acceptable) {
            break;
        }
        if is_last {
            if !acceptable {
                return Err(Error::NotAssembled { row, residual, iterations: iteration, t });
            }
            // From here Newton's method takes one or two iterations to round-off.
            if is_near || iteration == work.iterations + LAST {
                break;
            }
        }
        previous = residual;
        let is_done = solve(work, state.view(&[]))?;
        mechanism.retract(t, state.q.as_mut(), work.correction.as_ref(), work.rates.as_mut());
        if is_done {
            break;
        }
    }
    Ok(entry)
}

/// Projects v onto ψ = G v − ν = 0: v ← v + x with the M-weighted least x. q should satisfy Φ = 0.
///
/// One solve. Rows that are not affine in v ([`Mechanism::jacobian_reads_speeds`]) take up to three times as many as
/// [`Projection::iterations`], each with G at the speeds reached. Returns the largest |ψ| at entry.
///
/// # Errors
/// [`Error::Singular`] from the solve, [`Error::NotFinite`], and, where rows are not affine in v, [`Error::NotAssembled`] if the residual
/// is above √ε max(1, |v|) max(1, |v| max(1, |q|)) when the iterations are used up.
pub fn project_velocities<M: Mechanism<T>, T: Real>(
    mechanism: &M,
    state: &mut State<M, T>,
    work: &mut Projection<M, T>,
) -> Result<T, Error<T>> {
    state.check_counts(mechanism)?;
    correct_velocities(mechanism, state, work, T::from_f64(ROUNDINGS), |work, at| work.correct(mechanism, at))
}

/// Residuals of velocity rows up to so many roundings count as zero.
const ROUNDINGS: f64 = 4.0;

/// Size of the terms of residuals that are affine in speeds: the largest speed times the largest coordinate, or one.
fn velocity_scale<M: Mechanism<T>, T: Real>(state: &State<M, T>) -> T {
    max_norm(state.v.as_ref()) * T::ONE.max(max_norm(state.q.as_ref()))
}

/// [`project_velocities`] with residuals up to so many roundings as zero; `solve` writes the correction x with G x = −residuals.
#[inline]
pub(crate) fn correct_velocities<M: Mechanism<T>, T: Real>(
    mechanism: &M,
    state: &mut State<M, T>,
    work: &mut Projection<M, T>,
    roundings: T,
    mut solve: impl FnMut(&mut Projection<M, T>, StateView<T>) -> Result<(), Error<T>>,
) -> Result<T, Error<T>> {
    let rows = mechanism.sizes().n_velocity;
    if rows == 0 {
        return Ok(T::ZERO);
    }
    let scale = velocity_scale(state);
    let round_off = roundings * T::EPSILON * scale;
    // After a correction of an affine row, round-off is proportional to the correction; only larger corrections are repeated.
    let small = T::EPSILON.sqrt() * scale;
    let is_nonlinear = mechanism.jacobian_reads_speeds();
    let iterations = if is_nonlinear { 3 * work.iterations } else { work.iterations };
    let mut entry = T::ZERO;
    let mut previous = T::ZERO;
    for iteration in 0..=iterations {
        if iteration == iterations && !is_nonlinear {
            break;
        }
        let residuals = work.residuals.as_mut();
        mechanism.velocity_residuals(state.view(&[]), &mut residuals[..rows]);
        residuals[rows..].fill(T::ZERO);
        let (row, residual) = largest(residuals);
        if !residual.is_finite() {
            return Err(Error::NotFinite { t: state.t });
        }
        if iteration == 0 {
            entry = residual;
        }
        let acceptable = !is_nonlinear || residual <= T::EPSILON.sqrt() * tolerable(state);
        let stalled = iteration > 0 && residual + residual > previous;
        if residual <= round_off || (stalled && acceptable) {
            break;
        }
        if iteration == iterations {
            if acceptable {
                break;
            }
            return Err(Error::NotAssembled { row, residual, iterations: iteration, t: state.t });
        }
        previous = residual;
        solve(work, state.view(&[]))?;
        add_scaled(state.v.as_mut(), T::ONE, work.correction.as_ref());
        if residual <= small {
            break;
        }
    }
    Ok(entry)
}

/// Scale of residuals of rows of any degree in speeds.
fn tolerable<M: Mechanism<T>, T: Real>(state: &State<M, T>) -> T {
    let (v, q) = (max_norm(state.v.as_ref()), max_norm(state.q.as_ref()));
    T::ONE.max(v) * T::ONE.max(v * T::ONE.max(q))
}

/// Projects the positions, then the velocities of a state: [`project_positions`], [`project_velocities`].
///
/// Where both need one small correction alone, as after a step of an accurate method, [`Mechanism::corrections`] gives it at once. Newton's method
/// leaves residuals of the order of the square of the displacement: nothing is evaluated again where those of positions are round-off.
///
/// # Errors
/// Those of the two.
pub fn project<M: Mechanism<T>, T: Real>(
    mechanism: &M,
    state: &mut State<M, T>,
    work: &mut Projection<M, T>,
) -> Result<(), Error<T>> {
    state.check_counts(mechanism)?;
    mechanism.normalize(state.q.as_mut());
    if mechanism.sizes().n_position > 0 {
        work.scales.update(mechanism, state);
    }
    if !correct_once(mechanism, state, work) {
        iterate_positions(mechanism, state, work)?;
        project_velocities(mechanism, state, work)?;
    }
    Ok(())
}

/// Applies the first corrections of a projection, from normalised q; returns whether no other is needed. The state is unchanged where the corrections
/// are unknown, and has corrected positions alone where they are not small.
#[inline]
fn correct_once<M: Mechanism<T>, T: Real>(mechanism: &M, state: &mut State<M, T>, work: &mut Projection<M, T>) -> bool {
    let sizes = mechanism.sizes();
    if sizes.n_velocity == 0 {
        return true;
    }
    if mechanism.jacobian_reads_speeds() {
        return false;
    }
    let corrections = Corrections {
        phi: &mut work.residuals.as_mut()[..sizes.n_position],
        displacement: work.correction.as_mut(),
        remainder: &mut work.remainder.as_mut()[..sizes.n_position],
        psi: &mut work.multipliers.as_mut()[..sizes.n_velocity],
        speeds: work.speeds.as_mut(),
    };
    let found = mechanism.corrections(state.view(&[]), corrections);
    if found != Ok(true) || work.scales.check(state.t).is_err() || !mbs_math::all_finite(work.correction.as_ref()) {
        return false;
    }
    if !work.scales.are_round_off(&work.residuals.as_ref()[..sizes.n_position]) {
        mechanism.retract(state.t, state.q.as_mut(), work.correction.as_ref(), work.rates.as_mut());
    }
    let violation = max_norm(&work.multipliers.as_ref()[..sizes.n_velocity]);
    let scale = velocity_scale(state);
    let is_slight = work.scales.are_round_off(&work.remainder.as_ref()[..sizes.n_position]);
    // The scale of speeds that are not finite is infinite.
    if !is_slight || !violation.is_finite() || violation > T::EPSILON.sqrt() * scale {
        return false;
    }
    if violation > T::from_f64(ROUNDINGS) * T::EPSILON * scale {
        add_scaled(state.v.as_mut(), T::ONE, work.speeds.as_ref());
    }
    true
}

/// Baumgarte's correction: a ← a + x and λ ← λ + μ with M x + Gᵀ μ = 0, G x = −(2 α ψ + β² Φ), `rates` = (α, β).
///
/// # Errors
/// [`Error::Singular`] from the solve.
pub(crate) fn baumgarte<M: Mechanism<T>, T: Real>(
    mechanism: &M,
    at: StateView<T>,
    rates: (T, T),
    work: &mut Projection<M, T>,
    a: &mut [T],
    lambda: &mut [T],
) -> Result<(), Error<T>> {
    let ((alpha, beta), sizes) = (rates, mechanism.sizes());
    let (residuals, phi) = (work.residuals.as_mut(), work.multipliers.as_mut());
    mechanism.velocity_residuals(at, &mut residuals[..sizes.n_velocity]);
    mechanism.position_residuals(at, &mut phi[..sizes.n_position]);
    residuals[sizes.n_velocity..].fill(T::ZERO);
    for residual in residuals.iter_mut() {
        *residual *= alpha + alpha;
    }
    add_scaled(&mut residuals[..sizes.n_position], beta * beta, &phi[..sizes.n_position]);
    work.correct(mechanism, at)?;
    add_scaled(a, T::ONE, work.correction.as_ref());
    add_scaled(lambda, T::ONE, work.multipliers.as_ref());
    Ok(())
}
