//! Rebuilds sums of products with common factors taken out.
//!
//! A term is ± low · x₁ x₂ …: `low` is the product of the factors known before the state, which cost nothing, so that terms with equal x
//! merge; the x are ordered by stage. The factor that saves most operations is taken out first (greedy search).

use rustc_hash::{FxHashMap, FxHashSet};

use super::flatten::is_coefficient;
use super::{Signed, Ties};
use crate::graph::{Graph, NodeId, Stage};

/// Largest number of terms factored together; longer sums are factored piece by piece.
const MAX_TERMS: usize = 128;
/// Largest nesting of factors taken out.
const MAX_DEPTH: usize = 32;

/// ± low · factors. `None` in `low` stands for 1.
#[derive(Clone)]
struct Term {
    negative: bool,
    low: Option<NodeId>,
    factors: Vec<NodeId>,
}

/// Number of terms up to which pairs are compared: hashing takes longer.
const MOST_PAIRED_TERMS: usize = 12;

/// A factor that terms may have in common.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Common {
    Low(NodeId),
    Factor(NodeId),
}

/// Builds sums and memoises them, so that a sum with the opposite sign is reused.
pub struct Sums<'g> {
    graph: &'g Graph,
    ties: Ties,
    one: NodeId,
    zero: NodeId,
    built: FxHashMap<Vec<(NodeId, bool)>, Signed>,
}

impl<'g> Sums<'g> {
    /// Creates a builder without sums.
    pub fn new(graph: &'g Graph, ties: Ties) -> Self {
        let (one, zero) = (graph.constant(1.0), graph.constant(0.0));
        Sums { graph, ties, one, zero, built: FxHashMap::default() }
    }

    /// Σ coefficient · Π factors.
    pub fn sum<F>(&mut self, terms: impl Iterator<Item = (f64, F)>) -> Signed
    where
        F: Iterator<Item = Signed>,
    {
        let terms: Vec<Term> = terms.filter_map(|(c, factors)| self.term(c, factors)).collect();
        let terms = self.merge(terms);
        self.build(terms, 0)
    }

    /// A product sorted into factors known early and factors that depend on the state; `None` if it is zero.
    fn term(&self, coefficient: f64, factors: impl Iterator<Item = Signed>) -> Option<Term> {
        let mut number = coefficient.abs();
        let mut term = Term { negative: coefficient < 0.0, low: None, factors: Vec::new() };
        let mut low: Vec<NodeId> = Vec::new();
        for factor in factors {
            term.negative ^= factor.negative;
            match self.graph.value(factor.node) {
                Some(x) if is_coefficient(x) => {
                    term.negative ^= x < 0.0;
                    number *= x.abs();
                }
                _ if self.graph.stage(factor.node) <= Stage::Parameters => low.push(factor.node),
                _ => term.factors.push(factor.node),
            }
        }
        if number == 0.0 {
            return None;
        }
        if term.factors.len() > 1 {
            term.factors.sort_unstable_by_key(|f| (self.graph.stage(*f), *f));
        }
        if low.is_empty() && number == 1.0 {
            return Some(term);
        }
        low.sort_unstable();
        let number = self.graph.constant(number);
        let product = low.into_iter().fold(number, |product, x| self.graph.mul(product, x));
        term.set_low(self, Signed::new(self.graph, product, false));
        Some(term)
    }

    /// Merges terms with equal state-dependent factors; terms of a known zero vanish.
    fn merge(&self, terms: Vec<Term>) -> Vec<Term> {
        if !have_equal_factors(&terms) {
            return terms;
        }
        let mut indices: FxHashMap<Vec<NodeId>, usize> = FxHashMap::default();
        let mut merged: Vec<(Vec<NodeId>, Vec<Signed>)> = Vec::new();
        for term in terms {
            let low = Signed { node: term.low.unwrap_or(self.one), negative: term.negative };
            match indices.get(&term.factors) {
                Some(index) => merged[*index].1.push(low),
                None => {
                    indices.insert(term.factors.clone(), merged.len());
                    merged.push((term.factors, vec![low]));
                }
            }
        }
        let term = |(factors, mut lows): (Vec<NodeId>, Vec<Signed>)| {
            let mut term = Term { negative: false, low: None, factors };
            lows.sort_unstable_by_key(|l| l.node);
            let low = lows.into_iter().reduce(|a, b| self.add_signed(a, b))?;
            let low = Signed::new(self.graph, low.node, low.negative);
            term.set_low(self, low);
            (low.node != self.zero).then_some(term)
        };
        merged.into_iter().filter_map(term).collect()
    }

    fn build(&mut self, mut terms: Vec<Term>, depth: usize) -> Signed {
        if terms.len() > MAX_TERMS {
            let parts = terms.chunks(MAX_TERMS).map(|part| self.build(part.to_vec(), depth)).collect::<Vec<_>>();
            return parts.into_iter().reduce(|a, b| self.add_signed(a, b)).expect("a chunk is not empty");
        }
        while depth < MAX_DEPTH && terms.len() > 1 {
            let Some(common) = self.best_common(&terms) else { break };
            let (inside, rest): (Vec<Term>, Vec<Term>) = terms.into_iter().partition(|t| t.contains(common));
            let mut inside: Vec<Term> = inside.into_iter().map(|t| t.divided_by(common)).collect();
            let squared = matches!(common, Common::Factor(_)) && inside.iter().all(|t| t.contains(common));
            if squared {
                inside = inside.into_iter().map(|t| t.divided_by(common)).collect();
            }
            let inner = self.merge(inside);
            let inner = self.build(inner, depth + 1);
            let outer = match common {
                Common::Factor(x) if squared => Signed { node: self.graph.mul(x, x), negative: false },
                Common::Low(x) | Common::Factor(x) => Signed { node: x, negative: false },
            };
            terms = rest;
            terms.extend(self.term(1.0, [outer, inner].into_iter()));
            terms = self.merge(terms);
        }
        self.add_products(&terms)
    }

