//! The symbolic factorisation L D Lᵀ, and solutions with it.
//!
//! A block of one unknown has its diagonal entry as its pivot. A block of a speed v and a row ρ,
//!
//! ```text
//! m v + g λ + Σ bⱼ xⱼ = f
//! g v       + Σ aⱼ xⱼ = γ
//! ```
//!
//! substitutes v = y − Σ cⱼ xⱼ with y = γ/g and c = a/g, which leaves M positive definite on the speeds that remain: entries (j, k) of the
//! matrix become Aⱼₖ − cⱼ bₖ − bⱼ cₖ + m cⱼ cₖ, right sides fⱼ − cⱼ (f − m y) − bⱼ y. The multiplier follows from the speed's equation.

use std::collections::BTreeMap;

use super::{Block, Saddle, inverse, magnitude, product, suggest};
use crate::graph::{Graph, NodeId};

/// The factorisation L D Lᵀ = P K Pᵀ as nodes, with P the elimination order.
pub struct Factor {
    /// Elimination order: speeds are `0..n`, rows `n..n + n_c`.
    pub order: Vec<Block>,
    /// Rows whose coefficients have a literal factor k in common, with 1/k: the matrix has G/k and γ/k in place of these rows, and k λ is solved
    /// for.
    scaled_rows: Vec<(usize, NodeId)>,
    /// The results of each block, in order.
    eliminated: Vec<Eliminated>,
    /// For each block of one unknown, in order: the unknown, its pivot d, and the sum of the absolute terms of which d is the sum.
    pub pivots: Vec<(usize, NodeId, NodeId)>,
}

/// Entries of a vector by unknowns.
type Entries = Vec<(usize, NodeId)>;

/// The results of the elimination of one block.
enum Eliminated {
    One {
        unknown: usize,
        /// Its column of L.
        column: Entries,
        /// 1 / d.
        inverse: NodeId,
    },
    Pair(Pair),
}

/// The coefficients of a speed and a row.
struct Pair {
    speed: usize,
    row: usize,
    /// m beside the index of the speed; empty if it is zero.
    mass: Entries,
    /// 1 / g.
    inverse: NodeId,
    /// b.
    motion: Entries,
    /// c.
    substitution: Entries,
    /// b − m c.
    difference: Entries,
}

impl Factor {
    /// Factorises in a given order, with common factors of rows divided out; `None` if a pivot is structurally zero.
    pub fn new(graph: &Graph, saddle: &Saddle, order: Vec<Block>) -> Option<Factor> {
        Factor::with_scaled_rows(graph, saddle, order, true)
    }

    /// The factorisation in the same order of the rows as they are, which takes more operations for one solution and fewer for many; `None` if no
    /// row is scaled.
    pub fn unscaled(&self, graph: &Graph, saddle: &Saddle) -> Option<Factor> {
        if self.scaled_rows.is_empty() {
            return None;
        }
        Factor::with_scaled_rows(graph, saddle, self.order.clone(), false)
    }

    fn with_scaled_rows(graph: &Graph, saddle: &Saddle, order: Vec<Block>, are_scaled: bool) -> Option<Factor> {
        let zero = graph.constant(0.0);
        // Pivots of speeds are positive, pivots of rows negative: every leading block of a certified order has that inertia.
        let sign_term = |(i, row): (usize, &BTreeMap<usize, NodeId>)| {
            let diagonal = row.get(&i).copied().unwrap_or(zero);
            if i < saddle.n { diagonal } else { graph.neg(diagonal) }
        };
        let sign_terms = saddle.rows.iter().enumerate().map(sign_term).collect();
        let mut remaining = Remaining { graph, saddle, zero, w: saddle.rows.clone(), sign_terms };
        let mut factor = Factor { order, scaled_rows: Vec::new(), eliminated: Vec::new(), pivots: Vec::new() };
        let first_row = if are_scaled { saddle.n } else { saddle.size() };
        for row in first_row..saddle.size() {
            if let Some(scale) = common_factor(graph, &saddle.rows[row]) {
                factor.scaled_rows.push((row, remaining.divide_row(row, scale)));
            }
        }
        for block in &factor.order {
            factor.eliminated.push(match *block {
                Block::One(p) => remaining.eliminate(p, &mut factor.pivots)?,
                Block::Pair { speed, row } => Eliminated::Pair(remaining.eliminate_pair(speed, row)?),
            });
        }
        Some(factor)
    }

