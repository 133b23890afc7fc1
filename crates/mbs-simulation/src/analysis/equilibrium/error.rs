//! Errors of the search for an equilibrium.

use std::fmt;

use mbs_core::Error;

/// Reason why a mechanism has no equilibrium, with the names of its declaration.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub enum NoEquilibrium {
    /// No stiffness balances the load of a degree of freedom, which accelerates.
    Unbalanced {
        /// The coordinate or auxiliary state that accelerates most.
        name: String,
        /// Its acceleration or rate where the search ended.
        rate: f64,
        /// Largest |v̇|, |ż| and |ψ| before each iteration.
        residuals: Vec<f64>,
    },
    /// A row prescribes an acceleration at this time, so that rest is impossible.
    Moving {
        /// The row.
        row: String,
        /// The prescribed acceleration.
        acceleration: f64,
        /// The time \[s\].
        t: f64,
    },
    /// A row of velocities prescribes a speed in every configuration.
    Running {
        /// The row.
        row: String,
        /// The prescribed speed: ν of ψ = G v − ν.
        speed: f64,
        /// The time \[s\].
        t: f64,
    },
    /// The steps did not converge: there is no equilibrium, or it is far away.
    NotConverged {
        /// The coordinate or auxiliary state that the next step would change most.
        name: String,
        /// Largest |v̇|, |ż| and |ψ| before each iteration.
        residuals: Vec<f64>,
    },
    /// An evaluation failed: the pose is singular, no pose satisfies the rows, or the mechanism has no derivatives.
    Run(Error),
}

impl From<Error> for NoEquilibrium {
    fn from(error: Error) -> Self {
        NoEquilibrium::Run(error)
    }
}

/// Writes the text of `Display`, so that a `main` that returns the error prints it.
impl fmt::Debug for NoEquilibrium {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for NoEquilibrium {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoEquilibrium::Unbalanced { name, rate, .. } => {
                write!(f, "nothing keeps `{name}` at rest: it accelerates or runs at {rate:.3e}, whatever its value")
            }
            NoEquilibrium::Moving { row, acceleration, t } => {
                write!(f, "`{row}` prescribes an acceleration of {acceleration:.3e} at t = {t}: nothing rests then")
            }
            NoEquilibrium::Running { row, speed, t } => {
                write!(f, "`{row}` asks for a speed of {speed:.3e} at t = {t}: nothing rests then")
            }
            NoEquilibrium::NotConverged { name, residuals } => {
                let (count, last) = (residuals.len(), residuals.last().copied().unwrap_or(f64::NAN));
                write!(f, "no equilibrium after {count} iterations: accelerations of {last:.3e} are left, ")?;
                write!(f, "`{name}` would go furthest; start nearer, or ask for a stable one")
            }
            NoEquilibrium::Run(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for NoEquilibrium {}
