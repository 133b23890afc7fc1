//! Wrong usage, and help.

use expect_test::expect;

use crate::{PENDULUM, Scratch};

#[test]
fn wrong_usage_exits_with_2() {
    let scratch = Scratch::new("usage");
    scratch.file("pendulum.mbs", PENDULUM);
    scratch.check(
        &["check", "pendulum.mbs", "--coordinats", "body"],
        &expect![[r#"
        error: unexpected argument '--coordinats' found

          tip: a similar argument exists: '--coordinates'

        Usage: mbs check --coordinates <CHOICE> <FILE>

        For more information, try '--help'.
        exit 2
    "#]],
    );
    scratch.check(
        &["check", "pendulum.mbs", "--coordinates", "polar"],
        &expect![[r#"
            error: invalid value 'polar' for '--coordinates <CHOICE>'
              [possible values: body, joint, natural, auto]

            For more information, try '--help'.
            exit 2
        "#]],
    );
    scratch.check(
        &["check"],
        &expect![[r#"
        error: the following required arguments were not provided:
          <FILE>

        Usage: mbs check <FILE>

        For more information, try '--help'.
        exit 2
    "#]],
    );
    scratch.check(
        &["chek", "pendulum.mbs"],
        &expect![[r#"
        error: unrecognized subcommand 'chek'

          tip: a similar subcommand exists: 'check'

        Usage: mbs <COMMAND>

        For more information, try '--help'.
        exit 2
    "#]],
    );
}

#[test]
fn help_lists_commands_and_options() {
    let scratch = Scratch::new("help");
    scratch.check(&["--help"], &expect![[r#"
        Checks mechanisms, simulates them, and prints their equations and the Rust they compile to.

        Exit codes: 0 fine, 1 mistakes in a mechanism, 2 wrong usage or a file that cannot be read or written, 3 a run that failed, 130 a run that was interrupted.

        Usage: mbs <COMMAND>

        Commands:
          check      Finds mistakes: names, shapes, redundant joints, poses that do not assemble; prints mobility, sizes and costs if there are none
          simulate   Runs a mechanism without compiling it: a summary, a CSV file, a page on which it moves
          generate   Prints the Rust that a file compiles to
          equations  Prints the mathematics of a file as Markdown: coordinates, constraints, Jacobian, mass matrix, forces, energies
          help       Print this message or the help of the given subcommand(s)

        Options:
          -h, --help
                  Print help (see a summary with '-h')

          -V, --version
                  Print version
        exit 0
    "#]]);
    scratch.check(
        &["generate", "--help"],
        &expect![[r#"
            Prints the Rust that a file compiles to

            Usage: mbs generate [OPTIONS] <FILE>

            Arguments:
              <FILE>
                      A `.mbs` file with one mechanism or several, or a robot's `.urdf` file

            Options:
              -c, --coordinates <CHOICE>
                      Coordinates instead of the declared ones

                      Possible values:
                      - body:    x, y, θ of every body
                      - joint:   A tree of joint coordinates, loops closed by constraints
                      - natural: Basic points and vectors of every body
                      - auto:    The cheapest of these

              -o, --output <FILE>
                      Write to this file instead of the standard output

              -h, --help
                      Print help (see a summary with '-h')
            exit 0
        "#]],
    );
    scratch.check(
        &["simulate", "--help"],
        &expect![[r#"
            Runs a mechanism without compiling it: a summary, a CSV file, a page on which it moves

            Usage: mbs simulate [OPTIONS] <FILE>

            Arguments:
              <FILE>
                      A `.mbs` file with one mechanism or several, or a robot's `.urdf` file

            Options:
              -c, --coordinates <CHOICE>
                      Coordinates instead of the declared ones

                      Possible values:
                      - body:    x, y, θ of every body
                      - joint:   A tree of joint coordinates, loops closed by constraints
                      - natural: Basic points and vectors of every body
                      - auto:    The cheapest of these

              -m, --mechanism <NAME>
                      Which mechanism of a file with several

              -d, --duration <SECONDS>
                      How long to run [s]; 0 records the start alone

                      [default: 10]

              -e, --every <SECONDS>
                      Interval between recorded rows [s], 0.01 unless given

                  --integrator <CHOICE>
                      Method of integration

                      Possible values:
                      - dormand-prince:      Order 5(4), which chooses its steps by the tolerance
                      - rk4:                 Order 4, fixed steps
                      - rk3:                 Order 3, fixed steps
                      - rk2:                 Order 2, fixed steps
                      - implicit-midpoint:   Order 2, symmetric, fixed steps
                      - gauss4:              Order 4, symmetric, fixed steps
                      - gauss6:              Order 6, symmetric, fixed steps
                      - generalized-alpha:   Order 2, damps what is fast, fixed steps
                      - zhong06:             Order 2, symplectic, of momenta, fixed steps; no attitudes
                      - semi-implicit-euler: Order 1, symplectic for separable systems, fixed steps
                      - explicit-euler:      Order 1, fixed steps

                      [default: dormand-prince]

                  --step <SECONDS>
                      Step of a method of fixed step [s], 0.001 unless given; the longest step of `dormand-prince`

                  --tolerance <NUMBER>
                      Relative tolerance of `dormand-prince`, 1e-9 unless given; the absolute one is a hundredth of it

                  --spectral-radius <NUMBER>
                      Part of a fast oscillation that `generalized-alpha` leaves after a step, 0 to 1; 0.8 unless given

                  --max-steps <NUMBER>
                      Most steps of the run, accepted or not; 10000000 unless given

                  --change-points
                      List singular poses that the run crosses among its events

                  --stabilization <CHOICE>
                      How constraints are kept: `projection`, `symmetric`, `none`, `baumgarte:20` or `baumgarte:ALPHA,BETA` [1/s]; `projection` unless given, of `gauss4` and `gauss6` `symmetric`

              -p, --param <NAME=VALUE>
                      A parameter: `length=0.5`, `angle=PI/3`, `gains=[1, 2]`, `gains[1]=2`. May be given several times

                  --params-file <FILE>
                      Parameters from a file with lines `name = value`, or a JSON object; `--param` overrides it

              -i, --input <NAME=VALUE>
                      An input: `torque=0.2`, or a law of time, `torque=0.2*sin(3*t)`. May be given several times

                  --inputs-file <FILE>
                      Inputs over time from a CSV file with a column `t`, linear between its times; `--input` overrides it

                  --csv <FILE>
                      Write everything recorded as comma-separated values; `-` is the standard output

                  --page <FILE>
                      Write an HTML page on which the mechanism moves

              -q, --quiet
                      Print no summary and no progress

              -h, --help
                      Print help (see a summary with '-h')
            exit 0
        "#]],
    );
}
