//! Basics by name, and the rows that natural coordinates need.

use std::collections::{BTreeMap, BTreeSet};
use std::f64::consts::TAU;

use super::choice::{Choice, Place, distance};
use super::{Basic, Basis, Natural, StatedBasis};
use crate::{
    BodyId, BodyKind, ExprId, Exprs, Function, Function2, JointId, JointKind, MarkerId, Model, Op, Row, RowLevel, plane,
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
        let of_several = |k: usize, n: usize| if n > 1 { format!("[{k}]") } else { String::new() };
        let name = |word: &str, number: String| format!("{}.{word}{number}", self.model.bodies[body.index()].name);
        let stated = self.model.bodies[body.index()].basis.clone();
        let names: Vec<String> = match &stated {
            Some(_) => (0..points.len()).map(|k| name("point", of_several(k, points.len()))).collect(),
            None => vec![name("point", String::new()); points.len()],
        };
        let vectors: Vec<(String, [ExprId; 3])> = match &stated {
            Some(StatedBasis { vectors, .. }) => {
                let named = |(k, at): (usize, &[ExprId; 3])| (name("vector", of_several(k, vectors.len())), *at);
                vectors.iter().enumerate().map(named).collect()
            }
            None if self.model.bodies[body.index()].kind == BodyKind::Rigid && points.len() == 1 => {
                let own = name("axis", String::new());
                let exprs = &mut self.model.exprs;
                vec![(own, [exprs.number(1.0), exprs.number(0.0), exprs.number(0.0)])]
            }
            None => Vec::new(),
        };
        let points = points.iter().zip(names).map(|(at, name)| (self.point((Some(body), *at), name), *at)).collect();
        let vector = |(name, at): (String, [ExprId; 3])| {
            self.natural.basics.push(Basic { name, is_point: false, body: Some(body), at });
            (self.natural.basics.len() - 1, at)
        };
        Basis { points, vectors: vectors.into_iter().map(vector).collect() }
    }

    /// The basic point at a place, made now if not yet. That of a joint has the joint's name.
    fn point(&mut self, place: Place, own: String) -> usize {
        let (body, at) = self.choice.representative(place);
        if let Some(known) = self.basics.get(&(body, at)) {
            return *known;
        }
        let joint = self.choice.shared.iter().find(|(_, p)| self.choice.representative(*p) == (body, at));
        let name = match joint {
            Some((joint, _)) => self.model.joint(*joint).name.clone(),
            None => own,
        };
        self.natural.basics.push(Basic { name, is_point: true, body, at });
        self.basics.insert((body, at), self.natural.basics.len() - 1);
        self.natural.basics.len() - 1
    }

    /// u·u, v·v and u·v of the body's directions u and v are constant, differences of points from the first one and vectors: of one direction
    /// its square. What other bodies keep is left out: |r₂ − r₁| is that of u, |r₃ − r₁| that of v, and |r₃ − r₂| follows with u·v.
    fn keep_rigid(&mut self, body: BodyId) {
        let Some(basis) = self.natural.basis(body).cloned() else { return };
        let kept = |[i, j]: [usize; 2]| j < basis.points.len() && self.is_kept(body, [i, j]);
        let left_out = [kept([0, 1]), kept([0, 2]), kept([1, 2])];
        let Some((first, others)) = basis.points.split_first() else { return };
        let exprs = &mut self.model.exprs;
        let basic = |exprs: &mut Exprs, i: usize| [0, 1].map(|c| exprs.push(Op::Basic(i as u32, c)));
        let minus = |exprs: &mut Exprs, a: [ExprId; 2], b: [ExprId; 2]| [0, 1].map(|c| exprs.sub(a[c], b[c]));
        // In the world, and in the body.
        let mut directions: Vec<[[ExprId; 2]; 2]> = Vec::new();
        for (i, at) in others {
            let ends = [*i, first.0].map(|i| basic(exprs, i));
            directions.push([minus(exprs, ends[0], ends[1]), minus(exprs, plane(*at), plane(first.1))]);
        }
        for (i, at) in &basis.vectors {
            directions.push([basic(exprs, *i), plane(*at)]);
        }
        let products: &[([usize; 2], &str)] = match directions.len() {
            0 => &[],
            1 => &[([0, 0], "")],
            _ => &[([0, 0], ".uu"), ([1, 1], ".vv"), ([0, 1], ".uv")],
        };
        for (([i, j], name), _) in products.iter().zip(left_out).filter(|(_, left_out)| !left_out) {
            let exprs = &mut self.model.exprs;
            let [product, constant] = [0, 1].map(|axes| exprs.dot(&directions[*i][axes], &directions[*j][axes]));
            self.row(body, name, [product, constant]);
        }
    }

    /// Whether a body before this one keeps two points as far apart: both are among its own.
    fn is_kept(&self, body: BodyId, pair: [usize; 2]) -> bool {
        let length = |body: BodyId, pair: [usize; 2]| {
            let places = &self.choice.places[&body];
            distance(&places[pair[0]], &places[pair[1]])
        };
        let Some(own) = self.natural.basis(body) else { return false };
        let wanted = pair.map(|k| own.points[k].0);
        self.choice.places.keys().take_while(|other| **other < body).any(|other| {
            let of_other = self.natural.basis(*other).map_or(&[][..], |basis| &basis.points);
            let [Some(i), Some(j)] = wanted.map(|point| of_other.iter().position(|(i, _)| *i == point)) else {
                return false;
            };
            let kept = length(*other, [i, j]);
            (length(body, pair) - kept).abs() <= 1e-9 * kept
        })
    }

    fn row(&mut self, body: BodyId, which: &str, [left, right]: [ExprId; 2]) {
        let residual = self.model.exprs.sub(left, right);
        let declared = &self.model.bodies[body.index()];
        self.natural.rows.push(Row {
            name: format!("{}.rigid{which}", declared.name),
            joint: None,
            equation: None,
            body: Some(body),
            origin: declared.origin,
            residual,
            enabled: None,
            level: RowLevel::Position,
        });
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
        self.natural.places(self.model.markers[marker.index()].body)
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
