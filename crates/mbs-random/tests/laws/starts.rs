//! The start of a run at other parameters than the defaults is that of a text with these numbers, in every formulation, for compiler and engine.

use mbs_core::{Mechanism, State, assemble};
use mbs_model::Formulation;

use crate::every_side::{Sides, side};

const FORMULATIONS: [Formulation; 3] = [Formulation::Body, Formulation::Joint, Formulation::Natural];

/// Outputs at the start of a run.
fn outputs<M: Mechanism>(mechanism: &M, label: &str) -> Vec<f64> {
    let (sizes, mut state) = (mechanism.sizes(), State::new(mechanism));
    assemble(mechanism, &mut state).unwrap_or_else(|error| panic!("{label}: {error}"));
    let (mut a, mut lambda) = (vec![0.0; sizes.n_v], vec![0.0; sizes.n_c]);
    mechanism.accelerations(state.view(&[]), &mut a, &mut lambda).unwrap_or_else(|error| panic!("{label}: {error}"));
    let mut outputs = vec![0.0; sizes.n_outputs];
    mechanism.outputs(state.view(&[]), &a, &lambda, &mut outputs);
    outputs
}

/// Outputs at the start of runs with other values of the first parameters: compiled and engine.
fn start_outputs(sides: &mut Sides, parameters: &[f64]) -> [Vec<f64>; 2] {
    let mut all = sides.compiled.parameters().to_vec();
    all[..parameters.len()].copy_from_slice(parameters);
    sides.engine.set_parameters(&all).expect("they are inside their domains");
    sides.compiled.set_parameters(&all).expect("they are inside their domains");
    [outputs(&sides.compiled, &sides.label), outputs(&sides.engine, &sides.label)]
}

/// Asserts the outputs at the start for other values of the first parameters. 1e-12: the error of Newton's method.
#[track_caller]
fn assert_starts(text: &str, parameters: &[f64], expected: &[f64]) {
    for formulation in FORMULATIONS {
        let mut sides = side(text, formulation);
        let declared = outputs(&sides.compiled, &sides.label);
        for (side, found) in ["compiled", "engine"].into_iter().zip(start_outputs(&mut sides, parameters)) {
            let is_near = |(x, y): (&f64, &f64)| (x - y).abs() <= 1e-12 * y.abs().max(1.0);
            let agrees = found.len() == expected.len() && found.iter().zip(expected).all(is_near);
            assert!(agrees, "{side}, {}: {found:?} instead of {expected:?}, {declared:?} by default", sides.label);
        }
    }
}

#[test]
fn position_and_velocity_of_a_thrown_ball_follow_parameters() {
    let planar = "pub planar Ball {
        param height = 3;
        param speed = 2;
        gravity: [0, -9.81];
        particle ball { mass: 1, position: [0.5, height], velocity: [speed, 2 * speed] }
        joint base = free(ground, ball);
        output place = position(ball);
        output fast = velocity(ball);
    }";
    assert_starts(planar, &[1.0, 5.0], &[0.5, 1.0, 5.0, 10.0]);
    let spatial = planar
        .replace("planar", "spatial")
        .replace("[0, -9.81]", "[0, 0, -9.81]")
        .replace("[0.5, height]", "[0.5, 0, height]")
        .replace("[speed, 2 * speed]", "[speed, 0, 2 * speed]");
    assert_starts(&spatial, &[1.0, 5.0], &[0.5, 0.0, 1.0, 5.0, 0.0, 10.0]);
}

