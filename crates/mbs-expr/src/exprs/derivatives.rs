//! Derivatives of expressions along a leaf, as expressions: what [`Dual`] numbers over expressions come to.

use std::collections::HashMap;

use super::{Expr, ExprId, Exprs, Op, Writer};
use crate::{CalledFunction, Dual, operation};

impl Exprs {
    /// Placeholder for argument i of a function that the text declares, while its value is read: no coordinate has this index.
    pub fn leaf(&mut self, i: u32) -> ExprId {
        self.push(Op::Algebraic(u32::MAX - i))
    }

    /// An expression f with a leaf x replaced by `at`: f(at), f′(at), f″(at).
    pub fn along(&mut self, functions: &[CalledFunction], e: ExprId, leaf: ExprId, at: ExprId) -> [ExprId; 3] {
        self.write(|w| w.along(functions, e, leaf, w.expr(at)).map(|x| w.id(x)))
    }
}

impl Writer {
    /// An expression f with a leaf x replaced by `at`: f(at), f′(at), f″(at).
    pub fn along<'e>(&'e self, functions: &[CalledFunction], e: ExprId, leaf: ExprId, at: Expr<'e>) -> [Expr<'e>; 3] {
        let [value, derivative, _, second] = self.mixed(functions, e, &[(leaf, at, [1.0, 1.0])]);
        [value, derivative, second]
    }

    /// An expression f with leaves replaced, each by what comes with it and moving along two directions u and w by the numbers at the end:
    /// f, f_u, f_w, f_uw there.
    pub fn mixed<'e>(
        &'e self,
        functions: &[CalledFunction],
        e: ExprId,
        leaves: &[(ExprId, Expr<'e>, [f64; 2])],
    ) -> [Expr<'e>; 4] {
        let constant = |x: Expr<'e>| Dual::constant(Dual::constant(x));
        let moving = |(leaf, at, [u, w]): (ExprId, Expr<'e>, [f64; 2])| {
            let value = Dual { value: at, derivative: u.into() };
            (leaf, Dual { value, derivative: Dual { value: w.into(), derivative: 0.0.into() } })
        };
        let time = constant(self.op(Op::Time));
        let mut known: HashMap<ExprId, Dual<Dual<Expr<'e>>>> = leaves.iter().copied().map(moving).collect();
        // Children come first.
        for id in self.read(|exprs| exprs.below(e)) {
            let (op, children) = self.read(|exprs| (exprs.op(id), exprs.children(exprs.op(id))));
            let moves = children.iter().flatten().any(|child| known.contains_key(child));
            if moves && !known.contains_key(&id) {
                let at = |child: ExprId| known.get(&child).copied().unwrap_or_else(|| constant(self.expr(child)));
                let value = operation(functions, op, &at, time);
                known.insert(id, value);
            }
        }
        let found = known.get(&e).copied().unwrap_or_else(|| constant(self.expr(e)));
        [found.value.value, found.value.derivative, found.derivative.value, found.derivative.derivative]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Function, Function2};

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
