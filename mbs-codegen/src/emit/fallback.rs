//! The generated fallback for a vanishing pivot of the static order.

use proc_macro2::TokenStream;
use quote::quote;

use super::Emission;
use super::stages::{plain_argument, state_arguments};
use mbs_compiler::compile::DENSE_LIMIT;

/// Fallback for a vanishing pivot of the static order: a dense rank-revealing solution, or an error for mechanisms that are too large.
pub fn emit(emission: &Emission<'_>) -> TokenStream {
    let s = emission.sizes();
    if s.n_v + s.n_c > DENSE_LIMIT { singular_error(emission) } else { dense(emission) }
}

/// Arguments of the fallbacks of accelerations and of `solve`.
fn arguments(emission: &Emission<'_>) -> [TokenStream; 2] {
    let s = emission.sizes();
    let (n_q, n_v, n_c, n_z) = (s.n_q, s.n_v, s.n_c, s.n_z);
    let state = state_arguments(emission, &quote!(&[f64; NU]));
    let states = emission.if_positions_read_states(quote!(z: &[f64; #n_z],));
    let speeds = emission.if_reads_speeds(quote!(v: &[f64; #n_v],));
    [
        quote!(row: usize, #state, a: &mut [f64; #n_v], lambda: &mut [f64; #n_c]),
        quote!(row: usize, t: f64, q: &[f64; #n_q], #speeds #states x: &mut [f64; #n_v], mu: &mut [f64; #n_c]),
    ]
}

fn singular_error(emission: &Emission<'_>) -> TokenStream {
    let (root, name) = (&emission.paths.root, emission.name());
    let [accelerations_arguments, solve_arguments] = arguments(emission);
    quote! {
        impl #name {
            #[cold]
            fn fallback_accelerations(&self, #accelerations_arguments) -> ::core::result::Result<(), #root::Error> {
                ::core::result::Result::Err(#root::Error::Singular { row, t })
            }

            #[cold]
            fn fallback_solve(&self, #solve_arguments) -> ::core::result::Result<(), #root::Error> {
                ::core::result::Result::Err(#root::Error::Singular { row, t })
            }
        }
    }
}

fn dense(emission: &Emission<'_>) -> TokenStream {
    let (root, name) = (&emission.paths.root, emission.name());
    let [accelerations_arguments, solve_arguments] = arguments(emission);
    let (v, z) = (emission.if_reads_speeds(quote!(v,)), emission.if_positions_read_states(quote!(z,)));
    let (n, n_c) = (emission.sizes().n_v, emission.sizes().n_c);
    let size = n + n_c;
    let kernel = |kernel: &str, output: TokenStream| {
        let function = emission.function(kernel).expect("the matrices are always emitted");
        emission.call(function, &plain_argument, &[output])
    };
    let mass = kernel("mass_matrix", quote!(&mut mass));
    let metric = if emission.compiled.checked.solvable {
        quote!(#mass;)
    } else {
        quote! {
            for i in 0..#n {
                if let ::core::option::Option::Some(diagonal) = mass.get_mut(i * (#n + 1)) {
                    *diagonal = 1.0;
                }
            }
        }
    };
    let jacobian = kernel("constraint_jacobian", quote!(&mut jacobian));
    let forces = kernel("generalized_forces", quote!(a));
    let gamma = kernel("gamma", quote!(lambda));
    let switched = emission.compiled.tree.switched_rows();
    let (mass_size, jacobian_size, square) = (n * n, n_c * n, size * size);
    quote! {
        impl #name {
            #[cold]
            #[inline(never)]
            fn fallback_accelerations(&self, #accelerations_arguments) -> ::core::result::Result<(), #root::Error> {
                #forces;
                #gamma;
                self.fallback_solve(row, t, q, #v #z a, lambda)
            }

            /// Dense, rank-revealing, in place: f → x, g → μ.
            #[cold]
            #[inline(never)]
            fn fallback_solve(&self, #solve_arguments) -> ::core::result::Result<(), #root::Error> {
                let mut mass = [0.0; #mass_size];
                let mut jacobian = [0.0; #jacobian_size];
                #metric
                #jacobian;
                #root::solve_saddle(
                    t,
                    &mass,
                    &jacobian,
                    &[#(#switched),*],
                    x,
                    mu,
                    #root::SaddleWorkspace {
                        matrix: &mut [0.0; #square],
                        right: &mut [0.0; #size],
                        scale: &mut [0.0; #size],
                        solution: &mut [0.0; #size],
                        order: &mut [0; #size],
                    },
                )
            }
        }
    }
}
