//! Derivatives of expressions along a leaf, as expressions: what [`Dual`] numbers over expressions come to.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::{Add, Div, Mul, Neg, Sub};

use super::{Comparison, ExprId, Exprs, Function, Function2, Op};
use crate::{CalledFunction, Dual, FunctionCall, Scalar, operation};

/// A scalar that writes what is computed with it.
#[derive(Clone, Copy, Debug)]
enum Written<'e> {
    Literal(f64),
    Node(&'e RefCell<Exprs>, ExprId),
}

impl<'e> Written<'e> {
    fn id(self, exprs: &RefCell<Exprs>) -> ExprId {
        match self {
            Written::Literal(x) => exprs.borrow_mut().number(x),
            Written::Node(_, id) => id,
        }
    }

    fn of(exprs: &'e RefCell<Exprs>, id: ExprId) -> Self {
        match exprs.borrow().value(id) {
            Some(x) => Written::Literal(x),
            None => Written::Node(exprs, id),
        }
    }

    fn zip(
        self,
        other: Self,
        on_numbers: impl Fn(f64, f64) -> f64,
        write: impl Fn(&mut Exprs, ExprId, ExprId) -> ExprId,
    ) -> Self {
        match (self, other) {
            (Written::Literal(x), Written::Literal(y)) => Written::Literal(on_numbers(x, y)),
            (Written::Node(exprs, _), _) | (_, Written::Node(exprs, _)) => {
                let [a, b] = [self.id(exprs), other.id(exprs)];
                let id = write(&mut exprs.borrow_mut(), a, b);
                Written::of(exprs, id)
            }
        }
    }
}

impl Add for Written<'_> {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        self.zip(other, |x, y| x + y, Exprs::add)
    }
}

impl Sub for Written<'_> {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self.zip(other, |x, y| x - y, Exprs::sub)
    }
}

impl Mul for Written<'_> {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        self.zip(other, |x, y| x * y, Exprs::mul)
    }
}

impl Div for Written<'_> {
    type Output = Self;
    fn div(self, other: Self) -> Self {
        self.zip(other, |x, y| x / y, Exprs::div)
    }
}

impl Neg for Written<'_> {
    type Output = Self;
    fn neg(self) -> Self {
        self.unary(Function::Neg)
    }
}

impl Scalar for Written<'_> {
    fn number(x: f64) -> Self {
        Written::Literal(x)
    }

    fn unary(self, f: Function) -> Self {
        match self {
            Written::Literal(x) => Written::Literal(f.apply(x)),
            Written::Node(exprs, id) => {
                let id = exprs.borrow_mut().unary(f, id);
                Written::of(exprs, id)
            }
        }
    }

    fn binary(self, f: Function2, other: Self) -> Self {
        self.zip(other, |x, y| f.apply(x, y), |exprs, a, b| exprs.binary(f, a, b))
    }

    fn select(test: Comparison, left: Self, right: Self, then: Self, otherwise: Self) -> Self {
        if let (Written::Literal(x), Written::Literal(y)) = (left, right) {
            return if test.apply(x, y) { then } else { otherwise };
        }
        let ((Written::Node(exprs, _), _) | (_, Written::Node(exprs, _))) = (left, right) else { return then };
        let [left, right, then, otherwise] = [left, right, then, otherwise].map(|x| x.id(exprs));
        let id = exprs.borrow_mut().select(test, left, right, then, otherwise);
        Written::of(exprs, id)
    }

    fn called(call: FunctionCall<'_>, arguments: &[Self], t: Self) -> Self {
        let Written::Node(exprs, _) = t else { unreachable!("time is a leaf") };
        let arguments: Vec<ExprId> = arguments.iter().map(|a| a.id(exprs)).collect();
        let id = exprs.borrow_mut().called_partial(call.id, call.function, call.partial, &arguments);
        Written::of(exprs, id)
    }

    fn rate(self) -> Self {
        match self {
            Written::Literal(_) => Written::Literal(0.0),
            Written::Node(exprs, id) => {
                let id = exprs.borrow_mut().rate(id);
                Written::of(exprs, id)
            }
        }
    }

    fn literal(self) -> Option<f64> {
        match self {
            Written::Literal(x) => Some(x),
            Written::Node(..) => None,
        }
    }

    fn is_zero(self) -> bool {
        self.literal() == Some(0.0)
    }
}

impl Exprs {
    /// What stands for argument i of a function of the text while its value is read: no coordinate has this index.
    pub fn leaf(&mut self, i: u32) -> ExprId {
        self.push(Op::Algebraic(u32::MAX - i))
    }

