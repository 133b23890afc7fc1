//! Events that are added to a run as closures.

use mbs_core::{Error, Event, Mechanism, State, StateView};

/// Name, trigger and value of an event of a closure: the part that does not depend on the mechanism's type.
pub(crate) struct Watch<'m> {
    pub(crate) name: String,
    pub(crate) event: Event,
    pub(crate) value: Box<dyn Fn(StateView) -> f64 + 'm>,
}

/// A closure that changes the state.
type Handler<'m, M> = dyn FnMut(&mut State<M>) + 'm;

/// A closure that reads the state.
type Reader<'m> = dyn FnMut(StateView) + 'm;

/// Action at an event.
pub(super) enum Action<'m, M: Mechanism> {
    Handle(Box<Handler<'m, M>>),
    Read(Box<Reader<'m>>),
    Nothing,
}

/// Effect of an action.
pub(super) enum Left {
    /// The state or inputs have changed.
    Changed,
    /// Nothing has changed.
    Unchanged,
}

/// Runs the actions of closures, by the index of the closure, on states of the type that integrators advance.
pub(super) type Act<'a, M> = dyn FnMut(usize, &mut State<M>, &[f64]) -> Result<Left, Error> + 'a;

impl<M: Mechanism> Action<'_, M> {
    /// Through `own`, a state of the type that the closure takes.
    ///
    /// # Errors
    /// [`Error::Size`] if the closure puts a state of other lengths in its place.
    pub(super) fn act<L>(&mut self, state: &mut State<L>, own: &mut State<M>, u: &[f64]) -> Result<Left, Error>
    where
        L: Mechanism,
    {
        match self {
            Action::Handle(handler) => {
                own.t = state.t;
                own.q.as_mut().copy_from_slice(state.q.as_ref());
                own.v.as_mut().copy_from_slice(state.v.as_ref());
                own.z.as_mut().copy_from_slice(state.z.as_ref());
                handler(own);
                own.check_lengths([state.q.as_ref().len(), state.v.as_ref().len(), state.z.as_ref().len()])?;
                state.q.as_mut().copy_from_slice(own.q.as_ref());
                state.v.as_mut().copy_from_slice(own.v.as_ref());
                state.z.as_mut().copy_from_slice(own.z.as_ref());
                Ok(Left::Changed)
            }
            Action::Read(reader) => {
                reader(state.view(u));
                Ok(Left::Unchanged)
            }
            Action::Nothing => Ok(Left::Unchanged),
        }
    }
}
