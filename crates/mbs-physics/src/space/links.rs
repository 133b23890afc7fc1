//! Links: elementary motions of a tree, the frames that they move, and the constant poses between them.

use mbs_expr::{BodyId, ExprId, JointId, MarkerId};
use mbs_model::{Attitude, VelocityAxes};

/// A constant pose on the way from one link to the next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Constant {
    /// A marker in its body.
    Marker(MarkerId),
    /// A body in its marker.
    Inverse(MarkerId),
    /// Axes whose z is a given axis.
    Align([ExprId; 3]),
    /// Back from these.
    Unalign([ExprId; 3]),
    /// A pose of numbers.
    Given {
        /// Rows; `None` where the axes are parallel.
        rotation: Option<[[f64; 3]; 3]>,
        /// Origin \[m\].
        point: [f64; 3],
    },
    /// A rotation about a coordinate axis.
    Turn {
        /// 0 = x, 1 = y, 2 = z.
        axis: usize,
        /// Cosine of the angle.
        cos: f64,
        /// Sine of the angle.
        sin: f64,
    },
    /// A marker of a body, in the frame with the same axes at the body's centre of mass.
    FromCom(MarkerId, BodyId),
}

/// An elementary motion with one coordinate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Given {
    /// [`Freedom::Turn`]
    #[allow(missing_docs)] // as there
    Turn { axis: usize, sign: f64 },
    /// [`Freedom::Slide`]
    #[allow(missing_docs)] // as there
    Slide { axis: [ExprId; 3], sign: f64 },
    /// [`Freedom::Screw`]
    #[allow(missing_docs)] // as there
    Screw { advance: ExprId, sign: f64 },
}

/// Motion that a link permits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Freedom {
    /// A rotation about a coordinate axis, by the coordinate or by its negative.
    Turn {
        /// 0 = x, 1 = y, 2 = z.
        axis: usize,
        /// 1 or −1.
        sign: f64,
        /// Angle at q = 0 \[rad\].
        offset: f64,
    },
    /// A displacement along an axis.
    Slide {
        /// Unit vector.
        axis: [ExprId; 3],
        /// 1 or −1.
        sign: f64,
    },
    /// A turn about z that advances along it.
    Screw {
        /// Advance per radian \[m\].
        advance: ExprId,
        /// 1 or −1.
        sign: f64,
    },
    /// A rotation about a point; `reversed` if the parameters are those of the parent in the child.
    Ball {
        /// The parameters.
        attitude: Attitude,
        /// Whether the child is the joint's first end.
        reversed: bool,
    },
    /// A rotation about a point, except about z of the joint's second end. The speeds are the x and y components of the second end's angular
    /// velocity relative to the first.
    Line {
        /// The parameters.
        attitude: Attitude,
        /// Whether the child is the joint's first end.
        reversed: bool,
    },
    /// A rotation about any axis that moves the origin on an ellipsoid; its speeds are those of a ball.
    Ellipsoid {
        /// Radii of the ellipsoid, which is fixed in the joint's first end \[m\].
        radii: [ExprId; 3],
        /// The parameters.
        attitude: Attitude,
        /// Whether the child is the joint's first end.
        reversed: bool,
    },
    /// Displacements in the parent's axes.
    Shift,
    /// A displacement on a sphere, by azimuth and elevation.
    Orbit {
        /// Radius of the sphere \[m\].
        radius: ExprId,
        /// 1 or −1.
        sign: f64,
    },
    /// Pose that the joint's kind declares.
    Posed {
        /// Index into [`Model::poses`](mbs_model::Model::poses).
        pose: u32,
        /// How many coordinates.
        coordinates: u8,
        /// How many speeds.
        speeds: u8,
        /// Whether the child is the joint's first end.
        reversed: bool,
        /// Whether it moves a body; a joint that closes a loop has coordinates, and rows that constrain its ends.
        moves: bool,
    },
    /// Motion as a function of time, without degrees of freedom.
    Given(Given),
    /// All six degrees of freedom.
    Float {
        /// The parameters.
        attitude: Attitude,
        /// Axes of the interface's linear speeds.
        velocity: VelocityAxes,
        /// Whether the child is the joint's first end.
        reversed: bool,
        /// The body whose centre of mass the link's origin is, whose velocity in world axes the solver uses; otherwise it uses the
        /// relative twist in the link's axes at its origin, the joint's marker.
        com: Option<(BodyId, MarkerId)>,
    },
}

impl Freedom {
    /// How many speeds.
    pub fn speeds(&self) -> usize {
        match self {
            Freedom::Turn { .. } | Freedom::Slide { .. } | Freedom::Screw { .. } => 1,
            Freedom::Line { .. } | Freedom::Orbit { .. } => 2,
            Freedom::Ball { .. } | Freedom::Ellipsoid { .. } | Freedom::Shift => 3,
            Freedom::Posed { speeds, .. } => usize::from(*speeds),
            Freedom::Given(_) => 0,
            Freedom::Float { .. } => 6,
        }
    }

    /// How many coordinates.
    pub fn coordinates(&self) -> usize {
        match self {
            Freedom::Turn { .. } | Freedom::Slide { .. } | Freedom::Screw { .. } => 1,
            Freedom::Orbit { .. } => 2,
            Freedom::Shift => 3,
            Freedom::Ball { attitude, .. } | Freedom::Line { attitude, .. } | Freedom::Ellipsoid { attitude, .. } => {
                attitude.count()
            }
            Freedom::Posed { coordinates, .. } => usize::from(*coordinates),
            Freedom::Given(_) => 0,
            Freedom::Float { attitude, .. } => 3 + attitude.count(),
        }
    }

