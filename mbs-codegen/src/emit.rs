//! Prints a compiled mechanism as Rust: one module with its type, its data types, its stages and its kernels.
//!
//! The macro and the build.rs route print the same tokens; only spans differ.

mod contract;
mod data;
mod derivatives;
mod derived;
mod docs;
mod fallback;
mod flat;
mod functions;
mod hessians;
mod indices;
mod inverse;
mod literal;
mod names;
mod stages;

use mbs_definition::{Origin, Space};
use mbs_model::Model;
use proc_macro2::{Group, Literal, Span, TokenStream, TokenTree};
use quote::{format_ident, quote};

use crate::print::{Paths, function as print};
use mbs_compiler::compile::Compiled;
use mbs_compiler::program::{Function, Input, Role};

use names::module_name;
pub use names::{flat_name, module_name_of, path_of_type, type_ident, value_ident};

/// A compiled mechanism with the spans and paths of the code to print.
pub struct Emission<'a> {
    /// The mechanism.
    pub compiled: &'a Compiled,
    /// Spans of the user's tokens.
    pub span: &'a dyn Fn(Origin) -> Span,
    /// Paths to the runtime.
    pub paths: &'a Paths,
}

/// Prints a compiled mechanism: its module, and a `use` of its type.
pub fn emit(emission: &Emission<'_>) -> TokenStream {
    let compiled = emission.compiled;
    let model = &compiled.model;
    let visibility: TokenStream = model.header.visibility.parse().unwrap_or_default();
    let module = module_name(model, emission.span);
    let path = path_of_type(&module, &model.header.name, (emission.span)(model.header.origin));
    let module_docs = docs::module(compiled);
    let data = data::emit(emission);
    let indices = indices::emit(emission);
    let hessians = hessians::emit(emission);
    let limits = contract::limits(emission);
    let mechanism = emission.mechanism();
    let (stages, inverse, fallback) = (stages::emit(emission), inverse::emit(emission), fallback::emit(emission));
    let contract = contract::emit(emission);
    let derivatives = derivatives::emit(emission);
    let functions = functions::emit(emission);
    let kernels: Vec<TokenStream> = std::iter::once(&compiled.program.prepare)
        .chain(&compiled.program.functions)
        .map(|f| print(f, &compiled.program.called, emission.paths))
        .collect();
    tidy_tokens(quote! {
        #[doc = #module_docs]
        #[allow(clippy::all, clippy::pedantic, non_snake_case, unused_variables, dead_code)]
        #visibility mod #module {
            #data
            #indices
            #hessians
            #limits
            #mechanism
            #stages
            #inverse
            #fallback
            #contract
            #derivatives
            #functions
            /// Generated functions, one instruction list each.
            pub mod kernels {
                #(#kernels)*
            }
        }
        #visibility use #path;
    })
}

/// Makes tokens more readable: `3usize` → `3`, and documentation line by line.
fn tidy_tokens(tokens: TokenStream) -> TokenStream {
    let mut output = Vec::new();
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Punct(hash) if hash.as_char() == '#' => match tokens.peek().and_then(documentation) {
                Some(text) => {
                    tokens.next();
                    output.extend(doc_lines(&text));
                }
                None => output.push(TokenTree::Punct(hash)),
            },
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), tidy_tokens(group.stream()));
                inner.set_span(group.span());
                output.push(TokenTree::Group(inner));
            }
            TokenTree::Literal(literal) => {
                output.push(match literal.to_string().strip_suffix("usize").map(str::parse::<usize>) {
                    Some(Ok(n)) => TokenTree::Literal(Literal::usize_unsuffixed(n)),
                    _ => TokenTree::Literal(literal),
                });
            }
            other => output.push(other),
        }
    }
    output.into_iter().collect()
}

/// The text of `[doc = "…"]`.
fn documentation(token: &TokenTree) -> Option<String> {
    let TokenTree::Group(group) = token else { return None };
    let mut inner = group.stream().into_iter();
    match (inner.next()?, inner.next()?, inner.next()?) {
        (TokenTree::Ident(name), TokenTree::Punct(_), TokenTree::Literal(text)) if name == "doc" => {
            Some(mbs_syntax::unescape(&text.to_string()))
        }
        _ => None,
    }
}

