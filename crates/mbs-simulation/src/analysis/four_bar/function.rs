//! Function generation: four-bars whose rocker angle is a function of the crank angle at three points.
//!
//! With angles of crank φ and rocker ψ from the line of the fixed pivots, and lengths g, a, b, c of ground, crank, coupler and
//! rocker:
//!
//! 1. K₁ cos ψ − K₂ cos φ + K₃ = cos(φ − ψ), K₁ = g/a, K₂ = g/c, K₃ = (g² + a² + c² − b²)/(2 a c)
//!
//! # Sources
//! Freudenstein (1955), Approximate synthesis of four-bar linkages, Trans. ASME 77; Hartenberg & Denavit (1964), Kinematic
//! synthesis of linkages, ch. 5 and 10.

use std::f64::consts::{PI, TAU};

use super::defects::{Defect, defects};
use super::{Assembly, FourBarLinkage};
use crate::analysis::AnalysisError;

/// Determinants, relative to their terms, below which there is no finite solution.
const SINGULAR: f64 = 1e-12;

/// Linear scale from values to angles: one range of values corresponds to one range of angles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AngleScale {
    /// Two numbers.
    pub values: [f64; 2],
    /// The corresponding angles \[rad\].
    pub angles: [f64; 2],
}

impl AngleScale {
    /// The angle \[rad\] of a number.
    pub fn angle(&self, value: f64) -> f64 {
        linear(self.values, self.angles, value)
    }

    /// The number of an angle \[rad\].
    pub fn value(&self, angle: f64) -> f64 {
        linear(self.angles, self.values, angle)
    }
}

/// Three arguments between two, at which a smooth function is interpolated so that its largest error in the range is small:
/// the zeros of Chebyshev's polynomial, x̄ − ½ Δx cos(π (2 j − 1)/6).
pub fn chebyshev_spacing([from, to]: [f64; 2]) -> [f64; 3] {
    [1.0, 3.0, 5.0].map(|k| 0.5 * (from + to) - 0.5 * (to - from) * (PI * k / 6.0).cos())
}

/// A four-bar whose rocker is at given angles at three angles of its crank: function generation.
///
/// ```
/// use mbs::analysis::{AngleScale, FunctionGenerator};
///
/// // y = log₁₀ x from 1 to 2: the crank rotates by 60°, the rocker by 90°.
/// let x = AngleScale { values: [1.0, 2.0], angles: [35.0, 95.0].map(f64::to_radians) };
/// let y = AngleScale { values: [0.0, 2.0_f64.log10()], angles: [-55.0, 35.0].map(f64::to_radians) };
/// let generator = FunctionGenerator::of(f64::log10, x, y, 0.1)?;
/// println!("{:?}, {:?}", generator.linkage, generator.linkage.grashof());
/// assert!(generator.defects.is_empty());
/// let reading = |at: f64| generator.rocker_angle(x.angle(at)).map(|angle| y.value(angle));
/// assert!((reading(1.5).unwrap() - 1.5_f64.log10()).abs() < 1e-12);    // a precision point
/// assert!((reading(1.2).unwrap() - 1.2_f64.log10()).abs() < 2e-4);     // in between
/// # Ok::<(), mbs::analysis::AnalysisError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct FunctionGenerator {
    /// Its lengths \[m\].
    pub linkage: FourBarLinkage,
    /// Precision points: angles of crank and rocker \[rad\] as given.
    pub pairs: [[f64; 2]; 3],
    /// Angle \[rad\] from the direction of φ to the crank: 0, or π where Freudenstein's equation has a negative length.
    pub crank_offset: f64,
    /// Angle \[rad\] from the direction of ψ to the rocker: 0 or π.
    pub rocker_offset: f64,
    /// Its assemblies at the precision points.
    pub assemblies: [Assembly; 3],
    /// Defects that keep the crank from moving it through the precision points in their order; empty if there are none.
    pub defects: Vec<Defect>,
}

