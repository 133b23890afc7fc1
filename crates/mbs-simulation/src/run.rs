//! The builder of a run.

use super::course::Course;
use super::limits::Limits;
use super::object::{self, InVectors};
use super::plan::{Plan, Start};
use super::schedule::Schedule;
use super::solver::{Newton, Solver};
use super::watch::{Act, Action, Watch};
use super::{Cause, Failure, Integrator, Load, Loaded, Loads, Recorder, Recording};
use mbs_core::{
    Differentiable, Event, FullMechanism, Mechanism, Stabilization, State, StateView, Statistics, Trigger, zero_inputs,
};

/// A run of a mechanism: assembles, integrates, records.
///
/// ```
/// # use mbs::{FullMechanism, Simulation};
/// # fn simulate(mechanism: &impl FullMechanism) -> Result<(), Box<dyn std::error::Error>> {
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
/// Defaults: the declared initial state, assembled; inputs and additional loads zero; Dormand–Prince at
/// rtol = 1e-9, atol = 1e-11, projecting; 1 s recorded every 0.01 s.
///
/// Declared events happen, and events that are added here: [`Recording::events`] lists them. Recorded rows are those after the events at their
/// time.
pub struct Simulation<'m, M: Mechanism> {
    mechanism: &'m M,
    initial: State<M>,
    load: Option<Box<Load<'m>>>,
    watches: Vec<Watch<'m>>,
    actions: Vec<Action<'m, M>>,
    plan: Plan<'m>,
    /// [`Simulation::run_as_object`], or [`Simulation::run_with`] of a solver.
    run: Run<M>,
}

type Run<M> = for<'m> fn(Simulation<'m, M>) -> Result<Recording, Failure>;

impl<'m, M: FullMechanism> Simulation<'m, M> {
    /// A run of a mechanism from its declared initial state at t = 0.
    pub fn new(mechanism: &'m M) -> Self {
        let plan = Plan {
            inputs: Box::new(zero_inputs),
            integrator: Integrator::default(),
            max_step: None,
            stabilization: None,
            start: Start::Assembled,
            schedule: Schedule::default(),
            progress: Box::new(|_| {}),
            limits: Limits::default(),
            lists_change_points: false,
        };
        Simulation {
            mechanism,
            initial: State::new(mechanism),
            load: None,
            watches: Vec::new(),
            actions: Vec::new(),
            plan,
            run: |simulation| simulation.run_as_object(),
        }
    }

    /// Starts from another state, at its time. Declared `initial` conditions are not imposed then: the state is projected onto the constraints, by
    /// the least correction ([`project`](mbs_core::project)), or taken unchanged with [`Simulation::as_given`].
    #[must_use]
    pub fn initial(mut self, state: State<M>) -> Self {
        self.initial = state;
        if self.plan.start == Start::Assembled {
            self.plan.start = Start::Projected;
        }
        self
    }

    /// Takes the initial state unchanged: it is neither assembled nor projected.
    #[must_use]
    pub fn as_given(mut self) -> Self {
        self.plan.start = Start::AsGiven;
        self
    }

    /// Sets the law of inputs u(t, q, v, z), evaluated at every stage: it writes all n_u values. See
    /// [`Inputs`](mbs_core::Inputs).
    #[must_use]
    pub fn inputs(mut self, law: impl FnMut(StateView, &mut [f64]) + 'm) -> Self {
        self.plan.inputs = Box::new(law);
        self
    }

    /// Adds loads that are not in the declaration, evaluated at every stage. See [`Loaded`].
    #[must_use]
    pub fn load(mut self, load: impl Fn(StateView, &mut Loads) + 'm) -> Self {
        self.load = Some(Box::new(load));
        self
    }

