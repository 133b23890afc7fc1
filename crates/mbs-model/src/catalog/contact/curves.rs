//! Contact of two parametric curves in the plane. The body of the second curve is on the curve's left.
//!
//! p are points, t = p′/|p′| unit tangents and n₂ is the left unit normal of the second curve, all in the first end's axes, and e = p₁ − p₂ is the
//! gap. The curves are closest, or penetrate deepest, at parameters with
//!
//! ```text
//! (1)  t₁ × t₂ = 0          e·t₁ = 0          depth δ = e·n₂
//! ```
//!
//! These equations exclude intersections, at which only e vanishes, and cusps, at which p′ vanishes. Six steps of Newton's method in both parameters
//! solve them from a seed:
//!
//! ```text
//! (2)  on the reference curve: of 24 points over its range the nearest to the mean m of those of the other, then three steps of Newton's method
//!      towards the nearest point a
//! (3)  on the other curve: of its 24 points p the one with the least |p − a|² + ℓ² sin²β, with β the angle between the tangents
//!      and the size ℓ² = mean |p − m|²
//! ```
//!
//! On the reference curve no step is longer than ℓ and a quarter of its range, on the other no step is longer than two of the 24 parts of its
//! range. The other curve is the second, except in one case: it is the first if, at default parameters, the first curve has less than a third of
//! the size of the second, or is smaller than a second curve that encloses an empty region. A curve without a range is the reference one. It has
//! no samples, so (2) begins at the foot of the perpendicular from m on a line, and at the abscissa of m on the graph of a polynomial. Seeds and
//! steps depend on the state only. The residual is the distance by which a seventh step would move the points.
//!
//! The steps are regular if the curvatures of the curves differ, and the solution is a local minimum of the distance if the curves lie on opposite
//! sides of the tangent. The contact counts as lost if the curves may be in contact and
//!
//! ```text
//! (4)  residual > 10⁻⁶ ℓ and δ > −ℓ          or          κ₂ − σ κ₁ < 0 and δ > 0          σ = ±1, as p₁′·p₂′
//! ```
//!
//! The force at the solution is that of two balls in contact; for K of two curvatures see Johnson (1985), Contact Mechanics, § 4.1.

use mbs_expr::{Expr, Scalar};
use mbs_math::{Vec2, Vector};

use super::super::{Action, Argument, Arguments, BLANK, Build, Contour, Ends, Exerts, Geometry, Kind};
use super::{ContactGeometry, contact_arms, contact_force};
use crate::CurveRange;

/// Steps of Newton's method in both parameters.
const STEPS: usize = 6;
/// Steps of Newton's method of (2).
const FEET: usize = 3;
/// Number of samples of a curve, from which its size and the seeds follow.
pub const SAMPLES: usize = 24;
/// Ratio of the squared sizes above which the smaller curve is the other curve of (3).
const LARGE: f64 = 9.0;
/// Fraction of |p′|² that bounds the denominator of a step of (2) from below.
const KEPT: f64 = 0.1;
/// Longest step on the other curve, in parts of its range.
const PARTS: f64 = 2.0;
/// Longest step on the reference curve, in parts of its range: near a cusp ℓ does not limit the step.
const FAR: f64 = 6.0;
/// Greatest residual of a contact that is not lost, as a fraction of ℓ.
const MISSED: f64 = 1e-6;

const CURVE_ARGUMENTS: [Argument; 11] = super::with_law([]);

/// The contact of two curves.
pub(in crate::catalog) const CURVE_CONTACT: Kind = Kind {
    name: "curve_contact",
    ends: Ends::TwoCurves,
    requires_rotation: true,
    arguments: &CURVE_ARGUMENTS,
    docs: "Two curves, the second with its body on its left: closed curves are counterclockwise. Normal force and friction are those of `plane_contact` at \
           the points where the curves are closest, or penetrate deepest, which six steps of Newton's method find from samples of both.",
    source: "Hunt & Crossley (1975), J. Appl. Mech. 42; closest points by Newton's method, derived in the catalogue",
    exerts: Exerts::Force,
    build: Build::Curves(curve_contact),
    ..BLANK
};

/// A curve at a parameter: p, p′, p″.
type CurvePoint<'e> = [Vec2<Expr<'e>>; 3];

/// A curve of a contact, with its frame.
#[derive(Clone, Copy)]
struct ContactCurve<'g, 'e> {
    g: &'g Geometry<'e>,
    contour: &'g Contour,
    /// Its frame in the first end's axes; `None` of the first end.
    frame: Option<Frame<'e>>,
}

/// The frame of the last end in that of the first.
#[derive(Clone, Copy)]
struct Frame<'e> {
    origin: Vec2<Expr<'e>>,
    /// Cosine and sine of the angle of its x axis.
    axis: [Expr<'e>; 2],
}