    /// Solution K⁻¹ r of the factorised system for the right side r.
    pub fn solve(&self, graph: &Graph, saddle: &Saddle, right: &[NodeId]) -> Vec<NodeId> {
        let mut r = right.to_vec();
        self.scaled_rows.iter().for_each(|(row, scale)| r[*row] = graph.mul(r[*row], *scale));
        let subtract = |from: NodeId, l: NodeId, x: NodeId| graph.sub(from, graph.mul(l, x));
        let sum = |first: NodeId, entries: &[(usize, NodeId)], x: &dyn Fn(usize) -> NodeId| {
            entries.iter().fold(first, |sum, (j, l)| subtract(sum, *l, x(*j)))
        };
        for eliminated in &self.eliminated {
            match eliminated {
                Eliminated::One { unknown: p, column, .. } => {
                    suggest(graph, r[*p], || format!("right_{}", saddle.label(*p)));
                    column.iter().for_each(|(j, l)| r[*j] = subtract(r[*j], *l, r[*p]));
                }
                Eliminated::Pair(pair) => {
                    let y = graph.mul(r[pair.row], pair.inverse);
                    let rest = sum(r[pair.speed], &pair.mass, &|_| y);
                    pair.substitution.iter().for_each(|(j, c)| r[*j] = subtract(r[*j], *c, rest));
                    pair.motion.iter().for_each(|(j, b)| r[*j] = subtract(r[*j], *b, y));
                }
            }
        }
        let mut x = r.clone();
        for eliminated in self.eliminated.iter().rev() {
            match eliminated {
                Eliminated::One { unknown, column, inverse } => {
                    x[*unknown] = sum(graph.mul(r[*unknown], *inverse), column, &|j| x[j]);
                }
                Eliminated::Pair(pair) => {
                    let y = graph.mul(r[pair.row], pair.inverse);
                    x[pair.speed] = sum(y, &pair.substitution, &|j| x[j]);
                    let rest = sum(r[pair.speed], &pair.mass, &|j| x[j]);
                    x[pair.row] = graph.mul(sum(rest, &pair.motion, &|j| x[j]), pair.inverse);
                }
            }
        }
        self.scaled_rows.iter().for_each(|(row, scale)| x[*row] = graph.mul(x[*row], *scale));
        x
    }

    /// [`Factor::solve`] as a table for [`mbs_core::substitute`], with the entries of L and D⁻¹ to which it refers.
    pub fn steps(&self, graph: &Graph) -> (Vec<u32>, Vec<NodeId>) {
        let mut table = Table::new(saddle_size(&self.order), &self.scaled_rows);
        self.eliminated.iter().for_each(|eliminated| table.add(graph, eliminated));
        table.finish(&self.order)
    }

    /// Number of products of entries of L with unknowns that a solution takes which leaves out zeros: `is_zero` of each unknown's right side.
    pub fn sparse_products(&self, is_zero: impl Fn(usize) -> bool) -> usize {
        let mut nonzero: Vec<bool> = (0..saddle_size(&self.order)).map(|i| !is_zero(i)).collect();
        let mut products = 0;
        let mut forward = |nonzero: &mut Vec<bool>, from: usize, entries: &[(usize, NodeId)]| {
            if nonzero[from] && !entries.is_empty() {
                entries.iter().for_each(|(j, _)| nonzero[*j] = true);
                products += entries.len();
            }
        };
        for eliminated in &self.eliminated {
            match eliminated {
                Eliminated::One { unknown, column, .. } => forward(&mut nonzero, *unknown, column),
                Eliminated::Pair(pair) => {
                    forward(&mut nonzero, pair.row, &pair.mass);
                    forward(&mut nonzero, pair.row, &pair.motion);
                    forward(&mut nonzero, pair.speed, &pair.substitution);
                }
            }
        }
        let mut backward = |nonzero: &mut Vec<bool>, to: usize, entries: &[(usize, NodeId)], starts: bool| {
            let terms = entries.iter().filter(|(j, _)| nonzero[*j]).count();
            nonzero[to] = starts || terms > 0;
            products += terms;
        };
        for eliminated in self.eliminated.iter().rev() {
            match eliminated {
                Eliminated::One { unknown, column, .. } => {
                    let starts = nonzero[*unknown];
                    backward(&mut nonzero, *unknown, column, starts);
                }
                Eliminated::Pair(pair) => {
                    let [speed, row] = [nonzero[pair.speed], nonzero[pair.row]];
                    backward(&mut nonzero, pair.speed, &pair.substitution, row);
                    backward(&mut nonzero, pair.row, &pair.difference, speed);
                }
            }
        }
        products
    }

