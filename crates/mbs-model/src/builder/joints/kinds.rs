//! What each kind of joint has of its own: coordinates, and arguments with a default.

use std::panic::Location;

use super::{Declared, Fixed, Free, Gear, Joint, Prismatic, Revolute};
use crate::builder::{Number, Scalar, Vector};

impl<'m> Joint<'m, Revolute> {
    /// θ of the second end minus that of the first \[rad\].
    #[track_caller]
    pub fn angle(self) -> Scalar<'m> {
        self.number("angle")
    }

    /// Rate of the angle \[rad/s\].
    #[track_caller]
    pub fn rate(self) -> Scalar<'m> {
        self.number("rate")
    }

    /// Its acceleration \[rad/s²\]; for outputs.
    #[track_caller]
    pub fn acceleration(self) -> Scalar<'m> {
        self.number("acceleration")
    }
}

impl<'m> Joint<'m, Prismatic> {
    /// Position of the second end along the axis \[m\].
    #[track_caller]
    pub fn position(self) -> Scalar<'m> {
        self.number("position")
    }

    /// Its rate \[m/s\].
    #[track_caller]
    pub fn speed(self) -> Scalar<'m> {
        self.number("speed")
    }

    /// Its acceleration \[m/s²\]; for outputs.
    #[track_caller]
    pub fn acceleration(self) -> Scalar<'m> {
        self.number("acceleration")
    }
}

impl<'m> Joint<'m, Fixed> {
    /// Angle α of the second end relative to the first \[rad\], 0 unless given.
    #[track_caller]
    pub fn angle(self, angle: impl Into<Number<'m>>) -> Self {
        self.argument("angle", angle.into())
    }
}

impl<'m> Joint<'m, Free> {
    /// Position of the second end in the first end's axes \[m\].
    #[track_caller]
    pub fn position(self) -> Vector<'m> {
        self.vector("position")
    }

    /// Rates of those components \[m/s\].
    #[track_caller]
    pub fn velocity(self) -> Vector<'m> {
        self.vector("velocity")
    }

    /// Their accelerations \[m/s²\]; for outputs.
    #[track_caller]
    pub fn acceleration(self) -> Vector<'m> {
        self.vector("acceleration")
    }

    /// θ of the second end minus that of the first \[rad\]; particles have none.
    #[track_caller]
    pub fn angle(self) -> Scalar<'m> {
        self.number("angle")
    }

    /// Rate of the angle \[rad/s\].
    #[track_caller]
    pub fn rate(self) -> Scalar<'m> {
        self.number("rate")
    }

    /// Its acceleration \[rad/s²\]; for outputs.
    #[track_caller]
    pub fn angular_acceleration(self) -> Scalar<'m> {
        self.number("angular_acceleration")
    }
}

impl<'m> Joint<'m, Declared> {
    /// A coordinate of the kind, or one of its speeds, that is a number.
    #[track_caller]
    pub fn coordinate(self, name: &str) -> Scalar<'m> {
        self.number(name)
    }

    /// A coordinate of the kind, or one of its speeds, that is a vector.
    #[track_caller]
    pub fn coordinate_vector(self, name: &str) -> Vector<'m> {
        self.vector(name)
    }
}

impl<'m> Joint<'m, Gear> {
    /// Offset of the angles \[rad\], 0 unless given.
    #[track_caller]
    pub fn offset(self, offset: impl Into<Number<'m>>) -> Self {
        self.argument("offset", offset.into())
    }

    /// −λ, the torque along the angle of `a` \[N m\]; for outputs.
    #[track_caller]
    pub fn load(self) -> Scalar<'m> {
        Scalar(self.declared.term.call("load", Location::caller()))
    }
}
