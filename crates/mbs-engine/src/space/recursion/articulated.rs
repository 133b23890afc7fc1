//! Forward dynamics of open trees in linear time: articulated bodies.
//!
//! p are the wrenches that the motion at v̇ = 0 requires in addition to the applied ones, and δ is the remaining part of a link's acceleration:
//!
//! ```text
//! (1)  f = I δ + p          δ = X δ_P + S v̇
//! (2)  U = I S    D = Sᵀ U    u = τ − Sᵀ p
//! (3)  to the parent:  I − U D⁻¹ Uᵀ,   p + U D⁻¹ u
//! (4)  v̇ = D⁻¹ (u − Uᵀ X δ_P)
//! ```
//!
//! Featherstone (2008), §7.3, with the velocity-product terms taken into p beforehand.

use std::ops::AddAssign;

use mbs_math::{Mat3, Vec3, Vector};
use mbs_saddle::PIVOT_TOLERANCE;

use super::{Inertia, inertial};
use crate::space::motion::{Link, Motion};
use crate::space::vector::{Column, Wrench, ZERO, outer, tilde};

/// Symmetric 6 × 6: F = A a + B α, τ = Bᵀ a + J α.
#[derive(Clone, Copy, Debug)]
struct Body {
    a: Mat3<f64>,
    b: Mat3<f64>,
    j: Mat3<f64>,
}

impl Body {
    const ZERO: Body = Body { a: Mat3([ZERO; 3]), b: Mat3([ZERO; 3]), j: Mat3([ZERO; 3]) };

    fn rigid(of: &Inertia) -> Self {
        let a = [0, 1, 2].map(|i| Vector([0, 1, 2].map(|k: usize| if i == k { of.mass } else { 0.0 })));
        Body { a: Mat3(a), b: tilde(-of.moment), j: of.tensor }
    }

    fn wrench(&self, c: Column) -> Wrench {
        Wrench {
            force: self.a * c.velocity + self.b * c.rate,
            torque: self.b.transpose_times(c.velocity) + self.j * c.rate,
        }
    }

    /// Subtracts U w Uᵀ for one column.
    fn reduce(&mut self, u: Wrench, w: f64) {
        self.a = self.a + outer(-w, u.force, u.force);
        self.b = self.b + outer(-w, u.force, u.torque);
        self.j = self.j + outer(-w, u.torque, u.torque);
    }

    /// This inertia about another point; `offset` ρ is the vector from that point to the origin: a = a_P + X α with X = −ρ̃.
    fn shifted(&self, offset: Vec3<f64>) -> Self {
        let x = tilde(-offset);
        let b = self.b + self.a * x;
        let j = self.j + self.b.transpose() * x + x.transpose() * b;
        Body { a: self.a, b, j }
    }
}

impl AddAssign for Body {
    fn add_assign(&mut self, other: Body) {
        self.a = self.a + other.a;
        self.b = self.b + other.b;
        self.j = self.j + other.j;
    }
}

/// Elimination of one speed: U, 1/D, u, after the speeds of the same link before it are eliminated.
#[derive(Clone, Copy, Debug)]
struct Elimination {
    u: Wrench,
    inverse: f64,
    right: f64,
}

impl Elimination {
    const ZERO: Elimination = Elimination { u: Wrench::ZERO, inverse: 0.0, right: 0.0 };
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
    pub fn new(links: &[Link]) -> Self {
        let (n, speeds) = (links.len(), links.iter().map(|l| l.speeds).sum());
        Articulated {
            bodies: vec![Body::ZERO; n],
            composites: vec![Inertia::ZERO; n],
            wrenches: vec![Wrench::ZERO; n],
            eliminations: vec![Elimination::ZERO; speeds],
            deltas: vec![Column::ZERO; n],
        }
    }

    /// Accelerations under applied wrenches and generalised forces `forces`, with the bias accelerations in `motion`.
    ///
    /// # Errors
    /// The speed whose articulated inertia vanishes.
    pub fn accelerations(
        &mut self,
        links: &[Link],
        inertias: &[Inertia],
        motion: &Motion,
        applied: &[Wrench],
        (forces, a): (&[f64], &mut [f64]),
    ) -> Result<(), usize> {
        for (i, wrench) in self.wrenches.iter_mut().enumerate() {
            *wrench = inertial(&inertias[i].in_world(&motion.links[i]), &motion.links[i]);
            *wrench -= applied[i];
        }
        self.run(links, inertias, motion, (forces, a))
    }

    /// x = M⁻¹ f at the poses in `motion`.
    ///
    /// # Errors
    /// As [`Articulated::accelerations`].
    pub fn solve(
        &mut self,
        links: &[Link],
        inertias: &[Inertia],
        motion: &Motion,
        (f, x): (&[f64], &mut [f64]),
    ) -> Result<(), usize> {
        self.wrenches.fill(Wrench::ZERO);
        self.run(links, inertias, motion, (f, x))
    }

    fn run(
        &mut self,
        links: &[Link],
        inertias: &[Inertia],
        motion: &Motion,
        (forces, a): (&[f64], &mut [f64]),
    ) -> Result<(), usize> {
        for (i, inertia) in inertias.iter().enumerate() {
            self.composites[i] = inertia.in_world(&motion.links[i]);
            self.bodies[i] = Body::rigid(&self.composites[i]);
        }
        for (i, link) in links.iter().enumerate().rev() {
            self.eliminate(i, link, motion, forces)?;
            if let Some(parent) = link.parent {
                let offset = motion.links[i].offset;
                let body = self.bodies[i].shifted(offset);
                let composite = self.composites[i].shifted(offset);
                let wrench = self.wrenches[i].shifted(offset);
                self.bodies[parent] += body;
                self.composites[parent] += composite;
                self.wrenches[parent] += wrench;
            }
        }
        for (i, link) in links.iter().enumerate() {
            let mut delta = link.parent.map_or(Column::ZERO, |p| self.deltas[p]);
            delta.velocity += delta.rate.cross(motion.links[i].offset);
            // The last speed was eliminated last and is known first.
            for k in link.speeds().rev() {
                let e = &self.eliminations[k];
                a[k] = (e.right - delta.power(e.u)) * e.inverse;
                delta += motion.columns[k] * a[k];
            }
            self.deltas[i] = delta;
        }
        Ok(())
    }

    /// (2) and (3), one speed of the link after the other.
    fn eliminate(&mut self, i: usize, link: &Link, motion: &Motion, forces: &[f64]) -> Result<(), usize> {
        for k in link.speeds() {
            let column = motion.columns[k];
            let u = self.bodies[i].wrench(column);
            let d = column.power(u);
            let scale = column.power(self.composites[i].momentum(column));
            if !(d > PIVOT_TOLERANCE * scale && d.is_finite()) {
                return Err(k);
            }
            let right = forces[k] - column.power(self.wrenches[i]);
            let inverse = 1.0 / d;
            self.bodies[i].reduce(u, inverse);
            self.wrenches[i] += u * (right * inverse);
            self.eliminations[k] = Elimination { u, inverse, right };
        }
        Ok(())
    }
}
