//! The contract with everything that moves mechanisms.

use mbs_core::{
    Condition, Energy, Error, Item, Level, Mechanism, Placement, Pose, Reaction, RowKind, Sizes, StateView,
};
use mbs_model::{BodyId, EquationCategory, RowLevel, RowOwner};

use crate::Engine;
use crate::plane::Wrench;
use crate::work::{Inputs, Metric, Work};

impl Engine {
    /// Prepares an evaluation: bodies moved as the state says.
    fn moved<R>(&self, at: &Inputs<'_>, evaluate: impl FnOnce(&mut Work) -> R) -> R {
        let work = &mut *self.work.borrow_mut();
        work.move_bodies(&self.shared.plan, &self.numbers, at);
        evaluate(work)
    }

    /// ż and z̈ into `work.rates`, which the observables of z need; z̈ is right where accelerations are given.
    fn evaluate_rates(&self, work: &mut Work, at: &Inputs<'_>) {
        let (plan, rates) = (&self.shared.plan, &self.shared.plan.rates);
        // z̈ takes ż, which may stand in other rates: once for each.
        let orders = if rates.roots() == 0 { 0 } else { 1 + usize::from(plan.outputs.nested() > 1) };
        for order in 0..orders {
            work.evaluate(order + 1, rates, plan, &self.numbers, at);
            for k in 0..rates.roots() {
                work.rates[k][order] = work.values.coefficient(rates.root(k), order);
            }
        }
    }

    /// Whether open-tree recursions solve it: no rows, and mass in every motion.
    fn is_open(&self) -> bool {
        let plan = &self.shared.plan;
        plan.rows.is_empty() && plan.n == plan.moved && self.shared.metric == Metric::Mass
    }

    /// M at the present motion, in the metric of the solver.
    fn metric(&self, work: &mut Work) {
        work.mass_matrix(&self.shared.plan, &self.masses);
    }
}

/// What became of an evaluation.
fn finite(t: f64, a: &[f64], lambda: &[f64]) -> Result<(), Error> {
    if mbs_core::all_finite(a) && mbs_core::all_finite(lambda) { Ok(()) } else { Err(Error::NotFinite { t }) }
}

impl Mechanism for Engine {
    type Coordinates = Box<[f64]>;
    type Speeds = Box<[f64]>;
    type Multipliers = Box<[f64]>;
    type Auxiliary = Box<[f64]>;
    type Inputs = Box<[f64]>;
    type Scratch = Box<[f64]>;

    fn sizes(&self) -> Sizes {
        let (tree, names) = (&self.shared.tree, &self.shared.names);
        Sizes {
            n_q: tree.n(),
            n_v: tree.n(),
            n_c: tree.rows.len(),
            n_position: tree.n_position,
            n_velocity: tree.n_velocity,
            n_z: names.auxiliary.len(),
            n_u: names.inputs.len(),
            n_outputs: names.outputs.len(),
            n_bodies: names.bodies.len(),
            n_markers: names.markers.len(),
            n_joints: names.joints.len(),
            n_forces: names.forces.len(),
            n_conditions: names.conditions.len(),
            n_events: 0,
        }
    }

    fn storage(&self) -> (Box<[f64]>, Box<[f64]>, Box<[f64]>, Box<[f64]>, Box<[f64]>, Box<[f64]>) {
        let s = self.sizes();
        let zeros = |n: usize| vec![0.0; n].into_boxed_slice();
        let scratch = s.n_conditions * (s.n_v + s.n_conditions + 2);
        (zeros(s.n_q), zeros(s.n_v), zeros(s.n_c), zeros(s.n_z), zeros(s.n_u), zeros(scratch))
    }

    fn guess(&self, q: &mut [f64], v: &mut [f64], z: &mut [f64]) {
        q.copy_from_slice(&self.shared.checked.q);
        v.copy_from_slice(&self.shared.speeds);
        let declared = self.shared.model.auxiliary.iter().flat_map(|a| a.quantity.default.iter());
        z.iter_mut().zip(declared).for_each(|(z, x)| *z = *x);
    }

    fn accelerations(&self, at: StateView, a: &mut [f64], lambda: &mut [f64]) -> Result<(), Error> {
        let (plan, numbers, inputs) = (&self.shared.plan, &self.numbers, Inputs::from(at));
        self.moved(&inputs, |work| {
            work.apply_loads(plan, numbers, &inputs);
            if self.is_open() {
                let Work { articulated, motion, wrenches, direct, .. } = work;
                let tree = (&plan.steps[..], &self.masses[..]);
                let solved = articulated.accelerations(tree, motion, wrenches, (direct, a));
                solved.map_err(|row| Error::Singular { row, t: at.t })?;
                return finite(at.t, a, lambda);
            }
            work.forces(plan, &self.masses);
            a.copy_from_slice(&work.right);
            self.metric(work);
            work.constraint_jacobian(plan, numbers, &inputs);
            work.gamma(plan, numbers, lambda);
            work.solve(at.t, a, lambda)?;
            finite(at.t, a, lambda)
        })
    }

