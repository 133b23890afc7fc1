//! One evaluation of the right side of (q, v, z)˙, with stabilisation, and its work space.

use super::{Inputs, Statistics};
use crate::memories::MemoryPath;
use crate::project::{baumgarte, project, project_positions};
use crate::{Error, Mechanism, Projection, Real, Stabilization, State, StateView};

/// Rates (q̇, v̇, ż).
pub(crate) struct Rates<M: Mechanism<T>, T: Real> {
    pub(crate) q: M::Coordinates,
    pub(crate) v: M::Speeds,
    pub(crate) z: M::Auxiliary,
}

impl<M: Mechanism<T>, T: Real> Rates<M, T> {
    pub(crate) fn new(mechanism: &M) -> Self {
        let (q, v, _, z, _, _) = mechanism.storage();
        Rates { q, v, z }
    }

    pub(crate) fn copy_from(&mut self, other: &Self) {
        self.q.as_mut().copy_from_slice(other.q.as_ref());
        self.v.as_mut().copy_from_slice(other.v.as_ref());
        self.z.as_mut().copy_from_slice(other.z.as_ref());
    }
}

/// Number of the n_z auxiliary states that are not discrete variables: these come first.
#[inline]
pub(crate) fn continuous<M: Mechanism<T>, T: Real>(mechanism: &M) -> usize {
    let sizes = mechanism.sizes();
    sizes.n_z.saturating_sub(sizes.n_discrete)
}

/// States at which explicit methods evaluate their stages.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum StageStates {
    /// Weighted sums of rates, which violate the constraints by a power of the step.
    AsGiven,
    /// Sums projected onto the constraints, as ends of steps are: needed near singular poses, where rates off the constraints are meaningless.
    Projected,
}

/// Settings and work space common to all methods.
pub(crate) struct Evaluation<M: Mechanism<T>, T: Real> {
    pub(crate) stabilization: Stabilization<T>,
    pub(crate) statistics: Statistics,
    inputs: M::Inputs,
    lambda: M::Multipliers,
    pub(crate) work: Projection<M, T>,
    /// States at which explicit methods evaluate their stages.
    pub(crate) stages: StageStates,
    pub(crate) memories: MemoryPath<M, T>,
}

impl<M: Mechanism<T>, T: Real> Evaluation<M, T> {
    pub(crate) fn new(mechanism: &M) -> Self {
        let (_, _, lambda, _, inputs, _) = mechanism.storage();
        Evaluation {
            stabilization: Stabilization::Projection,
            statistics: Statistics::default(),
            inputs,
            lambda,
            work: Projection::new(mechanism),
            stages: StageStates::AsGiven,
            memories: MemoryPath::new(mechanism),
        }
    }

    /// u of the last evaluation.
    pub(crate) fn inputs(&self) -> &[T] {
        self.inputs.as_ref()
    }

    /// λ of the last evaluation.
    pub(crate) fn multipliers(&self) -> &[T] {
        self.lambda.as_ref()
    }

    /// Writes the rates at a state: u from the law of inputs, a and λ from the mechanism, then Baumgarte's correction if chosen.
    #[inline]
    pub(crate) fn rates(
        &mut self,
        mechanism: &M,
        state: &State<M, T>,
        inputs: &mut Inputs<T>,
        rates: &mut Rates<M, T>,
    ) -> Result<(), Error<T>> {
        let (t, q, v, z) = (state.t, state.q.as_ref(), state.v.as_ref(), state.z.as_ref());
        let u = self.inputs.as_mut();
        if !u.is_empty() {
            inputs(StateView { t, q, v, z, u: &[] }, u);
        }
        let at = StateView { t, q, v, z, u };
        self.statistics.evaluate();
        mechanism.coordinate_rates(t, q, v, rates.q.as_mut());
        mechanism.accelerations(at, rates.v.as_mut(), self.lambda.as_mut())?;
        if !z.is_empty() {
            mechanism.auxiliary_rates(at, rates.z.as_mut());
            let continuous = continuous(mechanism);
            rates.z.as_mut()[continuous..].fill(T::ZERO);
        }
        match self.stabilization {
            Stabilization::Baumgarte { alpha, beta } if !self.lambda.as_ref().is_empty() => {
                let (a, lambda) = (rates.v.as_mut(), self.lambda.as_mut());
                baumgarte(mechanism, at, (alpha, beta), &mut self.work, a, lambda)
            }
            _ => Ok(()),
        }
    }

    /// As [`Evaluation::settle`], for positions alone, without memories.
    pub(crate) fn settle_positions(&mut self, mechanism: &M, state: &mut State<M, T>) -> Result<(), Error<T>> {
        if self.stabilization == Stabilization::None {
            mechanism.normalize(state.q.as_mut());
            return Ok(());
        }
        project_positions(mechanism, state, &mut self.work).map(|_| ())
    }

    /// Completes a step from `start`: projects the state if chosen, else only normalises it; then updates memories.
    #[inline]
    pub(crate) fn settle(
        &mut self,
        mechanism: &M,
        start: &State<M, T>,
        state: &mut State<M, T>,
    ) -> Result<(), Error<T>> {
        match self.stabilization {
            Stabilization::Projection | Stabilization::SymmetricProjection => {
                project(mechanism, state, &mut self.work)?;
            }
            _ => mechanism.normalize(state.q.as_mut()),
        }
        self.memories.follow(mechanism, start, state);
        Ok(())
    }
}
