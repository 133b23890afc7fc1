//! Contact of balls on terrain: z = f(x, y) in the first end's axes, in the plane y = f(x), solid below.
//!
//! p is the centre of the ball in these axes, s are the base coordinates (x and y, in the plane x) of a point c(s) of the terrain, g = ∇f, and F
//! is the matrix of second derivatives. At the nearest point the gradient of ½ |p − c(s)|² vanishes. Six steps of Newton's method from the base
//! coordinates of p find it:
//!
//! ```text
//! (1)  e = p − c(s)                  b = −(e_s + g e_z)            the gradient
//! (2)  A = 1 + g gᵀ                  B = −e_z F                    its derivative is A + B
//! (3)  s ← s − (A + w B)⁻¹ b         w = 0.9/max(−λ, 0.9)          λ the least eigenvalue of A⁻¹ B
//! ```
//!
//! No step is longer than the radius in either axis. λ is −κ |e| with the largest curvature κ of the terrain, positive in a valley: the weight w
//! keeps the matrix positive definite if the valley is nearly as narrow as the ball, or narrower. The steps, their number and their start depend
//! on the state only. With the unit normal n at the last iterate
//!
//! ```text
//! (4)  δ = r − n·e                   residual = |e − (n·e) n|      0 at the nearest point
//! ```
//!
//! and because n·∂c/∂s = 0, the derivatives of δ are those of −n·p: an error of s has an effect of second order.
//!
//! In a valley that is narrower than the ball both flanks are in contact, and the steps find one of them. The contact counts as lost then, and if
//! the ball may be in contact and a residual remains. With κ and the distance h of the centre from the tangent plane, both at the base
//! coordinates of the centre:
//!
//! ```text
//! (5)  residual > 10⁻⁶ r and min(n·e, h) < 2 r          or          κ h > 1 and δ > 0
//! ```

use mbs_definition::Space;
use mbs_expr::{Expr, MarkerId, Scalar};
use mbs_math::{Vec2, Vec3, Vector};

use super::super::{Action, Argument, Arguments, BLANK, Build, Exerts, Geometry, Kind, Shape, required};
use super::{ContactGeometry, RADIUS, contact_arms, contact_force};

/// Steps of Newton's method.
const STEPS: usize = 6;
/// Fraction of A that bounds the matrix of a step from below.
const KEPT: f64 = 0.1;
/// Greatest residual of a contact that is not lost, as a fraction of the radius.
const MISSED: f64 = 1e-6;

const HEIGHT: Argument =
    required("height", "function of x, in space of x and y, in the first end's axes [m]").with_shape(Shape::Function);

const TERRAIN_ARGUMENTS: [Argument; 13] = super::with_law([HEIGHT, RADIUS]);

/// The contact of a ball on terrain.
pub(in crate::catalog) const TERRAIN_CONTACT: Kind = Kind {
    name: "terrain_contact",
    arguments: &TERRAIN_ARGUMENTS,
    docs: "Ball about the last end's point on terrain of the first end, in the plane a disc: the region below y = f(x) in the first end's axes is solid, in \
           space the region below z = f(x, y). Normal force and friction are those of `plane_contact` at the terrain's nearest point, which six steps of \
           Newton's method find from the point below the ball's centre; δ = r − distance.",
    source: "Hunt & Crossley (1975), J. Appl. Mech. 42; nearest point by Newton's method, derived in the catalogue",
    exerts: Exerts::Force,
    build: Build::Force(terrain_contact),
    ..BLANK
};

fn terrain_contact<'e>(g: &Geometry<'e>, [first, last]: [MarkerId; 2], arguments: &Arguments<'e>) -> Action<Expr<'e>> {
    let radius = arguments.scalar("radius");
    let r = g.displacement(first, last);
    let dimensions = if g.scene.space == Space::Planar { 1 } else { 2 };
    let terrain = Terrain { g, height: arguments.vector("height"), dimensions };
    let nearest = terrain.nearest(g.from_world(first, r), radius);
    let normal = g.to_world(first, nearest.normal);
    let depth = radius - nearest.distance;
    let arms = contact_arms(g, last, r, -radius * normal);
    let mut action = contact_force(g, [first, last], &ContactGeometry { depth, normal, arms }, arguments);
    action.fields.push(("residual", nearest.residual, false));
    action.lost = Some(nearest.lost_measure(radius, depth));
    action
}

