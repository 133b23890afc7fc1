//! Switched rows and forces: against mechanisms without them, against mechanisms in which they always act, and against the laws of
//! impacts, in both formulations, compiled, interpreted and in the engine.

use mbs::{Describe, FullMechanism, Integrator, Item, Simulation, State};
use mbs_engine::Engine;
use mbs_model::Formulation;
use mbs_random::state::{assembled, consistent};

use crate::mechanisms::harness::{FORMULATIONS, OwnedState, Random, compiled_fma, corpus, engine, interpret};

const PLANE: &str = "pub planar Switched {
    gravity: [0, -9.81];
    SWITCHES
    body crank { mass: 1.2, inertia: 0.05, com: [0.2, 0.03] }
    body rod { mass: 0.8, inertia: 0.04, com: [0.3, -0.02], position: [0.4, 0.1] }
    particle bob { mass: 0.3, position: [0.2, 0.5] }
    joint pin = revolute(ground, crank);
    joint loose = free(ground, rod);
    joint flight = free(ground, bob);
    joint elbow = revolute(crank at [0.4, 0.1], rod) JOINT;
    constraint string = distance(bob, crank at [0.2, 0]) == 0.5 ROW;
    drive creep = velocity(bob).x == 0.3 * sin(t) ROW;
    force wind = torsion_spring(ground, crank) { stiffness: 3, damping: 0.2 FORCE };
    force push = mobility(pin) { value: 0.4 * pin.angle FORCE };
    potential well = 2 * position(bob).x.powi(2) POTENTIAL;
    output held = reaction(elbow).force;
    output pull = load(string);
    output drawn = load(wind);
    output turned = pin.angle;
}";

const SPACE: &str = "pub spatial Switched {
    gravity: [0, 0, -9.81];
    SWITCHES
    body crank { mass: 1.2, inertia: [0.05, 0.04, 0.06], com: [0.2, 0.03, 0.01] }
    body rod { mass: 0.8, inertia: [0.04, 0.03, 0.05], com: [0.3, -0.02, 0], position: [0.4, 0.1, 0] }
    particle bob { mass: 0.3, position: [0.2, 0.5, 0.1] }
    joint pin = universal(ground, crank) { axis: [0, 0, 1], second_axis: [0, 1, 0] };
    joint loose = free(ground, rod);
    joint flight = free(ground, bob);
    joint elbow = spherical(crank at [0.4, 0.1, 0], rod) JOINT;
    constraint string = distance(bob, crank at [0.2, 0, 0]) == 0.5 ROW;
    drive creep = velocity(bob).x == 0.3 * sin(t) ROW;
    force wind = spring_damper(ground at [1, 1, 1], crank) { stiffness: 3, damping: 0.2, free_length: 0.4 FORCE };
    force push = mobility(pin.q[0]) { value: 0.4 * pin.q[1] FORCE };
    potential well = 2 * position(bob).x.powi(2) POTENTIAL;
    output held = reaction(elbow).force;
    output pull = load(string);
    output drawn = load(wind).force;
    output turned = [pin.q[0], pin.q[1]];
}";

/// A text with a switch for rows and one for forces.
fn with_switches(text: &str) -> String {
    text.replace("SWITCHES", "switch rows = on; switch forces = on;")
        .replace("JOINT", "{ enabled: rows }")
        .replace("ROW", "{ enabled: rows }")
        .replace("FORCE", ", enabled: forces")
        .replace("POTENTIAL", "{ enabled: forces }")
}

/// The text without switches; lines with any of the words `without` are left out, their outputs are zero.
fn plain(text: &str, without: &[&str]) -> String {
    let cut = text.replace("JOINT", "{ cut: true }").replace("SWITCHES", "");
    let plain = ["ROW", "FORCE", "POTENTIAL"].iter().fold(cut, |text, word| text.replace(word, ""));
    let kept = plain.lines().filter(|line| without.iter().all(|word| !line.contains(word)));
    kept.collect::<Vec<_>>().join("\n")
}

const ROWS: [&str; 5] = ["joint elbow", "constraint string", "drive creep", "held", "pull"];
const FORCES: [&str; 4] = ["force wind", "force push", "potential well", "drawn"];

/// Accelerations, energies, and the remaining multipliers and outputs, by name.
fn named<M: Describe>(mechanism: &M, at: &OwnedState) -> Vec<(String, f64)> {
    let sizes = mechanism.sizes();
    let (mut a, mut lambda, mut outputs) = (vec![0.0; sizes.n_v], vec![0.0; sizes.n_c], vec![0.0; sizes.n_outputs]);
    mechanism.accelerations(at.view(), &mut a, &mut lambda).unwrap_or_else(|error| panic!("{error} at {at:?}"));
    mechanism.outputs(at.view(), &a, &lambda, &mut outputs);
    let energy = mechanism.energy(at.view());
    let name = |item| mechanism.name(item).to_owned();
    let a = a.iter().enumerate().map(|(i, x)| (name(Item::Speed(i)), *x));
    let lambda = lambda.iter().enumerate().map(|(i, x)| (format!("multiplier of {}", name(Item::Row(i))), *x));
    let outputs = outputs.iter().enumerate().map(|(i, x)| (name(Item::Output(i)), *x));
    let energies = [("kinetic".to_owned(), energy.kinetic), ("potential".to_owned(), energy.potential)];
    a.chain(lambda).chain(outputs).chain(energies).collect()
}

/// Asserts that values of one mechanism are those of the other, or zero where the other lacks them. 1e-9 of the largest: other orders of
/// elimination.
fn assert_same(label: &str, switched: &[(String, f64)], plain: &[(String, f64)]) {
    let largest = switched.iter().fold(1.0_f64, |largest, (_, x)| largest.max(x.abs()));
    for (name, x) in switched {
        let expected = plain.iter().find(|(other, _)| other == name).map_or(0.0, |(_, x)| *x);
        assert!((x - expected).abs() <= 1e-9 * largest, "{label}: {name} is {x}, not {expected}");
    }
}