    /// Adds an event under a name. Where `value` passes zero in the direction of `trigger`, or at its scheduled time, `handler` changes the state.
    /// Positions and velocities are then made consistent by the least changes in the metric of kinetic energy.
    ///
    /// `value` is a function of its state alone; NaN switches the event off. Events that are added here follow simultaneous declared events.
    /// A handler may also change data that other closures read, such as a value that `inputs` writes.
    ///
    /// ```
    /// # use std::cell::Cell;
    /// # use mbs::{FullMechanism, Simulation, Trigger};
    /// # fn simulate(mechanism: &impl FullMechanism) -> Result<(), Box<dyn std::error::Error>> {
    /// let command = Cell::new(0.0);
    /// let recording = Simulation::new(mechanism)
    ///     .inputs(|_, u| u[0] = command.get())
    ///     .event("sample", Trigger::Every, |_| 0.01, |state| command.set(-2.0 * state.v.as_ref()[0]))
    ///     .event("floor", Trigger::Falls, |at| at.q[1], |state| state.v.as_mut()[1] *= -0.8)
    ///     .report_when("top", Trigger::Falls, |at| at.v[1])
    ///     .stop_when("far", |at| at.q[0] > 3.0)
    ///     .run()?;
    /// println!("{} bounces", recording.events().of("floor")?.count());
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn event(
        self,
        name: impl Into<String>,
        trigger: Trigger,
        value: impl Fn(StateView) -> f64 + 'm,
        handler: impl FnMut(&mut State<M>) + 'm,
    ) -> Self {
        let event = Event { trigger, ..Event::default() };
        self.watch(name.into(), event, Box::new(value), Action::Handle(Box::new(handler)))
    }

    /// Adds an event at which `reader` reads the state. It changes nothing: steps are those of a run without it.
    #[must_use]
    pub fn read_when(
        self,
        name: impl Into<String>,
        trigger: Trigger,
        value: impl Fn(StateView) -> f64 + 'm,
        reader: impl FnMut(StateView) + 'm,
    ) -> Self {
        let event = Event { trigger, ..Event::default() };
        self.watch(name.into(), event, Box::new(value), Action::Read(Box::new(reader)))
    }

    /// Adds an event at which a further row is recorded.
    #[must_use]
    pub fn report_when(self, name: impl Into<String>, trigger: Trigger, value: impl Fn(StateView) -> f64 + 'm) -> Self {
        let event = Event { trigger, reports: true, ..Event::default() };
        self.watch(name.into(), event, Box::new(value), Action::Nothing)
    }

    /// Ends the run when a condition becomes true, with a row there. A condition that is true at the start has to become false first.
    #[must_use]
    pub fn stop_when(self, name: impl Into<String>, condition: impl Fn(StateView) -> bool + 'm) -> Self {
        let event = Event { trigger: Trigger::Rises, stops: true, ..Event::default() };
        let value = move |at: StateView| if condition(at) { 1.0 } else { -1.0 };
        self.watch(name.into(), event, Box::new(value), Action::Nothing)
    }

    fn watch(
        mut self,
        name: String,
        event: Event,
        value: Box<dyn Fn(StateView) -> f64 + 'm>,
        action: Action<'m, M>,
    ) -> Self {
        self.watches.push(Watch { name, event, value });
        self.actions.push(action);
        self
    }

    /// Lists singular poses that the run crosses among its events, as `change point`: without impulses, with the first state after the pose for both
    /// of its states. [`Recording::change_points`] lists them in any case.
    #[must_use]
    pub fn list_change_points(mut self) -> Self {
        self.plan.lists_change_points = true;
        self
    }

    /// Chooses the integrator.
    #[must_use]
    pub fn integrator(mut self, integrator: Integrator) -> Self {
        self.plan.integrator = integrator;
        self
    }

    /// Limits the length of steps \[s\] of any integrator: for inputs and loads that act briefly, which step control does not
    /// anticipate.
    #[must_use]
    pub fn max_step(mut self, longest: f64) -> Self {
        self.plan.max_step = Some(longest);
        self
    }

    /// Ends the run with [`Error::TooManySteps`](mbs_core::Error::TooManySteps) after this number of steps, accepted or not; 10
    /// million unless changed. Settings that need more steps, such as a step of 1e-9 s in a run of 1 s, are refused at the start with
    /// [`Cause::Steps`](super::Cause::Steps).
    #[must_use]
    pub fn max_steps(mut self, most: usize) -> Self {
        self.plan.limits.max_steps = most;
        self
    }

