//! Change points and dead points, at them and near them.

use mbs::diagnosis::{Element, Finding, Motion};
use mbs::{Diagnosis, diagnose};

use crate::diagnosis::linkages::{FourBar, SLIDER_CRANK, for_each_formulation, slider_crank};
use crate::diagnosis::{messages, names, only};

fn element_names(elements: &[Element]) -> Vec<&str> {
    names(elements.iter().map(|e| &e.name))
}

fn motion_names(motions: &[Motion]) -> Vec<&str> {
    let mut list = names(motions.iter().map(|m| &m.name));
    list.sort_unstable();
    list
}

#[test]
fn a_four_bar_in_line_is_at_a_change_point() {
    let linkage = FourBar::PARALLELOGRAM;
    for_each_formulation(&linkage.text("param at = 1; drive d = p.angle == at;"), |engine| {
        let mut engine = engine.clone();
        engine.set_parameters(&[0.0]).unwrap();
        let state = linkage.posed(&engine, [0.0; 3]);
        let Finding::Singular { elements, gains, here, nearby } = only(&engine, &state) else { panic!() };
        // The crank is fixed; coupler and rocker may move to the same side or to opposite sides.
        assert_eq!((here, nearby), (1, 0));
        let joints = element_names(&elements);
        assert!(["q", "r", "s"].iter().all(|j| joints.contains(j)), "{joints:?}");
        let gains = motion_names(&gains);
        assert!(gains == ["b.angle", "c.angle"] || gains == ["q.angle", "s.angle"], "{gains:?}");
        assert_eq!(diagnose(&engine, &state).margin, Some(0.0));
    });
    for_each_formulation(&linkage.text(""), |engine| {
        let diagnosis = diagnose(engine, &linkage.posed(engine, [0.0; 3]));
        assert_eq!((diagnosis.freedoms, diagnosis.undriven, diagnosis.is_healthy()), (2, 2, false));
        let angles = match diagnosis.speeds {
            9 => "`a.angle`, `b.angle` and `c.angle`",
            _ => "`p.angle`, `s.angle` and `q.angle`",
        };
        assert_eq!(
            messages(&diagnosis)[0],
            format!(
                "change point: joints `p`, `q`, `r` and `s` constrain less here than near by, so {angles} gain a freedom: 2 here, 1 near by; \
                 start from another pose, or pass it between steps"
            )
        );
    });
}

/// The only freedom moves the parallelogram into line, and the distance to that pose is its angle.
#[test]
fn the_distance_to_a_change_point_is_an_angle() {
    let linkage = FourBar::PARALLELOGRAM;
    for_each_formulation(&linkage.text(""), |engine| {
        for angle in [0.001, 0.01, -0.02] {
            let found = only(engine, &linkage.posed(engine, [angle, 0.0, angle]));
            let Finding::NearlySingular { distance: Some(motion), margin, .. } = &found else { panic!("{found}") };
            assert!(motion.name == "a.angle" || motion.name == "p.angle", "{}", motion.name);
            // The distance is accurate to first order: σ is the sine of an angle times an even function.
            assert!((motion.by + angle).abs() < 20.0 * angle.abs().powi(3) + 1e-7, "{} for {angle}", motion.by);
            assert!(*margin > 0.0 && found.to_string().starts_with("close to a change point: moving"));
        }
        assert!(diagnose(engine, &linkage.posed(engine, [0.5, 0.0, 0.5])).is_healthy());
    });
}

