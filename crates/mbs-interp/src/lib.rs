//! Implements [`Mechanism`] by interpretation of the instruction lists from which generated code is printed.

use std::sync::OnceLock;

use mbs_compiler::compile::Compiled;
use mbs_compiler::interp::{Code, Inputs};
use mbs_compiler::kernels::CORRECTIONS;
use mbs_core::{
    Condition, Corrections, CubicSpline, Describe, Energy, Error, Level, Mechanism, Pose, Reaction, Sizes, StateView,
};
use mbs_model::{Model, RowLevel};
use mbs_physics::ItemNames;

mod derivatives;
mod describe;
mod error;
mod events;
mod matrices;
mod memories;
mod momenta;

pub use error::InterpretError;
pub use mbs_compiler::interp::Fma;

/// An interpreted mechanism, for tests, tools, and mechanisms for which a build is not worthwhile. All arrays have the layout and the units of
/// [`Mechanism`]. Unlike generated code, it allocates.
pub struct Interpreted {
    compiled: Compiled,
    /// Code of the functions that have run, in their order.
    codes: Vec<OnceLock<Code>>,
    fma: Fma,
    parameters: Vec<f64>,
    prepared: Vec<f64>,
    names: ItemNames,
    reads_speeds: bool,
}

impl Interpreted {
    /// Creates the mechanism with default parameters. Functions that are written in Rust have to be bound to the model before:
    /// `compiled.model.bind("gas", |x, y| y.copy_from_slice(&gas(x)))?`. `fma` chooses the rounding of multiply-adds and sines.
    ///
    /// # Errors
    /// A function without a binding, or as [`Interpreted::set_parameters`].
    pub fn new(compiled: Compiled, fma: Fma) -> Result<Self, InterpretError> {
        compiled.model.check_bound()?;
        let parameters: Vec<f64> =
            compiled.model.quantities.parameters.iter().flat_map(|p| p.default.clone()).collect();
        let names = ItemNames::new(&compiled.model, &compiled.tree);
        let reads_speeds = compiled.model.jacobian_reads_speeds();
        let codes = compiled.program.functions.iter().map(|_| OnceLock::new()).collect();
        let mut mechanism =
            Interpreted { compiled, codes, fma, parameters: Vec::new(), prepared: Vec::new(), names, reads_speeds };
        mechanism.set_parameters(&parameters)?;
        Ok(mechanism)
    }

    /// The compiled mechanism.
    pub fn compiled(&self) -> &Compiled {
        &self.compiled
    }

    /// The flat parameters p, in the order of declaration.
    pub fn parameters(&self) -> &[f64] {
        &self.parameters
    }

    /// Changes the flat parameters p and everything that depends on them alone. After an error, nothing is changed.
    ///
    /// # Errors
    /// [`Error::Size`]; [`Error::ParameterOutsideDomain`]; [`Error::Singular`] or [`Error::NotFinite`] if the equations have no solution with
    /// these parameters.
    pub fn set_parameters(&mut self, parameters: &[f64]) -> Result<(), Error> {
        let expected = Model::flat_size(&self.compiled.model.quantities.parameters);
        if parameters.len() != expected {
            return Err(Error::Size { expected, found: parameters.len() });
        }
        if let Some((parameter, value)) = self.compiled.model.outside_domain(parameters) {
            return Err(Error::ParameterOutsideDomain { parameter, value });
        }
        let old = std::mem::replace(&mut self.parameters, parameters.to_vec());
        let prepared = std::mem::take(&mut self.prepared);
        self.prepare();
        let error = self.parameter_error();
        if error.is_some() {
            (self.parameters, self.prepared) = (old, prepared);
        }
        error.map_or(Ok(()), Err)
    }

    /// Sets a function that is declared `function road: CubicSpline<16>;`.
    ///
    /// # Errors
    /// Another name or size, or as [`Interpreted::set_parameters`]; nothing changes then.
    pub fn set_function<const N: usize, const M: usize>(
        &mut self,
        name: &str,
        spline: &CubicSpline<N, M>,
    ) -> Result<(), InterpretError> {
        let old = self.compiled.model.functions.clone();
        self.compiled.model.set_function(name, spline)?;
        let parameters = self.parameters.clone();
        let set = self.set_parameters(&parameters);
        if set.is_err() {
            self.compiled.model.functions = old;
        }
        Ok(set?)
    }

