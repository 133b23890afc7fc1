//! Elimination orders that are safe for every configuration.
//!
//! A speed may be eliminated at any time while its diagonal is positive. A multiplier may be eliminated after all speeds of its row, or
//! earlier when the eliminated rows, restricted to eliminated speeds whose columns of G are literal, have full rank: then the leading block
//! is regular for all q. A massless speed may be eliminated after eliminated rows have filled its diagonal, and when they constrain it in
//! every configuration: by literal columns of full rank, or because all rows that involve it are eliminated. (Orders found by sampling are
//! not safe: a pivot may vanish in a regular configuration.)
//!
//! A literal that is small relative to the rest of its row does not count: with a pivot −g²/m the other speeds of the row would get the mass
//! m g'²/g², and digits of their masses would be lost. Entries of a row are compared in units of their speeds' masses, g/√m, at several
//! states.

mod neighbours;

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;

use neighbours::Neighbours;

use crate::derive::Matrix;
use crate::graph::{Graph, NodeId, Stage};
use crate::states::States;

/// The matrix [M Gᵀ; G D] of a saddle-point problem as nodes, with a symmetric pattern: speeds `0..n`, rows from `n` on.
#[derive(Clone)]
pub struct Saddle {
    /// Number of speeds.
    pub n: usize,
    /// Entries row by row, in both triangles.
    pub rows: Vec<BTreeMap<usize, NodeId>>,
}

impl Saddle {
    /// Assembles the matrix from the lower triangle of M, from G, and from the diagonal entries of rows that can be switched off.
    pub fn new(n: usize, n_c: usize, mass: &Matrix, jacobian: &Matrix, diagonal: &Matrix) -> Saddle {
        let mut rows = vec![BTreeMap::new(); n + n_c];
        for ((i, j), m) in mass {
            rows[*i].insert(*j, *m);
            rows[*j].insert(*i, *m);
        }
        for ((r, i), g) in jacobian {
            rows[n + r].insert(*i, *g);
            rows[*i].insert(n + r, *g);
        }
        for ((r, _), d) in diagonal {
            rows[n + r].insert(n + r, *d);
        }
        Saddle { n, rows }
    }

    /// Number of unknowns.
    pub fn size(&self) -> usize {
        self.rows.len()
    }

    /// Name of an unknown: `v2` for a speed, `lambda0` for a row.
    pub fn label(&self, i: usize) -> String {
        Saddle::unknown_label(self.n, i)
    }

    /// As [`Saddle::label`], in a system of n speeds.
    pub fn unknown_label(n: usize, i: usize) -> String {
        if i < n { format!("v{i}") } else { format!("lambda{}", i - n) }
    }

    /// Speeds without a diagonal entry in M.
    pub fn massless(&self) -> Vec<usize> {
        (0..self.n).filter(|i| !self.rows[*i].contains_key(i)).collect()
    }
}

/// Cost of a multiplication with an entry.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cost {
    /// ±1.
    Unit,
    /// Known before the state.
    Fixed,
    /// Depends on the state.
    State,
}

/// Largest number of unknowns for which the search counts fill and eliminates rows early. For more unknowns it chooses the least degree and
/// eliminates rows after all their speeds, which costs 15–30 % more operations and takes a fraction of the time.
const THOROUGH: usize = 120;

/// Number of attempts one after the other that find no other order, after which the search ends: the rest would find few.
const ALIKE: usize = 24;

/// Fraction of the largest entry of its row, in units of masses, below which a literal gives no pivot: at most three of sixteen digits are
/// lost.
const SMALL: f64 = 1.0 / 32.0;

