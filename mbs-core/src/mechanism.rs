//! The contract between mechanisms and everything that moves them.

mod quantities;
mod rows;

pub use quantities::{Condition, Energy, Item, Level, Placement, Pose, Reaction, RowKind, Sizes, StateView};

use crate::{Error, Real};

/// Storage of one mechanism-sized vector: `[T; N]` in generated types, `Box<[T]>` in the engine.
pub trait Storage<T>: AsRef<[T]> + AsMut<[T]> + Clone {}

impl<T, S: AsRef<[T]> + AsMut<[T]> + Clone> Storage<T> for S {}

/// Residuals of a state and the corrections that remove them to first order; see [`Mechanism::corrections`].
#[derive(Debug)]
pub struct Corrections<'a, T = f64> {
    /// Φ(q), n_position values.
    pub phi: &'a mut [T],
    /// The least displacement δ with G δ = −Φ in position rows and G δ = 0 in the others, n_v values.
    pub displacement: &'a mut [T],
    /// Φ after this displacement, to second order: ½ (∂(G δ)/∂q) N δ, n_position values.
    pub remainder: &'a mut [T],
    /// ψ after this displacement, to first order: ψ + (∂ψ/∂q) N δ, n_velocity values.
    pub psi: &'a mut [T],
    /// The least change x of speeds with G x = −ψ, n_v values.
    pub speeds: &'a mut [T],
}

/// A mechanism in numbers: M a + Gᵀ λ = Q, G a = γ, with q̇ = N(q) v.
///
/// Generated types, the engine and hand-written types implement it; integrators, assembly, projection and kinematics need nothing else. Names
/// and drawings are [`Describe`](crate::Describe), events [`Eventful`](crate::Eventful), momenta [`Momenta`](crate::Momenta); simulations need
/// all of them, [`FullMechanism`](crate::FullMechanism). Every slice has the length that [`Sizes`] states; outputs are overwritten unless a
/// method states otherwise. Quantities are in SI units, angles in rad.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a mechanism",
    label = "not a mechanism",
    note = "mechanisms are what `mechanism! {{ … }}` makes, by `FourBar::new(params)?`, what `Engine` loads, and types that implement `Mechanism`"
)]
pub trait Mechanism<T: Real = f64> {
    /// Storage of q, n_q values.
    type Coordinates: Storage<T>;
    /// Storage of v, a and generalised forces, n_v values.
    type Speeds: Storage<T>;
    /// Storage of λ and residuals, n_c values.
    type Multipliers: Storage<T>;
    /// Storage of z: the n_z auxiliary states, followed by the memories that [`Mechanism::remember`] updates, if there are any. A view of a
    /// state may omit the memories; they count as zero then.
    type Auxiliary: Storage<T>;
    /// Storage of u, n_u values.
    type Inputs: Storage<T>;
    /// Scratch of assembly and of events: at least n (n_v + n + 2) values, n the larger of n_conditions and the most conditions of
    /// one event, and 4 n_events values.
    type Scratch: Storage<T>;

    /// Numbers of coordinates, speeds, rows and other items.
    fn sizes(&self) -> Sizes;

    /// Zeroed storage for q, v, λ, z, u and scratch, in this order.
    #[allow(clippy::type_complexity)] // the six associated types, once
    fn storage(
        &self,
    ) -> (Self::Coordinates, Self::Speeds, Self::Multipliers, Self::Auxiliary, Self::Inputs, Self::Scratch);

    /// Writes the guess of the initial state: the declared poses, assembled at default parameters, and the declared rates. It does not depend on
    /// the parameters; [`State::new`](crate::State::new) adapts it to them.
    fn guess(&self, q: &mut [T], v: &mut [T], z: &mut [T]);

    /// Accelerations a (n_v) and multipliers λ (n_c) from M a + Gᵀ λ = Q, G a = γ. The generalised forces of the constraints on the motion
    /// are −Gᵀ λ.
    ///
    /// # Errors
    /// [`Error::Singular`] with the row whose pivot vanishes.
    fn accelerations(&self, at: StateView<T>, a: &mut [T], lambda: &mut [T]) -> Result<(), Error<T>>;

    /// Solves M x + Gᵀ μ = f, G x = g with the factorisation of the accelerations: f and x have n_v values, g and μ n_c.
    /// A mechanism without any mass solves with M = 1. Inputs are not read, nor are speeds unless
    /// [`Mechanism::jacobian_reads_speeds`].
    ///
    /// # Errors
    /// [`Error::Singular`] with the row whose pivot vanishes.
    fn solve(&self, at: StateView<T>, f: &[T], g: &[T], x: &mut [T], mu: &mut [T]) -> Result<(), Error<T>>;