    /// Calls `is_requested` before every step, and ends the run where it returns `true`, with [`Cause::Interrupted`](super::Cause::Interrupted) and
    /// the recording until then: for interactive runs.
    #[must_use]
    pub fn interrupt(mut self, is_requested: impl FnMut() -> bool + 'm) -> Self {
        self.plan.limits.interrupt = Box::new(is_requested);
        self
    }

    /// Chooses the stabilisation of constraints: projection unless called, symmetric projection with Gauss's methods.
    #[must_use]
    pub fn stabilization(mut self, stabilization: Stabilization) -> Self {
        self.plan.stabilization = Some(stabilization);
        self
    }

    /// Sets the duration of the run \[s\].
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

    /// Records at these times \[s\], which replace duration and interval; the run ends at the last.
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

    /// Calls `progress` with the time \[s\] of every row as it is recorded: for bars and logs of long runs.
    #[must_use]
    pub fn progress(mut self, progress: impl FnMut(f64) + 'm) -> Self {
        self.plan.progress = Box::new(progress);
        self
    }

    /// Runs the simulation, and returns its recording.
    ///
    /// # Errors
    /// [`Failure`] with its cause and the recording until then. The cause is [`Error::Size`](mbs_core::Error::Size) for an initial state of
    /// another mechanism, and for a handler that replaces its state by such a state.
    pub fn run(self) -> Result<Recording, Failure> {
        if let Err(error) = self.initial.check_size(self.mechanism) {
            let recording = Box::new(Recorder::new(self.mechanism).finish(Statistics::default()));
            return Err(Failure::at_state(Cause::Run(error), recording, &self.initial));
        }
        (self.run)(self)
    }

    /// Runs the mechanism as a trait object, by integrators that are compiled already.
    fn run_as_object(self) -> Result<Recording, Failure> {
        let Simulation { mechanism, initial: mut work, load, watches, mut actions, plan, .. } = self;
        let [q, v, z] = [work.q.as_ref(), work.v.as_ref(), work.z.as_ref()].map(<[f64]>::to_vec);
        let initial = State { t: work.t, q, v, z };
        let act: &mut Act<_> = &mut |closure, state, u| actions[closure].act(state, &mut work, u);
        object::run(&InVectors(mechanism), initial, load, watches, plan, act)
    }

    /// Runs the mechanism with a solver that needs its type.
    fn run_with<N: Solver<Loaded<'m, M, Box<Load<'m>>>>>(self) -> Result<Recording, Failure> {
        let Simulation { mechanism, initial: mut work, load, watches, mut actions, plan, .. } = self;
        // The wrapped mechanism has the same storage, but its states have another type.
        let State { t, q, v, z } = work.clone();
        let act: &mut Act<_> = &mut |closure, state, u| actions[closure].act(state, &mut work, u);
        let loaded = Loaded::with_events(mechanism, load, watches);
        let course = Course::new(&loaded, State { t, q, v, z }, mechanism.sizes().n_events);
        loaded.judge(course.run::<N>(plan, act))
    }
}

impl<M: Differentiable + FullMechanism> Simulation<'_, M> {
    /// Solves steps of implicit integrators by Newton's method with the exact derivatives of the mechanism (`kernels: [linearization]`, or
    /// `[steps]`, where generated code factorises them), for any stiffness and in fewer evaluations. Otherwise, and for mechanisms without
    /// derivatives, steps are solved by secants, with the same states as result.
    ///
    /// Derivatives are taken at fixed inputs and without the loads of closures, whose derivatives are not known: where these are stiff, secants
    /// approximate them. Evaluations of derivatives do not count as evaluations of accelerations ([`Recording::statistics`]).
    ///
    /// ```
    /// # use mbs::{Differentiable, FullMechanism, Integrator, Simulation};
    /// # fn simulate<M: Differentiable + FullMechanism>(mechanism: &M) -> Result<(), Box<dyn std::error::Error>> {
    /// let recording = Simulation::new(mechanism).integrator(Integrator::Gauss4 { step: 0.01 }).newton().run()?;
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn newton(mut self) -> Self {
        self.run = |simulation| simulation.run_with::<Newton<M>>();
        self
    }
}
