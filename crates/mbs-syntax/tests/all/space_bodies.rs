//! Models of bodies, particles and joints in space.

use mbs_expr::Op;
use mbs_model::catalog::{Argument, Ends, Kind, SPATIAL_FORCES, SPATIAL_JOINTS, Shape};
use mbs_model::{Attitude, BodyKind, Model, Step, VelocityAxes};

use crate::oracle::{Oracle, assert_close, spatial_items};

/// The only body, declared by `arguments`.
fn body(arguments: &str) -> Model {
    spatial_items(&format!("param j = 0.4; body a {{ {arguments} }} joint f = free(ground, a);"))
}

fn values(model: &Model, ids: &[mbs_expr::ExprId]) -> Vec<f64> {
    let oracle = Oracle::new(model);
    ids.iter().map(|x| oracle.value(*x)).collect()
}

#[test]
fn inertia_is_three_moments_or_a_tensor() {
    let m = body("mass: 2, inertia: [0.3, j, 0.5]");
    assert_close(&values(&m, &m.bodies[0].inertia), &[0.3, 0.4, 0.5, 0.0, 0.0, 0.0]);
    let m = body("mass: 2, inertia: [[0.3, 0.01, -0.02], [0.01, j, 0.03], [-0.02, 0.03, 0.5]], com: [1, 2, 3]");
    assert_close(&values(&m, &m.bodies[0].inertia), &[0.3, 0.4, 0.5, 0.01, -0.02, 0.03]);
    assert_close(&values(&m, &m.bodies[0].com), &[1.0, 2.0, 3.0]);
    // A tensor rotated to body axes, as that of an inertial frame in a robot description.
    let m =
        body("inertia: axis_angle([0, 0, 1], PI / 6) * diag([1, 2, 2.5]) * transpose(axis_angle([0, 0, 1], PI / 6))");
    let root = 3.0_f64.sqrt();
    assert_close(&values(&m, &m.bodies[0].inertia), &[1.25, 1.75, 2.5, -root / 4.0, 0.0, 0.0]);
}

#[test]
fn moments_left_at_zero_are_no_mistake() {
    assert_eq!(body("inertia: [0, 0, 3]").bodies.len(), 1);
    assert_eq!(body("mass: 1").bodies.len(), 1);
    // Moments given with three digits: a plate in its plane.
    assert_eq!(body("inertia: [0.0417, 0.0417, 0.0835]").bodies.len(), 1);
}

#[test]
fn a_moment_that_is_a_parameter_alone_must_not_be_negative_later() {
    let m = body("inertia: [j, j, j]");
    assert!(m.outside_domain(&[-1.0]).is_some());
    // Any entry of a tensor may be a parameter.
    let m = body("inertia: [[j, 0, 0], [0, j, 0], [0, 0, j]]");
    assert!(m.outside_domain(&[-1.0]).is_none());
}

#[test]
fn attitudes_and_axes_of_speeds_are_chosen_by_words() {
    let chosen = |text: &str| {
        let m = body(text);
        (m.bodies[0].attitude, m.bodies[0].velocity_axes)
    };
    assert_eq!(chosen("mass: 1"), (Attitude::Quaternion, VelocityAxes::World));
    assert_eq!(chosen("attitude: quaternion, velocity: world"), (Attitude::Quaternion, VelocityAxes::World));
    assert_eq!(chosen("attitude: mrp, velocity: body"), (Attitude::ModifiedRodrigues, VelocityAxes::Body));
    assert_eq!(chosen("attitude: rodrigues").0, Attitude::Rodrigues);
    assert_eq!(chosen("attitude: vector").0, Attitude::RotationVector);
    assert_eq!(chosen("attitude: euler(zxz)").0, Attitude::Euler([2, 0, 2]));
    let m = body("velocity: [1, 2, 3]");
    assert_close(&values(&m, &m.bodies[0].velocity.expect("it is declared")), &[1.0, 2.0, 3.0]);
    let m = body("angular_velocity: [1, 2, j]");
    assert_close(&values(&m, &m.bodies[0].angular_velocity.expect("it is declared")), &[1.0, 2.0, 0.4]);
}

#[test]
fn declared_poses_have_three_components_and_a_rotation() {
    let m = body("position: [1, 2, j], rotation: euler(zyx, [j, 0, 0])");
    assert_close(&values(&m, &m.bodies[0].position.expect("it is declared")), &[1.0, 2.0, 0.4]);
    let (s, c) = 0.4_f64.sin_cos();
    let rotation = m.bodies[0].rotation.expect("it is declared");
    assert_close(&values(&m, rotation.as_flattened()), &[c, s, 0.0, -s, c, 0.0, 0.0, 0.0, 1.0]);
    let m =
        spatial_items("particle p { mass: 1, position: [1, 2, 3], velocity: [4, 5, 6] } joint f = free(ground, p);");
    assert_eq!(m.bodies[0].kind, BodyKind::Particle);
    assert_close(&values(&m, &m.bodies[0].velocity.expect("it is declared")), &[4.0, 5.0, 6.0]);
    assert_eq!(m.joints[0].coordinates.len(), 3);
}

