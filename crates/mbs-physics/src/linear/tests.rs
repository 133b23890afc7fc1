use super::*;

fn sparse(rows: &[&[f64]]) -> Vec<SparseRow> {
    let row = |r: &&[f64]| r.iter().copied().enumerate().filter(|(_, x)| *x != 0.0).collect();
    rows.iter().map(row).collect()
}

/// Scales columns (unknowns) and rows (equations), as a change of units does.
fn in_units(rows: &[SparseRow], units: &[f64]) -> Vec<SparseRow> {
    let row = |(r, row): (usize, &SparseRow)| {
        row.iter().map(|(c, x)| (*c, x * units[*c % units.len()] / units[(r + 1) % units.len()])).collect()
    };
    rows.iter().enumerate().map(row).collect()
}

#[test]
fn dependences_name_their_combination() {
    let rows = sparse(&[&[1.0, 2.0, 0.0], &[0.0, 1.0, 1.0], &[5.0, 0.0, 1.0], &[1.0, 4.0, 2.0], &[0.0, 0.0, 0.0]]);
    assert_eq!(dependences(&rows), [(3, vec![0, 1]), (4, vec![])]);
}

#[test]
fn rank_does_not_depend_on_units() {
    let rows = sparse(&[&[1.0, 2.0, 0.0], &[0.0, 1.0, 1.0], &[1.0, 4.0, 2.0], &[5.0, 0.0, 1.0]]);
    for unit in [1e-9, 1e-3, 1.0, 1e6] {
        assert_eq!(dependent_rows(&in_units(&rows, &[unit, 1.0, unit])), [2], "{unit:e}");
    }
}

#[test]
fn round_off_is_no_entry() {
    // Two rods in line: the lateral entries are sin(π)-like noise.
    assert_eq!(dependent_rows(&sparse(&[&[1.0, 6e-17], &[-1.0, 1.2e-16]])), [1]);
    assert_eq!(dependent_rows(&sparse(&[&[6e-17, 6e-17], &[1.0, 0.0]])), Vec::<usize>::new());
}

#[test]
fn solves_and_finds_null_vectors_in_any_units() {
    let symmetric: &[&[f64]] = &[&[2.0, 0.0, 1.0], &[0.0, 0.0, 1.0], &[1.0, 1.0, 0.0]];
    for unit in [1e-6, 1.0, 1e6] {
        let scale = [1.0, unit, 1.0 / (unit * unit)];
        let scaled = |rows: &[&[f64]]| -> Vec<SparseRow> {
            let mut rows = sparse(rows);
            for (i, row) in rows.iter_mut().enumerate() {
                row.iter_mut().for_each(|(k, x)| *x *= scale[i] * scale[*k]);
            }
            rows
        };
        let x = solve(scaled(symmetric), vec![3.0 * scale[0], scale[1], 3.0 * scale[2]]).expect("it is regular");
        for (x, (s, expected)) in x.iter().zip(scale.iter().zip([1.0, 2.0, 1.0])) {
            assert!((x * s - expected).abs() < 1e-12, "{x} {s} {expected}");
        }
        let null =
            solve(scaled(&[&[2.0, 0.0, 1.0], &[0.0, 0.0, 0.0], &[1.0, 0.0, 0.0]]), vec![0.0; 3]).expect_err("singular");
        assert!(null[0] == 0.0 && null[1] != 0.0 && null[2] == 0.0, "{null:?}");
    }
}
