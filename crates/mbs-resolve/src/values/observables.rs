//! Observables of markers, bodies, sets and elements.
//!
//! A set can be used as a marker: its position is the mean of its markers weighted by their bodies' masses, so that
//! `position(bodies at com)` is the centre of mass. Momentum and angular momentum are always those of the bodies.

use mbs_definition::{Expr, Ident, Origin};
use mbs_expr::{ExprId, MarkerId, Scalar};

use crate::Res;
use crate::mistakes;
use crate::resolvers::{FieldResolver, Resolves};
use crate::value::{Axes, Value};

/// Highest order of nested rates: a motion needs two at most; functions of time can have any order.
const MOST_RATES: u8 = 8;

impl<'a> FieldResolver<'_, 'a> {
    pub(crate) fn observable(&mut self, function: &Ident, values: &[Value], from: &[Expr]) -> Res<Value> {
        let (value, origin) = (&values[0], from[0].origin);
        match function.text.as_str() {
            "position" => self.position_or_rate(value, origin, 0),
            "velocity" => self.position_or_rate(value, origin, 1),
            "acceleration" => self.position_or_rate(value, origin, 2),
            "angle" => self.angle_rate(value, origin, 0),
            "angular_velocity" => self.angular_rate(value, origin, 1),
            "angular_acceleration" => self.angular_rate(value, origin, 2),
            "rate" => match value.components() {
                Some(components) => {
                    let rates = components.iter().map(|x| self.rate(*x, function.origin)).collect::<Res<Vec<_>>>()?;
                    Ok(value.with_components(rates))
                }
                None if !self.resolver.is_planar() => {
                    let help = matches!(value, Value::Body(_) | Value::Marker(_) | Value::Rotation(..));
                    self.fail(
                        origin,
                        mistakes::values::rate_takes_numbers(value.describe())
                            .help_if(help.then(|| "write `angular_velocity(m)`".into())),
                    )
                }
                None => self.angle_rate(value, origin, 1),
            },
            "distance" => {
                let ends = [self.world_position(value, origin), self.world_position(&values[1], from[1].origin)];
                let [p, q] = [ends[0]?, ends[1]?];
                let distance = self.vectors().write(|g| g.id((g.vector(q) - g.vector(p)).square().sqrt()));
                Ok(Value::Number(distance))
            }
            "momentum" => self.body_resolver().momentum(value, origin),
            "angular_momentum" => {
                let about = self.world_position(&values[1], from[1].origin);
                let set = self.body_resolver().body_set(value, origin)?;
                self.body_resolver().angular_momentum(set, about?, origin)
            }
            "reaction" => self.force_resolver().reaction(function.origin, values, from),
            _ => self.force_resolver().load(value, origin),
        }
    }

    /// The time derivative of an expression; an error where it is not known.
    pub(crate) fn rate(&mut self, x: ExprId, origin: Origin) -> Res<ExprId> {
        let m = self.resolver.exprs.mentions(x);
        if m.input {
            return self.fail(origin, mistakes::values::rate_of_input());
        }
        if m.order.is_some_and(|n| n >= 2) {
            return self.fail(origin, mistakes::values::rate_of_acceleration());
        }
        if m.rates >= MOST_RATES {
            return self.fail(origin, mistakes::values::too_many_rates(MOST_RATES));
        }
        if m.auxiliary_rates >= 2 {
            // ż may contain speeds, z̈ accelerations.
            return self.fail(origin, mistakes::values::third_rate_of_state());
        }
        Ok(self.resolver.exprs.rate(x))
    }

    /// World position of a marker or set (`rates` 0), its velocity (1) or acceleration (2).
    fn position_or_rate(&mut self, value: &Value, origin: Origin, rates: u8) -> Res<Value> {
        let mut p = self.world_position(value, origin)?;
        for _ in 0..rates {
            p = p.map(|x| self.resolver.exprs.rate(x));
        }
        Ok(self.resolver.vector_value(p, Axes::World))
    }

    /// World position of a body, marker or set.
    fn world_position(&mut self, value: &Value, origin: Origin) -> Res<[ExprId; 3]> {
        let Value::Set(set) = value else {
            let m = self.vectors().as_marker(value, origin)?;
            return Ok(self.vectors().write(|g| g.ids(g.position(m))));
        };
        let zero = self.resolver.exprs.constant(0.0);
        let (mut total, mut sum) = (zero, [zero; 3]);
        for (body, m) in set.iter() {
            let mass = self.body_resolver().known_mass(*body)?;
            (total, sum) = self.vectors().write(|g| {
                let mass = g.expr(mass);
                (g.id(g.expr(total) + mass), g.ids(g.vector(sum) + mass * g.position(*m)))
            });
        }
        if self.resolver.exprs.value(total) == Some(0.0) {
            return self.fail(origin, mistakes::values::set_without_mass());
        }
        Ok(self.vectors().write(|g| g.ids(g.vector(sum) / g.expr(total))))
    }

    /// Angular velocity (1) or acceleration (2): a number in the plane, a vector in space.
    fn angular_rate(&mut self, value: &Value, origin: Origin, rates: u8) -> Res<Value> {
        if self.resolver.is_planar() {
            return self.angle_rate(value, origin, rates);
        }
        let m = self.vectors().as_marker(value, origin)?;
        self.vectors().check_can_rotate(m, origin, "its axes stay parallel to the world's")?;
        let mut omega = self.vectors().write(|g| g.ids(g.angular_velocity(m)));
        for _ in 1..rates {
            omega = omega.map(|x| self.resolver.exprs.rate(x));
        }
        Ok(self.resolver.vector_value(omega, Axes::World))
    }

    fn angle_rate(&mut self, value: &Value, origin: Origin, rates: u8) -> Res<Value> {
        let m = self.vectors().as_marker(value, origin)?;
        self.vectors().check_can_rotate(m, origin, "its axes stay parallel to the world's")?;
        let mut angle = self.vectors().write(|g| g.id(g.angle(m)));
        for _ in 0..rates {
            angle = self.resolver.exprs.rate(angle);
        }
        Ok(Value::Number(angle))
    }

    /// Number of coordinates of a joint; those of a particle's rotation do not exist.
    pub(crate) fn coordinate_count(&mut self, j: mbs_expr::JointId, origin: Origin) -> Res<usize> {
        self.joint_resolver().ready_joint(j, origin)?;
        Ok(self.resolver.joints.all[j.index()].as_ref().map_or(0, |joint| joint.coordinates.len()))
    }

    /// Marks a marker as one to draw; returns it.
    pub(crate) fn marker_to_draw(&mut self, m: MarkerId) -> MarkerId {
        self.resolver.bodies.markers[m.index()].drawn = true;
        m
    }
}
