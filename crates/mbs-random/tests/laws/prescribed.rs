//! Prescribed coordinates: compiler against engine, and both against drives of the same motion.

use mbs_compiler::interp::Inputs;
use mbs_core::{Describe, Item, Mechanism, StateView};
use mbs_engine::Engine;
use mbs_interp::Interpreted;
use mbs_model::Formulation;
use mbs_random::state::{Random, assembled, consistent};

use crate::every_side::{Sides, check_laws, run_on_every_side, side};

const PLANE: &str = "
    gravity: [0.3, -9.81];
    param pace = 1.3;
    body cart { mass: 2, inertia: 0.3, com: [0.1, 0.05], position: [0.2, 0], angle: 0 }
    body arm { mass: 1, inertia: 0.2, com: [0.4, 0.1], position: [0.4, 0.1], angle: 0.5 }
    body hand { mass: 0.5, inertia: 0.1, com: [0.05, 0.1], position: [1.2, 0.9], angle: 0.3 }
    joint rail = prismatic(ground, cart) { axis: [0.8, 0.6] };
    joint shoulder = revolute(cart at [0.2, 0.1], arm);
    joint wrist = revolute(hand, arm at [0.8, 0.1]);
    force spring = spring_damper(ground at [1, 1], hand at [-0.1, 0.2]) { stiffness: 20, damping: 0.7, free_length: 0.4 };
    force flexor = torsion_damper(arm, hand) { damping: 0.3 };";

const SPACE: &str = "
    gravity: [0.3, 0.5, -9.81];
    param pace = 1.3;
    body cart { mass: 2, inertia: [0.3, 0.2, 0.4], com: [0.1, 0.05, 0.2], position: [0.2, 0, 0] }
    body arm { mass: 1, inertia: [[0.2, 0.02, 0], [0.02, 0.3, 0.01], [0, 0.01, 0.25]], com: [0.4, 0.1, 0.05], position: [0.4, 0.1, 0] }
    body hand { mass: 0.5, inertia: [0.1, 0.12, 0.15], com: [0.05, 0.1, -0.1], position: [1.2, 0.9, 0.3] }
    joint rail = cylindrical(ground, cart) { axis: [0.8, 0.6, 0] };
    joint shoulder = universal(cart at [0.2, 0.1, 0], arm);
    joint wrist = revolute(hand, arm at [0.8, 0.1, 0]) { axis: [0, 0.6, 0.8] };
    force spring = spring_damper(ground at [1, 1, 0], hand at [-0.1, 0.2, 0]) { stiffness: 20, damping: 0.7, free_length: 0.4 };";

const OUTPUTS: &str = "
    output reach = position(hand); output pace_of_hand = velocity(hand); output jolt = acceleration(hand);
    output bearing = reaction(shoulder).force; output moment = reaction(shoulder).torque;";

