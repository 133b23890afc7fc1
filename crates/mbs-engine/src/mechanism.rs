//! The contract with everything that moves mechanisms.

use mbs_core::{
    Condition, Contact, Energy, Error, Event, Item, Limits, Mechanism, Outline, Placement, Pose, Reaction, RowKind,
    Sizes, StateView, Visual, WrongDerivative, admissible_speeds_of_momenta, momenta_of_energy,
    momentum_rates_of_accelerations, watch_derivatives,
};
use mbs_definition::Space;
use mbs_expr::BodyId;
use mbs_physics::{InterfaceCoordinate, undefined};

use crate::{Engine, data};

impl Engine {
    /// Whether a state has the numbers of coordinates, speeds, auxiliary states and inputs of this mechanism; memories may follow the states.
    fn check_size(&self, at: StateView) -> Result<(), Error> {
        let shared = &self.shared;
        let expected = [shared.checked.q.len(), shared.speeds.len(), shared.model.n_z(), shared.names.inputs.len()];
        let found = [at.q.len(), at.v.len(), at.z.len().min(expected[2]), at.u.len()];
        match expected.into_iter().zip(found).find(|(expected, found)| expected != found) {
            Some((expected, found)) => Err(Error::Size { expected, found }),
            None => Ok(()),
        }
    }

    /// Whether p = M v: there is mass, and nothing prescribed.
    fn has_plain_momenta(&self) -> bool {
        self.shared.checked.solvable && self.shared.tree.prescribed.is_empty()
    }

    /// Whether M is the same at all poses, and q̇ = v: all bodies are in natural coordinates. Counts of revolutions and algebraic coordinates
    /// have no mass.
    fn has_constant_mass(&self) -> bool {
        let is_of_these = |c: &InterfaceCoordinate| match c {
            InterfaceCoordinate::Basic(..) | InterfaceCoordinate::Unwound(_) | InterfaceCoordinate::Algebraic(_) => {
                true
            }
            InterfaceCoordinate::Body(..) | InterfaceCoordinate::Joint(..) => false,
        };
        self.has_plain_momenta() && self.shared.tree.interface.iter().all(is_of_these)
    }
}

impl Mechanism for Engine {
    type Coordinates = Box<[f64]>;
    type Speeds = Box<[f64]>;
    type Multipliers = Box<[f64]>;
    type Auxiliary = Box<[f64]>;
    type Inputs = Box<[f64]>;
    type Scratch = Box<[f64]>;

    fn sizes(&self) -> Sizes {
        let (tree, names) = (&self.shared.tree, &self.shared.names);
        Sizes {
            n_q: tree.n_q(),
            n_v: tree.n(),
            n_c: tree.rows.len(),
            n_position: tree.n_position,
            n_velocity: tree.n_velocity,
            n_z: self.shared.model.n_z(),
            n_discrete: self.shared.model.n_discrete(),
            n_u: names.inputs.len(),
            n_outputs: names.outputs.len(),
            n_bodies: names.bodies.len(),
            n_markers: names.markers.len(),
            n_joints: names.joints.len(),
            n_forces: names.forces.len(),
            n_conditions: self.shared.model.n_conditions(),
            n_events: names.events.len(),
            n_event_conditions: self.shared.model.event_conditions().count(),
            n_guesses: self.shared.model.guesses.len(),
        }
    }

    fn storage(&self) -> (Box<[f64]>, Box<[f64]>, Box<[f64]>, Box<[f64]>, Box<[f64]>, Box<[f64]>) {
        let s = self.sizes();
        let zeros = |n: usize| vec![0.0; n].into_boxed_slice();
        let scratch = self.shared.model.scratch(s.n_v);
        (zeros(s.n_q), zeros(s.n_v), zeros(s.n_c), zeros(self.shared.model.n_stored()), zeros(s.n_u), zeros(scratch))
    }

    fn guess(&self, q: &mut [f64], v: &mut [f64], z: &mut [f64]) {
        q.copy_from_slice(&self.shared.checked.q);
        v.copy_from_slice(&self.shared.speeds);
        z.iter_mut().zip(self.shared.model.stored_defaults()).for_each(|(z, x)| *z = x);
        mbs_check::declare_turns(&self.shared.model, &self.shared.tree, self.parameters(), q, z);
    }

