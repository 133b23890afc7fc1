//! Newton–Raphson of the checks, on all rows and conditions or on some of them.

use mbs_physics::SolverCoordinate;
use mbs_physics::linear::{NOISE, SparseRow, TOLERANCE, dependent_within, solve};

use super::{Context, Sample};

/// Equations that [`assemble`] solves.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// Position rows, ascending.
    pub rows: Vec<usize>,
    /// Number of exact conditions, from the first one.
    pub exact: usize,
    /// All conditions, including guessed ones.
    pub guesses: bool,
}

impl Wanted {
    /// All rows, all exact conditions.
    pub fn everything(context: &Context<'_>) -> Self {
        Wanted { rows: (0..context.tree.n_position).collect(), exact: usize::MAX, guesses: false }
    }

    /// All exact conditions, and the rows whose Φ is known; none where that is all rows.
    pub fn known(context: &Context<'_>) -> Option<Self> {
        let rows: Vec<usize> = (0..context.tree.n_position).filter(|r| !context.unknown.phi(*r)).collect();
        (rows.len() < context.tree.n_position).then_some(Wanted { rows, ..Self::everything(context) })
    }

    /// All rows and conditions, guessed ones too.
    pub fn guessed(context: &Context<'_>) -> Self {
        Wanted { guesses: true, ..Self::everything(context) }
    }

    /// Some rows and no condition.
    pub fn rows(rows: Vec<usize>) -> Self {
        Wanted { rows, exact: 0, guesses: false }
    }

    /// Number of conditions that take part, from the first; guessed ones follow the exact ones.
    fn condition_count(&self) -> usize {
        if self.guesses { usize::MAX } else { self.exact }
    }

    /// Residuals and gradients at a sample, of the rows and conditions whose gradients are known. A quaternion with four conditions counts with the
    /// three that are not implied, and only where all four are wanted.
    pub fn equations(&self, context: &Context<'_>, sample: &Sample) -> (Vec<f64>, Vec<SparseRow>) {
        let (unknown, count) = (&context.unknown, self.condition_count());
        let rows =
            self.rows.iter().filter(|r| !unknown.derivatives(**r)).map(|r| (sample.phi[*r], &sample.jacobian[*r]));
        let is_wanted = |k: usize| {
            let quaternion = context.quaternions.iter().find(|q| q.includes(k));
            quaternion.is_none_or(|q| q.is_within(count) && k != q.implied) && !unknown.condition(k)
        };
        let conditions = (0..).zip(sample.conditions.iter().take(count));
        let conditions = conditions.filter(|(k, _)| is_wanted(*k)).map(|(_, c)| (c.0, &c.1));
        rows.chain(conditions).map(|(phi, g)| (phi, g.clone())).unzip()
    }
}

impl Context<'_> {
    /// The size of a row: the largest change that one coordinate makes over its extent, max |G_ri| · extentᵢ.
    pub fn row_size(&self, q: &[f64], row: &SparseRow) -> f64 {
        row.iter().map(|(i, g)| g.abs() * self.extent(q, *i)).fold(0.0, f64::max)
    }

    /// Largest residual of the conditions that others imply.
    fn implied_residual(&self, wanted: &Wanted, sample: &Sample) -> f64 {
        let quaternions = self.quaternions.iter().filter(|q| q.is_within(wanted.condition_count()));
        let known = quaternions.filter(|q| !self.unknown.condition(q.implied));
        known.map(|q| q.implied_residual(sample)).fold(0.0, f64::max)
    }
}

/// Residual, relative to the size of its row, below which an equation is satisfied.
const ASSEMBLED: f64 = 1e-10;
/// Travel of a coordinate, relative to its extent at the start, beyond which no iterate is a solution: no declared pose is so far from
/// assembly, and rounding of large coordinates hides residuals. Iterates may come back from there.
pub const FARTHEST: f64 = 1e3;
/// Tolerance of the coarser decision on rank.
const COARSE: f64 = 1e-4;

/// Newton–Raphson from solver coordinates `start`, with minimum-norm steps in the mass metric where M is definite, until round-off stops it.
/// `None` if it does not converge within 50 iterations, makes no progress for several, or moves too far from the start. Rows that depend on others
/// are left out of a step; if that fails, it is repeated with a coarser tolerance of dependence, which helps redundant rows near their solution.
pub fn assemble(context: &Context<'_>, wanted: &Wanted, start: Vec<f64>) -> Option<Vec<f64>> {
    newton(context, wanted, start.clone(), TOLERANCE, 12).or_else(|| newton(context, wanted, start, COARSE, 4))
}

/// As [`assemble`], but gives up earlier, for calls that are likely to fail.
pub fn try_assemble(context: &Context<'_>, wanted: &Wanted, start: Vec<f64>) -> Option<Vec<f64>> {
    newton(context, wanted, start.clone(), TOLERANCE, 4).or_else(|| newton(context, wanted, start, COARSE, 2))
}

