//! Reactions of joints whose bodies share points and vectors, in natural coordinates.
//!
//! A force F at a basic point b, or along a basic vector, does the power F·ḃ, so that what the equations of one body alone leave along its
//! basics is what the joints there exert on it, a moment b × F where b is a vector:
//!
//! ```text
//! (1)  F_b = (M_body q̈ − Q_body + G_bodyᵀ λ) along b
//! ```
//!
//! A joint exerts the sum of (1) over the bodies that it holds to the others at what they share.

use std::collections::BTreeMap;

use mbs_definition::Space;
use mbs_expr::{BodyId, ExprId, JointId, MarkerId, Op, Scalar};
use mbs_math::{Vec3, Vector};
use mbs_model::{Load, RowLevel, plane};

use crate::reactions::{Derivatives, Wrench};
use crate::space::{along_axis, zero};
use crate::{FrameSum, Mechanics, SolverCoordinate};

/// Forces along basic points and vectors: by body, and by frame in the plane, by basic in space.
type Along<S> = BTreeMap<(BodyId, usize), Vec3<S>>;

impl<S: Scalar> Mechanics<'_, S> {
    /// Reactions of joints at shared basics: wrenches on the body of the second end, about that end.
    pub(super) fn shared(&self, derivatives: Derivatives<'_, S>) -> Vec<(JointId, Wrench<S>)> {
        let natural = &self.model.natural;
        if natural.shared.is_empty() {
            return Vec::new();
        }
        let forces = self.along_basics(derivatives);
        let joint = |(joint, basic): &(JointId, usize)| {
            let (side, sign) = self.held_by(*joint, *basic);
            let at = self.key(*basic);
            let of = |b: &BodyId| forces.get(&(*b, at)).copied().unwrap_or_else(zero);
            let sum = side.iter().map(of).fold(zero(), |sum, force| sum + force) * S::number(sign);
            let wrench = match natural.basics[*basic].is_point {
                true => Wrench { force: sum, torque: zero() },
                false => Wrench { force: zero(), torque: self.basic_vector(*basic).cross(sum) },
            };
            (*joint, wrench)
        };
        natural.shared.iter().map(joint).collect()
    }

    /// World components of a basic vector.
    fn basic_vector(&self, basic: usize) -> Vec3<S> {
        match self.model.space {
            Space::Spatial => Vector([0, 1, 2].map(|c| self.space.basic_component(basic, c))),
            Space::Planar => {
                let [x, y] = self.basic_coordinates(basic as u32);
                Vector([x, y, S::number(0.0)])
            }
        }
    }

    /// Key of the forces along a basic: its index in space, its frame in the plane.
    fn key(&self, basic: usize) -> usize {
        match self.model.space {
            Space::Spatial => basic,
            Space::Planar => self.kinematics.basics.iter().find(|(i, _)| *i == basic).map_or(0, |(_, frame)| *frame),
        }
    }

    /// Bodies that share a basic on the second end's side of a joint, and 1; if ground is among them, those on the other side, and −1.
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
    fn along_basics(&self, derivatives: Derivatives<'_, S>) -> Along<S> {
        let mut forces = self.inertia_along_all_basics();
        let gravity = self.model.gravity.map(|g| self.vector(g));
        for (b, body) in (0..).map(BodyId).zip(&self.model.bodies) {
            let (Some(g), mass) = (gravity, self.value(body.mass)) else { continue };
            self.push(&mut forces, body.com_marker, b, -(g * mass));
        }
        for load in self.model.forces.iter().flat_map(|f| &f.loads) {
            match *load {
                Load::Force { at, force } => {
                    if let Some(body) = self.model.markers[at.index()].body {
                        self.push(&mut forces, at, body, -self.vector(force));
                    }
                }
                Load::Torque { on, torque } => {
                    if let Some(body) = self.model.markers[on.index()].body {
                        self.turn(&mut forces, body, -self.vector(torque));
                    }
                }
                Load::Along { coordinate, value } => {
                    self.slide(&mut forces, (coordinate, None), RowLevel::Position, -self.value(value), derivatives);
                }
                Load::Potential(v) => {
                    self.slide(&mut forces, (v, None), RowLevel::Position, S::number(1.0), derivatives)
                }
            }
        }
        for (row, lambda) in self.tree.rows.iter().zip(&self.variables.multipliers) {
            self.slide(
                &mut forces,
                (row.residual, row.body()),
                row.level,
                self.multiplier_of(row, *lambda),
                derivatives,
            );
        }
        forces
    }

    fn inertia_along_all_basics(&self) -> Along<S> {
        if self.model.space == Space::Planar {
            let all = self.inertia_along_basics().into_iter();
            return all.map(|(key, [x, y])| (key, Vector([x, y, S::number(0.0)]))).collect();
        }
        let mut forces = Along::new();
        for (b, body) in (0..).map(BodyId).zip(&self.model.bodies) {
            let Some(basis) = self.space.basis(b.index()) else { continue };
            add_all(&mut forces, b, self.space.inertia_along_basics((body, basis), &|e| self.value(e)));
        }
        forces
    }

    /// Adds what a world force at a marker does.
    fn push(&self, forces: &mut Along<S>, at: MarkerId, body: BodyId, force: Vec3<S>) {
        if !self.model.natural.places(Some(body)) {
            return;
        }
        let point = self.vector(self.model.markers[at.index()].point);
        match self.space.basis(body.index()) {
            Some(basis) => add_all(forces, body, self.space.along_basics(basis, point, [force, zero()])),
            None => add(forces, body, self.kinematics.body(body).point(plane(point.0)), plane(force.0)),
        }
    }

    /// Adds what a moment on a body does; in the plane its virtual rotation is that of the x axis.
    fn turn(&self, forces: &mut Along<S>, body: BodyId, torque: Vec3<S>) {
        if !self.model.natural.places(Some(body)) {
            return;
        }
        if let Some(basis) = self.space.basis(body.index()) {
            return add_all(forces, body, self.space.along_basics(basis, zero(), [zero(), torque]));
        }
        let state = self.kinematics.body(body);
        let Some(basis) = &state.basis else { return };
        let frame = &self.kinematics.frames[state.frame];
        // A force ẑ × x̂ on the end of the x axis.
        let force = [-frame.sin * torque[2], frame.cos * torque[2]];
        add(forces, body, basis.direction([S::number(1.0), S::number(0.0)]), force);
    }

    /// Adds what a load along an axis of a marker does.
    fn along_axis(&self, forces: &mut Along<S>, (marker, axis): (MarkerId, u8), body: BodyId, load: Vec3<S>) {
        match self.space.basis(body.index()) {
            Some(basis) => {
                add_all(forces, body, self.space.along_vector(basis, self.axis_in_body(marker, axis), load));
            }
            None if self.model.space == Space::Planar => {
                if let Some(direction) = self.natural_direction(marker, axis) {
                    add(forces, body, direction, plane(load.0));
                }
            }
            None => {}
        }
    }

    /// Adds what `load` along an expression does, by what it observes; of a row with its body.
    fn slide(
        &self,
        forces: &mut Along<S>,
        (e, own): (ExprId, Option<BodyId>),
        level: RowLevel,
        load: S,
        derivatives: Derivatives<'_, S>,
    ) {
        for (observable, derivative) in derivatives(e, level) {
            let along = load * derivative;
            let unit = |c: u8| along_axis(usize::from(c), along);
            let body = |m: MarkerId| self.model.markers[m.index()].body;
            match observable {
                Op::JointCoordinate(j, k) if self.is_measured(j, k) => {
                    let measured = self.model.joint(j).coordinates[usize::from(k)].1;
                    self.slide(forces, (measured, None), RowLevel::Position, along, derivatives);
                }
                Op::Position(m, c) => {
                    if let Some(body) = body(m) {
                        self.push(forces, m, body, unit(c));
                    }
                }
                Op::Direction(m, axis, c) => {
                    if let Some(body) = body(m) {
                        self.along_axis(forces, (m, axis), body, unit(c));
                    }
                }
                Op::Basic(i, c) => {
                    if let Some(body) = own {
                        add_all(forces, body, vec![(self.key(i as usize), unit(c))]);
                    }
                }
                Op::Angle(m) | Op::AngularVelocity(m, _) => {
                    let Some(body) = body(m) else { continue };
                    let component = if let Op::AngularVelocity(_, c) = observable { c } else { 2 };
                    // Where turns are counted, the load acts on the count.
                    if self.tree.index_of(SolverCoordinate::Unwound(body)).is_none() {
                        self.turn(forces, body, unit(component));
                    }
                }
                _ => {}
            }
        }
    }

    /// Whether a joint's coordinate is measured on poses.
    fn is_measured(&self, joint: JointId, k: u8) -> bool {
        let is_given = self.model.space == Space::Spatial && self.tree.prescribed(joint, k).is_some();
        self.own_coordinate(joint, k).is_none() && !is_given
    }
}

/// Adds what a force does whose power is that along a vector of a body, in the plane.
fn add<S: Scalar>(forces: &mut Along<S>, body: BodyId, along: FrameSum<S>, [x, y]: [S; 2]) {
    let zero = S::number(0.0);
    let part =
        |(frame, [alpha, beta]): (usize, [S; 2])| (frame, Vector([alpha * x + beta * y, alpha * y - beta * x, zero]));
    add_all(forces, body, along.parts.into_iter().map(part).collect());
}

/// Adds forces along basics of a body.
fn add_all<S: Scalar>(forces: &mut Along<S>, body: BodyId, all: Vec<(usize, Vec3<S>)>) {
    for (basic, force) in all {
        *forces.entry((body, basic)).or_insert_with(zero) += force;
    }
}
