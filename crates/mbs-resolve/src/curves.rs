//! Curves in the plane: `curve lobe(s) on cam = [a * cos(s), b * sin(s)];`, fixed on a body or marker and given as functions of a parameter.
//!
//! With c(s) in the axes of the body or marker on which the curve is fixed, and a prime for d/ds:
//!
//! ```text
//! tangent t = c′/|c′|        normal n = t rotated by +90°       curvature κ = (c′ × c″)/|c′|³
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
use crate::tables::CurvePoint;
use crate::value::{Axes, Value};
use crate::{Declared, Reported, Res, Scope, did_you_mean};

/// Forms of the language, with the number of their arguments.
const FORMS: &[(&str, usize)] = &[("circle", 1), ("ellipse", 2), ("involute", 1), ("line", 1), ("polynomial", 1)];
/// Quantities of a curve that can be evaluated at a parameter.
const FIELDS: &[&str] = &["point", "tangent", "normal", "curvature"];

/// A generic parameter, at which no part of an expression folds to zero.
pub(crate) const ANYWHERE: f64 = 0.617;

/// Fraction of a period at which a curve is away from its ends.
const INSIDE: f64 = 0.382;

/// Whether the ends a and b of a curve coincide, relative to the distance of an intermediate point.
pub(crate) fn ends_meet(a: [f64; 2], b: [f64; 2], over: [f64; 2]) -> bool {
    let distance = |p: [f64; 2]| (p[0] - a[0]).hypot(p[1] - a[1]);
    distance(b) <= 1e-9 * distance(over).max(a[0].hypot(a[1]))
}

