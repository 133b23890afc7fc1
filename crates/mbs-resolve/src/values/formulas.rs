//! Functions made from data. `constant`, `linear`, `polynomial`, `sinusoid` and lift laws, `step` among them, are replaced by expressions of their
//! data where they are called; `spline` and `bicubic` are fitted once, here.

use std::rc::Rc;
use std::sync::Arc;

use mbs_definition::{Expr, ExprKind, FunctionBody, Ident, Made};
use mbs_expr::{CalledKind, ExprId, FunctionId, MOST_RESULTS, Scalar, Spline};

use crate::mistakes;
use crate::names::Declaring;
use crate::resolvers::{FunctionResolver, Resolves};
use crate::tables::Formula;
use crate::value::{Axes, Value};
use crate::values::lifts::{Law, horner};
use crate::values::splines::Points;
use crate::{Declared, Reported, Res, Scope, State, did_you_mean};

/// Kinds of functions made from data, with the arguments in their parentheses.
pub(crate) const KINDS: &[(&str, &str)] = &[
    ("bicubic", "([x0, x1], [y0, y1], [[z00, z01], [z10, z11]])"),
    ("constant", "(value)"),
    ("cycloidal", "([x0, x1], [y0, y1])"),
    ("harmonic", "([x0, x1], [y0, y1])"),
    ("linear", "([a, b], c)"),
    ("polynomial", "([c0, c1, c2])"),
    ("polynomial_345", "([x0, x1], [y0, y1])"),
    ("polynomial_4567", "([x0, x1], [y0, y1])"),
    ("sinusoid", "(amplitude, angular_frequency, phase)"),
    ("spline", "([x0, x1, x2], [y0, y1, y2])"),
    ("step", "([x0, x1], [y0, y1])"),
];

/// Kinds of functions supplied at run time.
pub(crate) const SUPPLIED: &[&str] = &["opaque", "CubicSpline"];

/// Declaration of a function that is supplied at run time: `force: CubicSpline<16>`.
struct SuppliedForm<'e> {
    shape: &'e [Expr],
    kind: &'e Ident,
    arguments: &'e [Expr],
    default: Option<&'e Made>,
}

