//! Prescribed motions that cannot continue, and the errors they report.

use std::f64::consts::{PI, TAU};

use mbs::simulation::{Cause, Failure};
use mbs::{Error, InverseDynamics, Kinematics, Obstacle};

use crate::analysis::mechanisms::{FourBar, for_each_formulation, wrapped};

fn obstacle(failure: &Failure) -> Obstacle {
    let Cause::Stuck(obstacle) = failure.cause else { panic!("{failure}") };
    obstacle
}

#[test]
fn linkages_that_cannot_rotate_report_the_time_of_the_lock() {
    let linkage = FourBar { ground: 0.4, crank: 0.25, coupler: 0.2, rocker: 0.15, start: 0.3 };
    let FourBar { ground, crank, coupler, rocker, start } = linkage;
    // Coupler and rocker in line: d = b + c.
    let limit = ((ground * ground + crank * crank - (coupler + rocker).powi(2)) / (2.0 * ground * crank)).acos();
    let expected = (limit - start) / TAU;
    for_each_formulation(&linkage.text(), |engine| {
        for count in [13, 73, 361] {
            let failure = Kinematics::new(engine).grid(0.0, 1.0, count).run().unwrap_err();
            println!("{failure}");
            let Obstacle { from, to, .. } = obstacle(&failure);
            // The time is accurate to 2⁻³⁰ of a grid interval of up to 1/12 s; links may be 1e-12 m too short, which is 1e-12 s.
            assert!(from <= expected + 1e-11 && (from - expected).abs() < 1e-9 && to > from && to - from < 1e-9);
            assert_eq!(failure.recording.len(), 1 + (expected * (count - 1) as f64).floor() as usize);
            assert!(failure.item().is_some() && failure.to_string().contains("lock"), "{failure}");
        }
    });
}

/// A slider-crank with an additional item `drive`.
fn slider_crank(drive: &str) -> String {
    format!(
        "pub planar SliderCrank {{
    body crank  {{ mass: 1, inertia: 0.01, angle: 0.5 }}
    body rod    {{ mass: 1, inertia: 0.01, angle: -0.2 }}
    body piston {{ mass: 1, inertia: 0.01 }}
    joint main_bearing = revolute(ground, crank);
    joint crank_pin    = revolute(crank at [0.1, 0], rod);
    joint wrist_pin    = revolute(rod at [0.3, 0], piston);
    joint cylinder     = prismatic(ground, piston) {{ axis: [1, 0] }};
    {drive}
    output crank_angle = angle(crank);
}}"
    )
}

#[test]
fn driven_piston_stops_at_its_dead_point() {
    // x = 0.35 + 0.1 t reaches 0.4 at t = 0.5.
    for_each_formulation(&slider_crank("drive push = cylinder.position == 0.35 + 0.1 * t;"), |engine| {
        let failure = Kinematics::new(engine).grid(0.0, 1.0, 41).run().unwrap_err();
        println!("{failure}");
        assert!((obstacle(&failure).from - 0.5).abs() < 1e-9);
        assert!(failure.item().is_some());
        assert!(failure.to_string().starts_with("the mechanism locks between t = 0."), "{failure}");
        // All rows before are recorded, with the crank close to 0.
        assert!(failure.recording.len() >= 20);
        assert!(failure.recording.output("crank_angle").unwrap()[19].abs() < 0.4);
    });
}

#[test]
fn jumps_of_drives_are_distinguished_from_locks() {
    let text = slider_crank("drive turn = main_bearing.angle == 0.5 + t + if t < 0.3 { 0 } else { 0.2 };");
    for_each_formulation(&text, |engine| {
        let failure = Kinematics::new(engine).grid(0.0, 1.0, 11).run().unwrap_err();
        println!("{failure}");
        let Obstacle { from, to, error } = obstacle(&failure);
        assert!(from < 0.3 + 1e-9 && to >= 0.3 - 1e-9 && to - from < 1e-8);
        assert!(matches!(error, Error::Jump { .. }), "{failure}");
        assert!(failure.to_string().contains("would have to jump"));
    });
}

