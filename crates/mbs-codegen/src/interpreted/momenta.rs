//! Momenta of an interpreted mechanism: by the kernels that were asked for, else as the contract has them.

use mbs_core::{Error, StateView, admissible_speeds_of_momenta, momenta_of_energy};

use super::{Interpreted, of_position, of_velocity, view};
use crate::interp::Inputs;
use crate::kernels::{MOMENTA, MOMENTUM_RATES, MOMENTUM_STEP, SPEEDS_OF_MOMENTA, TRANSPOSED_JACOBIAN};

impl Interpreted {
    pub(super) fn momenta_of(&self, at: StateView, momenta: &mut [f64]) -> Result<(), Error> {
        let compiled = &self.compiled;
        if compiled.function(MOMENTA).is_some() {
            momenta.copy_from_slice(&self.single(MOMENTA, of_velocity(at)));
        } else if compiled.checked.solvable && compiled.tree.prescribed.is_empty() {
            let mass = self.mass_matrix(at);
            for (p, row) in momenta.iter_mut().zip(mass.chunks_exact(at.v.len().max(1))) {
                *p = row.iter().zip(at.v).map(|(m, v)| m * v).sum();
            }
        } else {
            momenta_of_energy(self, at, momenta)?;
        }
        Ok(())
    }

    /// Whether there is a kernel of it.
    pub(super) fn rates_of_momenta(&self, at: StateView, rates: &mut [f64]) -> bool {
        let is_known = self.compiled.function(MOMENTUM_RATES).is_some();
        if is_known {
            rates.copy_from_slice(&self.single(MOMENTUM_RATES, view(&at)));
        }
        is_known
    }

    pub(super) fn speeds_with_momenta(&self, at: StateView, momenta: &[f64], v: &mut [f64]) -> Result<(), Error> {
        match self
            .run(SPEEDS_OF_MOMENTA, Inputs { f: momenta, ..of_position(at) })
            .ok()
            .and_then(|all| all.first().cloned())
        {
            Some(speeds) => v.copy_from_slice(&speeds),
            // There is no such kernel, or rows give mass to what has none.
            None => admissible_speeds_of_momenta(self, at, momenta, v)?,
        }
        Ok(())
    }

    /// Gᵀ λ by G.
    pub(super) fn forces_of_rows(&self, at: StateView, lambda: &[f64], forces: &mut [f64]) {
        if self.compiled.function(TRANSPOSED_JACOBIAN).is_some() && !self.reads_speeds {
            return forces.copy_from_slice(&self.single(TRANSPOSED_JACOBIAN, Inputs { lambda, ..of_position(at) }));
        }
        forces.fill(0.0);
        let jacobian = self.constraint_jacobian(at);
        for (row, lambda) in jacobian.chunks_exact(forces.len().max(1)).zip(lambda) {
            forces.iter_mut().zip(row).for_each(|(f, g)| *f += g * lambda);
        }
    }

    pub(super) fn step_of_momenta(
        &self,
        (at, h, momenta): (StateView, f64, &[f64]),
        found: [&mut [f64]; 3],
    ) -> Result<(), Error> {
        if self.compiled.function(MOMENTUM_STEP).is_none() {
            return Err(Error::MissingKernel { kernel: "momenta" });
        }
        let outputs = self.run(MOMENTUM_STEP, Inputs { f: momenta, h, ..view(&at) });
        let outputs = outputs.map_err(|row| Error::Singular { row, t: at.t })?;
        found.into_iter().zip(&outputs).for_each(|(to, from)| to.copy_from_slice(from));
        Ok(())
    }
}
