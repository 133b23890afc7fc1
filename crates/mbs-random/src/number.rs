//! Numbers as a declaration writes them.

/// Notation of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// A literal where it is used.
    Literal,
    /// A `const` that is declared for it.
    Constant,
    /// A `param` that is declared for it.
    Parameter,
    /// `2 * p` with a `param` of half the value.
    Doubled,
}

/// A number with its style.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Number {
    /// The value.
    pub value: f64,
    /// Its notation.
    pub style: Style,
}

impl Number {
    /// A number written as a literal.
    pub fn literal(value: f64) -> Self {
        Number { value, style: Style::Literal }
    }

    /// Another value in the same style.
    pub fn with_value(self, value: f64) -> Self {
        Number { value, ..self }
    }
}

/// The shortest text of a literal that is read as the number.
pub fn digits(x: f64) -> String {
    if x == 0.0 { "0".to_owned() } else { format!("{x:?}").trim_end_matches(".0").to_owned() }
}
