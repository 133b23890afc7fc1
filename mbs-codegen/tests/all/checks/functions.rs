//! Functions of the declaration in the compiler: derivatives that kernels need, refused declarations, shared calls.

use std::fmt::Write;

use expect_test::expect;
use mbs_codegen::{Failure, compile_text, generate};
use mbs_compiler::compile::{Compiled, Options};
use mbs_compiler::interp::Fma;
use mbs_compiler::program::{Op, Statement};
use mbs_core::{Mechanism, StateView};
use mbs_expr::FunctionError;
use mbs_interp::{InterpretError, Interpreted};
use mbs_model::Formulation;

use crate::checks::checked::{FORMULATIONS, planar};

/// A pendulum with items.
fn pendulum(items: &str) -> String {
    planar(&format!("body bar {{ mass: 1, inertia: 1, com: [1, 0] }}\njoint pin = revolute(ground, bar);\n{items}"))
}

fn compile(text: &str, formulation: Formulation) -> Result<Compiled, String> {
    match compile_text("m.mbs", text, Options { formulation: Some(formulation), ..Options::default() }) {
        Ok(mut list) => Ok(list.remove(0).0),
        Err(Failure::Mistakes(text)) => Err(text),
        Err(other) => panic!("{other}"),
    }
}

/// Rendered messages of a text, which are listed by formulation if they differ.
fn failure(text: &str) -> String {
    let [body, joint] = FORMULATIONS.map(|f| compile(text, f).err().unwrap_or_default());
    if body == joint { body } else { format!("body:\n{body}\njoint:\n{joint}") }
}

/// The first line of the messages of a text with `opaque(k)`, for k = 0, 1, …, up to the first that compiles.
fn failures_by_derivatives(items: &str) -> String {
    let mut all = String::new();
    for k in 0..=4 {
        let text = failure(&pendulum(&items.replace("opaque(k)", &format!("opaque({k})"))));
        writeln!(all, "{k}: {}", text.lines().next().unwrap_or("compiles")).unwrap();
        if text.is_empty() {
            break;
        }
    }
    all
}

