//! Small sparse linear algebra of the compile-time checks: rank row by row, and elimination with pivoting.
//!
//! All decisions are relative to the terms that formed a number, entry by entry and column by column, so that they do not
//! depend on the units of lengths, masses and times.

use std::collections::{BTreeMap, BTreeSet};

/// A sparse row: column → value.
pub type SparseRow = BTreeMap<usize, f64>;

/// Below this fraction of the terms that formed it, a number counts as zero. Redundant rows cancel to 1e-14 at an assembled
/// pose, a mechanism that is regular for any practical purpose stays above 1e-6.
pub const TOLERANCE: f64 = 1e-9;
/// Below this fraction of the largest number of its row, a number is round-off (such as cos(π/2)) whatever its column.
pub const NOISE: f64 = 1e-12;

/// Finds rows that depend on the rows before them: their indices.
pub fn dependent_rows(rows: &[SparseRow]) -> Vec<usize> {
    dependent_within(rows, TOLERANCE)
}

/// As [`dependent_rows`], with another tolerance.
pub fn dependent_within(rows: &[SparseRow], tolerance: f64) -> Vec<usize> {
    eliminate(rows, usize::MAX, tolerance).into_iter().map(|(r, _)| r).collect()
}

/// Finds rows that depend on the rows before them: each with the rows that its combination takes.
pub fn dependences(rows: &[SparseRow]) -> Vec<(usize, Vec<usize>)> {
    // A row counts by its share in Σ bₖ rowₖ = 0.
    let share = |k: usize, b: f64| b.abs() * largest(&rows[k]).map_or(0.0, |(_, x)| x.abs());
    let significant = |(r, combination): (usize, SparseRow)| {
        let row_share = share(r, 1.0);
        let others = combination.into_iter().filter(|(k, _)| *k != r);
        (r, others.filter(|(k, b)| share(*k, *b) > 1e-6 * row_share).map(|(k, _)| k).collect())
    };
    combinations(rows).into_iter().map(significant).collect()
}

/// Finds rows r that depend on the rows before them: each with the b of Σ bₖ rowₖ = 0, b_r = 1. They span the left null space.
pub fn combinations(rows: &[SparseRow]) -> Vec<(usize, SparseRow)> {
    // A unit column per row, never a pivot, keeps the book of what was subtracted.
    let columns = rows.iter().flat_map(|r| r.keys()).max().map_or(0, |c| c + 1);
    let booked: Vec<SparseRow> = rows
        .iter()
        .enumerate()
        .map(|(r, row)| row.iter().map(|(c, x)| (*c, *x)).chain([(columns + r, 1.0)]).collect())
        .collect();
    let dependent = eliminate(&booked, columns, TOLERANCE).into_iter();
    dependent.map(|(r, rest)| (r, rest.into_iter().map(|(c, b)| (c - columns, b)).collect())).collect()
}

/// Row by row elimination with pivots in columns below `columns`: dependent rows with what is left of them.
fn eliminate(rows: &[SparseRow], columns: usize, tolerance: f64) -> Vec<(usize, SparseRow)> {
    let mut kept: Vec<(usize, SparseRow)> = Vec::new();
    let mut pivot_of: BTreeMap<usize, usize> = BTreeMap::new();
    let mut dependent = Vec::new();
    for (r, row) in rows.iter().enumerate() {
        let mut row = row.clone();
        // Largest term that went into each column.
        let mut size: BTreeMap<usize, f64> = row.iter().map(|(c, x)| (*c, x.abs())).collect();
        let mut pending: BTreeSet<usize> = row.keys().filter_map(|c| pivot_of.get(c).copied()).collect();
        while let Some(k) = pending.pop_first() {
            let (pivot, pivot_row) = &kept[k];
            let Some(x) = row.remove(pivot).filter(|x| *x != 0.0) else { continue };
            let factor = x / pivot_row[pivot];
            for (c, y) in pivot_row.iter().filter(|(c, _)| *c != pivot) {
                let term = factor * y;
                *row.entry(*c).or_insert(0.0) -= term;
                let largest = size.entry(*c).or_insert(0.0);
                *largest = largest.max(term.abs());
                if let Some(later) = pivot_of.get(c).filter(|later| **later > k) {
                    pending.insert(*later);
                }
            }
        }
        let scale = size.range(..columns).map(|(_, x)| *x).fold(0.0, f64::max);
        row.retain(|c, x| *c >= columns || x.abs() > (tolerance * size[c]).max(NOISE * scale));
        match largest_below(&row, columns) {
            Some((pivot, x)) if x.is_finite() => {
                pivot_of.insert(pivot, kept.len());
                kept.push((pivot, row));
            }
            _ => dependent.push((r, row)),
        }
    }
    dependent
}

