//! Messages about `function` items, their calls, and functions that unroll to too many expressions.

use expect_test::expect;

use crate::mistakes::{check, check_messages};

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
              MBS026 unknown function `fi`
            function f(x) = x; output y = g(1);
              MBS026 unknown function `g`
            function lift(x) = x; output y = lfit(1);
              MBS026 unknown function `lfit` = help: did you mean `lift`?
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
fn mistakes_of_functions_written_in_rust_are_reported() {
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
              MBS026 `opaque` takes 1 argument, not 2 = help: write a type after the number of derivatives: `opaque(2, GasTable)`
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
fn mbs043_points_of_splines() {
    check(
        "function f = spline([0, 1, 1], [2, 3, 4]); output y = f(1);",
        &expect![[r#"
            error: [MBS043] the points of spline `f` do not increase: 1 follows 1
             --> m.mbs:1:39
              |
            1 | planar M { function f = spline([0, 1, 1], [2, 3, 4]); output y = f(1);
              |                                       ^
              |
              = help: sort them, each once"#]],
    );
}

#[test]
fn mbs044_fits_that_fail() {
    check(
        "function f = spline([0, 1e-300], [1, 1e100]);",
        &expect![[r#"
        error: [MBS044] the fit of spline `f` failed: its coefficients are not finite
         --> m.mbs:1:25
          |
        1 | planar M { function f = spline([0, 1e-300], [1, 1e100]);
          |                         ^^^^^^
          |
          = help: the points are too close for their values"#]],
    );
}

#[test]
fn mistakes_in_functions_made_from_data() {
    check_messages(
        &[
            "function f = linear([1, -1], 0); output y = f(1);",
            "function f = linear(1, 2);",
            "function f = linear([1, 2]);",
            "function f = polynomial([1, 2], 3);",
            "function f = polynomial(rod);",
            "function f = sinusoid(1, 2);",
            "function f = step([0, 1, 2], [0, 1]);",
            "function f = step([p, p], [0, 1]);",
            "function f = harmonic([0, 1], 1);",
            "function f = cycloidal([p, p], [0, 1]);",
            "output y = polynomial_345([0, 1], [0, 1]);",
            "function f = polynomial_456([0, 1], [0, 1]);",
            "function f = constant(pin.angle);",
            "function f = constant(1) { ends: natural };",
            "function f = constant(1); output y = f(1, 2);",
            "function f(x) = spline([0, 1], [2, 3]);",
            "function spline(x) = x;",
            "function constant = constant(1);",
            "function f = spline([0, 1]);",
            "function f = spline(0, 1);",
            "function f = spline([0, 1], 1);",
            "function f = spline([0], [1]);",
            "function f = spline([0, 1], [1, 2, 3]);",
            "function f = spline([0, 1], [[1, 2, 3], [4, 5, 6]]);",
            "function f = spline([0, p], [1, 2]);",
            "function f = spline([0, 1], [1, pin.angle]);",
            "function f = spline([0, 1, 2], [1, 2, 3]) { ends: not_a_knot };",
            "function f = spline([0, 1, 2, 3], [1, 2, 3, 4]) { ends: periodic };",
            "function f = spline([0, 1, 2, 3], [1, 2, 3, 1]) { ends: periodic, beyond: linear };",
            "function f = spline([0, 1], [1, 2]) { ends: clamped };",
            "function f = spline([0, 1], [1, 2]) { ends: clamped(1) };",
            "function f = spline([0, 1], [1, 2]) { ends: clamped(1, p) };",
            "function f = spline([0, 1], [1, 2]) { ends: naturl };",
            "function f = spline([0, 1], [1, 2]) { ends: 3 };",
            "function f = spline([0, 1], [1, 2]) { beyond: flat };",
            "function f = spline([0, 1], [1, 2]) { smoothing: -1 };",
            "function f = spline([0, 1], [1, 2]) { smoothing: 1, ends: clamped(0, 0) };",
            "function f = spline([0, 1], [1, 2]) { smooth: 1 };",
            "function f = spline([0, 1e-300], [1, 1e100]);",
            "const c = f(1); function f = spline([0, c], [1, 2]);",
            "function f = spline([0, 1], [1, 2]); output y = f([1, 2]);",
            "function f = spline([0, 1], [1, 2]); output y = f;",
            "function f = bicubic([0, 1], [1, 2]);",
            "function f = bicubic(1, [0, 1], [[1, 2], [3, 4]]);",
            "function f = bicubic([0, 1], [0, 1], [1, 2]);",
            "function f = bicubic([0, 1], [0, 1, 2], [[1, 2], [3, 4], [5, 6]]);",
            "function f = bicubic([0, 1], [0, 1, 2], [[1, 2], [3, 4]]);",
            "function f = bicubic([0, 1], [1, 0], [[1, 2], [3, 4]]);",
            "function f = bicubic([0, 0], [0, 1], [[1, 2], [3, 4]]);",
            "function f = bicubic([0, 1], [0], [[1], [3]]);",
            "function f = bicubic([0, p], [0, 1], [[1, 2], [3, 4]]);",
            "function f = bicubic([0, 1], [0, 1, 2, 3], [[1, 2, 3, 1], [3, 4, 5, 6]]) { ends: [natural, periodic] };",
            "function f = bicubic([0, 1, 2, 3], [0, 1], [[1, 2], [2, 3], [3, 4], [1, 3]]) { ends: [periodic, natural] };",
            "function f = bicubic([0, 1], [0, 1], [[1, 2], [3, 4]]) { ends: [natural] };",
            "function f = bicubic([0, 1], [0, 1], [[1, 2], [3, 4]]) { ends: natrual };",
            "function f = bicubic([0, 1], [0, 1], [[1, 2], [3, 4]]) { ends: periodic, beyond: cubic };",
            "function f = bicubic([0, 1], [0, 1], [[1, 2], [3, 4]]) { smoothing: 1 };",
            "function f = bicubic([0, 1e-300], [0, 1], [[1, 2], [1e100, 4]]);",
            "function f = bicubic([0, 1], [0, 1], [[1, 2], [3, 4]]); output y = f(1);",
            "function f: CubicSpline<2> = bicubic([0, 1], [0, 1], [[1, 2], [3, 4]]);",
        ],
        &expect![[r#"
            function f = linear([1, -1], 0); output y = f(1);
              MBS026 `f` takes 2 arguments, not 1
            function f = linear(1, 2);
              MBS026 `linear` is made of something else = help: write `linear([a, b], c)`
            function f = linear([1, 2]);
              MBS026 `linear` is made of something else = help: write `linear([a, b], c)`
            function f = polynomial([1, 2], 3);
              MBS026 `polynomial` is made of something else = help: write `polynomial([c0, c1, c2])`
            function f = polynomial(rod);
              MBS020 function `f` is made of numbers, not a body
            function f = sinusoid(1, 2);
              MBS026 `sinusoid` is made of something else = help: write `sinusoid(amplitude, angular_frequency, phase)`
            function f = step([0, 1, 2], [0, 1]);
              MBS026 `step` is made of something else = help: write `step([x0, x1], [y0, y1])`
            function f = step([p, p], [0, 1]);
              MBS031 step `f` has no width = help: `x0` and `x1` differ
            function f = harmonic([0, 1], 1);
              MBS026 `harmonic` is made of something else = help: write `harmonic([x0, x1], [y0, y1])`
            function f = cycloidal([p, p], [0, 1]);
              MBS031 cycloidal `f` has no width = help: `x0` and `x1` differ
            output y = polynomial_345([0, 1], [0, 1]);
              MBS027 `polynomial_345` is a kind of function = help: write `function name = polynomial_345([x0, x1], [y0, y1]);`, and call it
            function f = polynomial_456([0, 1], [0, 1]);
              MBS013 unknown kind of function `polynomial_456` = help: did you mean `polynomial_4567`?
            function f = constant(pin.angle);
              MBS024 function `f` is made of constants and parameters only
            function f = constant(1) { ends: natural };
              MBS017 function `f` has no argument `ends` = help: it takes none
            function f = constant(1); output y = f(1, 2);
              MBS026 `f` takes 1 argument, not 2
            function f(x) = spline([0, 1], [2, 3]);
              MBS027 `spline` is a kind of function = help: write `function name = spline([x0, x1, x2], [y0, y1, y2]);`, and call it
            function spline(x) = x;
              MBS028 `spline` is a function of the language = help: choose another name
            function constant = constant(1);
              MBS028 `constant` is a function of the language = help: choose another name
            function f = spline([0, 1]);
              MBS026 `spline` takes 2 lists, not 1 = help: write `spline([x0, x1, …], [y0, y1, …])`, or `spline("points.csv")`
            function f = spline(0, 1);
              MBS020 spline `f` passes through lists of numbers, not a number
            function f = spline([0, 1], 1);
              MBS020 spline `f` passes through lists of numbers, not a number
            function f = spline([0], [1]);
              MBS043 spline `f` has 1 point, at least 2 are needed
            function f = spline([0, 1], [1, 2, 3]);
              MBS043 spline `f` has 2 points and 3 values = help: one value for each point
            function f = spline([0, 1], [[1, 2, 3], [4, 5, 6]]);
              MBS043 spline `f` has 2 points and 3 values = help: one value for each point
            function f = spline([0, p], [1, 2]);
              MBS024 spline `f` is made of constants only = help: write `const`; what is set at run time is `function f: CubicSpline<n>;`
            function f = spline([0, 1], [1, pin.angle]);
              MBS024 spline `f` is made of constants only = help: write `const`; what is set at run time is `function f: CubicSpline<n>;`
            function f = spline([0, 1, 2], [1, 2, 3]) { ends: not_a_knot };
              MBS043 spline `f` has 3 points, at least 4 are needed
            function f = spline([0, 1, 2, 3], [1, 2, 3, 4]) { ends: periodic };
              MBS043 the last value of periodic spline `f` is 4, the first 1 = help: write the same number at both ends
            function f = spline([0, 1, 2, 3], [1, 2, 3, 1]) { ends: periodic, beyond: linear };
              MBS031 a periodic spline has no ends to go beyond = help: a periodic spline repeats: leave out `beyond`
            function f = spline([0, 1], [1, 2]) { ends: clamped };
              MBS018 `clamped` needs the derivatives at both ends = help: write `clamped(first, last)`
            function f = spline([0, 1], [1, 2]) { ends: clamped(1) };
              MBS026 `clamped` takes the derivatives at both ends = help: write `clamped(first, last)`
            function f = spline([0, 1], [1, 2]) { ends: clamped(1, p) };
              MBS024 spline `f` is made of constants only = help: write `const`; what is set at run time is `function f: CubicSpline<n>;`
            function f = spline([0, 1], [1, 2]) { ends: naturl };
              MBS032 `ends` has no such value = help: did you mean `natural`?
            function f = spline([0, 1], [1, 2]) { ends: 3 };
              MBS032 `ends` has no such value = help: write `natural`, `clamped(first, last)`, `periodic` or `not_a_knot`
            function f = spline([0, 1], [1, 2]) { beyond: flat };
              MBS032 `beyond` has no such value = help: write `linear` or `cubic`
            function f = spline([0, 1], [1, 2]) { smoothing: -1 };
              MBS031 `smoothing` of spline `f` is -1, it must not be negative
            function f = spline([0, 1], [1, 2]) { smoothing: 1, ends: clamped(0, 0) };
              MBS031 `smoothing` is for natural ends = help: a smoothing spline is straight at its ends: leave out `ends`
            function f = spline([0, 1], [1, 2]) { smooth: 1 };
              MBS017 spline `f` has no argument `smooth` = help: it takes `ends`, `beyond`, `smoothing`
            function f = spline([0, 1e-300], [1, 1e100]);
              MBS044 the fit of spline `f` failed: its coefficients are not finite = help: the points are too close for their values
            const c = f(1); function f = spline([0, c], [1, 2]);
              MBS029 `c` refers to itself = help: break the circle
            function f = spline([0, 1], [1, 2]); output y = f([1, 2]);
              MBS020 `f` takes numbers, not a vector of 2
            function f = spline([0, 1], [1, 2]); output y = f;
              MBS027 `f` is a function = help: write `f(…)`
            function f = bicubic([0, 1], [1, 2]);
              MBS026 `bicubic` takes 3 lists, not 2 = help: write `bicubic([x0, x1, …], [y0, y1, …], [[z00, z01, …], [z10, …], …])`, or `bicubic("points.csv")`
            function f = bicubic(1, [0, 1], [[1, 2], [3, 4]]);
              MBS020 spline `f` is over lists of numbers, not a number
            function f = bicubic([0, 1], [0, 1], [1, 2]);
              MBS020 spline `f` passes through a list for each x, not a vector of 2 = help: write `[[z00, z01, …], [z10, …], …]`
            function f = bicubic([0, 1], [0, 1, 2], [[1, 2], [3, 4], [5, 6]]);
              MBS043 spline `f` has 2 x and lists for 3 = help: one list for each x, with a value for each y
            function f = bicubic([0, 1], [0, 1, 2], [[1, 2], [3, 4]]);
              MBS043 spline `f` has 3 points and 2 values = help: one value for each point
            function f = bicubic([0, 1], [1, 0], [[1, 2], [3, 4]]);
              MBS043 the points of spline `f` do not increase: 0 follows 1 = help: sort them, each once
            function f = bicubic([0, 0], [0, 1], [[1, 2], [3, 4]]);
              MBS043 the points of spline `f` do not increase: 0 follows 0 = help: sort them, each once
            function f = bicubic([0, 1], [0], [[1], [3]]);
              MBS043 spline `f` has 1 point, at least 2 are needed
            function f = bicubic([0, p], [0, 1], [[1, 2], [3, 4]]);
              MBS024 spline `f` is made of constants only = help: write `const`; what is set at run time is `function f(x, y): opaque(3, Type);`
            function f = bicubic([0, 1], [0, 1, 2, 3], [[1, 2, 3, 1], [3, 4, 5, 6]]) { ends: [natural, periodic] };
              MBS043 the last value of periodic spline `f` is 6, the first 3 = help: write the same number at both ends
            function f = bicubic([0, 1, 2, 3], [0, 1], [[1, 2], [2, 3], [3, 4], [1, 3]]) { ends: [periodic, natural] };
              MBS043 the last value of periodic spline `f` is 3, the first 2 = help: write the same number at both ends
            function f = bicubic([0, 1], [0, 1], [[1, 2], [3, 4]]) { ends: [natural] };
              MBS021 `ends` of spline `f` has 1 item = help: write one word, or `ends: [along x, along y]`
            function f = bicubic([0, 1], [0, 1], [[1, 2], [3, 4]]) { ends: natrual };
              MBS032 `ends` has no such value = help: did you mean `natural`?
            function f = bicubic([0, 1], [0, 1], [[1, 2], [3, 4]]) { ends: periodic, beyond: cubic };
              MBS031 a periodic spline has no ends to go beyond = help: a periodic spline repeats: leave out `beyond`
            function f = bicubic([0, 1], [0, 1], [[1, 2], [3, 4]]) { smoothing: 1 };
              MBS017 spline `f` has no argument `smoothing` = help: it takes `ends`, `beyond`
            function f = bicubic([0, 1e-300], [0, 1], [[1, 2], [1e100, 4]]);
              MBS044 the fit of spline `f` failed: its coefficients are not finite = help: the points are too close for their values
            function f = bicubic([0, 1], [0, 1], [[1, 2], [3, 4]]); output y = f(1);
              MBS026 `f` takes 2 arguments, not 1
            function f: CubicSpline<2> = bicubic([0, 1], [0, 1], [[1, 2], [3, 4]]);
              MBS020 the default of function `f` is a `bicubic`, not a spline = help: write `= spline([…], […]);`"#]],
    );
}

#[test]
fn mistakes_in_functions_that_are_set_at_run_time() {
    check_messages(
        &[
            "function f: CubicSpline;",
            "function f: CubicSpline<1>;",
            "function f: CubicSpline<2.5>;",
            "function f: CubicSpline<p>;",
            "function f: CubicSpline<16, 0>;",
            "function f: CubicSpline<16, 100>;",
            "function f: CubicSpline<100000>;",
            "function f: [3] CubicSpline<4>;",
            "function f(x, y): CubicSpline<4>;",
            "function f: CubicSpline<4> = spline([0, 1], [1, 2]);",
            "function f: CubicSpline<2, 2> = spline([0, 1], [1, 2]);",
            "function f: CubicSpline<2> = polynomial([0, 1]);",
            "function f: CubicSpline<2> = 3;",
            "function f: CubicSpline<2>; const c = f(1);",
            "function f: spline(2);",
            "function f: opaque(1) = spline([0, 1], [1, 2]);",
            "function f(a, b, c, d, e): opaque(1);",
            "function f(x, y): opaque(1); output z = f(1);",
            "function f: [0] opaque(1);",
            "function f: [2, 2] opaque(1);",
            "function f(x, y, z, w): [4] opaque(4);",
        ],
        &expect![[r#"
            function f: CubicSpline;
              MBS018 `CubicSpline` of function `f` needs a number of points = help: write `function f: CubicSpline<16>;`
            function f: CubicSpline<1>;
              MBS025 a spline through 1 points = help: it has 2 to 5000 points
            function f: CubicSpline<2.5>;
              MBS025 a number of points is a whole number, not 2.5
            function f: CubicSpline<p>;
              MBS024 a number of points is a whole-number constant = help: use `const` instead of `param`, `input` or `let`
            function f: CubicSpline<16, 0>;
              MBS025 a spline with 0 values = help: through 16 points it has 1 to 64 values
            function f: CubicSpline<16, 100>;
              MBS025 a spline with 100 values = help: through 16 points it has 1 to 64 values
            function f: CubicSpline<100000>;
              MBS025 a spline through 100000 points = help: it has 2 to 5000 points
            function f: [3] CubicSpline<4>;
              MBS021 the values of a spline stand with its points = help: write `function f: CubicSpline<16, 3>;`
            function f(x, y): CubicSpline<4>;
              MBS026 spline `f` is a function of one number
            function f: CubicSpline<4> = spline([0, 1], [1, 2]);
              MBS021 function `f` has 4 points and one value, its default 2 points and one value = help: as many points as are set at run time
            function f: CubicSpline<2, 2> = spline([0, 1], [1, 2]);
              MBS021 function `f` has 2 points and a vector of 2, its default 2 points and one value = help: as many points as are set at run time
            function f: CubicSpline<2> = polynomial([0, 1]);
              MBS020 the default of function `f` is a `polynomial`, not a spline = help: write `= spline([…], […]);`
            function f: CubicSpline<2> = 3;
              MBS020 the default of function `f` is no spline = help: write `= spline([…], […]);`
            function f: CubicSpline<2>; const c = f(1);
              MBS024 constant `c` is made of constants only = help: use `let` or `param`
            function f: spline(2);
              MBS013 unknown kind of function `spline` = help: write `function f = spline([x0, x1, x2], [y0, y1, y2]);`
            function f: opaque(1) = spline([0, 1], [1, 2]);
              MBS027 function `f` is written in Rust and has no default = help: Rust gives it, when the mechanism is built
            function f(a, b, c, d, e): opaque(1);
              MBS026 function `f` takes 5 numbers = help: at most 4
            function f(x, y): opaque(1); output z = f(1);
              MBS026 `f` takes 2 arguments, not 1
            function f: [0] opaque(1);
              MBS025 function `f` cannot give a vector of 0 = help: with its derivatives a function gives at most 256 numbers
            function f: [2, 2] opaque(1);
              MBS021 a function gives a number or a vector
            function f(x, y, z, w): [4] opaque(4);
              MBS025 function `f` cannot give a vector of 4 = help: with its derivatives a function gives at most 256 numbers"#]],
    );
}

/// Codes of the mistakes, and how long it takes to find them.
fn codes_of(items: &str) -> (Vec<&'static str>, std::time::Duration) {
    let start = std::time::Instant::now();
    let parsed = mbs_syntax::parse_text("m.mbs", &format!("planar M {{ {items} }}"));
    let errors = mbs_resolve::resolve(&parsed.definitions[0]).expect_err("they do not end");
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
