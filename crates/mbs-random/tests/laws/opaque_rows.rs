//! Functions written in Rust in poses of joint kinds and in rows: the compiler, which cannot evaluate them, the engine, and the mechanism with the
//! functions written in the text.

use mbs_core::{Differentiable, Mechanism};
use mbs_interp::Interpreted;
use mbs_model::Formulation;
use mbs_random::state::{OwnedState, Random, assembled, consistent};

use crate::every_side::{check_laws, run_on_every_side, side};
use crate::tier::{is_full_tier, is_in_turn};

const OPAQUE: &str = "function wave: opaque(4); function field(x, y): [2] opaque(4);";
/// Declarations of the functions that [`every_side`] binds.
const INLINED: &str = "function wave(x) = sin(1.3 * x) + 0.2 * x;
    function field(x, y) = [0.2 * sin(0.7 * x + 1.1 * y + 0.4), 0.15 * cos(0.9 * x - 0.5 * y) + 0.1 * x * y];";

/// A leg with a rolling knee, whose heel moves on a track.
const PLANE: &str = "
    gravity: [0.3, -9.81];
    kernels: [forward, kinematics, energies, outputs, reactions, jacobians, linearization];
    param scale = 1.1;
    joint kind Knee(f, m) {
        coordinate bend: angle = 0.2;
        pose { rotation: bend + 0.3 * wave(bend), translation: [0.2 * wave(scale * bend), -0.4 + field(bend, scale)[1]] }
    }
    joint kind Track(f, m) {
        coordinate s; coordinate turn: angle;
        pose { rotation: turn + 0.2 * wave(s), translation: field(s, turn) }
    }
    body thigh { mass: 2, inertia: 0.3, com: [0.02, -0.2] }
    body shank { mass: 1, inertia: 0.1, com: [0.03, -0.2] }
    body foot { mass: 0.5, inertia: 0.05, com: [0.1, -0.02] }
    joint hip = revolute(ground, thigh);
    joint ankle = revolute(shank at [0, -0.4], foot);
    force spring = spring_damper(ground at [1, 1], foot at [0.1, 0.2]) { stiffness: 20, damping: 0.7, free_length: 0.4 };
    force flexor = mobility(knee.bend) { value: 1 - 2 * knee.bend };";

const SPACE: &str = "
    gravity: [0.3, 0.5, -9.81];
    kernels: [forward, kinematics, energies, outputs, reactions, jacobians, linearization];
    param scale = 1.1;
    joint kind Knee(f, m) {
        coordinate bend: angle = 0.2;
        pose {
            rotation: [0.2 * wave(bend), bend, field(bend, scale)[0]],
            translation: [0.2 * wave(scale * bend), field(bend, 0.3)[1], -0.4],
        }
    }
    joint kind Track(f, m) {
        coordinate s; coordinate turn: angle; coordinate tilt: angle;
        pose { rotation: [turn, tilt + 0.2 * wave(s), 0.1 * wave(turn)], translation: [s, field(s, turn)[0], field(turn, s)[1]] }
    }
    body thigh { mass: 2, inertia: [0.3, 0.2, 0.4], com: [0.1, 0.05, -0.2] }
    body shank { mass: 1, inertia: [[0.2, 0.02, 0], [0.02, 0.3, 0.01], [0, 0.01, 0.25]], com: [0.04, 0.1, -0.2] }
    body foot { mass: 0.5, inertia: [0.1, 0.12, 0.15], com: [0.05, 0.1, -0.1] }
    joint hip = universal(ground, thigh);
    joint ankle = gimbal(shank at [0, 0.02, -0.4], foot);
    force spring = spring_damper(ground at [1, 1, 0], foot at [-0.1, 0.2, 0]) { stiffness: 20, damping: 0.7, free_length: 0.4 };
    force flexor = mobility(knee.bend) { value: 1 - 2 * knee.bend };";

const OUTPUTS: &str = "
    output reach = position(foot); output pace = velocity(foot); output jolt = acceleration(foot);
    output bent = knee.bend; output bearing = reaction(knee).force; output moment = reaction(knee).torque;";

/// Planar variants: the mechanism alone, with rows, and with a second joint that closes a loop.
const PLANE_ROWS: &[&str] = &[
    "joint knee = Knee(thigh at [0, -0.05], shank);",
    "joint knee = Knee(shank, thigh at [0, -0.05]);",
    "joint knee = Knee(thigh at [0, -0.05], shank); joint heel = Track(ground at [0.1, -0.9], foot);",
    "joint knee = Knee(thigh at [0, -0.05], shank) { cut: true };",
    "joint knee = Knee(thigh at [0, -0.05], shank); coupling follow = ankle.angle == 0.4 * wave(knee.bend);",
    "joint knee = Knee(thigh at [0, -0.05], shank);
     constraint wire = position(foot at [0.2, 0]).y == -0.9 + 0.3 * wave(position(foot at [0.2, 0]).x);",
    "joint knee = Knee(thigh at [0, -0.05], shank); drive lead = hip.angle == 0.2 * field(knee.bend, t)[0] + 0.2 * wave(t);",
    "joint knee = Knee(thigh at [0, -0.05], shank); constraint rolls = rate(ankle.angle) == wave(knee.bend) * rate(hip.angle);",
];

