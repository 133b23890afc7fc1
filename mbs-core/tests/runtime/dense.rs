//! The dense fallback: closed forms, residuals, rank.

use mbs_core::{DenseWorkspace, Error, RankDeficiency, solve_symmetric};

fn solve(matrix: &[f64], rhs: &[f64], deficiency: RankDeficiency) -> Result<(usize, Vec<f64>), Error> {
    let n = rhs.len();
    let (mut a, mut x) = (matrix.to_vec(), rhs.to_vec());
    let (mut scale, mut solution, mut order) = (vec![0.0; n], vec![0.0; n], vec![0; n]);
    let workspace = DenseWorkspace { scale: &mut scale, solution: &mut solution, order: &mut order };
    let rank = solve_symmetric(2.5, &mut a, &mut x, deficiency, workspace)?;
    Ok((rank, x))
}

/// [M Gᵀ; G 0] with diagonal M.
fn kkt(masses: &[f64], rows: &[&[f64]]) -> Vec<f64> {
    let (n_v, n) = (masses.len(), masses.len() + rows.len());
    let mut a = vec![0.0; n * n];
    for (i, m) in masses.iter().enumerate() {
        a[i * n + i] = *m;
    }
    for (r, row) in rows.iter().enumerate() {
        for (j, g) in row.iter().enumerate() {
            a[(n_v + r) * n + j] = *g;
            a[j * n + n_v + r] = *g;
        }
    }
    a
}

fn residual(a: &[f64], x: &[f64], b: &[f64]) -> f64 {
    let n = b.len();
    (0..n).map(|i| ((0..n).map(|j| a[i * n + j] * x[j]).sum::<f64>() - b[i]).abs()).fold(0.0, f64::max)
}

#[test]
fn a_pendulum_at_rest_hangs_on_its_multiplier() {
    // m = 2, rod in the direction −y, row (0, 1): a = 0, λ = −m g.
    let a = kkt(&[2.0, 2.0], &[&[0.0, 1.0]]);
    let (rank, x) = solve(&a, &[0.0, -2.0 * 9.81, 0.0], RankDeficiency::Error).unwrap();
    assert_eq!(rank, 3);
    assert!(x[0].abs() < 1e-15 && x[1].abs() < 1e-15 && (x[2] + 19.62).abs() < 1e-13, "{x:?}");
}

#[test]
fn massless_directions_fixed_by_rows_are_regular() {
    let a = kkt(&[0.0, 1.0], &[&[1.0, 1.0]]);
    let b = [1.0, 2.0, 3.0];
    let (_, x) = solve(&a, &b, RankDeficiency::Error).unwrap();
    assert!(residual(&a, &x, &b) < 1e-14, "{x:?}");
}

#[test]
fn units_do_not_decide_the_rank() {
    let a = kkt(&[1e-14, 1e9, 1e-7], &[&[1e-3, 0.0, 1.0]]);
    let b = [1e-14, 1e9, 0.0, 0.0];
    let (rank, x) = solve(&a, &b, RankDeficiency::Error).unwrap();
    assert_eq!(rank, 4);
    assert!((x[1] - 1.0).abs() < 1e-12 && (1e-3 * x[0] + x[2]).abs() < 1e-15, "{x:?}");
}

#[test]
fn a_redundant_row_is_named_or_solved() {
    let a = kkt(&[1.0, 2.0, 3.0], &[&[1.0, 1.0, 0.0], &[0.0, 1.0, 1.0], &[2.0, 3.0, 1.0]]);
    let consistent = [1.0, 0.0, -1.0, 0.5, 0.25, 1.25];
    match solve(&a, &consistent, RankDeficiency::Error) {
        Err(Error::Singular { row, t }) => assert!((3..6).contains(&row) && t == 2.5, "row {row}"),
        other => panic!("{other:?}"),
    }
    let (rank, x) = solve(&a, &consistent, RankDeficiency::Basic).unwrap();
    assert_eq!(rank, 5);
    assert!(residual(&a, &x, &consistent) < 1e-13, "{x:?}");
    assert!(x[3..].contains(&0.0));
    // The speeds are those of the independent rows alone.
    let independent = kkt(&[1.0, 2.0, 3.0], &[&[1.0, 1.0, 0.0], &[0.0, 1.0, 1.0]]);
    let (_, y) = solve(&independent, &consistent[..5], RankDeficiency::Error).unwrap();
    assert!((0..3).all(|i| (x[i] - y[i]).abs() < 1e-13));
}

#[test]
fn a_contradiction_is_an_error_even_for_basic_solutions() {
    let a = kkt(&[1.0, 2.0], &[&[1.0, 1.0], &[1.0, 1.0]]);
    assert!(matches!(solve(&a, &[0.0, 0.0, 1.0, 2.0], RankDeficiency::Basic), Err(Error::Singular { .. })));
}

#[test]
fn random_systems_are_solved_to_round_off() {
    let mut seed = 1_u64;
    let mut random = move || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
    };
    for n in 1..=12 {
        let mut a = vec![0.0; n * n];
        for i in 0..n {
            for j in 0..=i {
                a[i * n + j] = random();
                a[j * n + i] = a[i * n + j];
            }
        }
        let b: Vec<f64> = (0..n).map(|_| random()).collect();
        let (rank, x) = solve(&a, &b, RankDeficiency::Error).unwrap();
        let size = x.iter().fold(1.0_f64, |m, x| m.max(x.abs()));
        assert_eq!(rank, n);
        assert!(residual(&a, &x, &b) < 1e-14 * size * n as f64, "n = {n}");
    }
}

#[test]
fn nan_and_wrong_sizes_are_errors() {
    assert!(matches!(solve(&[f64::NAN], &[1.0], RankDeficiency::Error), Err(Error::NotFinite { .. })));
    assert!(matches!(solve(&[1.0, 2.0], &[1.0], RankDeficiency::Error), Err(Error::Size { expected: 1, found: 2 })));
    assert_eq!(solve(&[], &[], RankDeficiency::Error), Ok((0, vec![])));
}
