//! Discrete variables of any type.

use std::cell::RefCell;

/// A discrete variable of any `Copy` type, with what it has been: an operating mode, a planner's target, a buffered measurement.
///
/// Numbers, choices and switches are better declared (`discrete` in the language): they are part of the state. Everything else is held by
/// one of these, which closures of a [`Simulation`](crate::Simulation) share: handlers of events set it, so that it changes between steps
/// only, inputs, loads and conditions read it, and reports ask for what it was at any time of the recording.
///
/// ```
/// use mbs::DiscreteVariable;
/// # use mbs::{Mechanism, Simulation, Trigger};
///
/// #[derive(Clone, Copy, Debug, PartialEq)]
/// enum Gait {
///     Walk,
///     Trot { stride: f64 },
/// }
///
/// # fn simulate(mechanism: &impl Mechanism) -> Result<(), Box<dyn std::error::Error>> {
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
    /// Times \[s\], ascending, and what it is from then on.
    changes: RefCell<Vec<(f64, T)>>,
}

impl<T: Copy> DiscreteVariable<T> {
    /// With a value from the beginning.
    pub fn new(start: T) -> Self {
        DiscreteVariable { start, changes: RefCell::new(Vec::new()) }
    }

    /// The present value.
    pub fn get(&self) -> T {
        self.changes.borrow().last().map_or(self.start, |change| change.1)
    }

    /// Changes it at a time \[s\]. What it would have become later is forgotten: a run that starts again sets it again.
    pub fn set(&self, t: f64, value: T) {
        let mut changes = self.changes.borrow_mut();
        let kept = changes.partition_point(|change| change.0 <= t);
        changes.truncate(kept);
        changes.push((t, value));
    }

    /// What it was at a time \[s\]; where it changes, what it becomes.
    pub fn at(&self, t: f64) -> T {
        let changes = self.changes.borrow();
        let passed = changes.partition_point(|change| change.0 <= t);
        passed.checked_sub(1).map_or(self.start, |last| changes[last].1)
    }

    /// Its changes: times \[s\], ascending, and what it became.
    pub fn changes(&self) -> Vec<(f64, T)> {
        self.changes.borrow().clone()
    }

    /// Forgets them: the value from the beginning again.
    pub fn reset(&self) {
        self.changes.borrow_mut().clear();
    }
}
