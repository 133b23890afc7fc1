//! Mechanisms as trait objects: a simulation compiles integrators, events and assembly once, and not for each type of mechanism.
//!
//! A kernel then costs an indirect call, and a state is on the heap. The operations and their order are the same, and so are the bits.

use mbs_core::{
    Condition, Contact, Corrections, Describe, Energy, Error, Event, Eventful, FullMechanism, Item, Limits, Mechanism,
    Momenta, Outline, Placement, Pose, Reaction, RowKind, Sizes, State, StateView, Visual, WrongDerivative,
};

use super::course::Course;
use super::plan::Plan;
use super::solver::Secants;
use super::watch::{Act, Watch};
use super::{Failure, Load, Loaded, Recording};

/// Any mechanism, with its numbers in vectors.
pub(super) type Object<'m> = dyn FullMechanism<
        f64,
        Coordinates = Vec<f64>,
        Speeds = Vec<f64>,
        Multipliers = Vec<f64>,
        Auxiliary = Vec<f64>,
        Inputs = Vec<f64>,
        Scratch = Vec<f64>,
    > + 'm;

/// An object as a mechanism, with the loads and events of closures, if there are any.
pub(super) type LoadedObject<'m> = Loaded<'m, Object<'m>, Box<Load<'m>>>;

/// Runs a mechanism from a state.
///
/// # Errors
/// Those of the run.
pub(super) fn run<'m>(
    mechanism: &'m Object<'m>,
    initial: State<LoadedObject<'m>>,
    load: Option<Box<Load<'m>>>,
    watches: Vec<Watch<'m>>,
    plan: Plan,
    act: &mut Act<LoadedObject<'m>>,
) -> Result<Recording, Failure> {
    let loaded = Loaded::with_events(mechanism, load, watches);
    loaded.judge(Course::new(&loaded, initial, mechanism.sizes().n_events).run::<Secants>(plan, act))
}

/// A mechanism whose numbers are in vectors.
pub(super) struct InVectors<'m, M>(pub(super) &'m M);

impl<M: Mechanism> Mechanism for InVectors<'_, M> {
    type Coordinates = Vec<f64>;
    type Speeds = Vec<f64>;
    type Multipliers = Vec<f64>;
    type Auxiliary = Vec<f64>;
    type Inputs = Vec<f64>;
    type Scratch = Vec<f64>;

    fn sizes(&self) -> Sizes {
        self.0.sizes()
    }

    fn storage(&self) -> (Vec<f64>, Vec<f64>, Vec<f64>, Vec<f64>, Vec<f64>, Vec<f64>) {
        let (q, v, lambda, z, u, scratch) = self.0.storage();
        let vector = |x: &[f64]| x.to_vec();
        let [q, v, lambda] = [vector(q.as_ref()), vector(v.as_ref()), vector(lambda.as_ref())];
        (q, v, lambda, vector(z.as_ref()), vector(u.as_ref()), vector(scratch.as_ref()))
    }

    fn guess(&self, q: &mut [f64], v: &mut [f64], z: &mut [f64]) {
        self.0.guess(q, v, z);
    }

    fn accelerations(&self, at: StateView, a: &mut [f64], lambda: &mut [f64]) -> Result<(), Error> {
        self.0.accelerations(at, a, lambda)
    }

    fn solve(&self, at: StateView, f: &[f64], g: &[f64], x: &mut [f64], mu: &mut [f64]) -> Result<(), Error> {
        self.0.solve(at, f, g, x, mu)
    }

    fn corrections(&self, at: StateView, corrections: Corrections) -> Result<bool, Error> {
        self.0.corrections(at, corrections)
    }

    fn position_residuals(&self, at: StateView, phi: &mut [f64]) {
        self.0.position_residuals(at, phi);
    }

    fn velocity_residuals(&self, at: StateView, psi: &mut [f64]) {
        self.0.velocity_residuals(at, psi);
    }

    fn constraint_jacobian(&self, at: StateView, jacobian: &mut [f64]) {
        self.0.constraint_jacobian(at, jacobian);
    }

    fn constraint_hessian(&self, at: StateView, mu: &[f64], hessian: &mut [f64]) -> Result<(), Error> {
        self.0.constraint_hessian(at, mu, hessian)
    }

    fn constraint_forces(&self, at: StateView, lambda: &[f64], forces: &mut [f64]) {
        self.0.constraint_forces(at, lambda, forces);
    }

    fn jacobian_reads_speeds(&self) -> bool {
        self.0.jacobian_reads_speeds()
    }

    fn coordinate_rates(&self, t: f64, q: &[f64], v: &[f64], rates: &mut [f64]) {
        self.0.coordinate_rates(t, q, v, rates);
    }

    fn retract(&self, t: f64, q: &mut [f64], delta: &[f64], rates: &mut [f64]) {
        self.0.retract(t, q, delta, rates);
    }

    fn normalize(&self, q: &mut [f64]) {
        self.0.normalize(q);
    }

    fn remember(&self, t: f64, q: &[f64], z: &mut [f64]) {
        self.0.remember(t, q, z);
    }

    fn auxiliary_rates(&self, at: StateView, rates: &mut [f64]) {
        self.0.auxiliary_rates(at, rates);
    }

    fn generalized_forces(&self, at: StateView, forces: &mut [f64]) {
        self.0.generalized_forces(at, forces);
    }

    fn velocity_forces(&self, at: StateView, forces: &mut [f64]) {
        self.0.velocity_forces(at, forces);
    }

    fn energy(&self, at: StateView) -> Energy {
        self.0.energy(at)
    }

    fn outputs(&self, at: StateView, a: &[f64], lambda: &[f64], outputs: &mut [f64]) {
        self.0.outputs(at, a, lambda, outputs);
    }

    fn reactions(&self, at: StateView, a: &[f64], lambda: &[f64], reactions: &mut [Reaction]) {
        self.0.reactions(at, a, lambda, reactions);
    }

    fn poses(&self, at: StateView, poses: &mut [Pose]) {
        self.0.poses(at, poses);
    }

    fn body_jacobians(&self, at: StateView, jacobians: &mut [f64]) {
        self.0.body_jacobians(at, jacobians);
    }

    fn initial_condition(&self, condition: usize, at: StateView, gradient: &mut [f64]) -> Condition {
        self.0.initial_condition(condition, at, gradient)
    }
}

