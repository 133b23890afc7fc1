//! Names that mean something in one place only: variables of loops and sums, parameters of functions.

use std::rc::Rc;

use super::value::Value;

/// The names bound here, innermost last.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope {
    innermost: Option<Rc<Binding>>,
    /// The function whose body this is. A body sees nothing of where it is called but its arguments.
    function: Option<Rc<str>>,
}

#[derive(Debug)]
struct Binding {
    name: String,
    bound: Bound,
    outer: Option<Rc<Binding>>,
}

/// What a name is bound to.
#[derive(Clone, Debug)]
pub(super) enum Bound {
    /// A variable of a loop or sum.
    Index(i64),
    /// A parameter of a function.
    Argument(Value),
}

impl Scope {
    /// The body of a function.
    pub fn of_function<'n>(function: &str, arguments: impl Iterator<Item = (&'n str, Value)>) -> Scope {
        let scope = Scope { innermost: None, function: Some(function.into()) };
        arguments.fold(scope, |scope, (name, value)| scope.bind(name, Bound::Argument(value)))
    }

    /// One more variable of a loop or sum.
    pub fn with(&self, name: &str, index: i64) -> Scope {
        self.bind(name, Bound::Index(index))
    }

    fn bind(&self, name: &str, bound: Bound) -> Scope {
        let binding = Binding { name: name.to_string(), bound, outer: self.innermost.clone() };
        Scope { innermost: Some(Rc::new(binding)), function: self.function.clone() }
    }

    /// Outside of loops, sums and functions.
    pub fn is_top(&self) -> bool {
        self.innermost.is_none() && self.function.is_none()
    }

    /// The function whose body this is.
    pub fn function(&self) -> Option<&str> {
        self.function.as_deref()
    }

    /// All bindings, innermost first.
    pub fn bindings(&self) -> impl Iterator<Item = (&str, &Bound)> {
        let all = std::iter::successors(self.innermost.as_deref(), |b| b.outer.as_deref());
        all.map(|b| (b.name.as_str(), &b.bound))
    }

    /// What a name is bound to.
    pub fn bound(&self, name: &str) -> Option<&Bound> {
        self.bindings().find(|(n, _)| *n == name).map(|(_, bound)| bound)
    }

    /// Value of a variable.
    pub fn index(&self, name: &str) -> Option<i64> {
        match self.bound(name)? {
            Bound::Index(i) => Some(*i),
            Bound::Argument(_) => None,
        }
    }
}
