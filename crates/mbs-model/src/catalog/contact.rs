//! Contact forces: of balls (in the plane discs) on a plane, on terrain and on each other, and of two curves.
//!
//! n is the unit normal towards the last end, δ the depth, p the deepest point of the last end's surface, and w the velocity of the last end's
//! body at p minus that of the first end's body:
//!
//! ```text
//! (1)  δ̇ = −n·w            N = max(K δᵉ (1 + (3/2) c δ̇) + d δ̇, 0) where δ > 0, else 0
//! (2)  u = w − (n·w) n      f = N n − μ(|u|) N tanh(|u|/v₀) u/|u|        at p, −f on the first end's body there
//! (3)  μ(|u|) = μ_d + (μ_s − μ_d) exp(−(u/v_s)²)
//! (4)  V = K δᵉ⁺¹/(e + 1)
//! (5)  M(κ) = sin(C atan(B κ − E (B κ − atan B κ)))       κ = |u|/√(v² + v₀²)
//! ```
//!
//! If B is given, M(κ) replaces tanh: the longitudinal Magic Formula with D = μ N of the slip ratio κ. In space it is the same for every direction
//! of the slip. v is the tangential velocity of the last end's point, the hub of a wheel, minus that of the first end's body at p. v₀ keeps κ
//! finite if the hub is at rest.
//!
//! For a particle, p is its point; if the first of two balls is a particle, there is no friction. δ̇ is the rate of δ because the point of contact
//! moves tangentially to the surfaces. e = 3/2 is Hertz's law, and c makes it Hunt and Crossley's law; e = 1 with d is a spring and damper that
//! never pulls. (2) is Coulomb's law, regularised: under loads f below μ N it creeps with the speed v₀ atanh(f/(μ N)). μ_s and v_s make it
//! Stribeck's law.
//!
//! Sources: Hunt & Crossley (1975), Coefficient of restitution interpreted as damping in vibroimpact, J. Appl. Mech. 42; Simbody,
//! Force::HuntCrossley; Armstrong-Hélouvry (1991), Control of Machines with Friction, for (3); Pacejka (2012), Tire and Vehicle Dynamics, § 4.3, for (5).

#![allow(non_snake_case)] // the symbols of the sources

mod curves;
mod terrain;

pub(super) use curves::CURVE_CONTACT;
pub use curves::SAMPLES;
pub(super) use terrain::TERRAIN_CONTACT;

use mbs_definition::Space;
use mbs_expr::{Expr, MarkerId, Scalar};
use mbs_math::Vec3;

use super::geometry::{rate, zero};
use super::{Action, Argument, Arguments, BLANK, Build, Exerts, Geometry, Kind, required};
use crate::Domain;

/// Fraction of v₀ below which the direction of the slip is regularised.
const SMALLEST_SLIP: f64 = 1e-6;

const RADIUS: Argument = required("radius", "r [m] > 0 of the last end, about its point").in_domain(Domain::Positive);
const FIRST_RADIUS: Argument =
    required("first", "r [m] > 0 of the first end, about its point").in_domain(Domain::Positive).grouped("radii");
const SECOND_RADIUS: Argument =
    required("second", "r [m] > 0 of the second end, about its point").in_domain(Domain::Positive).grouped("radii");

const STIFFNESS: Argument = required("stiffness", "K [N/mᵉ] ≥ 0").in_domain(Domain::NonNegative);
const EXPONENT: Argument = required("exponent", "e > 0").in_domain(Domain::Positive).with_default(1.5);
const DISSIPATION: Argument = required("dissipation", "c [s/m] ≥ 0").in_domain(Domain::NonNegative).with_default(0.0);
const DAMPING: Argument = required("damping", "d [N s/m] ≥ 0").in_domain(Domain::NonNegative).with_default(0.0);
const FRICTION: Argument = required("friction", "μ_d ≥ 0, left out what the marker of an end states")
    .in_domain(Domain::NonNegative)
    .load()
    .with_default(0.0)
    .stated_by_markers()
    .grouped("friction");
const CREEP: Argument =
    required("creep", "v₀ [m/s] > 0").in_domain(Domain::Positive).with_default(0.01).grouped("friction");
const STICTION: Argument =
    required("stiction", "μ_s − μ_d ≥ 0").in_domain(Domain::NonNegative).with_default(0.0).grouped("stiction");
const STRIBECK: Argument =
    required("stribeck", "v_s [m/s] > 0").in_domain(Domain::Positive).with_default(0.1).grouped("stiction");

/// Name of the builder method that sets the parameters of the Magic Formula.
const MAGIC: &str = "magic_formula";
const SLIP_STIFFNESS: Argument = required("slip_stiffness", "B ≥ 0 of the Magic Formula, 0 without it")
    .in_domain(Domain::NonNegative)
    .with_default(0.0)
    .grouped(MAGIC);