/// Certified orders, cheapest first by a structural estimate of operations; at most `keep`, from `tries` attempts.
pub fn candidate_orders(graph: &Graph, states: &States, saddle: &Saddle, tries: usize, keep: usize) -> Vec<Vec<usize>> {
    let mut search = Search::new(graph, saddle);
    search.drop_small_literals(graph, states);
    let mut random = oorandom::Rand64::new(2);
    let mut found: FxHashMap<Vec<usize>, u64> = FxHashMap::default();
    // Costs of the orders to keep so far, ascending: an order that costs more is none of them.
    let mut cheapest: Vec<u64> = Vec::with_capacity(keep + 1);
    // Many attempts for a small mechanism end alike.
    let mut known = 0;
    for attempt in 0..tries {
        let noise = [0.0, 0.3, 1.0, 2.0][attempt.min(1 + attempt % 3)];
        let before = found.len();
        if let Some(order) = search.greedy(noise, &mut random) {
            found.entry(order).or_insert_with_key(|order| {
                let most = if cheapest.len() < keep { u64::MAX } else { cheapest.last().copied().unwrap_or(0) };
                let cost = search.estimate(order, most);
                cheapest.insert(cheapest.partition_point(|c| *c <= cost), cost);
                cheapest.truncate(keep);
                cost
            });
        }
        known = if found.len() > before { 0 } else { known + 1 };
        if known == ALIKE {
            break;
        }
    }
    let mut orders: Vec<(u64, Vec<usize>)> = found.into_iter().map(|(order, cost)| (cost, order)).collect();
    orders.sort();
    orders.into_iter().map(|(_, order)| order).take(keep).collect()
}

/// Number of operations, estimated by structure, of a factorisation and one solution in the order from the last speed to the first. For a
/// tree, in which parents precede children, this order has no fill.
pub fn leaves_first_cost(graph: &Graph, saddle: &Saddle) -> u64 {
    let order: Vec<usize> = (0..saddle.size()).rev().collect();
    Search::new(graph, saddle).estimate(&order, u64::MAX)
}

/// A search for elimination orders.
struct Search<'a> {
    saddle: &'a Saddle,
    /// Entries of each row of the matrix, in the order of their columns.
    costs: Vec<Vec<(usize, Cost)>>,
    /// Speeds of each row.
    speeds: Vec<BTreeSet<usize>>,
    /// Literal entries of G, by (row, speed), for speeds whose whole column is literal.
    literal: FxHashMap<(usize, usize), f64>,
    /// Whether each speed has an entry in `literal`.
    has_literal: Vec<bool>,
}

/// How far the elimination of the speeds of each row has come.
struct RowProgress {
    /// Number of each row's speeds that remain.
    speeds_left: Vec<usize>,
    is_eliminated: Vec<bool>,
    /// Number of eliminated rows with speeds that remain.
    unfinished: usize,
}

impl RowProgress {
    fn new(speeds: &[BTreeSet<usize>]) -> Self {
        RowProgress {
            speeds_left: speeds.iter().map(BTreeSet::len).collect(),
            is_eliminated: vec![false; speeds.len()],
            unfinished: 0,
        }
    }

    /// A speed of row r is eliminated.
    fn eliminate_speed(&mut self, r: usize) {
        self.speeds_left[r] -= 1;
        self.unfinished -= usize::from(self.is_eliminated[r] && self.speeds_left[r] == 0);
    }

    fn eliminate_row(&mut self, r: usize) {
        self.is_eliminated[r] = true;
        self.unfinished += usize::from(self.speeds_left[r] > 0);
    }
}

impl<'a> Search<'a> {
    fn new(graph: &Graph, saddle: &'a Saddle) -> Self {
        let n = saddle.n;
        let cost = |id: &NodeId| match graph.value(*id) {
            Some(1.0 | -1.0) => Cost::Unit,
            _ if graph.stage(*id) <= Stage::Parameters => Cost::Fixed,
            _ => Cost::State,
        };
        let costs = saddle.rows.iter().map(|r| r.iter().map(|(k, v)| (*k, cost(v))).collect()).collect();
        let speeds = saddle.rows[n..].iter().map(|r| r.keys().copied().filter(|k| *k < n).collect()).collect();
        let mut literal = FxHashMap::default();
        for (i, row) in saddle.rows[..n].iter().enumerate() {
            let column: Vec<(usize, Option<f64>)> = row.range(n..).map(|(r, id)| (*r - n, graph.value(*id))).collect();
            if column.iter().all(|(_, x)| x.is_some()) {
                literal.extend(column.into_iter().map(|(r, x)| ((r, i), x.expect("all are literal"))));
            }
        }
        let has_literal = vec![false; n];
        let mut search = Search { saddle, costs, speeds, literal, has_literal };
        search.find_literal_columns();
        search
    }

    fn find_literal_columns(&mut self) {
        self.has_literal.fill(false);
        self.literal.keys().for_each(|(_, i)| self.has_literal[*i] = true);
    }

