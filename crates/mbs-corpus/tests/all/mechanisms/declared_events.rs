//! Events that mechanisms declare, run to their end: generated code in both formulations, the interpreter and the engine against closed
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

/// Everyone's run of a mechanism of the corpus.
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

fn assert_near(found: &[f64], wanted: &[f64], tolerance: f64, who: &str) {
    assert_eq!(found.len(), wanted.len(), "{who}: {found:?}, not {wanted:?}");
    for (x, y) in found.iter().zip(wanted) {
        assert!((x - y).abs() <= tolerance, "{who}: {found:?}, not {wanted:?}");
    }
}

/// Bounce k of a ball let fall from h = 1 m: √(2 h/g) and then 2 eᵏ √(2 h/g) later (closed form, `event_restitution` of tests/reference).
/// 1e-9 s: each time is located to a few roundings of a step, and the flights between are parabolas, exact for the integrator.
#[test]
fn a_ball_bounces_as_its_closed_form() {
    let first = (2.0 / GRAVITY).sqrt();
    let mut bounces = vec![first];
    (1..21).for_each(|k| bounces.push(bounces[k - 1] + 2.0 * first * 0.8_f64.powi(k as i32)));
    for (who, recording) in runs!(BouncingBall, "bouncing_ball", 10.0) {
        assert_near(&times(&recording, "touchdown"), &bounces, 1e-9, who);
        // With the 21st bounce it has had enough.
        assert!(recording.events().stop().is_some(), "{who} does not stop");
        let end = *recording.times().last().expect("it has rows");
        assert!((end - bounces[20]).abs() <= 1e-9, "{who} stops at {end}");
        assert_near(&times(&recording, "kick"), &[0.3, 1.7], 0.0, who);
        let ticks: Vec<f64> = (0..).map(|k| 0.25 * f64::from(k)).take_while(|t| *t <= end).collect();
        assert_near(&times(&recording, "tick"), &ticks, 0.0, who);
        // Rows are recorded at every bounce, where height is zero.
        let height = recording.output("height").expect("it is declared");
        for t in &bounces {
            let row = recording.times().iter().position(|row| (row - t).abs() < 1e-9);
            let row = row.unwrap_or_else(|| panic!("{who} has no row at {t}"));
            assert!(height[row].abs() <= 1e-9, "{who}: {} m at a bounce", height[row]);
        }
    }
}

/// Discrete variables count and choose, and each handler sees what the state was before it.
#[test]
fn a_ball_counts_its_bounces() {
    for (who, recording) in runs!(BouncingBall, "bouncing_ball", 10.0) {
        let touchdowns = recording.events().of("touchdown").expect("it is declared");
        for (k, touchdown) in touchdowns.enumerate() {
            // z is [bounces, mode, floor]; the mode looks at the count before this bounce.
            assert_eq!(touchdown.before.z[0], k as f64, "{who}");
            assert_eq!(touchdown.after.z, [k as f64 + 1.0, if k > 3 { 1.0 } else { 0.0 }, 1.0], "{who}");
        }
        for kick in recording.events().of("kick").expect("it is declared") {
            let pushed = kick.after.v[0] - kick.before.v[0];
            assert!((pushed - 0.2).abs() <= 1e-12, "{who}: pushed by {pushed} m/s");
            assert!((kick.after.v[1] - kick.before.v[1]).abs() <= 1e-12, "{who}");
        }
    }
}

/// Newton's law and the work of the impulse through two joints: v⁺ = −e v⁻ at the tip, and T⁺ − T⁻ = Λ (v⁺ + v⁻)/2, which only the
/// impulse of a consistent impact satisfies. 1e-10 of the largest speed (3 m/s) and of the energies (10 J).
#[test]
fn a_strike_acts_through_joints() {
    fn judge<M: FullMechanism>(who: &str, mechanism: &M) {
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
            assert!(before < 0.0 && (after + 0.6 * before).abs() <= 1e-10, "{who}: {before} m/s becomes {after}");
            let lost = mechanism.energy(hit.before).kinetic - mechanism.energy(hit.after).kinetic;
            let work = hit.impulses[0] * (before + after) / 2.0;
            assert!(hit.impulses[0] > 0.0 && (lost + work).abs() <= 1e-10, "{who}: {lost} J lost, {work} J of work");
            // Poses stay, but for the roundings of quaternions that are normalised.
            let moved = hit.before.q.iter().zip(hit.after.q).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max);
            assert!(moved <= 1e-14, "{who}: moved by {moved}");
            strikes += 1;
        }
        assert_eq!(strikes, 3, "{who}");
    }
    judge("body", &mbs_corpus::body::StruckPendulum::new(Default::default()).expect("valid"));
    judge("joint", &mbs_corpus::joint::StruckPendulum::new(Default::default()).expect("valid"));
    for formulation in FORMULATIONS {
        judge("interpreted", corpus("struck_pendulum", formulation, compiled_fma()));
        judge("engine", &engine("struck_pendulum", formulation));
    }
}

/// Each instance of a part has its own event, count, switch, spline and function written in Rust.
#[test]
fn hammers_made_of_a_part_count_their_own_strikes() {
    let runs = runs!(Hammers, "hammers", 20.0);
    for (who, recording) in &runs {
        assert_eq!(recording.events().names(), ["left.strike", "right.strike", "stop"], "{who}");
        // z is [left.strikes, left.anvil, right.strikes, right.anvil].
        for (own, event) in [[0, 2], [2, 0]].into_iter().zip(["left.strike", "right.strike"]) {
            for (k, strike) in recording.events().of(event).expect("it is declared").enumerate() {
                let (before, after) = (strike.before.z, strike.after.z);
                assert_eq!([before[own[0]], after[own[0]]], [k as f64, k as f64 + 1.0], "{who}: {event}");
                assert_eq!(after[own[0] + 1], if k + 1 < 3 { 1.0 } else { 0.0 }, "{who}: {event}");
                assert_eq!(before[own[1]..own[1] + 2], after[own[1]..own[1] + 2], "{who}: {event} is not the other's");
            }
        }
        assert!(recording.events().stop().is_some(), "{who} does not stop");
        let ends = ["left.strikes", "right.strikes"].map(|name| recording.output(name).expect("it is declared"));
        assert!(ends.iter().all(|strikes| *strikes.last().expect("it has rows") >= 3.0), "{who}");
    }
    assert_same_events(&runs);
}

#[test]
fn everyone_finds_the_same_events() {
    let runs = runs!(StruckPendulum, "struck_pendulum", 3.0);
    let names = assert_same_events(&runs);
    assert!(["strike", "slip", "nudge"].iter().all(|name| names.contains(&(*name).to_owned())), "{names:?}");
}

/// Everything that happens, in the order and at the times of every other way to compute it: 1e-7 s, what a tolerance of 1e-11 leaves
/// after some seconds and strikes. What happens.
fn assert_same_events(runs: &[(&str, Recording)]) -> Vec<String> {
    let listed = |recording: &Recording| {
        let mut listed: BTreeMap<String, Vec<f64>> = BTreeMap::new();
        for occurrence in recording.events().iter() {
            listed.entry(occurrence.name.to_owned()).or_default().push(occurrence.t);
        }
        listed
    };
    let first = listed(&runs[0].1);
    for (who, recording) in &runs[1..] {
        let other = listed(recording);
        assert!(first.keys().eq(other.keys()), "{who}: {first:?} and {other:?}");
        first.iter().for_each(|(name, times)| assert_near(&other[name], times, 1e-7, who));
    }
    first.into_keys().collect()
}
