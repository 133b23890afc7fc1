//! The symbolic graph: hash-consed, folding only structural identities (0, ±1, signs).
//!
//! Literals other than 0 and ±1 are treated like parameters: opaque until the schedule folds them, because folding them
//! early breaks sharing. Node ids grow with creation, so children have smaller ids than their parents.

mod differentiate;
mod node;
mod partial;
mod substitute;
mod sym;
mod transpose;

use std::cell::RefCell;

use mbs_expr::{CalledFunction, Comparison, Function, Function2, FunctionId, FunctionSource, Partial};
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

pub use node::{Node, NodeId, Stage, Symbol};
pub use partial::{dependencies, partial, sparse_derivatives, without_acceleration};
pub use substitute::Substitution;
pub use sym::Sym;

#[derive(Default)]
struct Inner {
    nodes: Vec<Node>,
    stages: Vec<Stage>,
    /// Sums, differences and products by their operands.
    sums: HashMap<[NodeId; 2], NodeId>,
    differences: HashMap<[NodeId; 2], NodeId>,
    products: HashMap<[NodeId; 2], NodeId>,
    /// All other nodes.
    ids: HashMap<Node, NodeId>,
    rates: HashMap<Symbol, NodeId>,
    rate_memo: HashMap<NodeId, NodeId>,
    /// [`Graph::declare_curve_parameter`].
    curve_parameters: HashSet<Symbol>,
    /// For nodes that depend on a single curve parameter and otherwise on constants: that symbol, and the derivative with respect to it.
    derivative_memo: HashMap<NodeId, (Symbol, NodeId)>,
    /// Expressions for which [`Symbol::Defined`] stands, by the symbol's node.
    definitions: HashMap<NodeId, NodeId>,
    names: HashMap<NodeId, String>,
    /// Nodes with names, in the order in which they got them.
    named: Vec<NodeId>,
    functions: Vec<CalledFunction>,
    /// Whether auxiliary states are known at the stage of positions.
    early_states: bool,
}

/// A hash-consed expression graph: equal operations are one node. It has interior mutability, so that [`Sym`]s are `Copy` and formulas
/// over them read like mathematics.
pub struct Graph {
    inner: RefCell<Inner>,
}

impl Default for Graph {
    fn default() -> Self {
        Self::new()
    }
}

impl Graph {
    /// A graph that contains only the literal zero.
    pub fn new() -> Self {
        Graph::with_early_states(false)
    }

