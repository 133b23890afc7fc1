//! Joints of declared kinds against equivalent built-in kinds: in the tree and closing loops, with either end first, by compiler and engine.

use mbs_compiler::compile::Options;
use mbs_compiler::interp::Fma;
use mbs_core::Mechanism;
use mbs_engine::Engine;
use mbs_interp::Interpreted;
use mbs_model::Formulation;
use mbs_random::state::{OwnedState, Random, assembled, consistent};

/// A declared kind and the built-in kind that it is equivalent to.
struct Twin {
    declared: &'static str,
    kind: &'static str,
    like: &'static str,
    arguments: &'static str,
}

const QUATERNION: &str = "coordinate q: quaternion; speed u: [3];
    kinematics: [
        -(q[1] * u[0] + q[2] * u[1] + q[3] * u[2]) / 2,
        (q[0] * u[0] - q[3] * u[1] + q[2] * u[2]) / 2,
        (q[3] * u[0] + q[0] * u[1] - q[1] * u[2]) / 2,
        (-q[2] * u[0] + q[1] * u[1] + q[0] * u[2]) / 2,
    ];";

const fn twin(declared: &'static str, kind: &'static str, like: &'static str, arguments: &'static str) -> Twin {
    Twin { declared, kind, like, arguments }
}

/// The mobilizers of Simbody's guide.
const SPACE: &[Twin] = &[
    twin("coordinate turn: angle; pose { rotation: [0, 0, turn] }", "Pin", "revolute", ""),
    twin("coordinate s; pose { translation: [s, 0, 0] }", "Slider", "prismatic", "{ axis: [1, 0, 0] }"),
    twin("coordinate a: angle; coordinate b: angle; pose { rotation: [a, b, 0] }", "Universal", "universal", ""),
    twin(
        "coordinate s; coordinate turn: angle; pose { rotation: [0, 0, turn], translation: [0, 0, s] }",
        "Cylinder",
        "cylindrical",
        "",
    ),
    twin(
        "coordinate turn: angle; coordinate s; pose { rotation: [0, 0, turn], translation: [s * cos(turn), s * sin(turn), 0] }",
        "BendStretch",
        "bend_stretch",
        "",
    ),
    twin("coordinate q: [3]; pose { rotation: q }", "Gimbal", "gimbal", ""),
    twin("coordinate p: [3]; pose { translation: p }", "Translation", "translation", ""),
    twin(
        "coordinate turn: angle; pose { rotation: [0, 0, turn], translation: [0, 0, 0.3 * turn / TAU] }",
        "Screw",
        "screw",
        "{ pitch: 0.3 }",
    ),
    twin(
        "coordinate turn: angle; pose { rotation: [turn, 0, 0], axes: [[0.6, 0, 0.8], [0, 1, 0], [0, 0, 1]] }",
        "Tilted",
        "revolute",
        "{ axis: [0.6, 0, 0.8] }",
    ),
    twin("BALL pose { rotation: quaternion(q) }", "Ball", "spherical", ""),
    twin("coordinate p: [3]; FLOAT pose { rotation: quaternion(q), translation: p }", "Free", "free", ""),
    twin(
        "BALL pose { rotation: quaternion(q), translation: [0.3 * quaternion(q).z.x, 0.4 * quaternion(q).z.y, 0.5 * quaternion(q).z.z] }",
        "Ellipsoid",
        "ellipsoid",
        "{ radii: [0.3, 0.4, 0.5] }",
    ),
    // The guide's first examples of custom mobilizers, with compositions of the same degrees of freedom.
    twin(
        "coordinate s; coordinate turn: angle; pose { rotation: [0, turn, 0], translation: [s, 0, 0] }",
        "SlideTurn",
        "prismatic_revolute",
        "{ slide: [1, 0, 0], axis: [0, 1, 0] }",
    ),
];

fn text_of_space(kind: &str, declared: &str, arguments: &str, reversed: bool) -> String {
    let ends = if reversed { "rod at [-0.3, 0.05, 0.02], arm at far" } else { "arm at far, rod at [-0.3, 0.05, 0.02]" };
    let ends = ends.replace("arm at far", "arm at [0.4, 0.1, -0.05]");
    format!(
        "pub spatial Twins {{
            gravity: [0.3, -0.2, -9.81];
            {declared}
            body arm {{ mass: 1.2, inertia: [0.05, 0.04, 0.06], com: [0.2, 0.03, 0.01] }}
            body rod {{ mass: 0.8, inertia: [0.04, 0.03, 0.05], com: [0.1, -0.02, 0.03] }}
            joint base = gimbal(ground, arm);
            joint end = {kind}({ends}) {arguments};
            force pull = spring_damper(ground at [1, 1, 1], rod at [0.1, 0.2, 0.3]) {{ stiffness: 20, damping: 0.3, free_length: 0.4 }};
            output place = position(rod at [0.1, 0.2, 0.3]);
            output turning = angular_velocity(rod);
            output speed = velocity(rod);
            output held = reaction(end).force;
            output moment = reaction(end).torque;
        }}"
    )
}

