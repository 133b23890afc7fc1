//! Declared events in complete runs: generated code in both formulations, the interpreter and the engine against closed
//! forms, laws of impacts and each other.

use std::collections::BTreeMap;

use mbs::{FullMechanism, Integrator, Recording, Simulation, StateView};

use crate::mechanisms::harness::{FORMULATIONS, compiled_fma, corpus, engine};

const GRAVITY: f64 = 9.81;

fn run<M: FullMechanism>(mechanism: &M, duration: f64) -> Recording {
    let precise = Integrator::DormandPrince { rtol: 1e-11, atol: 1e-12 };
    let simulation = Simulation::new(mechanism).integrator(precise).duration(duration).every(0.1);
    simulation.run().unwrap_or_else(|failure| panic!("{failure}"))
}

/// Runs of a mechanism of the corpus by all implementations.
macro_rules! runs {
    ($name:ident, $stem:literal, $duration:expr) => {{
        let mut runs = vec![
            ("generated, body", run(&mbs_corpus::body::$name::new(Default::default()).expect("valid"), $duration)),
            ("generated, joint", run(&mbs_corpus::joint::$name::new(Default::default()).expect("valid"), $duration)),
        ];
        for formulation in FORMULATIONS {
            runs.push(("interpreted", run(corpus($stem, formulation, compiled_fma()), $duration)));
            runs.push(("engine", run(&engine($stem, formulation), $duration)));
        }
        runs
    }};
}

fn times(recording: &Recording, event: &str) -> Vec<f64> {
    recording.events().of(event).expect("it is declared").map(|occurrence| occurrence.t).collect()
}

fn assert_near(found: &[f64], expected: &[f64], tolerance: f64, label: &str) {
    assert_eq!(found.len(), expected.len(), "{label}: {found:?}, not {expected:?}");
    for (x, y) in found.iter().zip(expected) {
        assert!((x - y).abs() <= tolerance, "{label}: {found:?}, not {expected:?}");
    }
}

/// Bounce k of a ball let fall from h = 1 m: √(2 h/g) and then 2 eᵏ √(2 h/g) later (closed form, `event_restitution` of tests/reference).
/// 1e-9 s: each time is located to a few roundings of a step, and the flights between are parabolas, exact for the integrator.
#[test]
fn a_ball_bounces_as_its_closed_form() {
    let first = (2.0 / GRAVITY).sqrt();
    let mut bounces = vec![first];
    (1..21).for_each(|k| bounces.push(bounces[k - 1] + 2.0 * first * 0.8_f64.powi(k as i32)));
    for (label, recording) in runs!(BouncingBall, "bouncing_ball", 10.0) {
        assert_near(&times(&recording, "touchdown"), &bounces, 1e-9, label);
        // The run stops at the 21st bounce.
        assert!(recording.events().stop().is_some(), "{label} does not stop");
        let end = *recording.times().last().expect("it has rows");
        assert!((end - bounces[20]).abs() <= 1e-9, "{label} stops at {end}");
        assert_near(&times(&recording, "kick"), &[0.3, 1.7], 0.0, label);
        let ticks: Vec<f64> = (0..).map(|k| 0.25 * f64::from(k)).take_while(|t| *t <= end).collect();
        assert_near(&times(&recording, "tick"), &ticks, 0.0, label);
        // Rows are recorded at every bounce, where height is zero.
        let height = recording.output("height").expect("it is declared");
        for t in &bounces {
            let row = recording.times().iter().position(|row| (row - t).abs() < 1e-9);
            let row = row.unwrap_or_else(|| panic!("{label} has no row at {t}"));
            assert!(height[row].abs() <= 1e-9, "{label}: {} m at a bounce", height[row]);
        }
    }
}

/// Discrete variables count and select, and each handler reads the state before it.
#[test]
fn a_ball_counts_its_bounces() {
    for (label, recording) in runs!(BouncingBall, "bouncing_ball", 10.0) {
        let touchdowns = recording.events().of("touchdown").expect("it is declared");
        for (k, touchdown) in touchdowns.enumerate() {
            // z is [bounces, mode, floor]; the mode depends on the count before this bounce.
            assert_eq!(touchdown.before.z[0], k as f64, "{label}");
            assert_eq!(touchdown.after.z, [k as f64 + 1.0, if k > 3 { 1.0 } else { 0.0 }, 1.0], "{label}");
        }
        for kick in recording.events().of("kick").expect("it is declared") {
            let pushed = kick.after.v[0] - kick.before.v[0];
            assert!((pushed - 0.2).abs() <= 1e-12, "{label}: pushed by {pushed} m/s");
            assert!((kick.after.v[1] - kick.before.v[1]).abs() <= 1e-12, "{label}");
        }
    }
}

