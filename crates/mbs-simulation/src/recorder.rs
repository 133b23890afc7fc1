//! Recording of states, one at a time.

use super::signs::Signs;
use super::{Quantity, Recording};
use mbs_core::{
    ChangePoint, Describe, Error, Eventful, Mechanism, Pose, Reaction, RowKind, Sizes, State, StateView, Statistics,
    max_norm,
};

/// Records states of a mechanism, from an integrator, a controller or a loop of your own.
///
/// ```
/// # use mbs::{Describe, Error, Eventful, Recorder, Recording, Rk4, State, Stepper, zero_inputs};
/// # fn record<M: Describe + Eventful>(mechanism: &M, u: &[f64]) -> Result<Recording, Error> {
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
    rates: M::Coordinates,
    a: M::Speeds,
    forces: M::Speeds,
    lambda: M::Multipliers,
    rows: M::Multipliers,
    outputs: Vec<f64>,
    reactions: Vec<Reaction>,
    poses: Vec<Pose>,
    markers: Vec<[f64; 3]>,
    /// Signs of attitudes, where these may be computed from directions, which do not determine them. Where no steps are followed, the sign of a row
    /// is the one nearer to the row before.
    signs: Option<Signs<M>>,
    recording: Recording,
}

impl<'m, M: Describe + Eventful> Recorder<'m, M> {
    /// An empty recording of a mechanism.
    pub fn new(mechanism: &'m M) -> Self {
        let sizes = mechanism.sizes();
        let (rates, a, lambda, ..) = mechanism.storage();
        let is_open =
            mechanism.is_spatial() || (0..sizes.n_c).any(|row| matches!(mechanism.row_kind(row), RowKind::Body(_)));
        Recorder {
            mechanism,
            sizes,
            rates,
            forces: a.clone(),
            a,
            rows: lambda.clone(),
            lambda,
            outputs: vec![0.0; sizes.n_outputs],
            reactions: vec![Reaction::default(); sizes.n_joints],
            poses: vec![Pose { position: [0.0; 3], attitude: [1.0, 0.0, 0.0, 0.0] }; sizes.n_bodies],
            markers: vec![[0.0; 3]; sizes.n_markers],
            signs: is_open.then(|| Signs::new(mechanism)),
            recording: Recording::new(mechanism),
        }
    }

    /// Reserves memory for further rows.
    pub(crate) fn reserve(&mut self, rows: usize) {
        self.recording.reserve(rows);
    }

    /// Follows a step of the run to a state, so that attitudes keep their signs from row to row.
    pub(crate) fn follow(&mut self, state: &State<M>) {
        if let Some(signs) = &mut self.signs {
            signs.follow(self.mechanism, state);
        }
    }

    /// Adds one row: the state, and all quantities that follow from it. `at.u` has n_u values.
    ///
    /// # Errors
    /// [`Error::Singular`] from [`Mechanism::accelerations`]; nothing is added then.
    pub fn record(&mut self, at: StateView) -> Result<(), Error> {
        self.mechanism.accelerations(at, self.a.as_mut(), self.lambda.as_mut())?;
        self.add_row(at);
        Ok(())
    }

    /// Adds one row of a motion whose accelerations are known, with its multipliers if its loads are known too.
    pub(crate) fn record_motion(&mut self, at: StateView, a: &[f64], lambda: Option<&[f64]>) {
        self.a.as_mut().copy_from_slice(a);
        match lambda {
            Some(lambda) => self.lambda.as_mut().copy_from_slice(lambda),
            None => {
                self.recording.remove_loads();
                self.lambda.as_mut().fill(f64::NAN);
            }
        }
        self.add_row(at);
    }

