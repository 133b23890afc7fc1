//! Declared functions: inlined where they are called, made from data, or supplied at run time.

use std::sync::Arc;

use mbs_definition::{Expr, ExprKind, FunctionBody, FunctionDeclaration, Ident, Item, Made, Origin};
use mbs_expr::{CalledFunction, CalledKind, ExprId, MOST_ARGUMENTS, MOST_DERIVATIVES, MOST_RESULTS, Spline};

use crate::mistakes;
use crate::names::Declaring;
use crate::outputs::OutputPhase;
use crate::resolvers::{FunctionResolver, Resolves};
use crate::value::{Axes, Value};
use crate::values::formulas::{KINDS, SUPPLIED};
use crate::values::functions::{Callee, is_function};
use crate::{Category, Declared, Reported, Res, Scope, State, did_you_mean};

impl<'a> Declaring<'_, 'a> {
    /// Gives functions their slots, before any expression is evaluated.
    pub(crate) fn declare_functions(&mut self, items: &'a [Item], scope: &Scope) {
        let first = self.resolver.names.slots.len();
        for item in items {
            if let Item::Function(f) = item
                && (!self.count_item(f.name.origin) || self.declare_function(f, scope).is_err())
            {
                self.resolver.names.bad.insert(format!("{}{}", scope.prefix(), f.name.text));
            }
        }
        self.refuse_circles(first);
    }

    fn declare_function(&mut self, f: &'a FunctionDeclaration, scope: &Scope) -> Res<()> {
        let name = &f.name;
        let full = format!("{}{}", scope.prefix(), name.text);
        self.resolver.check_name(&name.text, name.origin, scope)?;
        if is_function(&name.text) {
            return self.fail(name.origin, mistakes::functions::function_of_the_language(&name.text));
        }
        let index = match &f.body {
            FunctionBody::Inlined { parameters, .. } => {
                self.check_parameters(&name.text, parameters)?;
                0
            }
            FunctionBody::Made(made) => {
                self.refuse_made(name, &made.value)?;
                let data = CalledKind::Data(Arc::new(Spline::zero(0, None)));
                match &made.value.kind {
                    ExprKind::Call(kind, _) if kind.text == "spline" => self.add_function(f, full.clone(), 1, data),
                    ExprKind::Call(kind, _) if kind.text == "bicubic" => self.add_function(f, full.clone(), 2, data),
                    _ => 0,
                }
            }
            FunctionBody::Supplied { parameters, kind, arguments, default, .. } => {
                self.check_parameters(&name.text, parameters)?;
                self.add_supplied(f, full.clone(), parameters, kind, arguments, default.as_ref())?
            }
        };
        let declared = Declared::Function(f);
        let slot = self.add_slot(full, None, Category::Function, declared, scope);
        self.resolver.names.slots[slot].index = index;
        Ok(())
    }

    /// Adds a function that is called; its data and sizes are resolved when constants are known.
    fn add_function(&mut self, f: &FunctionDeclaration, name: String, arguments: usize, kind: CalledKind) -> usize {
        let docs = f.docs.clone();
        self.resolver.functions.called.push(CalledFunction {
            name,
            origin: f.name.origin,
            docs,
            arguments,
            shape: None,
            kind,
        });
        self.resolver.functions.called.len() - 1
    }

    /// Adds a function supplied at run time: `opaque(2)` or `CubicSpline<16>`.
    fn add_supplied(
        &mut self,
        f: &FunctionDeclaration,
        full: String,
        parameters: &[Ident],
        kind: &Ident,
        arguments: &[Expr],
        default: Option<&Made>,
    ) -> Res<usize> {
        let name = &f.name;
        if kind.text == "CubicSpline" {
            if let Some(second) = parameters.get(1) {
                return self.fail(second.origin, mistakes::functions::spline_of_several_numbers(&name.text));
            }
            return Ok(self.add_function(f, full, 1, CalledKind::Settable(Box::new(Spline::zero(0, None)))));
        }
        let derivatives = self.derivatives(name, kind, arguments)?;
        if let Some(made) = default {
            return self.fail(made.value.origin, mistakes::functions::rust_function_with_default(&name.text));
        }
        if let Some(extra) = parameters.get(MOST_ARGUMENTS) {
            return self.fail(
                extra.origin,
                mistakes::functions::too_many_function_parameters(&name.text, parameters.len(), MOST_ARGUMENTS),
            );
        }
        let count = parameters.len().max(1);
        let mut function = CalledFunction::rust(full, name.origin, f.docs.clone(), count, None, derivatives);
        if let (CalledKind::Rust { value_type: held, .. }, [_, ty]) = (&mut function.kind, arguments) {
            *held = type_name(ty);
        }
        assert!(function.results() <= MOST_RESULTS, "70 derivatives of four numbers");
        self.resolver.functions.called.push(function);
        Ok(self.resolver.functions.called.len() - 1)
    }

    fn check_parameters(&mut self, function: &str, parameters: &[Ident]) -> Res<()> {
        let mut good = Ok(());
        for (i, p) in parameters.iter().enumerate() {
            if self.resolver.check_plain_name(&p.text, p.origin).is_err() {
                good = Err(Reported);
            }
            if let Some(earlier) = parameters[..i].iter().find(|earlier| earlier.text == p.text) {
                let mistake = mistakes::functions::function_parameter_twice(function, &p.text);
                good = self.fail_redeclared(p.origin, earlier.origin, mistake);
            }
        }
        good
    }

    /// The number of derivatives k of `opaque(k)` or `opaque(k, Type)`.
    fn derivatives(&mut self, name: &Ident, kind: &Ident, arguments: &[Expr]) -> Res<u8> {
        if kind.text != "opaque" {
            let help = match KINDS.iter().find(|(made, _)| *made == kind.text) {
                Some((made, form)) => Some(format!("write `function {} = {made}{form};`", name.text)),
                None => did_you_mean(&kind.text, SUPPLIED.iter().copied()),
            };
            let help = help.or_else(|| Some(format!("write `function {}: opaque(2);`", name.text)));
            return self.fail(kind.origin, mistakes::functions::unknown_kind_of_function(&kind.text).help_if(help));
        }
        let help = || Some(format!("write how many derivatives it gives: `opaque(2)`, at most {MOST_DERIVATIVES}"));
        match arguments {
            [] => self.fail(kind.origin, mistakes::functions::opaque_without_number(&name.text).help_if(help())),
            [Expr { kind: ExprKind::Number(k), origin }, rest @ ..]
                if rest.len() <= 1 && rest.iter().all(|e| type_name(e).is_some()) =>
            {
                if k.fract() == 0.0 && (0.0..=MOST_DERIVATIVES as f64).contains(k) {
                    return Ok(*k as u8);
                }
                self.fail(*origin, mistakes::functions::impossible_derivatives(&name.text, k).help_if(help()))
            }
            [Expr { kind: ExprKind::Broken, .. }, ..] => {
                self.resolver.mistakes.broken = true;
                Err(Reported)
            }
            [k] => self.fail(k.origin, mistakes::functions::derivatives_not_a_digit().help_if(help())),
            [_, extra, ..] => {
                let help = match arguments {
                    [_, _] => Some("write a type after the number of derivatives: `opaque(2, GasTable)`".into()),
                    _ => help(),
                };
                self.fail(extra.origin, mistakes::functions::opaque_takes_one_argument(arguments.len()).help_if(help))
            }
        }
    }

    /// Reports functions that call themselves, directly or through others, and marks them as bad, so that their calls are not reported as well.
    /// Functions before slot `first` cannot call later ones.
    fn refuse_circles(&mut self, first: usize) {
        let mut done = vec![false; self.resolver.names.slots.len()];
        for start in first..self.resolver.names.slots.len() {
            // The present chain of calls: each function with the calls that have not been followed.
            let mut chain: Vec<(usize, Vec<&'a Ident>)> = Vec::new();
            let mut next = Some(start).filter(|s| !done[*s]);
            loop {
                if let Some(slot) = next.take() {
                    done[slot] = true;
                    chain.push((slot, self.calls(slot)));
                }
                let Some((slot, remaining)) = chain.last_mut() else { break };
                let (slot, Some(call)) = (*slot, remaining.pop()) else {
                    chain.pop();
                    continue;
                };
                let scope = self.resolver.names.slots[slot].scope.clone();
                let Some(callee) = self.resolver.function_slot(&call.text, &scope) else { continue };
                if let Some(circle) = chain.iter().position(|(s, _)| *s == callee) {
                    if chain[circle..].iter().all(|(s, _)| matches!(self.resolver.names.slots[*s].state, State::Bad)) {
                        continue;
                    }
                    let through = if callee == slot {
                        String::new()
                    } else {
                        format!(" through `{}`", self.resolver.names.slots[slot].name)
                    };
                    self.report(call.origin, mistakes::functions::function_calls_itself(&call.text, &through));
                    chain[circle..].iter().for_each(|(s, _)| self.resolver.names.slots[*s].state = State::Bad);
                } else if !done[callee] {
                    next = Some(callee);
                }
            }
        }
    }

    /// Functions called in the body of an inlined function.
    fn calls(&self, slot: usize) -> Vec<&'a Ident> {
        let Declared::Function(f) = self.resolver.names.slots[slot].declared else { return Vec::new() };
        let FunctionBody::Inlined { value, .. } = &f.body else { return Vec::new() };
        let (mut found, mut stack) = (Vec::new(), vec![value]);
        while let Some(e) = stack.pop() {
            if let ExprKind::Call(callee, _) = &e.kind {
                found.push(callee);
            }
            stack.extend(parts(e));
        }
        found
    }
}

