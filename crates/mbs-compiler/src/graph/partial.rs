//! Symbols that nodes depend on, and partial derivatives with respect to them.

use rustc_hash::FxHashMap;

use super::{Graph, Node, NodeId, Symbol};

/// Partial derivative ∂root/∂symbol.
pub fn partial(graph: &Graph, root: NodeId, symbol: Symbol) -> NodeId {
    let (zero, one) = (graph.constant(0.0), graph.constant(1.0));
    graph.tangent(&[root], &mut |s| if s == symbol { one } else { zero })[0]
}

/// All symbols on which a node depends, in ascending order of their nodes.
pub fn dependencies(graph: &Graph, root: NodeId) -> Vec<Symbol> {
    let nodes = graph.reachable(&[root]).into_iter();
    nodes
        .filter_map(|id| match graph.node(id) {
            Node::Symbol(s) => Some(s),
            _ => None,
        })
        .collect()
}

/// Nonzero partial derivatives of each root with respect to the coordinates or speeds `symbol(i)`, by ascending i.
pub fn sparse_derivatives(graph: &Graph, roots: &[NodeId], symbol: fn(u32) -> Symbol) -> Vec<Vec<(usize, NodeId)>> {
    let zero = graph.constant(0.0);
    let index = |s: Symbol| match s {
        Symbol::Coordinate(i) | Symbol::SolverCoordinate(i) | Symbol::Speed(i) | Symbol::SolverSpeed(i) => {
            (s == symbol(i)).then_some(i)
        }
        _ => None,
    };
    let derivatives = |root: &NodeId| {
        let mut indices: Vec<u32> = dependencies(graph, *root).into_iter().filter_map(index).collect();
        indices.sort_unstable();
        let all = indices.into_iter().map(|i| (i as usize, partial(graph, *root, symbol(i))));
        all.filter(|(_, derivative)| *derivative != zero).collect()
    };
    roots.iter().map(derivatives).collect()
}

/// A node with all accelerations (solver's and interface's) set to zero.
pub fn without_acceleration(graph: &Graph, root: NodeId) -> NodeId {
    let zero = graph.constant(0.0);
    let replace: FxHashMap<NodeId, NodeId> = dependencies(graph, root)
        .into_iter()
        .filter(|s| matches!(s, Symbol::SolverAcceleration(_) | Symbol::Acceleration(_)))
        .map(|s| (graph.symbol(s), zero))
        .collect();
    graph.substitute(&[root], &replace)[0]
}
