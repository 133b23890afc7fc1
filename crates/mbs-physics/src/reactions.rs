//! Forces and moments that joints and equations exert on bodies.
//!
//! A multiplier λ of a row φ has the virtual power −λ δφ̇ (M a + Gᵀ λ = Q), so that the row exerts on body b, about its centre of mass G:
//!
//! ```text
//! (1)  F = −λ Σₓ ∂φ/∂x ∂ẋ/∂v_G        τ_G = −λ Σₓ ∂φ/∂x ∂ẋ/∂ω        x: observables of the row on b
//! ```
//!
//! Loads of forces follow from the same sum with their value in place of −λ. A joint of the tree has no rows. With all other wrenches known,
//! its reaction follows from the outermost bodies inwards, with the children d of a body c (Newton–Euler, backward sweep):
//!
//! ```text
//! (2)  F_c = m a_G − F_applied + Σ_d F_d      τ_c = I α − τ_applied + Σ_d (τ_d + (G_d − G_c) × F_d)
//! ```
//!
//! Featherstone (2008), *Rigid Body Dynamics Algorithms*, §5.3, about centres of mass; Haug (1989), *Computer Aided Kinematics
//! and Dynamics of Mechanical Systems*, §6.6 for (1). In the motion subspace of a planar revolute or prismatic joint, (2) is zero where the
//! equations of motion are satisfied: this part is omitted from the joint's reaction, but not from the sums in (2).

use std::ops::{Add, AddAssign, Deref, Neg, Sub};

use mbs_definition::Space;
use mbs_expr::{BodyId, Comparison, ExprId, JointId, Op, Scalar};
use mbs_math::{Each, Vec3};
use mbs_model::{BodyKind, Load, RowLevel, Step};

use crate::space::{axis_vector, zero};
use crate::{Mechanics, Placement, Poses, SolverCoordinate};

/// Derivatives of an expression with respect to its observables: [`observable_derivatives`](super::observable_derivatives).
pub type Derivatives<'a, S> = &'a dyn Fn(ExprId, RowLevel) -> Vec<(Op, S)>;

/// A force and a moment about some point, world axes.
#[derive(Clone, Copy, Debug)]
pub struct Wrench<S> {
    /// Force \[N\]; z = 0 in the plane.
    pub force: Vec3<S>,
    /// Moment \[N m\]; about z alone in the plane.
    pub torque: Vec3<S>,
}

/// Reaction of a joint: the wrench that it exerts on the body of its second end; on that of its first end it exerts the opposite.
#[derive(Clone, Copy, Debug)]
pub struct JointReaction<S> {
    /// World position \[m\] of the second end's marker, where the force acts.
    pub point: Vec3<S>,
    /// Force, and moment about that point.
    pub wrench: Wrench<S>,
}

/// Reactions of joints, and loads of prescribed coordinates.
#[derive(Clone, Debug)]
pub struct Reactions<S> {
    /// Reactions, by joint.
    pub joints: Vec<JointReaction<S>>,
    /// Generalised forces along prescribed coordinates, \[N\] or \[N m\], positive in the sense of the coordinates: those that drives would exert.
    pub prescribed: Vec<S>,
}

/// Terms of the reactions of a model at a state.
pub(super) struct ReactionTerms<'a, 'm, S> {
    pub(super) mechanics: &'a Mechanics<'m, S>,
    pub(super) derivatives: Derivatives<'a, S>,
}

impl<'m, S> Deref for ReactionTerms<'_, 'm, S> {
    type Target = Mechanics<'m, S>;

    fn deref(&self) -> &Self::Target {
        self.mechanics
    }
}

/// Application of a generalised load along a joint coordinate that is a separate unknown of the solver, which a row ties to its value as measured
/// on the bodies.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tied {
    /// The load acts on the unknown, and the multiplier of the tying row on the bodies.
    Unknown,
    /// The load acts on the bodies, and the tying row exerts nothing. Both are equivalent where the equations of motion are satisfied.
    Measured,
}

impl<S: Scalar> Wrench<S> {
    fn zero() -> Self {
        Wrench { force: zero(), torque: zero() }
    }

