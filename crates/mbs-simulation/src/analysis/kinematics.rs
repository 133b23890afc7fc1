//! Positions, velocities and accelerations of a prescribed motion, without integration.

use super::motion::{Demand, Plan, Start};
use crate::{Failure, Recording};
use mbs_core::{Describe, Eventful, Mechanism, State, StateView};

/// The motion that drives and other rows prescribe: positions, velocities and accelerations at given times.
///
/// ```
/// # use mbs::{Describe, Eventful, Kinematics};
/// # fn run<M: Describe + Eventful>(mechanism: &M) -> Result<(), Box<dyn std::error::Error>> {
/// let run = Kinematics::new(mechanism).grid(0.0, 1.0, 361).run()?;
/// println!("stroke: {:?}", run.output("stroke")?);
/// println!("accelerations of the piston: {:?}", run.acceleration("cylinder.speed")?);
/// # Ok(())
/// # }
/// ```
///
/// - Starts from the declared pose, assembled with the `initial` positions; `initial` rates have no effect.
/// - Every pose continues the one before it: [`Tracker`](mbs_core::Tracker) divides the motion between two recorded times as far as
///   necessary, so that a coarse grid does not change the branch. A mechanism that cannot continue fails with
///   [`Cause::Stuck`](crate::Cause::Stuck).
/// - Where degrees of freedom remain, velocities have the least kinetic energy and accelerations the least kinetic metric, without
///   any loads: they are the same in body and in joint coordinates. Positions follow these velocities from time to time, to
///   second order, corrected by mass-weighted Newton steps: with coarse times they depend slightly on the coordinates. The loads of
///   such motions are not known: multipliers, generalised forces and reactions are not recorded, and outputs made of them are NaN.
/// - Without remaining degrees of freedom all loads are determined, and recorded as by [`InverseDynamics`](super::InverseDynamics).
/// - A mechanism without any mass uses the unit metric. Auxiliary states z keep their initial values.
///
/// Defaults: inputs zero, 1 s recorded every 0.01 s.
pub struct Kinematics<'m, M: Mechanism> {
    mechanism: &'m M,
    initial: State<M>,
    plan: Plan<'m>,
}

impl<'m, M: Describe + Eventful> Kinematics<'m, M> {
    /// The motion of a mechanism from its declared pose at t = 0.
    pub fn new(mechanism: &'m M) -> Self {
        Kinematics { mechanism, initial: State::new(mechanism), plan: Plan::new(Demand::Motion) }
    }

    /// Starts from another pose, at its time. It is projected onto the rows by the least correction. Its speeds are not read, and
    /// declared `initial` conditions are not imposed.
    #[must_use]
    pub fn initial(mut self, state: State<M>) -> Self {
        self.initial = state;
        self.plan.start = Start::Projected;
        self
    }

    /// Sets the law of inputs u(t, q, v, z), for outputs and loads: it writes all n_u values. See [`Inputs`](mbs_core::Inputs).
    #[must_use]
    pub fn inputs(mut self, law: impl FnMut(StateView, &mut [f64]) + 'm) -> Self {
        self.plan.inputs = Box::new(law);
        self
    }

    /// Sets the duration of the motion \[s\].
    #[must_use]
    pub fn duration(mut self, duration: f64) -> Self {
        self.plan.schedule.duration = duration;
        self
    }

    /// Records at the initial time, then with this interval \[s\], and at the end.
    #[must_use]
    pub fn every(mut self, interval: f64) -> Self {
        self.plan.schedule.every = interval;
        self
    }

    /// Records at these times \[s\], which replace duration and interval. They may be negative and go forward or backward: the motion
    /// is followed from the initial time to the first of them, then from each to the next.
    #[must_use]
    pub fn at(mut self, times: &[f64]) -> Self {
        self.plan.schedule.set_times(times);
        self
    }

    /// Records at `count` equally spaced times from `start` to `end` \[s\], both included, which replace duration and interval.
    #[must_use]
    pub fn grid(mut self, start: f64, end: f64, count: usize) -> Self {
        self.plan.schedule.set_grid(start, end, count);
        self
    }

    /// Calls `progress` with the time \[s\] of every row as it is recorded.
    #[must_use]
    pub fn progress(mut self, progress: impl FnMut(f64) + 'm) -> Self {
        self.plan.progress = Box::new(progress);
        self
    }

    /// Computes the motion, and returns its recording.
    ///
    /// # Errors
    /// [`Failure`] with its cause and the recording until then.
    pub fn run(self) -> Result<Recording, Failure> {
        self.plan.run(self.mechanism, self.initial)
    }
}
