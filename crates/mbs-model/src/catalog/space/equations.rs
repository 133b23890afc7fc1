//! The basic equations that joints are made of. With r = p_P − p_Q and directions fixed in the ends:
//!
//! 1. points: r = 0, world components;
//! 2. direction ⟂ displacement: r·d̂ = 0;
//! 3. direction ⟂ direction: d̂_A·ê_B = 0, rate (ω_A − ω_B)·(d̂ × ê);
//! 4. distance: r·r/(2ℓ) − ℓ/2 = 0;
//! 5. ellipsoid: r·d̂_A + ρ ẑ_B·d̂_A = 0 for each axis d̂ and its radius ρ;
//! 6. no spin: (ω_A − ω_B)·ẑ_B = 0, between speeds: no coordinates have it as their rate.
//!
//! Source: Haug (1989), §9.4, basic constraints (spherical, dot-2, dot-1, distance), 3 signed so that each holds the turn of A against B
//! about one direction, right-handed; 5 and 6 from the definitions of Simbody's mobilizers Ellipsoid and LineOrientation.

#![allow(non_snake_case)] // monogram notation

use mbs_expr::{Expr, MarkerId};
use mbs_math::Vec3;

use super::basis::across;
use crate::catalog::Geometry;
use crate::catalog::geometry::unit;

/// p_P − p_Q, world axes.
pub fn apart<'e>(g: &Geometry<'e>, [p, q]: [MarkerId; 2]) -> Vec3<Expr<'e>> {
    g.displacement(q, p)
}

/// r·d̂ of a direction d̂ fixed in a marker.
pub fn along<'e>(g: &Geometry<'e>, ends: [MarkerId; 2], m: MarkerId, d: Vec3<Expr<'e>>) -> Expr<'e> {
    apart(g, ends).dot(g.to_world(m, d))
}

/// Q on the line through P along û, both fixed in a marker: r·n̂, r·b̂.
pub fn off_line<'e>(g: &Geometry<'e>, ends: [MarkerId; 2], m: MarkerId, u: Vec3<Expr<'e>>) -> [Expr<'e>; 2] {
    across(u).map(|d| along(g, ends, m, d))
}

/// d̂_A·ê_B of a direction of each end.
pub fn cosine<'e>(g: &Geometry<'e>, [p, q]: [MarkerId; 2], d: Vec3<Expr<'e>>, e: Vec3<Expr<'e>>) -> Expr<'e> {
    g.to_world(p, d).dot(g.to_world(q, e))
}

/// No rotation except about û: b̂_A·û_B about n̂, −n̂_A·û_B about b̂. Also zero where û_B = −û_A.
pub fn untilted<'e>(g: &Geometry<'e>, ends: [MarkerId; 2], u: Vec3<Expr<'e>>) -> [Expr<'e>; 2] {
    let [n, b] = across(u);
    [cosine(g, ends, b, u), -cosine(g, ends, n, u)]
}

/// No rotation: y_A·z_B about x, −x_A·z_B about y, x_A·y_B about z. Also zero for half revolutions about the three axes.
pub fn parallel<'e>(g: &Geometry<'e>, ends: [MarkerId; 2]) -> [Expr<'e>; 3] {
    let [x, y, z] = axes();
    [cosine(g, ends, y, z), -cosine(g, ends, x, z), cosine(g, ends, x, y)]
}

/// As `parallel`, relative to axes fixed in the first end, given in world axes.
pub fn held<'e>(g: &Geometry<'e>, q: MarkerId, [x, y, _]: [Vec3<Expr<'e>>; 3]) -> [Expr<'e>; 3] {
    let [_, y_B, z_B] = g.axes(q);
    [y.dot(z_B), -x.dot(z_B), x.dot(y_B)]
}

/// Keeps the angle between û_A and v̂_B at its value without rotation: û_A·v̂_B − û·v̂, about û × v̂.
pub fn crossed<'e>(g: &Geometry<'e>, ends: [MarkerId; 2], u: Vec3<Expr<'e>>, v: Vec3<Expr<'e>>) -> Expr<'e> {
    cosine(g, ends, u, v) - u.dot(v)
}

/// Q on the ellipsoid about P with given radii, where z_B is the direction on the sphere it is stretched from: p_Q − p_P = Σ ρ_k (ẑ_B·d̂_k)
/// d̂_k along the axes of A.
pub fn on_ellipsoid<'e>(g: &Geometry<'e>, ends: [MarkerId; 2], radii: Vec3<Expr<'e>>) -> [Expr<'e>; 3] {
    let axes = axes();
    [0, 1, 2].map(|k| along(g, ends, ends[0], axes[k]) + radii[k] * cosine(g, ends, axes[k], axes[2]))
}

/// B does not turn against A about its own z: (ω_A − ω_B)·z_B.
pub fn spin<'e>(g: &Geometry<'e>, ends: [MarkerId; 2]) -> Expr<'e> {
    -g.relative_angular_velocity(ends)[2]
}

/// Unit vectors x, y, z.
pub fn axes<'e>() -> [Vec3<Expr<'e>>; 3] {
    [0, 1, 2].map(unit)
}
