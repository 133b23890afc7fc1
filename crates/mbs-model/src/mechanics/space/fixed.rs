//! Constant poses: markers, alignments of axes.

use super::vector::{Matrix3, Vector3, identity, minus, plus, product, times, transpose, zero};
use crate::Scalar;

/// A constant pose of a frame in another: x_outer = R x_inner + p.
#[derive(Clone, Copy, Debug)]
pub struct Fixed<S> {
    /// R; `None` where the axes are parallel.
    pub rotation: Option<Matrix3<S>>,
    /// p.
    pub point: Vector3<S>,
}

impl<S: Scalar> Fixed<S> {
    /// The frame itself.
    pub fn identity() -> Self {
        Fixed { rotation: None, point: zero() }
    }

    /// Turns components.
    pub fn up(&self, v: Vector3<S>) -> Vector3<S> {
        self.rotation.as_ref().map_or(v, |r| times(r, v))
    }

    /// A point.
    pub fn point(&self, x: Vector3<S>) -> Vector3<S> {
        plus(self.up(x), self.point)
    }

    /// This pose, then another inside it. What is zero or one but for rounding becomes so.
    pub fn then(&self, inner: &Fixed<S>) -> Self {
        let rotation = match (self.rotation, inner.rotation) {
            (None, r) | (r, None) => r,
            (Some(a), Some(b)) => {
                let r = product(&a, &b).map(|row| row.map(snapped));
                (!is_identity(&r)).then_some(r)
            }
        };
        Fixed { rotation, point: self.point(inner.point) }
    }

    /// The outer frame in the inner one.
    pub fn inverse(&self) -> Self {
        let rotation = self.rotation.as_ref().map(transpose);
        let back = Fixed { rotation, point: zero() };
        Fixed { rotation, point: minus(zero(), back.up(self.point)) }
    }
}

/// Entries of rotations made of literals that only rounding keeps from 0 and ±1.
fn snapped<S: Scalar>(x: S) -> S {
    match x.literal() {
        Some(x) if (x - x.round()).abs() < 4.0 * f64::EPSILON => S::number(x.round() + 0.0),
        _ => x,
    }
}

fn is_identity<S: Scalar>(r: &Matrix3<S>) -> bool {
    let one = identity::<S>();
    let same = |a: S, b: S| a.literal().is_some() && a.literal() == b.literal();
    (0..3).all(|i| (0..3).all(|k| same(r[i][k], one[i][k])))
}
