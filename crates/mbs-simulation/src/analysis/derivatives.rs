//! Derivatives of accelerations and of rates of auxiliary states at a state at rest, in the directions of admissible motions.
//!
//! Where rows depend on auxiliary states, coordinates depend on these, too: δθ = Y_p y + D z with the least displacements of G D = −Φ_z. Speeds
//! depend on both, δv = Y w + C \[y z\] + D ż with G C = −ψ_θ, −ψ_z in the rows of velocities alone.

use nalgebra::{DMatrix, DMatrixView, DVector};

use super::admissible::Admissible;
use mbs_core::{Describe, Differentiable, Error, Linearization, Mechanism, Sizes, StateView, error_jacobian};

/// Round-off in derivatives, relative to the terms that cancel in them; as an absolute frequency, it is a revolution in 70 days.
const NEGLIGIBLE: f64 = 1e-12;
/// Round-off in forces, relative to their terms.
const BALANCED: f64 = 1e-9;

/// Linearisation at a state at rest: δv̇ = A_θ δθ + A_v δv + A_z δz, δż = Z_θ δθ + Z_v δv + Z_z δz, with displacements δθ and speeds δv
/// in the space of speeds.
pub(super) struct Derivatives {
    pub admissible: Admissible,
    /// D: displacements per auxiliary state.
    pub displaced: DMatrix<f64>,
    /// Derivatives of ψ of the rows of velocities alone with respect to admissible displacements and auxiliary states.
    pub rows: DMatrix<f64>,
    /// Largest generalised force on an admissible speed, with all terms taken as positive so that none cancel: √kg m/s².
    load: f64,
    /// A of the error state (δθ, δv, δz).
    matrix: DMatrix<f64>,
    n_v: usize,
    /// Auxiliary states without discrete variables, which do not change by themselves.
    n_z: usize,
}

/// A part of the error state.
#[derive(Clone, Copy)]
pub(super) enum Part {
    Displacement,
    Speed,
    Auxiliary,
}

impl Derivatives {
    /// Derivatives of a mechanism at a state at rest.
    ///
    /// # Errors
    /// Those of [`Differentiable::state_jacobian`] and of [`Mechanism::solve`](mbs_core::Mechanism::solve).
    pub fn new<M: Differentiable + Describe>(
        mechanism: &M,
        at: StateView,
        work: &mut Linearization<M>,
    ) -> Result<Self, Error> {
        let sizes = mechanism.sizes();
        let n_e = sizes.n_e();
        let (mut a, mut b) = (vec![0.0; n_e * n_e], vec![0.0; n_e * sizes.n_u]);
        error_jacobian(mechanism, at, work, &mut a, &mut b)?;
        let admissible = Admissible::new(mechanism, at)?;
        let mut forces = DVector::zeros(sizes.n_v);
        mechanism.generalized_forces(at, forces.as_mut_slice());
        let mut derivatives = Derivatives {
            load: admissible.speeds.abs().tr_mul(&forces.abs()).amax(),
            admissible,
            displaced: DMatrix::zeros(sizes.n_v, 0),
            rows: DMatrix::zeros(0, 0),
            matrix: DMatrix::from_row_slice(n_e, n_e, &a),
            n_v: sizes.n_v,
            n_z: sizes.n_z - sizes.n_discrete,
        };
        derivatives.set_row_derivatives(mechanism, at)?;
        Ok(derivatives)
    }

    /// Sets D, and the derivatives of the rows of velocities: −G A_v − ψ_z Z_v with respect to displacements, because ψ̇ = G a − γ, and γ is linear
    /// in small speeds.
    fn set_row_derivatives<M: Mechanism>(&mut self, mechanism: &M, at: StateView) -> Result<(), Error> {
        let (sizes, admissible) = (mechanism.sizes(), &self.admissible);
        let by_states = row_state_derivatives(mechanism, at);
        let (n_position, alone) = (sizes.n_position, sizes.n_velocity - sizes.n_position);
        self.displaced = least_motions(mechanism, at, &-by_states.rows(0, n_position), 0)?;
        let velocity_by_states = by_states.rows(n_position, alone);
        let by_displacements = -(admissible.jacobian.rows(n_position, alone) * self.block(Part::Speed, Part::Speed))
            - velocity_by_states * self.block(Part::Auxiliary, Part::Speed);
        let n_p = admissible.displacements.ncols();
        let mut rows = DMatrix::zeros(alone, n_p + self.n_z);
        rows.columns_mut(0, n_p).copy_from(&(&by_displacements * &admissible.displacements));
        rows.columns_mut(n_p, self.n_z).copy_from(&(velocity_by_states + by_displacements * &self.displaced));
        self.rows = rows;
        Ok(())
    }

    /// C: the least speeds that rows of velocities alone require, a column per admissible displacement and auxiliary state.
    ///
    /// # Errors
    /// Those of [`Mechanism::solve`].
    pub fn following_speeds<M: Mechanism>(&self, mechanism: &M, at: StateView) -> Result<DMatrix<f64>, Error> {
        least_motions(mechanism, at, &-&self.rows, mechanism.sizes().n_position)
    }

