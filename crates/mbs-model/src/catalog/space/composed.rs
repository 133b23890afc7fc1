//! Joints that are named after their translation and their rotation, and joints whose prismatic axis is fixed in the second end.
//!
//! The name consists of a translation fixed in the first end (`prismatic` along ŝ, `planar` normal to m̂, `floating` or `orbital` at a distance)
//! and a rotation (`fixed`, `revolute`, `universal` or `spherical`): `planar_universal`. Combinations with a conventional name are in `pairs` and
//! have no second name.

use super::{
    ANGLE_AMONG_DISPLACEMENTS, ATTITUDE, AXIS, CROSS_ANGLES, FIRST_CROSS, NORMAL, PLANAR_POSITION, RelativeRotation,
    SECOND_CROSS, SLIDE, SPATIAL_POSITION, Translation, X, Y, Z, composed, direction,
};
use crate::Domain;
use crate::catalog::joints::POSITION;
use crate::catalog::{Argument, Coordinate, Kind, required};

const RIBLE: &str = "Rible.jl, joints by their free translations and rotations";

const AZIMUTH: Coordinate = Coordinate::new(
    ["azimuth", "azimuth_rate", "azimuth_acceleration"],
    &["azimuth"],
    ["rad", "azimuth of the second end from the first"],
);
const ELEVATION: Coordinate = Coordinate::new(
    ["elevation", "elevation_rate", "elevation_acceleration"],
    &["elevation"],
    ["rad", "elevation of the second end above the plane across z of the first"],
);

const RADIUS: Argument = required("radius", "ρ [m] > 0, distance of P and Q").in_domain(Domain::Positive);

pub const PRISMATIC_REVOLUTE: Kind = Kind {
    name: "prismatic_revolute",
    arguments: &[SLIDE, AXIS],
    rows: &["normal", "binormal", "tilt_normal", "tilt_binormal"],
    coordinates: &[POSITION, ANGLE_AMONG_DISPLACEMENTS],
    docs: "Q translates along ŝ through P, and the second end rotates about û: r·n̂_A, r·b̂_A = 0, n̂ × b̂ = ŝ, and `tilt` rows as in `revolute`. \
           Coordinates `position` = (p_Q − p_P)·ŝ_A and `angle`. With û = ŝ it is `cylindrical`.",
    reaction: "the force at Q across ŝ, and the moment about Q across û.",
    source: RIBLE,
    ..composed(Translation::Along("slide"), RelativeRotation::About("axis"))
};

pub const PRISMATIC_UNIVERSAL: Kind = Kind {
    name: "prismatic_universal",
    arguments: &[SLIDE, FIRST_CROSS, SECOND_CROSS],
    rows: &["normal", "binormal", "cross"],
    coordinates: &[POSITION, CROSS_ANGLES],
    docs: "Q translates along ŝ through P, ŝ fixed in the first end, and the second end rotates as in `universal`: r·n̂_A, r·b̂_A = 0, \
           û_A·v̂_B − û·v̂ = 0. Coordinates `position` = (p_Q − p_P)·ŝ_A and `q`, `u`.",
    reaction: "the force at Q across ŝ, and the moment about û × v̂.",
    source: RIBLE,
    ..composed(Translation::Along("slide"), RelativeRotation::Cross(["axis", "second_axis"]))
};

pub const PRISMATIC_SPHERICAL: Kind = Kind {
    name: "prismatic_spherical",
    arguments: &[SLIDE],
    rows: &["normal", "binormal"],
    coordinates: &[POSITION, ATTITUDE],
    docs: "Q translates along ŝ through P: r·n̂_A, r·b̂_A = 0. Coordinates `position` = (p_Q − p_P)·ŝ_A and `q`, `u` as in `spherical`. \
           The rows are those of `point_on_line`, which has no coordinates and closes loops.",
    reaction: "the force at Q across ŝ, no moment.",
    source: RIBLE,
    ..composed(Translation::Along("slide"), RelativeRotation::Ball)
};

pub const PLANAR_FIXED: Kind = Kind {
    name: "planar_fixed",
    arguments: &[NORMAL],
    rows: &["normal", "turn_x", "turn_y", "turn_z"],
    coordinates: &[PLANAR_POSITION],
    docs: "Q moves in the plane through P normal to m̂ without rotation: r·m̂_A = 0, and y_A·z_B, −x_A·z_B, x_A·y_B = 0. Coordinates \
           `position` = p_Q − p_P along n̂_A and b̂_A, n̂ × b̂ = m̂.",
    reaction: "the force at Q along m̂, and the moment about Q.",
    source: RIBLE,
    ..composed(Translation::Across("normal"), RelativeRotation::Fixed)
};