/// Planar kinds; the last have no built-in equivalent, and are compared with an equivalent declaration.
const PLANE: &[Twin] = &[
    twin("coordinate turn: angle; pose { rotation: turn }", "Pin", "revolute", ""),
    twin("coordinate s; pose { translation: [0.6 * s, 0.8 * s] }", "Slider", "prismatic", "{ axis: [0.6, 0.8] }"),
    twin("coordinate p: [2]; coordinate turn: angle; pose { rotation: turn, translation: p }", "Free", "free", ""),
    twin(
        "coordinate s; coordinate turn: angle; pose { rotation: turn, translation: [s * cos(turn), s * sin(turn)] }",
        "Polar",
        "",
        "",
    ),
    twin(
        "coordinate turn: angle; pose { rotation: 1.2 * turn + 0.1 * turn.powi(2), translation: [0.1 * turn.powi(2), 0.05 * sin(2 * turn)] }",
        "Knee",
        "",
        "",
    ),
    twin("coordinate s; pose { translation: [s, 0.3 * s.powi(2)] }", "Track", "", ""),
];

fn text_of_plane(kind: &str, declared: &str, arguments: &str, reversed: bool) -> String {
    let ends =
        if reversed { "rod at [-0.3, 0.05], arm at [0.4, 0.1]" } else { "arm at [0.4, 0.1], rod at [-0.3, 0.05]" };
    format!(
        "pub planar Twins {{
            gravity: [0.3, -9.81];
            joint kind Swing(f, m) {{ coordinate turn: angle; pose {{ rotation: turn }} }}
            {declared}
            body arm {{ mass: 1.2, inertia: 0.05, com: [0.2, 0.03] }}
            body rod {{ mass: 0.8, inertia: 0.04, com: [0.1, -0.02] }}
            body tip {{ mass: 0.3, inertia: 0.01, com: [0.05, 0.01] }}
            joint base = Swing(ground, arm);
            joint end = {kind}({ends}) {arguments};
            joint wrist = Swing(rod at [0.2, 0.1], tip);
            force pull = spring_damper(ground at [1, 1], tip at [0.1, 0.2]) {{ stiffness: 20, damping: 0.3, free_length: 0.4 }};
            output place = position(tip at [0.1, 0.2]);
            output turning = rate(rod);
            output speed = velocity(tip);
            output held = reaction(end).force;
            output moment = reaction(end).torque;
        }}"
    )
}

fn texts(twin: &Twin, reversed: bool) -> [String; 2] {
    let declared = twin.declared.replace("BALL", QUATERNION);
    let floating = QUATERNION
        .replace("speed u", "speed w: [3]; speed u")
        .replace("kinematics: [", "kinematics: [w[0], w[1], w[2],");
    let declared = declared.replace("FLOAT", &floating);
    let definition = format!("joint kind {}(f, m) {{ {declared} }}", twin.kind);
    if PLANE.iter().any(|other| std::ptr::eq(other, twin)) {
        let declared = text_of_plane(twin.kind, &definition, "", reversed);
        let like = if twin.like.is_empty() {
            declared.clone()
        } else {
            text_of_plane(twin.like, "", twin.arguments, reversed)
        };
        return [declared, like];
    }
    [text_of_space(twin.kind, &definition, "", reversed), text_of_space(twin.like, "", twin.arguments, reversed)]
}

/// Accelerations, outputs and energies at a state.
fn results<M: Mechanism>(mechanism: &M, at: &OwnedState) -> Vec<f64> {
    let sizes = mechanism.sizes();
    let (mut a, mut lambda, mut outputs) = (vec![0.0; sizes.n_v], vec![0.0; sizes.n_c], vec![0.0; sizes.n_outputs]);
    mechanism.accelerations(at.view(), &mut a, &mut lambda).unwrap_or_else(|error| panic!("{error} at {at:?}"));
    mechanism.outputs(at.view(), &a, &lambda, &mut outputs);
    let energy = mechanism.energy(at.view());
    a.into_iter().chain(outputs).chain([energy.kinetic, energy.potential]).collect()
}

