//! Functions that are called, not inlined: written in Rust and bound to a model by name, splines through data, and splines that are
//! set at run time.

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

/// Most derivatives that a function written in Rust may give.
///
/// Position rows are differentiated twice, for γ. Derivatives of accelerations with respect to the state need a third, their
/// second derivatives a fourth; nothing that is computed from a mechanism asks for more.
pub const MOST_DERIVATIVES: usize = 4;

/// Most numbers that one call may give: derivatives of all orders, of all values.
pub const MOST_RESULTS: usize = 256;

/// A function that is called.
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
    /// Its size, where it is a vector.
    pub shape: Option<usize>,
    /// Kind of function.
    pub kind: CalledKind,
}

/// Kind of a called function.
#[derive(Clone)]
pub enum CalledKind {
    /// `function gas: opaque(2);`: a function written in Rust.
    Rust {
        /// Number of derivatives that it gives in addition to its value, at most [`MOST_DERIVATIVES`].
        derivatives: u8,
        /// The type that a value among the parameters has, `opaque(2, GasTable)`; without one it is a function of its name.
        held: Option<Ident>,
        /// Function that is bound to it, if any.
        bound: Bound,
    },
    /// `function knee = spline([…], […]);`: known to the compiler.
    Data(Arc<Spline>),
    /// `function hill = bicubic([…], […], [[…], …]);`: known to the compiler.
    Grid(Arc<GridSpline>),
    /// `function road: CubicSpline<16>;`: set at run time, like a parameter. This is its default, or what is set.
    Settable(Box<Spline>),
}

/// Where the numbers of a function come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FunctionSource {
    /// Rust, at run time only.
    Rust,
    /// Data of the declaration.
    Data,
    /// Data that are set at run time and have a default.
    Settable,
}

impl CalledFunction {
    /// A function written in Rust, of `arguments` numbers, to which nothing is bound yet.
    pub fn rust(
        name: String,
        origin: Origin,
        docs: String,
        arguments: usize,
        shape: Option<usize>,
        derivatives: u8,
    ) -> Self {
        let kind = CalledKind::Rust { derivatives, held: None, bound: Bound::default() };
        CalledFunction { name, origin, docs, arguments, shape, kind }
    }

    /// Check of its derivatives, where a Rust function is bound.
    pub fn watch(&self) -> Option<&DerivativeWatch> {
        match &self.kind {
            CalledKind::Rust { bound: Bound::Function(_, watch), .. } => Some(watch),
            _ => None,
        }
    }

    /// Where its numbers come from.
    pub fn source(&self) -> FunctionSource {
        match self.kind {
            CalledKind::Rust { .. } => FunctionSource::Rust,
            CalledKind::Data(_) | CalledKind::Grid(_) => FunctionSource::Data,
            CalledKind::Settable(_) => FunctionSource::Settable,
        }
    }

    /// The type of the value among the parameters that generated code calls, if it is none that is called by its name.
    pub fn held(&self) -> Option<&Ident> {
        match &self.kind {
            CalledKind::Rust { held, .. } => held.as_ref(),
            CalledKind::Data(_) | CalledKind::Grid(_) | CalledKind::Settable(_) => None,
        }
    }

    /// Whether it stands among the parameters.
    pub fn is_parameter(&self) -> bool {
        self.source() == FunctionSource::Settable || self.held().is_some()
    }

    /// How many numbers it gives, derivatives aside.
    pub fn values(&self) -> usize {
        self.shape.unwrap_or(1)
    }

    /// How many derivatives a function written in Rust gives; `None` for others, which have all.
    pub fn derivatives(&self) -> Option<u8> {
        match self.kind {
            CalledKind::Rust { derivatives, .. } => Some(derivatives),
            CalledKind::Data(_) | CalledKind::Grid(_) | CalledKind::Settable(_) => None,
        }
    }

    /// How many numbers a call gives of each value: the value and its partial derivatives, in the order of [`Partial::index`].
    pub fn results_of_value(&self) -> usize {
        match self.kind {
            CalledKind::Rust { derivatives, .. } => partial::count(self.arguments, usize::from(derivatives)),
            CalledKind::Grid(_) => partial::count(self.arguments, GRID_ORDER),
            CalledKind::Data(_) | CalledKind::Settable(_) => SPLINE_RESULTS,
        }
    }

