//! Mechanisms with bodies in natural coordinates, by the formulas of mbs-physics on Taylor series in time, with dense matrices.
//!
//! ```text
//! (1)  Φ = value    ψ = Φ̇    G = ∂Φ/∂q̂ W    γ = −Φ̈ at v̇ = 0      on the path q(τ), q̇ = N v
//! (2)  M = Wᵀ M̂ W      Q = Wᵀ (Q̂ − M̂ ẅ)                              W = 1 except for bodies in other coordinates
//! ```
//!
//! This evaluation is slow, and it allocates: natural coordinates are meant for compiled mechanisms, which tests compare with it. The
//! factorisation uses the entries of M and G that are not zero in general (`sparsity`).

mod moving;
mod sparsity;

use std::borrow::Cow;
use std::cell::RefCell;
use std::sync::Arc;

use mbs_core::{Condition, Energy, Error, Level, Pose, Reaction, StateView};
use mbs_definition::Space;
use mbs_expr::{FunctionSource, MarkerId, Series};
use mbs_model::{Model, RowLevel};
use mbs_physics::{Mechanics, Tree, Variables};
use mbs_saddle::Metric;

use crate::constants::Constants;
use crate::dynamics::{Dynamics, finite};
use crate::inputs::Inputs;
use crate::products::Products;

use moving::Moving;
use sparsity::Sparsity;

/// Taylor series with coefficients for two nested rates, which is the most that a motion has, and the rate of an event or an auxiliary state.
type Motion = Series<4>;

/// Such a mechanism at some parameters.
#[derive(Clone, Debug)]
pub(crate) struct Natural {
    model: Arc<Model>,
    tree: Arc<Tree>,
    constants: Constants,
    parameters: Vec<f64>,
    metric: Metric,
    sparsity: RefCell<Sparsity>,
}

fn constants(values: &[f64]) -> Vec<Motion> {
    values.iter().map(|x| Series::constant(*x)).collect()
}

impl Natural {
    /// Evaluation of a model at `parameters`; `scale` is a typical diagonal entry of M.
    pub fn new(
        model: &Model,
        tree: &Tree,
        mut constants: Constants,
        parameters: &[f64],
        (metric, scale): (Metric, f64),
    ) -> Self {
        constants.evaluate(model, parameters);
        let (n_v, n_c) = (tree.n(), tree.rows.len());
        // Counts of revolutions are massless, and so are vectors of bodies without inertia.
        let sparsity = RefCell::new(Sparsity::new([n_v, n_c], true, tree.switched_rows(), scale));
        let (model, tree) = (Arc::new(model.clone()), Arc::new(tree.clone()));
        let natural = Natural { model, tree, constants, parameters: parameters.to_vec(), metric, sparsity };
        natural.find_entries();
        natural
    }

    /// Finds the entries of M and G at states without symmetry, so that the order of elimination does not depend on the states of a run. Functions
    /// written in Rust are not called at states that no user has chosen: with these, entries are found on the way.
    fn find_entries(&self) {
        if self.model.functions.iter().any(|f| f.source() == FunctionSource::Rust) {
            return;
        }
        let (n_q, n_u) = (self.tree.n_q(), Model::flat_size(&self.model.quantities.inputs));
        // Multiples of the golden ratio are spread evenly and have no ratios of small numbers.
        let number = |i: usize| 0.2 + (i as f64 * 0.618_033_988_749_894_9).fract();
        let list = |first: usize, n: usize| (first..first + n).map(number).collect::<Vec<f64>>();
        for start in [1, 1_000_000] {
            let (q, v) = (list(start, n_q), list(start + n_q, self.tree.n()));
            let (z, u) = (list(start + 2 * n_q, self.model.n_stored()), list(start + 3 * n_q, n_u));
            let at = StateView { t: number(start), q: &q, v: &v, z: &z, u: &u };
            let moving = self.row_motion(&self.jacobian_inputs(at));
            self.sparsity.borrow_mut().add(&self.metric_of(&self.mass(&moving)), &self.jacobian(&moving));
        }
    }

