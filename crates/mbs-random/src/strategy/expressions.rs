//! Expressions.

use proptest::prelude::*;

use super::{attachment, grid_number, index};
use crate::description::raw_coordinate;
use crate::expr::{Binary, Call, Expr, Made};
use crate::plan::Space;

/// An observable, a quantity or a number.
pub fn leaf(space: Space) -> BoxedStrategy<Expr> {
    prop_oneof![
        2 => grid_number(0.1, 15).prop_map(Expr::Number),
        4 => observable(space),
        1 => Just(Expr::Time),
        1 => index().prop_map(Expr::Input),
        1 => index().prop_map(Expr::State),
    ]
    .boxed()
}

/// Something that moves.
pub fn observable(space: Space) -> BoxedStrategy<Expr> {
    let d: usize = if space == Space::Spatial { 3 } else { 2 };
    prop_oneof![
        4 => index().prop_map(|i| Expr::Coordinate(raw_coordinate(i))),
        3 => (attachment(space), 0..d).prop_map(|(p, c)| Expr::Position(p, c)),
        2 => index().prop_map(Expr::Angle),
        1 => (attachment(space), 0..d, 0..d).prop_map(|(p, axis, c)| Expr::Axis(p, axis, c)),
        1 => (attachment(space), attachment(space)).prop_map(|(a, b)| Expr::Distance(a, b)),
        1 => (attachment(space), index(), 0..d).prop_map(|(p, b, c)| Expr::Within(p, b, c)),
    ]
    .boxed()
}

/// Any expression, small.
pub fn expression(space: Space) -> BoxedStrategy<Expr> {
    leaf(space).prop_recursive(3, 8, 3, |inner| {
        let binary = prop_oneof![
            3 => Just(Binary::Add),
            2 => Just(Binary::Sub),
            4 => Just(Binary::Mul),
            1 => Just(Binary::Div),
            1 => Just(Binary::Min),
            1 => Just(Binary::Max),
            1 => Just(Binary::Hypot),
            1 => Just(Binary::Atan2),
        ];
        prop_oneof![
            8 => (prop::sample::select(&Call::ALL[..]), inner.clone()).prop_map(|(f, x)| Expr::Call(f, Box::new(x))),
            2 => (prop::sample::select(&Call::ALL[..]), inner.clone()).prop_map(|(f, x)| Expr::Inlined(f, Box::new(x))),
            2 => inner.clone().prop_map(|x| Expr::Opaque(Box::new(x))),
            3 => (prop::sample::select(&Made::ALL[..]), inner.clone()).prop_map(|(f, x)| Expr::Made(f, Box::new(x))),
            10 => (binary, inner.clone(), inner.clone())
                .prop_map(|(op, a, b)| Expr::Binary(op, Box::new(a), Box::new(b))),
            6 => inner.clone().prop_map(|x| Expr::Rate(Box::new(x))),
            2 => [inner.clone(), inner.clone(), inner.clone(), inner.clone()].prop_map(|x| Expr::Choice(Box::new(x))),
            2 => inner.prop_map(|x| Expr::Let(Box::new(x))),
        ]
    }).boxed()
}
