//! The stage of accelerations.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::lazy::{Lazy, Quantities};
use crate::emit::{Emission, data};
use mbs_compiler::program::Input;

/// Arguments of its kernels.
fn argument(input: Input) -> TokenStream {
    match input {
        Input::Prepared => quote!(&self.velocity.position.mechanism.prepared),
        Input::Params => quote!(&self.velocity.position.mechanism.params),
        Input::Time => quote!(self.velocity.position.t),
        Input::Coordinates => quote!(self.velocity.position.q),
        Input::Speeds => quote!(self.velocity.v),
        Input::Auxiliary => quote!(self.z),
        Input::Inputs => quote!(&self.u),
        Input::Accelerations => quote!(&self.accelerations.a),
        Input::Multipliers => quote!(&self.accelerations.lambda),
        _ => unreachable!("a report reads the state"),
    }
}

/// `Motion`.
pub fn motion(emission: &Emission<'_>) -> TokenStream {
    let n_z = emission.sizes().n_z;
    let quantities = quantities(emission);
    let (methods, kept) = (quantities.methods(), quantities.fields());
    quote! {
        /// A state with its accelerations `a` and multipliers `lambda`, which are fields of [`Accelerations`].
        #[derive(Clone, Debug)]
        pub struct Motion<'a> {
            velocity: &'a Velocity<'a>,
            u: [f64; NU],
            z: &'a [f64; #n_z],
            accelerations: Accelerations,
            #kept
        }

        /// For reading: what is reported follows from them.
        impl ::core::ops::Deref for Motion<'_> {
            type Target = Accelerations;

            #[inline]
            fn deref(&self) -> &Accelerations {
                &self.accelerations
            }
        }

        impl<'a> Motion<'a> {
            /// The stage before.
            pub fn velocity(&self) -> &'a Velocity<'a> {
                self.velocity
            }

            #methods
        }
    }
}

/// Quantities that the stage computes on request.
pub fn quantities(emission: &Emission<'_>) -> Quantities {
    let s = emission.sizes();
    let root = &emission.paths.root;
    let get = |kernel: &str, docs: &str, shape: &[usize]| Lazy::array(emission, kernel, docs, shape, &argument);
    let made = |kernel: &str, ty: &str, make: &str, docs: &str| {
        let size = emission.function(kernel)?.outputs.first().map_or(0, |o| o.values.len());
        let (ty, make) = (format_ident!("{}", ty), format_ident!("{}", make));
        Lazy::new(emission, (kernel, docs), &argument, (size, quote!(#ty), quote!(#ty::#make(&flat))))
    };
    let energy = quote! {
        let [kinetic, potential] = flat;
        #root::Energy { kinetic, potential }
    };
    let mut all = Quantities::default();
    all.extend(get("generalized_forces", "Q: applied loads and velocity-quadratic terms.", &[s.n_v]));
    if emission.gamma_has_inputs() {
        all.extend(get("gamma", "γ of G a = γ.", &[s.n_c]));
    }
    all.extend(get("auxiliary_rates", "ż.", &[s.n_states]));
    let docs = "Kinetic and potential energy \\[J\\].";
    all.extend(Lazy::new(emission, ("energy", docs), &argument, (2, quote!(#root::Energy), energy)));
    all.extend(force_energies(emission));
    all.extend(made("reactions", "Reactions", "from_flat", "What joints exert on the bodies of their second ends:"));
    all.extend(made("outputs", "Outputs", "from_array", "Outputs."));
    if data::has_output_rates(emission) {
        all.extend(made("output_rates", "OutputRates", "from_array", "Rates of the outputs."));
    }
    all
}

fn force_energies(emission: &Emission<'_>) -> Option<Lazy> {
    let n = emission.sizes().n_forces;
    let function = emission.function("force_energies").filter(|_| n > 0)?;
    let call = emission.call(function, &argument, &[quote!(&mut potentials), quote!(&mut powers)]);
    let compute = quote! {
        let (mut potentials, mut powers) = ([0.0; #n], [0.0; #n]);
        #call;
        (potentials, powers)
    };
    let docs = "Potential energy \\[J\\] and power \\[W\\] of each force, in declaration order.";
    Some(Lazy::computed("force_energies", docs, quote!(([f64; #n], [f64; #n])), compute))
}