    /// The equivalent wrench about the point `to`, from that about `from`; world positions.
    fn transferred(self, from: Vec3<S>, to: Vec3<S>) -> Self {
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
    /// Reactions of all joints, and loads of prescribed coordinates, at accelerations and multipliers that satisfy the equations of motion.
    ///
    /// The reaction of a free joint is zero. That of a gear is the moment on the body of its second end, with a carrier also the force of its
    /// teeth; it is the sum for both gears if they are on one body. Reactions of joints do not include the loads of their prescribed coordinates.
    pub fn reactions(&self, derivatives: Derivatives<'_, S>) -> Reactions<S> {
        ReactionTerms { mechanics: self, derivatives }.reactions()
    }

    /// Values that [`Op::Reaction`] observes, in its order: force x, y \[N\] and moment \[N m\], in space three components of both.
    pub fn observed_reactions(&self, found: &Reactions<S>, derivatives: Derivatives<'_, S>) -> Vec<Vec<S>> {
        let reaction = |(e, b): &(usize, BodyId)| self.equation_reaction(*e, *b, &found.prescribed, derivatives);
        let equations = self.model.quantities.equation_reactions.iter().map(reaction);
        let all = found.joints.iter().map(|reaction| reaction.wrench).chain(equations);
        all.map(|Wrench { force, torque }| match self.model.space {
            Space::Planar => vec![force[0], force[1], torque[2]],
            Space::Spatial => [force.0, torque.0].concat(),
        })
        .collect()
    }

    /// Wrench that the rows of an equation (index into [`Model::equations`](mbs_model::Model::equations)) exert on a body: the force, and the moment
    /// about the body's origin, world axes; no moment on a particle. `prescribed` are the loads of prescribed coordinates.
    pub fn equation_reaction(
        &self,
        equation: usize,
        body: BodyId,
        prescribed: &[S],
        derivatives: Derivatives<'_, S>,
    ) -> Wrench<S> {
        let terms = ReactionTerms { mechanics: self, derivatives };
        let mut wrenches = terms.wrenches_of_rows(|row| row.equation() == Some(equation), Tied::Measured);
        if let Some(i) = self.tree.prescribed.iter().position(|p| p.equation == equation) {
            terms.add_prescribed_load(i, prescribed[i], &mut wrenches);
        }
        let wrench = wrenches[body.index()];
        if self.model.bodies[body.index()].kind == BodyKind::Particle {
            return Wrench { torque: zero(), ..wrench };
        }
        wrench.transferred(terms.com(body), self.marker_point(self.model.bodies[body.index()].origin_marker))
    }

    /// λ of a row, zero while the row is off: it then exerts nothing, whatever λ.
    pub(super) fn effective_multiplier(&self, row: &mbs_model::Row, lambda: S) -> S {
        let [zero, one] = [0.0, 1.0].each(S::number);
        row.enabled.map_or(lambda, |enabled| S::select(Comparison::Equal, self.value(enabled), one, lambda, zero))
    }
}

impl<S: Scalar> ReactionTerms<'_, '_, S> {
    /// As [`Mechanics::reactions`].
    fn reactions(&self) -> Reactions<S> {
        let mut row_wrenches: Vec<Vec<Wrench<S>>> = Vec::with_capacity(self.model.joints.len());
        let mut applied = self.applied_wrenches(Tied::Measured);
        for j in 0..self.model.joints.len() {
            let is_of_joint = |row: &mbs_model::Row| row.joint() == Some(JointId(j as u32));
            let wrenches = self.wrenches_of_rows(is_of_joint, Tied::Measured);
            add(&mut applied, &wrenches);
            row_wrenches.push(wrenches);
        }
        add(&mut applied, &self.wrenches_of_rows(|row| row.joint().is_none(), Tied::Measured));
        let mut wrenches: Vec<Wrench<S>> =
            (0..self.model.joints.len()).map(|j| self.reaction_of_rows(j, &row_wrenches[j])).collect();
        let loads = self.prescribed_loads();
        self.set_tree_reactions(&applied, &loads, &mut wrenches);
        for (joint, wrench) in self.shared_basic_reactions() {
            wrenches[joint.index()] += wrench;
        }
        let point = |j: usize| self.marker_point(self.model.joints[j].ends[1]);
        let reaction = |(j, wrench): (usize, Wrench<S>)| JointReaction { point: point(j), wrench };
        Reactions { joints: wrenches.into_iter().enumerate().map(reaction).collect(), prescribed: loads }
    }

