//! The engine: a mechanism that is evaluated without being compiled.

use std::cell::RefCell;
use std::sync::Arc;

use mbs_check::{Checked, GuessedStart, check, declared_pose, guessed_start, independent_tree, numeric_sample};
use mbs_core::{CubicSpline, Error, StateView, nearest};
use mbs_definition::Errors;
use mbs_expr::MarkerId;
use mbs_model::Model;
use mbs_physics::{ItemNames, Tree};
use mbs_saddle::Metric;

use crate::Failure;
use crate::dynamics::Dynamics;
use crate::kind::Kind;
use crate::prescribed::{self, Prescribed};

/// A declared mechanism that can be simulated without generated code.
///
/// It implements [`Mechanism`](mbs_core::Mechanism), so integrators, assembly, simulation and reports take it. Evaluations
/// allocate nothing. A clone has separate work space; an engine is not shared between threads.
///
/// ```
/// use mbs_core::{Mechanism, StateView};
/// use mbs_engine::Engine;
///
/// let engine = Engine::text("pub planar Falling {
///     gravity: [0, -9.81];
///     particle stone { mass: 2 }
///     joint air = free(ground, stone);
/// }")?;
/// let (mut a, mut lambda) = ([0.0; 2], []);
/// engine.accelerations(StateView { t: 0.0, q: &[0.0; 2], v: &[0.0; 2], z: &[], u: &[] }, &mut a, &mut lambda)?;
/// assert_eq!(a, [0.0, -9.81]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Engine {
    pub(crate) shared: Arc<Shared>,
    parameters: Vec<f64>,
    /// Whether each parameter was set explicitly; the others follow the parameters in their declared defaults.
    set: Vec<bool>,
    evaluation: Evaluation,
    /// Work space for a and λ of the values of events.
    pub(crate) event_motion: RefCell<[Box<[f64]>; 2]>,
    /// Work space: n_v zeros, and the next values of memories.
    pub(crate) memories: RefCell<[Box<[f64]>; 2]>,
    /// Work space of products: n_v, n_c and n_c values.
    pub(crate) vectors: RefCell<[Box<[f64]>; 3]>,
}

/// The mechanism at its parameters.
#[derive(Clone)]
enum Evaluation {
    /// All coordinates are free.
    Free(Kind),
    /// Some coordinates are prescribed.
    Prescribed(Box<Prescribed>),
}

impl Evaluation {
    fn dynamics(&self) -> &dyn Dynamics {
        match self {
            Evaluation::Free(kind) => kind.dynamics(),
            Evaluation::Prescribed(prescribed) => &**prescribed,
        }
    }

    fn dynamics_mut(&mut self) -> &mut dyn Dynamics {
        match self {
            Evaluation::Free(kind) => kind.dynamics_mut(),
            Evaluation::Prescribed(prescribed) => &mut **prescribed,
        }
    }
}

/// Replaces the residual of each row that can be switched off by its switched form.
fn switch(model: &mut Model, tree: &mut Tree) {
    tree.rows.iter_mut().for_each(|row| row.switch(&mut model.exprs));
}

/// Data that do not change with parameters.
pub(crate) struct Shared {
    pub model: Model,
    pub tree: Tree,
    pub names: ItemNames,
    pub checked: Checked,
    /// Guess of the speeds.
    pub speeds: Vec<f64>,
    /// Whether values of events depend on accelerations, and whether their rates do.
    pub events_use_accelerations: [bool; 2],
    /// Markers to be drawn.
    pub drawn_markers: Vec<MarkerId>,
    /// First coordinates of unit quaternions.
    pub quaternions: Vec<usize>,
    /// Whether G depends on speeds.
    pub reads_speeds: bool,
}

impl Engine {
    /// Engine of a resolved model.
    pub(crate) fn new(mut model: Model) -> Result<Engine, Errors> {
        let tree = independent_tree(&model)?;
        tree.redundant.add_conditions(&mut model);
        mbs_check::list_guesses(&mut model);
        let declared = declared_pose(&model, &tree);
        mbs_check::keep_branches(&mut model, &tree, &declared);
        let checked = check(&model, &tree, &declared, &numeric_sample(&model, &tree))?;
        mbs_check::start_memories(&mut model, &tree, &checked.q);
        let GuessedStart { speeds, misses } = guessed_start(&model, &tree, &checked.assembled);
        model.start.guess_residuals = misses;
        Ok(Engine::from_checked(model, tree, checked, speeds))
    }