/// Compares a declaration that prescribes coordinates with one that drives them, at consistent states in joint coordinates: accelerations,
/// energies, powers of forces, outputs.
#[track_caller]
fn compare_with_driven(prescribed: &str, driven: &str) {
    let [reduced, driven_twin] = [prescribed, driven].map(|text| side(text, Formulation::Joint).compiled);
    let start = assembled(&reduced).unwrap_or_else(|error| panic!("{prescribed}: {error}"));
    let states = consistent(&reduced, &start, 4, &mut Random::new(1));
    assert!(!states.is_empty(), "{prescribed}: no state is consistent");
    let names = |mechanism: &Interpreted, item: fn(usize) -> Item, n: usize| -> Vec<String> {
        (0..n).map(|i| mechanism.name(item(i)).to_owned()).collect()
    };
    let (few, all) = (reduced.sizes(), driven_twin.sizes());
    assert!(few.n_v < all.n_v && few.n_c < all.n_c, "{prescribed}: nothing is eliminated");
    let indices = |item: fn(usize) -> Item, few: usize, all: usize| -> Vec<Option<usize>> {
        let names_of_reduced = names(&reduced, item, few);
        names(&driven_twin, item, all)
            .iter()
            .map(|name| names_of_reduced.iter().position(|other| other == name))
            .collect()
    };
    let (q_of, v_of) = (indices(Item::Coordinate, few.n_q, all.n_q), indices(Item::Speed, few.n_v, all.n_v));
    let rows = indices(Item::Row, few.n_c, all.n_c);
    for at in &states {
        // Prescribed values follow from the rows p − f(t) of the drives at p = 0.
        let mut q: Vec<f64> = q_of.iter().map(|i| i.map_or(0.0, |i| at.q[i])).collect();
        let mut v: Vec<f64> = v_of.iter().map(|i| i.map_or(0.0, |i| at.v[i])).collect();
        let missing = |of: &[Option<usize>]| (0..of.len()).filter(|i| of[*i].is_none()).collect::<Vec<_>>();
        let (missing_q, missing_v) = (missing(&q_of), missing(&v_of));
        let mut jacobian = vec![0.0; all.n_velocity * all.n_v];
        let (mut phi, mut psi) = (vec![0.0; all.n_position], vec![0.0; all.n_velocity]);
        let view =
            |q: &[f64], v: &[f64], f: &mut dyn FnMut(StateView)| f(StateView { t: at.t, q, v, z: &at.z, u: &at.u });
        view(&q, &v, &mut |at| {
            Mechanism::constraint_jacobian(&driven_twin, at, &mut jacobian);
            driven_twin.position_residuals(at, &mut phi);
            driven_twin.velocity_residuals(at, &mut psi);
        });
        for (q_i, v_i) in missing_q.into_iter().zip(missing_v) {
            let row = (0..all.n_position).find(|r| rows[*r].is_none() && jacobian[r * all.n_v + v_i] != 0.0);
            let row = row.expect("each is driven");
            (q[q_i], v[v_i]) = (-phi[row], -psi[row]);
        }
        let results = |mechanism: &Interpreted, at: StateView| {
            let s = mechanism.sizes();
            let (mut a, mut lambda, mut outputs) = (vec![0.0; s.n_v], vec![0.0; s.n_c], vec![0.0; s.n_outputs]);
            mechanism.accelerations(at, &mut a, &mut lambda).unwrap_or_else(|error| panic!("{prescribed}: {error}"));
            mechanism.outputs(at, &a, &lambda, &mut outputs);
            let energy = mechanism.energy(at);
            outputs.extend([energy.kinetic, energy.potential]);
            let inputs = Inputs { t: at.t, q: at.q, v: at.v, z: at.z, u: at.u, ..Inputs::default() };
            outputs.extend(
                mechanism.run("force_energies", inputs).ok().and_then(|e| e.into_iter().nth(1)).unwrap_or_default(),
            );
            (a, lambda, outputs)
        };
        let (a, lambda, outputs) = results(&reduced, at.view());
        let mut expected = None;
        view(&q, &v, &mut |at| expected = Some(results(&driven_twin, at)));
        let (all_a, all_lambda, all_outputs) = expected.expect("it was called");
        let pick = |of: &[Option<usize>], from: &[f64], n: usize| -> Vec<f64> {
            (0..n).map(|i| from[of.iter().position(|o| *o == Some(i)).expect("all are of the driven_twin")]).collect()
        };
        let pairs = [
            ("accelerations", a, pick(&v_of, &all_a, few.n_v)),
            ("multipliers", lambda, pick(&rows, &all_lambda, few.n_c)),
            ("outputs, energies, powers", outputs, all_outputs),
        ];
        for (name, found, expected) in pairs {
            let size = expected.iter().fold(1.0_f64, |m, x| m.max(x.abs()));
            for (found, expected) in found.iter().zip(&expected) {
                // Round-off of two eliminations of a few bodies.
                assert!(
                    (found - expected).abs() <= 1e-10 * size,
                    "{name} at {at:?}: {found}, not {expected}\n{prescribed}"
                );
            }
        }
    }
}

/// Checks the laws with prescribed coordinates, and compares them with drives.
fn prescribed(space: &str, items: &str, motions: &[&str]) {
    let text = |word: &str| {
        let motions: String = motions.iter().map(|motion| format!("{word} {motion};")).collect();
        format!("pub {space} Given {{ {items} {motions} }}")
    };
    check_laws(&text("prescribe"));
    compare_with_driven(&text("prescribe"), &text("drive"));
}