#[test]
fn mbs067_too_few_derivatives() {
    expect![[r#"
        error: [MBS067] `profile` gives 1 derivative, `accelerations` needs a second
         --> m.mbs:4:10
          |
        4 | function profile: opaque(1);
          |          ^^^^^^^
          |
          = help: write `function profile: opaque(2);`"#]]
    .assert_eq(&failure(&pendulum("function profile: opaque(1);\ndrive spin = pin.angle == profile(t);")));
    // For a part with two instances there is one message, and the help shows the declaration of the part.
    expect![[r#"
        error: [MBS067] `left.profile` gives 1 derivative, `accelerations` needs a second
         --> m.mbs:2:27
          |
        2 | part motor(of) { function profile: opaque(1); drive spin = of.angle == profile(t); }
          |                           ^^^^^^^
          |
          = help: write `function profile: opaque(2);`"#]]
    .assert_eq(&failure(&planar(
        "part motor(of) { function profile: opaque(1); drive spin = of.angle == profile(t); }
        body bar { mass: 1, inertia: 1, com: [1, 0] } joint pin = revolute(ground, bar); part left = motor(pin);
        body rod { mass: 1, inertia: 1, com: [1, 0] } joint axle = revolute(bar, rod); part right = motor(axle);",
    )));
    // The fifth rate needs more derivatives than any function gives.
    expect![[r#"
        error: [MBS067] `f` gives 4 derivatives, `accelerations` needs a 5th
         --> m.mbs:4:10
          |
        4 | function f: opaque(4);
          |          ^
          |
          = help: a function gives 4 derivatives at most"#]]
    .assert_eq(&failure(&pendulum(
        "function f: opaque(4);\nforce p = torque(ground, bar) { torque: rate(rate(rate(rate(rate(f(t)))))) };",
    )));
}

/// Rows of a cam contain a tangent: γ needs c‴, and the Jacobian contains c″.
#[test]
fn curves_of_cams_need_three_derivatives() {
    expect![[r#"
        0: error: [MBS067] `f` gives no derivative, `accelerations` needs a third
        1: error: [MBS067] `f` gives 1 derivative, `accelerations` needs a third
        2: error: [MBS067] `f` gives 2 derivatives, `accelerations` needs a third
        3: compiles
    "#]]
    .assert_eq(&failures_by_derivatives(
        "function f: opaque(k); body rod { mass: 1, inertia: 1, position: [0, 1] } joint guide = prismatic(ground, rod) { axis: [0, 1] };
        curve lobe(s) on bar = [s, f(s)]; curve rim on rod = circle(0.1); joint contact = cam(lobe, rim);",
    ));
    // A curve of which only the curvature is used.
    expect![[r#"
        0: error: [MBS067] `f` gives no derivative, `outputs` needs a second
        1: error: [MBS067] `f` gives 1 derivative, `outputs` needs a second
        2: compiles
    "#]]
    .assert_eq(&failures_by_derivatives(
        "function f: opaque(k); input u; curve lobe(s) on bar = [s, f(s)]; output y = lobe.curvature(u);",
    ));
}

#[test]
fn loads_need_no_derivative() {
    expect![[r#"
        0: compiles
    "#]]
    .assert_eq(&failures_by_derivatives(
        "function f: opaque(k); force p = torque(ground, bar) { torque: f(pin.rate) };",
    ));
    expect![[r#"
        0: compiles
    "#]]
    .assert_eq(&failures_by_derivatives("function f: opaque(k); state z = 0 { rate: f(z) };"));
}

#[test]
fn potentials_need_one_derivative() {
    expect![[r#"
        0: error: [MBS067] `f` gives no derivative, `accelerations` needs one
        1: compiles
    "#]]
    .assert_eq(&failures_by_derivatives("function f: opaque(k); potential p = f(pin.angle);"));
}

#[test]
fn outputs_need_one_derivative_where_they_have_a_rate() {
    expect![[r#"
        0: error: [MBS067] `f` gives no derivative, `output_rates` needs one
        1: compiles
    "#]]
    .assert_eq(&failures_by_derivatives("function f: opaque(k); output y = f(pin.angle);"));
    expect![[r#"
        0: error: [MBS067] `f` gives no derivative, `output_rates` needs a second
        1: error: [MBS067] `f` gives 1 derivative, `output_rates` needs a second
        2: compiles
    "#]]
    .assert_eq(&failures_by_derivatives("function f: opaque(k); output y = rate(f(pin.angle));"));
    expect![[r#"
        0: compiles
    "#]]
    .assert_eq(&failures_by_derivatives("function f: opaque(k); input u; output y = f(u);"));
    expect![[r#"
        0: compiles
    "#]]
    .assert_eq(&failures_by_derivatives("function f: opaque(k); kernels: [forward]; output y = f(pin.angle);"));
}

#[test]
fn position_rows_need_two_derivatives_and_velocity_rows_one() {
    expect![[r#"
        0: error: [MBS067] `f` gives no derivative, `accelerations` needs a second
        1: error: [MBS067] `f` gives 1 derivative, `accelerations` needs a second
        2: compiles
    "#]]
    .assert_eq(&failures_by_derivatives("function f: opaque(k); drive spin = pin.angle == f(t);"));
    expect![[r#"
        0: error: [MBS067] `f` gives no derivative, `accelerations` needs one
        1: compiles
    "#]]
    .assert_eq(&failures_by_derivatives("function f: opaque(k); drive spin = pin.rate == f(t);"));
    expect![[r#"
        0: error: [MBS067] `f` gives no derivative, `accelerations` needs a second
        1: error: [MBS067] `f` gives 1 derivative, `accelerations` needs a second
        2: compiles
    "#]]
    .assert_eq(&failures_by_derivatives(
        "function f: opaque(k); body end { mass: 1, inertia: 1 } joint far = revolute(bar at [2, 0], end);
         joint shaken = point_on_line(ground at [0, f(t)], end at [3, 0]) { axis: [1, 0] };",
    ));
}

#[test]
fn mbs068_values_that_the_compiler_needs() {
    expect![[r#"
        error: [MBS068] body `end` needs values of `f`, which the compiler cannot call
         --> m.mbs:5:6
          |
        5 | body end { mass: f(1), inertia: 1 }
          |      ^^^
          |
          = help: it may stand in loads, rates, outputs, rows and poses of joint kinds; the engine calls it anywhere"#]]
    .assert_eq(&failure(&pendulum(
        "function f: opaque(2);\nbody end { mass: f(1), inertia: 1 }\njoint far = revolute(bar at [2, 0], end);",
    )));
    let first = |items: &str| failure(&pendulum(items)).lines().next().unwrap_or("compiles").to_owned();
    let all = [
        "function f: opaque(2); initial pin.angle = f(0);",
        "function f: opaque(2); initial pin.rate ~ f(0);",
        "function f: opaque(2); body end { mass: 1, inertia: 1, angle: f(1) } joint far = revolute(bar at [2, 0], end);",
        "function f: opaque(2); body end { mass: 1, inertia: 1, rate: f(1) } joint far = revolute(bar at [2, 0], end);",
        "function f: opaque(2); body end { mass: 1, inertia: 1 } joint far = revolute(bar at [f(2), 0], end);",
        "function f: opaque(2); body end { mass: 1, inertia: 1 } joint far = prismatic(bar, end) { axis: [1, f(2)] };",
        "param p = 1; function f: opaque(2); joint kind Knee(a, b) { coordinate q = f(p); pose { rotation: q } }
         body end { mass: 1, inertia: 1 } joint far = Knee(bar, end);",
    ]
    .map(first);
    expect![[r#"
        error: [MBS068] `initial pin.angle` needs values of `f`, which the compiler cannot call
        error: [MBS068] `initial pin.rate` needs values of `f`, which the compiler cannot call
        error: [MBS068] body `end` needs values of `f`, which the compiler cannot call
        error: [MBS068] body `end` needs values of `f`, which the compiler cannot call
        error: [MBS068] joint `far` needs values of `f`, which the compiler cannot call
        error: [MBS068] joint `far` needs values of `f`, which the compiler cannot call
        error: [MBS068] joint `far` needs values of `f`, which the compiler cannot call"#]]
    .assert_eq(&all.join("\n"));
}

/// In body coordinates the declared poses of bodies are their coordinates. Joint coordinates would have to be computed from them.
#[test]
fn mbs068_declared_poses_that_depend_on_unknown_poses() {
    let first = |items: &str| {
        let kind = "function f: opaque(2); joint kind Knee(a, b) { coordinate q: angle; pose { rotation: ROT, translation: MOVE } }";
        let (rotation, items) = items.split_once(';').unwrap();
        let (translation, items) = items.split_once(';').unwrap();
        let text = format!("{}{items}", kind.replace("ROT", rotation).replace("MOVE", translation));
        let [body, joint] = FORMULATIONS.map(|f| compile(&pendulum(&text), f).err().unwrap_or_default());
        assert_eq!(body, "", "{text}");
        joint.lines().filter(|l| l.contains("error") || l.contains("help")).collect::<Vec<_>>().join("\n")
    };
    let shank = "body end { mass: 1, inertia: 1 POSE } joint far = Knee(bar at [2, 0], end);";
    let foot = "body end { mass: 1, inertia: 1 } joint far = Knee(bar at [2, 0], end);
        body foot { mass: 1, inertia: 1 POSE } joint ankle = revolute(end at [2, 0], foot);";
    let all = [
        format!("f(q); [0, 0]; {}", shank.replace("POSE", ", angle: 1")),
        format!("q; [f(q), 0]; {}", shank.replace("POSE", ", position: [2, 1]")),
        format!("q; [f(q), 0]; {}", shank.replace("POSE", ", velocity: [0, 1]")),
        format!("f(q); [0, 0]; {}", foot.replace("POSE", ", angle: 1")),
        // The angle of a pin does not depend on the position of its bodies.
        format!("q; [f(q), 0]; {}", foot.replace("POSE", ", angle: 1")),
        format!("f(q); [0, 0]; {} initial far.q ~ 0.3; initial ankle.angle = 0.2;", foot.replace("POSE", "")),
        format!("f(q); [0, 0]; {} initial position(foot).x ~ 0.3;", foot.replace("POSE", "")),
    ];
    expect![[r#"
        error: [MBS068] `angle` of body `end` needs values of `f`, which the compiler cannot call
          = help: write `initial far.q = …;` instead, or `coordinates: body`
        error: [MBS068] `position` of body `end` needs values of `f`, which the compiler cannot call
          = help: write `initial far.q = …;` instead, or `coordinates: body`
        error: [MBS068] `velocity` of body `end` needs values of `f`, which the compiler cannot call
          = help: write `initial far.q = …;` instead, or `coordinates: body`
        error: [MBS068] `angle` of body `foot` needs values of `f`, which the compiler cannot call
          = help: write `initial ankle.angle = …;` instead, or `coordinates: body`


        error: [MBS068] `initial position(foot).x` needs values of `f`, which the compiler cannot call
          = help: it may stand in loads, rates, outputs, rows and poses of joint kinds; the engine calls it anywhere"#]]
    .assert_eq(&all.map(|text| first(&text)).join("\n"));
}

/// γ of rows and accelerations of poses need a second derivative; their derivatives need a third.
#[test]
fn rows_and_poses_need_two_derivatives_and_their_derivatives_a_third() {
    let knee = "function f: opaque(k); joint kind Knee(a, b) { coordinate q: angle; pose { rotation: q, translation: [f(q), 0] } }
        body end { mass: 1, inertia: 1 } joint far = Knee(bar at [2, 0], end);";
    let row = "function f: opaque(k); body end { mass: 1, inertia: 1 } joint far = revolute(bar at [2, 0], end);
        coupling follow = far.angle == f(pin.angle);";
    expect![[r#"
        0: error: [MBS067] `f` gives no derivative, `accelerations` needs a second
        1: error: [MBS067] `f` gives 1 derivative, `accelerations` needs a second
        2: compiles
        0: error: [MBS067] `f` gives no derivative, `accelerations` needs a second
        1: error: [MBS067] `f` gives 1 derivative, `accelerations` needs a second
        2: compiles
    "#]]
    .assert_eq(&[knee, row].map(failures_by_derivatives).concat());
    for kernel in ["jacobians", "linearization"] {
        for items in [knee, row] {
            let derivatives = failures_by_derivatives(&format!("kernels: [{kernel}]; {items}"));
            let last: Vec<&str> = derivatives.lines().skip(2).collect();
            assert_eq!(
                last,
                ["2: error: [MBS067] `f` gives 2 derivatives, `derivatives` needs a third", "3: compiles"],
                "{kernel}: {derivatives}"
            );
        }
    }
}

/// Φ of a drive by a function is unknown; the checked pose, and with it the guess of a run, is the declared one.
#[test]
fn rows_with_a_function_of_time_are_satisfied_by_the_declared_pose() {
    let text = pendulum(
        "function profile: opaque(2); drive spin = pin.angle == profile(t); initial pin.angle ~ 0.7; freedoms: 1;",
    );
    for formulation in FORMULATIONS {
        let mut compiled = compile(&text, formulation).unwrap();
        assert_eq!(compiled.checked.undriven, 0);
        assert!((compiled.checked.q.last().unwrap() - 0.7).abs() < 1e-12);
        compiled.model.bind("profile", |t, y| y.copy_from_slice(&[0.5 + t, 1.0, 0.0])).unwrap();
        let mechanism = Interpreted::new(compiled, Fma::Plain).unwrap();
        let mut state = mbs_core::State::new(&mechanism);
        mbs_core::assemble(&mechanism, &mut state).unwrap();
        assert!((state.q.last().unwrap() - 0.5).abs() < 1e-12 && (state.v.last().unwrap() - 1.0).abs() < 1e-12);
    }
    // A second drive of one freedom is nevertheless redundant.
    let twice = text.replace("drive spin", "drive other = pin.angle == 2 * profile(t); drive spin");
    assert!(failure(&twice).contains("[MBS060]"), "{}", failure(&twice));
}

#[test]
fn an_interpreted_mechanism_needs_its_functions() {
    let text = pendulum("function gas: opaque(1); force p = torque(ground, bar) { torque: gas(pin.angle) };");
    let unbound = Interpreted::new(compile(&text, Formulation::Joint).unwrap(), Fma::Plain).err().unwrap();
    assert_eq!(unbound, InterpretError::Function(FunctionError::Unbound { name: "gas".to_owned(), derivatives: 1 }));
    expect!["no Rust function is bound to `gas`, which gives a value and 1 derivative"].assert_eq(&unbound.to_string());
    assert_eq!(format!("{unbound:?}"), unbound.to_string());

    let mut compiled = compile(&text, Formulation::Joint).unwrap();
    compiled.model.bind("gas", |x, y| y.copy_from_slice(&[3.0 * x, 3.0])).unwrap();
    let mechanism = Interpreted::new(compiled, Fma::Plain).unwrap();
    let (mut a, mut lambda) = ([0.0], []);
    let at = StateView { t: 0.0, q: &[0.5], v: &[0.0], z: &[], u: &[] };
    mechanism.accelerations(at, &mut a, &mut lambda).unwrap();
    // (I + m) a = 3 q.
    assert!((a[0] - 0.75).abs() < 1e-15);
}

/// Number of calls of Rust functions in a kernel.
fn calls(compiled: &Compiled, kernel: &str) -> usize {
    let function = if kernel == "prepare" { Some(&compiled.program.prepare) } else { compiled.function(kernel) };
    let body = &function.expect("the kernel is there").body;
    body.iter().filter(|s| matches!(s, Statement::Let { op: Op::Called(..), .. })).count()
}

#[test]
fn equal_arguments_are_one_call_and_constants_are_called_with_the_parameters() {
    let text = pendulum(
        "param p = 2; function f: opaque(2); function g: opaque(2);
         force a = torque(ground, bar) { torque: f(pin.angle) + rate(f(pin.angle)) + g(pin.angle) };
         force b = torque(ground, bar) { torque: 2 * f(pin.angle) * f(p) + f(3) };",
    );
    for formulation in FORMULATIONS {
        let compiled = compile(&text, formulation).unwrap();
        assert_eq!(calls(&compiled, "accelerations"), 2);
        assert_eq!(calls(&compiled, "prepare"), 2);
        assert_eq!(compiled.function("accelerations").unwrap().counts.calls, 2);
    }
}

#[test]
fn required_rust_functions_are_documented_and_have_one_call() {
    let text = pendulum(
        "/// Torque of the gas.\nfunction gas: opaque(2); function flat: opaque(0);
         force p = torque(ground, bar) { torque: gas(pin.angle) + flat(t) };",
    );
    let rust = generate("m.mbs", &text, Options::default()).unwrap();
    let docs: Vec<&str> =
        rust.lines().map(str::trim).skip_while(|l| !l.contains("# Functions to provide")).take(6).collect();
    expect![[r#"
        /// # Functions to provide
        ///
        /// The enclosing module defines them; equal arguments always give equal results.
        ///
        /// - `fn gas(x: f64) -> [f64; 3]`: value, first and second derivative. Torque of the gas.
        /// - `fn flat(x: f64) -> [f64; 1]`: the value."#]]
    .assert_eq(&docs.join("\n"));
    let module: Vec<&str> = rust.lines().map(str::trim).skip_while(|l| !l.contains("mod functions")).take(9).collect();
    expect![[r#"
        mod functions {
        /// `gas` of the enclosing module: value, first and second derivative.
        #[inline]
        pub fn gas(x: f64) -> [f64; 3] {
        let call = |x: f64| -> [f64; 3] { super::super::gas(x) };
        #[cfg(debug_assertions)]
        if WATCHES[0].is_armed() {
        WATCHES[0]
        .check("#]]
    .assert_eq(&module.join("\n"));
    assert_eq!(rust.matches("super::super::gas(").count(), 1);
    let kernel = rust.lines().find(|l| l.contains("functions::gas(")).unwrap();
    expect!["let [gas_q0, _, _] = super::functions::gas(q[0]);"].assert_eq(kernel.trim());
}
