//! Forces in space.

#![allow(non_snake_case)] // monogram notation

use mbs_expr::{Expr, MarkerId};
use mbs_math::Vec3;

use super::bushing::BUSHING;
use super::{BETWEEN_BODIES, Z, direction};
use crate::catalog::forces::{
    CABLE_ARGUMENTS, CABLE_DOCS, CABLE_SOURCE, DAMPING, SPRING_ARGUMENTS, SPRING_DOCS, STIFFNESS, cable, point_force,
    spring_damper,
};
use crate::catalog::{Action, Argument, Arguments, Build, Ends, Exerts, Geometry, Kind, Shape, required};

const COMMON_AXIS: Argument = direction("axis", "û common to both ends, in the first end's axes", Z);

/// The kinds of forces in space.
pub static SPATIAL_FORCES: &[Kind] = &[
    Kind {
        name: "spring_damper",
        requires_rotation: false,
        arguments: &SPRING_ARGUMENTS,
        docs: SPRING_DOCS,
        source: "Haug (1989), ch. 11, translational spring–damper–actuator",
        build: Build::Force(spring_damper),
        ..BETWEEN_BODIES
    },
    Kind {
        name: "cable",
        requires_rotation: false,
        arguments: &CABLE_ARGUMENTS,
        docs: CABLE_DOCS,
        source: CABLE_SOURCE,
        build: Build::Force(cable),
        ..BETWEEN_BODIES
    },
    Kind {
        name: "torsion_spring",
        arguments: &[
            COMMON_AXIS,
            STIFFNESS,
            DAMPING.with_default(0.0),
            required("free_angle", "θ₀ [rad]").with_default(0.0),
        ],
        docs: "Torsion spring and damper about an axis û that a joint keeps common to both ends: τ_Q = −(k (θ − θ₀) + c θ̇) û_A, with θ the angle of \
               the second end about û, which counts revolutions, and θ̇ = û_A·(ω_Q − ω_P). Potential ½ k (θ − θ₀)². θ is the coordinate of \
               a joint that measures the same angle between the same axes; without such a joint it is a separate coordinate with a row.",
        source: "Haug (1989), ch. 11, rotational spring–damper–actuator",
        build: Build::Torsion(torsion_spring),
        exerts: Exerts::Torque,
        ..BETWEEN_BODIES
    },
    Kind {
        name: "torsion_damper",
        arguments: &[COMMON_AXIS, DAMPING],
        docs: "Torsion damper about an axis û of the first end: τ_Q = −c (û_A·(ω_Q − ω_P)) û_A.",
        source: "Haug (1989), ch. 11, rotational spring–damper–actuator",
        build: Build::Force(torsion_damper),
        exerts: Exerts::Torque,
        ..BETWEEN_BODIES
    },
    Kind {
        name: "torque",
        ends: Ends::OneOrTwo,
        arguments: &[required("torque", "τ [N m], in stated axes").with_shape(Shape::Stated).load()],
        docs: "Torque τ on the last end, −τ on the first; with one end the opposite acts on ground. Its axes must be stated with `in`.",
        build: Build::Load(torque),
        exerts: Exerts::Torque,
        ..BETWEEN_BODIES
    },
    Kind {
        name: "point_force",
        ends: Ends::OneOrTwo,
        requires_rotation: false,
        arguments: &[required("force", "f [N], in stated axes").with_shape(Shape::Stated).load()],
        docs: "Force f at the last end's point, −f at the first end's; with one end the opposite acts on ground. Its axes must be stated \
               with `in`.",
        build: Build::Load(point_force),
        ..BETWEEN_BODIES
    },
    Kind {
        name: "wrench",
        ends: Ends::OneOrTwo,
        arguments: &[
            required("force", "f [N], in stated axes").with_shape(Shape::Stated).load(),
            required("moment", "τ [N m], in stated axes").with_shape(Shape::Stated).load(),
        ],
        docs: "Force f at the last end's point and moment τ on its body, the opposite on the first end. The axes of both must be stated \
               with `in`.",
        build: Build::Load(wrench),
        ..BETWEEN_BODIES
    },
    BUSHING,
    crate::catalog::contact::PLANE_CONTACT,
    crate::catalog::contact::BALL_CONTACT,
    crate::catalog::contact::TERRAIN_CONTACT,
    Kind {
        name: "mobility",
        ends: Ends::Coordinate,
        requires_rotation: false,
        arguments: &[required("value", "[N] or [N m]").load()],
        docs: "Generalised force on a coordinate x: Q = (∂x/∂q)ᵀ value. Positive values act in the direction of increasing x. x is an angle or \
               a displacement; for rotation about a point use a `torque`.",
        source: "derived from virtual power",
        build: Build::Generalized,
        exerts: Exerts::Generalized,
        ..BETWEEN_BODIES
    },
];

/// World components of û_A, and the rate θ̇ = û_A·(ω_Q − ω_P).
fn axis_and_rate<'e>(g: &Geometry<'e>, [p, q]: [MarkerId; 2], axis: Vec3<Expr<'e>>) -> (Vec3<Expr<'e>>, Expr<'e>) {
    let u_W = g.to_world(p, axis);
    (u_W, (g.angular_velocity(q) - g.angular_velocity(p)).dot(u_W))
}

fn torsion_spring<'e>(
    g: &Geometry<'e>,
    ends: [MarkerId; 2],
    theta: Expr<'e>,
    arguments: &Arguments<'e>,
) -> Action<Expr<'e>> {
    let [k, c, theta_0] = arguments.scalars(["stiffness", "damping", "free_angle"]);
    let (u_W, theta_dot) = axis_and_rate(g, ends, arguments.vector("axis"));
    let twist = theta - theta_0;
    let elastic = k * twist;
    let torque = -(elastic + c * theta_dot);
    Action { torque: Some(torque * u_W), potential: Some(0.5 * (elastic * twist)), ..Action::default() }
}

fn torsion_damper<'e>(g: &Geometry<'e>, ends: [MarkerId; 2], arguments: &Arguments<'e>) -> Action<Expr<'e>> {
    let (u_W, theta_dot) = axis_and_rate(g, ends, arguments.vector("axis"));
    let torque = -(arguments.scalar("damping") * theta_dot);
    Action { torque: Some(torque * u_W), ..Action::default() }
}

fn torque<'e>(arguments: &Arguments<'e>) -> Action<Expr<'e>> {
    Action { torque: Some(arguments.vector("torque")), ..Action::default() }
}

fn wrench<'e>(arguments: &Arguments<'e>) -> Action<Expr<'e>> {
    let [force, moment] = ["force", "moment"].map(|name| arguments.vector(name));
    Action { force: Some(force), torque: Some(moment), ..Action::default() }
}