#[test]
fn one_coordinate_in_the_plane() {
    for motion in [
        "m = shoulder.angle == 0.4 + 0.3 * sin(pace * t)",
        "m = rail.position == 0.1 * t * t",
        "m = wrist.angle == pace * t",
    ] {
        let joint = motion[4..].split('.').next().unwrap();
        let more =
            format!("output effort = load(m); output on = reaction({joint}).force; output of = {joint}.acceleration;");
        let reacts = "output motor = reaction(m, arm).torque;";
        let reacts = if joint == "rail" { "output motor = reaction(m, cart).force;" } else { reacts };
        prescribed("planar", &format!("{PLANE} {OUTPUTS} {more} {reacts}"), &[motion]);
    }
}

#[test]
fn one_coordinate_in_space() {
    let motions = [
        "m = rail.position == 0.1 * t * t",
        "m = rail.angle == 0.4 + 0.3 * sin(pace * t)",
        "m = shoulder.q[0] == 0.2 + pace * t",
        "m = shoulder.q[1] == 0.3 * cos(t)",
        "m = wrist.angle == pace * t",
    ];
    for motion in motions {
        let joint = motion[4..].split('.').next().unwrap();
        let body = if joint == "rail" { "cart" } else { "arm" };
        let more = format!(
            "output effort = load(m); output on = reaction({joint}).torque; output motor = reaction(m, {body}).torque;"
        );
        prescribed("spatial", &format!("{SPACE} {OUTPUTS} {more}"), &[motion]);
    }
}

#[test]
fn several_coordinates_and_all() {
    let three =
        ["a = rail.position == 0.1 * t * t", "b = shoulder.angle == 0.4 + sin(t)", "c = wrist.angle == pace * t"];
    let loads = "output efforts = [load(a), load(b)];";
    prescribed("planar", &format!("{PLANE} {OUTPUTS} {loads}"), &three[..2]);
    prescribed("planar", &format!("{PLANE} {OUTPUTS} {loads}"), &three);
    let space =
        ["a = rail.position == 0.1 * t * t", "b = shoulder.q[1] == 0.4 + sin(t)", "c = wrist.angle == pace * t"];
    prescribed("spatial", &format!("{SPACE} {OUTPUTS} {loads}"), &space);
}

#[test]
fn loops_close_about_prescribed_coordinates() {
    let four_bar = "
        gravity: [0, -9.81];
        param pace = 4;
        body crank { mass: 1, inertia: 0.01, com: [0.1, 0], angle: 0.5 }
        body coupler { mass: 2, inertia: 0.1, com: [0.3, 0.05] }
        body rocker { mass: 1.5, inertia: 0.05, com: [0.2, 0] }
        joint shaft = revolute(ground, crank);
        joint pin = revolute(crank at [0.2, 0], coupler);
        joint knee = revolute(coupler at [0.6, 0], rocker at [0.5, 0]);
        joint heel = revolute(ground at [0.7, 0], rocker);
        guess angle(coupler) = 0.5;
        output effort = load(m); output knee_force = reaction(knee).force; output heel_force = reaction(heel).force;";
    let four_bar = four_bar.replace("guess angle(coupler) = 0.5;", "initial angle(coupler) ~ 0.5;");
    prescribed("planar", &four_bar, &["m = shaft.angle == 0.5 + pace * t"]);
}

#[test]
fn declared_kinds_in_the_plane() {
    let slide = "
        joint kind Curve(a, b) {
            coordinate way = 0.2; coordinate turn: angle = 0.1;
            pose { rotation: turn + 0.5 * way, translation: [way, 0.3 * sin(2 * way)] }
        }
        gravity: [0.3, -9.81];
        param pace = 1.3;
        body cart { mass: 2, inertia: 0.3, com: [0.1, 0.05] }
        body arm { mass: 1, inertia: 0.2, com: [0.4, 0.1] }
        joint rail = Curve(ground, cart);
        joint shoulder = revolute(cart at [0.2, 0.1], arm);
        force push = mobility(rail.way) { value: -3 * rail.way };
        output effort = load(m); output tip = acceleration(arm at [1, 0]); output on = reaction(rail).force;";
    for motion in ["m = rail.way == 0.2 + 0.3 * sin(pace * t)", "m = rail.turn == pace * t"] {
        prescribed("planar", slide, &[motion]);
    }
}

