//! The stage of accelerations.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::lazy::{Lazy, Quantities};
use crate::emit::{Emission, data};
use mbs_compiler::program::Input;

/// The argument of a kernel for an input, in methods of the stage.
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

/// The stage type `Motion`.
pub fn motion(emission: &Emission<'_>) -> TokenStream {
    let n_z = emission.sizes().n_z;
    let quantities = quantities(emission);
    let (methods, cells) = (quantities.methods(), quantities.fields());
    quote! {
        /// A state with its accelerations `a` and multipliers `lambda`, which are fields of [`Accelerations`].
        #[derive(Clone, Debug)]
        pub struct Motion<'a> {
            velocity: &'a Velocity<'a>,
            u: [f64; NU],
            z: &'a [f64; #n_z],
            accelerations: Accelerations,
            #cells
        }

        /// Read access alone, because the quantities of the stage depend on the accelerations.
        impl ::core::ops::Deref for Motion<'_> {
            type Target = Accelerations;

            #[inline]
            fn deref(&self) -> &Accelerations {
                &self.accelerations
            }
        }

        impl<'a> Motion<'a> {
            /// The previous stage.
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
    let array = |kernel: &str, docs: &str, shape: &[usize]| Lazy::array(emission, kernel, docs, shape, &argument);
    let structure = |kernel: &str, ty: &str, constructor: &str, docs: &str| {
        let size = emission.function(kernel)?.outputs.first().map_or(0, |o| o.values.len());
        let (ty, constructor) = (format_ident!("{}", ty), format_ident!("{}", constructor));
        Lazy::new(emission, kernel, docs, &argument, size, quote!(#ty), quote!(#ty::#constructor(&flat)))
    };
    let energy = quote! {
        let [kinetic, potential] = flat;
        #root::Energy { kinetic, potential }
    };
    let mut all = Quantities::default();
    all.extend(array("generalized_forces", "Q: applied loads and velocity-quadratic terms.", &[s.n_v]));
    if emission.gamma_has_inputs() {
        all.extend(array("gamma", "γ of G a = γ.", &[s.n_c]));
    }
    all.extend(array("auxiliary_rates", "ż.", &[s.n_states]));
    let docs = "Kinetic and potential energy \\[J\\].";
    all.extend(Lazy::new(emission, "energy", docs, &argument, 2, quote!(#root::Energy), energy));
    all.extend(force_energies(emission));
    all.extend(structure(
        "reactions",
        "Reactions",
        "from_flat",
        "Reactions of joints on the bodies of their second ends:",
    ));
    all.extend(structure("outputs", "Outputs", "from_array", "Outputs."));
    if data::has_output_rates(emission) {
        all.extend(structure("output_rates", "OutputRates", "from_array", "Rates of the outputs."));
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
