//! Columns of derivatives in raw coordinates and in error states, and the continuous A and B.

use super::check_sizes;
use crate::differentiable::set_unit;
use crate::{Differentiable, Error, Real, Sizes, StateView};
use mbs_math::add_scaled;

/// Work space of [`error_jacobian`], of the mechanism's own storage: three matrices of n_x × (n_x + n_u).
pub struct Linearization<M: Differentiable<T>, T: Real = f64> {
    /// ∂(q̇, v̇, ż)/∂(q, v, z, u).
    pub(crate) jacobian: M::Jacobian,
    /// [E 0] with E = diag(N, 1, 1).
    pub(crate) basis: M::Jacobian,
    /// Derivatives of rates in the directions of n_e + n_u columns.
    pub(crate) rates: M::Jacobian,
    q: M::Coordinates,
    normalized: M::Coordinates,
    factors: M::Coordinates,
    v: M::Speeds,
}

impl<M: Differentiable<T>, T: Real> Linearization<M, T> {
    /// Work space for one mechanism.
    pub fn new(mechanism: &M) -> Self {
        let (q, v, ..) = mechanism.storage();
        let [jacobian, basis, rates] = core::array::from_fn(|_| mechanism.jacobian_storage());
        Linearization { jacobian, basis, rates, normalized: q.clone(), factors: q.clone(), q, v }
    }

    /// Writes the basis at q, n_x × (n_e + n_u).
    pub(crate) fn write_basis(&mut self, mechanism: &M, t: T, q: &[T]) {
        let sizes = mechanism.sizes();
        let Sizes { n_q, n_v, .. } = sizes;
        let width = (sizes.n_e() + sizes.n_u).max(1);
        let basis = self.basis.as_mut();
        basis.fill(T::ZERO);
        for j in 0..n_v {
            set_unit(self.v.as_mut(), j);
            mechanism.coordinate_rates(t, q, self.v.as_ref(), self.q.as_mut());
            for (row, rate) in basis.chunks_exact_mut(width).zip(self.q.as_ref()) {
                row[j] = *rate;
            }
        }
        for (j, row) in basis.chunks_exact_mut(width).skip(n_q).take(n_v + sizes.n_z).enumerate() {
            row[n_v + j] = T::ONE;
        }
    }

    /// Converts raw rows to rows of error states, in place: diag(N⁺(q) D, 1, 1) S, n_e × (n_e + n_u). The columns S are given at the
    /// coordinates `raw`; q is `raw` normalised, and D is the derivative of that normalisation.
    ///
    /// For a group of coordinates r with q = r/|r|, D = (1 − q qᵀ)/|r|. Since N⁺ q = 0, D acts as the factor 1/|r|.
    pub(super) fn reduce(&mut self, mechanism: &M, t: T, raw: &[T], columns: &mut [T]) {
        let sizes = mechanism.sizes();
        let Sizes { n_q, n_v, .. } = sizes;
        let width = sizes.n_e() + sizes.n_u;
        write_factors(mechanism, raw, self.normalized.as_mut(), self.factors.as_mut());
        for j in 0..width {
            let entries = columns.chunks_exact(width).zip(self.factors.as_ref());
            for (x, (row, factor)) in self.q.as_mut().iter_mut().zip(entries) {
                *x = *factor * row[j];
            }
            mechanism.speeds_of_rates(t, self.normalized.as_ref(), self.q.as_ref(), self.v.as_mut());
            for (x, row) in self.v.as_ref().iter().zip(columns.chunks_exact_mut(width)) {
                row[j] = *x;
            }
        }
        columns.copy_within(n_q * width..sizes.n_x() * width, n_v * width);
    }
}

/// Normalised coordinates, and the factor of each coordinate.
///
/// A coordinate 0 is replaced by ε², whose factor is the same: it changes the length of its group by ε⁴.
fn write_factors<M: Differentiable<T>, T: Real>(mechanism: &M, raw: &[T], normalized: &mut [T], factors: &mut [T]) {
    let tiny = T::EPSILON * T::EPSILON;
    let filled = |x: T| if x == T::ZERO { tiny } else { x };
    for (to, x) in normalized.iter_mut().zip(raw) {
        *to = filled(*x);
    }
    mechanism.normalize(normalized);
    for ((factor, q), x) in factors.iter_mut().zip(normalized).zip(raw) {
        *factor = *q / filled(*x);
        if *x == T::ZERO {
            *q = T::ZERO;
        }
    }
}

/// K = ∂f/∂x S + [0 ∂f/∂u] at a state, f = (q̇, v̇, ż): derivatives of rates in the directions of the columns S, n_x × (n_e + n_u), written to
/// `rates`. `jacobian` is overwritten by ∂f/∂(x, u).
pub(crate) fn propagate<M: Differentiable<T>, T: Real>(
    mechanism: &M,
    at: StateView<T>,
    jacobian: &mut [T],
    columns: &[T],
    rates: &mut [T],
) -> Result<(), Error<T>> {
    let sizes = mechanism.sizes();
    let (n_x, n_u) = (sizes.n_x(), sizes.n_u);
    let jacobian = &mut jacobian[..n_x * (n_x + n_u)];
    mechanism.state_jacobian(at, jacobian)?;
    multiply(jacobian, n_x, columns, (sizes.n_e(), n_u), rates);
    Ok(())
}

