//! Loads and couplings: springs with dampers, a gear pair.

use mbs::Describe;

use crate::reference::case::{Case, for_both_formulations};
use crate::reference::comparison::{Accuracy, Comparison};

#[test]
fn balls_on_springs_follow_the_closed_form() {
    for name in ["spring_undamped", "spring_damper_under", "spring_damper_critical", "spring_damper_over"] {
        let case = Case::read(name);
        for_both_formulations!(spring_ball {
            mass: case.parameter("mass"), k: case.parameter("k"), c: case.parameter("c"), g: case.parameter("g"),
            start: case.number_at("initial_conditions/y"), start_speed: case.number_at("initial_conditions/vy"),
        } => spring_ball(&case));
    }
}

fn spring_ball<M: Describe>(coordinates: &str, mechanism: &M, case: &Case) {
    let mut comparison = Comparison::new(&case.name, coordinates, mechanism, &case.times());
    for column in ["y", "vy"] {
        let exact = Accuracy::Absolute(case.accuracy());
        comparison.compare(column, exact, &case.series(column), |at| at.output(column));
    }
    comparison.finish();
}

#[test]
fn gears_share_their_torques() {
    let case = Case::read("gear_pair");
    for_both_formulations!(gear_pair {
        teeth1: case.parameter("z1"), teeth2: case.parameter("z2"), i1: case.parameter("I1"), i2: case.parameter("I2"),
        torque1: case.parameter("T1"), torque2: case.parameter("T2"),
    } => gear_pair(&case));
}

fn gear_pair<M: Describe>(coordinates: &str, mechanism: &M, case: &Case) {
    let exact = Accuracy::Relative(case.number_at("accuracy/rel"));
    let result = |key: &str| case.number_at(&format!("reference/{key}"));
    let mut comparison = Comparison::new(&case.name, coordinates, mechanism, &[0.0]);
    comparison.compare("alpha1", exact, &[result("alpha1")], |at| at.output("acceleration1"));
    comparison.compare("alpha2", exact, &[result("alpha2")], |at| at.output("acceleration2"));
    // The row is wheel − ratio · pinion with ratio −z1/z2 = −r1/r2. Its load, −λ, is a torque on the wheel; the tooth force
    // is positive where that torque is −F r2, and then −F r1 on the pinion.
    let (r1, r2) = (case.parameter("r1"), case.parameter("r2"));
    let ratio = -case.parameter("z1") / case.parameter("z2");
    let tooth_force = result("tooth_force");
    comparison.compare("tooth force, at the wheel", exact, &[tooth_force], |at| -at.output("mesh_load") / r2);
    comparison.compare("tooth force, -lambda", exact, &[tooth_force], |at| at.multiplier("mesh") / r2);
    comparison.compare("tooth force, at the pinion", exact, &[tooth_force], |at| ratio * at.output("mesh_load") / r1);
    comparison.finish();
    let mut comparison = Comparison::new("gear_pair at 2 s", coordinates, mechanism, &[2.0]);
    for (key, output) in [("th1", "angle1"), ("omega1", "rate1"), ("th2", "angle2"), ("omega2", "rate2")] {
        comparison.compare(key, exact, &[result(&format!("at_t2/{key}"))], |at| at.output(output));
    }
    comparison.finish();
}
