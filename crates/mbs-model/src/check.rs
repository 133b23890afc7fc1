//! Numeric checks at default parameters: assembly, rank, freedoms, solvability.
//!
//! After this point: the mechanism assembles, its rows are independent, its freedoms are as declared, and M is positive
//! definite on the admissible motions (or dynamics were not asked for).

mod guess;

use crate::linear::{SparseRow, dependent_rows, solve};
use crate::mechanics::{InterfaceCoordinate, Mechanics, SolverCoordinate, Tree, Variables};
use crate::{Errors, Model, Origin, RowLevel, Series};

/// What the checks evaluate, at solver coordinates and speeds.
pub struct Sample {
    /// Φ of the position rows.
    pub phi: Vec<f64>,
    /// Ĝ, all rows.
    pub jacobian: Vec<SparseRow>,
    /// M̂, both triangles.
    pub mass: Vec<SparseRow>,
    /// Position-level `initial` conditions to be held (guesses too, if asked for): residual and gradient.
    pub conditions: Vec<(f64, SparseRow)>,
}

/// Evaluates a [`Sample`]; `guesses` says whether guessed conditions are wanted beside the exact ones.
pub type Evaluate<'a> = &'a dyn Fn(&[f64], bool) -> Sample;

/// What the checks found out.
#[derive(Clone, Debug)]
pub struct Checked {
    /// Interface coordinates of the assembled pose at default parameters: the guess a run starts from.
    pub q: Vec<f64>,
    /// Solver coordinates of the assembled pose.
    pub assembled: Vec<f64>,
    /// Speeds left after all rows but drives.
    pub freedoms: usize,
    /// Speeds left after all rows.
    pub undriven: usize,
    /// Whether M is positive definite on the admissible motions.
    pub solvable: bool,
    /// Typical diagonal of M, 1 for massless mechanisms.
    pub mass_scale: f64,
}

/// Series of parameters, time and states at their defaults.
pub fn default_variables<const N: usize>(model: &Model, tree: &Tree) -> Variables<Series<N>> {
    let constants = |values: Vec<f64>| values.into_iter().map(Series::constant).collect();
    Variables {
        t: Series::linear(0.0, 1.0),
        parameters: constants(model.parameters.iter().flat_map(|p| p.default.clone()).collect()),
        inputs: constants(vec![0.0; Model::flat_size(&model.inputs)]),
        auxiliary: constants(model.auxiliary.iter().flat_map(|a| a.quantity.default.clone()).collect()),
        multipliers: constants(vec![0.0; tree.rows.len()]),
    }
}

/// Runs all checks.
///
/// # Errors
/// MBS060 redundant rows, MBS061 singular declared pose, MBS062 wrong `freedoms`, MBS063 not assembled, MBS064 dynamics
/// unsolvable for lack of mass.
pub fn check(model: &Model, tree: &Tree, evaluate: Evaluate<'_>) -> Result<Checked, Errors> {
    let mut errors = Errors::new();
    let start = guess::declared(model, tree);
    let guessed = if model.conditions.iter().any(|c| !c.exact && c.level == RowLevel::Position) {
        assemble(evaluate, start.clone(), true).unwrap_or(start)
    } else {
        start
    };
    let assembled = match assemble(evaluate, guessed.clone(), false) {
        Ok(q) => q,
        Err((row, miss)) => {
            // Redundant rows also keep Newton's method from converging: they are the better message.
            if !report_redundant(tree, evaluate, &guessed, &mut errors) {
                report_miss(model, tree, row, miss, &mut errors);
            }
            return Err(errors);
        }
    };
    // The guess of a run is where this assembly ended: it is the branch that was checked, and a declared pose may be singular
    // (undeclared bodies in line with their neighbours), where the run's own Newton iteration could not start.
    let q = interface(model, tree, &assembled);
    report_redundant(tree, evaluate, &assembled, &mut errors);
    let sample = evaluate(&assembled, false);
    let drives = |r: usize| {
        let equation = tree.rows[r].equation;
        equation.is_some_and(|e| model.equations[e].category == crate::EquationCategory::Drive)
    };
    let n = tree.n();
    let undriven_rows: Vec<SparseRow> =
        (0..tree.rows.len()).filter(|r| !drives(*r)).map(|r| sample.jacobian[r].clone()).collect();
    let freedoms = n - (undriven_rows.len() - dependent_rows(&undriven_rows).len());
    if let Some((declared, origin)) = model.freedoms
        && declared != freedoms
        && errors.is_empty()
    {
        let plural = if freedoms == 1 { "" } else { "s" };
        errors.push(
            "MBS062",
            origin,
            format!("`{}` has {freedoms} freedom{plural}, not {declared}", model.name),
            Some(format!("{n} speeds less {} independent rows; write `freedoms: {freedoms};`", n - freedoms)),
        );
    }
    let weightless = sample.mass.iter().all(|r| r.values().all(|m| *m == 0.0));
    let solvable = !weightless && is_solvable(model, tree, &sample, model.kernels.forward, &mut errors);
    let masses: Vec<f64> = (0..n).filter_map(|i| sample.mass[i].get(&i).copied()).filter(|m| *m > 0.0).collect();
    let mass_scale = if masses.is_empty() { 1.0 } else { masses.iter().sum::<f64>() / masses.len() as f64 };
    let undriven = n - (sample.jacobian.len() - dependent_rows(&sample.jacobian).len());
    errors.into_result(Checked { q, assembled, freedoms, undriven, solvable, mass_scale })
}

