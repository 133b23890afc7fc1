//! The kinds of joints between two frames in space: all but `distance` and `gear`, which the plane has as well.

/// How the second end's point moves relative to the first's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slide {
    /// The points coincide.
    Held,
    /// Along an axis of the first end.
    Along,
    /// Across an axis of the first end.
    Across,
    /// Anywhere.
    Anywhere,
    /// On a sphere.
    Around,
    /// On an ellipsoid, at the point that the second end's z axis determines.
    Ellipsoid,
    /// Along an axis of the second end.
    Carried,
    /// Along the axis of rotation, in proportion to the angle.
    Screw,
}

/// How the second end rotates relative to the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turning {
    /// It does not rotate.
    Held,
    /// About an axis.
    About,
    /// About an axis of the first end, then one of the second.
    Cross,
    /// In any way, by angles.
    Gimbal,
    /// In any way.
    Ball,
    /// In any way except about its own z.
    Line,
    /// So that two axes keep their angle.
    Lean,
}

impl Turning {
    /// Angles that are its coordinates.
    pub fn angles(self) -> usize {
        match self {
            Turning::About => 1,
            Turning::Cross => 2,
            Turning::Gimbal => 3,
            Turning::Held | Turning::Ball | Turning::Line | Turning::Lean => 0,
        }
    }
}

/// Names of a coordinate and its rates.
type Names = [&'static str; 3];

/// A kind.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// Its name.
    pub name: &'static str,
    /// Its translation.
    pub slide: Slide,
    /// Its rotation.
    pub turning: Turning,
    /// Names of the axes it takes, with the ones it takes where they are left out.
    pub arguments: &'static [(&'static str, [f64; 3])],
    /// Index of the axis of translation.
    pub slide_axis: usize,
    /// Indices of the axes of rotation.
    pub turn_axes: [usize; 2],
    /// Name of the number it takes; three of them are radii along the axes.
    pub number: &'static str,
    /// Coordinates that are displacements and angles.
    pub coordinates: &'static [Names],
    /// Whether it can be a joint of the tree.
    pub spans: bool,
    /// Whether its ends may be particles.
    pub particles: bool,
    /// Whether `q` includes parameters of an attitude.
    pub has_attitude: bool,
}

const X: [f64; 3] = [1.0, 0.0, 0.0];
const Y: [f64; 3] = [0.0, 1.0, 0.0];
const Z: [f64; 3] = [0.0, 0.0, 1.0];

const ANGLE: Names = ["angle", "rate", "acceleration"];
const TURN: Names = ["angle", "rate", "angular_acceleration"];
const POSITION: Names = ["position", "speed", "acceleration"];
const PLACES: [Names; 3] = [
    ["position[0]", "velocity[0]", "acceleration[0]"],
    ["position[1]", "velocity[1]", "acceleration[1]"],
    ["position[2]", "velocity[2]", "acceleration[2]"],
];
const AZIMUTH: Names = ["azimuth", "azimuth_rate", "azimuth_acceleration"];
const ELEVATION: Names = ["elevation", "elevation_rate", "elevation_acceleration"];
const Q: [Names; 3] = [
    ["q[0]", "u[0]", "angular_acceleration[0]"],
    ["q[1]", "u[1]", "angular_acceleration[1]"],
    ["q[2]", "u[2]", "angular_acceleration[2]"],
];

const fn kind(name: &'static str, slide: Slide, turning: Turning) -> Kind {
    Kind {
        name,
        slide,
        turning,
        arguments: &[],
        slide_axis: 0,
        turn_axes: [0, 1],
        number: "",
        coordinates: &[],
        spans: true,
        particles: false,
        has_attitude: matches!(turning, Turning::Ball | Turning::Line),
    }
}

/// A kind without coordinates that only closes loops.
const fn relation(name: &'static str, slide: Slide, turning: Turning) -> Kind {
    Kind { spans: false, has_attitude: false, ..kind(name, slide, turning) }
}

use Slide::{Across, Along, Anywhere, Around, Carried, Ellipsoid, Held, Screw};
use Turning::{About, Ball, Cross, Gimbal, Lean, Line};

