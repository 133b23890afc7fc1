//! Forward dynamics of open trees in linear time: articulated bodies.
//!
//! p are the wrenches that the motion at q̈ = 0 requires in addition to the applied ones, and δ is the remaining part of a body's acceleration:
//!
//! ```text
//! (1)  f = I δ + p          δ = X δ_P + S q̈
//! (2)  U = I S    D = Sᵀ U    u = τ − Sᵀ p
//! (3)  to the parent:  I − U D⁻¹ Uᵀ,   p + U D⁻¹ u
//! (4)  q̈ = D⁻¹ (u − Uᵀ X δ_P)
//! ```
//!
//! Featherstone (2008), §7.3, with the velocity-product terms taken into p beforehand.

use std::ops::AddAssign;

use mbs_math::{Vec2, Vector};
use mbs_saddle::PIVOT_TOLERANCE;

use super::composite::momentum;
use super::newton_euler::inertial;
use super::{Inertia, Mass};
use crate::planar::link::Step;
use crate::planar::motion::Motion;
use crate::planar::plane::{Column, Wrench, ZERO, perpendicular};

/// Symmetric 3 × 3: F = A a + b α, τ = b·a + I α.
#[derive(Clone, Copy, Debug)]
struct Body {
    xx: f64,
    xy: f64,
    yy: f64,
    b: Vec2<f64>,
    inertia: f64,
}

impl Body {
    const ZERO: Body = Body { xx: 0.0, xy: 0.0, yy: 0.0, b: ZERO, inertia: 0.0 };

    fn rigid(of: &Inertia) -> Self {
        Body { xx: of.mass, xy: 0.0, yy: of.mass, b: perpendicular(of.moment), inertia: of.inertia }
    }

    fn times(&self, a: Vec2<f64>) -> Vec2<f64> {
        Vector([self.xx * a[0] + self.xy * a[1], self.xy * a[0] + self.yy * a[1]])
    }

    fn wrench(&self, c: Column) -> Wrench {
        Wrench {
            force: self.times(c.velocity) + self.b * c.rate,
            torque: self.b.dot(c.velocity) + self.inertia * c.rate,
        }
    }

    /// Subtracts U w Uᵀ for one column.
    fn reduce(&mut self, u: Wrench, w: f64) {
        let [x, y] = u.force.0;
        self.xx -= w * x * x;
        self.xy -= w * x * y;
        self.yy -= w * y * y;
        self.b -= u.force * w * u.torque;
        self.inertia -= w * u.torque * u.torque;
    }

    fn shifted_to_parent(mut self, motion: &Motion, step: &Step, i: usize) -> Self {
        if !step.is_rigid {
            (self.b, self.inertia) = (ZERO, 0.0);
        }
        let n = perpendicular(motion.bodies[i].offset);
        let shift = self.times(n);
        self.inertia += 2.0 * self.b.dot(n) + n.dot(shift);
        self.b += shift;
        self
    }
}

impl AddAssign for Body {
    fn add_assign(&mut self, other: Body) {
        self.xx += other.xx;
        self.xy += other.xy;
        self.yy += other.yy;
        self.b += other.b;
        self.inertia += other.inertia;
    }
}

/// Elimination of one coordinate: U, 1/D, u, after the coordinates of the same body before it are eliminated.
#[derive(Clone, Copy, Debug)]
struct Elimination {
    u: Wrench,
    inverse: f64,
    right: f64,
    column: Column,
}

impl Elimination {
    const ZERO: Elimination = Elimination { u: Wrench::ZERO, inverse: 0.0, right: 0.0, column: Column::ZERO };
}

/// Work space of the recursion.
#[derive(Clone, Debug)]
pub(crate) struct Articulated {
    bodies: Vec<Body>,
    composites: Vec<Inertia>,
    wrenches: Vec<Wrench>,
    eliminations: Vec<Elimination>,
    deltas: Vec<Column>,
}

