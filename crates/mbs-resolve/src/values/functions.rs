//! Functions of numbers, vectors and matrices. Those of markers, sets and elements are in `observables`.

use mbs_definition::{Expr, Ident};
use mbs_expr::{Expr as Formula, ExprId, Function, Function2, Scalar};
use mbs_model::catalog;

use crate::mistakes;
use crate::resolvers::{FunctionResolver, Resolves, VectorResolver};
use crate::scope::Found;
use crate::text::plural;
use crate::value::{Axes, Value};
use crate::values::formulas::{KINDS, SUPPLIED};
use crate::values::rotations::transposed;
use crate::{Category, Reported, Res, Scope, did_you_mean, synonyms};

/// Functions of one number.
const OF_NUMBERS: &[(&str, Function)] = &[
    ("sqrt", Function::Sqrt),
    ("sin", Function::Sin),
    ("cos", Function::Cos),
    ("tan", Function::Tan),
    ("asin", Function::Asin),
    ("acos", Function::Acos),
    ("atan", Function::Atan),
    ("sinh", Function::Sinh),
    ("cosh", Function::Cosh),
    ("tanh", Function::Tanh),
    ("exp", Function::Exp),
    ("ln", Function::Ln),
    ("abs", Function::Abs),
    ("signum", Function::Signum),
    ("floor", Function::Floor),
];

/// Functions of two numbers.
const OF_TWO: &[(&str, Function2)] =
    &[("atan2", Function2::Atan2), ("min", Function2::Min), ("max", Function2::Max), ("powf", Function2::Powf)];

/// Other functions, with their number of arguments.
const OTHERS: &[(&str, usize)] = &[
    ("powi", 2),
    ("hypot", 2),
    ("dot", 2),
    ("cross", 2),
    ("norm", 1),
    ("transpose", 1),
    ("diag", 1),
    ("position", 1),
    ("velocity", 1),
    ("acceleration", 1),
    ("angle", 1),
    ("rate", 1),
    ("angular_velocity", 1),
    ("angular_acceleration", 1),
    ("distance", 2),
    ("momentum", 1),
    ("angular_momentum", 2),
    ("load", 1),
    ("reaction", 1),
];

/// Functions of space, with their number of arguments.
const SPATIAL: &[(&str, usize)] = &[("rotation", 1), ("axis_angle", 2), ("euler", 2), ("quaternion", 1)];
/// Words that can be called in loops and events only.
const ELSEWHERE: &[&str] = &["pairs", "impulse"];

/// Function that a call refers to.
pub(crate) enum Callee {
    /// A function of the language, with its number of arguments.
    BuiltIn(usize),
    /// A declared function, by its slot.
    Declared(usize),
}