    fn solve(&self, t: f64, q: &[f64], f: &[f64], g: &[f64], x: &mut [f64], mu: &mut [f64]) -> Result<(), Error> {
        let (plan, inputs) = (&self.shared.plan, Inputs { t, q, ..Inputs::default() });
        self.moved(&inputs, |work| {
            if self.is_open() {
                let Work { articulated, motion, .. } = work;
                let solved = articulated.solve((&plan.steps, &self.masses), motion, (f, x));
                return solved.map_err(|row| Error::Singular { row, t });
            }
            x.copy_from_slice(f);
            mu.copy_from_slice(g);
            self.metric(work);
            work.constraint_jacobian(plan, &self.numbers, &inputs);
            work.solve(t, x, mu)
        })
    }

    fn position_residuals(&self, t: f64, q: &[f64], phi: &mut [f64]) {
        let (tape, inputs) = (&self.shared.plan.residuals, Inputs { t, q, ..Inputs::default() });
        self.moved(&inputs, |work| {
            work.evaluate(1, tape, &self.shared.plan, &self.numbers, &inputs);
            phi.iter_mut().enumerate().for_each(|(r, phi)| *phi = work.values.coefficient(tape.root(r), 0));
        });
    }

    fn velocity_residuals(&self, t: f64, q: &[f64], v: &[f64], psi: &mut [f64]) {
        let inputs = Inputs { t, q, v, ..Inputs::default() };
        self.moved(&inputs, |work| work.velocity_residuals(&self.shared.plan, &self.numbers, &inputs, psi));
    }

    fn constraint_jacobian(&self, t: f64, q: &[f64], jacobian: &mut [f64]) {
        Engine::constraint_jacobian(self, t, q, jacobian);
    }

    fn auxiliary_rates(&self, at: StateView, rates: &mut [f64]) {
        let inputs = Inputs::from(at);
        self.moved(&inputs, |work| {
            self.evaluate_rates(work, &inputs);
            rates.iter_mut().zip(&work.rates).for_each(|(to, from)| *to = from[0]);
        });
    }

    fn generalized_forces(&self, at: StateView, forces: &mut [f64]) {
        let inputs = Inputs::from(at);
        self.moved(&inputs, |work| {
            work.apply_loads(&self.shared.plan, &self.numbers, &inputs);
            work.forces(&self.shared.plan, &self.numbers.masses);
            forces.copy_from_slice(&work.right);
        });
    }

    fn velocity_forces(&self, t: f64, q: &[f64], v: &[f64], forces: &mut [f64]) {
        let plan = &self.shared.plan;
        self.moved(&Inputs { t, q, v, ..Inputs::default() }, |work| {
            work.wrenches.fill(Wrench::default());
            work.direct.fill(0.0);
            work.forces(plan, &self.numbers.masses);
            forces.copy_from_slice(&work.right);
        });
    }

    fn reactions(&self, at: StateView, a: &[f64], lambda: &[f64], reactions: &mut [Reaction]) {
        let inputs = Inputs { a, lambda, ..Inputs::from(at) };
        self.moved(&inputs, |work| {
            self.evaluate_rates(work, &inputs);
            work.reactions((&self.shared.plan, &self.numbers, &self.numbers.masses), &inputs);
            for (exerted, reaction) in work.exerted.iter().zip(reactions) {
                *reaction = Reaction::planar(exerted.point, exerted.wrench.force, exerted.wrench.torque);
            }
        });
    }

    fn placement(&self, body: usize) -> Option<Placement> {
        let body = BodyId(u32::try_from(body).ok()?);
        let (joint, parent, reversed, speeds) = self.shared.tree.carried(body)?;
        let (first_speed, speeds) = (speeds.start, speeds.len());
        let parent = parent.map(BodyId::index);
        Some(Placement { joint: joint.index(), parent, reversed, first_speed, speeds })
    }

    fn row_kind(&self, row: usize) -> RowKind {
        let (model, tree) = (&self.shared.model, &self.shared.tree);
        match tree.rows.get(row).map(|row| model.row_owner(row)) {
            Some(RowOwner::Joint(j)) => RowKind::Joint(j.index()),
            Some(RowOwner::Equation(EquationCategory::Drive)) => RowKind::Drive,
            Some(RowOwner::Equation(EquationCategory::Coupling)) => RowKind::Coupling,
            _ => RowKind::Constraint,
        }
    }

    fn energy(&self, at: StateView) -> Energy {
        let (tape, inputs) = (&self.shared.plan.energy, Inputs::from(at));
        self.moved(&inputs, |work| {
            work.evaluate(1, tape, &self.shared.plan, &self.numbers, &inputs);
            let [kinetic, potential] = [0, 1].map(|k| work.values.coefficient(tape.root(k), 0));
            Energy { kinetic, potential }
        })
    }