impl<'e> Frame<'e> {
    /// Components in these axes of a vector in the first end's axes.
    fn in_these_axes(self, v: Vec2<Expr<'e>>) -> Vec2<Expr<'e>> {
        let [cos, sin] = self.axis;
        v.rotated([cos, -sin])
    }
}

/// Samples of a curve over its range.
struct Samples<'e> {
    /// Parameters, with the curve at each in its own axes.
    points: Vec<(Expr<'e>, CurvePoint<'e>)>,
    /// Mean of the points, in the first end's axes.
    mean: Vec2<Expr<'e>>,
    /// ℓ².
    square: Expr<'e>,
    /// Length of the range over the number of samples.
    part: f64,
}

fn curve_contact<'e>(g: &Geometry<'e>, ends: [&Contour; 2], law: &Arguments<'e>) -> Action<Expr<'e>> {
    let [first, last] = ends.map(|contour| contour.marker);
    let r = g.displacement(first, last);
    let [origin, axis] = [r, g.axes(last)[0]].map(|v| g.from_world(first, v));
    let frame = Frame { origin: Vector([origin[0], origin[1]]), axis: [axis[0], axis[1]] };
    let frames = [None, Some(frame)];
    let curves = [0, 1].map(|i: usize| ContactCurve { g, contour: ends[i], frame: frames[i] });
    let samples = curves.map(|curve| curve.samples());
    // If the mean of the second is not in its body, or is far from most of its points, the mean of the first is near the contact.
    let first_is_smaller = || {
        let extents = ends[0].extent.zip(ends[1].extent);
        extents.is_some_and(|(a, b)| a.square < if b.is_hollow { b.square } else { b.square / LARGE })
    };
    let (one, other) = match (&samples[0], &samples[1]) {
        (None, _) => (0, 1),
        (_, None) => (1, 0),
        _ if first_is_smaller() => (1, 0),
        _ => (0, 1),
    };
    let other_samples = samples[other].as_ref().expect("resolve checked that one has a range");
    let seed = curves[one].nearest_parameter(samples[one].as_ref(), other_samples.mean);
    let seeds = [seed, curves[one].opposite_parameter(seed, other_samples, &curves[other])];
    let size = other_samples.square.sqrt();
    let mut s = if one == 0 { seeds } else { [seeds[1], seeds[0]] };
    let points_at = |s: [Expr<'e>; 2]| [curves[0].in_first_axes(s[0]), curves[1].in_first_axes(s[1])];
    let mut points = points_at(s);
    for _ in 0..STEPS {
        let step = newton_step(&points);
        s = [0, 1].map(|i: usize| {
            let most = if i == other {
                Expr::from(PARTS * other_samples.part)
            } else {
                let most = size / length(points[i][1]);
                samples[i].as_ref().map_or(most, |samples| most.min(FAR * samples.part))
            };
            s[i] - step[i].clamped(most)
        });
        points = points_at(s);
    }
    let [first_point, last_point] = points.map(|[p, ..]| p);
    let n = {
        let [tx, ty] = points[1][1].0;
        Vector([-ty, tx]) / length(points[1][1])
    };
    let depth = (first_point - last_point).dot(n);
    let to_world = |v: Vec2<Expr<'e>>| g.to_world(first, Vector([v[0], v[1], 0.0.into()]));
    let normal = to_world(n);
    let arms = contact_arms(g, last, r, to_world(last_point) - r);
    let mut action = contact_force(g, [first, last], &ContactGeometry { depth, normal, arms }, law);
    let residual = residual(&points);
    action.fields.push(("residual", residual, false));
    // (4)
    let missed = (residual - MISSED * size).min(depth + size);
    // Both conditions in metres.
    let inside = (-(relative_curvature(&points) * other_samples.square)).min(depth);
    action.lost = Some(missed.max(inside));
    action
}

/// The length |v|.
fn length<'e>(v: Vec2<Expr<'e>>) -> Expr<'e> {
    v.square().sqrt()
}

/// κ₂ − σ κ₁ of (4), positive if the curves lie on opposite sides of their tangent.
fn relative_curvature<'e>(points: &[CurvePoint<'e>; 2]) -> Expr<'e> {
    let [first, second] = points.map(|[_, u, du]| u.cross(du) / (u.square() * length(u)));
    let sign = points[0][1].dot(points[1][1]).signum();
    second - sign * first
}