/// 1e-10 of the largest value: different formulas for one motion.
fn assert_near(label: &str, found: &[f64], expected: &[f64]) {
    let largest = expected.iter().fold(1.0_f64, |largest, x| largest.max(x.abs()));
    assert_eq!(found.len(), expected.len(), "{label}");
    for (i, (x, y)) in found.iter().zip(expected).enumerate() {
        assert!((x - y).abs() <= 1e-10 * largest, "{label}: {i} is {x}, not {y}");
    }
}

fn interpret(label: &str, text: &str, formulation: Formulation) -> Interpreted {
    let options = Options { formulation: Some(formulation), ..Options::default() };
    let compiled = mbs_codegen::compile_text(label, text, options);
    let compiled = compiled.unwrap_or_else(|failure| panic!("{label}: {failure}")).remove(0).0;
    Interpreted::new(compiled, Fma::Plain).expect("default parameters are inside their domains")
}

fn engine(label: &str, text: &str, formulation: Formulation) -> Engine {
    Engine::options().formulation(formulation).text(text).unwrap_or_else(|failure| panic!("{label}: {failure}"))
}

/// The state of one mechanism in the order of another: links of a reversed joint are in reverse order.
fn reordered_state(from: &Interpreted, to: &Interpreted, at: &OwnedState) -> OwnedState {
    let [from, to] = [from, to].map(|mechanism| &mechanism.compiled().tree);
    let q = to.interface.iter().map(|c| at.q[from.interface.iter().position(|o| o == c).expect("both have it")]);
    let v = to.speeds.iter().map(|c| at.v[from.speeds.iter().position(|o| o == c).expect("both have it")]);
    OwnedState { q: q.collect(), v: v.collect(), ..at.clone() }
}

/// Accelerations, which come first, in the order of another mechanism.
fn ordered(from: &Interpreted, to: &Interpreted, found: Vec<f64>) -> Vec<f64> {
    let [from, to] = [from, to].map(|mechanism| &mechanism.compiled().tree);
    let first = to.speeds.iter().map(|c| found[from.speeds.iter().position(|o| o == c).expect("both have it")]);
    first.chain(found[from.speeds.len()..].iter().copied()).collect()
}

/// In joint coordinates both mechanisms have equal coordinates.
#[test]
fn declared_kinds_move_as_their_twins_in_joint_coordinates() {
    for twin in PLANE.iter().chain(SPACE) {
        for reversed in [false, true] {
            let [declared, like] = texts(twin, reversed);
            let label = format!("{}, reversed {reversed}", twin.kind);
            let run = engine(&label, &declared, Formulation::Joint);
            let declared = interpret(&label, &declared, Formulation::Joint);
            let like = interpret(&label, &like, Formulation::Joint);
            assert_eq!((declared.sizes().n_q, declared.sizes().n_v), (like.sizes().n_q, like.sizes().n_v), "{label}");
            let start = assembled(&like).expect("it assembles");
            for at in consistent(&like, &start, 6, &mut Random::new(5)) {
                let expected = results(&like, &at);
                let at = reordered_state(&like, &declared, &at);
                let order = |found: Vec<f64>| ordered(&declared, &like, found);
                assert_near(&label, &order(results(&declared, &at)), &expected);
                assert_near(&format!("{label}, engine"), &order(results(&run, &at)), &expected);
            }
        }
    }
}

/// A coordinate of the tree in one formulation is an unknown with rows in the other: both joints are of declared kinds here, so that a state in
/// body coordinates contains the coordinates of the joints.
#[test]
fn declared_kinds_close_loops_as_they_span_trees() {
    for (i, twin) in PLANE.iter().chain(SPACE).enumerate() {
        for reversed in [i % 2 == 0] {
            let [text, _] = texts(twin, reversed);
            let swing = "joint kind Swing(f, m) { coordinate q: [3]; pose { rotation: q } } joint base = Swing(";
            let text = text.replace("joint base = gimbal(", swing);
            let label = format!("{}, reversed {reversed}", twin.kind);
            let [joint, body] =
                [Formulation::Joint, Formulation::Body].map(|formulation| interpret(&label, &text, formulation));
            let run = engine(&label, &text, Formulation::Body);
            let start = assembled(&body).unwrap_or_else(|error| panic!("{label}: {error}"));
            for at in consistent(&body, &start, 4, &mut Random::new(7)) {
                let expected = results(&joint, &reordered_state(&body, &joint, &at));
                assert_near(&label, &ordered(&body, &joint, results(&body, &at)), &expected);
                assert_near(&format!("{label}, engine"), &ordered(&body, &joint, results(&run, &at)), &expected);
            }
        }
    }
}

