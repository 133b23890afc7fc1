//! Memories of angles and quaternions.

use mbs_model::Model;

use crate::graph::{Graph, Symbol};

/// Declares that memories have zero rates.
pub fn declare_memories(graph: &Graph, model: &Model) {
    for i in model.n_z()..model.n_stored() {
        graph.set_rate(Symbol::Auxiliary(i as u32), graph.constant(0.0));
    }
}
