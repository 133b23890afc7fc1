//! Balls on terrain: z = f(x, y) over the first end's axes, in the plane y = f(x), solid below.
//!
//! With the centre p of the ball in these axes, s what the point c(s) of the terrain stands over, g = ∇f and F the matrix of second derivatives, the nearest point is where
//! the slope of ½ |p − c(s)|² vanishes. From what p itself stands over, six steps of Newton's method lead there:
//!
//! ```text
//! (1)  e = p − c(s)                  b = −(e_s + g e_z)            the slope along s
//! (2)  A = 1 + g gᵀ                  B = −e_z F                    its slope is A + B
//! (3)  s ← s − (A + w B)⁻¹ b         w = 0.9/max(−λ, 0.9)          λ the least eigenvalue of A⁻¹ B
//! ```
//!
//! no step longer than the radius along either axis. λ is −κ |e| with the largest curvature κ of the terrain, positive in a valley: with w the matrix stays
//! positive definite where the valley is nearly as narrow as the ball, and beyond. The steps, their number and where they begin depend on the state alone.
//! With the unit normal n at the end
//!
//! ```text
//! (4)  δ = r − n·e                   residual = |e − (n·e) n|      0 at the nearest point
//! ```
//!
//! and since n·∂c/∂s = 0, the slopes of δ are those of −n·p: what the steps leave is of second order.
//!
//! A valley that is narrower than the ball is touched on both flanks, of which one is found. The contact counts as lost there, and where a residual is
//! left, as far as the ball may touch; with κ and the distance h of the centre from the tangent plane, both where the centre stands over:
//!
//! ```text
//! (5)  residual > 10⁻⁶ r and min(n·e, h) < 2 r          or          κ h > 1 and δ > 0
//! ```

use mbs_definition::Space;
use mbs_expr::{ExprId, Function, Function2, MarkerId};

use super::super::{Action, Argued, Argument, Build, Ends, Geometry, Kind, Shape, required};
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
    ends: Ends::Two,
    turns: false,
    arguments: &OF_TERRAIN,
    rows: &[],
    coordinates: &[],
    docs: "Ball about the last end's point on terrain of the first end, in the plane a disc: all below y = f(x) in the first end's axes is solid, in space all \
           below z = f(x, y). Normal force and friction as of `plane_contact` at the terrain's nearest point, which six steps of Newton's method find from where \
           the ball's centre stands over; δ = r − distance.",
    reaction: "",
    source: "Hunt & Crossley (1975), J. Appl. Mech. 42; nearest point by Newton's method, derived in the catalogue",
    build: Build::Force(terrain_contact),
};

fn terrain_contact(g: &mut Geometry<'_>, first: Option<MarkerId>, last: MarkerId, arguments: &[Argued]) -> Action {
    let first = super::super::forces::first_of_two(first);
    let (height, radius) = (arguments[0], arguments[1][0]);
    let r = g.displacement(first, last);
    let p = g.from_world(first, r);
    let terrain = Terrain { height, over: if g.space == Space::Planar { 1 } else { 2 } };
    let near = terrain.nearest(g, p, radius);
    let normal = g.to_world(first, near.normal);
    let depth = g.exprs.sub(radius, near.distance);
    let back = g.exprs.neg(radius);
    let arm = g.scaled(back, normal);
    let arms = arms(g, last, r, arm);
    let mut action = touching(g, [first, last], &Touch { depth, normal, arms }, &arguments[2..]);
    action.fields.push(("residual", near.residual, false));
    action.lost = Some(near.lost(g, radius, depth));
    action
}

/// z = f(x, y), or y = f(x).
struct Terrain {
    /// f over the first leaves.
    height: Argued,
    /// How many.
    over: usize,
}

/// The terrain at a point.
struct Sloped {
    height: ExprId,
    slope: [ExprId; 2],
    /// f_xx, f_xy, f_yy.
    bend: [ExprId; 3],
}

/// What was found, in the first end's axes.
struct Nearest {
    normal: [ExprId; 3],
    /// n·e.
    distance: ExprId,
    residual: ExprId,
    /// h of (5).
    above: ExprId,
    /// κ h.
    narrow: ExprId,
}

