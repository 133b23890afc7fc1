//! Text snapshots of the messages of all codes but MBS001, as the user sees them.

use crate::shown::errors_of;
use expect_test::{Expect, expect};
use mbs_syntax::{parse_text, parse_tokens, to_compile_error};

fn check(items: &str, expected: &Expect) {
    expected.assert_eq(&errors_of(items));
}

fn check_file(text: &str, expected: &Expect) {
    let parsed = parse_text("m.mbs", text);
    expected.assert_eq(&parsed.sources.render(parsed.errors.list()));
}

#[test]
fn mbs000_a_bracket_is_never_closed() {
    check_file(
        "planar M {\n    joint pin = revolute(a, b;\n}\n",
        &expect![[r#"
            error: [MBS000] `(` is never closed
             --> m.mbs:2:25
              |
            2 |     joint pin = revolute(a, b;
              |                         ^"#]],
    );
    check_file(
        "planar M {\n    joint pin = revolute(a, b;\n",
        &expect![[r#"
            error: [MBS000] `(` is never closed
             --> m.mbs:2:25
              |
            2 |     joint pin = revolute(a, b;
              |                         ^"#]],
    );
    check_file(
        "planar M { } }",
        &expect![[r#"
        error: [MBS000] `}` closes nothing that is open
         --> m.mbs:1:14
          |
        1 | planar M { } }
          |              ^"#]],
    );
}

#[test]
fn mbs000_characters_from_papers() {
    check(
        "let a = 2 × 3;",
        &expect![[r#"
        error: [MBS000] the character `×` is not part of the language
         --> m.mbs:2:11
          |
        2 | let a = 2 × 3;
          |           ^
          |
          = help: write `*`"#]],
    );
    check(
        "let a = x²;",
        &expect![[r#"
        error: [MBS000] the character `²` is not part of the language
         --> m.mbs:2:10
          |
        2 | let a = x²;
          |          ^
          |
          = help: write `x.powi(2)`"#]],
    );
    check(
        "import \"arm.urdf;",
        &expect![[r#"
        error: [MBS000] the string has no end
         --> m.mbs:2:8
          |
        2 | import "arm.urdf;
          |        ^"#]],
    );
    check(
        "/* comment",
        &expect![[r#"
        error: [MBS000] the comment has no end
         --> m.mbs:2:1
          |
        2 | /* comment
          | ^"#]],
    );
}

#[test]
fn mbs002_too_deep_or_too_long() {
    check(
        &format!("let a = {}1{};", "(".repeat(129), ")".repeat(129)),
        &expect![[r#"
            error: [MBS002] this nests deeper than 128 levels
             --> m.mbs:2:137
              |
            2 | ...(((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((1))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))...
              |                                                                    ^
              |
              = help: name parts of it with `let`"#]],
    );
    let errors = errors_of(&format!("let a = [{}];", "0, ".repeat(6000)));
    assert!(errors.starts_with("error: [MBS002] this expression has more than 10000 tokens"));
    assert!(errors.ends_with("= help: name parts of it with `let`"));
}

#[test]
fn mbs003_operators_of_other_languages() {
    check(
        "let a = x^2 + x ** 3;",
        &expect![[r#"
            error: [MBS003] `^` is not an operator
             --> m.mbs:2:10
              |
            2 | let a = x^2 + x ** 3;
              |          ^
              |
              = help: write `x.powi(2)`

            error: [MBS003] `**` is not an operator
             --> m.mbs:2:17
              |
            2 | let a = x^2 + x ** 3;
              |                 ^^
              |
              = help: write `x.powi(3)`"#]],
    );
    check(
        "let a = x % 2;",
        &expect![[r#"
        error: [MBS003] `%` is not an operator
         --> m.mbs:2:11
          |
        2 | let a = x % 2;
          |           ^
          |
          = help: write `x - y * floor(x / y)`"#]],
    );
    check(
        "drive a = hinge.angle = omega * t;",
        &expect![[r#"
        error: [MBS003] `=` is not an operator
         --> m.mbs:2:23
          |
        2 | drive a = hinge.angle = omega * t;
          |                       ^
          |
          = help: write `==` between the sides of an equation"#]],
    );
    check(
        "let a = 0 < x < 1;",
        &expect![[r#"
        error: [MBS003] comparisons do not chain
         --> m.mbs:2:15
          |
        2 | let a = 0 < x < 1;
          |               ^
          |
          = help: write `a < b && b < c`"#]],
    );
    check(
        "let a = b & c;",
        &expect![[r#"
        error: [MBS003] `&` is not an operator
         --> m.mbs:2:11
          |
        2 | let a = b & c;
          |           ^
          |
          = help: write `&&`"#]],
    );
    check(
        "for i in 0..=3 { body a[i] {} }",
        &expect![[r#"
        error: [MBS003] `..=` is not an operator
         --> m.mbs:2:11
          |
        2 | for i in 0..=3 { body a[i] {} }
          |           ^^^
          |
          = help: write `a..b`, which leaves out `b`"#]],
    );
    check(
        "let a = n as f64;",
        &expect![[r#"
        error: [MBS003] `as` is not an operator
         --> m.mbs:2:11
          |
        2 | let a = n as f64;
          |           ^^
          |
          = help: leave it out, numbers are real"#]],
    );
    check(
        "let a += 1; let b = c += 1;",
        &expect![[r#"
        error: [MBS001] expected `=`, `{` or `;` after `a`, found `+=`
         --> m.mbs:2:7
          |
        2 | let a += 1; let b = c += 1;
          |       ^^

        error: [MBS003] `+=` is not an operator
         --> m.mbs:2:23
          |
        2 | let a += 1; let b = c += 1;
          |                       ^^"#]],
    );
}

#[test]
fn macro_errors_have_the_help_as_second_line() {
    let parsed = parse_tokens("planar M { let a = x ^ 2; }".parse().unwrap());
    let errors = to_compile_error(parsed.errors.list(), &parsed.sources);
    expect![[r#":: core :: compile_error ! { "[MBS003] `^` is not an operator\n  = help: write `x.powi(2)`" }"#]]
        .assert_eq(&errors.to_string());
}
