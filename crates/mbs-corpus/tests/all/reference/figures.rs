//! Results of a comparison: a line for the worst of each quantity, and the verdict.

use std::fmt::Write;
use std::time::Instant;

/// How exact reference values are.
#[derive(Clone, Copy)]
pub enum Accuracy {
    /// In the unit of the quantity.
    Absolute(f64),
    /// Times the largest value.
    Relative(f64),
}

impl Accuracy {
    /// max(stated accuracy, 1e-12 × scale), scale the largest of some reference values.
    pub fn tolerance(self, reference: &[f64]) -> f64 {
        let scale = reference.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
        let stated = match self {
            Accuracy::Absolute(accuracy) => accuracy,
            Accuracy::Relative(accuracy) => accuracy * scale,
        };
        stated.max(1e-12 * scale)
    }
}

/// One line of the table: the worst of a quantity.
pub struct Line {
    /// Name.
    pub quantity: String,
    /// Largest miss.
    pub error: f64,
    /// Largest one allowed.
    pub tolerance: f64,
    /// Change by tighter tolerances of the integrator.
    pub change: f64,
}

impl Line {
    fn holds(&self) -> bool {
        self.error <= self.tolerance
    }

    /// Error in units of the tolerance, NaN counted as infinite.
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
    /// None yet.
    pub fn new(case: &str, coordinates: &str) -> Self {
        Figures { title: format!("{case}, {coordinates}"), lines: Vec::new(), start: Instant::now() }
    }

    /// Adds a line. Quantities of one name share one, the worst of them.
    pub fn push(&mut self, line: Line) {
        match self.lines.iter_mut().find(|l| l.quantity == line.quantity) {
            Some(old) if old.ratio() >= line.ratio() => {}
            Some(old) => *old = line,
            None => self.lines.push(line),
        }
    }

    /// A figure that is no run's.
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
            let verdict = if line.holds() { "" } else { "  FAILS" };
            let _ = writeln!(
                table,
                "    {quantity:<28} error {error:8.1e}   tolerance {tolerance:8.1e}   change {change:8.1e}{verdict}"
            );
        }
        print!("{table}");
        assert!(self.lines.iter().all(Line::holds), "{table}");
    }
}

/// The largest difference of two columns; NaN if one of them is.
pub fn largest_difference(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).fold(0.0, |m: f64, (a, b)| if m.is_nan() || (a - b).abs() <= m { m } else { (a - b).abs() })
}
