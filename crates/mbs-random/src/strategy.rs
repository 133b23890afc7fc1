//! The strategy of [`Description`]s. Numbers are on grids and shrink to zero or one, lists shrink by leaving elements out, and kinds shrink to the
//! ones listed first.

mod elements;
mod expressions;
mod forces;

use std::cmp::Reverse;

use proptest::collection::vec;
use proptest::option::weighted;
use proptest::prelude::*;
use proptest::strategy::Union;

use crate::catalogued;
use crate::declared;
use crate::description::{Chain, Closing, Description, Gear, Link, LinkKind, Member};
use crate::number::{Number, Style};
use crate::plan::{Choice, KernelSet, Space};
use crate::world::{Attachment, Notation, Shape, Signal, Z};

/// Kinds of something, with their weights, simple ones first.
type Kinds<T> = Vec<(u32, BoxedStrategy<T>)>;

/// Mechanisms of 1 to 5 bodies with everything the language has.
///
/// The first mechanisms of a run cover the kinds systematically: mechanism i is careful and contains joint kind i, attitude i, force i and
/// equation i, modulo their numbers, and another kind of joint that closes a loop, as far as the mechanism admits them. Later ones are
/// random.
pub fn descriptions(space: Space, case: u64) -> BoxedStrategy<Description> {
    let joints = link_kinds(space).len();
    let wanted = usize::try_from(case).ok().filter(|i| *i < 2 * joints);
    let careless = if wanted.is_some() { Just(false).boxed() } else { prop::bool::weighted(0.12).boxed() };
    let kinds = link_kinds(space).into_iter().map(|(weight, kind)| (weight, closing(space, kind))).collect();
    let structure = (
        (careless, prop::bool::weighted(0.04), prop::bool::weighted(0.2)),
        weighted(0.7, gravity(space)),
        weighted(0.4, choice()),
        weighted(0.12, chain(space)),
        vec(member(space, None), 0..=3),
        several(kinds, 2, wanted.map(|i| i + joints / 2)),
        vec(gear(), 0..=1),
    );
    let elements = (
        vec(elements::input(), 0..=1),
        (vec(elements::state(space), 0..=1), elements::switches()),
        vec_with(several(elements::form_kinds(space), 3, wanted), elements::condition(space, 3)),
        vec_with(several(forces::force_kinds(space), 2, wanted), elements::condition(space, 4)),
        (vec(elements::initial(space), 0..=2), elements::sets(space), elements::events(space)),
        vec(elements::report(space), 0..=3),
        prop::bool::weighted(0.5),
    );
    let first = member(space, wanted);
    (structure, first, elements)
        .prop_map(move |(structure, first, elements)| {
            let ((careless, kinematics, operators), gravity, coordinates, chain, others, closings, gears) = structure;
            let (
                inputs,
                (states, (switches, discretes)),
                equations,
                forces,
                (initial, sets, events),
                outputs,
                freedoms,
            ) = elements;
            let bodies = std::iter::once(first).chain(others).collect();
            let kernels = match (kinematics, operators) {
                (true, _) => KernelSet::Kinematics,
                (false, true) => KernelSet::Operators,
                (false, false) => KernelSet::Default,
            };
            Description {
                space,
                careless,
                kernels,
                gravity,
                coordinates,
                chain,
                bodies,
                closings,
                gears,
                inputs,
                states,
                switches,
                discretes,
                equations,
                forces,
                sets,
                initial,
                events,
                outputs,
                freedoms,
            }
        })
        .boxed()
}

/// One of some kinds.
fn any_of<T: std::fmt::Debug + 'static>(kinds: Kinds<T>) -> BoxedStrategy<T> {
    Union::new_weighted(kinds).boxed()
}