    /// Number of these products in a solution that leaves out none.
    pub fn products(&self) -> usize {
        self.sparse_products(|_| false)
    }

    /// K⁻¹ of a system without rows, of which one triangle is computed: (L⁻¹)ᵀ D⁻¹ L⁻¹ in the order of elimination.
    pub fn inverse_matrix(&self, graph: &Graph) -> Vec<Vec<NodeId>> {
        let (zero, size) = (graph.constant(0.0), self.order.len());
        let blocks = self.eliminated.iter().filter_map(|eliminated| match eliminated {
            Eliminated::One { unknown, column, inverse } => Some((*unknown, column, *inverse)),
            Eliminated::Pair(_) => None,
        });
        let blocks: Vec<(usize, &Entries, NodeId)> = blocks.collect();
        // Rows of L⁻¹ by their unknowns; entries by column.
        let mut rows: Vec<BTreeMap<usize, NodeId>> = vec![BTreeMap::new(); size];
        for (p, column, _) in &blocks {
            rows[*p].insert(*p, graph.constant(1.0));
            let row = rows[*p].clone();
            for (j, l) in *column {
                for (c, x) in &row {
                    let old = rows[*j].get(c).copied().unwrap_or(zero);
                    rows[*j].insert(*c, graph.sub(old, graph.mul(*l, *x)));
                }
            }
        }
        let mut inverse = vec![vec![zero; size]; size];
        for (p, _, d) in blocks.iter().rev() {
            let scaled: BTreeMap<usize, NodeId> = rows[*p].iter().map(|(c, x)| (*c, graph.mul(*x, *d))).collect();
            for (i, x) in &rows[*p] {
                for (j, y) in scaled.range(..=*i) {
                    inverse[*i][*j] = graph.add(inverse[*i][*j], graph.mul(*x, *y));
                }
            }
        }
        for i in 0..size {
            let (above, row) = inverse.split_at_mut(i);
            above.iter_mut().zip(&row[0]).for_each(|(above, x)| above[i] = *x);
        }
        inverse
    }
}

/// Number of unknowns of an order.
fn saddle_size(order: &[Block]) -> usize {
    order.iter().map(|block| block.unknowns().count()).sum()
}

/// The literal factor other than one that all coefficients of a row have in common; `None` if there is none, or if the row can be switched off.
fn common_factor(graph: &Graph, row: &BTreeMap<usize, NodeId>) -> Option<f64> {
    let mut factors = row.values().map(|coefficient| graph.literal_factor(*coefficient).0.abs());
    let factor = factors.next()?;
    (factor != 1.0 && factors.all(|other| other == factor)).then_some(factor)
}

/// The matrix of the unknowns that remain.
struct Remaining<'a> {
    graph: &'a Graph,
    saddle: &'a Saddle,
    zero: NodeId,
    w: Vec<BTreeMap<usize, NodeId>>,
    /// Sum of the terms of each diagonal entry that have the sign of its pivot.
    sign_terms: Vec<NodeId>,
}

