//! All orders of a periodic column: its Fourier series, by the fast Fourier transform.

use std::f64::consts::TAU;

use realfft::RealFftPlanner;
use realfft::num_complex::Complex;

use super::AnalysisError;
use super::curve::bisect;
use mbs_core::Phasor;

/// Number of values per sample among which extreme values are searched for.
const DENSITY: usize = 8;

/// A periodic quantity as its orders: x(θ) = x̄ + Σ c_k cos(k θ) + s_k sin(k θ), with θ the angle of the crank.
///
/// ```
/// use mbs::analysis::Harmonics;
///
/// let samples: Vec<f64> = (0..64).map(|j| 3.0 + (f64::from(j) * std::f64::consts::TAU / 64.0).cos()).collect();
/// let harmonics = Harmonics::new(&samples, 1)?;
/// assert!((harmonics.mean() - 3.0).abs() < 1e-14);
/// assert!((harmonics.order(1.0).amplitude() - 1.0).abs() < 1e-14);
/// // The sum of two, half a revolution apart: order 1 cancels, means add.
/// let both = harmonics.superposed([(1.0, 0.0), (1.0, std::f64::consts::PI)]);
/// assert!(both.order(1.0).amplitude() < 1e-14 && (both.mean() - 6.0).abs() < 1e-14);
/// # Ok::<(), mbs::analysis::AnalysisError>(())
/// ```
///
/// - Order k has k waves per revolution. Where the period is p revolutions there are orders 1/p, 2/p, …: half orders of a four-stroke
///   engine.
/// - n samples determine n/2 orders per period. Between samples the sum of the orders is a smooth curve through them: it converges
///   faster than any power of n for smooth quantities, and oscillates near jumps.
/// - [`Cycle::harmonics`](super::Cycle::harmonics) computes them from any column of a recording. [`harmonic`](mbs_core::harmonic) computes a
///   single order, without `std`.
#[derive(Clone, Debug, PartialEq)]
pub struct Harmonics {
    /// Revolutions of the period.
    revolutions: usize,
    /// Number of samples.
    samples: usize,
    /// Orders 0, 1/p, 2/p, … up to half the samples; the first is the mean.
    bins: Vec<Phasor>,
}

impl Harmonics {
    /// Harmonics of samples at equal angles over a period of `revolutions` revolutions, x(2π p j/n): the first sample is at θ = 0, and the one
    /// at the end of the period is omitted. Zero revolutions count as one.
    ///
    /// # Errors
    /// [`AnalysisError::TooFewRows`] without samples, [`AnalysisError::NotFinite`].
    pub fn new(samples: &[f64], revolutions: usize) -> Result<Self, AnalysisError> {
        Harmonics::named("samples", samples, revolutions)
    }

    /// Harmonics of a column; `name` is for errors.
    pub(super) fn named(name: &str, samples: &[f64], revolutions: usize) -> Result<Self, AnalysisError> {
        let n = samples.len();
        if n == 0 {
            return Err(AnalysisError::TooFewRows { needed: 1, found: 0 });
        }
        if samples.iter().any(|x| !x.is_finite()) {
            return Err(AnalysisError::NotFinite { column: name.into() });
        }
        let transform = RealFftPlanner::<f64>::new().plan_fft_forward(n);
        let (mut input, mut spectrum) = (samples.to_vec(), transform.make_output_vec());
        transform.process(&mut input, &mut spectrum).expect("buffers have the sizes of the plan");
        // X_k = Σ x_j e^{−2πi j k/n} = n/2 (c − i s), for the mean and order n/2 twice that.
        let bin = |(k, x): (usize, &Complex<f64>)| {
            let factor = if is_single(k, n) { 1.0 } else { 2.0 } / n as f64;
            Phasor::new(factor * x.re, -factor * x.im)
        };
        let bins = spectrum.iter().enumerate().map(bin).collect();
        Ok(Harmonics { revolutions: revolutions.max(1), samples: n, bins })
    }

    /// Number p of revolutions of the period.
    pub fn revolutions(&self) -> usize {
        self.revolutions
    }

    /// The mean x̄, in the unit of the column.
    pub fn mean(&self) -> f64 {
        self.bins[0].cos
    }

    /// Root of the mean square, √(x̄² + ½ Σ c_k² + s_k²): Parseval's theorem.
    pub fn rms(&self) -> f64 {
        let mean = self.mean();
        let waves = self.bins[1..].iter().map(|bin| 0.5 * (bin.cos * bin.cos + bin.sin * bin.sin));
        (mean * mean + waves.sum::<f64>()).sqrt()
    }

    /// An order, in waves per revolution: 1 is primary, 2 secondary, ½ the firing of one four-stroke cylinder. It is zero for orders that
    /// the period or the samples do not have; order 0 is the mean as a cosine.
    pub fn order(&self, order: f64) -> Phasor {
        let bin = order * self.revolutions as f64;
        let is_there = bin >= 0.0 && (bin - bin.round()).abs() < 1e-9;
        // Zero beyond all bins, and for orders that are not finite.
        if is_there { self.bins.get(bin.round() as usize).copied().unwrap_or_default() } else { Phasor::default() }
    }

