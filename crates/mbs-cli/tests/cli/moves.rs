//! The free motions that `mbs check` lists: equal in all formulations.

use expect_test::{Expect, expect};

use crate::Scratch;

/// Compares names, mobility and motions of the mechanisms in a text, which must be equal in all formulations.
fn check(name: &str, text: &str, expected: &Expect) {
    let scratch = Scratch::new(name);
    scratch.file("moves.mbs", text);
    let shown = |formulation: &str| {
        let output = scratch.mbs(&["check", "moves.mbs", "--coordinates", formulation]);
        assert!(output.status.success(), "{formulation}: {output:?}");
        let shown = String::from_utf8_lossy(&output.stdout).into_owned();
        let wanted = |line: &&str| {
            !line.is_empty() && !line.starts_with(' ') || ["  mobility", "  moves"].iter().any(|s| line.starts_with(s))
        };
        shown.lines().filter(wanted).map(|line| format!("{}\n", line.trim_end())).collect::<String>()
    };
    let [joint, body, natural] = ["joint", "body", "natural"].map(shown);
    assert_eq!(joint, body);
    assert_eq!(joint, natural);
    expected.assert_eq(&joint);
}

/// A double wishbone with a wheel and a tie rod; `more` are further items.
fn suspension(name: &str, more: &str) -> String {
    format!(
        "spatial {name} {{
            gravity: [0, 0, -9.81];
            body lower {{ mass: 2, inertia: [0.1, 0.1, 0.1], com: [0, 0.2, 0] }}
            body upper {{ mass: 1, inertia: [0.1, 0.1, 0.1], com: [0, 0.15, 0], position: [0, 0.1, 0.3] }}
            body upright {{ mass: 4, inertia: [0.1, 0.1, 0.1], position: [0, 0.4, 0] }}
            body rod {{ mass: 0.5, inertia: [0.01, 0.01, 0.01], com: [0.01, 0.15, 0], position: [0.12, 0.1, 0.1] }}
            body wheel {{ mass: 15, inertia: [0.5, 0.9, 0.5], position: [0, 0.45, 0.15] }}
            joint lower_pivot = revolute(ground, lower) {{ axis: [1, 0, 0] }};
            joint upper_pivot = revolute(ground at [0, 0.1, 0.3], upper) {{ axis: [1, 0.05, 0] }};
            joint lower_ball = spherical(lower at [0, 0.4, 0], upright);
            joint upper_ball = spherical(upper at [0, 0.3, 0], upright at [0, 0, 0.3]);
            joint inner = spherical(ground at [0.12, 0.1, 0.1], rod);
            joint outer = spherical(rod at [0.02, 0.3, 0.01], upright at [0.14, 0, 0.11]);
            joint bearing = revolute(upright at [0, 0.05, 0.15], wheel) {{ axis: [0, 1, 0] }};
            {more}
        }}\n"
    )
}

