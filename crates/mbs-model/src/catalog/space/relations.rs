//! Joints that relate points, directions and angles, and only close loops.

#![allow(non_snake_case)] // monogram notation

use mbs_expr::{Expr, MarkerId, Scalar};

use super::composition::mark_parallel_axes;
use super::equations::{cosine, displacement_along, line_rows, parallel_rows, separation};
use super::{NORMAL, Z, direction};
use crate::Domain;
use crate::catalog::{Arguments, BLANK, Build, Ends, Geometry, JointParts, Kind, Shape, general, joints, required};

/// Common fields of the joints between points.
const BETWEEN_POINTS: Kind =
    Kind { source: "Haug (1989), §9.4, basic constraints", build: Build::Joint(distance), ..BLANK };

pub const POINT_ON_LINE: Kind = Kind {
    name: "point_on_line",
    arguments: &[direction("axis", "û along the line, in the first end's axes", Z)],
    rows: &["normal", "binormal"],
    docs: "Q lies on the line through P along û, fixed in the first end: r·n̂_A, r·b̂_A = 0. It only closes loops; \
           `prismatic_spherical` is the same joint for the tree.",
    reaction: "the force at Q across û; its reaction on the first end passes through Q, too.",
    build: Build::Joint(point_on_line),
    ..BETWEEN_POINTS
};

pub const POINT_ON_PLANE: Kind = Kind {
    name: "point_on_plane",
    arguments: &[NORMAL],
    rows: &[""],
    docs: "Q lies in the plane through P normal to m̂, fixed in the first end: r·m̂_A = 0. It only closes loops; \
           `planar_spherical` is the same joint for the tree.",
    reaction: "the force at Q along m̂; its reaction on the first end passes through Q, too.",
    build: Build::Joint(point_on_plane),
    ..BETWEEN_POINTS
};

pub const DISTANCE: Kind = Kind {
    name: "distance",
    arguments: &[required("length", "ℓ [m] > 0").in_domain(Domain::Positive)],
    rows: &[""],
    docs: "The distance of P and Q is ℓ: r·r / (2ℓ) − ℓ/2 = 0. Quadratic, regular everywhere, and scaled so that at |r| = ℓ its gradient \
           is the unit vector along r: the multiplier is a force in N.",
    reaction: "the force at Q along the line between the ends, towards P in tension; no moment.",
    ..BETWEEN_POINTS
};

pub const CONSTANT_ANGLE: Kind = Kind {
    name: "constant_angle",
    requires_rotation: true,
    arguments: &[
        required("axis", "û, in the first end's axes").with_shape(Shape::Axis),
        required("second_axis", "v̂, in the second end's axes").with_shape(Shape::Axis),
        required("angle", "α [rad] between them, 0 < α < π").in_domain(Domain::Positive),
    ],
    rows: &[""],
    docs: "The directions û of the first end and v̂ of the second keep the angle α: û_A·v̂_B − cos α = 0. Singular if they are parallel.",
    reaction: "the moment about û × v̂, no force.",
    build: Build::Joint(constant_angle),
    ..BETWEEN_POINTS
};

pub const CONSTANT_ORIENTATION: Kind = Kind {
    name: "constant_orientation",
    requires_rotation: true,
    rows: &["turn_x", "turn_y", "turn_z"],
    docs: "The second end does not rotate relative to the first: y_A·z_B, −x_A·z_B, x_A·y_B = 0, which are also zero after half revolutions \
           about x, y, z. It only closes loops; `translation` is the same joint for the tree.",
    reaction: "the moment, no force.",
    build: Build::Joint(constant_orientation),
    ..BETWEEN_POINTS
};

pub const GEAR: Kind = Kind {
    name: "gear",
    ends: Ends::TwoJoints,
    arguments: joints::GEAR_ARGUMENTS,
    rows: &[""],
    docs: joints::GEAR_DOCS,
    reaction: joints::GEAR_REACTION,
    source: "Haug (1989), §3.4, gear set, with relative angles",
    build: Build::Gear,
    ..BETWEEN_POINTS
};

fn point_on_line<'e>(g: &Geometry<'e>, ends: [MarkerId; 2], arguments: &Arguments<'e>) -> JointParts {
    JointParts::closing(g, general(line_rows(g, ends, ends[0], arguments.vector("axis"))))
}

fn point_on_plane<'e>(g: &Geometry<'e>, ends: [MarkerId; 2], arguments: &Arguments<'e>) -> JointParts {
    JointParts::closing(g, general([displacement_along(g, ends, ends[0], arguments.vector("normal"))]))
}

fn distance<'e>(g: &Geometry<'e>, ends: [MarkerId; 2], arguments: &Arguments<'e>) -> JointParts {
    JointParts::closing(g, [joints::distance_row(g, separation(g, ends), arguments.scalar("length"))])
}

fn constant_angle<'e>(g: &Geometry<'e>, ends: [MarkerId; 2], arguments: &Arguments<'e>) -> JointParts {
    let [u, v] = ["axis", "second_axis"].map(|name| arguments.vector(name));
    let alpha = arguments.scalar("angle");
    // The cosine of the literal π/2 would be round-off, not zero.
    let is_right = alpha.literal() == Some(std::f64::consts::FRAC_PI_2);
    let cos_alpha = if is_right { Expr::from(0.0) } else { alpha.cos() };
    JointParts::closing(g, general([cosine(g, ends, u, v) - cos_alpha]))
}

fn constant_orientation(g: &Geometry<'_>, ends: [MarkerId; 2], _: &Arguments<'_>) -> JointParts {
    JointParts::closing(g, mark_parallel_axes(parallel_rows(g, ends)))
}
