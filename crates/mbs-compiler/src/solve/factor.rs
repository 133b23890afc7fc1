//! The symbolic factorisation L D Lᵀ, and solutions with it.

use std::collections::BTreeMap;

use super::{Saddle, suggest};
use crate::graph::{Graph, NodeId};

/// The factorisation L D Lᵀ = P K Pᵀ as nodes, with P the elimination order.
pub struct Factor {
    /// Elimination order: speeds are `0..n`, rows `n..n + n_c`.
    pub order: Vec<usize>,
    /// For each eliminated index, in order: entries (j, l) of its column of L.
    columns: Vec<Vec<(usize, NodeId)>>,
    /// 1 / d, in order.
    inverse: Vec<NodeId>,
    /// Each pivot d, and the sum of the absolute terms of which it is the sum, in order.
    pub pivots: Vec<(NodeId, NodeId)>,
}

impl Factor {
    /// Factorises in a given order; `None` if a pivot is structurally zero.
    pub fn new(graph: &Graph, saddle: &Saddle, order: Vec<usize>) -> Option<Factor> {
        let zero = graph.constant(0.0);
        let size = saddle.size();
        let mut w: Vec<BTreeMap<usize, NodeId>> = saddle.rows.clone();
        // Pivots of speeds are positive, pivots of rows negative: every leading block of a certified order has that inertia.
        // So d = ±(A − B) with A the terms that have the sign of d, and the sum of absolute terms is A + B = 2A − |d|.
        let mut sign_terms: Vec<NodeId> = vec![zero; size];
        for (i, row) in w.iter().enumerate() {
            let diagonal = row.get(&i).copied().unwrap_or(zero);
            sign_terms[i] = if i < saddle.n { diagonal } else { graph.neg(diagonal) };
        }
        let mut factor = Factor { order, columns: Vec::new(), inverse: Vec::new(), pivots: Vec::new() };
        for &p in &factor.order {
            let column = std::mem::take(&mut w[p]);
            let pivot = *column.get(&p)?;
            if pivot == zero {
                return None;
            }
            suggest(graph, pivot, || format!("pivot_{}", saddle.label(p)));
            let inverse = graph.inv(pivot);
            let neighbours: Vec<(usize, NodeId)> = column.into_iter().filter(|(j, _)| *j != p).collect();
            let scaled: Vec<(usize, NodeId)> = neighbours.iter().map(|(j, x)| (*j, graph.mul(*x, inverse))).collect();
            for (j, l) in &scaled {
                suggest(graph, *l, || format!("l_{}_{}", saddle.label(*j), saddle.label(p)));
            }
            for (a, (j, l)) in scaled.iter().enumerate() {
                w[*j].remove(&p);
                for (k, x) in &neighbours[..=a] {
                    let product = graph.mul(*l, *x);
                    let old = w[*j].get(k).copied().unwrap_or(zero);
                    let new = graph.sub(old, product);
                    set(&mut w, *j, *k, new, zero);
                    let [eliminates_row, changes_row] = [p >= saddle.n, *j >= saddle.n];
                    if j == k && eliminates_row != changes_row {
                        let term = if eliminates_row { graph.neg(product) } else { product };
                        sign_terms[*j] = graph.add(sign_terms[*j], term);
                    }
                }
            }
            let absolute = if p < saddle.n { pivot } else { graph.neg(pivot) };
            let magnitude = if sign_terms[p] == absolute {
                absolute
            } else {
                graph.sub(graph.mul(graph.constant(2.0), sign_terms[p]), absolute)
            };
            factor.pivots.push((pivot, magnitude));
            factor.inverse.push(inverse);
            factor.columns.push(scaled);
        }
        Some(factor)
    }

    /// Solution K⁻¹ r of the factorised system for the right side r.
    pub fn solve(&self, graph: &Graph, saddle: &Saddle, right: &[NodeId]) -> Vec<NodeId> {
        let mut r = right.to_vec();
        for (p, column) in self.order.iter().zip(&self.columns) {
            suggest(graph, r[*p], || format!("right_{}", saddle.label(*p)));
            for (j, l) in column {
                r[*j] = graph.sub(r[*j], graph.mul(*l, r[*p]));
            }
        }
        let mut x = r.clone();
        for ((p, column), inverse) in self.order.iter().zip(&self.columns).zip(&self.inverse).rev() {
            let mut value = graph.mul(r[*p], *inverse);
            for (j, l) in column {
                value = graph.sub(value, graph.mul(*l, x[*j]));
            }
            x[*p] = value;
        }
        x
    }