/// The load on a coordinate that is prescribed acts within its joint, not on the points that other bodies share.
#[test]
fn loads_on_declared_coordinates_are_not_those_of_shared_points() {
    let text = |space: &str, [origin, turn, inertia, basis]: [&str; 4]| {
        format!(
            "pub {space} Given {{
                joint kind Track(a, b) {{ coordinate way = 0.2; pose {{ translation: [way, {turn}] }} }}
                param pace = 1.3;
                body cart {{ mass: 2, inertia: {inertia} }}
                body crank {{ mass: 1.5, inertia: {inertia}, coordinates: natural {{ {basis} }} }}
                joint rail = Track(ground, cart);
                joint pin = revolute(ground at {origin}, crank) {{ cut: true }};
                force push = mobility(rail.way) {{ value: -3 * rail.way }};
                prescribe m = rail.way == 0.2 + 0.3 * sin(pace * t);
                output effort = load(m); output on = reaction(pin).force;
            }}"
        )
    };
    check_laws(&text("planar", ["[1, 0.5]", "0.3 * way * way", "0.3", "points: [[0, 0]], vectors: [[1, 0]]"]));
    let basis = "points: [[0, 0, 0]], vectors: [[1, 0, 0], [0, 1, 0], [0, 0, 1]]";
    check_laws(&text("spatial", ["[1, 0.5, 0]", "0.3 * way * way, 0", "[0.3, 0.4, 0.5]", basis]));
}

#[test]
fn a_turntable_throws_a_bead_out() {
    // r̈ = ω² r: r = r₀ cosh ω t; the torque on the table is 2 m ω r ṙ.
    let text = "pub planar Turntable {
        body bead { mass: 0.5, inertia: 0.01, position: [0.1, 0] }
        body table { mass: 1, inertia: 0.2 }
        joint shaft = revolute(ground, table);
        joint groove = prismatic(table, bead) { axis: [1, 0] };
        prescribe turning = shaft.angle == 3 * t;
        output r = groove.position; output torque = load(turning); }";
    run_on_every_side(text, 0.8, |_, t, outputs| {
        let (r, rate) = (0.1 * (3.0 * t).cosh(), 0.3 * (3.0 * t).sinh());
        // Tolerances of 1e-10 per step, some fifty steps.
        assert!((outputs[0] - r).abs() < 1e-8, "{outputs:?} at {t}: {r}");
        assert!((outputs[1] - 2.0 * 0.5 * 3.0 * r * rate).abs() < 1e-7, "{outputs:?} at {t}: {r}");
    });
}

#[test]
fn the_engine_returns_the_index_of_a_singular_row_in_its_interface() {
    // At the dead centre of equal lengths, the second row of the loop of rod and piston has no pivot.
    let text = "pub planar DeadCentre {
        param pace = 1.3;
        body crank { mass: 1, inertia: 0.1, com: [0.2, 0], angle: 1 }
        body rod { mass: 1, inertia: 0.1, com: [0.2, 0], angle: 0.287 }
        body piston { mass: 0.5, inertia: 0.1, position: [0.74, 0.55] }
        joint bearing = revolute(ground, crank);
        joint pin = revolute(crank at [0.5, 0], rod);
        joint wrist = revolute(rod at [0.5, 0], piston);
        joint guide = prismatic(ground, piston) { axis: [0.8, 0.6] };
        prescribe turning = bearing.angle == 1 + pace * t; }";
    let engine = side(text, Formulation::Joint).engine;
    let s = engine.sizes();
    assert_eq!((s.n_v, s.n_c), (2, 2));
    let coordinate =
        |i: usize| if engine.name(Item::Coordinate(i)) == "pin.angle" { std::f64::consts::PI } else { 0.0 };
    let q = [0, 1].map(coordinate);
    // The crank is perpendicular to the guide.
    let t = (0.5 * std::f64::consts::PI + 0.6_f64.atan2(0.8) - 1.0) / 1.3;
    let (mut a, mut lambda) = ([0.0; 2], [0.0; 2]);
    let found = engine.accelerations(StateView { t, q: &q, v: &[0.0; 2], z: &[], u: &[] }, &mut a, &mut lambda);
    assert_eq!(found, Err(mbs_core::Error::Singular { row: 3, t }));
}

