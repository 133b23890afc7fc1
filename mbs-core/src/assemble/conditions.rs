//! Conditions while assembling and after events: the border of the Newton system and the rank of its remainder.

use super::response::Response;
use crate::linear::definite;
use crate::{Error, Level, Mechanism, Real, State, StateView};
use mbs_math::{add_scaled, dot, max_norm};

/// Conditions that are imposed, and their targets. Each set is a type, so that their number is a constant where the mechanism's sizes are.
pub(crate) trait ImposedConditions<M: Mechanism<T>, T: Real> {
    /// Number of conditions.
    fn count(&self, mechanism: &M) -> usize;

    /// Index of the k-th condition for [`Mechanism::initial_condition`].
    fn index(&self, mechanism: &M, k: usize) -> usize;

    /// Value that is subtracted from the k-th residual.
    fn target(&self, k: usize) -> T;
}

/// A mechanism, and the conditions on its state.
pub(crate) struct Problem<'p, M, H> {
    pub mechanism: &'p M,
    pub imposed: &'p H,
}

impl<M, H> Clone for Problem<'_, M, H> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M, H> Copy for Problem<'_, M, H> {}

/// The `initial` conditions, whose residuals contain their values.
pub(crate) struct Initial;

impl<M: Mechanism<T>, T: Real> ImposedConditions<M, T> for Initial {
    #[inline]
    fn count(&self, mechanism: &M) -> usize {
        mechanism.sizes().n_conditions
    }

    #[inline]
    fn index(&self, _: &M, k: usize) -> usize {
        k
    }

    #[inline]
    fn target(&self, _: usize) -> T {
        T::ZERO
    }
}

/// The `initial` conditions, then the guesses that depend on parameters.
pub(super) struct Guessed;

impl<M: Mechanism<T>, T: Real> ImposedConditions<M, T> for Guessed {
    #[inline]
    fn count(&self, mechanism: &M) -> usize {
        let sizes = mechanism.sizes();
        sizes.n_conditions + sizes.n_guesses
    }

    #[inline]
    fn index(&self, mechanism: &M, k: usize) -> usize {
        let sizes = mechanism.sizes();
        if k < sizes.n_conditions { k } else { sizes.n_event_conditions + k }
    }

    #[inline]
    fn target(&self, _: usize) -> T {
        T::ZERO
    }
}

pub(super) struct Conditions<M: Mechanism<T>, T: Real> {
    gradient: M::Speeds,
    column: M::Speeds,
    zero: M::Multipliers,
    inputs: M::Inputs,
    /// Per condition: y_k (n_v values), then row k of S, then the right side, then 1 if k has been a pivot.
    scratch: M::Scratch,
    /// Largest diagonal entry of M⁻¹, the unit in which S_kk is assessed.
    mobility: T,
}

impl<M: Mechanism<T>, T: Real> Conditions<M, T> {
    pub(super) fn new(mechanism: &M) -> Self {
        let (_, gradient, zero, _, inputs, scratch) = mechanism.storage();
        Conditions { column: gradient.clone(), gradient, zero, inputs, scratch, mobility: T::ZERO }
    }

    /// Whether there is a condition of this level.
    pub(super) fn has_level(
        &mut self,
        mechanism: &M,
        imposed: &impl ImposedConditions<M, T>,
        level: Level,
        state: &State<M, T>,
    ) -> bool {
        (0..imposed.count(mechanism)).any(|k| self.evaluate(Problem { mechanism, imposed }, k, level, state).is_some())
    }

    /// Residual of condition k, 0 if it belongs to another level.
    pub(super) fn residual(
        &mut self,
        problem: Problem<'_, M, impl ImposedConditions<M, T>>,
        k: usize,
        level: Level,
        state: &State<M, T>,
    ) -> T {
        self.evaluate(problem, k, level, state).unwrap_or(T::ZERO)
    }

    /// Calls `visit` with k, r_k and h_k of each condition of a level.
    pub(super) fn for_each(
        &mut self,
        problem: Problem<'_, M, impl ImposedConditions<M, T>>,
        level: Level,
        state: &State<M, T>,
        mut visit: impl FnMut(usize, T, &[T]),
    ) {
        for k in 0..problem.imposed.count(problem.mechanism) {
            if let Some(residual) = self.evaluate(problem, k, level, state) {
                visit(k, residual, self.gradient.as_ref());
            }
        }
    }

    /// Residual r_k and, in `gradient`, h_k; `None` if k belongs to another level.
    fn evaluate(
        &mut self,
        Problem { mechanism, imposed }: Problem<'_, M, impl ImposedConditions<M, T>>,
        k: usize,
        level: Level,
        state: &State<M, T>,
    ) -> Option<T> {
        let at = state.view(self.inputs.as_ref());
        let condition = mechanism.initial_condition(imposed.index(mechanism, k), at, self.gradient.as_mut());
        (condition.level == level).then(|| condition.residual - imposed.target(k))
    }

    /// As `evaluate`, scaled to |h_k| = 1; also returns the scale factor.
    fn evaluate_scaled(
        &mut self,
        problem: Problem<'_, M, impl ImposedConditions<M, T>>,
        k: usize,
        level: Level,
        state: &State<M, T>,
    ) -> Option<(T, T)> {
        let residual = self.evaluate(problem, k, level, state)?;
        let h = self.gradient.as_mut();
        let size = max_norm(h) * dot_scaled(h).sqrt();
        if size > T::ZERO {
            let factor = T::ONE / size;
            h.iter_mut().for_each(|h| *h *= factor);
            return Some((residual * factor, factor));
        }
        Some((residual, T::ONE))
    }

