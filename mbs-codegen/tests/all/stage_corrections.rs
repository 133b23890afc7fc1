//! Corrections of stages of implicit steps on every mechanism of `mechanisms/`, interpreted in every formulation: they solve the equations of
//! `Differentiable::correct_stage`, which are set up with derivatives of other kernels.

use std::fmt::Write as _;

use expect_test::expect;
use mbs_core::{
    Differentiable, Error, Mechanism, Sizes, StageCoefficients, StageRows, State, StateView, assemble, max_norm,
};
use mbs_interp::Interpreted;
use mbs_model::{Formulation, Kernels};

use crate::mechanisms::{LARGE, file, files, interpret, stem_of};

/// Coefficients s and p \[s\] of the stages.
const COEFFICIENTS: [[f64; 2]; 2] = [[0.003, 0.003], [0.017, 0.006]];

/// A stage, and the derivatives in its equations.
struct Stage<'m> {
    mechanism: &'m Interpreted,
    at: StateView<'m>,
    a: Vec<f64>,
    lambda: Vec<f64>,
    /// ∂(a, λ)/∂(q, v, z, u).
    motion: Vec<f64>,
    /// ∂(q̇, v̇, ż)/∂(q, v, z, u).
    rates: Vec<f64>,
}

impl<'m> Stage<'m> {
    fn new(mechanism: &'m Interpreted, at: StateView<'m>) -> Result<Self, Error> {
        let sizes = mechanism.sizes();
        let Sizes { n_v, n_c, n_z, n_u, .. } = sizes;
        let (mut a, mut lambda) = (vec![0.0; n_v], vec![0.0; n_c]);
        let mut motion = vec![0.0; (n_v + n_c) * (2 * n_v + n_z + n_u)];
        let mut rates = vec![0.0; sizes.n_x() * (sizes.n_x() + n_u)];
        mechanism.acceleration_jacobian(at, &mut a, &mut lambda, &mut motion)?;
        mechanism.state_jacobian(at, &mut rates)?;
        Ok(Stage { mechanism, at, a, lambda, motion, rates })
    }

    /// Rates of coordinates N δ for speeds δ.
    fn coordinate_displacement(&self, delta: &[f64]) -> Vec<f64> {
        let mut rates = vec![0.0; self.at.q.len()];
        self.mechanism.coordinate_rates(self.at.t, self.at.q, delta, &mut rates);
        rates
    }

    /// (N⁺ ∂(N v)/∂q N δθ, changes of a, changes of ż) for a displacement δθ and changes of speeds and auxiliary states.
    fn changes(&self, [displacement, speeds, auxiliary]: [&[f64]; 3]) -> [Vec<f64>; 3] {
        let sizes = self.mechanism.sizes();
        let Sizes { n_q, n_v, n_z, n_u, .. } = sizes;
        let width = sizes.n_x() + n_u;
        let raw = [&self.coordinate_displacement(displacement), speeds, auxiliary].concat();
        let fixed_speeds = [&raw[..n_q], &vec![0.0; n_v + n_z]].concat();
        let row = |i: usize, x: &[f64]| -> f64 {
            self.rates[i * width..].iter().zip(x).map(|(derivative, x)| derivative * x).sum()
        };
        let rates: Vec<f64> = (0..n_q).map(|i| row(i, &fixed_speeds)).collect();
        let mut transitivity = vec![0.0; n_v];
        self.mechanism.speeds_of_rates(self.at.t, self.at.q, &rates, &mut transitivity);
        let direction = [displacement, speeds, auxiliary].concat();
        let motion = self.motion.chunks_exact(2 * n_v + n_z + n_u).take(n_v);
        let accelerations =
            motion.map(|derivatives| derivatives.iter().zip(&direction).map(|(derivative, x)| derivative * x).sum());
        let auxiliary = (n_q + n_v..sizes.n_x()).map(|i| row(i, &raw)).collect();
        [transitivity, accelerations.collect(), auxiliary]
    }

    fn correct(&self, [s, p]: [f64; 2], rows: StageRows, residual: &[f64]) -> Result<Vec<f64>, Error> {
        let mut found = residual.to_vec();
        let coefficients = StageCoefficients { speeds: s, coordinates: p, rows };
        self.mechanism.correct_stage(self.at, (&self.a, &self.lambda), coefficients, &mut found)?;
        Ok(found)
    }

    /// Largest residual of δv − r_v − s δa, δz − r_z − s δż, δθ − d − p (δv + N⁺ ∂(N v)/∂q N δθ), relative to corrections.
    fn largest_residual(&self, [s, p]: [f64; 2], residual: &[f64], found: &[f64]) -> f64 {
        let n = self.at.v.len();
        let split = |x: &[f64]| [x[..n].to_vec(), x[n..2 * n].to_vec(), x[2 * n..].to_vec()];
        let ([d, r_v, r_z], [displacement, speeds, auxiliary]) = (split(residual), split(found));
        let [transitivity, accelerations, rates] = self.changes([&displacement, &speeds, &auxiliary]);
        let mut residuals = Vec::new();
        residuals.extend((0..n).map(|i| displacement[i] - d[i] - p * (speeds[i] + transitivity[i])));
        residuals.extend((0..n).map(|i| speeds[i] - r_v[i] - s * accelerations[i]));
        residuals.extend((0..r_z.len()).map(|i| auxiliary[i] - r_z[i] - s * rates[i]));
        max_norm(&residuals) / max_norm(found)
    }
}

