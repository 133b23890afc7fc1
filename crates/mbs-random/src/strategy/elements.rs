//! Quantities, equations, conditions, outputs.

use proptest::collection::vec;
use proptest::option::weighted;
use proptest::prelude::*;

use super::expressions::{expression, observable};
use super::{Kinds, attachment, grid_number, index, moving_attachment, positive, signal, style};
use crate::description::{
    RawCondition, RawEach, RawEvent, RawForm, RawInitial, RawInput, RawLine, RawReport, RawSet, RawState, RawTrigger,
    RawVector,
};
use crate::expr::Expr;
use crate::number::Number;
use crate::plan::Space;
use crate::world::Attachment;

fn computed() -> BoxedStrategy<Number> {
    style().prop_map(|style| Number { value: 0.0, style }).boxed()
}

/// Two ends; the first may be on ground and move.
pub fn two_attachments(space: Space) -> BoxedStrategy<[Attachment; 2]> {
    (moving_attachment(space), attachment(space)).prop_map(|(first, last)| [first, last]).boxed()
}

pub fn input() -> BoxedStrategy<RawInput> {
    (any::<bool>(), weighted(0.5, index())).prop_map(|(vector, frame)| RawInput { vector, frame }).boxed()
}

pub fn state(space: Space) -> BoxedStrategy<RawState> {
    let value = (-10i32..=10).prop_map(|k| f64::from(k) / 10.0);
    let gains = weighted(0.6, [value.clone(), value.clone(), value.clone(), value.clone()]);
    (vec(value, 1..=2), [expression(space), expression(space)], gains)
        .prop_map(|(start, rates, gains)| RawState { start, rates, gains })
        .boxed()
}

/// Switches, and `discrete` numbers.
pub fn switches() -> BoxedStrategy<(Vec<bool>, Vec<f64>)> {
    let discrete = (-10i32..=10).prop_map(|k| f64::from(k) / 10.0);
    (vec(prop::bool::weighted(0.7), 0..=2), vec(discrete, 0..=1)).boxed()
}

/// Condition of an element, if it has one, among the first `kinds` kinds.
pub fn condition(space: Space, kinds: usize) -> BoxedStrategy<Option<RawCondition>> {
    let all: Kinds<RawCondition> = vec![
        (3, (index(), any::<bool>()).prop_map(|(of, negated)| RawCondition::Switch { of, negated }).boxed()),
        (2, index().prop_map(RawCondition::Discrete).boxed()),
        (
            1,
            (index(), any::<bool>(), positive(0.1, 10))
                .prop_map(|(of, either, number)| RawCondition::Parameter { of, either, number })
                .boxed(),
        ),
        (2, expression(space).prop_map(RawCondition::State).boxed()),
    ];
    weighted(0.2, super::any_of(all.into_iter().take(kinds).collect())).boxed()
}

/// Items over bodies and pairs of them.
pub fn sets(space: Space) -> BoxedStrategy<Vec<RawSet>> {
    let each = prop_oneof![
        2 => Just(RawEach::Soft),
        2 => Just(RawEach::Sharp),
        1 => Just(RawEach::Spring),
        1 => expression(space).prop_map(RawEach::Drag),
        1 => Just(RawEach::Apart),
    ];
    let listed = prop_oneof![2 => Just(Vec::new()), 1 => vec(index(), 1..=3)];
    let set = (listed, each, positive(0.1, 20)).prop_map(|(listed, each, strength)| RawSet { listed, each, strength });
    weighted(0.25, vec(set, 1..=2)).prop_map(Option::unwrap_or_default).boxed()
}

/// Events.
pub fn events(space: Space) -> BoxedStrategy<Vec<RawEvent>> {
    let words = prop::sample::select(&["falls", "rises", "crosses"][..]);
    let trigger = prop_oneof![
        4 => (expression(space), words).prop_map(|(e, word)| RawTrigger::Passes(e, word)),
        2 => (expression(space), expression(space)).prop_map(|(a, b)| RawTrigger::Exceeds(a, b)),
        1 => positive(0.1, 20).prop_map(RawTrigger::Every),
        1 => expression(space).prop_map(RawTrigger::At),
    ];
    let line = prop_oneof![
        2 => (index(), expression(space)).prop_map(|(of, e)| RawLine::Discrete(of, e)),
        2 => (index(), any::<bool>()).prop_map(|(of, on)| RawLine::Switch(of, on)),
        1 => (index(), expression(space)).prop_map(|(of, e)| RawLine::State(of, e)),
        2 => (index(), 0usize..2, expression(space)).prop_map(|(of, order, e)| RawLine::Motion(of, order, e)),
        2 => ([attachment(space), attachment(space)], index(), positive(0.1, 10))
            .prop_map(|(ends, axis, restitution)| RawLine::Impulse(ends, axis, restitution)),
    ];
    let event = (trigger, condition(space, 4), vec(line, 0..=3));
    let event = event.prop_map(|(trigger, enabled, lines)| RawEvent { trigger, enabled, lines });
    weighted(0.25, vec(event, 1..=2)).prop_map(Option::unwrap_or_default).boxed()
}

