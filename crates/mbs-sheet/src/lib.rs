//! Prints the mathematics of a mechanism: Φ, G, ν, γ, M, Q and energies in the user's symbols, in Markdown with LaTeX.
//!
//! ```text
//! Compiled
//!    │ roots               Φ, ψ, G, ν, γ, M, Q by source, T, V: nodes of a new graph in interface symbols
//!    │ convert             sums of products of atoms, literals exact
//!    │ simplify            multiplied out, sin² + cos² = 1, addition theorems, common factors: the narrowest form
//!    │ abbreviate          long expressions that occur often get names
//! Sheet                    formulas as trees, which two modules read
//!    ├ evaluate            computes values, which tests compare with the compiled functions
//!    └ latex, markdown     print the text
//! ```
//!
//! The text is a function of the trees alone. Tests compare the values of the trees with the interpreter's, and also read back and evaluate
//! the printed LaTeX (`tests/equations/`).

mod abbreviate;
mod algebra;
mod convert;
mod digits;
mod evaluate;
mod factor;
mod functions;
mod latex;
mod lines;
mod markdown;
mod number;
mod roots;
mod simplify;
mod symbols;
mod trigonometry;
mod width;

use std::collections::{BTreeMap, BTreeSet};

use mbs_compiler::compile::Compiled;
use mbs_compiler::graph::{Graph, Symbol};
use mbs_compiler::interp::Inputs;
use rustc_hash::FxHashMap;

use abbreviate::{Abbreviation, abbreviate};
use algebra::{Algebra, Atom, AtomId, Sum};
use convert::Reader;
use evaluate::Evaluator;
use simplify::Simplifier;
use symbols::Symbols;

pub use roots::Source;

/// The quantity that a formula defines. Indices of rows, coordinates and speeds are those of the generated code, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FormulaId {
    /// Residual Φ of a position row.
    Position(usize),
    /// Residual ψ of a velocity row.
    Velocity(usize),
    /// Entry G\[row, speed\].
    Jacobian(usize, usize),
    /// Right side ν of a row.
    Nu(usize),
    /// Right side γ of a row.
    Gamma(usize),
    /// Entry M\[i, j\], i ≥ j.
    Mass(usize, usize),
    /// Contribution of a source to Q\[i\].
    Force(Source, usize),
    /// Kinetic energy T.
    Kinetic,
    /// Potential energy V.
    Potential,
    /// Rate ż\[i\] of an auxiliary state.
    Rate(usize),
    /// Rate q̇\[i\] of a coordinate, where some speeds are not rates.
    CoordinateRate(usize),
}

/// The formulas of one mechanism, without those that are zero.
pub struct Sheet {
    algebra: Algebra,
    symbols: Symbols,
    /// Absolute angles that are sums of coordinates, with their rates.
    angles: Vec<(Symbol, Sum)>,
    abbreviations: Vec<Abbreviation>,
    formulas: BTreeMap<FormulaId, Sum>,
}

impl Sheet {
    /// Derives, simplifies and abbreviates the formulas of a mechanism.
    pub fn new(compiled: &Compiled) -> Sheet {
        let graph = Graph::with_early_states(compiled.model.positions_read_states());
        let roots = roots::roots(&graph, compiled);
        let mut algebra = Algebra::default();
        let mut symbols = Symbols::new(compiled);
        let mut widths = width::symbol_widths(&mut algebra, &symbols);
        let mut reader = Reader::new(&graph);
        let angles = named_angles(&graph, &roots, &mut algebra, &mut reader);

        let mut raw: Vec<(FormulaId, mbs_compiler::graph::NodeId)> = Vec::new();
        raw.extend(roots.phi.iter().enumerate().map(|(r, x)| (FormulaId::Position(r), *x)));
        let velocity_rows = compiled.tree.n_position..compiled.tree.n_velocity;
        raw.extend(velocity_rows.map(|r| (FormulaId::Velocity(r), roots.psi[r])));
        raw.extend(roots.jacobian.iter().map(|((r, i), x)| (FormulaId::Jacobian(*r, *i), *x)));
        raw.extend(roots.nu.iter().enumerate().map(|(r, x)| (FormulaId::Nu(r), *x)));
        raw.extend(roots.gamma.iter().enumerate().map(|(r, x)| (FormulaId::Gamma(r), *x)));
        raw.extend(roots.mass.iter().map(|((i, j), x)| (FormulaId::Mass(*i, *j), *x)));
        for (source, forces) in &roots.forces {
            raw.extend(forces.iter().enumerate().map(|(i, x)| (FormulaId::Force(*source, i), *x)));
        }
        raw.extend([(FormulaId::Kinetic, roots.kinetic), (FormulaId::Potential, roots.potential)]);
        raw.extend(roots.rates.iter().enumerate().map(|(i, x)| (FormulaId::Rate(i), *x)));
        raw.extend(roots.coordinate_rates.iter().enumerate().map(|(i, x)| (FormulaId::CoordinateRate(i), *x)));

        let read: Vec<(FormulaId, Sum)> =
            raw.into_iter().map(|(id, x)| (id, reader.formula(&mut algebra, x))).collect();
        let definitions: FxHashMap<AtomId, Sum> =
            angles.iter().map(|(s, x)| (algebra.intern(Atom::Symbol(*s)), x.clone())).collect();
        let mut simplifier = Simplifier::new(&mut algebra, &mut widths, definitions);
        let simplified = read.into_iter().map(|(id, sum)| {
            let sum = simplifier.simplify(&sum);
            (id, simplifier.fold_constants(&sum))
        });
        let mut formulas: BTreeMap<FormulaId, Sum> = simplified.filter(|(_, sum)| !sum.is_zero()).collect();
        let mut all: Vec<&mut Sum> = formulas.values_mut().collect();
        let abbreviations = abbreviate(&mut algebra, &mut widths, &mut symbols, &mut all);
        Sheet { algebra, symbols, angles, abbreviations, formulas }
    }

