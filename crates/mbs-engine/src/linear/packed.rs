//! L D Lᵀ over packed columns, with every update of the elimination looked up in lists made beforehand.
//!
//! Column p changes the columns i of its rows: K_ji ← K_ji − l_ip x_jp for j ≥ i in the column, with x the column before and
//! l = x / d after division by its pivot. All these j are in the pattern of column i, so that where an update goes is one
//! number, known beforehand. Where patterns of columns are alike, in full matrices throughout, updates go to runs of entries.

use super::PIVOT_TOLERANCE;

/// Mean length of runs from which on they are faster than lists.
const MEAN_RUN: usize = 8;

/// The factorisation.
#[derive(Clone, Debug)]
pub(super) struct Packed {
    columns: Vec<Column>,
    /// Rows of the entries below the diagonal, column by column.
    rows: Vec<u32>,
    /// Where the updates of a column go, counted from the end of that column.
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
    /// Entries in the columns before.
    start: u32,
    /// Entries below the diagonal.
    len: u32,
    /// Targets.
    targets: u32,
    updates: Updates,
}

/// How targets are given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Updates {
    /// One by one.
    Listed,
    /// As runs of consecutive ones: the first and their number, in turn.
    Runs,
}

impl Packed {
    /// For the columns of L: ascending rows below the diagonal.
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
        self.columns.len() + start as usize + rows.binary_search(&(i as u32)).expect("the pattern of L holds that of K")
    }

    /// Where K goes: zeros, but in the slots of its entries.
    pub fn values(&mut self) -> &mut [f64] {
        &mut self.values
    }

    /// K → L, D.
    ///
    /// # Errors
    /// Place of the first pivot that vanishes.
    pub fn factor(&mut self) -> Result<(), usize> {
        let n = self.columns.len();
        let (diagonal, mut values) = self.values.split_at_mut(n);
        let magnitude = &mut self.magnitude[..n];
        magnitude.iter_mut().zip(diagonal.iter()).for_each(|(sum, d)| *sum = d.abs());
        let (mut rows, mut targets) = (&self.rows[..], &self.targets[..]);
        for ((p, column), inverse) in self.columns.iter().enumerate().zip(&mut self.inverse) {
            let d = diagonal[p];
            // False for NaN and infinities.
            let regular = d.abs() > PIVOT_TOLERANCE * magnitude[p];
            if !regular {
                return Err(p);
            }
            *inverse = 1.0 / d;
            let (x, later) = values.split_at_mut(column.len as usize);
            let (own_rows, later_rows) = rows.split_at(column.len as usize);
            let (own_targets, later_targets) = targets.split_at(column.targets as usize);
            match column.updates {
                Updates::Listed => update_listed(x, *inverse, own_targets, later),
                Updates::Runs => update_runs(x, *inverse, own_targets, later),
            }
            for (x, row) in x.iter_mut().zip(own_rows) {
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

    /// r → K⁻¹ r.
    pub fn solve(&self, r: &mut [f64]) {
        let n = self.columns.len();
        let r = &mut r[..n];
        let (mut values, mut rows) = (&self.values[n..], &self.rows[..]);
        for (p, column) in self.columns.iter().enumerate() {
            let (own, own_rows);
            (own, values) = values.split_at(column.len as usize);
            (own_rows, rows) = rows.split_at(column.len as usize);
            let y = r[p];
            own.iter().zip(own_rows).for_each(|(l, row)| r[*row as usize] -= l * y);
        }
        let (mut values, mut rows) = (&self.values[n..], &self.rows[..]);
        for ((p, column), inverse) in self.columns.iter().enumerate().zip(&self.inverse).rev() {
            let (own, own_rows);
            (values, own) = values.split_at(values.len() - column.len as usize);
            (rows, own_rows) = rows.split_at(rows.len() - column.len as usize);
            let known = own.iter().zip(own_rows).fold(r[p] * inverse, |y, (l, row)| y - l * r[*row as usize]);
            r[p] = known;
        }
    }
}

/// Where a row is in a column.
fn position(column: &[usize], row: usize) -> usize {
    column.binary_search(&row).expect("a column has the rows that earlier columns bring")
}

/// The updates of column p below the diagonal, in number.
fn listed(column: &[usize]) -> usize {
    column.len() * column.len().saturating_sub(1) / 2
}

/// How the targets of column p are given.
fn updates(pattern: &[Vec<usize>], p: usize) -> Updates {
    let listed = listed(&pattern[p]);
    if listed >= MEAN_RUN && listed >= MEAN_RUN * run_count(pattern, p) { Updates::Runs } else { Updates::Listed }
}

/// Number of runs of the updates of column p.
fn run_count(pattern: &[Vec<usize>], p: usize) -> usize {
    let column = &pattern[p];
    column.iter().enumerate().map(|(a, i)| runs(&pattern[*i], &column[a + 1..]).count()).sum()
}

/// Cuts `rows` where they do not follow each other in `column`.
fn runs<'a>(column: &'a [usize], rows: &'a [usize]) -> impl Iterator<Item = &'a [usize]> {
    rows.chunk_by(move |row, next| column.get(position(column, *row) + 1) == Some(next))
}

/// Later columns minus l xᵀ below the diagonal, l = x / d.
#[inline]
fn update_listed(x: &[f64], inverse: f64, mut targets: &[u32], later: &mut [f64]) {
    let mut x = x;
    while let [first, rest @ ..] = x {
        let l = first * inverse;
        let (own, others) = targets.split_at(rest.len());
        own.iter().zip(rest).for_each(|(target, x)| later[*target as usize] -= l * x);
        (x, targets) = (rest, others);
    }
}

/// As [`update_listed`], with targets given as runs.
fn update_runs(x: &[f64], inverse: f64, targets: &[u32], later: &mut [f64]) {
    let mut runs = targets.chunks_exact(2);
    let mut x = x;
    while let [first, rest @ ..] = x {
        let l = first * inverse;
        let mut left = rest;
        while !left.is_empty() {
            let Some(run) = runs.next() else { return };
            let (own, others) = left.split_at(run[1] as usize);
            let changed = &mut later[run[0] as usize..][..own.len()];
            changed.iter_mut().zip(own).for_each(|(y, x)| *y -= l * x);
            left = others;
        }
        x = rest;
    }
}
