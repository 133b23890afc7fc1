//! Anderson's acceleration of a fixed point x = g(x) by the secants of its last iterates.
//!
//! Of iterates with residuals f = g(x) − x, pairs (Δf, Δg) of differences are kept, orthonormal in Δf by Gram and Schmidt,
//! Δg taken along: (u_i, w_i). As far as g is linear, a change of f by u_i is one of g by w_i. The next iterate is
//!
//! 1. x⁺ = g − Σ (u_i·f) w_i,
//!
//! which leaves the part of f outside the u_i: with as many pairs as stiff directions, these are solved as by Newton's method.
//!
//! Sources: Anderson (1965), Iterative procedures for nonlinear integral equations, J. ACM 12; Walker & Ni (2011), Anderson
//! acceleration for fixed-point iterations, SIAM J. Numer. Anal. 49, eq. (2.2).

use crate::vector::{add_scaled, dot};
use crate::{Mechanism, Real};

/// Pairs kept.
const MEMORY: usize = 8;

/// A difference of which less than this part is new says nothing but round-off.
const NEW: f64 = 1e-8;

/// The unknowns (v, z) of a stage, or a difference of them.
pub(super) struct Stage<M: Mechanism<T>, T: Real> {
    pub(super) v: M::Speeds,
    pub(super) z: M::Auxiliary,
}

impl<M: Mechanism<T>, T: Real> Stage<M, T> {
    pub(super) fn new(mechanism: &M) -> Self {
        let (_, v, _, z, ..) = mechanism.storage();
        Stage { v, z }
    }

    pub(super) fn copy_from(&mut self, v: &[T], z: &[T]) {
        self.v.as_mut().copy_from_slice(v);
        self.z.as_mut().copy_from_slice(z);
    }

    /// self ← a − (v, z).
    pub(super) fn difference(&mut self, a: &Self, v: &[T], z: &[T]) {
        self.copy_from(a.v.as_ref(), a.z.as_ref());
        add_scaled(self.v.as_mut(), -T::ONE, v);
        add_scaled(self.z.as_mut(), -T::ONE, z);
    }

    fn subtract(&mut self, s: T, x: &Self) {
        add_scaled(self.v.as_mut(), -s, x.v.as_ref());
        add_scaled(self.z.as_mut(), -s, x.z.as_ref());
    }

    fn scale(&mut self, s: T) {
        for x in self.v.as_mut().iter_mut().chain(self.z.as_mut()) {
            *x *= s;
        }
    }

    fn dot(&self, other: &Self) -> T {
        dot(self.v.as_ref(), other.v.as_ref()) + dot(self.z.as_ref(), other.z.as_ref())
    }
}

/// (u, w) of the module header.
struct Pair<M: Mechanism<T>, T: Real> {
    residual: Stage<M, T>,
    image: Stage<M, T>,
}

impl<M: Mechanism<T>, T: Real> Pair<M, T> {
    fn new(mechanism: &M) -> Self {
        Pair { residual: Stage::new(mechanism), image: Stage::new(mechanism) }
    }

    fn copy_from(&mut self, residual: &Stage<M, T>, image: &Stage<M, T>) {
        self.residual.copy_from(residual.v.as_ref(), residual.z.as_ref());
        self.image.copy_from(image.v.as_ref(), image.z.as_ref());
    }

    fn subtract(&mut self, s: T, other: &Self) {
        self.residual.subtract(s, &other.residual);
        self.image.subtract(s, &other.image);
    }
}

/// What is known of a map from its last iterates.
pub(super) struct Secants<M: Mechanism<T>, T: Real> {
    pairs: [Pair<M, T>; MEMORY],
    /// Pairs in use, and which of them is overwritten next when all are.
    count: usize,
    oldest: usize,
    /// f and g of the last iterate, if there is one, and room for what is new.
    last: Pair<M, T>,
    has_last: bool,
    change: Pair<M, T>,
}

impl<M: Mechanism<T>, T: Real> Secants<M, T> {
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

    /// Forgets all iterates.
    pub(super) fn clear(&mut self) {
        (self.count, self.oldest, self.has_last) = (0, 0, false);
    }

    /// Writes the next iterate, equation 1, after one with residual f and image g.
    pub(super) fn advance(&mut self, residual: &Stage<M, T>, image: &Stage<M, T>, v: &mut [T], z: &mut [T]) {
        if self.has_last {
            self.learn(residual, image);
        }
        self.last.copy_from(residual, image);
        self.has_last = true;
        v.copy_from_slice(image.v.as_ref());
        z.copy_from_slice(image.z.as_ref());
        for pair in &self.pairs[..self.count] {
            let s = pair.residual.dot(residual);
            add_scaled(v, -s, pair.image.v.as_ref());
            add_scaled(z, -s, pair.image.z.as_ref());
        }
    }

    /// Adds the pair (f − f_last, g − g_last), in place of the oldest one where there is no room.
    fn learn(&mut self, residual: &Stage<M, T>, image: &Stage<M, T>) {
        let change = &mut self.change;
        change.residual.difference(residual, self.last.residual.v.as_ref(), self.last.residual.z.as_ref());
        change.image.difference(image, self.last.image.v.as_ref(), self.last.image.z.as_ref());
        let slot = if self.count < MEMORY { self.count } else { self.oldest };
        let whole = change.residual.dot(&change.residual).sqrt();
        // Twice is enough.
        for _ in 0..2 {
            for (i, pair) in self.pairs[..self.count].iter().enumerate() {
                if i != slot {
                    let s = pair.residual.dot(&change.residual);
                    change.subtract(s, pair);
                }
            }
        }
        let new = change.residual.dot(&change.residual).sqrt();
        if new > T::from_f64(NEW) * whole && new.is_finite() {
            change.residual.scale(T::ONE / new);
            change.image.scale(T::ONE / new);
            self.pairs[slot].copy_from(&change.residual, &change.image);
            if slot == self.count {
                self.count += 1;
            } else {
                self.oldest = (self.oldest + 1) % MEMORY;
            }
        }
    }
}
