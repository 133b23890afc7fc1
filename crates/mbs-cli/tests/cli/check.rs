//! `mbs check`.

use expect_test::expect;

use crate::{PENDULUM, Scratch};

/// The output of `check` without the rows of its tables, whose numbers are golden elsewhere. The rows must be aligned with the head.
fn without_costs(shown: &str) -> String {
    let mut width = None;
    let mut kept = String::new();
    for line in shown.lines() {
        match width {
            Some(width) if line.starts_with("  ") => {
                assert_eq!(line.chars().count(), width, "{line:?}");
                assert!(line.ends_with(|c: char| c.is_ascii_digit()), "{line:?}");
            }
            _ => {
                width = line.ends_with("critical path").then(|| line.chars().count());
                let line: Vec<&str> = line.split_whitespace().collect();
                kept.push_str(&format!("{}\n", line.join(" ")));
            }
        }
    }
    kept
}

#[test]
fn check_prints_sizes_and_costs() {
    let scratch = Scratch::new("check");
    scratch.file(
        "two.mbs",
        format!(
            "{PENDULUM}
planar Driven {{
    particle p {{ mass: 1 }} particle q {{ mass: 1 }}
    joint a = distance(ground, p) {{ length: 1 }}; joint b = free(p, q);
    drive d = position(p).x == tanh(t);
    initial position(p).y ~ 1;
    kernels: forward;
}}"
        ),
    );
    let output = scratch.mbs(&["check", "two.mbs"]);
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    expect![[r#"
        Pendulum
        parts 1 body, 1 joint
        coordinates joint: 1 speed
        rows none: nothing is redundant
        mobility 1 freedom, not driven
        moves joint `pin` rotates: body `bob` moves
        values 1 parameter, 0 inputs, 0 states, 1 output
        nonzeros 1 of 1 in M (lower triangle), solver coordinates
        note nothing moves it: 1 freedom left, but all speeds are zero and the loads are in equilibrium; give it an initial speed, a drive or a force, or start from another pose

        kernel operations sincos critical path

        Driven
        parts 2 bodies, 2 joints, 1 equation
        coordinates joint: 4 speeds
        rows 2 of positions, all independent: nothing is redundant
        mobility 3 freedoms, 1 of them driven: 2 left
        moves 1: joint `b` slides along x: body `q` moves
        moves 2: joint `b` slides along y: body `q` moves
        moves 3: joint `a` slides along x: bodies `p` and `q` move
        values 0 parameters, 0 inputs, 0 states, 0 outputs
        nonzeros 4 of 10 in M (lower triangle), 3 of 8 in G, solver coordinates

        kernel operations sincos calls critical path
    "#]]
    .assert_eq(&without_costs(&String::from_utf8_lossy(&output.stdout)));
}

#[test]
fn notes_say_why_a_mechanism_does_not_move() {
    let scratch = Scratch::new("notes");
    let hanging = "gravity: [0, -9.81]; body b { mass: 1, inertia: 1, com: [0, -1] } joint a = revolute(ground, b);";
    let slider = "body c { mass: 1, inertia: 1, angle: 0.02 } body r { mass: 1, inertia: 1, angle: 0 }
        body s { mass: 1, inertia: 1, position: [4, 0] }
        joint a = revolute(ground, c); joint p = revolute(c at [1, 0], r); joint w = revolute(r at [3, 0], s);
        joint g = prismatic(ground, s) { axis: [1, 0] }; drive d = g.position == 3.99973333 - 0.01 * t;";
    let mechanisms = [
        ("Hanging", hanging.to_owned()),
        ("Held", format!("{hanging} drive d = a.angle == 1;")),
        ("Swinging", format!("{hanging} initial a.angle = 1;")),
        ("Dead", slider.to_owned()),
    ];
    let text: String = mechanisms.iter().map(|(name, items)| format!("planar {name} {{ {items} }}\n")).collect();
    scratch.file("notes.mbs", text);
    let output = scratch.mbs(&["check", "notes.mbs"]);
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let wanted = |line: &&str| !line.starts_with(' ') || line.starts_with("  note");
    let shown: Vec<&str> = text.lines().filter(|line| !line.is_empty()).filter(wanted).collect();
    expect![[r#"
        Hanging
          note         nothing moves it: 1 freedom left, but all speeds are zero and the loads are in equilibrium; give it an initial speed, a drive or a force, or start from another pose
        Held
          note         stationary: drive `d` decides every freedom and does not move; write the motion as a function of `t`
        Swinging
        Dead
          note         close to a dead point: moving `a.angle` by -0.02 rad or so leads there (margin 0.00282, 0.0238 near by), where joints `a`, `p`, `w`, `g` and drive `d` no longer constrain `a.angle` and `p.angle`; loads of the drive grow without bound there: drive another joint, or keep away
    "#]]
    .assert_eq(&format!("{}\n", shown.join("\n")));
}

#[test]
fn mistakes_are_shown_and_exit_with_1() {
    let scratch = Scratch::new("mistakes");
    scratch.file("broken.mbs", PENDULUM.replace("revolute", "revolut").replace("1.0", "1 / 0"));
    scratch.check(
        &["check", "broken.mbs"],
        &expect![[r#"
        error: [MBS030] division by zero
         --> broken.mbs:3:20
          |
        3 |     param mass = 1 / 0;
          |                    ^

        error: [MBS013] unknown kind of joint `revolut`
         --> broken.mbs:5:17
          |
        5 |     joint pin = revolut(ground, bob);
          |                 ^^^^^^^
          |
          = help: did you mean `revolute`?
        exit 1
    "#]],
    );
    scratch.check(
        &["generate", "broken.mbs"],
        &expect![[r#"
        error: [MBS030] division by zero
         --> broken.mbs:3:20
          |
        3 |     param mass = 1 / 0;
          |                    ^

        error: [MBS013] unknown kind of joint `revolut`
         --> broken.mbs:5:17
          |
        5 |     joint pin = revolut(ground, bob);
          |                 ^^^^^^^
          |
          = help: did you mean `revolute`?
        exit 1
    "#]],
    );
    scratch.file("empty.mbs", "");
    scratch.check(
        &["check", "empty.mbs"],
        &expect![[r#"
        error: [MBS001] there is no mechanism here
         --> empty.mbs:1:1
          |
        1 |
          | ^
          |
          = help: write `pub planar Name { … }` or `pub spatial Name { … }`
        exit 1
    "#]],
    );
    scratch.file("open.mbs", "planar M { joint a = revolute(b, c;\n}\n");
    scratch.check(
        &["check", "open.mbs"],
        &expect![[r#"
        error: [MBS000] `(` is never closed
         --> open.mbs:1:30
          |
        1 | planar M { joint a = revolute(b, c;
          |                              ^
        exit 1
    "#]],
    );
}

#[test]
fn scripts_get_json() {
    let scratch = Scratch::new("json");
    scratch.file("pendulum.mbs", PENDULUM);
    let output = scratch.mbs(&["check", "pendulum.mbs", "--format", "json"]);
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    let mut list: serde_json::Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
    let kernels = list[0]["kernels"].take();
    let names: Vec<&str> = kernels.as_array().expect("a list").iter().filter_map(|k| k["name"].as_str()).collect();
    assert!(names.contains(&"accelerations") && kernels[0]["operations"].is_u64(), "{names:?}");
    expect![[r#"
        [
          {
            "alternatives": [],
            "bodies": 1,
            "coordinates": "joint",
            "discrete": 0,
            "equations": 0,
            "events": [],
            "forces": 0,
            "freedoms": 1,
            "inputs": 0,
            "joints": 1,
            "kernels": null,
            "moves": [
              {
                "bodies": [
                  "bob"
                ],
                "coordinates": [],
                "internal": false,
                "joints": [
                  "pin"
                ],
                "text": "joint `pin` rotates: body `bob` moves"
              }
            ],
            "name": "Pendulum",
            "nonzeros": {
              "jacobian": 0,
              "mass": 1
            },
            "notes": [
              "nothing moves it: 1 freedom left, but all speeds are zero and the loads are in equilibrium; give it an initial speed, a drive or a force, or start from another pose"
            ],
            "outputs": 1,
            "parameters": 1,
            "redundant": [],
            "rows": {
              "acceleration": 0,
              "extrinsic": 0,
              "intrinsic": 0,
              "position": 0,
              "velocity": 0
            },
            "solvable": true,
            "speeds": 1,
            "states": 0,
            "undriven": 1
          }
        ]
    "#]]
    .assert_eq(&format!("{list:#}\n"));
}

/// `check` prints the cost of each choice of coordinates, and the choice.
#[test]
fn the_compiler_chooses_coordinates() {
    let scratch = Scratch::new("auto");
    let text = "planar Rods {
        coordinates: auto;
        gravity: [0, -9.81];
        body crank { mass: 1, inertia: 0.1, com: [0.5, 0], angle: 0.5 }
        body rod { mass: 1, inertia: 0.2, com: [1, 0], angle: -0.2 }
        joint a = revolute(ground, crank);
        joint b = revolute(crank at [1, 0], rod);
        joint c = point_on_line(ground, rod at [2, 0]) { axis: [1, 0] };
        freedoms: 1;
    }";
    scratch.file("auto.mbs", text);
    let lines = |shown: &str| {
        let kept = shown.lines().filter(|line| line.starts_with("  coordinates") || line.starts_with("  costs"));
        kept.map(|line| format!("{}\n", line.trim_start())).collect::<String>()
    };
    let [chosen, replaced] = [&["check", "auto.mbs"][..], &["check", "auto.mbs", "-c", "body"]].map(|arguments| {
        let output = scratch.mbs(arguments);
        assert!(output.status.success(), "{output:?}");
        lines(&String::from_utf8(output.stdout).expect("it is text"))
    });
    expect![[r#"
          coordinates  natural: 4 speeds, the cheapest by estimated time
          costs        natural: 20 ns, 4 + 3 unknowns, 54 operations, 9 for pivot checks, critical path 19
          costs        joint: 45 ns, 2 + 1 unknowns, 48 operations, 2 sincos, 1 for pivot checks, critical path 29
          costs        body: 55 ns, 6 + 5 unknowns, 91 operations, 2 sincos, 2 for pivot checks, critical path 36
    "#]]
    .assert_eq(&chosen);
    expect![[r#"
          coordinates  body: 6 speeds
    "#]]
    .assert_eq(&replaced);
    scratch.file("joint.mbs", text.replace("coordinates: auto;", ""));
    let output = scratch.mbs(&["check", "joint.mbs", "-c", "auto", "--format", "json"]);
    let list: serde_json::Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
    let alternatives = list[0]["alternatives"].as_array().expect("a list");
    assert_eq!(alternatives[0]["coordinates"], list[0]["coordinates"]);
    let times: Vec<f64> = alternatives.iter().filter_map(|a| a["nanoseconds"].as_f64()).collect();
    assert!(times.len() == 3 && times.is_sorted(), "{alternatives:?}");
    let output = scratch.mbs(&["simulate", "auto.mbs", "--duration", "0.1"]);
    assert!(output.status.success(), "{output:?}");
}

/// Rows that keep bodies rigid, and rows of joints, are counted in the summary, in JSON and in the generated constants.
#[test]
fn intrinsic_and_extrinsic_rows_are_counted() {
    let scratch = Scratch::new("bases");
    let text = "planar Plate {
    coordinates: natural;
    body plate {
        mass: 1, inertia: 0.1, coordinates: natural { points: [[0, 0]], vectors: [[1, 0], [0, 2]] },
    }
    joint pin = revolute(ground, plate at [0.5, 0]);
    drive spin = rate(plate) == 1;
}";
    scratch.file("plate.mbs", text);
    let shown = String::from_utf8(scratch.mbs(&["check", "plate.mbs"]).stdout).expect("it is text");
    let rows = shown.lines().find(|line| line.trim_start().starts_with("rows")).unwrap_or_default();
    expect!["  rows         5 of positions, 1 of velocities (3 intrinsic, 3 extrinsic), all independent: nothing is redundant"]
        .assert_eq(rows);
    let json = scratch.mbs(&["check", "plate.mbs", "--format", "json"]);
    let list: serde_json::Value = serde_json::from_slice(&json.stdout).expect("it is JSON");
    assert_eq!([&list[0]["rows"]["intrinsic"], &list[0]["rows"]["extrinsic"]], [3, 3]);
    let generated = String::from_utf8(scratch.mbs(&["generate", "plate.mbs"]).stdout).expect("it is text");
    for constant in
        ["pub const N_INTRINSIC: usize = 3;", "pub const N_EXTRINSIC: usize = 3;", "pub const NC: usize = 6;"]
    {
        assert!(generated.contains(constant), "{constant}");
    }
}

#[test]
fn mobility_is_reported_in_words() {
    let scratch = Scratch::new("mobility");
    let bodies = "body a { mass: 1, inertia: 1, angle: 0.3 } body b { mass: 1, inertia: 1, com: [1, 0] }
        joint p = revolute(ground, a); joint q = revolute(a at [1, 0], b);";
    let mechanisms = [
        ("Welded", "body a { mass: 1, inertia: 1 } joint w = fixed(ground, a);".to_owned()),
        ("Free", bodies.to_owned()),
        ("Driven", format!("{bodies} drive d = p.angle == t;")),
        ("Prescribed", format!("{bodies} drive d = p.angle == t; drive e = q.angle == 2 * t;")),
        ("Single", "body a { mass: 1, inertia: 1 } joint p = revolute(ground, a); drive d = p.angle == t;".to_owned()),
        ("Rolling", format!("{bodies} constraint r = velocity(b at com).x == 0;")),
    ];
    let text: String = mechanisms.iter().map(|(name, items)| format!("planar {name} {{ {items} }}\n")).collect();
    scratch.file("words.mbs", text);
    let output = scratch.mbs(&["check", "words.mbs"]);
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let wanted = |line: &&str| !line.starts_with(' ') || line.starts_with("  mobility") || line.starts_with("  rows");
    let shown: Vec<&str> = text.lines().filter(|line| !line.is_empty()).filter(wanted).collect();
    expect![[r#"
        Welded
          rows         none: nothing is redundant
          mobility     none: nothing can move
        Free
          rows         none: nothing is redundant
          mobility     2 freedoms, none of them driven
        Driven
          rows         1 of positions, independent
          mobility     2 freedoms, 1 of them driven: 1 left
        Prescribed
          rows         2 of positions, all independent: nothing is redundant
          mobility     2 freedoms, all 2 driven: the motion is prescribed
        Single
          rows         1 of positions, independent
          mobility     1 freedom, driven: the motion is prescribed
        Rolling
          rows         1 of velocities, independent
          mobility     1 freedom, not driven
    "#]]
    .assert_eq(&format!("{}\n", shown.join("\n")));
}

#[test]
fn rows_that_are_left_out_are_named() {
    let scratch = Scratch::new("redundant");
    let door = "redundant: resolve; gravity: [0, -9.81]; initial upper.rate = 1;
        body door { mass: 1, inertia: 1, com: [1, 0] } joint upper = revolute(ground, door);";
    let mechanisms = [
        ("Door", format!("{door} joint lower = revolute(ground, door);")),
        ("Stop", format!("{door} constraint held = distance(ground, door) == 0;")),
        ("Single", door.to_owned()),
    ];
    let text: String = mechanisms.iter().map(|(name, items)| format!("planar {name} {{ {items} }}\n")).collect();
    scratch.file("doors.mbs", text);
    let output = scratch.mbs(&["check", "doors.mbs"]);
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let wanted = |line: &&str| !line.starts_with(' ') || line.starts_with("  note") || line.starts_with("  rows");
    let shown: Vec<&str> = text.lines().filter(|line| !line.is_empty()).filter(wanted).collect();
    expect![[r#"
        Door
          rows         none, 2 redundant left out
          note         `lower.x` and `lower.y` are redundant and left out, other rows imply them; how `upper` and `lower` share their load is not determined
        Stop
          rows         none, 1 redundant left out
          note         `held` is redundant and left out: it adds no constraint
        Single
          rows         none: nothing is redundant
          note         `redundant: resolve;` has nothing to do: all rows are independent
    "#]].assert_eq(&format!("{}\n", shown.join("\n")));
    let output = scratch.mbs(&["check", "doors.mbs", "--format", "json"]);
    let list: serde_json::Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
    assert_eq!(list[0]["redundant"], serde_json::json!(["lower.x", "lower.y"]));
}

/// Messages have colours on a terminal, unless it is a dumb terminal or `NO_COLOR` is set.
#[cfg(target_os = "linux")]
#[test]
fn messages_have_colours_on_terminals_only() {
    let scratch = Scratch::new("colours");
    scratch.file("wrong.mbs", "planar Wrong { body a { mass: 1 } }");
    let shown = |variable: &str, value: &str| {
        let command = format!("'{}' check wrong.mbs", env!("CARGO_BIN_EXE_mbs"));
        let mut terminal = std::process::Command::new("script");
        terminal.current_dir(&scratch.0).args(["-qec", &command, "/dev/null"]);
        terminal.env_remove("NO_COLOR").env("TERM", "xterm").env(variable, value);
        terminal.output().ok().map(|output| String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let Some(coloured) = shown("TERM", "xterm") else {
        eprintln!("skipped: there is no `script`, which makes a terminal");
        return;
    };
    assert!(coloured.contains("\u{1b}[") && coloured.contains("MBS037"), "{coloured}");
    assert!(shown("NO_COLOR", "").is_some_and(|text| text.contains("\u{1b}[")));
    for (variable, value) in [("NO_COLOR", "1"), ("TERM", "dumb")] {
        let plain = shown(variable, value).expect("there is `script`");
        assert!(plain.contains("MBS037") && !plain.contains('\u{1b}'), "{variable}: {plain}");
    }
}

/// Long work is named on a terminal.
#[cfg(target_os = "linux")]
#[test]
fn long_work_is_named_on_a_terminal() {
    let scratch = Scratch::new("waiting");
    scratch.file(
        "chain.mbs",
        "planar Chain {
            const N = 80;
            for i in 0..N { body link[i] { mass: 1, inertia: 0.1, com: [0.5, 0] } }
            joint hook = revolute(ground, link[0]);
            for i in 0..N - 1 { joint pin[i] = revolute(link[i] at [1, 0], link[i + 1]); }
        }",
    );
    let command = format!("'{}' check chain.mbs", env!("CARGO_BIN_EXE_mbs"));
    let mut terminal = std::process::Command::new("script");
    terminal.current_dir(&scratch.0).args(["-qec", &command, "/dev/null"]).env("TERM", "xterm");
    let Ok(output) = terminal.output() else {
        eprintln!("skipped: there is no `script`, which makes a terminal");
        return;
    };
    let shown = String::from_utf8_lossy(&output.stdout);
    assert!(shown.contains("compiling chain.mbs"), "{shown}");
    assert!(shown.contains("freedoms") && output.status.success(), "{shown}");
}

/// A mechanism with many speeds is not diagnosed, which a note reports.
#[test]
fn many_speeds_are_not_diagnosed() {
    let scratch = Scratch::new("many");
    scratch.file(
        "dust.mbs",
        "planar Dust {
            for i in 0..260 {
                particle p[i] { mass: 1, position: [i, 0] }
                joint loose[i] = free(ground, p[i]);
            }
        }",
    );
    let output = scratch.mbs(&["check", "dust.mbs"]);
    let shown = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && shown.contains("520 speeds are more than 500"), "{shown}");
}
