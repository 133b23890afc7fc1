//! Domains of parameters.

/// Condition that a parameter must satisfy because of the arguments in which it is used. Generated `new` and `set_params`, the interpreter
/// and the engine check it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Domain {
    /// Any finite number.
    #[default]
    Finite,
    /// Finite and ≥ 0: masses, inertias, stiffnesses, dampings.
    NonNegative,
    /// Finite and > 0: lengths.
    Positive,
}

impl Domain {
    /// Whether a value lies in it.
    pub fn contains(self, value: f64) -> bool {
        value.is_finite()
            && match self {
                Domain::Finite => true,
                Domain::NonNegative => value >= 0.0,
                Domain::Positive => value > 0.0,
            }
    }
}
