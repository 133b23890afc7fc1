//! Evaluates formulas: the trees that are printed.

use std::collections::BTreeMap;

use mbs_compiler::graph::Symbol;
use mbs_compiler::interp::Inputs;
use mbs_expr::Function2;

use super::Sheet;
use super::algebra::{Algebra, Atom, AtomId, Sum};

/// Computes values at one state.
pub struct Evaluator<'s> {
    sheet: &'s Sheet,
    at: &'s Inputs<'s>,
    known: BTreeMap<AtomId, f64>,
}

impl<'s> Evaluator<'s> {
    pub fn new(sheet: &'s Sheet, at: &'s Inputs<'s>) -> Self {
        Evaluator { sheet, at, known: BTreeMap::new() }
    }

    pub fn sum(&mut self, sum: &Sum) -> f64 {
        let mut total = 0.0;
        for term in &sum.terms {
            let mut product = term.coefficient.to_f64();
            for (atom, exponent) in &term.factors {
                product *= self.atom(*atom).powi(*exponent);
            }
            total += product;
        }
        total
    }

    fn atom(&mut self, id: AtomId) -> f64 {
        if let Some(value) = self.known.get(&id) {
            return *value;
        }
        let sheet = self.sheet;
        let algebra: &Algebra = &sheet.algebra;
        let value = match algebra.atom(id) {
            Atom::Pi => std::f64::consts::PI,
            Atom::Symbol(symbol) => self.symbol(*symbol),
            Atom::Name(k) => self.sum(&sheet.abbreviations[*k as usize].definition),
            Atom::Group(x) => self.sum(x),
            Atom::Call(f, x) => f.apply(self.sum(x)),
            Atom::Called(f, partial, list) => {
                let x: Vec<f64> = list.iter().map(|x| self.sum(x)).collect();
                self.at.functions.get(f.index()).map_or(f64::NAN, |f| f.partial(*partial, &x))
            }
            Atom::Call2(f, x, y) => Function2::apply(*f, self.sum(x), self.sum(y)),
            Atom::Select(test, list) => {
                let [l, r, t, e] = &**list;
                if test.apply(self.sum(l), self.sum(r)) { self.sum(t) } else { self.sum(e) }
            }
        };
        self.known.insert(id, value);
        value
    }

    fn symbol(&mut self, symbol: Symbol) -> f64 {
        let element = |array: &[f64], i: u32| array[i as usize];
        match symbol {
            Symbol::Parameter(i) => element(self.at.p, i),
            Symbol::Time => self.at.t,
            Symbol::Coordinate(i) => element(self.at.q, i),
            Symbol::Speed(i) => element(self.at.v, i),
            Symbol::Acceleration(i) => element(self.at.a, i),
            Symbol::Auxiliary(i) => element(self.at.z, i),
            Symbol::Input(i) => element(self.at.u, i),
            Symbol::Multiplier(i) => element(self.at.lambda, i),
            Symbol::Force(i) => element(self.at.f, i),
            Symbol::Target(i) => element(self.at.g, i),
            Symbol::Step => self.at.h,
            Symbol::StageCoefficient(i) => element(self.at.coefficients, i),
            Symbol::Residual(i) => element(self.at.residual, i),
            Symbol::SolverCoordinate(_)
            | Symbol::SolverSpeed(_)
            | Symbol::SolverAcceleration(_)
            | Symbol::Reaction(_)
            | Symbol::PrescribedLoad(_)
            | Symbol::Defined(_)
            | Symbol::Operand(_) => {
                let sheet = self.sheet;
                let definition = sheet.angles.iter().find(|a| a.0 == symbol);
                definition.map_or(f64::NAN, |(_, definition)| self.sum(definition))
            }
        }
    }
}
