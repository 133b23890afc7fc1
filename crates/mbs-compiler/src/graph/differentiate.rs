//! Derivatives on the graph: directional derivatives, and total derivatives with respect to time.

use mbs_expr::{Comparison, Function, Function2};
use rustc_hash::FxHashMap as HashMap;

use super::{Graph, Node, NodeId, Sym, Symbol};

/// Derivatives of the operands of a node.
type Derivatives<'a> = &'a dyn Fn(NodeId) -> NodeId;

impl Graph {
    /// Declares d(symbol)/dt; symbols without a declared rate are constant.
    pub fn set_rate(&self, symbol: Symbol, rate: NodeId) {
        let mut inner = self.inner.borrow_mut();
        inner.rates.insert(symbol, rate);
        inner.rate_memo.clear();
        inner.derivative_memo.clear();
    }

    /// Declares the parameter of a curve: the rate of a node that depends on this symbol alone is then the derivative with respect to it,
    /// times its rate. That needs fewer operations than the chain rule at every occurrence if the symbol occurs often.
    pub fn declare_curve_parameter(&self, symbol: Symbol) {
        let mut inner = self.inner.borrow_mut();
        inner.curve_parameters.insert(symbol);
        inner.rate_memo.clear();
        inner.derivative_memo.clear();
    }

    /// A new symbol that stands for a node, with the given rate instead of the derivative of the node.
    pub fn define(&self, node: NodeId, rate: NodeId) -> NodeId {
        let symbol = Symbol::Defined(self.inner.borrow().definitions.len() as u32);
        let id = self.symbol(symbol);
        let mut inner = self.inner.borrow_mut();
        inner.definitions.insert(id, node);
        // A new symbol does not affect rates that are already known.
        inner.rates.insert(symbol, rate);
        id
    }

    /// Roots with defined symbols replaced by their expressions. Definitions contain no defined symbols.
    pub fn expand(&self, roots: &[NodeId]) -> Vec<NodeId> {
        let definitions = std::mem::take(&mut self.inner.borrow_mut().definitions);
        let expanded = self.substitute(roots, &definitions);
        self.inner.borrow_mut().definitions = definitions;
        expanded
    }

