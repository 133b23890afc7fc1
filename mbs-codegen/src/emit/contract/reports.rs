//! Forces, rates of states, energies, outputs, reactions and initial conditions.

use mbs_model::RowLevel;
use proc_macro2::TokenStream;
use quote::quote;

use super::geometry::{jacobians, poses};
use super::{argument, view_kernel};
use crate::emit::Emission;
use crate::emit::flat::{self, Items};
use crate::emit::literal::literal;
use mbs_compiler::kernels::MEMORIES;

/// Methods that report quantities at a state.
pub fn reports(emission: &Emission<'_>) -> TokenStream {
    let root = &emission.paths.root;
    let n_v = emission.sizes().n_v;
    let forces = view_kernel(emission, "generalized_forces", "forces", n_v);
    let velocity_forces = view_kernel(emission, "velocity_forces", "forces", n_v);
    let (reactions, rates, memories) = (reactions(emission), auxiliary_rates(emission), remember(emission));
    let (outputs, energy) = (outputs(emission), energy(emission));
    let (poses, jacobians) = (poses(emission), jacobians(emission));
    let conditions = conditions(emission);
    quote! {
        fn generalized_forces(&self, at: #root::StateView, forces: &mut [f64]) { #forces }
        fn velocity_forces(&self, at: #root::StateView, forces: &mut [f64]) { #velocity_forces }
        #reactions
        #rates
        #memories
        #outputs
        #energy
        #poses
        #jacobians
        #conditions
    }
}

fn auxiliary_rates(emission: &Emission<'_>) -> Option<TokenStream> {
    let (root, s) = (&emission.paths.root, emission.sizes());
    (s.n_states > 0).then(|| {
        let body = view_kernel(emission, "auxiliary_rates", "rates", s.n_states);
        let first = (s.n_z > s.n_states).then(|| {
            let n = s.n_states;
            quote!(let ::core::option::Option::Some(rates) = rates.get_mut(..#n) else { return };)
        });
        quote!(fn auxiliary_rates(&self, at: #root::StateView, rates: &mut [f64]) { #first #body })
    })
}

fn outputs(emission: &Emission<'_>) -> Option<TokenStream> {
    let root = &emission.paths.root;
    emission.function("outputs").map(|_| {
        let body = view_kernel(emission, "outputs", "outputs", emission.sizes().n_outputs);
        quote! {
            fn outputs(&self, at: #root::StateView, a: &[f64], lambda: &[f64], outputs: &mut [f64]) { #body }
        }
    })
}

fn energy(emission: &Emission<'_>) -> Option<TokenStream> {
    let root = &emission.paths.root;
    emission.function("energy").map(|_| {
        let body = view_kernel(emission, "energy", "flat", 2);
        quote! {
            fn energy(&self, at: #root::StateView) -> #root::Energy {
                let mut values = [f64::NAN; 2];
                (|flat: &mut [f64]| { #body })(&mut values);
                let [kinetic, potential] = values;
                #root::Energy { kinetic, potential }
            }
        }
    })
}

/// Reactions of all joints.
fn reactions(emission: &Emission<'_>) -> Option<TokenStream> {
    let root = &emission.paths.root;
    emission.function("reactions").map(|_| {
        let Items { size: chunk, pattern, value } = flat::reactions(emission);
        let size = chunk * emission.compiled.model.joints.len();
        let body = view_kernel(emission, "reactions", "flat", size);
        quote! {
            fn reactions(&self, at: #root::StateView, a: &[f64], lambda: &[f64], reactions: &mut [#root::Reaction]) {
                let mut values = [f64::NAN; #size];
                (|flat: &mut [f64]| { #body })(&mut values);
                for (reaction, flat) in reactions.iter_mut().zip(values.chunks_exact(#chunk)) {
                    if let #pattern = *flat {
                        *reaction = #value;
                    }
                }
            }
        }
    })
}

/// `remember`: overwrites the memories, stored after the auxiliary states, with the values nearest to them.
fn remember(emission: &Emission<'_>) -> TokenStream {
    updated_memories(emission, MEMORIES).map_or_else(
        TokenStream::new,
        |updated| quote!(fn remember(&self, t: f64, q: &[f64], stored: &mut [f64]) { #updated }),
    )
}

/// Statements that set the memories, the last values in `stored`, to the results of a kernel at `t` and `q`; `None` if there is no such
/// kernel.
pub fn updated_memories(emission: &Emission<'_>, kernel: &str) -> Option<TokenStream> {
    let function = emission.function(kernel)?;
    let s = emission.sizes();
    let (n_q, n_z, n_states, n) = (s.n_q, s.n_z, s.n_states, s.n_z - s.n_states);
    let call = emission.call(function, &argument, &[quote!(&mut memories)]);
    Some(quote! {
        let mut memories = [0.0; #n];
        let (::core::result::Result::Ok(q), ::core::result::Result::Ok(z)) =
            (<&[f64; #n_q]>::try_from(&*q), <&[f64; #n_z]>::try_from(&*stored))
        else {
            return;
        };
        #call;
        for (to, from) in stored.iter_mut().skip(#n_states).zip(memories) {
            *to = from;
        }
    })
}

fn conditions(emission: &Emission<'_>) -> TokenStream {
    let root = &emission.paths.root;
    let s = emission.sizes();
    let (n_q, n_v) = (s.n_q, s.n_v);
    let memories = emission.complete_memories();
    let mut declared = emission.compiled.model.imposed_conditions().enumerate().peekable();
    if declared.peek().is_none() {
        return quote!();
    }
    let arms = declared.map(|(k, condition)| {
        let level = match condition.level {
            RowLevel::Position => quote!(#root::Level::Position),
            _ => quote!(#root::Level::Velocity),
        };
        let function = emission.function(&format!("condition_{k}")).expect("every condition has a kernel");
        let call = emission.call(function, &argument, &[quote!(&mut residual), quote!(gradient)]);
        // Residual of the guess at the start of a run with default parameters.
        let miss = Some(emission.compiled.model.guess_residual(k)).filter(|miss| *miss != 0.0).map(literal);
        let miss = miss.map(|miss| quote!(residual[0] -= #miss;));
        quote! { #k => { #call; #miss #level } }
    });
    quote! {
        fn initial_condition(&self, condition: usize, at: #root::StateView, gradient: &mut [f64]) -> #root::Condition {
            let mut residual = [0.0; 1];
            #memories
            let t = at.t;
            let (
                ::core::result::Result::Ok(q),
                ::core::result::Result::Ok(v),
                ::core::result::Result::Ok(z),
                ::core::result::Result::Ok(gradient),
            ) = (
                <&[f64; #n_q]>::try_from(at.q),
                <&[f64; #n_v]>::try_from(at.v),
                <&[f64; NZ]>::try_from(at.z),
                <&mut [f64; #n_v]>::try_from(gradient),
            )
            else {
                return #root::Condition { residual: f64::NAN, level: #root::Level::Position };
            };
            let level = match condition {
                #(#arms)*
                _ => #root::Level::Position,
            };
            let [residual] = residual;
            #root::Condition { residual, level }
        }
    }
}
