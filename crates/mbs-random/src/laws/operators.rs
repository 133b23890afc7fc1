//! Products of M, M⁻¹, G and Gᵀ with vectors, the projection onto admissible motions and inverse operational inertias, of the compiler and of the
//! engine, against the matrices.

use mbs_compiler::interp::Inputs;
use mbs_core::Mechanism;
use mbs_engine::Engine;
use mbs_interp::Interpreted;

use super::{condition, inputs, run, weight};
use crate::ledger::{Ledger, Violation};
use crate::matrix::{dot, least_eigenvalue, restricted, size, times, transposed_times, unit};
use crate::state::{OwnedState, Random};

const LAW: &str = "products are those of matrices";

/// Products: relative to their terms. Solutions: in units of [`condition`], the growth of the rounding of each entry and of each term of
/// the elimination.
const TOLERANCE: f64 = 1e-12;

/// Below this fraction of the largest entry of M, its least eigenvalue may be a rounding error.
const REGULAR: f64 = 1e-9;

/// Number of rows of the Jacobian whose inverse operational inertia is compared.
const DIRECTIONS: usize = 2;

/// Operators of a compiled mechanism or of the engine.
trait Products: Mechanism {
    /// M x.
    fn times_mass(&self, at: &OwnedState, x: &[f64]) -> Vec<f64>;
    /// M⁻¹ f; `None` where M is singular.
    fn times_inverse_mass(&self, at: &OwnedState, f: &[f64]) -> Option<Vec<f64>>;
    /// G x.
    fn times_jacobian(&self, at: &OwnedState, x: &[f64]) -> Vec<f64>;
    /// Gᵀ λ.
    fn times_transposed_jacobian(&self, at: &OwnedState, lambda: &[f64]) -> Vec<f64>;
    /// P x; `None` at singular states.
    fn projected(&self, at: &OwnedState, x: &[f64]) -> Option<Vec<f64>>;
}

/// The only output of a kernel; `None` where a pivot vanishes.
fn product(interpreted: &Interpreted, kernel: &str, inputs: Inputs<'_>) -> Option<Vec<f64>> {
    interpreted.run(kernel, inputs).ok().map(|outputs| outputs.into_iter().next().unwrap_or_default())
}

impl Products for Interpreted {
    fn times_mass(&self, at: &OwnedState, x: &[f64]) -> Vec<f64> {
        product(self, "multiply_by_mass_matrix", Inputs { a: x, ..inputs(at) }).unwrap_or_default()
    }

    fn times_inverse_mass(&self, at: &OwnedState, f: &[f64]) -> Option<Vec<f64>> {
        let kernel = "multiply_by_inverse_mass_matrix";
        if self.compiled().function(kernel).is_some() {
            return product(self, kernel, Inputs { f, ..inputs(at) });
        }
        // Without rows, `solve` applies M⁻¹.
        let mut x = vec![0.0; f.len()];
        self.solve(at.view(), f, &[], &mut x, &mut []).ok().map(|()| x)
    }

    fn times_jacobian(&self, at: &OwnedState, x: &[f64]) -> Vec<f64> {
        product(self, "multiply_by_constraint_jacobian", Inputs { a: x, ..inputs(at) }).unwrap_or_default()
    }

    fn times_transposed_jacobian(&self, at: &OwnedState, lambda: &[f64]) -> Vec<f64> {
        let kernel = "multiply_by_constraint_jacobian_transpose";
        product(self, kernel, Inputs { lambda, ..inputs(at) }).unwrap_or_default()
    }

    fn projected(&self, at: &OwnedState, x: &[f64]) -> Option<Vec<f64>> {
        let position = self.run("position", inputs(at)).ok()?.concat();
        product(self, "project_speeds", Inputs { a: x, position: &position, ..inputs(at) })
    }
}

impl Products for Engine {
    fn times_mass(&self, at: &OwnedState, x: &[f64]) -> Vec<f64> {
        let mut product = vec![f64::NAN; x.len()];
        self.multiply_by_mass_matrix(at.view(), x, &mut product);
        product
    }

    fn times_inverse_mass(&self, at: &OwnedState, f: &[f64]) -> Option<Vec<f64>> {
        let mut product = vec![f64::NAN; f.len()];
        self.multiply_by_inverse_mass_matrix(at.view(), f, &mut product).ok().map(|()| product)
    }

