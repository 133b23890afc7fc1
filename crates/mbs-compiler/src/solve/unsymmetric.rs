//! Symbolic sparse LU of a matrix with a symmetric pattern, in an order that is certified for a related symmetric matrix.
//!
//! For short steps the matrix tends to the symmetric one, and so do its pivots: those of speeds are positive, those of rows negative. The
//! round-off of a pivot is estimated as for the symmetric matrix.

use std::collections::BTreeMap;

use super::{Saddle, suggest};
use crate::graph::{Graph, NodeId};

/// The factorisation L U = P A Pᵀ as nodes, L with ones on its diagonal.
pub struct Elimination {
    /// The eliminated unknowns, in order.
    order: Vec<usize>,
    /// For each unknown, in order: entries (i, l) of its column of L, and (j, u) of its row of U without the pivot.
    columns: Vec<Vec<(usize, NodeId)>>,
    rows: Vec<Vec<(usize, NodeId)>>,
    /// 1 / pivot, in order.
    inverse: Vec<NodeId>,
    /// The eliminated unknown, its pivot, and approximately the sum of the absolute terms of which the pivot is the sum.
    pub pivots: Vec<(usize, NodeId, NodeId)>,
}

impl Elimination {
    /// Eliminates in a given order; `None` if a pivot is structurally zero. The pattern is symmetric, zeros included; unknowns below `n`
    /// are speeds, the others rows; `diagonal_parts[i]` is the part of diagonal entry i known to have the sign of its pivot.
    pub fn new(
        graph: &Graph,
        n: usize,
        matrix: &[BTreeMap<usize, NodeId>],
        diagonal_parts: &[NodeId],
        order: &[usize],
    ) -> Option<Elimination> {
        let zero = graph.constant(0.0);
        let mut w = matrix.to_vec();
        // As in `Factor`: terms that have the sign of the pivot.
        let mut sign_terms = diagonal_parts.to_vec();
        let label = |i: usize| Saddle::unknown_label(n, i);
        let mut found = Elimination {
            order: order.to_vec(),
            columns: Vec::new(),
            rows: Vec::new(),
            inverse: Vec::new(),
            pivots: Vec::new(),
        };
        for &p in order {
            let row = std::mem::take(&mut w[p]);
            let pivot = *row.get(&p)?;
            if pivot == zero {
                return None;
            }
            suggest(graph, pivot, || format!("pivot_{}", label(p)));
            let inverse = graph.inv(pivot);
            let row: Vec<(usize, NodeId)> = row.into_iter().filter(|(j, _)| *j != p).collect();
            let below: Vec<NodeId> = row.iter().map(|(i, _)| w[*i].remove(&p).unwrap_or(zero)).collect();
            let column: Vec<(usize, NodeId)> =
                row.iter().zip(&below).map(|((i, _), x)| (*i, graph.mul(*x, inverse))).collect();
            for (i, l) in &column {
                suggest(graph, *l, || format!("l_{}_{}", label(*i), label(p)));
            }
            let is_symmetric = |a: usize| below[a] == row[a].1;
            for (a, b) in (0..row.len()).flat_map(|a| (0..row.len()).map(move |b| (a, b))) {
                // Where the matrix is symmetric, so is the update: one product serves both triangles.
                let (l, u) = if a < b && is_symmetric(a) && is_symmetric(b) { (b, a) } else { (a, b) };
                let product = graph.mul(column[l].1, row[u].1);
                let (i, j) = (row[a].0, row[b].0);
                let old = w[i].get(&j).copied().unwrap_or(zero);
                w[i].insert(j, graph.sub(old, product));
                if i == j && (p >= n) != (i >= n) {
                    let term = if p >= n { graph.neg(product) } else { product };
                    sign_terms[i] = graph.add(sign_terms[i], term);
                }
            }
            let size = if p < n { pivot } else { graph.neg(pivot) };
            let magnitude = match sign_terms[p] == size {
                true => size,
                false => graph.sub(graph.mul(graph.constant(2.0), sign_terms[p]), size),
            };
            found.pivots.push((p, pivot, magnitude));
            found.inverse.push(inverse);
            found.columns.push(column);
            found.rows.push(row);
        }
        Some(found)
    }

    /// Solution A⁻¹ r for the right side r.
    pub fn solve(&self, graph: &Graph, right: &[NodeId]) -> Vec<NodeId> {
        let mut r = right.to_vec();
        for (p, column) in self.order.iter().zip(&self.columns) {
            for (i, l) in column {
                r[*i] = graph.sub(r[*i], graph.mul(*l, r[*p]));
            }
        }
        let mut x = r.clone();
        for ((p, row), inverse) in self.order.iter().zip(&self.rows).zip(&self.inverse).rev() {
            let remainder = row.iter().fold(r[*p], |sum, (j, u)| graph.sub(sum, graph.mul(*u, x[*j])));
            x[*p] = graph.mul(remainder, *inverse);
        }
        x
    }
}
