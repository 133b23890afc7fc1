//! Functions of a model: bindings that a program supplies, and stand-ins for unbound functions.

use std::borrow::Cow;
use std::sync::Arc;

use mbs_core::{CubicSpline, DerivativeWatch, Opaque, nearest};
use mbs_expr::{CalledFunction, ExprId, FunctionError, FunctionId, FunctionSource, Op, StandIn, set_function};

use super::Model;

impl Model {
    /// The watches on derivatives of the bound Rust functions, each with the index of its function and the number of results of one value.
    pub fn derivative_watches(&self) -> impl Iterator<Item = (usize, usize, &DerivativeWatch)> + Clone {
        let functions = self.functions.iter().enumerate();
        functions.filter_map(|(i, f)| f.watch().map(|watch| (i, f.results_of_value(), watch)))
    }

    /// Binds a Rust function of one number to the opaque function `name`, and replaces an earlier binding. [`RustFunction`](mbs_expr::RustFunction)
    /// describes the arguments of the function.
    ///
    /// # Errors
    /// [`FunctionError::Unknown`], [`FunctionError::OfMany`].
    pub fn bind(
        &mut self,
        name: &str,
        function: impl Fn(f64, &mut [f64]) + Send + Sync + 'static,
    ) -> Result<(), FunctionError> {
        let declared = self.opaque(name)?;
        let (arguments, values) = (declared.arguments, declared.values());
        if arguments != 1 || declared.shape.is_some() {
            return Err(FunctionError::OfMany { name: name.to_owned(), arguments, values });
        }
        declared.bind(Arc::new(move |x, results| function(x[0], results)));
        Ok(())
    }

    /// Binds a Rust function of any declared number of arguments and values. [`RustFunctionOfMany`](mbs_expr::RustFunctionOfMany) describes its
    /// arguments.
    ///
    /// # Errors
    /// [`FunctionError::Unknown`].
    pub fn bind_many(
        &mut self,
        name: &str,
        function: impl Fn(&[f64], &mut [f64]) + Send + Sync + 'static,
    ) -> Result<(), FunctionError> {
        self.opaque(name)?.bind(Arc::new(function));
        Ok(())
    }

    /// Binds a value that implements [`Opaque`], such as the field of generated code for `function gas: opaque(2, GasTable);`, with or without a
    /// type in the declaration.
    ///
    /// # Errors
    /// [`FunctionError::Unknown`], [`FunctionError::Results`].
    pub fn bind_value<const N: usize, const R: usize, const M: usize>(
        &mut self,
        name: &str,
        value: impl Opaque<N, R, M> + Send + Sync + 'static,
    ) -> Result<(), FunctionError> {
        let declared = self.opaque(name)?;
        let (expected, found) = ([declared.arguments, declared.results_of_value(), declared.values()], [N, R, M]);
        if expected != found {
            return Err(FunctionError::Results { name: name.to_owned(), expected, found });
        }
        declared.bind(Arc::new(move |x, results| match x.try_into() {
            Ok(x) => results.copy_from_slice(value.evaluate(x).as_flattened()),
            Err(_) => results.fill(f64::NAN),
        }));
        Ok(())
    }

    /// Sets the spline of a function that is set at run time, `function road: CubicSpline<16>;`. It allocates nothing.
    ///
    /// # Errors
    /// [`FunctionError::NotSettable`], [`FunctionError::Size`]. Nothing is changed then.
    pub fn set_function<const N: usize, const M: usize>(
        &mut self,
        name: &str,
        spline: &CubicSpline<N, M>,
    ) -> Result<(), FunctionError> {
        set_function(&mut self.functions, name, spline)
    }

    fn opaque(&mut self, name: &str) -> Result<&mut CalledFunction, FunctionError> {
        let is_rust = |f: &CalledFunction| f.source() == FunctionSource::Rust;
        match self.functions.iter().position(|f| f.name == name && is_rust(f)) {
            Some(i) => Ok(&mut self.functions[i]),
            None => {
                let near = nearest(name, self.functions.iter().filter(|f| is_rust(f)).map(|f| f.name.as_str()));
                Err(FunctionError::Unknown { name: name.to_owned(), nearest: near.map(str::to_owned) })
            }
        }
    }

    /// Checks that every opaque function has a Rust function bound to it.
    ///
    /// # Errors
    /// [`FunctionError::Unbound`] with the first that has none.
    pub fn check_bound(&self) -> Result<(), FunctionError> {
        match self.functions.iter().find(|f| !f.is_bound()) {
            Some(f) => Err(FunctionError::Unbound { name: f.name.clone(), derivatives: f.derivatives().unwrap_or(0) }),
            None => Ok(()),
        }
    }
}

impl Model {
    /// The model with a stand-in for every unbound function.
    pub fn with_stand_ins(&self, kind: StandIn) -> Cow<'_, Model> {
        if self.functions.iter().all(CalledFunction::is_bound) {
            return Cow::Borrowed(self);
        }
        let mut model = self.clone();
        for (i, function) in (0..).zip(&mut model.functions).filter(|(_, f)| !f.is_bound()) {
            function.stand_in(FunctionId(i), kind);
        }
        Cow::Owned(model)
    }

    /// Whether a function has a stand-in.
    pub fn has_stand_ins(&self) -> bool {
        self.functions.iter().any(CalledFunction::has_stand_in)
    }

    /// An unbound Rust function that an expression calls, if there is one.
    pub fn unbound_function_in(&self, e: ExprId) -> Option<FunctionId> {
        if !self.exprs.mentions(e).opaque {
            return None;
        }
        self.exprs.subexpressions(e).into_iter().find_map(|id| match self.exprs.op(id) {
            Op::Called { function, source: FunctionSource::Rust, .. } => {
                Some(function).filter(|f| !self.functions[f.index()].is_bound())
            }
            _ => None,
        })
    }
}