    /// Adds one row at the stored accelerations and multipliers.
    fn add_row(&mut self, at: StateView) {
        let (mechanism, sizes) = (self.mechanism, self.sizes);
        let (a, lambda) = (self.a.as_ref(), self.lambda.as_ref());
        mechanism.generalized_forces(at, self.forces.as_mut());
        mechanism.outputs(at, a, lambda, &mut self.outputs);
        mechanism.reactions(at, a, lambda, &mut self.reactions);
        mechanism.poses(at, &mut self.poses);
        mechanism.marker_positions(at, &mut self.markers);
        let energy = mechanism.energy(at);
        let errors = self.errors(at);

        mechanism.coordinate_rates(at.t, at.q, at.v, self.rates.as_mut());
        let recording = &mut self.recording;
        recording.speeds_are_rates &= self.rates.as_ref() == at.v;
        recording.times.push(at.t);
        recording.memories.extend_from_slice(at.z.get(sizes.n_z..).unwrap_or_default());
        for table in &mut recording.tables {
            match table.quantity() {
                Quantity::Coordinates => table.push(&at.q[..sizes.n_q]),
                Quantity::Speeds => table.push(&at.v[..sizes.n_v]),
                Quantity::Accelerations => table.push(self.a.as_ref()),
                Quantity::Multipliers => table.push(self.lambda.as_ref()),
                // Without memories.
                Quantity::Auxiliary => table.push(&at.z[..sizes.n_z.min(at.z.len())]),
                Quantity::Inputs => table.push(at.u),
                Quantity::Forces => table.push(self.forces.as_ref()),
                Quantity::Outputs => table.push(&self.outputs),
                Quantity::Energies => table.push(&[energy.kinetic, energy.potential]),
                Quantity::Errors => table.push(&errors),
                Quantity::Reactions if recording.is_spatial => table.extend(self.reactions.iter().flat_map(spatial)),
                Quantity::Reactions => table.extend(self.reactions.iter().flat_map(planar)),
            }
        }
        for (b, (body, pose)) in recording.bodies.iter_mut().zip(&self.poses).enumerate() {
            body.positions.push(pose.position);
            body.attitudes
                .push(self.signs.as_mut().map_or(pose.attitude, |signs| signs.signed_attitude(b, pose.attitude)));
        }
        for (marker, position) in recording.markers.iter_mut().zip(&self.markers) {
            marker.positions.push(*position);
        }
        for (points, reaction) in recording.reaction_points.iter_mut().zip(&self.reactions) {
            points.push(reaction.point);
        }
    }

    /// max |Φ| and max |ψ|.
    fn errors(&mut self, at: StateView) -> [f64; 2] {
        let phi = &mut self.rows.as_mut()[..self.sizes.n_position];
        self.mechanism.position_residuals(at, phi);
        let position = max_norm(phi);
        let psi = &mut self.rows.as_mut()[..self.sizes.n_velocity];
        self.mechanism.velocity_residuals(at, psi);
        [position, max_norm(psi)]
    }

    /// Adds an event with the states before and after it, and the impulses of its conditions and of the rows.
    pub(super) fn add_event(&mut self, event: usize, states: [&State<M>; 2], impulses: [&[f64]; 2]) {
        self.recording.occurrences.push(event, states, impulses);
    }

    /// Adds a change point that the run has crossed, and the state after it.
    pub(super) fn add_change_point(&mut self, point: ChangePoint, after: &State<M>) {
        self.recording.change_points.push((point.t, point.row));
        self.recording.occurrences.add_change_point(point.t, after);
    }

    /// Lists change points among events, too.
    pub(super) fn list_change_points(&mut self) {
        self.recording.occurrences.list_change_points();
    }

    /// Sets the events that were switched on where they were true already, with the times \[s\].
    pub(super) fn set_missed(&mut self, events: Vec<(usize, f64)>) {
        self.recording.occurrences.missed = events;
    }

    /// Notes that the last event has ended the run.
    pub(super) fn set_stopped(&mut self) {
        self.recording.occurrences.has_stopped = true;
    }

    /// The recording so far.
    pub fn recording(&self) -> &Recording {
        &self.recording
    }

    /// The recording, with the statistics of the integration.
    pub fn finish(mut self, statistics: Statistics) -> Recording {
        self.recording.statistics = statistics;
        self.recording
    }
}

/// The columns of a reaction in the plane.
fn planar(reaction: &Reaction) -> [f64; 3] {
    [reaction.force[0], reaction.force[1], reaction.torque[2]]
}

/// The columns of a reaction in space.
fn spatial(reaction: &Reaction) -> [f64; 6] {
    let ([x, y, z], [about_x, about_y, about_z]) = (reaction.force, reaction.torque);
    [x, y, z, about_x, about_y, about_z]
}
