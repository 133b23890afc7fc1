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

use mbs_expr::{Expr, Scalar};
use mbs_math::{Vec2, Vector};

use super::super::{Action, Argument, Arguments, BLANK, Build, Contour, Ends, Exerts, Geometry, Kind};
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
    docs: "Two curves, the second with its body on its left: closed ones run counterclockwise. Normal force and friction as of `plane_contact` where they are closest, or \
           deepest in each other, which six steps of Newton's method find from samples of both.",
    source: "Hunt & Crossley (1975), J. Appl. Mech. 42; closest points by Newton's method, derived in the catalogue",
    exerts: Exerts::Force,
    build: Build::Curves(curve_contact),
    ..BLANK
};

/// A curve at a parameter: p, p′, p″ in the first end's axes.
type Place<'e> = [Vec2<Expr<'e>>; 3];

/// A curve that may stand in other axes.
#[derive(Clone, Copy)]
struct Placed<'g, 'e> {
    g: &'g Geometry<'e>,
    contour: &'g Contour,
    /// In the first end's axes; `None` of the first end.
    frame: Option<Frame<'e>>,
}

/// Axes of the last end in those of the first.
#[derive(Clone, Copy)]
struct Frame<'e> {
    origin: Vec2<Expr<'e>>,
    /// Cosine and sine of the angle of its x axis.
    axis: [Expr<'e>; 2],
}

impl<'e> Frame<'e> {
    /// A direction from the first end's axes to these.
    fn inward(self, v: Vec2<Expr<'e>>) -> Vec2<Expr<'e>> {
        let [cos, sin] = self.axis;
        v.turned([cos, -sin])
    }
}

/// Points over a range: their parameters, and the curve there.
struct Sampled<'e> {
    at: Vec<(Expr<'e>, Place<'e>)>,
    mean: Vec2<Expr<'e>>,
    /// ℓ².
    square: Expr<'e>,
    part: f64,
}

fn curve_contact<'e>(g: &Geometry<'e>, ends: [&Contour; 2], law: &Arguments<'e>) -> Action<Expr<'e>> {
    let [first, last] = ends.map(|contour| contour.marker);
    let r = g.displacement(first, last);
    let [origin, axis] = [r, g.axes(last)[0]].map(|v| g.from_world(first, v));
    let frame = Frame { origin: Vector([origin[0], origin[1]]), axis: [axis[0], axis[1]] };
    let frames = [None, Some(frame)];
    let placed = [0, 1].map(|i: usize| Placed { g, contour: ends[i], frame: frames[i] });
    let sampled = placed.map(|curve| curve.sampled());
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
    let seed = placed[one].foot(sampled[one].as_ref(), cloud.mean);
    let seeds = [seed, placed[one].beside(seed, cloud, &placed[other])];
    let size = cloud.square.sqrt();
    let mut s = if one == 0 { seeds } else { [seeds[1], seeds[0]] };
    let places = |s: [Expr<'e>; 2]| [placed[0].at(s[0]), placed[1].at(s[1])];
    let mut at = places(s);
    for _ in 0..STEPS {
        let step = step(&at);
        s = [0, 1].map(|i: usize| {
            let most = if i == other {
                Expr::from(PARTS * cloud.part)
            } else {
                let most = size / length(at[i][1]);
                sampled[i].as_ref().map_or(most, |sampled| most.min(FAR * sampled.part))
            };
            s[i] - step[i].within(most)
        });
        at = places(s);
    }
    let [touching_first, touching_last] = at.map(|[p, ..]| p);
    let n = {
        let [tx, ty] = at[1][1].0;
        Vector([-ty, tx]) / length(at[1][1])
    };
    let depth = (touching_first - touching_last).dot(n);
    let in_space = |v: Vec2<Expr<'e>>| g.to_world(first, Vector([v[0], v[1], 0.0.into()]));
    let normal = in_space(n);
    let arms = arms(g, last, r, in_space(touching_last) - r);
    let mut action = touching(g, [first, last], &Touch { depth, normal, arms }, law);
    let residual = residual(&at);
    action.fields.push(("residual", residual, false));
    // (4)
    let missed = (residual - MISSED * size).min(depth + size);
    // In metres.
    let inside = (-(relative_curvature(&at) * cloud.square)).min(depth);
    action.lost = Some(missed.max(inside));
    action
}

/// |v|.
fn length<'e>(v: Vec2<Expr<'e>>) -> Expr<'e> {
    v.square().sqrt()
}

/// κ₂ − σ κ₁, positive where the curves lie on either side of their tangent.
fn relative_curvature<'e>(at: &[Place<'e>; 2]) -> Expr<'e> {
    let [one, other] = at.map(|[_, u, du]| u.cross(du) / (u.square() * length(u)));
    let sense = at[0][1].dot(at[1][1]).signum();
    other - sense * one
}