    /// Wrenches of gravity and of all forces on each body, about its centre of mass.
    fn applied_wrenches(&self, tied: Tied) -> Vec<Wrench<S>> {
        let mut wrenches = vec![Wrench::zero(); self.model.bodies.len()];
        if let Some(gravity) = self.model.loads.gravity {
            let gravity = self.vector(gravity);
            for (wrench, body) in wrenches.iter_mut().zip(&self.model.bodies) {
                let mass = self.value(body.mass);
                wrench.force = gravity * mass;
            }
        }
        for load in self.model.loads.forces.iter().flat_map(|f| &f.loads) {
            match *load {
                Load::Force { at, force } => {
                    let Some(body) = self.model.markers[at.index()].body else { continue };
                    let wrench = Wrench { force: self.vector(force), torque: zero() };
                    let wrench = wrench.transferred(self.marker_point(at), self.com(body));
                    wrenches[body.index()] += wrench;
                }
                Load::Torque { on, torque } => {
                    if let Some(body) = self.model.markers[on.index()].body {
                        wrenches[body.index()].torque += self.vector(torque);
                    }
                }
                Load::Generalized { coordinate, value } => {
                    self.add_generalized_load((coordinate, RowLevel::Position), self.value(value), tied, &mut wrenches);
                }
                Load::Potential(v) => {
                    self.add_generalized_load((v, RowLevel::Position), S::number(-1.0), tied, &mut wrenches)
                }
            }
        }
        wrenches
    }

    /// (1), summed over the rows of the tree that are `wanted`.
    fn wrenches_of_rows(&self, wanted: impl Fn(&mbs_model::Row) -> bool, tied: Tied) -> Vec<Wrench<S>> {
        let mut wrenches = vec![Wrench::zero(); self.model.bodies.len()];
        for (row, lambda) in self.tree.rows.iter().zip(&self.variables.multipliers).filter(|(row, _)| wanted(row)) {
            let load = -self.effective_multiplier(row, *lambda);
            self.add_generalized_load((row.residual, row.level), load, tied, &mut wrenches);
        }
        wrenches
    }

    /// Adds the wrenches of a generalised load along an expression to those on bodies, about their centres of mass. Moments on particles are
    /// included, although particles do not rotate.
    fn add_generalized_load(&self, (e, level): (ExprId, RowLevel), load: S, tied: Tied, wrenches: &mut [Wrench<S>]) {
        for (observable, derivative) in (self.derivatives)(e, level) {
            let component_load = load * derivative;
            let marker = match observable {
                Op::Position(marker, _)
                | Op::Direction(marker, ..)
                | Op::Angle(marker)
                | Op::AngularVelocity(marker, _) => marker,
                // Loads along a coordinate of a declared kind act within the joint, and are part of its reaction.
                Op::JointCoordinate(j, _) if self.model.joint(j).pose().is_some() => continue,
                Op::JointCoordinate(j, k) if tied == Tied::Unknown && self.is_tied(j, k) => continue,
                Op::JointCoordinate(j, k) => {
                    let measured = self.model.joint(j).coordinates[usize::from(k)].1;
                    self.add_generalized_load((measured, RowLevel::Position), component_load, tied, wrenches);
                    continue;
                }
                _ => continue,
            };
            let Some(body) = self.model.markers[marker.index()].body else { continue };
            let component = |c: u8| axis_vector(usize::from(c), component_load);
            let wrench = match observable {
                Op::Position(_, c) => Wrench { force: component(c), torque: zero() }
                    .transferred(self.marker_point(marker), self.com(body)),
                // A direction d has the rate ω × d.
                Op::Direction(_, axis, c) => {
                    Wrench { force: zero(), torque: self.marker_axis(marker, axis).cross(component(c)) }
                }
                Op::AngularVelocity(_, c) => Wrench { force: zero(), torque: component(c) },
                _ => Wrench { force: zero(), torque: component(2) },
            };
            wrenches[body.index()] += wrench;
        }
    }

    /// Whether a joint coordinate is an unknown of the solver in addition to the poses of bodies.
    fn is_tied(&self, joint: JointId, k: u8) -> bool {
        self.tree.solver.contains(&SolverCoordinate::ContinuousCoordinate(joint, k))
    }

    /// Reaction of a joint from the wrenches of its rows on bodies: on the body of its second end, about that end's marker. Zero for a joint without
    /// rows. On ground it is the opposite of the sum over all bodies.
    fn reaction_of_rows(&self, j: usize, wrenches: &[Wrench<S>]) -> Wrench<S> {
        let second = self.model.joints[j].ends[1];
        let point = self.marker_point(second);
        let about = |b: BodyId| wrenches[b.index()].transferred(self.com(b), point);
        let wrench = match self.model.markers[second.index()].body {
            Some(b) => about(b),
            None => -self.tree.order.iter().fold(Wrench::zero(), |sum, b| sum + about(*b)),
        };
        // A particle as first end has moments that nothing balances.
        if self.model.joints[j].has_moment() { wrench } else { Wrench { torque: zero(), ..wrench } }
    }

