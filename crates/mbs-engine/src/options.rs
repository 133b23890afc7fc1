//! Options and constructors of engines.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use mbs_builder::Planar;
use mbs_core::Opaque;
use mbs_definition::{Definition, Errors};
use mbs_expr::{FunctionError, RustFunction, RustFunctionOfMany};
use mbs_model::{Formulation, Model};
use mbs_physics::Tree;
use mbs_resolve::resolve;
use mbs_syntax::{Parsed, from_folder, parse_file_with, refuse};

use crate::{Engine, Failure, derivatives};

/// Options of an engine, and its constructors from a text, a file, a definition, a builder or a model.
///
/// ```
/// use mbs_engine::Engine;
/// use mbs_model::Formulation;
///
/// let text = "pub planar Pendulum {
///     gravity: [0, -9.81];
///     body rod { mass: 1, inertia: 0.1, com: [0, -0.5] }
///     joint pin = revolute(ground, rod);
/// }";
/// let engine = Engine::options().formulation(Formulation::Body).text(text)?;
/// assert_eq!(engine.tree().n(), 3);
/// # Ok::<(), mbs_engine::Failure>(())
/// ```
#[derive(Clone, Default)]
pub struct Options {
    formulation: Option<Formulation>,
    mechanism: Option<String>,
    path: Option<String>,
    folder: Option<PathBuf>,
    functions: Vec<(String, Supplied)>,
}

/// A Rust function that is bound to a declared one.
#[derive(Clone)]
enum Supplied {
    One(Arc<RustFunction>),
    Many(Arc<RustFunctionOfMany>),
    Value(Arc<Binding>),
}

/// Binds a value to the declared function of a name in a model.
type Binding = dyn Fn(&mut Model, &str) -> Result<(), FunctionError> + Send + Sync;

/// A value that several engines share.
struct Shared<F>(Arc<F>);

impl<const N: usize, const R: usize, const M: usize, F: Opaque<N, R, M>> Opaque<N, R, M> for Shared<F> {
    fn evaluate(&self, x: [f64; N]) -> [[f64; R]; M] {
        self.0.evaluate(x)
    }
}

impl fmt::Debug for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let functions: Vec<&str> = self.functions.iter().map(|b| b.0.as_str()).collect();
        let Options { formulation, mechanism, path, .. } = self;
        write!(f, "Options({formulation:?}, {mechanism:?}, {path:?}, {functions:?})")
    }
}

impl Options {
    /// Sets the coordinates of all bodies, in place of those that are declared for the mechanism or its bodies.
    #[must_use]
    pub fn formulation(mut self, formulation: Formulation) -> Self {
        self.formulation = Some(formulation);
        self
    }

    /// Selects a mechanism of a text with several.
    #[must_use]
    pub fn mechanism(mut self, name: &str) -> Self {
        self.mechanism = Some(name.to_owned());
        self
    }

    /// Sets the name of the text in messages. A text named `….urdf` is a robot, a mechanism by itself.
    #[must_use]
    pub fn path(mut self, path: &str) -> Self {
        self.path = Some(path.to_owned());
        self
    }

    /// Sets the folder of the files that a text imports. The default for a file is the folder that contains it; a text has no default, and an
    /// import is then an error.
    #[must_use]
    pub fn folder(mut self, folder: impl AsRef<Path>) -> Self {
        self.folder = Some(folder.as_ref().to_owned());
        self
    }

    /// Binds a Rust function of one number to the name of a declared one, `function gas: opaque(2);`. The function overwrites its slice with
    /// its value and the declared number of derivatives.
    ///
    /// ```
    /// # use mbs_engine::Engine;
    /// let text = "pub planar Cylinder {
    ///     function gas: opaque(0);
    ///     particle piston { mass: 0.4 }
    ///     joint base = free(ground, piston);
    ///     force pressure = point_force(piston) { force: [gas(position(piston).x), 0] };
    /// }";
    /// let engine = Engine::options().function("gas", |x, f| f[0] = 50.0 / (0.1 + x)).text(text)?;
    /// # let _ = engine;
    /// # Ok::<(), mbs_engine::Failure>(())
    /// ```
    #[must_use]
    pub fn function(mut self, name: &str, function: impl Fn(f64, &mut [f64]) + Send + Sync + 'static) -> Self {
        self.functions.push((name.to_owned(), Supplied::One(Arc::new(function))));
        self
    }

    /// Binds a Rust function of several numbers, or with several values, to the name of a declared one,
    /// `function drag(x, y): opaque(1);`. The function overwrites its slice with each value and its partial derivatives, by order, and within
    /// an order lexicographically: f, f_x, f_y, f_xx, f_xy, f_yy.
    ///
    /// ```
    /// # use mbs_engine::Engine;
    /// let text = "pub planar Puck {
    ///     function field(x, y): [2] opaque(0);
    ///     particle puck { mass: 0.4 }
    ///     joint base = free(ground, puck);
    ///     force pull = point_force(puck) { force: field(position(puck).x, position(puck).y) };
    /// }";
    /// let pull = |x: &[f64], f: &mut [f64]| f.copy_from_slice(&[-x[0], -2.0 * x[1]]);
    /// let engine = Engine::options().function_of_many("field", pull).text(text)?;
    /// # let _ = engine;
    /// # Ok::<(), mbs_engine::Failure>(())
    /// ```
    #[must_use]
    pub fn function_of_many(
        mut self,
        name: &str,
        function: impl Fn(&[f64], &mut [f64]) + Send + Sync + 'static,
    ) -> Self {
        self.functions.push((name.to_owned(), Supplied::Many(Arc::new(function))));
        self
    }

