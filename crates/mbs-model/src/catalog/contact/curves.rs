//! Two curves of the plane, each traced by a parameter; the second has its body on its left.
//!
//! With points p, unit tangents p′/|p′| = t and the left unit normal n₂ of the second, in the first end's axes, and the gap e = p₁ − p₂, the curves are closest, or
//! deepest in each other, where
//!
//! ```text
//! (1)  t₁ × t₂ = 0          e·t₁ = 0          depth δ = e·n₂
//! ```
//!
//! which tells that place from intersections, where e vanishes too, and from cusps, where p′ does. Six steps of Newton's method in both parameters lead there from a seed:
//!
//! ```text
//! (2)  on the one: of 24 points over its range the nearest to the mean m of the other's, then three steps of Newton's method towards the nearest at all
//! (3)  on the other: of its 24 points p the one for which |p − a|² + ℓ² sin² is least, with the point a of the one, the angle between the tangents,
//!      and the size ℓ² = mean |p − m|²
//! ```
//!
//! No step is longer than ℓ and a quarter of its range on the one, and than two of the parts on the other. The other is the second, but the first where, at default parameters, that is of less than a third of the
//! size, or of less than the size of a second curve that encloses a void. A curve without a range is the one: there are no points then, and (2) begins on a line at the foot of m, on the graph of a polynomial under it. Seeds and steps depend on the state alone. The residual is
//! what a seventh step would move the points.
//!
//! The steps are regular where the curves have different curvatures, and what they lead to is the closest place around where those lie on either side
//! of the tangent. The contact counts as lost, as far as the curves may touch, where
//!
//! ```text
//! (4)  residual > 10⁻⁶ ℓ and δ > −ℓ          or          κ₂ − σ κ₁ < 0 and δ > 0          σ = ±1, as p₁′·p₂′
//! ```
//!
//! A force at the place found is as of balls there; Johnson (1985),
//! Contact Mechanics, § 4.1, has K for two curvatures.

use mbs_expr::{Comparison, ExprId, Function, Function2};

use super::super::{Action, Argued, Argument, Build, Contour, Ends, Geometry, Kind};
use super::{Touch, arms, touching};
use crate::CurveRange;

/// Steps of Newton's method for both.
const STEPS: usize = 6;
/// Those towards the mean of the other.
const FEET: usize = 3;
/// Points of a curve that are looked at, and that tell its size.
pub const SAMPLES: usize = 24;
/// How much larger the square of the size of a curve is that is looked at from the middle of the other.
const LARGE: f64 = 9.0;
/// Part of |p′|² that a step towards a point keeps.
const KEPT: f64 = 0.1;
/// Parts of the other's range that a step is at most.
const PARTS: f64 = 2.0;
/// Those of the one's: near a cusp no length would limit it.
const FAR: f64 = 6.0;
/// Part of ℓ that a residual may be where the curves may touch.
const MISSED: f64 = 1e-6;

const OF_CURVES: [Argument; 11] = super::with_law([]);

/// Two curves.
pub(in crate::catalog) const CURVE_CONTACT: Kind = Kind {
    name: "curve_contact",
    ends: Ends::TwoCurves,
    turns: true,
    arguments: &OF_CURVES,
    rows: &[],
    coordinates: &[],
    docs: "Two curves, the second with its body on its left: closed ones run counterclockwise. Normal force and friction as of `plane_contact` where they are closest, or \
           deepest in each other, which six steps of Newton's method find from samples of both.",
    reaction: "",
    source: "Hunt & Crossley (1975), J. Appl. Mech. 42; closest points by Newton's method, derived in the catalogue",
    build: Build::Curves(curve_contact),
};

/// A curve at a parameter: p, p′, p″ in the first end's axes.
type Place = [[ExprId; 2]; 3];

/// A curve that may stand in other axes.
struct Placed<'c> {
    contour: &'c Contour,
    /// Origin and x axis in the first end's axes; `None` of the first end.
    frame: Option<[[ExprId; 2]; 2]>,
}

/// Points over a range: their parameters, and the curve there.
struct Sampled {
    at: Vec<(ExprId, Place)>,
    mean: [ExprId; 2],
    /// ℓ².
    square: ExprId,
    part: f64,
}

