//! Values known before the state: literals and the slots of `prepare`.

use rustc_hash::FxHashMap;

use crate::graph::{Graph, Node, NodeId};
use crate::interp;

/// Nodes that `prepare` computes, in the order in which they were first requested.
#[derive(Default)]
pub struct Prepared {
    /// The nodes, slot by slot.
    pub nodes: Vec<NodeId>,
    slots: FxHashMap<NodeId, u32>,
}

impl Prepared {
    /// The slot of a node.
    pub fn slot(&mut self, node: NodeId) -> u32 {
        *self.slots.entry(node).or_insert_with(|| {
            self.nodes.push(node);
            self.nodes.len() as u32 - 1
        })
    }
}

/// The value of a node that depends on literals alone, in the arithmetic of generated code (not fused).
pub fn constant(graph: &Graph, root: NodeId) -> f64 {
    if let Some(x) = graph.value(root) {
        return x;
    }
    let mut values: FxHashMap<NodeId, f64> = FxHashMap::default();
    for id in graph.reachable(&[root]) {
        let of = |o: NodeId| values[&o];
        let value = match graph.node(id) {
            Node::Number(bits) => f64::from_bits(bits),
            Node::Symbol(s) => unreachable!("{s:?} is no constant"),
            Node::Called(f, partial, list) => graph
                .with_functions(|all| all[f.index()].partial(partial, &list.map(of)[..usize::from(partial.arguments)])),
            Node::Add(a, b) => of(a) + of(b),
            Node::Sub(a, b) => of(a) - of(b),
            Node::Mul(a, b) => of(a) * of(b),
            Node::Neg(a) => -of(a),
            Node::Inv(a) => 1.0 / of(a),
            Node::Unary(f, a) => interp::call(f, of(a)),
            Node::Binary(f, a, b) => interp::call2(f, of(a), of(b)),
            Node::Select(test, [l, r, t, e]) => {
                if test.apply(of(l), of(r)) {
                    of(t)
                } else {
                    of(e)
                }
            }
        };
        values.insert(id, value);
    }
    values[&root]
}
