//! Discrete dynamics x⁺ = f(x, u, h) and their derivatives, for control and estimation.
//!
//! The state x = (q, v, z) has n_x values, an error state δx = (δθ, δv, δz) n_e = 2 n_v + n_z: δθ in the space of speeds, so
//! that attitudes have three directions and not four. With N of q̇ = N v and its left inverse N⁺,
//!
//! 1. x ⊕ δx = (normalised q + N(q) δθ, v + δv, z + δz), to first order δq = N δθ;
//! 2. x ⊖ y = (N⁺(q_y) (q_x − q_y), v_x − v_y, z_x − z_y), to first order δθ = N⁺ δq;
//! 3. f(x ⊕ δx, u + δu) ⊖ f(x, u) = A δx + B δu + second order.
//!
//! Derivatives are propagated through a step in raw coordinates, as n_e + n_u columns S = ∂(q, v, z)/∂(δx, u) that begin as \[E 0\],
//! E = diag(N, 1, 1), and are finally multiplied by diag(N⁺, 1, 1), after the derivative of the normalisation.

mod error_state;
mod explicit;
mod implicit;
pub(crate) mod linearization;

pub use linearization::{Linearization, error_jacobian};

use crate::integrators::evaluation::{Evaluation, Rates};
use crate::{Differentiable, Error, Real, Stabilization, State, StateView};

/// The scheme of a discrete step: each is the integrator of the same name, which states its source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scheme {
    /// [`ExplicitEuler`](crate::ExplicitEuler): order 1, one evaluation.
    ExplicitEuler,
    /// [`Rk2`](crate::Rk2), the explicit midpoint rule: order 2, two evaluations.
    Rk2,
    /// [`Rk3`](crate::Rk3), Kutta's method of order 3: three evaluations.
    Rk3,
    /// [`Rk4`](crate::Rk4), the classical method of order 4: four evaluations.
    Rk4,
    /// [`ImplicitMidpoint`](crate::ImplicitMidpoint), of order 2 and symmetric in time, solved by Newton's method.
    ImplicitMidpoint,
}

impl Scheme {
    /// All schemes.
    pub const ALL: [Scheme; 5] =
        [Scheme::ExplicitEuler, Scheme::Rk2, Scheme::Rk3, Scheme::Rk4, Scheme::ImplicitMidpoint];

    /// Order p: the error of a step is O(hᵖ⁺¹).
    pub const fn order(self) -> usize {
        match self {
            Scheme::ExplicitEuler => 1,
            Scheme::Rk2 | Scheme::ImplicitMidpoint => 2,
            Scheme::Rk3 => 3,
            Scheme::Rk4 => 4,
        }
    }
}

