//! Mistakes in `function` items and in calls of them, and functions that unroll to too much.

mod mistakes;

use expect_test::expect;
use mistakes::{check, check_messages};

#[test]
fn mistakes_are_at_the_user_s_tokens() {
    check(
        "function wave(x) = sin(x) * crank_length;",
        &expect![[r#"
            error: [MBS010] unknown name `crank_length`
             --> m.mbs:1:40
              |
            1 | planar M { function wave(x) = sin(x) * crank_length;
              |                                        ^^^^^^^^^^^^"#]],
    );
    check(
        "function f(x) = g(x) + 1; function g(x) = 2 * f(x);",
        &expect![[r#"
        error: [MBS029] function `f` calls itself through `g`
         --> m.mbs:1:58
          |
        1 | planar M { function f(x) = g(x) + 1; function g(x) = 2 * f(x);
          |                                                          ^
          |
          = help: break the circle"#]],
    );
    check(
        "function sin(x) = x;",
        &expect![[r#"
        error: [MBS028] `sin` is a function of the language
         --> m.mbs:1:21
          |
        1 | planar M { function sin(x) = x;
          |                     ^^^
          |
          = help: choose another name"#]],
    );
    check(
        "function lift(x) = 2 * x; output y = lift(1, 2);",
        &expect![[r#"
        error: [MBS026] `lift` takes 1 argument, not 2
         --> m.mbs:1:49
          |
        1 | planar M { function lift(x) = 2 * x; output y = lift(1, 2);
          |                                                 ^^^^"#]],
    );
    check(
        "function gas: opaque(5);",
        &expect![[r#"
        error: [MBS025] function `gas` cannot give 5 derivatives
         --> m.mbs:1:33
          |
        1 | planar M { function gas: opaque(5);
          |                                 ^
          |
          = help: write how many derivatives it gives: `opaque(2)`, at most 4"#]],
    );
}

#[test]
fn each_mistake_has_its_message() {
    check_messages(
        &[
            "function f(x) = x; function f(y) = y;",
            "function p(x) = x;",
            "function f(a, b, a) = a;",
            "function f(t) = t;",
            "function t(x) = x;",
            "function spline(x) = x;",
            "function f(x) = f(x - 1) + f(x - 2);",
            "function f(x) = g(x); function g(x) = h(x); function h(x) = if x < 1 { g(x) } else { 1 };",
            "function f(x) = x; output y = lft(1) + fi(2);",
            "function f(x) = x; output y = g(1);",
            "function lift(x) = x; output y = lfit(1);",
            "function f(x) = x; output y = f;",
            "function f(x) = x + pin.angle;",
            "function f(x) = x + u;",
            "let e = pin.angle; function f(x) = x + e;",
            "function f(m) = angle(m) - angle(rod);",
            "function f(x) = bodies;",
            "function f(x) = x; function g(x) = f(x, 1) + foo(x);",
            "function f(x) = sin(x); output y = f([1, 2]);",
            "function f(m) = position(m); output y = f(3);",
            "function f(m) = m; output y = f(rod);",
            "function f(x) = 1 / x; output y = f(0);",
            "function f(x) = x; param q = 2 * f(p); output y = q;",
            "for i in 0..2 { function f(x) = x; } output y = f(1);",
            "function f(n) = sum(i for i in 0..n); output y = f(3) + f(p);",
        ],
        &expect![[r#"
            function f(x) = x; function f(y) = y;
              MBS011 `f` is declared twice = help: give one of them another name
            function p(x) = x;
              MBS011 `p` is declared twice = help: give one of them another name
            function f(a, b, a) = a;
              MBS011 function `f` has two parameters `a` = help: give one of them another name
            function f(t) = t;
              MBS028 `t` is reserved = help: choose another name
            function t(x) = x;
              MBS028 `t` is reserved = help: choose another name
            function spline(x) = x;
              MBS028 `spline` is a function of the language = help: choose another name
            function f(x) = f(x - 1) + f(x - 2);
              MBS029 function `f` calls itself = help: break the circle
            function f(x) = g(x); function g(x) = h(x); function h(x) = if x < 1 { g(x) } else { 1 };
              MBS029 function `g` calls itself through `h` = help: break the circle
            function f(x) = x; output y = lft(1) + fi(2);
              MBS026 unknown function `lft`
              MBS026 unknown function `fi` = help: did you mean `f`?
            function f(x) = x; output y = g(1);
              MBS026 unknown function `g` = help: did you mean `f`?
            function lift(x) = x; output y = lfit(1);
              MBS026 unknown function `lfit`
            function f(x) = x; output y = f;
              MBS027 `f` is a function = help: write `f(…)`
            function f(x) = x + pin.angle;
              MBS024 function `f` depends on `pin`, which is none of its parameters = help: beside its parameters a function may use constants, parameters and `t`
            function f(x) = x + u;
              MBS024 function `f` depends on `u`, which is none of its parameters = help: beside its parameters a function may use constants, parameters and `t`
            let e = pin.angle; function f(x) = x + e;
              MBS024 function `f` depends on `e`, which is none of its parameters = help: beside its parameters a function may use constants, parameters and `t`
            function f(m) = angle(m) - angle(rod);
              MBS024 function `f` depends on `rod`, which is none of its parameters = help: beside its parameters a function may use constants, parameters and `t`
            function f(x) = bodies;
              MBS024 function `f` depends on `bodies`, which is none of its parameters = help: beside its parameters a function may use constants, parameters and `t`
            function f(x) = x; function g(x) = f(x, 1) + foo(x);
              MBS026 `f` takes 1 argument, not 2
              MBS026 unknown function `foo`
            function f(x) = sin(x); output y = f([1, 2]);
              MBS020 `sin` takes numbers, not a vector of 2 = help: `f` is called with a vector of 2
            function f(m) = position(m); output y = f(3);
              MBS020 a body or marker is expected, not a number = help: write `body` or `body at [x, y]`
            function f(m) = m; output y = f(rod);
              MBS020 function `f` gives a body, not a number or vector = help: `f` is called with a body
            function f(x) = 1 / x; output y = f(0);
              MBS030 division by zero
            function f(x) = x; param q = 2 * f(p); output y = q;
              MBS024 `p` is not known here = help: defaults and sizes may use constants and earlier parameters
            for i in 0..2 { function f(x) = x; } output y = f(1);
              MBS027 function `f` inside `for` = help: write it outside the loop, with the index as a parameter
            function f(n) = sum(i for i in 0..n); output y = f(3) + f(p);
              MBS024 a bound is a whole-number constant = help: use `const` instead of `param`, `input` or `let`"#]],
    );
}

#[test]
fn functions_written_in_rust_have_their_own_mistakes() {
    check_messages(
        &[
            "function gas: opaque;",
            "function gas: opaque();",
            "function gas: opaque(1.5);",
            "function gas: opaque(-1);",
            "const k = 2; function gas: opaque(k);",
            "function gas: opaque(1, 2);",
            "function gas: opaqe(2); output y = gas(1);",
            "function gas: Table<3>;",
            "function gas: opaque(2); output y = gas(1, 2);",
            "function gas: opaque(2); output y = gas([1, 2]);",
            "function gas: opaque(2); param q = gas(1);",
            "function gas: opaque(2); const q = gas(1);",
            "function gas: opaque(2); body arm { mass: 1 } for i in 0..gas(2) { output y[i] = i; }",
            "function gas: opaque(2); state z = gas(1) { rate: gas(z) };",
            "function gas: opaque(2); output y = gas;",
            "function gas: opaque(2); param gas = 1;",
            "function f = 3 * p;",
            "function f = sin(p);",
            "function f = splin([0, 1], [1, 2]);",
        ],
        &expect![[r#"
            function gas: opaque;
              MBS018 `opaque` of function `gas` needs a number = help: write how many derivatives it gives: `opaque(2)`, at most 4
            function gas: opaque();
              MBS018 `opaque` of function `gas` needs a number = help: write how many derivatives it gives: `opaque(2)`, at most 4
            function gas: opaque(1.5);
              MBS025 function `gas` cannot give 1.5 derivatives = help: write how many derivatives it gives: `opaque(2)`, at most 4
            function gas: opaque(-1);
              MBS024 the number of derivatives is written as a digit = help: write how many derivatives it gives: `opaque(2)`, at most 4
            const k = 2; function gas: opaque(k);
              MBS024 the number of derivatives is written as a digit = help: write how many derivatives it gives: `opaque(2)`, at most 4
            function gas: opaque(1, 2);
              MBS026 `opaque` takes 1 argument, not 2 = help: write how many derivatives it gives: `opaque(2)`, at most 4
            function gas: opaqe(2); output y = gas(1);
              MBS013 unknown kind of function `opaqe` = help: did you mean `opaque`?
            function gas: Table<3>;
              MBS013 unknown kind of function `Table` = help: write `function gas: opaque(2);`
            function gas: opaque(2); output y = gas(1, 2);
              MBS026 `gas` takes 1 argument, not 2
            function gas: opaque(2); output y = gas([1, 2]);
              MBS020 `gas` takes numbers, not a vector of 2
            function gas: opaque(2); param q = gas(1);
              MBS024 the default of `q` is a number, functions written in Rust have no value yet = help: write a number, and set it from Rust
            function gas: opaque(2); const q = gas(1);
              MBS024 constant `q` is made of constants only = help: use `let`
            function gas: opaque(2); body arm { mass: 1 } for i in 0..gas(2) { output y[i] = i; }
              MBS024 a bound is a whole-number constant = help: use `const` instead of `param`, `input` or `let`
            function gas: opaque(2); state z = gas(1) { rate: gas(z) };
              MBS024 the default of `z` is a number, functions written in Rust have no value yet = help: write a number, and set it from Rust
            function gas: opaque(2); output y = gas;
              MBS027 `gas` is a function = help: write `gas(…)`
            function gas: opaque(2); param gas = 1;
              MBS011 `gas` is declared twice = help: give one of them another name
            function f = 3 * p;
              MBS018 function `f` has no parameters = help: write `function f(x) = …;`, or `let f = …;` for a value
            function f = sin(p);
              MBS018 function `f` has no parameters = help: write `function f(x) = …;`, or `let f = …;` for a value
            function f = splin([0, 1], [1, 2]);
              MBS013 unknown kind of function `splin` = help: did you mean `spline`?"#]],
    );
}

#[test]
fn forms_of_later_versions_say_so() {
    check(
        "function road: CubicSpline<16>; output y = road(1);",
        &expect![[r#"
        error: [MBS090] functions of the kind `CubicSpline` are not available yet
         --> m.mbs:1:27
          |
        1 | planar M { function road: CubicSpline<16>; output y = road(1);
          |                           ^^^^^^^^^^^
          |
          = help: write `function f(x) = …;`, or a Rust function and `function f: opaque(2);`"#]],
    );
    check_messages(
        &[
            "function f = linear([1, -1], 0); output y = f(1);",
            "function f = polynomial([1, 2]);",
            "function f = spline(\"knee.csv\"); output y = f(rod);",
            "function f = step(0, 1);",
            "function f = sinusoid(1, 2);",
            "function f(x) = spline([0, 1], [2, 3]);",
        ],
        &expect![[r#"
            function f = linear([1, -1], 0); output y = f(1);
              MBS090 functions of the kind `linear` are not available yet = help: write `function f(x) = …;`, or a Rust function and `function f: opaque(2);`
            function f = polynomial([1, 2]);
              MBS090 functions of the kind `polynomial` are not available yet = help: write `function f(x) = …;`, or a Rust function and `function f: opaque(2);`
            function f = spline("knee.csv"); output y = f(rod);
              MBS090 functions of the kind `spline` are not available yet = help: write `function f(x) = …;`, or a Rust function and `function f: opaque(2);`
            function f = step(0, 1);
              MBS090 functions of the kind `step` are not available yet = help: write `function f(x) = …;`, or a Rust function and `function f: opaque(2);`
            function f = sinusoid(1, 2);
              MBS090 functions of the kind `sinusoid` are not available yet = help: write `function f(x) = …;`, or a Rust function and `function f: opaque(2);`
            function f(x) = spline([0, 1], [2, 3]);
              MBS090 `spline` is not available yet"#]],
    );
}

/// Codes of the mistakes, and how long it takes to find them.
fn codes_of(items: &str) -> (Vec<&'static str>, std::time::Duration) {
    let start = std::time::Instant::now();
    let parsed = mbs_syntax::parse_text("m.mbs", &format!("planar M {{ {items} }}"));
    let errors = mbs_model::resolve(&parsed.definitions[0]).expect_err("they do not end");
    (errors.list().iter().map(|d| d.code).collect(), start.elapsed())
}

#[test]
fn functions_that_unroll_to_too_much_are_refused_quickly() {
    let chain: String = (1..400).map(|i| format!("function f{i}(x) = f{}(x);", i - 1)).collect();
    let tree: String = (1..60).map(|i| format!("function f{i}(x) = f{}(x) + f{}(x);", i - 1, i - 1)).collect();
    let circle: String = (0..3000).map(|i| format!("function f{i}(x) = f{}(x);", (i + 1) % 3000)).collect();
    for (items, code) in [
        (format!("function f0(x) = x; {chain} output y = f399(1);"), "MBS039"),
        (format!("function f0(x) = x; {tree} output y = f59(1);"), "MBS039"),
        (format!("{circle} output y = f7(1);"), "MBS029"),
    ] {
        let (codes, time) = codes_of(&items);
        assert_eq!(codes, [code]);
        assert!(time < std::time::Duration::from_secs(10), "{time:?} for {}", &items[..60]);
    }
}
