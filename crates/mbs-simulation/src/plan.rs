//! The plan of a run: its initial state, its steps, its recorded times.

use mbs_core::{Error, Inputs, Mechanism, Projection, Stabilization, State, assemble, project};

use super::Integrator;
use super::limits::Limits;
use super::schedule::Schedule;

/// Largest number of Newton iterations that project a given state onto the constraints, the same as in assembly.
const ITERATIONS: usize = 50;

/// The settings of a run that do not depend on the type of the mechanism.
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

/// A closure that is called with the time \[s\] of every recorded row.
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
    /// Assembles or projects a state, or leaves it unchanged, and updates its memories.
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
