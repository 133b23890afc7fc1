//! Joints of the catalogue between two frames: their coordinates, their rows, and the relative poses of their ends.
//!
//! The catalogue says which kinds there are, and their steps. What the steps mean is written here once more, on purpose: assembling a mechanism
//! checks rows and coordinates of the catalogue against it.

mod kinds;
mod plane;
mod space;

pub use kinds::{Kind, MOST_AXES, RELATIONS, Slide, Turning, kinds, undrawn};
pub use space::turn_about;

use mbs_definition::Space;

use crate::number::Number;
use crate::world::{Place, S, World};

/// A joint of the catalogue, without its ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Catalogued {
    /// Plane or space.
    pub space: Space,
    /// Row of [`kinds`].
    pub kind: usize,
    /// Its axes, as many as it takes; their length does not matter.
    pub axes: [[Number; 3]; MOST_AXES],
    /// Pitch, radius, length, angle.
    pub number: Number,
    /// Radii of an ellipsoid.
    pub radii: [Number; 3],
}

/// A coordinate that is a displacement or an angle, with its name and those of its rates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Along direction k of the translation, named by itself or as component; on a sphere the azimuth and the elevation.
    Slide(usize, &'static [String; 3]),
    /// Angle k of the rotation.
    Turn(usize, &'static [String; 3]),
}

impl Measure {
    /// Its name, and those of its rates.
    pub fn names(&self) -> &'static [String; 3] {
        match self {
            Measure::Slide(_, names) | Measure::Turn(_, names) => names,
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

    /// Displacements and angles that a declaration may name, in the order of the catalogue: those of the rotation come first where the slide
    /// turns with the second end.
    pub fn measures(&self) -> Vec<Measure> {
        let kind = self.kind();
        let turns = kind.turning.angles().min(kind.coordinates.len());
        let is_carried = kind.slide == Slide::Carried;
        let first = if is_carried { turns } else { kind.coordinates.len() - turns };
        let each = kind.coordinates.iter().enumerate().map(|(i, names)| {
            let k = if i < first { i } else { i - first };
            if (i < first) == is_carried { Measure::Turn(k, names) } else { Measure::Slide(k, names) }
        });
        each.collect()
    }

    /// Value of a coordinate.
    pub fn measure(&self, ends: &[Place; 2], measure: Measure, world: &World) -> S {
        match self.space {
            Space::Planar => plane::measure(self, ends, measure, world),
            Space::Spatial => self.measure_in_space(ends, measure, world),
        }
    }

    /// Residuals of its rows of positions.
    pub fn residuals(&self, ends: &[Place; 2], world: &World) -> Vec<S> {
        match self.space {
            Space::Planar => plane::residuals(self, ends, world),
            Space::Spatial => self.residuals_in_space(ends, world),
        }
    }
}
