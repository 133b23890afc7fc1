//! Phasors, which describe one order of a periodic quantity, and their computation from samples.

use core::f64::consts::TAU;
use core::iter::Sum;
use core::ops::{Add, AddAssign, Mul, Neg, Sub};

use crate::{Real, math};

/// Order k of a periodic quantity: x(θ) = c cos(k θ) + s sin(k θ) = Re((c − i s) e^{i k θ}).
///
/// Phasors of one order add as vectors. For example, the sum of the phasors of the forces of several cylinders is the phasor of the resultant
/// force, and the sum with the distances of the cylinders as factors is that of the resultant couple.
///
/// ```
/// use mbs_math::Phasor;
///
/// // Three cylinders 120° apart: their primary forces cancel, their couples do not.
/// let force = Phasor::new(100.0, 0.0);
/// let phase = |i: i32| f64::from(i) * core::f64::consts::TAU / 3.0;
/// let sum: Phasor = (0..3).map(|i| force.advanced(phase(i))).sum();
/// let couple: Phasor = (0..3).map(|i| force.advanced(phase(i)) * (0.1 * f64::from(i - 1))).sum();
/// assert!(sum.amplitude() < 1e-12);
/// assert!((couple.amplitude() - 10.0 * f64::sqrt(3.0)).abs() < 1e-12);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Phasor {
    /// Factor c of the cosine, in the unit of the quantity.
    pub cos: f64,
    /// Factor s of the sine, in the unit of the quantity.
    pub sin: f64,
}

impl Phasor {
    /// The phasor of c cos(k θ) + s sin(k θ).
    pub fn new(cos: f64, sin: f64) -> Self {
        Phasor { cos, sin }
    }

    /// The phasor of A cos(k θ − ϕ), which is largest where k θ is the phase ϕ \[rad\].
    pub fn of_amplitude(amplitude: f64, phase: f64) -> Self {
        let (sin, cos) = math::sin_cos(phase);
        Phasor { cos: amplitude * cos, sin: amplitude * sin }
    }

    /// The amplitude √(c² + s²): half the difference between the least and the largest value.
    pub fn amplitude(self) -> f64 {
        math::hypot(self.cos, self.sin)
    }

    /// The angle k θ \[rad\] in (−π, π] at which the value is largest; 0 if the amplitude is 0.
    pub fn phase(self) -> f64 {
        math::atan2(self.sin, self.cos)
    }

    /// The value at the angle k θ \[rad\].
    pub fn value(self, angle: f64) -> f64 {
        let (sin, cos) = math::sin_cos(angle);
        self.cos * cos + self.sin * sin
    }

    /// The phasor of x(θ + φ), the quantity advanced by `angle` = k φ \[rad\].
    #[must_use]
    pub fn advanced(self, angle: f64) -> Self {
        let (sin, cos) = math::sin_cos(angle);
        Phasor { cos: self.cos * cos + self.sin * sin, sin: self.sin * cos - self.cos * sin }
    }

    /// The phasor of x(−θ), the quantity with reversed θ.
    #[must_use]
    pub fn reversed(self) -> Self {
        Phasor { cos: self.cos, sin: -self.sin }
    }
}

/// Phasor of order k of samples at equal distances over a period, x_j = x(2π j/n): c = 2/n Σ x_j cos(2π j k/n), s with the sine; half of
/// that for the orders 0 and n/2, so that order 0 is the mean. The result is zero if there are no samples. Nothing is allocated.
///
/// `order` counts waves within the samples: where these are of p revolutions, order k of the samples is order k/p of the revolution. Orders k
/// and n − k have equal values at the samples, so n must be above twice the highest order of the quantity. Angles are reduced before they are
/// rounded, so that the error is that of the sum, some n ε of the largest sample.
///
/// # Source
/// Discrete Fourier transform; Brigham (1988), The fast Fourier transform and its applications, ch. 6.
pub fn harmonic<T: Real>(samples: &[T], order: usize) -> Phasor {
    let n = samples.len();
    if n == 0 {
        return Phasor::default();
    }
    let order = order % n;
    let (mut sum, mut wave) = (Phasor::default(), 0);
    for sample in samples {
        let (sin, cos) = math::sin_cos(TAU * (wave as f64 / n as f64));
        sum += Phasor::new(cos, sin) * sample.to_f64();
        wave = (wave + order) % n;
    }
    let is_single = order == 0 || 2 * order == n;
    let factor = if is_single { 1.0 } else { 2.0 } / n as f64;
    // Sines of order n/2 vanish at every sample.
    if is_single { Phasor::new(factor * sum.cos, 0.0) } else { sum * factor }
}

impl Add for Phasor {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Phasor { cos: self.cos + other.cos, sin: self.sin + other.sin }
    }
}

impl AddAssign for Phasor {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sub for Phasor {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Phasor { cos: self.cos - other.cos, sin: self.sin - other.sin }
    }
}

impl Neg for Phasor {
    type Output = Self;

    fn neg(self) -> Self {
        Phasor { cos: -self.cos, sin: -self.sin }
    }
}

impl Mul<f64> for Phasor {
    type Output = Self;

    fn mul(self, factor: f64) -> Self {
        Phasor { cos: factor * self.cos, sin: factor * self.sin }
    }
}

impl Sum for Phasor {
    fn sum<I: Iterator<Item = Self>>(phasors: I) -> Self {
        phasors.fold(Phasor::default(), Add::add)
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::*;

    #[test]
    fn waves_have_their_phasors() {
        for n in [1_usize, 2, 7, 12, 128, 360] {
            for order in 0..n.div_ceil(2) {
                let wave = Phasor::of_amplitude(3.0, 0.7);
                let mut samples = [0.0; 360];
                for (j, sample) in samples[..n].iter_mut().enumerate() {
                    *sample = wave.value(TAU * (order * j % n) as f64 / n as f64);
                }
                let found = harmonic(&samples[..n], order);
                let expected = if order == 0 { Phasor::new(wave.cos, 0.0) } else { wave };
                // n terms of 3.
                assert!((found - expected).amplitude() < 1e-13, "{n} {order}: {found:?}");
                for other in (0..n.div_ceil(2)).filter(|other| *other != order) {
                    assert!(harmonic(&samples[..n], other).amplitude() < 1e-12, "{n} {order} {other}");
                }
            }
        }
        assert_eq!(harmonic::<f32>(&[], 3), Phasor::default());
        assert_eq!(harmonic(&[1.0_f32, -1.0], 1), Phasor::new(1.0, 0.0));
    }

    #[test]
    fn phasors_shift_and_reverse() {
        let wave = Phasor::new(-1.5, 2.0);
        assert_eq!(wave.amplitude(), 2.5);
        assert!((wave.value(wave.phase()) - 2.5).abs() < 1e-15);
        for angle in [-4.0, 0.0, 0.3, 2.0, 9.0] {
            assert!((wave.advanced(0.9).value(angle) - wave.value(angle + 0.9)).abs() < 1e-14);
            assert!((wave.reversed().value(angle) - wave.value(-angle)).abs() < 1e-14);
        }
        assert_eq!(wave + -wave, Phasor::default());
    }
}