#[test]
fn a_body_without_a_declared_pose_starts_at_the_origin_for_any_centre_of_mass() {
    let planar = "pub planar Bar {
        param reach = 0.3;
        gravity: [0, -9.81];
        body bar { mass: 1.5, inertia: 0.2, com: [reach, 0] }
        joint base = free(ground, bar);
        output place = position(bar);
        output heading = angle(bar);
    }";
    assert_starts(planar, &[0.15], &[0.0, 0.0, 0.0]);
    let spatial = planar
        .replace("planar", "spatial")
        .replace("[0, -9.81]", "[0, 0, -9.81]")
        .replace("inertia: 0.2, com: [reach, 0]", "inertia: [0.2, 0.3, 0.4], com: [reach, 0, 0.1]")
        .replace("output heading = angle(bar);", "output across = bar.y;");
    assert_starts(&spatial, &[0.15], &[0.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
}

#[test]
fn the_pose_of_a_free_body_follows_parameters() {
    let planar = "pub planar Bar {
        param reach = 0.3;
        param tilt = 0.5;
        param turning = 1;
        gravity: [0, -9.81];
        body bar { mass: 1.5, inertia: 0.2, com: [reach, 0], position: [reach, 2 * reach], angle: tilt, rate: turning }
        joint base = free(ground, bar);
        output place = position(bar);
        output heading = angle(bar);
        output turned = rate(bar);
    }";
    assert_starts(planar, &[0.15, 0.7, -2.0], &[0.15, 0.3, 0.7, -2.0]);
    let spatial = "pub spatial Bar {
        param reach = 0.3;
        param tilt = 0.5;
        param turning = 1;
        gravity: [0, 0, -9.81];
        body bar { mass: 1.5, inertia: [0.2, 0.3, 0.4], com: [reach, 0, 0], position: [reach, 2 * reach, 1],
            rotation: euler(xyz, [tilt, 0, 0]), angular_velocity: [0, turning, 0] }
        joint base = free(ground, bar);
        output place = position(bar);
        output up = bar.z;
        output turned = angular_velocity(bar);
    }";
    for tilt in [0.7_f64, -1.5, 2.9] {
        let expected = [0.15, 0.3, 1.0, 0.0, -tilt.sin(), tilt.cos(), 0.0, -2.0, 0.0];
        assert_starts(spatial, &[0.15, tilt, -2.0], &expected);
    }
}

#[test]
fn poses_of_bodies_on_joints_follow_parameters() {
    let pendulum = "pub planar Pendulum {
        param start = 0.5;
        param length = 1;
        param shift = 0.2;
        gravity: [0, -9.81];
        body rod { mass: 1, inertia: 0.1, com: [length / 2, 0], angle: start, rate: 2 }
        body slider { mass: 1, position: [shift, 0] }
        body second { mass: 1, inertia: 0.1, com: [length / 2, 0], position: [length, 0], angle: 2 * start }
        joint slide = prismatic(ground, slider) { axis: [1, 0] };
        joint pin = revolute(slider, rod);
        joint elbow = revolute(rod at [length, 0], second);
        output turned = pin.angle;
        output bent = elbow.angle;
        output moved = slide.position;
        output fast = pin.rate;
    }";
    assert_starts(pendulum, &[1.1, 1.0, 0.7], &[1.1, 1.1, 0.7, 2.0]);
    // Declared speeds do not change with lengths.
    assert_starts(pendulum, &[0.5, 0.7, 0.2], &[0.5, 0.5, 0.2, 2.0]);
    let top = "pub spatial Top {
        param tilt = 0.3;
        param spin = 20;
        param place = 1;
        gravity: [0, 0, -9.81];
        body top { mass: 1, inertia: [0.1, 0.1, 0.05], com: [0, 0, place], rotation: euler(xyz, [tilt, 0, 0]),
            angular_velocity: [0, 0, spin] }
        joint tip = spherical(ground, top);
        output axis = top.z;
        output turning = angular_velocity(top);
    }";
    for (tilt, spin, place) in [(1.2_f64, -3.0, 1.0), (2.8, 20.0, 2.0)] {
        assert_starts(top, &[tilt, spin, place], &[0.0, -tilt.sin(), tilt.cos(), 0.0, 0.0, spin]);
    }
}

#[test]
fn guesses_and_starts_of_joint_kinds_follow_parameters() {
    let guessed = "pub planar Guessed {
        param start = 0.5;
        param fast = 1;
        gravity: [0, -9.81];
        body rod { mass: 1, inertia: 0.1, com: [0.5, 0] }
        joint pin = revolute(ground, rod);
        initial pin.angle ~ start, pin.rate ~ fast;
        output turned = pin.angle;
        output turning = pin.rate;
    }";
    assert_starts(guessed, &[1.3, -4.0], &[1.3, -4.0]);
    let kind = "pub planar Kinds {
        param start = 0.5;
        gravity: [0, -9.81];
        joint kind Sledge(ice, sledge, from = 1) {
            coordinate place = from;
            coordinate heading: angle = 2 * from;
            pose { rotation: heading, translation: [place, place] }
        }
        body sledge { mass: 1, inertia: 0.1, com: [0.5, 0] }
        joint glides = Sledge(ground, sledge) { from: start };
        output place = glides.place;
        output heading = glides.heading;
    }";
    assert_starts(kind, &[0.8], &[0.8, 1.6]);
}

