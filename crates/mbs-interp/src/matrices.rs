//! Matrices of an interpreted mechanism, and the dense solution where the static order fails.

use mbs_compiler::compile::DENSE_LIMIT;
use mbs_compiler::kernels::HESSIANS;
use mbs_core::{Error, SaddleWorkspace, StateView};

use super::{Interpreted, position_inputs, state_inputs, velocity_inputs};

impl Interpreted {
    /// G of all rows, n_c × n_v, row-major.
    pub fn constraint_jacobian(&self, at: StateView) -> Vec<f64> {
        self.single_output("constraint_jacobian", velocity_inputs(at))
    }

    /// Second derivatives of the rows, in the order of [`Compiled::hessians`](mbs_compiler::compile::Compiled::hessians).
    pub fn hessians(&self, at: StateView) -> Vec<f64> {
        self.single_output(HESSIANS, velocity_inputs(at))
    }

    /// Overwrites `hessian`, n_v × n_v, with H(μ) = Σ_r μ_r H_r.
    pub(super) fn hessian(&self, at: StateView, mu: &[f64], hessian: &mut [f64]) -> Result<(), Error> {
        if !self.compiled.model.settings.kernels.hessians {
            return Err(Error::MissingKernel { kernel: HESSIANS });
        }
        let n = self.compiled.tree.n();
        hessian.fill(0.0);
        for (entry, value) in self.compiled.hessians.iter().zip(self.hessians(at)) {
            let [i, j] = entry.speeds;
            hessian[i * n + j] += mu[entry.row] * value;
        }
        Ok(())
    }

    /// M, n_v × n_v, row-major.
    pub fn mass_matrix(&self, at: StateView) -> Vec<f64> {
        self.single_output("mass_matrix", position_inputs(at))
    }

    /// Right side ν of G v = ν, n_c.
    pub fn nu(&self, at: StateView) -> Vec<f64> {
        self.single_output("nu", velocity_inputs(at))
    }

    /// Right side γ of G a = γ, n_c.
    pub fn gamma(&self, at: StateView) -> Vec<f64> {
        self.single_output("gamma", state_inputs(&at))
    }

    /// Solves M x + Gᵀ μ = f, G x = g densely, as generated code does where the pivot of `row` vanishes. `x` contains f and is overwritten by
    /// x, `mu` contains g and is overwritten by μ.
    pub(super) fn fallback(&self, row: usize, at: StateView, x: &mut [f64], mu: &mut [f64]) -> Result<(), Error> {
        let (n, size) = (x.len(), x.len() + mu.len());
        if size > DENSE_LIMIT {
            return Err(Error::Singular { row, t: at.t });
        }
        let mut mass = vec![0.0; n * n];
        if self.compiled.checked.solvable {
            mass = self.mass_matrix(at);
        } else {
            (0..n).for_each(|i| mass[i * (n + 1)] = 1.0);
        }
        let jacobian = self.constraint_jacobian(at);
        let workspace = SaddleWorkspace {
            matrix: &mut vec![0.0; size * size],
            right: &mut vec![0.0; size],
            scale: &mut vec![0.0; size],
            solution: &mut vec![0.0; size],
            order: &mut vec![0; size],
        };
        mbs_core::solve_saddle(at.t, &mass, &jacobian, &self.compiled.tree.switched_rows(), x, mu, workspace)
    }
}
