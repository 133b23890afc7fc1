//! Names long expressions that occur often: eₖ for sums, ℓₖ for roots, sₖ and cₖ for sines and cosines.

use std::collections::{BTreeMap, BTreeSet};

use mbs_expr::Function;
use rustc_hash::FxHashMap;

use super::algebra::{Algebra, Atom, AtomId, Sum};
use super::symbols::{Label, Symbols};
use super::width::Widths;

/// Width of a name, and of the line that defines it, without the definition.
const NAME: i64 = 16;
const LINE: i64 = 60;
/// Width of a function above which its longer sums are named.
const WIDE: i64 = 800;
/// Width by which a name has to shorten the text: sixty letters; more for sines and cosines, which are easy to read.
const WORTH: i64 = 600;
const WORTH_OF_SINES: i64 = 2000;

/// A name and its definition.
pub struct Abbreviation {
    pub label: Label,
    pub definition: Sum,
}

/// Names the expressions whose names shorten the text, and rewrites `formulas` and the definitions with these names. Abbreviations are listed
/// in an order in which definitions contain only earlier names.
pub fn abbreviate(
    algebra: &mut Algebra,
    widths: &mut Widths,
    symbols: &mut Symbols,
    formulas: &mut [&mut Sum],
) -> Vec<Abbreviation> {
    let named = choose_atoms(algebra, widths, formulas);
    // Parts have smaller ids than the atoms that contain them: definitions come before their uses.
    let indices: FxHashMap<AtomId, u32> = named.iter().enumerate().map(|(k, id)| (*id, k as u32)).collect();
    // Names are interned in the order of their numbers.
    (0..named.len() as u32).for_each(|k| {
        algebra.intern(Atom::Name(k));
    });
    let mut rewriter = Rewriter { algebra, indices, known: FxHashMap::default() };
    for formula in formulas.iter_mut() {
        **formula = rewriter.sum(formula);
    }
    let definitions: Vec<Sum> = named.iter().map(|id| rewriter.rewrite_parts(*id)).collect();
    let mut next: BTreeMap<&str, usize> = BTreeMap::new();
    let letters = named.iter().map(|id| letter(algebra.atom(*id)));
    let write = |(letter, definition): (&'static str, Sum)| {
        let first = next.get(letter).copied().unwrap_or(1);
        let (label, following) = symbols.unique_label(letter, first);
        next.insert(letter, following);
        Abbreviation { label, definition }
    };
    letters.zip(definitions).map(write).collect()
}

fn letter(atom: &Atom) -> &'static str {
    match atom {
        Atom::Call(Function::Sqrt, _) => "\\ell",
        Atom::Call(Function::Sin, _) => "s",
        Atom::Call(Function::Cos, _) => "c",
        _ => "e",
    }
}

/// Atoms to be named: cases and sums that make a line too long in any case, then the atoms that save most (greedy search).
fn choose_atoms(algebra: &Algebra, widths: &mut Widths, formulas: &[&mut Sum]) -> BTreeSet<AtomId> {
    let mut named = BTreeSet::new();
    loop {
        let counts = counts(algebra, formulas, &named);
        let unbreakable = unbreakable_sums(algebra, widths, counts.keys().copied().filter(|id| !named.contains(id)));
        let mut best: Option<(i64, AtomId)> = None;
        // No sine or cosine is part of another one: they are named in one step.
        let mut sines = Vec::new();
        for (id, count) in counts {
            let atom = algebra.atom(id);
            let worth = match atom {
                Atom::Pi | Atom::Symbol(_) | Atom::Name(_) => continue,
                _ if named.contains(&id) => continue,
                Atom::Call(_, x) if x.constant().is_some() => continue,
                Atom::Select(..) => 0,
                Atom::Call(Function::Sin | Function::Cos, x) if x.terms.len() < 2 => WORTH_OF_SINES,
                _ => WORTH,
            };
            let always = if matches!(atom, Atom::Select(..)) || unbreakable.contains(&id) { 1_000_000 } else { 0 };
            let saved = always + (count - 1) * widths.atom(algebra, id) - count * NAME - LINE;
            if saved > worth && matches!(atom, Atom::Call(Function::Sin | Function::Cos, _)) {
                sines.push(id);
            } else if saved > worth && best.is_none_or(|b| saved > b.0) {
                best = Some((saved, id));
            }
        }
        if sines.is_empty() && best.is_none() {
            return named;
        }
        let chosen = if sines.is_empty() { best.map(|b| b.1).into_iter().collect() } else { sines };
        chosen.iter().for_each(|id| widths.set_width(*id, NAME));
        named.extend(chosen);
        widths.clear_memo();
    }
}

