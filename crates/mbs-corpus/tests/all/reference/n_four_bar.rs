//! Chains of N parallelogram four-bars: regular up to 0.5 s, then through the singular poses θ = ±90°, where all links are in
//! line and each loop could leave the declared branch. Runs pass them with a fixed step: error control
//! shortens steps there, so that steps end close to the singular pose.

use mbs::{Describe, Rk4};

use crate::reference::case::{Case, for_both_formulations};
use crate::reference::comparison::{Accuracy, Comparison, Run};

#[test]
fn one_four_bar_keeps_its_branch() {
    let case = Case::read("iftomm_a02_n_fourbar_N1");
    for_both_formulations!(n_four_bar_1 {
        length: case.parameter("link_length"), mass: case.parameter("link_mass"),
        inertia: case.parameter("link_inertia_com"), g: case.parameter("g"),
    } => n_four_bar(&case));
}

#[test]
fn two_four_bars_keep_their_branch() {
    let case = Case::read("iftomm_a02_n_fourbar_N2");
    for_both_formulations!(n_four_bar_2 {
        length: case.parameter("link_length"), mass: case.parameter("link_mass"),
        inertia: case.parameter("link_inertia_com"), g: case.parameter("g"),
    } => n_four_bar(&case));
}

const COLUMNS: [(&str, &str, f64); 5] = [
    ("B0x", "b0.x", 1.0),
    ("B0y", "b0.y", 1.0),
    ("B0vx", "b0_velocity.x", 1.0),
    ("B0vy", "b0_velocity.y", 1.0),
    // Angles are clockwise in the case, counterclockwise here.
    ("thetadot", "rate", -1.0),
];

fn n_four_bar<M: Describe>(coordinates: &str, mechanism: &M, case: &Case) {
    let times: Vec<f64> = case.times().into_iter().filter(|t| *t <= 0.5).collect();
    assert_eq!(times.len(), 2);
    let mut comparison = Comparison::new(&case.name, coordinates, mechanism, &times);
    for (column, output, sign) in COLUMNS {
        let exact = Accuracy::Absolute(case.accuracy());
        comparison.compare(column, exact, &case.series(column)[..2], |at| sign * at.output(output));
    }
    let run = Run::with_integrator(mechanism, &case.times(), Rk4::new(mechanism, 2e-3));
    for (column, output, sign) in COLUMNS {
        let misses = run.samples().zip(case.series(column)).map(|(at, x)| (sign * at.output(output) - x).abs());
        comparison.bound(&format!("{column} to 10 s"), misses.fold(0.0, f64::max), 1e-3);
    }
    let drift = run.samples().map(|at| (at.energy() - case.number_at("reference/total_energy_V0_at_y0")).abs());
    comparison.bound("energy to 10 s", drift.fold(0.0, f64::max), 0.1);
    comparison.finish();
}
