//! The generated `impl Differentiable`: derivatives in slices.

use mbs_core::rotation::DeclaredSpeeds;
use mbs_model::{Attitude, VelocityAxes};
use mbs_physics::AttitudeCoordinates;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::super::contract::{argument, arrays};
use super::super::stages::failing_row;
use super::{Emission, plain_argument};
use mbs_compiler::kernels::STAGE_CORRECTION;

/// `impl Differentiable for …`; empty unless requested.
pub fn emit(emission: &Emission<'_>) -> TokenStream {
    if !emission.compiled.model.settings.kernels.linearization {
        return quote!();
    }
    let root = &emission.paths.root;
    let name = emission.name();
    let s = emission.sizes();
    let (n_q, n_v, n_z, n_u) = (s.n_q, s.n_v, s.n_z, s.n_u);
    let n_x = n_q + n_v + s.n_states;
    let memories = emission.complete_memories();
    let size = n_x * (n_x + n_u);
    let arrays = quote! {
        #memories
        let (::core::result::Result::Ok(q), ::core::result::Result::Ok(v), ::core::result::Result::Ok(z), ::core::result::Result::Ok(u)) =
            (<&[f64; #n_q]>::try_from(at.q), <&[f64; #n_v]>::try_from(at.v), <&[f64; #n_z]>::try_from(at.z), <&[f64; #n_u]>::try_from(at.u))
        else {
            return ::core::result::Result::Err(#root::Error::Size { expected: #n_q, found: at.q.len() });
        };
        let t = at.t;
    };
    let state = state_jacobian(emission);
    let accelerations = acceleration_jacobian(emission, &arrays);
    let (constants, methods) = attitude_methods(emission);
    let stage = stage_correction(emission);
    quote! {
        #constants

        impl #root::Differentiable for #name {
            type Jacobian = [f64; #size];

            fn jacobian_storage(&self) -> Self::Jacobian {
                [0.0; #size]
            }

            fn state_jacobian(
                &self,
                at: #root::StateView,
                jacobian: &mut [f64],
            ) -> ::core::result::Result<(), #root::Error> {
                let found = jacobian.len();
                let ::core::result::Result::Ok(jacobian) = <&mut [f64; #size]>::try_from(jacobian) else {
                    return ::core::result::Result::Err(#root::Error::Size { expected: #size, found });
                };
                #arrays
                #state
            }

            #accelerations

            #methods

            #stage
        }
    }
}

/// `acceleration_jacobian`: the derivatives of accelerations and multipliers, row by row.
fn acceleration_jacobian(emission: &Emission<'_>, arrays: &TokenStream) -> TokenStream {
    let root = &emission.paths.root;
    let (n_v, n_c) = (emission.sizes().n_v, emission.sizes().n_c);
    quote! {
        fn acceleration_jacobian(
            &self,
            at: #root::StateView,
            a: &mut [f64],
            lambda: &mut [f64],
            jacobian: &mut [f64],
        ) -> ::core::result::Result<(), #root::Error> {
            #arrays
            let derivatives = self.derivatives(t, q, v, &Inputs::from_array(u), z)?;
            for (to, from) in a.iter_mut().zip(derivatives.a).chain(lambda.iter_mut().zip(derivatives.lambda)) {
                *to = from;
            }
            let mut jacobian = jacobian.iter_mut();
            for i in 0..#n_v {
                let row = derivatives.a_q[i].iter().chain(&derivatives.a_v[i]).chain(&derivatives.a_z[i]).chain(&derivatives.a_u[i]);
                for (from, to) in row.zip(&mut jacobian) {
                    *to = *from;
                }
            }
            for i in 0..#n_c {
                let row = derivatives.lambda_q[i]
                    .iter()
                    .chain(&derivatives.lambda_v[i])
                    .chain(&derivatives.lambda_z[i])
                    .chain(&derivatives.lambda_u[i]);
                for (from, to) in row.zip(&mut jacobian) {
                    *to = *from;
                }
            }
            ::core::result::Result::Ok(())
        }
    }
}

/// `correct_stage` by its kernel.
fn stage_correction(emission: &Emission<'_>) -> Option<TokenStream> {
    let function = emission.function(STAGE_CORRECTION)?;
    let root = &emission.paths.root;
    let size = 2 * emission.sizes().n_v + emission.sizes().n_states;
    let otherwise = quote! {
        return ::core::result::Result::Err(#root::Error::Size { expected: #size, found })
    };
    let arrays = arrays(emission, function, &otherwise);
    let row = failing_row(function, emission.call(function, &argument, &[quote!(&mut correction)]));
    Some(quote! {
        fn correct_stage(
            &self,
            at: #root::StateView,
            motion: (&[f64], &[f64]),
            stage: #root::StageCoefficients,
            residual: &mut [f64],
        ) -> ::core::result::Result<(), #root::Error> {
            let found = residual.len();
            let (a, lambda) = motion;
            #arrays
            let coefficients = &stage.weights();
            let ::core::result::Result::Ok(residual) = <&mut [f64; #size]>::try_from(residual) else { #otherwise };
            let mut correction = [0.0; #size];
            let row: ::core::option::Option<usize> = #row;
            match row {
                ::core::option::Option::Some(row) => {
                    ::core::result::Result::Err(#root::Error::Singular { row, t })
                }
                ::core::option::Option::None => {
                    *residual = correction;
                    ::core::result::Result::Ok(())
                }
            }
        }
    })
}

/// Body of `state_jacobian`: its kernel or, where q̇ = v, the derivatives of the accelerations copied to their rows and columns.
fn state_jacobian(emission: &Emission<'_>) -> TokenStream {
    let root = &emission.paths.root;
    let s = emission.sizes();
    let (n_v, n_z, n_u) = (s.n_v, s.n_states, s.n_u);
    if let Some(function) = emission.function("state_jacobian") {
        let row = failing_row(function, emission.call(function, &plain_argument, &[quote!(jacobian)]));
        return quote! {
            let row: ::core::option::Option<usize> = #row;
            match row {
                ::core::option::Option::Some(row) => {
                    ::core::result::Result::Err(#root::Error::Singular { row, t })
                }
                ::core::option::Option::None if #root::all_finite(jacobian) => ::core::result::Result::Ok(()),
                ::core::option::Option::None => ::core::result::Result::Err(#root::Error::NotFinite { t }),
            }
        };
    }
    let width = 2 * n_v + n_z + n_u;
    let auxiliary = emission.function("auxiliary_derivatives").map(|function| {
        let letters = ['q', 'v', 'z', 'u'];
        let sizes = [n_v, n_v, n_z, n_u];
        let names = letters.map(|letter| format_ident!("rates_{}", letter));
        let flat = names.iter().zip(sizes).map(|(name, size)| {
            let size = n_z * size;
            quote!(let mut #name = [0.0; #size];)
        });
        let outputs = names.each_ref().map(|name| quote!(&mut #name));
        let call = emission.call(function, &plain_argument, &outputs);
        let rows = names.iter().zip(sizes).map(|(name, size)| quote!(#name[i * #size..(i + 1) * #size].iter()));
        quote! {
            #(#flat)*
            #call;
            for i in 0..#n_z {
                let row = ::core::iter::empty() #(.chain(#rows))*;
                for (from, to) in row.zip(&mut jacobian[(2 * #n_v + i) * #width..]) {
                    *to = *from;
                }
            }
        }
    });
    quote! {
        let derivatives = self.derivatives(t, q, v, &Inputs::from_array(u), z)?;
        jacobian.fill(0.0);
        for i in 0..#n_v {
            jacobian[i * #width + #n_v + i] = 1.0;
            let row = derivatives.a_q[i].iter().chain(&derivatives.a_v[i]).chain(&derivatives.a_z[i]).chain(&derivatives.a_u[i]);
            for (from, to) in row.zip(&mut jacobian[(#n_v + i) * #width..]) {
                *to = *from;
            }
        }
        #auxiliary
        ::core::result::Result::Ok(())
    }
}

/// Constants that list the attitudes and the declared speeds, and the methods for N⁺ and for the transitivity of speeds.
fn attitude_methods(emission: &Emission<'_>) -> (TokenStream, TokenStream) {
    let root = &emission.paths.root;
    let declared = emission.compiled.declared_speeds();
    let parts: Vec<AttitudeCoordinates> =
        emission.compiled.tree.links.iter().filter_map(|link| link.attitude_coordinates()).collect();
    if parts.is_empty() && declared.is_empty() {
        let zero = quote! {
            fn transitivity(
                &self,
                at: #root::StateView,
                matrix: &mut [f64],
            ) -> ::core::result::Result<(), #root::Error> {
                let _ = at;
                matrix.fill(0.0);
                ::core::result::Result::Ok(())
            }
        };
        return (quote!(), zero);
    }
    let n = parts.len();
    let parts = parts.iter().map(|part| {
        let AttitudeCoordinates { attitude, first_q, first_v, floats } = *part;
        let attitude = attitude_tokens(root, attitude);
        let displacement = match floats {
            None => quote!(None),
            Some(VelocityAxes::World) => quote!(World),
            Some(VelocityAxes::Body) => quote!(Body),
        };
        quote! {
            #root::rotation::RotatingPart {
                attitude: #attitude,
                first_coordinate: #first_q,
                first_speed: #first_v,
                displacement: #root::rotation::Displacement::#displacement,
            }
        }
    });
    let constant = quote!(const ROTATING_PARTS: [#root::rotation::RotatingPart; #n] = [#(#parts),*];);
    if !declared.is_empty() {
        return declared_speed_methods(root, constant, &declared);
    }
    let methods = quote! {
        fn speeds_of_rates(&self, t: f64, q: &[f64], rates: &[f64], v: &mut [f64]) {
            let _ = t;
            #root::rotation::speeds_of_rates(&ROTATING_PARTS, q, rates, v);
        }

        fn transitivity(&self, at: #root::StateView, matrix: &mut [f64]) -> ::core::result::Result<(), #root::Error> {
            #root::rotation::transitivity(&ROTATING_PARTS, at.v, matrix);
            ::core::result::Result::Ok(())
        }
    };
    (constant, methods)
}

/// As [`attitude_methods`], for mechanisms with joints whose kinds declare speeds; the transitivity then follows from derivatives.
fn declared_speed_methods(
    root: &TokenStream,
    attitudes: TokenStream,
    declared: &[DeclaredSpeeds],
) -> (TokenStream, TokenStream) {
    let n = declared.len();
    let declared = declared.iter().map(|joint| {
        let DeclaredSpeeds { first_coordinate, coordinates, first_speed, speeds } = *joint;
        quote! {
            #root::rotation::DeclaredSpeeds {
                first_coordinate: #first_coordinate,
                coordinates: #coordinates,
                first_speed: #first_speed,
                speeds: #speeds,
            }
        }
    });
    let constants = quote! {
        #attitudes
        const DECLARED_SPEEDS: [#root::rotation::DeclaredSpeeds; #n] = [#(#declared),*];
    };
    let methods = quote! {
        fn speeds_of_rates(&self, t: f64, q: &[f64], rates: &[f64], v: &mut [f64]) {
            #root::rotation::speeds_of_declared_rates(self, (t, q), &ROTATING_PARTS, &DECLARED_SPEEDS, rates, v);
        }
    };
    (constants, methods)
}

fn attitude_tokens(root: &TokenStream, attitude: Attitude) -> TokenStream {
    let name = match attitude {
        Attitude::Quaternion => quote!(Quaternion),
        Attitude::ModifiedRodrigues => quote!(ModifiedRodrigues),
        Attitude::Rodrigues => quote!(Rodrigues),
        Attitude::RotationVector => quote!(RotationVector),
        Attitude::Euler(axes) => {
            let letters: String = axes.iter().map(|axis| ['X', 'Y', 'Z'][usize::from(*axis)]).collect();
            let sequence = format_ident!("{}", letters);
            quote!(Euler(#root::rotation::Sequence::#sequence))
        }
    };
    quote!(#root::rotation::Attitude::#name)
}
