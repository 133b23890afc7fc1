//! Points guided on ellipsoids and spheres: displacements, their columns and terms quadratic in speeds, in the base's axes.
//!
//! F is the tensor whose principal values are the radii of the ellipsoid; where its axes rotate with the angular velocity w, Ḟ = w̃ F − F w̃.
//! n is the direction of the z axis of the second end:
//!
//! ```text
//! (1)  F at rest, n rotates:  d = F n      ḋ = F (w × n)                  b = F (w × (w × n))
//! (2)  n at rest, F rotates:  d = −F n     ḋ = F (w × n) − w × F n        b = 2 w × F (w × n) − F (w × (w × n)) − w × (w × F n)
//! ```
//!
//! On a sphere of radius ρ at azimuth α and elevation ε, with ŝ = (cos α, sin α, 0), ĥ = ẑ × ŝ:
//!
//! ```text
//! (3)  d = ρ (cos ε ŝ + sin ε ẑ)      ḋ = ρ (cos ε α̇ ĥ + ε̇ (cos ε ẑ − sin ε ŝ))      b = −ρ cos ε α̇² ŝ − 2 ρ sin ε α̇ ε̇ ĥ − ε̇² d
//! ```

use mbs_math::{Mat3, Vec3, Vector};

use super::vector::{IDENTITY, unit};

/// F = R diag(radii) Rᵀ.
fn stretch(radii: Vec3<f64>, r: Mat3<f64>) -> Mat3<f64> {
    let principal = Mat3([0, 1, 2].map(|i| unit(i) * radii[i]));
    r * principal * r.transpose()
}

/// An ellipsoid and a direction, one of them at rest in the base.
pub(crate) struct Ellipsoid {
    stretch: Mat3<f64>,
    normal: Vec3<f64>,
    /// Whether the ellipsoid rotates.
    rotates: bool,
}

impl Ellipsoid {
    /// The columns of `rotation` are the child's axes in the base; `rotates` states that the ellipsoid is fixed in the child.
    pub fn new(radii: Vec3<f64>, rotation: Mat3<f64>, rotates: bool) -> Self {
        let (axes, normal) = match rotates {
            true => (rotation, unit(2)),
            false => (IDENTITY, rotation.column(2)),
        };
        Ellipsoid { stretch: stretch(radii, axes), normal, rotates }
    }

    pub fn displacement(&self) -> Vec3<f64> {
        let radial = self.stretch * self.normal;
        if self.rotates { -radial } else { radial }
    }

    /// ḋ.
    pub fn velocity(&self, w: Vec3<f64>) -> Vec3<f64> {
        let drawn = self.stretch * w.cross(self.normal);
        if self.rotates { drawn + w.cross(self.displacement()) } else { drawn }
    }

    /// b.
    pub fn bias(&self, w: Vec3<f64>) -> Vec3<f64> {
        let rate = w.cross(self.normal);
        let curvature = self.stretch * w.cross(rate);
        if !self.rotates {
            return curvature;
        }
        let slipping = w.cross(self.stretch * rate) * 2.0;
        slipping - curvature + w.cross(w.cross(self.displacement()))
    }
}

/// A point on a sphere by azimuth and elevation. The radius is negative where the joint's first end is the child.
pub(crate) struct Orbit {
    radius: f64,
    radial: Vec3<f64>,
    tangent: Vec3<f64>,
    sin: f64,
    cos: f64,
}

impl Orbit {
    pub fn new(radius: f64, q: &[f64]) -> Self {
        let ((s, c), (sin, cos)) = (mbs_core::math::sin_cos(q[0]), mbs_core::math::sin_cos(q[1]));
        Orbit { radius, radial: Vector([c, s, 0.0]), tangent: Vector([-s, c, 0.0]), sin, cos }
    }

    pub fn displacement(&self) -> Vec3<f64> {
        (self.radial * self.cos + unit(2) * self.sin) * self.radius
    }

    /// ∂d/∂α or ∂d/∂ε.
    pub fn column(&self, k: usize) -> Vec3<f64> {
        match k {
            0 => self.tangent * (self.radius * self.cos),
            _ => (unit(2) * self.cos - self.radial * self.sin) * self.radius,
        }
    }

    /// b.
    pub fn bias(&self, v: &[f64]) -> Vec3<f64> {
        let around = self.radial * (-self.radius * self.cos * v[0] * v[0]);
        let mixed = self.tangent * (-2.0 * self.radius * self.sin * v[0] * v[1]);
        around + mixed + self.displacement() * (-v[1] * v[1])
    }
}
