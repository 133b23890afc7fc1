//! Functions that mechanisms call by name: value and derivatives.

/// Force of a gas \[N\] at the position of a piston \[m\]: 30 exp(2 (x − 0.4)).
pub fn gas(x: f64) -> [f64; 3] {
    let force = 30.0 * mbs::math::exp(2.0 * (x - 0.4));
    [force, 2.0 * force, 4.0 * force]
}

/// Angle \[rad\] of a shaft that speeds up and down: 3 t + sin(2 t) / 2.
pub fn ramp(t: f64) -> [f64; 3] {
    let (sin, cos) = mbs::math::sin_cos(2.0 * t);
    [3.0 * t + 0.5 * sin, 3.0 + cos, -2.0 * sin]
}

/// Drag per speed \[N s/m\] at a speed \[m/s\] and a height \[m\], with its partial derivatives f, f_v, f_z, f_vv, f_vz, f_zz:
/// (2 + v² / 10) exp(−z / 50).
pub fn drag(v: f64, z: f64) -> [f64; 6] {
    let thin = mbs::math::exp(-z / 50.0);
    let (f, derivative) = ((2.0 + 0.1 * v * v) * thin, 0.2 * v * thin);
    [f, derivative, -f / 50.0, 0.2 * thin, -derivative / 50.0, f / 2500.0]
}

/// Wind \[m/s\] at a height \[m\], each component with its derivative: its speed and direction change with height.
pub fn wind(z: f64) -> [[f64; 2]; 3] {
    let (sin, cos) = mbs::math::sin_cos(0.2 * z);
    [[0.5 * z * cos, 0.5 * cos - 0.1 * z * sin], [0.5 * z * sin, 0.5 * sin + 0.1 * z * cos], [0.1, 0.0]]
}

/// Torque of a felt washer in a hinge \[N m\] at its rate \[rad/s\]: 0.3 tanh(ω) + 0.05 ω.
pub fn felt(rate: f64) -> [f64; 3] {
    let bent = mbs::math::tanh(rate);
    let derivative = 1.0 - bent * bent;
    [0.3 * bent + 0.05 * rate, 0.3 * derivative + 0.05, -0.6 * bent * derivative]
}

/// The felt washers of both hammers.
pub use self::{felt as left_felt, felt as right_felt};
