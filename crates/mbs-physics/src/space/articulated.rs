//! Articulated-body algorithm: solves M x = f for trees in a number of operations that grows linearly with the number of links.
//!
//! A link whose outboard joints are free requires a wrench I a + p for an acceleration a of its frame, with a symmetric 6 × 6 matrix I, its
//! articulated inertia, and a bias p due to the forces outboard of it. Speeds are eliminated one after another, from the outermost links inwards;
//! a link with several speeds has several twists S in the same frame:
//!
//! ```text
//! (1)  U = I S    D = S·U    L = U / D
//! (2)  I ← I − L Uᵀ         r = f − S·p         p ← p + L r
//! (3)  I of the parent += Xᵀ I X                p of the parent += Xᵀ p
//! (4)  outwards, a = X a of the parent:         x = r / D − L·a        a ← a + S x
//! ```
//!
//! D are the pivots of LDLᵀ of M in this order. If S is a coordinate axis, (2) makes that row and column of I zero and that component of p equal
//! to f; these entries are assigned instead of computed. A free link at a centre of mass has neither a parent that receives (3) nor children, so
//! that its linear and angular parts may be in different axes.
//!
//! (2) subtracts, and a rotation of I to other axes spreads the rounding errors over its entries. A pivot is accurate as long as it is not small
//! compared with a bound of S·I S from (3) alone, for all positions of the outboard joints: with the mass m of a link and everything outboard of
//! it, and T = ∫ r² dm about its origin,
//!
//! ```text
//! (5)  T of the parent += (√T + |p| √m)²  with the distance p of the origins        S·I S ≤ (|s| √T + |l| √m)²  for S = (s, l)
//! ```
//!
//! depend on the state through translations alone.
//!
//! Featherstone (2008), *Rigid Body Dynamics Algorithms*, §7.3; without its velocity terms, which are part of the forces. Moments may be
//! regrouped ([`SpaceState::regrouped`]): parts that a motion does not affect do not enter U, and X leaves them unchanged.

mod bounds;
mod inertia;

use mbs_expr::Scalar;
use mbs_math::Each;

use super::links::Mobilizer;
use super::state::SpaceState;
use super::transform::{Moments, Transform};
use super::twist::LinkWrench;
use super::vector::{Vector3, unit, zero};
use crate::Tree;

use bounds::InertiaBound;
use inertia::{Inertia, Six};

/// Twist S of a speed, in its link's frame.
#[derive(Clone, Copy, Debug)]
enum Direction<S> {
    /// ± a unit vector of six, of which the first three are rotations: its index and sign.
    Axis(usize, f64),
    /// Any other twist: its angular and linear part.
    Twist(Six<S>),
}

/// A speed that was eliminated.
#[derive(Clone, Debug)]
struct Eliminated<S> {
    speed: usize,
    direction: Direction<S>,
    /// D.
    pivot: S,
    /// The bound (5).
    bound: S,
    /// 1 / D.
    inverse: S,
    /// L.
    factor: Six<S>,
}

/// The mass matrix of a tree, factorised by (1), (2) and (3) without forces.
#[derive(Clone, Debug)]
pub struct Articulated<S> {
    /// By link; the speeds of a link in the order of elimination.
    eliminated: Vec<Vec<Eliminated<S>>>,
    /// Poses of the links in their parents.
    transforms: Vec<Transform<S>>,
    parents: Vec<Option<usize>>,
    speeds: usize,
}

