//! Balls on terrain: z = f(x, y) over the first end's axes, in the plane y = f(x), solid below.
//!
//! With the centre p of the ball in these axes, s the base coordinates (x and y, in the plane x) of the point c(s) of the terrain, g = ∇f and
//! F the matrix of second derivatives, the nearest point is where the gradient of ½ |p − c(s)|² vanishes. From the base coordinates of p
//! itself, six steps of Newton's method lead there:
//!
//! ```text
//! (1)  e = p − c(s)                  b = −(e_s + g e_z)            the derivative along s
//! (2)  A = 1 + g gᵀ                  B = −e_z F                    its derivative is A + B
//! (3)  s ← s − (A + w B)⁻¹ b         w = 0.9/max(−λ, 0.9)          λ the least eigenvalue of A⁻¹ B
//! ```
//!
//! no step longer than the radius along either axis. λ is −κ |e| with the largest curvature κ of the terrain, positive in a valley: with w
//! the matrix stays positive definite where the valley is nearly as narrow as the ball, and beyond. The steps, their number and their start
//! depend on the state alone. With the unit normal n at the end
//!
//! ```text
//! (4)  δ = r − n·e                   residual = |e − (n·e) n|      0 at the nearest point
//! ```
//!
//! and since n·∂c/∂s = 0, the derivatives of δ are those of −n·p: the error that the steps leave is of second order.
//!
//! A valley that is narrower than the ball is touched on both flanks, of which one is found. The contact counts as lost there, and, as far as
//! the ball may touch, where a residual is left; with κ and the distance h of the centre from the tangent plane, both at the base coordinates
//! of the centre:
//!
//! ```text
//! (5)  residual > 10⁻⁶ r and min(n·e, h) < 2 r          or          κ h > 1 and δ > 0
//! ```

use mbs_definition::Space;
use mbs_expr::{Expr, MarkerId, Scalar};
use mbs_math::{Vec2, Vec3, Vector};

use super::super::{Action, Argument, Arguments, BLANK, Build, Exerts, Geometry, Kind, Shape, required};
use super::{RADIUS, Touch, arms, touching};

/// Steps of Newton's method.
const STEPS: usize = 6;
/// Part of A that the steps keep.
const KEPT: f64 = 0.1;
/// Part of the radius that a residual may be where the ball may touch.
const MISSED: f64 = 1e-6;

const HEIGHT: Argument =
    required("height", "function of x, in space of x and y, in the first end's axes [m]").shaped(Shape::Function);

const OF_TERRAIN: [Argument; 13] = super::with_law([HEIGHT, RADIUS]);

/// A ball on terrain.
pub(in crate::catalog) const TERRAIN_CONTACT: Kind = Kind {
    name: "terrain_contact",
    arguments: &OF_TERRAIN,
    docs: "Ball about the last end's point on terrain of the first end, in the plane a disc: all below y = f(x) in the first end's axes is solid, in space all \
           below z = f(x, y). Normal force and friction as of `plane_contact` at the terrain's nearest point, which six steps of Newton's method find from where \
           the ball's centre stands over; δ = r − distance.",
    source: "Hunt & Crossley (1975), J. Appl. Mech. 42; nearest point by Newton's method, derived in the catalogue",
    exerts: Exerts::Force,
    build: Build::Force(terrain_contact),
    ..BLANK
};

fn terrain_contact<'e>(g: &Geometry<'e>, [first, last]: [MarkerId; 2], arguments: &Arguments<'e>) -> Action<Expr<'e>> {
    let radius = arguments.number("radius");
    let r = g.displacement(first, last);
    let over = if g.scene.space == Space::Planar { 1 } else { 2 };
    let terrain = Terrain { g, height: arguments.vector("height"), over };
    let near = terrain.nearest(g.from_world(first, r), radius);
    let normal = g.to_world(first, near.normal);
    let depth = radius - near.distance;
    let arms = arms(g, last, r, -radius * normal);
    let mut action = touching(g, [first, last], &Touch { depth, normal, arms }, arguments);
    action.fields.push(("residual", near.residual, false));
    action.lost = Some(near.lost(radius, depth));
    action
}

/// z = f(x, y), or y = f(x).
struct Terrain<'g, 'e> {
    g: &'g Geometry<'e>,
    /// f over the first leaves, and these.
    height: Vec3<Expr<'e>>,
    /// How many.
    over: usize,
}

/// The terrain at a point.
struct Local<'e> {
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
    /// h of (5).
    above: Expr<'e>,
    /// κ h.
    narrow: Expr<'e>,
}

