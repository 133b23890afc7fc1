//! [M Gᵀ; G 0] assembled densely: the fallback of generated code when a pivot of its static order vanishes.

use super::symmetric::{DenseWorkspace, RankDeficiency, solve_symmetric};
use crate::{Error, Real};

/// Work space of [`solve_saddle`] for n = n_v + n_c unknowns.
#[derive(Debug)]
pub struct SaddleWorkspace<'a, T> {
    /// n × n.
    pub matrix: &'a mut [T],
    /// n.
    pub right: &'a mut [T],
    /// n.
    pub scale: &'a mut [T],
    /// n.
    pub solution: &'a mut [T],
    /// n.
    pub order: &'a mut [usize],
}

/// Solves M x + Gᵀ μ = f, G x = g in place: `x` contains f (n_v) and is overwritten by x, `mu` contains g (n_c) and is overwritten by μ.
///
/// `mass` is n_v × n_v, `jacobian` n_c × n_v, both row-major; `t` is for the error. (2/3)(n_v + n_c)³ operations. `switched` lists rows that can
/// be switched off: where such a row of G is zero, its μ is 0.
///
/// # Errors
/// [`Error::Singular`] with the index into (v, λ) that has no pivot, [`Error::Size`] if a slice does not fit.
pub fn solve_saddle<T: Real>(
    t: T,
    mass: &[T],
    jacobian: &[T],
    switched: &[usize],
    x: &mut [T],
    mu: &mut [T],
    workspace: SaddleWorkspace<'_, T>,
) -> Result<(), Error<T>> {
    let (n_v, n) = (x.len(), x.len() + mu.len());
    let columns = n_v.max(1);
    let SaddleWorkspace { matrix, right, scale, solution, order } = workspace;
    for (expected, found) in [(n * n, matrix.len()), (n, right.len())] {
        if expected != found {
            return Err(Error::Size { expected, found });
        }
    }
    matrix.fill(T::ZERO);
    let mut set = |row: usize, column: usize, value: T| {
        if let Some(entry) = matrix.get_mut(row * n + column) {
            *entry = value;
        }
    };
    for (k, m) in mass.iter().enumerate() {
        set(k / columns, k % columns, *m);
    }
    for (k, g) in jacobian.iter().enumerate() {
        set(n_v + k / columns, k % columns, *g);
        set(k % columns, n_v + k / columns, *g);
    }
    for row in switched.iter().copied() {
        let is_off = jacobian.chunks_exact(columns).nth(row).is_some_and(|g| g.iter().all(|g| *g == T::ZERO));
        if let (true, Some(mu)) = (is_off, mu.get_mut(row)) {
            *mu = T::ZERO;
            set(n_v + row, n_v + row, -T::ONE);
        }
    }
    for (to, from) in right.iter_mut().zip(x.iter().chain(mu.iter())) {
        *to = *from;
    }
    solve_symmetric(t, matrix, right, RankDeficiency::Error, DenseWorkspace { scale, solution, order })?;
    for (to, from) in x.iter_mut().chain(mu.iter_mut()).zip(right.iter()) {
        *to = *from;
    }
    Ok(())
}
