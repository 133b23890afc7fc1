//! Loads of floating bodies and their derivatives.

use proc_macro2::{Span, TokenStream};
use quote::quote;

use super::{Emission, plain, state_arguments};
use crate::emit::names::{constant_ident, value_ident};
use mbs_compiler::compile::WrenchDerivatives;
use mbs_compiler::kernels::wrench_kernel;

/// The type of these loads, its method, and the patterns of their blocks.
pub fn emit(emission: &Emission<'_>) -> TokenStream {
    let wrenches = &emission.compiled.wrenches;
    if wrenches.is_empty() {
        return quote!();
    }
    let root = &emission.paths.root;
    let name = emission.name();
    let state = state_arguments(emission, &quote!(&Inputs));
    let body = |of: &WrenchDerivatives| emission.compiled.model.bodies[of.body.index()].name.as_str();
    let fields = wrenches.iter().map(|of| {
        let (field, columns) = (value_ident(body(of), Span::call_site()), of.columns);
        let docs = format!("On `{}`.", body(of));
        quote!(#[doc = #docs] pub #field: #root::WrenchJacobian<#columns>)
    });
    let values = wrenches.iter().map(|of| value(emission, of));
    let patterns = wrenches.iter().map(|of| {
        let constant = constant_ident(body(of));
        let rows = of.pattern.map(|row| {
            let row = row.map(u8::from).map(proc_macro2::Literal::u8_unsuffixed);
            quote!([#(#row),*])
        });
        let docs = format!("Of the loads on `{}`.", body(of));
        quote!(#[doc = #docs] pub const #constant: [[u8; 5]; 2] = [#(#rows),*];)
    });
    quote! {
        /// Loads on floating bodies, weight not among them, and their derivatives along position, attitude parameter by parameter, velocity,
        /// angular velocity and all inputs. Blocks that vanish for all states are 0 in `wrench_pattern`.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct Wrenches {
            #(#fields,)*
        }

        impl #name {
            /// Loads on floating bodies, and their derivatives.
            pub fn wrenches(&self, #state,) -> Wrenches {
                let u = &u.to_array();
                Wrenches { #(#values,)* }
            }
        }

        /// Blocks of wrench Jacobians: 0 where they vanish for all states. Rows force and moment, columns position, attitude, velocity,
        /// angular velocity, inputs.
        pub mod wrench_pattern {
            #(#patterns)*
        }
    }
}

/// A field and its value.
fn value(emission: &Emission<'_>, of: &WrenchDerivatives) -> TokenStream {
    let body = &emission.compiled.model.bodies[of.body.index()].name;
    let Some(function) = emission.function(&wrench_kernel(body)) else { return quote!() };
    let root = &emission.paths.root;
    let field = value_ident(body, Span::call_site());
    let size = 6 * of.columns;
    let call = emission.call(function, &plain, &[quote!(&mut wrench), quote!(&mut jacobian)]);
    quote! {
        #field: {
            let (mut wrench, mut jacobian) = ([0.0; 6], [0.0; #size]);
            #call;
            #root::WrenchJacobian { wrench, jacobian: #root::matrix_of_rows(&jacobian) }
        }
    }
}