impl<'e> Terrain<'_, 'e> {
    fn at(&self, s: Vec2<Expr<'e>>) -> Local<'e> {
        let [f, x, y] = self.g.ids(self.height);
        let derivatives = |u: [f64; 2], w: [f64; 2]| {
            let leaves = [(x, s[0], u), (y, s[1], w)];
            self.g.writer.mixed(self.g.scene.functions, f, &leaves[..self.over])
        };
        let zero = Expr::from(0.0);
        let [height, fx, _, xx] = derivatives([1.0, 1.0], [0.0, 0.0]);
        if self.over == 1 {
            return Local { height, gradient: Vector([fx, zero]), second: Symmetric { xx, xy: zero, yy: zero } };
        }
        let [_, _, fy, xy] = derivatives([1.0, 0.0], [0.0, 1.0]);
        let [.., yy] = derivatives([0.0, 0.0], [1.0, 1.0]);
        Local { height, gradient: Vector([fx, fy]), second: Symmetric { xx, xy, yy } }
    }

    /// The components of p along s, and along the height.
    fn split(&self, p: Vec3<Expr<'e>>) -> (Vec2<Expr<'e>>, Expr<'e>) {
        match self.over {
            1 => (Vector([p[0], 0.0.into()]), p[1]),
            _ => (Vector([p[0], p[1]]), p[2]),
        }
    }

    /// The vector of components along s and along the height.
    fn joined(&self, s: Vec2<Expr<'e>>, up: Expr<'e>) -> Vec3<Expr<'e>> {
        if self.over == 1 { Vector([s[0], up, s[1]]) } else { Vector([s[0], s[1], up]) }
    }

    fn nearest(&self, p: Vec3<Expr<'e>>, radius: Expr<'e>) -> Nearest<'e> {
        let (over, up) = self.split(p);
        let mut s = over;
        let mut at = self.at(s);
        let gap = up - at.height;
        let above = gap * self.normal(&at)[2];
        let (a, b) = self.parts(&at, gap);
        let narrow = self.bend(a, b) / self.determinant(a);
        let Symmetric { xx, xy, yy } = at.second;
        let is_flat = [xx, xy, yy].iter().all(|x| x.is_zero());
        for _ in 0..if is_flat { 1 } else { STEPS } {
            let step = self.step(&at, over - s, up);
            // Towards a plane the step is exact, however long.
            s -= if is_flat { step } else { step.map(|step| step.within(radius)) };
            at = self.at(s);
        }
        let e = self.joined(over - s, up - at.height);
        let [nx, ny, up] = self.normal(&at).0;
        let n = self.joined(Vector([nx, ny]), up);
        let distance = n.dot(e);
        let aside = e - distance * n;
        Nearest { normal: n, distance, residual: aside.square().sqrt(), above, narrow }
    }

    /// A and B of (2), with e_z.
    fn parts(&self, at: &Local<'e>, rise: Expr<'e>) -> (Symmetric<'e>, Symmetric<'e>) {
        let [x, y] = at.gradient.0;
        let a = Symmetric { xx: 1.0 + x * x, xy: x * y, yy: 1.0 + y * y };
        (a, at.second.map(|f| -rise * f))
    }

    /// The determinant of A: 1 + g·g.
    fn determinant(&self, a: Symmetric<'e>) -> Expr<'e> {
        if self.over == 1 { a.xx } else { a.determinant() }
    }

    /// −λ of (3): with trace t and determinant d of A⁻¹ B, λ = t/2 − √(t²/4 − d).
    fn bend(&self, a: Symmetric<'e>, b: Symmetric<'e>) -> Expr<'e> {
        let whole = self.determinant(a);
        if self.over == 1 {
            return -(b.xx / whole);
        }
        let mean = (0.5 * (a.yy * b.xx + a.xx * b.yy) - a.xy * b.xy) / whole;
        (mean * mean - b.determinant() / whole).max(0.0).sqrt() - mean
    }

    /// (3) less its limit, from e_s and the height of p.
    fn step(&self, at: &Local<'e>, across: Vec2<Expr<'e>>, up: Expr<'e>) -> Vec2<Expr<'e>> {
        let rise = up - at.height;
        let residual = across.zip(at.gradient, |across, g| -(across + g * rise));
        let (a, b) = self.parts(at, rise);
        let weight = Expr::from(1.0 - KEPT);
        let weight = weight / self.bend(a, b).max(weight);
        let h = Symmetric { xx: a.xx + weight * b.xx, xy: a.xy + weight * b.xy, yy: a.yy + weight * b.yy };
        if self.over == 1 {
            return Vector([residual[0] / h.xx, 0.0.into()]);
        }
        let [x, y] = residual.0;
        Vector([h.yy * x - h.xy * y, h.xx * y - h.xy * x]) / h.determinant()
    }

    /// Upward unit normal, its last component along the height.
    fn normal(&self, at: &Local<'e>) -> Vec3<Expr<'e>> {
        let [x, y] = at.gradient.0;
        let n = Vector([-x, -y, 1.0.into()]);
        n / n.square().sqrt()
    }
}

impl<'e> Nearest<'e> {
    /// Positive where (5) holds: the least of what its conditions exceed their bounds by, in metres.
    fn lost(&self, radius: Expr<'e>, depth: Expr<'e>) -> Expr<'e> {
        let missed = self.residual - MISSED * radius;
        let within = 2.0 * radius - self.distance.min(self.above);
        let narrow = radius * (self.narrow - 1.0);
        missed.min(within).max(narrow.min(depth))
    }
}
