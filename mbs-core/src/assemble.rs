//! Assembly: from declared guesses to a state that satisfies every row, with `initial` conditions imposed exactly.
//!
//! One Newton–Raphson step, on positions (δ, Φ, conditions on q) and then on velocities (δv, ψ, conditions on v):
//!
//! 1. M δ₀ + Gᵀ μ = 0, G δ₀ = −Φ: the mass-weighted least displacement;
//! 2. M y_k + Gᵀ μ = h_k, G y_k = 0 for the gradient h_k of each condition, scaled to |h_k| = 1 with its residual r_k;
//! 3. S α = −r − H δ₀ with S_kl = h_k·y_l, positive semidefinite;
//! 4. δ = δ₀ + Σ α_k y_k.
//!
//! That is block elimination of the system bordered by H. S is eliminated with its largest diagonal entry as the pivot. Conditions whose
//! remaining pivots are below a tolerance are implied by the rows and the other conditions. They get α_k = 0, and their
//! residuals must vanish by themselves.
//!
//! No step is made from residuals that are round-off: a motion without mass, constrained by rows of velocities alone, could move arbitrarily.
//!
//! G has the rows of the level alone: velocity rows restrict no displacement, rows of accelerations no change of speeds (`response.rs`).

use crate::assemble::conditions::Conditions;
pub(crate) use crate::assemble::conditions::{ImposedConditions, Initial, Problem};
use crate::assemble::response::Response;
use crate::project::RowScales;
use crate::{Error, Level, Mechanism, Real, State};
use mbs_math::{add_scaled, dot, largest, max_norm, negate};

mod conditions;
mod follow;
mod response;

/// Iterations and residuals of an assembly.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Report<T = f64> {
    /// Newton iterations on positions.
    pub position_iterations: usize,
    /// Largest |Φ| or residual of a condition on positions.
    pub position_residual: T,
    /// Newton iterations on velocities: 1 or 2 where rows are affine in v.
    pub velocity_iterations: usize,
    /// Largest |ψ| or residual of a condition on velocities.
    pub velocity_residual: T,
}

/// Iterations allowed per level.
const ITERATIONS: usize = 50;
/// Halvings of one Newton step.
const HALVINGS: usize = 8;
/// Residuals have to fall below this, and one more step follows.
const TOLERANCE: f64 = 1e-10;

/// Assembles a state: Φ = 0 and ψ = 0 with the `initial` conditions satisfied, as near to the given q and v as the mass-weighted
/// Newton–Raphson iteration stays. `state` is overwritten, and its time is not changed. Inputs are taken as 0.
///
/// - Positions first, then velocities; steps are halved while the sum of squared residuals grows, so that the branch of
///   the given pose is kept where Newton's method can keep it.
/// - Velocity rows, such as that of a knife edge, restrict speeds, not displacements: positions satisfy position rows and conditions
///   alone. Each step then takes up to 2 m solves more, where m is the number of velocity rows and of rows of accelerations.
/// - Conditions that the rows imply are tolerated if they agree with them.
/// - Tolerance 1e-10 (64 ε max(1, |q|) if that is larger), then one more step.
///
/// # Errors
/// [`Error::NotAssembled`] after 50 iterations, `row` counting rows first, then conditions; [`Error::Singular`] if the
/// solve meets a singular pose; [`Error::Unresolved`] where coordinates are so large, some 5e8 rad, that rounding alone opens a row;
/// [`Error::NotFinite`]. The state is then the last iterate. [`Error::Size`] of a state of another mechanism.
///
/// # Source
/// Block elimination derived in the header of this module; Newton with step halving: Nocedal & Wright (2006), §11.2.
pub fn assemble<M: Mechanism<T>, T: Real>(mechanism: &M, state: &mut State<M, T>) -> Result<Report<T>, Error<T>> {
    state.check_size(mechanism)?;
    let mut assembly = Assembly::new(mechanism, state);
    // Guesses need not be normalised; the iteration keeps q normalised.
    mechanism.normalize(state.q.as_mut());
    let (position_iterations, position_residual) =
        assembly.assemble_level(mechanism, state, &Initial, Level::Position)?;
    check_resolution(mechanism, state)?;
    let (velocity_iterations, velocity_residual) =
        assembly.assemble_level(mechanism, state, &Initial, Level::Velocity)?;
    state.remember(mechanism);
    Ok(Report { position_iterations, position_residual, velocity_iterations, velocity_residual })
}

