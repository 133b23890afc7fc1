//! Bodies in space: ball joints, tops, cylinders, crossed shafts, springs, beads.

use mbs::Mechanism;

use crate::case::{Case, both};
use crate::comparison::{Accuracy, Comparison};
use crate::prescribed::Prescribed;

/// (column of the case, output).
type Pairs<'a> = &'a [(&'a str, &'a str)];

fn follow<M: Mechanism>(coordinates: &str, mechanism: &M, case: &Case, pairs: Pairs<'_>) -> Comparison {
    let mut comparison = Comparison::new(&case.name, coordinates, mechanism, &case.times());
    let exact = Accuracy::Absolute(case.accuracy());
    for (column, output) in pairs {
        comparison.compare(output, exact, &case.series(column), |at| at.output(output));
    }
    comparison
}

#[test]
fn two_bodies_swing_on_ball_joints() {
    let case = Case::read("spatial_double_pendulum_spherical");
    both!(ball_chain::BallChain {} => ball_chain(&case));
}

fn ball_chain<M: Mechanism>(coordinates: &str, mechanism: &M, case: &Case) {
    let mut pairs: Vec<(String, String)> = vec![("E".into(), "energy".into())];
    for k in 1..3 {
        for c in ["x", "y", "z"] {
            pairs.push((format!("r{k}{c}"), format!("place_{k}.{c}")));
            pairs.push((format!("v{k}{c}"), format!("velocity_{k}.{c}")));
            pairs.push((format!("w{k}{c}"), format!("spin_{k}.{c}")));
        }
    }
    let pairs: Vec<(&str, &str)> = pairs.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
    let mut comparison = follow(coordinates, mechanism, case, &pairs);
    let exact = Accuracy::Absolute(case.accuracy());
    for k in 1..3 {
        // A quaternion read back from a rotation has a positive scalar part; the case's is continuous.
        let turned: Vec<f64> = case.series(&format!("q{k}w")).iter().map(|w| w.signum()).collect();
        for (i, c) in ["w", "x", "y", "z"].into_iter().enumerate() {
            let known = case.series(&format!("q{k}{c}"));
            let known: Vec<f64> = known.iter().zip(&turned).map(|(x, s)| s * x).collect();
            let output = format!("quaternion_{k}[{i}]");
            comparison.compare(&output, exact, &known, |at| at.output(&output));
        }
    }
    comparison.finish();
}

#[test]
fn a_heavy_top_nutates() {
    let case = Case::read("heavy_top_nutation");
    assert_eq!(["A", "C", "mgl"].map(|name| case.parameter(name)), [0.03, 0.012, 0.9]);
    both!(heavy_top::HeavyTop {} => heavy_top(&case));
}

fn heavy_top<M: Mechanism>(coordinates: &str, mechanism: &M, case: &Case) {
    let pairs = [("ax_x", "axis.x"), ("ax_y", "axis.y"), ("ax_z", "axis.z"), ("cos_theta_exact", "axis.z")];
    let mut comparison = follow(coordinates, mechanism, case, &pairs);
    let moment = case.number("reference/Lz");
    let drift = comparison.run().values().map(|at| (at.output("moment") - moment).abs()).fold(0.0, f64::max);
    comparison.bound("angular momentum", drift, 1e-10);
    comparison.finish();
}

#[test]
fn a_body_slides_along_and_swings_about_an_inclined_axis() {
    for name in ["cylindrical_joint_body", "cylindrical_joint_body_b"] {
        let case = Case::read(name);
        let moments: [f64; 3] = case.numbers("parameters/inertia_com_axes").try_into().expect("three moments");
        both!(inclined_cylinder::InclinedCylinder {
            mass: case.parameter("mass"), moments: moments, offset: case.parameter("com_offset"),
            inclination: case.parameter("axis_inclination"), start_position: case.number("initial_conditions/s"),
            start_speed: case.number("initial_conditions/sdot"), start_angle: case.number("initial_conditions/phi"),
            start_rate: case.number("initial_conditions/phidot"),
        } => inclined_cylinder(&case));
    }
}

fn inclined_cylinder<M: Mechanism>(coordinates: &str, mechanism: &M, case: &Case) {
    let pairs = [("s", "s"), ("sdot", "s_rate"), ("phi", "phi"), ("phidot", "phi_rate")];
    let mut comparison = follow(coordinates, mechanism, case, &pairs);
    let exact = Accuracy::Absolute(case.accuracy());
    for (column, output) in [("x", "center.x"), ("y", "center.y"), ("z", "center.z")] {
        comparison.compare(output, exact, &case.series(column), |at| at.output(output));
    }
    comparison.finish();
}

