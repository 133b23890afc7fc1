//! The laws: one function each, which says the largest relative error, or what is violated.

mod differences;
mod equations;
mod formulations;
mod jets;
mod power;
mod sides;
mod start;

pub use differences::derivatives_are_differences;
pub use equations::{accelerations_solve_their_equations, mass_is_definite, solves_solve_their_equations};
pub use formulations::formulations_accelerate_alike;
pub use jets::{equations_are_those_of_series, reports_are_those_of_series};
pub use power::loads_account_for_energy;
pub use sides::{Compared, Side, sides_agree};
pub use start::declared_poses_are_assembled;

use mbs_codegen::Interpreted;
use mbs_codegen::interp::Inputs;
use mbs_core::Mechanism;

use crate::matrix::{inverse, size};
use crate::state::At;

/// A function's only output.
pub(crate) fn run(interpreted: &Interpreted, name: &str, at: &At) -> Vec<f64> {
    interpreted.run(name, inputs(at)).ok().and_then(|outputs| outputs.into_iter().next()).unwrap_or_default()
}

pub(crate) fn inputs(at: &At) -> Inputs<'_> {
    Inputs { t: at.t, q: &at.q, v: &at.v, z: &at.z, u: &at.u, ..Inputs::default() }
}

/// a and λ; `None` at singular states.
pub(crate) fn accelerations<M: Mechanism>(mechanism: &M, at: &At) -> Option<(Vec<f64>, Vec<f64>)> {
    let sizes = mechanism.sizes();
    let (mut a, mut lambda) = (vec![0.0; sizes.n_v], vec![0.0; sizes.n_c]);
    mechanism.accelerations(at.view(), &mut a, &mut lambda).ok()?;
    Some((a, lambda))
}

/// How much a solution of [M Gᵀ; G 0] x = b moves, component by component, when every entry of the matrix and of b moves by a
/// fraction of itself: |K⁻¹| (|K| |x| + |b|), in units of that fraction. `right` is the magnitude of the terms of b. Infinite
/// where K is singular.
///
/// Two floors stand for the static order of elimination, masses first: accelerations that rows hold are differences of M⁻¹ Q and
/// M⁻¹ Gᵀ λ; a multiplier of zero is zero beside the loads of the mechanism, and beside those of a typical mass, which massless
/// motions are given while they are eliminated.
///
/// # Source
/// Skeel (1979), Scaling for numerical stability in Gaussian elimination, J. ACM 26: the condition of x.
pub(crate) fn condition(mass: &[f64], jacobian: &[f64], right: &[f64], x: &[f64]) -> Vec<f64> {
    let n = x.len();
    let n_v = (mass.len() as f64).sqrt().round() as usize;
    let mut k = vec![0.0; n * n];
    for i in 0..n_v {
        k[i * n..i * n + n_v].copy_from_slice(&mass[i * n_v..(i + 1) * n_v]);
    }
    for r in 0..n - n_v {
        for j in 0..n_v {
            k[(n_v + r) * n + j] = jacobian[r * n_v + j];
            k[j * n + n_v + r] = jacobian[r * n_v + j];
        }
    }
    let Some(inverse) = inverse(&k, n) else { return vec![f64::INFINITY; n] };
    let terms = |i: usize| (0..n).map(|j| (k[i * n + j] * x[j]).abs()).sum::<f64>() + right[i].abs();
    let terms: Vec<f64> = (0..n).map(terms).collect();
    let free =
        (0..n_v).filter(|i| mass[i * (n_v + 1)] > 0.0).map(|i| terms[i] / mass[i * (n_v + 1)]).fold(0.0, f64::max);
    let masses: Vec<f64> = (0..n_v).map(|i| mass[i * (n_v + 1)]).filter(|m| *m > 0.0).collect();
    let typical = if masses.is_empty() { 1.0 } else { masses.iter().sum::<f64>() / masses.len() as f64 };
    let load = size(&terms[..n_v]).max(typical * size(&x[..n_v]));
    let floor = |i: usize| match i.checked_sub(n_v) {
        None => free,
        Some(r) => load / size(&jacobian[r * n_v..(r + 1) * n_v]),
    };
    let moved = |i: usize| (0..n).map(|j| inverse[i * n + j].abs() * terms[j]).sum::<f64>();
    (0..n).map(|i| moved(i).max(floor(i))).collect()
}

/// Magnitudes of the terms of Q and γ: M and G times squares of speeds beside the values. Speeds count as no less than 1: of
/// speeds that constraints hold at zero a projection leaves the roundings of speeds of order one.
pub(crate) fn right_side(mass: &[f64], jacobian: &[f64], forces: &[f64], gamma: &[f64], v: &[f64]) -> Vec<f64> {
    let n = v.len();
    let square = size(v).max(1.0).powi(2);
    let of = |matrix: &[f64], i: usize, x: f64| x.abs().max(size(&matrix[i * n..(i + 1) * n]) * square);
    let forces = forces.iter().enumerate().map(|(i, x)| of(mass, i, *x));
    forces.chain(gamma.iter().enumerate().map(|(i, x)| of(jacobian, i, *x))).collect()
}
