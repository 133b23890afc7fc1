//! The stage of speeds.

use proc_macro2::TokenStream;
use quote::quote;

use super::computed_slots;
use super::lazy::{Lazy, Quantities};
use super::rows::{rows, solve};
use crate::emit::{Emission, hessians};
use mbs_compiler::program::Input;

/// The argument of a kernel for an input, in methods of the stage.
fn argument(emission: &Emission<'_>, input: Input) -> TokenStream {
    match input {
        Input::Prepared => quote!(&self.position.mechanism.prepared),
        Input::Params => quote!(&self.position.mechanism.params),
        Input::Time => quote!(self.position.t),
        Input::Coordinates => quote!(self.position.q),
        Input::Speeds => quote!(self.v),
        Input::Slots(mbs_compiler::graph::Stage::Position) => quote!(&self.position.values().0),
        Input::Slots(_) => quote!(&self.values().0),
        Input::Inputs => quote!(u),
        Input::Auxiliary if emission.positions_read_states() => quote!(self.position.z),
        Input::Auxiliary => quote!(z),
        Input::Forces => quote!(f),
        Input::Targets => quote!(g),
        _ => unreachable!("a velocity kernel reads positions and speeds"),
    }
}

/// The stage type `Velocity`.
pub fn velocity(emission: &Emission<'_>) -> TokenStream {
    let n_v = emission.sizes().n_v;
    let argument = |input: Input| argument(emission, input);
    let quantities = quantities(emission);
    let getters = quantities.methods();
    let structure = structure(emission, &quantities);
    let (values, accelerate) = (values(emission), accelerate(emission, &argument));
    let operators = acceleration_operators(emission, &argument);
    let states = emission.if_positions_read_states(quote!(position.z,));
    let fallback = quote! {
        let position = self.position;
        position.mechanism.fallback_solve(row, position.t, position.q, self.v, #states x, mu)
    };
    let hessian = emission.reads_speeds().then(|| hessians::constraint_hessian(emission));
    let solve = emission.reads_speeds().then(|| solve(emission, &argument, &fallback));
    quote! {
        #structure

        impl<'a> Velocity<'a> {
            #values

            /// The previous stage.
            pub fn position(&self) -> &'a Position<'a> {
                self.position
            }

            /// Speeds.
            pub fn v(&self) -> &'a [f64; #n_v] {
                self.v
            }

            #accelerate

            #operators

            #solve

            #hessian

            #getters
        }
    }
}

/// The type and the number of values that it stores.
fn structure(emission: &Emission<'_>, quantities: &Quantities) -> TokenStream {
    let (n_v, slots) = (emission.sizes().n_v, emission.slots("velocity"));
    let root = &emission.paths.root;
    let docs = match emission.reads_speeds() {
        true => {
            "Everything that depends on speeds as well, with the factorisation of [M Gᵀ; G 0], since G depends on them."
        }
        false => "Everything that depends on speeds as well.",
    };
    let cells = quantities.fields();
    quote! {
        /// Number of values that a velocity stage stores.
        #[doc(hidden)]
        pub const N_VELOCITY_SLOTS: usize = #slots;

        #[doc = #docs]
        #[derive(Clone, Debug)]
        pub struct Velocity<'a> {
            position: &'a Position<'a>,
            v: &'a [f64; #n_v],
            values: #root::StageValues<N_VELOCITY_SLOTS>,
            #cells
        }
    }
}

