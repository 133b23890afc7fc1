//! Inverse dynamics: the type `Inverse` and the function that computes it.

use proc_macro2::TokenStream;
use quote::quote;

use super::stages::{failing_row, plain_argument, state_arguments};
use super::{Emission, flat};
use mbs_compiler::program::Input;

/// Inverse dynamics in one function; empty unless requested.
pub fn emit(emission: &Emission<'_>) -> TokenStream {
    let Some(function) = emission.function("inverse") else { return quote!() };
    let root = &emission.paths.root;
    let name = emission.name();
    let s = emission.sizes();
    let (n_v, n_c) = (s.n_v, s.n_c);
    let state = state_arguments(emission, &quote!(&Inputs));
    let size = flat::reactions(emission).size * emission.compiled.model.joints.len();
    let argument = |input: Input| match input {
        Input::Inputs => quote!(&u.to_array()),
        other => plain_argument(other),
    };
    let call = emission.call(function, &argument, &[quote!(&mut a), quote!(&mut lambda), quote!(&mut flat)]);
    let row = failing_row(function, call);
    let (field, value) = match size {
        0 => (quote!(), quote!()),
        _ => (
            quote!(#[doc = "Reactions of all joints."] pub reactions: Reactions,),
            quote!(reactions: Reactions::from_flat(&flat),),
        ),
    };
    let docs = format!(
        "Inverse dynamics: the accelerations that the drives prescribe, the loads of the drives and the reactions of the joints: \
         {}.\n\n`q` and `v` have to satisfy the rows: see `mbs::InverseDynamics` for motions over time.\n\n# Errors\n`Singular` with the \
         row whose pivot vanishes, `NotFinite` if a result is not finite.",
        function.counts
    );
    quote! {
        /// A prescribed motion with the loads that it requires.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct Inverse {
            /// Accelerations.
            pub a: [f64; #n_v],
            /// Multipliers; the load of a drive, on (left − right) of its equation, is −λ.
            pub lambda: [f64; #n_c],
            #field
        }

        impl #name {
            #[doc = #docs]
            pub fn inverse(&self, #state,) -> ::core::result::Result<Inverse, #root::Error> {
                let (mut a, mut lambda, mut flat) = ([0.0; #n_v], [0.0; #n_c], [0.0; #size]);
                let row: ::core::option::Option<usize> = #row;
                if let ::core::option::Option::Some(row) = row {
                    return ::core::result::Result::Err(#root::Error::Singular { row, t });
                }
                if !(#root::all_finite(&a) && #root::all_finite(&lambda) && #root::all_finite(&flat)) {
                    return ::core::result::Result::Err(#root::Error::NotFinite { t });
                }
                ::core::result::Result::Ok(Inverse { a, lambda, #value })
            }
        }
    }
}
