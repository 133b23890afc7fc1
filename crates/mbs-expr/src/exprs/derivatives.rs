//! Derivatives of expressions with respect to leaves, as expressions: the results of [`Dual`] numbers over expressions.

use super::{Expr, ExprId, Exprs, Op, Writer};
use crate::{CalledFunction, Dual, operation};
use rustc_hash::FxHashMap as HashMap;

impl Exprs {
    /// Placeholder for argument i of a declared function in the expression of its value: an index that no coordinate has.
    pub fn placeholder(&mut self, i: u32) -> ExprId {
        self.push(Op::Algebraic(u32::MAX - i))
    }

    /// Value and derivatives of an expression f with respect to a leaf x, with x replaced by `point`: f(point), f′(point), f″(point).
    pub fn derivatives_at(
        &mut self,
        functions: &[CalledFunction],
        e: ExprId,
        leaf: ExprId,
        point: ExprId,
    ) -> [ExprId; 3] {
        self.write(|w| w.derivatives_at(functions, e, leaf, w.expr(point)).map(|x| w.id(x)))
    }
}

impl Writer {
    /// Value and derivatives of an expression f with respect to a leaf x, with x replaced by `point`: f(point), f′(point), f″(point).
    pub fn derivatives_at<'e>(
        &'e self,
        functions: &[CalledFunction],
        e: ExprId,
        leaf: ExprId,
        point: Expr<'e>,
    ) -> [Expr<'e>; 3] {
        let [value, derivative, _, second] = self.mixed_derivatives(functions, e, &[(leaf, point, [1.0, 1.0])]);
        [value, derivative, second]
    }

    /// Value and directional derivatives of an expression f in two directions u and w: f, f_u, f_w, f_uw. Each element of `leaves` contains a
    /// leaf, the expression that replaces it, and the leaf's components of u and w.
    pub fn mixed_derivatives<'e>(
        &'e self,
        functions: &[CalledFunction],
        e: ExprId,
        leaves: &[(ExprId, Expr<'e>, [f64; 2])],
    ) -> [Expr<'e>; 4] {
        let constant = |x: Expr<'e>| Dual::constant(Dual::constant(x));
        let dual = |(leaf, point, [u, w]): (ExprId, Expr<'e>, [f64; 2])| {
            let value = Dual { value: point, derivative: u.into() };
            (leaf, Dual { value, derivative: Dual { value: w.into(), derivative: 0.0.into() } })
        };
        let time = constant(self.op(Op::Time));
        let mut known: HashMap<ExprId, Dual<Dual<Expr<'e>>>> = leaves.iter().copied().map(dual).collect();
        // Children come first.
        for id in self.read(|exprs| exprs.subexpressions(e)) {
            let (op, children) = self.read(|exprs| (exprs.op(id), exprs.children(exprs.op(id))));
            let depends_on_leaves = children.iter().flatten().any(|child| known.contains_key(child));
            if depends_on_leaves && !known.contains_key(&id) {
                let operand = |child: ExprId| known.get(&child).copied().unwrap_or_else(|| constant(self.expr(child)));
                let value = operation(functions, op, &operand, time);
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

    /// x² sin(3 x) + a x, differentiated with respect to x at 2 y, against the derivatives in closed form.
    #[test]
    fn derivatives_are_written_at_another_point() {
        let mut exprs = Exprs::default();
        let [x, a, y] = [Op::Algebraic(0), Op::Parameter(0), Op::Algebraic(1)].map(|op| exprs.push(op));
        let [two, three] = [2.0, 3.0].map(|n| exprs.constant(n));
        let square = exprs.mul(x, x);
        let angle = exprs.mul(three, x);
        let sine = exprs.unary(Function::Sin, angle);
        let product = exprs.mul(square, sine);
        let linear = exprs.mul(a, x);
        let f = exprs.add(product, linear);
        let point = exprs.mul(two, y);
        let found = exprs.derivatives_at(&[], f, x, point);
        let value = |e: ExprId| {
            let mut values: HashMap<ExprId, f64> = HashMap::default();
            for id in exprs.subexpressions(e) {
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
        assert_eq!(
            exprs.derivatives_at(&[], a, x, point)[1..].iter().map(|e| exprs.value(*e)).collect::<Vec<_>>(),
            [Some(0.0); 2]
        );
    }
}