/// x⁺ = f(x, u, h) of one scheme, with A = ∂x⁺/∂x and B = ∂x⁺/∂u; u is constant over the step.
///
/// - x⁺ is that of the integrator of the same name, with the same tableau and the same order of operations: to the bit for
///   explicit schemes, to round-off for the implicit one. Coordinates are normalised, constraint rows are not projected
///   ([`Stabilization::None`](crate::Stabilization::None)): [`project`](crate::project) x⁺ where they drift.
/// - A is n_e × n_e and B n_e × n_u, row-major, on the error state δx = (δθ, δv, δz), n_e = 2 n_v + n_z
///   ([`Sizes::n_e`](crate::Sizes::n_e)): x ⊕ δx is [`State::displace`], x⁺ ⊖ y⁺ is [`State::displacement`] to first order. In
///   the plane n_e = n_x, and δx is the change of x. Derivatives are exact; h and t are fixed, and q is taken as normalised.
/// - It contains work space for one mechanism, eight matrices of n_x × (n_x + n_u): steps allocate nothing.
///
/// # Example
/// A pendulum with a motor; declared mechanisms have [`Differentiable`] generated.
/// ```
/// # use mbs_core::{Differentiable, Error, Mechanism, Sizes, StateView};
/// use mbs_core::{Discrete, State};
/// # struct Pendulum;
/// # impl Mechanism for Pendulum {
/// #     type Coordinates = [f64; 1];
/// #     type Speeds = [f64; 1];
/// #     type Multipliers = [f64; 0];
/// #     type Auxiliary = [f64; 0];
/// #     type Inputs = [f64; 1];
/// #     type Scratch = [f64; 0];
/// #     fn sizes(&self) -> Sizes { Sizes { n_q: 1, n_v: 1, n_u: 1, ..Sizes::default() } }
/// #     fn storage(&self) -> ([f64; 1], [f64; 1], [f64; 0], [f64; 0], [f64; 1], [f64; 0]) {
/// #         ([0.0], [0.0], [], [], [0.0], [])
/// #     }
/// #     fn guess(&self, q: &mut [f64], _: &mut [f64], _: &mut [f64]) { q[0] = 0.3; }
/// #     fn accelerations(&self, at: StateView, a: &mut [f64], _: &mut [f64]) -> Result<(), Error> {
/// #         a[0] = at.u[0] - 9.81 * at.q[0].sin();
/// #         Ok(())
/// #     }
/// #     fn solve(&self, _: StateView, f: &[f64], _: &[f64], x: &mut [f64], _: &mut [f64]) -> Result<(), Error> {
/// #         x[0] = f[0];
/// #         Ok(())
/// #     }
/// #     fn position_residuals(&self, _: StateView, _: &mut [f64]) {}
/// #     fn velocity_residuals(&self, _: StateView, _: &mut [f64]) {}
/// # }
/// # impl Differentiable for Pendulum {
/// #     type Jacobian = [f64; 6];
/// #     fn jacobian_storage(&self) -> [f64; 6] { [0.0; 6] }
/// #     fn state_jacobian(&self, at: StateView, jacobian: &mut [f64]) -> Result<(), Error> {
/// #         jacobian.copy_from_slice(&[0.0, 1.0, 0.0, -9.81 * at.q[0].cos(), 0.0, 1.0]);
/// #         Ok(())
/// #     }
/// #     fn acceleration_jacobian(&self, at: StateView, a: &mut [f64], l: &mut [f64], j: &mut [f64]) -> Result<(), Error> {
/// #         j.copy_from_slice(&[-9.81 * at.q[0].cos(), 0.0, 1.0]);
/// #         self.accelerations(at, a, l)
/// #     }
/// # }
/// # fn main() -> Result<(), Error> {
/// let x = State::new(&Pendulum);
/// let mut rk4 = Discrete::rk4(&Pendulum, 0.05);
/// let (mut next, mut a, mut b) = (x.clone(), [0.0; 4], [0.0; 2]);
/// rk4.linearize(&Pendulum, &x, &[0.2], &mut next, &mut a, &mut b)?;
/// // To second order in h, A = 1 + h ∂f/∂x + …, B = h ∂f/∂u + ….
/// assert!((a[1] - 0.05).abs() < 1e-3 && (b[1] - 0.05).abs() < 1e-3);
/// # Ok(())
/// # }
/// ```
pub struct Discrete<M: Differentiable<T>, T: Real = f64> {
    /// Step h \[s\], which may be negative.
    pub h: T,
    /// Largest number of iterations of Newton's method in an implicit step; 20 unless changed.
    pub iterations: usize,
    scheme: Scheme,
    flow: Flow<M, T>,
    linearization: Linearization<M, T>,
    columns: Columns<M, T>,
}

/// Work space of a step without derivatives.
struct Flow<M: Differentiable<T>, T: Real> {
    /// The state of a stage, or the midpoint.
    stage: State<M, T>,
    rates: [Rates<M, T>; 4],
    evaluation: Evaluation<M, T>,
}

/// Work space of derivatives, in addition to a [`Linearization`].
struct Columns<M: Differentiable<T>, T: Real> {
    stage: M::Jacobian,
    rates: [M::Jacobian; 4],
}

impl<M: Differentiable<T>, T: Real> Discrete<M, T> {
    /// A scheme with steps of `h` \[s\].
    pub fn new(mechanism: &M, scheme: Scheme, h: T) -> Self {
        let mut evaluation = Evaluation::new(mechanism);
        evaluation.stabilization = Stabilization::None;
        let rates = core::array::from_fn(|_| Rates::new(mechanism));
        let matrices = core::array::from_fn(|_| mechanism.jacobian_storage());
        Discrete {
            h,
            iterations: 20,
            scheme,
            flow: Flow { stage: State::new(mechanism), rates, evaluation },
            linearization: Linearization::new(mechanism),
            columns: Columns { stage: mechanism.jacobian_storage(), rates: matrices },
        }
    }

    /// Explicit Euler with steps of `h` \[s\].
    pub fn explicit_euler(mechanism: &M, h: T) -> Self {
        Self::new(mechanism, Scheme::ExplicitEuler, h)
    }

