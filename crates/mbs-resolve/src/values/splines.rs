//! `spline([x…], [y…]) { ends, beyond, smoothing }` and `bicubic([x…], [y…], [[z…], …]) { ends, beyond }`: points, and the fit.

use mbs_definition::{Argument, Expr, ExprKind, Ident, MOST_NUMBERS, Origin};
use mbs_expr::{Fit, GridSpline, MOST_RESULTS, Spline};
use mbs_math::{Beyond, Ends, GridError, SplineError};

use crate::mistakes;
use crate::resolvers::{FunctionResolver, Resolves};
use crate::text::plural;
use crate::value::Value;
use crate::{Res, Scope, did_you_mean};

/// Largest jump of s, s′ or s″ at a knot, relative to their terms: elimination leaves some 10⁻¹⁵, and a fit that lost half its digits has failed.
const LARGEST_JUMP: f64 = 1e-8;

const ENDS: &[&str] = &["natural", "clamped", "periodic", "not_a_knot"];

/// Domain of a spline.
#[derive(Clone, Copy)]
enum SplineDomain {
    Line,
    Grid,
}

/// Points of a spline, with their positions in the source.
pub(crate) struct Points<'e> {
    kind: &'e Ident,
    x: Vec<f64>,
    values: Vec<Vec<f64>>,
    /// Whether the values are written as a list of lists.
    several: bool,
    /// Whether there is a list for each point, with all its values, instead of a list for each value.
    by_point: bool,
    /// The expressions of x and of the values.
    data: [&'e Expr; 2],
}

impl Points<'_> {
    /// Largest number of data.
    pub const MOST: usize = MOST_NUMBERS;
    /// Largest number of values.
    pub const MOST_VALUES: usize = MOST_RESULTS / mbs_expr::SPLINE_RESULTS;

    /// Position in the source of x of a point (`None`), or of one of its values.
    fn origin(&self, value: Option<usize>, point: usize) -> Origin {
        fn item(e: &Expr, i: usize) -> &Expr {
            match &e.kind {
                ExprKind::Vector(items) => items.get(i).unwrap_or(e),
                _ => e,
            }
        }
        let [x, values] = self.data;
        match value {
            None => item(x, point).origin,
            Some(k) if self.by_point => item(item(values, point), k).origin,
            Some(k) if self.several => item(item(values, k), point).origin,
            Some(_) => item(values, point).origin,
        }
    }
}

