//! The kinds: the text of each, with its pose and its rows in Rust.

use std::f64::consts::FRAC_PI_2;

use mbs_expr::{Function, Scalar};

use super::no_rotation;
use crate::world::{Attachment, S, V, World, Z, constant, difference, dot};

/// Pose of the second end in the first: translated, then rotated about axes fixed in the frame that the previous rotations produce.
#[derive(Clone, Copy, Debug)]
pub struct RelativePose {
    /// Displacement in the first end's axes.
    pub position: V,
    /// Axes and angles of the rotations.
    pub rotations: [([f64; 3], S); 3],
}

/// The constraints of a kind between its ends.
#[derive(Clone, Copy, Debug)]
pub enum ConstrainedBy {
    /// Its pose as a function of its coordinates, which are its degrees of freedom.
    Pose,
    /// Rows; further coordinates that the text declares are hidden.
    Rows {
        /// Residuals of positions, with the argument.
        positions: fn(&[Attachment; 2], S, &World) -> Vec<S>,
        /// Residuals of speeds.
        speeds: fn(&[Attachment; 2], S, &World) -> Vec<S>,
    },
}

/// A kind of joint with ends `a` and `b` and an argument `g` between 0.1 and 1.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// Its name.
    pub name: &'static str,
    /// Text in its braces.
    pub text: &'static str,
    /// Degrees of freedom between its ends, and whether each is an angle: a small displacement, or an angle below 2, in space below 1.2 for
    /// all but the first.
    pub freedoms: &'static [(&'static str, bool)],
    /// Pose of the second end as a function of those and g.
    pub pose: fn(&[S], S) -> RelativePose,
    /// Its constraints.
    pub constrained_by: ConstrainedBy,
    /// Whether its ends may be particles.
    pub particles: bool,
    /// Whether `q` and `u` are its coordinates and speeds.
    pub has_coordinates: bool,
}

impl Kind {
    /// A kind that constrains by its pose.
    const fn posed(
        name: &'static str,
        text: &'static str,
        freedoms: &'static [(&'static str, bool)],
        pose: fn(&[S], S) -> RelativePose,
    ) -> Kind {
        Kind {
            name,
            text,
            freedoms,
            pose,
            constrained_by: ConstrainedBy::Pose,
            particles: false,
            has_coordinates: true,
        }
    }

    /// A kind that constrains by rows of positions.
    const fn with_rows(
        name: &'static str,
        text: &'static str,
        freedoms: &'static [(&'static str, bool)],
        pose: fn(&[S], S) -> RelativePose,
        positions: fn(&[Attachment; 2], S, &World) -> Vec<S>,
    ) -> Kind {
        let constrained_by = ConstrainedBy::Rows { positions, speeds: |_, _, _| Vec::new() };
        Kind { name, text, freedoms, pose, constrained_by, particles: false, has_coordinates: false }
    }
}

const ANGLE: &[(&str, bool)] = &[("turn", true)];
const DISPLACEMENT: &[(&str, bool)] = &[("s", false)];
const DISPLACEMENT_AND_ANGLE: &[(&str, bool)] = &[("s", false), ("turn", true)];
const ANGLES: &[(&str, bool)] = &[("q[0]", true), ("q[1]", true), ("q[2]", true)];

