//! The symbolic graph: hash-consed, folding what is structural (0, ±1, signs) and nothing else.
//!
//! Literals other than 0 and ±1 are treated like parameters: opaque until the schedule folds them, because folding them
//! early breaks sharing. Node ids grow with creation, so children have smaller ids than their parents.

use std::cell::RefCell;
use std::ops::{Add, Div, Mul, Neg, Sub};

use mbs_model::{Comparison, Function, Function2, Scalar};
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

/// Index of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub u32);

impl NodeId {
    /// As an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// An input of the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Symbol {
    /// Flat parameter p\[i\].
    Parameter(u32),
    /// t.
    Time,
    /// Interface coordinate q\[i\].
    Coordinate(u32),
    /// Interface speed v\[i\].
    Speed(u32),
    /// Interface acceleration a\[i\].
    Acceleration(u32),
    /// Solver coordinate.
    SolverCoordinate(u32),
    /// Solver speed.
    SolverSpeed(u32),
    /// Solver acceleration.
    SolverAcceleration(u32),
    /// Auxiliary state z\[i\].
    Auxiliary(u32),
    /// Input u\[i\].
    Input(u32),
    /// Multiplier λ\[i\].
    Multiplier(u32),
    /// Right side f\[i\] of the solve kernel, interface speeds.
    Force(u32),
    /// Right side g\[i\] of the solve kernel, rows.
    Target(u32),
}

/// When a value is known. Ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Stage {
    /// Literals only: folded by the compiler.
    Constant,
    /// Parameters: computed when they are set.
    Parameters,
    /// Time and coordinates.
    Position,
    /// Speeds.
    Velocity,
    /// Inputs, auxiliary states, right sides, accelerations, multipliers.
    Acceleration,
}

impl Symbol {
    /// Stage at which the symbol is known.
    pub fn stage(self) -> Stage {
        match self {
            Symbol::Parameter(_) => Stage::Parameters,
            Symbol::Time | Symbol::Coordinate(_) | Symbol::SolverCoordinate(_) => Stage::Position,
            Symbol::Speed(_) | Symbol::SolverSpeed(_) => Stage::Velocity,
            _ => Stage::Acceleration,
        }
    }
}

/// One operation. Divisions are products with an [`Node::Inv`]; the schedule makes quotients of them where that is cheaper.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // the names say it
pub enum Node {
    /// A literal, by its bits.
    Number(u64),
    Symbol(Symbol),
    Add(NodeId, NodeId),
    Sub(NodeId, NodeId),
    Mul(NodeId, NodeId),
    Neg(NodeId),
    Inv(NodeId),
    /// A function of one argument, never `Neg`.
    Unary(Function, NodeId),
    /// `Atan2`, `Min`, `Max` or `Powf`.
    Binary(Function2, NodeId, NodeId),
    /// if left ⋚ right { then } else { otherwise }.
    Select(Comparison, [NodeId; 4]),
}

impl Node {
    /// Its operands.
    pub fn operands(&self) -> impl Iterator<Item = NodeId> + use<> {
        let (list, n): ([NodeId; 4], usize) = match *self {
            Node::Number(_) | Node::Symbol(_) => ([NodeId(0); 4], 0),
            Node::Neg(a) | Node::Inv(a) | Node::Unary(_, a) => ([a; 4], 1),
            Node::Add(a, b) | Node::Sub(a, b) | Node::Mul(a, b) | Node::Binary(_, a, b) => ([a, b, a, a], 2),
            Node::Select(_, list) => (list, 4),
        };
        list.into_iter().take(n)
    }
}

#[derive(Default)]
struct Inner {
    nodes: Vec<Node>,
    stages: Vec<Stage>,
    ids: HashMap<Node, NodeId>,
    rates: HashMap<Symbol, NodeId>,
    rate_memo: HashMap<NodeId, NodeId>,
    names: HashMap<NodeId, String>,
}

/// The graph. Interior mutability, so that [`Sym`]s are `Copy` and read like mathematics.
pub struct Graph {
    inner: RefCell<Inner>,
}

impl Default for Graph {
    fn default() -> Self {
        Self::new()
    }
}