/// Functions of time in an expression do no work, nor do moving markers on ground; prescribed motions do.
#[test]
fn forces_do_work_on_prescribed_motions_and_not_on_functions_of_time() {
    let plane = "
        marker peg = ground at [0.3 * t, 0.2];
        force tie = spring_damper(peg, hand) { stiffness: 3, damping: 0.2, free_length: 0.1 };
        potential fade = 0.3 * t * t + position(hand).x;
        potential pull = 2 * t * dot(position(hand) - position(peg), position(hand) - position(peg));
        force push = mobility(wrist.angle) { value: sin(angle(hand)) };";
    let items = format!("{PLANE} {plane}");
    let [slide, turn, all] = [
        vec!["m = rail.position == 0.1 * t * t + 0.2 * t"],
        vec!["m = shoulder.angle == 0.4 + pace * t"],
        vec!["a = rail.position == 0.1 * t", "b = shoulder.angle == 0.4 + pace * t", "c = wrist.angle == 0.3 * sin(t)"],
    ];
    for motions in [slide, turn, all] {
        prescribed("planar", &items, &motions);
    }
    let space = "
        marker peg = ground at [0.3 * t, 0.2, 0];
        force tie = spring_damper(peg, hand) { stiffness: 3, damping: 0.2, free_length: 0.1 };
        potential fade = 0.3 * t * t + position(hand).x;
        potential pull = 2 * t * dot(position(hand) - position(peg), position(hand) - position(peg));
        force push = mobility(wrist.angle) { value: position(hand).y };";
    let items = format!("{SPACE} {space}");
    prescribed("spatial", &items, &["m = shoulder.q[1] == 0.4 + pace * t"]);
    let all =
        ["a = rail.position == 0.1 * t", "b = shoulder.q[0] == 0.4 + pace * t", "c = wrist.angle == 0.3 * sin(t)"];
    prescribed("spatial", &items, &all);
}

/// Rates of coordinates are requested without the states that rows depend on.
#[test]
fn rows_are_switched_with_prescribed_and_natural_coordinates() {
    let plane = "pub planar Switched {
        coordinates: joint;
        param pace = 1.3;
        discrete grip = 1;
        body arm { mass: 1, inertia: 0.2, com: [0.4, 0.1] }
        body hand { mass: 0.5, inertia: 0.1, com: [0.05, 0.1] }
        body plate { mass: 2, inertia: 0.3, position: [2, 0],
            coordinates: natural { points: [[0, 0]], vectors: [[1, 0], [0, 1]] } }
        joint shoulder = revolute(ground, arm);
        joint wrist = revolute(arm at [0.8, 0.1], hand);
        joint hinge = revolute(ground at [2, 0], plate);
        coupling follow = plate.x.y == 0.5 * wrist.angle { enabled: grip > 0.5 };
        prescribe m = shoulder.angle == pace * t; }";
    let space = "pub spatial Switched {
        coordinates: joint;
        param pace = 1.3;
        discrete grip = 1;
        body arm { mass: 1, inertia: [0.2, 0.3, 0.25], com: [0.4, 0.1, 0.05] }
        body hand { mass: 0.5, inertia: [0.1, 0.12, 0.15], com: [0.05, 0.1, -0.1] }
        body plate { mass: 2, inertia: [0.3, 0.2, 0.4], position: [2, 0, 0], coordinates: natural }
        joint shoulder = revolute(ground, arm) { axis: [0, 0, 1] };
        joint wrist = revolute(arm at [0.8, 0.1, 0], hand) { axis: [0, 0.6, 0.8] };
        joint hinge = revolute(ground at [2, 0, 0], plate) { axis: [0, 0, 1] };
        coupling follow = plate.x.y == 0.5 * wrist.angle { enabled: grip > 0.5 };
        prescribe m = shoulder.angle == pace * t; }";
    for text in [plane, space] {
        let engine = Engine::options().text(text).unwrap_or_else(|failure| panic!("{text}: {failure}"));
        let n = engine.sizes().n_q;
        assert_eq!(engine.sizes().n_v, n, "{text}");
        let v: Vec<f64> = (0..n).map(|i| 0.3 * i as f64 - 0.7).collect();
        let mut rates = vec![0.0; n];
        engine.coordinate_rates(0.3, &vec![0.1; n], &v, &mut rates);
        assert_eq!(rates, v, "{text}");
    }
}

