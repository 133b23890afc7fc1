//! Data without influence on the motion: solids that represent bodies, outlines of curves, limits of joints.

use mbs_core::{Closing, Contact, Outline};
use mbs_definition::{Limits, Shape, Solid};
use mbs_expr::BodyId;
use proc_macro2::TokenStream;
use quote::quote;

use crate::emit::Emission;
use crate::emit::literal::literal;
use crate::emit::names::constant_ident;

/// `visual`, `outline`, `contact` and `limits` of the contract, if there are any.
pub fn visuals(emission: &Emission<'_>) -> TokenStream {
    let root = &emission.paths.root;
    let model = &emission.compiled.model;
    let solids = (!model.imported.solids.is_empty()).then(|| {
        let (n, solids) = (model.imported.solids.len(), model.imported.solids.iter().map(|solid| visual(solid, root)));
        quote! {
            fn visual(&self, index: usize) -> ::core::option::Option<#root::Visual> {
                static VISUALS: [#root::Visual; #n] = [#(#solids),*];
                VISUALS.get(index).copied()
            }
        }
    });
    let limits = (!model.imported.limits.is_empty()).then(|| {
        let arms = model.imported.limits.iter().map(|given| {
            let (j, name) = (given.joint.index(), constant_ident(&model.joint(given.joint).name));
            quote!(#j => ::core::option::Option::Some(limits::#name))
        });
        quote! {
            fn limits(&self, joint: usize) -> ::core::option::Option<#root::Limits> {
                match joint {
                    #(#arms,)*
                    _ => ::core::option::Option::None,
                }
            }
        }
    });
    let outlines = outlines(emission);
    quote!(#solids #outlines #limits)
}

fn outlines(emission: &Emission<'_>) -> TokenStream {
    let root = &emission.paths.root;
    let (model, tree) = (&emission.compiled.model, &emission.compiled.tree);
    if model.curves.outlines.is_empty() {
        return quote!();
    }
    let outlines = (0..).map_while(|i| model.outline(i)).map(|Outline { name, marker, points, closing }| {
        let points = points.iter().map(|point| {
            let point = point.map(literal);
            quote!([#(#point),*])
        });
        let closing = match closing {
            Closing::Period(period) => {
                let period = literal(period);
                quote!(Period(#period))
            }
            Closing::Open => quote!(Open),
            Closing::Endless => quote!(Endless),
        };
        quote! {
            #root::Outline {
                name: #name,
                marker: #marker,
                points: &[#(#points),*],
                closing: #root::Closing::#closing,
            }
        }
    });
    let contacts: Vec<TokenStream> = (0..)
        .map_while(|i| mbs_physics::contact(model, tree, i))
        .map(|Contact { outline, coordinate }| quote!(#root::Contact { outline: #outline, coordinate: #coordinate }))
        .collect();
    let (n, m) = (model.curves.outlines.len(), contacts.len());
    quote! {
        fn outline(&self, index: usize) -> ::core::option::Option<#root::Outline<'_>> {
            static OUTLINES: [#root::Outline<'static>; #n] = [#(#outlines),*];
            OUTLINES.get(index).copied()
        }
        fn contact(&self, index: usize) -> ::core::option::Option<#root::Contact> {
            static CONTACTS: [#root::Contact; #m] = [#(#contacts),*];
            CONTACTS.get(index).copied()
        }
    }
}

fn visual(solid: &Solid<Option<BodyId>>, root: &TokenStream) -> TokenStream {
    let body = match solid.body {
        Some(body) => {
            let body = body.index();
            quote!(::core::option::Option::Some(#body))
        }
        None => quote!(::core::option::Option::None),
    };
    let shape = match solid.shape {
        Shape::Block { size } => {
            let size = size.map(literal);
            quote!(Block { size: [#(#size),*] })
        }
        Shape::Cylinder { radius, length } => {
            let (radius, length) = (literal(radius), literal(length));
            quote!(Cylinder { radius: #radius, length: #length })
        }
        Shape::Sphere { radius } => {
            let radius = literal(radius);
            quote!(Sphere { radius: #radius })
        }
    };
    let (position, attitude) = (solid.position.map(literal), solid.attitude.map(literal));
    let color = match solid.color {
        Some([red, green, blue]) => quote!(::core::option::Option::Some([#red, #green, #blue])),
        None => quote!(::core::option::Option::None),
    };
    quote! {
        #root::Visual {
            body: #body,
            shape: #root::Shape::#shape,
            pose: #root::Pose { position: [#(#position),*], attitude: [#(#attitude),*] },
            color: #color,
        }
    }
}

/// `limits::HIP` for every joint that has them, and `LIMITS` of those that a motor may move.
pub fn limits(emission: &Emission<'_>) -> TokenStream {
    let root = &emission.paths.root;
    let model = &emission.compiled.model;
    if model.imported.limits.is_empty() {
        return quote!();
    }
    let name = |j: mbs_expr::JointId| constant_ident(&model.joint(j).name);
    let all = model.imported.limits.iter().map(|given| {
        let (ident, value) = (name(given.joint), value(given.limits, root));
        let docs = format!("Limits of `{}`.", model.joint(given.joint).name);
        quote!(#[doc = #docs] pub const #ident: #root::Limits = #value;)
    });
    let driven: Vec<_> =
        model.imported.limits.iter().filter(|given| !given.follows).map(|given| name(given.joint)).collect();
    let n = driven.len();
    quote! {
        /// Limits and losses of joints of imported files: data alone, which the motion does not respect.
        pub mod limits { #(#all)* }
        /// Limits of the imported joints that a motor may move, in the order of their speeds.
        pub const LIMITS: [#root::Limits; #n] = [#(limits::#driven),*];
    }
}

fn value(limits: Limits, root: &TokenStream) -> TokenStream {
    let Limits { lower, upper, effort, velocity, damping, friction } = limits;
    let [lower, upper, effort, velocity] = [lower, upper, effort, velocity].map(|x| match x {
        f64::INFINITY => quote!(f64::INFINITY),
        f64::NEG_INFINITY => quote!(f64::NEG_INFINITY),
        x => literal(x),
    });
    let (damping, friction) = (literal(damping), literal(friction));
    quote! {
        #root::Limits {
            lower: #lower,
            upper: #upper,
            effort: #effort,
            velocity: #velocity,
            damping: #damping,
            friction: #friction,
        }
    }
}