    fn variables(&self, at: &Inputs<'_>, z: &[[f64; 2]]) -> Variables<Motion> {
        let state = |(i, z_i): (usize, &f64)| {
            let [first, second] = z.get(i).copied().unwrap_or_default();
            let mut series = Motion::linear(*z_i, first);
            series.0[2] = 0.5 * second;
            series
        };
        let mut inputs = constants(at.u);
        inputs.resize(Model::flat_size(&self.model.quantities.inputs), Series::constant(0.0));
        let mut auxiliary: Vec<Motion> = at.z.iter().enumerate().map(state).collect();
        auxiliary.resize(self.model.n_stored(), Series::constant(0.0));
        let mut multipliers = constants(at.lambda);
        multipliers.resize(self.tree.rows.len(), Series::constant(0.0));
        Variables {
            t: Series::linear(at.t, 1.0),
            parameters: constants(&self.parameters),
            inputs,
            auxiliary,
            multipliers,
            reactions: Vec::new(),
            prescribed: Vec::new(),
        }
    }

    /// As `motion`, with the first and second rates of auxiliary states.
    fn motion_with_states(&self, at: &Inputs<'_>) -> Moving<'_> {
        let mut z = vec![[0.0; 2]; at.z.len().min(self.model.n_z())];
        for order in 0..if z.is_empty() { 0 } else { 2 } {
            let moving = self.motion(at, &z);
            for (z, rate) in z.iter_mut().zip(self.model.quantities.auxiliary.iter().flat_map(|a| &a.rates)) {
                z[order] = moving.at.value(*rate).derivative(order);
            }
        }
        self.motion(at, &z)
    }

    /// Motion that rows depend on: with the rates of auxiliary states where rows depend on those.
    fn row_motion(&self, at: &Inputs<'_>) -> Moving<'_> {
        if self.model.positions_read_states() { self.motion_with_states(at) } else { self.motion(at, &[]) }
    }

    /// The inputs that G depends on.
    fn jacobian_inputs<'a>(&self, at: StateView<'a>) -> Inputs<'a> {
        match self.model.jacobian_reads_speeds() {
            true => Inputs::for_velocities(at),
            false => Inputs::for_positions(at),
        }
    }

    /// ψ of the position and velocity rows.
    fn velocity_residual_values(&self, moving: &Moving<'_>, psi: &mut [f64]) {
        for (row, psi) in self.tree.rows.iter().zip(psi).filter(|(row, _)| row.level <= RowLevel::Velocity) {
            *psi = moving.at.value(row.residual).derivative(usize::from(row.level == RowLevel::Position));
        }
    }

    /// M, row-major.
    fn mass(&self, moving: &Moving<'_>) -> Vec<f64> {
        let n = self.tree.n();
        let mut mass = vec![0.0; n * n];
        for (i, j, m) in moving.at.mass_matrix() {
            mass[i * n + j] = m.value();
            mass[j * n + i] = m.value();
        }
        moving.project_columns(n, &mut mass);
        let mut transposed: Vec<f64> = (0..n * n).map(|k| mass[k % n * n + k / n]).collect();
        moving.project_columns(n, &mut transposed);
        transposed
    }

    /// G, row-major.
    fn jacobian(&self, moving: &Moving<'_>) -> Vec<f64> {
        let n = self.tree.n();
        let mut jacobian = vec![0.0; self.tree.rows.len() * n];
        for (r, row) in self.tree.rows.iter().enumerate() {
            moving.at.gradient(row.residual, row.level).into_iter().for_each(|(i, g)| jacobian[r * n + i] = g);
        }
        moving.project_columns(n, &mut jacobian);
        jacobian
    }

    /// Q, or its part that is quadratic in speeds.
    fn forces(&self, moving: &Moving<'_>, loads: bool) -> Vec<f64> {
        let n = self.tree.n();
        let mut forces = moving.solver_forces(loads);
        if moving.rates.is_some() {
            for (i, j, m) in moving.at.mass_matrix() {
                forces[i] -= m.value() * moving.bias[j];
                if i != j {
                    forces[j] -= m.value() * moving.bias[i];
                }
            }
        }
        moving.project_columns(n, &mut forces);
        forces
    }

