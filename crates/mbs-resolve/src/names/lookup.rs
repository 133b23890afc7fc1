//! Resolves names in their scope: `knee`, `front_left.knee`, `cell[0].crank`, `lib.lift(x)`.
//!
//! A declared item has one full name, `front_left.knee`, which the text of the part abbreviates to `knee`. The parser cannot
//! distinguish a full name from a field, `knee.angle`; this module does, once all names are declared.

use std::borrow::Cow;

use mbs_definition::{Expr, ExprKind, Ident, Origin};

use crate::mistakes;
use crate::names::RESERVED;
use crate::resolvers::Resolves;
use crate::scope::Found;
use crate::scope::{Bound, ScopeNames};
use crate::tables::Names;
use crate::value::Value;
use crate::{Category, DEEPEST, Phase, Reported, Res, Resolver, Scope, State};

impl<'a> Names<'a> {
    /// Meaning of a plain name in a scope.
    pub(crate) fn find_name<'n>(&self, name: &'n str, scope: &Scope) -> Found<'n> {
        let suffix = scope.suffix();
        if !suffix.is_empty() && !RESERVED.contains(&name) && !scope.binds(name) {
            let full = format!("{}{name}{suffix}", scope.prefix());
            if self.is_known(&full) {
                return Found::Declared(Cow::Owned(full));
            }
        }
        for seen in scope.links() {
            match seen {
                ScopeNames::Element(variable, full) if variable == name => {
                    return Found::Declared(Cow::Owned(full.to_string()));
                }
                ScopeNames::Bound(bound, to) if bound == name => return Found::Bound(to.clone()),
                ScopeNames::Names(prefix) if !RESERVED.contains(&name) => {
                    let full = format!("{prefix}{name}");
                    if self.is_known(&full) {
                        return Found::Declared(Cow::Owned(full));
                    }
                }
                _ => {}
            }
        }
        Found::Declared(Cow::Borrowed(name))
    }

    /// Whether a full name is, or will be, declared.
    pub(crate) fn is_known(&self, full: &str) -> bool {
        self.full.contains_key(full)
            || self.announced.contains(full)
            || self.families.contains_key(full)
            || self.parts.contains_key(full)
            || self.joint_kinds.contains_key(full)
            || self.bad.contains(full)
            || self.is_group(full)
    }

    /// The argument, with its scope, where `e` is only the name of a parameter of a part; otherwise `e` itself.
    pub(crate) fn argument_behind<'e>(&self, e: &'e Expr, scope: &Scope) -> (&'e Expr, Scope)
    where
        'a: 'e,
    {
        let (mut e, mut scope) = (e, scope.clone());
        while let ExprKind::Name(name) = &e.kind
            && let Found::Bound(Bound::Given(i)) = self.find_name(name, &scope)
        {
            (e, scope) = (self.passed[i].expr, self.passed[i].scope.clone());
        }
        (e, scope)
    }

    pub(crate) fn is_function_slot(&self, slot: usize) -> bool {
        self.slots[slot].category == Category::Function
    }
}

impl<'a> Resolver<'a> {
    /// The full name that an expression is, if it is one; an error for a member that does not exist.
    pub(crate) fn full_path(&mut self, e: &Expr, scope: &Scope) -> Res<Option<String>> {
        let may_be = match &e.kind {
            ExprKind::Name(_) => true,
            ExprKind::Field(..) => !self.names.groups.is_empty(),
            ExprKind::Index(..) => !self.names.groups.is_empty() || !self.names.families.is_empty(),
            _ => false,
        };
        if !may_be {
            return Ok(None);
        }
        if self.progress.depth >= DEEPEST {
            return self.fail(e.origin, mistakes::values::expression_nested_too_deep(DEEPEST));
        }
        self.progress.depth += 1;
        let path = self.full_path_below(e, scope);
        self.progress.depth -= 1;
        if let Ok(Some(full)) = &path
            && let Some(slot) = self.names.full.get(full)
        {
            self.names.slots[*slot].used = true;
        }
        path
    }

