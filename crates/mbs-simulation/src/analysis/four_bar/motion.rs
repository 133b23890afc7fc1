//! Motion generation: four-bars that guide their coupler through three positions.
//!
//! Each of the two links that guide a coupler is a dyad: W from the fixed pivot to the pin, Z from the pin to the coupler's
//! point P. From position 1 to position j the link rotates by β_j, the coupler by α_j, and the point moves by δ_j:
//!
//! 1. W (e^{iβ_j} − 1) + Z (e^{iα_j} − 1) = δ_j, j = 2, 3
//!
//! Two of the numbers are free: both β; or the position of the pin on the coupler (the fixed pivot is then the centre of the circle
//! through its three world positions); or the fixed pivot (the pin is then the centre of the circle through its three positions in the axes of the
//! coupler).
//!
//! # Sources
//! Equation 1, the standard form: Erdman & Sandor (1997), Mechanism design, vol. 1, ch. 8; Norton (2020), Design of machinery,
//! 6th ed., §5.7. Circles: Norton, §3.4.

use num_complex::Complex;

use super::defects::{Defect, defects};
use super::{Assembly, FourBarLinkage, RIGID};
use crate::analysis::AnalysisError;

type Vector = Complex<f64>;

/// Determinants, relative to their terms, below which there is no finite solution.
const SINGULAR: f64 = 1e-12;

/// A position of a coupler in the plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CouplerPosition {
    /// A point of it, the origin of its axes \[m\], world axes.
    pub point: [f64; 2],
    /// Angle of its axes \[rad\].
    pub angle: f64,
}

/// A link that guides a coupler through its positions: from a fixed pivot to a pin on the coupler.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dyad {
    /// Fixed pivot \[m\], world axes.
    pub pivot: [f64; 2],
    /// Pin on the coupler \[m\], in its axes from its point.
    pub pin: [f64; 2],
}

impl CouplerPosition {
    /// A position of the coupler: its point \[m\] and its angle \[rad\].
    pub fn new(point: [f64; 2], angle: f64) -> Self {
        CouplerPosition { point, angle }
    }

    /// World position \[m\] of a point given in the axes of the coupler \[m\].
    pub fn place(&self, point: [f64; 2]) -> [f64; 2] {
        pair(vector(self.point) + rotation(self.angle) * vector(point))
    }

    /// A world point in the axes of the coupler.
    fn in_coupler_axes(&self, point: [f64; 2]) -> Vector {
        rotation(-self.angle) * (vector(point) - vector(self.point))
    }
}

impl Dyad {
    /// The link that rotates by two given angles \[rad\] from the first position to the second and to the third: equation 1 of
    /// the module.
    ///
    /// # Errors
    /// [`AnalysisError::NoDyad`] if they determine no link, such as angles equal to those of the coupler.
    pub fn of_rotations(positions: &[CouplerPosition; 3], rotations: [f64; 2]) -> Result<Self, AnalysisError> {
        let [first, ..] = positions;
        let row = |j: usize| {
            let coupler = rotation(positions[j].angle - first.angle) - 1.0;
            (rotation(rotations[j - 1]) - 1.0, coupler, vector(positions[j].point) - vector(first.point))
        };
        let ((w2, z2, d2), (w3, z3, d3)) = (row(1), row(2));
        let determinant = w2 * z3 - w3 * z2;
        let is_regular = determinant.norm() > SINGULAR * ((w2 * z3).norm() + (w3 * z2).norm());
        if !(is_regular && determinant.is_finite() && d2.is_finite() && d3.is_finite()) {
            return Err(AnalysisError::NoDyad { rotations });
        }
        let (w, z) = ((d2 * z3 - d3 * z2) / determinant, (w2 * d3 - w3 * d2) / determinant);
        let pin = vector(first.point) - z;
        Ok(Dyad { pivot: pair(pin - w), pin: pair(first.in_coupler_axes(pair(pin))) })
    }

    /// The link to a pin of the coupler \[m\], in its axes: its pivot is the centre of the circle through the pin's world positions.
    ///
    /// # Errors
    /// [`AnalysisError::NoCircle`] if these are on a line: a slide guides that pin.
    pub fn of_pin(positions: &[CouplerPosition; 3], pin: [f64; 2]) -> Result<Self, AnalysisError> {
        let points = positions.map(|position| vector(position.place(pin)));
        Ok(Dyad { pivot: pair(center(points)?), pin })
    }

    /// The link from a fixed pivot \[m\]: its pin is the centre of the circle through the pivot's positions in the axes of the coupler.
    ///
    /// # Errors
    /// [`AnalysisError::NoCircle`] if these are on a line.
    pub fn of_pivot(positions: &[CouplerPosition; 3], pivot: [f64; 2]) -> Result<Self, AnalysisError> {
        let points = positions.map(|position| position.in_coupler_axes(pivot));
        Ok(Dyad { pivot, pin: pair(center(points)?) })
    }

    /// The vector from the pivot to the pin at a position of the coupler.
    fn link(&self, position: &CouplerPosition) -> Vector {
        vector(position.place(self.pin)) - vector(self.pivot)
    }
}

