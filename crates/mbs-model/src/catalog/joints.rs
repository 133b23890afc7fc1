//! Planar joints.

#![allow(non_snake_case)] // monogram notation

use mbs_expr::{Expr, ExprId, MarkerId, Op};
use mbs_math::{Vec2, Vec3, Vector};

use super::{Angles, Argument, Arguments, Build, Coordinate, Ends, Geometry, JointParts, Kind, Shape, required};
use crate::{Domain, JointKind, plane};

pub(super) const ANGLE: Coordinate = Coordinate::new(["angle", "rate", "acceleration"], &["angle"]);

pub(super) const POSITION: Coordinate = Coordinate::new(["position", "speed", "acceleration"], &["position"]);

const AXIS: Argument =
    required("axis", "along the line, in the first end's axes; its length does not matter").shaped(Shape::Axis);

pub(super) const GEAR_ARGUMENTS: &[Argument] = &[
    required("ratio", "of the angles, negative for an external mesh"),
    required("offset", "of the angles [rad]").or(0.0),
    required("carrier", "the joint that a carrier of both gears turns on, or ground").or(0.0).shaped(Shape::Carrier),
];
pub(super) const GEAR_DOCS: &str = "Angles of two joints, unwrapped: angle_a − ratio · angle_b − offset = 0, with a carrier both from it. The \
                                    multiplier is a torque along angle_a.";
pub(super) const GEAR_REACTION: &str = "the moment on the body of the second joint's second end, at that end's marker; with a carrier also the \
                                        force of the teeth.";

/// The joints of the plane.
pub static JOINTS: &[Kind] = &[
    Kind {
        name: "revolute",
        ends: Ends::Two,
        turns: false,
        arguments: &[],
        rows: &["x", "y"],
        coordinates: &[ANGLE],
        docs: "Points P and Q coincide: p_P − p_Q = 0, world axes. Coordinate `angle` = θ_Q − θ_P, unwrapped, absent when an end is \
               a particle.",
        reaction: "the force at Q, no moment.",
        source: "Haug (1989), §3.3, revolute joint",
        build: Build::Joint(revolute),
    },
    Kind {
        name: "prismatic",
        ends: Ends::Two,
        turns: true,
        arguments: &[AXIS],
        rows: &["normal", "angle"],
        coordinates: &[POSITION],
        docs: "Q slides along û, fixed in the first end, without turning: (p_P − p_Q)·n̂ = 0, n̂ = û turned by +90°, and \
               θ_P − θ_Q = 0. Coordinate `position` = (p_Q − p_P)·û.",
        reaction: "the force at Q across the axis û, and the moment about Q.",
        source: "Haug (1989), §3.3, translational joint",
        build: Build::Joint(prismatic),
    },
    Kind {
        name: "fixed",
        ends: Ends::Two,
        turns: true,
        arguments: &[required("angle", "of the second end relative to the first [rad]").or(0.0)],
        rows: &["x", "y", "angle"],
        coordinates: &[],
        docs: "Second end held on the first, turned by α: p_P − p_Q = 0, θ_P + α − θ_Q = 0.",
        reaction: "the force at Q and the moment about Q.",
        source: "derived from its definition",
        build: Build::Joint(fixed),
    },
    Kind {
        name: "free",
        ends: Ends::Two,
        turns: false,
        arguments: &[],
        rows: &[],
        coordinates: &[
            Coordinate::new(["position", "velocity", "acceleration"], &["position[0]", "position[1]"]),
            Coordinate::new(["angle", "rate", "angular_acceleration"], &["angle"]),
        ],
        docs: "No rows. Coordinates `position` = p_Q − p_P in the first end's axes and `angle` = θ_Q − θ_P, the latter absent when \
               the second end is a particle. `velocity` is the rate of those components.",
        reaction: "nothing.",
        source: "derived from its definition",
        build: Build::Joint(free),
    },
    Kind {
        name: "point_on_line",
        ends: Ends::Two,
        turns: false,
        arguments: &[AXIS],
        rows: &["normal"],
        coordinates: &[],
        docs: "Q lies on the line through P along û, fixed in the first end: (p_P − p_Q)·n̂ = 0, n̂ = û turned by +90°.",
        reaction: "the force at Q across the axis û; its reaction on the first end passes through Q, too.",
        source: "Haug (1989), §3.3, revolute–translational composite joint of length zero",
        build: Build::Joint(point_on_line),
    },
    Kind {
        name: "distance",
        ends: Ends::Two,
        turns: false,
        arguments: &[required("length", "ℓ [m] > 0").within(Domain::Positive)],
        rows: &[""],
        coordinates: &[],
        docs: "The distance of P and Q is ℓ: r·r / (2ℓ) − ℓ/2 = 0 with r = p_P − p_Q. Quadratic, regular everywhere, and scaled \
               so that at |r| = ℓ its gradient is the unit vector along r: the multiplier is a force in N.",
        reaction: "the force at Q along the line between the ends, towards P in tension; no moment.",
        source: "Haug (1989), §3.3, relative distance constraint, divided by 2ℓ",
        build: Build::Joint(distance),
    },
    Kind {
        name: "gear",
        ends: Ends::TwoJoints,
        turns: false,
        arguments: GEAR_ARGUMENTS,
        rows: &[""],
        coordinates: &[],
        docs: GEAR_DOCS,
        reaction: GEAR_REACTION,
        source: "Haug (1989), §3.4, gear set, with relative angles",
        build: Build::Gear,
    },
];

