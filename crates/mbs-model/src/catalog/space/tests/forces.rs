//! Tests of forces: power against the rate of the potential, balance of force and moment.

#![allow(non_snake_case)] // monogram notation

use mbs_expr::{ExprId, JointId};
use mbs_math::Vec3;

use super::scene::{ENDS, Frame, Random, Scene, add_scaled, cross, dot, rotation_about, times};
use crate::Attitude;
use crate::catalog::{Action, Argued, Arguments, Build, Kind, SPATIAL_FORCES, angle_about};

fn kind(name: &str) -> &'static Kind {
    SPATIAL_FORCES.iter().find(|k| k.name == name).expect("the table has it")
}

fn build_action(scene: &mut Scene, kind: &Kind, arguments: &[Argued]) -> Action {
    scene.write(|g| {
        let arguments = Arguments::new(g, kind, arguments);
        match kind.build {
            Build::Force(build) => build(g, ENDS, &arguments).ids(g),
            Build::Torsion(build) => {
                let (theta, _) = angle_about(g, JointId(0), ENDS, arguments.vector("axis"));
                build(g, ENDS, theta, &arguments).ids(g)
            }
            _ => panic!("a force between markers"),
        }
    })
}

fn vector(scene: &Scene, v: Option<Vec3<ExprId>>, frames: &[Frame; 2]) -> [f64; 3] {
    v.map_or([0.0; 3], |v| v.map(|x| scene.evaluate(x, frames).value()).0)
}

/// `[force, torque]` on the first end and on the last end.
fn loads(scene: &mut Scene, action: &Action, frames: &[Frame; 2]) -> [[[f64; 3]; 2]; 2] {
    let opposite = scene.write(|g| action.opposite(g));
    [&opposite, action].map(|a| [vector(scene, a.force, frames), vector(scene, a.torque, frames)])
}

/// Two frames with a moderate relative rotation and any velocities.
fn moving_frames(random: &mut Random) -> [Frame; 2] {
    let R = random.rotation();
    let relative = rotation_about(random.direction(), random.within(-1.2, 1.2));
    [R, super::scene::product(R, relative)].map(|R| Frame {
        p: random.vector(),
        R,
        v: random.vector(),
        omega: random.vector(),
    })
}

/// The power Σ f·v + τ·ω of both ends.
fn power(loads: &[[[f64; 3]; 2]; 2], frames: &[Frame; 2]) -> f64 {
    loads.iter().zip(frames).map(|([f, tau], frame)| dot(*f, frame.v) + dot(*tau, frame.omega)).sum()
}

#[test]
fn power_of_springs_and_bushings_is_minus_the_rate_of_their_potential() {
    for (name, dampers) in [("spring_damper", &[1][..]), ("cable", &[1]), ("bushing", &[2, 3])] {
        let mut random = Random::new(4);
        for _ in 0..20 {
            let mut scene = Scene::new(Attitude::Quaternion);
            let mut arguments = scene.arguments(kind(name), &mut random, false);
            for damper in dampers {
                arguments[*damper] = [scene.exprs.constant(0.0); 3];
            }
            let action = build_action(&mut scene, kind(name), &arguments);
            let frames = moving_frames(&mut random);
            let loads = loads(&mut scene, &action, &frames);
            let stored = scene.evaluate(action.potential.expect("it has one"), &frames).derivative(1);
            let power = power(&loads, &frames);
            // Stiffnesses, lengths and speeds of order one, 1/cos² θ₁ up to 10.
            assert!((power + stored).abs() < 1e-12, "{name}: {power} against {stored}");
        }
    }
}

#[test]
fn taut_cables_pull_and_slack_cables_do_not_push() {
    let mut scene = Scene::new(Attitude::Quaternion);
    let numbers = [50.0, 4.0, 0.8].map(|x| [scene.exprs.constant(x); 3]);
    let action = build_action(&mut scene, kind("cable"), &numbers);
    let mut random = Random::new(8);
    let u = random.direction();
    for (length, rate, tension) in
        [(1.0, 0.5, 12.0), (1.0, -0.5, 8.0), (1.0, -3.0, 0.0), (0.7, 3.0, 0.0), (0.7, -3.0, 0.0), (0.0, 0.0, 0.0)]
    {
        let fixed = Frame::at_rest(random.vector(), random.rotation());
        let moving = Frame { p: add_scaled(fixed.p, length, u), v: u.map(|u| rate * u), ..fixed };
        let frames = [fixed, moving];
        let force = vector(&scene, action.force, &frames);
        for i in 0..3 {
            assert!((force[i] + tension * u[i]).abs() < 1e-12, "{length} m, {rate} m/s: {force:?}");
        }
        let stored = scene.evaluate(action.potential.expect("it has one"), &frames).value();
        let stretch = f64::max(length - 0.8, 0.0);
        assert!((stored - 25.0 * stretch * stretch).abs() < 1e-12, "{stored}");
    }
}