/// A coupler that is too short by ε keeps the linkage off its change point. With bars of unit derivatives per radian in joint
/// coordinates the margin is |n| of the short row of G: the part of one row of the closure that is independent of the other, √det(G Gᵀ)
/// over the length of the other.
#[test]
fn lengths_that_keep_off_a_change_point_give_a_margin() {
    let margin = |shortage: f64| {
        let linkage = FourBar { coupler: 1.5 - shortage, ..FourBar::PARALLELOGRAM };
        let engine = mbs::Engine::options().formulation(mbs_model::Formulation::Joint).text(&linkage.text("")).unwrap();
        let [b, c] = linkage.angles(0.0);
        let diagnosis = diagnose(&engine, &linkage.posed(&engine, [0.0, b, c]));
        // Columns: derivatives of the position of the rocker's pin with respect to the angles of crank, coupler pin and rocker.
        let pin = [1.5 + c.cos(), c.sin()];
        let arms = [[pin[0], pin[1]], [pin[0] - 1.0, pin[1]], [1.5 - pin[0], -pin[1]]];
        let dot = |i: usize, j: usize| arms.iter().map(|a| a[i] * a[j]).sum::<f64>();
        let short = ((dot(0, 0) * dot(1, 1) - dot(0, 1).powi(2)) / dot(0, 0)).sqrt();
        (diagnosis, short)
    };
    let ((reference, expected), (nearer, expected_nearer)) = (margin(1e-6), margin(1e-8));
    let value = |d: &Diagnosis| d.margin.unwrap();
    // Rows are scaled by their largest derivatives 0.3 rad around, which change with the angles of these poses: √ε and some, 1 %.
    let ratio = (value(&nearer) / value(&reference)) / (expected_nearer / expected);
    assert!((ratio - 1.0).abs() < 0.02, "{ratio}");
    let Finding::NearlySingular { margin, nearby: Some(nearby), .. } = &nearer.findings[0] else { panic!("{nearer}") };
    assert!(margin < nearby, "{nearer}");
}

#[test]
fn a_slider_that_drives_a_crank_has_dead_points() {
    for_each_formulation(SLIDER_CRANK, |engine| {
        let (engine, state) = slider_crank(engine, 0.0);
        let found = only(&engine, &state);
        let Finding::Singular { elements, gains, here: 1, nearby: 0 } = &found else { panic!("{found}") };
        assert!(["a", "p", "w", "d"].iter().all(|name| element_names(elements).contains(name)), "{found}");
        let gains = motion_names(gains);
        assert!(gains == ["c.angle", "r.angle"] || gains == ["a.angle", "p.angle"], "{gains:?}");
        assert!(found.to_string().ends_with("start from another pose, or drive another joint"), "{found}");
    });
}

/// ẋ = −r sin φ (1 + …) vanishes with φ: the crank is φ away, whatever the lengths.
#[test]
fn the_distance_to_a_dead_point_is_the_angle_of_the_crank() {
    for_each_formulation(SLIDER_CRANK, |engine| {
        for angle in [0.002, 0.01, -0.01] {
            let (engine, state) = slider_crank(engine, angle);
            let found = only(&engine, &state);
            let Finding::NearlySingular { distance: Some(motion), .. } = &found else { panic!("{found}") };
            assert!(motion.name == "c.angle" || motion.name == "a.angle", "{}", motion.name);
            assert!((motion.by + angle).abs() < 20.0 * angle.abs().powi(3) + 1e-7, "{} for {angle}", motion.by);
            let text = found.to_string();
            assert!(text.starts_with("close to a dead point: moving") && text.contains("drive `d`"), "{text}");
        }
        let (engine, state) = slider_crank(engine, 1.0);
        assert!(diagnose(&engine, &state).is_healthy());
    });
}

/// Metres or millimetres, the same findings and margins.
#[test]
fn margins_do_not_depend_on_units() {
    let scaled = |unit: f64| FourBar { ground: 1.5 * unit, crank: unit, coupler: 1.5 * unit, rocker: unit };
    for_each_formulation(&scaled(1.0).text(""), |engine| {
        let reference = diagnose(engine, &scaled(1.0).posed(engine, [0.01, 0.0, 0.01]));
        for unit in [1e-3, 1e3] {
            let formulation = match reference.speeds {
                9 => mbs_model::Formulation::Body,
                _ => mbs_model::Formulation::Joint,
            };
            let engine = mbs::Engine::options().formulation(formulation).text(&scaled(unit).text("")).unwrap();
            let found = diagnose(&engine, &scaled(unit).posed(&engine, [0.01, 0.0, 0.01]));
            let (margin, expected) = (found.margin.unwrap(), reference.margin.unwrap());
            assert!((margin / expected - 1.0).abs() < 1e-6, "{margin} {expected}");
            assert_eq!(found.findings.len(), 1);
        }
    });
}
