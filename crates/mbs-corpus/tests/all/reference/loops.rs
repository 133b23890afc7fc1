//! Single loops swinging: a four-bar, a slider-crank.

use std::f64::consts::TAU;

use mbs::Describe;

use crate::reference::case::{Case, for_both_formulations};
use crate::reference::comparison::{Accuracy, Comparison};

#[test]
fn four_bar_swings() {
    let case = Case::read("fourbar_forward");
    assert_eq!([case.parameter("k"), case.parameter("cd")], [0.0; 2], "no spring, no damper");
    let rho = case.parameter("rho");
    let [a, b, c] = ["a", "b", "c"].map(|l| case.parameter(l));
    let bar = |length: f64| rho * length.powi(3) / 12.0;
    for_both_formulations!(four_bar {
        g: case.parameter("g"), density: rho, ground_length: case.parameter("d"),
        crank_length: a, crank_mass: rho * a, crank_inertia: bar(a),
        coupler_length: b, coupler_mass: rho * b, coupler_inertia: bar(b),
        rocker_length: c, rocker_mass: rho * c, rocker_inertia: bar(c),
    } => four_bar(&case));
}

fn four_bar<M: Describe>(coordinates: &str, mechanism: &M, case: &Case) {
    let mut comparison = Comparison::new(&case.name, coordinates, mechanism, &case.times());
    let exact = Accuracy::Absolute(case.accuracy());
    for (column, output) in
        [("theta", "crank_angle"), ("omega", "crank_rate"), ("phi", "coupler_angle"), ("T_plus_V", "energy")]
    {
        comparison.compare(column, exact, &case.series(column), |at| at.output(output));
    }
    // The rocker passes π in both directions; the reference's ψ is an `atan2` ("angles may differ by 2 pi").
    let psi: Vec<f64> = case.series("psi").iter().map(|x| x.rem_euclid(TAU)).collect();
    comparison.compare("psi", exact, &psi, |at| at.output("rocker_angle"));
    comparison.finish();
}

#[test]
fn slider_crank_swings() {
    let case = Case::read("slider_crank_forward");
    assert_eq!(["k", "c_slider", "torque"].map(|p| case.parameter(p)), [0.0; 3], "gravity alone");
    for_both_formulations!(slider_crank {
        g: case.parameter("g"), crank_length: case.parameter("r"), rod_length: case.parameter("l"),
        crank_com: case.parameter("c1"), rod_com: case.parameter("c2"), crank_mass: case.parameter("m1"),
        rod_mass: case.parameter("m2"), piston_mass: case.parameter("m3"), crank_inertia: case.parameter("I1"),
        rod_inertia: case.parameter("I2"),
    } => slider_crank(&case));
}

fn slider_crank<M: Describe>(coordinates: &str, mechanism: &M, case: &Case) {
    let mut comparison = Comparison::new(&case.name, coordinates, mechanism, &case.times());
    for (column, output) in
        [("theta", "crank_angle"), ("omega", "crank_rate"), ("x", "stroke"), ("v", "speed"), ("T_plus_V", "energy")]
    {
        let exact = Accuracy::Absolute(case.accuracy());
        comparison.compare(column, exact, &case.series(column), |at| at.output(output));
    }
    comparison.finish();
}
