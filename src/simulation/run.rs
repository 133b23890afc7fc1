//! The builder of a run.

use super::integrator::{Sampler, with_sampler};
use super::schedule::Schedule;
use super::{Cause, Failure, Integrator, Load, Loaded, Loads, Recorder, Recording};
use crate::{Error, Inputs, Mechanism, Projection, Stabilization, State, StateView, assemble, project, zero_inputs};

/// Newton iterations that bring a given state onto the constraints, as many as assembly makes.
const ITERATIONS: usize = 50;

/// A run of a mechanism: assembles, integrates, records.
///
/// ```
/// # use mbs::{Mechanism, Simulation};
/// # fn simulate(mechanism: &impl Mechanism) -> Result<(), Box<dyn std::error::Error>> {
/// let recording = Simulation::new(mechanism)
///     .inputs(|at, u| u[0] = -0.3 * at.v[0])
///     .load(|at, loads| loads.wrench("coupler", [0.2, 0.1, 0.0], [0.0, -50.0 * at.t, 0.0], [0.0; 3]))
///     .duration(5.0)
///     .every(0.01)
///     .run()?;
/// println!("stroke over time: {:?}", recording.output("stroke")?);
/// recording.page().write("target/slider_crank.html")?;
/// # Ok(())
/// # }
/// ```
///
/// Unless told otherwise: from the declared initial state, assembled; inputs and additional loads zero; Dormand–Prince at
/// rtol = 1e-9, atol = 1e-11, projecting; 1 s recorded every 0.01 s.
pub struct Simulation<'m, M: Mechanism> {
    mechanism: &'m M,
    initial: State<M>,
    load: Option<Box<Load<'m>>>,
    plan: Plan<'m>,
}

/// Everything about a run that does not depend on the type of the mechanism.
struct Plan<'m> {
    inputs: Box<Inputs<'m>>,
    integrator: Integrator,
    max_step: Option<f64>,
    stabilization: Stabilization,
    start: Start,
    schedule: Schedule,
    progress: Box<Progress<'m>>,
}

/// Hears the time of every recorded row.
type Progress<'m> = dyn FnMut(f64) + 'm;

/// What happens to the initial state first.
#[derive(Clone, Copy, PartialEq)]
enum Start {
    /// `initial` conditions held.
    Assembled,
    /// Onto the constraints by the least correction.
    Projected,
    AsGiven,
}

impl<'m, M: Mechanism> Simulation<'m, M> {
    /// A run of a mechanism from its declared initial state at t = 0.
    pub fn new(mechanism: &'m M) -> Self {
        let plan = Plan {
            inputs: Box::new(zero_inputs),
            integrator: Integrator::default(),
            max_step: None,
            stabilization: Stabilization::default(),
            start: Start::Assembled,
            schedule: Schedule::default(),
            progress: Box::new(|_| {}),
        };
        Simulation { mechanism, initial: State::new(mechanism), load: None, plan }
    }

    /// Starts from another state, and at its time. Declared `initial` conditions do not hold then: the state is only
    /// brought onto the constraints, by the least correction ([`project`]), or not even that: [`Simulation::as_given`].
    #[must_use]
    pub fn initial(mut self, state: State<M>) -> Self {
        self.initial = state;
        if self.plan.start == Start::Assembled {
            self.plan.start = Start::Projected;
        }
        self
    }

    /// Takes the initial state as it is: neither assembled nor projected.
    #[must_use]
    pub fn as_given(mut self) -> Self {
        self.plan.start = Start::AsGiven;
        self
    }

    /// Inputs u as a law of (t, q, v, z), evaluated at every stage: writes all n_u values. See [`Inputs`].
    #[must_use]
    pub fn inputs(mut self, law: impl FnMut(StateView, &mut [f64]) + 'm) -> Self {
        self.plan.inputs = Box::new(law);
        self
    }

    /// Loads that are not in the declaration, evaluated at every stage. See [`Loaded`].
    #[must_use]
    pub fn load(mut self, load: impl Fn(StateView, &mut Loads) + 'm) -> Self {
        self.load = Some(Box::new(load));
        self
    }

    /// Chooses the integrator.
    #[must_use]
    pub fn integrator(mut self, integrator: Integrator) -> Self {
        self.plan.integrator = integrator;
        self
    }