    /// Reason why the equations have no solution with the current parameters.
    fn parameter_error(&self) -> Option<Error> {
        let pivots = self.single_output("pivots", Inputs::default());
        for (pivot, (row, parameters)) in pivots.iter().zip(&self.compiled.parameter_pivots) {
            if pivot.abs() > 0.0 && pivot.is_finite() {
                continue;
            }
            let zero = parameters.iter().find(|i| self.parameters[**i] == 0.0);
            return Some(match zero {
                Some(i) => Error::ParameterOutsideDomain { parameter: *i, value: 0.0 },
                None => Error::Singular { row: *row, t: 0.0 },
            });
        }
        (!mbs_core::all_finite(&self.prepared)).then_some(Error::NotFinite { t: 0.0 })
    }

    /// Computes the values that depend on parameters alone.
    fn prepare(&mut self) {
        let prepare = &self.compiled.program.prepare;
        let mut outputs = vec![Vec::new(); prepare.results().count()];
        let inputs = Inputs { p: &self.parameters, functions: &self.compiled.model.functions, ..Inputs::default() };
        let _ = prepare.run(&inputs, &mut outputs, self.fma); // It has no checks.
        self.prepared = outputs.into_iter().next().unwrap_or_default();
    }

    /// Index in p of a parameter, by its flat name.
    pub fn parameter_index(&self, name: &str) -> Option<usize> {
        self.names.parameters.iter().position(|n| n == name)
    }

    /// Runs one function of the program: its output arrays, in order; empty if there is no such function. `inputs` needs the arrays that the
    /// function reads, without `prepared` and `functions`.
    ///
    /// # Errors
    /// The row whose pivot vanishes.
    pub fn run(&self, name: &str, inputs: Inputs<'_>) -> Result<Vec<Vec<f64>>, usize> {
        let functions = &self.compiled.program.functions;
        let Some(k) = functions.iter().position(|f| f.name == name) else { return Ok(Vec::new()) };
        let mut outputs = vec![Vec::new(); functions[k].results().count()];
        let z = &self.complete_memories(inputs.z);
        let inputs = Inputs { prepared: &self.prepared, functions: &self.compiled.model.functions, z, ..inputs };
        self.codes[k].get_or_init(|| Code::new(&functions[k])).run(&inputs, &mut outputs, self.fma)?;
        Ok(outputs)
    }

    /// The only output of a function that cannot fail; empty if there is no such function.
    fn single_output(&self, name: &str, inputs: Inputs<'_>) -> Vec<f64> {
        let outputs = self.run(name, inputs).unwrap_or_default();
        outputs.into_iter().next().unwrap_or_default()
    }
}

/// Inputs on which positions depend.
fn position_inputs(at: StateView<'_>) -> Inputs<'_> {
    Inputs { t: at.t, q: at.q, z: at.z, ..Inputs::default() }
}

/// Inputs on which velocities depend.
fn velocity_inputs(at: StateView<'_>) -> Inputs<'_> {
    Inputs { v: at.v, ..position_inputs(at) }
}

/// All inputs that a state contains.
fn state_inputs<'a>(at: &StateView<'a>) -> Inputs<'a> {
    Inputs { t: at.t, q: at.q, v: at.v, z: at.z, u: at.u, ..Inputs::default() }
}

impl Mechanism for Interpreted {
    type Coordinates = Box<[f64]>;
    type Speeds = Box<[f64]>;
    type Multipliers = Box<[f64]>;
    type Auxiliary = Box<[f64]>;
    type Inputs = Box<[f64]>;
    type Scratch = Box<[f64]>;

    fn sizes(&self) -> Sizes {
        let (model, tree) = (&self.compiled.model, &self.compiled.tree);
        let names = &self.names;
        Sizes {
            n_q: tree.n_q(),
            n_v: tree.n(),
            n_c: tree.rows.len(),
            n_position: tree.n_position,
            n_velocity: tree.n_velocity,
            n_z: model.n_z(),
            n_discrete: model.n_discrete(),
            n_u: names.inputs.len(),
            n_outputs: names.outputs.len(),
            n_bodies: model.bodies.len(),
            n_markers: if model.settings.kernels.kinematics { names.markers.len() } else { 0 },
            n_joints: model.joints.len(),
            n_forces: model.loads.forces.len(),
            n_conditions: model.n_conditions(),
            n_events: model.events.len(),
            n_event_conditions: model.event_conditions().count(),
            n_guesses: model.start.guesses.len(),
        }
    }

