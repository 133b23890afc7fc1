//! Names unnamed events, and resolves which events are reported.

use mbs_definition::{Expr, ExprKind};

use crate::events::EventPhase;
use crate::mistakes;
use crate::names::lookup::instance_member_help;
use crate::resolvers::Resolves;
use crate::scope::ScopeNames;
use crate::{Reported, Res, Scope, did_you_mean};

impl<'a> EventPhase<'_, 'a> {
    /// A free name for an unnamed event: `stop`, `stop_1`, `front_left.stop`.
    pub(crate) fn free_event_name(&mut self, word: &str, scope: &Scope) -> String {
        let first = format!("{}{word}", scope.prefix());
        let count = self.unnamed.entry(first.clone()).or_default();
        loop {
            let name = if *count == 0 { first.clone() } else { format!("{first}_{count}") };
            *count += 1;
            if !self.names.contains_key(&name) {
                return name;
            }
        }
    }

    /// `report on touchdown;`
    pub(crate) fn report_on(&mut self, event: &Expr, scope: &Scope) -> Res<()> {
        let full = self.event_called(event, scope)?;
        if let Some(found) = full.and_then(|full| self.names.get(&full)) {
            self.all[*found].reports = true;
            return Ok(());
        }
        if self.resolver.mistakes.broken || self.resolver.mistakes.lenient {
            return Err(Reported);
        }
        let (name, prefix) = (self.resolver.names.text_in(event, scope), scope.prefix());
        let all = self.all.iter().map(|e| e.name.as_str());
        let local = all.clone().filter_map(|name| name.strip_prefix(prefix));
        let help = did_you_mean(&name, local.chain(all.clone())).or_else(|| instance_member_help(&name, all));
        self.fail(event.origin, mistakes::events::unknown_event(&name).help_if(help))
    }

    /// The full name of an event, or of a family of them: `touchdown`, `front_left.touchdown`, `touchdown[0]`.
    fn event_called(&mut self, e: &Expr, scope: &Scope) -> Res<Option<String>> {
        match &e.kind {
            ExprKind::Name(name) => {
                let prefixes = scope.links().filter_map(|seen| match seen {
                    ScopeNames::Names(prefix) => Some(&**prefix),
                    ScopeNames::Bound(..) | ScopeNames::Element(..) => None,
                });
                let mut names = prefixes.chain([""]).map(|prefix| format!("{prefix}{name}"));
                let found = names.find(|full| {
                    let member = format!("{full}[");
                    let mut members = self.names.range(member.clone()..);
                    self.bad.contains(full)
                        || self.names.contains_key(full)
                        || members.next().is_some_and(|(name, _)| name.starts_with(&member))
                });
                if found.as_ref().is_some_and(|full| self.bad.contains(full)) { Err(Reported) } else { Ok(found) }
            }
            ExprKind::Field(inner, field) => {
                let Some(owner) = self.resolver.full_path(inner, scope)? else { return Ok(None) };
                let full = format!("{owner}.{}", field.text);
                let is_bad = self.resolver.names.bad.contains(&owner) || self.bad.contains(&full);
                if is_bad { Err(Reported) } else { Ok(Some(full)) }
            }
            ExprKind::Index(inner, index) => {
                let Some(family) = self.event_called(inner, scope)? else { return Ok(None) };
                Ok(Some(format!("{family}[{}]", self.resolver.evaluate_integer(index, scope, "an index")?)))
            }
            _ => Ok(None),
        }
    }
}
