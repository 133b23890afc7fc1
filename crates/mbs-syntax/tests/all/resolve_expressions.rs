//! Typed expressions have the meaning given in the book: values are compared with closed forms or with each other.

use crate::oracle::{Oracle, assert_close, items};

/// Two bodies, a particle and some quantities to write expressions with.
const AROUND: &str = "param p = 2; param j: [3] = [1, 2, 3]; param f: [2] in crank = [1, 2];
const N = 2; const m = [[1, 2], [3, 4]];
input u: [4]; state z = 1 { rate: -z }; coordinate s = 0.2;
body crank { mass: 2, inertia: 0.5, com: [0.3, 0.1] }
body rod { mass: 3, inertia: 0.7, com: [0.5, 0] }
particle bob { mass: 4 }
marker tip = rod at [1, 0.5] { angle: 0.3 };
joint pin = revolute(ground, crank);
joint slide = prismatic(crank, rod) { axis: [3, 4] };
joint base = free(tip, crank at [0, 1]);
joint flight = free(ground, bob);
";

/// Checks that the expressions of each pair have equal values.
fn same(pairs: &[(&str, &str)]) {
    for (a, b) in pairs {
        let model = items(&format!("{AROUND} output a = {a}; output b = {b};"));
        let oracle = Oracle::new(&model);
        let (x, y) = (oracle.output("a"), oracle.output("b"));
        let close = x.iter().zip(&y).all(|(x, y)| (x - y).abs() < 1e-12 * (1.0 + x.abs()));
        assert!(x.len() == y.len() && close, "{a} is {x:?}, {b} is {y:?}");
    }
}

#[test]
fn arithmetic_is_over_real_numbers() {
    same(&[
        ("1/2", "0.5"),
        ("-p.powi(2)", "-4"),
        ("p.powi(-3)", "1/8"),
        ("p.powi(13)", "8192"),
        ("p.powf(0.5)", "sqrt(2)"),
    ]);
    same(&[("hypot(3, 4)", "5"), ("atan2(1, 0)", "PI / 2"), ("max(p, 3)", "3"), ("min(p, 3)", "2"), ("TAU", "2 * PI")]);
    same(&[("signum(-p)", "-1"), ("abs(-p)", "2"), ("floor(2.7)", "2"), ("ln(exp(p))", "2"), ("p - 1 - 1", "0")]);
}

#[test]
fn vectors_and_matrices() {
    same(&[("j[0] + j[2]", "4"), ("j[1..3]", "[2, 3]"), ("dot(j, j)", "14"), ("j.y", "2"), ("2 * j / 4", "j / 2")]);
    same(&[("cross([1, 2], [3, 4])", "-2"), ("norm([3, 4])", "5"), ("m * [1, 1]", "[3, 7]"), ("m[1]", "[3, 4]")]);
    same(&[("transpose(m) * [1, 0]", "[1, 2]"), ("diag(m)", "[1, 4]"), ("diag([1, 2]) * [3, 4]", "[3, 8]")]);
    same(&[("(m * m) * [1, 0]", "m * (m * [1, 0])"), ("m[1][0]", "3"), ("u[1..N]", "[3]"), ("m[N - 1][0]", "3")]);
}

#[test]
fn choices_and_logic() {
    same(&[("if p < 3 { 1 } else { 2 }", "1"), ("if p >= 3 || p == 2 { 1 } else { 2 }", "1")]);
    same(&[("if !(p > 1) && t < 1 { 1 } else { 2 }", "2"), ("if p != 2 { [1, 2] } else { [3, 4] }", "[3, 4]")]);
    same(&[("if t > 0.2 && (t > 9 || p <= 2) { 1 } else { 2 }", "1"), ("if true { 1 } else { 2 }", "1")]);
    same(&[("if !(t > 0.2 && p < 1) { 1 } else { 2 }", "1"), ("if t > 9 || !(t > 9) { 1 } else { 2 }", "1")]);
}

#[test]
fn sums_bind_their_variable() {
    same(&[("sum(i * i for i in 0..4)", "14"), ("sum(j[i] for i in 0..3)", "6"), ("sum(i for i in 2..2)", "0")]);
    same(&[("sum([i, 1] for i in 0..N)", "[1, 2]"), ("sum(sum(i * k for i in 0..3) for k in 0..3)", "9")]);
}

#[test]
fn observables_agree_with_each_other() {
    same(&[("velocity(tip)", "rate(position(tip))"), ("acceleration(tip)", "rate(velocity(tip))")]);
    same(&[("position(tip)", "position(rod) + rod.x + 0.5 * rod.y"), ("angle(tip)", "angle(rod) + 0.3")]);
    same(&[("rate(tip)", "rate(angle(rod))"), ("angular_velocity(rod)", "rate(rod)")]);
    same(&[
        ("angular_acceleration(rod)", "rate(rate(rod))"),
        ("distance(tip, bob)", "norm(position(tip) - position(bob))"),
    ]);
    same(&[("position(ground at [t, p])", "[0.25, 2]"), ("velocity(ground at [t * t, p])", "[0.5, 0]")]);
    same(&[("position(crank at com)", "position(crank at [0.3, 0.1])"), ("ground.x", "[1, 0]"), ("bob.y", "[0, 1]")]);
    same(&[("tip.x.x", "cos(angle(tip))"), ("tip.y.x", "-sin(angle(tip))"), ("rate(t * t)", "2 * t")]);
}

