//! Parameters and markers that nothing refers to.

use std::collections::BTreeSet;

use mbs_definition::{Errors, Origin};

use crate::finish::Finishing;
use crate::{Category, Declared};

impl<'a> Finishing<'a> {
    /// Warnings, in the order of the text: of what a part declares, where no instance uses it; of names that begin with `_`, none.
    pub(crate) fn unused(&self) -> Errors {
        let declared = |slot: &&crate::Slot<'_>| matches!(slot.declared, Declared::Item(_));
        let used: BTreeSet<Origin> =
            self.resolver.names.slots.iter().filter(|s| s.used).map(|s| s.declared.origin()).collect();
        let mut warnings = Errors::new();
        for slot in self.resolver.names.slots.iter().filter(declared) {
            let category = match slot.category {
                Category::Param => "parameter",
                Category::Marker => "marker",
                _ => continue,
            };
            let origin = slot.declared.origin();
            let own = slot.name.rsplit('.').next().unwrap_or(&slot.name);
            if used.contains(&origin) || own.starts_with('_') {
                continue;
            }
            let base = own.split('[').next().unwrap_or(own);
            let help = format!("remove it, or call it `_{base}` if it is meant for others");
            warnings.push("MBS052", origin, format!("{category} `{}` is not used", slot.name), Some(help));
        }
        warnings.sort();
        warnings
    }
}