impl<S: Scalar> SpaceState<S> {
    /// Factorises the mass matrix with respect to the links' speeds; `moments` are the links' own, regrouped or not. `None` if a pivot is
    /// structurally zero.
    pub fn articulated(&self, tree: &Tree, moments: &[Moments<S>]) -> Option<Articulated<S>> {
        let mut bounds: Vec<InertiaBound<S>> = self.links.iter().map(|l| InertiaBound::new(&l.moments)).collect();
        let mut inertias: Vec<Inertia<S>> = moments.iter().map(Inertia::new).collect();
        let mut articulated = Articulated {
            eliminated: vec![Vec::new(); tree.links.len()],
            transforms: self.links.iter().map(|l| l.transform.clone()).collect(),
            parents: tree.links.iter().map(|l| l.parent).collect(),
            speeds: tree.links.iter().map(|l| l.mobilizer.speeds()).sum(),
        };
        for (i, link) in tree.links.iter().enumerate().rev() {
            for (k, direction) in self.directions(i, &link.mobilizer).into_iter().enumerate() {
                let eliminated = Eliminated::new(link.first_v + k, direction, &mut inertias[i], &bounds[i])?;
                articulated.eliminated[i].push(eliminated);
            }
            if let Some(parent) = link.parent {
                bounds[parent] = bounds[parent].plus(&bounds[i].in_parent_axes(&self.links[i].transform));
                inertias[parent] = inertias[parent] + inertias[i].in_parent_axes(&self.links[i].transform);
            }
        }
        Some(articulated)
    }

    /// S of each speed of a link.
    fn directions(&self, i: usize, mobilizer: &Mobilizer) -> Vec<Direction<S>> {
        let axis = self.links[i].axis;
        let axes = |range: std::ops::Range<usize>| range.map(|k| Direction::Axis(k, 1.0));
        match *mobilizer {
            Mobilizer::Revolute { axis, sign, .. } => vec![Direction::Axis(axis, sign)],
            Mobilizer::Prismatic { .. } => vec![coordinate_axis(axis).unwrap_or(Direction::Twist([zero(), axis]))],
            Mobilizer::Screw { sign, .. } => {
                let twist = [unit(2), axis];
                vec![Direction::Twist(twist.map(|part| part.map(|x| if sign < 0.0 { -x } else { x })))]
            }
            Mobilizer::Translation => axes(3..6).collect(),
            Mobilizer::Ball { .. } => axes(0..3).collect(),
            Mobilizer::Prescribed(_) => Vec::new(),
            Mobilizer::Free { .. } => axes(3..6).chain(axes(0..3)).collect(),
            Mobilizer::Line { reversed: false, .. } => axes(0..2).collect(),
            Mobilizer::Line { .. }
            | Mobilizer::Ellipsoid { .. }
            | Mobilizer::Orbit { .. }
            | Mobilizer::Posed { .. } => {
                let twists = self.links[i].variable_twists().iter();
                twists.map(|twist| Direction::Twist([twist.angular, twist.linear])).collect()
            }
        }
    }
}

/// The direction of a translation along a coordinate axis; `None` for any other axis.
fn coordinate_axis<S: Scalar>(axis: Vector3<S>) -> Option<Direction<S>> {
    let k = (0..3).find(|k| axis[*k].literal().is_some_and(|x| x.abs() == 1.0))?;
    let is_unit = (0..3).all(|i| i == k || axis[i].is_zero());
    axis[k].literal().filter(|_| is_unit).map(|sign| Direction::Axis(3 + k, sign))
}

impl<S: Scalar> Articulated<S> {
    /// x of M x = f, where f is the sum of the generalised forces `forces` and of the projections of `wrenches`, one for each link. Shapes: n_v.
    pub fn solve(&self, forces: &[S], wrenches: Option<&[LinkWrench<S>]>) -> Vec<S> {
        let mut biases: Vec<Six<S>> = match wrenches {
            Some(wrenches) => wrenches.iter().map(|w| [w.moment, w.force].each(|part| part.map(|x| -x))).collect(),
            None => vec![[zero(); 2]; self.transforms.len()],
        };
        let mut residuals = vec![S::number(0.0); self.speeds];
        for (i, eliminated) in self.eliminated.iter().enumerate().rev() {
            for e in eliminated {
                residuals[e.speed] = e.eliminate_bias(forces[e.speed], &mut biases[i]);
            }
            if let Some(parent) = self.parents[i] {
                let [moment, force] = biases[i];
                let (moment, force) = self.transforms[i].wrench_to_parent((moment, force));
                biases[parent] = inertia::sum(biases[parent], [moment, force]);
            }
        }
        let mut x = residuals;
        let mut accelerations: Vec<Six<S>> = Vec::with_capacity(self.transforms.len());
        for (i, eliminated) in self.eliminated.iter().enumerate() {
            let mut a = self.parents[i].map_or([zero(); 2], |p| self.transforms[i].twist_to_child(accelerations[p]));
            for e in eliminated.iter().rev() {
                x[e.speed] = e.back_substitute(x[e.speed], &mut a);
            }
            accelerations.push(a);
        }
        x
    }