    /// Removes literals that are small relative to the rest of their row at some state.
    fn drop_small_literals(&mut self, graph: &Graph, states: &States) {
        let (saddle, n) = (self.saddle, self.saddle.n);
        let rows: BTreeSet<usize> = self.literal.keys().map(|(r, _)| *r).collect();
        if rows.is_empty() || saddle.size() > THOROUGH {
            return;
        }
        let masses: Vec<usize> = (0..n).filter(|i| saddle.rows[*i].contains_key(i)).collect();
        let entry = |(i, j): (usize, usize)| saddle.rows[i][&j];
        let has_mass = |i: &usize| masses.binary_search(i).is_ok();
        let entries: Vec<(usize, usize)> =
            rows.iter().flat_map(|r| self.speeds[*r].iter().filter(|i| has_mass(i)).map(|i| (*r, *i))).collect();
        let nodes = masses.iter().map(|i| entry((*i, *i))).chain(entries.iter().map(|(r, i)| entry((n + r, *i))));
        for values in states.values(graph, &nodes.collect::<Vec<_>>()) {
            let (mass, entry) = values.split_at(masses.len());
            let mass = |i: usize| mass[masses.binary_search(&i).expect("it has mass")];
            let relative = |k: usize| entry[k].abs() / mass(entries[k].1).abs().sqrt();
            let mut largest: BTreeMap<usize, f64> = BTreeMap::new();
            for (k, (r, _)) in entries.iter().enumerate() {
                let largest = largest.entry(*r).or_default();
                *largest = relative(k).max(*largest);
            }
            for (k, (r, i)) in entries.iter().enumerate() {
                if relative(k) < SMALL * largest[r] {
                    self.literal.remove(&(*r, *i));
                }
            }
        }
        self.find_literal_columns();
    }

    /// Greedy order, cheapest unknown first, with random noise in the costs; `None` if none of the remaining unknowns is safe at some point.
    fn greedy(&self, noise: f64, random: &mut oorandom::Rand64) -> Option<Vec<usize>> {
        let (n, size) = (self.saddle.n, self.saddle.size());
        let mut neighbours = Neighbours::new(self.costs.iter().map(|row| row.iter().map(|(k, _)| *k)));
        let mut filled: Vec<bool> =
            (0..size).map(|i| self.costs[i].binary_search_by_key(&i, |(k, _)| *k).is_ok()).collect();
        let mut remaining: Vec<usize> = (0..size).collect();
        let mut order: Vec<usize> = Vec::with_capacity(size);
        let mut rows = RowProgress::new(&self.speeds);
        let mut candidates: Vec<(f64, usize)> = Vec::with_capacity(size);
        while !remaining.is_empty() {
            let mut cost = |p: usize| {
                let m = neighbours.degree[p] as f64;
                if size > THOROUGH {
                    return m;
                }
                let fill = neighbours.fill(p) as f64;
                m * (m + 1.0) / 2.0 + m + 0.5 * fill + random.rand_float() * noise * (m + 1.0)
            };
            candidates.clear();
            candidates.extend(remaining.iter().filter(|p| filled[**p]).map(|p| (cost(*p), *p)));
            // Safety is expensive to decide: it is checked in the order of costs.
            let safe = |p: usize| match p < n {
                true => self.saddle.rows[p].contains_key(&p) || self.massless_is_safe(p, &order),
                false => self.row_is_safe(p - n, &order, &rows),
            };
            let p = loop {
                let by_cost = |a: &(usize, &(f64, usize)), b: &(usize, &(f64, usize))| {
                    a.1.0.total_cmp(&b.1.0).then(a.1.1.cmp(&b.1.1))
                };
                let (cheapest, (_, p)) = candidates.iter().enumerate().min_by(by_cost)?;
                if safe(*p) {
                    break *p;
                }
                candidates.swap_remove(cheapest);
            };
            for i in neighbours.eliminate(p) {
                filled[i] = true;
            }
            remaining.retain(|i| *i != p);
            order.push(p);
            match p < n {
                true => self.saddle.rows[p].range(n..).for_each(|(r, _)| rows.eliminate_speed(r - n)),
                false => rows.eliminate_row(p - n),
            }
        }
        Some(order)
    }

