//! Dual numbers x + ε x', ε² = 0: exact derivatives of functions that are generic over [`Real`], and higher derivatives with nested dual numbers.

use core::cmp::Ordering;
use core::fmt;
use core::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

use mbs_core::{Error, Mechanism, Real, Sizes, StateView};

/// Numbers with the functions that the mechanisms of these tests call.
pub trait Number: Real {
    fn sin_cos(self) -> (Self, Self);
}

impl Number for f64 {
    fn sin_cos(self) -> (f64, f64) {
        f64::sin_cos(self)
    }
}

#[derive(Clone, Copy, Debug, Default)]
pub struct Dual<T> {
    pub value: T,
    pub derivative: T,
}

impl<T: Real> Dual<T> {
    pub fn new(value: T, derivative: T) -> Self {
        Dual { value, derivative }
    }

    fn map(self, value: T, derivative: T) -> Self {
        Dual { value, derivative: derivative * self.derivative }
    }
}

/// Equal numbers have equal values and derivatives; the order is that of the values.
impl<T: Real> PartialEq for Dual<T> {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value && self.derivative == other.derivative
    }
}

impl<T: Real> PartialOrd for Dual<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        self.value.partial_cmp(&other.value)
    }
}

impl<T: Real> fmt::Display for Dual<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} + {} ε", self.value, self.derivative)
    }
}

impl<T: Real> Add for Dual<T> {
    type Output = Self;
    fn add(self, b: Self) -> Self {
        Dual::new(self.value + b.value, self.derivative + b.derivative)
    }
}

impl<T: Real> Sub for Dual<T> {
    type Output = Self;
    fn sub(self, b: Self) -> Self {
        Dual::new(self.value - b.value, self.derivative - b.derivative)
    }
}

impl<T: Real> Mul for Dual<T> {
    type Output = Self;
    fn mul(self, b: Self) -> Self {
        Dual::new(self.value * b.value, self.derivative * b.value + self.value * b.derivative)
    }
}

impl<T: Real> Div for Dual<T> {
    type Output = Self;
    fn div(self, b: Self) -> Self {
        let value = self.value / b.value;
        Dual::new(value, (self.derivative - value * b.derivative) / b.value)
    }
}

impl<T: Real> Neg for Dual<T> {
    type Output = Self;
    fn neg(self) -> Self {
        Dual::new(-self.value, -self.derivative)
    }
}

impl<T: Real> AddAssign for Dual<T> {
    fn add_assign(&mut self, b: Self) {
        *self = *self + b;
    }
}

impl<T: Real> SubAssign for Dual<T> {
    fn sub_assign(&mut self, b: Self) {
        *self = *self - b;
    }
}

impl<T: Real> MulAssign for Dual<T> {
    fn mul_assign(&mut self, b: Self) {
        *self = *self * b;
    }
}

impl<T: Real> DivAssign for Dual<T> {
    fn div_assign(&mut self, b: Self) {
        *self = *self / b;
    }
}

impl<T: Real> Real for Dual<T> {
    const ZERO: Self = Dual { value: T::ZERO, derivative: T::ZERO };
    const ONE: Self = Dual { value: T::ONE, derivative: T::ZERO };
    const EPSILON: Self = Dual { value: T::EPSILON, derivative: T::ZERO };

    fn from_f64(x: f64) -> Self {
        Dual::new(T::from_f64(x), T::ZERO)
    }

    fn to_f64(self) -> f64 {
        self.value.to_f64()
    }

    fn abs(self) -> Self {
        if self.value < T::ZERO { -self } else { self }
    }

    fn sqrt(self) -> Self {
        let root = self.value.sqrt();
        self.map(root, T::ONE / (root + root))
    }

    fn powf(self, exponent: Self) -> Self {
        let n = exponent.value;
        self.map(self.value.powf(n), n * self.value.powf(n - T::ONE))
    }

    fn is_finite(self) -> bool {
        self.value.is_finite() && self.derivative.is_finite()
    }
}

impl<T: Number> Number for Dual<T> {
    fn sin_cos(self) -> (Self, Self) {
        let (sin, cos) = self.value.sin_cos();
        (self.map(sin, cos), self.map(cos, -sin))
    }
}

/// ∂(q̇, v̇, ż)/∂(q, v, z, u), column by column, as [`mbs_core::Differentiable::state_jacobian`] requires.
pub fn state_jacobian<T: Number, M: Mechanism<Dual<T>>>(
    mechanism: &M,
    at: StateView<T>,
    jacobian: &mut [T],
) -> Result<(), Error<T>> {
    let Sizes { n_q, n_v, n_z, n_u, .. } = mechanism.sizes();
    let x: Vec<T> = [at.q, at.v, at.z, at.u].concat();
    let (n_x, width) = (n_q + n_v + n_z, x.len());
    assert_eq!((jacobian.len(), width), (n_x * width, n_x + n_u));
    for j in 0..width {
        let lift = |(i, x): (usize, &T)| Dual::new(*x, if i == j { T::ONE } else { T::ZERO });
        let x: Vec<_> = x.iter().enumerate().map(lift).collect();
        let (q, v, z, u) = (&x[..n_q], &x[n_q..n_q + n_v], &x[n_q + n_v..n_x], &x[n_x..]);
        let view = StateView { t: Dual::new(at.t, T::ZERO), q, v, z, u };
        let mut rates = vec![Dual::ZERO; n_x];
        let (q_rates, rest) = rates.split_at_mut(n_q);
        let (a, z_rates) = rest.split_at_mut(n_v);
        let (_, _, mut lambda, ..) = mechanism.storage();
        mechanism.coordinate_rates(view.t, q, v, q_rates);
        mechanism.accelerations(view, a, lambda.as_mut()).expect("a test's mechanism is regular");
        mechanism.auxiliary_rates(view, z_rates);
        for (row, rate) in jacobian.chunks_exact_mut(width).zip(rates) {
            row[j] = rate.derivative;
        }
    }
    Ok(())
}