    /// M⁻¹ by rows, n_v × n_v; one triangle is computed.
    pub fn inverse_mass_matrix(&self) -> Vec<Vec<S>> {
        let zero = S::number(0.0);
        let mut inverse = vec![vec![zero; self.speeds]; self.speeds];
        for j in 0..self.speeds {
            let mut unit = vec![zero; self.speeds];
            unit[j] = S::number(1.0);
            // Only the entries of speeds up to j are used; symmetry gives the others.
            for (i, x) in self.solve(&unit, None).into_iter().take(j + 1).enumerate() {
                (inverse[i][j], inverse[j][i]) = (x, x);
            }
        }
        inverse
    }

    /// (speed, pivot D, bound (5) of the pivot) in the order of elimination.
    pub fn pivots(&self) -> impl Iterator<Item = (usize, S, S)> {
        self.eliminated.iter().rev().flatten().map(|e| (e.speed, e.pivot, e.bound))
    }
}

impl<S: Scalar> Eliminated<S> {
    /// Eliminates a speed: (1), and (2) for the inertia, which is overwritten. `None` if the pivot is structurally zero.
    fn new(
        speed: usize,
        direction: Direction<S>,
        inertia: &mut Inertia<S>,
        inertia_bound: &InertiaBound<S>,
    ) -> Option<Self> {
        let (column, pivot, bound) = match direction {
            Direction::Axis(k, _) => {
                let column = inertia.column(k);
                (column, column[k / 3][k % 3], if k < 3 { inertia_bound.second_moment } else { inertia_bound.mass })
            }
            Direction::Twist(s) => {
                let column = *inertia * s;
                (column, inertia::dot(s, column), inertia_bound.bound_along(s))
            }
        };
        if pivot.is_zero() {
            return None;
        }
        let inverse = S::number(1.0) / pivot;
        let factor = column.map(|part| part.map(|x| x * inverse));
        inertia.subtract_outer_product(factor, column);
        if let Direction::Axis(k, _) = direction {
            inertia.clear_row_and_column(k);
        }
        Some(Eliminated { speed, direction, pivot, bound, inverse, factor })
    }

    /// (2) for the bias, which is overwritten: returns r.
    fn eliminate_bias(&self, force: S, bias: &mut Six<S>) -> S {
        match self.direction {
            Direction::Axis(k, sign) => {
                let force = if sign < 0.0 { -force } else { force };
                let r = force - bias[k / 3][k % 3];
                *bias = inertia::sum(*bias, self.factor.map(|part| part.map(|l| l * r)));
                bias[k / 3][k % 3] = force;
                r
            }
            Direction::Twist(s) => {
                let r = force - inertia::dot(s, *bias);
                *bias = inertia::sum(*bias, self.factor.map(|part| part.map(|l| l * r)));
                r
            }
        }
    }

    /// (4): returns x, and overwrites the acceleration `a`.
    fn back_substitute(&self, r: S, a: &mut Six<S>) -> S {
        match self.direction {
            Direction::Axis(k, sign) => {
                let before = std::mem::replace(&mut a[k / 3][k % 3], S::number(0.0));
                let after = r * self.inverse - inertia::dot(self.factor, *a);
                a[k / 3][k % 3] = after;
                if sign < 0.0 { before - after } else { after - before }
            }
            Direction::Twist(s) => {
                let x = r * self.inverse - inertia::dot(self.factor, *a);
                *a = inertia::sum(*a, s.map(|part| part.map(|s| s * x)));
                x
            }
        }
    }
}
