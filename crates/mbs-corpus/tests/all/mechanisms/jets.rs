//! Derived equations against truncated Taylor series of the model (`oracle`), and against differences of Φ.
//!
//! The interpreter represents the compiled code: `differential.rs` checks that their results are equal to the bit. Parameters
//! differ from their defaults by up to 5 %.

use mbs::{Describe, Energy, Mechanism, StateView};
use mbs_compiler::interp::Inputs;
use mbs_interp::Interpreted;
use mbs_model::Formulation;
use mbs_random::oracle::Oracle;

use crate::mechanisms::harness::ledger::Ledger;
use crate::mechanisms::harness::{OwnedState, for_each_state, size};
use crate::tiers::by_tier;

/// States per mechanism and formulation.
fn states() -> usize {
    by_tier(10, 30)
}

/// 1e-12 of the largest value a quantity takes, or of the terms it is the sum of: some hundred roundings of 1e-16 each, on both
/// sides, with speeds and positions of order one.
const TOLERANCE: f64 = 1e-12;

fn with_disturbed_parameters(formulation: Formulation, check: impl Fn(&str, &Interpreted)) {
    for path in crate::mechanisms::harness::planar_files() {
        let stem = crate::mechanisms::harness::stem_of(&path);
        check(&format!("{stem} ({formulation:?})"), &crate::mechanisms::harness::disturbed(&stem, formulation));
    }
}

/// A function's only output.
fn run(interpreted: &Interpreted, name: &str, at: &OwnedState) -> Vec<f64> {
    let inputs = Inputs { t: at.t, q: &at.q, v: &at.v, z: &at.z, u: &at.u, ..Inputs::default() };
    let outputs = interpreted.run(name, inputs).unwrap_or_else(|row| panic!("{name} has no pivots, row {row}"));
    outputs.into_iter().next().unwrap_or_default()
}

fn assert_equations(label: &str, interpreted: &Interpreted) {
    let sizes = interpreted.sizes();
    let n = sizes.n_v;
    let mut ledger = Ledger::default();
    for_each_state(label, interpreted, states(), |_, at| {
        let oracle = Oracle::new(interpreted, at);
        let (q, v) = (size(&at.q).max(1e-3), size(&at.v));
        let jacobian = oracle.constraint_jacobian();
        let got = run(interpreted, "constraint_jacobian", at);
        let mut row_scale = vec![0.0; sizes.n_c];
        for (r, scale) in row_scale.iter_mut().enumerate() {
            let row = r * n..(r + 1) * n;
            *scale = size(&jacobian[row.clone()]);
            ledger.record_all(&format!("G[{r}]"), &got[row.clone()], &jacobian[row], *scale, at);
        }
        // The scale of a row is its Jacobian times the displacement, speed or acceleration of the state.
        let mut rows = |name: &str, symbol: &str, expected: Vec<f64>, motion: f64| {
            let got = run(interpreted, name, at);
            assert_eq!(got.len(), expected.len(), "{label}: {name}");
            for (r, (got, expected)) in got.iter().zip(&expected).enumerate() {
                ledger.record(&format!("{symbol}[{r}]"), *got, *expected, row_scale[r] * motion, at);
            }
        };
        rows("position_residuals", "phi", oracle.position_residuals(), q);
        rows("velocity_residuals", "psi", oracle.velocity_residuals(), v);
        rows("nu", "nu", oracle.nu(), v);
        rows("gamma", "gamma", oracle.gamma(), v * v);

        let mass = oracle.mass_matrix();
        let got = run(interpreted, "mass_matrix", at);
        for (k, (got, expected)) in got.iter().zip(&mass).enumerate() {
            let floor = (mass[k / n * (n + 1)] * mass[k % n * (n + 1)]).abs().sqrt();
            ledger.record(&format!("M[{}, {}]", k / n, k % n), *got, *expected, floor, at);
        }
        let (got, expected) = (run(interpreted, "generalized_forces", at), oracle.generalized_forces());
        for (i, (got, expected)) in got.iter().zip(&expected).enumerate() {
            let floor = size(&mass[i * n..(i + 1) * n]) * v * v;
            ledger.record(&format!("Q[{i}]"), *got, *expected, floor, at);
        }
    });
    ledger.settle(label, TOLERANCE);
}

