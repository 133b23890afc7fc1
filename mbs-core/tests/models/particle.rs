//! A particle on a line with events of any kind: q̈ = force(t, q, v, z)/mass, ż = rates; conditions 0 on v and 1 on q.

use mbs_core::{
    Condition, DormandPrince, Energy, Error, Event, Eventful, Events, Level, Mechanism, Real, Sizes, State, StateView,
    Stepper, Trigger, zero_inputs,
};

type Function<T> = Box<dyn Fn(StateView<T>) -> T>;
type Assignment<T> = Box<dyn Fn(StateView<T>, &mut [T], &mut [T])>;

/// One event.
pub struct Spec<T = f64> {
    pub event: Event,
    pub value: Function<T>,
    pub rate: Option<Function<T>>,
    pub assign: Assignment<T>,
}

impl<T: Real> Spec<T> {
    /// An event that assigns nothing.
    pub fn new(trigger: Trigger, value: impl Fn(StateView<T>) -> T + 'static) -> Self {
        let event = Event { trigger, ..Event::default() };
        Spec { event, value: Box::new(value), rate: None, assign: Box::new(|_, _, _| {}) }
    }

    pub fn rate(mut self, rate: impl Fn(StateView<T>) -> T + 'static) -> Self {
        self.rate = Some(Box::new(rate));
        self
    }

    /// Imposes `conditions` conditions from `first_condition` on when the event occurs.
    pub fn assigns(
        mut self,
        (first_condition, conditions): (usize, usize),
        assign: impl Fn(StateView<T>, &mut [T], &mut [T]) + 'static,
    ) -> Self {
        self.event = Event { first_condition, conditions, ..self.event };
        self.assign = Box::new(assign);
        self
    }

    pub fn stops(mut self) -> Self {
        self.event.stops = true;
        self
    }
}

pub struct Particle<T = f64> {
    pub mass: f64,
    pub force: Function<T>,
    /// Auxiliary states at the start; the last `discrete` have no rate, the others 1.
    pub z: Vec<T>,
    pub discrete: usize,
    /// q and v at the start.
    pub start: [f64; 2],
    pub events: Vec<Spec<T>>,
}

impl<T: Real> Particle<T> {
    pub fn new(start: [f64; 2], force: impl Fn(StateView<T>) -> T + 'static) -> Self {
        Particle { mass: 1.0, force: Box::new(force), z: Vec::new(), discrete: 0, start, events: Vec::new() }
    }

    /// A ball that falls from a height with g = 9.81.
    pub fn falling(height: f64) -> Self {
        Self::new([height, 0.0], |_| T::from_f64(-9.81))
    }

    /// q = cos t.
    pub fn swinging() -> Self {
        Self::new([1.0, 0.0], |at| -at.q[0])
    }

    pub fn discrete(mut self, z: &[f64]) -> Self {
        self.z.extend(z.iter().map(|z| T::from_f64(*z)));
        self.discrete += z.len();
        self
    }

    pub fn on(mut self, spec: Spec<T>) -> Self {
        self.events.push(spec);
        self
    }

    /// Bounces at q = 0 with restitution e.
    pub fn bouncing(self, e: f64) -> Self {
        let e = T::from_f64(e);
        let bounce = move |at: StateView<T>, _: &mut [T], targets: &mut [T]| targets[0] = -e * at.v[0];
        self.on(Spec::new(Trigger::Falls, |at| at.q[0]).rate(|at| at.v[0]).assigns((0, 1), bounce))
    }

    /// All events with their times until `t_end`, or until one stops the run, and the state at the end.
    pub fn run<S: Stepper<Self, T>>(&self, mut stepper: S, t_end: f64) -> (Vec<(usize, T)>, State<Self, T>) {
        let (mut state, mut events, mut all) = (State::new(self), Events::new(self), Vec::new());
        let then = &mut |event: usize, state: &State<Self, T>| all.push((event, state.t));
        events.advance_to(self, &mut stepper, &mut state, T::from_f64(t_end), &mut zero_inputs, then).unwrap();
        (all, state)
    }

