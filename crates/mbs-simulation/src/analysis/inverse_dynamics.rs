//! Loads of drives and reactions of joints for a prescribed motion.

use super::motion::{Demand, Plan, Start};
use crate::{Failure, Load, Recording};
use crate::{Loaded, Loads};
use mbs_core::{Describe, Eventful, Mechanism, State, StateView};

/// Inverse dynamics of a prescribed motion: the loads of its drives and the reactions of all joints, with the motion itself.
///
/// ```
/// # use mbs::{Describe, Eventful, InverseDynamics};
/// # fn run<M: Describe + Eventful>(mechanism: &M) -> Result<(), Box<dyn std::error::Error>> {
/// let run = InverseDynamics::new(mechanism).grid(0.0, 1.0, 361).run()?;
/// println!("torque of the motor: {:?}", run.drive("motor")?);
/// println!("bearing force: {:?}", run.reaction("crank_pin")?.in_axes_of("crank")?.magnitude());
/// # Ok(())
/// # }
/// ```
///
/// The loads satisfy M a + Gᵀ λ = Q with the accelerations that the rows prescribe. The motion is that of
/// [`Kinematics`](super::Kinematics); every degree of freedom has to be prescribed by exactly one drive
/// ([`Cause::Freedoms`](crate::Cause::Freedoms)). Auxiliary states z, such as the charge of an actuator, keep their initial values.
///
/// Defaults: inputs and additional loads zero, 1 s recorded every 0.01 s.
pub struct InverseDynamics<'m, M: Mechanism> {
    mechanism: &'m M,
    initial: State<M>,
    load: Option<Box<Load<'m>>>,
    plan: Plan<'m>,
}

impl<'m, M: Describe + Eventful> InverseDynamics<'m, M> {
    /// The loads of a mechanism that moves from its declared pose at t = 0.
    pub fn new(mechanism: &'m M) -> Self {
        InverseDynamics { mechanism, initial: State::new(mechanism), load: None, plan: Plan::new(Demand::Loads) }
    }

    /// Starts from another pose, at its time. It is projected onto the rows by the least correction. Its speeds are not read, and
    /// declared `initial` conditions are not imposed.
    #[must_use]
    pub fn initial(mut self, state: State<M>) -> Self {
        self.initial = state;
        self.plan.start = Start::Projected;
        self
    }

    /// Sets the law of inputs u(t, q, v, z): it writes all n_u values. See [`Inputs`](mbs_core::Inputs).
    #[must_use]
    pub fn inputs(mut self, law: impl FnMut(StateView, &mut [f64]) + 'm) -> Self {
        self.plan.inputs = Box::new(law);
        self
    }

    /// Adds loads that are not in the declaration, such as the force of the work piece. See [`Loaded`].
    #[must_use]
    pub fn load(mut self, load: impl Fn(StateView, &mut Loads) + 'm) -> Self {
        self.load = Some(Box::new(load));
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

    /// Computes the motion and its loads, and returns the recording.
    ///
    /// # Errors
    /// [`Failure`] with its cause and the recording until then; [`Cause::Freedoms`](crate::Cause::Freedoms) at the start if the motion is not
    /// prescribed, [`Cause::Unknown`](crate::Cause::Unknown) if a load names a body that the mechanism does not have.
    pub fn run(self) -> Result<Recording, Failure> {
        let InverseDynamics { mechanism, initial, load, plan } = self;
        let Some(load) = load else { return plan.run(mechanism, initial) };
        let loaded = Loaded::new(mechanism, load);
        // The wrapped mechanism has the same storage, but its states have another type.
        let State { t, q, v, z } = initial;
        let result = plan.run(&loaded, State { t, q, v, z });
        loaded.judge(result)
    }
}