    /// Adds the wrenches on bodies of the load of a prescribed coordinate (index into [`Tree::prescribed`](crate::Tree)): those of a drive.
    fn add_prescribed_load(&self, prescribed: usize, load: S, wrenches: &mut [Wrench<S>]) {
        let prescribed = self.tree.prescribed[prescribed];
        let joint = self.model.joint(prescribed.joint);
        // In a declared kind, the load acts within the joint.
        if joint.pose().is_none() {
            let measured = joint.coordinates[usize::from(prescribed.coordinate)].1;
            self.add_generalized_load((measured, RowLevel::Position), load, Tied::Measured, wrenches);
        }
    }

    /// Sets the reactions of the tree's joints in `wrenches`, from (2).
    fn set_tree_reactions(&self, applied: &[Wrench<S>], loads: &[S], wrenches: &mut [Wrench<S>]) {
        self.sweep_inward(applied, |joint, reversed, body, needed| {
            let point = self.marker_point(self.model.joint(joint).ends[1]);
            let mut prescribed = Wrench::zero();
            for i in (0..loads.len()).filter(|i| self.tree.prescribed[*i].joint == joint) {
                let mut all = vec![Wrench::zero(); self.model.bodies.len()];
                self.add_prescribed_load(i, loads[i], &mut all);
                prescribed += all[body.index()].transferred(self.com(body), point);
            }
            if self.model.joint(joint).rows.is_empty() {
                return prescribed;
            }
            let reaction = self.constraint_part(joint, needed - prescribed);
            wrenches[joint.index()] = if reversed { -reaction } else { reaction };
            self.without_particle_moment(joint, reversed, body, needed)
        });
    }

    /// Loads of the tree's prescribed coordinates p, from (2) including its part in the motion subspaces: M_pr r̈ + M_pp p̈ − Q_p + G_pᵀ λ, at any
    /// accelerations r̈ of the other coordinates r and any λ. This includes the inertia of free bodies whose joint is on a body that p moves.
    fn prescribed_loads(&self) -> Vec<S> {
        let mut loads = vec![S::number(0.0); self.tree.prescribed.len()];
        if loads.is_empty() {
            return loads;
        }
        let mut applied = self.applied_wrenches(Tied::Unknown);
        add(&mut applied, &self.wrenches_of_rows(|_| true, Tied::Unknown));
        self.sweep_inward(&applied, |joint, reversed, body, needed| {
            let needed = self.without_particle_moment(joint, reversed, body, needed);
            for i in (0..loads.len()).filter(|i| self.tree.prescribed[*i].joint == joint) {
                loads[i] = self.prescribed_power(i, reversed, needed);
            }
            needed
        });
        for (e, level, load) in self.generalized_loads() {
            for (observable, derivative) in (self.derivatives)(e, level) {
                if let Op::JointCoordinate(j, k) = observable
                    && self.model.joint(j).pose().is_some()
                    && let Some(i) = self.tree.prescribed.iter().position(|p| p.is_coordinate(j, k))
                {
                    loads[i] = loads[i] - load * derivative;
                }
            }
        }
        loads
    }

    /// A wrench, about a joint's second end, on the joint's outboard body. For a particle, which does not rotate, it is the force at the particle's
    /// end alone. A free joint whose first end is on a particle has coordinates along the world's axes: its force acts at the second end.
    fn without_particle_moment(&self, joint: JointId, reversed: bool, body: BodyId, wrench: Wrench<S>) -> Wrench<S> {
        if self.model.bodies[body.index()].kind == BodyKind::Rigid {
            return wrench;
        }
        let [first, second] = self.model.joint(joint).ends.map(|end| self.marker_point(end));
        let force = Wrench { torque: zero(), ..wrench };
        let is_free = self.model.is_free_in_plane(joint);
        if reversed && !is_free { force.transferred(first, second) } else { force }
    }

    /// Generalised loads along expressions, of forces and of rows: expression, level, load.
    fn generalized_loads(&self) -> Vec<(ExprId, RowLevel, S)> {
        let generalized = |load: &Load| match *load {
            Load::Generalized { coordinate, value } => Some((coordinate, RowLevel::Position, self.value(value))),
            Load::Potential(v) => Some((v, RowLevel::Position, S::number(-1.0))),
            Load::Force { .. } | Load::Torque { .. } => None,
        };
        let forces = self.model.loads.forces.iter().flat_map(|f| &f.loads).filter_map(generalized);
        let rows = self.tree.rows.iter().zip(&self.variables.multipliers);
        forces
            .chain(rows.map(|(row, lambda)| (row.residual, row.level, -self.effective_multiplier(row, *lambda))))
            .collect()
    }

