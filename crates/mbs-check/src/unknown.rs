//! Finds results that cannot be checked because they depend on functions written in Rust: those that differ between two stand-ins.

use mbs_core::math::irrational;
use mbs_expr::StandIn;
use mbs_model::Model;
use mbs_physics::Tree;

use super::stand_ins::{derivatives_differ, differ};
use super::{displaced, numeric_sample};

/// Entries of a [`Sample`](super::Sample) that are not known. All are known if no function has a stand-in.
#[derive(Clone, Debug, Default)]
pub struct Unknown {
    /// Position rows whose Φ is not known.
    phi: Vec<bool>,
    /// Rows whose Jacobian is not known.
    derivatives: Vec<bool>,
    /// `initial` conditions on positions that are not known, in the order of samples.
    conditions: Vec<bool>,
}

impl Unknown {
    /// Finds the unknown entries for the rows of a tree, near solver coordinates.
    pub fn find_near(model: &Model, tree: &Tree, q: &[f64]) -> Self {
        if !model.has_stand_ins() {
            return Unknown::default();
        }
        // The given coordinates may be a special point, where the stand-ins agree by chance.
        let pattern = |i: usize| 0.05 * irrational(1.0, i);
        let q = displaced(model, tree, q, &(0..tree.n()).map(pattern).collect::<Vec<f64>>());
        let [one, other] =
            [StandIn::Generic, StandIn::Zero].map(|by| numeric_sample(&model.with_stand_ins(by), tree)(&q, true));
        Unknown {
            phi: one.phi.iter().zip(&other.phi).map(|(a, b)| differ(*a, *b)).collect(),
            derivatives: one.jacobian.iter().zip(&other.jacobian).map(|(a, b)| derivatives_differ(a, b)).collect(),
            conditions: (one.conditions.iter().zip(&other.conditions))
                .map(|(a, b)| differ(a.0, b.0) || derivatives_differ(&a.1, &b.1))
                .collect(),
        }
    }

    /// Whether Φ of position row r is unknown.
    pub fn phi(&self, r: usize) -> bool {
        self.phi.get(r).is_some_and(|unknown| *unknown)
    }

    /// Whether row r of G is unknown.
    pub fn derivatives(&self, r: usize) -> bool {
        self.derivatives.get(r).is_some_and(|unknown| *unknown)
    }

    /// Whether condition k is unknown.
    pub fn condition(&self, k: usize) -> bool {
        self.conditions.get(k).is_some_and(|unknown| *unknown)
    }

    /// Whether the Jacobian of any row is not known.
    pub fn any_derivatives(&self) -> bool {
        self.derivatives.contains(&true)
    }
}
