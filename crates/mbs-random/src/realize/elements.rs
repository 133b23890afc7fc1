//! States, forces, conditions, outputs.

use super::Builder;
use super::expressions::{ANYTHING, POSITIONS, POTENTIALS, VELOCITIES};
use crate::description::{RawCondition, RawForce, RawInitial, RawReport, RawState, Under};
use crate::expr::Expr;
use crate::frame::{Frame, inner, plus};
use crate::judge::CAREFUL_ROW;
use crate::matrix::{Basis, size};
use crate::number::Number;
use crate::plan::rows::Level;
use crate::plan::{Force, ForceKind, Initial, JointKind, Report, State, Vector};
use crate::spatial::turn_about;
use crate::world::Place;

/// Least distance of the ends of a spring, except for springs of free length zero.
const CLOSE: f64 = 0.05;

/// Least difference of the free length of a cable from the distance of its ends, relative to that: rounding decides where a cable becomes
/// slack.
const SLACK: f64 = 0.05;

/// The ends of a force.
pub fn ends(kind: &ForceKind) -> Vec<Place> {
    match kind {
        ForceKind::SpringDamper { ends, .. }
        | ForceKind::Cable { ends, .. }
        | ForceKind::Contact { ends, .. }
        | ForceKind::TorsionSpring { ends, .. }
        | ForceKind::TorsionDamper { ends, .. }
        | ForceKind::Bushing { ends, .. } => ends.to_vec(),
        ForceKind::Torque { ends, .. } | ForceKind::PointForce { ends, .. } | ForceKind::Wrench { ends, .. } => {
            ends.clone()
        }
        ForceKind::Mobility { .. } | ForceKind::Potential(_) => Vec::new(),
    }
}

/// Height of a hill as it is printed, with its partial derivatives.
fn hill_at(c: f64, [x, y]: [f64; 2]) -> (f64, [f64; 2]) {
    let (s, d) = (x - 2.0 * y).sin_cos();
    (0.02 * s - c * (x * x + 0.5 * y * y), [0.02 * d - 2.0 * c * x, -0.04 * d - c * y])
}

/// Distance from the nearest point of gentle terrain, negative below: s ← p_s + ∇f (p_z − f).
fn height_over([x, y, z]: [f64; 3], terrain: &dyn Fn([f64; 2]) -> (f64, [f64; 2])) -> f64 {
    let mut s = [x, y];
    for _ in 0..100 {
        let (f, [gx, gy]) = terrain(s);
        s = [0.5 * (s[0] + x + gx * (z - f)), 0.5 * (s[1] + y + gy * (z - f))];
    }
    let (f, [gx, gy]) = terrain(s);
    ((z - f) - gx * (x - s[0]) - gy * (y - s[1])) / (1.0 + gx * gx + gy * gy).sqrt()
}

impl Builder {
    pub(super) fn states(&mut self, raw: &[RawState]) {
        // Rates may contain every state, so all states exist first.
        for state in raw {
            let gains = state.gains.filter(|_| state.start.len() == 2);
            self.plan.states.push(State { start: state.start.clone(), rates: Vec::new(), gains });
        }
        for (i, state) in raw.iter().enumerate() {
            let rates = state.rates.iter().take(state.start.len()).map(|e| self.settle(e, VELOCITIES)).collect();
            self.plan.states[i].rates = rates;
        }
    }

    pub(super) fn forces(&mut self, raw: &[(RawForce, Option<RawCondition>)]) {
        for (force, enabled) in raw {
            if let Some(kind) = self.force(force) {
                let name = format!("f{}", self.plan.forces.len());
                let reach = if matches!(kind, ForceKind::Potential(_)) { POTENTIALS } else { VELOCITIES };
                let enabled = self.condition_of_force(enabled.as_ref(), reach);
                self.plan.forces.push(Force { name, kind, enabled });
            }
        }
    }

