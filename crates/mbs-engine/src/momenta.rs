//! Momenta: by products with M and by recursions where p = M v, otherwise by the default methods of the trait.

use mbs_core::{
    Error, Momenta, StateView, admissible_speeds_of_momenta, momenta_of_energy, momentum_rates_of_accelerations,
};

use crate::Engine;

impl Engine {
    /// Whether p = M v: the mechanism has mass and no prescribed coordinates.
    fn has_plain_momenta(&self) -> bool {
        self.shared.checked.solvable && self.shared.tree.prescribed.is_empty()
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
        if !(self.has_plain_momenta() && self.dynamics().momentum_rates(at, rates)) {
            return momentum_rates_of_accelerations(self, at, rates);
        }
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
