//! Curves that bodies are drawn with: data for pictures, no mechanics.

/// A curve that a body is drawn with: [`Describe::outline`](crate::Describe::outline).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outline<'a> {
    /// Name as declared.
    pub name: &'a str,
    /// The drawn marker that carries it.
    pub marker: usize,
    /// Parameters, with the points there \[m\] from the marker, in the axes of its body: `[s, x, y]`.
    pub points: &'a [[f64; 3]],
    /// Whether it is closed.
    pub closing: Closing,
}

/// How a curve ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Closing {
    /// It returns after this period of its parameter.
    Period(f64),
    /// It has the ends that it is given.
    Open,
    /// It has no ends: what is drawn is near its places of contact.
    Endless,
}

/// A place of contact on a curve: [`Describe::contact`](crate::Describe::contact).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contact {
    /// Which [`Outline`].
    pub outline: usize,
    /// The coordinate q that is the curve's parameter there.
    pub coordinate: usize,
}
