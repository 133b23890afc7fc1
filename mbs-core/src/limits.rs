//! Limits and losses of joints: data for controllers, no mechanics.

/// Limits and losses of a joint, as given in its file: [`Describe::limits`](crate::Describe::limits). They are data only: no limit stops a motion.
///
/// Units are those of the joint's coordinate: rad, N m and rad/s for a hinge, m, N and m/s for a slide.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits<T = f64> {
    /// Smallest coordinate; −∞ where there is none.
    pub lower: T,
    /// Largest coordinate; ∞ where there is none.
    pub upper: T,
    /// Largest torque or force of the motor; ∞ where there is none.
    pub effort: T,
    /// Largest speed; ∞ where there is none.
    pub velocity: T,
    /// Torque or force per speed, 0 where none is given.
    pub damping: T,
    /// Static friction, torque or force, 0 where none is given.
    pub friction: T,
}

impl Limits {
    /// Returns `effort` limited to ± the largest torque or force of the motor. NaN stays NaN.
    ///
    /// ```
    /// let infinite = f64::INFINITY;
    /// let hinge = mbs_core::Limits { lower: -1.0, upper: 1.0, effort: 20.0, velocity: infinite, damping: 0.0, friction: 0.0 };
    /// assert_eq!(hinge.clamp_effort(-35.0), -20.0);
    /// ```
    #[inline]
    pub fn clamp_effort(&self, effort: f64) -> f64 {
        let most = self.effort;
        if effort > most {
            most
        } else if effort < -most {
            -most
        } else {
            effort
        }
    }

    /// The excess of a coordinate over its limits: positive above the upper one, negative below the lower one, 0 between them.
    ///
    /// ```
    /// let infinite = f64::INFINITY;
    /// let slide = mbs_core::Limits { lower: 0.0, upper: 0.5, effort: infinite, velocity: infinite, damping: 0.0, friction: 0.0 };
    /// assert_eq!((slide.beyond(0.75), slide.beyond(0.25), slide.beyond(-0.5)), (0.25, 0.0, -0.5));
    /// ```
    #[inline]
    pub fn beyond(&self, coordinate: f64) -> f64 {
        if coordinate > self.upper {
            coordinate - self.upper
        } else if coordinate < self.lower {
            coordinate - self.lower
        } else {
            0.0
        }
    }
}
