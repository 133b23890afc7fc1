//! Planar forces.

use mbs_expr::{Comparison, ExprId, Function, Function2, MarkerId};

use super::{Action, Argued, Argument, Build, Ends, Geometry, Kind, Shape, required};
use crate::Domain;

pub(super) const STIFFNESS: Argument =
    required("stiffness", "k [N/m] ≥ 0, of torsion [N m/rad]").within(Domain::NonNegative);
pub(super) const DAMPING: Argument =
    required("damping", "c [N s/m] ≥ 0, of torsion [N m s/rad]").within(Domain::NonNegative);

/// Of a cable, in the plane and in space.
pub(super) const CABLE_ARGUMENTS: [Argument; 3] =
    [STIFFNESS, DAMPING.or(0.0), required("free_length", "ℓ₀ [m] > 0").within(Domain::Positive)];
pub(super) const CABLE_DOCS: &str = "Cable between points P and Q, which pulls and never pushes: f_Q = −T û, f_P = −f_Q, û = (p_Q − p_P)/ℓ, with \
     the tension T = max(k (ℓ − ℓ₀) + c ℓ̇, 0) where ℓ > ℓ₀, and T = 0 where it is slack. Potential ½ k max(ℓ − ℓ₀, 0)².";
pub(super) const CABLE_SOURCE: &str = "Skelton & de Oliveira (2009), Tensegrity Systems, §2.1, strings";

/// The forces of the plane.
pub static FORCES: &[Kind] = &[
    Kind {
        name: "spring_damper",
        ends: Ends::Two,
        turns: false,
        arguments: &[
            STIFFNESS,
            DAMPING.or(0.0),
            required("free_length", "ℓ₀ [m] ≥ 0").within(Domain::NonNegative).or(0.0),
        ],
        rows: &[],
        coordinates: &[],
        docs: "Spring and damper between points P and Q: f_Q = −(k (ℓ − ℓ₀) + c ℓ̇) û, f_P = −f_Q, û = (p_Q − p_P)/ℓ, \
               ℓ̇ = r·ṙ/ℓ. Potential ½ k (ℓ − ℓ₀)². Singular at ℓ = 0, except with literal `free_length: 0` and no damping, \
               where f_Q = −k r.",
        reaction: "",
        source: "Haug (1989), ch. 6, translational spring–damper–actuator",
        build: Build::Force(spring_damper),
    },
    Kind {
        name: "cable",
        ends: Ends::Two,
        turns: false,
        arguments: &CABLE_ARGUMENTS,
        rows: &[],
        coordinates: &[],
        docs: CABLE_DOCS,
        reaction: "",
        source: CABLE_SOURCE,
        build: Build::Force(cable),
    },
    Kind {
        name: "torsion_spring",
        ends: Ends::Two,
        turns: true,
        arguments: &[STIFFNESS, DAMPING.or(0.0), required("free_angle", "θ₀ [rad]").or(0.0)],
        rows: &[],
        coordinates: &[],
        docs: "Torsion spring and damper: τ_Q = −k (θ − θ₀) − c θ̇, θ = θ_Q − θ_P, unwrapped. Potential ½ k (θ − θ₀)².",
        reaction: "",
        source: "Haug (1989), ch. 6, rotational spring–damper–actuator",
        build: Build::Force(torsion_spring),
    },
    Kind {
        name: "torsion_damper",
        ends: Ends::Two,
        turns: true,
        arguments: &[DAMPING],
        rows: &[],
        coordinates: &[],
        docs: "Torsion damper: τ_Q = −c θ̇, θ = θ_Q − θ_P.",
        reaction: "",
        source: "Haug (1989), ch. 6, rotational spring–damper–actuator",
        build: Build::Force(torsion_damper),
    },
    Kind {
        name: "torque",
        ends: Ends::OneOrTwo,
        turns: true,
        arguments: &[required("torque", "τ [N m], counterclockwise").load()],
        rows: &[],
        coordinates: &[],
        docs: "Torque τ on the last end, −τ on the first; with one end ground takes the opposite.",
        reaction: "",
        source: "derived from its definition",
        build: Build::Force(torque),
    },
    Kind {
        name: "point_force",
        ends: Ends::OneOrTwo,
        turns: false,
        arguments: &[required("force", "f [N]").shaped(Shape::World).load()],
        rows: &[],
        coordinates: &[],
        docs: "Force f at the last end's point, −f at the first end's; with one end ground takes the opposite. World axes unless \
               stated with `in`.",
        reaction: "",
        source: "derived from its definition",
        build: Build::Force(point_force),
    },
    Kind {
        name: "wrench",
        ends: Ends::OneOrTwo,
        turns: true,
        arguments: &[
            required("force", "f [N]").shaped(Shape::World).load(),
            required("moment", "τ [N m], counterclockwise").load(),
        ],
        rows: &[],
        coordinates: &[],
        docs: "Force f at the last end's point and moment τ on its body, the opposite on the first end. World axes unless stated \
               with `in`.",
        reaction: "",
        source: "derived from its definition",
        build: Build::Force(wrench),
    },
    super::contact::PLANE_CONTACT,
    super::contact::BALL_CONTACT,
    super::contact::TERRAIN_CONTACT,
    super::contact::CURVE_CONTACT,
    Kind {
        name: "mobility",
        ends: Ends::Coordinate,
        turns: false,
        arguments: &[required("value", "[N] or [N m]").load()],
        rows: &[],
        coordinates: &[],
        docs: "Generalised force along a coordinate x: Q = (∂x/∂q)ᵀ value. Positive values push the coordinate up.",
        reaction: "",
        source: "derived from virtual power",
        build: Build::Along,
    },
];

