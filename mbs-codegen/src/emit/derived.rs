//! Prints `Params::derived`: updates parameters whose defaults depend on others.

use mbs_expr::{Comparison, ExprId, Function, Function2, Op};
use mbs_model::DerivedParameter;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};

use super::Emission;
use super::literal::literal;
use super::names::value_ident;

/// Methods of `Params` if any default depends on others; `scalars` lists the scalars of a value of `Params`.
pub fn emit(emission: &Emission<'_>, scalars: &dyn Fn(&TokenStream) -> Vec<TokenStream>) -> TokenStream {
    let model = &emission.compiled.model;
    if model.quantities.derived.is_empty() {
        return quote!();
    }
    let root = &emission.paths.root;
    let [new, old] = [quote!(self), quote!(before)].map(|owner| scalars(&owner));
    let updates = model.quantities.derived.iter().map(|derived| {
        let (new, old, default) = (&new[derived.parameter], &old[derived.parameter], default_ident(derived));
        quote! {
            if #new == #old {
                let computed = #default(before);
                if #root::math::abs(#old - computed) <= 1e-12 * #root::math::abs(computed) {
                    #new = #default(&self);
                }
            }
        }
    });
    let defaults = model.quantities.derived.iter().map(|derived| default(emission, derived, &scalars(&quote!(params))));
    let names: Vec<String> = model
        .quantities
        .parameters
        .iter()
        .filter(|q| is_derived(emission, q))
        .map(|q| format!("`{}`", q.name))
        .collect();
    let docs = format!(
        "These parameters, with derived parameters computed from the others: {}. A derived parameter that differs from its declared default \
         is unchanged.",
        names.join(", ")
    );
    quote! {
        impl Params {
            #[doc = #docs]
            ///
            /// `Params { length: 0.12, ..Default::default() }.derived()` changes a length with everything that is computed from it.
            pub fn derived(self) -> Self {
                self.derived_from(&Params::default())
            }

            /// As [`Params::derived`], after a change of parameters that were `before`: a derived parameter is computed anew if it has the
            /// value that it had before, and that was its default for the other parameters. To assign that value again, do so afterwards.
            pub fn derived_from(mut self, before: &Params) -> Self {
                #(#updates)*
                self
            }
        }

        #(#defaults)*
    }
}

fn is_derived(emission: &Emission<'_>, q: &mbs_model::Quantity) -> bool {
    let range = q.offset..q.offset + q.size();
    emission.compiled.model.quantities.derived.iter().any(|derived| range.contains(&derived.parameter))
}

fn default_ident(derived: &DerivedParameter) -> Ident {
    format_ident!("default_of_parameter_{}", derived.parameter)
}

/// The default of one parameter at given values of the others, with a variable per operation.
fn default(emission: &Emission<'_>, derived: &DerivedParameter, scalars: &[TokenStream]) -> TokenStream {
    let exprs = &emission.compiled.model.exprs;
    let (name, value) = (default_ident(derived), variable(derived.formula));
    let steps = exprs.subexpressions(derived.formula).into_iter().map(|id| {
        let (variable, step) = (variable(id), operation(emission, exprs.op(id), scalars));
        quote!(let #variable: f64 = #step;)
    });
    quote! {
        fn #name(params: &Params) -> f64 {
            #(#steps)*
            #value
        }
    }
}

fn variable(id: ExprId) -> Ident {
    format_ident!("e{}", id.0)
}

fn operation(emission: &Emission<'_>, op: Op, scalars: &[TokenStream]) -> TokenStream {
    let root = &emission.paths.root;
    match op {
        Op::Number(x) => literal(x),
        Op::Parameter(flat) => scalars[flat as usize].clone(),
        Op::Unary(f, a) => unary_expression(root, f, &variable(a)),
        Op::Binary(f, a, b) => binary(root, f, [&variable(a), &variable(b)]),
        Op::Select(test, ids) => {
            let [left, right, then, otherwise] = ids.map(variable);
            let test = match test {
                Comparison::Less => quote!(<),
                Comparison::LessEqual => quote!(<=),
                Comparison::Equal => quote!(==),
            };
            quote!(if #left #test #right { #then } else { #otherwise })
        }
        Op::Called { function, partial, arguments, .. } => {
            let f = &emission.compiled.model.functions[function.index()];
            let name = value_ident(&f.name, Span::call_site());
            let params = f.is_parameter().then(|| quote!(params,));
            let arguments = arguments.into_iter().take(f.arguments).map(variable);
            let index = partial.index();
            let value = usize::from(partial.value);
            let result = if f.shape.is_some() { quote!([#value][#index]) } else { quote!([#index]) };
            quote!(functions::#name(#params #(#arguments),*) #result)
        }
        // Rates of parametric expressions: resolve accepts no others in a default.
        _ => quote!(0.0),
    }
}

fn unary_expression(root: &TokenStream, f: Function, a: &Ident) -> TokenStream {
    match f {
        Function::Neg => quote!(-#a),
        Function::Sin => quote!(#root::math::sin_cos(#a).0),
        Function::Cos => quote!(#root::math::sin_cos(#a).1),
        Function::Sqrt => quote!(#root::math::sqrt(#a)),
        Function::Tan => quote!(#root::math::tan(#a)),
        Function::Asin => quote!(#root::math::asin(#a)),
        Function::Acos => quote!(#root::math::acos(#a)),
        Function::Atan => quote!(#root::math::atan(#a)),
        Function::Sinh => quote!(#root::math::sinh(#a)),
        Function::Cosh => quote!(#root::math::cosh(#a)),
        Function::Tanh => quote!(#root::math::tanh(#a)),
        Function::Exp => quote!(#root::math::exp(#a)),
        Function::Ln => quote!(#root::math::ln(#a)),
        Function::Abs => quote!(#root::math::abs(#a)),
        Function::Signum => quote!(#root::math::signum(#a)),
        Function::Floor => quote!(#root::math::floor(#a)),
    }
}

fn binary(root: &TokenStream, f: Function2, [a, b]: [&Ident; 2]) -> TokenStream {
    match f {
        Function2::Add => quote!(#a + #b),
        Function2::Sub => quote!(#a - #b),
        Function2::Mul => quote!(#a * #b),
        Function2::Div => quote!(#a / #b),
        Function2::Atan2 => quote!(#root::math::atan2(#a, #b)),
        Function2::Min => quote!(#root::math::min(#a, #b)),
        Function2::Max => quote!(#root::math::max(#a, #b)),
        Function2::Powf => quote!(#root::math::powf(#a, #b)),
    }
}
