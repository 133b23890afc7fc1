//! `value.field`: components, axis vectors, coordinates of joints, parts of loads.

use super::value::{Axes, Value};
use super::{Res, Resolver, did_you_mean};
use crate::definition::{Expr, Ident};
use crate::{ExprId, JointId, Op};

impl Resolver<'_> {
    pub(super) fn field(&mut self, value: Value, inner: &Expr, field: &Ident) -> Res<Value> {
        let name = field.text.as_str();
        let component = ["x", "y", "z"].iter().position(|c| *c == name);
        match (&value, component) {
            (Value::Vector(v, _), Some(c)) if c < v.len() => Ok(Value::Number(v[c])),
            (Value::Vector(v, _), _) => {
                let names = &["x", "y", "z"][..v.len().min(3)];
                let help = Some(format!("it has `.{}`", names.join("`, `.")));
                self.fail("MBS040", field.origin, format!("{} has no `.{name}`", value.describe()), help)
            }
            (Value::Body(_) | Value::Marker(_), Some(axis @ 0..2)) => {
                let m = self.as_marker(&value, inner.origin)?;
                let axis = self.geometry().axes(m)[axis];
                Ok(self.vector_value(axis, Axes::World))
            }
            (Value::Joint(j), _) => self.joint_field(*j, inner, field),
            (Value::Load(f), _) => {
                let action = &self.forces[*f].as_ref().expect("loads are of resolved forces").action;
                match (name, action.force, action.torque) {
                    ("force", Some(force), _) => Ok(self.vector_value(force, Axes::World)),
                    ("torque", _, Some(torque)) => Ok(Value::Number(torque[2])),
                    ("torque", _, None) => Ok(Value::Number(self.exprs.number(0.0))),
                    _ => {
                        let help = Some("it has `.force` and `.torque`".into());
                        self.fail("MBS040", field.origin, format!("a load has no `.{name}`"), help)
                    }
                }
            }
            (Value::Reaction(i), _) => {
                let part = |r: &mut Self, c| r.exprs.push(Op::Reaction(*i, c));
                match name {
                    "force" => Ok(Value::Vector(vec![part(self, 0), part(self, 1)], Axes::World)),
                    "torque" => Ok(Value::Number(part(self, 2))),
                    _ => {
                        let help = Some("it has `.force` and `.torque`".into());
                        self.fail("MBS040", field.origin, format!("a reaction has no `.{name}`"), help)
                    }
                }
            }
            _ => {
                let help = match (&value, name) {
                    (Value::Body(_), "com") => Some("write `at com`".to_string()),
                    (
                        Value::Body(_) | Value::Marker(_) | Value::Set(_),
                        "position" | "velocity" | "acceleration" | "angle" | "rate" | "angular_velocity",
                    ) => Some(format!("write `{name}(…)`")),
                    (Value::Body(_) | Value::Marker(_), _) => Some("it has its axes `.x` and `.y`".to_string()),
                    _ => None,
                };
                self.fail("MBS040", field.origin, format!("{} has no field `{name}`", value.describe()), help)
            }
        }
    }

    /// `hinge.angle`, `.rate`, `.acceleration`, `.q`, `.u`.
    fn joint_field(&mut self, j: JointId, inner: &Expr, field: &Ident) -> Res<Value> {
        let name = field.text.as_str();
        let count = self.coordinate_count(j, inner.origin)?;
        let slot = &self.slots[self.joint_slots[j.index()]];
        let (joint_name, (kind, _)) = (slot.name.clone(), slot.kind.expect("joints have a kind"));
        let values: Vec<ExprId> = (0..count).map(|k| self.exprs.push(Op::JointCoordinate(j, k as u8))).collect();
        if count > 0 && (name == "q" || name == "u") {
            let rates = usize::from(name == "u");
            return Ok(Value::Vector(self.rates(values, rates), Axes::Unstated));
        }
        let mut first = 0;
        for coordinate in kind.coordinates {
            let end = first + coordinate.components.len();
            let names = [coordinate.name, coordinate.speed, coordinate.acceleration];
            if let Some(rates) = names.iter().position(|n| *n == name) {
                if end > count {
                    let message = format!("joint `{joint_name}` has no `{name}`: a particle has no rotation");
                    return self.fail("MBS038", field.origin, message, None);
                }
                let components = self.rates(values[first..end].to_vec(), rates);
                return Ok(match components[..] {
                    [x] => Value::Number(x),
                    _ => Value::Vector(components, self.first_axes(j)),
                });
            }
            first = end;
        }
        let known = kind.coordinates.iter().flat_map(|c| [c.name, c.speed, c.acceleration]);
        let help = if kind.coordinates.is_empty() {
            Some(format!("`{}` has no coordinates", kind.name))
        } else {
            did_you_mean(name, known.clone())
                .or_else(|| Some(format!("it has `.{}`", known.collect::<Vec<_>>().join("`, `."))))
        };
        self.fail("MBS040", field.origin, format!("joint `{joint_name}` has no `{name}`"), help)
    }

    fn rates(&mut self, mut values: Vec<ExprId>, times: usize) -> Vec<ExprId> {
        for _ in 0..times {
            values = values.into_iter().map(|x| self.exprs.rate(x)).collect();
        }
        values
    }
}
