//! Eigenvalues 0 of a linear system, separated before the others are computed.
//!
//! A degree of freedom without stiffness has the double eigenvalue λ = 0 with one vector. Computed with the others, both would have errors of the
//! square root of round-off. With the null space V₀ of B and its complement V₁,
//!
//! 1. B \[V₀ V₁\] = \[V₀ V₁\] \[0 R; 0 B₁\], R = V₀ᵀ B V₁, B₁ = V₁ᵀ B V₁;
//! 2. B₁ is split in the same way, until it is regular; a null vector n of B₁ causes the drift V₀ R n of a displacement;
//! 3. a vector w of B₁ with λ ≠ 0 gives one of B: x = V₁ w + V₀ R w / λ.
//!
//! # Source
//! Golub & Van Loan (2013), Matrix Computations, §7.6.5 (reduction to the Jordan form by null spaces).

use nalgebra::{Complex, DMatrix, DVector};

use mbs_diagnosis::Svd;

/// Singular values of the drift up to this fraction of the largest count as zero.
const STILL: f64 = 1e-6;

/// A matrix split into its eigenvalues 0 and the rest.
pub(super) struct Neutral {
    /// Null vectors that drift, as columns.
    pub drifting: DMatrix<f64>,
    /// Null vectors that do not drift, as columns.
    pub resting: DMatrix<f64>,
    /// The last B_k of equation 2, which has no eigenvalue 0.
    pub rest: DMatrix<f64>,
    levels: Vec<Level>,
}

/// One step of equation 1.
struct Level {
    null: DMatrix<f64>,
    complement: DMatrix<f64>,
    coupling: DMatrix<f64>,
}

impl Neutral {
    /// Splits a matrix; singular values up to `negligible` are zero. `None` if it is not finite.
    pub fn split(matrix: &DMatrix<f64>, negligible: f64) -> Option<Neutral> {
        let mut rest = matrix.clone();
        let mut levels: Vec<Level> = Vec::new();
        while !rest.is_empty() {
            let svd = Svd::new(&rest)?;
            let rank = svd.sigma.iter().filter(|sigma| **sigma > negligible).count();
            if rank == rest.nrows() {
                break;
            }
            let null = svd.v.columns(rank, rest.nrows() - rank).into_owned();
            let complement = svd.v.columns(0, rank).into_owned();
            let moved = &rest * &complement;
            let coupling = null.tr_mul(&moved);
            rest = complement.tr_mul(&moved);
            levels.push(Level { null, complement, coupling });
        }
        let (drifting, resting) = Self::null_vectors(matrix.nrows(), &levels)?;
        Some(Neutral { drifting, resting, rest, levels })
    }

    /// Null vectors of the matrix: those in the directions of drifts by null vectors of the next level, and the others.
    fn null_vectors(n: usize, levels: &[Level]) -> Option<(DMatrix<f64>, DMatrix<f64>)> {
        let none = || DMatrix::zeros(n, 0);
        let Some(first) = levels.first() else { return Some((none(), none())) };
        let Some(second) = levels.get(1) else { return Some((none(), first.null.clone())) };
        let drift = &first.coupling * &second.null;
        let svd = Svd::new(&drift.transpose())?;
        let least = STILL * svd.sigma.max();
        let count = svd.sigma.iter().take(drift.ncols()).filter(|sigma| **sigma > least).count();
        let vectors = &first.null * &svd.v;
        Some((vectors.columns(0, count).into_owned(), vectors.columns(count, vectors.ncols() - count).into_owned()))
    }

    /// The eigenvector of the matrix from one of `rest` with λ ≠ 0, equation 3.
    pub fn extend(&self, lambda: Complex<f64>, vector: DVector<Complex<f64>>) -> DVector<Complex<f64>> {
        self.levels.iter().rev().fold(vector, |w, level| {
            let real = |m: &DMatrix<f64>| m.map(Complex::from);
            let coupled = real(&level.coupling) * &w;
            real(&level.complement) * w + real(&level.null) * coupled.map(|x| x / lambda)
        })
    }
}
