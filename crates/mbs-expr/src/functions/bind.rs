//! Bindings of the functions of a model at run time: Rust functions and splines.

use std::fmt;
use std::sync::Arc;

use mbs_core::{CubicSpline, DerivativeWatch, nearest};

use super::partial::count;
use super::stand_in::StandIn;
use super::{CalledFunction, CalledKind, FunctionSource, MOST_DERIVATIVES, MOST_RESULTS};
use crate::FunctionId;

/// A Rust function of one number x. It writes f(x), f′(x), f″(x), … to the slice, whose length is one more than the declared order of
/// derivatives. It must return equal results for equal x, because calls are shared and values are cached.
pub type RustFunction = dyn Fn(f64, &mut [f64]) + Send + Sync;

/// A Rust function of several numbers, or with several values. For each value in turn it writes the value and its partial derivatives to the
/// slice, by order and lexicographically within each order: f, f_x, f_y, f_xx, f_xy, f_yy, … The length of the slice is
/// [`CalledFunction::results`]. It must return equal results for equal arguments.
pub type RustFunctionOfMany = dyn Fn(&[f64], &mut [f64]) + Send + Sync;

/// Binding of a Rust function.
#[derive(Clone, Default)]
pub enum Bound {
    /// Unbound.
    #[default]
    Nothing,
    /// A Rust function, and the check of its derivatives.
    Function(Arc<RustFunctionOfMany>, Arc<DerivativeWatch>),
    /// Unbound, with a stand-in.
    StandIn(StandIn, FunctionId),
}

/// Error of a binding, or of a model whose functions are not bound.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum FunctionError {
    /// No opaque function has the name.
    Unknown {
        /// The name.
        name: String,
        /// The most similar declared name.
        nearest: Option<String>,
    },
    /// A declared function is unbound.
    Unbound {
        /// Its name.
        name: String,
        /// Declared order of derivatives.
        derivatives: u8,
    },
    /// A Rust function of one number is bound to a function that is declared with several arguments or values.
    OfMany {
        /// Its name.
        name: String,
        /// Declared number of arguments.
        arguments: usize,
        /// Declared number of values.
        values: usize,
    },
    /// A value is bound to a function that is declared with other numbers of arguments and results.
    Results {
        /// Its name.
        name: String,
        /// Arguments, results of each value and values as declared.
        expected: [usize; 3],
        /// Those of the bound value.
        found: [usize; 3],
    },
    /// No function that is set at run time has the name.
    NotSettable {
        /// The name.
        name: String,
        /// The most similar declared name.
        nearest: Option<String>,
    },
    /// A spline does not have the declared size.
    Size {
        /// Name of the function.
        name: String,
        /// Points and values declared.
        expected: [usize; 2],
        /// Points and values given.
        found: [usize; 2],
    },
}

/// Writes the text of `Display`, because `main` shows errors with `Debug`.
impl fmt::Debug for FunctionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for FunctionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let suggestion =
            |nearest: &Option<String>| nearest.as_ref().map_or(String::new(), |n| format!(", did you mean `{n}`?"));
        match self {
            FunctionError::Unknown { name, nearest } => {
                write!(f, "no opaque function is called `{name}`{}", suggestion(nearest))
            }
            FunctionError::Unbound { name, derivatives } => {
                let s = if *derivatives == 1 { "" } else { "s" };
                write!(f, "no Rust function is bound to `{name}`, which gives a value and {derivatives} derivative{s}")
            }
            FunctionError::OfMany { name, arguments, values } => {
                write!(f, "`{name}` takes {arguments} numbers and gives {values}: bind a function of many")
            }
            FunctionError::Results { name, expected: [n, r, m], found: [arguments, results, values] } => {
                write!(f, "`{name}` is an `Opaque<{n}, {r}, {m}>`, not an `Opaque<{arguments}, {results}, {values}>`")
            }
            FunctionError::NotSettable { name, nearest } => {
                write!(f, "no function `{name}` is set at run time{}", suggestion(nearest))
            }
            FunctionError::Size { name, expected: [n, m], found: [points, values] } => {
                write!(f, "`{name}` is a `CubicSpline<{n}, {m}>`, not a `CubicSpline<{points}, {values}>`")
            }
        }
    }
}

impl std::error::Error for FunctionError {}

impl CalledFunction {
    /// Whether a Rust function is bound to it; true for splines, which need no binding.
    pub fn is_bound(&self) -> bool {
        match &self.kind {
            CalledKind::Rust { bound, .. } => matches!(bound, Bound::Function(..)),
            CalledKind::Data(_) | CalledKind::Grid(_) | CalledKind::Settable(_) => true,
        }
    }

    /// Whether it is an unbound function with a stand-in.
    pub fn has_stand_in(&self) -> bool {
        matches!(&self.kind, CalledKind::Rust { bound: Bound::StandIn(..), .. })
    }

    /// Replaces a Rust function by a stand-in, with derivatives of as high an order as [`MOST_RESULTS`] permits.
    pub fn stand_in(&mut self, id: FunctionId, kind: StandIn) {
        let fits = |orders: &usize| self.values() * count(self.arguments, *orders) <= MOST_RESULTS;
        let most = (0..=MOST_DERIVATIVES).rev().find(fits).unwrap_or(0) as u8;
        if let CalledKind::Rust { derivatives, bound, .. } = &mut self.kind {
            *derivatives = most.max(*derivatives);
            *bound = Bound::StandIn(kind, id);
        }
    }

    /// Binds a Rust function, and replaces an earlier binding. It has no effect on splines.
    pub fn bind(&mut self, function: Arc<RustFunctionOfMany>) {
        if let CalledKind::Rust { bound, .. } = &mut self.kind {
            *bound = Bound::Function(function, Arc::default());
        }
    }

    /// Sets the spline of a function that is set at run time. It allocates nothing.
    ///
    /// # Errors
    /// [`FunctionError::NotSettable`], [`FunctionError::Size`].
    pub fn set<const N: usize, const M: usize>(&mut self, spline: &CubicSpline<N, M>) -> Result<(), FunctionError> {
        let expected = [self.spline().map_or(0, |s| s.knots.len()), self.values()];
        match &mut self.kind {
            CalledKind::Settable(current) => match current.set(spline) {
                true => Ok(()),
                false => Err(FunctionError::Size { name: self.name.clone(), expected, found: [N, M] }),
            },
            _ => Err(FunctionError::NotSettable { name: self.name.clone(), nearest: None }),
        }
    }
}

/// Sets the spline of the function `name`, which is set at run time, in a list of functions.
///
/// # Errors
/// [`FunctionError::NotSettable`], [`FunctionError::Size`].
pub fn set<const N: usize, const M: usize>(
    functions: &mut [CalledFunction],
    name: &str,
    spline: &CubicSpline<N, M>,
) -> Result<(), FunctionError> {
    let settable = |f: &&mut CalledFunction| f.source() == FunctionSource::Settable;
    match functions.iter_mut().filter(settable).find(|f| f.name == name) {
        Some(function) => function.set(spline),
        None => {
            let names = functions.iter().filter(|f| f.source() == FunctionSource::Settable).map(|f| f.name.as_str());
            let nearest = nearest(name, names).map(str::to_owned);
            Err(FunctionError::NotSettable { name: name.to_owned(), nearest })
        }
    }
}
