//! Recording of states, one at a time.

use super::{Quantity, Recording};
use crate::{Error, Mechanism, Pose, Sizes, StateView, Statistics, max_norm};

/// Records states of a mechanism that an integrator, a controller or a loop of your own has reached.
///
/// ```
/// # use mbs::{Error, Mechanism, Recorder, Recording, Rk4, State, Stepper, zero_inputs};
/// # fn record(mechanism: &impl Mechanism, u: &[f64]) -> Result<Recording, Error> {
/// let mut state = State::new(mechanism);
/// let mut stepper = Rk4::new(mechanism, 1e-3);
/// let mut recorder = Recorder::new(mechanism);
/// while state.t < 1.0 {
///     recorder.record(state.view(u))?;
///     stepper.step(mechanism, &mut state, &mut zero_inputs, 1e-3)?;
/// }
/// let recording = recorder.finish(stepper.statistics());
/// # Ok(recording)
/// # }
/// ```
pub struct Recorder<'m, M: Mechanism> {
    mechanism: &'m M,
    sizes: Sizes,
    a: M::Speeds,
    forces: M::Speeds,
    lambda: M::Multipliers,
    rows: M::Multipliers,
    outputs: Vec<f64>,
    poses: Vec<Pose>,
    markers: Vec<[f64; 3]>,
    recording: Recording,
}

impl<'m, M: Mechanism> Recorder<'m, M> {
    /// An empty recording of a mechanism.
    pub fn new(mechanism: &'m M) -> Self {
        let sizes = mechanism.sizes();
        let (_, a, lambda, ..) = mechanism.storage();
        Recorder {
            mechanism,
            sizes,
            forces: a.clone(),
            a,
            rows: lambda.clone(),
            lambda,
            outputs: vec![0.0; sizes.n_outputs],
            poses: vec![Pose { position: [0.0; 3], attitude: [1.0, 0.0, 0.0, 0.0] }; sizes.n_bodies],
            markers: vec![[0.0; 3]; sizes.n_markers],
            recording: Recording::new(mechanism),
        }
    }

    /// Adds one row: the state, and everything that follows from it. `at.u` is n_u.
    ///
    /// # Errors
    /// [`Error::Singular`] from [`Mechanism::accelerations`]; nothing is added then.
    pub fn record(&mut self, at: StateView) -> Result<(), Error> {
        let (mechanism, sizes) = (self.mechanism, self.sizes);
        mechanism.accelerations(at, self.a.as_mut(), self.lambda.as_mut())?;
        mechanism.generalized_forces(at, self.forces.as_mut());
        mechanism.outputs(at, self.a.as_ref(), self.lambda.as_ref(), &mut self.outputs);
        mechanism.poses(at.t, at.q, &mut self.poses);
        mechanism.marker_positions(at.t, at.q, &mut self.markers);
        let energy = mechanism.energy(at);
        let errors = self.errors(at);

        let recording = &mut self.recording;
        recording.times.push(at.t);
        for table in &mut recording.tables {
            match table.quantity() {
                Quantity::Coordinates => table.push(&at.q[..sizes.n_q]),
                Quantity::Speeds => table.push(&at.v[..sizes.n_v]),
                Quantity::Accelerations => table.push(self.a.as_ref()),
                Quantity::Multipliers => table.push(self.lambda.as_ref()),
                Quantity::Auxiliary => table.push(at.z),
                Quantity::Inputs => table.push(at.u),
                Quantity::Forces => table.push(self.forces.as_ref()),
                Quantity::Outputs => table.push(&self.outputs),
                Quantity::Energies => table.push(&[energy.kinetic, energy.potential]),
                Quantity::Errors => table.push(&errors),
            }
        }
        for (body, pose) in recording.bodies.iter_mut().zip(&self.poses) {
            body.positions.push(pose.position);
            body.attitudes.push(pose.attitude);
        }
        for (marker, position) in recording.markers.iter_mut().zip(&self.markers) {
            marker.positions.push(*position);
        }
        Ok(())
    }

    /// max |Φ| and max |ψ|.
    fn errors(&mut self, at: StateView) -> [f64; 2] {
        let phi = &mut self.rows.as_mut()[..self.sizes.n_position];
        self.mechanism.position_residuals(at.t, at.q, phi);
        let position = max_norm(phi);
        let psi = &mut self.rows.as_mut()[..self.sizes.n_velocity];
        self.mechanism.velocity_residuals(at.t, at.q, at.v, psi);
        [position, max_norm(psi)]
    }

    pub(super) fn mechanism(&self) -> &'m M {
        self.mechanism
    }

    /// What is recorded so far.
    pub fn recording(&self) -> &Recording {
        &self.recording
    }

    /// The recording, with what the integration took.
    pub fn finish(mut self, statistics: Statistics) -> Recording {
        self.recording.statistics = statistics;
        self.recording
    }
}