impl Graph {
    /// A graph with the literal zero in it.
    pub fn new() -> Self {
        let graph = Graph { inner: RefCell::default() };
        graph.number(0.0);
        graph
    }

    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.inner.borrow().nodes.len()
    }

    /// Whether there are none.
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

    /// Looks at all nodes and their stages at once, without the cost of a call per node. The closure must not add nodes.
    pub fn with_nodes<R>(&self, look: impl FnOnce(&[Node], &[Stage]) -> R) -> R {
        let inner = self.inner.borrow();
        look(&inner.nodes, &inner.stages)
    }

    /// Suggests a variable name for a node; the first suggestion stays.
    pub fn suggest(&self, id: NodeId, name: impl Into<String>) {
        self.inner.borrow_mut().names.entry(id).or_insert_with(|| name.into());
    }

    /// The suggested name.
    pub fn name(&self, id: NodeId) -> Option<String> {
        self.inner.borrow().names.get(&id).cloned()
    }

    fn intern(&self, node: Node) -> NodeId {
        let mut inner = self.inner.borrow_mut();
        if let Some(id) = inner.ids.get(&node) {
            return *id;
        }
        let stage = match node {
            Node::Number(_) => Stage::Constant,
            Node::Symbol(s) => s.stage(),
            _ => node.operands().map(|o| inner.stages[o.index()]).max().unwrap_or(Stage::Constant),
        };
        let id = NodeId(u32::try_from(inner.nodes.len()).expect("fewer than 2^32 nodes"));
        inner.nodes.push(node);
        inner.stages.push(stage);
        inner.ids.insert(node, id);
        id
    }

    /// A literal.
    pub fn number(&self, x: f64) -> NodeId {
        self.intern(Node::Number(if x == 0.0 { 0 } else { x.to_bits() }))
    }

    /// An input.
    pub fn symbol(&self, symbol: Symbol) -> NodeId {
        self.intern(Node::Symbol(symbol))
    }

    /// The value of a literal node.
    pub fn value(&self, id: NodeId) -> Option<f64> {
        match self.node(id) {
            Node::Number(bits) => Some(f64::from_bits(bits)),
            _ => None,
        }
    }

    fn is(&self, id: NodeId, x: f64) -> bool {
        self.value(id) == Some(x)
    }

    /// −a.
    pub fn neg(&self, a: NodeId) -> NodeId {
        match self.node(a) {
            Node::Number(bits) => self.number(-f64::from_bits(bits)),
            Node::Neg(b) => b,
            Node::Sub(b, c) => self.sub(c, b),
            _ => self.intern(Node::Neg(a)),
        }
    }

    /// a + b.
    pub fn add(&self, a: NodeId, b: NodeId) -> NodeId {
        if self.is(a, 0.0) {
            return b;
        }
        if self.is(b, 0.0) {
            return a;
        }
        match (self.node(a), self.node(b)) {
            (Node::Number(x), Node::Number(y)) => return self.number(f64::from_bits(x) + f64::from_bits(y)),
            (_, Node::Neg(c)) => return self.sub(a, c),
            (Node::Neg(c), _) => return self.sub(b, c),
            _ => {}
        }
        if a == b {
            return self.mul(self.number(2.0), a);
        }
        self.intern(Node::Add(a.min(b), a.max(b)))
    }

    /// a − b.
    pub fn sub(&self, a: NodeId, b: NodeId) -> NodeId {
        if self.is(b, 0.0) {
            return a;
        }
        if self.is(a, 0.0) {
            return self.neg(b);
        }
        if a == b {
            return self.number(0.0);
        }
        match (self.node(a), self.node(b)) {
            (Node::Number(x), Node::Number(y)) => self.number(f64::from_bits(x) - f64::from_bits(y)),
            (_, Node::Neg(c)) => self.add(a, c),
            (Node::Neg(c), _) => self.neg(self.add(c, b)),
            _ => self.intern(Node::Sub(a, b)),
        }
    }

    /// a b.
    pub fn mul(&self, a: NodeId, b: NodeId) -> NodeId {
        if self.is(a, 0.0) || self.is(b, 0.0) {
            return self.number(0.0);
        }
        if self.is(a, 1.0) {
            return b;
        }
        if self.is(b, 1.0) {
            return a;
        }
        if self.is(a, -1.0) {
            return self.neg(b);
        }
        if self.is(b, -1.0) {
            return self.neg(a);
        }
        match (self.node(a), self.node(b)) {
            (Node::Number(x), _) if f64::from_bits(x) < 0.0 => {
                return self.neg(self.mul(self.number(-f64::from_bits(x)), b));
            }
            (_, Node::Number(x)) if f64::from_bits(x) < 0.0 => {
                return self.neg(self.mul(a, self.number(-f64::from_bits(x))));
            }
            (Node::Neg(x), Node::Neg(y)) => return self.mul(x, y),
            (Node::Neg(x), _) => return self.neg(self.mul(x, b)),
            (_, Node::Neg(y)) => return self.neg(self.mul(a, y)),
            (Node::Inv(x), _) if x == b => return self.number(1.0),
            (_, Node::Inv(y)) if y == a => return self.number(1.0),
            _ => {}
        }
        self.intern(Node::Mul(a.min(b), a.max(b)))
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
        let zero = self.is(a, 0.0);
        match (f, self.node(a)) {
            (Function::Neg, _) => self.neg(a),
            (Function::Cos | Function::Exp | Function::Cosh, _) if zero => self.number(1.0),
            (Function::Acos | Function::Ln, _) => self.intern(Node::Unary(f, a)),
            _ if zero => a,
            (Function::Sqrt, _) if self.is(a, 1.0) => a,
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
            Function2::Powf if self.is(b, 1.0) => a,
            Function2::Powf if self.is(b, 0.0) => self.number(1.0),
            _ => self.intern(Node::Binary(f, a, b)),
        }
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

    /// The same operation on other operands, simplified again.
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
        }
    }

    /// All nodes that `roots` need, in ascending order (children first).
    pub fn reachable(&self, roots: &[NodeId]) -> Vec<NodeId> {
        let inner = self.inner.borrow();
        let mut seen: HashSet<NodeId> = HashSet::default();
        let mut stack: Vec<NodeId> = roots.to_vec();
        while let Some(id) = stack.pop() {
            if seen.insert(id) {
                stack.extend(inner.nodes[id.index()].operands());
            }
        }
        let mut order: Vec<NodeId> = seen.into_iter().collect();
        order.sort_unstable();
        order
    }

    /// `roots` with nodes replaced: wherever `replace` gives a node, it stands for the original one.
    pub fn substitute(&self, roots: &[NodeId], replace: &HashMap<NodeId, NodeId>) -> Vec<NodeId> {
        let mut new: HashMap<NodeId, NodeId> = HashMap::default();
        for id in self.reachable(roots) {
            let to = match replace.get(&id) {
                Some(to) => *to,
                None => self.rebuild(self.node(id), &mut |o| new[&o]),
            };
            if let Some(name) = self.name(id) {
                self.suggest(to, name);
            }
            new.insert(id, to);
        }
        roots.iter().map(|r| new[r]).collect()
    }

    /// Declares d(symbol)/dt; symbols without one are constant.
    pub fn set_rate(&self, symbol: Symbol, rate: NodeId) {
        let mut inner = self.inner.borrow_mut();
        inner.rates.insert(symbol, rate);
        inner.rate_memo.clear();
    }

    /// Total time derivative of each root. Remembered: rates of shared nodes are taken once.
    pub fn rate(&self, roots: &[NodeId]) -> Vec<NodeId> {
        let mut memo = std::mem::take(&mut self.inner.borrow_mut().rate_memo);
        let mut stack: Vec<NodeId> = roots.to_vec();
        while let Some(id) = stack.pop() {
            if memo.contains_key(&id) {
                continue;
            }
            let node = self.node(id);
            let missing: Vec<NodeId> = node.operands().filter(|o| !memo.contains_key(o)).collect();
            if !missing.is_empty() {
                stack.push(id);
                stack.extend(missing);
                continue;
            }
            let rate = match node {
                Node::Number(_) => self.number(0.0),
                Node::Symbol(Symbol::Time) => self.number(1.0),
                Node::Symbol(s) => {
                    let rate = self.inner.borrow().rates.get(&s).copied();
                    rate.unwrap_or_else(|| self.number(0.0))
                }
                node => self.tangent_of(id, node, &memo),
            };
            memo.insert(id, rate);
        }
        let rates = roots.iter().map(|r| memo[r]).collect();
        self.inner.borrow_mut().rate_memo = memo;
        rates
    }

    /// Directional derivative of each root for given tangents of the symbols.
    pub fn tangent(&self, roots: &[NodeId], seed: &mut dyn FnMut(Symbol) -> NodeId) -> Vec<NodeId> {
        let zero = self.number(0.0);
        let mut d: HashMap<NodeId, NodeId> = HashMap::default();
        for id in self.reachable(roots) {
            let slope = match self.node(id) {
                Node::Number(_) => zero,
                Node::Symbol(s) => seed(s),
                node => self.tangent_of(id, node, &d),
            };
            d.insert(id, slope);
        }
        roots.iter().map(|r| d[r]).collect()
    }

    fn tangent_of(&self, id: NodeId, node: Node, d: &HashMap<NodeId, NodeId>) -> NodeId {
        let zero = self.number(0.0);
        if node.operands().all(|o| d[&o] == zero) {
            return zero;
        }
        match node {
            Node::Number(_) | Node::Symbol(_) => zero,
            Node::Add(a, b) => self.add(d[&a], d[&b]),
            Node::Sub(a, b) => self.sub(d[&a], d[&b]),
            Node::Mul(a, b) if a == b => self.mul(self.number(2.0), self.mul(a, d[&a])),
            Node::Mul(a, b) => self.add(self.mul(d[&a], b), self.mul(a, d[&b])),
            Node::Neg(a) => self.neg(d[&a]),
            // (1/a)′ = −a′ (1/a)²
            Node::Inv(a) => self.neg(self.mul(d[&a], self.mul(id, id))),
            Node::Unary(f, a) => self.mul(self.slope(f, a, id), d[&a]),
            Node::Binary(f, a, b) => self.slope2(f, a, b, d),
            Node::Select(test, [l, r, t, e]) => self.select(test, [l, r, d[&t], d[&e]]),
        }
    }

    /// f′(a), with y = f(a).
    fn slope(&self, f: Function, a: NodeId, y: NodeId) -> NodeId {
        let one = self.number(1.0);
        let half = self.number(0.5);
        match f {
            Function::Neg => self.number(-1.0),
            // 1/(2y), and 0 at 0: the slope of a norm at the origin.
            Function::Sqrt => {
                let zero = self.number(0.0);
                let slope = self.mul(half, self.inv(y));
                self.select(Comparison::Equal, [y, zero, zero, slope])
            }
            Function::Sin => self.unary(Function::Cos, a),
            Function::Cos => self.neg(self.unary(Function::Sin, a)),
            Function::Tan => self.add(one, self.mul(y, y)),
            Function::Asin => self.inv(self.unary(Function::Sqrt, self.sub(one, self.mul(a, a)))),
            Function::Acos => self.neg(self.inv(self.unary(Function::Sqrt, self.sub(one, self.mul(a, a))))),
            Function::Atan => self.inv(self.add(one, self.mul(a, a))),
            Function::Sinh => self.unary(Function::Cosh, a),
            Function::Cosh => self.unary(Function::Sinh, a),
            Function::Tanh => self.sub(one, self.mul(y, y)),
            Function::Exp => y,
            Function::Ln => self.inv(a),
            Function::Abs => self.unary(Function::Signum, a),
            Function::Signum | Function::Floor => self.number(0.0),
        }
    }

    fn slope2(&self, f: Function2, a: NodeId, b: NodeId, d: &HashMap<NodeId, NodeId>) -> NodeId {
        let (da, db) = (d[&a], d[&b]);
        match f {
            Function2::Atan2 => {
                let square = self.add(self.mul(a, a), self.mul(b, b));
                self.div(self.sub(self.mul(b, da), self.mul(a, db)), square)
            }
            Function2::Min => self.select(Comparison::Less, [b, a, db, da]),
            Function2::Max => self.select(Comparison::Less, [a, b, db, da]),
            Function2::Powf => {
                // b a^(b−1) a′ + a^b ln a b′
                let lower = self.binary(Function2::Powf, a, self.sub(b, self.number(1.0)));
                let base = self.mul(self.mul(b, lower), da);
                if self.is(db, 0.0) {
                    return base;
                }
                let power = self.binary(Function2::Powf, a, b);
                self.add(base, self.mul(self.mul(power, self.unary(Function::Ln, a)), db))
            }
            _ => unreachable!("arithmetic is no Binary node"),
        }
    }
}

