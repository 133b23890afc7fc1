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
