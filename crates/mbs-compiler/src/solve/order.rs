//! Elimination orders that are safe for every configuration.
//!
//! A speed may be eliminated at any time while its diagonal is positive. A multiplier may be eliminated after all speeds of its row, or
//! earlier when the eliminated rows, restricted to eliminated speeds whose columns of G are literal, have full rank: then the leading block
//! is regular for all q. A massless speed may be eliminated after eliminated rows have filled its diagonal, and when they constrain it in
//! every configuration: by literal columns of full rank, or because all rows that involve it are eliminated. (Orders found by sampling are
//! not safe: a pivot may vanish in a regular configuration.)
//!
//! A speed and a row may be eliminated together, whatever the speed's mass, if the row's coefficient of the speed is a literal and no speed of
//! the row has been eliminated: the row then gives the speed, and the equations of the others remain a saddle-point problem, with
//! M positive definite where it was. In terms of ranks, this is one step of an elimination of G.
//!
//! A literal that is small relative to the rest of its row does not count: with a pivot −g²/m the other speeds of the row would get the mass
//! m g'²/g², and digits of their masses would be lost. Entries of a row are compared in units of their speeds' masses, g/√m, at several
//! states.

mod constraints;
mod cost;
mod neighbours;
mod saddle;

use constraints::Constraints;
use cost::{Cost, operations};
use neighbours::Neighbours;
use rustc_hash::FxHashMap;
pub use saddle::Saddle;

use crate::graph::Graph;
use crate::states::States;

/// The unknowns of one step of an elimination.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Block {
    /// One unknown, whose diagonal entry is the pivot.
    One(usize),
    /// A speed, and a row whose coefficient of it is a literal: the row gives the speed, and the speed's equation the multiplier.
    Pair {
        /// Index of the speed.
        speed: usize,
        /// Index of the row as an unknown: the number of speeds is added.
        row: usize,
    },
}

impl Block {
    /// The unknowns; the row of a pair first.
    pub fn unknowns(self) -> impl Iterator<Item = usize> {
        let (first, second) = match self {
            Block::One(unknown) => (unknown, None),
            Block::Pair { speed, row } => (row, Some(speed)),
        };
        std::iter::once(first).chain(second)
    }
}

/// Largest number of unknowns for which the search counts fill and eliminates rows early. For more unknowns it chooses the least degree and
/// eliminates rows after all their speeds, which costs 15–30 % more operations and takes a fraction of the time.
const THOROUGH: usize = 120;

/// Number of attempts one after the other that find no other order, after which the search ends: the rest would find few.
const ALIKE: usize = 24;