    /// [`Factor::solve`] as a table for [`mbs_core::substitute`], with the entries of L and D⁻¹ to which it refers.
    pub fn steps(&self) -> (Vec<u32>, Vec<NodeId>) {
        let (mut entries, mut backward) = (Vec::new(), Vec::new());
        // Entries of each row of L, in the order of elimination.
        let mut rows: Vec<Vec<[u32; 2]>> = vec![Vec::new(); self.order.len()];
        for ((p, column), inverse) in self.order.iter().zip(&self.columns).zip(&self.inverse) {
            let first = entries.len() as u32;
            let terms: Vec<[u32; 2]> = column.iter().zip(first..).map(|((j, _), l)| [l, *j as u32]).collect();
            terms.iter().for_each(|[l, j]| rows[*j as usize].push([*l, *p as u32]));
            entries.extend(column.iter().map(|(_, l)| *l));
            backward.push((*p as u32, entries.len() as u32, terms));
            entries.push(*inverse);
        }
        let forward = self.order.iter().map(|p| (*p as u32, mbs_core::NO_SCALE, std::mem::take(&mut rows[*p])));
        let forward: Vec<_> = forward.filter(|(.., terms)| !terms.is_empty()).collect();
        let steps = forward.into_iter().chain(backward.into_iter().rev());
        let flat = steps.flat_map(|(unknown, scale, terms)| {
            [unknown, scale, terms.len() as u32].into_iter().chain(terms.into_iter().flatten())
        });
        (flat.collect(), entries)
    }

    /// Number of products of entries of L with unknowns that a solution takes which leaves out zeros: `is_zero` of each unknown's right side.
    pub fn sparse_products(&self, is_zero: impl Fn(usize) -> bool) -> usize {
        let mut nonzero: Vec<bool> = (0..self.order.len()).map(|i| !is_zero(i)).collect();
        let mut products = 0;
        for (p, column) in self.order.iter().zip(&self.columns).filter(|(_, column)| !column.is_empty()) {
            if nonzero[*p] {
                column.iter().for_each(|(j, _)| nonzero[*j] = true);
                products += column.len();
            }
        }
        for (p, column) in self.order.iter().zip(&self.columns).rev() {
            let terms = column.iter().filter(|(j, _)| nonzero[*j]).count();
            nonzero[*p] |= terms > 0;
            products += terms;
        }
        products
    }

    /// Number of these products in a solution that leaves out none.
    pub fn products(&self) -> usize {
        2 * self.columns.iter().map(Vec::len).sum::<usize>()
    }

    /// K⁻¹, of which one triangle is computed: (L⁻¹)ᵀ D⁻¹ L⁻¹ in the order of elimination.
    pub fn inverse_matrix(&self, graph: &Graph) -> Vec<Vec<NodeId>> {
        let (zero, size) = (graph.constant(0.0), self.order.len());
        // Rows of L⁻¹ by their unknowns; entries by column.
        let mut rows: Vec<BTreeMap<usize, NodeId>> = vec![BTreeMap::new(); size];
        for (p, column) in self.order.iter().zip(&self.columns) {
            rows[*p].insert(*p, graph.constant(1.0));
            let row = rows[*p].clone();
            for (j, l) in column {
                for (c, x) in &row {
                    let old = rows[*j].get(c).copied().unwrap_or(zero);
                    rows[*j].insert(*c, graph.sub(old, graph.mul(*l, *x)));
                }
            }
        }
        let mut inverse = vec![vec![zero; size]; size];
        for (p, d) in self.order.iter().zip(&self.inverse).rev() {
            let scaled: BTreeMap<usize, NodeId> = rows[*p].iter().map(|(c, x)| (*c, graph.mul(*x, *d))).collect();
            for (i, x) in &rows[*p] {
                for (j, y) in scaled.range(..=*i) {
                    inverse[*i][*j] = graph.add(inverse[*i][*j], graph.mul(*x, *y));
                }
            }
        }
        for i in 0..size {
            let (above, row) = inverse.split_at_mut(i);
            above.iter_mut().zip(&row[0]).for_each(|(above, x)| above[i] = *x);
        }
        inverse
    }
}

/// Sets the entries (j, k) and (k, j) of a symmetric matrix.
fn set(w: &mut [BTreeMap<usize, NodeId>], j: usize, k: usize, value: NodeId, zero: NodeId) {
    if value == zero {
        w[j].remove(&k);
        w[k].remove(&j);
    } else {
        w[j].insert(k, value);
        w[k].insert(j, value);
    }
}
