//! Products with M, M⁻¹, G and Gᵀ, and the projection onto admissible motions, against the matrices, of every mechanism in both
//! formulations: interpreted, in the engine, and through the methods of generated types.

use mbs::{Error, Mechanism};
use mbs_compiler::compile::Options;
use mbs_compiler::interp::{Fma, Inputs};
use mbs_engine::Engine;
use mbs_interp::Interpreted;
use mbs_model::{Formulation, Kernels};

use crate::mechanisms::harness::{OwnedState, Random, dot, for_each_consistent_state, size, times, transposed_times};
use crate::tiers::is_in_turn;

/// States per mechanism and formulation.
const STATES: usize = 2;

/// 1e-12 of the size of the terms: sums of some hundred products.
const TOLERANCE: f64 = 1e-12;

/// Operators of a compiled mechanism or of the engine.
trait Operators: Mechanism {
    fn mass(&self, at: &OwnedState) -> Vec<f64>;
    fn rows(&self, at: &OwnedState) -> Vec<f64>;
    fn times_mass(&self, at: &OwnedState, x: &[f64]) -> Vec<f64>;
    fn times_inverse_mass(&self, at: &OwnedState, f: &[f64]) -> Result<Vec<f64>, usize>;
    fn times_jacobian(&self, at: &OwnedState, x: &[f64]) -> Vec<f64>;
    fn times_transposed_jacobian(&self, at: &OwnedState, lambda: &[f64]) -> Vec<f64>;
    fn projected(&self, at: &OwnedState, x: &[f64]) -> Result<Vec<f64>, usize>;
}

fn of_position(at: &OwnedState) -> Inputs<'_> {
    Inputs { t: at.t, q: &at.q, z: &at.z, ..Inputs::default() }
}

fn first(interpreted: &Interpreted, kernel: &str, inputs: Inputs<'_>) -> Result<Vec<f64>, usize> {
    interpreted.run(kernel, inputs).map(|outputs| outputs.into_iter().next().unwrap_or_default())
}

impl Operators for Interpreted {
    fn mass(&self, at: &OwnedState) -> Vec<f64> {
        self.mass_matrix(at.view())
    }

    fn rows(&self, at: &OwnedState) -> Vec<f64> {
        self.constraint_jacobian(at.view())
    }

    fn times_mass(&self, at: &OwnedState, x: &[f64]) -> Vec<f64> {
        first(self, "multiply_by_mass_matrix", Inputs { a: x, ..of_position(at) }).expect("it cannot fail")
    }

    fn times_inverse_mass(&self, at: &OwnedState, f: &[f64]) -> Result<Vec<f64>, usize> {
        if self.compiled().function("multiply_by_inverse_mass_matrix").is_some() {
            return first(self, "multiply_by_inverse_mass_matrix", Inputs { f, ..of_position(at) });
        }
        let mut x = vec![0.0; f.len()];
        self.solve(at.view(), f, &[], &mut x, &mut []).map_err(|error| row_of(&error))?;
        Ok(x)
    }

    fn times_jacobian(&self, at: &OwnedState, x: &[f64]) -> Vec<f64> {
        first(self, "multiply_by_constraint_jacobian", Inputs { a: x, ..of_position(at) }).expect("it cannot fail")
    }

    fn times_transposed_jacobian(&self, at: &OwnedState, lambda: &[f64]) -> Vec<f64> {
        let kernel = "multiply_by_constraint_jacobian_transpose";
        match self.compiled().function(kernel) {
            Some(_) => first(self, kernel, Inputs { lambda, ..of_position(at) }).expect("it cannot fail"),
            None => vec![0.0; self.sizes().n_v],
        }
    }

    fn projected(&self, at: &OwnedState, x: &[f64]) -> Result<Vec<f64>, usize> {
        if self.compiled().function("project_speeds").is_none() {
            return Ok(x.to_vec());
        }
        let slots = self.run("position", of_position(at))?.pop().unwrap_or_default();
        first(self, "project_speeds", Inputs { a: x, position: &slots, ..of_position(at) })
    }
}

impl Operators for Engine {
    fn mass(&self, at: &OwnedState) -> Vec<f64> {
        let n = self.sizes().n_v;
        let mut mass = vec![0.0; n * n];
        self.mass_matrix(at.view(), &mut mass);
        mass
    }

    fn rows(&self, at: &OwnedState) -> Vec<f64> {
        let mut jacobian = vec![0.0; self.sizes().n_c * self.sizes().n_v];
        Engine::constraint_jacobian(self, at.view(), &mut jacobian);
        jacobian
    }

    fn times_mass(&self, at: &OwnedState, x: &[f64]) -> Vec<f64> {
        let mut product = vec![0.0; x.len()];
        self.multiply_by_mass_matrix(at.view(), x, &mut product);
        product
    }

    fn times_inverse_mass(&self, at: &OwnedState, f: &[f64]) -> Result<Vec<f64>, usize> {
        let mut product = vec![0.0; f.len()];
        self.multiply_by_inverse_mass_matrix(at.view(), f, &mut product).map_err(|error| row_of(&error))?;
        Ok(product)
    }

    fn times_jacobian(&self, at: &OwnedState, x: &[f64]) -> Vec<f64> {
        let mut product = vec![0.0; self.sizes().n_c];
        self.multiply_by_constraint_jacobian(at.view(), x, &mut product);
        product
    }

    fn times_transposed_jacobian(&self, at: &OwnedState, lambda: &[f64]) -> Vec<f64> {
        let mut forces = vec![0.0; self.sizes().n_v];
        self.multiply_by_constraint_jacobian_transpose(at.view(), lambda, &mut forces);
        forces
    }

