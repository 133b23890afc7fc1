//! Forces: power against potential, balance of force and moment.

#![allow(non_snake_case)] // monogram notation

use mbs_expr::{ExprId, JointId};
use mbs_math::Vec3;

use super::scene::{ENDS, Frame, Random, Scene, about, cross, dot, plus, times};
use crate::Attitude;
use crate::catalog::{Action, Argued, Arguments, Build, Kind, SPATIAL_FORCES, turn_about};

fn kind(name: &str) -> &'static Kind {
    SPATIAL_FORCES.iter().find(|k| k.name == name).expect("the table has it")
}

fn act(scene: &mut Scene, kind: &Kind, arguments: &[Argued]) -> Action {
    scene.write(|g| {
        let arguments = Arguments::new(g, kind, arguments);
        match kind.build {
            Build::Force(build) => build(g, ENDS, &arguments).ids(g),
            Build::Torsion(build) => {
                let (theta, _) = turn_about(g, JointId(0), ENDS, arguments.vector("axis"));
                build(g, ENDS, theta, &arguments).ids(g)
            }
            _ => panic!("a force between markers"),
        }
    })
}

fn vector(scene: &Scene, v: Option<Vec3<ExprId>>, frames: &[Frame; 2]) -> [f64; 3] {
    v.map_or([0.0; 3], |v| v.map(|x| scene.at(x, frames).value()).0)
}

/// Forces and torques on the first and on the last end.
fn loads(scene: &mut Scene, action: &Action, frames: &[Frame; 2]) -> [[[f64; 3]; 2]; 2] {
    let opposite = scene.write(|g| action.opposite(g));
    [&opposite, action].map(|a| [vector(scene, a.force, frames), vector(scene, a.torque, frames)])
}

/// Two frames a moderate turn apart, moving in any way.
fn moving(random: &mut Random) -> [Frame; 2] {
    let R = random.rotation();
    let apart = about(random.direction(), random.within(-1.2, 1.2));
    [R, super::scene::product(R, apart)].map(|R| Frame {
        p: random.vector(),
        R,
        v: random.vector(),
        omega: random.vector(),
    })
}

/// Σ f·v + τ·ω of both ends.
fn power(loads: &[[[f64; 3]; 2]; 2], frames: &[Frame; 2]) -> f64 {
    loads.iter().zip(frames).map(|([f, tau], frame)| dot(*f, frame.v) + dot(*tau, frame.omega)).sum()
}

#[test]
fn springs_and_bushings_take_their_power_from_their_potential() {
    for (name, dampers) in [("spring_damper", &[1][..]), ("cable", &[1]), ("bushing", &[2, 3])] {
        let mut random = Random::new(4);
        for _ in 0..20 {
            let mut scene = Scene::new(Attitude::Quaternion);
            let mut arguments = scene.arguments(kind(name), &mut random, false);
            for damper in dampers {
                arguments[*damper] = [scene.exprs.number(0.0); 3];
            }
            let action = act(&mut scene, kind(name), &arguments);
            let frames = moving(&mut random);
            let loads = loads(&mut scene, &action, &frames);
            let stored = scene.at(action.potential.expect("it has one"), &frames).derivative(1);
            let power = power(&loads, &frames);
            // Stiffnesses, lengths and speeds of order one, 1/cos² θ₁ up to 10.
            assert!((power + stored).abs() < 1e-12, "{name}: {power} against {stored}");
        }
    }
}

