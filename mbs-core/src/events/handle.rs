//! Handling of an event: assignments, and a state that is consistent again.
//!
//! With the new z, the targets of the conditions, and the mass matrix as metric:
//!
//! 1. positions: Φ = 0 with the conditions on positions imposed, by the least displacement (`assemble.rs`);
//! 2. velocities: M Δv + Gᵀ μ = Hᵀ p, G Δv = −ψ, H (v + Δv) = target: impulses p along the gradients of the conditions on velocities, which
//!    act through the joints, and those of the rows, μ, with the sign of λ;
//! 3. p from S p = H (Δv − x₀), where x₀ is the change of speeds that the rows alone require: M x₀ + Gᵀ μ₀ = 0, G x₀ = −ψ; then μ from Hᵀ p.
//!
//! For rows that are not affine in speeds, 2 is iterated by Newton's method, and G in 3 is that after the event: μ is then exact for small
//! changes only.

use super::Events;
use crate::assemble::{Assembly, ImposedConditions, Problem};
use crate::{
    Error, Event, Eventful, Fault, Inputs, Level, Mechanism, Projection, Real, State, project_positions,
    project_velocities,
};

/// Largest number of Newton iterations on positions, the same as in assembly.
const ITERATIONS: usize = 50;

/// Work space and results of event handlers.
pub(super) struct Handling<M: Mechanism<T>, T: Real> {
    assembly: Assembly<M, T>,
    projection: Projection<M, T>,
    z: M::Auxiliary,
    change: M::Speeds,
    force: M::Speeds,
    zero: M::Speeds,
    residuals: [M::Multipliers; 2],
    targets: M::Scratch,
    impulses: M::Scratch,
    row_impulses: M::Multipliers,
    /// Number of impulses.
    count: usize,
}

/// Conditions of a handler with their targets.
struct EventConditions<'a, T> {
    event: Event,
    targets: &'a [T],
}

impl<M: Mechanism<T>, T: Real> ImposedConditions<M, T> for EventConditions<'_, T> {
    fn count(&self, _: &M) -> usize {
        self.event.conditions
    }

    fn index(&self, mechanism: &M, k: usize) -> usize {
        mechanism.sizes().n_conditions + self.event.first_condition + k
    }

    fn target(&self, k: usize) -> T {
        self.targets[k]
    }
}

impl<M: Mechanism<T>, T: Real> Handling<M, T> {
    pub(super) fn new(mechanism: &M, state: &State<M, T>) -> Self {
        let (_, change, residuals, z, _, targets) = mechanism.storage();
        let mut projection = Projection::new(mechanism);
        projection.iterations = ITERATIONS;
        Handling {
            assembly: Assembly::new(mechanism, state),
            projection,
            z,
            force: change.clone(),
            zero: change.clone(),
            change,
            row_impulses: residuals.clone(),
            residuals: [residuals.clone(), residuals],
            impulses: targets.clone(),
            targets,
            count: 0,
        }
    }

    /// Steps 1 to 3 of the module header.
    fn settle(&mut self, mechanism: &M, state: &mut State<M, T>, event: Event) -> Result<(), Error<T>> {
        let imposed = EventConditions { event, targets: &self.targets.as_ref()[..event.conditions] };
        let (assembly, projection) = (&mut self.assembly, &mut self.projection);
        if assembly.has_conditions(mechanism, state, &imposed, Level::Position) {
            mechanism.normalize(state.q.as_mut());
            assembly.assemble_level(mechanism, state, &imposed, Level::Position)?;
        } else {
            project_positions(mechanism, state, projection)?;
        }
        state.remember(mechanism);
        let rows = mechanism.sizes().n_velocity;
        let [before, after] = &mut self.residuals;
        mechanism.velocity_residuals(state.view(&[]), &mut before.as_mut()[..rows]);
        self.change.as_mut().copy_from_slice(state.v.as_ref());
        let has_conditions = assembly.has_conditions(mechanism, state, &imposed, Level::Velocity);
        if has_conditions {
            assembly.assemble_level(mechanism, state, &imposed, Level::Velocity)?;
        } else {
            project_velocities(mechanism, state, projection)?;
        }
        let mut has_changed = false;
        for (change, v) in self.change.as_mut().iter_mut().zip(state.v.as_ref()) {
            *change = *v - *change;
            has_changed |= *change != T::ZERO;
        }
        if !has_changed {
            return Ok(());
        }
        // G Δv, zero in rows that do not exist at the level of velocities.
        mechanism.velocity_residuals(state.view(&[]), &mut after.as_mut()[..rows]);
        for (after, before) in after.as_mut()[..rows].iter_mut().zip(before.as_ref()) {
            *after -= *before;
        }
        after.as_mut()[rows..].fill(T::ZERO);
        let (x, mu) = (self.zero.as_mut(), self.row_impulses.as_mut());
        self.force.as_mut().fill(T::ZERO);
        mechanism.solve(state.view(&[]), self.force.as_ref(), after.as_ref(), x, mu)?;
        if has_conditions {
            for (x, change) in x.iter_mut().zip(self.change.as_ref()) {
                *x = *change - *x;
            }
            let impulses = &mut self.impulses.as_mut()[..event.conditions];
            assembly.impulses(Problem { mechanism, imposed: &imposed }, state, x, (self.force.as_mut(), impulses))?;
            mechanism.solve(state.view(&[]), self.force.as_ref(), after.as_ref(), x, mu)?;
        }
        Ok(())
    }
}