#[test]
fn crossed_shafts_turn_each_other() {
    let case = Case::read("universal_joint_dynamics");
    assert_eq!(case.parameter("beta"), 0.6);
    both!(crossed_shafts::CrossedShafts {
        inertia_1: case.parameter("I1"), inertia_2: case.parameter("I2"), start_rate: case.parameter("w0"),
    } => crossed_shafts(&case));
}

fn crossed_shafts<M: Mechanism>(coordinates: &str, mechanism: &M, case: &Case) {
    let pairs = [
        ("theta1", "theta_1"),
        ("theta2", "theta_2"),
        ("omega1", "rate_1"),
        ("omega2", "rate_2"),
        ("alpha1", "alpha_1"),
        ("alpha2", "alpha_2"),
        ("T_kin", "energy"),
    ];
    follow(coordinates, mechanism, case, &pairs).finish();
}

#[test]
fn a_point_mass_swings_on_a_spring() {
    for name in ["elastic_pendulum_3d", "elastic_pendulum_3d_damped"] {
        let case = Case::read(name);
        let vector = |name: &str| -> [f64; 3] {
            case.numbers(&format!("initial_conditions/{name}")).try_into().expect("three numbers")
        };
        both!(swinging_spring::SwingingSpring {
            mass: case.parameter("mass"), stiffness: case.parameter("k"), free_length: case.parameter("L0"),
            damping: case.parameter("c"), start: vector("r"), start_velocity: vector("v"),
        } => swinging_spring(&case));
    }
}

fn swinging_spring<M: Mechanism>(coordinates: &str, mechanism: &M, case: &Case) {
    let pairs = [
        ("x", "place.x"),
        ("y", "place.y"),
        ("z", "place.z"),
        ("vx", "speed.x"),
        ("vy", "speed.y"),
        ("vz", "speed.z"),
        ("E", "energy"),
    ];
    follow(coordinates, mechanism, case, &pairs).finish();
}

#[test]
fn a_bead_slides_on_a_turning_hoop() {
    for name in ["bead_rotating_hoop", "bead_rotating_hoop_slow"] {
        let case = Case::read(name);
        both!(spinning_hoop::SpinningHoop {
            radius: case.parameter("R"), omega: case.parameter("Omega"), mass: case.parameter("mass"),
            start_angle: case.number("initial_conditions/theta"), start_rate: case.number("initial_conditions/thetadot"),
        } => spinning_hoop(&case));
    }
}

fn spinning_hoop<M: Mechanism>(coordinates: &str, mechanism: &M, case: &Case) {
    let pairs = [
        ("theta", "angle"),
        ("thetadot", "angle_rate"),
        ("x", "place.x"),
        ("y", "place.y"),
        ("z", "place.z"),
        ("torque", "torque"),
    ];
    follow(coordinates, mechanism, case, &pairs).finish();
}

#[test]
fn a_thrown_dumbbell_keeps_its_length() {
    let case = Case::read("dumbbell_distance_constraint");
    both!(dumbbell::Dumbbell {} => dumbbell(&case));
}

fn dumbbell<M: Mechanism>(coordinates: &str, mechanism: &M, case: &Case) {
    let pairs = [
        ("x1", "first.x"),
        ("y1", "first.y"),
        ("z1", "first.z"),
        ("x2", "second.x"),
        ("y2", "second.y"),
        ("z2", "second.z"),
    ];
    let mut comparison = follow(coordinates, mechanism, case, &pairs);
    let tension = case.number("reference/tension");
    let miss = comparison.run().values().map(|at| (at.output("tension") - tension).abs()).fold(0.0, f64::max);
    comparison.bound("tension", miss, 1e-10);
    comparison.finish();
}

#[test]
fn a_spatial_four_bar_follows_the_closed_form() {
    let case = Case::read("rssr_kinematics");
    both!(rssr::Rssr {
        coupler_length: case.parameter("coupler"), omega: case.parameter("omega"),
    } => rssr(&case));
}

fn rssr<M: Mechanism>(coordinates: &str, mechanism: &M, case: &Case) {
    let mut turn = Prescribed::new(&case.name, coordinates, mechanism, &case.crank_times("reference"));
    turn.compare_angle("psi", case.relative_accuracy(), &case.column("reference", "psi"));
    for (column, ours) in [
        ("dpsi", "psi_rate"),
        ("ddpsi", "psi_acceleration"),
        ("Ax", "crank_end.x"),
        ("Ay", "crank_end.y"),
        ("Bx", "rocker_end.x"),
        ("By", "rocker_end.y"),
        ("Bz", "rocker_end.z"),
    ] {
        turn.compare(ours, case.relative_accuracy(), &case.column("reference", column));
    }
    turn.finish();
}