    /// An expression f with a leaf x replaced by `at`: f(at), f′(at), f″(at).
    pub fn along(&mut self, functions: &[CalledFunction], e: ExprId, leaf: ExprId, at: ExprId) -> [ExprId; 3] {
        let [value, slope, _, second] = self.mixed(functions, e, &[(leaf, at, [1.0, 1.0])]);
        [value, slope, second]
    }

    /// An expression f with leaves replaced, each by what comes with it and moving along two directions u and w by the numbers at the end:
    /// f, f_u, f_w, f_uw there.
    pub fn mixed(
        &mut self,
        functions: &[CalledFunction],
        e: ExprId,
        leaves: &[(ExprId, ExprId, [f64; 2])],
    ) -> [ExprId; 4] {
        let exprs = RefCell::new(std::mem::take(self));
        let t = exprs.borrow_mut().push(Op::Time);
        let constant = |id: ExprId| Dual::constant(Dual::constant(Written::of(&exprs, id)));
        let moving = |(leaf, at, [u, w]): (ExprId, ExprId, [f64; 2])| {
            let value = Dual { value: Written::of(&exprs, at), slope: Written::Literal(u) };
            (leaf, Dual { value, slope: Dual { value: Written::Literal(w), slope: Written::Literal(0.0) } })
        };
        let time = Dual::constant(Dual::constant(Written::Node(&exprs, t)));
        // Children come first.
        let below = exprs.borrow().below(e);
        let mut known: HashMap<ExprId, Dual<Dual<Written<'_>>>> = leaves.iter().copied().map(moving).collect();
        for id in below {
            let (op, children) = {
                let exprs = exprs.borrow();
                (exprs.op(id), exprs.children(exprs.op(id)))
            };
            let moves = children.iter().flatten().any(|child| known.contains_key(child));
            if moves && !known.contains_key(&id) {
                let at = |child: ExprId| known.get(&child).copied().unwrap_or_else(|| constant(child));
                let value = operation(functions, op, &at, time);
                known.insert(id, value);
            }
        }
        let found = known.get(&e).copied().unwrap_or_else(|| constant(e));
        let all = [found.value.value, found.value.slope, found.slope.value, found.slope.slope].map(|x| x.id(&exprs));
        *self = exprs.into_inner();
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// x² sin(3 x) + a x, along x at 2 y: shapes are those of the rules, values those of differences of the closed form.
    #[test]
    fn derivatives_are_written_at_another_place() {
        let mut exprs = Exprs::default();
        let [x, a, y] = [Op::Algebraic(0), Op::Parameter(0), Op::Algebraic(1)].map(|op| exprs.push(op));
        let [two, three] = [2.0, 3.0].map(|n| exprs.number(n));
        let square = exprs.mul(x, x);
        let angle = exprs.mul(three, x);
        let sine = exprs.unary(Function::Sin, angle);
        let product = exprs.mul(square, sine);
        let linear = exprs.mul(a, x);
        let f = exprs.add(product, linear);
        let at = exprs.mul(two, y);
        let found = exprs.along(&[], f, x, at);
        let value = |e: ExprId| {
            let mut values: HashMap<ExprId, f64> = HashMap::new();
            for id in exprs.below(e) {
                let v = match exprs.op(id) {
                    Op::Parameter(_) => 0.7,
                    Op::Algebraic(1) => 0.4,
                    Op::Number(n) => n,
                    Op::Unary(f, a) => f.apply(values[&a]),
                    Op::Binary(f, a, b) => match f {
                        Function2::Add => values[&a] + values[&b],
                        Function2::Sub => values[&a] - values[&b],
                        Function2::Mul => values[&a] * values[&b],
                        Function2::Div => values[&a] / values[&b],
                        _ => f.apply(values[&a], values[&b]),
                    },
                    op => panic!("{op:?}"),
                };
                values.insert(id, v);
            }
            values[&e]
        };
        let (s, c) = (3.0_f64 * 0.8).sin_cos();
        let z = 0.8;
        let expected =
            [z * z * s + 0.7 * z, 2.0 * z * s + 3.0 * z * z * c + 0.7, 2.0 * s + 12.0 * z * c - 9.0 * z * z * s];
        for (e, expected) in found.into_iter().zip(expected) {
            assert!((value(e) - expected).abs() < 1e-14, "{}, not {expected}", value(e));
        }
        assert_eq!(exprs.along(&[], a, x, at)[1..].iter().map(|e| exprs.value(*e)).collect::<Vec<_>>(), [Some(0.0); 2]);
    }
}
