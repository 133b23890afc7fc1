//! Curves that bodies are drawn with, and their contacts.

use mbs_core::{Closing, Contact, Describe, Outline};

/// A curve fixed to a body, at default parameters.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Curve {
    /// Name as declared.
    pub name: String,
    /// The marker that it is fixed to: index into [`Recording::markers`](super::Recording::markers).
    pub marker: usize,
    /// Points `[s, x, y]`: the parameter, and the position \[m\] from the marker in the axes of its body.
    pub points: Vec<[f64; 3]>,
    /// Period of the parameter, if the curve is closed.
    pub period: Option<f64>,
    /// Whether it is unbounded; only the part near its contacts is drawn.
    pub is_endless: bool,
    /// Indices of the coordinates that are contact parameters of this curve.
    pub contacts: Vec<usize>,
}

/// Curves of the mechanism, with their contact parameters.
pub(super) fn curves<M: Describe>(mechanism: &M) -> Vec<Curve> {
    let sizes = mechanism.sizes();
    let contacts: Vec<Contact> = (0..).map_while(|i| mechanism.contact(i)).collect();
    let curve = |(i, Outline { name, marker, points, closing }): (usize, Outline<'_>)| Curve {
        name: name.into(),
        marker,
        points: points.to_vec(),
        period: if let Closing::Period(period) = closing { Some(period) } else { None },
        is_endless: closing == Closing::Endless,
        contacts: contacts
            .iter()
            .filter(|c| c.outline == i && c.coordinate < sizes.n_q)
            .map(|c| c.coordinate)
            .collect(),
    };
    let all = (0..).map_while(|i| mechanism.outline(i)).enumerate().map(curve);
    all.filter(|curve| curve.marker < sizes.n_markers).collect()
}