#[test]
fn the_spin_of_a_tie_rod_is_no_travel_of_a_suspension() {
    let text = suspension("Suspension", "freedoms: 3;")
        + &suspension("Locked", "joint strut = fixed(ground, lower) { cut: true }; redundant: resolve; freedoms: 2;")
        + &suspension("Held", "drive lift = lower_pivot.angle == 0.1 * t;");
    check(
        "suspension",
        &text,
        &expect![[r#"
            Suspension
              mobility     3 freedoms, none of them driven; 1 of them is internal
              moves        1: joint `bearing` rotates about y: body `wheel` moves
              moves        2: internal: body `rod` spins in joints `inner` and `outer`, nothing else moves
              moves        3: joints `lower_pivot`, `upper_pivot`, `lower_ball`, `upper_ball`, `inner` and `outer` move together: bodies `lower`, `upper`, `upright`, `rod` and `wheel` move
            Locked
              mobility     2 freedoms, none of them driven; 1 of them is internal
              moves        1: joint `bearing` rotates about y: body `wheel` moves
              moves        2: internal: body `rod` spins in joints `inner` and `outer`, nothing else moves
            Held
              mobility     3 freedoms, 1 of them driven: 2 left; 1 of them is internal
              moves        1: joint `bearing` rotates about y: body `wheel` moves
              moves        2: internal: body `rod` spins in joints `inner` and `outer`, nothing else moves
              moves        3: joints `lower_pivot`, `upper_pivot`, `lower_ball`, `upper_ball`, `inner` and `outer` move together: bodies `lower`, `upper`, `upright`, `rod` and `wheel` move
        "#]],
    );
}

#[test]
fn motions_in_the_plane_name_few_joints() {
    let bar = "mass: 1, inertia: 0.1";
    let text = format!(
        "planar Chain {{
            body a {{ {bar} }} body b {{ {bar}, position: [1, 0] }} body c {{ {bar}, position: [2, 0], angle: 0.4 }}
            joint p = revolute(ground, a); joint q = revolute(a at [1, 0], b); joint r = revolute(b at [1, 0], c);
        }}
        planar FourBar {{
            body crank {{ {bar}, angle: 1 }} body rod {{ {bar} }} body rocker {{ {bar}, angle: 1 }} body tail {{ {bar} }}
            joint a = revolute(ground, crank); joint b = revolute(crank at [0.2, 0], rod);
            joint c = revolute(rod at [0.5, 0], rocker at [0.4, 0]); joint d = revolute(ground at [0.45, 0], rocker);
            joint e = revolute(rocker at [0.1, 0.1], tail);
            drive turn = a.angle == 1 + t;
        }}
        planar Follower {{
            body arm {{ {bar} }} body roller {{ mass: 1, inertia: 0.1 }}
            joint slide = prismatic(ground, arm) {{ axis: [0, 1] }};
            joint pin = revolute(arm at [0.3, 0], roller);
            joint track = point_on_line(ground, roller) {{ axis: [1, 1] }};
        }}
        planar Loose {{
            body a {{ {bar} }} body b {{ {bar}, position: [1, 0] }} particle dot {{ mass: 1, position: [3, 0] }}
            joint q = revolute(a at [1, 0], b); joint base = free(ground, dot);
        }}"
    );
    check(
        "plane",
        &text,
        &expect![[r#"
            Chain
              mobility     3 freedoms, none of them driven
              moves        1: joint `r` rotates: body `c` moves
              moves        2: joint `q` rotates: bodies `b` and `c` move
              moves        3: joint `p` rotates: bodies `a`, `b` and `c` move
            FourBar
              mobility     2 freedoms, 1 of them driven: 1 left
              moves        1: joint `e` rotates: body `tail` moves
              moves        2: joints `a`, `b`, `c` and `d` move together: bodies `crank`, `rod`, `rocker` and `tail` move
            Follower
              mobility     1 freedom, not driven; it is internal
              moves        internal: body `roller` spins in joints `pin` and `track`, nothing else moves
            Loose
              mobility     6 freedoms, none of them driven
              moves        1: bodies `a` and `b` slide along x
              moves        2: bodies `a` and `b` slide along y
              moves        3: bodies `a` and `b` rotate
              moves        4: joint `base` slides along x: body `dot` moves
              moves        5: joint `base` slides along y: body `dot` moves
              moves        6: joint `q` rotates: body `b` moves
        "#]],
    );
}

#[test]
fn axes_of_spatial_motions_are_named() {
    let text = "spatial Floating {
        body base { mass: 1, inertia: [1, 1, 1] } body arm { mass: 1, inertia: [1, 1, 1] }
        joint base_joint = free(ground, base);
        joint elbow = spherical(base at [0.3, 0.2, 0], arm);
    }
    spatial Turret {
        body base { mass: 1, inertia: [1, 1, 1] } body barrel { mass: 1, inertia: [1, 1, 1], position: [0.2, 0, 0] }
        joint turn = revolute(ground, base) { axis: [0, 0, 1] };
        joint lift = cylindrical(base at [0.2, 0, 0], barrel) { axis: [1, 0, 1] };
    }";
    check(
        "axes",
        text,
        &expect![[r#"
            Floating
              mobility     9 freedoms, none of them driven
              moves        1: joint `elbow` rotates about x: body `arm` moves
              moves        2: joint `elbow` rotates about y: body `arm` moves
              moves        3: joint `elbow` rotates about z: body `arm` moves
              moves        4: joint `base_joint` slides along x: bodies `base` and `arm` move
              moves        5: joint `base_joint` slides along y: bodies `base` and `arm` move
              moves        6: joint `base_joint` slides along z: bodies `base` and `arm` move
              moves        7: joint `base_joint` rotates about x: bodies `base` and `arm` move
              moves        8: joint `base_joint` rotates about y: bodies `base` and `arm` move
              moves        9: joint `base_joint` rotates about z: bodies `base` and `arm` move
            Turret
              mobility     3 freedoms, none of them driven
              moves        1: joint `lift` slides: body `barrel` moves
              moves        2: joint `lift` rotates: body `barrel` moves
              moves        3: joint `turn` rotates about z: bodies `base` and `barrel` move
        "#]],
    );
}

#[test]
fn prescribed_coordinates_and_many_freedoms_are_reported() {
    let scratch = Scratch::new("prescribed");
    let beads = "for i in 0..41 { particle p[i] { mass: 1, position: [i, 0] } joint j[i] = free(ground, p[i]); }";
    scratch.file(
        "given.mbs",
        format!(
            "planar Given {{
                body a {{ mass: 1, inertia: 1 }} body b {{ mass: 1, inertia: 1, position: [1, 0] }}
                joint p = revolute(ground, a); joint q = revolute(a at [1, 0], b);
                prescribe turn = p.angle == t;
            }}
            planar Beads {{ {beads} }}"
        ),
    );
    let output = scratch.mbs(&["check", "given.mbs"]);
    let shown = String::from_utf8_lossy(&output.stdout).into_owned();
    let lines: Vec<&str> = shown.lines().filter(|line| line.starts_with("  moves")).map(str::trim_start).collect();
    expect![[r#"
        moves        1: `p.angle` as `turn` prescribes
        moves        2: joint `q` rotates: body `b` moves
        moves        not listed: more than 40 freedoms, or a singular pose
    "#]]
    .assert_eq(&format!("{}\n", lines.join("\n")));
    let output = scratch.mbs(&["check", "given.mbs", "--format", "json"]);
    let list: serde_json::Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
    assert_eq!(list[0]["moves"][0]["joints"], serde_json::json!(["q"]));
    assert!(list[1]["moves"].is_null());
}
