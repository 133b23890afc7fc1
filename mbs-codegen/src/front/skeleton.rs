//! Declares the names and types of a mechanism with mistakes, without content, so that its uses cause no further errors.

mod body;

use std::collections::BTreeMap;

use mbs_definition::{
    BinaryOp, Declaration, Definition, Expr, ExprKind, FunctionBody, FunctionDeclaration, Item, Loop, Origin, Part,
    Space, UnaryOp,
};
use mbs_expr::{CalledFunction, FunctionSource};
use mbs_model::{Model, Quantity};
use mbs_physics::Tree;
use mbs_resolve::resolve;
use mbs_syntax::Sources;
use proc_macro2::{Span, TokenStream};
use quote::quote;

use crate::emit::{module_name_of, path_of_type, type_ident, value_ident};
use body::body;

/// Declared names: fields of the data structs, sizes.
#[derive(Default)]
struct Names {
    params: Vec<Field>,
    inputs: Vec<Field>,
    outputs: Vec<Field>,
    /// Numbers of coordinates, speeds, rows, states; estimates where mistakes prevent resolution.
    n_q: usize,
    n_v: usize,
    n_c: usize,
    n_z: usize,
}

struct Field {
    name: String,
    origin: Origin,
    shape: Vec<usize>,
    /// A function among the parameters, instead of numbers.
    function: Option<RuntimeFunction>,
}

/// A function among the parameters.
#[derive(Clone)]
enum RuntimeFunction {
    /// A spline with these points and values.
    Spline([usize; 2]),
    /// A value of a type of the program.
    Value(String),
}

impl Field {
    fn numbers(name: String, origin: Origin, shape: Vec<usize>) -> Field {
        Field { name, origin, shape, function: None }
    }

    fn size(&self) -> usize {
        if self.function.is_some() { 0 } else { self.shape.iter().product() }
    }

