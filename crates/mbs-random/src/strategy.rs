//! The strategy of [`Description`]s. Numbers lie on grids and shrink to zero or one, lists shrink by leaving elements out, kinds
//! to the ones listed first.

mod elements;
mod expressions;

use proptest::collection::vec;
use proptest::option::weighted;
use proptest::prelude::*;

use crate::description::{Chain, Closing, Description, Gear, Link, LinkKind, Member};
use crate::number::{Number, Style};
use crate::plan::Choice;
use crate::world::{Place, Shape, Signal, Write};

/// Mechanisms of 1 to 5 bodies with everything the language has.
pub fn descriptions() -> impl Strategy<Value = Description> {
    let structure = (
        (prop::bool::weighted(0.12), prop::bool::weighted(0.04)),
        weighted(0.7, gravity()),
        weighted(0.4, choice()),
        weighted(0.12, chain()),
        vec(member(), 0..=3),
        vec(closing(), 0..=2),
        vec(gear(), 0..=1),
    );
    let elements = (
        vec(elements::input(), 0..=1),
        vec(elements::state(), 0..=1),
        vec(elements::form(), 0..=3),
        vec(elements::force(), 0..=2),
        vec(elements::initial(), 0..=2),
        vec(elements::report(), 0..=3),
        prop::bool::weighted(0.5),
    );
    let first = member();
    (structure, first, elements).prop_map(|(structure, first, elements)| {
        let ((careless, kinematics), gravity, coordinates, chain, others, closings, gears) = structure;
        let (inputs, states, equations, forces, initial, outputs, freedoms) = elements;
        let bodies = std::iter::once(first).chain(others).collect();
        Description {
            careless,
            kinematics,
            gravity,
            coordinates,
            chain,
            bodies,
            closings,
            gears,
            inputs,
            states,
            equations,
            forces,
            initial,
            outputs,
            freedoms,
        }
    })
}

/// A raw index.
fn index() -> impl Strategy<Value = usize> + Clone {
    0usize..60
}

/// A number on a grid of `step`, from `-most` to `most` steps, shrinking to zero, in any style.
fn number(step: f64, most: i32) -> impl Strategy<Value = Number> + Clone {
    ((-most..=most).prop_map(move |k| f64::from(k) / (1.0 / step).round()), style())
        .prop_map(|(value, style)| Number { value, style })
}

/// A number above zero, shrinking to one step.
fn positive(step: f64, most: i32) -> impl Strategy<Value = Number> + Clone {
    ((1..=most).prop_map(move |k| f64::from(k) / (1.0 / step).round()), style())
        .prop_map(|(value, style)| Number { value, style })
}

fn style() -> impl Strategy<Value = Style> + Clone {
    prop_oneof![
        12 => Just(Style::Literal),
        2 => Just(Style::Constant),
        5 => Just(Style::Parameter),
        1 => Just(Style::Doubled),
    ]
}

fn gravity() -> impl Strategy<Value = ([f64; 2], bool)> {
    prop_oneof![
        Just(([0.0, -9.81], false)),
        Just(([0.0, -9.81], true)),
        Just(([1.5, -9.0], false)),
        Just(([1.5, -9.0], true)),
    ]
}

fn choice() -> impl Strategy<Value = Choice> {
    prop_oneof![Just(Choice::Joint), Just(Choice::Body)]
}

/// A point within a body's reach.
fn point() -> impl Strategy<Value = [Number; 2]> + Clone {
    [number(0.05, 10), number(0.05, 10)]
}

/// A place on some body.
fn place() -> impl Strategy<Value = Place> + Clone {
    let write = prop_oneof![
        12 => Just(Write::Inline),
        2 => Just(Write::Angle),
        1 => Just(Write::AxisX),
        1 => Just(Write::AxisY),
        1 => Just(Write::Nested),
        1 => Just(Write::Vector),
        1 => Just(Write::Com),
    ];
    let angle = prop_oneof![3 => Just(Number::literal(0.0)), 1 => number(0.1, 15)];
    (index(), point(), angle, write).prop_map(|(body, point, angle, write)| Place {
        body: Some(body),
        point,
        angle,
        motion: [None; 3],
        write,
    })
}

