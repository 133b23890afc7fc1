//! Poses of a four-bar at an angle of its crank.

use super::{FourBarLinkage, corner};

/// The two assemblies of a four-bar at an angle of its crank: the side of the diagonal, from crank pin to rocker pivot,
/// on which the coupler pin is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Assembly {
    /// Left side: the open assembly, for a crank above the line of the fixed pivots.
    Open,
    /// Right side: the crossed assembly.
    Crossed,
}

/// Angles of coupler and rocker \[rad\] in (−π, π], from the line of the fixed pivots, crank pivot to rocker pivot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FourBarPose {
    /// Angle of the line from crank pin to coupler pin.
    pub coupler_angle: f64,
    /// Angle of the line from rocker pivot to coupler pin.
    pub rocker_angle: f64,
}

impl FourBarLinkage {
    /// The pose at an angle of the crank φ \[rad\] from the line of the fixed pivots; `None` if the linkage cannot be assembled there.
    ///
    /// The law of cosines in the triangle of coupler, rocker and diagonal.
    pub fn pose(&self, crank_angle: f64, assembly: Assembly) -> Option<FourBarPose> {
        let FourBarLinkage { ground: g, crank: a, coupler: b, rocker: c } = *self;
        let (sin, cos) = crank_angle.sin_cos();
        let (x, y) = (g - a * cos, -a * sin);
        let apex = corner(b, x.hypot(y), c)?;
        let side = if assembly == Assembly::Open { apex } else { -apex };
        let (sin, cos) = (y.atan2(x) + side).sin_cos();
        let pin = [b * cos - x, b * sin - y];
        Some(FourBarPose { coupler_angle: sin.atan2(cos), rocker_angle: pin[1].atan2(pin[0]) })
    }
}
