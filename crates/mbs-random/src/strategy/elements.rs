//! Quantities, equations, forces, conditions, outputs.

use proptest::collection::vec;
use proptest::option::weighted;
use proptest::prelude::*;

use super::expressions::{expression, observable};
use super::{index, moving_place, number, place, positive, signal, style};
use crate::description::{RawForce, RawForm, RawInitial, RawInput, RawReport, RawState, RawVector};
use crate::number::Number;

fn computed() -> impl Strategy<Value = Number> + Clone {
    style().prop_map(|style| Number { value: 0.0, style })
}

/// Two ends; the first may lie on ground and move.
fn two_places() -> impl Strategy<Value = [Place; 2]> + Clone {
    (moving_place(), place()).prop_map(|(first, last)| [first, last])
}
use crate::world::Place;

pub fn input() -> impl Strategy<Value = RawInput> {
    (any::<bool>(), weighted(0.5, index())).prop_map(|(vector, frame)| RawInput { vector, frame })
}

pub fn state() -> impl Strategy<Value = RawState> {
    let value = (-10i32..=10).prop_map(|k| f64::from(k) / 10.0);
    let gains = weighted(0.6, [value.clone(), value.clone(), value.clone(), value.clone()]);
    (vec(value, 1..=2), [expression(), expression()], gains).prop_map(|(start, rates, gains)| RawState {
        start,
        rates,
        gains,
    })
}

pub fn form() -> impl Strategy<Value = RawForm> {
    let drive =
        (index(), signal(), computed()).prop_map(|(of, signal, computed)| RawForm::Drive { of, signal, computed });
    let coupling = ([index(), index()], number(0.1, 15), number(0.1, 5), computed())
        .prop_map(|(of, ratio, wave, computed)| RawForm::Coupling { of, ratio, wave, computed });
    let square = ([place(), place()], computed()).prop_map(|(ends, computed)| RawForm::Square { ends, computed });
    let offset = ([place(), place()], weighted(0.5, index()), computed())
        .prop_map(|(ends, frame, computed)| RawForm::Offset { ends, frame, computed });
    let curve =
        (place(), number(0.1, 15), computed()).prop_map(|(at, bend, computed)| RawForm::Curve { at, bend, computed });
    let direction = ([place(), place()], computed()).prop_map(|(of, computed)| RawForm::Direction { of, computed });
    let general = (expression(), weighted(0.4, signal()), computed())
        .prop_map(|(left, signal, computed)| RawForm::General { left, signal, computed });
    let start = (-10i32..=10).prop_map(|k| f64::from(k) / 10.0);
    let wire = (place(), start.clone(), number(0.05, 8), computed())
        .prop_map(|(at, start, wave, computed)| RawForm::Wire { at, start, wave, computed });
    let lift =
        (expression(), start, computed()).prop_map(|(of, start, computed)| RawForm::Lift { of, start, computed });
    let speeds = (vec((expression(), observable()), 1..=2), number(0.1, 10))
        .prop_map(|(terms, right)| RawForm::Speeds { terms, right });
    prop_oneof![
        4 => drive,
        2 => coupling,
        2 => square,
        2 => offset,
        2 => curve,
        3 => direction,
        3 => general,
        2 => wire,
        2 => lift,
        2 => place().prop_map(|at| RawForm::Knife { at }),
        2 => speeds,
        2 => [place(), place()].prop_map(|ends| RawForm::Together { ends }),
    ]
}

pub fn force() -> impl Strategy<Value = RawForce> {
    let spring =
        (two_places(), positive(1.0, 60), weighted(0.6, positive(0.1, 20)), weighted(0.6, positive(0.1, 8))).prop_map(
            |(ends, stiffness, damping, free_length)| RawForce::SpringDamper { ends, stiffness, damping, free_length },
        );
    let coil =
        (two_places(), positive(0.5, 20), weighted(0.5, positive(0.1, 10)), weighted(0.5, number(0.1, 15))).prop_map(
            |(ends, stiffness, damping, free_angle)| RawForce::TorsionSpring { ends, stiffness, damping, free_angle },
        );
    let damper =
        (two_places(), positive(0.1, 10)).prop_map(|(ends, damping)| RawForce::TorsionDamper { ends, damping });
    let torque = (two_places(), any::<bool>(), expression()).prop_map(|(ends, one, torque)| RawForce::Torque {
        ends,
        one,
        torque,
    });
    let push = (two_places(), any::<bool>(), vector()).prop_map(|(ends, one, force)| RawForce::PointForce {
        ends,
        one,
        force,
    });
    let wrench = (two_places(), any::<bool>(), vector(), expression())
        .prop_map(|(ends, one, force, moment)| RawForce::Wrench { ends, one, force, moment });
    prop_oneof![
        5 => spring,
        2 => coil,
        2 => damper,
        2 => torque,
        3 => push,
        2 => wrench,
        3 => (index(), expression()).prop_map(|(of, value)| RawForce::Mobility { of, value }),
        2 => expression().prop_map(RawForce::Potential),
    ]
}

fn vector() -> impl Strategy<Value = RawVector> + Clone {
    ([expression(), expression()], weighted(0.5, index()), weighted(0.3, index()))
        .prop_map(|(components, frame, input)| RawVector { components, frame, input })
}

pub fn initial() -> impl Strategy<Value = RawInitial> {
    (observable(), any::<bool>(), number(0.1, 20), prop::bool::weighted(0.75))
        .prop_map(|(target, speed, value, exact)| RawInitial { target, speed, value, exact })
}

pub fn report() -> impl Strategy<Value = RawReport> {
    let plain = prop_oneof![
        6 => expression().prop_map(RawReport::Scalar),
        3 => (place(), 0usize..3, weighted(0.3, index())).prop_map(|(p, rates, frame)| RawReport::Place(p, rates, frame)),
        1 => vector().prop_map(RawReport::Vector),
        1 => Just(RawReport::Energy),
        1 => Just(RawReport::Momentum),
        1 => (index(), place()).prop_map(|(b, p)| RawReport::AngularMomentum(b, p)),
        1 => any::<bool>().prop_map(RawReport::Centre),
        3 => index().prop_map(RawReport::EquationLoad),
        2 => index().prop_map(RawReport::GearLoad),
        2 => index().prop_map(RawReport::ForceLoad),
        1 => (index(), any::<bool>()).prop_map(|(j, rates)| RawReport::JointVector(j, rates)),
        1 => index().prop_map(RawReport::State),
        3 => Just(RawReport::FamilySum),
    ];
    plain.prop_recursive(1, 2, 1, |inner| {
        (expression(), inner).prop_map(|(factor, report)| RawReport::Scaled(factor, Box::new(report)))
    })
}