/// Newton's law and the work of the impulse through two joints: v⁺ = −e v⁻ at the tip, and T⁺ − T⁻ = Λ (v⁺ + v⁻)/2, which only the
/// impulse of a consistent impact satisfies. 1e-10 of the largest speed (3 m/s) and of the energies (10 J).
#[test]
fn a_strike_acts_through_joints() {
    fn judge<M: FullMechanism>(label: &str, mechanism: &M) {
        let recording = run(mechanism, 3.0);
        let strike = recording.events().names().iter().position(|name| name == "strike").expect("it is declared");
        let rate = |at: StateView| {
            let mut rates = vec![0.0; mechanism.sizes().n_events];
            mechanism.event_rates(at, &mut rates).expect("it is a position's");
            rates[strike]
        };
        let mut strikes = 0;
        for hit in recording.events().of("strike").expect("it is declared") {
            let (before, after) = (rate(hit.before), rate(hit.after));
            assert!(before < 0.0 && (after + 0.6 * before).abs() <= 1e-10, "{label}: {before} m/s becomes {after}");
            let lost = mechanism.energy(hit.before).kinetic - mechanism.energy(hit.after).kinetic;
            let work = hit.impulses[0] * (before + after) / 2.0;
            assert!(hit.impulses[0] > 0.0 && (lost + work).abs() <= 1e-10, "{label}: {lost} J lost, {work} J of work");
            // Poses stay unchanged up to the rounding of normalised quaternions.
            let moved = hit.before.q.iter().zip(hit.after.q).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max);
            assert!(moved <= 1e-14, "{label}: moved by {moved}");
            strikes += 1;
        }
        assert_eq!(strikes, 3, "{label}");
    }
    judge("body", &mbs_corpus::body::StruckPendulum::new(Default::default()).expect("valid"));
    judge("joint", &mbs_corpus::joint::StruckPendulum::new(Default::default()).expect("valid"));
    for formulation in FORMULATIONS {
        judge("interpreted", corpus("struck_pendulum", formulation, compiled_fma()));
        judge("engine", &engine("struck_pendulum", formulation));
    }
}

/// Each instance of a part has a separate event, count, switch, spline and function written in Rust.
#[test]
fn hammers_made_of_a_part_count_their_own_strikes() {
    let runs = runs!(Hammers, "hammers", 20.0);
    for (label, recording) in &runs {
        assert_eq!(recording.events().names(), ["left.strike", "right.strike", "stop"], "{label}");
        // z is [left.strikes, left.anvil, right.strikes, right.anvil].
        for (indices, event) in [[0, 2], [2, 0]].into_iter().zip(["left.strike", "right.strike"]) {
            for (k, strike) in recording.events().of(event).expect("it is declared").enumerate() {
                let (before, after) = (strike.before.z, strike.after.z);
                assert_eq!([before[indices[0]], after[indices[0]]], [k as f64, k as f64 + 1.0], "{label}: {event}");
                assert_eq!(after[indices[0] + 1], if k + 1 < 3 { 1.0 } else { 0.0 }, "{label}: {event}");
                assert_eq!(
                    before[indices[1]..indices[1] + 2],
                    after[indices[1]..indices[1] + 2],
                    "{label}: {event} is not the other's"
                );
            }
        }
        assert!(recording.events().stop().is_some(), "{label} does not stop");
        let ends = ["left.strikes", "right.strikes"].map(|name| recording.output(name).expect("it is declared"));
        assert!(ends.iter().all(|strikes| *strikes.last().expect("it has rows") >= 3.0), "{label}");
    }
    assert_same_events(&runs);
}

#[test]
fn all_implementations_find_equal_events() {
    let runs = runs!(StruckPendulum, "struck_pendulum", 3.0);
    let names = assert_same_events(&runs);
    assert!(["strike", "slip", "nudge"].iter().all(|name| names.contains(&(*name).to_owned())), "{names:?}");
}

/// Asserts that all runs have equal events in equal order, at times equal to 1e-7 s, the error of a tolerance of 1e-11 after some seconds and
/// strikes. Returns the names of the events.
fn assert_same_events(runs: &[(&str, Recording)]) -> Vec<String> {
    let listed = |recording: &Recording| {
        let mut listed: BTreeMap<String, Vec<f64>> = BTreeMap::new();
        for occurrence in recording.events().iter() {
            listed.entry(occurrence.name.to_owned()).or_default().push(occurrence.t);
        }
        listed
    };
    let first = listed(&runs[0].1);
    for (label, recording) in &runs[1..] {
        let other = listed(recording);
        assert!(first.keys().eq(other.keys()), "{label}: {first:?} and {other:?}");
        first.iter().for_each(|(name, times)| assert_near(&other[name], times, 1e-7, label));
    }
    first.into_keys().collect()
}
