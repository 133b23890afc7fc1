//! Distance of a state from a singular pose, where position rows depend on each other, and the side of it.
//!
//! The motion x = M⁻¹ Gᵀ (G M⁻¹ Gᵀ)⁻¹ p is the least one, in the metric of kinetic energy, that changes the rows by given numbers p. At a distance
//! δ from a singular pose it grows as 1/δ, in the direction of the motion that rows nearly leave free. On the other side of the pose its sign is
//! opposite: at a change point, where branches of positions cross, G x̂ passes through zero along either branch.
//!
//! Source: Keller (1977), Numerical solution of bifurcation and nonlinear eigenvalue problems: along a smooth branch through a simple crossing
//! the determinant of G, bordered by the tangent, changes its sign.

use crate::{Error, Mechanism, Real, StateView};
use mbs_math::{add_scaled, dot, largest};

/// Largest relative error by rounding of the difference between rows: three digits are right.
const FEWEST_DIGITS: f64 = 1e-3;

/// Measures the distance to singular poses. Work space has the storage types of the mechanism, and is made once.
pub(crate) struct Probe<M: Mechanism<T>, T: Real> {
    /// p, generic numbers of size 1 for position rows, zeros for others.
    pattern: M::Multipliers,
    zero: M::Speeds,
    /// x of the first state and of the last one measured.
    first: M::Speeds,
    last: M::Speeds,
    mu: M::Multipliers,
    residuals: M::Multipliers,
    terms: M::Multipliers,
}

/// Checks that position rows are independent beyond rounding. At a singular pose, where branches of positions meet, the equations choose none of the
/// branches, and multipliers are rounding errors.
///
/// # Errors
/// [`Error::Singular`] where fewer than three digits of the difference between rows are right.
pub fn check_regular<M: Mechanism<T>, T: Real>(mechanism: &M, at: StateView<T>) -> Result<(), Error<T>> {
    let sizes = mechanism.sizes();
    if sizes.n_position == 0 {
        return Ok(());
    }
    let (row, ratio) = Probe::new(mechanism).cancellation(mechanism, at)?;
    // NaN passes: the equations of motion report it with its cause.
    let is_singular = ratio * T::EPSILON >= T::from_f64(FEWEST_DIGITS);
    if is_singular { Err(Error::Singular { row: sizes.n_v + row, t: at.t }) } else { Ok(()) }
}

impl<M: Mechanism<T>, T: Real> Probe<M, T> {
    pub(crate) fn new(mechanism: &M) -> Self {
        let (_, zero, mut pattern, ..) = mechanism.storage();
        let [mu, residuals, terms] = [(); 3].map(|()| pattern.clone());
        for (i, p) in pattern.as_mut()[..mechanism.sizes().n_position].iter_mut().enumerate() {
            // Multiples of the golden ratio modulo 1 are spread evenly: no symmetry of a mechanism makes sums of them vanish.
            let multiple = 0.618_033_988_749_894_9 * (i + 1) as f64;
            let size = 0.5 + multiple - mbs_math::math::floor(multiple);
            *p = T::from_f64(if i % 2 == 0 { size } else { -size });
        }
        Probe { pattern, first: zero.clone(), last: zero.clone(), zero, mu, residuals, terms }
    }

    /// 1/|x| at a state, in the metric of kinetic energy: near a singular pose it is proportional to the distance from it. The sense of x at later
    /// states is compared with the sense at this one.
    ///
    /// # Errors
    /// [`Error::Singular`] at a singular pose.
    pub(crate) fn begin(&mut self, mechanism: &M, at: StateView<T>) -> Result<T, Error<T>> {
        let measure = self.measure(mechanism, at)?;
        self.advance();
        Ok(measure.abs())
    }

