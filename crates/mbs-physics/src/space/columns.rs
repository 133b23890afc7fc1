//! Jacobians of points and directions with respect to speeds, by columns in world axes.

use mbs_expr::Scalar;

use super::links::Mobilizer;
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
    /// Columns of the point `r` of a body, in body axes, for the speeds that move the body, ascending.
    pub fn columns(&self, tree: &Tree, body: usize, r: Vector3<S>) -> Vec<Column<S>> {
        if let Some(basis) = self.basis(body) {
            let found = self.natural_columns(basis, r).into_iter();
            let columns = found.map(|(speed, [linear, angular])| Column { speed, linear, angular });
            let mut columns: Vec<Column<S>> = columns.collect();
            columns.sort_by_key(|c| c.speed);
            return columns;
        }
        let (link_of_body, pose) = &self.bodies[body];
        let u = pose.point(r);
        let mut columns = Vec::new();
        let mut next = *link_of_body;
        let Some(first) = *link_of_body else { return columns };
        let position = self.links[first].origin + self.links[first].rotation * u;
        while let Some(i) = next {
            let (link, state) = (&tree.links[i], &self.links[i]);
            let arm = if i == first { state.rotation * u } else { position - state.origin };
            let axis = |k: usize| state.rotation.column(k);
            let to_world = |v: Vector3<S>| state.rotation * v;
            let mut push = |k: usize, linear: Vector3<S>, angular: Vector3<S>| {
                columns.push(Column { speed: link.first_v + k, linear, angular });
            };
            let rotation_column = |k: usize| match i == first {
                // R (e × u): structural zeros of u are used.
                true => to_world(unit(k).cross(u)),
                false => axis(k).cross(arm),
            };
            let signed = |sign: f64, v: Vector3<S>| if sign < 0.0 { zero() - v } else { v };
            match link.mobilizer {
                Mobilizer::Revolute { axis: k, sign, .. } => {
                    push(0, signed(sign, rotation_column(k)), signed(sign, axis(k)))
                }
                Mobilizer::Prismatic { .. } => push(0, to_world(state.axis), zero()),
                Mobilizer::Screw { sign, .. } => {
                    let advance = axis(2) * state.axis[2];
                    push(0, signed(sign, rotation_column(2) + advance), signed(sign, axis(2)));
                }
                Mobilizer::Prescribed(_) => {}
                Mobilizer::Translation => (0..3).for_each(|k| push(k, axis(k), zero())),
                Mobilizer::Ball { .. } => (0..3).for_each(|k| push(k, rotation_column(k), axis(k))),
                Mobilizer::Line { reversed: false, .. } => (0..2).for_each(|k| push(k, rotation_column(k), axis(k))),
                Mobilizer::Line { .. }
                | Mobilizer::Ellipsoid { .. }
                | Mobilizer::Orbit { .. }
                | Mobilizer::Posed { .. } => {
                    for (k, Twist { angular, linear }) in state.variable_twists().iter().copied().enumerate() {
                        let omega = to_world(angular);
                        let linear = match i == first {
                            true => to_world(angular.cross(u) + linear),
                            false => omega.cross(arm) + to_world(linear),
                        };
                        push(k, linear, omega);
                    }
                }
                Mobilizer::Free { .. } => {
                    let world = matches!(state.velocity, Linear::World(_));
                    (0..3).for_each(|k| push(k, if world { unit(k) } else { axis(k) }, zero()));
                    (0..3).for_each(|k| push(3 + k, rotation_column(k), axis(k)));
                }
            }
            next = link.parent;
        }
        columns.sort_by_key(|c| c.speed);
        columns
    }
}