/// Up to `most` elements of some kinds; the wanted kind comes first, and only shrinking leaves it out.
fn several<T: std::fmt::Debug + 'static>(kinds: Kinds<T>, most: usize, wanted: Option<usize>) -> BoxedStrategy<Vec<T>> {
    let Some(i) = wanted else { return vec(any_of(kinds), 0..=most).boxed() };
    let first = weighted(CERTAIN, kinds[i % kinds.len()].1.clone());
    let rest = vec(any_of(kinds), 0..=most - 1);
    (first, rest).prop_map(|(first, rest)| first.into_iter().chain(rest).collect()).boxed()
}

/// Each element of a list with another value.
fn vec_with<T: std::fmt::Debug + 'static, U: std::fmt::Debug>(
    list: BoxedStrategy<Vec<T>>,
    with: impl Strategy<Value = U> + 'static,
) -> BoxedStrategy<Vec<(T, U)>> {
    (list, vec(with, MOST)).prop_map(|(list, with)| list.into_iter().zip(with).collect()).boxed()
}

/// Largest length of a list.
const MOST: usize = 3;

/// Probability of a feature that only shrinking leaves out.
const CERTAIN: f64 = 0.999;

/// A raw index.
fn index() -> BoxedStrategy<usize> {
    (0usize..60).boxed()
}

/// A number on a grid of `step`, from `-most` to `most` steps, shrinking to zero, in any style.
fn grid_number(step: f64, most: i32) -> BoxedStrategy<Number> {
    ((-most..=most).prop_map(move |k| f64::from(k) / (1.0 / step).round()), style())
        .prop_map(|(value, style)| Number { value, style })
        .boxed()
}

/// A number above zero, shrinking to one step.
fn positive(step: f64, most: i32) -> BoxedStrategy<Number> {
    ((1..=most).prop_map(move |k| f64::from(k) / (1.0 / step).round()), style())
        .prop_map(|(value, style)| Number { value, style })
        .boxed()
}

fn style() -> BoxedStrategy<Style> {
    prop_oneof![
        12 => Just(Style::Literal),
        2 => Just(Style::Constant),
        5 => Just(Style::Parameter),
        1 => Just(Style::Doubled),
    ]
    .boxed()
}

fn gravity(space: Space) -> BoxedStrategy<([f64; 3], bool)> {
    match space {
        Space::Planar => prop_oneof![
            Just(([0.0, -9.81, 0.0], false)),
            Just(([0.0, -9.81, 0.0], true)),
            Just(([1.5, -9.0, 0.0], false)),
            Just(([1.5, -9.0, 0.0], true)),
        ]
        .boxed(),
        Space::Spatial => {
            let any = [-20i32..=20, -20i32..=20, -20i32..=20].prop_map(|g| g.map(|x| f64::from(x) / 2.0));
            let direction = prop_oneof![Just([0.0, 0.0, -9.81]), Just([0.0, -9.81, 0.0]), any];
            (direction, any_bool()).boxed()
        }
    }
}

fn any_bool() -> BoxedStrategy<bool> {
    any::<bool>().boxed()
}

fn choice() -> BoxedStrategy<Choice> {
    prop_oneof![Just(Choice::Joint), Just(Choice::Body)].boxed()
}

/// A number, zero in the plane.
fn third(space: Space, step: f64, most: i32) -> BoxedStrategy<Number> {
    match space {
        Space::Planar => Just(Number::literal(0.0)).boxed(),
        Space::Spatial => grid_number(step, most),
    }
}

/// A point on a body, with coordinates up to 0.5 m.
fn point(space: Space) -> BoxedStrategy<[Number; 3]> {
    (grid_number(0.05, 10), grid_number(0.05, 10), third(space, 0.05, 10)).prop_map(|(x, y, z)| [x, y, z]).boxed()
}

/// A direction; z in the plane.
fn direction(space: Space) -> BoxedStrategy<[Number; 3]> {
    let any = [grid_number(0.1, 10), grid_number(0.1, 10), grid_number(0.1, 10)];
    let coordinate_axis = |k: usize| Just([0, 1, 2].map(|c| Number::literal(if c == k { 1.0 } else { 0.0 })));
    let axis = prop_oneof![2 => coordinate_axis(2), 1 => coordinate_axis(0), 1 => coordinate_axis(1)];
    match space {
        Space::Planar => coordinate_axis(2).boxed(),
        Space::Spatial => prop_oneof![1 => axis, 1 => any].boxed(),
    }
    .boxed()
}

