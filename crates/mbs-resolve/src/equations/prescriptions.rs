//! `prescribe name = joint.coordinate == value;`

use mbs_definition::{Argument, Expr};
use mbs_expr::{ExprId, Op};
use mbs_model::Prescription;

use crate::mistakes;
use crate::resolvers::{EquationPhase, Resolves};
use crate::value::Value;
use crate::{Res, Scope};

impl<'a> EquationPhase<'_, 'a> {
    /// The coordinate on the left, and the expression that prescribes it on the right.
    pub(crate) fn prescription(&mut self, e: &Expr, enabled: Option<&Argument>, scope: &Scope) -> Res<Prescription> {
        let drive = || Some("prescribe it by a row: `drive name = … == …;`".to_owned());
        if let Some(enabled) = enabled {
            return self.fail(enabled.name.origin, mistakes::equations::prescribed_is_no_unknown().help_if(drive()));
        }
        let (left, right, _) = self.resolver.sides(e, "prescribe")?;
        let coordinate = match self.resolver.eval(left, scope)? {
            Value::Number(x) => match self.resolver.exprs.op(x) {
                Op::JointCoordinate(joint, k) => Some((joint, k)),
                _ => None,
            },
            _ => None,
        };
        let Some((joint, coordinate)) = coordinate.filter(|(j, _)| j.index() < self.resolver.joints.slots.len()) else {
            return self.fail(left.origin, mistakes::equations::prescribed_is_no_coordinate());
        };
        let Value::Number(value) = self.resolver.eval(right, scope)? else {
            return self.fail(right.origin, mistakes::equations::not_prescribed_by_a_number());
        };
        if let Some(subject) = self.beyond_time(value) {
            return self.fail(right.origin, mistakes::equations::not_prescribed_by_time(subject).help_if(drive()));
        }
        let is_duplicate = |p: &Prescription| (p.joint, p.coordinate) == (joint, coordinate);
        let before =
            self.resolver.equations.all.iter().flatten().find(|e| e.prescribes.as_ref().is_some_and(is_duplicate));
        if let Some(before) = before {
            return self.fail(left.origin, mistakes::equations::prescribed_already(&before.name));
        }
        Ok(Prescription { joint, coordinate, value })
    }

    fn beyond_time(&self, value: ExprId) -> Option<&'static str> {
        let m = self.resolver.exprs.mentions(value);
        [(m.order.is_some(), "the motion"), (m.auxiliary, "states"), (m.input, "inputs"), (m.multiplier, "loads")]
            .into_iter()
            .find_map(|(mentioned, subject)| mentioned.then_some(subject))
    }
}
