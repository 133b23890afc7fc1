//! Spatial mechanisms with loops, loads and equations: the compiler, through the interpreter, against the engine.

use mbs_model::Formulation;

use crate::space_sides::{check_formulations, compare};

/// Two arms on hinges, the second rotated such that most loop joints have an effect, a floating body, and a particle.
const BODIES: &str = "body a { mass: 1.2, inertia: [[0.03, 0.002, -0.001], [0.002, 0.05, 0.003], [-0.001, 0.003, 0.04]], com: [0.1, -0.2, 0.3] }
    body b { mass: 0.7, inertia: [0.01, 0.02, 0.015], com: [0.05, 0.1, -0.15] }
    body c { mass: 0.9, inertia: [0.02, 0.02, 0.015], com: [0.05, 0, 0.15], position: [0.4, 0.2, 0.3], attitude: mrp, velocity: body }
    particle p { mass: 0.4, position: [0.3, 0.6, 0.1] }
    gravity: [0.3, -0.2, -9.81];
    joint j1 = revolute(ground at [0.1, 0.2, 0.3], a at [0.01, 0.02, 0.03]) { axis: [0.2, 0.1, 1] };
    joint j2 = universal(a at [0.3, -0.1, 0.2], b at [0.1, 0, 0.1]) { axis: [1, 0, 0.3], second_axis: [0, 1, 0.2] };
    joint j3 = free(ground, c); joint j4 = free(ground, p);
    initial j1.angle ~ 0.3;
    output tip = acceleration(b at [0.3, 0.1, 0.2]);
    output spin_rate = angular_acceleration(b);";

#[track_caller]
fn check(items: &str) {
    check_formulations(&format!("spatial Try {{ {BODIES} {items} }}"));
}

#[test]
fn loops_closed_by_points_and_directions() {
    check(
        "joint rod = distance(b at [0.3, 0, 0], c at [0, 0.1, 0]) { length: 0.5 };
        joint string = distance(p, a at [0.3, 0, 0]) { length: 0.4 };
        output pull = reaction(rod).force; output hold = reaction(j1).torque;",
    );
    check("joint rail = point_on_line(b at [0.3, 0, 0], c at [0, 0.1, 0]) { axis: [1, 0.4, 0] };");
    check(
        "joint table = point_on_plane(ground, p) { normal: [1, 0.4, 0] }; joint lid = point_on_plane(c, b) { normal: [0, 0.4, 1] };",
    );
    check("joint lean = constant_angle(b, c) { axis: [1, 0.4, 0], second_axis: [0, 0, 1], angle: 1.1 };");
    check("joint aim = constant_orientation(c, b);");
}

#[test]
fn loops_closed_by_cut_joints() {
    check(
        "joint ball = spherical(b at [0.3, 0, 0], c at [0, 0.1, 0]) { cut: true }; output q = ball.q; output u = ball.u;",
    );
    check(
        "joint hinge = revolute(c at [0.3, 0, 0], b at [0, 0.1, 0]) { axis: [0, 1, 0.4], cut: true }; output turn = hinge.angle;",
    );
    check("joint tube = cylindrical(c at [0.3, 0, 0], b at [0, 0.1, 0]) { axis: [0, 1, 0.4], cut: true };");
    check("joint orbit = orbital_revolute(c at [0.3, 0, 0], b at [0, 0.1, 0]) { radius: 0.4, axis: [0, 1, 0.4] };");
    check("joint swing = orbital_spherical(c, a at [0, 0.1, 0]) { radius: 0.4 };");
    check("joint nut = screw(c at [0.3, 0, 0], b at [0, 0.1, 0]) { axis: [0, 1, 0.4], pitch: 0.3, cut: true };");
    check(
        "joint rib = ellipsoid(c at [0.3, 0, 0], b at [0, 0.1, 0]) { radii: [0.2, 0.3, 0.4], cut: true }; output q = rib.q;",
    );
    check(
        "joint stick = line_orientation(b at [0.3, 0, 0], c at [0, 0.1, 0]) { cut: true }; output u = stick.u;
        output hold = reaction(stick).torque;",
    );
    check("joint dart = free_line(c, b) { cut: true }; output place = dart.position;");
    check(
        "joint orbit = orbital_fixed(b, c at [0, 0.1, 0]) { radius: 0.4, cut: true }; output place = [orbit.azimuth, orbit.elevation];",
    );
    check("joint cross = universal(ground, c) { axis: [1, 0, 0], second_axis: [0, 1, 0], cut: true };");
}

#[test]
fn joints_on_ground_that_moves() {
    check(
        "marker wall = ground at [0.1 * sin(2 * t), 0.2 + 0.05 * t, 0.3] { rotation: axis_angle([1, 2, 0], 0.3 * t + t * t) };
        joint nail = spherical(wall at [0.1, 0, 0.1], c at [0, 0.1, 0]); output seen = position(c) - position(wall) in wall;
        output rate = rate(position(c) - position(wall) in wall);",
    );
    check(
        "marker wall = ground at [0.1, 0.2, 0.3] { rotation: axis_angle([1, 2, 0], 0.3 * t) };
        joint hinge = revolute(c, wall) { axis: [0, 1, 0] };
        joint belt = distance(wall at [0.5, 0, 0], p) { length: 0.7 };",
    );
}

