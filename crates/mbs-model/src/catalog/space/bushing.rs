//! The bushing: springs and dampers along and about three axes.
//!
//! With p = R_WAᵀ (p_Q − p_P), and θ the angles of R_AB = R_x(θ₀) R_y(θ₁) R_z(θ₂):
//!
//! 1. f = −(k p + c ṗ), axis by axis in the first end's axes, on Q; −f acts on the first end's body at the same point, so that it also
//!    receives the moment −(p_Q − p_P) × f about P;
//! 2. mᵢ = −(κᵢ θᵢ + χᵢ θ̇ᵢ), the moments along the axes of the three turns: x_A, y' = z_B × x_A / cos θ₁ and z_B;
//! 3. with s = x_A·z_B = sin θ₁, ω = ω_Q − ω_P = θ̇₀ x_A + θ̇₁ y' + θ̇₂ z_B gives θ̇₁ = ω·y' and, from ω_x = ω·x_A and ω_z = ω·z_B,
//!    θ̇₀ = (ω_x − s ω_z)/(1 − s²), θ̇₂ = (ω_z − s ω_x)/(1 − s²);
//! 4. the torque with τ·ω = Σ mᵢ θ̇ᵢ is τ = (m₀ − s m₂)/(1 − s²) x_A + m₁ y' + (m₂ − s m₀)/(1 − s²) z_B;
//! 5. V = ½ Σ kᵢ pᵢ² + ½ Σ κᵢ θᵢ².

#![allow(non_snake_case)] // monogram notation

use mbs_expr::{ExprId, Function2, MarkerId};

use super::forces::BETWEEN_BODIES;
use super::measures::relative;
use crate::Domain;
use crate::catalog::attitude::euler_directions;
use crate::catalog::forces::first_of_two;
use crate::catalog::{Action, Argued, Argument, Build, Geometry, Kind, Shape, required};

/// Three numbers for the first end's axes.
const fn diagonal(name: &'static str, docs: &'static str) -> Argument {
    required(name, docs).shaped(Shape::Diagonal).within(Domain::NonNegative)
}

pub const BUSHING: Kind = Kind {
    name: "bushing",
    arguments: &[
        diagonal("stiffness", "k [N/m] ≥ 0 along the first end's x, y, z"),
        diagonal("torsional_stiffness", "κ [N m/rad] ≥ 0 of the angles about x, y, z"),
        diagonal("damping", "c [N s/m] ≥ 0 along the first end's x, y, z").or(0.0),
        diagonal("torsional_damping", "χ [N m s/rad] ≥ 0 of the angles about x, y, z").or(0.0),
    ],
    docs: "Six springs and dampers. In the first end's axes f_Q = −(k p + c ṗ) with p = p_Q − p_P, and the first end's body receives −f_Q at the same \
           point; moments −(κ θ + χ θ̇) along the axes of the turns of R_AB = R_x(θ₀) R_y(θ₁) R_z(θ₂), which for small angles are the components \
           of the rotation vector. Potential ½ Σ kᵢ pᵢ² + ½ Σ κᵢ θᵢ². Singular where cos θ₁ = 0; θ₀ and θ₂ in (−π, π].",
    source: "Simbody, Force::LinearBushing",
    build: Build::Force(bushing),
    ..BETWEEN_BODIES
};

fn bushing(g: &mut Geometry<'_>, first: Option<MarkerId>, last: MarkerId, arguments: &[Argued]) -> Action {
    let ends = [first_of_two(first), last];
    let [stiffness, torsional_stiffness, damping, torsional_damping] = [0, 1, 2, 3].map(|i: usize| arguments[i]);
    // Equation 1.
    let r = g.displacement(ends[0], ends[1]);
    let p = g.from_world(ends[0], r);
    let p_dot = p.map(|x| g.exprs.rate(x));
    let (f_A, stored) = springs(g, stiffness, damping, p, p_dot);
    let f = g.to_world(ends[0], f_A);
    let moment = g.cross(r, f);
    // Equation 2.
    let turns = Turns::new(g, ends);
    let (m, stored_in_turns) = springs(g, torsional_stiffness, torsional_damping, turns.angles, turns.rates);
    let torque = turns.torque(g, m);
    Action {
        force: Some(f),
        torque: Some(torque),
        potential: Some(g.exprs.add(stored, stored_in_turns)),
        lever: Some(moment.map(|x| g.exprs.neg(x))),
        ..Action::default()
    }
}

/// −(k x + c ẋ) and ½ Σ k x².
fn springs(g: &mut Geometry<'_>, k: Argued, c: Argued, x: [ExprId; 3], rate: [ExprId; 3]) -> ([ExprId; 3], ExprId) {
    let elastic = [0, 1, 2].map(|i| g.exprs.mul(k[i], x[i]));
    let pull = [0, 1, 2].map(|i| {
        let viscous = g.exprs.mul(c[i], rate[i]);
        let back = g.exprs.add(elastic[i], viscous);
        g.exprs.neg(back)
    });
    let (twice, half) = (g.exprs.dot(&elastic, &x), g.exprs.number(0.5));
    (pull, g.exprs.mul(half, twice))
}

/// The three turns, their axes in world components.
struct Turns {
    angles: [ExprId; 3],
    rates: [ExprId; 3],
    axes: [[ExprId; 3]; 3],
    /// s and 1/(1 − s²) of the module header.
    sine: ExprId,
    scale: ExprId,
}

impl Turns {
    fn new(g: &mut Geometry<'_>, ends: [MarkerId; 2]) -> Turns {
        let R_AB = relative(g, ends);
        let directions = euler_directions(g.exprs, [0, 1, 2], R_AB);
        let angles = directions.map(|[sine, cosine]| g.exprs.binary(Function2::Atan2, sine, cosine));
        let (x, z) = (g.axes(ends[0])[0], g.axes(ends[1])[2]);
        let [sine, cosine] = directions[1];
        let one = g.exprs.number(1.0);
        let square = g.exprs.mul(sine, sine);
        let across = g.exprs.sub(one, square);
        let scale = g.exprs.div(one, across);
        let (normal, inverse) = (g.cross(z, x), g.exprs.div(one, cosine));
        let y = g.scaled(inverse, normal);
        let (omega_P, omega_Q) = (g.angular_velocity(ends[0]), g.angular_velocity(ends[1]));
        let omega = g.minus(omega_Q, omega_P);
        let mut turns = Turns { angles, rates: angles, axes: [x, y, z], sine, scale };
        let components = turns.axes.map(|axis| g.exprs.dot(&omega, &axis));
        let [first, last] = turns.solved(g, [components[0], components[2]]);
        turns.rates = [first, components[1], last];
        turns
    }

    /// (a − s b)/(1 − s²), (b − s a)/(1 − s²).
    fn solved(&self, g: &mut Geometry<'_>, [a, b]: [ExprId; 2]) -> [ExprId; 2] {
        [(a, b), (b, a)].map(|(one, other)| {
            let along = g.exprs.mul(self.sine, other);
            let rest = g.exprs.sub(one, along);
            g.exprs.mul(self.scale, rest)
        })
    }

    /// Equation 4.
    fn torque(&self, g: &mut Geometry<'_>, m: [ExprId; 3]) -> [ExprId; 3] {
        let [first, last] = self.solved(g, [m[0], m[2]]);
        let mut sum = [g.exprs.number(0.0); 3];
        for (axis, along) in self.axes.into_iter().zip([first, m[1], last]) {
            let part = g.scaled(along, axis);
            sum = g.plus(sum, part);
        }
        sum
    }
}
