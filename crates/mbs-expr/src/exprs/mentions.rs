//! Quantities that occur in an expression, and its number of rates.

/// Quantities that occur in an expression. They are recorded when a node is added.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mentions {
    /// Highest time derivative of a quantity that depends on the configuration: 0 position, 1 velocity, 2 acceleration; `None` if there is no
    /// such quantity. Multipliers and reactions count as 2.
    pub order: Option<u8>,
    /// A parameter, or a function that is set at run time.
    pub parameter: bool,
    /// An input u.
    pub input: bool,
    /// An auxiliary state z.
    pub auxiliary: bool,
    /// Time itself.
    pub time: bool,
    /// A multiplier λ, or a reaction.
    pub multiplier: bool,
    /// The rate of an expression that contains an input.
    pub input_rate: bool,
    /// Greatest depth of nested rates.
    pub rates: u8,
    /// Highest time derivative of an auxiliary state: 0 for the state itself, and if there is none.
    pub auxiliary_rates: u8,
    /// A Rust function: its value is known at run time only.
    pub opaque: bool,
}

impl Mentions {
    /// Whether time and parameters are the only quantities.
    pub fn is_of_time(self) -> bool {
        self.order.is_none() && !self.input && !self.auxiliary && !self.multiplier
    }

    /// Quantities that occur in at least one of two expressions.
    pub(super) fn union(self, other: Mentions) -> Mentions {
        Mentions {
            order: self.order.max(other.order),
            parameter: self.parameter || other.parameter,
            input: self.input || other.input,
            auxiliary: self.auxiliary || other.auxiliary,
            time: self.time || other.time,
            multiplier: self.multiplier || other.multiplier,
            input_rate: self.input_rate || other.input_rate,
            rates: self.rates.max(other.rates),
            auxiliary_rates: self.auxiliary_rates.max(other.auxiliary_rates),
            opaque: self.opaque || other.opaque,
        }
    }
}
