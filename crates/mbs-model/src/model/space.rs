//! Spatial quantities of bodies and joints.

use mbs_expr::ExprId;

/// Axes of a frame in another: its x, y and z axis, three components each.
pub type Rotation = [[ExprId; 3]; 3];

/// Components of a vector in the plane.
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
    /// Expressions that place it: its point, its angle, its axes.
    pub fn placed(&self) -> impl Iterator<Item = ExprId> + '_ {
        let axes = self.rotation.iter().flatten().flatten().copied();
        self.point.into_iter().chain([self.angle]).chain(axes)
    }
}

impl Attitude {
    /// How many parameters.
    pub fn count(self) -> usize {
        if self == Attitude::Quaternion { 4 } else { 3 }
    }
}

/// Axes that the linear speeds of a body in space are in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum VelocityAxes {
    /// The world's, or those of the first end of its free joint.
    #[default]
    World,
    /// The body's own, or those of the second end of its free joint.
    Body,
}

/// One elementary motion of a joint in space, of the frame that the steps after it stand in, relative to the one before it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Step {
    /// Turns about a fixed axis: one angle.
    Turn {
        /// Unit vector, same components in both frames.
        axis: [ExprId; 3],
    },
    /// Moves along a fixed axis: one displacement.
    Slide {
        /// Unit vector.
        axis: [ExprId; 3],
    },
    /// Turns about a fixed axis and advances along it: one angle.
    Screw {
        /// Unit vector.
        axis: [ExprId; 3],
        /// Advance per radian \[m\].
        advance: ExprId,
    },
    /// Turns about a point: parameters of an attitude, and as speeds the angular velocity in the axes of the turned frame.
    Ball {
        /// The parameters.
        attitude: Attitude,
    },
    /// Turns about a point, but never about its own z: parameters of an attitude, and as speeds the x and y components of the angular
    /// velocity in the axes of the turned frame, whose z component is zero.
    Line {
        /// The parameters.
        attitude: Attitude,
    },
    /// Turns in any way, its origin at (r_x n_x, r_y n_y, r_z n_z) in the axes before it, n its own z axis: parameters of an attitude,
    /// and as speeds the angular velocity in the axes of the turned frame.
    Ellipsoid {
        /// r \[m\].
        radii: [ExprId; 3],
        /// The parameters.
        attitude: Attitude,
    },
    /// Moves on a sphere without turning: the azimuth α about z, from x, and the elevation ε above the plane across z. The origin is at
    /// ρ (cos ε cos α, cos ε sin α, sin ε).
    Orbit {
        /// ρ \[m\].
        radius: ExprId,
    },
    /// Moves as its text says: [`Model::poses`](crate::Model::poses).
    Posed {
        /// Index of the pose.
        pose: u32,
        /// How many coordinates.
        coordinates: u8,
        /// How many speeds.
        speeds: u8,
    },
    /// Moves freely: the displacement in the axes before it and the parameters of an attitude; as speeds the rate of the
    /// displacement, or the velocity in the turned axes, and the angular velocity in the turned axes.
    Free {
        /// The parameters.
        attitude: Attitude,
        /// Axes of the linear speeds.
        velocity: VelocityAxes,
    },
}

impl Step {
    /// How many coordinates it has.
    pub fn coordinates(&self) -> usize {
        match self {
            Step::Turn { .. } | Step::Slide { .. } | Step::Screw { .. } => 1,
            Step::Orbit { .. } => 2,
            Step::Ball { attitude } | Step::Line { attitude } | Step::Ellipsoid { attitude, .. } => attitude.count(),
            Step::Posed { coordinates, .. } => usize::from(*coordinates),
            Step::Free { attitude, .. } => 3 + attitude.count(),
        }
    }

    /// How many speeds it has.
    pub fn speeds(&self) -> usize {
        match self {
            Step::Turn { .. } | Step::Slide { .. } | Step::Screw { .. } => 1,
            Step::Line { .. } | Step::Orbit { .. } => 2,
            Step::Ball { .. } | Step::Ellipsoid { .. } => 3,
            Step::Posed { speeds, .. } => usize::from(*speeds),
            Step::Free { .. } => 6,
        }
    }
}
