//! Choices of coordinates.

use super::Model;

/// Choice of coordinates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Formulation {
    /// Absolute: x, y, θ of every body.
    Body,
    /// A tree of joint coordinates, loops closed by constraints.
    Joint,
    /// Basic points and vectors of every body, shared at pins.
    Natural,
}

impl Formulation {
    /// The word of the language.
    pub fn word(self) -> &'static str {
        match self {
            Formulation::Body => "body",
            Formulation::Joint => "joint",
            Formulation::Natural => "natural",
        }
    }
}

impl Model {
    /// The word of the formulation that all bodies have, or `mixed`.
    pub fn coordinates_word(&self) -> &'static str {
        let other = |f: Formulation| f != self.coordinates.formulation;
        if self.bodies.iter().any(|b| b.formulation.is_some_and(other)) {
            "mixed"
        } else {
            self.coordinates.formulation.word()
        }
    }
}
