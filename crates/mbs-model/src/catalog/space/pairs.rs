//! Joints with conventional names: the lower pairs, and joints without rows.

use super::{
    ANGLE_AMONG_DISPLACEMENTS, ATTITUDE, AXIS, CROSS_ANGLES, FIRST_CROSS, GIMBAL_ANGLES, PLANAR_POSITION,
    RelativeRotation, SECOND_CROSS, SPATIAL_POSITION, Translation, composed, direction,
};
use crate::Domain;
use crate::catalog::joints::{ANGLE, POSITION};
use crate::catalog::{Kind, Shape, required};

const HAUG: &str = "Haug (1989), §9.4, constraints between pairs of bodies";

pub const FIXED: Kind = Kind {
    name: "fixed",
    rows: &["x", "y", "z", "turn_x", "turn_y", "turn_z"],
    docs: "The second end is fixed to the first: r = 0, world axes, and y_A·z_B, −x_A·z_B, x_A·y_B = 0, which are also zero after half \
           revolutions about x, y, z.",
    reaction: "the force at Q and the moment about Q.",
    source: HAUG,
    ..composed(Translation::Fixed, RelativeRotation::Fixed)
};

pub const REVOLUTE: Kind = Kind {
    name: "revolute",
    arguments: &[AXIS],
    rows: &["x", "y", "z", "tilt_normal", "tilt_binormal"],
    coordinates: &[ANGLE],
    docs: "The second end rotates about û through P: r = 0, world axes, and b̂_A·û_B, −n̂_A·û_B = 0. Coordinate `angle` of the second end \
           relative to the first, right-handed about û, which counts revolutions.",
    reaction: "the force at Q and the moment about Q, nothing along the axis û.",
    source: HAUG,
    ..composed(Translation::Fixed, RelativeRotation::About("axis"))
};

pub const PRISMATIC: Kind = Kind {
    name: "prismatic",
    arguments: &[direction("axis", "û along the slide, same components in both ends", super::Z)],
    rows: &["normal", "binormal", "turn_x", "turn_y", "turn_z"],
    coordinates: &[POSITION],
    docs: "Q translates along û through P without rotation: r·n̂_A, r·b̂_A = 0, and y_A·z_B, −x_A·z_B, x_A·y_B = 0. Coordinate `position` = \
           (p_Q − p_P)·û_A.",
    reaction: "the force at Q across the axis û, and the moment about Q.",
    source: HAUG,
    ..composed(Translation::Along("axis"), RelativeRotation::Fixed)
};

pub const CYLINDRICAL: Kind = Kind {
    name: "cylindrical",
    arguments: &[direction("axis", "û of the slide and the turn, same components in both ends", super::Z)],
    rows: &["normal", "binormal", "tilt_normal", "tilt_binormal"],
    coordinates: &[POSITION, ANGLE_AMONG_DISPLACEMENTS],
    docs: "Q translates along û through P, and the second end rotates about û: r·n̂_A, r·b̂_A = 0 and b̂_A·û_B, −n̂_A·û_B = 0. Coordinates `position` = \
           (p_Q − p_P)·û_A and `angle`.",
    reaction: "the force at Q across the axis û, and the moment about Q across it.",
    source: HAUG,
    ..composed(Translation::Along("axis"), RelativeRotation::About("axis"))
};

pub const SCREW: Kind = Kind {
    name: "screw",
    arguments: &[
        direction("axis", "û of the screw, same components in both ends", super::Z),
        required("pitch", "advance per turn [m], negative for a left-handed thread"),
    ],
    rows: &["normal", "binormal", "advance", "tilt_normal", "tilt_binormal"],
    coordinates: &[ANGLE],
    docs: "The second end rotates about û through P by θ, and Q advances by h θ, h = pitch/2π: r·n̂_A, r·b̂_A = 0, r·û_A + h θ = 0, and \
           b̂_A·û_B, −n̂_A·û_B = 0. Coordinate `angle` θ, which counts revolutions.",
    reaction: "the force F at Q and the moment M about Q, with h F·û + M·û = 0.",
    source: HAUG,
    ..composed(Translation::Screw { axis: "axis", pitch: "pitch" }, RelativeRotation::About("axis"))
};

pub const PLANAR: Kind = Kind {
    name: "planar",
    arguments: &[direction("normal", "m̂ across the plane, same components in both ends", super::Z)],
    rows: &["normal", "tilt_normal", "tilt_binormal"],
    coordinates: &[PLANAR_POSITION, ANGLE_AMONG_DISPLACEMENTS],
    docs: "Q moves in the plane through P normal to m̂, and the second end rotates about m̂: r·m̂_A = 0 and b̂_A·m̂_B, −n̂_A·m̂_B = 0, n̂ × b̂ = m̂. Coordinates \
           `position` = p_Q − p_P along n̂_A and b̂_A, and `angle`.",
    reaction: "the force at Q along m̂, and the moment about Q across it.",
    source: HAUG,
    ..composed(Translation::Across("normal"), RelativeRotation::About("normal"))
};

pub const UNIVERSAL: Kind = Kind {
    name: "universal",
    arguments: &[FIRST_CROSS, SECOND_CROSS],
    rows: &["x", "y", "z", "cross"],
    coordinates: &[CROSS_ANGLES],
    docs: "Points coincide, r = 0, world axes, and the axes of a cross, û of the first end and v̂ of the second, keep their angle: û_A·v̂_B \
           − û·v̂ = 0. Coordinates `q[0]` about û and then `q[1]` about v̂, `u` their rates. Singular if û and v̂ are parallel.",
    reaction: "the force at Q and the moment about û × v̂.",
    source: HAUG,
    ..composed(Translation::Fixed, RelativeRotation::Cross(["axis", "second_axis"]))
};

