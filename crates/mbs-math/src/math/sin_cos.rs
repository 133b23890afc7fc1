//! Sine and cosine of one angle, together.
//!
//! 1. n = round(2x/π), taken from the low mantissa bits of 2x/π + 1.5·2⁵².
//! 2. r = x − n π/2 with π/2 = P1 + P2, where P1 has 33 bits, so that n P1 and x − n P1 are exact for |n| < 2²⁰, and
//!    n P2 is below 2e-6, so that its rounding does not count (Cody & Waite 1980, ch. 8): r is rounded once.
//! 3. sin r and cos r on |r| ≤ π/4 by the minimax polynomials of fdlibm (`k_sin.c`, `k_cos.c`).
//! 4. Quadrant n mod 4: odd n swaps the two, bits of n and n + 1 give the signs.

/// P1: the first 33 bits of π/2.
const P1: f64 = f64::from_bits(0x3FF9_21FB_5440_0000);
/// P2: the rest, rounded to 53 bits.
const P2: f64 = f64::from_bits(0x3DD0_B461_1A62_6331);
/// 1.5·2⁵²: adding it rounds to an integer, whose two's complement is in the low bits of the sum.
const ROUND: f64 = 6_755_399_441_055_744.0;
/// Above this |x| the reduction would lose accuracy, and `libm` takes over.
const LIMIT: f64 = 5.0e4;

/// (sin r − r)/r³ = S\[0\] + S\[1\] r² + …, fdlibm's minimax on |r| ≤ π/4.
const S: [f64; 6] = [
    -1.666_666_666_666_663_2e-1,
    8.333_333_333_322_49e-3,
    -1.984_126_982_985_795e-4,
    2.755_731_370_707_006_8e-6,
    -2.505_076_025_340_686_3e-8,
    1.589_690_995_211_55e-10,
];
/// (cos r − 1 + r²/2)/r⁴ = C\[0\] + C\[1\] r² + …, fdlibm's minimax on |r| ≤ π/4.
const C: [f64; 6] = [
    4.166_666_666_666_66e-2,
    -1.388_888_888_887_411e-3,
    2.480_158_728_947_673e-5,
    -2.755_731_435_139_066_3e-7,
    2.087_572_321_298_175e-9,
    -1.135_964_755_778_819_5e-11,
];

/// Whether this crate was compiled with fused multiply-adds: feature `std` and target feature `fma`.
pub const FUSED: bool = cfg!(all(feature = "std", target_feature = "fma"));

/// (sin x, cos x), absolute error at most 2.3e-16 each (1.8e-16 measured); NaN where x is not finite.
///
/// The function has no branches for |x| < 5e4, and calls `libm` above. It is compiled with fused multiply-adds where [`FUSED`] is true.
///
/// # Source
/// Cody & Waite (1980), Software Manual for the Elementary Functions, ch. 8; polynomials of fdlibm 5.3.
#[inline]
pub fn sin_cos(x: f64) -> (f64, f64) {
    if is_moderate(x) { polynomials(x) } else { reduce_by_libm(x) }
}

/// The sines and the cosines of several angles, each with the bits of [`sin_cos`].
///
/// Their range is checked once for all. They are computed in groups of four, which vector instructions do in the time of one or two.
#[inline(always)] // few angles stay in registers
pub fn sin_cos_each<const N: usize>(x: [f64; N]) -> ([f64; N], [f64; N]) {
    if N <= MOST_IN_REGISTERS { in_groups(&x) } else { in_memory(&x) }
}

/// Most angles whose sines and cosines are computed where they are asked for; more of them make too much code.
const MOST_IN_REGISTERS: usize = 4;

/// [`sin_cos_each`] as a function of its own.
#[inline(never)]
fn in_memory<const N: usize>(x: &[f64; N]) -> ([f64; N], [f64; N]) {
    in_groups(x)
}

#[inline(always)]
fn in_groups<const N: usize>(x: &[f64; N]) -> ([f64; N], [f64; N]) {
    if !x.iter().fold(true, |all, x| all & is_moderate(*x)) {
        return each_by_itself(x);
    }
    let (mut sin, mut cos) = ([0.0; N], [0.0; N]);
    let (x, x_rest) = x.as_chunks::<4>();
    let (sin_lanes, sin_rest) = sin.as_chunks_mut::<4>();
    let (cos_lanes, cos_rest) = cos.as_chunks_mut::<4>();
    in_lanes(x, sin_lanes, cos_lanes);
    let (x, x_rest) = x_rest.as_chunks::<2>();
    let (sin_lanes, sin_rest) = sin_rest.as_chunks_mut::<2>();
    let (cos_lanes, cos_rest) = cos_rest.as_chunks_mut::<2>();
    in_lanes(x, sin_lanes, cos_lanes);
    if let ([x], [sin], [cos]) = (x_rest, sin_rest, cos_rest) {
        (*sin, *cos) = polynomials(*x);
    }
    (sin, cos)
}

