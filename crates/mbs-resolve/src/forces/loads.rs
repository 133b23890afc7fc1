//! Loads of forces and equations, and reactions of joints and equations.

use mbs_definition::{Expr, Origin};
use mbs_expr::{BodyId, ExprId, JointId, MarkerId, Op};

use crate::mistakes;
use crate::resolvers::{ForceResolver, Resolves};
use crate::value::Value;
use crate::{Res, Resolver, State};

impl<'a> ForceResolver<'_, 'a> {
    /// Load of an element on its last end; a row Φ = left − right exerts the generalised force −λ ∂Φ/∂q.
    pub(crate) fn load(&mut self, value: &Value, origin: Origin) -> Res<Value> {
        match value {
            Value::Equation(e) => self.equation_load(*e, origin),
            Value::Joint(j) => {
                let slot = &self.resolver.names.slots[self.resolver.joints.slots[j.index()]];
                if slot.kind.is_some_and(|(kind, _)| kind.name == "gear") {
                    for before in 0..j.index() {
                        self.joint_resolver().ready_joint(JointId(before as u32), origin)?;
                    }
                    let row: usize =
                        self.resolver.joints.all[..j.index()].iter().flatten().map(|joint| joint.rows.len()).sum();
                    return Ok(Value::Number(self.resolver.exprs.write(|w| w.id(-w.op(Op::Multiplier(row as u32))))));
                }
                let help = Some(
                    "loads are of drives, couplings, constraints, gears and forces; joints have `reaction(…)`".into(),
                );
                self.fail(origin, mistakes::forces::joint_without_load(&slot.name).help_if(help))
            }
            Value::Force(f) => {
                self.force(*f, origin)?;
                let force = self.resolver.loads.forces[*f].as_ref().expect("just resolved");
                match (&force.action, force.value) {
                    (_, Some(value)) => Ok(Value::Number(value)),
                    (mbs_model::catalog::Action { force: None, torque: Some(torque), .. }, _)
                        if self.resolver.is_planar() =>
                    {
                        Ok(Value::Number(torque[2]))
                    }
                    (action, _) if action.force.is_some() || action.torque.is_some() => Ok(Value::Load(*f)),
                    _ => self.fail(origin, mistakes::forces::potential_without_load(&force.force.name)),
                }
            }
            other => self.fail(origin, mistakes::forces::nothing_has_a_load(other.describe())),
        }
    }

    fn equation_load(&mut self, e: usize, origin: Origin) -> Res<Value> {
        let slot = &self.resolver.names.slots[self.resolver.equations.slots[e]];
        if matches!(slot.state, State::Bad) {
            return Err(crate::Reported);
        }
        let Some(rows) = &self.resolver.equations.rows else {
            return self.fail(origin, mistakes::forces::circular_load(&slot.name));
        };
        let (first, Some(equation)) = (rows[e], &self.resolver.equations.all[e]) else {
            return Err(crate::Reported);
        };
        let count = equation.rows.len() as u32;
        let loads = (first..first + count).map(|row| self.resolver.exprs.write(|w| w.id(-w.op(Op::Multiplier(row)))));
        let loads: Vec<_> = loads.collect();
        Ok(match self.resolver.equations.axes[e] {
            None => Value::Number(loads[0]),
            Some(axes) => Value::Vector(loads, axes),
        })
    }

    /// Reaction of a joint on its second end, or of an equation on a body.
    pub(crate) fn reaction(&mut self, call: Origin, values: &[Value], from: &[Expr]) -> Res<Value> {
        let observes_body = match values {
            [_] => None,
            [_, Value::Body(Some(body)), ..] => Some(*body),
            [_, other, ..] => {
                return self.fail(from[1].origin, mistakes::forces::reaction_on_no_body(other.describe()));
            }
            [] => return Err(crate::Reported),
        };
        match (&values[0], observes_body) {
            (Value::Joint(j), None) => Ok(Value::Reaction(j.0)),
            (Value::Joint(_), Some(_)) => self.fail(call, mistakes::forces::reaction_of_joint_takes_no_body()),
            (Value::Equation(e), Some(body)) => self.equation_reaction(*e, body, from),
            (Value::Equation(_), None) => self.fail(call, mistakes::forces::reaction_without_body()),
            (Value::Force(_), _) => self.fail(from[0].origin, mistakes::forces::reaction_of_force()),
            (other, _) => self.fail(from[0].origin, mistakes::forces::nothing_has_a_reaction(other.describe())),
        }
    }

    fn equation_reaction(&mut self, e: usize, body: BodyId, from: &[Expr]) -> Res<Value> {
        // Also refuses circular references.
        self.equation_load(e, from[0].origin)?;
        let rows = self.resolver.equations.all[e].as_ref().map(|equation| equation.rows.clone()).unwrap_or_default();
        if !rows.into_iter().any(|row| self.resolver.observes(row, body)) {
            let name = &self.resolver.names.slots[self.resolver.equations.slots[e]].name;
            return self.fail(
                from[1].origin,
                mistakes::forces::exerts_nothing_on(name, &self.resolver.bodies.all[body.index()].name),
            );
        }
        let known_index = self.resolver.equations.reactions.iter().position(|known| *known == (e, body));
        let k = known_index.unwrap_or_else(|| {
            self.resolver.equations.reactions.push((e, body));
            self.resolver.equations.reactions.len() - 1
        });
        Ok(Value::Reaction((self.resolver.joints.slots.len() + k) as u32))
    }
}

impl Resolver<'_> {
    /// Whether an expression observes a body, also through coordinates of joints.
    fn observes(&self, e: ExprId, body: BodyId) -> bool {
        let observes_body = |m: MarkerId| self.bodies.markers[m.index()].body == Some(body);
        self.exprs.subexpressions(e).into_iter().any(|e| match self.exprs.op(e) {
            Op::Position(m, _) | Op::Direction(m, ..) | Op::Angle(m) | Op::AngularVelocity(m, _) => observes_body(m),
            Op::JointCoordinate(j, _) => self.joints.measured(j).is_some_and(|joint| {
                let has_pose = joint.pose().is_some();
                let through = || joint.coordinates.iter().any(|(_, x)| self.observes(*x, body));
                joint.ends.into_iter().any(observes_body) || (!has_pose && through())
            }),
            _ => false,
        })
    }
}