/// A four-bar whose coupler goes through three positions: motion generation.
///
/// ```
/// use mbs::analysis::{CouplerPosition, Dyad, MotionGenerator};
///
/// let positions = [([0.10, 0.30], 0.2), ([0.22, 0.36], -0.1), ([0.36, 0.33], -0.5)]
///     .map(|(point, angle)| CouplerPosition::new(point, angle));
/// let crank = Dyad::of_pin(&positions, [-0.05, -0.10])?;
/// let rocker = Dyad::of_rotations(&positions, [-0.35, -0.7])?;
/// let guide = MotionGenerator::new(&positions, crank, rocker)?;
/// println!("{:?}, {:?}, {:?}", guide.linkage, guide.linkage.grashof(), guide.defects);
/// let second = guide.position(guide.crank_angles[1], guide.assemblies[1]).unwrap();
/// assert!((second.point[0] - 0.22).abs() < 1e-12);
/// # Ok::<(), mbs::analysis::AnalysisError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct MotionGenerator {
    /// Its lengths \[m\].
    pub linkage: FourBarLinkage,
    /// The driven link.
    pub crank: Dyad,
    /// The follower.
    pub rocker: Dyad,
    /// Angle of the line of the fixed pivots \[rad\], crank to rocker, world axes.
    pub ground_angle: f64,
    /// Angles of the crank \[rad\] in (−π, π] at the positions, from the line of the fixed pivots.
    pub crank_angles: [f64; 3],
    /// Its assemblies at the positions.
    pub assemblies: [Assembly; 3],
    /// Defects that keep the crank from moving it through the positions in their order; empty if there are none.
    pub defects: Vec<Defect>,
}

impl MotionGenerator {
    /// The four-bar of two links that guide the coupler through the same positions.
    ///
    /// # Errors
    /// [`AnalysisError::Lengths`] if pivots or pins coincide; [`AnalysisError::NotALink`] for a link of other
    /// positions: its length changes by a relative 1e-6 or more.
    pub fn new(positions: &[CouplerPosition; 3], crank: Dyad, rocker: Dyad) -> Result<Self, AnalysisError> {
        for (dyad, name) in [(&crank, "crank"), (&rocker, "rocker")] {
            let [first, second, third] = positions.map(|position| dyad.link(&position).norm());
            let change = first.max(second).max(third) - first.min(second).min(third);
            if change > RIGID * first || !(first + second + third).is_finite() {
                let joints = ["pivot", "pin"].map(|end| format!("{end} of the {name}"));
                return Err(AnalysisError::NotALink { joints, change });
            }
        }
        let ground = vector(rocker.pivot) - vector(crank.pivot);
        let coupler = vector(rocker.pin) - vector(crank.pin);
        let [a, c] = [&crank, &rocker].map(|dyad| dyad.link(&positions[0]).norm());
        let linkage = FourBarLinkage::new(ground.norm(), a, coupler.norm(), c)?;
        let crank_angles = positions.map(|position| (crank.link(&position) / ground).arg());
        let assemblies = positions.map(|position| {
            let diagonal = ground - crank.link(&position);
            let is_left = (rotation(position.angle) * coupler / diagonal).im > 0.0;
            if is_left { Assembly::Open } else { Assembly::Crossed }
        });
        let defects = defects(&linkage, crank_angles, assemblies);
        Ok(MotionGenerator { linkage, crank, rocker, ground_angle: ground.arg(), crank_angles, assemblies, defects })
    }

    /// The position of the coupler at an angle of the crank \[rad\] from the line of the fixed pivots; `None` if the linkage cannot be
    /// assembled there.
    pub fn position(&self, crank_angle: f64, assembly: Assembly) -> Option<CouplerPosition> {
        let pose = self.linkage.pose(crank_angle, assembly)?;
        let pin = vector(self.crank.pivot) + rotation(self.ground_angle + crank_angle) * self.linkage.crank;
        let direction = (vector(self.rocker.pin) - vector(self.crank.pin)).arg();
        let orientation = rotation(self.ground_angle + pose.coupler_angle - direction);
        Some(CouplerPosition { point: pair(pin - orientation * vector(self.crank.pin)), angle: orientation.arg() })
    }
}

/// Centre of the circle through three points.
fn center(points: [Vector; 3]) -> Result<Vector, AnalysisError> {
    let (p, q) = (points[1] - points[0], points[2] - points[0]);
    // Re(c̄ p) = ½ |p|² and Re(c̄ q) = ½ |q|²: c = i (p |q|² − q |p|²)/(2 p × q), from the first point.
    let cross = p.re * q.im - p.im * q.re;
    let c = Vector::i() * (p * q.norm_sqr() - q * p.norm_sqr()) / (2.0 * cross);
    let is_regular = cross.abs() > SINGULAR * p.norm() * q.norm() && c.is_finite();
    if is_regular { Ok(points[0] + c) } else { Err(AnalysisError::NoCircle { points: points.map(pair) }) }
}

/// e^{iφ}.
fn rotation(angle: f64) -> Vector {
    Complex::from_polar(1.0, angle)
}

fn vector([x, y]: [f64; 2]) -> Vector {
    Complex::new(x, y)
}

fn pair(vector: Vector) -> [f64; 2] {
    [vector.re, vector.im]
}
