//! Loops over sets: `for b in bodies { … }`, `for (a, b) in pairs(bodies) { … }`.
//!
//! A set is known when all other items have their names, so that these loops are unrolled last. Their variables are names of bodies and markers, and
//! names that they declare contain those: `repel[sun,earth]`.

use mbs_definition::{Expr, ExprKind, Loop};

use crate::mistakes;
use crate::names::Declaring;
use crate::names::RESERVED;
use crate::resolvers::Resolves;
use crate::{Category, Reported, Res, Scope, did_you_mean};

/// Categories of the members of sets; a loop over a set must not declare any of them.
pub(crate) const MEMBERS: &[Category] = &[Category::Body, Category::Particle];

impl<'a> Declaring<'_, 'a> {
    /// Whether a loop is over a set, not over a range.
    pub(crate) fn is_over_set(&self, l: &Loop, scope: &Scope) -> bool {
        let over = self.resolver.names.argument_behind(&l.over, scope).0;
        match &over.kind {
            ExprKind::Name(name) => name == "bodies",
            ExprKind::Vector(_) => true,
            ExprKind::Call(function, _) => function.text == "pairs",
            _ => false,
        }
    }

    /// Unrolls loops over sets, after all other names are declared.
    pub(crate) fn unroll_sets(&mut self) {
        let mut next = 0;
        while let Some((l, scope)) = self.statements.set_loops.get(next).cloned() {
            next += 1;
            if self.unroll_set(l, &scope).is_err() {
                self.mark_unknown(&l.items, &scope);
            }
        }
    }

    fn unroll_set(&mut self, l: &'a Loop, scope: &Scope) -> Res<()> {
        let tuples = self.tuples(l, scope)?;
        for variable in &l.variables {
            self.resolver.check_plain_name(&variable.text, variable.origin)?;
        }
        if let [a, b] = &l.variables[..]
            && a.text == b.text
        {
            return self.fail(b.origin, mistakes::names::loop_variables_with_one_name(&a.text));
        }
        self.nested(l.over.origin, |r| {
            for tuple in tuples {
                if !r.count_item(l.over.origin) {
                    break;
                }
                let bound = l.variables.iter().zip(tuple);
                let inside =
                    bound.fold(scope.clone(), |scope, (variable, name)| scope.set_element(&variable.text, &name));
                r.walk(&l.items, &inside);
            }
        })
    }

    /// Full names of the members that the loop variables represent, one tuple for each pass.
    fn tuples(&mut self, l: &'a Loop, scope: &Scope) -> Res<Vec<Vec<String>>> {
        let (over, inside) = self.resolver.names.argument_behind(&l.over, scope);
        if let ExprKind::Call(function, arguments) = &over.kind {
            let [set] = &arguments[..] else {
                return self.fail(function.origin, mistakes::names::pairs_takes_a_set(arguments.len()));
            };
            self.count_variables(l, 2, "for (a, b) in pairs(…)")?;
            let members = self.set_members(set, &inside)?;
            let pairs =
                |(i, a): (usize, &String)| members[i + 1..].iter().map(|b| vec![a.clone(), b.clone()]).collect();
            let pairs: Vec<Vec<Vec<String>>> = members.iter().enumerate().map(pairs).collect();
            return Ok(pairs.concat());
        }
        self.count_variables(l, 1, "for a in …")?;
        Ok(self.set_members(over, &inside)?.into_iter().map(|member| vec![member]).collect())
    }

    fn count_variables(&mut self, l: &Loop, expected: usize, example: &str) -> Res<()> {
        if l.variables.len() == expected {
            return Ok(());
        }
        let (n, s) = (l.variables.len(), if l.variables.len() == 1 { "" } else { "s" });
        self.fail(
            l.over.origin,
            mistakes::names::wrong_number_of_loop_variables(
                n,
                s,
                if expected == 1 { "is" } else { "are" },
                expected,
                example,
            ),
        )
    }

    /// Full names of the members of a set: `bodies`, `[sun, earth]`, `[ground, bodies]`.
    fn set_members(&mut self, e: &'a Expr, scope: &Scope) -> Res<Vec<String>> {
        let (e, scope) = self.resolver.names.argument_behind(e, scope);
        let members = match &e.kind {
            ExprKind::Vector(items) => {
                let found: Vec<Res<Vec<String>>> = items.iter().map(|item| self.members(item, &scope)).collect();
                found.into_iter().collect::<Res<Vec<_>>>()?.concat()
            }
            _ => self.members(e, &scope)?,
        };
        for (i, member) in members.iter().enumerate() {
            if members[..i].contains(member) {
                return self.fail(e.origin, mistakes::names::member_twice(member));
            }
        }
        Ok(members)
    }

    fn members(&mut self, e: &Expr, scope: &Scope) -> Res<Vec<String>> {
        match &e.kind {
            ExprKind::Name(name) if name == "bodies" => {
                let bodies = self.resolver.names.slots.iter().filter(|slot| MEMBERS.contains(&slot.category));
                return Ok(bodies.map(|slot| slot.name.clone()).collect());
            }
            ExprKind::Name(name) if name == "ground" => return Ok(vec![name.clone()]),
            ExprKind::Broken => {
                self.resolver.mistakes.broken = true;
                return Err(Reported);
            }
            _ => {}
        }
        let slot = self.resolver.full_path(e, scope)?.and_then(|full| self.resolver.names.full.get(&full).copied());
        if let Some(slot) = slot
            && matches!(
                self.resolver.names.slots[slot].category,
                Category::Body | Category::Particle | Category::Marker
            )
        {
            return Ok(vec![self.resolver.names.slots[slot].name.clone()]);
        }
        if let (ExprKind::Name(name), None) = (&e.kind, slot)
            && !RESERVED.contains(&name.as_str())
        {
            let known = self
                .resolver
                .names
                .slots
                .iter()
                .filter(|slot| MEMBERS.contains(&slot.category))
                .map(|slot| slot.name.as_str());
            let help = did_you_mean(name, known);
            return self.fail(e.origin, mistakes::names::unknown_member(name).help_if(help));
        }
        self.fail(e.origin, mistakes::names::not_a_member())
    }
}