/// `#[doc = " line"]` for each line.
fn doc_lines(text: &str) -> TokenStream {
    if text.is_empty() {
        return quote!(#[doc = ""]);
    }
    let space = if text.starts_with(' ') { "" } else { " " };
    let line = |line: &str| {
        let line = if line.is_empty() { String::new() } else { format!("{space}{line}") };
        quote!(#[doc = #line])
    };
    escape_documentation(text).lines().map(line).collect()
}

/// Documentation that rustc accepts in comments: a carriage return ends a line, and control characters, including those of text direction,
/// are written as escapes.
fn escape_documentation(text: &str) -> String {
    let mut readable = String::with_capacity(text.len());
    for c in text.replace("\r\n", "\n").chars() {
        match c {
            '\r' => readable.push('\n'),
            '\n' | '\t' => readable.push(c),
            c if c.is_control()
                || matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}') =>
            {
                readable.extend(c.escape_unicode());
            }
            c => readable.push(c),
        }
    }
    readable
}

impl Emission<'_> {
    /// Whether bodies move in space.
    fn is_spatial(&self) -> bool {
        self.compiled.model.space == Space::Spatial
    }

    /// The type's identifier inside the module.
    fn name(&self) -> proc_macro2::Ident {
        type_ident(&self.compiled.model.header.name, (self.span)(self.compiled.model.header.origin))
    }

    /// A function of the program by name.
    fn function(&self, name: &str) -> Option<&Function> {
        self.compiled.program.functions.iter().find(|f| f.name == name)
    }

    /// A call of a kernel: `argument` writes each input, `outputs` the output arrays in order.
    fn call(
        &self,
        function: &Function,
        argument: &dyn Fn(Input) -> TokenStream,
        outputs: &[TokenStream],
    ) -> TokenStream {
        let name = format_ident!("{}", function.name);
        let inputs = function.inputs.iter().map(|a| argument(a.input));
        quote!(kernels::#name(#(#inputs,)* #(#outputs),*))
    }

    /// Number of values that an optional function stores for its stage.
    fn slots(&self, name: &str) -> usize {
        let function = self.function(name);
        let slots = function.and_then(|f| f.outputs.iter().find(|o| matches!(o.role, Role::Slots(_))));
        slots.map_or(0, |o| o.values.len())
    }

    /// Whether auxiliary states are arguments of the position stage, because position rows depend on them.
    fn positions_read_states(&self) -> bool {
        self.compiled.model.positions_read_states()
    }

    /// Tokens that are printed only where auxiliary states are arguments of the position stage.
    fn if_positions_read_states(&self, tokens: TokenStream) -> TokenStream {
        if self.positions_read_states() { tokens } else { TokenStream::new() }
    }

    /// Whether G depends on speeds, so that the velocity stage stores the factorisation.
    fn reads_speeds(&self) -> bool {
        self.compiled.model.jacobian_reads_speeds()
    }

    /// Tokens that are printed only where G depends on speeds.
    fn if_reads_speeds(&self, tokens: TokenStream) -> TokenStream {
        if self.reads_speeds() { tokens } else { TokenStream::new() }
    }

    /// Whether γ depends on inputs, because acceleration rows do.
    fn gamma_has_inputs(&self) -> bool {
        self.compiled.gamma_has_inputs()
    }

    /// Statements that append zeros for memories to the view `at` of a state without them; empty if the mechanism has no memories.
    fn complete_memories(&self) -> TokenStream {
        let s = self.sizes();
        let (n_z, n_states) = (s.n_z, s.n_states);
        if n_z == n_states {
            return TokenStream::new();
        }
        let root = &self.paths.root;
        quote! {
            let mut stored = [0.0; #n_z];
            let at = if at.z.len() == #n_states {
                for (to, from) in stored.iter_mut().zip(at.z) {
                    *to = *from;
                }
                #root::StateView { z: &stored, ..at }
            } else {
                at
            };
        }
    }

    fn sizes(&self) -> Sizes {
        let (model, tree) = (&self.compiled.model, &self.compiled.tree);
        Sizes {
            n_q: tree.n_q(),
            n_v: tree.n(),
            n_c: tree.rows.len(),
            n_position: tree.n_position,
            n_velocity: tree.n_velocity,
            n_z: model.n_stored(),
            n_states: model.n_z(),
            n_u: Model::flat_size(&model.quantities.inputs),
            n_outputs: if model.settings.kernels.outputs {
                model.outputs.iter().map(|o| o.values.len()).sum()
            } else {
                0
            },
            n_bodies: model.bodies.len(),
            n_markers: if model.settings.kernels.kinematics { model.drawn_markers().len() } else { 0 },
            n_forces: model.loads.forces.len(),
            n_conditions: model.n_conditions(),
            n_parameters: Model::flat_size(&model.quantities.parameters),
            n_prepared: self.compiled.program.prepare.outputs.first().map_or(0, |o| o.values.len()),
        }
    }

    /// The constant with the names of the rows that are omitted, if `redundant` is declared.
    fn redundant(&self) -> TokenStream {
        if self.compiled.model.settings.redundant.is_none() {
            return TokenStream::new();
        }
        let rows = self.compiled.tree.redundant.rows.iter().map(|row| &row.name);
        let n = rows.len();
        quote! {
            /// Rows that are omitted because other rows imply them; their multipliers count as zero.
            pub const REDUNDANT: [&str; #n] = [#(#rows),*];
        }
    }

    /// The mechanism's type with its constants and constructors.
    fn mechanism(&self) -> TokenStream {
        let (root, name) = (&self.paths.root, self.name());
        let n_prepared = self.sizes().n_prepared;
        let has_user_types = self.compiled.model.functions.iter().any(|f| f.value_type().is_some());
        let initial = if has_user_types { quote!(params.clone()) } else { quote!(params) };
        let docs = docs::mechanism(self.compiled);
        let (constants, set_params) = (self.constants(), self.set_params());
        quote! {
            #constants

            #[doc = #docs]
            #[derive(Clone, Debug)]
            pub struct #name {
                params: Params,
                prepared: [f64; #n_prepared],
            }

            impl #name {
                /// The mechanism with these parameters.
                ///
                /// # Errors
                /// A parameter outside its domain, or one that leaves the equations without a solution.
                pub fn new(params: Params) -> ::core::result::Result<Self, #root::Error> {
                    let mut mechanism = #name { params: #initial, prepared: [0.0; #n_prepared] };
                    mechanism.set_params(params)?;
                    ::core::result::Result::Ok(mechanism)
                }

                /// The parameters.
                pub fn params(&self) -> &Params {
                    &self.params
                }

                #set_params
            }
        }
    }

    /// Sizes of the mechanism.
    fn constants(&self) -> TokenStream {
        let s = self.sizes();
        let (n_q, n_v, n_c, n_u, n_z) = (s.n_q, s.n_v, s.n_c, s.n_u, s.n_z);
        let (n_position, n_velocity) = (s.n_position, s.n_velocity);
        let dof = self.compiled.degrees_of_freedom();
        let n_intrinsic = self.compiled.tree.n_intrinsic();
        let n_extrinsic = n_c - n_intrinsic;
        let redundant = self.redundant();
        let z_docs = match s.n_z - s.n_states {
            0 => "Number of auxiliary states z.".to_owned(),
            n => format!(
                "Number of auxiliary states z, and of memories after them ({n}): angles that count revolutions and quaternions with a \
                 continuous sign in a run. Zeros give principal values."
            ),
        };
        quote! {
            /// Number of coordinates q.
            pub const NQ: usize = #n_q;
            /// Number of speeds v.
            pub const NV: usize = #n_v;
            /// Number of constraint rows.
            pub const NC: usize = #n_c;
            /// Number of rows that exist at position level.
            pub const N_POSITION: usize = #n_position;
            /// Number of rows that exist at velocity level: those of positions, then rows of velocities. The others, up to `NC`, constrain
            /// accelerations alone.
            pub const N_VELOCITY: usize = #n_velocity;
            /// Number of intrinsic rows: those that keep bodies in natural coordinates rigid, and count their revolutions.
            pub const N_INTRINSIC: usize = #n_intrinsic;
            /// Number of extrinsic rows: those of joints and equations.
            pub const N_EXTRINSIC: usize = #n_extrinsic;
            /// Number of inputs u.
            pub const NU: usize = #n_u;
            #[doc = #z_docs]
            pub const NZ: usize = #n_z;
            /// Number of degrees of freedom: speeds that all rows together leave independent.
            pub const DOF: usize = #dof;
            #redundant
        }
    }

    /// The method that changes parameters.
    fn set_params(&self) -> TokenStream {
        let (root, s) = (&self.paths.root, self.sizes());
        let (n_prepared, n_parameters) = (s.n_prepared, s.n_parameters);
        let (domain, pivots) = (self.domain_checks(), self.pivot_checks());
        let prepare = &self.compiled.program.prepare;
        let fill = if prepare.outputs.is_empty() {
            quote!()
        } else {
            let call = self.call(prepare, &parameters(quote!(&flat)), &[quote!(&mut prepared)]);
            quote!(#call;)
        };
        quote! {
            /// Changes parameters; everything that depends on them alone is computed here, once.
            ///
            /// # Errors
            /// As `new`; the parameters are then unchanged.
            pub fn set_params(&mut self, params: Params) -> ::core::result::Result<(), #root::Error> {
                let flat: [f64; #n_parameters] = params.to_array();
                #domain
                let mut prepared = [0.0; #n_prepared];
                #fill
                #pivots
                if !#root::all_finite(&prepared) {
                    return ::core::result::Result::Err(#root::Error::NotFinite { t: 0.0 });
                }
                self.params = params;
                self.prepared = prepared;
                ::core::result::Result::Ok(())
            }
        }
    }

    /// Checks of the pivots that depend on parameters alone: a vanishing pivot is an error that names the parameter that is zero.
    fn pivot_checks(&self) -> TokenStream {
        let Some(function) = self.function("pivots") else { return quote!() };
        let root = &self.paths.root;
        let n = self.compiled.parameter_pivots.len();
        let call = self.call(function, &parameters(quote!(&prepared)), &[quote!(&mut pivots)]);
        let table = self.compiled.parameter_pivots.iter().map(|(row, parameters)| quote!((#row, &[#(#parameters),*])));
        quote! {
            let mut pivots = [0.0; #n];
            #call;
            let table: [(usize, &[usize]); #n] = [#(#table),*];
            for (pivot, (row, parameters)) in pivots.iter().zip(table) {
                if !(pivot.abs() > 0.0 && pivot.is_finite()) {
                    let zero = parameters.iter().find(|i| flat.get(**i) == ::core::option::Option::Some(&0.0));
                    return ::core::result::Result::Err(match zero {
                        ::core::option::Option::Some(parameter) => {
                            #root::Error::ParameterOutsideDomain { parameter: *parameter, value: 0.0 }
                        }
                        ::core::option::Option::None => #root::Error::Singular { row, t: 0.0 },
                    });
                }
            }
        }
    }

    /// Checks that parameters are in their domains.
    fn domain_checks(&self) -> TokenStream {
        let root = &self.paths.root;
        let parameters = &self.compiled.model.quantities.parameters;
        if parameters.is_empty() {
            return quote!();
        }
        let domains =
            parameters.iter().flat_map(|p| std::iter::repeat_n(p.domain, p.size())).map(|domain| match domain {
                mbs_model::Domain::Finite => quote!(#root::Domain::Finite),
                mbs_model::Domain::NonNegative => quote!(#root::Domain::NonNegative),
                mbs_model::Domain::Positive => quote!(#root::Domain::Positive),
            });
        let n = self.sizes().n_parameters;
        quote! {
            let domains: [#root::Domain; #n] = [#(#domains),*];
            for (parameter, (value, domain)) in flat.into_iter().zip(domains).enumerate() {
                if !domain.contains(value) {
                    return ::core::result::Result::Err(#root::Error::ParameterOutsideDomain { parameter, value });
                }
            }
        }
    }
}

/// Arguments of a kernel that reads parameters alone: `numbers` for its array, `&params` for functions among the parameters.
fn parameters(numbers: TokenStream) -> impl Fn(Input) -> TokenStream {
    move |input| match input {
        Input::Params => quote!(&params),
        _ => numbers.clone(),
    }
}

/// Sizes of one mechanism.
#[allow(missing_docs)] // as in mbs_core::Sizes
#[derive(Clone, Copy)]
struct Sizes {
    n_q: usize,
    n_v: usize,
    n_c: usize,
    n_position: usize,
    n_velocity: usize,
    /// Values of z: auxiliary states, then memories.
    n_z: usize,
    /// Auxiliary states.
    n_states: usize,
    n_u: usize,
    n_outputs: usize,
    n_bodies: usize,
    n_markers: usize,
    n_forces: usize,
    n_conditions: usize,
    n_parameters: usize,
    n_prepared: usize,
}
