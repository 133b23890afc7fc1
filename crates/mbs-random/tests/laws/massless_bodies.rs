//! Bodies with negligible mass or none: accelerations are correct or refused, and assembly does not amplify rounding errors.

use mbs_codegen::compile_text;
use mbs_compiler::compile::Options;
use mbs_core::{Error, Mechanism, Pose, State, assemble};
use mbs_model::Formulation;

use crate::every_side::side;

const FORMULATIONS: [Formulation; 3] = [Formulation::Body, Formulation::Joint, Formulation::Natural];

/// Two links in line, the first of much smaller mass m than the second, and a torque τ on the second: the transverse acceleration of the elbow is
/// −τ/m, which cannot be computed from the sum of both masses where m is a rounding error of it. The links are declared at an angle.
#[test]
fn a_link_of_small_mass_in_line_with_a_heavy_one_is_right_or_singular() {
    // A guide on the line constrains the tip, and the elbow can move transversally: a mechanism with rows.
    let guide = "joint guide = point_on_line(ground at [2, 0], second at [1, 0]) { axis: [1, 0] };";
    for closed in ["initial shoulder.angle = 0;", guide] {
        for exponent in 0..=17 {
            let mass = 10f64.powi(-exponent);
            let text = format!(
                "pub planar Light {{
                    param bend = 0.5;
                    body first {{ mass: {mass:e}, com: [1, 0], angle: -0.25 }}
                    body second {{ mass: 1, com: [1, 0], angle: 0.25 }}
                    joint shoulder = revolute(ground, first);
                    joint elbow = revolute(first at [1, 0], second);
                    {closed}
                    initial elbow.angle = bend;
                    force motor = torque(ground, second) {{ torque: 1 }};
                    output across = acceleration(first at [1, 0]).y;
                }}"
            );
            for formulation in FORMULATIONS {
                let mut sides = side(&text, formulation);
                sides.engine.set_parameter("bend", 0.0).expect("it is a parameter");
                sides.compiled.set_parameters(&[0.0]).expect("it is inside its domain");
                let label = format!("{}, mass {mass:e}, {closed}", sides.label);
                assert_right_or_singular(&sides.compiled, mass, &label);
                assert_right_or_singular(&sides.engine, mass, &label);
            }
        }
    }
}

fn assert_right_or_singular<M: Mechanism>(mechanism: &M, mass: f64, label: &str) {
    let (sizes, mut state) = (mechanism.sizes(), State::new(mechanism));
    let (mut a, mut lambda) = (vec![0.0; sizes.n_v], vec![0.0; sizes.n_c]);
    let evaluated =
        assemble(mechanism, &mut state).and_then(|_| mechanism.accelerations(state.view(&[]), &mut a, &mut lambda));
    match evaluated {
        Ok(()) => {
            let mut outputs = vec![0.0; sizes.n_outputs];
            mechanism.outputs(state.view(&[]), &a, &lambda, &mut outputs);
            let miss = (outputs[0] * mass + 1.0).abs();
            // The error by a pivot of 1e-12 of its terms.
            assert!(miss < 1e-2, "{label}: {} instead of {}", outputs[0], -1.0 / mass);
        }
        Err(error) => {
            let is_said = matches!(error, Error::Singular { .. } | Error::NotAssembled { .. });
            assert!(is_said && mass < 1e-9, "{label}: {error}");
        }
    }
}