/// Certified orders, cheapest first by a structural estimate of operations; at most `keep`, from `tries` attempts with pairs of speeds and
/// rows, if there are any, and for systems that are not too large as many without.
pub fn candidate_orders(graph: &Graph, states: &States, saddle: &Saddle, tries: usize, keep: usize) -> Vec<Vec<Block>> {
    let search = Search::new(graph, Constraints::new(graph, states, saddle), saddle);
    let mut found: FxHashMap<Vec<Block>, u64> = FxHashMap::default();
    // Costs of the orders to keep so far, ascending: an order that costs more is none of them.
    let mut cheapest: Vec<u64> = Vec::with_capacity(keep + 1);
    let kinds: &[bool] = match search.constraints.pairs().next() {
        None => &[false],
        Some(_) if saddle.size() > THOROUGH => &[true],
        Some(_) => &[true, false],
    };
    for with_pairs in kinds {
        let mut random = oorandom::Rand64::new(2);
        // Many attempts for a small mechanism end alike.
        let mut known = 0;
        for attempt in 0..tries {
            let noise = [0.0, 0.3, 1.0, 2.0][attempt.min(1 + attempt % 3)];
            let before = found.len();
            if let Some(order) = search.greedy(noise, *with_pairs, &mut random) {
                found.entry(order).or_insert_with_key(|order| {
                    let most = if cheapest.len() < keep { u64::MAX } else { cheapest.last().copied().unwrap_or(0) };
                    let cost = operations(search.costs.clone(), order, most);
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
    }
    let mut orders: Vec<(u64, Vec<Block>)> = found.into_iter().map(|(order, cost)| (cost, order)).collect();
    orders.sort();
    orders.into_iter().map(|(_, order)| order).take(keep).collect()
}

/// Number of operations, estimated by structure, of a factorisation and one solution in the order from the last speed to the first. For a
/// tree, in which parents precede children, this order has no fill.
pub fn leaves_first_cost(graph: &Graph, saddle: &Saddle) -> u64 {
    let order: Vec<Block> = (0..saddle.size()).rev().map(Block::One).collect();
    operations(cost::pattern(graph, saddle), &order, u64::MAX)
}

/// A search for elimination orders.
struct Search<'a> {
    saddle: &'a Saddle,
    /// Entries of each row of the matrix, in the order of their columns.
    costs: Vec<Vec<(usize, Cost)>>,
    constraints: Constraints,
}

impl<'a> Search<'a> {
    fn new(graph: &Graph, constraints: Constraints, saddle: &'a Saddle) -> Self {
        Search { saddle, costs: cost::pattern(graph, saddle), constraints }
    }

    /// Greedy order, cheapest block first, with random noise in the costs; `None` if none of the remaining unknowns is safe at some point.
    fn greedy(&self, noise: f64, with_pairs: bool, random: &mut oorandom::Rand64) -> Option<Vec<Block>> {
        let (n, size) = (self.saddle.n, self.saddle.size());
        let is_thorough = size <= THOROUGH;
        let mut neighbours = Neighbours::new(self.costs.iter().map(|row| row.iter().map(|(k, _)| *k)));
        let mut filled: Vec<bool> =
            (0..size).map(|i| self.costs[i].binary_search_by_key(&i, |(k, _)| *k).is_ok()).collect();
        let mut remaining: Vec<usize> = (0..size).collect();
        let mut order: Vec<Block> = Vec::with_capacity(size);
        let mut constraints = self.constraints.clone();
        let mut candidates: Vec<(f64, Block)> = Vec::with_capacity(size);
        while !remaining.is_empty() {
            let mut cost = |block: Block| {
                let (products, degree, fill) = match block {
                    Block::One(p) if !is_thorough => return neighbours.degree[p] as f64,
                    Block::One(p) => {
                        let m = neighbours.degree[p] as f64;
                        (m * (m + 1.0) / 2.0, m, neighbours.fill(p) as f64)
                    }
                    Block::Pair { speed, row } => {
                        let (products, degree, fill) = neighbours.pair(speed, row, is_thorough);
                        if !is_thorough {
                            return (products as f64).sqrt();
                        }
                        // Half of it for each of the two unknowns.
                        (products as f64 / 2.0, degree as f64 / 2.0, fill as f64 / 2.0)
                    }
                };
                products + degree + 0.5 * fill + random.rand_float() * noise * (degree + 1.0)
            };
            candidates.clear();
            candidates.extend(remaining.iter().filter(|p| filled[**p]).map(|p| Block::One(*p)).map(|p| (cost(p), p)));
            if with_pairs {
                let pairs = constraints.pairs().map(|(r, speed)| Block::Pair { speed, row: n + r });
                candidates.extend(pairs.map(|pair| (cost(pair), pair)));
            }
            // Safety is expensive to decide: it is checked in the order of costs.
            let is_safe = |block: Block| match block {
                Block::One(p) if p >= n => constraints.row_is_safe(p - n, is_thorough),
                Block::One(p) => self.saddle.rows[p].contains_key(&p) || constraints.massless_is_safe(p),
                Block::Pair { .. } => true,
            };
            let block = loop {
                let by_cost = |a: &(usize, &(f64, Block)), b: &(usize, &(f64, Block))| {
                    a.1.0.total_cmp(&b.1.0).then(a.1.1.cmp(&b.1.1))
                };
                let (cheapest, (_, block)) = candidates.iter().enumerate().min_by(by_cost)?;
                if is_safe(*block) {
                    break *block;
                }
                candidates.swap_remove(cheapest);
            };
            let changed = match block {
                Block::One(p) => {
                    constraints.eliminate(p);
                    neighbours.eliminate(p)
                }
                Block::Pair { speed, row } => {
                    constraints.eliminate_pair(row - n, speed);
                    neighbours.eliminate_pair(speed, row)
                }
            };
            changed.into_iter().for_each(|i| filled[i] = true);
            remaining.retain(|i| block.unknowns().all(|p| p != *i));
            order.push(block);
        }
        Some(order)
    }
}
