//! The stage of time and coordinates.

use proc_macro2::TokenStream;
use quote::quote;

use super::lazy::{Lazy, Quantities};
use super::rows::{rows, solve};
use super::{computed_slots, products};
use crate::emit::flat::{self, Items};
use crate::emit::{Emission, hessians};
use mbs_compiler::program::Input;

/// The argument of a kernel for an input, in methods of the stage.
fn argument(input: Input) -> TokenStream {
    match input {
        Input::Prepared => quote!(&self.mechanism.prepared),
        Input::Params => quote!(&self.mechanism.params),
        Input::Time => quote!(self.t),
        Input::Coordinates => quote!(self.q),
        Input::Auxiliary => quote!(self.z),
        Input::Slots(_) => quote!(&self.values().0),
        Input::Forces => quote!(f),
        Input::Targets => quote!(g),
        _ => unreachable!("a position kernel reads positions"),
    }
}

/// The stage type `Position`.
pub fn position(emission: &Emission<'_>) -> TokenStream {
    let s = emission.sizes();
    let (n_q, n_v, n_z) = (s.n_q, s.n_v, s.n_z);
    let empty = super::velocity::quantities(emission).empty();
    let quantities = quantities(emission);
    let getters = quantities.methods();
    let (structure, values) = (structure(emission, &quantities), values(emission));
    let products = products::products(emission, &argument);
    let hessian = (!emission.reads_speeds()).then(|| hessians::constraint_hessian(emission));
    let fallback_z = emission.if_positions_read_states(quote!(self.z,));
    let fallback = quote!(self.mechanism.fallback_solve(row, self.t, self.q, #fallback_z x, mu));
    let solve = (!emission.reads_speeds()).then(|| solve(emission, &argument, &fallback));
    let root = &emission.paths.root;
    let z = emission.if_positions_read_states(quote! {
        /// Auxiliary states.
        pub fn z(&self) -> &'a [f64; #n_z] {
            self.z
        }
    });
    quote! {
        #structure

        impl<'a> Position<'a> {
            #values

            /// Time \[s\].
            pub fn t(&self) -> f64 {
                self.t
            }

            /// Coordinates.
            pub fn q(&self) -> &'a [f64; #n_q] {
                self.q
            }

            #z

            /// The next stage, with speeds.
            #[inline]
            pub fn at_velocity<'b>(&'b self, v: &'b [f64; #n_v]) -> Velocity<'b> {
                Velocity { position: self, v, values: #root::StageValues::new(), #empty }
            }

            #solve

            #hessian

            #products

            #getters
        }
    }
}

/// The type and the number of values that it stores.
fn structure(emission: &Emission<'_>, quantities: &Quantities) -> TokenStream {
    let (name, s) = (emission.name(), emission.sizes());
    let (n_q, n_z, slots) = (s.n_q, s.n_z, emission.slots("position"));
    let root = &emission.paths.root;
    let field = emission.if_positions_read_states(quote!(z: &'a [f64; #n_z],));
    let docs = match emission.reads_speeds() {
        true => "Everything that depends on time and coordinates.",
        false => "Everything that depends on time and coordinates, with the factorisation of [M Gᵀ; G 0].",
    };
    let cells = quantities.fields();
    quote! {
        /// Number of values that a position stage stores.
        #[doc(hidden)]
        pub const N_POSITION_SLOTS: usize = #slots;

        #[doc = #docs]
        #[derive(Clone, Debug)]
        pub struct Position<'a> {
            mechanism: &'a #name,
            t: f64,
            q: &'a [f64; #n_q],
            #field
            values: #root::StageValues<N_POSITION_SLOTS>,
            #cells
        }
    }
}

/// Methods that compute the values that the stage stores.
fn values(emission: &Emission<'_>) -> TokenStream {
    let s = emission.sizes();
    let (n_q, n_z) = (s.n_q, s.n_z);
    let argument = |input: Input| match input {
        Input::Prepared => quote!(&mechanism.prepared),
        Input::Params => quote!(&mechanism.params),
        Input::Time => quote!(t),
        Input::Auxiliary => quote!(z),
        _ => quote!(q),
    };
    let row = computed_slots(emission, "position", &argument);
    let name = emission.name();
    let parameter = emission.if_positions_read_states(quote!(z: &[f64; #n_z],));
    let [own, z, bind] =
        [quote!(self.z,), quote!(z,), quote!(let z = self.z;)].map(|z| emission.if_positions_read_states(z));
    quote! {
        #[inline]
        fn fill(
            mechanism: &#name,
            t: f64,
            q: &[f64; #n_q],
            #parameter
            slots: &mut [f64; N_POSITION_SLOTS],
        ) -> ::core::option::Option<usize> {
            let _ = (mechanism, t, q, #z &*slots);
            #row
        }

        /// The factorisation and what else later functions read, with the row whose pivot vanishes.
        #[inline]
        fn values(&self) -> &([f64; N_POSITION_SLOTS], ::core::option::Option<usize>) {
            self.values.get(|slots| Position::fill(self.mechanism, self.t, self.q, #own slots))
        }

        /// Computes `values` in place, unless they are known.
        #[inline]
        fn factorise(&mut self) {
            let (mechanism, t, q) = (self.mechanism, self.t, self.q);
            #bind
            self.values.compute(|slots| Position::fill(mechanism, t, q, #z slots));
        }
    }
}

/// Quantities that the stage computes on request.
pub fn quantities(emission: &Emission<'_>) -> Quantities {
    let s = emission.sizes();
    let n_v = s.n_v;
    let array = |kernel: &str, docs: &str, shape: &[usize]| Lazy::array(emission, kernel, docs, shape, &argument);
    let phi = "Φ: first end minus second, left minus right.";
    let dimension = if emission.is_spatial() { 3 } else { 2 };
    let points = "Jacobians of drawn markers, in their order: for each the components of its velocity, world axes.";
    let mut all = Quantities::default();
    all.extend(array("position_residuals", phi, &[s.n_position]));
    if !emission.reads_speeds() {
        all.append(rows(emission, &argument));
    }
    // Two copies would take as long as the kernel.
    all.extend(array("mass_matrix", "M, n_v × n_v, symmetric.", &[n_v, n_v]).map(Lazy::recomputed));
    all.extend(array("marker_jacobians", points, &[dimension * s.n_markers, n_v]));
    all.extend(array("center_of_mass", "World position \\[m\\] of the centre of mass.", &[dimension]));
    all.extend(array("center_of_mass_jacobian", "Jacobian of the centre of mass, world axes.", &[dimension, n_v]));
    all.extend(array("gravity_forces", "Generalised forces of weight.", &[n_v]));
    if emission.is_spatial() {
        let twists =
            "Twist Jacobians: for each body the rows v_x, v_y, v_z of its origin and ω_x, ω_y, ω_z, world axes.";
        all.extend(poses(emission));
        all.extend(array("marker_positions", "World positions \\[m\\] of drawn markers.", &[s.n_markers, 3]));
        all.extend(array("body_jacobians", twists, &[6 * s.n_bodies, n_v]));
    } else {
        let twists = "Twist Jacobians: for each body the rows v_x, v_y of its origin and ω.";
        all.extend(array("poses", "x, y \\[m\\] and θ \\[rad\\] of each body frame.", &[s.n_bodies, 3]));
        all.extend(array("marker_positions", "World positions x, y \\[m\\] of drawn markers.", &[s.n_markers, 2]));
        all.extend(array("body_jacobians", twists, &[3 * s.n_bodies, n_v]));
    }
    all
}

/// Poses in space, as positions and quaternions.
fn poses(emission: &Emission<'_>) -> Option<Lazy> {
    let root = &emission.paths.root;
    let n_bodies = emission.sizes().n_bodies;
    let Items { size: chunk, pattern, value } = flat::poses(emission);
    let value = quote! {
        let mut poses = [#root::Pose { position: [0.0; 3], attitude: [1.0, 0.0, 0.0, 0.0] }; #n_bodies];
        for (pose, flat) in poses.iter_mut().zip(flat.chunks_exact(#chunk)) {
            if let #pattern = *flat {
                *pose = #value;
            }
        }
        poses
    };
    let docs = "Origin \\[m\\] and attitude of each body frame, world axes:";
    Lazy::new(emission, "poses", docs, &argument, chunk * n_bodies, quote!([#root::Pose; #n_bodies]), value)
}
