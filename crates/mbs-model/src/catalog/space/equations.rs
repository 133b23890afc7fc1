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

use mbs_expr::{ExprId, MarkerId};

use super::basis::across;
use crate::Rotation;
use crate::catalog::Geometry;

/// p_P − p_Q, world axes.
pub fn apart(g: &mut Geometry<'_>, [p, q]: [MarkerId; 2]) -> [ExprId; 3] {
    g.displacement(q, p)
}

/// r·d̂ of a direction d̂ fixed in a marker.
pub fn along(g: &mut Geometry<'_>, ends: [MarkerId; 2], m: MarkerId, d: [ExprId; 3]) -> ExprId {
    let (r, d_W) = (apart(g, ends), g.to_world(m, d));
    g.exprs.dot(&r, &d_W)
}

/// Q on the line through P along û, both fixed in a marker: r·n̂, r·b̂.
pub fn off_line(g: &mut Geometry<'_>, ends: [MarkerId; 2], m: MarkerId, u: [ExprId; 3]) -> [ExprId; 2] {
    across(g.exprs, u).map(|d| along(g, ends, m, d))
}

/// d̂_A·ê_B of a direction of each end.
pub fn cosine(g: &mut Geometry<'_>, [p, q]: [MarkerId; 2], d: [ExprId; 3], e: [ExprId; 3]) -> ExprId {
    let (d_W, e_W) = (g.to_world(p, d), g.to_world(q, e));
    g.exprs.dot(&d_W, &e_W)
}

/// No turn but about û: b̂_A·û_B about n̂, −n̂_A·û_B about b̂. Also zero where û_B = −û_A.
pub fn untilted(g: &mut Geometry<'_>, ends: [MarkerId; 2], u: [ExprId; 3]) -> [ExprId; 2] {
    let [n, b] = across(g.exprs, u);
    let (about_n, opposite) = (cosine(g, ends, b, u), cosine(g, ends, n, u));
    [about_n, g.exprs.neg(opposite)]
}

/// No turn: y_A·z_B about x, −x_A·z_B about y, x_A·y_B about z. Also zero for half turns about the three axes.
pub fn parallel(g: &mut Geometry<'_>, ends: [MarkerId; 2]) -> [ExprId; 3] {
    let [x, y, z] = axes(g);
    let (about_x, opposite, about_z) = (cosine(g, ends, y, z), cosine(g, ends, x, z), cosine(g, ends, x, y));
    [about_x, g.exprs.neg(opposite), about_z]
}

/// The same against axes that the first end holds, given in world axes.
pub fn held(g: &mut Geometry<'_>, q: MarkerId, [x, y, _]: Rotation) -> [ExprId; 3] {
    let [_, y_B, z_B] = g.axes(q);
    let (about_x, opposite, about_z) = (g.exprs.dot(&y, &z_B), g.exprs.dot(&x, &z_B), g.exprs.dot(&x, &y_B));
    [about_x, g.exprs.neg(opposite), about_z]
}

/// The angle between û_A and v̂_B stays what it is at zero: û_A·v̂_B − û·v̂, about û × v̂.
pub fn crossed(g: &mut Geometry<'_>, ends: [MarkerId; 2], u: [ExprId; 3], v: [ExprId; 3]) -> ExprId {
    let (now, at_zero) = (cosine(g, ends, u, v), g.exprs.dot(&u, &v));
    g.exprs.sub(now, at_zero)
}

/// Q on the ellipsoid about P with given radii, where z_B is the direction on the sphere it is stretched from: p_Q − p_P = Σ ρ_k (ẑ_B·d̂_k)
/// d̂_k along the axes of A.
pub fn on_ellipsoid(g: &mut Geometry<'_>, ends: [MarkerId; 2], radii: [ExprId; 3]) -> [ExprId; 3] {
    let axes = axes(g);
    [0, 1, 2].map(|k| {
        let (behind, normal) = (along(g, ends, ends[0], axes[k]), cosine(g, ends, axes[k], axes[2]));
        let ahead = g.exprs.mul(radii[k], normal);
        g.exprs.add(behind, ahead)
    })
}

/// B does not turn against A about its own z: (ω_A − ω_B)·z_B.
pub fn spin(g: &mut Geometry<'_>, ends: [MarkerId; 2]) -> ExprId {
    let [_, _, turning] = g.relative_angular_velocity(ends);
    g.exprs.neg(turning)
}

/// Unit vectors x, y, z.
pub fn axes(g: &mut Geometry<'_>) -> [[ExprId; 3]; 3] {
    let [zero, one] = [0.0, 1.0].map(|x| g.exprs.number(x));
    [[one, zero, zero], [zero, one, zero], [zero, zero, one]]
}
