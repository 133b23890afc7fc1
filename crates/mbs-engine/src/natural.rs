//! Bodies in natural coordinates, for the plane and for space: motion and loads are linear in the basics, and M is constant.

mod affine;
mod mass;

pub(crate) use affine::{Affine, MassMoments};
pub(crate) use mass::NaturalMass;

use mbs_math::Vector;

use crate::plan::SharedBasic;

/// Buffers of bodies in natural coordinates, in D dimensions.
#[derive(Clone, Debug)]
pub(crate) struct NaturalWork<const D: usize> {
    /// Forces on origin and axes of each body: applied loads, or derivatives.
    pub forces: Vec<Affine<D>>,
    /// Forces of rows that keep bodies rigid, on the basics of each body.
    pub row_forces: Vec<Vec<Vector<f64, D>>>,
    /// Solver of M x = f; `None` without such bodies.
    pub mass: Option<NaturalMass>,
}

impl<const D: usize> NaturalWork<D> {
    /// Buffers of bodies with so many basics, of n_v speeds with the entries of M at `pattern`.
    pub fn new(basics: impl Iterator<Item = usize>, n_v: usize, pattern: &[(usize, usize)]) -> Self {
        let row_forces: Vec<_> = basics.map(|n| vec![Vector([0.0; D]); n]).collect();
        NaturalWork { forces: vec![Affine::ZERO; row_forces.len()], row_forces, mass: NaturalMass::new(n_v, pattern) }
    }

    /// Force of a joint on the bodies at its second end, on the basic point or vector that they share: M q̈ − Q + Gᵀ λ of these bodies.
    /// `inertial` returns the inertial forces of a body, and `on_basic` the force on a basic of a body that is equivalent to forces on its origin
    /// and axes.
    pub fn force_on_shared_basic(
        &self,
        shared: &SharedBasic,
        inertial: impl Fn(usize) -> Affine<D>,
        on_basic: impl Fn(usize, usize, &Affine<D>) -> Vector<f64, D>,
    ) -> Vector<f64, D> {
        let force = |(body, basic): &(usize, usize)| {
            let mut forces = inertial(*body);
            forces -= self.forces[*body];
            on_basic(*body, *basic, &forces) - self.row_forces[*body][*basic]
        };
        shared.members.iter().map(force).fold(Vector([0.0; D]), |sum, force| sum + force) * shared.sign
    }
}
