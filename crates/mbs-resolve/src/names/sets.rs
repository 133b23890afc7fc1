//! Loops over sets: `for b in bodies { … }`, `for (a, b) in pairs(bodies) { … }`.
//!
//! A set is known when everything else has its name, so these loops are unrolled last. Their variables stand for the names of bodies and
//! markers, and what they declare carries those: `repel[sun,earth]`.

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
        let over = self.resolver.names.behind(&l.over, scope).0;
        match &over.kind {
            ExprKind::Name(name) => name == "bodies",
            ExprKind::Vector(_) => true,
            ExprKind::Call(function, _) => function.text == "pairs",
            _ => false,
        }
    }

    /// Loops over sets, once all other names are declared.
    pub(crate) fn unroll_sets(&mut self) {
        let mut next = 0;
        while let Some((l, scope)) = self.statements.set_loops.get(next).cloned() {
            next += 1;
            if self.unroll_set(l, &scope).is_err() {
                self.distrust(&l.items, &scope);
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
        self.one_level(l.over.origin, |r| {
            for tuple in tuples {
                if !r.count_item(l.over.origin) {
                    break;
                }
                let bound = l.variables.iter().zip(tuple);
                let inside = bound.fold(scope.clone(), |scope, (variable, name)| scope.element(&variable.text, &name));
                r.walk(&l.items, &inside);
            }
        })
    }

    /// Full names that the loop variables stand for, one tuple per pass.
    fn tuples(&mut self, l: &'a Loop, scope: &Scope) -> Res<Vec<Vec<String>>> {
        let (over, inside) = self.resolver.names.behind(&l.over, scope);
        if let ExprKind::Call(function, arguments) = &over.kind {
            let [set] = &arguments[..] else {
                return self.fail(function.origin, mistakes::names::pairs_takes_a_set(arguments.len()));
            };
            self.count_variables(l, 2, "for (a, b) in pairs(…)")?;
            let members = self.set(set, &inside)?;
            let with = |(i, a): (usize, &String)| members[i + 1..].iter().map(|b| vec![a.clone(), b.clone()]).collect();
            let pairs: Vec<Vec<Vec<String>>> = members.iter().enumerate().map(with).collect();
            return Ok(pairs.concat());
        }
        self.count_variables(l, 1, "for a in …")?;
        Ok(self.set(over, &inside)?.into_iter().map(|member| vec![member]).collect())
    }

    fn count_variables(&mut self, l: &Loop, wanted: usize, example: &str) -> Res<()> {
        if l.variables.len() == wanted {
            return Ok(());
        }
        let (n, s) = (l.variables.len(), if l.variables.len() == 1 { "" } else { "s" });
        self.fail(
            l.over.origin,
            mistakes::names::wrong_number_of_loop_variables(
                n,
                s,
                if wanted == 1 { "is" } else { "are" },
                wanted,
                example,
            ),
        )
    }

    /// Full names of the bodies and markers of `bodies`, `[sun, earth]`, `[ground, bodies]`.
    fn set(&mut self, e: &'a Expr, scope: &Scope) -> Res<Vec<String>> {
        let (e, scope) = self.resolver.names.behind(e, scope);
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
        let slot = self.resolver.path(e, scope)?.and_then(|full| self.resolver.names.full.get(&full).copied());
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
