//! Linear equations for corrections, solved in the certified order that needs the fewest operations.

use std::collections::BTreeMap;

use super::system::System;
use super::{Context, Solved};
use crate::derive::Derivatives;
use crate::graph::{Graph, NodeId, Stage};
use crate::optimize::count;
use crate::schedule::{Check, OutputArray};
use crate::solve::{Elimination, Saddle, candidate_orders};
use crate::states::States;

/// Limit of compile time: number of operations, summed over the orders examined, beyond which the cheapest order so far is used.
const LOOKED_AT: usize = 40_000;

/// A matrix and a right side.
pub(super) struct Linear {
    /// Limit of the matrix for short steps, with the pattern of the matrix, for which orders are certified.
    pub saddle: Saddle,
    /// Part of each diagonal entry that has the sign of its pivot; it determines the round-off of the pivot.
    pub own: Vec<NodeId>,
    /// The matrix row by row, with a symmetric pattern.
    pub matrix: Vec<BTreeMap<usize, NodeId>>,
    /// Right side, row by row.
    pub right: Vec<NodeId>,
    /// An order to try in addition to those that are searched.
    pub first: Option<Vec<usize>>,
}

/// A solution in one order.
struct Written {
    operations: usize,
    outputs: Vec<OutputArray>,
    pivots: Vec<(usize, NodeId, NodeId)>,
}

impl Linear {
    /// Creates equations whose first `n` unknowns have masses on the diagonal; the other unknowns belong to rows.
    pub fn new(graph: &Graph, n: usize, matrix: Vec<BTreeMap<usize, NodeId>>, right: Vec<NodeId>) -> Linear {
        let own = |(i, row): (usize, &BTreeMap<usize, NodeId>)| {
            row.get(&i).map_or(graph.number(0.0), |d| if i < n { *d } else { graph.neg(*d) })
        };
        let own = matrix.iter().enumerate().map(own).collect();
        Linear { saddle: Saddle { n, rows: matrix.clone() }, own, matrix, right, first: None }
    }

    /// Outputs computed from the solution, and the checks of pivots that are known at run time.
    pub fn solved(
        &self,
        graph: &Graph,
        states: &States,
        outputs: &dyn Fn(&[NodeId]) -> Vec<OutputArray>,
    ) -> Option<(Vec<OutputArray>, Vec<Check>)> {
        let written = self.cheapest(graph, states, outputs)?;
        let at_run_time = written.pivots.into_iter().filter(|(_, pivot, _)| graph.stage(*pivot) >= Stage::Position);
        let checks = at_run_time.map(|(row, pivot, magnitude)| Check { pivot, magnitude, row }).collect();
        Some((written.outputs, checks))
    }

    fn cheapest(
        &self,
        graph: &Graph,
        states: &States,
        outputs: &dyn Fn(&[NodeId]) -> Vec<OutputArray>,
    ) -> Option<Written> {
        let saddle = &self.saddle;
        let (tries, keep) = match saddle.size() {
            0..=60 => (40, 6),
            61..=200 => (6, 1),
            _ => (1, 1),
        };
        let mut best: Option<Written> = None;
        let mut looked_at = 0;
        for order in self.first.iter().cloned().chain(candidate_orders(graph, states, saddle, tries, keep)) {
            if looked_at > LOOKED_AT {
                break;
            }
            let Some(elimination) = Elimination::new(graph, saddle.n, (&self.matrix, &self.own), &order) else {
                continue;
            };
            let outputs = outputs(&elimination.solve(graph, &self.right));
            let roots: Vec<NodeId> = outputs.iter().flat_map(|o| o.nodes.iter().copied()).collect();
            let operations = count(graph, &roots).operations;
            looked_at += operations;
            if best.as_ref().is_none_or(|best| operations < best.operations) {
                best = Some(Written { operations, outputs, pivots: elimination.pivots });
            }
        }
        best
    }
}

impl Context<'_> {
    /// Elimination order of the accelerations' factorisation, where the solver's speeds are the interface's: an order certified for other
    /// speeds is not certified for these.
    pub(super) fn order_of_accelerations(&self, solved: &Solved<'_>) -> Option<Vec<usize>> {
        let one = self.graph.number(1.0);
        let own = |(i, derivatives): (usize, &Derivatives)| derivatives[..] == [(i, one)];
        match &solved.system {
            System::Saddle { factor, contacts: None, .. }
                if self.equations.solver_derivatives.iter().enumerate().all(own) =>
            {
                Some(factor.order.clone())
            }
            _ => None,
        }
    }
}
