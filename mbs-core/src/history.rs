//! The last residuals of an iteration.

use core::fmt;

use crate::Real;

/// The last residuals of an iteration that did not converge, at most [`History::LENGTH`] of them; nothing is allocated.
///
/// Residuals that decrease steadily show that more iterations are needed; those that stay or grow, that the step is too long.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct History<T: Real = f64> {
    /// The residuals, oldest first; zeros after them.
    values: [T; 6],
    count: usize,
}

impl<T: Real> History<T> {
    /// Largest number of residuals that are stored.
    pub const LENGTH: usize = 6;

    /// An empty history.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a residual, and drops the oldest if the history is full.
    pub fn push(&mut self, residual: T) {
        if self.count == Self::LENGTH {
            self.values.rotate_left(1);
            self.count -= 1;
        }
        self.values[self.count] = residual;
        self.count += 1;
    }

    /// The residuals, oldest first.
    pub fn residuals(&self) -> &[T] {
        &self.values[..self.count]
    }
}

/// Nothing for fewer than two residuals, else those before the last: ` (before: 2.0e-1, 1.0e-1)`.
impl<T: Real> fmt::Display for History<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some((_, [first, rest @ ..])) = self.residuals().split_last() else { return Ok(()) };
        write!(f, " (before: {:.1e}", first.to_f64())?;
        for residual in rest {
            write!(f, ", {:.1e}", residual.to_f64())?;
        }
        write!(f, ")")
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::History;
    use std::string::ToString;

    #[test]
    fn the_last_residuals_are_kept_in_order() {
        let mut history = History::<f64>::new();
        assert_eq!((history.residuals(), history.to_string()), (&[][..], "".into()));
        history.push(9.0);
        assert_eq!(history.to_string(), "");
        (0..8).for_each(|i| history.push(0.5_f64.powi(i)));
        assert_eq!(history.residuals(), [0.25, 0.125, 0.0625, 0.03125, 0.015625, 0.0078125]);
        assert_eq!(history.to_string(), " (before: 2.5e-1, 1.2e-1, 6.2e-2, 3.1e-2, 1.6e-2)");
    }
}
