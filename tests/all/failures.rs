//! Reports of failed runs: the quantity and its item, the values it depends on, the quantity whose error keeps steps short, and a singular pose
//! close by.

use mbs::simulation::Cause;
use mbs::{Describe, Engine, Error, Failure, Simulation};

use crate::tier::by_tier;

fn failure(text: &str) -> Failure {
    let engine = Engine::text(text).unwrap();
    Simulation::new(&engine).duration(3.0).run().unwrap_err()
}

/// `main` and `unwrap` print errors by `Debug`.
#[test]
fn debug_of_errors_reads_like_display() {
    fn check<E: std::fmt::Debug + std::fmt::Display>(error: E, expected: &str) {
        assert_eq!(format!("{error:?}"), error.to_string());
        assert!(error.to_string().contains(expected), "{error}");
    }
    let engine = Engine::text(&masses("output place = track.position;")).unwrap();
    let run = Simulation::new(&engine).duration(0.1).run().unwrap();
    check(run.output("plac").unwrap_err(), "unknown output `plac`, the nearest name is `place`");
    check(run.cycle("place").err().unwrap(), "place");
}

/// Two masses on springs along a line, and more items.
fn masses(more: &str) -> String {
    format!(
        "planar Masses {{
    param gap = 1.0;
    input pull;
    body cart {{ mass: 1, inertia: 1 }}
    joint track = prismatic(ground, cart) {{ axis: [1, 0] }};
    initial track.position = 0.0;
    {more}
}}"
    )
}

#[test]
fn a_spring_of_no_length_is_named_with_what_it_divides() {
    let failure = failure(&masses("force wire = spring_damper(ground, cart) { stiffness: 3, free_length: 0.1 };"));
    assert!(matches!(failure.cause, Cause::Run(Error::NotFinite { .. })), "{failure}");
    let details = failure.details().join("\n");
    assert!(details.contains("force `wire`") && details.contains("divided by 0 is not finite"), "{failure}");
    assert!(failure.to_string().contains("t = 0\n"), "{failure}");
}

#[test]
fn quantities_that_become_undefined_are_named_with_their_values() {
    let failure = failure(&masses("force push = point_force(cart) { force: [sqrt(gap - t), 0] };"));
    let details = failure.details().join("\n");
    assert!(details.contains("force `push`: sqrt(-"), "{failure}");
    assert!(details.contains("from parameter `gap` = 1 and `t` = 1"), "{failure}");
}

#[test]
fn states_and_functions_are_named() {
    let failure = failure(&masses("state charge = 1 { rate: -ln(gap - 0.8 * t) };"));
    assert!(failure.details().join("\n").contains("the rate of state `charge`"), "{failure}");
}

#[test]
fn inputs_and_loads_of_closures_are_named() {
    let text = masses("force push = point_force(cart) { force: [pull, 0] };");
    let engine = Engine::text(&text).unwrap();
    let failure = Simulation::new(&engine).inputs(|_, u| u[0] = f64::NAN).run().unwrap_err();
    assert!(failure.to_string().contains("input `pull` is NaN"), "{failure}");
    let load =
        |_: mbs::StateView, loads: &mut mbs::Loads| loads.wrench("cart", [0.0; 3], [f64::INFINITY, 0.0, 0.0], [0.0; 3]);
    let failure = Simulation::new(&engine).load(load).run().unwrap_err();
    assert!(failure.to_string().contains("a load of a closure on body `cart` is"), "{failure}");
}

mod generated {
    mbs::mechanism! {
        pub planar Wired {
            kernels: [forward, energies];
            body cart { mass: 1, inertia: 1 }
            joint track = prismatic(ground, cart) { axis: [1, 0] };
            force pull = point_force(cart) { force: [1, 0] };
            force wire = spring_damper(ground, cart) { stiffness: 3, free_length: 0.1 };
        }
    }
    mbs::mechanism! {
        /// `Wired` without energies, and a state.
        pub planar Charged {
            kernels: [forward];
            param gap = 1;
            state charge = 1 { rate: -ln(gap - 0.8 * t) };
            body cart { mass: 1, inertia: 1 }
            joint track = prismatic(ground, cart) { axis: [1, 0] };
            force wire = spring_damper(ground, cart at [gap, 0]) { stiffness: 3, free_length: 1 };
        }
    }
    mbs::mechanism! {
        /// The spatial variant of `Wired`.
        pub spatial Strung {
            body ball { mass: 1, inertia: [1, 1, 1] }
            joint base = free(ground, ball);
            force wire = spring_damper(ground, ball) { stiffness: 3, free_length: 0.1 };
        }
    }
}