/// All of them, simple ones first.
pub const KINDS: &[Kind] = &[
    Kind { arguments: &[("axis", Z)], coordinates: &[ANGLE], ..kind("revolute", Held, About) },
    Kind { particles: true, ..kind("spherical", Held, Ball) },
    kind("fixed", Held, Turning::Held),
    Kind { particles: true, coordinates: &PLACES, ..kind("free", Anywhere, Ball) },
    Kind { arguments: &[("axis", Z)], coordinates: &[POSITION], ..kind("prismatic", Along, Turning::Held) },
    Kind { arguments: &[("axis", Z)], coordinates: &[POSITION, TURN], ..kind("cylindrical", Along, About) },
    Kind {
        arguments: &[("axis", X), ("second_axis", Y)],
        coordinates: &[Q[0], Q[1]],
        ..kind("universal", Held, Cross)
    },
    Kind { arguments: &[("axis", Z)], number: "pitch", coordinates: &[ANGLE], ..kind("screw", Screw, About) },
    Kind { arguments: &[("normal", Z)], coordinates: &[PLACES[0], PLACES[1], TURN], ..kind("planar", Across, About) },
    Kind { coordinates: &Q, ..kind("gimbal", Held, Gimbal) },
    Kind { coordinates: &PLACES, ..kind("translation", Anywhere, Turning::Held) },
    Kind { coordinates: &[PLACES[0], PLACES[1], PLACES[2], Q[0], Q[1], Q[2]], ..kind("bushing", Anywhere, Gimbal) },
    Kind {
        arguments: &[("axis", Z), ("slide", X)],
        slide_axis: 1,
        coordinates: &[TURN, POSITION],
        ..kind("bend_stretch", Carried, About)
    },
    Kind {
        arguments: &[("axis", Z), ("second_axis", Y), ("slide", Z)],
        slide_axis: 2,
        coordinates: &[
            AZIMUTH,
            ["zenith", "zenith_rate", "zenith_acceleration"],
            ["radius", "radius_rate", "radius_acceleration"],
        ],
        ..kind("spherical_coordinates", Carried, Cross)
    },
    Kind {
        arguments: &[("axis", X), ("second_axis", Y), ("slide", Z)],
        slide_axis: 2,
        coordinates: &[Q[0], Q[1], POSITION],
        ..kind("universal_prismatic", Carried, Cross)
    },
    Kind {
        arguments: &[("slide", Z), ("axis", Z)],
        turn_axes: [1, 1],
        coordinates: &[POSITION, TURN],
        ..kind("prismatic_revolute", Along, About)
    },
    Kind {
        arguments: &[("slide", Z), ("axis", X), ("second_axis", Y)],
        turn_axes: [1, 2],
        coordinates: &[POSITION, Q[0], Q[1]],
        ..kind("prismatic_universal", Along, Cross)
    },
    Kind { arguments: &[("slide", Z)], coordinates: &[POSITION], ..kind("prismatic_spherical", Along, Ball) },
    Kind {
        arguments: &[("normal", Z)],
        coordinates: &[PLACES[0], PLACES[1]],
        ..kind("planar_fixed", Across, Turning::Held)
    },
    Kind {
        arguments: &[("normal", Z), ("axis", Z)],
        turn_axes: [1, 1],
        coordinates: &[PLACES[0], PLACES[1], TURN],
        ..kind("planar_revolute", Across, About)
    },
    Kind {
        arguments: &[("normal", Z), ("axis", X), ("second_axis", Y)],
        turn_axes: [1, 2],
        coordinates: &[PLACES[0], PLACES[1], Q[0], Q[1]],
        ..kind("planar_universal", Across, Cross)
    },
    Kind {
        arguments: &[("normal", Z)],
        coordinates: &[PLACES[0], PLACES[1]],
        ..kind("planar_spherical", Across, Ball)
    },
    Kind {
        arguments: &[("axis", Z)],
        coordinates: &[PLACES[0], PLACES[1], PLACES[2], TURN],
        ..kind("floating_revolute", Anywhere, About)
    },
    Kind {
        arguments: &[("axis", X), ("second_axis", Y)],
        coordinates: &[PLACES[0], PLACES[1], PLACES[2], Q[0], Q[1]],
        ..kind("floating_universal", Anywhere, Cross)
    },
    Kind { number: "radius", coordinates: &[AZIMUTH, ELEVATION], ..kind("orbital_fixed", Around, Turning::Held) },
    Kind {
        arguments: &[("axis", Z)],
        number: "radius",
        coordinates: &[AZIMUTH, ELEVATION, TURN],
        ..kind("orbital_revolute", Around, About)
    },
    Kind {
        arguments: &[("axis", X), ("second_axis", Y)],
        number: "radius",
        coordinates: &[AZIMUTH, ELEVATION, Q[0], Q[1]],
        ..kind("orbital_universal", Around, Cross)
    },
    Kind { number: "radius", coordinates: &[AZIMUTH, ELEVATION], ..kind("orbital_spherical", Around, Ball) },
    Kind { number: "radii", ..kind("ellipsoid", Ellipsoid, Ball) },
    kind("line_orientation", Held, Line),
    Kind { coordinates: &PLACES, ..kind("free_line", Anywhere, Line) },
    Kind { arguments: &[("axis", Z)], particles: true, ..relation("point_on_line", Along, Ball) },
    Kind { arguments: &[("normal", Z)], particles: true, ..relation("point_on_plane", Across, Ball) },
    Kind {
        arguments: &[("axis", Z), ("second_axis", X)],
        number: "angle",
        ..relation("constant_angle", Anywhere, Lean)
    },
    relation("constant_orientation", Anywhere, Turning::Held),
];
