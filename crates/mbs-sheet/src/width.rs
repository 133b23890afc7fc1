//! Estimates the width of a typeset formula, in tenths of a letter, which [`super::simplify`] minimises.

use mbs_expr::{Function, Function2};
use rustc_hash::FxHashMap;

use super::algebra::{Algebra, Atom, AtomId, Factors, Sum, Term};
use super::number::Number;
use super::symbols::Symbols;

/// Memoised widths of atoms.
pub struct Widths {
    symbols: FxHashMap<AtomId, i64>,
    known: FxHashMap<AtomId, i64>,
    numbers: FxHashMap<Number, i64>,
}

const LETTER: i64 = 10;
/// A plus or minus sign with its spaces.
const SIGN: i64 = 20;
const EXPONENT: i64 = 6;
/// The line of a fraction, in addition to numerator and denominator.
const FRACTION: i64 = 4;

impl Widths {
    /// Creates widths without any symbols; widths of other atoms are computed when needed.
    pub fn new() -> Self {
        Widths { symbols: FxHashMap::default(), known: FxHashMap::default(), numbers: FxHashMap::default() }
    }

    /// Sets the width of an atom.
    pub fn set_width(&mut self, atom: AtomId, width: i64) {
        self.symbols.insert(atom, width);
    }

    /// Discards the memoised widths, after some widths of symbols have changed.
    pub fn clear_memo(&mut self) {
        self.known.clear();
    }

    pub fn sum(&mut self, algebra: &Algebra, sum: &Sum) -> i64 {
        if sum.terms.is_empty() {
            return LETTER;
        }
        let terms: i64 = sum.terms.iter().map(|t| self.term(algebra, t)).sum();
        let leading_minus = i64::from(sum.terms.iter().all(|t| t.coefficient.is_negative())) * LETTER;
        terms + SIGN * (sum.terms.len() as i64 - 1) + leading_minus
    }

    fn term(&mut self, algebra: &Algebra, term: &Term) -> i64 {
        let size = term.coefficient.abs();
        let coefficient =
            if size == Number::ONE && !term.factors.is_empty() { 0 } else { self.memoized_number_width(size) };
        coefficient + self.factors(algebra, &term.factors)
    }

    fn memoized_number_width(&mut self, x: Number) -> i64 {
        *self.numbers.entry(x).or_insert_with(|| number_width(x))
    }

    pub fn factors(&mut self, algebra: &Algebra, factors: &Factors) -> i64 {
        let (mut above, mut below) = (0, 0);
        for (atom, exponent) in factors {
            let power = if exponent.abs() == 1 { 0 } else { EXPONENT };
            let width = self.atom(algebra, *atom) + power;
            if *exponent > 0 { above += width } else { below += width }
        }
        // A denominator does not lengthen the line, but has to be read.
        if below == 0 { above } else { above.max(below) + above.min(below) / 2 + FRACTION }
    }

    pub fn atom(&mut self, algebra: &Algebra, id: AtomId) -> i64 {
        if let Some(width) = self.symbols.get(&id).or_else(|| self.known.get(&id)) {
            return *width;
        }
        let width = match algebra.atom(id) {
            Atom::Pi | Atom::Name(_) | Atom::Symbol(_) => LETTER,
            Atom::Group(inner) => self.sum(algebra, inner) + LETTER,
            Atom::Called(_, partial, list) => {
                let arguments: i64 = list.iter().map(|x| self.sum(algebra, x)).sum();
                4 * LETTER + 4 * i64::from(partial.order()) + arguments
            }
            Atom::Call(f, x) => function_width(*f) + self.argument(algebra, x),
            Atom::Call2(f, x, y) => match f {
                Function2::Powf => self.argument(algebra, x) + self.sum(algebra, y) * 7 / 10,
                _ => 4 * LETTER + self.sum(algebra, x) + self.sum(algebra, y),
            },
            Atom::Select(_, list) => 8 * LETTER + list.iter().map(|x| self.sum(algebra, x)).sum::<i64>(),
        };
        self.known.insert(id, width);
        width
    }

    fn argument(&mut self, algebra: &Algebra, x: &Sum) -> i64 {
        self.sum(algebra, x) + if x.terms.len() > 1 { LETTER } else { 0 }
    }
}

/// Width of a function's name.
fn function_width(f: Function) -> i64 {
    match f {
        Function::Sqrt | Function::Abs | Function::Floor => LETTER,
        _ => 3 * LETTER,
    }
}

/// Width of a positive number as it is printed.
fn number_width(x: Number) -> i64 {
    let (text, below) = super::digits::number_parts(x);
    let width = |s: &str| s.chars().count() as i64 * LETTER;
    match below {
        None => width(&text),
        Some(below) => width(&text).max(width(&below)) * 7 / 10 + FRACTION,
    }
}

/// Widths of all symbols that have a name.
pub fn symbol_widths(algebra: &mut Algebra, symbols: &Symbols) -> Widths {
    let mut widths = Widths::new();
    for (symbol, label) in symbols.labels() {
        let id = algebra.intern(Atom::Symbol(symbol));
        widths.set_width(id, label.width);
    }
    widths
}