impl<M: Describe> Describe for InVectors<'_, M> {
    fn name(&self, item: Item) -> &str {
        self.0.name(item)
    }

    fn row_kind(&self, row: usize) -> RowKind {
        self.0.row_kind(row)
    }

    fn is_switched(&self, row: usize) -> bool {
        self.0.is_switched(row)
    }

    fn placement(&self, body: usize) -> Option<Placement> {
        self.0.placement(body)
    }

    fn is_spatial(&self) -> bool {
        self.0.is_spatial()
    }

    fn marker_positions(&self, at: StateView, positions: &mut [[f64; 3]]) {
        self.0.marker_positions(at, positions);
    }

    fn marker_body(&self, marker: usize) -> Option<usize> {
        self.0.marker_body(marker)
    }

    fn ends(&self, item: Item) -> Option<[usize; 2]> {
        self.0.ends(item)
    }

    fn is_cable(&self, force: usize) -> bool {
        self.0.is_cable(force)
    }

    fn visual(&self, index: usize) -> Option<Visual> {
        self.0.visual(index)
    }

    fn outline(&self, index: usize) -> Option<Outline<'_>> {
        self.0.outline(index)
    }

    fn contact(&self, index: usize) -> Option<Contact> {
        self.0.contact(index)
    }

    fn limits(&self, joint: usize) -> Option<Limits> {
        self.0.limits(joint)
    }

    fn check_functions(&self, at: StateView) -> Result<(), WrongDerivative> {
        self.0.check_functions(at)
    }

    fn explain_not_finite(&self, at: StateView, report: &mut dyn FnMut(&str)) {
        self.0.explain_not_finite(at, report);
    }
}

impl<M: Eventful> Eventful for InVectors<'_, M> {
    fn event(&self, event: usize) -> Event {
        self.0.event(event)
    }

    fn event_values(&self, at: StateView, values: &mut [f64]) -> Result<(), Error> {
        self.0.event_values(at, values)
    }

    fn event_rates(&self, at: StateView, rates: &mut [f64]) -> Result<(), Error> {
        self.0.event_rates(at, rates)
    }

    fn event_assignments(&self, event: usize, at: StateView, z: &mut [f64], targets: &mut [f64]) -> Result<(), Error> {
        self.0.event_assignments(event, at, z, targets)
    }
}

impl<M: Momenta> Momenta for InVectors<'_, M> {
    fn momenta(&self, at: StateView, momenta: &mut [f64]) -> Result<(), Error> {
        self.0.momenta(at, momenta)
    }

    fn momentum_rates(&self, at: StateView, rates: &mut [f64]) -> Result<(), Error> {
        self.0.momentum_rates(at, rates)
    }

    fn speeds_of_momenta(&self, at: StateView, momenta: &[f64], v: &mut [f64]) -> Result<(), Error> {
        self.0.speeds_of_momenta(at, momenta, v)
    }

    fn momentum_step(
        &self,
        at: StateView,
        h: f64,
        momenta: &[f64],
        delta: &mut [f64],
        mu: &mut [f64],
        end: &mut [f64],
    ) -> Result<(), Error> {
        self.0.momentum_step(at, h, momenta, delta, mu, end)
    }
}
