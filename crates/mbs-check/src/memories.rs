//! Continuous angles and quaternions of continuous sign, where the formulation has no coordinate for them. The reported value is the one nearest
//! to a memory, which is part of the state:
//!
//! 1. x = p + 2π ⌊(m − p)/2π + ½⌋ for an angle p in (−π, π\] and its memory m;
//! 2. q = s p with s = −1 where m·p < 0, else 1, for a quaternion p and its memory m.
//!
//! Memories follow the auxiliary states in z. They have no rates: steps and other changes of a state set them to x and q
//! ([`mbs_core::Mechanism::remember`]). With a memory of zero the value is p. The motion does not depend on memories: an angle in the equations of
//! motion has its own unknown.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap as HashMap;
use std::f64::consts::TAU;

use mbs_definition::Space;
use mbs_expr::{BodyId, Branch, ExprId, Exprs, JointId, MarkerId, Op, Scalar, Series};
use mbs_model::{BodyKind, Memory, MemoryKind, Model, RowLevel};
use mbs_physics::{Mechanics, SolverCoordinate, Tree, Variables, default_variables};

/// Whether rewriting may add memories, or only read existing ones.
#[derive(Clone, Copy, PartialEq)]
enum Memories {
    Added,
    Known,
}

/// An expression made continuous by memories.
#[derive(Clone, Copy)]
struct Continued {
    value: ExprId,
    rate: Rate,
}

/// Whether an expression and its continuation have the same rate.
#[derive(Clone, Copy, PartialEq)]
enum Rate {
    Same,
    Other,
}

/// Rewrites outputs and events so that they read memories wherever the formulation has no coordinate for an angle or a quaternion. Adds these
/// memories to `Quantities::memories`; sets `Start::remembered_conditions` and `Start::declared_memories`. Called once, with the tree of the
/// formulation and the declared pose ([`declared_pose`](super::declared_pose)).
pub fn keep_branches(model: &mut Model, tree: &Tree, declared: &[f64]) {
    let mut continuing = Continuing {
        done: HashMap::default(),
        bodies: BTreeMap::new(),
        first: model.n_z(),
        memories: Memories::Added,
        model,
        tree,
    };
    if continuing.model.settings.kernels.outputs {
        for i in 0..continuing.model.outputs.len() {
            let values = continuing.model.outputs[i].values.clone();
            continuing.model.outputs[i].values = continuing.expressions(values);
        }
    }
    for i in 0..continuing.model.events.len() {
        let mut event = continuing.model.events[i].clone();
        event.value = continuing.expression(event.value);
        event.enabled = event.enabled.map(|e| continuing.expression(e));
        for (_, assigned) in &mut event.assignments {
            *assigned = continuing.expression(*assigned);
        }
        event.targets = continuing.expressions(event.targets);
        continuing.model.events[i] = event;
    }
    continuing.memories = Memories::Known;
    let (conditions, guesses) = (&continuing.model.start.conditions, &continuing.model.start.guesses);
    let positions = conditions.iter().chain(guesses).filter(|c| c.level == RowLevel::Position);
    for [target, value] in positions.map(|c| [c.target, c.value]).collect::<Vec<_>>() {
        let continued = continuing.expression(target);
        if continued != target {
            continuing.model.start.remembered_conditions.push([continued, value]);
        }
    }
    declare_memories(model, tree, declared);
}