/// Planar kinds.
pub const IN_THE_PLANE: &[Kind] = &[
    Kind::posed(
        "Knee",
        "coordinate turn: angle = -0.1; pose { rotation: 1.2 * turn + 0.1 * turn.powi(2), translation: [g * turn.powi(2), 0.05 * sin(2 * turn)] }",
        ANGLE,
        |q, g| {
            let angle = n(1.2) * q[0] + n(0.1) * q[0] * q[0];
            plane([g * q[0] * q[0], n(0.05) * sin(n(2.0) * q[0])], angle)
        },
    ),
    Kind::posed("Track", "coordinate s; pose { translation: [s, g * s.powi(2)] }", DISPLACEMENT, |q, g| {
        plane([q[0], g * q[0] * q[0]], n(0.0))
    }),
    Kind::posed(
        "Polar",
        "coordinate s; coordinate turn: angle; pose { rotation: turn - g * s, translation: [(1 + s) * cos(turn), (1 + s) * sin(turn)] }",
        DISPLACEMENT_AND_ANGLE,
        |q, g| plane([(n(1.0) + q[0]) * cos(q[1]), (n(1.0) + q[0]) * sin(q[1])], q[1] - g * q[0]),
    ),
    Kind::posed(
        "Glide",
        "coordinate p: [2]; coordinate turn: angle = 0.1; pose { rotation: turn + 0.2 * p[0], translation: [p[0], p[1] + g * sin(turn)] }",
        &[("p[0]", false), ("p[1]", false), ("turn", true)],
        |q, g| plane([q[0], q[1] + g * sin(q[2])], q[2] + n(0.2) * q[0]),
    ),
    Kind::posed(
        "Skate",
        "coordinate p: [2]; coordinate turn: angle; speed w: [2]; speed u;
        kinematics: [cos(turn) * w[0] - sin(turn) * w[1], sin(turn) * w[0] + cos(turn) * w[1], (1 + g) * u];
        pose { rotation: turn + g * p[1], translation: p }",
        &[("p[0]", false), ("p[1]", false), ("turn", true)],
        |q, g| plane([q[0], q[1]], q[2] + g * q[1]),
    ),
    Kind {
        particles: true,
        ..Kind::with_rows("Pin", "coincident(a, b);", ANGLE, |q, _| plane([n(0.0); 2], q[0]), |ends, _, world| {
            point_difference(ends, world)[..2].to_vec()
        })
    },
    Kind::with_rows(
        "Parallel",
        "constraint along = parallel(a.x, b.x); distance(a, b) == g;",
        ANGLE,
        |q, g| plane([g * cos(q[0]), g * sin(q[0])], n(0.0)),
        |ends, g, world| vec![cosine(ends, 1, 0, world), length(ends, world) - g],
    ),
    Kind {
        constrained_by: ConstrainedBy::Rows {
            positions: |ends, _, world| vec![cosine(ends, 0, 0, world)],
            speeds: |ends, g, world| {
                let [x, y, _] = relative_position(ends, world);
                vec![y.rate() - g * y * x.rate()]
            },
        },
        ..Kind::with_rows(
            "Skid",
            "perpendicular(a.x, b.x);
        constraint blade = rate(dot(position(b) - position(a), a.y)) == g * dot(position(b) - position(a), a.y) * rate(dot(position(b) - position(a), a.x));",
            &[("s", false), ("w", false)],
            |q, _| plane([q[0], q[1]], n(FRAC_PI_2)),
            |_, _, _| Vec::new(),
        )
    },
];

