//! Reactions of joints whose bodies share points and vectors, in natural coordinates.
//!
//! A force F on a basic point or vector b has the power F·ḃ. The residual of the equations of motion of one body alone, with respect to its
//! basics, is thus the force of the joints there on this body; where b is a vector, they exert the moment b × F:
//!
//! ```text
//! (1)  F_b = components of M_body q̈ − Q_body + G_bodyᵀ λ for b
//! ```
//!
//! The reaction of a joint is the sum of (1) over the bodies on the second end's side that share the basic.

use std::collections::BTreeMap;

use mbs_expr::{BodyId, ExprId, JointId, MarkerId, Op, Scalar};
use mbs_math::{Vec3, Vector};
use mbs_model::{Load, Model, RowLevel, plane};

use crate::reactions::{ReactionTerms, Wrench};
use crate::space::{axis_vector, zero};
use crate::{FrameSum, Poses, SolverCoordinate};

/// Forces on basic points and vectors, world axes: by body, and by frame in the plane, by index of the basic in space.
type BasicForces<S> = BTreeMap<(BodyId, usize), Vec3<S>>;

impl<S: Scalar> ReactionTerms<'_, '_, S> {
    /// Reactions of joints at shared basics: wrenches on the body of the second end, about that end.
    pub(super) fn shared_basic_reactions(&self) -> Vec<(JointId, Wrench<S>)> {
        let natural = &self.model.coordinates.natural;
        if natural.shared.is_empty() {
            return Vec::new();
        }
        let forces = self.forces_on_basics();
        let joint = |(joint, basic): &(JointId, usize)| {
            let (side, sign) = side_of_joint(self.model, *joint, *basic);
            let key = self.key(*basic);
            let force = |b: &BodyId| forces.get(&(*b, key)).copied().unwrap_or_else(zero);
            let sum = side.iter().map(force).fold(zero(), |sum, force| sum + force) * S::number(sign);
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
        match &self.poses {
            Poses::Spatial(state) => Vector::from_fn(|c| state.basic_component(basic, c)),
            Poses::Planar(_) => {
                let [x, y] = self.planar().basic_coordinates(basic as u32);
                Vector([x, y, S::number(0.0)])
            }
        }
    }

    /// Key of the forces on a basic: its index in space, its frame in the plane.
    fn key(&self, basic: usize) -> usize {
        match &self.poses {
            Poses::Spatial(_) => basic,
            Poses::Planar(kinematics) => {
                kinematics.basics.iter().find(|(i, _)| *i == basic).map_or(0, |(_, frame)| *frame)
            }
        }
    }

    /// (1) of every body.
    fn forces_on_basics(&self) -> BasicForces<S> {
        let mut forces = self.inertial_forces();
        let gravity = self.model.loads.gravity.map(|g| self.vector(g));
        for (b, body) in (0..).map(BodyId).zip(&self.model.bodies) {
            let (Some(g), mass) = (gravity, self.value(body.mass)) else { continue };
            self.add_force_at(&mut forces, body.com_marker, b, -(g * mass));
        }
        for load in self.model.loads.forces.iter().flat_map(|f| &f.loads) {
            match *load {
                Load::Force { at, force } => {
                    if let Some(body) = self.model.markers[at.index()].body {
                        self.add_force_at(&mut forces, at, body, -self.vector(force));
                    }
                }
                Load::Torque { on, torque } => {
                    if let Some(body) = self.model.markers[on.index()].body {
                        self.add_moment(&mut forces, body, -self.vector(torque));
                    }
                }
                Load::Generalized { coordinate, value } => {
                    let load = -self.value(value);
                    self.add_load_along(&mut forces, coordinate, None, RowLevel::Position, load);
                }
                Load::Potential(v) => self.add_load_along(&mut forces, v, None, RowLevel::Position, S::number(1.0)),
            }
        }
        for (row, lambda) in self.tree.rows.iter().zip(&self.variables.multipliers) {
            self.add_load_along(
                &mut forces,
                row.residual,
                row.body(),
                row.level,
                self.effective_multiplier(row, *lambda),
            );
        }
        forces
    }

    /// M_body q̈ of every body.
    fn inertial_forces(&self) -> BasicForces<S> {
        let state = match &self.poses {
            Poses::Planar(_) => {
                let all = self.planar().inertial_forces_on_basics().into_iter();
                return all.map(|(key, [x, y])| (key, Vector([x, y, S::number(0.0)]))).collect();
            }
            Poses::Spatial(state) => state,
        };
        let mut forces = BasicForces::new();
        for (b, body) in (0..).map(BodyId).zip(&self.model.bodies) {
            let Some(basis) = state.basis(b.index()) else { continue };
            add_all(&mut forces, b, state.inertial_forces_on_basics(body, basis, &|e| self.value(e)));
        }
        forces
    }

    /// Adds the forces on basics of a force at a marker of a body, world axes.
    fn add_force_at(&self, forces: &mut BasicForces<S>, at: MarkerId, body: BodyId, force: Vec3<S>) {
        if !self.model.coordinates.natural.is_natural(Some(body)) {
            return;
        }
        let point = self.vector(self.model.markers[at.index()].point);
        match &self.poses {
            Poses::Planar(kinematics) => {
                add(forces, body, kinematics.body(body).point(plane(point.0)), plane(force.0));
            }
            Poses::Spatial(state) => {
                let Some(basis) = state.basis(body.index()) else { return };
                add_all(forces, body, state.forces_on_basics(basis, point, [force, zero()]));
            }
        }
    }

    /// Adds the forces on basics of a moment on a body, world axes; in the plane the virtual rotation is that of the x axis.
    fn add_moment(&self, forces: &mut BasicForces<S>, body: BodyId, torque: Vec3<S>) {
        if !self.model.coordinates.natural.is_natural(Some(body)) {
            return;
        }
        match &self.poses {
            Poses::Planar(kinematics) => {
                let state = kinematics.body(body);
                let Some(basis) = &state.basis else { return };
                let frame = &kinematics.frames[state.frame];
                // The force τ ẑ × x̂ on the end of the x axis.
                let force = [-frame.sin * torque[2], frame.cos * torque[2]];
                add(forces, body, basis.direction([S::number(1.0), S::number(0.0)]), force);
            }
            Poses::Spatial(state) => {
                let Some(basis) = state.basis(body.index()) else { return };
                add_all(forces, body, state.forces_on_basics(basis, zero(), [zero(), torque]));
            }
        }
    }

    /// Adds the forces on basics of a load with the power load·ḋ, where d is an axis of a marker.
    fn add_load_on_axis(
        &self,
        forces: &mut BasicForces<S>,
        (marker, axis): (MarkerId, u8),
        body: BodyId,
        load: Vec3<S>,
    ) {
        match &self.poses {
            Poses::Planar(_) => {
                if let Some(direction) = self.planar().natural_direction(marker, axis) {
                    add(forces, body, direction, plane(load.0));
                }
            }
            Poses::Spatial(state) => {
                let Some(basis) = state.basis(body.index()) else { return };
                add_all(forces, body, state.forces_on_vector(basis, self.axis_in_body(marker, axis), load));
            }
        }
    }

    /// Adds the forces on basics of a generalised load along an expression; `row_body` is the body of a row in natural coordinates.
    fn add_load_along(
        &self,
        forces: &mut BasicForces<S>,
        e: ExprId,
        row_body: Option<BodyId>,
        level: RowLevel,
        load: S,
    ) {
        for (observable, derivative) in (self.derivatives)(e, level) {
            let component_load = load * derivative;
            let component = |c: u8| axis_vector(usize::from(c), component_load);
            let body = |m: MarkerId| self.model.markers[m.index()].body;
            match observable {
                Op::JointCoordinate(j, k) if self.is_measured(j, k) => {
                    let measured = self.model.joint(j).coordinates[usize::from(k)].1;
                    self.add_load_along(forces, measured, None, RowLevel::Position, component_load);
                }
                Op::Position(m, c) => {
                    if let Some(body) = body(m) {
                        self.add_force_at(forces, m, body, component(c));
                    }
                }
                Op::Direction(m, axis, c) => {
                    if let Some(body) = body(m) {
                        self.add_load_on_axis(forces, (m, axis), body, component(c));
                    }
                }
                Op::Basic(i, c) => {
                    if let Some(body) = row_body {
                        add_all(forces, body, vec![(self.key(i as usize), component(c))]);
                    }
                }
                Op::Angle(m) | Op::AngularVelocity(m, _) => {
                    let Some(body) = body(m) else { continue };
                    let axis = if let Op::AngularVelocity(_, c) = observable { c } else { 2 };
                    // If the body has a continuous angle, the load acts on that unknown.
                    if self.tree.solver_index(SolverCoordinate::ContinuousAngle(body)).is_none() {
                        self.add_moment(forces, body, component(axis));
                    }
                }
                _ => {}
            }
        }
    }

    /// Whether coordinate k of a joint is measured on poses. Those of declared kinds never are: they are unknowns or prescribed.
    fn is_measured(&self, joint: JointId, k: u8) -> bool {
        let is_prescribed = matches!(self.poses, Poses::Spatial(_)) && self.tree.prescribed(joint, k).is_some();
        let is_declared = self.model.joint(joint).pose().is_some();
        self.joint_solver_index(joint, k).is_none() && !is_prescribed && !is_declared
    }
}

/// Bodies that share a basic on the second end's side of a joint, and 1; if ground is among them, those on the other side, and −1.
pub fn side_of_joint(model: &Model, joint: JointId, basic: usize) -> (Vec<BodyId>, f64) {
    let body = |m: MarkerId| model.markers[m.index()].body;
    let ends = |j: JointId| model.joint(j).ends.map(body);
    let others: Vec<[Option<BodyId>; 2]> = model
        .coordinates
        .natural
        .shared
        .iter()
        .filter(|(j, b)| *b == basic && *j != joint)
        .map(|(j, _)| ends(*j))
        .collect();
    let side = |start: Option<BodyId>| {
        let mut found = vec![start];
        let mut next = 0;
        while let Some(body) = found.get(next).copied() {
            let adjacent = others.iter().filter(|pair| pair.contains(&body)).flatten();
            let new: Vec<_> = adjacent.filter(|b| !found.contains(b)).copied().collect();
            found.extend(new);
            next += 1;
        }
        found
    };
    let [first, second] = ends(joint);
    let second_side = side(second);
    let (bodies, sign) = if second_side.contains(&None) { (side(first), -1.0) } else { (second_side, 1.0) };
    (bodies.into_iter().flatten().collect(), sign)
}

/// In the plane, adds the forces on basics of a force (x, y) with the power f·u̇, where u is a vector or point of a body.
fn add<S: Scalar>(forces: &mut BasicForces<S>, body: BodyId, u: FrameSum<S>, [x, y]: [S; 2]) {
    let zero = S::number(0.0);
    let part =
        |(frame, [alpha, beta]): (usize, [S; 2])| (frame, Vector([alpha * x + beta * y, alpha * y - beta * x, zero]));
    add_all(forces, body, u.parts.into_iter().map(part).collect());
}

/// Adds forces on basics of a body, by key.
fn add_all<S: Scalar>(forces: &mut BasicForces<S>, body: BodyId, all: Vec<(usize, Vec3<S>)>) {
    for (basic, force) in all {
        *forces.entry((body, basic)).or_insert_with(zero) += force;
    }
}
