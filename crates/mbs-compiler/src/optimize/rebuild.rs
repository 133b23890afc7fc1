//! Rebuilds the graph, children first.

use rustc_hash::FxHashMap;

use super::factor::Sums;
use super::flatten::flatten;
use super::{Optimized, Signed, Ties};
use crate::graph::{Graph, Node, NodeId};

/// One round of flattening and factoring.
pub fn round(graph: &Graph, current: &Optimized, ties: Ties) -> Optimized {
    let flat = flatten(graph, &current.roots);
    let mut new = Replacements::new(graph.len());
    let mut sums = Sums::new(graph, ties);
    for head in flat.heads() {
        let rebuilt = if head.is_sum() {
            let atom = |a: &NodeId| new.get(*a).expect("children come first");
            sums.sum(head.terms().map(|(coefficient, atoms)| (coefficient, atoms.iter().map(atom))))
        } else {
            let operand = |o: NodeId| new.get(o).expect("children come first").id(graph);
            Signed::new(graph, rebuild(graph, head.id, operand), false)
        };
        copy_name(graph, head.id, rebuilt);
        new.add(head.id, rebuilt);
    }
    let roots = current.roots.iter().map(|r| new.get(*r).expect("roots are heads").id(graph)).collect();
    Optimized { roots, uncounted: rebuild_uncounted(graph, &current.uncounted, &new) }
}

/// The rebuilt nodes of heads.
struct Replacements {
    /// One more than the index in `list` of each node, zero for nodes that are no heads.
    places: Vec<u32>,
    list: Vec<Signed>,
}

impl Replacements {
    fn new(nodes: usize) -> Self {
        Replacements { places: vec![0; nodes], list: Vec::new() }
    }

    fn add(&mut self, id: NodeId, rebuilt: Signed) {
        self.list.push(rebuilt);
        self.places[id.index()] = self.list.len() as u32;
    }

    fn get(&self, id: NodeId) -> Option<Signed> {
        let place = *self.places.get(id.index())?;
        place.checked_sub(1).map(|k| self.list[k as usize])
    }
}

/// The operation of a node on the operands that `operand` gives.
fn rebuild(graph: &Graph, id: NodeId, mut operand: impl FnMut(NodeId) -> NodeId) -> NodeId {
    match graph.node(id) {
        Node::Number(_) | Node::Symbol(_) => id,
        node => graph.rebuild(node, &mut operand),
    }
}

fn copy_name(graph: &Graph, from: NodeId, to: Signed) {
    if to.node != from
        && !matches!(graph.node(to.node), Node::Number(_) | Node::Symbol(_))
        && let Some(name) = graph.name(from)
    {
        graph.suggest(to.node, name);
    }
}

/// New nodes of `uncounted`: the replacement of a head, else the operation on the replaced operands.
fn rebuild_uncounted(graph: &Graph, uncounted: &[NodeId], new: &Replacements) -> Vec<NodeId> {
    if uncounted.is_empty() {
        return Vec::new();
    }
    let mut map: FxHashMap<NodeId, NodeId> = FxHashMap::default();
    for id in graph.reachable(uncounted) {
        let rebuilt = match new.get(id) {
            Some(signed) => signed.id(graph),
            None => rebuild(graph, id, |o| map[&o]),
        };
        map.insert(id, rebuilt);
    }
    uncounted.iter().map(|a| map[a]).collect()
}
