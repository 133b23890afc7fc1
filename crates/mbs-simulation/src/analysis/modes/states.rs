//! The linearised motion as a first-order system on admissible states.
//!
//! With Y_p of displacements, Y of speeds, and C and D as in `derivatives.rs`, the state is x = (y, w, z): δθ = Y_p y + D z and
//! δv = ω Y w + C \[y z\] + D ż. Then
//!
//! 1. Y_p ẏ = ω Y w + C \[y z\], which is δθ̇ = δv;
//! 2. ω ẇ = Yᵀ M (A_θ δθ + A_v δv + A_z δz), because Yᵀ M C = 0 and Yᵀ M D = 0: least speeds have no part along free ones;
//! 3. (1 − Z_v D) ż = Z_θ δθ + Z_v (ω Y w + C \[y z\]) + Z_z δz.
//!
//! ω is about the largest frequency, so that entries compare.

use nalgebra::{Complex, DMatrix, DVector};

use crate::analysis::derivatives::{Derivatives, Part};
use crate::analysis::equilibrium::Equilibrium;
use mbs_core::{Differentiable, Error};

/// ẋ = B x.
pub(super) struct States {
    /// B.
    pub matrix: DMatrix<f64>,
    /// Singular values of B up to this are those of neutral motions.
    pub negligible: f64,
    /// Y_p.
    displacements: DMatrix<f64>,
    /// D; without columns where auxiliary states are constant.
    displaced: DMatrix<f64>,
    /// Auxiliary states per entry of x.
    scales: DVector<f64>,
}

impl States {
    /// The full motion.
    pub fn new<M: Differentiable>(
        derivatives: &Derivatives,
        mechanism: &M,
        equilibrium: &Equilibrium<M>,
    ) -> Result<States, Error> {
        let at = equilibrium.state.view(&equilibrium.inputs);
        Ok(Self::with(derivatives, &derivatives.following_speeds(mechanism, at)?))
    }

    /// The system without terms proportional to speeds, auxiliary states constant.
    pub fn without_damping(derivatives: &Derivatives) -> States {
        let stiffening = derivatives.stiffening();
        let (n, n_p) = stiffening.shape();
        let omega = scale(&stiffening, 0.0);
        let mut matrix = DMatrix::zeros(n_p + n, n_p + n);
        matrix.view_mut((0, n_p), (n, n)).fill_diagonal(omega);
        matrix.view_mut((n_p, 0), (n, n_p)).copy_from(&(&stiffening / omega));
        Self::of(matrix, derivatives, omega, 0)
    }

    fn with(derivatives: &Derivatives, following: &DMatrix<f64>) -> States {
        use Part::{Auxiliary, Displacement, Speed};
        let admissible = &derivatives.admissible;
        let (y_p, y) = (&admissible.displacements, &admissible.speeds);
        let (n_p, n, n_z) = (y_p.ncols(), y.ncols(), derivatives.n_z());
        let (count, z) = (n_p + n + n_z, n_p + n);
        let damping = &admissible.momenta * derivatives.block(Speed, Speed) * y;
        let omega = scale(&derivatives.stiffening(), damping.amax());

        // δθ, δz and δv without D ż as functions of x.
        let mut displacements = DMatrix::zeros(y.nrows(), count);
        displacements.columns_mut(0, n_p).copy_from(y_p);
        displacements.columns_mut(z, n_z).copy_from(&derivatives.displaced);
        let mut auxiliary = DMatrix::zeros(n_z, count);
        auxiliary.columns_mut(z, n_z).fill_diagonal(1.0);
        let mut speeds = DMatrix::zeros(y.nrows(), count);
        speeds.columns_mut(0, n_p).copy_from(&following.columns(0, n_p));
        speeds.columns_mut(n_p, n).copy_from(&(y * omega));
        speeds.columns_mut(z, n_z).copy_from(&following.columns(n_p, n_z));

        let mut matrix = DMatrix::zeros(count, count);
        matrix.rows_mut(0, n_p).copy_from(&admissible.in_displacements(&speeds));
        let rates = derivatives.block(Auxiliary, Displacement) * &displacements
            + derivatives.block(Auxiliary, Speed) * &speeds
            + derivatives.block(Auxiliary, Auxiliary) * &auxiliary;
        let implied = DMatrix::identity(n_z, n_z) - derivatives.block(Auxiliary, Speed) * &derivatives.displaced;
        let rates = if n_z > 0 { implied.lu().solve(&rates).unwrap_or(rates) } else { rates };
        speeds += &derivatives.displaced * &rates;
        let accelerations = derivatives.block(Speed, Displacement) * displacements
            + derivatives.block(Speed, Speed) * speeds
            + derivatives.block(Speed, Auxiliary) * auxiliary;
        matrix.rows_mut(n_p, n).copy_from(&(&admissible.momenta * accelerations / omega));
        matrix.rows_mut(z, n_z).copy_from(&rates);
        Self::of(matrix, derivatives, omega, n_z)
    }

    /// Auxiliary states, the last of the rows, are scaled so that what they do is as large as what is done to them.
    fn of(mut matrix: DMatrix<f64>, derivatives: &Derivatives, omega: f64, n_z: usize) -> States {
        let first = matrix.nrows() - n_z;
        let mut scales = DVector::from_element(n_z, 1.0);
        for (k, scale) in scales.iter_mut().enumerate() {
            let i = first + k;
            let own = matrix[(i, i)];
            matrix[(i, i)] = 0.0;
            let (row, column) = (matrix.row(i).norm(), matrix.column(i).norm());
            if row > 0.0 && column > 0.0 {
                *scale = (row / column).sqrt();
                matrix.row_mut(i).unscale_mut(*scale);
                matrix.column_mut(i).scale_mut(*scale);
            }
            matrix[(i, i)] = own;
        }
        let negligible = derivatives.negligible(omega * omega) / omega;
        let displaced = derivatives.displaced.columns(0, n_z).into_owned();
        States { matrix, negligible, displacements: derivatives.admissible.displacements.clone(), displaced, scales }
    }

    /// Shape and auxiliary states of a vector of this system, normalised: |y| = 1, which is xᴴ M x but for what follows auxiliary states,
    /// or, where nothing is displaced, the largest auxiliary state.
    pub fn parts(&self, x: DVector<Complex<f64>>) -> (DVector<Complex<f64>>, Vec<Complex<f64>>) {
        let n_z = self.scales.len();
        let y = x.rows(0, self.displacements.ncols());
        let z: Vec<Complex<f64>> = x.iter().skip(x.len() - n_z).zip(&self.scales).map(|(z, s)| z * *s).collect();
        let largest = z.iter().map(|z| z.norm()).fold(0.0, f64::max);
        let size = if y.norm() > 1e-9 * x.norm() || largest == 0.0 { y.norm() } else { largest };
        let scale = Complex::from(if size > 0.0 { 1.0 / size } else { 1.0 });
        let z: Vec<Complex<f64>> = z.into_iter().map(|z| z * scale).collect();
        let shape = self.displacements.map(Complex::from) * (y * scale);
        let followed = self.displaced.map(Complex::from) * DVector::from_column_slice(&z);
        (shape + followed, z)
    }
}

/// A frequency as large as the largest; 1 if there is none.
fn scale(stiffening: &DMatrix<f64>, damping: f64) -> f64 {
    let omega = stiffening.amax().sqrt().max(damping);
    if omega > 0.0 { omega } else { 1.0 }
}
