//! Converts the compiler's graph to formulas.

use mbs_compiler::graph::{Graph, Node, NodeId, Symbol};
use mbs_expr::{Comparison, Function};
use rustc_hash::FxHashMap;

use super::algebra::{Algebra, Atom, Sum};

/// Converts nodes of one graph. Nodes with their own names are given beforehand.
pub struct Reader<'g> {
    graph: &'g Graph,
    known: FxHashMap<NodeId, Sum>,
}

impl<'g> Reader<'g> {
    pub fn new(graph: &'g Graph) -> Self {
        Reader { graph, known: FxHashMap::default() }
    }

    /// Represents this node by that symbol from now on.
    pub fn name(&mut self, algebra: &mut Algebra, node: NodeId, symbol: Symbol) {
        self.known.insert(node, algebra.symbol(symbol));
    }

    /// A node as a formula: sums are flattened, products of sums are kept.
    pub fn read(&mut self, algebra: &mut Algebra, root: NodeId) -> Sum {
        for id in self.graph.reachable(&[root]) {
            if !self.known.contains_key(&id) {
                let sum = self.convert(algebra, id);
                self.known.insert(id, sum);
            }
        }
        self.known[&root].clone()
    }

    fn convert(&self, algebra: &mut Algebra, id: NodeId) -> Sum {
        let at = |o: NodeId| &self.known[&o];
        match self.graph.node(id) {
            Node::Number(bits) => algebra.literal(f64::from_bits(bits)),
            Node::Symbol(s) => algebra.symbol(s),
            Node::Add(a, b) => at(a).add(at(b)),
            Node::Sub(a, b) => at(a).add(&at(b).neg()),
            Node::Mul(a, b) => algebra.product(at(a), at(b)),
            Node::Neg(a) => at(a).neg(),
            Node::Inv(a) => algebra.inverse(at(a)),
            Node::Unary(f, a) => algebra.call(f, at(a)),
            Node::Binary(f, a, b) => algebra.call2(f, at(a), at(b)),
            Node::Called(f, partial, list) => {
                let list = list[..usize::from(partial.arguments)].iter().map(|a| at(*a).clone()).collect();
                algebra.of(Atom::Called(f, partial, list))
            }
            Node::Select(test, list) if self.is_derivative_of_root(test, list) => at(list[3]).clone(),
            Node::Select(test, list) => algebra.select(test, list.map(|o| at(o).clone())),
        }
    }

    /// The derivative 1/(2√x), which the compiler sets to zero at x = 0: the text states that once instead of at each root.
    fn is_derivative_of_root(&self, test: Comparison, [y, right, then, _]: [NodeId; 4]) -> bool {
        let zero = self.graph.number(0.0);
        let is_root = matches!(self.graph.node(y), Node::Unary(Function::Sqrt, _));
        test == Comparison::Equal && right == zero && then == zero && is_root
    }
}
