//! Runs of prescribed motions: the common part of [`Kinematics`](super::Kinematics) and [`InverseDynamics`](super::InverseDynamics).

use crate::functions;
use crate::schedule::{Direction, Schedule};
use crate::{Cause, Failure, Recorder, Recording};
use mbs_core::{Describe, Eventful, Inputs, State, Tracker, assemble_positions, zero_inputs};

/// Settings of such a run that do not depend on the type of the mechanism.
pub(super) struct Plan<'m> {
    pub demand: Demand,
    pub start: Start,
    pub schedule: Schedule,
    pub inputs: Box<Inputs<'m>>,
    pub progress: Box<Progress<'m>>,
}

/// A closure that is called with the time \[s\] of every recorded row.
type Progress<'m> = dyn FnMut(f64) + 'm;

/// Quantities that a run has to determine.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Demand {
    /// Motion, with loads where they are determined.
    Motion,
    /// Loads: every degree of freedom has to be prescribed.
    Loads,
}

/// Treatment of the initial positions before the run.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Start {
    /// Assembled, with the `initial` conditions on positions.
    Assembled,
    /// Projected onto the rows by the least correction.
    Projected,
}

impl Plan<'_> {
    pub fn new(demand: Demand) -> Self {
        Plan {
            demand,
            start: Start::Assembled,
            schedule: Schedule::default(),
            inputs: Box::new(zero_inputs),
            progress: Box::new(|_| {}),
        }
    }

    /// Runs a mechanism from a state, whose speeds are not read.
    pub fn run<M: Describe + Eventful>(mut self, mechanism: &M, mut state: State<M>) -> Result<Recording, Failure> {
        if let Err(error) = state.check_size(mechanism) {
            let recording = Box::new(Recorder::new(mechanism).finish(Default::default()));
            return Err(Failure::at_state(Cause::Run(error), recording, &state));
        }
        let mut work_space = vec![0.0; Tracker::work_size(mechanism)];
        let (mut recorder, mut tracker) = (Recorder::new(mechanism), Tracker::new(mechanism, &mut work_space));
        let outcome = self.follow(mechanism, &mut state, &mut tracker, &mut recorder);
        let recording = recorder.finish(tracker.statistics());
        match outcome {
            Ok(()) => Ok(recording),
            Err(cause) => {
                let cause = functions::replace_by_wrong_derivative(mechanism, state.view(tracker.inputs()), cause);
                Err(Failure::at_state(cause, Box::new(recording), &state))
            }
        }
    }

    fn follow<M: Describe + Eventful>(
        &mut self,
        mechanism: &M,
        state: &mut State<M>,
        tracker: &mut Tracker<M>,
        recorder: &mut Recorder<M>,
    ) -> Result<(), Cause> {
        let times = self.schedule.times(state.t, Direction::Any, recorder.recording().columns())?;
        let left = mechanism.sizes().freedoms_left();
        if left < 0 || left > 0 && self.demand == Demand::Loads {
            return Err(Cause::Freedoms { left });
        }
        if self.start == Start::Assembled {
            assemble_positions(mechanism, state).map_err(Cause::Run)?;
        }
        tracker.start(mechanism, state, &mut self.inputs).map_err(Cause::Run)?;
        recorder.follow(state);
        recorder.reserve(times.len());
        for t in times {
            tracker.advance_to(mechanism, state, t, &mut self.inputs).map_err(Cause::Stuck)?;
            functions::check_row(mechanism, state.view(tracker.inputs()), recorder.recording().len())?;
            recorder.follow(state);
            let lambda = (left == 0).then_some(tracker.multipliers());
            recorder.record_motion(state.view(tracker.inputs()), tracker.accelerations(), lambda);
            (self.progress)(t);
        }
        Ok(())
    }
}
