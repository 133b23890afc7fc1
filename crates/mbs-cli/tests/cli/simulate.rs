//! `mbs simulate`: runs equal those of the façade, inputs and parameters by name, failures.

use std::fs;

use expect_test::expect;
use mbs::{Engine, Integrator, Simulation, Stabilization};

use crate::{Scratch, check_closed_pipe};

/// A shaft with a motor, a brake, parameters, inputs and outputs.
const SHAFT: &str = "pub planar Shaft {
    param inertia = 0.5;
    param brakes: [2] = [0.1, 0.2];
    input torque;
    input push: [2];
    body rotor { mass: 1, inertia: inertia, com: [0.1, 0] }
    joint bearing = revolute(ground, rotor);
    force motor = torque(ground, rotor) { torque: torque + push[0] - push[1] };
    force brake = torsion_damper(ground, rotor) { damping: brakes[0] + brakes[1] };
    initial bearing.rate = 2;
    output angle = bearing.angle;
    output rate = bearing.rate;
}
";

/// A mechanism whose run fails at t = 1.
const FAILS: &str = "planar Fails {
    particle p { mass: 1, velocity: [1, 0] }
    joint base = free(ground, p);
    force f = point_force(p) { force: [sqrt(1 - t), 0] };
    output x = position(p).x;
}
";

fn shaft(name: &str) -> Scratch {
    let scratch = Scratch::new(name);
    scratch.file("shaft.mbs", SHAFT);
    scratch
}

