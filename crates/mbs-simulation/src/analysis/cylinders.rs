//! Engines of several cylinders from one: shaking forces and rocking couples by superposition.
//!
//! The crank rotates about z through the origin. A cylinder at z = d, whose crank is ahead by the phase φ and whose plane is
//! rotated by the bank angle β, exerts the loads of the computed one on the block, advanced by φ, rotated by β, and with the lever arm d:
//!
//! 1. F_k(θ) = R_z(β_k) F(θ + φ_k)
//! 2. M_k(θ) = R_z(β_k) M(θ + φ_k) + d_k ẑ × F_k(θ)
//!
//! # Sources
//! Phasors of primary and secondary orders: Norton (2020), Design of machinery, 6th ed., ch. 14; Taylor (1985), The
//! internal-combustion engine in theory and practice, vol. 2, ch. 8. Here for all orders, from the reactions of the mechanism
//! itself, its rod with mass and inertia.

use super::curve::Curve;
use super::{AnalysisError, Cycle, Harmonics};

/// Location and phase of a cylinder of an engine, relative to the computed one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cylinder {
    /// Distance d along the axis of the crank \[m\].
    pub z: f64,
    /// Lead of its cycle, φ \[rad\]: its state at θ is that of the computed one at θ + φ. In four-stroke engines phases that differ by a
    /// revolution are different.
    pub phase: f64,
    /// Bank angle β \[rad\]: the rotation of its plane about z.
    pub bank: f64,
}

impl Cylinder {
    /// A cylinder in the plane of the computed one, at a distance \[m\], on a throw that is ahead by `throw` \[rad\].
    ///
    /// Norton's crank phase angles have the opposite sign: his φ_i is −`throw`.
    pub fn new(z: f64, throw: f64) -> Self {
        Cylinder { z, phase: throw, bank: 0.0 }
    }

    /// Returns the cylinder in a bank at this angle \[rad\], on the same throw: its phase is throw − bank.
    #[must_use]
    pub fn bank(self, bank: f64) -> Self {
        Cylinder { phase: self.throw() - bank, bank, ..self }
    }

    /// Returns the cylinder on the same throw with its cycle a full revolution ahead: it fires in the other one of the two revolutions of four
    /// strokes.
    #[must_use]
    pub fn next_revolution(self) -> Self {
        Cylinder { phase: self.phase + std::f64::consts::TAU, ..self }
    }

    /// Angle of its throw relative to that of the computed cylinder \[rad\]: phase + bank.
    pub fn throw(&self) -> f64 {
        self.phase + self.bank
    }

    /// Cylinders in line at equal distances \[m\] around z = 0, one for each throw \[rad\].
    pub fn in_line(spacing: f64, throws: &[f64]) -> Vec<Cylinder> {
        let middle = 0.5 * (throws.len() as f64 - 1.0);
        throws.iter().enumerate().map(|(i, throw)| Cylinder::new(spacing * (i as f64 - middle), *throw)).collect()
    }
}

/// Loads of an engine on its block over a cycle, as harmonics of the angle of the crank.
///
/// ```
/// # fn shake(run: &mbs::Recording) -> Result<(), Box<dyn std::error::Error>> {
/// use std::f64::consts::PI;
/// use mbs::analysis::{BlockLoads, Cylinder};
///
/// let one = BlockLoads::of(&run.cycle("main_bearing.angle")?, &["main_bearing", "cylinder"], 360)?;
/// let four = one.superposed(&Cylinder::in_line(0.1, &[0.0, PI, PI, 0.0]));
/// println!("secondary shaking force {:.0} N", four.force[0].order(2.0).amplitude());
/// println!("secondary rocking couple {:.0} N m", four.moment[1].order(2.0).amplitude());
/// # Ok(())
/// # }
/// ```
///
/// - Components are in world axes. The crank rotates about z through the origin, about which moments are taken. The rocking couple is
///   [`moment`](BlockLoads::moment) about x and y; it depends on the origin unless the forces cancel. The moment about z is the
///   roll.
/// - [`BlockLoads::of`] includes reactions of joints only: the gas forces on head and piston are equal, and the load of the motor or brake on
///   the block depends on its location.
/// - Block loads can also be made of other columns, such as outputs that include the gas force on the head: of the six
///   [harmonics](Cycle::harmonics) of one cycle.
/// - Weights do not rotate with the bank: compute the cylinder without gravity, and add the weight of the engine.
#[derive(Clone, Debug, PartialEq)]
pub struct BlockLoads {
    /// Force on the block along x, y, z \[N\].
    pub force: [Harmonics; 3],
    /// Moment on the block about x, y, z \[N m\].
    pub moment: [Harmonics; 3],
}

