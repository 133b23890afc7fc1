//! Angles that count revolutions and quaternions that keep their sign where no coordinate does: the reported value is the one nearest to a
//! memory, which is part of the state.
//!
//! 1. x = p + 2π ⌊(m − p)/2π + ½⌋ for an angle p in (−π, π\] and its memory m;
//! 2. q = s p with s = −1 where m·p < 0, else 1, for a quaternion p and its memory m.
//!
//! Memories follow the auxiliary states in z. They have no rates: steps and other changes of a state set them to x and q
//! ([`mbs_core::Mechanism::remember`]). A memory of zero gives p. The motion depends on no memory: angles that it depends on have unknowns of
//! their own.

use std::collections::{BTreeMap, HashMap};
use std::f64::consts::TAU;

use mbs_definition::Space;
use mbs_expr::{BodyId, Branch, ExprId, Exprs, JointId, MarkerId, Op, Scalar, Series};
use mbs_model::{BodyKind, Memory, MemoryKind, Model, RowLevel};
use mbs_physics::{Mechanics, SolverCoordinate, Tree, Variables, default_variables};

use super::declared_pose;

/// Whether expressions may get new memories, or only read existing ones.
#[derive(Clone, Copy, PartialEq)]
enum Memories {
    Added,
    Known,
}

/// An expression, continued by memories where it needs them.
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

/// Reads memories in outputs and events, wherever a formulation has no coordinate for an angle or a quaternion. Done once, with the tree of
/// the formulation.
pub fn keep_branches(model: &mut Model, tree: &Tree) {
    let mut continuing = Continuing {
        done: HashMap::new(),
        bodies: BTreeMap::new(),
        first: model.n_z(),
        memories: Memories::Added,
        model,
        tree,
    };
    if continuing.model.kernels.outputs {
        for i in 0..continuing.model.outputs.len() {
            let values = continuing.model.outputs[i].values.clone();
            continuing.model.outputs[i].values = continuing.all(values);
        }
    }
    for i in 0..continuing.model.events.len() {
        let mut event = continuing.model.events[i].clone();
        event.value = continuing.expression(event.value);
        event.enabled = event.enabled.map(|e| continuing.expression(e));
        for (_, assigned) in &mut event.assignments {
            *assigned = continuing.expression(*assigned);
        }
        event.targets = continuing.all(event.targets);
        continuing.model.events[i] = event;
    }
    continuing.memories = Memories::Known;
    let (conditions, guesses) = (&continuing.model.conditions, &continuing.model.guesses);
    let declared = conditions.iter().chain(guesses).filter(|c| c.level == RowLevel::Position);
    for [target, value] in declared.map(|c| [c.target, c.value]).collect::<Vec<_>>() {
        let continued = continuing.expression(target);
        if continued != target {
            continuing.model.remembered_conditions.push([continued, value]);
        }
    }
    declare_memories(model, tree);
}

/// Writes what memories become where a run of other parameters starts: with the whole turns more that conditions then declare.
fn declare_memories(model: &mut Model, tree: &Tree) {
    let first = model.n_z();
    let angles: Vec<usize> =
        (0..model.memories.len()).filter(|i| model.memories[*i].kind == MemoryKind::Angle).collect();
    let Some(turns) = turns_of_conditions(model, tree, &angles) else { return };
    let exprs = &mut model.exprs;
    let conditions = model.remembered_conditions.iter();
    let missing: Vec<ExprId> = conditions.map(|[continued, value]| whole_turns(exprs, *continued, *value)).collect();
    let mut declared: Vec<ExprId> =
        (0..model.memories.len()).map(|i| exprs.push(Op::Auxiliary((first + i) as u32))).collect();
    for (i, row) in angles.into_iter().zip(turns) {
        for (missing, by) in missing.iter().zip(row).filter(|(_, by)| *by != 0.0) {
            declared[i] = exprs.write(|w| w.id(w.expr(declared[i]) + TAU * by * w.expr(*missing)));
        }
    }
    model.declared_memories = declared;
}