    fn from_checked(mut model: Model, mut tree: Tree, checked: Checked, speeds: Vec<f64>) -> Engine {
        let names = ItemNames::new(&model, &tree);
        let reads_speeds = model.jacobian_reads_speeds();
        // `check` looks at rows that are on, so that rows are switched after it.
        let driven = (!tree.prescribed.is_empty()).then(|| prescribed::with_drives(&model, &tree));
        switch(&mut model, &mut tree);
        let metric = (if checked.solvable { Metric::Mass } else { Metric::Unit }, checked.mass_scale);
        let parameters: Vec<f64> = model.quantities.parameters.iter().flat_map(|p| p.default.clone()).collect();
        let evaluation = match driven {
            None => Evaluation::Free(Kind::new(&mut model, &tree, &parameters, metric)),
            Some((mut driven_model, mut driven_tree)) => {
                switch(&mut driven_model, &mut driven_tree);
                let kind = Kind::new(&mut driven_model, &driven_tree, &parameters, metric);
                Evaluation::Prescribed(Box::new(Prescribed::new(kind, (driven_model, driven_tree), &tree)))
            }
        };
        let (drawn_markers, quaternions) = (model.drawn_markers(), tree.quaternions());
        let events_use_accelerations = [0, 1].map(|order| model.events_take_accelerations(order));
        let shared = Shared {
            model,
            tree,
            names,
            checked,
            speeds,
            events_use_accelerations,
            drawn_markers,
            quaternions,
            reads_speeds,
        };
        let (n_v, n_c) = (shared.tree.n(), shared.tree.rows.len());
        let event_motion = RefCell::new([n_v, n_c].map(|n| vec![0.0; n].into()));
        let memories = RefCell::new([n_v, shared.model.quantities.memories.len()].map(|n| vec![0.0; n].into()));
        let vectors = RefCell::new([n_v, n_c, n_c].map(|n| vec![0.0; n].into()));
        let set = vec![false; parameters.len()];
        Engine { shared: Arc::new(shared), parameters, set, evaluation, event_motion, memories, vectors }
    }

    /// The evaluations of the mechanism.
    pub(crate) fn dynamics(&self) -> &dyn Dynamics {
        self.evaluation.dynamics()
    }

    fn dynamics_mut(&mut self) -> &mut dyn Dynamics {
        self.evaluation.dynamics_mut()
    }

    /// The model that is evaluated.
    pub fn model(&self) -> &Model {
        &self.shared.model
    }

    /// The coordinates and rows of the formulation.
    pub fn tree(&self) -> &Tree {
        &self.shared.tree
    }

    /// Results of the checks at default parameters, among them the assembled configuration and the degrees of freedom.
    pub fn checked(&self) -> &Checked {
        &self.shared.checked
    }

    /// Flat parameters in declaration order.
    pub fn parameters(&self) -> &[f64] {
        &self.parameters
    }

    /// Index of a parameter by its flat name, such as `length` or `arm[1]`.
    pub fn parameter_index(&self, name: &str) -> Option<usize> {
        self.shared.names.parameters.iter().position(|n| n == name)
    }

