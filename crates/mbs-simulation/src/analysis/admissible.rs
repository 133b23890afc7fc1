//! Motions that the rows of a mechanism admit, as columns of matrices, without its mass matrix.
//!
//! With Z any basis of the motions with G z = 0, [`Mechanism::solve`] gives
//!
//! 1. W = Z (Zᵀ M Z)⁻¹ Zᵀ column by column, W e_j being its x for f = e_j, g = 0;
//! 2. the projection P = W M, which is P e_j = e_j − x for f = 0, g = G e_j; its trace is the number of degrees of freedom;
//! 3. W = Y Yᵀ with a column of Y per degree of freedom: then Yᵀ M Y = 1, and Yᵀ M = Y⁺ P for any left inverse Y⁺ of Y.
//!
//! Displacements obey position rows alone, speeds obey velocity rows too. Where there are velocity rows without a position row, displacements have
//! more columns.
//!
//! # Source
//! García de Jalón & Bayo (1994), §5.2 (projection on the null space); the rest is derived here: P is idempotent, W P ᵀ = W.

use nalgebra::{DMatrix, DVector};

use mbs_core::{Describe, Error, Mechanism, StateView};
use mbs_diagnosis::unit_motions;

/// Relative remainder up to which a column is linearly dependent on those before it.
const DEPENDENT: f64 = 1e-10;

/// Admissible motions at a state at rest.
pub(super) struct Admissible {
    /// Speed i of a motion that rotates a body by 1 rad, or translates its origin by the size of the mechanism.
    pub units: DVector<f64>,
    /// Y: speeds that all rows admit, as columns; Yᵀ M Y = 1.
    pub speeds: DMatrix<f64>,
    /// Yᵀ M.
    pub momenta: DMatrix<f64>,
    /// Displacements that position rows admit: the columns of Y first.
    pub displacements: DMatrix<f64>,
    /// G of all position and velocity rows.
    pub jacobian: DMatrix<f64>,
}

impl Admissible {
    /// Admissible motions of a mechanism at a state.
    ///
    /// # Errors
    /// Those of [`Mechanism::solve`].
    pub fn new<M: Describe>(mechanism: &M, at: StateView) -> Result<Self, Error> {
        let sizes = mechanism.sizes();
        let (n, rows) = (sizes.n_v, sizes.n_velocity);
        let mut flat = vec![0.0; rows * n];
        mechanism.constraint_jacobian(at, &mut flat);
        let jacobian = DMatrix::from_row_slice(rows, n, &flat);
        let units = DVector::from_vec(unit_motions(mechanism, at));
        let mut solver = Solver { mechanism, at, g: vec![0.0; sizes.n_c], mu: vec![0.0; sizes.n_c] };
        let projection = solver.projection(&jacobian, rows)?;
        let rank = rank(&projection);
        let inertial = factor(solver.inverse_mass()?, &units, rank);
        // Rows of accelerations do not constrain speeds, but W does not contain motions that they exclude.
        let speeds = complete_basis(inertial, &projection, &units, rank);
        let displacements = if sizes.n_position == rows {
            speeds.clone()
        } else {
            let projection = solver.projection(&jacobian, sizes.n_position)?;
            complete_basis(speeds.clone(), &projection, &units, self::rank(&projection))
        };
        let momenta = left_inverse(&speeds, &units) * &projection;
        Ok(Admissible { units, speeds, momenta, displacements, jacobian })
    }

    /// Coordinates of admissible displacements, given as columns.
    pub fn displacement_coordinates(&self, columns: &DMatrix<f64>) -> DMatrix<f64> {
        left_inverse(&self.displacements, &self.units) * columns
    }
}

/// [`Mechanism::solve`] at one state.
struct Solver<'m, M: Mechanism> {
    mechanism: &'m M,
    at: StateView<'m>,
    g: Vec<f64>,
    mu: Vec<f64>,
}

