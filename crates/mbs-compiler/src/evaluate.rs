//! Evaluates the graph numerically, for the compile-time checks and tests. For the rounding of generated code, use the interpreter.

use mbs_core::math::irrational;
use mbs_expr::{Function2, FunctionSource, StandIn};
use rustc_hash::FxHashMap;

use crate::graph::{Graph, Node, NodeId, Symbol};

/// A value below this fraction of the largest one is round-off.
const ROUNDING: f64 = 1e-13;

/// Values of `roots`, in their order, given those of the symbols. Functions written in Rust have the values of stand-ins.
pub fn evaluate(graph: &Graph, roots: &[NodeId], symbol: &dyn Fn(Symbol) -> f64) -> Vec<f64> {
    evaluate_sorted(graph, &graph.reachable(roots), roots, symbol)
}

/// Value of a symbol at the irrational state k = 0, 1, …: an expression that cancels at several of these states vanishes at every state.
pub fn irrational_value(k: usize, symbol: Symbol) -> f64 {
    let number = |i: u32, kind: f64| irrational(1.0 + kind + 0.7 * k as f64, i as usize);
    match symbol {
        Symbol::Parameter(i) => 1.1 + number(i, 0.1),
        Symbol::Coordinate(i) | Symbol::SolverCoordinate(i) => number(i, 0.2),
        Symbol::Speed(i) | Symbol::SolverSpeed(i) => number(i, 0.3),
        Symbol::Auxiliary(i) => number(i, 0.4),
        Symbol::Input(i) => number(i, 0.5),
        _ => number(0, 0.6),
    }
}

/// For each node, whether its value is round-off relative to the largest one, in each of three states; `symbol(k, s)` is the value of s in
/// state k.
pub fn hidden_zeros(graph: &Graph, nodes: &[NodeId], symbol: &dyn Fn(usize, Symbol) -> f64) -> Vec<bool> {
    let samples = [0, 1, 2].map(|k| evaluate(graph, nodes, &|s| symbol(k, s)));
    let largest = |values: &Vec<f64>| values.iter().filter(|x| x.is_finite()).fold(0.0_f64, |m, x| m.max(x.abs()));
    let sizes = samples.each_ref().map(largest);
    let is_zero = |i: usize| samples.iter().zip(sizes).all(|(values, size)| values[i].abs() <= ROUNDING * size);
    (0..nodes.len()).map(is_zero).collect()
}

/// As [`evaluate`], with the reachable nodes given in ascending order.
pub fn evaluate_sorted(graph: &Graph, order: &[NodeId], roots: &[NodeId], symbol: &dyn Fn(Symbol) -> f64) -> Vec<f64> {
    let mut values: FxHashMap<NodeId, f64> = FxHashMap::default();
    for id in order {
        let value_of = |o: NodeId| values[&o];
        let value = match graph.node(*id) {
            Node::Number(bits) => f64::from_bits(bits),
            Node::Symbol(s) => symbol(s),
            Node::Add(a, b) => value_of(a) + value_of(b),
            Node::Sub(a, b) => value_of(a) - value_of(b),
            Node::Mul(a, b) => value_of(a) * value_of(b),
            Node::Neg(a) => -value_of(a),
            Node::Inv(a) => 1.0 / value_of(a),
            Node::Unary(f, a) => f.apply(value_of(a)),
            Node::Binary(f, a, b) => Function2::apply(f, value_of(a), value_of(b)),
            Node::Called(f, partial, list) => graph.with_functions(|all| match all[f.index()].source() {
                // The compiler cannot call functions written in Rust: a stand-in replaces them.
                FunctionSource::Rust => {
                    StandIn::Generic.partial(f, partial, &list.map(value_of)[..usize::from(partial.arguments)])
                }
                _ => all[f.index()].partial(partial, &list.map(value_of)[..usize::from(partial.arguments)]),
            }),
            Node::Select(test, [l, r, t, e]) => {
                if test.apply(value_of(l), value_of(r)) {
                    value_of(t)
                } else {
                    value_of(e)
                }
            }
        };
        values.insert(*id, value);
    }
    roots.iter().map(|r| values[r]).collect()
}
