//! Joints of kinds that are declared in the text: their arguments, and the relative poses of their ends.
//!
//! Each kind is implemented a second time in Rust, on purpose: the assembly of a mechanism checks the compiled text against it.

mod kinds;

pub use kinds::{ConstrainedBy, IN_SPACE, IN_THE_PLANE, Kind, RelativePose};

use mbs_definition::Space;

use crate::frame::Frame;
use crate::number::Number;
use crate::world::{Attachment, S, V, World, Z, combine, constant, difference, dot, rotate, unit};

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

impl RelativePose {
    /// Transforms a vector from the second end's axes to those of the first.
    fn rotate(&self, v: V) -> V {
        self.rotations.iter().rev().fold(v, |v, (about, angle)| rotate(*about, *angle, v))
    }

    /// Angle of the second end relative to the first, in the plane.
    pub fn angle(&self) -> S {
        self.rotations.iter().fold(constant(0.0), |sum, (_, angle)| sum + *angle)
    }

    /// The frame of the second end in the first.
    pub fn frame(&self) -> Frame {
        let axes = [0, 1, 2].map(|k| self.rotate(unit(k)).map(|x| x.value()));
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
        match self.kind().constrained_by {
            ConstrainedBy::Pose => self.kind().freedoms,
            ConstrainedBy::Rows { .. } => &[],
        }
    }

    /// Pose of the second end in the first.
    pub fn relative_pose(&self, freedoms: &[S]) -> RelativePose {
        (self.kind().pose)(freedoms, constant(self.number.value))
    }

    /// Residuals of its rows of positions.
    pub fn residuals(&self, ends: &[Attachment; 2], world: &World) -> Vec<S> {
        match self.kind().constrained_by {
            ConstrainedBy::Pose => self.pose_residuals(ends, world),
            ConstrainedBy::Rows { positions, .. } => positions(ends, constant(self.number.value), world),
        }
    }

    /// Residuals of its rows of speeds.
    pub fn speed_residuals(&self, ends: &[Attachment; 2], world: &World) -> Vec<S> {
        match self.kind().constrained_by {
            ConstrainedBy::Pose => Vec::new(),
            ConstrainedBy::Rows { speeds, .. } => speeds(ends, constant(self.number.value), world),
        }
    }

    fn pose_residuals(&self, [first, second]: &[Attachment; 2], world: &World) -> Vec<S> {
        let pose = self.relative_pose(&world.posed[self.first..][..self.coordinates().len()]);
        let (r, axes) = (difference(second.position(world), first.position(world)), first.axes(world));
        let displacement = |k: usize| dot(r, axes[k]) - pose.position[k];
        if self.space == Space::Planar {
            let angle = second.facing(world) - first.facing(world) - pose.angle();
            return vec![displacement(0), displacement(1), angle];
        }
        let [_, y, z] = [0, 1, 2].map(|k| combine(&axes, pose.rotate(unit(k))));
        let axes_of_second = second.axes(world);
        vec![
            displacement(0),
            displacement(1),
            displacement(2),
            dot(axes_of_second[1], z),
            -dot(axes_of_second[0], z),
            dot(axes_of_second[0], y),
        ]
    }
}

/// A rotation about z by zero.
fn no_rotation() -> ([f64; 3], S) {
    (Z, constant(0.0))
}
