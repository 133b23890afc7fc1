//! The generated `impl Mechanism`: the kernels behind slices.

use mbs_model::{BodyId, EquationCategory, ItemNames, RowLevel, RowOwner};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::Emission;
use super::data::literal;
use crate::program::Input;

/// `impl Mechanism for …`.
pub fn emit(emission: &Emission<'_>) -> TokenStream {
    let root = &emission.paths.root;
    let name = emission.name();
    let s = emission.sizes();
    let (n, n_c, n_z, n_u) = (s.n, s.n_c, s.n_z, s.n_u);
    let (n_position, n_velocity, n_outputs) = (s.n_position, s.n_velocity, s.n_outputs);
    let (n_bodies, n_markers, n_forces, n_conditions) = (s.n_bodies, s.n_markers, s.n_forces, s.n_conditions);
    let n_joints = emission.compiled.model.joints.len();
    let scratch = n_conditions * (n + n_conditions + 2);
    let guess = guess(emission);
    let reports = reports(emission);
    let names = names(emission);
    let arrays = quote! {
        let (::core::result::Result::Ok(q), ::core::result::Result::Ok(v), ::core::result::Result::Ok(z), ::core::result::Result::Ok(u)) =
            (at.q.try_into(), at.v.try_into(), at.z.try_into(), at.u.try_into())
    };
    let phi = slice_kernel(emission, "position_residuals", &[("q", n)], ("phi", n_position));
    let jacobian = slice_kernel(emission, "constraint_jacobian", &[("q", n)], ("jacobian", n_c * n));
    let psi = slice_kernel(emission, "velocity_residuals", &[("q", n), ("v", n)], ("psi", n_velocity));
    let size_error = quote!(::core::result::Result::Err(#root::Error::Size { expected: #n, found: at.q.len() }));
    quote! {
        impl #root::Mechanism for #name {
            type Coordinates = [f64; #n];
            type Speeds = [f64; #n];
            type Multipliers = [f64; #n_c];
            type Auxiliary = [f64; #n_z];
            type Inputs = [f64; #n_u];
            type Scratch = [f64; #scratch];

            fn sizes(&self) -> #root::Sizes {
                #root::Sizes {
                    n_q: #n,
                    n_v: #n,
                    n_c: #n_c,
                    n_position: #n_position,
                    n_velocity: #n_velocity,
                    n_z: #n_z,
                    n_u: #n_u,
                    n_outputs: #n_outputs,
                    n_bodies: #n_bodies,
                    n_markers: #n_markers,
                    n_joints: #n_joints,
                    n_forces: #n_forces,
                    n_conditions: #n_conditions,
                    n_events: 0,
                }
            }

            fn storage(
                &self,
            ) -> (Self::Coordinates, Self::Speeds, Self::Multipliers, Self::Auxiliary, Self::Inputs, Self::Scratch) {
                ([0.0; #n], [0.0; #n], [0.0; #n_c], [0.0; #n_z], [0.0; #n_u], [0.0; #scratch])
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
                let mut motion = Accelerations { a: [0.0; #n], lambda: [0.0; #n_c] };
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
                t: f64,
                q: &[f64],
                f: &[f64],
                g: &[f64],
                x: &mut [f64],
                mu: &mut [f64],
            ) -> ::core::result::Result<(), #root::Error> {
                let found = q.len();
                let (
                    ::core::result::Result::Ok(q),
                    ::core::result::Result::Ok(f),
                    ::core::result::Result::Ok(g),
                    ::core::result::Result::Ok(x),
                    ::core::result::Result::Ok(mu),
                ) = (q.try_into(), f.try_into(), g.try_into(), x.try_into(), mu.try_into())
                else {
                    return ::core::result::Result::Err(#root::Error::Size { expected: #n, found });
                };
                self.at_position(t, q).solve(f, g, x, mu)
            }

            #[inline]
            fn position_residuals(&self, t: f64, q: &[f64], phi: &mut [f64]) {
                #phi
            }

            #[inline]
            fn velocity_residuals(&self, t: f64, q: &[f64], v: &[f64], psi: &mut [f64]) {
                #psi
            }

            fn constraint_jacobian(&self, t: f64, q: &[f64], jacobian: &mut [f64]) {
                #jacobian
            }

            #reports
            #names
        }
    }
}

/// Arguments where everything has its own name.
fn argument(input: Input) -> TokenStream {
    match input {
        Input::Prepared => quote!(&self.prepared),
        Input::Time => quote!(t),
        other => {
            let name = format_ident!("{}", other.name());
            quote!(#name)
        }
    }
}

/// Body of a trait method over slices: converts them, calls the kernel; slices of a wrong length are left as they are.
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
    let z = compiled.model.auxiliary.iter().flat_map(|a| a.quantity.default.iter().map(|x| literal(*x)));
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
        }
    }
}

/// A method that takes a `StateView`.
fn view_kernel(emission: &Emission<'_>, kernel: &str, out: &str, size: usize) -> TokenStream {
    let Some(function) = emission.function(kernel) else { return quote!() };
    let s = emission.sizes();
    let (n, n_z, n_u, n_c) = (s.n, s.n_z, s.n_u, s.n_c);
    let out = format_ident!("{}", out);
    let reads = |input: Input| function.inputs.iter().any(|a| a.input == input);
    let mut lines = Vec::new();
    let mut convert = |input: Input, from: TokenStream, size: usize| {
        if reads(input) {
            let name = format_ident!("{}", input.name());
            lines.push(quote! {
                let ::core::result::Result::Ok(#name) = <&[f64; #size]>::try_from(#from) else { return };
            });
        }
    };
    convert(Input::Coordinates, quote!(at.q), n);
    convert(Input::Speeds, quote!(at.v), n);
    convert(Input::Auxiliary, quote!(at.z), n_z);
    convert(Input::Inputs, quote!(at.u), n_u);
    convert(Input::Accelerations, quote!(a), n);
    convert(Input::Multipliers, quote!(lambda), n_c);
    let call = emission.call(function, &argument, &[quote!(#out)]);
    quote! {
        let t = at.t;
        #(#lines)*
        let ::core::result::Result::Ok(#out) = <&mut [f64; #size]>::try_from(#out) else { return };
        #call;
    }
}

fn reports(emission: &Emission<'_>) -> TokenStream {
    let root = &emission.paths.root;
    let s = emission.sizes();
    let forces = view_kernel(emission, "generalized_forces", "forces", s.n);
    let rates = if s.n_z > 0 {
        let body = view_kernel(emission, "auxiliary_rates", "rates", s.n_z);
        quote!(fn auxiliary_rates(&self, at: #root::StateView, rates: &mut [f64]) { #body })
    } else {
        quote!()
    };
    let outputs = if emission.function("outputs").is_some() {
        let body = view_kernel(emission, "outputs", "outputs", s.n_outputs);
        quote! {
            fn outputs(&self, at: #root::StateView, a: &[f64], lambda: &[f64], outputs: &mut [f64]) { #body }
        }
    } else {
        quote!()
    };
    let energy = if emission.function("energy").is_some() {
        let body = view_kernel(emission, "energy", "flat", 2);
        quote! {
            fn energy(&self, at: #root::StateView) -> #root::Energy {
                let mut values = [f64::NAN; 2];
                (|flat: &mut [f64]| { #body })(&mut values);
                let [kinetic, potential] = values;
                #root::Energy { kinetic, potential }
            }
        }
    } else {
        quote!()
    };
    let geometry = geometry(emission);
    let conditions = conditions(emission);
    let velocity_forces = slice_kernel(emission, "velocity_forces", &[("q", s.n), ("v", s.n)], ("forces", s.n));
    let reactions = reactions(emission);
    quote! {
        fn generalized_forces(&self, at: #root::StateView, forces: &mut [f64]) { #forces }
        fn velocity_forces(&self, t: f64, q: &[f64], v: &[f64], forces: &mut [f64]) { #velocity_forces }
        #reactions
        #rates
        #outputs
        #energy
        #geometry
        #conditions
    }
}

/// Reactions of all joints, and whose the rows are.
fn reactions(emission: &Emission<'_>) -> TokenStream {
    let root = &emission.paths.root;
    let (model, tree) = (&emission.compiled.model, &emission.compiled.tree);
    let kinds = tree.rows.iter().map(|row| match model.row_owner(row) {
        RowOwner::Joint(j) => {
            let j = j.index();
            quote!(#root::RowKind::Joint(#j))
        }
        RowOwner::Equation(EquationCategory::Drive) => quote!(#root::RowKind::Drive),
        RowOwner::Equation(EquationCategory::Coupling) => quote!(#root::RowKind::Coupling),
        RowOwner::Equation(EquationCategory::Constraint) => quote!(#root::RowKind::Constraint),
    });
    let n_c = tree.rows.len();
    let reactions = emission.function("reactions").map_or(quote!(), |_| {
        let size = 5 * model.joints.len();
        let body = view_kernel(emission, "reactions", "flat", size);
        quote! {
            fn reactions(&self, at: #root::StateView, a: &[f64], lambda: &[f64], reactions: &mut [#root::Reaction]) {
                let mut values = [f64::NAN; #size];
                (|flat: &mut [f64]| { #body })(&mut values);
                for (reaction, flat) in reactions.iter_mut().zip(values.chunks_exact(5)) {
                    if let [x, y, force_x, force_y, torque] = *flat {
                        *reaction = #root::Reaction::planar([x, y], [force_x, force_y], torque);
                    }
                }
            }
        }
    });
    let n_bodies = model.bodies.len();
    let placements = (0..n_bodies).map(|b| match tree.carried(BodyId(b as u32)) {
        None => quote!(::core::option::Option::None),
        Some((joint, parent, reversed, range)) => {
            let (joint, first_speed, speeds) = (joint.index(), range.start, range.len());
            let parent = match parent.map(BodyId::index) {
                Some(parent) => quote!(::core::option::Option::Some(#parent)),
                None => quote!(::core::option::Option::None),
            };
            quote! {
                ::core::option::Option::Some(#root::Placement {
                    joint: #joint,
                    parent: #parent,
                    reversed: #reversed,
                    first_speed: #first_speed,
                    speeds: #speeds,
                })
            }
        }
    });
    quote! {
        #reactions

        fn placement(&self, body: usize) -> ::core::option::Option<#root::Placement> {
            let placements: [::core::option::Option<#root::Placement>; #n_bodies] = [#(#placements),*];
            placements.get(body).copied().flatten()
        }

        fn row_kind(&self, row: usize) -> #root::RowKind {
            let kinds: [#root::RowKind; #n_c] = [#(#kinds),*];
            kinds.get(row).copied().unwrap_or(#root::RowKind::Constraint)
        }
    }
}

fn geometry(emission: &Emission<'_>) -> TokenStream {
    let root = &emission.paths.root;
    let s = emission.sizes();
    let (n, n_bodies, n_markers) = (s.n, s.n_bodies, s.n_markers);
    let call = |kernel: &str| emission.function(kernel).map(|f| emission.call(f, &argument, &[quote!(&mut flat)]));
    let convert = quote!(let ::core::result::Result::Ok(q) = <&[f64; #n]>::try_from(q) else { return };);
    let poses = call("poses").filter(|_| n_bodies > 0).map_or(quote!(), |call| {
        let size = 3 * n_bodies;
        quote! {
            fn poses(&self, t: f64, q: &[f64], poses: &mut [#root::Pose]) {
                #convert
                let mut flat = [0.0; #size];
                #call;
                for (pose, planar) in poses.iter_mut().zip(flat.chunks_exact(3)) {
                    if let [x, y, angle] = *planar {
                        *pose = #root::Pose::planar(x, y, angle);
                    }
                }
            }
        }
    });
    let markers = call("marker_positions").filter(|_| n_markers > 0).map_or(quote!(), |call| {
        let size = 2 * n_markers;
        quote! {
            fn marker_positions(&self, t: f64, q: &[f64], positions: &mut [[f64; 3]]) {
                #convert
                let mut flat = [0.0; #size];
                #call;
                for (position, planar) in positions.iter_mut().zip(flat.chunks_exact(2)) {
                    if let [x, y] = *planar {
                        *position = [x, y, 0.0];
                    }
                }
            }
        }
    });
    let jacobians = call("body_jacobians").filter(|_| n_bodies * n > 0).map_or(quote!(), |call| {
        let size = 3 * n_bodies * n;
        let (spatial, planar) = (6 * n, 3 * n);
        let (x, y, turn) = (0usize, n, 5 * n);
        quote! {
            fn body_jacobians(&self, t: f64, q: &[f64], jacobians: &mut [f64]) {
                #convert
                let mut flat = [0.0; #size];
                #call;
                jacobians.fill(0.0);
                for (six, three) in jacobians.chunks_exact_mut(#spatial).zip(flat.chunks_exact(#planar)) {
                    for (start, row) in [#x, #y, #turn].into_iter().zip(three.chunks_exact(#n)) {
                        for (to, from) in six.iter_mut().skip(start).zip(row) {
                            *to = *from;
                        }
                    }
                }
            }
        }
    });
    let model = &emission.compiled.model;
    let pair = |ends: Option<[usize; 2]>| match ends {
        Some([a, b]) if n_markers > 0 => quote!(::core::option::Option::Some([#a, #b])),
        _ => quote!(::core::option::Option::None),
    };
    let joint_ends = model.joints.iter().map(|j| pair(model.joint_ends(j)));
    let force_ends = model.forces.iter().map(|f| pair(f.ends.and_then(|ends| model.drawn_ends(ends))));
    let bodies = emission.compiled.model.markers.iter().filter(|m| m.drawn).map(|m| match m.body {
        Some(b) => {
            let b = b.index();
            quote!(::core::option::Option::Some(#b))
        }
        None => quote!(::core::option::Option::None),
    });
    quote! {
        #poses
        #markers
        #jacobians

        fn ends(&self, item: #root::Item) -> ::core::option::Option<[usize; 2]> {
            let (list, i): (&[::core::option::Option<[usize; 2]>], usize) = match item {
                #root::Item::Joint(i) => (&[#(#joint_ends),*], i),
                #root::Item::Force(i) => (&[#(#force_ends),*], i),
                _ => (&[], 0),
            };
            list.get(i).copied().flatten()
        }

        fn marker_body(&self, marker: usize) -> ::core::option::Option<usize> {
            let bodies: [::core::option::Option<usize>; #n_markers] = [#(#bodies),*];
            bodies.get(marker).copied().flatten()
        }
    }
}

fn conditions(emission: &Emission<'_>) -> TokenStream {
    let root = &emission.paths.root;
    let s = emission.sizes();
    let (n, n_conditions) = (s.n, s.n_conditions);
    if n_conditions == 0 {
        return quote!();
    }
    let exact = emission.compiled.model.conditions.iter().filter(|c| c.exact).enumerate();
    let arms = exact.map(|(k, condition)| {
        let level = match condition.level {
            RowLevel::Position => quote!(#root::Level::Position),
            _ => quote!(#root::Level::Velocity),
        };
        let function = emission.function(&format!("condition_{k}")).expect("every exact condition has a kernel");
        let call = emission.call(function, &argument, &[quote!(&mut residual), quote!(gradient)]);
        quote! { #k => { #call; #level } }
    });
    quote! {
        fn initial_condition(&self, condition: usize, at: #root::StateView, gradient: &mut [f64]) -> #root::Condition {
            let mut residual = [0.0; 1];
            let t = at.t;
            let (
                ::core::result::Result::Ok(q),
                ::core::result::Result::Ok(v),
                ::core::result::Result::Ok(z),
                ::core::result::Result::Ok(gradient),
            ) = (
                <&[f64; #n]>::try_from(at.q),
                <&[f64; #n]>::try_from(at.v),
                <&[f64; NZ]>::try_from(at.z),
                <&mut [f64; #n]>::try_from(gradient),
            )
            else {
                return #root::Condition { residual: f64::NAN, level: #root::Level::Position };
            };
            let level = match condition {
                #(#arms)*
                _ => #root::Level::Position,
            };
            let [residual] = residual;
            #root::Condition { residual, level }
        }
    }
}

/// Names by kind of item, as `Item` calls them.
fn names(emission: &Emission<'_>) -> TokenStream {
    let root = &emission.paths.root;
    let compiled = emission.compiled;
    let mechanism = &compiled.model.name;
    let names = ItemNames::new(&compiled.model, &compiled.tree);
    let kinds: [(&str, &[String]); 12] = [
        ("Coordinate", &names.coordinates),
        ("Speed", &names.speeds),
        ("Row", &names.rows),
        ("Auxiliary", &names.auxiliary),
        ("Input", &names.inputs),
        ("Output", &names.outputs),
        ("Body", &names.bodies),
        ("Marker", &names.markers),
        ("Joint", &names.joints),
        ("Force", &names.forces),
        ("Parameter", &names.parameters),
        ("Condition", &names.conditions),
    ];
    let arms = kinds.into_iter().map(|(kind, names)| {
        let kind = format_ident!("{}", kind);
        quote!(#root::Item::#kind(i) => (&[#(#names),*], i))
    });
    quote! {
        fn name(&self, item: #root::Item) -> &str {
            let (names, index): (&[&str], usize) = match item {
                #root::Item::Mechanism => (&[#mechanism], 0),
                #(#arms,)*
                _ => (&[], 0),
            };
            names.get(index).copied().unwrap_or("")
        }
    }
}
