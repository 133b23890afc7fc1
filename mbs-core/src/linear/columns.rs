//! Substitution with a sparse factor L D Lᵀ for many right sides at once. The columns lie next to each other, so that compilers use vector
//! instructions.
//!
//! A table of steps gives the order of the substitutions. Each step is the index of an unknown, the index of a factor's entry that multiplies it
//! (none for [`NO_SCALE`]; see also [`SWAP`]), the number of terms that are subtracted, and for each term the index of an entry of L and that of another unknown.

/// In place of the index of an entry: the unknown is not multiplied.
pub const NO_SCALE: u32 = u32::MAX;

/// In place of the index of an entry: the unknown and that of the only term change places.
pub const SWAP: u32 = u32::MAX - 1;

/// Solves L D Lᵀ X = B in place, for M columns: `speeds` and `rows` have the unknowns of speeds and of rows, M numbers each, and `factor` the
/// entries of L and of D⁻¹. Multiply-adds are fused.
#[cfg(feature = "std")]
#[doc(hidden)]
pub fn solve_columns_fused<const M: usize>(steps: &[u32], factor: &[f64], speeds: &mut [f64], rows: &mut [f64]) {
    substitute::<f64, M>(steps, factor, [speeds, rows], |a, b| a * b, |a, b, c| (-b).mul_add(c, a));
}

/// [`solve_columns_fused`] with multiply-adds that are rounded twice.
#[doc(hidden)]
pub fn solve_columns_plain<const M: usize>(steps: &[u32], factor: &[f64], speeds: &mut [f64], rows: &mut [f64]) {
    substitute::<f64, M>(steps, factor, [speeds, rows], |a, b| a * b, |a, b, c| a - b * c);
}

/// The steps of a solution in any arithmetic: a b, and a − b c. Steps that name no unknown or entry are left out.
#[doc(hidden)]
#[inline(always)]
pub fn substitute<T: Copy, const M: usize>(
    steps: &[u32],
    factor: &[T],
    [speeds, rows]: [&mut [T]; 2],
    product: impl Fn(T, T) -> T,
    subtract_product: impl Fn(T, T, T) -> T,
) {
    let mut unknowns = Unknowns { speeds: speeds.as_chunks_mut::<M>().0, rows: rows.as_chunks_mut::<M>().0 };
    let mut rest = steps;
    while let [unknown, scale, terms, others @ ..] = rest {
        let Some((terms, others)) = others.split_at_checked(2 * *terms as usize) else { return };
        rest = others;
        if let (SWAP, [_, other]) = (*scale, terms) {
            unknowns.swap(*unknown, *other);
            continue;
        }
        let Some(mut sum) = unknowns.get(*unknown).copied() else { continue };
        if let Some(scale) = factor.get(*scale as usize) {
            sum = sum.map(|x| product(x, *scale));
        }
        for [entry, other] in terms.as_chunks::<2>().0 {
            if let (Some(l), Some(other)) = (factor.get(*entry as usize), unknowns.get(*other)) {
                for (sum, x) in sum.iter_mut().zip(other) {
                    *sum = subtract_product(*sum, *l, *x);
                }
            }
        }
        if let Some(x) = unknowns.get(*unknown) {
            *x = sum;
        }
    }
}

/// Rows of M columns.
struct Unknowns<'x, T, const M: usize> {
    speeds: &'x mut [[T; M]],
    rows: &'x mut [[T; M]],
}

impl<T: Copy, const M: usize> Unknowns<'_, T, M> {
    fn swap(&mut self, a: u32, b: u32) {
        if let (Some(x), Some(y)) = (self.get(a).copied(), self.get(b).copied()) {
            for (unknown, value) in [(a, y), (b, x)] {
                if let Some(place) = self.get(unknown) {
                    *place = value;
                }
            }
        }
    }

    /// The columns of an unknown: speeds first, then rows.
    #[inline(always)]
    fn get(&mut self, unknown: u32) -> Option<&mut [T; M]> {
        let unknown = unknown as usize;
        match unknown.checked_sub(self.speeds.len()) {
            None => self.speeds.get_mut(unknown),
            Some(row) => self.rows.get_mut(row),
        }
    }
}
