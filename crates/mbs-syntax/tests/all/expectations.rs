//! Text snapshots of "expected this, found that" (MBS001), as the user sees them.

use crate::shown::errors_of;
use expect_test::{Expect, expect};
use mbs_syntax::parse_text;

fn check(items: &str, expected: &Expect) {
    expected.assert_eq(&errors_of(items));
}

fn check_file(text: &str, expected: &Expect) {
    let parsed = parse_text("m.mbs", text);
    expected.assert_eq(&parsed.sources.render(parsed.errors.list()));
}

#[test]
fn mbs001_a_missing_semicolon() {
    check(
        "joint pin = revolute(a, b) // here\nforce f = torque(a, b) { torque: 1 };",
        &expect![[r#"
            error: [MBS001] expected `;` after the declaration of `pin`
             --> m.mbs:2:27
              |
            2 | joint pin = revolute(a, b) // here
              |                           ^"#]],
    );
    check(
        "param a = 1\n",
        &expect![[r#"
        error: [MBS001] expected `;` after the declaration of `a`
         --> m.mbs:2:12
          |
        2 | param a = 1
          |            ^"#]],
    );
    check(
        "param a = 1 2;",
        &expect![[r#"
        error: [MBS001] expected `;` after the declaration of `a`, found `2`
         --> m.mbs:2:13
          |
        2 | param a = 1 2;
          |             ^"#]],
    );
    check(
        "gravity: [0, 1]\ninput a;",
        &expect![[r#"
        error: [MBS001] expected `;` after `gravity`
         --> m.mbs:2:16
          |
        2 | gravity: [0, 1]
          |                ^"#]],
    );
}

#[test]
fn mbs001_parts_of_a_declaration_are_missing() {
    check(
        "param = 0.05;",
        &expect![[r#"
            error: [MBS001] expected a name or `:` after `param`, found `=`
             --> m.mbs:2:7
              |
            2 | param = 0.05;
              |       ^"#]],
    );
    check(
        "gravity [0, 1];",
        &expect![[r#"
        error: [MBS001] expected a name or `:` after `gravity`, found `[`
         --> m.mbs:2:9
          |
        2 | gravity [0, 1];
          |         ^"#]],
    );
    check(
        "param a 1;",
        &expect![[r#"
        error: [MBS001] expected `=`, `{` or `;` after `a`, found `1`
         --> m.mbs:2:9
          |
        2 | param a 1;
          |         ^"#]],
    );
    check(
        "param a = ;",
        &expect![[r#"
        error: [MBS001] expected an expression, found `;`
         --> m.mbs:2:11
          |
        2 | param a = ;
          |           ^"#]],
    );
    check(
        "joint pin revolute(a, b);",
        &expect![[r#"
        error: [MBS001] expected `=`, `{` or `;` after `pin`, found `revolute`
         --> m.mbs:2:11
          |
        2 | joint pin revolute(a, b);
          |           ^^^^^^^^"#]],
    );
    check(
        "input f: 3;",
        &expect![[r#"
        error: [MBS001] expected a shape after `:`, found `3`
         --> m.mbs:2:10
          |
        2 | input f: 3;
          |          ^
          |
          = help: write `[3]` or `[2, 3]`"#]],
    );
    check(
        "= 3;",
        &expect![[r#"
        error: [MBS001] expected an item, found `=`
         --> m.mbs:2:1
          |
        2 | = 3;
          | ^"#]],
    );
    check(
        "/// Nothing follows.",
        &expect![[r#"
        error: [MBS001] expected an item after the doc comment
         --> m.mbs:3:1
          |
        3 | }
          | ^"#]],
    );
    check(
        "#[inline] input a;",
        &expect![[r#"
        error: [MBS001] attributes have no meaning here
         --> m.mbs:2:1
          |
        2 | #[inline] input a;
          | ^
          |
          = help: only doc comments may stand before an item"#]],
    );
    check(
        "param type = 1;",
        &expect![[r#"
        error: [MBS001] `type` is a word of Rust and cannot be a name
         --> m.mbs:2:7
          |
        2 | param type = 1;
          |       ^^^^"#]],
    );
}

#[test]
fn mbs001_arguments() {
    check(
        "body a { mass = 1, inertia: 2 }",
        &expect![[r#"
        error: [MBS001] expected `:` after `mass`, found `=`
         --> m.mbs:2:15
          |
        2 | body a { mass = 1, inertia: 2 }
          |               ^"#]],
    );
    check(
        "body a { mass: 1; inertia: 2 }",
        &expect![[r#"
        error: [MBS001] expected `,` or `}`, found `;`
         --> m.mbs:2:17
          |
        2 | body a { mass: 1; inertia: 2 }
          |                 ^"#]],
    );
    check(
        "body a { mass: 1 inertia: 2 }",
        &expect![[r#"
        error: [MBS001] expected `,` or `}`, found `inertia`
         --> m.mbs:2:18
          |
        2 | body a { mass: 1 inertia: 2 }
          |                  ^^^^^^^"#]],
    );
    check(
        "body a { mass 1, inertia: 2 }",
        &expect![[r#"
        error: [MBS001] expected `:` after `mass`, found `1`
         --> m.mbs:2:15
          |
        2 | body a { mass 1, inertia: 2 }
          |               ^"#]],
    );
    check(
        "body a { 1 }",
        &expect![[r#"
        error: [MBS001] expected the name of an argument, found `1`
         --> m.mbs:2:10
          |
        2 | body a { 1 }
          |          ^"#]],
    );
}

#[test]
fn mbs001_expressions() {
    check(
        "let a = 1 + ;",
        &expect![[r#"
        error: [MBS001] expected an expression, found `;`
         --> m.mbs:2:13
          |
        2 | let a = 1 + ;
          |             ^"#]],
    );
    check(
        "let a = (1, 2);",
        &expect![[r#"
        error: [MBS001] expected `)`, found `,`
         --> m.mbs:2:11
          |
        2 | let a = (1, 2);
          |           ^
          |
          = help: vectors are written `[a, b]`"#]],
    );
    check(
        "let a = [1 2];",
        &expect![[r#"
        error: [MBS001] expected `,` or `]`, found `2`
         --> m.mbs:2:12
          |
        2 | let a = [1 2];
          |            ^"#]],
    );
    check(
        "let a = v.0;",
        &expect![[r#"
        error: [MBS001] expected a name after `.`, found `0`
         --> m.mbs:2:11
          |
        2 | let a = v.0;
          |           ^
          |
          = help: components are `.x`, `.y`, `.z` or `[0]`"#]],
    );
    check(
        "let a = m[0, 1];",
        &expect![[r#"
        error: [MBS001] expected `]`, found `,`
         --> m.mbs:2:12
          |
        2 | let a = m[0, 1];
          |            ^
          |
          = help: indices of a matrix are written `m[i][j]`"#]],
    );
    check(
        "let a = if b { 1 };",
        &expect![[r#"
        error: [MBS001] expected `else`, found `;`
         --> m.mbs:2:19
          |
        2 | let a = if b { 1 };
          |                   ^
          |
          = help: both values are needed"#]],
    );
    check(
        "let a = sum(b for i 0..3);",
        &expect![[r#"
        error: [MBS001] expected `in` after `for i`, found `0`
         --> m.mbs:2:21
          |
        2 | let a = sum(b for i 0..3);
          |                     ^"#]],
    );
    check(
        "let a = spline(\"knee.csv\");",
        &expect![[r#"
        error: [MBS001] expected an expression, found a string
         --> m.mbs:2:16
          |
        2 | let a = spline("knee.csv");
          |                ^^^^^^^^^^"#]],
    );
    check(
        "param length = 0.05m;",
        &expect![[r#"
            error: [MBS001] the number `0.05` has the suffix `m`
             --> m.mbs:2:16
              |
            2 | param length = 0.05m;
              |                ^^^^^
              |
              = help: write `0.05`: numbers are in SI units and radians"#]],
    );
    check(
        "param huge = 1e999;",
        &expect![[r#"
        error: [MBS001] `1e999` is too large for a number
         --> m.mbs:2:14
          |
        2 | param huge = 1e999;
          |              ^^^^^"#]],
    );
    check(
        "param tiny = 1e-320;",
        &expect![[r#"
        error: [MBS001] `1e-320` is too small for a number, which loses its digits below 2.2e-308
         --> m.mbs:2:14
          |
        2 | param tiny = 1e-320;
          |              ^^^^^^
          |
          = help: write `0`, or use other units"#]],
    );
    check(
        "param tiny = 0.001e-400;",
        &expect![[r#"
        error: [MBS001] `0.001e-400` is too small for a number, which loses its digits below 2.2e-308
         --> m.mbs:2:14
          |
        2 | param tiny = 0.001e-400;
          |              ^^^^^^^^^^
          |
          = help: write `0`, or use other units"#]],
    );
}

#[test]
fn mbs001_initial_and_loops() {
    check(
        "initial a.angle == 1, b ~ 2;",
        &expect![[r#"
        error: [MBS001] expected `=` or `~`, found `==`
         --> m.mbs:2:17
          |
        2 | initial a.angle == 1, b ~ 2;
          |                 ^^
          |
          = help: `=` requires the value exactly, `~` guesses it"#]],
    );
    check(
        "initial a.angle = 1 b ~ 2;",
        &expect![[r#"
        error: [MBS001] expected `,` or `;`, found `b`
         --> m.mbs:2:21
          |
        2 | initial a.angle = 1 b ~ 2;
          |                     ^"#]],
    );
    check(
        "for in 0..3 { body a[i] {} }",
        &expect![[r#"
        error: [MBS001] expected a variable after `for`, found `in`
         --> m.mbs:2:5
          |
        2 | for in 0..3 { body a[i] {} }
          |     ^^"#]],
    );
    check(
        "for i 0..3 { body a[i] {} }",
        &expect![[r#"
        error: [MBS001] expected `in` after the variable of `for`, found `0`
         --> m.mbs:2:7
          |
        2 | for i 0..3 { body a[i] {} }
          |       ^"#]],
    );
}

#[test]
fn mbs001_the_header() {
    check_file(
        "",
        &expect![[r#"
            error: [MBS001] there is no mechanism here
             --> m.mbs:1:1
              |
            1 |
              | ^
              |
              = help: write `pub planar Name { … }` or `pub spatial Name { … }`"#]],
    );
    check_file(
        "pub spatail M {}",
        &expect![[r#"
        error: [MBS001] expected `planar` or `spatial`, found `spatail`
         --> m.mbs:1:5
          |
        1 | pub spatail M {}
          |     ^^^^^^^
          |
          = help: did you mean `spatial`?"#]],
    );
    check_file(
        "pub M {}",
        &expect![[r#"
        error: [MBS001] expected `planar` or `spatial`, found `M`
         --> m.mbs:1:5
          |
        1 | pub M {}
          |     ^
          |
          = help: write `pub planar Name { … }` or `pub spatial Name { … }`"#]],
    );
    check_file(
        "pub planar {}",
        &expect![[r#"
        error: [MBS001] expected the name of the mechanism, found `{`
         --> m.mbs:1:12
          |
        1 | pub planar {}
          |            ^
          |
          = help: write `pub planar Name { … }` or `pub spatial Name { … }`"#]],
    );
    check_file(
        "mechanism! { pub planar M {} }",
        &expect![[r#"
        error: [MBS001] expected `planar` or `spatial`, found `mechanism`
         --> m.mbs:1:1
          |
        1 | mechanism! { pub planar M {} }
          | ^^^^^^^^^
          |
          = help: write `pub planar Name { … }` or `pub spatial Name { … }`"#]],
    );
}

#[test]
fn a_missing_semicolon_is_shown_where_it_belongs() {
    let parsed = parse_text("m.mbs", "planar M { param a = 1 /* one */ param b = 2; }");
    let origin = parsed.errors.list()[0].origin;
    assert_eq!(parsed.sources.byte_range(origin), Some(22..22));
}
