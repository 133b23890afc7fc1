//! Seeded pseudo-random vectors and rotations, and all attitudes.

use mbs_core::rotation::{self, Attitude, Sequence};

pub struct Random(oorandom::Rand64);

impl Random {
    pub fn new(seed: u128) -> Self {
        Random(oorandom::Rand64::new(seed))
    }

    /// Uniform in [0, 1).
    pub fn uniforms<const N: usize>(&mut self) -> [f64; N] {
        core::array::from_fn(|_| self.0.rand_float())
    }

    /// Uniform in [−size, size).
    pub fn vector<const N: usize>(&mut self, size: f64) -> [f64; N] {
        self.uniforms().map(|u| size * (2.0 * u - 1.0))
    }

    pub fn quaternion(&mut self) -> [f64; 4] {
        rotation::random(self.uniforms())
    }

    pub fn unit(&mut self) -> [f64; 3] {
        let q = self.quaternion();
        rotation::rotate(q, [1.0, 0.0, 0.0])
    }
}

/// All sixteen attitudes.
pub fn attitudes() -> Vec<Attitude> {
    let mut all =
        vec![Attitude::Quaternion, Attitude::ModifiedRodrigues, Attitude::Rodrigues, Attitude::RotationVector];
    all.extend(Sequence::ALL.map(Attitude::Euler));
    all
}

/// Largest difference of corresponding entries of two lists; NaN if one is.
pub fn gap<const N: usize>(a: [f64; N], b: [f64; N]) -> f64 {
    a.iter().zip(b).fold(0.0, |gap: f64, (a, b)| if (a - b).is_nan() { f64::NAN } else { gap.max((a - b).abs()) })
}

/// Largest difference of two matrices.
pub fn matrix_gap(a: [[f64; 3]; 3], b: [[f64; 3]; 3]) -> f64 {
    let flat = |m: [[f64; 3]; 3]| -> [f64; 9] { core::array::from_fn(|i| m[i / 3][i % 3]) };
    gap(flat(a), flat(b))
}

/// Angle between two rotations.
pub fn angle_between(a: [f64; 4], b: [f64; 4]) -> f64 {
    let delta = rotation::minus(a, b);
    rotation::inner(delta, delta).sqrt()
}