/// Sets `Start::declared_memories`: expressions of the memories at the start of a run with other parameters, with the revolutions that
/// conditions declare at those.
fn declare_memories(model: &mut Model, tree: &Tree, declared: &[f64]) {
    let first = model.n_z();
    let angles: Vec<usize> = (0..model.quantities.memories.len())
        .filter(|i| model.quantities.memories[*i].kind == MemoryKind::Angle)
        .collect();
    let Some(revolutions) = revolutions_of_memories(model, tree, declared, &angles) else { return };
    let exprs = &mut model.exprs;
    let conditions = model.start.remembered_conditions.iter();
    let missing: Vec<ExprId> =
        conditions.map(|[continued, value]| whole_revolutions(exprs, *continued, *value)).collect();
    let mut declared: Vec<ExprId> =
        (0..model.quantities.memories.len()).map(|i| exprs.push(Op::Auxiliary((first + i) as u32))).collect();
    for (i, row) in angles.into_iter().zip(revolutions) {
        for (missing, factor) in missing.iter().zip(row).filter(|(_, factor)| *factor != 0.0) {
            declared[i] = exprs.write(|w| w.id(w.expr(declared[i]) + TAU * factor * w.expr(*missing)));
        }
    }
    model.start.declared_memories = declared;
}

/// Revolutions of each memory that change one remembered condition by one revolution and the others by none: a row for each memory in `angles`,
/// a column for each condition. `None` where memories change no condition.
fn revolutions_of_memories(model: &Model, tree: &Tree, pose: &[f64], angles: &[usize]) -> Option<Vec<Vec<f64>>> {
    let n = model.start.remembered_conditions.len();
    if n == 0 || angles.is_empty() {
        return None;
    }
    let values = |advanced: Option<usize>| -> Vec<f64> {
        let mut variables: Variables<Series<2>> = default_variables(model, tree);
        if let Some(z) = advanced.and_then(|i| variables.auxiliary.get_mut(model.n_z() + i)) {
            *z = *z + Series::constant(TAU);
        }
        let coordinates = pose.iter().map(|x| Series::constant(*x)).collect();
        let mechanics = Mechanics::at_solver_coordinates(model, tree, variables, coordinates);
        model.start.remembered_conditions.iter().map(|[continued, _]| mechanics.value(*continued).value()).collect()
    };
    let before = values(None);
    let columns: Vec<Vec<f64>> = angles.iter().map(|i| values(Some(*i))).collect();
    // Gauss–Jordan elimination with pivots ±1 of [A 1], where A are the revolutions of conditions for one revolution of each memory.
    let revolutions = |k: usize, i: usize| ((columns[i][k] - before[k]) / TAU).round();
    let width = angles.len();
    let row = |k: usize| -> Vec<f64> {
        let unit = (0..n).map(|other| f64::from(u8::from(other == k)));
        (0..width).map(|i| revolutions(k, i)).chain(unit).collect()
    };
    let mut rows: Vec<Vec<f64>> = (0..n).map(row).collect();
    let mut found = vec![vec![0.0; n]; width];
    let mut pivots: Vec<(usize, usize)> = Vec::new();
    for k in 0..n {
        let Some(i) = (0..width).find(|i| rows[k][*i].abs() == 1.0) else { continue };
        let sign = rows[k][i];
        rows[k].iter_mut().for_each(|x| *x *= sign);
        let pivot = rows[k].clone();
        for (_, row) in rows.iter_mut().enumerate().filter(|(other, _)| *other != k) {
            let factor = row[i];
            if factor != 0.0 {
                row.iter_mut().zip(&pivot).for_each(|(x, y)| *x -= factor * y);
            }
        }
        pivots.push((k, i));
    }
    pivots.iter().for_each(|(k, i)| found[*i].copy_from_slice(&rows[*k][width..]));
    (!pivots.is_empty()).then_some(found)
}

