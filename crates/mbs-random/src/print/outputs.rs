//! Conditions and outputs.

use mbs_model::catalog::Exerts;

use super::Printer;
use crate::plan::{Applied, ForceKind, Initial, Report, Vector};

impl Printer<'_> {
    pub(super) fn initial(&mut self, condition: &Initial) -> String {
        let target = self.expression(&condition.target);
        let value = self.number_text(condition.value);
        let speed = matches!(condition.target, crate::expr::Expr::Rate(_));
        let level = if speed { "speed" } else { "position" };
        let (word, sign) = if condition.exact { ("held", "=") } else { ("guessed", "~") };
        self.features.add(format!("initial {level}, {word}"));
        format!("initial {target} {sign} {value};")
    }

    pub(super) fn output(&mut self, o: usize) -> String {
        let plan = self.plan;
        let report = &plan.outputs[o];
        if let Report::State(i) = report {
            self.features.add("output of a state");
            return format!("output z{i};");
        }
        if let Report::Motion(b) = report {
            let name = &plan.bodies[*b].name;
            let linear = format!("output motion{o} = acceleration({name});");
            let angular = format!(" output turn{o} = angular_acceleration({name});");
            return if plan.bodies[*b].particle { linear } else { linear + &angular };
        }
        format!("output o{o} = {};", self.report(report))
    }

    fn report(&mut self, report: &Report) -> String {
        let plan = self.plan;
        let (feature, text) = match report {
            Report::Scalar(e) => ("scalar", self.expression(e)),
            Report::Vector(v @ Vector::Position(_, rates, _)) => {
                (["position", "velocity", "acceleration"][*rates], self.vector(v))
            }
            Report::Vector(v) => ("vector", self.vector(v)),
            Report::Energy => ("energy", "(kinetic_energy + potential_energy)".to_owned()),
            Report::Momentum => ("momentum", "momentum(bodies)".to_owned()),
            Report::AngularMomentum(b, attachment) => {
                let attachment = self.attachment_text(attachment);
                ("angular momentum", format!("angular_momentum({}, {attachment})", plan.bodies[*b].name))
            }
            Report::Centre(false) => ("centre of mass", "position(bodies at com)".to_owned()),
            Report::Centre(true) => ("centre of mass", "velocity(bodies at com)".to_owned()),
            Report::EquationLoad(e) => ("load of an equation", format!("load({})", plan.equations[*e].name)),
            Report::GearLoad(j) => ("load of a gear", format!("load({})", plan.joints[*j].name)),
            Report::ForceLoad(f) => {
                let force = &plan.forces[*f];
                let part = match &force.kind {
                    ForceKind::Catalogued(Applied { kind, .. }) => match kind.exerts {
                        // Loads of kinds whose ends have axes have torques, too.
                        Exerts::Force if kind.requires_rotation => ".torque",
                        Exerts::Force => ".force",
                        Exerts::Torque if plan.is_spatial() => ".torque",
                        Exerts::Torque | Exerts::Generalized | Exerts::Nothing => "",
                    },
                    ForceKind::Potential(_) => unreachable!("a potential has no load"),
                };
                ("load of a force", format!("load({}){part}", force.name))
            }
            Report::JointVector(j, rates) => {
                ("q or u of a joint", format!("{}.{}", plan.joints[*j].name, if *rates { "u" } else { "q" }))
            }
            Report::Reaction(j, torque) => {
                let part = if *torque { "torque" } else { "force" };
                ("reaction", format!("reaction({}).{part}", plan.joints[*j].name))
            }
            Report::Motion(b) => ("motion", format!("acceleration({})", plan.bodies[*b].name)),
            Report::Scaled(factor, inner) => {
                let factor = self.expression(factor);
                let inner = self.report(inner);
                let inner = if inner.contains(' ') { format!("({inner})") } else { inner };
                ("product", format!("({factor}) * {inner}"))
            }
            Report::State(i) => ("of a state", format!("z{i}")),
            Report::FamilySum => ("sum", "sum(position(link[i] at com) for i in 0..N)".to_owned()),
        };
        self.features.add(format!("output {feature}"));
        text
    }
}