/// Bodies with inertia and no mass, one of whose translations is constrained by a velocity row only: their declared poses are assembled and kept.
#[test]
fn declared_poses_of_massless_bodies_are_kept() {
    let skid = "pub planar Skid {
        joint kind Polar(a, b, g) { coordinate s; coordinate turn: angle;
            pose { rotation: turn - g * s, translation: [(1 + s) * cos(turn), (1 + s) * sin(turn)] } }
        joint kind Skid(a, b, g) { perpendicular(a.x, b.x);
            constraint blade = rate(dot(position(b) - position(a), a.y))
                == g * dot(position(b) - position(a), a.y) * rate(dot(position(b) - position(a), a.x)); }
        body b0 { inertia: 0.01, com: [-0.05, -0.4], position: [-0.15, 0.19999999999999998], angle: 1.5707963267948966 }
        marker m1 = b0 at [-0.5456036800307177, -0.17679806071278867] { angle: -2.3707963267948964 };
        joint j0 = Skid(ground at [0.1, 0.05], b0 at [0.1, 0]) { g: 0.6 };
        joint j1 = Polar(ground at [-0.2, 0.1], m1) { g: 0.6 };
    }";
    let line = "pub planar Line {
        body b0 { inertia: 0.11, com: [0.05, 0.25], position: [0.0113285243701359, -0.28962297294162714], angle: -1.7 }
        joint j0 = point_on_line(b0 at [-0.2, -0.1], ground) { axis: [1.5, -0.9] };
        constraint e0 = 1.8 * velocity(b0).x + 0.1 * sin(1.8 * velocity(b0).x) == 0.1 * cos(2 * t);
        initial velocity(b0).x ~ 0.1;
    }";
    for (text, declared) in [(skid, [-0.15, 0.2]), (line, [0.0113285243701359, -0.28962297294162714])] {
        for formulation in FORMULATIONS {
            let sides = side(text, formulation);
            assert_pose_is_kept(&sides.compiled, declared, &sides.label);
            assert_pose_is_kept(&sides.engine, declared, &sides.label);
        }
    }
}

fn assert_pose_is_kept<M: Mechanism>(mechanism: &M, declared: [f64; 2], label: &str) {
    let mut state = State::new(mechanism);
    assemble(mechanism, &mut state).unwrap_or_else(|error| panic!("{label}: {error}"));
    let mut poses = [Pose { position: [0.0; 3], attitude: [1.0, 0.0, 0.0, 0.0] }];
    mechanism.poses(state.view(&[]), &mut poses);
    let [x, y, _] = poses[0].position;
    assert!((x - declared[0]).hypot(y - declared[1]) < 1e-9, "{label}: {:?}", poses[0]);
}

/// A body whose mass is in one point can rotate without inertia, in natural coordinates, too, where the masses of its vectors are rounding errors.
#[test]
fn a_body_whose_mass_is_in_one_point_is_refused_where_it_can_rotate() {
    let text = "pub spatial Light {
        gravity: [0, 0, -9.81];
        body point { mass: 1.7, com: [-0.4, 0, -0.15], position: [1.1, 0.4, 0.1], rotation: axis_angle([0.3, -0.4, -0.9], 2.5) }
        joint guide = planar(point at [0.5, -0.35, -0.25], ground) { normal: [-0.1, 0.3, 0.6] };
    }";
    for formulation in FORMULATIONS {
        let options = Options { formulation: Some(formulation), ..Options::default() };
        let refused = compile_text("light.mbs", text, options).err().map(|e| e.to_string()).unwrap_or_default();
        assert!(refused.contains("MBS064"), "{formulation:?}: {refused}");
    }
}

/// At the declared pose, the translation of a massless body in its plane joint has no inertia. In joint coordinates, axes that are composed of two
/// rotations give this translation a mass of 1e-34 kg.
#[test]
fn a_massless_translation_is_refused_up_to_rounding() {
    let text = "pub spatial Light {
        body b0 { inertia: [0.01, 0.01, 0.01], position: [0, 0, 0], rotation: axis_angle([0, 0, 1], 0) }
        body b1 { mass: 0.1, inertia: [0.01, 0.01, 0.01], position: [-0.1, 0, 0], rotation: axis_angle([0, 0, 1], 0) }
        marker m1 = b0 at [0, 0, 0] { rotation: axis_angle([0.2, 0.5, 1], 0.3) };
        marker m2 = m1 at [0, 0, 0] { rotation: transpose(axis_angle([0.2, 0.5, 1], 0.3)) * axis_angle([0, 0, 1], 0) };
        joint j0 = prismatic_revolute(ground, m2) { slide: [0, 1, 0] };
        joint j1 = planar_fixed(b0 at [-0.1, 0, 0], b1) { normal: [1, 0, 0] };
    }";
    for formulation in FORMULATIONS {
        let options = Options { formulation: Some(formulation), ..Options::default() };
        let refused = compile_text("light.mbs", text, options).err().map(|e| e.to_string()).unwrap_or_default();
        assert!(refused.contains("MBS064"), "{formulation:?}: {refused}");
    }
}