    /// The attitude among its coordinates, and the number of its first parameter.
    pub fn attitude(&self) -> Option<(Attitude, usize)> {
        match *self {
            Freedom::Ball { attitude, .. } | Freedom::Line { attitude, .. } | Freedom::Ellipsoid { attitude, .. } => {
                Some((attitude, 0))
            }
            Freedom::Float { attitude, .. } => Some((attitude, 3)),
            Freedom::Turn { .. }
            | Freedom::Slide { .. }
            | Freedom::Screw { .. }
            | Freedom::Shift
            | Freedom::Posed { .. }
            | Freedom::Given(_)
            | Freedom::Orbit { .. } => None,
        }
    }

    /// Motion with a free coordinate in place of the prescribed one.
    pub fn moved(self) -> Freedom {
        match self {
            Freedom::Given(Given::Turn { axis, sign }) => Freedom::Turn { axis, sign, offset: 0.0 },
            Freedom::Given(Given::Slide { axis, sign }) => Freedom::Slide { axis, sign },
            Freedom::Given(Given::Screw { advance, sign }) => Freedom::Screw { advance, sign },
            other => other,
        }
    }

    /// Motion with `count` of its coordinates prescribed as functions of time.
    pub(super) fn given(self, count: usize) -> Freedom {
        match self {
            own if count == 0 => own,
            Freedom::Turn { axis, sign, .. } => Freedom::Given(Given::Turn { axis, sign }),
            Freedom::Slide { axis, sign } => Freedom::Given(Given::Slide { axis, sign }),
            Freedom::Screw { advance, sign } => Freedom::Given(Given::Screw { advance, sign }),
            Freedom::Posed { pose, coordinates, speeds, reversed, moves } => {
                let left = |n: u8| n - count as u8;
                Freedom::Posed { pose, coordinates: left(coordinates), speeds: left(speeds), reversed, moves }
            }
            _ => unreachable!("coordinates of turns, slides, screws and poses are prescribed"),
        }
    }
}

/// Owner of a link's coordinates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkOwner {
    /// A body without a joint.
    Body(BodyId),
    /// A step of a joint: number of its first coordinate and of its first speed among the joint's.
    Joint(JointId, u8, u8),
}

/// One elementary motion of the tree, and the frame it moves.
#[derive(Clone, Debug)]
pub struct Link {
    /// Parent link; `None` is ground.
    pub parent: Option<usize>,
    /// Constant poses from the parent's frame to the frame it moves in.
    pub before: Vec<Constant>,
    /// Motion that the link permits.
    pub freedom: Freedom,
    /// Index of its first coordinate.
    pub first_q: usize,
    /// Index of its first speed.
    pub first_v: usize,
    /// Owner of its coordinates.
    pub owner: LinkOwner,
    /// Coordinates that are functions of time: their numbers among those of the step, and their values.
    pub given: Vec<(u8, ExprId)>,
}

/// A rotation by an attitude, with the angular velocity in its own axes as speeds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Turning {
    /// Parameters of the attitude.
    pub attitude: Attitude,
    /// Index of its first coordinate.
    pub first_q: usize,
    /// Index of its first speed.
    pub first_v: usize,
    /// Axes of the speeds of its displacement, which precedes the rotation; `None` if it does not float.
    pub floats: Option<VelocityAxes>,
}

impl Link {
    /// Numbers of its own `count` coordinates or speeds among those of the step.
    pub fn numbers(&self, count: usize) -> impl Iterator<Item = u8> {
        let given: Vec<u8> = self.given.iter().map(|g| g.0).collect();
        (0..).filter(move |k| !given.contains(k)).take(count)
    }

    /// All coordinates, speeds or accelerations of the step, from the link's own and from those that are given.
    pub fn all<S: Copy>(&self, own: &[S], given: impl Fn(ExprId) -> S) -> Vec<S> {
        let mut own = own.iter().copied();
        let is = |k: usize| self.given.iter().find(|g| usize::from(g.0) == k).map(|g| given(g.1));
        (0..own.len() + self.given.len()).filter_map(|k| is(k).or_else(|| own.next())).collect()
    }

    /// Its attitude, and the number of the first parameter among all coordinates.
    pub fn attitude(&self) -> Option<(Attitude, usize)> {
        self.freedom.attitude().map(|(attitude, first)| (attitude, self.first_q + first))
    }

    /// The attitude it turns by in every way, if it does.
    pub fn turning(&self) -> Option<Turning> {
        let (attitude, floats) = match self.freedom {
            Freedom::Ball { attitude, .. } | Freedom::Ellipsoid { attitude, .. } => (attitude, None),
            Freedom::Float { attitude, velocity, .. } => (attitude, Some(velocity)),
            _ => return None,
        };
        Some(Turning { attitude, first_q: self.first_q, first_v: self.first_v, floats })
    }
}

/// Where a body stands.
#[derive(Clone, Debug, Default)]
pub struct Stand {
    /// The link; `None` is ground.
    pub link: Option<usize>,
    /// Constant poses from the link's frame to the body's.
    pub poses: Vec<Constant>,
}
