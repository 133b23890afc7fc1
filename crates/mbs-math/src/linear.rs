//! Small vectors and 3 × 3 matrices, over any type of scalar that is a [`Ring`].

use core::ops::{Add, AddAssign, Deref, DerefMut, Div, Mul, Neg, Sub, SubAssign};

/// Scalar type of components, with addition, subtraction, multiplication and negation.
pub trait Ring: Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Neg<Output = Self> {}

impl<S> Ring for S where S: Copy + Add<Output = S> + Sub<Output = S> + Mul<Output = S> + Neg<Output = S> {}

/// Components of a vector in some frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Vector<S, const N: usize>(pub [S; N]);

/// The values of a function at the elements of an array, as by its method `map`, for elements that are `Copy`.
pub trait Each<A: Copy, const N: usize> {
    /// The array of the values of `f` at each element, from the first to the last. It costs rustc a tenth of `map`: see [`Vector::from_fn`].
    fn each<R: Copy>(self, f: impl FnMut(A) -> R) -> [R; N];
}

impl<A: Copy, const N: usize> Each<A, N> for [A; N] {
    #[inline]
    fn each<R: Copy>(self, f: impl FnMut(A) -> R) -> [R; N] {
        Vector(self).map(f).0
    }
}

/// Components x and y.
pub type Vec2<S> = Vector<S, 2>;

/// Components x, y and z.
pub type Vec3<S> = Vector<S, 3>;

impl<S: Copy, const N: usize> Vector<S, N> {
    /// The vector with component f(k) for each k, from the first component to the last.
    #[inline]
    pub fn from_fn(mut f: impl FnMut(usize) -> S) -> Self {
        // `core::array::from_fn` and the `map` of arrays also work for components that are not `Copy`, for which they need ten times as much
        // code: a sixth of what LLVM read of the physics were copies of them for each closure and each kind of scalar.
        let mut components = [f(0); N];
        let mut k = 1;
        while k < N {
            components[k] = f(k);
            k += 1;
        }
        Vector(components)
    }

    /// The vector of the values of `f` at each component, from the first component to the last.
    #[inline]
    pub fn map<R: Copy>(self, mut f: impl FnMut(S) -> R) -> Vector<R, N> {
        Vector::from_fn(|k| f(self.0[k]))
    }

    /// The vector of the values of `f` at corresponding components of two vectors, from the first component to the last.
    #[inline]
    pub fn zip<O: Copy, R: Copy>(self, other: Vector<O, N>, mut f: impl FnMut(S, O) -> R) -> Vector<R, N> {
        Vector::from_fn(|k| f(self.0[k], other.0[k]))
    }
}

impl<S: Ring, const N: usize> Vector<S, N> {
    /// The scalar product a · b.
    #[inline]
    pub fn dot(self, b: Self) -> S {
        let mut sum = self.0[0] * b.0[0];
        for k in 1..N {
            sum = sum + self.0[k] * b.0[k];
        }
        sum
    }

    /// The square a · a of the length.
    pub fn square(self) -> S {
        self.dot(self)
    }
}

impl<S: Ring> Vec2<S> {
    /// The z component of a × b.
    #[inline]
    pub fn cross(self, b: Self) -> S {
        self[0] * b[1] - self[1] * b[0]
    }

    /// The vector rotated by an angle with the given cosine and sine: from components in axes whose x axis is (cos, sin), to
    /// components in the axes in which (cos, sin) is given.
    pub fn rotated(self, [cos, sin]: [S; 2]) -> Self {
        let [x, y] = self.0;
        Vector([cos * x - sin * y, sin * x + cos * y])
    }
}

impl<S: Ring> Vec3<S> {
    /// The vector product a × b.
    #[inline]
    pub fn cross(self, b: Self) -> Self {
        let a = self;
        Vector([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])
    }
}

impl<S, const N: usize> From<[S; N]> for Vector<S, N> {
    fn from(components: [S; N]) -> Self {
        Vector(components)
    }
}

impl<S, const N: usize> IntoIterator for Vector<S, N> {
    type Item = S;
    type IntoIter = core::array::IntoIter<S, N>;
    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

/// Dereferences to the array of components.
impl<S, const N: usize> Deref for Vector<S, N> {
    type Target = [S; N];
    fn deref(&self) -> &[S; N] {
        &self.0
    }
}

impl<S, const N: usize> DerefMut for Vector<S, N> {
    fn deref_mut(&mut self) -> &mut [S; N] {
        &mut self.0
    }
}

impl<S: Ring, const N: usize> Add for Vector<S, N> {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        self.zip(other, |a, b| a + b)
    }
}

impl<S: Ring, const N: usize> Sub for Vector<S, N> {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        self.zip(other, |a, b| a - b)
    }
}

impl<S: Ring, const N: usize> AddAssign for Vector<S, N> {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl<S: Ring, const N: usize> SubAssign for Vector<S, N> {
    #[inline]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl<S: Ring, const N: usize> Neg for Vector<S, N> {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        self.map(|a| -a)
    }
}

/// The multiple s a.
impl<S: Ring, const N: usize> Mul<S> for Vector<S, N> {
    type Output = Self;
    #[inline]
    fn mul(self, s: S) -> Self {
        self.map(|a| s * a)
    }
}

/// The quotient a / s.
impl<S: Ring + Div<Output = S>, const N: usize> Div<S> for Vector<S, N> {
    type Output = Self;
    fn div(self, s: S) -> Self {
        self.map(|a| a / s)
    }
}

