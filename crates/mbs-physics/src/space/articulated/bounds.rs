//! Bounds of articulated inertias from masses and distances, for every orientation.

use mbs_expr::Scalar;

use super::inertia::Six;
use crate::space::transform::{Moments, Part, Transform};
use crate::space::vector::Vector3;

/// Mass of a link and everything outboard of it, and a bound of its second moment about the link's origin.
#[derive(Clone, Copy, Debug)]
pub struct InertiaBound<S> {
    /// m \[kg\].
    pub mass: S,
    /// T ≥ ∫ r² dm \[kg m²\].
    pub second_moment: S,
}

impl<S: Scalar> InertiaBound<S> {
    /// Bound of a rigid body: T = tr(S).
    pub fn new(moments: &Moments<S>) -> Self {
        let [xx, yy, zz, ..] = moments.second;
        InertiaBound { mass: moments.mass, second_moment: xx + yy + zz }
    }

    /// Sum.
    pub fn plus(&self, other: &Self) -> Self {
        InertiaBound { mass: self.mass + other.mass, second_moment: self.second_moment + other.second_moment }
    }

    /// Bound about the origin of the parent's frame, by (5); translations enter by their lengths.
    pub fn in_parent_axes(&self, transform: &Transform<S>) -> Self {
        let mut distance = S::number(0.0);
        for part in &transform.parts {
            if let Part::Translation(p) = part {
                distance = distance + length(*p);
            }
        }
        InertiaBound { mass: self.mass, second_moment: self.shifted(distance) }
    }

    /// Bound of S·I S for the twist S = (`s`, `l`), angular and linear part.
    pub fn bound_along(&self, [s, l]: Six<S>) -> S {
        let rotation = InertiaBound { mass: self.mass, second_moment: s.dot(s) * self.second_moment };
        rotation.shifted(length(l))
    }

    /// (√T + p √m)².
    fn shifted(&self, p: S) -> S {
        if p.is_zero() {
            return self.second_moment;
        }
        let root = self.second_moment.sqrt() + p * self.mass.sqrt();
        root * root
    }
}

/// |p|.
fn length<S: Scalar>(p: Vector3<S>) -> S {
    let others = |k: usize| (0..3).all(|i| i == k || p[i].is_zero());
    match (0..3).find(|k| others(*k)) {
        Some(k) => p[k].abs(),
        None => p.dot(p).sqrt(),
    }
}
