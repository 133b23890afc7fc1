//! Values that a program binds to the functions of a model: Rust functions, and splines.

use std::fmt;
use std::sync::Arc;

use mbs_core::{CubicSpline, DerivativeWatch, nearest};

use super::partial::count;
use super::stand_in::StandIn;
use super::{CalledFunction, CalledKind, FunctionSource, MOST_DERIVATIVES, MOST_RESULTS};
use crate::FunctionId;

/// A Rust function of one number x: writes f(x), f′(x), f″(x), … over the slice, which has room for the value and as many
/// derivatives as declared. It must give equal numbers for equal x: calls are shared, and values are kept.
pub type RustFunction = dyn Fn(f64, &mut [f64]) + Send + Sync;

/// A Rust function of several numbers, or with several values: writes each value and its partial derivatives, by order and in each
/// order as in a dictionary: f, f_x, f_y, f_xx, f_xy, f_yy, …; those of the first value first. The slice has room for what is
/// declared.
pub type RustFunctionOfMany = dyn Fn(&[f64], &mut [f64]) + Send + Sync;

/// The Rust function that is bound, if any is.
#[derive(Clone, Default)]
pub enum Bound {
    /// None is.
    #[default]
    Nothing,
    /// A Rust function, and what checks its derivatives.
    Function(Arc<RustFunctionOfMany>, Arc<DerivativeWatch>),
    /// None is, but something stands for it.
    StandIn(StandIn, FunctionId),
}

/// Why nothing can be bound to a function, or a model cannot be evaluated.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum FunctionError {
    /// No opaque function has the name that something is bound to.
    Unknown {
        /// The name.
        name: String,
        /// The declared name it may stand for.
        nearest: Option<String>,
    },
    /// Nothing is bound to a declared function.
    Unbound {
        /// Its name.
        name: String,
        /// How many derivatives it is declared to give.
        derivatives: u8,
    },
    /// A Rust function of one number is bound to one that is declared with several, or with several values.
    OfMany {
        /// Its name.
        name: String,
        /// How many numbers it takes.
        arguments: usize,
        /// How many values it has.
        values: usize,
    },
    /// A value is bound to a function that is declared with other numbers of arguments and results.
    Results {
        /// Its name.
        name: String,
        /// Arguments, results of each value and values as declared.
        expected: [usize; 3],
        /// The value's.
        found: [usize; 3],
    },
    /// No function that is set at run time has the name.
    NotSettable {
        /// The name.
        name: String,
        /// The declared name it may stand for.
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

/// Reads like `Display`: what `main` shows.
impl fmt::Debug for FunctionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for FunctionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let meant =
            |nearest: &Option<String>| nearest.as_ref().map_or(String::new(), |n| format!(", did you mean `{n}`?"));
        match self {
            FunctionError::Unknown { name, nearest } => {
                write!(f, "no opaque function is called `{name}`{}", meant(nearest))
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
                write!(f, "no function `{name}` is set at run time{}", meant(nearest))
            }
            FunctionError::Size { name, expected: [n, m], found: [points, values] } => {
                write!(f, "`{name}` is a `CubicSpline<{n}, {m}>`, not a `CubicSpline<{points}, {values}>`")
            }
        }
    }
}

impl std::error::Error for FunctionError {}

impl CalledFunction {
    /// Whether a function written in Rust is bound to it; others need none.
    pub fn is_bound(&self) -> bool {
        match &self.kind {
            CalledKind::Rust { bound, .. } => matches!(bound, Bound::Function(..)),
            CalledKind::Data(_) | CalledKind::Grid(_) | CalledKind::Settable(_) => true,
        }
    }

    /// Whether something stands for it, because it is not known.
    pub fn has_stand_in(&self) -> bool {
        matches!(&self.kind, CalledKind::Rust { bound: Bound::StandIn(..), .. })
    }

    /// Puts something in place of it, with as many derivatives as there is room for.
    pub fn stand_in(&mut self, id: FunctionId, by: StandIn) {
        let room = |orders: &usize| self.values() * count(self.arguments, *orders) <= MOST_RESULTS;
        let most = (0..=MOST_DERIVATIVES).rev().find(room).unwrap_or(0) as u8;
        if let CalledKind::Rust { derivatives, bound, .. } = &mut self.kind {
            *derivatives = most.max(*derivatives);
            *bound = Bound::StandIn(by, id);
        }
    }

    /// Binds a Rust function, instead of the one before, if it is one that is written in Rust.
    pub fn bind(&mut self, function: Arc<RustFunctionOfMany>) {
        if let CalledKind::Rust { bound, .. } = &mut self.kind {
            *bound = Bound::Function(function, Arc::default());
        }
    }

    /// Sets a spline, if it is one that is set at run time. Allocates nothing.
    ///
    /// # Errors
    /// [`FunctionError::NotSettable`], [`FunctionError::Size`].
    pub fn set<const N: usize, const M: usize>(&mut self, spline: &CubicSpline<N, M>) -> Result<(), FunctionError> {
        let expected = [self.spline().map_or(0, |s| s.knots.len()), self.values()];
        match &mut self.kind {
            CalledKind::Settable(to) => match to.set(spline) {
                true => Ok(()),
                false => Err(FunctionError::Size { name: self.name.clone(), expected, found: [N, M] }),
            },
            _ => Err(FunctionError::NotSettable { name: self.name.clone(), nearest: None }),
        }
    }
}

/// Sets the spline of the settable function `name` among some.
///
/// # Errors
/// As `Model::set_function`.
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
