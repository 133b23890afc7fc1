//! Curves of the plane: `curve lobe(s) on cam = [a * cos(s), b * sin(s)];`, fixed on a body or marker and traced by a parameter.
//!
//! With c(s) in the axes of the body or marker that it is fixed on, and a prime for d/ds:
//!
//! ```text
//! tangent t = c′/|c′|        normal n = t turned by +90°        curvature κ = (c′ × c″)/|c′|³
//! ```

pub(crate) mod cams;
pub(crate) mod contacts;
pub(crate) mod outlines;

use std::f64::consts::{PI, TAU};

use mbs_definition::{Argument, CurveHead, Expr, ExprKind, Ident, Origin};
use mbs_expr::{ExprId, MarkerId, Op, Scalar};
use mbs_math::Vector;
use mbs_model::catalog::{Contour, Extent, SAMPLES};
use mbs_model::{CurveRange, Domain, plane};

use crate::mistakes;
use crate::resolvers::{CurveResolver, Resolves};
use crate::scope::Bound;
use crate::tables::Traced;
use crate::value::{Axes, Value};
use crate::{Declared, Reported, Res, Scope, did_you_mean};

/// Forms of the language, with the number of their arguments.
const FORMS: &[(&str, usize)] = &[("circle", 1), ("ellipse", 2), ("involute", 1), ("line", 1), ("polynomial", 1)];
/// Quantities of a curve that can be evaluated at a parameter.
const FIELDS: &[&str] = &["point", "tangent", "normal", "curvature"];

/// A parameter where nothing of an expression folds away.
pub(crate) const ANYWHERE: f64 = 0.617;

/// Part of a period inside which a curve is somewhere else than at its ends.
const INSIDE: f64 = 0.382;

/// Whether a curve from a to b over some point ends where it begins.
pub(crate) fn meets(a: [f64; 2], b: [f64; 2], over: [f64; 2]) -> bool {
    let apart = |p: [f64; 2]| (p[0] - a[0]).hypot(p[1] - a[1]);
    apart(b) <= 1e-9 * apart(over).max(a[0].hypot(a[1]))
}

