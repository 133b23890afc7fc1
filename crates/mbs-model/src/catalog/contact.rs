//! Contact by force: balls (in the plane discs) against a plane, terrain and each other, and two curves.
//!
//! With the unit normal n towards the last end, the depth δ, the point p of the last end's surface that is deepest, and the velocity w of the last
//! end's body there less that of the first end's:
//!
//! ```text
//! (1)  δ̇ = −n·w            N = max(K δᵉ (1 + (3/2) c δ̇) + d δ̇, 0) where δ > 0, else 0
//! (2)  u = w − (n·w) n      f = N n − μ(|u|) N tanh(|u|/v₀) u/|u|        at p, −f on the first end's body there
//! (3)  μ(|u|) = μ_d + (μ_s − μ_d) exp(−(u/v_s)²)
//! (4)  V = K δᵉ⁺¹/(e + 1)
//! (5)  M(κ) = sin(C atan(B κ − E (B κ − atan B κ)))       κ = |u|/√(v² + v₀²)
//! ```
//!
//! M(κ) replaces tanh where B is given: the longitudinal Magic Formula with D = μ N of the slip ratio κ; in space it is the same for every
//! direction of the slip. v is the velocity of the last end's point along the surface, less that of the first end's body at p: that of the
//! hub of a wheel. v₀ keeps κ finite where the hub is at rest.
//!
//! For a particle, p is its point, and where the first of two balls is one, there is no friction. δ̇ is the rate of δ, as the point of
//! contact of either body moves along the surfaces. e = 3/2 is Hertz's law, c makes it Hunt and Crossley's, e = 1 with d is a spring and
//! damper that never pulls. (2) is Coulomb's law, regularised: it creeps under loads below μ N, with v₀ atanh(f/(μ N)), and μ_s with v_s make
//! it Stribeck's.
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

/// Part of v₀ at which directions of slip are no longer told apart.
const STILL: f64 = 1e-6;

const RADIUS: Argument = required("radius", "r [m] > 0 of the last end, about its point").within(Domain::Positive);
const FIRST_RADIUS: Argument =
    required("first", "r [m] > 0 of the first end, about its point").within(Domain::Positive).together("radii");
const SECOND_RADIUS: Argument =
    required("second", "r [m] > 0 of the second end, about its point").within(Domain::Positive).together("radii");

const STIFFNESS: Argument = required("stiffness", "K [N/mᵉ] ≥ 0").within(Domain::NonNegative);
const EXPONENT: Argument = required("exponent", "e > 0").within(Domain::Positive).or(1.5);
const DISSIPATION: Argument = required("dissipation", "c [s/m] ≥ 0").within(Domain::NonNegative).or(0.0);
const DAMPING: Argument = required("damping", "d [N s/m] ≥ 0").within(Domain::NonNegative).or(0.0);
const FRICTION: Argument = required("friction", "μ_d ≥ 0, left out what the marker of an end states")
    .within(Domain::NonNegative)
    .load()
    .or(0.0)
    .of_surface()
    .together("friction");
const CREEP: Argument = required("creep", "v₀ [m/s] > 0").within(Domain::Positive).or(0.01).together("friction");
const STICTION: Argument =
    required("stiction", "μ_s − μ_d ≥ 0").within(Domain::NonNegative).or(0.0).together("stiction");
const STRIBECK: Argument = required("stribeck", "v_s [m/s] > 0").within(Domain::Positive).or(0.1).together("stiction");

/// Name of the call that gives the numbers of the Magic Formula.
const MAGIC: &str = "magic_formula";
const SLIP_STIFFNESS: Argument = required("slip_stiffness", "B ≥ 0 of the Magic Formula, 0 without it")
    .within(Domain::NonNegative)
    .or(0.0)
    .together(MAGIC);
const SLIP_SHAPE: Argument =
    required("slip_shape", "C > 0 of the Magic Formula, at most 2").within(Domain::Positive).or(1.65).together(MAGIC);
