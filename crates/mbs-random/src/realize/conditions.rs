//! Conditions that switch elements off and on without making a motion massless.

use super::Builder;
use super::expressions::Allowed;
use crate::description::RawCondition;
use crate::judge::{self, CAREFUL_MASS};
use crate::plan::{Condition, Joint, JointKind, KernelSet};

/// An element with rows.
#[derive(Clone, Copy, Debug)]
pub(super) enum Element {
    Joint(usize),
    Equation(usize),
}

/// Whether a joint may have a switch. Coordinates of a joint that is off are not determined, and cams have no switch.
fn may_be_switched(joint: &Joint) -> bool {
    match joint.kind {
        JointKind::Declared(declared) => !declared.kind().has_coordinates,
        JointKind::Cam(_) => false,
        _ => true,
    }
}

impl Builder {
    /// The condition of a raw one; `None` if there is no switch.
    fn condition(&self, raw: &RawCondition) -> Option<Condition> {
        let some = |i: usize, n: usize| (n > 0).then(|| i % n);
        let switch = |i: usize| some(i, self.plan.switches.len());
        Some(match raw {
            RawCondition::Switch { of, negated } => Condition::Switch { of: switch(*of)?, negated: *negated },
            RawCondition::Discrete(of) => Condition::Discrete(some(*of, self.plan.discretes.len())?),
            RawCondition::Parameter { of, either, number } => {
                Condition::Parameter { of: switch(*of)?, either: *either, number: *number }
            }
            RawCondition::State(_) => return None,
        })
    }

    /// The condition of a force, which may contain the terms of its load.
    pub(super) fn condition_of_force(&self, raw: Option<&RawCondition>, allowed: Allowed) -> Option<Condition> {
        match raw? {
            RawCondition::State(e) => Some(Condition::State(self.moving(self.resolve(e, allowed)))),
            raw => self.condition(raw),
        }
    }

    /// Stores a condition for the element that was added last, if the element was kept and may be switched.
    pub(super) fn request_condition(&mut self, element: Element, raw: Option<&RawCondition>) {
        let exists = match element {
            Element::Joint(i) => self.plan.joints.get(i).is_some_and(may_be_switched),
            Element::Equation(i) => i < self.plan.equations.len(),
        };
        if let Some(condition) = raw.filter(|_| exists).and_then(|raw| self.condition(raw)) {
            self.conditions.push((element, condition));
        }
    }

    /// Applies the conditions to their elements, while bodies have the mass that they need with all switches off.
    pub(super) fn settle_conditions(&mut self) {
        for (element, condition) in std::mem::take(&mut self.conditions) {
            *self.enabled(element) = Some(condition);
            if self.careful
                && self.plan.kernels != KernelSet::Kinematics
                && judge::mass_margin(&self.plan) < CAREFUL_MASS
            {
                *self.enabled(element) = None;
            }
        }
    }

    fn enabled(&mut self, element: Element) -> &mut Option<Condition> {
        match element {
            Element::Joint(i) => &mut self.plan.joints[i].enabled,
            Element::Equation(i) => &mut self.plan.equations[i].enabled,
        }
    }
}