    /// Sets the mobility: the maximum over speeds i of 1/M_ii (from the kinetic energy, where the mechanism implements it) and of the response x_i
    /// of the constrained mechanism to the unit force e_i.
    pub(super) fn measure(
        &mut self,
        Problem { mechanism, imposed }: Problem<'_, M, impl ImposedConditions<M, T>>,
        level: Level,
        state: &State<M, T>,
        response: &mut Response<M, T>,
    ) -> Result<(), Error<T>> {
        self.mobility = T::ZERO;
        if !self.has_level(mechanism, imposed, level, state) {
            return Ok(());
        }
        for i in 0..mechanism.sizes().n_v {
            let unit = self.gradient.as_mut();
            unit.fill(T::ZERO);
            unit[i] = T::ONE;
            let (x, right) = (self.column.as_mut(), (self.gradient.as_ref(), self.zero.as_ref()));
            response.solve(mechanism, state.view(&[]), right, x)?;
            self.mobility = self.mobility.max(x[i].abs());
            let mass = self.mass(mechanism, i, state);
            if mass > T::ZERO {
                self.mobility = self.mobility.max(T::ONE / mass);
            }
        }
        Ok(())
    }

    /// M_ii = T(e_i) + T(−e_i) − 2 T(0), exact for a kinetic energy T of second degree in v.
    fn mass(&mut self, mechanism: &M, i: usize, state: &State<M, T>) -> T {
        let (u, v) = (self.inputs.as_ref(), self.gradient.as_mut());
        let mut kinetic = |speed: T| {
            v[i] = speed;
            let at = StateView { t: state.t, q: state.q.as_ref(), v, z: state.z.as_ref(), u };
            mechanism.energy(at).kinetic
        };
        kinetic(T::ONE) + kinetic(-T::ONE) - (kinetic(T::ZERO) + kinetic(T::ZERO))
    }

    /// δ ← δ₀ + Σ α_k y_k with S α = −r − H δ₀ (steps 2 to 4 of the module header).
    pub(super) fn border(
        &mut self,
        problem: Problem<'_, M, impl ImposedConditions<M, T>>,
        level: Level,
        state: &State<M, T>,
        rank: (T, &mut Response<M, T>),
        delta: &mut [T],
    ) -> Result<(), Error<T>> {
        self.eliminate(problem, level, state, rank, |residual, h| -residual - dot(h, delta))?;
        let Problem { mechanism, imposed } = problem;
        let (n_v, n) = (mechanism.sizes().n_v, imposed.count(mechanism));
        for row in self.scratch.as_ref().chunks_exact(n_v + n + 2).take(n) {
            add_scaled(delta, row[n_v + n], &row[..n_v]);
        }
        Ok(())
    }

    /// The impulses p of the velocity conditions with S p = H x, which change velocities by x, and `force` ← Hᵀ p.
    ///
    /// Conditions that the others or the rows imply have zero impulses.
    pub(super) fn impulses(
        &mut self,
        problem: Problem<'_, M, impl ImposedConditions<M, T>>,
        state: &State<M, T>,
        rank: (T, &mut Response<M, T>),
        x: &[T],
        (force, impulses): (&mut [T], &mut [T]),
    ) -> Result<(), Error<T>> {
        self.eliminate(problem, Level::Velocity, state, rank, |_, h| dot(h, x))?;
        let Problem { mechanism, imposed } = problem;
        let (n_v, n) = (mechanism.sizes().n_v, imposed.count(mechanism));
        force.fill(T::ZERO);
        for (k, impulse) in impulses.iter_mut().enumerate().take(n) {
            let Some((_, factor)) = self.evaluate_scaled(problem, k, Level::Velocity, state) else { continue };
            let alpha = self.scratch.as_ref()[k * (n_v + n + 2) + n_v + n];
            *impulse = alpha * factor;
            add_scaled(force, alpha, self.gradient.as_ref());
        }
        Ok(())
    }

    /// Solves S α = b for the conditions of a level; `right` gives b_k from residual and gradient. α overwrites the right side.
    #[inline]
    fn eliminate(
        &mut self,
        problem: Problem<'_, M, impl ImposedConditions<M, T>>,
        level: Level,
        state: &State<M, T>,
        (tolerance, response): (T, &mut Response<M, T>),
        right: impl Fn(T, &[T]) -> T,
    ) -> Result<(), Error<T>> {
        let Problem { mechanism, imposed } = problem;
        let (n_v, n) = (mechanism.sizes().n_v, imposed.count(mechanism));
        let width = n_v + n + 2;
        self.scratch.as_mut().fill(T::ZERO);
        for k in 0..n {
            let Some((residual, _)) = self.evaluate_scaled(problem, k, level, state) else { continue };
            let (column, right_side) = (self.column.as_mut(), (self.gradient.as_ref(), self.zero.as_ref()));
            response.solve(mechanism, state.view(&[]), right_side, column)?;
            let (h, scratch) = (self.gradient.as_ref(), self.scratch.as_mut());
            scratch[k * width..][..n_v].copy_from_slice(self.column.as_ref());
            for l in 0..=k {
                let s_kl = dot(h, &scratch[l * width..][..n_v]);
                scratch[k * width + n_v + l] = s_kl;
                scratch[l * width + n_v + k] = s_kl;
            }
            scratch[k * width + n_v + n] = right(residual, h);
        }
        definite::eliminate(self.scratch.as_mut(), n_v, n, tolerance * self.mobility);
        Ok(())
    }
}

/// |h|²/max(h)², safe from overflow.
fn dot_scaled<T: Real>(h: &[T]) -> T {
    let largest = max_norm(h);
    if largest > T::ZERO { h.iter().fold(T::ZERO, |sum, h| sum + (*h / largest) * (*h / largest)) } else { T::ZERO }
}
