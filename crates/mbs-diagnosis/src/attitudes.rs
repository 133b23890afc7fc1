//! Attitudes whose parameters are singular in a pose.

use super::Finding;
use super::names::item_name;
use mbs_core::{Describe, Item};

/// Rates of parameters per unit of speed beyond which an attitude counts as singular: parameters are of order one or angles, and an integrator
/// has no accurate digits left at such rates.
const STEEP: f64 = 1e6;

/// Coordinates whose rates q̇ = N(q) v are not finite or beyond [`STEEP`], for unit values of each speed in turn.
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
            item_name(mechanism, Item::Coordinate(i)).map_or_else(|| format!("q[{i}]"), |name| format!("`{name}`"))
        })
        .collect();
    (!coordinates.is_empty()).then_some(Finding::SingularAttitude { coordinates })
}
