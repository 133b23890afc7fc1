//! Vectors of the plane.

/// World or body components \[x, y\].
pub(crate) type Vector = [f64; 2];

/// a + b.
pub(crate) fn plus(a: Vector, b: Vector) -> Vector {
    [a[0] + b[0], a[1] + b[1]]
}

/// a − b.
pub(crate) fn minus(a: Vector, b: Vector) -> Vector {
    [a[0] - b[0], a[1] - b[1]]
}

/// s a.
pub(crate) fn scaled(s: f64, a: Vector) -> Vector {
    [s * a[0], s * a[1]]
}

/// a·b.
pub(crate) fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

/// (a × b)·ẑ.
pub(crate) fn cross(a: Vector, b: Vector) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}

/// ẑ × a: a turned by +90°.
pub(crate) fn turned(a: Vector) -> Vector {
    [-a[1], a[0]]
}

/// R a for a rotation given by its cosine and sine.
pub(crate) fn rotated((cos, sin): (f64, f64), a: Vector) -> Vector {
    [cos * a[0] - sin * a[1], sin * a[0] + cos * a[1]]
}

/// A force with the torque about some point, or what multiplies a velocity and a rate.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Wrench {
    /// \[N\], world axes.
    pub force: Vector,
    /// \[N m\], counterclockwise.
    pub torque: f64,
}

impl Wrench {
    /// A force at the end of an arm, about the arm's beginning.
    pub fn at(arm: Vector, force: Vector) -> Self {
        Wrench { force, torque: cross(arm, force) }
    }

    /// A torque.
    pub fn torque(torque: f64) -> Self {
        Wrench { force: [0.0; 2], torque }
    }

    /// The same about a point from which the present one is seen at `offset`.
    pub fn shifted(self, offset: Vector) -> Self {
        Wrench { force: self.force, torque: self.torque + cross(offset, self.force) }
    }

    /// Adds another about the same point.
    pub fn add(&mut self, other: Wrench) {
        self.force = plus(self.force, other.force);
        self.torque += other.torque;
    }
}

/// What a unit speed of a coordinate does to a body: velocity of its origin and rate, world axes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Column {
    /// Of the origin.
    pub velocity: Vector,
    /// Of the angle.
    pub rate: f64,
}

impl Column {
    /// Power of a wrench about the origin.
    pub fn power(self, w: Wrench) -> f64 {
        dot(self.velocity, w.force) + self.rate * w.torque
    }
}
