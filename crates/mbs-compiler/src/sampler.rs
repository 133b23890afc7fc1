//! Samples of derived equations, for the compile-time checks.

use mbs_check::Sample;
use mbs_model::{Model, RowLevel};
use mbs_physics::{Tree, default_symbol_values};

use crate::derive::Equations;
use crate::evaluate::evaluate_sorted;
use crate::graph::{Graph, NodeId, Symbol};

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
        let mut roots = equations.rows.phi.clone();
        roots.extend(equations.rows.jacobian.values());
        roots.extend(equations.mass.values());
        let exact = equations.conditions.exact.iter().map(|c| (c, false));
        let guesses = equations.conditions.guesses.iter().map(|c| (c, true));
        let mut conditions = Vec::new();
        for (condition, guess) in exact.chain(guesses) {
            if condition.level != RowLevel::Position {
                continue;
            }
            roots.push(condition.residual);
            roots.extend(condition.derivatives.iter().map(|(_, derivative)| *derivative));
            conditions.push((condition.derivatives.iter().map(|(i, _)| *i).collect(), guess));
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
            phi: equations.rows.phi.len(),
            jacobian: equations.rows.jacobian.keys().copied().collect(),
            mass: equations.mass.keys().copied().collect(),
            conditions,
        }
    }

    /// Value of a symbol at given solver coordinates; parameters and states have their defaults, speeds, inputs and time are zero.
    pub fn symbol(&self, q: &[f64], symbol: Symbol) -> f64 {
        match symbol {
            Symbol::Parameter(i) => self.parameters[i as usize],
            Symbol::Auxiliary(i) => self.auxiliary[i as usize],
            Symbol::SolverCoordinate(i) => q[i as usize],
            _ => 0.0,
        }
    }

    /// Φ, Ĝ, M̂ and conditions on coordinates at solver coordinates `q` and, where they depend on speeds, at solver speeds `v`. Guessed
    /// conditions are included if `guesses`.
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
