//! The four-bar linkage in closed form: Grashof's class, transmission angles, dead points, poses; its synthesis for positions and functions.
//!
//! Ground g, crank a, coupler b, rocker c; φ is the crank's angle from the line of the fixed pivots, crank pivot to rocker pivot. The
//! diagonal from crank pin to rocker pivot is d, and the transmission angle μ between coupler and rocker:
//!
//! 1. d² = g² + a² − 2 g a cos φ
//! 2. cos μ = (b² + c² − d²)/(2 b c)

mod defects;
mod function;
mod grashof;
mod motion;
mod pose;

use std::f64::consts::PI;

pub use defects::Defect;
pub use function::{AngleScale, FunctionGenerator, chebyshev_spacing};
pub use grashof::{ChangePoint, Grashof, Link};
pub use motion::{CouplerPosition, Dyad, MotionGenerator};
pub use pose::{Assembly, FourBarPose};

use super::AnalysisError;
use crate::{Recorder, Recording};
use mbs_core::{Describe, Eventful, State, assemble_positions};

/// Change of the distance of two joints, relative to the longest link, up to which they are on one link.
const RIGID: f64 = 1e-6;

/// The lengths of a four-bar linkage \[m\].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FourBarLinkage {
    /// Distance of the fixed pivots g.
    pub ground: f64,
    /// Crank a, the driven link.
    pub crank: f64,
    /// Coupler b.
    pub coupler: f64,
    /// Rocker c, the follower.
    pub rocker: f64,
}

/// A dead point of the rocker: crank and coupler in line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RockerLimit {
    /// Angle of the crank φ \[rad\] in [0, 2π), from the line of the fixed pivots.
    pub crank_angle: f64,
    /// Angle of the rocker \[rad\] in (−π, π], from the same direction.
    pub rocker_angle: f64,
}

impl FourBarLinkage {
    /// A linkage of four lengths \[m\].
    ///
    /// # Errors
    /// [`AnalysisError::Lengths`] unless all are positive and finite, and none is longer than the others together.
    pub fn new(ground: f64, crank: f64, coupler: f64, rocker: f64) -> Result<Self, AnalysisError> {
        let lengths = [ground, crank, coupler, rocker];
        let sum: f64 = lengths.iter().sum();
        let closes = lengths.iter().all(|length| *length > 0.0 && *length <= sum - *length) && sum.is_finite();
        if closes {
            Ok(FourBarLinkage { ground, crank, coupler, rocker })
        } else {
            Err(AnalysisError::Lengths { lengths })
        }
    }

    /// Measures the linkage of a recording at its four joints: bearing of the crank, crank and coupler, coupler and rocker, bearing of the
    /// rocker. Names are joints, or markers.
    ///
    /// # Errors
    /// [`AnalysisError::Unknown`], [`AnalysisError::NotDrawn`]; [`AnalysisError::NotALink`] if a distance changes by more than
    /// 1e-6 of the longest; [`AnalysisError::TooFewRows`]; those of [`FourBarLinkage::new`].
    pub fn of(recording: &Recording, joints: [&str; 4]) -> Result<Self, AnalysisError> {
        let positions = [
            recording.joint_positions(joints[0])?,
            recording.joint_positions(joints[1])?,
            recording.joint_positions(joints[2])?,
            recording.joint_positions(joints[3])?,
        ];
        if recording.is_empty() {
            return Err(AnalysisError::TooFewRows { needed: 1, found: 0 });
        }
        let range = |i: usize| {
            let pairs = positions[i].iter().zip(positions[(i + 1) % 4]);
            let lengths = pairs.map(|(p, q)| (q[0] - p[0]).hypot(q[1] - p[1]));
            lengths.fold((f64::INFINITY, 0.0_f64), |(least, largest), length| (least.min(length), largest.max(length)))
        };
        let ranges = [range(0), range(1), range(2), range(3)];
        let longest = ranges.iter().fold(0.0_f64, |longest, range| longest.max(range.1));
        for (i, (least, largest)) in ranges.iter().enumerate() {
            if largest - least > RIGID * longest {
                let joints = [joints[i], joints[(i + 1) % 4]].map(str::to_owned);
                return Err(AnalysisError::NotALink { joints, change: largest - least });
            }
        }
        let [crank, coupler, rocker, ground] = ranges.map(|(least, _)| least);
        FourBarLinkage::new(ground, crank, coupler, rocker)
    }

    /// Measures the linkage of a mechanism at its assembled pose, like [`FourBarLinkage::of`].
    ///
    /// # Errors
    /// Those of [`FourBarLinkage::of`]; [`AnalysisError::Run`] if the mechanism does not assemble.
    pub fn of_mechanism<M: Describe + Eventful>(mechanism: &M, joints: [&str; 4]) -> Result<Self, AnalysisError> {
        let (mut state, mut recorder) = (State::new(mechanism), Recorder::new(mechanism));
        let assembled = assemble_positions(mechanism, &mut state);
        if assembled.is_ok() {
            let (_, zero, _, _, inputs, _) = mechanism.storage();
            recorder.record_motion(state.view(inputs.as_ref()), zero.as_ref(), None);
        }
        let recording = recorder.finish(Default::default());
        match assembled {
            Ok(_) => FourBarLinkage::of(&recording, joints),
            Err(error) => {
                let cause = crate::Cause::Run(error);
                Err(AnalysisError::Run(crate::Failure::at_state(cause, Box::new(recording), &state)))
            }
        }
    }

