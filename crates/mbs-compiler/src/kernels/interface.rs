//! Converts rows, gradients, M and Q from the solver's speeds to the interface's.

use std::collections::BTreeMap;
use std::ops::Range;

use mbs_model::RowLevel;

use super::Context;
use crate::derive::{Condition, Derivatives, Matrix};
use crate::graph::{NodeId, Symbol, sparse_derivatives};

impl Context<'_> {
    /// Whether the solver's speeds are those of the interface, in the same order.
    pub(super) fn has_interface_speeds(&self) -> bool {
        let one = self.graph.constant(1.0);
        self.equations.solver.derivatives.iter().enumerate().all(|(i, row)| row[..] == [(i, one)])
    }

    /// Gradient of a condition, n_v: ∂(residual)/∂q or ∂(residual)/∂v. Where q̇ differs from v, the derivatives with respect to
    /// displacements N(q) e_j replace those with respect to coordinates. `root` is the residual in interface symbols.
    pub(super) fn condition_gradient(&self, condition: &Condition, root: NodeId) -> Vec<NodeId> {
        let (graph, n) = (self.graph, self.equations.n);
        let symbol = match condition.level {
            RowLevel::Position => Symbol::Coordinate,
            _ => Symbol::Speed,
        };
        let row = match self.equations.interface.coordinate_rates {
            None => sparse_derivatives(graph, &[root], symbol).remove(0),
            Some(_) => self.row_to_interface(&condition.derivatives),
        };
        let mut gradient = vec![graph.constant(0.0); n];
        row.into_iter().for_each(|(i, derivative)| gradient[i] = derivative);
        gradient
    }

    /// Converts a row in the solver's speeds to one in the interface's: g = ĝ W.
    pub(super) fn row_to_interface(&self, row: &Derivatives) -> Derivatives {
        let graph = self.graph;
        let nodes = self.to_interface(&row.iter().map(|(_, g)| *g).collect::<Vec<_>>());
        let mut sums: BTreeMap<usize, NodeId> = BTreeMap::new();
        for ((k, _), g) in row.iter().zip(nodes) {
            for (i, w) in &self.equations.solver.derivatives[*k] {
                let term = graph.mul(g, *w);
                sums.entry(*i).and_modify(|sum| *sum = graph.add(*sum, term)).or_insert(term);
            }
        }
        sums.into_iter().collect()
    }

    /// G = Ĝ W, row-major, and γ = γ̂ − Ĝ (â at a = 0), for some rows.
    pub(super) fn interface_rows(&self, rows: Range<usize>) -> (Vec<NodeId>, Vec<NodeId>) {
        let (graph, e) = (self.graph, self.equations);
        let mut jacobian = vec![graph.constant(0.0); rows.len() * e.n];
        let mut gamma = self.to_interface(&e.rows.gamma[rows.clone()]);
        for (k, (r, gamma)) in rows.zip(&mut gamma).enumerate() {
            let row: Derivatives = e.rows.jacobian.range((r, 0)..(r + 1, 0)).map(|((_, k), g)| (*k, *g)).collect();
            for (i, g) in self.row_to_interface(&row) {
                jacobian[k * e.n + i] = g;
            }
            let nodes = self.to_interface(&row.iter().map(|(_, g)| *g).collect::<Vec<_>>());
            for ((k, _), g) in row.iter().zip(nodes) {
                *gamma = graph.sub(*gamma, graph.mul(g, e.solver.bias[*k]));
            }
        }
        (jacobian, gamma)
    }

    /// M = Wᵀ (M̂ W) with W = ∂q̂/∂q. Sums run from the last solver coordinate to the first: along a chain each extends the next one's, so
    /// that they are shared. One triangle is summed, so that M is symmetric to the bit.
    pub(super) fn interface_mass(&self, w: &[Vec<(usize, NodeId)>]) -> Vec<NodeId> {
        let (graph, n) = (self.graph, self.equations.n);
        let zero = graph.constant(0.0);
        let roots = self.to_interface(&self.equations.mass.values().copied().collect::<Vec<_>>());
        let mut solver_mass = vec![BTreeMap::new(); n];
        for (&(k, l), m) in self.equations.mass.keys().zip(roots) {
            solver_mass[k].insert(l, m);
            solver_mass[l].insert(k, m);
        }
        let add = |sum: &mut NodeId, a: NodeId, b: NodeId| *sum = graph.add(*sum, graph.mul(a, b));
        let mut mass = vec![zero; n * n];
        for (row, derivatives) in solver_mass.iter().zip(w).rev() {
            let mut half: BTreeMap<usize, NodeId> = BTreeMap::new();
            for (l, m) in row.iter().rev() {
                w[*l].iter().for_each(|(j, derivative)| add(half.entry(*j).or_insert(zero), *m, *derivative));
            }
            for (i, derivative) in derivatives {
                half.range(..=i).for_each(|(j, h)| add(&mut mass[i * n + j], *derivative, *h));
            }
        }
        for (i, j) in (0..n * n).map(|k| (k / n, k % n)).filter(|(i, j)| j < i) {
            mass[j * n + i] = mass[i * n + j];
        }
        mass
    }

    /// Q = Wᵀ (Q̂ − M̂ b) with b the solver's bias accelerations, â at a = 0.
    pub(super) fn interface_forces(&self, w: &[Vec<(usize, NodeId)>], solver_forces: &[NodeId]) -> Vec<NodeId> {
        let (graph, e) = (self.graph, self.equations);
        let bias = &e.solver.bias;
        let mut forces = self.to_interface(solver_forces);
        let entries: Vec<((usize, usize), NodeId)> = e.mass.iter().map(|(k, m)| (*k, *m)).collect();
        let roots = self.to_interface(&entries.iter().map(|e| e.1).collect::<Vec<_>>());
        for (((k, l), _), m) in entries.iter().zip(roots) {
            forces[*k] = graph.sub(forces[*k], graph.mul(m, bias[*l]));
            if k != l {
                forces[*l] = graph.sub(forces[*l], graph.mul(m, bias[*k]));
            }
        }
        self.project_to_interface(w, &forces)
    }

    /// Wᵀ f: forces on the solver's speeds, converted to the interface's. Sums run from the last solver speed to the first, as those of M do.
    pub(super) fn project_to_interface(&self, w: &[Derivatives], forces: &[NodeId]) -> Vec<NodeId> {
        let graph = self.graph;
        let mut interface = vec![graph.constant(0.0); self.equations.n];
        for (force, derivatives) in forces.iter().zip(w).rev() {
            for (i, derivative) in derivatives {
                interface[*i] = graph.add(interface[*i], graph.mul(*derivative, *force));
            }
        }
        interface
    }

    /// M a − Q for the interface speeds, at any accelerations: the generalised forces that are needed in addition to the applied loads,
    /// without Gᵀλ.
    pub(super) fn inverse_dynamics(&self) -> Vec<NodeId> {
        self.project_to_interface(
            &self.equations.solver.derivatives,
            &self.to_interface(&self.solver_inverse_dynamics()),
        )
    }

    /// M̂ â − Q̂ at any accelerations, in solver symbols.
    pub(super) fn solver_inverse_dynamics(&self) -> Vec<NodeId> {
        let e = self.equations;
        e.inverse.clone().unwrap_or_else(|| self.metric_residual(&e.mass))
    }

    /// Metric · â − Q̂ in solver symbols; `metric` is the lower triangle of M̂ or of a matrix in its stead.
    pub(super) fn metric_residual(&self, metric: &Matrix) -> Vec<NodeId> {
        let graph = self.graph;
        let mut sums: Vec<NodeId> = self.equations.forces.total.iter().map(|q| graph.neg(*q)).collect();
        let acceleration = |i: usize| graph.symbol(Symbol::SolverAcceleration(i as u32));
        for ((i, j), m) in metric {
            sums[*i] = graph.add(sums[*i], graph.mul(*m, acceleration(*j)));
            if i != j {
                sums[*j] = graph.add(sums[*j], graph.mul(*m, acceleration(*i)));
            }
        }
        sums
    }
}
