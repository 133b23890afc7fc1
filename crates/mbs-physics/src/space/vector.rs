//! Vectors with three components, and 3 × 3 matrices.

use mbs_expr::Scalar;
use mbs_math::{Mat3, Vec3, Vector};

/// A vector.
pub type Vector3<S> = Vec3<S>;

/// A matrix, by rows.
pub type Matrix3<S> = Mat3<S>;

/// The zero vector.
pub fn zero<S: Scalar>() -> Vector3<S> {
    Vector([S::number(0.0); 3])
}

/// Unit vector k.
pub fn unit<S: Scalar>(k: usize) -> Vector3<S> {
    Vector::from_fn(|i| S::number(if i == k { 1.0 } else { 0.0 }))
}

/// The vector with component x on axis k, and zeros.
pub fn axis_vector<S: Scalar>(k: usize, x: S) -> Vector3<S> {
    Vector::from_fn(|i| if i == k { x } else { S::number(0.0) })
}

/// The identity matrix.
pub fn identity<S: Scalar>() -> Matrix3<S> {
    Mat3([unit(0), unit(1), unit(2)])
}

/// ω̃, the matrix with ω̃ a = ω × a.
pub fn tilde<S: Scalar>(w: Vector3<S>) -> Matrix3<S> {
    let o = S::number(0.0);
    Mat3([Vector([o, -w[2], w[1]]), Vector([w[2], o, -w[0]]), Vector([-w[1], w[0], o])])
}

/// Whether all components are structurally zero.
pub fn is_zero<S: Scalar>(a: Vector3<S>) -> bool {
    a.iter().all(|x| x.is_zero())
}
