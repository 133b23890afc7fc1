//! The four-bar in closed form: against poses, and against runs.

use std::f64::consts::{PI, TAU};

use mbs::Kinematics;
use mbs::analysis::{AnalysisError, ChangePoint, FourBarLinkage, Grashof, Link};

use crate::analysis::mechanisms::{FourBar, for_each_formulation};

const JOINTS: [&str; 4] = ["crank_bearing", "crank_pin", "rocker_pin", "rocker_bearing"];

fn linkage(lengths: [f64; 4]) -> FourBarLinkage {
    let [ground, crank, coupler, rocker] = lengths;
    FourBarLinkage::new(ground, crank, coupler, rocker).unwrap()
}

#[test]
fn every_class_is_found() {
    let change = |form| Grashof::ChangePoint(form);
    for (lengths, class, turns) in [
        ([3.0, 1.0, 3.5, 2.5], Grashof::CrankRocker, true),
        ([3.0, 2.5, 3.5, 1.0], Grashof::RockerCrank, false),
        ([1.0, 2.5, 3.0, 3.5], Grashof::DoubleCrank, true),
        ([3.0, 2.5, 1.0, 3.5], Grashof::DoubleRocker, false),
        ([4.0, 2.0, 2.0, 1.5], Grashof::TripleRocker { longest: Link::Ground }, false),
        ([2.0, 4.0, 2.0, 1.5], Grashof::TripleRocker { longest: Link::Crank }, false),
        ([2.0, 1.5, 4.0, 2.0], Grashof::TripleRocker { longest: Link::Coupler }, false),
        ([2.0, 1.5, 2.0, 4.0], Grashof::TripleRocker { longest: Link::Rocker }, false),
        ([3.0, 1.0, 3.0, 1.0], change(ChangePoint::Parallelogram), true),
        ([1.0, 1.0, 3.0, 3.0], change(ChangePoint::Deltoid), true),
        ([3.0, 1.0, 1.0, 3.0], change(ChangePoint::Deltoid), true),
        ([2.0, 2.0, 2.0, 2.0], change(ChangePoint::Rhombus), true),
        ([3.0, 1.0, 4.0, 2.0], change(ChangePoint::Other { shortest: Link::Crank }), true),
        ([3.0, 2.0, 1.0, 4.0], change(ChangePoint::Other { shortest: Link::Coupler }), false),
    ] {
        let linkage = linkage(lengths);
        assert_eq!((linkage.grashof(), linkage.crank_revolves()), (class, turns), "{lengths:?}");
        // Independent criterion: the crank rotates fully if a triangle of b, c and d exists at every angle.
        let every = (0..=360).all(|k| linkage.transmission_angle(TAU * f64::from(k) / 360.0).is_some());
        assert_eq!(every, turns, "{lengths:?}");
    }
}

#[test]
fn impossible_lengths_are_refused() {
    for [ground, crank, coupler, rocker] in [[10.0, 1.0, 2.0, 3.0], [0.0, 1.0, 1.0, 1.0], [1.0, f64::NAN, 1.0, 1.0]] {
        let error = FourBarLinkage::new(ground, crank, coupler, rocker).unwrap_err();
        assert!(error.to_string().starts_with("no linkage has ground"), "{error}");
    }
}

#[test]
fn transmission_angle_is_that_of_the_links() {
    let lengths = FourBar::CRANK_ROCKER;
    for_each_formulation(&lengths.text(), |engine| {
        let run = Kinematics::new(engine).grid(0.0, 1.0, 361).run().unwrap();
        let linkage = FourBarLinkage::of(&run, JOINTS).unwrap();
        for (found, expected) in [linkage.ground, linkage.crank, linkage.coupler, linkage.rocker].iter().zip([
            lengths.ground,
            lengths.crank,
            lengths.coupler,
            lengths.rocker,
        ]) {
            assert!((found - expected).abs() < 1e-13);
        }
        assert_eq!(linkage.grashof(), Grashof::CrankRocker);
        let component = run.transmission_angle("rocker_pin", "crank_pin", "rocker_bearing").unwrap();
        let (least, largest) = linkage.transmission_range();
        for (t, found) in run.times().iter().zip(&component) {
            let expected = linkage.transmission_angle(lengths.start + TAU * t).unwrap();
            assert!((found - expected).abs() < 1e-12, "{found} is not {expected}");
            assert!(*found > least - 1e-12 && *found < largest + 1e-12);
        }
        for (phi, end) in [(0.0, least), (PI, largest)] {
            assert!((linkage.transmission_angle(phi).unwrap() - end).abs() < 1e-14);
        }
        let measured = FourBarLinkage::of_mechanism(engine, JOINTS).unwrap();
        assert!((measured.coupler - 0.35).abs() < 1e-9);
        assert!(matches!(run.transmission_angle("rocker_pn", "crank_pin", "tracer"), Err(AnalysisError::Unknown(_))));
    });
}

#[test]
fn coincident_joints_are_refused() {
    for_each_formulation(&FourBar::CRANK_ROCKER.text(), |engine| {
        let run = Kinematics::new(engine).grid(0.0, 1.0, 37).run().unwrap();
        let wrong = ["crank_bearing", "rocker_pin", "crank_pin", "rocker_bearing"];
        let error = FourBarLinkage::of(&run, wrong).unwrap_err();
        assert!(error.to_string().starts_with("`crank_bearing` and `rocker_pin` are not on one link"), "{error}");
    });
}

#[test]
fn limits_are_poses_in_line() {
    // A crank-rocker has its coupler longer than the crank: the second linkage is a triple rocker.
    for lengths in [[3.0, 1.0, 3.5, 2.5], [4.0, 2.0, 1.8, 1.5], [3.0, 2.5, 1.0, 3.5], [3.0, 2.5, 3.5, 1.0]] {
        let linkage = linkage(lengths);
        let [g, a, b, c] = lengths;
        for limit in linkage.rocker_limits().into_iter().flatten() {
            // The coupler pin on the rocker is on the line of the crank, b from the crank's pin.
            let pin = [g + c * limit.rocker_angle.cos(), c * limit.rocker_angle.sin()];
            let (sin, cos) = limit.crank_angle.sin_cos();
            let component = pin[0] * cos + pin[1] * sin;
            let across = pin[1] * cos - pin[0] * sin;
            assert!(across.abs() < 1e-13 && ((component - a).abs() - b).abs() < 1e-13, "{lengths:?}: {limit:?}");
        }
        for limit in linkage.crank_limits().into_iter().flatten() {
            let mu = linkage.transmission_angle(limit).unwrap();
            assert!(mu.min(PI - mu) < 1e-6, "{lengths:?}: {mu} at {limit}");
        }
        assert_eq!(linkage.crank_limits() == [None, None], linkage.crank_revolves(), "{lengths:?}");
    }
}
