//! Solids of bodies and limits of joints from imported files, with ids for names.

use mbs_definition::{Ident, JointLimits, Solid};
use mbs_expr::{BodyId, JointId};

use crate::finish::Finishing;
use crate::{Category, Scope};

impl<'a> Finishing<'a> {
    /// Solids of bodies; `None` is ground.
    pub(crate) fn solids(&self) -> Vec<Solid<Option<BodyId>>> {
        let body = |name: &Ident, scope: &Scope| match name.text.as_str() {
            "ground" => Some(None),
            _ => self.index_of(name, scope, Category::Body).map(|index| Some(BodyId(index))),
        };
        let with_id = |(solid, scope): &(&Solid<Ident>, Scope)| {
            let Solid { shape, position, attitude, color, .. } = **solid;
            Some(Solid { body: body(&solid.body, scope)?, shape, position, attitude, color })
        };
        self.statements.solids.iter().filter_map(with_id).collect()
    }

    /// Limits of joints.
    pub(crate) fn limits(&self) -> Vec<JointLimits<JointId>> {
        let with_id = |(given, scope): &(&JointLimits<Ident>, Scope)| {
            let joint = JointId(self.index_of(&given.joint, scope, Category::Joint)?);
            Some(JointLimits { joint, limits: given.limits, follows: given.follows })
        };
        self.statements.limits.iter().filter_map(with_id).collect()
    }

    fn index_of(&self, name: &Ident, scope: &Scope, category: Category) -> Option<u32> {
        let slot =
            &self.resolver.names.slots[*self.resolver.names.full.get(&format!("{}{}", scope.prefix(), name.text))?];
        (slot.category == category).then_some(slot.index as u32)
    }
}
