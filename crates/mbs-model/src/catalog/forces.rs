//! Forces in the plane.

use mbs_expr::{Expr, MarkerId, Scalar};
use mbs_math::{Vec3, Vector};

use super::geometry::rate;
use super::{Action, Argument, Arguments, BLANK, Build, Ends, Exerts, Geometry, Kind, Shape, required};
use crate::Domain;

pub(super) const STIFFNESS: Argument =
    required("stiffness", "k [N/m] ≥ 0, of torsion [N m/rad]").in_domain(Domain::NonNegative);
pub(super) const DAMPING: Argument =
    required("damping", "c [N s/m] ≥ 0, of torsion [N m s/rad]").in_domain(Domain::NonNegative);

/// Arguments of a spring and damper, in the plane and in space.
pub(super) const SPRING_ARGUMENTS: [Argument; 3] = [
    STIFFNESS,
    DAMPING.with_default(0.0),
    required("free_length", "ℓ₀ [m] ≥ 0").in_domain(Domain::NonNegative).with_default(0.0),
];
pub(super) const SPRING_DOCS: &str = "Spring and damper between points P and Q: f_Q = −(k (ℓ − ℓ₀) + c ℓ̇) û, f_P = −f_Q, û = (p_Q − p_P)/ℓ, \
     ℓ̇ = r·ṙ/ℓ. Potential ½ k (ℓ − ℓ₀)². Singular at ℓ = 0, except with literal `free_length: 0` and no damping, \
     where f_Q = −k r.";

/// Arguments of a cable, in the plane and in space.
pub(super) const CABLE_ARGUMENTS: [Argument; 3] =
    [STIFFNESS, DAMPING.with_default(0.0), required("free_length", "ℓ₀ [m] > 0").in_domain(Domain::Positive)];
pub(super) const CABLE_DOCS: &str = "Cable between points P and Q, which transmits tension only: f_Q = −T û, f_P = −f_Q, û = (p_Q − p_P)/ℓ, with \
     the tension T = max(k (ℓ − ℓ₀) + c ℓ̇, 0) if ℓ > ℓ₀, and T = 0 if it is slack. Potential ½ k max(ℓ − ℓ₀, 0)².";
pub(super) const CABLE_SOURCE: &str = "Skelton & de Oliveira (2009), Tensegrity Systems, §2.1, strings";

/// The kinds of forces in the plane.
pub static FORCES: &[Kind] = &[
    Kind {
        name: "spring_damper",
        arguments: &SPRING_ARGUMENTS,
        docs: SPRING_DOCS,
        source: "Haug (1989), ch. 6, translational spring–damper–actuator",
        exerts: Exerts::Force,
        build: Build::Force(spring_damper),
        ..BLANK
    },
    Kind {
        name: "cable",
        arguments: &CABLE_ARGUMENTS,
        docs: CABLE_DOCS,
        source: CABLE_SOURCE,
        exerts: Exerts::Force,
        build: Build::Force(cable),
        ..BLANK
    },
    Kind {
        name: "torsion_spring",
        requires_rotation: true,
        arguments: &[STIFFNESS, DAMPING.with_default(0.0), required("free_angle", "θ₀ [rad]").with_default(0.0)],
        docs: "Torsion spring and damper: τ_Q = −k (θ − θ₀) − c θ̇, θ = θ_Q − θ_P, which counts revolutions. Potential ½ k (θ − θ₀)².",
        source: "Haug (1989), ch. 6, rotational spring–damper–actuator",
        exerts: Exerts::Torque,
        build: Build::Force(torsion_spring),
        ..BLANK
    },
    Kind {
        name: "torsion_damper",
        requires_rotation: true,
        arguments: &[DAMPING],
        docs: "Torsion damper: τ_Q = −c θ̇, θ = θ_Q − θ_P.",
        source: "Haug (1989), ch. 6, rotational spring–damper–actuator",
        exerts: Exerts::Torque,
        build: Build::Force(torsion_damper),
        ..BLANK
    },
    Kind {
        name: "torque",
        ends: Ends::OneOrTwo,
        requires_rotation: true,
        arguments: &[required("torque", "τ [N m], counterclockwise").load()],
        docs: "Torque τ on the last end, −τ on the first; with one end the opposite acts on ground.",
        exerts: Exerts::Torque,
        build: Build::Load(torque),
        ..BLANK
    },
    Kind {
        name: "point_force",
        ends: Ends::OneOrTwo,
        arguments: &[required("force", "f [N]").with_shape(Shape::World).load()],
        docs: "Force f at the last end's point, −f at the first end's; with one end the opposite acts on ground. World axes unless \
               stated with `in`.",
        exerts: Exerts::Force,
        build: Build::Load(point_force),
        ..BLANK
    },
    Kind {
        name: "wrench",
        ends: Ends::OneOrTwo,
        requires_rotation: true,
        arguments: &[
            required("force", "f [N]").with_shape(Shape::World).load(),
            required("moment", "τ [N m], counterclockwise").load(),
        ],
        docs: "Force f at the last end's point and moment τ on its body, the opposite on the first end. World axes unless stated \
               with `in`.",
        exerts: Exerts::Force,
        build: Build::Load(wrench),
        ..BLANK
    },
    super::contact::PLANE_CONTACT,
    super::contact::BALL_CONTACT,
    super::contact::TERRAIN_CONTACT,
    super::contact::CURVE_CONTACT,
    Kind {
        name: "mobility",
        ends: Ends::Coordinate,
        arguments: &[required("value", "[N] or [N m]").load()],
        docs: "Generalised force on a coordinate x: Q = (∂x/∂q)ᵀ value. Positive values act in the direction of increasing x.",
        source: "derived from virtual power",
        exerts: Exerts::Generalized,
        build: Build::Generalized,
        ..BLANK
    },
];