    /// Two ends on different bodies, the first of which may be ground; no particles where the kind `turns`.
    pub(super) fn two(&self, raw: &[Place; 2], turns: bool) -> Option<[Place; 2]> {
        let eligible: Vec<usize> =
            (0..self.plan.bodies.len()).filter(|b| !turns || !self.plan.bodies[*b].particle).collect();
        if eligible.is_empty() {
            return None;
        }
        let last = raw[1].body.unwrap_or(0) % eligible.len();
        let first = match raw[0].body.unwrap_or(0) % eligible.len() {
            0 => None,
            k => Some(eligible[if k - 1 < last { k - 1 } else { k }]),
        };
        Some([self.settled(raw[0], first), self.settled(raw[1], Some(eligible[last]))])
    }

    fn one_or_two(&self, raw: &[Place; 2], one: bool, turns: bool) -> Option<Vec<Place>> {
        let [first, last] = self.two(raw, turns)?;
        Some(if one { vec![last] } else { vec![first, last] })
    }

    fn force(&self, raw: &RawForce) -> Option<ForceKind> {
        Some(match raw {
            RawForce::SpringDamper { ends, stiffness, damping, free_length } => {
                let ends = self.two(ends, false)?;
                let far = ends[0].distance(&ends[1], &self.plan.world()) > CLOSE;
                let (damping, free_length) = (damping.filter(|_| far), free_length.filter(|_| far));
                ForceKind::SpringDamper { ends, stiffness: *stiffness, damping, free_length }
            }
            RawForce::Cable { ends, stiffness, damping, slack } => {
                let ends = self.two(ends, false)?;
                let length = Some(ends[0].distance(&ends[1], &self.plan.world())).filter(|length| *length > CLOSE)?;
                let ratio = if (slack.value - 1.0).abs() < SLACK { 1.0 - SLACK } else { slack.value };
                let free_length = slack.with_value((1e4 * ratio * length).round() / 1e4);
                ForceKind::Cable { ends, stiffness: *stiffness, damping: *damping, free_length }
            }
            RawForce::Contact { ends, under, deep, stiffness, losses, friction } => {
                let ends = self.two(ends, matches!(under, Under::Circle | Under::Hill(_)))?;
                // A particle has no axes that could define a plane.
                let under = match under {
                    Under::Plane if self.is_particle(ends[0].body) => Under::Ball,
                    under => *under,
                };
                let radii = self.radii(&ends, under, *deep)?;
                let (stiffness, losses, friction) = (*stiffness, *losses, *friction);
                ForceKind::Contact { ends, under, radii, stiffness, losses, friction }
            }
            RawForce::TorsionSpring { ends, axis, stiffness, damping, free_angle } => {
                let ends = self.two(ends, true).filter(|ends| !self.nears_half_turn(ends, *axis))?;
                ForceKind::TorsionSpring {
                    ends,
                    axis: *axis,
                    stiffness: *stiffness,
                    damping: *damping,
                    free_angle: *free_angle,
                }
            }
            RawForce::TorsionDamper { ends, axis, damping } => {
                ForceKind::TorsionDamper { ends: self.two(ends, true)?, axis: *axis, damping: *damping }
            }
            RawForce::Bushing { ends, stiffness, damping } => self.bushing(ends, *stiffness, *damping)?,
            RawForce::Torque { ends, one, torque } => {
                ForceKind::Torque { ends: self.one_or_two(ends, *one, true)?, torque: self.moment(torque) }
            }
            RawForce::PointForce { ends, one, force } => ForceKind::PointForce {
                ends: self.one_or_two(ends, *one, false)?,
                force: self.vector(force, VELOCITIES),
            },
            RawForce::Wrench { ends, one, force, moment } => ForceKind::Wrench {
                ends: self.one_or_two(ends, *one, true)?,
                force: self.vector(force, VELOCITIES),
                moment: self.moment(moment),
            },
            RawForce::Mobility { of, value } => {
                ForceKind::Mobility { of: self.chosen_coordinate(*of)?, value: self.settle(value, VELOCITIES) }
            }
            RawForce::Potential(e) => {
                let potential = self.moving(self.settle(e, POTENTIALS));
                // A product with zero is no potential.
                let slopes = self.plan.observable_row(&potential);
                (size(&slopes) > 1e-9).then_some(ForceKind::Potential(potential))?
            }
        })
    }

