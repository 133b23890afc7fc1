//! Steps of momenta of the four-bar, beside its accelerations.

use std::hint::black_box;

use mbs::{Mechanism, State, Stepper, Zhong06, assemble, zero_inputs};

use crate::candidate::{Candidate, Way};

/// What `build.rs` compiled.
#[allow(missing_docs, unused_imports)]
mod generated {
    include!(concat!(env!("OUT_DIR"), "/momenta.rs"));
}

/// Step \[s\]: the crank turns by a hundredth of a radian, as its rate is 10 rad/s.
pub const STEP: f64 = 1e-3;

/// A formulation with its accelerations and its steps, in this order.
pub struct Steps {
    /// Its name.
    pub coordinates: &'static str,
    /// Accelerations at states of the run in turn, then steps.
    pub candidates: Vec<Candidate>,
    /// Evaluations of a step on the average.
    pub evaluations: f64,
}

/// All formulations.
///
/// # Panics
/// If the mechanism does not move.
pub fn steps() -> Vec<Steps> {
    fn of<M: Mechanism + Clone + 'static>(coordinates: &'static str, mechanism: M) -> Steps
    where
        State<M>: Clone,
    {
        let mut state = State::new(&mechanism);
        assemble(&mechanism, &mut state).expect("it assembles");
        let (start, mut stepper) = (state.clone(), Zhong06::new(&mechanism, STEP));
        let mut states = Vec::new();
        for _ in 0..1024 {
            stepper.step(&mechanism, &mut state, &mut zero_inputs, STEP).expect("it moves");
            states.push(state.clone());
        }
        let statistics = stepper.statistics();
        let (_, mut a, mut lambda, ..) = mechanism.storage();
        let (of, mut k) = (mechanism.clone(), 0);
        let accelerations = Candidate::new(Way::Generated, move || {
            let at = black_box(states[k % 1024].view(&[]));
            let _ = black_box(of.accelerations(at, black_box(a.as_mut()), black_box(lambda.as_mut())));
            k += 1;
        });
        let stepping = |way, mut stepper: Zhong06<M>| {
            let (of, mut state) = (mechanism.clone(), start.clone());
            Candidate::new(way, move || {
                black_box(stepper.step(&of, black_box(&mut state), &mut zero_inputs, STEP)).expect("it moves");
            })
        };
        let candidates = vec![
            accelerations,
            stepping(Way::Step, Zhong06::new(&mechanism, STEP)),
            stepping(Way::StepBySecants, Zhong06::without_derivatives(&mechanism, STEP)),
        ];
        let evaluations = statistics.evaluations as f64 / statistics.accepted as f64;
        Steps { coordinates, candidates, evaluations }
    }
    vec![
        of("natural", generated::natural::FourBar::new(Default::default()).expect("declared values are right")),
        of("joint", generated::joint::FourBar::new(Default::default()).expect("declared values are right")),
        of("body", generated::body::FourBar::new(Default::default()).expect("declared values are right")),
    ]
}
