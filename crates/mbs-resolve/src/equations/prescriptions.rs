//! `prescribe name = joint.coordinate == value;`

use mbs_definition::{Argument, Expr};
use mbs_expr::{ExprId, Op};
use mbs_model::Prescription;

use crate::equations::EquationPhase;
use crate::resolvers::Resolves;
use crate::value::Value;
use crate::{Res, Scope};

impl<'a> EquationPhase<'_, 'a> {
    /// The coordinate on the left, and the expression that prescribes it on the right.
    pub(crate) fn prescription(&mut self, e: &Expr, enabled: Option<&Argument>, scope: &Scope) -> Res<Prescription> {
        let drive = || Some("hold it by a row: `drive name = … == …;`".to_owned());
        if let Some(enabled) = enabled {
            let message = "what is prescribed is no unknown, and cannot be switched off";
            return self.fail("MBS049", enabled.name.origin, message, drive());
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
            let help =
                Some("prescribe a coordinate of a joint, `prescribe name = joint.angle == …;`, or use `drive`".into());
            return self.fail("MBS049", left.origin, "what stands on the left is no coordinate of a joint", help);
        };
        let Value::Number(value) = self.resolver.eval(right, scope)? else {
            let message = "a coordinate is prescribed by a number";
            return self.fail("MBS020", right.origin, message, None);
        };
        if let Some(what) = self.beyond_time(value) {
            let message = format!("a coordinate is prescribed by a function of time and parameters, not of {what}");
            return self.fail("MBS049", right.origin, message, drive());
        }
        let same = |p: &Prescription| (p.joint, p.coordinate) == (joint, coordinate);
        let before = self.resolver.equations.all.iter().flatten().find(|e| e.prescribes.as_ref().is_some_and(same));
        if let Some(before) = before {
            let message = format!("`{}` prescribes this coordinate already", before.name);
            return self.fail("MBS049", left.origin, message, Some("remove one of the two".into()));
        }
        Ok(Prescription { joint, coordinate, value })
    }

    fn beyond_time(&self, value: ExprId) -> Option<&'static str> {
        let m = self.resolver.exprs.mentions(value);
        [(m.order.is_some(), "the motion"), (m.auxiliary, "states"), (m.input, "inputs"), (m.multiplier, "loads")]
            .into_iter()
            .find_map(|(is, what)| is.then_some(what))
    }
}
