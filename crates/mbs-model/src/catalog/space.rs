//! Joints and forces of space.
//!
//! An `axis` has the same components in the frames of both ends, so that these are parallel where the angles are zero: û_A and û_B are
//! its two images, n̂ and b̂ two unit vectors [`across`](basis::across) it with n̂ × b̂ = û. r = p_P − p_Q. Rows are scaled so that
//! their multipliers are forces and torques on the second end: the row that holds the turn about d̂ has the rate (ω_A − ω_B)·d̂.

mod basis;
mod bushing;
mod composed;
mod composition;
mod equations;
mod forces;
mod measures;
mod pairs;
mod relations;
#[cfg(test)]
mod tests;

pub use basis::across;
pub use composition::{Composition, Translation, Turning};
pub use equations::held;
pub use forces::SPATIAL_FORCES;
pub use measures::turn_about;

use super::joints::{ANGLE_DOCS, PLACE_DOCS};
use super::{Argument, BLANK, Build, Coordinate, Exerts, Kind, Shape, Speeds, required};

/// The joints of space.
pub static SPATIAL_JOINTS: &[Kind] = &[
    pairs::FIXED,
    pairs::REVOLUTE,
    pairs::PRISMATIC,
    pairs::CYLINDRICAL,
    pairs::SCREW,
    pairs::PLANAR,
    pairs::UNIVERSAL,
    pairs::SPHERICAL,
    pairs::GIMBAL,
    pairs::TRANSLATION,
    pairs::BUSHING,
    pairs::FREE,
    pairs::ELLIPSOID,
    pairs::LINE_ORIENTATION,
    pairs::FREE_LINE,
    composed::BEND_STRETCH,
    composed::SPHERICAL_COORDINATES,
    composed::UNIVERSAL_PRISMATIC,
    composed::PRISMATIC_REVOLUTE,
    composed::PRISMATIC_UNIVERSAL,
    composed::PRISMATIC_SPHERICAL,
    composed::PLANAR_FIXED,
    composed::PLANAR_REVOLUTE,
    composed::PLANAR_UNIVERSAL,
    composed::PLANAR_SPHERICAL,
    composed::FLOATING_REVOLUTE,
    composed::FLOATING_UNIVERSAL,
    composed::ORBITAL_FIXED,
    composed::ORBITAL_REVOLUTE,
    composed::ORBITAL_UNIVERSAL,
    composed::ORBITAL_SPHERICAL,
    relations::POINT_ON_LINE,
    relations::POINT_ON_PLANE,
    relations::DISTANCE,
    relations::CONSTANT_ANGLE,
    relations::CONSTANT_ORIENTATION,
    relations::GEAR,
];

const X: [f64; 3] = [1.0, 0.0, 0.0];
const Y: [f64; 3] = [0.0, 1.0, 0.0];
const Z: [f64; 3] = [0.0, 0.0, 1.0];

/// Common parts of the forces between two bodies.
const BETWEEN_BODIES: Kind = Kind { turns: true, exerts: Exerts::Force, ..BLANK };

/// A direction with the same components in both ends, or in the first.
const fn direction(name: &'static str, docs: &'static str, default: [f64; 3]) -> Argument {
    required(name, docs).shaped(Shape::Axis).or_axis(default)
}

const AXIS: Argument = direction("axis", "û, which the second end turns about, same components in both ends", Z);
const FIRST_CROSS: Argument = direction("axis", "û of the first turn, fixed in the first end", X);
const SECOND_CROSS: Argument =
    direction("second_axis", "v̂ of the second turn, fixed in the second end, not parallel to `axis`", Y);
const SLIDE: Argument = direction("slide", "ŝ along the slide, in the first end's axes", Z);
const NORMAL: Argument = direction("normal", "m̂ across the plane, in the first end's axes", Z);

/// An angle beside displacements, whose second rate must have another name than theirs.
const TURN: Coordinate = Coordinate::new(["angle", "rate", "angular_acceleration"], &["angle"], ANGLE_DOCS);
const PLACE_IN_PLANE: Coordinate = Coordinate::new(
    ["position", "velocity", "acceleration"],
    &["position[0]", "position[1]"],
    ["m", "position of the second end from the first along n̂ and b̂"],
);
const PLACE: Coordinate = Coordinate::new(
    ["position", "velocity", "acceleration"],
    &["position[0]", "position[1]", "position[2]"],
    PLACE_DOCS,
);
const CROSS_DOCS: [&str; 2] = ["rad", "angles about the axis of the first end, then about that of the second"];
const ANGLES_DOCS: [&str; 2] = ["rad", "angles about x, y and z in turn"];
const CROSS: Coordinate = Coordinate::new(["q", "u", "angular_acceleration"], &["q[0]", "q[1]"], CROSS_DOCS);
const ANGLES: Coordinate = Coordinate::new(["q", "u", "angular_acceleration"], &["q[0]", "q[1]", "q[2]"], ANGLES_DOCS);
const ATTITUDE: Coordinate = Coordinate {
    speeds: Speeds::AngularVelocity,
    ..Coordinate::new(
        ["q", "u", "angular_acceleration"],
        &["q[0]", "q[1]", "q[2]", "q[3]"],
        ["", "parameters of the attitude of the second end in the first"],
    )
};

/// Common parts of the kinds between two rigid bodies.
const fn composed(translation: Translation, turning: Turning) -> Kind {
    Kind { turns: true, build: Build::Composed(Composition { translation, turning }), ..BLANK }
}