    fn full_path_below(&mut self, e: &Expr, scope: &Scope) -> Res<Option<String>> {
        match &e.kind {
            ExprKind::Name(name) => match self.names.find_name(name, scope) {
                Found::Bound(Bound::Given(i)) => {
                    let (expr, scope) = (self.names.passed[i].expr, self.names.passed[i].scope.clone());
                    self.full_path(expr, &scope)
                }
                Found::Bound(_) => Ok(None),
                Found::Declared(full) => Ok(Some(full).filter(|full| self.names.is_known(full)).map(Cow::into_owned)),
            },
            ExprKind::Field(inner, field) => {
                let owner = self.full_path(inner, scope)?.filter(|owner| self.names.groups.contains_key(owner));
                Ok(owner.map(|owner| format!("{owner}.{}", field.text)))
            }
            ExprKind::Index(inner, index) => self.family_member(inner, index, scope),
            _ => Ok(None),
        }
    }

    /// The full name of a member `link[0]` of a family of declared items or of groups; `None` for other expressions.
    pub(crate) fn family_member(&mut self, inner: &Expr, index: &Expr, scope: &Scope) -> Res<Option<String>> {
        if self.names.families.is_empty() && self.names.groups.is_empty() {
            return Ok(None);
        }
        let Some(family) = self.full_path(inner, scope)? else { return Ok(None) };
        let of_groups = self.names.is_group_family(&family);
        if self.names.full.contains_key(&family) || !(of_groups || self.names.families.contains_key(&family)) {
            return Ok(None);
        }
        if self.names.bad.contains(&family) {
            return Err(Reported);
        }
        let i = self.evaluate_integer(index, scope, "an index")?;
        let full = format!("{family}[{i}]");
        if self.names.full.contains_key(&full) || self.names.groups.contains_key(&full) {
            return Ok(Some(full));
        }
        if self.progress.phase == Phase::Names {
            return self.fail_unknown(&family, inner.origin, scope);
        }
        let last = match self.names.families.get(&family) {
            Some(members) => members.last().map(|slot| self.names.slots[*slot].name.clone()),
            None => self.names.last_of_family(&family),
        };
        let help = last.map(|last| format!("the last one declared is `{last}`"));
        self.fail(index.origin, mistakes::names::no_such_member(&full).help_if(help))
    }

    /// The value of a full name.
    pub(crate) fn name_value(&mut self, full: &str, origin: Origin, scope: &Scope) -> Res<Value> {
        let value = self.declared_value(full, origin, scope)?;
        self.function_resolver().check_given(&value, full, origin, scope)?;
        Ok(value)
    }

    /// The value of the argument of a parameter of a part.
    pub(crate) fn passed_value(&mut self, i: usize) -> Res<Value> {
        let passed = &mut self.names.passed[i];
        match &passed.state {
            State::Done(value) => return Ok(value.clone()),
            State::Bad => return Err(Reported),
            State::Busy => {
                let origin = passed.expr.origin;
                return self.fail(origin, mistakes::names::argument_depends_on_itself());
            }
            State::Waiting => passed.state = State::Busy,
        }
        let (expr, scope) = (passed.expr, passed.scope.clone());
        let value = self.eval(expr, &scope);
        self.names.passed[i].state = value.as_ref().map_or(State::Bad, |value| State::Done(value.clone()));
        value
    }

    /// Marks an operand that is no number and the argument of a part as wrong, after its first report, so that other uses do not report it again.
    pub(crate) fn report_passed(&mut self, operand: Option<&Expr>, before: usize, scope: &Scope) {
        if let Some(Expr { kind: ExprKind::Name(name), .. }) = operand
            && let Found::Bound(Bound::Given(i)) = self.names.find_name(name, scope)
        {
            let help = self.names.describe_passed(i);
            self.mistakes.errors.help_since(before, &help);
            self.names.passed[i].state = State::Bad;
        }
    }

    /// Index of the word that an expression is, if it is one of `words`; for a parameter of a part its argument counts.
    pub(crate) fn word_behind(&mut self, e: &Expr, scope: &Scope, words: &[&str]) -> Option<usize> {
        let ExprKind::Name(name) = &self.names.argument_behind(e, scope).0.kind else { return None };
        let found = words.iter().position(|word| word == name)?;
        self.take_for_word(e, scope);
        Some(found)
    }

