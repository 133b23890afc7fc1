//! Machines in space: a governor, a slider-crank, shafts, free tops.

use std::f64::consts::FRAC_PI_2;

use mbs::{Describe, FullMechanism};

use crate::reference::case::{Case, for_both_formulations, for_every_formulation};
use crate::reference::comparison::{Accuracy, Comparison};
use crate::reference::prescribed::Prescribed;

/// (column of the case, output).
type Pairs<'a> = &'a [(&'a str, &'a str)];

fn compare(comparison: &mut Comparison, case: &Case, table: &str, accuracy: f64, pairs: Pairs<'_>) {
    for (column, output) in pairs {
        let known = case.column(table, column);
        comparison.compare(output, Accuracy::Absolute(accuracy), &known, |at| at.output(output));
    }
}

#[test]
fn free_tops_follow_elliptic_functions() {
    for name in ["euler_top", "euler_top_major"] {
        let case = Case::read(name);
        let three = |path: &str| -> [f64; 3] { case.numbers_at(path).try_into().expect("three numbers") };
        let attitude: [f64; 4] = case.numbers_at("initial_conditions/quat").try_into().expect("four numbers");
        for_every_formulation!(free_top {
            moments: three("parameters/I"), spin: three("initial_conditions/omega"), start_attitude: attitude,
        } => free_top(&case));
    }
}

fn free_top<M: Describe>(coordinates: &str, mechanism: &M, case: &Case) {
    let mut comparison = Comparison::new(&case.name, coordinates, mechanism, &case.times());
    let omega = case.number_at("accuracy/omega_abs");
    let pairs = [("wx", "omega.x"), ("wy", "omega.y"), ("wz", "omega.z")];
    compare(&mut comparison, case, "reference/series", omega, &pairs);
    let attitude = Accuracy::Absolute(case.number_at("accuracy/quat_abs"));
    for (i, column) in ["qw", "qx", "qy", "qz"].into_iter().enumerate() {
        let output = format!("attitude[{i}]");
        comparison.compare(&output, attitude, &case.series(column), |at| at.output(&output));
    }
    let times = case.times().len();
    for (c, known) in ["x", "y", "z"].into_iter().zip(case.numbers_at("reference/H_world")) {
        let output = format!("moment.{c}");
        comparison.compare(&output, Accuracy::Absolute(omega), &vec![known; times], |at| at.output(&output));
    }
    let energy = vec![case.number_at("reference/T"); times];
    comparison.compare("energy", Accuracy::Absolute(omega), &energy, |at| at.output("energy"));
    comparison.finish();
}

#[test]
fn a_heavy_top_precesses_steadily_at_either_rate() {
    let case = Case::read("heavy_top_steady_precession");
    assert_eq!(["A", "C", "mgl"].map(|name| case.parameter(name)), [0.03, 0.012, 0.9]);
    for root in ["psidot_slow", "psidot_fast"] {
        for_every_formulation!(precessing_top {
            tilt: case.parameter("theta"), spin: case.parameter("w3"), precession: case.number_at(&format!("reference/{root}")),
        } => steady_top(&case, root));
    }
}

/// The axis moves on a cone: (s sin ψ, −s cos ψ, cos θ) with s = sin θ and ψ = ψ̇ t.
fn steady_top<M: Describe>(coordinates: &str, mechanism: &M, case: &Case, root: &str) {
    let times: Vec<f64> = (0..=20).map(|i| 0.1 * f64::from(i)).collect();
    let mut comparison = Comparison::new(&format!("{}, {root}", case.name), coordinates, mechanism, &times);
    let (rate, (s, c)) = (case.number_at(&format!("reference/{root}")), case.parameter("theta").sin_cos());
    let exact = case.relative_accuracy();
    let known = |of: fn(f64) -> f64, scale: f64| -> Vec<f64> { times.iter().map(|t| scale * of(rate * t)).collect() };
    comparison.compare("axis.x", exact, &known(f64::sin, s), |at| at.output("axis.x"));
    comparison.compare("axis.y", exact, &known(f64::cos, -s), |at| at.output("axis.y"));
    comparison.compare("axis.z", exact, &known(|_| 1.0, c), |at| at.output("axis.z"));
    comparison.compare("precession", exact, &vec![rate; times.len()], |at| {
        let [x, y] = ["axis.x", "axis.y"].map(|name| at.output(name));
        let [u, w] = ["axis_rate.x", "axis_rate.y"].map(|name| at.output(name));
        (x * w - y * u) / (x * x + y * y)
    });
    comparison.finish();
}