pub(super) fn first_of_two(first: Option<MarkerId>) -> MarkerId {
    first.expect("resolve checked the number of ends")
}

pub(super) fn spring_damper(
    g: &mut Geometry<'_>,
    first: Option<MarkerId>,
    last: MarkerId,
    arguments: &[Argued],
) -> Action {
    let [stiffness, damping, free_length] = [0, 1, 2].map(|i: usize| arguments[i][0]);
    let r = g.displacement(first_of_two(first), last);
    let square = g.exprs.dot(&r, &r);
    let r_dot = r.map(|x| g.exprs.rate(x));
    let power = g.exprs.dot(&r, &r_dot);
    let half = g.exprs.number(0.5);
    let half_stiffness = g.exprs.mul(half, stiffness);
    // f_Q = −s r, where s = k (1 − ℓ₀/ℓ) + c (r·ṙ)/(r·r): no square root where ℓ₀ is the number zero.
    if g.exprs.value(free_length) == Some(0.0) {
        let mut s = stiffness;
        if g.exprs.value(damping) != Some(0.0) {
            let stretching = g.exprs.div(power, square);
            let damped = g.exprs.mul(damping, stretching);
            s = g.exprs.add(s, damped);
        }
        let pull = g.exprs.neg(s);
        let potential = g.exprs.mul(half_stiffness, square);
        return Action { force: Some(g.scaled(pull, r)), potential: Some(potential), ..Action::default() };
    }
    let Pull { length, stretch, tension, .. } = pulled(g, [square, power], arguments);
    let s = g.exprs.div(tension, length);
    let pull = g.exprs.neg(s);
    let stretch_squared = g.exprs.mul(stretch, stretch);
    let potential = g.exprs.mul(half_stiffness, stretch_squared);
    Action { force: Some(g.scaled(pull, r)), potential: Some(potential), ..Action::default() }
}

/// Of a spring with a free length.
struct Pull {
    length: ExprId,
    stretch: ExprId,
    /// k (ℓ − ℓ₀).
    elastic: ExprId,
    /// With c ℓ̇.
    tension: ExprId,
}

/// From r·r and r·ṙ.
fn pulled(g: &mut Geometry<'_>, [square, power]: [ExprId; 2], arguments: &[Argued]) -> Pull {
    let [stiffness, damping, free_length] = [0, 1, 2].map(|i: usize| arguments[i][0]);
    let length = g.exprs.unary(Function::Sqrt, square);
    let stretch = g.exprs.sub(length, free_length);
    let length_dot = g.exprs.div(power, length);
    let elastic = g.exprs.mul(stiffness, stretch);
    let viscous = g.exprs.mul(damping, length_dot);
    Pull { length, stretch, elastic, tension: g.exprs.add(elastic, viscous) }
}

