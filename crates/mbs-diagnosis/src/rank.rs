//! Dependent rows, either in all neighbouring poses or only in this one, and the distance from poses with dependent rows.

use nalgebra::{DMatrix, DVector};

use super::finding::Finding;
use super::names::{Element, Motion, Unit, element, loops, row_name};
use super::residuals::motion;
use super::scaled::Scaled;
use super::singular::{Dependence, Svd, dependences};
use mbs_core::{Describe, RowKind};

/// Rank of the rows at a pose.
pub(super) struct Rank {
    /// Number of independent rows.
    pub independent: usize,
    /// Number of independent rows without those of drives.
    pub undriven_independent: usize,
    /// [`Diagnosis::margin`](super::Diagnosis::margin).
    pub margin: Option<f64>,
    pub findings: Vec<Finding>,
}

/// A pose is close to a singular one if its margin is below this value, and below [`DIP`] times that of neighbouring poses.
const SMALL: f64 = 0.05;
/// Ratio of the margin to that of neighbouring poses; a small margin alone means little, since long chains have small margins in all poses.
const DIP: f64 = 0.2;
/// Margin below which a pose without neighbouring poses is close to a singular one.
const STIFF: f64 = 1e-6;
/// Distance, in radians or sizes of the mechanism, beyond which a singular pose is not near.
const FAR: f64 = 0.3;

/// Examines the rows at a closed pose.
pub(super) fn examine<M: Describe>(scaled: &Scaled<'_, M>, q: &[f64]) -> Rank {
    let jacobian = scaled.jacobian(q);
    let mut order = reporting_order(scaled.mechanism, jacobian.nrows());
    // A row that is switched off is zero by intention, so it is not reported as dependent.
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
    let most_regular = finite.clone().map(|j| (dependences(j, &order), j)).min_by_key(|(d, _)| d.len());
    // A structure that cannot move has no neighbouring poses.
    let (everywhere, regular) =
        most_regular.filter(|(d, _)| d.len() <= here.len()).unwrap_or_else(|| (here.clone(), &jacobian));
    rank.findings.extend(redundant_findings(scaled, regular, &everywhere));
    let svd = Svd::new(&jacobian);
    let weakest = (order.len() - everywhere.len()).checked_sub(1);
    if let (Some(svd), Some(k)) = (&svd, weakest.filter(|k| *k < scaled.n())) {
        rank.margin = Some(if here.len() > everywhere.len() { 0.0 } else { svd.sigma[k] });
        let sigma = |j: &DMatrix<f64>| Svd::new(j).map(|svd| svd.sigma[k]);
        let nearby = finite.filter_map(sigma).max_by(f64::total_cmp);
        if here.len() > everywhere.len() {
            rank.findings.push(singular_finding(scaled, regular, &here, &everywhere, svd, order.len()));
        } else {
            rank.findings.extend(nearly_singular_finding(scaled, q, svd, k, nearby));
        }
    }
    rank
}

/// Rows in the order in which they are tested: joints, then equations, then drives. A row that depends on earlier ones is reported, so that a
/// drive is reported rather than a joint.
fn reporting_order<M: Describe>(mechanism: &M, rows: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..rows).collect();
    order.sort_by_key(|r| match mechanism.row_kind(*r) {
        RowKind::Joint(_) => 0,
        RowKind::Drive => 2,
        _ => 1,
    });
    order
}

/// A finding for each element with dependent rows.
fn redundant_findings<M: Describe>(
    scaled: &Scaled<'_, M>,
    regular: &DMatrix<f64>,
    found: &[Dependence],
) -> Vec<Finding> {
    let mut dependent: Vec<(Element, Vec<String>, Vec<usize>)> = Vec::new();
    for dependence in found {
        let (element, row) = (element(scaled.mechanism, dependence.row), row_name(scaled.mechanism, dependence.row));
        match dependent.iter_mut().find(|d| d.0 == element) {
            Some((_, rows, on)) => {
                rows.push(row);
                on.extend(&dependence.on);
            }
            None => dependent.push((element, vec![row], dependence.on.clone())),
        }
    }
    let finding = |(element, rows, mut on): (Element, Vec<String>, Vec<usize>)| {
        on.sort_unstable();
        let mut determined_by = involved_elements(scaled.mechanism, regular, &on);
        determined_by.retain(|e| *e != element);
        match element.kind {
            RowKind::Drive => Finding::OverDriven { drive: element, determined_by },
            _ => Finding::Redundant { element, rows, determined_by },
        }
    };
    dependent.into_iter().map(finding).collect()
}

/// Elements of rows, with the joints of the tree in the loops that these close, by the nonzero entries of G at a regular pose.
fn involved_elements<M: Describe>(mechanism: &M, regular: &DMatrix<f64>, rows: &[usize]) -> Vec<Element> {
    loops(mechanism, rows, |r, i| regular[(r, i)].abs() > 1e-9)
}

