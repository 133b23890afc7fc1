//! Twists of frames (velocities or displacements) with their derivatives, and wrenches on links.

use std::ops::{Add, Mul, Sub};

use mbs_expr::Scalar;

use super::transform::{Moments, Transform};
use super::vector::{Vector3, zero};

/// A twist: angular part, and linear part at the frame's origin, in its axes.
#[derive(Clone, Copy, Debug)]
pub struct Twist<S> {
    /// Angular part: ω or s.
    pub angular: Vector3<S>,
    /// Linear part at the origin: v or l.
    pub linear: Vector3<S>,
}

impl<S: Scalar> Twist<S> {
    /// Zero.
    pub fn zero() -> Self {
        Twist { angular: zero(), linear: zero() }
    }

    /// (ω, v) × (s, l) = (ω × s, ω × l + v × s).
    pub fn cross(self, other: Self) -> Self {
        Twist {
            angular: self.angular.cross(other.angular),
            linear: self.angular.cross(other.linear) + self.linear.cross(other.angular),
        }
    }

    /// Power of a wrench for this twist: s·n + l·f.
    pub fn power(self, wrench: LinkWrench<S>) -> S {
        self.angular.dot(wrench.moment) + self.linear.dot(wrench.force)
    }

    /// The change of a wrench that moves with this twist: (s, l) ×* (n, f) = (s × n + l × f, s × f).
    pub fn cross_wrench(self, wrench: LinkWrench<S>) -> LinkWrench<S> {
        let moment = self.angular.cross(wrench.moment) + self.linear.cross(wrench.force);
        LinkWrench { moment, force: self.angular.cross(wrench.force) }
    }
}

impl<S: Scalar> Add for Twist<S> {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Twist { angular: self.angular + other.angular, linear: self.linear + other.linear }
    }
}

/// x times a twist.
impl<S: Scalar> Mul<S> for Twist<S> {
    type Output = Self;
    fn mul(self, x: S) -> Self {
        Twist { angular: self.angular * x, linear: self.linear * x }
    }
}

/// A moment about a link's origin in its axes, and a force in its axes; for free links at a centre of mass, the force is in world axes.
#[derive(Clone, Copy, Debug)]
pub struct LinkWrench<S> {
    /// \[N m\]
    pub moment: Vector3<S>,
    /// \[N\]
    pub force: Vector3<S>,
}

/// Derivatives for a displacement by one speed, in addition to those of a constant S, in the notation of `variable_twists.rs`.
pub struct TwistDerivatives<S> {
    /// Derivative of each S.
    pub twists: Vec<Twist<S>>,
    /// Derivative of J.
    pub velocity: Twist<S>,
    /// Derivative of (ẇ, u̇) at fixed speeds and accelerations.
    pub acceleration: Twist<S>,
    /// Derivative of (ẇ, u̇) with respect to the speed.
    pub by_speed: Twist<S>,
}

impl<S: Scalar> LinkWrench<S> {
    /// No load.
    pub fn zero() -> Self {
        LinkWrench { moment: zero(), force: zero() }
    }
}

impl<S: Scalar> Add for LinkWrench<S> {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        LinkWrench { moment: self.moment + other.moment, force: self.force + other.force }
    }
}

impl<S: Scalar> Sub for LinkWrench<S> {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        LinkWrench { moment: self.moment - other.moment, force: self.force - other.force }
    }
}

/// I (s, l) = (J s + h × l, s × h + m l) with the moments m, h and J = tr(S) 1 − S of `masses`.
pub fn inertial_wrench<S: Scalar>(masses: &Moments<S>, Twist { angular, linear }: Twist<S>) -> LinkWrench<S> {
    LinkWrench {
        moment: masses.inertia_times(angular) + masses.first.cross(linear),
        force: angular.cross(masses.first) + linear * masses.mass,
    }
}

/// The wrench about the parent's origin in the parent's axes, from that on a link about its origin in its axes.
pub fn wrench_to_parent<S: Scalar>(transform: &Transform<S>, wrench: LinkWrench<S>) -> LinkWrench<S> {
    let (moment, force) = transform.wrench_to_parent((wrench.moment, wrench.force));
    LinkWrench { moment, force }
}
