//! One evaluation in space: buffers, and the passes that fill them. Nothing here allocates after construction.

use mbs_core::Error;
use mbs_math::Vector;
use mbs_saddle::{Metric, Pattern, Saddle};

use super::joint_reactions::Reactions;
use super::link::Kind;
use super::motion::Motion;
use super::numbers::Numbers;
use super::observe::Observer;
use super::plan::Plan;
use super::recursion::{Articulated, Composite, MomentumRates, NewtonEuler};
use super::vector::{Column, Wrench};
use crate::inputs::Inputs;
use crate::natural::{Affine, NaturalWork};
use crate::plan::Applied;
use crate::tape::{Jet, Leaf, Sweep, Tape, Values};

/// Buffers of one engine.
#[derive(Clone, Debug)]
pub(crate) struct Work {
    pub motion: Motion,
    /// Values of the markers that move on ground.
    pub ground: Values,
    /// Values of the tape last evaluated.
    pub values: Values,
    /// Values of the expressions that measure coordinates of joints.
    pub measured: Values,
    pub adjoints: Vec<Jet>,
    /// Wrenches on bodies about their origins: applied loads, or derivatives.
    pub wrenches: Vec<Wrench>,
    /// Loads on coordinates, or derivatives with respect to coordinates.
    pub direct: Vec<f64>,
    /// Wrenches on links about their origins.
    pub on_links: Vec<Wrench>,
    pub reactions: Reactions,
    /// Generalised forces, or derivatives, by speed.
    pub right: Vec<f64>,
    /// Entries of M: those that links fill, or those of the solver's metric.
    pub mass: Vec<f64>,
    /// Entries of G.
    pub jacobian: Vec<f64>,
    /// ż and z̈.
    pub rates: Vec<[f64; 2]>,
    /// Number of entries of the solver's metric.
    metric: usize,
    pub newton_euler: NewtonEuler,
    pub composite: Composite,
    pub articulated: Articulated,
    pub momentum_rates: MomentumRates,
    pub saddle: Saddle,
    pub natural: NaturalWork<3>,
}

impl Work {
    /// Allocates the buffers of a plan; `scale` is a typical diagonal entry of M.
    pub fn new(plan: &Plan, numbers: &Numbers, metric: Metric, scale: f64) -> Self {
        let tapes = [
            &plan.tapes.residuals,
            &plan.loads.values,
            &plan.tapes.rates,
            &plan.tapes.outputs,
            &plan.tapes.energy,
            &plan.tapes.conditions,
        ];
        let measuring = &plan.reactions.tape;
        let longest = tapes.iter().map(|t| t.len()).chain([measuring.len()]).max().unwrap_or(0);
        let [mut values, mut measured, mut ground] = [Values::default(), Values::default(), Values::default()];
        tapes.iter().for_each(|t| values.grow(t));
        measured.grow(measuring);
        ground.grow(&plan.ground);
        let mass = plan.mass_pattern(metric);
        let pattern = Pattern {
            n_v: plan.n_v,
            n_c: plan.rows.plans.len(),
            mass: mass.clone(),
            jacobian: plan.rows.jacobian.clone(),
            switched: plan.rows.switched.clone(),
            massless: metric == Metric::Mass && numbers.massless,
            scale,
        };
        let bodies = plan.link_of.len();
        Work {
            motion: Motion::new(&plan.links, [bodies, plan.natural.bodies.len(), plan.n_q], &plan.poses),
            ground,
            values,
            measured,
            adjoints: vec![[0.0; 3]; longest],
            wrenches: vec![Wrench::ZERO; bodies],
            direct: vec![0.0; plan.n_q],
            on_links: vec![Wrench::ZERO; plan.links.len()],
            reactions: Reactions::new(plan.reactions.counts(), bodies),
            right: vec![0.0; plan.n_v],
            mass: vec![0.0; mass.len().max(plan.mass.len())],
            metric: mass.len(),
            jacobian: vec![0.0; plan.rows.jacobian.len()],
            rates: vec![[0.0; 2]; plan.tapes.rates.roots()],
            newton_euler: NewtonEuler::new(&plan.links),
            composite: Composite::new(&plan.links),
            articulated: Articulated::new(&plan.links),
            momentum_rates: MomentumRates::new(&plan.links),
            saddle: Saddle::new(&pattern),
            natural: NaturalWork::new(plan.natural.bodies.iter().map(|n| n.basics.len()), plan.n_v, &plan.natural.mass),
        }
    }

