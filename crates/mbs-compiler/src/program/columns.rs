//! Linear systems that functions solve in loops over columns.

use mbs_core::{NO_SCALE, substitute};

/// The solution of one linear system for all columns of matrices, in loops: [`mbs_core::substitute`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColumnSolve {
    /// Table of its steps.
    pub steps: Vec<u32>,
    /// Index of the output with the entries of the factor, which has the role [`Role::Local`](super::Role::Local).
    pub factor: usize,
    /// The matrices, whose right sides the solutions overwrite.
    pub matrices: Vec<ColumnMatrix>,
}

/// A matrix of right sides, row by row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ColumnMatrix {
    /// Index of the output with the part of the speeds.
    pub speeds: usize,
    /// Index of the output with the part of the rows.
    pub rows: usize,
    /// Number of columns.
    pub columns: usize,
}

/// A step of a [`ColumnSolve`].
pub struct ColumnStep<'s> {
    /// The unknown.
    pub unknown: usize,
    /// Index of the entry that multiplies it first.
    pub scale: Option<usize>,
    /// The terms that are subtracted: an entry, and another unknown.
    pub terms: &'s [[u32; 2]],
}

impl ColumnSolve {
    /// The steps, in order.
    pub fn steps(&self) -> impl Iterator<Item = ColumnStep<'_>> {
        let mut rest = self.steps.as_slice();
        std::iter::from_fn(move || {
            let [unknown, scale, terms, others @ ..] = rest else { return None };
            let (terms, others) = others.split_at(2 * *terms as usize);
            rest = others;
            let scale = (*scale != NO_SCALE).then_some(*scale as usize);
            Some(ColumnStep { unknown: *unknown as usize, scale, terms: terms.as_chunks().0 })
        })
    }

    /// Solves for all columns of the outputs, in any arithmetic: a b, and a − b c.
    pub fn solve<T: Copy>(
        &self,
        outputs: &mut [Vec<T>],
        product: impl Fn(T, T) -> T,
        subtract_product: impl Fn(T, T, T) -> T,
    ) {
        let factor = outputs[self.factor].clone();
        for ColumnMatrix { speeds, rows, columns } in self.matrices.iter().copied() {
            for column in 0..columns {
                let mut right =
                    [speeds, rows].map(|i| outputs[i].iter().skip(column).step_by(columns).copied().collect());
                let [v, lambda]: &mut [Vec<T>; 2] = &mut right;
                substitute::<T, 1>(&self.steps, &factor, [v, lambda], &product, &subtract_product);
                for (i, solved) in [speeds, rows].into_iter().zip(right) {
                    outputs[i].iter_mut().skip(column).step_by(columns).zip(solved).for_each(|(x, solved)| *x = solved);
                }
            }
        }
    }
}