    fn times_jacobian(&self, at: &OwnedState, x: &[f64]) -> Vec<f64> {
        let mut product = vec![f64::NAN; self.sizes().n_c];
        self.multiply_by_constraint_jacobian(at.view(), x, &mut product);
        product
    }

    fn times_transposed_jacobian(&self, at: &OwnedState, lambda: &[f64]) -> Vec<f64> {
        let mut forces = vec![f64::NAN; self.sizes().n_v];
        self.multiply_by_constraint_jacobian_transpose(at.view(), lambda, &mut forces);
        forces
    }

    fn projected(&self, at: &OwnedState, x: &[f64]) -> Option<Vec<f64>> {
        let mut projected = vec![f64::NAN; x.len()];
        self.project_speeds(at.view(), x, &mut projected).ok().map(|()| projected)
    }
}

/// M, G and Q at a state, with random vectors to multiply.
struct Matrices {
    mass: Vec<f64>,
    jacobian: Vec<f64>,
    x: Vec<f64>,
    f: Vec<f64>,
    lambda: Vec<f64>,
}

/// Where `operators` are compiled, M x, G x, Gᵀ λ, M a − Q are those of the matrices, M (M⁻¹ f) = f, P x is admissible, and x − P x is
/// orthogonal to admissible motions in the metric M; the engine's products and inverse operational inertias likewise.
///
/// # Errors
/// The violation, if they are not.
pub fn products_are_those_of_matrices(
    interpreted: &Interpreted,
    engine: &Engine,
    states: &[OwnedState],
) -> Result<f64, Violation> {
    let mut ledger = Ledger::new(LAW, TOLERANCE);
    let compiled = interpreted.compiled();
    if compiled.function("multiply_by_mass_matrix").is_none() || !compiled.checked.solvable {
        return Ok(0.0);
    }
    let sizes = interpreted.sizes();
    for (k, at) in states.iter().enumerate() {
        let mut random = Random::new(k as u128 + 11);
        let [mass, jacobian] = ["mass_matrix", "constraint_jacobian"].map(|name| run(interpreted, name, at));
        let [x, f, lambda] = [sizes.n_v, sizes.n_v, sizes.n_c].map(|n| random.vector(n, 2.0));
        let matrices = Matrices { mass, jacobian, x, f, lambda };
        let with_rows = !compiled.model.jacobian_reads_speeds() && sizes.n_c > 0;
        // Where G depends on speeds, the stages have no products with it.
        multiply("compiled", interpreted, at, &matrices, with_rows, &mut ledger)?;
        multiply("engine", engine, at, &matrices, sizes.n_c > 0, &mut ledger)?;
        if with_rows {
            project("compiled", interpreted, at, &matrices, &mut ledger);
        }
        project("engine", engine, at, &matrices, &mut ledger);
        inverse_dynamics(interpreted, at, &matrices, &mut ledger);
        operational_inertia(interpreted, engine, at, &matrices, &mut ledger);
    }
    ledger.settle()
}

fn multiply(
    side: &str,
    products: &impl Products,
    at: &OwnedState,
    matrices: &Matrices,
    with_rows: bool,
    ledger: &mut Ledger,
) -> Result<(), Violation> {
    let Matrices { mass, jacobian, x, f, lambda } = matrices;
    let floor = weight(mass) * size(x);
    ledger.record_all(&format!("M x, {side}"), &products.times_mass(at, x), &times(mass, x), floor, at);
    if with_rows {
        let floor = size(jacobian).max(1.0) * size(x);
        ledger.record_all(&format!("G x, {side}"), &products.times_jacobian(at, x), &times(jacobian, x), floor, at);
        let expected = transposed_times(jacobian, x.len(), lambda);
        let floor = size(jacobian).max(1.0) * size(lambda);
        ledger.record_all(
            &format!("G^T lambda, {side}"),
            &products.times_transposed_jacobian(at, lambda),
            &expected,
            floor,
            at,
        );
    }
    let basis: Vec<Vec<f64>> = (0..x.len()).map(|i| unit(x.len(), i)).collect();
    if !(least_eigenvalue(restricted(mass, &basis)) > REGULAR * weight(mass)) {
        return Ok(());
    }
    let Some(solution) = products.times_inverse_mass(at, f) else {
        return Err(Violation::new(LAW, format!("{side}: M is regular at {at:?}")));
    };
    let moved = condition(mass, &[], f, &solution);
    let floor = size(f).max(weight(mass) * size(&moved));
    ledger.record_all(&format!("M (M^-1 f), {side}"), &times(mass, &solution), f, floor, at);
    Ok(())
}

