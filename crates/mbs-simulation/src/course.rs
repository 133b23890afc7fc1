//! The course of a run: from recorded time to recorded time, and from event to event.

use super::details::details;
use super::functions;
use super::inputs::evaluate;
use super::integrator::{Sampler, with_sampler};
use super::limits::Limits;
use super::plan::Plan;
use super::schedule::{Direction, check_rows};
use super::solver::Solver;
use super::watch::{Act, Effect};
use super::{Cause, Failure, Recorder, Recording};
use mbs_core::{ChangePoint, Error, Events, FullMechanism, Inputs, Mechanism, State, Statistics, check_regular};

/// Whether a run continues after an event.
#[derive(PartialEq)]
enum Continuation {
    Continues,
    Ends,
}

/// A run in progress, with its recording.
pub(super) struct Course<'m, M: Mechanism> {
    mechanism: &'m M,
    events: Events<M>,
    state: State<M>,
    before: State<M>,
    /// Number of declared events; the others are those of closures.
    declared: usize,
    /// A row that an event reports, with its inputs. It is recorded after all events at its time, unless another row is recorded there.
    reported: Option<(State<M>, M::Inputs)>,
    /// A change point that the last step crosses, later than the state.
    ahead: Option<ChangePoint>,
    u: M::Inputs,
    no_rows: M::Multipliers,
    recorder: Recorder<'m, M>,
}

impl<'m, M: FullMechanism> Course<'m, M> {
    /// Starts from a state; the first `declared` events of the mechanism are declared, the others are those of closures.
    pub(super) fn new(mechanism: &'m M, state: State<M>, declared: usize) -> Self {
        let (_, _, no_rows, _, u, _) = mechanism.storage();
        Course {
            mechanism,
            events: Events::new(mechanism),
            before: state.clone(),
            state,
            declared,
            reported: None,
            ahead: None,
            u,
            no_rows,
            recorder: Recorder::new(mechanism),
        }
    }

    /// Runs a plan. `act` runs the actions of closures, whose events follow the declared ones. N solves implicit steps.
    pub(super) fn run<N: Solver<M>>(mut self, mut plan: Plan, act: &mut Act<M>) -> Result<Recording, Failure> {
        if plan.lists_change_points {
            self.recorder.list_change_points();
        }
        let columns = self.recorder.recording().columns();
        let outcome = plan.schedule.times(self.state.t, Direction::Forward, columns).and_then(|times| {
            plan.integrator.check(plan.max_step)?;
            let t_end = times.last().copied().unwrap_or(self.state.t);
            if let Some(step) = plan.integrator.longest_step(plan.max_step) {
                plan.limits.check_step(step, [self.state.t, t_end])?;
            }
            check_finite(&self.state)?;
            plan.start.apply(self.mechanism, &mut self.state).map_err(Cause::Run)?;
            check_finite(&self.state)?;
            check_regular(self.mechanism, self.state.view(&[])).map_err(Cause::Run)?;
            self.events.horizon = Some(t_end);
            let (max_step, stabilization) = (plan.max_step, plan.stabilization);
            with_sampler::<N, _, _>(plan.integrator, max_step, stabilization, self.mechanism, |sampler| {
                let limits = &mut plan.limits;
                let outcome = self.follow(sampler, &times, &mut *plan.inputs, &mut *plan.progress, limits, act);
                Ok((sampler.statistics(), outcome))
            })
        });
        let missed = (0..self.mechanism.sizes().n_events).filter_map(|event| Some((event, self.events.missed(event)?)));
        self.recorder.set_missed(missed.collect());
        let Course { mechanism, recorder, state, u, .. } = self;
        let (statistics, cause) = match outcome {
            Ok((statistics, Ok(()))) => return Ok(recorder.finish(statistics)),
            Ok((statistics, Err(cause))) => (statistics, cause),
            Err(cause) => (Statistics::default(), cause),
        };
        let cause = functions::replace_by_wrong_derivative(mechanism, state.view(u.as_ref()), cause);
        let details = details(mechanism, &cause, &state, &mut *plan.inputs);
        Err(Failure::at_state(cause, Box::new(recorder.finish(statistics)), &state).with_details(details))
    }

