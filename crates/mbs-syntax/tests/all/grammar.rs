//! The grammar: the complete example of the language, and each construct.

use expect_test::{Expect, expect};
use mbs_definition::{Expr, ExprKind, Item};
use mbs_syntax::{parse_text, parse_tokens, parse_tokens_with};
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

use crate::shown::{SLIDER_CRANK, ZOO, definition, items_shown, parse_sample, spare_part};

fn check(text: &str, expected: &Expect) {
    let parsed = parse_sample(text);
    let mut shown: String = parsed.definitions.iter().map(definition).collect();
    shown += &parsed.sources.render(parsed.errors.list());
    expected.assert_eq(&shown);
}

#[test]
fn the_complete_example_is_read() {
    check(
        SLIDER_CRANK,
        &expect![[r#"
        /// Slider-crank with a return spring and a motor.
        pub Planar SliderCrank {
            gravity: [0, (-9.81)];
            coordinates: joint;
            param crank_length = 0.05;
            const rod_length = 0.15;
            input motor_torque;
            state charge = 0 { rate: ((motor_torque - charge) / 0.02) };
            body crank { mass: 0.8, inertia: 0.0004, com: [(crank_length / 2), 0], angle: 0.5 };
            body rod { mass: 0.5, inertia: 0.0009, com: [(rod_length / 2), 0] };
            body piston { mass: 0.4, inertia: 0.0001 };
            marker rod_end = (rod at [rod_length, 0]);
            joint main_bearing = revolute(ground, crank);
            joint crank_pin = revolute((crank at [crank_length, 0]), rod);
            joint wrist_pin = revolute(rod_end, piston);
            joint cylinder = prismatic(ground, piston) { axis: [1, 0] };
            force motor = torque(ground, crank) { torque: charge };
            force spring = spring_damper((ground at [0.3, 0]), piston) { stiffness: 500, damping: 5, free_length: 0.1 };
            initial main_bearing.angle = 0.5, main_bearing.rate = 10;
            freedoms: 1;
            output stroke = position(piston).x;
        }
    "#]],
    );
}

#[test]
fn every_construct_is_read() {
    check(
        ZOO,
        &expect![[r#"
            /// First line.
            ///   Second line, indented ≤ "quoted".
            pub(crate) Spatial Zoo {
                gravity: param [0, 0, (-9.81)];
                kernels: [forward, kinematics];
                budget: { operations: 5000 };
                frame: rotating { omega: omega, alpha: alpha };
                const N = 2;
                param j: [3] = [1, 1, 1];
                param m: [2, 2] = [[1, 0], [0, 1]];
                input f: [3] in satellite;
                coordinate s = 0.2;
                let both = ([1, 0, 0] in satellite);
                /* The satellite. */ body satellite { mass: 2, inertia: [1, 2, 3], attitude: quaternion };
                body rigid { mass: 1 };
                particle p { mass: 1, position: [0, 0, 1] };
                marker tip = (satellite at com) { z: [0, 1, 0] };
                for (i) in 0..N { body link[i] { mass: (i + 1) }; joint hinge[i] = revolute(link[i], link[(i + 1)]) { axis: [0, 0, 1] }; }
                for (a, b) in pairs(bodies) { potential repel = (strength / distance(a, b)); }
                force thrust = wrench((satellite at com)) { force: (u[0..3] in satellite), moment: (u[3..6] in satellite) };
                force drag = mobility(hinge) { value: ((-c) * hinge.rate) };
                drive spin = (shaft.angle == (omega * t)) { enabled: clutch };
                constraint rod = ((dot(r, r) / 2) == ((d * d) / 2));
                coupling mesh = (a.angle == (ratio * b.angle));
                event touchdown = when height falls { impulse(floor, ball) { restitution: 0.8 }; }
                discrete gear: enum { low, high } = low;
                function lift(x) = if (x > 0) { x } else { 0 };
                joint kind Hinge(a, b) { coincident(a, b); constraint tilt = (dot(a.z, b.x) == 0); }
                joint kind Roll(a, b, r = 0.2) { coordinate q: [2] = [0, 1]; coordinate turn: angle; speed u: [3]; kinematics: [u[0], u[1], (u[2] * cos(turn))]; pose { rotation: turn, translation: (r * q) } }
                part leg(side, hip) { body thigh { mass: 1 }; }
                part front_left = leg(1, (satellite at [0.2, 0.1, 0]));
                library { part spare() {  } }
                report every 0.1;
                exclusive: [lock_a, lock_b];
                initial hinge[0].angle = 0.5, hinge[0].rate ~ 10;
                output energy = sum(((m[i] * powi(norm(speed(link[i])), 2)) / 2) for i in 0..N);
                output sign = if ((energy < 1) && (!done)) { (-1) } else { if (energy == 2) { 0 } else { 1 } };
            }
        "#]],
    );
}

#[test]
fn operators_bind_as_described() {
    let cases = "let a = 1 + 2 * 3 - 4 / 5 / 6; let b = -x.sin() * !y; let c = a < b || c >= d && e != f; \
        let d = a + b in arm; let e = f == g + h in arm; let f = position(arm at [x, y] + r) - -2; \
        let g = (a + b).x * [1, 2][0]; let h = a == -b; let i = x.powi(2).max(y, 1e-3); \
        let j = 2 * if a { 1 } else { 2 } + 3; let k = sum([1, 2]) + sum(f[i] in arm for i in 0..3);";
    expect![[r#"
        let a = ((1 + (2 * 3)) - ((4 / 5) / 6));
        let b = ((-sin(x)) * (!y));
        let c = ((a < b) || ((c >= d) && (e != f)));
        let d = ((a + b) in arm);
        let e = ((f == (g + h)) in arm);
        let f = (position((arm at ([x, y] + r))) - (-2));
        let g = ((a + b).x * [1, 2][0]);
        let h = (a == (-b));
        let i = max(powi(x, 2), y, 0.001);
        let j = ((2 * if a { 1 } else { 2 }) + 3);
        let k = (sum([1, 2]) + sum((f[i] in arm) for i in 0..3));"#]]
    .assert_eq(&items_shown(cases));
}

#[test]
fn numbers_are_reals() {
    expect!["let a = [1, 1, 1, 1000, 0.001, 1000.5, 0, 25];"]
        .assert_eq(&items_shown("let a = [1, 1.0, 1., 1e3, 1E-3, 1_000.5, 0, 2.5e+1];"));
}

#[test]
fn a_semicolon_after_braces_is_optional_for_bodies() {
    expect![[r#"
        body a { mass: 1 };
        body b { mass: 1 };
        body c;
        particle p { mass: mass };"#]]
    .assert_eq(&items_shown("body a { mass: 1 } body b { mass: 1 }; body c {} particle p { mass }"));
}

#[test]
fn unknown_categories_are_left_to_the_catalogue() {
    expect![[r#"
        jiont pin = revolute(a, b);
        bdoy a { mass: 1 };"#]]
    .assert_eq(&items_shown("jiont pin = revolute(a, b); bdoy a { mass: 1 }"));
}

#[test]
fn a_file_may_contain_several_mechanisms() {
    check(
        "pub planar A {} /// Second.\npub(in crate::x) spatial B { freedoms: 0; }",
        &expect![[r#"
        pub Planar A {
        }
        /// Second.
        pub(in crate::x) Spatial B {
            freedoms: 0;
        }
    "#]],
    );
}

#[test]
fn a_byte_order_mark_is_skipped() {
    check(
        "\u{feff}planar A { let ü = 1 ^ 2; }",
        &expect![[r#"
         Planar A {
            let ü = ?;
        }
        error: [MBS003] `^` is not an operator
         --> m.mbs:1:22
          |
        1 | planar A { let ü = 1 ^ 2; }
          |                      ^
          |
          = help: write `x.powi(2)`"#]],
    );
}

#[test]
fn both_routes_give_the_same_definition() {
    for text in [SLIDER_CRANK, ZOO] {
        let parsed = parse_sample(text);
        assert!(parsed.errors.is_empty());
        // Origins are equal as well: they count tokens.
        let by_tokens = parse_tokens_with(text.parse().unwrap(), &mut spare_part);
        assert_eq!(parsed.definitions, by_tokens.definitions);
    }
}

/// The text at the origin of the value of each declaration.
fn origins(items: &str) -> Vec<String> {
    let text = format!("planar M {{ {items} }}");
    let parsed = parse_text("m.mbs", &text);
    let value = |item: &Item| match item {
        Item::Declaration(declaration) => declaration.value.clone().unwrap(),
        _ => panic!("only declarations"),
    };
    let place = |expr: &Expr| text[parsed.sources.byte_range(expr.origin).unwrap()].to_owned();
    parsed.definitions[0].items.iter().map(|item| place(&value(item))).collect()
}

#[test]
fn origins_are_operators_or_complete_operands() {
    let text = "let a = 1 + x; let a = -x; let a = v in b; let a = b at com; let a = if c { 1 } else { 2 }; \
        let a = f(x).y[0]; let a = x.sin(); let a = [1, 2]; let a = sum(i for i in 0..3); let a = (x).y;";
    let expected = ["+", "-", "in", "at", "if", "f(x).y[0]", "x.sin()", "[1, 2]", "sum(i for i in 0..3)", "(x).y"];
    assert_eq!(origins(text), expected);
}

#[test]
fn groups_without_delimiters_keep_together() {
    let group = |text: &str| TokenTree::Group(Group::new(Delimiter::None, text.parse().unwrap()));
    let mut items: TokenStream = "let a = 2 *".parse().unwrap();
    items.extend([group("1 + x"), group("")]);
    items.extend("; let".parse::<TokenStream>());
    items.extend([group("b")]);
    items.extend("= -c;".parse::<TokenStream>());
    let mut tokens: TokenStream = "planar M".parse().unwrap();
    tokens.extend([TokenTree::Group(Group::new(Delimiter::Brace, items))]);
    let parsed = parse_tokens(tokens);
    assert!(parsed.errors.is_empty());
    let shown: Vec<String> = parsed.definitions[0].items.iter().map(crate::shown::item).collect();
    assert_eq!(shown, ["let a = (2 * (1 + x));", "let b = (-c);"]);
}

#[test]
fn doc_comments_are_in_definitions_and_declarations() {
    let parsed =
        parse_text("m.mbs", "/// One.\n///\n///   Two \"≤\" \\ {.\nplanar M { /** Block\n of two. */ input f; }");
    assert_eq!(parsed.definitions[0].docs, "One.\n\n  Two \"≤\" \\ {.");
    let Item::Declaration(declaration) = &parsed.definitions[0].items[0] else { panic!("a declaration") };
    assert_eq!(declaration.docs, "Block\nof two. ");
    assert!(!matches!(declaration.value, Some(Expr { kind: ExprKind::Broken, .. })));
}
