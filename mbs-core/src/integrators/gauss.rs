//! Gauss's collocation methods.
//!
//! With x = (q, v, z), ẋ = f(t, x) and stages i = 1…S at t + c_i h:
//!
//! 1. q_i = q + h Σ a_ij N(q_j) v_j;
//! 2. v_i = v + h Σ a_ij a_j, z_i = z + h Σ a_ij ż_j;
//! 3. x⁺ = x + h Σ b_i f_i.
//!
//! Unknowns are v_i and z_i. Equations 1 give q_i for them, by a fixed-point iteration that needs no accelerations: one pass where N = 1.
//! Equations 2 are solved by Newton's method (`gauss/derivatives.rs`) or by fixed-point iteration with secants (`iteration.rs`). Equation 3
//! uses the rates of the last iterate, so that quadratic invariants are conserved to round-off.

mod derivatives;
mod symmetric;

pub use derivatives::GaussDerivatives;

use core::borrow::Borrow;

use super::evaluation::{Evaluation, Rates};
use super::iteration::{Equations, Iteration, NoDerivatives, Stage, StageDerivatives, ratio, relative_sizes, repeated};
use super::runge_kutta::combine;
use super::tableaus::{Tableau, resize};
use super::{Inputs, Statistics, Stepper, steps_of_equal_length};
use crate::{Differentiable, Error, Mechanism, Real, Stabilization, State};
use mbs_math::{add_scaled, max_norm};
use symmetric::Shift;

/// Largest number of passes that compute q_i for given v_i: each reduces the error by a factor of 4/(h |ω|) or more for quaternions.
const PLACEMENTS: usize = 100;

const SQRT_3: f64 = 1.732_050_807_568_877_2;
const SQRT_15: f64 = 3.872_983_346_207_417;

/// Coefficients of S stages.
const fn tableau<const S: usize>() -> Tableau<S> {
    match S {
        2 => resize(&Tableau {
            a: [[0.25, 0.25 - SQRT_3 / 6.0], [0.25 + SQRT_3 / 6.0, 0.25]],
            b: [0.5, 0.5],
            c: [0.5 - SQRT_3 / 6.0, 0.5 + SQRT_3 / 6.0],
        }),
        3 => resize(&Tableau {
            a: [
                [5.0 / 36.0, 2.0 / 9.0 - SQRT_15 / 15.0, 5.0 / 36.0 - SQRT_15 / 30.0],
                [5.0 / 36.0 + SQRT_15 / 24.0, 2.0 / 9.0, 5.0 / 36.0 - SQRT_15 / 24.0],
                [5.0 / 36.0 + SQRT_15 / 30.0, 2.0 / 9.0 + SQRT_15 / 15.0, 5.0 / 36.0],
            ],
            b: [5.0 / 18.0, 4.0 / 9.0, 5.0 / 18.0],
            c: [0.5 - SQRT_15 / 10.0, 0.5, 0.5 + SQRT_15 / 10.0],
        }),
        _ => panic!("Gauss's methods have 2 or 3 stages here; that of one stage is the implicit midpoint rule"),
    }
}

/// The lower triangle T of A = T U, ones on the diagonal of U.
const fn triangle<const S: usize>(a: &[[f64; S]; S]) -> [[f64; S]; S] {
    let (mut t, mut u) = ([[0.0; S]; S], [[0.0; S]; S]);
    let mut j = 0;
    while j < S {
        let mut i = 0;
        while i < S {
            let (mut rest, mut k) = (a[i][j], 0);
            while k < j && k < i {
                rest -= t[i][k] * u[k][j];
                k += 1;
            }
            if i < j {
                u[i][j] = rest / t[i][i];
            } else {
                t[i][j] = rest;
            }
            i += 1;
        }
        j += 1;
    }
    t
}

/// Gauss's method of S stages and order 2 S, S = 2 or 3, with a fixed step: see [`Gauss4`] and [`Gauss6`].
///
/// - It is symmetric in time, A-stable, and symplectic for Hamiltonian systems in canonical coordinates. It conserves quadratic invariants of
///   (q, v), such as the norm of quaternions and the energy and |L| of a free body, to round-off at any step.
/// - [`GaussRungeKutta::new`] solves the stages together by Newton's method with the exact 1 − h A ⊗ ∂f/∂x of
///   [`Differentiable::state_jacobian`], or stage after stage by [`Differentiable::correct_stage`], for any stiffness. Secants approximate
///   the derivatives of a law of inputs, and of Baumgarte's correction. [`GaussRungeKutta::without_derivatives`] uses secants alone, for any
///   mechanism: it converges with a few stiff directions, and many cause [`Error::NotConverged`].
/// - With constraint rows, the accelerations of f satisfy G a = γ at every stage, and the state after a step is stabilised by
///   [`Stabilization::SymmetricProjection`] unless another is chosen. [`Stabilization::Projection`] takes fewer evaluations, and violates the
///   symmetry by the size of the projection, O(h²ˢ⁺¹).
/// - The work space is storage of the mechanism, with S² + S + 1 Jacobians for Newton's method.
///
/// # Source
/// Hairer, Lubich & Wanner (2006), Geometric Numerical Integration, §II.1.3 (coefficients), theorem IV.2.1
/// (invariants), §V.2.1 (symmetry), §V.4.1 (symmetric projection).
pub struct GaussRungeKutta<M: Mechanism<T>, T: Real, const S: usize, W> {
    /// Longest step of [`Stepper::advance_to`] \[s\], > 0.
    pub h: T,
    /// Largest number of iterations per solution of the stages, S evaluations each; unless changed 20 with Newton's method, 60 without.
    pub iterations: usize,
    next: State<M, T>,
    collocation: Collocation<M, T, S>,
    iteration: Iteration<M, T, W, S>,
    shift: Shift<M, T>,
}

