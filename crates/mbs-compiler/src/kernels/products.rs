//! Products of M, M⁻¹, G and Gᵀ with vectors, and the projection onto admissible motions, without the matrices.
//!
//! With the solver's speeds v̂ = W v, v = H v̂, its matrices M̂ and Ĝ, and K = [M Gᵀ; G 0]:
//!
//! ```text
//! (1)  M x = Wᵀ (M̂ (W x))            by recursion, from the entries of M̂, or from those of M
//! (2)  G x = Ĝ (W x)                 Gᵀ λ = Wᵀ (Ĝᵀ λ)
//! (3)  M⁻¹ f = H (M̂⁻¹ (Hᵀ f))        with the factorisation of M̂ alone
//! (4)  P x = x − y                   K (y, μ) = (0, G x), with the factorisation of the accelerations
//! ```
//!
//! (4) is x − M⁻¹Gᵀ(GM⁻¹Gᵀ)⁻¹G x where M is regular, and is also defined where only K is regular.

use mbs_core::math::irrational;
use mbs_physics::default_symbol_values;
use rustc_hash::FxHashMap;

use super::Context;
use super::system::{Solved, System};
use crate::evaluate::evaluate;
use crate::graph::{NodeId, Stage, Symbol};
use crate::optimize::{count, optimize};
use crate::schedule::{Check, Entry, Group};

/// A pivot below this fraction of its terms is round-off.
const ROUNDING: f64 = 1e-12;

/// The kernel of (3).
pub const INVERSE_MASS: &str = "multiply_by_inverse_mass_matrix";
/// The kernel of Gᵀ λ in (2).
pub const TRANSPOSED_JACOBIAN: &str = "multiply_by_constraint_jacobian_transpose";

view_of_context! {
    /// Kernels of products with the matrices of a mechanism.
    ProductKernels
}

impl<'a> Context<'a> {
    /// Symbols of x, in the interface speeds.
    fn operand(&self) -> Vec<NodeId> {
        (0..self.equations.n as u32).map(|i| self.graph.symbol(Symbol::Acceleration(i))).collect()
    }

    /// W x. Sums run from the first speed to the last: along a chain each extends the previous one.
    fn solver_operand(&self) -> Vec<NodeId> {
        let (graph, x) = (self.graph, self.operand());
        let row = |row: &Vec<(usize, NodeId)>| {
            row.iter().fold(graph.constant(0.0), |sum, (i, w)| graph.add(sum, graph.mul(*w, x[*i])))
        };
        self.equations.solver.derivatives.iter().map(row).collect()
    }

    /// M x from the entries of M̂.
    pub(super) fn mass_product_from_solver_entries(&self) -> Vec<NodeId> {
        let (graph, e) = (self.graph, self.equations);
        let x = self.solver_operand();
        let mut forces = vec![graph.constant(0.0); e.n];
        let entries = self.to_interface(&e.mass.values().copied().collect::<Vec<_>>());
        for ((i, j), m) in e.mass.keys().zip(entries) {
            forces[*i] = graph.add(forces[*i], graph.mul(m, x[*j]));
            if i != j {
                forces[*j] = graph.add(forces[*j], graph.mul(m, x[*i]));
            }
        }
        self.project_to_interface(&e.solver.derivatives, &forces)
    }

    /// M x from the entries of M.
    pub(super) fn mass_product_from_entries(&self) -> Vec<NodeId> {
        let (graph, x) = (self.graph, self.operand());
        let mass = self.interface_mass(&self.equations.solver.derivatives);
        let row = |row: &[NodeId]| {
            row.iter().zip(&x).fold(graph.constant(0.0), |sum, (m, x)| graph.add(sum, graph.mul(*m, *x)))
        };
        mass.chunks(x.len().max(1)).map(row).collect()
    }
}

