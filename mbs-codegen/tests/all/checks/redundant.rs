//! `redundant: resolve;`: the rows that are removed, which are equal in both formulations, and the errors that remain.

use expect_test::{Expect, expect};
use mbs_codegen::tokens;
use mbs_compiler::compile::{Compiled, Options, compile};
use mbs_compiler::interp::Fma;
use mbs_core::{Describe, Error, Mechanism, State, StateView, assemble};
use mbs_interp::Interpreted;

use crate::checks::checked::{FORMULATIONS, planar, spatial};

const BODY: &str = "body b { mass: 1, inertia: 1, com: [1, 0] }";

/// Cranks of 1 m on one coupler, with a distance of 1.5 m between their pivots.
fn cranks(count: usize, angle: f64) -> String {
    format!(
        "gravity: [0, -9.81];
        for i in 0..{count} {{ body c[i] {{ mass: 1, inertia: 1, angle: {angle} }} joint a[i] = revolute(ground at [1.5 * i, 0], c[i]); }}
        body k {{ mass: 1, inertia: 1, angle: 0 }}
        for i in 0..{count} {{ joint p[i] = revolute(c[i] at [1, 0], k at [1.5 * i, 0]); }}"
    )
}

/// The mechanism, compiled in both formulations, or the rendered messages.
fn compiled(items: &str) -> [Result<Compiled, String>; 2] {
    compiled_text(&planar(&format!("redundant: resolve;\n{items}")))
}

fn compiled_text(text: &str) -> [Result<Compiled, String>; 2] {
    FORMULATIONS.map(|formulation| {
        let parsed = mbs_syntax::parse_text("m.mbs", text);
        assert!(parsed.errors.is_empty(), "{}", parsed.sources.render(parsed.errors.list()));
        let options = Options { formulation: Some(formulation), ..Options::default() };
        let compiled = compile(&parsed.definitions[0], options);
        compiled.map_err(|errors| parsed.sources.render(errors.list()))
    })
}

/// The removed rows and the elements that share their load, or message and help; listed by formulation if they differ.
fn removed(items: &str) -> String {
    removed_rows(compiled(items))
}

fn removed_rows(compiled: [Result<Compiled, String>; 2]) -> String {
    let description = |compiled: Result<Compiled, String>| match compiled {
        Ok(compiled) => {
            let redundant = &compiled.tree.redundant;
            let rows: Vec<&str> = redundant.rows.iter().map(|r| r.name.as_str()).collect();
            match rows.len() {
                0 => "nothing".to_owned(),
                _ => format!("{} of {}", rows.join(", "), redundant.sharing.join(", ")),
            }
        }
        Err(shown) => {
            let kept = shown.lines().filter(|l| l.starts_with("error") || l.contains("= help"));
            kept.map(|l| l.trim().trim_start_matches("error: ")).collect::<Vec<_>>().join("\n")
        }
    };
    let [body, joint] = compiled.map(description);
    if body == joint { body } else { format!("body:\n{body}\njoint:\n{joint}") }
}

fn check(items: &str, expected: &Expect) {
    expected.assert_eq(&removed(items));
}

/// Accelerations at the start.
fn accelerations(compiled: Compiled) -> Vec<f64> {
    let mechanism = Interpreted::new(compiled, Fma::Plain).expect("it needs no functions");
    let mut state = State::new(&mechanism);
    assemble(&mechanism, &mut state).expect("it assembles");
    let sizes = mechanism.sizes();
    let (mut a, mut lambda) = (vec![0.0; sizes.n_v], vec![0.0; sizes.n_c]);
    let at = StateView { t: 0.0, q: &state.q, v: &state.v, z: &[], u: &[] };
    mechanism.accelerations(at, &mut a, &mut lambda).expect("the remaining rows are independent");
    a
}

#[test]
fn a_third_crank_shares_the_load() {
    check(&cranks(3, 1.0), &expect!["p[2].y of a[0], a[1], a[2], p[0], p[1], p[2]"]);
    // x and y are dependent in different poses: where the cranks are vertical, x is needed; where all are in line, all rows are singular.
    for angle in [0.1, std::f64::consts::FRAC_PI_2, 2.5] {
        assert_eq!(removed(&cranks(3, angle)), removed(&cranks(3, 1.0)), "{angle}");
    }
    check(
        &cranks(5, 1.0),
        &expect!["p[2].y, p[3].y, p[4].y of a[0], a[1], a[2], a[3], a[4], p[0], p[1], p[2], p[3], p[4]"],
    );
}

#[test]
fn accelerations_are_those_without_the_third_crank() {
    // Its mass remains, on the coupler's end: cranks of equal angles move like one crank.
    let [body, joint] = compiled(&cranks(3, 1.0)).map(|c| c.map(accelerations).unwrap_or_else(|e| panic!("{e}")));
    let (n, g, length): (f64, f64, f64) = (3.0, 9.81, 1.0);
    // Cranks of inertia 1 about their pivots, with masses there, and a translating coupler of 1 kg: (3·1 + 1·1²) θ̈ = −g cos θ.
    let expected = -g * length * 1.0_f64.cos() / (n + length * length);
    for (a, angles) in [(body, [2, 5, 8]), (joint, [0, 1, 2])] {
        for i in angles {
            assert!((a[i] - expected).abs() < 1e-12, "{a:?}, expected {expected}");
        }
    }
}

