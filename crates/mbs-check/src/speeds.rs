//! The guess of the speeds. It satisfies constraints and exact `initial` conditions, and as far as these permit guesses (`~`), declared velocities
//! and declared angular velocities.

use std::ops::Range;

use mbs_definition::{Errors, Space};
use mbs_expr::{ExprId, MarkerId, Op, Series, StandIn};
use mbs_model::{Body, InitialCondition, Model, Row, RowLevel};
use mbs_physics::linear::{Factors, SparseRow, dependent_rows};
use mbs_physics::{Mechanics, Tree, Variables, default_variables};

use super::assemble::saddle;
use super::nested_rates::Motion;
use super::stand_ins::{derivatives_differ, model_with_finite_poses};

/// Speeds at the start of a run at default parameters, and the residuals of guesses there.
pub struct GuessedStart {
    /// Interface speeds, n_v.
    pub speeds: Vec<f64>,
    /// Residual of each of `Start::guesses` at the start: declared poses are met only as far as rows allow.
    pub misses: Vec<f64>,
}

/// Interface speeds at assembled solver coordinates, default parameters and t = 0, and the residuals of guesses. The speeds have the least norm
/// among those that satisfy, in order of priority, all rows, exact `initial` conditions, guessed ones, declared velocities and angular velocities.
/// Conditions that depend on others of higher priority are left out; conditions that are not linear in speeds count with their gradient at rest.
/// Where rows are not linear in speeds, the linear ones give a start, from which the nearest speeds that satisfy all rows and exact conditions
/// are found. Functions written in Rust must be bound or have a stand-in.
pub fn guessed_start(model: &Model, tree: &Tree, assembled: &[f64]) -> GuessedStart {
    let speeds = solver_speeds(model, tree, assembled, 0.0);
    let model = &*model_with_finite_poses(model, tree, assembled);
    let mechanics = moving(model, tree, assembled, 0.0, &speeds);
    let interface = match model.space {
        Space::Planar => mechanics.declared_speeds(),
        Space::Spatial => {
            let solver: Vec<Motion> = speeds.iter().map(|v| Series::constant(*v)).collect();
            mechanics.spatial().state.interface_speeds(tree, &solver)
        }
    };
    let miss = |c: &InitialCondition| {
        let (miss, value) = (mechanics.condition_residual(c).value(), mechanics.value(c.value).value());
        if miss.abs() <= ROUNDING * (1.0 + value.abs()) { 0.0 } else { miss }
    };
    // −0 would be printed as such.
    let speeds = interface.into_iter().map(|v| v.value() + 0.0).collect();
    GuessedStart { speeds, misses: model.start.guesses.iter().map(miss).collect() }
}

/// The solver's speeds at which the checks evaluate G, at solver coordinates and time t \[s\]: zero where G does not depend on speeds, else the
/// guessed speeds.
pub fn jacobian_speeds(model: &Model, tree: &Tree, q: &[f64], t: f64) -> Vec<f64> {
    if !model.jacobian_reads_speeds() {
        return vec![0.0; tree.n()];
    }
    solver_speeds(model, tree, q, t)
}

/// Largest number of Newton iterations on rows that are not affine in speeds.
const ITERATIONS: usize = 50;
/// A Newton step below this part of the largest speed ends the iteration.
const STEP: f64 = 1e-14;
/// Weight of the squares of speeds in the matrix of the shortest speeds, whose largest entries of rows are 1. With weight 1 it would have the
/// square of the condition number of the rows, and nearly dependent rows would count as dependent; with a small one its condition number is
/// at most the larger of κ² times the weight and 1 over the weight. Björck (1996), Numerical methods for least squares problems, ch. 2.
const WEIGHT: f64 = 1e-7;
/// Steps of iterative refinement: each takes seven digits that the weight costs, or more.
const REFINEMENTS: usize = 2;