    fn storage(&self) -> (Box<[f64]>, Box<[f64]>, Box<[f64]>, Box<[f64]>, Box<[f64]>, Box<[f64]>) {
        let s = self.sizes();
        let zeros = |n: usize| vec![0.0; n].into_boxed_slice();
        let scratch = self.compiled.model.scratch_len(s.n_v);
        (zeros(s.n_q), zeros(s.n_v), zeros(s.n_c), zeros(self.compiled.model.n_stored()), zeros(s.n_u), zeros(scratch))
    }

    fn guess(&self, q: &mut [f64], v: &mut [f64], z: &mut [f64]) {
        q.copy_from_slice(&self.compiled.checked.q);
        v.copy_from_slice(&self.compiled.speeds);
        z.iter_mut().zip(self.compiled.model.stored_defaults()).for_each(|(z, x)| *z = x);
        self.initialize_memories(q, z);
    }

    fn accelerations(&self, at: StateView, a: &mut [f64], lambda: &mut [f64]) -> Result<(), Error> {
        match self.run("accelerations", state_inputs(&at)) {
            Ok(outputs) => {
                a.copy_from_slice(&outputs[0]);
                lambda.copy_from_slice(&outputs[1]);
            }
            Err(row) => {
                a.copy_from_slice(&self.single_output("generalized_forces", state_inputs(&at)));
                lambda.copy_from_slice(&self.single_output("gamma", state_inputs(&at)));
                self.fallback(row, at, a, lambda)?;
            }
        }
        if mbs_core::all_finite(a) && mbs_core::all_finite(lambda) { Ok(()) } else { Err(Error::NotFinite { t: at.t }) }
    }

    fn solve(&self, at: StateView, f: &[f64], g: &[f64], x: &mut [f64], mu: &mut [f64]) -> Result<(), Error> {
        let slots = |outputs: Vec<Vec<f64>>| outputs.into_iter().next().unwrap_or_default();
        let velocity_slots = |position: &[f64]| match self.jacobian_reads_speeds() {
            true => self.run("velocity", Inputs { position, ..velocity_inputs(at) }).map(slots),
            false => Ok(Vec::new()),
        };
        let position = self.run("position", position_inputs(at)).map(slots);
        match position.and_then(|position| Ok((velocity_slots(&position)?, position))) {
            Ok((velocity, position)) => {
                let inputs = Inputs { f, g, position: &position, velocity: &velocity, ..velocity_inputs(at) };
                let outputs = self.run("solve", inputs).unwrap_or_default();
                x.copy_from_slice(&outputs[0]);
                mu.copy_from_slice(&outputs[1]);
                Ok(())
            }
            Err(row) => {
                x.copy_from_slice(f);
                mu.copy_from_slice(g);
                self.fallback(row, at, x, mu)
            }
        }
    }

    fn corrections(&self, at: StateView, corrections: Corrections) -> Result<bool, Error> {
        if self.compiled.function(CORRECTIONS).is_none() {
            return Ok(false);
        }
        let outputs = self.run(CORRECTIONS, velocity_inputs(at)).map_err(|row| Error::Singular { row, t: at.t })?;
        let Corrections { phi, displacement, remainder, psi, speeds } = corrections;
        for (to, from) in [phi, displacement, remainder, psi, speeds].into_iter().zip(&outputs) {
            to.copy_from_slice(from);
        }
        Ok(true)
    }

    fn position_residuals(&self, at: StateView, phi: &mut [f64]) {
        phi.copy_from_slice(&self.single_output("position_residuals", position_inputs(at)));
    }

    fn velocity_residuals(&self, at: StateView, psi: &mut [f64]) {
        psi.copy_from_slice(&self.single_output("velocity_residuals", velocity_inputs(at)));
    }

    fn constraint_jacobian(&self, at: StateView, jacobian: &mut [f64]) {
        let all = self.constraint_jacobian(at);
        let rows = self.sizes().n_velocity * self.sizes().n_v;
        jacobian.copy_from_slice(&all[..rows]);
    }

    fn constraint_hessian(&self, at: StateView, mu: &[f64], hessian: &mut [f64]) -> Result<(), Error> {
        self.hessian(at, mu, hessian)
    }

    fn jacobian_reads_speeds(&self) -> bool {
        self.reads_speeds
    }

    fn coordinate_rates(&self, t: f64, q: &[f64], v: &[f64], rates: &mut [f64]) {
        match self.compiled.function("coordinate_rates") {
            Some(_) => {
                rates.copy_from_slice(&self.single_output("coordinate_rates", velocity_inputs(StateView::new(t, q, v))))
            }
            None => rates.copy_from_slice(v),
        }
    }

