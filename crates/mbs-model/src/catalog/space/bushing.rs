//! The bushing: springs and dampers along and about three axes.
//!
//! With p = R_WAᵀ (p_Q − p_P), and θ the angles of R_AB = R_x(θ₀) R_y(θ₁) R_z(θ₂):
//!
//! 1. The force on Q is f = −(k p + c ṗ), axis by axis in the first end's axes. −f acts on the first end's body at the same point, so that its
//!    moment about P is −(p_Q − p_P) × f;
//! 2. the moments mᵢ = −(κᵢ θᵢ + χᵢ θ̇ᵢ) act about the axes of the three rotations: x_A, y' = z_B × x_A / cos θ₁ and z_B;
//! 3. with s = x_A·z_B = sin θ₁, ω = ω_Q − ω_P = θ̇₀ x_A + θ̇₁ y' + θ̇₂ z_B implies θ̇₁ = ω·y' and, with ω_x = ω·x_A and ω_z = ω·z_B,
//!    θ̇₀ = (ω_x − s ω_z)/cos² θ₁, θ̇₂ = (ω_z − s ω_x)/cos² θ₁;
//! 4. the torque with τ·ω = Σ mᵢ θ̇ᵢ is τ = (m₀ − s m₂)/cos² θ₁ x_A + m₁ y' + (m₂ − s m₀)/cos² θ₁ z_B;
//! 5. V = ½ Σ kᵢ pᵢ² + ½ Σ κᵢ θᵢ².

#![allow(non_snake_case)] // monogram notation

use mbs_expr::{Expr, MarkerId};
use mbs_math::{Vec3, Vector};

use super::BETWEEN_BODIES;
use super::measures::relative_axes;
use crate::Domain;
use crate::catalog::attitude::euler_directions;
use crate::catalog::geometry::rate;
use crate::catalog::{Action, Argument, Arguments, Build, Geometry, Kind, Shape, required};

/// A required argument of three numbers, one for each of the first end's axes.
const fn diagonal(name: &'static str, docs: &'static str) -> Argument {
    required(name, docs).with_shape(Shape::Diagonal).in_domain(Domain::NonNegative)
}

pub const BUSHING: Kind = Kind {
    name: "bushing",
    arguments: &[
        diagonal("stiffness", "k [N/m] ≥ 0 along the first end's x, y, z"),
        diagonal("torsional_stiffness", "κ [N m/rad] ≥ 0 of the angles about x, y, z"),
        diagonal("damping", "c [N s/m] ≥ 0 along the first end's x, y, z").with_default(0.0),
        diagonal("torsional_damping", "χ [N m s/rad] ≥ 0 of the angles about x, y, z").with_default(0.0),
    ],
    docs: "Six springs and dampers. In the first end's axes f_Q = −(k p + c ṗ) with p = p_Q − p_P, and −f_Q acts on the first end's body at the \
           same point. Moments −(κ θ + χ θ̇) act about the axes of the rotations of R_AB = R_x(θ₀) R_y(θ₁) R_z(θ₂); for small angles θ is the \
           rotation vector. Potential ½ Σ kᵢ pᵢ² + ½ Σ κᵢ θᵢ². Singular if cos θ₁ = 0; θ₀ and θ₂ in (−π, π].",
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
    let (f_A, energy) = springs(k, c, p, rate(p));
    let f = g.to_world(ends[0], f_A);
    // Equation 2.
    let rotations = Rotations::new(g, ends);
    let (m, torsional_energy) = springs(kappa, chi, rotations.angles, rotations.rates);
    Action {
        force: Some(f),
        torque: Some(rotations.torque(m)),
        potential: Some(energy + torsional_energy),
        lever: Some(-r.cross(f)),
        ..Action::default()
    }
}

/// The forces −(k x + c ẋ) and the energy ½ Σ k x².
fn springs<'e>(
    k: Vec3<Expr<'e>>,
    c: Vec3<Expr<'e>>,
    x: Vec3<Expr<'e>>,
    rate: Vec3<Expr<'e>>,
) -> (Vec3<Expr<'e>>, Expr<'e>) {
    let product = |a: Vec3<Expr<'e>>, b: Vec3<Expr<'e>>| a.zip(b, |a, b| a * b);
    let elastic = product(k, x);
    (-(elastic + product(c, rate)), 0.5 * elastic.dot(x))
}

/// The three rotations of R_AB; axes in world components.
struct Rotations<'e> {
    angles: Vec3<Expr<'e>>,
    rates: Vec3<Expr<'e>>,
    axes: [Vec3<Expr<'e>>; 3],
    /// s and 1/cos² θ₁ of the module header.
    sine: Expr<'e>,
    scale: Expr<'e>,
}

impl<'e> Rotations<'e> {
    fn new(g: &Geometry<'e>, ends: [MarkerId; 2]) -> Self {
        let directions = euler_directions([0, 1, 2], relative_axes(g, ends));
        let angles = Vector(directions.map(|[sine, cosine]| sine.atan2(cosine)));
        let (x, z) = (g.axes(ends[0])[0], g.axes(ends[1])[2]);
        let [sine, cosine] = directions[1];
        // Not 1 − s², of which few digits remain where θ₁ is near a right angle.
        let scale = 1.0 / (cosine * cosine);
        let y = 1.0 / cosine * z.cross(x);
        let omega = g.angular_velocity(ends[1]) - g.angular_velocity(ends[0]);
        let mut rotations = Rotations { angles, rates: angles, axes: [x, y, z], sine, scale };
        let [x, y, z] = rotations.axes.map(|axis| omega.dot(axis));
        let [first, last] = rotations.solve(x, z);
        rotations.rates = Vector([first, y, last]);
        rotations
    }

    /// Returns (a − s b)/cos² θ₁ and (b − s a)/cos² θ₁.
    fn solve(&self, a: Expr<'e>, b: Expr<'e>) -> [Expr<'e>; 2] {
        [self.scale * (a - self.sine * b), self.scale * (b - self.sine * a)]
    }

    /// The torque τ of equation 4, world components.
    fn torque(&self, m: Vec3<Expr<'e>>) -> Vec3<Expr<'e>> {
        let [x, y, z] = self.axes;
        let [first, last] = self.solve(m[0], m[2]);
        first * x + m[1] * y + last * z
    }
}