fn curve_contact(g: &mut Geometry<'_>, ends: [&Contour; 2], law: &[Argued]) -> Action {
    let [first, last] = ends.map(|contour| contour.marker);
    let r = g.displacement(first, last);
    let [[x, y, _], axes] = [g.from_world(first, r), {
        let [axis, ..] = g.axes(last);
        g.from_world(first, axis)
    }];
    let frames = [None, Some([[x, y], [axes[0], axes[1]]])];
    let placed = [0, 1].map(|i: usize| Placed { contour: ends[i], frame: frames[i] });
    let sampled = [0, 1].map(|i: usize| placed[i].sampled(g));
    // Where the mean of the second is not in its body, or far from most of its points, that of the first is near the contact.
    let is_first_inside = || {
        let both = ends[0].extent.zip(ends[1].extent);
        both.is_some_and(|(a, b)| a.square < if b.is_hollow { b.square } else { b.square / LARGE })
    };
    let (one, other) = match (&sampled[0], &sampled[1]) {
        (None, _) => (0, 1),
        (_, None) => (1, 0),
        _ if is_first_inside() => (1, 0),
        _ => (0, 1),
    };
    let cloud = sampled[other].as_ref().expect("resolve checked that one has a range");
    let seed = placed[one].foot(g, sampled[one].as_ref(), cloud.mean);
    let seeds = [seed, placed[one].beside(g, seed, cloud, &placed[other])];
    let size = g.exprs.unary(Function::Sqrt, cloud.square);
    let mut s = if one == 0 { seeds } else { [seeds[1], seeds[0]] };
    let mut at = [0, 1].map(|i: usize| placed[i].at(g, s[i]));
    for _ in 0..STEPS {
        let step = step(g, &at);
        s = [0, 1].map(|i: usize| {
            let most = if i == other {
                g.exprs.number(PARTS * cloud.part)
            } else {
                let speed = g.exprs.norm(&at[i][1]);
                let most = g.exprs.div(size, speed);
                match &sampled[i] {
                    None => most,
                    Some(Sampled { part, .. }) => {
                        let far = g.exprs.number(FAR * part);
                        g.exprs.binary(Function2::Min, most, far)
                    }
                }
            };
            let step = g.exprs.within(step[i], most);
            g.exprs.sub(s[i], step)
        });
        at = [0, 1].map(|i: usize| placed[i].at(g, s[i]));
    }
    let zero = g.exprs.number(0.0);
    let normal = {
        let [tx, ty] = at[1][1];
        let length = g.exprs.norm(&[tx, ty]);
        let left = g.exprs.neg(ty);
        [g.exprs.div(left, length), g.exprs.div(tx, length)]
    };
    let gap = minus(g, at[0][0], at[1][0]);
    let depth = g.exprs.dot(&gap, &normal);
    let normal = g.to_world(first, [normal[0], normal[1], zero]);
    let [px, py] = at[1][0];
    let touched = g.to_world(first, [px, py, zero]);
    let arm = g.minus(touched, r);
    let arms = arms(g, last, r, arm);
    let mut action = touching(g, [first, last], &Touch { depth, normal, arms }, law);
    let residual = residual(g, &at);
    action.fields.push(("residual", residual, false));
    let part = g.exprs.number(MISSED);
    let allowed = g.exprs.mul(part, size);
    let missed = g.exprs.sub(residual, allowed);
    let near = g.exprs.add(depth, size);
    let missed = g.exprs.binary(Function2::Min, missed, near);
    let bend = relative_curvature(g, &at);
    // In metres.
    let inside = g.exprs.mul(bend, cloud.square);
    let inside = g.exprs.neg(inside);
    let inside = g.exprs.binary(Function2::Min, inside, depth);
    action.lost = Some(g.exprs.binary(Function2::Max, missed, inside));
    action
}

/// κ₂ − σ κ₁, positive where the curves lie on either side of their tangent.
fn relative_curvature(g: &mut Geometry<'_>, at: &[Place; 2]) -> ExprId {
    let along = g.exprs.dot(&at[0][1], &at[1][1]);
    let [one, other] = [0, 1].map(|i: usize| {
        let [_, u, du] = at[i];
        let turn = cross(g, u, du);
        let square = g.exprs.dot(&u, &u);
        let speed = g.exprs.norm(&u);
        let cube = g.exprs.mul(square, speed);
        g.exprs.div(turn, cube)
    });
    let sense = g.exprs.unary(Function::Signum, along);
    let one = g.exprs.mul(sense, one);
    g.exprs.sub(other, one)
}

