//! Functions that expressions call: Rust functions that are bound to a model by name, splines through data, and splines that are set at run
//! time.

mod bind;
mod partial;
mod stand_in;

use std::fmt;
use std::sync::Arc;

pub use bind::{FunctionError, RustFunction, RustFunctionOfMany, set as set_function};
pub use partial::{MOST_ARGUMENTS, Partial};
pub use stand_in::StandIn;

use crate::FunctionId;
use crate::spline::{GRID_ORDER, GridSpline, SPLINE_RESULTS, Spline};
use bind::Bound;
use mbs_core::DerivativeWatch;
use mbs_definition::Ident;
use mbs_definition::Origin;

/// Greatest order of derivatives that a Rust function may supply.
///
/// Position rows are differentiated twice, for γ. Derivatives of accelerations with respect to the state need a third order, their
/// second derivatives a fourth. No quantity of a mechanism needs a higher order.
pub const MOST_DERIVATIVES: usize = 4;

/// Greatest number of results of one call: derivatives of all orders, of all values.
pub const MOST_RESULTS: usize = 256;

/// A function that expressions call.
#[derive(Clone)]
pub struct CalledFunction {
    /// Name as declared.
    pub name: String,
    /// Where it is declared.
    pub origin: Origin,
    /// Doc comment.
    pub docs: String,
    /// Number of arguments, 1 … [`MOST_ARGUMENTS`].
    pub arguments: usize,
    /// Number of values of a vector function; `None` of a scalar function.
    pub shape: Option<usize>,
    /// Kind of function.
    pub kind: CalledKind,
}

/// Kind of a called function.
#[derive(Clone)]
pub enum CalledKind {
    /// `function gas: opaque(2);`: a Rust function.
    Rust {
        /// Order of derivatives that it supplies in addition to its value, at most [`MOST_DERIVATIVES`].
        derivatives: u8,
        /// The type of a value that implements the function and is a parameter of generated code, `opaque(2, GasTable)`. `None` if generated
        /// code calls a function by its name.
        value_type: Option<Ident>,
        /// Its binding.
        bound: Bound,
    },
    /// `function knee = spline([…], […]);`: known to the compiler.
    Data(Arc<Spline>),
    /// `function hill = bicubic([…], […], [[…], …]);`: known to the compiler.
    Grid(Arc<GridSpline>),
    /// `function road: CubicSpline<16>;`: set at run time, like a parameter. This is its default until it is set.
    Settable(Box<Spline>),
}

/// Source of the values of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FunctionSource {
    /// A Rust function, at run time only.
    Rust,
    /// Data of the declaration.
    Data,
    /// Data that are set at run time and have a default.
    Settable,
}

impl CalledFunction {
    /// A Rust function of `arguments` numbers without a binding.
    pub fn rust(
        name: String,
        origin: Origin,
        docs: String,
        arguments: usize,
        shape: Option<usize>,
        derivatives: u8,
    ) -> Self {
        let kind = CalledKind::Rust { derivatives, value_type: None, bound: Bound::default() };
        CalledFunction { name, origin, docs, arguments, shape, kind }
    }

    /// The check of its derivatives, if a Rust function is bound.
    pub fn watch(&self) -> Option<&DerivativeWatch> {
        match &self.kind {
            CalledKind::Rust { bound: Bound::Function(_, watch), .. } => Some(watch),
            _ => None,
        }
    }

    /// Source of its values.
    pub fn source(&self) -> FunctionSource {
        match self.kind {
            CalledKind::Rust { .. } => FunctionSource::Rust,
            CalledKind::Data(_) | CalledKind::Grid(_) => FunctionSource::Data,
            CalledKind::Settable(_) => FunctionSource::Settable,
        }
    }

    /// The type of a value among the parameters of generated code that implements the function; `None` if it is called by its name.
    pub fn value_type(&self) -> Option<&Ident> {
        match &self.kind {
            CalledKind::Rust { value_type, .. } => value_type.as_ref(),
            CalledKind::Data(_) | CalledKind::Grid(_) | CalledKind::Settable(_) => None,
        }
    }

    /// Whether it is one of the parameters of generated code.
    pub fn is_parameter(&self) -> bool {
        self.source() == FunctionSource::Settable || self.value_type().is_some()
    }

    /// Number of its values, without derivatives.
    pub fn values(&self) -> usize {
        self.shape.unwrap_or(1)
    }

    /// Order of the derivatives that a Rust function supplies; `None` for splines, which have all derivatives.
    pub fn derivatives(&self) -> Option<u8> {
        match self.kind {
            CalledKind::Rust { derivatives, .. } => Some(derivatives),
            CalledKind::Data(_) | CalledKind::Grid(_) | CalledKind::Settable(_) => None,
        }
    }

    /// Number of results of a call for each value: the value and its partial derivatives, in the order of [`Partial::index`].
    pub fn results_of_value(&self) -> usize {
        match self.kind {
            CalledKind::Rust { derivatives, .. } => partial::count(self.arguments, usize::from(derivatives)),
            CalledKind::Grid(_) => partial::count(self.arguments, GRID_ORDER),
            CalledKind::Data(_) | CalledKind::Settable(_) => SPLINE_RESULTS,
        }
    }

