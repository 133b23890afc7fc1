//! Reassociation and factoring: reduces the number of operations of equivalent expressions.
//!
//! After this point: values have changed by rounding alone; products and sums are grouped by stage, so that expressions of parameters alone
//! can be hoisted; the number of operations has not increased.
//!
//! A round takes the graph apart into sums of products as far as intermediate results are read once (`flatten`), then rebuilds it
//! (`rebuild`, `factor`). Rounds differ in how ties are broken; the cheapest result is used.

mod count;
mod factor;
mod flatten;
mod rebuild;

use crate::graph::{Graph, Node, NodeId};

pub use count::{Operations, count};

/// Result of [`optimize`].
pub struct Optimized {
    /// New roots, in the order of the old ones.
    pub roots: Vec<NodeId>,
    /// New nodes for those of `uncounted`, in their order.
    pub uncounted: Vec<NodeId>,
}

/// Largest number of rounds.
const ROUNDS: usize = 6;
/// Number of rounds without improvement after which the search stops.
const PATIENCE: usize = 2;

/// How a round breaks ties between equally good common factors.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ties {
    /// The factor created last.
    Youngest,
    /// The factor created first.
    Oldest,
}

/// A node with a sign; signs move outwards until an operation needs the negated value.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Signed {
    node: NodeId,
    negative: bool,
}

impl Signed {
    /// ±node with the sign of a [`Node::Neg`] taken out.
    fn new(graph: &Graph, node: NodeId, negative: bool) -> Signed {
        match graph.node(node) {
            Node::Neg(inner) => Signed { node: inner, negative: !negative },
            _ => Signed { node, negative },
        }
    }

    fn with_sign_flipped(self, flip: bool) -> Signed {
        Signed { node: self.node, negative: self.negative != flip }
    }

    fn id(self, graph: &Graph) -> NodeId {
        if self.negative { graph.neg(self.node) } else { self.node }
    }
}

/// Cheaper nodes with the values of `roots`, up to rounding. The nodes of `uncounted` (pivot checks) are rebuilt from the new nodes; their
/// cost does not influence the roots.
pub fn optimize(graph: &Graph, roots: &[NodeId], uncounted: &[NodeId]) -> Optimized {
    let mut current = Optimized { roots: roots.to_vec(), uncounted: uncounted.to_vec() };
    let mut best: Option<Optimized> = None;
    let mut best_cost = cost(graph, roots);
    let mut failures = 0;
    for round in 0..ROUNDS {
        let ties = if round % 2 == 0 { Ties::Youngest } else { Ties::Oldest };
        let next = rebuild::round(graph, &current, ties);
        let next_cost = cost(graph, &next.roots);
        if next.roots == current.roots {
            break;
        }
        current = next;
        if next_cost < best_cost {
            best_cost = next_cost;
            best = Some(Optimized { roots: current.roots.clone(), uncounted: current.uncounted.clone() });
            failures = 0;
        } else {
            failures += 1;
            if failures > PATIENCE {
                break;
            }
        }
    }
    best.unwrap_or_else(|| Optimized { roots: roots.to_vec(), uncounted: uncounted.to_vec() })
}

/// Operations, then calls: the costs by which rounds are compared.
fn cost(graph: &Graph, roots: &[NodeId]) -> (usize, usize) {
    let total = count(graph, roots);
    (total.operations, total.calls + total.sincos)
}