/// A massless slider on a rail is constrained by a row that is multiplied by a number: the multipliers of other rows neither depend on the number,
/// nor lose accuracy by it.
#[test]
fn multiplying_a_row_by_a_number_does_not_change_loads_of_others() {
    let text = |factor: f64| {
        format!(
            "pub planar Scaled {{
                gravity: [0, -9.81];
                body rail {{ angle: 0.4 }}
                body slide {{ mass: 1, inertia: 0.02, position: [0.3 * cos(0.4), 0.3 * sin(0.4)], angle: 0.4 }}
                joint hinge = revolute(ground, rail);
                joint guide = prismatic(rail, slide) {{ axis: [1, 0] }};
                constraint rope = {factor:e} * (guide.position - 0.3) == 0;
                force push = point_force(slide at [0.1, 0.2]) {{ force: [3, 1] }};
                output held = reaction(guide).force;
            }}"
        )
    };
    for formulation in FORMULATIONS {
        let exact = loads(&text(1.0), formulation);
        for exponent in [-9, -6, -3, 3, 6, 9] {
            let scaled = loads(&text(10f64.powi(exponent)), formulation);
            for (exact, scaled) in exact.iter().flatten().zip(scaled.iter().flatten()) {
                // Some hundred roundings.
                assert!(
                    (exact - scaled).abs() < 1e-12 * (1.0 + exact.abs()),
                    "{formulation:?}, 1e{exponent}: {scaled} and {exact}"
                );
            }
        }
    }
}

/// Outputs at the start, of the compiler and of the engine.
fn loads(text: &str, formulation: Formulation) -> [Vec<f64>; 2] {
    fn start_outputs<M: Mechanism>(mechanism: &M) -> Vec<f64> {
        let (sizes, mut state) = (mechanism.sizes(), State::new(mechanism));
        assemble(mechanism, &mut state).expect("it is declared closed");
        let (mut a, mut lambda) = (vec![0.0; sizes.n_v], vec![0.0; sizes.n_c]);
        mechanism.accelerations(state.view(&[]), &mut a, &mut lambda).expect("it is regular");
        let mut outputs = vec![0.0; sizes.n_outputs];
        mechanism.outputs(state.view(&[]), &a, &lambda, &mut outputs);
        outputs
    }
    let sides = side(text, formulation);
    [start_outputs(&sides.compiled), start_outputs(&sides.engine)]
}

/// A row s ω = sin t of a wheel, where s is x³ of a cart, or a power of a function of x written in Rust, which the compiler cannot call. The
/// rotation of an arm is massless, so that weights of rows add a mass to it. With I the inertia of the wheel with the arm on its rim and τ the
/// motor's torque, s λ = τ − I ω̇ at rest.
#[test]
fn rows_are_scaled_by_their_size_in_the_state() {
    let cube: fn(f64) -> f64 = |x| x.powi(3);
    let power: fn(f64) -> f64 = |x| ((1.3 * x).sin() + 0.2 * x).powi(15);
    for (function, size, value, starts) in [
        ("", "guide.position.powi(3)", cube, [1e-4, 0.03, 1.0, 30.0]),
        ("function wave: opaque(4);", "wave(guide.position).powi(15)", power, [1.0, 0.3, 3.0, 30.0]),
    ] {
        let declared = starts[0];
        let text = format!(
            "pub planar Weighed {{
                {function}
                param start = {declared};
                body cart {{ mass: 2, inertia: 0.1 }}
                body wheel {{ mass: 1, inertia: 0.2 }}
                body arm {{ mass: 0.5, com: [0.1, 0] }}
                joint guide = prismatic(ground, cart) {{ axis: [1, 0] }};
                joint axle = revolute(ground at [0, 1], wheel);
                joint tip = revolute(wheel at [0.3, 0], arm at [0.1, 0]);
                drive turn = tip.angle == 0.4;
                constraint law = {size} * axle.rate == sin(t);
                force motor = torque(ground, wheel) {{ torque: 1 }};
                initial guide.position = start;
                output moment = {size} * load(law);
            }}"
        );
        for formulation in [Formulation::Body, Formulation::Joint] {
            let mut sides = side(&text, formulation);
            for start in starts {
                sides.engine.set_parameter("start", start).expect("it is a parameter");
                sides.compiled.set_parameters(&[start]).expect("it is inside its domain");
                let expected = 1.0 - (0.2 + 0.5 * 0.09) / value(start);
                for (label, moment) in [("compiled", moment(&sides.compiled)), ("engine", moment(&sides.engine))] {
                    let miss = (moment.abs() - expected.abs()).abs() / expected.abs().max(1.0);
                    assert!(miss < 1e-11, "{} {label}, {start}: {moment} instead of {expected}", sides.label);
                }
            }
        }
    }
}

