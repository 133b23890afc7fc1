//! Remaining degrees of freedom, and whether anything moves them.

use nalgebra::{DMatrix, SymmetricEigen};

use super::Diagnosis;
use super::finding::Finding;
use super::names::elements;
use super::rank::largest_motions;
use super::scaled::Scaled;
use super::singular::Svd;
use mbs_core::{Describe, State, StateView};

/// Times \[s\] after that of the state at which loads and drives are evaluated, since many start at zero.
const LATER: [f64; 5] = [0.0, 0.01, 0.1, 1.0, 3.1];
/// Speed limit of a mechanism at rest, in radians or sizes of the mechanism per second, and the same limit per second squared for accelerations.
const REST: f64 = 1e-9;

/// Findings about the motion of a mechanism without errors, at a closed pose.
pub(super) fn findings<M: Describe>(
    scaled: &Scaled<'_, M>,
    q: &[f64],
    state: &State<M>,
    counted: &Diagnosis,
) -> Vec<Finding> {
    let drives: Vec<usize> = (0..scaled.drives.len()).filter(|r| scaled.drives[*r]).collect();
    let mut found = Vec::new();
    if scaled.mechanism.sizes().n_bodies + counted.speeds == 0 {
        return found;
    }
    if counted.undriven > 0 {
        found.extend(no_inertia(scaled, q, state));
    }
    let at_rest = |v: &[f64]| v.iter().zip(&scaled.columns).all(|(v, unit)| (v / unit).abs() <= REST);
    let rests = found.is_empty() && at_rest(state.v.as_ref()) && remains_at_rest(scaled, q, state, at_rest);
    match counted.undriven {
        _ if counted.freedoms == 0 => found.push(Finding::Rigid),
        0 if rests => found.push(Finding::Stationary { drives: elements(scaled.mechanism, drives) }),
        0 => {}
        freedoms if rests => found.push(Finding::AtRest { freedoms, inputs: scaled.mechanism.sizes().n_u }),
        freedoms if !drives.is_empty() => found.push(Finding::UnderDriven { freedoms, drives: drives.len() }),
        _ => {}
    }
    found
}

/// Whether rows prescribe no speeds and loads cause no accelerations, now and at the [`LATER`] times.
fn remains_at_rest<M: Describe>(
    scaled: &Scaled<'_, M>,
    q: &[f64],
    state: &State<M>,
    at_rest: impl Fn(&[f64]) -> bool,
) -> bool {
    let (mechanism, sizes) = (scaled.mechanism, scaled.mechanism.sizes());
    let (_, mut a, mut lambda, mut rates, u, _) = mechanism.storage();
    let zero = vec![0.0; sizes.n_v];
    let mut psi = vec![0.0; sizes.n_velocity];
    LATER.into_iter().all(|later| {
        let t = state.t + later;
        let view = StateView { t, q, v: &zero, z: state.z.as_ref(), u: u.as_ref() };
        mechanism.velocity_residuals(view, &mut psi);
        mechanism.auxiliary_rates(view, rates.as_mut());
        let is_prescribed = psi.iter().zip(&scaled.rows).any(|(psi, size)| (psi / size).abs() > REST);
        !is_prescribed
            && rates.as_ref().iter().all(|rate| rate.abs() <= REST)
            && mechanism.accelerations(view, a.as_mut(), lambda.as_mut()).is_ok()
            && at_rest(a.as_ref())
    })
}

/// A free motion whose kinetic energy vanishes, if accelerations are undetermined because of it: Zᵀ M Z is computed from kinetic energies,
/// zᵀ M z = T(z) + T(−z) − 2 T(0).
fn no_inertia<M: Describe>(scaled: &Scaled<'_, M>, q: &[f64], state: &State<M>) -> Option<Finding> {
    let (mechanism, n) = (scaled.mechanism, scaled.n());
    let (_, mut a, mut lambda, _, u, _) = mechanism.storage();
    let view = StateView { t: state.t, q, v: state.v.as_ref(), z: state.z.as_ref(), u: u.as_ref() };
    mechanism.accelerations(view, a.as_mut(), lambda.as_mut()).err()?;
    let energy = |w: &[f64]| {
        let v: Vec<f64> = w.iter().zip(&scaled.columns).map(|(w, unit)| w * unit).collect();
        mechanism.energy(StateView { v: &v, ..view }).kinetic
    };
    let energy_at_rest = energy(&vec![0.0; n]);
    let square = |w: nalgebra::DVector<f64>| energy(w.as_slice()) + energy((-w).as_slice()) - 2.0 * energy_at_rest;
    let free = Svd::new(&scaled.jacobian(q))?.null_space();
    let square_sum = |i: usize, sign: f64, j: usize| square(free.column(i) + free.column(j) * sign);
    let entry = |i: usize, j: usize| 0.25 * (square_sum(i, 1.0, j) - square_sum(i, -1.0, j));
    let mass = DMatrix::from_fn(free.ncols(), free.ncols(), entry);
    if mass.is_empty() || mass.iter().any(|m| !m.is_finite()) {
        return None;
    }
    let most = mass.diagonal().amax();
    let eigen = SymmetricEigen::try_new(mass, f64::EPSILON, 100_000)?;
    let lightest = eigen.eigenvalues.imin();
    if eigen.eigenvalues[lightest] > 1e-12 * most {
        return None;
    }
    Some(Finding::NoInertia { motions: largest_motions(scaled, &(free * eigen.eigenvectors.column(lightest))) })
}
