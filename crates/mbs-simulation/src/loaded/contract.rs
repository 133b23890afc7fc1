//! The traits of mechanisms for a mechanism with additional loads and events.

use super::{Loaded, Loads, Neighbour, add};
use crate::watch::Watch;
use mbs_core::{
    Condition, Contact, Corrections, Describe, Energy, Error, Event, Eventful, Item, Limits, Mechanism, Momenta,
    Outline, Placement, Pose, Reaction, RowKind, Sizes, StateView, Visual, WrongDerivative,
    momentum_rates_of_accelerations,
};

/// Half lengths of central differences of values in time \[s\]: one that is short for any mechanism of visible size, and one for values that hardly
/// change.
const HALVES: [f64; 2] = [1e-7, 1e-4];

/// Reaction of a joint that cannot be determined.
const UNKNOWN: Reaction = Reaction { point: [f64::NAN; 3], force: [f64::NAN; 3], torque: [f64::NAN; 3] };

impl<M: Describe + ?Sized, F: Fn(StateView, &mut Loads)> Mechanism for Loaded<'_, M, F> {
    type Coordinates = M::Coordinates;
    type Speeds = M::Speeds;
    type Multipliers = M::Multipliers;
    type Auxiliary = M::Auxiliary;
    type Inputs = M::Inputs;
    type Scratch = Vec<f64>;

    fn sizes(&self) -> Sizes {
        let sizes = self.mechanism.sizes();
        Sizes { n_events: sizes.n_events + self.watches.len(), ..sizes }
    }

    fn storage(
        &self,
    ) -> (Self::Coordinates, Self::Speeds, Self::Multipliers, Self::Auxiliary, Self::Inputs, Self::Scratch) {
        let (q, v, lambda, z, u, scratch) = self.mechanism.storage();
        let n = scratch.as_ref().len().max(4 * self.sizes().n_events);
        (q, v, lambda, z, u, vec![0.0; n])
    }

    fn guess(&self, q: &mut [f64], v: &mut [f64], z: &mut [f64]) {
        self.mechanism.guess(q, v, z);
    }

    fn accelerations(&self, at: StateView, a: &mut [f64], lambda: &mut [f64]) -> Result<(), Error> {
        self.mechanism.accelerations(at, a, lambda)?;
        if self.load.is_none() {
            return Ok(());
        }
        let work = &mut *self.work.borrow_mut();
        self.evaluate(at, work);
        self.mechanism.solve(at, &work.forces, &work.no_rows, &mut work.x, &mut work.mu)?;
        add(a, &work.x);
        add(lambda, &work.mu);
        Ok(())
    }

    fn solve(&self, at: StateView, f: &[f64], g: &[f64], x: &mut [f64], mu: &mut [f64]) -> Result<(), Error> {
        self.mechanism.solve(at, f, g, x, mu)
    }

    fn corrections(&self, at: StateView, corrections: Corrections) -> Result<bool, Error> {
        self.mechanism.corrections(at, corrections)
    }

    fn position_residuals(&self, at: StateView, phi: &mut [f64]) {
        self.mechanism.position_residuals(at, phi);
    }

    fn velocity_residuals(&self, at: StateView, psi: &mut [f64]) {
        self.mechanism.velocity_residuals(at, psi);
    }

    fn constraint_jacobian(&self, at: StateView, jacobian: &mut [f64]) {
        self.mechanism.constraint_jacobian(at, jacobian);
    }

    fn constraint_hessian(&self, at: StateView, mu: &[f64], hessian: &mut [f64]) -> Result<(), Error> {
        self.mechanism.constraint_hessian(at, mu, hessian)
    }

    fn jacobian_reads_speeds(&self) -> bool {
        self.mechanism.jacobian_reads_speeds()
    }

    fn constraint_forces(&self, at: StateView, lambda: &[f64], forces: &mut [f64]) {
        self.mechanism.constraint_forces(at, lambda, forces);
    }

    fn coordinate_rates(&self, t: f64, q: &[f64], v: &[f64], rates: &mut [f64]) {
        self.mechanism.coordinate_rates(t, q, v, rates);
    }

    fn retract(&self, t: f64, q: &mut [f64], delta: &[f64], rates: &mut [f64]) {
        self.mechanism.retract(t, q, delta, rates);
    }

    fn normalize(&self, q: &mut [f64]) {
        self.mechanism.normalize(q);
    }

    fn remember(&self, t: f64, q: &[f64], z: &mut [f64]) {
        self.mechanism.remember(t, q, z);
    }

    fn auxiliary_rates(&self, at: StateView, rates: &mut [f64]) {
        self.mechanism.auxiliary_rates(at, rates);
    }

    fn generalized_forces(&self, at: StateView, forces: &mut [f64]) {
        self.mechanism.generalized_forces(at, forces);
        if self.load.is_none() {
            return;
        }
        let work = &mut *self.work.borrow_mut();
        self.evaluate(at, work);
        add(forces, &work.forces);
    }

    fn velocity_forces(&self, at: StateView, forces: &mut [f64]) {
        self.mechanism.velocity_forces(at, forces);
    }

    fn reactions(&self, at: StateView, a: &[f64], lambda: &[f64], reactions: &mut [Reaction]) {
        self.mechanism.reactions(at, a, lambda, reactions);
        if self.load.is_none() {
            return;
        }
        let work = &mut *self.work.borrow_mut();
        self.evaluate(at, work);
        // The reactions of pins that share a point are neither multipliers of rows nor those of joints of a tree.
        if self.is_natural && work.wrenches.iter().flatten().any(|x| *x != 0.0) {
            reactions.fill(UNKNOWN);
            return;
        }
        for body in 0..work.wrenches.len() {
            if work.wrenches[body].iter().any(|x| *x != 0.0) {
                self.add_to_reactions(body, work, reactions);
            }
        }
    }

    fn energy(&self, at: StateView) -> Energy {
        self.mechanism.energy(at)
    }

    fn outputs(&self, at: StateView, a: &[f64], lambda: &[f64], outputs: &mut [f64]) {
        self.mechanism.outputs(at, a, lambda, outputs);
    }

    fn poses(&self, at: StateView, poses: &mut [Pose]) {
        self.mechanism.poses(at, poses);
    }

    fn body_jacobians(&self, at: StateView, jacobians: &mut [f64]) {
        self.mechanism.body_jacobians(at, jacobians);
    }

    fn initial_condition(&self, condition: usize, at: StateView, gradient: &mut [f64]) -> Condition {
        self.mechanism.initial_condition(condition, at, gradient)
    }
}

