//! Forces, energies, outputs, reactions and initial conditions.

use mbs_core::RowKind;
use mbs_expr::BodyId;
use mbs_model::RowLevel;
use proc_macro2::TokenStream;
use quote::quote;

use super::geometry::geometry;
use super::{argument, arrays, view_kernel};
use crate::emit::Emission;
use crate::emit::data::literal;
use crate::emit::flat::{self, Items};
use mbs_compiler::kernels::MEMORIES;

/// All reports that read a state.
pub fn reports(emission: &Emission<'_>) -> TokenStream {
    let root = &emission.paths.root;
    let s = emission.sizes();
    let forces = view_kernel(emission, "generalized_forces", "forces", s.n_v);
    let rates = if s.n_states > 0 {
        let body = view_kernel(emission, "auxiliary_rates", "rates", s.n_states);
        let first = (s.n_z > s.n_states).then(|| {
            let n = s.n_states;
            quote!(let ::core::option::Option::Some(rates) = rates.get_mut(..#n) else { return };)
        });
        quote!(fn auxiliary_rates(&self, at: #root::StateView, rates: &mut [f64]) { #first #body })
    } else {
        quote!()
    };
    let memories = memories(emission);
    let outputs = if emission.function("outputs").is_some() {
        let body = view_kernel(emission, "outputs", "outputs", s.n_outputs);
        quote! {
            fn outputs(&self, at: #root::StateView, a: &[f64], lambda: &[f64], outputs: &mut [f64]) { #body }
        }
    } else {
        quote!()
    };
    let energy = if emission.function("energy").is_some() {
        let body = view_kernel(emission, "energy", "flat", 2);
        quote! {
            fn energy(&self, at: #root::StateView) -> #root::Energy {
                let mut values = [f64::NAN; 2];
                (|flat: &mut [f64]| { #body })(&mut values);
                let [kinetic, potential] = values;
                #root::Energy { kinetic, potential }
            }
        }
    } else {
        quote!()
    };
    let not_finite = not_finite(emission);
    let geometry = geometry(emission);
    let conditions = conditions(emission);
    let velocity_forces = view_kernel(emission, "velocity_forces", "forces", s.n_v);
    let reactions = reactions(emission);
    quote! {
        fn generalized_forces(&self, at: #root::StateView, forces: &mut [f64]) { #forces }
        fn velocity_forces(&self, at: #root::StateView, forces: &mut [f64]) { #velocity_forces }
        #reactions
        #rates
        #memories
        #outputs
        #energy
        #not_finite
        #geometry
        #conditions
    }
}

/// Names the first force whose energy or power is not finite, if energies are requested.
fn not_finite(emission: &Emission<'_>) -> TokenStream {
    let (root, n) = (&emission.paths.root, emission.sizes().n_forces);
    let Some(function) = emission.function("force_energies").filter(|_| n > 0) else { return TokenStream::new() };
    let arrays = arrays(emission, function, &quote!(return));
    let call = emission.call(function, &argument, &[quote!(&mut potentials), quote!(&mut powers)]);
    let forces = &emission.compiled.model.forces;
    let sentences =
        forces.iter().map(|f| format!("force `{}`: its potential energy or its power is not finite", f.name));
    quote! {
        fn explain_not_finite(&self, at: #root::StateView, tell: &mut dyn ::core::ops::FnMut(&str)) {
            #arrays
            let (mut potentials, mut powers) = ([0.0; #n], [0.0; #n]);
            #call;
            let sentences = [#(#sentences),*];
            for ((potential, power), sentence) in potentials.iter().zip(powers).zip(sentences) {
                if !(potential + power).is_finite() {
                    tell(sentence);
                    return;
                }
            }
        }
    }
}

/// Updates the memories, stored after the auxiliary states, with the values nearest to them.
fn memories(emission: &Emission<'_>) -> TokenStream {
    updated_memories(emission, MEMORIES).map_or_else(
        TokenStream::new,
        |updated| quote!(fn remember(&self, t: f64, q: &[f64], stored: &mut [f64]) { #updated }),
    )
}

/// Sets the memories, the last values in `stored`, at `t` and `q` to the results of a kernel; `None` if there is no such kernel.
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

/// Reactions of all joints, and the owners of the rows.
fn reactions(emission: &Emission<'_>) -> TokenStream {
    let root = &emission.paths.root;
    let (model, tree) = (&emission.compiled.model, &emission.compiled.tree);
    let kinds = tree.rows.iter().map(|row| match model.row_kind(row) {
        RowKind::Joint(j) => quote!(#root::RowKind::Joint(#j)),
        RowKind::Body(b) => quote!(#root::RowKind::Body(#b)),
        RowKind::Drive => quote!(#root::RowKind::Drive),
        RowKind::Coupling => quote!(#root::RowKind::Coupling),
        _ => quote!(#root::RowKind::Constraint),
    });
    let n_c = tree.rows.len();
    let reactions = emission.function("reactions").map_or(quote!(), |_| {
        let Items { size: chunk, pattern, value } = flat::reactions(emission);
        let size = chunk * model.joints.len();
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
    });
    let n_bodies = model.bodies.len();
    let placements = (0..n_bodies).map(|b| match tree.carried(BodyId(b as u32)) {
        None => quote!(::core::option::Option::None),
        Some((joint, parent, reversed, range)) => {
            let (joint, first_speed, speeds) = (joint.index(), range.start, range.len());
            let parent = match parent.map(BodyId::index) {
                Some(parent) => quote!(::core::option::Option::Some(#parent)),
                None => quote!(::core::option::Option::None),
            };
            quote! {
                ::core::option::Option::Some(#root::Placement {
                    joint: #joint,
                    parent: #parent,
                    reversed: #reversed,
                    first_speed: #first_speed,
                    speeds: #speeds,
                })
            }
        }
    });
    let switched = emission.compiled.tree.switched_rows();
    let is_switched = (!switched.is_empty()).then(|| {
        quote! {
            fn is_switched(&self, row: usize) -> bool {
                ::core::matches!(row, #(#switched)|*)
            }
        }
    });
    quote! {
        #reactions

        #is_switched

        fn placement(&self, body: usize) -> ::core::option::Option<#root::Placement> {
            let placements: [::core::option::Option<#root::Placement>; #n_bodies] = [#(#placements),*];
            placements.get(body).copied().flatten()
        }

        fn row_kind(&self, row: usize) -> #root::RowKind {
            let kinds: [#root::RowKind; #n_c] = [#(#kinds),*];
            kinds.get(row).copied().unwrap_or(#root::RowKind::Constraint)
        }
    }
}

fn conditions(emission: &Emission<'_>) -> TokenStream {
    let root = &emission.paths.root;
    let s = emission.sizes();
    let (n_q, n_v) = (s.n_q, s.n_v);
    let whole = emission.with_memories();
    let mut held = emission.compiled.model.held_conditions().enumerate().peekable();
    if held.peek().is_none() {
        return quote!();
    }
    let arms = held.map(|(k, condition)| {
        let level = match condition.level {
            RowLevel::Position => quote!(#root::Level::Position),
            _ => quote!(#root::Level::Velocity),
        };
        let function = emission.function(&format!("condition_{k}")).expect("every condition has a kernel");
        let call = emission.call(function, &argument, &[quote!(&mut residual), quote!(gradient)]);
        // Residual of the guess at the start of a run with default parameters.
        let miss = Some(emission.compiled.model.guess_miss(k)).filter(|miss| *miss != 0.0).map(literal);
        let miss = miss.map(|miss| quote!(residual[0] -= #miss;));
        quote! { #k => { #call; #miss #level } }
    });
    quote! {
        fn initial_condition(&self, condition: usize, at: #root::StateView, gradient: &mut [f64]) -> #root::Condition {
            let mut residual = [0.0; 1];
            #whole
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
