//! Joints of kinds that the text declares: their arguments, and the relative poses of their ends.
//!
//! This is a second implementation of each kind beside its text, on purpose: assembling a mechanism checks the compiled text against it.

mod kinds;

pub use kinds::{Holds, IN_SPACE, IN_THE_PLANE, Kind, Stand};

use mbs_definition::Space;

use crate::frame::Frame;
use crate::number::Number;
use crate::world::{Place, S, V, World, Z, combine, dot, minus, number, turn, unit};

/// A joint of a declared kind, without its ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Declared {
    /// Plane or space.
    pub space: Space,
    /// Row of [`IN_THE_PLANE`] or [`IN_SPACE`].
    pub kind: usize,
    /// Its argument.
    pub number: Number,
    /// Index of its first coordinate among those of all joints of declared kinds.
    pub first: usize,
}

/// The kinds of the plane or of space.
pub fn kinds(space: Space) -> &'static [Kind] {
    match space {
        Space::Planar => IN_THE_PLANE,
        Space::Spatial => IN_SPACE,
    }
}

impl Stand {
    /// Transforms a vector from the second end's axes to those of the first.
    fn turned(&self, v: V) -> V {
        self.turns.iter().rev().fold(v, |v, (about, angle)| turn(*about, *angle, v))
    }

    /// Angle of the second end from the first, in the plane.
    pub fn angle(&self) -> S {
        self.turns.iter().fold(number(0.0), |sum, (_, angle)| sum + *angle)
    }

    /// The frame of the second end in the first.
    pub fn frame(&self) -> Frame {
        let axes = [0, 1, 2].map(|k| self.turned(unit(k)).map(|x| x.value()));
        Frame { position: self.position.map(|x| x.value()), axes }
    }
}

impl Declared {
    /// Kind of the joint.
    pub fn kind(&self) -> &'static Kind {
        &kinds(self.space)[self.kind]
    }

    /// Names of its coordinates, and whether each is an angle.
    pub fn coordinates(&self) -> &'static [(&'static str, bool)] {
        match self.kind().holds {
            Holds::Pose => self.kind().freedoms,
            Holds::Rows { .. } => &[],
        }
    }

    /// Pose of the second end in the first.
    pub fn stand(&self, freedoms: &[S]) -> Stand {
        (self.kind().stand)(freedoms, number(self.number.value))
    }

    /// Residuals of its rows of positions.
    pub fn residuals(&self, ends: &[Place; 2], world: &World) -> Vec<S> {
        match self.kind().holds {
            Holds::Pose => self.pose_residuals(ends, world),
            Holds::Rows { positions, .. } => positions(ends, number(self.number.value), world),
        }
    }

    /// Residuals of its rows of speeds.
    pub fn speed_residuals(&self, ends: &[Place; 2], world: &World) -> Vec<S> {
        match self.kind().holds {
            Holds::Pose => Vec::new(),
            Holds::Rows { speeds, .. } => speeds(ends, number(self.number.value), world),
        }
    }

    fn pose_residuals(&self, [first, second]: &[Place; 2], world: &World) -> Vec<S> {
        let stand = self.stand(&world.posed[self.first..][..self.coordinates().len()]);
        let (r, axes) = (minus(second.position(world), first.position(world)), first.axes(world));
        let along = |k: usize| dot(r, axes[k]) - stand.position[k];
        if self.space == Space::Planar {
            let turned = second.facing(world) - first.facing(world) - stand.angle();
            return vec![along(0), along(1), turned];
        }
        let [_, y, z] = [0, 1, 2].map(|k| combine(&axes, stand.turned(unit(k))));
        let own = second.axes(world);
        vec![along(0), along(1), along(2), dot(own[1], z), -dot(own[0], z), dot(own[0], y)]
    }
}

/// A rotation about z by zero.
fn still() -> ([f64; 3], S) {
    (Z, number(0.0))
}
