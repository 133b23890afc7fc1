//! `exclusive: [lock_a, lock_b];`: at most one of some switches is on.

use mbs_definition::{Expr, ExprKind};
use mbs_expr::JointId;
use mbs_model::{Alternative, MOST_COMBINATIONS};

use crate::mistakes;
use crate::resolvers::{EquationPhase, Resolves};
use crate::text::text;
use crate::{Category, Reported, Res, did_you_mean};

impl<'a> EquationPhase<'_, 'a> {
    /// Resolves the alternatives of each `exclusive:`; redundancy is checked for every combination of them.
    pub(crate) fn alternatives_of_switches(&mut self) -> Vec<Vec<Alternative>> {
        let mut exclusive = Vec::new();
        let mut combinations: usize = 1;
        for list in std::mem::take(&mut self.resolver.chosen.exclusive) {
            let Ok(alternatives) = self.alternatives(&list) else { continue };
            combinations = combinations.saturating_mul(alternatives.len());
            if combinations > MOST_COMBINATIONS {
                let _: Res<()> = self.fail(list.origin, mistakes::equations::too_many_combinations(MOST_COMBINATIONS));
                return exclusive;
            }
            exclusive.push(alternatives);
        }
        exclusive
    }

    fn alternatives(&mut self, list: &Expr) -> Res<Vec<Alternative>> {
        let ExprKind::Vector(names) = &list.kind else {
            return self.fail(list.origin, mistakes::equations::exclusive_takes_a_list());
        };
        if names.len() < 2 {
            return self.fail(list.origin, mistakes::equations::too_few_alternatives());
        }
        let found: Vec<Res<Alternative>> = names.iter().map(|name| self.alternative(name)).collect();
        found.into_iter().collect()
    }

    fn alternative(&mut self, e: &Expr) -> Res<Alternative> {
        let name = text(e);
        let owns_rows = |category| {
            matches!(category, Category::Joint | Category::Drive | Category::Constraint | Category::Coupling)
        };
        let Some(slot) = self.resolver.names.slots.iter().position(|s| s.name == name && owns_rows(s.category)) else {
            let known = self.resolver.names.slots.iter().filter(|s| owns_rows(s.category)).map(|s| s.name.as_str());
            let help = did_you_mean(&name, known);
            return self.fail(e.origin, mistakes::equations::unknown_alternative(&name).help_if(help));
        };
        let joint = self.resolver.joints.slots.iter().position(|s| *s == slot);
        let equation = self.resolver.equations.slots.iter().position(|s| *s == slot);
        let (found, switched) = match (joint, equation) {
            (Some(j), _) => {
                let joint = self.resolver.joints.all[j].as_ref().ok_or(Reported)?;
                (Alternative::Joint(JointId(j as u32)), joint.enabled.is_some())
            }
            (None, Some(e)) => {
                let equation = self.resolver.equations.all[e].as_ref().ok_or(Reported)?;
                (Alternative::Equation(e), equation.enabled.is_some())
            }
            (None, None) => return Err(Reported),
        };
        if !switched {
            return self.fail(e.origin, mistakes::equations::alternative_always_on(&name));
        }
        Ok(found)
    }
}