impl Placed<'_> {
    fn at(&self, g: &mut Geometry<'_>, s: ExprId) -> Place {
        let functions = g.functions;
        let Contour { curve, leaf, .. } = *self.contour;
        let [x, y] = curve.map(|c| g.exprs.along(functions, c, leaf, s));
        let own = [0, 1, 2].map(|k: usize| [x[k], y[k]]);
        let Some([origin, axis]) = self.frame else { return own };
        let mut place = own.map(|v| turned(g, axis, v));
        place[0] = [0, 1].map(|c: usize| g.exprs.add(origin[c], place[0][c]));
        place
    }

    /// A point of the first end's axes in those of the curve.
    fn own(&self, g: &mut Geometry<'_>, p: [ExprId; 2]) -> [ExprId; 2] {
        let Some([origin, [cos, sin]]) = self.frame else { return p };
        let v = minus(g, p, origin);
        let back = g.exprs.neg(sin);
        turned(g, [cos, back], v)
    }

    /// Middles of as many equal parts of its range.
    fn sampled(&self, g: &mut Geometry<'_>) -> Option<Sampled> {
        let Some(CurveRange::Between([from, to])) = self.contour.range else { return None };
        let part = (to - from) / SAMPLES as f64;
        let at: Vec<(ExprId, Place)> = (0..SAMPLES)
            .map(|k| {
                let s = g.exprs.number(from + part * (k as f64 + 0.5));
                (s, Placed { frame: None, ..*self }.at(g, s))
            })
            .collect();
        let count = g.exprs.number(SAMPLES as f64);
        let mean = [0, 1].map(|c: usize| {
            let zero = g.exprs.number(0.0);
            let sum = at.iter().fold(zero, |sum, (_, place)| g.exprs.add(sum, place[0][c]));
            g.exprs.div(sum, count)
        });
        let zero = g.exprs.number(0.0);
        let squares = at.iter().fold(zero, |sum, (_, place)| {
            let v = minus(g, place[0], mean);
            let square = g.exprs.dot(&v, &v);
            g.exprs.add(sum, square)
        });
        let square = g.exprs.div(squares, count);
        let mean = match self.frame {
            None => mean,
            Some([origin, axis]) => {
                let arm = turned(g, axis, mean);
                [0, 1].map(|c: usize| g.exprs.add(origin[c], arm[c]))
            }
        };
        Some(Sampled { at, mean, square, part })
    }

    /// (2): near a point.
    fn foot(&self, g: &mut Geometry<'_>, sampled: Option<&Sampled>, point: [ExprId; 2]) -> ExprId {
        let p = self.own(g, point);
        let own = Placed { frame: None, ..*self };
        let zero = g.exprs.number(0.0);
        let [start, along, bend] = own.at(g, zero);
        let is_line = bend.iter().all(|x| g.exprs.value(*x) == Some(0.0));
        let mut s = match sampled {
            _ if is_line => {
                let v = minus(g, p, start);
                let (way, square) = (g.exprs.dot(&v, &along), g.exprs.dot(&along, &along));
                return g.exprs.div(way, square);
            }
            None => p[0],
            Some(sampled) => least(g, &sampled.at, |g, place| {
                let v = minus(g, place[0], p);
                g.exprs.dot(&v, &v)
            }),
        };
        for _ in 0..FEET {
            let [at, along, bend] = own.at(g, s);
            let v = minus(g, at, p);
            let (slope, square) = (g.exprs.dot(&v, &along), g.exprs.dot(&along, &along));
            let (bent, kept) = (g.exprs.dot(&v, &bend), g.exprs.number(KEPT));
            let (sum, kept) = (g.exprs.add(square, bent), g.exprs.mul(kept, square));
            let sum = g.exprs.binary(Function2::Max, sum, kept);
            let mut step = g.exprs.div(slope, sum);
            if let Some(sampled) = sampled {
                let most = g.exprs.number(sampled.part);
                step = g.exprs.within(step, most);
            }
            s = g.exprs.sub(s, step);
        }
        s
    }

    /// (3): a place of the other, near that of this at s and along it.
    fn beside(&self, g: &mut Geometry<'_>, s: ExprId, other: &Sampled, of: &Placed<'_>) -> ExprId {
        let [point, along, _] = self.at(g, s);
        let p = of.own(g, point);
        let along = match of.frame {
            None => along,
            Some([_, [cos, sin]]) => {
                let back = g.exprs.neg(sin);
                turned(g, [cos, back], along)
            }
        };
        let speed = g.exprs.dot(&along, &along);
        let weight = g.exprs.div(other.square, speed);
        least(g, &other.at, |g, place| {
            let v = minus(g, place[0], p);
            let distance = g.exprs.dot(&v, &v);
            let (across, square) = (cross(g, along, place[1]), g.exprs.dot(&place[1], &place[1]));
            let across = g.exprs.mul(across, across);
            let sine = g.exprs.div(across, square);
            let aslant = g.exprs.mul(weight, sine);
            g.exprs.add(distance, aslant)
        })
    }
}

