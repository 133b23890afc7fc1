//! The scalars over which the physics is written.

mod dual;
mod of_time;

pub use dual::Dual;
pub use of_time::{LongSeries, function_of_time};

use std::f64::consts::TAU;
use std::ops::{Add, Div, Mul, Neg, Sub};

use mbs_math::Vector;

use crate::{Comparison, Function, Function2, FunctionCall, MOST_ARGUMENTS};

/// A scalar of the physics: plain numbers, [`Series`] (numbers with their time derivatives) and the compiler's symbols.
///
/// The formulas of `mbs-physics` and the expressions of a model are evaluated over it. They are differentiated by [`Scalar::rate`] only.
pub trait Scalar:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> + Neg<Output = Self>
{
    /// A literal.
    fn number(x: f64) -> Self;
    /// f(self).
    fn unary(self, f: Function) -> Self;
    /// f(self, other).
    fn binary(self, f: Function2, other: Self) -> Self;
    /// `if left ⋚ right { then } else { otherwise }`.
    fn select(test: Comparison, left: Self, right: Self, then: Self, otherwise: Self) -> Self;
    /// A value of a called function, or one of its derivatives. `arguments` has the declared length. `t` is the time of the same state; the
    /// compiler finds the graph of its symbols with it.
    fn called(call: FunctionCall<'_>, arguments: &[Self], t: Self) -> Self;
    /// Time derivative.
    fn rate(self) -> Self;
    /// This quantity with a known rate, so that [`Scalar::rate`] does not differentiate its operands. Numbers stay unchanged.
    fn with_rate(self, rate: Self) -> Self {
        let _ = rate;
        self
    }
    /// This quantity with coefficient k ≥ 1 of its Taylor series in time replaced: by coefficient k − 1 of the series of its rate, divided by k.
    /// Scalars without coefficients stay unchanged.
    fn with_coefficient(self, k: usize, rate: Self) -> Self {
        let _ = (k, rate);
        self
    }
    /// The number, if it is a literal; `None` for scalars without structure.
    fn literal(self) -> Option<f64> {
        None
    }
    /// Value and rate of a number that changes at a constant rate, as time and parameters do; `None` for other numbers, and for symbols.
    fn steady(self) -> Option<[f64; 2]> {
        None
    }
    /// First coefficients of a long series; `None` for symbols, whose rates are exact.
    fn from_long_series(series: &LongSeries) -> Option<Self> {
        let _ = series;
        None
    }
    /// Whether it is zero in every state. Scalars with structure decide by their structure, not by their value.
    fn is_zero(self) -> bool;

    /// (sin, cos).
    fn sin_cos(self) -> (Self, Self) {
        (self.sin(), self.cos())
    }

    /// √self.
    fn sqrt(self) -> Self {
        self.unary(Function::Sqrt)
    }

    /// sin self.
    fn sin(self) -> Self {
        self.unary(Function::Sin)
    }

    /// cos self.
    fn cos(self) -> Self {
        self.unary(Function::Cos)
    }

    /// atan self.
    fn atan(self) -> Self {
        self.unary(Function::Atan)
    }

    /// tanh self.
    fn tanh(self) -> Self {
        self.unary(Function::Tanh)
    }

    /// exp self.
    fn exp(self) -> Self {
        self.unary(Function::Exp)
    }

    /// |self|.
    fn abs(self) -> Self {
        self.unary(Function::Abs)
    }

    /// The sign of self: −1, 0 or 1.
    fn signum(self) -> Self {
        self.unary(Function::Signum)
    }

    /// ⌊self⌋, the greatest integer that is not greater than self.
    fn floor(self) -> Self {
        self.unary(Function::Floor)
    }

    /// ⌊self/2π + ½⌋: the number of revolutions to subtract from an angle so that it lies in [−π, π).
    fn whole_turns(self) -> Self {
        (self / Self::number(TAU) + Self::number(0.5)).floor()
    }
}

/// A truncated Taylor series Σ cₖ τᵏ about an instant: value, rate, half the second rate, …
///
/// With q(τ) = q + v τ it yields ν and γ, with q(τ) = q + eⱼ τ a column of G. These are the reference for the compiler's derivatives. Each
/// [`Scalar::rate`] loses the last coefficient, which becomes zero: at most N − 1 nested rates are correct.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Series<const N: usize>(pub [f64; N]);

impl<const N: usize> Series<N> {
    /// The series with coefficient f(k) of order k.
    #[inline]
    fn from_fn(f: impl FnMut(usize) -> f64) -> Self {
        Series(Vector::from_fn(f).0)
    }