    /// Makes no step longer than this \[s\], whatever the integrator: for inputs and loads that act briefly, which
    /// step control does not see coming.
    #[must_use]
    pub fn max_step(mut self, longest: f64) -> Self {
        self.plan.max_step = Some(longest);
        self
    }

    /// Chooses how constraints are kept.
    #[must_use]
    pub fn stabilization(mut self, stabilization: Stabilization) -> Self {
        self.plan.stabilization = stabilization;
        self
    }

    /// Runs this long \[s\].
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

    /// Records at these times instead, which replace duration and interval; the run ends at the last.
    #[must_use]
    pub fn at(mut self, times: &[f64]) -> Self {
        self.plan.schedule.at(times);
        self
    }

    /// Records at `count` equally spaced times from `start` to `end` \[s\], both included, instead.
    #[must_use]
    pub fn grid(mut self, start: f64, end: f64, count: usize) -> Self {
        self.plan.schedule.grid(start, end, count);
        self
    }

    /// Calls `progress` with the time \[s\] of every row as it is recorded: for bars and logs of long runs.
    #[must_use]
    pub fn progress(mut self, progress: impl FnMut(f64) + 'm) -> Self {
        self.plan.progress = Box::new(progress);
        self
    }

    /// Runs.
    ///
    /// # Errors
    /// [`Failure`] with its cause and everything recorded until then.
    pub fn run(self) -> Result<Recording, Failure> {
        let Simulation { mechanism, initial, load, plan } = self;
        let Some(load) = load else { return plan.run(mechanism, initial) };
        let loaded = Loaded::new(mechanism, load);
        // The same storage under the name of the other type.
        let State { t, q, v, z } = initial;
        let result = plan.run(&loaded, State { t, q, v, z });
        loaded.judge(result)
    }
}

impl Plan<'_> {
    /// Runs a mechanism, whose additional loads it contains already.
    fn run<M: Mechanism>(mut self, mechanism: &M, mut state: State<M>) -> Result<Recording, Failure> {
        let mut recorder = Recorder::new(mechanism);
        let outcome = self.schedule.times(state.t).and_then(|times| {
            self.integrator.check(self.max_step)?;
            self.start.apply(mechanism, &mut state).map_err(Cause::Run)?;
            let t_end = times.last().copied().unwrap_or(state.t);
            let start = state.clone();
            let (inputs, progress) = (&mut *self.inputs, &mut *self.progress);
            let choice = (self.integrator, self.max_step, self.stabilization);
            with_sampler(choice, (mechanism, &start, t_end), |sampler| {
                let outcome = record(sampler, &mut state, (&times, inputs, progress), &mut recorder);
                Ok((sampler.statistics(), outcome))
            })
        });
        match outcome {
            Ok((statistics, Ok(()))) => Ok(recorder.finish(statistics)),
            Ok((statistics, Err(cause))) => Err(Failure::at(cause, Box::new(recorder.finish(statistics)), &state)),
            Err(cause) => Err(Failure::at(cause, Box::new(recorder.finish(Default::default())), &state)),
        }
    }
}

fn record<M: Mechanism>(
    sampler: &mut dyn Sampler<M>,
    state: &mut State<M>,
    (times, inputs, progress): (&[f64], &mut Inputs, &mut Progress),
    recorder: &mut Recorder<M>,
) -> Result<(), Cause> {
    let mechanism = recorder.mechanism();
    let (.., mut u, _) = mechanism.storage();
    for t in times {
        sampler.sample(mechanism, state, *t, inputs).map_err(Cause::Run)?;
        if !u.as_ref().is_empty() {
            inputs(state.view(&[]), u.as_mut());
        }
        recorder.record(state.view(u.as_ref())).map_err(Cause::Run)?;
        progress(state.t);
    }
    Ok(())
}

impl Start {
    fn apply<M: Mechanism>(self, mechanism: &M, state: &mut State<M>) -> Result<(), Error> {
        match self {
            Start::Assembled => assemble(mechanism, state).map(|_| ()),
            Start::Projected => {
                let mut work = Projection::new(mechanism);
                work.iterations = ITERATIONS;
                project(mechanism, state, &mut work)
            }
            Start::AsGiven => Ok(()),
        }
    }
}