/// P ← M S + [0 M_u]: `matrix` has rows (M, M_u) of n_m + n_u values, `columns` n_m rows of n_e + n_u values; `product` has as
/// many rows as the matrix.
pub(super) fn multiply<T: Real>(
    matrix: &[T],
    n_m: usize,
    columns: &[T],
    (n_e, n_u): (usize, usize),
    product: &mut [T],
) {
    let width = (n_e + n_u).max(1);
    for (row, product) in matrix.chunks_exact((n_m + n_u).max(1)).zip(product.chunks_exact_mut(width)) {
        let (row, last) = row.split_at(n_m);
        product[..n_e].fill(T::ZERO);
        product[n_e..].copy_from_slice(last);
        for (x, column) in row.iter().zip(columns.chunks_exact(width)) {
            // The rows of q̇ = N v, half of ∂f/∂x, are mostly zeros.
            if *x != T::ZERO {
                add_scaled(product, *x, column);
            }
        }
    }
}

/// out ← S + h Σ w_j K_j over derivatives of rates; zero weights are skipped.
pub(super) fn combine<T: Real, S: AsRef<[T]>>(out: &mut [T], start: &[T], h: T, weights: &[f64], rates: &[S]) {
    out.copy_from_slice(start);
    for (weight, rates) in weights.iter().zip(rates) {
        if *weight != 0.0 {
            add_scaled(out, T::from_f64(*weight) * h, rates.as_ref());
        }
    }
}

/// W = diag(N⁺(q), 1, 1) (E + s K), n_e × (n_e + n_u), of a half step x + s f that ends in coordinates q, not normalised. The basis E and the
/// derivatives K are those in the work space.
pub(crate) fn half_columns<M: Differentiable<T>, T: Real>(
    mechanism: &M,
    work: &mut Linearization<M, T>,
    t: T,
    q: &[T],
    s: T,
    w: &mut M::Jacobian,
) {
    combine(w.as_mut(), work.basis.as_ref(), s, &[1.0], core::slice::from_ref(&work.rates));
    work.reduce(mechanism, t, q, w.as_mut());
}

/// Copies the rows of A (n_e values) and of B (n_u values) from rows [A B].
pub(super) fn split<T: Real>(rows: &[T], (n_e, n_u): (usize, usize), (a, b): (&mut [T], &mut [T])) {
    for (i, row) in rows.chunks_exact((n_e + n_u).max(1)).enumerate() {
        a[i * n_e..][..n_e].copy_from_slice(&row[..n_e]);
        b[i * n_u..][..n_u].copy_from_slice(&row[n_e..]);
    }
}

/// A and B of the motion in error states, δẋ = A δx + B δu: A is n_e × n_e and B n_e × n_u, row-major, n_e = 2 n_v + n_z.
///
/// δx = (δθ, δv, δz) with δq = N(q) δθ and N at the moving q(t): for attitudes δθ is in the axes of the rotating body. Then
///
/// 1. δθ̇ = C δθ + δv, with C of [`Differentiable::transitivity`]: −ω × δθ + δω for a body;
/// 2. δv̇ = ∂a/∂q N δθ + ∂a/∂v δv + ∂a/∂z δz + ∂a/∂u δu, and ż alike.
///
/// With these matrices, those of [`Discrete::linearize`](super::Discrete::linearize) are 1 + h A + O(h²) and h B + O(h²). In
/// the plane A and B are ∂f/∂x and ∂f/∂u. The cost is one evaluation of [`Differentiable::state_jacobian`] in addition to those of C.
///
/// # Errors
/// [`Error::Size`]; those of [`Differentiable::state_jacobian`].
///
/// # Source
/// Solà, Deray & Atchuthan (2018), A micro Lie theory for state estimation in robotics, arXiv:1812.01537, for bodies;
/// equation 1 for any N follows from δq̇ = (N δθ)˙.
pub fn error_jacobian<M: Differentiable<T>, T: Real>(
    mechanism: &M,
    at: StateView<T>,
    work: &mut Linearization<M, T>,
    a: &mut [T],
    b: &mut [T],
) -> Result<(), Error<T>> {
    let sizes = mechanism.sizes();
    let (n_q, n_v, n_e, n_u) = (sizes.n_q, sizes.n_v, sizes.n_e(), sizes.n_u);
    check_sizes(&[
        (n_q, at.q.len()),
        (n_v, at.v.len()),
        (sizes.n_z, at.z.len().min(sizes.n_z)),
        (n_u, at.u.len()),
        (n_e * n_e, a.len()),
        (n_e * n_u, b.len()),
    ])?;
    // C first, in the n_v × n_v values at the beginning of A.
    mechanism.transitivity(at, &mut a[..n_v * n_v])?;
    for i in (0..n_v).rev() {
        a.copy_within(i * n_v..(i + 1) * n_v, i * n_e);
        let rest = &mut a[i * n_e + n_v..(i + 1) * n_e];
        rest.fill(T::ZERO);
        rest[i] = T::ONE;
    }
    b[..n_v * n_u].fill(T::ZERO);
    work.write_basis(mechanism, at.t, at.q);
    propagate(mechanism, at, work.jacobian.as_mut(), work.basis.as_ref(), work.rates.as_mut())?;
    let width = n_e + n_u;
    let rows = &work.rates.as_ref()[n_q * width..sizes.n_x() * width];
    split(rows, (n_e, n_u), (&mut a[n_v * n_e..], &mut b[n_v * n_u..]));
    Ok(())
}