/// The guessed solver's speeds. Rows that are not affine in speeds do not take part in the first guess, where their derivatives are evaluated; then
/// all rows and exact conditions are satisfied by Newton's method with steps of least norm.
fn solver_speeds(model: &Model, tree: &Tree, q: &[f64], t: f64) -> Vec<f64> {
    let n = tree.n();
    let affine = |row: &Row| !model.row_reads_speeds(row);
    let mut speeds = least_norm_speeds(n, &known_equations(model, tree, q, t, &vec![0.0; n], &affine));
    if !model.jacobian_reads_speeds() {
        return speeds;
    }
    for _ in 0..ITERATIONS {
        let exact =
            tree.n_velocity + model.start.conditions.iter().filter(|c| c.exact && is_velocity_condition(c)).count();
        let mut equations = known_equations(model, tree, q, t, &speeds, &|_| true);
        equations.truncate(exact);
        let step = least_norm_speeds(n, &equations);
        speeds.iter_mut().zip(&step).for_each(|(v, step)| *v += step);
        let size = |list: &[f64]| list.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        if size(&step) <= STEP * size(&speeds) {
            break;
        }
    }
    speeds
}

/// Residual of a row, relative to its terms, above which Newton's method has not satisfied it.
const MISSES: f64 = 1e-8;

/// 1/φ of the golden ratio φ: fractional parts of its multiples are all different.
const GOLDEN: f64 = 0.618_033_988_749_895;

/// Reports rows whose gradient depends on speeds and that vanish or are not satisfied at the guessed speeds of an assembled pose. Models with
/// functions written in Rust are left to the run.
///
/// # Errors
/// MBS063.
pub fn check(model: &Model, tree: &Tree, assembled: &[f64]) -> Result<(), Errors> {
    let mut errors = Errors::new();
    if !model.jacobian_reads_speeds() || !model.functions.is_empty() {
        return Ok(());
    }
    let v = jacobian_speeds(model, tree, assembled, 0.0);
    let mechanics = moving(model, tree, assembled, 0.0, &v);
    // A row that vanishes at all speeds constrains nothing; the check of rank reports it.
    let arbitrary: Vec<f64> = (0..v.len()).map(|i| 0.5 + (GOLDEN * i as f64).fract()).collect();
    let elsewhere = moving(model, tree, assembled, 0.0, &arbitrary);
    let on = |row: &&Row| row.enabled.is_none_or(|enabled| mechanics.value(enabled).value() == 1.0);
    for row in tree.rows.iter().filter(|row| model.row_reads_speeds(row)).filter(on) {
        let derivatives = mechanics.gradient(row.residual, row.level);
        let terms: f64 = derivatives.iter().map(|(i, g)| (g * v[*i]).abs()).sum();
        let is_zero = |derivatives: &SparseRow| derivatives.values().all(|g| *g == 0.0);
        let vanishes = is_zero(&derivatives) && !is_zero(&elsewhere.gradient(row.residual, row.level));
        let psi = if row.level == RowLevel::Velocity { mechanics.value(row.residual).value() } else { 0.0 };
        let problem = match psi.abs() <= MISSES * terms.max(1.0) {
            _ if vanishes => "does not constrain speeds that are zero",
            true => continue,
            false => "is not met by speeds near those declared",
        };
        let help = "give bodies a `velocity:` near their motion, or write `initial … ~ …`".to_owned();
        errors.push("MBS063", row.origin, format!("`{}` {problem}", row.name), Some(help));
    }
    errors.into_result(())
}

fn is_velocity_condition(condition: &InitialCondition) -> bool {
    condition.level == RowLevel::Velocity
}

/// Relative residual below which a guess is satisfied.
const ROUNDING: f64 = 1e-12;

/// The target of a velocity condition that other equations determine.
pub struct DeterminedSpeed {
    /// Value that the other equations give.
    pub determined: f64,
    /// Value that the condition requires.
    pub required: f64,
    /// Sum of the absolute values of the terms.
    pub terms: f64,
}