    /// Writes the corrections of positions and speeds that a projection needs after a step, from one evaluation; returns whether it did.
    ///
    /// Both solve M y + Gᵀ μ = 0 with the factorisation of the accelerations, as [`Mechanism::solve`] does, with G at the given positions.
    /// Projections make them with separate evaluations where this returns `false` or an error, as the default does, and where corrections
    /// are not small. Never called where [`Mechanism::jacobian_reads_speeds`].
    ///
    /// # Errors
    /// [`Error::Singular`] with the row whose pivot vanishes.
    #[inline]
    fn corrections(&self, at: StateView<T>, corrections: Corrections<'_, T>) -> Result<bool, Error<T>> {
        let _ = (at, corrections);
        Ok(false)
    }

    /// Residuals Φ(q, t, z) of the position rows, n_position values: first end of a joint minus second, left side of an equation minus right.
    /// Neither speeds nor inputs are read.
    fn position_residuals(&self, at: StateView<T>, phi: &mut [T]);

    /// Residuals ψ = G v − ν of the position and velocity rows, n_velocity values; for rows that are not affine in speeds, ψ(q, v, t, z).
    /// Inputs are not read.
    fn velocity_residuals(&self, at: StateView<T>, psi: &mut [T]);

    /// G = ∂ψ/∂v of the position and velocity rows, n_velocity × n_v values, row-major.
    ///
    /// Where ψ is affine in v, speeds are not read. The default takes columns ψ(e_i) − ψ(0) from n_v + 1 evaluations, which is exact then.
    fn constraint_jacobian(&self, at: StateView<T>, jacobian: &mut [T]) {
        rows::constraint_jacobian(self, at, jacobian);
    }

    /// H(μ), n_v × n_v values, row-major: the derivative of (Gᵀ μ)_i in the direction of the displacement N(q) e_j, with speeds, time, states and μ
    /// (n_c) fixed. With μ = λ it is ∂(Gᵀ λ)/∂q; if μ is nonzero at one row alone, it is the Hessian of that row times μ.
    ///
    /// For position rows it is Σ_r μ_r ∂²Φ_r/∂q², symmetric where q̇ = v. Rows of velocities and of accelerations contribute the derivatives of
    /// their rows in G, and those are not symmetric. Inputs are not read, nor are speeds unless [`Mechanism::jacobian_reads_speeds`].
    ///
    /// # Errors
    /// [`Error::MissingKernel`] unless implemented; the engine returns [`Error::NotFinite`] where a function gives too few derivatives.
    fn constraint_hessian(&self, at: StateView<T>, mu: &[T], hessian: &mut [T]) -> Result<(), Error<T>> {
        let _ = (at, mu, hessian);
        Err(Error::MissingKernel { kernel: "hessians" })
    }

    /// Gᵀ λ (n_v) of the position and velocity rows: the negative of their generalised forces, M a = Q − Gᵀ λ.
    ///
    /// Where ψ is affine in v, speeds are not read. The default takes n_v + 1 evaluations of ψ, which is exact then.
    fn constraint_forces(&self, at: StateView<T>, lambda: &[T], forces: &mut [T]) {
        rows::constraint_forces(self, at, lambda, forces);
    }

    /// Whether G depends on speeds: a velocity row is not affine in them, or a row of accelerations has coefficients that depend on them. Then
    /// [`Mechanism::solve`] reads speeds, and velocities are projected by Newton's method.
    fn jacobian_reads_speeds(&self) -> bool {
        false
    }

    /// q̇ = N(q) v, n_q values. N = 1 unless written, which needs n_q = n_v.
    fn coordinate_rates(&self, t: T, q: &[T], v: &[T], rates: &mut [T]) {
        let _ = (t, q);
        rates.copy_from_slice(v);
    }

    /// q ← q ⊕ δ with δ (n_v) in the space of speeds: q + N(q) δ, then normalised. `rates` is n_q values of work space.
    ///
    /// Assembly and projection move coordinates by it. The default needs [`Mechanism::coordinate_rates`] and
    /// [`Mechanism::normalize`] alone, and is right for any N.
    fn retract(&self, t: T, q: &mut [T], delta: &[T], rates: &mut [T]) {
        self.coordinate_rates(t, q, delta, rates);
        for (q, rate) in q.iter_mut().zip(rates) {
            *q += *rate;
        }
        self.normalize(q);
    }

    /// Restores invariants of the coordinates, such as the length of unit quaternions. The default does nothing.
    fn normalize(&self, q: &mut [T]) {
        let _ = q;
    }

