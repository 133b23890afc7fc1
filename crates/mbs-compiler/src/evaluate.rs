//! Evaluates the graph numerically, for the compile-time checks and tests. The interpreter reproduces the runtime's arithmetic.

use mbs_check::Sample;
use mbs_core::math::irrational;
use mbs_expr::{Function2, FunctionSource, StandIn};
use mbs_model::{Model, RowLevel};
use mbs_physics::{Tree, default_symbol_values};
use rustc_hash::FxHashMap;

use crate::derive::Equations;
use crate::graph::{Graph, Node, NodeId, Symbol};

/// A value below this fraction of the largest one is round-off.
const ROUNDING: f64 = 1e-13;

/// Values of nodes, given those of the symbols.
pub fn evaluate(graph: &Graph, roots: &[NodeId], symbol: &dyn Fn(Symbol) -> f64) -> Vec<f64> {
    evaluate_sorted(graph, &graph.reachable(roots), roots, symbol)
}

/// Values of symbols at irrational states k = 0, 1, …: an expression that cancels at several of them vanishes at every state.
pub fn anywhere(k: usize, symbol: Symbol) -> f64 {
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

/// Whether each value is round-off relative to the largest, at every one of three states.
pub fn hidden_zeros(graph: &Graph, nodes: &[NodeId], symbol: &dyn Fn(usize, Symbol) -> f64) -> Vec<bool> {
    let samples = [0, 1, 2].map(|k| evaluate(graph, nodes, &|s| symbol(k, s)));
    let largest = |values: &Vec<f64>| values.iter().filter(|x| x.is_finite()).fold(0.0_f64, |m, x| m.max(x.abs()));
    let sizes = samples.each_ref().map(largest);
    let is_zero = |i: usize| samples.iter().zip(sizes).all(|(values, size)| values[i].abs() <= ROUNDING * size);
    (0..nodes.len()).map(is_zero).collect()
}

/// As [`evaluate`], with the reachable nodes given in ascending order.
fn evaluate_sorted(graph: &Graph, order: &[NodeId], roots: &[NodeId], symbol: &dyn Fn(Symbol) -> f64) -> Vec<f64> {
    let mut values: FxHashMap<NodeId, f64> = FxHashMap::default();
    for id in order {
        let at = |o: NodeId| values[&o];
        let value = match graph.node(*id) {
            Node::Number(bits) => f64::from_bits(bits),
            Node::Symbol(s) => symbol(s),
            Node::Add(a, b) => at(a) + at(b),
            Node::Sub(a, b) => at(a) - at(b),
            Node::Mul(a, b) => at(a) * at(b),
            Node::Neg(a) => -at(a),
            Node::Inv(a) => 1.0 / at(a),
            Node::Unary(f, a) => f.apply(at(a)),
            Node::Binary(f, a, b) => Function2::apply(f, at(a), at(b)),
            Node::Called(f, partial, list) => graph.with_functions(|all| match all[f.index()].source() {
                // The compiler cannot call functions written in Rust: a stand-in replaces them.
                FunctionSource::Rust => {
                    StandIn::Generic.partial(f, partial, &list.map(at)[..usize::from(partial.arguments)])
                }
                _ => all[f.index()].partial(partial, &list.map(at)[..usize::from(partial.arguments)]),
            }),
            Node::Select(test, [l, r, t, e]) => {
                if test.apply(at(l), at(r)) {
                    at(t)
                } else {
                    at(e)
                }
            }
        };
        values.insert(*id, value);
    }
    roots.iter().map(|r| values[r]).collect()
}

/// Evaluates [`Sample`]s for the checks.
pub struct Sampler<'a> {
    graph: &'a Graph,
    n: usize,
    n_c: usize,
    parameters: Vec<f64>,
    auxiliary: Vec<f64>,
    roots: Vec<NodeId>,
    order: Vec<NodeId>,
    phi: usize,
    jacobian: Vec<(usize, usize)>,
    mass: Vec<(usize, usize)>,
    /// Columns of each condition's gradient, and whether it is a guess.
    conditions: Vec<(Vec<usize>, bool)>,
}

impl<'a> Sampler<'a> {
    /// Collects the nodes that the samples need.
    pub fn new(graph: &'a Graph, model: &Model, tree: &Tree, equations: &Equations) -> Self {
        let mut roots = equations.phi.clone();
        roots.extend(equations.jacobian.values());
        roots.extend(equations.mass.values());
        let exact = equations.conditions.iter().map(|c| (c, false));
        let guesses = equations.guesses.iter().map(|c| (c, true));
        let mut conditions = Vec::new();
        for (condition, guess) in exact.chain(guesses) {
            if condition.level != RowLevel::Position {
                continue;
            }
            roots.push(condition.residual);
            roots.extend(condition.slopes.iter().map(|(_, slope)| *slope));
            conditions.push((condition.slopes.iter().map(|(i, _)| *i).collect(), guess));
        }
        let (parameters, auxiliary) = default_symbol_values(model);
        Sampler {
            graph,
            n: equations.n,
            n_c: tree.rows.len(),
            parameters,
            auxiliary,
            order: graph.reachable(&roots),
            roots,
            phi: equations.phi.len(),
            jacobian: equations.jacobian.keys().copied().collect(),
            mass: equations.mass.keys().copied().collect(),
            conditions,
        }
    }

    /// Values of symbols at given solver coordinates, otherwise the defaults: at rest at t = 0.
    pub fn symbol(&self, q: &[f64], symbol: Symbol) -> f64 {
        match symbol {
            Symbol::Parameter(i) => self.parameters[i as usize],
            Symbol::Auxiliary(i) => self.auxiliary[i as usize],
            Symbol::SolverCoordinate(i) => q[i as usize],
            _ => 0.0,
        }
    }

    /// A sample at solver coordinates; Ĝ at solver speeds.
    pub fn sample(&self, q: &[f64], v: &[f64], guesses: bool) -> Sample {
        let values = evaluate_sorted(self.graph, &self.order, &self.roots, &|s| match s {
            Symbol::SolverSpeed(i) => v[i as usize],
            _ => self.symbol(q, s),
        });
        let mut values = values.into_iter();
        let mut take = |n: usize| values.by_ref().take(n).collect::<Vec<f64>>();
        let phi = take(self.phi);
        let mut jacobian = vec![Default::default(); self.n_c];
        for ((r, i), g) in self.jacobian.iter().zip(take(self.jacobian.len())) {
            let row: &mut std::collections::BTreeMap<usize, f64> = &mut jacobian[*r];
            row.insert(*i, g);
        }
        let mut mass = vec![Default::default(); self.n];
        for ((i, j), m) in self.mass.iter().zip(take(self.mass.len())) {
            let row: &mut std::collections::BTreeMap<usize, f64> = &mut mass[*i];
            row.insert(*j, m);
            mass[*j].insert(*i, m);
        }
        let mut conditions = Vec::new();
        for (columns, guess) in &self.conditions {
            let list = take(1 + columns.len());
            if guesses || !guess {
                conditions.push((list[0], columns.iter().copied().zip(list[1..].iter().copied()).collect()));
            }
        }
        Sample { phi, jacobian, mass, conditions }
    }
}