    /// The explicit midpoint rule with steps of `h` \[s\].
    pub fn rk2(mechanism: &M, h: T) -> Self {
        Self::new(mechanism, Scheme::Rk2, h)
    }

    /// Kutta's method of order 3 with steps of `h` \[s\].
    pub fn rk3(mechanism: &M, h: T) -> Self {
        Self::new(mechanism, Scheme::Rk3, h)
    }

    /// The classical Runge–Kutta method with steps of `h` \[s\].
    pub fn rk4(mechanism: &M, h: T) -> Self {
        Self::new(mechanism, Scheme::Rk4, h)
    }

    /// The implicit midpoint rule with steps of `h` \[s\].
    pub fn implicit_midpoint(mechanism: &M, h: T) -> Self {
        Self::new(mechanism, Scheme::ImplicitMidpoint, h)
    }

    /// The scheme of the steps.
    pub fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// Writes x⁺ = f(x, u, h) to `next`; `u` is n_u. After an error `next` has no meaning.
    ///
    /// # Errors
    /// [`Error::Size`]; those of [`Mechanism::accelerations`](crate::Mechanism::accelerations). The implicit scheme, which evaluates
    /// [`Differentiable::state_jacobian`] in each iteration, also returns [`Error::NotConverged`], [`Error::NotFinite`] and
    /// [`Error::Singular`], as described at [`Discrete::linearize`].
    pub fn step(&mut self, mechanism: &M, x: &State<M, T>, u: &[T], next: &mut State<M, T>) -> Result<(), Error<T>> {
        check_sizes(&[(mechanism.sizes().n_u, u.len())])?;
        self.check_states([x, next])?;
        match self.scheme.explicit() {
            Some(method) => self.step_explicitly(mechanism, method, x, u, next),
            None => self.solve_midpoint(mechanism, x, u, next),
        }
    }

    /// Writes x⁺ = f(x, u, h) to `next`, A = ∂x⁺/∂x (n_e × n_e) to `a` and B = ∂x⁺/∂u (n_e × n_u) to `b`, both row-major on
    /// error states.
    ///
    /// Cost per stage: one evaluation of the rates, one of [`Differentiable::state_jacobian`] and a product of it with
    /// n_e + n_u columns; the implicit scheme takes its iterations, an elimination and two products.
    ///
    /// # Errors
    /// Those of [`Discrete::step`]. [`Error::Singular`] of the implicit scheme, where x⁺ has no derivative (a step that is too
    /// long): row i is speed i, whose displacement or change has no pivot, and n_v + n_c + i is auxiliary state i.
    pub fn linearize(
        &mut self,
        mechanism: &M,
        x: &State<M, T>,
        u: &[T],
        next: &mut State<M, T>,
        a: &mut [T],
        b: &mut [T],
    ) -> Result<(), Error<T>> {
        let sizes = mechanism.sizes();
        let n_e = sizes.n_e();
        check_sizes(&[(sizes.n_u, u.len()), (n_e * n_e, a.len()), (n_e * sizes.n_u, b.len())])?;
        self.check_states([x, next])?;
        match self.scheme.explicit() {
            Some(method) => self.linearize_explicitly(mechanism, method, x, u, next, (a, b)),
            None => {
                self.solve_midpoint(mechanism, x, u, next)?;
                self.linearize_midpoint(mechanism, u, (a, b))
            }
        }
    }

    /// Checks that both are states of the mechanism.
    ///
    /// # Errors
    /// [`Error::Size`].
    fn check_states(&self, states: [&State<M, T>; 2]) -> Result<(), Error<T>> {
        states.iter().try_for_each(|state| state.check_like(&self.flow.stage))
    }
}

impl<M: Differentiable<T>, T: Real> Flow<M, T> {
    /// Writes the rates at the stage with inputs u to the i-th of the rates.
    #[inline]
    fn evaluate(&mut self, mechanism: &M, u: &[T], i: usize) -> Result<(), Error<T>> {
        let mut constant = |_: StateView<T>, inputs: &mut [T]| inputs.copy_from_slice(u);
        self.evaluation.rates(mechanism, &self.stage, &mut constant, &mut self.rates[i])
    }
}

/// Checks lengths, as pairs (expected, found).
///
/// # Errors
/// [`Error::Size`] with the first pair that differs.
fn check_sizes<T: Real>(lengths: &[(usize, usize)]) -> Result<(), Error<T>> {
    match lengths.iter().find(|(expected, found)| expected != found) {
        Some(&(expected, found)) => Err(Error::Size { expected, found }),
        None => Ok(()),
    }
}
