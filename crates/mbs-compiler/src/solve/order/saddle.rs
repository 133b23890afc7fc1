//! The matrix of a saddle-point problem.

use std::collections::BTreeMap;

use crate::derive::Matrix;
use crate::graph::NodeId;

/// The matrix [M Gᵀ; G D] of a saddle-point problem as nodes, with a symmetric pattern: speeds `0..n`, rows from `n` on.
#[derive(Clone)]
pub struct Saddle {
    /// Number of speeds.
    pub n: usize,
    /// Entries row by row, in both triangles.
    pub rows: Vec<BTreeMap<usize, NodeId>>,
}

impl Saddle {
    /// Assembles the matrix from the lower triangle of M, from G, and from the diagonal entries of rows that can be switched off.
    pub fn new(n: usize, n_c: usize, mass: &Matrix, jacobian: &Matrix, diagonal: &Matrix) -> Saddle {
        let mut rows = vec![BTreeMap::new(); n + n_c];
        for ((i, j), m) in mass {
            rows[*i].insert(*j, *m);
            rows[*j].insert(*i, *m);
        }
        for ((r, i), g) in jacobian {
            rows[n + r].insert(*i, *g);
            rows[*i].insert(n + r, *g);
        }
        for ((r, _), d) in diagonal {
            rows[n + r].insert(n + r, *d);
        }
        Saddle { n, rows }
    }

    /// Number of unknowns.
    pub fn size(&self) -> usize {
        self.rows.len()
    }

    /// Name of an unknown: `v2` for a speed, `lambda0` for a row.
    pub fn label(&self, i: usize) -> String {
        Saddle::unknown_label(self.n, i)
    }

    /// As [`Saddle::label`], in a system of n speeds.
    pub fn unknown_label(n: usize, i: usize) -> String {
        if i < n { format!("v{i}") } else { format!("lambda{}", i - n) }
    }

    /// Speeds without a diagonal entry in M.
    pub fn massless(&self) -> Vec<usize> {
        (0..self.n).filter(|i| !self.rows[*i].contains_key(i)).collect()
    }
}
