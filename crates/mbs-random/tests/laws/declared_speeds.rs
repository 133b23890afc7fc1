//! Planar joints of kinds that declare speeds, q̇ = N(q) u: the laws of random mechanisms, comparison with joints whose speeds are rates, closed
//! forms, and linearizations.

use mbs_core::{Describe, Differentiable, Item, Mechanism, StateView};
use mbs_model::Formulation;
use mbs_random::state::{OwnedState, Random, assembled, consistent};

use crate::every_side::{Sides, check_laws, run_on_every_side, side, sides};

/// Kinds with declared speeds: name, coordinates, and speeds with the pose. Without speeds and `kinematics` the speeds are rates.
const KINDS: [(&str, &str); 3] = [
    // An angle whose speed is not its rate.
    (
        "coordinate turn: angle = 0.2;",
        "speed w; kinematics: [w / (2 + cos(turn))]; pose { rotation: turn, translation: [0.1 * sin(turn), 0.05] }",
    ),
    // The velocity in the second end's axes.
    (
        "coordinate way: [2]; coordinate turn: angle;",
        "speed u: [2]; speed w;
         kinematics: [cos(turn) * u[0] - sin(turn) * u[1], sin(turn) * u[0] + cos(turn) * u[1], w];
         pose { rotation: turn, translation: way }",
    ),
    // N is neither symmetric nor of one unit.
    (
        "coordinate s = 0.3; coordinate turn: angle = -0.2;",
        "speed u: [2];
         kinematics: [(1 + 0.3 * turn.powi(2)) * u[0] + sin(turn) * u[1], 0.4 * s * u[0] + 2 * u[1]];
         pose { rotation: turn + 0.2 * s, translation: [s, 0.3 * s * turn] }",
    ),
];

/// A chain with such a joint between other joints, with either end first, or in a loop.
fn text(coordinates: &str, rest: &str, ends: &str, more: &str) -> String {
    format!(
        "pub planar Chain {{
            gravity: [0.3, -9.81];
            joint kind Own(f, m) {{ {coordinates} {rest} }}
            body arm {{ mass: 1.2, inertia: 0.05, com: [0.2, 0.03] }}
            body rod {{ mass: 0.8, inertia: 0.04, com: [0.1, -0.02], position: [0.4, 0.1] }}
            body tip {{ mass: 0.3, inertia: 0.01, com: [0.05, 0.01], position: [0.6, 0.2] }}
            joint base = revolute(ground, arm);
            joint own = Own({ends});
            joint wrist = revolute(rod at [0.2, 0.1], tip);
            force pull = spring_damper(ground at [1, 1], tip at [0.1, 0.2]) {{ stiffness: 20, damping: 0.3, free_length: 0.4 }};
            output place = position(tip at [0.1, 0.2]);
            output jolt = acceleration(tip at [0.1, 0.2]);
            output held = reaction(own).force; output moment = reaction(own).torque;
            output kinetic = kinetic_energy;
            {more}
        }}"
    )
}

const ENDS: [&str; 2] = ["arm at [0.4, 0], rod at [0, 0.1]", "rod at [0, 0.1], arm at [0.4, 0]"];

/// Closes a loop; for the second kind only, since the row would be redundant for the others.
const CLOSED: &str =
    "joint link = distance(tip at [0.2, 0], ground at [0.9, 0.2]) { length: 0.5 }; output speeds = own.u;";

#[test]
fn trees_obey_the_laws() {
    for (coordinates, rest) in KINDS {
        for ends in ENDS {
            check_laws(&text(coordinates, rest, ends, "output speeds = own.u; initial own.u[0] = 0.3;"));
        }
    }
}

#[test]
fn loops_obey_the_laws() {
    for (coordinates, rest) in &KINDS[1..] {
        check_laws(&text(coordinates, rest, ENDS[0], CLOSED));
    }
}

/// Outputs at a state.
fn outputs<M: Mechanism>(mechanism: &M, at: &OwnedState) -> Vec<f64> {
    let s = mechanism.sizes();
    let (mut a, mut lambda, mut outputs) = (vec![0.0; s.n_v], vec![0.0; s.n_c], vec![0.0; s.n_outputs]);
    mechanism.accelerations(at.view(), &mut a, &mut lambda).expect("it can be solved");
    mechanism.outputs(at.view(), &a, &lambda, &mut outputs);
    outputs
}

