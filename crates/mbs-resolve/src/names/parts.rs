//! Parts: text that is parsed once and instantiated many times.
//!
//! An instance does not copy the text. The items of the part are declared in a scope with the names of the instance, then the arguments of its
//! parameters, then the names known to the part. An argument stays an expression in the scope where it was written, and is evaluated at its first
//! use, which decides whether it must be a body, a number or a constant.

use mbs_definition::{Declaration, Expr, ExprKind, Ident, Item, Part};
use mbs_model::catalog;

use crate::mistakes;
use crate::names::Declaring;
use crate::names::RESERVED;
use crate::resolvers::Resolves;
use crate::scope::Bound;
use crate::scope::Found;
use crate::tables::DeclaredPart;
use crate::tables::GroupKind;
use crate::tables::Passed;
use crate::text::plural;
use crate::values::arguments::Given;
use crate::{Reported, Res, Scope, State, did_you_mean};

/// Deepest nesting of instances and loops.
pub(crate) const MOST_LEVELS: usize = 192;

/// Largest number of parameters of a part.
const MOST_PARAMETERS: usize = 256;

impl<'a> Declaring<'_, 'a> {
    /// Declares parts first, since they may be instantiated before their declaration.
    pub(crate) fn declare_parts(&mut self, items: &'a [Item], scope: &Scope) {
        for item in items {
            if let Item::Part(part) = item
                && (!self.count_item(part.name.origin) || self.declare_part(part, scope).is_err())
            {
                self.resolver.names.bad.insert(format!("{}{}", scope.prefix(), part.name.text));
            }
        }
    }

    fn declare_part(&mut self, part: &'a Part, scope: &Scope) -> Res<()> {
        self.resolver.check_name(&part.name.text, part.name.origin, scope)?;
        if part.parameters.len() > MOST_PARAMETERS {
            return self.fail(part.name.origin, mistakes::names::too_many_parameters(&part.name.text, MOST_PARAMETERS));
        }
        for (i, parameter) in part.parameters.iter().enumerate() {
            let name = &parameter.name;
            self.resolver.check_plain_name(&name.text, name.origin)?;
            if let Some(earlier) = part.parameters[..i].iter().find(|earlier| earlier.name.text == name.text) {
                let mistake = mistakes::names::part_parameter_twice(&part.name.text, &name.text);
                return self.fail_redeclared(name.origin, earlier.name.origin, mistake);
            }
        }
        self.check_shadows(part, &part.items)?;
        let full = format!("{}{}", scope.prefix(), part.name.text);
        if let Some(slot) = self.resolver.names.full.get(&full) {
            // Before parts only imported files have been declared.
            let help = format!("`{full}` is in an imported file, too: give the import a name with `as`");
            let first = self.resolver.names.slots[*slot].declared.origin();
            return self.fail_redeclared(part.name.origin, first, mistakes::names::declared_twice(&full).help(help));
        }
        self.resolver.names.parts.insert(full, DeclaredPart { part, scope: scope.clone() });
        Ok(())
    }

    /// Checks that no declaration in a part has the name of one of the part's parameters.
    fn check_shadows(&mut self, part: &Part, items: &[Item]) -> Res<()> {
        for item in items {
            let name = match item {
                Item::Declaration(d) if d.category.text != "output" => &d.name.ident,
                Item::Function(f) => &f.name,
                Item::Part(inner) => &inner.name,
                Item::JointKind(kind) => &kind.name,
                Item::Loop(l) => {
                    self.check_shadows(part, &l.items)?;
                    continue;
                }
                _ => continue,
            };
            if part.parameters.iter().any(|p| p.name.text == name.text) {
                return self.fail(name.origin, mistakes::names::parameter_shadowed(&name.text, &part.name.text));
            }
        }
        Ok(())
    }

    /// `part left = leg(hip, 1);`
    pub(crate) fn instantiate(&mut self, d: &'a Declaration, scope: &Scope) -> Res<()> {
        let ident = &d.name.ident;
        self.resolver.check_plain_name(&ident.text, ident.origin)?;
        let name = self.resolver.full_name(&d.name, scope)?;
        self.check_free(&name, d, scope)?;
        if !d.shape.is_empty() || d.frame.is_some() {
            return self.fail(ident.origin, mistakes::names::part_with_shape(&name, &ident.text));
        }
        let (word, given) = self.part_call(d)?;
        let (full, given) = self.part_and_arguments(&word, given, scope)?;
        let Some(DeclaredPart { part, scope: outside }) = self.resolver.names.parts.get(&full) else {
            return Err(Reported);
        };
        let (part, outside) = (*part, outside.clone());
        if self.making.iter().any(|outer| std::ptr::eq(*outer, part)) {
            let through = self.making.last().filter(|last| !std::ptr::eq(**last, part));
            let through = through.map_or_else(String::new, |last| format!(" through `{}`", last.name.text));
            return self.fail(word.origin, mistakes::names::part_contains_itself(&part.name.text, &through));
        }
        let passed = self.resolver.names.passed.len();
        let Ok(inside) = self.bind(part, d, given, &outside.instance_of(&name), scope) else {
            // The arguments will not be used.
            self.resolver.names.passed.truncate(passed);
            return Err(Reported);
        };
        self.add_group(name.clone(), ident.origin, GroupKind::Instance);
        self.nested(ident.origin, |r| {
            r.making.push(part);
            r.declare_items(&part.items, &inside.inside_group(&name));
            r.making.pop();
        })
    }

    /// Checks that the name of an instance is not used otherwise.
    fn check_free(&mut self, name: &str, d: &Declaration, scope: &Scope) -> Res<()> {
        let ident = &d.name.ident;
        let family = format!("{}{}", scope.prefix(), ident.text);
        let slot = self.resolver.names.full.get(name).or_else(|| self.resolver.names.full.get(&family)).copied();
        let slot = slot.or_else(|| self.resolver.names.families.get(&family).map(|members| members[0]));
        let slot = slot.map(|slot| self.resolver.names.slots[slot].declared.origin());
        let group = self
            .resolver
            .names
            .groups
            .get(name)
            .or_else(|| self.resolver.names.groups.get(&family))
            .map(|group| group.origin);
        let group =
            group.or_else(|| (d.name.index.is_none() && self.resolver.names.is_group(&family)).then_some(ident.origin));
        let part = self.resolver.names.parts.get(&family).map(|part| part.part.name.origin);
        let Some(other) = slot.or(group).or(part) else { return Ok(()) };
        let help = match scope.loop_variable() {
            Some(variable) if other == ident.origin => {
                format!("names inside `for` carry the index: `{}[{variable}]`", ident.text)
            }
            _ => "give one of them another name".into(),
        };
        self.resolver.names.bad.insert(name.to_owned());
        let mistake = mistakes::names::declared_twice(name).help(help);
        self.fail_redeclared(ident.origin.max(other), ident.origin.min(other), mistake)
    }

    /// The name of the part, `leg`, and the arguments in parentheses.
    fn part_call(&mut self, d: &'a Declaration) -> Res<(Ident, &'a [Expr])> {
        match d.value.as_ref().map(|value| (&value.kind, value.origin)) {
            Some((ExprKind::Call(word, given), _)) => Ok((word.clone(), given)),
            Some((ExprKind::Name(word), origin)) => Ok((Ident { text: word.clone(), origin }, &[])),
            Some((ExprKind::Broken, _)) => {
                self.resolver.mistakes.broken = true;
                Err(Reported)
            }
            other => {
                let origin = other.map_or(d.name.ident.origin, |(_, origin)| origin);
                let name = &d.name.ident.text;
                self.fail(origin, mistakes::names::instance_of_no_part(name))
            }
        }
    }

    /// The full name of a part, and the arguments given.
    fn part_and_arguments(&mut self, word: &Ident, given: &'a [Expr], scope: &Scope) -> Res<(String, &'a [Expr])> {
        // The parser reads `lib.leg(…)` as `leg(lib, …)`.
        let library = match self.resolver.qualified_name(word, given, scope)? {
            Some((full, rest)) if self.resolver.names.parts.contains_key(&full) => return Ok((full, rest)),
            Some((full, _)) if self.resolver.names.bad.contains(&full) => return Err(Reported),
            Some((full, _)) => full.strip_suffix(&word.text).map(str::to_owned),
            None => None,
        };
        let full = match self.resolver.names.find_name(&word.text, scope) {
            Found::Bound(Bound::Given(i)) => {
                let (expr, scope) = (self.resolver.names.passed[i].expr, self.resolver.names.passed[i].scope.clone());
                self.resolver.full_path(expr, &scope)?
            }
            Found::Bound(_) => None,
            Found::Declared(full) => Some(full.into_owned()),
        };
        if let Some(full) = full.as_ref().filter(|_| library.is_none()) {
            if self.resolver.names.bad.contains(full) {
                return Err(Reported);
            }
            if self.resolver.names.parts.contains_key(full) {
                return Ok((full.clone(), given));
            }
        }
        if self.resolver.mistakes.lenient {
            return Err(Reported);
        }
        let help = self.part_help(&word.text, library.as_deref(), scope);
        self.fail(word.origin, mistakes::names::unknown_part(&word.text).help_if(help))
    }

    fn part_help(&self, word: &str, library: Option<&str>, scope: &Scope) -> Option<String> {
        let space = self.resolver.definition.space;
        if catalog::joints(space).iter().any(|kind| kind.name == word) {
            return Some(format!("`{word}` is a kind of joint: write `joint name = {word}(…);`"));
        }
        if catalog::forces(space).iter().any(|kind| kind.name == word) {
            return Some(format!("`{word}` is a kind of force: write `force name = {word}(…);`"));
        }
        let prefix = library.unwrap_or(scope.prefix());
        let known = self.resolver.names.parts.keys().filter_map(|full| full.strip_prefix(prefix));
        did_you_mean(word, known.chain(self.resolver.names.parts.keys().map(String::as_str)))
            .or_else(|| self.resolver.names.full.contains_key(word).then(|| format!("`{word}` is no part")))
    }

    /// The scope of an instance's text: parameters bound to their arguments, in order or by name in braces, or to their defaults.
    fn bind(
        &mut self,
        part: &'a Part,
        d: &'a Declaration,
        given: &'a [Expr],
        outside: &Scope,
        scope: &Scope,
    ) -> Res<Scope> {
        let parameters = &part.parameters;
        let names: Vec<&str> = parameters.iter().map(|p| p.name.text.as_str()).collect();
        let (instance, name) = (&d.name.ident.text, &part.name.text);
        if let Some(extra) = given.get(parameters.len()) {
            // Without an import `lib`, the parser's `leg(lib, 1)` for `lib.leg(1)` has an unknown first argument.
            if let Some(Expr { kind: ExprKind::Name(first), origin }) = given.first()
                && let Found::Declared(full) = self.resolver.names.find_name(first, scope)
                && !(self.resolver.names.is_known(&full) || RESERVED.contains(&&*full))
            {
                return self.resolver.fail_unknown(first, *origin, scope);
            }
            let (n, takes) = (given.len(), parameters.len());
            return self.fail(
                extra.origin,
                mistakes::names::too_many_arguments_of_part(instance, n, plural(n), name, takes, names.join(", ")),
            );
        }
        let Given { found, strange } =
            self.argument_resolver().arguments(&format!("part `{name}`"), &d.arguments, &names);
        let mut inside = outside.clone();
        let mut missing: Vec<String> = Vec::new();
        for (i, parameter) in parameters.iter().enumerate() {
            let (expr, scope) = match (given.get(i), found[i], &parameter.default) {
                (Some(_), Some(twice), _) => {
                    return self.fail(twice.name.origin, mistakes::values::argument_given_twice(&twice.name.text));
                }
                (Some(expr), None, _) => (expr, scope.clone()),
                (None, Some(argument), _) => (&argument.value, scope.clone()),
                (None, None, Some(default)) => (default, inside.clone()),
                (None, None, None) => {
                    missing.push(format!("`{}`", parameter.name.text));
                    continue;
                }
            };
            inside = inside.bind(&parameter.name.text, Bound::Given(self.resolver.names.passed.len()));
            let name = &parameter.name.text;
            self.resolver.names.passed.push(Passed {
                parameter: name,
                expr,
                scope,
                state: State::Waiting,
                is_word: false,
            });
        }
        if missing.is_empty() {
            return Ok(inside);
        }
        if strange {
            return Err(Reported);
        }
        let origin = d.value.as_ref().map_or(d.name.ident.origin, |value| value.origin);
        self.fail(
            origin,
            mistakes::names::part_arguments_missing(instance, missing.join(" and "), name, names.join(", ")),
        )
    }
}
