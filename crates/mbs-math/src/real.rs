//! The number type of the runtime: `f64`, and `f32` where memory or hardware asks for it.

use core::fmt::{Debug, Display};
use core::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

/// A real number: ordered field arithmetic, absolute value, square root and conversions.
///
/// Integrators, projection and assembly are generic over it; generated code uses concrete types.
pub trait Real:
    Copy
    + Debug
    + Display
    + PartialOrd
    + Default
    + Send
    + Sync
    + 'static
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + AddAssign
    + SubAssign
    + MulAssign
    + DivAssign
{
    /// 0.
    const ZERO: Self;
    /// 1.
    const ONE: Self;
    /// Distance from 1 to the next larger number.
    const EPSILON: Self;

    /// The nearest number to `x`.
    fn from_f64(x: f64) -> Self;
    /// This number as `f64`.
    fn to_f64(self) -> f64;
    /// |x|.
    fn abs(self) -> Self;
    /// √x, correctly rounded; NaN below zero.
    fn sqrt(self) -> Self;
    /// xʸ, as `libm` computes it.
    fn powf(self, exponent: Self) -> Self;
    /// Neither infinite nor NaN.
    fn is_finite(self) -> bool;

    /// The larger of two numbers; `self` where `other` is NaN.
    fn max(self, other: Self) -> Self {
        if other > self { other } else { self }
    }

    /// The smaller of two numbers; `self` where `other` is NaN.
    fn min(self, other: Self) -> Self {
        if other < self { other } else { self }
    }
}

impl Real for f64 {
    const ZERO: Self = 0.0;
    const ONE: Self = 1.0;
    const EPSILON: Self = f64::EPSILON;

    fn from_f64(x: f64) -> Self {
        x
    }

    fn to_f64(self) -> f64 {
        self
    }

    fn abs(self) -> Self {
        self.abs()
    }

    fn sqrt(self) -> Self {
        crate::math::sqrt(self)
    }

    fn powf(self, exponent: Self) -> Self {
        libm::pow(self, exponent)
    }

    fn is_finite(self) -> bool {
        self.is_finite()
    }
}

impl Real for f32 {
    const ZERO: Self = 0.0;
    const ONE: Self = 1.0;
    const EPSILON: Self = f32::EPSILON;

    fn from_f64(x: f64) -> Self {
        x as f32
    }

    fn to_f64(self) -> f64 {
        f64::from(self)
    }

    fn abs(self) -> Self {
        self.abs()
    }

    fn sqrt(self) -> Self {
        libm::sqrtf(self)
    }

    fn powf(self, exponent: Self) -> Self {
        libm::powf(self, exponent)
    }

    fn is_finite(self) -> bool {
        self.is_finite()
    }
}
