//! Linear systems that functions solve in loops over columns.

use mbs_core::{NO_SCALE, SWAP};

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
    /// Whether nothing is computed, and the unknown changes places with that of the only term.
    pub is_swap: bool,
}

impl ColumnSolve {
    /// The steps, in order.
    pub fn steps(&self) -> impl Iterator<Item = ColumnStep<'_>> {
        let mut rest = self.steps.as_slice();
        std::iter::from_fn(move || {
            let [unknown, scale, terms, others @ ..] = rest else { return None };
            let (terms, others) = others.split_at(2 * *terms as usize);
            rest = others;
            let (unknown, is_swap) = (*unknown as usize, *scale == SWAP);
            let scale = (!is_swap && *scale != NO_SCALE).then_some(*scale as usize);
            Some(ColumnStep { unknown, scale, terms: terms.as_chunks().0, is_swap })
        })
    }

    /// Solves for all columns of the outputs. `substitute` solves for one right side in some arithmetic, given the steps and the factor:
    /// [`mbs_core::solve_columns_plain`] and the like.
    pub fn solve<T: Copy>(&self, outputs: &mut [Vec<T>], substitute: impl Fn(&[u32], &[T], &mut [T], &mut [T])) {
        let factor = outputs[self.factor].clone();
        for ColumnMatrix { speeds, rows, columns } in self.matrices.iter().copied() {
            let unknowns = outputs.get_disjoint_mut([speeds, rows]).expect("they are different outputs");
            solve_each_column(unknowns, columns, |speeds, rows| substitute(&self.steps, &factor, speeds, rows));
        }
    }
}

/// Passes each column of a matrix, with its parts of speeds and of rows, to a function that overwrites it.
pub fn solve_each_column<T: Copy>(mut unknowns: [&mut Vec<T>; 2], columns: usize, solve: impl Fn(&mut [T], &mut [T])) {
    for column in 0..columns {
        let [mut speeds, mut rows]: [Vec<T>; 2] =
            unknowns.each_ref().map(|x| x.iter().skip(column).step_by(columns).copied().collect());
        solve(&mut speeds, &mut rows);
        for (x, solved) in unknowns.iter_mut().zip([speeds, rows]) {
            x.iter_mut().skip(column).step_by(columns).zip(solved).for_each(|(x, solved)| *x = solved);
        }
    }
}
