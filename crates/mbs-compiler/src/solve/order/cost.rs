//! Operations of an elimination, estimated by structure.

use super::{Block, Saddle};
use crate::graph::{Graph, NodeId, Stage};

/// Cost of a multiplication with an entry.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Cost {
    /// ±1.
    Unit,
    /// Known before the state.
    Fixed,
    /// Depends on the state.
    State,
}

/// Entries of a vector by unknowns, ascending.
type Entries = Vec<(usize, Cost)>;

/// Entries of each row of a matrix, in the order of their columns.
pub(super) fn pattern(graph: &Graph, saddle: &Saddle) -> Vec<Entries> {
    let cost = |id: &NodeId| match graph.value(*id) {
        Some(1.0 | -1.0) => Cost::Unit,
        _ if graph.stage(*id) <= Stage::Parameters => Cost::Fixed,
        _ => Cost::State,
    };
    saddle.rows.iter().map(|r| r.iter().map(|(k, v)| (*k, cost(v))).collect()).collect()
}

/// Number of operations of the factorisation of a matrix and one solution. Counting ends where it exceeds `most`.
pub(super) fn operations(rows: Vec<Entries>, order: &[Block], most: u64) -> u64 {
    let mut estimate = Estimate { rows, operations: 0, merged: Vec::new() };
    for block in order {
        match *block {
            Block::One(p) => estimate.eliminate(p),
            Block::Pair { speed, row } => estimate.eliminate_pair(speed, row),
        }
        if estimate.operations > most {
            break;
        }
    }
    estimate.operations
}

struct Estimate {
    rows: Vec<Entries>,
    operations: u64,
    /// Space for a row.
    merged: Entries,
}

/// Coefficients of one unknown in the elimination of a speed v and a row: b in the speed's equation, c in the row, divided by the coefficient of v,
/// and b − m c.
#[derive(Clone, Copy)]
struct Coefficients {
    unknown: usize,
    motion: Option<Cost>,
    substitution: Option<Cost>,
    difference: Option<Cost>,
}

impl Estimate {
    fn eliminate(&mut self, p: usize) {
        let mut column = std::mem::take(&mut self.rows[p]);
        let pivot = take(&mut column, p).unwrap_or(Cost::State);
        let inverse = if pivot == Cost::Unit { Cost::Unit } else { pivot.max(Cost::Fixed) };
        self.operations += u64::from(inverse == Cost::State);
        let scaled: Vec<Cost> = column.iter().map(|(_, c)| product(*c, inverse, &mut self.operations)).collect();
        for (a, (j, _)) in column.iter().enumerate() {
            // Row j less the product of columns. An entry above the diagonal is that below it, which is counted.
            let terms = column.iter().enumerate().map(|(b, (k, c))| {
                let mut counted = 0;
                let term = match b <= a {
                    true => product(scaled[a], *c, &mut counted),
                    false => product(scaled[b], column[a].1, &mut counted),
                };
                (*k, term, counted)
            });
            self.subtract(*j, [p, p], terms);
            // forward and backward substitution
            self.operations += if scaled[a] == Cost::Unit { 2 } else { 4 };
        }
        self.operations += u64::from(inverse != Cost::Unit);
    }

    fn eliminate_pair(&mut self, speed: usize, row: usize) {
        let (mut motion, mut constraint) = (std::mem::take(&mut self.rows[speed]), std::mem::take(&mut self.rows[row]));
        let mass = take(&mut motion, speed);
        let coefficient = take(&mut motion, row).unwrap_or(Cost::Unit);
        take(&mut constraint, speed);
        let mut unknowns: Vec<usize> = motion.iter().chain(&constraint).map(|(k, _)| *k).collect();
        unknowns.sort_unstable();
        unknowns.dedup();
        let mut coefficients = Vec::with_capacity(unknowns.len());
        for unknown in unknowns {
            let motion = find(&motion, unknown);
            let substitution = find(&constraint, unknown).map(|a| product(a, coefficient, &mut self.operations));
            let transferred = mass.zip(substitution).map(|(mass, c)| product(mass, c, &mut self.operations));
            let difference = sum(motion, transferred, &mut self.operations);
            coefficients.push(Coefficients { unknown, motion, substitution, difference });
        }
        for (a, j) in coefficients.iter().enumerate() {
            let terms = coefficients.iter().enumerate().filter_map(|(b, k)| {
                let mut counted = 0;
                let (low, high) = if b <= a { (k, j) } else { (j, k) };
                pair_term(high, low, &mut counted).map(|term| (k.unknown, term, counted))
            });
            self.subtract(j.unknown, [speed, row], terms);
            for x in [j.motion, j.substitution].into_iter().flatten() {
                self.operations += if x == Cost::Unit { 2 } else { 4 };
            }
        }
        self.operations += match mass {
            None => 0,
            Some(Cost::Unit) => 2,
            Some(_) => 4,
        };
    }

    /// Subtracts terms from a row, which are by unknown, ascending, with the operations that they take, and removes two entries. Operations count
    /// for entries up to the diagonal.
    fn subtract(&mut self, j: usize, removed: [usize; 2], terms: impl Iterator<Item = (usize, Cost, u64)>) {
        self.merged.clear();
        let mut old = self.rows[j].iter().copied().filter(|(k, _)| !removed.contains(k)).peekable();
        for (k, term, mut counted) in terms {
            self.merged.extend(std::iter::from_fn(|| old.next_if(|(other, _)| *other < k)));
            let new = match old.next_if(|(other, _)| *other == k) {
                None => term,
                Some((_, old)) => {
                    let sum = old.max(term);
                    counted += u64::from(sum == Cost::State);
                    sum
                }
            };
            self.operations += if k <= j { counted } else { 0 };
            self.merged.push((k, new));
        }
        self.merged.extend(old);
        std::mem::swap(&mut self.rows[j], &mut self.merged);
    }
}

/// The term cⱼ bₖ + bⱼ cₖ − m cⱼ cₖ of an entry.
fn pair_term(j: &Coefficients, k: &Coefficients, operations: &mut u64) -> Option<Cost> {
    let mut multiply = |a: Option<Cost>, b: Option<Cost>| a.zip(b).map(|(a, b)| product(a, b, operations));
    if j.unknown == k.unknown {
        let square = multiply(j.substitution, j.motion.or(j.difference));
        *operations += u64::from(j.motion.is_some() && square == Some(Cost::State));
        return square;
    }
    if k.substitution.is_some() && j.motion.is_some() && k.motion.is_none() {
        return multiply(j.difference, k.substitution);
    }
    let first = multiply(j.substitution, k.difference);
    let second = multiply(j.motion, k.substitution);
    sum(first, second, operations)
}

fn find(entries: &Entries, unknown: usize) -> Option<Cost> {
    entries.binary_search_by_key(&unknown, |(k, _)| *k).ok().map(|i| entries[i].1)
}

fn take(entries: &mut Entries, unknown: usize) -> Option<Cost> {
    entries.binary_search_by_key(&unknown, |(k, _)| *k).ok().map(|i| entries.remove(i).1)
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

fn sum(a: Option<Cost>, b: Option<Cost>, operations: &mut u64) -> Option<Cost> {
    let (Some(a), Some(b)) = (a, b) else { return a.or(b) };
    let sum = a.max(b);
    *operations += u64::from(sum == Cost::State);
    Some(sum)
}
