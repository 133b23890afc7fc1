//! Prints `Params`, `Inputs`, `Outputs`, `OutputRates`, `Reactions`.

use mbs_model::{Domain, Quantity};
use proc_macro2::TokenStream;
use quote::quote;

use super::literal::literal;
use super::names::value_ident;
use super::{Emission, derived, flat, functions};

/// One field of a data struct.
struct Field {
    name: String,
    origin: mbs_definition::Origin,
    docs: String,
    shape: Vec<usize>,
    offset: usize,
}

impl Field {
    fn from_quantity(q: &Quantity, docs: String) -> Field {
        Field { name: q.name.clone(), origin: q.origin, docs, shape: q.shape.clone(), offset: q.offset }
    }

    fn size(&self) -> usize {
        self.shape.iter().product()
    }

    fn type_tokens(&self) -> TokenStream {
        self.shape.iter().rev().fold(quote!(f64), |inner, n| quote!([#inner; #n]))
    }

    /// The value of the field, composed of the scalars at its offset.
    fn compose(&self, scalar: &dyn Fn(usize) -> TokenStream) -> TokenStream {
        fn nest(shape: &[usize], offset: usize, scalar: &dyn Fn(usize) -> TokenStream) -> TokenStream {
            match shape {
                [] => scalar(offset),
                [n, rest @ ..] => {
                    let stride: usize = rest.iter().product();
                    let items = (0..*n).map(|i| nest(rest, offset + i * stride, scalar));
                    quote!([#(#items),*])
                }
            }
        }
        nest(&self.shape, self.offset, scalar)
    }

    /// The scalars of the field, row-major.
    fn scalars(&self, field: &TokenStream) -> Vec<TokenStream> {
        (0..self.size())
            .map(|mut flat| {
                let mut indices = Vec::new();
                for n in self.shape.iter().rev() {
                    indices.push(flat % n);
                    flat /= n;
                }
                let indices = indices.iter().rev().map(|i| quote!([#i]));
                quote!(#field #(#indices)*)
            })
            .collect()
    }
}

/// A field that is not a number: a function that is set at run time.
struct Function {
    name: proc_macro2::Ident,
    docs: String,
    ty: TokenStream,
    default: TokenStream,
    /// Whether its type is defined by the user.
    is_user_type: bool,
}

/// All data types of a mechanism.
pub fn emit(emission: &Emission<'_>) -> TokenStream {
    let model = &emission.compiled.model;
    let params = params(emission);
    let docs = |q: &Quantity| if q.docs.is_empty() { format!("Input `{}`.", q.name) } else { q.docs.clone() };
    let inputs: Vec<Field> = model.quantities.inputs.iter().map(|q| Field::from_quantity(q, docs(q))).collect();
    let inputs = structure(emission, ("Inputs", "Inputs u."), &inputs, &[], true);
    let outputs = outputs(emission);
    let reactions = reactions(emission);
    quote!(#params #inputs #outputs #reactions)
}

fn params(emission: &Emission<'_>) -> TokenStream {
    let model = &emission.compiled.model;
    let fields: Vec<Field> = model
        .quantities
        .parameters
        .iter()
        .map(|q| {
            let domain = match q.domain {
                Domain::Finite => "",
                Domain::NonNegative => " ≥ 0.",
                Domain::Positive => " > 0.",
            };
            let default: Vec<String> = q.default.iter().map(|x| format!("{x}")).collect();
            let text = if q.docs.is_empty() { format!("Parameter `{}`.", q.name) } else { q.docs.clone() };
            let range = q.offset..q.offset + q.size();
            let is_derived = model.quantities.derived.iter().any(|derived| range.contains(&derived.parameter));
            let source = if is_derived { ", computed from others: [`Params::derived`]" } else { "" };
            Field::from_quantity(q, format!("{text} Default {}{source}.{domain}", default.join(", ")))
        })
        .collect();
    let functions = settable_functions(emission);
    let docs = match functions.is_empty() {
        true => "Parameters. `Default` gives the declared values.",
        false => "Parameters, and functions that are set at run time. `Default` gives the declared ones.",
    };
    let structure = structure(emission, ("Params", docs), &fields, &functions, false);
    let values: Vec<f64> = model.quantities.parameters.iter().flat_map(|q| q.default.clone()).collect();
    let defaults = fields.iter().map(|f| {
        let name = value_ident(&f.name, (emission.span)(f.origin));
        let value = f.compose(&|i| literal(values[i]));
        quote!(#name: #value)
    });
    let defaults = defaults.chain(functions.iter().map(|f| {
        let (name, value) = (&f.name, &f.default);
        quote!(#name: #value)
    }));
    let scalars = |owner: &TokenStream| -> Vec<TokenStream> {
        let field_scalars = |f: &Field| {
            let name = value_ident(&f.name, (emission.span)(f.origin));
            f.scalars(&quote!(#owner.#name))
        };
        fields.iter().flat_map(field_scalars).collect()
    };
    let derived = derived::emit(emission, &scalars);
    quote! {
        #structure
        impl ::core::default::Default for Params {
            fn default() -> Self {
                Params { #(#defaults),* }
            }
        }
        #derived
    }
}

/// Functions among the parameters.
fn settable_functions(emission: &Emission<'_>) -> Vec<Function> {
    let all = emission.compiled.model.functions.iter().filter(|f| f.is_parameter());
    let field = |f: &mbs_expr::CalledFunction| {
        let (ty, default) = match (functions::user_type(emission, f), f.spline()) {
            (Some(ty), _) => (ty, quote!(::core::default::Default::default())),
            (None, Some(spline)) => {
                (functions::spline_type(emission, spline), functions::spline_value(emission, spline))
            }
            (None, None) => return None,
        };
        let docs = if f.docs.is_empty() { format!("Function `{}`.", f.name) } else { f.docs.clone() };
        let name = value_ident(&f.name, (emission.span)(f.origin));
        Some(Function { name, docs, ty, default, is_user_type: f.value_type().is_some() })
    };
    all.filter_map(field).collect()
}

fn structure(
    emission: &Emission<'_>,
    (name, docs): (&str, &str),
    fields: &[Field],
    functions: &[Function],
    default: bool,
) -> TokenStream {
    let name = value_ident(name, proc_macro2::Span::call_site());
    let size: usize = fields.iter().map(Field::size).sum();
    let declared = fields.iter().map(|f| {
        let (ident, docs, ty) = (value_ident(&f.name, (emission.span)(f.origin)), &f.docs, f.type_tokens());
        quote!(#[doc = #docs] pub #ident: #ty)
    });
    let declared = declared.chain(functions.iter().map(|f| {
        let (ident, docs, ty) = (&f.name, &f.docs, &f.ty);
        quote!(#[doc = #docs] pub #ident: #ty)
    }));
    let scalars = fields.iter().flat_map(|f| {
        let ident = value_ident(&f.name, (emission.span)(f.origin));
        f.scalars(&quote!(self.#ident))
    });
    let values = fields.iter().map(|f| {
        let ident = value_ident(&f.name, (emission.span)(f.origin));
        let value = f.compose(&|i| quote!(array[#i]));
        quote!(#ident: #value)
    });
    let values = values.chain(functions.iter().map(|f| {
        let (ident, value) = (&f.name, &f.default);
        quote!(#ident: #value)
    }));
    let (to_array, from_array) = match functions.is_empty() {
        true => (
            "The values in declaration order, vectors and matrices row-major.",
            "Creates it from values in declaration order.",
        ),
        false => (
            "The numbers in declaration order, vectors and matrices row-major, without functions.",
            "Creates parameters from numbers in declaration order, with the declared functions.",
        ),
    };
    let (derive_default, impl_default) = match default {
        true => zero_default(emission, &name, fields),
        false => (quote!(), quote!()),
    };
    // User types need to implement only `Clone` and `Debug`.
    let (derived, constant) = match functions.iter().any(|f| f.is_user_type) {
        true => (quote!(Clone, Debug), quote!()),
        false => (quote!(Clone, Copy, Debug, PartialEq), quote!(const)),
    };
    quote! {
        #[doc = #docs]
        #[derive(#derived)]
        #derive_default
        pub struct #name {
            #(#declared),*
        }

        impl #name {
            #[doc = #to_array]
            pub #constant fn to_array(&self) -> [f64; #size] {
                [#(#scalars),*]
            }

            #[doc = #from_array]
            pub #constant fn from_array(array: &[f64; #size]) -> Self {
                #name { #(#values),* }
            }
        }

        #impl_default
    }
}

/// Longest array that `core` implements `Default` for.
const LONGEST_DEFAULT: usize = 32;

/// `Default` with zeros: the attribute, or an impl where arrays are too long for it.
fn zero_default(emission: &Emission<'_>, name: &proc_macro2::Ident, fields: &[Field]) -> (TokenStream, TokenStream) {
    if fields.iter().flat_map(|f| &f.shape).all(|n| *n <= LONGEST_DEFAULT) {
        return (quote!(#[derive(Default)]), quote!());
    }
    let zeros = fields.iter().map(|f| {
        let ident = value_ident(&f.name, (emission.span)(f.origin));
        let zero = f.shape.iter().rev().fold(quote!(0.0), |inner, n| quote!([#inner; #n]));
        quote!(#ident: #zero)
    });
    let implementation = quote! {
        impl ::core::default::Default for #name {
            fn default() -> Self {
                #name { #(#zeros),* }
            }
        }
    };
    (quote!(), implementation)
}

fn outputs(emission: &Emission<'_>) -> TokenStream {
    let compiled = emission.compiled;
    if !compiled.model.settings.kernels.outputs {
        return quote!();
    }
    let mut offset = 0;
    let (mut fields, mut rates) = (Vec::new(), Vec::new());
    let mut rate_offset = 0;
    for output in &compiled.model.outputs {
        let size = output.values.len();
        let docs = if output.docs.is_empty() { format!("Output `{}`.", output.name) } else { output.docs.clone() };
        let field = |docs: String, offset: usize| Field {
            name: output.name.clone(),
            origin: output.origin,
            docs,
            shape: output.shape.clone(),
            offset,
        };
        fields.push(field(docs, offset));
        if compiled.output_has_rate[offset..offset + size].iter().all(|known| *known) {
            rates.push(field(format!("Rate of `{}`.", output.name), rate_offset));
        }
        rate_offset += compiled.output_has_rate[offset..offset + size].iter().filter(|known| **known).count();
        offset += size;
    }
    let outputs = structure(emission, ("Outputs", "Outputs."), &fields, &[], true);
    let docs = "Rates of the outputs; those that depend on inputs, accelerations or multipliers have none.";
    let rates = if has_output_rates(emission) {
        structure(emission, ("OutputRates", docs), &rates, &[], true)
    } else {
        quote!()
    };
    quote!(#outputs #rates)
}

/// `Reactions`, a field per joint.
fn reactions(emission: &Emission<'_>) -> TokenStream {
    let root = &emission.paths.root;
    let model = &emission.compiled.model;
    if model.joints.is_empty() || !(model.settings.kernels.reactions || model.settings.kernels.inverse) {
        return quote!();
    }
    let flat::Items { size: chunk, .. } = flat::reactions(emission);
    let size = chunk * model.joints.len();
    let idents: Vec<_> = model.joints.iter().map(|j| value_ident(&j.name, (emission.span)(j.origin))).collect();
    let docs = model.joints.iter().map(|joint| {
        let reaction = mbs_model::catalog::kind_of_joint(model.space, joint).map_or_else(
            || format!("the force and the moment about Q with which `{}` constrains the bodies.", joint.kind_name),
            |kind| kind.reaction.to_owned(),
        );
        format!("Reaction of `{}` on the second end: {reaction}", joint.name)
    });
    let spatial = emission.is_spatial();
    let values = (0..model.joints.len()).map(|j| {
        let component = |k: usize| {
            let i = chunk * j + k;
            quote!(flat[#i])
        };
        let vector = |k: usize, n: usize| {
            let components = (k..k + n).map(component);
            quote!([#(#components),*])
        };
        match spatial {
            false => {
                let (point, force, torque) = (vector(0, 2), vector(2, 2), component(4));
                quote!(#root::Reaction::planar(#point, #force, #torque))
            }
            true => {
                let (point, force, torque) = (vector(0, 3), vector(3, 3), vector(6, 3));
                quote!(#root::Reaction { point: #point, force: #force, torque: #torque })
            }
        }
    });
    quote! {
        /// Forces and moments of joints on the bodies of their second ends, world axes.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct Reactions {
            #(#[doc = #docs] pub #idents: #root::Reaction),*
        }

        impl Reactions {
            fn from_flat(flat: &[f64; #size]) -> Self {
                Reactions { #(#idents: #values),* }
            }
        }
    }
}

/// Whether `OutputRates` exists: some outputs have rates, and none has rates for only some of its components.
pub fn has_output_rates(emission: &Emission<'_>) -> bool {
    let compiled = emission.compiled;
    let mut offset = 0;
    let mut any = false;
    for output in &compiled.model.outputs {
        let known = &compiled.output_has_rate[offset..offset + output.values.len()];
        offset += output.values.len();
        if known.iter().any(|k| *k) {
            any = true;
            if !known.iter().all(|k| *k) {
                return false;
            }
        }
    }
    any && compiled.model.settings.kernels.outputs
}
