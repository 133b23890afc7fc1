//! Scalar functions that generated code and the interpreter call.
//!
//! Every function gives the same bits with and without `std` and on every target: square root and floor are exact
//! operations, the rest comes from `libm`. The exceptions are [`sin_cos`] and [`sin_cos_each`], which use fused multiply-adds where this
//! crate was compiled with them ([`FUSED`]); the error of either version is within the same bound.

mod sin_cos;

pub use sin_cos::{FUSED, sin_cos, sin_cos_each, sin_cos_plain};

#[cfg(feature = "std")]
pub use sin_cos::sin_cos_fused;

/// √x, correctly rounded. Domain x ≥ 0, NaN below; the derivative is infinite at 0.
#[inline]
pub fn sqrt(x: f64) -> f64 {
    #[cfg(feature = "std")]
    return x.sqrt();
    #[cfg(not(feature = "std"))]
    return libm::sqrt(x);
}

/// sin x, as [`sin_cos`] computes it. NaN at ±∞.
#[inline]
pub fn sin(x: f64) -> f64 {
    sin_cos(x).0
}

/// cos x, as [`sin_cos`] computes it. NaN at ±∞.
#[inline]
pub fn cos(x: f64) -> f64 {
    sin_cos(x).1
}

/// Number i of a list of unrelated numbers in [−1, 1]: sin(phase + 1.7 i + 0.37 i²), with the argument in radians. Without the square, every
/// three consecutive numbers would obey one recurrence, and two attitudes of such numbers would be rotations about the same axis.
#[doc(hidden)]
pub fn irrational(phase: f64, i: usize) -> f64 {
    let i = i as f64;
    sin(phase + 1.7 * i + 0.37 * i * i)
}

/// tan x. The poles are at odd multiples of π/2, none of which is a finite `f64`.
pub fn tan(x: f64) -> f64 {
    libm::tan(x)
}

/// Inverse sine in [−π/2, π/2]. Domain |x| ≤ 1, NaN outside; the derivative is infinite at ±1.
pub fn asin(x: f64) -> f64 {
    libm::asin(x)
}

/// Inverse cosine in [0, π]. Domain |x| ≤ 1, NaN outside; the derivative is infinite at ±1.
pub fn acos(x: f64) -> f64 {
    libm::acos(x)
}

/// Inverse tangent in (−π/2, π/2).
pub fn atan(x: f64) -> f64 {
    libm::atan(x)
}

/// Polar angle of the point (x, y) in [−π, π]. It jumps by 2π across the negative x axis, and is 0 at the origin, where it has no derivative.
pub fn atan2(y: f64, x: f64) -> f64 {
    libm::atan2(y, x)
}

/// Hyperbolic sine; infinite for |x| above 710.
pub fn sinh(x: f64) -> f64 {
    libm::sinh(x)
}

/// Hyperbolic cosine; infinite for |x| above 710.
pub fn cosh(x: f64) -> f64 {
    libm::cosh(x)
}

/// Hyperbolic tangent, in [−1, 1].
pub fn tanh(x: f64) -> f64 {
    libm::tanh(x)
}

/// eˣ; infinite above x ≈ 709.8, 0 below −745.
pub fn exp(x: f64) -> f64 {
    libm::exp(x)
}

/// Natural logarithm. Domain x > 0; −∞ at 0, NaN below.
pub fn ln(x: f64) -> f64 {
    libm::log(x)
}

/// xʸ for real y. Domain x > 0, or x = 0 with y ≥ 0 (0⁰ = 1), or x < 0 with y an integer; NaN otherwise.
/// The derivative y xʸ⁻¹ is infinite at x = 0 when 0 < y < 1.
pub fn powf(x: f64, y: f64) -> f64 {
    libm::pow(x, y)
}

/// √(x² + y²) without overflow of the squares. It has a kink at the origin, where derivatives are taken as 0.
pub fn hypot(x: f64, y: f64) -> f64 {
    libm::hypot(x, y)
}

/// The largest integer not above x, exact. It jumps at integers; its derivative is taken as 0 everywhere.
#[inline]
pub fn floor(x: f64) -> f64 {
    #[cfg(feature = "std")]
    return x.floor();
    #[cfg(not(feature = "std"))]
    return libm::floor(x);
}

/// |x|. It has a kink at 0, where the derivative [`signum`] is taken as 0.
#[inline]
pub fn abs(x: f64) -> f64 {
    x.abs()
}

/// The smaller of two numbers; NaN if either is. At a = b the derivative is that of a.
#[inline]
pub fn min(a: f64, b: f64) -> f64 {
    if b < a || b.is_nan() { b } else { a }
}

/// The larger of two numbers; NaN if either is. At a = b the derivative is that of a.
#[inline]
pub fn max(a: f64, b: f64) -> f64 {
    if b > a || b.is_nan() { b } else { a }
}

/// The mathematical sign: −1, 0 or 1, and 0 at ±0 (unlike `f64::signum`); NaN at NaN. Its derivative is taken as 0.
#[inline]
pub fn signum(x: f64) -> f64 {
    if x > 0.0 {
        1.0
    } else if x < 0.0 {
        -1.0
    } else {
        x * 0.0
    }
}

/// Chooses between items written with fused multiply-adds and items without, as `mbs-math` was compiled.
///
/// `select_fma! { { fn f() { … } } { fn f() { … } } }` expands to the first group where [`math::FUSED`](crate::math::FUSED)
/// is true, else to the second. This crate decides, because only here it is known whether there is `std`, which has `mul_add`.
#[cfg(all(feature = "std", target_feature = "fma"))]
#[doc(hidden)]
#[macro_export]
macro_rules! select_fma { ({ $($fused:tt)* } { $($plain:tt)* }) => { $($fused)* } }

/// Chooses between items written with fused multiply-adds and items without, as `mbs-math` was compiled.
///
/// `select_fma! { { fn f() { … } } { fn f() { … } } }` expands to the first group where [`math::FUSED`](crate::math::FUSED)
/// is true, else to the second. This crate decides, because only here it is known whether there is `std`, which has `mul_add`.
#[cfg(not(all(feature = "std", target_feature = "fma")))]
#[doc(hidden)]
#[macro_export]
macro_rules! select_fma { ({ $($fused:tt)* } { $($plain:tt)* }) => { $($plain)* } }
