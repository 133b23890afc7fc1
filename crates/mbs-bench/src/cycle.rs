//! A revolution of the driven four-bar from positions to accelerations, compared with 600 accelerations by hand.

use std::hint::black_box;

use mbs::{FullMechanism, Kinematics, Mechanism, State, Tracker, assemble_positions, zero_inputs};
use mbs_engine::Engine;
use mbs_model::Formulation;

use crate::candidate::{Candidate, Method, Start};
use crate::hand;
use crate::measure::{Timing, measure};

/// Number of positions of a revolution.
pub const POSITIONS: usize = 360;

/// Number of accelerations by hand whose time a revolution may take.
pub const ACCELERATIONS: usize = 600;

/// Longest allowed time of a revolution, relative to [`ACCELERATIONS`] accelerations by hand.
pub const BOUND: f64 = 1.0;

/// A method to compute a revolution.
pub struct Revolution {
    /// `body` or `joint`.
    pub coordinates: &'static str,
    /// The code to be timed: [`Way::Hand`] computes accelerations alone, one per call.
    pub candidate: Candidate,
}

/// The code by hand, then every method to compute a revolution.
///
/// # Panics
/// If the four-bar does not assemble.
pub fn revolutions() -> Vec<Revolution> {
    let mut revolutions = vec![Revolution { coordinates: "body", candidate: by_hand() }];
    macro_rules! add {
        ($coordinates:ident) => {
            let new = || mbs_corpus::$coordinates::FourBarDrive::new(Default::default()).expect("defaults are valid");
            for candidate in [tracked(new()), recorded(new())] {
                revolutions.push(Revolution { coordinates: stringify!($coordinates), candidate });
            }
        };
    }
    add!(body);
    add!(joint);
    revolutions
}

/// Time of a revolution, compared with the code by hand.
pub struct Comparison {
    /// `body` or `joint`.
    pub coordinates: &'static str,
    /// The method.
    pub method: Method,
    /// Time of a revolution, or of [`ACCELERATIONS`] accelerations by hand.
    pub timing: Timing,
    /// Ratio to the time of the accelerations by hand.
    pub ratio: f64,
}

/// Times all candidates alternately; the code by hand is first.
pub fn compare(revolutions: &mut [Revolution]) -> Vec<Comparison> {
    let timings = measure(&mut revolutions.iter_mut().map(|revolution| &mut revolution.candidate).collect::<Vec<_>>());
    let by_hand = ACCELERATIONS as f64 * timings[0].nanoseconds;
    let found = |(revolution, timing): (&Revolution, Timing)| {
        let method = revolution.candidate.method;
        let calls = if method == Method::Hand { ACCELERATIONS as f64 } else { 1.0 };
        let timing = Timing { nanoseconds: calls * timing.nanoseconds, ..timing };
        Comparison { coordinates: revolution.coordinates, method, timing, ratio: timing.nanoseconds / by_hand }
    };
    revolutions.iter().zip(timings).map(found).collect()
}

/// Accelerations by hand of the four-bar of `mechanisms/four_bar.mbs`, which has equal links.
fn by_hand() -> Candidate {
    let text = include_str!("../../../mechanisms/four_bar.mbs");
    let engine = Engine::options().formulation(Formulation::Body).text(text).expect("the compiler takes it");
    hand::candidate("four_bar", Formulation::Body, &Start::from_engine(&engine)).expect("there is such code").0
}

/// Times of the positions: a revolution of the crank at 12 rad/s.
fn times() -> Vec<f64> {
    let period = std::f64::consts::TAU / mbs_corpus::body::four_bar_drive::Params::default().omega;
    (0..POSITIONS).map(|k| period * k as f64 / POSITIONS as f64).collect()
}

/// A revolution by the loop of an application without an allocator: q, v, a and λ alone.
fn tracked<M: Mechanism + 'static>(mechanism: M) -> Candidate {
    let mut start = State::new(&mechanism);
    assemble_positions(&mechanism, &mut start).expect("the declared pose assembles");
    let (times, mut state, mut work_space) = (times(), start.clone(), vec![0.0; Tracker::work_size(&mechanism)]);
    let revolution = move || {
        state.copy_from(&start);
        let mut tracker = Tracker::new(&mechanism, &mut work_space);
        tracker.start(&mechanism, &mut state, &mut zero_inputs).expect("the declared pose is regular");
        for t in black_box(&times) {
            tracker.advance_to(&mechanism, &mut state, *t, &mut zero_inputs).expect("the crank turns fully");
            black_box((state.q.as_ref(), state.v.as_ref(), tracker.accelerations(), tracker.multipliers()));
        }
    };
    Candidate::new(Method::Tracked, revolution)
}

/// A revolution with a complete recording: outputs, energies, poses, reactions.
fn recorded<M: FullMechanism + 'static>(mechanism: M) -> Candidate {
    let times = times();
    let revolution = move || {
        let run = Kinematics::new(&mechanism).at(black_box(&times)).run();
        black_box(run.expect("the crank turns fully"));
    };
    Candidate::new(Method::Recorded, revolution)
}