/// Below the limit ω₃² = 4 A mgl/C² another motion has the energy and the moments of the upright top: released at rest in
/// tilt at 1 − cos θ = y₁ = 2 (1 − (ω₃/limit)²), with ψ̇ = C ω₃/(A (1 + cos θ)), it rises as 1 − cos θ = y₁ sech²(κ t), κ² = mgl
/// y₁/(2 A), which takes infinite time. Above the limit there is none: y₁ < 0. (Of u̇² = (1 − u)² (2 mgl (1 + u)/A − (C ω₃/A)²), u = cos θ.)
#[test]
fn a_top_that_spins_too_slowly_rises_to_where_it_would_sleep() {
    let case = Case::read("heavy_top_steady_precession");
    let limit = case.number_at("reference/sleeping_top_min_w3");
    for part in [0.6, 0.9] {
        let [a, c] = ["A", "C"].map(|name| case.parameter(name));
        let (spin, depth) = (part * limit, 2.0 * (1.0 - part * part));
        for_every_formulation!(precessing_top {
            tilt: (1.0 - depth).acos(), spin: spin, precession: c * spin / (a * (2.0 - depth)),
        } => rising_top(&case, spin, depth));
    }
}

fn rising_top<M: Describe>(coordinates: &str, mechanism: &M, case: &Case, spin: f64, depth: f64) {
    let [a, c, mgl] = ["A", "C", "mgl"].map(|name| case.parameter(name));
    let times: Vec<f64> = (0..=12).map(|i| 0.1 * f64::from(i)).collect();
    let name = format!("{}, sleeping, spin {spin:.1}", case.name);
    let mut comparison = Comparison::new(&name, coordinates, mechanism, &times);
    let kappa = (mgl * depth / (2.0 * a)).sqrt();
    let known: Vec<f64> = times.iter().map(|t| 1.0 - depth / (kappa * t).cosh().powi(2)).collect();
    comparison.compare("axis.z", case.relative_accuracy(), &known, |at| at.output("axis.z"));
    let upright = vec![0.5 * c * spin * spin + mgl; times.len()];
    comparison.compare("energy", case.relative_accuracy(), &upright, |at| at.output("energy"));
    comparison.finish();
}

#[test]
fn a_universal_joint_transmits_angle_speed_and_acceleration() {
    for name in ["cardan_single", "cardan_single_other"] {
        let case = Case::read(name);
        for degrees in case.numbers_at("parameters/beta_deg") {
            for (start, phase) in [("perp", 0.0), ("in", FRAC_PI_2)] {
                for_both_formulations!(cardan {
                    bend: degrees.to_radians(), phase: phase,
                    omega: case.parameter("omega1"), alpha: case.parameter("alpha1"),
                } => cardan(&case, &format!("beta={degrees}deg,start={start}")));
                for_both_formulations!(cardan {
                    bend: degrees.to_radians(), phase: phase,
                    omega: case.parameter("omega1"), alpha: case.parameter("alpha1"),
                } => cardan_extremes(&case, degrees));
            }
        }
    }
}

fn cardan<M: FullMechanism>(coordinates: &str, mechanism: &M, case: &Case, table: &str) {
    let rows = case.value(&format!("reference/tables/{table}")).clone();
    let rows: Vec<[f64; 5]> = serde_json::from_value(rows).expect("rows of five");
    let omega = case.parameter("omega1");
    let times: Vec<f64> = rows.iter().map(|row| row[0].to_radians() / omega).collect();
    let mut run = Prescribed::new(&format!("{}, {table}", case.name), coordinates, mechanism, &times);
    let known = |column: usize| -> Vec<f64> { rows.iter().map(|row| row[column]).collect() };
    run.compare_angle("theta_2", case.relative_accuracy(), &known(1));
    for (column, output) in [(2, "ratio"), (3, "omega_2"), (4, "alpha_2")] {
        run.compare(output, case.relative_accuracy(), &known(column));
    }
    run.finish();
}

/// Least and largest ratio of speeds over a revolution; both occur at quarters of it.
fn cardan_extremes<M: FullMechanism>(coordinates: &str, mechanism: &M, case: &Case, degrees: f64) {
    let known = case.numbers_at(&format!("reference/ratio_extremes/{degrees}"));
    let omega = case.parameter("omega1");
    let times: Vec<f64> = (0..=72).map(|k| (5.0 * f64::from(k)).to_radians() / omega).collect();
    let name = format!("{}, extremes at {degrees}°", case.name);
    let mut run = Prescribed::new(&name, coordinates, mechanism, &times);
    let ratios = run.column("ratio");
    let least = ratios.iter().copied().fold(f64::INFINITY, f64::min);
    let largest = ratios.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    run.compare_values("ratio_extremes", case.relative_accuracy(), &known, &[least, largest]);
    run.finish();
}