    /// 1/|x| at a state, negative where the sense of x is opposite to that at the first state: a singular pose is between them.
    ///
    /// # Errors
    /// [`Error::Singular`] at a singular pose.
    pub(crate) fn measure(&mut self, mechanism: &M, at: StateView<T>) -> Result<T, Error<T>> {
        let (f, g) = (self.zero.as_ref(), self.pattern.as_ref());
        mechanism.solve(at, f, g, self.last.as_mut(), self.mu.as_mut())?;
        // xᵀ M x = −pᵀ μ.
        let square = -dot(self.pattern.as_ref(), self.mu.as_ref());
        let measure = T::ONE / square.abs().sqrt();
        let is_opposite = dot(self.first.as_ref(), self.last.as_ref()) < T::ZERO;
        Ok(if is_opposite { -measure } else { measure })
    }

    /// The row r with the largest Σ_k |G_rk x_k| at a state, and the ratio of that sum to the largest |p_r|. Near a singular pose the ratio is 1/δ
    /// with δ relative to the lengths, in any units.
    fn cancellation(&mut self, mechanism: &M, at: StateView<T>) -> Result<(usize, T), Error<T>> {
        self.measure(mechanism, at)?;
        let sizes = mechanism.sizes();
        let [moved, still] = [self.residuals.as_mut(), self.mu.as_mut()];
        let terms = self.terms.as_mut();
        terms.fill(T::ZERO);
        mechanism.velocity_residuals(StateView { v: self.zero.as_ref(), ..at }, &mut still[..sizes.n_velocity]);
        for k in 0..sizes.n_v {
            self.first.as_mut().fill(T::ZERO);
            self.first.as_mut()[k] = self.last.as_ref()[k];
            mechanism.velocity_residuals(StateView { v: self.first.as_ref(), ..at }, &mut moved[..sizes.n_velocity]);
            for ((term, moved), still) in terms.iter_mut().zip(moved.iter()).zip(still.iter()).take(sizes.n_position) {
                *term += (*moved - *still).abs();
            }
        }
        let (row, most) = largest(terms);
        Ok((row, most / largest(self.pattern.as_ref()).1))
    }

    /// Cosine of the angle between x of the first state and of the last.
    pub(crate) fn cosine(&self) -> T {
        let (a, b) = (self.first.as_ref(), self.last.as_ref());
        dot(a, b) / (dot(a, a) * dot(b, b)).sqrt()
    }

    /// The row with the largest multiplier μ at the last state: the one that depends most on others.
    pub(crate) fn row(&self) -> usize {
        largest(self.mu.as_ref()).0
    }

    /// Makes the last state the first.
    pub(crate) fn advance(&mut self) {
        self.first.as_mut().copy_from_slice(self.last.as_ref());
    }

    /// Writes velocities e, projected onto those that the rows admit, to [`Probe::speeds`]: e + x with M x + Gᵀ μ = 0, G x = −G e.
    ///
    /// # Errors
    /// [`Error::Singular`] at a singular pose.
    pub(crate) fn tangential(
        &mut self,
        mechanism: &M,
        at: StateView<T>,
        e: impl Fn(usize) -> T,
    ) -> Result<(), Error<T>> {
        let (rows, speeds) = (mechanism.sizes().n_velocity, self.first.as_mut());
        speeds.iter_mut().enumerate().for_each(|(k, speed)| *speed = e(k));
        let [moved, still] = [self.residuals.as_mut(), self.mu.as_mut()];
        mechanism.velocity_residuals(StateView { v: speeds, ..at }, &mut moved[..rows]);
        mechanism.velocity_residuals(StateView { v: self.zero.as_ref(), ..at }, &mut still[..rows]);
        moved[rows..].fill(T::ZERO);
        for (moved, still) in moved[..rows].iter_mut().zip(still.iter()) {
            *moved = *still - *moved;
        }
        let (f, g) = (self.zero.as_ref(), self.residuals.as_ref());
        mechanism.solve(at, f, g, self.last.as_mut(), self.mu.as_mut())?;
        add_scaled(self.first.as_mut(), T::ONE, self.last.as_ref());
        Ok(())
    }

    /// The velocities of the last [`Probe::tangential`].
    pub(crate) fn speeds(&self) -> &[T] {
        self.first.as_ref()
    }
}
