//! States, conditions, outputs.

use super::Builder;
use super::expressions::{OUTPUTS, POSITIONS, VELOCITIES};
use crate::description::{RawInitial, RawReport, RawState};
use crate::expr::Expr;
use crate::judge::CAREFUL_ROW;
use crate::matrix::{Basis, size};
use crate::plan::rows::Level;
use crate::plan::{ForceKind, Initial, JointKind, KernelSet, Report, State, Vector};
use crate::world::Attachment;

impl Builder {
    pub(super) fn states(&mut self, raw: &[RawState]) {
        // Rates may contain every state, so all states exist first.
        for state in raw {
            let gains = state.gains.filter(|_| state.start.len() == 2);
            self.plan.states.push(State { start: state.start.clone(), rates: Vec::new(), gains });
        }
        for (i, state) in raw.iter().enumerate() {
            let rates = state.rates.iter().take(state.start.len()).map(|e| self.resolve(e, VELOCITIES)).collect();
            self.plan.states[i].rates = rates;
        }
    }

    /// Adds `initial` conditions: true values of positions, any of speeds. Exact ones are independent of rows and of each other.
    pub(super) fn conditions(&mut self, raw: &[RawInitial]) {
        let world = self.plan.world();
        let [mut positions, mut speeds] = [Basis::default(), Basis::default()];
        for (row, level) in self.leveled_rows() {
            if level == Level::Position {
                positions.add(&row, 1e-9);
            }
            speeds.add(&row, 1e-9);
        }
        for condition in raw {
            let target = self.resolve(&condition.target, POSITIONS);
            let target = if condition.speed { Expr::Rate(Box::new(target)) } else { target };
            if !target.moves() {
                continue;
            }
            let value = match condition.speed {
                true => condition.value.value,
                false => self.plan.value(&target, &world).value(),
            };
            let row = self.plan.observable_row(&target);
            let basis = if condition.speed { &mut speeds } else { &mut positions };
            let independent = condition.exact && size(&row) > 1e-6 && basis.clone().add(&row, 1e-9) > CAREFUL_ROW;
            if independent {
                basis.add(&row, 1e-9);
            } else if size(&row) < 1e-6 {
                continue;
            }
            let value = condition.value.with_value(value);
            self.plan.initial.push(Initial { target, value, exact: independent });
        }
    }

    fn leveled_rows(&self) -> Vec<(Vec<f64>, Level)> {
        let joints = self.plan.joints.iter().flat_map(|j| self.plan.joint_rows(j));
        let equations = self.plan.equations.iter();
        let rows = equations.flat_map(|e| self.plan.equation_rows(e).into_iter().map(|row| (row, e.form.level())));
        joints.chain(rows).collect()
    }

    pub(super) fn reports(&mut self, raw: &[RawReport]) {
        for report in raw {
            if let Some(report) = self.report(report) {
                self.plan.outputs.push(report);
            }
        }
    }

    fn report(&self, raw: &RawReport) -> Option<Report> {
        let some = |i: usize, n: usize| (n > 0).then(|| i % n);
        Some(match raw {
            RawReport::Scalar(e) => Report::Scalar(self.resolve(e, OUTPUTS)),
            RawReport::Position(attachment, rates, frame) => Report::Vector(Vector::Position(
                self.body_attachment(attachment, false),
                *rates,
                self.plan.frame(*frame),
            )),
            RawReport::Vector(vector) => Report::Vector(self.vector(vector, OUTPUTS)),
            RawReport::Energy => Report::Energy,
            RawReport::Momentum => Report::Momentum,
            RawReport::AngularMomentum(b, attachment) => {
                Report::AngularMomentum(b % self.plan.bodies.len(), self.body_attachment(attachment, false))
            }
            RawReport::Centre(rate) => {
                let massive = self.plan.bodies.iter().any(|b| b.mass.is_some());
                massive.then_some(Report::Centre(*rate))?
            }
            RawReport::EquationLoad(i) => Report::EquationLoad(some(*i, self.plan.equations.len())?),
            RawReport::GearLoad(i) => {
                let joints = self.plan.joints.iter().enumerate();
                let gears: Vec<usize> =
                    joints.filter(|(_, j)| matches!(j.kind, JointKind::Gear { .. })).map(|(i, _)| i).collect();
                Report::GearLoad(gears[some(*i, gears.len())?])
            }
            RawReport::ForceLoad(i) => {
                let with_load = |f: &usize| !matches!(self.plan.forces[*f].kind, ForceKind::Potential(_));
                let forces: Vec<usize> = (0..self.plan.forces.len()).filter(with_load).collect();
                Report::ForceLoad(forces[some(*i, forces.len())?])
            }
            RawReport::Reaction(j, torque) => {
                let gear = |j: &usize| matches!(self.plan.joints[*j].kind, JointKind::Gear { .. });
                let joints: Vec<usize> = (0..self.plan.joints.len()).filter(|j| !gear(j)).collect();
                (self.plan.kernels != KernelSet::Kinematics).then_some(())?;
                Report::Reaction(joints[some(*j, joints.len())?], *torque)
            }
            RawReport::JointVector(j, rates) => {
                let particle =
                    |end: &Attachment| end.body.is_some_and(|b| self.plan.is_spatial() && self.plan.bodies[b].particle);
                let measured = |j: &usize| {
                    let joint = &self.plan.joints[*j];
                    // `q` are the coordinates of a rotation, which a particle does not have.
                    let named = match joint.kind {
                        JointKind::Declared(declared) => declared.kind().has_coordinates,
                        _ => self.plan.coordinate_count(joint) > 0,
                    };
                    named && !joint.ends.iter().any(particle)
                };
                let joints: Vec<usize> = (0..self.plan.joints.len()).filter(measured).collect();
                Report::JointVector(joints[some(*j, joints.len())?], *rates)
            }
            RawReport::Scaled(factor, inner) => {
                Report::Scaled(self.resolve(factor, OUTPUTS), Box::new(self.report(inner)?))
            }
            RawReport::State(i) => {
                let i = some(*i, self.plan.states.len())?;
                let published = |report: &Report| matches!(report, Report::State(other) if *other == i);
                (!self.plan.outputs.iter().any(published)).then_some(Report::State(i))?
            }
            RawReport::FamilySum => self.plan.family.as_ref().map(|_| Report::FamilySum)?,
        })
    }
}