/// Methods that compute the values that the stage stores.
fn values(emission: &Emission<'_>) -> TokenStream {
    let n_v = emission.sizes().n_v;
    let argument = |input: Input| match input {
        Input::Prepared => quote!(&position.mechanism.prepared),
        Input::Params => quote!(&position.mechanism.params),
        Input::Time => quote!(position.t),
        Input::Coordinates => quote!(position.q),
        Input::Speeds => quote!(v),
        Input::Slots(_) => quote!(&position.values().0),
        _ => quote!(position.z),
    };
    let row = computed_slots(emission, "velocity", &argument);
    let factorise = emission.if_reads_speeds(quote! {
        /// Computes `values` in place, unless they are known.
        #[inline]
        fn factorise(&mut self) {
            let (position, v) = (self.position, self.v);
            self.values.compute(|slots| Velocity::fill(position, v, slots));
        }
    });
    quote! {
        #[inline]
        fn fill(
            position: &Position<'_>,
            v: &[f64; #n_v],
            slots: &mut [f64; N_VELOCITY_SLOTS],
        ) -> ::core::option::Option<usize> {
            let _ = (position, v, &*slots);
            #row
        }

        /// Values that later functions read, with the row whose pivot vanishes.
        #[inline]
        fn values(&self) -> &([f64; N_VELOCITY_SLOTS], ::core::option::Option<usize>) {
            self.values.get(|slots| Velocity::fill(self.position, self.v, slots))
        }

        #factorise
    }
}

/// The method that computes the next stage, `Motion`.
fn accelerate(emission: &Emission<'_>, argument: &dyn Fn(Input) -> TokenStream) -> TokenStream {
    let (root, s) = (&emission.paths.root, emission.sizes());
    let (n_v, n_c, n_z) = (s.n_v, s.n_c, s.n_z);
    let function = emission.function("accelerate").expect("every mechanism has accelerations");
    let call = emission.call(function, argument, &[quote!(a), quote!(lambda)]);
    let docs = format!(
        "Accelerations and multipliers: {}.\n\n# Errors\n`Singular` with the row whose pivot vanishes.",
        function.counts
    );
    let empty = super::motion::quantities(emission).empty();
    let failed = if emission.reads_speeds() { quote!(self.values().1) } else { quote!(self.position.values().1) };
    let (states, z) = match emission.positions_read_states() {
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
                    let (u, a, lambda) = (&inputs, &mut motion.a, &mut motion.lambda);
                    #call;
                }
                ::core::option::Option::Some(row) => {
                    let position = self.position;
                    position.mechanism.fallback_accelerations(
                        row, position.t, position.q, self.v, &inputs, z, &mut motion.a, &mut motion.lambda,
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

/// Methods of operators that take accelerations: inverse dynamics, residuals of accelerations, q̈.
fn acceleration_operators(emission: &Emission<'_>, argument: &dyn Fn(Input) -> TokenStream) -> TokenStream {
    let s = emission.sizes();
    let with_accelerations = |input: Input| match input {
        Input::Accelerations => quote!(a),
        other => argument(other),
    };
    let method = |kernel: &str, docs: &str, size: usize| {
        let Some(function) = emission.function(kernel) else { return quote!() };
        let (n_v, n_z) = (s.n_v, s.n_z);
        let docs = format!("{docs}: {}.", function.counts);
        let name = quote::format_ident!("{}", kernel);
        let call = emission.call(function, &with_accelerations, &[quote!(&mut values)]);
        let (states, unread) = match emission.positions_read_states() {
            true => (quote!(), quote!(let _ = u;)),
            false => (quote!(z: &[f64; #n_z],), quote!(let _ = (u, z);)),
        };
        quote! {
            #[doc = #docs]
            pub fn #name(&self, a: &[f64; #n_v], u: &Inputs, #states) -> [f64; #size] {
                let u = &u.to_array();
                #unread
                let mut values = [0.0; #size];
                #call;
                values
            }
        }
    };
    let inverse_dynamics = method(
        "inverse_dynamics",
        "τ = M a − Q: the generalised forces that accelerations `a` need in addition to the loads that inputs `u` and states `z` apply; \
         constraint forces Gᵀλ are not subtracted",
        s.n_v,
    );
    let residuals = method("acceleration_residuals", "G a − γ: the residuals of the rows at accelerations `a`", s.n_c);
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
    let array = |kernel: &str, docs: &str, shape: &[usize]| Lazy::array(emission, kernel, docs, shape, &argument);
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
    all.extend(array("coordinate_rates", "q̇ = N(q) v.", &[s.n_q]));
    all.extend(array("body_jacobian_rates", "Time derivatives of `body_jacobians`.", &[twist * s.n_bodies, s.n_v]));
    all.extend(array(
        "marker_jacobian_rates",
        "Time derivatives of `marker_jacobians`.",
        &[dimension * s.n_markers, s.n_v],
    ));
    all.extend(array("velocity_residuals", "ψ = G v − ν.", &[s.n_velocity]));
    if !emission.gamma_has_inputs() {
        all.extend(array("gamma", "γ of G a = γ.", &[s.n_c]));
    }
    all.extend(array("momentum", momentum, &[components]));
    all
}