/// The CSV that a command prints.
fn csv(scratch: &Scratch, more: &[&str]) -> String {
    let arguments = [&["simulate", "shaft.mbs", "--quiet", "--csv", "-"][..], more].concat();
    let output = scratch.mbs(&arguments);
    assert!(output.status.success() && output.stderr.is_empty(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).expect("CSV is text")
}

fn to_csv(recording: &mbs::Recording) -> String {
    let mut out = Vec::new();
    recording.to_csv(&mut out).expect("memory takes everything");
    String::from_utf8(out).expect("CSV is text")
}

#[test]
fn the_csv_equals_that_of_the_facade() {
    let scratch = shaft("csv");
    let mut engine = Engine::text(SHAFT).expect("it is sound");
    let plain = Simulation::new(&engine).duration(1.0).every(0.05).run().expect("it runs");
    assert_eq!(csv(&scratch, &["--duration", "1", "--every", "0.05"]), to_csv(&plain));

    engine.set_parameter("inertia", 0.25).expect("it has it");
    engine.set_parameter("brakes[1]", 0.3).expect("it has it");
    let chosen = Simulation::new(&engine)
        .inputs(|at, u| u.copy_from_slice(&[0.2 * (3.0 * at.t).sin(), 1.5, 0.5]))
        .integrator(Integrator::Rk4 { step: 0.01 })
        .stabilization(Stabilization::None)
        .duration(0.5)
        .every(0.1)
        .run()
        .expect("it runs");
    let arguments = "--duration 0.5 --every 0.1 --integrator rk4 --step 0.01 --stabilization none --param inertia=1/4 \
                     --param brakes[1]=0.3 --input torque=0.2*sin(3*t) --input push=[1.5,0.5]";
    assert_eq!(csv(&scratch, &arguments.split_whitespace().collect::<Vec<_>>()), to_csv(&chosen));
}

#[test]
fn tolerance_and_longest_step_are_used_by_the_integrator() {
    let scratch = shaft("tolerance");
    let engine = Engine::text(SHAFT).expect("it is sound");
    let run = Simulation::new(&engine)
        .integrator(Integrator::DormandPrince { rtol: 1e-4, atol: 1e-6 })
        .max_step(0.02)
        .stabilization(Stabilization::Baumgarte { alpha: 5.0, beta: 7.0 })
        .duration(0.5)
        .run()
        .expect("it runs");
    let arguments = ["-d", "0.5", "--tolerance", "1e-4", "--step", "0.02", "--stabilization", "baumgarte:5,7"];
    assert_eq!(csv(&scratch, &arguments), to_csv(&run));
}

#[test]
fn values_come_from_files_too() {
    let scratch = shaft("files");
    scratch.file("values.txt", "# a shaft\ninertia = 0.25  # kg m²\nbrakes = [0.1, 0.3]\n");
    scratch.file("values.json", "{ \"brakes\": [0.1, 0.3], \"inertia\": 0.25 }");
    scratch.file("inputs.csv", "t,torque,push[1]\n0,0,0.5\n0.2,1,0.5\n0.4,0,0.5\n");
    let run =
        |more: &[&str]| csv(&scratch, &[&["-d", "0.3", "--every", "0.1", "--integrator", "rk4"][..], more].concat());
    let named = run(&["-p", "inertia=0.25", "-p", "brakes=[0.1,0.3]"]);
    assert_eq!(run(&["--params-file", "values.txt"]), named);
    assert_eq!(run(&["--params-file", "values.json"]), named);
    // The command line overrides the file.
    assert_eq!(
        run(&["--params-file", "values.txt", "-p", "inertia=2"]),
        run(&["-p", "inertia=2", "-p", "brakes=[0.1,0.3]"])
    );

    let series = run(&["--inputs-file", "inputs.csv"]);
    let law = ["-i", "torque=if t < 0.2 { 5 * t } else { 2 - 5 * t }", "-i", "push=[0, 0.5]"];
    let (series, law): (Vec<f64>, Vec<f64>) = (last_row(&series), last_row(&run(&law)));
    assert_eq!(series.len(), law.len());
    // Both are the same piecewise linear functions, computed with different roundings.
    assert!(series.iter().zip(&law).all(|(x, y)| (x - y).abs() < 1e-12), "{series:?}\n{law:?}");
    // The inputs of a recorded file can be applied again.
    scratch.file("recorded.csv", run(&["-i", "torque=0.3"]));
    assert_eq!(run(&["--inputs-file", "recorded.csv"]), run(&["-i", "torque=0.3"]));
}

fn last_row(csv: &str) -> Vec<f64> {
    let line = csv.lines().last().unwrap_or("");
    line.split(',').map(|cell| cell.parse().expect("a number")).collect()
}

#[test]
fn a_summary_describes_the_run() {
    let scratch = shaft("summary");
    let arguments =
        ["simulate", "shaft.mbs", "-d", "1", "--integrator", "rk4", "--csv", "run.csv", "--page", "run.html"];
    scratch.check(
        &arguments,
        &expect![[r#"
        Shaft: 1 s in 101 rows; 1000 steps, 4000 evaluations
        energy: 1.02 J at the start, 0.314532 J at the end, at most 0.705468 J from the start
          output  start      end    least  largest
          angle       0  1.51196        0  1.51196
          rate        2  1.11061  1.11061        2
        written: run.csv
        written: run.html
        exit 0
    "#]],
    );
    let page = fs::read_to_string(scratch.0.join("run.html")).expect("it was written");
    assert!(page.contains("<title>Shaft</title>") && page.trim_end().ends_with("</html>"));
    assert_eq!(fs::read_to_string(scratch.0.join("run.csv")).expect("it was written").lines().count(), 102);
    scratch.check(
        &["simulate", "shaft.mbs", "-d", "1", "--quiet"],
        &expect![[r#"
        exit 0
    "#]],
    );
    // If the CSV goes to the standard output, the summary goes to the standard error.
    let output = scratch.mbs(&["simulate", "shaft.mbs", "-d", "0.1", "--csv", "-"]);
    assert!(output.stdout.starts_with(b"t,q.bearing.angle,") && output.stderr.starts_with(b"Shaft: 0.1 s"));
}

#[test]
fn a_run_that_fails_writes_its_rows() {
    let scratch = Scratch::new("fails");
    scratch.file("fails.mbs", FAILS);
    let arguments = ["simulate", "fails.mbs", "-d", "2", "--integrator", "rk4", "--csv", "run.csv"];
    scratch.check(
        &arguments,
        &expect![[r#"
            error: a value is not finite at t = 1.0005
              1e-12 s ahead force `f`: sqrt(-1.00e-12) is not finite, from `t` = 1
              101 rows until t = 1 are in run.csv
            exit 3
        "#]],
    );
    let kept = fs::read_to_string(scratch.0.join("run.csv")).expect("it was written");
    assert!(kept.lines().last().is_some_and(|line| line.starts_with("1,")), "{kept}");

    scratch.file(
        "far.mbs",
        "planar Far {
        param reach = 1;
        particle p { mass: 1, position: [1, 0] }
        joint near = distance(ground, p) { length: 1 };
        joint far = distance(ground at [reach, 1], p) { length: 1 };
        initial position(p).x ~ 1;
    }",
    );
    scratch.check(
        &["simulate", "far.mbs", "-p", "reach=5", "--csv", "far.csv"],
        &expect![[r#"
            error: not assembled at t = 0: `near` misses by 2.750e0 after 50 iterations
              does not close: joint `near` still misses by 3.28 in the closest pose, at odds with joint `far`; check lengths and start values, or start nearer to an assembled pose
            exit 3
        "#]],
    );
    assert!(!scratch.0.join("far.csv").exists(), "nothing was recorded");
}

#[test]
fn names_and_values_that_do_not_fit_are_explained() {
    let scratch = shaft("names");
    scratch.file("two.mbs", format!("{SHAFT}{FAILS}")).file("empty.csv", "t,torqe\n0,1\n").file("bad.txt", "inertia\n");
    scratch.file("typo.txt", "\ninertai = 1\n").file("typo.json", "{\"inertai\": 1}").file("few.txt", "brakes = [1]\n");
    scratch.file(
        "opaque.mbs",
        "planar Cylinder {
        function gas: opaque(0);
        particle piston { mass: 0.4 }
        force pressure = point_force(piston) { force: [gas(position(piston).x), 0] };
    }",
    );
    let commands = [
        "-p inertai=1",
        "-p stiffness=1",
        "-p inertia",
        "-p inertia=-1",
        "-p inertia=inf",
        "-p inertia=abc",
        "-p inertia=t",
        "-p brakes=1",
        "-p brakes[2]=1",
        "-p brakes=[1,[2,3]]",
        "-i torqe=1",
        "-i torque=sinn(t)",
        "-i push=1",
        "--inputs-file empty.csv",
        "--inputs-file none.csv",
        "--params-file none.txt",
        "--params-file bad.txt",
        "--params-file typo.txt",
        "--params-file typo.json",
        "--params-file few.txt",
        "--mechanism Shat",
        "--every 1e-12",
        "--integrator rk4 --tolerance 1e-6",
        "--csv no/such/run.csv",
        "--page .",
    ];
    let mut shown = String::new();
    for command in commands {
        let arguments: Vec<&str> = ["simulate", "shaft.mbs"].into_iter().chain(command.split_whitespace()).collect();
        let output = scratch.mbs(&arguments);
        assert!(output.status.code() == Some(2) && output.stdout.is_empty(), "{command}: {output:?}");
        shown.push_str(&format!("{command}\n{}", String::from_utf8_lossy(&output.stderr)));
    }
    expect![[r#"
        -p inertai=1
        error: unknown parameter `inertai`, the nearest name is `inertia`
        -p stiffness=1
        error: unknown parameter `stiffness`, there are `inertia`, `brakes[0]`, `brakes[1]`, `brakes`
        -p inertia
        error: `--param inertia`: write `--param NAME=VALUE`
        -p inertia=-1
        error: parameter `inertia` is -1: it must not be negative
        -p inertia=inf
        error: `--param inertia=inf`: the number is not finite
        -p inertia=abc
        error: `--param inertia=abc`: unknown name `abc`
        -p inertia=t
        error: `--param inertia=t`: a parameter cannot depend on time
        -p brakes=1
        error: `--param brakes=1`: 2 values wanted, 1 given
        -p brakes[2]=1
        error: unknown parameter `brakes[2]`, the nearest name is `brakes[0]`
        -p brakes=[1,[2,3]]
        error: `--param brakes=[1,[2,3]]`: 2 values wanted, 3 given
        -i torqe=1
        error: unknown input `torqe`, the nearest name is `torque`
        -i torque=sinn(t)
        error: `--input torque=sinn(t)`: unknown function `sinn`, did you mean `sin`?
        -i push=1
        error: `--input push=1`: 2 values wanted, 1 given
        --inputs-file empty.csv
        error: empty.csv: unknown input `torqe`, the nearest name is `torque`
        --inputs-file none.csv
        error: none.csv: no such file
        --params-file none.txt
        error: none.txt: no such file
        --params-file bad.txt
        error: bad.txt:1: write `name = value`
        --params-file typo.txt
        error: typo.txt:2: unknown parameter `inertai`, the nearest name is `inertia`
        --params-file typo.json
        error: typo.json: unknown parameter `inertai`, the nearest name is `inertia`
        --params-file few.txt
        error: few.txt:1: `brakes = [1]`: 2 values wanted, 1 given
        --mechanism Shat
        error: unknown mechanism `Shat`, the nearest name is `Shaft`
        --every 1e-12
        error: 1.00e13 rows of 36 numbers are more than a recording holds, 2.5e8 numbers: give a longer `--every`, or a shorter `--duration`
        --integrator rk4 --tolerance 1e-6
        error: `rk4` has steps of fixed size and no `--tolerance`: give `--step`, or use `dormand-prince`
        --csv no/such/run.csv
        error: no/such/run.csv: no such folder
        --page .
        error: .: a directory, not a file
    "#]]
    .assert_eq(&shown);
    scratch.check(
        &["simulate", "two.mbs"],
        &expect![[r#"
        error: two.mbs contains several mechanisms: `Shaft`, `Fails`; choose one with `--mechanism NAME`
        exit 2
    "#]],
    );
    scratch.check(
        &["simulate", "opaque.mbs"],
        &expect![[r#"
        error: function `gas` is written in Rust, which the command line does not have: run the mechanism from a program
        exit 2
    "#]],
    );
    scratch.check(
        &["simulate", "two.mbs", "--mechanism", "Fails", "-d", "0.5", "-q"],
        &expect![[r#"
        exit 0
    "#]],
    );
}

#[test]
fn a_closed_pipe_is_no_error() {
    let scratch = shaft("simulate_pipe");
    check_closed_pipe(&scratch, &["simulate", "shaft.mbs", "-q", "--csv", "-"]);
}

#[test]
fn parameters_follow_those_in_their_defaults() {
    let scratch = Scratch::new("follow");
    let text = "planar Rod {
        gravity: [0, -9.81];
        param length = 0.5;
        param mass = 2 * length;
        param inertia = mass * length.powi(2) / 12;
        body rod { mass: mass, inertia: inertia, com: [length / 2, 0] }
        joint pin = revolute(ground, rod);
        output angle = pin.angle;
    }";
    scratch.file("rod.mbs", text).file("length.txt", "length = 0.8\n").file("written.mbs", text.replace("0.5", "0.8"));
    let csv = |file: &str, more: &[&str]| {
        let output = scratch.mbs(&[&["simulate", file, "-d", "1", "-q", "--csv", "-"][..], more].concat());
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).expect("CSV is text")
    };
    let written = csv("written.mbs", &[]);
    assert_eq!(csv("rod.mbs", &["--param", "length=0.8"]), written);
    assert_eq!(csv("rod.mbs", &["--params-file", "length.txt"]), written);
    // A parameter that is given itself does not follow.
    let all = ["-p", "length=0.8", "-p", "mass=1", "-p", "inertia=0.8*0.8/12"];
    assert_eq!(csv("rod.mbs", &["-p", "mass=1", "-p", "length=0.8"]), csv("rod.mbs", &all));
    let output = scratch.mbs(&["simulate", "rod.mbs", "-d", "0.1", "--param", "length=0.8"]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("parameters that follow: mass = 1.6, inertia = 0.0853333\n"), "{text}");
}

const PARALLELOGRAM: &str = "planar One {
    gravity: [0, -9.81];
    body left    { mass: 1, inertia: 1/12, com: [0, 0.5] }
    body right   { mass: 1, inertia: 1/12, com: [0, 0.5], position: [1, 0] }
    body coupler { mass: 1, inertia: 1/12, com: [0.5, 0], position: [0, 1] }
    joint pivot = revolute(ground, left);
    joint other = revolute(ground at [1, 0], right);
    joint pin   = revolute(left at [0, 1], coupler);
    joint close = revolute(coupler at [1, 0], right at [0, 1]);
    initial pivot.angle = 0, pivot.rate = -1;
    output slip = pivot.angle - other.angle;
}";

#[test]
fn change_points_that_a_run_crosses_are_reported() {
    let scratch = Scratch::new("change_points");
    scratch.file("one.mbs", PARALLELOGRAM);
    let text = |arguments: &[&str]| {
        let output = scratch.mbs(&[&["simulate", "one.mbs", "-d", "3"], arguments].concat());
        assert_eq!(output.status.code(), Some(0));
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    let plain = text(&[]);
    assert!(plain.contains("note: the run crosses 3 change points from 0.708"), "{plain}");
    assert!(!plain.contains("event"), "{plain}");
    let listed = text(&["--change-points"]);
    assert!(listed.contains("event change point: 3 times from 0.708"), "{listed}");
}

#[test]
fn a_branch_that_may_be_lost_is_an_error() {
    let scratch = Scratch::new("branch");
    scratch.file("one.mbs", PARALLELOGRAM);
    let coarse = [
        "simulate",
        "one.mbs",
        "-d",
        "20",
        "--coordinates",
        "body",
        "--integrator",
        "rk4",
        "--step",
        "0.3",
        "--every",
        "0.3",
    ];
    let output = scratch.mbs(&coarse);
    let message = String::from_utf8(output.stderr).expect("UTF-8");
    assert_eq!(output.status.code(), Some(3), "{message}");
    assert!(message.contains("the branch may be lost at a singular pose") && message.contains('`'), "{message}");
}

/// A block that is pulled more than its grip resists when it begins to grip: the condition has been true from the beginning, so that the
/// event waits for the next time.
const MISSED: &str = "planar Block {
    body block { mass: 1, inertia: 1 }
    joint rail = prismatic(ground, block) { axis: [1, 0] };
    initial rail.speed = 1;
    switch stuck = off;
    force pull = point_force(block) { force: [if stuck { -6 } else { -8 }, 0] };
    constraint grip = rail.speed == 0 { enabled: stuck };
    event stops = when rail.speed falls { enabled: !stuck; stuck = on; }
    event slips = when abs(load(grip)) > 3 { enabled: stuck; stuck = off; }
    output speed = rail.speed;
}";

#[test]
fn an_event_that_is_missed_is_noted() {
    let scratch = Scratch::new("missed");
    let summary = |text: &str| {
        scratch.file("block.mbs", text);
        let output = scratch.mbs(&["simulate", "block.mbs", "-d", "1"]);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    let note = "event stops: at 0.125 s\nnote: event slips was switched on at 0.125 s where its condition was true already, or just \
                about to be, and waits for the next time: `when … holds` happens there\n";
    for slips in ["abs(load(grip)) > 3", "3 - abs(load(grip)) falls"] {
        let text = summary(&MISSED.replace("abs(load(grip)) > 3", slips));
        assert!(text.contains(note), "{slips}: {text}");
    }
    // With `holds` the event happens at once.
    let text = summary(&MISSED.replace("abs(load(grip)) > 3", "abs(load(grip)) > 3 holds"));
    assert!(text.contains("event slips: at 0.125 s\n") && !text.contains("note: event"), "{text}");
}
