//! `value.field`: components, axis vectors, coordinates of joints, parts of loads.

use mbs_definition::{Expr, Ident, Space};
use mbs_expr::{ExprId, JointId, MarkerId, Op};
use mbs_model::catalog::{Coordinate, Speeds};

use crate::mistakes;
use crate::resolvers::{FieldResolver, Resolves};
use crate::value::{Axes, Value};
use crate::{Res, Resolver, did_you_mean};

impl<'a> FieldResolver<'_, 'a> {
    pub(crate) fn field(&mut self, value: Value, inner: &Expr, field: &Ident) -> Res<Value> {
        let name = field.text.as_str();
        let component = ["x", "y", "z"].iter().position(|c| *c == name);
        match (&value, component) {
            (Value::Vector(v, _), Some(c)) if c < v.len() => Ok(Value::Number(v[c])),
            (Value::Vector(v, _), _) => {
                let names = &["x", "y", "z"][..v.len().min(3)];
                self.fail(
                    field.origin,
                    mistakes::values::value_without_field(value.describe(), name, names.join("`, `.")),
                )
            }
            (Value::Rotation(r, axes), Some(column)) => {
                let to = axes.map_or(Axes::Unstated, |[to, _]| to);
                Ok(Value::Vector(r[column].to_vec(), to))
            }
            (Value::Body(_) | Value::Marker(_), Some(axis)) if axis < self.resolver.dimension() => {
                let m = self.vectors().as_marker(&value, inner.origin)?;
                let axis = self.vectors().world_axes(m)[axis];
                Ok(self.resolver.vector_value(axis, Axes::World))
            }
            (Value::Marker(m), _) if ["normal", "friction", "restitution"].contains(&name) => {
                self.surface_field(*m, field)
            }
            (Value::Joint(j), _) => self.joint_field(*j, inner, field),
            (Value::Force(f), _) => self.force_field(*f, inner, field),
            (Value::Load(f), _) => {
                let action = &self.resolver.loads.forces[*f].as_ref().expect("loads are of resolved forces").action;
                let zero = self.resolver.exprs.constant(0.0);
                let [force, torque] = [action.force, action.torque].map(|part| part.map_or([zero; 3], |part| part.0));
                self.force_or_torque("a load", [force, torque], field)
            }
            (Value::Reaction(i), _) => {
                // Components are fx, fy, m in the plane; fx, fy, fz, mx, my, mz in space.
                let zero = self.resolver.exprs.constant(0.0);
                let mut part = |c| self.resolver.exprs.push(Op::Reaction(*i, c));
                let parts = match self.resolver.definition.space {
                    Space::Planar => [[part(0), part(1), zero], [zero, zero, part(2)]],
                    Space::Spatial => [[0, 1, 2].map(&mut part), [3, 4, 5].map(&mut part)],
                };
                self.force_or_torque("a reaction", parts, field)
            }
            _ => {
                let help = match (&value, name) {
                    (Value::Body(_), "com") => Some("write `at com`".to_string()),
                    (
                        Value::Body(_) | Value::Marker(_) | Value::Set(_),
                        "position" | "velocity" | "acceleration" | "angle" | "rate" | "angular_velocity" | "rotation",
                    ) => Some(format!("write `{name}(…)`")),
                    (Value::Body(_) | Value::Marker(_), _) if self.resolver.is_planar() => {
                        Some("it has its axes `.x` and `.y`".to_string())
                    }
                    (Value::Body(_) | Value::Marker(_), _) => Some("it has its axes `.x`, `.y`, `.z`".to_string()),
                    (Value::Rotation(..), _) => Some("it has its columns `.x`, `.y`, `.z`".to_string()),
                    _ => None,
                };
                self.fail(field.origin, mistakes::values::no_field(value.describe(), name).help_if(help))
            }
        }
    }

    /// `foot.normal`, `foot.friction`, `foot.restitution` of a marker that declares them.
    fn surface_field(&mut self, m: MarkerId, field: &Ident) -> Res<Value> {
        let (name, marker) = (field.text.as_str(), &self.resolver.bodies.markers[m.index()]);
        let surface = marker.surface;
        let stated = match name {
            "normal" => surface.has_normal.then(|| {
                let normal = self.normal(m);
                self.resolver.vector_value(normal, Axes::World)
            }),
            coefficient => surface.coefficient(coefficient).map(Value::Number),
        };
        let Some(stated) = stated else {
            let example = if name == "normal" { self.resolver.coordinates_example() } else { "0.3" };
            return self.fail(
                field.origin,
                mistakes::values::marker_without_field(&self.resolver.bodies.markers[m.index()].name, name, example),
            );
        };
        Ok(stated)
    }

    /// World components of the last axis of a marker, which is its normal if that is declared.
    pub(crate) fn normal(&mut self, m: MarkerId) -> [ExprId; 3] {
        let last = self.resolver.dimension() - 1;
        self.vectors().world_axes(m)[last]
    }

    /// `touch.depth`, `.normal_force` and `.slip` of a contact.
    fn force_field(&mut self, f: usize, inner: &Expr, field: &Ident) -> Res<Value> {
        self.force_resolver().force(f, inner.origin)?;
        let fields = &self.resolver.loads.forces[f].as_ref().expect("just resolved").action.fields;
        if let Some((_, value, _)) = fields.iter().find(|(name, ..)| *name == field.text) {
            return Ok(Value::Number(*value));
        }
        let known: Vec<&str> = fields.iter().map(|(name, ..)| *name).collect();
        let help = did_you_mean(&field.text, known.iter().copied()).or_else(|| {
            Some(match known.is_empty() {
                true => format!("write `load({})`", crate::text::text(inner)),
                false => format!("it has `.{}`", known.join("`, `.")),
            })
        });
        self.fail(field.origin, mistakes::values::force_without_field(&field.text).help_if(help))
    }

    /// `.force` or `.torque`, which is a number in the plane.
    fn force_or_torque(&mut self, subject: &str, [force, torque]: [[ExprId; 3]; 2], field: &Ident) -> Res<Value> {
        match field.text.as_str() {
            "force" => Ok(self.resolver.vector_value(force, Axes::World)),
            "torque" if self.resolver.is_planar() => Ok(Value::Number(torque[2])),
            "torque" => Ok(self.resolver.vector_value(torque, Axes::World)),
            name => self.fail(field.origin, mistakes::values::owner_without_field(subject, name)),
        }
    }

    /// `hinge.angle`, `.rate`, `.acceleration`, `.q`, `.u`.
    fn joint_field(&mut self, j: JointId, inner: &Expr, field: &Ident) -> Res<Value> {
        let name = field.text.as_str();
        let count = self.coordinate_count(j, inner.origin)?;
        let slot = &self.resolver.names.slots[self.resolver.joints.slots[j.index()]];
        if slot.declared_kind.is_some() {
            return self.joint_resolver().declared_field(j, field);
        }
        let (joint_name, (kind, _)) = (slot.name.clone(), slot.kind.expect("joints have a kind"));
        let mut first = 0;
        for coordinate in kind.coordinates {
            // The last component of an attitude with three parameters is missing.
            let attitude = coordinate.speeds == Speeds::AngularVelocity;
            let end = first + coordinate.components.len();
            let end = if attitude && first < count { end.min(count) } else { end };
            let names = [coordinate.name, coordinate.speed, coordinate.acceleration];
            if let Some(rates) = names.iter().position(|n| *n == name) {
                if end > count {
                    return self
                        .fail(field.origin, mistakes::values::particle_of_joint_without_rotation(&joint_name, name));
                }
                return Ok(self.coordinate_value(j, coordinate, [first, end], rates));
            }
            first = end;
        }
        if count > 0 && (name == "q" || name == "u") {
            let values = self.coordinates(j, 0, count);
            return Ok(Value::Vector(self.rates(values, usize::from(name == "u")), Axes::Unstated));
        }
        let known = kind.coordinates.iter().flat_map(|c| [c.name, c.speed, c.acceleration]);
        let help = if kind.coordinates.is_empty() {
            Some(format!("`{}` has no coordinates", kind.name))
        } else {
            did_you_mean(name, known.clone())
                .or_else(|| Some(format!("it has `.{}`", known.collect::<Vec<_>>().join("`, `."))))
        };
        self.fail(field.origin, mistakes::values::joint_without_field(&joint_name, name).help_if(help))
    }

    /// A named coordinate (`rates` 0), its speed (1) or acceleration (2).
    fn coordinate_value(
        &mut self,
        j: JointId,
        coordinate: &Coordinate,
        [first, end]: [usize; 2],
        rates: usize,
    ) -> Value {
        let ends = self.resolver.joints.all[j.index()].as_ref().expect("its coordinates are counted").ends;
        if coordinate.speeds == Speeds::AngularVelocity && rates > 0 {
            let omega = self.vectors().write(|g| g.ids(g.relative_angular_velocity(ends))).to_vec();
            return Value::Vector(self.rates(omega, rates - 1), self.resolver.marker_axes(ends[1]));
        }
        let components = self.coordinates(j, first, end);
        let components = self.rates(components, rates);
        match components[..] {
            [x] => Value::Number(x),
            // The displacement of a free joint is expressed in the axes of its first end.
            _ if coordinate.name == "position" && components.len() == self.resolver.dimension() => {
                Value::Vector(components, self.resolver.marker_axes(ends[0]))
            }
            _ => Value::Vector(components, Axes::Unstated),
        }
    }

    pub(crate) fn coordinates(&mut self, j: JointId, first: usize, end: usize) -> Vec<ExprId> {
        (first..end).map(|k| self.resolver.exprs.push(Op::JointCoordinate(j, k as u8))).collect()
    }

    pub(crate) fn rates(&mut self, mut values: Vec<ExprId>, times: usize) -> Vec<ExprId> {
        for _ in 0..times {
            values = values.into_iter().map(|x| self.resolver.exprs.rate(x)).collect();
        }
        values
    }
}

impl Resolver<'_> {
    /// Index of the first coordinate of a joint that is a parameter of an attitude; these come last.
    pub(crate) fn first_of_attitude(&self, j: JointId) -> usize {
        let slot = &self.names.slots[self.joints.slots[j.index()]];
        let coordinates = slot.kind.map_or(&[][..], |(kind, _)| kind.coordinates);
        let before = coordinates.iter().take_while(|c| c.speeds == Speeds::Rates);
        let count = before.map(|c| c.components.len()).sum();
        if coordinates.iter().all(|c| c.speeds == Speeds::Rates) { usize::MAX } else { count }
    }
}
