//! Functions written in Rust: declared in a mechanism with the derivatives they give, bound to its model by name.

use std::fmt;
use std::sync::Arc;

use crate::{FunctionId, Model, Origin, nearest};

/// Most derivatives that an opaque function may give.
///
/// Position rows are differentiated twice, for γ. Derivatives of accelerations with respect to the state need a third, their
/// second derivatives a fourth; nothing that is computed from a mechanism asks for more.
pub const MOST_DERIVATIVES: usize = 4;

/// f, f′, f″, …: a value and its derivatives, NaN from where on they are not given.
pub type Derivatives = [f64; MOST_DERIVATIVES + 1];

/// A Rust function of one number x: writes f(x), f′(x), f″(x), … over the slice, which has room for the value and as many
/// derivatives as declared. The same x must give the same numbers: calls are shared, and values are kept.
pub type RustFunction = dyn Fn(f64, &mut [f64]) + Send + Sync;

/// `function gas: opaque(2);`: a function of one number that is written in Rust.
#[derive(Clone)]
pub struct OpaqueFunction {
    /// Name as declared.
    pub name: String,
    /// Where it is declared.
    pub origin: Origin,
    /// Doc comment.
    pub docs: String,
    /// How many derivatives it gives beside its value, at most [`MOST_DERIVATIVES`].
    pub derivatives: u8,
    bound: Option<Arc<RustFunction>>,
}

impl OpaqueFunction {
    /// Nothing is bound to it yet.
    pub fn new(name: String, origin: Origin, docs: String, derivatives: u8) -> Self {
        OpaqueFunction { name, origin, docs, derivatives, bound: None }
    }

    /// Whether a Rust function is bound to it.
    pub fn is_bound(&self) -> bool {
        self.bound.is_some()
    }

    /// Binds a Rust function, instead of the one before.
    pub fn bind(&mut self, function: Arc<RustFunction>) {
        self.bound = Some(function);
    }

    /// Value and derivatives at x; all NaN where nothing is bound. Allocates nothing.
    pub fn evaluate(&self, x: f64) -> Derivatives {
        let mut values = [f64::NAN; MOST_DERIVATIVES + 1];
        let given = usize::from(self.derivatives).min(MOST_DERIVATIVES);
        if let Some(function) = &self.bound {
            function(x, &mut values[..=given]);
        }
        values
    }
}

impl fmt::Debug for OpaqueFunction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpaqueFunction")
            .field("name", &self.name)
            .field("origin", &self.origin)
            .field("docs", &self.docs)
            .field("derivatives", &self.derivatives)
            .field("bound", &self.is_bound())
            .finish()
    }
}

/// A derivative of an opaque function, as [`Scalar::opaque`](crate::Scalar::opaque) takes it.
#[derive(Clone, Copy, Debug)]
pub struct OpaqueCall<'m> {
    /// Which function.
    pub id: FunctionId,
    /// Its declaration, and what is bound to it.
    pub function: &'m OpaqueFunction,
    /// Which derivative: 0 is the value.
    pub derivative: u8,
}

/// Why a Rust function cannot be bound, or a model with opaque functions cannot be evaluated.
#[derive(Clone, Debug, PartialEq, Eq)]
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
}

impl fmt::Display for FunctionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FunctionError::Unknown { name, nearest: None } => write!(f, "no opaque function is called `{name}`"),
            FunctionError::Unknown { name, nearest: Some(near) } => {
                write!(f, "no opaque function is called `{name}`, did you mean `{near}`?")
            }
            FunctionError::Unbound { name, derivatives } => {
                let s = if *derivatives == 1 { "" } else { "s" };
                write!(f, "no Rust function is bound to `{name}`, which gives a value and {derivatives} derivative{s}")
            }
        }
    }
}

impl std::error::Error for FunctionError {}

impl Model {
    /// Binds a Rust function to the opaque function `name`, instead of the one before; see [`RustFunction`] for what it does.
    ///
    /// # Errors
    /// [`FunctionError::Unknown`].
    pub fn bind(
        &mut self,
        name: &str,
        function: impl Fn(f64, &mut [f64]) + Send + Sync + 'static,
    ) -> Result<(), FunctionError> {
        match self.functions.iter_mut().find(|f| f.name == name) {
            Some(declared) => {
                declared.bind(Arc::new(function));
                Ok(())
            }
            None => {
                let near = nearest(name, self.functions.iter().map(|f| f.name.as_str()));
                Err(FunctionError::Unknown { name: name.to_owned(), nearest: near.map(str::to_owned) })
            }
        }
    }

    /// That every opaque function has a Rust function bound to it.
    ///
    /// # Errors
    /// [`FunctionError::Unbound`] with the first that has none.
    pub fn check_bound(&self) -> Result<(), FunctionError> {
        match self.functions.iter().find(|f| !f.is_bound()) {
            Some(f) => Err(FunctionError::Unbound { name: f.name.clone(), derivatives: f.derivatives }),
            None => Ok(()),
        }
    }
}
