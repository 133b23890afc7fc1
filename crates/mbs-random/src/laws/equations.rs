//! Accelerations and solutions against M, G, Q and γ; definiteness of the mass matrix on admissible motions.

use mbs_compiler::interp::Inputs;
use mbs_core::Mechanism;
use mbs_interp::Interpreted;

use super::{accelerations, condition, inputs, right_side, run, values_of_active_rows};
use crate::ledger::{Ledger, Violation};
use crate::matrix::{kernel, least_eigenvalue, restricted, size, times, transposed_times};
use crate::state::{OwnedState, Random};

/// In units of [`condition`], the growth of the rounding of each entry and of each term of the elimination: thousands of roundings.
const TOLERANCE: f64 = 1e-12;

/// M a + Gᵀ λ = Q and G a = γ, where the mechanism has the mass that it needs.
///
/// # Errors
/// The violation, if an equation does not hold.
pub fn accelerations_solve_their_equations(interpreted: &Interpreted, states: &[OwnedState]) -> Result<f64, Violation> {
    let mut ledger = Ledger::new("accelerations solve their equations", TOLERANCE);
    if !interpreted.compiled().checked.solvable {
        return Ok(0.0);
    }
    for at in states {
        let Some((a, lambda)) = accelerations(interpreted, at) else { continue };
        let (mass, jacobian) = (run(interpreted, "mass_matrix", at), run(interpreted, "constraint_jacobian", at));
        let (forces, gamma) = (run(interpreted, "generalized_forces", at), run(interpreted, "gamma", at));
        let terms = right_side(&mass, &jacobian, &forces, &gamma, &at.v);
        record_residuals(interpreted, &mut ledger, at, [&a, &lambda], [&forces, &gamma], &terms);
    }
    ledger.settle()
}

/// The stages, which are compiled together and share values, return the accelerations and multipliers of the function that is compiled alone.
///
/// # Errors
/// The violation, if they differ.
pub fn stages_accelerate_alike(interpreted: &Interpreted, states: &[OwnedState]) -> Result<f64, Violation> {
    let mut ledger = Ledger::new("stages accelerate alike", TOLERANCE);
    if !interpreted.compiled().checked.solvable {
        return Ok(0.0);
    }
    for at in states {
        let at_once = interpreted.run("accelerations", inputs(at));
        let (Ok(at_once), Ok(position)) = (at_once, interpreted.run("position", inputs(at))) else { continue };
        let position = position.concat();
        let velocity = interpreted.run("velocity", Inputs { position: &position, ..inputs(at) });
        let velocity = velocity.unwrap_or_default().concat();
        let staged = Inputs { position: &position, velocity: &velocity, ..inputs(at) };
        let staged = interpreted.run("accelerate", staged).unwrap_or_default().concat();
        let (mass, jacobian) = (run(interpreted, "mass_matrix", at), run(interpreted, "constraint_jacobian", at));
        let (forces, gamma) = (run(interpreted, "generalized_forces", at), run(interpreted, "gamma", at));
        let terms = right_side(&mass, &jacobian, &forces, &gamma, &at.v);
        let expected = at_once.concat();
        let moved = condition(&mass, &jacobian, &terms, &expected);
        for (i, ((got, expected), moved)) in staged.iter().zip(&expected).zip(moved).enumerate() {
            ledger.record(&format!("a, lambda [{i}]"), *got, *expected, moved, at);
        }
    }
    ledger.settle()
}

/// M x + Gᵀ μ = f and G x = g for random f and g, where the mechanism has the mass that it needs.
///
/// # Errors
/// The violation, if an equation does not hold.
pub fn solves_solve_their_equations(interpreted: &Interpreted, states: &[OwnedState]) -> Result<f64, Violation> {
    let mut ledger = Ledger::new("solves solve their equations", TOLERANCE);
    let sizes = interpreted.sizes();
    if !interpreted.compiled().checked.solvable {
        return Ok(0.0);
    }
    for (k, at) in states.iter().enumerate() {
        let mut random = Random::new(k as u128);
        let (f, g) = (random.vector(sizes.n_v, 2.0), random.vector(sizes.n_c, 2.0));
        // The right side of a row that is off is zero.
        let g = values_of_active_rows(&run(interpreted, "constraint_jacobian", at), sizes.n_v, &g);
        let (mut x, mut mu) = (vec![0.0; sizes.n_v], vec![0.0; sizes.n_c]);
        if interpreted.solve(at.view(), &f, &g, &mut x, &mut mu).is_ok() {
            record_residuals(interpreted, &mut ledger, at, [&x, &mu], [&f, &g], &[&f[..], &g].concat());
        }
    }
    ledger.settle()
}

/// Records the residuals of a solution; `terms` are the magnitudes of the terms of the right sides.
fn record_residuals(
    interpreted: &Interpreted,
    ledger: &mut Ledger,
    at: &OwnedState,
    [x, mu]: [&[f64]; 2],
    [f, g]: [&[f64]; 2],
    terms: &[f64],
) {
    let (mass, jacobian) = (run(interpreted, "mass_matrix", at), run(interpreted, "constraint_jacobian", at));
    let (inertial, constraining) = (times(&mass, x), transposed_times(&jacobian, x.len(), mu));
    // Change of the solution by a rounding of every entry, multiplied by the entries.
    let moved = condition(&mass, &jacobian, terms, &[x, mu].concat());
    let (x_moved, mu_moved) = (size(&moved[..x.len()]), size(&moved[x.len()..]));
    let weight = size(&mass).max(interpreted.compiled().checked.mass_scale);
    let floor = size(&terms[..x.len()]).max(weight * x_moved).max(size(&jacobian) * mu_moved);
    for i in 0..x.len() {
        ledger.record("M x + G^T mu", inertial[i] + constraining[i], f[i], floor, at);
    }
    ledger.record_all("G x", &times(&jacobian, x), g, size(&jacobian) * x_moved, at);
}

/// M is symmetric to the bit, and positive definite on ker G where G has full rank.
///
/// # Errors
/// The violation, if it is not.
pub fn mass_is_definite(interpreted: &Interpreted, states: &[OwnedState]) -> Result<f64, Violation> {
    const LAW: &str = "mass is definite on admissible motions";
    for at in states {
        let n = at.v.len();
        let mass = run(interpreted, "mass_matrix", at);
        for (i, j) in (0..n * n).map(|k| (k / n, k % n)) {
            let (above, below) = (mass[i * n + j], mass[j * n + i]);
            if above.to_bits() != below.to_bits() {
                return Err(Violation::new(LAW, format!("M[{i}, {j}] is {above:e} and {below:e} at {at:?}")));
            }
        }
        let least = least_eigenvalue(restricted(&mass, &kernel(&run(interpreted, "constraint_jacobian", at), n)));
        // Allows for rounding in the kernel: near a singular pose the mass of a motion nearly vanishes, and the eigenvalue is close to zero.
        if !(least >= -1e-12 * size(&mass)) {
            return Err(Violation::new(LAW, format!("eigenvalue {least:e} of {:e} at {at:?}", size(&mass))));
        }
    }
    Ok(0.0)
}
