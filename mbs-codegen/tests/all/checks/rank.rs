//! Redundant rows, singular poses, freedoms: the named elements, which are equal in both formulations (`messages` compares them).

use expect_test::{Expect, expect};

use crate::checks::checked::{messages, messages_of_text, rendered, spatial};

const BODY: &str = "body b { mass: 1, inertia: 1 }";
/// Cranks of 1 m on one coupler, with a distance `gap` between their pivots.
fn cranks(count: usize, gap: f64, angle: f64) -> String {
    format!(
        "for i in 0..{count} {{ body c[i] {{ mass: 1, inertia: 1, angle: {angle} }}
        joint a[i] = revolute(ground at [{gap} * i, 0], c[i]); }}
        body k {{ mass: 1, inertia: 1, angle: 0 }}
        for i in 0..{count} {{ joint p[i] = revolute(c[i] at [1, 0], k at [{gap} * i, 0]); }}"
    )
}

fn check(items: &str, expected: &Expect) {
    expected.assert_eq(&messages(items));
}

#[test]
fn mbs060_shown_at_the_redundant_element() {
    expect![[r#"
        error: [MBS060] joint `slot` is redundant: `rail` constrains the same already
         --> m.mbs:4:7
          |
        4 | joint slot = prismatic(ground, b) { axis: [1, 0] };
          |       ^^^^
          |
          = help: remove it, or write `redundant: resolve;`"#]].assert_eq(&rendered(&format!(
        "{BODY}\njoint rail = prismatic(ground, b) {{ axis: [1, 0] }};\njoint slot = prismatic(ground, b) {{ axis: [1, 0] }};"
    )));
}