    fn accelerations(&self, at: StateView, a: &mut [f64], lambda: &mut [f64]) -> Result<(), Error> {
        self.check_size(at)?;
        self.dynamics().accelerations(at, a, lambda)
    }

    fn solve(&self, at: StateView, f: &[f64], g: &[f64], x: &mut [f64], mu: &mut [f64]) -> Result<(), Error> {
        self.dynamics().solve(at, f, g, x, mu)
    }

    fn position_residuals(&self, at: StateView, phi: &mut [f64]) {
        self.dynamics().position_residuals(at, phi);
    }

    fn velocity_residuals(&self, at: StateView, psi: &mut [f64]) {
        self.dynamics().velocity_residuals(at, psi);
    }

    fn constraint_jacobian(&self, at: StateView, jacobian: &mut [f64]) {
        self.dynamics().constraint_jacobian(at, jacobian);
    }

    fn constraint_hessian(&self, at: StateView, mu: &[f64], hessian: &mut [f64]) -> Result<(), Error> {
        self.hessian(at, mu, hessian);
        if mbs_core::all_finite(hessian) { Ok(()) } else { Err(Error::NotFinite { t: at.t }) }
    }

    fn jacobian_reads_speeds(&self) -> bool {
        self.shared.reads_speeds
    }

    fn is_spatial(&self) -> bool {
        self.shared.model.space == Space::Spatial
    }

    fn coordinate_rates(&self, t: f64, q: &[f64], v: &[f64], rates: &mut [f64]) {
        self.dynamics().coordinate_rates(t, q, v, rates);
    }

    fn normalize(&self, q: &mut [f64]) {
        for first in &self.shared.quaternions {
            mbs_core::rotation::normalize_at(q, *first);
        }
    }

    fn remember(&self, t: f64, q: &[f64], z: &mut [f64]) {
        self.update_memories(t, q, z);
    }

    fn auxiliary_rates(&self, at: StateView, rates: &mut [f64]) {
        self.dynamics().auxiliary_rates(at, rates);
    }

    fn generalized_forces(&self, at: StateView, forces: &mut [f64]) {
        self.dynamics().generalized_forces(at, forces);
    }

    fn velocity_forces(&self, at: StateView, forces: &mut [f64]) {
        self.dynamics().velocity_forces(at, forces);
    }

    fn momenta(&self, at: StateView, momenta: &mut [f64]) -> Result<(), Error> {
        if !self.has_plain_momenta() {
            return momenta_of_energy(self, at, momenta);
        }
        self.multiply_by_mass_matrix(at, at.v, momenta);
        Ok(())
    }

    fn momentum_rates(&self, at: StateView, rates: &mut [f64]) -> Result<(), Error> {
        if !self.has_constant_mass() {
            return momentum_rates_of_accelerations(self, at, rates);
        }
        // ∂T/∂q = 0, and nothing is quadratic in speeds.
        self.generalized_forces(at, rates);
        if mbs_core::all_finite(rates) { Ok(()) } else { Err(Error::NotFinite { t: at.t }) }
    }

    fn speeds_of_momenta(&self, at: StateView, momenta: &[f64], v: &mut [f64]) -> Result<(), Error> {
        if !self.has_plain_momenta() {
            return admissible_speeds_of_momenta(self, at, momenta, v);
        }
        match self.multiply_by_inverse_mass_matrix(at, momenta, v) {
            // Rows give mass to massless speeds.
            Err(Error::Singular { .. }) => admissible_speeds_of_momenta(self, at, momenta, v),
            known => known,
        }
    }

    fn constraint_forces(&self, at: StateView, lambda: &[f64], forces: &mut [f64]) {
        self.multiply_by_constraint_jacobian_transpose(at, lambda, forces);
    }

    fn reactions(&self, at: StateView, a: &[f64], lambda: &[f64], reactions: &mut [Reaction]) {
        self.dynamics().reactions(at, a, lambda, reactions);
    }