impl<'a> FunctionResolver<'_, 'a> {
    /// Fits the spline of a declaration.
    pub(crate) fn fit_spline(
        &mut self,
        name: &Ident,
        kind: &Ident,
        data: &[Expr],
        arguments: &[Argument],
        scope: &Scope,
    ) -> Res<Spline> {
        let points = self.points(name, kind, data, scope)?;
        let fit = self.fit_options(name, arguments, scope)?;
        let mut spline = self.fit_points(name, &points, fit)?;
        spline.several = points.several;
        Ok(spline)
    }

    fn fit_points(&mut self, name: &Ident, points: &Points<'_>, fit: Fit) -> Res<Spline> {
        let spline = match Spline::fit(&points.x, &points.values, fit) {
            Ok(spline) => spline,
            Err((k, error)) => return self.refuse_points(name, points, fit, k, error),
        };
        if spline.largest_jump() > LARGEST_JUMP {
            return self.fail(points.kind.origin, mistakes::functions::fit_not_continuous(&name.text));
        }
        Ok(spline)
    }

    /// Fits the spline over a grid of a declaration. Each line of the grid is fitted separately first, so that its mistakes are reported like those
    /// of other splines.
    pub(crate) fn fit_grid(
        &mut self,
        name: &Ident,
        kind: &Ident,
        data: &[Expr],
        arguments: &[Argument],
        scope: &Scope,
    ) -> Res<GridSpline> {
        let [x, y, z] = data else {
            return self.fail(kind.origin, mistakes::functions::grid_takes_three_lists(&kind.text, data.len()));
        };
        let lists = [x, y, z].map(|e| self.constants(name, SplineDomain::Grid, e, scope));
        let fits = self.grid_options(name, arguments, scope);
        let [xs, ys, zs] = lists;
        let ((x_value, xs), (y_value, ys), (z_value, zs)) = (xs?, ys?, zs?);
        for (e, value) in [(x, &x_value), (y, &y_value)] {
            let Value::Vector(..) = value else {
                return self.fail(e.origin, mistakes::functions::grid_not_over_lists(&name.text, value.describe()));
            };
        }
        let Value::Matrix(_, columns) = z_value else {
            return self.fail(z.origin, mistakes::functions::grid_not_through_lists(&name.text, z_value.describe()));
        };
        let rows: Vec<Vec<f64>> = zs.chunks(columns).map(<[f64]>::to_vec).collect();
        if rows.len() != xs.len() {
            return self.fail(z.origin, mistakes::functions::grid_lists_differ(&name.text, xs.len(), rows.len()));
        }
        if 3 * zs.len() > Points::MOST {
            return self.fail(kind.origin, mistakes::functions::grid_too_large(&name.text, Points::MOST / 3));
        }
        let fits = fits?;
        let along_y =
            Points { kind, x: ys.clone(), values: rows.clone(), several: true, by_point: false, data: [y, z] };
        self.fit_points(name, &along_y, fits[1])?;
        let columns = (0..columns).map(|j| rows.iter().map(|row| row[j]).collect()).collect();
        let along_x = Points { kind, x: xs.clone(), values: columns, several: true, by_point: true, data: [x, z] };
        self.fit_points(name, &along_x, fits[0])?;
        let beyond = fits.map(|fit| fit.beyond.unwrap_or(fit.ends.beyond()));
        match GridSpline::fit([xs, ys], &rows, fits.map(|fit| fit.ends), beyond) {
            Ok(spline) => Ok(spline),
            Err(GridError { axis, line, error }) => {
                let (points, fit) = if axis == 0 { (&along_x, fits[0]) } else { (&along_y, fits[1]) };
                self.refuse_points(name, points, fit, line, error)
            }
        }
    }

    /// End conditions and extrapolation (`ends`, `beyond`) in x and in y.
    fn grid_options(&mut self, name: &Ident, arguments: &[Argument], scope: &Scope) -> Res<[Fit; 2]> {
        let given =
            self.argument_resolver().arguments(&format!("spline `{}`", name.text), arguments, &["ends", "beyond"]);
        let [ends, beyond] = given.found[..] else { unreachable!("two arguments are known") };
        let of_ends = ends
            .map_or(Ok([Ends::Natural; 2]), |a| self.read_for_x_and_y(name, a, |r, e| r.spline_ends(name, e, scope)))?;
        let extrapolations =
            beyond.map_or(Ok([None; 2]), |a| self.read_for_x_and_y(name, a, |r, e| r.extrapolation(e).map(Some)))?;
        if let (Some(a), [Ends::Periodic, Ends::Periodic]) = (beyond, of_ends) {
            return self.refuse_beyond(a);
        }
        Ok([0, 1].map(|i| Fit { ends: of_ends[i], beyond: extrapolations[i], smoothing: 0.0 }))
    }

    /// Reads an option for x and y: one for both, `ends: natural`, or one for each, `ends: [periodic, natural]`.
    fn read_for_x_and_y<T: Copy>(
        &mut self,
        name: &Ident,
        argument: &Argument,
        mut read: impl FnMut(&mut Self, &Expr) -> Res<T>,
    ) -> Res<[T; 2]> {
        let ExprKind::Vector(items) = &argument.value.kind else {
            let value = read(self, &argument.value)?;
            return Ok([value; 2]);
        };
        let [x, y] = &items[..] else {
            let word = &argument.name.text;
            return self.fail(
                argument.value.origin,
                mistakes::functions::wrong_items_along_axes(word, &name.text, items.len(), plural(items.len())),
            );
        };
        Ok([read(self, x)?, read(self, y)?])
    }

    fn refuse_beyond<V>(&mut self, beyond: &Argument) -> Res<V> {
        self.fail(beyond.name.origin, mistakes::functions::periodic_without_ends())
    }

    fn points<'e>(&mut self, name: &Ident, kind: &'e Ident, data: &'e [Expr], scope: &Scope) -> Res<Points<'e>> {
        let [x, y] = data else {
            return self.fail(kind.origin, mistakes::functions::spline_takes_two_lists(&kind.text, data.len()));
        };
        let (x, y) =
            (self.constants(name, SplineDomain::Line, x, scope), self.constants(name, SplineDomain::Line, y, scope));
        let ((x_value, x), (y_value, y)) = (x?, y?);
        let wrong = |value: &Value| mistakes::functions::spline_through_no_list(&name.text, value.describe());
        let Value::Vector(..) = x_value else {
            return self.fail(data[0].origin, wrong(&x_value));
        };
        let (values, several) = match &y_value {
            Value::Vector(..) => (vec![y], false),
            Value::Matrix(_, columns) => (y.chunks(*columns).map(<[f64]>::to_vec).collect(), true),
            other => return self.fail(data[1].origin, wrong(other)),
        };
        let points = Points { kind, x, values, several, by_point: false, data: [&data[0], &data[1]] };
        if points.values.len() > Points::MOST_VALUES || points.x.len() * (points.values.len() + 1) > Points::MOST {
            return self.fail(
                kind.origin,
                mistakes::functions::spline_too_large(&name.text, Points::MOST, Points::MOST_VALUES),
            );
        }
        Ok(points)
    }

    /// Evaluates a value of constants; returns it with its numbers.
    fn constants(&mut self, name: &Ident, over: SplineDomain, e: &Expr, scope: &Scope) -> Res<(Value, Vec<f64>)> {
        let value = self.resolver.eval(e, scope)?;
        let Some(components) = value.components() else {
            return self.fail(e.origin, mistakes::functions::spline_not_through_numbers(&name.text, value.describe()));
        };
        let numbers: Option<Vec<f64>> = components.iter().map(|x| self.resolver.exprs.value(*x)).collect();
        match numbers {
            Some(numbers) => Ok((value, numbers)),
            None => {
                let settable = match over {
                    SplineDomain::Line => format!("`function {}: CubicSpline<n>;`", name.text),
                    SplineDomain::Grid => format!("`function {}(x, y): opaque(3, Type);`", name.text),
                };
                self.fail(e.origin, mistakes::functions::spline_not_constant(&name.text, &settable))
            }
        }
    }

    fn fit_options(&mut self, name: &Ident, arguments: &[Argument], scope: &Scope) -> Res<Fit> {
        let owner = format!("spline `{}`", name.text);
        let given = self.argument_resolver().arguments(&owner, arguments, &["ends", "beyond", "smoothing"]);
        let [ends, beyond, smoothing] = given.found[..] else { unreachable!("three arguments are known") };
        let fit = Fit {
            ends: ends.map_or(Ok(Ends::Natural), |a| self.spline_ends(name, &a.value, scope))?,
            beyond: beyond.map(|a| self.extrapolation(&a.value)).transpose()?,
            smoothing: smoothing.map_or(Ok(0.0), |a| self.smoothing(name, &a.value, scope))?,
        };
        if let (Some(a), true) = (smoothing, fit.smoothing > 0.0 && fit.ends != Ends::Natural) {
            return self.fail(a.name.origin, mistakes::functions::smoothing_of_other_ends());
        }
        if let (Some(a), Ends::Periodic) = (beyond, fit.ends) {
            return self.refuse_beyond(a);
        }
        Ok(fit)
    }

    fn spline_ends(&mut self, name: &Ident, e: &Expr, scope: &Scope) -> Res<Ends> {
        let word = match &e.kind {
            ExprKind::Name(word) => word.as_str(),
            ExprKind::Call(word, ends) if word.text == "clamped" => {
                let [first, last] = &ends[..] else {
                    return self.fail(word.origin, mistakes::functions::clamped_takes_derivatives());
                };
                let derivatives = [self.constant_number(name, first, scope), self.constant_number(name, last, scope)];
                return Ok(Ends::Clamped([derivatives[0]?, derivatives[1]?]));
            }
            ExprKind::Broken => {
                self.resolver.mistakes.broken = true;
                return Err(crate::Reported);
            }
            _ => "",
        };
        match word {
            "natural" => Ok(Ends::Natural),
            "periodic" => Ok(Ends::Periodic),
            "not_a_knot" => Ok(Ends::NotAKnot),
            "clamped" => self.fail(e.origin, mistakes::functions::clamped_needs_derivatives()),
            _ => {
                let help = did_you_mean(word, ENDS.iter().copied())
                    .or_else(|| Some("write `natural`, `clamped(first, last)`, `periodic` or `not_a_knot`".into()));
                self.fail(e.origin, mistakes::functions::no_such_ends().help_if(help))
            }
        }
    }

    fn extrapolation(&mut self, e: &Expr) -> Res<Beyond> {
        match &e.kind {
            ExprKind::Name(word) if word == "linear" => Ok(Beyond::Linear),
            ExprKind::Name(word) if word == "cubic" => Ok(Beyond::Cubic),
            _ => self.fail(e.origin, mistakes::functions::no_such_extrapolation()),
        }
    }

    fn smoothing(&mut self, name: &Ident, e: &Expr, scope: &Scope) -> Res<f64> {
        let p = self.constant_number(name, e, scope)?;
        if p >= 0.0 && p.is_finite() {
            return Ok(p);
        }
        self.fail(e.origin, mistakes::functions::negative_smoothing(&name.text, p))
    }

    fn constant_number(&mut self, name: &Ident, e: &Expr, scope: &Scope) -> Res<f64> {
        match self.constants(name, SplineDomain::Line, e, scope)? {
            (Value::Number(_), numbers) => Ok(numbers[0]),
            (other, _) => self.fail(e.origin, mistakes::functions::number_expected(other.describe())),
        }
    }

    fn refuse_points<V>(
        &mut self,
        name: &Ident,
        points: &Points<'_>,
        fit: Fit,
        k: usize,
        error: SplineError,
    ) -> Res<V> {
        let spline = format!("spline `{}`", name.text);
        let (origin, mistake) = match error {
            SplineError::TooFewPoints { needed, found } => {
                (points.data[0].origin, mistakes::functions::too_few_points(&spline, found, needed))
            }
            SplineError::Lengths { points: n, values } => {
                (points.origin(Some(k), usize::MAX), mistakes::functions::unequal_lengths(&spline, n, values))
            }
            SplineError::NotIncreasing { point } => {
                let [before, x] = [points.x[point - 1], points.x[point]];
                (points.origin(None, point), mistakes::functions::points_not_increasing(&spline, before, x))
            }
            SplineError::NotFinite { point } if points.x[point].is_finite() => {
                (points.origin(Some(k), point), mistakes::functions::through_not_finite(&spline, "value"))
            }
            SplineError::NotFinite { point } => {
                (points.origin(None, point), mistakes::functions::through_not_finite(&spline, "point"))
            }
            SplineError::NotPeriodic => {
                let y = &points.values[k];
                let [first, last] = [y[0], y[y.len() - 1]];
                (points.origin(Some(k), y.len() - 1), mistakes::functions::not_periodic(&spline, first, last))
            }
            _ => {
                let smoothing = if fit.smoothing > 0.0 { ", or `smoothing` is too large" } else { "" };
                (points.kind.origin, mistakes::functions::fit_not_finite(&spline, smoothing))
            }
        };
        self.fail(origin, mistake)
    }
}