/// Axis of the rotation of a frame; z in the plane.
fn about(space: Space) -> BoxedStrategy<[f64; 3]> {
    match space {
        Space::Planar => Just(Z).boxed(),
        Space::Spatial => {
            let any = [-10i32..=10, -10i32..=10, 1i32..=10].prop_map(|axis| axis.map(|x| f64::from(x) / 10.0));
            prop_oneof![2 => Just(Z), 1 => Just([1.0, 0.0, 0.0]), 3 => any].boxed()
        }
    }
}

/// An attachment on some body.
fn attachment(space: Space) -> BoxedStrategy<Attachment> {
    let plane = prop_oneof![
        12 => Just(Notation::Inline),
        2 => Just(Notation::Angle),
        1 => Just(Notation::AxisX),
        1 => Just(Notation::AxisY),
        1 => Just(Notation::Nested),
        1 => Just(Notation::Vector),
        1 => Just(Notation::Com),
    ];
    let notation = match space {
        Space::Planar => plane.boxed(),
        Space::Spatial => prop_oneof![7 => plane, 1 => Just(Notation::Euler), 1 => Just(Notation::Quaternion)].boxed(),
    };
    let angle = prop_oneof![3 => Just(Number::literal(0.0)), 1 => grid_number(0.1, 15)];
    (index(), point(space), angle, notation, about(space))
        .prop_map(|(body, point, angle, notation, about)| Attachment {
            body: Some(body),
            point,
            about,
            angle,
            motion: [None; 4],
            notation,
        })
        .boxed()
}

/// An attachment that moves if it is on ground.
fn moving_attachment(space: Space) -> BoxedStrategy<Attachment> {
    let up = match space {
        Space::Planar => Just(None).boxed(),
        Space::Spatial => weighted(0.3, motion(0.3)).boxed(),
    };
    let moves = (weighted(0.7, motion(0.3)), weighted(0.3, motion(0.3)), weighted(0.3, motion(0.5)), up);
    let motion = prop_oneof![6 => Just([None; 4]), 1 => moves.prop_map(|(x, y, angle, z)| [x, y, angle, z])];
    (attachment(space), motion).prop_map(|(attachment, motion)| Attachment { motion, ..attachment }).boxed()
}

/// A signal of an equation, which may be a function written in Rust.
fn signal() -> BoxedStrategy<Signal> {
    let wave = motion(1.0).prop_map(|signal| Signal { shape: Shape::Wave, ..signal });
    prop_oneof![6 => motion(1.0), 1 => wave].boxed()
}

/// A motion of a marker on ground.
fn motion(size: f64) -> BoxedStrategy<Signal> {
    let shape = prop_oneof![Just(Shape::Ramp), Just(Shape::Sine), Just(Shape::Cosine), Just(Shape::Square)];
    (positive(0.1, 10), positive(0.5, 8), shape)
        .prop_map(move |(amplitude, frequency, shape)| Signal {
            amplitude: amplitude.with_value(amplitude.value * size),
            frequency,
            shape,
        })
        .boxed()
}

fn chain(space: Space) -> BoxedStrategy<Chain> {
    let numbers = (
        positive(0.1, 6),
        positive(0.1, 10),
        positive(0.01, 10),
        point(space),
        grid_number(0.1, 15),
        grid_number(0.1, 8),
    );
    (2usize..=3, attachment(space), numbers, weighted(0.5, Just(0.4)))
        .prop_map(|(count, root, numbers, stiffness)| {
            let (length, mass, inertia, com, first, step) = numbers;
            Chain { count, root, length, mass, inertia, com, angles: [first, step], stiffness }
        })
        .boxed()
}