/// A symbolic scalar: a node of a graph, or a literal that has not met one yet.
#[derive(Clone, Copy)]
pub enum Sym<'g> {
    /// A literal.
    Literal(f64),
    /// A node.
    Node(&'g Graph, NodeId),
}

impl<'g> Sym<'g> {
    /// The node in `graph`.
    pub fn id(self, graph: &'g Graph) -> NodeId {
        match self {
            Sym::Literal(x) => graph.number(x),
            Sym::Node(_, id) => id,
        }
    }

    fn zip(
        self,
        other: Self,
        on_numbers: impl Fn(f64, f64) -> f64,
        f: impl Fn(&Graph, NodeId, NodeId) -> NodeId,
    ) -> Self {
        match (self, other) {
            (Sym::Literal(x), Sym::Literal(y)) => Sym::Literal(on_numbers(x, y)),
            (Sym::Node(g, _), _) | (_, Sym::Node(g, _)) => Sym::Node(g, f(g, self.id(g), other.id(g))),
        }
    }
}

impl Add for Sym<'_> {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        self.zip(other, |x, y| x + y, Graph::add)
    }
}

impl Sub for Sym<'_> {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self.zip(other, |x, y| x - y, Graph::sub)
    }
}

impl Mul for Sym<'_> {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        self.zip(other, |x, y| x * y, Graph::mul)
    }
}

