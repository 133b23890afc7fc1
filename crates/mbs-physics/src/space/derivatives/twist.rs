//! Velocities and displacements of frames, and wrenches that they meet.

use std::ops::{Add, Mul};

use mbs_expr::Scalar;

use crate::space::dynamics::LinkWrench;
use crate::space::motion::{Linear, LinkState};
use crate::space::transform::{Moments, Transform};
use crate::space::vector::{Vector3, zero};

/// Angular part and linear part at the frame's origin, in its axes.
#[derive(Clone, Copy, Debug)]
pub struct Twist<S> {
    /// ω or s.
    pub angular: Vector3<S>,
    /// v or l.
    pub linear: Vector3<S>,
}

impl<S: Scalar> Twist<S> {
    /// None.
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

    /// Power of a wrench along the twist: s·n + l·f.
    pub fn power(self, wrench: LinkWrench<S>) -> S {
        self.angular.dot(wrench.moment) + self.linear.dot(wrench.force)
    }

    /// The change of a wrench that moves with it: (s, l) ×* (n, f) = (s × n + l × f, s × f).
    pub fn moving(self, wrench: LinkWrench<S>) -> LinkWrench<S> {
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

impl<S: Scalar> LinkState<S> {
    /// Twists of the speeds of a guided link; none of others, whose are constant.
    pub fn guided_twists(&self) -> &[Twist<S>] {
        self.guided.as_ref().map_or(&[], |guided| &guided.twists)
    }

    /// The link's velocity; of what moves by its centre of mass the angular part alone.
    pub(super) fn twist(&self) -> Twist<S> {
        let linear = match self.velocity {
            Linear::Own(v) => v,
            Linear::World(_) => zero(),
        };
        Twist { angular: self.omega, linear }
    }
}

/// I (s, l) = (J s + h × l, s × h + m l).
pub fn inertial_wrench<S: Scalar>(of: &Moments<S>, Twist { angular, linear }: Twist<S>) -> LinkWrench<S> {
    LinkWrench {
        moment: of.turning(angular) + of.first.cross(linear),
        force: angular.cross(of.first) + linear * of.mass,
    }
}

/// A wrench on a link, about its parent's origin in the parent's axes.
pub fn wrench_up<S: Scalar>(transform: &Transform<S>, wrench: LinkWrench<S>) -> LinkWrench<S> {
    let (moment, force) = transform.wrench_up((wrench.moment, wrench.force));
    LinkWrench { moment, force }
}
