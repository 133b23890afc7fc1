//! The Markdown, read back: every number of a document follows from the document alone.

use std::collections::BTreeMap;

use mbs_expr::CalledFunction;

use crate::latex::Symbols;
use crate::{Comparison, State, corpus};

/// Documents that report rounding to six digits are off by 1e-5 of the largest entry at most, where terms of
/// that size cancel to a fifth of it; others are exact.
const ROUNDED: f64 = 2e-5;
const EXACT: f64 = 1e-10;

#[test]
fn formulas_of_the_document_equal_the_computed_functions() {
    let mut comparison = Comparison::default();
    for (name, mechanism) in corpus() {
        let text = mbs_sheet::markdown(mechanism.compiled());
        let tolerance = if text.contains("Numbers are rounded to six digits.") { ROUNDED } else { EXACT };
        let mut random = oorandom::Rand64::new(5);
        for _ in 0..2 {
            let state = State::random(mechanism, &mut random);
            let functions = &mechanism.compiled().model.functions;
            let read = Reading::new(&text, &state, functions).unwrap_or_else(|e| panic!("{name}: {e}"));
            let tree = &mechanism.compiled().tree;
            let (n, rows) = (tree.n(), tree.rows.len());
            let lists = [
                ("position_residuals", read.list("\\Phi", tree.n_position)),
                ("nu", read.list("\\nu", tree.n_velocity)),
                ("gamma", read.list("\\gamma", rows)),
                ("constraint_jacobian", read.matrix("G", rows, n)),
                ("mass_matrix", read.matrix("M", n, n)),
                ("generalized_forces", read.forces(n)),
                ("energy", vec![read.value("T"), read.value("V")]),
                ("auxiliary_rates", read.rates.clone()),
            ];
            for (function, found) in lists {
                if function == "energy" && !mechanism.compiled().model.settings.kernels.energies {
                    continue;
                }
                let expected = state.run(mechanism, function);
                let label = format!("{name} {function}");
                comparison.compare(&label, &found, &expected, tolerance);
            }
        }
    }
    comparison.finish(5_000);
}

/// The formulas of a document, evaluated at a state.
struct Reading {
    values: BTreeMap<String, f64>,
    rates: Vec<f64>,
}

impl Reading {
    fn new(text: &str, state: &State, functions: &[CalledFunction]) -> Result<Reading, String> {
        let mut symbols = Symbols::new(symbols(text, state), functions);
        let mut reading = Reading { values: BTreeMap::new(), rates: Vec::new() };
        let abbreviations = section(text, "Abbreviations");
        for (left, right) in formulas(abbreviations) {
            let value = symbols.evaluate(&right)?;
            symbols.define(&left, value);
        }
        for (_, right) in formulas(section(text, "Rates of the states")) {
            reading.rates.push(symbols.evaluate(&right)?);
        }
        for name in ["Constraints", "Mass matrix M", "Generalised forces Q", "Energies"] {
            for (left, right) in formulas(section(text, name)) {
                if right.starts_with("\\begin{bmatrix}") {
                    reading.read_matrix(&left, &right, &symbols)?;
                } else if left != "Q" {
                    let value = symbols.evaluate(&right)?;
                    reading.values.extend(left.split(" = ").map(|name| (name.to_owned(), value)));
                }
            }
        }
        Ok(reading)
    }

    fn read_matrix(&mut self, letter: &str, text: &str, symbols: &Symbols) -> Result<(), String> {
        let inside = text.trim_start_matches("\\begin{bmatrix}").trim_end_matches("\\end{bmatrix}");
        for (r, row) in inside.split("\\cr").enumerate() {
            for (i, entry) in row.split('&').enumerate() {
                self.values.insert(format!("{letter}_{{{r},{i}}}"), symbols.evaluate(entry)?);
            }
        }
        Ok(())
    }

    /// The value of a named formula, zero if the document does not contain it.
    fn value(&self, name: &str) -> f64 {
        self.values.get(name).copied().unwrap_or(0.0)
    }

