//! Links: elementary motions of a tree, the frames that they move, and the constant poses between them.

use mbs_expr::{BodyId, ExprId, JointId, MarkerId};
use mbs_model::{Attitude, VelocityAxes};

/// A constant pose between one link and the next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Constant {
    /// A marker in its body.
    Marker(MarkerId),
    /// A body in its marker.
    Inverse(MarkerId),
    /// A rotation to axes whose z axis is a given unit vector.
    Align([ExprId; 3]),
    /// The inverse of [`Constant::Align`].
    Unalign([ExprId; 3]),
    /// A pose whose components are literals.
    Pose {
        /// Rows; `None` where the axes are parallel.
        rotation: Option<[[f64; 3]; 3]>,
        /// Origin \[m\].
        point: [f64; 3],
    },
    /// A rotation about a coordinate axis.
    AxisRotation {
        /// 0 = x, 1 = y, 2 = z.
        axis: usize,
        /// Cosine of the angle.
        cos: f64,
        /// Sine of the angle.
        sin: f64,
    },
    /// A marker of a body, relative to the frame with the marker's axes at the body's centre of mass.
    FromCom(MarkerId, BodyId),
}

/// A mobilizer with one coordinate, which is a function of time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PrescribedMobilizer {
    /// [`Mobilizer::Revolute`]
    #[allow(missing_docs)] // as there
    Revolute { axis: usize, sign: f64 },
    /// [`Mobilizer::Prismatic`]
    #[allow(missing_docs)] // as there
    Prismatic { axis: [ExprId; 3], sign: f64 },
    /// [`Mobilizer::Screw`]
    #[allow(missing_docs)] // as there
    Screw { advance: ExprId, sign: f64 },
}

/// Motion of a link relative to its parent: its coordinates, its speeds and its motion subspace.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Mobilizer {
    /// A rotation about a coordinate axis, by the coordinate \[rad\] or by its negative.
    Revolute {
        /// 0 = x, 1 = y, 2 = z.
        axis: usize,
        /// 1 or −1.
        sign: f64,
        /// Angle at q = 0 \[rad\].
        offset: f64,
    },
    /// A displacement along an axis, by the coordinate \[m\] or by its negative.
    Prismatic {
        /// Unit vector.
        axis: [ExprId; 3],
        /// 1 or −1.
        sign: f64,
    },
    /// A rotation about z with a displacement along it, in proportion to the angle.
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
    /// Three displacements \[m\], along the parent's axes.
    Translation,
    /// A displacement on a sphere, by azimuth and elevation.
    Orbit {
        /// Radius of the sphere \[m\].
        radius: ExprId,
        /// 1 or −1.
        sign: f64,
    },
    /// The pose that the joint's kind declares over coordinates.
    Posed {
        /// Index into `Coordinates::poses`.
        pose: u32,
        /// Number of coordinates that are not prescribed.
        coordinates: u8,
        /// Number of speeds.
        speeds: u8,
        /// Whether the child is the joint's first end.
        reversed: bool,
        /// Whether the link moves a body. A joint that closes a loop has coordinates, but moves none: rows constrain its ends.
        moves: bool,
    },
    /// Motion as a function of time, without degrees of freedom.
    Prescribed(PrescribedMobilizer),
    /// All six degrees of freedom: three displacements, then the parameters of an attitude.
    Free {
        /// The parameters.
        attitude: Attitude,
        /// Axes of the interface's linear speeds.
        velocity: VelocityAxes,
        /// Whether the child is the joint's first end.
        reversed: bool,
        /// The body whose centre of mass is the link's origin, and the joint's marker on it. The solver's speeds are then the velocity of that
        /// point in world axes and the angular velocity in the link's. `None`: they are the twist relative to the parent in the link's axes,
        /// at the joint's marker.
        com: Option<(BodyId, MarkerId)>,
    },
}

impl Mobilizer {
    /// Number of speeds.
    pub fn speeds(&self) -> usize {
        match self {
            Mobilizer::Revolute { .. } | Mobilizer::Prismatic { .. } | Mobilizer::Screw { .. } => 1,
            Mobilizer::Line { .. } | Mobilizer::Orbit { .. } => 2,
            Mobilizer::Ball { .. } | Mobilizer::Ellipsoid { .. } | Mobilizer::Translation => 3,
            Mobilizer::Posed { speeds, .. } => usize::from(*speeds),
            Mobilizer::Prescribed(_) => 0,
            Mobilizer::Free { .. } => 6,
        }
    }

    /// Number of coordinates.
    pub fn coordinates(&self) -> usize {
        match self {
            Mobilizer::Revolute { .. } | Mobilizer::Prismatic { .. } | Mobilizer::Screw { .. } => 1,
            Mobilizer::Orbit { .. } => 2,
            Mobilizer::Translation => 3,
            Mobilizer::Ball { attitude, .. }
            | Mobilizer::Line { attitude, .. }
            | Mobilizer::Ellipsoid { attitude, .. } => attitude.count(),
            Mobilizer::Posed { coordinates, .. } => usize::from(*coordinates),
            Mobilizer::Prescribed(_) => 0,
            Mobilizer::Free { attitude, .. } => 3 + attitude.count(),
        }
    }

    /// The attitude among its coordinates, and the index of the attitude's first parameter; `None` where it has none.
    pub fn attitude(&self) -> Option<(Attitude, usize)> {
        match *self {
            Mobilizer::Ball { attitude, .. }
            | Mobilizer::Line { attitude, .. }
            | Mobilizer::Ellipsoid { attitude, .. } => Some((attitude, 0)),
            Mobilizer::Free { attitude, .. } => Some((attitude, 3)),
            Mobilizer::Revolute { .. }
            | Mobilizer::Prismatic { .. }
            | Mobilizer::Screw { .. }
            | Mobilizer::Translation
            | Mobilizer::Posed { .. }
            | Mobilizer::Prescribed(_)
            | Mobilizer::Orbit { .. } => None,
        }
    }