impl<'a> FunctionResolver<'_, 'a> {
    pub(crate) fn eval_call(&mut self, function: &Ident, arguments: &[Expr], scope: &Scope) -> Res<Value> {
        if let Some((slot, rest)) = self.resolver.qualified(function, arguments, scope)? {
            return self.eval_declared_call(function, slot, rest, scope);
        }
        if let Some(value) = self.curve_resolver().curve_quantity(function, arguments, scope)? {
            return Ok(value);
        }
        let name = function.text.as_str();
        let callee = self.callee(function, scope)?;
        if let Callee::Declared(slot) = callee {
            return self.eval_declared_call(function, slot, arguments, scope);
        }
        if name == "euler" {
            // The sequence of axes is a word, not a value.
            self.check_arity(function, &callee, arguments.len())?;
            return self.vectors().euler(arguments, scope);
        }
        let values: Vec<_> = arguments.iter().map(|argument| self.resolver.eval(argument, scope)).collect();
        self.check_arity(function, &callee, arguments.len())?;
        let values = values.into_iter().collect::<Res<Vec<_>>>()?;
        if let Some((_, f)) = OF_NUMBERS.iter().find(|(n, _)| *n == name) {
            let [x] = self.vectors().numbers(name, &values, arguments)?;
            let y = self.resolver.exprs.unary(*f, x);
            return self.vectors().finite_number(y, &format!("`{name}` here"), function.origin);
        }
        if let Some((_, f)) = OF_TWO.iter().find(|(n, _)| *n == name) {
            let [x, y] = self.vectors().numbers(name, &values, arguments)?;
            let z = self.resolver.exprs.binary(*f, x, y);
            return self.vectors().finite_number(z, &format!("`{name}` here"), function.origin);
        }
        match name {
            "powi" => self.vectors().powi(&values, arguments),
            "hypot" => {
                let xy: [ExprId; 2] = self.vectors().numbers(name, &values, arguments)?;
                Ok(Value::Number(self.resolver.exprs.write(|w| w.id(w.dot(&xy, &xy).sqrt()))))
            }
            "dot" | "cross" => self.vectors().vector_product(name, &values, arguments),
            "norm" | "transpose" | "diag" => self.vectors().vector_function(name, &values[0], &arguments[0]),
            "rotation" | "axis_angle" | "quaternion" => self.vectors().rotation_call(function, &values, arguments),
            _ => self.field_resolver().observable(function, &values, arguments),
        }
    }

    /// Evaluates a call of a declared function.
    fn eval_declared_call(&mut self, function: &Ident, slot: usize, arguments: &[Expr], scope: &Scope) -> Res<Value> {
        let values: Vec<_> = arguments.iter().map(|argument| self.resolver.eval(argument, scope)).collect();
        self.check_arity(function, &Callee::Declared(slot), arguments.len())?;
        let values = values.into_iter().collect::<Res<Vec<_>>>()?;
        self.call_declared(slot, values, arguments, scope)
    }

    /// The function with a name.
    pub(crate) fn callee(&mut self, function: &Ident, scope: &Scope) -> Res<Callee> {
        let name = function.text.as_str();
        if ELSEWHERE.contains(&name) {
            return self.fail(
                function.origin,
                mistakes::functions::function_has_no_value(name).help_if(synonyms::elsewhere(name)),
            );
        }
        if let Some((kind, form)) = KINDS.iter().find(|(kind, _)| *kind == name) {
            return self.fail(function.origin, mistakes::functions::function_kind_called(name, kind, form));
        }
        let spatial = SPATIAL.iter().find(|(n, _)| *n == name);
        if let (Some((_, arity)), false) = (spatial, self.resolver.is_planar()) {
            return Ok(Callee::BuiltIn(*arity));
        }
        if name == "angle" && !self.resolver.is_planar() {
            return self.fail(function.origin, mistakes::functions::function_of_the_plane());
        }
        if spatial.is_some() {
            return self.fail(function.origin, mistakes::functions::function_of_space(name));
        }
        if let Some(arity) = arity(name) {
            return Ok(Callee::BuiltIn(arity));
        }
        if let Some(slot) = self.resolver.function_slot(name, scope) {
            return Ok(Callee::Declared(slot));
        }
        // The declaration has a mistake, or belongs to a later version of the language.
        let is_bad = matches!(self.resolver.names.find_name(name, scope), Found::Declared(full) if self.resolver.names.bad.contains(&*full));
        if is_bad || self.resolver.mistakes.lenient { Err(Reported) } else { self.unknown_function(function) }
    }

    pub(crate) fn check_arity(&mut self, function: &Ident, callee: &Callee, given: usize) -> Res<()> {
        let arity = match callee {
            Callee::BuiltIn(arity) => *arity,
            Callee::Declared(slot) => self.parameter_count(*slot)?,
        };
        let reaction = function.text == "reaction";
        if given == arity || (reaction && given == 2) {
            return Ok(());
        }
        let help = reaction.then(|| "write `reaction(joint)`, or `reaction(equation, body)`".into());
        self.fail(
            function.origin,
            mistakes::functions::wrong_number_of_arguments(&function.text, arity, plural(arity), given).help_if(help),
        )
    }

    fn unknown_function(&mut self, function: &Ident) -> Res<Callee> {
        let name = &function.text;
        let space = self.resolver.definition.space;
        let kinds = || catalog::joints(space).iter().chain(catalog::forces(space)).map(|kind| kind.name);
        if kinds().any(|kind| kind == name) {
            return self.fail(function.origin, mistakes::functions::kind_is_no_function(name));
        }
        let functions = OF_NUMBERS.iter().map(|(n, _)| *n).chain(OF_TWO.iter().map(|(n, _)| *n));
        let help = match name.as_str() {
            "pow" => Some("write `powi` for a whole exponent, `powf` for any".into()),
            "log" | "log10" => Some("`ln` is the natural logarithm".into()),
            _ => {
                let declared = self
                    .resolver
                    .names
                    .slots
                    .iter()
                    .filter(|s| s.category == Category::Function)
                    .map(|s| s.name.as_str());
                let spatial = if self.resolver.is_planar() { &[][..] } else { SPATIAL };
                let others = OTHERS.iter().chain(spatial).map(|(n, _)| *n);
                did_you_mean(name, functions.chain(others).chain(["sum"]).chain(declared))
            }
        };
        self.fail(function.origin, mistakes::functions::unknown_function(name).help_if(help))
    }
}

