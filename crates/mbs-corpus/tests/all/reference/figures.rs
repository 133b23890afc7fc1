//! Results of a comparison: a line with the largest error of each quantity, and the verdict.

use std::fmt::Write;
use std::time::Instant;

/// Accuracy of reference values.
#[derive(Clone, Copy)]
pub enum Accuracy {
    /// In the unit of the quantity.
    Absolute(f64),
    /// Relative to the largest value.
    Relative(f64),
}

impl Accuracy {
    /// max(stated accuracy, 1e-12 × scale) with the largest of the reference values as scale.
    pub fn tolerance(self, reference: &[f64]) -> f64 {
        let scale = reference.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
        let stated = match self {
            Accuracy::Absolute(accuracy) => accuracy,
            Accuracy::Relative(accuracy) => accuracy * scale,
        };
        stated.max(1e-12 * scale)
    }
}

/// One line of the table: the largest error of a quantity.
pub struct Line {
    /// Name.
    pub quantity: String,
    /// Largest error.
    pub error: f64,
    /// Largest allowed error.
    pub tolerance: f64,
    /// Change with tighter tolerances of the integrator.
    pub change: f64,
}

impl Line {
    fn is_within_tolerance(&self) -> bool {
        self.error <= self.tolerance
    }

    /// Error relative to the tolerance; NaN counts as infinite.
    fn ratio(&self) -> f64 {
        if self.error == 0.0 {
            0.0
        } else {
            (self.error / self.tolerance).abs().max(f64::from(self.error.is_nan()) * 1e300)
        }
    }
}

/// The lines of one comparison.
pub struct Figures {
    title: String,
    lines: Vec<Line>,
    start: Instant,
}

impl Figures {
    /// Creates an empty table.
    pub fn new(case: &str, coordinates: &str) -> Self {
        Figures { title: format!("{case}, {coordinates}"), lines: Vec::new(), start: Instant::now() }
    }

    /// Adds a line. Quantities of one name share the line with the largest error.
    pub fn push(&mut self, line: Line) {
        match self.lines.iter_mut().find(|l| l.quantity == line.quantity) {
            Some(old) if old.ratio() >= line.ratio() => {}
            Some(old) => *old = line,
            None => self.lines.push(line),
        }
    }

    /// Adds a comparison of values that do not come from a run.
    pub fn compare(&mut self, quantity: &str, accuracy: Accuracy, reference: &[f64], values: &[f64]) {
        assert_eq!(values.len(), reference.len(), "{quantity}: one value per reference value");
        let tolerance = accuracy.tolerance(reference);
        self.push(Line {
            quantity: quantity.to_owned(),
            error: largest_difference(values, reference),
            tolerance,
            change: 0.0,
        });
    }

    /// Prints the figures and fails if one of them is above its tolerance.
    pub fn finish(self, effort: &str) {
        let seconds = self.start.elapsed().as_secs_f64();
        let mut table = format!("{}: {effort}, {seconds:.2} s\n", self.title);
        for line in &self.lines {
            let Line { quantity, error, tolerance, change } = line;
            let verdict = if line.is_within_tolerance() { "" } else { "  FAILS" };
            let _ = writeln!(
                table,
                "    {quantity:<28} error {error:8.1e}   tolerance {tolerance:8.1e}   change {change:8.1e}{verdict}"
            );
        }
        print!("{table}");
        assert!(self.lines.iter().all(Line::is_within_tolerance), "{table}");
    }
}

/// The largest difference of two columns; NaN if one of them contains a NaN.
pub fn largest_difference(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).fold(0.0, |m: f64, (a, b)| if m.is_nan() || (a - b).abs() <= m { m } else { (a - b).abs() })
}
