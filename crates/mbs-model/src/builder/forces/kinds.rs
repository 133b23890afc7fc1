//! What each kind of force has of its own: arguments with a default, and its load.

use super::{Cable, Force, Load, Mobility, PointForce, SpringDamper, Torque, TorsionDamper, TorsionSpring, Wrench};
use crate::builder::{Number, Place, Scalar, Untyped};

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

    /// What it exerts on the second end.
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

    /// What it exerts on the second end.
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
    /// The body that takes the opposite torque, instead of ground.
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
    /// The place that takes the opposite force, instead of ground.
    #[track_caller]
    pub fn against(self, first: impl Into<Place<'m>>) -> Self {
        self.opposed(first.into())
    }

    /// What it exerts.
    #[track_caller]
    pub fn load(self) -> Load<'m> {
        Load(self.exerted())
    }
}

impl<'m> Force<'m, Wrench> {
    /// The place that takes the opposite force and moment, instead of ground.
    #[track_caller]
    pub fn against(self, first: impl Into<Place<'m>>) -> Self {
        self.opposed(first.into())
    }

    /// What it exerts.
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
