//! Second derivatives of the rows: derivatives of G with respect to displacements.
//!
//! ```text
//! (1)  H_r[i, j] = ∂G[r, i]/∂q N e_j at fixed v, t, z        H(μ) = Σ_r μ_r H_r = ∂(Gᵀ μ)/∂q N
//! (2)  γ_r = −vᵀ H_r v        of rows that are affine in speeds and whose ν is constant
//! ```
//!
//! H of a row that is quadratic in coordinates is constant or a function of parameters: the generated code stores such entries as data, or
//! computes them when parameters are set. G is that of the interface, differentiated there, so that entries that do not depend on the
//! solver's coordinates contain none of them.

use mbs_definition::Space;
use mbs_expr::{Function, Function2};
use mbs_model::RowLevel;

use super::Context;
use super::derivatives::Directions;
use crate::derive::Derivatives;
use crate::evaluate::{evaluate, hidden_zeros, irrational_value};
use crate::graph::{Node, NodeId, Stage, Symbol, sparse_derivatives};
use crate::schedule::Group;

/// The kernel of (1).
pub const HESSIANS: &str = "hessians";

/// An entry of (1) that does not vanish identically.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HessianEntry {
    /// The row r.
    pub row: usize,
    /// The speed i and the direction j.
    pub speeds: [usize; 2],
    /// Its value, if it is constant.
    pub value: Option<f64>,
    /// Whether it depends on parameters alone or is constant.
    pub fixed: bool,
}

/// r, i and j, and the node of the entry.
type HessianNode = (usize, [usize; 2], NodeId);

/// Whether a composition of such operations that vanishes in some region vanishes everywhere.
fn is_smooth(node: Node) -> bool {
    match node {
        Node::Number(_)
        | Node::Symbol(_)
        | Node::Add(..)
        | Node::Sub(..)
        | Node::Mul(..)
        | Node::Neg(_)
        | Node::Inv(_) => true,
        Node::Unary(f, _) => !matches!(f, Function::Abs | Function::Signum | Function::Floor),
        Node::Binary(f, ..) => matches!(f, Function2::Atan2),
        Node::Select(..) | Node::Called(..) => false,
    }
}

impl Context<'_> {
    /// Entries of (1) by row, i and j, and the function that computes them; empty unless `kernels` requests them.
    pub fn hessians(&self) -> (Vec<HessianEntry>, Option<Group>) {
        if !self.model.settings.kernels.hessians {
            return (Vec::new(), None);
        }
        let (graph, zero) = (self.graph, self.graph.constant(0.0));
        let rows = self.jacobian_rows();
        let roots: Vec<NodeId> = rows.iter().flatten().map(|(_, g)| *g).collect();
        let columns = self.columns(&roots, Directions::Displacement);
        let speeds_are_rates = self.has_plain_rates();
        let configurations = [0, 1, 2].map(|k| self.irrational_coordinates(k));
        let mut all: Vec<HessianNode> = Vec::new();
        let mut first = 0;
        for (r, row) in rows.iter().enumerate() {
            // ∂²Φ/∂q²: one triangle is differentiated, so that the other is identical to the bit.
            let symmetric = speeds_are_rates && self.tree.rows[r].level == RowLevel::Position;
            let index = |i: usize| row.iter().position(|(k, _)| *k == i).map(|k| first + k);
            let derivative = |i: usize, j: usize| index(i).map_or(zero, |k| columns[j][k]);
            let mut derivatives = Vec::new();
            for (i, _) in row {
                for j in 0..self.equations.n {
                    let node = if symmetric && j > *i { derivative(j, *i) } else { derivative(*i, j) };
                    derivatives.push((r, [*i, j], node));
                }
            }
            derivatives.retain(|(.., node)| *node != zero);
            all.extend(self.without_hidden_zeros(row, derivatives, &configurations));
            first += row.len();
        }
        let literal_value = |node: NodeId| evaluate(graph, &[node], &|_| f64::NAN)[0];
        let mut entries = Vec::new();
        let mut nodes = Vec::new();
        for (row, speeds, node) in all {
            let stage = graph.stage(node);
            let value = (stage == Stage::Constant).then(|| literal_value(node));
            nodes.push(value.map_or(node, |x| graph.constant(x)));
            entries.push(HessianEntry { row, speeds, value, fixed: stage <= Stage::Parameters });
        }
        if nodes.is_empty() {
            return (entries, None);
        }
        let docs = "Second derivatives of the rows: derivatives of G with respect to displacements, entry by entry.";
        let entry = self.entry(HESSIANS, docs, self.factorisation_stage(), vec![self.output_array("hessians", &nodes)]);
        (entries, Some(Group { entries: vec![entry] }))
    }

    /// Derivatives of a row of G without those that cancel identically, such as the effect of a rotation on the norm of its quaternion: they
    /// are round-off relative to the others and to the row itself, in each of three irrational states with the given `configurations`.
    /// Expressions with branches remain, because they may differ in other states.
    fn without_hidden_zeros(
        &self,
        row: &Derivatives,
        mut derivatives: Vec<HessianNode>,
        configurations: &[Vec<f64>; 3],
    ) -> Vec<HessianNode> {
        let graph = self.graph;
        let nodes: Vec<NodeId> = derivatives.iter().map(|s| s.2).chain(row.iter().map(|(_, g)| *g)).collect();
        let mut hidden = hidden_zeros(graph, &nodes, &|k, symbol| match symbol {
            Symbol::Coordinate(i) => configurations[k][i as usize],
            _ => irrational_value(k, symbol),
        })
        .into_iter();
        derivatives.retain(|(.., node)| {
            let is_hidden = hidden.next().expect("every derivative was examined");
            !(is_hidden && graph.reachable(&[*node]).into_iter().all(|id| is_smooth(graph.node(id))))
        });
        derivatives
    }

    /// Coordinates of the irrational state k, n_q, with quaternions of unit norm.
    fn irrational_coordinates(&self, k: usize) -> Vec<f64> {
        let mut q: Vec<f64> = (0..self.tree.n_q() as u32).map(|i| irrational_value(k, Symbol::Coordinate(i))).collect();
        for first in self.tree.quaternions() {
            mbs_core::rotation::normalize_at(&mut q, first);
        }
        q
    }

    /// Nonzero entries of G, all rows, in interface symbols.
    fn jacobian_rows(&self) -> Vec<Derivatives> {
        let e = self.equations;
        let mut rows = match self.model.space {
            Space::Planar => sparse_derivatives(self.graph, &self.to_interface(&e.rows.psi), Symbol::Speed),
            Space::Spatial => Vec::new(),
        };
        // Acceleration rows have no ψ, and in space no row is differentiated.
        for r in rows.len()..self.tree.rows.len() {
            let row: Derivatives = e.rows.jacobian.range((r, 0)..(r + 1, 0)).map(|((_, k), g)| (*k, *g)).collect();
            rows.push(self.row_to_interface(&row));
        }
        rows
    }
}
