//! Speeds that satisfy linear rows with least effort.

use super::assemble::saddle;
use crate::linear::{SparseRow, dependent_rows, solve};

/// The shortest v with row · v = right for each row; rows that depend on earlier ones are left out.
pub fn least_speeds(n: usize, rows: &[(SparseRow, f64)]) -> Vec<f64> {
    let matrix: Vec<SparseRow> = rows.iter().map(|r| r.0.clone()).collect();
    let dependent = dependent_rows(&matrix);
    let kept: Vec<usize> = (0..rows.len()).filter(|r| !dependent.contains(r)).collect();
    let unit: Vec<SparseRow> = (0..n).map(|i| SparseRow::from([(i, 1.0)])).collect();
    let mut right = vec![0.0; n];
    right.extend(kept.iter().map(|r| rows[*r].1));
    let kept: Vec<SparseRow> = kept.iter().map(|r| matrix[*r].clone()).collect();
    match solve(saddle(&unit, &kept), right) {
        Ok(x) if x.iter().all(|v| v.is_finite()) => x[..n].to_vec(),
        _ => vec![0.0; n],
    }
}
