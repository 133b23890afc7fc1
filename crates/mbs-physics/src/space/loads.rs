//! Generalised forces in space: loads become wrenches on links, which one inward sweep projects.

use mbs_expr::{ExprId, MarkerId, Op, Scalar};
use mbs_math::{Each, Mat3, Vec3};
use mbs_model::{Load, RowLevel};

use super::dynamics::Axes;
use super::twist::LinkWrench;
use super::vector::{axis_vector, zero};
use crate::reactions::Derivatives;
use crate::{SolverCoordinate, SpatialMechanics};

/// Sum of loads: wrenches on links, and generalised forces along speeds.
#[derive(Clone, Debug)]
pub struct GatheredLoads<S> {
    /// Wrenches, by link.
    pub wrenches: Vec<LinkWrench<S>>,
    /// Generalised forces, by speed.
    pub direct: Vec<S>,
}

impl<S: Scalar> GatheredLoads<S> {
    fn add_wrench(&mut self, wrench: Option<(usize, LinkWrench<S>)>) {
        if let Some((link, wrench)) = wrench {
            self.wrenches[link] = self.wrenches[link] + wrench;
        }
    }
}

impl<S: Scalar> SpatialMechanics<'_, '_, S> {
    /// Zero loads.
    fn no_loads(&self) -> GatheredLoads<S> {
        GatheredLoads {
            wrenches: vec![LinkWrench::zero(); self.tree.links.len()],
            direct: vec![S::number(0.0); self.tree.n()],
        }
    }

    /// Generalised forces of loads along the solver's speeds. Shape: n_v.
    pub fn load_forces(&self, loads: &[Load], derivatives: Derivatives<'_, S>) -> Vec<S> {
        let mut gathered = self.no_loads();
        loads.iter().for_each(|load| self.gather_load(load, derivatives, &mut gathered));
        self.project_loads(gathered)
    }

    /// Sum of the wrenches of loads on the link of a body: force in world axes, then moment about the body's centre of mass in its axes. `None` for a
    /// body without a link.
    pub fn wrench_on_body(&self, loads: &[Load], body: usize, derivatives: Derivatives<'_, S>) -> Option<[S; 6]> {
        let mut gathered = self.no_loads();
        loads.iter().for_each(|load| self.gather_load(load, derivatives, &mut gathered));
        let (link, pose) = &self.state.bodies[body];
        let wrench = gathered.wrenches[(*link)?];
        let com = self.vector(self.model.bodies[body].com);
        let [force, moment] = self.state.force_and_moment_about(body, wrench, pose.point(com));
        Some([force[0], force[1], force[2], moment[0], moment[1], moment[2]])
    }

    /// Generalised forces Q̂ along the solver's speeds: all forces, gravity, and terms quadratic in speeds. `coasting` is the same state with zero
    /// accelerations. Shape: n_v.
    pub fn spatial_forces(&self, coasting: SpatialMechanics<'_, '_, S>, derivatives: Derivatives<'_, S>) -> Vec<S> {
        self.project_loads(self.spatial_loads(coasting, derivatives))
    }

    /// The wrenches and generalised forces whose projection is Q̂: [`Self::spatial_forces`].
    pub fn spatial_loads(
        &self,
        coasting: SpatialMechanics<'_, '_, S>,
        derivatives: Derivatives<'_, S>,
    ) -> GatheredLoads<S> {
        let mut gathered = self.no_loads();
        for force in &self.model.loads.forces {
            force.loads.iter().for_each(|load| self.gather_load(load, derivatives, &mut gathered));
        }
        self.subtract_inertial_forces(coasting, true, &mut gathered);
        gathered
    }

    /// The part of Q̂ that is quadratic in speeds, of a state with zero accelerations. Shape: n_v.
    pub fn spatial_velocity_terms(&self) -> Vec<S> {
        let mut gathered = self.no_loads();
        self.subtract_inertial_forces(*self, false, &mut gathered);
        self.project_loads(gathered)
    }

    /// Subtracts the inertial forces of a state, with weights added if `gravity` is set.
    fn subtract_inertial_forces(
        &self,
        coasting: SpatialMechanics<'_, '_, S>,
        gravity: bool,
        gathered: &mut GatheredLoads<S>,
    ) {
        let moments = coasting.state.regrouped(self.tree);
        let inertial = coasting.state.inertial(&moments, gravity);
        for (sum, inertial) in gathered.wrenches.iter_mut().zip(inertial) {
            *sum = *sum - inertial;
        }
        for (i, inertial) in coasting.natural_inertial_forces(gravity) {
            gathered.direct[i] = gathered.direct[i] - inertial;
        }
    }

    fn project_loads(&self, gathered: GatheredLoads<S>) -> Vec<S> {
        let projected = self.state.project(self.tree, gathered.wrenches);
        projected.into_iter().zip(gathered.direct).map(|(a, b)| a + b).collect()
    }

