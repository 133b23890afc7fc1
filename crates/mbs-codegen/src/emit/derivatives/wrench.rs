//! Loads of floating bodies and their slopes.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::{Emission, plain};
use crate::compile::WrenchSlopes;
use crate::emit::names::constant_ident;
use crate::kernels::wrench_kernel;

/// A method for each floating body, and the patterns of their blocks.
pub fn emit(emission: &Emission<'_>) -> TokenStream {
    let wrenches = &emission.compiled.wrenches;
    if wrenches.is_empty() {
        return quote!();
    }
    let name = emission.name();
    let methods = wrenches.iter().map(|of| method(emission, of));
    let patterns = wrenches.iter().map(|of| {
        let body = &emission.compiled.model.bodies[of.body.index()].name;
        let constant = constant_ident(body);
        let rows = of.pattern.map(|row| {
            let row = row.map(|there| u8::from(there)).map(proc_macro2::Literal::u8_unsuffixed);
            quote!([#(#row),*])
        });
        let docs = format!("Of the loads on `{body}`.");
        quote!(#[doc = #docs] pub const #constant: [[u8; 5]; 2] = [#(#rows),*];)
    });
    quote! {
        impl #name {
            #(#methods)*
        }

        /// Blocks of wrench Jacobians: 0 where they vanish for all states. Rows force and moment, columns position, attitude, velocity,
        /// angular velocity, inputs.
        pub mod wrench_pattern {
            #(#patterns)*
        }
    }
}

fn method(emission: &Emission<'_>, of: &WrenchSlopes) -> TokenStream {
    let body = &emission.compiled.model.bodies[of.body.index()].name;
    let kernel = wrench_kernel(body);
    let Some(function) = emission.function(&kernel) else { return quote!() };
    let root = &emission.paths.root;
    let method = format_ident!("{}", kernel);
    let s = emission.sizes();
    let (n_q, n_v, n_z, columns) = (s.n_q, s.n_v, s.n_z, of.columns);
    let size = 6 * columns;
    let call = emission.call(function, &plain, &[quote!(&mut wrench), quote!(&mut jacobian)]);
    let docs = format!(
        "Loads that forces apply to `{body}`, and their slopes along its position, its attitude parameter by parameter, its velocity, its \
         angular velocity and all inputs: {}.\n\nWeight is not among them. Blocks that vanish for all states are 0 in `wrench_pattern`.",
        function.counts
    );
    quote! {
        #[doc = #docs]
        pub fn #method(
            &self,
            t: f64,
            q: &[f64; #n_q],
            v: &[f64; #n_v],
            u: &Inputs,
            z: &[f64; #n_z],
        ) -> #root::WrenchJacobian<#columns> {
            let u = &u.to_array();
            let (mut wrench, mut jacobian) = ([0.0; 6], [0.0; #size]);
            #call;
            #root::WrenchJacobian { wrench, jacobian: #root::matrix_of_rows(&jacobian) }
        }
    }
}