    /// Changes one parameter by its flat name. Parameters whose declared defaults are expressions of it are evaluated again, except those that
    /// were set explicitly.
    ///
    /// ```
    /// let text = "pub planar Pendulum {
    ///     param length = 1;
    ///     param inertia = length * length / 12;
    ///     body rod { mass: 1, inertia: inertia, com: [0, -length / 2] }
    ///     joint pin = revolute(ground, rod);
    /// }";
    /// let mut engine = mbs_engine::Engine::text(text)?;
    /// engine.set_parameter("length", 6.0)?;
    /// assert_eq!(engine.parameters(), [6.0, 3.0]);
    /// engine.set_parameter("inertia", 2.0)?;
    /// engine.set_parameter("length", 1.0)?;
    /// assert_eq!(engine.parameters(), [1.0, 2.0]);
    /// # Ok::<(), mbs_engine::Failure>(())
    /// ```
    ///
    /// # Errors
    /// [`Failure::UnknownParameter`]; [`Failure::Value`] as [`Engine::set_parameters`]. Nothing is changed then.
    pub fn set_parameter(&mut self, name: &str, value: f64) -> Result<(), Failure> {
        let Some(i) = self.parameter_index(name) else {
            let known = self.shared.names.parameters.iter().map(String::as_str);
            let nearest = nearest(name, known).map(str::to_owned);
            return Err(Failure::UnknownParameter { parameter: name.to_owned(), nearest });
        };
        let mut parameters = self.parameters.clone();
        parameters[i] = value;
        self.shared.model.update_derived(&mut parameters, &|k| k == i || self.set[k]);
        self.apply_parameters(&parameters)?;
        self.set[i] = true;
        Ok(())
    }

    /// Changes all parameters to these values. Parameters that differ from their declared defaults count as set explicitly; the others follow
    /// later calls of [`Engine::set_parameter`].
    ///
    /// # Errors
    /// [`Error::Size`], [`Error::ParameterOutsideDomain`], [`Error::NotFinite`]. Nothing is changed then.
    pub fn set_parameters(&mut self, parameters: &[f64]) -> Result<(), Error> {
        let expected = self.parameters.len();
        if parameters.len() != expected {
            return Err(Error::Size { expected, found: parameters.len() });
        }
        self.apply_parameters(parameters)?;
        let model = &self.shared.model;
        for derived in &model.quantities.derived {
            self.set[derived.parameter] = !model.matches_formula(parameters, derived);
        }
        Ok(())
    }

    fn apply_parameters(&mut self, parameters: &[f64]) -> Result<(), Error> {
        if let Some((parameter, value)) = self.shared.model.outside_domain(parameters) {
            return Err(Error::ParameterOutsideDomain { parameter, value });
        }
        let shared = self.shared.clone();
        self.dynamics_mut().set_parameters(&shared.model, &shared.tree, parameters)?;
        self.parameters.copy_from_slice(parameters);
        Ok(())
    }

    /// Sets a function that is declared `function road: CubicSpline<16>;`. Allocates nothing, unless numbers of bodies or joints depend on
    /// it.
    ///
    /// # Errors
    /// [`Failure::Function`] for another name or size, [`Failure::Value`] as [`Engine::set_parameters`]. Nothing is changed then.
    pub fn set_function<const N: usize, const M: usize>(
        &mut self,
        name: &str,
        spline: &CubicSpline<N, M>,
    ) -> Result<(), Failure> {
        let shared = self.shared.clone();
        let constants = self.dynamics_mut().constants_mut();
        if !constants.depend_on_functions(&shared.model) {
            constants.set_function(name, spline)?;
            return Ok(());
        }
        let kept = constants.functions().to_vec();
        constants.set_function(name, spline)?;
        let parameters = std::mem::take(&mut self.parameters);
        let set = self.dynamics_mut().set_parameters(&shared.model, &shared.tree, &parameters);
        self.parameters = parameters;
        if set.is_err() {
            *self.dynamics_mut().constants_mut().functions_mut() = kept;
        }
        Ok(set?)
    }

    /// G, n_c × n_v, row-major, overwritten.
    ///
    /// # Panics
    /// If a slice does not have the length that [`Sizes`](mbs_core::Sizes) states; the same is true of the other matrices and vectors.
    pub fn constraint_jacobian(&self, at: StateView, jacobian: &mut [f64]) {
        self.dynamics().constraint_jacobian(at, jacobian);
    }

    /// M, n_v × n_v, row-major, overwritten.
    pub fn mass_matrix(&self, at: StateView, mass: &mut [f64]) {
        self.dynamics().mass_matrix(at, mass);
    }

    /// ν of G v = ν for the position and velocity rows, zero for the others. n_c values, overwritten.
    pub fn nu(&self, at: StateView, nu: &mut [f64]) {
        self.dynamics().nu(at, nu);
    }

    /// γ of G a = γ. n_c values, overwritten.
    pub fn gamma(&self, at: StateView, gamma: &mut [f64]) {
        self.dynamics().gamma(at, gamma);
    }
}
