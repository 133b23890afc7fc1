//! The stage of speeds.

use proc_macro2::TokenStream;
use quote::quote;

use super::filled;
use super::lazy::{Lazy, Quantities};
use super::rows::{rows, solve};
use crate::emit::{Emission, hessians};
use mbs_compiler::program::Input;

/// Arguments of its kernels.
fn argument(emission: &Emission<'_>, input: Input) -> TokenStream {
    match input {
        Input::Prepared => quote!(&self.position.mechanism.prepared),
        Input::Params => quote!(&self.position.mechanism.params),
        Input::Time => quote!(self.position.t),
        Input::Coordinates => quote!(self.position.q),
        Input::Speeds => quote!(self.v),
        Input::Slots(mbs_compiler::graph::Stage::Position) => quote!(&self.position.slots),
        Input::Slots(_) => quote!(&self.slots),
        Input::Inputs => quote!(u),
        Input::Auxiliary if emission.states_place() => quote!(self.position.z),
        Input::Auxiliary => quote!(z),
        Input::Forces => quote!(f),
        Input::Targets => quote!(g),
        _ => unreachable!("a velocity kernel reads positions and speeds"),
    }
}

/// `Velocity`.
pub fn velocity(emission: &Emission<'_>) -> TokenStream {
    let n_v = emission.sizes().n_v;
    let argument = |input: Input| argument(emission, input);
    let quantities = quantities(emission);
    let getters = quantities.methods();
    let structure = structure(emission, &quantities);
    let (fill, accelerate) = (fill(emission), accelerate(emission, &argument));
    let given = given(emission, &argument);
    let place = emission.if_states_place(quote!(position.z,));
    let fallback = quote! {
        let position = self.position;
        position.mechanism.fallback_solve(row, position.t, position.q, self.v, #place x, mu)
    };
    let hessian = emission.reads_speeds().then(|| hessians::contracted(emission));
    let solve = emission.reads_speeds().then(|| solve(emission, &argument, &fallback));
    quote! {
        #structure

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

            #accelerate

            #given

            #solve

            #hessian

            #getters
        }
    }
}

/// The type and the number of values that it stores.
fn structure(emission: &Emission<'_>, quantities: &Quantities) -> TokenStream {
    let (n_v, slots) = (emission.sizes().n_v, emission.slots("velocity"));
    let singular = emission.if_reads_speeds(quote!(singular: ::core::option::Option<usize>,));
    let docs = match emission.reads_speeds() {
        true => {
            "Everything that depends on speeds beside: the factorisation of [M Gᵀ; G 0] included, since G depends on them."
        }
        false => "Everything that depends on speeds beside.",
    };
    let kept = quantities.fields();
    quote! {
        /// Values a velocity stage stores.
        #[doc(hidden)]
        pub const N_VELOCITY_SLOTS: usize = #slots;

        #[doc = #docs]
        #[derive(Clone, Debug)]
        pub struct Velocity<'a> {
            position: &'a Position<'a>,
            v: &'a [f64; #n_v],
            slots: [f64; N_VELOCITY_SLOTS],
            #singular
            #kept
        }
    }
}