#[test]
fn declared_speeds_give_the_motion_of_rates() {
    for (coordinates, rest) in KINDS {
        let rates = rest.split_once("pose").map(|(_, pose)| format!("pose{pose}")).expect("each has a pose");
        for ends in ENDS {
            let twin = side(&text(coordinates, &rates, ends, ""), Formulation::Joint).compiled;
            for Sides { compiled, engine, label } in sides(&text(coordinates, rest, ends, "")) {
                if compiled.sizes().n_c > 0 {
                    continue;
                }
                let start = assembled(&compiled).expect("it is a tree");
                for at in consistent(&compiled, &start, 4, &mut Random::new(3)) {
                    let mut v = at.v.clone();
                    compiled.coordinate_rates(at.t, &at.q, &at.v, &mut v);
                    let expected = outputs(&twin, &OwnedState { v, ..at.clone() });
                    for found in [outputs(&compiled, &at), outputs(&engine, &at)] {
                        for (found, expected) in found.iter().zip(&expected) {
                            // Round-off of two eliminations of three bodies.
                            assert!(
                                (found - expected).abs() <= 1e-10 * expected.abs().max(10.0),
                                "{label}: {found}, not {expected}"
                            );
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn a_puck_with_speeds_in_body_axes_moves_on_a_straight_line() {
    let (coordinates, rest) = KINDS[1];
    let text = format!(
        "pub planar Puck {{
            joint kind Own(f, m) {{ {coordinates} {rest} }}
            body puck {{ mass: 0.2, inertia: 0.01 }}
            joint ice = Own(ground, puck);
            initial ice.u = [1.5, 0.3], ice.w = 2;
            output place = ice.way; output speeds = ice.u; output spin = ice.w; }}"
    );
    run_on_every_side(&text, 1.0, |_, t, outputs| {
        let (s, c) = (2.0 * t).sin_cos();
        let expected = [1.5 * t, 0.3 * t, 1.5 * c + 0.3 * s, 0.3 * c - 1.5 * s, 2.0];
        for (found, expected) in outputs.iter().zip(expected) {
            // Tolerances of 1e-10 per step, some fifty steps.
            assert!((found - expected).abs() < 1e-8, "{outputs:?} at {t}");
        }
    });
}

#[test]
fn derivatives_are_those_of_differences() {
    for (coordinates, rest) in KINDS {
        let text =
            text(coordinates, rest, ENDS[0], "kernels: [forward, outputs, energies, kinematics, linearization];");
        for Sides { compiled, label, .. } in sides(&text) {
            let start = assembled(&compiled).expect("it assembles");
            for at in consistent(&compiled, &start, 2, &mut Random::new(5)) {
                check_linearization(&compiled, &at, &label);
            }
        }
    }
}

#[test]
fn derivatives_in_space_are_those_of_differences() {
    const BALL: &str = "-(q[1] * u[0] + q[2] * u[1] + q[3] * u[2]) / 2, (q[0] * u[0] - q[3] * u[1] + q[2] * u[2]) / 2,
        (q[3] * u[0] + q[0] * u[1] - q[1] * u[2]) / 2, (-q[2] * u[0] + q[1] * u[1] + q[0] * u[2]) / 2";
    let kinds = [
        // A ball that rolls.
        format!(
            "coordinate q: quaternion; speed u: [3]; kinematics: [{BALL}];
             pose {{ rotation: quaternion(q), translation: [0.1 * quaternion(q).z.x, 0, 0.05 * quaternion(q).z.y] }}"
        ),
        // Translations with speeds in rotating axes.
        "coordinate way: [2]; coordinate turn: angle = 0.3; speed u: [3];
         kinematics: [cos(turn) * u[0] - sin(turn) * u[1], sin(turn) * u[0] + cos(turn) * u[1], u[2] / (2 + sin(turn))];
         pose { rotation: [0, turn, 0.2 * way[0]], translation: [way[0], way[1], 0.1 * turn] }"
            .to_owned(),
    ];
    for kind in kinds {
        let text = format!(
            "pub spatial Chain {{
                gravity: [0.3, 0.5, -9.81];
                kernels: [forward, outputs, energies, kinematics, linearization];
                joint kind Own(f, m) {{ {kind} }}
                body arm {{ mass: 1.2, inertia: [0.05, 0.04, 0.03], com: [0.2, 0.03, 0.1] }}
                body rod {{ mass: 0.8, inertia: [0.04, 0.02, 0.03], com: [0.1, -0.02, 0.05] }}
                body tip {{ mass: 0.3, inertia: [0.01, 0.02, 0.01], com: [0.05, 0.01, 0.02] }}
                joint base = spherical(ground, arm);
                joint own = Own(arm at [0.4, 0, 0.1], rod at [0, 0.1, 0]);
                joint wrist = revolute(rod at [0.2, 0.1, 0], tip) {{ axis: [0, 1, 0] }};
                force pull = spring_damper(ground at [1, 1, 0], tip at [0.1, 0.2, 0]) {{ stiffness: 20, damping: 0.3, free_length: 0.4 }};
            }}"
        );
        for reversed in [text.clone(), text.replace("Own(arm at [0.4, 0, 0.1], rod at [0, 0.1, 0])", "Own(rod, arm)")] {
            let Sides { compiled, label, .. } = side(&reversed, Formulation::Joint);
            let start = assembled(&compiled).expect("it assembles");
            for at in consistent(&compiled, &start, 2, &mut Random::new(5)) {
                check_linearization(&compiled, &at, &label);
            }
        }
    }
}

/// ∂(q̇, v̇)/∂(q, v), derivatives with respect to displacements, and the transitivity of displacements, against central differences.
fn check_linearization<M: Differentiable>(mechanism: &M, at: &OwnedState, label: &str) {
    let s = mechanism.sizes();
    let (n_x, width) = (s.n_x(), s.n_x() + s.n_u);
    let rates = |x: &[f64]| {
        let (q, v) = x.split_at(s.n_q);
        let (mut rates, mut a, mut lambda) = (vec![0.0; s.n_q], vec![0.0; s.n_v], vec![0.0; s.n_c]);
        mechanism.coordinate_rates(at.t, q, v, &mut rates);
        let view = StateView { t: at.t, q, v, z: &at.z, u: &at.u };
        mechanism.accelerations(view, &mut a, &mut lambda).expect("it can be solved");
        rates.extend(a);
        rates
    };
    let x = [&at.q[..], &at.v].concat();
    let mut jacobian = vec![0.0; n_x * width];
    mechanism.state_jacobian(at.view(), &mut jacobian).expect("it can be solved");
    for j in 0..n_x {
        let moved = |h: f64| {
            let mut x = x.clone();
            x[j] += h;
            rates(&x)
        };
        let differences = derivative(&moved);
        let size = differences.iter().fold(1.0_f64, |m, x| m.max(x.abs()));
        for (i, expected) in differences.iter().enumerate() {
            let found = jacobian[i * width + j];
            // Differences of fourth order, with steps of 3e-4.
            assert!((found - expected).abs() < 1e-7 * size, "{label}: [{i}, {j}] {found}, not {expected}");
        }
    }
    // (δθ)˙ = δv + C δθ on the motion: N(q + ε N δθ) v − N v = ε (Ṅ δθ + N (δθ)˙).
    let mut c = vec![0.0; s.n_v * s.n_v];
    mechanism.transitivity(at.view(), &mut c).expect("it can be solved");
    let rates_of = |q: &[f64], v: &[f64]| {
        let mut rates = vec![0.0; s.n_q];
        mechanism.coordinate_rates(at.t, q, v, &mut rates);
        rates
    };
    let displaced =
        |direction: &[f64], h: f64| -> Vec<f64> { at.q.iter().zip(direction).map(|(q, d)| q + h * d).collect() };
    let motion = rates_of(&at.q, &at.v);
    let mut tangent = vec![0.0; (s.n_v + s.n_c) * (2 * s.n_v + s.n_z + s.n_u)];
    let (mut a, mut lambda) = (vec![0.0; s.n_v], vec![0.0; s.n_c]);
    mechanism.acceleration_jacobian(at.view(), &mut a, &mut lambda, &mut tangent).expect("it can be solved");
    for j in 0..s.n_v {
        let unit: Vec<f64> = (0..s.n_v).map(|i| f64::from(u8::from(i == j))).collect();
        let direction = rates_of(&at.q, &unit);
        let (by_rotation, by_motion) = (
            derivative(&|h| rates_of(&displaced(&direction, h), &at.v)),
            derivative(&|h| rates_of(&displaced(&motion, h), &unit)),
        );
        let change: Vec<f64> = by_rotation.iter().zip(&by_motion).map(|(x, y)| x - y).collect();
        let mut expected = vec![0.0; s.n_v];
        mechanism.speeds_of_rates(at.t, &at.q, &change, &mut expected);
        for (i, expected) in expected.iter().enumerate() {
            let found = c[i * s.n_v + j];
            assert!(
                (found - expected).abs() < 1e-7 * expected.abs().max(10.0),
                "{label}: C[{i}, {j}] {found}, not {expected}"
            );
        }
        let accelerations =
            derivative(&|h| rates(&[displaced(&direction, h), at.v.clone()].concat())[s.n_q..].to_vec());
        let size = accelerations.iter().fold(1.0_f64, |m, x| m.max(x.abs()));
        for (i, expected) in accelerations.iter().enumerate() {
            let found = tangent[i * (2 * s.n_v + s.n_z + s.n_u) + j];
            assert!((found - expected).abs() < 1e-7 * size, "{label}: along {j} {found}, not {expected}");
        }
        // N⁺ N = 1.
        let mut back = vec![0.0; s.n_v];
        mechanism.speeds_of_rates(at.t, &at.q, &direction, &mut back);
        for (found, expected) in back.iter().zip(&unit) {
            assert!((found - expected).abs() < 1e-12, "{label}: {back:?}");
        }
    }
}

/// f′(0) by differences of fourth order.
fn derivative(f: &dyn Fn(f64) -> Vec<f64>) -> Vec<f64> {
    let h = 3e-4;
    let [one, minus_one, two, minus_two] = [h, -h, 2.0 * h, -2.0 * h].map(f);
    (0..one.len()).map(|i| (8.0 * (one[i] - minus_one[i]) - (two[i] - minus_two[i])) / (12.0 * h)).collect()
}

#[test]
fn speeds_have_their_names() {
    let (coordinates, rest) = KINDS[1];
    let mechanism = side(&text(coordinates, rest, ENDS[0], ""), Formulation::Joint).compiled;
    let names: Vec<&str> = (0..mechanism.sizes().n_v).map(|i| mechanism.name(Item::Speed(i))).collect();
    assert_eq!(names, ["base.rate", "own.u[0]", "own.u[1]", "own.w", "wrist.rate"]);
}