fn largest(row: &SparseRow) -> Option<(usize, f64)> {
    largest_below(row, usize::MAX)
}

fn largest_below(row: &SparseRow, columns: usize) -> Option<(usize, f64)> {
    row.range(..columns).map(|(k, x)| (*k, *x)).max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()))
}

/// Solves A x = b for a symmetric A, or gives a vector of the null space of A.
///
/// # Errors
/// A null vector of A.
pub fn solve(rows: Vec<SparseRow>, right: Vec<f64>) -> Result<Vec<f64>, Vec<f64>> {
    Ok(Factors::new(rows)?.solve(right))
}

/// A symmetric matrix A, factorised once for many right sides.
pub struct Factors {
    /// S of S A S, which is eliminated.
    scale: Vec<f64>,
    elimination: Elimination,
}

impl Factors {
    /// Factorises A.
    ///
    /// # Errors
    /// A null vector of A.
    pub fn new(mut rows: Vec<SparseRow>) -> Result<Self, Vec<f64>> {
        let scale = equilibrate(&mut rows);
        match Elimination::new(rows).run() {
            Ok(elimination) => Ok(Factors { scale, elimination }),
            Err(null) => Err(scaled(null, &scale)),
        }
    }

    /// The x of A x = b.
    pub fn solve(&self, right: Vec<f64>) -> Vec<f64> {
        scaled(self.elimination.solve(scaled(right, &self.scale)), &self.scale)
    }
}

/// S x.
fn scaled(mut x: Vec<f64>, scale: &[f64]) -> Vec<f64> {
    x.iter_mut().zip(scale).for_each(|(x, s)| *x *= s);
    x
}

/// A ← S A S with the largest entry of each row near 1 (Ruiz 2001): the diagonal S.
fn equilibrate(rows: &mut [SparseRow]) -> Vec<f64> {
    let mut scale = vec![1.0; rows.len()];
    for _ in 0..40 {
        let factors: Vec<f64> = rows
            .iter()
            .map(|r| {
                largest(r).map_or(1.0, |(_, x)| if x != 0.0 && x.is_finite() { 1.0 / x.abs().sqrt() } else { 1.0 })
            })
            .collect();
        for (i, row) in rows.iter_mut().enumerate() {
            row.iter_mut().for_each(|(k, x)| *x *= factors[i] * factors[*k]);
        }
        scale.iter_mut().zip(&factors).for_each(|(s, f)| *s *= f);
        if factors.iter().all(|f| (0.7..1.5).contains(f)) {
            break;
        }
    }
    scale
}

/// An entry, and the largest term that went into it.
type Formed = (f64, f64);

/// Gauss with the fewest entries first, the largest entry of a row as its pivot.
struct Elimination {
    rows: Vec<BTreeMap<usize, Formed>>,
    /// (i, r, factor) of each row i ← row i − factor · row r, in order, for right sides.
    subtractions: Vec<(usize, usize, f64)>,
    /// Rows that may have an entry in a column.
    column_rows: Vec<Vec<usize>>,
    /// (entries, row) of the rows to come.
    waiting: BTreeSet<(usize, usize)>,
    pivots: Vec<(usize, usize)>,
}

