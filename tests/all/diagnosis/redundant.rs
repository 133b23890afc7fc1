//! Redundant constraints and drives.

use mbs::diagnosis::Finding;
use mbs::{State, assemble_positions, diagnose};
use mbs_model::Formulation;

use crate::diagnosis::linkages::{FourBar, for_each_formulation, planar};
use crate::diagnosis::{messages, names, only};
use crate::support::{Ends, Joint, Planar, Point};

/// A third rod, which fits for one length only: with others it locks the linkage.
fn with_rod() -> String {
    let length = (1f64.cos() - 0.2).hypot(1f64.sin());
    FourBar::PARALLELOGRAM.text(&format!(
        "param x = 0.9; param length = {length:?};
        joint rod = distance(ground at [x, 0], b at [0.7, 0]) {{ length: length }};"
    ))
}

#[test]
fn a_third_parallel_rod_is_redundant_in_every_pose() {
    for_each_formulation(&with_rod(), |engine| {
        let mut engine = engine.clone();
        let state = FourBar::PARALLELOGRAM.posed(&engine, [1.0, 0.0, 1.0]);
        let locked = diagnose(&engine, &state);
        assert_eq!((locked.freedoms, messages(&locked).len()), (0, 1), "{locked}");
        assert_eq!(locked.findings[0], Finding::Rigid);
        engine.set_parameters(&[0.7, 1.0]).unwrap();
        let diagnosis = diagnose(&engine, &state);
        assert_eq!((diagnosis.freedoms, diagnosis.rank), (1, diagnosis.speeds - 1));
        assert_eq!(
            messages(&diagnosis),
            [
                "redundant: joint `rod` constrains nothing new, joints `p`, `q`, `r` and `s` constrain the same in every pose, and how loads \
              divide between them is undetermined; remove it, or use a joint that constrains less"
            ]
        );
    });
}

#[test]
fn a_rod_too_long_closes_nowhere() {
    for_each_formulation(&with_rod(), |engine| {
        let mut engine = engine.clone();
        engine.set_parameters(&[0.7, 4.5]).unwrap();
        let state = FourBar::PARALLELOGRAM.posed(&engine, [1.0, 0.0, 1.0]);
        let found = only(&engine, &state);
        let Finding::NotClosed { misses } = &found else { panic!("{found}") };
        assert!(misses.iter().any(|m| m.element.name == "rod"), "{found}");
        assert!(found.to_string().starts_with("does not close: joint `"), "{found}");
    });
}

/// A beam on two pins, by hand: its rows have names and no kinds.
#[test]
fn a_beam_on_two_pins_is_redundant_along_itself() {
    let mut beam = crate::support::double_pendulum();
    beam.bodies.truncate(1);
    let end = |x| Point { body: Some(0), at: [x, 0.0] };
    let ground = |x| Point { body: None, at: [x, 0.0] };
    beam.joints = vec![Joint::pin("left", ground(0.0), end(-0.3)), Joint::pin("right", ground(0.6), end(0.3))];
    beam.markers.clear();
    let beam = Planar { ends: Ends::Reported, ..beam };
    let state = State::new(&beam);
    let found = only(&beam, &state);
    let Finding::Redundant { element, rows, determined_by } = &found else { panic!("{found}") };
    assert_eq!((element.name.as_str(), rows.len()), ("right.x", 1));
    assert_eq!(names(determined_by.iter().map(|h| &h.name)), ["left.x"]);
    assert_eq!(diagnose(&beam, &state).freedoms, 0);
    // The pins are 1 mm of 600 mm too far apart: the residual of the best pose, and its joints.
    let mut apart = beam.clone();
    apart.joints[1] = Joint::pin("right", ground(0.601), end(0.3));
    let found = only(&apart, &State::new(&apart));
    let Finding::NotClosed { misses } = &found else { panic!("{found}") };
    // Least squares divides the gap between both pins.
    assert!(misses.len() == 2 && (misses[0].residual.abs() - 0.0005).abs() < 1e-6, "{found}");
    assert_eq!(
        found.to_string(),
        "does not close: constraint `left.x` still misses by 5.00e-4 in the closest pose, at odds with constraint `right.x`; check \
         lengths and start values, or start nearer to an assembled pose"
    );
}

#[test]
fn a_drive_that_follows_another_is_over_driven() {
    let text = "param k = 1;
        body a { mass: 1, inertia: 1 } body b { mass: 1, inertia: 1 }
        joint p = revolute(ground, a); joint q = revolute(ground at [1, 0], b);
        drive d = p.angle == t; drive e = k * q.angle + p.angle == t;";
    planar(text, |engine| {
        let mut engine = engine.clone();
        let mut state = State::new(&engine);
        assert!(diagnose(&engine, &state).findings.is_empty());
        engine.set_parameters(&[0.0]).unwrap();
        state.t = 0.3;
        let angle = if state.q.len() == 2 { 0 } else { 2 };
        state.q[angle] = 0.3;
        let diagnosis = diagnose(&engine, &state);
        assert_eq!((diagnosis.freedoms, diagnosis.undriven), (2, 1));
        assert_eq!(
            messages(&diagnosis),
            [
                "over-driven: drive `e` prescribes what drive `d` already decides; remove it, or free what it should move"
            ]
        );
    });
}

/// The engine refuses redundant mechanisms; assembly of one that becomes redundant by its parameters need not fail.
#[test]
fn redundant_mechanisms_may_still_assemble() {
    let engine = mbs::Engine::options().formulation(Formulation::Joint).text(&with_rod()).unwrap();
    let mut engine = engine.clone();
    engine.set_parameters(&[0.7, 1.0]).unwrap();
    let mut state = FourBar::PARALLELOGRAM.posed(&engine, [1.0, 0.0, 1.0]);
    let _ = assemble_positions(&engine, &mut state);
    assert!(!diagnose(&engine, &state).is_healthy());
}