    /// Total time derivative of each root. Memoised: rates of shared nodes are derived once.
    pub fn rate(&self, roots: &[NodeId]) -> Vec<NodeId> {
        let mut memo = std::mem::take(&mut self.inner.borrow_mut().rate_memo);
        let mut derivatives = std::mem::take(&mut self.inner.borrow_mut().derivative_memo);
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
                Node::Number(_) => self.constant(0.0),
                Node::Symbol(Symbol::Time) => self.constant(1.0),
                Node::Symbol(s) => {
                    let rate = self.inner.borrow().rates.get(&s).copied();
                    rate.unwrap_or_else(|| self.constant(0.0))
                }
                node => match self.curve_derivative(id, node, &memo, &mut derivatives) {
                    Some((symbol, derivative)) => self.mul(derivative, memo[&self.symbol(symbol)]),
                    None => self.node_tangent(id, node, &|o| memo[&o]),
                },
            };
            memo.insert(id, rate);
        }
        let rates = roots.iter().map(|r| memo[r]).collect();
        let mut inner = self.inner.borrow_mut();
        (inner.rate_memo, inner.derivative_memo) = (memo, derivatives);
        rates
    }

    /// For a node that depends on a single curve parameter and otherwise on constants: that symbol, and the derivative with respect to it.
    fn curve_derivative(
        &self,
        id: NodeId,
        node: Node,
        rates: &HashMap<NodeId, NodeId>,
        derivatives: &mut HashMap<NodeId, (Symbol, NodeId)>,
    ) -> Option<(Symbol, NodeId)> {
        let (zero, one) = (self.constant(0.0), self.constant(1.0));
        let mut parameter = None;
        for operand in node.operands().filter(|o| rates[o] != zero) {
            let symbol = match self.node(operand) {
                Node::Symbol(s) => self.inner.borrow().curve_parameters.contains(&s).then_some(s),
                _ => derivatives.get(&operand).map(|(s, _)| *s),
            };
            if parameter.is_some_and(|other| Some(other) != symbol) {
                return None;
            }
            parameter = Some(symbol?);
        }
        let symbol = parameter?;
        let operand_derivative = |o: NodeId| match self.node(o) {
            Node::Symbol(s) if s == symbol => one,
            _ => derivatives.get(&o).map_or(zero, |(_, derivative)| *derivative),
        };
        let derivative = self.node_tangent(id, node, &operand_derivative);
        derivatives.insert(id, (symbol, derivative));
        Some((symbol, derivative))
    }

    /// Directional derivative of each root, with `seed` the component of the direction for each symbol.
    pub fn tangent(&self, roots: &[NodeId], seed: &mut dyn FnMut(Symbol) -> NodeId) -> Vec<NodeId> {
        let zero = self.constant(0.0);
        let mut d: HashMap<NodeId, NodeId> = HashMap::default();
        for id in self.reachable(roots) {
            let derivative = match self.node(id) {
                Node::Number(_) => zero,
                Node::Symbol(s) => seed(s),
                node => self.node_tangent(id, node, &|o| d[&o]),
            };
            d.insert(id, derivative);
        }
        roots.iter().map(|r| d[r]).collect()
    }

    /// Derivative of one operation, given those of its operands; `id` is the node of the operation.
    fn node_tangent(&self, id: NodeId, node: Node, d: Derivatives<'_>) -> NodeId {
        let zero = self.constant(0.0);
        if node.operands().all(|o| d(o) == zero) {
            return zero;
        }
        match node {
            Node::Number(_) | Node::Symbol(_) => zero,
            Node::Add(a, b) => self.rotated_derivative([a, b], false, d).unwrap_or_else(|| self.add(d(a), d(b))),
            Node::Sub(a, b) => self.rotated_derivative([a, b], true, d).unwrap_or_else(|| self.sub(d(a), d(b))),
            Node::Mul(a, b) if a == b => self.mul(self.constant(2.0), self.mul(a, d(a))),
            Node::Mul(a, b) => {
                let derivative = || self.add(self.mul(d(a), b), self.mul(a, d(b)));
                self.unit_vector_derivative([a, b], d).unwrap_or_else(derivative)
            }
            Node::Neg(a) => self.neg(d(a)),
            // (1/a)′ = −a′ (1/a)²
            Node::Inv(a) => self.neg(self.mul(d(a), self.mul(id, id))),
            Node::Unary(f, a) => self.mul(f.derivative(Sym::Node(self, a), Sym::Node(self, id)).id(self), d(a)),
            Node::Binary(f, a, b) => self.binary_derivative(f, a, b, d),
            Node::Select(test, [l, r, t, e]) => self.select(test, [l, r, d(t), d(e)]),
            Node::Called(f, partial, list) => {
                let list = &list[..usize::from(partial.arguments)];
                let derivative = |(i, a): (usize, &NodeId)| match d(*a) == zero {
                    true => zero,
                    false => self.mul(self.called(f, partial.differentiated(i), list), d(*a)),
                };
                list.iter().enumerate().map(derivative).fold(zero, |sum, term| self.add(sum, term))
            }
        }
    }

    /// Derivative of a component of a vector (X, Y) in axes rotated by θ, in the form (Ẋ − θ̇ Y, Ẏ + θ̇ X), whose terms serve both
    /// components.
    fn rotated_derivative(&self, terms: [NodeId; 2], is_difference: bool, d: Derivatives<'_>) -> Option<NodeId> {
        let [(first, angle, a), (second, other, b)] = [self.rotated_term(terms[0])?, self.rotated_term(terms[1])?];
        let zero = self.constant(0.0);
        let (da, db, omega) = (d(a), d(b), d(angle));
        if first == second || angle != other || omega == zero || da == zero && db == zero {
            return None;
        }
        // (cos θ a + sin θ b)˙ = cos θ (ȧ + θ̇ b) + sin θ (ḃ − θ̇ a); another sign, or the sine first, inverts both inner signs.
        let (omega_a, omega_b) = (self.mul(omega, a), self.mul(omega, b));
        let is_plus = (first == Function::Cos) != is_difference;
        let inner_a = if is_plus { self.add(da, omega_b) } else { self.sub(da, omega_b) };
        let inner_b = if is_plus { self.sub(db, omega_a) } else { self.add(db, omega_a) };
        let [x, y] = [self.mul(self.unary(first, angle), inner_a), self.mul(self.unary(second, angle), inner_b)];
        Some(if is_difference { self.sub(x, y) } else { self.add(x, y) })
    }

    /// Derivative of a component x/l of a unit vector (x, y)/l of the plane, which rotates at φ̇ = (x ẏ − y ẋ)/l²: −φ̇ y/l.
    fn unit_vector_derivative(&self, factors: [NodeId; 2], d: Derivatives<'_>) -> Option<NodeId> {
        let [a, b] = factors;
        let (x, y, inverse) = [(a, b), (b, a)].into_iter().find_map(|(x, inverse)| {
            let Node::Inv(length) = self.node(inverse) else { return None };
            let Node::Unary(Function::Sqrt, square) = self.node(length) else { return None };
            let Node::Add(p, q) = self.node(square) else { return None };
            let root = |square: NodeId| match self.node(square) {
                Node::Mul(a, b) if a == b => Some(a),
                _ => None,
            };
            let (p, q) = (root(p)?, root(q)?);
            let y = if p == x { q } else { p };
            (p == x || q == x).then_some((x, y, inverse))
        })?;
        let cross = self.sub(self.mul(x, d(y)), self.mul(y, d(x)));
        let omega = self.mul(self.mul(inverse, inverse), cross);
        Some(self.neg(self.mul(omega, self.mul(y, inverse))))
    }

    /// The function, θ and x of a product cos θ x or sin θ x.
    fn rotated_term(&self, term: NodeId) -> Option<(Function, NodeId, NodeId)> {
        let Node::Mul(a, b) = self.node(term) else { return None };
        [(a, b), (b, a)].into_iter().find_map(|(factor, rest)| match self.node(factor) {
            Node::Unary(f @ (Function::Cos | Function::Sin), angle) => Some((f, angle, rest)),
            _ => None,
        })
    }

    fn binary_derivative(&self, f: Function2, a: NodeId, b: NodeId, d: Derivatives<'_>) -> NodeId {
        let (da, db) = (d(a), d(b));
        match f {
            Function2::Atan2 => {
                let square = self.add(self.mul(a, a), self.mul(b, b));
                self.div(self.sub(self.mul(b, da), self.mul(a, db)), square)
            }
            Function2::Min => self.select(Comparison::Less, [b, a, db, da]),
            Function2::Max => self.select(Comparison::Less, [a, b, db, da]),
            Function2::Powf => {
                // b a^(b−1) a′ + a^b ln a b′
                let lower = self.binary(Function2::Powf, a, self.sub(b, self.constant(1.0)));
                let base = self.mul(self.mul(b, lower), da);
                if self.is_literal(db, 0.0) {
                    return base;
                }
                let power = self.binary(Function2::Powf, a, b);
                self.add(base, self.mul(self.mul(power, self.unary(Function::Ln, a)), db))
            }
            _ => unreachable!("arithmetic is no Binary node"),
        }
    }
}
