//! Poses of bodies and positions of markers.

use proc_macro2::TokenStream;
use quote::quote;

use super::{argument, arrays, view_kernel};
use crate::emit::flat::Items;
use crate::emit::{Emission, flat};

/// Poses, marker positions, twist Jacobians, and the groups of markers.
pub fn geometry(emission: &Emission<'_>) -> TokenStream {
    let root = &emission.paths.root;
    let s = emission.sizes();
    let (n_bodies, n_markers) = (s.n_bodies, s.n_markers);
    let poses = emission.function("poses").filter(|_| n_bodies > 0).map_or(quote!(), |function| {
        let (convert, call) =
            (arrays(emission, function, &quote!(return)), emission.call(function, &argument, &[quote!(&mut flat)]));
        let Items { size: chunk, pattern, value } = flat::poses(emission);
        let size = chunk * n_bodies;
        quote! {
            fn poses(&self, at: #root::StateView, poses: &mut [#root::Pose]) {
                #convert
                let mut flat = [0.0; #size];
                #call;
                for (pose, flat) in poses.iter_mut().zip(flat.chunks_exact(#chunk)) {
                    if let #pattern = *flat {
                        *pose = #value;
                    }
                }
            }
        }
    });
    let markers = emission.function("marker_positions").filter(|_| n_markers > 0).map_or(quote!(), |function| {
        let (convert, call) =
            (arrays(emission, function, &quote!(return)), emission.call(function, &argument, &[quote!(&mut flat)]));
        let Items { size: chunk, pattern, value } = flat::points(emission);
        let size = chunk * n_markers;
        quote! {
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
        }
    });
    let jacobians = jacobians(emission);
    let model = &emission.compiled.model;
    let pair = |ends: Option<[usize; 2]>| match ends {
        Some([a, b]) if n_markers > 0 => quote!(::core::option::Option::Some([#a, #b])),
        _ => quote!(::core::option::Option::None),
    };
    let joint_ends = model.joints.iter().map(|j| pair(model.joint_ends(j)));
    let force_ends = model.forces.iter().map(|f| pair(f.ends.and_then(|ends| model.drawn_ends(ends))));
    let cables: Vec<usize> = (0..model.forces.len()).filter(|i| model.forces[*i].is_cable).collect();
    let is_cable = (!cables.is_empty()).then(|| {
        quote! {
            fn is_cable(&self, force: usize) -> bool {
                ::core::matches!(force, #(#cables)|*)
            }
        }
    });
    let bodies = model.markers.iter().filter(|m| m.drawn).take(n_markers).map(|m| match m.body {
        Some(b) => {
            let b = b.index();
            quote!(::core::option::Option::Some(#b))
        }
        None => quote!(::core::option::Option::None),
    });
    quote! {
        #poses
        #markers
        #jacobians

        fn ends(&self, item: #root::Item) -> ::core::option::Option<[usize; 2]> {
            let (list, i): (&[::core::option::Option<[usize; 2]>], usize) = match item {
                #root::Item::Joint(i) => (&[#(#joint_ends),*], i),
                #root::Item::Force(i) => (&[#(#force_ends),*], i),
                _ => (&[], 0),
            };
            list.get(i).copied().flatten()
        }

        #is_cable

        fn marker_body(&self, marker: usize) -> ::core::option::Option<usize> {
            let bodies: [::core::option::Option<usize>; #n_markers] = [#(#bodies),*];
            bodies.get(marker).copied().flatten()
        }
    }
}

/// Six rows per body; planar kernels compute the three of them that are not zero.
fn jacobians(emission: &Emission<'_>) -> TokenStream {
    let root = &emission.paths.root;
    let s = emission.sizes();
    let (n_v, n_bodies) = (s.n_v, s.n_bodies);
    let Some(function) = emission.function("body_jacobians").filter(|_| n_bodies * n_v > 0) else { return quote!() };
    let body = if emission.is_spatial() {
        view_kernel(emission, "body_jacobians", "jacobians", 6 * n_bodies * n_v)
    } else {
        let (convert, call) =
            (arrays(emission, function, &quote!(return)), emission.call(function, &argument, &[quote!(&mut flat)]));
        let size = 3 * n_bodies * n_v;
        let (spatial, planar) = (6 * n_v, 3 * n_v);
        let (x, y, turn) = (0usize, n_v, 5 * n_v);
        quote! {
            #convert
            let mut flat = [0.0; #size];
            #call;
            jacobians.fill(0.0);
            for (six, three) in jacobians.chunks_exact_mut(#spatial).zip(flat.chunks_exact(#planar)) {
                for (start, row) in [#x, #y, #turn].into_iter().zip(three.chunks_exact(#n_v)) {
                    for (to, from) in six.iter_mut().skip(start).zip(row) {
                        *to = *from;
                    }
                }
            }
        }
    };
    quote! {
        fn body_jacobians(&self, at: #root::StateView, jacobians: &mut [f64]) {
            #body
        }
    }
}
