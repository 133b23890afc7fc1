//! The contract of mechanisms that know the derivatives of their motion.

use crate::{Error, Mechanism, Real, Sizes, StateView, Storage};
use mbs_math::{add_scaled, dot, max_norm};

impl Sizes {
    /// Values of the state x = (q, v, z): n_x = n_q + n_v + n_z.
    #[inline]
    pub const fn n_x(&self) -> usize {
        self.n_q + self.n_v + self.n_z
    }

    /// Values of an error state δx = (δθ, δv, δz): n_e = 2 n_v + n_z, at most n_x.
    #[inline]
    pub const fn n_e(&self) -> usize {
        2 * self.n_v + self.n_z
    }
}

/// A mechanism with derivatives of its motion: ∂(q̇, v̇, ż) and ∂(a, λ).
///
/// With constraint rows the derivatives are those of a(q, v, z, u, t) and λ as the mechanism computes them, also off the
/// constraints; projection is not part of it.
///
/// Its coordinates satisfy two requirements, as every attitude that `mbs` knows does:
/// [`retract`](Mechanism::retract) is the provided one, q + N(q) δ normalised, and [`normalize`](Mechanism::normalize) scales
/// groups of coordinates to length 1, such as quaternions, whose lengths N(q) v does not change.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no derivatives of its motion",
    label = "no derivatives",
    note = "generated mechanisms have them with `kernels: [linearization]`, and `kernels: [steps]` for stages of implicit integrators; the engine has none"
)]
pub trait Differentiable<T: Real = f64>: Mechanism<T> {
    /// Storage of a matrix of n_x × (n_x + n_u) values.
    type Jacobian: Storage<T>;

    /// Zeroed storage.
    fn jacobian_storage(&self) -> Self::Jacobian;

    /// ∂(q̇, v̇, ż)/∂(q, v, z, u): n_x = n_q + n_v + n_z rows of n_x + n_u values, row-major.
    ///
    /// Raw coordinates: columns of q are derivatives with respect to each coordinate by itself, also off the unit sphere of quaternions, of
    /// [`coordinate_rates`](Mechanism::coordinate_rates), [`accelerations`](Mechanism::accelerations) and
    /// [`auxiliary_rates`](Mechanism::auxiliary_rates) as they are.
    ///
    /// # Errors
    /// Those of [`Mechanism::accelerations`].
    fn state_jacobian(&self, at: StateView<T>, jacobian: &mut [T]) -> Result<(), Error<T>>;

    /// v (n_v) with N(q) v nearest to given rates or displacements of coordinates (n_q): v = N⁺(q) q̇ at normalised q.
    ///
    /// N⁺ N = 1; for a unit quaternion twice the vector part of e* ∘ ė. A copy unless written, which is right for N = 1.
    fn speeds_of_rates(&self, t: T, q: &[T], rates: &[T], v: &mut [T]) {
        let _ = (t, q);
        v.copy_from_slice(rates);
    }

    /// ∂(a, λ)/∂(q, v, z, u) in tangent coordinates: n_v + n_c rows of 2 n_v + n_z + n_u values, row-major; a column of q is
    /// the derivative in the direction N(q) e_j at fixed speeds (for attitudes a rotation about a body axis). a and λ are written as well.
    ///
    /// # Errors
    /// Those of [`Mechanism::accelerations`].
    fn acceleration_jacobian(
        &self,
        at: StateView<T>,
        a: &mut [T],
        lambda: &mut [T],
        jacobian: &mut [T],
    ) -> Result<(), Error<T>>;

    /// C(q, v) of the transitivity equations (δθ)˙ = δv + C δθ, n_v × n_v values, row-major: the rate of the components of a displacement
    /// δq = N δθ that moves with the mechanism, C = N⁺ (∂(N v)/∂q N − Ṅ) with Ṅ in the direction q̇ = N v.
    ///
    /// It is 0 for N = 1, and −[ω×] for attitudes whose speeds are ω in body axes. Unless written, it is taken from n_v + 1
    /// evaluations of [`state_jacobian`](Differentiable::state_jacobian), exact for any N that does not depend on time, and
    /// from none at rest, where it is 0. The default makes storage by [`Mechanism::storage`] in each call.
    ///
    /// # Errors
    /// Those of [`Differentiable::state_jacobian`].
    ///
    /// # Source
    /// Hamel (1904), Die Lagrange-Eulerschen Gleichungen der Mechanik, Z. Math. Phys. 50; C δθ are Hamel's coefficients
    /// applied to v and δθ.
    fn transitivity(&self, at: StateView<T>, matrix: &mut [T]) -> Result<(), Error<T>> {
        transitivity_of_derivatives(self, at, matrix)
    }