impl<'e> ContactCurve<'_, 'e> {
    /// The curve at a parameter, in its own axes.
    fn in_own_axes(&self, s: Expr<'e>) -> CurvePoint<'e> {
        let Contour { curve, leaf, .. } = *self.contour;
        let [x, y] = curve.map(|c| self.g.writer.derivatives_at(self.g.scene.functions, c, leaf, s));
        [0, 1, 2].map(|k: usize| Vector([x[k], y[k]]))
    }

    /// The curve at a parameter, in the first end's axes.
    fn in_first_axes(&self, s: Expr<'e>) -> CurvePoint<'e> {
        let point = self.in_own_axes(s);
        let Some(Frame { origin, axis }) = self.frame else { return point };
        let [p, u, du] = point.map(|v| v.rotated(axis));
        [origin + p, u, du]
    }

    /// A point of the first end's axes in those of the curve.
    fn in_curve_axes(&self, p: Vec2<Expr<'e>>) -> Vec2<Expr<'e>> {
        self.frame.map_or(p, |frame| frame.in_these_axes(p - frame.origin))
    }

    /// Samples at the middles of [`SAMPLES`] equal parts of its range; `None` without a range.
    fn samples(&self) -> Option<Samples<'e>> {
        let Some(CurveRange::Between([from, to])) = self.contour.range else { return None };
        let part = (to - from) / SAMPLES as f64;
        let middles = (0..SAMPLES).map(|k| Expr::from(from + part * (k as f64 + 0.5)));
        let points: Vec<(Expr<'e>, CurvePoint<'e>)> = middles.map(|s| (s, self.in_own_axes(s))).collect();
        let (zero, count) = (Expr::from(0.0), Expr::from(SAMPLES as f64));
        let mean = points.iter().fold(Vector([zero; 2]), |sum, (_, point)| sum + point[0]) / count;
        let square = points.iter().fold(zero, |sum, (_, point)| sum + (point[0] - mean).square()) / count;
        let mean = self.frame.map_or(mean, |Frame { origin, axis }| origin + mean.rotated(axis));
        Some(Samples { points, mean, square, part })
    }

    /// The parameter of the curve's point nearest to a point of the first end's axes, by (2).
    fn nearest_parameter(&self, samples: Option<&Samples<'e>>, point: Vec2<Expr<'e>>) -> Expr<'e> {
        let p = self.in_curve_axes(point);
        let [start, tangent, second] = self.in_own_axes(0.0.into());
        if second.0.iter().all(|x| x.is_zero()) {
            return (p - start).dot(tangent) / tangent.square();
        }
        let mut s = match samples {
            None => p[0],
            Some(samples) => parameter_of_least(&samples.points, |point| (point[0] - p).square()),
        };
        for _ in 0..FEET {
            let [point, tangent, second] = self.in_own_axes(s);
            let v = point - p;
            let square = tangent.square();
            let step = v.dot(tangent) / (square + v.dot(second)).max(KEPT * square);
            s = s - samples.map_or(step, |samples| step.clamped(samples.part.into()));
        }
        s
    }

    /// The parameter of the other curve's sample by (3), near the point of this curve at s and nearly parallel to it.
    fn opposite_parameter(&self, s: Expr<'e>, samples: &Samples<'e>, other: &ContactCurve<'_, 'e>) -> Expr<'e> {
        let [point, u, _] = self.in_first_axes(s);
        let p = other.in_curve_axes(point);
        let u = other.frame.map_or(u, |frame| frame.in_these_axes(u));
        let weight = samples.square / u.square();
        parameter_of_least(&samples.points, |[q, tangent, _]| {
            let across = u.cross(*tangent);
            (*q - p).square() + weight * (across * across / tangent.square())
        })
    }
}

/// The parameter of the first sample with the least value.
fn parameter_of_least<'e>(
    points: &[(Expr<'e>, CurvePoint<'e>)],
    value: impl Fn(&CurvePoint<'e>) -> Expr<'e>,
) -> Expr<'e> {
    let mut all = points.iter().map(|(s, point)| (*s, value(point)));
    let first = all.next().expect("there are samples");
    all.fold(first, |(best, least), (s, value)| (value.if_less(least, s, best), least.min(value))).0
}

/// A step of Newton's method of (1) in both parameters. With u = p₁′ and w = p₂′ the equations are (u × w)/(|u| |w|) = 0 and e·u/|u| = 0, with
/// the derivatives
///
/// ```text
/// u′ × w − (u × w) u·u′/|u|²          u × w′ − (u × w) w·w′/|w|²
/// |u|² + e·u′ − (e·u) u·u′/|u|²       −w·u
/// ```
///
/// over the same lengths.
fn newton_step<'e>(&[[p, u, du], [q, w, dw]]: &[CurvePoint<'e>; 2]) -> [Expr<'e>; 2] {
    let e = p - q;
    let (cross, gap) = (u.cross(w), e.dot(u));
    let [growth_u, growth_w] = [(u, du), (w, dw)].map(|(u, du)| u.dot(du) / u.square());
    let a = du.cross(w) - cross * growth_u;
    let b = u.cross(dw) - cross * growth_w;
    let c = u.square() + e.dot(du) - gap * growth_u;
    let d = -w.dot(u);
    let determinant = a * d - b * c;
    // Parallel lines are in contact everywhere: numerators are zero, and the denominator becomes one.
    let determinant = determinant.if_equal(0.0, 1.0, determinant);
    [(cross * d - b * gap) / determinant, (a * gap - cross * c) / determinant]
}

/// The distance by which another step would move the points \[m\].
fn residual<'e>(points: &[CurvePoint<'e>; 2]) -> Expr<'e> {
    let step = newton_step(points);
    let [x, y] = [0, 1].map(|i: usize| (length(points[i][1]) * step[i]).abs());
    x + y
}
