//! Attitudes: parameters of rotations.

use core::fmt;

use super::{Sequence, euler, log, matrix_of, nearer, normalized, rodrigues, rotation_vector};
use crate::Vector;

/// Kind of the parameters of the rotation R_WB of a body. The parameters are n_q = 4 or 3 numbers q; the speeds are ω in body axes.
///
/// | attitude | q | R(q) for any q | singular at | q is R for |
/// |---|---|---|---|---|
/// | [`Quaternion`](Attitude::Quaternion) | e | homogeneous of degree 2, a rotation for \|e\| = 1 | nowhere | ±e |
/// | [`ModifiedRodrigues`](Attitude::ModifiedRodrigues) | σ = a tan ¼θ | a rotation | θ = 2π | σ, −σ/σ² |
/// | [`Rodrigues`](Attitude::Rodrigues) | g = a tan ½θ | a rotation | θ = π | g alone |
/// | [`RotationVector`](Attitude::RotationVector) | φ = a θ | a rotation | θ = 2π, 4π, … | φ + 2πk a |
/// | [`Euler`](Attitude::Euler) | angles (a, b, c) | a rotation | cos b = 0, proper sin b = 0 | two triples + 2πk |
///
/// with the rotation by θ about the unit vector a. Near a singular attitude, N grows without bound, and rates with it. Only for quaternions is
/// R homogeneous: multiples of other parameters are another rotation, so that these are not normalized.
///
/// Methods take and write slices of n_q numbers: q, or the entries of q in a state vector.
///
/// # Panics
/// Methods panic where a slice is shorter than n_q; entries beyond n_q are neither read nor written.
///
/// # Source
/// Shuster (1993), A survey of attitude representations, J. Astronaut. Sci. 41; Diebel (2006), Representing attitude;
/// Schaub & Junkins (2018), Analytical Mechanics of Space Systems, ch. 3; Markley & Crassidis (2014), Fundamentals of
/// Spacecraft Attitude Determination and Control, ch. 2 and 3.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Attitude {
    /// A unit quaternion, scalar first.
    #[default]
    Quaternion,
    /// Modified Rodrigues parameters σ = e/(1 + e0): three numbers, regular for rotations below 2π.
    ModifiedRodrigues,
    /// Rodrigues parameters (Gibbs vector) g = e/e0: three numbers, regular for rotations below π.
    Rodrigues,
    /// The rotation vector φ \[rad\]: axis times angle, regular for rotations below 2π.
    RotationVector,
    /// Euler angles \[rad\] of a sequence: R_i(a) R_j(b) R_k(c).
    Euler(Sequence),
}

impl Attitude {
    /// Number of parameters: 4 for quaternions, else 3.
    pub const fn n_q(self) -> usize {
        match self {
            Attitude::Quaternion => 4,
            _ => 3,
        }
    }

    /// Degree d of R(s q) = sᵈ R(q): 2 for quaternions; `None` where R is not homogeneous, and a rotation for every q.
    pub const fn homogeneous_degree(self) -> Option<u32> {
        match self {
            Attitude::Quaternion => Some(2),
            _ => None,
        }
    }

    /// Writes the identity: e = (1, 0, 0, 0), else zeros. Proper Euler angles are singular there.
    pub fn write_identity(self, q: &mut [f64]) {
        self.write_parameters([1.0, 0.0, 0.0, 0.0], q);
    }

    /// The quaternion of parameters: of unit length, except for quaternions, which are returned unchanged.
    pub fn quaternion_of(self, q: &[f64]) -> [f64; 4] {
        match self {
            Attitude::Quaternion => four(q),
            Attitude::ModifiedRodrigues => rodrigues::quaternion_of_modified(three(q)),
            Attitude::Rodrigues => rodrigues::quaternion(three(q)),
            Attitude::RotationVector => super::exp(three(q)),
            Attitude::Euler(sequence) => euler::quaternion(sequence, three(q)),
        }
    }

    /// R(q), rows of R_WB; for quaternions of any length homogeneous of degree 2.
    pub fn matrix_of(self, q: &[f64]) -> [[f64; 3]; 3] {
        matrix_of(self.quaternion_of(q))
    }

    /// Writes the parameters of a rotation, on the principal branch; the length of `quaternion` may be any but 0:
    ///
    /// - quaternion: of unit length, with the sign of the argument;
    /// - modified Rodrigues: whichever of σ and its shadow has |σ| ≤ 1;
    /// - Rodrigues: g, not finite for half revolutions;
    /// - rotation vector: |φ| ≤ π;
    /// - Euler: a and c in (−π, π\], b in \[−π/2, π/2\] (Tait–Bryan) or \[0, π\] (proper); in gimbal lock, where
    ///   only a + c or a − c is determined, c = 0.
    pub fn write_parameters(self, quaternion: [f64; 4], q: &mut [f64]) {
        match self {
            Attitude::Quaternion => q[..4].copy_from_slice(&normalized(quaternion)),
            Attitude::ModifiedRodrigues => set(q, rodrigues::modified(quaternion)),
            Attitude::Rodrigues => set(q, super::inverse_cayley(quaternion)),
            Attitude::RotationVector => set(q, log(quaternion)),
            Attitude::Euler(sequence) => set(q, euler::angles(sequence, quaternion, 0.0)),
        }
    }