impl Terrain {
    fn at(&self, g: &mut Geometry<'_>, s: [ExprId; 2]) -> Sloped {
        let [f, x, y] = self.height;
        let functions = g.functions;
        let zero = g.exprs.number(0.0);
        let of = |u: [f64; 2], w: [f64; 2]| [(x, s[0], u), (y, s[1], w)];
        let [height, fx, _, fxx] = g.exprs.mixed(functions, f, &of([1.0, 1.0], [0.0, 0.0])[..self.over]);
        if self.over == 1 {
            return Sloped { height, slope: [fx, zero], bend: [fxx, zero, zero] };
        }
        let [_, _, fy, fxy] = g.exprs.mixed(functions, f, &of([1.0, 0.0], [0.0, 1.0]));
        let [.., fyy] = g.exprs.mixed(functions, f, &of([0.0, 0.0], [1.0, 1.0]));
        Sloped { height, slope: [fx, fy], bend: [fxx, fxy, fyy] }
    }

    /// The components of p along s, and along the height.
    fn split(&self, g: &mut Geometry<'_>, p: [ExprId; 3]) -> ([ExprId; 2], ExprId) {
        match self.over {
            1 => ([p[0], g.exprs.number(0.0)], p[1]),
            _ => ([p[0], p[1]], p[2]),
        }
    }

    fn nearest(&self, g: &mut Geometry<'_>, p: [ExprId; 3], radius: ExprId) -> Nearest {
        let (over, up) = self.split(g, p);
        let mut s = over;
        let mut at = self.at(g, s);
        let gap = g.exprs.sub(up, at.height);
        let [_, _, steep] = self.normal(g, &at);
        let above = g.exprs.mul(gap, steep);
        let narrow = {
            let (flat, bent) = self.parts(g, &at, gap);
            let bend = self.bend(g, flat, bent);
            let whole = self.whole(g, flat);
            g.exprs.div(bend, whole)
        };
        let is_flat = at.bend.iter().all(|x| g.exprs.value(*x) == Some(0.0));
        for _ in 0..if is_flat { 1 } else { STEPS } {
            let step = self.step(g, &at, [0, 1].map(|i| (over[i], s[i])), up);
            s = [0, 1].map(|i: usize| {
                // Towards a plane the step is exact, however long.
                let step = if is_flat { step[i] } else { g.exprs.within(step[i], radius) };
                g.exprs.sub(s[i], step)
            });
            at = self.at(g, s);
        }
        let [x, y] = [0, 1].map(|i: usize| g.exprs.sub(over[i], s[i]));
        let z = g.exprs.sub(up, at.height);
        let e = if self.over == 1 { [x, z, y] } else { [x, y, z] };
        let n = self.normal(g, &at);
        let normal = if self.over == 1 { [n[0], n[2], n[1]] } else { n };
        let distance = g.exprs.dot(&normal, &e);
        let along = g.scaled(distance, normal);
        let aside = g.minus(e, along);
        Nearest { normal, distance, residual: g.exprs.norm(&aside), above, narrow }
    }

    /// A and B of (2): xx, xy, yy.
    fn parts(&self, g: &mut Geometry<'_>, at: &Sloped, rise: ExprId) -> ([ExprId; 3], [ExprId; 3]) {
        let e = &mut *g.exprs;
        let (one, fall) = (e.number(1.0), e.neg(rise));
        let [x, y] = at.slope;
        let (xx, xy, yy) = (e.mul(x, x), e.mul(x, y), e.mul(y, y));
        let flat = [e.add(one, xx), xy, e.add(one, yy)];
        (flat, at.bend.map(|x| e.mul(fall, x)))
    }

    /// The determinant of A: 1 + g·g.
    fn whole(&self, g: &mut Geometry<'_>, flat: [ExprId; 3]) -> ExprId {
        if self.over == 1 { flat[0] } else { determinant(g.exprs, flat) }
    }