    /// Overwrites residuals (d, r_v, r_z) of a stage of an implicit step, 2 n_v + n_z values, by the correction (δθ, δv, δz) of Newton's method.
    ///
    /// A stage is at v = v₀ + s a, z = z₀ + s ż, with a and ż at (q, v, z), and at coordinates that depend on v. R = M a + Gᵀ λ − Q and
    /// S = G a − γ are the residuals of the equations of motion. With derivatives at fixed a and λ, which `motion` gives (n_v and n_c values, those
    /// of the mechanism there),
    ///
    /// ```text
    /// M (δv − r_v) + Gᵀ μ + s (R_v δv + R_q δθ + R_z δz) = 0
    /// G (δv − r_v) + s (S_v δv + S_q δθ + S_z δz) = 0
    /// δz − r_z − s (Z_v δv + Z_q δθ + Z_z δz) = 0
    /// δθ = d + p (δv + N⁺ ∂(N v)/∂q N δθ)
    /// ```
    ///
    /// and, with [`StageRows::States`], G δv = 0 in rows of positions, G (δv − r_v) + ψ_q δθ = 0 in those of velocities; rows of accelerations keep
    /// theirs. Generated types with `kernels: [steps]` factorise that matrix in a static order.
    ///
    /// # Errors
    /// [`Error::MissingKernel`] unless implemented; [`Error::Singular`] with the unknown that has no pivot. Residuals are then unchanged.
    fn correct_stage(
        &self,
        at: StateView<T>,
        motion: (&[T], &[T]),
        stage: StageCoefficients<T>,
        residual: &mut [T],
    ) -> Result<(), Error<T>> {
        let _ = (at, motion, stage, residual);
        Err(Error::MissingKernel { kernel: "steps" })
    }
}

/// Coefficients of a stage of an implicit Runge–Kutta step, for [`Differentiable::correct_stage`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StageCoefficients<T: Real = f64> {
    /// s \[s\]: coefficient of the accelerations in the speeds of the stage.
    pub speeds: T,
    /// p \[s\]: coefficient of the speeds in the coordinates of the stage.
    pub coordinates: T,
    /// Equations of position and velocity rows at the stage.
    pub rows: StageRows,
}

/// Equations that position and velocity rows satisfy at a stage of an implicit step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StageRows {
    /// G a = γ.
    Accelerations,
    /// Φ = 0 and ψ = 0. Coordinates are projected, so that their corrections are tangent to the rows. The caller accounts for the residual ψ that
    /// remains in position rows.
    States,
}

impl<T: Real> StageCoefficients<T> {
    /// s, p and the weights of S and of ψ in the rows, as generated functions take them.
    #[inline]
    pub fn weights(self) -> [T; 4] {
        let [accelerations, speeds] = match self.rows {
            StageRows::Accelerations => [self.speeds, T::ZERO],
            StageRows::States => [T::ZERO, T::ONE],
        };
        [self.speeds, self.coordinates, accelerations, speeds]
    }
}

/// Default implementation of [`Differentiable::transitivity`].
///
/// # Errors
/// Those of [`Differentiable::state_jacobian`].
pub fn transitivity_of_derivatives<T: Real, M: Differentiable<T> + ?Sized>(
    mechanism: &M,
    at: StateView<T>,
    matrix: &mut [T],
) -> Result<(), Error<T>> {
    let sizes = mechanism.sizes();
    let (n_v, width) = (sizes.n_v, sizes.n_x() + sizes.n_u);
    let (mut rates, mut unit, ..) = mechanism.storage();
    let (mut direction, mut change, mut column) = (rates.clone(), rates.clone(), unit.clone());
    matrix.fill(T::ZERO);
    mechanism.coordinate_rates(at.t, at.q, at.v, rates.as_mut());
    if max_norm(rates.as_ref()) <= T::ZERO {
        return Ok(());
    }
    let mut jacobian = mechanism.jacobian_storage();
    let jacobian = &mut jacobian.as_mut()[..sizes.n_x() * width];
    let mut add = |s: T, jacobian: &[T], direction: &[T], j: usize| {
        for (change, row) in change.as_mut().iter_mut().zip(jacobian.chunks_exact(width)) {
            *change = dot(&row[..sizes.n_q], direction);
        }
        mechanism.speeds_of_rates(at.t, at.q, change.as_ref(), column.as_mut());
        for (row, x) in matrix.chunks_exact_mut(n_v).zip(column.as_ref()) {
            add_scaled(&mut row[j..=j], s, &[*x]);
        }
    };
    // ∂(N v)/∂q N e_j.
    mechanism.state_jacobian(at, jacobian)?;
    for j in 0..n_v {
        set_unit(unit.as_mut(), j);
        mechanism.coordinate_rates(at.t, at.q, unit.as_ref(), direction.as_mut());
        add(T::ONE, jacobian, direction.as_ref(), j);
    }
    // −Ṅ e_j = −∂(N e_j)/∂q N v.
    for j in 0..n_v {
        set_unit(unit.as_mut(), j);
        mechanism.state_jacobian(StateView { v: unit.as_ref(), ..at }, jacobian)?;
        add(-T::ONE, jacobian, rates.as_ref(), j);
    }
    Ok(())
}

/// e_j.
#[inline]
pub(crate) fn set_unit<T: Real>(vector: &mut [T], j: usize) {
    vector.fill(T::ZERO);
    vector[j] = T::ONE;
}
