//! Solver symbols as interface expressions.

use rustc_hash::FxHashMap;

use super::Context;
use crate::derive::Equations;
use crate::graph::{Graph, NodeId, Substitution, Symbol};

/// Interface expressions of the solver's symbols. Substitutions are memoised, because all kernels share most of their nodes.
pub struct SolverSymbols {
    /// Coordinates and speeds.
    state: Substitution,
    /// Coordinates, speeds and accelerations.
    all: Substitution,
}

impl SolverSymbols {
    /// Collects the expressions of a mechanism.
    pub fn new(graph: &Graph, equations: &Equations) -> Self {
        let pairs = |symbol: fn(u32) -> Symbol, nodes: &[NodeId]| -> Vec<(NodeId, NodeId)> {
            (0..).zip(nodes).map(|(k, node)| (graph.symbol(symbol(k)), *node)).collect()
        };
        let mut replace: FxHashMap<NodeId, NodeId> = FxHashMap::default();
        replace.extend(pairs(Symbol::SolverCoordinate, &equations.solver.coordinates));
        replace.extend(pairs(Symbol::SolverSpeed, &equations.solver.speeds));
        let state = Substitution::new(replace.clone());
        replace.extend(pairs(Symbol::SolverAcceleration, &equations.solver.accelerations));
        SolverSymbols { state, all: Substitution::new(replace) }
    }
}

impl Context<'_> {
    /// `roots` with all solver symbols replaced by interface expressions.
    pub(super) fn to_interface(&self, roots: &[NodeId]) -> Vec<NodeId> {
        self.symbols.all.apply(self.graph, roots)
    }

    /// `roots` with solver coordinates and speeds replaced by interface expressions; symbols of accelerations remain.
    pub(super) fn state_to_interface(&self, roots: &[NodeId]) -> Vec<NodeId> {
        self.symbols.state.apply(self.graph, roots)
    }
}
