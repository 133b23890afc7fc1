//! Momentum steps (`Zhong06`) of the four-bar and of a heavy top, compared with their accelerations.

use std::hint::black_box;

use mbs::{Momenta, State, Stepper, Zhong06, assemble, zero_inputs};

use crate::candidate::{Candidate, Method};

/// Code that `build.rs` generated.
#[allow(missing_docs, unused_imports)]
mod generated {
    include!(concat!(env!("OUT_DIR"), "/momenta.rs"));
}

/// Steps \[s\] in which the crank rotates by a hundredth of a radian, as its rate is 10 rad/s, and the top by a sixtieth, at 80 rad/s.
const STEPS: [f64; 2] = [1e-3, 2e-4];

/// A formulation with its accelerations and its steps, in this order.
pub struct Steps {
    /// Mechanism and coordinates.
    pub name: &'static str,
    /// Length of a step \[s\].
    pub step: f64,
    /// Accelerations at successive states of a run, then steps.
    pub candidates: Vec<Candidate>,
    /// Average number of evaluations per step.
    pub evaluations: f64,
}

/// All formulations.
///
/// # Panics
/// If the mechanism does not move.
pub fn steps() -> Vec<Steps> {
    fn candidates_of<M: Momenta + Clone + 'static>(name: &'static str, mechanism: M, step: f64) -> Steps
    where
        State<M>: Clone,
    {
        let mut state = State::new(&mechanism);
        assemble(&mechanism, &mut state).expect("it assembles");
        let (start, mut stepper) = (state.clone(), Zhong06::new(&mechanism, step));
        let mut states = Vec::new();
        for _ in 0..1024 {
            stepper.step(&mechanism, &mut state, &mut zero_inputs, step).expect("it moves");
            states.push(state.clone());
        }
        let statistics = stepper.statistics();
        let (_, mut a, mut lambda, ..) = mechanism.storage();
        let (mechanism_copy, mut k) = (mechanism.clone(), 0);
        let accelerations = Candidate::new(Method::Generated, move || {
            let at = black_box(states[k % 1024].view(&[]));
            let _ = black_box(mechanism_copy.accelerations(at, black_box(a.as_mut()), black_box(lambda.as_mut())));
            k += 1;
        });
        let stepping = |method, mut stepper: Zhong06<M>| {
            let (mechanism_copy, mut state) = (mechanism.clone(), start.clone());
            Candidate::new(method, move || {
                black_box(stepper.step(&mechanism_copy, black_box(&mut state), &mut zero_inputs, step))
                    .expect("it moves");
            })
        };
        let candidates = vec![
            accelerations,
            stepping(Method::Step, Zhong06::new(&mechanism, step)),
            stepping(Method::StepBySecants, Zhong06::without_derivatives(&mechanism, step)),
        ];
        let evaluations = statistics.evaluations as f64 / statistics.accepted as f64;
        Steps { name, step, candidates, evaluations }
    }
    let [bar, top] = STEPS;
    let right = "declared values are right";
    vec![
        candidates_of("four_bar/natural", generated::natural::FourBar::new(Default::default()).expect(right), bar),
        candidates_of("four_bar/joint", generated::joint::FourBar::new(Default::default()).expect(right), bar),
        candidates_of("four_bar/body", generated::body::FourBar::new(Default::default()).expect(right), bar),
        candidates_of("heavy_top/natural", generated::top::HeavyTop::new(Default::default()).expect(right), top),
    ]
}
