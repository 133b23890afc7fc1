//! Momenta of an interpreted mechanism: by the requested kernels, else by the defaults of the contract.

use mbs_compiler::compile::DENSE_LIMIT;
use mbs_compiler::interp::Inputs;
use mbs_compiler::kernels::{MOMENTA, MOMENTUM_RATES, MOMENTUM_STEP, SPEEDS_OF_MOMENTA, TRANSPOSED_JACOBIAN};
use mbs_core::{
    DenseWorkspace, Error, Momenta, RankDeficiency, StateView, admissible_speeds_of_momenta, momenta_of_energy,
    momentum_rates_of_accelerations, solve_symmetric,
};

use super::{Interpreted, position_inputs, state_inputs, velocity_inputs};

impl Interpreted {
    /// M⁻¹ p by a dense solution; `None` if M is singular.
    fn speeds_densely(&self, at: StateView, momenta: &[f64]) -> Option<Vec<f64>> {
        let (mut mass, mut v, n) = (self.mass_matrix(at), momenta.to_vec(), momenta.len());
        let (mut scale, mut solution, mut order) = (vec![0.0; n], vec![0.0; n], vec![0; n]);
        let workspace = DenseWorkspace { scale: &mut scale, solution: &mut solution, order: &mut order };
        solve_symmetric(at.t, &mut mass, &mut v, RankDeficiency::Error, workspace).ok().map(|_| v)
    }

    /// Overwrites `forces` with Gᵀ λ, by its kernel if there is one, else by G.
    pub(super) fn transposed_jacobian_product(&self, at: StateView, lambda: &[f64], forces: &mut [f64]) {
        if self.compiled.function(TRANSPOSED_JACOBIAN).is_some() && !self.reads_speeds {
            return forces
                .copy_from_slice(&self.single_output(TRANSPOSED_JACOBIAN, Inputs { lambda, ..position_inputs(at) }));
        }
        forces.fill(0.0);
        let jacobian = self.constraint_jacobian(at);
        for (row, lambda) in jacobian.chunks_exact(forces.len().max(1)).zip(lambda) {
            forces.iter_mut().zip(row).for_each(|(f, g)| *f += g * lambda);
        }
    }
}

impl Momenta for Interpreted {
    fn momenta(&self, at: StateView, momenta: &mut [f64]) -> Result<(), Error> {
        let compiled = &self.compiled;
        if compiled.function(MOMENTA).is_some() {
            momenta.copy_from_slice(&self.single_output(MOMENTA, velocity_inputs(at)));
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

    fn momentum_rates(&self, at: StateView, rates: &mut [f64]) -> Result<(), Error> {
        if self.compiled.function(MOMENTUM_RATES).is_none() {
            return momentum_rates_of_accelerations(self, at, rates);
        }
        rates.copy_from_slice(&self.single_output(MOMENTUM_RATES, state_inputs(&at)));
        Ok(())
    }

    fn speeds_of_momenta(&self, at: StateView, momenta: &[f64], v: &mut [f64]) -> Result<(), Error> {
        let compiled = &self.compiled;
        let speeds = if compiled.function(SPEEDS_OF_MOMENTA).is_some() {
            self.run(SPEEDS_OF_MOMENTA, Inputs { f: momenta, ..position_inputs(at) })
                .ok()
                .and_then(|all| all.first().cloned())
        } else if compiled.checked.solvable && compiled.tree.prescribed.is_empty() && v.len() <= DENSE_LIMIT {
            self.speeds_densely(at, momenta)
        } else {
            None
        };
        match speeds {
            Some(speeds) => v.copy_from_slice(&speeds),
            // Rows give mass to massless speeds.
            None => admissible_speeds_of_momenta(self, at, momenta, v)?,
        }
        Ok(())
    }

    fn momentum_step(
        &self,
        at: StateView,
        h: f64,
        momenta: &[f64],
        delta: &mut [f64],
        mu: &mut [f64],
        end: &mut [f64],
    ) -> Result<(), Error> {
        if self.compiled.function(MOMENTUM_STEP).is_none() {
            return Err(Error::MissingKernel { kernel: "momenta" });
        }
        let outputs = self.run(MOMENTUM_STEP, Inputs { f: momenta, h, ..state_inputs(&at) });
        let outputs = outputs.map_err(|row| Error::Singular { row, t: at.t })?;
        [delta, mu, end].into_iter().zip(&outputs).for_each(|(output, values)| output.copy_from_slice(values));
        Ok(())
    }
}