impl ProductKernels<'_, '_> {
    /// Kernels of (1), (2) and (3), if operators are requested.
    pub(super) fn kernels(&self) -> Vec<Group> {
        if self.equations.operators.is_none() {
            return Vec::new();
        }
        let single = |name: &str, docs: &str, array: &str, nodes: &[NodeId]| Group {
            entries: vec![self.entry(name, docs, Stage::Acceleration, vec![self.output_array(array, nodes)])],
        };
        let mut groups = vec![single("multiply_by_mass_matrix", "M x.", "product", &self.mass_product())];
        let rows = !self.tree.rows.is_empty();
        if rows && self.factorisation_stage() == Stage::Position {
            let product = self.jacobian_product();
            groups.push(single("multiply_by_constraint_jacobian", "G x.", "product", &product));
            groups.push(self.transposed_jacobian_group());
        }
        if rows || self.unit_metric {
            groups.push(Group { entries: vec![self.inverse_mass_entry()] });
        }
        groups
    }

    /// The kernel of (4), with the values that the position stage stores; `None` if every motion is admissible.
    pub(super) fn projection(&self, solved: &Solved<'_>) -> Option<Entry> {
        let early = self.factorisation_stage() == Stage::Position;
        self.equations.operators.as_ref().filter(|_| early && !self.tree.rows.is_empty())?;
        let (graph, n) = (self.graph, self.equations.n as u32);
        let zero = graph.constant(0.0);
        let mut right: FxHashMap<NodeId, NodeId> = (0..n).map(|i| (graph.symbol(Symbol::Force(i)), zero)).collect();
        right.extend((0..).map(|r| graph.symbol(Symbol::Target(r))).zip(self.jacobian_product()));
        let inadmissible = graph.substitute(&self.to_interface(&solved.response.0), &right);
        let projected: Vec<NodeId> =
            self.operand().into_iter().zip(inadmissible).map(|(x, y)| graph.sub(x, y)).collect();
        let docs =
            "P x = x − M⁻¹Gᵀ(GM⁻¹Gᵀ)⁻¹G x: speeds without the part that rows forbid, least changed in kinetic energy.";
        Some(self.entry("project_speeds", docs, Stage::Acceleration, vec![self.output_array("projected", &projected)]))
    }

    /// M x by the method that needs the fewest operations after optimisation.
    fn mass_product(&self) -> Vec<NodeId> {
        let graph = self.graph;
        let candidates = [
            self.mass_product_by_recursion(),
            self.mass_product_from_solver_entries(),
            self.mass_product_from_entries(),
        ];
        let counts = candidates.each_ref().map(|product| count(graph, product).operations);
        let least = counts.into_iter().min().unwrap_or(0);
        // Skip candidates that need more than twice the fewest operations: optimisation does not close such a gap.
        let promising = candidates.into_iter().zip(counts).filter(|(_, operations)| *operations <= 2 * least);
        let optimized = |product: &Vec<NodeId>| count(graph, &optimize(graph, product, &[]).roots).operations;
        promising.map(|(product, _)| product).min_by_key(optimized).expect("the cheapest is among them")
    }

    /// M x by recursion: accelerations outwards, forces inwards.
    fn mass_product_by_recursion(&self) -> Vec<NodeId> {
        let (graph, e) = (self.graph, self.equations);
        let forces = e.operators.as_ref().map_or(&[][..], |terms| &terms.mass_product);
        let forces = self.state_to_interface(forces);
        let solver = (0..).map(|i| graph.symbol(Symbol::SolverAcceleration(i)));
        let replace = solver.zip(self.solver_operand()).collect();
        self.project_to_interface(&e.solver.derivatives, &graph.substitute(&forces, &replace))
    }

    /// G x.
    fn jacobian_product(&self) -> Vec<NodeId> {
        let (graph, e) = (self.graph, self.equations);
        let x = self.solver_operand();
        let mut product = vec![graph.constant(0.0); self.tree.rows.len()];
        let entries = self.to_interface(&e.rows.jacobian.values().copied().collect::<Vec<_>>());
        for ((r, i), g) in e.rows.jacobian.keys().zip(entries) {
            product[*r] = graph.add(product[*r], graph.mul(g, x[*i]));
        }
        product
    }