    /// A constant.
    #[inline]
    pub fn constant(x: f64) -> Self {
        let mut c = [0.0; N];
        c[0] = x;
        Series(c)
    }

    /// x + ẋ τ.
    pub fn linear(x: f64, rate: f64) -> Self {
        let mut s = Self::constant(x);
        if N > 1 {
            s.0[1] = rate;
        }
        s
    }

    /// The value at τ = 0.
    pub fn value(self) -> f64 {
        self.0[0]
    }

    /// k-th derivative at τ = 0: k! cₖ.
    pub fn derivative(self, k: usize) -> f64 {
        self.0[k] * (1..=k).map(|i| i as f64).product::<f64>()
    }

    /// f(self) from f, f′, f″, … at c₀: Σⱼ f⁽ʲ⁾ (self − c₀)ʲ / j!. Coefficients that need a derivative beyond those in `derivatives` are NaN.
    pub fn compose(self, derivatives: &[f64]) -> Self {
        let mut h = self;
        h.0[0] = 0.0;
        let mut y = [0.0; N];
        let mut power = Self::constant(1.0); // hʲ / j!, which begins at order j
        for j in 0..N {
            let derivative = derivatives.get(j).copied().unwrap_or(f64::NAN);
            for (y, p) in y.iter_mut().zip(power.0).filter(|(_, p)| *p != 0.0) {
                *y += derivative * p;
            }
            power = power * h * Self::constant(1.0 / (j + 1) as f64);
        }
        Series(y)
    }

    /// f(x, y, …) as the sum of f⁽ᵃ⁾ hᵃ / a! over all multi-indices a, with h = x − x₀. `derivative` returns f⁽ᵃ⁾ at the values of the arguments
    /// for the orders a, NaN for derivatives that are not available.
    pub fn compose_many(arguments: &[Self], derivative: &dyn Fn([u8; MOST_ARGUMENTS]) -> f64) -> Self {
        let mut y = Self::constant(0.0);
        Self::add_orders(arguments, Self::constant(1.0), 0, [0; MOST_ARGUMENTS], derivative, &mut y);
        y
    }

    /// Adds the term of `orders` and the terms with further factors of the arguments from index `first` on. `power` is hᵃ / a! of `orders`.
    fn add_orders(
        arguments: &[Self],
        power: Self,
        first: usize,
        orders: [u8; MOST_ARGUMENTS],
        derivative: &dyn Fn([u8; MOST_ARGUMENTS]) -> f64,
        y: &mut Self,
    ) {
        let value = derivative(orders);
        y.0.iter_mut().zip(power.0).filter(|(_, p)| *p != 0.0).for_each(|(y, p)| *y += value * p);
        for i in first..arguments.len().min(MOST_ARGUMENTS) {
            let mut h = arguments[i];
            h.0[0] = 0.0;
            let mut more = orders;
            more[i] += 1;
            let power = power * h * Self::constant(1.0 / f64::from(more[i]));
            // h begins at order 1: a product of N or more factors vanishes unless it contains NaN.
            let factors: usize = more.iter().map(|order| usize::from(*order)).sum();
            if factors < N && power.0.iter().any(|c| *c != 0.0) {
                Self::add_orders(arguments, power, i, more, derivative, y);
            }
        }
    }

    /// selfᵇ for c₀ = 0, up to order n: recursively by (xᵇ)′ = b xᵇ⁻¹ x′, until b or n is 0.
    fn power_at_zero(self, b: f64, n: usize) -> Self {
        let first = 0.0_f64.powf(b);
        if n == 0 || b == 0.0 {
            return Self::constant(first);
        }
        let derivative = Self::constant(b) * self.power_at_zero(b - 1.0, n - 1);
        self.solve_derivative(first, |_| derivative)
    }

