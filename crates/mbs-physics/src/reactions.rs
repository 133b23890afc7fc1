//! Forces and moments that joints and equations exert on bodies.
//!
//! A multiplier λ of a row φ does the virtual power −λ δφ̇ (M a + Gᵀ λ = Q), so that the row exerts on body b, about its centre
//! of mass G:
//!
//! ```text
//! (1)  F = −λ Σₓ ∂φ/∂x ∂ẋ/∂v_G        τ_G = −λ Σₓ ∂φ/∂x ∂ẋ/∂ω        x: what the row observes on b
//! ```
//!
//! Loads of forces are the same sum with their value in place of −λ. A joint of the tree has no rows; with all other wrenches
//! known it follows from the outermost body inwards, children d of a body c included (Newton–Euler, backward sweep):
//!
//! ```text
//! (2)  F_c = m a_G − F_applied + Σ_d F_d      τ_c = I α − τ_applied + Σ_d (τ_d + (G_d − G_c) × F_d)
//! ```
//!
//! Featherstone (2008), *Rigid Body Dynamics Algorithms*, §5.3, about centres of mass; Haug (1989), *Computer Aided Kinematics
//! and Dynamics of Mechanical Systems*, §6.6 for (1). Along the freedoms of a pin and of a slider of the plane (2) is zero when the
//! equations of motion hold: this part is left out of what the joint exerts, not of what (2) sums up.

use std::ops::{Add, AddAssign, Neg, Sub};

use mbs_definition::Space;
use mbs_expr::{BodyId, Comparison, ExprId, JointId, Op, Scalar};
use mbs_math::Vec3;
use mbs_model::{BodyKind, Load, RowLevel, Step};

use crate::space::{along_axis, zero};
use crate::{Mechanics, Placement, SolverCoordinate};

/// Derivatives of an expression with respect to what it observes: [`observable_derivatives`](super::observable_derivatives).
pub type Derivatives<'a, S> = &'a dyn Fn(ExprId, RowLevel) -> Vec<(Op, S)>;

/// A force and a moment about some point, world axes.
#[derive(Clone, Copy, Debug)]
pub struct Wrench<S> {
    /// Force \[N\]; z = 0 in the plane.
    pub force: Vec3<S>,
    /// Moment \[N m\]; about z alone in the plane.
    pub torque: Vec3<S>,
}

/// Wrench that a joint itself exerts on the body of its second end.
#[derive(Clone, Copy, Debug)]
pub struct JointReaction<S> {
    /// World position of the second end's marker \[m\], which the force acts at.
    pub point: Vec3<S>,
    /// Force, and moment about that point.
    pub wrench: Wrench<S>,
}

/// Reactions of joints, and loads of prescribed coordinates.
#[derive(Clone, Debug)]
pub struct Exerted<S> {
    /// Reactions, by joint.
    pub joints: Vec<JointReaction<S>>,
    /// Generalised forces along prescribed coordinates, as those of drives.
    pub prescribed: Vec<S>,
}

/// Where a load along a joint coordinate acts, if that is an unknown of the solver, tied by a row to its value as measured on the bodies.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tied {
    /// On the unknown; the multiplier of the tying row then acts on bodies.
    Unknown,
    /// On the bodies, as wherever the equations of motion hold; the tying row then exerts nothing.
    Measured,
}

impl<S: Scalar> Wrench<S> {
    fn zero() -> Self {
        Wrench { force: zero(), torque: zero() }
    }

    /// Returns the equivalent wrench about another point.
    fn moved(self, from: Vec3<S>, to: Vec3<S>) -> Self {
        Wrench { torque: self.torque + (from - to).cross(self.force), ..self }
    }
}

impl<S: Scalar> Add for Wrench<S> {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Wrench { force: self.force + other.force, torque: self.torque + other.torque }
    }
}

