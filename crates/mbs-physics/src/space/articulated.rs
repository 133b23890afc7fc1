//! Articulated bodies: M x = f for trees in a number of operations that grows linearly with the number of links.
//!
//! A link whose outer neighbours give way resists an acceleration a of its frame by a wrench I a + p with a symmetric 6 × 6 matrix I, its
//! articulated inertia, and the bias p that the forces beyond it leave. Speeds are eliminated one after another, from the outermost
//! links inwards; a link with several speeds has several twists S in the same frame:
//!
//! ```text
//! (1)  U = I S    D = S·U    L = U / D
//! (2)  I ← I − L Uᵀ         r = f − S·p         p ← p + L r
//! (3)  I of the parent += Xᵀ I X                p of the parent += Xᵀ p
//! (4)  outwards, a = X a of the parent:         x = r / D − L·a        a ← a + S x
//! ```
//!
//! D are the pivots of LDLᵀ of M in this order. Along a coordinate axis S is a unit vector: then row and column of I vanish by (2), p becomes
//! f there, and both are written down instead of computed. A link that floats by its centre of mass passes nothing to a parent and has no
//! children, so that its linear and angular parts may be in different axes.
//!
//! (2) subtracts, and rotating I to other axes spreads the lost digits over its entries. A pivot is accurate as long as it is not small
//! compared with the most that (3) could amount to along S, in any position of the outboard joints: with the mass m of a link and everything
//! outboard of it, and T = ∫ r² dm about its origin
//!
//! ```text
//! (5)  T of the parent += (√T + |p| √m)²  with the distance p of the origins        S·I S ≤ (|s| √T + |l| √m)²  for S = (s, l)
//! ```
//!
//! which depends on the state through translations alone.
//!
//! Featherstone (2008), *Rigid Body Dynamics Algorithms*, §7.3; without its velocity terms, which are part of the forces. Moments may be
//! regrouped ([`SpaceState::regrouped`]): parts that a motion does not affect neither enter U nor change through X.

mod extent;
mod inertia;

use mbs_expr::Scalar;

use super::links::Freedom;
use super::state::SpaceState;
use super::transform::{Moments, Transform};
use super::twist::LinkWrench;
use super::vector::{Vector3, unit, zero};
use crate::Tree;

use extent::Extent;
use inertia::{Inertia, Six};

/// Direction of a speed in its link's frame.
#[derive(Clone, Copy, Debug)]
enum Along<S> {
    /// Along or against one of the axes, of which the first three are turns.
    Axis(usize, f64),
    /// Any other: turn and shift.
    Twist(Six<S>),
}

/// A speed that was eliminated.
#[derive(Clone, Debug)]
struct Eliminated<S> {
    speed: usize,
    along: Along<S>,
    /// D.
    pivot: S,
    /// (5)
    size: S,
    /// 1 / D.
    inverse: S,
    /// L.
    share: Six<S>,
}

/// M of a tree, factorised: (1), (2) and (3) without forces.
#[derive(Clone, Debug)]
pub struct Articulated<S> {
    /// By link, in the order of elimination.
    eliminated: Vec<Vec<Eliminated<S>>>,
    /// Poses of the links in their parents.
    transforms: Vec<Transform<S>>,
    parents: Vec<Option<usize>>,
    speeds: usize,
}

impl<S: Scalar> SpaceState<S> {
    /// Factorises M of the links' speeds; `moments` are the links' own, regrouped or not. `None` if a pivot is structurally zero.
    pub fn articulated(&self, tree: &Tree, moments: &[Moments<S>]) -> Option<Articulated<S>> {
        let mut extents: Vec<Extent<S>> = self.links.iter().map(|l| Extent::of(&l.moments)).collect();
        let mut inertias: Vec<Inertia<S>> = moments.iter().map(Inertia::of).collect();
        let mut articulated = Articulated {
            eliminated: vec![Vec::new(); tree.links.len()],
            transforms: self.links.iter().map(|l| l.transform.clone()).collect(),
            parents: tree.links.iter().map(|l| l.parent).collect(),
            speeds: tree.links.iter().map(|l| l.freedom.speeds()).sum(),
        };
        for (i, link) in tree.links.iter().enumerate().rev() {
            for (k, along) in self.directions(i, &link.freedom).into_iter().enumerate() {
                let eliminated = Eliminated::new(link.first_v + k, along, (&mut inertias[i], &extents[i]))?;
                articulated.eliminated[i].push(eliminated);
            }
            if let Some(parent) = link.parent {
                extents[parent] = extents[parent].plus(&extents[i].up(&self.links[i].transform));
                inertias[parent] = inertias[parent] + inertias[i].up(&self.links[i].transform);
            }
        }
        Some(articulated)
    }

    /// S of each speed of a link.
    fn directions(&self, i: usize, freedom: &Freedom) -> Vec<Along<S>> {
        let axis = self.links[i].axis;
        let axes = |range: std::ops::Range<usize>| range.map(|k| Along::Axis(k, 1.0));
        match *freedom {
            Freedom::Turn { axis, sign, .. } => vec![Along::Axis(axis, sign)],
            Freedom::Slide { .. } => vec![coordinate_axis(axis).unwrap_or(Along::Twist([zero(), axis]))],
            Freedom::Screw { sign, .. } => {
                let twist = [unit(2), axis];
                vec![Along::Twist(twist.map(|part| part.map(|x| if sign < 0.0 { -x } else { x })))]
            }
            Freedom::Shift => axes(3..6).collect(),
            Freedom::Ball { .. } => axes(0..3).collect(),
            Freedom::Given(_) => Vec::new(),
            Freedom::Float { .. } => axes(3..6).chain(axes(0..3)).collect(),
            Freedom::Line { reversed: false, .. } => axes(0..2).collect(),
            Freedom::Line { .. } | Freedom::Ellipsoid { .. } | Freedom::Orbit { .. } | Freedom::Posed { .. } => {
                let twists = self.links[i].guided_twists().iter();
                twists.map(|twist| Along::Twist([twist.angular, twist.linear])).collect()
            }
        }
    }
}