#[test]
fn generated_code_names_the_force_that_is_undefined() {
    let wired = generated::Wired::new(Default::default()).unwrap();
    let failure = Simulation::new(&wired).run().unwrap_err();
    let expected =
        "force `wire`: its potential energy or its power is not finite, from `t` = 0, coordinate `track.position` = 0";
    assert!(failure.to_string().contains(expected), "{failure}");
    let strung = generated::Strung::new(Default::default()).unwrap();
    let failure = Simulation::new(&strung).run().unwrap_err();
    assert!(failure.to_string().contains("force `wire`"), "{failure}");
    let mut state = mbs::State::new(&wired);
    state.v.as_mut()[0] = f64::NAN;
    let failure = Simulation::new(&wired).initial(state).as_given().run().unwrap_err();
    assert!(failure.to_string().contains("speed `track."), "{failure}");
}

#[test]
fn generated_code_without_energies_names_speeds_and_states() {
    let charged = |gap| generated::Charged::new(generated::charged::Params { gap }).unwrap();
    let failure = Simulation::new(&charged(0.0)).run().unwrap_err();
    assert!(failure.to_string().contains("the generalised force along speed `track."), "{failure}");
    let failure = Simulation::new(&charged(1.0)).duration(3.0).run().unwrap_err();
    assert!(failure.to_string().contains("the rate of state `charge`"), "{failure}");
    assert!(failure.to_string().contains(", from `t` = 1.2"), "{failure}");
}

/// A pendulum on a tether that swings exactly through the lowest point, the pole of its two angles.
fn tether(coordinates: &str) -> String {
    format!(
        "spatial Tether {{
    coordinates: {coordinates};
    gravity: [0, 0, -9.81];
    body weight {{ mass: 1.5, inertia: [0.004, 0.004, 0.006], position: [0.5, 0.2, -0.4] }}
    joint swing = orbital_fixed(ground, weight) {{ radius: 0.7 }};
    output azimuth = swing.azimuth;
    output elevation = swing.elevation;
    output place = position(weight);
}}"
    )
}

#[test]
fn a_pole_names_the_angle_that_has_no_rate_there() {
    let failure = failure(&tether("joint"));
    let message = failure.to_string();
    assert!(message.contains("`swing."), "{message}");
    // The message has numbers with few digits.
    let longest = message.split(|c: char| !c.is_ascii_digit()).map(str::len).max();
    assert!(longest <= Some(8), "{message}");
}

/// The tolerance 1e-9 covers projection and integration errors.
#[test]
fn angles_describe_the_position_beyond_the_pole() {
    for coordinates in ["body", "natural"] {
        let engine = Engine::text(&tether(coordinates)).unwrap();
        let recording = Simulation::new(&engine).duration(3.0).run().unwrap();
        let column = |name: &str| recording.output(name).unwrap();
        for (i, t) in recording.times().iter().enumerate() {
            let (azimuth, elevation) = (column("azimuth")[i], column("elevation")[i]);
            let position = [elevation.cos() * azimuth.cos(), elevation.cos() * azimuth.sin(), elevation.sin()];
            for (name, position) in ["place.x", "place.y", "place.z"].into_iter().zip(position) {
                let miss = (column(name)[i] - 0.7 * position).abs();
                assert!(miss < 1e-9, "{coordinates}, t = {t}, {name}: {miss:.1e}");
            }
        }
    }
}