#[test]
fn cables_pull_where_they_are_taut_and_never_push() {
    let mut scene = Scene::new(Attitude::Quaternion);
    let numbers = [50.0, 4.0, 0.8].map(|x| [scene.exprs.number(x); 3]);
    let action = act(&mut scene, kind("cable"), &numbers);
    let mut random = Random::new(8);
    let u = random.direction();
    for (length, rate, tension) in
        [(1.0, 0.5, 12.0), (1.0, -0.5, 8.0), (1.0, -3.0, 0.0), (0.7, 3.0, 0.0), (0.7, -3.0, 0.0), (0.0, 0.0, 0.0)]
    {
        let still = Frame::at(random.vector(), random.rotation());
        let moving = Frame { p: plus(still.p, length, u), v: u.map(|u| rate * u), ..still };
        let frames = [still, moving];
        let force = vector(&scene, action.force, &frames);
        for i in 0..3 {
            assert!((force[i] + tension * u[i]).abs() < 1e-12, "{length} m, {rate} m/s: {force:?}");
        }
        let stored = scene.at(action.potential.expect("it has one"), &frames).value();
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
            arguments[spring] = [scene.exprs.number(0.0); 3];
        }
        let action = act(&mut scene, kind("bushing"), &arguments);
        let frames = moving(&mut random);
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
            let action = act(&mut scene, kind(name), &arguments);
            let frames = moving(&mut random);
            let loads = loads(&mut scene, &action, &frames);
            let (mut force, mut moment) = ([0.0; 3], [0.0; 3]);
            for ([f, tau], frame) in loads.iter().zip(&frames) {
                force = plus(force, 1.0, *f);
                moment = plus(plus(moment, 1.0, *tau), 1.0, cross(frame.p, *f));
            }
            for x in force.into_iter().chain(moment) {
                assert!(x.abs() < 1e-12, "{name}: {force:?}, {moment:?}");
            }
        }
    }
}

#[test]
fn torsion_springs_pull_back_to_their_free_angle_about_the_axis() {
    let mut random = Random::new(7);
    let mut scene = Scene::new(Attitude::Quaternion);
    let arguments = scene.arguments(kind("torsion_spring"), &mut random, true);
    let action = act(&mut scene, kind("torsion_spring"), &arguments);
    let [k, c, free] = [1, 2, 3].map(|i: usize| scene.number(arguments[i][0]));
    let axis = arguments[0].map(|x| scene.number(x));
    let first = Frame { omega: random.vector(), ..Frame::at([0.0; 3], random.rotation()) };
    let u = times(first.R, axis);
    for angle in [-3.0, -0.4, 0.0, 1.3, 3.0] {
        let second =
            Frame { R: super::scene::product(first.R, about(axis, angle)), omega: plus(first.omega, 0.7, u), ..first };
        let frames = [first, second];
        let torque = vector(&scene, action.torque, &frames);
        for i in 0..3 {
            let expected = -(k * (angle - free) + c * 0.7) * u[i];
            assert!((torque[i] - expected).abs() < 1e-13);
        }
        let stored = scene.at(action.potential.expect("a spring"), &frames);
        assert!((stored.value() - 0.5 * k * (angle - free).powi(2)).abs() < 1e-13);
        assert!((stored.derivative(1) - k * (angle - free) * 0.7).abs() < 1e-12);
    }
}

#[test]
fn small_turns_of_a_bushing_are_resisted_axis_by_axis() {
    let mut scene = Scene::new(Attitude::Quaternion);
    let arguments: Vec<Argued> =
        [[100.0, 200.0, 300.0], [1.0, 2.0, 3.0], [0.0; 3], [0.0; 3]].map(|v| v.map(|x| scene.exprs.number(x))).to_vec();
    let action = act(&mut scene, kind("bushing"), &arguments);
    let first = Frame::at([0.0; 3], Random::new(8).rotation());
    for axis in 0..3 {
        let unit = [0, 1, 2].map(|i: usize| f64::from(u8::from(i == axis)));
        let turned = super::scene::product(first.R, about(unit, 1e-3));
        let frames = [first, Frame::at(times(first.R, unit.map(|x| 0.01 * x)), turned)];
        let stiffness = (axis + 1) as f64;
        let (force, torque) = (vector(&scene, action.force, &frames), vector(&scene, action.torque, &frames));
        for i in 0..3 {
            let along = first.R[axis][i];
            assert!((force[i] + 100.0 * stiffness * 0.01 * along).abs() < 1e-13);
            // A turn about one axis alone is that angle.
            assert!((torque[i] + stiffness * 1e-3 * along).abs() < 1e-15);
        }
    }
}
