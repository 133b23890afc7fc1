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
use crate::scope::{Bound, Seen};
use crate::tables::Names;
use crate::value::Value;
use crate::{Category, DEEPEST, Phase, Reported, Res, Resolver, Scope, State};

impl<'a> Names<'a> {
    /// Meaning of a plain name in a scope.
    pub(crate) fn find<'n>(&self, name: &'n str, scope: &Scope) -> Found<'n> {
        let suffix = scope.suffix();
        if !suffix.is_empty() && !RESERVED.contains(&name) && !scope.binds(name) {
            let full = format!("{}{name}{suffix}", scope.prefix());
            if self.is_known(&full) {
                return Found::Declared(Cow::Owned(full));
            }
        }
        for seen in scope.links() {
            match seen {
                Seen::Element(variable, full) if variable == name => {
                    return Found::Declared(Cow::Owned(full.to_string()));
                }
                Seen::Bound(bound, to) if bound == name => return Found::Bound(to.clone()),
                Seen::Names(prefix) if !RESERVED.contains(&name) => {
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

    /// Something is, or will be, declared under a full name.
    pub(crate) fn is_known(&self, full: &str) -> bool {
        self.full.contains_key(full)
            || self.announced.contains(full)
            || self.families.contains_key(full)
            || self.parts.contains_key(full)
            || self.joint_kinds.contains_key(full)
            || self.bad.contains(full)
            || self.is_group(full)
    }

    /// Expression behind `e`, with its scope: the argument where `e` is only the name of a parameter of a part, otherwise `e` itself.
    pub(crate) fn behind<'e>(&self, e: &'e Expr, scope: &Scope) -> (&'e Expr, Scope)
    where
        'a: 'e,
    {
        let (mut e, mut scope) = (e, scope.clone());
        while let ExprKind::Name(name) = &e.kind
            && let Found::Bound(Bound::Given(i)) = self.find(name, &scope)
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
    /// The full name that an expression stands for, if it is one; an error for a member that does not exist.
    pub(crate) fn path(&mut self, e: &Expr, scope: &Scope) -> Res<Option<String>> {
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
        let path = self.path_below(e, scope);
        self.progress.depth -= 1;
        if let Ok(Some(full)) = &path
            && let Some(slot) = self.names.full.get(full)
        {
            self.names.slots[*slot].used = true;
        }
        path
    }

    fn path_below(&mut self, e: &Expr, scope: &Scope) -> Res<Option<String>> {
        match &e.kind {
            ExprKind::Name(name) => match self.names.find(name, scope) {
                Found::Bound(Bound::Given(i)) => {
                    let (expr, scope) = (self.names.passed[i].expr, self.names.passed[i].scope.clone());
                    self.path(expr, &scope)
                }
                Found::Bound(_) => Ok(None),
                Found::Declared(full) => Ok(Some(full).filter(|full| self.names.is_known(full)).map(Cow::into_owned)),
            },
            ExprKind::Field(inner, field) => {
                let owner = self.path(inner, scope)?.filter(|owner| self.names.groups.contains_key(owner));
                Ok(owner.map(|owner| format!("{owner}.{}", field.text)))
            }
            ExprKind::Index(inner, index) => self.member(inner, index, scope),
            _ => Ok(None),
        }
    }

    /// `link[0]` of a family, of declared things or of groups.
    pub(crate) fn member(&mut self, inner: &Expr, index: &Expr, scope: &Scope) -> Res<Option<String>> {
        if self.names.families.is_empty() && self.names.groups.is_empty() {
            return Ok(None);
        }
        let Some(family) = self.path(inner, scope)? else { return Ok(None) };
        let of_groups = self.names.is_group_family(&family);
        if self.names.full.contains_key(&family) || !(of_groups || self.names.families.contains_key(&family)) {
            return Ok(None);
        }
        if self.names.bad.contains(&family) {
            return Err(Reported);
        }
        let i = self.whole(index, scope, "an index")?;
        let full = format!("{family}[{i}]");
        if self.names.full.contains_key(&full) || self.names.groups.contains_key(&full) {
            return Ok(Some(full));
        }
        if self.progress.phase == Phase::Names {
            return self.unknown(&family, inner.origin, scope);
        }
        let last = match self.names.families.get(&family) {
            Some(members) => members.last().map(|slot| self.names.slots[*slot].name.clone()),
            None => self.names.last_of_family(&family),
        };
        let help = last.map(|last| format!("the last one declared is `{last}`"));
        self.fail(index.origin, mistakes::names::no_such_member(&full).help_if(help))
    }

    /// Value of a full name that is not plain, in its scope.
    pub(crate) fn named(&mut self, full: &str, origin: Origin, scope: &Scope) -> Res<Value> {
        let value = self.declared_value(full, origin, scope)?;
        self.function_resolver().check_given(&value, full, origin, scope)?;
        Ok(value)
    }

    /// Value of the argument given for a parameter of a part.
    pub(crate) fn passed(&mut self, i: usize) -> Res<Value> {
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

    /// An operand that is no number may be a wrong argument of a part; it is then reported once, not at every use.
    pub(crate) fn blame_passed(&mut self, operand: Option<&Expr>, before: usize, scope: &Scope) {
        if let Some(Expr { kind: ExprKind::Name(name), .. }) = operand
            && let Found::Bound(Bound::Given(i)) = self.names.find(name, scope)
        {
            let help = self.names.describe_passed(i);
            self.mistakes.errors.help_since(before, &help);
            self.names.passed[i].state = State::Bad;
        }
    }

    /// Which of some words an expression is; for a parameter of a part, its argument counts.
    pub(crate) fn word_behind(&mut self, e: &Expr, scope: &Scope, words: &[&str]) -> Option<usize> {
        let ExprKind::Name(name) = &self.names.behind(e, scope).0.kind else { return None };
        let found = words.iter().position(|word| word == name)?;
        self.take_for_word(e, scope);
        Some(found)
    }

    /// Marks the argument given for a parameter of a part as the word of a choice, which has no value to evaluate.
    pub(crate) fn take_for_word(&mut self, e: &Expr, scope: &Scope) {
        let (mut e, mut scope) = (e, scope.clone());
        while let ExprKind::Name(name) = &e.kind
            && let Found::Bound(Bound::Given(i)) = self.names.find(name, &scope)
        {
            self.names.passed[i].is_word = true;
            (e, scope) = (self.names.passed[i].expr, self.names.passed[i].scope.clone());
        }
    }

    /// The slot of a declared function.
    pub(crate) fn function_slot(&mut self, name: &str, scope: &Scope) -> Option<usize> {
        let full = match self.names.find(name, scope) {
            Found::Declared(full) => full,
            Found::Bound(Bound::Given(i)) => {
                let (expr, scope) = (self.names.passed[i].expr, self.names.passed[i].scope.clone());
                Cow::Owned(self.path(expr, &scope).ok().flatten()?)
            }
            Found::Bound(_) => return None,
        };
        self.names.full.get(&*full).copied().filter(|slot| self.names.is_function_slot(*slot))
    }

    /// The function that `lib.lift(x)` calls, which the parser reads as `lift(lib, x)`; the other arguments are its own.
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

    /// `lib.leg` and the arguments of `lib.leg(…)`, if the first argument is a group.
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
        let group = self.path(first, scope)?.filter(|group| self.names.groups.contains_key(group));
        Ok(group.map(|group| (format!("{group}.{}", word.text), rest)))
    }

    /// A name that nothing declares.
    pub(crate) fn unknown<V>(&mut self, name: &str, origin: Origin, scope: &Scope) -> Res<V> {
        if self.mistakes.lenient {
            return Err(Reported);
        }
        if self.names.announced.contains(name) {
            // Only while loops are unrolled.
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
                Seen::Bound(bound, _) | Seen::Element(bound, _) => all.push(bound),
                Seen::Names(prefix) => {
                    let own: Vec<&str> = all.iter().filter_map(|full| full.strip_prefix(&**prefix)).collect();
                    all.extend(own);
                }
            }
        }
        let inside = || member_called(name, self.names.full.keys().map(String::as_str));
        let help = crate::did_you_mean(name, all).or_else(inside);
        self.fail(origin, mistakes::names::unknown_name(name).help_if(help))
    }
}

/// Help where only an instance has such a name: `left.knee` for `knee`.
pub(crate) fn member_called<'n>(name: &str, mut all: impl Iterator<Item = &'n str>) -> Option<String> {
    let member = all.find(|full| full.strip_suffix(name).is_some_and(|group| group.ends_with('.')));
    member.map(|member| format!("did you mean `{member}`?"))
}

/// Whether `lib` stands before `leg`, as in `lib.leg(…)`, not after it, as in `leg(lib, …)`: origins count tokens.
fn is_receiver(first: &Expr, word: &Ident) -> bool {
    match &first.kind {
        ExprKind::Field(inner, _) | ExprKind::Index(inner, _) => is_receiver(inner, word),
        ExprKind::Name(_) => first.origin < word.origin,
        _ => false,
    }
}
