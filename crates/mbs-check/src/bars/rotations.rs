//! Finds expressions that depend on the rotation of a bar about its axis.

use mbs_core::math::irrational;
use mbs_core::rotation::{exp, plus, rotate};
use mbs_definition::{Errors, Origin};
use mbs_expr::{ExprId, Series};
use mbs_math::Vector;
use mbs_model::{Model, RowLevel};
use mbs_physics::{Link, LinkOwner, Mechanics, Mobilizer, SolverCoordinate, Tree, Variables, default_variables};

use super::{BAR_HELP, Bar, NEAR};
use crate::nested_rates::Motion;
use crate::{displaced, mass};

/// Arbitrary rotation of a bar about its line \[rad\].
const ROTATION: f64 = 0.7;
/// Arbitrary spin of a bar about its line \[rad/s\].
const SPIN: f64 = 1.3;

/// Evaluates everything with each bar rotated about its line, in poses near the declared ones and at arbitrary speeds. Reports, for each bar,
/// the first item that depends on the rotation.
pub(super) fn check(model: &Model, tree: &Tree, start: &[f64], bars: &[Bar], errors: &mut Errors) {
    let pattern = |k: usize| (0..tree.n()).map(move |i| irrational(k as f64 + 1.0, i));
    for bar in bars {
        let Some(indices) = BarIndices::new(bar, tree) else { continue };
        let found = (0..2).find_map(|k| {
            let delta: Vec<f64> = pattern(k).map(|x| 0.3 * x).collect();
            let state = State { q: displaced(model, tree, start, &delta), v: pattern(k + 7).collect() };
            dependent_item(model, tree, &indices, &state)
        });
        if let Some((name, origin)) = found {
            let bar = &model.bodies[bar.body.index()].name;
            let message =
                format!("`{bar}` is a bar, and `{name}` rotates it about its line, or depends on its rotation");
            errors.push("MBS051", origin, message, Some(BAR_HELP.to_owned()));
        }
    }
}

/// A state in body coordinates.
#[derive(Clone)]
struct State {
    q: Vec<f64>,
    v: Vec<f64>,
}

/// A bar with the indices of its coordinates and speeds in body coordinates.
struct BarIndices<'b> {
    bar: &'b Bar,
    /// Index of the first component of its quaternion.
    attitude: usize,
    /// Indices of the components of its angular velocity in its own axes.
    spins: [usize; 3],
}

impl<'b> BarIndices<'b> {
    fn new(bar: &'b Bar, tree: &Tree) -> Option<Self> {
        let floats = |l: &Link| {
            matches!(l.owner, LinkOwner::Body(b) if b == bar.body) && matches!(l.mobilizer, Mobilizer::Free { .. })
        };
        let link = tree.links.iter().position(floats)?;
        let speed = |c: u8| tree.solver_index(SolverCoordinate::Link(link as u32, 3 + c));
        Some(BarIndices { bar, attitude: tree.links[link].first_q + 3, spins: [speed(0)?, speed(1)?, speed(2)?] })
    }

    /// Rotates the bar's angular components of a list about its line, in place.
    fn rotate_components(&self, angle: f64, list: &mut [f64]) {
        let rotated = rotate(exp((self.bar.direction * angle).0), self.spins.map(|i| list[i]));
        (0..3).for_each(|k| list[self.spins[k]] = rotated[k]);
    }

    /// Returns the state with the bar rotated about its line; the components of ω in its axes rotate back, so that ω in the world stays.
    fn rotated_state(&self, state: &State) -> State {
        let mut rotated = state.clone();
        let attitude: [usize; 4] = std::array::from_fn(|k| self.attitude + k);
        let end = plus(attitude.map(|k| state.q[k]), (self.bar.direction * ROTATION).0);
        (0..4).for_each(|k| rotated.q[attitude[k]] = end[k]);
        self.rotate_components(-ROTATION, &mut rotated.v);
        rotated
    }

    /// Returns the state with a spin about the line added to the bar's angular velocity.
    fn spinning_state(&self, state: &State) -> State {
        let mut spinning = state.clone();
        (0..3).for_each(|k| spinning.v[self.spins[k]] += SPIN * self.bar.direction[k]);
        spinning
    }
}

type Numbers<'m> = Mechanics<'m, Motion>;