impl BlockLoads {
    /// Loads of some joints on ground over a cycle of the crank, from `samples` values as in [`Cycle::harmonics`].
    ///
    /// # Errors
    /// [`AnalysisError::Unknown`] with the nearest joint, [`AnalysisError::NotOnGround`] for one that does not join a body to
    /// ground, [`AnalysisError::NotDrawn`]; [`AnalysisError::NotFinite`], [`AnalysisError::TooFewRows`] without samples.
    pub fn of(cycle: &Cycle, joints: &[&str], samples: usize) -> Result<Self, AnalysisError> {
        let recording = cycle.recording();
        let mut sums: [Vec<f64>; 6] = std::array::from_fn(|_| vec![0.0; recording.len()]);
        for joint in joints {
            let reaction = recording.reaction(joint)?;
            let reaction = if is_ground_first(recording, joint)? { reaction.on_first() } else { reaction };
            for (row, [x, y, z]) in reaction.points.iter().enumerate() {
                let [fx, fy, fz] = [reaction.x[row], reaction.y[row], reaction.z[row]];
                let couple = [reaction.torque_x[row], reaction.torque_y[row], reaction.torque[row]];
                // M = p × F + τ.
                let arm = [y * fz - z * fy, z * fx - x * fz, x * fy - y * fx];
                let parts = [fx, fy, fz, arm[0] + couple[0], arm[1] + couple[1], arm[2] + couple[2]];
                sums.iter_mut().zip(parts).for_each(|(sum, part)| sum[row] += part);
            }
        }
        let times = cycle.sample_times(samples)?;
        let harmonics = |sum: &Vec<f64>| {
            let curve = Curve::new("reactions", recording.times(), [Some(sum), None, None])?;
            cycle.harmonics_of("reactions", &curve, &times)
        };
        let [fx, fy, fz, mx, my, mz] = sums.each_ref().map(harmonics);
        Ok(BlockLoads { force: [fx?, fy?, fz?], moment: [mx?, my?, mz?] })
    }

    /// The sum of the loads of several cylinders, by equations 1 and 2 of the module; `self` are the loads of the computed one.
    ///
    /// A phase that is a multiple of the sample spacing shifts the samples. Other phases are equally accurate if the loads have no orders
    /// above those of the samples.
    #[must_use]
    pub fn superposed(&self, cylinders: &[Cylinder]) -> BlockLoads {
        type Weight = fn(&Cylinder) -> f64;
        let one: Weight = |_| 1.0;
        // Σ w x(θ + φ) and, of a vector, Σ w R_z(β) [x, y](θ + φ).
        let sum = |x: &Harmonics, weight: &dyn Fn(&Cylinder) -> f64| {
            x.superposed(cylinders.iter().map(|cylinder| (weight(cylinder), cylinder.phase)))
        };
        let rotated = |x: &Harmonics, y: &Harmonics, weight: Weight| {
            let [cos, sin] = [f64::cos, f64::sin].map(|part| move |c: &Cylinder| weight(c) * part(c.bank));
            [sum(x, &cos).plus(-1.0, &sum(y, &sin)), sum(x, &sin).plus(1.0, &sum(y, &cos))]
        };
        let ([fx, fy, fz], [mx, my, mz]) = (&self.force, &self.moment);
        let [[x, y], [couple_x, couple_y]] = [rotated(fx, fy, one), rotated(mx, my, one)];
        // d ẑ × F = [−d F_y, d F_x, 0].
        let [arm_x, arm_y] = rotated(fx, fy, |cylinder| cylinder.z);
        BlockLoads {
            force: [x, y, sum(fz, &one)],
            moment: [couple_x.plus(-1.0, &arm_y), couple_y.plus(1.0, &arm_x), sum(mz, &one)],
        }
    }
}

impl Harmonics {
    /// The sum over cylinders with their phases, Σ x(θ + φ_k): the torque of all cylinders from that of one.
    #[must_use]
    pub fn of_cylinders(&self, cylinders: &[Cylinder]) -> Self {
        self.superposed(cylinders.iter().map(|cylinder| (1.0, cylinder.phase)))
    }
}

/// Whether ground is the first of the two ends of a joint.
fn is_ground_first(recording: &crate::Recording, joint: &str) -> Result<bool, AnalysisError> {
    let ends = recording.joints().iter().find(|known| known.name == joint).and_then(|known| known.ends);
    let ends = ends.ok_or_else(|| AnalysisError::NotDrawn { joint: joint.into() })?;
    match ends.map(|end| recording.markers()[end].body) {
        [None, Some(_)] => Ok(true),
        [Some(_), None] => Ok(false),
        _ => Err(AnalysisError::NotOnGround { joint: joint.into() }),
    }
}
