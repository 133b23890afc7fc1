//! Stages as types: `Position`, `Velocity`, `Motion`, each borrowing the one before.

use proc_macro2::TokenStream;
use quote::quote;

use super::Emission;
use crate::program::{Function, Input, Role};

/// The stage types and the inherent kernels.
pub fn emit(emission: &Emission<'_>) -> TokenStream {
    let fused = fused(emission);
    let position = position(emission);
    let velocity = velocity(emission);
    let motion = motion(emission);
    let inverse = super::inverse::emit(emission);
    let fallback = super::fallback::emit(emission);
    quote!(#fused #position #velocity #motion #inverse #fallback)
}

/// Arguments inside `impl Mechanism`: plain names.
pub(super) fn plain(input: Input) -> TokenStream {
    match input {
        Input::Parameters => quote!(&self.params.to_array()),
        Input::Prepared => quote!(&self.prepared),
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
    }
}

/// The failing row of a call of a checked function, `None` of others.
pub(super) fn failing_row(function: &Function, call: TokenStream) -> TokenStream {
    if function.is_checked() { call } else { quote!({ #call; ::core::option::Option::<usize>::None }) }
}

fn fused(emission: &Emission<'_>) -> TokenStream {
    let root = &emission.paths.root;
    let name = emission.name();
    let s = emission.sizes();
    let (n, n_c, n_z) = (s.n, s.n_c, s.n_z);
    let function = emission.function("accelerations").expect("every mechanism has accelerations");
    let docs = format!(
        "Accelerations and multipliers in one fused kernel: {}.\n\nM a + Gᵀ λ = Q, G a = γ.\n\n# Errors\n`Singular` with the row \
         whose pivot vanishes, `NotFinite` if a result is not finite.",
        function.counts
    );
    let call = emission.call(function, &plain, &[quote!(&mut motion.a), quote!(&mut motion.lambda)]);
    let row = failing_row(function, call);
    quote! {
        /// Accelerations a and multipliers λ.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct Accelerations {
            /// Accelerations.
            pub a: [f64; #n],
            /// Multipliers: M a + Gᵀ λ = Q.
            pub lambda: [f64; #n_c],
        }

        impl #name {
            #[doc = #docs]
            #[inline]
            pub fn accelerations(
                &self,
                t: f64,
                q: &[f64; #n],
                v: &[f64; #n],
                u: &Inputs,
                z: &[f64; #n_z],
            ) -> ::core::result::Result<Accelerations, #root::Error> {
                let mut motion = Accelerations { a: [0.0; #n], lambda: [0.0; #n_c] };
                self.accelerations_into(t, q, v, &u.to_array(), z, &mut motion)?;
                ::core::result::Result::Ok(motion)
            }

            #[inline]
            fn accelerations_into(
                &self,
                t: f64,
                q: &[f64; #n],
                v: &[f64; #n],
                u: &[f64; NU],
                z: &[f64; #n_z],
                motion: &mut Accelerations,
            ) -> ::core::result::Result<(), #root::Error> {
                let row: ::core::option::Option<usize> = #row;
                if let ::core::option::Option::Some(row) = row {
                    self.fallback_accelerations(row, t, q, v, u, z, motion)?;
                }
                if #root::all_finite(&motion.a) && #root::all_finite(&motion.lambda) {
                    ::core::result::Result::Ok(())
                } else {
                    ::core::result::Result::Err(#root::Error::NotFinite { t })
                }
            }

            /// Everything that depends on time and coordinates alone, computed once.
            #[inline]
            pub fn at_position<'a>(&'a self, t: f64, q: &'a [f64; #n]) -> Position<'a> {
                let mut position = Position { mechanism: self, t, q, slots: [0.0; N_POSITION_SLOTS], singular: ::core::option::Option::None };
                position.fill();
                position
            }
        }
    }
}

/// A nullary kernel as a method of a stage: arrays in, arrays out.
fn getter(
    emission: &Emission<'_>,
    kernel: &str,
    method: &str,
    docs: &str,
    shape: &[usize],
    argument: &dyn Fn(Input) -> TokenStream,
) -> TokenStream {
    let Some(function) = emission.function(kernel) else { return quote!() };
    let method = quote::format_ident!("{}", method);
    let size: usize = shape.iter().product();
    let call = emission.call(function, argument, &[quote!(&mut flat)]);
    let docs = format!("{docs} {}.", function.counts);
    let (ty, value) = match shape {
        [rows, columns] => (
            quote!([[f64; #columns]; #rows]),
            quote! {{
                let mut matrix = [[0.0; #columns]; #rows];
                for (row, chunk) in matrix.iter_mut().zip(flat.chunks_exact(#columns.max(1))) {
                    row.copy_from_slice(chunk);
                }
                matrix
            }},
        ),
        _ => (quote!([f64; #size]), quote!(flat)),
    };
    quote! {
        #[doc = #docs]
        pub fn #method(&self) -> #ty {
            let mut flat = [0.0; #size];
            #call;
            #value
        }
    }
}

fn position(emission: &Emission<'_>) -> TokenStream {
    let root = &emission.paths.root;
    let name = emission.name();
    let s = emission.sizes();
    let (n, n_c) = (s.n, s.n_c);
    let slots = emission.slots("position");
    let argument = |input: Input| match input {
        Input::Prepared => quote!(&self.mechanism.prepared),
        Input::Time => quote!(self.t),
        Input::Coordinates => quote!(self.q),
        Input::Slots(_) => quote!(&self.slots),
        Input::Forces => quote!(f),
        Input::Targets => quote!(g),
        _ => unreachable!("a position kernel reads positions"),
    };
    let fill = emission.function("position").map_or(quote!(), |function| {
        let outputs = filled(function, &quote!(&mut self.slots));
        let call = position_call(emission, function, &outputs);
        if function.is_checked() { quote!(self.singular = #call;) } else { quote!(#call;) }
    });
    let solve = emission.function("solve").expect("every mechanism has a solve");
    let solve_call = emission.call(solve, &argument, &[quote!(x), quote!(mu)]);
    let solve_docs = format!(
        "Solves M x + Gᵀ μ = f, G x = g with this stage's factorisation: {}.\n\n# Errors\n`Singular` with the row whose pivot \
         vanishes.",
        solve.counts
    );
    let get = |kernel: &str, method: &str, docs: &str, shape: &[usize]| {
        getter(emission, kernel, method, docs, shape, &argument)
    };
    let getters = [
        get(
            "position_residuals",
            "position_residuals",
            "Φ: first end minus second, left minus right.",
            &[s.n_position],
        ),
        get("constraint_jacobian", "constraint_jacobian", "G, n_c × n_v.", &[n_c, n]),
        get("nu", "nu", "ν of G v = ν.", &[s.n_velocity]),
        get("mass_matrix", "mass_matrix", "M, n_v × n_v, symmetric.", &[n, n]),
        get("poses", "poses", "x, y \\[m\\] and θ \\[rad\\] of each body frame.", &[s.n_bodies, 3]),
        get(
            "marker_positions",
            "marker_positions",
            "World positions x, y \\[m\\] of drawn markers.",
            &[s.n_markers, 2],
        ),
        get(
            "body_jacobians",
            "body_jacobians",
            "Twist Jacobians: for each body the rows v_x, v_y of its origin and ω.",
            &[3 * s.n_bodies, n],
        ),
    ];
    quote! {
        /// Values a position stage stores.
        #[doc(hidden)]
        pub const N_POSITION_SLOTS: usize = #slots;

        /// Everything that depends on time and coordinates: the factorisation of [M Gᵀ; G 0] included.
        #[derive(Clone, Debug)]
        pub struct Position<'a> {
            mechanism: &'a #name,
            t: f64,
            q: &'a [f64; #n],
            slots: [f64; N_POSITION_SLOTS],
            singular: ::core::option::Option<usize>,
        }

        impl<'a> Position<'a> {
            #[inline(always)]
            fn fill(&mut self) {
                #fill
            }

            /// Time \[s\].
            pub fn t(&self) -> f64 {
                self.t
            }

            /// Coordinates.
            pub fn q(&self) -> &'a [f64; #n] {
                self.q
            }

            /// Adds speeds.
            #[inline]
            pub fn at_velocity<'b>(&'b self, v: &'b [f64; #n]) -> Velocity<'b> {
                let mut velocity = Velocity { position: self, v, slots: [0.0; N_VELOCITY_SLOTS] };
                velocity.fill();
                velocity
            }

            #[doc = #solve_docs]
            #[inline]
            pub fn solve(
                &self,
                f: &[f64; #n],
                g: &[f64; #n_c],
                x: &mut [f64; #n],
                mu: &mut [f64; #n_c],
            ) -> ::core::result::Result<(), #root::Error> {
                match self.singular {
                    ::core::option::Option::None => {
                        #solve_call;
                        ::core::result::Result::Ok(())
                    }
                    ::core::option::Option::Some(row) => {
                        x.copy_from_slice(f);
                        mu.copy_from_slice(g);
                        self.mechanism.fallback_solve(row, self.t, self.q, x, mu)
                    }
                }
            }

            #(#getters)*
        }
    }
}

/// Output arrays of a stage function: its slots.
fn filled(function: &Function, slots: &TokenStream) -> Vec<TokenStream> {
    function.outputs.iter().filter(|o| matches!(o.role, Role::Slots(_))).map(|_| slots.clone()).collect()
}

fn position_call(emission: &Emission<'_>, function: &Function, outputs: &[TokenStream]) -> TokenStream {
    let argument = |input: Input| match input {
        Input::Prepared => quote!(&self.mechanism.prepared),
        Input::Time => quote!(self.t),
        _ => quote!(self.q),
    };
    emission.call(function, &argument, outputs)
}

fn velocity(emission: &Emission<'_>) -> TokenStream {
    let root = &emission.paths.root;
    let s = emission.sizes();
    let (n, n_c, n_z) = (s.n, s.n_c, s.n_z);
    let slots = emission.slots("velocity");
    let argument = |input: Input| match input {
        Input::Prepared => quote!(&self.position.mechanism.prepared),
        Input::Time => quote!(self.position.t),
        Input::Coordinates => quote!(self.position.q),
        Input::Speeds => quote!(self.v),
        Input::Slots(crate::graph::Stage::Position) => quote!(&self.position.slots),
        Input::Slots(_) => quote!(&self.slots),
        Input::Inputs => quote!(u),
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
    let get = |kernel: &str, method: &str, docs: &str, shape: &[usize]| {
        getter(emission, kernel, method, docs, shape, &argument)
    };
    let getters = [
        get("velocity_residuals", "velocity_residuals", "ψ = G v − ν.", &[s.n_velocity]),
        get("gamma", "gamma", "γ of G a = γ.", &[n_c]),
        get("momentum", "momentum", "Linear momentum x, y and angular momentum about the world origin.", &[3]),
    ];
    quote! {
        /// Values a velocity stage stores.
        #[doc(hidden)]
        pub const N_VELOCITY_SLOTS: usize = #slots;

        /// Everything that depends on speeds beside.
        #[derive(Clone, Debug)]
        pub struct Velocity<'a> {
            position: &'a Position<'a>,
            v: &'a [f64; #n],
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
            pub fn v(&self) -> &'a [f64; #n] {
                self.v
            }

            #[doc = #docs]
            #[inline]
            pub fn accelerate<'b>(
                &'b self,
                u: &Inputs,
                z: &'b [f64; #n_z],
            ) -> ::core::result::Result<Motion<'b>, #root::Error> {
                let inputs = u.to_array();
                let mut motion = Accelerations { a: [0.0; #n], lambda: [0.0; #n_c] };
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

            #(#getters)*
        }
    }
}

fn motion(emission: &Emission<'_>) -> TokenStream {
    let s = emission.sizes();
    let (n, n_c, n_z) = (s.n, s.n_c, s.n_z);
    let argument = |input: Input| match input {
        Input::Prepared => quote!(&self.velocity.position.mechanism.prepared),
        Input::Time => quote!(self.velocity.position.t),
        Input::Coordinates => quote!(self.velocity.position.q),
        Input::Speeds => quote!(self.velocity.v),
        Input::Auxiliary => quote!(self.z),
        Input::Inputs => quote!(&self.u),
        Input::Accelerations => quote!(&self.a),
        Input::Multipliers => quote!(&self.lambda),
        _ => unreachable!("a report reads the state"),
    };
    let get = |kernel: &str, method: &str, docs: &str, shape: &[usize]| {
        getter(emission, kernel, method, docs, shape, &argument)
    };
    let forces =
        get("generalized_forces", "generalized_forces", "Q: applied loads and velocity-quadratic terms.", &[n]);
    let rates = get("auxiliary_rates", "auxiliary_rates", "ż.", &[s.n_z]);
    let energy = emission.function("energy").map_or(quote!(), |function| {
        let root = &emission.paths.root;
        let call = emission.call(function, &argument, &[quote!(&mut flat)]);
        quote! {
            /// Kinetic and potential energy \[J\].
            pub fn energy(&self) -> #root::Energy {
                let mut flat = [0.0; 2];
                #call;
                let [kinetic, potential] = flat;
                #root::Energy { kinetic, potential }
            }
        }
    });
    let force_energies = emission.function("force_energies").filter(|_| s.n_forces > 0).map_or(quote!(), |function| {
        let n_forces = s.n_forces;
        let call = emission.call(function, &argument, &[quote!(&mut potentials), quote!(&mut powers)]);
        quote! {
            /// Potential energy \[J\] and power \[W\] of each force, in declaration order.
            pub fn force_energies(&self) -> ([f64; #n_forces], [f64; #n_forces]) {
                let (mut potentials, mut powers) = ([0.0; #n_forces], [0.0; #n_forces]);
                #call;
                (potentials, powers)
            }
        }
    });
    let structured = |kernel: &str, method: &str, ty: &str, docs: &str| {
        let Some(function) = emission.function(kernel) else { return quote!() };
        let (method, ty) = (quote::format_ident!("{}", method), quote::format_ident!("{}", ty));
        let size = function.outputs.first().map_or(0, |o| o.values.len());
        let call = emission.call(function, &argument, &[quote!(&mut flat)]);
        quote! {
            #[doc = #docs]
            pub fn #method(&self) -> #ty {
                let mut flat = [0.0; #size];
                #call;
                #ty::from_array(&flat)
            }
        }
    };
    let reactions = emission.function("reactions").map_or(quote!(), |function| {
        let size = function.outputs.first().map_or(0, |o| o.values.len());
        let docs = format!("What joints exert on the bodies of their second ends: {}.", function.counts);
        let call = emission.call(function, &argument, &[quote!(&mut flat)]);
        quote! {
            #[doc = #docs]
            pub fn reactions(&self) -> Reactions {
                let mut flat = [0.0; #size];
                #call;
                Reactions::from_flat(&flat)
            }
        }
    });
    let outputs = structured("outputs", "outputs", "Outputs", "Outputs.");
    let output_rates = if super::data::has_output_rates(emission) {
        structured("output_rates", "output_rates", "OutputRates", "Rates of the outputs.")
    } else {
        quote!()
    };
    quote! {
        /// A state with its accelerations and multipliers.
        #[derive(Clone, Debug)]
        pub struct Motion<'a> {
            velocity: &'a Velocity<'a>,
            u: [f64; NU],
            z: &'a [f64; #n_z],
            /// Accelerations.
            pub a: [f64; #n],
            /// Multipliers: M a + Gᵀ λ = Q.
            pub lambda: [f64; #n_c],
        }

        impl<'a> Motion<'a> {
            /// The stage before.
            pub fn velocity(&self) -> &'a Velocity<'a> {
                self.velocity
            }

            #forces
            #rates
            #energy
            #force_energies
            #reactions
            #outputs
            #output_rates
        }
    }
}
