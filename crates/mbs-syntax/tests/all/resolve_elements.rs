//! Rows, loads and their signs, against closed forms.

use mbs_expr::Op;
use mbs_model::{Load, Model, RowLevel, Step};

use crate::oracle::{Oracle, assert_close, items};

const AROUND: &str = "body a { mass: 2, inertia: 0.5 } body b { mass: 3, inertia: 0.7 } particle c { mass: 1 }
joint fa = free(ground, a); joint fb = free(ground, b); joint fc = free(ground, c);
";

fn with(text: &str) -> Model {
    items(&format!("{AROUND}{text}"))
}

/// Residuals of the last joint.
fn rows(model: &Model) -> Vec<f64> {
    let oracle = Oracle::new(model);
    model.joints.last().expect("there is one").rows.iter().map(|row| oracle.value(row.residual)).collect()
}

/// Force and torque on a body, of the only force.
fn load_on(model: &Model, body: usize) -> Vec<f64> {
    let oracle = Oracle::new(model);
    let mut sum = vec![0.0; 3];
    for load in &model.loads.forces[0].loads {
        match load {
            Load::Force { at, force } if model.markers[at.index()].body.expect("on a body").index() == body => {
                sum[0] += oracle.value(force[0]);
                sum[1] += oracle.value(force[1]);
            }
            Load::Torque { on, torque } if model.markers[on.index()].body.expect("on a body").index() == body => {
                sum[2] += oracle.value(torque[2]);
            }
            _ => {}
        }
    }
    sum
}

#[test]
fn rows_are_first_end_minus_second() {
    let m = with("output r = position(a at [1, 2]) - position(b); joint j = revolute(a at [1, 2], b);");
    assert_close(&rows(&m), &Oracle::new(&m).output("r"));
    let m = with(
        "let r = position(a) - position(b); output r = [cross([0.6, 0.8] in a in ground, r), angle(a) - angle(b)];
        joint j = prismatic(a, b) { axis: [3, 4] };",
    );
    assert_close(&rows(&m), &Oracle::new(&m).output("r"));
    let m = with(
        "output r = [position(a).x - position(b).x, position(a).y - position(b).y, angle(a) + 0.3 - angle(b)];
        joint j = fixed(a, b) { angle: 0.3 };",
    );
    assert_close(&rows(&m), &Oracle::new(&m).output("r"));
    let m = with(
        "output r = [cross([0, 1] in ground, [1, 2] - position(c))];
        joint j = point_on_line(ground at [1, 2], c) { axis: [0, 7] };",
    );
    assert_close(&rows(&m), &Oracle::new(&m).output("r"));
    let m = with("output r = [(distance(a, c).powi(2) - 4) / 4]; joint j = distance(a, c) { length: 2 };");
    assert_close(&rows(&m), &Oracle::new(&m).output("r"));
    let m =
        with("output r = [angle(a) + 0.37 * angle(b) - 0.1]; joint j = gear(fa, fb) { ratio: -0.37, offset: 0.1 };");
    assert_close(&rows(&m), &Oracle::new(&m).output("r"));
}

#[test]
fn the_multiplier_of_a_distance_is_a_force() {
    // At |r| = ℓ the row grows as the distance does: d(row)/dt = d|r|/dt.
    let m = with(
        "param l = 1.5; joint j = distance(a, c) { length: l }; output d = distance(a, c); output v = rate(distance(a, c));",
    );
    let mut oracle = Oracle::new(&m);
    let stretch = oracle.output("d")[0] / 1.5;
    let [x, y, _] = oracle.poses[0];
    let towards = |p: f64, q: f64| q + (p - q) / stretch;
    oracle.poses[2][0].0[0] = towards(oracle.poses[2][0].0[0], x.0[0]);
    oracle.poses[2][1].0[0] = towards(oracle.poses[2][1].0[0], y.0[0]);
    assert_close(&oracle.output("d"), &[1.5]);
    let row = oracle.series(m.joints[3].rows[0].residual);
    assert_close(&[row.derivative(1)], &oracle.output("v"));
}

#[test]
fn axes_are_unit_vectors() {
    let m =
        with("param w = 4; joint j = prismatic(a, b) { axis: [3, w] }; joint k = prismatic(a, b) { axis: [0, 5] };");
    let oracle = Oracle::new(&m);
    let axis = |j: usize| match *m.joints[j].steps() {
        [Step::Prismatic { axis: [x, y, _] }] => [x, y],
        _ => panic!("a prismatic joint"),
    };
    assert_close(&axis(3).map(|x| oracle.value(x)), &[0.6, 0.8]);
    assert_eq!(axis(4).map(|x| m.exprs.value(x)), [Some(0.0), Some(1.0)]);
}

#[test]
fn springs_pull_their_ends_together() {
    // The force on the last end is −(k (ℓ − ℓ₀) + c ℓ̇) û, with û from the first end to the last.
    let formula = "let r = position(b) - position(a); let l = norm(r);
        output f = -(7 * (l - free) + viscous * rate(l)) * r / l; output v = 3.5 * (l - free).powi(2);";
    for (free, damping) in [("0.4", "0.2"), ("0", "0.2"), ("0.4", "0"), ("0", "0")] {
        let m = with(&format!(
            "const free = {free}; const viscous = {damping}; {formula}
            force s = spring_damper(a, b) {{ stiffness: 7, damping: viscous, free_length: free }};"
        ));
        let oracle = Oracle::new(&m);
        let f = oracle.output("f");
        assert_close(&load_on(&m, 1)[..2], &f);
        assert_close(&load_on(&m, 0)[..2], &[-f[0], -f[1]]);
        let potential = m.loads.forces[0].potential.expect("springs have one");
        assert_close(&[oracle.value(potential)], &oracle.output("v"));
    }
}