/// The prescribed angle of [`unknown`] at t = 0, and its rate.
fn start_angle() -> [f64; 2] {
    let (sin, cos) = 0.26_f64.sin_cos();
    [0.1 + sin + 0.04, 0.5 * (1.3 * cos + 0.2)]
}

/// Two bodies; the angle of the first is prescribed by a function that the compiler cannot evaluate.
fn unknown(space: &str, declared: &str) -> String {
    let (of, end, axis) = match space {
        "planar" => ("inertia: 0.1, com: [0.3, 0]", "[1, 0]", ""),
        _ => ("inertia: [0.1, 0.1, 0.1], com: [0.3, 0, 0]", "[1, 0, 0]", "{ axis: [0, 0, 1] }"),
    };
    let text = format!(
        "pub {space} Begun {{
        function wave: opaque(4);
        body arm {{ mass: 1, {of} }}
        body hand {{ mass: 1, {of} }}
        joint shoulder = revolute(ground, arm) {axis};
        joint wrist = revolute(arm at END, hand) {axis};
        prescribe m = shoulder.angle == 0.1 + wave(0.2 + 0.5 * t);
        {declared}
        output begun = [shoulder.angle, shoulder.rate, position(arm at END).y, position(hand at END).y, wrist.rate]; }}"
    );
    text.replace("END", end)
}

/// Outputs of [`unknown`] at the start.
fn start_outputs<M: Mechanism>(label: &str, mechanism: &M) -> Vec<f64> {
    let start = assembled(mechanism).unwrap_or_else(|error| panic!("{label}: {error}"));
    let s = mechanism.sizes();
    let mut outputs = vec![0.0; s.n_outputs];
    mechanism.outputs(start.view(), &vec![0.0; s.n_v], &vec![0.0; s.n_c], &mut outputs);
    let [angle, rate] = start_angle();
    for (found, expected) in outputs.iter().zip([angle, rate, angle.sin()]) {
        // The error of assembly, for lengths and angles of size one.
        assert!((found - expected).abs() < 1e-9, "{label}: {outputs:?}");
    }
    outputs
}

/// A guess of a coordinate that an unknown function prescribes does not prevent compilation or a run.
#[test]
fn guesses_of_coordinates_that_an_unknown_function_prescribes_are_checked_in_a_run() {
    for guess in [
        "initial shoulder.angle ~ 0.3;",
        "initial shoulder.rate ~ 0.3;",
        "initial position(arm at END).y ~ 0.3;",
        "initial position(hand at END).y ~ 0.3;",
        "initial velocity(hand at END).y ~ 0.3;",
    ] {
        for space in ["planar", "spatial"] {
            for formulation in [Formulation::Joint, Formulation::Body, Formulation::Natural] {
                let Sides { label, compiled, engine } = side(&unknown(space, guess), formulation);
                start_outputs(&label, &compiled);
                start_outputs(&label, &engine);
            }
        }
    }
}

/// An exact `initial` value may set a coordinate that an unknown function prescribes to its value, or to another one: a run detects it.
#[test]
fn initial_values_of_coordinates_that_an_unknown_function_prescribes_are_checked_in_a_run() {
    let [angle, rate] = start_angle();
    let conditions = [
        format!("initial shoulder.angle = {angle};"),
        format!("initial shoulder.rate = {rate};"),
        format!("initial position(arm at END).y = {};", angle.sin()),
    ];
    let further = "initial position(hand at END).y = 0.7; initial wrist.rate = 0.2;";
    for condition in conditions {
        for space in ["planar", "spatial"] {
            for formulation in [Formulation::Joint, Formulation::Body, Formulation::Natural] {
                let Sides { label, compiled, engine } =
                    side(&unknown(space, &format!("{condition} {further}")), formulation);
                for outputs in [start_outputs(&label, &compiled), start_outputs(&label, &engine)] {
                    // As in `start_outputs`.
                    let misses = [outputs[3] - 0.7, outputs[4] - 0.2];
                    assert!(misses.iter().all(|miss| miss.abs() < 1e-9), "{label}: {outputs:?}");
                }
                let wrong =
                    crate::every_side::compiled(&unknown(space, &condition.replace(';', " + 0.2;")), formulation);
                assert!(assembled(&wrong).is_err(), "{label}");
            }
        }
    }
}