fn assert_reports(label: &str, interpreted: &Interpreted) {
    let sizes = interpreted.sizes();
    let mut ledger = Ledger::default();
    for_each_state(label, interpreted, states(), |k, at| {
        let oracle = Oracle::new(interpreted, at);
        let mut random = crate::mechanisms::harness::Random::new(k as u128);
        let (a, lambda) = (random.vector(sizes.n_v, 5.0), random.vector(sizes.n_c, 5.0));
        let v = size(&at.v);
        ledger.record_all("q", &at.q, &oracle.measured_coordinates(), 1.0, at);
        ledger.record_all("poses", &run(interpreted, "poses", at), &oracle.poses(), 1.0, at);
        ledger.record_all("markers", &run(interpreted, "marker_positions", at), &oracle.marker_positions(), 1.0, at);
        ledger.record_all("body Jacobians", &run(interpreted, "body_jacobians", at), &oracle.body_jacobians(), 1.0, at);
        ledger.record_all("rates of z", &run(interpreted, "auxiliary_rates", at), &oracle.auxiliary_rates(), 0.0, at);
        let Energy { kinetic, potential } = interpreted.energy(at.view());
        let expected = oracle.energy();
        ledger.record("kinetic energy", kinetic, expected[0], 0.0, at);
        ledger.record("potential energy", potential, expected[1], kinetic, at);
        let expected = oracle.momentum();
        ledger.record_all("momentum", &run(interpreted, "momentum", at), &expected, size(&expected), at);
        let flat =
            Inputs { t: at.t, q: &at.q, v: &at.v, z: &at.z, u: &at.u, a: &a, lambda: &lambda, ..Inputs::default() };
        let one = |name: &str| interpreted.run(name, flat).expect("no pivots").into_iter().next().unwrap_or_default();
        let expected = oracle.outputs(&a, &lambda);
        let names = (0..expected.len()).map(|i| interpreted.name(mbs::Item::Output(i)).to_owned());
        let names: Vec<String> = names.collect();
        for ((got, expected), name) in one("outputs").iter().zip(&expected).zip(&names) {
            ledger.record(name, *got, expected[0], 0.0, at);
        }
        let known =
            interpreted.compiled().output_has_rate.iter().zip(&expected).zip(&names).filter(|((known, _), _)| **known);
        for (got, ((_, expected), name)) in one("output_rates").iter().zip(known) {
            ledger.record(&format!("rate({name})"), *got, expected[1], v, at);
        }
        for (c, (residual, gradient)) in oracle.conditions().into_iter().enumerate() {
            let mut got = vec![0.0; sizes.n_v];
            let condition = interpreted.initial_condition(c, at.view(), &mut got);
            let name = interpreted.name(mbs::Item::Condition(c));
            ledger.record(&format!("initial {name}"), condition.residual, residual, size(&gradient), at);
            ledger.record_all(&format!("gradient of {name}"), &got, &gradient, size(&gradient), at);
        }
    });
    ledger.settle(label, TOLERANCE);
}