    /// −γ: second rates of position rows, rates of velocity rows, values of acceleration rows, at v̇ = 0.
    fn row_bias(&self, moving: &Moving<'_>, row_bias: &mut [f64]) {
        for (row, bias) in self.tree.rows.iter().zip(row_bias) {
            let order = match row.level {
                RowLevel::Position => 2,
                RowLevel::Velocity => 1,
                RowLevel::Acceleration => 0,
            };
            *bias = moving.at.value(row.residual).derivative(order);
        }
    }

    /// The matrix that the solver uses as M, row-major.
    fn metric_of<'a>(&self, mass: &'a [f64]) -> Cow<'a, [f64]> {
        match self.metric {
            Metric::Mass => Cow::Borrowed(mass),
            Metric::Unit => {
                let n = self.tree.n();
                Cow::Owned((0..n * n).map(|k| f64::from(u8::from(k / n == k % n))).collect())
            }
        }
    }

    fn factor_and_solve(
        &self,
        t: f64,
        mass: &[f64],
        jacobian: &[f64],
        x: &mut [f64],
        mu: &mut [f64],
    ) -> Result<(), Error> {
        self.sparsity.borrow_mut().factor_and_solve(t, [&self.metric_of(mass), jacobian], [x, mu])
    }

    /// The motion with the reactions, if expressions depend on them.
    fn motion_with_reactions(&self, at: &Inputs<'_>) -> Moving<'_> {
        let mut moving = self.motion_with_states(at);
        if self.model.reaction_count() > 0 {
            let derivatives = |e, level| moving.at.derivatives(e, level);
            let found = moving.at.reactions(&derivatives);
            moving.at.variables.reactions = moving.at.observed_reactions(&found, &derivatives);
            moving.at.clear_cache();
        }
        moving
    }
}

impl Products for Natural {
    fn multiply_by_mass_matrix(&self, at: StateView, x: &[f64], product: &mut [f64]) {
        let n = self.tree.n();
        let mass = self.mass(&self.motion(&Inputs::for_positions(at), &[]));
        for (product, row) in product.iter_mut().zip(mass.chunks_exact(n.max(1))) {
            *product = row.iter().zip(x).map(|(m, x)| m * x).sum();
        }
    }

    fn multiply_by_inverse_mass_matrix(&self, at: StateView, f: &[f64], product: &mut [f64]) -> Result<(), Error> {
        let n = self.tree.n();
        let mass = self.mass(&self.motion(&Inputs::for_positions(at), &[]));
        product.copy_from_slice(f);
        let mut sparsity = Sparsity::new([n, 0], false, Vec::new(), 1.0);
        sparsity.add(&mass, &[]);
        sparsity.factor(&mass, &[]).map_err(|row| Error::Singular { row, t: at.t })?;
        sparsity.solve(product, &mut []);
        Ok(())
    }

    fn visit_constraint_jacobian(&self, at: StateView, visit: &mut dyn FnMut(usize, usize, f64)) {
        let n = self.tree.n().max(1);
        let jacobian = self.jacobian(&self.row_motion(&self.jacobian_inputs(at)));
        jacobian.iter().enumerate().filter(|(_, g)| **g != 0.0).for_each(|(k, g)| visit(k / n, k % n, *g));
    }
}

impl Dynamics for Natural {
    fn set_parameters(&mut self, model: &Model, _: &Tree, parameters: &[f64]) -> Result<(), Error> {
        let before = self.constants.clone();
        self.constants.evaluate(model, parameters);
        if !self.constants.is_finite() {
            self.constants = before;
            return Err(Error::NotFinite { t: 0.0 });
        }
        self.parameters.copy_from_slice(parameters);
        Ok(())
    }

    fn constants(&self) -> &Constants {
        &self.constants
    }

    fn constants_mut(&mut self) -> &mut Constants {
        &mut self.constants
    }

    fn functions_changed(&mut self) {
        Arc::make_mut(&mut self.model).functions = self.constants.functions().to_vec();
    }

