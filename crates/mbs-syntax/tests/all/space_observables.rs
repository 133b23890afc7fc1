//! Observables of space, and fields of joints, against vectors computed here from the motion of the bodies.

use mbs_expr::{Op, Scalar};
use mbs_model::Model;

use crate::oracle::{Oracle, S, Triple, assert_close, cross, spatial_items, turned};

const INERTIA: [[f64; 3]; 3] = [[0.5, 0.02, -0.03], [0.02, 0.6, 0.04], [-0.03, 0.04, 0.7]];

const BODIES: &str = "gravity: [0, 0, -10];
body a { mass: 2, inertia: [[0.5, 0.02, -0.03], [0.02, 0.6, 0.04], [-0.03, 0.04, 0.7]], com: [0.1, 0.2, 0.3] }
body b { mass: 3, inertia: [1, 1.1, 1.2] } particle p { mass: 1 }
joint fa = free(ground, a); joint fb = free(ground, b); joint fp = free(ground, p);
";

fn with(items: &str) -> Model {
    spatial_items(&format!("{BODIES}{items}"))
}

fn numbers(v: Triple<S>) -> [f64; 3] {
    v.map(S::value)
}

fn dot(a: Triple<S>, b: Triple<S>) -> S {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// p, v, ω of the centre of mass of body a, and I ω about it, world components.
fn motion_of_a(oracle: &Oracle) -> [Triple<S>; 4] {
    let body = &oracle.model.bodies[0];
    let (p, _) = oracle.frame(body.com_marker);
    let (omega, axes) = (oracle.spin(0), oracle.body_axes(0));
    let own = axes.map(|axis| dot(axis, omega));
    let momentum = INERTIA.map(|row| dot(row.map(S::number), own));
    [p, p.map(S::rate), omega, turned(axes, momentum)]
}

#[test]
fn motions_of_markers_are_rates_of_their_positions() {
    let m = with(
        "marker tip = a at [1, 2, 3]; output p = position(tip); output v = velocity(tip); output acc = acceleration(tip);
        output w = angular_velocity(tip); output e = angular_acceleration(a); output z = tip.z; output d = distance(tip, b);
        output dz = rate(tip.z); output rigid = velocity(a) + cross(angular_velocity(a), tip_from_a in ground);
        let tip_from_a = position(tip) - position(a);",
    );
    let oracle = Oracle::new(&m);
    let tip = m.markers.iter().position(|m| m.name == "tip").expect("it is declared");
    let (p, axes) = oracle.frame(mbs_expr::MarkerId(tip as u32));
    let omega = oracle.spin(0);
    assert_close(&oracle.output("p"), &numbers(p));
    assert_close(&oracle.output("v"), &numbers(p.map(S::rate)));
    assert_close(&oracle.output("acc"), &numbers(p.map(|x| x.rate().rate())));
    assert_close(&oracle.output("w"), &numbers(omega));
    assert_close(&oracle.output("e"), &numbers(omega.map(S::rate)));
    assert_close(&oracle.output("z"), &numbers(axes[2]));
    assert_close(&oracle.output("dz"), &numbers(cross(omega, axes[2])));
    assert_close(&oracle.output("rigid"), &oracle.output("v"));
    let (q, _) = oracle.frame(m.bodies[1].origin_marker);
    let r = [0, 1, 2].map(|c| p[c].value() - q[c].value());
    assert_close(&oracle.output("d"), &[r.iter().map(|x| x * x).sum::<f64>().sqrt()]);
}

#[test]
fn momentum_and_energies_are_those_of_rigid_bodies() {
    let m = with(
        "output linear = momentum(a); output spin = angular_momentum(a, ground at [1, 0, 0]);
        output energy = kinetic_energy; output height = potential_energy; output centre = position(bodies at com);",
    );
    let oracle = Oracle::new(&m);
    let [p, v, omega, own] = motion_of_a(&oracle);
    assert_close(&oracle.output("linear"), &numbers(v).map(|x| 2.0 * x));
    let r = [p[0] - S::number(1.0), p[1], p[2]];
    let orbital = numbers(cross(r, v)).map(|x| 2.0 * x);
    assert_close(&oracle.output("spin"), &[0, 1, 2].map(|c| orbital[c] + own[c].value()));

    let squared = |v: Triple<S>| dot(v, v).value();
    let velocity = |m| oracle.frame(m).0.map(S::rate);
    let own_b = oracle.body_axes(1).map(|axis| dot(axis, oracle.spin(1)).value());
    let twice = 2.0 * squared(v)
        + dot(omega, own).value()
        + 3.0 * squared(velocity(m.bodies[1].origin_marker))
        + [1.0, 1.1, 1.2].iter().zip(own_b).map(|(i, w)| i * w * w).sum::<f64>()
        + squared(velocity(m.bodies[2].origin_marker));
    assert_close(&oracle.output("energy"), &[twice / 2.0]);
    let places = [p, oracle.frame(m.bodies[1].origin_marker).0, oracle.frame(m.bodies[2].origin_marker).0].map(numbers);
    let weighted = [0, 1, 2].map(|c| 2.0 * places[0][c] + 3.0 * places[1][c] + places[2][c]);
    assert_close(&oracle.output("height"), &[10.0 * weighted[2]]);
    assert_close(&oracle.output("centre"), &weighted.map(|x| x / 6.0));
}

#[test]
fn the_speeds_of_a_ball_are_the_relative_angular_velocity_in_the_axes_of_its_second_end() {
    let m = with(
        "marker socket = b at [0, 0, 1] { z: [1, 1, 0] }; joint ball = spherical(a, socket);
        output u = ball.u; output relative = angular_velocity(b) - angular_velocity(a) in socket; output one = ball.u[1];
        output same = ball.u - ([0, 0, 0] in socket); output q = ball.q; output component = ball.q[3];
        initial ball.u[1] = 0.3;",
    );
    let oracle = Oracle::new(&m);
    assert_close(&oracle.output("u"), &oracle.output("relative"));
    assert_close(&oracle.output("same"), &oracle.output("relative"));
    assert_close(&oracle.output("one"), &oracle.output("relative")[1..2]);
    let q = m.outputs.iter().find(|o| o.name == "q").expect("it is declared");
    let coordinate = |k| Op::JointCoordinate(mbs_expr::JointId(3), k);
    assert_eq!(q.values.iter().map(|x| m.exprs.op(*x)).collect::<Vec<_>>(), [0, 1, 2, 3].map(coordinate));
    assert_eq!(m.start.conditions[0].level, mbs_model::RowLevel::Velocity);
}

#[test]
fn an_attitude_of_three_parameters_has_three_coordinates() {
    let m = spatial_items(
        "body a { mass: 1, inertia: [1, 1, 1], attitude: mrp } joint base = free(ground, a);
        output q = base.q; output u = base.u; initial base.q = [0.1, 0, 0], base.position = [1, 2, 3], base.u = [0, 0, 1];",
    );
    assert_eq!(m.joints[0].coordinates.len(), 6);
    assert_eq!(m.outputs[0].values.len(), 3);
    assert_eq!(m.start.conditions.len(), 9);
}

#[test]
fn the_position_of_a_free_body_is_in_the_axes_of_the_first_end() {
    let m = with(
        "marker base = a at [1, 0, 0] { z: [0, 1, 0] }; joint f = free(base, b);
        output p = f.position; output same = position(b) - position(base) in base;
        output v = f.velocity; output rates = rate(position(b) - position(base) in base);
        output world = f.position in ground; output apart = position(b) - position(base);",
    );
    let oracle = Oracle::new(&m);
    for (one, other) in [("p", "same"), ("v", "rates"), ("world", "apart")] {
        assert_close(&oracle.output(one), &oracle.output(other));
    }
}

#[test]
fn joints_have_the_coordinates_that_their_kind_names() {
    let m = with(
        "body c { mass: 1, inertia: [1, 1, 1] } body d { mass: 1, inertia: [1, 1, 1] }
        joint hinge = revolute(a, c) { axis: [0, 1, 0] }; joint slide = prismatic(b, d) { axis: [1, 0, 0] };
        output all = [hinge.angle, hinge.rate, hinge.acceleration, slide.position, slide.speed, slide.acceleration];
        output q = hinge.q; initial hinge.angle = 0.3, slide.speed ~ 2; coupling mesh = hinge.angle == 3 * slide.position;
        force motor = mobility(hinge) { value: -0.1 * hinge.rate }; output power = load(motor) * hinge.rate;",
    );
    assert_eq!(m.outputs[0].values.len(), 6);
    assert!(matches!(m.exprs.op(m.outputs[0].values[0]), Op::JointCoordinate(mbs_expr::JointId(3), 0)));
    assert_eq!(m.start.conditions.len(), 2);
}

#[test]
fn reactions_have_six_components() {
    let m = with(
        "body c { mass: 1, inertia: [1, 1, 1] } joint hinge = revolute(a, c) { axis: [0, 1, 0] };
        drive spin = hinge.angle == t; output f = reaction(hinge).force; output t = reaction(hinge).torque;
        output motor = load(spin); output on = reaction(spin, c).torque;",
    );
    // Joint 3; the reaction of the equation is counted after the four joints.
    assert_close(&Oracle::new(&m).output("f"), &[118.0, 119.0, 120.0]);
    assert_close(&Oracle::new(&m).output("t"), &[121.0, 122.0, 123.0]);
    assert_close(&Oracle::new(&m).output("on"), &[127.0, 128.0, 129.0]);
}

#[test]
fn equations_between_vectors_have_a_row_per_component() {
    let m = with(
        "constraint tied = position(a at [1, 0, 0]) == position(b); constraint across = dot(a.x, b.y) == 0;
        constraint rolling = velocity(a) + cross(angular_velocity(a), [0, 0, -1] in ground) == [0, 0, 0];
        drive turning = angular_velocity(b) == [0, 0, 1] in b; output torque = load(turning);",
    );
    let rows: Vec<_> = m.equations.iter().map(|e| (e.rows.len(), e.level)).collect();
    use mbs_model::RowLevel::{Position, Velocity};
    assert_eq!(rows, [(3, Position), (1, Position), (3, Velocity), (3, Velocity)]);
    let oracle = Oracle::new(&m);
    let (omega, axes) = (oracle.spin(1), oracle.body_axes(1));
    let expected = [0.0, 0.0, 1.0].iter().zip(axes).map(|(w, axis)| dot(axis, omega).value() - w).collect::<Vec<_>>();
    let found: Vec<_> = m.equations[3].rows.iter().map(|row| oracle.value(*row)).collect();
    assert_close(&found, &expected);
}
