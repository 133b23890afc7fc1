//! Help lines about words of other programs, units, powers, first declarations and limits; and warnings.

use expect_test::{Expect, expect};
use mbs_resolve::resolve;
use mbs_syntax::{Severity, Style, parse_text, parse_text_with, to_compile_error};

use crate::mistakes::{check, check_messages, check_spatial_messages};

/// Code, message and help of the mistakes that the parser finds in each of `items`.
fn check_parsed(items: &[&str], expected: &Expect) {
    let shown = |item: &&str| {
        let parsed = parse_text("m.mbs", &format!("planar M {{ {item} }}"));
        let line = |d: &mbs_definition::Diagnostic| {
            let help = d.help.as_ref().map_or(String::new(), |help| format!(" = help: {help}"));
            format!("\n  {} {}{help}", d.code, d.message)
        };
        format!("{item}{}", parsed.errors.list().iter().map(line).collect::<String>())
    };
    expected.assert_eq(&items.iter().map(shown).collect::<Vec<_>>().join("\n"));
}

#[test]
fn units_and_powers_have_help() {
    check_parsed(
        &[
            "initial pin.angle = 30 deg;",
            "param a = 30deg;",
            "param a = 30°;",
            "param a = 5 mm;",
            "param a = 1500rpm;",
            "param a = [1 kg, 2];",
            "body b { mass: 2 kg }",
            "param a = 3 apples;",
            "let b = a^3;",
            "let b = a ** 2;",
            "let b = (a + 1)^2;",
            "let b = a^0.5;",
            "let b = a^n;",
            "let b = a^(1 / 3);",
        ],
        &expect![[r#"
            initial pin.angle = 30 deg;
              MBS001 expected `,` or `;`, found `deg` = help: write `30 * PI / 180`: numbers are in SI units and radians
            param a = 30deg;
              MBS001 the number `30` has the suffix `deg` = help: write `30 * PI / 180`: numbers are in SI units and radians
            param a = 30°;
              MBS000 the character `°` is not part of the language = help: write `30 * PI / 180`
            param a = 5 mm;
              MBS001 expected `;` after the declaration of `a`, found `mm` = help: write `5 * 1e-3`: numbers are in SI units and radians
            param a = 1500rpm;
              MBS001 the number `1500` has the suffix `rpm` = help: write `1500 * TAU / 60`: numbers are in SI units and radians
            param a = [1 kg, 2];
              MBS001 expected `,` or `]`, found `kg` = help: write `1`: numbers are in SI units and radians
            body b { mass: 2 kg }
              MBS001 expected `,` or `}`, found `kg` = help: write `2`: numbers are in SI units and radians
            param a = 3 apples;
              MBS001 expected `;` after the declaration of `a`, found `apples`
            let b = a^3;
              MBS003 `^` is not an operator = help: write `a.powi(3)`
            let b = a ** 2;
              MBS003 `**` is not an operator = help: write `a.powi(2)`
            let b = (a + 1)^2;
              MBS003 `^` is not an operator = help: write `x.powi(2)`
            let b = a^0.5;
              MBS003 `^` is not an operator = help: write `powf(a, 0.5)`
            let b = a^n;
              MBS003 `^` is not an operator = help: write `powf(a, n)`
            let b = a^(1 / 3);
              MBS003 `^` is not an operator = help: write `a.powi(2)`, or `powf(a, y)`"#]],
    );
}

#[test]
fn kinds_of_other_programs_are_known() {
    check_messages(
        &[
            "joint h = hinge(ground, rod);",
            "joint h = slider(ground, rod) { axis: [1, 0] };",
            "joint h = weld(ground, rod);",
            "joint h = ball(ground, rod);",
            "joint h = spring(ground, rod) { stiffness: 1 };",
            "force h = rope(ground, rod) { stiffness: 1 };",
            "force h = hinge(ground, rod);",
            "hinge h = revolute(ground, rod);",
            "weld h = fixed(ground, rod);",
            "link h { mass: 1 }",
            "parameter h = 1;",
            "spring h = spring_damper(ground, rod);",
            "joint h = revolut(ground, rod);",
            "jiont h = revolute(ground, rod);",
        ],
        &expect![[r#"
            joint h = hinge(ground, rod);
              MBS013 unknown kind of joint `hinge` = help: here it is called `revolute`
            joint h = slider(ground, rod) { axis: [1, 0] };
              MBS013 unknown kind of joint `slider` = help: here it is called `prismatic`
            joint h = weld(ground, rod);
              MBS013 unknown kind of joint `weld` = help: here it is called `fixed`
            joint h = ball(ground, rod);
              MBS013 unknown kind of joint `ball` = help: here it is called `revolute`
            joint h = spring(ground, rod) { stiffness: 1 };
              MBS013 unknown kind of joint `spring` = help: here it is a kind of force: write `force h = spring_damper(…);`
            force h = rope(ground, rod) { stiffness: 1 };
              MBS013 unknown kind of force `rope` = help: here it is called `cable`
            force h = hinge(ground, rod);
              MBS013 unknown kind of force `hinge` = help: here it is a kind of joint: write `joint h = revolute(…);`
            hinge h = revolute(ground, rod);
              MBS012 unknown category `hinge` = help: write `joint h = revolute(…);`
            weld h = fixed(ground, rod);
              MBS012 unknown category `weld` = help: write `joint h = fixed(…);`
            link h { mass: 1 }
              MBS012 unknown category `link` = help: write `body h`
            parameter h = 1;
              MBS012 unknown category `parameter` = help: write `param h`
            spring h = spring_damper(ground, rod);
              MBS012 unknown category `spring` = help: write `force h = spring_damper(…);`
            joint h = revolut(ground, rod);
              MBS013 unknown kind of joint `revolut` = help: did you mean `revolute`?
            jiont h = revolute(ground, rod);
              MBS012 unknown category `jiont` = help: did you mean `joint`?"#]],
    );
    check_spatial_messages(
        &["joint h = ball(ground, rod);", "joint h = hinge(ground, rod);", "joint h = cardan(ground, rod);"],
        &expect![[r#"
            joint h = ball(ground, rod);
              MBS013 unknown kind of joint `ball` = help: here it is called `spherical`
            joint h = hinge(ground, rod);
              MBS013 unknown kind of joint `hinge` = help: here it is called `revolute`
            joint h = cardan(ground, rod);
              MBS013 unknown kind of joint `cardan` = help: here it is called `universal`"#]],
    );
}

#[test]
fn short_names_are_not_near_each_other() {
    check_messages(
        &["let b = sin(pi);", "let b = 2 * q;", "let b = pim.angle;", "let b = crnak;", "let b = ro;"],
        &expect![[r#"
            let b = sin(pi);
              MBS010 unknown name `pi` = help: did you mean `PI`?
            let b = 2 * q;
              MBS010 unknown name `q`
            let b = pim.angle;
              MBS010 unknown name `pim` = help: did you mean `pin`?
            let b = crnak;
              MBS010 unknown name `crnak` = help: did you mean `crank`?
            let b = ro;
              MBS010 unknown name `ro`"#]],
    );
}

#[test]
fn limits_of_sizes_and_ranges_are_said() {
    check_messages(
        &[
            "input w: [20000];",
            "input w: [0];",
            "for i in 0..20000 { param k[i] = 1; }",
            "for i in 3..1 { param k[i] = 1; }",
            "param k[1e12] = 1;",
            "param k[-1] = 1;",
            "function s: CubicSpline<4000, 9>;",
        ],
        &expect![[r#"
            input w: [20000];
              MBS025 a size of 20000 = help: at most 10,000
            input w: [0];
              MBS025 a size of 0 = help: sizes start at 1
            for i in 0..20000 { param k[i] = 1; }
              MBS025 range 0..20000 is too long = help: at most 10,000
            for i in 3..1 { param k[i] = 1; }
              MBS025 range 3..1 runs backwards = help: the first bound is at most the second
            param k[1e12] = 1;
              MBS025 an index of 1000000000000 is too large = help: at most 999,999,999
            param k[-1] = 1;
              MBS025 index -1 is negative = help: indices start at 0
            function s: CubicSpline<4000, 9>;
              MBS025 a spline with 9 values = help: through 4000 points it has 1 to 1 values"#]],
    );
}

/// In a long line each location is shown alone, with its column.
#[test]
fn messages_about_a_long_line_are_short() {
    let between: String = (0..100).map(|i| format!("let θ{i} = 1 + 2 + 3; ")).collect();
    check(
        &format!("param k = 1; {between} param k = 2; param k = 3;"),
        &expect![[r#"
        error: [MBS011] `k` is declared twice
         --> m.mbs:1:2122
          |
        1 | ...3; let θ95 = 1 + 2 + 3; let θ96 = 1 + 2 + 3; let θ97 = 1 + 2 + 3; let θ98 = 1 + 2 + 3; let θ99 = 1 + 2 + 3;  param k = 2; param k ...
          |                                                                                                                       ^
          |
         ::: m.mbs:1:18
          |
        1 | planar M { param k = 1; let θ0 = 1 + 2 + 3; let θ1 = 1 + 2 + 3; let θ2 = 1 + 2 + 3; let θ3 = 1 + 2 + 3; let θ4 = 1 + 2 + 3; let θ5 =...
          |                  - first declared here
          |
          = help: give one of them another name

        error: [MBS011] `k` is declared twice
         --> m.mbs:1:2135
          |
        1 | ... 1 + 2 + 3; let θ96 = 1 + 2 + 3; let θ97 = 1 + 2 + 3; let θ98 = 1 + 2 + 3; let θ99 = 1 + 2 + 3;  param k = 2; param k = 3;
          |                                                                                                                        ^
          |
         ::: m.mbs:1:18
          |
        1 | planar M { param k = 1; let θ0 = 1 + 2 + 3; let θ1 = 1 + 2 + 3; let θ2 = 1 + 2 + 3; let θ3 = 1 + 2 + 3; let θ4 = 1 + 2 + 3; let θ5 =...
          |                  - first declared here
          |
          = help: give one of them another name"#]],
    );
}

/// The column of the second location is not written over the first one, whose digits begin like those in the cut line.
#[test]
fn columns_of_a_long_line_are_those_of_their_locations() {
    let [before, between, after] = [477, 735, 2000].map(|n| " ".repeat(n));
    let text = format!("planar M {{ {before}param k = 1;{between}param k = 2;{after}}}");
    let parsed = parse_text("m.mbs", &text);
    let errors = resolve(&parsed.definitions[0]).expect_err("two parameters have one name");
    let shown = parsed.sources.render(errors.list());
    let columns: Vec<usize> = text.match_indices("k =").map(|(at, _)| at + 1).collect();
    assert_eq!(columns[1] / 10, 124, "it begins like a column in a cut line");
    for (arrow, column) in ["--> ", "::: "].iter().zip([columns[1], columns[0]]) {
        assert!(shown.contains(&format!("{arrow}m.mbs:1:{column}\n")), "{shown}");
    }
}

#[test]
fn a_name_declared_twice_shows_its_first_declaration() {
    check(
        "param k = 1;\nlet other = 2;\nparam k = 3;",
        &expect![[r#"
            error: [MBS011] `k` is declared twice
             --> m.mbs:3:7
              |
            1 | planar M { param k = 1;
              |                  - first declared here
            2 | let other = 2;
            3 | param k = 3;
              |       ^
              |
              = help: give one of them another name"#]],
    );
    let mut loader =
        |name: &str| Ok(mbs_syntax::Imported { path: name.to_owned(), text: "\n\nfunction lift(x) = x;".to_owned() });
    let text = "import \"parts.mbs\";\nplanar M { function lift(x) = 2 * x; body b { mass: 1, inertia: 1 } joint pin = revolute(ground, b); }";
    let parsed = parse_text_with("m.mbs", text, &mut loader);
    let errors = resolve(&parsed.definitions[0]).expect_err("two functions have one name");
    expect![[r#"
        error: [MBS011] `lift` is declared twice
         --> m.mbs:2:21
          |
        2 | planar M { function lift(x) = 2 * x; body b { mass: 1, inertia: 1 } joint pin = revolute(ground, b); }
          |                     ^^^^
          |
         ::: parts.mbs:3:10
          |
        3 | function lift(x) = x;
          |          ---- first declared here
          |
          = help: `lift` is in an imported file, too: give the import a name with `as`"#]]
    .assert_eq(&parsed.sources.render(errors.list()));
    let tokens = to_compile_error(errors.list(), &parsed.sources).to_string();
    assert!(tokens.contains("first declared here: parts.mbs:3:10"), "{tokens}");
    let parsed = parse_text("m.mbs", "planar M { param k = 1;\nparam k = 3; }");
    let errors = resolve(&parsed.definitions[0]).expect_err("two parameters have one name");
    let tokens = to_compile_error(errors.list(), &parsed.sources).to_string();
    assert!(tokens.contains("first declared here: line 1, column 18"), "{tokens}");
}

/// Warnings of a text, rendered.
fn warnings(text: &str) -> String {
    let parsed = parse_text("m.mbs", text);
    assert!(parsed.errors.is_empty(), "{}", parsed.sources.render(parsed.errors.list()));
    let model = resolve(&parsed.definitions[0]).unwrap_or_else(|e| panic!("{}", parsed.sources.render(e.list())));
    parsed.sources.render_as(&model.warnings, Severity::Warning, Style::Plain)
}

#[test]
fn mbs052_what_nothing_uses() {
    let text = "planar M {
    param length = 0.1; param lenght = 0.2; param _spare = 1; param used = 2; param twice = 2 * used;
    body rod { mass: 1, inertia: twice, com: [length, 0] }
    marker tip = rod at [1, 0]; marker hold = rod at [0.5, 0];
    joint pin = revolute(ground, hold);
}";
    expect![[r#"
        warning: [MBS052] parameter `lenght` is not used
         --> m.mbs:2:31
          |
        2 |     param length = 0.1; param lenght = 0.2; param _spare = 1; param used = 2; param twice = 2 * used;
          |                               ^^^^^^
          |
          = help: remove it, or call it `_lenght` if it is meant for others

        warning: [MBS052] marker `tip` is not used
         --> m.mbs:4:12
          |
        4 |     marker tip = rod at [1, 0]; marker hold = rod at [0.5, 0];
          |            ^^^
          |
          = help: remove it, or call it `_tip` if it is meant for others"#]]
    .assert_eq(&warnings(text));
}

#[test]
fn a_declaration_that_one_instance_uses_is_used() {
    let text = "part leg(hip, drawn) {
    param mass = 1; param stiffness = 3; param forgotten = 1;
    body thigh { mass: mass, inertia: 0.1 }
    joint knee = revolute(hip, thigh);
    marker foot = thigh at [1, 0];
}
planar M { part left = leg(ground, 1); part right = leg(left.foot, 0); output k = right.stiffness; }";
    expect![[r#"
        warning: [MBS052] parameter `left.forgotten` is not used
         --> m.mbs:2:48
          |
        2 |     param mass = 1; param stiffness = 3; param forgotten = 1;
          |                                                ^^^^^^^^^
          |
          = help: remove it, or call it `_forgotten` if it is meant for others"#]]
    .assert_eq(&warnings(text));
}

#[test]
fn colours_are_for_terminals() {
    let parsed = parse_text("m.mbs", "planar M { param a = 1 deg; }");
    let list = parsed.errors.list();
    let coloured = parsed.sources.render_as(list, Severity::Error, Style::Coloured);
    let plain = parsed.sources.render(list);
    assert!(coloured.contains("\u{1b}[") && !plain.contains('\u{1b}'));
    let mut stripped = String::new();
    let mut rest = &*coloured;
    while let Some((before, after)) = rest.split_once("\u{1b}[") {
        stripped.push_str(before);
        rest = after.split_once('m').map_or("", |(_, after)| after);
    }
    assert_eq!(stripped + rest, plain);
}
