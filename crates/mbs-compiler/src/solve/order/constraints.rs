//! The rows of G in the course of an elimination.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashSet;

use super::Saddle;
use crate::graph::Graph;
use crate::states::States;

/// Fraction of the largest entry of its row, in units of masses, below which a literal gives no pivot: at most three of sixteen digits are
/// lost.
const SMALL: f64 = 1.0 / 32.0;

/// As [`SMALL`], for literals among each other, of a row that is eliminated with a speed: such rows follow one another, and less than two digits
/// may be lost with each.
const SMALL_IN_PAIR: f64 = 1.0 / 8.0;

/// Fraction of its terms below which the difference of two literals gives no pivot.
const CANCELLED: f64 = 1e-3;

/// The rows of G: which coefficients are literals, and how far the elimination has come. Pairs of a speed and a row eliminate the speed from
/// all other rows, as in an elimination of G alone.
#[derive(Clone)]
pub(super) struct Constraints {
    /// Number of speeds.
    n: usize,
    /// Coefficients of each row by speed: `None` unless literal.
    rows: Vec<BTreeMap<usize, Option<f64>>>,
    /// Literals that give no pivot, by row and speed.
    small: FxHashSet<(usize, usize)>,
    /// Whether all coefficients of each speed are literals, and there are any.
    is_literal: Vec<bool>,
    /// Whether each row may be eliminated with a speed: no speed of the row has been eliminated, and it cannot be switched off.
    may_pair: Vec<bool>,
    /// Unknowns eliminated one by one, in order.
    eliminated: Vec<usize>,
    /// Whether each row is eliminated, one by one.
    is_eliminated: Vec<bool>,
    /// Speeds without a diagonal entry in M.
    massless: Vec<bool>,
    /// 1/√m of each speed with a diagonal entry m in M, at the first state; zero otherwise.
    mobility: Vec<f64>,
    /// Number of each row's speeds that remain.
    speeds_left: Vec<usize>,
    /// Number of rows eliminated one by one with speeds that remain.
    unfinished: usize,
}

impl Constraints {
    pub(super) fn new(graph: &Graph, states: &States, saddle: &Saddle) -> Self {
        let n = saddle.n;
        let rows = saddle.rows[n..].iter().map(|row| row.range(..n).map(|(i, g)| (*i, graph.value(*g))).collect());
        let rows: Vec<BTreeMap<usize, Option<f64>>> = rows.collect();
        let mut is_literal = vec![false; n];
        rows.iter().flatten().for_each(|(i, _)| is_literal[*i] = true);
        rows.iter().flatten().filter(|(_, g)| g.is_none()).for_each(|(i, _)| is_literal[*i] = false);
        let (small, mobility) = small_literals(graph, states, saddle, &rows);
        Constraints {
            n,
            small,
            mobility,
            is_literal,
            may_pair: (n..saddle.size()).map(|r| !saddle.rows[r].contains_key(&r)).collect(),
            eliminated: Vec::new(),
            is_eliminated: vec![false; rows.len()],
            massless: (0..n).map(|i| !saddle.rows[i].contains_key(&i)).collect(),
            speeds_left: rows.iter().map(BTreeMap::len).collect(),
            unfinished: 0,
            rows,
        }
    }

    /// Rows that may be eliminated with a speed now, with each such speed.
    pub(super) fn pairs(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let size = |i: usize, g: Option<f64>| g.unwrap_or(0.0).abs() * self.mobility[i];
        let rows = self.rows.iter().enumerate().filter(|(r, _)| self.may_pair[*r]);
        let literals = rows.flat_map(move |(r, row)| {
            let largest = row.iter().map(|(i, g)| size(*i, *g)).fold(0.0, f64::max);
            row.iter().map(move |(i, g)| (r, *i, *g, largest))
        });
        let is_pivot = move |(r, i, g, largest): &(usize, usize, Option<f64>, f64)| {
            let is_large = self.massless[*i] || size(*i, *g) >= SMALL_IN_PAIR * largest;
            g.is_some_and(|g| g != 0.0) && is_large && !self.small.contains(&(*r, *i))
        };
        literals.filter(is_pivot).map(|(r, i, ..)| (r, i))
    }

