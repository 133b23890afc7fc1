//! Forces: the kinds of the catalogue with the arguments that it defines, and potentials.

use mbs_model::Domain;
use mbs_model::catalog::{self, Argument, ArgumentDependence, Exerts, Kind, Shape};
use proptest::option::weighted;
use proptest::prelude::*;

use super::elements::{two_attachments, vector};
use super::expressions::expression;
use super::{Kinds, direction, grid_number, index, positive};
use crate::description::{RawApplied, RawArgued, RawForce};
use crate::number::Number;
use crate::plan::Space;

/// Weights of kinds that occur more often than others.
const FREQUENT: [(&str, u32); 4] = [("spring_damper", 5), ("cable", 4), ("point_force", 3), ("mobility", 3)];
/// Weight of others.
const USUAL: u32 = 2;
/// Probability of an argument that may be left out.
const GIVEN: f64 = 0.55;

/// Kinds of forces: those of the catalogue, then potentials.
pub fn force_kinds(space: Space) -> Kinds<RawForce> {
    let weight = |kind: &Kind| FREQUENT.iter().find(|(name, _)| *name == kind.name).map_or(USUAL, |found| found.1);
    let catalogued = catalog::forces(space).iter().map(|kind| (weight(kind), applied(space, kind)));
    catalogued.chain([(USUAL, expression(space).prop_map(RawForce::Potential).boxed())]).collect()
}

/// A force of a kind.
fn applied(space: Space, kind: &'static Kind) -> BoxedStrategy<RawForce> {
    let arguments: Vec<_> = kind.arguments.iter().filter_map(|argument| argued(space, kind, argument)).collect();
    // Some contacts touch and some cables are taut, others are not.
    let force = (two_attachments(space), any::<bool>(), index(), positive(0.1, 18), arguments);
    force
        .prop_map(move |(ends, one, coordinate, size, arguments)| {
            let arguments = arguments.into_iter().flatten().collect();
            RawForce::Catalogued(RawApplied { kind, ends, one, coordinate, size, arguments })
        })
        .boxed()
}

/// An argument with its value, if it is given; `None` where it never is.
fn argued(space: Space, kind: &Kind, argument: &Argument) -> Option<BoxedStrategy<Option<(&'static str, RawArgued)>>> {
    let numbers = match range(kind, argument) {
        Range::Left => return None,
        Range::Is(x) => Just(Number::literal(x)).boxed(),
        Range::Positive(step, most) => positive(step, most),
        Range::Any(step, most) => grid_number(step, most),
    };
    let is_load = argument.dependence == ArgumentDependence::Velocities && argument.domain == Domain::Finite;
    let value = match argument.shape {
        Shape::Number if is_load => expression(space).prop_map(RawArgued::Load).boxed(),
        Shape::Number => numbers.prop_map(RawArgued::Number).boxed(),
        Shape::Axis => direction(space).prop_map(RawArgued::Numbers).boxed(),
        Shape::World | Shape::Stated => vector(space).prop_map(RawArgued::Vector).boxed(),
        Shape::Diagonal => [numbers.clone(), numbers.clone(), numbers].prop_map(RawArgued::Numbers).boxed(),
        Shape::Function => positive(0.01, 8).prop_map(RawArgued::Hill).boxed(),
        Shape::Carrier => return None,
    };
    let name = argument.name;
    let is_always_given = argument.default.is_none() || matches!(range(kind, argument), Range::Is(_));
    let named = value.prop_map(move |value| (name, value));
    Some(if is_always_given { named.prop_map(Some).boxed() } else { weighted(GIVEN, named).boxed() })
}

/// Numbers of an argument.
enum Range {
    /// Multiples of a step above zero.
    Positive(f64, i32),
    /// Multiples of a step.
    Any(f64, i32),
    /// One number.
    Is(f64),
    /// None: it is left out, or follows from poses.
    Left,
}

fn range(kind: &Kind, argument: &Argument) -> Range {
    let is_gentle = kind.exerts == Exerts::Torque || argument.shape == Shape::Diagonal;
    match argument.name {
        "radius" | "first" | "second" if kind.contact_surface().is_some() => Range::Left,
        "free_length" if kind.name == "cable" => Range::Left,
        // These arguments occur in the tests of contacts only.
        "exponent" | "stiction" | "stribeck" | "slip_stiffness" | "slip_shape" | "slip_curvature" => Range::Left,
        // The default is too stiff for the differences that laws take.
        "creep" => Range::Is(0.5),
        "stiffness" | "torsional_stiffness" if is_gentle => Range::Positive(0.5, 30),
        "stiffness" => Range::Positive(1.0, 60),
        "free_length" | "dissipation" => Range::Positive(0.1, 8),
        _ if argument.domain == Domain::Finite => Range::Any(0.1, 15),
        _ => Range::Positive(0.1, if is_gentle { 10 } else { 15 }),
    }
}
