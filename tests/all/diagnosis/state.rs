//! States that violate constraints, and states with values that are not finite.

use mbs::diagnosis::{Finding, Unit};
use mbs::{Engine, State, assemble, diagnose};
use mbs_model::Formulation;

use crate::diagnosis::linkages::{FourBar, for_each_formulation, planar};
use crate::diagnosis::{messages, only};
use crate::support::{double_pendulum, four_bar};

/// A double pendulum by hand whose first pin is off by 12 mm.
#[test]
fn a_pose_off_its_pin_reports_the_distance() {
    let pendulum = double_pendulum();
    let mut state = State::new(&pendulum);
    assemble(&pendulum, &mut state).unwrap();
    assert!(diagnose(&pendulum, &state).is_healthy());
    state.q[0] += 0.012;
    let found = only(&pendulum, &state);
    let Finding::PoseOff { misses, correction: Some(_) } = &found else { panic!("{found}") };
    // First minus second point: both pins of the upper bar open.
    let off: Vec<(&str, f64)> = misses.iter().map(|m| (m.name.as_str(), m.residual)).collect();
    assert_eq!(off.len(), 2);
    for (name, residual) in off {
        let expected = if name == "shoulder.x" { -0.012 } else { 0.012 };
        assert!((residual - expected).abs() < 1e-12, "{name} {residual}");
    }
}

#[test]
fn the_worst_joint_of_a_pose_is_named_first() {
    for_each_formulation(&FourBar::PARALLELOGRAM.text(""), |engine| {
        let mut state = FourBar::PARALLELOGRAM.posed(engine, [1.0, 0.0, 1.0]);
        let last = state.q.len() - 1;
        state.q[last] += 0.02;
        let found = only(engine, &state);
        let Finding::PoseOff { misses, correction: Some(motion) } = &found else { panic!("{found}") };
        assert_eq!(misses[0].element.name, "r", "{found}");
        assert!(misses.iter().all(|m| m.relative.abs() <= misses[0].relative.abs()));
        assert_eq!(motion.unit, Unit::Radian);
        assert!(found.to_string().starts_with("off the constraints: joint `r` misses by 0.0"), "{found}");
    });
}

#[test]
fn a_drive_off_its_motion_at_this_time_is_reported() {
    let driven =
        "body b { mass: 1, inertia: 1, com: [0, -1] } joint a = revolute(ground, b); drive d = a.angle == 0.3 + t;";
    planar(driven, |engine| {
        let mut state = State::new(engine);
        state.t = 0.2;
        let coordinate = if state.q.len() == 1 { "a.angle" } else { "b.angle" };
        assert_eq!(
            messages(&diagnose(engine, &state)),
            [format!(
                "off the constraints: drive `d` misses by 0.2; `assemble` it, which moves `{coordinate}` by 0.2 rad or so, or give initial \
                 values that agree with the drive at this time"
            )]
        );
        state.t = 0.0;
        state.v.fill(0.0);
        assert_eq!(
            messages(&diagnose(engine, &state)),
            [
                "speeds break the constraints: drive `d` opens by 1 per second; `assemble` or `project` them, or give initial speeds \
              that agree with the drive at this time"
            ]
        );
    });
}

#[test]
fn only_values_that_are_no_numbers_are_named() {
    for_each_formulation(&FourBar::PARALLELOGRAM.text(""), |engine| {
        let mut state = FourBar::PARALLELOGRAM.posed(engine, [1.0, 0.0, 1.0]);
        state.q[0] = f64::NAN;
        state.v[1] = f64::INFINITY;
        let diagnosis = diagnose(engine, &state);
        let (coordinate, speed) = if diagnosis.speeds == 9 { ("a.x", "a.vy") } else { ("p.angle", "s.rate") };
        assert_eq!(
            diagnosis.to_string(),
            format!(
                "`FourBar` at t = 0:\n- not a number: coordinate `{coordinate}` and speed `{speed}` are not finite; start where everything \
                 is defined, and look for a length or a divisor of zero"
            )
        );
    });
    // A root of a negative number, in a row.
    planar("particle a { mass: 1, position: [1, 0] } constraint c = sqrt(position(a).x) == 1;", |engine| {
        let mut state = State::new(engine);
        state.q[0] = -1.0;
        let Finding::NotFinite { values } = only(engine, &state) else { panic!() };
        assert!(values.contains(&"residual of `c`".to_owned()), "{values:?}");
    });
    let linkage = four_bar();
    let mut state = State::new(&linkage);
    state.t = f64::NAN;
    assert!(matches!(only(&linkage, &state), Finding::NotFinite { .. }));
}

/// Every mechanism of the repository, as it starts: no false alarms.
#[test]
fn mechanisms_that_move_are_healthy() {
    let mut seen = 0;
    for entry in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../mechanisms")).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            continue;
        }
        let text = std::fs::read_to_string(path).unwrap();
        for formulation in [Formulation::Body, Formulation::Joint] {
            // Mechanisms that need functions written in Rust are left out.
            let Ok(engine) = Engine::options().formulation(formulation).text(&text) else { continue };
            let mut state = State::new(&engine);
            assemble(&engine, &mut state).unwrap();
            let diagnosis = diagnose(&engine, &state);
            assert!(diagnosis.is_healthy(), "{diagnosis}");
            seen += 1;
        }
    }
    assert!(seen > 50, "{seen}");
}

#[test]
fn absurd_states_do_not_panic() {
    for_each_formulation(&FourBar::PARALLELOGRAM.text("drive d = p.angle == 1 + t;"), |engine| {
        let start = FourBar::PARALLELOGRAM.posed(engine, [1.0, 0.0, 1.0]);
        for value in [1e-300, 1e12, -1e200, f64::MAX] {
            for i in 0..3 {
                let (mut placed, mut moving) = (start.clone(), start.clone());
                placed.q[i] = value;
                moving.v[i] = value;
                for state in [placed, moving] {
                    let shown = diagnose(engine, &state).to_string();
                    assert!(shown.starts_with("`FourBar` at t = 0:"), "{shown}");
                }
            }
        }
    });
}

/// Euler angles in gimbal lock, Rodrigues parameters close to half a revolution.
#[test]
fn a_singular_attitude_is_named() {
    for (attitude, at, which) in [
        ("euler(zyx)", [0.3, std::f64::consts::FRAC_PI_2, 0.1], "`f.q[0]` and `f.q[2]` are parameters that change"),
        ("euler(zxz)", [0.3, 0.0, 0.1], "`f.q[0]` and `f.q[2]` are parameters that change"),
        ("rodrigues", [1e8, 0.0, 0.0], "`f.q[0]`, `f.q[1]` and `f.q[2]` are parameters that change"),
    ] {
        let text = format!(
            "spatial M {{ body b {{ mass: 1, inertia: [1, 2, 3], attitude: {attitude}, rotation: axis_angle([1, 0, 0], 0.3) }}
            joint f = free(ground, b); }}"
        );
        let engine = Engine::text(&text).unwrap();
        let mut state = State::new(&engine);
        assert!(diagnose(&engine, &state).is_healthy());
        state.q[3..6].copy_from_slice(&at);
        let found = messages(&diagnose(&engine, &state));
        let expected = format!(
            "singular attitude: {which} without bound as the body rotates; describe its attitude otherwise, `quaternion` is regular everywhere"
        );
        assert_eq!(found[0], expected, "{attitude}");
    }
}
