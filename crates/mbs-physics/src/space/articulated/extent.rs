//! Bounds of inertia from masses and distances, for every orientation.

use mbs_expr::Scalar;

use super::inertia::Six;
use crate::space::transform::{Moments, Part, Transform};
use crate::space::vector::Vector3;

/// Mass, and a bound of its second moment about a frame's origin.
#[derive(Clone, Copy, Debug)]
pub struct Extent<S> {
    /// m \[kg\].
    pub mass: S,
    /// T ≥ ∫ r² dm \[kg m²\].
    pub spread: S,
}

impl<S: Scalar> Extent<S> {
    /// Extent of a rigid body: T = tr(S).
    pub fn of(moments: &Moments<S>) -> Self {
        let [xx, yy, zz, ..] = moments.second;
        Extent { mass: moments.mass, spread: xx + yy + zz }
    }

    /// Sum.
    pub fn plus(&self, other: &Self) -> Self {
        Extent { mass: self.mass + other.mass, spread: self.spread + other.spread }
    }

    /// Extent about the origin of the parent's frame; translations enter by their lengths.
    pub fn up(&self, transform: &Transform<S>) -> Self {
        let mut far = S::number(0.0);
        for part in &transform.parts {
            if let Part::Shift(p) = part {
                far = far + length(*p);
            }
        }
        Extent { mass: self.mass, spread: self.grown(far) }
    }

    /// Bound of S·I S for the twist S = (`turn`, `shift`).
    pub fn along(&self, [turn, shift]: Six<S>) -> S {
        let turning = Extent { mass: self.mass, spread: turn.dot(turn) * self.spread };
        turning.grown(length(shift))
    }

    /// (√T + p √m)².
    fn grown(&self, p: S) -> S {
        if p.is_zero() {
            return self.spread;
        }
        let root = self.spread.sqrt() + p * self.mass.sqrt();
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
