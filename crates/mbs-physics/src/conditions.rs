//! How far a mechanism is from what `initial` says.

use std::f64::consts::TAU;

use mbs_definition::Space;
use mbs_expr::{MarkerId, Op, Scalar};
use mbs_model::{InitialCondition, RowLevel};

use crate::{Mechanics, SolverCoordinate};

impl<S: Scalar> Mechanics<'_, S> {
    /// Target − value; up to whole turns where the target is an angle that nothing counts, in \[−π, π).
    pub fn missed(&self, condition: &InitialCondition) -> S {
        let by = self.value(condition.target) - self.value(condition.value);
        if condition.level != RowLevel::Position || !self.is_uncounted(self.model.exprs.op(condition.target)) {
            return by;
        }
        by - S::number(TAU) * by.whole_turns()
    }

    /// Whether an observable is an angle of bodies in natural coordinates that is no unknown.
    fn is_uncounted(&self, observable: Op) -> bool {
        let natural = |m: MarkerId| self.model.is_on_basics(m);
        match observable {
            Op::Angle(m) => {
                let counted = |b| self.tree.index_of(SolverCoordinate::Unwound(b)).is_some();
                natural(m) && !self.model.markers[m.index()].body.is_some_and(counted)
            }
            Op::JointCoordinate(j, k) => {
                let joint = self.model.joint(j);
                if self.own_coordinate(j, k).is_some() || self.tree.prescribed(j, k).is_some() {
                    return false;
                }
                if self.model.space == Space::Spatial {
                    let tied = joint.ties.get(usize::from(k)).is_some_and(Option::is_some);
                    return tied && joint.ends.into_iter().any(natural);
                }
                let measured = joint.coordinates[usize::from(k)].1;
                let below = self.model.exprs.below(measured).into_iter();
                below.map(|e| self.model.exprs.op(e)).any(|op| matches!(op, Op::Angle(_)) && self.is_uncounted(op))
            }
            _ => false,
        }
    }
}