    /// Eliminates one unknown.
    pub(super) fn eliminate(&mut self, p: usize) {
        self.eliminated.push(p);
        match p.checked_sub(self.n) {
            Some(r) => {
                self.is_eliminated[r] = true;
                self.may_pair[r] = false;
                self.unfinished += usize::from(self.speeds_left[r] > 0);
            }
            None => {
                for r in 0..self.rows.len() {
                    if self.rows[r].contains_key(&p) {
                        self.may_pair[r] = false;
                        self.count_speeds(r, -1);
                    }
                }
            }
        }
    }

    /// Eliminates row r with a speed: subtracts a multiple of it from the other rows of the speed.
    pub(super) fn eliminate_pair(&mut self, r: usize, speed: usize) {
        let mut pivot_row = std::mem::take(&mut self.rows[r]);
        let pivot = pivot_row.remove(&speed).flatten();
        self.may_pair[r] = false;
        self.speeds_left[r] = 0;
        for other in 0..self.rows.len() {
            let Some(factor) = self.rows[other].remove(&speed) else { continue };
            let before = self.rows[other].len();
            for (k, a) in &pivot_row {
                let old = self.rows[other].get(k).copied().unwrap_or(Some(0.0));
                let literal = [old, factor, *a, pivot].into_iter().collect::<Option<Vec<f64>>>().map(|x| {
                    let (old, term) = (x[0], x[1] * x[2] / x[3]);
                    let new = old - term;
                    if new.abs() < CANCELLED * old.abs().max(term.abs()) { 0.0 } else { new }
                });
                self.is_literal[*k] &= literal.is_some();
                self.rows[other].insert(*k, literal);
            }
            let added = self.rows[other].len() - before;
            self.count_speeds(other, added as isize - 1);
        }
    }

    /// Notes that speeds of a row have come or gone.
    fn count_speeds(&mut self, r: usize, change: isize) {
        let before = self.speeds_left[r];
        self.speeds_left[r] = before.saturating_add_signed(change);
        if self.is_eliminated[r] {
            self.unfinished += usize::from(self.speeds_left[r] > 0);
            self.unfinished -= usize::from(before > 0);
        }
    }

    /// Whether row r may be eliminated now. A thorough answer decides by ranks, too.
    pub(super) fn row_is_safe(&self, r: usize, is_thorough: bool) -> bool {
        if self.unfinished == 0 && self.speeds_left[r] == 0 {
            return true;
        }
        if !is_thorough {
            return false;
        }
        // Columns of zeros do not change a rank.
        let columns: Vec<usize> =
            self.eliminated.iter().copied().filter(|p| *p < self.n && self.is_literal[*p]).collect();
        let rows: Vec<usize> = self.eliminated_rows().chain([r]).collect();
        let entry = |r: usize| columns.iter().map(|c| self.literal(r, *c)).collect();
        rows.len() <= columns.len() && has_full_row_rank(rows.into_iter().map(entry).collect())
    }

    /// Whether a massless speed may be eliminated now: the eliminated rows constrain every motion of the eliminated massless speeds alone,
    /// which M does not affect.
    pub(super) fn massless_is_safe(&self, p: usize) -> bool {
        let rows: BTreeSet<usize> = self.eliminated_rows().collect();
        let moved = |i: &usize| {
            let i = *i;
            (0..self.rows.len()).filter(move |r| self.rows[*r].contains_key(&i))
        };
        let massless = self.eliminated.iter().copied().filter(|i| *i < self.n && self.massless[*i]).chain([p]);
        let is_usable = |i: &usize| moved(i).all(|r| self.rows[r][i].is_some() && !self.small.contains(&(r, *i)));
        let (literal, other): (Vec<usize>, Vec<usize>) = massless.partition(is_usable);
        // Regular because K is: no row outside this set involves these speeds.
        if !other.iter().flat_map(moved).all(|r| rows.contains(&r)) {
            return false;
        }
        let taken: BTreeSet<usize> = other.iter().flat_map(moved).collect();
        let columns = literal.iter().map(|i| rows.difference(&taken).map(|r| self.literal(*r, *i)).collect()).collect();
        has_full_row_rank(columns) || literal.iter().flat_map(moved).all(|r| rows.contains(&r))
    }