impl Remaining<'_> {
    /// Divides the coefficients of a row by a factor that they have in common: 1/factor.
    fn divide_row(&mut self, row: usize, factor: f64) -> NodeId {
        let graph = self.graph;
        let speeds: Vec<usize> = self.w[row].keys().copied().collect();
        for speed in speeds {
            let (literal, rest) = graph.literal_factor(self.w[row][&speed]);
            let coefficient = product(graph, graph.constant(literal / factor), rest);
            self.w[row].insert(speed, coefficient);
            self.w[speed].insert(row, coefficient);
        }
        graph.constant(1.0 / factor)
    }

    fn eliminate(&mut self, p: usize, pivots: &mut Vec<(usize, NodeId, NodeId)>) -> Option<Eliminated> {
        let (graph, saddle) = (self.graph, self.saddle);
        let column = std::mem::take(&mut self.w[p]);
        let pivot = *column.get(&p)?;
        if pivot == self.zero {
            return None;
        }
        suggest(graph, pivot, || format!("pivot_{}", saddle.label(p)));
        let inverse = graph.inv(pivot);
        let neighbours: Entries = column.into_iter().filter(|(j, _)| *j != p).collect();
        let scaled: Entries = neighbours.iter().map(|(j, x)| (*j, graph.mul(*x, inverse))).collect();
        for (j, l) in &scaled {
            suggest(graph, *l, || format!("l_{}_{}", saddle.label(*j), saddle.label(p)));
        }
        for (a, (j, l)) in scaled.iter().enumerate() {
            self.w[*j].remove(&p);
            for (k, x) in &neighbours[..=a] {
                let product = graph.mul(*l, *x);
                self.subtract(*j, *k, product);
                let [eliminates_row, changes_row] = [p >= saddle.n, *j >= saddle.n];
                if j == k && eliminates_row != changes_row {
                    let term = if eliminates_row { graph.neg(product) } else { product };
                    self.sign_terms[*j] = graph.add(self.sign_terms[*j], term);
                }
            }
        }
        let absolute = if p < saddle.n { pivot } else { graph.neg(pivot) };
        pivots.push((p, pivot, magnitude(graph, self.sign_terms[p], absolute)));
        Some(Eliminated::One { unknown: p, column: scaled, inverse })
    }

    /// Eliminates a speed and a row; `None` unless the row's coefficient of the speed is a literal and its diagonal entry is empty.
    fn eliminate_pair(&mut self, speed: usize, row: usize) -> Option<Pair> {
        let (graph, zero) = (self.graph, self.zero);
        let (mut motion, mut constraint) = (std::mem::take(&mut self.w[speed]), std::mem::take(&mut self.w[row]));
        let coefficient = motion.remove(&row)?;
        graph.value(coefficient).filter(|g| *g != 0.0 && !constraint.contains_key(&row))?;
        constraint.remove(&speed);
        let mass = motion.remove(&speed);
        let times_mass = |x: NodeId| mass.map_or(zero, |m| product(graph, m, x));
        let inverse = inverse(graph, coefficient);
        let substitution: BTreeMap<usize, NodeId> =
            constraint.into_iter().map(|(j, a)| (j, product(graph, a, inverse))).collect();
        for (j, c) in &substitution {
            suggest(graph, *c, || format!("c_{}_{}", self.saddle.label(speed), self.saddle.label(*j)));
        }
        let mut difference = motion.clone();
        for (j, c) in &substitution {
            let old = difference.get(j).copied().unwrap_or(zero);
            difference.insert(*j, graph.sub(old, times_mass(*c)));
        }
        for j in motion.keys().chain(substitution.keys()) {
            self.w[*j].remove(&speed);
            self.w[*j].remove(&row);
        }
        for (j, c) in &substitution {
            let squared = product(graph, *c, times_mass(*c));
            self.sign_terms[*j] = graph.add(self.sign_terms[*j], squared);
            let (b, h) = (motion.get(j), difference[j]);
            match b {
                None => self.subtract(*j, *j, graph.neg(squared)),
                Some(b) => self.subtract(*j, *j, product(graph, *c, graph.add(*b, h))),
            }
            for (k, h_k) in &difference {
                let term = match (substitution.get(k), motion.get(k), b) {
                    // Each pair of speeds in the row once.
                    (Some(_), ..) if j <= k => continue,
                    (Some(c_k), None, _) if b.is_some() => product(graph, h, *c_k),
                    (Some(c_k), _, Some(b)) => graph.add(product(graph, *c, *h_k), product(graph, *b, *c_k)),
                    _ => product(graph, *c, *h_k),
                };
                self.subtract(*j, *k, term);
            }
        }
        let entries = |map: BTreeMap<usize, NodeId>| map.into_iter().filter(|(_, x)| *x != zero).collect();
        let mass = mass.map(|m| (speed, m)).into_iter().collect();
        let (motion, substitution, difference) = (entries(motion), entries(substitution), entries(difference));
        Some(Pair { speed, row, mass, inverse, motion, substitution, difference })
    }

    /// Subtracts from the entries (j, k) and (k, j).
    fn subtract(&mut self, j: usize, k: usize, term: NodeId) {
        let old = self.w[j].get(&k).copied().unwrap_or(self.zero);
        let value = self.graph.sub(old, term);
        for (j, k) in [(j, k), (k, j)] {
            if value == self.zero {
                self.w[j].remove(&k);
            } else {
                self.w[j].insert(k, value);
            }
        }
    }
}

