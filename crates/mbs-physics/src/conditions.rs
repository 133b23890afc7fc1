//! Residuals of `initial` conditions.

use std::f64::consts::TAU;

use mbs_definition::Space;
use mbs_expr::{MarkerId, Op, Scalar};
use mbs_model::{InitialCondition, Model, RowLevel};

use crate::{Mechanics, SolverCoordinate, Tree};

impl<S: Scalar> Mechanics<'_, S> {
    /// Target − value of a condition, in its unit: [`condition_difference`].
    pub fn condition_residual(&self, condition: &InitialCondition) -> S {
        let difference = self.value(condition.target) - self.value(condition.value);
        condition_difference(difference, is_uncounted_condition(self.model, self.tree, condition))
    }
}

/// The difference of target and value of a condition, reduced to \[−π, π) if the target is an angle whose revolutions no coordinate counts.
pub fn condition_difference<S: Scalar>(difference: S, is_uncounted: bool) -> S {
    if is_uncounted { difference - S::number(TAU) * difference.whole_turns() } else { difference }
}

/// Whether the target of a condition is an angle whose revolutions no coordinate counts: of bodies in natural coordinates, and no unknown.
pub fn is_uncounted_condition(model: &Model, tree: &Tree, condition: &InitialCondition) -> bool {
    condition.level == RowLevel::Position && is_uncounted(model, tree, model.exprs.op(condition.target))
}

fn is_uncounted(model: &Model, tree: &Tree, observable: Op) -> bool {
    let natural = |m: MarkerId| model.is_marker_natural(m);
    match observable {
        Op::Angle(m) => {
            let counted = |b| tree.solver_index(SolverCoordinate::ContinuousAngle(b)).is_some();
            natural(m) && !model.markers[m.index()].body.is_some_and(counted)
        }
        Op::JointCoordinate(j, k) => {
            let joint = model.joint(j);
            if tree.joint_solver_index(model.space, j, k).is_some() || tree.prescribed(j, k).is_some() {
                return false;
            }
            if model.space == Space::Spatial {
                let tied = joint.ties.get(usize::from(k)).is_some_and(Option::is_some);
                return tied && joint.ends.into_iter().any(natural);
            }
            let measured = joint.coordinates[usize::from(k)].1;
            let operands = model.exprs.subexpressions(measured).into_iter();
            operands.map(|e| model.exprs.op(e)).any(|op| matches!(op, Op::Angle(_)) && is_uncounted(model, tree, op))
        }
        _ => false,
    }
}