/// The parameter of the first sample with the least value.
fn least(
    g: &mut Geometry<'_>,
    sampled: &[(ExprId, Place)],
    value: impl Fn(&mut Geometry<'_>, &Place) -> ExprId,
) -> ExprId {
    let mut found: Option<(ExprId, ExprId)> = None;
    for (s, place) in sampled {
        let value = value(g, place);
        found = Some(match found {
            None => (*s, value),
            Some((best, least)) => {
                (g.exprs.select(Comparison::Less, value, least, *s, best), g.exprs.binary(Function2::Min, least, value))
            }
        });
    }
    found.expect("there are samples").0
}

/// A step of Newton's method towards (1), of both parameters: with u = p₁′ and w = p₂′, (u × w)/(|u| |w|) = 0 and e·u/|u| = 0, whose slopes are
///
/// ```text
/// u′ × w − (u × w) u·u′/|u|²          u × w′ − (u × w) w·w′/|w|²
/// |u|² + e·u′ − (e·u) u·u′/|u|²       −w·u
/// ```
///
/// over the same lengths.
fn step(g: &mut Geometry<'_>, [[p, u, du], [q, w, dw]]: &[Place; 2]) -> [ExprId; 2] {
    let gap = minus(g, *p, *q);
    let (aslant, along) = (cross(g, *u, *w), g.exprs.dot(&gap, u));
    let [a, b] = [cross(g, *du, *w), cross(g, *u, *dw)];
    let (square, bent) = (g.exprs.dot(u, u), g.exprs.dot(&gap, du));
    let (c, d) = (g.exprs.add(square, bent), g.exprs.dot(w, u));
    let [[a, c], [b, _]] = [([a, c], u, du), ([b, b], w, dw)].map(|(slopes, tangent, bend)| {
        let (growth, square) = (g.exprs.dot(tangent, bend), g.exprs.dot(tangent, tangent));
        let growth = g.exprs.div(growth, square);
        [(slopes[0], aslant), (slopes[1], along)].map(|(slope, value)| {
            let lost = g.exprs.mul(value, growth);
            g.exprs.sub(slope, lost)
        })
    });
    let e = &mut *g.exprs;
    let d = e.neg(d);
    let determinant = |e: &mut mbs_expr::Exprs, [a, b, c, d]: [ExprId; 4]| {
        let (ad, bc) = (e.mul(a, d), e.mul(b, c));
        e.sub(ad, bc)
    };
    let whole = determinant(e, [a, b, c, d]);
    // Lines that are parallel touch everywhere: the step is zero over one.
    let (zero, one) = (e.number(0.0), e.number(1.0));
    let whole = e.select(Comparison::Equal, whole, zero, one, whole);
    let (x, y) = (determinant(e, [aslant, b, along, d]), determinant(e, [a, aslant, c, along]));
    [x, y].map(|x| e.div(x, whole))
}

/// How far another step would move the points.
fn residual(g: &mut Geometry<'_>, at: &[Place; 2]) -> ExprId {
    let step = step(g, at);
    let [x, y] = [0, 1].map(|i: usize| {
        let speed = g.exprs.norm(&at[i][1]);
        let way = g.exprs.mul(speed, step[i]);
        g.exprs.unary(Function::Abs, way)
    });
    g.exprs.add(x, y)
}

fn minus(g: &mut Geometry<'_>, a: [ExprId; 2], b: [ExprId; 2]) -> [ExprId; 2] {
    [0, 1].map(|c: usize| g.exprs.sub(a[c], b[c]))
}

fn cross(g: &mut Geometry<'_>, a: [ExprId; 2], b: [ExprId; 2]) -> ExprId {
    let (xy, yx) = (g.exprs.mul(a[0], b[1]), g.exprs.mul(a[1], b[0]));
    g.exprs.sub(xy, yx)
}

/// By the angle of a cosine and sine.
fn turned(g: &mut Geometry<'_>, [cos, sin]: [ExprId; 2], [x, y]: [ExprId; 2]) -> [ExprId; 2] {
    let e = &mut *g.exprs;
    let (cx, sy, sx, cy) = (e.mul(cos, x), e.mul(sin, y), e.mul(sin, x), e.mul(cos, y));
    [e.sub(cx, sy), e.add(sx, cy)]
}
