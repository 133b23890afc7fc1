//! Planar joints.

#![allow(non_snake_case)] // monogram notation

use mbs_expr::{ExprId, MarkerId, Op};

use super::{Angles, Argued, Argument, Build, Coordinate, Ends, Geometry, JointParts, Kind, Shape, required};
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

/// p_P − p_Q.
fn coincident(g: &mut Geometry<'_>, [p, q]: [MarkerId; 2]) -> [ExprId; 2] {
    plane(g.displacement(q, p))
}

/// θ_Q − θ_P.
fn relative_angle(g: &mut Geometry<'_>, [p, q]: [MarkerId; 2]) -> ExprId {
    let (p, q) = (g.angle(p), g.angle(q));
    g.exprs.sub(q, p)
}

/// θ_P + α − θ_Q.
fn parallel(g: &mut Geometry<'_>, [p, q]: [MarkerId; 2], alpha: ExprId) -> ExprId {
    let (p, q) = (g.angle(p), g.angle(q));
    let turned = g.exprs.add(p, alpha);
    g.exprs.sub(turned, q)
}

/// (p_P − p_Q)·n̂ with n̂ = û turned by +90°, û fixed in the first end.
fn off_line(g: &mut Geometry<'_>, ends: [MarkerId; 2], axis: [ExprId; 3]) -> ExprId {
    let normal = [g.exprs.neg(axis[1]), axis[0], g.exprs.number(0.0)];
    let n_W = plane(g.to_world(ends[0], normal));
    let r = coincident(g, ends);
    g.exprs.dot(&r, &n_W)
}

fn revolute(g: &mut Geometry<'_>, ends: [MarkerId; 2], _: &[Argued]) -> JointParts {
    let rows = coincident(g, ends).to_vec();
    let coordinates = if ends.iter().any(|m| g.on_particle(*m)) { Vec::new() } else { vec![relative_angle(g, ends)] };
    JointParts::planar(JointKind::Revolute, rows, coordinates)
}

fn prismatic(g: &mut Geometry<'_>, ends: [MarkerId; 2], arguments: &[Argued]) -> JointParts {
    let axis = arguments[0];
    let zero = g.exprs.number(0.0);
    let rows = vec![off_line(g, ends, axis), parallel(g, ends, zero)];
    let u_W = g.to_world(ends[0], axis);
    let r = g.displacement(ends[0], ends[1]);
    let position = g.exprs.dot(&r, &u_W);
    JointParts::planar(JointKind::Prismatic { axis: plane(axis) }, rows, vec![position])
}

fn fixed(g: &mut Geometry<'_>, ends: [MarkerId; 2], arguments: &[Argued]) -> JointParts {
    let angle = arguments[0][0];
    let [x, y] = coincident(g, ends);
    let turned = parallel(g, ends, angle);
    JointParts::planar(JointKind::Fixed { angle }, vec![x, y, turned], Vec::new())
}

fn free(g: &mut Geometry<'_>, ends: [MarkerId; 2], _: &[Argued]) -> JointParts {
    let r = g.displacement(ends[0], ends[1]);
    let mut coordinates = plane(g.from_world(ends[0], r)).to_vec();
    if !g.on_particle(ends[1]) {
        coordinates.push(relative_angle(g, ends));
    }
    JointParts::planar(JointKind::Free, Vec::new(), coordinates)
}

fn point_on_line(g: &mut Geometry<'_>, ends: [MarkerId; 2], arguments: &[Argued]) -> JointParts {
    let axis = arguments[0];
    let row = off_line(g, ends, axis);
    JointParts::planar(JointKind::PointOnLine { axis: plane(axis) }, vec![row], Vec::new())
}

/// r·r / (2ℓ) − ℓ/2.
pub(super) fn apart(g: &mut Geometry<'_>, r: &[ExprId], length: ExprId) -> ExprId {
    let square = g.exprs.dot(r, r);
    let two = g.exprs.number(2.0);
    let twice = g.exprs.mul(two, length);
    let quotient = g.exprs.div(square, twice);
    let half = g.exprs.div(length, two);
    g.exprs.sub(quotient, half)
}

fn distance(g: &mut Geometry<'_>, ends: [MarkerId; 2], arguments: &[Argued]) -> JointParts {
    let length = arguments[0][0];
    let r = coincident(g, ends);
    let row = apart(g, &r, length);
    JointParts::planar(JointKind::Distance { length }, vec![row], Vec::new())
}

/// What a carrier adds to a gear.
#[derive(Clone, Copy, Debug)]
pub struct GearOn {
    /// The angle by which the line of centres has turned on the carrier, zero with slopes.
    pub line: ExprId,
    /// The carrier's angle, to be taken from those of the joints that do not measure from it.
    pub carrier: [Option<ExprId>; 2],
}

/// The row of a gear: angle_a − ratio · angle_b − offset, with a carrier less (1 − ratio) times the angle of the line of centres on it.
pub fn gear(g: &mut Geometry<'_>, angles: Angles, arguments: &[Argued], on: Option<GearOn>) -> JointParts {
    let (ratio, offset) = (arguments[0][0], arguments[1][0]);
    let coordinates = angles.map(|(joint, k)| g.exprs.push(Op::JointCoordinate(joint, k)));
    let [a, b] = [0, 1].map(|i| match on.and_then(|on| on.carrier[i]) {
        Some(carrier) => g.exprs.sub(coordinates[i], carrier),
        None => coordinates[i],
    });
    let geared = g.exprs.mul(ratio, b);
    let difference = g.exprs.sub(a, geared);
    let mut row = g.exprs.sub(difference, offset);
    if let Some(on) = on {
        let one = g.exprs.number(1.0);
        let opening = g.exprs.sub(one, ratio);
        let turned = g.exprs.mul(opening, on.line);
        row = g.exprs.sub(row, turned);
    }
    let kind = JointKind::Gear { joints: angles.map(|(joint, _)| joint), ratio, offset };
    JointParts::planar(kind, vec![row], Vec::new())
}
