//! Bodies in space: spherical joints, tops, cylinders, crossed shafts, springs, beads.

use mbs::{Describe, FullMechanism};

use crate::reference::case::{Case, for_both_formulations, for_every_formulation};
use crate::reference::comparison::{Accuracy, Comparison, RunSample};
use crate::reference::prescribed::Prescribed;

/// (column of the case, output).
type Pairs<'a> = &'a [(&'a str, &'a str)];

fn follow<M: Describe>(coordinates: &str, mechanism: &M, case: &Case, pairs: Pairs<'_>) -> Comparison {
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
    for_both_formulations!(ball_chain {} => ball_chain(&case));
}

fn ball_chain<M: Describe>(coordinates: &str, mechanism: &M, case: &Case) {
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
        for (i, c) in ["w", "x", "y", "z"].into_iter().enumerate() {
            let known = case.series(&format!("q{k}{c}"));
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
    for_every_formulation!(heavy_top {} => heavy_top(&case));
}

fn heavy_top<M: Describe>(coordinates: &str, mechanism: &M, case: &Case) {
    let pairs = [("ax_x", "axis.x"), ("ax_y", "axis.y"), ("ax_z", "axis.z"), ("cos_theta_exact", "axis.z")];
    let mut comparison = follow(coordinates, mechanism, case, &pairs);
    let exact = Accuracy::Absolute(case.accuracy());
    comparison.compare("theta", exact, &case.series("theta"), tilt);
    comparison.compare("thetadot", exact, &case.series("thetadot"), tilting);
    // Angles are equal up to whole revolutions: the axis precesses, and the top spins with 13 revolutions a second.
    for (column, angle) in [("psi", azimuth as fn(RunSample<'_>) -> f64), ("phi", spin)] {
        let known = case.series(column);
        let found: Vec<f64> = comparison.run().samples().map(angle).collect();
        let miss =
            known.iter().zip(found).map(|(known, found)| (known - found).sin().abs().max(1.0 - (known - found).cos()));
        // The integration error in the fast angle, in addition to that of the case.
        comparison.bound(column, miss.fold(0.0, f64::max), 10.0 * case.accuracy());
    }
    let quick = 0.5 * case.parameter("C") * case.number_at("initial_conditions/w3").powi(2);
    let slow = vec![case.number_at("reference/energy_without_spin"); case.times().len()];
    comparison.compare("energy without spin", exact, &slow, |at| at.output("energy") - quick);
    let moment = case.number_at("reference/Lz");
    let drift = comparison.run().samples().map(|at| (at.output("moment") - moment).abs()).fold(0.0, f64::max);
    comparison.bound("angular momentum", drift, 1e-10);
    comparison.finish();
    nutation(coordinates, mechanism, case);
}

/// θ from 0 to π, of the axis (sin θ sin ψ, −sin θ cos ψ, cos θ).
fn tilt(at: RunSample<'_>) -> f64 {
    at.output("axis.x").hypot(at.output("axis.y")).atan2(at.output("axis.z"))
}

/// θ̇ = −ż/sin θ.
fn tilting(at: RunSample<'_>) -> f64 {
    -at.output("axis_rate.z") / at.output("axis.x").hypot(at.output("axis.y"))
}

/// ψ.
fn azimuth(at: RunSample<'_>) -> f64 {
    at.output("axis.x").atan2(-at.output("axis.y"))
}

/// φ: the quaternion of R_z(ψ) R_x(θ) R_z(φ) is (c cos σ, s cos δ, s sin δ, c sin σ) with σ = (ψ + φ)/2 and δ = (ψ − φ)/2.
fn spin(at: RunSample<'_>) -> f64 {
    let [w, x, y, z] = [0, 1, 2, 3].map(|i| at.output(&format!("attitude[{i}]")));
    z.atan2(w) - y.atan2(x)
}

/// The axis is at rest and highest after every period, and lowest in the middle; its height stays between these bounds.
fn nutation<M: Describe>(coordinates: &str, mechanism: &M, case: &Case) {
    let (period, bounds) = (case.number_at("reference/nutation_period"), case.numbers_at("reference/u_bounds"));
    let times: Vec<f64> = (0..=80).map(|k| period * f64::from(k) / 8.0).collect();
    let mut comparison = Comparison::new(&format!("{}, periods", case.name), coordinates, mechanism, &times);
    let heights: Vec<f64> = comparison.run().samples().map(|at| at.output("axis.z")).collect();
    let rates: Vec<f64> = comparison.run().samples().map(tilting).collect();
    for (extreme, bound, first) in [("lowest", bounds[0], 4), ("highest", bounds[1], 0)] {
        let miss = heights.iter().skip(first).step_by(8).map(|z| (z - bound).abs());
        comparison.bound(extreme, miss.fold(0.0, f64::max), case.accuracy());
    }
    let rest = rates.iter().step_by(4).fold(0.0, |m: f64, rate| m.max(rate.abs()));
    // θ̈ is below 20/s²: 1e-10 s of the period.
    comparison.bound("rate at rest", rest, 20.0 * case.accuracy());
    let beyond = heights.iter().map(|z| (bounds[0] - z).max(z - bounds[1]));
    comparison.bound("beyond the bounds", beyond.fold(0.0, f64::max), case.accuracy());
    comparison.finish();
}

#[test]
fn a_body_slides_along_and_swings_about_an_inclined_axis() {
    for name in ["cylindrical_joint_body", "cylindrical_joint_body_b"] {
        let case = Case::read(name);
        let moments: [f64; 3] = case.numbers_at("parameters/inertia_com_axes").try_into().expect("three moments");
        for_both_formulations!(inclined_cylinder {
            mass: case.parameter("mass"), moments: moments, offset: case.parameter("com_offset"),
            inclination: case.parameter("axis_inclination"), start_position: case.number_at("initial_conditions/s"),
            start_speed: case.number_at("initial_conditions/sdot"), start_angle: case.number_at("initial_conditions/phi"),
            start_rate: case.number_at("initial_conditions/phidot"),
        } => inclined_cylinder(&case));
    }
}

fn inclined_cylinder<M: Describe>(coordinates: &str, mechanism: &M, case: &Case) {
    let pairs = [("s", "s"), ("sdot", "s_rate"), ("phi", "phi"), ("phidot", "phi_rate")];
    let mut comparison = follow(coordinates, mechanism, case, &pairs);
    let exact = Accuracy::Absolute(case.accuracy());
    for (column, output) in [("x", "center.x"), ("y", "center.y"), ("z", "center.z")] {
        comparison.compare(output, exact, &case.series(column), |at| at.output(output));
    }
    comparison.finish();
}

#[test]
fn crossed_shafts_drive_each_other() {
    let case = Case::read("universal_joint_dynamics");
    assert_eq!(case.parameter("beta"), 0.6);
    for_both_formulations!(crossed_shafts {
        inertia_1: case.parameter("I1"), inertia_2: case.parameter("I2"), start_rate: case.parameter("w0"),
    } => crossed_shafts(&case));
}

fn crossed_shafts<M: Describe>(coordinates: &str, mechanism: &M, case: &Case) {
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
            case.numbers_at(&format!("initial_conditions/{name}")).try_into().expect("three numbers")
        };
        for_both_formulations!(swinging_spring {
            mass: case.parameter("mass"), stiffness: case.parameter("k"), free_length: case.parameter("L0"),
            damping: case.parameter("c"), start: vector("r"), start_velocity: vector("v"),
        } => swinging_spring(&case));
    }
}

fn swinging_spring<M: Describe>(coordinates: &str, mechanism: &M, case: &Case) {
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
fn a_bead_slides_on_a_rotating_hoop() {
    for name in ["bead_rotating_hoop", "bead_rotating_hoop_slow"] {
        let case = Case::read(name);
        for_both_formulations!(spinning_hoop {
            radius: case.parameter("R"), omega: case.parameter("Omega"), mass: case.parameter("mass"),
            start_angle: case.number_at("initial_conditions/theta"), start_rate: case.number_at("initial_conditions/thetadot"),
        } => spinning_hoop(&case));
        for_both_formulations!(spinning_hoop {
            radius: case.parameter("R"), omega: case.parameter("Omega"), mass: case.parameter("mass"),
            start_angle: case.number_at("reference/equilibrium_theta"), start_rate: 0.0,
        } => resting_bead(&case));
    }
}

fn spinning_hoop<M: Describe>(coordinates: &str, mechanism: &M, case: &Case) {
    let pairs = [
        ("theta", "angle"),
        ("thetadot", "angle_rate"),
        ("x", "place.x"),
        ("y", "place.y"),
        ("z", "place.z"),
        ("torque", "torque"),
    ];
    let mut comparison = follow(coordinates, mechanism, case, &pairs);
    let [radius, omega, g] = ["R", "Omega", "g"].map(|name| case.parameter(name));
    comparison.compare("jacobi", Accuracy::Absolute(case.accuracy()), &case.series("jacobi"), |at| {
        let (theta, rate) = (at.output("angle"), at.output("angle_rate"));
        0.5 * radius * radius * (rate * rate - (omega * theta.sin()).powi(2)) - g * radius * theta.cos()
    });
    comparison.finish();
}

/// In equilibrium the bead stays at its position on the hoop.
fn resting_bead<M: Describe>(coordinates: &str, mechanism: &M, case: &Case) {
    let times: Vec<f64> = (0..=10).map(|k| 0.1 * f64::from(k)).collect();
    let mut comparison = Comparison::new(&format!("{}, equilibrium", case.name), coordinates, mechanism, &times);
    let still = vec![case.number_at("reference/equilibrium_theta"); times.len()];
    comparison.compare("equilibrium_theta", Accuracy::Absolute(case.accuracy()), &still, |at| at.output("angle"));
    comparison.finish();
}

#[test]
fn a_thrown_dumbbell_keeps_its_length() {
    let case = Case::read("dumbbell_distance_constraint");
    for_both_formulations!(dumbbell {} => dumbbell(&case));
}

fn dumbbell<M: Describe>(coordinates: &str, mechanism: &M, case: &Case) {
    let pairs = [
        ("x1", "first.x"),
        ("y1", "first.y"),
        ("z1", "first.z"),
        ("x2", "second.x"),
        ("y2", "second.y"),
        ("z2", "second.z"),
    ];
    let mut comparison = follow(coordinates, mechanism, case, &pairs);
    let tension = case.number_at("reference/tension");
    let miss = comparison.run().samples().map(|at| (at.output("tension") - tension).abs()).fold(0.0, f64::max);
    comparison.bound("tension", miss, 1e-10);
    // The rod rotates in a plane: its rate is the angle between successive directions over the interval.
    let rods: Vec<[f64; 3]> = comparison
        .run()
        .samples()
        .map(|at| ["x", "y", "z"].map(|c| at.output(&format!("second.{c}")) - at.output(&format!("first.{c}"))))
        .collect();
    let speed = case.number_at("reference/angular_speed");
    let times = case.times();
    let rates = rods.windows(2).zip(times.windows(2)).map(|(rod, t)| {
        let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
        let (dot_product, square) = (dot(rod[0], rod[1]), dot(rod[0], rod[0]) * dot(rod[1], rod[1]));
        let angle = (square - dot_product * dot_product).sqrt().atan2(dot_product);
        // The rotation in an interval is less than half a revolution.
        (angle / (t[1] - t[0]) - speed).abs()
    });
    comparison.bound("angular_speed", rates.fold(0.0, f64::max), 1e-10);
    comparison.finish();
}

#[test]
fn a_spatial_four_bar_follows_the_closed_form() {
    let case = Case::read("rssr_kinematics");
    for_both_formulations!(rssr {
        coupler_length: case.parameter("coupler"), omega: case.parameter("omega"),
    } => rssr(&case));
}

fn rssr<M: FullMechanism>(coordinates: &str, mechanism: &M, case: &Case) {
    let mut run = Prescribed::new(&case.name, coordinates, mechanism, &case.crank_times("reference"));
    run.compare_angle("psi", case.relative_accuracy(), &case.column("reference", "psi"));
    for (column, output) in [
        ("dpsi", "psi_rate"),
        ("ddpsi", "psi_acceleration"),
        ("Ax", "crank_end.x"),
        ("Ay", "crank_end.y"),
        ("Bx", "rocker_end.x"),
        ("By", "rocker_end.y"),
        ("Bz", "rocker_end.z"),
    ] {
        run.compare(output, case.relative_accuracy(), &case.column("reference", column));
    }
    run.finish();
}
