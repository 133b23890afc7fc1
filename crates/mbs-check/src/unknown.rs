//! What cannot be judged because functions written in Rust are in it: whatever differs between what may stand for them.

use std::borrow::Cow;

use mbs_core::math::irrational;
use mbs_expr::{BodyId, ExprId, FunctionId, Op, Series, StandIn};
use mbs_model::{Body, Model, Row};
use mbs_physics::linear::SparseRow;
use mbs_physics::{Mechanics, Placement, Tree, default_variables};

use super::{displaced, numeric_sample};

/// What of a [`Sample`](super::Sample) is not known; all of it is, where nothing stands for a function.
#[derive(Clone, Debug, Default)]
pub struct Unknown {
    /// Position rows whose Φ is not.
    phi: Vec<bool>,
    /// Rows whose slopes are not.
    slopes: Vec<bool>,
    /// `initial` conditions on positions, as they come in samples.
    conditions: Vec<bool>,
}

impl Unknown {
    /// Of the rows of a tree, told near solver coordinates.
    pub fn near(model: &Model, tree: &Tree, q: &[f64]) -> Self {
        if !model.has_stand_ins() {
            return Unknown::default();
        }
        // Not where they stand, which may be special.
        let pattern = |i: usize| 0.05 * irrational(1.0, i);
        let q = displaced(model, tree, q, &(0..tree.n()).map(pattern).collect::<Vec<f64>>());
        let [one, other] =
            [StandIn::Generic, StandIn::Zero].map(|by| numeric_sample(&model.with_stand_ins(by), tree)(&q, true));
        Unknown {
            phi: one.phi.iter().zip(&other.phi).map(|(a, b)| differ(*a, *b)).collect(),
            slopes: one.jacobian.iter().zip(&other.jacobian).map(|(a, b)| slopes_differ(a, b)).collect(),
            conditions: (one.conditions.iter().zip(&other.conditions))
                .map(|(a, b)| differ(a.0, b.0) || slopes_differ(&a.1, &b.1))
                .collect(),
        }
    }

    /// Φ of position row r.
    pub fn phi(&self, r: usize) -> bool {
        self.phi.get(r).is_some_and(|unknown| *unknown)
    }

    /// G of row r.
    pub fn slopes(&self, r: usize) -> bool {
        self.slopes.get(r).is_some_and(|unknown| *unknown)
    }

    /// Condition k.
    pub fn condition(&self, k: usize) -> bool {
        self.conditions.get(k).is_some_and(|unknown| *unknown)
    }

    /// Whether slopes of any row are not known.
    pub fn any_slopes(&self) -> bool {
        self.slopes.contains(&true)
    }
}

/// Whether two numbers are not the same; what is no number at all is the same.
fn differ(a: f64, b: f64) -> bool {
    a != b && !(a.is_nan() && b.is_nan())
}

/// The same of two rows; a zero is as good as no entry.
pub fn slopes_differ(a: &SparseRow, b: &SparseRow) -> bool {
    let at = |row: &SparseRow, i: &usize| row.get(i).copied().unwrap_or(0.0);
    a.keys().chain(b.keys()).any(|i| differ(at(a, i), at(b, i)))
}

/// Whether a row is made without functions that something stands for: its own and those that move points on ground. In body coordinates no
/// other is in it.
pub fn is_known(model: &Model, row: &Row) -> bool {
    let on_ground = |e: ExprId| match model.exprs.op(e) {
        Op::Position(m, _) | Op::Direction(m, ..) | Op::Angle(m) => {
            Some(&model.markers[m.index()]).filter(|m| m.body.is_none())
        }
        _ => None,
    };
    let known = |e: ExprId| model.unknown_in(e).is_none();
    !model.has_stand_ins()
        || (known(row.residual)
            && model.exprs.below(row.residual).into_iter().filter_map(on_ground).flat_map(|m| m.placed()).all(known))
}

/// The model with what places things: zero for functions that are not known, or, where that has no value, something generic.
pub fn placing<'m>(model: &'m Model, tree: &Tree, q: &[f64]) -> Cow<'m, Model> {
    let zero = model.with_stand_ins(StandIn::Zero);
    if model.has_stand_ins() {
        let coordinates = q.iter().map(|x| Series::<1>::constant(*x)).collect();
        let mechanics = Mechanics::at_solver(&zero, tree, default_variables(&zero, tree), coordinates);
        let finite = |x: Series<1>| x.value().is_finite();
        let bodies = model.bodies.iter().flat_map(|b| mechanics.marker_point(b.com_marker));
        if !bodies.chain(mechanics.interface_coordinates()).all(finite) {
            return model.with_stand_ins(StandIn::Generic);
        }
    }
    zero
}

/// Functions to which nothing is bound in the poses of the joints that carry a body: those without which its turning is not known, and those
/// without which its place is not.
#[derive(Clone, Copy, Debug, Default)]
pub struct Carried {
    /// One in what turns it.
    pub turning: Option<FunctionId>,
    /// One in what turns or shifts it.
    pub place: Option<FunctionId>,
}

/// What is not known of each body where a tree puts it.
pub fn carried(model: &Model, tree: &Tree) -> Vec<Carried> {
    let mut all = vec![Carried::default(); model.bodies.len()];
    for body in &tree.order {
        if let Placement::Joint { joint, parent, .. } = tree.placements[body.index()] {
            let [shifts, turns] = model.pose_of(joint).map_or([None; 2], |pose| pose.unknown(model));
            let parent = parent.map_or(Carried::default(), |parent| all[parent.index()]);
            let turning = parent.turning.or(turns);
            all[body.index()] = Carried { turning, place: parent.place.or(turning).or(shifts) };
        }
    }
    all
}

/// Bodies with declared poses, or parts of some, that coordinates of joints cannot bring about: only coordinates of their own do.
pub fn told_by_none(model: &Model, tree: &Tree) -> Vec<BodyId> {
    let is_declared = |b: &Body| b.position.is_some() || b.angle.is_some() || b.rotation.is_some();
    let bodies = (0..).map(BodyId).zip(&model.bodies).zip(carried(model, tree));
    bodies.filter(|((_, body), carried)| carried.place.is_some() && is_declared(body)).map(|((id, _), _)| id).collect()
}