/// A place that moves if it lies on ground.
fn moving_place() -> impl Strategy<Value = Place> + Clone {
    let motion = prop_oneof![
        6 => Just([None; 3]),
        1 => [weighted(0.7, motion(0.3)), weighted(0.3, motion(0.3)), weighted(0.3, motion(0.5))],
    ];
    (place(), motion).prop_map(|(place, motion)| Place { motion, ..place })
}

/// A signal of an equation, which may be a function written in Rust.
fn signal() -> impl Strategy<Value = Signal> + Clone {
    let wave = motion(1.0).prop_map(|signal| Signal { shape: Shape::Wave, ..signal });
    prop_oneof![6 => motion(1.0), 1 => wave]
}

/// A motion of a marker on ground.
fn motion(size: f64) -> impl Strategy<Value = Signal> + Clone {
    let shape = prop_oneof![Just(Shape::Ramp), Just(Shape::Sine), Just(Shape::Cosine), Just(Shape::Square)];
    (positive(0.1, 10), positive(0.5, 8), shape).prop_map(move |(amplitude, frequency, shape)| Signal {
        amplitude: amplitude.with_value(amplitude.value * size),
        frequency,
        shape,
    })
}

fn chain() -> impl Strategy<Value = Chain> {
    let numbers = (positive(0.1, 6), positive(0.1, 10), positive(0.01, 10), point(), number(0.1, 15), number(0.1, 8));
    (2usize..=3, place(), numbers, weighted(0.5, Just(0.4))).prop_map(|(count, root, numbers, stiffness)| {
        let (length, mass, inertia, com, first, step) = numbers;
        Chain { count, root, length, mass, inertia, com, angles: [first, step], stiffness }
    })
}

fn link_kind() -> impl Strategy<Value = LinkKind> + Clone {
    prop_oneof![
        8 => Just(LinkKind::Revolute),
        4 => Just(LinkKind::Prismatic),
        2 => Just(LinkKind::Fixed),
        3 => Just(LinkKind::Free),
        3 => Just(LinkKind::PointOnLine),
        3 => Just(LinkKind::Distance),
    ]
}

fn link() -> impl Strategy<Value = Link> + Clone {
    let axis = (number(0.1, 10), number(0.1, 10)).prop_map(|(x, y)| {
        // Shrinks to the world's x axis.
        [x.with_value(1.0 + x.value), y]
    });
    let numbers = ([number(0.05, 12), number(0.05, 12)], number(0.1, 20), axis, style());
    let flags = (prop::bool::weighted(0.35), prop::bool::weighted(0.1), 0u8..4);
    (link_kind(), moving_place(), place(), numbers, flags).prop_map(|(kind, from, to, numbers, flags)| {
        let (offset, turn, axis, style) = numbers;
        let (reversed, cut, rank) = flags;
        Link { kind, from, to, offset, turn, axis, computed: Number { value: 0.0, style }, reversed, cut, rank }
    })
}

fn member() -> impl Strategy<Value = Member> {
    let masses = (positive(0.1, 20), positive(0.01, 20), point());
    let flags = (
        prop::bool::weighted(0.2),
        [prop::bool::weighted(0.12), prop::bool::weighted(0.12)],
        [prop::bool::weighted(0.05), prop::bool::weighted(0.05)],
    );
    let velocity = weighted(0.05, [-1.0..1.0f64, -1.0..1.0f64].prop_map(|v| v.map(|x| (x * 10.0).round() / 10.0)));
    let rest = (index(), weighted(0.95, link()), velocity, weighted(0.12, choice()));
    (masses, flags, rest).prop_map(|((mass, inertia, com), (particle, without, undeclared), rest)| {
        let (parent, link, velocity, coordinates) = rest;
        Member { particle, mass, inertia, com, without, parent, link, undeclared, velocity, coordinates }
    })
}

fn closing() -> impl Strategy<Value = Closing> {
    ([index(), index()], link()).prop_map(|(between, link)| Closing { between, link })
}

fn gear() -> impl Strategy<Value = Gear> {
    let ratio = number(0.1, 20).prop_map(|r| if r.value == 0.0 { r.with_value(1.0) } else { r });
    ([index(), index()], ratio, style(), 0u8..4).prop_map(|(of, ratio, style, rank)| Gear {
        of,
        ratio,
        computed: Number { value: 0.0, style },
        rank,
    })
}
