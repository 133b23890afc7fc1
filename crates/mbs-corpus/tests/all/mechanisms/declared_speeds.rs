//! Speeds at the start from declared velocities and angular velocities, through joints of any kind, against closed forms: compiled and in
//! the engine, in both formulations.

use mbs::Mechanism;
use mbs_check::guessed_start;
use mbs_compiler::compile::Compiled;
use mbs_definition::Space;
use mbs_engine::Engine;
use mbs_expr::{BodyId, Series};
use mbs_model::{BodyKind, Model};
use mbs_physics::{Mechanics, Tree, Variables, default_variables};

use crate::mechanisms::harness::{
    FORMULATIONS, Random, assembled, compiled_fma, corpus, files, interpret, seed, size, stem_of,
};

/// Poses are fitted to 1e-14, speeds solved to rounding: 1e-12 of numbers of the size of one.
const TOLERANCE: f64 = 1e-12;

/// All outputs at the assembled start.
fn outputs<M: Mechanism>(label: &str, mechanism: &M) -> Vec<f64> {
    let (state, sizes) = (assembled(label, mechanism), mechanism.sizes());
    let (mut a, mut lambda, mut outputs) = (vec![0.0; sizes.n_v], vec![0.0; sizes.n_c], vec![0.0; sizes.n_outputs]);
    mechanism.accelerations(state.view(&[]), &mut a, &mut lambda).expect("a regular state");
    mechanism.outputs(state.view(&[]), &a, &lambda, &mut outputs);
    outputs
}

fn assert_close(label: &str, found: &[f64], expected: &[f64]) {
    assert_eq!(found.len(), expected.len(), "{label}");
    let close = found.iter().zip(expected).all(|(x, y)| (x - y).abs() <= TOLERANCE);
    assert!(close, "{label}\nfound {found:?}\nexpected {expected:?}");
}

/// The outputs of a text at the start, one after another.
fn assert_starts(text: &str, expected: &[f64]) {
    for formulation in FORMULATIONS {
        let compiled = interpret("declared", text, Some(formulation), compiled_fma());
        assert_close(&format!("{text}\n{formulation:?}"), &outputs(text, &compiled), expected);
        let engine = Engine::options().formulation(formulation).text(text).unwrap_or_else(|e| panic!("{text}: {e}"));
        assert_close(&format!("{text}\n{formulation:?}, engine"), &outputs(text, &engine), expected);
    }
}

fn planar(items: &str) -> String {
    format!("pub planar M {{ gravity: [0, -9.81]; {items} }}")
}

fn spatial(items: &str) -> String {
    format!("pub spatial M {{ gravity: [0, 0, -9.81]; {items} }}")
}

#[test]
fn a_pin_rotates_at_the_declared_rate() {
    let text = planar(
        "body arm { mass: 1, inertia: 0.1, com: [0.5, 0], angle: 0.3, rate: 2 }
        joint pin = revolute(ground, arm);
        output rate = pin.rate; output tip = velocity(arm at [1, 0]);",
    );
    let (s, c) = 0.3_f64.sin_cos();
    assert_starts(&text, &[2.0, -2.0 * s, 2.0 * c]);
}

#[test]
fn rates_pass_along_a_chain_and_through_a_loop() {
    let text = planar(
        "body arm { mass: 1, inertia: 0.1, com: [0.5, 0], angle: 0.3 }
        body hand { mass: 1, inertia: 0.1, angle: 1, rate: -1.5 }
        body cart { mass: 1, inertia: 0.1, velocity: [0.4, 0] }
        joint shoulder = revolute(ground, arm);
        joint wrist = revolute(arm at [1, 0], hand);
        joint rail = prismatic(ground at [0, -2], cart) { axis: [1, 0] };
        initial shoulder.rate = 0.5;
        output wrist = wrist.rate; output rail = rail.speed;",
    );
    assert_starts(&text, &[-2.0, 0.4]);
    // A parallelogram: both cranks rotate at one rate, the coupler does not rotate.
    let text = planar(
        "body left { mass: 1, inertia: 0.1, angle: 1 }
        body right { mass: 1, inertia: 0.1, angle: 1, rate: 3 }
        body bar { mass: 1, inertia: 0.1 }
        joint a = revolute(ground, left);
        joint b = revolute(left at [0.5, 0], bar);
        joint c = revolute(bar at [1, 0], right at [0.5, 0]);
        joint d = revolute(right, ground at [1, 0]);
        initial a.angle = 1;
        output left = rate(left); output bar = rate(bar); output moves = velocity(bar);",
    );
    let (s, c) = 1.0_f64.sin_cos();
    assert_starts(&text, &[3.0, 0.0, -1.5 * s, 1.5 * c]);
}