const SLIP_CURVATURE: Argument = required("slip_curvature", "E ≤ 1 of the Magic Formula").or(0.0).together(MAGIC);

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
const OF_PLANE: [Argument; 12] = with_law([RADIUS]);
const OF_BALLS: [Argument; 13] = with_law([FIRST_RADIUS, SECOND_RADIUS]);

/// Arguments of one kind of contact, followed by those of the law.
const fn with_law<const OWN: usize, const ALL: usize>(own: [Argument; OWN]) -> [Argument; ALL] {
    let mut all = [RADIUS; ALL];
    let mut i = 0;
    while i < ALL {
        all[i] = if i < OWN { own[i] } else { LAW[i - OWN] };
        i += 1;
    }
    all
}

/// Kind of the first end of a contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Touches {
    /// The region below its axes.
    Plane,
    /// The region below a height over its axes.
    Terrain,
    /// The region on one side of a curve.
    Curve,
    /// A ball about its point.
    Ball,
}

/// A ball on a plane.
pub(super) const PLANE_CONTACT: Kind = Kind {
    name: "plane_contact",
    arguments: &OF_PLANE,
    docs: "Ball about the last end's point on a plane of the first end, in the plane a disc on a line: all below its x axis is solid, in space all below its \
           x and y axes. Where it is δ > 0 deep, N = max(K δᵉ (1 + 1.5 c δ̇) + d δ̇, 0) pushes it out, and friction −μ N tanh(u/v₀) acts against the slip u, \
           with μ = friction + stiction exp(−(u/v_s)²); with a slip stiffness the Magic Formula of the slip ratio stands in place of tanh. Potential K δᵉ⁺¹/(e + 1).",
    source: "Hunt & Crossley (1975), J. Appl. Mech. 42; friction regularised by tanh",
    exerts: Exerts::Force,
    build: Build::Force(plane_contact),
    ..BLANK
};

/// Two balls.
pub(super) const BALL_CONTACT: Kind = Kind {
    name: "ball_contact",
    arguments: &OF_BALLS,
    docs: "Two balls about the points of both ends, in the plane discs, with normal force and friction as of `plane_contact`; δ = r₁ + r₂ − ℓ. Singular \
           where the points coincide.",
    source: "Hunt & Crossley (1975), J. Appl. Mech. 42; friction regularised by tanh",
    exerts: Exerts::Force,
    build: Build::Force(ball_contact),
    ..BLANK
};

/// Where two bodies touch.
struct Touch<'e> {
    /// δ.
    depth: Expr<'e>,
    /// n, world components, towards the last end.
    normal: Vec3<Expr<'e>>,
    /// From the first end's point and from the last end's to the deepest point.
    arms: [Vec3<Expr<'e>>; 2],
}

fn plane_contact<'e>(g: &Geometry<'e>, [first, last]: [MarkerId; 2], arguments: &Arguments<'e>) -> Action<Expr<'e>> {
    let up = if g.scene.space == Space::Planar { 1 } else { 2 };
    let radius = arguments.number("radius");
    let n = g.axes(first)[up];
    let r = g.displacement(first, last);
    let depth = radius - r.dot(n);
    let arms = arms(g, last, r, -radius * n);
    touching(g, [first, last], &Touch { depth, normal: n, arms }, arguments)
}

fn ball_contact<'e>(g: &Geometry<'e>, [first, last]: [MarkerId; 2], arguments: &Arguments<'e>) -> Action<Expr<'e>> {
    let [one, other] = arguments.numbers(["first", "second"]);
    let r = g.displacement(first, last);
    let length = r.square().sqrt();
    let n = 1.0 / length * r;
    let depth = one + other - length;
    let arms = arms(g, last, r, -other * n);
    touching(g, [first, last], &Touch { depth, normal: n, arms }, arguments)
}

/// To the deepest point; of a particle, which has no surface that turns, to its point.
fn arms<'e>(g: &Geometry<'e>, last: MarkerId, r: Vec3<Expr<'e>>, arm: Vec3<Expr<'e>>) -> [Vec3<Expr<'e>>; 2] {
    let arm = if g.on_particle(last) { zero() } else { arm };
    [r + arm, arm]
}