    /// Radii of a contact that clearly touches or clearly does not; with a plane or hill only that of the second end.
    fn radii(&self, ends: &[Place; 2], under: Under, deep: Number) -> Option<[Option<Number>; 2]> {
        let world = self.plan.world();
        let ratio = if (deep.value - 1.0).abs() < SLACK { 1.0 - SLACK } else { deep.value };
        let rounded = |x: f64| deep.with_value((1e4 * x).round() / 1e4);
        if matches!(under, Under::Plane | Under::Hill(_)) {
            let [a, b] = ends.map(|end| Frame::of(&end, &world));
            let up = if self.plan.is_spatial() { 2 } else { 1 };
            let arm = plus(b.position, -1.0, a.position);
            let [x, y, z] = a.axes.map(|axis| inner(arm, axis));
            let height = match under {
                Under::Hill(hill) if up == 1 => height_over([x, 0.0, y], &|[x, _]| {
                    let (f, [slope, _]) = hill_at(hill.value, [x, 0.0]);
                    (f, [slope, 0.0])
                }),
                Under::Hill(hill) => height_over([x, y, z], &|s| hill_at(hill.value, s)),
                _ => [x, y, z][up],
            };
            // Below the plane a contact is deep with any radius.
            return Some([
                None,
                Some(rounded(if height > CLOSE { ratio * height } else { 0.2 * ratio - height.min(0.0) })),
            ]);
        }
        let length = Some(ends[0].distance(&ends[1], &world)).filter(|length| *length > CLOSE)?;
        Some([0.4, 0.6].map(|part| Some(rounded(part * ratio * length))))
    }

    /// Whether the angle of a spatial torsion spring may reach its jump: where joints keep its sine at zero and the cosine is not well
    /// above it, rounding would choose between the half revolutions.
    fn nears_half_turn(&self, ends: &[Place; 2], axis: [Number; 3]) -> bool {
        let [sine, cosine] = turn_about(axis, ends, &self.plan.world()).map(|x| x.value());
        self.plan.is_spatial() && sine.abs() < 0.3 && cosine < 0.5
    }

    /// A bushing between frames whose axes are not too far apart: its angles are singular at a right angle, and jump at half revolutions.
    fn bushing(
        &self,
        ends: &[Place; 2],
        stiffness: [[Number; 3]; 2],
        damping: [Option<[Number; 3]>; 2],
    ) -> Option<ForceKind> {
        let ends = self.two(ends, true)?;
        let world = self.plan.world();
        let [a, b] = ends.map(|e| Frame::of(&e, &world));
        let (cosine, [first, _, last]) = a.inverse().then(&b).angles([0, 1, 2]);
        let regular = cosine > 0.5 && first.abs() < 2.0 && last.abs() < 2.0;
        (regular && self.plan.is_spatial()).then_some(ForceKind::Bushing { ends, stiffness, damping })
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
            let target = self.settle(&condition.target, POSITIONS);
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
            RawReport::Scalar(e) => Report::Scalar(self.settle(e, ANYTHING)),
            RawReport::Place(place, rates, frame) => {
                Report::Vector(Vector::Place(self.spot(place, false), *rates, self.frame(*frame)))
            }
            RawReport::Vector(vector) => Report::Vector(self.vector(vector, ANYTHING)),
            RawReport::Energy => Report::Energy,
            RawReport::Momentum => Report::Momentum,
            RawReport::AngularMomentum(b, place) => {
                Report::AngularMomentum(b % self.plan.bodies.len(), self.spot(place, false))
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
                (!self.plan.kinematics).then_some(())?;
                Report::Reaction(joints[some(*j, joints.len())?], *torque)
            }
            RawReport::JointVector(j, rates) => {
                let particle =
                    |end: &Place| end.body.is_some_and(|b| self.plan.is_spatial() && self.plan.bodies[b].particle);
                let measured = |j: &usize| {
                    let joint = &self.plan.joints[*j];
                    // `q` names the coordinates of a rotation, which a particle does not have.
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
                Report::Scaled(self.settle(factor, ANYTHING), Box::new(self.report(inner)?))
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
