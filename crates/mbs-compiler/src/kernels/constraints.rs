//! Kernels of the terms of the equations: Φ, ψ, G, ν, γ, M, Q, and of conditions on the state.

use mbs_definition::Space;
use mbs_model::{InitialCondition, RowLevel};
use rustc_hash::FxHashMap;

use super::Context;
use crate::derive::Condition;
use crate::graph::{NodeId, Stage, Symbol, sparse_derivatives, without_acceleration};
use crate::schedule::Group;

/// Rows in interface symbols: G v = ν, G a = γ.
struct Rows {
    /// G, n_c × n_v, row-major.
    jacobian: Vec<NodeId>,
    gamma: Vec<NodeId>,
    nu: Vec<NodeId>,
}

view_of_context! {
    /// Kernels of rows and of conditions.
    ConstraintKernels
}

impl Context<'_> {
    /// A function with one array of results.
    fn single_output(&self, name: &str, docs: &str, stage: Stage, array: &str, nodes: &[NodeId]) -> Group {
        Group { entries: vec![self.entry(name, docs, stage, vec![self.output_array(array, nodes)])] }
    }
}

impl ConstraintKernels<'_, '_> {
    /// A function for each of these terms.
    pub(super) fn kernels(&self) -> Vec<Group> {
        let e = self.equations;
        let phi = self.to_interface(&e.rows.phi);
        let psi = self.to_interface(&e.rows.psi);
        let rows = self.rows(&psi);
        let w = &e.solver.derivatives;
        let mass = self.interface_mass(w);
        let forces = self.interface_forces(w, &e.forces.total);
        let velocity_forces = self.interface_forces(w, &e.forces.velocity);
        let jacobian_stage = self.factorisation_stage();
        let mut groups = vec![
            self.single_output(
                "position_residuals",
                "Φ(q, t) of the position rows: first end minus second, left minus right.",
                Stage::Position,
                "phi",
                &phi,
            ),
            self.single_output(
                "velocity_residuals",
                "ψ = G v − ν of the position and velocity rows.",
                Stage::Velocity,
                "psi",
                &psi,
            ),
            self.single_output(
                "constraint_jacobian",
                "G, n_c × n_v, row-major.",
                jacobian_stage,
                "jacobian",
                &rows.jacobian,
            ),
            self.single_output("nu", "Right side of G v = ν.", jacobian_stage, "nu", &rows.nu),
            self.single_output(
                "gamma",
                "Right side of G a = γ: γ = −(ψ_q v + ψ_t).",
                Stage::Velocity,
                "gamma",
                &rows.gamma,
            ),
            self.single_output("mass_matrix", "M, n_v × n_v, row-major, symmetric.", Stage::Position, "mass", &mass),
            self.single_output(
                "generalized_forces",
                "Q: applied loads and velocity-quadratic terms.",
                Stage::Acceleration,
                "forces",
                &forces,
            ),
            self.single_output(
                "velocity_forces",
                "Q without any load: terms that are quadratic in speeds.",
                Stage::Velocity,
                "forces",
                &velocity_forces,
            ),
        ];
        groups.extend(self.acceleration_residuals(&rows));
        groups.extend(self.condition_kernels());
        groups
    }

    /// G = ∂ψ/∂v; γ = −ψ̇ at a = 0; ν = −ψ at v = 0 for rows that are affine in speeds. `psi` is ψ in interface symbols.
    fn rows(&self, psi: &[NodeId]) -> Rows {
        let (graph, n) = (self.graph, self.equations.n);
        let zero = graph.constant(0.0);
        let mut jacobian: Vec<NodeId> = Vec::with_capacity(self.tree.rows.len() * n);
        let mut gamma = Vec::new();
        let speed_zero: FxHashMap<NodeId, NodeId> =
            (0..n as u32).map(|i| (graph.symbol(Symbol::Speed(i)), zero)).collect();
        let spatial = self.model.space == Space::Spatial;
        for root in psi.iter().filter(|_| !spatial) {
            let start = jacobian.len();
            jacobian.resize(start + n, zero);
            for (i, derivative) in &sparse_derivatives(graph, &[*root], Symbol::Speed)[0] {
                jacobian[start + i] = *derivative;
            }
            // Rates of states are in solver symbols.
            let rate = self.to_interface(&graph.rate(&[*root]))[0];
            gamma.push(graph.neg(without_acceleration(graph, rate)));
        }
        // Acceleration rows have no ψ, and in space no row is differentiated.
        let (others, targets) = self.interface_rows(gamma.len()..self.tree.rows.len());
        jacobian.extend(others);
        gamma.extend(targets);
        let mut nu: Vec<NodeId> = graph.substitute(psi, &speed_zero).into_iter().map(|x| graph.neg(x)).collect();
        for (r, row) in self.tree.rows.iter().enumerate().filter(|(_, row)| self.model.row_reads_speeds(row)) {
            // For a row that is not affine in speeds: ν = G v − ψ.
            if row.level == RowLevel::Velocity {
                let product = self.product(&jacobian[r * n..][..n], Symbol::Speed);
                nu[r] = graph.sub(product, psi[r]);
            }
        }
        Rows { jacobian, gamma, nu }
    }

    /// Product of a row of G with v or a.
    fn product(&self, row: &[NodeId], symbol: fn(u32) -> Symbol) -> NodeId {
        let graph = self.graph;
        let terms = (0..).zip(row).map(|(i, g)| graph.mul(*g, graph.symbol(symbol(i))));
        terms.fold(graph.constant(0.0), |sum, term| graph.add(sum, term))
    }

    /// The kernel of G a − γ; `None` unless operators are requested and rows exist.
    fn acceleration_residuals(&self, Rows { jacobian, gamma, .. }: &Rows) -> Option<Group> {
        let n = self.equations.n;
        if !self.model.settings.kernels.operators || gamma.is_empty() {
            return None;
        }
        let residual = |(r, gamma): (usize, &NodeId)| {
            self.graph.sub(self.product(&jacobian[r * n..][..n], Symbol::Acceleration), *gamma)
        };
        let residuals: Vec<NodeId> = gamma.iter().enumerate().map(residual).collect();
        let docs = "G a − γ at accelerations a, of all rows.";
        Some(self.single_output("acceleration_residuals", docs, Stage::Acceleration, "residuals", &residuals))
    }

    /// Conditions of the start, of events and of guesses, in this order.
    fn condition_kernels(&self) -> Vec<Group> {
        let e = self.equations;
        let first_guess = e.conditions.exact.len() + self.model.event_conditions().count();
        let all = e.conditions.exact.iter().chain(&e.conditions.imposed).zip(self.model.imposed_conditions());
        let kernel = |(k, (condition, declared)): (usize, (&Condition, &InitialCondition))| {
            let root = self.to_interface(&[condition.residual])[0];
            let gradient = self.condition_gradient(condition, root);
            let outputs = vec![self.output_array("residual", &[root]), self.output_array("gradient", &gradient)];
            let name = &declared.name;
            let docs = match k {
                _ if k < e.conditions.exact.len() => format!("`initial {name}`: observable − value, and its gradient."),
                _ if k < first_guess => format!("`{name}`: condition after an event, and its gradient."),
                _ => format!("`{name}`: observable − guess, and its gradient."),
            };
            Group { entries: vec![self.entry(&format!("condition_{k}"), &docs, Stage::Velocity, outputs)] }
        };
        all.enumerate().map(kernel).collect()
    }
}