/// Terrain z = f(x, y), or y = f(x) in the plane.
struct Terrain<'g, 'e> {
    g: &'g Geometry<'e>,
    /// f as an expression of placeholders, and these placeholders.
    height: Vec3<Expr<'e>>,
    /// Number of base coordinates.
    dimensions: usize,
}

/// The terrain at base coordinates.
struct LocalTerrain<'e> {
    /// f.
    height: Expr<'e>,
    /// ∇f.
    gradient: Vec2<Expr<'e>>,
    /// F.
    second: Symmetric<'e>,
}

/// A symmetric 2 × 2 matrix.
#[derive(Clone, Copy)]
struct Symmetric<'e> {
    xx: Expr<'e>,
    xy: Expr<'e>,
    yy: Expr<'e>,
}

impl<'e> Symmetric<'e> {
    fn map(self, f: impl Fn(Expr<'e>) -> Expr<'e>) -> Self {
        Symmetric { xx: f(self.xx), xy: f(self.xy), yy: f(self.yy) }
    }

    fn determinant(self) -> Expr<'e> {
        self.xx * self.yy - self.xy * self.xy
    }
}

/// Result of the search for the nearest point, in the first end's axes.
struct Nearest<'e> {
    normal: Vec3<Expr<'e>>,
    /// n·e.
    distance: Expr<'e>,
    residual: Expr<'e>,
    /// h of (5) \[m\].
    above: Expr<'e>,
    /// κ h.
    narrow: Expr<'e>,
}

