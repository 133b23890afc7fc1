//! Generalised forces in space: loads become wrenches on links, and one sweep inwards projects them all.

use mbs_expr::{ExprId, MarkerId, Op, Scalar};
use mbs_math::{Mat3, Vec3};
use mbs_model::{Load, RowLevel};

use super::dynamics::Axes;
use super::twist::LinkWrench;
use super::vector::{along_axis, zero};
use crate::reactions::Derivatives;
use crate::{Mechanics, SolverCoordinate};

/// Loads gathered: wrenches on links, and what acts along speeds directly.
#[derive(Clone, Debug)]
pub struct Gathered<S> {
    /// By link.
    pub wrenches: Vec<LinkWrench<S>>,
    /// By speed.
    pub direct: Vec<S>,
}

impl<S: Scalar> Gathered<S> {
    fn add(&mut self, on: Option<(usize, LinkWrench<S>)>) {
        if let Some((link, wrench)) = on {
            self.wrenches[link] = self.wrenches[link] + wrench;
        }
    }
}

impl<S: Scalar> Mechanics<'_, S> {
    /// Zero loads, to be added to.
    fn nothing(&self) -> Gathered<S> {
        Gathered {
            wrenches: vec![LinkWrench::zero(); self.tree.links.len()],
            direct: vec![S::number(0.0); self.tree.n()],
        }
    }

    /// Generalised forces of some loads along the solver's speeds.
    pub fn load_forces(&self, loads: &[Load], derivatives: Derivatives<'_, S>) -> Vec<S> {
        let mut gathered = self.nothing();
        loads.iter().for_each(|load| self.gather(load, derivatives, &mut gathered));
        self.projected(gathered)
    }

    /// Wrench of loads on a body and all others of its link: force in world axes, moment about the body's centre of mass in its axes. `None`
    /// for a body without a link.
    pub fn wrench_on_body(&self, loads: &[Load], body: usize, derivatives: Derivatives<'_, S>) -> Option<[S; 6]> {
        let mut gathered = self.nothing();
        loads.iter().for_each(|load| self.gather(load, derivatives, &mut gathered));
        let (link, pose) = &self.space.bodies[body];
        let wrench = gathered.wrenches[(*link)?];
        let com = self.vector(self.model.bodies[body].com);
        let [force, moment] = self.space.about(body, wrench, pose.point(com));
        Some([force[0], force[1], force[2], moment[0], moment[1], moment[2]])
    }

    /// Generalised forces Q̂: all forces, gravity, and terms quadratic in speeds. `coasting` is the same state without accelerations.
    pub fn forces_in_space(&self, coasting: &Mechanics<'_, S>, derivatives: Derivatives<'_, S>) -> Vec<S> {
        self.projected(self.gathered_in_space(coasting, derivatives))
    }

    /// Wrenches and direct loads that Q̂ is projected from.
    pub fn gathered_in_space(&self, coasting: &Mechanics<'_, S>, derivatives: Derivatives<'_, S>) -> Gathered<S> {
        let mut gathered = self.nothing();
        for load in self.model.forces.iter().flat_map(|f| &f.loads) {
            self.gather(load, derivatives, &mut gathered);
        }
        self.less_inertial(coasting, true, &mut gathered);
        gathered
    }

    /// The part of Q̂ that is quadratic in speeds; of a state without accelerations.
    pub fn velocity_terms_in_space(&self) -> Vec<S> {
        let mut gathered = self.nothing();
        self.less_inertial(self, false, &mut gathered);
        self.projected(gathered)
    }

    fn less_inertial(&self, coasting: &Mechanics<'_, S>, gravity: bool, gathered: &mut Gathered<S>) {
        let moments = coasting.space.regrouped(self.tree);
        let inertial = coasting.space.inertial(&moments, gravity);
        for (sum, inertial) in gathered.wrenches.iter_mut().zip(inertial) {
            *sum = *sum - inertial;
        }
        for (i, inertial) in coasting.natural_inertial(gravity) {
            gathered.direct[i] = gathered.direct[i] - inertial;
        }
    }

    fn projected(&self, gathered: Gathered<S>) -> Vec<S> {
        let along = self.space.project(self.tree, gathered.wrenches);
        along.into_iter().zip(gathered.direct).map(|(a, b)| a + b).collect()
    }

    fn gather(&self, load: &Load, derivatives: Derivatives<'_, S>, gathered: &mut Gathered<S>) {
        match *load {
            Load::Force { at, force } => {
                let (axes, force) = self.components(at, force);
                self.push_on(at, axes, [force, zero()], gathered);
            }
            Load::Torque { on, torque } => {
                let (axes, torque) = self.components(on, torque);
                self.push_on(on, axes, [zero(), torque], gathered);
            }
            Load::Along { coordinate, value } => {
                self.pull_along(coordinate, RowLevel::Position, self.value(value), derivatives, gathered);
            }
            Load::Potential(v) => self.pull_along(v, RowLevel::Position, S::number(-1.0), derivatives, gathered),
        }
    }

    /// Components of a world vector: in body axes if it was given in those of the marker's body.
    fn components(&self, marker: MarkerId, world: [ExprId; 3]) -> (Axes, Vec3<S>) {
        match self.in_own_axes(marker, world) {
            Some(own) => (Axes::Body, own),
            None => (Axes::World, self.vector(world)),
        }
    }

    /// Components in body axes of a world vector that was given in axes of the marker's body.
    fn in_own_axes(&self, marker: MarkerId, world: [ExprId; 3]) -> Option<Vec3<S>> {
        let (axes, components) = self.model.exprs.given_in(world)?;
        let axes = &self.model.markers[axes.index()];
        if axes.body.is_none() || axes.body != self.model.markers[marker.index()].body {
            return None;
        }
        let components = self.vector(components);
        let Some(rotation) = axes.rotation else { return Some(components) };
        Some(Mat3::of_columns(rotation.map(|axis| self.vector(axis))) * components)
    }

    fn push_on(&self, marker: MarkerId, axes: Axes, load: [Vec3<S>; 2], gathered: &mut Gathered<S>) {
        let declared = &self.model.markers[marker.index()];
        let Some(body) = declared.body else { return };
        let point = self.vector(declared.point);
        let Some(basis) = self.space.basis(body.index()) else {
            return gathered.add(self.space.wrench_at(body.index(), point, axes, load));
        };
        let load = match axes {
            Axes::World => load,
            Axes::Body => load.map(|x| self.space.to_world(basis, x)),
        };
        self.add_direct(self.space.along_basics(basis, point, load), gathered);
    }

    /// Adds forces along basics.
    fn add_direct(&self, forces: Vec<(usize, Vec3<S>)>, gathered: &mut Gathered<S>) {
        for (i, force) in self.by_speed(forces) {
            gathered.direct[i] = gathered.direct[i] + force;
        }
    }

    /// Adds a load along an expression.
    fn pull_along(
        &self,
        e: ExprId,
        level: RowLevel,
        load: S,
        derivatives: Derivatives<'_, S>,
        gathered: &mut Gathered<S>,
    ) {
        for (observable, derivative) in derivatives(e, level) {
            let along = load * derivative;
            let component = |c: u8| along_axis(usize::from(c), along);
            match observable {
                Op::Position(m, c) => self.push_on(m, Axes::World, [component(c), zero()], gathered),
                Op::Direction(m, axis, c) => match self.basis_of(m) {
                    Some(basis) => {
                        let forces = self.space.along_vector(basis, self.axis_in_body(m, axis), component(c));
                        self.add_direct(forces, gathered);
                    }
                    None => {
                        let moment = self.marker_axis(m, axis).cross(component(c));
                        self.push_on(m, Axes::World, [zero(), moment], gathered);
                    }
                },
                Op::Basic(i, c) => self.add_direct(vec![(i as usize, component(c))], gathered),
                Op::AngularVelocity(m, c) => self.push_on(m, Axes::World, [zero(), component(c)], gathered),
                Op::JointCoordinate(j, k) => match self.tree.joint_coordinate(j, k) {
                    Some(i) => {
                        for (speed, rate) in self.coordinate_derivatives(i) {
                            gathered.direct[speed] = gathered.direct[speed] + along * rate;
                        }
                    }
                    None if self.tree.prescribed(j, k).is_some() => {}
                    None => {
                        let measured = self.model.joint(j).coordinates[usize::from(k)].1;
                        self.pull_along(measured, RowLevel::Position, along, derivatives, gathered);
                    }
                },
                Op::Algebraic(a) => {
                    if let Some(i) = self.tree.index_of(SolverCoordinate::Algebraic(a)) {
                        gathered.direct[i] = gathered.direct[i] + along;
                    }
                }
                _ => {}
            }
        }
    }
}