const SLIDER_CRANK: [(&str, &str); 8] = [
    ("theta", "theta"),
    ("thetadot", "theta_rate"),
    ("x_slider", "x"),
    ("v_slider", "x_rate"),
    ("rod_omega_body_x", "rod_spin.x"),
    ("rod_omega_body_y", "rod_spin.y"),
    ("rod_omega_body_z", "rod_spin.z"),
    ("E_total", "energy"),
];

#[test]
fn a_slider_crank_runs_in_space() {
    let case = Case::read("iftomm_spatial_slider_crank");
    let moments: [f64; 3] = case.numbers_at("parameters/I_rod").try_into().expect("three moments");
    for_both_formulations!(spatial_slider_crank { rod_moments: moments } => slider_crank(&case));
}

fn slider_crank<M: Describe>(coordinates: &str, mechanism: &M, case: &Case) {
    let mut comparison = Comparison::new(&case.name, coordinates, mechanism, &case.times());
    compare(&mut comparison, case, "reference/series", case.accuracy(), &SLIDER_CRANK);
    comparison.finish();
}

#[test]
fn a_slider_crank_in_space_runs_as_published() {
    let case = Case::read("iftomm_spatial_slider_crank_published");
    let moments: [f64; 3] = case.numbers_at("parameters/I_rod").try_into().expect("three moments");
    for_both_formulations!(spatial_slider_crank { rod_moments: moments } => published_slider_crank(&case));
}

fn published_slider_crank<M: Describe>(coordinates: &str, mechanism: &M, case: &Case) {
    for table in ["reference/series", "reference/series_at_published_times"] {
        let mut comparison = Comparison::new(&case.name, coordinates, mechanism, &case.column(table, "t"));
        compare(&mut comparison, case, table, case.number_at("accuracy/recomputed_abs"), &SLIDER_CRANK);
        comparison.finish();
    }
    let published = "reference/published";
    let mut comparison = Comparison::new(&case.name, coordinates, mechanism, &case.column(published, "t"));
    compare(&mut comparison, case, published, case.number_at("accuracy/published_x"), &[("x_slider", "x")]);
    compare(&mut comparison, case, published, case.number_at("accuracy/published_theta"), &[("theta", "theta")]);
    comparison.finish();
}

#[test]
fn a_stiff_governor_lifts_its_slider() {
    let case = Case::read("iftomm_a05_flyball");
    for_both_formulations!(flyball {
        stiffness: case.parameter("k"), damping: case.parameter("c"), start_rate: case.parameter("omega0"),
    } => flyball(&case));
}

/// Damped springs with rates of 1e4 1/s limit steps of an explicit method to 3e-4 s at any tolerance; the tight tolerances of the
/// other cases need only a few times as many steps, and are kept. Body coordinates, with forty times the
/// operations, run the first of ten seconds. Each landing runs a tenth of both; the full tier all.
fn flyball<M: Describe>(coordinates: &str, mechanism: &M, case: &Case) {
    let times = case.times();
    let end = if coordinates == "body" { 1.0 } else { 10.0 } * if cfg!(largest) { 1.0 } else { 0.1 };
    let count = times.iter().filter(|t| **t <= end).count();
    let mut comparison = Comparison::new(&case.name, coordinates, mechanism, &times[..count]);
    let exact = Accuracy::Absolute(case.accuracy());
    for (column, output) in [
        ("phi", "phi"),
        ("z_slider", "height"),
        ("beta", "opening.x"),
        ("beta", "opening.y"),
        ("phidot", "phi_rate"),
        ("zdot", "height_rate"),
        ("betadot", "opening_rate.x"),
        ("betadot", "opening_rate.y"),
        ("spring_length", "spring_length"),
    ] {
        comparison.compare(output, exact, &case.series(column)[..count], |at| at.output(output));
    }
    let length = case.parameter("shaft_length");
    comparison.compare("s_from_top", exact, &case.series("s_from_top")[..count], |at| length - at.output("height"));
    // The case states no accuracy of these: the relative accuracy of the coordinates applies. It leaves out the weight of the shaft.
    let part = Accuracy::Relative(case.accuracy());
    let weight = 0.5 * case.parameter("shaft_mass") * case.parameter("g") * case.parameter("shaft_length");
    comparison.compare("moment", part, &case.series("Lz_total")[..count], |at| at.output("moment"));
    comparison.compare("energy", part, &case.series("E_total")[..count], |at| at.output("energy") - weight);
    comparison.finish();
}