impl<M: Describe + ?Sized, F: Fn(StateView, &mut Loads)> Describe for Loaded<'_, M, F> {
    fn placement(&self, body: usize) -> Option<Placement> {
        self.mechanism.placement(body)
    }

    fn row_kind(&self, row: usize) -> RowKind {
        self.mechanism.row_kind(row)
    }

    fn is_switched(&self, row: usize) -> bool {
        self.mechanism.is_switched(row)
    }

    fn is_spatial(&self) -> bool {
        self.mechanism.is_spatial()
    }

    fn marker_positions(&self, at: StateView, positions: &mut [[f64; 3]]) {
        self.mechanism.marker_positions(at, positions);
    }

    fn marker_body(&self, marker: usize) -> Option<usize> {
        self.mechanism.marker_body(marker)
    }

    fn is_cable(&self, force: usize) -> bool {
        self.mechanism.is_cable(force)
    }

    fn ends(&self, item: Item) -> Option<[usize; 2]> {
        self.mechanism.ends(item)
    }

    fn visual(&self, index: usize) -> Option<Visual> {
        self.mechanism.visual(index)
    }

    fn outline(&self, index: usize) -> Option<Outline<'_>> {
        self.mechanism.outline(index)
    }

    fn contact(&self, index: usize) -> Option<Contact> {
        self.mechanism.contact(index)
    }

    fn limits(&self, joint: usize) -> Option<Limits> {
        self.mechanism.limits(joint)
    }

    fn check_functions(&self, at: StateView) -> Result<(), WrongDerivative> {
        self.mechanism.check_functions(at)
    }

    fn explain_not_finite(&self, at: StateView, report: &mut dyn FnMut(&str)) {
        let mut is_reported = false;
        self.mechanism.explain_not_finite(at, &mut |sentence| {
            is_reported = true;
            report(sentence);
        });
        if is_reported || self.load.is_none() {
            return;
        }
        let work = &mut *self.work.borrow_mut();
        self.evaluate(at, work);
        let bad = |values: &[f64]| values.iter().copied().enumerate().find(|(_, x)| !x.is_finite());
        let wrench = work.wrenches.iter().zip(&self.names).find_map(|(wrench, body)| Some((body, bad(wrench)?.1)));
        if let Some((body, x)) = wrench {
            report(&format!("a load of a closure on body `{body}` is {x}"));
        } else if let Some((speed, x)) = bad(&work.forces) {
            let name = self.mechanism.name(Item::Speed(speed));
            report(&format!("a load of a closure along speed `{name}` is {x}"));
        }
    }

    fn name(&self, item: Item) -> &str {
        match item {
            Item::Event(event) => match self.watch(event) {
                Some(watch) => &watch.name,
                None => self.mechanism.name(item),
            },
            _ => self.mechanism.name(item),
        }
    }
}

