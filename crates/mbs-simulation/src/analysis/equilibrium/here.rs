//! Linearisation at a state of the search: residuals, derivatives and steps.

use nalgebra::{DMatrix, DVector, Dyn, SymmetricEigen};

use crate::analysis::derivatives::{Derivatives, Part};
use mbs_diagnosis::Svd;

/// Longest step: radians, or sizes of the mechanism.
pub(super) const LONGEST_STEP: f64 = 0.3;

/// A state of the search, with its linearisation.
pub(super) struct Here {
    pub derivatives: Derivatives,
    /// r of `search.rs`.
    pub residual: DVector<f64>,
    /// Decomposition of the scaled J; J with rows and columns scaled to the stiffness, and its scales follow.
    svd: Svd,
    jacobian: DMatrix<f64>,
    pub rows: DVector<f64>,
    columns: DVector<f64>,
    /// Largest entry of the stiffness; 1 without any.
    pub stiffness: f64,
    /// Auxiliary states.
    z: Vec<f64>,
}

impl Here {
    /// The linearisation with derivatives, residual r and auxiliary states z; `None` if derivatives are not finite.
    pub fn new(derivatives: Derivatives, residual: DVector<f64>, z: Vec<f64>) -> Option<Self> {
        let (n, n_z) = (derivatives.admissible.displacements.ncols(), derivatives.n_z());
        let n_force = derivatives.admissible.speeds.ncols();
        let mut jacobian = DMatrix::zeros(residual.len(), n + n_z);
        let displacements = &derivatives.admissible.displacements;
        jacobian.view_mut((0, 0), (n_force, n)).copy_from(&derivatives.stiffening());
        let by_states = &derivatives.admissible.momenta * derivatives.state_derivatives(Part::Speed);
        jacobian.view_mut((0, n), (n_force, n_z)).copy_from(&by_states);
        let rates = derivatives.block(Part::Auxiliary, Part::Displacement) * displacements;
        jacobian.view_mut((n_force, 0), (n_z, n)).copy_from(&rates);
        jacobian.view_mut((n_force, n), (n_z, n_z)).copy_from(&derivatives.state_derivatives(Part::Auxiliary));
        jacobian.rows_mut(n_force + n_z, derivatives.rows.nrows()).copy_from(&derivatives.rows);

        let mechanical = jacobian.view((0, 0), (n_force, n)).amax();
        let stiffness = if mechanical > 0.0 { mechanical } else { 1.0 };
        let to_stiffness = |size: f64| if size > 0.0 { stiffness / size } else { 1.0 };
        let columns =
            DVector::from_fn(n + n_z, |j, _| if j < n { 1.0 } else { to_stiffness(jacobian.column(j).amax()) });
        for (mut column, scale) in jacobian.column_iter_mut().zip(&columns) {
            column *= *scale;
        }
        let rows =
            DVector::from_fn(
                residual.len(),
                |i, _| {
                    if i < n_force { 1.0 } else { to_stiffness(jacobian.row(i).amax()) }
                },
            );
        for (mut row, scale) in jacobian.row_iter_mut().zip(&rows) {
            row *= *scale;
        }
        let svd = match Svd::new(&jacobian) {
            Some(svd) => svd,
            // There are no unknowns.
            None if n + n_z == 0 => Svd::new(&DMatrix::zeros(1, 1))?,
            None => return None,
        };
        Some(Here { derivatives, residual, svd, jacobian, rows, columns, stiffness, z })
    }

    /// Work of the forces of r, with auxiliary states at ż = 0, in a step.
    pub fn work(&self, residual: &DVector<f64>, step: &DVector<f64>) -> f64 {
        let force = self.condensed_force(residual);
        force.dot(&step.rows(0, force.len()))
    }

    /// Number of displacements.
    pub fn n(&self) -> usize {
        self.derivatives.admissible.displacements.ncols()
    }

    /// −J⁺ r in scaled unknowns.
    fn scaled_correction(&self, residual: &DVector<f64>) -> DVector<f64> {
        if self.columns.is_empty() {
            return DVector::zeros(0);
        }
        let largest = self.svd.sigma.max();
        -self.svd.least_solution(&residual.component_mul(&self.rows), self.derivatives.negligible(largest))
    }

    /// −J⁺ r.
    pub fn correction(&self, residual: &DVector<f64>) -> DVector<f64> {
        self.scaled_correction(residual).component_mul(&self.columns)
    }

    /// r − J J⁺ r with scaled rows: the part of the residual that no displacement changes.
    pub fn irreducible_residual(&self) -> DVector<f64> {
        self.residual.component_mul(&self.rows) + &self.jacobian * self.scaled_correction(&self.residual)
    }

    /// A row of velocities alone that no displacement satisfies without speeds, and the speed that it prescribes.
    pub fn running(&self) -> Option<(usize, f64)> {
        let first = self.derivatives.admissible.speeds.ncols() + self.derivatives.n_z();
        let remainder = self.irreducible_residual();
        let row = (first..remainder.len()).find(|i| remainder[*i].abs() > 1e-9 * self.stiffness)?;
        Some((row - first, -remainder[row] / self.rows[row]))
    }

    /// Length of a step in scaled unknowns.
    pub fn length(&self, step: &DVector<f64>) -> f64 {
        step.component_div(&self.columns).norm()
    }

