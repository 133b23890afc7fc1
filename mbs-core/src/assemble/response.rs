//! The response of a mechanism with the rows of one level alone, from the response with all rows.
//!
//! [`Mechanism::solve`] imposes all rows: with G for those of the level and V for the others,
//!
//! 1. M x + Gᵀ μ + Vᵀ η = f, G x = g, V x = h.
//!
//! η is affine in h with the derivative −B, and B = \[(W M⁻¹ Wᵀ)⁻¹\]_VV with W = \[G; V\] is symmetric and positive definite. The h of
//!
//! 2. B h = η(h = 0)
//!
//! makes η zero, so that x is the response without V. Conjugate gradients solve 2: one solve for each product B p, no matrix, and at most as
//! many iterations as V has rows, except for rounding. G x = g is satisfied at each iterate: the remainder of η makes x less than the least
//! displacement at most.

use crate::{Error, Level, Mechanism, Real, StateView};
use mbs_math::{add_scaled, dot, max_norm};

/// η counts as zero below this fraction of all loads at h = 0: less is rounding, which would move a motion without mass.
const RELEASED: f64 = 1e-12;

/// Work space of the header's equations.
pub(super) struct Response<M: Mechanism<T>, T: Real> {
    /// The first row of V.
    first: usize,
    /// f of the products.
    zero: M::Speeds,
    column: M::Speeds,
    /// μ and η.
    multipliers: M::Multipliers,
    /// p, zero in the rows of the level.
    direction: M::Multipliers,
    /// η of the iterate.
    residual: M::Multipliers,
}

impl<M: Mechanism<T>, T: Real> Response<M, T> {
    /// Work space with the rows of all levels imposed.
    pub(super) fn new(mechanism: &M) -> Self {
        let (_, zero, rows, ..) = mechanism.storage();
        Response {
            first: mechanism.sizes().n_c,
            column: zero.clone(),
            zero,
            multipliers: rows.clone(),
            direction: rows.clone(),
            residual: rows,
        }
    }

    /// Releases the rows that do not exist at a level.
    pub(super) fn release(&mut self, mechanism: &M, level: Level) {
        let sizes = mechanism.sizes();
        self.first = match level {
            Level::Position => sizes.n_position,
            Level::Velocity => sizes.n_velocity,
        };
    }

    /// x of M x + Gᵀ μ = f, G x = g; g is n_c values, zero in the rows of V.
    ///
    /// # Errors
    /// Those of [`Mechanism::solve`].
    pub(super) fn solve(
        &mut self,
        mechanism: &M,
        at: StateView<T>,
        (f, g): (&[T], &[T]),
        x: &mut [T],
    ) -> Result<(), Error<T>> {
        let first = self.first;
        mechanism.solve(at, f, g, x, self.multipliers.as_mut())?;
        let small = T::from_f64(RELEASED) * max_norm(self.multipliers.as_ref()).max(max_norm(f));
        let (residual, direction) = (self.residual.as_mut(), self.direction.as_mut());
        direction.fill(T::ZERO);
        residual.fill(T::ZERO);
        let loads = self.multipliers.as_ref().iter().skip(first);
        for ((residual, direction), load) in residual.iter_mut().zip(direction).skip(first).zip(loads) {
            (*residual, *direction) = (*load, *load);
        }
        let mut square = dot(residual, residual);
        // Twice as many as without rounding.
        for _ in 0..2 * residual.len().saturating_sub(first) {
            if max_norm(self.residual.as_ref()) <= small {
                break;
            }
            let (zero, column) = (self.zero.as_ref(), self.column.as_mut());
            mechanism.solve(at, zero, self.direction.as_ref(), column, self.multipliers.as_mut())?;
            let residual = self.residual.as_mut().get_mut(first..).unwrap_or_default();
            let direction = self.direction.as_mut().get_mut(first..).unwrap_or_default();
            let product = self.multipliers.as_ref().get(first..).unwrap_or_default();
            let curvature = -dot(direction, product);
            if curvature <= T::ZERO || !curvature.is_finite() {
                break;
            }
            let step = square / curvature;
            add_scaled(x, step, self.column.as_ref());
            add_scaled(residual, step, product);
            let next = dot(residual, residual);
            let kept = next / square;
            direction.iter_mut().zip(residual.iter()).for_each(|(p, r)| *p = *r + kept * *p);
            square = next;
        }
        Ok(())
    }
}