impl<'e> Placed<'_, 'e> {
    /// In its own axes.
    fn at_home(&self, s: Expr<'e>) -> Place<'e> {
        let Contour { curve, leaf, .. } = *self.contour;
        let [x, y] = curve.map(|c| self.g.writer.along(self.g.scene.functions, c, leaf, s));
        [0, 1, 2].map(|k: usize| Vector([x[k], y[k]]))
    }

    fn at(&self, s: Expr<'e>) -> Place<'e> {
        let own = self.at_home(s);
        let Some(Frame { origin, axis }) = self.frame else { return own };
        let [p, u, du] = own.map(|v| v.turned(axis));
        [origin + p, u, du]
    }

    /// A point of the first end's axes in those of the curve.
    fn own(&self, p: Vec2<Expr<'e>>) -> Vec2<Expr<'e>> {
        self.frame.map_or(p, |frame| frame.inward(p - frame.origin))
    }

    /// Middles of as many equal parts of its range.
    fn sampled(&self) -> Option<Sampled<'e>> {
        let Some(CurveRange::Between([from, to])) = self.contour.range else { return None };
        let part = (to - from) / SAMPLES as f64;
        let middles = (0..SAMPLES).map(|k| Expr::from(from + part * (k as f64 + 0.5)));
        let at: Vec<(Expr<'e>, Place<'e>)> = middles.map(|s| (s, self.at_home(s))).collect();
        let (zero, count) = (Expr::from(0.0), Expr::from(SAMPLES as f64));
        let mean = at.iter().fold(Vector([zero; 2]), |sum, (_, place)| sum + place[0]) / count;
        let square = at.iter().fold(zero, |sum, (_, place)| sum + (place[0] - mean).square()) / count;
        let mean = self.frame.map_or(mean, |Frame { origin, axis }| origin + mean.turned(axis));
        Some(Sampled { at, mean, square, part })
    }

    /// (2): near a point.
    fn foot(&self, sampled: Option<&Sampled<'e>>, point: Vec2<Expr<'e>>) -> Expr<'e> {
        let p = self.own(point);
        let [start, along, bend] = self.at_home(0.0.into());
        if bend.0.iter().all(|x| x.is_zero()) {
            return (p - start).dot(along) / along.square();
        }
        let mut s = match sampled {
            None => p[0],
            Some(sampled) => least(&sampled.at, |place| (place[0] - p).square()),
        };
        for _ in 0..FEET {
            let [at, along, bend] = self.at_home(s);
            let v = at - p;
            let square = along.square();
            let step = v.dot(along) / (square + v.dot(bend)).max(KEPT * square);
            s = s - sampled.map_or(step, |sampled| step.within(sampled.part.into()));
        }
        s
    }

    /// (3): a place of the other, near that of this at s and along it.
    fn beside(&self, s: Expr<'e>, other: &Sampled<'e>, of: &Placed<'_, 'e>) -> Expr<'e> {
        let [point, along, _] = self.at(s);
        let p = of.own(point);
        let along = of.frame.map_or(along, |frame| frame.inward(along));
        let weight = other.square / along.square();
        least(&other.at, |[q, tangent, _]| {
            let across = along.cross(*tangent);
            (*q - p).square() + weight * (across * across / tangent.square())
        })
    }
}

/// The parameter of the first sample with the least value.
fn least<'e>(sampled: &[(Expr<'e>, Place<'e>)], value: impl Fn(&Place<'e>) -> Expr<'e>) -> Expr<'e> {
    let mut all = sampled.iter().map(|(s, place)| (*s, value(place)));
    let first = all.next().expect("there are samples");
    all.fold(first, |(best, least), (s, value)| (value.if_less(least, s, best), least.min(value))).0
}

/// A step of Newton's method towards (1), of both parameters: with u = p₁′ and w = p₂′, (u × w)/(|u| |w|) = 0 and e·u/|u| = 0, whose derivatives are
///
/// ```text
/// u′ × w − (u × w) u·u′/|u|²          u × w′ − (u × w) w·w′/|w|²
/// |u|² + e·u′ − (e·u) u·u′/|u|²       −w·u
/// ```
///
/// over the same lengths.
fn step<'e>(&[[p, u, du], [q, w, dw]]: &[Place<'e>; 2]) -> [Expr<'e>; 2] {
    let e = p - q;
    let (aslant, along) = (u.cross(w), e.dot(u));
    let [growth_u, growth_w] = [(u, du), (w, dw)].map(|(u, du)| u.dot(du) / u.square());
    let a = du.cross(w) - aslant * growth_u;
    let b = u.cross(dw) - aslant * growth_w;
    let c = u.square() + e.dot(du) - along * growth_u;
    let d = -w.dot(u);
    let determinant = a * d - b * c;
    // Lines that are parallel touch everywhere: the step is zero over one.
    let determinant = determinant.if_equal(0.0, 1.0, determinant);
    [(aslant * d - b * along) / determinant, (a * along - aslant * c) / determinant]
}

/// How far another step would move the points.
fn residual<'e>(at: &[Place<'e>; 2]) -> Expr<'e> {
    let step = step(at);
    let [x, y] = [0, 1].map(|i: usize| (length(at[i][1]) * step[i]).abs());
    x + y
}
