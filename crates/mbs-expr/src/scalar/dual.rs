//! Dual numbers: scalars with their derivative in one direction.

use std::ops::{Add, Div, Mul, Neg, Sub};

use super::{LongSeries, Scalar};
use crate::{Comparison, Function, Function2, FunctionCall};

/// The dual number x + x′ ε with ε² = 0, over any scalar. Results contain their derivatives in the direction of x′. Nested dual numbers yield
/// higher and mixed derivatives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dual<S> {
    /// x.
    pub value: S,
    /// x′.
    pub derivative: S,
}

impl<S: Scalar> Dual<S> {
    /// A value whose derivative is zero.
    #[inline]
    pub fn constant(value: S) -> Self {
        Dual { value, derivative: S::number(0.0) }
    }

    /// f(self) by the chain rule, from `value` = f(x) and `derivative` = f′(x), which is evaluated only if x′ is not zero.
    fn chain_rule(self, value: S, derivative: impl FnOnce() -> S) -> Self {
        let derivative = if self.derivative.is_zero() { self.derivative } else { derivative() * self.derivative };
        Dual { value, derivative }
    }
}

impl<S: Scalar> Add for Dual<S> {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        Dual { value: self.value + other.value, derivative: self.derivative + other.derivative }
    }
}

impl<S: Scalar> Sub for Dual<S> {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        Dual { value: self.value - other.value, derivative: self.derivative - other.derivative }
    }
}

impl<S: Scalar> Neg for Dual<S> {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Dual { value: -self.value, derivative: -self.derivative }
    }
}

impl<S: Scalar> Mul for Dual<S> {
    type Output = Self;
    #[inline]
    fn mul(self, other: Self) -> Self {
        let derivative = self.derivative * other.value + self.value * other.derivative;
        Dual { value: self.value * other.value, derivative }
    }
}

impl<S: Scalar> Div for Dual<S> {
    type Output = Self;
    fn div(self, other: Self) -> Self {
        let value = self.value / other.value;
        let derivative = match other.derivative.is_zero() {
            true => self.derivative / other.value,
            false => (self.derivative - value * other.derivative) / other.value,
        };
        Dual { value, derivative }
    }
}

impl<S: Scalar> Scalar for Dual<S> {
    fn number(x: f64) -> Self {
        Self::constant(S::number(x))
    }

    fn unary(self, f: Function) -> Self {
        let y = self.value.unary(f);
        self.chain_rule(y, || f.derivative(self.value, y))
    }

    fn binary(self, f: Function2, other: Self) -> Self {
        let (a, b) = (self, other);
        match f {
            Function2::Add => a + b,
            Function2::Sub => a - b,
            Function2::Mul => a * b,
            Function2::Div => a / b,
            Function2::Atan2 => {
                let square = a.value * a.value + b.value * b.value;
                let derivative = (b.value * a.derivative - a.value * b.derivative) / square;
                Dual { value: a.value.binary(f, b.value), derivative }
            }
            Function2::Min => Self::select(Comparison::Less, b, a, b, a),
            Function2::Max => Self::select(Comparison::Less, a, b, b, a),
            Function2::Powf => {
                // b a^(b−1) a′ + a^b ln a b′
                let value = a.value.binary(f, b.value);
                let lower = a.value.binary(f, b.value - S::number(1.0));
                let derivative = b.value * lower * a.derivative;
                if b.derivative.is_zero() {
                    return Dual { value, derivative };
                }
                Dual { value, derivative: derivative + value * a.value.unary(Function::Ln) * b.derivative }
            }
        }
    }

    fn select(test: Comparison, left: Self, right: Self, then: Self, otherwise: Self) -> Self {
        let choose = |a: S, b: S| S::select(test, left.value, right.value, a, b);
        let derivative = match then.derivative.is_zero() && otherwise.derivative.is_zero() {
            true => then.derivative,
            false => choose(then.derivative, otherwise.derivative),
        };
        Dual { value: choose(then.value, otherwise.value), derivative }
    }