/// Spatial kinds.
pub const IN_SPACE: &[Kind] = &[
    Kind::posed(
        "Worm",
        "coordinate turn: angle = 0.2; pose { rotation: [0.1 * turn, 0, turn], translation: [0.02 * cos(turn), 0, g * (turn + 0.1 * turn.powi(2))] }",
        ANGLE,
        |q, g| {
            let position = [n(0.02) * cos(q[0]), n(0.0), g * (q[0] + n(0.1) * q[0] * q[0])];
            RelativePose { position, rotations: [(X, n(0.1) * q[0]), (Z, q[0]), no_rotation()] }
        },
    ),
    Kind::posed(
        "Roam",
        "coordinate s; coordinate turn: angle; pose { rotation: [0, turn, 0.5 * s], translation: [s, s * turn, g * sin(turn)] }",
        DISPLACEMENT_AND_ANGLE,
        |q, g| RelativePose { position: [q[0], q[0] * q[1], g * sin(q[1])], rotations: [(Y, q[1]), (Z, n(0.5) * q[0]), no_rotation()] },
    ),
    Kind::posed(
        "Wobble",
        "coordinate q: [3]; pose { rotation: [q[0], 0.5 * q[1], q[2]], axes: [[0.6, 0, 0.8], [0, 1, 0], [1, 0, -0.2]], translation: [0, g * q[1], 0.1 * q[0] * q[2]] }",
        ANGLES,
        |q, g| RelativePose {
            position: [n(0.0), g * q[1], n(0.1) * q[0] * q[2]],
            rotations: [([0.6, 0.0, 0.8], q[0]), (Y, n(0.5) * q[1]), ([1.0, 0.0, -0.2], q[2])],
        },
    ),
    Kind::posed(
        "Paced",
        "coordinate s; coordinate turn: angle; speed u: [2]; kinematics: [u[0] + g * s * u[1], 2 * u[1]]; pose { rotation: [turn, 0, 0], translation: [s, 0.2 * sin(s), 0] }",
        DISPLACEMENT_AND_ANGLE,
        |q, _| RelativePose { position: [q[0], n(0.2) * sin(q[0]), n(0.0)], rotations: [(X, q[1]), no_rotation(), no_rotation()] },
    ),
    Kind {
        has_coordinates: true,
        ..Kind::with_rows(
            "Socket",
            "coordinate q: quaternion; speed u: [3];
        kinematics: [
            -(q[1] * u[0] + q[2] * u[1] + q[3] * u[2]) / 2, (q[0] * u[0] - q[3] * u[1] + q[2] * u[2]) / 2,
            (q[3] * u[0] + q[0] * u[1] - q[1] * u[2]) / 2, (-q[2] * u[0] + q[1] * u[1] + q[0] * u[2]) / 2,
        ];
        pose { rotation: quaternion(q), translation: [g * quaternion(q).z.x, 0.5 * quaternion(q).z.y, 0] }",
            ANGLES,
            |q, g| {
                let rotations = [(X, q[0]), (Y, q[1]), (Z, q[2])];
                let ball = RelativePose { position: [n(0.0); 3], rotations };
                let [x, y, _] = ball.rotate(Z.map(constant));
                RelativePose { position: [g * x, n(0.5) * y, n(0.0)], rotations }
            },
            |ends @ [first, second], g, world| {
                let (r, out) = (point_difference(ends, world), second.axis(world, 2));
                let [x, y, z] = [0, 1, 2].map(|k| (dot(r, first.axis(world, k)), dot(out, first.axis(world, k))));
                vec![x.0 + g * x.1, y.0 + n(0.5) * y.1, z.0]
            },
        )
    },
    Kind {
        has_coordinates: true,
        ..Kind::with_rows(
            "Flight",
            "coordinate p: [3]; coordinate q: quaternion; speed w: [3]; speed u: [3];
        kinematics: [
            w[0], w[1] + g * w[0], w[2],
            -(q[1] * u[0] + q[2] * u[1] + q[3] * u[2]) / 2, (q[0] * u[0] - q[3] * u[1] + q[2] * u[2]) / 2,
            (q[3] * u[0] + q[0] * u[1] - q[1] * u[2]) / 2, (-q[2] * u[0] + q[1] * u[1] + q[0] * u[2]) / 2,
        ];
        pose { rotation: quaternion(q), translation: p }",
            &[("x", false), ("y", false), ("z", false), ("a", true), ("b", true), ("c", true)],
            |q, _| RelativePose { position: [q[0], q[1], q[2]], rotations: [(X, q[3]), (Y, q[4]), (Z, q[5])] },
            |_, _, _| Vec::new(),
        )
    },
    Kind::with_rows(
        "Hinge",
        "coincident(a, b); perpendicular(a.z, b.x); constraint tilt = dot(a.z, b.y) == 0;",
        ANGLE,
        |q, _| RelativePose { position: [n(0.0); 3], rotations: [(Z, q[0]), no_rotation(), no_rotation()] },
        |ends, _, world| {
            let [x, y, z] = point_difference(ends, world);
            vec![x, y, z, cosine(ends, 2, 0, world), cosine(ends, 2, 1, world)]
        },
    ),
    Kind::with_rows(
        "Link",
        "parallel(a.z, b.z); distance(a, b) == g;",
        &[("turn", true), ("way", true)],
        |q, g| RelativePose { position: [g * cos(q[1]), g * sin(q[1]), n(0.0)], rotations: [(Z, q[0]), no_rotation(), no_rotation()] },
        |ends, g, world| {
            vec![cosine(ends, 0, 2, world), cosine(ends, 1, 2, world), length(ends, world) - g]
        },
    ),
    Kind {
        constrained_by: ConstrainedBy::Rows {
            positions: |ends, _, world| vec![cosine(ends, 2, 0, world)],
            speeds: |ends, g, world| {
                let [x, y, z] = relative_position(ends, world);
                vec![x.rate() - g * z * y.rate()]
            },
        },
        ..Kind::with_rows(
            "Skate",
            "rate(dot(position(b) - position(a), a.x)) == g * dot(position(b) - position(a), a.z) * rate(dot(position(b) - position(a), a.y));
        perpendicular(a.z, b.x);",
            &[("x", false), ("y", false), ("z", false), ("turn", true), ("tilt", true)],
            |q, _| RelativePose { position: [q[0], q[1], q[2]], rotations: [(Z, q[3]), (X, q[4]), no_rotation()] },
            |_, _, _| Vec::new(),
        )
    },
];

const X: [f64; 3] = [1.0, 0.0, 0.0];
const Y: [f64; 3] = [0.0, 1.0, 0.0];

fn n(x: f64) -> S {
    constant(x)
}

fn sin(x: S) -> S {
    x.unary(Function::Sin)
}

fn cos(x: S) -> S {
    x.unary(Function::Cos)
}

fn plane([x, y]: [S; 2], angle: S) -> RelativePose {
    RelativePose { position: [x, y, n(0.0)], rotations: [(Z, angle), no_rotation(), no_rotation()] }
}

/// First point minus the second.
fn point_difference([first, second]: &[Attachment; 2], world: &World) -> V {
    difference(first.position(world), second.position(world))
}

/// The second point in the first end's axes.
fn relative_position(ends @ [first, _]: &[Attachment; 2], world: &World) -> V {
    let r = point_difference(ends, world);
    [0, 1, 2].map(|k| -dot(r, first.axis(world, k)))
}

fn length(ends: &[Attachment; 2], world: &World) -> S {
    let r = point_difference(ends, world);
    dot(r, r).unary(Function::Sqrt)
}

/// Cosine between axis i of the first end and axis k of the second.
fn cosine([first, second]: &[Attachment; 2], i: usize, k: usize, world: &World) -> S {
    dot(first.axis(world, i), second.axis(world, k))
}
