//! Named indices and ranges of coordinates, speeds and rows, and views by body or joint.

use std::ops::Range;

use mbs_expr::{BodyId, JointId};
use mbs_model::{Alternative, RowLevel, VelocityAxes};
use mbs_physics::{InterfaceCoordinate, InterfaceSpeed, LinkOwner, Mobilizer};
use proc_macro2::{Span, TokenStream};
use quote::quote;

use super::Emission;
use super::names::{constant_ident, value_ident};

/// `index::CRANK_X`, `speed::SATELLITE_VX`, `row::CRANK_PIN` and the views.
pub fn emit(emission: &Emission<'_>) -> TokenStream {
    let (model, tree) = (&emission.compiled.model, &emission.compiled.tree);
    let spatial = emission.is_spatial();
    let declared = tree.declared_speeds(model);
    let has_rate =
        |i: usize| !declared.iter().any(|joint| (joint.first_q..joint.first_q + joint.pose.n_q()).contains(&i));
    let coordinates = (0..tree.n_q()).map(|i| {
        let name = tree.coordinate_name(model, i);
        let speed = match has_rate(i) {
            _ if spatial => String::new(),
            true => ", and its speed".to_owned(),
            false => format!(", and speed `{}`", tree.speed_name(model, i)),
        };
        index(&name, &format!("Coordinate `{name}`{speed}."), i)
    });
    let rows = rows(emission)
        .into_iter()
        .map(|(name, rows)| range(&name, &format!("Rows and multipliers of `{name}`."), rows));
    let row_module = quote! {
        /// Ranges of constraint rows and multipliers.
        pub mod row { #(#rows)* }
    };
    let (groups, speed_groups) = (coordinate_groups(emission), speed_groups(emission));
    let part = part(emission);
    if !spatial {
        let docs = "Coordinates, speeds or accelerations by body or joint, borrowed.";
        let view = view("View", docs, "Views q, v, a or anything else laid out like them.", &groups, tree.n());
        let part = (!groups.is_empty()).then_some(part);
        let speeds = (0..tree.n()).filter(|i| !has_rate(*i)).map(|i| {
            let name = tree.speed_name(model, i);
            index(&name, &format!("Speed `{name}`."), i)
        });
        return quote! {
            /// Indices of coordinates and speeds.
            pub mod index { #(#coordinates)* #(#speeds)* }
            #row_module
            #view
            #part
        };
    }
    let speeds = (0..tree.n()).map(|i| {
        let name = tree.speed_name(model, i);
        index(&name, &format!("Speed `{name}`, and its acceleration."), i)
    });
    let (coordinate_ranges, speed_ranges) = ranges(emission);
    let docs = "Coordinates by body or joint, borrowed, in the order of q.";
    let view_of_q = view("View", docs, "Views q.", &groups, tree.n_q());
    let docs = "Speeds or accelerations by body or joint, borrowed, in the order of v.";
    let view_of_v = view("SpeedView", docs, "Views v, a or generalised forces.", &speed_groups, tree.n());
    let part = (!groups.is_empty() || !speed_groups.is_empty()).then_some(part);
    quote! {
        /// Indices of coordinates, and ranges of the positions and attitudes among them.
        pub mod index { #(#coordinates)* #coordinate_ranges }
        /// Indices of speeds, and ranges of the velocities and angular velocities among them.
        pub mod speed { #(#speeds)* #speed_ranges }
        #row_module
        #view_of_q
        #view_of_v
        #part
    }
}

fn index(name: &str, docs: &str, i: usize) -> TokenStream {
    let ident = constant_ident(name);
    quote!(#[doc = #docs] pub const #ident: usize = #i;)
}

/// `pub const NAME: Range<usize>`.
pub(super) fn range(name: &str, docs: &str, Range { start, end }: Range<usize>) -> TokenStream {
    let ident = constant_ident(name);
    quote!(#[doc = #docs] pub const #ident: ::core::ops::Range<usize> = #start..#end;)
}

/// Ranges of rows by the joint, equation or body to which they belong; velocity rows of a joint are listed separately, by their names.
pub(super) fn rows(emission: &Emission<'_>) -> Vec<(String, Range<usize>)> {
    let (model, tree) = (&emission.compiled.model, &emission.compiled.tree);
    let mut ranges: Vec<(String, Range<usize>)> = Vec::new();
    for (r, row) in tree.rows.iter().enumerate() {
        let element = match row.element() {
            Some(Alternative::Joint(_)) if row.level > RowLevel::Position => row.name.clone(),
            Some(Alternative::Joint(j)) => model.joint(j).name.clone(),
            Some(Alternative::Equation(e)) => model.equations[e].name.clone(),
            None => row.name.clone(),
        };
        match ranges.last_mut() {
            Some(last) if last.0 == element => last.1.end = r + 1,
            _ => ranges.push((element, r..r + 1)),
        }
    }
    ranges
}

/// Ranges of links that float or rotate freely: of position and attitude in q, of velocity and angular velocity in v.
fn ranges(emission: &Emission<'_>) -> (TokenStream, TokenStream) {
    let (model, tree) = (&emission.compiled.model, &emission.compiled.tree);
    let (mut coordinates, mut speeds) = (TokenStream::new(), TokenStream::new());
    for link in &tree.links {
        let (name, owner, outer_axes, link_axes) = match link.owner {
            LinkOwner::Body(b) => {
                let name = &model.bodies[b.index()].name;
                (name, format!("`{name}`"), "world axes", "body axes")
            }
            LinkOwner::Joint(j, ..) => {
                let name = &model.joint(j).name;
                let owner = format!("the second end of `{name}` relative to the first");
                (name, owner, "the first end's axes", "the second end's axes")
            }
        };
        let (displaced, axes, attitude) = match link.mobilizer {
            Mobilizer::Free { attitude, velocity: VelocityAxes::World, .. } => (3, outer_axes, Some(attitude)),
            Mobilizer::Free { attitude, velocity: VelocityAxes::Body, .. } => (3, link_axes, Some(attitude)),
            Mobilizer::Ball { attitude, .. }
            | Mobilizer::Line { attitude, .. }
            | Mobilizer::Ellipsoid { attitude, .. } => (0, outer_axes, Some(attitude)),
            Mobilizer::Translation => (3, outer_axes, None),
            Mobilizer::Revolute { .. }
            | Mobilizer::Prismatic { .. }
            | Mobilizer::Screw { .. }
            | Mobilizer::Orbit { .. } => continue,
            Mobilizer::Posed { .. } | Mobilizer::Prescribed(_) => continue,
        };
        let named = |suffix: &str, quantity: &str, axes: &str, indices: Range<usize>| {
            range(&format!("{name}_{suffix}"), &format!("{quantity} of {owner}{axes}."), indices)
        };
        let (q, v) = (link.first_q, link.first_v);
        if displaced > 0 {
            coordinates.extend(named("position", "Position", &format!(", {outer_axes}"), q..q + displaced));
            speeds.extend(named("velocity", "Velocity", &format!(", {axes}"), v..v + displaced));
        }
        if let Some(attitude) = attitude {
            let (q, v) = (q + displaced, v + displaced);
            coordinates.extend(named("attitude", "Parameters of the attitude", "", q..q + attitude.count()));
            let (quantity, components) = match link.mobilizer {
                Mobilizer::Line { .. } => ("Angular velocity about x and y", 2),
                _ => ("Angular velocity", 3),
            };
            speeds.extend(named("angular_velocity", quantity, &format!(", {link_axes}"), v..v + components));
        }
    }
    (coordinates, speeds)
}

/// Owner of a coordinate or speed.
#[derive(Clone, Copy)]
enum Owner {
    Body(BodyId),
    Joint(JointId),
    Basic(u32),
    Algebraic(u32),
}

/// Coordinates by their owner: its name and its number of coordinates.
fn coordinate_groups(emission: &Emission<'_>) -> Vec<(String, usize)> {
    let owners = emission.compiled.tree.interface.iter().map(|c| match *c {
        InterfaceCoordinate::Body(b, _) => Owner::Body(b),
        InterfaceCoordinate::Joint(j, _) => Owner::Joint(j),
        InterfaceCoordinate::Basic(i, _) => Owner::Basic(i),
        InterfaceCoordinate::ContinuousAngle(b) => Owner::Body(b),
        InterfaceCoordinate::Algebraic(i) => Owner::Algebraic(i),
    });
    column_groups(emission, owners)
}

/// Speeds by their owner: its name and its number of speeds.
fn speed_groups(emission: &Emission<'_>) -> Vec<(String, usize)> {
    let owners = emission.compiled.tree.speeds.iter().map(|c| match *c {
        InterfaceSpeed::Body(b, _) => Owner::Body(b),
        InterfaceSpeed::Joint(j, _) => Owner::Joint(j),
        InterfaceSpeed::Basic(i, _) => Owner::Basic(i),
        InterfaceSpeed::ContinuousAngle(b) => Owner::Body(b),
        InterfaceSpeed::Algebraic(i) => Owner::Algebraic(i),
    });
    column_groups(emission, owners)
}

fn column_groups(emission: &Emission<'_>, owners: impl Iterator<Item = Owner>) -> Vec<(String, usize)> {
    let (model, tree) = (&emission.compiled.model, &emission.compiled.tree);
    let mut groups: Vec<(String, usize)> = Vec::new();
    for owner in owners {
        let name = match owner {
            Owner::Body(b) => model.bodies[b.index()].name.clone(),
            Owner::Joint(j) => model.joint(j).name.clone(),
            Owner::Basic(i) => model.coordinates.natural.basics[i as usize].name.clone(),
            Owner::Algebraic(i) => {
                let coordinate = InterfaceCoordinate::Algebraic(i);
                let index = tree.interface.iter().position(|c| *c == coordinate).expect("it is a coordinate");
                tree.coordinate_name(model, index)
            }
        };
        match groups.last_mut() {
            Some(last) if last.0 == name => last.1 += 1,
            _ => groups.push((name, 1)),
        }
    }
    groups
}

/// A type of borrowed parts of an array of n values, `of` its constructor; empty if there are no groups.
fn view(name: &str, docs: &str, constructor_docs: &str, groups: &[(String, usize)], n: usize) -> TokenStream {
    if groups.is_empty() {
        return quote!();
    }
    let name = value_ident(name, Span::call_site());
    let fields = groups.iter().map(|(name, size)| {
        let ident = value_ident(name, Span::call_site());
        let docs = format!("Values of `{name}`.");
        quote!(#[doc = #docs] pub #ident: &'a [f64; #size])
    });
    let mut offset = 0;
    let values = groups.iter().map(|(name, size)| {
        let ident = value_ident(name, Span::call_site());
        let start = offset;
        offset += size;
        let end = offset;
        quote!(#ident: part::<#start, #end, #size>(all))
    });
    quote! {
        #[doc = #docs]
        #[derive(Clone, Copy, Debug)]
        pub struct #name<'a> {
            #(#fields,)*
        }

        impl<'a> #name<'a> {
            #[doc = #constructor_docs]
            pub fn of(all: &'a [f64; #n]) -> Self {
                #name { #(#values,)* }
            }
        }
    }
}

/// The function by which views borrow their parts.
fn part(emission: &Emission<'_>) -> TokenStream {
    let n = emission.compiled.tree.n();
    let all = if emission.is_spatial() { quote!(&[f64]) } else { quote!(&[f64; #n]) };
    quote! {
        /// The part `START..END` of an array, `SIZE` long.
        fn part<const START: usize, const END: usize, const SIZE: usize>(all: #all) -> &[f64; SIZE] {
            match all.get(START..END).and_then(|slice| slice.first_chunk::<SIZE>()) {
                ::core::option::Option::Some(part) => part,
                ::core::option::Option::None => &[0.0; SIZE],
            }
        }
    }
}
