//! Reactions of pins whose bodies share a point, in natural coordinates.
//!
//! A force F at a basic point b does the power F·ḃ, so that what the equations of one body alone leave along its basic point is what the
//! pins there exert on it:
//!
//! ```text
//! (1)  F_b = (M_body q̈ − Q_body + G_bodyᵀ λ) along b
//! ```
//!
//! A pin exerts the sum of (1) over the bodies that it holds to the others at the point.

use std::collections::BTreeMap;

use crate::mechanics::reactions::Slopes;
use crate::mechanics::{FrameSum, Mechanics, SolverCoordinate};
use crate::{BodyId, ExprId, JointId, Load, MarkerId, Op, RowLevel, Scalar, plane};

/// Forces along basic points and vectors, by body and frame.
type Along<S> = BTreeMap<(BodyId, usize), [S; 2]>;

impl<S: Scalar> Mechanics<'_, S> {
    /// World force of each pin that costs no equation, on the body of its second end.
    pub(super) fn shared_pins(&self, slopes: Slopes<'_, S>) -> Vec<(JointId, [S; 2])> {
        let natural = &self.model.natural;
        if natural.shared.is_empty() {
            return Vec::new();
        }
        let forces = self.along_basics(slopes);
        let frame_of = |basic: usize| self.kinematics.basics.iter().find(|(i, _)| *i == basic).map(|(_, frame)| *frame);
        let pin = |(joint, basic): &(JointId, usize)| {
            let (side, sign) = self.held_by(*joint, *basic);
            let at = frame_of(*basic).unwrap_or(0);
            let zero = [S::number(0.0); 2];
            let of = |b: &BodyId| forces.get(&(*b, at)).copied().unwrap_or(zero);
            let sum = side.iter().map(of).fold(zero, |sum, f| [sum[0] + f[0], sum[1] + f[1]]);
            (*joint, sum.map(|x| S::number(sign) * x))
        };
        natural.shared.iter().map(pin).collect()
    }

    /// Bodies on the second end's side of a pin at a shared point, and 1; where ground is among them, those on the other side, and −1.
    fn held_by(&self, joint: JointId, basic: usize) -> (Vec<BodyId>, f64) {
        let body = |m: MarkerId| self.model.markers[m.index()].body;
        let ends = |j: JointId| self.model.joint(j).ends.map(body);
        let others: Vec<[Option<BodyId>; 2]> = self
            .model
            .natural
            .shared
            .iter()
            .filter(|(j, b)| *b == basic && *j != joint)
            .map(|(j, _)| ends(*j))
            .collect();
        let side = |start: Option<BodyId>| {
            let mut found = vec![start];
            let mut next = 0;
            while let Some(at) = found.get(next).copied() {
                let beside = others.iter().filter(|pair| pair.contains(&at)).flatten();
                let new: Vec<_> = beside.filter(|b| !found.contains(b)).copied().collect();
                found.extend(new);
                next += 1;
            }
            found
        };
        let [first, second] = ends(joint);
        let of_second = side(second);
        let (bodies, sign) = if of_second.contains(&None) { (side(first), -1.0) } else { (of_second, 1.0) };
        (bodies.into_iter().flatten().collect(), sign)
    }

    /// (1) of every body.
    fn along_basics(&self, slopes: Slopes<'_, S>) -> Along<S> {
        let mut forces = self.inertia_along_basics();
        let gravity = self.model.gravity.map(|g| plane(g).map(|e| self.value(e)));
        for (b, body) in (0..).map(BodyId).zip(&self.model.bodies) {
            let (Some(g), mass) = (gravity, self.value(body.mass)) else { continue };
            self.push(&mut forces, body.com_marker, b, g.map(|g| -(mass * g)));
        }
        for load in self.model.forces.iter().flat_map(|f| &f.loads) {
            match *load {
                Load::Force { at, force } => {
                    if let Some(body) = self.model.markers[at.index()].body {
                        self.push(&mut forces, at, body, plane(force).map(|e| -self.value(e)));
                    }
                }
                Load::Torque { on, torque } => {
                    let torque = -self.value(torque[2]);
                    if let Some(body) = self.model.markers[on.index()].body {
                        self.turn(&mut forces, body, torque);
                    }
                }
                Load::Along { coordinate, value } => {
                    self.slide(&mut forces, coordinate, RowLevel::Position, -self.value(value), slopes);
                }
                Load::Potential(v) => self.slide(&mut forces, v, RowLevel::Position, S::number(1.0), slopes),
            }
        }
        for (row, lambda) in self.tree.rows.iter().zip(&self.variables.multipliers) {
            self.slide(&mut forces, row.residual, row.level, *lambda, slopes);
        }
        forces
    }

    /// Adds what a world force at a marker does.
    fn push(&self, forces: &mut Along<S>, at: MarkerId, body: BodyId, force: [S; 2]) {
        let state = self.kinematics.body(body);
        if state.basis.is_none() {
            return;
        }
        let point = plane(self.model.markers[at.index()].point).map(|e| self.value(e));
        add(forces, body, state.point(point), force);
    }

    /// Adds what a moment on a body does: its virtual rotation is that of the x axis.
    fn turn(&self, forces: &mut Along<S>, body: BodyId, torque: S) {
        let state = self.kinematics.body(body);
        let Some(basis) = &state.basis else { return };
        let frame = &self.kinematics.frames[state.frame];
        // A force ẑ × x̂ on the end of the x axis.
        let force = [-frame.sin * torque, frame.cos * torque];
        add(forces, body, basis.direction([S::number(1.0), S::number(0.0)]), force);
    }

    /// Adds what `load` along an expression does, by what it observes.
    fn slide(&self, forces: &mut Along<S>, e: ExprId, level: RowLevel, load: S, slopes: Slopes<'_, S>) {
        for (observable, slope) in slopes(e, level) {
            let along = load * slope;
            let unit = |c: u8| [0, 1].map(|k| if k == c { along } else { S::number(0.0) });
            match observable {
                Op::JointCoordinate(j, k) if self.own_coordinate(j, k).is_none() => {
                    let measured = self.model.joint(j).coordinates[usize::from(k)].1;
                    self.slide(forces, measured, RowLevel::Position, along, slopes);
                }
                Op::Position(m, c) => {
                    if let Some(body) = self.model.markers[m.index()].body {
                        self.push(forces, m, body, unit(c));
                    }
                }
                Op::Direction(m, axis, c) => {
                    let Some(body) = self.model.markers[m.index()].body else { continue };
                    let Some(direction) = self.natural_direction(m, axis) else { continue };
                    add(forces, body, direction, unit(c));
                }
                Op::Angle(m) | Op::AngularVelocity(m, 2) => {
                    let Some(body) = self.model.markers[m.index()].body else { continue };
                    // Where turns are counted, the load acts on the count.
                    if self.tree.index_of(SolverCoordinate::Unwound(body)).is_none() {
                        self.turn(forces, body, along);
                    }
                }
                _ => {}
            }
        }
    }
}

/// Adds what a force does whose power is that along a vector of a body.
fn add<S: Scalar>(forces: &mut Along<S>, body: BodyId, along: FrameSum<S>, [x, y]: [S; 2]) {
    for (frame, [alpha, beta]) in along.parts {
        let sum = forces.entry((body, frame)).or_insert([S::number(0.0); 2]);
        *sum = [sum[0] + (alpha * x + beta * y), sum[1] + (alpha * y - beta * x)];
    }
}