impl<'a> FunctionResolver<'_, 'a> {
    /// Number of arguments of a declared function.
    pub(crate) fn parameter_count(&mut self, slot: usize) -> Res<usize> {
        match self.resolver.names.slots[slot].declared {
            Declared::Function(FunctionDeclaration { body: FunctionBody::Inlined { parameters, .. }, .. }) => {
                Ok(parameters.len())
            }
            _ => self.function_resolver().formula_arity(slot),
        }
    }

    /// The value of a declared function at `values`; `from` are the argument expressions, for messages.
    pub(crate) fn call_declared(
        &mut self,
        slot: usize,
        values: Vec<Value>,
        from: &[Expr],
        caller: &Scope,
    ) -> Res<Value> {
        let s = &self.resolver.names.slots[slot];
        let (Declared::Function(f), false) = (s.declared, matches!(s.state, State::Bad)) else { return Err(Reported) };
        let FunctionBody::Inlined { parameters, value } = &f.body else {
            let x = self.vectors().all_numbers(&f.name.text, &values, from)?;
            let value = self.function_resolver().call_formula(slot, &x)?;
            let origin = from.first().map_or(f.name.origin, |e| e.origin);
            for x in value.components().unwrap_or_default() {
                self.vectors().finite_number(*x, &format!("`{}` here", f.name.text), origin)?;
            }
            return Ok(value);
        };
        let before = self.resolver.mistakes.errors.list().len();
        let arguments = parameters.iter().map(|p| p.text.as_str()).zip(values.iter().cloned());
        let scope = s.scope.function_body(&f.name.text, arguments, caller);
        let result = self.resolver.eval(value, &scope);
        let result = result.and_then(|result| match result {
            Value::Truth(_) | Value::Rotation(..) => Ok(result),
            _ if result.components().is_some() => Ok(result),
            other => {
                self.fail(value.origin, mistakes::functions::function_gives_no_numbers(&f.name.text, other.describe()))
            }
        });
        if result.is_err()
            && let Some(nonnumeric) = values.iter().find(|v| !matches!(v, Value::Number(_)))
        {
            // The mistake may be in the arguments.
            self.resolver
                .mistakes
                .errors
                .help_since(before, &format!("`{}` is called with {}", f.name.text, nonnumeric.describe()));
        }
        result
    }

    /// Checks that the body of a function reads only its arguments and values that do not depend on the motion.
    pub(crate) fn check_given(&mut self, value: &Value, name: &str, origin: Origin, scope: &Scope) -> Res<()> {
        let Some(function) = scope.function() else { return Ok(()) };
        let still = |r: &Self, x: &ExprId| {
            let m = r.resolver.exprs.mentions(*x);
            m.order.is_none() && !m.input && !m.auxiliary
        };
        let known = match value {
            Value::Truth(x) => still(self, x),
            Value::Body(None) => true,
            Value::Rotation(r, _) => r.as_flattened().iter().all(|x| still(self, x)),
            _ => value.components().is_some_and(|all| all.iter().all(|x| still(self, x))),
        };
        if known {
            return Ok(());
        }
        self.fail(origin, mistakes::functions::function_depends_on_more(function, name))
    }
}

