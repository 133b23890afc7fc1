//! Names of coordinates and speeds.

use mbs_definition::Space;
use mbs_model::{Model, Step};

use super::{InterfaceCoordinate, InterfaceSpeed, Tree};

impl Tree {
    /// Name of interface coordinate i: `crank.x`, `hinge.angle`, `base.position[0]`, `s`.
    pub fn coordinate_name(&self, model: &Model, i: usize) -> String {
        match self.interface[i] {
            InterfaceCoordinate::Body(b, axis) => {
                let names: &[&str] = match model.space {
                    Space::Planar => &["x", "y", "angle"],
                    Space::Spatial => &["x", "y", "z", "q[0]", "q[1]", "q[2]", "q[3]"],
                };
                format!("{}.{}", model.bodies[b.index()].name, names[axis as usize])
            }
            InterfaceCoordinate::Joint(j, k) => {
                let joint = model.joint(j);
                format!("{}.{}", joint.name, joint.coordinates[k as usize].0)
            }
            InterfaceCoordinate::Basic(b, axis) => {
                format!("{}.{}", model.coordinates.natural.basics[b as usize].name, ["x", "y", "z"][usize::from(axis)])
            }
            InterfaceCoordinate::ContinuousAngle(b) => format!("{}.angle", model.bodies[b.index()].name),
            InterfaceCoordinate::Algebraic(i) => {
                let mut flat = i as usize;
                for q in &model.quantities.algebraic {
                    if flat < q.size() {
                        return if q.shape.is_empty() { q.name.clone() } else { format!("{}[{flat}]", q.name) };
                    }
                    flat -= q.size();
                }
                unreachable!("an algebraic coordinate has a declaration")
            }
        }
    }

    /// Name of interface speed i: `crank.vx`, `hinge.rate`, `slide.speed`, `base.velocity[0]`.
    pub fn speed_name(&self, model: &Model, i: usize) -> String {
        if let InterfaceSpeed::Joint(j, k) = self.speeds[i]
            && let Some(speed) = model.pose_of(j).and_then(|pose| pose.speeds.get(usize::from(k)))
        {
            return format!("{}.{speed}", model.joint(j).name);
        }
        if model.space == Space::Spatial {
            return self.spatial_speed_name(model, i);
        }
        let name = self.coordinate_name(model, i);
        let (item, coordinate) = name.rsplit_once('.').unwrap_or(("", &name));
        let speed = match coordinate {
            "x" => "vx".to_owned(),
            "y" => "vy".to_owned(),
            "angle" => "rate".to_owned(),
            "position" => "speed".to_owned(),
            other => match other.strip_prefix("position") {
                Some(component) => format!("velocity{component}"),
                None => format!("rate({other})"),
            },
        };
        if item.is_empty() { speed } else { format!("{item}.{speed}") }
    }

    fn spatial_speed_name(&self, model: &Model, i: usize) -> String {
        let (j, k) = match self.speeds[i] {
            InterfaceSpeed::Body(b, k) => {
                let name = ["vx", "vy", "vz", "u[0]", "u[1]", "u[2]"][usize::from(k)];
                return format!("{}.{name}", model.bodies[b.index()].name);
            }
            InterfaceSpeed::Algebraic(i) => {
                let wanted = InterfaceCoordinate::Algebraic(i);
                let index = self.interface.iter().position(|c| *c == wanted).expect("it is a coordinate");
                return format!("rate({})", self.coordinate_name(model, index));
            }
            InterfaceSpeed::Joint(j, k) => (j, usize::from(k)),
            InterfaceSpeed::Basic(i, k) => {
                let name = ["vx", "vy", "vz"][usize::from(k)];
                return format!("{}.{name}", model.coordinates.natural.basics[i as usize].name);
            }
            InterfaceSpeed::ContinuousAngle(b) => return format!("{}.rate", model.bodies[b.index()].name),
        };
        let joint = model.joint(j);
        let (mut q, mut v) = (0, 0);
        for step in joint.steps() {
            if k < v + step.speeds() {
                let name = match (step, k - v) {
                    (Step::Posed { .. }, c) => format!("rate({})", joint.coordinates[q + c].0),
                    (Step::Ball { .. } | Step::Line { .. } | Step::Ellipsoid { .. }, c) => format!("u[{c}]"),
                    (Step::Free { .. }, c @ 0..3) => format!("velocity[{c}]"),
                    (Step::Free { .. }, c) => format!("u[{}]", c - 3),
                    (_, c) => match &*joint.coordinates[q + c].0 {
                        "angle" => "rate".to_owned(),
                        "position" => "speed".to_owned(),
                        other => match (other.strip_prefix("position"), other.strip_prefix('q')) {
                            (Some(component), _) => format!("velocity{component}"),
                            (_, Some(component)) => format!("u{component}"),
                            _ => format!("rate({other})"),
                        },
                    },
                };
                return format!("{}.{name}", joint.name);
            }
            (q, v) = (q + step.coordinates(), v + step.speeds());
        }
        // A measure has no steps.
        format!("{}.rate", joint.name)
    }
}