    /// Updates poses, velocities and accelerations, including those of moving markers on ground; empty `v` and `a` stand for zeros.
    pub fn move_bodies(&mut self, plan: &Plan, numbers: &Numbers, at: &Inputs<'_>) {
        if !plan.moving.is_empty() {
            let leaf = |leaf| if leaf == Leaf::Time { [at.t, 1.0, 0.0] } else { [0.0; 3] };
            plan.ground.evaluate(3, &numbers.constants, leaf, &mut self.ground);
        }
        self.motion.run(numbers.tree(plan), [at.q, at.v, at.a]);
    }

    /// Observer of the present motion.
    pub fn observer<'a>(&'a self, plan: &'a Plan, numbers: &'a Numbers) -> Observer<'a> {
        Observer { plan, numbers, motion: &self.motion, ground: &self.ground }
    }

    /// Evaluates a tape at the present motion; the first `wanted` Taylor coefficients of its roots are computed.
    pub fn evaluate(&mut self, wanted: usize, tape: &Tape, plan: &Plan, numbers: &Numbers, at: &Inputs<'_>) {
        let observer = Observer { plan, numbers, motion: &self.motion, ground: &self.ground };
        let (rates, reactions) = (&self.rates, &self.reactions);
        let leaf = |leaf| match leaf {
            Leaf::Reaction(i, c) => [reactions.component(i as usize, c as usize), 0.0, 0.0],
            _ => observer.leaf(leaf, at, rates),
        };
        tape.evaluate(wanted, &numbers.constants, leaf, &mut self.values);
    }

    /// Sets wrenches on bodies and loads on coordinates to zero.
    pub fn clear(&mut self) {
        self.wrenches.fill(Wrench::ZERO);
        self.direct.fill(0.0);
    }

    /// As `clear`, and clears the forces on bodies in natural coordinates.
    pub fn clear_loads(&mut self) {
        self.clear();
        self.natural.forces.fill(Affine::ZERO);
    }

    /// Moves forces on bodies in natural coordinates to the loads on coordinates.
    pub fn gather_natural(&mut self, plan: &Plan, numbers: &Numbers) {
        let bodies = plan.natural.bodies.iter().zip(&numbers.natural);
        for ((body, numbers), forces) in bodies.zip(&mut self.natural.forces) {
            body.project(numbers, forces, &mut self.direct);
            *forces = Affine::ZERO;
        }
    }

    /// Differentiates a root of the tape last evaluated: adds `factor` times the derivatives to the wrenches on bodies, to the forces on those in
    /// natural coordinates, and to `direct`.
    pub fn differentiate(&mut self, tape: &Tape, sweep: &Sweep, plan: &Plan, numbers: &Numbers, factor: f64) {
        let observer = Observer { plan, numbers, motion: &self.motion, ground: &self.ground };
        let (wrenches, natural, direct) = (&mut self.wrenches, &mut self.natural.forces, &mut self.direct);
        tape.differentiate(sweep, &numbers.constants, &self.values, &mut self.adjoints, |leaf, derivative| {
            if let Some(i) = plan.coordinate(leaf) {
                direct[i] += factor * derivative;
            } else if let Some((body, wrench)) = observer.twist_derivative(leaf) {
                wrenches[body] += wrench * (factor * derivative);
                if let Some(k) = plan.natural.index_of[body] {
                    natural[k] += observer.affine_derivative(leaf, k) * (factor * derivative);
                }
            }
        });
    }

    /// Sums the wrenches on bodies into wrenches on their links.
    pub fn gather(&mut self, plan: &Plan) {
        self.on_links.fill(Wrench::ZERO);
        for (body, link) in plan.link_of.iter().enumerate() {
            if let Some(link) = link {
                self.on_links[*link] += self.wrenches[body].shifted(self.motion.bodies[body].offset);
            }
        }
    }

    /// Adds Nᵀ times the loads on coordinates to generalised forces, one for each speed.
    pub fn add_coordinate_loads(&self, plan: &Plan, q: &[f64], sums: &mut [f64]) {
        for link in &plan.links {
            let loads = &self.direct[link.coordinates()];
            if loads.iter().any(|x| *x != 0.0) {
                self.motion.project_coordinate_loads(link, &q[link.coordinates()], loads, &mut sums[link.speeds()]);
            }
        }
        sums[plan.moved_v..].iter_mut().zip(&self.direct[plan.moved_q..]).for_each(|(sum, x)| *sum += x);
    }

    /// Sets the applied wrenches on bodies and the loads on coordinates: gravity and all loads.
    pub fn apply_loads(&mut self, plan: &Plan, numbers: &Numbers, at: &Inputs<'_>) {
        self.direct.fill(0.0);
        for (wrench, (mass, body)) in self.wrenches.iter_mut().zip(numbers.masses.iter().zip(&self.motion.bodies)) {
            *wrench = Wrench::from_force(body.rotation * mass.com, numbers.gravity * mass.mass);
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
            let vector = |root: usize| Vector([0, 1, 2].map(|k| value(root + k)));
            match load {
                Applied::Force { mover: body, marker, at } => {
                    let (point, force) = (numbers.markers[marker.index()].point, vector(*at));
                    self.wrenches[*body] += Wrench::from_force(self.motion.bodies[*body].rotation * point, force);
                    if let Some(k) = plan.natural.index_of[*body] {
                        self.natural.forces[k] += Affine::from_force(point, force);
                    }
                }
                Applied::Torque { mover: body, at } => {
                    let torque = vector(*at);
                    self.wrenches[*body] += Wrench::torque(torque);
                    if let Some(k) = plan.natural.index_of[*body] {
                        self.natural.forces[k] += self.motion.natural[k].torque_on_axes(&numbers.natural[k], torque);
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

    /// Writes Q into `right`; requires the loads applied and the motion at v̇ = 0.
    pub fn forces(&mut self, plan: &Plan, numbers: &Numbers, q: &[f64]) {
        self.gather(plan);
        let mut right = std::mem::take(&mut self.right);
        let required = &mut right[..plan.moved_v];
        self.newton_euler.required(&plan.links, &numbers.inertias, &self.motion, &self.on_links, required);
        right[..plan.moved_v].iter_mut().for_each(|x| *x = -*x);
        right[plan.moved_v..].fill(0.0);
        self.gather_natural(plan, numbers);
        self.add_coordinate_loads(plan, q, &mut right);
        self.right = right;
    }

    /// Writes ∂T/∂q + loads into `right`; requires the loads applied and the motion, at coordinates q and speeds v that are their rates.
    pub fn momentum_rates(&mut self, plan: &Plan, numbers: &Numbers, [q, v]: [&[f64]; 2]) {
        self.motion.update_column_rates(numbers.tree(plan), [q, v]);
        self.gather(plan);
        let mut right = std::mem::take(&mut self.right);
        right.fill(0.0);
        let Work { momentum_rates, motion, on_links, .. } = self;
        momentum_rates.add_rates(&plan.links, &numbers.inertias, motion, on_links, &mut right);
        self.gather_natural(plan, numbers);
        self.add_coordinate_loads(plan, q, &mut right);
        self.right = right;
    }

    /// Computes the entries of M into `mass`.
    pub fn mass_matrix(&mut self, plan: &Plan, numbers: &Numbers, metric: Metric) {
        match metric {
            Metric::Mass => {
                self.composite.mass_matrix(&plan.links, &numbers.inertias, &self.motion, &mut self.mass);
                if let Some(natural) = self.mass.get_mut(plan.mass.len()..plan.mass.len() + plan.natural.mass.len()) {
                    natural.copy_from_slice(&numbers.natural_mass);
                }
            }
            Metric::Unit => self.unit_matrix(plan, numbers),
        }
    }

    /// The matrix of the sum of squares of the solver's speeds, which are: rates of angles and displacements; relative angular velocities of
    /// links with attitudes; relative velocities of the origins of free links, or of their centres of mass where the solver has those.
    fn unit_matrix(&mut self, plan: &Plan, numbers: &Numbers) {
        let mut entries = self.mass[..self.metric].iter_mut();
        for (l, link) in plan.links.iter().enumerate() {
            let arm = self.motion.links[l].rotation * numbers.centres[l];
            let solver = |k: usize| {
                let Column { velocity, rate } = self.motion.columns[k];
                Column { velocity: velocity + rate.cross(arm), rate }
            };
            for i in link.speeds() {
                for (j, entry) in (link.first_v..=i).zip(&mut entries) {
                    let other = solver(j);
                    *entry = match link.kind {
                        Kind::Float { .. } => solver(i).power(Wrench { force: other.velocity, torque: other.rate }),
                        _ => f64::from(i == j),
                    };
                }
            }
        }
        entries.for_each(|entry| *entry = 1.0);
    }

    /// ψ of the position and velocity rows at the present motion.
    pub fn velocity_residuals(&mut self, plan: &Plan, numbers: &Numbers, at: &Inputs<'_>, psi: &mut [f64]) {
        self.evaluate(2, &plan.tapes.residuals, plan, numbers, at);
        for (r, (row, psi)) in plan.rows.plans.iter().zip(psi).enumerate() {
            *psi = self.values.coefficient(plan.tapes.residuals.root(r), [1, 0, 0][row.level]);
        }
    }

    /// Computes the entries of G into `jacobian`; values of rows remain in the buffer of the tape with their second rates.
    pub fn constraint_jacobian(&mut self, plan: &Plan, numbers: &Numbers, at: &Inputs<'_>) {
        if plan.rows.plans.is_empty() {
            return;
        }
        self.evaluate(3, &plan.tapes.residuals, plan, numbers, at);
        self.clear_loads();
        let mut sums = std::mem::take(&mut self.right);
        for row in &plan.rows.plans {
            let entries = row.slots.clone();
            entries.clone().for_each(|slot| sums[plan.rows.jacobian[slot].1] = 0.0);
            self.differentiate(&plan.tapes.residuals, &row.sweep, plan, numbers, 1.0);
            for body in &row.bodies {
                let wrench = std::mem::replace(&mut self.wrenches[*body], Wrench::ZERO);
                if let Some(link) = plan.link_of[*body] {
                    let wrench = wrench.shifted(self.motion.bodies[*body].offset);
                    self.motion.project_wrench(&plan.links, link, wrench, |k, x| sums[k] += x);
                }
            }
            for k in row.bodies.iter().filter_map(|b| plan.natural.index_of[*b]) {
                let forces = std::mem::replace(&mut self.natural.forces[k], Affine::ZERO);
                plan.natural.bodies[k].project(&numbers.natural[k], &forces, &mut self.direct);
            }
            for link in row.owners.iter().map(|l| &plan.links[*l]) {
                let (q, derivatives) = (&at.q[link.coordinates()], &self.direct[link.coordinates()]);
                self.motion.project_coordinate_loads(link, q, derivatives, &mut sums[link.speeds()]);
            }
            for i in &row.coordinates {
                let derivative = std::mem::take(&mut self.direct[*i]);
                if let Some(speed) = plan.rate_speed(*i) {
                    sums[speed] += derivative;
                }
            }
            entries.for_each(|slot| self.jacobian[slot] = sums[plan.rows.jacobian[slot].1]);
        }
        self.right = sums;
    }

    /// Writes γ; requires the motion at v̇ = 0 and the rows evaluated by [`Work::constraint_jacobian`].
    pub fn gamma(&self, plan: &Plan, gamma: &mut [f64]) {
        for (r, (row, gamma)) in plan.rows.plans.iter().zip(gamma).enumerate() {
            // A row of level k was differentiated 2 − k times.
            let d = 2 - row.level;
            *gamma = -[1.0, 1.0, 2.0][d] * self.values.coefficient(plan.tapes.residuals.root(r), d);
        }
    }

    /// Factors [M Gᵀ; G 0] and solves in place: `x` contains f and becomes x, `mu` contains g and becomes μ.
    ///
    /// # Errors
    /// [`Error::Singular`].
    pub fn solve(&mut self, t: f64, x: &mut [f64], mu: &mut [f64]) -> Result<(), Error> {
        self.saddle.factor_and_solve(t, &self.mass[..self.metric], &self.jacobian, x, mu)
    }
}
