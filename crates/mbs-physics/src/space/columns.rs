//! Jacobians of points and directions with respect to speeds, by columns in world axes.

use mbs_expr::Scalar;

use super::links::Freedom;
use super::state::{Linear, SpaceState};
use super::twist::Twist;
use super::vector::{Vector3, unit, zero};
use crate::Tree;

/// Velocity of a point and angular velocity of its body per unit of one speed, world axes.
#[derive(Clone, Copy, Debug)]
pub struct Column<S> {
    /// Index of the speed.
    pub speed: usize,
    /// Velocity of the point.
    pub linear: Vector3<S>,
    /// Angular velocity of the body.
    pub angular: Vector3<S>,
}

impl<S: Scalar> SpaceState<S> {
    /// Columns of a point fixed in a body, for the speeds that move the body.
    pub fn columns(&self, tree: &Tree, body: usize, r: Vector3<S>) -> Vec<Column<S>> {
        if let Some(basis) = self.basis(body) {
            let found = self.natural_columns(basis, r).into_iter();
            let columns = found.map(|(speed, [linear, angular])| Column { speed, linear, angular });
            let mut columns: Vec<Column<S>> = columns.collect();
            columns.sort_by_key(|c| c.speed);
            return columns;
        }
        let (own, pose) = &self.bodies[body];
        let u = pose.point(r);
        let mut columns = Vec::new();
        let mut next = *own;
        let Some(first) = *own else { return columns };
        let there = self.links[first].origin + self.links[first].rotation * u;
        while let Some(i) = next {
            let (link, state) = (&tree.links[i], &self.links[i]);
            let arm = if i == first { state.rotation * u } else { there - state.origin };
            let axis = |k: usize| state.rotation.column(k);
            let along = |v: Vector3<S>| state.rotation * v;
            let mut push = |k: usize, linear: Vector3<S>, angular: Vector3<S>| {
                columns.push(Column { speed: link.first_v + k, linear, angular });
            };
            let turning = |k: usize| match i == first {
                // R (e × u): what is zero in u stays so.
                true => along(unit(k).cross(u)),
                false => axis(k).cross(arm),
            };
            let signed = |sign: f64, v: Vector3<S>| if sign < 0.0 { zero() - v } else { v };
            match link.freedom {
                Freedom::Turn { axis: k, sign, .. } => push(0, signed(sign, turning(k)), signed(sign, axis(k))),
                Freedom::Slide { .. } => push(0, along(state.axis), zero()),
                Freedom::Screw { sign, .. } => {
                    let advance = axis(2) * state.axis[2];
                    push(0, signed(sign, turning(2) + advance), signed(sign, axis(2)));
                }
                Freedom::Given(_) => {}
                Freedom::Shift => (0..3).for_each(|k| push(k, axis(k), zero())),
                Freedom::Ball { .. } => (0..3).for_each(|k| push(k, turning(k), axis(k))),
                Freedom::Line { reversed: false, .. } => (0..2).for_each(|k| push(k, turning(k), axis(k))),
                Freedom::Line { .. } | Freedom::Ellipsoid { .. } | Freedom::Orbit { .. } | Freedom::Posed { .. } => {
                    for (k, Twist { angular, linear }) in state.guided_twists().iter().copied().enumerate() {
                        let turned = along(angular);
                        let linear = match i == first {
                            true => along(angular.cross(u) + linear),
                            false => turned.cross(arm) + along(linear),
                        };
                        push(k, linear, turned);
                    }
                }
                Freedom::Float { .. } => {
                    let world = matches!(state.velocity, Linear::World(_));
                    (0..3).for_each(|k| push(k, if world { unit(k) } else { axis(k) }, zero()));
                    (0..3).for_each(|k| push(3 + k, turning(k), axis(k)));
                }
            }
            next = link.parent;
        }
        columns.sort_by_key(|c| c.speed);
        columns
    }
}
