//! Writes formulas as LaTeX that Markdown leaves unchanged: no backslash before punctuation, no `<`, no underscore after a brace.

use std::cell::Cell;

use mbs_compiler::graph::Symbol;
use mbs_expr::{Comparison, Function, Function2};

use super::algebra::{Algebra, Atom, AtomId, Factors, Sum, Term};
use super::digits::{is_rounded, number_parts};
use super::lines::Piece;
use super::number::Number;
use super::symbols::{Label, Symbols};

/// Separator of factors: a control space, which Markdown does not treat as an escape.
const SPACE: &str = "\\ ";
/// Numerators wider than this are written next to their fraction, where lines can break.
const WIDE: i64 = 450;

/// Writes the formulas of one algebra.
pub struct Writer<'a> {
    pub algebra: &'a Algebra,
    pub symbols: &'a Symbols,
    /// Names of the abbreviations.
    pub names: &'a [Label],
    /// Names of the values of called functions.
    pub functions: &'a [Vec<Label>],
    /// Rank of a symbol, by which the terms of a sum are ordered.
    pub order: &'a dyn Fn(Symbol) -> u32,
    /// Whether any number was rounded.
    pub is_rounded: Cell<bool>,
}

impl Writer<'_> {
    /// A formula as pieces between which lines may break.
    pub fn pieces(&self, sum: &Sum) -> Vec<Piece> {
        if sum.is_zero() {
            return vec![Piece::new("0", 10)];
        }
        let mut pieces = Vec::new();
        for (i, term) in self.ordered_terms(sum).into_iter().enumerate() {
            let negated = self.negated(term);
            let sign = match (i, term.coefficient.is_negative() != negated.is_some()) {
                (0, false) => "",
                (0, true) => "-",
                (_, false) => "+ ",
                (_, true) => "- ",
            };
            let mut list = self.term(term, negated);
            list[0].latex.insert_str(0, sign);
            list[0].width += if sign.is_empty() { 0 } else { 20 };
            list[0].depth = (i > 0).then_some(0);
            pieces.extend(list);
        }
        pieces
    }

    /// Terms in the order of their last coordinate; the first one is positive if any is.
    fn ordered_terms<'s>(&self, sum: &'s Sum) -> Vec<&'s Term> {
        let mut terms: Vec<&Term> = sum.terms.iter().collect();
        terms.sort_by_cached_key(|t| {
            let degree = t.factors.iter().map(|f| f.1.abs()).sum::<i32>();
            let rank = t.factors.iter().map(|f| self.rank(f.0)).max().unwrap_or(0);
            // A constant that is subtracted comes last.
            (rank == 0 && t.coefficient.is_negative(), rank, degree, t.factors.clone())
        });
        let is_positive = |t: &&Term| t.coefficient.is_negative() == self.negated(t).is_some();
        if let Some(first) = terms.iter().position(is_positive) {
            terms[..=first].rotate_right(1);
        }
        terms
    }

    /// 0 for numbers and parameters, then time, states and inputs, then coordinates and speeds in their order.
    fn rank(&self, id: AtomId) -> u32 {
        match self.algebra.atom(id) {
            Atom::Pi | Atom::Symbol(Symbol::Parameter(_)) => 0,
            Atom::Name(_) => 2,
            Atom::Symbol(symbol) => (self.order)(*symbol),
            _ => {
                let parts = self.algebra.parts(id);
                let factors = parts.iter().flat_map(|p| &p.terms).flat_map(|t| &t.factors);
                factors.map(|f| self.rank(f.0)).max().unwrap_or(0)
            }
        }
    }

    /// The sum among the factors that is easier to read if it and the sign of the term are negated: −(−a − b + c).
    fn negated(&self, term: &Term) -> Option<AtomId> {
        let is_odd_sum = |f: &&(AtomId, i32)| f.1 % 2 != 0 && matches!(self.algebra.atom(f.0), Atom::Group(_));
        let (group, _) = term.factors.iter().find(is_odd_sum)?;
        let Atom::Group(inner) = self.algebra.atom(*group) else { return None };
        let minus = inner.terms.iter().filter(|t| t.coefficient.is_negative()).count();
        let plus = inner.terms.len() - minus;
        let outer = usize::from(term.coefficient.is_negative());
        (plus + (1 - outer) < minus + outer).then_some(*group)
    }

    /// A term without its sign, with one sum in it negated.
    fn term(&self, term: &Term, negated: Option<AtomId>) -> Vec<Piece> {
        let size = term.coefficient.abs();
        let (number, divisor) = number_parts(size);
        self.is_rounded.set(self.is_rounded.get() || is_rounded(size));
        let (above, below): (Vec<_>, Vec<_>) = self.ordered_factors(term).into_iter().partition(|f| f.1 > 0);
        let above_text = self.product(&above, negated);
        let has_fraction = divisor.is_some() || !below.is_empty();
        let is_implied = number == "1" && (!above.is_empty() || has_fraction);
        let number = if is_implied { String::new() } else { number };
        if !has_fraction {
            return juxtapose(vec![Piece::digits(&number)], above_text);
        }
        let under: Vec<(AtomId, i32)> = below.iter().map(|(atom, exponent)| (*atom, -exponent)).collect();
        let denominator = self.part_of_fraction(&divisor.unwrap_or_default(), &under, negated);
        let width: i64 = above_text.iter().map(|p| p.width).sum();
        if below.is_empty() {
            let number = self.part_of_fraction(&number, &[], None);
            return juxtapose(vec![Piece::small_fraction(&number, &denominator)], above_text);
        }
        if width > WIDE {
            return juxtapose(
                vec![Piece::fraction(&self.part_of_fraction(&number, &[], None), &denominator)],
                above_text,
            );
        }
        vec![Piece::fraction(&self.part_of_fraction(&number, &above, negated), &denominator)]
    }

    /// Numerator or denominator of a fraction: a single sum needs no parentheses there.
    fn part_of_fraction(&self, number: &str, factors: &[(AtomId, i32)], negated: Option<AtomId>) -> Vec<Piece> {
        match (factors, number) {
            ([], "") => vec![Piece::digits("1")],
            ([(atom, 1)], "") if matches!(self.algebra.atom(*atom), Atom::Group(_)) => self.group_terms(*atom, negated),
            _ => juxtapose(vec![Piece::digits(number)], self.product(factors, negated)),
        }
    }

    /// The terms of a sum in parentheses.
    fn group_terms(&self, group: AtomId, negated: Option<AtomId>) -> Vec<Piece> {
        match self.algebra.atom(group) {
            Atom::Group(inner) if negated == Some(group) => self.pieces(&inner.neg()),
            Atom::Group(inner) => self.pieces(inner),
            _ => unreachable!("it is a group"),
        }
    }

    /// Factors in their usual order: parameters, lengths, roots, sums, speeds, sines and cosines.
    fn ordered_factors(&self, term: &Term) -> Factors {
        let mut factors = term.factors.clone();
        factors.sort_by_key(|(atom, _)| {
            let class = match self.algebra.atom(*atom) {
                Atom::Pi => 0,
                Atom::Call(Function::Sqrt, x) if x.constant().is_some() => 1,
                Atom::Symbol(Symbol::Parameter(_)) => 2,
                Atom::Symbol(Symbol::Time | Symbol::Input(_) | Symbol::Auxiliary(_)) => 3,
                Atom::Symbol(Symbol::Coordinate(_) | Symbol::SolverCoordinate(_)) => 4,
                Atom::Name(_) => 5,
                Atom::Call(Function::Sin | Function::Cos | Function::Tan, _) => 9,
                Atom::Group(_) => 7,
                Atom::Symbol(_) => 8,
                _ => 6,
            };
            let number = if let Atom::Name(k) = self.algebra.atom(*atom) { *k } else { atom.0 };
            (class, number)
        });
        factors
    }

    /// The product of factors.
    fn product(&self, factors: &[(AtomId, i32)], negated: Option<AtomId>) -> Vec<Piece> {
        let power = |(atom, exponent): &(AtomId, i32)| self.power(*atom, *exponent, negated);
        factors.iter().fold(Vec::new(), |product, factor| juxtapose(product, power(factor)))
    }

    /// An atom to a positive power.
    fn power(&self, id: AtomId, exponent: i32, negated: Option<AtomId>) -> Vec<Piece> {
        let index = if exponent == 1 { String::new() } else { format!("^{{{exponent}}}") };
        let wider = if exponent == 1 { 0 } else { 6 };
        let one = |latex: String, width: i64| vec![Piece::new(latex, width + wider)];
        match self.algebra.atom(id) {
            Atom::Pi => one(format!("\\pi{index}"), 10),
            Atom::Symbol(symbol) => {
                let Label { latex, width } = self.symbols.label(*symbol);
                one(format!("{latex}{index}"), *width)
            }
            Atom::Name(k) => {
                let Label { latex, width } = &self.names[*k as usize];
                one(format!("{latex}{index}"), *width)
            }
            Atom::Group(_) => parenthesized(self.group_terms(id, negated), &index),
            Atom::Call(Function::Sqrt, x) if exponent == 1 => {
                let (text, width) = self.text(x);
                vec![Piece::new(format!("\\sqrt{{{text}}}"), width + 10)]
            }
            // √x³ is x to the 3/2.
            Atom::Call(Function::Sqrt, x) => parenthesized(self.pieces(x), &format!("^{{{exponent}/2}}")),
            Atom::Call(f, x) => self.call(*f, x, exponent, &index),
            Atom::Called(f, partial, list) => {
                let (texts, widths): (Vec<String>, Vec<i64>) = list.iter().map(|x| self.text(x)).unzip();
                let name = &self.functions[f.index()][usize::from(partial.value)];
                // ∂₁₂ f is the derivative with respect to the first and the second argument.
                let (before, primes) = match (partial.arguments, partial.order()) {
                    (1, n) => (String::new(), "'".repeat(usize::from(n))),
                    (_, 0) => (String::new(), String::new()),
                    _ => {
                        let path: String = partial.differentiation_arguments().map(|i| (i + 1).to_string()).collect();
                        (format!("\\partial_{{{path}}}"), String::new())
                    }
                };
                let call = format!("{before}{}{primes}({})", name.latex, texts.join(", "));
                let width = widths.iter().sum::<i64>() + name.width + 10 * list.len() as i64;
                if exponent == 1 { one(call, width) } else { parenthesized(one(call, width), &index) }
            }
            Atom::Call2(Function2::Powf, x, y) => {
                let base = if self.is_symbol(x) { self.pieces(x) } else { parenthesized(self.pieces(x), "") };
                let (text, width) = self.text(&y.scale(Number::integer(i128::from(exponent))));
                let mut base = base;
                append(&mut base, &format!("^{{{text}}}"), width * 7 / 10);
                base
            }
            Atom::Call2(f, x, y) => {
                let name = match f {
                    Function2::Min => "\\min",
                    Function2::Max => "\\max",
                    _ => "\\operatorname{atan2}",
                };
                let ((x, wx), (y, wy)) = (self.text(x), self.text(y));
                one(format!("{name}{index}({x}, {y})"), wx + wy + 60)
            }
            Atom::Select(test, list) => {
                let cases = self.cases(*test, list);
                if exponent == 1 { vec![cases] } else { parenthesized(vec![cases], &index) }
            }
        }
    }

    fn call(&self, f: Function, x: &Sum, exponent: i32, index: &str) -> Vec<Piece> {
        let (text, width) = self.text(x);
        let piece = |latex: String, extra: i64| vec![Piece::new(latex, width + extra)];
        let name = match f {
            Function::Abs => return piece(format!("\\lvert {text} \\rvert{index}"), 10),
            Function::Floor => return piece(format!("\\lfloor {text} \\rfloor{index}"), 10),
            // eˣ might be read as a power of a parameter named e.
            Function::Exp => {
                let (text, width) = self.text(&x.scale(Number::integer(i128::from(exponent))));
                return vec![Piece::new(format!("\\exp({text})"), 40 + width)];
            }
            Function::Sin => "\\sin",
            Function::Cos => "\\cos",
            Function::Tan => "\\tan",
            Function::Asin => "\\arcsin",
            Function::Acos => "\\arccos",
            Function::Atan => "\\arctan",
            Function::Sinh => "\\sinh",
            Function::Cosh => "\\cosh",
            Function::Tanh => "\\tanh",
            Function::Ln => "\\ln",
            Function::Signum => "\\operatorname{sgn}",
            Function::Neg | Function::Sqrt => unreachable!("signs are coefficients, roots have a sign of their own"),
        };
        if self.is_symbol(x) {
            let gap = if text.starts_with('\\') { "" } else { " " };
            return piece(format!("{name}{index}{gap}{text}"), 30);
        }
        piece(format!("{name}{index}({text})"), 40)
    }

    fn cases(&self, test: Comparison, list: &[Sum; 4]) -> Piece {
        let sign = match test {
            Comparison::Less => "\\lt",
            Comparison::LessEqual => "\\le",
            Comparison::Equal => "=",
        };
        let [(l, wl), (r, wr), (t, wt), (e, we)] = [0, 1, 2, 3].map(|i: usize| self.text(&list[i]));
        let latex =
            format!("\\begin{{cases}} {t} & \\text{{if }} {l} {sign} {r} \\cr {e} & \\text{{else}} \\end{{cases}}");
        Piece { is_tall: true, ..Piece::new(latex, wl + wr + wt.max(we) + 60) }
    }

    fn text(&self, sum: &Sum) -> (String, i64) {
        let pieces = self.pieces(sum);
        (Piece::join(&pieces), pieces.iter().map(|p| p.width).sum())
    }

    /// Whether a sum is one symbol, which needs no parentheses as an argument.
    fn is_symbol(&self, sum: &Sum) -> bool {
        let [Term { factors, coefficient: Number::ONE }] = &sum.terms[..] else { return false };
        matches!(factors[..], [(atom, 1)] if matches!(self.algebra.atom(atom), Atom::Symbol(_) | Atom::Name(_) | Atom::Pi))
    }
}