#[test]
fn mbs061_shown_at_the_singular_element() {
    expect![[r#"
        error: [MBS061] `x` of joint `p[1]` is singular at the declared pose of `M`: `a[0]`, `a[1]` and `p[0]` constrain the same there, not elsewhere, so the angles of `c[0]`, `c[1]` and `k` gain a freedom
         --> m.mbs:5:31
          |
        5 |         for i in 0..2 { joint p[i] = revolute(c[i] at [1, 0], k at [1.5 * i, 0]); }
          |                               ^
          |
          = help: start from another pose: another `angle` of `c[0]`, say, or `initial …`"#]].assert_eq(&rendered(&format!("{}\nfreedoms: 1;", cranks(2, 1.5, 0.0))));
}

#[test]
fn mbs062_shown_at_the_number() {
    expect![[r#"
        error: [MBS062] `M` has 1 freedom, not 2
         --> m.mbs:4:11
          |
        4 | freedoms: 2;
          |           ^
          |
          = help: free what should move, or write `freedoms: 1;`"#]]
    .assert_eq(&rendered(&format!("{BODY}\njoint pin = revolute(ground, b);\nfreedoms: 2;")));
}

#[test]
fn a_redundant_joint() {
    // Two slides: with different axes only the angle is constrained twice.
    check(
        &format!(
            "{BODY} joint a = prismatic(ground, b) {{ axis: [1, 0] }}; joint c = prismatic(ground, b) {{ axis: [0, 1] }};"
        ),
        &expect![[r#"
            [MBS060] `angle` of joint `c` is redundant: `a` constrains the same already
            = help: use `point_on_line`, which leaves the angle free, or remove it, or write `redundant: resolve;`"#]],
    );
    check(
        &format!("{BODY} joint a = fixed(ground, b); joint c = fixed(ground, b);"),
        &expect![[r#"
            [MBS060] joint `c` is redundant: `a` constrains the same already
            = help: remove it, or write `redundant: resolve;`"#]],
    );
    check(
        &format!(
            "{BODY} body d {{ mass: 1, inertia: 1 }} joint p = revolute(ground, b); joint q = revolute(ground, b); joint r = revolute(b, d);"
        ),
        &expect![[r#"
            [MBS060] joint `q` is redundant: `p` constrains the same already
            = help: remove it, or write `redundant: resolve;`"#]],
    );
    check(
        &format!(
            "{BODY} joint a = point_on_line(ground, b) {{ axis: [1, 0] }}; joint c = point_on_line(ground, b at [1, 0]) {{ axis: [1, 0] }};
            joint d = point_on_line(ground, b at [2, 0]) {{ axis: [1, 0] }};"
        ),
        &expect![[r#"
            [MBS060] joint `d` is redundant: `a` and `c` constrain the same already
            = help: remove it, or write `redundant: resolve;`"#]],
    );
}

#[test]
fn a_third_parallel_crank_is_redundant_at_every_pose() {
    // At π/2 another row of the joint would be the dependent one; redundancy is decided in other poses.
    for angle in [0.3, std::f64::consts::FRAC_PI_2, 2.5] {
        assert_eq!(messages(&cranks(3, 1.5, angle)), messages(&cranks(3, 1.5, 1.0)));
    }
    check(
        &cranks(3, 1.5, 1.0),
        &expect![[r#"
            [MBS060] `y` of joint `p[2]` is redundant: `a[0]`, `a[1]`, `a[2]` and 2 more constrain the same already
            = help: use a joint that constrains less, such as `point_on_line`, or remove it, or write `redundant: resolve;`"#]],
    );
    check(
        &format!("{} initial a[0].angle = 1; freedoms: 1;", cranks(3, 1.5, 1.1)),
        &expect![[r#"
            [MBS060] `y` of joint `p[2]` is redundant: `a[0]`, `a[1]`, `a[2]` and 2 more constrain the same already
            = help: use a joint that constrains less, such as `point_on_line`, or remove it, or write `redundant: resolve;`"#]],
    );
    check(
        &format!("{} drive d = a[0].angle == 1 + t; freedoms: 1;", cranks(3, 1.5, 1.0)),
        &expect![[r#"
            [MBS060] `y` of joint `p[2]` is redundant: `a[0]`, `a[1]`, `a[2]` and 2 more constrain the same already
            = help: use a joint that constrains less, such as `point_on_line`, or remove it, or write `redundant: resolve;`"#]],
    );
}

#[test]
fn a_redundant_drive() {
    let pin = format!("{BODY} joint a = revolute(ground, b);");
    check(
        &format!("{pin} drive d = a.angle == t; drive e = a.angle == 2 * t;"),
        &expect![[r#"
        [MBS060] drive `e` is redundant: `d` constrains the same already
        = help: remove it: it has nothing left to move"#]],
    );
    // A drive of a motion that a joint constrains.
    check(
        &format!("{BODY} joint a = prismatic(ground, b) {{ axis: [1, 0] }}; drive d = angle(b) == t;"),
        &expect![[r#"
            [MBS060] drive `d` is redundant: `a` constrains the same already
            = help: remove it: it has nothing left to move"#]],
    );
    // Two drives through a gear: a drive is named and not the gear, in any order of declaration.
    check(
        &format!(
            "{pin} body w {{ mass: 1, inertia: 1 }} drive d = a.angle == t; drive e = q.angle == t;
            joint q = revolute(ground at [1, 0], w); joint g = gear(a, q) {{ ratio: 2 }};"
        ),
        &expect![[r#"
            [MBS060] drive `e` is redundant: `g` and `d` constrain the same already
            = help: remove it: it has nothing left to move"#]],
    );
    check(
        &format!("{} drive d = a[0].angle == 1 + t; drive e = a[1].angle == 1 + t;", cranks(2, 1.5, 1.0)),
        &expect![[r#"
        [MBS060] drive `e` is redundant: `a[0]`, `a[1]`, `p[0]` and 2 more constrain the same already
        = help: remove it: it has nothing left to move"#]],
    );
}

#[test]
fn a_redundant_constraint_or_coupling() {
    check(
        &format!("{BODY} joint a = prismatic(ground, b) {{ axis: [1, 0] }}; constraint d = position(b).y == 0;"),
        &expect![[r#"
            [MBS060] constraint `d` is redundant: `a` constrains the same already
            = help: remove it, or write `redundant: resolve;`"#]],
    );
    check(
        &format!("{} constraint same = angle(c[0]) == angle(c[1]);", cranks(2, 1.5, 1.0)),
        &expect![[r#"
            [MBS060] constraint `same` is redundant: `a[0]`, `a[1]`, `p[0]` and `p[1]` constrain the same already
            = help: remove it, or write `redundant: resolve;`"#]],
    );
    check(
        &format!(
            "{BODY} joint a = revolute(ground, b); constraint v = rate(angle(b)) == 1; constraint w = rate(angle(b)) == 2;"
        ),
        &expect![[r#"
            [MBS060] constraint `w` is redundant: `v` constrains the same already
            = help: remove it, or write `redundant: resolve;`"#]],
    );
    check(
        &format!(
            "{BODY} body w {{ mass: 1, inertia: 1 }} joint a = revolute(ground, b); joint q = revolute(ground, w);
            coupling m = a.angle == 2 * q.angle; coupling n = q.angle == a.angle / 2;"
        ),
        &expect![[r#"
            [MBS060] coupling `n` is redundant: `m` constrains the same already
            = help: remove it, or write `redundant: resolve;`"#]],
    );
    check(
        &format!("{BODY} joint a = revolute(ground, b); constraint c = distance(ground, b) == 0;"),
        &expect![[r#"
            [MBS060] constraint `c` constrains nothing: no motion changes it
            = help: remove it, or write `redundant: resolve;`"#]],
    );
}

#[test]
fn a_singular_pose_is_not_a_redundant_joint() {
    check(
        &cranks(2, 1.5, 0.0),
        &expect![[r#"
            [MBS061] `x` of joint `p[1]` is singular at the declared pose of `M`: `a[0]`, `a[1]` and `p[0]` constrain the same there, not elsewhere, so the angles of `c[0]`, `c[1]` and `k` gain a freedom
            = help: start from another pose: another `angle` of `c[0]`, say, or `initial …`"#]],
    );
    check(
        &format!("{} initial a[0].angle = 0;", cranks(2, 1.5, 0.0)),
        &expect![[r#"
            [MBS061] `x` of joint `p[1]` is singular at the declared pose of `M`: `a[0]`, `a[1]` and `p[0]` constrain the same there, not elsewhere, so the angles of `c[0]`, `c[1]` and `k` gain a freedom
            = help: start from another pose: another `angle` of `c[0]`, say, or `initial …`"#]],
    );
    check(
        &format!("{} drive d = a[0].angle == t;", cranks(2, 1.5, 0.0)),
        &expect![[r#"
            [MBS061] `x` of joint `p[1]` is singular at the declared pose of `M`: `a[0]`, `a[1]` and `p[0]` constrain the same there, not elsewhere, so the angles of `c[1]` and `k` gain a freedom
            = help: start from another pose: another `angle` of `c[1]`, say, or `initial …`"#]],
    );
    // The slider of a slider-crank drives the crank: dead centre.
    let slider_crank = "body c { mass: 1, inertia: 1 } body r { mass: 1, inertia: 1 } body s { mass: 1, inertia: 1 }
        joint a = revolute(ground, c); joint p = revolute(c at [1, 0], r); joint w = revolute(r at [3, 0], s);
        joint g = prismatic(ground, s) { axis: [1, 0] }; freedoms: 1;";
    check(slider_crank, &expect![[""]]);
    check(
        &format!("{slider_crank} drive d = g.position == 4;"),
        &expect![[r#"
            [MBS061] drive `d` is singular at the declared pose of `M`: `a`, `p` and `w` constrain the same there, not elsewhere, so the angles of `c` and `r` gain a freedom
            = help: start with another `angle` of `c`, or drive another joint"#]],
    );
}

#[test]
fn a_row_whose_factor_vanishes_at_the_declared_pose_is_singular_in_every_formulation() {
    // In body coordinates the position of `rail` is a difference of 1e-17 m there.
    let items = "body carrier { mass: 1, inertia: 0.1, angle: -0.7 } body slide { mass: 1, inertia: 0.1 }
        joint pin = revolute(ground at [0.05, 0.3], carrier);
        joint rail = prismatic(carrier at [-0.15, -0.2], slide at [0.3, 0.1]) { axis: [0.4, -0.6] };
        constraint late = sin(rail.position) * rate(rate(pin.angle)) == 0.1; freedoms: 1;";
    check(
        items,
        &expect![[r#"
        [MBS061] constraint `late` is singular at the declared pose of `M`: no motion changes it there
        = help: start from another pose: `angle: …`, `position: …` or `initial …`"#]],
    );
    let in_space = "body carrier { mass: 1, inertia: [1, 1, 1] } body slide { mass: 1, inertia: [1, 1, 1] }
        joint pin = revolute(ground at [0.05, 0.3, 0.1], carrier) { axis: [0.3, 0.2, 1] };
        joint rail = prismatic(carrier at [-0.15, -0.2, 0.7], slide at [0.3, 0.1, -0.4]) { axis: [0.4, -0.6, 0.1] };
        constraint late = sin(rail.position) * rate(rate(pin.angle)) == 0.1; freedoms: 1;";
    expect![[r#"
        [MBS061] constraint `late` is singular at the declared pose of `M`: no motion changes it there
        = help: start from another pose: `angle: …`, `position: …` or `initial …`"#]]
    .assert_eq(&messages_of_text(&spatial(in_space)));
}

#[test]
fn freedoms_count_all_rows_but_drives() {
    let pin = format!("{BODY} joint a = revolute(ground, b);");
    check(&format!("{pin} freedoms: 1;"), &expect![[""]]);
    check(&format!("{pin} drive d = a.angle == t; freedoms: 1;"), &expect![[""]]);
    check(
        &format!("{pin} drive d = a.angle == t; freedoms: 0;"),
        &expect![[r#"
        [MBS062] `M` has 1 freedom, not 0
        = help: drives are not counted: write `freedoms: 1;`"#]],
    );
    check(
        &format!("{pin} constraint c = angle(b) == 1; freedoms: 1;"),
        &expect![[r#"
        [MBS062] `M` has 0 freedoms, not 1
        = help: free what should move, or write `freedoms: 0;`"#]],
    );
    check(&format!("{pin} constraint c = rate(angle(b)) == 1; freedoms: 0;"), &expect![[""]]);
    // A free particle without rows.
    check(
        "particle b { mass: 1 } joint f = free(ground, b); freedoms: 3;",
        &expect![[r#"
        [MBS062] `M` has 2 freedoms, not 3
        = help: free what should move, or write `freedoms: 2;`"#]],
    );
    // Algebraic coordinates are counted as all others.
    check(
        "coordinate s = 0.2; particle a { mass: 1 } constraint c = position(a).x == s;
        constraint e = position(a).y == s * s; freedoms: 2;",
        &expect![[r#"
            [MBS062] `M` has 1 freedom, not 2
            = help: free what should move, or write `freedoms: 1;`"#]],
    );
}

#[test]
fn an_angle_that_is_a_continuous_unknown_is_constrained_like_others() {
    // The bushing has no rows; its angles are unknowns, which separate rows connect with the poses.
    let table =
        "body b { mass: 1, inertia: [1, 1, 1] } joint a = translation(ground, b); joint m = bushing(ground, b);";
    let check =
        |items: &str, expected: &Expect| expected.assert_eq(&messages_of_text(&spatial(&format!("{table} {items}"))));
    check(
        "drive d = m.q[0] == t;",
        &expect![[r#"
        [MBS060] drive `d` is redundant: `a` constrains the same already
        = help: remove it: it has nothing left to move"#]],
    );
    check(
        "coupling c = m.q[2] == 0.1 * m.q[0];",
        &expect![[r#"
        [MBS060] coupling `c` is redundant: `a` constrains the same already
        = help: remove it, or write `redundant: resolve;`"#]],
    );
    check(
        "drive d = m.q[0] == 0.5 + t;",
        &expect![[r#"
            [MBS063] drive `d` contradicts `a`: it misses by 0.5
            = help: remove it, or make it agree"#]],
    );
    check("initial m.q[0] = 0;", &expect![[r#""#]]);
    check(
        "initial m.q[0] = 0.5;",
        &expect![[r#"
            [MBS063] `initial m.q[0]` contradicts `a`: it misses by 0.5
            = help: write `~` for a guess, or a value that agrees"#]],
    );
}