impl<'a> CurveResolver<'_, 'a> {
    /// Checks every curve, also those that nothing uses.
    pub(crate) fn check_curves(&mut self) {
        for slot in 0..self.resolver.names.slots.len() {
            if self.resolver.names.slots[slot].category == crate::Category::Curve {
                let scope = self.resolver.names.slots[slot].scope.clone();
                let _: Res<()> = self.in_scope(&scope, |r| r.check_closed(slot));
            }
        }
    }

    /// Checks that the ends of a curve declared as closed coincide, at default parameters.
    fn check_closed(&mut self, slot: usize) -> Res<()> {
        let zero = self.resolver.exprs.constant(0.0);
        let start = self.trace_curve(slot, zero)?;
        let (scope, name) =
            (self.resolver.names.slots[slot].scope.clone(), self.resolver.names.slots[slot].name.clone());
        let Declared::Item(d) = self.resolver.names.slots[slot].declared else { return Err(Reported) };
        let Some(Argument { value, .. }) = d.arguments.iter().find(|a| a.name.text == "closed") else { return Ok(()) };
        let period = self.resolver.evaluate_number(value, &scope, "`closed`")?;
        let end = self.trace_curve(slot, period)?;
        let inside = self.resolver.exprs.write(|w| w.id(INSIDE * w.expr(period)));
        let inside = self.trace_curve(slot, inside)?;
        let numbers = |r: &Self, traced: &CurvePoint| {
            let [x, y] = traced.derivatives[0].map(|x| r.resolver.at_defaults(x));
            Some([x?, y?])
        };
        let [Some(a), Some(b), Some(c)] = [&start, &end, &inside].map(|traced| numbers(self, traced)) else {
            return Ok(());
        };
        if !ends_meet(a, b, c) {
            let gap = (b[0] - a[0]).hypot(b[1] - a[1]);
            return self.fail(value.origin, mistakes::curves::curve_not_closed(&name, crate::text::text(value), gap));
        }
        Ok(())
    }

    /// c, c′ and c″ of a curve at a parameter.
    pub(crate) fn trace_curve(&mut self, slot: usize, parameter: ExprId) -> Res<CurvePoint> {
        if matches!(self.resolver.names.slots[slot].state, crate::State::Bad) {
            return Err(Reported);
        }
        let found = self.trace_uncached(slot, parameter);
        if found.is_err() {
            self.resolver.names.slots[slot].state = crate::State::Bad;
        }
        found
    }

    fn trace_uncached(&mut self, slot: usize, parameter: ExprId) -> Res<CurvePoint> {
        let (marker, leaf, [x, y]) = self.curve_of_leaf(slot)?;
        let [x, y] =
            [x, y].map(|c| self.resolver.exprs.derivatives_at(&self.resolver.functions.called, c, leaf, parameter));
        let derivatives = [0, 1, 2].map(|k| [x[k], y[k]]);
        let tangent = match Self::form_of_curve(&self.resolver.names.slots[slot].declared) {
            Some("line") => derivatives[1],
            Some("circle") => self.resolver.exprs.write(|w| {
                let (sin, cos) = w.expr(parameter).sin_cos();
                [-sin, cos].map(|x| w.id(x))
            }),
            _ => {
                let zero = self.resolver.exprs.constant(0.0);
                plane(self.body_resolver().unit_vector([x[1], y[1], zero]))
            }
        };
        Ok(CurvePoint { marker, derivatives, tangent })
    }

    /// The form of a curve, if it is one of [`FORMS`].
    fn form_of_curve(declared: &Declared<'a>) -> Option<&'a str> {
        let Declared::Item(d) = declared else { return None };
        match &d.value {
            Some(Expr { kind: ExprKind::Call(form, _), .. }) if d.curve.as_ref()?.parameter.is_none() => {
                Some(form.text.as_str())
            }
            _ => None,
        }
    }

    /// A curve as a function of a leaf, with the range of parameters in which a contact is searched; lines and polynomials have no limits.
    pub(crate) fn contour(&mut self, slot: usize, origin: Origin) -> Res<Contour> {
        let (marker, leaf, curve) = self.curve_of_leaf(slot)?;
        let endless =
            matches!(Self::form_of_curve(&self.resolver.names.slots[slot].declared), Some("line" | "polynomial"));
        let range = if endless { None } else { self.range_of_curve(slot)? };
        if range.is_none() && !endless {
            return self.fail(origin, mistakes::curves::curve_without_range(&self.resolver.names.slots[slot].name));
        }
        let extent = self.size_of_curve(curve, leaf, range);
        Ok(Contour { marker, curve, leaf, range, extent })
    }

    /// Mean square distance of a curve from its centroid \[m²\], and whether it is hollow; `None` without a range from one number to another.
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

    /// Marker on which a curve is fixed, a leaf as its parameter, and x and y as functions of the leaf.
    fn curve_of_leaf(&mut self, slot: usize) -> Res<(MarkerId, ExprId, [ExprId; 2])> {
        let (scope, name) =
            (self.resolver.names.slots[slot].scope.clone(), self.resolver.names.slots[slot].name.clone());
        let Declared::Item(d) = self.resolver.names.slots[slot].declared else { return Err(Reported) };
        let (Some(CurveHead { parameter, on }), Some(value)) = (&d.curve, &d.value) else {
            return self.fail(d.name.ident.origin, mistakes::curves::curve_without_value(&name));
        };
        if !self.resolver.is_planar() {
            return self.fail_unsupported(d.category.origin, "curve");
        }
        self.curve_arguments(&name, &d.arguments, &scope)?;
        let on_value = self.resolver.eval(on, &scope)?;
        let marker = self.vectors().as_marker(&on_value, on.origin)?;
        // No other expression uses this leaf; derivatives replace it by a parameter.
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

    /// Reads `closed: period` or `range: [from, to]`.
    fn curve_arguments(&mut self, name: &str, given: &'a [Argument], scope: &Scope) -> Res<Option<CurveRange>> {
        let found = self.argument_resolver().arguments(&format!("curve `{name}`"), given, &["closed", "range"]).found;
        match found[..] {
            [Some(Argument { value, .. }), None] => {
                let period = self.resolver.evaluate_number(value, scope, "`closed`")?;
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
        let subject = format!("the range of curve `{name}`");
        let help = || Some("write `range: [0, 1]`".to_owned());
        let found = self.resolver.eval(value, scope)?;
        let Value::Vector(ends, _) = &found else {
            return self.fail(
                value.origin,
                mistakes::curves::range_not_two_numbers(&subject, found.describe()).help_if(help()),
            );
        };
        let [from, to] = ends[..] else {
            return self
                .fail(value.origin, mistakes::curves::range_not_a_pair(&subject, found.describe()).help_if(help()));
        };
        let mut ends = [0.0; 2];
        for (end, x) in ends.iter_mut().zip([from, to]) {
            self.argument_resolver().parametric(x, value.origin, &subject)?;
            let Some(x) = self.argument_resolver().finite_at_defaults(x, value.origin, &subject)? else {
                return self.fail(value.origin, mistakes::curves::range_of_unknown_function(&subject));
            };
            *end = x;
        }
        if ends[0] >= ends[1] {
            return self.fail(value.origin, mistakes::curves::empty_range(&subject));
        }
        Ok(CurveRange::Between(ends))
    }

    /// Parameters of a curve at which assembly searches for contact; `None` where the declaration gives none.
    pub(crate) fn range_of_curve(&mut self, slot: usize) -> Res<Option<CurveRange>> {
        let (scope, name) =
            (self.resolver.names.slots[slot].scope.clone(), self.resolver.names.slots[slot].name.clone());
        let Declared::Item(d) = self.resolver.names.slots[slot].declared else { return Err(Reported) };
        let stated = self.curve_arguments(&name, &d.arguments, &scope)?;
        let range_of_form = match Self::form_of_curve(&self.resolver.names.slots[slot].declared) {
            Some("circle" | "ellipse") => Some(CurveRange::Between([0.0, TAU])),
            Some("involute") => Some(CurveRange::Between([0.0, PI])),
            Some("line" | "polynomial") => Some(CurveRange::Size),
            _ => None,
        };
        Ok(stated.or(range_of_form))
    }

    /// x and y of a curve that is given as a vector of its parameter.
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
        let (v, axes) = self.resolver.evaluate_vector(value, &inside, "a curve")?;
        let range_of_form = self.resolver.marker_axes(marker);
        self.vectors().expect_axes(axes, range_of_form, value.origin, "a curve")?;
        Ok([v[0], v[1]])
    }

    /// x and y of `circle(r)`, `ellipse(a, b)`, `involute(r)`, `line(direction)`, `polynomial([c₀, c₁, …])`.
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
                let (v, _) = self.resolver.evaluate_vector(&given[0], scope, "the direction of a line")?;
                self.body_resolver().check_axis(v, given[0].origin)?;
                let v = self.body_resolver().unit_vector(v);
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
                    given.iter().map(|e| self.positive_number(e, &format!("a radius of `{word}`"), scope)).collect();
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

    fn positive_number(&mut self, e: &Expr, subject: &str, scope: &Scope) -> Res<ExprId> {
        let x = self.resolver.evaluate_number(e, scope, subject)?;
        self.argument_resolver().parametric(x, e.origin, subject)?;
        self.argument_resolver().in_domain(x, Domain::Positive, e.origin, subject)?;
        Ok(x)
    }

    /// Checks that a curve is fixed on its body: it depends on constants, parameters and its curve parameter only.
    fn made_of_parameter(&mut self, x: ExprId, leaf: ExprId, origin: Origin, name: &str) -> Res<()> {
        let parameter = self.resolver.exprs.constant(ANYWHERE);
        let [there, ..] = self.resolver.exprs.derivatives_at(&self.resolver.functions.called, x, leaf, parameter);
        let m = self.resolver.exprs.mentions(there);
        if m.order.is_some() || m.input || m.auxiliary || m.time {
            return self.fail(origin, mistakes::curves::curve_depends_on_more(name));
        }
        Ok(())
    }

    /// Resolves `lobe.point(s)`, `lobe.tangent(s)`, `lobe.normal(s)` and `lobe.curvature(s)`; `None` where the first argument is no curve.
    pub(crate) fn curve_quantity(&mut self, field: &Ident, arguments: &[Expr], scope: &Scope) -> Res<Option<Value>> {
        let Some((first, rest)) = arguments.split_first() else { return Ok(None) };
        let Some(slot) = self.curve_slot(first, scope)? else { return Ok(None) };
        if !FIELDS.contains(&field.text.as_str()) {
            let help = did_you_mean(&field.text, FIELDS.iter().copied())
                .or_else(|| Some(format!("it has `.{}(s)`", FIELDS.join("(s)`, `."))));
            return self.fail(field.origin, mistakes::curves::curve_without_field(&field.text).help_if(help));
        }
        let [parameter] = rest else {
            return self.fail(field.origin, mistakes::curves::wrong_arguments_of_curve_field(&field.text, rest.len()));
        };
        let parameter = self.resolver.evaluate_number(parameter, scope, "the parameter of a curve")?;
        let traced = self.trace_curve(slot, parameter)?;
        Ok(Some(match field.text.as_str() {
            "curvature" => Value::Number(self.curvature(&traced)),
            "point" => {
                let point = self.curve_point(&traced);
                self.resolver.vector_value(point, Axes::World)
            }
            name => {
                let [x, y, zero] = self.curve_tangent(&traced);
                let [x, y] = if name == "tangent" { [x, y] } else { self.rotated_left([x, y]) };
                self.resolver.vector_value([x, y, zero], Axes::World)
            }
        }))
    }

    /// The slot of the curve that an expression names; `None` for other expressions.
    pub(crate) fn curve_slot(&mut self, e: &Expr, scope: &Scope) -> Res<Option<usize>> {
        if !self.resolver.names.slots.iter().any(|slot| slot.category == crate::Category::Curve) {
            return Ok(None);
        }
        let Some(path) = self.resolver.full_path(e, scope)? else { return Ok(None) };
        let slot = self.resolver.names.full.get(&path).copied();
        Ok(slot.filter(|slot| self.resolver.names.slots[*slot].category == crate::Category::Curve))
    }

    /// World position of a point of a curve; z = 0.
    pub(crate) fn curve_point(&mut self, traced: &CurvePoint) -> [ExprId; 3] {
        let (m, [x, y]) = (traced.marker, traced.derivatives[0]);
        self.vectors().write(|g| {
            let [px, py] = [0, 1].map(|c| g.writer.op(Op::Position(m, c)));
            let point = Vector([px, py, 0.0.into()]) + g.to_world(m, Vector([g.expr(x), g.expr(y), 0.0.into()]));
            g.ids(point)
        })
    }

    /// World components of the unit tangent; z = 0.
    pub(crate) fn curve_tangent(&mut self, traced: &CurvePoint) -> [ExprId; 3] {
        self.vectors().world_in_plane(traced.marker, traced.tangent)
    }

    pub(crate) fn rotated_left(&mut self, [x, y]: [ExprId; 2]) -> [ExprId; 2] {
        [self.resolver.exprs.write(|w| w.id(-w.expr(y))), x]
    }

    /// Curvature κ \[1/m\], positive where the curve turns to the left.
    pub(crate) fn curvature(&mut self, traced: &CurvePoint) -> ExprId {
        self.resolver.exprs.write(|w| {
            let [_, u, du] = traced.derivatives.map(|v| w.vector(v));
            let square = u.square();
            w.id(u.cross(du) / (square * square.sqrt()))
        })
    }
}