    fn projected(&self, at: &OwnedState, x: &[f64]) -> Result<Vec<f64>, usize> {
        let mut projected = vec![0.0; x.len()];
        self.project_speeds(at.view(), x, &mut projected).map_err(|error| row_of(&error))?;
        Ok(projected)
    }
}

fn row_of(error: &Error) -> usize {
    match error {
        Error::Singular { row, .. } => *row,
        other => panic!("{other}"),
    }
}

fn assert_close(label: &str, got: &[f64], expected: &[f64], scale: f64) {
    assert_eq!(got.len(), expected.len(), "{label}");
    for (i, (got, expected)) in got.iter().zip(expected).enumerate() {
        assert!((got - expected).abs() <= TOLERANCE * scale, "{label}: component {i} is {got}, not {expected}");
    }
}

/// Checks every product against its matrix; returns whether M alone is regular.
fn check<M: Operators>(label: &str, mechanism: &M, at: &OwnedState, random: &mut Random) -> bool {
    let (n, n_c) = (mechanism.sizes().n_v, mechanism.sizes().n_c);
    let (mass, rows) = (mechanism.mass(at), mechanism.rows(at));
    let (x, lambda) = (random.vector(n, 2.0), random.vector(n_c, 2.0));
    let terms = size(&mass) * n as f64;
    assert_close(&format!("M x of {label}"), &mechanism.times_mass(at, &x), &times(&mass, &x), terms);
    let terms = size(&rows) * n as f64;
    let expected = if n_c == 0 { Vec::new() } else { times(&rows, &x) };
    assert_close(&format!("G x of {label}"), &mechanism.times_jacobian(at, &x), &expected, terms);
    let expected = transposed_times(&rows, n, &lambda);
    let forces = mechanism.times_transposed_jacobian(at, &lambda);
    assert_close(&format!("transposed G of {label}"), &forces, &expected, terms);
    project(label, mechanism, at, [&mass, &rows], random);
    // M (M⁻¹ f) = f to roundings of the terms of the product, as for a backward stable solution.
    let f = random.vector(n, 2.0);
    let Ok(solution) = mechanism.times_inverse_mass(at, &f) else { return false };
    let terms = size(&mass) * size(&solution) * n as f64 + size(&f);
    assert_close(&format!("M (M⁻¹ f) of {label}"), &mechanism.times_mass(at, &solution), &f, terms);
    true
}

/// Checks for mechanisms with mass that G P = 0, P P = P, and that (1 − P) x is orthogonal to admissible motions in the metric M.
fn project<M: Operators>(label: &str, mechanism: &M, at: &OwnedState, [mass, rows]: [&[f64]; 2], random: &mut Random) {
    let n = mechanism.sizes().n_v;
    let (x, y) = (random.vector(n, 2.0), random.vector(n, 2.0));
    let [Ok(px), Ok(py)] = [&x, &y].map(|x| mechanism.projected(at, x)) else {
        panic!("{label}: the state is regular: {at:?}");
    };
    // 1e-9 covers nearly dependent rows and pivots of motions with little mass.
    let near = |quantity: &str, x: f64, scale: f64| {
        assert!(x.abs() <= 1e-9 * scale, "{quantity} of {label} leaves {x:e} of {scale:e}");
    };
    if mechanism.sizes().n_c > 0 {
        let left = size(&times(rows, &px));
        near("G P x", left, size(rows) * (size(&x) + size(&px)));
    }
    let again = mechanism.projected(at, &px).expect("it was regular before");
    let beyond = again.iter().zip(&px).fold(0.0_f64, |most, (a, b)| most.max((a - b).abs()));
    near("P P x − P x", beyond, size(&x) + size(&px));
    let away: Vec<f64> = x.iter().zip(&px).map(|(x, p)| x - p).collect();
    near("(x − P x)ᵀ M P y", dot(&times(mass, &away), &py), size(mass) * (size(&away) + 1.0) * (size(&py) + 1.0));
}

const KERNELS: Kernels = Kernels { forward: true, kinematics: true, operators: true, ..Kernels::NONE };

/// Checks products of the compiler and of the engine at equal states; both find M singular for the same mechanisms.
fn check_all(formulation: Formulation) {
    for path in crate::mechanisms::harness::files() {
        let stem = crate::mechanisms::harness::stem_of(&path);
        if !is_in_turn(&stem, usize::from(formulation == Formulation::Joint), 2) {
            continue;
        }
        let label = format!("{stem} ({formulation:?})");
        let text = std::fs::read_to_string(&path).expect("the file is readable");
        let options = Options { formulation: Some(formulation), kernels: Some(KERNELS), ..Options::default() };
        let interpreted = crate::mechanisms::harness::interpret_with(&stem, &text, options, Fma::Plain);
        let engine = crate::mechanisms::harness::engine(&stem, formulation);
        for_each_consistent_state(&label, &interpreted, STATES, |k, at| {
            let mut random = Random::new(k as u128 + 11);
            if interpreted.jacobian_reads_speeds() {
                // If G depends on speeds, generated position stages have no products with it.
                check(&format!("{label} in the engine"), &engine, at, &mut random);
                return;
            }
            let regular = check(&label, &interpreted, at, &mut random);
            let by_engine = check(&format!("{label} in the engine"), &engine, at, &mut random);
            assert_eq!(regular, by_engine, "{label}: whether M is regular");
        });
    }
}

#[test]
fn products_in_body_coordinates_are_those_of_the_matrices() {
    check_all(Formulation::Body);
}

#[test]
fn products_in_joint_coordinates_are_those_of_the_matrices() {
    check_all(Formulation::Joint);
}