    /// The common factor that saves most operations, if any saves one: a product for each term without the factor, minus the product with it.
    fn best_common(&self, terms: &[Term]) -> Option<Common> {
        let mut votes: Vec<(Common, bool)> = Vec::with_capacity(4 * terms.len());
        for term in terms {
            let n = term.factors.len();
            if let (Some(low), true) = (term.low, n > 0) {
                votes.push((Common::Low(low), true));
            }
            for (i, x) in term.factors.iter().enumerate() {
                if i == 0 || term.factors[i - 1] != *x {
                    votes.push((Common::Factor(*x), n > 1 || term.low.is_some()));
                }
            }
        }
        votes.sort_unstable();
        let counted = votes.chunk_by(|a, b| a.0 == b.0).map(|of_one| {
            let saved = of_one.iter().filter(|(_, saved)| *saved).count();
            (of_one[0].0, (saved, of_one.len()))
        });
        let worthwhile = counted.filter(|(_, (saved, terms))| *terms > 1 && *saved > 1);
        let best = worthwhile.max_by_key(|(common, (saved, terms))| {
            let (is_factor, id) = match common {
                Common::Low(x) => (false, i64::from(x.0)),
                Common::Factor(x) => (true, i64::from(x.0)),
            };
            (*saved, *terms, is_factor, if self.ties == Ties::Youngest { id } else { -id })
        });
        best.map(|(common, _)| common)
    }

    /// Adds products in the order of their stages.
    fn add_products(&mut self, terms: &[Term]) -> Signed {
        let mut items: Vec<(NodeId, bool)> = terms
            .iter()
            .map(|t| {
                let product = Signed::new(self.graph, self.product(t), t.negative);
                (product.node, product.negative)
            })
            .collect();
        items.sort_unstable_by_key(|(id, negative)| (self.graph.stage(*id), *id, *negative));
        if items.len() < 2 {
            return items.first().map_or(Signed { node: self.zero, negative: false }, |(node, negative)| Signed {
                node: *node,
                negative: *negative,
            });
        }
        // An equal sum, or its opposite, may exist already; the first sign decides which of the two is memoised.
        let flip = items[0].1;
        items.iter_mut().for_each(|i| i.1 ^= flip);
        if let Some(known) = self.built.get(&items) {
            return known.with_sign_flipped(flip);
        }
        let signed = items.iter().map(|(node, negative)| Signed { node: *node, negative: *negative != flip });
        let total = signed.reduce(|a, b| self.add_signed(a, b)).expect("there are two items");
        self.built.insert(items, total.with_sign_flipped(flip));
        total
    }

    /// low · x₁ x₂ …, squares first: other terms often use x², too (ω² in every centripetal term).
    fn product(&self, term: &Term) -> NodeId {
        let mut factors: Vec<NodeId> = Vec::with_capacity(term.factors.len() + 1);
        factors.extend(term.low);
        for x in &term.factors {
            match factors.last_mut() {
                Some(last) if last == x => *last = self.graph.mul(*x, *x),
                _ => factors.push(*x),
            }
        }
        factors.into_iter().reduce(|a, b| self.graph.mul(a, b)).unwrap_or(self.one)
    }

    /// a + b, with the signs taken out of the sum.
    fn add_signed(&self, a: Signed, b: Signed) -> Signed {
        let (node, negative) = match (a.negative, b.negative) {
            (false, false) => (self.graph.add(a.node, b.node), false),
            (true, true) => (self.graph.add(a.node, b.node), true),
            (false, true) => (self.graph.sub(a.node, b.node), false),
            (true, false) => (self.graph.sub(b.node, a.node), false),
        };
        Signed::new(self.graph, node, negative)
    }
}

/// Whether two terms have equal factors that depend on the state.
fn have_equal_factors(terms: &[Term]) -> bool {
    if terms.len() <= MOST_PAIRED_TERMS {
        return terms.iter().enumerate().any(|(i, a)| terms[..i].iter().any(|b| a.factors == b.factors));
    }
    let mut seen = FxHashSet::default();
    !terms.iter().all(|term| seen.insert(&term.factors[..]))
}

impl Term {
    fn set_low(&mut self, sums: &Sums<'_>, low: Signed) {
        self.negative ^= low.negative;
        let (node, negative) = match sums.graph.value(low.node) {
            Some(x) if x < 0.0 => (sums.graph.constant(-x), true),
            _ => (low.node, false),
        };
        self.negative ^= negative;
        self.low = (node != sums.one).then_some(node);
    }

    /// Whether the term has the factor; `low` alone is no factor.
    fn contains(&self, common: Common) -> bool {
        match common {
            Common::Low(x) => self.low == Some(x) && !self.factors.is_empty(),
            Common::Factor(x) => self.factors.contains(&x),
        }
    }

    /// The term with one such factor removed.
    fn divided_by(mut self, common: Common) -> Term {
        match common {
            Common::Low(_) => self.low = None,
            Common::Factor(x) => {
                let index = self.factors.iter().position(|f| *f == x).expect("the term has the factor");
                self.factors.remove(index);
            }
        }
        self
    }
}
