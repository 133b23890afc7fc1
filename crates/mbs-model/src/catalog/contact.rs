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
//! M(κ) stands in place of tanh where there is a B: the Magic Formula with D = μ N, of the slip ratio κ, longitudinal, and in space the same whatever
//! way the slip has. v is the velocity of the last end's point along the surface, less that of the first end's body at p: that of the hub of a
//! wheel. v₀ keeps κ finite where it stands.
//!
//! Of a particle p is its point, and where the first of two balls is one, there is no friction. δ̇ is the rate of δ, as the point of contact of either body moves along the surfaces. e = 3/2 is Hertz's law, c makes it Hunt and Crossley's,
//! e = 1 with d is a spring and damper that never pulls. (2) is Coulomb's law, regularised: it creeps under loads below μ N, with
//! v₀ atanh(f/(μ N)), and μ_s with v_s make it Stribeck's.
//!
//! Sources: Hunt & Crossley (1975), Coefficient of restitution interpreted as damping in vibroimpact, J. Appl. Mech. 42; Simbody,
//! Force::HuntCrossley; Armstrong-Hélouvry (1991), Control of Machines with Friction, for (3); Pacejka (2012), Tire and Vehicle Dynamics, § 4.3, for (5).

mod curves;
mod terrain;

pub(super) use curves::CURVE_CONTACT;
pub use curves::SAMPLES;
pub(super) use terrain::TERRAIN_CONTACT;

use mbs_definition::Space;
use mbs_expr::{Comparison, ExprId, Exprs, Function, Function2, MarkerId};

use super::{Action, Argued, Argument, Build, Ends, Geometry, Kind, required};
use crate::Domain;

/// Part of v₀ at which directions of slip are no longer told apart.
const STILL: f64 = 1e-6;

const RADIUS: Argument = required("radius", "r [m] > 0 of the last end, about its point").within(Domain::Positive);
const FIRST_RADIUS: Argument =
    required("first", "r [m] > 0 of the first end, about its point").within(Domain::Positive);
const SECOND_RADIUS: Argument =
    required("second", "r [m] > 0 of the second end, about its point").within(Domain::Positive);

const STIFFNESS: Argument = required("stiffness", "K [N/mᵉ] ≥ 0").within(Domain::NonNegative);
const EXPONENT: Argument = required("exponent", "e > 0").within(Domain::Positive).or(1.5);
const DISSIPATION: Argument = required("dissipation", "c [s/m] ≥ 0").within(Domain::NonNegative).or(0.0);
const DAMPING: Argument = required("damping", "d [N s/m] ≥ 0").within(Domain::NonNegative).or(0.0);
const FRICTION: Argument = required("friction", "μ_d ≥ 0, left out what the marker of an end states")
    .within(Domain::NonNegative)
    .load()
    .or(0.0)
    .of_surface();
const CREEP: Argument = required("creep", "v₀ [m/s] > 0").within(Domain::Positive).or(0.01);
const STICTION: Argument = required("stiction", "μ_s − μ_d ≥ 0").within(Domain::NonNegative).or(0.0);
const STRIBECK: Argument = required("stribeck", "v_s [m/s] > 0").within(Domain::Positive).or(0.1);

const SLIP_STIFFNESS: Argument =
    required("slip_stiffness", "B ≥ 0 of the Magic Formula, 0 without it").within(Domain::NonNegative).or(0.0);
const SLIP_SHAPE: Argument =
    required("slip_shape", "C > 0 of the Magic Formula, at most 2").within(Domain::Positive).or(1.65);
const SLIP_CURVATURE: Argument = required("slip_curvature", "E ≤ 1 of the Magic Formula").or(0.0);

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

/// What a contact has of its own, and what the law has.
const fn with_law<const OWN: usize, const ALL: usize>(own: [Argument; OWN]) -> [Argument; ALL] {
    let mut all = [RADIUS; ALL];
    let mut i = 0;
    while i < ALL {
        all[i] = if i < OWN { own[i] } else { LAW[i - OWN] };
        i += 1;
    }
    all
}

/// What the first end of a contact is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Touches {
    /// All below its axes.
    Plane,
    /// All below a height over its axes.
    Terrain,
    /// What is on one side of a curve.
    Curve,
    /// A ball about its point.
    Ball,
}

/// A ball on a plane.
pub(super) const PLANE_CONTACT: Kind = Kind {
    name: "plane_contact",
    ends: Ends::Two,
    turns: false,
    arguments: &OF_PLANE,
    rows: &[],
    coordinates: &[],
    docs: "Ball about the last end's point on a plane of the first end, in the plane a disc on a line: all below its x axis is solid, in space all below its \
           x and y axes. Where it is δ > 0 deep, N = max(K δᵉ (1 + 1.5 c δ̇) + d δ̇, 0) pushes it out, and friction −μ N tanh(u/v₀) acts against the slip u, \
           with μ = friction + stiction exp(−(u/v_s)²); with a slip stiffness the Magic Formula of the slip ratio stands in place of tanh. Potential K δᵉ⁺¹/(e + 1).",
    reaction: "",
    source: "Hunt & Crossley (1975), J. Appl. Mech. 42; friction regularised by tanh",
    build: Build::Force(plane_contact),
};