    fn accelerations(&self, at: StateView, a: &mut [f64], lambda: &mut [f64]) -> Result<(), Error> {
        let moving = self.motion_with_states(&Inputs::from(at));
        a.copy_from_slice(&self.forces(&moving, true));
        self.row_bias(&moving, lambda);
        lambda.iter_mut().for_each(|x| *x = -*x);
        self.factor_and_solve(at.t, &self.mass(&moving), &self.jacobian(&moving), a, lambda)?;
        finite(at.t, a, lambda)
    }

    fn solve(&self, at: StateView, f: &[f64], g: &[f64], x: &mut [f64], mu: &mut [f64]) -> Result<(), Error> {
        let rows = self.row_motion(&self.jacobian_inputs(at));
        x.copy_from_slice(f);
        mu.copy_from_slice(g);
        self.factor_and_solve(at.t, &self.mass(&rows), &self.jacobian(&rows), x, mu)
    }

    fn position_residuals(&self, at: StateView, phi: &mut [f64]) {
        let rows = self.row_motion(&Inputs::for_positions(at));
        let residuals = self.tree.rows.iter().map(|row| rows.at.value(row.residual).value());
        phi.iter_mut().zip(residuals).for_each(|(phi, x)| *phi = x);
    }

    fn velocity_residuals(&self, at: StateView, psi: &mut [f64]) {
        self.velocity_residual_values(&self.row_motion(&Inputs::for_velocities(at)), psi);
    }

    fn constraint_jacobian(&self, at: StateView, jacobian: &mut [f64]) {
        let all = self.jacobian(&self.row_motion(&self.jacobian_inputs(at)));
        jacobian.iter_mut().zip(all).for_each(|(to, g)| *to = g);
    }

    fn mass_matrix(&self, at: StateView, mass: &mut [f64]) {
        mass.copy_from_slice(&self.mass(&self.motion(&Inputs::for_positions(at), &[])));
    }

    fn nu(&self, at: StateView, nu: &mut [f64]) {
        let n = self.tree.n();
        nu.fill(0.0);
        let rest = vec![0.0; n];
        let reads_speeds = self.model.jacobian_reads_speeds();
        let at =
            if reads_speeds { Inputs::for_velocities(at) } else { Inputs { v: &rest, ..Inputs::for_positions(at) } };
        let rows = self.row_motion(&at);
        self.velocity_residual_values(&rows, nu);
        nu.iter_mut().for_each(|x| *x = -*x);
        if reads_speeds {
            let jacobian = self.jacobian(&rows);
            for (nu, row) in nu.iter_mut().zip(jacobian.chunks_exact(n.max(1))).take(self.tree.n_velocity) {
                *nu += row.iter().zip(at.v).map(|(g, v)| g * v).sum::<f64>();
            }
        }
    }

    fn gamma(&self, at: StateView, gamma: &mut [f64]) {
        self.row_bias(&self.row_motion(&Inputs::from(at)), gamma);
        gamma.iter_mut().for_each(|x| *x = -*x);
    }

    fn coordinate_rates(&self, t: f64, q: &[f64], v: &[f64], rates: &mut [f64]) {
        if !self.is_mapped() {
            rates.copy_from_slice(v);
            return;
        }
        let variables = self.variables(&Inputs { t, q, ..Inputs::default() }, &[]);
        let (model, tree, v) = (&*self.model, &*self.tree, constants(v));
        let all = match self.model.space {
            Space::Planar => Mechanics::declared_rates(model, tree, variables, &constants(q), &v),
            Space::Spatial => {
                let rest = constants(&vec![0.0; tree.n()]);
                let kinematics = Mechanics::at_spatial_state(model, tree, variables, constants(q), [&rest, &rest]);
                kinematics.spatial().state.coordinate_rates(tree, &v)
            }
        };
        rates.iter_mut().zip(all).for_each(|(to, rate)| *to = rate.value());
    }

    fn auxiliary_rates(&self, at: StateView, rates: &mut [f64]) {
        let moving = self.motion_with_states(&Inputs::from(at));
        let all = self.model.quantities.auxiliary.iter().flat_map(|a| &a.rates);
        rates.iter_mut().zip(all).for_each(|(to, e)| *to = moving.at.value(*e).value());
    }

