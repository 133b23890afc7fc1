//! Momenta: by products with M where p = M v, otherwise by the default methods of the trait.

use mbs_core::{
    Error, Mechanism, Momenta, StateView, admissible_speeds_of_momenta, momenta_of_energy,
    momentum_rates_of_accelerations,
};
use mbs_physics::InterfaceCoordinate;

use crate::Engine;

impl Engine {
    /// Whether p = M v: the mechanism has mass and no prescribed coordinates.
    fn has_plain_momenta(&self) -> bool {
        self.shared.checked.solvable && self.shared.tree.prescribed.is_empty()
    }

    /// Whether M is constant and q̇ = v: all bodies are in natural coordinates. Counts of revolutions and algebraic coordinates are massless.
    fn has_constant_mass(&self) -> bool {
        let is_of_these = |c: &InterfaceCoordinate| match c {
            InterfaceCoordinate::Basic(..)
            | InterfaceCoordinate::ContinuousAngle(_)
            | InterfaceCoordinate::Algebraic(_) => true,
            InterfaceCoordinate::Body(..) | InterfaceCoordinate::Joint(..) => false,
        };
        self.has_plain_momenta() && self.shared.tree.interface.iter().all(is_of_these)
    }
}

impl Momenta for Engine {
    fn momenta(&self, at: StateView, momenta: &mut [f64]) -> Result<(), Error> {
        if !self.has_plain_momenta() {
            return momenta_of_energy(self, at, momenta);
        }
        self.multiply_by_mass_matrix(at, at.v, momenta);
        Ok(())
    }

    fn momentum_rates(&self, at: StateView, rates: &mut [f64]) -> Result<(), Error> {
        if !self.has_constant_mass() {
            return momentum_rates_of_accelerations(self, at, rates);
        }
        // ∂T/∂q = 0, and no term is quadratic in speeds.
        self.generalized_forces(at, rates);
        if mbs_core::all_finite(rates) { Ok(()) } else { Err(Error::NotFinite { t: at.t }) }
    }

    fn speeds_of_momenta(&self, at: StateView, momenta: &[f64], v: &mut [f64]) -> Result<(), Error> {
        if !self.has_plain_momenta() {
            return admissible_speeds_of_momenta(self, at, momenta, v);
        }
        match self.multiply_by_inverse_mass_matrix(at, momenta, v) {
            // Massless speeds are determined by rows.
            Err(Error::Singular { .. }) => admissible_speeds_of_momenta(self, at, momenta, v),
            known => known,
        }
    }
}
