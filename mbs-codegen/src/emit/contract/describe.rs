//! The description: names, kinds of rows, what is drawn, and explanations.

use mbs_core::{Placement, RowKind};
use proc_macro2::TokenStream;
use quote::quote;

use super::names::names;
use super::visuals::visuals;
use super::{argument, arrays};
use crate::emit::flat::Items;
use crate::emit::{Emission, flat, functions};

/// `impl Describe for …`.
pub fn describe(emission: &Emission<'_>) -> TokenStream {
    let (root, name) = (&emission.paths.root, emission.name());
    let names = names(emission);
    let (row_kind, is_switched, placement) = (row_kind(emission), is_switched(emission), placement(emission));
    let is_spatial = emission.is_spatial().then(|| {
        quote! {
            fn is_spatial(&self) -> bool {
                true
            }
        }
    });
    let (positions, body, ends, is_cable) =
        (marker_positions(emission), marker_body(emission), ends(emission), is_cable(emission));
    let visuals = visuals(emission);
    let functions = functions::check_functions(emission);
    let not_finite = explain_not_finite(emission);
    quote! {
        impl #root::Describe for #name {
            #names
            #row_kind
            #is_switched
            #placement
            #is_spatial
            #positions
            #body
            #ends
            #is_cable
            #visuals
            #functions
            #not_finite
        }
    }
}

/// Kinds of the rows, with the joints and bodies to which they belong.
fn row_kind(emission: &Emission<'_>) -> TokenStream {
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
    quote! {
        fn row_kind(&self, row: usize) -> #root::RowKind {
            let kinds: [#root::RowKind; #n_c] = [#(#kinds),*];
            kinds.get(row).copied().unwrap_or(#root::RowKind::Constraint)
        }
    }
}

fn is_switched(emission: &Emission<'_>) -> Option<TokenStream> {
    let switched = emission.compiled.tree.switched_rows();
    (!switched.is_empty()).then(|| {
        quote! {
            fn is_switched(&self, row: usize) -> bool {
                ::core::matches!(row, #(#switched)|*)
            }
        }
    })
}

fn placement(emission: &Emission<'_>) -> TokenStream {
    let (root, tree) = (&emission.paths.root, &emission.compiled.tree);
    let n_bodies = emission.compiled.model.bodies.len();
    let placements = (0..n_bodies).map(|b| match tree.placement(b) {
        None => quote!(::core::option::Option::None),
        Some(Placement { joint, parent, reversed, first_speed, speeds }) => {
            let parent = match parent {
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
    quote! {
        fn placement(&self, body: usize) -> ::core::option::Option<#root::Placement> {
            let placements: [::core::option::Option<#root::Placement>; #n_bodies] = [#(#placements),*];
            placements.get(body).copied().flatten()
        }
    }
}

fn marker_positions(emission: &Emission<'_>) -> Option<TokenStream> {
    let (root, n_markers) = (&emission.paths.root, emission.sizes().n_markers);
    let function = emission.function("marker_positions").filter(|_| n_markers > 0)?;
    let (convert, call) =
        (arrays(emission, function, &quote!(return)), emission.call(function, &argument, &[quote!(&mut flat)]));
    let Items { size: chunk, pattern, value } = flat::points(emission);
    let size = chunk * n_markers;
    Some(quote! {
        fn marker_positions(&self, at: #root::StateView, positions: &mut [[f64; 3]]) {
            #convert
            let mut flat = [0.0; #size];
            #call;
            for (position, flat) in positions.iter_mut().zip(flat.chunks_exact(#chunk)) {
                if let #pattern = *flat {
                    *position = #value;
                }
            }
        }
    })
}

fn marker_body(emission: &Emission<'_>) -> TokenStream {
    let (model, n_markers) = (&emission.compiled.model, emission.sizes().n_markers);
    let bodies = model.markers.iter().filter(|m| m.drawn).take(n_markers).map(|m| match m.body {
        Some(b) => {
            let b = b.index();
            quote!(::core::option::Option::Some(#b))
        }
        None => quote!(::core::option::Option::None),
    });
    quote! {
        fn marker_body(&self, marker: usize) -> ::core::option::Option<usize> {
            let bodies: [::core::option::Option<usize>; #n_markers] = [#(#bodies),*];
            bodies.get(marker).copied().flatten()
        }
    }
}

/// Drawn markers that joints and forces connect.
fn ends(emission: &Emission<'_>) -> TokenStream {
    let root = &emission.paths.root;
    let (model, n_markers) = (&emission.compiled.model, emission.sizes().n_markers);
    let pair = |ends: Option<[usize; 2]>| match ends {
        Some([a, b]) if n_markers > 0 => quote!(::core::option::Option::Some([#a, #b])),
        _ => quote!(::core::option::Option::None),
    };
    let joint_ends = model.joints.iter().map(|j| pair(model.joint_ends(j)));
    let force_ends = model.loads.forces.iter().map(|f| pair(f.ends.and_then(|ends| model.drawn_ends(ends))));
    quote! {
        fn ends(&self, item: #root::Item) -> ::core::option::Option<[usize; 2]> {
            let (list, i): (&[::core::option::Option<[usize; 2]>], usize) = match item {
                #root::Item::Joint(i) => (&[#(#joint_ends),*], i),
                #root::Item::Force(i) => (&[#(#force_ends),*], i),
                _ => (&[], 0),
            };
            list.get(i).copied().flatten()
        }
    }
}

fn is_cable(emission: &Emission<'_>) -> Option<TokenStream> {
    let model = &emission.compiled.model;
    let cables: Vec<usize> = (0..model.loads.forces.len()).filter(|i| model.loads.forces[*i].is_cable).collect();
    (!cables.is_empty()).then(|| {
        quote! {
            fn is_cable(&self, force: usize) -> bool {
                ::core::matches!(force, #(#cables)|*)
            }
        }
    })
}

/// A method that names the first force whose energy or power is not finite, if energies are requested.
fn explain_not_finite(emission: &Emission<'_>) -> TokenStream {
    let (root, n) = (&emission.paths.root, emission.sizes().n_forces);
    let Some(function) = emission.function("force_energies").filter(|_| n > 0) else { return TokenStream::new() };
    let arrays = arrays(emission, function, &quote!(return));
    let call = emission.call(function, &argument, &[quote!(&mut potentials), quote!(&mut powers)]);
    let forces = &emission.compiled.model.loads.forces;
    let sentences =
        forces.iter().map(|f| format!("force `{}`: its potential energy or its power is not finite", f.name));
    quote! {
        fn explain_not_finite(&self, at: #root::StateView, report: &mut dyn ::core::ops::FnMut(&str)) {
            #arrays
            let (mut potentials, mut powers) = ([0.0; #n], [0.0; #n]);
            #call;
            let sentences = [#(#sentences),*];
            for ((potential, power), sentence) in potentials.iter().zip(powers).zip(sentences) {
                if !(potential + power).is_finite() {
                    report(sentence);
                    return;
                }
            }
        }
    }
}
