//! Joint angles count revolutions in every formulation.

use mbs::Describe;

use crate::reference::case::for_both_formulations;
use crate::reference::comparison::{Accuracy, Comparison, Run};

#[test]
fn gears_and_drives_run_twenty_revolutions() {
    let omega = 2.0 * std::f64::consts::TAU;
    let times: Vec<f64> = (0..=20).map(|i| 0.5 * f64::from(i)).collect();
    for_both_formulations!(geared_drive { omega: omega, ratio: 0.37, ratio_offset: 0.2 } => driven(&times));
    let body = mbs_corpus::body::GearedDrive::new(Default::default()).expect("declared parameters");
    let joint = mbs_corpus::joint::GearedDrive::new(Default::default()).expect("declared parameters");
    let other = Run::new(&joint, &times, crate::reference::comparison::TOLERANCES);
    let mut comparison = Comparison::new("geared_drive, body against joint", "body", &body, &times);
    for output in ["pin_angle", "pin_rate", "flywheel_angle", "turn_load", "mesh_load", "energy"] {
        let expected: Vec<f64> = other.samples().map(|at| at.output(output)).collect();
        comparison.compare(output, Accuracy::Relative(0.0), &expected, |at| at.output(output));
    }
    comparison.finish();
}

/// A drive prescribes the shaft, a gear the wheel: 20 revolutions of the shaft, 7.4 of the wheel.
fn driven<M: Describe>(coordinates: &str, mechanism: &M, times: &[f64]) {
    let mut comparison = Comparison::new("geared_drive", coordinates, mechanism, times);
    let omega = 2.0 * std::f64::consts::TAU;
    let rounded = Accuracy::Relative(4.0 * f64::EPSILON);
    let shaft: Vec<f64> = times.iter().map(|t| omega * t).collect();
    let wheel: Vec<f64> = shaft.iter().map(|x| 0.37 * x + 0.2).collect();
    assert_eq!((shaft[20] / std::f64::consts::TAU).round(), 20.0);
    comparison.compare("shaft angle", rounded, &shaft, |at| at.output("shaft_angle"));
    comparison.compare("wheel angle", rounded, &wheel, |at| at.output("wheel_angle"));
    let pin: Vec<f64> = comparison.run().samples().map(|at| -1.7 * at.output("pin_angle")).collect();
    assert!(pin.iter().any(|x| x.abs() > 10.0 * std::f64::consts::TAU), "the pin makes many revolutions: {pin:?}");
    let largest = pin.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    let agree = Accuracy::Absolute(1e-12 * largest);
    comparison.compare("flywheel - ratio pin", agree, &vec![0.0; times.len()], |at| {
        at.output("flywheel_angle") + 1.7 * at.output("pin_angle")
    });
    comparison.finish();
}
