//! Slots and blocks: a Scotch yoke, the quick return of a shaper.

use std::f64::consts::TAU;

use mbs::{FullMechanism, InverseDynamics};

use crate::reference::case::{Case, for_both_formulations};
use crate::reference::massless;
use crate::reference::prescribed::Prescribed;

#[test]
fn scotch_yoke_moves_as_a_cosine() {
    let case = Case::read("scotch_yoke");
    for_both_formulations!(scotch_yoke {
        crank_length: case.parameter("r"), yoke_mass: case.parameter("m_yoke"), stiffness: case.parameter("k"),
        omega: case.parameter("omega"),
    } => scotch_yoke(&case));
}

fn scotch_yoke<M: FullMechanism>(coordinates: &str, mechanism: &M, case: &Case) {
    let mut run = Prescribed::new(&case.name, coordinates, mechanism, &case.crank_times("reference"));
    for (column, output) in
        [("x", "stroke"), ("v", "speed"), ("a", "acceleration"), ("T_drive", "torque"), ("T_drive", "drive.motor")]
    {
        run.compare(output, case.relative_accuracy(), &case.column("reference", column));
    }
    run.finish();
}

/// The case states no masses: they are large, small and zero.
#[test]
fn quick_return_follows_the_closed_form_with_any_mass() {
    let case = Case::read("quick_return_crank_shaper");
    let [crank, distance, lever, omega] = ["r", "d", "lever", "omega"].map(|name| case.parameter(name));
    for mass in [1.0, 0.02] {
        let label = format!("{mass} times the mass");
        for_both_formulations!(quick_return {
            crank_length: crank, pivot_distance: distance, lever_length: lever, omega: omega, crank_mass: 1.5 * mass,
            block_mass: 0.1 / mass, lever_mass: mass, ram_mass: 5.0 * mass, crank_inertia: 0.002 * mass,
            block_inertia: 1e-4 / mass, lever_inertia: 0.016 * mass,
        } => quick_return(&case, &label));
    }
    let parameters = [("crank_length", crank), ("pivot_distance", distance), ("lever_length", lever), ("omega", omega)];
    for (coordinates, mut mechanism) in massless::without_masses("quick_return") {
        massless::set_parameters(&mut mechanism, &parameters);
        quick_return(coordinates, &mechanism, &case, "massless");
    }
}

fn quick_return<M: FullMechanism>(coordinates: &str, mechanism: &M, case: &Case, mass: &str) {
    let label = format!("{coordinates}, {mass}");
    let mut run = Prescribed::new(&case.name, &label, mechanism, &case.crank_times("reference"));
    for (column, output) in [
        ("beta", "lever_angle"),
        ("dbeta", "lever_rate"),
        ("ddbeta", "lever_acceleration"),
        ("q", "block_position"),
        ("dq", "block_speed"),
        ("ddq", "block_acceleration"),
        ("x_ram", "ram_position"),
        ("dx_ram", "ram_speed"),
        ("ddx_ram", "ram_acceleration"),
    ] {
        run.compare(output, case.relative_accuracy(), &case.column("reference", column));
    }
    // Dead points lie between rows of the run, on polynomials of degree five: h⁵/720 of fifth derivatives, h = 1°.
    let period = TAU / case.parameter("omega");
    let result = InverseDynamics::new(mechanism).grid(0.0, 1.25 * period, 451).run();
    let strokes = result.unwrap_or_else(|failure| panic!("{label}: {failure}"));
    let quick_return = strokes.quick_return("ram_position", period).expect("the ram goes to and fro");
    let expected = case.number_at("reference/time_ratio");
    run.bound("time ratio", (quick_return.time_ratio() - expected).abs(), 1e-9 * expected);
    let extreme = case.number_at("cross_check/extreme_angle");
    let lever = strokes.quick_return("lever_angle", period).expect("the lever goes to and fro");
    run.bound("extreme angle", (0.5 * lever.travel - extreme).abs(), 1e-9 * extreme);
    run.finish();
}