pub fn form_kinds(space: Space) -> Kinds<RawForm> {
    let drive =
        (index(), signal(), computed()).prop_map(|(of, signal, computed)| RawForm::Drive { of, signal, computed });
    let coupling = ([index(), index()], grid_number(0.1, 15), grid_number(0.1, 5), computed())
        .prop_map(|(of, ratio, wave, computed)| RawForm::Coupling { of, ratio, wave, computed });
    let square = ([attachment(space), attachment(space)], computed())
        .prop_map(|(ends, computed)| RawForm::Square { ends, computed });
    let offset = ([attachment(space), attachment(space)], weighted(0.5, index()), computed())
        .prop_map(|(ends, frame, computed)| RawForm::Offset { ends, frame, computed });
    let curve = (attachment(space), grid_number(0.1, 15), computed())
        .prop_map(|(at, curvature, computed)| RawForm::Curve { at, curvature, computed });
    let direction = ([attachment(space), attachment(space)], computed())
        .prop_map(|(of, computed)| RawForm::Direction { of, computed });
    let general = (expression(space), weighted(0.4, signal()), computed())
        .prop_map(|(left, signal, computed)| RawForm::General { left, signal, computed });
    let start = (-10i32..=10).prop_map(|k| f64::from(k) / 10.0);
    let wire = (attachment(space), start.clone(), grid_number(0.05, 8), computed())
        .prop_map(|(at, start, wave, computed)| RawForm::Wire { at, start, wave, computed });
    let lift =
        (expression(space), start, computed()).prop_map(|(of, start, computed)| RawForm::Lift { of, start, computed });
    let terms = || (vec((expression(space), observable(space)), 1..=2), weighted(0.4, grid_number(0.1, 7)));
    let speeds = (terms(), grid_number(0.1, 10)).prop_map(|((terms, nonlinearity), right)| RawForm::Speeds {
        terms,
        nonlinearity,
        right,
    });
    let accelerations = (terms(), expression(space))
        .prop_map(|((terms, nonlinearity), right)| RawForm::Accelerations { terms, nonlinearity, right });
    let mut all = vec![
        (4, drive.boxed()),
        (2, coupling.boxed()),
        (2, square.boxed()),
        (2, offset.boxed()),
        (2, curve.boxed()),
        (3, direction.boxed()),
        (3, general.boxed()),
        (2, wire.boxed()),
        (2, lift.boxed()),
        (2, attachment(space).prop_map(|at| RawForm::Knife { at }).boxed()),
        (2, speeds.boxed()),
        (2, accelerations.boxed()),
        (2, [attachment(space), attachment(space)].prop_map(|ends| RawForm::Together { ends }).boxed()),
    ];
    if space == Space::Spatial {
        let spin =
            (index(), weighted(0.5, index()), [grid_number(0.1, 10), grid_number(0.1, 10), grid_number(0.1, 10)])
                .prop_map(|(of, frame, rate)| RawForm::Spin { of, frame, rate });
        all.push((2, spin.boxed()));
    }
    all
}

/// A vector of expressions, or of an input.
pub fn vector(space: Space) -> BoxedStrategy<RawVector> {
    let up = match space {
        Space::Planar => Just(Expr::literal(0.0)).boxed(),
        Space::Spatial => expression(space),
    };
    (expression(space), expression(space), up, weighted(0.5, index()), weighted(0.3, index()))
        .prop_map(|(x, y, z, frame, input)| RawVector { components: [x, y, z], frame, input })
        .boxed()
}

pub fn initial(space: Space) -> BoxedStrategy<RawInitial> {
    (observable(space), any::<bool>(), grid_number(0.1, 20), prop::bool::weighted(0.75))
        .prop_map(|(target, speed, value, exact)| RawInitial { target, speed, value, exact })
        .boxed()
}

pub fn report(space: Space) -> BoxedStrategy<RawReport> {
    let plain = prop_oneof![
        6 => expression(space).prop_map(RawReport::Scalar),
        3 => (attachment(space), 0usize..3, weighted(0.3, index())).prop_map(|(p, rates, frame)| RawReport::Position(p, rates, frame)),
        1 => vector(space).prop_map(RawReport::Vector),
        1 => Just(RawReport::Energy),
        1 => Just(RawReport::Momentum),
        1 => (index(), attachment(space)).prop_map(|(b, p)| RawReport::AngularMomentum(b, p)),
        1 => any::<bool>().prop_map(RawReport::Centre),
        3 => index().prop_map(RawReport::EquationLoad),
        2 => index().prop_map(RawReport::GearLoad),
        2 => index().prop_map(RawReport::ForceLoad),
        1 => (index(), any::<bool>()).prop_map(|(j, rates)| RawReport::JointVector(j, rates)),
        1 => index().prop_map(RawReport::State),
        3 => Just(RawReport::FamilySum),
    ];
    let reaction = (index(), any::<bool>()).prop_map(|(j, torque)| RawReport::Reaction(j, torque));
    let plain = match space {
        Space::Planar => plain.boxed(),
        Space::Spatial => prop_oneof![10 => plain, 1 => reaction].boxed(),
    };
    plain
        .prop_recursive(1, 2, 1, move |inner| {
            (expression(space), inner).prop_map(|(factor, report)| RawReport::Scaled(factor, Box::new(report)))
        })
        .boxed()
}
