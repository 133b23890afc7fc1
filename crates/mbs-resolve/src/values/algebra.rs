//! Arithmetic, comparison and choice on typed values.

use mbs_definition::{BinaryOp, Origin};
use mbs_expr::{Comparison, ExprId, Exprs, Function, Function2};

use crate::mistakes;
use crate::resolvers::{Resolves, VectorResolver};
use crate::value::{Axes, Value};
use crate::{Res, Resolver};

impl<'a> VectorResolver<'_, 'a> {
    /// The value of `a op b`.
    pub(crate) fn binary(&mut self, op: BinaryOp, a: Value, b: Value, origin: Origin) -> Res<Value> {
        let value = match op {
            BinaryOp::Add => self.sum(Function2::Add, &a, &b, origin),
            BinaryOp::Sub => self.sum(Function2::Sub, &a, &b, origin),
            BinaryOp::Mul => self.product(a, b, origin),
            BinaryOp::Div => self.quotient(&a, &b, origin),
            BinaryOp::And | BinaryOp::Or => {
                let (a, b) = (self.resolver.as_truth(a, origin), self.resolver.as_truth(b, origin));
                let (a, b) = (a?, b?);
                let [no, yes] = [0.0, 1.0].map(|x| self.resolver.exprs.constant(x));
                let is_and = op == BinaryOp::And;
                Ok(Value::Truth(if is_and {
                    self.resolver.exprs.choose(a, b, no)
                } else {
                    self.resolver.exprs.choose(a, yes, b)
                }))
            }
            _ => self.comparison(op, &a, &b, origin),
        }?;
        let infinite = |x: &ExprId| self.resolver.exprs.value(*x).is_some_and(|x| !x.is_finite());
        if value.components().is_some_and(|components| components.iter().any(infinite)) {
            return self.fail(origin, mistakes::values::result_not_finite());
        }
        Ok(value)
    }

    fn comparison(&mut self, op: BinaryOp, a: &Value, b: &Value, origin: Origin) -> Res<Value> {
        let (Value::Number(a), Value::Number(b)) = (a, b) else {
            return self.fail(origin, mistakes::values::not_comparable(a.describe(), b.describe()));
        };
        let (test, left, right) = match op {
            BinaryOp::Less => (Comparison::Less, a, b),
            BinaryOp::LessEqual => (Comparison::LessEqual, a, b),
            BinaryOp::Greater => (Comparison::Less, b, a),
            BinaryOp::GreaterEqual => (Comparison::LessEqual, b, a),
            _ => (Comparison::Equal, a, b),
        };
        let [no, yes] = [0.0, 1.0].map(|x| self.resolver.exprs.constant(x));
        let [then, otherwise] = if op == BinaryOp::NotEqual { [no, yes] } else { [yes, no] };
        Ok(Value::Truth(self.resolver.exprs.select(test, *left, *right, then, otherwise)))
    }

    /// a + b or a − b, of values with equal shapes and axes.
    pub(crate) fn sum(&mut self, f: Function2, a: &Value, b: &Value, origin: Origin) -> Res<Value> {
        let word = if f == Function2::Add { ["add", "to"] } else { ["subtract", "from"] };
        let (Some(x), Some(y)) = (a.components(), b.components()) else {
            return self.refuse_operation(word, a, b, origin, None);
        };
        if a.shape() != b.shape() {
            return self.refuse_operation(word, a, b, origin, None);
        }
        let components = x.iter().zip(y).map(|(x, y)| self.resolver.exprs.binary(f, *x, *y)).collect();
        match (a, b) {
            (Value::Vector(_, p), Value::Vector(_, q)) => {
                Ok(Value::Vector(components, self.common_axes(*p, *q, origin)?))
            }
            _ => Ok(a.with_components(components)),
        }
    }

    fn refuse_operation<V>(
        &mut self,
        [verb, preposition]: [&str; 2],
        a: &Value,
        b: &Value,
        origin: Origin,
        help: Option<String>,
    ) -> Res<V> {
        let code = mistakes::code_of_shape(a.components().is_some() && b.components().is_some());
        let (x, y) = if verb == "add" || verb == "subtract" { (b, a) } else { (a, b) };
        self.fail(
            origin,
            mistakes::values::no_such_operation(code, verb, x.describe(), preposition, y.describe()).help_if(help),
        )
    }

    fn product(&mut self, a: Value, b: Value, origin: Origin) -> Res<Value> {
        if let Value::Rotation(r, axes) = a
            && let Some(product) = self.rotation_product(r, axes, &b, origin)?
        {
            return Ok(product);
        }
        let tables =
            matches!((&a, &b), (Value::Rotation(..), Value::Matrix(..)) | (Value::Matrix(..), Value::Rotation(..)));
        let (a, b) = if tables { (a.into_matrix(), b.into_matrix()) } else { (a, b) };
        match (&a, &b) {
            (Value::Number(s), other) | (other, Value::Number(s)) if other.components().is_some() => {
                let components = other.components().expect("just checked").iter();
                Ok(other
                    .with_components(components.map(|x| self.resolver.exprs.binary(Function2::Mul, *s, *x)).collect()))
            }
            (Value::Matrix(m, columns), Value::Vector(v, axes)) if v.len() == *columns => {
                let rows = self.resolver.exprs.write(|w| m.chunks(*columns).map(|row| w.id(w.dot(row, v))).collect());
                Ok(Value::Vector(rows, *axes))
            }
            (Value::Matrix(m, columns), Value::Matrix(n, width)) if n.len() == columns * width => {
                Ok(Value::Matrix(matrix_product(&mut self.resolver.exprs, m, n, *columns, *width), *width))
            }
            (Value::Vector(..), Value::Vector(..)) => {
                let help = Some("write `dot(a, b)` or `cross(a, b)`".into());
                self.refuse_operation(["multiply", "by"], &a, &b, origin, help)
            }
            _ => self.refuse_operation(["multiply", "by"], &a, &b, origin, None),
        }
    }

    fn quotient(&mut self, a: &Value, b: &Value, origin: Origin) -> Res<Value> {
        let (Some(components), Value::Number(s)) = (a.components(), b) else {
            return self.refuse_operation(["divide", "by"], a, b, origin, None);
        };
        if self.resolver.exprs.value(*s) == Some(0.0) {
            return self.fail(origin, mistakes::functions::division_by_zero());
        }
        Ok(a.with_components(components.iter().map(|x| self.resolver.exprs.binary(Function2::Div, *x, *s)).collect()))
    }

    pub(crate) fn negated(&mut self, a: Value, origin: Origin) -> Res<Value> {
        match a.components() {
            Some(components) => {
                Ok(a.with_components(components.iter().map(|x| self.resolver.exprs.unary(Function::Neg, *x)).collect()))
            }
            None => self.fail(origin, mistakes::values::not_negatable(a.describe())),
        }
    }

    /// `if test { a } else { b }`, component by component.
    pub(crate) fn choice(&mut self, test: ExprId, a: Value, b: Value, origin: Origin) -> Res<Value> {
        let (Some(x), Some(y)) = (a.components(), b.components()) else {
            return self.fail(origin, mistakes::values::not_between_values(a.describe(), b.describe()));
        };
        if a.shape() != b.shape() {
            return self.fail(origin, mistakes::values::choice_of_different_values(a.describe(), b.describe()));
        }
        let components = x.iter().zip(y).map(|(x, y)| self.resolver.exprs.choose(test, *x, *y)).collect();
        match (&a, &b) {
            (Value::Vector(_, p), Value::Vector(_, q)) => {
                Ok(Value::Vector(components, self.common_axes(*p, *q, origin)?))
            }
            _ => Ok(a.with_components(components)),
        }
    }

    /// A number, unless folding made it infinite or NaN.
    pub(crate) fn finite_number(&mut self, id: ExprId, subject: &str, origin: Origin) -> Res<Value> {
        match self.resolver.exprs.value(id) {
            Some(x) if !x.is_finite() => self.fail(origin, mistakes::values::value_not_finite(subject)),
            _ => Ok(Value::Number(id)),
        }
    }

    /// The common axes of two vectors in one operation; unstated axes are taken from the other.
    pub(crate) fn common_axes(&mut self, a: Axes, b: Axes, origin: Origin) -> Res<Axes> {
        match (a, b) {
            (Axes::Unstated, axes) | (axes, Axes::Unstated) => Ok(axes),
            _ if self.resolver.bodies.are_parallel_axes(a, b) => Ok(a),
            _ => {
                let (p, q) = (self.resolver.axes_name(a), self.resolver.axes_name(b));
                self.fail(origin, mistakes::values::axes_differ(&p, &q))
            }
        }
    }

    /// Checks that a vector fixed in a frame is expressed in the axes of the frame, or in unstated ones.
    pub(crate) fn expect_axes(&mut self, given: Axes, expected: Axes, origin: Origin, subject: &str) -> Res<()> {
        if given == Axes::Unstated || self.resolver.bodies.are_parallel_axes(given, expected) {
            return Ok(());
        }
        let (given, expected) = (self.resolver.axes_name(given), self.resolver.axes_name(expected));
        self.fail(origin, mistakes::values::not_in_these_axes(subject, &expected, &given))
    }
}

impl Resolver<'_> {
    /// `ground`, `crank`, a marker's name.
    pub(crate) fn axes_name(&self, axes: Axes) -> String {
        match axes {
            Axes::Unstated | Axes::World => "ground".into(),
            Axes::Body(b) => self.bodies.all[b.index()].name.clone(),
            Axes::Marker(m) => self.bodies.markers[m.index()].name.clone(),
        }
    }
}

fn matrix_product(exprs: &mut Exprs, a: &[ExprId], b: &[ExprId], inner: usize, width: usize) -> Vec<ExprId> {
    let mut product = Vec::new();
    for row in a.chunks(inner) {
        for column in 0..width {
            let entries: Vec<_> = b.iter().skip(column).step_by(width).copied().collect();
            product.push(exprs.write(|w| w.id(w.dot(row, &entries))));
        }
    }
    product
}