/// G ≈ (Φ(q + h eⱼ) − Φ(q − h eⱼ)) / 2h, γ ≈ −(Φ⁺ − 2Φ + Φ⁻)/h² along q + v τ, t + τ and z + ż τ + z̈ τ²/2, with h = 1e-4 of order-one coordinates.
///
/// Truncation h²/6 ≈ 2e-9 times third derivatives (v⁴ ≈ 256 times fourth ones /12 for γ), rounding 1e-16/h and 1e-16/h² = 1e-8.
fn assert_differences(label: &str, interpreted: &Interpreted) {
    let sizes = interpreted.sizes();
    let (n, h) = (sizes.n_v, 1e-4);
    let phi = |at: StateView| {
        let mut phi = vec![0.0; sizes.n_position];
        interpreted.position_residuals(at, &mut phi);
        phi
    };
    let rates = |at: StateView| {
        let mut rates = vec![0.0; sizes.n_z];
        interpreted.auxiliary_rates(at, &mut rates);
        rates
    };
    let rates_of_q = |t: f64, q: &[f64], v: &[f64]| {
        let mut rates = v.to_vec();
        interpreted.coordinate_rates(t, q, v, &mut rates);
        rates
    };
    let moved = |q: &[f64], d: &[f64], s: f64| -> Vec<f64> { q.iter().zip(d).map(|(q, d)| q + s * d).collect() };
    let (mut derivatives, mut curvatures) = (Ledger::default(), Ledger::default());
    for_each_state(label, interpreted, 10, |_, at| {
        let jacobian = run(interpreted, "constraint_jacobian", at);
        for j in 0..n {
            let unit: Vec<f64> = (0..n).map(|i| if i == j { 1.0 } else { 0.0 }).collect();
            let direction = rates_of_q(at.t, &at.q, &unit);
            let displaced = |s: f64| phi(StateView { q: &moved(&at.q, &direction, s), ..at.view() });
            let (after, before) = (displaced(h), displaced(-h));
            for r in 0..sizes.n_position {
                let difference = (after[r] - before[r]) / (2.0 * h);
                let floor = size(&jacobian[r * n..(r + 1) * n]);
                derivatives.record(&format!("G[{r}]"), jacobian[r * n + j], difference, floor, at);
            }
        }
        let gamma = run(interpreted, "gamma", at);
        // Coordinates continue with q̇ and q̈ at constant speeds.
        let motion = rates_of_q(at.t, &at.q, &at.v);
        let [ahead, behind] = [h, -h].map(|s| rates_of_q(at.t, &moved(&at.q, &motion, s), &at.v));
        let q_acceleration: Vec<f64> = ahead.iter().zip(&behind).map(|(x, y)| (x - y) / (2.0 * h)).collect();
        // States in rows continue as well, with ż, and z̈ from rates along the motion.
        let flow = rates(at.view());
        let later = |s: f64| {
            let (q, z) = (moved(&at.q, &motion, s), moved(&at.z, &flow, s));
            rates(StateView { t: at.t + s, q: &q, z: &z, ..at.view() })
        };
        let z_acceleration: Vec<f64> = later(h).iter().zip(later(-h)).map(|(x, y)| (x - y) / (2.0 * h)).collect();
        let moving = |s: f64| {
            let q = moved(&moved(&at.q, &motion, s), &q_acceleration, s * s / 2.0);
            let z = moved(&moved(&at.z, &flow, s), &z_acceleration, s * s / 2.0);
            phi(StateView { t: at.t + s, q: &q, z: &z, ..at.view() })
        };
        let (after, here, before) = (moving(h), moving(0.0), moving(-h));
        for r in 0..sizes.n_position {
            let difference = -(after[r] - 2.0 * here[r] + before[r]) / (h * h);
            let floor = size(&jacobian[r * n..(r + 1) * n]) * size(&at.v).powi(2);
            curvatures.record(&format!("gamma[{r}]"), gamma[r], difference, floor, at);
        }
    });
    derivatives.settle(label, 1e-6);
    curvatures.settle(label, 1e-5);
}

#[test]
fn equations_in_body_coordinates_are_those_of_the_series() {
    with_disturbed_parameters(Formulation::Body, assert_all);
}

#[test]
fn equations_in_joint_coordinates_are_those_of_the_series() {
    with_disturbed_parameters(Formulation::Joint, assert_all);
}

fn assert_all(label: &str, interpreted: &Interpreted) {
    assert_equations(label, interpreted);
    assert_reports(label, interpreted);
    assert_differences(label, interpreted);
}

/// A mechanism with mixed coordinates: bodies that declare their coordinates, and free joints of particles.
const MIXED: &str = "
    pub planar Mixed {
        gravity: [0.2, -9.81];
        body base   { mass: 2, inertia: 0.2, com: [0.1, 0.03], coordinates: body }
        body boom   { mass: 1, inertia: 0.1, com: [0.2, 0.02], angle: 0.4 }
        body hand   { mass: 0.5, inertia: 0.02, com: [0.05, 0.01], angle: 0.8, position: [0.9, 0.6], coordinates: body }
        body finger { mass: 0.2, inertia: 0.01, com: [0.03, 0] }
        body kite   { mass: 0.3, inertia: 0.02, com: [0.02, 0.05] }
        particle pearl { mass: 0.1 }
        particle string_end { mass: 0.1 }
        marker heel = hand at [-0.1, 0.02] { angle: 0.3 };
        joint shoulder = revolute(base at [0.3, 0.1], boom);
        joint wrist    = revolute(boom at [0.5, 0], heel);
        joint knuckle  = prismatic(hand at [0.1, 0], finger) { axis: [1, 0.2] };
        joint flying   = free(pearl, kite);
        joint loose    = free(string_end, heel);
        joint hung     = free(boom, pearl);
        force tie  = spring_damper(pearl, finger) { stiffness: 5, damping: 0.2, free_length: 0.1 };
        force line = spring_damper(kite, string_end) { stiffness: 3, free_length: 0.2 };
        initial flying.position[0] = 0.3, loose.position[1] = 0.2, hung.position[0] = 0.4;
        output pearl_position = position(pearl);
        output kite_angle = flying.angle;
        output loose_position = loose.position[0];
        output energy = kinetic_energy + potential_energy;
    }";

#[test]
fn equations_in_mixed_coordinates_are_those_of_the_series() {
    let mixed = crate::mechanisms::harness::interpret("mixed", MIXED, None, crate::mechanisms::harness::compiled_fma());
    assert_all("mixed", &mixed);
}