impl<'a> CurveResolver<'_, 'a> {
    /// Checks every curve, also those that nothing uses.
    pub(crate) fn check_curves(&mut self) {
        for slot in 0..self.resolver.names.slots.len() {
            if self.resolver.names.slots[slot].category == crate::Category::Curve {
                let scope = self.resolver.names.slots[slot].scope.clone();
                let _: Res<()> = self.within(&scope, |r| r.check_closed(slot));
            }
        }
    }

    /// Checks that a curve declared as closed ends where it begins, at default parameters.
    fn check_closed(&mut self, slot: usize) -> Res<()> {
        let zero = self.resolver.exprs.constant(0.0);
        let start = self.traced(slot, zero)?;
        let (scope, name) =
            (self.resolver.names.slots[slot].scope.clone(), self.resolver.names.slots[slot].name.clone());
        let Declared::Item(d) = self.resolver.names.slots[slot].declared else { return Err(Reported) };
        let Some(Argument { value, .. }) = d.arguments.iter().find(|a| a.name.text == "closed") else { return Ok(()) };
        let period = self.resolver.number(value, &scope, "`closed`")?;
        let end = self.traced(slot, period)?;
        let inside = self.resolver.exprs.write(|w| w.id(INSIDE * w.expr(period)));
        let inside = self.traced(slot, inside)?;
        let numbers = |r: &Self, traced: &Traced| {
            let [x, y] = traced.derivatives[0].map(|x| r.resolver.at_defaults(x));
            Some([x?, y?])
        };
        let [Some(a), Some(b), Some(c)] = [&start, &end, &inside].map(|traced| numbers(self, traced)) else {
            return Ok(());
        };
        if !meets(a, b, c) {
            let gap = (b[0] - a[0]).hypot(b[1] - a[1]);
            return self.fail(value.origin, mistakes::curves::curve_not_closed(&name, crate::text::text(value), gap));
        }
        Ok(())
    }

    /// c, c′ and c″ of a curve at a parameter.
    pub(crate) fn traced(&mut self, slot: usize, at: ExprId) -> Res<Traced> {
        if matches!(self.resolver.names.slots[slot].state, crate::State::Bad) {
            return Err(Reported);
        }
        let found = self.traced_now(slot, at);
        if found.is_err() {
            self.resolver.names.slots[slot].state = crate::State::Bad;
        }
        found
    }

    fn traced_now(&mut self, slot: usize, at: ExprId) -> Res<Traced> {
        let (marker, leaf, [x, y]) = self.over_leaf(slot)?;
        let [x, y] = [x, y].map(|c| self.resolver.exprs.derivatives_at(&self.resolver.functions.called, c, leaf, at));
        let derivatives = [0, 1, 2].map(|k| [x[k], y[k]]);
        let tangent = match Self::form_of_curve(&self.resolver.names.slots[slot].declared) {
            Some("line") => derivatives[1],
            Some("circle") => self.resolver.exprs.write(|w| {
                let (sin, cos) = w.expr(at).sin_cos();
                [-sin, cos].map(|x| w.id(x))
            }),
            _ => {
                let zero = self.resolver.exprs.constant(0.0);
                plane(self.body_resolver().unit([x[1], y[1], zero]))
            }
        };
        Ok(Traced { marker, derivatives, tangent })
    }

    /// The word of a curve that is one of [`FORMS`].
    fn form_of_curve(declared: &Declared<'a>) -> Option<&'a str> {
        let Declared::Item(d) = declared else { return None };
        match &d.value {
            Some(Expr { kind: ExprKind::Call(form, _), .. }) if d.curve.as_ref()?.parameter.is_none() => {
                Some(form.text.as_str())
            }
            _ => None,
        }
    }

    /// A curve as a function of a leaf, with the range that a contact searches: all of a line or polynomial, the range of others.
    pub(crate) fn contour(&mut self, slot: usize, origin: Origin) -> Res<Contour> {
        let (marker, leaf, curve) = self.over_leaf(slot)?;
        let endless =
            matches!(Self::form_of_curve(&self.resolver.names.slots[slot].declared), Some("line" | "polynomial"));
        let range = if endless { None } else { self.range_of_curve(slot)? };
        if range.is_none() && !endless {
            return self.fail(origin, mistakes::curves::curve_without_range(&self.resolver.names.slots[slot].name));
        }
        let extent = self.size_of_curve(curve, leaf, range);
        Ok(Contour { marker, curve, leaf, range, extent })
    }

    /// Mean square distance of a curve from its centroid, and whether it is hollow; `None` without a range from one number to another.
    fn size_of_curve(&mut self, curve: [ExprId; 2], leaf: ExprId, range: Option<CurveRange>) -> Option<Extent> {
        let Some(CurveRange::Between([from, to])) = range else { return None };
        let count = SAMPLES as f64;
        let mut points = Vec::new();
        for k in 0..SAMPLES {
            let s = self.resolver.exprs.constant(from + (to - from) * (k as f64 + 0.5) / count);
            let [x, y] =
                curve.map(|c| self.resolver.exprs.derivatives_at(&self.resolver.functions.called, c, leaf, s)[0]);
            points.push([self.resolver.at_defaults(x)?, self.resolver.at_defaults(y)?]);
        }
        let mean = [0, 1].map(|c: usize| points.iter().map(|p| p[c]).sum::<f64>() / count);
        let square = points.iter().map(|p| (p[0] - mean[0]).powi(2) + (p[1] - mean[1]).powi(2)).sum::<f64>() / count;
        let next = points.iter().cycle().skip(1);
        let twice: f64 = points.iter().zip(next).map(|(p, q)| p[0] * q[1] - p[1] * q[0]).sum();
        Some(Extent { square, is_hollow: twice < 0.0 })
    }

    /// Marker that a curve is fixed on, a leaf as its parameter, and x and y as functions of that.
    fn over_leaf(&mut self, slot: usize) -> Res<(MarkerId, ExprId, [ExprId; 2])> {
        let (scope, name) =
            (self.resolver.names.slots[slot].scope.clone(), self.resolver.names.slots[slot].name.clone());
        let Declared::Item(d) = self.resolver.names.slots[slot].declared else { return Err(Reported) };
        let (Some(CurveHead { parameter, on }), Some(value)) = (&d.curve, &d.value) else {
            return self.fail(d.name.ident.origin, mistakes::curves::curve_without_value(&name));
        };
        if !self.resolver.planar() {
            return self.later(d.category.origin, "curve");
        }
        self.curve_arguments(&name, &d.arguments, &scope)?;
        let on_value = self.resolver.eval(on, &scope)?;
        let marker = self.vectors().as_marker(&on_value, on.origin)?;
        // Nobody else uses this leaf: it is gone when the derivatives are taken.
        let leaf = self.resolver.exprs.placeholder(0);
        let [x, y] = match parameter {
            Some(parameter) => self.written_curve(parameter, value, marker, leaf, &scope)?,
            None => self.formed_curve(value, leaf, &scope)?,
        };
        for c in [x, y] {
            self.made_of_parameter(c, leaf, value.origin, &name)?;
        }
        Ok((marker, leaf, [x, y]))
    }

    /// `closed: period` or `range: [from, to]`.
    fn curve_arguments(&mut self, name: &str, given: &'a [Argument], scope: &Scope) -> Res<Option<CurveRange>> {
        let found = self.argument_resolver().arguments(&format!("curve `{name}`"), given, &["closed", "range"]).found;
        match found[..] {
            [Some(Argument { value, .. }), None] => {
                let period = self.resolver.number(value, scope, "`closed`")?;
                self.argument_resolver().parametric(period, value.origin, "`closed`")?;
                self.argument_resolver().in_domain(period, Domain::Positive, value.origin, "`closed`")?;
                Ok(self.resolver.at_defaults(period).map(|period| CurveRange::Between([0.0, period])))
            }
            [None, Some(Argument { value, .. })] => self.range_given(name, value, scope).map(Some),
            [Some(_), Some(Argument { name: range, .. })] => {
                self.fail(range.origin, mistakes::curves::range_of_closed_curve(name))
            }
            _ => Ok(None),
        }
    }

    fn range_given(&mut self, name: &str, value: &Expr, scope: &Scope) -> Res<CurveRange> {
        let what = format!("the range of curve `{name}`");
        let help = || Some("write `range: [0, 1]`".to_owned());
        let found = self.resolver.eval(value, scope)?;
        let Value::Vector(ends, _) = &found else {
            return self
                .fail(value.origin, mistakes::curves::range_not_two_numbers(&what, found.describe()).help_if(help()));
        };
        let [from, to] = ends[..] else {
            return self
                .fail(value.origin, mistakes::curves::range_not_a_pair(&what, found.describe()).help_if(help()));
        };
        let mut ends = [0.0; 2];
        for (end, x) in ends.iter_mut().zip([from, to]) {
            self.argument_resolver().parametric(x, value.origin, &what)?;
            let Some(x) = self.argument_resolver().finite_at_defaults(x, value.origin, &what)? else {
                return self.fail(value.origin, mistakes::curves::range_of_unknown_function(&what));
            };
            *end = x;
        }
        if ends[0] >= ends[1] {
            return self.fail(value.origin, mistakes::curves::empty_range(&what));
        }
        Ok(CurveRange::Between(ends))
    }

    /// Parameters of a curve at which assembly searches for contact; `None` where the declaration gives none.
    pub(crate) fn range_of_curve(&mut self, slot: usize) -> Res<Option<CurveRange>> {
        let (scope, name) =
            (self.resolver.names.slots[slot].scope.clone(), self.resolver.names.slots[slot].name.clone());
        let Declared::Item(d) = self.resolver.names.slots[slot].declared else { return Err(Reported) };
        let stated = self.curve_arguments(&name, &d.arguments, &scope)?;
        let own = match Self::form_of_curve(&self.resolver.names.slots[slot].declared) {
            Some("circle" | "ellipse") => Some(CurveRange::Between([0.0, TAU])),
            Some("involute") => Some(CurveRange::Between([0.0, PI])),
            Some("line" | "polynomial") => Some(CurveRange::Size),
            _ => None,
        };
        Ok(stated.or(own))
    }

    /// The value over its parameter.
    fn written_curve(
        &mut self,
        parameter: &Ident,
        value: &Expr,
        marker: MarkerId,
        leaf: ExprId,
        scope: &Scope,
    ) -> Res<[ExprId; 2]> {
        self.resolver.check_plain_name(&parameter.text, parameter.origin)?;
        let inside = scope.bind(&parameter.text, Bound::Argument(Value::Number(leaf)));
        let (v, axes) = self.resolver.vector(value, &inside, "a curve")?;
        let own = self.resolver.marker_axes(marker);
        self.vectors().expect_axes(axes, own, value.origin, "a curve")?;
        Ok([v[0], v[1]])
    }

    /// `circle(r)`, `ellipse(a, b)`, `involute(r)`, `line(direction)`, `polynomial([c₀, c₁, …])`.
    fn formed_curve(&mut self, value: &Expr, s: ExprId, scope: &Scope) -> Res<[ExprId; 2]> {
        let ExprKind::Call(form, given) = &value.kind else {
            return self.fail(value.origin, mistakes::curves::curve_without_parameter());
        };
        let Some((word, count)) = FORMS.iter().find(|(word, _)| *word == form.text) else {
            let known = FORMS.iter().map(|(word, _)| *word);
            let help = did_you_mean(&form.text, known)
                .or_else(|| Some("write `curve name(s) on body = …;` for a curve of your own".into()));
            return self.fail(form.origin, mistakes::curves::unknown_curve_form(&form.text).help_if(help));
        };
        if given.len() != *count {
            return self.fail(form.origin, mistakes::curves::wrong_arguments_of_curve_form(word, count, given.len()));
        }
        match *word {
            "line" => {
                let (v, _) = self.resolver.vector(&given[0], scope, "the direction of a line")?;
                self.body_resolver().check_axis(v, given[0].origin)?;
                let v = self.body_resolver().unit(v);
                Ok(self.resolver.exprs.write(|w| [v[0], v[1]].map(|v| w.id(w.expr(v) * w.expr(s)))))
            }
            "polynomial" => {
                let found = self.resolver.eval(&given[0], scope)?;
                let Value::Vector(coefficients, _) = found else {
                    return self.fail(given[0].origin, mistakes::curves::not_a_list_of_coefficients(found.describe()));
                };
                Ok([s, self.function_resolver().polynomial(&coefficients, s)])
            }
            _ => {
                let numbers: Vec<Res<ExprId>> =
                    given.iter().map(|e| self.positive(e, &format!("a radius of `{word}`"), scope)).collect();
                let numbers: Vec<ExprId> = numbers.into_iter().collect::<Res<_>>()?;
                Ok(self.resolver.exprs.write(|w| {
                    let [a, b, s] = [numbers[0], numbers[numbers.len() - 1], s].map(|x| w.expr(x));
                    let (sin, cos) = s.sin_cos();
                    let point = match *word {
                        "involute" => [a * (cos + s * sin), a * (sin - s * cos)],
                        _ => [a * cos, b * sin],
                    };
                    point.map(|x| w.id(x))
                }))
            }
        }
    }

    fn positive(&mut self, e: &Expr, what: &str, scope: &Scope) -> Res<ExprId> {
        let x = self.resolver.number(e, scope, what)?;
        self.argument_resolver().parametric(x, e.origin, what)?;
        self.argument_resolver().in_domain(x, Domain::Positive, e.origin, what)?;
        Ok(x)
    }

    /// A curve is fixed on its body: constants, parameters and its own parameter.
    fn made_of_parameter(&mut self, x: ExprId, leaf: ExprId, origin: Origin, name: &str) -> Res<()> {
        let place = self.resolver.exprs.constant(ANYWHERE);
        let [there, ..] = self.resolver.exprs.derivatives_at(&self.resolver.functions.called, x, leaf, place);
        let m = self.resolver.exprs.mentions(there);
        if m.order.is_some() || m.input || m.auxiliary || m.time {
            return self.fail(origin, mistakes::curves::curve_depends_on_more(name));
        }
        Ok(())
    }

    /// `lobe.point(s)`, `lobe.tangent(s)`, `lobe.normal(s)`, `lobe.curvature(s)`, where the first argument is the name of a curve.
    pub(crate) fn of_curve(&mut self, field: &Ident, arguments: &[Expr], scope: &Scope) -> Res<Option<Value>> {
        let Some((first, rest)) = arguments.split_first() else { return Ok(None) };
        let Some(slot) = self.curve_behind(first, scope)? else { return Ok(None) };
        if !FIELDS.contains(&field.text.as_str()) {
            let help = did_you_mean(&field.text, FIELDS.iter().copied())
                .or_else(|| Some(format!("it has `.{}(s)`", FIELDS.join("(s)`, `."))));
            return self.fail(field.origin, mistakes::curves::curve_without_field(&field.text).help_if(help));
        }
        let [at] = rest else {
            return self.fail(field.origin, mistakes::curves::wrong_arguments_of_curve_field(&field.text, rest.len()));
        };
        let at = self.resolver.number(at, scope, "the parameter of a curve")?;
        let traced = self.traced(slot, at)?;
        Ok(Some(match field.text.as_str() {
            "curvature" => Value::Number(self.curvature(&traced)),
            "point" => {
                let point = self.curve_point(&traced);
                self.resolver.vector_value(point, Axes::World)
            }
            name => {
                let [x, y, zero] = self.curve_tangent(&traced);
                let [x, y] = if name == "tangent" { [x, y] } else { self.turned_left([x, y]) };
                self.resolver.vector_value([x, y, zero], Axes::World)
            }
        }))
    }

    /// The slot of a curve that an expression names.
    pub(crate) fn curve_behind(&mut self, e: &Expr, scope: &Scope) -> Res<Option<usize>> {
        if !self.resolver.names.slots.iter().any(|slot| slot.category == crate::Category::Curve) {
            return Ok(None);
        }
        let Some(path) = self.resolver.path(e, scope)? else { return Ok(None) };
        let slot = self.resolver.names.full.get(&path).copied();
        Ok(slot.filter(|slot| self.resolver.names.slots[*slot].category == crate::Category::Curve))
    }

    /// World position of the point.
    pub(crate) fn curve_point(&mut self, traced: &Traced) -> [ExprId; 3] {
        let (m, [x, y]) = (traced.marker, traced.derivatives[0]);
        self.vectors().write(|g| {
            let [px, py] = [0, 1].map(|c| g.writer.op(Op::Position(m, c)));
            let point = Vector([px, py, 0.0.into()]) + g.to_world(m, Vector([g.expr(x), g.expr(y), 0.0.into()]));
            g.ids(point)
        })
    }

    /// World components of the unit tangent.
    pub(crate) fn curve_tangent(&mut self, traced: &Traced) -> [ExprId; 3] {
        self.vectors().world_in_plane(traced.marker, traced.tangent)
    }

    pub(crate) fn turned_left(&mut self, [x, y]: [ExprId; 2]) -> [ExprId; 2] {
        [self.resolver.exprs.write(|w| w.id(-w.expr(y))), x]
    }

    /// κ.
    pub(crate) fn curvature(&mut self, traced: &Traced) -> ExprId {
        self.resolver.exprs.write(|w| {
            let [_, u, du] = traced.derivatives.map(|v| w.vector(v));
            let square = u.square();
            w.id(u.cross(du) / (square * square.sqrt()))
        })
    }
}