#[test]
fn all_rows_that_constrain_twice_are_removed() {
    check(
        &format!("{BODY} joint p = revolute(ground, b); joint q = revolute(ground, b); freedoms: 1;"),
        &expect!["q.x, q.y of p, q"],
    );
    check(
        &format!("{BODY} joint a = prismatic(ground, b) {{ axis: [1, 0] }}; constraint d = position(b).y == 0;"),
        &expect!["d of a, d"],
    );
    check(
        &format!(
            "{BODY} joint a = revolute(ground, b); constraint v = rate(angle(b)) == 1; constraint w = rate(angle(b)) == 1;"
        ),
        &expect!["w of v, w"],
    );
    check(
        &format!("{BODY} joint a = revolute(ground, b); constraint c = distance(ground, b) == 0;"),
        &expect!["c of c"],
    );
}

#[test]
fn drives_are_never_removed() {
    check(
        &format!("{} drive d = a[0].angle == 1 + t;", cranks(3, 1.0)),
        &expect!["p[2].y of a[0], a[1], a[2], p[0], p[1], p[2]"],
    );
    check(
        &format!("{BODY} joint a = revolute(ground, b); drive d = a.angle == t; drive e = a.angle == t;"),
        &expect![[r#"
            [MBS060] drive `e` is redundant: `d` constrains the same already
            = help: remove it: it has nothing left to move"#]],
    );
}

#[test]
fn equivalent_rows_have_to_agree() {
    check(
        &format!(
            "{BODY} joint a = revolute(ground, b); constraint v = rate(angle(b)) == 1; constraint w = rate(angle(b)) == 2;"
        ),
        &expect![[r#"
            [MBS060] constraint `w` contradicts `v`: they ask for different speeds
            = help: let them move alike, or remove one of them"#]],
    );
    let doors = |motion: &str| {
        format!(
            "{BODY} joint a = revolute(ground at [0.1 * t.powi(2), 0], b); joint c = revolute(ground at [{motion}, 0], b);"
        )
    };
    check(
        &doors("0.1 * t"),
        &expect![[r#"
        [MBS060] joint `c` contradicts `a`: they ask for different speeds
        = help: let them move alike, or remove one of them"#]],
    );
    check(
        &doors("0.1 * t.powi(3)"),
        &expect![[r#"
        [MBS060] joint `c` contradicts `a`: at t = 0.01 s they cannot be met together
        = help: let them move alike, or remove one of them"#]],
    );
    check(&doors("0.1 * t.powi(2)"), &expect!["c.x, c.y of a, c"]);
    check(
        &doors("1"),
        &expect![[r#"
        [MBS063] joint `a` contradicts `c`: it misses by 1 m
        = help: remove it, or make it agree"#]],
    );
}

#[test]
fn a_singular_pose_is_not_resolved() {
    check(
        &cranks(2, 0.0),
        &expect![[r#"
        [MBS061] `x` of joint `p[1]` is singular at the declared pose of `M`: `a[0]`, `a[1]` and `p[0]` constrain the same there, not elsewhere, so the angles of `c[0]`, `c[1]` and `k` gain a freedom
        = help: start from another pose: another `angle` of `c[0]`, say, or `initial …`"#]],
    );
    check(
        &cranks(3, 0.0),
        &expect![[r#"
            [MBS061] `x` of joint `p[1]` is singular at the declared pose of `M`: `a[0]`, `a[1]` and `p[0]` constrain the same there, not elsewhere, so the angles of `c[0]`, `c[1]` and `k` gain a freedom
            = help: start from another pose: another `angle` of `c[0]`, say, or `initial …`"#]],
    );
}

#[test]
fn independent_rows_are_not_removed() {
    check(&cranks(2, 1.0), &expect!["nothing"]);
    check(&format!("{BODY} joint a = revolute(ground, b);"), &expect!["nothing"]);
}

#[test]
fn the_generated_type_names_removed_rows() {
    let text = |items: &str| {
        let tokens = tokens("m.mbs", &planar(items), Options::default());
        let tokens = tokens.unwrap_or_else(|failure| panic!("{failure}")).to_string();
        tokens.split_whitespace().collect::<String>()
    };
    let three = text(&format!("redundant: resolve; {}", cranks(3, 1.0)));
    assert!(three.contains("pubconstREDUNDANT:[&str;1]=[\"p[2].y\"];"));
    assert!(three.contains("Leftout,becauseotherrowsimplythem,withmultipliersthatcountaszero:`p[2].y`"));
    let two = text(&format!("redundant: resolve; {}", cranks(2, 1.0)));
    assert!(two.contains("pubconstREDUNDANT:[&str;0]=[];") && !two.contains("Leftout"));
    assert!(!text(&cranks(2, 1.0)).contains("REDUNDANT"));
}

#[test]
fn parameters_that_end_redundancy_do_not_assemble() {
    let items = cranks(3, 1.0).replace("c[i] at [1, 0]", "c[i] at [1 + longer * i * (i - 1), 0]");
    for compiled in compiled(&format!("param longer = 0; {items}")) {
        let mut mechanism =
            Interpreted::new(compiled.unwrap_or_else(|e| panic!("{e}")), Fma::Plain).expect("no functions");
        mechanism.set_parameters(&[0.01]).expect("it is finite");
        let mut state = State::new(&mechanism);
        let failure = assemble(&mechanism, &mut state).expect_err("the third crank is too long");
        let row = match failure {
            Error::NotAssembled { row, .. } => row,
            other => panic!("{other:?}"),
        };
        let condition = row.checked_sub(mechanism.sizes().n_c).expect("the rows that are left can be met");
        assert_eq!(mechanism.name(mbs_core::Item::Condition(condition)), "p[2].y");
    }
}

#[test]
fn rows_of_continuous_unknowns_are_removed_as_well() {
    let items = "redundant: resolve; body b { mass: 1, inertia: [1, 1, 1] }
        joint a = translation(ground, b); joint m = bushing(ground, b);
        coupling c = m.q[2] == 0.1 * m.q[0]; freedoms: 3;";
    expect!["c of a, c"].assert_eq(&removed_rows(compiled_text(&spatial(items))));
}