/// Value that rows and earlier conditions give to the target of exact velocity condition k, at assembled solver coordinates; `None` if they leave it
/// free. The target must be affine in speeds.
pub fn determined_speed(model: &Model, tree: &Tree, assembled: &[f64], k: usize) -> Option<DeterminedSpeed> {
    let rest = moving(model, tree, assembled, 0.0, &vec![0.0; tree.n()]);
    let equations = speed_equations(&rest, &|_| true);
    let last = tree.n_velocity + k;
    let matrix: Vec<SparseRow> = equations[..=last].iter().map(|e| e.0.clone()).collect();
    if dependent_rows(&matrix).last() != Some(&last) {
        return None;
    }
    let v = least_norm_speeds(tree.n(), &equations[..last]);
    let (row, right) = &equations[last];
    let condition = model.start.conditions.iter().filter(|c| c.exact && c.level == RowLevel::Velocity).nth(k)?;
    let value = rest.value(condition.value).value();
    let sum = |size: fn(f64) -> f64| row.iter().map(|(i, g)| size(g * v[*i])).sum::<f64>();
    let terms = sum(f64::abs) + right.abs() + value.abs();
    Some(DeterminedSpeed { determined: value + sum(|x| x) - right, required: value, terms })
}

/// The mechanics of the model at solver coordinates, a time and speeds, with auxiliary states that advance at their rates.
fn moving<'m>(model: &'m Model, tree: &'m Tree, solver: &[f64], t: f64, speeds: &[f64]) -> Mechanics<'m, Motion> {
    let variables = || Variables { t: Series::linear(t, 1.0), ..default_variables(model, tree) };
    let still = super::mass::mechanics_in_motion(model, tree, variables(), solver, speeds);
    let rates: Vec<f64> =
        model.quantities.auxiliary.iter().flat_map(|a| &a.rates).map(|rate| still.value(*rate).value()).collect();
    let mut variables = variables();
    for (z, rate) in variables.auxiliary.iter_mut().zip(rates).filter(|(_, rate)| *rate != 0.0) {
        *z = Series::linear(z.value(), rate);
    }
    super::mass::mechanics_in_motion(model, tree, variables, solver, speeds)
}

/// [`speed_equations`] of a model at solver coordinates, a time and speeds. Equations with unknown derivatives are empty; unknown rates count as
/// zero.
fn known_equations(
    model: &Model,
    tree: &Tree,
    q: &[f64],
    t: f64,
    speeds: &[f64],
    included: &dyn Fn(&Row) -> bool,
) -> Vec<(SparseRow, f64)> {
    let equations = |by: StandIn| speed_equations(&moving(&model.with_stand_ins(by), tree, q, t, speeds), included);
    let mut found = equations(StandIn::Zero);
    if model.has_stand_ins() {
        for (equation, other) in found.iter_mut().zip(equations(StandIn::Generic)) {
            if derivatives_differ(&equation.0, &other.0) {
                *equation = (SparseRow::new(), 0.0);
            }
        }
    }
    found
}

/// Equations row · δv̂ = right for changes of the solver's speeds, in order of priority; at rest, they are equations for v̂ itself. Rows that are not
/// `included` or are switched off give empty equations.
fn speed_equations(rest: &Mechanics<'_, Motion>, included: &dyn Fn(&Row) -> bool) -> Vec<(SparseRow, f64)> {
    let (model, tree) = (rest.model, rest.tree);
    let is_off = |row: &Row| row.enabled.is_some_and(|enabled| rest.value(enabled).value() != 1.0);
    let rows = tree.rows[..tree.n_velocity].iter().map(|row| {
        if is_off(row) || !included(row) {
            return (SparseRow::new(), 0.0);
        }
        let psi = match row.level {
            RowLevel::Position => rest.value(row.residual).derivative(1),
            _ => rest.value(row.residual).value(),
        };
        (rest.gradient(row.residual, row.level), -psi)
    });
    let conditions = |exact: bool| {
        let list = model.start.conditions.iter().filter(move |c| c.exact == exact && c.level == RowLevel::Velocity);
        list.map(|c| (rest.gradient(c.target, c.level), rest.value(c.value).value() - rest.value(c.target).value()))
    };
    let declared = [TwistPart::Linear, TwistPart::Angular].into_iter().flat_map(|part| part.declared(rest));
    rows.chain(conditions(true)).chain(conditions(false)).chain(declared).collect()
}

