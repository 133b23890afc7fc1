//! Solver symbols as interface expressions.

use rustc_hash::FxHashMap;

use super::Context;
use crate::derive::Equations;
use crate::graph::{Graph, NodeId, Substitution, Symbol};

/// Interface expressions of the solver's symbols. Substitutions are memoised, because all kernels share most of their nodes.
pub struct SolverSymbols {
    state: Substitution,
    all: Substitution,
}

impl SolverSymbols {
    /// Collects the expressions of a mechanism.
    pub fn new(graph: &Graph, equations: &Equations) -> Self {
        let are = |symbol: fn(u32) -> Symbol, nodes: &[NodeId]| -> Vec<(NodeId, NodeId)> {
            (0..).zip(nodes).map(|(k, node)| (graph.symbol(symbol(k)), *node)).collect()
        };
        let mut replace: FxHashMap<NodeId, NodeId> = FxHashMap::default();
        replace.extend(are(Symbol::SolverCoordinate, &equations.solver));
        replace.extend(are(Symbol::SolverSpeed, &equations.solver_speeds));
        let state = Substitution::new(replace.clone());
        replace.extend(are(Symbol::SolverAcceleration, &equations.solver_accelerations));
        SolverSymbols { state, all: Substitution::new(replace) }
    }
}

impl Context<'_> {
    /// Solver symbols → interface expressions.
    pub(super) fn to_interface(&self, roots: &[NodeId]) -> Vec<NodeId> {
        self.symbols.all.apply(self.graph, roots)
    }

    /// Solver coordinates and speeds → interface expressions; accelerations stay.
    pub(super) fn with_accelerations_kept(&self, roots: &[NodeId]) -> Vec<NodeId> {
        self.symbols.state.apply(self.graph, roots)
    }
}