    /// Value of a formula at a state with its parameters; zero if there is no such formula.
    pub fn value(&self, id: FormulaId, at: &Inputs<'_>) -> f64 {
        self.formulas.get(&id).map_or(0.0, |sum| Evaluator::new(self, at).sum(sum))
    }

    /// Named angles that occur in a formula or an abbreviation.
    fn used_angles(&self) -> BTreeSet<Symbol> {
        let definitions = self.abbreviations.iter().map(|a| &a.definition);
        let mut stack: Vec<AtomId> = Vec::new();
        let visit = |stack: &mut Vec<AtomId>, sum: &Sum| {
            stack.extend(sum.terms.iter().flat_map(|t| &t.factors).map(|f| f.0));
        };
        self.formulas.values().chain(definitions).for_each(|sum| visit(&mut stack, sum));
        let (mut seen, mut used) = (BTreeSet::new(), BTreeSet::new());
        while let Some(id) = stack.pop() {
            if !seen.insert(id) {
                continue;
            }
            match self.algebra.atom(id) {
                Atom::Symbol(s) => used.extend(Some(*s)),
                _ => self.algebra.parts(id).iter().for_each(|part| visit(&mut stack, part)),
            }
        }
        used
    }

    /// Quantities that have a formula, in order.
    pub fn formula_ids(&self) -> impl Iterator<Item = FormulaId> + '_ {
        self.formulas.keys().copied()
    }
}

/// Names every absolute angle that is a sum of coordinates, and its rate.
fn named_angles(
    graph: &Graph,
    roots: &roots::Roots,
    algebra: &mut Algebra,
    reader: &mut Reader<'_>,
) -> Vec<(Symbol, Sum)> {
    let mut plain = Reader::new(graph);
    let mut angles = Vec::new();
    for (i, pair) in roots.solver.iter().enumerate() {
        let i = i as u32;
        let symbols = [Symbol::SolverCoordinate(i), Symbol::SolverSpeed(i)];
        for (node, symbol) in pair.iter().zip(symbols) {
            let sum = plain.formula(algebra, *node);
            let is_angle = roots.angles.contains(&(i as usize));
            if is_angle && sum.terms.len() > 1 {
                reader.name(algebra, *node, symbol);
                angles.push((symbol, sum));
            }
        }
    }
    angles
}

/// Largest number of symbols and numbers in formulas that are simplified: larger ones would take minutes and would be unreadable.
pub const MOST_SYMBOLS: f64 = 1e6;

/// Number of symbols and numbers in the formulas of a mechanism as they are derived, with repeated expressions counted each time. Where
/// iterations are nested, as for the nearest points of terrain, it exceeds [`MOST_SYMBOLS`].
pub fn expanded_size(compiled: &Compiled) -> f64 {
    let graph = Graph::with_early_states(compiled.model.positions_read_states());
    let all = roots::roots(&graph, compiled).nodes();
    let mut lengths: FxHashMap<mbs_compiler::graph::NodeId, f64> = FxHashMap::default();
    for id in graph.reachable(&all) {
        let inside: f64 = graph.node(id).operands().map(|operand| lengths[&operand]).sum();
        lengths.insert(id, inside.max(1.0));
    }
    all.iter().map(|root| lengths[root]).sum()
}

/// The document of a planar mechanism as Markdown: see [`Sheet`]. If [`expanded_size`] exceeds [`MOST_SYMBOLS`], it takes minutes.
pub fn markdown(compiled: &Compiled) -> String {
    markdown::write(compiled, &Sheet::new(compiled))
}