    fn list(&self, letter: &str, n: usize) -> Vec<f64> {
        (0..n).map(|i| self.value(&format!("{letter}_{{{i}}}"))).collect()
    }

    fn matrix(&self, letter: &str, rows: usize, columns: usize) -> Vec<f64> {
        let entry = |k: usize| self.value(&format!("{letter}_{{{},{}}}", k / columns, k % columns));
        (0..rows * columns).map(entry).collect()
    }

    /// The sum over all sources.
    fn forces(&self, n: usize) -> Vec<f64> {
        let force = |i: usize| {
            let prefix = format!("Q_{{{i}}}");
            let sources = self.values.iter().filter(|(name, _)| name.starts_with(&prefix));
            sources.map(|(_, value)| value).sum()
        };
        (0..n).map(force).collect()
    }
}

/// Values of the symbols in the tables: coordinates and speeds by their column i, parameters by their column of defaults.
fn symbols(text: &str, state: &State) -> BTreeMap<String, f64> {
    let mut values = BTreeMap::from([("t".to_owned(), state.t)]);
    let latex = |cell: &str| cell.trim().trim_matches('$').to_owned();
    for (i, row) in rows(section(text, "Coordinates")).enumerate() {
        assert_eq!(row[0], i.to_string());
        values.insert(latex(&row[1]), state.q[i]);
        values.insert(latex(&row[3]), state.v[i]);
    }
    for row in rows(section(text, "Parameters")) {
        values.insert(latex(&row[0]), row[2].parse().expect("a default is a number"));
    }
    for (title, list) in [("Inputs", &state.u), ("States", &state.z)] {
        for (row, value) in rows(section(text, title)).zip(list) {
            values.insert(latex(&row[0]), *value);
        }
    }
    values
}

/// The text under a heading.
fn section<'t>(text: &'t str, title: &str) -> &'t str {
    let head = format!("\n## {title}\n");
    let Some((_, rest)) = text.split_once(&head) else { return "" };
    rest.split_once("\n## ").map_or(rest, |s| s.0)
}

/// Cells of a table's rows.
fn rows(section: &str) -> impl Iterator<Item = Vec<String>> + '_ {
    let rows = section.lines().filter(|line| line.starts_with("| ")).skip(1);
    rows.map(|row| row.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect())
}

/// `left = right` of all displays, with lines and columns joined again.
fn formulas(section: &str) -> Vec<(String, String)> {
    let mut list = Vec::new();
    for display in section.split("$$\n").skip(1).step_by(2) {
        if display.contains("\\begin{bmatrix}") {
            list.extend(split(&display.replace('\n', " ")));
            continue;
        }
        let inside = display.replace("\\begin{aligned}", "").replace("\\end{aligned}", "");
        let mut formulas: Vec<String> = Vec::new();
        for line in inside.split("\\cr\n") {
            let line = line.trim().replace('\n', " ");
            match line.strip_prefix("&\\qquad") {
                Some(more) => formulas.last_mut().expect("a formula begins before it continues").push_str(more),
                None => formulas.push(line.replacen("&= ", "= ", 1).trim_start_matches('&').to_owned()),
            }
        }
        list.extend(formulas.iter().flat_map(|f| f.split("\\qquad")).flat_map(split));
    }
    list
}

/// The two sides of a formula, split at the last equals sign before the right-hand side: M₁₀ = M₀₁ = …
fn split(formula: &str) -> Option<(String, String)> {
    let mut at = None;
    let is_name = |text: &str| text.starts_with("M_{") && text.len() < 12;
    for (i, _) in formula.match_indices(" = ") {
        at = Some(i);
        if !is_name(formula[i + 3..].split(" = ").next().unwrap_or("")) {
            break;
        }
    }
    at.map(|i| (formula[..i].trim().to_owned(), formula[i + 3..].trim().to_owned()))
}