    /// Marks the argument of a parameter of a part as the word of a choice, which has no value.
    pub(crate) fn take_for_word(&mut self, e: &Expr, scope: &Scope) {
        let (mut e, mut scope) = (e, scope.clone());
        while let ExprKind::Name(name) = &e.kind
            && let Found::Bound(Bound::Given(i)) = self.names.find_name(name, &scope)
        {
            self.names.passed[i].is_word = true;
            (e, scope) = (self.names.passed[i].expr, self.names.passed[i].scope.clone());
        }
    }

    /// The slot of a declared function.
    pub(crate) fn function_slot(&mut self, name: &str, scope: &Scope) -> Option<usize> {
        let full = match self.names.find_name(name, scope) {
            Found::Declared(full) => full,
            Found::Bound(Bound::Given(i)) => {
                let (expr, scope) = (self.names.passed[i].expr, self.names.passed[i].scope.clone());
                Cow::Owned(self.full_path(expr, &scope).ok().flatten()?)
            }
            Found::Bound(_) => return None,
        };
        self.names.full.get(&*full).copied().filter(|slot| self.names.is_function_slot(*slot))
    }

    /// The function that `lib.lift(x)` calls, which the parser reads as `lift(lib, x)`, with the other arguments.
    pub(crate) fn qualified<'e>(
        &mut self,
        function: &Ident,
        arguments: &'e [Expr],
        scope: &Scope,
    ) -> Res<Option<(usize, &'e [Expr])>> {
        let Some((full, rest)) = self.qualified_name(function, arguments, scope)? else { return Ok(None) };
        let slot = self.names.full.get(&full).copied().filter(|slot| self.names.is_function_slot(*slot));
        Ok(slot.map(|slot| (slot, rest)))
    }

    /// The full name and the arguments of `lib.leg(…)`, if the first argument is a group.
    pub(crate) fn qualified_name<'e>(
        &mut self,
        word: &Ident,
        arguments: &'e [Expr],
        scope: &Scope,
    ) -> Res<Option<(String, &'e [Expr])>> {
        if self.names.groups.is_empty() {
            return Ok(None);
        }
        let Some((first, rest)) = arguments.split_first().filter(|(first, _)| is_receiver(first, word)) else {
            return Ok(None);
        };
        let group = self.full_path(first, scope)?.filter(|group| self.names.groups.contains_key(group));
        Ok(group.map(|group| (format!("{group}.{}", word.text), rest)))
    }

    /// Reports a name that is not declared.
    pub(crate) fn fail_unknown<V>(&mut self, name: &str, origin: Origin, scope: &Scope) -> Res<V> {
        if self.mistakes.lenient {
            return Err(Reported);
        }
        if self.names.announced.contains(name) {
            // The name is known only while loops are unrolled.
            return self.fail(origin, mistakes::names::name_not_constant(name));
        }
        let known = self
            .names
            .full
            .keys()
            .chain(self.names.families.keys())
            .chain(self.names.groups.keys())
            .map(String::as_str);
        let mut all: Vec<&str> = known.chain(RESERVED.iter().copied()).collect();
        for seen in scope.links() {
            match seen {
                ScopeNames::Bound(bound, _) | ScopeNames::Element(bound, _) => all.push(bound),
                ScopeNames::Names(prefix) => {
                    let members: Vec<&str> = all.iter().filter_map(|full| full.strip_prefix(&**prefix)).collect();
                    all.extend(members);
                }
            }
        }
        let inside = || instance_member_help(name, self.names.full.keys().map(String::as_str));
        let help = crate::did_you_mean(name, all).or_else(inside);
        self.fail(origin, mistakes::names::unknown_name(name).help_if(help))
    }
}

/// Help with a name that exists in an instance only: `left.knee` for `knee`.
pub(crate) fn instance_member_help<'n>(name: &str, mut all: impl Iterator<Item = &'n str>) -> Option<String> {
    let member = all.find(|full| full.strip_suffix(name).is_some_and(|group| group.ends_with('.')));
    member.map(|member| format!("did you mean `{member}`?"))
}

/// Whether `lib` is written before `leg`, as in `lib.leg(…)`, and not after it, as in `leg(lib, …)`; origins count tokens.
fn is_receiver(first: &Expr, word: &Ident) -> bool {
    match &first.kind {
        ExprKind::Field(inner, _) | ExprKind::Index(inner, _) => is_receiver(inner, word),
        ExprKind::Name(_) => first.origin < word.origin,
        _ => false,
    }
}