fn newton(
    context: &Context<'_>,
    wanted: &Wanted,
    mut q: Vec<f64>,
    tolerance: f64,
    patience: usize,
) -> Option<Vec<f64>> {
    let mut best: Option<(f64, Vec<f64>)> = None;
    let mut lowest = (f64::INFINITY, 0);
    let farthest = farthest(context, &q);
    let mut travelled = vec![0.0; context.tree.n()];
    for iteration in 0..=50 {
        let sample = context.sample(&q, wanted.guesses);
        let (residuals, rows) = wanted.equations(context, &sample);
        let miss = largest_residual(context, &q, &residuals, &rows).max(context.implied_residual(wanted, &sample));
        let is_far = travelled.iter().zip(&farthest).any(|(all, most): (&f64, _)| all.abs() > *most);
        if miss <= ASSEMBLED && !is_far {
            let polished = best.as_ref().is_some_and(|b| miss > 0.5 * b.0);
            if !polished {
                best = Some((miss, q.clone()));
            }
            if polished || miss == 0.0 {
                break;
            }
        } else if best.is_some() || !miss.is_finite() || iteration - lowest.1 > patience {
            break;
        }
        if miss < 0.9 * lowest.0 {
            lowest = (miss, iteration);
        }
        let Some(step) = newton_step(context, &sample, &residuals, rows, tolerance) else { break };
        travelled.iter_mut().zip(&step).for_each(|(all, x)| *all += x);
        q = context.displaced(&q, &step);
    }
    best.map(|b| b.1)
}

/// Largest travel of each coordinate. The parameter of a closed curve is periodic and has no limit.
fn farthest(context: &Context<'_>, q: &[f64]) -> Vec<f64> {
    let (model, tree) = (context.model, context.tree);
    let mut farthest: Vec<f64> = (0..tree.n()).map(|i| FARTHEST * context.extent(q, i)).collect();
    for side in model.curves.cams.iter().flat_map(|cam| &cam.sides) {
        let is_closed = model.curves.outlines[side.curve as usize].period.is_some();
        if let (true, Some(i)) = (is_closed, tree.solver_index(SolverCoordinate::Algebraic(side.unknown))) {
            farthest[i] = f64::INFINITY;
        }
    }
    farthest
}

/// Largest residual, each relative to the terms it is made of; infinite where one is.
fn largest_residual(context: &Context<'_>, q: &[f64], residuals: &[f64], rows: &[SparseRow]) -> f64 {
    let size = |row: &SparseRow| context.row_size(q, row);
    // A row that no coordinate changes, because the joints of the tree determine it, is satisfied up to the rounding of lengths.
    let length = super::mechanism_size(context.model, context.tree, q);
    let miss = |(phi, row): (&f64, &SparseRow)| match phi.abs() / size(row) {
        _ if *phi == 0.0 => 0.0,
        _ if size(row) <= NOISE * length && phi.abs() <= NOISE * length => 0.0,
        _ if !phi.is_finite() => f64::INFINITY,
        // No coordinate changes the row here (a rod whose ends coincide); other rows may move the mechanism away.
        miss => miss.min(f64::MAX),
    };
    residuals.iter().zip(rows).map(miss).fold(0.0, f64::max)
}

/// Minimum-norm step that removes the residuals, in the mass metric if it is definite, else in that of the mechanism's size.
fn newton_step(
    context: &Context<'_>,
    sample: &Sample,
    residuals: &[f64],
    rows: Vec<SparseRow>,
    tolerance: f64,
) -> Option<Vec<f64>> {
    let dependent = dependent_within(&rows, tolerance);
    let kept: Vec<usize> = (0..rows.len()).filter(|r| dependent.binary_search(r).is_err()).collect();
    let kept_rows: Vec<SparseRow> = kept.iter().map(|r| rows[*r].clone()).collect();
    let mut right = vec![0.0; context.tree.n()];
    right.extend(kept.iter().map(|r| -residuals[*r]));
    let metrics = [&sample.mass, &size_metric(context)];
    metrics.into_iter().find_map(|metric| displacement(context, saddle(metric, &kept_rows), right.clone()))
}

/// The displacement in the solution of a system for displacement and multipliers; `None` if it is singular or not finite.
pub fn displacement(context: &Context<'_>, system: Vec<SparseRow>, right: Vec<f64>) -> Option<Vec<f64>> {
    let mut x = solve(system, right).ok()?;
    x.truncate(context.tree.n());
    x.iter().all(|v| v.is_finite()).then_some(x)
}

/// The diagonal matrix of the metric Σ (δᵢ / scaleᵢ)².
pub fn size_metric(context: &Context<'_>) -> Vec<SparseRow> {
    context.scales.iter().enumerate().map(|(i, s)| SparseRow::from([(i, 1.0 / (s * s))])).collect()
}

/// The symmetric matrix [M Gᵀ; G 0], without entries of G that are round-off.
pub fn saddle(mass: &[SparseRow], jacobian: &[SparseRow]) -> Vec<SparseRow> {
    let n = mass.len();
    let mut rows: Vec<SparseRow> = mass.to_vec();
    for (r, row) in jacobian.iter().enumerate() {
        let largest = row.values().fold(0.0_f64, |m, g| m.max(g.abs()));
        let kept: SparseRow = row.iter().map(|(i, g)| (*i, *g)).filter(|(_, g)| g.abs() > NOISE * largest).collect();
        for (i, g) in &kept {
            rows[*i].insert(n + r, *g);
        }
        rows.push(kept);
    }
    rows
}