    fn normalize(&self, q: &mut [f64]) {
        for first in self.compiled.tree.quaternions() {
            mbs_core::rotation::normalize_at(q, first);
        }
    }

    fn remember(&self, t: f64, q: &[f64], z: &mut [f64]) {
        self.update_memories(t, q, z);
    }

    fn auxiliary_rates(&self, at: StateView, rates: &mut [f64]) {
        let values = self.single_output("auxiliary_rates", state_inputs(&at));
        rates.iter_mut().zip(values).for_each(|(rate, value)| *rate = value);
    }

    fn generalized_forces(&self, at: StateView, forces: &mut [f64]) {
        forces.copy_from_slice(&self.single_output("generalized_forces", state_inputs(&at)));
    }

    fn velocity_forces(&self, at: StateView, forces: &mut [f64]) {
        forces.copy_from_slice(&self.single_output("velocity_forces", velocity_inputs(at)));
    }

    fn constraint_forces(&self, at: StateView, lambda: &[f64], forces: &mut [f64]) {
        self.transposed_jacobian_product(at, lambda, forces);
    }

    fn reactions(&self, at: StateView, a: &[f64], lambda: &[f64], reactions: &mut [Reaction]) {
        let flat = self.single_output("reactions", Inputs { a, lambda, ..state_inputs(&at) });
        reactions.fill(Reaction::default());
        if self.is_spatial() {
            for (reaction, flat) in reactions.iter_mut().zip(flat.chunks_exact(9)) {
                let part = |k: usize| [flat[k], flat[k + 1], flat[k + 2]];
                *reaction = Reaction { point: part(0), force: part(3), torque: part(6) };
            }
            return;
        }
        for (reaction, flat) in reactions.iter_mut().zip(flat.chunks_exact(5)) {
            *reaction = Reaction::planar([flat[0], flat[1]], [flat[2], flat[3]], flat[4]);
        }
    }

    fn energy(&self, at: StateView) -> Energy {
        match self.single_output("energy", state_inputs(&at))[..] {
            [kinetic, potential] => Energy { kinetic, potential },
            _ => Energy { kinetic: 0.0, potential: 0.0 },
        }
    }

    fn outputs(&self, at: StateView, a: &[f64], lambda: &[f64], outputs: &mut [f64]) {
        let values = self.single_output("outputs", Inputs { a, lambda, ..state_inputs(&at) });
        outputs.iter_mut().zip(values).for_each(|(output, value)| *output = value);
    }

    fn poses(&self, at: StateView, poses: &mut [Pose]) {
        let flat = self.single_output("poses", position_inputs(at));
        if self.is_spatial() {
            for (pose, flat) in poses.iter_mut().zip(flat.chunks_exact(12)) {
                let rows = [3, 6, 9].map(|k| [flat[k], flat[k + 1], flat[k + 2]]);
                *pose = Pose::spatial([flat[0], flat[1], flat[2]], rows);
            }
            return;
        }
        for (pose, planar) in poses.iter_mut().zip(flat.chunks_exact(3)) {
            *pose = Pose::planar(planar[0], planar[1], planar[2]);
        }
    }

    fn body_jacobians(&self, at: StateView, jacobians: &mut [f64]) {
        let n = self.sizes().n_v;
        let flat = self.single_output("body_jacobians", position_inputs(at));
        if self.is_spatial() {
            jacobians.copy_from_slice(&flat);
            return;
        }
        jacobians.fill(0.0);
        for (six, three) in jacobians.chunks_exact_mut((6 * n).max(1)).zip(flat.chunks_exact((3 * n).max(1))) {
            six[..2 * n].copy_from_slice(&three[..2 * n]);
            six[5 * n..].copy_from_slice(&three[2 * n..]);
        }
    }

    fn initial_condition(&self, condition: usize, at: StateView, gradient: &mut [f64]) -> Condition {
        let outputs = self.run(&format!("condition_{condition}"), state_inputs(&at)).unwrap_or_default();
        gradient.copy_from_slice(&outputs[1]);
        let declared = self.compiled.model.imposed_conditions().nth(condition);
        let level = match declared.map(|c| c.level) {
            Some(RowLevel::Position) => Level::Position,
            _ => Level::Velocity,
        };
        Condition { residual: outputs[0][0] - self.compiled.model.guess_residual(condition), level }
    }
}