    /// Evaluates (2) from the outermost bodies inwards. `transmitted` is called with each joint of the tree, whether it is reversed, its outboard
    /// body and the wrench that this body requires, about the joint's second end; it returns the part that the joint transmits from the parent. A
    /// free joint that names the coordinates of a body is one of the tree.
    fn sweep_inward(
        &self,
        applied: &[Wrench<S>],
        mut transmitted: impl FnMut(JointId, bool, BodyId, Wrench<S>) -> Wrench<S>,
    ) {
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
            let needed = self.inertial_wrench(body) - applied[body.index()] + passed[body.index()];
            let point = self.marker_point(self.model.joint(joint).ends[1]);
            let wrench = transmitted(joint, reversed, body, needed.transferred(self.com(body), point));
            if let Some(parent) = parent {
                let sum = &mut passed[parent.index()];
                *sum += wrench.transferred(point, self.com(parent));
            }
        }
    }

    /// Power, per unit rate of prescribed coordinate i, of a wrench on the outboard body of its joint, about the joint's second end.
    fn prescribed_power(&self, i: usize, reversed: bool, wrench: Wrench<S>) -> S {
        let prescribed = self.tree.prescribed[i];
        let second = self.model.joint(prescribed.joint).ends[1];
        let kinematics = match &self.poses {
            Poses::Spatial(state) => {
                let coordinate = (prescribed.joint, prescribed.coordinate);
                return state.prescribed_power(self.tree, coordinate, self.marker_point(second), wrench);
            }
            Poses::Planar(kinematics) => kinematics,
        };
        let found = kinematics.prescribed.iter().find(|(j, k, _)| prescribed.is_coordinate(*j, *k));
        let column = found.map(|p| p.2);
        let Some(column) = column else { return S::number(0.0) };
        // The column is the motion of the second end relative to the first, in the axes of the first.
        let wrench = if reversed { -wrench } else { wrench };
        let axes = [0, 1].each(|k| self.marker_axis(self.model.joint(prescribed.joint).ends[0], k));
        let linear = axes[0] * column.linear[0] + axes[1] * column.linear[1];
        linear.dot(wrench.force) + column.angular[2] * wrench.torque[2]
    }

    /// m a_G and I α + ω × I ω of a body, about its centre of mass G, world axes.
    fn inertial_wrench(&self, body: BodyId) -> Wrench<S> {
        let declared = &self.model.bodies[body.index()];
        let mass = self.value(declared.mass);
        let torque = match (declared.kind, &self.poses) {
            (BodyKind::Particle, _) => zero(),
            (BodyKind::Rigid, Poses::Spatial(state)) => {
                state.inertial_moment(body.index(), declared.inertia.map(|e| self.value(e)))
            }
            (BodyKind::Rigid, Poses::Planar(_)) => {
                let moment = self.value(declared.inertia[2]) * self.planar().angle_rate(body).rate();
                axis_vector(2, moment)
            }
        };
        Wrench { force: self.com(body).map(|x| x.rate().rate()) * mass, torque }
    }

    /// A wrench at a joint's second end; in the plane without its part in the joint's motion subspace, which is zero where the equations of motion
    /// are satisfied.
    fn constraint_part(&self, joint: JointId, wrench: Wrench<S>) -> Wrench<S> {
        let declared = self.model.joint(joint);
        if self.model.space == Space::Spatial || !declared.is_composed() {
            return wrench;
        }
        declared.steps().iter().fold(wrench, |wrench, step| match *step {
            Step::Revolute { .. } => Wrench { torque: zero(), ..wrench },
            Step::Prismatic { axis: [x, y, _] } => {
                let [x, y] = [x, y].each(|e| self.value(e));
                let axes = [0, 1].each(|k| self.marker_axis(declared.ends[0], k));
                let normal = axes[1] * x - axes[0] * y;
                let magnitude = normal.dot(wrench.force);
                Wrench { force: normal * magnitude, ..wrench }
            }
            _ => wrench,
        })
    }

    /// World position of the centre of mass of a body.
    fn com(&self, body: BodyId) -> Vec3<S> {
        self.marker_point(self.model.bodies[body.index()].com_marker)
    }
}

fn add<S: Scalar>(sums: &mut [Wrench<S>], terms: &[Wrench<S>]) {
    sums.iter_mut().zip(terms).for_each(|(sum, term)| *sum += *term);
}
