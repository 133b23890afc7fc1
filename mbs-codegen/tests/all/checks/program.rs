//! Mistakes that only the derived equations or the program show.

use expect_test::{Expect, expect};
use mbs_codegen::{Failure, compile_text};

use crate::checks::checked::planar;

fn check(items: &str, expected: &Expect) {
    check_text(&planar(items), expected);
}

fn check_text(text: &str, expected: &Expect) {
    match compile_text("m.mbs", text, Default::default()) {
        Ok(_) => expected.assert_eq(""),
        Err(Failure::Mistakes(shown)) => expected.assert_eq(&shown),
        Err(Failure::Io(..)) => unreachable!("nothing is read"),
    }
}

const PIN: &str = "body b { mass: 1, inertia: 1 }\njoint pin = revolute(ground, b);";

#[test]
fn mbs065_a_row_of_accelerations_that_is_not_linear() {
    check(
        &format!("{PIN}\nconstraint quick = pin.acceleration * pin.acceleration == 1;"),
        &expect![[r#"
            error: [MBS065] `quick` is not linear in accelerations
             --> m.mbs:4:12
              |
            4 | constraint quick = pin.acceleration * pin.acceleration == 1;
              |            ^^^^^
              |
              = help: an equation between accelerations a has the form g(q, v, t) · a == b(q, v, t, u)"#]],
    );
    check(
        &format!("{PIN}\ninput u;\nconstraint geared = (1 + u) * pin.acceleration == u;"),
        &expect![[r#"
            error: [MBS065] `geared` multiplies accelerations by an input
             --> m.mbs:5:12
              |
            5 | constraint geared = (1 + u) * pin.acceleration == u;
              |            ^^^^^^
              |
              = help: an equation between accelerations a has the form g(q, v, t) · a == b(q, v, t, u)"#]],
    );
    check(&format!("{PIN}\ninput u;\nconstraint eased = (1 + rate(b)) * pin.acceleration == u;"), &expect![[""]]);
}

#[test]
fn mbs063_speeds_that_give_newtons_method_no_start() {
    check(
        "particle p { mass: 1 }\njoint f = free(ground, p);\nconstraint fast = dot(velocity(p), velocity(p)) == 1;",
        &expect![[r#"
            error: [MBS063] `fast` does not constrain speeds that are zero
             --> m.mbs:4:12
              |
            4 | constraint fast = dot(velocity(p), velocity(p)) == 1;
              |            ^^^^
              |
              = help: give bodies a `velocity:` near their motion, or write `initial … ~ …`"#]],
    );
    check(
        "particle p { mass: 1, velocity: [1, 2] }\njoint f = free(ground, p);\nconstraint fast = dot(velocity(p), velocity(p)) == -1;",
        &expect![[r#"
            error: [MBS063] `fast` is not met by speeds near those declared
             --> m.mbs:4:12
              |
            4 | constraint fast = dot(velocity(p), velocity(p)) == -1;
              |            ^^^^
              |
              = help: give bodies a `velocity:` near their motion, or write `initial … ~ …`"#]],
    );
}

/// Whether the derivatives of a velocity row with this left side depend on speeds.
fn is_nonlinear_in_speeds(left: &str) -> bool {
    let text = format!(
        "{PIN}\nparticle p {{ mass: 1, position: [1, 2], velocity: [1, 0.5] }}\njoint f = free(ground, p);
marker wall = ground at [3 + sin(t), 0];\ninitial pin.rate ~ 0.7;\nconstraint row = {left} == 0.5;"
    );
    match compile_text("m.mbs", &planar(&text), Default::default()) {
        Ok(compiled) => compiled[0].0.model.jacobian_reads_speeds(),
        Err(failure) => panic!("{left}: {failure}"),
    }
}

#[test]
fn velocity_rows_are_judged_by_how_they_are_written() {
    for left in [
        "rate(sin(angle(b)) * position(p).x)",
        "velocity(p).x / position(p).y + rate(b)",
        "-(2 - velocity(p).x) * distance(p, wall)",
        "rate(b) * velocity(wall).x + velocity(p).y",
        "rate(b) * angular_velocity(ground) + velocity(p).y",
        "if position(p).x > 0 { velocity(p).x } else { velocity(p).y }",
        "powf(velocity(p).x, 1)",
    ] {
        assert!(!is_nonlinear_in_speeds(left), "{left}");
    }
    for left in [
        "rate(b) * velocity(p).x",
        "position(p).x / velocity(p).x",
        "sin(rate(b))",
        "powf(velocity(p).x, 2)",
        "max(velocity(p).x, velocity(p).y)",
        "if velocity(p).x > 0 { velocity(p).x } else { velocity(p).y }",
    ] {
        assert!(is_nonlinear_in_speeds(left), "{left}");
    }
}

#[test]
fn mbs066_more_operations_than_the_budget() {
    check(
        &format!(
            "{PIN}\nbody c {{ mass: 1, inertia: 1 }}\njoint elbow = revolute(b at [1, 0.2], c at [0.1, 0.4]);\ngravity: [0, -9.81];\nbudget: {{ operations: 2 }};\nkernels: forward;"
        ),
        &expect![[r#"
            error: [MBS066] `accelerations` needs 36 operations, the budget is 2
             --> m.mbs:7:23
              |
            7 | budget: { operations: 2 };
              |                       ^
              |
              = help: raise the budget, fold data with `const`, or ask for fewer `kernels`"#]],
    );
}

#[test]
fn a_parameter_may_be_zero_by_default_where_rows_constrain_massless_speeds() {
    let linkage = |declared: &str| {
        format!(
            "{declared}\nbody a {{ mass: 1, inertia: 1, angle: 1 }}\nbody b {{ mass: m, inertia: m, angle: 0 }}
body c {{ mass: 1, inertia: 1, angle: 1 }}\njoint p = revolute(ground, a);\njoint q = revolute(a at [1, 0], b);
joint r = revolute(b at [1, 0], c at [1, 0]);\njoint s = revolute(ground at [1.2, 0], c);"
        )
    };
    check(&linkage("param m = 0;"), &expect![[""]]);
    // A constant is known to be zero; a parameter may become it, and is then refused at run time.
    check(&linkage("const m = 0;"), &expect![[""]]);
    check(&linkage("param m = 0.1;"), &expect![[""]]);
    // A zero is allowed where nothing divides by it.
    check(
        "param j = 0;\nbody bob { mass: 1, inertia: j }\njoint p = revolute(ground, bob at [-1, 0]);",
        &expect![[""]],
    );
}

#[test]
fn mbs069_inverse_dynamics_with_freedoms_left() {
    let pendulum = "gravity: [0, -9.81];\nkernels: [inverse, reactions];\nbody bob { mass: 1, com: [0, -1] }
joint pin = revolute(ground, bob);";
    check(
        pendulum,
        &expect![[r#"
        error: [MBS069] inverse dynamics of `M`: 1 freedom left without a drive
         --> m.mbs:3:11
          |
        3 | kernels: [inverse, reactions];
          |           ^^^^^^^
          |
          = help: prescribe each with a drive, `drive name = joint.angle == …;`, or ask for `operators` instead of `inverse`: `inverse_dynamics` takes any accelerations"#]],
    );
    check(&format!("{pendulum}\ndrive turn = pin.angle == t;"), &expect![[""]]);
}

#[test]
fn mbs080_linearization_with_a_line_in_the_tree() {
    let stick = |joint: &str| {
        format!(
            "spatial M {{\ncoordinates: joint;\nkernels: [forward, linearization];
body stick {{ mass: 1, inertia: [0.1, 0.1, 0.01], com: [0, 0, 0.5] }}\njoint ball = {joint};\n}}"
        )
    };
    check_text(
        &stick("line_orientation(ground, stick)"),
        &expect![[r#"
            error: [MBS080] `linearization` with joint `ball` in the tree: two speeds for three rotations
             --> m.mbs:5:7
              |
            5 | joint ball = line_orientation(ground, stick);
              |       ^^^^
              |
              = help: write `cut: true`, so that a row constrains its spin, or leave `linearization` out"#]],
    );
    check_text(&stick("line_orientation(ground, stick) { cut: true }"), &expect![[""]]);
    check_text(&stick("spherical(ground, stick)"), &expect![[""]]);
}

#[test]
fn mbs081_momenta_of_speeds_that_are_not_rates() {
    let top = |coordinates: &str, attitude: &str| {
        format!(
            "spatial M {{\ncoordinates: {coordinates};\nkernels: [forward, momenta];
body top {{ mass: 1, inertia: [1, 1, 2], com: [0, 0, 1], attitude: {attitude} }}\njoint tip = spherical(ground, top);\n}}"
        )
    };
    check_text(
        &top("joint", "quaternion"),
        &expect![[r#"
        error: [MBS081] `momenta` of `M`: speeds of joint `tip` are not the rates of its coordinates
         --> m.mbs:3:20
          |
        3 | kernels: [forward, momenta];
          |                    ^^^^^^^
          |
          = help: write `coordinates: natural;`, or leave `momenta` out"#]],
    );
    check_text(
        &top("body", "euler(zyx)"),
        &expect![[r#"
            error: [MBS081] `momenta` of `M`: speeds of body `top` are not the rates of its coordinates
             --> m.mbs:3:20
              |
            3 | kernels: [forward, momenta];
              |                    ^^^^^^^
              |
              = help: write `coordinates: natural;`, or leave `momenta` out"#]],
    );
    check_text(&top("natural", "quaternion"), &expect![[""]]);
    let skate = |coordinates: &str| {
        format!(
            "planar M {{\nkernels: [forward, momenta];\ncoordinates: {coordinates};
joint kind Turned(base, moved) {{ coordinate turn: angle; speed half; kinematics: [2 * half]; pose {{ rotation: turn }} }}
body wheel {{ mass: 1, inertia: 1 }}\njoint pin = Turned(ground, wheel);\n}}"
        )
    };
    check_text(
        &skate("joint"),
        &expect![[r#"
            error: [MBS081] `momenta` of `M`: speeds of joint `pin` are not the rates of its coordinates
             --> m.mbs:2:20
              |
            2 | kernels: [forward, momenta];
              |                    ^^^^^^^
              |
              = help: leave `momenta` out"#]],
    );
    check_text(
        &skate("natural"),
        &expect![[r#"
        error: [MBS081] `momenta` of `M`: speeds of joint `pin` are not the rates of its coordinates
         --> m.mbs:2:20
          |
        2 | kernels: [forward, momenta];
          |                    ^^^^^^^
          |
          = help: leave `momenta` out"#]],
    );
}

#[test]
fn a_mechanism_is_not_called_like_a_type_of_its_module() {
    for name in ["Params", "Motion", "Reactions", "Inverse"] {
        let text = format!("planar {name} {{ particle p {{ mass: 1 }} joint base = free(ground, p); }}");
        let refused = mbs_codegen::compile_text("taken.mbs", &text, Default::default()).err().expect("it is refused");
        let message = format!("[MBS028] `{name}` is the name of a type in every generated module");
        assert!(refused.to_string().contains(&message), "{refused}");
    }
}
