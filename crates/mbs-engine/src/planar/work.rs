//! One evaluation: buffers, and the passes that fill them. Nothing here allocates after construction.

use mbs_core::Error;
use mbs_math::Vector;
use mbs_saddle::{Metric, Pattern, Saddle};

use crate::inputs::Inputs;
use crate::natural::{Affine, NaturalWork};
use crate::plan::Applied;
use crate::planar::joint_reactions::{JointReaction, reaction_component};
use crate::planar::link::{Step, StepKind};
use crate::planar::motion::{Motion, Posing};
use crate::planar::mover::Mover;
use crate::planar::numbers::Numbers;
use crate::planar::observe::Observer;
use crate::planar::plan::Plan;
use crate::planar::plane::Wrench;
use crate::planar::recursion::{Articulated, Composite, Mass, MomentumRates, NewtonEuler};
use crate::planar::rows::{gradient, second_rate};
use crate::tape::{Jet, Leaf, Sweep, Tape, Values};

/// Buffers of one engine.
#[derive(Clone, Debug)]
pub(crate) struct Work {
    pub motion: Motion,
    /// Values of the markers that move on ground: x, y, angle each.
    pub ground: Values,
    /// Values of the tape last evaluated.
    pub values: Values,
    pub adjoints: Vec<Jet>,
    /// Wrenches on bodies about their origins: applied loads, or derivatives.
    pub wrenches: Vec<Wrench>,
    /// Reactions of joints.
    pub joint_reactions: Vec<JointReaction>,
    /// Reactions of equations on bodies, about the origins of the bodies.
    pub on_bodies: Vec<Wrench>,
    /// Reactions of one row: steps, and wrenches about the origins of their bodies.
    pub row_loads: Vec<(Mover, Wrench)>,
    /// Generalised forces, or derivatives, by coordinate.
    pub direct: Vec<f64>,
    /// Entries of M, of G.
    pub mass: Vec<f64>,
    pub jacobian: Vec<f64>,
    /// Entries of M that are increased by one in the unit metric: those of translations along axes.
    pub unit: Vec<usize>,
    /// ż and z̈.
    pub rates: Vec<[f64; 2]>,
    pub right: Vec<f64>,
    pub newton_euler: NewtonEuler,
    pub composite: Composite,
    pub articulated: Articulated,
    pub momentum_rates: MomentumRates,
    pub saddle: Saddle,
    pub natural: NaturalWork<2>,
}

impl Work {
    /// Allocates the buffers of a plan; `scale` is a typical diagonal entry of M.
    pub fn new(plan: &Plan, numbers: &Numbers, metric: Metric, scale: f64) -> Self {
        let tapes = [
            &plan.tapes.residuals,
            &plan.general,
            &plan.loads.values,
            &plan.tapes.rates,
            &plan.tapes.outputs,
            &plan.tapes.energy,
            &plan.tapes.conditions,
            &plan.reactions.tape,
        ];
        let longest = tapes.iter().map(|t| t.len()).max().unwrap_or(0);
        let (mut values, mut ground) = (Values::default(), Values::default());
        tapes.iter().for_each(|t| values.grow(t));
        ground.grow(&plan.ground);
        let mut mass = plan.mass.clone();
        let mut unit = Vec::new();
        if metric == Metric::Unit {
            let translations = |s: &Step| match s.kind {
                StepKind::World | StepKind::Joint { translations: 2, rotates: true } => s.first..s.first,
                StepKind::Joint { translations, .. } => s.first..s.first + translations,
                StepKind::Posed(_) => s.range(),
            };
            let translations = plan.steps.iter().flat_map(translations);
            unit.extend(translations.filter_map(|i| mass.iter().position(|e| *e == (i, i))));
            let others = (0..plan.n).filter(|i| !plan.moved.contains(i));
            unit.extend(mass.len()..mass.len() + plan.n - plan.moved.len());
            mass.extend(others.map(|i| (i, i)));
        } else {
            mass.extend(&plan.natural_mass);
        }
        let pattern = Pattern {
            n_v: plan.n,
            n_c: plan.rows.plans.len(),
            mass: mass.clone(),
            jacobian: plan.rows.jacobian.clone(),
            switched: plan.rows.switched.clone(),
            massless: metric == Metric::Mass && numbers.massless,
            scale,
        };
        Work {
            motion: Motion::new(plan.n, &plan.steps, plan.natural.len(), &plan.poses),
            ground,
            values,
            adjoints: vec![[0.0; 3]; longest],
            wrenches: vec![Wrench::ZERO; plan.steps.len()],
            joint_reactions: vec![JointReaction::ZERO; plan.reactions.counts().0],
            on_bodies: vec![Wrench::ZERO; plan.reactions.counts().1],
            row_loads: Vec::with_capacity(plan.reactions.tape.len().max(2)),
            direct: vec![0.0; plan.n],
            mass: vec![0.0; mass.len()],
            jacobian: vec![0.0; plan.rows.jacobian.len()],
            unit,
            rates: vec![[0.0; 2]; plan.tapes.rates.roots()],
            right: vec![0.0; plan.n],
            newton_euler: NewtonEuler::new(&plan.steps),
            composite: Composite::new(&plan.steps),
            articulated: Articulated::new(plan.n, &plan.steps),
            momentum_rates: MomentumRates::new(&plan.steps),
            saddle: Saddle::new(&pattern),
            natural: NaturalWork::new(plan.natural.iter().map(|n| n.coordinates.len()), plan.n, &plan.natural_mass),
        }
    }