impl<M: Mechanism> Solver<'_, M> {
    /// The matrix whose column j is x for the f and g of j, which `right_side` writes.
    fn columns(&mut self, mut right_side: impl FnMut(usize, &mut [f64], &mut [f64])) -> Result<DMatrix<f64>, Error> {
        let n = self.mechanism.sizes().n_v;
        let mut columns = DMatrix::zeros(n, n);
        let (mut f, mut x) = (vec![0.0; n], vec![0.0; n]);
        for j in 0..n {
            f.fill(0.0);
            self.g.fill(0.0);
            right_side(j, &mut f, &mut self.g);
            self.mechanism.solve(self.at, &f, &self.g, &mut x, &mut self.mu)?;
            columns.column_mut(j).copy_from_slice(&x);
        }
        if columns.iter().all(|x: &f64| x.is_finite()) { Ok(columns) } else { Err(Error::NotFinite { t: self.at.t }) }
    }

    /// W, equation 1.
    fn inverse_mass(&mut self) -> Result<DMatrix<f64>, Error> {
        self.columns(|j, f, _| f[j] = 1.0)
    }

    /// The projection P of equation 2 for the first `rows` rows.
    fn projection(&mut self, jacobian: &DMatrix<f64>, rows: usize) -> Result<DMatrix<f64>, Error> {
        let constrained = self.columns(|j, _, g| {
            for (g, entry) in g.iter_mut().zip(jacobian.column(j).iter().take(rows)) {
                *g = *entry;
            }
        })?;
        Ok(DMatrix::identity(constrained.nrows(), constrained.ncols()) - constrained)
    }
}

/// The rank of a projection, whose eigenvalues are 0 and 1.
fn rank(projection: &DMatrix<f64>) -> usize {
    projection.trace().round().clamp(0.0, projection.nrows() as f64) as usize
}

/// Y with W = Y Yᵀ and at most `rank` columns: Cholesky's method with the largest pivot, in units of motion.
///
/// # Source
/// Higham (2002), Accuracy and Stability of Numerical Algorithms, §10.3.
fn factor(mut w: DMatrix<f64>, units: &DVector<f64>, rank: usize) -> DMatrix<f64> {
    let n = w.nrows();
    let mut y = DMatrix::zeros(n, rank);
    let size = |w: &DMatrix<f64>, i: usize| w[(i, i)] / (units[i] * units[i]);
    let largest = |w: &DMatrix<f64>| (0..n).max_by(|i, j| size(w, *i).total_cmp(&size(w, *j)));
    let before = w.diagonal();
    for k in 0..rank {
        let Some(pivot) = largest(&w).filter(|i| w[(*i, *i)] > DEPENDENT * before[*i]) else {
            return y.columns(0, k).into_owned();
        };
        let column = w.column(pivot) / w[(pivot, pivot)].sqrt();
        w -= &column * column.transpose();
        y.set_column(k, &column);
    }
    y
}

/// A basis extended to `rank` columns by those of a projection that depend least on it, made orthogonal in units of motion.
fn complete_basis(basis: DMatrix<f64>, projection: &DMatrix<f64>, units: &DVector<f64>, rank: usize) -> DMatrix<f64> {
    let n = units.len();
    let mut basis = basis;
    while basis.ncols() < rank {
        let q = factors(&basis, units).0;
        let mut rest = DMatrix::from_fn(n, n, |i, j| projection[(i, j)] * units[j] / units[i]);
        for _ in 0..2 {
            rest -= &q * q.tr_mul(&rest);
        }
        let Some(best) = (0..n).max_by(|i, j| rest.column(*i).norm().total_cmp(&rest.column(*j).norm())) else { break };
        let size = rest.column(best).norm();
        if size <= DEPENDENT {
            break;
        }
        let column = rest.column(best).component_mul(units) / size;
        let k = basis.ncols();
        basis = basis.insert_column(k, 0.0);
        basis.set_column(k, &column);
    }
    basis
}

/// Y⁺ with Y⁺ Y = 1, of least squares in units of motion.
fn left_inverse(basis: &DMatrix<f64>, units: &DVector<f64>) -> DMatrix<f64> {
    let (n, k) = basis.shape();
    let (q, r) = factors(basis, units);
    let scaled = DMatrix::from_fn(k, n, |i, j| q[(j, i)] / units[j]);
    r.solve_upper_triangular(&scaled).expect("columns of a basis are independent")
}

/// Q and R of a basis in units of motion.
fn factors(basis: &DMatrix<f64>, units: &DVector<f64>) -> (DMatrix<f64>, DMatrix<f64>) {
    let (n, k) = basis.shape();
    if k == 0 {
        return (DMatrix::zeros(n, 0), DMatrix::zeros(0, 0));
    }
    DMatrix::from_fn(n, k, |i, j| basis[(i, j)] / units[i]).qr().unpack()
}
