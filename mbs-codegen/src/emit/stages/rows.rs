//! G, ν and solutions with the factorisation: methods of the position stage, or of the velocity stage where G depends on speeds.

use super::lazy::{Lazy, Quantities};
use crate::emit::{Emission, hessians};
use mbs_compiler::program::Input;
use proc_macro2::TokenStream;
use quote::quote;

/// The method that solves with the factorisation of a stage; `fallback` is executed if the pivot of `row` vanishes.
pub fn solve(emission: &Emission<'_>, argument: &dyn Fn(Input) -> TokenStream, fallback: &TokenStream) -> TokenStream {
    let root = &emission.paths.root;
    let s = emission.sizes();
    let (n_v, n_c) = (s.n_v, s.n_c);
    let solve = emission.function("solve").expect("every mechanism has a solve");
    let call = emission.call(solve, argument, &[quote!(x), quote!(mu)]);
    let docs = format!(
        "Solves M x + Gᵀ μ = f, G x = g with this stage's factorisation: {}.\n\n# Errors\n`Singular` with the row whose pivot \
         vanishes.",
        solve.counts
    );
    quote! {
        #[doc = #docs]
        #[inline]
        pub fn solve(
            &self,
            f: &[f64; #n_v],
            g: &[f64; #n_c],
            x: &mut [f64; #n_v],
            mu: &mut [f64; #n_c],
        ) -> ::core::result::Result<(), #root::Error> {
            match self.values().1 {
                ::core::option::Option::None => {
                    #call;
                    ::core::result::Result::Ok(())
                }
                ::core::option::Option::Some(row) => {
                    x.copy_from_slice(f);
                    mu.copy_from_slice(g);
                    #fallback
                }
            }
        }
    }
}

/// G, its derivatives and ν, in the stage that computes them.
pub fn rows(emission: &Emission<'_>, argument: &dyn Fn(Input) -> TokenStream) -> Quantities {
    let s = emission.sizes();
    let mut all = Quantities::default();
    all.extend(Lazy::array(emission, "constraint_jacobian", "G, n_c × n_v.", &[s.n_c, s.n_v], argument));
    all.extend(Lazy::array(emission, "nu", "ν of G v = ν.", &[s.n_velocity], argument));
    all.append(hessians::values(emission, argument));
    all
}
