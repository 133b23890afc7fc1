//! The corrections that project a state onto the rows after a step: Φ, and with the factorisation of the accelerations
//!
//! ```text
//! (1)  M δ + Gᵀ μ = 0,  G δ = −Φ            displacements; G δ = 0 in velocity rows
//! (2)  Φ⁺ = ½ (∂(G δ)/∂q) N δ               what the displacement leaves of Φ, to second order
//! (3)  ψ⁺ = ψ + (∂ψ/∂q) N δ                 the residuals of speeds after the displacement, to first order
//! (4)  M x + Gᵀ μ = 0,  G x = −ψ⁺           speeds
//! ```
//!
//! in one function, so that sines, M, G and their factor are computed once.

use super::{Context, Solved};
use crate::graph::{NodeId, Stage, Symbol};
use crate::schedule::{Entry, Group};

/// The kernel of (1) to (4).
pub const CORRECTIONS: &str = "corrections";

impl Context<'_> {
    /// The kernel, if rows of positions or speeds exist, and G does not depend on speeds.
    pub(super) fn corrections(&self, solved: &Solved<'_>) -> Option<Group> {
        let (graph, e) = (self.graph, self.equations);
        if e.rows.psi.is_empty() || self.factorisation_stage() != Stage::Position {
            return None;
        }
        let (phi, psi) = (self.to_interface(&e.rows.phi), self.to_interface(&e.rows.psi));
        let displacement = self.response_to_residuals(solved, &phi);
        let rates = self.coordinate_changes(&displacement);
        let zero = graph.constant(0.0);
        let changes = graph.tangent(&psi, &mut |symbol| match symbol {
            Symbol::Coordinate(i) => rates[i as usize],
            _ => zero,
        });
        // ψ = G v − ν: without the part of ν, and at the speeds δ.
        let at_speeds = |speed: &dyn Fn(usize) -> NodeId| {
            let replace = (0..e.n).map(|i| (graph.symbol(Symbol::Speed(i as u32)), speed(i))).collect();
            graph.substitute(&changes[..phi.len()], &replace)
        };
        let differences = at_speeds(&|i| displacement[i]).into_iter().zip(at_speeds(&|_| zero));
        let half = graph.constant(0.5);
        let remainder: Vec<NodeId> = differences.map(|(all, still)| graph.mul(half, graph.sub(all, still))).collect();
        let psi: Vec<NodeId> = psi.into_iter().zip(changes).map(|(psi, change)| graph.add(psi, change)).collect();
        let speeds = self.response_to_residuals(solved, &psi);
        let outputs = vec![
            self.output_array("phi", &phi),
            self.output_array("displacement", &displacement),
            self.output_array("remainder", &remainder),
            self.output_array("psi", &psi),
            self.output_array("speeds", &speeds),
        ];
        let docs =
            "Corrections of positions and speeds after a step, to first order, with the residuals that they remove.";
        let entry = self.entry(CORRECTIONS, docs, Stage::Velocity, outputs);
        Some(Group { entries: vec![Entry { checks: self.checks(&solved.system), ..entry }] })
    }

    /// The least y with G y = −r for residuals r of the first rows, and G y = 0 for the others.
    fn response_to_residuals(&self, solved: &Solved<'_>, residuals: &[NodeId]) -> Vec<NodeId> {
        let graph = self.graph;
        let zero = graph.constant(0.0);
        let forces = (0..self.equations.n as u32).map(|i| (graph.symbol(Symbol::Force(i)), zero));
        let target = |r: usize| residuals.get(r).map_or(zero, |residual| graph.neg(*residual));
        let targets = (0..self.tree.rows.len()).map(|r| (graph.symbol(Symbol::Target(r as u32)), target(r)));
        graph.substitute(&self.to_interface(&solved.response.0), &forces.chain(targets).collect())
    }

    /// N δ: changes of coordinates by a displacement.
    fn coordinate_changes(&self, displacement: &[NodeId]) -> Vec<NodeId> {
        let Some(rates) = &self.equations.interface.coordinate_rates else { return displacement.to_vec() };
        let speeds = (0..).map(|i| self.graph.symbol(Symbol::Speed(i)));
        let replace = speeds.zip(displacement.iter().copied()).collect();
        self.graph.substitute(&self.to_interface(rates), &replace)
    }
}