/// Sets the start of each memory in the declared state, whose interface coordinates are q: the principal value, with the revolutions that
/// conditions declare.
pub fn start_memories(model: &mut Model, tree: &Tree, q: &[f64]) {
    if model.quantities.memories.is_empty() {
        return;
    }
    let principal: Vec<ExprId> = model.quantities.memories.iter().map(|m| m.principal).collect();
    let starts = values_at_defaults(model, tree, q, &principal);
    for (memory, start) in model.quantities.memories.iter_mut().zip(starts) {
        memory.start = if start.is_finite() { start } else { 0.0 };
    }
    for k in 0..model.start.remembered_conditions.len() {
        let missing = missing_revolutions(model, tree, q, k).last().copied().unwrap_or(0.0);
        let angles =
            (0..model.quantities.memories.len()).filter(|i| model.quantities.memories[*i].kind == MemoryKind::Angle);
        let shifts = angles.flat_map(|i| [(i, missing), (i, -missing)]).collect::<Vec<_>>();
        for (i, revolutions) in if missing == 0.0 { &[][..] } else { &shifts } {
            let start = model.quantities.memories[*i].start;
            model.quantities.memories[*i].start += TAU * revolutions;
            if missing_revolutions(model, tree, q, k).iter().all(|revolutions| *revolutions == 0.0) {
                break;
            }
            model.quantities.memories[*i].start = start;
        }
    }
}

/// Sets the memories in z at the start of a run, so that angles have the revolutions that initial values and guesses declare at these
/// parameters. `q` are interface coordinates, `z` the auxiliary states with the memories behind them; the memories are overwritten.
pub fn declare_revolutions(model: &Model, tree: &Tree, parameters: &[f64], q: &[f64], z: &mut [f64]) {
    if model.start.declared_memories.is_empty() {
        return;
    }
    let constants = |list: &[f64]| -> Vec<Series<2>> { list.iter().map(|x| Series::constant(*x)).collect() };
    for _ in 0..model.quantities.memories.len() {
        let variables =
            Variables { parameters: constants(parameters), auxiliary: constants(z), ..default_variables(model, tree) };
        let mechanics = Mechanics::at_interface_coordinates(model, tree, variables, &constants(q));
        for (memory, declared) in z.iter_mut().skip(model.n_z()).zip(&model.start.declared_memories) {
            *memory = mechanics.value(*declared).value();
        }
    }
}

/// Number of revolutions by which the first k + 1 declared values exceed the expressions that read memories.
fn missing_revolutions(model: &Model, tree: &Tree, q: &[f64], k: usize) -> Vec<f64> {
    let values = values_at_defaults(model, tree, q, model.start.remembered_conditions[..=k].as_flattened());
    values.chunks_exact(2).map(|pair| ((pair[1] - pair[0]) / TAU).round()).collect()
}

/// Values of expressions at interface coordinates q and default parameters, inputs and auxiliary states.
fn values_at_defaults(model: &Model, tree: &Tree, q: &[f64], list: &[ExprId]) -> Vec<f64> {
    let q: Vec<Series<2>> = q.iter().map(|x| Series::constant(*x)).collect();
    let variables: Variables<Series<2>> = default_variables(model, tree);
    let mechanics = Mechanics::at_interface_coordinates(model, tree, variables, &q);
    list.iter().map(|e| mechanics.value(*e).value()).collect()
}

/// ⌊(b − a)/2π + ½⌋, the number of revolutions in (1) for p = a and m = b.
fn whole_revolutions(exprs: &mut Exprs, a: ExprId, b: ExprId) -> ExprId {
    exprs.write(|w| w.id((w.expr(b) - w.expr(a)).whole_turns()))
}

/// Rewrites expressions by (1) and (2).
struct Continuing<'m> {
    model: &'m mut Model,
    tree: &'m Tree,
    /// Index in z of the first memory: the number of auxiliary states.
    first: usize,
    memories: Memories,
    done: HashMap<ExprId, Continued>,
    /// 2π times the number of revolutions of each body in natural coordinates.
    bodies: BTreeMap<BodyId, ExprId>,
}