const SPACE_ROWS: &[&str] = &[
    "joint knee = Knee(thigh at [0, 0.01, -0.05], shank);",
    "joint knee = Knee(shank at [0, 0.01, 0.05], thigh);",
    "joint knee = Knee(thigh at [0, 0.01, -0.05], shank); joint heel = Track(ground at [0.1, 0.1, -0.9], foot);",
    "joint knee = Knee(thigh at [0, 0.01, -0.05], shank); coupling follow = hip.q[0] == 0.4 * wave(knee.bend);",
    "joint knee = Knee(thigh at [0, 0.01, -0.05], shank);
     constraint wire = position(foot at [0.2, 0, 0]).z == -0.9 + 0.3 * field(position(foot at [0.2, 0, 0]).x, position(foot).y)[0];",
    "joint knee = Knee(thigh at [0, 0.01, -0.05], shank);
     drive lead = hip.q[0] == 0.2 * field(knee.bend, t)[0] + 0.2 * wave(t);",
];

fn text(space: &str, base: &str, rows: &str, functions: &str) -> String {
    format!("pub {space} Leg {{ {functions} {base} {rows} {OUTPUTS} }}")
}

/// Accelerations, multipliers, outputs, energies and, where they are compiled, derivatives of accelerations at a state.
fn results(mechanism: &Interpreted, at: &OwnedState) -> Vec<f64> {
    let sizes = mechanism.sizes();
    let (mut a, mut lambda, mut outputs) = (vec![0.0; sizes.n_v], vec![0.0; sizes.n_c], vec![0.0; sizes.n_outputs]);
    let mut derivatives = vec![0.0; (sizes.n_v + sizes.n_c) * (2 * sizes.n_v + sizes.n_z + sizes.n_u)];
    if mechanism.compiled().model.settings.kernels.linearization {
        let result = mechanism.acceleration_jacobian(at.view(), &mut a, &mut lambda, &mut derivatives);
        result.unwrap_or_else(|error| panic!("{error} at {at:?}"));
    }
    mechanism.accelerations(at.view(), &mut a, &mut lambda).unwrap_or_else(|error| panic!("{error} at {at:?}"));
    mechanism.outputs(at.view(), &a, &lambda, &mut outputs);
    let energy = mechanism.energy(at.view());
    [a, lambda, outputs, vec![energy.kinetic, energy.potential], derivatives].concat()
}

/// 1e-10 of the largest value: rounding errors of equal terms in another order of elimination.
#[track_caller]
fn assert_alike(space: &str, base: &str, rows: &str) {
    let [opaque, inlined] = [OPAQUE, INLINED].map(|functions| text(space, base, rows, functions));
    for (_, formulation) in (0..).zip([Formulation::Body, Formulation::Joint]).filter(|(k, _)| is_in_turn(rows, *k, 2))
    {
        let [opaque, inlined] = [&opaque, &inlined].map(|text| side(text, formulation).compiled);
        let start = assembled(&inlined).unwrap_or_else(|error| panic!("{rows}: {error}"));
        let states = consistent(&inlined, &start, 4, &mut Random::new(1));
        assert!(!states.is_empty(), "{rows}: no state is consistent");
        for at in &states {
            let (found, expected) = (results(&opaque, at), results(&inlined, at));
            let largest = expected.iter().fold(1.0_f64, |m, x| m.max(x.abs()));
            assert_eq!(found.len(), expected.len(), "{rows}");
            for (i, (x, y)) in found.iter().zip(&expected).enumerate() {
                assert!((x - y).abs() <= 1e-10 * largest, "{rows} ({formulation:?}): {i} is {x}, not {y}");
            }
        }
    }
}

#[test]
fn opaque_functions_move_as_inlined_ones_in_the_plane() {
    PLANE_ROWS.iter().for_each(|rows| assert_alike("planar", PLANE, rows));
}

#[test]
fn opaque_functions_move_as_inlined_ones_in_space() {
    // Derivatives take most of the time: they are compared for the tree, the loop and the wire, in a landing for the loop.
    let base = SPACE.replace(", jacobians, linearization", "");
    for (i, rows) in SPACE_ROWS.iter().enumerate() {
        assert_alike("spatial", if i == 2 || i % 2 == 0 && is_full_tier() { SPACE } else { &base }, rows);
    }
}

/// The laws at the start that the compiler computes without values of the functions.
#[test]
fn laws_hold_with_functions_in_poses_and_rows_of_the_plane() {
    PLANE_ROWS.iter().for_each(|rows| check_laws(&text("planar", PLANE, rows, OPAQUE)));
}

#[test]
fn laws_hold_with_functions_in_poses_and_rows_of_space() {
    // Derivatives are compared above, and take most of the time.
    let base = SPACE.replace(", jacobians, linearization", "");
    SPACE_ROWS.iter().for_each(|rows| check_laws(&text("spatial", &base, rows, OPAQUE)));
}

/// A bead on a wire of unknown shape stays on it and keeps its energy: 1e-8 with tolerance 1e-10.
#[test]
fn a_bead_on_a_wire_keeps_its_energy() {
    let text = "pub planar Bead {
        gravity: [0, -9.81];
        function wave: opaque(2);
        particle bead { mass: 0.1, position: [0.4, 0.6] }
        constraint wire = position(bead).y == wave(position(bead).x);
        output energy = 0.05 * dot(velocity(bead), velocity(bead)) + 0.981 * position(bead).y;
        output off = position(bead).y - wave(position(bead).x);
        freedoms: 1;
    }";
    let start = std::cell::Cell::new(0.0);
    run_on_every_side(text, 2.0, |_, t, outputs| {
        if t == 0.0 {
            start.set(outputs[0]);
        }
        assert!((outputs[0] - start.get()).abs() < 1e-8 && outputs[1].abs() < 1e-8, "{outputs:?} at {t}");
    });
}