#[test]
fn items_act_only_while_they_are_on() {
    for (space, text) in [("plane", PLANE), ("space", SPACE)] {
        for formulation in FORMULATIONS {
            let label = format!("{space} ({formulation:?})");
            let switched = interpret(&label, &with_switches(text), Some(formulation), compiled_fma());
            let engine = Engine::options().formulation(formulation).text(&with_switches(text)).expect("it compiles");
            for (rows, forces) in [(1.0, 1.0), (0.0, 1.0), (1.0, 0.0), (0.0, 0.0)] {
                let mut without: Vec<&str> = if rows == 0.0 { ROWS.to_vec() } else { Vec::new() };
                without.extend(if forces == 0.0 { &FORCES[..] } else { &[] });
                let plain = interpret(&label, &plain(text, &without), Some(formulation), compiled_fma());
                let start = assembled(&plain).expect("it assembles");
                for at in consistent(&plain, &start, 10, &mut Random::new(3)) {
                    let on = OwnedState { z: vec![rows, forces], ..at.clone() };
                    let expected = named(&plain, &at);
                    let label = format!("{label}, rows {rows}, forces {forces}");
                    assert_same(&label, &named(&switched, &on), &expected);
                    assert_same(&format!("{label}, engine"), &named(&engine, &on), &expected);
                }
            }
        }
    }
}

/// A clutch connects two shafts with inertias I₁ + m₁ c₁² and I₂ + m₂ c₂²: angular momentum about the pins is conserved, rates become equal, and
/// the impulse of the plates is that of the list of events, to 1e-10 of 8 rad/s.
#[test]
fn a_clutch_that_closes_shares_momentum() {
    fn judge<M: FullMechanism>(label: &str, mechanism: &M) {
        let precise = Integrator::DormandPrince { rtol: 1e-10, atol: 1e-11 };
        let recording = Simulation::new(mechanism).integrator(precise).duration(2.2).every(0.05).run();
        let recording = recording.unwrap_or_else(|failure| panic!("{label}: {failure}"));
        let close = recording.events().of("close").expect("declared").next().expect("the lining drags it along");
        let speed = |at: mbs::StateView, name: &str| {
            let i = (0..at.v.len()).find(|i| mechanism.name(Item::Speed(*i)) == name).expect("a speed");
            at.v[i]
        };
        let names = match (0..mechanism.sizes().n_v).any(|i| mechanism.name(Item::Speed(i)) == "front.rate") {
            true => ["front.rate", "rear.rate"],
            false => ["input_shaft.rate", "output_shaft.rate"],
        };
        let inertias = [0.08 + 3.0 * 0.01_f64.powi(2), 0.3 + 5.0 * 0.02_f64.powi(2)];
        let [before, after] = [close.before, close.after].map(|at| names.map(|name| speed(at, name)));
        let common = (inertias[0] * before[0] + inertias[1] * before[1]) / (inertias[0] + inertias[1]);
        assert!((before[0] - 8.0).abs() <= 1e-8 && (before[1] - 1.0).abs() <= 1e-8, "{label}: {before:?}");
        assert!(after.iter().all(|w| (w - common).abs() <= 1e-10 * 8.0), "{label}: {after:?}, not {common}");
        let plates = (0..mechanism.sizes().n_c).find(|r| mechanism.name(Item::Row(*r)) == "plates").expect("a row");
        let taken = inertias[1] * (after[1] - before[1]);
        let impulse = close.row_impulses[plates];
        assert!((impulse.abs() - taken).abs() <= 1e-10, "{label}: {impulse} N m s, not {taken}");
        // While parked, the output shaft is at rest and the lock exerts a force; then the motor drives again.
        let lock_force = recording.output("held").expect("declared");
        let speeds = recording.output("speed").expect("declared");
        for ((t, speed), lock_force) in recording.times().iter().zip(speeds).zip(lock_force) {
            if (1.5..1.8).contains(t) {
                assert!(speed.abs() <= 1e-9 && lock_force.abs() > 0.0, "{label}: {speed} rad/s at {t} s");
            } else {
                assert_eq!(*lock_force, 0.0, "{label} at {t} s");
            }
        }
    }
    judge("body", &mbs_corpus::body::Clutch::new(Default::default()).expect("valid"));
    judge("joint", &mbs_corpus::joint::Clutch::new(Default::default()).expect("valid"));
    for formulation in FORMULATIONS {
        judge("interpreted", corpus("clutch", formulation, compiled_fma()));
        judge("engine", &engine("clutch", formulation));
    }
}

/// A switch that the program sets: `project_velocities` makes the state consistent.
#[test]
fn a_program_switches_between_steps() {
    let mechanism = corpus("clutch", Formulation::Joint, compiled_fma());
    let mut state = State::new(mechanism);
    mbs::assemble(mechanism, &mut state).expect("it assembles");
    let mut work = mbs::Projection::new(mechanism);
    let engaged = state.z[0];
    assert_eq!(engaged, 0.0, "it begins open");
    let before = state.v.clone();
    mbs::project_velocities(mechanism, &mut state, &mut work).expect("rows that are off constrain nothing");
    assert_eq!(before, state.v);
    state.z[0] = 1.0;
    mbs::project_velocities(mechanism, &mut state, &mut work).expect("independent rows");
    // The governor keeps the front shaft at 8 rad/s.
    assert!(state.v[..2].iter().all(|w| (w - 8.0).abs() <= 1e-12), "{:?}", state.v);
}