/// Error of a projected vector by rounding: K (y, μ) = (0, G x), P x = x − y.
fn moved_by_projection(matrices: &Matrices, x: &[f64], projected: &[f64]) -> f64 {
    let Matrices { mass, jacobian, .. } = matrices;
    let y: Vec<f64> = x.iter().zip(projected).map(|(x, p)| x - p).collect();
    let zeros = vec![0.0; x.len()];
    let right = [zeros, times(jacobian, x)].concat();
    // Multipliers balance inertia: Gᵀ μ = −M y, which changes as y does.
    let moved = condition(mass, jacobian, &right, &[y, vec![weight(mass); right.len() - x.len()]].concat());
    size(&moved[..x.len()]).max(size(x))
}

fn project(side: &str, products: &impl Products, at: &OwnedState, matrices: &Matrices, ledger: &mut Ledger) {
    let Matrices { mass, jacobian, x, f, .. } = matrices;
    let [Some(px), Some(pf)] = [x, f].map(|x| products.projected(at, x)) else { return };
    let moved = [(x, &px), (f, &pf)].map(|(x, p)| moved_by_projection(matrices, x, p)).into_iter().fold(0.0, f64::max);
    let left = if jacobian.is_empty() { Vec::new() } else { times(jacobian, &px) };
    let none = vec![0.0; left.len()];
    ledger.record_all(&format!("G P x, {side}"), &left, &none, size(jacobian) * moved, at);
    let away: Vec<f64> = x.iter().zip(&px).map(|(x, p)| x - p).collect();
    let work = dot(&times(mass, &away), &pf);
    ledger.record(&format!("(x - P x) M P y, {side}"), work, 0.0, weight(mass) * moved * moved, at);
}

/// M a − Q.
fn inverse_dynamics(interpreted: &Interpreted, at: &OwnedState, matrices: &Matrices, ledger: &mut Ledger) {
    let Matrices { mass, x, .. } = matrices;
    let loads = run(interpreted, "generalized_forces", at);
    let Some(got) = product(interpreted, "inverse_dynamics", Inputs { a: x, ..inputs(at) }) else { return };
    let expected: Vec<f64> = times(mass, x).iter().zip(&loads).map(|(m, q)| m - q).collect();
    let floor = (weight(mass) * size(x).max(size(&at.v).powi(2))).max(size(&loads));
    ledger.record_all("M a - Q", &got, &expected, floor, at);
}

/// Compares Λ⁻¹ of the engine, for a Jacobian with random rows, with the compiler's solutions.
fn operational_inertia(
    interpreted: &Interpreted,
    engine: &Engine,
    at: &OwnedState,
    matrices: &Matrices,
    ledger: &mut Ledger,
) {
    let Matrices { mass, jacobian, x, f, lambda } = matrices;
    let (n, directions) = (x.len(), [&x[..], f].concat());
    let mut got = vec![f64::NAN; DIRECTIONS * DIRECTIONS];
    if engine.inverse_operational_inertia(at.view(), &directions, &mut got).is_err() {
        return;
    }
    for (column, force) in directions.chunks_exact(n.max(1)).enumerate() {
        let (mut response, mut mu) = (vec![0.0; n], vec![0.0; lambda.len()]);
        if interpreted.solve(at.view(), force, &vec![0.0; lambda.len()], &mut response, &mut mu).is_err() {
            return;
        }
        let right = [force, &vec![0.0; lambda.len()]].concat();
        let moved = condition(mass, jacobian, &right, &[&response[..], &mu].concat());
        for (row, direction) in directions.chunks_exact(n.max(1)).enumerate() {
            let floor = size(direction) * size(&moved[..n]);
            let name = "inverse operational inertia";
            ledger.record(name, got[row * DIRECTIONS + column], dot(direction, &response), floor, at);
        }
    }
}