    /// Updates the memories in `z`, the entries of [`Mechanism::Auxiliary`] after the n_z auxiliary states, to q.
    ///
    /// Coordinates that are positions and directions alone do not determine the number of revolutions of an angle, nor the sign of a quaternion.
    /// Outputs of such angles and quaternions are the values nearest to the memories, and this method sets the memories to the
    /// values nearest to them. Zeros give principal values: angles in (−π, π\], quaternions with e0 ≥ 0.
    ///
    /// Steppers, [`assemble`](crate::assemble), [`Tracker`](crate::Tracker) and handlers of events call it for every state that they
    /// write, so that angles count revolutions and quaternions keep their sign in a run, also over many revolutions in one step. Accelerations
    /// never read memories. The default does nothing.
    fn remember(&self, t: T, q: &[T], z: &mut [T]) {
        let _ = (t, q, z);
    }

    /// ż, n_z values; entries of `rates` after them are not changed.
    fn auxiliary_rates(&self, at: StateView<T>, rates: &mut [T]) {
        let _ = (at, rates);
    }

    /// Generalised forces Q (n_v): applied loads and velocity-quadratic terms.
    fn generalized_forces(&self, at: StateView<T>, forces: &mut [T]) {
        let _ = at;
        forces.fill(T::ZERO);
    }

    /// The part of Q that is quadratic in speeds (n_v): Q without any applied load, −Σ Jᵀ M J̇ v.
    ///
    /// It makes accelerations of least kinetic metric independent of the choice of coordinates. The default is zero, which is right where M is
    /// constant.
    fn velocity_forces(&self, at: StateView<T>, forces: &mut [T]) {
        let _ = at;
        forces.fill(T::ZERO);
    }

    /// Kinetic energy ½ vᵀM v, plus the contribution of prescribed motions, and potential energy \[J\]. The default is zero.
    fn energy(&self, at: StateView<T>) -> Energy<T> {
        let _ = at;
        Energy { kinetic: T::ZERO, potential: T::ZERO }
    }

    /// Output values, n_outputs; `a` (n_v) and `lambda` (n_c) are results of [`Mechanism::accelerations`].
    ///
    /// The load of a prescribed coordinate p that is no unknown is the generalised force in p of inverse dynamics, also at other
    /// accelerations: M_pr a + M_pp p̈ − Q_p + G_pᵀ λ, with r the other coordinates of the formulation. Reactions, and outputs that depend on them,
    /// are defined at accelerations that solve the equations of motion.
    ///
    /// Angles and quaternions that no coordinate gives are the values nearest to the memories in z, or principal values if `at.z` has no memories:
    /// see [`Mechanism::remember`].
    fn outputs(&self, at: StateView<T>, a: &[T], lambda: &[T], outputs: &mut [T]) {
        let _ = (at, a, lambda, outputs);
    }

    /// Reactions of all joints, n_joints; `a` and `lambda` are results of [`Mechanism::accelerations`]. The default is zero.
    fn reactions(&self, at: StateView<T>, a: &[T], lambda: &[T], reactions: &mut [Reaction<T>]) {
        let _ = (at, a, lambda);
        let zero = [T::ZERO; 3];
        reactions.fill(Reaction { point: zero, force: zero, torque: zero });
    }

    /// Poses of all bodies, n_bodies. Neither speeds nor inputs are read. The default writes nothing.
    fn poses(&self, at: StateView<T>, poses: &mut [Pose<T>]) {
        let _ = (at, poses);
    }

    /// Twist Jacobians of all bodies: for each body six rows (v_x, v_y, v_z of its origin, ω_x, ω_y, ω_z, world axes) of
    /// n_v values, row-major. A wrench (F at the origin, τ) on a body adds Jᵀ[F; τ] to the generalised forces. The default writes nothing.
    fn body_jacobians(&self, at: StateView<T>, jacobians: &mut [T]) {
        let _ = (at, jacobians);
    }

    /// `initial` condition i at a state, and the derivative of its residual with respect to the displacement δ (position
    /// level) or v (velocity level), n_v values, written to `gradient`. Conditions of events follow the `initial` ones; their residual is the
    /// observable itself, from which the caller subtracts its target. Guesses that depend on parameters follow those: their residuals are zero at
    /// [`Mechanism::guess`] and default parameters.
    fn initial_condition(&self, condition: usize, at: StateView<T>, gradient: &mut [T]) -> Condition<T> {
        let _ = (condition, at, gradient);
        Condition { residual: T::ZERO, level: Level::Position }
    }
}
