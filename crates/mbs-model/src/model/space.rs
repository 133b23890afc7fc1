//! Spatial quantities of bodies and joints.

use mbs_expr::ExprId;

/// Axes of a frame, in those of another frame: its x, y and z axis, three components each. These are the columns of the rotation matrix.
pub type Rotation = [[ExprId; 3]; 3];

/// The x and y components of a vector.
pub fn plane<T>([x, y, _]: [T; 3]) -> [T; 2] {
    [x, y]
}

/// Parameters of a rotation in space.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Attitude {
    /// Unit quaternion, scalar first.
    #[default]
    Quaternion,
    /// Modified Rodrigues parameters, tan(φ/4) n.
    ModifiedRodrigues,
    /// Rodrigues parameters, tan(φ/2) n.
    Rodrigues,
    /// Rotation vector, φ n.
    RotationVector,
    /// Three successive angles about the axes of the rotated frame: 0 = x, 1 = y, 2 = z; neighbours differ.
    Euler([u8; 3]),
}

impl crate::Marker {
    /// The expressions of its pose on the body: its point, its angle, its axes.
    pub fn pose_expressions(&self) -> impl Iterator<Item = ExprId> + '_ {
        let axes = self.rotation.iter().flatten().flatten().copied();
        self.point.into_iter().chain([self.angle]).chain(axes)
    }
}

impl Attitude {
    /// Number of parameters.
    pub fn count(self) -> usize {
        if self == Attitude::Quaternion { 4 } else { 3 }
    }
}

/// Axes in which the linear speeds of a body in space are measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum VelocityAxes {
    /// The world's, or those of the first end of its free joint.
    #[default]
    World,
    /// The body's axes, or those of the second end of its free joint.
    Body,
}

/// One elementary motion of a joint in space: the motion of the frame after the step relative to the frame before it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Step {
    /// Rotation about a fixed axis: one angle.
    Revolute {
        /// Unit vector, same components in both frames.
        axis: [ExprId; 3],
    },
    /// Translation along a fixed axis: one displacement.
    Prismatic {
        /// Unit vector.
        axis: [ExprId; 3],
    },
    /// Rotation about a fixed axis with a proportional advance along it: one angle.
    Screw {
        /// Unit vector.
        axis: [ExprId; 3],
        /// Advance per radian \[m\].
        advance: ExprId,
    },
    /// Rotation about a point: parameters of an attitude. The speeds are the angular velocity in the axes of the rotated frame.
    Ball {
        /// The parameters.
        attitude: Attitude,
    },
    /// Rotation about a point, but never about the rotated frame's z axis: parameters of an attitude. The speeds are the x and y components
    /// of the angular velocity in the axes of the rotated frame; the z component is zero.
    Line {
        /// The parameters.
        attitude: Attitude,
    },
    /// Any rotation, with the origin at (r_x n_x, r_y n_y, r_z n_z) in the axes before it, n the z axis of the rotated frame: parameters of
    /// an attitude. The speeds are the angular velocity in the axes of the rotated frame.
    Ellipsoid {
        /// r \[m\].
        radii: [ExprId; 3],
        /// The parameters.
        attitude: Attitude,
    },
    /// Translation on a sphere, without rotation. The coordinates are the azimuth α about z, from x, and the elevation ε above the plane
    /// normal to z. The origin is at ρ (cos ε cos α, cos ε sin α, sin ε).
    Orbit {
        /// ρ \[m\].
        radius: ExprId,
    },
    /// A motion that the text of the kind declares: an element of `Coordinates::poses`.
    Posed {
        /// Index of the pose.
        pose: u32,
        /// Number of coordinates.
        coordinates: u8,
        /// Number of speeds.
        speeds: u8,
    },
    /// Unrestricted motion: the displacement in the axes before it and the parameters of an attitude. The speeds are the rate of the
    /// displacement or the velocity in the rotated axes, then the angular velocity in the rotated axes.
    Free {
        /// The parameters.
        attitude: Attitude,
        /// Axes of the linear speeds.
        velocity: VelocityAxes,
    },
}

impl Step {
    /// Number of its coordinates.
    pub fn coordinates(&self) -> usize {
        match self {
            Step::Revolute { .. } | Step::Prismatic { .. } | Step::Screw { .. } => 1,
            Step::Orbit { .. } => 2,
            Step::Ball { attitude } | Step::Line { attitude } | Step::Ellipsoid { attitude, .. } => attitude.count(),
            Step::Posed { coordinates, .. } => usize::from(*coordinates),
            Step::Free { attitude, .. } => 3 + attitude.count(),
        }
    }

    /// Number of its speeds.
    pub fn speeds(&self) -> usize {
        match self {
            Step::Revolute { .. } | Step::Prismatic { .. } | Step::Screw { .. } => 1,
            Step::Line { .. } | Step::Orbit { .. } => 2,
            Step::Ball { .. } | Step::Ellipsoid { .. } => 3,
            Step::Posed { speeds, .. } => usize::from(*speeds),
            Step::Free { .. } => 6,
        }
    }
}
