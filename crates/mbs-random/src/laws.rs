//! The laws. Each is a function that returns the largest relative error, or the violation.

mod corrections;
mod differences;
mod equations;
mod events;
mod formulations;
mod hessians;
mod jets;
mod jumps;
mod momenta;
mod operators;
mod parts;
mod power;
mod reactions;
mod revolutions;
mod sides;
mod start;

pub use corrections::corrections_are_those_of_evaluations;
pub use differences::derivatives_are_differences;
pub use equations::{
    accelerations_solve_their_equations, mass_is_definite, solves_solve_their_equations, stages_accelerate_alike,
};
pub use events::events_are_those_of_series;
pub use formulations::{comparable_state_count, formulations_accelerate_alike, to_body};
pub use hessians::{contracted_hessians, hessians_are_derivatives_of_jacobians, hessians_are_those};
pub use jets::{equations_are_those_of_series, reports_are_those_of_series};
pub use momenta::momentum_rates_are_those_of_forces;
pub use operators::products_are_those_of_matrices;
pub use parts::parts_equal_their_contents;
pub use power::loads_account_for_energy;
pub use reactions::reactions_do_the_power_of_rows;
pub use revolutions::angles_count_revolutions;
pub use sides::{Compared, Side, sides_agree};
pub use start::declared_poses_are_assembled;

use mbs_compiler::interp::Inputs;
use mbs_core::{Item, Mechanism, Sizes};
use mbs_interp::Interpreted;

use crate::matrix::{dot, inverse, size, terms_of_elimination, times, transposed_times};
use crate::state::OwnedState;

/// All items of a mechanism that have names, except parameters.
pub fn items(s: Sizes) -> impl Iterator<Item = Item> {
    let kinds: [(usize, fn(usize) -> Item); 13] = [
        (1, |_| Item::Mechanism),
        (s.n_q, Item::Coordinate),
        (s.n_v, Item::Speed),
        (s.n_c, Item::Row),
        (s.n_z, Item::Auxiliary),
        (s.n_u, Item::Input),
        (s.n_outputs, Item::Output),
        (s.n_bodies, Item::Body),
        (s.n_markers, Item::Marker),
        (s.n_joints, Item::Joint),
        (s.n_forces, Item::Force),
        (s.n_conditions, Item::Condition),
        (s.n_events, Item::Event),
    ];
    kinds.into_iter().flat_map(|(n, item)| (0..n).map(item))
}

/// The first output of a compiled function.
pub(crate) fn run(interpreted: &Interpreted, name: &str, at: &OwnedState) -> Vec<f64> {
    interpreted.run(name, inputs(at)).ok().and_then(|outputs| outputs.into_iter().next()).unwrap_or_default()
}

pub(crate) fn inputs(at: &OwnedState) -> Inputs<'_> {
    Inputs { t: at.t, q: &at.q, v: &at.v, z: &at.z, u: &at.u, ..Inputs::default() }
}

/// a and λ; `None` at singular states.
pub fn accelerations<M: Mechanism>(mechanism: &M, at: &OwnedState) -> Option<(Vec<f64>, Vec<f64>)> {
    let sizes = mechanism.sizes();
    let (mut a, mut lambda) = (vec![0.0; sizes.n_v], vec![0.0; sizes.n_c]);
    mechanism.accelerations(at.view(), &mut a, &mut lambda).ok()?;
    Some((a, lambda))
}

/// Whether a row of G is zero: it is then switched off, and −λ = 0 replaces it.
pub(crate) fn is_off(jacobian: &[f64], n_v: usize, r: usize) -> bool {
    jacobian[r * n_v..(r + 1) * n_v].iter().all(|g| *g == 0.0)
}

/// Values of rows, zero for those that are off.
pub(crate) fn values_of_active_rows(jacobian: &[f64], n_v: usize, values: &[f64]) -> Vec<f64> {
    let on = |(r, x): (usize, &f64)| if is_off(jacobian, n_v, r) { 0.0 } else { *x };
    values.iter().enumerate().map(on).collect()
}

/// Fraction of the largest mass below which a mass is negligible.
const NEGLIGIBLE_MASS: f64 = 1e-4;

/// Change of each component of the solution of K x = [M Gᵀ; G 0] x = b by a relative change of every entry of K and of b:
/// |K⁻¹| (|K| |x| + |b|), in units of the relative change. `right` is the magnitude of the terms of b. Infinite where K is singular.
///
/// Two lower bounds account for the static order of elimination, masses first: constrained accelerations are differences of M⁻¹ Q and
/// M⁻¹ Gᵀ λ; a multiplier of zero is zero relative to the loads of the mechanism, and to the loads of the typical mass that massless motions
/// have during elimination. Where lengths differ by orders of magnitude, so do the terms of G M⁻¹ Gᵀ: see [`error_of_masses_first`].
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
        if is_off(jacobian, n_v, r) {
            k[(n_v + r) * (n + 1)] = -1.0;
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
        Some(r) if is_off(jacobian, n_v, r) => 0.0,
        Some(r) => load / size(&jacobian[r * n_v..(r + 1) * n_v]),
    };
    let moved = |i: usize| (0..n).map(|j| inverse[i * n + j].abs() * terms[j]).sum::<f64>();
    let eliminated = Weights::ALL.map(|weights| {
        let weights: Vec<f64> = jacobian.chunks(n_v.max(1)).map(|row| weights.row_weight(row, typical)).collect();
        error_of_masses_first(mass, jacobian, &weights, right, x)
    });
    // A speed with negligible mass relative to others may be eliminated after rows, as massless ones are.
    let lightest = masses.iter().copied().fold(f64::INFINITY, f64::min);
    let has_negligible_mass =
        lightest < NEGLIGIBLE_MASS * size(&masses) && eliminated.iter().all(|list| list.iter().all(|x| x.is_finite()));
    let eliminated = |i: usize| {
        let [none, exact, coarse] = [0, 1, 2].map(|k| eliminated[k][i]);
        let weighed = exact.max(coarse);
        if has_negligible_mass { none.max(weighed) } else { none.min(weighed) }
    };
    (0..n).map(|i| moved(i).max(floor(i)).max(eliminated(i))).collect()
}

