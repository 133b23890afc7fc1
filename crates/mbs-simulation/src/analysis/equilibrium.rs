//! Equilibria: states at rest in which loads balance each other.

mod error;
mod here;
mod search;

pub use error::NoEquilibrium;

use mbs_core::{Describe, Differentiable, State, assemble_positions};
use search::{Aim, Search};

/// Statics: searches for a nearby state in which a mechanism stays at rest, v = 0 with v̇ = 0 and ż = 0.
///
/// ```
/// # use mbs::{Differentiable, FullMechanism, analysis::Statics};
/// # fn hang(mechanism: &(impl Differentiable + FullMechanism)) -> Result<(), Box<dyn std::error::Error>> {
/// let equilibrium = Statics::new(mechanism).stable().solve()?;
/// println!("after {} iterations: {:?}", equilibrium.iterations, equilibrium.state);
/// # Ok(())
/// # }
/// ```
///
/// - It takes every [`Differentiable`] mechanism: declared ones with `kernels: [linearization]`.
/// - Time is fixed: motions that drives and other position rows prescribe are fixed at their positions at `t`, whatever their speeds. A row that
///   prescribes an acceleration at `t` excludes rest ([`NoEquilibrium::Moving`]), and so does a velocity row that prescribes a speed
///   ([`NoEquilibrium::Running`]). A coordinate that is no unknown of the tree because it is `prescribe`d keeps its motion; the result is then rest
///   relative to it.
/// - Each iteration takes exact derivatives in the directions that the rows admit, makes the step of least kinetic norm (½ Σ m |δp|²,
///   so that neutral degrees of freedom are not moved), and projects positions onto the rows. Steps are at most 0.3 of the
///   mechanism's size, or 0.3 rad.
/// - Discrete variables and inputs are fixed.
///
/// Defaults: the declared pose, with `initial` positions; t = 0, inputs zero; the nearest equilibrium, stable or not.
///
/// # Source
/// Nearest equilibrium: Deuflhard (2011), Newton Methods for Nonlinear Problems, §3.3 (natural monotonicity test), with the pseudo-inverse where
/// derivatives are singular. Stable equilibrium: Nocedal & Wright (2006), §3.4 (modified Newton by |eigenvalues|), as derived in `search.rs`.
pub struct Statics<'m, M: Differentiable> {
    mechanism: &'m M,
    initial: Option<State<M>>,
    time: Option<f64>,
    inputs: Vec<f64>,
    aim: Aim,
}

/// A state at rest.
#[non_exhaustive]
pub struct Equilibrium<M: Differentiable> {
    /// The state; v = 0.
    pub state: State<M>,
    /// Inputs u that it was found for, n_u.
    pub inputs: Vec<f64>,
    /// Multipliers λ, n_c: loads of drives are −λ.
    pub multipliers: Vec<f64>,
    /// Largest remaining |v̇|, |ż| and |ψ|, in units of the coordinates.
    pub residual: f64,
    /// Number of iterations.
    pub iterations: usize,
    /// Largest |v̇|, |ż| and |ψ| before each iteration and after the last.
    pub residuals: Vec<f64>,
}

impl<'m, M: Differentiable + Describe> Statics<'m, M> {
    /// The equilibrium near the declared pose of a mechanism.
    pub fn new(mechanism: &'m M) -> Self {
        let inputs = vec![0.0; mechanism.sizes().n_u];
        Statics { mechanism, initial: None, time: None, inputs, aim: Aim::Nearest }
    }

    /// Starts from another pose, at its time. It is projected onto the rows by the least correction. Its speeds are not read, and
    /// declared `initial` conditions are not imposed.
    #[must_use]
    pub fn initial(mut self, state: State<M>) -> Self {
        self.initial = Some(state);
        self
    }

    /// Sets the time \[s\], instead of that of the initial state.
    #[must_use]
    pub fn time(mut self, t: f64) -> Self {
        self.time = Some(t);
        self
    }

    /// Sets the inputs u, n_u values.
    #[must_use]
    pub fn inputs(mut self, u: &[f64]) -> Self {
        self.inputs = u.to_vec();
        self
    }

    /// Searches for a stable equilibrium: follows the loads in the direction of decreasing potential, also where there is no stiffness, as with slack
    /// cables, and leaves an unstable equilibrium where it finds one. Unless called, the nearest is found, stable or not.
    #[must_use]
    pub fn stable(mut self) -> Self {
        self.aim = Aim::Stable;
        self
    }

    /// Solves for the equilibrium.
    ///
    /// # Errors
    /// [`NoEquilibrium`], with the names of the declaration.
    pub fn solve(self) -> Result<Equilibrium<M>, NoEquilibrium> {
        let Statics { mechanism, initial, time, inputs, aim } = self;
        let is_declared = initial.is_none();
        let mut state = initial.unwrap_or_else(|| State::new(mechanism));
        state.t = time.unwrap_or(state.t);
        if is_declared {
            assemble_positions(mechanism, &mut state).map_err(NoEquilibrium::Run)?;
        }
        Search::new(mechanism, inputs, aim)?.run(state)
    }
}
