//! Momenta: their values, their rates, and steps of an integrator that advances them.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::{argument, arrays, size_error};
use crate::emit::Emission;
use mbs_compiler::compile::DENSE_LIMIT;
use mbs_compiler::kernels::{MOMENTA, MOMENTUM_RATES, MOMENTUM_STEP, SPEEDS_OF_MOMENTA};
use mbs_compiler::program::Function;

/// `impl Momenta for …`: the methods that replace defaults.
pub fn momenta(emission: &Emission<'_>) -> TokenStream {
    let momenta = emission
        .function(MOMENTA)
        .map(|f| kernel_method(emission, f, "momenta"))
        .or_else(|| momenta_from_mass_matrix(emission));
    let rates = emission.function(MOMENTUM_RATES).map(|f| kernel_method(emission, f, "momentum_rates"));
    let speeds = speeds_by_kernel(emission).or_else(|| speeds_from_mass_matrix(emission));
    let step = momentum_step(emission);
    let (root, name) = (&emission.paths.root, emission.name());
    quote! {
        impl #root::Momenta for #name { #momenta #rates #speeds #step }
    }
}

/// A method whose kernel fills n_v values.
fn kernel_method(emission: &Emission<'_>, function: &Function, method: &str) -> TokenStream {
    let root = &emission.paths.root;
    let (method, n_v) = (format_ident!("{}", method), emission.sizes().n_v);
    let otherwise = size_error(emission);
    let arrays = arrays(emission, function, &otherwise);
    let call = emission.call(function, &argument, &[quote!(out)]);
    quote! {
        #[inline]
        fn #method(&self, at: #root::StateView, out: &mut [f64]) -> ::core::result::Result<(), #root::Error> {
            #arrays
            let ::core::result::Result::Ok(out) = <&mut [f64; #n_v]>::try_from(out) else { #otherwise };
            #call;
            ::core::result::Result::Ok(())
        }
    }
}

