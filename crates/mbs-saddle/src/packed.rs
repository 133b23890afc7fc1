//! L D Lᵀ on packed columns: the target of each update of the elimination is read from lists that are made once.
//!
//! Column p changes the columns i of its rows: K_ji ← K_ji − l_ip x_jp for j ≥ i in the column, with x the column before and
//! l = x / d after division by its pivot. All these j are in the pattern of column i, so that the target of an update is one index, which
//! depends on the pattern alone. Where columns have similar patterns, as in full matrices, the targets are runs of consecutive entries.

use super::PIVOT_TOLERANCE;

/// Smallest mean length of runs for which they are faster than lists.
const MEAN_RUN: usize = 8;

/// The factorisation.
#[derive(Clone, Debug)]
pub(super) struct Packed {
    columns: Vec<Column>,
    /// Rows of the entries below the diagonal, column by column.
    rows: Vec<u32>,
    /// Targets of the updates of a column, as offsets from the end of that column.
    targets: Vec<u32>,
    /// The diagonal, then the columns below it: of K before, of D and L after the factorisation.
    values: Vec<f64>,
    /// 1 / d.
    inverse: Vec<f64>,
    /// Sums of the absolute terms that formed each pivot.
    magnitude: Vec<f64>,
}

#[derive(Clone, Copy, Debug)]
struct Column {
    /// Number of entries in the columns before.
    start: u32,
    /// Number of entries below the diagonal.
    len: u32,
    /// Length of its list of targets.
    targets: u32,
    updates: Updates,
}

/// Representation of the targets of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Updates {
    /// One index for each update.
    Listed,
    /// Runs of consecutive indices: for each run its first index and its length.
    Runs,
}

impl Packed {
    /// Analyses the pattern of L, given as the ascending rows below the diagonal of each column.
    pub fn new(pattern: &[Vec<usize>]) -> Packed {
        let n = pattern.len();
        let mut packed = Packed {
            columns: Vec::with_capacity(n),
            rows: pattern.iter().flatten().map(|row| *row as u32).collect(),
            targets: Vec::new(),
            values: Vec::new(),
            inverse: vec![0.0; n],
            magnitude: vec![0.0; n],
        };
        packed.values.resize(n + packed.rows.len(), 0.0);
        let ends = pattern.iter().scan(0, |end, column| Some(std::mem::replace(end, *end + column.len())));
        let starts: Vec<usize> = ends.collect();
        for (p, column) in pattern.iter().enumerate() {
            let end = starts[p] + column.len();
            let target = |i: usize, j: usize| (starts[i] + position(&pattern[i], j) - end) as u32;
            let updates = updates(pattern, p);
            let before = packed.targets.len();
            for (a, i) in column.iter().enumerate() {
                match updates {
                    Updates::Listed => packed.targets.extend(column[a + 1..].iter().map(|j| target(*i, *j))),
                    Updates::Runs => {
                        let runs = runs(&pattern[*i], &column[a + 1..]);
                        packed.targets.extend(runs.flat_map(|run| [target(*i, run[0]), run.len() as u32]));
                    }
                }
            }
            let targets = (packed.targets.len() - before) as u32;
            packed.columns.push(Column { start: starts[p] as u32, len: column.len() as u32, targets, updates });
        }
        packed
    }

    /// Length of the lists that [`Packed::new`] would make.
    pub fn list_len(pattern: &[Vec<usize>]) -> usize {
        let len = |p| match updates(pattern, p) {
            Updates::Listed => listed(&pattern[p]),
            Updates::Runs => 2 * run_count(pattern, p),
        };
        (0..pattern.len()).map(len).sum()
    }

    /// Slot of entry (i, j), i ≥ j.
    pub fn slot(&self, i: usize, j: usize) -> usize {
        if i == j {
            return i;
        }
        let Column { start, len, .. } = self.columns[j];
        let rows = &self.rows[start as usize..][..len as usize];
        self.columns.len()
            + start as usize
            + rows.binary_search(&(i as u32)).expect("the pattern of L contains that of K")
    }

    /// The values of K, to be written before [`Packed::factor`]: zero except in the slots of its entries.
    pub fn values(&mut self) -> &mut [f64] {
        &mut self.values
    }

