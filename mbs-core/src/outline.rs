//! Curves that bodies are drawn with: data for pictures, no mechanics.

/// A curve that a body is drawn with: [`Describe::outline`](crate::Describe::outline).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outline<'a> {
    /// Name as declared.
    pub name: &'a str,
    /// Index of the drawn marker that the curve is fixed to.
    pub marker: usize,
    /// Points `[s, x, y]`: the parameter of the curve, and the position \[m\] from the marker in the axes of its body.
    pub points: &'a [[f64; 3]],
    /// Whether it is closed, and its period.
    pub closing: Closing,
}

/// Ends of a curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Closing {
    /// It is closed, with this period of its parameter.
    Period(f64),
    /// It ends at its first and last point.
    Open,
    /// It is unbounded, and drawn near its contacts.
    Endless,
}

/// A contact on a curve: [`Describe::contact`](crate::Describe::contact).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contact {
    /// Index of the [`Outline`].
    pub outline: usize,
    /// Index of the coordinate q that is the contact parameter.
    pub coordinate: usize,
}