impl<'e> Terrain<'_, 'e> {
    /// Value and derivatives of f at base coordinates s.
    fn local_terrain(&self, s: Vec2<Expr<'e>>) -> LocalTerrain<'e> {
        let [f, x, y] = self.g.ids(self.height);
        let derivatives = |u: [f64; 2], w: [f64; 2]| {
            let leaves = [(x, s[0], u), (y, s[1], w)];
            self.g.writer.mixed_derivatives(self.g.scene.functions, f, &leaves[..self.dimensions])
        };
        let zero = Expr::from(0.0);
        let [height, fx, _, xx] = derivatives([1.0, 1.0], [0.0, 0.0]);
        if self.dimensions == 1 {
            return LocalTerrain { height, gradient: Vector([fx, zero]), second: Symmetric { xx, xy: zero, yy: zero } };
        }
        let [_, _, fy, xy] = derivatives([1.0, 0.0], [0.0, 1.0]);
        let [.., yy] = derivatives([0.0, 0.0], [1.0, 1.0]);
        LocalTerrain { height, gradient: Vector([fx, fy]), second: Symmetric { xx, xy, yy } }
    }

    /// Splits p into its base coordinates and its height.
    fn split(&self, p: Vec3<Expr<'e>>) -> (Vec2<Expr<'e>>, Expr<'e>) {
        match self.dimensions {
            1 => (Vector([p[0], 0.0.into()]), p[1]),
            _ => (Vector([p[0], p[1]]), p[2]),
        }
    }

    /// The vector with base coordinates s and height `up`.
    fn join(&self, s: Vec2<Expr<'e>>, up: Expr<'e>) -> Vec3<Expr<'e>> {
        if self.dimensions == 1 { Vector([s[0], up, s[1]]) } else { Vector([s[0], s[1], up]) }
    }

    /// Finds the point nearest to p by (3).
    fn nearest(&self, p: Vec3<Expr<'e>>, radius: Expr<'e>) -> Nearest<'e> {
        let (base, up) = self.split(p);
        let mut s = base;
        let mut local = self.local_terrain(s);
        let gap = up - local.height;
        let above = gap * self.normal(&local)[2];
        let (a, b) = self.matrices(&local, gap);
        let narrow = self.negative_least_eigenvalue(a, b) / self.determinant(a);
        let Symmetric { xx, xy, yy } = local.second;
        let is_flat = [xx, xy, yy].iter().all(|x| x.is_zero());
        for _ in 0..if is_flat { 1 } else { STEPS } {
            let step = self.newton_step(&local, base - s, up);
            // For a plane the step is exact, and its length is not limited.
            s -= if is_flat { step } else { step.map(|step| step.clamped(radius)) };
            local = self.local_terrain(s);
        }
        let e = self.join(base - s, up - local.height);
        let [nx, ny, up] = self.normal(&local).0;
        let n = self.join(Vector([nx, ny]), up);
        let distance = n.dot(e);
        let tangential = e - distance * n;
        Nearest { normal: n, distance, residual: tangential.square().sqrt(), above, narrow }
    }

    /// A and B of (2), with e_z = `rise`.
    fn matrices(&self, local: &LocalTerrain<'e>, rise: Expr<'e>) -> (Symmetric<'e>, Symmetric<'e>) {
        let [x, y] = local.gradient.0;
        let a = Symmetric { xx: 1.0 + x * x, xy: x * y, yy: 1.0 + y * y };
        (a, local.second.map(|f| -rise * f))
    }

    /// The determinant of A: 1 + g·g.
    fn determinant(&self, a: Symmetric<'e>) -> Expr<'e> {
        if self.dimensions == 1 { a.xx } else { a.determinant() }
    }

    /// −λ of (3): with trace t and determinant d of A⁻¹ B, λ = t/2 − √(t²/4 − d).
    fn negative_least_eigenvalue(&self, a: Symmetric<'e>, b: Symmetric<'e>) -> Expr<'e> {
        let det_a = self.determinant(a);
        if self.dimensions == 1 {
            return -(b.xx / det_a);
        }
        let mean = (0.5 * (a.yy * b.xx + a.xx * b.yy) - a.xy * b.xy) / det_a;
        (mean * mean - b.determinant() / det_a).max(0.0).sqrt() - mean
    }

    /// The step of (3) without its limit, from e_s and the height of p.
    fn newton_step(&self, local: &LocalTerrain<'e>, e_s: Vec2<Expr<'e>>, up: Expr<'e>) -> Vec2<Expr<'e>> {
        let rise = up - local.height;
        let residual = e_s.zip(local.gradient, |e, g| -(e + g * rise));
        let (a, b) = self.matrices(local, rise);
        let weight = Expr::from(1.0 - KEPT);
        let weight = weight / self.negative_least_eigenvalue(a, b).max(weight);
        let h = Symmetric { xx: a.xx + weight * b.xx, xy: a.xy + weight * b.xy, yy: a.yy + weight * b.yy };
        if self.dimensions == 1 {
            return Vector([residual[0] / h.xx, 0.0.into()]);
        }
        let [x, y] = residual.0;
        Vector([h.yy * x - h.xy * y, h.xx * y - h.xy * x]) / h.determinant()
    }

    /// Upward unit normal; its last component is in the direction of the height.
    fn normal(&self, local: &LocalTerrain<'e>) -> Vec3<Expr<'e>> {
        let [x, y] = local.gradient.0;
        let n = Vector([-x, -y, 1.0.into()]);
        n / n.square().sqrt()
    }
}

impl<'e> Nearest<'e> {
    /// A quantity \[m\] that is positive if (5) is true: the least excess of its conditions over their bounds.
    fn lost_measure(&self, radius: Expr<'e>, depth: Expr<'e>) -> Expr<'e> {
        let missed = self.residual - MISSED * radius;
        let near = 2.0 * radius - self.distance.min(self.above);
        let narrow = radius * (self.narrow - 1.0);
        missed.min(near).max(narrow.min(depth))
    }
}