/// Long sums in functions and roots, inside which lines cannot break.
fn unbreakable_sums(algebra: &Algebra, widths: &mut Widths, atoms: impl Iterator<Item = AtomId>) -> BTreeSet<AtomId> {
    let mut sums = BTreeSet::new();
    for id in atoms.filter(|id| !matches!(algebra.atom(*id), Atom::Group(_))) {
        if widths.atom(algebra, id) < WIDE {
            continue;
        }
        for (part, _) in algebra.parts(id).iter().flat_map(|p| &p.terms).flat_map(|t| &t.factors) {
            if matches!(algebra.atom(*part), Atom::Group(_)) && widths.atom(algebra, *part) > WIDE / 3 {
                sums.insert(*part);
            }
        }
    }
    sums
}

/// Number of times that each atom is printed; parts of a named atom count once.
fn counts(algebra: &Algebra, formulas: &[&mut Sum], named: &BTreeSet<AtomId>) -> BTreeMap<AtomId, i64> {
    let mut counts: BTreeMap<AtomId, i64> = BTreeMap::new();
    let visit = |counts: &mut BTreeMap<AtomId, i64>, sum: &Sum, times: i64| {
        for (atom, _) in sum.terms.iter().flat_map(|t| &t.factors) {
            let count = counts.entry(*atom).or_insert(0);
            // Nested sharing may count astronomically.
            *count = count.saturating_add(times).min(1_000_000);
        }
    };
    formulas.iter().for_each(|f| visit(&mut counts, f, 1));
    // From atoms to their parts: ids descend.
    let mut below = AtomId(u32::MAX);
    while let Some((&id, &count)) = counts.range(..below).next_back() {
        let times = if named.contains(&id) { 1 } else { count };
        algebra.parts(id).iter().for_each(|part| visit(&mut counts, part, times));
        below = id;
    }
    counts
}

/// Replaces atoms by their names.
struct Rewriter<'a> {
    algebra: &'a mut Algebra,
    indices: FxHashMap<AtomId, u32>,
    known: FxHashMap<AtomId, Sum>,
}

impl Rewriter<'_> {
    fn sum(&mut self, sum: &Sum) -> Sum {
        let atoms: Vec<AtomId> = sum.terms.iter().flat_map(|t| &t.factors).map(|f| f.0).collect();
        for id in atoms {
            self.atom(id);
        }
        let known = &self.known;
        self.algebra.map(sum, &mut |_, id| known[&id].clone())
    }

    fn atom(&mut self, id: AtomId) {
        if self.known.contains_key(&id) {
            return;
        }
        let rewritten = match self.indices.get(&id) {
            Some(k) => Sum::atom(self.algebra.intern(Atom::Name(*k))),
            None => self.rewrite_parts(id),
        };
        self.known.insert(id, rewritten);
    }

    /// An atom with its parts rewritten. A group becomes the sum itself.
    fn rewrite_parts(&mut self, id: AtomId) -> Sum {
        let parts: Vec<Sum> = self.algebra.parts(id).iter().map(|p| self.sum(p)).collect();
        match (self.algebra.atom(id), &parts[..]) {
            (Atom::Group(_), [inner]) => inner.clone(),
            _ => self.algebra.replace_parts(id, &parts),
        }
    }
}