#[test]
fn conditions_of_more_authority_exclude_rates() {
    let text = planar(
        "param w = 4;
        body arm { mass: 1, inertia: 0.1, com: [0.5, 0], rate: 7 }
        body disc { mass: 1, inertia: 0.1, rate: 7 }
        body wheel { mass: 1, inertia: 0.1, velocity: [1, 2], rate: w / 2 }
        body ball { mass: 1, inertia: 0.1, velocity: [1, 0], rate: 5, position: [0, 0.5] }
        joint pin = revolute(ground, arm);
        joint axle = revolute(ground, disc);
        joint loose = free(ground, wheel);
        joint ground_of = free(ground, ball);
        drive spin = pin.angle == 3 * t;
        constraint rolls = velocity(ball at com).x + 0.5 * rate(ball) == 0;
        initial axle.rate ~ 6;
        output rates = [rate(arm), rate(disc), rate(wheel), rate(ball)];
        output velocities = velocity(wheel) + velocity(ball);",
    );
    assert_starts(&text, &[3.0, 6.0, 2.0, -2.0, 2.0, 2.0]);
}

/// Position of a body of a declared kind, and its derivative, at the coordinate s.
fn curve(s: f64) -> ([f64; 2], [f64; 2]) {
    ([0.2 * s.sin(), 0.1 * s * s], [0.2 * s.cos(), 0.2 * s])
}

#[test]
fn a_declared_planar_kind_is_fitted_by_its_rotation_and_translation() {
    let (turn, rate) = (0.4, 1.5);
    let ([x, y], [dx, dy]) = curve(turn);
    let text = |guess: &str| {
        planar(&format!(
            "joint kind Knee(a, b) {{
                coordinate bend: angle;
                pose {{ rotation: 2 * bend, translation: [0.2 * sin(bend), 0.1 * bend * bend] }}
            }}
            body shank {{ mass: 1, inertia: 0.1, com: [0.3, 0], position: [{x}, {y}], angle: {}, {guess} }}
            joint knee = Knee(ground, shank);
            output rates = [rate(knee.bend), rate(shank)];
            output velocity = velocity(shank);",
            2.0 * turn
        ))
    };
    let expected = [rate, 2.0 * rate, dx * rate, dy * rate];
    assert_starts(&text(&format!("rate: {}", 2.0 * rate)), &expected);
    assert_starts(&text(&format!("velocity: [{}, {}]", dx * rate, dy * rate)), &expected);
    assert_starts(&text(&format!("velocity: [{}, {}], rate: {}", dx * rate, dy * rate, 2.0 * rate)), &expected);
}

/// R_x(a).
fn about_x(a: f64, [x, y, z]: [f64; 3]) -> [f64; 3] {
    let (s, c) = a.sin_cos();
    [x, c * y - s * z, s * y + c * z]
}

/// R_y(b).
fn about_y(b: f64, [x, y, z]: [f64; 3]) -> [f64; 3] {
    let (s, c) = b.sin_cos();
    [c * x + s * z, y, c * z - s * x]
}

fn sum(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [0, 1, 2].map(|k| a[k] + b[k])
}

const BODY: &str = "mass: 2, inertia: [0.02, 0.03, 0.01], com: [0, 0, -0.2]";

