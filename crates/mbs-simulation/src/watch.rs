//! Events that are added to a run as closures.

use mbs_core::{Error, Event, Mechanism, State, StateView};

/// Name, trigger and value of an event that is added as a closure; they do not depend on the mechanism's type.
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
pub(super) enum Effect {
    /// The state or inputs have changed.
    Changed,
    /// Nothing has changed.
    Unchanged,
}

/// Runs the actions of closures, by the index of the closure, on states of a type with the same storage.
pub(super) type Act<'a, M> = dyn FnMut(usize, &mut State<M>, &[f64]) -> Result<Effect, Error> + 'a;

impl<M: Mechanism> Action<'_, M> {
    /// Runs the action on `state`. `work` is work space, a state of the type that the closure takes.
    ///
    /// # Errors
    /// [`Error::Size`] if the closure replaces its state by one of other lengths.
    pub(super) fn act<L>(&mut self, state: &mut State<L>, work: &mut State<M>, u: &[f64]) -> Result<Effect, Error>
    where
        L: Mechanism,
    {
        match self {
            Action::Handle(handler) => {
                work.t = state.t;
                work.q.as_mut().copy_from_slice(state.q.as_ref());
                work.v.as_mut().copy_from_slice(state.v.as_ref());
                work.z.as_mut().copy_from_slice(state.z.as_ref());
                handler(work);
                work.check_lengths([state.q.as_ref().len(), state.v.as_ref().len(), state.z.as_ref().len()])?;
                state.q.as_mut().copy_from_slice(work.q.as_ref());
                state.v.as_mut().copy_from_slice(work.v.as_ref());
                state.z.as_mut().copy_from_slice(work.z.as_ref());
                Ok(Effect::Changed)
            }
            Action::Read(reader) => {
                reader(state.view(u));
                Ok(Effect::Unchanged)
            }
            Action::Nothing => Ok(Effect::Unchanged),
        }
    }
}
