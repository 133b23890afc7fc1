//! Events: the values that trigger them, their rates, and the values that their handlers assign.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::{argument, arrays, size_error};
use crate::emit::Emission;
use mbs_compiler::program::{Function, Input};

/// `impl Eventful for …`.
pub fn events(emission: &Emission<'_>) -> TokenStream {
    let (root, name) = (&emission.paths.root, emission.name());
    let methods = (!emission.compiled.model.events.is_empty()).then(|| {
        let [event, values, rates, assignments] =
            [event(emission), values(emission), rates(emission), assignments(emission)];
        quote! {
            #event
            #values
            #rates
            #assignments
        }
    });
    quote! {
        impl #root::Eventful for #name { #methods }
    }
}

fn event(emission: &Emission<'_>) -> TokenStream {
    let (root, n) = (&emission.paths.root, emission.compiled.model.events.len());
    let table = event_table(emission);
    quote! {
        fn event(&self, event: usize) -> #root::Event {
            const EVENTS: [#root::Event; #n] = [#(#table),*];
            EVENTS.get(event).copied().unwrap_or_default()
        }
    }
}

/// The events as constants of the runtime's type.
fn event_table(emission: &Emission<'_>) -> Vec<TokenStream> {
    let (root, model) = (&emission.paths.root, &emission.compiled.model);
    let event = |i: usize| {
        let mbs_core::Event { trigger, is_condition, first_condition, conditions, reports, stops } = model.event(i);
        let trigger = format_ident!("{}", format!("{trigger:?}"));
        quote! {
            #root::Event {
                trigger: #root::Trigger::#trigger,
                is_condition: #is_condition,
                first_condition: #first_condition,
                conditions: #conditions,
                reports: #reports,
                stops: #stops,
            }
        }
    };
    (0..model.events.len()).map(event).collect()
}

/// Statements that convert the inputs of a function to arrays, after solving for accelerations and multipliers if it reads those.
fn convert_inputs(emission: &Emission<'_>, function: &Function) -> TokenStream {
    let root = &emission.paths.root;
    let (n_v, n_c) = (emission.sizes().n_v, emission.sizes().n_c);
    let arrays = arrays(emission, function, &size_error(emission));
    let reads_motion = function.inputs.iter().any(|a| matches!(a.input, Input::Accelerations | Input::Multipliers));
    let motion = reads_motion.then(|| {
        quote! {
            let (mut a, mut lambda) = ([0.0; #n_v], [0.0; #n_c]);
            #root::Mechanism::accelerations(self, at, &mut a, &mut lambda)?;
            let (a, lambda) = (&a[..], &lambda[..]);
        }
    });
    quote!(#motion #arrays)
}

fn values(emission: &Emission<'_>) -> TokenStream {
    let root = &emission.paths.root;
    let n = emission.compiled.model.events.len();
    let Some(function) = emission.function("event_values") else { return TokenStream::new() };
    let (convert, call) = (
        convert_inputs(emission, function),
        emission.call(function, &argument, &[quote!(&mut known), quote!(&mut enabled)]),
    );
    quote! {
        fn event_values(&self, at: #root::StateView, values: &mut [f64]) -> ::core::result::Result<(), #root::Error> {
            #convert
            let (mut known, mut enabled) = ([0.0; #n], [0.0; #n]);
            #call;
            for ((output, value), enabled) in values.iter_mut().zip(known).zip(enabled) {
                *output = if enabled > 0.5 { value } else { f64::NAN };
            }
            ::core::result::Result::Ok(())
        }
    }
}

fn rates(emission: &Emission<'_>) -> TokenStream {
    let (root, model) = (&emission.paths.root, &emission.compiled.model);
    let Some(function) = emission.function("event_rates") else { return TokenStream::new() };
    let known = model.events.iter().enumerate().filter(|(_, event)| event.rate_is_known);
    let indices: Vec<usize> = known.map(|(k, _)| k).collect();
    let n = indices.len();
    let (convert, call) =
        (convert_inputs(emission, function), emission.call(function, &argument, &[quote!(&mut known)]));
    quote! {
        fn event_rates(&self, at: #root::StateView, rates: &mut [f64]) -> ::core::result::Result<(), #root::Error> {
            #convert
            let mut known = [0.0; #n];
            #call;
            rates.fill(f64::NAN);
            for (index, value) in [#(#indices),*].into_iter().zip(known) {
                if let ::core::option::Option::Some(rate) = rates.get_mut::<usize>(index) {
                    *rate = value;
                }
            }
            ::core::result::Result::Ok(())
        }
    }
}

fn assignments(emission: &Emission<'_>) -> TokenStream {
    let (root, model) = (&emission.paths.root, &emission.compiled.model);
    let arms: Vec<TokenStream> = model
        .events
        .iter()
        .enumerate()
        .filter_map(|(k, event)| {
            let function = emission.function(&format!("event_{k}"))?;
            let (n, n_targets) = (event.assignments.len(), event.targets.len());
            let outputs = [quote!(&mut assigned), quote!(&mut conditions)];
            let (convert, call) = (convert_inputs(emission, function), emission.call(function, &argument, &outputs));
            let indices = event.assignments.iter().map(|(flat, _)| flat);
            Some(quote! {
                #k => {
                    #convert
                    let (mut assigned, mut conditions) = ([0.0; #n], [0.0; #n_targets]);
                    #call;
                    let indices: [usize; #n] = [#(#indices),*];
                    for (index, value) in indices.into_iter().zip(assigned) {
                        if let ::core::option::Option::Some(state) = new_z.get_mut(index) {
                            *state = value;
                        }
                    }
                    for (target, value) in targets.iter_mut().zip(conditions) {
                        *target = value;
                    }
                }
            })
        })
        .collect();
    if arms.is_empty() {
        return TokenStream::new();
    }
    quote! {
        fn event_assignments(
            &self,
            event: usize,
            at: #root::StateView,
            new_z: &mut [f64],
            targets: &mut [f64],
        ) -> ::core::result::Result<(), #root::Error> {
            match event {
                #(#arms)*
                _ => {}
            }
            ::core::result::Result::Ok(())
        }
    }
}