    fn outputs(&self, at: StateView, a: &[f64], lambda: &[f64], outputs: &mut [f64]) {
        let (tape, inputs) = (&self.shared.plan.outputs, Inputs { a, lambda, ..Inputs::from(at) });
        self.moved(&inputs, |work| {
            self.evaluate_rates(work, &inputs);
            if self.shared.plan.reactions.observed {
                work.reactions((&self.shared.plan, &self.numbers, &self.numbers.masses), &inputs);
            }
            work.evaluate(1, tape, &self.shared.plan, &self.numbers, &inputs);
            let values = outputs.iter_mut().enumerate();
            values.for_each(|(k, x)| *x = work.values.coefficient(tape.root(k), 0));
        });
    }

    fn poses(&self, t: f64, q: &[f64], poses: &mut [Pose]) {
        self.moved(&Inputs { t, q, ..Inputs::default() }, |work| {
            for (step, pose) in self.shared.plan.step_of.iter().zip(poses) {
                let body = &work.motion.bodies[*step];
                *pose = Pose::planar(body.origin[0], body.origin[1], body.angle);
            }
        });
    }

    fn marker_positions(&self, t: f64, q: &[f64], positions: &mut [[f64; 3]]) {
        self.moved(&Inputs { t, q, ..Inputs::default() }, |work| {
            let observer = work.observer(&self.shared.plan, &self.numbers);
            for (marker, position) in self.shared.drawn.iter().zip(positions) {
                let [x, y] = observer.point(*marker).point;
                *position = [x, y, 0.0];
            }
        });
    }

    fn marker_body(&self, marker: usize) -> Option<usize> {
        let marker = self.shared.drawn.get(marker)?;
        self.shared.model.markers[marker.index()].body.map(BodyId::index)
    }

    fn ends(&self, item: Item) -> Option<[usize; 2]> {
        let model = &self.shared.model;
        match item {
            Item::Joint(i) => model.joints.get(i).and_then(|j| model.joint_ends(j)),
            Item::Force(i) => model.forces.get(i).and_then(|f| model.drawn_ends(f.ends?)),
            _ => None,
        }
    }

    fn body_jacobians(&self, t: f64, q: &[f64], jacobians: &mut [f64]) {
        let plan = &self.shared.plan;
        jacobians.fill(0.0);
        self.moved(&Inputs { t, q, ..Inputs::default() }, |work| {
            for (body, step) in plan.step_of.iter().enumerate() {
                let rows =
                    [(0, Wrench { force: [1.0, 0.0], torque: 0.0 }), (1, Wrench { force: [0.0, 1.0], torque: 0.0 })];
                for (row, wrench) in rows.into_iter().chain([(5, Wrench::torque(1.0))]) {
                    let row = &mut jacobians[(6 * body + row) * plan.n..][..plan.n];
                    work.motion.spread(&plan.steps, *step, wrench, |i, x| row[i] = x);
                }
            }
        });
    }

    fn initial_condition(&self, condition: usize, at: StateView, gradient: &mut [f64]) -> Condition {
        let (plan, inputs) = (&self.shared.plan, Inputs::from(at));
        let declared = &plan.condition_plans[condition];
        self.moved(&inputs, |work| {
            work.evaluate(1, &plan.conditions, plan, &self.numbers, &inputs);
            work.wrenches.fill(Wrench::default());
            work.direct.fill(0.0);
            work.differentiate(&plan.conditions, &declared.sweep, plan, &self.numbers, 1.0);
            gradient.copy_from_slice(&work.direct);
            for (step, wrench) in work.wrenches.iter().enumerate() {
                work.motion.spread(&plan.steps, step, *wrench, |i, x| gradient[i] += x);
            }
            let value = work.values.coefficient(plan.conditions.root(condition), 0);
            let level = if declared.level == RowLevel::Position { Level::Position } else { Level::Velocity };
            Condition { residual: value - self.numbers.constants.value(declared.value), level }
        })
    }

    fn name(&self, item: Item) -> &str {
        let names = &self.shared.names;
        let (list, index) = match item {
            Item::Mechanism => return &self.shared.model.name,
            Item::Coordinate(i) => (&names.coordinates, i),
            Item::Speed(i) => (&names.speeds, i),
            Item::Row(i) => (&names.rows, i),
            Item::Auxiliary(i) => (&names.auxiliary, i),
            Item::Input(i) => (&names.inputs, i),
            Item::Output(i) => (&names.outputs, i),
            Item::Body(i) => (&names.bodies, i),
            Item::Marker(i) => (&names.markers, i),
            Item::Joint(i) => (&names.joints, i),
            Item::Force(i) => (&names.forces, i),
            Item::Parameter(i) => (&names.parameters, i),
            Item::Condition(i) => (&names.conditions, i),
            _ => return "",
        };
        list.get(index).map_or("", String::as_str)
    }
}