/// Weights of kinds of joints that occur more often than others.
const FREQUENT: [(Space, &str, u32); 4] = [
    (Space::Planar, "revolute", 8),
    (Space::Planar, "prismatic", 4),
    (Space::Spatial, "revolute", 16),
    (Space::Spatial, "distance", 7),
];

/// Kinds of links, the most frequent ones first.
fn link_kinds(space: Space) -> Kinds<LinkKind> {
    let (usual, of_text) = match space {
        Space::Planar => (3, 1),
        Space::Spatial => (2, 3),
    };
    let weight =
        |name: &str| FREQUENT.iter().find(|(s, n, _)| (*s, *n) == (space, name)).map_or(usual, |found| found.2);
    let catalogued = catalogued::kinds(space).iter().enumerate();
    let mut kinds: Vec<(u32, LinkKind)> =
        catalogued.map(|(k, kind)| (weight(kind.name()), LinkKind::Catalogued(k))).collect();
    kinds.sort_by_key(|(weight, _)| Reverse(*weight));
    kinds.extend((space == Space::Planar).then_some((3, LinkKind::Cam)));
    kinds.extend((0..declared::kinds(space).len()).map(|k| (of_text, LinkKind::Declared(k))));
    kinds.into_iter().map(|(weight, kind)| (weight, Just(kind).boxed())).collect()
}

/// The kind of a body's link: any, or the wanted one, which shrinks to the first.
fn link_kind(space: Space, wanted: Option<usize>) -> BoxedStrategy<LinkKind> {
    let kinds = link_kinds(space);
    let Some(i) = wanted else { return any_of(kinds) };
    any_of(vec![(1, kinds[0].1.clone()), (999, kinds[i % kinds.len()].1.clone())])
}

/// Numbers that only spatial joints need.
fn link_in_space(space: Space) -> BoxedStrategy<([[Number; 3]; 2], [[Number; 3]; 2], bool)> {
    let zero = [Number::literal(0.0); 3];
    match space {
        Space::Planar => Just(([zero; 2], [zero; 2], false)).boxed(),
        Space::Spatial => {
            let rest = [grid_number(0.05, 12), grid_number(0.1, 12), grid_number(0.1, 12)];
            let axes = [direction(space), direction(space), direction(space)];
            (rest, axes).prop_map(|([z, b, c], [i, j, k])| ([[z, b, c], i], [j, k], true)).boxed()
        }
    }
}

fn link(space: Space, kind: BoxedStrategy<LinkKind>) -> BoxedStrategy<Link> {
    let axis = (grid_number(0.1, 10), grid_number(0.1, 10)).prop_map(|(x, y)| {
        // Shrinks to the world's x axis.
        [x.with_value(1.0 + x.value), y, Number::literal(0.0)]
    });
    let numbers = ([grid_number(0.05, 12), grid_number(0.05, 12)], grid_number(0.1, 20), axis, style());
    let flags = (prop::bool::weighted(0.35), prop::bool::weighted(0.1), 0u8..4);
    let ends = (moving_attachment(space), attachment(space));
    (kind, ends, numbers, flags, link_in_space(space))
        .prop_map(|(kind, (from, to), numbers, flags, more)| {
            let ([x, y], angle, axis, style) = numbers;
            let (reversed, cut, rank) = flags;
            let ([[z, b, c], i], [j, k], spatial) = more;
            let axes = if spatial { [i, j, k] } else { [axis; 3] };
            let computed = Number { value: 0.0, style };
            Link { kind, from, to, offset: [x, y, z], angles: [angle, b, c], axes, computed, reversed, cut, rank }
        })
        .boxed()
}

/// All attitude representations.
pub const ATTITUDES: [&str; 16] = [
    "quaternion",
    "mrp",
    "rodrigues",
    "vector",
    "euler(zyx)",
    "euler(xyz)",
    "euler(zxz)",
    "euler(xzy)",
    "euler(yxz)",
    "euler(yzx)",
    "euler(zxy)",
    "euler(xyx)",
    "euler(xzx)",
    "euler(yxy)",
    "euler(yzy)",
    "euler(zyz)",
];

