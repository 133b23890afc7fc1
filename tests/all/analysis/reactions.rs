//! Recorded reactions and loads of drives.

use std::f64::consts::TAU;

use mbs::{InverseDynamics, Quantity, Recording, Simulation};
use mbs_model::Formulation;

use crate::analysis::kinematics::SLIDER_CRANK;
use crate::analysis::mechanisms::{engine, for_each_formulation};

fn record_revolution(formulation: Formulation) -> Recording {
    InverseDynamics::new(&engine(SLIDER_CRANK, formulation)).grid(0.0, TAU / 50.0, 37).run().unwrap()
}

#[test]
fn reactions_balance_every_body() {
    for formulation in crate::analysis::mechanisms::FORMULATIONS {
        let run = record_revolution(formulation);
        let [pin, wrist, guide] = ["crank_pin", "wrist_pin", "cylinder"].map(|joint| run.reaction(joint).unwrap());
        let (x, a) = (run.output("x").unwrap(), run.output("a").unwrap());
        for i in 0..run.len() {
            // The piston is the second end of pin and guide: m a = F_wrist + F_guide + gas + weight, 40 flops of 1e3 N.
            let gas = -300.0 * (x[i] - 0.1);
            assert!((wrist.x[i] + guide.x[i] + gas - 0.4 * a[i]).abs() < 1e-10);
            assert!((wrist.y[i] + guide.y[i] - 0.4 * 9.81).abs() < 1e-10);
            // The guide exerts no force along its axis, and the pin no moment about its axis.
            assert!(guide.x[i].abs() < 1e-10 && wrist.torque[i].abs() < 1e-10 && pin.torque[i].abs() < 1e-10);
            let [px, py, _] = wrist.points[i];
            assert!((px - x[i]).abs() < 1e-12 && (py - 0.02).abs() < 1e-12);
        }
    }
}

#[test]
fn reactions_are_the_same_in_every_formulation() {
    let [body, joint] = [Formulation::Body, Formulation::Joint].map(record_revolution);
    let [a, b] = [&body, &joint].map(|run| run.table(Quantity::Reactions));
    assert_eq!(a.names(), b.names());
    assert_eq!(a.names()[..3], ["main_bearing.x", "main_bearing.y", "main_bearing.torque"].map(str::to_owned));
    for ((name, a), b) in a.iter().zip(b.columns()) {
        for (a, b) in a.iter().zip(b) {
            // Errors relative to forces of 1e3 N.
            assert!((a - b).abs() < 1e-9, "{name}: {a} is not {b}");
        }
    }
}

#[test]
fn bearing_forces_are_expressed_in_the_axes_of_the_crank() {
    for_each_formulation(SLIDER_CRANK, |engine| {
        let run = InverseDynamics::new(engine).grid(0.0, TAU / 50.0, 37).run().unwrap();
        let world = run.reaction("crank_pin").unwrap();
        let in_crank_axes = run.reaction("crank_pin").unwrap().in_axes_of("crank").unwrap();
        for (i, t) in run.times().iter().enumerate() {
            let (sin, cos) = (0.4 + 50.0 * t).sin_cos();
            assert!((in_crank_axes.x[i] - cos * world.x[i] - sin * world.y[i]).abs() < 1e-9);
            assert!((in_crank_axes.y[i] + sin * world.x[i] - cos * world.y[i]).abs() < 1e-9);
            assert!((in_crank_axes.magnitude()[i] - world.magnitude()[i]).abs() < 1e-9);
            assert!((world.direction()[i] - world.y[i].atan2(world.x[i])).abs() < 1e-15);
        }
        let first = run.reaction("crank_pin").unwrap().on_first();
        assert!(first.x.iter().zip(&world.x).all(|(first, second)| *first == -second));
        let misspelt = run.reaction("crank_pin").unwrap().in_axes_of("cranck").unwrap_err();
        assert_eq!(misspelt.to_string(), "unknown body `cranck`, the nearest name is `crank`");
        assert_eq!(run.reaction("crankpin").unwrap_err().nearest.as_deref(), Some("crank_pin"));
    });
}

#[test]
fn forward_runs_record_the_same_reactions() {
    // A torque equal to the drive's causes equal motion and equal bearing forces.
    let driven = InverseDynamics::new(&engine(SLIDER_CRANK, Formulation::Joint)).at(&[0.0]).run().unwrap();
    let drive = "drive motor = main_bearing.angle == 0.4 + 50 * t;";
    let torque = driven.drive("motor").unwrap()[0];
    let pushed = SLIDER_CRANK
        .replace(drive, &format!("force motor = torque(ground, crank) {{ torque: {torque:?} }};\n initial main_bearing.angle = 0.4, main_bearing.rate = 50;"));
    for_each_formulation(&pushed, |engine| {
        let run = Simulation::new(engine).duration(0.0).run().unwrap_or_else(|e| panic!("{e}"));
        assert!(run.drives().next().is_none());
        for joint in ["main_bearing", "crank_pin", "wrist_pin", "cylinder"] {
            let [a, b] = [&driven, &run].map(|run| run.reaction(joint).unwrap());
            assert!((a.x[0] - b.x[0]).abs() < 1e-8 && (a.y[0] - b.y[0]).abs() < 1e-8, "{joint}: {a:?} {b:?}");
        }
    });
}

#[test]
fn csv_contains_reactions_and_their_points() {
    let run = record_revolution(Formulation::Joint);
    let mut csv = Vec::new();
    run.to_csv(&mut csv).unwrap();
    let csv = String::from_utf8(csv).unwrap();
    let header: Vec<&str> = csv.lines().next().unwrap().split(',').collect();
    for name in ["reaction.crank_pin.x", "reaction.crank_pin.torque", "reaction.crank_pin.point.y"] {
        assert!(header.contains(&name), "{name} in {header:?}");
    }
    assert!(csv.lines().all(|line| line.split(',').count() == header.len()));
}

#[test]
fn recordings_without_reactions_are_still_read() {
    let run = record_revolution(Formulation::Joint);
    let text = serde_json::to_string(&run).unwrap();
    assert_eq!(serde_json::from_str::<Recording>(&text).unwrap(), run);
    // The format of the version before.
    let mut old: serde_json::Value = serde_json::from_str(&text).unwrap();
    let fields = old.as_object_mut().unwrap();
    for field in ["rows", "drives", "reaction_points", "speeds_are_rates"] {
        assert!(fields.remove(field).is_some(), "{field}");
    }
    let tables = fields["tables"].as_array_mut().unwrap();
    tables.retain(|table| table["quantity"] != "Reactions");
    let old: Recording = serde_json::from_value(old).unwrap();
    assert_eq!(old.output("x").unwrap(), run.output("x").unwrap());
    assert!(old.table(Quantity::Reactions).names().is_empty() && old.reaction("crank_pin").is_err());
    assert!(old.extremes("x").is_ok() && old.drives().next().is_none());
    let mut csv = Vec::new();
    old.to_csv(&mut csv).unwrap();
}
