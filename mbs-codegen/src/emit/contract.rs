//! The generated impls of the contract: the kernels behind slices.

mod describe;
mod events;
mod geometry;
mod momenta;
mod names;
mod numeric;
mod reports;
mod visuals;

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::Emission;
use mbs_compiler::program::{Function, Input};
pub use visuals::limits;

/// `impl Mechanism for …`, and those of the description, the events and the momenta.
pub fn emit(emission: &Emission<'_>) -> TokenStream {
    let numeric = numeric::mechanism_impl(emission);
    let describe = describe::describe(emission);
    let events = events::events(emission);
    let momenta = momenta::momenta(emission);
    quote!(#numeric #describe #events #momenta)
}

/// The argument of a kernel for an input, where each quantity is a variable named after the input.
pub(super) fn argument(input: Input) -> TokenStream {
    match input {
        Input::Prepared => quote!(&self.prepared),
        Input::Params => quote!(&self.params),
        Input::Time => quote!(t),
        other => {
            let name = format_ident!("{}", other.name());
            quote!(#name)
        }
    }
}

/// Body of a trait method over slices: converts them to arrays and calls the kernel; if a slice has a wrong length, nothing changes.
fn slice_kernel(emission: &Emission<'_>, kernel: &str, inputs: &[(&str, usize)], output: (&str, usize)) -> TokenStream {
    let Some(function) = emission.function(kernel) else { return quote!() };
    let names: Vec<_> = inputs.iter().map(|(name, _)| format_ident!("{}", name)).collect();
    let sizes: Vec<usize> = inputs.iter().map(|(_, size)| *size).collect();
    let (out, out_size) = (format_ident!("{}", output.0), output.1);
    let call = emission.call(function, &argument, &[quote!(#out)]);
    quote! {
        let (#(::core::result::Result::Ok(#names),)* ::core::result::Result::Ok(#out)) =
            (#(<&[f64; #sizes]>::try_from(#names),)* <&mut [f64; #out_size]>::try_from(#out))
        else {
            return;
        };
        #call;
    }
}

/// Body of a trait method with a `StateView`: converts it to arrays and calls the kernel; if a slice has a wrong length, nothing changes.
fn view_kernel(emission: &Emission<'_>, kernel: &str, out: &str, size: usize) -> TokenStream {
    let Some(function) = emission.function(kernel) else { return quote!() };
    let out = format_ident!("{}", out);
    let arrays = arrays(emission, function, &quote!(return));
    let call = emission.call(function, &argument, &[quote!(#out)]);
    quote! {
        #arrays
        let ::core::result::Result::Ok(#out) = <&mut [f64; #size]>::try_from(#out) else { return };
        #call;
    }
}

/// Converts the quantities that a function reads from `at`, `a` and `lambda` to arrays with their names; `otherwise` is executed where a
/// slice has a wrong length.
pub(super) fn arrays(emission: &Emission<'_>, function: &Function, otherwise: &TokenStream) -> TokenStream {
    let s = emission.sizes();
    let (n_q, n_v, n_z, n_u, n_c) = (s.n_q, s.n_v, s.n_z, s.n_u, s.n_c);
    let reads = |input: Input| function.inputs.iter().any(|a| a.input == input);
    let memories = if reads(Input::Auxiliary) { emission.complete_memories() } else { TokenStream::new() };
    let mut lines = Vec::new();
    let mut convert = |input: Input, from: TokenStream, size: usize| {
        if reads(input) {
            let name = format_ident!("{}", input.name());
            lines.push(quote! {
                let ::core::result::Result::Ok(#name) = <&[f64; #size]>::try_from(#from) else { #otherwise };
            });
        }
    };
    convert(Input::Coordinates, quote!(at.q), n_q);
    convert(Input::Speeds, quote!(at.v), n_v);
    convert(Input::Auxiliary, quote!(at.z), n_z);
    convert(Input::Inputs, quote!(at.u), n_u);
    convert(Input::Accelerations, quote!(a), n_v);
    convert(Input::Multipliers, quote!(lambda), n_c);
    quote! {
        #memories
        let t = at.t;
        #(#lines)*
    }
}

/// Returns from a method with an error, at a state of another size.
fn size_error(emission: &Emission<'_>) -> TokenStream {
    let root = &emission.paths.root;
    let n_q = emission.sizes().n_q;
    quote!(return ::core::result::Result::Err(#root::Error::Size { expected: #n_q, found: at.q.len() }))
}