    /// The kernel of Gᵀ λ.
    pub(super) fn transposed_jacobian_group(&self) -> Group {
        let outputs = vec![self.output_array("forces", &self.transposed_jacobian_product())];
        Group { entries: vec![self.entry(TRANSPOSED_JACOBIAN, "Gᵀ λ.", Stage::Acceleration, outputs)] }
    }

    /// Gᵀ λ.
    fn transposed_jacobian_product(&self) -> Vec<NodeId> {
        let (graph, e) = (self.graph, self.equations);
        let mut forces = vec![graph.constant(0.0); e.n];
        let entries = self.to_interface(&e.rows.jacobian.values().copied().collect::<Vec<_>>());
        for ((r, i), g) in e.rows.jacobian.keys().zip(entries) {
            let load = graph.mul(g, graph.symbol(Symbol::Multiplier(*r as u32)));
            forces[*i] = graph.add(forces[*i], load);
        }
        self.project_to_interface(&e.solver.derivatives, &forces)
    }

    /// The kernel of M⁻¹ f by the cheaper of LDLᵀ and articulated bodies; it reports a singular row if M is singular in every pose.
    pub(super) fn inverse_mass_entry(&self) -> Entry {
        let graph = self.graph;
        let docs = "M⁻¹ f, without regard to rows.";
        let definite = self.unconstrained().into_iter().filter(|system| self.is_definite(system));
        let candidates = definite.map(|system| (self.inverse_mass_product(&system), system));
        let cheapest = candidates.min_by_key(|(product, _)| count(graph, product).operations);
        let (product, checks) = match cheapest {
            Some((product, system)) => (product, self.checks_from(&system, Stage::Parameters)),
            None => {
                let (zero, one) = (graph.constant(0.0), graph.constant(1.0));
                let is_massless = |i: &usize| !self.equations.mass.contains_key(&(*i, *i));
                let row = (0..self.equations.n).find(is_massless).unwrap_or(0);
                (vec![zero; self.equations.n], vec![Check { pivot: zero, magnitude: one, row }])
            }
        };
        let entry = self.entry(INVERSE_MASS, docs, Stage::Acceleration, vec![self.output_array("product", &product)]);
        Entry { checks, ..entry }
    }

    /// Whether no pivot of M is round-off at default parameters, in at least one of three irrational poses.
    fn is_definite(&self, system: &System<'_>) -> bool {
        let pivots = system.pivots(self.graph, self.equations.n);
        let nodes: Vec<NodeId> = pivots.iter().flat_map(|p| [p.pivot, p.magnitude]).collect();
        let (parameters, auxiliary) = default_symbol_values(self.model);
        (0..3).any(|k| {
            let values = evaluate(self.graph, &nodes, &|s| match s {
                Symbol::Parameter(i) => parameters[i as usize],
                Symbol::Auxiliary(i) => auxiliary[i as usize],
                Symbol::SolverCoordinate(i) => irrational(1.2 + 0.7 * f64::from(k), i as usize),
                _ => 0.6,
            });
            values.chunks_exact(2).all(|p| p[0].abs() > ROUNDING * p[1].abs())
        })
    }

    /// H (M̂⁻¹ (Hᵀ f)).
    fn inverse_mass_product(&self, system: &System<'_>) -> Vec<NodeId> {
        let (graph, e) = (self.graph, self.equations);
        let solution = system.solve(self, &self.solver_forces(), &[]);
        let row = |row: &Vec<(usize, NodeId)>| {
            row.iter().fold(graph.constant(0.0), |sum, (j, h)| graph.add(sum, graph.mul(*h, solution[*j])))
        };
        self.to_interface(&e.interface.derivatives.iter().map(row).collect::<Vec<_>>())
    }
}