/// Two balls.
pub(super) const BALL_CONTACT: Kind = Kind {
    name: "ball_contact",
    ends: Ends::Two,
    turns: false,
    arguments: &OF_BALLS,
    rows: &[],
    coordinates: &[],
    docs: "Two balls about the points of both ends, in the plane discs, with normal force and friction as of `plane_contact`; δ = r₁ + r₂ − ℓ. Singular \
           where the points coincide.",
    reaction: "",
    source: "Hunt & Crossley (1975), J. Appl. Mech. 42; friction regularised by tanh",
    build: Build::Force(ball_contact),
};

/// Where two bodies touch.
struct Touch {
    depth: ExprId,
    /// World components, towards the last end.
    normal: [ExprId; 3],
    /// From the last end's point and from the first end's to the deepest point.
    arms: [[ExprId; 3]; 2],
}

fn plane_contact(g: &mut Geometry<'_>, first: Option<MarkerId>, last: MarkerId, arguments: &[Argued]) -> Action {
    let first = super::forces::first_of_two(first);
    let (radius, up) = (arguments[0][0], if g.space == Space::Planar { 1 } else { 2 });
    let normal = g.axes(first)[up];
    let r = g.displacement(first, last);
    let height = g.exprs.dot(&r, &normal);
    let depth = g.exprs.sub(radius, height);
    let back = g.exprs.neg(radius);
    let arm = g.scaled(back, normal);
    let arms = arms(g, last, r, arm);
    touching(g, [first, last], &Touch { depth, normal, arms }, &arguments[1..])
}

fn ball_contact(g: &mut Geometry<'_>, first: Option<MarkerId>, last: MarkerId, arguments: &[Argued]) -> Action {
    let first = super::forces::first_of_two(first);
    let [one, other] = [arguments[0][0], arguments[1][0]];
    let r = g.displacement(first, last);
    let square = g.exprs.dot(&r, &r);
    let length = g.exprs.unary(Function::Sqrt, square);
    let inverse = {
        let unit = g.exprs.number(1.0);
        g.exprs.div(unit, length)
    };
    let normal = g.scaled(inverse, r);
    let both = g.exprs.add(one, other);
    let depth = g.exprs.sub(both, length);
    let back = g.exprs.neg(other);
    let arm = g.scaled(back, normal);
    let arms = arms(g, last, r, arm);
    touching(g, [first, last], &Touch { depth, normal, arms }, &arguments[2..])
}

/// To the deepest point; of a particle, which has no surface that turns, to its point.
fn arms(g: &mut Geometry<'_>, last: MarkerId, r: [ExprId; 3], arm: [ExprId; 3]) -> [[ExprId; 3]; 2] {
    let zero = g.exprs.number(0.0);
    let arm = if g.on_particle(last) { [zero; 3] } else { arm };
    [g.plus(r, arm), arm]
}

