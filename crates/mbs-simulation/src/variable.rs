//! Discrete variables of any type.

use std::cell::RefCell;

/// A discrete variable of any `Copy` type, with its history: an operating mode, a planner's target, a buffered measurement.
///
/// Numbers, choices and switches are better declared (`discrete` in the language): they are part of the state. A discrete variable is for
/// other types, and closures of a [`Simulation`](crate::Simulation) share it. Handlers of events set it, so that it changes between steps
/// only; inputs, loads and conditions read it; and reports read its value at any time of the recording.
///
/// ```
/// use mbs::DiscreteVariable;
/// # use mbs::{FullMechanism, Simulation, Trigger};
///
/// #[derive(Clone, Copy, Debug, PartialEq)]
/// enum Gait {
///     Walk,
///     Trot { stride: f64 },
/// }
///
/// # fn simulate(mechanism: &impl FullMechanism) -> Result<(), Box<dyn std::error::Error>> {
/// let gait = DiscreteVariable::new(Gait::Walk);
/// let recording = Simulation::new(mechanism)
///     .inputs(|_, u| u[0] = if let Gait::Trot { stride } = gait.get() { stride } else { 0.1 })
///     .event("hurry", Trigger::At, |_| 1.5, |state| gait.set(state.t, Gait::Trot { stride: 0.4 }))
///     .run()?;
/// let column: Vec<Gait> = recording.times().iter().map(|t| gait.at(*t)).collect();
/// assert_eq!(column.last(), Some(&gait.get()));
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct DiscreteVariable<T> {
    start: T,
    /// Times \[s\], ascending, and the value from then on.
    changes: RefCell<Vec<(f64, T)>>,
}

impl<T: Copy> DiscreteVariable<T> {
    /// A variable with an initial value.
    pub fn new(start: T) -> Self {
        DiscreteVariable { start, changes: RefCell::new(Vec::new()) }
    }

    /// The present value.
    pub fn get(&self) -> T {
        self.changes.borrow().last().map_or(self.start, |change| change.1)
    }

    /// Sets its value from a time \[s\] on. Later changes are removed, so that a run can be repeated.
    pub fn set(&self, t: f64, value: T) {
        let mut changes = self.changes.borrow_mut();
        let kept = changes.partition_point(|change| change.0 <= t);
        changes.truncate(kept);
        changes.push((t, value));
    }

    /// Value at a time \[s\]; at the time of a change, the new value.
    pub fn at(&self, t: f64) -> T {
        let changes = self.changes.borrow();
        let passed = changes.partition_point(|change| change.0 <= t);
        passed.checked_sub(1).map_or(self.start, |last| changes[last].1)
    }

    /// Its changes: times \[s\], ascending, and new values.
    pub fn changes(&self) -> Vec<(f64, T)> {
        self.changes.borrow().clone()
    }

    /// Removes all changes, so that it has its initial value again.
    pub fn reset(&self) {
        self.changes.borrow_mut().clear();
    }
}
