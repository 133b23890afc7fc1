//! Substitution with a sparse factor for many columns.

use mbs_core::{NO_SCALE, SWAP, math, solve_columns_plain};

const N: usize = 5;

/// L, below its unit diagonal, and D of K = L D Lᵀ, whose last unknown belongs to a row.
const L: [[f64; N]; N] = [
    [1.0, 0.0, 0.0, 0.0, 0.0],
    [0.0, 1.0, 0.0, 0.0, 0.0],
    [0.3, -0.7, 1.0, 0.0, 0.0],
    [0.0, 0.4, 0.0, 1.0, 0.0],
    [0.2, 0.0, -1.1, 0.6, 1.0],
];
const D: [f64; N] = [2.0, 0.7, 1.3, 3.1, -0.9];

/// The table of steps for L, and the entries of L and of 1/D.
fn factor() -> (Vec<u32>, Vec<f64>) {
    let (mut entries, mut steps, mut indices) = (Vec::new(), Vec::new(), [[0; N]; N]);
    for (i, row) in L.iter().enumerate() {
        let terms: Vec<usize> = (0..i).filter(|j| row[*j] != 0.0).collect();
        steps.extend([i as u32, NO_SCALE, terms.len() as u32]);
        for j in terms {
            indices[i][j] = entries.len() as u32;
            steps.extend([indices[i][j], j as u32]);
            entries.push(row[j]);
        }
    }
    for i in (0..N).rev() {
        let terms: Vec<usize> = (i + 1..N).filter(|j| L[*j][i] != 0.0).collect();
        steps.extend([i as u32, entries.len() as u32, terms.len() as u32]);
        terms.iter().for_each(|j| steps.extend([indices[*j][i], *j as u32]));
        entries.push(1.0 / D[i]);
    }
    (steps, entries)
}

fn entry(i: usize, j: usize) -> f64 {
    (0..N).map(|k| L[i][k] * D[k] * L[j][k]).sum()
}

/// Solves for M columns of B = K X, and returns the error.
fn error<const M: usize>() -> f64 {
    let expected: Vec<f64> = (0..N * M).map(|i| math::irrational(0.3, i)).collect();
    let mut x: Vec<f64> =
        (0..N * M).map(|at| (0..N).map(|k| entry(at / M, k) * expected[k * M + at % M]).sum()).collect();
    let (steps, entries) = factor();
    let right = x.clone();
    let (speeds, rows) = x.split_at_mut((N - 1) * M);
    solve_columns_plain::<M>(&steps, &entries, speeds, rows);
    // Each column has the bits that it has alone.
    for column in 0..M {
        let mut alone: Vec<f64> = right.iter().skip(column).step_by(M).copied().collect();
        let (speeds, rows) = alone.split_at_mut(N - 1);
        solve_columns_plain::<1>(&steps, &entries, speeds, rows);
        assert!(alone.iter().zip(x.iter().skip(column).step_by(M)).all(|(a, b)| a.to_bits() == b.to_bits()));
    }
    x.iter().zip(&expected).map(|(x, e)| (x - e).abs()).fold(0.0, f64::max)
}

/// The tolerance is some roundings of numbers below ten.
#[test]
fn columns_solve_their_system() {
    let errors = [error::<1>(), error::<3>(), error::<16>(), error::<38>(), error::<100>()];
    assert!(errors.iter().all(|e| *e < 1e-14), "{errors:?}");
}

/// An unknown of a speed and one of a row change places, in each column.
#[test]
fn unknowns_change_places() {
    let (mut speeds, mut rows) = ([1.0, 2.0, 3.0, 4.0], [5.0, 6.0]);
    solve_columns_plain::<2>(&[1, SWAP, 1, 0, 2], &[], &mut speeds, &mut rows);
    assert_eq!((speeds, rows), ([1.0, 2.0, 5.0, 6.0], [3.0, 4.0]));
}

#[test]
fn steps_beyond_the_arrays_are_left_out() {
    let mut speeds = [1.0, 2.0];
    solve_columns_plain::<1>(&[7, 0, 0, 0, 9, 1, 5, 1, 1, 0, 3], &[2.0], &mut speeds, &mut []);
    solve_columns_plain::<1>(&[0, SWAP, 1, 0, 2, 5, SWAP, 1, 0, 0], &[], &mut speeds, &mut []);
    assert_eq!(speeds, [1.0, 2.0]);
}
