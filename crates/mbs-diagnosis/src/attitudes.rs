//! Attitudes whose parameters have no rates in a pose.

use super::Finding;
use super::names::named;
use mbs_core::{Describe, Item};

/// Rates of parameters per unit of speed beyond which an attitude counts as singular: parameters are lengths of order one or angles, and what
/// integrates them has no digits left.
const STEEP: f64 = 1e6;

/// Coordinates that change beyond measure when a body turns: q̇ = N(q) v along one speed after the other.
pub(super) fn singular<M: Describe>(mechanism: &M, t: f64, q: &[f64]) -> Option<Finding> {
    let sizes = mechanism.sizes();
    let (mut v, mut rates) = (vec![0.0; sizes.n_v], vec![0.0; sizes.n_q]);
    let mut steep = vec![false; sizes.n_q];
    for i in 0..sizes.n_v {
        v[i] = 1.0;
        mechanism.coordinate_rates(t, q, &v, &mut rates);
        v[i] = 0.0;
        for (steep, rate) in steep.iter_mut().zip(&rates) {
            *steep |= !rate.is_finite() || rate.abs() > STEEP;
        }
    }
    let found = steep.iter().enumerate().filter(|(_, steep)| **steep);
    let coordinates: Vec<String> = found
        .map(|(i, _)| {
            named(mechanism, Item::Coordinate(i)).map_or_else(|| format!("q[{i}]"), |name| format!("`{name}`"))
        })
        .collect();
    (!coordinates.is_empty()).then_some(Finding::SingularAttitude { coordinates })
}