#[test]
fn kinks_of_a_drive_are_passed() {
    // The velocity jumps at 0.25 s, and the acceleration at 0.55 s from rest, both between rows.
    let law = "if t < 0.25 { 2 * t } else { 0.5 } + if t < 0.55 { 0 } else { 3 * (t - 0.55).powi(2) }";
    for_each_formulation(&slider_crank(&format!("drive turn = main_bearing.angle == 0.5 + {law};")), |engine| {
        let run = Kinematics::new(engine).grid(0.0, 1.0, 11).run().unwrap_or_else(|e| panic!("{e}"));
        println!("{:?}", run.statistics());
        for (t, angle) in run.times().iter().zip(run.output("crank_angle").unwrap()) {
            let law = (2.0 * t).min(0.5) + 3.0 * (t - 0.55).max(0.0).powi(2);
            assert!((angle - 0.5 - law).abs() < 1e-12);
        }
    });
}

#[test]
fn fast_drives_are_followed_between_rows() {
    // The crank makes 100 revolutions in one interval.
    for_each_formulation(&slider_crank("drive turn = main_bearing.angle == 0.5 + 100 * TAU * t;"), |engine| {
        let run = Kinematics::new(engine).grid(0.0, 1.0, 2).run().unwrap_or_else(|e| panic!("{e}"));
        let angle = run.output("crank_angle").unwrap()[1];
        assert!((angle - 0.5 - 100.0 * TAU).abs() < 1e-10);
        println!("{:?}", run.statistics());
    });
}

#[test]
fn parallelogram_passes_its_change_points() {
    let linkage = FourBar { ground: 0.3, crank: 0.1, coupler: 0.3, rocker: 0.1, start: 1.0 };
    let text = FourBar { rocker: 0.1, ..linkage }.text();
    for_each_formulation(&text, |engine| {
        // Rows at 57.3° + 10° k miss 180° and 360°, where all links are in line.
        let run = Kinematics::new(engine).grid(0.0, 1.0, 37).run().unwrap_or_else(|e| panic!("{e}"));
        for (t, angle) in run.times().iter().zip(run.output("rocker_angle").unwrap()) {
            assert!(wrapped(angle - 1.0 - TAU * t).abs() < 1e-9, "{angle} at {t}");
        }
    });
}

#[test]
fn rows_at_a_change_point_are_refused_with_a_message() {
    let linkage = FourBar { ground: 0.3, crank: 0.1, coupler: 0.3, rocker: 0.1, start: 1.0 };
    for_each_formulation(&linkage.text(), |engine| {
        let failure = Kinematics::new(engine).at(&[0.0, (PI - 1.0) / TAU, 0.9]).run().unwrap_err();
        println!("{failure}");
        // The row at the change point may be recorded, with meaningless rates; the motion cannot continue from it.
        assert!((obstacle(&failure).to - (PI - 1.0) / TAU).abs() < 1e-6 && failure.recording.len() <= 2);
    });
}

#[test]
fn inverse_dynamics_needs_a_prescribed_motion() {
    for_each_formulation(&slider_crank(""), |engine| {
        let failure = InverseDynamics::new(engine).run().unwrap_err();
        assert_eq!(failure.cause, Cause::Freedoms { left: 1 });
        assert_eq!(
            failure.to_string(),
            "1 freedom is left: inverse dynamics needs a prescribed motion, add a drive for each"
        );
    });
}

#[test]
fn times_are_checked_like_those_of_simulations() {
    for_each_formulation(&slider_crank("drive turn = main_bearing.angle == 0.5 + t;"), |engine| {
        let failure = Kinematics::new(engine).at(&[0.0, 0.2, f64::NAN]).run().unwrap_err();
        assert_eq!(failure.cause, Cause::Times { index: 2 });
        // Unlike times of simulations they may decrease.
        assert_eq!(Kinematics::new(engine).at(&[0.0, 0.2, 0.1]).run().unwrap().len(), 3);
        let failure = Kinematics::new(engine).every(0.0).run().unwrap_err();
        assert_eq!(failure.cause, Cause::Setting { name: "every", value: 0.0 });
    });
}