    /// Adds a load.
    fn gather_load(&self, load: &Load, derivatives: Derivatives<'_, S>, gathered: &mut GatheredLoads<S>) {
        match *load {
            Load::Force { at, force } => {
                let (axes, force) = self.load_components(at, force);
                self.add_wrench_at(at, axes, [force, zero()], gathered);
            }
            Load::Torque { on, torque } => {
                let (axes, torque) = self.load_components(on, torque);
                self.add_wrench_at(on, axes, [zero(), torque], gathered);
            }
            Load::Generalized { coordinate, value } => {
                self.add_load_on_expression(coordinate, RowLevel::Position, self.value(value), derivatives, gathered);
            }
            Load::Potential(v) => {
                self.add_load_on_expression(v, RowLevel::Position, S::number(-1.0), derivatives, gathered)
            }
        }
    }

    /// Components of a load: in body axes if it was declared in axes of the marker's body, otherwise in world axes.
    fn load_components(&self, marker: MarkerId, world: [ExprId; 3]) -> (Axes, Vec3<S>) {
        match self.components_in_body(marker, world) {
            Some(components) => (Axes::Body, components),
            None => (Axes::World, self.vector(world)),
        }
    }

    /// Components in body axes of a world vector that was declared in axes of the marker's body; `None` for other vectors.
    fn components_in_body(&self, marker: MarkerId, world: [ExprId; 3]) -> Option<Vec3<S>> {
        let (axes, components) = self.model.exprs.declared_components(world)?;
        let axes = &self.model.markers[axes.index()];
        if axes.body.is_none() || axes.body != self.model.markers[marker.index()].body {
            return None;
        }
        let components = self.vector(components);
        let Some(rotation) = axes.rotation else { return Some(components) };
        Some(Mat3::of_columns(rotation.each(|axis| self.vector(axis))) * components)
    }

    /// Adds a force at a marker and a moment on its body.
    fn add_wrench_at(&self, marker: MarkerId, axes: Axes, load: [Vec3<S>; 2], gathered: &mut GatheredLoads<S>) {
        let declared = &self.model.markers[marker.index()];
        let Some(body) = declared.body else { return };
        let point = self.vector(declared.point);
        let Some(basis) = self.state.basis(body.index()) else {
            return gathered.add_wrench(self.state.wrench_at(body.index(), point, axes, load));
        };
        let load = match axes {
            Axes::World => load,
            Axes::Body => load.map(|x| self.state.to_world(basis, x)),
        };
        self.add_basic_forces(self.state.forces_on_basics(basis, point, load), gathered);
    }

    /// Adds forces on basics.
    fn add_basic_forces(&self, forces: Vec<(usize, Vec3<S>)>, gathered: &mut GatheredLoads<S>) {
        for (i, force) in self.forces_by_speed(forces) {
            gathered.direct[i] = gathered.direct[i] + force;
        }
    }

    /// Adds a generalised load along an expression.
    fn add_load_on_expression(
        &self,
        e: ExprId,
        level: RowLevel,
        load: S,
        derivatives: Derivatives<'_, S>,
        gathered: &mut GatheredLoads<S>,
    ) {
        for (observable, derivative) in derivatives(e, level) {
            let component_load = load * derivative;
            let component = |c: u8| axis_vector(usize::from(c), component_load);
            match observable {
                Op::Position(m, c) => self.add_wrench_at(m, Axes::World, [component(c), zero()], gathered),
                Op::Direction(m, axis, c) => match self.basis_of(m) {
                    Some(basis) => {
                        let forces = self.state.forces_on_vector(basis, self.axis_in_body(m, axis), component(c));
                        self.add_basic_forces(forces, gathered);
                    }
                    None => {
                        let moment = self.marker_axis(m, axis).cross(component(c));
                        self.add_wrench_at(m, Axes::World, [zero(), moment], gathered);
                    }
                },
                Op::Basic(i, c) => self.add_basic_forces(vec![(i as usize, component(c))], gathered),
                Op::AngularVelocity(m, c) => self.add_wrench_at(m, Axes::World, [zero(), component(c)], gathered),
                Op::JointCoordinate(j, k) => match self.tree.joint_coordinate_index(j, k) {
                    Some(i) => {
                        for (speed, rate) in self.coordinate_derivatives(i) {
                            gathered.direct[speed] = gathered.direct[speed] + component_load * rate;
                        }
                    }
                    None if self.tree.prescribed(j, k).is_some() => {}
                    None => {
                        let measured = self.model.joint(j).coordinates[usize::from(k)].1;
                        self.add_load_on_expression(
                            measured,
                            RowLevel::Position,
                            component_load,
                            derivatives,
                            gathered,
                        );
                    }
                },
                Op::Algebraic(a) => {
                    if let Some(i) = self.tree.solver_index(SolverCoordinate::Algebraic(a)) {
                        gathered.direct[i] = gathered.direct[i] + component_load;
                    }
                }
                _ => {}
            }
        }
    }
}