    /// Number of auxiliary states without discrete variables.
    pub fn n_z(&self) -> usize {
        self.n_z
    }

    /// Derivatives of a rate of one part with respect to another, such as A_θ = `block(Speed, Displacement)`.
    pub fn block(&self, rate: Part, variable: Part) -> DMatrixView<'_, f64> {
        let range = |part: Part| match part {
            Part::Displacement => (0, self.n_v),
            Part::Speed => (self.n_v, self.n_v),
            Part::Auxiliary => (2 * self.n_v, self.n_z),
        };
        let ((row, rows), (column, columns)) = (range(rate), range(variable));
        self.matrix.view((row, column), (rows, columns))
    }

    /// Derivatives of a rate with respect to auxiliary states, with the displacements D that depend on them.
    pub fn state_derivatives(&self, rate: Part) -> DMatrix<f64> {
        self.block(rate, Part::Auxiliary) + self.block(rate, Part::Displacement) * &self.displaced
    }

    /// Yᵀ M A_θ Y_p: minus the stiffness, with a row per admissible speed and a column per admissible displacement.
    pub fn stiffening(&self) -> DMatrix<f64> {
        &self.admissible.momenta * self.block(Part::Speed, Part::Displacement) * &self.admissible.displacements
    }

    /// Largest entry of Y in units of motion: units per √kg m.
    fn mobility(&self) -> f64 {
        let columns = self.admissible.speeds.column_iter();
        columns.map(|column| column.component_div(&self.admissible.units).amax()).fold(0.0, f64::max)
    }

    /// Bound of squares of frequencies \[1/s²\] that are neutral motions or round-off; `largest` is the largest square.
    ///
    /// Loads that are constant while a body rotates have derivatives of their size per radian, which cancel where the body is balanced.
    pub fn negligible(&self, largest: f64) -> f64 {
        NEGLIGIBLE * largest.max(self.load * self.mobility()).max(1.0)
    }

    /// Bound of forces \[√kg m/s²\] that count as balanced; `largest` as in [`Derivatives::negligible`].
    pub fn balanced(&self, largest: f64) -> f64 {
        let mobility = self.mobility();
        let elastic = if mobility > 0.0 { largest / mobility } else { 0.0 };
        BALANCED * self.load.max(elastic)
    }
}

/// x of least kinetic norm with G x = g in the rows from `first` on, for each column g.
fn least_motions<M: Mechanism>(
    mechanism: &M,
    at: StateView,
    g: &DMatrix<f64>,
    first: usize,
) -> Result<DMatrix<f64>, Error> {
    let Sizes { n_v, n_c, .. } = mechanism.sizes();
    let mut found = DMatrix::zeros(n_v, g.ncols());
    if g.amax() == 0.0 {
        return Ok(found);
    }
    let (f, mut x) = (vec![0.0; n_v], vec![0.0; n_v]);
    let (mut right, mut mu) = (vec![0.0; n_c], vec![0.0; n_c]);
    for (column, mut found) in g.column_iter().zip(found.column_iter_mut()) {
        right[first..first + g.nrows()].iter_mut().zip(&column).for_each(|(right, g)| *right = *g);
        mechanism.solve(at, &f, &right, &mut x, &mut mu)?;
        found.copy_from_slice(&x);
    }
    Ok(found)
}

/// ∂(Φ, ψ)/∂z, Φ of position rows and ψ of the rows of velocities alone, at rest: differences of fourth order. Rows are linear in states
/// unless the declaration uses nonlinear functions of these.
fn row_state_derivatives<M: Mechanism>(mechanism: &M, at: StateView) -> DMatrix<f64> {
    let sizes = mechanism.sizes();
    let mut derivatives = DMatrix::zeros(sizes.n_velocity, sizes.n_z - sizes.n_discrete);
    let mut z = at.z.to_vec();
    for (j, mut derivative) in derivatives.column_iter_mut().enumerate() {
        let step = 1e-3 * at.z[j].abs().max(1e-2);
        for (steps, weight) in [(1.0, 8.0), (-1.0, -8.0), (2.0, -1.0), (-2.0, 1.0)] {
            z[j] = at.z[j] + steps * step;
            derivative += residuals(mechanism, StateView { z: &z, ..at }) * (weight / (12.0 * step));
        }
        z[j] = at.z[j];
    }
    derivatives
}

/// Φ of position rows, then ψ of the other rows of velocities.
fn residuals<M: Mechanism>(mechanism: &M, at: StateView) -> DVector<f64> {
    let sizes = mechanism.sizes();
    let mut residuals = DVector::zeros(sizes.n_velocity);
    mechanism.velocity_residuals(at, residuals.as_mut_slice());
    mechanism.position_residuals(at, &mut residuals.as_mut_slice()[..sizes.n_position]);
    residuals
}
