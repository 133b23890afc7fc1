//! Second derivatives of the rows: slopes of G along displacements.
//!
//! ```text
//! (1)  H_r[i, j] = ∂G[r, i]/∂q N e_j at fixed v, t, z        H(μ) = Σ_r μ_r H_r = ∂(Gᵀ μ)/∂q N
//! (2)  γ_r = −vᵀ H_r v        of rows that are affine in speeds and whose ν is constant
//! ```
//!
//! What is quadratic in coordinates has an H that is a function of parameters, or of nothing: such entries stand in the generated code as
//! data, or are computed when parameters are set. G is that of the interface, differentiated there, so that nothing of the solver's
//! coordinates is left in what does not depend on them.

use mbs_model::RowLevel;
use mbs_model::definition::Space;

use super::Context;
use super::derivatives::Along;
use crate::derive::{Slopes, sparse_slopes};
use crate::evaluate::evaluate;
use crate::graph::{NodeId, Stage, Symbol};
use crate::schedule::{Entry, Group};

/// The kernel of (1).
pub const HESSIANS: &str = "hessians";

/// An entry of (1) that does not vanish at every state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HessianEntry {
    /// r.
    pub row: usize,
    /// i and j.
    pub speeds: [usize; 2],
    /// What it is, if it depends on nothing.
    pub value: Option<f64>,
    /// Whether it depends on parameters at most.
    pub fixed: bool,
}

impl Context<'_> {
    /// Entries by row, i and j, and the function that computes them; none if they are not asked for.
    pub fn hessians(&self) -> (Vec<HessianEntry>, Option<Group>) {
        if !self.model.kernels.hessians {
            return (Vec::new(), None);
        }
        let (graph, zero) = (self.graph, self.graph.number(0.0));
        let rows = self.rows_of_jacobian();
        let roots: Vec<NodeId> = rows.iter().flatten().map(|(_, g)| *g).collect();
        let columns = self.columns(&roots, Along::Displacement);
        let plain = self.has_plain_rates();
        let mut entries = Vec::new();
        let mut nodes = Vec::new();
        let mut first = 0;
        for (r, row) in rows.iter().enumerate() {
            // ∂²Φ/∂q²: one triangle is differentiated, so that the other is the same to the bit.
            let symmetric = plain && self.tree.rows[r].level == RowLevel::Position;
            let at = |i: usize| row.iter().position(|(k, _)| *k == i).map(|k| first + k);
            let slope = |i: usize, j: usize| at(i).map_or(zero, |k| columns[j][k]);
            for (i, _) in row {
                for j in 0..self.equations.n {
                    let node = if symmetric && j > *i { slope(j, *i) } else { slope(*i, j) };
                    entries.push((r, [*i, j], node));
                }
            }
            first += row.len();
        }
        entries.retain(|(.., node)| *node != zero);
        let known: Vec<NodeId> =
            entries.iter().map(|e| e.2).filter(|node| graph.stage(*node) == Stage::Constant).collect();
        let mut known = evaluate(graph, &known, &|_| f64::NAN).into_iter();
        let entry = |(row, speeds, node): &(usize, [usize; 2], NodeId)| {
            let stage = graph.stage(*node);
            let value = if stage == Stage::Constant { known.next() } else { None };
            nodes.push(value.map_or(*node, |x| graph.number(x)));
            HessianEntry { row: *row, speeds: *speeds, value, fixed: stage <= Stage::Parameters }
        };
        let mut entries: Vec<HessianEntry> = entries.iter().map(entry).collect();
        // Products of literals are no zeros before they are folded.
        let mut kept = entries.iter().map(|e| e.value != Some(0.0)).collect::<Vec<_>>().into_iter();
        nodes.retain(|_| kept.next() == Some(true));
        entries.retain(|e| e.value != Some(0.0));
        if nodes.is_empty() {
            return (entries, None);
        }
        let docs = "Second derivatives of the rows: slopes of G along displacements, entry by entry.";
        let entry = self.entry(HESSIANS, docs, self.factorised_at(), vec![self.array("hessians", &nodes)]);
        (entries, Some(Group { entries: vec![Entry { checks: Vec::new(), ..entry }] }))
    }

    /// Nonzero entries of G, all rows, in interface symbols.
    fn rows_of_jacobian(&self) -> Vec<Slopes> {
        let e = self.equations;
        let mut rows = match self.model.space {
            Space::Planar => sparse_slopes(self.graph, &self.to_interface(&e.psi), Symbol::Speed),
            Space::Spatial => Vec::new(),
        };
        // Rows of accelerations have no ψ, and in space no row is differentiated.
        for r in rows.len()..self.tree.rows.len() {
            let row: Slopes = e.jacobian.range((r, 0)..(r + 1, 0)).map(|((_, k), g)| (*k, *g)).collect();
            rows.push(self.row_in_interface(&row));
        }
        rows
    }
}