    /// Rows eliminated one by one, in order.
    fn eliminated_rows(&self) -> impl Iterator<Item = usize> + '_ {
        self.eliminated.iter().filter_map(|p| p.checked_sub(self.n))
    }

    /// A coefficient, or zero unless it is a literal that counts.
    fn literal(&self, r: usize, i: usize) -> f64 {
        match self.small.contains(&(r, i)) {
            true => 0.0,
            false => self.rows[r].get(&i).copied().flatten().unwrap_or(0.0),
        }
    }
}

/// Literals that are small relative to the rest of their row at some state, and 1/√m of each speed at the first state.
fn small_literals(
    graph: &Graph,
    states: &States,
    saddle: &Saddle,
    rows: &[BTreeMap<usize, Option<f64>>],
) -> (FxHashSet<(usize, usize)>, Vec<f64>) {
    let n = saddle.n;
    let (mut small, mut mobility) = (FxHashSet::default(), vec![0.0; n]);
    let rows = rows.iter().enumerate().filter(|(_, row)| row.values().any(Option::is_some));
    let masses: Vec<usize> = (0..n).filter(|i| saddle.rows[*i].contains_key(i)).collect();
    let has_mass = |i: &usize| masses.binary_search(i).is_ok();
    let entries = rows.flat_map(|(r, row)| row.keys().filter(|i| has_mass(i)).map(move |i| (r, *i)));
    let entries: Vec<(usize, usize)> = entries.collect();
    if entries.is_empty() {
        return (small, mobility);
    }
    let entry = |(i, j): (usize, usize)| saddle.rows[i][&j];
    let nodes = masses.iter().map(|i| entry((*i, *i))).chain(entries.iter().map(|(r, i)| entry((n + r, *i))));
    for (state, values) in states.values(graph, &nodes.collect::<Vec<_>>()).into_iter().enumerate() {
        let (mass, entry) = values.split_at(masses.len());
        if state == 0 {
            let positive = masses.iter().zip(mass).filter(|(_, m)| m.abs().is_normal());
            positive.for_each(|(i, m)| mobility[*i] = m.abs().sqrt().recip());
        }
        let mass = |i: usize| mass[masses.binary_search(&i).expect("it has mass")];
        let relative = |k: usize| entry[k].abs() / mass(entries[k].1).abs().sqrt();
        let mut largest: BTreeMap<usize, f64> = BTreeMap::new();
        for (k, (r, _)) in entries.iter().enumerate() {
            let largest = largest.entry(*r).or_default();
            *largest = relative(k).max(*largest);
        }
        small.extend(entries.iter().enumerate().filter(|(k, (r, _))| relative(*k) < SMALL * largest[r]).map(|x| *x.1));
    }
    (small, mobility)
}

/// Gaussian elimination with partial pivoting on small literal matrices.
fn has_full_row_rank(mut a: Vec<Vec<f64>>) -> bool {
    let rows = a.len();
    let columns = a.first().map_or(0, Vec::len);
    let mut rank = 0;
    for c in 0..columns {
        let Some(pivot) = (rank..rows).max_by(|i, j| a[*i][c].abs().total_cmp(&a[*j][c].abs())) else { break };
        if a[pivot][c].abs() < 1e-9 {
            continue;
        }
        a.swap(rank, pivot);
        let (above, below) = a.split_at_mut(rank + 1);
        let row = &above[rank];
        for other in below {
            let factor = other[c] / row[c];
            other[c..].iter_mut().zip(&row[c..]).for_each(|(x, y)| *x -= factor * y);
        }
        rank += 1;
    }
    rank == rows
}
