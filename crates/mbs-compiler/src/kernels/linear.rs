//! Linear equations of corrections, solved in the certified order that needs the fewest operations.

use std::collections::BTreeMap;

use super::system::System;
use super::{Context, Solved};
use crate::derive::Slopes;
use crate::graph::{Graph, NodeId, Stage};
use crate::optimize::count;
use crate::schedule::{Check, OutputArray};
use crate::solve::{Elimination, Saddle, candidate_orders};

/// Operations of all orders that are written out and counted, beyond which the cheapest so far is taken: compile time.
const LOOKED_AT: usize = 40_000;

/// A matrix and a right side.
pub(super) struct Linear {
    /// What certifies orders: what the matrix becomes for short steps, with the pattern of the matrix.
    pub saddle: Saddle,
    /// What of each diagonal entry has the sign of its pivot, by which it is judged how much of that is round-off.
    pub own: Vec<NodeId>,
    /// Row by row; where an entry is, its mirror image is.
    pub matrix: Vec<BTreeMap<usize, NodeId>>,
    /// Of each row.
    pub right: Vec<NodeId>,
    /// An order beside those that are searched.
    pub first: Option<Vec<usize>>,
}

/// A solution in one order.
struct Written {
    operations: usize,
    outputs: Vec<OutputArray>,
    pivots: Vec<(usize, NodeId, NodeId)>,
}

impl Linear {
    /// The first `n` unknowns have masses on the diagonal, the others are rows.
    pub fn new(graph: &Graph, n: usize, matrix: Vec<BTreeMap<usize, NodeId>>, right: Vec<NodeId>) -> Linear {
        let own = |(i, row): (usize, &BTreeMap<usize, NodeId>)| {
            row.get(&i).map_or(graph.number(0.0), |d| if i < n { *d } else { graph.neg(*d) })
        };
        let own = matrix.iter().enumerate().map(own).collect();
        Linear { saddle: Saddle { n, rows: matrix.clone() }, own, matrix, right, first: None }
    }

    /// What is made of the solution, and the checks of pivots that are known at run time.
    pub fn solved(
        &self,
        graph: &Graph,
        outputs: &dyn Fn(&[NodeId]) -> Vec<OutputArray>,
    ) -> Option<(Vec<OutputArray>, Vec<Check>)> {
        let written = self.cheapest(graph, outputs)?;
        let at_run_time = written.pivots.into_iter().filter(|(_, pivot, _)| graph.stage(*pivot) >= Stage::Position);
        let checks = at_run_time.map(|(row, pivot, magnitude)| Check { pivot, magnitude, row }).collect();
        Some((written.outputs, checks))
    }

    fn cheapest(&self, graph: &Graph, outputs: &dyn Fn(&[NodeId]) -> Vec<OutputArray>) -> Option<Written> {
        let saddle = &self.saddle;
        let (tries, keep) = match saddle.size() {
            0..=60 => (40, 6),
            61..=200 => (6, 1),
            _ => (1, 1),
        };
        let mut best: Option<Written> = None;
        let mut looked_at = 0;
        for order in self.first.iter().cloned().chain(candidate_orders(graph, saddle, tries, keep)) {
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
    /// The order of the accelerations' factorisation, where the solver's speeds are the interface's: certified for other speeds it is not for
    /// these.
    pub(super) fn order_of_accelerations(&self, solved: &Solved<'_>) -> Option<Vec<usize>> {
        let one = self.graph.number(1.0);
        let own = |(i, slopes): (usize, &Slopes)| slopes[..] == [(i, one)];
        match &solved.system {
            System::Saddle { factor, contacts: None, .. }
                if self.equations.solver_slopes.iter().enumerate().all(own) =>
            {
                Some(factor.order.clone())
            }
            _ => None,
        }
    }
}