/// ẋ = x² has no solution beyond t = 1.
#[test]
fn a_step_too_small_names_the_quantity_that_requires_it() {
    let failure = failure(&masses("state charge = 1 { rate: charge * charge };"));
    let Cause::Run(Error::StepTooSmall { limited_by: Some(item), t, .. }) = failure.cause else { panic!("{failure}") };
    assert!(item == mbs::Item::Auxiliary(0) && (t - 1.0).abs() < 1e-6, "{failure}");
    assert!(failure.to_string().contains("the error of state `charge` keeps steps short"), "{failure}");
}

const PARALLEL: &str = "planar Parallel {
    param start = 1;
    body left { mass: 1, inertia: 1 }
    body right { mass: 1, inertia: 1, position: [1, 0] }
    body coupler { mass: 1, inertia: 1, position: [0, 1] }
    joint pivot = revolute(ground, left);
    joint other = revolute(ground at [1, 0], right);
    joint pin = revolute(left at [0, 1], coupler);
    joint close = revolute(coupler at [1, 0], right at [0, 1]);
    initial pivot.angle = start, other.angle ~ start, pivot.rate = 1;
}";

/// A parallelogram whose bars are in line, where it may continue as an antiparallelogram: at rest the branch is undetermined, and with speeds the
/// multipliers do not exist.
#[test]
fn a_run_does_not_start_in_a_singular_pose() {
    for coordinates in ["joint", "body", "natural"] {
        let mut engine = Engine::text(&PARALLEL.replacen('{', &format!("{{ coordinates: {coordinates};"), 1)).unwrap();
        for start in [1.5, std::f64::consts::FRAC_PI_2 - 1e-6, std::f64::consts::FRAC_PI_2 + 1e-6] {
            engine.set_parameter("start", start).unwrap();
            let run = Simulation::new(&engine).duration(0.1).run();
            assert!(run.is_ok(), "{coordinates}, {start}: {}", run.unwrap_err());
        }
        engine.set_parameter("start", std::f64::consts::FRAC_PI_2).unwrap();
        let failure = Simulation::new(&engine).run().map(|_| ()).unwrap_err();
        let message = failure.to_string();
        // In joint coordinates the start assembles; in others assembly passes the singular pose and ends close to it.
        assert!(message.contains("t = 0") && message.contains("change point: "), "{coordinates}: {message}");
        assert!(!message.contains("redundant"), "{coordinates}: {message}");
        assert!(matches!(failure.cause, Cause::Run(Error::Singular { .. })), "{coordinates}: {message}");
    }
}

/// The bars are in line after another 0.001 rad.
#[test]
fn a_failure_reports_the_distance_to_a_singular_pose() {
    let mut engine = Engine::text(PARALLEL).unwrap();
    engine.set_parameter("start", 1.57).unwrap();
    let failure = Simulation::new(&engine).max_steps(1).run().unwrap_err();
    assert!(matches!(failure.cause, Cause::Run(Error::TooManySteps { .. })), "{failure}");
    let message = failure.to_string();
    assert!(message.contains("close to a change point: moving `pivot.angle` by "), "{message}");
}

/// Its runs once failed after 0.44 s in body coordinates and after 1.33 s in joint coordinates, where its tether passes the pole of its angles.
#[test]
fn the_shoulder_of_the_repository_runs_with_the_defaults() {
    let text = include_str!("../../mechanisms/shoulder.mbs");
    for coordinates in ["joint", "body", "natural"] {
        let engine = Engine::text(&text.replace("coordinates: joint", &format!("coordinates: {coordinates}"))).unwrap();
        let run = Simulation::new(&engine).duration(by_tier(1.5, 3.0)).run();
        assert!(run.is_ok(), "{coordinates}: {}", run.unwrap_err());
    }
}

#[test]
fn the_budget_of_steps_names_the_quantity_that_keeps_steps_short() {
    let text = masses("potential stiff = 1e9 * track.position.powi(2); initial track.speed = 1.0;");
    let engine = Engine::text(&text).unwrap();
    let failure = Simulation::new(&engine).max_steps(50).run().unwrap_err();
    let Cause::Run(Error::TooManySteps { limited_by: Some(item), .. }) = failure.cause else { panic!("{failure}") };
    assert!(failure.to_string().contains(&format!("`{}` keeps steps short", engine.name(item))), "{failure}");
}
