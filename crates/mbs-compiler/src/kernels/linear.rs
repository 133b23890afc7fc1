//! Linear equations for corrections of Newton's method, solved in the certified order that needs the fewest operations.

use std::collections::BTreeMap;

use super::system::System;
use super::{Context, Solved};
use crate::graph::{Graph, NodeId, Stage};
use crate::optimize::count;
use crate::schedule::{Check, OutputArray};
use crate::solve::{Block, Elimination, Saddle, candidate_orders};
use crate::states::States;

/// Limit of compile time: number of operations, summed over the orders examined, beyond which the cheapest order so far is used.
const OPERATION_LIMIT: usize = 40_000;

/// A linear system: a matrix and a right side.
pub(super) struct LinearSystem {
    /// Limit of the matrix for short steps, with the pattern of the matrix, for which orders are certified.
    pub saddle: Saddle,
    /// Part of each diagonal entry that has the sign of its pivot; it determines the round-off of the pivot.
    pub diagonal_parts: Vec<NodeId>,
    /// The matrix row by row, with a symmetric pattern.
    pub matrix: Vec<BTreeMap<usize, NodeId>>,
    /// Right side, row by row.
    pub right: Vec<NodeId>,
    /// An elimination order to try before those that the search finds.
    pub known_order: Option<Vec<Block>>,
}

/// A solution in one order.
struct Candidate {
    operations: usize,
    outputs: Vec<OutputArray>,
    pivots: Vec<(usize, NodeId, NodeId)>,
}

impl LinearSystem {
    /// Creates equations whose first `n` unknowns have masses on the diagonal; the other unknowns belong to rows.
    pub fn new(graph: &Graph, n: usize, matrix: Vec<BTreeMap<usize, NodeId>>, right: Vec<NodeId>) -> LinearSystem {
        let part = |(i, row): (usize, &BTreeMap<usize, NodeId>)| {
            row.get(&i).map_or(graph.constant(0.0), |d| if i < n { *d } else { graph.neg(*d) })
        };
        let diagonal_parts = matrix.iter().enumerate().map(part).collect();
        LinearSystem { saddle: Saddle { n, rows: matrix.clone() }, diagonal_parts, matrix, right, known_order: None }
    }

    /// Solves in the cheapest order: the outputs that `outputs` computes from the solution, and the checks of pivots that depend on the
    /// state. `None` if no certified order has nonzero pivots.
    pub fn solve(
        &self,
        graph: &Graph,
        states: &States,
        outputs: &dyn Fn(&[NodeId]) -> Vec<OutputArray>,
    ) -> Option<(Vec<OutputArray>, Vec<Check>)> {
        let candidate = self.cheapest(graph, states, outputs)?;
        let at_run_time = candidate.pivots.into_iter().filter(|(_, pivot, _)| graph.stage(*pivot) >= Stage::Position);
        let checks = at_run_time.map(|(row, pivot, magnitude)| Check { pivot, magnitude, row }).collect();
        Some((candidate.outputs, checks))
    }

    fn cheapest(
        &self,
        graph: &Graph,
        states: &States,
        outputs: &dyn Fn(&[NodeId]) -> Vec<OutputArray>,
    ) -> Option<Candidate> {
        let saddle = &self.saddle;
        let (tries, keep) = match saddle.size() {
            0..=60 => (40, 6),
            61..=200 => (6, 1),
            _ => (1, 1),
        };
        let mut best: Option<Candidate> = None;
        let mut counted_operations = 0;
        for order in self.known_order.iter().cloned().chain(candidate_orders(graph, states, saddle, tries, keep)) {
            if counted_operations > OPERATION_LIMIT {
                break;
            }
            let Some(elimination) = Elimination::new(graph, saddle.n, &self.matrix, &self.diagonal_parts, &order)
            else {
                continue;
            };
            let outputs = outputs(&elimination.solve(graph, &self.right));
            let roots: Vec<NodeId> = outputs.iter().flat_map(|o| o.nodes.iter().copied()).collect();
            let operations = count(graph, &roots).operations;
            counted_operations += operations;
            if best.as_ref().is_none_or(|best| operations < best.operations) {
                best = Some(Candidate { operations, outputs, pivots: elimination.pivots });
            }
        }
        best
    }
}

impl Context<'_> {
    /// Elimination order of the factorisation of accelerations; `None` where the solver's speeds differ from the interface's, because an
    /// order certified for other speeds is not certified for these.
    pub(super) fn order_of_accelerations(&self, solved: &Solved<'_>) -> Option<Vec<Block>> {
        match &solved.system {
            System::Saddle { factor, contacts: None, .. } if self.has_interface_speeds() => Some(factor.order.clone()),
            _ => None,
        }
    }
}