    /// Factors in place: K → L, D.
    ///
    /// # Errors
    /// Position of the first pivot that vanishes, in the order of elimination.
    pub fn factor(&mut self) -> Result<(), usize> {
        let n = self.columns.len();
        let (diagonal, mut values) = self.values.split_at_mut(n);
        let magnitude = &mut self.magnitude[..n];
        magnitude.iter_mut().zip(diagonal.iter()).for_each(|(sum, d)| *sum = d.abs());
        let (mut rows, mut targets) = (&self.rows[..], &self.targets[..]);
        for ((p, column), inverse) in self.columns.iter().enumerate().zip(&mut self.inverse) {
            let d = diagonal[p];
            // The comparison is false for NaN and infinities.
            let regular = d.abs() > PIVOT_TOLERANCE * magnitude[p];
            if !regular {
                return Err(p);
            }
            *inverse = 1.0 / d;
            let (x, later) = values.split_at_mut(column.len as usize);
            let (column_rows, later_rows) = rows.split_at(column.len as usize);
            let (column_targets, later_targets) = targets.split_at(column.targets as usize);
            match column.updates {
                Updates::Listed => update_listed(x, *inverse, column_targets, later),
                Updates::Runs => update_runs(x, *inverse, column_targets, later),
            }
            for (x, row) in x.iter_mut().zip(column_rows) {
                let l = *x * *inverse;
                let term = l * *x;
                diagonal[*row as usize] -= term;
                magnitude[*row as usize] += term.abs();
                *x = l;
            }
            (values, rows, targets) = (later, later_rows, later_targets);
        }
        Ok(())
    }

    /// Solves in place: r → K⁻¹ r.
    pub fn solve(&self, r: &mut [f64]) {
        let n = self.columns.len();
        let r = &mut r[..n];
        let (mut values, mut rows) = (&self.values[n..], &self.rows[..]);
        for (p, column) in self.columns.iter().enumerate() {
            let (column_values, column_rows);
            (column_values, values) = values.split_at(column.len as usize);
            (column_rows, rows) = rows.split_at(column.len as usize);
            let y = r[p];
            column_values.iter().zip(column_rows).for_each(|(l, row)| r[*row as usize] -= l * y);
        }
        let (mut values, mut rows) = (&self.values[n..], &self.rows[..]);
        for ((p, column), inverse) in self.columns.iter().enumerate().zip(&self.inverse).rev() {
            let (column_values, column_rows);
            (values, column_values) = values.split_at(values.len() - column.len as usize);
            (rows, column_rows) = rows.split_at(rows.len() - column.len as usize);
            let known =
                column_values.iter().zip(column_rows).fold(r[p] * inverse, |y, (l, row)| y - l * r[*row as usize]);
            r[p] = known;
        }
    }
}

/// Position of a row in a column.
fn position(column: &[usize], row: usize) -> usize {
    column.binary_search(&row).expect("a column has the rows of earlier columns that contain it")
}

/// Number of updates of a column below the diagonal.
fn listed(column: &[usize]) -> usize {
    column.len() * column.len().saturating_sub(1) / 2
}

/// Representation of the targets of column p.
fn updates(pattern: &[Vec<usize>], p: usize) -> Updates {
    let listed = listed(&pattern[p]);
    if listed >= MEAN_RUN && listed >= MEAN_RUN * run_count(pattern, p) { Updates::Runs } else { Updates::Listed }
}

/// Number of runs of the updates of column p.
fn run_count(pattern: &[Vec<usize>], p: usize) -> usize {
    let column = &pattern[p];
    column.iter().enumerate().map(|(a, i)| runs(&pattern[*i], &column[a + 1..]).count()).sum()
}

/// Splits `rows` into runs of rows that are consecutive in `column`.
fn runs<'a>(column: &'a [usize], rows: &'a [usize]) -> impl Iterator<Item = &'a [usize]> {
    rows.chunk_by(move |row, next| column.get(position(column, *row) + 1) == Some(next))
}

/// Subtracts l xᵀ from the later columns below the diagonal, l = x / d.
#[inline]
fn update_listed(x: &[f64], inverse: f64, mut targets: &[u32], later: &mut [f64]) {
    let mut x = x;
    while let [first, rest @ ..] = x {
        let l = first * inverse;
        let (column_targets, others) = targets.split_at(rest.len());
        column_targets.iter().zip(rest).for_each(|(target, x)| later[*target as usize] -= l * x);
        (x, targets) = (rest, others);
    }
}

/// Subtracts as [`update_listed`], with targets given as runs.
fn update_runs(x: &[f64], inverse: f64, targets: &[u32], later: &mut [f64]) {
    let mut runs = targets.chunks_exact(2);
    let mut x = x;
    while let [first, rest @ ..] = x {
        let l = first * inverse;
        let mut remaining = rest;
        while !remaining.is_empty() {
            let Some(run) = runs.next() else { return };
            let (column_values, others) = remaining.split_at(run[1] as usize);
            let changed = &mut later[run[0] as usize..][..column_values.len()];
            changed.iter_mut().zip(column_values).for_each(|(y, x)| *y -= l * x);
            remaining = others;
        }
        x = rest;
    }
}