#[test]
fn vectors_are_re_expressed() {
    same(&[("position(rod) in crank", "[dot(position(rod), crank.x), dot(position(rod), crank.y)]")]);
    same(&[("(f in ground)", "crank.x + 2 * crank.y"), ("([1, 2] in crank) in ground", "f in ground")]);
    same(&[("(f in rod) in crank", "f"), ("f + [1, 1]", "[2, 3] in crank"), ("norm(f in tip)", "norm(f)")]);
    same(&[
        ("dot(f in ground, ground.x)", "dot(f, ground.x in crank)"),
        ("u[0..2] in crank in ground", "3 * (crank.x + crank.y)"),
    ]);
}

#[test]
fn joints_measure_the_second_end_from_the_first() {
    same(&[("pin.angle", "angle(crank)"), ("pin.rate", "rate(crank)"), ("pin.acceleration", "rate(rate(crank))")]);
    same(&[("slide.position", "dot(position(rod) - position(crank), [0.6, 0.8] in crank in ground)")]);
    same(&[("slide.speed", "rate(slide.position)"), ("slide.acceleration", "rate(slide.speed)")]);
    same(&[
        ("base.position", "(position(crank at [0, 1]) - position(tip)) in tip"),
        ("base.angle", "angle(crank) - angle(tip)"),
    ]);
    same(&[("base.position in ground", "position(crank at [0, 1]) - position(tip)")]);
    same(&[("base.q[2]", "base.angle"), ("base.u[0..2]", "base.velocity"), ("base.velocity", "rate(base.position)")]);
    same(&[("base.rate", "base.u[2]"), ("flight.q", "position(bob)"), ("flight.acceleration", "acceleration(bob)")]);
}

#[test]
fn sets_can_be_used_as_markers() {
    let centre = "(2 * position(crank at com) + 3 * position(rod at com) + 4 * position(bob)) / 9";
    same(&[("position(bodies at com)", centre), ("momentum(bodies)", "9 * velocity(bodies at com)")]);
    same(&[
        ("momentum(rod)", "3 * velocity(rod at com)"),
        ("acceleration(bodies at com)", "rate(momentum(bodies)) / 9"),
    ]);
    let orbital = "3 * cross(position(rod at com) - position(crank), velocity(rod at com)) + 0.7 * rate(rod)";
    same(&[("angular_momentum(rod, crank)", orbital)]);
    same(&[("position(bodies)", "(2 * position(crank) + 3 * position(rod) + 4 * position(bob)) / 9")]);
}

#[test]
fn energies_are_those_of_textbooks() {
    let kinetic = "dot(momentum(crank), momentum(crank)) / 4 + 0.25 * rate(crank).powi(2)
        + dot(momentum(rod), momentum(rod)) / 6 + 0.35 * rate(rod).powi(2) + 2 * dot(velocity(bob), velocity(bob))";
    same(&[("kinetic_energy", kinetic), ("potential_energy", "0")]);
    let model = items(&format!(
        "{AROUND} gravity: [0, -10]; force k = spring_damper(crank, bob) {{ stiffness: 7, free_length: 0.5 }};
        potential w = 1 / distance(rod, bob); output a = potential_energy;
        output b = 90 * position(bodies at com).y + 3.5 * (distance(crank, bob) - 0.5).powi(2) + 1 / distance(rod, bob);"
    ));
    let oracle = Oracle::new(&model);
    assert_close(&oracle.output("a"), &oracle.output("b"));
}

#[test]
fn parameters_take_the_domain_of_their_argument() {
    use mbs_model::Domain;
    let model = items(
        "param mass = 1; param length = 2; param other = 3; param k: [2] = [1, 2];
        body a { mass: mass } body b { mass: 2 * other }
        joint c = distance(a, b) { length }; joint d = distance(ground, a) { length: other };
        force s = spring_damper(a, b) { stiffness: k[1] };",
    );
    let domains: Vec<_> = model.quantities.parameters.iter().map(|p| p.domain).collect();
    assert_eq!(domains, [Domain::NonNegative, Domain::Positive, Domain::Positive, Domain::NonNegative]);
}

#[test]
fn defaults_use_earlier_parameters() {
    let model = items("const c = 3; param a = 2 * c; param b: [2] = [a, a / 4]; body x { } joint j = free(ground, x);");
    assert_eq!(model.quantities.parameters[1].default, [6.0, 1.5]);
    assert_eq!(model.quantities.parameters[1].offset, 1);
}

#[test]
fn names_may_be_used_before_they_are_declared() {
    let model = items(&format!(
        "{AROUND} output a = late.x; let late = position(end); marker end = crank at [w, 0]; const w = 1;"
    ));
    let oracle = Oracle::new(&model);
    assert_close(&oracle.output("a"), &[0.3 + 0.4f64.cos()]);
}
