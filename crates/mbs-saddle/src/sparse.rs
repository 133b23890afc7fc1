//! L D Lᵀ by faer's sparse simplicial factorisation in a given order.
//!
//! faer analyses the pattern once; numeric factorisation and solve use a buffer that is allocated then. faer neither pivots nor compares
//! pivots with their terms, so that the sums of absolute terms are formed afterwards: the terms of pivot i are K_ii and l_ij² d_j.
//! Supernodes are off: on the patterns of mechanisms they took 1.2 to 9 times as long, and their dense kernels allocate a buffer in
//! every thread.

use std::fmt;

use faer::dyn_stack::{MemBuffer, MemStack, StackReq};
use faer::linalg::cholesky::ldlt::factor::LdltError;
use faer::sparse::linalg::cholesky::simplicial::{
    SimplicialLdltRef, SymbolicSimplicialCholesky, factorize_simplicial_numeric_ldlt,
    factorize_simplicial_numeric_ldlt_scratch, factorize_simplicial_symbolic_cholesky,
    factorize_simplicial_symbolic_cholesky_scratch, prefactorize_symbolic_cholesky,
    prefactorize_symbolic_cholesky_scratch,
};
use faer::sparse::{SparseColMat, SymbolicSparseColMat};
use faer::{ColMut, Conj, Par};

use super::PIVOT_TOLERANCE;

/// The factorisation.
#[derive(Clone, Debug)]
pub(super) struct Sparse {
    /// Upper triangle of K, in the order of elimination.
    matrix: SparseColMat<u32, f64>,
    /// Pattern of L, the diagonal first in every column.
    symbolic: SymbolicSimplicialCholesky<u32>,
    /// D on the diagonal, L below.
    factor: Vec<f64>,
    /// Sums of the absolute terms that formed each pivot.
    magnitude: Vec<f64>,
    workspace: Workspace,
}

impl Sparse {
    /// Analyses the pattern with entries (i, j), i ≥ j, of an n × n matrix; they include the diagonal, and may repeat.
    pub fn new(n: usize, mut entries: Vec<(usize, usize)>) -> Sparse {
        entries.sort_unstable();
        entries.dedup();
        // Row i of the lower triangle is column i of the upper.
        let mut starts = vec![0_u32; n + 1];
        entries.iter().for_each(|(i, _)| starts[i + 1] += 1);
        (0..n).for_each(|i| starts[i + 1] += starts[i]);
        let rows: Vec<u32> = entries.iter().map(|(_, j)| *j as u32).collect();
        let values = vec![0.0; rows.len()];
        let matrix = SparseColMat::new(SymbolicSparseColMat::new_checked(n, n, starts, None, rows), values);
        let needs = [
            prefactorize_symbolic_cholesky_scratch::<u32>(n, entries.len()),
            factorize_simplicial_symbolic_cholesky_scratch::<u32>(n),
            factorize_simplicial_numeric_ldlt_scratch::<u32, f64>(n),
        ];
        let mut workspace = Workspace::new(StackReq::any_of(&needs));
        let (mut tree, mut counts) = (vec![0_i32; n], vec![0_u32; n]);
        let pattern = matrix.symbolic();
        let tree = prefactorize_symbolic_cholesky(&mut tree, &mut counts, pattern, workspace.stack());
        let symbolic = factorize_simplicial_symbolic_cholesky(pattern, tree, &counts, workspace.stack())
            .expect("the factor fits in memory and 32-bit indices");
        let factor = vec![0.0; symbolic.len_val()];
        Sparse { matrix, symbolic, factor, magnitude: vec![0.0; n], workspace }
    }

    /// Slot of entry (i, j), i ≥ j.
    pub fn slot(&self, i: usize, j: usize) -> usize {
        let column = self.matrix.symbolic().col_range(i);
        let rows = &self.matrix.symbolic().row_idx()[column.clone()];
        column.start + rows.binary_search(&(j as u32)).expect("the pattern has the entry")
    }

    /// The values of K, to be written before [`Sparse::factor`]: zero except in the slots of its entries.
    pub fn values(&mut self) -> &mut [f64] {
        self.matrix.val_mut()
    }

    /// Factors in place: K → L, D.
    ///
    /// # Errors
    /// Position of the first pivot that vanishes, in the order of elimination.
    pub fn factor(&mut self) -> Result<(), usize> {
        let stopped = factorize_simplicial_numeric_ldlt(
            &mut self.factor,
            self.matrix.as_ref(),
            Default::default(),
            &self.symbolic,
            self.workspace.stack(),
        );
        // faer stops at pivots that are zero or not finite; later entries are those of an earlier factorisation, and are not read.
        let formed = match stopped {
            Ok(_) => self.magnitude.len(),
            Err(LdltError::ZeroPivot { index }) => index - 1,
        };
        self.check(formed)?;
        if formed == self.magnitude.len() { Ok(()) } else { Err(formed) }
    }

    /// Checks that the first `formed` pivots are regular.
    fn check(&mut self, formed: usize) -> Result<(), usize> {
        let diagonal = self.matrix.symbolic().col_ptr()[1..].iter().map(|end| self.matrix.val()[*end as usize - 1]);
        self.magnitude.iter_mut().zip(diagonal).for_each(|(sum, d)| *sum = d.abs());
        let (starts, mut rows, mut values) = (self.symbolic.col_ptr(), self.symbolic.row_idx(), &self.factor[..]);
        for (p, ends) in starts.windows(2).enumerate().take(formed) {
            let len = (ends[1] - ends[0]) as usize;
            let (column_rows, column_values);
            (column_rows, rows) = rows.split_at(len);
            (column_values, values) = values.split_at(len);
            let d = column_values[0];
            let regular = d.abs() > PIVOT_TOLERANCE * self.magnitude[p];
            if !regular {
                return Err(p);
            }
            let below = column_rows[1..].iter().zip(&column_values[1..]);
            below.for_each(|(row, l)| self.magnitude[*row as usize] += (l * l * d).abs());
        }
        Ok(())
    }

    /// Solves in place: r → K⁻¹ r.
    pub fn solve(&mut self, r: &mut [f64]) {
        let right = ColMut::from_slice_mut(r).as_mat_mut();
        let factor = SimplicialLdltRef::new(&self.symbolic, &self.factor);
        factor.solve_in_place_with_conj(Conj::No, right, Par::Seq, self.workspace.stack());
    }
}

/// The buffer of faer's routines. A clone has another buffer of the same size.
struct Workspace {
    needs: StackReq,
    buffer: MemBuffer,
}

impl Workspace {
    fn new(needs: StackReq) -> Self {
        Workspace { needs, buffer: MemBuffer::new(needs) }
    }

    fn stack(&mut self) -> &mut MemStack {
        MemStack::new(&mut self.buffer)
    }
}

impl Clone for Workspace {
    fn clone(&self) -> Self {
        Workspace::new(self.needs)
    }
}

impl fmt::Debug for Workspace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Workspace").field("needs", &self.needs).finish_non_exhaustive()
    }
}