    fn called(call: FunctionCall<'_>, arguments: &[Self], t: Self) -> Self {
        let values: Vec<S> = arguments.iter().map(|a| a.value).collect();
        let value = S::called(call, &values, t.value);
        let mut derivative = S::number(0.0);
        for (i, argument) in arguments.iter().enumerate().filter(|(_, a)| !a.derivative.is_zero()) {
            let partial = FunctionCall { partial: call.partial.differentiated(i), ..call };
            derivative = derivative + S::called(partial, &values, t.value) * argument.derivative;
        }
        Dual { value, derivative }
    }

    fn with_coefficient(self, k: usize, rate: Self) -> Self {
        Dual {
            value: self.value.with_coefficient(k, rate.value),
            derivative: self.derivative.with_coefficient(k, rate.derivative),
        }
    }

    fn rate(self) -> Self {
        Dual { value: self.value.rate(), derivative: self.derivative.rate() }
    }

    fn literal(self) -> Option<f64> {
        self.value.literal().filter(|_| self.derivative.is_zero())
    }

    fn steady(self) -> Option<[f64; 2]> {
        self.value.steady().filter(|_| self.derivative.is_zero())
    }

    fn from_long_series(series: &LongSeries) -> Option<Self> {
        S::from_long_series(series).map(Self::constant)
    }

    fn is_zero(self) -> bool {
        self.value.is_zero() && self.derivative.is_zero()
    }
}

impl Function {
    /// f′(x), with y = f(x). The derivative of the square root at 0 is 0, so that norms have a derivative at the origin.
    pub fn derivative<S: Scalar>(self, x: S, y: S) -> S {
        let one = S::number(1.0);
        let root = |x: S| x.unary(Function::Sqrt);
        match self {
            Function::Neg => S::number(-1.0),
            Function::Sqrt => {
                let zero = S::number(0.0);
                S::select(Comparison::Equal, y, zero, zero, S::number(0.5) / y)
            }
            Function::Sin => x.unary(Function::Cos),
            Function::Cos => -x.unary(Function::Sin),
            Function::Tan => one + y * y,
            Function::Asin => one / root(one - x * x),
            Function::Acos => -(one / root(one - x * x)),
            Function::Atan => one / (one + x * x),
            Function::Sinh => x.unary(Function::Cosh),
            Function::Cosh => x.unary(Function::Sinh),
            Function::Tanh => one - y * y,
            Function::Exp => y,
            Function::Ln => one / x,
            Function::Abs => x.unary(Function::Signum),
            Function::Signum | Function::Floor => S::number(0.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Series;

    /// Against Taylor series of the same functions, which are computed differently: x = x₀ + τ, so that the coefficients are f, f′, f″/2.
    #[test]
    fn second_derivatives_are_those_of_series() {
        let start = 0.37;
        let functions = [
            Function::Sqrt,
            Function::Sin,
            Function::Cos,
            Function::Tan,
            Function::Asin,
            Function::Acos,
            Function::Atan,
            Function::Sinh,
            Function::Cosh,
            Function::Tanh,
            Function::Exp,
            Function::Ln,
            Function::Abs,
            Function::Neg,
        ];
        let number = |x: f64, derivative: f64| Dual {
            value: Series::<1>::constant(x),
            derivative: Series::constant(derivative),
        };
        let x = Dual { value: number(start, 1.0), derivative: number(1.0, 0.0) };
        let t = Series::<3>::linear(start, 1.0);
        let check = |name: &str, y: Dual<Dual<Series<1>>>, series: Series<3>| {
            let found =
                [y.value.value, y.value.derivative, y.derivative.value, y.derivative.derivative].map(Series::value);
            let [f, derivative, half] = series.0;
            for (a, b) in found.into_iter().zip([f, derivative, derivative, 2.0 * half]) {
                assert!((a - b).abs() < 1e-13 * (1.0 + b.abs()), "{name}: {found:?} {series:?}");
            }
        };
        for f in functions {
            check(&format!("{f:?}"), x.unary(f), t.unary(f));
        }
        for f in [Function2::Atan2, Function2::Powf, Function2::Div, Function2::Min, Function2::Max] {
            let (other, series) = (x * x + Scalar::number(0.1), t * t + Series::constant(0.1));
            check(&format!("{f:?}"), x.binary(f, other), t.binary(f, series));
        }
        let inner = Scalar::select(Comparison::Less, x, Scalar::number(0.5), x * x * x, x);
        check("select", inner, t * t * t);
    }
}