#[test]
fn a_ball_rotates_at_the_declared_angular_velocity() {
    for attitude in ["quaternion", "mrp", "rodrigues", "vector", "euler(xyz)"] {
        let text = spatial(&format!(
            "body arm {{ {BODY}, attitude: {attitude}, rotation: euler(xyz, [0.3, 0.4, 0]), angular_velocity: [0.5, -1, 2] }}
            joint ball = spherical(ground, arm);
            output turning = angular_velocity(arm); output own = ball.u;"
        ));
        // In the body's axes: R_y(−0.4) R_x(−0.3) ω.
        let omega = [0.5, -1.0, 2.0];
        let speeds = about_y(-0.4, about_x(-0.3, omega));
        assert_starts(&text, &[omega, speeds].concat());
    }
}

#[test]
fn a_universal_joint_and_a_gimbal_turn_as_declared() {
    let (a, b, [p, q, r]) = (0.3, 0.4, [1.5, -0.7, 0.9]);
    let omega = sum([p, 0.0, 0.0], about_x(a, [0.0, q, 0.0]));
    let text = |guess: [f64; 3], items: &str| {
        spatial(&format!(
            "body fork {{ {BODY}, rotation: euler(xyz, [{a}, {b}, 0]), angular_velocity: {guess:?} }} {items}
            output turning = angular_velocity(fork);"
        ))
    };
    let universal = "joint cardan = universal(ground, fork); output rates = cardan.u;";
    assert_starts(&text(omega, universal), &[&[p, q], &omega[..]].concat());
    let with_spin = sum(omega, about_x(a, about_y(b, [0.0, 0.0, r])));
    let gimbal = "joint head = gimbal(ground, fork); output rates = head.u;";
    assert_starts(&text(with_spin, gimbal), &[[p, q, r], with_spin].concat());
}

#[test]
fn what_floats_takes_both_velocities_in_either_axes() {
    for speeds in ["world", "body"] {
        let text = spatial(&format!(
            "body sat {{ {BODY}, velocity: {speeds}, rotation: euler(xyz, [0.3, 0.4, 0]), angular_velocity: [1, 2, 3] }}
            joint base = free(ground, sat);
            initial velocity(sat) ~ [0.5, 0, -1];
            output velocity = velocity(sat); output turning = angular_velocity(sat);"
        ));
        assert_starts(&text, &[0.5, 0.0, -1.0, 1.0, 2.0, 3.0]);
    }
}

#[test]
fn a_declared_kind_with_speeds_of_its_own_turns_as_declared() {
    let (axes, reach) = (about_x(0.3, about_y(0.4, [0.0, 0.0, 1.0])), 0.03);
    let omega = [0.5, -1.0, 2.0];
    let text = spatial(&format!(
        "joint kind Socket(cup, ball) {{
            coordinate q: quaternion;
            speed u: [3];
            kinematics: [
                -(q[1] * u[0] + q[2] * u[1] + q[3] * u[2]) / 2,
                (q[0] * u[0] - q[3] * u[1] + q[2] * u[2]) / 2,
                (q[3] * u[0] + q[0] * u[1] - q[1] * u[2]) / 2,
                (-q[2] * u[0] + q[1] * u[1] + q[0] * u[2]) / 2,
            ];
            pose {{ rotation: quaternion(q), translation: [{reach} * quaternion(q).z.x, {reach} * quaternion(q).z.y, 0] }}
        }}
        body arm {{ {BODY}, position: [{}, {}, 0], rotation: euler(xyz, [0.3, 0.4, 0]), angular_velocity: {omega:?} }}
        joint shoulder = Socket(ground, arm);
        output own = shoulder.u; output turning = angular_velocity(arm); output velocity = velocity(arm);",
        reach * axes[0],
        reach * axes[1],
    ));
    // Speeds are ω in body axes; the point follows the ball's z axis, whose rate is ω × z.
    let speeds = about_y(-0.4, about_x(-0.3, omega));
    let [x, y, z] = axes;
    let slides = [reach * (omega[1] * z - omega[2] * y), reach * (omega[2] * x - omega[0] * z), 0.0];
    assert_starts(&text, &[speeds, omega, slides].concat());
}

#[test]
fn turning_that_a_joint_does_not_allow_is_met_as_far_as_it_goes() {
    let text = spatial(&format!(
        "body arm {{ {BODY}, angular_velocity: [0, 0, 2] }}
        body stiff {{ {BODY}, angular_velocity: [1, 2, 3] }}
        joint pin = revolute(ground, arm) {{ axis: [0, 0, 1] }};
        joint held = translation(ground, stiff);
        output turning = angular_velocity(arm) + angular_velocity(stiff);"
    ));
    assert_starts(&text, &[0.0, 0.0, 2.0]);
}

