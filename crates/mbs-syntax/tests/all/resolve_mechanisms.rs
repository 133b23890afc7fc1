//! Mechanisms of the literature resolve to the counts of unknowns and rows that their authors state.

use mbs_model::{Model, RowLevel};

use crate::oracle::{Oracle, assert_close, items};

/// Bodies and rows.
fn counts(model: &Model) -> (usize, usize) {
    (model.bodies.len(), model.rows().len())
}

#[test]
fn a_ladder_of_four_bars_written_with_for() {
    // IFToMM A02: N loops, 2 N + 1 links of 1 m and 1 kg.
    let ladder = |n: usize| {
        items(&format!(
            "gravity: [0, -9.81]; const N = {n}; const l = 1;
            for i in 0..N + 1 {{
                body rocker[i] {{ mass: 1, inertia: 1 / 12, com: [l / 2, 0], angle: PI / 2 }}
                joint base[i] = revolute(ground at [i * l, 0], rocker[i]);
            }}
            for i in 0..N {{
                body coupler[i] {{ mass: 1, inertia: 1 / 12, com: [l / 2, 0], angle: 0 }}
                joint left[i] = revolute(rocker[i] at [l, 0], coupler[i]);
                joint right[i] = revolute(coupler[i] at [l, 0], rocker[i + 1] at [l, 0]);
            }}
            initial velocity(rocker[0] at [l, 0]).x = 1; freedoms: 1;
            output tip = position(rocker[0] at [l, 0]); output energy = kinetic_energy + potential_energy;"
        ))
    };
    assert_eq!(counts(&ladder(1)), (3, 8));
    assert_eq!(counts(&ladder(2)), (5, 14));
}

#[test]
fn a_bead_on_a_rotating_wire() {
    let m = items(
        "param omega = 2; particle bead { mass: 0.1, position: [1, 0] }
        marker wire = ground at [0, 0] { angle: omega * t };
        joint on_wire = point_on_line(wire, bead) { axis: [1, 0] };
        initial position(bead).x = 1; output r = norm(position(bead));
        output off = dot(position(bead), [-sin(omega * t), cos(omega * t)]);",
    );
    let oracle = Oracle::new(&m);
    assert_close(&[oracle.value(m.joints[0].rows[0].residual)], &[-oracle.output("off")[0]]);
}

#[test]
fn a_bead_on_a_parabola() {
    let m = items(
        "gravity: [0, -9.81]; particle bead { mass: 1 }
        constraint wire = position(bead).y == position(bead).x.powi(2) / 2;
        initial position(bead).x = 1, velocity(bead).x = 0;",
    );
    assert_eq!((counts(&m), m.equations[0].level), ((1, 1), RowLevel::Position));
}

#[test]
fn a_car_axis_on_a_moving_road() {
    let m = items(
        "const l = 1; const l0 = 0.5; const k = 10000; const w = 10; const r = 0.1; const mass = 10 / 2 * 0.01;
        let yb = r * sin(w * t); let xb = sqrt(l * l - yb * yb);
        particle left { mass, position: [0, l0] } particle right { mass, position: [l, l0] }
        marker road = ground at [xb, yb];
        force sl = spring_damper(ground, left) { stiffness: k, free_length: l0 };
        force sr = spring_damper(road, right) { stiffness: k, free_length: l0 };
        joint rod = distance(left, right) { length: l };
        constraint steer = dot(position(left), [xb, yb]) == 0; gravity: [0, -1];",
    );
    assert_eq!(counts(&m), (2, 2));
}

#[test]
fn a_gear_a_drive_and_a_motor() {
    let m = items(
        "input torque; param ratio = 0.37;
        body sun { inertia: 1 } body planet { inertia: 2 }
        joint a = revolute(ground, sun); joint b = revolute(ground at [1, 0], planet);
        joint mesh = gear(b, a) { ratio }; drive turn = a.angle == TAU * t;
        force motor = torque(ground, planet) { torque };
        output load_of_drive = load(turn); output load_of_mesh = load(mesh);",
    );
    assert_eq!(m.rows().last().map(|row| row.name.clone()), Some("turn".into()));
    assert_eq!(counts(&m), (2, 6));
}

#[test]
fn early_uses_of_late_values_are_refused() {
    // Values that would be incomplete when loops are unrolled or defaults are folded.
    for text in [
        "let k = [kinetic_energy, 2]; for i in 0..k[1] { param q[i] = 1; }",
        "let k = [position(bodies).x, 2]; for i in 0..k[1] { param q[i] = 1; }",
        "let k = [potential_energy, 2]; param q = k[1];",
        "for i in 0..q[0] { param r[i] = 1; } for i in 0..2 { param q[i] = 2; }",
    ] {
        let text = format!("planar M {{ {text} body b {{ mass: 1 }} joint j = free(ground, b); }}");
        let parsed = mbs_syntax::parse_text("m.mbs", &text);
        let errors = mbs_resolve::resolve(&parsed.definitions[0]).expect_err("a value is used too early");
        assert_eq!(errors.list().iter().map(|d| d.code).collect::<Vec<_>>(), ["MBS024"], "{errors:?}");
    }
}
