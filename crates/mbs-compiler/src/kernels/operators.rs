//! Operators at any motion: inverse dynamics, weights, Jacobians of points and their rates.

use super::Context;
use crate::graph::{NodeId, Stage};
use crate::schedule::Group;

impl Context<'_> {
    /// Kernels of all operators, if they are requested.
    pub(super) fn operators(&self) -> Vec<Group> {
        let (graph, e) = (self.graph, self.equations);
        let Some(terms) = &e.operators else { return Vec::new() };
        let mut groups = Vec::new();
        let mut single = |name: &str, docs: &str, stage: Stage, array: &str, nodes: &[NodeId]| {
            groups.push(Group { entries: vec![self.entry(name, docs, stage, vec![self.output_array(array, nodes)])] });
        };
        let docs = "M a − Q: generalised forces that accelerations a need in addition to the applied loads.";
        single("inverse_dynamics", docs, Stage::Acceleration, "forces", &self.inverse_dynamics());
        let weights = self.project_to_interface(&e.solver.derivatives, &self.to_interface(&terms.weights));
        single("gravity_forces", "Generalised forces of weight.", Stage::Position, "forces", &weights);
        if let Some(rates) = &e.interface.coordinate_rates {
            let docs = "q̈ = N(q) a + Ṅ v.";
            single("coordinate_accelerations", docs, Stage::Acceleration, "accelerations", &graph.rate(rates));
        }
        let bodies = self.rows_to_interface(e.bodies.jacobians.iter().flatten());
        let docs = "Time derivatives of the twist Jacobians of all bodies.";
        single("body_jacobian_rates", docs, Stage::Velocity, "rates", &graph.rate(&bodies));
        if self.model.settings.kernels.kinematics && !terms.marker_jacobians.is_empty() {
            let markers = self.rows_to_interface(terms.marker_jacobians.iter().flatten());
            let docs = "Jacobians of the world positions of drawn markers.";
            single("marker_jacobians", docs, Stage::Position, "jacobians", &markers);
            let docs = "Time derivatives of the Jacobians of drawn markers.";
            single("marker_jacobian_rates", docs, Stage::Velocity, "rates", &graph.rate(&markers));
        }
        if !terms.center.is_empty() {
            let docs = "World position of the centre of mass \\[m\\].";
            single("center_of_mass", docs, Stage::Position, "center", &self.to_interface(&terms.center));
            let jacobian = self.rows_to_interface(terms.center_jacobian.iter());
            let docs = "Jacobian of the centre of mass.";
            single("center_of_mass_jacobian", docs, Stage::Position, "jacobian", &jacobian);
        }
        groups
    }
}
