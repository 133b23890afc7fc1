//! The state of all links: their poses, velocities and accelerations.

use mbs_expr::{ExprId, Scalar};

use super::basis::{PlacedBasic, PlacedBasis};
use super::fixed::Fixed;
use super::transform::{Moments, Transform};
use super::twist::Twist;
use super::variable_twists::VariableTwists;
use super::vector::{Matrix3, Vector3, zero};

/// A velocity or acceleration of a point.
#[derive(Clone, Copy, Debug)]
pub enum Linear<S> {
    /// In the link's axes.
    Link(Vector3<S>),
    /// In world axes.
    World(Vector3<S>),
}

impl<S: Scalar> Linear<S> {
    /// Applies `f` to components in the link's axes. A free link at a centre of mass has components in world axes, and no children.
    pub(super) fn map(self, f: impl FnOnce(Vector3<S>) -> Vector3<S>) -> Self {
        match self {
            Linear::Link(v) => Linear::Link(f(v)),
            Linear::World(_) => unreachable!("a free link at a centre of mass has no children"),
        }
    }
}

/// A link's frame at a state.
#[derive(Clone, Debug)]
pub struct LinkState<S> {
    /// Pose in the parent's frame.
    pub transform: Transform<S>,
    /// R: components in its axes to components in world axes.
    pub rotation: Matrix3<S>,
    /// World position of the origin.
    pub origin: Vector3<S>,
    /// Angular velocity, in its axes.
    pub omega: Vector3<S>,
    /// Angular acceleration, in its axes.
    pub alpha: Vector3<S>,
    /// Velocity of the origin.
    pub velocity: Linear<S>,
    /// Acceleration of the origin.
    pub acceleration: Linear<S>,
    /// Acceleration of the origin less gravity.
    pub proper: Linear<S>,
    /// ω̃ω̃ + α̃, in its axes: times the position of a point, this is the point's acceleration relative to the origin.
    pub spin: Matrix3<S>,
    /// Number of constant parts of the transform, which precede the moving ones.
    pub fixed: usize,
    /// Vector from the joint's marker to the origin, where that is the centre of mass.
    pub arm: Vector3<S>,
    /// Constant rotation between the parent's axes and those that the coordinates are measured in.
    pub before: Option<Matrix3<S>>,
    /// Coordinates, prescribed ones included.
    pub q: Vec<S>,
    /// Signed axis of a prismatic mobilizer; of a screw z times the advance; of a revolute its signed axis.
    pub axis: Vector3<S>,
    /// Its twists, if they depend on its coordinates.
    pub variable: Option<VariableTwists<S>>,
    /// Mass and moments of the bodies that are fixed to it.
    pub moments: Moments<S>,
}

/// All links at a state.
#[derive(Clone, Debug)]
pub struct SpaceState<S> {
    /// Links, parents first.
    pub links: Vec<LinkState<S>>,
    /// Link of each body, `None` for ground, and the body's pose in the link's frame.
    pub bodies: Vec<(Option<usize>, Fixed<S>)>,
    /// Basic points and vectors.
    pub(super) basics: Vec<PlacedBasic<S>>,
    /// Bodies in natural coordinates as combinations of basics, by body; these have no link.
    pub(super) natural: Vec<Option<PlacedBasis<S>>>,
}

/// Quantities that determine the states of links: coordinates, the solver's speeds and accelerations, and values of expressions that need no pose.
pub struct LinkInputs<'a, S> {
    /// Coordinates, n_q.
    pub q: &'a [S],
    /// Speeds, n_v.
    pub v: &'a [S],
    /// Accelerations, n_v.
    pub a: &'a [S],
    /// Time.
    pub t: S,
    /// Gravity \[m/s²\], world axes.
    pub gravity: Vector3<S>,
    /// Values of the expressions of markers, axes, masses and prescribed coordinates.
    pub value: &'a dyn Fn(ExprId) -> S,
    /// Whether prescribed coordinates have rates; otherwise they are frozen at their values.
    pub prescribed_move: bool,
}

impl<S: Scalar> SpaceState<S> {
    /// No links and no bodies.
    pub(crate) fn empty() -> Self {
        SpaceState { links: Vec::new(), bodies: Vec::new(), basics: Vec::new(), natural: Vec::new() }
    }
}

impl<S: Scalar> LinkState<S> {
    /// World components of the sum of a velocity, or acceleration, of the origin and a vector `relative` in the link's axes.
    pub(super) fn world_sum(&self, origin: Linear<S>, relative: Vector3<S>) -> Vector3<S> {
        match origin {
            Linear::Link(v) => self.rotation * (v + relative),
            Linear::World(v) => v + self.rotation * relative,
        }
    }

    /// Twists of the speeds, if they depend on coordinates; otherwise empty.
    pub fn variable_twists(&self) -> &[Twist<S>] {
        self.variable.as_ref().map_or(&[], |variable| &variable.twists)
    }

    /// The link's velocity as a twist; of a free link at a centre of mass the angular part alone.
    pub(super) fn twist(&self) -> Twist<S> {
        let linear = match self.velocity {
            Linear::Link(v) => v,
            Linear::World(_) => zero(),
        };
        Twist { angular: self.omega, linear }
    }
}