impl<'a> VectorResolver<'_, 'a> {
    pub(crate) fn numbers<const N: usize>(&mut self, name: &str, values: &[Value], from: &[Expr]) -> Res<[ExprId; N]> {
        let numbers = self.all_numbers(name, values, from)?;
        Ok(numbers.try_into().expect("the number of arguments has been checked"))
    }

    pub(crate) fn all_numbers(&mut self, name: &str, values: &[Value], from: &[Expr]) -> Res<Vec<ExprId>> {
        let mut numbers = Vec::new();
        for (i, value) in values.iter().enumerate() {
            match value {
                Value::Number(x) => numbers.push(*x),
                other => {
                    let _: Res<()> =
                        self.fail(from[i].origin, mistakes::functions::function_takes_numbers(name, other.describe()));
                }
            }
        }
        if numbers.len() < values.len() { Err(Reported) } else { Ok(numbers) }
    }

    /// xⁿ for a constant integer n, by repeated squaring; 1/x⁻ⁿ for negative n.
    fn powi(&mut self, values: &[Value], from: &[Expr]) -> Res<Value> {
        let [x, n] = self.numbers("powi", values, from)?;
        let n = match self.resolver.exprs.value(n) {
            Some(n) if n.fract() == 0.0 && n.abs() <= 1e6 => n as i64,
            _ => {
                return self.fail(from[1].origin, mistakes::functions::exponent_not_whole());
            }
        };
        let mut power = self.resolver.exprs.write(|w| {
            let (mut square, mut power, mut rest) = (w.expr(x), Formula::from(1.0), n.unsigned_abs());
            while rest > 0 {
                if rest % 2 == 1 {
                    power = power * square;
                }
                rest /= 2;
                if rest > 0 {
                    square = square * square;
                }
            }
            w.id(power)
        });
        if n < 0 {
            if self.resolver.exprs.value(power) == Some(0.0) {
                return self.fail(from[0].origin, mistakes::functions::division_by_zero());
            }
            power = self.resolver.exprs.write(|w| w.id(1.0 / w.expr(power)));
        }
        self.vectors().finite_number(power, "this power", from[0].origin)
    }

    /// Scalar or cross product of two vectors; the cross product of plane vectors is its z component.
    fn vector_product(&mut self, name: &str, values: &[Value], from: &[Expr]) -> Res<Value> {
        let (Value::Vector(a, p), Value::Vector(b, q)) = (&values[0], &values[1]) else {
            let wrong = usize::from(matches!(values[0], Value::Vector(..)));
            return self
                .fail(from[wrong].origin, mistakes::functions::function_takes_vectors(name, values[wrong].describe()));
        };
        let dimension = self.resolver.dimension();
        let fits = name == "dot" || a.len() == dimension;
        if a.len() != b.len() || !fits {
            let space = if self.resolver.is_planar() { "the plane" } else { "space" };
            let help = (!fits).then(|| format!("in {space} `cross` takes two vectors of {dimension}"));
            return self.fail(
                from[1].origin,
                mistakes::functions::function_of_these(name, values[0].describe(), values[1].describe()).help_if(help),
            );
        }
        let axes = self.vectors().common_axes(*p, *q, from[1].origin)?;
        if name == "dot" {
            return Ok(Value::Number(self.resolver.exprs.write(|w| w.id(w.dot(a, b)))));
        }
        let (a, b) = (self.vectors().padded(a), self.vectors().padded(b));
        let product = self.vectors().write(|g| g.ids(g.vector(a).cross(g.vector(b))));
        Ok(if self.resolver.is_planar() {
            Value::Number(product[2])
        } else {
            self.resolver.vector_value(product, axes)
        })
    }

    fn vector_function(&mut self, name: &str, value: &Value, from: &Expr) -> Res<Value> {
        match (name, value) {
            ("norm", Value::Vector(v, _)) => Ok(Value::Number(self.resolver.exprs.write(|w| w.id(w.dot(v, v).sqrt())))),
            ("diag", Value::Vector(v, _)) => {
                let zero = self.resolver.exprs.constant(0.0);
                let n = v.len();
                let entry = |i: usize| if i.is_multiple_of(n + 1) { v[i / (n + 1)] } else { zero };
                Ok(Value::Matrix((0..n * n).map(entry).collect(), n))
            }
            ("diag", Value::Matrix(m, columns)) if m.len() == columns * columns => {
                Ok(Value::Vector(m.iter().step_by(columns + 1).copied().collect(), Axes::Unstated))
            }
            ("transpose", Value::Rotation(r, axes)) => {
                Ok(Value::Rotation(transposed(*r), axes.map(|[to, from]| [from, to])))
            }
            ("transpose", Value::Matrix(m, columns)) => {
                let rows = m.len() / columns;
                let transposed = (0..m.len()).map(|i| m[i % rows * columns + i / rows]).collect();
                Ok(Value::Matrix(transposed, rows))
            }
            _ => {
                let expected = if name == "transpose" { "a matrix" } else { "a vector" };
                self.fail(from.origin, mistakes::functions::function_takes(name, expected, value.describe()))
            }
        }
    }
}

/// Whether the language has a function of this name.
pub(crate) fn is_function(name: &str) -> bool {
    arity(name).is_some()
        || SPATIAL.iter().any(|(n, _)| *n == name)
        || is_function_kind(name)
        || ELSEWHERE.contains(&name)
        || name == "sum"
}

/// Whether functions of this kind are made from data or supplied at run time.
fn is_function_kind(name: &str) -> bool {
    SUPPLIED.contains(&name) || KINDS.iter().any(|(kind, _)| *kind == name)
}

fn arity(name: &str) -> Option<usize> {
    if OF_NUMBERS.iter().any(|(n, _)| *n == name) {
        return Some(1);
    }
    if OF_TWO.iter().any(|(n, _)| *n == name) {
        return Some(2);
    }
    OTHERS.iter().find(|(n, _)| *n == name).map(|(_, arity)| *arity)
}
