//! Symbolic scalars with the operators of numbers: the [`Scalar`] of the compiler.

use std::ops::{Add, Div, Mul, Neg, Sub};

use mbs_expr::{Comparison, Function, Function2, FunctionCall, Scalar};
use mbs_math::Vector;

use super::{Graph, NodeId};

/// A symbolic scalar: a node of a graph, or a literal that is not yet part of one.
#[derive(Clone, Copy)]
pub enum Sym<'g> {
    /// A literal.
    Literal(f64),
    /// A node.
    Node(&'g Graph, NodeId),
}

impl<'g> Sym<'g> {
    /// The node of the scalar in `graph`; a literal gets one.
    pub fn id(self, graph: &'g Graph) -> NodeId {
        match self {
            Sym::Literal(x) => graph.constant(x),
            Sym::Node(_, id) => id,
        }
    }

    /// Nodes as a vector.
    pub fn vector<const N: usize>(graph: &'g Graph, nodes: [NodeId; N]) -> Vector<Self, N> {
        Vector(nodes.map(|id| Sym::Node(graph, id)))
    }

    /// Applies an operation: on numbers if both operands are literals, else on nodes.
    fn combine(
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
        self.combine(other, |x, y| x + y, Graph::add)
    }
}

impl Sub for Sym<'_> {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self.combine(other, |x, y| x - y, Graph::sub)
    }
}

impl Mul for Sym<'_> {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        self.combine(other, |x, y| x * y, Graph::mul)
    }
}

impl Div for Sym<'_> {
    type Output = Self;
    fn div(self, other: Self) -> Self {
        self.combine(other, |x, y| x / y, Graph::div)
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
        self.combine(other, |x, y| f.apply(x, y), |g, a, b| g.binary(f, a, b))
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

    fn called(call: FunctionCall<'_>, arguments: &[Self], t: Self) -> Self {
        let Sym::Node(g, _) = t else { unreachable!("time is a symbol of the compiler's") };
        let arguments: Vec<NodeId> = arguments.iter().map(|a| a.id(g)).collect();
        Sym::Node(g, g.called(call.id, call.partial, &arguments))
    }

    fn rate(self) -> Self {
        match self {
            Sym::Literal(_) => Sym::Literal(0.0),
            Sym::Node(g, id) => Sym::Node(g, g.rate(&[id])[0]),
        }
    }

    fn with_rate(self, rate: Self) -> Self {
        match self {
            Sym::Literal(_) => self,
            Sym::Node(g, id) => Sym::Node(g, g.define(id, rate.id(g))),
        }
    }

    fn literal(self) -> Option<f64> {
        match self {
            Sym::Literal(x) => Some(x),
            Sym::Node(g, id) => g.value(id),
        }
    }

    fn is_zero(self) -> bool {
        match self {
            Sym::Literal(x) => x == 0.0,
            Sym::Node(g, id) => g.is_literal(id, 0.0),
        }
    }
}