    /// As [`Graph::new`]; if `early`, auxiliary states are known at the stage of positions, because positions depend on them.
    pub fn with_early_states(early: bool) -> Self {
        let graph = Graph { inner: RefCell::new(Inner { early_states: early, ..Inner::default() }) };
        graph.constant(0.0);
        graph
    }

    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.inner.borrow().nodes.len()
    }

    /// Whether the graph has no nodes.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The operation of a node.
    pub fn node(&self, id: NodeId) -> Node {
        self.inner.borrow().nodes[id.index()]
    }

    /// The stage of a node: the latest of its operands.
    pub fn stage(&self, id: NodeId) -> Stage {
        self.inner.borrow().stages[id.index()]
    }

    /// Calls `read` with all nodes and their stages at once, without the cost of a call per node. `read` must not add nodes.
    pub fn with_nodes<R>(&self, read: impl FnOnce(&[Node], &[Stage]) -> R) -> R {
        let inner = self.inner.borrow();
        read(&inner.nodes, &inner.stages)
    }

    /// Suggests a variable name for a node; later suggestions for the node are ignored.
    pub fn suggest(&self, id: NodeId, name: impl Into<String>) {
        let inner = &mut *self.inner.borrow_mut();
        inner.names.entry(id).or_insert_with(|| {
            inner.named.push(id);
            name.into()
        });
    }

    /// The suggested name of a node.
    pub fn name(&self, id: NodeId) -> Option<String> {
        self.inner.borrow().names.get(&id).cloned()
    }

    fn intern(&self, node: Node) -> NodeId {
        let inner = &mut *self.inner.borrow_mut();
        let next = NodeId(u32::try_from(inner.nodes.len()).expect("fewer than 2^32 nodes"));
        // Most nodes are sums and products: pairs of numbers are quicker to find than operations of any kind.
        let id = match node {
            Node::Add(a, b) => *inner.sums.entry([a, b]).or_insert(next),
            Node::Sub(a, b) => *inner.differences.entry([a, b]).or_insert(next),
            Node::Mul(a, b) => *inner.products.entry([a, b]).or_insert(next),
            _ => *inner.ids.entry(node).or_insert(next),
        };
        if id != next {
            return id;
        }
        let stage = match node {
            Node::Number(_) => Stage::Constant,
            Node::Symbol(Symbol::Auxiliary(_)) if inner.early_states => Stage::Position,
            Node::Symbol(s) => s.stage(),
            // The compiler cannot call the function, or does not know its run-time data: `prepare` computes the value even at constant arguments.
            Node::Called(f, ..) if inner.functions[f.index()].source() != FunctionSource::Data => {
                node.operands().map(|o| inner.stages[o.index()]).fold(Stage::Parameters, Stage::max)
            }
            _ => node.operands().map(|o| inner.stages[o.index()]).max().unwrap_or(Stage::Constant),
        };
        inner.nodes.push(node);
        inner.stages.push(stage);
        id
    }

    /// The node of a literal.
    pub fn constant(&self, x: f64) -> NodeId {
        self.intern(Node::Number(if x == 0.0 { 0 } else { x.to_bits() }))
    }

    /// The node of an input.
    pub fn symbol(&self, symbol: Symbol) -> NodeId {
        self.intern(Node::Symbol(symbol))
    }

    /// The value of a literal node; `None` for all other nodes, also for operations on literals.
    pub fn value(&self, id: NodeId) -> Option<f64> {
        match self.node(id) {
            Node::Number(bits) => Some(f64::from_bits(bits)),
            _ => None,
        }
    }

    /// Whether a node is the literal x.
    fn is_literal(&self, id: NodeId, x: f64) -> bool {
        self.value(id) == Some(x)
    }

    /// −a.
    pub fn neg(&self, a: NodeId) -> NodeId {
        match self.node(a) {
            Node::Number(bits) => self.constant(-f64::from_bits(bits)),
            Node::Neg(b) => b,
            Node::Sub(b, c) => self.sub(c, b),
            _ => self.intern(Node::Neg(a)),
        }
    }

    /// a + b.
    pub fn add(&self, a: NodeId, b: NodeId) -> NodeId {
        if self.is_literal(a, 0.0) {
            return b;
        }
        if self.is_literal(b, 0.0) {
            return a;
        }
        match (self.node(a), self.node(b)) {
            (Node::Number(x), Node::Number(y)) => return self.constant(f64::from_bits(x) + f64::from_bits(y)),
            (_, Node::Neg(c)) => return self.sub(a, c),
            (Node::Neg(c), _) => return self.sub(b, c),
            _ => {}
        }
        if a == b {
            return self.mul(self.constant(2.0), a);
        }
        if self.is_sum_of_squares(a, b) {
            return self.constant(1.0);
        }
        self.intern(Node::Add(a.min(b), a.max(b)))
    }

    /// Whether a and b are sin² x and cos² x.
    fn is_sum_of_squares(&self, a: NodeId, b: NodeId) -> bool {
        let squared = |square: NodeId| match self.node(square) {
            Node::Mul(x, y) if x == y => match self.node(x) {
                Node::Unary(f, angle) => Some((f, angle)),
                _ => None,
            },
            _ => None,
        };
        match (squared(a), squared(b)) {
            (Some((f, x)), Some((g, y))) => {
                x == y && matches!((f, g), (Function::Sin, Function::Cos) | (Function::Cos, Function::Sin))
            }
            _ => false,
        }
    }

    /// a − b.
    pub fn sub(&self, a: NodeId, b: NodeId) -> NodeId {
        if self.is_literal(b, 0.0) {
            return a;
        }
        if self.is_literal(a, 0.0) {
            return self.neg(b);
        }
        if a == b {
            return self.constant(0.0);
        }
        match (self.node(a), self.node(b)) {
            (Node::Number(x), Node::Number(y)) => self.constant(f64::from_bits(x) - f64::from_bits(y)),
            (_, Node::Neg(c)) => self.add(a, c),
            (Node::Neg(c), _) => self.neg(self.add(c, b)),
            _ => self.intern(Node::Sub(a, b)),
        }
    }

    /// a b.
    pub fn mul(&self, a: NodeId, b: NodeId) -> NodeId {
        if self.is_literal(a, 0.0) || self.is_literal(b, 0.0) {
            return self.constant(0.0);
        }
        if self.is_literal(a, 1.0) {
            return b;
        }
        if self.is_literal(b, 1.0) {
            return a;
        }
        if self.is_literal(a, -1.0) {
            return self.neg(b);
        }
        if self.is_literal(b, -1.0) {
            return self.neg(a);
        }
        match (self.node(a), self.node(b)) {
            (Node::Number(x), _) if f64::from_bits(x) < 0.0 => {
                return self.neg(self.mul(self.constant(-f64::from_bits(x)), b));
            }
            (_, Node::Number(x)) if f64::from_bits(x) < 0.0 => {
                return self.neg(self.mul(a, self.constant(-f64::from_bits(x))));
            }
            (Node::Neg(x), Node::Neg(y)) => return self.mul(x, y),
            (Node::Neg(x), _) => return self.neg(self.mul(x, b)),
            (_, Node::Neg(y)) => return self.neg(self.mul(a, y)),
            (Node::Inv(x), _) if x == b => return self.constant(1.0),
            (_, Node::Inv(y)) if y == a => return self.constant(1.0),
            _ => {}
        }
        self.intern(Node::Mul(a.min(b), a.max(b)))
    }

    /// A number and a node whose product is a: a literal times one, or the factors of a product with a literal.
    pub fn literal_factor(&self, a: NodeId) -> (f64, NodeId) {
        match self.node(a) {
            Node::Number(bits) => (f64::from_bits(bits), self.constant(1.0)),
            Node::Neg(b) => {
                let (number, rest) = self.literal_factor(b);
                (-number, rest)
            }
            Node::Mul(b, c) => match (self.value(b), self.value(c)) {
                (Some(number), _) => (number, c),
                (_, Some(number)) => (number, b),
                _ => (1.0, a),
            },
            _ => (1.0, a),
        }
    }

    /// 1 / a.
    pub fn inv(&self, a: NodeId) -> NodeId {
        match self.node(a) {
            Node::Number(bits) if matches!(f64::from_bits(bits), 1.0 | -1.0) => a,
            Node::Inv(b) => b,
            Node::Neg(b) => self.neg(self.inv(b)),
            _ => self.intern(Node::Inv(a)),
        }
    }

    /// a / b.
    pub fn div(&self, a: NodeId, b: NodeId) -> NodeId {
        self.mul(a, self.inv(b))
    }

    /// f(a).
    pub fn unary(&self, f: Function, a: NodeId) -> NodeId {
        let zero = self.is_literal(a, 0.0);
        match (f, self.node(a)) {
            (Function::Neg, _) => self.neg(a),
            (Function::Cos | Function::Exp | Function::Cosh, _) if zero => self.constant(1.0),
            (Function::Acos | Function::Ln, _) => self.intern(Node::Unary(f, a)),
            _ if zero => a,
            (Function::Sqrt, _) if self.is_literal(a, 1.0) => a,
            (Function::Sin, Node::Neg(b)) => self.neg(self.unary(f, b)),
            (Function::Cos | Function::Abs, Node::Neg(b)) => self.unary(f, b),
            _ => self.intern(Node::Unary(f, a)),
        }
    }

    /// f(a, b).
    pub fn binary(&self, f: Function2, a: NodeId, b: NodeId) -> NodeId {
        match f {
            Function2::Add => self.add(a, b),
            Function2::Sub => self.sub(a, b),
            Function2::Mul => self.mul(a, b),
            Function2::Div => self.div(a, b),
            Function2::Min | Function2::Max if a == b => a,
            Function2::Powf if self.is_literal(b, 1.0) => a,
            Function2::Powf if self.is_literal(b, 0.0) => self.constant(1.0),
            _ => self.intern(Node::Binary(f, a, b)),
        }
    }

    /// Declares the called functions, by [`FunctionId`].
    pub fn declare_functions(&self, functions: &[CalledFunction]) {
        self.inner.borrow_mut().functions = functions.to_vec();
    }

    /// Calls `read` with the called functions.
    pub fn with_functions<R>(&self, read: impl FnOnce(&[CalledFunction]) -> R) -> R {
        read(&self.inner.borrow().functions)
    }

    /// A derivative of a called function, at as many arguments as it has.
    pub fn called(&self, function: FunctionId, partial: Partial, arguments: &[NodeId]) -> NodeId {
        if self.with_functions(|all| all[function.index()].vanishes(partial)) {
            return self.constant(0.0);
        }
        let list = std::array::from_fn(|i| arguments[if i < arguments.len() { i } else { 0 }]);
        self.intern(Node::Called(function, partial, list))
    }

    /// if left ⋚ right { then } else { otherwise }.
    pub fn select(&self, test: Comparison, list: [NodeId; 4]) -> NodeId {
        if list[2] == list[3] {
            return list[2];
        }
        if let (Some(x), Some(y)) = (self.value(list[0]), self.value(list[1])) {
            return if test.apply(x, y) { list[2] } else { list[3] };
        }
        self.intern(Node::Select(test, list))
    }

    /// The operation of a node on the operands that `operand` gives, simplified again.
    pub fn rebuild(&self, node: Node, operand: &mut dyn FnMut(NodeId) -> NodeId) -> NodeId {
        match node {
            Node::Number(_) | Node::Symbol(_) => self.intern(node),
            Node::Add(a, b) => {
                let (a, b) = (operand(a), operand(b));
                self.add(a, b)
            }
            Node::Sub(a, b) => {
                let (a, b) = (operand(a), operand(b));
                self.sub(a, b)
            }
            Node::Mul(a, b) => {
                let (a, b) = (operand(a), operand(b));
                self.mul(a, b)
            }
            Node::Neg(a) => {
                let a = operand(a);
                self.neg(a)
            }
            Node::Inv(a) => {
                let a = operand(a);
                self.inv(a)
            }
            Node::Unary(f, a) => {
                let a = operand(a);
                self.unary(f, a)
            }
            Node::Binary(f, a, b) => {
                let (a, b) = (operand(a), operand(b));
                self.binary(f, a, b)
            }
            Node::Select(test, list) => {
                let list = list.map(operand);
                self.select(test, list)
            }
            Node::Called(f, partial, list) => {
                let list: Vec<NodeId> = list[..usize::from(partial.arguments)].iter().map(|a| operand(*a)).collect();
                self.called(f, partial, &list)
            }
        }
    }
}