    /// Coefficient k of the series of which `factor` · self′ is the rate: Σ_{j=1..k} j cⱼ factor_{k−j} / k.
    fn rate_coefficient(self, factor: Self, k: usize) -> f64 {
        let mut sum = 0.0;
        for j in 1..=k {
            sum += j as f64 * self.0[j] * factor.0[k - j];
        }
        sum / k as f64
    }

    /// f(self) from `first` = f(c₀) and `derivative`, which returns f′(x) from y = f(x): y′ = derivative(y) · x′, solved coefficient by
    /// coefficient.
    fn solve_derivative(self, first: f64, derivative: impl Fn(Self) -> Self) -> Self {
        let mut y = Self::constant(first);
        for k in 1..N {
            // Coefficients up to k − 1 of the derivative depend on y_{0..k−1} only.
            y.0[k] = self.rate_coefficient(derivative(y), k);
        }
        y
    }
}

impl<const N: usize> Add for Series<N> {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        Series::from_fn(|k| self.0[k] + other.0[k])
    }
}

impl<const N: usize> Sub for Series<N> {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        Series::from_fn(|k| self.0[k] - other.0[k])
    }
}

impl<const N: usize> Neg for Series<N> {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Series::from_fn(|k| -self.0[k])
    }
}

impl<const N: usize> Mul for Series<N> {
    type Output = Self;
    #[inline]
    fn mul(self, other: Self) -> Self {
        Series::from_fn(|k| {
            let mut sum = self.0[0] * other.0[k];
            for j in 1..=k {
                sum += self.0[j] * other.0[k - j];
            }
            sum
        })
    }
}

impl<const N: usize> Div for Series<N> {
    type Output = Self;
    fn div(self, other: Self) -> Self {
        let mut y = [0.0; N];
        for k in 0..N {
            let mut sum = 0.0;
            for (j, y) in y[..k].iter().enumerate() {
                sum += y * other.0[k - j];
            }
            y[k] = (self.0[k] - sum) / other.0[0];
        }
        Series(y)
    }
}

impl<const N: usize> Scalar for Series<N> {
    fn number(x: f64) -> Self {
        Self::constant(x)
    }

    fn unary(self, f: Function) -> Self {
        let x = self;
        let one = Self::constant(1.0);
        let first = f.apply(x.0[0]);
        match f {
            Function::Neg => -x,
            // The derivative of a norm at the origin is 0.
            Function::Sqrt if first == 0.0 => Self::constant(0.0),
            Function::Sqrt => x.solve_derivative(first, |y| Self::constant(0.5) / y),
            Function::Sin | Function::Cos => {
                // Sine and cosine together: s′ = c x′, c′ = −s x′.
                let (mut s, mut c) = (Self::constant(x.0[0].sin()), Self::constant(x.0[0].cos()));
                for k in 1..N {
                    (s.0[k], c.0[k]) = (x.rate_coefficient(c, k), -x.rate_coefficient(s, k));
                }
                if f == Function::Sin { s } else { c }
            }
            Function::Tan => x.solve_derivative(first, |y| one + y * y),
            Function::Asin => x.solve_derivative(first, |_| one / (one - x * x).unary(Function::Sqrt)),
            Function::Acos => x.solve_derivative(first, |_| -(one / (one - x * x).unary(Function::Sqrt))),
            Function::Atan => x.solve_derivative(first, |_| one / (one + x * x)),
            Function::Sinh => x.solve_derivative(first, |y| (one + y * y).unary(Function::Sqrt)),
            Function::Cosh => {
                let e = x.unary(Function::Exp);
                Self::constant(0.5) * (e + one / e)
            }
            Function::Tanh => x.solve_derivative(first, |y| one - y * y),
            Function::Exp => x.solve_derivative(first, |y| y),
            Function::Ln => x.solve_derivative(first, |_| one / x),
            Function::Abs => x * Self::constant(Function::Signum.apply(x.0[0])),
            Function::Signum | Function::Floor => Self::constant(first),
        }
    }