/// The two parts of a body's twist that it may declare, in world components.
#[derive(Clone, Copy)]
enum TwistPart {
    /// Velocity of the origin \[m/s\].
    Linear,
    /// Angular velocity \[rad/s\].
    Angular,
}

impl TwistPart {
    /// Equations of the declared velocities of all bodies. Declarations that read inputs are left out.
    fn declared(self, rest: &Mechanics<'_, Motion>) -> Vec<(SparseRow, f64)> {
        let model = rest.model;
        let known = |e: &ExprId| !model.exprs.mentions(*e).input;
        let bodies = model.bodies.iter().filter_map(|body| Some((body, self.declared_vector(body)?)));
        let components =
            bodies.flat_map(|(body, guess)| self.components(model.space).map(move |k| (body, k, guess[k])));
        let equation = |(body, k, guess): (&Body, usize, ExprId)| {
            let (observed, at_rest) = self.component(rest, body.origin_marker, k);
            (rest.observable_gradient(observed), rest.value(guess).value() - at_rest)
        };
        components.filter(|(.., guess)| known(guess)).map(equation).collect()
    }

    /// The vector that a body declares for this part.
    fn declared_vector(self, body: &Body) -> Option<[ExprId; 3]> {
        match self {
            TwistPart::Linear => body.velocity,
            TwistPart::Angular => body.angular_velocity,
        }
    }

    /// The components that the part has in a space.
    fn components(self, space: Space) -> Range<usize> {
        match (self, space) {
            (_, Space::Spatial) => 0..3,
            (TwistPart::Linear, Space::Planar) => 0..2,
            (TwistPart::Angular, Space::Planar) => 2..3,
        }
    }

    /// World component k at a body's origin: the operation that observes it, and its value.
    fn component(self, rest: &Mechanics<'_, Motion>, origin: MarkerId, k: usize) -> (Op, f64) {
        match (self, rest.model.space) {
            (TwistPart::Linear, _) => (Op::Position(origin, k as u8), rest.marker_point(origin)[k].derivative(1)),
            (TwistPart::Angular, Space::Planar) => (Op::Angle(origin), rest.marker_angle(origin).derivative(1)),
            (TwistPart::Angular, Space::Spatial) => {
                let omega = rest.model.markers[origin.index()].body.map(|b| rest.angular_velocity(b));
                (Op::AngularVelocity(origin, k as u8), omega.map_or(0.0, |w| w[k].value()))
            }
        }
    }
}

/// The v of least norm with row · v = right for each row; rows that depend on earlier ones are left out. Zero where the system has no finite
/// solution.
fn least_norm_speeds(n: usize, rows: &[(SparseRow, f64)]) -> Vec<f64> {
    let matrix: Vec<SparseRow> = rows.iter().map(|r| r.0.clone()).collect();
    let dependent = dependent_rows(&matrix);
    let kept: Vec<&(SparseRow, f64)> =
        (0..rows.len()).filter(|r| dependent.binary_search(r).is_err()).map(|r| &rows[r]).collect();
    let squares: Vec<SparseRow> = (0..n).map(|i| SparseRow::from([(i, WEIGHT)])).collect();
    let system = saddle(&squares, &kept.iter().map(|(row, _)| row.clone()).collect::<Vec<_>>());
    let Ok(factors) = Factors::new(system) else { return vec![0.0; n] };
    let mut x = vec![0.0; n + kept.len()];
    for _ in 0..=REFINEMENTS {
        // −w v − Aᵀ μ and b − A v, with the entries that `saddle` leaves out as round-off.
        let mut right: Vec<f64> = x[..n].iter().map(|v| -WEIGHT * v).collect();
        for ((row, target), mu) in kept.iter().zip(&x[n..]) {
            row.iter().for_each(|(i, a)| right[*i] -= a * mu);
            right.push(target - row.iter().map(|(i, a)| a * x[*i]).sum::<f64>());
        }
        x.iter_mut().zip(factors.solve(right)).for_each(|(x, step)| *x += step);
    }
    if x.iter().any(|v| !v.is_finite()) {
        return vec![0.0; n];
    }
    x.truncate(n);
    x
}