#[test]
fn drives_couplings_and_constraints() {
    check(
        "drive motor = j1.angle == 0.3 + sin(t) + t * t; output work = load(motor); output on = reaction(motor, a).torque;",
    );
    check(
        "coupling tied = j1.angle == 0.5 * c_hinge.angle.powi(2) + 0.1; joint c_hinge = revolute(b, c) { axis: [1, 0, 0], cut: true };",
    );
    check("constraint tied = position(c at [1, 0, 0]) == position(b); output on = reaction(tied, b).force;");
    check("constraint across = dot(c.x, b.y) == 0.1; output on = reaction(across, c).torque;");
    check(
        "constraint rolling = velocity(c) + cross(angular_velocity(c), [0, 0, -1] in ground) == [0, 0, 0];
        output grip = reaction(rolling, c).force;",
    );
    check("drive turning = angular_velocity(c) == [sin(t), 0, 1] in c; output torque = load(turning);");
    check("coordinate s = 0.2; coordinate r = 0.3; constraint wire = position(p) == [s, s * s + r, 0.1 * sin(r)];");
    check("drive both = universal_rate == 0.3; let universal_rate = rate(j2.q[0]) - j1.rate;");
}

#[test]
fn gears_of_continuous_angles() {
    check(
        "joint wheel = revolute(ground, c at [0, 0.1, 0]) { axis: [0, 1, 0], cut: true }; joint mesh = gear(j1, wheel) { ratio: -2.5 };",
    );
}

#[test]
fn loads_between_bodies() {
    check(
        "force spring = spring_damper(a at [0, 0.1, 0.2], c) { stiffness: 30, damping: 2, free_length: 0.1 };
        force rope = spring_damper(p, b) { stiffness: 20 }; output pull = load(spring).force;",
    );
    check(
        "force twist = torsion_spring(a, b) { axis: [1, 0, 0.3], stiffness: 3, damping: 0.2, free_angle: 0.1 };
        force drag = torsion_damper(ground, c) { axis: [1, 0, 0.3], damping: 0.2 };",
    );
    check("force mount = bushing(a at [0.1, 0, 0], c at [0, 0.1, 0]) { stiffness: [10, 20, 30], torsional_stiffness: [1, 2, 3],
        damping: [1, 2, 3], torsional_damping: [0.1, 0.2, 0.3] };");
    check(
        "input u: [6]; force jet = wrench(a, c at com) { force: u[0..3] in c, moment: u[3..6] in ground };
        force screw = wrench(b at [0.1, 0, 0]) { force: u[0..3] in ground, moment: u[3..6] in b };",
    );
    check("input u; force motor = mobility(j1) { value: u - 0.1 * j1.rate }; force cross = mobility(j2.q[1]) { value: 3 * j1.angle };
        output hold = reaction(j1).torque; output bend = reaction(j2).force;");
    check(
        "state lag: [2] = [0.1, 0.2] { rate: 5 * ([j1.angle, velocity(c).x] - lag) };
        force pull = point_force(c) { force: [lag[0], lag[1], 0] in ground }; output rates = rate(lag);
        output again = rate(rate(lag[0]));",
    );
}

#[test]
fn initial_conditions_at_both_levels() {
    check(
        "initial j1.rate = 0.3, velocity(c).x = 0.2, j3.position[1] = 0.2, distance(p, c) ~ 0.5, j2.q[0] = 0.1;
        initial angular_velocity(c).y + j1.rate = 0.1, j3.u[2] = 0.3, j3.q[0] = 0.05;",
    );
}

#[test]
fn mechanisms_without_mass_have_the_metric_of_their_speeds() {
    for formulation in [Formulation::Joint, Formulation::Body] {
        compare(
            "spatial Light { kernels: [kinematics, outputs]; body a { com: [0.1, 0.2, 0.3] } body b { velocity: body, com: [0.1, 0, 0.3] } body c {}
            joint j1 = screw(ground, a) { axis: [0, 0, 1], pitch: 0.3 }; joint j2 = free(ground at [0.1, 0.2, 0.3], b);
            joint j3 = free(c at [0.1, 0.2, 0.1], a); coordinate s = 0.3; constraint place_of = position(b).x == s;
            joint rod = distance(c, b) { length: 0.9 }; initial j2.position ~ [0.3, 0.4, 0.5];
            output place = position(b); }",
            formulation,
        );
    }
}

#[test]
fn bodies_fixed_to_others_or_to_ground() {
    check(
        "body d { mass: 0.3, inertia: [0.01, 0.02, 0.02], com: [0.1, 0.1, 0] } body e { mass: 0.2, inertia: [0.01, 0.01, 0.01] }
        body post { mass: 5, inertia: [1, 1, 1], com: [0, 0, 1] } body top { mass: 0.1, inertia: [0, 0, 0.01] }
        joint weld = fixed(b at [0.1, 0, 0.2], d); joint back = fixed(e, d at [0, 0.3, 0]); joint root = fixed(ground, post);
        joint turn = revolute(post at [0, 0, 2], top) { axis: [0, 0, 1] };
        output welded = reaction(weld).force; output backed = reaction(back).torque; output base = reaction(root).torque;",
    );
    check(
        "body d { mass: 0.3, inertia: [0.01, 0.02, 0.02], com: [0.1, 0.1, 0] } joint hang = spherical(p, d at [0, 0, 0.2]); body e { mass: 0.2, inertia: [0.01, 0.01, 0.01] } joint fly = free(p, e at [0.1, 0, 0]);",
    );
}