    /// Writes those of all parameters q of a rotation that are nearest to `hint`, which are parameters of the same kind, such as those of the
    /// previous instant, so that a motion has no jumps. In gimbal lock c is that of the hint.
    pub fn write_parameters_near(self, quaternion: [f64; 4], hint: &[f64], q: &mut [f64]) {
        match self {
            Attitude::Quaternion => q[..4].copy_from_slice(&nearer(normalized(quaternion), four(hint))),
            Attitude::ModifiedRodrigues => {
                let sigma = rodrigues::modified(quaternion);
                let shadow = rodrigues::shadow(sigma);
                let is_shadow = distance(shadow, three(hint)) < distance(sigma, three(hint));
                set(q, if is_shadow { shadow } else { sigma });
            }
            Attitude::Rodrigues => set(q, super::inverse_cayley(quaternion)),
            Attitude::RotationVector => set(q, rotation_vector::nearest_equivalent(log(quaternion), three(hint))),
            Attitude::Euler(sequence) => set(q, euler::nearest_angles(sequence, quaternion, three(hint))),
        }
    }

    /// Writes the rotation with the parameters q in parameters of the kind `other`, on their principal branch: see
    /// [`write_parameters`](Attitude::write_parameters).
    pub fn convert(self, q: &[f64], other: Attitude, converted: &mut [f64]) {
        other.write_parameters(self.quaternion_of(q), converted);
    }

    /// Restores |e| = 1 of quaternions, which numerical integration does not preserve; leaves all other parameters unchanged.
    ///
    /// The result is a smooth function of q, so that integrators may call it anywhere. By contrast,
    /// [`change_to_principal`](Attitude::change_to_principal) makes parameters jump.
    pub fn normalize(self, q: &mut [f64]) {
        if self == Attitude::Quaternion {
            let unit = normalized(four(q));
            q[..4].copy_from_slice(&unit);
        }
    }

    /// Moves parameters to the principal branch, away from where they are singular, and returns whether they jumped: |σ| ≤ 1
    /// by the shadow set, |φ| ≤ π, Euler angles as [`write_parameters`](Attitude::write_parameters) says. Quaternions and
    /// Rodrigues parameters do not change.
    ///
    /// The rotation and the speeds do not change; the rates of q do. So it is called between the steps of an integrator, never within one.
    pub fn change_to_principal(self, q: &mut [f64]) -> bool {
        let before = three(q);
        let after = match self {
            Attitude::Quaternion | Attitude::Rodrigues => return false,
            Attitude::ModifiedRodrigues if Vector(before).square() > 1.0 => rodrigues::shadow(before),
            Attitude::ModifiedRodrigues => before,
            Attitude::RotationVector => rotation_vector::shortest(before),
            Attitude::Euler(sequence) => euler::principal(sequence, before),
        };
        set(q, after);
        after != before
    }

    /// A measure of the distance of q from the singular attitude: 1 at most, and 0 where the attitude is singular.
    ///
    /// 1 for quaternions, cos ¼θ = (1 + σ²)^(−½), cos ½θ = (1 + g²)^(−½), |sin ½θ|/½θ for rotation vectors, |cos b| for
    /// Tait–Bryan angles, |sin b| for proper ones. N has the magnitude of its inverse, except for the two kinds of Rodrigues parameters, where N
    /// has the magnitude of its inverse square.
    pub fn regularity(self, q: &[f64]) -> f64 {
        match self {
            Attitude::Quaternion => 1.0,
            Attitude::ModifiedRodrigues | Attitude::Rodrigues => {
                1.0 / crate::math::hypot(1.0, crate::Real::sqrt(Vector(three(q)).square()))
            }
            Attitude::RotationVector => rotation_vector::regularity(three(q)),
            Attitude::Euler(sequence) => euler::regularity(sequence, three(q)),
        }
    }
}

impl fmt::Display for Attitude {
    /// Writes the attitude in the syntax of declarations: `quaternion`, `mrp`, `rodrigues`, `vector`, `euler(zyx)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Attitude::Quaternion => f.write_str("quaternion"),
            Attitude::ModifiedRodrigues => f.write_str("mrp"),
            Attitude::Rodrigues => f.write_str("rodrigues"),
            Attitude::RotationVector => f.write_str("vector"),
            Attitude::Euler(sequence) => write!(f, "euler({sequence})"),
        }
    }
}

pub(super) fn three(q: &[f64]) -> [f64; 3] {
    [q[0], q[1], q[2]]
}

pub(super) fn four(q: &[f64]) -> [f64; 4] {
    [q[0], q[1], q[2], q[3]]
}

pub(super) fn set(q: &mut [f64], values: [f64; 3]) {
    q[..3].copy_from_slice(&values);
}

/// |a − b|².
fn distance(a: [f64; 3], b: [f64; 3]) -> f64 {
    (Vector(a) - Vector(b)).square()
}
