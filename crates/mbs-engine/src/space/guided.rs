//! Points guided on ellipsoids and spheres: displacements, their columns and what is quadratic in speeds, in the base's axes.
//!
//! With F an ellipsoid's stretch along axes that turn with the angular velocity w, Ḟ = w̃ F − F w̃, and the direction n of the second end's
//! z axis:
//!
//! ```text
//! (1)  F at rest, n turns:    d = F n      ḋ = F (w × n)                  b = F (w × (w × n))
//! (2)  n at rest, F turns:    d = −F n     ḋ = F (w × n) − w × F n        b = 2 w × F (w × n) − F (w × (w × n)) − w × (w × F n)
//! ```
//!
//! On a sphere of radius ρ at azimuth α and elevation ε, with ŝ = (cos α, sin α, 0), ĥ = ẑ × ŝ:
//!
//! ```text
//! (3)  d = ρ (cos ε ŝ + sin ε ẑ)      ḋ = ρ (cos ε α̇ ĥ + ε̇ (cos ε ẑ − sin ε ŝ))      b = −ρ cos ε α̇² ŝ − 2 ρ sin ε α̇ ε̇ ĥ − ε̇² d
//! ```

use super::vector::{Matrix, Vector, cross, minus, plus, product, scaled, times, transposed, unit};

/// F in the axes that R turns its own to.
fn stretch(radii: Vector, axes: &Matrix) -> Matrix {
    let own = std::array::from_fn(|i| scaled(radii[i], unit(i)));
    product(&product(axes, &own), &transposed(axes))
}

/// An ellipsoid and a direction, one of them at rest in the base.
pub(crate) struct Ellipsoid {
    stretch: Matrix,
    normal: Vector,
    /// Whether the ellipsoid is what turns.
    turns: bool,
}

impl Ellipsoid {
    /// Where the child's axes in the base are the columns of `rotation`; `turns` where the child has the ellipsoid.
    pub fn new(radii: Vector, rotation: &Matrix, turns: bool) -> Self {
        let (axes, normal) = match turns {
            true => (*rotation, unit(2)),
            false => (super::vector::IDENTITY, super::vector::column(rotation, 2)),
        };
        Ellipsoid { stretch: stretch(radii, &axes), normal, turns }
    }

    pub fn displacement(&self) -> Vector {
        let out = times(&self.stretch, self.normal);
        if self.turns { scaled(-1.0, out) } else { out }
    }

    /// ḋ.
    pub fn velocity(&self, w: Vector) -> Vector {
        let drawn = times(&self.stretch, cross(w, self.normal));
        if self.turns { plus(drawn, cross(w, self.displacement())) } else { drawn }
    }

    /// b.
    pub fn bias(&self, w: Vector) -> Vector {
        let rate = cross(w, self.normal);
        let bent = times(&self.stretch, cross(w, rate));
        if !self.turns {
            return bent;
        }
        let slipping = scaled(2.0, cross(w, times(&self.stretch, rate)));
        plus(minus(slipping, bent), cross(w, cross(w, self.displacement())))
    }
}

/// Radius (with the sign of the way), azimuth and elevation.
pub(crate) struct Orbit {
    radius: f64,
    out: Vector,
    along: Vector,
    sin: f64,
    cos: f64,
}

impl Orbit {
    pub fn new(radius: f64, q: &[f64]) -> Self {
        let ((s, c), (sin, cos)) = (mbs_core::math::sin_cos(q[0]), mbs_core::math::sin_cos(q[1]));
        Orbit { radius, out: [c, s, 0.0], along: [-s, c, 0.0], sin, cos }
    }

    pub fn displacement(&self) -> Vector {
        scaled(self.radius, plus(scaled(self.cos, self.out), scaled(self.sin, unit(2))))
    }

    /// ∂d/∂α or ∂d/∂ε.
    pub fn column(&self, k: usize) -> Vector {
        match k {
            0 => scaled(self.radius * self.cos, self.along),
            _ => scaled(self.radius, minus(scaled(self.cos, unit(2)), scaled(self.sin, self.out))),
        }
    }

    /// b.
    pub fn bias(&self, v: &[f64]) -> Vector {
        let around = scaled(-self.radius * self.cos * v[0] * v[0], self.out);
        let mixed = scaled(-2.0 * self.radius * self.sin * v[0] * v[1], self.along);
        plus(plus(around, mixed), scaled(-v[1] * v[1], self.displacement()))
    }
}
