//! Dynamics as an engineer writes them by hand with nalgebra: planar bodies x, y, θ, revolute joints; the mass matrix inverted body
//! by body, λ from a Cholesky factorisation of the Schur complement G M⁻¹ Gᵀ, a from M a = Q − Gᵀ λ; sines from `std`.

use mbs::nalgebra::{Matrix3, SMatrix, SVector, Vector3};

/// A body: mass, inertia about its centre of mass, centre of mass in body axes.
#[derive(Clone, Copy)]
pub struct Body {
    /// Mass \[kg\].
    pub mass: f64,
    /// Inertia about the centre of mass \[kg m²\].
    pub inertia: f64,
    /// Centre of mass in body axes \[m\].
    pub com: [f64; 2],
}

/// A pin between two bodies (`None` is ground) at points in their axes.
#[derive(Clone, Copy)]
pub struct Pin {
    /// First body and point.
    pub first: (Option<usize>, [f64; 2]),
    /// Second body and point.
    pub second: (Option<usize>, [f64; 2]),
}

/// A spring from a ground point to a body point.
#[derive(Clone, Copy)]
pub struct Spring {
    /// Point on ground \[m\].
    pub anchor: [f64; 2],
    /// Body and point.
    pub end: (usize, [f64; 2]),
    /// Stiffness \[N/m\].
    pub stiffness: f64,
    /// Free length \[m\].
    pub free_length: f64,
}

/// A mechanism of pins with N coordinates, 3 per body, and C rows.
pub struct Baseline<const N: usize, const C: usize> {
    /// Bodies.
    pub bodies: Vec<Body>,
    /// Pins.
    pub pins: Vec<Pin>,
    /// Gravity along −y.
    pub gravity: f64,
    /// Torque on body 0.
    pub torque: f64,
    /// Spring, if any.
    pub spring: Option<Spring>,
}

impl<const N: usize, const C: usize> Baseline<N, C> {
    /// Accelerations a and multipliers λ.
    pub fn accelerations(&self, q: &SVector<f64, N>, v: &SVector<f64, N>) -> (SVector<f64, N>, SVector<f64, C>) {
        let mut inverse = [Matrix3::zeros(); 8];
        let mut force = SVector::<f64, N>::zeros();
        let mut rotations = [(0.0, 1.0); 8];
        for (i, body) in self.bodies.iter().enumerate() {
            let (s, c) = q[3 * i + 2].sin_cos();
            rotations[i] = (s, c);
            let [x, y] = [c * body.com[0] - s * body.com[1], s * body.com[0] + c * body.com[1]];
            let (m, w) = (body.mass, v[3 * i + 2]);
            let mass = Matrix3::new(m, 0.0, -m * y, 0.0, m, m * x, -m * y, m * x, body.inertia + m * (x * x + y * y));
            inverse[i] = mass.try_inverse().expect("masses are positive");
            force[3 * i] = m * x * w * w;
            force[3 * i + 1] = m * y * w * w - m * self.gravity;
            force[3 * i + 2] = -m * x * self.gravity;
        }
        force[2] += self.torque;
        if let Some(spring) = self.spring {
            self.add_spring(&spring, q, &rotations, &mut force);
        }
        let mut jacobian = SMatrix::<f64, C, N>::zeros();
        let mut gamma = SVector::<f64, C>::zeros();
        for (j, pin) in self.pins.iter().enumerate() {
            for (sign, (body, r)) in [(1.0, pin.first), (-1.0, pin.second)] {
                let Some(i) = body else { continue };
                let (s, c) = rotations[i];
                let [x, y] = [c * r[0] - s * r[1], s * r[0] + c * r[1]];
                let w = v[3 * i + 2];
                jacobian[(2 * j, 3 * i)] = sign;
                jacobian[(2 * j + 1, 3 * i + 1)] = sign;
                jacobian[(2 * j, 3 * i + 2)] = -sign * y;
                jacobian[(2 * j + 1, 3 * i + 2)] = sign * x;
                gamma[2 * j] += sign * x * w * w;
                gamma[2 * j + 1] += sign * y * w * w;
            }
        }
        // G M⁻¹ and G M⁻¹ Gᵀ, body by body: a pin touches at most two bodies, a body few pins.
        let mut columns = SMatrix::<f64, C, N>::zeros();
        let mut schur = SMatrix::<f64, C, C>::zeros();
        let mut free = SVector::<f64, N>::zeros();
        for (i, inverse) in inverse.iter().enumerate().take(self.bodies.len()) {
            let f: Vector3<f64> = force.fixed_rows::<3>(3 * i).into();
            free.fixed_rows_mut::<3>(3 * i).copy_from(&(inverse * f));
            let touches = |pin: &Pin| pin.first.0 == Some(i) || pin.second.0 == Some(i);
            for (j, _) in self.pins.iter().enumerate().filter(|(_, pin)| touches(pin)) {
                let block = jacobian.fixed_view::<2, 3>(2 * j, 3 * i) * inverse;
                columns.fixed_view_mut::<2, 3>(2 * j, 3 * i).copy_from(&block);
                for (k, _) in self.pins.iter().enumerate().filter(|(_, pin)| touches(pin)) {
                    let other = jacobian.fixed_view::<2, 3>(2 * k, 3 * i).transpose();
                    let mut entry = schur.fixed_view_mut::<2, 2>(2 * j, 2 * k);
                    entry += block * other;
                }
            }
        }
        let schur = schur.cholesky().expect("rows are independent");
        let lambda = schur.solve(&(jacobian * free - gamma));
        (free - columns.transpose() * lambda, lambda)
    }

    fn add_spring(
        &self,
        spring: &Spring,
        q: &SVector<f64, N>,
        rotations: &[(f64, f64); 8],
        force: &mut SVector<f64, N>,
    ) {
        let (i, r) = spring.end;
        let (s, c) = rotations[i];
        let arm = [c * r[0] - s * r[1], s * r[0] + c * r[1]];
        let d = [q[3 * i] + arm[0] - spring.anchor[0], q[3 * i + 1] + arm[1] - spring.anchor[1]];
        let length = (d[0] * d[0] + d[1] * d[1]).sqrt();
        let tension = spring.stiffness * (length - spring.free_length) / length;
        let f = [-tension * d[0], -tension * d[1]];
        force[3 * i] += f[0];
        force[3 * i + 1] += f[1];
        force[3 * i + 2] += arm[0] * f[1] - arm[1] * f[0];
    }
}
