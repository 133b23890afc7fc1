//! A method to compute accelerations at one state, as a loop to be timed.

use std::hint::black_box;
use std::time::{Duration, Instant};

use mbs::{Mechanism, State, StateView, assemble};
use mbs_engine::Engine;

/// Methods to compute accelerations and multipliers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Code by hand with nalgebra.
    Hand,
    /// Generated code through the trait, which integrators call: results written in place.
    Generated,
    /// Generated code that returns arrays by value.
    Fused,
    /// Generated code stage by stage: position, velocity, accelerations.
    Staged,
    /// The interpreter of the compiler's programs.
    Interpreted,
    /// The generic engine.
    Engine,
    /// Derivatives by finite differences of the engine, with respect to every coordinate, speed and input.
    Differenced,
    /// Forward-mode automatic differentiation of code by hand.
    Jets,
    /// A step of `Zhong06` on generated code, with exact derivatives.
    Step,
    /// A step of `Zhong06` on generated code, without derivatives.
    StepBySecants,
    /// A whole revolution, position by position, by `Tracker` on generated code.
    Tracked,
    /// A whole revolution with its recording, by `Kinematics` on generated code.
    Recorded,
}

impl Method {
    /// Name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Method::Hand => "by hand",
            Method::Generated => "generated",
            Method::Fused => "generated, by value",
            Method::Staged => "generated, staged",
            Method::Interpreted => "interpreted",
            Method::Engine => "engine",
            Method::Differenced => "engine, differenced",
            Method::Jets => "jets by hand",
            Method::Step => "step of momenta",
            Method::StepBySecants => "step of momenta, by secants",
            Method::Tracked => "turn by Tracker",
            Method::Recorded => "turn by Kinematics",
        }
    }
}

/// A method at one state, to be timed.
pub struct Candidate {
    /// The method.
    pub method: Method,
    /// Runs a given number of calls.
    run: Box<dyn FnMut(u64)>,
}

impl Candidate {
    /// Creates a candidate from one call; the loop around it is compiled with it.
    pub fn new(method: Method, mut call: impl FnMut() + 'static) -> Candidate {
        Candidate { method, run: Box::new(move |calls| (0..calls).for_each(|_| call())) }
    }

    /// Creates a candidate that calls a mechanism through the trait. Returns it with the accelerations of the mechanism.
    ///
    /// # Panics
    /// If there are no accelerations at this state.
    pub(crate) fn from_mechanism<M: Mechanism + 'static>(
        method: Method,
        mechanism: M,
        start: &Start,
    ) -> (Candidate, Vec<f64>) {
        let start = start.clone();
        let (_, mut a, mut lambda, ..) = mechanism.storage();
        mechanism.accelerations(start.view(), a.as_mut(), lambda.as_mut()).expect("the assembled pose is regular");
        let found = a.as_ref().to_vec();
        let call = move || {
            let at = black_box(start.view());
            let _ = black_box(mechanism.accelerations(at, black_box(a.as_mut()), black_box(lambda.as_mut())));
        };
        (Candidate::new(method, call), found)
    }

    /// Measures the duration of `calls` calls.
    pub fn time(&mut self, calls: u64) -> Duration {
        let start = Instant::now();
        (self.run)(calls);
        start.elapsed()
    }
}

/// A state with its inputs, with which every candidate of a mechanism is called.
#[derive(Clone, Debug)]
pub(crate) struct Start {
    pub q: Vec<f64>,
    pub v: Vec<f64>,
    pub z: Vec<f64>,
    pub u: Vec<f64>,
}

impl Start {
    /// The assembled declared pose, with zero inputs.
    pub fn from_engine(engine: &Engine) -> Start {
        let mut state = State::new(engine);
        assemble(engine, &mut state).expect("the declared pose assembles");
        let u = vec![0.0; engine.sizes().n_u];
        // Memories are left out, as mechanisms with other kernels do not have them.
        let z = state.z[..engine.sizes().n_z].to_vec();
        Start { q: state.q.into_vec(), v: state.v.into_vec(), z, u }
    }

    pub fn view(&self) -> StateView<'_> {
        StateView { t: 0.0, q: &self.q, v: &self.v, z: &self.z, u: &self.u }
    }
}
