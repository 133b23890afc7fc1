//! Joints in the plane.

use mbs_expr::{Expr, ExprId, MarkerId, Op};
use mbs_math::Vector;

use super::planar::{PlanarRotation, PlanarTranslation, composed, line_row, separation};
use super::{
    Angles, Argument, Arguments, BLANK, Build, Coordinate, Ends, Geometry, JoinedRow, JointParts, Kind, Shape, general,
    required,
};
use crate::{BasicEquation, Domain, Gearing};

/// Unit and meaning of angles.
pub(super) const ANGLE_DOCS: [&str; 2] = ["rad", "angle of the second end from the first, which counts revolutions"];
/// Unit and meaning of positions.
pub(super) const POSITION_DOCS: [&str; 2] = ["m", "position of the second end from the first, in the first end's axes"];

pub(super) const ANGLE: Coordinate = Coordinate::new(["angle", "rate", "acceleration"], &["angle"], ANGLE_DOCS);

pub(super) const POSITION: Coordinate = Coordinate::new(
    ["position", "speed", "acceleration"],
    &["position"],
    ["m", "displacement of the second end from the first along the axis"],
);

const AXIS: Argument =
    required("axis", "along the line, in the first end's axes; its length does not matter").with_shape(Shape::Axis);

pub(super) const GEAR_ARGUMENTS: &[Argument] = &[
    required("ratio", "of the angles, negative for an external mesh"),
    required("offset", "of the angles [rad]").with_default(0.0),
    required("carrier", "of both gears: the joint that it rotates on, or ground")
        .with_default(0.0)
        .with_shape(Shape::Carrier),
];
pub(super) const GEAR_DOCS: &str = "Couples the angles of two joints, which count revolutions: angle_a − ratio · angle_b − offset = 0. With a \
                                    carrier both angles are measured from it. The multiplier is a torque that acts on angle_a.";
pub(super) const GEAR_REACTION: &str = "the moment on the body of the second joint's second end, at that end's marker; with a carrier also the \
                                        force of the teeth.";

/// The kinds of joints in the plane.
pub static JOINTS: &[Kind] = &[
    Kind {
        name: "revolute",
        rows: &["x", "y"],
        coordinates: &[ANGLE],
        docs: "Points P and Q coincide: p_P − p_Q = 0, world axes. Coordinate `angle` = θ_Q − θ_P, which counts revolutions; \
               it is absent if an end is a particle.",
        reaction: "the force at Q, no moment.",
        source: "Haug (1989), §3.3, revolute joint",
        build: Build::Planar(composed(PlanarTranslation::Fixed, PlanarRotation::Free)),
        ..BLANK
    },
    Kind {
        name: "prismatic",
        requires_rotation: true,
        arguments: &[AXIS],
        rows: &["normal", "angle"],
        coordinates: &[POSITION],
        docs: "Q translates along û, fixed in the first end, without rotation: (p_P − p_Q)·n̂ = 0, where n̂ is û rotated by \
               +90°, and θ_P − θ_Q = 0. Coordinate `position` = (p_Q − p_P)·û.",
        reaction: "the force at Q across the axis û, and the moment about Q.",
        source: "Haug (1989), §3.3, translational joint",
        build: Build::Planar(composed(PlanarTranslation::Along("axis"), PlanarRotation::Fixed)),
        ..BLANK
    },
    Kind {
        name: "fixed",
        requires_rotation: true,
        arguments: &[required("angle", "of the second end relative to the first [rad]").with_default(0.0)],
        rows: &["x", "y", "angle"],
        docs: "The second end is fixed to the first at the angle α: p_P − p_Q = 0, θ_P + α − θ_Q = 0.",
        reaction: "the force at Q and the moment about Q.",
        build: Build::Planar(composed(PlanarTranslation::Fixed, PlanarRotation::ConstantAngle("angle"))),
        ..BLANK
    },
    Kind {
        name: "free",
        coordinates: &[
            Coordinate::new(["position", "velocity", "acceleration"], &["position[0]", "position[1]"], POSITION_DOCS),
            Coordinate::new(["angle", "rate", "angular_acceleration"], &["angle"], ANGLE_DOCS),
        ],
        docs: "The second end moves freely, without rows. Coordinates `position` = p_Q − p_P in the first end's axes and `angle` = θ_Q − θ_P, the latter absent if \
               the second end is a particle. `velocity` is the rate of those components.",
        reaction: "nothing.",
        build: Build::Planar(composed(PlanarTranslation::Anywhere, PlanarRotation::Free)),
        ..BLANK
    },
    Kind {
        name: "point_on_line",
        arguments: &[AXIS],
        rows: &["normal"],
        docs: "Q lies on the line through P along û, fixed in the first end: (p_P − p_Q)·n̂ = 0, where n̂ is û rotated by +90°.",
        reaction: "the force at Q across the axis û; its reaction on the first end passes through Q, too.",
        source: "Haug (1989), §3.3, revolute–translational composite joint of length zero",
        build: Build::Joint(point_on_line),
        ..BLANK
    },
    Kind {
        name: "distance",
        arguments: &[required("length", "ℓ [m] > 0").in_domain(Domain::Positive)],
        rows: &[""],
        docs: "The distance of P and Q is ℓ: r·r / (2ℓ) − ℓ/2 = 0 with r = p_P − p_Q. Quadratic, regular everywhere, and scaled \
               so that at |r| = ℓ its gradient is the unit vector along r: the multiplier is a force in N.",
        reaction: "the force at Q along the line between the ends, towards P in tension; no moment.",
        source: "Haug (1989), §3.3, relative distance constraint, divided by 2ℓ",
        build: Build::Joint(distance),
        ..BLANK
    },
    Kind {
        name: "gear",
        ends: Ends::TwoJoints,
        arguments: GEAR_ARGUMENTS,
        rows: &[""],
        docs: GEAR_DOCS,
        reaction: GEAR_REACTION,
        source: "Haug (1989), §3.4, gear set, with relative angles",
        build: Build::Gear,
        ..BLANK
    },
];