/// Equations 1 to 4 of the module header, from the arguments of the law.
fn touching(g: &mut Geometry<'_>, ends: [MarkerId; 2], touch: &Touch, law: &[Argued]) -> Action {
    let [stiffness, exponent, dissipation, damping, friction, creep] = [0, 1, 2, 3, 4, 5].map(|i: usize| law[i][0]);
    let [zero, one, more] = [0.0, 1.0, 1.5].map(|x| g.exprs.number(x));
    let [of_first, of_last] = [0, 1].map(|i: usize| velocity(g, ends[i], touch.arms[i]));
    let w = g.minus(of_last, of_first);
    let leaving = g.exprs.dot(&touch.normal, &w);
    let approach = g.exprs.neg(leaving);
    let deep = g.exprs.binary(Function2::Max, touch.depth, zero);
    let power = g.exprs.binary(Function2::Powf, deep, exponent);
    let elastic = g.exprs.mul(stiffness, power);
    let lossy = g.exprs.mul(dissipation, approach);
    let lossy = g.exprs.mul(more, lossy);
    let factor = g.exprs.add(one, lossy);
    let (pushed, viscous) = (g.exprs.mul(elastic, factor), g.exprs.mul(damping, approach));
    let sum = g.exprs.add(pushed, viscous);
    let pressing = g.exprs.binary(Function2::Max, sum, zero);
    let pressing = g.exprs.select(Comparison::Less, zero, touch.depth, pressing, zero);
    let (energy, next) = (g.exprs.mul(elastic, deep), g.exprs.add(exponent, one));
    let potential = g.exprs.div(energy, next);
    let mut force = g.scaled(pressing, touch.normal);
    let along = g.scaled(leaving, touch.normal);
    let slip = g.minus(w, along);
    let slipping = g.exprs.dot(&slip, &slip);
    let rolling = {
        let own = velocity(g, ends[1], [zero; 3]);
        let v = g.minus(own, of_first);
        let leaving = g.exprs.dot(&touch.normal, &v);
        let along = g.scaled(leaving, touch.normal);
        let v = g.minus(v, along);
        let (square, least) = (g.exprs.dot(&v, &v), g.exprs.mul(creep, creep));
        let square = g.exprs.add(square, least);
        g.exprs.unary(Function::Sqrt, square)
    };
    let still = g.exprs.number(STILL);
    let least = g.exprs.mul(still, creep);
    let least = g.exprs.mul(least, least);
    let square = g.exprs.add(slipping, least);
    let speed = g.exprs.unary(Function::Sqrt, square);
    let [p, q] = [0, 1].map(|i: usize| g.on_particle(ends[i]));
    let is_smooth = g.exprs.value(friction) == Some(0.0) && g.exprs.value(law[6][0]) == Some(0.0);
    // What friction takes from a ball that cannot turn would be lost.
    if !is_smooth && !p {
        let coefficient = coefficient(g, [friction, law[6][0], law[7][0]], square);
        let sliding = |g: &mut Geometry<'_>| {
            let relative = g.exprs.div(speed, creep);
            g.exprs.unary(Function::Tanh, relative)
        };
        let rolling = |g: &mut Geometry<'_>| {
            let ratio = g.exprs.div(speed, rolling);
            magic(g.exprs, ratio, [8, 9, 10].map(|i: usize| law[i][0]))
        };
        let part = match g.exprs.value(law[8][0]) {
            Some(0.0) => sliding(g),
            Some(_) => rolling(g),
            // A parameter may be zero.
            None => {
                let both = [sliding(g), rolling(g)];
                g.exprs.select(Comparison::Equal, law[8][0], zero, both[0], both[1])
            }
        };
        let part = g.exprs.div(part, speed);
        let part = g.exprs.mul(coefficient, part);
        let part = g.exprs.mul(pressing, part);
        let dragged = g.scaled(part, slip);
        force = g.minus(force, dragged);
    }
    let torque = (!q).then(|| g.cross(touch.arms[1], force));
    let lever = (!p).then(|| {
        let r = g.displacement(ends[0], ends[1]);
        g.cross(force, r)
    });
    let slip = match g.space {
        // Along the first end's x axis where the normal is its y axis.
        Space::Planar => {
            let [nx, ny, _] = touch.normal;
            let (along, back) = (g.exprs.mul(ny, w[0]), g.exprs.mul(nx, w[1]));
            g.exprs.sub(along, back)
        }
        Space::Spatial => g.exprs.unary(Function::Sqrt, slipping),
    };
    let ratio = g.exprs.div(slip, rolling);
    // Positive where it drives the last end along the first end's x axis.
    let ratio = if g.space == Space::Planar { g.exprs.neg(ratio) } else { ratio };
    let fields = vec![
        ("depth", touch.depth, false),
        ("normal_force", pressing, true),
        ("slip", slip, false),
        ("slip_ratio", ratio, false),
    ];
    let depth = Some(touch.depth);
    Action { force: Some(force), torque, potential: Some(potential), lever, fields, depth, lost: None }
}

/// Equation 3.
fn coefficient(g: &mut Geometry<'_>, [friction, stiction, scale]: [ExprId; 3], square: ExprId) -> ExprId {
    if g.exprs.value(stiction) == Some(0.0) {
        return friction;
    }
    let scale = g.exprs.mul(scale, scale);
    let ratio = g.exprs.div(square, scale);
    let fallen = g.exprs.neg(ratio);
    let fallen = g.exprs.unary(Function::Exp, fallen);
    let more = g.exprs.mul(stiction, fallen);
    g.exprs.add(friction, more)
}

/// Equation 5.
fn magic(e: &mut Exprs, ratio: ExprId, [stiffness, shape, curvature]: [ExprId; 3]) -> ExprId {
    let x = e.mul(stiffness, ratio);
    let turned = e.unary(Function::Atan, x);
    let bent = e.sub(x, turned);
    let bent = e.mul(curvature, bent);
    let x = e.sub(x, bent);
    let angle = e.unary(Function::Atan, x);
    let angle = e.mul(shape, angle);
    e.unary(Function::Sin, angle)
}

/// Velocity of a marker's body at an arm from the marker's point, world components.
fn velocity(g: &mut Geometry<'_>, m: MarkerId, arm: [ExprId; 3]) -> [ExprId; 3] {
    let position = g.position(m);
    let point = position.map(|x| g.exprs.rate(x));
    if g.on_particle(m) {
        return point;
    }
    let omega = match g.space {
        Space::Spatial => g.angular_velocity(m),
        Space::Planar => {
            let angle = g.angle(m);
            [g.exprs.number(0.0), g.exprs.number(0.0), g.exprs.rate(angle)]
        }
    };
    let around = g.cross(omega, arm);
    g.plus(point, around)
}