    fn binary(self, f: Function2, other: Self) -> Self {
        let first = f.apply(self.0[0], other.0[0]);
        match f {
            Function2::Add => self + other,
            Function2::Sub => self - other,
            Function2::Mul => self * other,
            Function2::Div => self / other,
            Function2::Atan2 => {
                // d atan2(y, x) = (x dy − y dx) / (x² + y²)
                let (y, x) = (self, other);
                let derivative = (x * y.rate() - y * x.rate()) / (x * x + y * y);
                Series::from_fn(|k| if k == 0 { first } else { derivative.0[k - 1] / k as f64 })
            }
            Function2::Min if other.0[0] < self.0[0] => other,
            Function2::Max if other.0[0] > self.0[0] => other,
            Function2::Min | Function2::Max => self,
            Function2::Powf => {
                if other.0[1..].iter().all(|c| *c == 0.0) {
                    if self.0[1..].iter().all(|c| *c == 0.0) {
                        return Self::constant(first);
                    }
                    let exponent = other.0[0];
                    if self.0[0] == 0.0 {
                        return self.power_at_zero(exponent, N - 1);
                    }
                    self.solve_derivative(first, |y| Self::constant(exponent) * y / self)
                } else {
                    (other * self.unary(Function::Ln)).unary(Function::Exp)
                }
            }
        }
    }

    fn select(test: Comparison, left: Self, right: Self, then: Self, otherwise: Self) -> Self {
        if test.apply(left.0[0], right.0[0]) { then } else { otherwise }
    }

    fn called(call: FunctionCall<'_>, arguments: &[Self], _t: Self) -> Self {
        let mut x = [0.0; MOST_ARGUMENTS];
        x.iter_mut().zip(arguments).for_each(|(x, argument)| *x = argument.value());
        let x = &x[..arguments.len().min(MOST_ARGUMENTS)];
        call.function.with_results(x, |results| {
            Self::compose_many(arguments, &|orders| results.partial(call.partial.plus_orders(orders)))
        })
    }

    fn with_coefficient(mut self, k: usize, rate: Self) -> Self {
        if k < N {
            self.0[k] = rate.0[k - 1] / k as f64;
        }
        self
    }

    fn rate(self) -> Self {
        Series::from_fn(|k| if k + 1 < N { (k + 1) as f64 * self.0[k + 1] } else { 0.0 })
    }

    fn steady(self) -> Option<[f64; 2]> {
        let is_zero = |c: &f64| *c == 0.0;
        self.0.iter().skip(2).all(is_zero).then(|| [self.0[0], self.0.get(1).copied().unwrap_or(0.0)])
    }

    fn from_long_series(series: &LongSeries) -> Option<Self> {
        Some(Series::from_fn(|k| series.0.get(k).copied().unwrap_or(0.0)))
    }

    fn is_zero(self) -> bool {
        self.0.iter().all(|c| *c == 0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An infinite rate makes all its products NaN, and these never vanish.
    #[test]
    fn functions_of_several_arguments_end_if_one_is_nan() {
        let arguments =
            [Series::<6>([0.3, f64::INFINITY, 0.0, 0.0, 0.0, 0.0]), Series([f64::NAN; 6]), Series::constant(1.0)];
        let y = Series::compose_many(&arguments, &|_| 1.0);
        assert!(y.value() == 1.0 && y.derivative(1).is_nan(), "{y:?}");
    }

    #[test]
    fn powers_at_zero_have_their_derivatives() {
        let power = |x: Series<4>, b: f64| x.binary(Function2::Powf, Series::constant(b)).0;
        let t = Series::linear(0.0, 1.0);
        assert_eq!(power(t, 2.0), [0.0, 0.0, 1.0, 0.0]);
        assert_eq!(power(t, 3.0), [0.0, 0.0, 0.0, 1.0]);
        assert_eq!(power(t + t * t, 2.0), [0.0, 0.0, 1.0, 2.0]);
        assert_eq!(power(t, 1.0), [0.0, 1.0, 0.0, 0.0]);
        let rate = Series::<2>::linear(0.0, 1.0).binary(Function2::Powf, Series::constant(2.0)).0;
        assert_eq!(rate, [0.0, 0.0]);
    }
}