pub(super) fn cable(g: &mut Geometry<'_>, first: Option<MarkerId>, last: MarkerId, arguments: &[Argued]) -> Action {
    let damping = arguments[1][0];
    let [zero, half] = [0.0, 0.5].map(|x| g.exprs.number(x));
    let r = g.displacement(first_of_two(first), last);
    let r_dot = r.map(|x| g.exprs.rate(x));
    let (square, power) = (g.exprs.dot(&r, &r), g.exprs.dot(&r, &r_dot));
    let Pull { length, stretch, elastic, tension: pull } = pulled(g, [square, power], arguments);
    // No damper pulls a cable together that goes slack.
    let tension = if g.exprs.value(damping) == Some(0.0) { pull } else { g.exprs.binary(Function2::Max, pull, zero) };
    let pull = g.exprs.div(tension, length);
    let back = g.exprs.neg(pull);
    let s = g.exprs.select(Comparison::Less, zero, stretch, back, zero);
    let energy = g.exprs.mul(elastic, stretch);
    let energy = g.exprs.mul(half, energy);
    let potential = g.exprs.select(Comparison::Less, zero, stretch, energy, zero);
    Action { force: Some(g.scaled(s, r)), potential: Some(potential), ..Action::default() }
}

/// θ = θ_Q − θ_P and −c θ̇.
fn torsion(g: &mut Geometry<'_>, first: MarkerId, last: MarkerId, damping: ExprId) -> (ExprId, ExprId) {
    let (p, q) = (g.angle(first), g.angle(last));
    let theta = g.exprs.sub(q, p);
    let theta_dot = g.exprs.rate(theta);
    let viscous = g.exprs.mul(damping, theta_dot);
    (theta, g.exprs.neg(viscous))
}

fn torsion_spring(g: &mut Geometry<'_>, first: Option<MarkerId>, last: MarkerId, arguments: &[Argued]) -> Action {
    let [stiffness, damping, free_angle] = [0, 1, 2].map(|i: usize| arguments[i][0]);
    let (theta, viscous) = torsion(g, first_of_two(first), last, damping);
    let twist = g.exprs.sub(theta, free_angle);
    let elastic = g.exprs.mul(stiffness, twist);
    let torque = g.exprs.sub(viscous, elastic);
    let half = g.exprs.number(0.5);
    let half_stiffness = g.exprs.mul(half, stiffness);
    let twist_squared = g.exprs.mul(twist, twist);
    let potential = g.exprs.mul(half_stiffness, twist_squared);
    Action { torque: Some(about_z(g, torque)), potential: Some(potential), ..Action::default() }
}

fn torsion_damper(g: &mut Geometry<'_>, first: Option<MarkerId>, last: MarkerId, arguments: &[Argued]) -> Action {
    let (_, torque) = torsion(g, first_of_two(first), last, arguments[0][0]);
    Action { torque: Some(about_z(g, torque)), ..Action::default() }
}

/// A torque of the plane.
fn about_z(g: &mut Geometry<'_>, torque: ExprId) -> [ExprId; 3] {
    let zero = g.exprs.number(0.0);
    [zero, zero, torque]
}

fn torque(g: &mut Geometry<'_>, _: Option<MarkerId>, _: MarkerId, arguments: &[Argued]) -> Action {
    Action { torque: Some(about_z(g, arguments[0][0])), ..Action::default() }
}

pub(super) fn point_force(_: &mut Geometry<'_>, _: Option<MarkerId>, _: MarkerId, arguments: &[Argued]) -> Action {
    Action { force: Some(arguments[0]), ..Action::default() }
}

fn wrench(g: &mut Geometry<'_>, _: Option<MarkerId>, _: MarkerId, arguments: &[Argued]) -> Action {
    Action { force: Some(arguments[0]), torque: Some(about_z(g, arguments[1][0])), ..Action::default() }
}