/// A row s ω = sin t whose size s = 0.0001 + t³ grows with time, in the mechanism of the test above.
#[test]
fn rows_are_scaled_by_their_size_at_the_time() {
    let text = "pub planar Timed {
        body wheel { mass: 1, inertia: 0.2 }
        body arm { mass: 0.5, com: [0.1, 0] }
        joint axle = revolute(ground at [0, 1], wheel);
        joint tip = revolute(wheel at [0.3, 0], arm at [0.1, 0]);
        drive turn = tip.angle == 0.4;
        constraint law = (0.0001 + t.powi(3)) * axle.rate == sin(t);
        force motor = torque(ground, wheel) { torque: 1 };
        output moment = (0.0001 + t.powi(3)) * load(law);
    }";
    for formulation in [Formulation::Body, Formulation::Joint] {
        let sides = side(text, formulation);
        for t in [0.0, 0.5, 3.0, 40.0_f64] {
            let (size, rate) = (1e-4 + t.powi(3), 3.0 * t * t);
            let speed = t.sin() / size;
            let expected = 1.0 - (0.2 + 0.5 * 0.09) * (t.cos() - rate * speed) / size;
            for (label, moment) in
                [("compiled", moment_at(&sides.compiled, t)), ("engine", moment_at(&sides.engine, t))]
            {
                let miss = (moment.abs() - expected.abs()).abs() / expected.abs().max(1.0);
                assert!(miss < 1e-11, "{} {label}, {t}: {moment} instead of {expected}", sides.label);
            }
        }
    }
}

/// A row ε ÿ + 0.3 α = 0 between a falling particle and a wheel: with a pivot ε²/m, the acceleration of the wheel would lose most of its 16 digits.
#[test]
fn small_literals_are_no_pivots() {
    for small in [1e-3, 1e-5, 1e-7] {
        let text = format!(
            "pub planar Small {{
                gravity: [0, -9.81];
                particle p {{ mass: 0.4 }}
                body wheel {{ mass: 1, inertia: 0.04, com: [0.15, 0] }}
                joint axle = revolute(wheel at [0.1, 0.2], ground at [0.3, 0]);
                constraint law = {small:?} * acceleration(p).y + 0.3 * angular_acceleration(wheel) == 0;
                force motor = torque(ground, wheel) {{ torque: 1 }};
                output moment = load(law);
            }}"
        );
        for formulation in [Formulation::Body, Formulation::Joint] {
            let sides = side(&text, formulation);
            let [compiled, engine] = [moment_at(&sides.compiled, 0.0), moment_at(&sides.engine, 0.0)];
            let miss = (compiled - engine).abs() / engine.abs();
            assert!(miss < 1e-12, "{}, {small}: {compiled} instead of {engine}", sides.label);
        }
    }
}

fn moment<M: Mechanism>(mechanism: &M) -> f64 {
    moment_at(mechanism, 0.0)
}

fn moment_at<M: Mechanism>(mechanism: &M, t: f64) -> f64 {
    let (sizes, mut state) = (mechanism.sizes(), State::new(mechanism));
    state.t = t;
    let (mut a, mut lambda) = (vec![0.0; sizes.n_v], vec![0.0; sizes.n_c]);
    assemble(mechanism, &mut state).expect("it assembles");
    mechanism.accelerations(state.view(&[]), &mut a, &mut lambda).expect("it is regular");
    let mut outputs = vec![0.0; sizes.n_outputs];
    mechanism.outputs(state.view(&[]), &a, &lambda, &mut outputs);
    outputs[0]
}
