//! Parameters and markers that nothing refers to.

use std::collections::BTreeSet;

use mbs_definition::{Errors, Origin};

use crate::finish::Finishing;
use crate::mistakes::{self, Mistake};
use crate::{Category, Declared};

impl<'a> Finishing<'a> {
    /// Warnings about unused parameters and markers, in the order of the text. A declaration in a part counts as used if an instance uses it; names
    /// that begin with `_` give no warning.
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
            let last_part = slot.name.rsplit('.').next().unwrap_or(&slot.name);
            if used.contains(&origin) || last_part.starts_with('_') {
                continue;
            }
            let base = last_part.split('[').next().unwrap_or(last_part);
            let Mistake { code, message, help } = mistakes::names::unused(category, &slot.name, base);
            warnings.push(code, origin, message, help);
        }
        warnings.sort();
        warnings
    }
}
