//! The stage of speeds.

use proc_macro2::TokenStream;
use quote::quote;

use super::{filled, getter};
use crate::emit::Emission;
use crate::program::Input;

/// `Velocity`.
pub fn velocity(emission: &Emission<'_>) -> TokenStream {
    let root = &emission.paths.root;
    let s = emission.sizes();
    let (n_v, n_c, n_z) = (s.n_v, s.n_c, s.n_z);
    let slots = emission.slots("velocity");
    let argument = |input: Input| match input {
        Input::Prepared => quote!(&self.position.mechanism.prepared),
        Input::Params => quote!(&self.position.mechanism.params),
        Input::Time => quote!(self.position.t),
        Input::Coordinates => quote!(self.position.q),
        Input::Speeds => quote!(self.v),
        Input::Slots(crate::graph::Stage::Position) => quote!(&self.position.slots),
        Input::Slots(_) => quote!(&self.slots),
        Input::Inputs => quote!(u),
        Input::Auxiliary if emission.states_place() => quote!(self.position.z),
        Input::Auxiliary => quote!(z),
        _ => unreachable!("a velocity kernel reads positions and speeds"),
    };
    let fill_argument = |input: Input| match input {
        Input::Slots(_) => quote!(&self.position.slots),
        other => argument(other),
    };
    let fill = emission.function("velocity").filter(|f| !f.outputs.is_empty()).map_or(quote!(), |function| {
        let call = emission.call(function, &fill_argument, &filled(function, &quote!(&mut self.slots)));
        quote!(#call;)
    });
    let accelerate = emission.function("accelerate").expect("every mechanism has accelerations");
    let call = emission.call(accelerate, &argument, &[quote!(&mut motion.a), quote!(&mut motion.lambda)]);
    let docs = format!(
        "Accelerations and multipliers: {}.\n\n# Errors\n`Singular` with the row whose pivot vanishes.",
        accelerate.counts
    );
    let getters = getters(emission, &argument);
    let (states, z) = match emission.states_place() {
        true => (quote!(), quote!(let z = self.position.z;)),
        false => (quote!(z: &'b [f64; #n_z],), quote!()),
    };
    quote! {
        /// Values a velocity stage stores.
        #[doc(hidden)]
        pub const N_VELOCITY_SLOTS: usize = #slots;

        /// Everything that depends on speeds beside.
        #[derive(Clone, Debug)]
        pub struct Velocity<'a> {
            position: &'a Position<'a>,
            v: &'a [f64; #n_v],
            slots: [f64; N_VELOCITY_SLOTS],
        }

        impl<'a> Velocity<'a> {
            #[inline(always)]
            fn fill(&mut self) {
                #fill
            }

            /// The stage before.
            pub fn position(&self) -> &'a Position<'a> {
                self.position
            }

            /// Speeds.
            pub fn v(&self) -> &'a [f64; #n_v] {
                self.v
            }

            #[doc = #docs]
            #[inline]
            pub fn accelerate<'b>(
                &'b self,
                u: &Inputs,
                #states
            ) -> ::core::result::Result<Motion<'b>, #root::Error> {
                let inputs = u.to_array();
                #z
                let mut motion = Accelerations { a: [0.0; #n_v], lambda: [0.0; #n_c] };
                match self.position.singular {
                    ::core::option::Option::None => {
                        let u = &inputs;
                        #call;
                    }
                    ::core::option::Option::Some(row) => {
                        let position = self.position;
                        position.mechanism.fallback_accelerations(
                            row, position.t, position.q, self.v, &inputs, z, &mut motion,
                        )?;
                    }
                }
                if !(#root::all_finite(&motion.a) && #root::all_finite(&motion.lambda)) {
                    return ::core::result::Result::Err(#root::Error::NotFinite { t: self.position.t });
                }
                ::core::result::Result::Ok(Motion { velocity: self, u: inputs, z, a: motion.a, lambda: motion.lambda })
            }

            #getters
        }
    }
}

/// What the stage gives.
fn getters(emission: &Emission<'_>, argument: &dyn Fn(Input) -> TokenStream) -> TokenStream {
    let s = emission.sizes();
    let get = |kernel: &str, docs: &str, shape: &[usize]| getter(emission, kernel, docs, shape, argument);
    let with_accelerations = |input: Input| match input {
        Input::Accelerations => quote!(a),
        other => argument(other),
    };
    let (momentum, components) = match emission.is_spatial() {
        false => ("Linear momentum x, y and angular momentum about the world origin.", 3),
        true => {
            let docs = "Linear momentum \\[kg m/s\\] and angular momentum about the world origin \\[kg m²/s\\], x, y, z each, \
                        world axes.";
            (docs, 6)
        }
    };
    let inverse_dynamics = emission.function("inverse_dynamics").map_or(quote!(), |function| {
        let (n_v, n_z) = (s.n_v, s.n_z);
        let docs = format!(
            "τ = M a − Q: the generalised forces that accelerations `a` take beyond the loads that inputs `u` and states `z` apply; \
             loads of rows, Gᵀλ, are not taken off: {}.",
            function.counts
        );
        let call = emission.call(function, &with_accelerations, &[quote!(&mut forces)]);
        let (states, unread) = match emission.states_place() {
            true => (quote!(), quote!(let _ = u;)),
            false => (quote!(z: &[f64; #n_z],), quote!(let _ = (u, z);)),
        };
        quote! {
            #[doc = #docs]
            pub fn inverse_dynamics(&self, a: &[f64; #n_v], u: &Inputs, #states) -> [f64; #n_v] {
                let u = &u.to_array();
                #unread
                let mut forces = [0.0; #n_v];
                #call;
                forces
            }
        }
    });
    let (twist, dimension) = if emission.is_spatial() { (6, 3) } else { (3, 2) };
    let all = [
        get("coordinate_rates", "q̇ = N(q) v.", &[s.n_q]),
        get("body_jacobian_rates", "Time derivatives of `body_jacobians`.", &[twist * s.n_bodies, s.n_v]),
        get("marker_jacobian_rates", "Time derivatives of `marker_jacobians`.", &[dimension * s.n_markers, s.n_v]),
        get("velocity_residuals", "ψ = G v − ν.", &[s.n_velocity]),
        get("gamma", "γ of G a = γ.", &[s.n_c]),
        get("momentum", momentum, &[components]),
    ];
    let coordinate_accelerations = emission.function("coordinate_accelerations").map_or(quote!(), |function| {
        let (n_q, n_v) = (s.n_q, s.n_v);
        let docs = format!("q̈ = N(q) a + Ṅ v at accelerations `a`: {}.", function.counts);
        let call = emission.call(function, &with_accelerations, &[quote!(&mut accelerations)]);
        quote! {
            #[doc = #docs]
            pub fn coordinate_accelerations(&self, a: &[f64; #n_v]) -> [f64; #n_q] {
                let mut accelerations = [0.0; #n_q];
                #call;
                accelerations
            }
        }
    });
    quote!(#inverse_dynamics #coordinate_accelerations #(#all)*)
}
