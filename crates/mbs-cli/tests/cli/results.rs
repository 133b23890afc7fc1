//! Destinations of results: files, pipes and devices; runs that are interrupted, runs that are too large.

use std::fs;

use expect_test::expect;

use crate::{PENDULUM, Scratch};

fn pendulum(name: &str) -> Scratch {
    let scratch = Scratch::new(name);
    scratch.file("pendulum.mbs", PENDULUM);
    scratch
}

/// Runs `mbs simulate pendulum.mbs` with options. Returns the exit code, the standard output and the standard error.
fn simulate(scratch: &Scratch, options: &[&str]) -> (i32, String, String) {
    let output = scratch.mbs(&[&["simulate", "pendulum.mbs"][..], options].concat());
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code().unwrap_or(-1), text(&output.stdout), text(&output.stderr))
}

#[test]
fn two_results_in_one_file_are_refused_before_the_run() {
    let scratch = pendulum("one_place");
    scratch.file("old.csv", "old");
    for place in ["-", "new.csv", "old.csv", "./old.csv"] {
        let (code, out, error) = simulate(&scratch, &["--csv", place, "--page", place.trim_start_matches("./")]);
        assert!(code == 2 && out.is_empty() && error.contains("`--csv` and `--page` both go to"), "{place}: {error}");
    }
    assert_eq!(fs::read_to_string(scratch.0.join("old.csv")).expect("it is there"), "old");
    assert!(!scratch.0.join("new.csv").exists());
    scratch.check(
        &["simulate", "pendulum.mbs", "--csv", "-", "--page", "-"],
        &expect![[r#"
            error: `--csv` and `--page` both go to the standard output: give one of them another file
            exit 2
        "#]],
    );
}

#[test]
fn a_file_that_is_read_is_not_replaced() {
    let scratch = pendulum("read_and_written");
    scratch.file("parameters.txt", "mass = 2\n");
    for (option, file) in [("--csv", "pendulum.mbs"), ("--page", "./pendulum.mbs"), ("--csv", "parameters.txt")] {
        let before = fs::read(scratch.0.join(file)).expect("it is there");
        let (code, out, error) = simulate(&scratch, &["--params-file", "parameters.txt", option, file]);
        assert!(code == 2 && out.is_empty(), "{file}: {error}");
        assert!(error.starts_with(&format!("error: `{option}` would replace ")), "{error}");
        assert_eq!(fs::read(scratch.0.join(file)).expect("it is there"), before, "{file}");
    }
    for command in ["generate", "equations"] {
        scratch.check(
            &[command, "pendulum.mbs", "-o", "../read_and_written/pendulum.mbs"],
            &expect![[r#"
                error: `--output` would replace pendulum.mbs, which is read: give it another file
                exit 2
            "#]],
        );
    }
    assert_eq!(fs::read_to_string(scratch.0.join("pendulum.mbs")).expect("it is there"), PENDULUM);
}

#[test]
fn a_file_that_is_imported_is_not_replaced() {
    let scratch = Scratch::new("imported_and_written");
    let part = "part swing(post, length = 1) {
        particle tip { mass: 1, position: [0, -length] }
        joint pin = revolute(post, tip at [0, length]);
    }";
    fs::create_dir_all(scratch.0.join("parts")).expect("it can be made");
    scratch.file("parts/swing.mbs", part);
    scratch.file("lift.csv", "0, 0\n1, 1\n2, 4\n");
    let pendulum = "import \"parts/swing.mbs\";
        planar Pendulum {
            function lift = spline(\"lift.csv\");
            body arm { mass: 1, inertia: 1 }
            joint shaft = revolute(ground, arm);
            part bob = swing(arm);
            output lifted = lift(shaft.angle);
        }";
    scratch.file("pendulum.mbs", pendulum);
    for (option, file) in [("--csv", "parts/swing.mbs"), ("--page", "./lift.csv")] {
        let (code, out, error) = simulate(&scratch, &[option, file]);
        assert!(code == 2 && out.is_empty(), "{file}: {error}");
        assert!(error.starts_with(&format!("error: `{option}` would replace ")), "{error}");
    }
    let (code, _, error) = simulate(&scratch, &["--csv", "bob.csv"]);
    assert_eq!((code, &*error), (0, ""));
    assert_eq!(fs::read_to_string(scratch.0.join("parts/swing.mbs")).expect("it is there"), part);
}

#[test]
fn tolerances_below_rounding_are_refused() {
    let scratch = pendulum("tiny_tolerance");
    scratch.check(
        &["simulate", "pendulum.mbs", "--tolerance", "1e-300"],
        &expect![[r#"
            error: `--tolerance` is 1e-300, it has to be 2.2e-16 or more, the rounding of numbers near 1
            exit 2
        "#]],
    );
}

#[test]
fn an_interval_longer_than_the_run_is_refused() {
    let scratch = pendulum("long_interval");
    scratch.check(
        &["simulate", "pendulum.mbs", "--duration", "2", "--every", "1e12"],
        &expect![[r#"
            error: `--every` is 1000000000000, longer than the run of 2 s: give at most `--every 2`, which records its start and end
            exit 2
        "#]],
    );
    let (code, csv, _) = simulate(&scratch, &["-d", "2", "--every", "2", "-q", "--csv", "-"]);
    assert_eq!((code, csv.lines().count()), (0, 3));
}

#[test]
fn a_run_of_no_duration_records_its_start() {
    let scratch = pendulum("no_duration");
    let (code, csv, error) = simulate(&scratch, &["--duration", "0", "--quiet", "--csv", "-"]);
    assert_eq!((code, csv.lines().count(), error.as_str()), (0, 2, ""));
    let (code, summary, _) = simulate(&scratch, &["--duration", "0"]);
    assert!(code == 0 && summary.starts_with("Pendulum: 0 s in 1 row"), "{summary}");
}

#[test]
fn rows_are_weighed_by_their_columns() {
    let scratch = pendulum("memory");
    // Fewer than 10⁸ rows: 9 · 10⁷ of them would take some 20 GB.
    let (code, _, error) = simulate(&scratch, &["--duration", "90", "--every", "1e-6"]);
    assert!(code == 2 && error.contains("rows of") && error.contains("longer `--every`"), "{error}");
}

#[test]
fn the_budget_of_steps_is_one_of_the_run() {
    let scratch = Scratch::new("budget");
    scratch.file("pendulum.mbs", PENDULUM.replace("output", "initial pin.rate = 3;\n    output"));
    let run = |every: &str, most: &str| simulate(&scratch, &["-d", "5", "-q", "--every", every, "--max-steps", most]).0;
    // The number of recorded rows makes no difference.
    for every in ["0.001", "0.1", "5"] {
        assert_eq!([run(every, "20"), run(every, "100000")], [3, 0], "every {every}");
    }
    let (_, _, error) = simulate(&scratch, &["-d", "5", "--max-steps", "20"]);
    assert!(error.starts_with("error: too many steps") && error.contains("`--max-steps`"), "{error}");
    scratch.check(
        &["simulate", "pendulum.mbs", "--integrator", "rk4", "--step", "1e-12"],
        &expect![[r#"
            error: a step of 1e-12 s takes 1.00e13 steps, more than `--max-steps`, 10000000: give a longer `--step`, or raise `--max-steps`
            exit 2
        "#]],
    );
}

#[test]
fn expressions_are_one_expression() {
    let scratch = Scratch::new("one_expression");
    scratch.file(
        "shaft.mbs",
        "planar Shaft {
            param inertia = 1;
            input motor;
            body rotor { mass: 1, inertia: inertia }
            joint bearing = revolute(ground, rotor);
            force drive = torque(ground, rotor) { torque: motor };
        }",
    );
    let run = |option: &str, value: &str| {
        let output = scratch.mbs(&["simulate", "shaft.mbs", option, value, "-d", "0.1"]);
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    for value in
        ["u; input u", "1; output more = 2", "0; } planar Other { output x = 1", "", "1 2", "t)", "(t", "\"t\""]
    {
        let (code, error) = run("--input", &format!("motor={value}"));
        assert_eq!(code, Some(2), "{value}: {error}");
        assert!(error.starts_with("error: `--input motor="), "{error}");
        let (code, error) = run("--param", &format!("inertia={value}"));
        assert_eq!(code, Some(2), "{value}: {error}");
    }
    assert_eq!(
        run("--input", "motor=t; input u").1,
        "error: `--input motor=t; input u`: expected the end of the expression, found `;`\n"
    );
    assert_eq!(run("--input", "motor=if t < 0.5 { sin(t) } else { 0 }").0, Some(0));
}

#[cfg(unix)]
mod unix {
    use std::io::{BufRead, BufReader, Read};
    use std::path::Path;
    use std::process::{Child, Command, Stdio};
    use std::time::{Duration, Instant};
    use std::{fs, thread};

    use super::{pendulum, simulate};
    use crate::Scratch;

    #[test]
    fn results_go_into_pipes_and_devices() {
        let scratch = pendulum("pipes");
        let (_, expected, _) = simulate(&scratch, &["-d", "1", "-q", "--csv", "-"]);
        assert_eq!(expected.lines().count(), 102);
        // `/dev/stdout` is another name of the standard output.
        let (code, csv, error) = simulate(&scratch, &["-d", "1", "--csv", "/dev/stdout"]);
        assert_eq!((code, &csv), (0, &expected), "{error}");
        assert!(error.starts_with("Pendulum: 1 s"), "{error}");
        let (code, _, error) = simulate(&scratch, &["-d", "1", "--csv", "/dev/null", "--page", "/dev/null"]);
        assert_eq!(code, 0, "{error}");

        let pipe = scratch.0.join("pipe");
        assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo").success());
        let reader = thread::spawn(move || fs::read_to_string(pipe).expect("it is written"));
        let (code, _, error) = simulate(&scratch, &["-d", "1", "-q", "--csv", "pipe"]);
        assert_eq!((code, error.as_str()), (0, ""));
        assert_eq!(reader.join().expect("it ends"), expected);
    }

    #[test]
    fn a_file_behind_a_link_is_replaced_and_keeps_its_permissions() {
        use std::os::unix::fs::PermissionsExt;

        let scratch = pendulum("link");
        scratch.file("real.csv", "old");
        let real = scratch.0.join("real.csv");
        fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).expect("ours");
        std::os::unix::fs::symlink("real.csv", scratch.0.join("link.csv")).expect("a link");
        assert_eq!(simulate(&scratch, &["-d", "1", "-q", "--csv", "link.csv"]).0, 0);
        assert!(scratch.0.join("link.csv").is_symlink());
        assert_eq!(fs::read_to_string(&real).expect("it is there").lines().count(), 102);
        assert_eq!(fs::metadata(&real).expect("it is there").permissions().mode() & 0o777, 0o640);
        let (code, _, error) = simulate(&scratch, &["--csv", "link.csv", "--page", "real.csv"]);
        assert!(code == 2 && error.contains("both go to"), "{error}");
    }

    #[test]
    fn endless_files_are_refused() {
        let scratch = pendulum("endless");
        for option in ["--params-file", "--inputs-file"] {
            let (code, _, error) = simulate(&scratch, &[option, "/dev/zero"]);
            assert_eq!((code, error.as_str()), (2, "error: /dev/zero: more than 256 MiB\n"), "{option}");
        }
        let output = scratch.mbs(&["check", "/dev/zero"]);
        assert_eq!(output.status.code(), Some(2));
        assert_eq!(String::from_utf8_lossy(&output.stderr), "error: /dev/zero: more than 256 MiB\n");
    }

    /// One result cannot be written: the command fails, and writes the other one.
    #[cfg(target_os = "linux")]
    #[test]
    fn no_result_is_lost_with_another() {
        let scratch = pendulum("full");
        for [lost, written] in [["--csv", "--page"], ["--page", "--csv"]] {
            let (code, out, error) = simulate(&scratch, &["-d", "1", lost, "/dev/full", written, "kept"]);
            assert_eq!(code, 2, "{error}");
            assert!(error.contains("/dev/full") && out.contains("written: kept"), "{error}{out}");
            let kept = fs::read_to_string(scratch.0.join("kept")).expect("it is there");
            assert!(kept.contains("angle"), "{written}: {kept}");
            fs::remove_file(scratch.0.join("kept")).expect("ours");
        }
        for command in ["generate", "equations"] {
            let output = scratch.mbs(&[command, "pendulum.mbs", "-o", "/dev/full"]);
            assert_eq!(output.status.code(), Some(2), "{command}");
        }
    }

    /// Starts a run that takes long, and waits until it is under way: the program installs its signal handler before it opens the pipe.
    fn start(scratch: &Scratch) -> Child {
        let pipe = scratch.0.join("begun");
        assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo").success());
        let mut command = Command::new(env!("CARGO_BIN_EXE_mbs"));
        let options = ["-d", "1e5", "--every", "0.1", "--csv", "run.csv", "--page", "begun"];
        command.current_dir(&scratch.0).args(["simulate", "pendulum.mbs"]).args(options).stderr(Stdio::piped());
        let child = command.spawn().expect("the program starts");
        thread::spawn(move || fs::read(pipe));
        thread::sleep(Duration::from_millis(1500));
        child
    }

    #[test]
    fn an_interrupted_run_keeps_what_it_recorded() {
        let scratch = pendulum("interrupted");
        scratch.file("run.csv", "old");
        let mut child = start(&scratch);
        assert_eq!(fs::read_to_string(scratch.0.join("run.csv")).expect("it is there"), "old", "while it runs");
        let id = child.id().to_string();
        assert!(Command::new("kill").args(["-INT", &id]).status().expect("kill").success());
        let begun = Instant::now();
        let code = child.wait().expect("it ends").code();
        assert!(begun.elapsed() < Duration::from_secs(60));
        let mut error = String::new();
        child.stderr.take().expect("it is piped").read_to_string(&mut error).expect("text");
        assert_eq!(code, Some(130), "{error}");
        assert!(error.starts_with("error: interrupted at t = ") && error.contains("rows until t = "), "{error}");
        check_complete_rows(&scratch.0.join("run.csv"));
        let left: Vec<_> = fs::read_dir(&scratch.0).expect("a folder").flatten().map(|e| e.file_name()).collect();
        assert!(!left.iter().any(|name| name.to_string_lossy().starts_with(".mbs-")), "{left:?}");
    }

    /// Checks that every row has all columns.
    fn check_complete_rows(path: &Path) {
        let lines = BufReader::new(fs::File::open(path).expect("it is there")).lines();
        let widths: Vec<usize> = lines.map(|line| line.expect("text").split(',').count()).collect();
        assert!(widths.len() > 10 && widths.iter().all(|width| *width == widths[0]), "{} rows", widths.len());
    }
}