pub const PLANAR_REVOLUTE: Kind = Kind {
    name: "planar_revolute",
    arguments: &[NORMAL, AXIS],
    rows: &["normal", "tilt_normal", "tilt_binormal"],
    coordinates: &[PLANAR_POSITION, ANGLE_AMONG_DISPLACEMENTS],
    docs: "Q moves in the plane through P normal to m̂, and the second end rotates about û: r·m̂_A = 0 and `tilt` rows as in `revolute`. \
           Coordinates `position` = p_Q − p_P along n̂_A and b̂_A, n̂ × b̂ = m̂, and `angle`. With û = m̂ it is `planar`.",
    reaction: "the force at Q along m̂, and the moment about Q across û.",
    source: RIBLE,
    ..composed(Translation::Across("normal"), RelativeRotation::About("axis"))
};

pub const PLANAR_UNIVERSAL: Kind = Kind {
    name: "planar_universal",
    arguments: &[NORMAL, FIRST_CROSS, SECOND_CROSS],
    rows: &["normal", "cross"],
    coordinates: &[PLANAR_POSITION, CROSS_ANGLES],
    docs: "Q moves in the plane through P normal to m̂, and the second end rotates as in `universal`: r·m̂_A = 0, û_A·v̂_B − û·v̂ = 0. \
           Coordinates `position` = p_Q − p_P along n̂_A and b̂_A, n̂ × b̂ = m̂, and `q`, `u`.",
    reaction: "the force at Q along m̂, and the moment about û × v̂.",
    source: RIBLE,
    ..composed(Translation::Across("normal"), RelativeRotation::Cross(["axis", "second_axis"]))
};

pub const PLANAR_SPHERICAL: Kind = Kind {
    name: "planar_spherical",
    arguments: &[NORMAL],
    rows: &["normal"],
    coordinates: &[PLANAR_POSITION, ATTITUDE],
    docs: "Q moves in the plane through P normal to m̂: r·m̂_A = 0. Coordinates `position` = p_Q − p_P along n̂_A and b̂_A, n̂ × b̂ = m̂, and \
           `q`, `u` as in `spherical`. The row is that of `point_on_plane`, which has no coordinates and closes loops.",
    reaction: "the force at Q along m̂, no moment.",
    source: RIBLE,
    ..composed(Translation::Across("normal"), RelativeRotation::Ball)
};

pub const FLOATING_REVOLUTE: Kind = Kind {
    name: "floating_revolute",
    arguments: &[AXIS],
    rows: &["tilt_normal", "tilt_binormal"],
    coordinates: &[SPATIAL_POSITION, ANGLE_AMONG_DISPLACEMENTS],
    docs: "Q moves freely, and the second end rotates about û: `tilt` rows as in `revolute`. Coordinates `position` = p_Q − p_P in the \
           first end's axes, and `angle`.",
    reaction: "the moment across û, no force.",
    source: RIBLE,
    ..composed(Translation::Anywhere, RelativeRotation::About("axis"))
};

pub const FLOATING_UNIVERSAL: Kind = Kind {
    name: "floating_universal",
    arguments: &[FIRST_CROSS, SECOND_CROSS],
    rows: &["cross"],
    coordinates: &[SPATIAL_POSITION, CROSS_ANGLES],
    docs: "Q moves freely, and the second end rotates as in `universal`: û_A·v̂_B − û·v̂ = 0. Coordinates `position` = p_Q − p_P in the \
           first end's axes, and `q`, `u`.",
    reaction: "the moment about û × v̂, no force.",
    source: RIBLE,
    ..composed(Translation::Anywhere, RelativeRotation::Cross(["axis", "second_axis"]))
};

pub const ORBITAL_FIXED: Kind = Kind {
    name: "orbital_fixed",
    arguments: &[RADIUS],
    rows: &["radius", "turn_x", "turn_y", "turn_z"],
    coordinates: &[AZIMUTH, ELEVATION],
    docs: "Q moves at the distance ρ from P, and the second end does not rotate: r·r/(2ρ) − ρ/2 = 0, and y_A·z_B, −x_A·z_B, x_A·y_B = 0. \
           Coordinates `azimuth` α of Q about z_A and `elevation` ε above the plane normal to it, p_Q − p_P = ρ (cos ε cos α, cos ε sin α, sin \
           ε) in the first end's axes. Singular if cos ε = 0.",
    reaction: "the force at Q along r, towards P in tension, and the moment.",
    source: RIBLE,
    ..composed(Translation::Around("radius"), RelativeRotation::Fixed)
};

pub const ORBITAL_REVOLUTE: Kind = Kind {
    name: "orbital_revolute",
    arguments: &[RADIUS, AXIS],
    rows: &["radius", "tilt_normal", "tilt_binormal"],
    coordinates: &[AZIMUTH, ELEVATION, ANGLE_AMONG_DISPLACEMENTS],
    docs: "Q moves at the distance ρ from P, and the second end rotates about û: r·r/(2ρ) − ρ/2 = 0 and `tilt` rows as in `revolute`. \
           Coordinates `azimuth`, `elevation` as in `orbital_fixed`, and `angle`.",
    reaction: "the force at Q along r, towards P in tension, and the moment across û.",
    source: RIBLE,
    ..composed(Translation::Around("radius"), RelativeRotation::About("axis"))
};

