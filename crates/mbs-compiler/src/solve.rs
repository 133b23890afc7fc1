//! Symbolic sparse LDLᵀ of [M Gᵀ; G 0] with a static order. A row that is switched off has −1 on the diagonal and no other entry, which
//! keeps the signs of all pivots.
//!
//! After this point: accelerations and multipliers are nodes; the factor solves for any other right side.

mod contacts;
mod factor;
mod order;
mod unsymmetric;

use crate::derive::{Equations, Matrix};
use crate::graph::{Graph, NodeId, Stage};
use crate::states::States;

pub use contacts::Contacts;
pub use factor::Factor;
pub use order::{Block, Saddle, candidate_orders, leaves_first_cost};
pub use unsymmetric::Elimination;

/// Suggests a name for a node that depends on the state.
fn suggest(graph: &Graph, id: NodeId, name: impl FnOnce() -> String) {
    if graph.stage(id) >= Stage::Position && graph.value(id).is_none() {
        graph.suggest(id, name());
    }
}

/// The sum of the absolute terms of a pivot: `sign_term` is the sum A of those that have its sign. Of |d| = A − B this is A + B = 2A − |d|.
fn magnitude(graph: &Graph, sign_term: NodeId, absolute: NodeId) -> NodeId {
    match sign_term == absolute {
        true => absolute,
        false => graph.sub(graph.mul(graph.constant(2.0), sign_term), absolute),
    }
}

/// a b, a literal if both are literals: such an entry may become a pivot.
fn product(graph: &Graph, a: NodeId, b: NodeId) -> NodeId {
    match (graph.value(a), graph.value(b)) {
        (Some(a), Some(b)) => graph.constant(a * b),
        _ => graph.mul(a, b),
    }
}

/// 1 / a, a literal if a is one.
fn inverse(graph: &Graph, a: NodeId) -> NodeId {
    graph.value(a).map_or_else(|| graph.inv(a), |a| graph.constant(1.0 / a))
}

/// The weight of a row in an [`Augmentation`]: a typical mass divided by Σ g² of the row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RowWeight {
    /// This weight in all states.
    Constant(f64),
    /// This mass divided by Σ g² at the state, for rows whose size changes with the state.
    StateDependent(f64),
}

/// Added to Σ g² at a state, so that the weight of a row that is switched off is finite.
const LEAST_SQUARE: f64 = 1e-200;

impl RowWeight {
    /// The weight of a row with these entries of G.
    pub fn node(self, graph: &Graph, entries: impl Iterator<Item = NodeId>) -> NodeId {
        match self {
            RowWeight::Constant(weight) => graph.constant(weight),
            RowWeight::StateDependent(mass) => {
                let least = graph.constant(LEAST_SQUARE);
                let square = entries.fold(least, |sum, g| graph.add(sum, graph.mul(g, g)));
                graph.div(graph.constant(mass), square)
            }
        }
    }
}

/// Chooses the weight of each row from the values of G in the first of `states`, compared with the others; `mass` is a typical mass. Σ g² is
/// rounded to powers of 1024, so that rows of ordinary lengths have one weight and share products. A row without entries in the first state
/// is weighted as one of unit length. A row whose Σ g² differs by more in another state gets a weight that depends on the state: a constant
/// one would cost digits of M, or add too little mass to a massless speed.
pub fn choose_row_weights(graph: &Graph, equations: &Equations, states: &States, mass: f64) -> Vec<RowWeight> {
    let entries: Vec<NodeId> = equations.rows.jacobian.values().copied().collect();
    // Σ g² of each row at each state.
    let squares = states.values(graph, &entries).into_iter().map(|sample| {
        let mut squares = vec![0.0; equations.rows.gamma.len()];
        equations.rows.jacobian.keys().zip(sample).for_each(|((r, _), g)| squares[*r] += g * g);
        squares
    });
    let squares: Vec<Vec<f64>> = squares.collect();
    let weight = |r: usize| {
        let square = squares[0][r];
        let power = if square.is_normal() { power_of_1024(square) } else { 0 };
        let others = squares[1..].iter().map(|squares| squares[r]).filter(|other| other.is_normal());
        let weight = mass / 1024f64.powi(power);
        match weight.is_normal() {
            _ if others.map(power_of_1024).any(|other| (other - power).abs() > 1) => RowWeight::StateDependent(mass),
            true => RowWeight::Constant(weight),
            false => RowWeight::Constant(mass),
        }
    };
    (0..equations.rows.gamma.len()).map(weight).collect()
}

/// Exponent k of the power 1024ᵏ nearest to a positive number on a logarithmic scale.
fn power_of_1024(x: f64) -> i32 {
    let exponent = (x.to_bits() >> 52) as i32 - 1023;
    (exponent + 5).div_euclid(10)
}

/// Augmentation by the rows: M + Gᵀ S G, with a weight for each row on the diagonal of S, and Q + Gᵀ S γ. Accelerations and multipliers are
/// unchanged, but every speed has a positive pivot as long as M is positive definite on the admissible motions.
pub struct Augmentation<'a> {
    jacobian: &'a Matrix,
    weights: Vec<NodeId>,
}

impl<'a> Augmentation<'a> {
    /// An augmentation with G and the diagonal of S, one weight for each row: S G² should have the size of masses.
    pub fn new(jacobian: &'a Matrix, weights: Vec<NodeId>) -> Self {
        Augmentation { jacobian, weights }
    }

    /// M + Gᵀ S G, lower triangle.
    pub fn mass(&self, graph: &Graph, mass: &Matrix) -> Matrix {
        let mut augmented = mass.clone();
        let zero = graph.constant(0.0);
        for ((r, i), a) in self.jacobian {
            for ((_, j), b) in self.jacobian.range((*r, 0)..=(*r, *i)) {
                let old = augmented.get(&(*i, *j)).copied().unwrap_or(zero);
                let term = graph.mul(self.weights[*r], graph.mul(*a, *b));
                augmented.insert((*i, *j), graph.add(old, term));
            }
        }
        augmented
    }

    /// Right side Q + Gᵀ S γ.
    pub fn right_side(&self, graph: &Graph, forces: &[NodeId], targets: &[NodeId]) -> Vec<NodeId> {
        let mut right = forces.to_vec();
        for ((r, i), a) in self.jacobian {
            right[*i] = graph.add(right[*i], graph.mul(self.weights[*r], graph.mul(*a, targets[*r])));
        }
        right
    }
}