pub const SPHERICAL: Kind = Kind {
    name: "spherical",
    requires_rotation: false,
    rows: &["x", "y", "z"],
    coordinates: &[ATTITUDE],
    docs: "Points P and Q coincide: r = 0, world axes. Coordinates `q`, the parameters of R_AB in the `attitude` of the second end's body \
           (of the first's if the second end is on ground), and as speeds `u` the angular velocity of the second end relative to the first \
           in the second end's axes. They are absent if an end is a particle, and the joint closes a loop then.",
    reaction: "the force at Q, no moment.",
    source: HAUG,
    ..composed(Translation::Fixed, RelativeRotation::Ball)
};

pub const GIMBAL: Kind = Kind {
    name: "gimbal",
    rows: &["x", "y", "z"],
    coordinates: &[GIMBAL_ANGLES],
    docs: "Points P and Q coincide: r = 0, world axes. Coordinates `q`, angles about x, y and z in turn, R_AB = R_x(q₀) R_y(q₁) R_z(q₂), \
           and `u` their rates. Singular if cos q₁ = 0, when the first and the third axis are parallel.",
    reaction: "the force at Q, no moment.",
    source: "Simbody, MobilizedBody::Gimbal",
    ..composed(Translation::Fixed, RelativeRotation::Gimbal)
};

pub const TRANSLATION: Kind = Kind {
    name: "translation",
    rows: &["turn_x", "turn_y", "turn_z"],
    coordinates: &[SPATIAL_POSITION],
    docs: "The second end translates without rotation: y_A·z_B, −x_A·z_B, x_A·y_B = 0. Coordinates `position` = p_Q − p_P in the first end's axes.",
    reaction: "the moment, no force.",
    source: "Simbody, MobilizedBody::Translation",
    ..composed(Translation::Anywhere, RelativeRotation::Fixed)
};

pub const BUSHING: Kind = Kind {
    name: "bushing",
    coordinates: &[SPATIAL_POSITION, GIMBAL_ANGLES],
    docs: "No rows. Coordinates `position` = p_Q − p_P in the first end's axes and `q`, angles about x, y and z in turn as in `gimbal`. \
           Singular if cos q₁ = 0.",
    reaction: "nothing.",
    source: "Simbody, MobilizedBody::Bushing",
    ..composed(Translation::Anywhere, RelativeRotation::Gimbal)
};

pub const FREE: Kind = Kind {
    name: "free",
    requires_rotation: false,
    coordinates: &[SPATIAL_POSITION, ATTITUDE],
    docs: "No rows. Coordinates `position` = p_Q − p_P in the first end's axes, and `q`, `u` as in `spherical`, which are absent if the \
           second end is a particle. `velocity` is the rate of `position`.",
    reaction: "nothing.",
    source: "derived from its definition",
    ..composed(Translation::Anywhere, RelativeRotation::Ball)
};

pub const ELLIPSOID: Kind = Kind {
    name: "ellipsoid",
    arguments: &[required("radii", "ρ [m] > 0 of the ellipsoid about P, along the axes of the first end")
        .with_shape(Shape::Diagonal)
        .in_domain(Domain::Positive)],
    rows: &["surface_x", "surface_y", "surface_z"],
    coordinates: &[ATTITUDE],
    docs: "Q moves on the ellipsoid about P, and the second end has any orientation: p_Q − p_P = (ρ_x n_x, ρ_y n_y, ρ_z n_z) in the first end's \
           axes with n = z_B, r·d̂_A + ρ_d d̂_A·z_B = 0 for each axis d̂. Coordinates `q`, `u` as in `spherical`. On a sphere z_B is the normal.",
    reaction: "the force F at Q and the moment (D F) × z_B about it, D F = Σ ρ_d (F·d̂_A) d̂_A.",
    source: "Simbody, MobilizedBody::Ellipsoid",
    ..composed(Translation::Ellipsoid("radii"), RelativeRotation::Ball)
};

pub const LINE_ORIENTATION: Kind = Kind {
    name: "line_orientation",
    rows: &["x", "y", "z", "spin"],
    coordinates: &[ATTITUDE],
    docs: "Points P and Q coincide, r = 0, world axes, and the second end does not rotate about its z axis: (ω_A − ω_B)·z_B = 0, a row between \
           speeds. Coordinates `q` as in `spherical`, and `u`, whose third component is zero: two speeds for the direction of a line.",
    reaction: "the force at Q and the moment about z_B.",
    source: "Simbody, MobilizedBody::LineOrientation",
    ..composed(Translation::Fixed, RelativeRotation::Line)
};

pub const FREE_LINE: Kind = Kind {
    name: "free_line",
    rows: &["spin"],
    coordinates: &[SPATIAL_POSITION, ATTITUDE],
    docs: "The second end moves freely, but does not rotate about its z axis: (ω_A − ω_B)·z_B = 0, a row between speeds. Coordinates \
           `position` = p_Q − p_P in the first end's axes, and `q`, `u` as in `line_orientation`.",
    reaction: "the moment about z_B, no force.",
    source: "Simbody, MobilizedBody::FreeLine",
    ..composed(Translation::Anywhere, RelativeRotation::Line)
};
