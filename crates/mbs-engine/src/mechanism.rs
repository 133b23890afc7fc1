//! The implementation of `Mechanism` for the engine.

use mbs_core::{Condition, Energy, Error, Mechanism, Pose, Reaction, Sizes, StateView};

use crate::Engine;

impl Engine {
    /// Checks that a state has the numbers of coordinates, speeds, auxiliary states and inputs of this mechanism; memories may follow the states.
    fn check_size(&self, at: StateView) -> Result<(), Error> {
        let shared = &self.shared;
        let expected = [shared.checked.q.len(), shared.speeds.len(), shared.model.n_z(), shared.names.inputs.len()];
        let found = [at.q.len(), at.v.len(), at.z.len().min(expected[2]), at.u.len()];
        match expected.into_iter().zip(found).find(|(expected, found)| expected != found) {
            Some((expected, found)) => Err(Error::Size { expected, found }),
            None => Ok(()),
        }
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
            n_guesses: self.shared.model.start.guesses.len(),
        }
    }

    fn storage(&self) -> (Box<[f64]>, Box<[f64]>, Box<[f64]>, Box<[f64]>, Box<[f64]>, Box<[f64]>) {
        let s = self.sizes();
        let zeros = |n: usize| vec![0.0; n].into_boxed_slice();
        let scratch = self.shared.model.scratch_len(s.n_v);
        (zeros(s.n_q), zeros(s.n_v), zeros(s.n_c), zeros(self.shared.model.n_stored()), zeros(s.n_u), zeros(scratch))
    }

    fn guess(&self, q: &mut [f64], v: &mut [f64], z: &mut [f64]) {
        q.copy_from_slice(&self.shared.checked.q);
        v.copy_from_slice(&self.shared.speeds);
        z.iter_mut().zip(self.shared.model.stored_defaults()).for_each(|(z, x)| *z = x);
        mbs_check::declare_revolutions(&self.shared.model, &self.shared.tree, self.parameters(), q, z);
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

    fn constraint_forces(&self, at: StateView, lambda: &[f64], forces: &mut [f64]) {
        self.multiply_by_constraint_jacobian_transpose(at, lambda, forces);
    }

    fn reactions(&self, at: StateView, a: &[f64], lambda: &[f64], reactions: &mut [Reaction]) {
        self.dynamics().reactions(at, a, lambda, reactions);
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

    fn body_jacobians(&self, at: StateView, jacobians: &mut [f64]) {
        self.dynamics().body_jacobians(at, jacobians);
    }

    fn initial_condition(&self, condition: usize, at: StateView, gradient: &mut [f64]) -> Condition {
        let evaluated = self.dynamics().initial_condition(condition, at, gradient);
        Condition { residual: evaluated.residual - self.shared.model.guess_residual(condition), ..evaluated }
    }
}