pub const ORBITAL_UNIVERSAL: Kind = Kind {
    name: "orbital_universal",
    arguments: &[RADIUS, FIRST_CROSS, SECOND_CROSS],
    rows: &["radius", "cross"],
    coordinates: &[AZIMUTH, ELEVATION, CROSS_ANGLES],
    docs: "Q moves at the distance ρ from P, and the second end rotates as in `universal`: r·r/(2ρ) − ρ/2 = 0, û_A·v̂_B − û·v̂ = 0. \
           Coordinates `azimuth`, `elevation` as in `orbital_fixed`, and `q`, `u`.",
    reaction: "the force at Q along r, towards P in tension, and the moment about û × v̂.",
    source: RIBLE,
    ..composed(Translation::Around("radius"), RelativeRotation::Cross(["axis", "second_axis"]))
};

pub const ORBITAL_SPHERICAL: Kind = Kind {
    name: "orbital_spherical",
    arguments: &[RADIUS],
    rows: &["radius"],
    coordinates: &[AZIMUTH, ELEVATION, ATTITUDE],
    docs: "Q moves at the distance ρ from P: r·r/(2ρ) − ρ/2 = 0. Coordinates `azimuth`, `elevation` as in `orbital_fixed`, and `q`, `u` as \
           in `spherical`. The row is that of `distance`, which has no coordinates and closes loops.",
    reaction: "the force at Q along r, towards P in tension, no moment.",
    source: RIBLE,
    ..composed(Translation::Around("radius"), RelativeRotation::Ball)
};

pub const UNIVERSAL_PRISMATIC: Kind = Kind {
    name: "universal_prismatic",
    arguments: &[FIRST_CROSS, SECOND_CROSS, direction("slide", "ŝ along the slide, fixed in the second end", Z)],
    rows: &["normal", "binormal", "cross"],
    coordinates: &[CROSS_ANGLES, POSITION],
    docs: "The second end rotates as in `universal` and then translates along ŝ, which is fixed in it: r·n̂_B, r·b̂_B = 0, n̂ × b̂ = ŝ, and \
           û_A·v̂_B − û·v̂ = 0. Coordinates `q`, `u` and `position` = (p_Q − p_P)·ŝ_B.",
    reaction: "the force at Q across ŝ, and the moment about Q.",
    source: RIBLE,
    ..composed(Translation::AlongSecondEnd("slide"), RelativeRotation::Cross(["axis", "second_axis"]))
};

pub const SPHERICAL_COORDINATES: Kind = Kind {
    name: "spherical_coordinates",
    arguments: &[
        direction("axis", "û of the azimuth, fixed in the first end", Z),
        direction("second_axis", "v̂ of the zenith angle, fixed in the second end, not parallel to `axis`", Y),
        direction("slide", "ŝ along the radius, fixed in the second end", Z),
    ],
    rows: &["normal", "binormal", "cross"],
    coordinates: &[
        AZIMUTH,
        Coordinate::new(
            ["zenith", "zenith_rate", "zenith_acceleration"],
            &["zenith"],
            ["rad", "zenith angle of the second end from the first"],
        ),
        Coordinate::new(
            ["radius", "radius_rate", "radius_acceleration"],
            &["radius"],
            ["m", "distance of the second end from the first"],
        ),
    ],
    docs: "The joint `universal_prismatic` with the names of spherical coordinates: rotations by `azimuth` about û and by `zenith` about v̂, then a \
           translation by `radius` along ŝ, which is fixed in the second end.",
    reaction: "the force at Q across ŝ, and the moment about Q.",
    source: "Simbody, MobilizedBody::SphericalCoords",
    ..composed(Translation::AlongSecondEnd("slide"), RelativeRotation::Cross(["axis", "second_axis"]))
};

pub const BEND_STRETCH: Kind = Kind {
    name: "bend_stretch",
    arguments: &[AXIS, direction("slide", "ŝ along the slide, fixed in the second end", X)],
    rows: &["normal", "binormal", "tilt_normal", "tilt_binormal"],
    coordinates: &[ANGLE_AMONG_DISPLACEMENTS, POSITION],
    docs: "The second end rotates about û and then translates along ŝ, which is fixed in it: polar coordinates. r·n̂_B, r·b̂_B = 0, n̂ × b̂ = ŝ, and \
           `tilt` rows as in `revolute`. Coordinates `angle` and `position` = (p_Q − p_P)·ŝ_B.",
    reaction: "the force at Q across ŝ, and the moment about Q.",
    source: "Simbody, MobilizedBody::BendStretch",
    ..composed(Translation::AlongSecondEnd("slide"), RelativeRotation::About("axis"))
};
