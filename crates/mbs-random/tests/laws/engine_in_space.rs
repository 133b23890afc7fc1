//! Spatial mechanisms: the compiler, through the interpreter, against the engine, which implements spatial kinematics and dynamics independently.

use mbs_core::{Mechanism, Pose, StateView};
use mbs_engine::Engine;
use mbs_model::Formulation;
use mbs_random::state::guess;

use crate::mechanisms::BODIES;
use crate::space_sides::check_formulations;

fn check(items: &str) {
    check_formulations(&format!("spatial Try {{ {BODIES} {items} }}"));
}

/// A joint between ground and a body, and between two bodies, with either end first.
fn check_joint(kind: &str, arguments: &str) {
    for reversed in [false, true] {
        let joint = |name: &str, first: &str, second: &str| {
            let (first, second) = if reversed { (second, first) } else { (first, second) };
            format!("joint {name} = {kind}({first}, {second}) {{ {arguments} }};")
        };
        let first = joint("j1", "ground at [0.1, 0.2, 0.3]", "a at [0.01, 0.02, 0.03]");
        let second = joint("j2", "socket", "b at [0.1, 0, 0.1]");
        check(&format!("marker socket = a at [0.3, -0.1, 0.2] {{ z: [0.3, 1, 0.2] }}; {first} {second}"));
    }
}

#[test]
fn revolute_joints_about_any_axes() {
    crate::mechanisms::REVOLUTE.into_iter().for_each(check);
}

#[test]
fn translations_and_screws() {
    crate::mechanisms::SLIDES.into_iter().for_each(check);
}

#[test]
fn balls_and_free_joints() {
    crate::mechanisms::BALLS.into_iter().for_each(check);
}

#[test]
fn crosses_and_planes() {
    crate::mechanisms::CROSSES.into_iter().for_each(check);
}

#[test]
fn points_on_ellipsoids_and_spheres() {
    crate::mechanisms::ELLIPSOIDS.into_iter().for_each(check);
    crate::mechanisms::ORBITS.into_iter().for_each(check);
    check_joint("ellipsoid", "radii: [0.2, 0.5, 0.3]");
}

#[test]
fn lines_that_do_not_spin() {
    crate::mechanisms::LINES.into_iter().for_each(check);
}

#[test]
fn joints_of_translations_and_rotations() {
    for (kind, arguments) in [
        ("prismatic_revolute", "slide: [1, 0, 1], axis: [0, 1, 0]"),
        ("prismatic_universal", "slide: [1, 0, 1], axis: [0, 1, 0], second_axis: [1, 0, 0.5]"),
        ("prismatic_spherical", "slide: [1, 0, 1]"),
        ("planar_fixed", "normal: [1, 2, 1]"),
        ("planar_revolute", "normal: [1, 2, 1], axis: [0, 1, 0]"),
        ("floating_universal", "axis: [0, 1, 0], second_axis: [1, 0, 0.5]"),
        ("translation", ""),
    ] {
        check_joint(kind, arguments);
    }
}

#[test]
fn translations_along_axes_of_the_second_end() {
    check_joint("universal_prismatic", "axis: [0, 1, 0], second_axis: [1, 0, 0.5], slide: [0, 0.2, 1]");
    check_joint("spherical_coordinates", "axis: [0, 0, 1], second_axis: [0, 1, 0], slide: [0, 0.2, 1]");
    check_joint("bend_stretch", "axis: [0.1, 0, 1], slide: [1, 0.2, 0]");
}

#[test]
fn attitudes_of_free_bodies_and_joints() {
    let choices = [
        ("quaternion", "world"),
        ("quaternion", "body"),
        ("mrp", "world"),
        ("rodrigues", "body"),
        ("vector", "world"),
        ("euler(zyx)", "body"),
        ("euler(zxz)", "world"),
    ];
    for (attitude, velocity) in choices {
        // The bodies are rotated relative to each other, since proper Euler angles are singular at zero rotation.
        let [start, other] = ["rotation: euler(xyz, [0.3, 0.4, 0.2])", "rotation: euler(xyz, [0.6, -0.3, 0.5])"];
        check_formulations(&format!(
            "spatial Free {{ gravity: [0, 0.1, -9.81];
            body a {{ mass: 2, inertia: [0.1, 0.2, 0.25], com: [0.1, 0.2, -0.1], attitude: {attitude}, velocity: {velocity}, {start} }}
            body b {{ mass: 1, inertia: [0.2, 0.1, 0.15], com: [0, 0.2, -0.1], attitude: {attitude}, {other} }}
            body c {{ mass: 1.5, inertia: [0.2, 0.1, 0.15], attitude: {attitude}, velocity: {velocity}, rotation: euler(xyz, [-0.2, 1, 0.5]) }}
            joint base = free(ground, a); joint ball = spherical(b at [0.1, 0.1, 0], a at [0, 0, 0.3]);
            joint air = free(c at [0.1, 0, 0.2], b at [0.3, 0.1, 0.1]);
            output turn = ball.u; output places = [ball.q[0], air.q[1], air.q[2]]; output slide = air.position;
            output second = rate(air.position); }}"
        ));
    }
}

#[test]
fn a_body_on_a_free_joint_of_a_particle_rotates() {
    let text = "spatial Escort { particle p { mass: 0.4 }
        body b { mass: 2, inertia: [0.1, 0.2, 0.25], com: [0.1, 0.2, -0.1], position: [0.3, 0, 0], rotation: axis_angle([0, 0, 1], 0.2) }
        joint beside = free(b, p);
        output place = beside.position; }";
    check_formulations(text);
    let engine = Engine::options().formulation(Formulation::Joint).text(text).expect("it is legal");
    // Three coordinates of the particle, six of the body, whose pose is the declared one.
    assert_eq!(engine.sizes().n_v, 9);
    let mut poses = [Pose::planar(0.0, 0.0, 0.0); 2];
    engine.poses(StateView::new(0.0, &guess(&engine).q, &[]), &mut poses);
    assert!((poses[1].attitude[3] - 0.1_f64.sin()).abs() < 1e-15, "{:?}", poses[1]);
}