/// Assembles the positions of a state alone: Φ = 0 with the `initial` conditions on positions satisfied, as [`assemble`] does. v is
/// neither read nor changed, for analyses that solve for it.
///
/// # Errors
/// Those of [`assemble`].
pub fn assemble_positions<M: Mechanism<T>, T: Real>(
    mechanism: &M,
    state: &mut State<M, T>,
) -> Result<Report<T>, Error<T>> {
    state.check_size(mechanism)?;
    let mut assembly = Assembly::new(mechanism, state);
    mechanism.normalize(state.q.as_mut());
    let (position_iterations, position_residual) =
        assembly.assemble_level(mechanism, state, &Initial, Level::Position)?;
    check_resolution(mechanism, state)?;
    state.remember(mechanism);
    Ok(Report { position_iterations, position_residual, ..Report::default() })
}

/// Checks that rounding of the coordinates does not move the rows noticeably.
///
/// # Errors
/// [`Error::Unresolved`] with the row that rounding moves most.
fn check_resolution<M: Mechanism<T>, T: Real>(mechanism: &M, state: &State<M, T>) -> Result<(), Error<T>> {
    let mut scales = RowScales::new(mechanism);
    scales.evaluate(mechanism, state);
    scales.check(state.t)
}

/// Worst residual of one level, and the sum of squares that steps must reduce.
#[derive(Clone, Copy)]
struct Residual<T> {
    row: usize,
    largest: T,
    squares: T,
    /// Largest residual of a condition.
    condition: T,
}

/// Work space of assembly and of events.
pub(crate) struct Assembly<M: Mechanism<T>, T: Real> {
    start: State<M, T>,
    trial: State<M, T>,
    conditions: Conditions<M, T>,
    response: Response<M, T>,
    scales: RowScales<M, T>,
    rates: M::Coordinates,
    zero: M::Speeds,
    delta: M::Speeds,
    rows: M::Multipliers,
}

impl<M: Mechanism<T>, T: Real> Assembly<M, T> {
    /// Work space for one mechanism; `state` is any of its states.
    pub(crate) fn new(mechanism: &M, state: &State<M, T>) -> Self {
        let (rates, zero, rows, ..) = mechanism.storage();
        Assembly {
            start: state.clone(),
            trial: state.clone(),
            conditions: Conditions::new(mechanism),
            response: Response::new(mechanism),
            scales: RowScales::new(mechanism),
            rates,
            delta: zero.clone(),
            zero,
            rows,
        }
    }

    /// Whether a condition of this level is imposed.
    pub(crate) fn has_conditions(
        &mut self,
        mechanism: &M,
        state: &State<M, T>,
        imposed: &impl ImposedConditions<M, T>,
        level: Level,
    ) -> bool {
        self.conditions.has_level(mechanism, imposed, level, state)
    }

    /// Newton's method on one level: the iterations and the largest residual. Where the constraints are violated, a condition that they imply
    /// looks nearly, not exactly, redundant and may spoil the iteration: a second attempt with a coarse rank tolerance then starts from the
    /// given state.
    pub(crate) fn assemble_level(
        &mut self,
        mechanism: &M,
        state: &mut State<M, T>,
        imposed: &impl ImposedConditions<M, T>,
        level: Level,
    ) -> Result<(usize, T), Error<T>> {
        self.start.copy_from(state);
        self.response.release(mechanism, level);
        self.conditions.measure(Problem { mechanism, imposed }, level, state, &mut self.response)?;
        let fine = Self::rank_tolerance();
        match self.newton(Problem { mechanism, imposed }, state, level, fine) {
            Err(_) if self.conditions.has_level(mechanism, imposed, level, &self.start) => {
                state.copy_from(&self.start);
                self.newton(Problem { mechanism, imposed }, state, level, fine.sqrt())
            }
            result => result,
        }
    }

