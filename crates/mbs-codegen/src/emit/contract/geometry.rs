//! Where bodies and markers are.

use proc_macro2::TokenStream;
use quote::quote;

use super::{argument, slice_kernel};
use crate::emit::flat::Items;
use crate::emit::{Emission, flat};

/// Poses, marker positions, twist Jacobians, and which markers belong together.
pub fn geometry(emission: &Emission<'_>) -> TokenStream {
    let root = &emission.paths.root;
    let s = emission.sizes();
    let (n_q, n_bodies, n_markers) = (s.n_q, s.n_bodies, s.n_markers);
    let call = |kernel: &str| emission.function(kernel).map(|f| emission.call(f, &argument, &[quote!(&mut flat)]));
    let convert = quote!(let ::core::result::Result::Ok(q) = <&[f64; #n_q]>::try_from(q) else { return };);
    let poses = call("poses").filter(|_| n_bodies > 0).map_or(quote!(), |call| {
        let Items { size: chunk, pattern, value } = flat::poses(emission);
        let size = chunk * n_bodies;
        quote! {
            fn poses(&self, t: f64, q: &[f64], poses: &mut [#root::Pose]) {
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
    let markers = call("marker_positions").filter(|_| n_markers > 0).map_or(quote!(), |call| {
        let Items { size: chunk, pattern, value } = flat::points(emission);
        let size = chunk * n_markers;
        quote! {
            fn marker_positions(&self, t: f64, q: &[f64], positions: &mut [[f64; 3]]) {
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

        fn marker_body(&self, marker: usize) -> ::core::option::Option<usize> {
            let bodies: [::core::option::Option<usize>; #n_markers] = [#(#bodies),*];
            bodies.get(marker).copied().flatten()
        }
    }
}

/// Six rows per body; planar kernels give the three of them that are not zero.
fn jacobians(emission: &Emission<'_>) -> TokenStream {
    let s = emission.sizes();
    let (n_q, n_v, n_bodies) = (s.n_q, s.n_v, s.n_bodies);
    let Some(function) = emission.function("body_jacobians").filter(|_| n_bodies * n_v > 0) else { return quote!() };
    let body = if emission.is_spatial() {
        slice_kernel(emission, "body_jacobians", &[("q", n_q)], ("jacobians", 6 * n_bodies * n_v))
    } else {
        let call = emission.call(function, &argument, &[quote!(&mut flat)]);
        let size = 3 * n_bodies * n_v;
        let (spatial, planar) = (6 * n_v, 3 * n_v);
        let (x, y, turn) = (0usize, n_v, 5 * n_v);
        quote! {
            let ::core::result::Result::Ok(q) = <&[f64; #n_q]>::try_from(q) else { return };
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
        fn body_jacobians(&self, t: f64, q: &[f64], jacobians: &mut [f64]) {
            #body
        }
    }
}