impl Stage<'_> {
    /// Largest residual of the rows where they constrain states: G δv of position rows, G (δv − r_v) + ψ_q δθ of velocity rows by central
    /// differences, relative to corrections.
    fn largest_row_residual(&self, residual: &[f64], found: &[f64]) -> f64 {
        let (m, sizes, n) = (self.mechanism, self.mechanism.sizes(), self.at.v.len());
        let psi = |q: &[f64], v: &[f64]| {
            let mut psi = vec![0.0; sizes.n_velocity];
            m.velocity_residuals(StateView { q, v, ..self.at }, &mut psi);
            psi
        };
        let shifted = |s: f64, direction: &[f64]| -> Vec<f64> {
            self.at.v.iter().zip(direction).map(|(v, x)| v + s * x).collect()
        };
        let jacobian_product = |x: &[f64]| -> Vec<f64> {
            let [ahead, behind] = [1e-6, -1e-6].map(|s| psi(self.at.q, &shifted(s, x)));
            ahead.iter().zip(behind).map(|(a, b)| (a - b) / 2e-6).collect()
        };
        let displacement = self.coordinate_displacement(&found[..n]);
        let size = max_norm(&displacement).max(1.0);
        let [ahead, behind] = [1e-5 / size, -1e-5 / size].map(|s| {
            let q: Vec<f64> = self.at.q.iter().zip(&displacement).map(|(q, x)| q + s * x).collect();
            psi(&q, self.at.v)
        });
        let rest: Vec<f64> = found[n..2 * n].iter().zip(&residual[n..2 * n]).map(|(x, r)| x - r).collect();
        let (product, rest) = (jacobian_product(&found[n..2 * n]), jacobian_product(&rest));
        let residuals = (0..sizes.n_velocity).map(|r| match r < sizes.n_position {
            true => product[r],
            false => rest[r] + size * (ahead[r] - behind[r]) / 2e-5,
        });
        residuals.fold(0.0, |most: f64, x| most.max(x.abs())) / max_norm(found)
    }
}

/// Residuals for a correction, without those of discrete states. The equations make residuals of positions and speeds admissible.
fn residual(sizes: &Sizes) -> Vec<f64> {
    let n_z = sizes.n_z - sizes.n_discrete;
    let all = (0..2 * sizes.n_v + sizes.n_z).map(|i| (1.1 + 1.7 * i as f64).sin());
    all.enumerate().map(|(i, x)| if i < 2 * sizes.n_v + n_z { x } else { 0.0 }).collect()
}

#[test]
fn corrections_cost_as_recorded() {
    let mut table = String::new();
    for (name, formulation) in [
        ("four_bar", Formulation::Natural),
        ("four_bar", Formulation::Joint),
        ("andrews", Formulation::Natural),
        ("andrews", Formulation::Joint),
        ("spatial_arm", Formulation::Joint),
    ] {
        let kernels = Kernels { steps: true, ..Kernels::default() };
        let mechanism = interpret(&file(name), Some(formulation), kernels).expect("it compiles");
        let [alone, derivatives, stage] = ["accelerations", "derivatives", "stage_correction"]
            .map(|kernel| mechanism.compiled().function(kernel).expect("it was requested").counts.operations);
        let _ = writeln!(
            table,
            "{name}, {formulation:?}: {stage} operations, accelerations {alone}, derivatives {derivatives}"
        );
    }
    expect![[r#"
        four_bar, Natural: 288 operations, accelerations 125, derivatives 466
        four_bar, Joint: 284 operations, accelerations 114, derivatives 344
        andrews, Natural: 896 operations, accelerations 415, derivatives 2429
        andrews, Joint: 880 operations, accelerations 399, derivatives 1798
        spatial_arm, Joint: 914 operations, accelerations 367, derivatives 1001
    "#]]
    .assert_eq(&table);
}

#[test]
fn corrections_solve_the_equations_of_a_stage_in_body_coordinates() {
    assert_solved(Formulation::Body);
}

#[test]
fn corrections_solve_the_equations_of_a_stage_in_joint_coordinates() {
    assert_solved(Formulation::Joint);
}

#[test]
fn corrections_solve_the_equations_of_a_stage_in_natural_coordinates() {
    assert_solved(Formulation::Natural);
}

/// Checks every mechanism in a formulation; formulations are separate tests, which run in parallel.
fn assert_solved(formulation: Formulation) {
    let mut known = 0;
    for path in files() {
        if formulation != Formulation::Joint && LARGE.contains(&&stem_of(&path)[..]) {
            continue;
        }
        let name = format!("{}, {formulation:?}", stem_of(&path));
        let kernels = Kernels { steps: true, ..Kernels::default() };
        let Some(mechanism) = interpret(&path, Some(formulation), kernels) else { continue };
        let mut start = State::new(&mechanism);
        if assemble(&mechanism, &mut start).is_err() {
            continue;
        }
        let u: Vec<f64> = (0..mechanism.sizes().n_u).map(|i| 0.5 + 0.3 * i as f64).collect();
        let Ok(stage) = Stage::new(&mechanism, start.view(&u)) else { continue };
        let residual = residual(&mechanism.sizes());
        for coefficients in COEFFICIENTS {
            let found = stage.correct(coefficients, StageRows::Accelerations, &residual);
            let found = found.unwrap_or_else(|error| panic!("{name}: {error}"));
            let miss = stage.largest_residual(coefficients, &residual, &found);
            println!("{name}: {miss:.1e}");
            assert!(miss < 1e-11, "{name}: {miss:.1e} of corrections {found:?}");
            let found = stage.correct(coefficients, StageRows::States, &residual);
            let error = stage.largest_row_residual(&residual, &found.unwrap_or_else(|error| panic!("{name}: {error}")));
            println!("{name}: {error:.1e} of rows");
            assert!(error < 1e-6, "{name}: {error:.1e} of rows");
        }
        known += 1;
    }
    println!("{known}");
    assert!(known > 40, "{known}");
}