    /// The impulses p of velocity conditions that [`Assembly::assemble_level`] has imposed: S p = H x, where x is the change of velocities
    /// without the part that the rows require. `results` are Hᵀ p and p.
    pub(crate) fn impulses(
        &mut self,
        problem: Problem<'_, M, impl ImposedConditions<M, T>>,
        state: &State<M, T>,
        x: &[T],
        results: (&mut [T], &mut [T]),
    ) -> Result<(), Error<T>> {
        self.conditions.impulses(problem, state, (Self::rank_tolerance(), &mut self.response), x, results)
    }

    fn rank_tolerance() -> T {
        T::EPSILON * T::from_f64(1e4)
    }

    fn newton(
        &mut self,
        problem: Problem<'_, M, impl ImposedConditions<M, T>>,
        state: &mut State<M, T>,
        level: Level,
        rank_tolerance: T,
    ) -> Result<(usize, T), Error<T>> {
        let mut residual = self.residual(problem, state, level);
        let mut stalls = false;
        for iteration in 0..=ITERATIONS {
            if !residual.largest.is_finite() {
                return Err(Error::NotFinite { t: state.t });
            }
            let converged = residual.largest <= tolerance(state, level);
            // A step from round-off would move massless motions by noise.
            if converged && self.is_round_off(problem.mechanism, state, level, residual) {
                return Ok((iteration, residual.largest));
            }
            if !converged
                && (stalls || iteration == ITERATIONS)
                && self.is_small(problem.mechanism, state, level, residual)
            {
                return Ok((iteration, residual.largest));
            }
            if iteration == ITERATIONS && !converged {
                break;
            }
            self.direction(problem, state, level, rank_tolerance)?;
            let next = self.advance(problem, state, level, residual);
            if converged {
                // The last step is to gain digits. Where equations are nearly singular it may lose them, and is discarded.
                if next.largest > tolerance(state, level) || !next.largest.is_finite() {
                    state.copy_from(&self.trial);
                    return Ok((iteration, residual.largest));
                }
                return Ok((iteration + 1, next.largest));
            }
            stalls = next.largest > T::from_f64(0.5) * residual.largest;
            residual = next;
        }
        let Residual { row, largest: residual, .. } = residual;
        Err(Error::NotAssembled { row, residual, iterations: ITERATIONS, t: state.t })
    }

    /// Whether residuals, with those of rows in `rows`, are round-off of the state.
    fn is_round_off(&mut self, mechanism: &M, state: &State<M, T>, level: Level, residual: Residual<T>) -> bool {
        let (q, v) = (max_norm(state.q.as_ref()).max(T::ONE), max_norm(state.v.as_ref()));
        let rounding = T::from_f64(4.0) * T::EPSILON;
        match level {
            Level::Position => {
                self.scales.update(mechanism, state);
                let rows = &self.rows.as_ref()[..mechanism.sizes().n_position];
                self.scales.are_round_off(rows) && residual.condition <= rounding * q
            }
            Level::Velocity => residual.largest <= rounding * v * q,
        }
    }

    /// Whether residuals that no step reduces, with those of rows in `rows`, are small in the units of their rows: a row times a large number
    /// never comes below an absolute tolerance.
    fn is_small(&mut self, mechanism: &M, state: &State<M, T>, level: Level, residual: Residual<T>) -> bool {
        let (rows, sizes) = (self.rows.as_ref(), mechanism.sizes());
        self.scales.evaluate(mechanism, state);
        let small = match level {
            Level::Position => self.scales.are_near_or_small(&rows[..sizes.n_position])[0],
            Level::Velocity => self.scales.are_near_velocities(&rows[..sizes.n_velocity], max_norm(state.v.as_ref())),
        };
        small && residual.condition <= tolerance(state, level)
    }

