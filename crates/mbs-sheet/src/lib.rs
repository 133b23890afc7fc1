//! Prints the mathematics of a mechanism: Φ, G, ν, γ, M, Q and energies in the user's symbols, in Markdown with LaTeX.
//!
//! ```text
//! Compiled
//!    │ roots               Φ, ψ, G, ν, γ, M, Q by source, T, V: nodes of a fresh graph in interface symbols
//!    │ convert             sums of products of atoms, literals exact
//!    │ simplify            multiplied out, sin² + cos² = 1, addition theorems, common factors: the narrowest form
//!    │ abbreviate          what is long and occurs often gets a name
//! Sheet                    formulas as trees: two readers
//!    ├ evaluate            numbers, which tests compare with the compiled functions
//!    └ latex, markdown     prints them
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

/// Quantity that a formula defines. Rows and coordinates are numbered as in the generated code, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// Φ of a position row.
    Position(usize),
    /// ψ of a velocity row.
    Velocity(usize),
    /// G\[row, speed\].
    Jacobian(usize, usize),
    /// ν of a row.
    Nu(usize),
    /// γ of a row.
    Gamma(usize),
    /// M\[i, j\], i ≥ j.
    Mass(usize, usize),
    /// Contribution of a source to Q\[i\].
    Force(Source, usize),
    /// Kinetic energy.
    Kinetic,
    /// Potential energy.
    Potential,
    /// ż\[i\].
    Rate(usize),
    /// q̇\[i\], where some speeds are not rates.
    CoordinateRate(usize),
}

/// The formulas of one mechanism. Formulas that are zero are left out.
pub struct Sheet {
    algebra: Algebra,
    symbols: Symbols,
    /// Absolute angles that are sums of coordinates, with their rates.
    angles: Vec<(Symbol, Sum)>,
    abbreviations: Vec<Abbreviation>,
    formulas: BTreeMap<Place, Sum>,
}

impl Sheet {
    /// Derives, simplifies and abbreviates the formulas of a mechanism.
    pub fn new(compiled: &Compiled) -> Sheet {
        let graph = Graph::with_early_states(compiled.model.states_place());
        let roots = roots::roots(&graph, compiled);
        let mut algebra = Algebra::default();
        let mut symbols = Symbols::new(compiled);
        let mut widths = width::of_symbols(&mut algebra, &symbols);
        let mut reader = Reader::new(&graph);
        let angles = named_angles(&graph, &roots, &mut algebra, &mut reader);

        let mut raw: Vec<(Place, mbs_compiler::graph::NodeId)> = Vec::new();
        raw.extend(roots.phi.iter().enumerate().map(|(r, x)| (Place::Position(r), *x)));
        let velocity_rows = compiled.tree.n_position..compiled.tree.n_velocity;
        raw.extend(velocity_rows.map(|r| (Place::Velocity(r), roots.psi[r])));
        raw.extend(roots.jacobian.iter().map(|((r, i), x)| (Place::Jacobian(*r, *i), *x)));
        raw.extend(roots.nu.iter().enumerate().map(|(r, x)| (Place::Nu(r), *x)));
        raw.extend(roots.gamma.iter().enumerate().map(|(r, x)| (Place::Gamma(r), *x)));
        raw.extend(roots.mass.iter().map(|((i, j), x)| (Place::Mass(*i, *j), *x)));
        for (source, forces) in &roots.forces {
            raw.extend(forces.iter().enumerate().map(|(i, x)| (Place::Force(*source, i), *x)));
        }
        raw.extend([(Place::Kinetic, roots.kinetic), (Place::Potential, roots.potential)]);
        raw.extend(roots.rates.iter().enumerate().map(|(i, x)| (Place::Rate(i), *x)));
        raw.extend(roots.coordinate_rates.iter().enumerate().map(|(i, x)| (Place::CoordinateRate(i), *x)));

        let read: Vec<(Place, Sum)> = raw.into_iter().map(|(p, x)| (p, reader.read(&mut algebra, x))).collect();
        let definitions: FxHashMap<AtomId, Sum> =
            angles.iter().map(|(s, x)| (algebra.intern(Atom::Symbol(*s)), x.clone())).collect();
        let mut simplifier = Simplifier::new(&mut algebra, &mut widths, definitions);
        let simplified = read.into_iter().map(|(place, sum)| {
            let sum = simplifier.simplify(&sum);
            (place, simplifier.fold_constants(&sum))
        });
        let mut formulas: BTreeMap<Place, Sum> = simplified.filter(|(_, sum)| !sum.is_zero()).collect();
        let mut all: Vec<&mut Sum> = formulas.values_mut().collect();
        let abbreviations = abbreviate(&mut algebra, &mut widths, &mut symbols, &mut all);
        Sheet { algebra, symbols, angles, abbreviations, formulas }
    }

    /// Value of a formula at a state, parameters included; 0 if it is left out.
    pub fn value(&self, place: Place, at: &Inputs<'_>) -> f64 {
        self.formulas.get(&place).map_or(0.0, |sum| Evaluator::new(self, at).sum(sum))
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

    /// Places that have a formula, in order.
    pub fn places(&self) -> impl Iterator<Item = Place> + '_ {
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
            let sum = plain.read(algebra, *node);
            let is_angle = roots.turns.contains(&(i as usize));
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

/// Number of symbols and numbers in the formulas of a mechanism as they are derived, written out: repeated expressions count each time.
/// Where iterations are substituted into each other, as for the nearest points of terrain, it exceeds [`MOST_SYMBOLS`].
pub fn written_out(compiled: &Compiled) -> f64 {
    let graph = Graph::with_early_states(compiled.model.states_place());
    let all = roots::roots(&graph, compiled).all();
    let mut lengths: FxHashMap<mbs_compiler::graph::NodeId, f64> = FxHashMap::default();
    for id in graph.reachable(&all) {
        let inside: f64 = graph.node(id).operands().map(|operand| lengths[&operand]).sum();
        lengths.insert(id, inside.max(1.0));
    }
    all.iter().map(|root| lengths[root]).sum()
}

/// The Markdown of a planar mechanism: see [`Sheet`]. It takes long beyond [`MOST_SYMBOLS`].
pub fn markdown(compiled: &Compiled) -> String {
    markdown::write(compiled, &Sheet::new(compiled))
}
