//! The numeric contract: sizes, accelerations, residuals, and reports.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::reports::{reports, updated_memories};
use super::{argument, arrays, size_error, slice_kernel, view_kernel};
use crate::emit::Emission;
use crate::emit::literal::literal;
use crate::emit::stages::failing_row;
use mbs_compiler::kernels::{CORRECTIONS, DECLARED_MEMORIES, HESSIANS, TRANSPOSED_JACOBIAN};

/// `impl Mechanism for …`.
pub fn mechanism_impl(emission: &Emission<'_>) -> TokenStream {
    let (root, name) = (&emission.paths.root, emission.name());
    let sizes = sizes(emission);
    let (guess, accelerations, solve) = (guess(emission), accelerations(emission), solve(emission));
    let (residuals, hessian, forces) = (residuals(emission), hessian(emission), constraint_forces(emission));
    let reads_speeds = emission.if_reads_speeds(quote! {
        fn jacobian_reads_speeds(&self) -> bool {
            true
        }
    });
    let coordinates = coordinates(emission);
    let reports = reports(emission);
    quote! {
        impl #root::Mechanism for #name {
            #sizes
            #guess
            #accelerations
            #solve
            #residuals
            #hessian
            #forces
            #reads_speeds
            #coordinates
            #reports
        }
    }
}