impl<S: Scalar> AddAssign for Wrench<S> {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl<S: Scalar> Sub for Wrench<S> {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl<S: Scalar> Neg for Wrench<S> {
    type Output = Self;
    fn neg(self) -> Self {
        Wrench { force: -self.force, torque: -self.torque }
    }
}

impl<S: Scalar> Mechanics<'_, S> {
    /// Reactions of all joints, at accelerations and multipliers that satisfy the equations of motion, and loads of prescribed coordinates.
    ///
    /// A free joint exerts nothing. A gear exerts a moment on the body of its second end, and on a carrier also the force of its teeth; their
    /// sum, where this body also carries the second end of its first joint. Loads of prescribed coordinates are not included.
    pub fn reactions(&self, derivatives: Derivatives<'_, S>) -> Exerted<S> {
        let mut own: Vec<Vec<Wrench<S>>> = Vec::with_capacity(self.model.joints.len());
        let mut applied = self.loads_on_bodies(Tied::Measured, derivatives);
        for j in 0..self.model.joints.len() {
            let by_joint = self.by_rows(|row| row.joint() == Some(JointId(j as u32)), Tied::Measured, derivatives);
            add(&mut applied, &by_joint);
            own.push(by_joint);
        }
        add(&mut applied, &self.by_rows(|row| row.joint().is_none(), Tied::Measured, derivatives));
        let mut wrenches: Vec<Wrench<S>> =
            (0..self.model.joints.len()).map(|j| self.of_cut_joint(j, &own[j])).collect();
        let loads = self.loads_of_prescribed(derivatives);
        self.of_tree_joints(&applied, &loads, &mut wrenches, derivatives);
        for (joint, wrench) in self.shared(derivatives) {
            wrenches[joint.index()] += wrench;
        }
        let point = |j: usize| self.marker_point(self.model.joints[j].ends[1]);
        let reaction = |(j, wrench): (usize, Wrench<S>)| JointReaction { point: point(j), wrench };
        Exerted { joints: wrenches.into_iter().enumerate().map(reaction).collect(), prescribed: loads }
    }

    /// Values that [`Op::Reaction`] observes, in its order: force x, y and moment, in space three components of both.
    pub fn observed_reactions(&self, found: &Exerted<S>, derivatives: Derivatives<'_, S>) -> Vec<Vec<S>> {
        let on = |(e, b): &(usize, BodyId)| self.equation_reaction(*e, *b, &found.prescribed, derivatives);
        let equations = self.model.equation_reactions.iter().map(on);
        let all = found.joints.iter().map(|reaction| reaction.wrench).chain(equations);
        all.map(|Wrench { force, torque }| match self.model.space {
            Space::Planar => vec![force[0], force[1], torque[2]],
            Space::Spatial => [force.0, torque.0].concat(),
        })
        .collect()
    }

    /// Wrench that the rows of an equation exert on a body: the force, and the moment about its origin; no moment on a particle. `prescribed`
    /// are the loads of prescribed coordinates.
    pub fn equation_reaction(
        &self,
        equation: usize,
        body: BodyId,
        prescribed: &[S],
        derivatives: Derivatives<'_, S>,
    ) -> Wrench<S> {
        let mut wrenches = self.by_rows(|row| row.equation() == Some(equation), Tied::Measured, derivatives);
        if let Some(i) = self.tree.prescribed.iter().position(|p| p.equation == equation) {
            self.hold(i, prescribed[i], derivatives, &mut wrenches);
        }
        let wrench = wrenches[body.index()];
        if self.model.bodies[body.index()].kind == BodyKind::Particle {
            return Wrench { torque: zero(), ..wrench };
        }
        wrench.moved(self.com(body), self.marker_point(self.model.bodies[body.index()].origin_marker))
    }

    /// Applied loads on each body, about its centre of mass.
    fn loads_on_bodies(&self, tied: Tied, derivatives: Derivatives<'_, S>) -> Vec<Wrench<S>> {
        let mut wrenches = vec![Wrench::zero(); self.model.bodies.len()];
        if let Some(gravity) = self.model.gravity {
            let gravity = self.vector(gravity);
            for (wrench, body) in wrenches.iter_mut().zip(&self.model.bodies) {
                let mass = self.value(body.mass);
                wrench.force = gravity * mass;
            }
        }
        for load in self.model.forces.iter().flat_map(|f| &f.loads) {
            match *load {
                Load::Force { at, force } => {
                    let Some(body) = self.model.markers[at.index()].body else { continue };
                    let wrench = Wrench { force: self.vector(force), torque: zero() };
                    let wrench = wrench.moved(self.marker_point(at), self.com(body));
                    wrenches[body.index()] += wrench;
                }
                Load::Torque { on, torque } => {
                    if let Some(body) = self.model.markers[on.index()].body {
                        wrenches[body.index()].torque += self.vector(torque);
                    }
                }
                Load::Along { coordinate, value } => {
                    self.pull((coordinate, RowLevel::Position), self.value(value), tied, derivatives, &mut wrenches);
                }
                Load::Potential(v) => {
                    self.pull((v, RowLevel::Position), S::number(-1.0), tied, derivatives, &mut wrenches)
                }
            }
        }
        wrenches
    }