/// Weights W of rows in M + Gᵀ W G, in which every speed has a mass.
#[derive(Clone, Copy)]
enum Weights {
    /// No weights: M alone.
    None,
    /// A typical mass divided by Σ g² of the row, as in the engine.
    Exact,
    /// As `Exact`, with Σ g² rounded to powers of 1024, as in the compiler.
    Coarse,
}

impl Weights {
    const ALL: [Weights; 3] = [Weights::None, Weights::Exact, Weights::Coarse];

    fn row_weight(self, row: &[f64], typical: f64) -> f64 {
        let square = dot(row, row);
        match self {
            _ if square == 0.0 => 0.0,
            Weights::None => 0.0,
            Weights::Exact => typical / square,
            Weights::Coarse => typical / 1024f64.powf((square.log2() / 10.0).round()),
        }
    }
}

/// Change of a solution by a relative change of every term of an elimination of speeds before rows, in units of the relative change. With
/// S = G M⁻¹ Gᵀ, F = |Gᵀ| |λ| + |f|, y = |M⁻¹| F, and E = |L| |D| |Lᵀ| of M and of S:
///
/// ```text
/// δλ = |S⁻¹| (|G| |M⁻¹| (F + E_M y) + |g| + E_S |λ|)        δa = |M⁻¹| (F + |Gᵀ| δλ + E_M y)
/// ```
///
/// M denotes M + Gᵀ W G, f denotes f + Gᵀ W g with the weights W of rows. Infinite where that is singular.
///
/// # Source
/// Higham (2002), Accuracy and Stability of Numerical Algorithms, theorem 10.3: solving by L D Lᵀ is solving with a matrix that is
/// |L| |D| |Lᵀ| round-offs away.
fn error_of_masses_first(mass: &[f64], jacobian: &[f64], w: &[f64], right: &[f64], x: &[f64]) -> Vec<f64> {
    let n = (mass.len() as f64).sqrt().round() as usize;
    let rows = x.len() - n;
    let product = |i: usize, j: usize| (0..rows).map(|r| w[r] * jacobian[r * n + i] * jacobian[r * n + j]).sum::<f64>();
    let augmented_mass: Vec<f64> = (0..n * n).map(|k| mass[k] + product(k / n, k % n)).collect();
    let infinite = vec![f64::INFINITY; x.len()];
    let Some(inverse_mass) = inverse(&augmented_mass, n) else { return infinite };
    let compliance = |i: usize, r: usize| dot(&inverse_mass[i * n..(i + 1) * n], &jacobian[r * n..(r + 1) * n]);
    let schur = |r: usize, s: usize| (0..n).map(|i| jacobian[r * n + i] * compliance(i, s)).sum::<f64>();
    let mut schur: Vec<f64> = (0..rows * rows).map(|k| schur(k / rows, k % rows)).collect();
    (0..rows).filter(|r| is_off(jacobian, n, *r)).for_each(|r| schur[r * (rows + 1)] = 1.0);
    let Some(inverse_schur) = inverse(&schur, rows) else { return infinite };
    let absolute = |list: &[f64]| list.iter().map(|x| x.abs()).collect::<Vec<_>>();
    let (g, m, s) = (absolute(jacobian), absolute(&inverse_mass), absolute(&inverse_schur));
    let (f, targets) = right.split_at(n);
    let loads = |lambda: &[f64]| -> Vec<f64> {
        let augmented: Vec<f64> = lambda.iter().zip(targets).zip(w).map(|((l, g), w)| l.abs() + w * g.abs()).collect();
        transposed_times(&g, n, &augmented).iter().zip(f).map(|(x, f)| x + f.abs()).collect()
    };
    let (Some(mass_terms), Some(schur_terms)) =
        (terms_of_elimination(&augmented_mass, n), terms_of_elimination(&schur, rows))
    else {
        return infinite;
    };
    let sum = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a + b.abs()).collect::<Vec<_>>();
    let applied = loads(&x[n..]);
    let mass_terms = times(&mass_terms, &times(&m, &applied));
    let schur_terms = times(&schur_terms, &absolute(&x[n..]));
    let right = sum(&times(&g, &times(&m, &sum(&applied, &mass_terms))), targets);
    let moved = times(&s, &sum(&right, &schur_terms));
    [times(&m, &sum(&loads(&sum(&moved, &x[n..])), &mass_terms)), moved].concat()
}

/// The largest entry of M, but at least 0.01: the entries of a body without inertia that only rotates about its centre of mass are rounding
/// errors.
pub(crate) fn weight(mass: &[f64]) -> f64 {
    size(mass).max(0.01)
}

/// Magnitudes of the terms of Q and γ: the values, or M and G times squared speeds where these are larger. Speeds count as at least 1:
/// where constraints imply zero speeds, a projection has rounding errors of speeds of order one.
pub(crate) fn right_side(mass: &[f64], jacobian: &[f64], forces: &[f64], gamma: &[f64], v: &[f64]) -> Vec<f64> {
    let n = v.len();
    let square = size(v).max(1.0).powi(2);
    let forces = forces.iter().map(|x| x.abs().max(weight(mass) * square));
    let gamma = gamma.iter().enumerate();
    forces.chain(gamma.map(|(r, x)| x.abs().max(size(&jacobian[r * n..(r + 1) * n]) * square))).collect()
}
