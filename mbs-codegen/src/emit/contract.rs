//! The generated `impl Mechanism`: the kernels behind slices.

mod events;
mod geometry;
mod momenta;
mod names;
mod reports;
mod visuals;

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::data::literal;
use super::{Emission, functions};
use events::events;
use mbs_compiler::kernels::DECLARED_MEMORIES;
use mbs_compiler::program::{Function, Input};
use names::names;
use reports::{reports, updated_memories};
pub use visuals::limits;
use visuals::visuals;

/// `impl Mechanism for …`.
pub fn emit(emission: &Emission<'_>) -> TokenStream {
    let root = &emission.paths.root;
    let name = emission.name();
    let s = emission.sizes();
    let (n_q, n_v, n_c, n_z, n_u) = (s.n_q, s.n_v, s.n_c, s.n_z, s.n_u);
    let (n_position, n_velocity, n_outputs) = (s.n_position, s.n_velocity, s.n_outputs);
    let (n_bodies, n_markers, n_forces, n_conditions) = (s.n_bodies, s.n_markers, s.n_forces, s.n_conditions);
    let n_joints = emission.compiled.model.joints.len();
    let n_discrete = emission.compiled.model.n_discrete();
    let model = &emission.compiled.model;
    let (n_events, n_event_conditions, n_guesses) =
        (model.events.len(), model.event_conditions().count(), model.guesses.len());
    let scratch = model.scratch(n_v);
    let events = events(emission);
    let guess = guess(emission);
    let reports = reports(emission);
    let momenta = momenta::momenta(emission);
    let hessian = super::hessians::contract(emission);
    let space = space(emission);
    let functions = functions::check(emission);
    let names = names(emission);
    let visuals = visuals(emission);
    let whole = emission.with_memories();
    let n_states = s.n_states;
    let arrays = quote! {
        #whole
        let (::core::result::Result::Ok(q), ::core::result::Result::Ok(v), ::core::result::Result::Ok(z), ::core::result::Result::Ok(u)) =
            (at.q.try_into(), at.v.try_into(), at.z.try_into(), at.u.try_into())
    };
    let phi = view_kernel(emission, "position_residuals", "phi", n_position);
    let jacobian = jacobian(emission);
    let psi = view_kernel(emission, "velocity_residuals", "psi", n_velocity);
    let states = emission.if_states_place(quote! {
        #whole
        let ::core::result::Result::Ok(z) = <&[f64; #n_z]>::try_from(at.z) else {
            return ::core::result::Result::Err(#root::Error::Size { expected: #n_z, found: at.z.len() });
        };
    });
    let z = emission.if_states_place(quote!(z));
    let speeds = emission.if_reads_speeds(quote! {
        let ::core::result::Result::Ok(v) = <&[f64; #n_v]>::try_from(at.v) else {
            return ::core::result::Result::Err(#root::Error::Size { expected: #n_v, found: at.v.len() });
        };
    });
    let at_velocity = emission.if_reads_speeds(quote!(.at_velocity(v)));
    let reads_speeds = emission.if_reads_speeds(quote! {
        fn jacobian_reads_speeds(&self) -> bool {
            true
        }
    });
    let size_error = quote!(::core::result::Result::Err(#root::Error::Size { expected: #n_q, found: at.q.len() }));
    quote! {
        impl #root::Mechanism for #name {
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

            #guess

            #[inline]
            fn accelerations(
                &self,
                at: #root::StateView,
                a: &mut [f64],
                lambda: &mut [f64],
            ) -> ::core::result::Result<(), #root::Error> {
                #arrays else { return #size_error };
                let mut motion = Accelerations { a: [0.0; #n_v], lambda: [0.0; #n_c] };
                self.accelerations_into(at.t, q, v, u, z, &mut motion)?;
                for (to, from) in a.iter_mut().zip(&motion.a) {
                    *to = *from;
                }
                for (to, from) in lambda.iter_mut().zip(&motion.lambda) {
                    *to = *from;
                }
                ::core::result::Result::Ok(())
            }

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
                self.at_position(at.t, q, #z)#at_velocity.solve(f, g, x, mu)
            }

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

            #hessian

            #reads_speeds

            #space
            #momenta
            #reports
            #visuals
            #events
            #functions
            #names
        }
    }
}

/// Methods for spatial mechanisms, or for mechanisms whose speeds are not rates.
fn space(emission: &Emission<'_>) -> TokenStream {
    let root = &emission.paths.root;
    let s = emission.sizes();
    let is_spatial = emission.is_spatial().then(|| {
        quote! {
            fn is_spatial(&self) -> bool {
                true
            }
        }
    });
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
    quote!(#is_spatial #coordinate_rates #normalize)
}

/// Arguments where every quantity has its own name.
pub(super) fn argument(input: Input) -> TokenStream {
    match input {
        Input::Prepared => quote!(&self.prepared),
        Input::Params => quote!(&self.params),
        Input::Time => quote!(t),
        other => {
            let name = format_ident!("{}", other.name());
            quote!(#name)
        }
    }
}

/// Body of a trait method over slices: converts them and calls the kernel; slices of a wrong length are left unchanged.
fn slice_kernel(emission: &Emission<'_>, kernel: &str, inputs: &[(&str, usize)], output: (&str, usize)) -> TokenStream {
    let Some(function) = emission.function(kernel) else { return quote!() };
    let names: Vec<_> = inputs.iter().map(|(name, _)| format_ident!("{}", name)).collect();
    let sizes: Vec<usize> = inputs.iter().map(|(_, size)| *size).collect();
    let (out, out_size) = (format_ident!("{}", output.0), output.1);
    let call = emission.call(function, &argument, &[quote!(#out)]);
    quote! {
        let (#(::core::result::Result::Ok(#names),)* ::core::result::Result::Ok(#out)) =
            (#(<&[f64; #sizes]>::try_from(#names),)* <&mut [f64; #out_size]>::try_from(#out))
        else {
            return;
        };
        #call;
    }
}

fn guess(emission: &Emission<'_>) -> TokenStream {
    let compiled = emission.compiled;
    let q = compiled.checked.q.iter().map(|x| literal(*x));
    let v = compiled.speeds.iter().map(|x| literal(*x));
    let z = compiled.model.stored_defaults().map(literal);
    let turns = updated_memories(emission, DECLARED_MEMORIES);
    let turns = turns.map(|updated| quote!(let (t, stored) = (0.0, z); #updated));
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
            #turns
        }
    }
}

/// Body of a method with a `StateView`; slices of a wrong length are left unchanged.
fn view_kernel(emission: &Emission<'_>, kernel: &str, out: &str, size: usize) -> TokenStream {
    let Some(function) = emission.function(kernel) else { return quote!() };
    let out = format_ident!("{}", out);
    let arrays = arrays(emission, function, &quote!(return));
    let call = emission.call(function, &argument, &[quote!(#out)]);
    quote! {
        #arrays
        let ::core::result::Result::Ok(#out) = <&mut [f64; #size]>::try_from(#out) else { return };
        #call;
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

/// Converts the quantities that a function reads from `at`, `a` and `lambda` to arrays with their names; `otherwise` is executed where a
/// slice has a wrong length.
pub(super) fn arrays(emission: &Emission<'_>, function: &Function, otherwise: &TokenStream) -> TokenStream {
    let s = emission.sizes();
    let (n_q, n_v, n_z, n_u, n_c) = (s.n_q, s.n_v, s.n_z, s.n_u, s.n_c);
    let reads = |input: Input| function.inputs.iter().any(|a| a.input == input);
    let whole = if reads(Input::Auxiliary) { emission.with_memories() } else { TokenStream::new() };
    let mut lines = Vec::new();
    let mut convert = |input: Input, from: TokenStream, size: usize| {
        if reads(input) {
            let name = format_ident!("{}", input.name());
            lines.push(quote! {
                let ::core::result::Result::Ok(#name) = <&[f64; #size]>::try_from(#from) else { #otherwise };
            });
        }
    };
    convert(Input::Coordinates, quote!(at.q), n_q);
    convert(Input::Speeds, quote!(at.v), n_v);
    convert(Input::Auxiliary, quote!(at.z), n_z);
    convert(Input::Inputs, quote!(at.u), n_u);
    convert(Input::Accelerations, quote!(a), n_v);
    convert(Input::Multipliers, quote!(lambda), n_c);
    quote! {
        #whole
        let t = at.t;
        #(#lines)*
    }
}