/// Velocity and angular velocity of every body at interface coordinates and speeds.
fn motion(model: &Model, tree: &Tree, q: &[f64], v: &[f64]) -> Vec<[[f64; 3]; 2]> {
    let variables = || Variables { t: Series::linear(0.0, 1.0), ..default_variables::<4>(model, tree) };
    let moving = match model.space {
        Space::Planar => {
            let [q, v] = [q, v].map(|x| x.iter().map(|x| Series::constant(*x)).collect::<Vec<Series<4>>>());
            let q = Mechanics::planar_path(model, tree, &variables(), &q, &v, 1);
            Mechanics::at_interface_coordinates(model, tree, variables(), &q)
        }
        Space::Spatial => {
            let still: Vec<Series<4>> = q.iter().map(|q| Series::constant(*q)).collect();
            let v: Vec<Series<4>> = v.iter().map(|v| Series::constant(*v)).collect();
            let at_rest = Mechanics::at_interface_coordinates(model, tree, variables(), &still);
            let solver = at_rest.spatial().state.solver_speeds(tree, &v);
            Mechanics::spatial_motion(model, tree, variables(), q, &solver)
        }
    };
    let motion_of = |(b, body): (usize, &mbs_model::Body)| {
        let omega = match body.kind {
            BodyKind::Particle => [0.0; 3],
            BodyKind::Rigid => moving.angular_velocity(BodyId(b as u32)).map(|w| w.value()).0,
        };
        [moving.marker_point(body.origin_marker).map(|x| x.derivative(1)).0, omega]
    };
    model.bodies.iter().enumerate().map(motion_of).collect()
}

/// The model with declared motions of all its bodies, and no other guesses or conditions of speeds.
fn declaring(model: &Model, motions: &[[[f64; 3]; 2]]) -> Model {
    let mut model = model.clone();
    model.start.conditions.clear();
    for (body, motion) in model.bodies.iter_mut().zip(motions) {
        let [velocity, omega] = motion.map(|v| v.map(|x| model.exprs.constant(x)));
        body.velocity = Some(velocity);
        body.angular_velocity = (body.kind == BodyKind::Rigid).then_some(omega);
    }
    model
}

/// Declared motions are fitted as far as rows allow; the resulting motions, when declared, are reproduced to 1e-9, for ill-conditioned poses.
#[test]
fn motions_that_rows_allow_are_found_again_on_all_mechanisms() {
    let (mut tried, mut moving) = (0, 0);
    for path in files() {
        for formulation in FORMULATIONS {
            let stem = stem_of(&path);
            let Compiled { model, tree, checked, .. } = corpus(&stem, formulation, compiled_fma()).compiled();
            if !model.functions.is_empty() || model.jacobian_reads_speeds() {
                continue;
            }
            let mut random = Random::new(seed(&stem));
            let mut any = || std::array::from_fn(|_| std::array::from_fn(|_| random.next_number()));
            let anything: Vec<[[f64; 3]; 2]> = model.bodies.iter().map(|_| any()).collect();
            let first = guessed_start(&declaring(model, &anything), tree, &checked.assembled).speeds;
            let motions = motion(model, tree, &checked.q, &first);
            let second = guessed_start(&declaring(model, &motions), tree, &checked.assembled).speeds;
            let again = motion(model, tree, &checked.q, &second);
            let label = format!("{stem} ({formulation:?})");
            let flat = |motions: &[[[f64; 3]; 2]]| motions.as_flattened().as_flattened().to_vec();
            let miss = flat(&motions).iter().zip(flat(&again)).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(miss <= 1e-9 * (1.0 + size(&first)), "{label}: {miss:e}\n{first:?}\n{second:?}");
            tried += 1;
            moving += usize::from(size(&flat(&motions)) > 1e-3);
        }
    }
    assert!(tried > 50 && 10 * moving > 8 * tried, "{moving} of {tried} move");
}