fn append(pieces: &mut [Piece], latex: &str, width: i64) {
    if let Some(last) = pieces.last_mut() {
        last.latex.push_str(latex);
        last.width += width;
    }
}

/// (pieces), in parentheses of sufficient size, with line breaks allowed inside.
fn parenthesized(mut pieces: Vec<Piece>, index: &str) -> Vec<Piece> {
    let is_tall = pieces.iter().any(|p| p.is_tall);
    let (open, close) = if is_tall { ("\\Bigl( ", " \\Bigr)") } else { ("(", ")") };
    for piece in &mut pieces {
        piece.depth = piece.depth.map(|d| d + 1);
    }
    pieces[0].latex.insert_str(0, open);
    pieces[0].width += 5;
    append(&mut pieces, &format!("{close}{index}"), if index.is_empty() { 5 } else { 11 });
    pieces
}

/// Concatenates two products, with a space where letters would meet.
fn juxtapose(mut left: Vec<Piece>, mut right: Vec<Piece>) -> Vec<Piece> {
    left.retain(|p| !p.latex.is_empty());
    if left.is_empty() {
        return right;
    }
    if right.is_empty() {
        return left;
    }
    let last = left.last_mut().expect("it is not empty");
    let next = right.remove(0);
    let opens = next.latex.starts_with('(') || next.latex.starts_with("\\Bigl(");
    let is_operator = ["\\sin", "\\cos", "\\tan", "\\ln", "\\arc", "\\exp"].iter().any(|f| next.latex.starts_with(f));
    let gap = if opens || is_operator { if last.latex.ends_with('}') || opens { "" } else { " " } } else { SPACE };
    last.latex.push_str(gap);
    last.latex.push_str(&next.latex);
    last.width += next.width + if gap == SPACE { 3 } else { 0 };
    last.is_tall |= next.is_tall;
    left.extend(right);
    left
}
