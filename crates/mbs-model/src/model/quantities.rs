//! Parameters, inputs, states and algebraic coordinates, all stored flat.

pub use mbs_core::Domain;

use mbs_definition::Origin;
use mbs_expr::ExprId;

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
    /// Domain of the values, which follows from the arguments in which they are used.
    pub domain: Domain,
}

impl Quantity {
    /// Number of scalars.
    pub fn size(&self) -> usize {
        self.shape.iter().product()
    }
}

/// An auxiliary state z with its rate. Discrete states are the last ones and have zero rates.
#[derive(Clone, Debug)]
pub struct Auxiliary {
    /// Name, shape, initial value.
    pub quantity: Quantity,
    /// ż, one per scalar.
    pub rates: Vec<ExprId>,
    /// Whether its rate or events change it.
    pub kind: AuxiliaryKind,
}

impl AuxiliaryKind {
    /// Whether its rate is zero and events change it.
    pub fn is_discrete(&self) -> bool {
        *self != AuxiliaryKind::Continuous
    }
}

/// Kinds of auxiliary states, by how they change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AuxiliaryKind {
    /// A state that changes by its rate.
    Continuous,
    /// A number that events and the user of the state change.
    Discrete,
    /// As [`Self::Discrete`]: 1 for on, 0 for off.
    Switch,
    /// As [`Self::Discrete`]: 0, 1, … for these words.
    Choice(Vec<String>),
}
