//! Finds expressions that depend on the rotation of a bar about its axis.

use mbs_core::math::irrational;
use mbs_core::rotation::{exp, plus, rotate};
use mbs_definition::{Errors, Origin};
use mbs_expr::{ExprId, Series};
use mbs_math::Vector;
use mbs_model::{Model, RowLevel};
use mbs_physics::{Link, LinkOwner, Mechanics, Mobilizer, SolverCoordinate, Tree, Variables, default_variables};

use super::{Bar, NEAR, PLACED_FULLY};
use crate::{displaced, mass};

/// Arbitrary rotation \[rad\] and spin \[rad/s\] of a bar about its line.
const TURN: f64 = 0.7;
const SPIN: f64 = 1.3;

/// Evaluates everything with each bar rotated about its line, in poses near the declared ones and at arbitrary speeds. Reports, for each bar,
/// the first item that depends on the rotation.
pub(super) fn check<const N: usize>(of: (&Model, &Tree), start: &[f64], bars: &[Bar], errors: &mut Errors) {
    let (model, tree) = of;
    let pattern = |k: usize| (0..tree.n()).map(move |i| irrational(k as f64 + 1.0, i));
    for bar in bars {
        let Some(own) = Own::of(bar, tree) else { continue };
        let found = (0..2).find_map(|k| {
            let delta: Vec<f64> = pattern(k).map(|x| 0.3 * x).collect();
            let at = State { q: displaced(model, tree, start, &delta), v: pattern(k + 7).collect() };
            felt::<N>(of, &own, &at)
        });
        if let Some((name, origin)) = found {
            let bar = &model.bodies[bar.body.index()].name;
            let message = format!("`{bar}` is a bar, and `{name}` turns it about its line, or feels how it is turned");
            errors.push("MBS051", origin, message, Some(PLACED_FULLY.to_owned()));
        }
    }
}

/// A state in body coordinates.
#[derive(Clone)]
struct State {
    q: Vec<f64>,
    v: Vec<f64>,
}

/// A bar, with the start of its quaternion and the indices of its angular velocity about its axes.
struct Own<'b> {
    bar: &'b Bar,
    attitude: usize,
    spins: [usize; 3],
}

impl<'b> Own<'b> {
    fn of(bar: &'b Bar, tree: &Tree) -> Option<Self> {
        let floats = |l: &Link| {
            matches!(l.owner, LinkOwner::Body(b) if b == bar.body) && matches!(l.mobilizer, Mobilizer::Free { .. })
        };
        let at = tree.links.iter().position(floats)?;
        let speed = |c: u8| tree.solver_index(SolverCoordinate::Link(at as u32, 3 + c));
        Some(Own { bar, attitude: tree.links[at].first_q + 3, spins: [speed(0)?, speed(1)?, speed(2)?] })
    }

    /// Rotates the components of a list that belong to the bar, about its line.
    fn turn(&self, angle: f64, list: &mut [f64]) {
        let turned = rotate(exp((self.bar.along * angle).0), self.spins.map(|i| list[i]));
        (0..3).for_each(|k| list[self.spins[k]] = turned[k]);
    }

    /// Returns the state with the bar rotated about its line; the components of ω in its axes rotate back, so that the motion stays.
    fn with_turn(&self, at: &State) -> State {
        let mut turned = at.clone();
        let attitude: [usize; 4] = std::array::from_fn(|k| self.attitude + k);
        let end = plus(attitude.map(|k| at.q[k]), (self.bar.along * TURN).0);
        (0..4).for_each(|k| turned.q[attitude[k]] = end[k]);
        self.turn(-TURN, &mut turned.v);
        turned
    }

    fn with_spin(&self, at: &State) -> State {
        let mut spinning = at.clone();
        (0..3).for_each(|k| spinning.v[self.spins[k]] += SPIN * self.bar.along[k]);
        spinning
    }
}

type Numbers<'m, const N: usize> = Mechanics<'m, Series<N>>;

