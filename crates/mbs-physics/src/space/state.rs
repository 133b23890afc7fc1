//! The state of all links: where they are and how they move.

use mbs_expr::{ExprId, Scalar};

use super::basis::{PlacedBasic, PlacedBasis};
use super::fixed::Fixed;
use super::guided::Guided;
use super::transform::{Moments, Transform};
use super::twist::Twist;
use super::vector::{Matrix3, Vector3, zero};

/// A velocity or acceleration of a point.
#[derive(Clone, Copy, Debug)]
pub enum Linear<S> {
    /// In the link's axes.
    Own(Vector3<S>),
    /// In world axes.
    World(Vector3<S>),
}

impl<S: Scalar> Linear<S> {
    /// Applies `f` to a velocity in own axes. A link that moves by its centre of mass has its velocity in world axes, and no children.
    pub(super) fn map(self, f: impl FnOnce(Vector3<S>) -> Vector3<S>) -> Self {
        match self {
            Linear::Own(v) => Linear::Own(f(v)),
            Linear::World(_) => unreachable!("what moves by its centre of mass carries nothing"),
        }
    }
}

/// A link's frame at a state.
#[derive(Clone, Debug)]
pub struct LinkState<S> {
    /// Its pose in its parent's frame.
    pub transform: Transform<S>,
    /// Components in its axes → in world axes.
    pub rotation: Matrix3<S>,
    /// Origin, world axes.
    pub origin: Vector3<S>,
    /// Angular velocity, own axes.
    pub omega: Vector3<S>,
    /// Angular acceleration, own axes.
    pub alpha: Vector3<S>,
    /// Velocity of the origin.
    pub velocity: Linear<S>,
    /// Acceleration of the origin.
    pub acceleration: Linear<S>,
    /// Acceleration of the origin less gravity.
    pub proper: Linear<S>,
    /// ω̃ω̃ + α̃: accelerations of points relative to the origin, per length.
    pub spin: Matrix3<S>,
    /// Number of parts of the transform before the moving ones.
    pub fixed: usize,
    /// Vector from the joint's marker to the origin, where that is the centre of mass.
    pub arm: Vector3<S>,
    /// Constant rotation between the parent's axes and those that the coordinates are measured in.
    pub before: Option<Matrix3<S>>,
    /// Coordinates of its motion.
    pub q: Vec<S>,
    /// Axis of a slide, or z with the advance of a screw in it.
    pub axis: Vector3<S>,
    /// State of the geometry that guides it, where its twists depend on its coordinates.
    pub guided: Option<Guided<S>>,
    /// Mass and moments of the bodies on it.
    pub moments: Moments<S>,
}

/// All links at a state.
#[derive(Clone, Debug)]
pub struct SpaceState<S> {
    /// Parents first.
    pub links: Vec<LinkState<S>>,
    /// Link of each body, and its pose in the link's frame.
    pub bodies: Vec<(Option<usize>, Fixed<S>)>,
    /// Basic points and vectors.
    pub(super) basics: Vec<PlacedBasic<S>>,
    /// Combinations of basics that place bodies in natural coordinates, by body; these have no link.
    pub(super) natural: Vec<Option<PlacedBasis<S>>>,
}

/// Quantities that place links: coordinates, speeds and accelerations of the solver, and the values of expressions that need no pose.
pub struct Given<'a, S> {
    /// Coordinates.
    pub q: &'a [S],
    /// Speeds.
    pub v: &'a [S],
    /// Accelerations.
    pub a: &'a [S],
    /// Time.
    pub t: S,
    /// Gravity, world axes.
    pub gravity: Vector3<S>,
    /// Values of markers, axes, masses, and of coordinates that are functions of time.
    pub value: &'a dyn Fn(ExprId) -> S,
    /// Whether coordinates that are functions of time move; otherwise they are frozen at their values.
    pub passes: bool,
}

impl<S: Scalar> SpaceState<S> {
    /// Nothing placed.
    pub(crate) fn empty() -> Self {
        SpaceState { links: Vec::new(), bodies: Vec::new(), basics: Vec::new(), natural: Vec::new() }
    }
}

impl<S: Scalar> LinkState<S> {
    /// A velocity of the origin and one in own axes: their sum in world axes.
    pub(super) fn world(&self, origin: Linear<S>, own: Vector3<S>) -> Vector3<S> {
        match origin {
            Linear::Own(v) => self.rotation * (v + own),
            Linear::World(v) => v + self.rotation * own,
        }
    }

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
