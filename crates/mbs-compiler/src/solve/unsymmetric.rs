//! Symbolic sparse LU of a matrix with a symmetric pattern, in an order that is certified for a related symmetric matrix.
//!
//! For short steps the matrix tends to the symmetric one, and so do its pivots: those of speeds are positive, those of rows negative. The
//! round-off of a pivot is estimated as for the symmetric matrix.

use std::collections::BTreeMap;

use super::{Block, Saddle, inverse, magnitude, product, suggest};
use crate::graph::{Graph, NodeId};

/// The factorisation of a matrix as nodes: L with ones on its diagonal times U, with equations and unknowns in orders of their own.
pub struct Elimination {
    steps: Vec<Step>,
    /// For each unknown that its own equation eliminates: the unknown, its pivot, and approximately the sum of the absolute terms of which the
    /// pivot is the sum.
    pub pivots: Vec<(usize, NodeId, NodeId)>,
}

/// The elimination of an unknown by an equation.
struct Step {
    equation: usize,
    unknown: usize,
    /// Entries (i, l) of the equation's column of L.
    column: Vec<(usize, NodeId)>,
    /// Entries (j, u) of the equation without the pivot.
    row: Vec<(usize, NodeId)>,
    /// 1 / pivot.
    inverse: NodeId,
}

impl Elimination {
    /// Eliminates in a given order; `None` if a pivot is structurally zero, or that of a speed with a row is no literal. The pattern is
    /// symmetric, zeros included; unknowns below `n` are speeds, the others rows; `diagonal_parts[i]` is the part of diagonal entry i known to
    /// have the sign of its pivot.
    pub fn new(
        graph: &Graph,
        n: usize,
        matrix: &[BTreeMap<usize, NodeId>],
        diagonal_parts: &[NodeId],
        order: &[Block],
    ) -> Option<Elimination> {
        let zero = graph.constant(0.0);
        // As in `Factor`: terms that have the sign of the pivot.
        let mut remaining = Remaining { graph, n, zero, w: matrix.to_vec(), sign_terms: diagonal_parts.to_vec() };
        let mut found = Elimination { steps: Vec::new(), pivots: Vec::new() };
        for block in order {
            match *block {
                Block::One(p) => {
                    let (step, pivot) = remaining.eliminate(p)?;
                    found.steps.push(step);
                    found.pivots.push(pivot);
                }
                Block::Pair { speed, row } => found.steps.extend(remaining.eliminate_pair(speed, row)?),
            }
        }
        Some(found)
    }

    /// Solution A⁻¹ r for the right side r.
    pub fn solve(&self, graph: &Graph, right: &[NodeId]) -> Vec<NodeId> {
        let mut r = right.to_vec();
        for Step { equation, column, .. } in &self.steps {
            for (i, l) in column {
                r[*i] = graph.sub(r[*i], graph.mul(*l, r[*equation]));
            }
        }
        let mut x = r.clone();
        for Step { equation, unknown, row, inverse, .. } in self.steps.iter().rev() {
            let remainder = row.iter().fold(r[*equation], |sum, (j, u)| graph.sub(sum, graph.mul(*u, x[*j])));
            x[*unknown] = graph.mul(remainder, *inverse);
        }
        x
    }
}

/// The matrix of the unknowns that remain.
struct Remaining<'a> {
    graph: &'a Graph,
    n: usize,
    zero: NodeId,
    /// Entries of each equation by unknown.
    w: Vec<BTreeMap<usize, NodeId>>,
    /// Sum of the terms of each diagonal entry that have the sign of its pivot.
    sign_terms: Vec<NodeId>,
}

impl Remaining<'_> {
    /// Eliminates an unknown by its own equation: the step, and the unknown with its pivot and the magnitude of that.
    fn eliminate(&mut self, p: usize) -> Option<(Step, (usize, NodeId, NodeId))> {
        let (graph, n) = (self.graph, self.n);
        let (step, pivot, below) = self.take(p, p)?;
        suggest(graph, pivot, || format!("pivot_{}", Saddle::unknown_label(n, p)));
        let (row, column) = (&step.row, &step.column);
        let is_symmetric = |a: usize| below[a] == row[a].1;
        for (a, b) in (0..row.len()).flat_map(|a| (0..row.len()).map(move |b| (a, b))) {
            // Where the matrix is symmetric, so is the update: one product serves both triangles.
            let (l, u) = if a < b && is_symmetric(a) && is_symmetric(b) { (b, a) } else { (a, b) };
            let product = graph.mul(column[l].1, row[u].1);
            let (i, j) = (row[a].0, row[b].0);
            self.subtract(i, j, product);
            if i == j && (p >= n) != (i >= n) {
                let term = if p >= n { graph.neg(product) } else { product };
                self.sign_terms[i] = graph.add(self.sign_terms[i], term);
            }
        }
        let size = if p < n { pivot } else { graph.neg(pivot) };
        Some((step, (p, pivot, magnitude(graph, self.sign_terms[p], size))))
    }

    /// Eliminates a speed by a row, then the row's multiplier by the speed's equation.
    fn eliminate_pair(&mut self, speed: usize, row: usize) -> Option<[Step; 2]> {
        let graph = self.graph;
        let mass = self.w[speed].get(&speed).copied().unwrap_or(self.zero);
        let steps = [(row, speed), (speed, row)].map(|(equation, unknown)| {
            let (step, pivot, _) = self.take(equation, unknown)?;
            graph.value(pivot)?;
            for ((i, l), (j, u)) in step.column.iter().flat_map(|l| step.row.iter().map(move |u| (l, u))) {
                self.subtract(*i, *j, product(graph, *l, *u));
            }
            Some(step)
        });
        let [Some(first), Some(second)] = steps else { return None };
        // The part m cᵢ² of the change of diagonal entry i.
        for (i, l) in second.column.iter().filter(|(i, _)| *i < self.n) {
            if let Some((_, u)) = first.row.iter().find(|(j, _)| j == i) {
                let squared = graph.mul(*l, graph.mul(mass, graph.mul(*u, first.inverse)));
                self.sign_terms[*i] = graph.add(self.sign_terms[*i], squared);
            }
        }
        Some([first, second])
    }

    /// Takes an equation and an unknown from the matrix: the step, its pivot, and the entries of the unknown in the order of `Step::column`.
    /// `None` if the pivot is zero.
    fn take(&mut self, equation: usize, unknown: usize) -> Option<(Step, NodeId, Vec<NodeId>)> {
        let (graph, zero) = (self.graph, self.zero);
        let mut row = std::mem::take(&mut self.w[equation]);
        let pivot = row.remove(&unknown).filter(|pivot| *pivot != zero)?;
        let inverse = inverse(graph, pivot);
        let below: Vec<(usize, NodeId)> =
            self.w.iter_mut().enumerate().filter_map(|(i, w)| Some((i, w.remove(&unknown)?))).collect();
        let column: Vec<(usize, NodeId)> = below.iter().map(|(i, x)| (*i, product(graph, *x, inverse))).collect();
        let label = |i: usize| Saddle::unknown_label(self.n, i);
        for (i, l) in &column {
            suggest(graph, *l, || format!("l_{}_{}", label(*i), label(unknown)));
        }
        let step = Step { equation, unknown, column, row: row.into_iter().collect(), inverse };
        Some((step, pivot, below.into_iter().map(|(_, x)| x).collect()))
    }

    fn subtract(&mut self, i: usize, j: usize, product: NodeId) {
        let old = self.w[i].get(&j).copied().unwrap_or(self.zero);
        self.w[i].insert(j, self.graph.sub(old, product));
    }
}
