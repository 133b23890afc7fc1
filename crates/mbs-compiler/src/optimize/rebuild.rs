//! Rebuilds the graph, children first.

use rustc_hash::FxHashMap;

use super::factor::Sums;
use super::flatten::flatten;
use super::{Optimized, Signed, Ties};
use crate::graph::{Graph, Node, NodeId};

/// One round of flattening and factoring.
pub fn round(graph: &Graph, current: &Optimized, ties: Ties) -> Optimized {
    let flat = flatten(graph, &current.roots);
    let mut new: Vec<Option<Signed>> = vec![None; graph.len()];
    let mut sums = Sums::new(graph, ties);
    for head in flat.heads() {
        let to = if head.is_sum() {
            let atom = |a: &NodeId| new[a.index()].expect("children come first");
            sums.sum(head.terms().map(|(coefficient, atoms)| (coefficient, atoms.iter().map(atom))))
        } else {
            let of = |o: NodeId| new[o.index()].expect("children come first").id(graph);
            Signed::new(graph, rebuild(graph, head.id, of), false)
        };
        carry_name(graph, head.id, to);
        new[head.id.index()] = Some(to);
    }
    let roots = current.roots.iter().map(|r| new[r.index()].expect("roots are heads").id(graph)).collect();
    Optimized { roots, along: follow(graph, &current.along, &new) }
}

fn rebuild(graph: &Graph, id: NodeId, mut of: impl FnMut(NodeId) -> NodeId) -> NodeId {
    match graph.node(id) {
        Node::Number(_) | Node::Symbol(_) => id,
        node => graph.rebuild(node, &mut of),
    }
}

fn carry_name(graph: &Graph, from: NodeId, to: Signed) {
    if to.node != from
        && !matches!(graph.node(to.node), Node::Number(_) | Node::Symbol(_))
        && let Some(name) = graph.name(from)
    {
        graph.suggest(to.node, name);
    }
}

/// New nodes of `along`: the replacement of a head, else the operation on the replaced operands.
fn follow(graph: &Graph, along: &[NodeId], new: &[Option<Signed>]) -> Vec<NodeId> {
    if along.is_empty() {
        return Vec::new();
    }
    let mut map: FxHashMap<NodeId, NodeId> = FxHashMap::default();
    for id in graph.reachable(along) {
        let to = match new[id.index()] {
            Some(to) => to.id(graph),
            None => rebuild(graph, id, |o| map[&o]),
        };
        map.insert(id, to);
    }
    along.iter().map(|a| map[a]).collect()
}
