//! `function` items: their grammar, the meaning of calls, and binding of Rust functions.

use expect_test::expect;
use mbs_expr::{FunctionError, FunctionId, Op, Partial, Series};

use crate::oracle::{Oracle, assert_close, items, model};
use crate::shown::items_shown;

#[test]
fn all_forms_are_read() {
    expect![[r#"
        /* Valve lift. */ function lift(x) = (0.01 * sin(x));
        function two() = 2;
        function mix(a, b, s) = (a + ((b - a) * s));
        /* Gas force. */ function gas: opaque(2);
        function road: CubicSpline(16);
        function f = spline([0, 1], [2, 3]);
        function g: table();
        function h: pair(2, (n + 1));
        param function = 1;"#]].assert_eq(&items_shown(
        "/// Valve lift.\nfunction lift(x) = 0.01 * sin(x); function two() = 2; function mix(a, b, s,) = a + (b - a) * s; \
         /// Gas force.\nfunction gas: opaque(2); function road: CubicSpline<16>; function f = spline([0, 1], [2, 3]); \
         function g: table; function h: pair<2, n + 1>; param function = 1;",
    ));
}

#[test]
fn mistakes_in_the_grammar_are_single() {
    expect![[r#"
        function f = ?;
        param p = 1;
        error: [MBS001] expected `=` after the parameters of `f`, found `2`
         --> m.mbs:1:26
          |
        1 | planar M { function f(x) 2 * x; param p = 1; }
          |                          ^"#]]
    .assert_eq(&items_shown("function f(x) 2 * x; param p = 1;"));
    expect![[r#"
        function f = ?;
        param p = 1;
        error: [MBS001] expected `(`, `=` or `:` after `f`, found `;`
         --> m.mbs:1:22
          |
        1 | planar M { function f; param p = 1; }
          |                      ^
          |
          = help: write `function f(x) = …;` or `function f: opaque(2);`"#]]
    .assert_eq(&items_shown("function f; param p = 1;"));
    expect![[r#"
        function f = ?;
        param p = 1;
        error: [MBS001] expected `,` or `)` after a parameter, found `y`
         --> m.mbs:1:25
          |
        1 | planar M { function f(x y) = x; param p = 1; }
          |                         ^"#]]
    .assert_eq(&items_shown("function f(x y) = x; param p = 1;"));
    expect![[r#"
        function f = ?;
        param p = 1;
        error: [MBS001] expected a name, found `2`
         --> m.mbs:1:23
          |
        1 | planar M { function f(2) = 2; param p = 1; }
          |                       ^"#]]
    .assert_eq(&items_shown("function f(2) = 2; param p = 1;"));
    expect![[r#"
        function f = ?;
        param p = 1;
        error: [MBS001] expected a kind of function after `:`, found `2`
         --> m.mbs:1:24
          |
        1 | planar M { function f: 2; param p = 1; }
          |                        ^"#]]
    .assert_eq(&items_shown("function f: 2; param p = 1;"));
    expect![[r#"
        function f = ?;
        param p = 1;
        error: [MBS003] `^` is not an operator
         --> m.mbs:1:30
          |
        1 | planar M { function f(x) = x ^ 2; param p = 1; }
          |                              ^
          |
          = help: write `x.powi(2)`"#]]
    .assert_eq(&items_shown("function f(x) = x ^ 2; param p = 1;"));
    expect![[r#"
        function f = ?;
        param p = 1;
        error: [MBS001] expected `,` or `>`, found `;`
         --> m.mbs:1:31
          |
        1 | planar M { function f: table<2; param p = 1; }
          |                               ^"#]]
    .assert_eq(&items_shown("function f: table<2; param p = 1;"));
    expect![[r#"
        function f(x) = (2 * x);
        param p = 1;
        error: [MBS001] expected `;` after function `f`
         --> m.mbs:1:33
          |
        1 | planar M { function f(x) = 2 * x param p = 1; }
          |                                 ^"#]]
    .assert_eq(&items_shown("function f(x) = 2 * x param p = 1;"));
}

#[test]
fn a_call_is_replaced_by_its_value() {
    let model = items(
        "param k = 3; const two = 2;
         function scaled(x) = k * x + two;
         function twice(x) = 2 * scaled(x) + t;
         function turned(v, angle) = [v.x * cos(angle) - v.y * sin(angle), v.x * sin(angle) + v.y * cos(angle)];
         function height(m) = position(m at [0.5, 0]).y;
         function soft(x) = if positive(x) { x } else { 0 };
         function positive(x) = x > 0;
         function none() = 7; let half = k / 2; function shifted(x) = x + half + t;
         const n = scaled_const(2); function scaled_const(i) = i * two;
         body bar { mass: n, inertia: scaled_const(1) }
         joint pin = revolute(ground, bar);
         let s = pin.angle;
         output direct = k * s + two; output a = scaled(s); output b = s.scaled();
         output c = twice(s); output d = turned(position(bar), 0.5 * PI); output e = position(bar);
         output f = height(bar); output g = position(bar at [0.5, 0]).y; output h = soft(-1) + soft(s) + none();
         output i = sum(scaled(j) for j in 0..3); output j = shifted(1);",
    );
    assert!(model.functions.is_empty());
    let o = Oracle::new(&model);
    let out = |name: &str| o.output(name);
    assert_close(&out("a"), &out("direct"));
    assert_close(&out("b"), &out("direct"));
    assert_close(&out("c"), &[2.0 * out("direct")[0] + o.time]);
    let e = out("e");
    assert_close(&out("d"), &[-e[1], e[0]]);
    assert_close(&out("f"), &out("g"));
    assert_close(&out("h"), &[o.output("direct")[0] / 3.0 - 2.0 / 3.0 + 7.0]);
    assert_close(&out("i"), &[3.0 * 3.0 + 3.0 * 2.0]);
    assert_close(&out("j"), &[1.0 + 1.5 + o.time]);
    assert_eq!(model.exprs.value(model.bodies[0].mass), Some(4.0));
    // The expression itself, not an equal one.
    let id = |name: &str| model.outputs.iter().find(|o| o.name == name).unwrap().values[0];
    assert_eq!(id("a"), id("direct"));
}

#[test]
fn parameters_hide_declared_names_and_names_of_the_caller_are_unknown() {
    let model = items(
        "param x = 5; param i = 7;
         function f(x) = 10 * x + i;
         function g(y) = x + y;
         for i in 0..2 { output a[i] = f(i); }
         output b = f(g(x)); output c = sum(f(i) for i in 1..2);",
    );
    let o = Oracle::new(&model);
    assert_close(&o.output("a[0]"), &[7.0]);
    assert_close(&o.output("a[1]"), &[17.0]);
    assert_close(&o.output("b"), &[107.0]);
    assert_close(&o.output("c"), &[17.0]);
}

const GAS: &str = "planar M {
    /// Force.
    function gas: opaque(2);
    function shift: opaque(0);
    body bar { mass: 1, inertia: 1 }
    joint pin = revolute(ground, bar);
    output value = gas(2 * pin.angle);
    output rate = rate(gas(2 * pin.angle));
    output constant = gas(0.5);
    output other = shift(gas(t));
}";

#[test]
fn a_function_written_in_rust_is_called_with_its_derivatives() {
    let mut model = model(GAS);
    let declared: Vec<(&str, &str, u8)> =
        model.functions.iter().map(|f| (f.name.as_str(), f.docs.as_str(), f.derivatives().unwrap())).collect();
    assert_eq!(declared, [("gas", "Force.", 2), ("shift", "", 0)]);
    let value = model.outputs[0].values[0];
    let Op::Called { function: FunctionId(0), partial, .. } = model.exprs.op(value) else {
        panic!("{:?}", model.exprs.op(value))
    };
    assert_eq!(partial, Partial::derivative(0));
    assert!(model.exprs.mentions(value).opaque && model.exprs.order(value) == Some(0));
    assert_eq!(Oracle::new(&model).output("value")[0].to_bits(), f64::NAN.to_bits());

    model.bind("gas", |x, y| y.copy_from_slice(&[x.sin(), x.cos(), -x.sin()])).unwrap();
    model.bind("shift", |x, y| y.copy_from_slice(&[x + 1.0])).unwrap();
    model.check_bound().unwrap();
    let o = Oracle::new(&model);
    let angle = o.poses[0][2];
    assert_close(&o.output("value"), &[(2.0 * angle.value()).sin()]);
    assert_close(&o.output("rate"), &[(2.0 * angle.value()).cos() * 2.0 * angle.derivative(1)]);
    assert_close(&o.output("constant"), &[0.5f64.sin()]);
    assert_close(&o.output("other"), &[o.time.sin() + 1.0]);
    let second = o.series(value).derivative(2);
    let expected = (2.0 * angle.value()).cos() * 2.0 * angle.derivative(2)
        - (2.0 * angle.value()).sin() * (2.0 * angle.derivative(1)).powi(2);
    assert_close(&[second], &[expected]);
    // `opaque(2)`: the third derivative is not known.
    assert!(o.series(value).derivative(3).is_nan());
}

#[test]
fn functions_are_bound_by_name() {
    let mut model = model(GAS);
    let unbound = FunctionError::Unbound { name: "gas".to_owned(), derivatives: 2 };
    assert_eq!(model.check_bound(), Err(unbound.clone()));
    let unknown = model.bind("gass", |_, _| {}).unwrap_err();
    expect!["no opaque function is called `gass`, did you mean `gas`?"].assert_eq(&unknown.to_string());
    expect!["no Rust function is bound to `gas`, which gives a value and 2 derivatives"]
        .assert_eq(&unbound.to_string());
    assert_eq!(format!("{unbound:?}"), unbound.to_string());
    model.bind("gas", |_, values| assert_eq!(values.len(), 3)).unwrap();
    // Entries that it does not write are not known; it reads no arguments beyond the declared ones.
    model.functions[0].with_results(&[1.0], |results| {
        assert!(results.numbers.len() == 3 && results.numbers.iter().all(|x| x.is_nan()));
    });
}

#[test]
fn composing_takes_only_the_derivatives_it_needs() {
    // exp(x) with x = 1 + 2τ + 3τ².
    let e = 1f64.exp();
    let x = Series::<4>([1.0, 2.0, 3.0, 0.0]);
    let by_derivative = mbs_expr::Scalar::unary(x, mbs_expr::Function::Exp);
    assert_close(&x.compose(&[e; 4]).0, &by_derivative.0);
    let known = x.compose(&[e; 2]).0;
    assert_close(&known[..2], &by_derivative.0[..2]);
    assert!(known[2].is_nan() && known[3].is_nan());
    // τ² has no first order: the second derivative is needed at order 4 only.
    assert_close(&Series::<4>([1.0, 0.0, 3.0, 0.0]).compose(&[e; 2]).0, &[e, 0.0, 3.0 * e, 0.0]);
    assert_close(&Series::<4>::constant(1.0).compose(&[e]).0, &[e, 0.0, 0.0, 0.0]);
}