    /// Size of a step: the largest displacement in units of motion, and the largest relative change of an auxiliary state.
    pub fn size(&self, step: &DVector<f64>) -> f64 {
        let admissible = &self.derivatives.admissible;
        let n = self.n();
        let displaced = &admissible.displacements * step.rows(0, n)
            + &self.derivatives.displaced * step.rows(n, self.derivatives.n_z());
        let moves = displaced.component_div(&admissible.units).amax();
        let parts = step.iter().skip(n).zip(&self.z).map(|(step, z)| step.abs() / (1.0 + z.abs()));
        parts.fold(moves, |most, part| if part > most || part.is_nan() { part } else { most })
    }

    /// −Z_z⁺ b: auxiliary states at which rates b vanish.
    fn settled(&self, b: &DMatrix<f64>) -> DMatrix<f64> {
        let n_z = self.derivatives.n_z();
        let inverse = self.derivatives.state_derivatives(Part::Auxiliary).pseudo_inverse(1e-12);
        -inverse.unwrap_or_else(|_| DMatrix::zeros(n_z, n_z)) * b
    }

    /// Force on admissible speeds, with auxiliary states at ż = 0.
    fn condensed_force(&self, residual: &DVector<f64>) -> DVector<f64> {
        let (admissible, n_z) = (&self.derivatives.admissible, self.derivatives.n_z());
        let n = admissible.speeds.ncols();
        let force = residual.rows(0, n).into_owned();
        if n_z == 0 {
            return force;
        }
        let rates = DMatrix::from_column_slice(n_z, 1, residual.rows(n, n_z).as_slice());
        let change = self.derivatives.state_derivatives(Part::Speed) * self.settled(&rates);
        force + &admissible.momenta * change.column(0)
    }

    /// Eigenvalues and eigenvectors of the symmetric part of K = −∂r/∂y for admissible speeds, with auxiliary states at ż = 0; `None` without degrees
    /// of freedom.
    fn stiffness(&self) -> Option<SymmetricEigen<f64, Dyn>> {
        let admissible = &self.derivatives.admissible;
        let n = admissible.speeds.ncols();
        if n == 0 {
            return None;
        }
        let mut derivatives = self.derivatives.stiffening().columns(0, n).into_owned();
        if self.derivatives.n_z() > 0 {
            let rates = self.derivatives.block(Part::Auxiliary, Part::Displacement) * &admissible.speeds;
            let change = self.derivatives.state_derivatives(Part::Speed) * self.settled(&rates);
            derivatives += &admissible.momenta * change;
        }
        let symmetric = (&derivatives + derivatives.transpose()) * -0.5;
        SymmetricEigen::try_new(symmetric, f64::EPSILON, 100_000)
    }

    /// The step of equation 3.
    pub fn downhill(&self) -> DVector<f64> {
        let n = self.derivatives.admissible.speeds.ncols();
        let Some(stiffness) = self.stiffness() else { return self.correction(&self.residual) };
        let force = self.condensed_force(&self.residual);
        let components = stiffness.eigenvectors.tr_mul(&force);
        let largest = stiffness.eigenvalues.amax();
        let (negligible, balanced) = (self.derivatives.negligible(largest), self.derivatives.balanced(largest));
        let mut damping = 0.0;
        loop {
            let part = |i: usize| {
                let kappa = stiffness.eigenvalues[i].abs();
                let is_neutral = kappa <= negligible && components[i].abs() <= balanced;
                if is_neutral { 0.0 } else { components[i] / (kappa.max(negligible) + damping) }
            };
            let step = self.with_auxiliary(&stiffness.eigenvectors * DVector::from_fn(n, |i, _| part(i)));
            // Damping does not shorten the changes of auxiliary states.
            let mut moves = step.clone();
            moves.rows_mut(self.n(), self.derivatives.n_z()).fill(0.0);
            let size = self.size(&moves);
            if size <= LONGEST_STEP || !size.is_finite() || damping > 1e60 {
                return step;
            }
            damping = if damping > 0.0 { 4.0 * damping } else { negligible };
        }
    }

    /// A step y of displacements, completed by the changes of auxiliary states to ż = 0.
    fn with_auxiliary(&self, y: DVector<f64>) -> DVector<f64> {
        let (n, n_z) = (y.len(), self.derivatives.n_z());
        let mut step = y.resize_vertically(self.n(), 0.0).resize_vertically(self.n() + n_z, 0.0);
        if n_z > 0 {
            let moved = &self.derivatives.admissible.displacements * step.rows(0, self.n());
            let rates =
                self.residual.rows(n, n_z) + self.derivatives.block(Part::Auxiliary, Part::Displacement) * moved;
            let settled = self.settled(&DMatrix::from_column_slice(n_z, 1, rates.as_slice()));
            step.rows_mut(self.n(), n_z).copy_from(&settled.column(0));
        }
        step
    }

    /// The motion of least stiffness, if that is negative.
    pub fn unstable(&self) -> Option<DVector<f64>> {
        let stiffness = self.stiffness()?;
        let (least, kappa) = stiffness.eigenvalues.argmin();
        let largest = stiffness.eigenvalues.amax();
        (kappa < -self.derivatives.negligible(largest).max(1e-9 * largest)).then(|| {
            let y = stiffness.eigenvectors.column(least).into_owned();
            y.resize_vertically(self.n() + self.derivatives.n_z(), 0.0)
        })
    }
}