/// Types of storage, sizes, and zeroed storage.
fn sizes(emission: &Emission<'_>) -> TokenStream {
    let (root, model, s) = (&emission.paths.root, &emission.compiled.model, emission.sizes());
    let (n_q, n_v, n_c, n_z, n_u) = (s.n_q, s.n_v, s.n_c, s.n_z, s.n_u);
    let (n_position, n_velocity, n_outputs, n_states) = (s.n_position, s.n_velocity, s.n_outputs, s.n_states);
    let (n_bodies, n_markers, n_forces, n_conditions) = (s.n_bodies, s.n_markers, s.n_forces, s.n_conditions);
    let (n_joints, n_discrete, n_guesses) = (model.joints.len(), model.n_discrete(), model.start.guesses.len());
    let (n_events, n_event_conditions) = (model.events.len(), model.event_conditions().count());
    let scratch = model.scratch_len(n_v);
    quote! {
        type Coordinates = [f64; #n_q];
        type Speeds = [f64; #n_v];
        type Multipliers = [f64; #n_c];
        type Auxiliary = [f64; #n_z];
        type Inputs = [f64; #n_u];
        type Scratch = [f64; #scratch];

        fn sizes(&self) -> #root::Sizes {
            #root::Sizes {
                n_q: #n_q,
                n_v: #n_v,
                n_c: #n_c,
                n_position: #n_position,
                n_velocity: #n_velocity,
                n_z: #n_states,
                n_discrete: #n_discrete,
                n_u: #n_u,
                n_outputs: #n_outputs,
                n_bodies: #n_bodies,
                n_markers: #n_markers,
                n_joints: #n_joints,
                n_forces: #n_forces,
                n_conditions: #n_conditions,
                n_events: #n_events,
                n_event_conditions: #n_event_conditions,
                n_guesses: #n_guesses,
            }
        }

        fn storage(
            &self,
        ) -> (Self::Coordinates, Self::Speeds, Self::Multipliers, Self::Auxiliary, Self::Inputs, Self::Scratch) {
            ([0.0; #n_q], [0.0; #n_v], [0.0; #n_c], [0.0; #n_z], [0.0; #n_u], [0.0; #scratch])
        }
    }
}

fn guess(emission: &Emission<'_>) -> TokenStream {
    let compiled = emission.compiled;
    let q = compiled.checked.q.iter().map(|x| literal(*x));
    let v = compiled.speeds.iter().map(|x| literal(*x));
    let z = compiled.model.stored_defaults().map(literal);
    let memories = updated_memories(emission, DECLARED_MEMORIES);
    let memories = memories.map(|updated| quote!(let (t, stored) = (0.0, z); #updated));
    quote! {
        fn guess(&self, q: &mut [f64], v: &mut [f64], z: &mut [f64]) {
            for (to, from) in q.iter_mut().zip([#(#q),*]) {
                *to = from;
            }
            for (to, from) in v.iter_mut().zip([#(#v),*]) {
                *to = from;
            }
            let declared: &[f64] = &[#(#z),*];
            for (to, from) in z.iter_mut().zip(declared) {
                *to = *from;
            }
            #memories
        }
    }
}

fn accelerations(emission: &Emission<'_>) -> TokenStream {
    let (root, s) = (&emission.paths.root, emission.sizes());
    let n_q = s.n_q;
    let memories = emission.complete_memories();
    quote! {
        #[inline]
        fn accelerations(
            &self,
            at: #root::StateView,
            a: &mut [f64],
            lambda: &mut [f64],
        ) -> ::core::result::Result<(), #root::Error> {
            #memories
            let (
                ::core::result::Result::Ok(q),
                ::core::result::Result::Ok(v),
                ::core::result::Result::Ok(z),
                ::core::result::Result::Ok(u),
                ::core::result::Result::Ok(a),
                ::core::result::Result::Ok(lambda),
            ) = (at.q.try_into(), at.v.try_into(), at.z.try_into(), at.u.try_into(), a.try_into(), lambda.try_into())
            else {
                return ::core::result::Result::Err(#root::Error::Size { expected: #n_q, found: at.q.len() });
            };
            self.accelerations_into(at.t, q, v, u, z, a, lambda)
        }
    }
}

fn solve(emission: &Emission<'_>) -> TokenStream {
    let (root, s) = (&emission.paths.root, emission.sizes());
    let (n_q, n_v, n_z) = (s.n_q, s.n_v, s.n_z);
    let memories = emission.complete_memories();
    let states = emission.if_positions_read_states(quote! {
        #memories
        let ::core::result::Result::Ok(z) = <&[f64; #n_z]>::try_from(at.z) else {
            return ::core::result::Result::Err(#root::Error::Size { expected: #n_z, found: at.z.len() });
        };
    });
    let z = emission.if_positions_read_states(quote!(z));
    let speeds = emission.if_reads_speeds(quote! {
        let ::core::result::Result::Ok(v) = <&[f64; #n_v]>::try_from(at.v) else {
            return ::core::result::Result::Err(#root::Error::Size { expected: #n_v, found: at.v.len() });
        };
    });
    let stage = match emission.reads_speeds() {
        false => quote!(position),
        true => quote!(velocity),
    };
    let velocity = emission.if_reads_speeds(quote! {
        let mut velocity = position.at_velocity(v);
        velocity.factorise();
    });
    let corrections = corrections(emission);
    quote! {
        #[inline]
        fn solve(
            &self,
            at: #root::StateView,
            f: &[f64],
            g: &[f64],
            x: &mut [f64],
            mu: &mut [f64],
        ) -> ::core::result::Result<(), #root::Error> {
            let found = at.q.len();
            #states
            #speeds
            let (
                ::core::result::Result::Ok(q),
                ::core::result::Result::Ok(f),
                ::core::result::Result::Ok(g),
                ::core::result::Result::Ok(x),
                ::core::result::Result::Ok(mu),
            ) = (at.q.try_into(), f.try_into(), g.try_into(), x.try_into(), mu.try_into())
            else {
                return ::core::result::Result::Err(#root::Error::Size { expected: #n_q, found });
            };
            let mut position = self.at_position(at.t, q, #z);
            position.factorise();
            #velocity
            #stage.solve(f, g, x, mu)
        }
        #corrections
    }
}

/// `corrections` by its kernel, which exists where rows do and G does not depend on speeds.
fn corrections(emission: &Emission<'_>) -> Option<TokenStream> {
    let (root, s) = (&emission.paths.root, emission.sizes());
    let function = emission.function(CORRECTIONS)?;
    let arrays = arrays(emission, function, &size_error(emission));
    let outputs = ["phi", "displacement", "remainder", "psi", "speeds"].map(|name| format_ident!("{}", name));
    let sizes = [s.n_position, s.n_v, s.n_position, s.n_velocity, s.n_v];
    let call = emission.call(function, &argument, &outputs.each_ref().map(|name| quote!(#name)));
    let row = failing_row(function, call);
    let size_error = size_error(emission);
    Some(quote! {
        #[inline]
        fn corrections(
            &self,
            at: #root::StateView,
            corrections: #root::Corrections,
        ) -> ::core::result::Result<bool, #root::Error> {
            #arrays
            let (#(::core::result::Result::Ok(#outputs),)*) =
                (#(<&mut [f64; #sizes]>::try_from(corrections.#outputs),)*)
            else {
                #size_error
            };
            match #row {
                ::core::option::Option::None => ::core::result::Result::Ok(true),
                ::core::option::Option::Some(row) => ::core::result::Result::Err(#root::Error::Singular { row, t }),
            }
        }
    })
}

/// Residuals of positions and velocities, and G.
fn residuals(emission: &Emission<'_>) -> TokenStream {
    let (root, s) = (&emission.paths.root, emission.sizes());
    let phi = view_kernel(emission, "position_residuals", "phi", s.n_position);
    let psi = view_kernel(emission, "velocity_residuals", "psi", s.n_velocity);
    let jacobian = jacobian(emission);
    quote! {
        #[inline]
        fn position_residuals(&self, at: #root::StateView, phi: &mut [f64]) {
            #phi
        }

        #[inline]
        fn velocity_residuals(&self, at: #root::StateView, psi: &mut [f64]) {
            #psi
        }

        fn constraint_jacobian(&self, at: #root::StateView, jacobian: &mut [f64]) {
            #jacobian
        }
    }
}

/// G of the position and velocity rows: the first rows of the kernel's G.
fn jacobian(emission: &Emission<'_>) -> TokenStream {
    let s = emission.sizes();
    if s.n_velocity == s.n_c {
        return view_kernel(emission, "constraint_jacobian", "jacobian", s.n_c * s.n_v);
    }
    let size = s.n_c * s.n_v;
    let all = view_kernel(emission, "constraint_jacobian", "all", size);
    let first = s.n_velocity * s.n_v;
    quote! {
        let mut rows = [0.0; #size];
        let fill = |all: &mut [f64]| {
            #all
        };
        fill(&mut rows);
        for (to, from) in jacobian.iter_mut().zip(rows).take(#first) {
            *to = from;
        }
    }
}

/// `constraint_hessian`: H(μ) = Σ_r μ_r H_r.
fn hessian(emission: &Emission<'_>) -> TokenStream {
    if !emission.compiled.model.settings.kernels.hessians {
        return quote!();
    }
    let root = &emission.paths.root;
    let s = emission.sizes();
    let (n_q, n_v) = (s.n_q, s.n_v);
    let compute = emission.function(HESSIANS).map(|function| {
        let otherwise =
            quote!(return ::core::result::Result::Err(#root::Error::Size { expected: #n_q, found: at.q.len() }));
        let arrays = arrays(emission, function, &otherwise);
        let call = emission.call(function, &argument, &[quote!(&mut values)]);
        quote!(#arrays #call;)
    });
    quote! {
        fn constraint_hessian(
            &self,
            at: #root::StateView,
            mu: &[f64],
            hessian: &mut [f64],
        ) -> ::core::result::Result<(), #root::Error> {
            let mut values = [0.0; N_HESSIAN];
            #compute
            hessian.fill(0.0);
            for (&(r, i, j), value) in HESSIAN_PATTERN.iter().zip(values) {
                let entry = hessian.get_mut(i * #n_v + j);
                if let (::core::option::Option::Some(entry), ::core::option::Option::Some(mu)) = (entry, mu.get(r)) {
                    *entry += mu * value;
                }
            }
            ::core::result::Result::Ok(())
        }
    }
}

/// Gᵀ λ by its kernel.
fn constraint_forces(emission: &Emission<'_>) -> Option<TokenStream> {
    let function = emission.function(TRANSPOSED_JACOBIAN).filter(|_| !emission.reads_speeds())?;
    let root = &emission.paths.root;
    let n_v = emission.sizes().n_v;
    let arrays = arrays(emission, function, &quote!(return));
    let call = emission.call(function, &argument, &[quote!(forces)]);
    Some(quote! {
        #[inline]
        fn constraint_forces(&self, at: #root::StateView, lambda: &[f64], forces: &mut [f64]) {
            #arrays
            let ::core::result::Result::Ok(forces) = <&mut [f64; #n_v]>::try_from(forces) else { return };
            #call;
        }
    })
}

/// Rates of coordinates where q̇ differs from v, and normalisation of quaternions.
fn coordinates(emission: &Emission<'_>) -> TokenStream {
    let (root, s) = (&emission.paths.root, emission.sizes());
    let coordinate_rates = emission.function("coordinate_rates").map(|_| {
        let rates = slice_kernel(emission, "coordinate_rates", &[("q", s.n_q), ("v", s.n_v)], ("rates", s.n_q));
        quote! {
            #[inline]
            fn coordinate_rates(&self, t: f64, q: &[f64], v: &[f64], rates: &mut [f64]) {
                #rates
            }
        }
    });
    let quaternions = emission.compiled.tree.quaternions();
    let normalize = (!quaternions.is_empty()).then(|| {
        quote! {
            #[inline]
            fn normalize(&self, q: &mut [f64]) {
                #(#root::rotation::normalize_at(q, #quaternions);)*
            }
        }
    });
    quote!(#coordinate_rates #normalize)
}