    /// How many numbers a call gives.
    pub fn results(&self) -> usize {
        self.values() * self.results_of_value()
    }

    /// The spline, if it is one of one number.
    pub fn spline(&self) -> Option<&Spline> {
        match &self.kind {
            CalledKind::Rust { .. } | CalledKind::Grid(_) => None,
            CalledKind::Data(spline) => Some(spline),
            CalledKind::Settable(spline) => Some(spline),
        }
    }

    /// Writes all results at x, value by value; NaN where nothing is bound. `results` has room for [`CalledFunction::results`] numbers. Allocates nothing.
    pub fn evaluate(&self, x: &[f64], results: &mut [f64]) {
        match (&self.kind, x) {
            (CalledKind::Rust { bound: Bound::Function(function, watch), .. }, _) => {
                function(x, results);
                if watch.is_armed() {
                    let sizes = [self.arguments, self.results_of_value(), self.values()];
                    watch.check(sizes, x, &mut |x, results| function(x, results));
                }
            }
            (CalledKind::Rust { bound: Bound::StandIn(by, id), .. }, _) => by.fill(*id, self, x, results),
            (CalledKind::Data(spline), [x]) => spline.evaluate(*x, results),
            (CalledKind::Grid(spline), [x, y]) => results.copy_from_slice(&spline.evaluate(*x, *y)),
            (CalledKind::Settable(spline), [x]) => spline.evaluate(*x, results),
            _ => results.fill(f64::NAN),
        }
    }

    /// As [`Self::evaluate`], with room for the results on the stack; calls `look` with them.
    pub fn at<R>(&self, x: &[f64], look: impl FnOnce(Results<'_>) -> R) -> R {
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

    /// One derivative at x; NaN if it is not given.
    pub fn partial(&self, partial: Partial, x: &[f64]) -> f64 {
        self.at(x, |results| results.partial(partial))
    }

    /// Where a derivative stands in [`CalledFunction::evaluate`]; `None` if it is not given.
    pub fn place(&self, partial: Partial) -> Option<usize> {
        let each = self.results_of_value();
        let index = partial.index();
        (index < each).then_some(usize::from(partial.value) * each + index)
    }

    /// Whether a derivative is zero everywhere: the fourth of a cubic.
    pub fn vanishes(&self, partial: Partial) -> bool {
        self.source() != FunctionSource::Rust && partial.orders.iter().any(|k| usize::from(*k) >= SPLINE_RESULTS)
    }
}

/// Results of a function at one point.
pub struct Results<'f> {
    function: &'f CalledFunction,
    /// In the order of [`CalledFunction::evaluate`].
    pub numbers: &'f [f64],
}

impl Results<'_> {
    /// One derivative; NaN if it is not given.
    pub fn partial(&self, partial: Partial) -> f64 {
        if self.function.vanishes(partial) {
            return 0.0;
        }
        self.function.place(partial).and_then(|i| self.numbers.get(i)).copied().unwrap_or(f64::NAN)
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

/// A derivative of a function, as [`Scalar::called`](crate::Scalar::called) takes it.
#[derive(Clone, Copy, Debug)]
pub struct FunctionCall<'m> {
    /// Which function.
    pub id: FunctionId,
    /// Its declaration, and what is bound to it.
    pub function: &'m CalledFunction,
    /// Which derivative of which value.
    pub partial: Partial,
}

impl CalledFunction {
    /// Makes it the spline of fixed data.
    pub fn set_data(&mut self, spline: Spline) {
        self.shape = spline.several.then_some(spline.values);
        self.kind = CalledKind::Data(Arc::new(spline));
    }

    /// Makes it a spline that is set at run time, this one until then.
    pub fn set_default(&mut self, spline: Spline) {
        self.shape = spline.several.then_some(spline.values);
        self.kind = CalledKind::Settable(Box::new(spline));
    }
}
