//! Small sparse linear algebra of the compile-time checks: rank row by row, and elimination with pivoting.

use std::collections::BTreeMap;

/// A sparse row: column → value.
pub type SparseRow = BTreeMap<usize, f64>;

/// Below this fraction of the terms that formed it, a number counts as zero.
const TOLERANCE: f64 = 1e-9;

/// Finds rows that depend on the rows before them: their indices.
pub fn dependent_rows(rows: &[SparseRow]) -> Vec<usize> {
    let mut kept: Vec<(usize, SparseRow)> = Vec::new();
    let mut dependent = Vec::new();
    for (r, row) in rows.iter().enumerate() {
        let mut row = row.clone();
        let scale = largest(&row).map_or(0.0, |(_, x)| x.abs());
        let mut size: BTreeMap<usize, f64> = row.iter().map(|(k, x)| (*k, x.abs())).collect();
        for (pivot, by) in &kept {
            let Some(x) = row.get(pivot).copied() else { continue };
            let factor = x / by[pivot];
            for (k, y) in by {
                *row.entry(*k).or_insert(0.0) -= factor * y;
                *size.entry(*k).or_insert(0.0) += (factor * y).abs();
            }
            row.remove(pivot);
        }
        row.retain(|k, x| x.abs() > TOLERANCE * size[k].max(TOLERANCE * scale));
        match largest(&row) {
            Some((pivot, x)) if x.abs() > TOLERANCE * scale => kept.push((pivot, row)),
            _ => dependent.push(r),
        }
    }
    dependent
}

fn largest(row: &SparseRow) -> Option<(usize, f64)> {
    row.iter().map(|(k, x)| (*k, *x)).max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()))
}

/// Solves A x = b, or gives a vector of the null space of A.
///
/// # Errors
/// A null vector of A, largest component 1.
pub fn solve(mut rows: Vec<SparseRow>, mut right: Vec<f64>) -> Result<Vec<f64>, Vec<f64>> {
    let n = rows.len();
    let scale: f64 = rows.iter().filter_map(largest).map(|(_, x)| x.abs()).fold(0.0, f64::max);
    let mut column_rows: Vec<Vec<usize>> = vec![Vec::new(); n];
    for (i, row) in rows.iter().enumerate() {
        for k in row.keys() {
            column_rows[*k].push(i);
        }
    }
    let mut done = vec![false; n];
    let mut pivots: Vec<(usize, usize)> = Vec::with_capacity(n);
    for _ in 0..n {
        let Some((r, c)) = choose_pivot(&rows, &done, scale) else { return Err(null_vector(&rows, &pivots, n)) };
        done[r] = true;
        pivots.push((r, c));
        let pivot_row = rows[r].clone();
        let pivot = pivot_row[&c];
        for i in std::mem::take(&mut column_rows[c]) {
            let Some(x) = rows[i].get(&c).copied().filter(|_| !done[i]) else { continue };
            let factor = x / pivot;
            rows[i].remove(&c);
            for (k, y) in pivot_row.iter().filter(|(k, _)| **k != c) {
                let old = rows[i].get(k).copied();
                let new = old.unwrap_or(0.0) - factor * y;
                if old.is_none() {
                    column_rows[*k].push(i);
                }
                let cancelled = new.abs() <= 1e-14 * (old.unwrap_or(0.0).abs() + (factor * y).abs());
                rows[i].insert(*k, if cancelled { 0.0 } else { new });
            }
            right[i] -= factor * right[r];
        }
    }
    Ok(back_substitute(&rows, &pivots, &right, vec![0.0; n]))
}

/// Fewest entries first among rows whose largest entry is well above round-off; in it the largest entry.
fn choose_pivot(rows: &[SparseRow], done: &[bool], scale: f64) -> Option<(usize, usize)> {
    let mut best: Option<(usize, usize, usize)> = None;
    for (i, row) in rows.iter().enumerate().filter(|(i, _)| !done[*i]) {
        let count = row.values().filter(|x| **x != 0.0).count();
        if best.is_some_and(|b| b.0 <= count) {
            continue;
        }
        if let Some((c, x)) = largest(row)
            && x.abs() > 1e-12 * scale
        {
            best = Some((count, i, c));
        }
    }
    best.map(|(_, r, c)| (r, c))
}

fn back_substitute(rows: &[SparseRow], pivots: &[(usize, usize)], right: &[f64], mut x: Vec<f64>) -> Vec<f64> {
    for (r, c) in pivots.iter().rev() {
        let sum: f64 = rows[*r].iter().filter(|(k, _)| *k != c).map(|(k, y)| y * x[*k]).sum();
        x[*c] = (right[*r] - sum) / rows[*r][c];
    }
    x
}

fn null_vector(rows: &[SparseRow], pivots: &[(usize, usize)], n: usize) -> Vec<f64> {
    let free = (0..n).find(|c| pivots.iter().all(|p| p.1 != *c)).expect("fewer pivots than columns");
    let mut start = vec![0.0; n];
    start[free] = 1.0;
    let x = back_substitute(rows, pivots, &vec![0.0; n], start);
    let size = x.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
    x.into_iter().map(|v| v / size).collect()
}
