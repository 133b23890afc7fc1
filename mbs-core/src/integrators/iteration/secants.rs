//! Anderson's acceleration of a fixed point x = g(x) by the secants of its last iterates.
//!
//! The iterates have residuals f = g(x) − x. Pairs (Δf, Δg) of their differences are stored, with the Δf orthonormalised by Gram–Schmidt and
//! the Δg transformed likewise: (u_i, w_i). Where g is linear, a change of f by u_i changes g by w_i. The next iterate is
//!
//! 1. x⁺ = g − Σ (u_i·f) w_i,
//!
//! which leaves the part of f outside the span of the u_i: with as many pairs as stiff directions, these are solved as by Newton's method. If
//! Δf is within that span, with c_i = u_i·Δf, the w_i are corrected by c_i (Δg − Σ c_j w_j)/|c|², the least correction with which they reproduce
//! Δg. Since g is nonlinear, this replaces the information of the first iterates.
//!
//! Sources: Anderson (1965), Iterative procedures for nonlinear integral equations, J. ACM 12; Walker & Ni (2011), Anderson
//! acceleration for fixed-point iterations, SIAM J. Numer. Anal. 49, eq. (2.2); Broyden (1965), A class of methods for solving nonlinear
//! simultaneous equations, Math. Comput. 19, eq. (4.5).

use super::{Stage, combine, stages};
use crate::{Mechanism, Real};
use mbs_math::dot;

/// Largest number of stored pairs.
const MEMORY: usize = 8;

/// A difference whose fraction outside the span of the u_i is smaller than this contains only round-off there.
const NEW: f64 = 1e-8;

/// aᵀ b over all stages.
fn inner<M: Mechanism<T>, T: Real>(a: &[Stage<M, T>], b: &[Stage<M, T>]) -> T {
    let product = |a: &Stage<M, T>, b: &Stage<M, T>| dot(a.v.as_ref(), b.v.as_ref()) + dot(a.z.as_ref(), b.z.as_ref());
    a.iter().zip(b).fold(T::ZERO, |sum, (a, b)| sum + product(a, b))
}

/// y ← y − s x.
fn subtract<M: Mechanism<T>, T: Real>(y: &mut [Stage<M, T>], s: T, x: &[Stage<M, T>]) {
    for (y, x) in y.iter_mut().zip(x) {
        y.add_scaled(-s, x.v.as_ref(), x.z.as_ref());
    }
}

/// y ← s y.
fn scale<M: Mechanism<T>, T: Real>(y: &mut [Stage<M, T>], s: T) {
    for stage in y {
        for x in stage.v.as_mut().iter_mut().chain(stage.z.as_mut()) {
            *x *= s;
        }
    }
}

fn copy<M: Mechanism<T>, T: Real>(y: &mut [Stage<M, T>], x: &[Stage<M, T>]) {
    for (y, x) in y.iter_mut().zip(x) {
        y.copy_from(x.v.as_ref(), x.z.as_ref());
    }
}

/// (u, w) of the module header.
struct Pair<M: Mechanism<T>, T: Real, const S: usize> {
    residual: [Stage<M, T>; S],
    image: [Stage<M, T>; S],
}

impl<M: Mechanism<T>, T: Real, const S: usize> Pair<M, T, S> {
    fn new(mechanism: &M) -> Self {
        Pair { residual: stages(mechanism), image: stages(mechanism) }
    }

    fn subtract(&mut self, s: T, other: &Self) {
        subtract(&mut self.residual, s, &other.residual);
        subtract(&mut self.image, s, &other.image);
    }
}

/// Secants of a map, from its last iterates.
pub(super) struct Secants<M: Mechanism<T>, T: Real, const S: usize> {
    pairs: [Pair<M, T, S>; MEMORY],
    /// Number of pairs in use.
    count: usize,
    /// Index of the pair that is overwritten next when all are in use.
    oldest: usize,
    /// f and g of the last iterate, if there is one; `change` is work space of the new pair.
    last: Pair<M, T, S>,
    has_last: bool,
    change: Pair<M, T, S>,
}

impl<M: Mechanism<T>, T: Real, const S: usize> Secants<M, T, S> {
    pub(super) fn new(mechanism: &M) -> Self {
        Secants {
            pairs: core::array::from_fn(|_| Pair::new(mechanism)),
            count: 0,
            oldest: 0,
            last: Pair::new(mechanism),
            has_last: false,
            change: Pair::new(mechanism),
        }
    }

    /// Discards all iterates.
    pub(super) fn clear(&mut self) {
        (self.count, self.oldest, self.has_last) = (0, 0, false);
    }

    /// Writes the next iterate after one with residual f and image g: by equation 1 if `is_slow`, else g.
    pub(super) fn advance(
        &mut self,
        residual: &[Stage<M, T>; S],
        image: &[Stage<M, T>; S],
        next: &mut [Stage<M, T>; S],
        is_slow: bool,
    ) {
        if self.has_last {
            self.add_pair(residual, image);
        }
        copy(&mut self.last.residual, residual);
        copy(&mut self.last.image, image);
        self.has_last = true;
        copy(next, image);
        let known = if is_slow { self.count } else { 0 };
        for pair in &self.pairs[..known] {
            subtract(next, inner(&pair.residual, residual), &pair.image);
        }
    }

    /// Adds the pair (f − f_last, g − g_last), in place of the oldest one if the memory is full. If its Δf is within the span of the others, these
    /// are corrected by it.
    fn add_pair(&mut self, residual: &[Stage<M, T>; S], image: &[Stage<M, T>; S]) {
        let change = &mut self.change;
        combine(&mut change.residual, residual, -T::ONE, &self.last.residual);
        combine(&mut change.image, image, -T::ONE, &self.last.image);
        let unknowns = change.image.iter().fold(0, |n, stage| n + stage.v.as_ref().len() + stage.z.as_ref().len());
        let room = MEMORY.min(unknowns).max(1);
        let slot = if self.count < room { self.count } else { self.oldest };
        let size = inner(&change.residual, &change.residual).sqrt();
        let mut parts = [T::ZERO; MEMORY];
        // Two passes suffice for orthogonality to round-off.
        for _ in 0..2 {
            for (i, pair) in self.pairs[..self.count].iter().enumerate() {
                if i != slot {
                    let s = inner(&pair.residual, &change.residual);
                    change.subtract(s, pair);
                    parts[i] += s;
                }
            }
        }
        let new = inner(&change.residual, &change.residual).sqrt();
        if new > T::from_f64(NEW) * size && new.is_finite() {
            scale(&mut change.residual, T::ONE / new);
            scale(&mut change.image, T::ONE / new);
            copy(&mut self.pairs[slot].residual, &change.residual);
            copy(&mut self.pairs[slot].image, &change.image);
            if slot == self.count {
                self.count += 1;
            } else {
                self.oldest = (self.oldest + 1) % room;
            }
            return;
        }
        let square = dot(&parts, &parts);
        if square > T::ZERO && square.is_finite() {
            for (part, pair) in parts.iter().zip(&mut self.pairs) {
                subtract(&mut pair.image, -*part / square, &change.image);
            }
        }
    }
}