    /// Whether row r may be eliminated now.
    fn row_is_safe(&self, r: usize, order: &[usize], progress: &RowProgress) -> bool {
        if progress.unfinished == 0 && progress.speeds_left[r] == 0 {
            return true;
        }
        if self.saddle.size() > THOROUGH {
            return false;
        }
        let n = self.saddle.n;
        // Columns of zeros do not change a rank.
        let columns: Vec<usize> = order.iter().copied().filter(|p| *p < n && self.has_literal[*p]).collect();
        let rows: Vec<usize> = order.iter().filter(|p| **p >= n).map(|p| p - n).chain([r]).collect();
        let entry = |r: usize| columns.iter().map(|c| self.literal.get(&(r, *c)).copied().unwrap_or(0.0)).collect();
        rows.len() <= columns.len() && has_full_row_rank(rows.into_iter().map(entry).collect())
    }

    /// Whether a massless speed may be eliminated now: the eliminated rows constrain every motion of the eliminated massless speeds alone,
    /// which M does not affect.
    fn massless_is_safe(&self, p: usize, order: &[usize]) -> bool {
        let n = self.saddle.n;
        let rows: BTreeSet<usize> = order.iter().filter(|p| **p >= n).map(|p| p - n).collect();
        let moved = |i: &usize| self.saddle.rows[*i].range(n..).map(|(r, _)| r - n);
        let massless = order.iter().copied().filter(|i| *i < n && !self.saddle.rows[*i].contains_key(i)).chain([p]);
        let (literal, other): (Vec<usize>, Vec<usize>) =
            massless.partition(|i| moved(i).all(|r| self.literal.contains_key(&(r, *i))));
        // Regular because K is: no row outside this set involves these speeds.
        if !other.iter().flat_map(moved).all(|r| rows.contains(&r)) {
            return false;
        }
        let taken: BTreeSet<usize> = other.iter().flat_map(moved).collect();
        let entry = |r: &usize, i: &usize| self.literal.get(&(*r, *i)).copied().unwrap_or(0.0);
        let columns = literal.iter().map(|i| rows.difference(&taken).map(|r| entry(r, i)).collect()).collect();
        has_full_row_rank(columns) || literal.iter().flat_map(moved).all(|r| rows.contains(&r))
    }

    /// Number of operations of the factorisation and one solution, by structure. Counting ends where it exceeds `most`.
    fn estimate(&self, order: &[usize], most: u64) -> u64 {
        let mut rows = self.costs.clone();
        let mut merged = Vec::new();
        let mut operations = 0;
        for &p in order {
            let mut column = std::mem::take(&mut rows[p]);
            let position = column.binary_search_by_key(&p, |(k, _)| *k);
            let pivot = position.map_or(Cost::State, |i| column.remove(i).1);
            let inverse = if pivot == Cost::Unit { Cost::Unit } else { pivot.max(Cost::Fixed) };
            operations += u64::from(inverse == Cost::State);
            let scaled: Vec<Cost> = column.iter().map(|(_, c)| product(*c, inverse, &mut operations)).collect();
            for (a, (j, _)) in column.iter().enumerate() {
                // Row j less the product of columns. An entry above the diagonal is that below it, which is counted.
                merged.clear();
                let mut old = rows[*j].iter().copied().filter(|(k, _)| *k != p).peekable();
                for (b, (k, c)) in column.iter().enumerate() {
                    merged.extend(std::iter::from_fn(|| old.next_if(|(other, _)| other < k)));
                    let mut counted = 0;
                    let term = match b <= a {
                        true => product(scaled[a], *c, &mut counted),
                        false => product(scaled[b], column[a].1, &mut counted),
                    };
                    let new = match old.next_if(|(other, _)| other == k) {
                        None => term,
                        Some((_, old)) => {
                            let sum = old.max(term);
                            counted += u64::from(sum == Cost::State);
                            sum
                        }
                    };
                    operations += if b <= a { counted } else { 0 };
                    merged.push((*k, new));
                }
                merged.extend(old);
                std::mem::swap(&mut rows[*j], &mut merged);
                // forward and backward substitution
                operations += if scaled[a] == Cost::Unit { 2 } else { 4 };
            }
            operations += u64::from(inverse != Cost::Unit);
            if operations > most {
                break;
            }
        }
        operations
    }
}

impl Cost {
    fn max(self, other: Cost) -> Cost {
        if self == Cost::State || other == Cost::State { Cost::State } else { Cost::Fixed }
    }
}

fn product(a: Cost, b: Cost, operations: &mut u64) -> Cost {
    match (a, b) {
        (Cost::Unit, c) | (c, Cost::Unit) => c,
        (Cost::Fixed, Cost::Fixed) => Cost::Fixed,
        _ => {
            *operations += 1;
            Cost::State
        }
    }
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
