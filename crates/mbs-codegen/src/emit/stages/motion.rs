//! The stage of accelerations.

use proc_macro2::TokenStream;
use quote::quote;

use super::getter;
use crate::emit::{Emission, data};
use crate::program::Input;

/// `Motion`.
pub fn motion(emission: &Emission<'_>) -> TokenStream {
    let s = emission.sizes();
    let (n_v, n_c, n_z) = (s.n_v, s.n_c, s.n_z);
    let argument = |input: Input| match input {
        Input::Prepared => quote!(&self.velocity.position.mechanism.prepared),
        Input::Params => quote!(&self.velocity.position.mechanism.params),
        Input::Time => quote!(self.velocity.position.t),
        Input::Coordinates => quote!(self.velocity.position.q),
        Input::Speeds => quote!(self.velocity.v),
        Input::Auxiliary => quote!(self.z),
        Input::Inputs => quote!(&self.u),
        Input::Accelerations => quote!(&self.a),
        Input::Multipliers => quote!(&self.lambda),
        _ => unreachable!("a report reads the state"),
    };
    let get = |kernel: &str, docs: &str, shape: &[usize]| getter(emission, kernel, docs, shape, &argument);
    let forces = get("generalized_forces", "Q: applied loads and velocity-quadratic terms.", &[n_v]);
    let rates = get("auxiliary_rates", "ż.", &[s.n_z]);
    let energy = emission.function("energy").map_or(quote!(), |function| {
        let root = &emission.paths.root;
        let call = emission.call(function, &argument, &[quote!(&mut flat)]);
        quote! {
            /// Kinetic and potential energy \[J\].
            pub fn energy(&self) -> #root::Energy {
                let mut flat = [0.0; 2];
                #call;
                let [kinetic, potential] = flat;
                #root::Energy { kinetic, potential }
            }
        }
    });
    let force_energies = emission.function("force_energies").filter(|_| s.n_forces > 0).map_or(quote!(), |function| {
        let n_forces = s.n_forces;
        let call = emission.call(function, &argument, &[quote!(&mut potentials), quote!(&mut powers)]);
        quote! {
            /// Potential energy \[J\] and power \[W\] of each force, in declaration order.
            pub fn force_energies(&self) -> ([f64; #n_forces], [f64; #n_forces]) {
                let (mut potentials, mut powers) = ([0.0; #n_forces], [0.0; #n_forces]);
                #call;
                (potentials, powers)
            }
        }
    });
    let structured = |kernel: &str, method: &str, ty: &str, docs: &str| {
        let Some(function) = emission.function(kernel) else { return quote!() };
        let (method, ty) = (quote::format_ident!("{}", method), quote::format_ident!("{}", ty));
        let size = function.outputs.first().map_or(0, |o| o.values.len());
        let call = emission.call(function, &argument, &[quote!(&mut flat)]);
        quote! {
            #[doc = #docs]
            pub fn #method(&self) -> #ty {
                let mut flat = [0.0; #size];
                #call;
                #ty::from_array(&flat)
            }
        }
    };
    let reactions = emission.function("reactions").map_or(quote!(), |function| {
        let size = function.outputs.first().map_or(0, |o| o.values.len());
        let docs = format!("What joints exert on the bodies of their second ends: {}.", function.counts);
        let call = emission.call(function, &argument, &[quote!(&mut flat)]);
        quote! {
            #[doc = #docs]
            pub fn reactions(&self) -> Reactions {
                let mut flat = [0.0; #size];
                #call;
                Reactions::from_flat(&flat)
            }
        }
    });
    let outputs = structured("outputs", "outputs", "Outputs", "Outputs.");
    let output_rates = if data::has_output_rates(emission) {
        structured("output_rates", "output_rates", "OutputRates", "Rates of the outputs.")
    } else {
        quote!()
    };
    quote! {
        /// A state with its accelerations and multipliers.
        #[derive(Clone, Debug)]
        pub struct Motion<'a> {
            velocity: &'a Velocity<'a>,
            u: [f64; NU],
            z: &'a [f64; #n_z],
            /// Accelerations.
            pub a: [f64; #n_v],
            /// Multipliers: M a + Gᵀ λ = Q.
            pub lambda: [f64; #n_c],
        }

        impl<'a> Motion<'a> {
            /// The stage before.
            pub fn velocity(&self) -> &'a Velocity<'a> {
                self.velocity
            }

            #forces
            #rates
            #energy
            #force_energies
            #reactions
            #outputs
            #output_rates
        }
    }
}