    /// Transmission angle μ \[rad\] in [0, π] at an angle of the crank \[rad\]; `None` if the linkage cannot be assembled there.
    pub fn transmission_angle(&self, crank_angle: f64) -> Option<f64> {
        let FourBarLinkage { ground: g, crank: a, coupler: b, rocker: c } = *self;
        // (1) and (2) of the module, as half angles: 4bc sin²(μ/2) = d² − (b − c)² keeps its digits near both ends.
        let square = g * g + a * a - 2.0 * g * a * crank_angle.cos();
        half_angle(square - (b - c) * (b - c), (b + c) * (b + c) - square, RIGID * RIGID * (b + c) * (b + c))
    }

    /// Least and largest transmission angle \[rad\] of all poses. For a crank that rotates fully they are at φ = 0 and π.
    pub fn transmission_range(&self) -> (f64, f64) {
        let FourBarLinkage { ground: g, crank: a, coupler: b, rocker: c } = *self;
        let square = |d: f64| d.clamp((b - c).abs(), b + c).powi(2);
        let angle = |square: f64| half_angle(square - (b - c) * (b - c), (b + c) * (b + c) - square, f64::INFINITY);
        let [least, largest] = [square((g - a).abs()), square(g + a)].map(|square| angle(square).unwrap_or(0.0));
        (least, largest)
    }

    /// Largest deviation of the transmission angle from π/2 \[rad\]: 0 is ideal, π/2 locks. Above some 50° links begin to jam.
    pub fn worst_deviation(&self) -> f64 {
        let (least, largest) = self.transmission_range();
        (0.5 * PI - least).abs().max((0.5 * PI - largest).abs())
    }

    /// Dead points of the rocker, with the coupler pin on the left of the fixed line (the mirror image has opposite angles): crank and
    /// coupler in line, stretched and folded. `None` where the rocker has no such limit.
    ///
    /// In the triangle of ground, rocker and r = b ± a: cos φ = (g² + r² − c²)/(2 g r).
    pub fn rocker_limits(&self) -> [Option<RockerLimit>; 2] {
        let FourBarLinkage { ground: g, crank: a, coupler: b, rocker: c } = *self;
        [b + a, b - a].map(|r| {
            let apex = corner(g, r.abs(), c)?;
            // Folded, the coupler pin is at a − b on the line of the crank: behind the pivot if the coupler is longer.
            let is_behind = r > 0.0 && r < b + a;
            let crank_angle = if is_behind { apex + PI } else { apex };
            let (x, y) = (r.abs() * apex.cos() - g, r.abs() * apex.sin());
            Some(RockerLimit { crank_angle, rocker_angle: y.atan2(x) })
        })
    }

    /// Limits of the crank \[rad\] in [0, π], least and largest |φ|, where coupler and rocker are in line: folded and stretched. `None`
    /// where the crank has no such limit; without both it rotates fully.
    pub fn crank_limits(&self) -> [Option<f64>; 2] {
        let FourBarLinkage { ground: g, crank: a, coupler: b, rocker: c } = *self;
        [(b - c).abs(), b + c].map(|r| {
            let is_limit = (g - a).abs() < r && r < g + a;
            if is_limit { corner(g, a, r) } else { None }
        })
    }

    /// Angle of the rocker between its dead points \[rad\]; `None` without both.
    pub fn swing(&self) -> Option<f64> {
        let [stretched, folded] = self.rocker_limits();
        Some((stretched?.rocker_angle - folded?.rocker_angle).abs())
    }

    /// Ratio of the durations of the slow and the quick stroke of the rocker at constant crank speed; `None` without both dead points.
    pub fn time_ratio(&self) -> Option<f64> {
        let [stretched, folded] = self.rocker_limits();
        let ahead = (stretched?.crank_angle - folded?.crank_angle).rem_euclid(2.0 * PI);
        let back = 2.0 * PI - ahead;
        Some(ahead.max(back) / ahead.min(back))
    }
}

/// 2 atan √(s/c) for 4bc sin² and 4bc cos² of half an angle, which may be negative by less than a tolerance.
fn half_angle(sin: f64, cos: f64, tolerance: f64) -> Option<f64> {
    let is_possible = sin >= -tolerance && cos >= -tolerance;
    is_possible.then(|| 2.0 * sin.max(0.0).sqrt().atan2(cos.max(0.0).sqrt()))
}

/// Angle between sides p and q of a triangle, opposite r; `None` if there is no such triangle.
///
/// # Source
/// Law of cosines in Kahan's form: Kahan (2014), Miscalculating area and angles of a needle-like triangle.
fn corner(p: f64, q: f64, r: f64) -> Option<f64> {
    let (p, q) = (p.max(q), p.min(q));
    // 4pq sin²(x/2) = r² − (p − q)², 4pq cos²(x/2) = (p + q)² − r².
    let (sin, cos) = ((r - (p - q)) * (r + (p - q)), ((p + q) - r) * ((p + q) + r));
    half_angle(sin, cos, 0.0)
}