impl<'a> OutputPhase<'_, 'a> {
    /// Checks the names in all functions, called or not; other mistakes are found where functions are called.
    pub(crate) fn check_functions(&mut self) {
        for slot in 0..self.resolver.names.slots.len() {
            let Declared::Function(f) = self.resolver.names.slots[slot].declared else { continue };
            let FunctionBody::Inlined { parameters, value } = &f.body else {
                let _ = self.function_resolver().formula(slot);
                continue;
            };
            let anything = Value::Vector(Vec::new(), Axes::Unstated);
            let arguments = parameters.iter().map(|p| (p.text.as_str(), anything.clone()));
            let scope_of_body = &self.resolver.names.slots[slot].scope;
            let mut stack = vec![(value, scope_of_body.function_body(&f.name.text, arguments, scope_of_body))];
            while let Some((e, scope)) = stack.pop() {
                self.check_names(e, &scope);
                for part in parts(e) {
                    let inside = match &e.kind {
                        ExprKind::Sum { body, variable, .. } if std::ptr::eq(part, &**body) => {
                            scope.with_index(&variable.text, 0)
                        }
                        _ => scope.clone(),
                    };
                    stack.push((part, inside));
                }
            }
        }
    }

    fn check_names(&mut self, e: &Expr, scope: &Scope) {
        match &e.kind {
            ExprKind::Name(name) if name != "com" => {
                // Families and groups have no values.
                let path = self.resolver.full_path(e, scope).ok().flatten();
                if !path.is_some_and(|full| {
                    self.resolver.names.families.contains_key(&full) || self.resolver.names.is_group(&full)
                }) {
                    let _ = self.resolver.eval_name(name, e.origin, scope);
                }
            }
            ExprKind::Call(callee, arguments) => {
                let _: Res<()> = match self.resolver.qualified(callee, arguments, scope) {
                    Ok(Some((slot, rest))) => {
                        self.function_resolver().check_arity(callee, &Callee::Declared(slot), rest.len())
                    }
                    Ok(None) => self
                        .function_resolver()
                        .callee(callee, scope)
                        .and_then(|c| self.function_resolver().check_arity(callee, &c, arguments.len())),
                    Err(Reported) => Err(Reported),
                };
            }
            ExprKind::Broken => self.resolver.mistakes.broken = true,
            _ => {}
        }
    }
}

/// The name of a type.
fn type_name(e: &Expr) -> Option<Ident> {
    match &e.kind {
        ExprKind::Name(name) if !name.contains('.') => Some(Ident { text: name.clone(), origin: e.origin }),
        _ => None,
    }
}

/// The operands of an expression.
fn parts(e: &Expr) -> Vec<&Expr> {
    match &e.kind {
        ExprKind::Number(_) | ExprKind::Name(_) | ExprKind::Broken => Vec::new(),
        ExprKind::Field(a, _) | ExprKind::Unary(_, a) => vec![a],
        ExprKind::Index(a, b)
        | ExprKind::Range(a, b)
        | ExprKind::Binary(_, a, b)
        | ExprKind::In(a, b)
        | ExprKind::At(a, b) => vec![a, b],
        ExprKind::If(a, b, c) => vec![a, b, c],
        ExprKind::Sum { body, over, .. } => vec![body, over],
        // The sequence of axes is a word.
        ExprKind::Call(callee, list) if callee.text == "euler" => list.iter().skip(1).collect(),
        ExprKind::Call(_, list) | ExprKind::Vector(list) => list.iter().collect(),
    }
}