impl Articulated {
    /// Work space for so many coordinates.
    pub fn new(dofs: usize, steps: &[Step]) -> Self {
        let n = steps.len();
        Articulated {
            bodies: vec![Body::ZERO; n],
            composites: vec![Inertia::ZERO; n],
            wrenches: vec![Wrench::ZERO; n],
            eliminations: vec![Elimination::ZERO; dofs],
            deltas: vec![Column::ZERO; n],
        }
    }

    /// Accelerations under applied wrenches and generalised forces `forces`, with the bias accelerations in `motion`.
    ///
    /// # Errors
    /// The speed whose articulated inertia vanishes.
    pub fn accelerations(
        &mut self,
        steps: &[Step],
        masses: &[Mass],
        motion: &Motion,
        applied: &[Wrench],
        (forces, a): (&[f64], &mut [f64]),
    ) -> Result<(), usize> {
        for (i, wrench) in self.wrenches.iter_mut().enumerate() {
            *wrench = inertial(&masses[i], motion, i);
            *wrench -= applied[i];
        }
        self.run(steps, masses, motion, (forces, a))
    }

    /// x = M⁻¹ f at the poses in `motion`.
    ///
    /// # Errors
    /// As [`Articulated::accelerations`].
    pub fn solve(
        &mut self,
        steps: &[Step],
        masses: &[Mass],
        motion: &Motion,
        (f, x): (&[f64], &mut [f64]),
    ) -> Result<(), usize> {
        self.wrenches.fill(Wrench::ZERO);
        self.run(steps, masses, motion, (f, x))
    }

    fn run(
        &mut self,
        steps: &[Step],
        masses: &[Mass],
        motion: &Motion,
        (forces, a): (&[f64], &mut [f64]),
    ) -> Result<(), usize> {
        for (i, mass) in masses.iter().enumerate() {
            self.composites[i] = Inertia::from_mass(mass, &motion.bodies[i]);
            self.bodies[i] = Body::rigid(&self.composites[i]);
        }
        for (i, step) in steps.iter().enumerate().rev() {
            self.eliminate(i, step, motion, forces)?;
            if let Some(parent) = step.parent {
                let body = self.bodies[i].shifted_to_parent(motion, step, i);
                let composite = self.composites[i].shifted_to_parent(motion, step, i);
                let wrench = motion.shifted_to_parent(step, i, self.wrenches[i]);
                self.bodies[parent] += body;
                self.composites[parent] += composite;
                self.wrenches[parent] += wrench;
            }
        }
        for (i, step) in steps.iter().enumerate() {
            let mut delta = step.parent.map_or(Column::ZERO, |p| self.deltas[p]);
            if step.parent.is_some() {
                delta.velocity += perpendicular(motion.bodies[i].offset) * delta.rate;
            }
            if !step.is_rigid {
                delta.rate = 0.0;
            }
            // The last coordinate was eliminated last and is known first.
            for dof in step.range().rev() {
                let e = &self.eliminations[dof];
                a[dof] = (e.right - delta.power(e.u)) * e.inverse;
                delta += e.column * a[dof];
            }
            self.deltas[i] = delta;
        }
        Ok(())
    }

    /// (2) and (3), one coordinate of the body after the other.
    fn eliminate(&mut self, i: usize, step: &Step, motion: &Motion, forces: &[f64]) -> Result<(), usize> {
        for dof in step.range() {
            let column = motion.columns[dof];
            let u = self.bodies[i].wrench(column);
            let d = column.power(u);
            let scale = column.power(momentum(&self.composites[i], column));
            if !(d > PIVOT_TOLERANCE * scale && d.is_finite()) {
                return Err(dof);
            }
            let right = forces[dof] - column.power(self.wrenches[i]);
            let inverse = 1.0 / d;
            self.bodies[i].reduce(u, inverse);
            self.wrenches[i] += u * (right * inverse);
            self.eliminations[dof] = Elimination { u, inverse, right, column };
        }
        Ok(())
    }
}