const SLIP_SHAPE: Argument = required("slip_shape", "C > 0 of the Magic Formula, at most 2")
    .in_domain(Domain::Positive)
    .with_default(1.65)
    .grouped(MAGIC);
const SLIP_CURVATURE: Argument =
    required("slip_curvature", "E ≤ 1 of the Magic Formula").with_default(0.0).grouped(MAGIC);

const LAW: [Argument; 11] = [
    STIFFNESS,
    EXPONENT,
    DISSIPATION,
    DAMPING,
    FRICTION,
    CREEP,
    STICTION,
    STRIBECK,
    SLIP_STIFFNESS,
    SLIP_SHAPE,
    SLIP_CURVATURE,
];
const PLANE_ARGUMENTS: [Argument; 12] = with_law([RADIUS]);
const BALL_ARGUMENTS: [Argument; 13] = with_law([FIRST_RADIUS, SECOND_RADIUS]);

/// The arguments of one kind of contact, followed by those of the contact law.
const fn with_law<const N: usize, const ALL: usize>(shape: [Argument; N]) -> [Argument; ALL] {
    let mut all = [RADIUS; ALL];
    let mut i = 0;
    while i < ALL {
        all[i] = if i < N { shape[i] } else { LAW[i - N] };
        i += 1;
    }
    all
}

/// Kind of surface of the first end of a contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContactSurface {
    /// The half-space below its x and y axes, in the plane below its x axis.
    Plane,
    /// The region below a height function over these axes.
    Terrain,
    /// The region on one side of a curve.
    Curve,
    /// A ball about its point.
    Ball,
}

/// The contact of a ball on a plane.
pub(super) const PLANE_CONTACT: Kind = Kind {
    name: "plane_contact",
    arguments: &PLANE_ARGUMENTS,
    docs: "Ball about the last end's point on a plane of the first end, in the plane a disc on a line: the region below its x axis is solid, in space the \
           region below its x and y axes. At a depth δ > 0 the normal force is N = max(K δᵉ (1 + 1.5 c δ̇) + d δ̇, 0), and the friction is −μ N tanh(u/v₀) \
           at the slip u, with μ = friction + stiction exp(−(u/v_s)²). With a slip stiffness the Magic Formula of the slip ratio replaces tanh. Potential K δᵉ⁺¹/(e + 1).",
    source: "Hunt & Crossley (1975), J. Appl. Mech. 42; friction regularised by tanh",
    exerts: Exerts::Force,
    build: Build::Force(plane_contact),
    ..BLANK
};

/// The contact of two balls.
pub(super) const BALL_CONTACT: Kind = Kind {
    name: "ball_contact",
    arguments: &BALL_ARGUMENTS,
    docs: "Two balls about the points of both ends, in the plane discs, with the normal force and friction of `plane_contact`; δ = r₁ + r₂ − ℓ. Singular \
           if the points coincide.",
    source: "Hunt & Crossley (1975), J. Appl. Mech. 42; friction regularised by tanh",
    exerts: Exerts::Force,
    build: Build::Force(ball_contact),
    ..BLANK
};

/// Geometry of a contact.
struct ContactGeometry<'e> {
    /// δ.
    depth: Expr<'e>,
    /// n, world components, towards the last end.
    normal: Vec3<Expr<'e>>,
    /// Vectors from the first end's point and from the last end's point to the deepest point, world components.
    arms: [Vec3<Expr<'e>>; 2],
}

fn plane_contact<'e>(g: &Geometry<'e>, [first, last]: [MarkerId; 2], arguments: &Arguments<'e>) -> Action<Expr<'e>> {
    let up = if g.scene.space == Space::Planar { 1 } else { 2 };
    let radius = arguments.scalar("radius");
    let n = g.axes(first)[up];
    let r = g.displacement(first, last);
    let depth = radius - r.dot(n);
    let arms = contact_arms(g, last, r, -radius * n);
    contact_force(g, [first, last], &ContactGeometry { depth, normal: n, arms }, arguments)
}

fn ball_contact<'e>(g: &Geometry<'e>, [first, last]: [MarkerId; 2], arguments: &Arguments<'e>) -> Action<Expr<'e>> {
    let [one, other] = arguments.scalars(["first", "second"]);
    let r = g.displacement(first, last);
    let length = r.square().sqrt();
    let n = 1.0 / length * r;
    let depth = one + other - length;
    let arms = contact_arms(g, last, r, -other * n);
    contact_force(g, [first, last], &ContactGeometry { depth, normal: n, arms }, arguments)
}

/// The vectors of [`ContactGeometry::arms`], from r = p_Q − p_P and the vector `arm` from the last end's point to the deepest point. For a particle
/// the deepest point is its point.
fn contact_arms<'e>(g: &Geometry<'e>, last: MarkerId, r: Vec3<Expr<'e>>, arm: Vec3<Expr<'e>>) -> [Vec3<Expr<'e>>; 2] {
    let arm = if g.on_particle(last) { zero() } else { arm };
    [r + arm, arm]
}

