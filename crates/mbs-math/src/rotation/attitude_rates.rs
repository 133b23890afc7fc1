//! Rates of attitudes: q̇ = N(q) ω with ω in body axes, its inverse and its derivative.

use super::attitude::{four, set, three};
use super::{Attitude, conjugate, euler, product, rodrigues, rotation_vector};
use crate::Vector;

impl Attitude {
    /// q̇ = N(q) ω, n_q values, which overwrite `rates`; ω \[rad/s\] of the body in body axes.
    ///
    /// For quaternions q̇ = ½ e ∘ (0, ω), linear in e for any length of e. The rates are not finite where the attitude is singular.
    pub fn rates(self, q: &[f64], omega: [f64; 3], rates: &mut [f64]) {
        match self {
            Attitude::Quaternion => rates[..4].copy_from_slice(&quaternion_rates(four(q), omega)),
            Attitude::ModifiedRodrigues => set(rates, rodrigues::modified_rates(three(q), omega)),
            Attitude::Rodrigues => set(rates, rodrigues::rates(three(q), omega)),
            Attitude::RotationVector => set(rates, rotation_vector::rates(three(q), omega)),
            Attitude::Euler(sequence) => set(rates, euler::rates(sequence, three(q), omega)),
        }
    }

    /// ω = N⁻¹(q) q̇ \[rad/s\] in body axes, regular everywhere.
    ///
    /// For quaternions ω is 2/|e|² times the vector part of e* ∘ ė: the left inverse of N, for which rates parallel to e have no effect.
    pub fn angular_velocity(self, q: &[f64], rates: &[f64]) -> [f64; 3] {
        match self {
            Attitude::Quaternion => {
                let e = four(q);
                let [_, x, y, z] = product(conjugate(e), four(rates));
                let square = e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3];
                (Vector([x, y, z]) * (2.0 / square)).0
            }
            Attitude::ModifiedRodrigues => rodrigues::angular_velocity_of_modified(three(q), three(rates)),
            Attitude::Rodrigues => rodrigues::angular_velocity(three(q), three(rates)),
            Attitude::RotationVector => rotation_vector::angular_velocity(three(q), three(rates)),
            Attitude::Euler(sequence) => euler::angular_velocity(sequence, three(q), three(rates)),
        }
    }

    /// The term Ṅ ω of q̈ = N ω̇ + Ṅ ω, n_q values, which overwrite `bias`; Ṅ is the derivative of N(q) with respect to time at q̇ = N ω.
    ///
    /// For quaternions it is −¼ |ω|² e.
    pub fn rate_bias(self, q: &[f64], omega: [f64; 3], bias: &mut [f64]) {
        match self {
            Attitude::Quaternion => {
                let factor = -0.25 * Vector(omega).square();
                bias[..4].copy_from_slice(&four(q).map(|e| factor * e));
            }
            Attitude::ModifiedRodrigues => set(bias, rodrigues::modified_bias(three(q), omega)),
            Attitude::Rodrigues => set(bias, rodrigues::bias(three(q), omega)),
            Attitude::RotationVector => set(bias, rotation_vector::bias(three(q), omega)),
            Attitude::Euler(sequence) => set(bias, euler::bias(sequence, three(q), omega)),
        }
    }

    /// q̈ = N ω̇ + Ṅ ω, n_q values, which overwrite `second_rates`; ω \[rad/s\] and ω̇ \[rad/s²\] are in body axes.
    pub fn second_rates(self, q: &[f64], omega: [f64; 3], acceleration: [f64; 3], second_rates: &mut [f64]) {
        let mut linear = [0.0; 4];
        self.rates(q, acceleration, &mut linear);
        self.rate_bias(q, omega, second_rates);
        for (second_rate, linear) in second_rates.iter_mut().zip(linear).take(self.n_q()) {
            *second_rate += linear;
        }
    }

    /// N(q), n_q rows of three; the fourth row is zero where n_q = 3.
    ///
    /// It is the derivative of q ⊕ δ with respect to δ at δ = 0, the Jacobian of the error state.
    pub fn rate_matrix(self, q: &[f64]) -> [[f64; 3]; 4] {
        let mut matrix = [[0.0; 3]; 4];
        for j in 0..3 {
            let mut column = [0.0; 4];
            self.rates(q, core::array::from_fn(|i| f64::from(i == j)), &mut column);
            for (row, entry) in matrix.iter_mut().zip(column) {
                row[j] = entry;
            }
        }
        matrix
    }

    /// N⁻¹(q), three rows of n_q; the fourth column is zero where n_q = 3. N⁻¹ N = 1, and N N⁻¹ = 1 for n_q = 3.
    pub fn inverse_rate_matrix(self, q: &[f64]) -> [[f64; 4]; 3] {
        let mut matrix = [[0.0; 4]; 3];
        for j in 0..self.n_q() {
            let unit: [f64; 4] = core::array::from_fn(|i| f64::from(i == j));
            for (row, entry) in matrix.iter_mut().zip(self.angular_velocity(q, &unit)) {
                row[j] = entry;
            }
        }
        matrix
    }
}

/// ½ e ∘ (0, ω).
fn quaternion_rates(e: [f64; 4], omega: [f64; 3]) -> [f64; 4] {
    product(e, [0.0, omega[0], omega[1], omega[2]]).map(|rate| 0.5 * rate)
}