/// Interface coordinates at solver coordinates, defaults elsewhere.
fn interface(model: &Model, tree: &Tree, solver: &[f64]) -> Vec<f64> {
    let coordinates = solver.iter().map(|x| Series::<1>::constant(*x)).collect();
    let mechanics = Mechanics::at_solver(model, tree, default_variables(model, tree), coordinates);
    mechanics.interface_coordinates().into_iter().map(Series::value).collect()
}

/// Newton–Raphson, mass-weighted where the mass is definite.
///
/// # Errors
/// The row with the largest miss (rows first, then conditions), and the miss.
fn assemble(evaluate: Evaluate<'_>, mut q: Vec<f64>, guesses: bool) -> Result<Vec<f64>, (usize, f64)> {
    let mut last_step = false;
    for _ in 0..50 {
        let sample = evaluate(&q, guesses);
        let residuals: Vec<f64> = sample.phi.iter().copied().chain(sample.conditions.iter().map(|c| c.0)).collect();
        let worst = worst(&residuals);
        if !worst.1.is_finite() {
            return Err(worst);
        }
        if last_step {
            return Ok(q);
        }
        last_step = worst.1 < 1e-10;
        let Some(step) = newton_step(&sample, q.len()) else { return if last_step { Ok(q) } else { Err(worst) } };
        for (x, d) in q.iter_mut().zip(step) {
            *x += d;
        }
    }
    let sample = evaluate(&q, guesses);
    let residuals: Vec<f64> = sample.phi.iter().copied().chain(sample.conditions.iter().map(|c| c.0)).collect();
    let worst = worst(&residuals);
    if worst.1 < 1e-10 { Ok(q) } else { Err(worst) }
}

fn worst(residuals: &[f64]) -> (usize, f64) {
    let key = |x: f64| if x.is_finite() { x.abs() } else { f64::INFINITY };
    let list = residuals.iter().map(|x| key(*x)).enumerate();
    list.fold((0, 0.0), |best, item| if item.1 > best.1 { item } else { best })
}

/// Minimum-norm step that removes the residuals, in the mass metric if it is definite, else in the unit metric; rows that
/// depend on earlier ones (conditions the constraints imply) are left out.
fn newton_step(sample: &Sample, n: usize) -> Option<Vec<f64>> {
    let mut rows: Vec<SparseRow> = sample.jacobian.iter().take(sample.phi.len()).cloned().collect();
    rows.extend(sample.conditions.iter().map(|c| c.1.clone()));
    let residuals: Vec<f64> = sample.phi.iter().copied().chain(sample.conditions.iter().map(|c| c.0)).collect();
    let dependent = dependent_rows(&rows);
    let kept: Vec<usize> = (0..rows.len()).filter(|r| !dependent.contains(r)).collect();
    let kept_rows: Vec<SparseRow> = kept.iter().map(|r| rows[*r].clone()).collect();
    let unit: Vec<SparseRow> = (0..n).map(|i| SparseRow::from([(i, 1.0)])).collect();
    let mut right = vec![0.0; n];
    right.extend(kept.iter().map(|r| -residuals[*r]));
    [&sample.mass, &unit].into_iter().find_map(|metric| {
        let mut x = solve(saddle(metric, &kept_rows), right.clone()).ok()?;
        x.truncate(n);
        x.iter().all(|v| v.is_finite()).then_some(x)
    })
}

/// [M Gᵀ; G 0].
fn saddle(mass: &[SparseRow], jacobian: &[SparseRow]) -> Vec<SparseRow> {
    let n = mass.len();
    let mut rows: Vec<SparseRow> = mass.to_vec();
    for (r, row) in jacobian.iter().enumerate() {
        for (i, g) in row {
            rows[*i].insert(n + r, *g);
        }
    }
    rows.extend(jacobian.iter().cloned());
    rows
}