/// Momenta p = M v with the mass matrix that every mechanism has, if no motion is prescribed.
fn momenta_from_mass_matrix(emission: &Emission<'_>) -> Option<TokenStream> {
    let compiled = emission.compiled;
    let function = emission.function("mass_matrix")?;
    if !compiled.checked.solvable || !compiled.tree.prescribed.is_empty() {
        return None;
    }
    let root = &emission.paths.root;
    let size = emission.sizes().n_v * emission.sizes().n_v;
    let n = emission.sizes().n_v.max(1);
    let arrays = arrays(emission, function, &size_error(emission));
    let call = emission.call(function, &argument, &[quote!(&mut mass)]);
    Some(quote! {
        fn momenta(&self, at: #root::StateView, momenta: &mut [f64]) -> ::core::result::Result<(), #root::Error> {
            #arrays
            let mut mass = [0.0; #size];
            #call;
            for (p, row) in momenta.iter_mut().zip(mass.chunks_exact(#n)) {
                *p = row.iter().zip(at.v).map(|(m, v)| m * v).sum();
            }
            ::core::result::Result::Ok(())
        }
    })
}

/// Speeds M⁻¹ p by a dense solution with the mass matrix that every mechanism has, if there are constraint rows.
fn speeds_from_mass_matrix(emission: &Emission<'_>) -> Option<TokenStream> {
    let compiled = emission.compiled;
    let function = emission.function("mass_matrix")?;
    let (n, n_c) = (emission.sizes().n_v, emission.sizes().n_c);
    if !compiled.checked.solvable || !compiled.tree.prescribed.is_empty() || n_c == 0 || n > DENSE_LIMIT {
        return None;
    }
    let (root, size) = (&emission.paths.root, n * n);
    let otherwise = size_error(emission);
    let arrays = arrays(emission, function, &otherwise);
    let call = emission.call(function, &argument, &[quote!(&mut mass)]);
    Some(quote! {
        fn speeds_of_momenta(
            &self,
            at: #root::StateView,
            momenta: &[f64],
            v: &mut [f64],
        ) -> ::core::result::Result<(), #root::Error> {
            #arrays
            let mut mass = [0.0; #size];
            #call;
            let ::core::result::Result::Ok(mut solution) = <[f64; #n]>::try_from(momenta) else { #otherwise };
            let workspace = #root::DenseWorkspace {
                scale: &mut [0.0; #n],
                solution: &mut [0.0; #n],
                order: &mut [0usize; #n],
            };
            let error = #root::RankDeficiency::Error;
            if #root::solve_symmetric(at.t, &mut mass, &mut solution, error, workspace).is_err() {
                // Rows give mass to massless speeds.
                return #root::admissible_speeds_of_momenta(self, at, momenta, v);
            }
            for (to, from) in v.iter_mut().zip(solution) {
                *to = from;
            }
            ::core::result::Result::Ok(())
        }
    })
}

/// `speeds_of_momenta` by its kernel.
fn speeds_by_kernel(emission: &Emission<'_>) -> Option<TokenStream> {
    let function = emission.function(SPEEDS_OF_MOMENTA)?;
    let root = &emission.paths.root;
    let n_v = emission.sizes().n_v;
    let otherwise = size_error(emission);
    let arrays = arrays(emission, function, &otherwise);
    let call = emission.call(function, &argument, &[quote!(v)]);
    let body = match function.is_checked() {
        false => quote!(#call; ::core::result::Result::Ok(())),
        true => quote! {
            let row: ::core::option::Option<usize> = #call;
            match row {
                ::core::option::Option::None => ::core::result::Result::Ok(()),
                // Rows give mass to massless speeds.
                ::core::option::Option::Some(_) => #root::admissible_speeds_of_momenta(self, at, momenta, v),
            }
        },
    };
    Some(quote! {
        fn speeds_of_momenta(
            &self,
            at: #root::StateView,
            momenta: &[f64],
            v: &mut [f64],
        ) -> ::core::result::Result<(), #root::Error> {
            #arrays
            let (::core::result::Result::Ok(f), ::core::result::Result::Ok(v)) =
                (<&[f64; #n_v]>::try_from(momenta), <&mut [f64; #n_v]>::try_from(v))
            else {
                #otherwise
            };
            #body
        }
    })
}

/// `momentum_step` by its kernel.
fn momentum_step(emission: &Emission<'_>) -> Option<TokenStream> {
    let function = emission.function(MOMENTUM_STEP)?;
    let root = &emission.paths.root;
    let (n_v, n_c) = (emission.sizes().n_v, emission.sizes().n_c);
    let otherwise = size_error(emission);
    let arrays = arrays(emission, function, &otherwise);
    let call = emission.call(function, &argument, &[quote!(delta), quote!(mu), quote!(end)]);
    let body = match function.is_checked() {
        false => quote!(#call; ::core::result::Result::Ok(())),
        true => quote! {
            let row: ::core::option::Option<usize> = #call;
            match row {
                ::core::option::Option::None => ::core::result::Result::Ok(()),
                ::core::option::Option::Some(row) => ::core::result::Result::Err(#root::Error::Singular { row, t }),
            }
        },
    };
    Some(quote! {
        #[inline]
        fn momentum_step(
            &self,
            at: #root::StateView,
            h: f64,
            momenta: &[f64],
            delta: &mut [f64],
            mu: &mut [f64],
            end: &mut [f64],
        ) -> ::core::result::Result<(), #root::Error> {
            #arrays
            let (
                ::core::result::Result::Ok(f),
                ::core::result::Result::Ok(delta),
                ::core::result::Result::Ok(mu),
                ::core::result::Result::Ok(end),
            ) = (
                <&[f64; #n_v]>::try_from(momenta),
                <&mut [f64; #n_v]>::try_from(delta),
                <&mut [f64; #n_c]>::try_from(mu),
                <&mut [f64; #n_v]>::try_from(end),
            )
            else {
                #otherwise
            };
            #body
        }
    })
}