/// Statements that compute what the stage stores.
fn fill(emission: &Emission<'_>) -> TokenStream {
    let fill_argument = |input: Input| match input {
        Input::Slots(_) => quote!(&self.position.slots),
        other => argument(emission, other),
    };
    emission.function("velocity").filter(|f| !f.outputs.is_empty() || f.is_checked()).map_or(quote!(), |function| {
        let call = emission.call(function, &fill_argument, &filled(function, &quote!(&mut self.slots)));
        if function.is_checked() { quote!(self.singular = #call;) } else { quote!(#call;) }
    })
}

/// The method that leads to `Motion`.
fn accelerate(emission: &Emission<'_>, argument: &dyn Fn(Input) -> TokenStream) -> TokenStream {
    let (root, s) = (&emission.paths.root, emission.sizes());
    let (n_v, n_c, n_z) = (s.n_v, s.n_c, s.n_z);
    let function = emission.function("accelerate").expect("every mechanism has accelerations");
    let call = emission.call(function, argument, &[quote!(&mut motion.a), quote!(&mut motion.lambda)]);
    let docs = format!(
        "Accelerations and multipliers: {}.\n\n# Errors\n`Singular` with the row whose pivot vanishes.",
        function.counts
    );
    let empty = super::motion::quantities(emission).empty();
    let failed = if emission.reads_speeds() { quote!(self.singular) } else { quote!(self.position.singular) };
    let (states, z) = match emission.states_place() {
        true => (quote!(), quote!(let z = self.position.z;)),
        false => (quote!(z: &'b [f64; #n_z],), quote!()),
    };
    quote! {
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
            match #failed {
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
            ::core::result::Result::Ok(Motion { velocity: self, u: inputs, z, accelerations: motion, #empty })
        }
    }
}

/// Methods of the stage that take accelerations or loads.
fn given(emission: &Emission<'_>, argument: &dyn Fn(Input) -> TokenStream) -> TokenStream {
    let s = emission.sizes();
    let with_accelerations = |input: Input| match input {
        Input::Accelerations => quote!(a),
        other => argument(other),
    };
    let at_accelerations = |kernel: &str, docs: &str, size: usize| {
        let Some(function) = emission.function(kernel) else { return quote!() };
        let (n_v, n_z) = (s.n_v, s.n_z);
        let docs = format!("{docs}: {}.", function.counts);
        let method = quote::format_ident!("{}", kernel);
        let call = emission.call(function, &with_accelerations, &[quote!(&mut values)]);
        let (states, unread) = match emission.states_place() {
            true => (quote!(), quote!(let _ = u;)),
            false => (quote!(z: &[f64; #n_z],), quote!(let _ = (u, z);)),
        };
        quote! {
            #[doc = #docs]
            pub fn #method(&self, a: &[f64; #n_v], u: &Inputs, #states) -> [f64; #size] {
                let u = &u.to_array();
                #unread
                let mut values = [0.0; #size];
                #call;
                values
            }
        }
    };
    let inverse_dynamics = at_accelerations(
        "inverse_dynamics",
        "τ = M a − Q: the generalised forces that accelerations `a` take beyond the loads that inputs `u` and states `z` apply; loads \
         of rows, Gᵀλ, are not taken off",
        s.n_v,
    );
    let residuals =
        at_accelerations("acceleration_residuals", "G a − γ: by how much accelerations `a` miss each row", s.n_c);
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
    quote!(#inverse_dynamics #residuals #coordinate_accelerations)
}

/// Quantities that the stage computes on request.
pub fn quantities(emission: &Emission<'_>) -> Quantities {
    let s = emission.sizes();
    let argument = |input: Input| argument(emission, input);
    let get = |kernel: &str, docs: &str, shape: &[usize]| Lazy::array(emission, kernel, docs, shape, &argument);
    let (momentum, components) = match emission.is_spatial() {
        false => ("Linear momentum x, y and angular momentum about the world origin.", 3),
        true => {
            let docs = "Linear momentum \\[kg m/s\\] and angular momentum about the world origin \\[kg m²/s\\], x, y, z each, \
                        world axes.";
            (docs, 6)
        }
    };
    let (twist, dimension) = if emission.is_spatial() { (6, 3) } else { (3, 2) };
    let mut all = Quantities::default();
    if emission.reads_speeds() {
        all.append(rows(emission, &argument));
    }
    all.extend(get("coordinate_rates", "q̇ = N(q) v.", &[s.n_q]));
    all.extend(get("body_jacobian_rates", "Time derivatives of `body_jacobians`.", &[twist * s.n_bodies, s.n_v]));
    all.extend(get(
        "marker_jacobian_rates",
        "Time derivatives of `marker_jacobians`.",
        &[dimension * s.n_markers, s.n_v],
    ));
    all.extend(get("velocity_residuals", "ψ = G v − ν.", &[s.n_velocity]));
    if !emission.gamma_has_inputs() {
        all.extend(get("gamma", "γ of G a = γ.", &[s.n_c]));
    }
    all.extend(get("momentum", momentum, &[components]));
    all
}