    /// (1), summed over some of the rows that the formulation leaves.
    fn by_rows(
        &self,
        wanted: impl Fn(&mbs_model::Row) -> bool,
        tied: Tied,
        derivatives: Derivatives<'_, S>,
    ) -> Vec<Wrench<S>> {
        let mut wrenches = vec![Wrench::zero(); self.model.bodies.len()];
        for (row, lambda) in self.tree.rows.iter().zip(&self.variables.multipliers).filter(|(row, _)| wanted(row)) {
            let load = -self.multiplier_of(row, *lambda);
            self.pull((row.residual, row.level), load, tied, derivatives, &mut wrenches);
        }
        wrenches
    }

    /// λ of a row, zero while that is off: it acts on nothing then, at any multipliers.
    pub(super) fn multiplier_of(&self, row: &mbs_model::Row, lambda: S) -> S {
        let [zero, one] = [0.0, 1.0].map(S::number);
        row.enabled.map_or(lambda, |enabled| S::select(Comparison::Equal, self.value(enabled), one, lambda, zero))
    }

    /// Adds `load` along an expression to the wrenches on bodies, about their centres of mass. Moments on particles, which nothing
    /// turns, are there, too.
    fn pull(
        &self,
        (e, level): (ExprId, RowLevel),
        load: S,
        tied: Tied,
        derivatives: Derivatives<'_, S>,
        wrenches: &mut [Wrench<S>],
    ) {
        for (observable, derivative) in derivatives(e, level) {
            let along = load * derivative;
            let marker = match observable {
                Op::Position(marker, _)
                | Op::Direction(marker, ..)
                | Op::Angle(marker)
                | Op::AngularVelocity(marker, _) => marker,
                // Loads along a coordinate that no pose shows act within the joint, and are part of its reaction.
                Op::JointCoordinate(j, _) if self.model.joint(j).pose().is_some() => continue,
                Op::JointCoordinate(j, k) if tied == Tied::Unknown && self.is_tied(j, k) => continue,
                Op::JointCoordinate(j, k) => {
                    let measured = self.model.joint(j).coordinates[usize::from(k)].1;
                    self.pull((measured, RowLevel::Position), along, tied, derivatives, wrenches);
                    continue;
                }
                _ => continue,
            };
            let Some(body) = self.model.markers[marker.index()].body else { continue };
            let component = |c: u8| along_axis(usize::from(c), along);
            let wrench = match observable {
                Op::Position(_, c) => {
                    Wrench { force: component(c), torque: zero() }.moved(self.marker_point(marker), self.com(body))
                }
                // A direction d turns with d' = ω × d.
                Op::Direction(_, axis, c) => {
                    Wrench { force: zero(), torque: self.marker_axis(marker, axis).cross(component(c)) }
                }
                Op::AngularVelocity(_, c) => Wrench { force: zero(), torque: component(c) },
                _ => Wrench { force: zero(), torque: component(2) },
            };
            wrenches[body.index()] += wrench;
        }
    }

    /// Whether a joint coordinate is an unknown of the solver beside the poses of bodies.
    fn is_tied(&self, joint: JointId, k: u8) -> bool {
        self.tree.solver.contains(&SolverCoordinate::Unwrapped(joint, k))
    }

    /// The wrench of a joint's own rows on its second end, about that; zero of a joint without rows. Ground receives the
    /// opposite of what all bodies do.
    fn of_cut_joint(&self, j: usize, own: &[Wrench<S>]) -> Wrench<S> {
        let second = self.model.joints[j].ends[1];
        let at = self.marker_point(second);
        let about = |b: BodyId| own[b.index()].moved(self.com(b), at);
        let wrench = match self.model.markers[second.index()].body {
            Some(b) => about(b),
            None => -self.tree.order.iter().fold(Wrench::zero(), |sum, b| sum + about(*b)),
        };
        // A particle as first end has moments that nothing balances.
        if self.model.joints[j].has_moment() { wrench } else { Wrench { torque: zero(), ..wrench } }
    }