    /// Number of results of a call.
    pub fn results(&self) -> usize {
        self.values() * self.results_of_value()
    }

    /// The spline, if it is a spline of one argument.
    pub fn spline(&self) -> Option<&Spline> {
        match &self.kind {
            CalledKind::Rust { .. } | CalledKind::Grid(_) => None,
            CalledKind::Data(spline) => Some(spline),
            CalledKind::Settable(spline) => Some(spline),
        }
    }

    /// Writes all results at x, value by value; NaN if the function is unbound. The length of `results` is [`CalledFunction::results`]. It
    /// allocates nothing.
    pub fn evaluate(&self, x: &[f64], results: &mut [f64]) {
        match (&self.kind, x) {
            (CalledKind::Rust { bound: Bound::Function(function, watch), .. }, _) => {
                function(x, results);
                if watch.is_armed() {
                    let sizes = [self.arguments, self.results_of_value(), self.values()];
                    watch.check(sizes, x, &mut |x, results| function(x, results));
                }
            }
            (CalledKind::Rust { bound: Bound::StandIn(kind, id), .. }, _) => kind.fill(*id, self, x, results),
            (CalledKind::Data(spline), [x]) => spline.evaluate(*x, results),
            (CalledKind::Grid(spline), [x, y]) => results.copy_from_slice(&spline.evaluate(*x, *y)),
            (CalledKind::Settable(spline), [x]) => spline.evaluate(*x, results),
            _ => results.fill(f64::NAN),
        }
    }

    /// Evaluates the function at x into memory on the stack, and calls `look` with the results.
    pub fn with_results<R>(&self, x: &[f64], look: impl FnOnce(Results<'_>) -> R) -> R {
        let (mut few, mut many);
        let n = self.results();
        let numbers: &mut [f64] = if n <= 2 * SPLINE_RESULTS {
            few = [f64::NAN; 2 * SPLINE_RESULTS];
            &mut few[..n]
        } else {
            many = [f64::NAN; MOST_RESULTS];
            let n = n.min(MOST_RESULTS);
            &mut many[..n]
        };
        self.evaluate(x, numbers);
        look(Results { function: self, numbers })
    }

    /// One derivative at x; NaN if the function does not supply it.
    pub fn partial(&self, partial: Partial, x: &[f64]) -> f64 {
        self.with_results(x, |results| results.partial(partial))
    }

    /// Index of a derivative in the results of [`CalledFunction::evaluate`]; `None` if the function does not supply it.
    pub fn result_index(&self, partial: Partial) -> Option<usize> {
        let per_value = self.results_of_value();
        let index = partial.index();
        (index < per_value).then_some(usize::from(partial.value) * per_value + index)
    }

    /// Whether a derivative of a spline is zero everywhere, as the fourth derivative of a cubic.
    pub fn vanishes(&self, partial: Partial) -> bool {
        self.source() != FunctionSource::Rust && partial.orders.iter().any(|k| usize::from(*k) >= SPLINE_RESULTS)
    }
}

/// Results of a function at one point.
pub struct Results<'f> {
    function: &'f CalledFunction,
    /// All results, in the order of [`CalledFunction::evaluate`].
    pub numbers: &'f [f64],
}

impl Results<'_> {
    /// One derivative; NaN if the function does not supply it.
    pub fn partial(&self, partial: Partial) -> f64 {
        if self.function.vanishes(partial) {
            return 0.0;
        }
        self.function.result_index(partial).and_then(|i| self.numbers.get(i)).copied().unwrap_or(f64::NAN)
    }
}

impl fmt::Debug for CalledFunction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let CalledFunction { name, origin, docs, arguments, shape, kind } = self;
        let mut s = f.debug_struct("CalledFunction");
        s.field("name", name).field("origin", origin).field("docs", docs).field("arguments", arguments);
        s.field("shape", shape).field("kind", kind).finish()
    }
}

impl fmt::Debug for CalledKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CalledKind::Rust { derivatives, bound, .. } => {
                write!(f, "Rust({derivatives}, bound: {})", matches!(bound, Bound::Function(..)))
            }
            CalledKind::Data(spline) => write!(f, "Data({spline:?})"),
            CalledKind::Grid(spline) => write!(f, "Grid({spline:?})"),
            CalledKind::Settable(spline) => write!(f, "Settable({spline:?})"),
        }
    }
}

/// A derivative of a function, the argument of [`Scalar::called`](crate::Scalar::called).
#[derive(Clone, Copy, Debug)]
pub struct FunctionCall<'m> {
    /// Its id.
    pub id: FunctionId,
    /// Its declaration and its binding.
    pub function: &'m CalledFunction,
    /// The value and the derivative.
    pub partial: Partial,
}

impl CalledFunction {
    /// Makes it a spline of fixed data.
    pub fn set_data(&mut self, spline: Spline) {
        self.shape = spline.several.then_some(spline.values);
        self.kind = CalledKind::Data(Arc::new(spline));
    }

    /// Makes it a spline that is set at run time, with a default.
    pub fn set_default(&mut self, spline: Spline) {
        self.shape = spline.several.then_some(spline.values);
        self.kind = CalledKind::Settable(Box::new(spline));
    }
}
