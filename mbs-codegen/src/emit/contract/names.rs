//! Names of items.

use mbs_physics::ItemNames;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use crate::emit::Emission;

/// Names by kind of item, as in `Item`.
pub fn names(emission: &Emission<'_>) -> TokenStream {
    let root = &emission.paths.root;
    let compiled = emission.compiled;
    let mechanism = &compiled.model.header.name;
    let names = ItemNames::new(&compiled.model, &compiled.tree);
    let kinds: [(&str, &[String]); 14] = [
        ("Coordinate", &names.coordinates),
        ("Speed", &names.speeds),
        ("Row", &names.rows),
        ("Auxiliary", &names.auxiliary),
        ("Input", &names.inputs),
        ("Output", &names.outputs),
        ("Body", &names.bodies),
        ("Marker", &names.markers),
        ("Joint", &names.joints),
        ("Force", &names.forces),
        ("Parameter", &names.parameters),
        ("Condition", &names.conditions),
        ("Event", &names.events),
        ("Function", &names.functions),
    ];
    let arms = kinds.into_iter().map(|(kind, names)| {
        let kind = format_ident!("{}", kind);
        quote!(#root::Item::#kind(i) => (&[#(#names),*], i))
    });
    quote! {
        fn name(&self, item: #root::Item) -> &str {
            let (names, index): (&[&str], usize) = match item {
                #root::Item::Mechanism => (&[#mechanism], 0),
                #(#arms,)*
                _ => (&[], 0),
            };
            names.get(index).copied().unwrap_or("")
        }
    }
}