    /// Adds what the load of a prescribed coordinate does to bodies: as a drive of it would.
    fn hold(&self, prescribed: usize, load: S, derivatives: Derivatives<'_, S>, wrenches: &mut [Wrench<S>]) {
        let of = self.tree.prescribed[prescribed];
        let joint = self.model.joint(of.joint);
        // In a declared kind, the load acts within the joint.
        if joint.pose().is_none() {
            let measured = joint.coordinates[usize::from(of.coordinate)].1;
            self.pull((measured, RowLevel::Position), load, Tied::Measured, derivatives, wrenches);
        }
    }

    /// (2) for the joints of the tree.
    fn of_tree_joints(
        &self,
        applied: &[Wrench<S>],
        loads: &[S],
        wrenches: &mut [Wrench<S>],
        derivatives: Derivatives<'_, S>,
    ) {
        self.sweep(applied, |joint, reversed, body, needed| {
            let at = self.marker_point(self.model.joint(joint).ends[1]);
            let mut held = Wrench::zero();
            for i in (0..loads.len()).filter(|i| self.tree.prescribed[*i].joint == joint) {
                let mut all = vec![Wrench::zero(); self.model.bodies.len()];
                self.hold(i, loads[i], derivatives, &mut all);
                held += all[body.index()].moved(self.com(body), at);
            }
            if self.model.joint(joint).rows.is_empty() {
                return held;
            }
            let exerted = self.along_constraints(joint, needed - held);
            wrenches[joint.index()] = if reversed { -exerted } else { exerted };
            self.on_own_end(joint, reversed, body, needed)
        });
    }

    /// Loads of prescribed coordinates: (2) with all that is along freedoms. At any accelerations r̈ of the other coordinates r that is the
    /// generalised force along p, M_pr r̈ + M_pp p̈ − Q_p + G_pᵀ λ, at any λ, which has the inertia of bodies that float relative to what p moves.
    fn loads_of_prescribed(&self, derivatives: Derivatives<'_, S>) -> Vec<S> {
        let mut loads = vec![S::number(0.0); self.tree.prescribed.len()];
        if loads.is_empty() {
            return loads;
        }
        let mut applied = self.loads_on_bodies(Tied::Unknown, derivatives);
        add(&mut applied, &self.by_rows(|_| true, Tied::Unknown, derivatives));
        self.sweep(&applied, |joint, reversed, body, needed| {
            let needed = self.on_own_end(joint, reversed, body, needed);
            for i in (0..loads.len()).filter(|i| self.tree.prescribed[*i].joint == joint) {
                loads[i] = self.along_prescribed(i, reversed, needed);
            }
            needed
        });
        for (e, level, load) in self.along_expressions() {
            for (observable, derivative) in derivatives(e, level) {
                if let Op::JointCoordinate(j, k) = observable
                    && self.model.joint(j).pose().is_some()
                    && let Some(i) = self.tree.prescribed.iter().position(|p| p.is(j, k))
                {
                    loads[i] = loads[i] - load * derivative;
                }
            }
        }
        loads
    }

    /// A wrench about a joint's second end on the body that the joint carries; of a particle, which nothing turns, the force alone, where its
    /// end is. A free joint whose first end is on the particle has coordinates along axes that stay the world's: its force acts where the second end
    /// is.
    fn on_own_end(&self, joint: JointId, reversed: bool, body: BodyId, wrench: Wrench<S>) -> Wrench<S> {
        if self.model.bodies[body.index()].kind == BodyKind::Rigid {
            return wrench;
        }
        let [first, second] = self.model.joint(joint).ends.map(|end| self.marker_point(end));
        let force = Wrench { torque: zero(), ..wrench };
        let is_free = self.model.is_free_in_plane(joint);
        if reversed && !is_free { force.moved(first, second) } else { force }
    }

    /// Loads that act along expressions, of forces and rows: expression, level, load.
    fn along_expressions(&self) -> Vec<(ExprId, RowLevel, S)> {
        let of_load = |load: &Load| match *load {
            Load::Along { coordinate, value } => Some((coordinate, RowLevel::Position, self.value(value))),
            Load::Potential(v) => Some((v, RowLevel::Position, S::number(-1.0))),
            Load::Force { .. } | Load::Torque { .. } => None,
        };
        let forces = self.model.forces.iter().flat_map(|f| &f.loads).filter_map(of_load);
        let rows = self.tree.rows.iter().zip(&self.variables.multipliers);
        forces.chain(rows.map(|(row, lambda)| (row.residual, row.level, -self.multiplier_of(row, *lambda)))).collect()
    }