/// A table of steps under construction. In a pair, the unknown of the speed has the place of the row until the end, and that of the row the place
/// of the speed: each value is computed where its right side was.
struct Table {
    entries: Vec<NodeId>,
    /// Entries of each row of L, and the places that they multiply, in the order of elimination.
    forward: Vec<Vec<[u32; 2]>>,
    /// Places with their factors and terms, in the order of elimination.
    backward: Vec<(usize, u32, Vec<[u32; 2]>)>,
    /// Where each unknown is.
    place: Vec<usize>,
    /// Entries that multiply right sides of rows at first, and their multipliers at last.
    scaled_rows: Vec<(usize, u32)>,
}

impl Table {
    fn new(size: usize, scaled_rows: &[(usize, NodeId)]) -> Table {
        let forward = vec![Vec::new(); size];
        let (entries, place) = (scaled_rows.iter().map(|(_, scale)| *scale).collect(), (0..size).collect());
        let scaled_rows = scaled_rows.iter().zip(0..).map(|((row, _), entry)| (*row, entry)).collect();
        Table { entries, forward, backward: Vec::new(), place, scaled_rows }
    }

    fn push(&mut self, entry: NodeId) -> u32 {
        self.entries.push(entry);
        self.entries.len() as u32 - 1
    }

    /// Subtracts a column times the value at a place from those that remain.
    fn add_column(&mut self, place: usize, column: &[(usize, NodeId)]) -> Vec<[u32; 2]> {
        let add = |(j, l): &(usize, NodeId)| {
            let entry = self.push(*l);
            self.forward[*j].push([entry, place as u32]);
            [entry, *j as u32]
        };
        column.iter().map(add).collect()
    }

    fn add(&mut self, graph: &Graph, eliminated: &Eliminated) {
        match eliminated {
            Eliminated::One { unknown, column, inverse } => {
                let terms = self.add_column(*unknown, column);
                let scale = self.push(*inverse);
                self.backward.push((*unknown, scale, terms));
            }
            Eliminated::Pair(pair) => {
                let scaled = |entries: &[(usize, NodeId)]| -> Entries {
                    entries.iter().map(|(j, x)| (*j, graph.mul(*x, pair.inverse))).collect()
                };
                self.add_column(pair.row, &scaled(&pair.mass));
                self.add_column(pair.row, &scaled(&pair.motion));
                let substituted = self.add_column(pair.speed, &pair.substitution);
                let scale = self.push(pair.inverse);
                let difference = scaled(&pair.difference);
                let multiplier = difference.iter().map(|(j, h)| [self.push(*h), *j as u32]).collect();
                // Going backward, the row gives the speed first.
                self.backward.push((pair.speed, scale, multiplier));
                self.backward.push((pair.row, scale, substituted));
                self.place.swap(pair.speed, pair.row);
            }
        }
    }

    /// The steps and the entries.
    fn finish(mut self, order: &[Block]) -> (Vec<u32>, Vec<NodeId>) {
        let unknowns = order.iter().flat_map(|block| block.unknowns());
        let forward = unknowns.map(|p| (p, mbs_core::NO_SCALE, std::mem::take(&mut self.forward[p])));
        let forward: Vec<_> = forward.filter(|(.., terms)| !terms.is_empty()).collect();
        let mut steps = Vec::new();
        let mut add = |place: usize, scale: u32, terms: Vec<[u32; 2]>| {
            steps.extend([place as u32, scale, terms.len() as u32]);
            steps.extend(terms.into_iter().flatten());
        };
        self.scaled_rows.iter().for_each(|(row, scale)| add(*row, *scale, Vec::new()));
        forward.into_iter().for_each(|(place, scale, terms)| add(place, scale, terms));
        for (place, scale, mut terms) in self.backward.into_iter().rev() {
            terms.iter_mut().for_each(|[_, unknown]| *unknown = self.place[*unknown as usize] as u32);
            add(place, scale, terms);
        }
        for block in order {
            if let Block::Pair { speed, row } = block {
                add(*speed, mbs_core::SWAP, vec![[0, *row as u32]]);
            }
        }
        self.scaled_rows.iter().for_each(|(row, scale)| add(*row, *scale, Vec::new()));
        (steps, self.entries)
    }
}
