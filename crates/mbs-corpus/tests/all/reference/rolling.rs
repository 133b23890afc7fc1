//! Velocity rows: sleighs, discs and coins that roll, or slide in one direction.

use mbs::Describe;

use crate::reference::case::{Case, for_both_formulations};
use crate::reference::comparison::{Accuracy, Comparison, RunSample};

#[test]
fn sleighs_rotate_until_their_mass_leads() {
    for name in ["chaplygin_sleigh", "chaplygin_sleigh_reversal"] {
        let case = Case::read(name);
        for key in ["x", "y", "psi"] {
            assert_eq!(case.number_at(&format!("initial_conditions/{key}")), 0.0, "{name}");
        }
        for_both_formulations!(chaplygin_sleigh {
            mass: case.parameter("mass"), inertia: case.parameter("inertia_com"), reach: case.parameter("a"),
            start_speed: case.number_at("initial_conditions/v"), start_rate: case.number_at("initial_conditions/omega"),
        } => sleigh(&case));
    }
}

/// Time at which the sleigh no longer rotates: v̇ = a ω², ω̇ = −(m a/(I + m a²)) v ω, so that ω falls by e in a second or less.
const LATE: f64 = 60.0;

fn sleigh<M: Describe>(coordinates: &str, mechanism: &M, case: &Case) {
    let times = case.times();
    let mut comparison = Comparison::new(&case.name, coordinates, mechanism, &times);
    let exact = Accuracy::Absolute(case.accuracy());
    let pairs = [("v", "along"), ("omega", "turning"), ("psi", "heading"), ("x", "place.x"), ("y", "place.y")];
    for (column, output) in pairs {
        comparison.compare(output, exact, &case.series(column), |at| at.output(output));
    }
    let energy = vec![case.number_at("reference/energy"); times.len()];
    comparison.compare("energy", exact, &energy, |at| at.energy());
    comparison.finish();
    let name = format!("{}, late", case.name);
    let mut comparison = Comparison::new(&name, coordinates, mechanism, &[LATE]);
    for (figure, output) in [("v_final", "along"), ("psi_final", "heading")] {
        let reference = [case.number_at(&format!("reference/{figure}"))];
        comparison.compare(figure, exact, &reference, |at| at.output(output));
    }
    comparison.compare("turning", exact, &[0.0], |at| at.output("turning"));
    comparison.finish();
}

#[test]
fn discs_and_hoops_roll_on_an_incline() {
    for name in ["rolling_disc_incline", "rolling_hoop_incline_uphill"] {
        let case = Case::read(name);
        assert_eq!([case.parameter("incline_deg"), case.parameter("g")], [25.0, 9.81]);
        assert_eq!(case.number_at("initial_conditions/s"), 0.0);
        for_both_formulations!(rolling_disc {
            mass: case.parameter("mass"), radius: case.parameter("radius"), inertia: case.parameter("inertia"),
            start_speed: case.number_at("initial_conditions/v"),
        } => incline(&case));
    }
}

/// Accelerations and loads are constant; displacements and speeds are compared at 1 s and 2 s.
fn incline<M: Describe>(coordinates: &str, mechanism: &M, case: &Case) {
    let mut comparison = Comparison::new(&case.name, coordinates, mechanism, &[0.0, 1.0, 2.0]);
    let exact = case.relative_accuracy();
    let constant = |figure: &str| vec![case.number_at(&format!("reference/{figure}")); 3];
    let figures =
        [("a", "a"), ("omega_dot", "spin_rate"), ("friction_force_upslope", "friction"), ("normal_force", "normal")];
    for (figure, output) in figures {
        comparison.compare(figure, exact, &constant(figure), |at| at.output(output));
    }
    let coefficient = |at: RunSample<'_>| at.output("friction") / at.output("normal");
    comparison.compare("min_mu", exact, &constant("min_mu"), coefficient);
    let start = |name: &str| case.number_at(&format!("initial_conditions/{name}"));
    for name in ["s", "v"] {
        let [one, two] = ["t1", "t2"].map(|t| case.number_at(&format!("reference/{name}_{t}")));
        comparison.compare(name, exact, &[start(name), one, two], |at| at.output(name));
    }
    let radius = case.parameter("radius");
    comparison.compare("rolls", exact, &[0.0; 3], |at| at.output("v") - radius * at.output("spin"));
    comparison.finish();
}

#[test]
fn a_coin_rolls() {
    let case = Case::read("rolling_coin");
    let start = |name: &str| case.number_at(&format!("initial_conditions/{name}"));
    assert_eq!(case.parameter("g"), 9.81);
    assert_eq!(["x", "y", "psi", "phi", "thetadot", "theta"].map(start), [0.0, 0.0, 0.0, 0.0, 0.0, 1.3]);
    for_both_formulations!(rolling_coin {
        mass: case.parameter("mass"), radius: case.parameter("radius"), across: case.parameter("I_diameter"),
        axial: case.parameter("I_axis"), start_turning: start("psidot"), start_spin: start("phidot"),
    } => coin(&case));
}