/// The direction of a shift along a coordinate axis.
fn coordinate_axis<S: Scalar>(axis: Vector3<S>) -> Option<Along<S>> {
    let k = (0..3).find(|k| axis[*k].literal().is_some_and(|x| x.abs() == 1.0))?;
    let alone = (0..3).all(|i| i == k || axis[i].is_zero());
    axis[k].literal().filter(|_| alone).map(|sign| Along::Axis(3 + k, sign))
}

impl<S: Scalar> Articulated<S> {
    /// x of M x = f, of which f is given as generalised forces and, beside them, as wrenches on links. None of either is nothing.
    pub fn solve(&self, forces: &[S], wrenches: Option<&[LinkWrench<S>]>) -> Vec<S> {
        let mut biases: Vec<Six<S>> = match wrenches {
            Some(wrenches) => wrenches.iter().map(|w| [w.moment, w.force].map(|part| part.map(|x| -x))).collect(),
            None => vec![[zero(); 2]; self.transforms.len()],
        };
        let mut left = vec![S::number(0.0); self.speeds];
        for (i, eliminated) in self.eliminated.iter().enumerate().rev() {
            for e in eliminated {
                left[e.speed] = e.leave(forces[e.speed], &mut biases[i]);
            }
            if let Some(parent) = self.parents[i] {
                let [moment, force] = biases[i];
                let (moment, force) = self.transforms[i].wrench_up((moment, force));
                biases[parent] = inertia::sum(biases[parent], [moment, force]);
            }
        }
        let mut x = left;
        let mut accelerations: Vec<Six<S>> = Vec::with_capacity(self.transforms.len());
        for (i, eliminated) in self.eliminated.iter().enumerate() {
            let mut a = self.parents[i].map_or([zero(); 2], |p| self.transforms[i].twist_down(accelerations[p]));
            for e in eliminated.iter().rev() {
                x[e.speed] = e.accelerate(x[e.speed], &mut a);
            }
            accelerations.push(a);
        }
        x
    }

    /// M⁻¹, of which one triangle is computed.
    pub fn inverted(&self) -> Vec<Vec<S>> {
        let zero = S::number(0.0);
        let mut inverse = vec![vec![zero; self.speeds]; self.speeds];
        for j in 0..self.speeds {
            let mut unit = vec![zero; self.speeds];
            unit[j] = S::number(1.0);
            // Speeds further in: no more is needed of the outward sweep than the way back.
            for (i, x) in self.solve(&unit, None).into_iter().take(j + 1).enumerate() {
                (inverse[i][j], inverse[j][i]) = (x, x);
            }
        }
        inverse
    }

    /// Speeds, their pivots D and what these could at most have been, in the order of elimination.
    pub fn pivots(&self) -> impl Iterator<Item = (usize, S, S)> {
        self.eliminated.iter().rev().flatten().map(|e| (e.speed, e.pivot, e.size))
    }
}

impl<S: Scalar> Eliminated<S> {
    /// (1), and (2) of the inertia.
    fn new(speed: usize, along: Along<S>, (inertia, extent): (&mut Inertia<S>, &Extent<S>)) -> Option<Self> {
        let (column, pivot, size) = match along {
            Along::Axis(k, _) => {
                let column = inertia.column(k);
                (column, column[k / 3][k % 3], if k < 3 { extent.spread } else { extent.mass })
            }
            Along::Twist(s) => {
                let column = *inertia * s;
                (column, inertia::dot(s, column), extent.along(s))
            }
        };
        if pivot.is_zero() {
            return None;
        }
        let inverse = S::number(1.0) / pivot;
        let share = column.map(|part| part.map(|x| x * inverse));
        inertia.lessen(share, column);
        if let Along::Axis(k, _) = along {
            inertia.clear(k);
        }
        Some(Eliminated { speed, along, pivot, size, inverse, share })
    }

    /// (2) of the bias: r.
    fn leave(&self, force: S, bias: &mut Six<S>) -> S {
        match self.along {
            Along::Axis(k, sign) => {
                let force = if sign < 0.0 { -force } else { force };
                let r = force - bias[k / 3][k % 3];
                *bias = inertia::sum(*bias, self.share.map(|part| part.map(|l| l * r)));
                bias[k / 3][k % 3] = force;
                r
            }
            Along::Twist(s) => {
                let r = force - inertia::dot(s, *bias);
                *bias = inertia::sum(*bias, self.share.map(|part| part.map(|l| l * r)));
                r
            }
        }
    }

    /// (4): x.
    fn accelerate(&self, r: S, a: &mut Six<S>) -> S {
        match self.along {
            Along::Axis(k, sign) => {
                let before = std::mem::replace(&mut a[k / 3][k % 3], S::number(0.0));
                let after = r * self.inverse - inertia::dot(self.share, *a);
                a[k / 3][k % 3] = after;
                if sign < 0.0 { before - after } else { after - before }
            }
            Along::Twist(s) => {
                let x = r * self.inverse - inertia::dot(self.share, *a);
                *a = inertia::sum(*a, s.map(|part| part.map(|s| s * x)));
                x
            }
        }
    }
}
