//! Groups: names that an import makes begin with its prefix, `arm.elbow`.
//!
//! A name with its prefix is one name. The parser cannot tell it from a field, `elbow.angle`; here it is told, before anything is
//! declared. The prefix alone stands for all bodies of its group, as `link` does for `link[0]`, `link[1]`, ….

use std::borrow::Cow;
use std::rc::Rc;

use super::value::Value;
use super::{Category, Phase, Res, Resolver};
use crate::definition::{Argument, Definition, Expr, ExprKind, FunctionBody, Item, Made, Report};
use crate::{BodyId, Origin};

/// The definition with `arm.elbow` as one name wherever `arm` is a group.
pub(super) fn joined(definition: &Definition) -> Cow<'_, Definition> {
    let groups: Vec<String> = groups(&definition.items).map(|(name, _)| name.to_owned()).collect();
    if groups.is_empty() {
        return Cow::Borrowed(definition);
    }
    let mut definition = definition.clone();
    join_items(&mut definition.items, &groups);
    Cow::Owned(definition)
}

/// Prefixes and where they stand.
fn groups(items: &[Item]) -> impl Iterator<Item = (&str, Origin)> {
    items.iter().filter_map(|item| match item {
        Item::Group(group) => Some((group.text.as_str(), group.origin)),
        _ => None,
    })
}

fn join_items(items: &mut [Item], groups: &[String]) {
    for item in items {
        let mut exprs: Vec<&mut Expr> = Vec::new();
        match item {
            Item::Declaration(d) => {
                exprs.extend(d.name.index.iter_mut().chain(&mut d.shape).chain(&mut d.frame).chain(&mut d.value));
                exprs.extend(values(&mut d.arguments));
            }
            Item::Setting(s) => exprs.extend(s.value.iter_mut().chain(values(&mut s.arguments))),
            Item::Initial(conditions) => {
                exprs.extend(conditions.iter_mut().flat_map(|c| [&mut c.target, &mut c.value]));
            }
            Item::Loop(l) => {
                exprs.push(&mut l.over);
                join_items(&mut l.items, groups);
            }
            Item::Function(f) => match &mut f.body {
                FunctionBody::Inlined { value, .. } => exprs.push(value),
                FunctionBody::Made(made) => exprs.extend(data(made)),
                FunctionBody::Supplied { shape, arguments, default, .. } => {
                    exprs.extend(shape.iter_mut().chain(arguments).chain(default.iter_mut().flat_map(data)));
                }
            },
            Item::Event(event) => exprs.extend(event.expressions()),
            Item::Report(Report::Every(_, period)) => exprs.push(period),
            Item::Report(Report::On(events)) => exprs.extend(events),
            Item::Stop(_, condition) => exprs.push(condition),
            Item::Group(_) | Item::Solid(_) | Item::Limits(_) | Item::Reserved(_) => {}
        }
        join(exprs, groups);
    }
}

fn data(made: &mut Made) -> impl Iterator<Item = &mut Expr> {
    std::iter::once(&mut made.value).chain(values(&mut made.arguments))
}

fn values(arguments: &mut [Argument]) -> impl Iterator<Item = &mut Expr> {
    arguments.iter_mut().map(|argument| &mut argument.value)
}

/// Joins names in expressions, however deep they are.
fn join(mut stack: Vec<&mut Expr>, groups: &[String]) {
    while let Some(e) = stack.pop() {
        if let Some((name, origin)) = whole_name(e, groups) {
            *e = Expr { kind: ExprKind::Name(name), origin };
            continue;
        }
        match &mut e.kind {
            ExprKind::Number(_) | ExprKind::Name(_) | ExprKind::Broken => {}
            ExprKind::Field(a, _) | ExprKind::Unary(_, a) => stack.push(a),
            ExprKind::Index(a, b)
            | ExprKind::Range(a, b)
            | ExprKind::Binary(_, a, b)
            | ExprKind::In(a, b)
            | ExprKind::At(a, b) => stack.extend([&mut **a, &mut **b]),
            ExprKind::If(a, b, c) => stack.extend([&mut **a, &mut **b, &mut **c]),
            ExprKind::Sum { body, over, .. } => stack.extend([&mut **body, &mut **over]),
            ExprKind::Call(_, list) | ExprKind::Vector(list) => stack.extend(list),
        }
    }
}

/// `arm.elbow` and where `elbow` stands, if the expression is that.
fn whole_name(e: &Expr, groups: &[String]) -> Option<(String, Origin)> {
    let ExprKind::Field(inner, field) = &e.kind else { return None };
    let ExprKind::Name(name) = &inner.kind else { return None };
    groups.contains(name).then(|| (format!("{name}.{}", field.text), field.origin))
}

impl Resolver<'_> {
    /// Prefixes are names, before any other is declared.
    pub(super) fn declare_groups(&mut self, items: &[Item]) {
        for (name, origin) in groups(items) {
            let _: Res<()> = self.check_name(name, origin);
            self.groups.insert(name.to_owned(), origin);
        }
    }

    /// A declared name is not that of a group.
    pub(super) fn check_no_group(&mut self, name: &str, origin: Origin) -> Res<()> {
        match self.groups.get(name) {
            None => Ok(()),
            Some(group) => {
                let help = Some(format!("`{name}` is what the names of an import begin with"));
                self.fail("MBS011", origin.max(*group), format!("`{name}` is declared twice"), help)
            }
        }
    }

    /// What is declared as `arm.elbow` where this is `arm_elbow`, or the other way round.
    pub(super) fn same_in_rust(&self, name: &str) -> Option<usize> {
        if let Some((group, own)) = name.split_once('.') {
            return self.names.get(&format!("{group}_{own}")).copied();
        }
        let own_of = |group: &String| name.strip_prefix(group.as_str())?.strip_prefix('_');
        let mut twins = self.groups.keys().filter_map(|group| Some(format!("{group}.{}", own_of(group)?)));
        twins.find_map(|twin| self.names.get(&twin).copied())
    }

    /// All bodies of a group as a set.
    pub(super) fn group(&mut self, name: &str, origin: Origin) -> Res<Value> {
        if self.phase == Phase::Names {
            let help = Some("sizes, bounds and indices use `const`".into());
            return self.fail("MBS024", origin, format!("`{name}` is not constant"), help);
        }
        let is_member = |full: &str| full.strip_prefix(name).is_some_and(|rest| rest.starts_with('.'));
        let bodies = self.slots.iter().filter(|slot| slot.category == Category::Body && is_member(&slot.name));
        let set: Vec<_> =
            bodies.map(|slot| (BodyId(slot.index as u32), self.bodies[slot.index].origin_marker)).collect();
        if set.is_empty() {
            return self.fail("MBS020", origin, format!("the group `{name}` has no bodies"), None);
        }
        Ok(Value::Set(Rc::new(set)))
    }
}
