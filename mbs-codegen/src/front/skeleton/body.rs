//! The type of a mechanism with mistakes, its stages and its contract, without content.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// The type with the methods that programs call most; none of them runs, because the program does not compile.
pub fn body(name: &Ident, [n_q, n_v, n_c, n_z, n_u]: [usize; 5]) -> TokenStream {
    let (stages, contract) = (stages(name), contract(name));
    quote! {
        pub const NQ: usize = #n_q;
        pub const NV: usize = #n_v;
        pub const NC: usize = #n_c;
        pub const NU: usize = #n_u;
        pub const NZ: usize = #n_z;
        pub const DOF: usize = #n_v;

        #[derive(Clone, Debug)]
        pub struct #name { params: Params }

        fn broken() -> ! { ::core::panic!("this mechanism has mistakes") }

        impl Params {
            pub fn derived(self) -> Self { broken() }
            pub fn derived_from(self, before: &Params) -> Self { broken() }
        }

        impl #name {
            pub fn new(params: Params) -> ::core::result::Result<Self, ::mbs::Error> { broken() }
            pub fn params(&self) -> &Params { broken() }
            pub fn set_params(&mut self, params: Params) -> ::core::result::Result<(), ::mbs::Error> { broken() }
            pub fn accelerations(
                &self,
                t: f64,
                q: &[f64; NQ],
                v: &[f64; NV],
                u: &Inputs,
                z: &[f64; NZ],
            ) -> ::core::result::Result<Accelerations, ::mbs::Error> {
                broken()
            }
            pub fn at_position<'a>(&'a self, t: f64, q: &'a [f64; NQ]) -> Position<'a> { broken() }
        }

        #stages

        #contract
    }
}

/// The stages, without content.
fn stages(name: &Ident) -> TokenStream {
    quote! {
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct Accelerations { pub a: [f64; NV], pub lambda: [f64; NC] }

        #[derive(Clone, Debug)]
        pub struct Position<'a>(&'a #name);
        impl<'a> Position<'a> {
            pub fn at_velocity<'b>(&'b self, v: &'b [f64; NV]) -> Velocity<'b> { broken() }
        }

        #[derive(Clone, Debug)]
        pub struct Velocity<'a>(&'a #name);
        impl<'a> Velocity<'a> {
            pub fn accelerate<'b>(&'b self, u: &'b Inputs, z: &'b [f64; NZ]) -> ::core::result::Result<Motion<'b>, ::mbs::Error> {
                broken()
            }
        }

        #[derive(Clone, Debug)]
        pub struct Motion<'a> { pub a: [f64; NV], pub lambda: [f64; NC], mechanism: &'a #name }
        impl<'a> Motion<'a> {
            pub fn energy(&self) -> ::mbs::Energy { broken() }
            pub fn outputs(&self) -> Outputs { broken() }
            pub fn output_rates(&self) -> OutputRates { broken() }
        }
    }
}

/// The contract, which programs ask the type for.
fn contract(name: &Ident) -> TokenStream {
    quote! {
        impl ::mbs::Mechanism for #name {
            type Coordinates = [f64; NQ];
            type Speeds = [f64; NV];
            type Multipliers = [f64; NC];
            type Auxiliary = [f64; NZ];
            type Inputs = [f64; NU];
            type Scratch = [f64; 0];
            fn sizes(&self) -> ::mbs::Sizes { broken() }
            fn storage(
                &self,
            ) -> (Self::Coordinates, Self::Speeds, Self::Multipliers, Self::Auxiliary, Self::Inputs, Self::Scratch) {
                broken()
            }
            fn guess(&self, q: &mut [f64], v: &mut [f64], z: &mut [f64]) {}
            fn accelerations(
                &self,
                at: ::mbs::StateView,
                a: &mut [f64],
                lambda: &mut [f64],
            ) -> ::core::result::Result<(), ::mbs::Error> {
                broken()
            }
            fn solve(
                &self,
                at: ::mbs::StateView,
                f: &[f64],
                g: &[f64],
                x: &mut [f64],
                mu: &mut [f64],
            ) -> ::core::result::Result<(), ::mbs::Error> {
                broken()
            }
            fn position_residuals(&self, at: ::mbs::StateView, phi: &mut [f64]) {}
            fn velocity_residuals(&self, at: ::mbs::StateView, psi: &mut [f64]) {}
        }
        impl ::mbs::Describe for #name {}
        impl ::mbs::Eventful for #name {}
        impl ::mbs::Momenta for #name {}
    }
}