    fn placement(&self, body: usize) -> Option<Placement> {
        let body = BodyId(u32::try_from(body).ok()?);
        let (joint, parent, reversed, speeds) = self.shared.tree.carried(body)?;
        let (first_speed, speeds) = (speeds.start, speeds.len());
        let parent = parent.map(BodyId::index);
        Some(Placement { joint: joint.index(), parent, reversed, first_speed, speeds })
    }

    fn row_kind(&self, row: usize) -> RowKind {
        let (model, tree) = (&self.shared.model, &self.shared.tree);
        tree.rows.get(row).map_or(RowKind::Constraint, |row| model.row_kind(row))
    }

    fn is_switched(&self, row: usize) -> bool {
        self.shared.tree.rows.get(row).is_some_and(|row| row.enabled.is_some())
    }

    fn energy(&self, at: StateView) -> Energy {
        self.dynamics().energy(at)
    }

    fn outputs(&self, at: StateView, a: &[f64], lambda: &[f64], outputs: &mut [f64]) {
        self.dynamics().outputs(at, a, lambda, outputs);
    }

    fn poses(&self, at: StateView, poses: &mut [Pose]) {
        self.dynamics().poses(at, poses);
    }

    fn marker_positions(&self, at: StateView, positions: &mut [[f64; 3]]) {
        self.dynamics().marker_positions(at, &self.shared.drawn, positions);
    }

    fn marker_body(&self, marker: usize) -> Option<usize> {
        let marker = self.shared.drawn.get(marker)?;
        self.shared.model.markers[marker.index()].body.map(BodyId::index)
    }

    fn ends(&self, item: Item) -> Option<[usize; 2]> {
        self.shared.model.ends(item)
    }

    fn is_cable(&self, force: usize) -> bool {
        self.shared.model.forces.get(force).is_some_and(|f| f.is_cable)
    }

    fn visual(&self, index: usize) -> Option<Visual> {
        self.shared.model.solids.get(index).map(data::visual)
    }

    fn outline(&self, index: usize) -> Option<Outline<'_>> {
        self.shared.model.outline(index)
    }

    fn contact(&self, index: usize) -> Option<Contact> {
        mbs_physics::contact(&self.shared.model, &self.shared.tree, index)
    }

    fn limits(&self, joint: usize) -> Option<Limits> {
        let mut all = self.shared.model.limits.iter();
        all.find(|given| given.joint.index() == joint).map(|given| data::limits(given.limits))
    }

    fn body_jacobians(&self, at: StateView, jacobians: &mut [f64]) {
        self.dynamics().body_jacobians(at, jacobians);
    }

    fn initial_condition(&self, condition: usize, at: StateView, gradient: &mut [f64]) -> Condition {
        let told = self.dynamics().initial_condition(condition, at, gradient);
        Condition { residual: told.residual - self.shared.model.guess_miss(condition), ..told }
    }

    fn event(&self, event: usize) -> Event {
        self.shared.model.event(event)
    }

    fn event_values(&self, at: StateView, values: &mut [f64]) -> Result<(), Error> {
        self.values_of_events(at, values)
    }

    fn event_rates(&self, at: StateView, rates: &mut [f64]) -> Result<(), Error> {
        self.rates_of_events(at, rates)
    }

    fn event_assignments(&self, event: usize, at: StateView, z: &mut [f64], targets: &mut [f64]) -> Result<(), Error> {
        self.assignments_of(event, at, z, targets)
    }

    fn check_functions(&self, at: StateView) -> Result<(), WrongDerivative> {
        let outputs = &mut vec![0.0; self.shared.names.outputs.len()];
        watch_derivatives(self, at, outputs, self.shared.model.derivative_watches())
    }

    fn explain_not_finite(&self, at: StateView, tell: &mut dyn FnMut(&str)) {
        let parameters = self.parameters();
        if let Some(found) = undefined(&self.shared.model, &self.shared.tree, parameters, at) {
            tell(&found);
        }
    }

    fn name(&self, item: Item) -> &str {
        if item == Item::Mechanism { &self.shared.model.name } else { self.shared.names.of(item) }
    }
}
