//! Mistakes that `resolve` finds: one snapshot per code, and important variants. Types, shapes, axes, constants and expressions.

use crate::mistakes::{check, check_messages};
use expect_test::expect;

#[test]
fn mbs020_wrong_type() {
    check(
        "output y = crank + 1;",
        &expect![[r#"
        error: [MBS020] cannot add a number to a body
         --> m.mbs:1:29
          |
        1 | planar M { output y = crank + 1;
          |                             ^"#]],
    );
    check_messages(
        &[
            "output y = sin([1, 2]);",
            "output y = if p { 1 } else { 2 };",
            "output y = crank;",
            "output y = [1, 2] + 3;",
            "body arm { mass: [1, 2] }",
            "output y = load(pin);",
            "output y = position(pin);",
            "output y = [1, 2] * [3, 4];",
            "output y = p[0];",
            "const c = crank;",
            "output y = norm(3);",
            "output y = 1 in crank;",
            "output y = momentum(p);",
            "output y = [1, 2] < [3, 4];",
        ],
        &expect![[r#"
            output y = sin([1, 2]);
              MBS020 `sin` takes numbers, not a vector of 2
            output y = if p { 1 } else { 2 };
              MBS020 a truth value is expected, not a number = help: compare with `<`, `>`, `==`
            output y = crank;
              MBS020 output `y` is a number, vector, matrix or rotation, not a body
            output y = [1, 2] + 3;
              MBS021 cannot add a number to a vector of 2
            body arm { mass: [1, 2] }
              MBS020 `mass` of body `arm` is a number, not a vector of 2
            output y = load(pin);
              MBS020 joint `pin` has no load = help: loads are of drives, couplings, constraints, gears and forces; joints have `reaction(…)`
            output y = position(pin);
              MBS020 a body or marker is expected, not a joint = help: write `body` or `body at [x, y]`
            output y = [1, 2] * [3, 4];
              MBS021 cannot multiply a vector of 2 by a vector of 2 = help: write `dot(a, b)` or `cross(a, b)`
            output y = p[0];
              MBS020 a number has no elements
            const c = crank;
              MBS020 constant `c` is made of numbers, not a body = help: write `let` or `marker`
            output y = norm(3);
              MBS020 `norm` takes a vector, not a number
            output y = 1 in crank;
              MBS020 `in` gives axes to a vector of 2, not to a number
            output y = momentum(p);
              MBS020 momentum is that of a body or set, not of a number
            output y = [1, 2] < [3, 4];
              MBS020 cannot compare a vector of 2 with a vector of 2 = help: compare numbers"#]],
    );
}

#[test]
fn mbs021_shapes() {
    check(
        "output y = [1, 2] + [1, 2, 3];",
        &expect![[r#"
        error: [MBS021] cannot add a vector of 3 to a vector of 2
         --> m.mbs:1:30
          |
        1 | planar M { output y = [1, 2] + [1, 2, 3];
          |                              ^"#]],
    );
    check_messages(
        &[
            "param a: [3] = [1, 2];",
            "state z = 0 { rate: [1, 2] };",
            "body arm { com: [1, 2, 3] }",
            "drive d = position(rod) == 1;",
            "initial position(rod) = 3;",
            "let m = [[1, 2], [3, 4]]; output y = m * [1, 2, 3];",
            "let m = [[1, 2], [3]];",
            "output y = []; ",
            "gravity: [0, 0, -9.81];",
            "input f: [3] in crank;",
            "output y = cross([1, 2, 3], [1, 2, 3]);",
        ],
        &expect![[r#"
            param a: [3] = [1, 2];
              MBS021 `a` is a vector of 3, its value is a vector of 2
            state z = 0 { rate: [1, 2] };
              MBS021 state `z` is a number, its rate is a vector of 2
            body arm { com: [1, 2, 3] }
              MBS021 `com` of body `arm` is a vector of 2, not a vector of 3 = help: write `[x, y]`
            drive d = position(rod) == 1;
              MBS021 drive `d` equates a vector of 2 with a number
            initial position(rod) = 3;
              MBS021 `position(rod)` is a vector of 2, its value is a number
            let m = [[1, 2], [3, 4]]; output y = m * [1, 2, 3];
              MBS021 cannot multiply a 2 × 2 matrix by a vector of 3
            let m = [[1, 2], [3]];
              MBS021 rows of different lengths
            output y = []; 
              MBS021 a vector without components
            gravity: [0, 0, -9.81];
              MBS021 gravity is a vector of 2, not a vector of 3 = help: write `[x, y]`
            input f: [3] in crank;
              MBS021 `f` is a vector of 3, only a vector of 2 has axes
            output y = cross([1, 2, 3], [1, 2, 3]);
              MBS021 `cross` of a vector of 3 and a vector of 3 = help: in the plane `cross` takes two vectors of 2"#]],
    );
}

#[test]
fn mbs022_axes() {
    check(
        "output y = position(rod) + ([1, 0] in crank);",
        &expect![[r#"
        error: [MBS022] vectors in the axes of `ground` and of `crank`
         --> m.mbs:1:37
          |
        1 | planar M { output y = position(rod) + ([1, 0] in crank);
          |                                     ^
          |
          = help: re-express one of them: `v in ground`"#]],
    );
    check_messages(
        &[
            "let a = [1, 0] in crank; let b = [1, 0] in rod; output y = a + b;",
            "joint j = prismatic(crank, rod) { axis: [1, 0] in ground };",
            "marker m = crank at ([1, 0] in rod);",
        ],
        &expect![[r#"
            let a = [1, 0] in crank; let b = [1, 0] in rod; output y = a + b;
              MBS022 vectors in the axes of `crank` and of `rod` = help: re-express one of them: `v in crank`
            joint j = prismatic(crank, rod) { axis: [1, 0] in ground };
              MBS022 `axis` of joint `j` is in the axes of `crank`, not of `ground` = help: leave out `in`
            marker m = crank at ([1, 0] in rod);
              MBS022 the location is in the axes of `crank`, not of `rod` = help: leave out `in`"#]],
    );
}

#[test]
fn mbs023_zero_axis() {
    check(
        "joint j = prismatic(ground, rod) { axis: [0, 0] };",
        &expect![[r#"
        error: [MBS023] the axis has length zero
         --> m.mbs:1:53
          |
        1 | planar M { joint j = prismatic(ground, rod) { axis: [0, 0] };
          |                                                     ^^^^^^
          |
          = help: write `[1, 0]`"#]],
    );
    check_messages(
        &["joint j = point_on_line(ground, rod) { axis: [p - 1, 0] };", "marker m = rod at [0, 0] { x: [0, 0] };"],
        &expect![[r#"
            joint j = point_on_line(ground, rod) { axis: [p - 1, 0] };
              MBS023 the axis has length zero = help: write `[1, 0]`
            marker m = rod at [0, 0] { x: [0, 0] };
              MBS023 the axis has length zero = help: write `[1, 0]`"#]],
    );
}

#[test]
fn mbs024_not_constant() {
    check(
        "for i in 0..p { body link[i] { mass: 1 } }",
        &expect![[r#"
        error: [MBS024] `p` is not constant
         --> m.mbs:1:24
          |
        1 | planar M { for i in 0..p { body link[i] { mass: 1 } }
          |                        ^
          |
          = help: sizes, bounds and indices use `const`"#]],
    );
    check_messages(
        &[
            "body arm { mass: t }",
            "const c = p;",
            "param a = b; param b = 1;",
            "marker m = crank at [t, 0];",
            "marker m = ground at [u, 0];",
            "output y = p.powi(u);",
            "output y = p.powi(0.5);",
            "initial pin.angle = t;",
            "param a = t;",
            "input f: [p];",
            "joint j = revolute(ground, rod) { cut: 3 };",
        ],
        &expect![[r#"
            body arm { mass: t }
              MBS024 `mass` of body `arm` is made of constants and parameters only
            const c = p;
              MBS024 `p` is not known here = help: defaults and sizes may use constants and earlier parameters
            param a = b; param b = 1;
              MBS024 `b` is not known here = help: defaults and sizes may use constants and earlier parameters
            marker m = crank at [t, 0];
              MBS024 a location on a body is made of constants and parameters
            marker m = ground at [u, 0];
              MBS024 a location on ground is made of constants, parameters and time
            output y = p.powi(u);
              MBS024 the exponent of `powi` is a whole-number constant = help: `powf` takes any exponent
            output y = p.powi(0.5);
              MBS024 the exponent of `powi` is a whole-number constant = help: `powf` takes any exponent
            initial pin.angle = t;
              MBS024 the value of `pin.angle` is made of constants and parameters only
            param a = t;
              MBS024 the default of `a` is made of constants and parameters only
            input f: [p];
              MBS024 `p` is not known here = help: defaults and sizes may use constants and earlier parameters
            joint j = revolute(ground, rod) { cut: 3 };
              MBS024 `cut` is `true` or `false`"#]],
    );
}

#[test]
fn mbs025_out_of_bounds() {
    check(
        "let a = [1, 2]; output y = a[2];",
        &expect![[r#"
        error: [MBS025] index out of bounds: a vector of 2 has elements 0..2
         --> m.mbs:1:41
          |
        1 | planar M { let a = [1, 2]; output y = a[2];
          |                                         ^"#]],
    );
    check_messages(
        &[
            "for i in 3..0 { param k[i] = 1; }",
            "for i in 0..0.5 { param k[i] = 1; }",
            "let a = [1, 2]; output y = norm(a[1..3]);",
            "for i in 0..2 { param k[i] = 1; } output y = k[2];",
            "param k[-1] = 1;",
            "input f: [0];",
            "freedoms: -1;",
            "for i in 0..100000 { param k[i] = 1; }",
            "for i in bodies { param k[i] = 1; }",
        ],
        &expect![[r#"
            for i in 3..0 { param k[i] = 1; }
              MBS025 range 3..0 runs backwards = help: the first bound is at most the second
            for i in 0..0.5 { param k[i] = 1; }
              MBS025 a bound is a whole number, not 0.5
            let a = [1, 2]; output y = norm(a[1..3]);
              MBS025 index out of bounds: a vector of 2 has elements 0..2
            for i in 0..2 { param k[i] = 1; } output y = k[2];
              MBS025 there is no `k[2]` = help: the last one declared is `k[1]`
            param k[-1] = 1;
              MBS025 index -1 is negative = help: indices start at 0
            input f: [0];
              MBS025 a size of 0 = help: sizes start at 1
            freedoms: -1;
              MBS025 `freedoms` is negative
            for i in 0..100000 { param k[i] = 1; }
              MBS025 range 0..100000 is too long = help: at most 10,000
            for i in bodies { param k[i] = 1; }
              MBS025 `i` stands for a body, not for a number = help: leave the index out: names here carry those of the set"#]],
    );
}

#[test]
fn mbs026_functions() {
    check(
        "output y = sine(p);",
        &expect![[r#"
        error: [MBS026] unknown function `sine`
         --> m.mbs:1:23
          |
        1 | planar M { output y = sine(p);
          |                       ^^^^
          |
          = help: did you mean `sin`?"#]],
    );
    check_messages(
        &["output y = sin(p, p);", "output y = p.pow(2);", "output y = quaternion(p);", "output y = log(p);"],
        &expect![[r#"
            output y = sin(p, p);
              MBS026 `sin` takes 1 argument, not 2
            output y = p.pow(2);
              MBS026 unknown function `pow` = help: write `powi` for a whole exponent, `powf` for any
            output y = quaternion(p);
              MBS026 `quaternion` is a function of space = help: in the plane a rotation is the number `angle(m)`
            output y = log(p);
              MBS026 unknown function `log` = help: `ln` is the natural logarithm"#]],
    );
}

#[test]
fn mbs027_no_meaning_here() {
    check(
        "output y = com;",
        &expect![[r#"
        error: [MBS027] `com` is after `at`
         --> m.mbs:1:23
          |
        1 | planar M { output y = com;
          |                       ^^^
          |
          = help: write `body at com`"#]],
    );
    check_messages(
        &[
            "input v = 3;",
            "body arm = 3;",
            "for i in 0..2 { freedoms: 1; }",
            "output y = revolute(crank, rod);",
            "coordinates: param joint;",
        ],
        &expect![[r#"
            input v = 3;
              MBS027 input `v` has no value of its own = help: write `input v;`, or `param v = …;`
            body arm = 3;
              MBS027 body `arm` takes arguments, not a value = help: write `body arm { mass: 1 }`
            for i in 0..2 { freedoms: 1; }
              MBS027 setting `freedoms` inside `for` = help: write it outside the loop
            output y = revolute(crank, rod);
              MBS027 `revolute` is a kind, not a function = help: write `joint name = revolute(…);` or `force name = revolute(…);`
            coordinates: param joint;
              MBS027 setting `coordinates` cannot be tuned"#]],
    );
}

#[test]
fn mbs028_reserved_name() {
    check(
        "param t = 1;",
        &expect![[r#"
        error: [MBS028] `t` is reserved
         --> m.mbs:1:18
          |
        1 | planar M { param t = 1;
          |                  ^
          |
          = help: choose another name"#]],
    );
    check_messages(
        &["body ground { mass: 1 }", "for t in 0..2 { }", "param __ = 1;"],
        &expect![[r#"
            body ground { mass: 1 }
              MBS028 `ground` is reserved = help: choose another name
            for t in 0..2 { }
              MBS028 `t` is reserved = help: choose another name
            param __ = 1;
              MBS028 `__` is not a plain identifier"#]],
    );
}

#[test]
fn mbs029_circular() {
    check(
        "let a = b + 1; let b = 2 * a;",
        &expect![[r#"
        error: [MBS029] `a` refers to itself
         --> m.mbs:1:39
          |
        1 | planar M { let a = b + 1; let b = 2 * a;
          |                                       ^
          |
          = help: break the circle"#]],
    );
    check_messages(
        &[
            "let a = a;",
            "const c = c;",
            "potential v = potential_energy;",
            "force f = torque(crank) { torque: load(f) };",
            "marker m = m at [1, 0];",
            "let m = momentum(arm); body arm { mass: m.x }",
        ],
        &expect![[r#"
            let a = a;
              MBS029 `a` refers to itself = help: break the circle
            const c = c;
              MBS029 `c` refers to itself = help: break the circle
            potential v = potential_energy;
              MBS029 force `v` depends on itself = help: break the circle
            force f = torque(crank) { torque: load(f) };
              MBS029 force `f` depends on itself = help: break the circle
            marker m = m at [1, 0];
              MBS029 `m` refers to itself = help: break the circle
            let m = momentum(arm); body arm { mass: m.x }
              MBS029 body `arm` is defined by itself = help: break the circle"#]],
    );
}

#[test]
fn mbs030_not_finite() {
    check(
        "const c = ln(0);",
        &expect![[r#"
        error: [MBS030] `ln` here is not a finite number
         --> m.mbs:1:22
          |
        1 | planar M { const c = ln(0);
          |                      ^^"#]],
    );
    check_messages(
        &[
            "param a = 1 / 0;",
            "let big = 1e300; const a = 1e300 * 1e300;",
            "body arm { mass: 1 / (p - 1) }",
            "output y = sqrt(-1);",
            "output y = (0).powi(-1);",
        ],
        &expect![[r#"
            param a = 1 / 0;
              MBS030 division by zero
            let big = 1e300; const a = 1e300 * 1e300;
              MBS030 the result is not a finite number
            body arm { mass: 1 / (p - 1) }
              MBS030 `mass` of body `arm` is not finite at the default parameters
            output y = sqrt(-1);
              MBS030 `sqrt` here is not a finite number
            output y = (0).powi(-1);
              MBS030 division by zero"#]],
    );
}
