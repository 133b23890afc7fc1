//! Forces of space.

#![allow(non_snake_case)] // monogram notation

use mbs_expr::{ExprId, MarkerId};

use super::bushing::BUSHING;
use super::{Z, direction};
use crate::Domain;
use crate::catalog::forces::{
    CABLE_ARGUMENTS, CABLE_DOCS, CABLE_SOURCE, DAMPING, STIFFNESS, cable, first_of_two, point_force, spring_damper,
};
use crate::catalog::{Action, Argued, Argument, Build, Ends, Geometry, Kind, Shape, required};

const COMMON_AXIS: Argument = direction("axis", "û common to both ends, in the first end's axes", Z);

/// What forces share.
pub(super) const BETWEEN_BODIES: Kind = Kind {
    name: "",
    ends: Ends::Two,
    turns: true,
    arguments: &[],
    rows: &[],
    coordinates: &[],
    docs: "",
    reaction: "",
    source: "derived from its definition",
    build: Build::Along,
};

/// The forces of space.
pub static SPATIAL_FORCES: &[Kind] = &[
    Kind {
        name: "spring_damper",
        turns: false,
        arguments: &[
            STIFFNESS,
            DAMPING.or(0.0),
            required("free_length", "ℓ₀ [m] ≥ 0").within(Domain::NonNegative).or(0.0),
        ],
        docs: "Spring and damper between points P and Q: f_Q = −(k (ℓ − ℓ₀) + c ℓ̇) û, f_P = −f_Q, û = (p_Q − p_P)/ℓ, \
               ℓ̇ = r·ṙ/ℓ. Potential ½ k (ℓ − ℓ₀)². Singular at ℓ = 0, except with literal `free_length: 0` and no damping, \
               where f_Q = −k r.",
        source: "Haug (1989), ch. 11, translational spring–damper–actuator",
        build: Build::Force(spring_damper),
        ..BETWEEN_BODIES
    },
    Kind {
        name: "cable",
        turns: false,
        arguments: &CABLE_ARGUMENTS,
        docs: CABLE_DOCS,
        source: CABLE_SOURCE,
        build: Build::Force(cable),
        ..BETWEEN_BODIES
    },
    Kind {
        name: "torsion_spring",
        arguments: &[COMMON_AXIS, STIFFNESS, DAMPING.or(0.0), required("free_angle", "θ₀ [rad]").or(0.0)],
        docs: "Torsion spring and damper about an axis û that a joint keeps common to both ends: τ_Q = −(k (θ − θ₀) + c θ̇) û_A, with θ the turn of \
               the second end about û, unwrapped, and θ̇ = û_A·(ω_Q − ω_P). Potential ½ k (θ − θ₀)². θ is the coordinate of a joint that \
               measures the same angle between the same axes; where there is none, a coordinate and a row of its own.",
        source: "Haug (1989), ch. 11, rotational spring–damper–actuator",
        build: Build::Torsion(torsion_spring),
        ..BETWEEN_BODIES
    },
    Kind {
        name: "torsion_damper",
        arguments: &[COMMON_AXIS, DAMPING],
        docs: "Torsion damper about an axis û of the first end: τ_Q = −c (û_A·(ω_Q − ω_P)) û_A.",
        source: "Haug (1989), ch. 11, rotational spring–damper–actuator",
        build: Build::Force(torsion_damper),
        ..BETWEEN_BODIES
    },
    Kind {
        name: "torque",
        ends: Ends::OneOrTwo,
        arguments: &[required("torque", "τ [N m], in stated axes").shaped(Shape::Stated).load()],
        docs: "Torque τ on the last end, −τ on the first; with one end ground takes the opposite. Its axes must be stated with `in`.",
        build: Build::Force(torque),
        ..BETWEEN_BODIES
    },
    Kind {
        name: "point_force",
        ends: Ends::OneOrTwo,
        turns: false,
        arguments: &[required("force", "f [N], in stated axes").shaped(Shape::Stated).load()],
        docs: "Force f at the last end's point, −f at the first end's; with one end ground takes the opposite. Its axes must be stated \
               with `in`.",
        build: Build::Force(point_force),
        ..BETWEEN_BODIES
    },
    Kind {
        name: "wrench",
        ends: Ends::OneOrTwo,
        arguments: &[
            required("force", "f [N], in stated axes").shaped(Shape::Stated).load(),
            required("moment", "τ [N m], in stated axes").shaped(Shape::Stated).load(),
        ],
        docs: "Force f at the last end's point and moment τ on its body, the opposite on the first end. The axes of both must be stated \
               with `in`.",
        build: Build::Force(wrench),
        ..BETWEEN_BODIES
    },
    BUSHING,
    crate::catalog::contact::PLANE_CONTACT,
    crate::catalog::contact::BALL_CONTACT,
    crate::catalog::contact::TERRAIN_CONTACT,
    Kind {
        name: "mobility",
        ends: Ends::Coordinate,
        turns: false,
        arguments: &[required("value", "[N] or [N m]").load()],
        docs: "Generalised force along a coordinate x: Q = (∂x/∂q)ᵀ value. Positive values push the coordinate up. Made for angles and \
               displacements; on what turns about a point, a `torque` acts.",
        source: "derived from virtual power",
        ..BETWEEN_BODIES
    },
];

/// û_A and θ̇ = û_A·(ω_Q − ω_P).
fn spin(g: &mut Geometry<'_>, [p, q]: [MarkerId; 2], axis: Argued) -> ([ExprId; 3], ExprId) {
    let u_W = g.to_world(p, axis);
    let (omega_P, omega_Q) = (g.angular_velocity(p), g.angular_velocity(q));
    let relative = g.minus(omega_Q, omega_P);
    (u_W, g.exprs.dot(&relative, &u_W))
}

fn torsion_spring(g: &mut Geometry<'_>, ends: [MarkerId; 2], theta: ExprId, arguments: &[Argued]) -> Action {
    let [stiffness, damping, free_angle] = [1, 2, 3].map(|i: usize| arguments[i][0]);
    let (u_W, theta_dot) = spin(g, ends, arguments[0]);
    let twist = g.exprs.sub(theta, free_angle);
    let (elastic, viscous) = (g.exprs.mul(stiffness, twist), g.exprs.mul(damping, theta_dot));
    let back = g.exprs.add(elastic, viscous);
    let torque = g.exprs.neg(back);
    let energy = g.exprs.mul(elastic, twist);
    let half = g.exprs.number(0.5);
    let potential = g.exprs.mul(half, energy);
    Action { torque: Some(g.scaled(torque, u_W)), potential: Some(potential), ..Action::default() }
}

fn torsion_damper(g: &mut Geometry<'_>, first: Option<MarkerId>, last: MarkerId, arguments: &[Argued]) -> Action {
    let (u_W, theta_dot) = spin(g, [first_of_two(first), last], arguments[0]);
    let back = g.exprs.mul(arguments[1][0], theta_dot);
    let torque = g.exprs.neg(back);
    Action { torque: Some(g.scaled(torque, u_W)), ..Action::default() }
}

fn torque(_: &mut Geometry<'_>, _: Option<MarkerId>, _: MarkerId, arguments: &[Argued]) -> Action {
    Action { torque: Some(arguments[0]), ..Action::default() }
}

fn wrench(_: &mut Geometry<'_>, _: Option<MarkerId>, _: MarkerId, arguments: &[Argued]) -> Action {
    Action { force: Some(arguments[0]), torque: Some(arguments[1]), ..Action::default() }
}