impl<M: Eventful<T>, T: Real> Events<M, T> {
    /// Handles an event that [`Events::step_towards`] has returned: assigns auxiliary states and discrete variables, and makes the state
    /// consistent, positions and velocities, by the least changes in the metric of kinetic energy that satisfy the event's conditions.
    ///
    /// A handler that assigns nothing changes nothing, so that the step continues.
    ///
    /// # Errors
    /// [`Error::Handler`]; the state is then the one before the handler. [`Error::Size`] of a state of another mechanism.
    pub fn handle(
        &mut self,
        mechanism: &M,
        state: &mut State<M, T>,
        event: usize,
        inputs: &mut Inputs<T>,
    ) -> Result<(), Error<T>> {
        state.check_like(&self.probe)?;
        self.probe.copy_from(state);
        self.run_handler(mechanism, state, event, inputs).map_err(|error| {
            state.copy_from(&self.probe);
            Error::Handler { event, fault: Fault::from_error(error), t: state.t }
        })
    }

    /// Makes a state consistent that the caller has changed at the event with index `event`: positions and velocities by the least changes in
    /// the metric of kinetic energy.
    ///
    /// # Errors
    /// [`Error::Handler`]; the state is then the last iterate. [`Error::Size`] of a state of another mechanism.
    pub fn settle(&mut self, mechanism: &M, state: &mut State<M, T>, event: usize) -> Result<(), Error<T>> {
        state.check_like(&self.probe)?;
        self.clear(0);
        let settled = self.handling.settle(mechanism, state, Event::default());
        settled.map_err(|error| Error::Handler { event, fault: Fault::from_error(error), t: state.t })
    }

    /// Impulses p along the gradients of the conditions that the handler of the last event imposes, in their order: \[N s\], \[N m s\]. They
    /// change the speeds by Δv of M Δv + Gᵀ μ = Hᵀ p. They are zero for conditions on positions, and for those that others imply.
    pub fn impulses(&self) -> &[T] {
        &self.handling.impulses.as_ref()[..self.handling.count]
    }

    /// Impulses μ of the constraint rows at the last event, n_c, with the sign of λ.
    pub fn row_impulses(&self) -> &[T] {
        self.handling.row_impulses.as_ref()
    }

    fn run_handler(
        &mut self,
        mechanism: &M,
        state: &mut State<M, T>,
        event: usize,
        inputs: &mut Inputs<T>,
    ) -> Result<(), Error<T>> {
        let declared = mechanism.event(event);
        let needed = declared.conditions * (mechanism.sizes().n_v + declared.conditions + 2);
        let found = self.handling.targets.as_ref().len();
        if found < needed {
            return Err(Error::Size { expected: needed, found });
        }
        self.clear(declared.conditions);
        let u = self.inputs.as_mut();
        if !u.is_empty() {
            inputs(state.view(&[]), u);
        }
        let work = &mut self.handling;
        let (z, targets) = (work.z.as_mut(), &mut work.targets.as_mut()[..declared.conditions]);
        z.copy_from_slice(state.z.as_ref());
        mechanism.event_assignments(event, state.view(self.inputs.as_ref()), z, targets)?;
        if declared.conditions == 0 && z == state.z.as_ref() {
            return Ok(());
        }
        state.z.as_mut().copy_from_slice(z);
        work.settle(mechanism, state, declared)
    }

    fn clear(&mut self, conditions: usize) {
        self.handling.count = conditions;
        self.handling.impulses.as_mut()[..conditions].fill(T::ZERO);
        self.handling.row_impulses.as_mut().fill(T::ZERO);
    }
}
