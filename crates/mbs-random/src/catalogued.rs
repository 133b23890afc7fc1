//! Joints of the catalogue between two frames: their coordinates, their rows, and the relative poses of their ends.
//!
//! The catalogue defines the kinds and their steps. The geometry of the steps is implemented here a second time, on purpose: the assembly of a
//! mechanism checks rows and coordinates of the catalogue against it.

mod kinds;
mod plane;
mod space;

pub use kinds::{Kind, MOST_AXES, RELATIONS, RotationKind, TranslationKind, kinds, undrawn};
pub use space::sine_cosine_about;

use mbs_definition::Space;

use crate::number::Number;
use crate::world::{Attachment, S, World};

/// A joint of the catalogue, without its ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Catalogued {
    /// Plane or space.
    pub space: Space,
    /// Row of [`kinds`].
    pub kind: usize,
    /// Its axes, of any length; only the first ones are used, by kind.
    pub axes: [[Number; 3]; MOST_AXES],
    /// Pitch, radius, length, angle.
    pub number: Number,
    /// Radii of an ellipsoid.
    pub radii: [Number; 3],
}

/// A coordinate that is a displacement or an angle, with its name and those of its rates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Displacement in direction k of the translation, with its names; on a sphere azimuth and elevation.
    Displacement(usize, &'static [String; 3]),
    /// Angle k of the rotation.
    Angle(usize, &'static [String; 3]),
}

impl Measure {
    /// Its name, and those of its rates.
    pub fn names(&self) -> &'static [String; 3] {
        match self {
            Measure::Displacement(_, names) | Measure::Angle(_, names) => names,
        }
    }
}

impl Catalogued {
    /// A joint of the kind of a name, about z where it has an axis.
    pub fn plain(space: Space, name: &str) -> Self {
        let [zero, one] = [0.0, 1.0].map(Number::literal);
        let kind = kinds(space).iter().position(|kind| kind.name() == name).expect("the catalogue has it");
        Catalogued { space, kind, axes: [[zero, zero, one]; MOST_AXES], number: zero, radii: [one; 3] }
    }

    /// Kind of the joint.
    pub fn kind(&self) -> &'static Kind {
        &kinds(self.space)[self.kind]
    }

    /// Displacements and angles that a declaration may name, in the order of the catalogue: those of the rotation come first where the axis of
    /// translation is fixed in the second end.
    pub fn measures(&self) -> Vec<Measure> {
        let kind = self.kind();
        let angles = kind.rotation.angles().min(kind.coordinates.len());
        let is_along_second = kind.translation == TranslationKind::AlongSecond;
        let first = if is_along_second { angles } else { kind.coordinates.len() - angles };
        let each = kind.coordinates.iter().enumerate().map(|(i, names)| {
            let k = if i < first { i } else { i - first };
            if (i < first) == is_along_second { Measure::Angle(k, names) } else { Measure::Displacement(k, names) }
        });
        each.collect()
    }

    /// Value of a coordinate.
    pub fn measure(&self, ends: &[Attachment; 2], measure: Measure, world: &World) -> S {
        match self.space {
            Space::Planar => plane::measure(self, ends, measure, world),
            Space::Spatial => self.measure_in_space(ends, measure, world),
        }
    }

    /// Residuals of its rows of positions.
    pub fn residuals(&self, ends: &[Attachment; 2], world: &World) -> Vec<S> {
        match self.space {
            Space::Planar => plane::residuals(self, ends, world),
            Space::Spatial => self.residuals_in_space(ends, world),
        }
    }
}