/// The contact force by equations 1 to 5 of the module header.
fn contact_force<'e>(
    g: &Geometry<'e>,
    ends: [MarkerId; 2],
    &ContactGeometry { depth, normal: n, arms }: &ContactGeometry<'e>,
    law: &Arguments<'e>,
) -> Action<Expr<'e>> {
    let [K, e, c, d] = law.scalars(["stiffness", "exponent", "dissipation", "damping"]);
    let v_0 = law.scalar("creep");
    let [first_velocity, last_velocity] = [0, 1].map(|i: usize| velocity(g, ends[i], arms[i]));
    let w = last_velocity - first_velocity;
    // Equation 1.
    let separation_rate = n.dot(w);
    let depth_dot = -separation_rate;
    let positive_depth = depth.max(0.0);
    let elastic = K * positive_depth.powf(e);
    let N = (elastic * (1.0 + 1.5 * (c * depth_dot)) + d * depth_dot).max(0.0);
    let N = Expr::from(0.0).if_less(depth, N, 0.0);
    // Equation 4.
    let potential = elastic * positive_depth / (e + 1.0);
    // Equation 2.
    let u = w - separation_rate * n;
    let rolling = {
        let v = velocity(g, ends[1], zero()) - first_velocity;
        let v = v - n.dot(v) * n;
        (v.square() + v_0 * v_0).sqrt()
    };
    let smallest = SMALLEST_SLIP * v_0;
    let square = u.square() + smallest * smallest;
    let mut force = N * n;
    let [p, q] = [0, 1].map(|i: usize| g.on_particle(ends[i]));
    let is_smooth = law.scalars(["friction", "stiction"]).iter().all(|x| x.is_zero());
    // A ball that cannot rotate could not receive the moment of friction.
    if !is_smooth && !p {
        let speed = square.sqrt();
        let part = friction_part(law, speed / v_0, || speed / rolling);
        force -= N * (friction_coefficient(law, square) * (part / speed)) * u;
    }
    let torque = (!q).then(|| arms[1].cross(force));
    let lever = (!p).then(|| force.cross(g.displacement(ends[0], ends[1])));
    let (slip, ratio) = match g.scene.space {
        Space::Planar => {
            // The slip is positive in the direction of the first end's x axis if the normal is its y axis. The ratio is positive if friction
            // drives the last end in that direction.
            let slip = n[1] * w[0] - n[0] * w[1];
            (slip, -(slip / rolling))
        }
        Space::Spatial => {
            let slip = u.square().sqrt();
            (slip, slip / rolling)
        }
    };
    let fields =
        vec![("depth", depth, false), ("normal_force", N, true), ("slip", slip, false), ("slip_ratio", ratio, false)];
    Action { force: Some(force), torque, potential: Some(potential), lever, fields, depth: Some(depth), lost: None }
}

/// The fraction of the greatest friction that acts: tanh of equation 2 of the speed of slip over v₀, or M of equation 5 of the slip ratio.
fn friction_part<'e>(law: &Arguments<'e>, relative: Expr<'e>, ratio: impl Fn() -> Expr<'e>) -> Expr<'e> {
    let B = law.scalar("slip_stiffness");
    match B.literal() {
        Some(0.0) => relative.tanh(),
        Some(_) => magic_formula(law, ratio()),
        // The value of a parameter may be zero.
        None => B.if_equal(0.0, relative.tanh(), magic_formula(law, ratio())),
    }
}

/// The coefficient of friction μ of equation 3 from |u|².
fn friction_coefficient<'e>(law: &Arguments<'e>, square: Expr<'e>) -> Expr<'e> {
    let [dynamic, stiction, v_s] = law.scalars(["friction", "stiction", "stribeck"]);
    if stiction.is_zero() {
        return dynamic;
    }
    dynamic + stiction * (-(square / (v_s * v_s))).exp()
}

/// The Magic Formula M of equation 5.
fn magic_formula<'e>(law: &Arguments<'e>, ratio: Expr<'e>) -> Expr<'e> {
    let [B, C, E] = law.scalars(["slip_stiffness", "slip_shape", "slip_curvature"]);
    let x = B * ratio;
    (C * (x - E * (x - x.atan())).atan()).sin()
}

/// Velocity of a marker's body at the point `arm` away from the marker's point, world components \[m/s\].
fn velocity<'e>(g: &Geometry<'e>, m: MarkerId, arm: Vec3<Expr<'e>>) -> Vec3<Expr<'e>> {
    let v = rate(g.position(m));
    if g.on_particle(m) { v } else { v + g.angular_velocity(m).cross(arm) }
}
