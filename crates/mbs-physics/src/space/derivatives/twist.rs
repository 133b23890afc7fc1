//! Velocities and displacements of frames, and wrenches that they meet.

use mbs_expr::Scalar;

use crate::space::dynamics::LinkWrench;
use crate::space::motion::{Linear, LinkState};
use crate::space::transform::{Moments, Transform};
use crate::space::vector::{Vector3, cross, dot, plus, scaled, zero};

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

    /// Sum.
    pub fn plus(self, other: Self) -> Self {
        Twist { angular: plus(self.angular, other.angular), linear: plus(self.linear, other.linear) }
    }

    /// (ω, v) × (s, l) = (ω × s, ω × l + v × s).
    pub fn cross(self, other: Self) -> Self {
        Twist {
            angular: cross(self.angular, other.angular),
            linear: plus(cross(self.angular, other.linear), cross(self.linear, other.angular)),
        }
    }

    /// What a wrench does along it: s·n + l·f.
    pub fn power(self, wrench: LinkWrench<S>) -> S {
        dot(self.angular, wrench.moment) + dot(self.linear, wrench.force)
    }

    /// The change of a wrench that moves with it: (s, l) ×* (n, f) = (s × n + l × f, s × f).
    pub fn moving(self, wrench: LinkWrench<S>) -> LinkWrench<S> {
        let moment = plus(cross(self.angular, wrench.moment), cross(self.linear, wrench.force));
        LinkWrench { moment, force: cross(self.angular, wrench.force) }
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
        moment: plus(of.turning(angular), cross(of.first, linear)),
        force: plus(cross(angular, of.first), scaled(of.mass, linear)),
    }
}

/// A wrench on a link, about its parent's origin in the parent's axes.
pub fn wrench_up<S: Scalar>(transform: &Transform<S>, wrench: LinkWrench<S>) -> LinkWrench<S> {
    let (moment, force) = transform.wrench_up((wrench.moment, wrench.force));
    LinkWrench { moment, force }
}