#[test]
fn an_undamped_spring_of_no_length_has_no_square_root() {
    let m = with("force s = spring_damper(a, b) { stiffness: 7 };");
    let Load::Force { force, .. } = m.loads.forces[0].loads[0] else { panic!("a force") };
    assert!(!m.exprs.any(force[0], &|op| matches!(
        op,
        Op::Unary(mbs_expr::Function::Sqrt, _) | Op::Binary(mbs_expr::Function2::Div, ..)
    )));
}

#[test]
fn loads_act_on_the_last_end_and_opposite_on_the_first() {
    let m = with(
        "force s = torsion_spring(a, b) { stiffness: 7, damping: 0.2, free_angle: 0.1 };
        output f = -7 * (angle(b) - angle(a) - 0.1) - 0.2 * (rate(b) - rate(a));",
    );
    let f = Oracle::new(&m).output("f")[0];
    assert_close(&load_on(&m, 1), &[0.0, 0.0, f]);
    assert_close(&load_on(&m, 0), &[0.0, 0.0, -f]);
    let m = with("force s = torque(a, b) { torque: 3 };");
    assert_close(&[load_on(&m, 1), load_on(&m, 0)].concat(), &[0.0, 0.0, 3.0, 0.0, 0.0, -3.0]);
    let m = with("force s = torsion_damper(ground, b) { damping: 2 }; output f = -2 * rate(b);");
    assert_close(&load_on(&m, 1)[2..], &Oracle::new(&m).output("f"));
    let m = with("force s = wrench(b) { force: [1, 2] in b, moment: 4 }; output f = [1, 2] in b in ground;");
    let f = Oracle::new(&m).output("f");
    assert_close(&load_on(&m, 1), &[f[0], f[1], 4.0]);
    let m = with("force s = point_force(a, b at [1, 0]) { force: [1, 2] };");
    assert_close(&[load_on(&m, 1), load_on(&m, 0)].concat(), &[1.0, 2.0, 0.0, -1.0, -2.0, 0.0]);
}

#[test]
fn loads_of_rows_are_minus_the_multiplier() {
    let m = with(
        "joint pin = revolute(ground, a); drive d = fb.angle == 2 * t; joint g = gear(fa, fb) { ratio: 2 };
        constraint row = position(c) == [t, 0]; coupling k = fa.angle == 2 * fb.angle;
        output loads = [load(d), load(g), load(k)]; output w = load(row);",
    );
    assert_eq!(
        m.rows().iter().map(|row| row.name.as_str()).collect::<Vec<_>>(),
        ["pin.x", "pin.y", "g", "d", "row[0]", "row[1]", "k"]
    );
    let oracle = Oracle::new(&m); // multipliers 10, 11, …
    assert_close(&oracle.output("loads"), &[-13.0, -12.0, -16.0]);
    assert_close(&oracle.output("w"), &[-14.0, -15.0]);
}

#[test]
fn loads_of_forces_are_those_on_the_last_end() {
    let m = with(
        "force q = torque(a, b) { torque: 3 }; force w = wrench(a, b) { force: [1, 2], moment: 4 };
        force d = mobility(fb.angle) { value: -5 }; force s = spring_damper(ground, b) { stiffness: 2 };
        output l = [load(q), load(w).torque, load(d), load(w).force.y, load(s).torque];
        output r = load(s).force + 2 * position(b);",
    );
    let oracle = Oracle::new(&m);
    assert_close(&oracle.output("l"), &[3.0, 4.0, -5.0, 2.0, 0.0]);
    assert_close(&oracle.output("r"), &[0.0, 0.0]);
}

#[test]
fn levels_are_found() {
    let m = with(
        "constraint row = dot(position(a), position(a)) == 4 + t; constraint d = velocity(a).y + rate(a) == 0;
        coupling e = fa.angle == 3 * fb.angle; drive f = fb.velocity == [1, t];",
    );
    let levels: Vec<_> = m.equations.iter().map(|e| e.level).collect();
    assert_eq!(levels, [RowLevel::Position, RowLevel::Velocity, RowLevel::Position, RowLevel::Velocity]);
    assert_eq!(m.equations[3].rows.len(), 2);
}

#[test]
fn an_equation_in_a_frame_re_expresses_both_sides() {
    let m = with("constraint row = position(a) == position(b) in b; output r = (position(a) - position(b)) in b;");
    let oracle = Oracle::new(&m);
    assert_close(&m.equations[0].rows.iter().map(|x| oracle.value(*x)).collect::<Vec<_>>(), &oracle.output("r"));
}

#[test]
fn particles_have_positions_only() {
    let m = with("joint j = revolute(b, c); joint k = free(c, b);");
    assert_eq!(m.joints[2].coordinates.len(), 2);
    assert_eq!(m.joints[3].coordinates.len(), 0);
    assert_eq!(m.joints[4].coordinates.len(), 3);
}

#[test]
fn markers_rotate_the_ends_of_joints() {
    let m = with("marker p = a at [1, 0] { x: [0, 2] }; marker q = p at [1, 0] { angle: 0.1 }; marker r = b at com { y: [1, 0] };
        output a = [angle(p) - angle(a), angle(q) - angle(a), angle(r) - angle(b)]; output b = position(q) in a;
        output c = (position(a at [1, 1]) in a);");
    let half_pi = std::f64::consts::FRAC_PI_2;
    let oracle = Oracle::new(&m);
    assert_close(&oracle.output("a"), &[half_pi, half_pi + 0.1, -half_pi]);
    assert_close(&oracle.output("b"), &oracle.output("c"));
}
