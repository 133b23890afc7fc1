//! The basic equations of which joints are composed. With r = p_P − p_Q and directions fixed in the ends:
//!
//! 1. coincident points: r = 0, world components;
//! 2. direction ⟂ displacement: r·d̂ = 0;
//! 3. direction ⟂ direction: d̂_A·ê_B = 0, rate (ω_A − ω_B)·(d̂ × ê);
//! 4. distance: r·r/(2ℓ) − ℓ/2 = 0;
//! 5. ellipsoid: r·d̂_A + ρ ẑ_B·d̂_A = 0 for each axis d̂ and its radius ρ;
//! 6. no spin: (ω_A − ω_B)·ẑ_B = 0, a nonholonomic equation between speeds.
//!
//! Source: Haug (1989), §9.4, basic constraints (spherical, dot-2, dot-1, distance), 3 with signs such that each prevents the rotation of A
//! relative to B about one direction, right-handed; 5 and 6 from the definitions of Simbody's mobilizers Ellipsoid and LineOrientation.

#![allow(non_snake_case)] // monogram notation

use mbs_expr::{Expr, MarkerId};
use mbs_math::Vec3;

use super::basis::normal_directions;
use crate::catalog::Geometry;
use crate::catalog::geometry::unit;

/// The vector r = p_P − p_Q, world axes.
pub fn separation<'e>(g: &Geometry<'e>, [p, q]: [MarkerId; 2]) -> Vec3<Expr<'e>> {
    g.displacement(q, p)
}

/// The component r·d̂ in a direction d̂ fixed in a marker.
pub fn displacement_along<'e>(g: &Geometry<'e>, ends: [MarkerId; 2], m: MarkerId, d: Vec3<Expr<'e>>) -> Expr<'e> {
    separation(g, ends).dot(g.to_world(m, d))
}

/// Rows that keep Q on the line through P in the direction û, fixed in a marker: r·n̂, r·b̂.
pub fn line_rows<'e>(g: &Geometry<'e>, ends: [MarkerId; 2], m: MarkerId, u: Vec3<Expr<'e>>) -> [Expr<'e>; 2] {
    normal_directions(u).map(|d| displacement_along(g, ends, m, d))
}

/// The cosine d̂_A·ê_B of the angle between a direction of the first end and one of the second.
pub fn cosine<'e>(g: &Geometry<'e>, [p, q]: [MarkerId; 2], d: Vec3<Expr<'e>>, e: Vec3<Expr<'e>>) -> Expr<'e> {
    g.to_world(p, d).dot(g.to_world(q, e))
}

/// Rows that prevent rotation except about û: b̂_A·û_B about n̂, −n̂_A·û_B about b̂. They are also zero for û_B = −û_A.
pub fn common_axis_rows<'e>(g: &Geometry<'e>, ends: [MarkerId; 2], u: Vec3<Expr<'e>>) -> [Expr<'e>; 2] {
    let [n, b] = normal_directions(u);
    [cosine(g, ends, b, u), -cosine(g, ends, n, u)]
}

/// Rows that prevent rotation: y_A·z_B about x, −x_A·z_B about y, x_A·y_B about z. They are also zero for half revolutions about the three axes.
pub fn parallel_rows<'e>(g: &Geometry<'e>, ends: [MarkerId; 2]) -> [Expr<'e>; 3] {
    let [x, y, z] = unit_vectors();
    [cosine(g, ends, y, z), -cosine(g, ends, x, z), cosine(g, ends, x, y)]
}

/// As `parallel_rows`, relative to axes that are fixed in the first end. Their components are world components.
pub fn parallel_to<'e>(g: &Geometry<'e>, q: MarkerId, [x, y, _]: [Vec3<Expr<'e>>; 3]) -> [Expr<'e>; 3] {
    let [_, y_B, z_B] = g.axes(q);
    [y.dot(z_B), -x.dot(z_B), x.dot(y_B)]
}

/// The row that keeps the angle between û_A and v̂_B at its value without rotation: û_A·v̂_B − û·v̂. It prevents rotation about û × v̂.
pub fn cross_row<'e>(g: &Geometry<'e>, ends: [MarkerId; 2], u: Vec3<Expr<'e>>, v: Vec3<Expr<'e>>) -> Expr<'e> {
    cosine(g, ends, u, v) - u.dot(v)
}

/// Rows that keep Q on the ellipsoid about P with radii ρ_k, at the image of the point z_B of the unit sphere: p_Q − p_P = Σ ρ_k (ẑ_B·d̂_k)
/// d̂_k, with d̂_k the axes of A.
pub fn ellipsoid_rows<'e>(g: &Geometry<'e>, ends: [MarkerId; 2], radii: Vec3<Expr<'e>>) -> [Expr<'e>; 3] {
    let axes = unit_vectors();
    [0, 1, 2].map(|k| displacement_along(g, ends, ends[0], axes[k]) + radii[k] * cosine(g, ends, axes[k], axes[2]))
}

/// The row that prevents rotation of B relative to A about the z axis of B: (ω_A − ω_B)·z_B.
pub fn spin_row<'e>(g: &Geometry<'e>, ends: [MarkerId; 2]) -> Expr<'e> {
    -g.relative_angular_velocity(ends)[2]
}

/// Unit vectors x, y, z.
pub fn unit_vectors<'e>() -> [Vec3<Expr<'e>>; 3] {
    [0, 1, 2].map(unit)
}
