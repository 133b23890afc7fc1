//! Derivatives of expressions with respect to the solver's speeds, from their derivatives with respect to observables.

use std::collections::BTreeMap;

use mbs_expr::{ExprId, MarkerId, Op, Scalar};
use mbs_model::RowLevel;

use super::vector::{Vector3, axis_vector, zero};
use crate::reactions::Derivatives;
use crate::{SolverCoordinate, SpatialMechanics};

impl<S: Scalar> SpatialMechanics<'_, '_, S> {
    /// In space, the gradient of an expression by solver speed: ∂ė/∂v̂ at position level (that is, along displacements in the directions of the
    /// speeds), ∂e/∂v̂ at velocity level, ∂e/∂â at acceleration level. Speeds that e cannot depend on are omitted.
    pub fn speed_gradient(&self, e: ExprId, level: RowLevel, derivatives: Derivatives<'_, S>) -> BTreeMap<usize, S> {
        let mut sums = BTreeMap::new();
        self.add_speed_gradient(e, level, S::number(1.0), derivatives, &mut sums);
        sums
    }

    /// Adds `factor` times the gradient of an expression.
    fn add_speed_gradient(
        &self,
        e: ExprId,
        level: RowLevel,
        factor: S,
        derivatives: Derivatives<'_, S>,
        sums: &mut BTreeMap<usize, S>,
    ) {
        let mut add = |speed: usize, term: S| {
            if !term.is_zero() {
                sums.entry(speed).and_modify(|sum: &mut S| *sum = *sum + term).or_insert(term);
            }
        };
        // Forces at points and moments of a unit load along e: their power is linear in the twist of the body.
        let mut forces: BTreeMap<MarkerId, Vector3<S>> = BTreeMap::new();
        let mut moments: BTreeMap<MarkerId, Vector3<S>> = BTreeMap::new();
        let mut nested = Vec::new();
        for (observable, derivative) in derivatives(e, level) {
            let derivative = factor * derivative;
            let component = |c: u8| axis_vector(usize::from(c), derivative);
            match observable {
                Op::Position(m, c) => {
                    let sum = forces.entry(m).or_insert_with(zero);
                    *sum += component(c);
                }
                Op::Direction(m, axis, c) if self.basis_of(m).is_some() => {
                    let forces = self
                        .basis_of(m)
                        .map(|basis| self.state.forces_on_vector(basis, self.axis_in_body(m, axis), component(c)));
                    self.forces_by_speed(forces.unwrap_or_default()).into_iter().for_each(|(i, x)| add(i, x));
                }
                Op::Basic(i, c) => {
                    let forces = self.forces_by_speed(vec![(i as usize, component(c))]);
                    forces.into_iter().for_each(|(i, x)| add(i, x));
                }
                Op::Direction(m, axis, c) => {
                    let sum = moments.entry(m).or_insert_with(zero);
                    *sum += self.marker_axis(m, axis).cross(component(c));
                }
                Op::AngularVelocity(m, c) => {
                    let sum = moments.entry(m).or_insert_with(zero);
                    *sum += component(c);
                }
                Op::JointCoordinate(j, k) => match self.tree.joint_coordinate_index(j, k) {
                    Some(i) => {
                        for (speed, rate) in self.coordinate_derivatives(i) {
                            add(speed, derivative * rate);
                        }
                    }
                    None if self.tree.prescribed(j, k).is_some() => {}
                    None => nested.push((self.model.joint(j).coordinates[usize::from(k)].1, derivative)),
                },
                Op::Algebraic(a) => {
                    if let Some(i) = self.tree.solver_index(SolverCoordinate::Algebraic(a)) {
                        add(i, derivative);
                    }
                }
                _ => {}
            }
        }
        for (m, force) in forces {
            let marker = &self.model.markers[m.index()];
            let Some(body) = marker.body else { continue };
            let point = self.vector(marker.point);
            for column in self.state.columns(self.tree, body.index(), point) {
                add(column.speed, force.dot(column.linear));
            }
        }
        for (m, moment) in moments {
            let Some(body) = self.model.markers[m.index()].body else { continue };
            for column in self.state.columns(self.tree, body.index(), zero()) {
                add(column.speed, moment.dot(column.angular));
            }
        }
        for (e, derivative) in nested {
            self.add_speed_gradient(e, RowLevel::Position, derivative, derivatives, sums);
        }
    }

    /// Row `coordinate` of q̇ = N H v̂: derivatives of the rate of an interface coordinate with respect to the solver's speeds, without those that
    /// are zero.
    pub fn coordinate_derivatives(&self, coordinate: usize) -> Vec<(usize, S)> {
        let moving: usize = self.tree.links.iter().map(|l| l.mobilizer.speeds()).sum();
        let Some(link) =
            self.tree.links.iter().find(|l| (l.first_q..l.first_q + l.mobilizer.coordinates()).contains(&coordinate))
        else {
            // Continuous and algebraic coordinates follow those of the links, with their rates as speeds.
            let links: usize = self.tree.links.iter().map(|l| l.mobilizer.coordinates()).sum();
            return vec![(moving + coordinate - links, S::number(1.0))];
        };
        let speeds = link.first_v..link.first_v + link.mobilizer.speeds();
        let derivative = |i: usize| {
            let unit: Vec<S> = (0..self.tree.n()).map(|k| S::number(if k == i { 1.0 } else { 0.0 })).collect();
            let interface = self.state.interface_speeds(self.tree, &unit);
            self.state.coordinate_rates(self.tree, &interface)[coordinate]
        };
        speeds.map(|i| (i, derivative(i))).filter(|(_, s)| !s.is_zero()).collect()
    }
}
