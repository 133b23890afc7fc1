//! Kernels against truncated Taylor series of the model.

use mbs_core::{Describe, Item, Mechanism};
use mbs_interp::Interpreted;

use super::{inputs, run, weight};
use crate::ledger::{Ledger, Violation};
use crate::matrix::{dot, size, times};
use crate::oracle::{Oracle, needs_accelerations};
use crate::state::{FASTEST, OwnedState, Random, is_near_singular_attitude, largest_attitude_rate};

/// Relative to the largest value of a quantity, or to the terms of its sum: some hundred roundings of 1e-16, and nested functions of
/// expressions with derivatives up to a hundred.
const TOLERANCE: f64 = 1e-10;

/// Φ, ψ, ν, γ, G, M, Q, and Q without loads, are those of the series.
///
/// # Errors
/// The violation, if they differ.
pub fn equations_are_those_of_series(interpreted: &Interpreted, oracles: &[Oracle<'_>]) -> Result<f64, Violation> {
    let (model, tree) = (&interpreted.compiled().model, &interpreted.compiled().tree);
    let sizes = interpreted.sizes();
    let n = sizes.n_v;
    let mut ledger = Ledger::new("equations are those of series", TOLERANCE);
    for oracle in oracles {
        let at = oracle.state();
        let (q, v) = (size(&at.q).max(1.0), size(&at.v).max(1.0));
        let jacobian = oracle.constraint_jacobian();
        let got = run(interpreted, "constraint_jacobian", at);
        let mut row_scale = vec![0.0; sizes.n_c];
        // Near the pole of an attitude, rates of angles are differences of terms that are larger by the largest rate, squared in accelerations.
        let is_near_singular = is_near_singular_attitude(interpreted, at);
        for (r, scale) in row_scale.iter_mut().enumerate() {
            let row = r * n..(r + 1) * n;
            *scale = size(&jacobian[row.clone()]).max(1.0);
            if is_near_singular && needs_accelerations(model, &tree.rows[r]) {
                continue;
            }
            ledger.record_all(&format!("G[{r}]"), &got[row.clone()], &jacobian[row], *scale, at);
        }
        // The scale of a row is its Jacobian times the size of the motion. The second derivative of an angle grows with the square of the first
        // one.
        let mut rows = |name: &str, symbol: &str, expected: Vec<f64>, [motion, order]: [f64; 2]| {
            let got = run(interpreted, name, at);
            for (r, (got, expected)) in got.iter().zip(&expected).enumerate() {
                ledger.record(&format!("{symbol}[{r}]"), *got, *expected, row_scale[r].powf(order) * motion, at);
            }
        };
        rows("position_residuals", "phi", oracle.position_residuals(), [q, 1.0]);
        rows("velocity_residuals", "psi", oracle.velocity_residuals(), [v, 1.0]);
        rows("nu", "nu", oracle.nu(), [v, 1.0]);
        if !is_near_singular {
            rows("gamma", "gamma", oracle.gamma(), [v * v, 2.0]);
        }
        let mass = oracle.mass_matrix();
        let got = run(interpreted, "mass_matrix", at);
        for (k, (got, expected)) in got.iter().zip(&mass).enumerate() {
            // The contribution of a body about a joint at its centre of mass is zero relative to the rest.
            ledger.record(&format!("M[{}, {}]", k / n, k % n), *got, *expected, weight(&mass), at);
        }
        // In natural coordinates T is that of rigid bodies only at speeds that satisfy the rows of rigid bodies.
        let compiled = interpreted.compiled();
        if compiled.tree.prescribed.is_empty() && compiled.model.coordinates.natural.basics.is_empty() {
            let kinetic = 0.5 * dot(&at.v, &times(&got, &at.v));
            ledger.record("v M v / 2", kinetic, oracle.energy()[0], weight(&mass) * v * v, at);
        }
        let motion = squared_speed(interpreted, at);
        let (got, expected) = (run(interpreted, "generalized_forces", at), oracle.generalized_forces());
        let velocity = (run(interpreted, "velocity_forces", at), oracle.velocity_forces());
        ledger.record_all("velocity forces", &velocity.0, &velocity.1, weight(&mass) * motion, at);
        let terms = expected.clone();
        for (i, (got, expected)) in got.iter().zip(&expected).enumerate() {
            let floor = weight(&mass) * motion;
            // A force on one body acts as a moment on all inboard bodies: the largest Q is the scale of each.
            ledger.record(&format!("Q[{i}]"), *got, *expected, floor.max(size(&terms)), at);
        }
    }
    ledger.settle()
}

/// q, poses, markers, Jacobians of bodies, ż, energies, powers, momenta, outputs with their rates, and `initial` conditions are those of the
/// series.
///
/// # Errors
/// The violation, if they differ.
pub fn reports_are_those_of_series(interpreted: &Interpreted, oracles: &[Oracle<'_>]) -> Result<f64, Violation> {
    let sizes = interpreted.sizes();
    let mut ledger = Ledger::new("reports are those of series", TOLERANCE);
    for (k, oracle) in oracles.iter().enumerate() {
        let at = oracle.state();
        let mut random = Random::new(k as u128);
        let (a, lambda) = (random.vector(sizes.n_v, 5.0), random.vector(sizes.n_c, 5.0));
        let (v, motion) = (size(&at.v).max(1.0), squared_speed(interpreted, at));
        match interpreted.is_spatial() {
            false => ledger.record_all("q", &at.q, &oracle.measured_coordinates(), 1.0, at),
            // A prescribed coordinate next to an angle beyond its pole does not change by half a revolution with that angle.
            true if oracle.is_prescribed() && oracle.has_angle_beyond_pole() => {}
            true => ledger.record_all("poses at measured q", &oracle.measured_again(), &oracle.poses(), 1.0, at),
        }
        ledger.record_all("poses", &run(interpreted, "poses", at), &oracle.poses(), 1.0, at);
        ledger.record_all("markers", &run(interpreted, "marker_positions", at), &oracle.marker_positions(), 1.0, at);
        ledger.record_all("body Jacobians", &run(interpreted, "body_jacobians", at), &oracle.body_jacobians(), 1.0, at);
        ledger.record_all("rates of z", &run(interpreted, "auxiliary_rates", at), &oracle.auxiliary_rates(), v, at);
        let energy = interpreted.energy(at.view());
        let [kinetic, potential] = oracle.energy();
        ledger.record("kinetic energy", energy.kinetic, kinetic, v * v, at);
        ledger.record("potential energy", energy.potential, potential, 10.0, at);
        let energies = interpreted.run("force_energies", inputs(at)).unwrap_or_default();
        for ((got, expected), name) in energies.iter().zip(oracle.force_energies()).zip(["potentials", "powers"]) {
            ledger.record_all(name, got, &expected, 10.0 * v, at);
        }
        let expected = oracle.momentum();
        ledger.record_all("momentum", &run(interpreted, "momentum", at), &expected, size(&expected).max(v), at);
        let flat = mbs_compiler::interp::Inputs { a: &a, lambda: &lambda, ..inputs(at) };
        let one = |name: &str| {
            let outputs = interpreted.run(name, flat).ok();
            outputs.and_then(|o| o.into_iter().next()).unwrap_or_default()
        };
        let expected = oracle.outputs(&a, &lambda);
        let names: Vec<String> = (0..expected.len()).map(|i| interpreted.name(Item::Output(i)).to_owned()).collect();
        for ((got, expected), name) in one("outputs").iter().zip(&expected).zip(&names) {
            // Accelerations of points are sums of squares of speeds, and so are rates of velocities.
            ledger.record(name, *got, expected[0], motion, at);
        }
        let known = interpreted.compiled().output_has_rate.iter().zip(&expected).zip(&names);
        for (got, ((_, expected), name)) in one("output_rates").iter().zip(known.filter(|((known, _), _)| **known)) {
            ledger.record(&format!("rate({name})"), *got, expected[1], motion, at);
        }
        for (c, (residual, gradient)) in oracle.conditions().into_iter().enumerate() {
            let mut got = vec![0.0; sizes.n_v];
            let condition = interpreted.initial_condition(c, at.view(), &mut got);
            let name = interpreted.name(Item::Condition(c));
            let worth = size(&gradient).max(1.0);
            ledger.record(&format!("initial {name}"), condition.residual, residual, worth * v, at);
            ledger.record_all(&format!("gradient of {name}"), &got, &gradient, worth, at);
        }
    }
    ledger.settle()
}

/// Terms of velocity forces and accelerations: squares of speeds, or of rates of angles, which are larger near their pole.
fn squared_speed(interpreted: &Interpreted, at: &OwnedState) -> f64 {
    let steepness = (largest_attitude_rate(interpreted, at) / FASTEST).max(1.0);
    (size(&at.v).max(1.0) * steepness).powi(2)
}