    /// The mobilizer with its coordinate free, where that is prescribed; otherwise unchanged.
    pub fn unprescribed(self) -> Mobilizer {
        match self {
            Mobilizer::Prescribed(PrescribedMobilizer::Revolute { axis, sign }) => {
                Mobilizer::Revolute { axis, sign, offset: 0.0 }
            }
            Mobilizer::Prescribed(PrescribedMobilizer::Prismatic { axis, sign }) => Mobilizer::Prismatic { axis, sign },
            Mobilizer::Prescribed(PrescribedMobilizer::Screw { advance, sign }) => Mobilizer::Screw { advance, sign },
            other => other,
        }
    }

    /// The mobilizer with `count` of its coordinates prescribed as functions of time.
    pub(super) fn with_prescribed(self, count: usize) -> Mobilizer {
        match self {
            own if count == 0 => own,
            Mobilizer::Revolute { axis, sign, .. } => {
                Mobilizer::Prescribed(PrescribedMobilizer::Revolute { axis, sign })
            }
            Mobilizer::Prismatic { axis, sign } => Mobilizer::Prescribed(PrescribedMobilizer::Prismatic { axis, sign }),
            Mobilizer::Screw { advance, sign } => Mobilizer::Prescribed(PrescribedMobilizer::Screw { advance, sign }),
            Mobilizer::Posed { pose, coordinates, speeds, reversed, moves } => {
                let remaining = |n: u8| n - count as u8;
                let (coordinates, speeds) = (remaining(coordinates), remaining(speeds));
                Mobilizer::Posed { pose, coordinates, speeds, reversed, moves }
            }
            _ => unreachable!("coordinates of revolute, prismatic, screw and declared joints are prescribed"),
        }
    }
}

/// Owner of a link's coordinates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkOwner {
    /// A body without a joint.
    Body(BodyId),
    /// A step of a joint: indices of its first coordinate and of its first speed among the joint's.
    Joint(JointId, u8, u8),
}

/// One elementary motion of the tree, and the frame that it moves.
#[derive(Clone, Debug)]
pub struct Link {
    /// Parent link; `None` is ground.
    pub parent: Option<usize>,
    /// Constant poses from the parent's frame to the frame that it moves in, parent first.
    pub fixed_poses: Vec<Constant>,
    /// Motion that the link permits.
    pub mobilizer: Mobilizer,
    /// Index of its first coordinate.
    pub first_q: usize,
    /// Index of its first speed.
    pub first_v: usize,
    /// Owner of its coordinates.
    pub owner: LinkOwner,
    /// Coordinates that are functions of time: their indices among those of the step, ascending, and their values.
    pub prescribed: Vec<(u8, ExprId)>,
}

/// Coordinates of a rotation by an attitude, with the angular velocity in the rotated axes as speeds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AttitudeCoordinates {
    /// Parameters of the attitude.
    pub attitude: Attitude,
    /// Index of its first coordinate.
    pub first_q: usize,
    /// Index of its first speed.
    pub first_v: usize,
    /// Axes of the linear speeds, if a displacement precedes the rotation; `None` for a rotation about a point.
    pub floats: Option<VelocityAxes>,
}

impl Link {
    /// Indices of its `count` free coordinates or speeds among all those of the step.
    pub fn free_indices(&self, count: usize) -> impl Iterator<Item = u8> {
        let prescribed: Vec<u8> = self.prescribed.iter().map(|p| p.0).collect();
        (0..).filter(move |k| !prescribed.contains(k)).take(count)
    }

    /// All coordinates, speeds or accelerations of the step, in its order: the link's free ones `free` with the prescribed ones, which
    /// `prescribed` evaluates.
    pub fn with_prescribed<S: Copy>(&self, free: &[S], prescribed: impl Fn(ExprId) -> S) -> Vec<S> {
        let mut free = free.iter().copied();
        let known = |k: usize| self.prescribed.iter().find(|p| usize::from(p.0) == k).map(|p| prescribed(p.1));
        (0..free.len() + self.prescribed.len()).filter_map(|k| known(k).or_else(|| free.next())).collect()
    }

    /// Its attitude, and the index of the first parameter among all coordinates of the tree.
    pub fn attitude(&self) -> Option<(Attitude, usize)> {
        self.mobilizer.attitude().map(|(attitude, first)| (attitude, self.first_q + first))
    }

    /// Coordinates of its attitude, if its speeds are all three components of the angular velocity.
    pub fn attitude_coordinates(&self) -> Option<AttitudeCoordinates> {
        let (attitude, floats) = match self.mobilizer {
            Mobilizer::Ball { attitude, .. } | Mobilizer::Ellipsoid { attitude, .. } => (attitude, None),
            Mobilizer::Free { attitude, velocity, .. } => (attitude, Some(velocity)),
            _ => return None,
        };
        Some(AttitudeCoordinates { attitude, first_q: self.first_q, first_v: self.first_v, floats })
    }
}

/// The link that a body is fixed to, and its pose in the link's frame.
#[derive(Clone, Debug, Default)]
pub struct Mount {
    /// The link; `None` is ground.
    pub link: Option<usize>,
    /// Constant poses from the link's frame to the body's, link first.
    pub poses: Vec<Constant>,
}