/// x and y.
fn in_plane<'e>(v: Vec3<Expr<'e>>) -> Vec2<Expr<'e>> {
    Vector(plane(v.0))
}

/// p_P − p_Q.
fn coincident<'e>(g: &Geometry<'e>, [p, q]: [MarkerId; 2]) -> Vec2<Expr<'e>> {
    in_plane(g.displacement(q, p))
}

/// θ_Q − θ_P.
fn relative_angle<'e>(g: &Geometry<'e>, [p, q]: [MarkerId; 2]) -> Expr<'e> {
    g.angle(q) - g.angle(p)
}

/// θ_P + α − θ_Q.
fn parallel<'e>(g: &Geometry<'e>, [p, q]: [MarkerId; 2], alpha: impl Into<Expr<'e>>) -> Expr<'e> {
    g.angle(p) + alpha.into() - g.angle(q)
}

/// (p_P − p_Q)·n̂ with n̂ = û turned by +90°, û fixed in the first end.
fn off_line<'e>(g: &Geometry<'e>, ends: [MarkerId; 2], u: Vec3<Expr<'e>>) -> Expr<'e> {
    let n = Vector([-u[1], u[0], 0.0.into()]);
    coincident(g, ends).dot(in_plane(g.to_world(ends[0], n)))
}

fn revolute(g: &Geometry<'_>, ends: [MarkerId; 2], _: &Arguments<'_>) -> JointParts {
    let rows = g.all_ids(coincident(g, ends).0);
    let turns = !ends.iter().any(|m| g.on_particle(*m));
    let coordinates = g.all_ids(turns.then(|| relative_angle(g, ends)));
    JointParts::planar(JointKind::Revolute, rows, coordinates)
}

fn prismatic<'e>(g: &Geometry<'e>, ends: [MarkerId; 2], arguments: &Arguments<'e>) -> JointParts {
    let u = arguments.vector("axis");
    let rows = g.all_ids([off_line(g, ends, u), parallel(g, ends, 0.0)]);
    let u_W = g.to_world(ends[0], u);
    let position = g.displacement(ends[0], ends[1]).dot(u_W);
    JointParts::planar(JointKind::Prismatic { axis: plane(g.ids(u)) }, rows, vec![g.id(position)])
}

fn fixed<'e>(g: &Geometry<'e>, ends: [MarkerId; 2], arguments: &Arguments<'e>) -> JointParts {
    let alpha = arguments.number("angle");
    let [x, y] = coincident(g, ends).0;
    let rows = g.all_ids([x, y, parallel(g, ends, alpha)]);
    JointParts::planar(JointKind::Fixed { angle: g.id(alpha) }, rows, Vec::new())
}

fn free(g: &Geometry<'_>, ends: [MarkerId; 2], _: &Arguments<'_>) -> JointParts {
    let r = g.from_world(ends[0], g.displacement(ends[0], ends[1]));
    let turns = !g.on_particle(ends[1]);
    let angle = turns.then(|| relative_angle(g, ends));
    JointParts::planar(JointKind::Free, Vec::new(), g.all_ids(in_plane(r).0.into_iter().chain(angle)))
}

fn point_on_line<'e>(g: &Geometry<'e>, ends: [MarkerId; 2], arguments: &Arguments<'e>) -> JointParts {
    let u = arguments.vector("axis");
    let row = g.id(off_line(g, ends, u));
    JointParts::planar(JointKind::PointOnLine { axis: plane(g.ids(u)) }, vec![row], Vec::new())
}

/// r·r / (2ℓ) − ℓ/2.
pub(super) fn apart<'e, const N: usize>(r: Vector<Expr<'e>, N>, length: Expr<'e>) -> Expr<'e> {
    r.square() / (2.0 * length) - length / 2.0
}

fn distance<'e>(g: &Geometry<'e>, ends: [MarkerId; 2], arguments: &Arguments<'e>) -> JointParts {
    let length = arguments.number("length");
    let row = g.id(apart(coincident(g, ends), length));
    JointParts::planar(JointKind::Distance { length: g.id(length) }, vec![row], Vec::new())
}

/// Terms that a carrier adds to a gear.
#[derive(Clone, Copy, Debug)]
pub struct GearOn {
    /// The angle by which the line of centres has turned on the carrier, zero with slopes.
    pub line: ExprId,
    /// The carrier's angle, to be taken from those of the joints that do not measure from it.
    pub carrier: [Option<ExprId>; 2],
}

/// The row of a gear: angle_a − ratio · angle_b − offset, with a carrier less (1 − ratio) times the angle of the line of centres on it.
pub fn gear<'e>(g: &Geometry<'e>, angles: Angles, arguments: &Arguments<'e>, on: Option<GearOn>) -> JointParts {
    let [ratio, offset] = arguments.numbers(["ratio", "offset"]);
    let [a, b] = [0, 1].map(|i: usize| {
        let (joint, k) = angles[i];
        let coordinate = g.writer.op(Op::JointCoordinate(joint, k));
        let carrier = on.and_then(|on| on.carrier[i]);
        carrier.map_or(coordinate, |carrier| coordinate - g.expr(carrier))
    });
    let mut row = a - ratio * b - offset;
    if let Some(on) = on {
        row = row - (1.0 - ratio) * g.expr(on.line);
    }
    let [ratio, offset] = [ratio, offset].map(|x| g.id(x));
    let kind = JointKind::Gear { joints: angles.map(|(joint, _)| joint), ratio, offset };
    JointParts::planar(kind, vec![g.id(row)], Vec::new())
}