    fn follow(
        &mut self,
        sampler: &mut dyn Sampler<M>,
        times: &[f64],
        inputs: &mut Inputs,
        progress: &mut dyn FnMut(f64),
        limits: &mut Limits,
        act: &mut Act<M>,
    ) -> Result<(), Cause> {
        for t in times {
            loop {
                let (events, state) = (&mut self.events, &mut self.state);
                let sampled = sampler.sample(self.mechanism, events, state, *t, inputs, limits);
                self.record_reported(progress)?;
                let sampled = sampled?;
                self.recorder.follow(&self.state);
                self.record_change_points();
                let Some(event) = sampled else {
                    if self.state.t < *t {
                        continue;
                    }
                    break;
                };
                if self.handle(event, inputs, act).map_err(Cause::Run)? == Continuation::Ends {
                    self.record(inputs, progress)?;
                    self.recorder.set_stopped();
                    return Ok(());
                }
            }
            self.record(inputs, progress)?;
        }
        Ok(())
    }

    fn handle(&mut self, event: usize, inputs: &mut Inputs, act: &mut Act<M>) -> Result<Continuation, Error> {
        let (mechanism, events) = (self.mechanism, &mut self.events);
        self.before.copy_from(&self.state);
        let declared = mechanism.event(event);
        let is_changed = match event.checked_sub(self.declared) {
            None => {
                events.handle(mechanism, &mut self.state, event, inputs)?;
                self.ahead = None;
                true
            }
            Some(closure) => {
                evaluate(inputs, &self.state, &mut self.u);
                let is_changed = matches!(act(closure, &mut self.state, self.u.as_ref())?, Effect::Changed);
                if is_changed {
                    self.ahead = None;
                    events.settle(mechanism, &mut self.state, event)?;
                    events.restart();
                }
                is_changed
            }
        };
        self.recorder.follow(&self.state);
        let impulses =
            if is_changed { [events.impulses(), events.row_impulses()] } else { [&[], self.no_rows.as_ref()] };
        self.recorder.add_event(event, [&self.before, &self.state], impulses);
        if declared.reports || self.reported.is_some() {
            evaluate(inputs, &self.state, &mut self.u);
            self.reported = Some((self.state.clone(), self.u.clone()));
        }
        Ok(if declared.stops { Continuation::Ends } else { Continuation::Continues })
    }

    /// Records the change points that the last step has crossed, once the state is after them.
    fn record_change_points(&mut self) {
        let now = self.state.t;
        loop {
            self.ahead = self.ahead.or_else(|| self.events.take_change_point());
            let Some(point) = self.ahead.take_if(|point| point.t <= now) else { break };
            self.recorder.add_change_point(point, &self.state);
        }
    }

    /// Records the row that an event reports, if time has advanced since.
    fn record_reported(&mut self, progress: &mut dyn FnMut(f64)) -> Result<(), Cause> {
        let now = self.state.t;
        let Some((state, u)) = self.reported.take_if(|(state, _)| state.t < now) else { return Ok(()) };
        let recording = self.recorder.recording();
        check_rows(recording.len() as f64 + 1.0, recording.columns())?;
        self.recorder.record(state.view(u.as_ref())).map_err(Cause::Run)?;
        progress(state.t);
        Ok(())
    }

    /// Records a row of the state, in place of one that an event reports.
    fn record(&mut self, inputs: &mut Inputs, progress: &mut dyn FnMut(f64)) -> Result<(), Cause> {
        self.reported = None;
        evaluate(inputs, &self.state, &mut self.u);
        functions::check_row(self.mechanism, self.state.view(self.u.as_ref()), self.recorder.recording().len())?;
        self.recorder.record(self.state.view(self.u.as_ref())).map_err(Cause::Run)?;
        progress(self.state.t);
        Ok(())
    }
}

/// Refuses an initial state whose coordinates or speeds are not finite, which steps might not detect.
fn check_finite<M: Mechanism>(state: &State<M>) -> Result<(), Cause> {
    let is_finite = state.q.as_ref().iter().chain(state.v.as_ref()).all(|x| x.is_finite());
    if is_finite { Ok(()) } else { Err(Cause::Run(Error::NotFinite { t: state.t })) }
}
