//! Rows that can be switched off: while off, Φ, ψ, G and γ are zero, and the row reads −λ = 0.

use mbs_expr::Comparison;
use mbs_physics::Tree;

use super::{Equations, Matrix};
use crate::graph::{Graph, NodeId};

impl Equations {
    /// Sets Φ, ψ, G and γ of rows to zero while they are off. Computations for rows that are on have to come before.
    pub fn switch(&mut self, graph: &Graph, tree: &Tree) {
        let zero = graph.constant(0.0);
        let (phi, psi) = (self.rows.phi.iter_mut(), self.rows.psi.iter_mut());
        for (node, enabled) in phi
            .zip(&self.rows.enabled)
            .chain(psi.zip(&self.rows.enabled))
            .chain(self.rows.gamma.iter_mut().zip(&self.rows.enabled))
        {
            *node = zero_while_off(graph, *enabled, *node);
        }
        assert_eq!(self.rows.enabled.len(), tree.rows.len());
        for ((r, i), entry) in &mut self.rows.jacobian {
            let Some(enabled) = self.rows.enabled[*r] else { continue };
            *entry = zero_while_off(graph, Some(enabled), *entry);
            if *entry != zero {
                graph.suggest(*entry, format!("g_{r}_{i}"));
            }
        }
        self.rows.jacobian.retain(|_, entry| *entry != zero);
    }

    /// The diagonal of the rows in [M Gᵀ; G D]: −1 where a row is off.
    pub fn switched_diagonal(&self, graph: &Graph) -> Matrix {
        let (zero, off) = (graph.constant(0.0), graph.constant(-1.0));
        let switched = self.rows.enabled.iter().enumerate();
        switched.filter_map(|(r, enabled)| Some(((r, r), select(graph, (*enabled)?, zero, off)))).collect()
    }
}

/// The node while a row is on, zero while it is off; `enabled` is 1 while it is on, `None` for rows that are always on.
pub fn zero_while_off(graph: &Graph, enabled: Option<NodeId>, node: NodeId) -> NodeId {
    enabled.map_or(node, |enabled| select(graph, enabled, node, graph.constant(0.0)))
}

/// Returns `then` where a truth value is 1, else `otherwise`.
fn select(graph: &Graph, truth: NodeId, then: NodeId, otherwise: NodeId) -> NodeId {
    graph.select(Comparison::Equal, [truth, graph.constant(1.0), then, otherwise])
}