pub(super) fn spring_damper<'e>(
    g: &Geometry<'e>,
    [first, last]: [MarkerId; 2],
    arguments: &Arguments<'e>,
) -> Action<Expr<'e>> {
    let [k, c, free_length] = arguments.scalars(["stiffness", "damping", "free_length"]);
    let r = g.displacement(first, last);
    let (square, power) = (r.square(), r.dot(rate(r)));
    // f_Q = −s r with s = k (1 − ℓ₀/ℓ) + c (r·ṙ)/(r·r). If ℓ₀ is the number zero, this needs no square root.
    if free_length.is_zero() {
        let s = if c.is_zero() { k } else { k + c * (power / square) };
        return Action { force: Some(-s * r), potential: Some(0.5 * k * square), ..Action::default() };
    }
    let SpringState { length, stretch, tension, .. } = spring_state([square, power], arguments);
    let s = tension / length;
    Action { force: Some(-s * r), potential: Some(0.5 * k * (stretch * stretch)), ..Action::default() }
}

/// Quantities of a spring with a free length.
struct SpringState<'e> {
    length: Expr<'e>,
    stretch: Expr<'e>,
    /// Elastic force k (ℓ − ℓ₀).
    elastic: Expr<'e>,
    /// Elastic force plus damping force c ℓ̇.
    tension: Expr<'e>,
}

/// Evaluates the state of a spring from r·r and r·ṙ.
fn spring_state<'e>([square, power]: [Expr<'e>; 2], arguments: &Arguments<'e>) -> SpringState<'e> {
    let [k, c, free_length] = arguments.scalars(["stiffness", "damping", "free_length"]);
    let length = square.sqrt();
    let stretch = length - free_length;
    let length_dot = power / length;
    let elastic = k * stretch;
    SpringState { length, stretch, elastic, tension: elastic + c * length_dot }
}

pub(super) fn cable<'e>(g: &Geometry<'e>, [first, last]: [MarkerId; 2], arguments: &Arguments<'e>) -> Action<Expr<'e>> {
    let r = g.displacement(first, last);
    let SpringState { length, stretch, elastic, tension: force } =
        spring_state([r.square(), r.dot(rate(r))], arguments);
    // The damper must not make the tension of a cable negative.
    let tension = if arguments.scalar("damping").is_zero() { force } else { force.max(0.0) };
    let zero = Expr::from(0.0);
    let s = zero.if_less(stretch, -(tension / length), zero);
    let potential = zero.if_less(stretch, 0.5 * (elastic * stretch), zero);
    Action { force: Some(s * r), potential: Some(potential), ..Action::default() }
}

/// The angle θ = θ_Q − θ_P and the torque −c θ̇.
fn angle_and_damping<'e>(g: &Geometry<'e>, [p, q]: [MarkerId; 2], c: Expr<'e>) -> (Expr<'e>, Expr<'e>) {
    let theta = g.angle(q) - g.angle(p);
    (theta, -(c * theta.rate()))
}

fn torsion_spring<'e>(g: &Geometry<'e>, ends: [MarkerId; 2], arguments: &Arguments<'e>) -> Action<Expr<'e>> {
    let [k, c, free_angle] = arguments.scalars(["stiffness", "damping", "free_angle"]);
    let (theta, viscous) = angle_and_damping(g, ends, c);
    let twist = theta - free_angle;
    let torque = along_z(viscous - k * twist);
    Action { torque: Some(torque), potential: Some(0.5 * k * (twist * twist)), ..Action::default() }
}

fn torsion_damper<'e>(g: &Geometry<'e>, ends: [MarkerId; 2], arguments: &Arguments<'e>) -> Action<Expr<'e>> {
    let (_, torque) = angle_and_damping(g, ends, arguments.scalar("damping"));
    Action { torque: Some(along_z(torque)), ..Action::default() }
}

/// A torque in the plane as a vector.
fn along_z(torque: Expr<'_>) -> Vec3<Expr<'_>> {
    Vector([0.0.into(), 0.0.into(), torque])
}

fn torque<'e>(arguments: &Arguments<'e>) -> Action<Expr<'e>> {
    Action { torque: Some(along_z(arguments.scalar("torque"))), ..Action::default() }
}

pub(super) fn point_force<'e>(arguments: &Arguments<'e>) -> Action<Expr<'e>> {
    Action { force: Some(arguments.vector("force")), ..Action::default() }
}

fn wrench<'e>(arguments: &Arguments<'e>) -> Action<Expr<'e>> {
    let torque = along_z(arguments.scalar("moment"));
    Action { force: Some(arguments.vector("force")), torque: Some(torque), ..Action::default() }
}