/// Gauss's method of two stages: order 4, c = ½ ∓ √3/6.
///
/// # Source
/// That of [`GaussRungeKutta`].
pub type Gauss4<M, T = f64, W = GaussDerivatives<M, T, 2>> = GaussRungeKutta<M, T, 2, W>;

/// Gauss's method of three stages: order 6, c = ½ ∓ √15/10 and ½.
///
/// # Source
/// That of [`GaussRungeKutta`].
pub type Gauss6<M, T = f64, W = GaussDerivatives<M, T, 3>> = GaussRungeKutta<M, T, 3, W>;

impl<M: Differentiable<T>, T: Real, const S: usize> GaussRungeKutta<M, T, S, GaussDerivatives<M, T, S>> {
    /// The integrator with steps of at most `h` \[s\], solved by Newton's method.
    pub fn new(mechanism: &M, h: T) -> Self {
        Self::with_derivatives_of(mechanism, h)
    }
}

impl<M, D, T: Real, const S: usize> GaussRungeKutta<M, T, S, GaussDerivatives<D, T, S>>
where
    M: Mechanism<T> + Borrow<D>,
    D: Differentiable<T>,
{
    /// Integrator for a mechanism that wraps one with derivatives, `D`, and adds loads without derivatives: Newton's method uses the derivatives
    /// of `D`, and secants replace those of the loads.
    pub fn with_derivatives_of(mechanism: &M, h: T) -> Self {
        Self::with_derivatives(mechanism, h, GaussDerivatives::new(mechanism.borrow()))
    }
}

impl<M: Mechanism<T>, T: Real, const S: usize> GaussRungeKutta<M, T, S, NoDerivatives> {
    /// The integrator with steps of at most `h` \[s\], solved by fixed-point iteration with secants.
    pub fn without_derivatives(mechanism: &M, h: T) -> Self {
        Self::with_derivatives(mechanism, h, NoDerivatives)
    }
}

impl<M, T: Real, W, const S: usize> GaussRungeKutta<M, T, S, W>
where
    M: Mechanism<T>,
    W: StageDerivatives<M, T, Collocation<M, T, S>, S>,
{
    fn with_derivatives(mechanism: &M, h: T, derivatives: W) -> Self {
        let mut collocation = Collocation::new(mechanism);
        collocation.evaluation.stabilization = Stabilization::SymmetricProjection;
        GaussRungeKutta {
            h,
            iterations: W::ITERATIONS,
            next: State::new(mechanism),
            collocation,
            iteration: Iteration::new(mechanism, derivatives),
            shift: Shift::new(mechanism),
        }
    }

    /// Returns the integrator with this stabilisation instead of symmetric projection.
    #[must_use]
    pub fn with_stabilization(mut self, stabilization: Stabilization<T>) -> Self {
        self.collocation.evaluation.stabilization = stabilization;
        self
    }

    fn step_to(
        &mut self,
        mechanism: &M,
        state: &mut State<M, T>,
        inputs: &mut Inputs<T>,
        t: T,
        h: T,
    ) -> Result<(), Error<T>> {
        state.check_like(&self.next)?;
        self.collocation.begin(state, h);
        for stage in &mut self.iteration.unknowns {
            stage.copy_from(state.v.as_ref(), state.z.as_ref());
        }
        let stabilization = self.collocation.evaluation.stabilization;
        if stabilization == Stabilization::SymmetricProjection && mechanism.sizes().n_velocity > 0 {
            self.solve_symmetrically(mechanism, state, inputs, t, h)?;
        } else {
            self.iteration.solve(mechanism, &mut self.collocation, inputs, self.iterations)?;
            self.collocation.write_end(&mut self.next);
            self.next.t = t;
            self.collocation.evaluation.settle(mechanism, state, &mut self.next)?;
        }
        state.copy_from(&self.next);
        self.collocation.evaluation.statistics.accept();
        Ok(())
    }
}

/// Equations 1 and 2 of the module header.
pub struct Collocation<M: Mechanism<T>, T: Real, const S: usize> {
    start: State<M, T>,
    h: T,
    /// (t, q, v, z)_i of the stages; f_i, inputs and multipliers there follow.
    stages: [State<M, T>; S],
    rates: [Rates<M, T>; S],
    inputs: [M::Inputs; S],
    multipliers: [M::Multipliers; S],
    placed: M::Coordinates,
    evaluation: Evaluation<M, T>,
}

