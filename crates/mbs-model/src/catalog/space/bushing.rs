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

use mbs_expr::{Expr, MarkerId};
use mbs_math::{Vec3, Vector};

use super::BETWEEN_BODIES;
use super::measures::relative;
use crate::Domain;
use crate::catalog::attitude::euler_directions;
use crate::catalog::geometry::rate;
use crate::catalog::{Action, Argument, Arguments, Build, Geometry, Kind, Shape, required};

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

fn bushing<'e>(g: &Geometry<'e>, ends: [MarkerId; 2], arguments: &Arguments<'e>) -> Action<Expr<'e>> {
    let [k, kappa, c, chi] =
        ["stiffness", "torsional_stiffness", "damping", "torsional_damping"].map(|name| arguments.vector(name));
    // Equation 1.
    let r = g.displacement(ends[0], ends[1]);
    let p = g.from_world(ends[0], r);
    let (f_A, stored) = springs(k, c, p, rate(p));
    let f = g.to_world(ends[0], f_A);
    // Equation 2.
    let turns = Turns::new(g, ends);
    let (m, stored_in_turns) = springs(kappa, chi, turns.angles, turns.rates);
    Action {
        force: Some(f),
        torque: Some(turns.torque(m)),
        potential: Some(stored + stored_in_turns),
        lever: Some(-r.cross(f)),
        ..Action::default()
    }
}

/// −(k x + c ẋ) and ½ Σ k x².
fn springs<'e>(
    k: Vec3<Expr<'e>>,
    c: Vec3<Expr<'e>>,
    x: Vec3<Expr<'e>>,
    rate: Vec3<Expr<'e>>,
) -> (Vec3<Expr<'e>>, Expr<'e>) {
    let by_axis = |a: Vec3<Expr<'e>>, b: Vec3<Expr<'e>>| a.zip(b, |a, b| a * b);
    let elastic = by_axis(k, x);
    (-(elastic + by_axis(c, rate)), 0.5 * elastic.dot(x))
}

/// The three turns, their axes in world components.
struct Turns<'e> {
    angles: Vec3<Expr<'e>>,
    rates: Vec3<Expr<'e>>,
    axes: [Vec3<Expr<'e>>; 3],
    /// s and 1/(1 − s²) of the module header.
    sine: Expr<'e>,
    scale: Expr<'e>,
}

impl<'e> Turns<'e> {
    fn new(g: &Geometry<'e>, ends: [MarkerId; 2]) -> Self {
        let directions = euler_directions([0, 1, 2], relative(g, ends));
        let angles = Vector(directions.map(|[sine, cosine]| sine.atan2(cosine)));
        let (x, z) = (g.axes(ends[0])[0], g.axes(ends[1])[2]);
        let [sine, cosine] = directions[1];
        let scale = 1.0 / (1.0 - sine * sine);
        let y = 1.0 / cosine * z.cross(x);
        let omega = g.angular_velocity(ends[1]) - g.angular_velocity(ends[0]);
        let mut turns = Turns { angles, rates: angles, axes: [x, y, z], sine, scale };
        let [x, y, z] = turns.axes.map(|axis| omega.dot(axis));
        let [first, last] = turns.solved(x, z);
        turns.rates = Vector([first, y, last]);
        turns
    }

    /// (a − s b)/(1 − s²), (b − s a)/(1 − s²).
    fn solved(&self, a: Expr<'e>, b: Expr<'e>) -> [Expr<'e>; 2] {
        [self.scale * (a - self.sine * b), self.scale * (b - self.sine * a)]
    }

    /// Equation 4.
    fn torque(&self, m: Vec3<Expr<'e>>) -> Vec3<Expr<'e>> {
        let [x, y, z] = self.axes;
        let [first, last] = self.solved(m[0], m[2]);
        first * x + m[1] * y + last * z
    }
}
