//! Vectors, matrices and wrenches of space.

/// World or body components.
pub(crate) type Vector = [f64; 3];

/// Rows.
pub(crate) type Matrix = [Vector; 3];

/// No rotation.
pub(crate) const IDENTITY: Matrix = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

/// A unit vector.
pub(crate) fn unit(k: usize) -> Vector {
    std::array::from_fn(|i| f64::from(i == k))
}

/// a + b.
pub(crate) fn plus(a: Vector, b: Vector) -> Vector {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

/// a − b.
pub(crate) fn minus(a: Vector, b: Vector) -> Vector {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// s a.
pub(crate) fn scaled(s: f64, a: Vector) -> Vector {
    a.map(|x| s * x)
}

/// a·b.
pub(crate) fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// a × b.
pub(crate) fn cross(a: Vector, b: Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// M a.
pub(crate) fn times(m: &Matrix, a: Vector) -> Vector {
    m.map(|row| dot(row, a))
}

/// Mᵀ a.
pub(crate) fn transposed_times(m: &Matrix, a: Vector) -> Vector {
    std::array::from_fn(|k| m[0][k] * a[0] + m[1][k] * a[1] + m[2][k] * a[2])
}

/// Mᵀ.
pub(crate) fn transposed(m: &Matrix) -> Matrix {
    std::array::from_fn(|i| std::array::from_fn(|k| m[k][i]))
}

/// A B.
pub(crate) fn product(a: &Matrix, b: &Matrix) -> Matrix {
    a.map(|row| transposed_times(b, row))
}

/// A + B.
pub(crate) fn sum(a: &Matrix, b: &Matrix) -> Matrix {
    std::array::from_fn(|i| plus(a[i], b[i]))
}

/// s a bᵀ.
pub(crate) fn outer(s: f64, a: Vector, b: Vector) -> Matrix {
    a.map(|x| scaled(s * x, b))
}

/// ã: ã b = a × b.
pub(crate) fn tilde([x, y, z]: Vector) -> Matrix {
    [[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]]
}

/// Column k.
pub(crate) fn column(m: &Matrix, k: usize) -> Vector {
    [m[0][k], m[1][k], m[2][k]]
}

/// The pose of a frame in another: x_outer = R x_inner + p.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fixed {
    /// R.
    pub rotation: Matrix,
    /// p.
    pub point: Vector,
}

impl Fixed {
    /// The frame itself.
    pub const NONE: Fixed = Fixed { rotation: IDENTITY, point: [0.0; 3] };

    /// A point of the inner frame in the outer one.
    pub fn point(&self, x: Vector) -> Vector {
        plus(times(&self.rotation, x), self.point)
    }

    /// This pose, then another inside it.
    pub fn then(&self, inner: &Fixed) -> Self {
        Fixed { rotation: product(&self.rotation, &inner.rotation), point: self.point(inner.point) }
    }

    /// The outer frame in the inner one.
    pub fn inverse(&self) -> Self {
        Fixed {
            rotation: transposed(&self.rotation),
            point: scaled(-1.0, transposed_times(&self.rotation, self.point)),
        }
    }
}

/// A force with the moment about some point, or what multiplies a velocity and an angular velocity; world axes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Wrench {
    /// \[N\].
    pub force: Vector,
    /// \[N m\].
    pub torque: Vector,
}

impl Wrench {
    /// A force at the end of an arm, about the arm's beginning.
    pub fn at(arm: Vector, force: Vector) -> Self {
        Wrench { force, torque: cross(arm, force) }
    }

    /// A moment.
    pub fn torque(torque: Vector) -> Self {
        Wrench { force: [0.0; 3], torque }
    }

    /// The same about a point from which the present one is seen at `offset`.
    pub fn shifted(self, offset: Vector) -> Self {
        Wrench { force: self.force, torque: plus(self.torque, cross(offset, self.force)) }
    }

    /// Adds another about the same point.
    pub fn add(&mut self, other: Wrench) {
        self.force = plus(self.force, other.force);
        self.torque = plus(self.torque, other.torque);
    }

    /// Some multiple.
    pub fn times(self, factor: f64) -> Self {
        Wrench { force: scaled(factor, self.force), torque: scaled(factor, self.torque) }
    }
}

/// What a unit speed does to a frame: velocity of its origin and angular velocity, world axes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Column {
    /// Of the origin.
    pub velocity: Vector,
    /// Of the axes.
    pub rate: Vector,
}

impl Column {
    /// Power of a wrench about the origin.
    pub fn power(self, w: Wrench) -> f64 {
        dot(self.velocity, w.force) + dot(self.rate, w.torque)
    }

    /// Adds a multiple of another.
    pub fn add(&mut self, factor: f64, other: Column) {
        self.velocity = plus(self.velocity, scaled(factor, other.velocity));
        self.rate = plus(self.rate, scaled(factor, other.rate));
    }
}
