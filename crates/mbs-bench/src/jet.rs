//! Forward-mode automatic differentiation for a problem of known size.

use std::ops::{Add, Mul, Sub};

/// Scalars of the dynamics by hand: `f64` or jets.
pub trait Number:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Mul<f64, Output = Self>
{
    /// 1/x.
    fn reciprocal(self) -> Self;
}

impl Number for f64 {
    #[inline]
    fn reciprocal(self) -> f64 {
        self.recip()
    }
}

impl<const N: usize> Number for Jet<N> {
    #[inline]
    fn reciprocal(mut self) -> Self {
        self.value = self.value.recip();
        self.derivatives.iter_mut().for_each(|derivative| *derivative *= -self.value * self.value);
        self
    }
}

/// A value with its derivatives with respect to N variables.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Jet<const N: usize> {
    /// Value.
    pub value: f64,
    /// Derivatives.
    pub derivatives: [f64; N],
}

impl<const N: usize> Jet<N> {
    /// Creates the variables: the derivative of each with respect to itself is one.
    pub fn variables(values: [f64; N]) -> [Jet<N>; N] {
        let mut variables = values.map(|value| Jet { value, derivatives: [0.0; N] });
        variables.iter_mut().enumerate().for_each(|(i, variable)| variable.derivatives[i] = 1.0);
        variables
    }
}

impl<const N: usize> Add for Jet<N> {
    type Output = Self;

    #[inline]
    fn add(mut self, other: Self) -> Self {
        self.value += other.value;
        for i in 0..N {
            self.derivatives[i] += other.derivatives[i];
        }
        self
    }
}

impl<const N: usize> Sub for Jet<N> {
    type Output = Self;

    #[inline]
    fn sub(mut self, other: Self) -> Self {
        self.value -= other.value;
        for i in 0..N {
            self.derivatives[i] -= other.derivatives[i];
        }
        self
    }
}

impl<const N: usize> Mul for Jet<N> {
    type Output = Self;

    #[inline]
    fn mul(mut self, other: Self) -> Self {
        for i in 0..N {
            self.derivatives[i] = self.derivatives[i] * other.value + self.value * other.derivatives[i];
        }
        self.value *= other.value;
        self
    }
}

impl<const N: usize> Mul<f64> for Jet<N> {
    type Output = Self;

    #[inline]
    fn mul(mut self, factor: f64) -> Self {
        self.value *= factor;
        for i in 0..N {
            self.derivatives[i] *= factor;
        }
        self
    }
}