/// The finding of a singular pose: `here` are the dependent rows in this pose, `everywhere` those in a regular neighbouring pose with the scaled
/// Jacobian `regular`.
fn singular_finding<M: Describe>(
    scaled: &Scaled<'_, M>,
    regular: &DMatrix<f64>,
    here: &[Dependence],
    everywhere: &[Dependence],
    svd: &Svd,
    rows_on: usize,
) -> Finding {
    let only_here = here.iter().filter(|d| everywhere.iter().all(|e| e.row != d.row));
    let mut rows: Vec<usize> = only_here.flat_map(|d| d.on.iter().copied().chain([d.row])).collect();
    rows.sort_unstable();
    let elements = involved_elements(scaled.mechanism, regular, &rows);
    let rank = rows_on - here.len();
    // The derivatives with respect to a motion that is gained vanish here, by definition: the regular pose determines which speeds are involved.
    let is_of_elements = |r: &usize| elements.contains(&element(scaled.mechanism, *r));
    let element_rows: Vec<usize> = (0..regular.nrows()).filter(is_of_elements).collect();
    let is_involved = |i: usize| element_rows.iter().any(|r| regular[(*r, i)].abs() > 1e-6);
    let moves = DVector::from_fn(scaled.n(), |i, _| match is_involved(i) {
        true => svd.v.columns_range(rank..).row(i).norm(),
        false => 0.0,
    });
    Finding::Singular {
        elements,
        gains: largest_motions(scaled, &moves),
        here: scaled.n() - rank,
        nearby: scaled.n() - (rank + here.len() - everywhere.len()),
    }
}

/// The finding of a pose close to a singular one, if it is: k is the index of the smallest singular value, `nearby` the largest such value
/// among neighbouring poses.
fn nearly_singular_finding<M: Describe>(
    scaled: &Scaled<'_, M>,
    q: &[f64],
    svd: &Svd,
    k: usize,
    nearby: Option<f64>,
) -> Option<Finding> {
    let margin = svd.sigma[k];
    let is_near = match nearby {
        Some(nearby) => margin < SMALL && margin < DIP * nearby,
        None => margin < STIFF,
    };
    if !is_near {
        return None;
    }
    let left = svd.u.column(k);
    let strongest = left.amax();
    let rows: Vec<usize> = (0..scaled.rows.len()).filter(|r| left[*r].abs() > 0.1 * strongest).collect();
    Some(Finding::NearlySingular {
        elements: involved_elements(scaled.mechanism, &scaled.jacobian(q), &rows),
        gains: largest_motions(scaled, &svd.v.column(k).into_owned()),
        margin,
        nearby,
        distance: distance(scaled, q, svd, k),
    })
}

/// The motion to σ = 0, to first order −σ ∇σ / |∇σ|² with the gradient over the motions that satisfy the rows without drives.
fn distance<M: Describe>(scaled: &Scaled<'_, M>, q: &[f64], svd: &Svd, k: usize) -> Option<Motion> {
    let free = Svd::new(&scaled.jacobian(q).select_rows(&scaled.undriven_rows()))?.null_space();
    let (left, right) = (svd.u.column(k).rows(0, scaled.rows.len()).into_owned(), svd.v.column(k));
    // Central difference of uᵀ G w: 1e-4 squared is the error of the derivative.
    let step = 1e-4;
    let sigma = |w: DVector<f64>| left.dot(&(scaled.jacobian(&scaled.displace(q, &w)) * right));
    let derivative = |z: DVector<f64>| (sigma(&z * step) - sigma(&z * -step)) / (2.0 * step);
    let gradient = DVector::from_iterator(free.ncols(), free.column_iter().map(|z| derivative(z.into_owned())));
    let steepness = gradient.norm_squared();
    if steepness == 0.0 || !steepness.is_finite() {
        return None;
    }
    let step = free * gradient * (-svd.sigma[k] / steepness);
    // A coordinate nearer to ground is easier to imagine.
    let first = (0..step.len()).find(|i| step[*i].abs() >= 0.5 * step.amax())?;
    (step.norm() < FAR).then(|| motion(scaled, first, step[first]))
}

/// Coordinates with a large part in a motion; if a body rotates, its position is omitted.
pub(super) fn largest_motions<M: Describe>(scaled: &Scaled<'_, M>, w: &DVector<f64>) -> Vec<Motion> {
    let most = w.amax();
    let large = (0..w.len()).filter(|i| w[*i].abs() > 0.2 * most);
    let mut list: Vec<Motion> = large.map(|i| motion(scaled, i, w[i])).collect();
    let body = |m: &Motion| m.name.rsplit_once('.').map(|(body, _)| body.to_owned());
    let rotating: Vec<String> = list.iter().filter(|m| m.unit == Unit::Radian).filter_map(body).collect();
    list.retain(|m| m.unit == Unit::Radian || body(m).is_none_or(|body| !rotating.contains(&body)));
    list
}
