//! Groups: names that begin with a prefix, `arm.elbow` of an import, `front_left.knee` of an instance of a part.
//!
//! The prefix alone is the set of all bodies of its group, as `link` is that of `link[0]`, `link[1]`, …; `cell` is that of the bodies of `cell[0]`,
//! `cell[1]`, ….

use std::rc::Rc;

use mbs_definition::{Item, Library, Origin};
use mbs_expr::BodyId;

use crate::mistakes;
use crate::names::Declaring;
use crate::resolvers::Resolves;
use crate::tables::Group;
use crate::tables::GroupKind;
use crate::tables::Names;
use crate::value::Value;
use crate::{Category, Phase, Res, Resolver, Scope};

impl<'a> Declaring<'_, 'a> {
    /// Declares the prefixes of robots, before any other name.
    pub(crate) fn declare_groups(&mut self, items: &[Item], scope: &Scope) {
        for item in items {
            if let Item::Group(name) = item {
                // Builders make groups such as `cell[0]`.
                let index = name.text.strip_suffix(']').and_then(|text| text.rsplit_once('['));
                let family = index.map_or(name.text.as_str(), |(family, _)| family);
                if index.is_none() {
                    let _: Res<()> = self.resolver.check_name(family, name.origin, scope);
                } else {
                    let last_part = family.rsplit_once('.').map_or(family, |(_, last_part)| last_part);
                    let _: Res<()> = self.resolver.check_plain_name(last_part, name.origin);
                }
                self.add_group(format!("{}{}", scope.prefix(), name.text), name.origin, GroupKind::Import);
            }
        }
    }

    pub(crate) fn add_group(&mut self, name: String, origin: Origin, kind: GroupKind) {
        self.resolver.names.groups.insert(name, Group { origin, kind });
    }

    /// Declares the items of imported files, before any item that may use them.
    pub(crate) fn declare_libraries(&mut self, items: &'a [Item], scope: &Scope) {
        for item in items {
            let Item::Library(Library { name, items }) = item else { continue };
            let inside = match name {
                None => scope.imported_file(),
                Some(name) => {
                    let full = format!("{}{}", scope.prefix(), name.text);
                    if self.resolver.check_name(&name.text, name.origin, scope).is_err() {
                        self.resolver.names.bad.insert(full);
                        continue;
                    }
                    self.add_group(full.clone(), name.origin, GroupKind::Import);
                    scope.inside_group(&full).imported_file()
                }
            };
            self.declare_items(items, &inside);
        }
    }
}

impl<'a> Resolver<'a> {
    /// Refuses a declared name that is also the name of a group or of a part.
    pub(crate) fn check_no_group(&mut self, name: &str, origin: Origin) -> Res<()> {
        let (other, help) = match (self.names.groups.get(name), self.names.parts.get(name)) {
            (Some(Group { origin, kind: GroupKind::Import }), _) => {
                (*origin, format!("`{name}` is the prefix of an import"))
            }
            (Some(Group { origin, kind: GroupKind::Instance }), _) => {
                (*origin, format!("`{name}` is an instance of a part"))
            }
            (None, Some(part)) if part.scope.is_imported() => {
                let help = format!("`{name}` is a part of an imported file: give the import a name with `as`");
                let first = part.part.name.origin;
                return self.fail_redeclared(origin, first, mistakes::names::declared_twice(name).help(help));
            }
            (None, Some(part)) => (part.part.name.origin, format!("`{name}` is a part")),
            (None, None) if self.names.is_group_family(name) => (origin, format!("`{name}[…]` are instances of parts")),
            (None, None) => return Ok(()),
        };
        self.fail_redeclared(origin.max(other), origin.min(other), mistakes::names::declared_twice(name).help(help))
    }

    /// All bodies of a group, or of a family of groups, as a set.
    pub(crate) fn group_bodies(&mut self, name: &str, origin: Origin) -> Res<Value> {
        if self.progress.phase == Phase::Names {
            return self.fail(origin, mistakes::names::name_not_constant(name));
        }
        let next = if self.names.groups.contains_key(name) { '.' } else { '[' };
        let is_member = |full: &str| full.strip_prefix(name).is_some_and(|rest| rest.starts_with(next));
        let is_body = |category| matches!(category, Category::Body | Category::Particle);
        let bodies = self.names.slots.iter().filter(|slot| is_body(slot.category) && is_member(&slot.name));
        let set: Vec<_> =
            bodies.map(|slot| (BodyId(slot.index as u32), self.bodies.all[slot.index].origin_marker)).collect();
        if set.is_empty() {
            return self.fail(origin, mistakes::names::group_without_bodies(name));
        }
        Ok(Value::Set(Rc::new(set)))
    }
}

impl<'a> Names<'a> {
    /// Whether a full name is that of a group or of a family of groups.
    pub(crate) fn is_group(&self, full: &str) -> bool {
        self.groups.contains_key(full) || self.is_group_family(full)
    }

    /// Whether a full name such as `cell` is that of a family: there is a group `cell[0]`.
    pub(crate) fn is_group_family(&self, full: &str) -> bool {
        self.family_of_groups(full).next().is_some()
    }

    fn family_of_groups(&self, full: &str) -> impl Iterator<Item = &str> {
        let start = format!("{full}[");
        let all = self.groups.range(start.clone()..).map(|(name, _)| name.as_str());
        all.take_while(move |name| name.starts_with(&start))
    }

    /// The last member of a family of groups, such as `cell[2]`, for help.
    pub(crate) fn last_of_family(&self, full: &str) -> Option<String> {
        let index = |name: &&str| name[full.len() + 1..].strip_suffix(']').and_then(|i| i.parse::<i64>().ok());
        let all = self.family_of_groups(full).filter_map(|name| Some((index(&name)?, name)));
        all.max().map(|(_, name)| name.to_owned())
    }
}