impl<M: Describe + Eventful + ?Sized, F: Fn(StateView, &mut Loads)> Eventful for Loaded<'_, M, F> {
    fn event(&self, event: usize) -> Event {
        match self.watch(event) {
            Some(watch) => watch.event,
            None => self.mechanism.event(event),
        }
    }

    fn event_values(&self, at: StateView, values: &mut [f64]) -> Result<(), Error> {
        let (declared, added) = values.split_at_mut(values.len() - self.watches.len());
        self.mechanism.event_values(at, declared)?;
        for (value, watch) in added.iter_mut().zip(&self.watches) {
            *value = (watch.value)(at);
        }
        Ok(())
    }

    /// Rates of values of closures are differences along the motion; with loads of closures all rates are.
    fn event_rates(&self, at: StateView, rates: &mut [f64]) -> Result<(), Error> {
        let declared = rates.len() - self.watches.len();
        if self.load.is_none() {
            self.mechanism.event_rates(at, &mut rates[..declared])?;
        }
        if self.load.is_some() || !self.watches.is_empty() {
            let first = if self.load.is_none() { declared } else { 0 };
            self.differences(at, first, rates)?;
        }
        Ok(())
    }

    fn event_assignments(&self, event: usize, at: StateView, z: &mut [f64], targets: &mut [f64]) -> Result<(), Error> {
        self.mechanism.event_assignments(event, at, z, targets)
    }
}

impl<M: Describe + Momenta + ?Sized, F: Fn(StateView, &mut Loads)> Momenta for Loaded<'_, M, F> {
    fn momenta(&self, at: StateView, momenta: &mut [f64]) -> Result<(), Error> {
        self.mechanism.momenta(at, momenta)
    }

    fn momentum_rates(&self, at: StateView, rates: &mut [f64]) -> Result<(), Error> {
        match self.load {
            None => self.mechanism.momentum_rates(at, rates),
            Some(_) => momentum_rates_of_accelerations(self, at, rates),
        }
    }

    fn speeds_of_momenta(&self, at: StateView, momenta: &[f64], v: &mut [f64]) -> Result<(), Error> {
        self.mechanism.speeds_of_momenta(at, momenta, v)
    }

    fn momentum_step(
        &self,
        at: StateView,
        h: f64,
        momenta: &[f64],
        delta: &mut [f64],
        mu: &mut [f64],
        end: &mut [f64],
    ) -> Result<(), Error> {
        match self.load {
            None => self.mechanism.momentum_step(at, h, momenta, delta, mu, end),
            // Derivatives of these loads are not known.
            Some(_) => Err(Error::MissingKernel { kernel: "momenta" }),
        }
    }
}

impl<M: Mechanism + ?Sized, F> Loaded<'_, M, F> {
    /// The event of a closure with this index; `None` for an event of the mechanism.
    fn watch(&self, event: usize) -> Option<&Watch<'_>> {
        self.watches.get(event.checked_sub(self.mechanism.sizes().n_events)?)
    }
}

impl<M: Describe + Eventful + ?Sized, F: Fn(StateView, &mut Loads)> Loaded<'_, M, F> {
    /// Writes rates of values from `first` on, (g(y + δ ẏ) − g(y − δ ẏ))/2δ; NaN where the difference is zero, since the value may be that of a
    /// condition.
    fn differences(&self, at: StateView, first: usize, rates: &mut [f64]) -> Result<(), Error> {
        // Taken out of the work space, since accelerations borrow that.
        let mut neighbour = std::mem::take(&mut self.work.borrow_mut().neighbour);
        let rates = &mut rates[first..];
        let result = self.differences_with(at, &mut neighbour, rates);
        self.work.borrow_mut().neighbour = neighbour;
        result
    }

    /// Writes rates of the last values, with work space.
    fn differences_with(&self, at: StateView, neighbour: &mut Neighbour, rates: &mut [f64]) -> Result<(), Error> {
        let Neighbour { rates: [q_rates, a, z_rates], lambda, .. } = neighbour;
        self.coordinate_rates(at.t, at.q, at.v, q_rates);
        self.accelerations(at, a, lambda)?;
        self.auxiliary_rates(at, z_rates);
        let sizes = self.sizes();
        z_rates[sizes.n_z - sizes.n_discrete..].fill(0.0);
        rates.fill(f64::NAN);
        for half in HALVES {
            if rates.iter().any(|rate| rate.is_nan()) {
                self.evaluate_sides(at, half, neighbour)?;
            }
            let first = neighbour.values[0].len() - rates.len();
            let [before, after] = [0, 1].map(|side| &neighbour.values[side][first..]);
            for (rate, (before, after)) in rates.iter_mut().zip(before.iter().zip(after)) {
                if rate.is_nan() && after != before {
                    *rate = (after - before) / (2.0 * half);
                }
            }
        }
        Ok(())
    }

    /// Evaluates the values at neighbouring states before and after a state, by its rates.
    fn evaluate_sides(&self, at: StateView, half: f64, neighbour: &mut Neighbour) -> Result<(), Error> {
        let Neighbour { state, rates, values, .. } = neighbour;
        for (values, step) in values.iter_mut().zip([-half, half]) {
            for ((to, from), rates) in state.iter_mut().zip([at.q, at.v, at.z]).zip(&*rates) {
                for ((to, from), rate) in to.iter_mut().zip(from).zip(rates) {
                    *to = from + step * rate;
                }
            }
            let [q, v, z] = &*state;
            self.event_values(StateView { t: at.t + step, q, v, z, u: at.u }, values)?;
        }
        Ok(())
    }
}