/// A 3 × 3 matrix, as three rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Mat3<S>(pub [Vec3<S>; 3]);

impl<S: Copy> Mat3<S> {
    /// The matrix of the values of `f` at each entry, row by row.
    #[inline]
    pub fn map<R: Copy>(self, mut f: impl FnMut(S) -> R) -> Mat3<R> {
        let [x, y, z] = self.0;
        Mat3([x.map(&mut f), y.map(&mut f), z.map(&mut f)])
    }

    /// The matrix whose row i is f(i), from the first row to the last.
    pub fn from_rows(mut f: impl FnMut(usize) -> Vec3<S>) -> Self {
        Mat3([f(0), f(1), f(2)])
    }
}

/// Dereferences to the array of rows.
impl<S> Deref for Mat3<S> {
    type Target = [Vec3<S>; 3];
    fn deref(&self) -> &[Vec3<S>; 3] {
        &self.0
    }
}

impl<S> DerefMut for Mat3<S> {
    fn deref_mut(&mut self) -> &mut [Vec3<S>; 3] {
        &mut self.0
    }
}

impl<S: Copy> Mat3<S> {
    /// The symmetric matrix with the entries xx, yy, zz, xy, xz, yz.
    pub fn symmetric([xx, yy, zz, xy, xz, yz]: [S; 6]) -> Self {
        Mat3([Vector([xx, xy, xz]), Vector([xy, yy, yz]), Vector([xz, yz, zz])])
    }
}

impl<S: Ring> Mat3<S> {
    /// Matrix with these columns.
    pub fn of_columns(columns: [Vec3<S>; 3]) -> Self {
        Mat3(columns).transpose()
    }

    /// Column k, with k = 0, 1 or 2.
    pub fn column(self, k: usize) -> Vec3<S> {
        Vector([self[0][k], self[1][k], self[2][k]])
    }

    /// The transpose Aᵀ.
    pub fn transpose(self) -> Self {
        Mat3([self.column(0), self.column(1), self.column(2)])
    }

    /// The product Aᵀ a.
    pub fn transpose_times(self, a: Vec3<S>) -> Vec3<S> {
        self.transpose() * a
    }
}

impl<S: Ring> Mul<Vec3<S>> for Mat3<S> {
    type Output = Vec3<S>;
    #[inline]
    fn mul(self, a: Vec3<S>) -> Vec3<S> {
        Vector([self[0].dot(a), self[1].dot(a), self[2].dot(a)])
    }
}

impl<S: Ring> Mul<Vec3<S>> for &Mat3<S> {
    type Output = Vec3<S>;
    #[inline]
    fn mul(self, a: Vec3<S>) -> Vec3<S> {
        *self * a
    }
}

impl<S: Ring> Add for Mat3<S> {
    type Output = Self;
    #[inline]
    fn add(self, b: Self) -> Self {
        Mat3([self[0] + b[0], self[1] + b[1], self[2] + b[2]])
    }
}

impl<S: Ring> Sub for Mat3<S> {
    type Output = Self;
    #[inline]
    fn sub(self, b: Self) -> Self {
        Mat3([self[0] - b[0], self[1] - b[1], self[2] - b[2]])
    }
}

impl<S: Ring> Neg for Mat3<S> {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Mat3([-self[0], -self[1], -self[2]])
    }
}

/// The multiple s A.
impl<S: Ring> Mul<S> for Mat3<S> {
    type Output = Self;
    #[inline]
    fn mul(self, s: S) -> Self {
        Mat3([self[0] * s, self[1] * s, self[2] * s])
    }
}

impl<S: Ring> Mul<Mat3<S>> for &Mat3<S> {
    type Output = Mat3<S>;
    #[inline]
    fn mul(self, b: Mat3<S>) -> Mat3<S> {
        *self * b
    }
}

impl<S: Ring> Mul for Mat3<S> {
    type Output = Self;
    #[inline]
    fn mul(self, b: Self) -> Self {
        let columns = b.transpose();
        let row = |a: Vec3<S>| Vector([a.dot(columns[0]), a.dot(columns[1]), a.dot(columns[2])]);
        Mat3([row(self[0]), row(self[1]), row(self[2])])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cross_product_is_perpendicular_to_its_factors() {
        let (a, b) = (Vector([1.0, 2.0, -3.0]), Vector([0.5, -1.0, 4.0]));
        let c = a.cross(b);
        assert_eq!([c.dot(a), c.dot(b)], [0.0, 0.0]);
        assert_eq!(c, -b.cross(a));
        assert_eq!(Vector([1.0, 0.0, 0.0]).cross(Vector([0.0, 1.0, 0.0])), Vector([0.0, 0.0, 1.0]));
    }

    #[test]
    fn a_product_acts_as_its_factors_one_after_the_other() {
        let row = |x, y, z| Vector([x, y, z]);
        let a = Mat3([row(1.0, 2.0, 3.0), row(0.0, -1.0, 2.0), row(4.0, 0.0, 1.0)]);
        let b = Mat3([row(2.0, 0.0, 1.0), row(1.0, 1.0, 0.0), row(0.0, 3.0, -2.0)]);
        let v = row(1.0, -2.0, 5.0);
        assert_eq!((a * b) * v, a * (b * v));
        assert_eq!((a * b).transpose(), b.transpose() * a.transpose());
        assert_eq!((a * v).dot(v), v.dot(a.transpose() * v));
    }
}