impl FunctionGenerator {
    /// The four-bar for three pairs of angles φ, ψ \[rad\] of crank and rocker from the line of the fixed pivots, crank pivot to rocker
    /// pivot; `ground` is the distance of these \[m\].
    ///
    /// # Errors
    /// [`AnalysisError::NoFunction`] if Freudenstein's equations determine no finite lengths; [`AnalysisError::Lengths`] for a
    /// distance that is not positive.
    pub fn new(pairs: [[f64; 2]; 3], ground: f64) -> Result<Self, AnalysisError> {
        // Differences to the first point, without K₃: rows K₁ u_j − K₂ v_j = w_j.
        let row = |j: usize| {
            let [[phi_1, psi_1], [phi, psi]] = [pairs[0], pairs[j]];
            [psi.cos() - psi_1.cos(), phi.cos() - phi_1.cos(), (phi - psi).cos() - (phi_1 - psi_1).cos()]
        };
        let ([u2, v2, w2], [u3, v3, w3]) = (row(1), row(2));
        let determinant = v2 * u3 - u2 * v3;
        let [k1, k2] = [(v2 * w3 - v3 * w2) / determinant, (u2 * w3 - u3 * w2) / determinant];
        let is_regular = determinant.abs() > SINGULAR * ((v2 * u3).abs() + (u2 * v3).abs());
        let largest = k1.abs().max(k2.abs());
        if !(is_regular && k1.is_finite() && k2.is_finite() && k1.abs().min(k2.abs()) > SINGULAR * largest) {
            return Err(AnalysisError::NoFunction { pairs });
        }
        let offset = |k: f64| if k < 0.0 { PI } else { 0.0 };
        let (crank_offset, rocker_offset) = (offset(k1), offset(k2));
        let (a, c) = (ground / k1.abs(), ground / k2.abs());
        let links = pairs.map(|[phi, psi]| {
            let pin = |length: f64, angle: f64| [length * angle.cos(), length * angle.sin()];
            let (crank, rocker) = (pin(a, phi + crank_offset), pin(c, psi + rocker_offset));
            (crank, [ground + rocker[0] - crank[0], rocker[1] - crank[1]])
        });
        let [x, y] = links[0].1;
        let linkage = FourBarLinkage::new(ground, a, x.hypot(y), c)?;
        let assemblies = links.map(|([px, py], [x, y])| {
            // Diagonal [g − p_x, −p_y] to the rocker's pivot, and the coupler on its left.
            if (ground - px) * y + py * x > 0.0 { Assembly::Open } else { Assembly::Crossed }
        });
        let defects = defects(&linkage, pairs.map(|[phi, _]| phi + crank_offset), assemblies);
        Ok(FunctionGenerator { linkage, pairs, crank_offset, rocker_offset, assemblies, defects })
    }

    /// The four-bar for a function between the two numbers of `argument`, the scale of the crank, exact at three [Chebyshev
    /// points](chebyshev_spacing); `value` is the scale of the rocker. `ground` is the distance of the fixed pivots
    /// \[m\].
    ///
    /// # Errors
    /// Those of [`FunctionGenerator::new`].
    pub fn of(
        function: impl Fn(f64) -> f64,
        argument: AngleScale,
        value: AngleScale,
        ground: f64,
    ) -> Result<Self, AnalysisError> {
        let pairs = chebyshev_spacing(argument.values).map(|x| [argument.angle(x), value.angle(function(x))]);
        FunctionGenerator::new(pairs, ground)
    }

    /// The angle ψ \[rad\] of the rocker at an angle φ \[rad\] of the crank, in the assembly of the first precision point and
    /// within half a revolution of the ψ there; `None` if the linkage cannot be assembled there.
    pub fn rocker_angle(&self, crank_angle: f64) -> Option<f64> {
        let pose = self.linkage.pose(crank_angle + self.crank_offset, self.assemblies[0])?;
        let [_, near] = self.pairs[0];
        let away = pose.rocker_angle - self.rocker_offset - near;
        Some(near + away - TAU * (away / TAU).round())
    }
}

/// Linear interpolation at x: `from` maps to `to`.
fn linear(from: [f64; 2], to: [f64; 2], x: f64) -> f64 {
    to[0] + (to[1] - to[0]) * (x - from[0]) / (from[1] - from[0])
}
