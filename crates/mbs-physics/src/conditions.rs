//! Residuals of `initial` conditions.

use std::f64::consts::TAU;

use mbs_definition::Space;
use mbs_expr::{MarkerId, Op, Scalar};
use mbs_model::{InitialCondition, RowLevel};

use crate::{Mechanics, SolverCoordinate};

impl<S: Scalar> Mechanics<'_, S> {
    /// Target − value of a condition, in its unit. If the target is an angle whose revolutions no coordinate counts, the difference is reduced to
    /// \[−π, π).
    pub fn condition_residual(&self, condition: &InitialCondition) -> S {
        let difference = self.value(condition.target) - self.value(condition.value);
        if condition.level != RowLevel::Position || !self.is_uncounted(self.model.exprs.op(condition.target)) {
            return difference;
        }
        difference - S::number(TAU) * difference.whole_turns()
    }

    /// Whether an observable is an angle of bodies in natural coordinates that is no unknown.
    fn is_uncounted(&self, observable: Op) -> bool {
        let natural = |m: MarkerId| self.model.is_marker_natural(m);
        match observable {
            Op::Angle(m) => {
                let counted = |b| self.tree.solver_index(SolverCoordinate::ContinuousAngle(b)).is_some();
                natural(m) && !self.model.markers[m.index()].body.is_some_and(counted)
            }
            Op::JointCoordinate(j, k) => {
                let joint = self.model.joint(j);
                if self.joint_solver_index(j, k).is_some() || self.tree.prescribed(j, k).is_some() {
                    return false;
                }
                if self.model.space == Space::Spatial {
                    let tied = joint.ties.get(usize::from(k)).is_some_and(Option::is_some);
                    return tied && joint.ends.into_iter().any(natural);
                }
                let measured = joint.coordinates[usize::from(k)].1;
                let operands = self.model.exprs.subexpressions(measured).into_iter();
                operands.map(|e| self.model.exprs.op(e)).any(|op| matches!(op, Op::Angle(_)) && self.is_uncounted(op))
            }
            _ => false,
        }
    }
}
