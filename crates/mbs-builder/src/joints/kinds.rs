//! Methods of single kinds of joints: coordinates, and arguments with a default.

use std::panic::Location;

use super::{Cam, Declared, Fixed, Free, Gear, Joint, Prismatic, Revolute};
use crate::{Number, Scalar, Value, Vector};

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

impl<'m> Joint<'m, Cam> {
    /// Contact parameters at which assembly starts on both curves, instead of those of the closest points.
    #[track_caller]
    pub fn starts(self, first: impl Into<Number<'m>>, second: impl Into<Number<'m>>) -> Self {
        self.argument("first", first.into()).argument("second", second.into())
    }

    /// Parameter of the first curve at the contact.
    #[track_caller]
    pub fn first(self) -> Scalar<'m> {
        self.number("first")
    }

    /// Parameter of the second curve at the contact.
    #[track_caller]
    pub fn second(self) -> Scalar<'m> {
        self.number("second")
    }

    /// Pressure angle \[rad\]: from the direction of travel of the follower to the normal of its curve.
    #[track_caller]
    pub fn pressure_angle(self) -> Scalar<'m> {
        self.number("pressure_angle")
    }

    /// Radius of curvature of the first curve \[m\], positive where it bends away from the second.
    #[track_caller]
    pub fn radius(self) -> Scalar<'m> {
        self.number("radius")
    }

    /// Relative curvature \[1/m\], positive where the curves lie on opposite sides of their tangent.
    #[track_caller]
    pub fn relative_curvature(self) -> Scalar<'m> {
        self.number("relative_curvature")
    }

    /// Force on the follower along its normal \[N\], positive where the curves press on each other; for outputs and events.
    #[track_caller]
    pub fn force(self) -> Scalar<'m> {
        self.number("force")
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

    /// The joint on which a carrier of both gears rotates, or ground: both angles are relative to it, and the tooth forces act on the axles.
    #[track_caller]
    pub fn carrier(self, carrier: impl Into<Value<'m>>) -> Self {
        self.argument("carrier", carrier)
    }

    /// −λ, the torque along the angle of `a` \[N m\]; for outputs.
    #[track_caller]
    pub fn load(self) -> Scalar<'m> {
        Scalar(self.declared.term.call("load", Location::caller()))
    }
}