    /// Residuals at the state, of rows and conditions. Those of rows are also written to `rows`, zero beyond the level.
    fn residual(
        &mut self,
        problem: Problem<'_, M, impl ImposedConditions<M, T>>,
        state: &State<M, T>,
        level: Level,
    ) -> Residual<T> {
        let Problem { mechanism, imposed } = problem;
        let (sizes, rows) = (mechanism.sizes(), self.rows.as_mut());
        rows.fill(T::ZERO);
        match level {
            Level::Position => mechanism.position_residuals(state.view(&[]), &mut rows[..sizes.n_position]),
            Level::Velocity => mechanism.velocity_residuals(state.view(&[]), &mut rows[..sizes.n_velocity]),
        }
        let (row, size) = largest(rows);
        let mut worst = Residual { row, largest: size, squares: dot(rows, rows), condition: T::ZERO };
        for k in 0..imposed.count(mechanism) {
            let r = self.conditions.residual(problem, k, level, state);
            worst.squares += r * r;
            worst.condition = worst.condition.max(r.abs());
            if r.abs() > worst.largest || !r.is_finite() {
                worst = Residual { row: sizes.n_c + imposed.index(mechanism, k), largest: r.abs(), ..worst };
            }
        }
        worst
    }

    /// δ of the steps 1 to 4 of the module header, from the residuals in `rows`.
    fn direction(
        &mut self,
        problem: Problem<'_, M, impl ImposedConditions<M, T>>,
        state: &State<M, T>,
        level: Level,
        rank_tolerance: T,
    ) -> Result<(), Error<T>> {
        negate(self.rows.as_mut());
        let (f, g) = (self.zero.as_ref(), self.rows.as_ref());
        self.response.solve(problem.mechanism, state.view(&[]), (f, g), self.delta.as_mut())?;
        self.conditions.border(problem, level, state, (rank_tolerance, &mut self.response), self.delta.as_mut())
    }

    /// q ← q ⊕ s δ, or v ← v + s δ, with s halved from 1 while squares of residuals grow.
    fn advance(
        &mut self,
        problem: Problem<'_, M, impl ImposedConditions<M, T>>,
        state: &mut State<M, T>,
        level: Level,
        before: Residual<T>,
    ) -> Residual<T> {
        let half = T::from_f64(0.5);
        self.trial.copy_from(state);
        for halving in 0..=HALVINGS {
            displace(problem.mechanism, state, level, self.delta.as_ref(), &mut self.rates);
            let after = self.residual(problem, state, level);
            if after.squares <= before.squares || before.largest <= tolerance(state, level) || halving == HALVINGS {
                return after;
            }
            state.copy_from(&self.trial);
            for d in self.delta.as_mut() {
                *d *= half;
            }
        }
        before
    }
}

/// q ← q ⊕ δ, or v ← v + δ.
fn displace<M: Mechanism<T>, T: Real>(
    mechanism: &M,
    state: &mut State<M, T>,
    level: Level,
    delta: &[T],
    rates: &mut M::Coordinates,
) {
    match level {
        Level::Position => mechanism.retract(state.t, state.q.as_mut(), delta, rates.as_mut()),
        Level::Velocity => add_scaled(state.v.as_mut(), T::ONE, delta),
    }
}

/// Residuals up to this bound count as zero: 1e-10, or 64 ε max(1, |q|) or max(1, |v|) if that is larger.
fn tolerance<M: Mechanism<T>, T: Real>(state: &State<M, T>, level: Level) -> T {
    let size = match level {
        Level::Position => max_norm(state.q.as_ref()),
        Level::Velocity => max_norm(state.v.as_ref()),
    };
    T::from_f64(TOLERANCE).max(T::from_f64(64.0) * T::EPSILON * T::ONE.max(size))
}