#[test]
fn a_joint_has_the_attitude_of_its_second_body_or_of_its_first_where_that_is_ground() {
    let attitude = |joint: &str| {
        let m = spatial_items(&format!(
            "body a {{ attitude: mrp }} body b {{ attitude: quaternion, velocity: body }} joint j = {joint};
            joint fa = free(ground, a); joint fb = free(ground, b);"
        ));
        match m.joints[0].steps().last().copied() {
            Some(Step::Ball { attitude } | Step::Free { attitude, .. }) => (attitude, m.joints[0].coordinates.len()),
            _ => panic!("it turns about a point"),
        }
    };
    assert_eq!(attitude("spherical(b, a)"), (Attitude::ModifiedRodrigues, 3));
    assert_eq!(attitude("spherical(a, b)"), (Attitude::Quaternion, 4));
    assert_eq!(attitude("spherical(a, ground)"), (Attitude::ModifiedRodrigues, 3));
    assert_eq!(attitude("free(a, b)"), (Attitude::Quaternion, 7));
}

#[test]
fn inputs_may_be_sliced_into_axes() {
    let m = spatial_items(
        "input u: [6]; input f: [3] in sat; gravity: param [0, 0, -9.81];
        body sat { mass: 1, inertia: [1, 2, 2.5] } joint base = free(ground, sat);
        force thrust = wrench(sat at com) { force: u[0..3] in sat, moment: u[3..6] in sat };
        force push = point_force(sat at [1, 0, 0]) { force: f };
        output total = load(thrust).force + load(push).force; output moment = load(thrust).torque in sat;",
    );
    let mut oracle = Oracle::new(&m);
    oracle.inputs = vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0];
    let turn = oracle.body_axes(0).map(|axis| axis.map(mbs_expr::Series::value));
    let expected = [0, 1, 2].map(|c| (0..3).map(|k| [8.0, 10.0, 12.0][k] * turn[k][c]).sum::<f64>());
    assert_close(&oracle.output("total"), &expected);
    assert_close(&oracle.output("moment"), &[4.0, 5.0, 6.0]);
    assert_eq!(m.quantities.parameters[0].default, [0.0, 0.0, -9.81]);
    assert!(m.loads.gravity.is_some_and(|g| matches!(m.exprs.op(g[2]), Op::Parameter(2))));
}

/// The required arguments of a kind: `name: value, …`.
fn required(kind: &Kind) -> String {
    let missing = kind.arguments.iter().filter(|a| a.default.is_none());
    let one = |a: &Argument| match a.shape {
        Shape::Number => format!("{}: 1, ", a.name),
        Shape::Axis | Shape::World | Shape::Diagonal => format!("{}: [1, 2, 3], ", a.name),
        Shape::Function => format!("{}: hill, ", a.name),
        Shape::Stated => format!("{}: [1, 2, 3] in b, ", a.name),
        Shape::Carrier => format!("{}: ground, ", a.name),
    };
    missing.map(one).collect()
}

#[test]
fn every_kind_of_space_resolves_with_the_arguments_it_needs() {
    let bodies = "body a { mass: 1, inertia: [1, 1, 1] } body b { mass: 1, inertia: [1, 1, 1] }
        function hill(x, y) = 0.1 * x * y;
        joint fa = revolute(ground, a); joint fb = revolute(ground, b) { axis: [0, 1, 0] };";
    let declare = |category: &str, kind: &Kind, ends: &str| {
        spatial_items(&format!("{bodies} {category} x = {}({ends}) {{ {} }};", kind.name, required(kind)))
    };
    for kind in SPATIAL_JOINTS {
        let ends = if kind.ends == Ends::TwoJoints { "fa, fb" } else { "a at [1, 0, 0], b" };
        let m = declare("joint", kind, ends);
        let joint = &m.joints[2];
        assert_eq!((&*joint.kind_name, joint.rows.len()), (kind.name, kind.rows.len()));
        let coordinates: usize = joint.steps().iter().map(Step::coordinates).sum();
        if !joint.steps().is_empty() {
            assert_eq!(joint.coordinates.len(), coordinates, "{}", kind.name);
        }
        assert_eq!(joint.ties.len(), joint.coordinates.len(), "{}", kind.name);
    }
    for kind in SPATIAL_FORCES {
        let ends = if kind.ends == Ends::Coordinate { "fa" } else { "a at [1, 0, 0], b" };
        assert!(!declare("force", kind, ends).loads.forces[0].loads.is_empty(), "{}", kind.name);
    }
}