    /// Updates poses, velocities and accelerations, including those of moving markers on ground; empty `v` and `a` stand for zeros.
    pub fn move_bodies(&mut self, plan: &Plan, numbers: &Numbers, at: &Inputs<'_>) {
        if !plan.moving.is_empty() {
            let leaf = |leaf| if leaf == Leaf::Time { [at.t, 1.0, 0.0] } else { [0.0; 3] };
            plan.ground.evaluate(3, &numbers.constants, leaf, &mut self.ground);
        }
        let posing = Posing { plans: &plan.poses, constants: &numbers.constants };
        self.motion.update_poses(&plan.steps, &numbers.links, posing, at.q);
        self.motion.update_rates(&plan.steps, &numbers.links, posing, at.v, at.a);
        self.motion.update_natural(&plan.natural, &numbers.natural, at);
    }

    /// Observer of the present motion.
    pub fn observer<'a>(&'a self, plan: &'a Plan, numbers: &'a Numbers) -> Observer<'a> {
        Observer { plan, numbers, motion: &self.motion, ground: &self.ground }
    }

    /// Evaluates a tape at the present motion; the first `wanted` Taylor coefficients of its roots are computed.
    pub fn evaluate(&mut self, wanted: usize, tape: &Tape, plan: &Plan, numbers: &Numbers, at: &Inputs<'_>) {
        let observer = Observer { plan, numbers, motion: &self.motion, ground: &self.ground };
        let (rates, joint_reactions, on_bodies) = (&self.rates, &self.joint_reactions, &self.on_bodies);
        let leaf = |leaf| match leaf {
            Leaf::Reaction(i, c) => [reaction_component(joint_reactions, on_bodies, i as usize, c as usize), 0.0, 0.0],
            _ => observer.leaf(leaf, at, rates),
        };
        tape.evaluate(wanted, &numbers.constants, leaf, &mut self.values);
    }

    /// Differentiates a root of the tape last evaluated: adds `factor` times the derivatives to the loads on bodies and to `direct`.
    pub fn differentiate(&mut self, tape: &Tape, sweep: &Sweep, plan: &Plan, numbers: &Numbers, factor: f64) {
        let observer = Observer { plan, numbers, motion: &self.motion, ground: &self.ground };
        let (wrenches, natural, direct) = (&mut self.wrenches, &mut self.natural.forces, &mut self.direct);
        tape.differentiate(sweep, &numbers.constants, &self.values, &mut self.adjoints, |leaf, derivative| {
            if let Some(i) = plan.direct_coordinate(leaf) {
                direct[i] += factor * derivative;
            } else if let Some((mover, wrench)) = observer.twist_derivative(leaf) {
                match mover {
                    Mover::Step(s) => wrenches[s] += wrench * (factor * derivative),
                    Mover::Natural(k) => {
                        natural[k] += observer.affine_derivative(leaf, k) * (factor * derivative);
                    }
                }
            }
        });
    }

    /// Sets all loads on bodies, and generalised forces, to zero.
    pub fn clear_loads(&mut self) {
        self.wrenches.fill(Wrench::ZERO);
        self.natural.forces.fill(Affine::ZERO);
        self.direct.fill(0.0);
    }

    /// Sets the applied wrenches and generalised forces: gravity and all loads.
    pub fn apply_loads(&mut self, plan: &Plan, numbers: &Numbers, at: &Inputs<'_>) {
        self.direct.fill(0.0);
        for (i, wrench) in self.wrenches.iter_mut().enumerate() {
            let Mass { mass, com, .. } = numbers.masses[i];
            let arm = com.rotated(self.motion.bodies[i].rotation);
            *wrench = Wrench::from_force(arm, numbers.gravity * mass);
        }
        for (forces, natural) in self.natural.forces.iter_mut().zip(&numbers.natural) {
            *forces = natural.moments.weight(numbers.gravity);
        }
        if plan.loads.applied.is_empty() {
            return;
        }
        self.evaluate(1, &plan.loads.values, plan, numbers, at);
        for load in &plan.loads.applied {
            let value = |root: usize| self.values.coefficient(plan.loads.values.root(root), 0);
            match load {
                Applied::Force { mover, marker, at } => {
                    let (point, force) = (numbers.points[marker.index()], Vector([value(*at), value(at + 1)]));
                    match *mover {
                        Mover::Step(s) => {
                            let arm = point.rotated(self.motion.bodies[s].rotation);
                            self.wrenches[s] += Wrench::from_force(arm, force);
                        }
                        Mover::Natural(k) => self.natural.forces[k] += Affine::from_force(point, force),
                    }
                }
                Applied::Torque { mover, at } => {
                    let torque = value(*at);
                    match *mover {
                        Mover::Step(s) => self.wrenches[s] += Wrench::torque(torque),
                        Mover::Natural(k) => self.natural.forces[k] += self.motion.natural[k].torque_on_axes(torque),
                    }
                }
                Applied::Along { at, sweep } => {
                    let factor = value(*at);
                    self.differentiate(&plan.loads.values, sweep, plan, numbers, factor);
                }
                Applied::Potential { sweep } => self.differentiate(&plan.loads.values, sweep, plan, numbers, -1.0),
            }
        }
    }

    /// Writes Q into `right`; requires the loads applied and the motion at q̈ = 0.
    pub fn forces(&mut self, plan: &Plan, numbers: &Numbers, masses: &[Mass]) {
        self.right.fill(0.0);
        self.newton_euler.required(&plan.steps, masses, &self.motion, &self.wrenches, &mut self.right);
        self.right.iter_mut().zip(&self.direct).for_each(|(x, d)| *x = d - *x);
        self.add_natural_forces(plan, numbers);
    }

    /// Adds the generalised forces on bodies in natural coordinates to `right`.
    fn add_natural_forces(&mut self, plan: &Plan, numbers: &Numbers) {
        for (k, natural) in plan.natural.iter().enumerate() {
            natural.project(&numbers.natural[k], &self.natural.forces[k], |i, x| self.right[i] += x);
        }
    }

    /// Writes ∂T/∂q + loads into `right`; requires the loads applied and the motion, at speeds v. Overwrites the wrenches.
    pub fn momentum_rates(&mut self, plan: &Plan, numbers: &Numbers, v: &[f64]) {
        let posing = Posing { plans: &plan.poses, constants: &numbers.constants };
        self.motion.update_column_rates(&plan.steps, &numbers.links, posing, v);
        self.right.copy_from_slice(&self.direct);
        let Work { momentum_rates, motion, wrenches, right, .. } = self;
        momentum_rates.add_rates(&plan.steps, &numbers.masses, motion, wrenches, right);
        self.add_natural_forces(plan, numbers);
    }

    /// Computes the entries of M into `mass`.
    pub fn mass_matrix(&mut self, plan: &Plan, numbers: &Numbers, masses: &[Mass]) {
        self.composite.mass_matrix(&plan.steps, masses, &self.motion, &mut self.mass);
        if self.unit.is_empty() {
            self.mass[plan.mass.len()..].copy_from_slice(&numbers.natural_mass);
        }
        for k in &self.unit {
            let of_bodies = if *k < plan.mass.len() { self.mass[*k] } else { 0.0 };
            self.mass[*k] = of_bodies + 1.0;
        }
    }

    /// ψ of the position and velocity rows at the present motion.
    pub fn velocity_residuals(&mut self, plan: &Plan, numbers: &Numbers, at: &Inputs<'_>, psi: &mut [f64]) {
        self.evaluate(2, &plan.tapes.residuals, plan, numbers, at);
        for (r, (row, psi)) in plan.rows.plans.iter().zip(psi).enumerate() {
            let order = [1, 0, 0][row.level];
            *psi = self.values.coefficient(plan.tapes.residuals.root(r), order);
        }
    }

    /// Computes the entries of G into `jacobian`; values of general rows remain in the buffer of the tape with N − 1 derivatives.
    pub fn constraint_jacobian(&mut self, plan: &Plan, numbers: &Numbers, at: &Inputs<'_>) {
        self.jacobian.fill(0.0);
        if plan.general.len() > 0 {
            self.evaluate(3, &plan.general, plan, numbers, at);
        }
        for (r, row) in plan.rows.plans.iter().enumerate() {
            match (&row.basic, &row.sweep) {
                (Some(basic), _) => {
                    let observer = Observer { plan, numbers, motion: &self.motion, ground: &self.ground };
                    let ends = basic.ends.map(|m| observer.end(m));
                    let wrenches = gradient(basic.equation, &ends, numbers.rows[r]);
                    for (end, wrench) in basic.ends.iter().zip(wrenches) {
                        let Some(Mover::Step(step)) = plan.marker_movers[end.index()] else { continue };
                        let chain = row.chains.iter().find(|c| c.0 == step).map_or(&[][..], |c| &c.1);
                        let mut slots = chain.iter();
                        self.motion.project_wrench(&plan.steps, step, wrench, |_, x| {
                            if let Some(slot) = slots.next() {
                                self.jacobian[*slot] += x;
                            }
                        });
                    }
                }
                (None, Some(sweep)) => {
                    row.chains.iter().for_each(|c| self.wrenches[c.0] = Wrench::ZERO);
                    row.natural.iter().for_each(|c| self.natural.forces[c.0] = Affine::ZERO);
                    row.direct.iter().for_each(|d| self.direct[d.0] = 0.0);
                    self.differentiate(&plan.general, sweep, plan, numbers, 1.0);
                    for (step, chain) in &row.chains {
                        let wrench = self.wrenches[*step];
                        let mut slots = chain.iter();
                        self.motion.project_wrench(&plan.steps, *step, wrench, |_, x| {
                            if let Some(slot) = slots.next() {
                                self.jacobian[*slot] += x;
                            }
                        });
                    }
                    for (k, slots) in &row.natural {
                        let mut slots = slots.iter();
                        plan.natural[*k].project(&numbers.natural[*k], &self.natural.forces[*k], |_, x| {
                            if let Some(slot) = slots.next() {
                                self.jacobian[*slot] += x;
                            }
                        });
                    }
                    row.direct.iter().for_each(|(c, slot)| self.jacobian[*slot] += self.direct[*c]);
                }
                (None, None) => {}
            }
        }
    }

    /// Writes γ; requires the motion at q̈ = 0 and the general rows evaluated by [`Work::constraint_jacobian`].
    pub fn gamma(&self, plan: &Plan, numbers: &Numbers, gamma: &mut [f64]) {
        let observer = Observer { plan, numbers, motion: &self.motion, ground: &self.ground };
        for (r, (row, gamma)) in plan.rows.plans.iter().zip(gamma).enumerate() {
            *gamma = match &row.basic {
                Some(basic) => {
                    let ends = basic.ends.map(|m| observer.end(m));
                    -second_rate(basic.equation, &ends, numbers.rows[r])
                }
                // A row of level k was differentiated 2 − k times.
                None => {
                    let (root, d) = (plan.general.root(row.general), 2 - row.level);
                    -[1.0, 1.0, 2.0][d] * self.values.coefficient(root, d)
                }
            };
        }
    }

    /// Factors [M Gᵀ; G 0] and solves in place: `x` contains f and becomes x, `mu` contains g and becomes μ.
    ///
    /// # Errors
    /// [`Error::Singular`].
    pub fn solve(&mut self, t: f64, x: &mut [f64], mu: &mut [f64]) -> Result<(), Error> {
        self.saddle.factor_and_solve(t, &self.mass, &self.jacobian, x, mu)
    }
}