    /// Evaluates (2) from the outermost bodies inwards. `exerted` returns the part that a joint of the tree transmits from its parent of the
    /// wrench that the outboard body needs, about the joint's second end. A free joint that names the coordinates of a body is one of the
    /// tree.
    fn sweep(&self, applied: &[Wrench<S>], mut exerted: impl FnMut(JointId, bool, BodyId, Wrench<S>) -> Wrench<S>) {
        // Wrenches that children transmit, by parent body, about its centre of mass.
        let mut passed = vec![Wrench::zero(); self.model.bodies.len()];
        for &body in self.tree.order.iter().rev() {
            let (joint, reversed) = match self.tree.placements[body.index()] {
                Placement::Joint { joint, reversed, .. } | Placement::Free { joint: Some(joint), reversed } => {
                    (joint, reversed)
                }
                Placement::Free { joint: None, .. } | Placement::Natural => continue,
            };
            let parent = self.model.markers[self.model.joint(joint).ends[usize::from(reversed)].index()].body;
            let needed = self.inertial(body) - applied[body.index()] + passed[body.index()];
            let at = self.marker_point(self.model.joint(joint).ends[1]);
            let exerted = exerted(joint, reversed, body, needed.moved(self.com(body), at));
            if let Some(parent) = parent {
                let on = &mut passed[parent.index()];
                *on += exerted.moved(at, self.com(parent));
            }
        }
    }

    /// Power per unit rate of a prescribed coordinate of the wrench on the body that its joint carries, about the joint's second end.
    fn along_prescribed(&self, i: usize, reversed: bool, wrench: Wrench<S>) -> S {
        let of = self.tree.prescribed[i];
        let second = self.model.joint(of.joint).ends[1];
        if self.model.space == Space::Spatial {
            return self.space.along_given(self.tree, (of.joint, of.coordinate), self.marker_point(second), wrench);
        }
        let column = self.kinematics.given.iter().find(|(j, k, _)| of.is(*j, *k)).map(|g| g.2);
        let Some(column) = column else { return S::number(0.0) };
        // The second end against the first, in the axes of the first.
        let wrench = if reversed { -wrench } else { wrench };
        let axes = [0, 1].map(|k| self.marker_axis(self.model.joint(of.joint).ends[0], k));
        let shift = axes[0] * column.shift[0] + axes[1] * column.shift[1];
        shift.dot(wrench.force) + column.spin[2] * wrench.torque[2]
    }

    /// m a_G and I α of a body.
    fn inertial(&self, body: BodyId) -> Wrench<S> {
        let declared = &self.model.bodies[body.index()];
        let mass = self.value(declared.mass);
        let torque = match (declared.kind, self.model.space) {
            (BodyKind::Particle, _) => zero(),
            (BodyKind::Rigid, Space::Spatial) => {
                self.space.inertial_moment(body.index(), declared.inertia.map(|e| self.value(e)))
            }
            (BodyKind::Rigid, Space::Planar) => {
                let moment = self.value(declared.inertia[2]) * self.turning_rate(body).rate();
                along_axis(2, moment)
            }
        };
        Wrench { force: self.com(body).map(|x| x.rate().rate()) * mass, torque }
    }

    /// A wrench at a joint's second end without its part along the joint's freedoms, which is zero where the equations of motion hold; in
    /// the plane.
    fn along_constraints(&self, joint: JointId, wrench: Wrench<S>) -> Wrench<S> {
        let declared = self.model.joint(joint);
        if self.model.space == Space::Spatial || !declared.is_composed() {
            return wrench;
        }
        declared.steps().iter().fold(wrench, |wrench, step| match *step {
            Step::Turn { .. } => Wrench { torque: zero(), ..wrench },
            Step::Slide { axis: [x, y, _] } => {
                let [x, y] = [x, y].map(|e| self.value(e));
                let axes = [0, 1].map(|k| self.marker_axis(declared.ends[0], k));
                let normal = axes[1] * x - axes[0] * y;
                let across = normal.dot(wrench.force);
                Wrench { force: normal * across, ..wrench }
            }
            _ => wrench,
        })
    }

    fn com(&self, body: BodyId) -> Vec3<S> {
        self.marker_point(self.model.bodies[body.index()].com_marker)
    }
}

fn add<S: Scalar>(sums: &mut [Wrench<S>], terms: &[Wrench<S>]) {
    sums.iter_mut().zip(terms).for_each(|(sum, term)| *sum += *term);
}
