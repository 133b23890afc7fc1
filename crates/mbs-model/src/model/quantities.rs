//! Parameters, inputs, states and algebraic coordinates: what is stored flat.

use crate::{ExprId, Origin};

/// A parameter, input, auxiliary state or algebraic coordinate: scalar, vector or matrix, stored flat, row-major.
#[derive(Clone, Debug)]
pub struct Quantity {
    /// Name as declared, `stiffness` or `link[0]`.
    pub name: String,
    /// Where it is declared.
    pub origin: Origin,
    /// Doc comment.
    pub docs: String,
    /// First flat index.
    pub offset: usize,
    /// `[]` scalar, `[n]` vector, `[m, n]` matrix.
    pub shape: Vec<usize>,
    /// Flat default (parameters), initial value (states, algebraic coordinates), zeros (inputs).
    pub default: Vec<f64>,
    /// What the values must satisfy because of the arguments they are used in.
    pub domain: Domain,
}

impl Quantity {
    /// Number of scalars.
    pub fn size(&self) -> usize {
        self.shape.iter().product()
    }
}

/// What a parameter must satisfy because of the arguments it is used in: checked by generated `new` and `set_params`, whose
/// runtime has the same type under the same name, and by [`Model::outside_domain`](crate::Model::outside_domain).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Domain {
    /// Any finite number.
    #[default]
    Finite,
    /// ≥ 0: masses, inertias, stiffnesses, dampings, lengths.
    NonNegative,
    /// > 0: where zero is refused.
    Positive,
}

impl Domain {
    /// Whether a value lies in it; none that is not finite does.
    pub fn contains(self, value: f64) -> bool {
        value.is_finite()
            && match self {
                Domain::Finite => true,
                Domain::NonNegative => value >= 0.0,
                Domain::Positive => value > 0.0,
            }
    }
}

/// An auxiliary state z with its rate. Discrete ones come last, and have rates of zero.
#[derive(Clone, Debug)]
pub struct Auxiliary {
    /// Name, shape, initial value.
    pub quantity: Quantity,
    /// ż, one per scalar.
    pub rates: Vec<ExprId>,
    /// What changes it.
    pub kind: AuxiliaryKind,
}

impl AuxiliaryKind {
    /// Whether its rate is zero and events change it.
    pub fn is_discrete(&self) -> bool {
        *self != AuxiliaryKind::Continuous
    }
}

/// What changes an auxiliary state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AuxiliaryKind {
    /// Its rate.
    Continuous,
    /// Events, and whoever has the state: numbers.
    Discrete,
    /// The same: 1 for on, 0 for off.
    Switch,
    /// The same: 0, 1, … for these words.
    Choice(Vec<String>),
}