/// By how many turns each angle turns where each declared position turns once and the others do not: a row for each angle. `None` where no
/// position can.
fn turns_of_conditions(model: &Model, tree: &Tree, angles: &[usize]) -> Option<Vec<Vec<f64>>> {
    let n = model.remembered_conditions.len();
    if n == 0 || angles.is_empty() {
        return None;
    }
    let pose = declared_pose(model, tree);
    let at = |turned: Option<usize>| -> Vec<f64> {
        let mut variables: Variables<Series<1>> = default_variables(model, tree);
        if let Some(z) = turned.and_then(|i| variables.auxiliary.get_mut(model.n_z() + i)) {
            *z = *z + Series::constant(TAU);
        }
        let coordinates = pose.iter().map(|x| Series::constant(*x)).collect();
        let mechanics = Mechanics::at_solver_coordinates(model, tree, variables, coordinates);
        model.remembered_conditions.iter().map(|[continued, _]| mechanics.value(*continued).value()).collect()
    };
    let rest = at(None);
    let columns: Vec<Vec<f64>> = angles.iter().map(|i| at(Some(*i))).collect();
    // Turns of conditions by those of angles, with what was added to each row; by Gauss and Jordan, with pivots ±1.
    let turns = |k: usize, i: usize| ((columns[i][k] - rest[k]) / TAU).round();
    let width = angles.len();
    let row = |k: usize| -> Vec<f64> {
        let own = (0..n).map(|other| f64::from(u8::from(other == k)));
        (0..width).map(|i| turns(k, i)).chain(own).collect()
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

/// Sets the memories of the declared state, whose coordinates are q: principal values, with the whole turns that conditions declare.
pub fn start_memories(model: &mut Model, tree: &Tree, q: &[f64]) {
    if model.memories.is_empty() {
        return;
    }
    let principal: Vec<ExprId> = model.memories.iter().map(|m| m.principal).collect();
    let starts = remembering(model, tree, q, &principal);
    for (memory, start) in model.memories.iter_mut().zip(starts) {
        memory.start = if start.is_finite() { start } else { 0.0 };
    }
    for k in 0..model.remembered_conditions.len() {
        let apart = turns_apart(model, tree, q, k);
        let by = apart.last().copied().unwrap_or(0.0);
        let angles = (0..model.memories.len()).filter(|i| model.memories[*i].kind == MemoryKind::Angle);
        let shifts = angles.flat_map(|i| [(i, by), (i, -by)]).collect::<Vec<_>>();
        for (i, turns) in if by == 0.0 { &[][..] } else { &shifts } {
            let start = model.memories[*i].start;
            model.memories[*i].start += TAU * turns;
            if turns_apart(model, tree, q, k).iter().all(|turns| *turns == 0.0) {
                break;
            }
            model.memories[*i].start = start;
        }
    }
}

/// Gives the memories in z the whole turns that initial values and guesses declare at these parameters, where a run starts at q.
pub fn declare_turns(model: &Model, tree: &Tree, parameters: &[f64], q: &[f64], z: &mut [f64]) {
    if model.declared_memories.is_empty() {
        return;
    }
    let constants = |list: &[f64]| -> Vec<Series<1>> { list.iter().map(|x| Series::constant(*x)).collect() };
    for _ in 0..model.memories.len() {
        let variables =
            Variables { parameters: constants(parameters), auxiliary: constants(z), ..default_variables(model, tree) };
        let mechanics = Mechanics::at_interface_coordinates(model, tree, variables, &constants(q));
        for (to, from) in z.iter_mut().skip(model.n_z()).zip(&model.declared_memories) {
            *to = mechanics.value(*from).value();
        }
    }
}

/// By how many whole turns the first k + 1 declared values are ahead of what reads memories.
fn turns_apart(model: &Model, tree: &Tree, q: &[f64], k: usize) -> Vec<f64> {
    let values = remembering(model, tree, q, model.remembered_conditions[..=k].as_flattened());
    values.chunks_exact(2).map(|pair| ((pair[1] - pair[0]) / TAU).round()).collect()
}

/// Values of expressions in the declared state.
fn remembering(model: &Model, tree: &Tree, q: &[f64], of: &[ExprId]) -> Vec<f64> {
    let q: Vec<Series<1>> = q.iter().map(|x| Series::constant(*x)).collect();
    let variables: Variables<Series<1>> = default_variables(model, tree);
    let mechanics = Mechanics::at_interface_coordinates(model, tree, variables, &q);
    of.iter().map(|e| mechanics.value(*e).value()).collect()
}

/// ⌊(b − a)/2π + ½⌋, the whole turns of (1) from an angle a to the nearest of b.
fn whole_turns(exprs: &mut Exprs, a: ExprId, b: ExprId) -> ExprId {
    exprs.write(|w| w.id((w.expr(b) - w.expr(a)).whole_turns()))
}

/// Expressions on their way to (1) and (2).
struct Continuing<'m> {
    model: &'m mut Model,
    tree: &'m Tree,
    /// Number of auxiliary states.
    first: usize,
    memories: Memories,
    done: HashMap<ExprId, Continued>,
    /// Whole turns of bodies in natural coordinates, an angle each.
    bodies: BTreeMap<BodyId, ExprId>,
}

impl Continuing<'_> {
    fn all(&mut self, list: Vec<ExprId>) -> Vec<ExprId> {
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
            (Some(Branch::Angle), _) => Continued { value: self.near(id), rate: Rate::Same },
            (Some(Branch::Quaternion { parts, component }), _) => self.signed(parts, component, id),
            (_, Op::Angle(m)) => self.angle(m, id),
            (_, Op::JointCoordinate(j, k)) => self.coordinate((j, k), id),
            (_, Op::Rate(of)) => {
                let Continued { value, rate } = self.done[&of];
                let value = if rate == Rate::Same { id } else { self.model.exprs.rate(value) };
                Continued { value, rate: if value == id { Rate::Same } else { Rate::Other } }
            }
            (_, op) => {
                let value = self.with_children(op, id);
                Continued { value, rate: if value == id { Rate::Same } else { Rate::Other } }
            }
        }
    }

    /// An operation on what its operands became.
    fn with_children(&mut self, op: Op, id: ExprId) -> ExprId {
        let to = |e: ExprId| self.done[&e].value;
        if self.model.exprs.children(op).into_iter().flatten().all(|e| to(e) == e) {
            return id;
        }
        let op = match op {
            Op::Unary(f, a) => Op::Unary(f, to(a)),
            Op::Binary(f, a, b) => Op::Binary(f, to(a), to(b)),
            Op::Select(test, list) => Op::Select(test, list.map(to)),
            Op::Called { function, source, partial, arguments } => {
                // Those that it does not take are the first again.
                let taken = usize::from(partial.arguments);
                let arguments = std::array::from_fn(|i| to(arguments[if i < taken { i } else { 0 }]));
                Op::Called { function, source, partial, arguments }
            }
            op => op,
        };
        self.model.exprs.push(op)
    }

    /// Coordinate k of a joint: as it is where the formulation has it, else as it is measured.
    fn coordinate(&mut self, (joint, k): (JointId, u8), id: ExprId) -> Continued {
        let own = match self.model.space {
            Space::Spatial => self.tree.joint_coordinate_index(joint, k),
            Space::Planar => {
                let own = [SolverCoordinate::Displacement(joint, k), SolverCoordinate::Posed(joint, k)];
                own.into_iter().find_map(|c| self.tree.solver_index(c))
            }
        };
        let measured = self.model.joint(joint).coordinates[usize::from(k)].1;
        let kept = Continued { value: id, rate: Rate::Same };
        if own.is_some() || self.tree.prescribed(joint, k).is_some() || measured == id {
            return kept;
        }
        if let Some(beside) = self.beside(joint, k) {
            return Continued { value: beside, rate: Rate::Other };
        }
        let is_angle = self.model.exprs.branch(measured) == Some(Branch::Angle);
        match self.expression(measured) {
            value if value == measured => kept,
            value if is_angle || self.model.space == Space::Planar => Continued { value, rate: Rate::Same },
            value => Continued { value, rate: Rate::Other },
        }
    }

    /// Expression that measures coordinate k given the one before it, if that is an unknown of the formulation: see
    /// [`Joint::by_previous`](mbs_model::Joint::by_previous).
    fn beside(&self, joint: JointId, k: u8) -> Option<ExprId> {
        let before = SolverCoordinate::ContinuousCoordinate(joint, k.checked_sub(1)?);
        self.tree.solver_index(before)?;
        self.model.joint(joint).by_previous.get(usize::from(k)).copied().flatten()
    }

    /// Angle of a marker, with the revolutions of its body, if that is in natural coordinates and has no unknown that counts them.
    fn angle(&mut self, marker: MarkerId, id: ExprId) -> Continued {
        let kept = Continued { value: id, rate: Rate::Same };
        let Some(body) = self.model.markers[marker.index()].body else { return kept };
        let is_counted = self.tree.solver_index(SolverCoordinate::ContinuousAngle(body)).is_some();
        let turns = self.model.bodies[body.index()].kind == BodyKind::Rigid;
        if !self.model.is_marker_natural(marker) || is_counted || !turns {
            return kept;
        }
        let whole = match self.bodies.get(&body) {
            Some(whole) => *whole,
            None if self.memories == Memories::Known => return kept,
            None => {
                let angle = self.model.exprs.push(Op::Angle(self.model.bodies[body.index()].origin_marker));
                let whole = self.remembered(angle);
                self.bodies.insert(body, whole);
                whole
            }
        };
        let value = self.model.exprs.write(|w| w.id(w.expr(id) + w.expr(whole)));
        Continued { value, rate: Rate::Same }
    }

    /// (1), unless the angle stands still, or depends on more than places.
    fn near(&mut self, angle: ExprId) -> ExprId {
        if !self.is_of_places(angle) || self.memories == Memories::Known {
            return angle;
        }
        let whole = self.remembered(angle);
        self.model.exprs.write(|w| w.id(w.expr(angle) + w.expr(whole)))
    }

    /// The whole turns of (1), with a memory of the angle.
    fn remembered(&mut self, angle: ExprId) -> ExprId {
        let memory = self.memory(self.model.memories.len());
        let [whole, value] = self.model.exprs.write(|w| {
            let [angle, memory] = [angle, memory].map(|x| w.expr(x));
            let whole = TAU * (memory - angle).whole_turns();
            [whole, angle + whole].map(|x| w.id(x))
        });
        self.model.memories.push(Memory { value, principal: angle, start: 0.0, kind: MemoryKind::Angle });
        whole
    }

    /// (2), of all components at once.
    fn signed(&mut self, parts: [ExprId; 4], component: u8, id: ExprId) -> Continued {
        let moves = parts.iter().any(|e| self.is_of_places(*e)) && !parts.iter().any(|e| self.reads_more(*e));
        if !moves || self.memories == Memories::Known {
            return Continued { value: id, rate: Rate::Same };
        }
        let first = self.model.memories.len();
        let memory = [0, 1, 2, 3].map(|k| self.memory(first + k));
        let values = self.model.exprs.write(|w| {
            let [memory, parts] = [memory, parts].map(|q| w.vector(q));
            w.ids(memory.dot(parts).if_less(0.0, -1.0, 1.0) * parts)
        });
        for (part, value) in parts.into_iter().zip(values) {
            self.model.memories.push(Memory { value, principal: part, start: 0.0, kind: MemoryKind::Quaternion });
            if self.model.exprs.value(part).is_none() {
                self.done.insert(part, Continued { value, rate: Rate::Other });
            }
        }
        Continued { value: values[usize::from(component)], rate: Rate::Other }
    }

    fn memory(&mut self, i: usize) -> ExprId {
        self.model.exprs.push(Op::Auxiliary((self.first + i) as u32))
    }

    /// Whether an expression moves, and is known where bodies are.
    fn is_of_places(&self, e: ExprId) -> bool {
        let m = self.model.exprs.mentions(e);
        (m.order.is_some() || m.time) && !self.reads_more(e)
    }

    fn reads_more(&self, e: ExprId) -> bool {
        let m = self.model.exprs.mentions(e);
        m.order.is_some_and(|order| order > 0) || m.input || m.multiplier
    }
}
