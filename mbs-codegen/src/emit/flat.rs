//! Layout of the flat lists that kernels return: the numbers of an item, in order, and the value composed of them.

use proc_macro2::TokenStream;
use quote::quote;

use super::Emission;

/// The items of a flat list.
pub struct Items {
    /// Count of numbers for each item.
    pub size: usize,
    /// Pattern that binds the numbers of an item, a slice.
    pub pattern: TokenStream,
    /// The value composed of the bound numbers.
    pub value: TokenStream,
}

/// Poses of bodies.
pub fn poses(emission: &Emission<'_>) -> Items {
    let root = &emission.paths.root;
    match emission.is_spatial() {
        false => Items { size: 3, pattern: quote!([x, y, angle]), value: quote!(#root::Pose::planar(x, y, angle)) },
        true => Items {
            size: 12,
            pattern: quote!([x, y, z, xx, xy, xz, yx, yy, yz, zx, zy, zz]),
            value: quote!(#root::Pose::spatial([x, y, z], [[xx, xy, xz], [yx, yy, yz], [zx, zy, zz]])),
        },
    }
}

/// World positions of markers.
pub fn points(emission: &Emission<'_>) -> Items {
    match emission.is_spatial() {
        false => Items { size: 2, pattern: quote!([x, y]), value: quote!([x, y, 0.0]) },
        true => Items { size: 3, pattern: quote!([x, y, z]), value: quote!([x, y, z]) },
    }
}

/// Reactions of joints.
pub fn reactions(emission: &Emission<'_>) -> Items {
    let root = &emission.paths.root;
    match emission.is_spatial() {
        false => Items {
            size: 5,
            pattern: quote!([x, y, force_x, force_y, torque]),
            value: quote!(#root::Reaction::planar([x, y], [force_x, force_y], torque)),
        },
        true => Items {
            size: 9,
            pattern: quote!([x, y, z, force_x, force_y, force_z, torque_x, torque_y, torque_z]),
            value: quote!(#root::Reaction {
                point: [x, y, z],
                force: [force_x, force_y, force_z],
                torque: [torque_x, torque_y, torque_z],
            }),
        },
    }
}
