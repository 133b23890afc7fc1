//! The method of Levenberg and Marquardt for assemblies where undamped Newton steps diverge.

use mbs_physics::linear::SparseRow;

use super::Context;
use super::assemble::{Wanted, displacement, size_metric, try_assemble};

/// Largest number of iterations, rejected ones included.
const ITERATIONS: usize = 100;
/// Damping at the start, for rows in units of their sizes.
const DAMPING: f64 = 1e-3;
const LEAST_DAMPING: f64 = 1e-14;
/// Above this damping, steps are too short to make progress.
const MOST_DAMPING: f64 = 1e8;
/// Sum of squares of rows from which Newton's method converges.
const NEAR: f64 = 1e-8;

/// Minimises Σ (Φ_r / s_r)², where the unit s_r of a row is its size: a step δ minimises Σ ((Φ_r + G_r δ) / s_r)² + μ Σ (δ_i / scale_i)²; μ is
/// divided by 10 where the step lowers the sum, and multiplied by 10 where it does not (Marquardt 1963). Newton's method finishes the assembly.
/// Returns assembled solver coordinates, or `None` if that fails.
pub fn assemble_damped(context: &Context<'_>, wanted: &Wanted, mut q: Vec<f64>) -> Option<Vec<f64>> {
    let mut damping = DAMPING;
    let mut equations = wanted.equations(context, &context.sample(&q, wanted.guesses));
    for _ in 0..ITERATIONS {
        let sizes: Vec<f64> = equations.1.iter().map(|row| row_unit(context, &q, row)).collect();
        let before = sum_of_squares(&equations.0, &sizes);
        if before <= NEAR || damping > MOST_DAMPING || !before.is_finite() {
            break;
        }
        let step = damped_step(context, &equations, &sizes, damping)?;
        let moved = context.displaced(&q, &step);
        let trial = wanted.equations(context, &context.sample(&moved, wanted.guesses));
        if sum_of_squares(&trial.0, &sizes) < before {
            (q, equations, damping) = (moved, trial, (damping / 10.0).max(LEAST_DAMPING));
        } else {
            damping *= 10.0;
        }
    }
    try_assemble(context, wanted, q)
}

/// The unit of a row: its size, or 1 where no coordinate changes the row.
fn row_unit(context: &Context<'_>, q: &[f64], row: &SparseRow) -> f64 {
    let size = context.row_size(q, row);
    if size > 0.0 { size } else { 1.0 }
}

fn sum_of_squares(residuals: &[f64], sizes: &[f64]) -> f64 {
    residuals.iter().zip(sizes).map(|(phi, size)| (phi / size).powi(2)).sum()
}

/// Solves [μ W Gᵀ; G −1] [δ; y] = [0; −Φ] for δ, with rows in units of their sizes.
fn damped_step(
    context: &Context<'_>,
    (residuals, rows): &(Vec<f64>, Vec<SparseRow>),
    sizes: &[f64],
    damping: f64,
) -> Option<Vec<f64>> {
    let n = context.tree.n();
    let mut system = size_metric(context);
    system.iter_mut().flat_map(|row| row.values_mut()).for_each(|w| *w *= damping);
    let mut right = vec![0.0; n];
    for (r, ((row, phi), size)) in rows.iter().zip(residuals).zip(sizes).enumerate() {
        let mut scaled: SparseRow = row.iter().map(|(i, g)| (*i, g / size)).collect();
        for (i, g) in &scaled {
            system[*i].insert(n + r, *g);
        }
        scaled.insert(n + r, -1.0);
        system.push(scaled);
        right.push(-phi / size);
    }
    displacement(context, system, right)
}
