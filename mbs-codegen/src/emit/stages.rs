//! Stages as types: `Position`, `Velocity`, `Motion`, each borrowing the previous one.

mod lazy;
mod motion;
mod position;
mod products;
mod rows;
mod velocity;

use proc_macro2::TokenStream;
use quote::quote;

use super::Emission;
pub use lazy::{Lazy, Quantities};
use mbs_compiler::program::{Function, Input, Role};
use motion::motion;
use position::position;
use velocity::velocity;

/// The stage types and the inherent kernels.
pub fn emit(emission: &Emission<'_>) -> TokenStream {
    let fused = accelerations(emission);
    let position = position(emission);
    let velocity = velocity(emission);
    let motion = motion(emission);
    quote!(#fused #position #velocity #motion)
}

/// The argument of a kernel for an input, inside an impl of the mechanism: the plain name of each quantity.
pub(super) fn plain_argument(input: Input) -> TokenStream {
    match input {
        Input::Parameters => quote!(&self.params.to_array()),
        Input::Prepared => quote!(&self.prepared),
        Input::Params => quote!(&self.params),
        Input::Slots(_) => unreachable!("staged functions are called from the stages"),
        Input::Time => quote!(t),
        Input::Coordinates => quote!(q),
        Input::Speeds => quote!(v),
        Input::Auxiliary => quote!(z),
        Input::Inputs => quote!(u),
        Input::Accelerations => quote!(a),
        Input::Multipliers => quote!(lambda),
        Input::Forces => quote!(f),
        Input::Targets => quote!(g),
        Input::Step => quote!(h),
        Input::StageCoefficients => quote!(coefficients),
        Input::Residual => quote!(residual),
    }
}

/// Parameters t, q, v, u, z of a method, with the names of [`plain_argument`]; `inputs` is the type of u.
pub(super) fn state_arguments(emission: &Emission<'_>, inputs: &TokenStream) -> TokenStream {
    let s = emission.sizes();
    let (n_q, n_v, n_z) = (s.n_q, s.n_v, s.n_z);
    quote!(t: f64, q: &[f64; #n_q], v: &[f64; #n_v], u: #inputs, z: &[f64; #n_z])
}

/// An expression for the singular row that a call reports; `None` for functions without checks.
pub fn failing_row(function: &Function, call: TokenStream) -> TokenStream {
    if function.is_checked() { call } else { quote!({ #call; ::core::option::Option::<usize>::None }) }
}

/// `Accelerations`, the method that computes it in one fused kernel, and `at_position`.
fn accelerations(emission: &Emission<'_>) -> TokenStream {
    let root = &emission.paths.root;
    let name = emission.name();
    let s = emission.sizes();
    let (n_q, n_v, n_c, n_z) = (s.n_q, s.n_v, s.n_c, s.n_z);
    let states = emission.if_positions_read_states(quote!(z: &'a [f64; #n_z],));
    let z = emission.if_positions_read_states(quote!(z,));
    let variables =
        if emission.positions_read_states() { "time, coordinates and states" } else { "time and coordinates" };
    let position_docs = format!(
        "Everything that depends on {variables} alone: each quantity is computed at the first request, vectors and the factorisation once."
    );
    let [typed, flat] = [quote!(&Inputs), quote!(&[f64; NU])].map(|inputs| state_arguments(emission, &inputs));
    let function = emission.function("accelerations").expect("every mechanism has accelerations");
    let docs = format!(
        "Accelerations and multipliers in one fused kernel: {}.\n\nM a + Gᵀ λ = Q, G a = γ.\n\n# Errors\n`Singular` with the row \
         whose pivot vanishes, `NotFinite` if a result is not finite.",
        function.counts
    );
    let call = emission.call(function, &plain_argument, &[quote!(a), quote!(lambda)]);
    let row = failing_row(function, call);
    let empty = position::quantities(emission).empty();
    quote! {
        /// Accelerations a and multipliers λ.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct Accelerations {
            /// Accelerations.
            pub a: [f64; #n_v],
            /// Multipliers: M a + Gᵀ λ = Q.
            pub lambda: [f64; #n_c],
        }

        impl #name {
            #[doc = #docs]
            #[inline]
            pub fn accelerations(&self, #typed,) -> ::core::result::Result<Accelerations, #root::Error> {
                let mut motion = Accelerations { a: [0.0; #n_v], lambda: [0.0; #n_c] };
                self.accelerations_into(t, q, v, &u.to_array(), z, &mut motion.a, &mut motion.lambda)?;
                ::core::result::Result::Ok(motion)
            }

            #[inline]
            fn accelerations_into(
                &self,
                #flat,
                a: &mut [f64; #n_v],
                lambda: &mut [f64; #n_c],
            ) -> ::core::result::Result<(), #root::Error> {
                let row: ::core::option::Option<usize> = #row;
                if let ::core::option::Option::Some(row) = row {
                    self.fallback_accelerations(row, t, q, v, u, z, a, lambda)?;
                }
                if #root::all_finite(a) && #root::all_finite(lambda) {
                    ::core::result::Result::Ok(())
                } else {
                    ::core::result::Result::Err(#root::Error::NotFinite { t })
                }
            }

            #[doc = #position_docs]
            #[inline]
            pub fn at_position<'a>(&'a self, t: f64, q: &'a [f64; #n_q], #states) -> Position<'a> {
                Position { mechanism: self, t, q, #z values: #root::StageValues::new(), #empty }
            }
        }
    }
}

/// An expression that computes the values of a stage by the kernel that stores them, and the row whose pivot vanishes.
fn computed_slots(emission: &Emission<'_>, kernel: &str, argument: &dyn Fn(Input) -> TokenStream) -> TokenStream {
    let none = quote!(::core::option::Option::None);
    let Some(function) = emission.function(kernel).filter(|f| !f.outputs.is_empty() || f.is_checked()) else {
        return none;
    };
    let slots = function.outputs.iter().filter(|o| matches!(o.role, Role::Slots(_))).map(|_| quote!(slots));
    failing_row(function, emission.call(function, argument, &slots.collect::<Vec<_>>()))
}