    /// All orders with their phasors, the mean as order 0 first.
    pub fn orders(&self) -> impl Iterator<Item = (f64, Phasor)> + '_ {
        self.bins.iter().enumerate().map(|(k, bin)| (k as f64 / self.revolutions as f64, *bin))
    }

    /// The value at an angle θ \[rad\].
    pub fn value(&self, angle: f64) -> f64 {
        self.orders().map(|(order, phasor)| phasor.value(order * angle)).sum()
    }

    /// Values at `count` equal angles over the period, the first at θ = 0, by the inverse transform. `count` may differ from the number of
    /// samples.
    pub fn samples(&self, count: usize) -> Vec<f64> {
        if count == 0 {
            return Vec::new();
        }
        let transform = RealFftPlanner::<f64>::new().plan_fft_inverse(count);
        let mut spectrum = transform.make_input_vec();
        for (k, bin) in self.bins.iter().enumerate() {
            // With few samples orders k and k ± count coincide, and order count − k is reversed.
            let folded = k % count;
            let (k, bin) = if 2 * folded > count { (count - folded, bin.reversed()) } else { (folded, *bin) };
            spectrum[k] += if is_single(k, count) {
                Complex::new(bin.cos, 0.0)
            } else {
                Complex::new(0.5 * bin.cos, -0.5 * bin.sin)
            };
        }
        let mut values = transform.make_output_vec();
        transform.process(&mut spectrum, &mut values).expect("buffers have the sizes of the plan");
        values
    }

    /// x(θ + φ), advanced by `angle` = φ \[rad\]. For multiples of the sample spacing that is a shift of the samples.
    #[must_use]
    pub fn advanced(&self, angle: f64) -> Self {
        self.superposed([(1.0, angle)])
    }

    /// x(−θ), reversed in the angle.
    #[must_use]
    pub fn reversed(&self) -> Self {
        self.map(|_, bin| bin.reversed())
    }

    /// Σ f x(θ + φ) over pairs of a factor f and a phase φ \[rad\]: the sum over cylinders, or of their moments with their distances as
    /// factors.
    #[must_use]
    pub fn superposed(&self, terms: impl IntoIterator<Item = (f64, f64)>) -> Self {
        let terms: Vec<(f64, f64)> = terms.into_iter().collect();
        // Each phasor is multiplied by Σ f e^{i k φ}.
        self.map(|order, bin| terms.iter().map(|(factor, phase)| bin.advanced(order * phase) * *factor).sum())
    }

    /// ∫ (x − x̄) dθ with zero mean: of a torque \[N m\], the work \[J\] of its deviation from the mean.
    #[must_use]
    pub fn integral(&self) -> Self {
        let part = |order: f64, bin: Phasor| {
            if order == 0.0 { Phasor::default() } else { Phasor::new(-bin.sin, bin.cos) * order.recip() }
        };
        self.map(part)
    }

    /// dx/dθ \[1/rad\].
    #[must_use]
    pub fn derivative(&self) -> Self {
        self.map(|order, bin| Phasor::new(bin.sin, -bin.cos) * order)
    }

    /// The least and the largest value, as (angle θ \[rad\] in the period, value).
    pub fn extremes(&self) -> [(f64, f64); 2] {
        let values = self.samples(DENSITY * self.samples);
        let derivative = self.derivative();
        let spacing = TAU * self.revolutions as f64 / values.len() as f64;
        [1.0, -1.0].map(|sign| {
            let least = (0..values.len()).min_by(|i, j| (sign * values[*i]).total_cmp(&(sign * values[*j])));
            let near = least.expect("there are samples") as f64 * spacing;
            let rate = |angle: f64| sign * derivative.value(angle);
            let (low, high) = (near - spacing, near + spacing);
            let angle = if rate(low) < 0.0 && rate(high) > 0.0 { bisect(low, high, rate) } else { near };
            let period = TAU * self.revolutions as f64;
            let within = angle.rem_euclid(period);
            // Just below zero it rounds to the period.
            (if within < period { within } else { 0.0 }, self.value(angle))
        })
    }

    /// Harmonics with the same orders, each phasor mapped by a function of order and phasor.
    fn map(&self, phasor: impl Fn(f64, Phasor) -> Phasor) -> Self {
        let bins = self.orders().map(|(order, bin)| phasor(order, bin)).collect();
        Harmonics { bins, ..*self }
    }

    /// x + f y of two quantities with the same number of samples.
    pub(super) fn plus(&self, factor: f64, other: &Harmonics) -> Self {
        self.map(|order, bin| bin + other.order(order) * factor)
    }
}

/// Whether an order of n samples coincides with its image n − k, so that it has no sine.
fn is_single(k: usize, n: usize) -> bool {
    k == 0 || 2 * k == n
}