fn report_miss(model: &Model, tree: &Tree, row: usize, miss: f64, errors: &mut Errors) {
    let help = "declare poses (`angle: …`, `position: …`) close to an assembled one, or check lengths".to_owned();
    match tree.rows.get(row).filter(|_| row < tree.n_position) {
        Some(r) => errors.push(
            "MBS063",
            r.origin,
            format!("`{}` does not assemble: `{}` misses by {miss:.3e}", model.name, r.name),
            Some(help),
        ),
        None => {
            let exact: Vec<_> =
                model.conditions.iter().filter(|c| c.exact && c.level == RowLevel::Position).collect();
            let condition = exact.get(row.saturating_sub(tree.n_position));
            errors.push(
                "MBS063",
                condition.map_or(model.origin, |c| c.origin),
                format!(
                    "`{}` does not assemble: `initial {}` misses by {miss:.3e}",
                    model.name,
                    condition.map_or("", |c| &c.name)
                ),
                Some(help),
            );
        }
    }
}

/// Names rows that depend on others: at all poses, redundant; at the declared one only, singular. Whether there were any.
fn report_redundant(tree: &Tree, evaluate: Evaluate<'_>, pose: &[f64], errors: &mut Errors) -> bool {
    let here = dependent_rows(&evaluate(pose, false).jacobian);
    if here.is_empty() {
        return false;
    }
    let elsewhere = |k: u32| {
        // Poses reached along free directions would be assembled; a fixed irrational pattern of small turns and shifts, then
        // assembled again, serves for all mechanisms alike.
        let moved: Vec<f64> =
            pose.iter().enumerate().map(|(i, x)| x + 0.1 * (f64::from(k) + 1.7 * i as f64).sin()).collect();
        assemble(evaluate, moved, false).ok().map(|q| dependent_rows(&evaluate(&q, false).jacobian))
    };
    let always: Vec<usize> = match (1..4).find_map(elsewhere) {
        Some(there) => here.iter().copied().filter(|r| there.contains(r)).collect(),
        None => here.clone(),
    };
    let singular = always.is_empty();
    let list = if singular { &here } else { &always };
    let mut named: Vec<(Origin, &str)> = Vec::new();
    for r in list {
        let row = &tree.rows[*r];
        let element = row.name.split(['.', '[']).next().unwrap_or(&row.name);
        let name = if row.joint.is_some() { row.name.rsplit_once('.').map_or(row.name.as_str(), |n| n.0) } else { element };
        if named.iter().any(|n| n.0 == row.origin && n.1 == name) {
            continue;
        }
        named.push((row.origin, name));
        if singular {
            errors.push(
                "MBS061",
                row.origin,
                format!("the declared pose is singular: there `{}` depends on the rows before it", row.name),
                Some("declare a pose away from it (`angle: …`), or another `initial` condition".to_owned()),
            );
        } else {
            errors.push(
                "MBS060",
                row.origin,
                format!("`{}` is redundant: it depends on the rows before it", row.name),
                Some("remove it, or give it a freedom (such as a `point_on_line` for a `revolute`)".to_owned()),
            );
        }
    }
    true
}

/// Whether M is definite on the admissible motions; names the body that moves without mass.
fn is_solvable(model: &Model, tree: &Tree, sample: &Sample, required: bool, errors: &mut Errors) -> bool {
    let dependent = dependent_rows(&sample.jacobian);
    let rows: Vec<SparseRow> = (0..sample.jacobian.len())
        .filter(|r| !dependent.contains(r))
        .map(|r| sample.jacobian[r].clone())
        .collect();
    let matrix = saddle(&sample.mass, &rows);
    let size = matrix.len();
    let Err(null) = solve(matrix, vec![0.0; size]) else { return true };
    if !required {
        return false;
    }
    let speed = (0..tree.n()).max_by(|a, b| null[*a].abs().total_cmp(&null[*b].abs())).unwrap_or(0);
    let (name, origin) = match tree.solver[speed] {
        SolverCoordinate::Turn(b) | SolverCoordinate::World(b, _) => {
            (model.bodies[b.index()].name.clone(), model.bodies[b.index()].origin)
        }
        SolverCoordinate::Slide(j) => {
            let body = model.markers[model.joints[j.index()].ends[1].index()].body;
            let body = body.or(model.markers[model.joints[j.index()].ends[0].index()].body);
            let body = &model.bodies[body.expect("a slide moves a body").index()];
            (body.name.clone(), body.origin)
        }
        SolverCoordinate::Algebraic(i) => {
            let wanted = InterfaceCoordinate::Algebraic(i);
            let at = tree.interface.iter().position(|c| *c == wanted).unwrap_or(0);
            (tree.coordinate_name(model, at), model.algebraic.first().map_or(model.origin, |a| a.origin))
        }
    };
    errors.push(
        "MBS064",
        origin,
        format!("the dynamics of `{name}` cannot be solved: it can move without mass"),
        Some("give it mass or inertia, constrain it, or ask for kinematics alone: `kernels: [kinematics, outputs];`".into()),
    );
    false
}