/// The sines and cosines of moderate angles, L in one group of vector instructions.
#[inline(always)]
fn in_lanes<const L: usize>(x: &[[f64; L]], sin: &mut [[f64; L]], cos: &mut [[f64; L]]) {
    for ((x, sin), cos) in x.iter().zip(sin).zip(cos) {
        for ((x, sin), cos) in x.iter().zip(sin).zip(cos) {
            (*sin, *cos) = polynomials(*x);
        }
    }
}

/// [`sin_cos_each`] where an angle is large or not finite.
#[cold]
#[inline(never)]
fn each_by_itself<const N: usize>(x: &[f64; N]) -> ([f64; N], [f64; N]) {
    let pairs = x.map(sin_cos);
    (pairs.map(|pair| pair.0), pairs.map(|pair| pair.1))
}

/// [`sin_cos`] with fused multiply-adds.
#[cfg(feature = "std")]
#[doc(hidden)]
#[inline]
pub fn sin_cos_fused(x: f64) -> (f64, f64) {
    if is_moderate(x) { fused_polynomials(x) } else { reduce_by_libm(x) }
}

/// [`sin_cos`] without fused multiply-adds.
#[doc(hidden)]
#[inline]
pub fn sin_cos_plain(x: f64) -> (f64, f64) {
    if is_moderate(x) { plain_polynomials(x) } else { reduce_by_libm(x) }
}

/// (sin x, cos x) of a moderate x, with the multiply-adds of this build.
#[inline(always)]
fn polynomials(x: f64) -> (f64, f64) {
    #[cfg(all(feature = "std", target_feature = "fma"))]
    return fused_polynomials(x);
    #[cfg(not(all(feature = "std", target_feature = "fma")))]
    return plain_polynomials(x);
}

/// (sin x, cos x) of a moderate x, with fused multiply-adds.
#[cfg(feature = "std")]
#[inline(always)]
fn fused_polynomials(x: f64) -> (f64, f64) {
    let shifted = x.mul_add(core::f64::consts::FRAC_2_PI, ROUND);
    let n = shifted - ROUND;
    let r = (-n).mul_add(P2, (-n).mul_add(P1, x));
    let (z, z2) = (r * r, r * r * (r * r));
    let s01 = S[1].mul_add(z, S[0]);
    let s23 = S[3].mul_add(z, S[2]);
    let s45 = S[5].mul_add(z, S[4]);
    let sin = s45.mul_add(z2, s23).mul_add(z2, s01).mul_add(z * r, r);
    let c01 = C[1].mul_add(z, C[0]);
    let c23 = C[3].mul_add(z, C[2]);
    let c45 = C[5].mul_add(z, C[4]);
    let cos = c45.mul_add(z2, c23).mul_add(z2, c01).mul_add(z2, (-0.5f64).mul_add(z, 1.0));
    quadrant(shifted.to_bits(), sin, cos)
}

/// (sin x, cos x) of a moderate x, without fused multiply-adds.
#[inline(always)]
fn plain_polynomials(x: f64) -> (f64, f64) {
    let shifted = x * core::f64::consts::FRAC_2_PI + ROUND;
    let n = shifted - ROUND;
    let r = (x - n * P1) - n * P2;
    let (z, z2) = (r * r, r * r * (r * r));
    let s = (S[0] + S[1] * z) + z2 * ((S[2] + S[3] * z) + z2 * (S[4] + S[5] * z));
    let c = (C[0] + C[1] * z) + z2 * ((C[2] + C[3] * z) + z2 * (C[4] + C[5] * z));
    quadrant(shifted.to_bits(), r + z * r * s, (1.0 - 0.5 * z) + z2 * c)
}

/// Whether |x| is small enough for the reduction of step 2; false for NaN.
#[inline(always)]
fn is_moderate(x: f64) -> bool {
    x.abs() < LIMIT
}

/// sin and cos of r + k π/2 from sin r and cos r, without branches.
#[inline(always)]
fn quadrant(k: u64, sin: f64, cos: f64) -> (f64, f64) {
    // Bits in which the two differ, if k is odd.
    let swapped = (sin.to_bits() ^ cos.to_bits()) & (k & 1).wrapping_neg();
    let (sign_sin, sign_cos) = ((k & 2) << 62, (k.wrapping_add(1) & 2) << 62);
    (f64::from_bits(sin.to_bits() ^ swapped ^ sign_sin), f64::from_bits(cos.to_bits() ^ swapped ^ sign_cos))
}

/// (sin x, cos x) by `libm`, whose reduction is accurate for every x.
#[cold]
#[inline(never)]
fn reduce_by_libm(x: f64) -> (f64, f64) {
    libm::sincos(x)
}