#[test]
fn dampers_of_a_bushing_dissipate() {
    let mut random = Random::new(5);
    for _ in 0..50 {
        let mut scene = Scene::new(Attitude::Quaternion);
        let mut arguments = scene.arguments(kind("bushing"), &mut random, true);
        for spring in [0, 1] {
            arguments[spring] = [scene.exprs.constant(0.0); 3];
        }
        let action = build_action(&mut scene, kind("bushing"), &arguments);
        let frames = moving_frames(&mut random);
        assert!(power(&loads(&mut scene, &action, &frames), &frames) < 0.0);
    }
}

#[test]
fn forces_between_two_ends_are_balanced() {
    for name in ["spring_damper", "cable", "torsion_spring", "torsion_damper", "bushing"] {
        let mut random = Random::new(6);
        for _ in 0..20 {
            let mut scene = Scene::new(Attitude::Quaternion);
            let arguments = scene.arguments(kind(name), &mut random, true);
            let action = build_action(&mut scene, kind(name), &arguments);
            let frames = moving_frames(&mut random);
            let loads = loads(&mut scene, &action, &frames);
            let (mut force, mut moment) = ([0.0; 3], [0.0; 3]);
            for ([f, tau], frame) in loads.iter().zip(&frames) {
                force = add_scaled(force, 1.0, *f);
                moment = add_scaled(add_scaled(moment, 1.0, *tau), 1.0, cross(frame.p, *f));
            }
            for x in force.into_iter().chain(moment) {
                assert!(x.abs() < 1e-12, "{name}: {force:?}, {moment:?}");
            }
        }
    }
}

#[test]
fn torsion_springs_and_dampers_act_about_the_axis() {
    let mut random = Random::new(7);
    let mut scene = Scene::new(Attitude::Quaternion);
    let arguments = scene.arguments(kind("torsion_spring"), &mut random, true);
    let action = build_action(&mut scene, kind("torsion_spring"), &arguments);
    let [k, c, free] = [1, 2, 3].map(|i: usize| scene.constant_value(arguments[i][0]));
    let axis = arguments[0].map(|x| scene.constant_value(x));
    let first = Frame { omega: random.vector(), ..Frame::at_rest([0.0; 3], random.rotation()) };
    let u = times(first.R, axis);
    for angle in [-3.0, -0.4, 0.0, 1.3, 3.0] {
        let second = Frame {
            R: super::scene::product(first.R, rotation_about(axis, angle)),
            omega: add_scaled(first.omega, 0.7, u),
            ..first
        };
        let frames = [first, second];
        let torque = vector(&scene, action.torque, &frames);
        for i in 0..3 {
            let expected = -(k * (angle - free) + c * 0.7) * u[i];
            assert!((torque[i] - expected).abs() < 1e-13);
        }
        let stored = scene.evaluate(action.potential.expect("a spring"), &frames);
        assert!((stored.value() - 0.5 * k * (angle - free).powi(2)).abs() < 1e-13);
        assert!((stored.derivative(1) - k * (angle - free) * 0.7).abs() < 1e-12);
    }
}

#[test]
fn bushings_resist_small_rotations_axis_by_axis() {
    let mut scene = Scene::new(Attitude::Quaternion);
    let arguments: Vec<Argued> = [[100.0, 200.0, 300.0], [1.0, 2.0, 3.0], [0.0; 3], [0.0; 3]]
        .map(|v| v.map(|x| scene.exprs.constant(x)))
        .to_vec();
    let action = build_action(&mut scene, kind("bushing"), &arguments);
    let first = Frame::at_rest([0.0; 3], Random::new(8).rotation());
    for axis in 0..3 {
        let unit = [0, 1, 2].map(|i: usize| f64::from(u8::from(i == axis)));
        let rotated = super::scene::product(first.R, rotation_about(unit, 1e-3));
        let frames = [first, Frame::at_rest(times(first.R, unit.map(|x| 0.01 * x)), rotated)];
        let stiffness = (axis + 1) as f64;
        let (force, torque) = (vector(&scene, action.force, &frames), vector(&scene, action.torque, &frames));
        for i in 0..3 {
            let component = first.R[axis][i];
            assert!((force[i] + 100.0 * stiffness * 0.01 * component).abs() < 1e-13);
            // The rotation vector of a rotation about one axis is its angle times the axis.
            assert!((torque[i] + stiffness * 1e-3 * component).abs() < 1e-15);
        }
    }
}