/// Moments and products of inertia as multiples of one; they are those of a solid, thus positive definite with a margin.
fn tensor(space: Space) -> BoxedStrategy<[Number; 6]> {
    let [one, zero] = [1.0, 0.0].map(Number::literal);
    match space {
        Space::Planar => Just([one, one, one, zero, zero, zero]).boxed(),
        Space::Spatial => {
            let moment = || (0i32..=10, style()).prop_map(|(k, style)| (1.0 + f64::from(k) / 10.0, style));
            let moment = move || moment().prop_map(|(value, style)| Number { value, style });
            let products = prop_oneof![
                2 => Just([zero; 3]).boxed(),
                1 => [grid_number(0.05, 5), grid_number(0.05, 5), grid_number(0.05, 5)].boxed(),
            ];
            ([moment(), moment(), moment()], products).prop_map(|([a, b, c], [d, e, f])| [a, b, c, d, e, f]).boxed()
        }
    }
}

/// Attitude representation, and axes of speeds.
fn attitude(space: Space, wanted: Option<usize>) -> BoxedStrategy<(Option<&'static str>, Option<bool>)> {
    let named = match wanted {
        None => weighted(0.7, prop::sample::select(&ATTITUDES[..])).boxed(),
        Some(i) => weighted(CERTAIN, Just(ATTITUDES[i % ATTITUDES.len()])).boxed(),
    };
    match space {
        Space::Planar => Just((None, None)).boxed(),
        Space::Spatial => (named, weighted(0.5, prop::bool::weighted(0.7))).boxed(),
    }
}

/// A body with its link; the wanted kind, if any, is that of a rigid body.
fn member(space: Space, wanted: Option<usize>) -> BoxedStrategy<Member> {
    let masses = (positive(0.1, 20), positive(0.01, 20), point(space), tensor(space));
    let particle = if wanted.is_some() { Just(false).boxed() } else { prop::bool::weighted(0.2).boxed() };
    let linked = if wanted.is_some() { CERTAIN } else { 0.95 };
    let flags = (
        particle,
        [prop::bool::weighted(0.12), prop::bool::weighted(0.12)],
        [prop::bool::weighted(0.05), prop::bool::weighted(0.05)],
    );
    let v = || (-1.0..1.0f64).prop_map(|x| (x * 10.0).round() / 10.0);
    let up = match space {
        Space::Planar => Just(0.0).boxed(),
        Space::Spatial => v().boxed(),
    };
    let velocity = weighted(0.05, (v(), v(), up).prop_map(|(x, y, z)| [x, y, z]));
    let link = weighted(linked, link(space, link_kind(space, wanted)));
    let rest = (index(), link, velocity, weighted(0.12, choice()), attitude(space, wanted));
    (masses, flags, rest)
        .prop_map(|((mass, inertia, com, tensor), (particle, without, undeclared), rest)| {
            let (parent, link, velocity, coordinates, attitude) = rest;
            Member {
                particle,
                mass,
                inertia,
                tensor,
                com,
                without,
                parent,
                link,
                undeclared,
                velocity,
                attitude,
                coordinates,
            }
        })
        .boxed()
}

fn closing(space: Space, kind: BoxedStrategy<LinkKind>) -> BoxedStrategy<Closing> {
    ([index(), index()], link(space, kind), elements::condition(space, 3))
        .prop_map(|(between, link, enabled)| Closing { between, link, enabled })
        .boxed()
}

fn gear() -> BoxedStrategy<Gear> {
    let ratio = grid_number(0.1, 20).prop_map(|r| if r.value == 0.0 { r.with_value(1.0) } else { r });
    ([index(), index()], ratio, style(), 0u8..4)
        .prop_map(|(of, ratio, style, rank)| Gear { of, ratio, computed: Number { value: 0.0, style }, rank })
        .boxed()
}
