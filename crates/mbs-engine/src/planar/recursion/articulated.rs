//! Forward dynamics of open trees in linear time: articulated bodies.
//!
//! With p the wrenches that the motion at q̈ = 0 requires beyond the applied ones, and δ the rest of a body's acceleration:
//!
//! ```text
//! (1)  f = I δ + p          δ = X δ_P + S q̈
//! (2)  U = I S    D = Sᵀ U    u = τ − Sᵀ p
//! (3)  to the parent:  I − U D⁻¹ Uᵀ,   p + U D⁻¹ u
//! (4)  q̈ = D⁻¹ (u − Uᵀ X δ_P)
//! ```
//!
//! Featherstone (2008), §7.3, with the velocity-product terms taken into p beforehand.

use super::composite::momentum;
use super::newton_euler::inertial;
use super::{Inertia, Mass};
use crate::linear::PIVOT_TOLERANCE;
use crate::planar::motion::{Motion, Step};
use crate::planar::plane::{Column, Vector, Wrench, dot, plus, scaled, turned};

/// Symmetric 3 × 3: F = A a + b α, τ = b·a + I α.
#[derive(Clone, Copy, Debug, Default)]
struct Body {
    xx: f64,
    xy: f64,
    yy: f64,
    b: Vector,
    inertia: f64,
}

impl Body {
    fn rigid(of: &Inertia) -> Self {
        Body { xx: of.mass, xy: 0.0, yy: of.mass, b: turned(of.moment), inertia: of.inertia }
    }

    fn times(&self, a: Vector) -> Vector {
        [self.xx * a[0] + self.xy * a[1], self.xy * a[0] + self.yy * a[1]]
    }

    fn wrench(&self, c: Column) -> Wrench {
        let linear = self.times(c.velocity);
        Wrench { force: plus(linear, scaled(c.rate, self.b)), torque: dot(self.b, c.velocity) + self.inertia * c.rate }
    }

    /// Subtracts U w Uᵀ for one column.
    fn reduce(&mut self, u: Wrench, w: f64) {
        let [x, y] = u.force;
        self.xx -= w * x * x;
        self.xy -= w * x * y;
        self.yy -= w * y * y;
        self.b = [self.b[0] - w * x * u.torque, self.b[1] - w * y * u.torque];
        self.inertia -= w * u.torque * u.torque;
    }

    fn carried(mut self, motion: &Motion, step: &Step, i: usize) -> Self {
        if !step.turns {
            (self.b, self.inertia) = ([0.0; 2], 0.0);
        }
        let n = turned(motion.bodies[i].offset);
        let shift = self.times(n);
        self.inertia += 2.0 * dot(self.b, n) + dot(n, shift);
        self.b = plus(self.b, shift);
        self
    }

    fn add(&mut self, o: Body) {
        self.xx += o.xx;
        self.xy += o.xy;
        self.yy += o.yy;
        self.b = plus(self.b, o.b);
        self.inertia += o.inertia;
    }
}

/// What one coordinate leaves behind: U, 1/D, u, after the coordinates of the same body before it are eliminated.
#[derive(Clone, Copy, Debug, Default)]
struct Elimination {
    u: Wrench,
    inverse: f64,
    right: f64,
    column: Column,
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
    pub fn new(steps: &[Step]) -> Self {
        let (n, dofs) = (steps.len(), steps.iter().map(|s| s.dofs).sum());
        Articulated {
            bodies: vec![Body::default(); n],
            composites: vec![Inertia::default(); n],
            wrenches: vec![Wrench::default(); n],
            eliminations: vec![Elimination::default(); dofs],
            deltas: vec![Column::default(); n],
        }
    }

    /// Accelerations under applied wrenches and generalised forces `forces`, with the bias accelerations in `motion`.
    ///
    /// # Errors
    /// The speed whose articulated inertia vanishes.
    pub fn accelerations(
        &mut self,
        (steps, masses): (&[Step], &[Mass]),
        motion: &Motion,
        applied: &[Wrench],
        (forces, a): (&[f64], &mut [f64]),
    ) -> Result<(), usize> {
        for (i, wrench) in self.wrenches.iter_mut().enumerate() {
            *wrench = inertial(&masses[i], motion, i);
            wrench.add(Wrench { force: scaled(-1.0, applied[i].force), torque: -applied[i].torque });
        }
        self.run(steps, masses, motion, (forces, a))
    }

    /// x = M⁻¹ f at the poses in `motion`.
    ///
    /// # Errors
    /// As [`Articulated::accelerations`].
    pub fn solve(
        &mut self,
        (steps, masses): (&[Step], &[Mass]),
        motion: &Motion,
        (f, x): (&[f64], &mut [f64]),
    ) -> Result<(), usize> {
        self.wrenches.fill(Wrench::default());
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
            self.composites[i] = Inertia::of(mass, &motion.bodies[i]);
            self.bodies[i] = Body::rigid(&self.composites[i]);
        }
        for (i, step) in steps.iter().enumerate().rev() {
            self.eliminate(i, step, motion, forces)?;
            if let Some(parent) = step.parent {
                let body = self.bodies[i].carried(motion, step, i);
                let composite = self.composites[i].carried(motion, step, i);
                let wrench = motion.carried(step, i, self.wrenches[i]);
                self.bodies[parent].add(body);
                self.composites[parent].add(composite);
                self.wrenches[parent].add(wrench);
            }
        }
        for (i, step) in steps.iter().enumerate() {
            let mut delta = step.parent.map_or(Column::default(), |p| self.deltas[p]);
            if step.parent.is_some() {
                delta.velocity = plus(delta.velocity, scaled(delta.rate, turned(motion.bodies[i].offset)));
            }
            if !step.turns {
                delta.rate = 0.0;
            }
            // The last coordinate was eliminated last and is known first.
            for dof in step.range().rev() {
                let e = &self.eliminations[dof];
                a[dof] = (e.right - delta.power(e.u)) * e.inverse;
                delta.velocity = plus(delta.velocity, scaled(a[dof], e.column.velocity));
                delta.rate += a[dof] * e.column.rate;
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
            let share = right * inverse;
            self.wrenches[i].add(Wrench { force: scaled(share, u.force), torque: share * u.torque });
            self.eliminations[dof] = Elimination { u, inverse, right, column };
        }
        Ok(())
    }
}
