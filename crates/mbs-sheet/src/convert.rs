//! Converts the compiler's graph to formulas.

use mbs_compiler::graph::{Graph, Node, NodeId, Symbol};
use mbs_expr::{Comparison, Function};
use rustc_hash::FxHashMap;

use super::algebra::{Algebra, Atom, Sum};

/// Converts nodes of one graph. Names of nodes have to be declared before.
pub struct Reader<'g> {
    graph: &'g Graph,
    known: FxHashMap<NodeId, Sum>,
}

impl<'g> Reader<'g> {
    pub fn new(graph: &'g Graph) -> Self {
        Reader { graph, known: FxHashMap::default() }
    }

    /// Declares that a symbol represents a node in all later conversions.
    pub fn name(&mut self, algebra: &mut Algebra, node: NodeId, symbol: Symbol) {
        self.known.insert(node, algebra.symbol(symbol));
    }

    /// The formula of a node: sums are flattened, products of sums are not multiplied out.
    pub fn formula(&mut self, algebra: &mut Algebra, root: NodeId) -> Sum {
        for id in self.graph.reachable(&[root]) {
            if !self.known.contains_key(&id) {
                let sum = self.convert(algebra, id);
                self.known.insert(id, sum);
            }
        }
        self.known[&root].clone()
    }

    fn convert(&self, algebra: &mut Algebra, id: NodeId) -> Sum {
        let formula = |o: NodeId| &self.known[&o];
        match self.graph.node(id) {
            Node::Number(bits) => algebra.literal(f64::from_bits(bits)),
            Node::Symbol(s) => algebra.symbol(s),
            Node::Add(a, b) => formula(a).add(formula(b)),
            Node::Sub(a, b) => formula(a).add(&formula(b).neg()),
            Node::Mul(a, b) => algebra.product(formula(a), formula(b)),
            Node::Neg(a) => formula(a).neg(),
            Node::Inv(a) => algebra.inverse(formula(a)),
            Node::Unary(f, a) => algebra.unary_call(f, formula(a)),
            Node::Binary(f, a, b) => algebra.binary_call(f, formula(a), formula(b)),
            Node::Called(f, partial, list) => {
                let list = list[..usize::from(partial.arguments)].iter().map(|a| formula(*a).clone()).collect();
                algebra.intern_sum(Atom::Called(f, partial, list))
            }
            Node::Select(test, list) if self.is_derivative_of_root(test, list) => formula(list[3]).clone(),
            Node::Select(test, list) => algebra.select(test, list.map(|o| formula(o).clone())),
        }
    }

    /// Whether a selection is the derivative 1/(2√x), which the compiler sets to zero at x = 0. The text states that once, not at each root.
    fn is_derivative_of_root(&self, test: Comparison, [y, right, then, _]: [NodeId; 4]) -> bool {
        let zero = self.graph.constant(0.0);
        let is_root = matches!(self.graph.node(y), Node::Unary(Function::Sqrt, _));
        test == Comparison::Equal && right == zero && then == zero && is_root
    }
}
