//! Functions written in Rust: what the kernels call, and what the user has to write.

use mbs_model::OpaqueFunction;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};

use super::Emission;
use super::names::value_ident;

/// `mod functions`, through which the kernels call. The call out of the module stands at the user's token, so that rustc points
/// there, once, when the function is missing or has another type.
pub fn emit(emission: &Emission<'_>) -> TokenStream {
    let functions = &emission.compiled.model.functions;
    if functions.is_empty() {
        return quote!();
    }
    let x = Ident::new("x", Span::call_site());
    let wrappers = functions.iter().map(|f| {
        let span = (emission.span)(f.origin);
        let name = value_ident(&f.name, span);
        let results = results(f);
        let docs = format!("`{}` of the module around: {}.", f.name, given(f));
        let (call, array) = (quote_spanned!(span=> super::super::#name(#x)), quote_spanned!(span=> [f64; #results]));
        quote! {
            #[doc = #docs]
            #[inline]
            pub fn #name(#x: f64) -> #array {
                #call
            }
        }
    });
    quote! {
        /// Functions written in Rust, as the kernels call them.
        mod functions {
            #(#wrappers)*
        }
    }
}

/// Documentation: what the module around has to define.
pub fn docs(functions: &[OpaqueFunction]) -> Vec<String> {
    if functions.is_empty() {
        return Vec::new();
    }
    let one = |f: &OpaqueFunction| {
        let name = value_ident(&f.name, Span::call_site());
        let docs = f.docs.replace('\n', "\n  ");
        let docs = if docs.is_empty() { docs } else { format!(" {docs}") };
        format!("- `fn {name}(x: f64) -> [f64; {}]`: {}.{docs}", results(f), given(f))
    };
    let head = "\n# Functions to provide\n\nThe module around this one defines them; the same x always gives the same results.\n";
    std::iter::once(head.to_owned()).chain(functions.iter().map(one)).collect()
}

/// Length of the array that it returns.
fn results(f: &OpaqueFunction) -> usize {
    1 + usize::from(f.derivatives)
}

/// "value, first and second derivative".
fn given(f: &OpaqueFunction) -> &'static str {
    match f.derivatives {
        0 => "the value",
        1 => "value and derivative",
        2 => "value, first and second derivative",
        3 => "value, first, second and third derivative",
        _ => "value, first, second, third and fourth derivative",
    }
}
