//! Basics by name, and the rows that natural coordinates need.

use std::collections::{BTreeMap, BTreeSet};
use std::f64::consts::TAU;

use super::choice::{Choice, Place};
use super::{Basic, Basis, Natural};
use crate::{
    BodyId, BodyKind, ExprId, Function, Function2, JointId, JointKind, Marker, MarkerId, Model, Op, Row, RowLevel,
};

/// What is built of a choice.
pub struct Builder<'m> {
    pub model: &'m mut Model,
    pub choice: Choice,
    pub natural: Natural,
    /// Basic points by the place that stands for them.
    pub basics: BTreeMap<Place, usize>,
}

impl Builder<'_> {
    /// Basics, then rows.
    pub fn build(mut self) -> Natural {
        self.natural.bodies = vec![None; self.model.bodies.len()];
        let bodies: Vec<(BodyId, Vec<[ExprId; 3]>)> = self.choice.points.iter().map(|(b, p)| (*b, p.clone())).collect();
        for (body, points) in &bodies {
            let basis = self.basis(*body, points);
            self.natural.bodies[body.index()] = Some(basis);
        }
        for (joint, place) in std::mem::take(&mut self.choice.shared) {
            let basic = self.basics[&self.choice.representative(place)];
            self.natural.shared.push((joint, basic));
            self.natural.replaced.extend((0..self.model.joint(joint).rows.len()).map(|row| (joint, row)));
        }
        for (body, _) in &bodies {
            self.keep_rigid(*body);
        }
        self.turn_joints();
        self.count_turns();
        self.natural
    }

    fn basis(&mut self, body: BodyId, points: &[[ExprId; 3]]) -> Basis {
        let points: Vec<(usize, [ExprId; 3])> = points.iter().map(|at| (self.point((Some(body), *at)), *at)).collect();
        let mut vectors = Vec::new();
        let declared = &self.model.bodies[body.index()];
        if declared.kind == BodyKind::Rigid && points.len() == 1 {
            let name = format!("{}.axis", declared.name);
            let exprs = &mut self.model.exprs;
            let at = [exprs.number(1.0), exprs.number(0.0), exprs.number(0.0)];
            vectors.push((self.natural.basics.len(), at));
            self.natural.basics.push(Basic { name, is_point: false, body: Some(body), at });
        }
        Basis { points, vectors }
    }

    /// The basic point at a place, made now if not yet.
    fn point(&mut self, place: Place) -> usize {
        let (body, at) = self.choice.representative(place);
        if let Some(known) = self.basics.get(&(body, at)) {
            return *known;
        }
        let joint = self.choice.shared.iter().find(|(_, p)| self.choice.representative(*p) == (body, at));
        let name = match joint {
            Some((joint, _)) => self.model.joint(*joint).name.clone(),
            None => format!("{}.point", place.0.map_or("ground", |b| &self.model.bodies[b.index()].name)),
        };
        self.natural.basics.push(Basic { name, is_point: true, body, at });
        self.basics.insert((body, at), self.natural.basics.len() - 1);
        self.natural.basics.len() - 1
    }

    /// |r₂ − r₁|² = const or |u|² = 1, but for a distance that another body keeps.
    fn keep_rigid(&mut self, body: BodyId) {
        let Some(basis) = self.natural.basis(body).cloned() else { return };
        if let [first, second] = basis.points[..] {
            if self.is_kept(body, [first.0, second.0]) {
                return;
            }
            let ends = [first, second].map(|(_, at)| self.marker(body, at));
            let exprs = &mut self.model.exprs;
            let along = [0, 1].map(|c| {
                let [a, b] = ends.map(|m| exprs.push(Op::Position(m, c)));
                exprs.sub(b, a)
            });
            let length = [0, 1].map(|c| exprs.sub(second.1[c], first.1[c]));
            let [square, constant] = [exprs.dot(&along, &along), exprs.dot(&length, &length)];
            self.row(body, [square, constant]);
        }
        if let [(_, _)] = basis.vectors[..] {
            let marker = self.model.bodies[body.index()].origin_marker;
            let exprs = &mut self.model.exprs;
            let axis = [0, 1].map(|c| exprs.push(Op::Direction(marker, 0, c)));
            let [square, constant] = [exprs.dot(&axis, &axis), exprs.number(1.0)];
            self.row(body, [square, constant]);
        }
    }

    /// Whether a body before this one keeps two points as far apart.
    fn is_kept(&self, body: BodyId, points: [usize; 2]) -> bool {
        let length = self.choice.lengths.get(&body);
        self.choice.lengths.iter().take_while(|(other, _)| **other < body).any(|(other, kept)| {
            let of_other = self.natural.basis(*other).map_or(&[][..], |basis| &basis.points);
            let same = of_other.iter().all(|(i, _)| points.contains(i));
            same && length.is_some_and(|length| (length - kept).abs() <= 1e-9 * kept)
        })
    }

    fn row(&mut self, body: BodyId, [left, right]: [ExprId; 2]) {
        let residual = self.model.exprs.sub(left, right);
        let declared = &self.model.bodies[body.index()];
        self.natural.rows.push(Row {
            name: format!("{}.rigid", declared.name),
            joint: None,
            equation: None,
            body: Some(body),
            origin: declared.origin,
            residual,
            enabled: None,
            level: RowLevel::Position,
        });
    }

    fn marker(&mut self, body: BodyId, point: [ExprId; 3]) -> MarkerId {
        let zero = self.model.exprs.number(0.0);
        let name = format!("{}.basic", self.model.bodies[body.index()].name);
        let marker = Marker { name, body: Some(body), point, angle: zero, rotation: None, drawn: false };
        self.model.markers.push(marker);
        MarkerId(self.model.markers.len() as u32 - 1)
    }

    /// Rows θ_P + α − θ_Q of joints become x̂_Q × R(α) x̂_P: sin of it, without an angle.
    fn turn_joints(&mut self) {
        for j in 0..self.model.joints.len() {
            let joint = &self.model.joints[j];
            let alpha = match joint.kind {
                JointKind::Prismatic { .. } => self.model.exprs.number(0.0),
                JointKind::Fixed { angle } => angle,
                _ => continue,
            };
            let ends = joint.ends;
            let Some(row) = joint.rows.iter().position(|(name, _)| name == "angle") else { continue };
            if !ends.iter().any(|m| self.is_natural(*m)) {
                continue;
            }
            let exprs = &mut self.model.exprs;
            let [cos, sin] = [Function::Cos, Function::Sin].map(|f| exprs.unary(f, alpha));
            let first = [0, 1].map(|c| {
                let [x, y] = [0, 1].map(|axis| exprs.push(Op::Direction(ends[0], axis, c)));
                let [x, y] = [exprs.mul(cos, x), exprs.mul(sin, y)];
                exprs.add(x, y)
            });
            let second = [0, 1].map(|c| exprs.push(Op::Direction(ends[1], 0, c)));
            let [a, b] = [exprs.mul(second[0], first[1]), exprs.mul(second[1], first[0])];
            self.natural.turned.insert((JointId(j as u32), row), self.model.exprs.sub(a, b));
        }
    }

    fn is_natural(&self, marker: MarkerId) -> bool {
        self.model.markers[marker.index()].body.is_some_and(|b| self.natural.basis(b).is_some())
    }

    /// Bodies whose angle something depends on that must not jump: an unknown θ of its own, with the row w − 2π ⌊w/2π + ½⌋ = 0 of
    /// w = θ − atan2(x̂). Its slopes and rates need no trigonometry.
    fn count_turns(&mut self) {
        let mut bodies: Vec<BodyId> = Vec::new();
        for root in self.lasting_roots() {
            self.bodies_whose_angles(root, &mut bodies);
        }
        bodies.sort_unstable();
        bodies.dedup();
        for body in &bodies {
            let declared = &self.model.bodies[body.index()];
            let (marker, name, origin) = (declared.origin_marker, format!("{}.angle", declared.name), declared.origin);
            let exprs = &mut self.model.exprs;
            let angle = exprs.push(Op::Angle(marker));
            let [x, y] = [0, 1].map(|c| exprs.push(Op::Direction(marker, 0, c)));
            let principal = exprs.binary(Function2::Atan2, y, x);
            let apart = exprs.sub(angle, principal);
            let [turn, half] = [TAU, 0.5].map(|x| exprs.number(x));
            let turns = exprs.div(apart, turn);
            let turns = exprs.add(turns, half);
            let turns = exprs.unary(Function::Floor, turns);
            let whole = exprs.mul(turn, turns);
            let residual = exprs.sub(apart, whole);
            let row = Row {
                name,
                joint: None,
                equation: None,
                body: Some(*body),
                origin,
                residual,
                enabled: None,
                level: RowLevel::Position,
            };
            self.natural.rows.push(row);
        }
        self.natural.angles = bodies;
    }

    /// What the motion depends on, not what is only reported.
    fn lasting_roots(&self) -> Vec<ExprId> {
        let model = &*self.model;
        let rows = model.joints.iter().enumerate().flat_map(|(j, joint)| {
            let kept = move |k: usize| !self.natural.turned.contains_key(&(JointId(j as u32), k));
            joint.rows.iter().enumerate().filter(move |(k, _)| kept(*k)).map(|(_, (_, e))| *e)
        });
        rows.chain(model.moving_roots()).collect()
    }

    /// Bodies whose angles an expression has; rates of angles need none.
    fn bodies_whose_angles(&self, root: ExprId, found: &mut Vec<BodyId>) {
        let exprs = &self.model.exprs;
        let (mut waiting, mut seen) = (vec![root], BTreeSet::new());
        while let Some(e) = waiting.pop() {
            if !seen.insert(e) {
                continue;
            }
            match exprs.op(e) {
                Op::Rate(of) if matches!(exprs.op(of), Op::Angle(_) | Op::JointCoordinate(..)) => {}
                Op::Angle(m) if self.is_natural(m) => found.extend(self.model.markers[m.index()].body),
                Op::JointCoordinate(j, k) => waiting.push(self.model.joint(j).coordinates[usize::from(k)].1),
                op => waiting.extend(exprs.children(op).into_iter().flatten()),
            }
        }
    }
}
