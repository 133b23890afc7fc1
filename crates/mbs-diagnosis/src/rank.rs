//! Rows that depend on each other, everywhere or here alone, and how near they are to it.

use nalgebra::{DMatrix, DVector};

use super::finding::Finding;
use super::names::{Element, Motion, Unit, element, loops, row_name};
use super::residuals::motion;
use super::scaled::Scaled;
use super::singular::{Dependence, Svd, dependences};
use mbs_core::{Describe, RowKind};

/// Rank of the rows at a pose.
pub(super) struct Rank {
    pub independent: usize,
    /// Independent rows, drives left out.
    pub undriven_independent: usize,
    pub margin: Option<f64>,
    pub findings: Vec<Finding>,
}

/// A margin below this is small, ...
const SMALL: f64 = 0.05;
/// ... and near a singular pose if it is below this part of what it is near by: long chains have small margins everywhere.
const DIP: f64 = 0.2;
/// Where there is no pose near by to compare with, a margin is near zero below this.
const STIFF: f64 = 1e-6;
/// A singular pose further than this, in radians or sizes, is not near.
const FAR: f64 = 0.3;

/// Judges rows at a closed pose.
pub(super) fn judge<M: Describe>(scaled: &Scaled<'_, M>, q: &[f64]) -> Rank {
    let jacobian = scaled.jacobian(q);
    let mut order = blame(scaled.mechanism, jacobian.nrows());
    // A row that is off constrains nothing, which is no mistake.
    order.retain(|r| !scaled.mechanism.is_switched(*r) || jacobian.row(*r).iter().any(|g| *g != 0.0));
    let here = dependences(&jacobian, &order);
    let undriven: Vec<usize> = order.iter().copied().filter(|r| !scaled.drives[*r]).collect();
    let mut rank = Rank {
        independent: order.len() - here.len(),
        undriven_independent: undriven.len() - here.iter().filter(|d| !scaled.drives[d.row]).count(),
        margin: None,
        findings: Vec::new(),
    };
    if jacobian.is_empty() {
        return rank;
    }
    let neighbours: Vec<DMatrix<f64>> = scaled.neighbours(q).iter().map(|q| scaled.jacobian(q)).collect();
    let finite = neighbours.iter().filter(|j| j.iter().all(|x| x.is_finite()));
    let there = finite.clone().map(|j| (dependences(j, &order), j)).min_by_key(|(d, _)| d.len());
    // A structure that cannot move has no other pose to compare with.
    let (everywhere, regular) =
        there.filter(|(d, _)| d.len() <= here.len()).unwrap_or_else(|| (here.clone(), &jacobian));
    rank.findings.extend(redundant(scaled, regular, &everywhere));
    let svd = Svd::new(&jacobian);
    let weakest = (order.len() - everywhere.len()).checked_sub(1);
    if let (Some(svd), Some(k)) = (&svd, weakest.filter(|k| *k < scaled.n())) {
        rank.margin = Some(if here.len() > everywhere.len() { 0.0 } else { svd.sigma[k] });
        let sigma = |j: &DMatrix<f64>| Svd::new(j).map(|svd| svd.sigma[k]);
        let nearby = finite.filter_map(sigma).max_by(f64::total_cmp);
        if here.len() > everywhere.len() {
            rank.findings.push(singular(scaled, regular, (&here, &everywhere), (svd, order.len())));
        } else {
            rank.findings.extend(nearly(scaled, q, (svd, k), nearby));
        }
    }
    rank
}

/// Rows in the order in which they are kept: joints, then equations, then drives, which move what the rest leaves free. A row that
/// depends on earlier ones is reported.
fn blame<M: Describe>(mechanism: &M, rows: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..rows).collect();
    order.sort_by_key(|r| match mechanism.row_kind(*r) {
        RowKind::Joint(_) => 0,
        RowKind::Drive => 2,
        _ => 1,
    });
    order
}

/// A finding per element with dependent rows.
fn redundant<M: Describe>(scaled: &Scaled<'_, M>, regular: &DMatrix<f64>, found: &[Dependence]) -> Vec<Finding> {
    let mut guilty: Vec<(Element, Vec<String>, Vec<usize>)> = Vec::new();
    for dependence in found {
        let (element, row) = (element(scaled.mechanism, dependence.row), row_name(scaled.mechanism, dependence.row));
        match guilty.iter_mut().find(|g| g.0 == element) {
            Some((_, rows, on)) => {
                rows.push(row);
                on.extend(&dependence.on);
            }
            None => guilty.push((element, vec![row], dependence.on.clone())),
        }
    }
    let finding = |(element, rows, mut on): (Element, Vec<String>, Vec<usize>)| {
        on.sort_unstable();
        let mut holders = involved(scaled.mechanism, regular, &on);
        holders.retain(|e| *e != element);
        match element.kind {
            RowKind::Drive => Finding::OverDriven { drive: element, holders },
            _ => Finding::Redundant { element, rows, holders },
        }
    };
    guilty.into_iter().map(finding).collect()
}

