//! Poses and twist Jacobians of bodies.

use proc_macro2::TokenStream;
use quote::quote;

use super::{argument, arrays, view_kernel};
use crate::emit::flat::Items;
use crate::emit::{Emission, flat};

/// Poses of all bodies.
pub fn poses(emission: &Emission<'_>) -> Option<TokenStream> {
    let n_bodies = emission.sizes().n_bodies;
    let function = emission.function("poses").filter(|_| n_bodies > 0)?;
    let root = &emission.paths.root;
    let (convert, call) =
        (arrays(emission, function, &quote!(return)), emission.call(function, &argument, &[quote!(&mut flat)]));
    let Items { size: chunk, pattern, value } = flat::poses(emission);
    let size = chunk * n_bodies;
    Some(quote! {
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
    })
}

/// Twist Jacobians: six rows per body; planar kernels compute the three of them that are not zero.
pub fn jacobians(emission: &Emission<'_>) -> TokenStream {
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
        let (x, y, omega) = (0usize, n_v, 5 * n_v);
        quote! {
            #convert
            let mut flat = [0.0; #size];
            #call;
            jacobians.fill(0.0);
            for (six, three) in jacobians.chunks_exact_mut(#spatial).zip(flat.chunks_exact(#planar)) {
                for (start, row) in [#x, #y, #omega].into_iter().zip(three.chunks_exact(#n_v)) {
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