    /// Binds a value of a user's type to the name of a declared function, `function gas: opaque(2);` or, as in generated code,
    /// `function gas: opaque(2, GasTable);`. Its number of results is checked when the engine is made.
    #[must_use]
    pub fn function_value<const N: usize, const R: usize, const M: usize>(
        mut self,
        name: &str,
        value: impl Opaque<N, R, M> + Send + Sync + 'static,
    ) -> Self {
        let value = Arc::new(value);
        let bind = move |model: &mut Model, name: &str| model.bind_value(name, Shared(value.clone()));
        self.functions.push((name.to_owned(), Supplied::Value(Arc::new(bind))));
        self
    }

    /// Engine of a `.mbs` file, or of a robot in a `.urdf` file: fixed to ground, with gravity and a motor at every joint.
    ///
    /// # Errors
    /// As [`Options::text`], and [`Failure::Io`].
    pub fn file(mut self, path: impl AsRef<Path>) -> Result<Engine, Failure> {
        let path = path.as_ref();
        let text = mbs_syntax::read_text(path).map_err(|e| Failure::Io(path.to_owned(), e))?;
        self.path.get_or_insert_with(|| path.display().to_string());
        self.folder = self.folder.or_else(|| path.parent().map(Path::to_owned));
        self.text(&text)
    }

    /// Engine of a text with one mechanism, or of the mechanism that is named.
    ///
    /// # Errors
    /// [`Failure::Mistakes`] with all mistakes of the first stage that finds any, [`Failure::Mechanism`],
    /// [`Failure::Function`],
    /// [`Failure::Derivatives`].
    pub fn text(self, text: &str) -> Result<Engine, Failure> {
        let mut loader = |name: &str| match &self.folder {
            Some(folder) => from_folder(folder, name),
            None => refuse(name),
        };
        let path = self.path.as_deref().unwrap_or("mechanism");
        let Parsed { definitions, sources, errors } = parse_file_with(path, text, &mut loader);
        if !errors.is_empty() {
            return Err(Failure::Mistakes(sources.render(errors.list())));
        }
        let render = |errors: &Errors| sources.render(errors.list());
        let model = resolve(self.chosen(&definitions)?).map_err(|e| Failure::Mistakes(render(&e)))?;
        self.run(model, &render)
    }

    /// Engine of a mechanism built in Rust.
    ///
    /// ```
    /// use mbs_engine::{Engine, builder::Planar};
    ///
    /// let m = Planar::new("Pendulum");
    /// m.gravity((0.0, -9.81));
    /// let rod = m.body("rod").mass(1.0).inertia(0.1).com((0.0, -0.5));
    /// m.revolute("pin", m.ground(), rod);
    /// let engine = Engine::options().builder(&m)?;
    /// assert_eq!(engine.tree().n(), 1);
    /// # Ok::<(), mbs_engine::Failure>(())
    /// ```
    ///
    /// # Errors
    /// As [`Options::text`]; mistakes are shown with the source locations of the calls.
    pub fn builder(self, mechanism: &Planar) -> Result<Engine, Failure> {
        let model = mechanism.resolve().map_err(|mistakes| Failure::Mistakes(mistakes.to_string()))?;
        self.run(model, &|errors| mechanism.sites().render(errors.list()))
    }

    /// Engine of a definition.
    ///
    /// # Errors
    /// As [`Options::text`]; mistakes are shown without their source locations.
    pub fn definition(self, definition: &Definition) -> Result<Engine, Failure> {
        self.model(resolve(definition).map_err(|e| Failure::Mistakes(plain(&e)))?)
    }

    /// Engine of a resolved model.
    ///
    /// # Errors
    /// As [`Options::definition`].
    pub fn model(self, model: Model) -> Result<Engine, Failure> {
        self.run(model, &plain)
    }

    fn chosen<'d>(&self, definitions: &'d [Definition]) -> Result<&'d Definition, Failure> {
        let found = || definitions.iter().map(|d| d.name.text.clone()).collect();
        let chosen = match (&self.mechanism, definitions) {
            (Some(name), _) => definitions.iter().find(|d| d.name.text == *name),
            (None, [only]) => Some(only),
            _ => None,
        };
        chosen.ok_or_else(|| Failure::Mechanism { wanted: self.mechanism.clone(), found: found() })
    }

    fn run(self, mut model: Model, render: &dyn Fn(&Errors) -> String) -> Result<Engine, Failure> {
        if let Some(formulation) = self.formulation {
            mbs_physics::set_formulation(&mut model, formulation);
        } else if model.coordinates.is_automatic {
            return Err(Failure::AutomaticCoordinates);
        }
        for (name, function) in self.functions {
            match function {
                Supplied::One(function) => model.bind(&name, move |x, f| function(x, f))?,
                Supplied::Many(function) => model.bind_many(&name, move |x, f| function(x, f))?,
                Supplied::Value(bind) => bind(&mut model, &name)?,
            }
        }
        model.check_bound()?;
        derivatives::check(&model, &Tree::new(&model))?;
        Engine::new(model).map_err(|e| Failure::Mistakes(render(&e)))
    }
}

impl Engine {
    /// Options to be set before an engine is made: coordinates, functions, the mechanism of a text with several.
    pub fn options() -> Options {
        Options::default()
    }

    /// Engine of a text with one mechanism, in its declared coordinates.
    ///
    /// # Errors
    /// As [`Options::text`].
    pub fn text(text: &str) -> Result<Engine, Failure> {
        Options::default().text(text)
    }
}

/// Renders mistakes without source text.
fn plain(errors: &Errors) -> String {
    let list: Vec<String> = errors.list().iter().map(|d| format!("error: {d}")).collect();
    list.join("\n\n")
}