/// The axis is (sin θ sin ψ, −sin θ cos ψ, cos θ).
fn sine(at: RunSample<'_>) -> f64 {
    at.output("axis.x").hypot(at.output("axis.y"))
}

fn tilt(at: RunSample<'_>) -> f64 {
    sine(at).atan2(at.output("axis.z"))
}

/// ψ.
fn heading(at: RunSample<'_>) -> f64 {
    at.output("axis.x").atan2(-at.output("axis.y"))
}

fn heading_rate(at: RunSample<'_>) -> f64 {
    let [x, y, x_rate, y_rate] = ["axis.x", "axis.y", "axis_rate.x", "axis_rate.y"].map(|name| at.output(name));
    (x * y_rate - y * x_rate) / sine(at).powi(2)
}

/// φ: the quaternion of R_z(ψ) R_x(θ) R_z(φ) is (c cos σ, s cos δ, s sin δ, c sin σ) with σ = (ψ + φ)/2 and δ = (ψ − φ)/2.
fn spin_angle(at: RunSample<'_>) -> f64 {
    let [w, x, y, z] = [0, 1, 2, 3].map(|i| at.output(&format!("attitude[{i}]")));
    z.atan2(w) - y.atan2(x)
}

fn coin<M: Describe>(coordinates: &str, mechanism: &M, case: &Case) {
    let mut comparison = Comparison::new(&case.name, coordinates, mechanism, &case.times());
    let exact = Accuracy::Absolute(case.accuracy());
    for (column, output) in [("x", "place.x"), ("y", "place.y"), ("vx", "speed.x"), ("vy", "speed.y"), ("E", "energy")]
    {
        comparison.compare(output, exact, &case.series(column), |at| at.output(output));
    }
    comparison.compare("theta", exact, &case.series("theta"), tilt);
    comparison.compare("thetadot", exact, &case.series("thetadot"), |at| -at.output("axis_rate.z") / sine(at));
    comparison.compare("psidot", exact, &case.series("psidot"), heading_rate);
    let spinning = |at: RunSample<'_>| at.output("spin") - heading_rate(at) * at.output("axis.z");
    comparison.compare("phidot", exact, &case.series("phidot"), spinning);
    // Angles are compared by sine and cosine, as the case counts revolutions.
    for (column, angle) in [("psi", heading as fn(RunSample<'_>) -> f64), ("phi", spin_angle)] {
        for (name, f) in [("sin", f64::sin as fn(f64) -> f64), ("cos", f64::cos)] {
            let known: Vec<f64> = case.series(column).into_iter().map(f).collect();
            comparison.compare(&format!("{name} {column}"), exact, &known, |at| f(angle(at)));
        }
    }
    let series = case.value("reference/quat_series").as_array().expect("a list");
    let known: Vec<Vec<f64>> = series.iter().map(numbers).collect();
    for i in 0..4 {
        let known: Vec<f64> = known.iter().map(|q| q[i]).collect();
        let output = format!("attitude[{i}]");
        comparison.compare(&output, exact, &known, |at| at.output(&output));
    }
    compare_start(&mut comparison, case);
    comparison.finish();
}

fn numbers(list: &serde_json::Value) -> Vec<f64> {
    list.as_array().expect("a list").iter().map(|x| x.as_f64().expect("a number")).collect()
}

/// Compares the first state with that of the case, except its angles.
fn compare_start(comparison: &mut Comparison, case: &Case) {
    let rounded = 1e-14;
    let numbers = |name: &str| case.numbers_at(&format!("initial_conditions/{name}"));
    let (quaternion, velocity, omega) = (numbers("quat"), numbers("v_com"), numbers("omega_body"));
    let value = |name: &str| case.number_at(&format!("initial_conditions/{name}"));
    let first = comparison.run().samples().next().expect("the first time is 0");
    let mut misses: Vec<f64> = (0..4).map(|i| first.output(&format!("attitude[{i}]")) - quaternion[i]).collect();
    for (k, c) in ["x", "y", "z"].into_iter().enumerate() {
        misses.push(first.output(&format!("speed.{c}")) - velocity[k]);
    }
    misses.extend([
        -first.output("axis_rate.z") / sine(first) - omega[0],
        heading_rate(first) * sine(first) - omega[1],
        first.output("spin") - omega[2],
        first.output("speed.x") - value("vx"),
        first.output("speed.y") - value("vy"),
    ]);
    let miss = misses.into_iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    comparison.bound("start", miss, 10.0 * rounded);
}