#[test]
fn a_mechanism_may_have_no_coordinate_left() {
    // The load is I φ̈ + m g l cos φ.
    let text = "pub planar Wound {
        gravity: [0, -9.81];
        param pace = 1.3;
        body arm { mass: 2, inertia: 0.2, com: [0.3, 0] }
        joint shoulder = revolute(ground, arm);
        prescribe m = shoulder.angle == 0.4 + 0.3 * sin(pace * t);
        output effort = load(m); }";
    let expected = |t: f64| {
        let (angle, acceleration) = (0.4 + 0.3 * (1.3 * t).sin(), -0.3 * 1.69 * (1.3 * t).sin());
        (0.2 + 2.0 * 0.09) * acceleration + 2.0 * 9.81 * 0.3 * angle.cos()
    };
    run_on_every_side(text, 1.0, |_, t, outputs| {
        assert!((outputs[0] - expected(t)).abs() < 1e-9, "{outputs:?} at {t}: {}", expected(t));
    });
}

#[test]
fn declared_kinds_in_space() {
    let items = "
        joint kind Bend(a, b) {
            coordinate bend: angle = 0.2; coordinate lift = 0.1;
            pose { rotation: [bend, 0.3 * bend, 2 * lift], translation: [lift, 0.1 * sin(bend), 0.2 + bend * lift] }
        }
        gravity: [0.3, 0.5, -9.81];
        param pace = 1.3;
        body arm { mass: 1, inertia: [[0.2, 0.02, 0], [0.02, 0.3, 0.01], [0, 0.01, 0.25]], com: [0.4, 0.1, 0.05] }
        body hand { mass: 0.5, inertia: [0.1, 0.12, 0.15], com: [0.05, 0.1, -0.1] }
        body tool { mass: 0.4, inertia: [0.1, 0.1, 0.1], com: [0, 0, 0.2] }
        joint shoulder = spherical(ground, arm);
        joint elbow = ENDS;
        joint thread = screw(hand, tool) { axis: [0, 0.6, 0.8], pitch: 0.3 };
        force push = mobility(elbow.lift) { value: -3 * elbow.lift };
        output effort = load(m); output tip = acceleration(tool at [1, 0, 0]); output on = reaction(elbow).force;";
    let ahead = items.replace("ENDS", "Bend(arm at [0.8, 0, 0], hand)");
    for motion in ["m = elbow.lift == 0.1 * cos(t)", "m = thread.angle == t * t"] {
        prescribed("spatial", &ahead, &[motion]);
    }
    let back = items.replace("ENDS", "Bend(hand, arm at [0.8, 0, 0])");
    prescribed("spatial", &back, &["m = elbow.bend == 0.2 + 0.3 * sin(pace * t)"]);
    prescribed("spatial", &back, &["m = elbow.bend == pace * t", "n = elbow.lift == 0.2 * sin(t)"]);
}

#[test]
fn spatial_loops_close_about_prescribed_coordinates() {
    let items = "
        gravity: [0, 0, -9.81];
        param pace = 6;
        body crank  { mass: 0.12, inertia: [1e-4, 0, 0], com: [0, 0, 0.04] }
        body rod    { mass: 0.5, inertia: [4e-4, 4e-3, 4e-3], com: [0.15, 0, 0], rotation: euler(xyz, [-0.46, 0.84, 0]) }
        body slider { mass: 2, inertia: [1e-3, 1e-3, 1e-3], position: [0.2, 0, 0] }
        joint bearing = revolute(ground at [0, 0.1, 0.12], crank) { axis: [1, 0, 0] };
        joint track   = prismatic(ground, slider) { axis: [1, 0, 0] };
        joint ball    = spherical(crank at [0, 0, 0.08], rod);
        joint cross   = universal(slider, rod at [0.3, 0, 0]) { axis: [1, 0, 0], second_axis: [0, 1, 0] };
        output torque = load(m); output x = track.acceleration; output pin = reaction(ball).force;
        output side = reaction(track).force; output on = reaction(m, crank).torque;";
    prescribed("spatial", items, &["m = bearing.angle == pace * t"]);
}