    /// −λ of (3): with trace t and determinant d of A⁻¹ B, λ = t/2 − √(t²/4 − d).
    fn bend(&self, g: &mut Geometry<'_>, a: [ExprId; 3], b: [ExprId; 3]) -> ExprId {
        let whole = self.whole(g, a);
        let e = &mut *g.exprs;
        if self.over == 1 {
            let part = e.div(b[0], whole);
            return e.neg(part);
        }
        let [zero, half] = [0.0, 0.5].map(|x| e.number(x));
        let (xx, yy, xy) = (e.mul(a[2], b[0]), e.mul(a[0], b[2]), e.mul(a[1], b[1]));
        let sum = e.add(xx, yy);
        let sum = e.mul(half, sum);
        let sum = e.sub(sum, xy);
        let mean = e.div(sum, whole);
        let product = determinant(e, b);
        let product = e.div(product, whole);
        let square = e.mul(mean, mean);
        let spread = e.sub(square, product);
        let spread = e.binary(Function2::Max, spread, zero);
        let spread = e.unary(Function::Sqrt, spread);
        e.sub(spread, mean)
    }

    /// (3) less its limit: the components of a point along s with those of p.
    fn step(&self, g: &mut Geometry<'_>, at: &Sloped, across: [(ExprId, ExprId); 2], up: ExprId) -> [ExprId; 2] {
        let rise = g.exprs.sub(up, at.height);
        let slope = [0, 1].map(|i: usize| {
            let way = g.exprs.sub(across[i].0, across[i].1);
            let lift = g.exprs.mul(at.slope[i], rise);
            let sum = g.exprs.add(way, lift);
            g.exprs.neg(sum)
        });
        let (flat, bent) = self.parts(g, at, rise);
        let bend = self.bend(g, flat, bent);
        let e = &mut *g.exprs;
        let most = e.number(1.0 - KEPT);
        let weight = e.binary(Function2::Max, bend, most);
        let weight = e.div(most, weight);
        let h = [0, 1, 2].map(|k: usize| {
            let part = e.mul(weight, bent[k]);
            e.add(flat[k], part)
        });
        if self.over == 1 {
            return [e.div(slope[0], h[0]), e.number(0.0)];
        }
        let determinant = determinant(e, h);
        [(h[2], slope[0], slope[1]), (h[0], slope[1], slope[0])].map(|(own, a, b)| {
            let (own, other) = (e.mul(own, a), e.mul(h[1], b));
            let part = e.sub(own, other);
            e.div(part, determinant)
        })
    }

    /// Upward unit normal, its last component along the height.
    fn normal(&self, g: &mut Geometry<'_>, at: &Sloped) -> [ExprId; 3] {
        let one = g.exprs.number(1.0);
        let [x, y] = at.slope.map(|x| g.exprs.neg(x));
        let length = g.exprs.norm(&[x, y, one]);
        [x, y, one].map(|x| g.exprs.div(x, length))
    }
}

/// Of a symmetric matrix.
fn determinant(e: &mut mbs_expr::Exprs, [xx, xy, yy]: [ExprId; 3]) -> ExprId {
    let (product, square) = (e.mul(xx, yy), e.mul(xy, xy));
    e.sub(product, square)
}

impl Nearest {
    /// Positive where (5) holds: the least of what its conditions exceed their bounds by, in metres.
    fn lost(&self, g: &mut Geometry<'_>, radius: ExprId, depth: ExprId) -> ExprId {
        let e = &mut *g.exprs;
        let (one, two, part) = (e.number(1.0), e.number(2.0), e.number(MISSED));
        let allowed = e.mul(part, radius);
        let missed = e.sub(self.residual, allowed);
        let near = e.binary(Function2::Min, self.distance, self.above);
        let reach = e.mul(two, radius);
        let within = e.sub(reach, near);
        let missed = e.binary(Function2::Min, missed, within);
        let narrow = e.sub(self.narrow, one);
        let narrow = e.mul(radius, narrow);
        let narrow = e.binary(Function2::Min, narrow, depth);
        e.binary(Function2::Max, missed, narrow)
    }
}
