//! Counts the operations of a set of nodes.

use mbs_expr::{Function, FunctionId};

use crate::graph::{Graph, Node, NodeId, Stage};

/// Costs of a set of nodes, each computed once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Operations {
    /// Adds, subtracts, multiplies, divides and square roots that depend on the state. A product with a reciprocal that has no other reader
    /// is one quotient.
    pub operations: usize,
    /// Pairs of sine and cosine.
    pub sincos: usize,
    /// Other functions and selections. The value and the derivatives of a function written in Rust are one call.
    pub calls: usize,
    /// Operations that depend on parameters alone.
    pub hoisted: usize,
}

/// Counts the operations below `roots`. The time is linear in the number of these nodes.
pub fn count(graph: &Graph, roots: &[NodeId]) -> Operations {
    graph.with_nodes(|nodes, stages| {
        let mut uses = vec![0u32; nodes.len()];
        let mut stack: Vec<NodeId> = Vec::new();
        let mut order: Vec<NodeId> = Vec::new();
        let mut visit = |id: NodeId, stack: &mut Vec<NodeId>| {
            uses[id.index()] += 1;
            if uses[id.index()] == 1 {
                stack.push(id);
            }
        };
        roots.iter().for_each(|r| visit(*r, &mut stack));
        while let Some(id) = stack.pop() {
            order.push(id);
            nodes[id.index()].operands().for_each(|o| visit(o, &mut stack));
        }
        let mut total = Operations::default();
        let mut angles: Vec<NodeId> = Vec::new();
        let mut called: Vec<(FunctionId, [NodeId; 4])> = Vec::new();
        let is_divisor = |id: NodeId| {
            matches!(nodes[id.index()], Node::Inv(_)) && uses[id.index()] == 1 && stages[id.index()] >= Stage::Position
        };
        for id in order {
            let node = nodes[id.index()];
            match (node, stages[id.index()]) {
                (Node::Number(_) | Node::Symbol(_), _) | (_, Stage::Constant) => {}
                (_, Stage::Parameters) => total.hoisted += 1,
                (Node::Mul(a, b), _) if is_divisor(a) || is_divisor(b) => {} // counted with the reciprocal
                (Node::Add(..) | Node::Sub(..) | Node::Mul(..) | Node::Inv(_), _) => total.operations += 1,
                (Node::Unary(Function::Sqrt, _), _) => total.operations += 1,
                (Node::Unary(Function::Sin | Function::Cos, angle), _) => angles.push(angle),
                (Node::Called(f, _, list), _) => called.push((f, list)),
                (Node::Neg(_), _) => {}
                (Node::Unary(..) | Node::Binary(..) | Node::Select(..), _) => total.calls += 1,
            }
        }
        angles.sort_unstable();
        angles.dedup();
        total.sincos = angles.len();
        called.sort_unstable();
        called.dedup();
        total.calls += called.len();
        total
    })
}
