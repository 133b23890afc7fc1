//! Vectors of three and 3 × 3 matrices.

use mbs_expr::Scalar;

/// Three components.
pub type Vector3<S> = [S; 3];

/// Rows of three.
pub type Matrix3<S> = [[S; 3]; 3];

/// a · b.
pub fn dot<S: Scalar>(a: Vector3<S>, b: Vector3<S>) -> S {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// a × b.
pub fn cross<S: Scalar>(a: Vector3<S>, b: Vector3<S>) -> Vector3<S> {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// a + b.
pub fn plus<S: Scalar>(a: Vector3<S>, b: Vector3<S>) -> Vector3<S> {
    [0, 1, 2].map(|k| a[k] + b[k])
}

/// a − b.
pub fn minus<S: Scalar>(a: Vector3<S>, b: Vector3<S>) -> Vector3<S> {
    [0, 1, 2].map(|k| a[k] - b[k])
}

/// s a.
pub fn scaled<S: Scalar>(s: S, a: Vector3<S>) -> Vector3<S> {
    a.map(|x| s * x)
}

/// R a.
pub fn times<S: Scalar>(r: &Matrix3<S>, a: Vector3<S>) -> Vector3<S> {
    r.map(|row| dot(row, a))
}

/// Rᵀ a.
pub fn transposed<S: Scalar>(r: &Matrix3<S>, a: Vector3<S>) -> Vector3<S> {
    [0, 1, 2].map(|k| r[0][k] * a[0] + r[1][k] * a[1] + r[2][k] * a[2])
}

/// A B.
pub fn product<S: Scalar>(a: &Matrix3<S>, b: &Matrix3<S>) -> Matrix3<S> {
    a.map(|row| [0, 1, 2].map(|k| row[0] * b[0][k] + row[1] * b[1][k] + row[2] * b[2][k]))
}

/// Aᵀ.
pub fn transpose<S: Scalar>(a: &Matrix3<S>) -> Matrix3<S> {
    [0, 1, 2].map(|i| [0, 1, 2].map(|k| a[k][i]))
}

/// Zero.
pub fn zero<S: Scalar>() -> Vector3<S> {
    [S::number(0.0); 3]
}

/// Unit vector k.
pub fn unit<S: Scalar>(k: usize) -> Vector3<S> {
    [0, 1, 2].map(|i| S::number(if i == k { 1.0 } else { 0.0 }))
}

/// 1.
pub fn identity<S: Scalar>() -> Matrix3<S> {
    [unit(0), unit(1), unit(2)]
}

/// ω̃: ω̃ a = ω × a.
pub fn tilde<S: Scalar>(w: Vector3<S>) -> Matrix3<S> {
    let o = S::number(0.0);
    [[o, -w[2], w[1]], [w[2], o, -w[0]], [-w[1], w[0], o]]
}

/// Whether all components are structurally zero.
pub fn is_zero<S: Scalar>(a: Vector3<S>) -> bool {
    a.iter().all(|x| x.is_zero())
}
