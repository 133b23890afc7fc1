//! Coordinates of whole mechanisms and their speeds, where some of the coordinates are attitudes.

use super::{Attitude, rotate_back};

/// A ball or a floating body among the coordinates of a mechanism: parameters of an attitude with ω in the axes of the turned frame
/// as speeds, after a displacement and its speeds where it floats. Generated types list theirs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Turning {
    /// The parameters.
    pub attitude: Attitude,
    /// First of its coordinates.
    pub first_coordinate: usize,
    /// First of its speeds.
    pub first_speed: usize,
    /// What it has besides.
    pub displacement: Displacement,
}

/// How a turning part is displaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Displacement {
    /// Not at all: 3 speeds.
    None,
    /// ṙ = w, with w the first three of 6 speeds.
    World,
    /// ṙ = R w: w is in the axes of the turned frame.
    Body,
}

impl Turning {
    fn displacements(&self) -> usize {
        if self.displacement == Displacement::None { 0 } else { 3 }
    }
}

/// v with N(q) v nearest to rates q̇: of everything that turns by its attitude, of all other coordinates v = q̇.
///
/// `turning` is in the order of the coordinates; q and q̇ have n_q values, v has n_v.
pub fn speeds_of_rates(turning: &[Turning], q: &[f64], rates: &[f64], v: &mut [f64]) {
    let (mut i, mut j) = (0, 0);
    for part in turning {
        let (to, speed) = (part.first_coordinate, part.first_speed);
        v[j..speed].copy_from_slice(&rates[i..to]);
        let shift = part.displacements();
        let (attitude, end) = (to + shift, to + shift + part.attitude.n_q());
        if shift > 0 {
            let mut w = [rates[to], rates[to + 1], rates[to + 2]];
            if part.displacement == Displacement::Body {
                w = rotate_back(part.attitude.quaternion_of(&q[attitude..end]), w);
            }
            v[speed..speed + 3].copy_from_slice(&w);
        }
        let omega = part.attitude.angular_velocity(&q[attitude..end], &rates[attitude..end]);
        v[speed + shift..speed + shift + 3].copy_from_slice(&omega);
        (i, j) = (end, speed + shift + 3);
    }
    v[j..].copy_from_slice(&rates[i..]);
}

/// C(v) of (δθ)˙ = δv + C δθ, n_v × n_v, row-major: −ω̃ where something turns, and (δp)˙ = δw − ω × δp − w × δφ where its
/// displacement p is measured along its own axes.
pub fn transitivity(turning: &[Turning], v: &[f64], matrix: &mut [f64]) {
    matrix.fill(0.0);
    let n = v.len();
    let mut subtract = |row: usize, column: usize, x: &[f64]| {
        for (i, j, k) in [(0, 1, 2), (1, 2, 0), (2, 0, 1)] {
            matrix[(row + i) * n + column + j] = x[k];
            matrix[(row + j) * n + column + i] = -x[k];
        }
    };
    for part in turning {
        let speed = part.first_speed;
        let angular = speed + part.displacements();
        let omega = &v[angular..angular + 3];
        subtract(angular, angular, omega);
        if part.displacement == Displacement::Body {
            subtract(speed, speed, omega);
            subtract(speed, angular, &v[speed..speed + 3]);
        }
    }
}