    /// [`run`](Self::run) with the pair of Dormand and Prince at its default tolerances.
    pub fn run_dense(&self, t_end: f64) -> (Vec<(usize, T)>, State<Self, T>) {
        self.run(DormandPrince::new(self), t_end)
    }
}

impl<T: Real> Mechanism<T> for Particle<T> {
    type Coordinates = [T; 1];
    type Speeds = [T; 1];
    type Multipliers = [T; 0];
    type Auxiliary = Box<[T]>;
    type Inputs = [T; 0];
    type Scratch = Box<[T]>;

    fn sizes(&self) -> Sizes {
        let (n_z, n_events) = (self.z.len(), self.events.len());
        Sizes { n_q: 1, n_v: 1, n_z, n_discrete: self.discrete, n_events, n_event_conditions: 2, ..Sizes::default() }
    }

    fn storage(&self) -> ([T; 1], [T; 1], [T; 0], Box<[T]>, [T; 0], Box<[T]>) {
        let scratch = vec![T::ZERO; (4 * self.events.len()).max(10)].into();
        ([T::ZERO], [T::ZERO], [], vec![T::ZERO; self.z.len()].into(), [], scratch)
    }

    fn guess(&self, q: &mut [T], v: &mut [T], z: &mut [T]) {
        q[0] = T::from_f64(self.start[0]);
        v[0] = T::from_f64(self.start[1]);
        z.copy_from_slice(&self.z);
    }

    fn accelerations(&self, at: StateView<T>, a: &mut [T], _: &mut [T]) -> Result<(), Error<T>> {
        a[0] = (self.force)(at) / T::from_f64(self.mass);
        Ok(())
    }

    fn solve(&self, _: StateView<T>, f: &[T], _: &[T], x: &mut [T], _: &mut [T]) -> Result<(), Error<T>> {
        x[0] = f[0] / T::from_f64(self.mass);
        Ok(())
    }

    fn position_residuals(&self, _: StateView<T>, _: &mut [T]) {}

    fn velocity_residuals(&self, _: StateView<T>, _: &mut [T]) {}

    fn auxiliary_rates(&self, _: StateView<T>, rates: &mut [T]) {
        rates.fill(T::ONE);
    }

    fn energy(&self, at: StateView<T>) -> Energy<T> {
        Energy { kinetic: T::from_f64(0.5 * self.mass) * at.v[0] * at.v[0], potential: T::ZERO }
    }

    fn initial_condition(&self, condition: usize, at: StateView<T>, gradient: &mut [T]) -> Condition<T> {
        gradient[0] = T::ONE;
        match condition {
            0 => Condition { residual: at.v[0], level: Level::Velocity },
            _ => Condition { residual: at.q[0], level: Level::Position },
        }
    }
}

impl<T: Real> Eventful<T> for Particle<T> {
    fn event(&self, event: usize) -> Event {
        self.events[event].event
    }

    fn event_values(&self, at: StateView<T>, values: &mut [T]) -> Result<(), Error<T>> {
        for (value, spec) in values.iter_mut().zip(&self.events) {
            *value = (spec.value)(at);
        }
        Ok(())
    }

    fn event_rates(&self, at: StateView<T>, rates: &mut [T]) -> Result<(), Error<T>> {
        for (rate, spec) in rates.iter_mut().zip(&self.events) {
            *rate = spec.rate.as_ref().map_or(T::from_f64(f64::NAN), |rate| rate(at));
        }
        Ok(())
    }

    fn event_assignments(
        &self,
        event: usize,
        at: StateView<T>,
        z: &mut [T],
        targets: &mut [T],
    ) -> Result<(), Error<T>> {
        (self.events[event].assign)(at, z, targets);
        Ok(())
    }
}
