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
    /// The slot of a node, assigned at the first request.
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
        let value_of = |o: NodeId| values[&o];
        let value = match graph.node(id) {
            Node::Number(bits) => f64::from_bits(bits),
            Node::Symbol(s) => unreachable!("{s:?} is no constant"),
            Node::Called(f, partial, list) => graph.with_functions(|all| {
                all[f.index()].partial(partial, &list.map(value_of)[..usize::from(partial.arguments)])
            }),
            Node::Add(a, b) => value_of(a) + value_of(b),
            Node::Sub(a, b) => value_of(a) - value_of(b),
            Node::Mul(a, b) => value_of(a) * value_of(b),
            Node::Neg(a) => -value_of(a),
            Node::Inv(a) => 1.0 / value_of(a),
            Node::Unary(f, a) => interp::apply_unary(f, value_of(a)),
            Node::Binary(f, a, b) => interp::apply_binary(f, value_of(a), value_of(b)),
            Node::Select(test, [l, r, t, e]) => {
                if test.apply(value_of(l), value_of(r)) {
                    value_of(t)
                } else {
                    value_of(e)
                }
            }
        };
        values.insert(id, value);
    }
    values[&root]
}