/// Below this fraction of the largest term that formed it, an entry is zero.
const CANCELLED: f64 = 1e-11;

impl Elimination {
    fn new(rows: Vec<SparseRow>) -> Self {
        let formed =
            |row: SparseRow| row.into_iter().filter(|(_, x)| *x != 0.0).map(|(k, x)| (k, (x, x.abs()))).collect();
        let rows: Vec<BTreeMap<usize, Formed>> = rows.into_iter().map(formed).collect();
        let mut column_rows: Vec<Vec<usize>> = vec![Vec::new(); rows.len()];
        for (i, row) in rows.iter().enumerate() {
            row.keys().for_each(|k| column_rows[*k].push(i));
        }
        let waiting = rows.iter().enumerate().map(|(i, r)| (r.len(), i)).collect();
        Elimination { rows, subtractions: Vec::new(), column_rows, waiting, pivots: Vec::new() }
    }

    /// Eliminates all rows, or gives a vector of the null space.
    fn run(mut self) -> Result<Self, Vec<f64>> {
        while let Some((_, r)) = self.waiting.pop_first() {
            let largest = self.rows[r].iter().max_by(|a, b| a.1.0.abs().total_cmp(&b.1.0.abs()));
            match largest {
                Some((c, (x, _))) if x.is_finite() => {
                    let c = *c;
                    self.pivots.push((r, c));
                    self.clear_column(r, c);
                }
                // This row says nothing: the unknown of some column stays free. The others give the rest of a null vector.
                _ => {}
            }
        }
        if self.pivots.len() < self.rows.len() {
            return Err(self.null_vector());
        }
        Ok(self)
    }

    fn solve(&self, mut right: Vec<f64>) -> Vec<f64> {
        for (i, r, factor) in &self.subtractions {
            right[*i] -= factor * right[*r];
        }
        let start = vec![0.0; self.rows.len()];
        self.back_substitute(&right, start)
    }

    /// Subtracts multiples of row r from the rows to come, so that column c is empty in them.
    fn clear_column(&mut self, r: usize, c: usize) {
        let pivot_row = self.rows[r].clone();
        let (pivot, _) = pivot_row[&c];
        for i in std::mem::take(&mut self.column_rows[c]) {
            let key = (self.rows[i].len(), i);
            if !self.waiting.contains(&key) {
                continue;
            }
            let Some((x, _)) = self.rows[i].remove(&c) else { continue };
            let factor = x / pivot;
            self.waiting.remove(&key);
            for (k, (y, _)) in pivot_row.iter().filter(|(k, _)| **k != c) {
                let term = factor * y;
                let (old, size) = self.rows[i].get(k).copied().unwrap_or((0.0, 0.0));
                let (new, size) = (old - term, size.max(term.abs()));
                if new.abs() <= CANCELLED * size {
                    self.rows[i].remove(k);
                } else if self.rows[i].insert(*k, (new, size)).is_none() {
                    self.column_rows[*k].push(i);
                }
            }
            self.subtractions.push((i, r, factor));
            self.waiting.insert((self.rows[i].len(), i));
        }
    }

    fn back_substitute(&self, right: &[f64], mut x: Vec<f64>) -> Vec<f64> {
        for (r, c) in self.pivots.iter().rev() {
            let sum: f64 = self.rows[*r].iter().filter(|(k, _)| *k != c).map(|(k, (y, _))| y * x[*k]).sum();
            x[*c] = (right[*r] - sum) / self.rows[*r][c].0;
        }
        x
    }

    fn null_vector(&self) -> Vec<f64> {
        let n = self.rows.len();
        let free = (0..n).find(|c| self.pivots.iter().all(|p| p.1 != *c)).expect("fewer pivots than columns");
        let mut start = vec![0.0; n];
        start[free] = 1.0;
        self.back_substitute(&vec![0.0; n], start)
    }
}

#[cfg(test)]
mod tests;