/// Returns the first item that depends on the rotation or the spin of a bar about its line.
fn felt<const N: usize>((model, tree): (&Model, &Tree), own: &Own<'_>, at: &State) -> Option<(String, Origin)> {
    let moving =
        |at: &State| -> Numbers<'_, N> { mass::moving::<N>(model, tree, variables(model, tree), &at.q, &at.v) };
    let [still, turned, spinning] = [moving(at), moving(&own.with_turn(at)), moving(&own.with_spin(at))];
    let same = |e: ExprId, other: &Numbers<'_, N>| {
        let [a, b] = [still.value(e).value(), other.value(e).value()];
        // Expressions without a value are not compared.
        !differs(a, b, 1.0)
    };
    let spin = |derivatives: &mbs_physics::linear::SparseRow| -> (f64, f64) {
        let terms = (0..3).map(|k| derivatives.get(&own.spins[k]).copied().unwrap_or(0.0) * own.bar.along[k]);
        (terms.sum(), derivatives.values().fold(0.0, |m, x| x.abs().max(m)))
    };
    let moved = |e: ExprId, level: RowLevel| {
        let (derivative, largest) = spin(&still.gradient(e, level));
        derivative.abs() > NEAR * largest
    };
    for row in &tree.rows {
        if !same(row.residual, &turned) || moved(row.residual, row.level) {
            let joint = row.joint().map(|j| model.joint(j).name.clone());
            return Some((joint.unwrap_or_else(|| row.name.clone()), row.origin));
        }
    }
    for force in &model.forces {
        let of = |m: &Numbers<'_, N>| -> Vec<f64> {
            let derivatives = |e, level| m.derivatives(e, level);
            m.load_forces(&force.loads, &derivatives).into_iter().map(Series::value).collect()
        };
        let (mut turned, spinning, still) = (of(&turned), of(&spinning), of(&still));
        own.turn(TURN, &mut turned);
        let largest = still.iter().fold(0.0_f64, |m, x| x.abs().max(m));
        let other = |list: &[f64]| still.iter().zip(list).any(|(a, b)| differs(*a, *b, largest));
        let moment = Vector(own.spins.map(|i| still[i])).dot(own.bar.along);
        if moment.abs() > NEAR * largest || other(&turned) || other(&spinning) {
            return Some((force.name.clone(), force.origin));
        }
    }
    for condition in &model.conditions {
        if !same(condition.target, &turned) || moved(condition.target, condition.level) {
            return Some((format!("initial {}", condition.name), condition.origin));
        }
    }
    let observed = model.outputs.iter().map(|o| (&o.name, o.origin, &o.values[..]));
    let rates = model.auxiliary.iter().map(|z| (&z.quantity.name, z.quantity.origin, &z.rates[..]));
    let events = model.events.iter().map(|event| (&event.name, event.origin, std::slice::from_ref(&event.value)));
    for (name, origin, values) in observed.chain(rates).chain(events) {
        let known = |e: &&ExprId| !model.exprs.mentions(**e).multiplier;
        if values.iter().filter(known).any(|e| !same(*e, &turned)) {
            return Some((name.clone(), origin));
        }
    }
    for event in &model.events {
        let targets = event.targets.iter().chain(event.assignments.iter().map(|(_, e)| e));
        let conditions = event.conditions.iter();
        let held = conditions.clone().any(|c| !same(c.target, &turned) || moved(c.target, c.level));
        if held || targets.clone().any(|e| !same(*e, &turned)) {
            return Some((event.name.clone(), event.origin));
        }
    }
    None
}

fn differs(a: f64, b: f64, size: f64) -> bool {
    (a - b).abs() > NEAR * (a.abs() + b.abs() + size)
}

/// Inputs and states are as good as any, too.
fn variables<const N: usize>(model: &Model, tree: &Tree) -> Variables<Series<N>> {
    let mut variables = default_variables::<N>(model, tree);
    let given = |(i, x): (usize, &mut Series<N>)| *x = Series::constant(x.value() + irrational(2.0, i));
    variables.inputs.iter_mut().enumerate().for_each(given);
    variables.auxiliary.iter_mut().enumerate().for_each(given);
    variables
}
