//! Methods of single kinds of forces: arguments with a default, and the load.

use std::panic::Location;

use super::{
    Cable, Contact, Force, Load, Mobility, PointForce, SpringDamper, Torque, TorsionDamper, TorsionSpring, Wrench,
};
use crate::{Number, Place, Scalar, Untyped};

impl<'m> Force<'m> {
    /// `load(force)`.
    #[track_caller]
    pub fn load(self) -> Untyped<'m> {
        Untyped(self.exerted())
    }
}

impl<'m> Force<'m, SpringDamper> {
    /// Damping c \[N s/m\] ≥ 0, 0 unless given.
    #[track_caller]
    pub fn damping(self, damping: impl Into<Number<'m>>) -> Self {
        self.argument("damping", damping.into())
    }

    /// Free length ℓ₀ \[m\] ≥ 0, 0 unless given.
    #[track_caller]
    pub fn free_length(self, length: impl Into<Number<'m>>) -> Self {
        self.argument("free_length", length.into())
    }

    /// Load on the second end.
    #[track_caller]
    pub fn load(self) -> Load<'m> {
        Load(self.exerted())
    }
}

impl<'m> Force<'m, Cable> {
    /// Damping c \[N s/m\] ≥ 0, 0 unless given.
    #[track_caller]
    pub fn damping(self, damping: impl Into<Number<'m>>) -> Self {
        self.argument("damping", damping.into())
    }

    /// Load on the second end.
    #[track_caller]
    pub fn load(self) -> Load<'m> {
        Load(self.exerted())
    }
}

impl<'m> Force<'m, Contact> {
    /// Exponent e > 0 of depth, 1.5 unless given.
    #[track_caller]
    pub fn exponent(self, exponent: impl Into<Number<'m>>) -> Self {
        self.argument("exponent", exponent.into())
    }

    /// Hunt and Crossley's c \[s/m\] ≥ 0, 0 unless given.
    #[track_caller]
    pub fn dissipation(self, dissipation: impl Into<Number<'m>>) -> Self {
        self.argument("dissipation", dissipation.into())
    }

    /// Damping d \[N s/m\] ≥ 0, 0 unless given.
    #[track_caller]
    pub fn damping(self, damping: impl Into<Number<'m>>) -> Self {
        self.argument("damping", damping.into())
    }

    /// Friction coefficient μ ≥ 0, and the slip speed v₀ \[m/s\] > 0 at which friction reaches three quarters of its value. v₀ is 0.01
    /// unless given; μ is that of the marker of an end, or 0.
    #[track_caller]
    pub fn friction(self, coefficient: impl Into<Number<'m>>, creep: impl Into<Number<'m>>) -> Self {
        self.argument("friction", coefficient.into()).argument("creep", creep.into())
    }

    /// Excess μ_s − μ_d ≥ 0 of the friction coefficient at rest, and Stribeck's slip speed v_s \[m/s\] > 0 at which it decays: 0 and 0.1
    /// unless given.
    #[track_caller]
    pub fn stiction(self, more: impl Into<Number<'m>>, stribeck: impl Into<Number<'m>>) -> Self {
        self.argument("stiction", more.into()).argument("stribeck", stribeck.into())
    }

    /// The Magic Formula of a tyre, sin(C atan(B κ − E (B κ − atan B κ))) of the slip ratio κ, instead of tanh.
    #[track_caller]
    pub fn magic_formula(self, b: impl Into<Number<'m>>, c: impl Into<Number<'m>>, e: impl Into<Number<'m>>) -> Self {
        let shaped = self.argument("slip_stiffness", b.into()).argument("slip_shape", c.into());
        shaped.argument("slip_curvature", e.into())
    }

    /// Penetration depth of the bodies \[m\], negative while they are apart.
    #[track_caller]
    pub fn depth(self) -> Scalar<'m> {
        Scalar(self.declared.term.field("depth", Location::caller()))
    }

    /// Normal contact force between the bodies \[N\] ≥ 0.
    #[track_caller]
    pub fn normal_force(self) -> Scalar<'m> {
        Scalar(self.declared.term.field("normal_force", Location::caller()))
    }

    /// Velocity of the second end's surface relative to the first end's \[m/s\]: along the x axis of a plane; for two discs along the line
    /// from the first to the second, rotated by −90°.
    #[track_caller]
    pub fn slip(self) -> Scalar<'m> {
        Scalar(self.declared.term.field("slip", Location::caller()))
    }

    /// Slip over the velocity of the second end's point along the first, κ: positive where friction drives it along the x axis of a plane.
    #[track_caller]
    pub fn slip_ratio(self) -> Scalar<'m> {
        Scalar(self.declared.term.field("slip_ratio", Location::caller()))
    }

    /// Error of the contact location that the search found \[m\], on terrain and between curves; other contacts need no search.
    #[track_caller]
    pub fn residual(self) -> Scalar<'m> {
        Scalar(self.declared.term.field("residual", Location::caller()))
    }

    /// Load on the second end.
    #[track_caller]
    pub fn load(self) -> Load<'m> {
        Load(self.exerted())
    }
}

impl<'m> Force<'m, TorsionSpring> {
    /// Damping c \[N m s/rad\] ≥ 0, 0 unless given.
    #[track_caller]
    pub fn damping(self, damping: impl Into<Number<'m>>) -> Self {
        self.argument("damping", damping.into())
    }

    /// Free angle θ₀ \[rad\], 0 unless given.
    #[track_caller]
    pub fn free_angle(self, angle: impl Into<Number<'m>>) -> Self {
        self.argument("free_angle", angle.into())
    }

    /// Its torque on the second end \[N m\].
    #[track_caller]
    pub fn load(self) -> Scalar<'m> {
        Scalar(self.exerted())
    }
}

impl<'m> Force<'m, TorsionDamper> {
    /// Its torque on the second end \[N m\].
    #[track_caller]
    pub fn load(self) -> Scalar<'m> {
        Scalar(self.exerted())
    }
}

impl<'m> Force<'m, Torque> {
    /// The body on which the opposite torque acts, instead of ground.
    #[track_caller]
    pub fn against(self, first: impl Into<Place<'m>>) -> Self {
        self.opposed(first.into())
    }

    /// The torque \[N m\].
    #[track_caller]
    pub fn load(self) -> Scalar<'m> {
        Scalar(self.exerted())
    }
}

impl<'m> Force<'m, PointForce> {
    /// The place at which the opposite force acts, instead of ground.
    #[track_caller]
    pub fn against(self, first: impl Into<Place<'m>>) -> Self {
        self.opposed(first.into())
    }

    /// Load on the body.
    #[track_caller]
    pub fn load(self) -> Load<'m> {
        Load(self.exerted())
    }
}

impl<'m> Force<'m, Wrench> {
    /// The place at which the opposite force and moment act, instead of ground.
    #[track_caller]
    pub fn against(self, first: impl Into<Place<'m>>) -> Self {
        self.opposed(first.into())
    }

    /// Load on the body.
    #[track_caller]
    pub fn load(self) -> Load<'m> {
        Load(self.exerted())
    }
}

impl<'m> Force<'m, Mobility> {
    /// The generalised force \[N\] or \[N m\].
    #[track_caller]
    pub fn load(self) -> Scalar<'m> {
        Scalar(self.exerted())
    }
}
