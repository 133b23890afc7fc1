//! Observables of markers, bodies, sets and elements.
//!
//! A set stands where a marker does: its position is the mean of its markers weighted by their bodies' masses, so that
//! `position(bodies at com)` is the centre of mass. Momentum and angular momentum always are those of the bodies.

use super::value::{Axes, Value};
use super::{Res, Resolver, State};
use crate::definition::{Expr, Ident};
use crate::{BodyId, BodyKind, ExprId, JointKind, MarkerId, Op, Origin};

/// Most rates taken of one another: no motion needs more than two; functions of time can have any.
const MOST_RATES: u8 = 8;

impl Resolver<'_> {
    pub(super) fn observable(&mut self, function: &Ident, values: &[Value], from: &[Expr]) -> Res<Value> {
        let (value, origin) = (&values[0], from[0].origin);
        match function.text.as_str() {
            "position" => self.place(value, origin, 0),
            "velocity" => self.place(value, origin, 1),
            "acceleration" => self.place(value, origin, 2),
            "angle" => self.angle_rate(value, origin, 0),
            "angular_velocity" => self.angle_rate(value, origin, 1),
            "angular_acceleration" => self.angle_rate(value, origin, 2),
            "rate" => match value.components() {
                Some(components) => {
                    let rates = components.iter().map(|x| self.rate(*x, function.origin)).collect::<Res<Vec<_>>>()?;
                    Ok(value.with_components(rates))
                }
                None => self.angle_rate(value, origin, 1),
            },
            "distance" => {
                let ends = [self.point(value, origin), self.point(&values[1], from[1].origin)];
                let [p, q] = [ends[0]?, ends[1]?];
                let r = self.geometry().minus(q, p);
                Ok(Value::Number(self.exprs.norm(&r)))
            }
            "momentum" => {
                let mut sum = [self.exprs.number(0.0); 3];
                for body in self.body_set(value, origin)? {
                    let (mass, _, v) = self.com_motion(body, origin)?;
                    let p = self.geometry().scaled(mass, v);
                    sum = [0, 1, 2].map(|c| self.exprs.add(sum[c], p[c]));
                }
                Ok(self.vector_value(sum, Axes::World))
            }
            "angular_momentum" => {
                let about = self.point(&values[1], from[1].origin);
                let set = self.body_set(value, origin)?;
                self.angular_momentum(set, about?, origin)
            }
            "reaction" => self.reaction(function.origin, values, from),
            _ => self.load(value, origin),
        }
    }

    /// d/dt, if it is known.
    fn rate(&mut self, x: ExprId, origin: Origin) -> Res<ExprId> {
        let m = self.exprs.mentions(x);
        if m.input {
            let message = "the rate of an input is not known";
            return self.fail("MBS035", origin, message, Some("make it a `state` with its `rate:`".into()));
        }
        if m.order.is_some_and(|n| n >= 2) {
            return self.fail("MBS034", origin, "the rate of an acceleration or of a load of a row is not known", None);
        }
        if m.rates >= MOST_RATES {
            let message = format!("more than {MOST_RATES} rates of one another");
            return self.fail("MBS034", origin, message, Some("write the derivative out".into()));
        }
        if m.auxiliary_rates >= 2 {
            // ż may hold speeds, z̈ accelerations.
            return self.fail("MBS034", origin, "the third rate of a state is not known", None);
        }
        Ok(self.exprs.rate(x))
    }

    /// Position of a marker or set, or its rates.
    fn place(&mut self, value: &Value, origin: Origin, rates: u8) -> Res<Value> {
        let mut p = self.point(value, origin)?;
        for _ in 0..rates {
            p = p.map(|x| self.exprs.rate(x));
        }
        Ok(self.vector_value(p, Axes::World))
    }

    /// World position of a body, marker or set.
    fn point(&mut self, value: &Value, origin: Origin) -> Res<[ExprId; 3]> {
        let Value::Set(set) = value else {
            let m = self.as_marker(value, origin)?;
            return Ok(self.geometry().position(m));
        };
        let zero = self.exprs.number(0.0);
        let (mut total, mut sum) = (zero, [zero; 3]);
        for (body, m) in set.iter() {
            let mass = self.known_mass(*body)?;
            total = self.exprs.add(total, mass);
            let p = self.geometry().position(*m);
            let weighted = self.geometry().scaled(mass, p);
            sum = [0, 1, 2].map(|c| self.exprs.add(sum[c], weighted[c]));
        }
        if self.exprs.value(total) == Some(0.0) {
            return self.fail("MBS031", origin, "the set has no mass, so no centre", None);
        }
        Ok(sum.map(|x| self.exprs.div(x, total)))
    }

    fn angle_rate(&mut self, value: &Value, origin: Origin, rates: u8) -> Res<Value> {
        let m = self.as_marker(value, origin)?;
        self.check_turns(m, origin, "its axes stay parallel to the world's")?;
        let mut angle = self.geometry().angle(m);
        for _ in 0..rates {
            angle = self.exprs.rate(angle);
        }
        Ok(Value::Number(angle))
    }

    fn body_set(&mut self, value: &Value, origin: Origin) -> Res<Vec<BodyId>> {
        match value {
            Value::Body(Some(b)) => Ok(vec![*b]),
            Value::Set(set) => Ok(set.iter().map(|(body, _)| *body).collect()),
            other => {
                let message = format!("momentum is that of a body or set, not of {}", other.describe());
                self.fail("MBS020", origin, message, None)
            }
        }
    }

    /// Mass, position and velocity of a body's centre of mass, world axes.
    pub(super) fn com_motion(&mut self, body: BodyId, origin: Origin) -> Res<(ExprId, [ExprId; 3], [ExprId; 3])> {
        let mass = self.known_mass(body)?;
        let com = self.com_marker(body, origin)?;
        let p = self.geometry().position(com);
        Ok((mass, p, p.map(|x| self.exprs.rate(x))))
    }

    /// Angular velocity; zero for particles.
    pub(super) fn spin(&mut self, body: BodyId) -> ExprId {
        let b = &self.bodies[body.index()];
        if b.kind == BodyKind::Particle {
            return self.exprs.number(0.0);
        }
        let angle = self.exprs.push(Op::Angle(b.origin_marker));
        self.exprs.rate(angle)
    }

    /// Σ (p_com − p_about) × m v_com + I ω, with absolute velocities.
    fn angular_momentum(&mut self, set: Vec<BodyId>, about: [ExprId; 3], origin: Origin) -> Res<Value> {
        let mut sum = self.exprs.number(0.0);
        for body in set {
            let (mass, p, v) = self.com_motion(body, origin)?;
            let r = self.geometry().minus(p, about);
            let (first, second) = (self.exprs.mul(r[0], v[1]), self.exprs.mul(r[1], v[0]));
            let moment = self.exprs.sub(first, second);
            let orbital = self.exprs.mul(mass, moment);
            let (inertia, omega) = (self.bodies[body.index()].inertia[2], self.spin(body));
            let own = self.exprs.mul(inertia, omega);
            let both = self.exprs.add(orbital, own);
            sum = self.exprs.add(sum, both);
        }
        Ok(Value::Number(sum))
    }

    /// Load of an element; a row written left minus right exerts −λ along (left − right).
    fn load(&mut self, value: &Value, origin: Origin) -> Res<Value> {
        match value {
            Value::Equation(e) => self.equation_load(*e, origin),
            Value::Joint(j) => {
                let slot = &self.slots[self.joint_slots[j.index()]];
                if slot.kind.is_some_and(|(kind, _)| kind.name == "gear") {
                    let row = self.joint_slots[..j.index()].iter();
                    let row = row.filter_map(|s| self.slots[*s].kind).map(|(kind, _)| kind.rows.len()).sum::<usize>();
                    let multiplier = self.exprs.push(Op::Multiplier(row as u32));
                    return Ok(Value::Number(self.exprs.neg(multiplier)));
                }
                let message = format!("joint `{}` has no load", slot.name);
                let help = Some(
                    "loads are of drives, couplings, constraints, gears and forces; joints have `reaction(…)`".into(),
                );
                self.fail("MBS020", origin, message, help)
            }
            Value::Force(f) => {
                self.force(*f, origin)?;
                let force = self.forces[*f].as_ref().expect("just resolved");
                match (&force.action, force.value) {
                    (_, Some(value)) => Ok(Value::Number(value)),
                    (action, _) if action.force.is_none() && action.torque.is_some() => {
                        Ok(Value::Number(action.torque.expect("just checked")[2]))
                    }
                    (action, _) if action.force.is_some() => Ok(Value::Load(*f)),
                    _ => {
                        let message = format!("potential `{}` has no load of its own", force.force.name);
                        self.fail("MBS020", origin, message, None)
                    }
                }
            }
            other => {
                let help = Some("loads are of drives, couplings, constraints, gears and forces".into());
                self.fail("MBS020", origin, format!("{} has no load", other.describe()), help)
            }
        }
    }

    fn equation_load(&mut self, e: usize, origin: Origin) -> Res<Value> {
        let slot = &self.slots[self.equation_slots[e]];
        if matches!(slot.state, State::Bad) {
            return Err(super::Reported);
        }
        let Some(rows) = &self.equation_rows else {
            let message = format!("`load({})` inside a row is circular", slot.name);
            return self.fail("MBS034", origin, message, Some("loads may stand in outputs".into()));
        };
        let (first, Some(equation)) = (rows[e], &self.equations[e]) else {
            return Err(super::Reported);
        };
        let count = equation.rows.len() as u32;
        let loads = (first..first + count).map(|row| {
            let multiplier = self.exprs.push(Op::Multiplier(row));
            self.exprs.neg(multiplier)
        });
        let loads: Vec<_> = loads.collect();
        Ok(match self.equation_axes[e] {
            None => Value::Number(loads[0]),
            Some(axes) => Value::Vector(loads, axes),
        })
    }

    /// What a joint exerts on its second end, or an equation on a body.
    fn reaction(&mut self, call: Origin, values: &[Value], from: &[Expr]) -> Res<Value> {
        let on = match values {
            [_] => None,
            [_, Value::Body(Some(body)), ..] => Some(*body),
            [_, other, ..] => {
                let message = format!("a reaction is on a body, not on {}", other.describe());
                return self.fail("MBS020", from[1].origin, message, None);
            }
            [] => return Err(super::Reported),
        };
        match (&values[0], on) {
            (Value::Joint(j), None) => Ok(Value::Reaction(j.0)),
            (Value::Joint(_), Some(_)) => {
                let help = Some("write `reaction(joint)`: what its first end exerts on its second".into());
                self.fail("MBS026", call, "the reaction of a joint takes no body", help)
            }
            (Value::Equation(e), Some(body)) => self.equation_reaction(*e, body, from),
            (Value::Equation(_), None) => {
                let help = Some("write `reaction(equation, body)`, or `load(equation)`".into());
                self.fail("MBS026", call, "the reaction of an equation is on a body, which is missing", help)
            }
            (Value::Force(_), _) => {
                let help = Some("write `load(force)`".into());
                self.fail("MBS020", from[0].origin, "a force has a load, not a reaction", help)
            }
            (other, _) => {
                let help = Some("reactions are of joints, drives, couplings and constraints".into());
                self.fail("MBS020", from[0].origin, format!("{} has no reaction", other.describe()), help)
            }
        }
    }

    fn equation_reaction(&mut self, e: usize, body: BodyId, from: &[Expr]) -> Res<Value> {
        // Also refuses what would be circular.
        self.equation_load(e, from[0].origin)?;
        let rows = self.equations[e].as_ref().map(|equation| equation.rows.clone()).unwrap_or_default();
        if !rows.into_iter().any(|row| self.observes(row, body)) {
            let name = &self.slots[self.equation_slots[e]].name;
            let message = format!("`{name}` exerts nothing on `{}`", self.bodies[body.index()].name);
            return self.fail("MBS020", from[1].origin, message, Some("name a body that its equation observes".into()));
        }
        let asked = self.equation_reactions.iter().position(|known| *known == (e, body));
        let k = asked.unwrap_or_else(|| {
            self.equation_reactions.push((e, body));
            self.equation_reactions.len() - 1
        });
        Ok(Value::Reaction((self.joint_slots.len() + k) as u32))
    }

    /// Whether an expression observes a body, also through coordinates of joints.
    fn observes(&self, e: ExprId, body: BodyId) -> bool {
        let on = |m: MarkerId| self.markers[m.index()].body == Some(body);
        self.exprs.below(e).into_iter().any(|e| match self.exprs.op(e) {
            Op::Position(m, _) | Op::Direction(m, ..) | Op::Angle(m) => on(m),
            Op::JointCoordinate(j, _) => self.joints[j.index()].as_ref().is_some_and(|joint| {
                joint.ends.into_iter().any(on) || joint.coordinates.iter().any(|(_, x)| self.observes(*x, body))
            }),
            _ => false,
        })
    }

    /// How many coordinates a joint has; those of a particle's rotation are missing.
    pub(super) fn coordinate_count(&mut self, j: crate::JointId, origin: Origin) -> Res<usize> {
        self.ready_joint(j, origin)?;
        Ok(self.joints[j.index()].as_ref().map_or(0, |joint| joint.coordinates.len()))
    }

    /// Axes of a free joint's position: those of its first end.
    pub(super) fn first_axes(&self, j: crate::JointId) -> Axes {
        match self.joints.get(j.index()).and_then(Option::as_ref) {
            Some(joint) if matches!(joint.kind, JointKind::Free) => self.marker_axes(joint.ends[0]),
            _ => Axes::Unstated,
        }
    }

    /// A marker that the page draws.
    pub(super) fn drawn(&mut self, m: MarkerId) -> MarkerId {
        self.markers[m.index()].drawn = true;
        m
    }
}