/// Equations 1 to 5 of the module header.
fn touching<'e>(
    g: &Geometry<'e>,
    ends: [MarkerId; 2],
    &Touch { depth, normal: n, arms }: &Touch<'e>,
    law: &Arguments<'e>,
) -> Action<Expr<'e>> {
    let [K, e, c, d] = law.numbers(["stiffness", "exponent", "dissipation", "damping"]);
    let v_0 = law.number("creep");
    let [of_first, of_last] = [0, 1].map(|i: usize| velocity(g, ends[i], arms[i]));
    let w = of_last - of_first;
    // Equation 1.
    let leaving = n.dot(w);
    let depth_dot = -leaving;
    let deep = depth.max(0.0);
    let elastic = K * deep.powf(e);
    let N = (elastic * (1.0 + 1.5 * (c * depth_dot)) + d * depth_dot).max(0.0);
    let N = Expr::from(0.0).if_less(depth, N, 0.0);
    // Equation 4.
    let potential = elastic * deep / (e + 1.0);
    // Equation 2.
    let u = w - leaving * n;
    let rolling = {
        let v = velocity(g, ends[1], zero()) - of_first;
        let v = v - n.dot(v) * n;
        (v.square() + v_0 * v_0).sqrt()
    };
    let still = STILL * v_0;
    let square = u.square() + still * still;
    let mut force = N * n;
    let [p, q] = [0, 1].map(|i: usize| g.on_particle(ends[i]));
    let is_smooth = law.numbers(["friction", "stiction"]).iter().all(|x| x.is_zero());
    // The moment of friction on a ball that cannot rotate would be lost.
    if !is_smooth && !p {
        let speed = square.sqrt();
        let part = sliding_or_rolling(law, speed / v_0, || speed / rolling);
        force -= N * (coefficient(law, square) * (part / speed)) * u;
    }
    let torque = (!q).then(|| arms[1].cross(force));
    let lever = (!p).then(|| force.cross(g.displacement(ends[0], ends[1])));
    let (slip, ratio) = match g.scene.space {
        Space::Planar => {
            // Along the first end's x axis where the normal is its y axis; the ratio is positive where it drives the last end along that.
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

/// The part of the friction that acts: tanh of equation 2, or M of equation 5, of a speed of slip by v₀ and of the slip ratio.
fn sliding_or_rolling<'e>(law: &Arguments<'e>, relative: Expr<'e>, ratio: impl Fn() -> Expr<'e>) -> Expr<'e> {
    let B = law.number("slip_stiffness");
    match B.literal() {
        Some(0.0) => relative.tanh(),
        Some(_) => magic(law, ratio()),
        // A parameter may be zero.
        None => B.if_equal(0.0, relative.tanh(), magic(law, ratio())),
    }
}

/// μ of equation 3 from |u|².
fn coefficient<'e>(law: &Arguments<'e>, square: Expr<'e>) -> Expr<'e> {
    let [dynamic, stiction, v_s] = law.numbers(["friction", "stiction", "stribeck"]);
    if stiction.is_zero() {
        return dynamic;
    }
    dynamic + stiction * (-(square / (v_s * v_s))).exp()
}

/// Equation 5.
fn magic<'e>(law: &Arguments<'e>, ratio: Expr<'e>) -> Expr<'e> {
    let [B, C, E] = law.numbers(["slip_stiffness", "slip_shape", "slip_curvature"]);
    let x = B * ratio;
    (C * (x - E * (x - x.atan())).atan()).sin()
}

/// Velocity of a marker's body at an arm from the marker's point, world components.
fn velocity<'e>(g: &Geometry<'e>, m: MarkerId, arm: Vec3<Expr<'e>>) -> Vec3<Expr<'e>> {
    let v = rate(g.position(m));
    if g.on_particle(m) { v } else { v + g.angular_velocity(m).cross(arm) }
}