    fn generalized_forces(&self, at: StateView, forces: &mut [f64]) {
        forces.copy_from_slice(&self.forces(&self.motion_with_states(&Inputs::from(at)), true));
    }

    fn velocity_forces(&self, at: StateView, forces: &mut [f64]) {
        forces.copy_from_slice(&self.forces(&self.motion(&Inputs::for_velocities(at), &[]), false));
    }

    fn reactions(&self, at: StateView, a: &[f64], lambda: &[f64], reactions: &mut [Reaction]) {
        let moving = self.motion_with_states(&Inputs { a, lambda, ..Inputs::from(at) });
        let found = moving.at.reactions(&|e, level| moving.at.derivatives(e, level));
        for (reaction, exerted) in reactions.iter_mut().zip(found.joints) {
            let [point, force, torque] =
                [exerted.point, exerted.wrench.force, exerted.wrench.torque].map(|v| v.map(|x| x.value()).0);
            *reaction = Reaction { point, force, torque };
        }
    }

    fn energy(&self, at: StateView) -> Energy {
        let moving = self.motion_with_states(&Inputs::from(at));
        let [kinetic, potential] =
            [self.model.energy.kinetic, self.model.energy.potential].map(|e| moving.at.value(e).value());
        Energy { kinetic, potential }
    }

    fn outputs(&self, at: StateView, a: &[f64], lambda: &[f64], outputs: &mut [f64]) {
        let moving = self.motion_with_reactions(&Inputs { a, lambda, ..Inputs::from(at) });
        let values = self.model.outputs.iter().flat_map(|o| &o.values);
        outputs.iter_mut().zip(values).for_each(|(to, e)| *to = moving.at.value(*e).value());
    }

    fn observe_events(&self, inputs: &Inputs<'_>, order: usize, observe: &mut dyn FnMut(usize, f64)) {
        let moving = self.motion_with_reactions(inputs);
        let roots = self.model.events.iter().flat_map(|event| event.roots());
        roots.enumerate().for_each(|(k, e)| observe(k, moving.at.value(e).derivative(order)));
    }

    fn observe_memories(&self, at: &Inputs<'_>, _: usize, observe: &mut dyn FnMut(usize, f64)) {
        let moving = self.motion(at, &[]);
        self.model
            .quantities
            .memories
            .iter()
            .enumerate()
            .for_each(|(i, m)| observe(i, moving.at.value(m.value).value()));
    }

    fn poses(&self, at: StateView, poses: &mut [Pose]) {
        let moving = self.motion(&Inputs::for_positions(at), &[]);
        poses.iter_mut().enumerate().for_each(|(b, pose)| *pose = moving.pose(b));
    }

    fn marker_positions(&self, at: StateView, markers: &[MarkerId], positions: &mut [[f64; 3]]) {
        let moving = self.motion(&Inputs::for_positions(at), &[]);
        for (marker, position) in markers.iter().zip(positions) {
            *position = moving.at.marker_point(*marker).map(|x| x.value()).0;
        }
    }

    fn body_jacobians(&self, at: StateView, jacobians: &mut [f64]) {
        let n = self.tree.n();
        let moving = self.motion(&Inputs::for_positions(at), &[]);
        jacobians.fill(0.0);
        for (b, rows) in jacobians.chunks_exact_mut((6 * n).max(1)).enumerate() {
            moving.write_twists(b, rows);
        }
        moving.project_columns(n, jacobians);
    }

    fn initial_condition(&self, condition: usize, at: StateView, gradient: &mut [f64]) -> Condition {
        let moving = self.row_motion(&Inputs::from(at));
        gradient.fill(0.0);
        let Some(declared) = self.model.imposed_conditions().nth(condition) else {
            return Condition { residual: 0.0, level: Level::Position };
        };
        moving.at.gradient(declared.target, declared.level).into_iter().for_each(|(i, g)| gradient[i] = g);
        moving.project_columns(self.tree.n(), gradient);
        let level = if declared.level == RowLevel::Position { Level::Position } else { Level::Velocity };
        Condition { residual: moving.at.condition_residual(declared).value(), level }
    }
}