/// Coordinates of a joint are fitted to a declared pose, to 1e-9 of the values from which the pose was computed, in the tree and in a loop.
#[test]
fn coordinates_are_fitted_to_declared_poses() {
    let plane = "planar Leg {
        joint kind Knee(f, m) { coordinate turn: angle; pose { rotation: 1.2 * turn, translation: [0.1 * turn.powi(2), -0.4 + 0.05 * sin(turn)] } }
        body shank { mass: 1, inertia: 1, position: [0.1 * 0.49, -0.4 + 0.05 * sin(-0.7)], angle: -0.84 }
        joint knee = Knee(ground, shank); output turn = knee.turn; }";
    let space = "spatial Leg {
        joint kind Slope(f, m) { coordinate s = 0.1; coordinate turn: angle; pose { rotation: [0, turn, 0.5 * s], translation: [s, s * turn, 0] } }
        body sled { mass: 1, inertia: [1, 1, 1], position: [0.3, 0.3 * 0.4, 0],
            rotation: axis_angle([0, 1, 0], 0.4) * axis_angle([0, 0, 1], 0.15) }
        joint way = Slope(ground, sled); output s = way.s; output turn = way.turn; }";
    for (text, expected) in [(plane, vec![-0.7]), (space, vec![0.3, 0.4])] {
        for formulation in [Formulation::Joint, Formulation::Body] {
            let mechanism = interpret("fitted", text, formulation);
            let start = assembled(&mechanism).expect("it assembles");
            let sizes = mechanism.sizes();
            let mut outputs = vec![0.0; sizes.n_outputs];
            mechanism.outputs(start.view(), &vec![0.0; sizes.n_v], &vec![0.0; sizes.n_c], &mut outputs);
            for (found, expected) in outputs.iter().zip(&expected) {
                assert!((found - expected).abs() < 1e-9, "{formulation:?}: {outputs:?}");
            }
        }
    }
}

/// Declared kinds may occur in parts, have arguments in loops, and be connected by gears; their speeds can be outputs.
#[test]
fn declared_kinds_are_used_like_any_other() {
    let text = "spatial Used {
        gravity: [0, 0, -9.81];
        part finger(palm, reach) {
            joint kind Curl(f, m, gain) { coordinate bend: angle; pose { rotation: [0, gain * bend, 0], translation: [reach, 0, 0] } }
            body bone { mass: 0.1, inertia: [1e-4, 1e-4, 1e-4], com: [0.02, 0, 0] }
            joint knuckle = Curl(palm, bone) { gain: 1.5 };
        }
        joint kind Socket(f, m) {
            coordinate q: quaternion; speed u: [3];
            kinematics: [
                -(q[1] * u[0] + q[2] * u[1] + q[3] * u[2]) / 2, (q[0] * u[0] - q[3] * u[1] + q[2] * u[2]) / 2,
                (q[3] * u[0] + q[0] * u[1] - q[1] * u[2]) / 2, (-q[2] * u[0] + q[1] * u[1] + q[0] * u[2]) / 2,
            ];
            pose { rotation: quaternion(q) }
        }
        body hand { mass: 0.5, inertia: [1e-3, 1e-3, 1e-3], com: [0.05, 0, 0] }
        joint wrist = Socket(ground, hand);
        const N = 2;
        for i in 0..N { part f[i] = finger(hand at [0.08, 0.03 * i, 0], 0.01 * (i + 1)); }
        joint linked = gear(f[0].knuckle, f[1].knuckle) { ratio: 2 };
        output turning = wrist.u;
        output seen = angular_velocity(hand) in hand;
        output bends = [f[0].knuckle.bend, f[1].knuckle.bend];
    }";
    for formulation in [Formulation::Joint, Formulation::Body] {
        let mechanism = interpret("used", text, formulation);
        let start = assembled(&mechanism).expect("it assembles");
        for at in consistent(&mechanism, &start, 5, &mut Random::new(3)) {
            let found = results(&mechanism, &at);
            let outputs = &found[found.len() - 10..found.len() - 2];
            let same = |k: usize| (outputs[k] - outputs[3 + k]).abs() < 1e-10;
            assert!((0..3).all(same), "{formulation:?}: {outputs:?}");
            assert!((outputs[6] - 2.0 * outputs[7]).abs() < 1e-10, "{formulation:?}: {outputs:?}");
        }
    }
}