impl<M: Mechanism<T>, T: Real, const S: usize> Collocation<M, T, S> {
    /// A constant, so that weights are immediate.
    const TABLEAU: Tableau<S> = tableau();
    const TRIANGLE: [[f64; S]; S] = triangle(&Self::TABLEAU.a);

    fn new(mechanism: &M) -> Self {
        let (placed, _, multipliers, _, inputs, _) = mechanism.storage();
        Collocation {
            start: State::new(mechanism),
            h: T::ZERO,
            stages: core::array::from_fn(|_| State::new(mechanism)),
            rates: core::array::from_fn(|_| Rates::new(mechanism)),
            inputs: core::array::from_fn(|_| inputs.clone()),
            multipliers: core::array::from_fn(|_| multipliers.clone()),
            placed,
            evaluation: Evaluation::new(mechanism),
        }
    }

    fn begin(&mut self, state: &State<M, T>, h: T) {
        self.start.copy_from(state);
        self.h = h;
        for (stage, c) in self.stages.iter_mut().zip(Self::TABLEAU.c) {
            stage.copy_from(state);
            stage.t = state.t + T::from_f64(c) * h;
        }
    }

    /// Solves equations 1 for the coordinates of the stages.
    fn solve_coordinates(&mut self, mechanism: &M) -> Result<(), Error<T>> {
        repeated(PLACEMENTS, self.start.t, || {
            for (stage, rates) in self.stages.iter().zip(&mut self.rates) {
                mechanism.coordinate_rates(stage.t, stage.q.as_ref(), stage.v.as_ref(), rates.q.as_mut());
            }
            self.update_coordinates()
        })
    }

    /// One pass of equations 1 with the present rates. Returns the largest change relative to the size of the coordinates.
    fn update_coordinates(&mut self) -> T {
        let placed = self.placed.as_mut();
        let (mut change, mut size) = (T::ZERO, T::ZERO);
        for (stage, weights) in self.stages.iter_mut().zip(&Self::TABLEAU.a) {
            placed.copy_from_slice(self.start.q.as_ref());
            for (weight, rates) in weights.iter().zip(&self.rates) {
                add_scaled(placed, T::from_f64(*weight) * self.h, rates.q.as_ref());
            }
            size = size.max(max_norm(placed));
            for (q, placed) in stage.q.as_mut().iter_mut().zip(placed.iter_mut()) {
                let moved = *placed - *q;
                *q = core::mem::replace(placed, moved);
            }
            change = change.max(max_norm(placed));
        }
        // Relative to the larger of size and change, so that 0/0 counts as 0.
        ratio(change, size.max(change))
    }

    /// Writes x⁺ of equation 3 to `end`, without time.
    fn write_end(&self, end: &mut State<M, T>) {
        combine(end, &self.start, self.h, &Self::TABLEAU.b, &self.rates);
    }
}

impl<M: Mechanism<T>, T: Real, const S: usize> Equations<M, T, S> for Collocation<M, T, S> {
    fn image(
        &mut self,
        mechanism: &M,
        inputs: &mut Inputs<T>,
        unknowns: &[Stage<M, T>; S],
        image: &mut [Stage<M, T>; S],
    ) -> Result<(), Error<T>> {
        for (stage, unknowns) in self.stages.iter_mut().zip(unknowns) {
            stage.v.as_mut().copy_from_slice(unknowns.v.as_ref());
            stage.z.as_mut().copy_from_slice(unknowns.z.as_ref());
        }
        self.solve_coordinates(mechanism)?;
        let given = self.inputs.iter_mut().zip(&mut self.multipliers);
        for ((stage, rates), (u, lambda)) in self.stages.iter().zip(&mut self.rates).zip(given) {
            self.evaluation.rates(mechanism, stage, inputs, rates)?;
            u.as_mut().copy_from_slice(self.evaluation.inputs());
            lambda.as_mut().copy_from_slice(self.evaluation.multipliers());
        }
        for (image, weights) in image.iter_mut().zip(&Self::TABLEAU.a) {
            image.copy_from(self.start.v.as_ref(), self.start.z.as_ref());
            for (weight, rates) in weights.iter().zip(&self.rates) {
                image.add_scaled(T::from_f64(*weight) * self.h, rates.v.as_ref(), rates.z.as_ref());
            }
        }
        Ok(())
    }

    fn measure(&self, mechanism: &M, image: &[Stage<M, T>; S], residual: &[Stage<M, T>; S]) -> [T; 2] {
        relative_sizes(mechanism, &self.start, self.h, image, residual)
    }

    fn time(&self) -> T {
        self.stages[0].t
    }
}

impl<M, T: Real, W, const S: usize> Stepper<M, T> for GaussRungeKutta<M, T, S, W>
where
    M: Mechanism<T>,
    W: StageDerivatives<M, T, Collocation<M, T, S>, S>,
{
    const ORDER: usize = 2 * S;

    steps_of_equal_length!();

    fn statistics(&self) -> Statistics {
        self.collocation.evaluation.statistics
    }
}
