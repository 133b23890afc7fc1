//! Gives every declared item a slot, its name, and its name in Rust.

use mbs_model::flat_name;

use crate::mistakes;
use crate::names::Declaring;
use crate::resolvers::Resolves;
use crate::{Category, Declared, Res, Scope, Slot, State};

impl<'a> Declaring<'_, 'a> {
    pub(crate) fn add_slot(
        &mut self,
        name: String,
        family: Option<String>,
        category: Category,
        declared: Declared<'a>,
        scope: &Scope,
    ) -> usize {
        let slot = self.resolver.names.slots.len();
        let existing = match category {
            Category::Output => self.outputs.insert(name.clone(), slot),
            _ => self.claim(&name, family, slot),
        };
        let in_rust = if category == Category::Output { &mut self.rust_outputs } else { &mut self.resolver.names.rust };
        let twin = *in_rust.entry(flat_name(&name)).or_insert(slot);
        if let Some(first) = existing.or_else(|| Some(twin).filter(|twin| *twin != slot)) {
            self.declared_twice(&name, category, declared, scope, first);
        }
        let index = match category {
            Category::Body | Category::Particle => {
                self.resolver.bodies.slots.push(slot);
                self.body_resolver().add_body(&name, category == Category::Particle, declared)
            }
            Category::Joint => push(&mut self.resolver.joints.slots, slot),
            Category::Force | Category::Potential => push(&mut self.resolver.loads.slots, slot),
            Category::Drive | Category::Prescribe | Category::Constraint | Category::Coupling => {
                push(&mut self.resolver.equations.slots, slot)
            }
            _ => 0,
        };
        let (scope, state) = (scope.clone(), State::Waiting);
        let (kind, declared_kind, used) = (None, None, false);
        self.resolver.names.slots.push(Slot {
            name,
            category,
            declared,
            scope,
            index,
            kind,
            used,
            declared_kind,
            state,
        });
        slot
    }

    /// Reserves a name for a slot, or returns the slot that has the name already. A plain name and a family, `link` and `link[0]`, exclude each
    /// other.
    fn claim(&mut self, name: &str, family: Option<String>, slot: usize) -> Option<usize> {
        let existing =
            self.resolver.names.full.get(name).or_else(|| self.resolver.names.full.get(family.as_deref()?)).copied();
        let existing = existing.or_else(|| self.resolver.names.families.get(name).map(|members| members[0]));
        if existing.is_none() {
            self.resolver.names.full.insert(name.to_owned(), slot);
            if let Some(family) = family {
                self.resolver.names.families.entry(family).or_default().push(slot);
            }
        }
        existing
    }

    fn declared_twice(&mut self, name: &str, category: Category, declared: Declared<'a>, scope: &Scope, first: usize) {
        let Slot { name: other, declared: other_declared, scope: other_scope, .. } = &self.resolver.names.slots[first];
        let (there, here) = (other_declared.origin(), declared.origin());
        // Constants are declared first, so that the later one in the text is the duplicate. If one of the names is from a group or a file, the
        // duplicate is the other one.
        let brought = [other_scope.is_imported() || other.contains('.'), scope.is_imported() || name.contains('.')];
        let is_here = match brought {
            [true, false] => true,
            [false, true] => false,
            _ => here >= there,
        };
        let (origin, duplicate, known) = if is_here { (here, name, &**other) } else { (there, &**other, name) };
        let help = match scope.loop_variable() {
            Some(_) if there == here && !scope.suffix().is_empty() => {
                "leave the index out: names here carry those of the set".into()
            }
            Some(variable) if there == here => format!("names inside `for` carry the index: `{name}[{variable}]`"),
            _ if known != duplicate && flat_name(known) == flat_name(duplicate) => {
                format!("`{known}` and `{duplicate}` would have one name in Rust")
            }
            _ if scope.is_imported() != other_scope.is_imported() => {
                format!("`{name}` is in an imported file, too: give the import a name with `as`")
            }
            _ => "give one of them another name".into(),
        };
        let elsewhere = if is_here { there } else { here };
        let _: Res<()> = self.fail_redeclared(origin, elsewhere, mistakes::names::declared_twice(duplicate).help(help));
        if category != Category::Output {
            // The meaning of a reference is unknown, so that it is not reported.
            let base = name.strip_suffix(']').and_then(|name| name.rsplit_once('[')).map_or(name, |(base, _)| base);
            self.resolver.names.bad.extend([name.to_owned(), base.to_owned()]);
        }
    }
}

fn push(list: &mut Vec<usize>, slot: usize) -> usize {
    list.push(slot);
    list.len() - 1
}
