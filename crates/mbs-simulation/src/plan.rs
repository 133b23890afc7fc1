//! The plan of a run: where it starts, how it steps, what it records.

use mbs_core::{Error, Inputs, Mechanism, Projection, Stabilization, State, assemble, project};

use super::Integrator;
use super::limits::Limits;
use super::schedule::Schedule;

/// Newton iterations that bring a given state onto the constraints, as many as assembly makes.
const ITERATIONS: usize = 50;

/// Everything about a run that does not depend on the type of the mechanism.
pub(super) struct Plan<'m> {
    pub(super) inputs: Box<Inputs<'m>>,
    pub(super) integrator: Integrator,
    pub(super) max_step: Option<f64>,
    pub(super) stabilization: Option<Stabilization>,
    pub(super) start: Start,
    pub(super) schedule: Schedule,
    pub(super) progress: Box<Progress<'m>>,
    pub(super) limits: Limits<'m>,
    pub(super) lists_change_points: bool,
}

/// Hears the time of every recorded row.
type Progress<'m> = dyn FnMut(f64) + 'm;

/// Treatment of the initial state before the run.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Start {
    /// Assembled, with the `initial` conditions.
    Assembled,
    /// Projected onto the constraints by the least correction.
    Projected,
    AsGiven,
}

impl Start {
    /// Brings a state onto the constraints, as the plan says, and sets its memories.
    ///
    /// # Errors
    /// Those of [`assemble`] and [`project`].
    pub(super) fn apply<M: Mechanism>(self, mechanism: &M, state: &mut State<M>) -> Result<(), Error> {
        match self {
            Start::Assembled => {
                assemble(mechanism, state)?;
            }
            Start::Projected => {
                let mut work = Projection::new(mechanism);
                work.iterations = ITERATIONS;
                project(mechanism, state, &mut work)?;
            }
            Start::AsGiven => {}
        }
        state.remember(mechanism);
        Ok(())
    }
}