    /// Its type and a value of this type.
    fn tokens(&self) -> (TokenStream, TokenStream) {
        match &self.function {
            Some(RuntimeFunction::Value(ty)) => {
                let ty = value_ident(ty, Span::call_site());
                (quote!(super::#ty), quote!(::core::default::Default::default()))
            }
            Some(RuntimeFunction::Spline([n, m])) => (
                quote!(::mbs::CubicSpline<#n, #m>),
                quote!(::mbs::CubicSpline::from_parts([0.0; #n], [[[0.0; 4]; #m]; #n], [[0.0; 4]; #m], 0.0)),
            ),
            None => {
                let nested =
                    |scalar: TokenStream| self.shape.iter().rev().fold(scalar, |inner, n| quote!([#inner; #n]));
                (nested(quote!(f64)), nested(quote!(0.0)))
            }
        }
    }
}

/// The module of a broken mechanism.
pub fn skeleton(definition: &Definition, sources: &Sources) -> TokenStream {
    if definition.name.text.is_empty() {
        return TokenStream::new();
    }
    // If only the checks report mistakes, the resolved model has all names.
    let names = resolve(definition).map_or_else(|_| names_of_text(definition), |model| names_of_model(&model));
    let span = sources.span(definition.name.origin);
    let visibility: TokenStream = definition.visibility.parse().unwrap_or_default();
    let (module, name) = (module_name_of(&definition.name.text, span), type_ident(&definition.name.text, span));
    let path = path_of_type(&module, &definition.name.text, span);
    let data = [("Params", &names.params), ("Inputs", &names.inputs), ("Outputs", &names.outputs)]
        .map(|(name, fields)| structure(name, fields, sources));
    let rates = structure("OutputRates", &names.outputs, sources);
    let Names { n_q, n_v, n_c, n_z, .. } = names;
    let n_u: usize = names.inputs.iter().map(Field::size).sum();
    let body = body(&name, [n_q, n_v, n_c, n_z, n_u]);
    quote! {
        #[allow(missing_docs, dead_code, unused_variables, clippy::all)]
        #visibility mod #module {
            #(#data)*
            #rates
            #body
        }
        #[allow(unused_imports)]
        #visibility use #path;
    }
}

/// A data struct that implements `Default`, whatever its arrays' lengths.
fn structure(name: &str, fields: &[Field], sources: &Sources) -> TokenStream {
    let name = value_ident(name, Span::call_site());
    let idents: Vec<_> = fields.iter().map(|f| value_ident(&f.name, sources.span(f.origin))).collect();
    let (types, zeros): (Vec<_>, Vec<_>) = fields.iter().map(Field::tokens).unzip();
    let size: usize = fields.iter().map(Field::size).sum();
    let derived = match fields.iter().any(|f| matches!(f.function, Some(RuntimeFunction::Value(_)))) {
        true => quote!(Clone, Debug),
        false => quote!(Clone, Copy, Debug, PartialEq),
    };
    quote! {
        #[derive(#derived)]
        pub struct #name { #(pub #idents: #types),* }

        impl ::core::default::Default for #name {
            fn default() -> Self { #name { #(#idents: #zeros),* } }
        }

        impl #name {
            pub const fn to_array(&self) -> [f64; #size] { [0.0; #size] }
            pub fn from_array(array: &[f64; #size]) -> Self { Self::default() }
        }
    }
}

/// Names of a resolved model.
fn names_of_model(model: &Model) -> Names {
    let field = |q: &Quantity| Field::numbers(q.name.clone(), q.origin, q.shape.clone());
    let settable = |f: &CalledFunction| {
        let spline = f.spline().filter(|_| f.source() == FunctionSource::Settable);
        let spline = spline.map(|s| RuntimeFunction::Spline([s.knots.len(), s.values]));
        let function = Some(spline.or_else(|| Some(RuntimeFunction::Value(f.value_type()?.text.clone())))?);
        Some(Field { name: f.name.clone(), origin: f.origin, shape: Vec::new(), function })
    };
    let tree = Tree::new(model);
    Names {
        params: model
            .quantities
            .parameters
            .iter()
            .map(field)
            .chain(model.functions.iter().filter_map(settable))
            .collect(),
        inputs: model.quantities.inputs.iter().map(field).collect(),
        outputs: model.outputs.iter().map(|o| Field::numbers(o.name.clone(), o.origin, o.shape.clone())).collect(),
        n_q: tree.n_q(),
        n_v: tree.n(),
        n_c: tree.rows.len(),
        n_z: model.quantities.auxiliary.iter().map(|a| a.quantity.size()).sum(),
    }
}

/// Names of a declaration that cannot be resolved, as far as its text contains them.
fn names_of_text(definition: &Definition) -> Names {
    let mut reading = Reading {
        space: definition.space,
        names: Names::default(),
        values: BTreeMap::new(),
        parts: BTreeMap::new(),
        prefix: String::new(),
        instances: 0,
        depth: 0,
    };
    reading.items(&definition.items);
    reading.names
}

/// Largest number of fields that loops may create.
const MOST_FIELDS: usize = 1000;

/// Largest number of instances of parts, and their deepest nesting.
const MOST_INSTANCES: usize = 1000;
const MOST_LEVELS: usize = 16;

struct Reading<'d> {
    space: Space,
    names: Names,
    /// Constants, loop variables, and parameters of parts.
    values: BTreeMap<String, f64>,
    /// Visible parts; `lib.leg` for those of a library with a name.
    parts: BTreeMap<String, &'d Part>,
    /// Prefix of names, `front_left.` inside an instance of a part.
    prefix: String,
    instances: usize,
    depth: usize,
}

impl<'d> Reading<'d> {
    fn items(&mut self, items: &'d [Item]) {
        self.declare_parts(items, "");
        for item in items {
            match item {
                Item::Declaration(d) if d.category.text == "part" => self.part_instance(d),
                Item::Library(library) if library.name.is_none() => self.items(&library.items),
                Item::Declaration(d) => self.declaration(d),
                Item::Setting(s) if s.tunable && s.name.text == "gravity" && self.depth == 0 => {
                    let shape = vec![components(self.space)];
                    self.names.params.push(Field::numbers("gravity".into(), s.name.origin, shape));
                }
                Item::Loop(l) => self.loop_items(l),
                Item::Function(f) => self.function(f),
                _ => {}
            }
        }
    }

    /// A function that is set at run time is a field of the parameters.
    fn function(&mut self, f: &FunctionDeclaration) {
        let FunctionBody::Supplied { kind, arguments, .. } = &f.body else { return };
        let sizes: Option<Vec<usize>> = arguments.iter().map(|e| self.size(e)).collect();
        let function = match (kind.text.as_str(), sizes, &arguments[..]) {
            ("CubicSpline", Some(sizes), _) => {
                RuntimeFunction::Spline([sizes.first().copied().unwrap_or(2), sizes.get(1).copied().unwrap_or(1)])
            }
            ("opaque", _, [_, Expr { kind: ExprKind::Name(ty), .. }]) if !ty.contains('.') => {
                RuntimeFunction::Value(ty.clone())
            }
            _ => return,
        };
        if self.is_full() {
            return;
        }
        let (name, origin) = (format!("{}{}", self.prefix, f.name.text), f.name.origin);
        self.names.params.push(Field { name, origin, shape: Vec::new(), function: Some(function) });
    }

    /// Collects the parts that can be instantiated, those of libraries with the name of the library.
    fn declare_parts(&mut self, items: &'d [Item], library: &str) {
        for item in items {
            match item {
                Item::Part(part) => {
                    self.parts.insert(format!("{library}{}", part.name.text), part);
                }
                Item::Library(inner) => {
                    let name = inner.name.as_ref().map_or_else(String::new, |name| format!("{}.", name.text));
                    self.declare_parts(&inner.items, &format!("{library}{name}"));
                }
                _ => {}
            }
        }
    }

    /// Adds the declarations of `part left = leg(hip, 1);` under its name.
    fn part_instance(&mut self, d: &'d Declaration) {
        let Some(Expr { kind: ExprKind::Call(word, given), .. }) = &d.value else { return };
        let Some(name) = self.full_name(d) else { return };
        // `lib.leg(…)` reads as `leg(lib, …)`.
        let qualified = match given.first() {
            Some(Expr { kind: ExprKind::Name(library), .. }) => self.parts.get(&format!("{library}.{}", word.text)),
            _ => None,
        };
        let (part, given) = match (qualified, self.parts.get(&word.text)) {
            (Some(part), _) => (*part, &given[1..]),
            (None, Some(part)) => (*part, &given[..]),
            (None, None) => return,
        };
        self.instances += 1;
        if self.instances > MOST_INSTANCES || self.depth >= MOST_LEVELS || self.is_full() {
            return;
        }
        let outer = (self.values.clone(), self.parts.clone(), std::mem::replace(&mut self.prefix, format!("{name}.")));
        for (i, parameter) in part.parameters.iter().enumerate() {
            let named = d.arguments.iter().find(|a| a.name.text == parameter.name.text).map(|a| &a.value);
            let value = given.get(i).or(named).or(parameter.default.as_ref()).and_then(|e| self.value(e));
            match value {
                Some(value) => self.values.insert(parameter.name.text.clone(), value),
                None => self.values.remove(&parameter.name.text),
            };
        }
        self.depth += 1;
        self.items(&part.items);
        self.depth -= 1;
        (self.values, self.parts, self.prefix) = outer;
    }

    /// Whether the limit of fields is reached.
    fn is_full(&self) -> bool {
        self.names.params.len() + self.names.outputs.len() >= MOST_FIELDS
    }

    /// Full name of a declaration, with the name of its instance and its index.
    fn full_name(&self, d: &Declaration) -> Option<String> {
        let ident = &d.name.ident.text;
        let index = match &d.name.index {
            None => String::new(),
            Some(index) => format!("[{}]", self.value(index)?),
        };
        Some(format!("{}{ident}{index}", self.prefix))
    }

    /// Adds the declarations of a loop for each value of its variable.
    fn loop_items(&mut self, l: &'d Loop) {
        let (ExprKind::Range(start, end), [variable]) = (&l.over.kind, &l.variables[..]) else { return };
        let (Some(start), Some(end)) = (self.value(start), self.value(end)) else { return };
        let mut i = start;
        while i < end && !self.is_full() && i < start + 1000.0 {
            self.values.insert(variable.text.clone(), i);
            self.items(&l.items);
            i += 1.0;
        }
        self.values.remove(&variable.text);
    }

    fn declaration(&mut self, d: &Declaration) {
        let ident = &d.name.ident;
        let Some(name) = self.full_name(d) else { return };
        let sizes: Option<Vec<usize>> = d.shape.iter().map(|e| self.size(e)).collect();
        let shape = match sizes {
            Some(sizes) if !sizes.is_empty() => sizes,
            _ => d.value.as_ref().map_or_else(Vec::new, |e| likely_shape(e, self.space)),
        };
        let field = Field::numbers(name, ident.origin, shape);
        let list = match d.category.text.as_str() {
            "param" => &mut self.names.params,
            "input" => &mut self.names.inputs,
            "output" => &mut self.names.outputs,
            "const" => {
                if let Some(x) = d.value.as_ref().and_then(|e| self.value(e)) {
                    self.values.insert(ident.text.clone(), x);
                }
                return;
            }
            "state" | "discrete" | "switch" => {
                self.names.n_z += field.size();
                return;
            }
            "body" | "particle" => {
                let (n_q, n_v) = match (self.space, d.category.text.as_str()) {
                    (Space::Planar, _) | (_, "particle") => (3, 3),
                    (Space::Spatial, _) => (7, 6),
                };
                self.names.n_q += n_q;
                self.names.n_v += n_v;
                return;
            }
            _ => return,
        };
        // A name declared twice is one of the mistakes.
        if list.iter().all(|f| f.name != field.name) {
            list.push(field);
        }
    }

    fn size(&self, e: &Expr) -> Option<usize> {
        self.value(e).filter(|x| (0.0..=1e4).contains(x) && x.fract() == 0.0).map(|x| x as usize)
    }

    /// The value of an expression of numbers, constants and loop variables.
    fn value(&self, e: &Expr) -> Option<f64> {
        match &e.kind {
            ExprKind::Number(x) => Some(*x),
            ExprKind::Name(name) => self.values.get(name).copied(),
            ExprKind::Unary(UnaryOp::Neg, x) => Some(-self.value(x)?),
            ExprKind::Binary(operator, a, b) => {
                let (a, b) = (self.value(a)?, self.value(b)?);
                match operator {
                    BinaryOp::Add => Some(a + b),
                    BinaryOp::Sub => Some(a - b),
                    BinaryOp::Mul => Some(a * b),
                    BinaryOp::Div => Some(a / b),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

/// Number of components of a vector.
fn components(space: Space) -> usize {
    match space {
        Space::Planar => 2,
        Space::Spatial => 3,
    }
}

/// The most likely shape of an expression: vectors are written as such, or are observables of markers.
fn likely_shape(e: &Expr, space: Space) -> Vec<usize> {
    let likely_shape = |e: &Expr| likely_shape(e, space);
    match &e.kind {
        ExprKind::Vector(items) => {
            let inner = items.first().map_or_else(Vec::new, likely_shape);
            std::iter::once(items.len()).chain(inner).collect()
        }
        ExprKind::Call(name, _)
            if ["position", "velocity", "acceleration", "momentum"].contains(&name.text.as_str()) =>
        {
            vec![components(space)]
        }
        ExprKind::Call(name, _)
            if space == Space::Spatial
                && ["angular_velocity", "angular_acceleration", "angular_momentum"].contains(&name.text.as_str()) =>
        {
            vec![3]
        }
        ExprKind::Unary(_, a) | ExprKind::In(a, _) => likely_shape(a),
        ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul, a, b) => {
            let left = likely_shape(a);
            if left.is_empty() { likely_shape(b) } else { left }
        }
        ExprKind::Binary(BinaryOp::Div, a, _) => likely_shape(a),
        _ => Vec::new(),
    }
}