/// A crank drives a slider: its guesses do not close the loop, so that the start is near the guessed angle and has the guessed speeds.
#[test]
fn guesses_of_loops_follow_parameters() {
    let text = "pub planar Crank {
        param start = 0.5;
        param spin = 2;
        param r = 0.3;
        gravity: [0, -9.81];
        body crank { mass: 1, inertia: 0.1, com: [r / 2, 0], angle: start, rate: spin }
        body rod { mass: 1, inertia: 0.1, com: [0.5, 0], angle: -0.2 }
        body slider { mass: 1, position: [1.2, 0] }
        joint bearing = revolute(ground, crank);
        joint pin = revolute(crank at [r, 0], rod);
        joint gudgeon = revolute(rod at [1, 0], slider);
        joint slide = prismatic(ground, slider) { axis: [1, 0] };
        output turning = bearing.rate;
        output turned = bearing.angle;
    }";
    for formulation in FORMULATIONS {
        let mut sides = side(text, formulation);
        let declared = outputs(&sides.compiled, &sides.label)[1] - 0.5;
        for [start, spin, r] in [[1.5, 2.0, 0.3], [0.5, -3.0, 0.4], [2.5, 1.0, 0.25]] {
            for found in start_outputs(&mut sides, &[start, spin, r]) {
                assert!((found[0] - spin).abs() < 1e-12, "{}: {found:?}, {start} {spin} {r}", sides.label);
                // The angle is the only guess that depends on parameters: its deviation is that at default parameters.
                assert!((found[1] - start - declared).abs() < 1e-9, "{}: {found:?}, {start} {spin} {r}", sides.label);
            }
        }
    }
}

#[test]
fn a_state_that_is_set_by_hand_stays_and_defaults_start_as_compiled() {
    let text = "pub planar Pendulum {
        param start = 0.5;
        gravity: [0, -9.81];
        body rod { mass: 1, inertia: 0.1, com: [0.5, 0], angle: start }
        joint pin = revolute(ground, rod);
        output turned = pin.angle;
    }";
    let mut sides = side(text, Formulation::Joint);
    let (mut q, mut v) = ([0.0], [0.0]);
    sides.compiled.guess(&mut q, &mut v, &mut []);
    let state = State::new(&sides.compiled);
    assert_eq!((state.q.as_ref(), state.v.as_ref()), (&q[..], &v[..]));
    sides.compiled.set_parameters(&[1.0]).expect("it is inside its domain");
    let mut state = State::new(&sides.compiled);
    state.q[0] = 0.2;
    assemble(&sides.compiled, &mut state).expect("a pendulum assembles");
    assert_eq!(state.q[0], 0.2);
}

/// Continuous angles that are not coordinates start with the revolutions of the declared angle at the run's parameters.
#[test]
fn angles_start_with_the_revolutions_of_their_parameters() {
    let text = |initial: &str, declared: &str| {
        format!(
            "pub planar Linkage {{
                param start = 0.5;
                param bend = 0.3;
                gravity: [0, -9.81];
                body first {{ mass: 1, inertia: 0.1, com: [0.5, 0] {declared} }}
                body second {{ mass: 1, inertia: 0.1, com: [0.5, 0] }}
                joint pin = revolute(ground, first);
                joint elbow = revolute(first at [1, 0], second);
                initial elbow.angle = bend {initial};
                output turned = pin.angle;
                output bent = elbow.angle;
                output heading = angle(second);
            }}"
        )
    };
    for text in [text(", pin.angle = start", ""), text(", pin.angle ~ start", ""), text("", ", angle: start")] {
        for (start, bend) in [(4.0, 0.3), (20.0, -7.0), (-9.0, 4.0), (0.5, 3.5)] {
            assert_starts(&text, &[start, bend], &[start, bend, start + bend]);
        }
    }
}