/// Returns the first item that depends on the rotation or the spin of a bar about its line.
fn dependent_item(model: &Model, tree: &Tree, indices: &BarIndices<'_>, state: &State) -> Option<(String, Origin)> {
    let moving = |state: &State| -> Numbers<'_> {
        mass::mechanics_in_motion(model, tree, variables(model, tree), &state.q, &state.v)
    };
    let (rotated, spinning) = (indices.rotated_state(state), indices.spinning_state(state));
    let [still, rotated, spinning] = [moving(state), moving(&rotated), moving(&spinning)];
    let equal = |e: ExprId, other: &Numbers<'_>| {
        let [a, b] = [still.value(e).value(), other.value(e).value()];
        // Expressions without a value are not compared.
        !differs(a, b, 1.0)
    };
    let spin = |derivatives: &mbs_physics::linear::SparseRow| -> (f64, f64) {
        let terms =
            (0..3).map(|k| derivatives.get(&indices.spins[k]).copied().unwrap_or(0.0) * indices.bar.direction[k]);
        (terms.sum(), derivatives.values().fold(0.0, |m, x| x.abs().max(m)))
    };
    let depends_on_spin = |e: ExprId, level: RowLevel| {
        let (derivative, largest) = spin(&still.gradient(e, level));
        derivative.abs() > NEAR * largest
    };
    for row in &tree.rows {
        if !equal(row.residual, &rotated) || depends_on_spin(row.residual, row.level) {
            let joint = row.joint().map(|j| model.joint(j).name.clone());
            return Some((joint.unwrap_or_else(|| row.name.clone()), row.origin));
        }
    }
    for force in &model.loads.forces {
        let generalised_forces = |m: &Numbers<'_>| -> Vec<f64> {
            let derivatives = |e, level| m.derivatives(e, level);
            m.spatial().load_forces(&force.loads, &derivatives).into_iter().map(Series::value).collect()
        };
        let [mut rotated, spinning, still] = [&rotated, &spinning, &still].map(generalised_forces);
        indices.rotate_components(ROTATION, &mut rotated);
        let largest = still.iter().fold(0.0_f64, |m, x| x.abs().max(m));
        let changes = |list: &[f64]| still.iter().zip(list).any(|(a, b)| differs(*a, *b, largest));
        let moment = Vector(indices.spins.map(|i| still[i])).dot(indices.bar.direction);
        if moment.abs() > NEAR * largest || changes(&rotated) || changes(&spinning) {
            return Some((force.name.clone(), force.origin));
        }
    }
    for condition in &model.start.conditions {
        if !equal(condition.target, &rotated) || depends_on_spin(condition.target, condition.level) {
            return Some((format!("initial {}", condition.name), condition.origin));
        }
    }
    let observed = model.outputs.iter().map(|o| (&o.name, o.origin, &o.values[..]));
    let rates = model.quantities.auxiliary.iter().map(|z| (&z.quantity.name, z.quantity.origin, &z.rates[..]));
    let events = model.events.iter().map(|event| (&event.name, event.origin, std::slice::from_ref(&event.value)));
    for (name, origin, values) in observed.chain(rates).chain(events) {
        let known = |e: &&ExprId| !model.exprs.mentions(**e).multiplier;
        if values.iter().filter(known).any(|e| !equal(*e, &rotated)) {
            return Some((name.clone(), origin));
        }
    }
    for event in &model.events {
        let targets = event.targets.iter().chain(event.assignments.iter().map(|(_, e)| e));
        let conditions = event.conditions.iter();
        let constrained = conditions.clone().any(|c| !equal(c.target, &rotated) || depends_on_spin(c.target, c.level));
        if constrained || targets.clone().any(|e| !equal(*e, &rotated)) {
            return Some((event.name.clone(), event.origin));
        }
    }
    None
}

/// Whether two numbers differ by more than round-off of them or of `size`; false for NaN.
fn differs(a: f64, b: f64, size: f64) -> bool {
    (a - b).abs() > NEAR * (a.abs() + b.abs() + size)
}

/// Default parameters, with arbitrary values of inputs and auxiliary states.
fn variables(model: &Model, tree: &Tree) -> Variables<Motion> {
    let mut variables = default_variables(model, tree);
    let given = |(i, x): (usize, &mut Motion)| *x = Series::constant(x.value() + irrational(2.0, i));
    variables.inputs.iter_mut().enumerate().for_each(given);
    variables.auxiliary.iter_mut().enumerate().for_each(given);
    variables
}
