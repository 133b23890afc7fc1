//! Fluctuation of a torque over a cycle, and the flywheel for it.
//!
//! A machine whose torque T(θ) acts against a constant load T̄ stores the excess of T in its flywheel, whose speed changes:
//!
//! 1. ½ J (ω² − ω₀²) = E(θ) = ∫ (T − T̄) dθ
//! 2. ½ J (ω_max² − ω_min²) = J ω̄² C_s = ΔE, with C_s = (ω_max − ω_min)/ω̄ and ω̄ = (ω_max + ω_min)/2
//!
//! # Source
//! Norton (2020), Design of machinery, 6th ed., §11.11: energy of a fluctuation by the largest difference of the areas below
//! the torque, coefficient of fluctuation.

use super::Harmonics;

/// Fluctuation of a torque about its mean: [`Harmonics::torque_fluctuation`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TorqueFluctuation {
    /// Mean T̄ \[N m\]: the load at constant mean speed.
    pub mean: f64,
    /// Least torque \[N m\].
    pub minimum: f64,
    /// Largest torque \[N m\].
    pub maximum: f64,
    /// Energy of the fluctuation ΔE \[J\]: the largest work of T − T̄ between any two angles.
    pub energy: f64,
    /// Angle at which the machine is slowest \[rad\]: E(θ) is least.
    pub slowest: f64,
    /// Angle at which it is fastest \[rad\]: E(θ) is largest.
    pub fastest: f64,
}

impl Harmonics {
    /// The fluctuation of a torque \[N m\] on a shaft whose mean is balanced by a constant load, positive where it accelerates the
    /// shaft: of an engine, minus the load of the drive that rotates it. For a machine that is driven by a constant
    /// motor torque, slowest and fastest are interchanged.
    ///
    /// ```
    /// # fn wheel(run: &mbs::Recording) -> Result<(), Box<dyn std::error::Error>> {
    /// let torque = run.cycle("main_bearing.angle")?.harmonics("shaft_torque", 720)?;
    /// let fluctuation = torque.torque_fluctuation();
    /// println!("{:.1} J to be stored", fluctuation.energy);
    /// println!("J = {:.4} kg m² for 1 % at 3,000 rev/min", fluctuation.flywheel(0.01, 314.16));
    /// # Ok(())
    /// # }
    /// ```
    pub fn torque_fluctuation(&self) -> TorqueFluctuation {
        let [least, largest] = self.extremes();
        let [slowest, fastest] = self.integral().extremes();
        TorqueFluctuation {
            mean: self.mean(),
            minimum: least.1,
            maximum: largest.1,
            energy: fastest.1 - slowest.1,
            slowest: slowest.0,
            fastest: fastest.0,
        }
    }
}

impl TorqueFluctuation {
    /// J = ΔE/(C_s ω̄²), the moment of inertia \[kg m²\] of all parts that rotate with the shaft for a coefficient of fluctuation
    /// C_s = (ω_max − ω_min)/ω̄ at a mean speed ω̄ \[rad/s\].
    ///
    /// The torque is that at constant speed. The inertia torque of the linkage depends on the actual speed, and its kinetic energy is
    /// not constant: the actual coefficient has a relative error of about C_s, and of the linkage's share in J.
    pub fn flywheel(&self, coefficient: f64, speed: f64) -> f64 {
        self.energy / (coefficient * speed * speed)
    }

    /// Coefficient of fluctuation C_s = ΔE/(J ω̄²) of a shaft with this moment of inertia \[kg m²\] at a mean speed \[rad/s\].
    pub fn coefficient(&self, inertia: f64, speed: f64) -> f64 {
        self.energy / (inertia * speed * speed)
    }

    /// (T_max − T_min)/T̄; infinite or NaN without a mean.
    pub fn ripple(&self) -> f64 {
        (self.maximum - self.minimum) / self.mean
    }
}
