//! Applied loads on floating bodies, and their derivatives.

use proc_macro2::{Span, TokenStream};
use quote::quote;

use super::{Emission, plain_argument, state_arguments};
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
    let body = |wrench: &WrenchDerivatives| emission.compiled.model.bodies[wrench.body.index()].name.as_str();
    let fields = wrenches.iter().map(|wrench| {
        let (field, columns) = (value_ident(body(wrench), Span::call_site()), wrench.columns);
        let docs = format!("Loads on `{}`.", body(wrench));
        quote!(#[doc = #docs] pub #field: #root::WrenchJacobian<#columns>)
    });
    let values = wrenches.iter().map(|wrench| field_value(emission, wrench));
    let patterns = wrenches.iter().map(|wrench| {
        let constant = constant_ident(body(wrench));
        let rows = wrench.pattern.map(|row| {
            let row = row.map(u8::from).map(proc_macro2::Literal::u8_unsuffixed);
            quote!([#(#row),*])
        });
        let docs = format!("Pattern of the loads on `{}`.", body(wrench));
        quote!(#[doc = #docs] pub const #constant: [[u8; 5]; 2] = [#(#rows),*];)
    });
    quote! {
        /// Loads on floating bodies without their weight, and their derivatives with respect to position, each attitude parameter, velocity,
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

/// A field of `Wrenches` with its value.
fn field_value(emission: &Emission<'_>, derivatives: &WrenchDerivatives) -> TokenStream {
    let body = &emission.compiled.model.bodies[derivatives.body.index()].name;
    let Some(function) = emission.function(&wrench_kernel(body)) else { return quote!() };
    let root = &emission.paths.root;
    let field = value_ident(body, Span::call_site());
    let size = 6 * derivatives.columns;
    let call = emission.call(function, &plain_argument, &[quote!(&mut wrench), quote!(&mut jacobian)]);
    quote! {
        #field: {
            let (mut wrench, mut jacobian) = ([0.0; 6], [0.0; #size]);
            #call;
            #root::WrenchJacobian { wrench, jacobian: #root::matrix_of_rows(&jacobian) }
        }
    }
}