impl Continuing<'_> {
    fn expressions(&mut self, list: Vec<ExprId>) -> Vec<ExprId> {
        list.into_iter().map(|e| self.expression(e)).collect()
    }

    fn expression(&mut self, root: ExprId) -> ExprId {
        // Children come first.
        for id in self.model.exprs.subexpressions(root) {
            if !self.done.contains_key(&id) {
                let continued = self.continued(id);
                self.done.insert(id, continued);
            }
        }
        self.done[&root].value
    }

    fn continued(&mut self, id: ExprId) -> Continued {
        match (self.model.exprs.branch(id), self.model.exprs.op(id)) {
            (Some(Branch::Angle), _) => Continued { value: self.continuous_angle(id), rate: Rate::Same },
            (Some(Branch::Quaternion { parts, component }), _) => self.continuous_quaternion(parts, component, id),
            (_, Op::Angle(m)) => self.marker_angle(m, id),
            (_, Op::JointCoordinate(j, k)) => self.joint_coordinate((j, k), id),
            (_, Op::Rate(operand)) => {
                let Continued { value, rate } = self.done[&operand];
                let value = if rate == Rate::Same { id } else { self.model.exprs.rate(value) };
                Continued { value, rate: if value == id { Rate::Same } else { Rate::Other } }
            }
            (_, op) => {
                let value = self.with_children(op, id);
                Continued { value, rate: if value == id { Rate::Same } else { Rate::Other } }
            }
        }
    }

    /// An operation on its rewritten operands.
    fn with_children(&mut self, op: Op, id: ExprId) -> ExprId {
        let rewritten = |e: ExprId| self.done[&e].value;
        if self.model.exprs.children(op).into_iter().flatten().all(|e| rewritten(e) == e) {
            return id;
        }
        let op = match op {
            Op::Unary(f, a) => Op::Unary(f, rewritten(a)),
            Op::Binary(f, a, b) => Op::Binary(f, rewritten(a), rewritten(b)),
            Op::Select(test, list) => Op::Select(test, list.map(rewritten)),
            Op::Called { function, source, partial, arguments } => {
                // Unused arguments repeat the first one.
                let taken = usize::from(partial.arguments);
                let arguments = std::array::from_fn(|i| rewritten(arguments[if i < taken { i } else { 0 }]));
                Op::Called { function, source, partial, arguments }
            }
            op => op,
        };
        self.model.exprs.push(op)
    }

    /// Coordinate k of a joint: unchanged where the formulation has it, else the expression that measures it.
    fn joint_coordinate(&mut self, (joint, k): (JointId, u8), id: ExprId) -> Continued {
        let unknown = match self.model.space {
            Space::Spatial => self.tree.joint_coordinate_index(joint, k),
            Space::Planar => {
                let candidates = [SolverCoordinate::Displacement(joint, k), SolverCoordinate::Posed(joint, k)];
                candidates.into_iter().find_map(|c| self.tree.solver_index(c))
            }
        };
        let measured = self.model.joint(joint).coordinates[usize::from(k)].1;
        let kept = Continued { value: id, rate: Rate::Same };
        if unknown.is_some() || self.tree.prescribed(joint, k).is_some() || measured == id {
            return kept;
        }
        if let Some(value) = self.given_previous(joint, k) {
            return Continued { value, rate: Rate::Other };
        }
        let is_angle = self.model.exprs.branch(measured) == Some(Branch::Angle);
        match self.expression(measured) {
            value if value == measured => kept,
            value if is_angle || self.model.space == Space::Planar => Continued { value, rate: Rate::Same },
            value => Continued { value, rate: Rate::Other },
        }
    }

    /// Expression that measures coordinate k given coordinate k − 1, if that is an unknown of the formulation: see
    /// [`Joint::by_previous`](mbs_model::Joint::by_previous).
    fn given_previous(&self, joint: JointId, k: u8) -> Option<ExprId> {
        let before = SolverCoordinate::ContinuousCoordinate(joint, k.checked_sub(1)?);
        self.tree.solver_index(before)?;
        self.model.joint(joint).by_previous.get(usize::from(k)).copied().flatten()
    }

    /// Angle of a marker. It includes the revolutions of the body, if the body is in natural coordinates and has no unknown that counts them.
    fn marker_angle(&mut self, marker: MarkerId, id: ExprId) -> Continued {
        let kept = Continued { value: id, rate: Rate::Same };
        let Some(body) = self.model.markers[marker.index()].body else { return kept };
        let is_counted = self.tree.solver_index(SolverCoordinate::ContinuousAngle(body)).is_some();
        let rotates = self.model.bodies[body.index()].kind == BodyKind::Rigid;
        if !self.model.is_marker_natural(marker) || is_counted || !rotates {
            return kept;
        }
        let revolutions = match self.bodies.get(&body) {
            Some(revolutions) => *revolutions,
            None if self.memories == Memories::Known => return kept,
            None => {
                let angle = self.model.exprs.push(Op::Angle(self.model.bodies[body.index()].origin_marker));
                let revolutions = self.counted_revolutions(angle);
                self.bodies.insert(body, revolutions);
                revolutions
            }
        };
        let value = self.model.exprs.write(|w| w.id(w.expr(id) + w.expr(revolutions)));
        Continued { value, rate: Rate::Same }
    }

    /// x of (1), unless the angle is constant, or depends on more than positions.
    fn continuous_angle(&mut self, angle: ExprId) -> ExprId {
        if !self.is_position_dependent(angle) || self.memories == Memories::Known {
            return angle;
        }
        let revolutions = self.counted_revolutions(angle);
        self.model.exprs.write(|w| w.id(w.expr(angle) + w.expr(revolutions)))
    }

    /// x − p of (1), with a new memory of the angle p.
    fn counted_revolutions(&mut self, angle: ExprId) -> ExprId {
        let memory = self.memory(self.model.quantities.memories.len());
        let [revolutions, value] = self.model.exprs.write(|w| {
            let [angle, memory] = [angle, memory].map(|x| w.expr(x));
            let revolutions = TAU * (memory - angle).whole_turns();
            [revolutions, angle + revolutions].map(|x| w.id(x))
        });
        self.model.quantities.memories.push(Memory { value, principal: angle, start: 0.0, kind: MemoryKind::Angle });
        revolutions
    }

    /// A component of q in (2); all four components get memories.
    fn continuous_quaternion(&mut self, parts: [ExprId; 4], component: u8, id: ExprId) -> Continued {
        let moves = parts.iter().any(|e| self.is_position_dependent(*e)) && !parts.iter().any(|e| self.reads_more(*e));
        if !moves || self.memories == Memories::Known {
            return Continued { value: id, rate: Rate::Same };
        }
        let first = self.model.quantities.memories.len();
        let memory = [0, 1, 2, 3].map(|k| self.memory(first + k));
        let values = self.model.exprs.write(|w| {
            let [memory, parts] = [memory, parts].map(|q| w.vector(q));
            w.ids(memory.dot(parts).if_less(0.0, -1.0, 1.0) * parts)
        });
        for (part, value) in parts.into_iter().zip(values) {
            self.model.quantities.memories.push(Memory {
                value,
                principal: part,
                start: 0.0,
                kind: MemoryKind::Quaternion,
            });
            if self.model.exprs.value(part).is_none() {
                self.done.insert(part, Continued { value, rate: Rate::Other });
            }
        }
        Continued { value: values[usize::from(component)], rate: Rate::Other }
    }

    /// The expression that reads memory i.
    fn memory(&mut self, i: usize) -> ExprId {
        self.model.exprs.push(Op::Auxiliary((self.first + i) as u32))
    }

    /// Whether an expression depends on positions or time, and on nothing else that changes.
    fn is_position_dependent(&self, e: ExprId) -> bool {
        let m = self.model.exprs.mentions(e);
        (m.order.is_some() || m.time) && !self.reads_more(e)
    }

    /// Whether an expression reads speeds, accelerations, inputs or multipliers.
    fn reads_more(&self, e: ExprId) -> bool {
        let m = self.model.exprs.mentions(e);
        m.order.is_some_and(|order| order > 0) || m.input || m.multiplier
    }
}
