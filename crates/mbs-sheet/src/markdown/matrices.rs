//! Prints matrices, and the right side Q of M a + Gᵀ λ = Q.

use std::collections::BTreeSet;

use mbs_model::Load;

use super::Document;
use crate::lines::{self, Formula, Piece};
use crate::symbols::subscript;
use crate::{FormulaId, Source};

/// Largest number of columns, and largest width in tenths of a letter, of a matrix that is printed as such.
const MOST_COLUMNS: usize = 5;
const WIDEST: i64 = 850;

impl Document<'_> {
    pub(super) fn mass(&mut self) {
        let n = self.compiled.tree.n();
        self.section("Mass matrix M");
        self.matrix("M", n, n, &|i, j| FormulaId::Mass(i.max(j), i.min(j)));
    }

    /// Prints a small matrix in brackets, a large one as a list of nonzero entries; of M it lists the lower triangle.
    pub(super) fn matrix(&mut self, letter: &str, rows: usize, columns: usize, id: &dyn Fn(usize, usize) -> FormulaId) {
        let sheet = self.sheet;
        let entry = |r: usize, i: usize| sheet.formulas.get(&id(r, i));
        let pieces = |r: usize, i: usize| entry(r, i).map_or(vec![Piece::new("0", 10)], |x| self.writer.pieces(x));
        let width = |r: usize, i: usize| pieces(r, i).iter().map(|p| p.width).sum::<i64>();
        let total: i64 = (0..columns).map(|i| 20 + (0..rows).map(|r| width(r, i)).max().unwrap_or(0)).sum();
        if rows * columns > 1 && columns <= MOST_COLUMNS && rows <= 2 * MOST_COLUMNS && total <= WIDEST {
            let line = |r: usize| (0..columns).map(|i| Piece::join(&pieces(r, i))).collect::<Vec<_>>().join(" & ");
            let lines: Vec<String> = (0..rows).map(line).collect();
            let text = format!("$$\n{letter} = \\begin{{bmatrix}}\n{}\n\\end{{bmatrix}}\n$$", lines.join(" \\cr\n"));
            self.line(text);
            return;
        }
        let is_symmetric = letter == "M";
        let mut lines = Vec::new();
        for r in 0..rows {
            let last = if is_symmetric { r + 1 } else { columns };
            let formulas = (0..last).filter_map(|i| {
                let has_transpose = is_symmetric && i != r;
                let transposed = if has_transpose { format!(" = {letter}_{{{i},{r}}}") } else { String::new() };
                let left = format!("{letter}_{{{r},{i}}}{transposed}");
                Some(self.formula(left, if has_transpose { 80 } else { 30 }, entry(r, i)?))
            });
            lines.extend(lines::packed_rows(&formulas.collect::<Vec<_>>()));
        }
        if lines.is_empty() {
            return self.line(format!("${letter} = 0$."));
        }
        match is_symmetric {
            _ if rows * columns == 1 => {}
            true => self.line("Symmetric; the entries that are not zero, row by row:\n"),
            false => self.line("The entries that are not zero, row by row:\n"),
        }
        self.text.push_str(&lines::display(&lines));
    }

    /// Prints Q by its sources.
    pub(super) fn forces(&mut self) {
        self.section("Generalised forces Q");
        let sources = self.sheet.formulas.keys().filter_map(|id| match id {
            FormulaId::Force(source, _) => Some(*source),
            _ => None,
        });
        let sources: BTreeSet<Source> = sources.collect();
        match sources.len() {
            0 => self.line("$Q = 0$: no loads, and no terms quadratic in speeds."),
            1 => sources.iter().for_each(|source| self.force(*source, "")),
            _ => {
                let part = |(k, source): (usize, &Source)| {
                    let plus = if k == 0 { "" } else { "+ " };
                    let name = self.name(*source);
                    let width = 30 + 6 * name.len() as i64;
                    Piece { depth: Some(0), ..Piece::new(format!("{plus}Q^{{{name}}}"), width) }
                };
                let right = sources.iter().enumerate().map(part).collect();
                self.display(&[Formula { left: "Q".to_owned(), width: 10, right }]);
                for source in sources {
                    self.line("");
                    self.force(source, &format!("^{{{}}}", self.name(source)));
                }
            }
        }
    }

    /// Prints the contribution of a source to Q, with an upper index.
    fn force(&mut self, source: Source, index: &str) {
        let entry = |i: usize| {
            let sum = self.sum(FormulaId::Force(source, i))?;
            Some(self.formula(format!("Q_{{{i}}}{index}"), 80, sum))
        };
        let formulas: Vec<Formula> = (0..self.compiled.tree.n()).filter_map(entry).collect();
        let title = match source {
            Source::Velocity => "Terms quadratic in speeds".to_owned(),
            Source::Gravity => "Gravity".to_owned(),
            Source::Force(k) => {
                let force = &self.compiled.model.loads.forces[k];
                let is_potential = force.loads.iter().all(|load| matches!(load, Load::Potential(_)));
                format!("{} `{}`", if is_potential { "Potential" } else { "Force" }, force.name)
            }
        };
        self.line(format!("{title}; the entries that are not zero:\n"));
        self.display(&formulas);
    }

    /// The upper index of a source, which differs from the names of forces.
    fn name(&self, source: Source) -> String {
        let forces = &self.compiled.model.loads.forces;
        let unique =
            |name: &str| if forces.iter().any(|f| f.name == name) { format!("{name} terms") } else { name.into() };
        match source {
            Source::Velocity => subscript(&unique("velocity")),
            Source::Gravity => subscript(&unique("gravity")),
            Source::Force(k) => subscript(&forces[k].name),
        }
    }
}
