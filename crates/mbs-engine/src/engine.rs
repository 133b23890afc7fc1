//! A mechanism that is evaluated, not compiled.

use std::cell::RefCell;
use std::sync::Arc;

use mbs_core::Error;
use mbs_model::check::{Checked, check, guessed_speeds, numeric_sample};
use mbs_model::mechanics::Tree;
use mbs_model::{Errors, ItemNames, MarkerId, Model, nearest};

use crate::Failure;
use crate::constants::Constants;
use crate::numbers::Numbers;
use crate::options::Options;
use crate::plan::Plan;
use crate::recursion::Mass;
use crate::work::{Inputs, Metric, Work};

/// A declared mechanism, ready to be simulated: the generic counterpart of a generated type.
///
/// It implements [`Mechanism`](mbs_core::Mechanism), so integrators, assembly, simulation and reports take it. Evaluations
/// allocate nothing. A copy has its own work space; one engine serves one thread.
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
    pub(crate) numbers: Numbers,
    /// What bodies weigh in the metric of the solver: as `numbers` says, or one.
    pub(crate) masses: Vec<Mass>,
    pub(crate) work: RefCell<Work>,
}

/// What does not change with parameters.
pub(crate) struct Shared {
    pub model: Model,
    pub tree: Tree,
    pub plan: Plan,
    pub names: ItemNames,
    pub checked: Checked,
    /// Guess of the speeds.
    pub speeds: Vec<f64>,
    /// Markers to be drawn.
    pub drawn: Vec<MarkerId>,
    constants: Constants,
    pub metric: Metric,
}

impl Shared {
    fn numbers(&self, parameters: &[f64]) -> Numbers {
        Numbers::new((&self.model, &self.tree, &self.plan), self.constants.clone(), parameters)
    }

    /// What bodies weigh in the metric of the solver.
    fn masses(&self, numbers: &Numbers) -> Vec<Mass> {
        match self.metric {
            Metric::Mass => numbers.masses.clone(),
            Metric::Unit => self.plan.unit_masses(&numbers.masses),
        }
    }
}

impl Engine {
    /// Choices to be made before: coordinates, functions, which mechanism of a text.
    pub fn options() -> Options {
        Options::default()
    }

    /// The one mechanism of a text, in its declared coordinates.
    ///
    /// # Errors
    /// [`Failure`]: mistakes in the text, or what it leaves open.
    pub fn text(text: &str) -> Result<Engine, Failure> {
        Options::default().text(text)
    }

    /// Of a resolved model.
    pub(crate) fn new(model: Model) -> Result<Engine, Errors> {
        let tree = Tree::new(&model);
        let checked = check(&model, &tree, &numeric_sample(&model, &tree))?;
        let speeds = guessed_speeds(&model, &tree, &checked.assembled);
        Ok(Engine::checked_out(model, tree, checked, speeds))
    }

    /// Without the checks, at rest at zero coordinates.
    #[cfg(test)]
    pub(crate) fn unchecked(model: Model) -> Engine {
        let tree = Tree::new(&model);
        let n = tree.n();
        let zeros = || vec![0.0; n];
        let checked =
            Checked { q: zeros(), assembled: zeros(), freedoms: 0, undriven: 0, solvable: true, mass_scale: 1.0 };
        Engine::checked_out(model, tree, checked, zeros())
    }

    fn checked_out(mut model: Model, tree: Tree, checked: Checked, speeds: Vec<f64>) -> Engine {
        let names = ItemNames::new(&model, &tree);
        let constants = Constants::new(&mut model);
        let plan = Plan::new(&model, &tree, &constants);
        let metric = if checked.solvable { Metric::Mass } else { Metric::Unit };
        let parameters: Vec<f64> = model.parameters.iter().flat_map(|p| p.default.clone()).collect();
        let drawn = model.drawn_markers();
        let shared = Shared { model, tree, plan, names, checked, speeds, drawn, constants, metric };
        Engine::at(Arc::new(shared), parameters)
    }

    fn at(shared: Arc<Shared>, parameters: Vec<f64>) -> Engine {
        let numbers = shared.numbers(&parameters);
        let masses = shared.masses(&numbers);
        let work = Work::new(&shared.plan, &numbers, shared.metric, shared.checked.mass_scale);
        Engine { shared, parameters, numbers, masses, work: RefCell::new(work) }
    }