fn point_on_line<'e>(g: &Geometry<'e>, ends: [MarkerId; 2], arguments: &Arguments<'e>) -> JointParts {
    JointParts::closing(g, [line_row(g, ends, arguments.vector("axis"))])
}

/// The row of a distance, r·r / (2ℓ) − ℓ/2.
pub(super) fn distance_row<'e, const N: usize>(
    g: &Geometry<'e>,
    r: Vector<Expr<'e>, N>,
    length: Expr<'e>,
) -> JoinedRow<'e> {
    (r.square() / (2.0 * length) - length / 2.0, Some(BasicEquation::Distance { length: g.id(length) }))
}

fn distance<'e>(g: &Geometry<'e>, ends: [MarkerId; 2], arguments: &Arguments<'e>) -> JointParts {
    JointParts::closing(g, [distance_row(g, separation(g, ends), arguments.scalar("length"))])
}

/// Terms of the carrier in the row of a gear.
#[derive(Clone, Copy, Debug)]
pub struct CarrierTerms {
    /// Rotation of the line of centres relative to the carrier \[rad\]. It is zero, and so are its derivatives.
    pub line: ExprId,
    /// For each joint, the carrier's angle \[rad\] that is subtracted from the joint's angle; `None` if the joint measures from the carrier.
    pub carrier: [Option<ExprId>; 2],
}

/// The row of a gear: angle_a − ratio · angle_b − offset. With a carrier, (1 − ratio) times the angle of the line of centres on the carrier is
/// subtracted.
pub fn gear<'e>(
    g: &Geometry<'e>,
    angles: Angles,
    arguments: &Arguments<'e>,
    carrier: Option<CarrierTerms>,
) -> JointParts {
    let [ratio, offset] = arguments.scalars(["ratio", "offset"]);
    let [a, b] = [0, 1].map(|i: usize| {
        let (joint, k) = angles[i];
        let coordinate = g.writer.op(Op::JointCoordinate(joint, k));
        let carrier_angle = carrier.and_then(|terms| terms.carrier[i]);
        carrier_angle.map_or(coordinate, |angle| coordinate - g.expr(angle))
    });
    let mut row = a - ratio * b - offset;
    if let Some(terms) = carrier {
        row = row - (1.0 - ratio) * g.expr(terms.line);
    }
    let geared = Gearing { joints: angles.map(|(joint, _)| joint), ratio: g.id(ratio) };
    JointParts { geared: Some(geared), ..JointParts::closing(g, general([row])) }
}