impl<'a> FunctionResolver<'_, 'a> {
    /// Returns the form of a declared function that is not inlined; reports its mistakes once.
    pub(crate) fn formula(&mut self, slot: usize) -> Res<Rc<Formula>> {
        if let Some(formula) = self.resolver.functions.formulas.get(&slot) {
            return Ok(formula.clone());
        }
        let Declared::Function(f) = self.resolver.names.slots[slot].declared else { return Err(Reported) };
        match self.resolver.names.slots[slot].state {
            State::Bad => return Err(Reported),
            State::Busy => return self.fail(f.name.origin, mistakes::values::refers_to_itself(&f.name.text)),
            _ => self.resolver.names.slots[slot].state = State::Busy,
        }
        let (id, scope) =
            (FunctionId(self.resolver.names.slots[slot].index as u32), self.resolver.names.slots[slot].scope.clone());
        let formula = self.in_scope(&scope, |r| match &f.body {
            FunctionBody::Inlined { .. } => Err(Reported),
            FunctionBody::Made(made) => r.formula_from_data(&f.name, made, id, &scope),
            FunctionBody::Supplied { shape, kind, arguments, default, .. } => {
                let form = SuppliedForm { shape, kind, arguments, default: default.as_ref() };
                r.supplied(&f.name, id, &form, &scope).map(|()| Formula::Called(id))
            }
        });
        match formula {
            Ok(formula) => {
                self.resolver.names.slots[slot].state = State::Waiting;
                let formula = Rc::new(formula);
                self.resolver.functions.formulas.insert(slot, formula.clone());
                Ok(formula)
            }
            Err(Reported) => {
                self.resolver.names.slots[slot].state = State::Bad;
                Err(Reported)
            }
        }
    }

    /// Number of arguments.
    pub(crate) fn formula_arity(&mut self, slot: usize) -> Res<usize> {
        Ok(match &*self.formula(slot)? {
            Formula::Linear(factors, _) => factors.len(),
            Formula::Called(id) => self.resolver.functions.called[id.index()].arguments,
            Formula::Constant(_) | Formula::Polynomial(_) | Formula::Sinusoid(_) | Formula::Lift(..) => 1,
        })
    }

    /// The value of the function at `x`.
    pub(crate) fn call_formula(&mut self, slot: usize, x: &[ExprId]) -> Res<Value> {
        let formula = self.formula(slot)?;
        Ok(Value::Number(match &*formula {
            Formula::Constant(value) => return Ok(value.clone()),
            Formula::Linear(factors, constant) => {
                self.resolver.exprs.write(|w| w.id(w.dot(factors, x) + w.expr(*constant)))
            }
            Formula::Polynomial(coefficients) => self.polynomial(coefficients, x[0]),
            Formula::Sinusoid(numbers) => self.resolver.exprs.write(|w| {
                let [amplitude, frequency, phase] = numbers.map(|x| w.expr(x));
                w.id(amplitude * (frequency * w.expr(x[0]) + phase).sin())
            }),
            Formula::Lift(law, from, to) => self.lift(*law, *from, *to, x[0]),
            Formula::Called(id) => return Ok(self.called_value(*id, x)),
        }))
    }

    fn called_value(&mut self, id: FunctionId, x: &[ExprId]) -> Value {
        let function = &self.resolver.functions.called[id.index()];
        let exprs = &mut self.resolver.exprs;
        let mut value = |k: usize| exprs.called(id, function, k as u8, x);
        match function.shape {
            None => Value::Number(value(0)),
            Some(n) => Value::Vector((0..n).map(value).collect(), Axes::Unstated),
        }
    }

    /// The expression c₀ + c₁ x + c₂ x² + ….
    pub(crate) fn polynomial(&mut self, coefficients: &[ExprId], x: ExprId) -> ExprId {
        self.resolver.exprs.write(|w| w.id(horner(coefficients.iter().map(|c| w.expr(*c)), w.expr(x))))
    }

    fn formula_from_data(&mut self, name: &Ident, made: &Made, id: FunctionId, scope: &Scope) -> Res<Formula> {
        let ExprKind::Call(kind, data) = &made.value.kind else { return Err(Reported) };
        let Some((_, form)) = KINDS.iter().find(|(k, _)| *k == kind.text) else { return Err(Reported) };
        if kind.text == "spline" {
            let spline = self.fit_spline(name, kind, data, &made.arguments, scope)?;
            self.resolver.functions.called[id.index()].set_data(spline);
            return Ok(Formula::Called(id));
        }
        if kind.text == "bicubic" {
            let spline = self.fit_grid(name, kind, data, &made.arguments, scope)?;
            self.resolver.functions.called[id.index()].kind = CalledKind::Grid(Arc::new(spline));
            return Ok(Formula::Called(id));
        }
        self.argument_resolver().arguments(&format!("function `{}`", name.text), &made.arguments, &[]);
        let expected = if matches!(kind.text.as_str(), "constant" | "polynomial") { 1 } else { 2 };
        let expected = if kind.text == "sinusoid" { 3 } else { expected };
        if data.len() != expected {
            return self.wrong_data(kind, form);
        }
        let values: Vec<_> = data.iter().map(|e| self.datum(name, e, scope)).collect();
        let values = values.into_iter().collect::<Res<Vec<Value>>>()?;
        let formula = match (kind.text.as_str(), &values[..]) {
            ("constant", [value]) => Some(Formula::Constant(value.clone())),
            ("linear", [Value::Vector(a, _), Value::Number(c)]) => Some(Formula::Linear(a.clone(), *c)),
            ("polynomial", [Value::Vector(c, _)]) => Some(Formula::Polynomial(c.clone())),
            ("sinusoid", [Value::Number(a), Value::Number(w), Value::Number(p)]) => {
                Some(Formula::Sinusoid([*a, *w, *p]))
            }
            (kind, [Value::Vector(x, _), Value::Vector(y, _)]) => match (Law::from_kind(kind), &x[..], &y[..]) {
                (Some(law), [x0, x1], [y0, y1]) => Some(Formula::Lift(law, [*x0, *x1], [*y0, *y1])),
                _ => None,
            },
            _ => None,
        };
        let Some(formula) = formula else { return self.wrong_data(kind, form) };
        if let Formula::Lift(_, [x0, x1], _) = &formula
            && self.resolver.at_defaults(*x0).is_some_and(|x| Some(x) == self.resolver.at_defaults(*x1))
        {
            return self.fail(data[0].origin, mistakes::functions::law_without_width(&kind.text, &name.text));
        }
        Ok(formula)
    }

    fn wrong_data<V>(&mut self, kind: &Ident, form: &str) -> Res<V> {
        self.fail(kind.origin, mistakes::functions::made_of_something_else(&kind.text, form))
    }

    /// Evaluates a number, vector or matrix of constants and parameters.
    pub(crate) fn datum(&mut self, name: &Ident, e: &Expr, scope: &Scope) -> Res<Value> {
        let value = self.resolver.eval(e, scope)?;
        let Some(components) = value.components() else {
            return self.fail(e.origin, mistakes::functions::function_not_of_numbers(&name.text, value.describe()));
        };
        for x in components {
            self.argument_resolver().parametric(*x, e.origin, &format!("function `{}`", name.text))?;
        }
        Ok(value)
    }

    /// Resolves a function that is supplied at run time: its size and its default.
    fn supplied(&mut self, name: &Ident, id: FunctionId, form: &SuppliedForm<'_>, scope: &Scope) -> Res<()> {
        let SuppliedForm { shape, kind, .. } = *form;
        if kind.text == "CubicSpline" {
            let spline = self.settable(name, form, scope)?;
            self.resolver.functions.called[id.index()].set_default(spline);
            return Ok(());
        }
        let size = match shape {
            [] => None,
            [size] => Some((self.resolver.evaluate_integer(size, scope, "a size")?, size.origin)),
            [_, extra, ..] => {
                return self.fail(extra.origin, mistakes::functions::function_of_a_table());
            }
        };
        let function = &mut self.resolver.functions.called[id.index()];
        if let Some((n, origin)) = size {
            let per_result = function.results_of_value();
            function.shape = Some(usize::try_from(n).unwrap_or(0));
            if n < 1 || n > (MOST_RESULTS / per_result) as i64 {
                return self.fail(origin, mistakes::functions::vector_too_long(&name.text, n, MOST_RESULTS));
            }
        }
        Ok(())
    }

    /// Resolves `CubicSpline<N>` or `CubicSpline<N, M>`, and its default.
    fn settable(&mut self, name: &Ident, form: &SuppliedForm<'_>, scope: &Scope) -> Res<Spline> {
        let SuppliedForm { shape, kind, arguments, default } = *form;
        let help = || Some(format!("write `function {}: CubicSpline<16>;`", name.text));
        if let Some(size) = shape.first() {
            return self.fail(size.origin, mistakes::functions::spline_with_size(&name.text));
        }
        let (points, values) = match arguments {
            [points] => (points, None),
            [points, values] => (points, Some(values)),
            _ => {
                return self
                    .fail(kind.origin, mistakes::functions::settable_without_points(&name.text).help_if(help()));
            }
        };
        let n = self.resolver.evaluate_integer(points, scope, "a number of points")?;
        let m = values.map(|m| self.resolver.evaluate_integer(m, scope, "a number of values")).transpose()?;
        let most = Points::MOST / 2;
        if n < 2 || n > most as i64 {
            return self.fail(points.origin, mistakes::functions::spline_through_points(n, most));
        }
        let values_of = |m: i64| (1..=Points::MOST_VALUES as i64).contains(&m);
        if let (Some(m), Some(e)) = (m, values)
            && !(values_of(m) && n * (m + 1) <= Points::MOST as i64)
        {
            let most = (Points::MOST as i64 / n - 1).min(Points::MOST_VALUES as i64);
            return self.fail(e.origin, mistakes::functions::spline_with_values(m, n, most));
        }
        let (n, several) = (n as usize, m.map(|m| m as usize));
        let Some(made) = default else { return Ok(Spline::zero(n, several)) };
        let ExprKind::Call(given, data) = &made.value.kind else {
            if made.value.kind == ExprKind::Broken {
                self.resolver.mistakes.broken = true;
                return Err(Reported);
            }
            return self.fail(made.value.origin, mistakes::functions::default_is_no_spline(&name.text));
        };
        if given.text != "spline" {
            return self.fail(given.origin, mistakes::functions::default_is_another_kind(&name.text, &given.text));
        }
        let spline = self.fit_spline(name, given, data, &made.arguments, scope)?;
        if spline.knots.len() != n || spline.several != several.is_some() || spline.values != several.unwrap_or(1) {
            return self.fail(
                given.origin,
                mistakes::functions::default_of_another_size(
                    &name.text,
                    n,
                    counted(several),
                    spline.knots.len(),
                    counted(spline.several.then_some(spline.values)),
                ),
            );
        }
        Ok(spline)
    }
}

impl<'a> Declaring<'_, 'a> {
    /// Reports `function name = …` whose kind does not exist.
    pub(crate) fn refuse_made(&mut self, name: &Ident, value: &Expr) -> Res<()> {
        let name = &name.text;
        let kinds = || KINDS.iter().map(|(kind, _)| *kind);
        match &value.kind {
            ExprKind::Broken => {
                self.resolver.mistakes.broken = true;
                Err(Reported)
            }
            ExprKind::Call(kind, _) if kinds().any(|k| k == kind.text) => Ok(()),
            ExprKind::Call(kind, _) if did_you_mean(&kind.text, kinds()).is_some() => {
                let help = did_you_mean(&kind.text, kinds());
                self.fail(kind.origin, mistakes::functions::unknown_kind_of_function(&kind.text).help_if(help))
            }
            _ => self.fail(value.origin, mistakes::functions::function_without_parameters(name)),
        }
    }
}

fn counted(several: Option<usize>) -> String {
    several.map_or("one value".to_owned(), |m| format!("a vector of {m}"))
}