    /// What is evaluated.
    pub fn model(&self) -> &Model {
        &self.shared.model
    }

    /// Its coordinates and rows.
    pub fn tree(&self) -> &Tree {
        &self.shared.tree
    }

    /// What the checks at default parameters found: assembled pose, freedoms.
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

    /// Changes one parameter by its flat name.
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
        Ok(self.set_parameters(&parameters)?)
    }

    /// Changes all parameters.
    ///
    /// # Errors
    /// [`Error::Size`], [`Error::ParameterOutsideDomain`], [`Error::NotFinite`]. Nothing is changed then.
    pub fn set_parameters(&mut self, parameters: &[f64]) -> Result<(), Error> {
        let expected = self.parameters.len();
        if parameters.len() != expected {
            return Err(Error::Size { expected, found: parameters.len() });
        }
        if let Some((parameter, value)) = self.shared.model.outside_domain(parameters) {
            return Err(Error::ParameterOutsideDomain { parameter, value });
        }
        let numbers = self.shared.numbers(parameters);
        if !numbers.is_finite() {
            return Err(Error::NotFinite { t: 0.0 });
        }
        if numbers.massless == self.numbers.massless {
            self.parameters.copy_from_slice(parameters);
            self.masses = self.shared.masses(&numbers);
            self.numbers = numbers;
        } else {
            *self = Engine::at(self.shared.clone(), parameters.to_vec());
        }
        Ok(())
    }

    /// G, n_c × n_v, row-major, overwritten.
    ///
    /// # Panics
    /// If a slice does not have the length that [`Sizes`](mbs_core::Sizes) states; so do the other matrices and vectors.
    pub fn constraint_jacobian(&self, t: f64, q: &[f64], jacobian: &mut [f64]) {
        let (plan, work) = (&self.shared.plan, &mut *self.work.borrow_mut());
        work.move_bodies(plan, &self.numbers, &Inputs { t, q, ..Inputs::default() });
        work.constraint_jacobian(plan, &self.numbers, &Inputs { t, q, ..Inputs::default() });
        jacobian.fill(0.0);
        for ((r, i), g) in plan.jacobian.iter().zip(&work.jacobian) {
            jacobian[r * plan.n + i] = *g;
        }
    }

    /// M, n_v × n_v, row-major, overwritten.
    pub fn mass_matrix(&self, t: f64, q: &[f64], mass: &mut [f64]) {
        let (plan, work) = (&self.shared.plan, &mut *self.work.borrow_mut());
        work.move_bodies(plan, &self.numbers, &Inputs { t, q, ..Inputs::default() });
        work.composite.mass_matrix((&plan.steps, &self.numbers.masses), &work.motion, &mut work.mass);
        mass.fill(0.0);
        for ((i, j), m) in plan.mass.iter().zip(&work.mass) {
            mass[i * plan.n + j] = *m;
            mass[j * plan.n + i] = *m;
        }
    }

    /// ν of the position and velocity rows, zero for the others: G v = ν. n_c values, overwritten.
    pub fn nu(&self, t: f64, q: &[f64], nu: &mut [f64]) {
        let (plan, work) = (&self.shared.plan, &mut *self.work.borrow_mut());
        work.right.fill(0.0);
        let rest = std::mem::take(&mut work.right);
        let at = Inputs { t, q, v: &rest, ..Inputs::default() };
        work.move_bodies(plan, &self.numbers, &at);
        work.velocity_residuals(plan, &self.numbers, &at, nu);
        nu.iter_mut().for_each(|x| *x = -*x);
        work.right = rest;
    }

    /// γ: G a = γ. n_c values, overwritten.
    pub fn gamma(&self, t: f64, q: &[f64], v: &[f64], gamma: &mut [f64]) {
        let (plan, work) = (&self.shared.plan, &mut *self.work.borrow_mut());
        let at = Inputs { t, q, v, ..Inputs::default() };
        work.move_bodies(plan, &self.numbers, &at);
        work.constraint_jacobian(plan, &self.numbers, &at);
        work.gamma(plan, &self.numbers, gamma);
    }
}