impl Div for Sym<'_> {
    type Output = Self;
    fn div(self, other: Self) -> Self {
        self.zip(other, |x, y| x / y, Graph::div)
    }
}

impl Neg for Sym<'_> {
    type Output = Self;
    fn neg(self) -> Self {
        match self {
            Sym::Literal(x) => Sym::Literal(-x),
            Sym::Node(g, id) => Sym::Node(g, g.neg(id)),
        }
    }
}

impl Scalar for Sym<'_> {
    fn number(x: f64) -> Self {
        Sym::Literal(x)
    }

    fn unary(self, f: Function) -> Self {
        match self {
            Sym::Literal(x) => Sym::Literal(f.apply(x)),
            Sym::Node(g, id) => Sym::Node(g, g.unary(f, id)),
        }
    }

    fn binary(self, f: Function2, other: Self) -> Self {
        self.zip(other, |x, y| f.apply(x, y), |g, a, b| g.binary(f, a, b))
    }

    fn select(test: Comparison, left: Self, right: Self, then: Self, otherwise: Self) -> Self {
        let list = [left, right, then, otherwise];
        let graph = list.iter().find_map(|s| match s {
            Sym::Node(g, _) => Some(*g),
            Sym::Literal(_) => None,
        });
        match (graph, left, right) {
            (_, Sym::Literal(x), Sym::Literal(y)) => {
                if test.apply(x, y) {
                    then
                } else {
                    otherwise
                }
            }
            (Some(g), ..) => Sym::Node(g, g.select(test, list.map(|s| s.id(g)))),
            (None, ..) => unreachable!("a test on a node has a graph"),
        }
    }

    fn rate(self) -> Self {
        match self {
            Sym::Literal(_) => Sym::Literal(0.0),
            Sym::Node(g, id) => Sym::Node(g, g.rate(&[id])[0]),
        }
    }

    fn is_zero(self) -> bool {
        match self {
            Sym::Literal(x) => x == 0.0,
            Sym::Node(g, id) => g.is(id, 0.0),
        }
    }
}