/// Elements of rows, with the joints of the tree that these close; the entries of G at a regular pose decide which.
fn involved<M: Describe>(mechanism: &M, regular: &DMatrix<f64>, rows: &[usize]) -> Vec<Element> {
    loops(mechanism, rows, |r, i| regular[(r, i)].abs() > 1e-9)
}

fn singular<M: Describe>(
    scaled: &Scaled<'_, M>,
    regular: &DMatrix<f64>,
    (here, everywhere): (&[Dependence], &[Dependence]),
    (svd, rows_on): (&Svd, usize),
) -> Finding {
    let only_here = here.iter().filter(|d| everywhere.iter().all(|e| e.row != d.row));
    let mut rows: Vec<usize> = only_here.flat_map(|d| d.on.iter().copied().chain([d.row])).collect();
    rows.sort_unstable();
    let elements = involved(scaled.mechanism, regular, &rows);
    let rank = rows_on - here.len();
    // The entries of what is gained vanish here, by definition: what the elements touch is seen near by.
    let theirs = |r: &usize| elements.contains(&element(scaled.mechanism, *r));
    let theirs: Vec<usize> = (0..regular.nrows()).filter(theirs).collect();
    let touched = |i: usize| theirs.iter().any(|r| regular[(*r, i)].abs() > 1e-6);
    let moves = DVector::from_fn(scaled.n(), |i, _| match touched(i) {
        true => svd.v.columns_range(rank..).row(i).norm(),
        false => 0.0,
    });
    Finding::Singular {
        elements,
        gains: largest(scaled, &moves),
        here: scaled.n() - rank,
        nearby: scaled.n() - (rank + here.len() - everywhere.len()),
    }
}

fn nearly<M: Describe>(
    scaled: &Scaled<'_, M>,
    q: &[f64],
    (svd, k): (&Svd, usize),
    nearby: Option<f64>,
) -> Option<Finding> {
    let margin = svd.sigma[k];
    let near = match nearby {
        Some(nearby) => margin < SMALL && margin < DIP * nearby,
        None => margin < STIFF,
    };
    if !near {
        return None;
    }
    let left = svd.u.column(k);
    let strongest = left.amax();
    let rows: Vec<usize> = (0..scaled.rows.len()).filter(|r| left[*r].abs() > 0.1 * strongest).collect();
    Some(Finding::NearlySingular {
        elements: involved(scaled.mechanism, &scaled.jacobian(q), &rows),
        gains: largest(scaled, &svd.v.column(k).into_owned()),
        margin,
        nearby,
        distance: distance(scaled, q, (svd, k)),
    })
}

/// The way to σ = 0 along the motions that rows without drives leave free, to first order: −σ ∇σ / |∇σ|².
fn distance<M: Describe>(scaled: &Scaled<'_, M>, q: &[f64], (svd, k): (&Svd, usize)) -> Option<Motion> {
    let free = Svd::new(&scaled.jacobian(q).select_rows(&scaled.held()))?.null_space();
    let (left, right) = (svd.u.column(k).rows(0, scaled.rows.len()).into_owned(), svd.v.column(k));
    // Central difference of uᵀ G w: 1e-4 squared is the error of the derivative.
    let step = 1e-4;
    let sigma = |w: DVector<f64>| left.dot(&(scaled.jacobian(&scaled.moved(q, &w)) * right));
    let derivative = |z: DVector<f64>| (sigma(&z * step) - sigma(&z * -step)) / (2.0 * step);
    let gradient = DVector::from_iterator(free.ncols(), free.column_iter().map(|z| derivative(z.into_owned())));
    let steepness = gradient.norm_squared();
    if steepness == 0.0 || !steepness.is_finite() {
        return None;
    }
    let way = free * gradient * (-svd.sigma[k] / steepness);
    // Nearer to ground is easier to picture.
    let first = (0..way.len()).find(|i| way[*i].abs() >= 0.5 * way.amax())?;
    (way.norm() < FAR).then(|| motion(scaled, first, way[first]))
}

/// Coordinates with a large part in a motion; where a body rotates, its position is left out.
pub(super) fn largest<M: Describe>(scaled: &Scaled<'_, M>, w: &DVector<f64>) -> Vec<Motion> {
    let most = w.amax();
    let large = (0..w.len()).filter(|i| w[*i].abs() > 0.2 * most);
    let mut list: Vec<Motion> = large.map(|i| motion(scaled, i, w[i])).collect();
    let of = |m: &Motion| m.name.rsplit_once('.').map(|(of, _)| of.to_owned());
    let turning: Vec<String> = list.iter().filter(|m| m.unit == Unit::Radian).filter_map(of).collect();
    list.retain(|m| m.unit == Unit::Radian || of(m).is_none_or(|of| !turning.contains(&of)));
    list
}
