//! Methods of kinds of joints that are not in the catalogue: cams and declared kinds; the load of a gear.

use std::panic::Location;

use super::{Cam, Declared, Gear, Joint};
use crate::{Number, Scalar, Vector};

impl<'m> Joint<'m, Cam> {
    /// Contact parameters at which assembly starts on both curves, instead of those of the closest points.
    #[track_caller]
    pub fn starts(self, first: impl Into<Number<'m>>, second: impl Into<Number<'m>>) -> Self {
        self.argument("first", first.into()).argument("second", second.into())
    }

    /// Parameter of the first curve at the contact.
    #[track_caller]
    pub fn first(self) -> Scalar<'m> {
        self.scalar_field("first")
    }

    /// Parameter of the second curve at the contact.
    #[track_caller]
    pub fn second(self) -> Scalar<'m> {
        self.scalar_field("second")
    }

    /// Pressure angle \[rad\]: from the direction of travel of the follower to the normal of its curve.
    #[track_caller]
    pub fn pressure_angle(self) -> Scalar<'m> {
        self.scalar_field("pressure_angle")
    }

    /// Radius of curvature of the first curve \[m\], positive where it curves away from the second.
    #[track_caller]
    pub fn radius(self) -> Scalar<'m> {
        self.scalar_field("radius")
    }

    /// Relative curvature \[1/m\], positive where the curves lie on opposite sides of their tangent.
    #[track_caller]
    pub fn relative_curvature(self) -> Scalar<'m> {
        self.scalar_field("relative_curvature")
    }

    /// Force on the follower in the direction of its normal \[N\], positive where the curves press on each other; for outputs and events.
    #[track_caller]
    pub fn force(self) -> Scalar<'m> {
        self.scalar_field("force")
    }
}

impl<'m> Joint<'m, Declared> {
    /// A coordinate of the kind, or one of its speeds, that is a number.
    #[track_caller]
    pub fn coordinate(self, name: &str) -> Scalar<'m> {
        self.scalar_field(name)
    }

    /// A coordinate of the kind, or one of its speeds, that is a vector.
    #[track_caller]
    pub fn coordinate_vector(self, name: &str) -> Vector<'m> {
        self.vector_field(name)
    }
}

impl<'m> Joint<'m, Gear> {
    /// −λ, the torque in the sense of the angle of `a` \[N m\]; for outputs.
    #[track_caller]
    pub fn load(self) -> Scalar<'m> {
        Scalar(self.declared.term.call("load", Location::caller()))
    }
}
