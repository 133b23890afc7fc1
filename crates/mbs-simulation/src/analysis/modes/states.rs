//! The linearised motion as a first-order system on admissible states.
//!
//! With Y_p of displacements, Y of speeds, and C and D as in `derivatives.rs`, the state is x = (y, w, z): δθ = Y_p y + D z and
//! δv = ω Y w + C \[y z\] + D ż. Then
//!
//! 1. Y_p ẏ = ω Y w + C \[y z\], which is δθ̇ = δv;
//! 2. ω ẇ = Yᵀ M (A_θ δθ + A_v δv + A_z δz), because Yᵀ M C = 0 and Yᵀ M D = 0: least speeds are M-orthogonal to admissible ones;
//! 3. (1 − Z_v D) ż = Z_θ δθ + Z_v (ω Y w + C \[y z\]) + Z_z δz.
//!
//! ω is about the largest frequency, so that entries are of comparable size.

use nalgebra::{Complex, DMatrix, DVector};

use crate::analysis::derivatives::{Derivatives, Part};
use crate::analysis::equilibrium::Equilibrium;
use mbs_core::{Differentiable, Error};

/// The system ẋ = B x.
pub(super) struct States {
    /// B.
    pub matrix: DMatrix<f64>,
    /// Bound of singular values of B that belong to neutral motions.
    pub negligible: f64,
    /// Y_p.
    displacements: DMatrix<f64>,
    /// D; without columns if auxiliary states are constant.
    displaced: DMatrix<f64>,
    /// Scales of auxiliary states: their values per entry of x.
    scales: DVector<f64>,
}

impl States {
    /// The system of the full linearised motion.
    pub fn new<M: Differentiable>(
        derivatives: &Derivatives,
        mechanism: &M,
        equilibrium: &Equilibrium<M>,
    ) -> Result<States, Error> {
        let at = equilibrium.state.view(&equilibrium.inputs);
        Ok(Self::with_following_speeds(derivatives, &derivatives.following_speeds(mechanism, at)?))
    }

    /// The system without terms proportional to speeds, auxiliary states constant.
    pub fn without_damping(derivatives: &Derivatives) -> States {
        let stiffening = derivatives.stiffening();
        let (n, n_p) = stiffening.shape();
        let omega = scale(&stiffening, 0.0);
        let mut matrix = DMatrix::zeros(n_p + n, n_p + n);
        matrix.view_mut((0, n_p), (n, n)).fill_diagonal(omega);
        matrix.view_mut((n_p, 0), (n, n_p)).copy_from(&(&stiffening / omega));
        Self::scaled(matrix, derivatives, omega, 0)
    }

    /// The system with C given.
    fn with_following_speeds(derivatives: &Derivatives, following: &DMatrix<f64>) -> States {
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
        matrix.rows_mut(0, n_p).copy_from(&admissible.displacement_coordinates(&speeds));
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
        Self::scaled(matrix, derivatives, omega, n_z)
    }

    /// The system of a matrix. Auxiliary states, the last rows, are scaled so that their rows and columns have equal norms.
    fn scaled(mut matrix: DMatrix<f64>, derivatives: &Derivatives, omega: f64, n_z: usize) -> States {
        let first = matrix.nrows() - n_z;
        let mut scales = DVector::from_element(n_z, 1.0);
        for (k, scale) in scales.iter_mut().enumerate() {
            let i = first + k;
            let diagonal = matrix[(i, i)];
            matrix[(i, i)] = 0.0;
            let (row, column) = (matrix.row(i).norm(), matrix.column(i).norm());
            if row > 0.0 && column > 0.0 {
                *scale = (row / column).sqrt();
                matrix.row_mut(i).unscale_mut(*scale);
                matrix.column_mut(i).scale_mut(*scale);
            }
            matrix[(i, i)] = diagonal;
        }
        let negligible = derivatives.negligible(omega * omega) / omega;
        let displaced = derivatives.displaced.columns(0, n_z).into_owned();
        States { matrix, negligible, displacements: derivatives.admissible.displacements.clone(), displaced, scales }
    }

    /// Shape and auxiliary states of an eigenvector of this system, normalised to |y| = 1, which is xᴴ M x without the displacements D z; where y
    /// vanishes, the largest auxiliary state is 1.
    pub fn shape(&self, x: DVector<Complex<f64>>) -> (DVector<Complex<f64>>, Vec<Complex<f64>>) {
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

/// A frequency of about the size of the largest one \[1/s\]; 1 if all are zero.
fn scale(stiffening: &DMatrix<f64>, damping: f64) -> f64 {
    let omega = stiffening.amax().sqrt().max(damping);
    if omega > 0.0 { omega } else { 1.0 }
}
