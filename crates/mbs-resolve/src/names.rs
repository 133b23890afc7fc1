//! Declares all names: unrolls loops and gives every declaration a slot. Only loop bounds and indices are evaluated here.

pub(crate) mod groups;
pub(crate) mod lookup;
pub(crate) mod parts;
pub(crate) mod sets;
pub(crate) mod slots;

use std::collections::BTreeMap;

use mbs_definition::{Declaration, Expr, ExprKind, Item, Loop, Name, Origin, Part, Report, Setting, Space};
use mbs_expr::ExprId;
use mbs_model::catalog::{self, Kind};

use crate::mistakes;
use crate::names::parts::MOST_LEVELS;
use crate::names::sets::MEMBERS;
use crate::resolvers::Resolves;
use crate::tables::GivenEvent;
use crate::tables::Statements;
use crate::{Category, Declared, MOST_IN_WORDS, MOST_ITEMS, Reported, Res, Resolver, Scope, did_you_mean, synonyms};

const CATEGORIES: &[(&str, Category)] = &[
    ("param", Category::Param),
    ("const", Category::Const),
    ("input", Category::Input),
    ("state", Category::State),
    ("discrete", Category::Discrete),
    ("switch", Category::Switch),
    ("coordinate", Category::Coordinate),
    ("let", Category::Let),
    ("output", Category::Output),
    ("body", Category::Body),
    ("particle", Category::Particle),
    ("marker", Category::Marker),
    ("joint", Category::Joint),
    ("force", Category::Force),
    ("potential", Category::Potential),
    ("drive", Category::Drive),
    ("prescribe", Category::Prescribe),
    ("constraint", Category::Constraint),
    ("coupling", Category::Coupling),
    ("curve", Category::Curve),
];

/// Names to which the language gives a meaning.
pub(crate) const RESERVED: &[&str] =
    &["t", "PI", "TAU", "ground", "bodies", "com", "kinetic_energy", "potential_energy", "true", "false"];

/// The keyword of a category.
pub(crate) fn category_word(category: Category) -> &'static str {
    CATEGORIES.iter().find(|(_, c)| *c == category).map_or("function", |(word, _)| *word)
}

/// Phase that declares all names, with loops unrolled and parts instantiated.
#[derive(Debug)]
pub(crate) struct Declaring<'r, 'a> {
    pub resolver: &'r mut Resolver<'a>,
    pub statements: Statements<'a>,
    /// Number of items unrolled so far.
    pub items: usize,
    /// Nesting of loops and instances at present.
    pub levels: usize,
    /// Parts that are being instantiated, outermost first.
    pub making: Vec<&'a Part>,
    /// Slots of outputs by full name, in their own namespace.
    pub outputs: BTreeMap<String, usize>,
    /// Outputs by their form in Rust.
    pub rust_outputs: BTreeMap<String, usize>,
}

impl<'a> Resolves<'a> for Declaring<'_, 'a> {
    fn resolver(&mut self) -> &mut Resolver<'a> {
        self.resolver
    }
}

impl<'r, 'a> Declaring<'r, 'a> {
    pub(crate) fn new(resolver: &'r mut Resolver<'a>) -> Self {
        Declaring {
            resolver,
            statements: Statements::default(),
            items: 0,
            levels: 0,
            making: Vec::new(),
            outputs: BTreeMap::new(),
            rust_outputs: BTreeMap::new(),
        }
    }

    /// After this pass every name has its slot; returns the statements that other phases resolve.
    pub(crate) fn run(mut self, items: &'a [Item]) -> Statements<'a> {
        self.declare_items(items, &Scope::default());
        self.unroll_sets();
        self.resolver.mistakes.lenient |= self.items > MOST_ITEMS;
        self.statements
    }

    /// Declares the items of a mechanism, of an imported file or of an instance of a part.
    pub(crate) fn declare_items(&mut self, items: &'a [Item], scope: &Scope) {
        self.in_scope(scope, |r| {
            r.declare_groups(items, scope);
            r.announce(items, scope);
            r.declare_libraries(items, scope);
            r.declare_parts(items, scope);
            r.declare_joint_kinds(items, scope);
            // Functions come first: they are not evaluated where they are declared, and constants may call them.
            r.declare_functions(items, scope);
            // Constants outside loops come before the loops, whose bounds they may give.
            for item in items {
                if let Item::Declaration(d) = item
                    && d.category.text == "const"
                {
                    r.declare(d, scope);
                }
            }
            r.walk(items, scope);
        });
    }

    /// Collects all names that will get slots.
    fn announce(&mut self, items: &'a [Item], scope: &Scope) {
        let prefix = scope.prefix();
        for item in items {
            let name = match item {
                Item::Declaration(d) if d.category.text != "output" => &d.name.ident.text,
                Item::Function(f) => &f.name.text,
                // Names in loops over sets contain the names of the members.
                Item::Loop(l) if self.is_over_set(l, scope) => continue,
                Item::Loop(l) => {
                    self.announce(&l.items, scope);
                    continue;
                }
                _ => continue,
            };
            self.resolver.names.announced.insert(format!("{prefix}{name}"));
        }
    }

    pub(crate) fn walk(&mut self, items: &'a [Item], scope: &Scope) {
        let (top, in_part) = (!scope.in_loop(), !scope.prefix().is_empty());
        for item in items {
            if self.items > MOST_ITEMS {
                return;
            }
            match item {
                Item::Declaration(d) if top && d.category.text == "const" => {}
                Item::Declaration(d) => self.declare(d, scope),
                Item::Setting(s) if top && !in_part => self.declare_setting(s),
                Item::Setting(s) => {
                    let [location, help] = match in_part {
                        true => ["a part", "write it in the mechanism"],
                        false => ["`for`", "write it outside the loop"],
                    };
                    self.report(
                        s.name.origin,
                        mistakes::names::setting_inside(&s.name.text, location).help_if(Some(help.into())),
                    );
                }
                Item::Initial(conditions) => {
                    for condition in conditions {
                        if self.count_item(condition.target.origin) {
                            self.statements.initial.push((condition, scope.clone()));
                        }
                    }
                }
                Item::Loop(l) => self.unroll(l, scope),
                Item::Function(_) if top => {}
                Item::Function(f) => {
                    self.report(f.name.origin, mistakes::names::function_inside_loop(&f.name.text));
                    self.resolver.names.bad.insert(format!("{}{}", scope.prefix(), f.name.text));
                }
                Item::Event(_) | Item::Report(_) | Item::Stop(..) => self.declare_event(item, scope),
                Item::Part(p) if !top => {
                    self.report(p.name.origin, mistakes::names::part_inside_loop(&p.name.text));
                    self.resolver.names.bad.insert(format!("{}{}", scope.prefix(), p.name.text));
                }
                Item::JointKind(kind) if !top => {
                    self.report(kind.name.origin, mistakes::names::kind_inside_loop(&kind.name.text));
                    self.resolver.names.bad.insert(format!("{}{}", scope.prefix(), kind.name.text));
                }
                Item::Group(_) | Item::Part(_) | Item::JointKind(_) | Item::Library(_) => {}
                Item::Solid(solid) => self.statements.solids.push((solid, scope.clone())),
                Item::Limits(limits) => self.statements.limits.push((limits, scope.clone())),
                Item::Reserved(keyword) => {
                    self.resolver.mistakes.lenient = true;
                    let _: Res<()> = self.fail_unsupported(keyword.origin, &keyword.text);
                }
            }
        }
    }

    fn declare_setting(&mut self, setting: &'a Setting) {
        self.statements.settings.push(setting);
        if setting.name.text == "gravity" && setting.tunable {
            self.add_slot("gravity".into(), None, Category::Param, Declared::Gravity(setting), &Scope::default());
        }
    }

    fn declare_event(&mut self, item: &'a Item, scope: &Scope) {
        let Some(given) = GivenEvent::from_item(item).filter(|given| self.count_item(given.origin())) else { return };
        match given {
            GivenEvent::Report(Report::On(events)) => self.statements.reports.push((events, scope.clone())),
            _ => self.statements.events.push((given, scope.clone())),
        }
    }

    fn unroll(&mut self, l: &'a Loop, scope: &Scope) {
        if self.is_over_set(l, scope) {
            self.statements.set_loops.push((l, scope.clone()));
            return;
        }
        let Ok((start, end)) = self.loop_range(l, scope) else {
            // The declarations in the body are unknown, so that no name of it is reported as unknown.
            self.mark_unknown(&l.items, scope);
            return;
        };
        let _: Res<()> = self.nested(l.over.origin, |r| {
            for i in start..end {
                if !r.count_item(l.over.origin) {
                    break;
                }
                r.walk(&l.items, &scope.with_index(&l.variables[0].text, i));
            }
        });
    }

    /// Runs work at one more level of nesting; an error if the nesting is too deep.
    pub(crate) fn nested(&mut self, origin: Origin, work: impl FnOnce(&mut Self)) -> Res<()> {
        if self.levels >= MOST_LEVELS {
            self.resolver.mistakes.lenient = true;
            return self.fail(origin, mistakes::names::nested_too_deep(MOST_LEVELS));
        }
        self.levels += 1;
        work(self);
        self.levels -= 1;
        Ok(())
    }

    fn loop_range(&mut self, l: &Loop, scope: &Scope) -> Res<(i64, i64)> {
        if l.over.kind == ExprKind::Broken {
            self.resolver.mistakes.broken = true;
            return Err(Reported);
        }
        let [variable] = &l.variables[..] else {
            return self.fail(l.over.origin, mistakes::names::loop_variables_over_range(l.variables.len()));
        };
        self.resolver.check_plain_name(&variable.text, variable.origin)?;
        self.resolver.evaluate_range(&l.over, scope)
    }

    pub(crate) fn mark_unknown(&mut self, items: &'a [Item], scope: &Scope) {
        for item in items {
            let name = match item {
                Item::Declaration(d) => &d.name.ident,
                Item::Function(f) => &f.name,
                Item::Part(p) => &p.name,
                Item::JointKind(kind) => &kind.name,
                Item::Event(event) => {
                    self.statements.bad_events.insert(format!("{}{}", scope.prefix(), event.name.ident.text));
                    continue;
                }
                Item::Loop(l) => {
                    self.mark_unknown(&l.items, scope);
                    continue;
                }
                Item::Reserved(_) => {
                    self.resolver.mistakes.lenient = true;
                    continue;
                }
                _ => continue,
            };
            self.resolver.names.bad.insert(format!("{}{}", scope.prefix(), name.text));
        }
    }

    /// Counts an unrolled item; false if there are too many.
    pub(crate) fn count_item(&mut self, origin: Origin) -> bool {
        self.items += 1;
        if self.items == MOST_ITEMS + 1 {
            self.report(origin, mistakes::names::too_many_items(MOST_ITEMS));
        }
        self.items <= MOST_ITEMS
    }

    fn declare(&mut self, d: &'a Declaration, scope: &Scope) {
        if !self.count_item(d.name.ident.origin) || self.try_declare(d, scope).is_ok() {
            return;
        }
        if d.category.text != "output" {
            self.resolver.names.bad.insert(format!("{}{}", scope.prefix(), d.name.ident.text));
        }
    }

    fn try_declare(&mut self, d: &'a Declaration, scope: &Scope) -> Res<()> {
        let word = &d.category;
        if word.text == "part" && d.name.ident != *word {
            return self.instantiate(d, scope);
        }
        let known = CATEGORIES.iter().any(|(name, _)| *name == word.text);
        if d.value.as_ref().is_some_and(|value| value.kind == ExprKind::Broken) && (!known || d.name.ident == *word) {
            // The category or the name is missing; the front end has reported that.
            self.resolver.mistakes.broken = true;
            return Err(Reported);
        }
        let Some((_, category)) = CATEGORIES.iter().find(|(name, _)| *name == word.text) else {
            let known = CATEGORIES.iter().map(|(name, _)| *name).chain(["part"]);
            let help = synonyms::category(&word.text, &d.name.ident.text, self.resolver.definition.space);
            let help = help.or_else(|| did_you_mean(&word.text, known));
            return self.fail(word.origin, mistakes::names::unknown_category(&word.text).help_if(help));
        };
        if MEMBERS.contains(category) && !scope.suffix().is_empty() {
            return self.fail(
                d.name.ident.origin,
                mistakes::names::category_inside_loop_over_set(&word.text, &d.name.ident.text),
            );
        }
        if *category != Category::Output {
            self.resolver.check_name(&d.name.ident.text, d.name.ident.origin, scope)?;
        }
        let name = self.resolver.full_name(&d.name, scope)?;
        let declared_kind = match category {
            Category::Joint => self.cam_kind_of(d).or(self.declared_kind_of(d, scope)?),
            _ => None,
        };
        let kind = match category {
            Category::Joint if declared_kind.is_some() => None,
            Category::Joint => Some(self.kind_of(d, catalog::joints, ("joint", "force"), catalog::forces)?),
            Category::Force => Some(self.kind_of(d, catalog::forces, ("force", "joint"), catalog::joints)?),
            _ => None,
        };
        let family = d.name.index.as_ref().map(|_| format!("{}{}", scope.prefix(), d.name.ident.text));
        let slot = self.add_slot(name, family, *category, Declared::Item(d), scope);
        self.resolver.names.slots[slot].kind = kind;
        self.resolver.names.slots[slot].declared_kind = declared_kind;
        Ok(())
    }

    fn kind_of(
        &mut self,
        d: &'a Declaration,
        table: fn(Space) -> &'static [Kind],
        (category, other_category): (&str, &str),
        other_table: fn(Space) -> &'static [Kind],
    ) -> Res<(&'static Kind, &'a [Expr])> {
        let name = &d.name.ident;
        let space = self.resolver.definition.space;
        let (kinds, others) = (table(space), other_table(space));
        let example = kinds.first().map_or("kind", |kind| kind.name);
        let (word, ends, origin) = match d.value.as_ref().map(|value| (&value.kind, value.origin)) {
            Some((ExprKind::Call(word, ends), _)) => (&word.text, &ends[..], word.origin),
            Some((ExprKind::Broken, _)) => {
                self.resolver.mistakes.broken = true;
                return Err(Reported);
            }
            Some((ExprKind::Name(word), origin)) if kinds.iter().any(|k| k.name == word) => (word, &[][..], origin),
            found => {
                let origin = found.map_or(name.origin, |(_, origin)| origin);
                return self.fail(origin, mistakes::names::kind_missing(category, &name.text, example));
            }
        };
        if let Some(kind) = kinds.iter().find(|k| k.name == word) {
            return Ok((kind, ends));
        }
        let (elsewhere, where_) = match space {
            Space::Planar => (table(Space::Spatial), "space, this mechanism is `planar`"),
            Space::Spatial => (table(Space::Planar), "the plane, this mechanism is `spatial`"),
        };
        let help = if others.iter().any(|k| k.name == word) {
            Some(format!("`{word}` is a kind of {other_category}: write `{other_category} {} = …`", name.text))
        } else if elsewhere.iter().any(|k| k.name == word) {
            Some(format!("`{word}` is a {category} of {where_}"))
        } else {
            let declared = self.resolver.names.joint_kinds.keys().map(String::as_str).filter(|_| category == "joint");
            let meant = synonyms::kind(word, space).map(|kind| {
                let actual = synonyms::category_of(kind, space).unwrap_or(category);
                if actual == category {
                    format!("here it is called `{kind}`")
                } else {
                    format!("here it is a kind of {actual}: write `{actual} {} = {kind}(…);`", name.text)
                }
            });
            let suggestion = || did_you_mean(word, kinds.iter().map(|k| k.name).chain(declared));
            meant.or_else(suggestion)
        };
        self.fail(origin, mistakes::names::unknown_kind(category, word).help_if(help))
    }
}

impl<'a> Resolver<'a> {
    /// The full name of a declaration in a scope: `link[0]`, `front_left.knee`.
    pub(crate) fn full_name(&mut self, name: &Name, scope: &Scope) -> Res<String> {
        match &name.index {
            None => Ok(format!("{}{}{}", scope.prefix(), name.ident.text, scope.suffix())),
            Some(index) => {
                if let ExprKind::Name(variable) = &index.kind
                    && scope.is_element(variable)
                {
                    return self.fail(index.origin, mistakes::names::variable_is_no_number(variable));
                }
                let i = self.evaluate_integer(index, scope, "an index")?;
                if i < 0 {
                    return self.fail(index.origin, mistakes::names::negative_index(i));
                }
                Ok(format!("{}{}[{i}]", scope.prefix(), name.ident.text))
            }
        }
    }

    /// Checks a name that is declared in a scope.
    pub(crate) fn check_name(&mut self, name: &str, origin: Origin, scope: &Scope) -> Res<()> {
        self.check_no_group(&format!("{}{name}", scope.prefix()), origin)?;
        // Importers and builders write full names.
        match name.rsplit_once('.') {
            Some((group, member)) if self.names.groups.contains_key(&format!("{}{group}", scope.prefix())) => {
                self.check_plain_name(member, origin)
            }
            _ => self.check_plain_name(name, origin),
        }
    }

    /// Checks that an identifier has no other meaning.
    pub(crate) fn check_plain_name(&mut self, name: &str, origin: Origin) -> Res<()> {
        if RESERVED.contains(&name) {
            return self.fail(origin, mistakes::names::reserved_name(name));
        }
        let mut characters = name.chars();
        let plain = characters.next().is_some_and(|c| c.is_alphabetic() || c == '_')
            && characters.all(|c| c.is_alphanumeric() || c == '_')
            && name.chars().any(|c| c != '_');
        if !plain {
            return self.fail(origin, mistakes::names::not_an_identifier(name));
        }
        Ok(())
    }

    /// Evaluates a range of integer constants: its start and its end, which is excluded.
    pub(crate) fn evaluate_range(&mut self, e: &Expr, scope: &Scope) -> Res<(i64, i64)> {
        let ExprKind::Range(start, end) = &e.kind else {
            if matches!(e.kind, ExprKind::Broken) {
                self.mistakes.broken = true;
                return Err(Reported);
            }
            return self.fail(e.origin, mistakes::names::not_a_range());
        };
        let bounds = [start, end].map(|bound| self.evaluate_integer(bound, scope, "a bound"));
        let [start, end] = [bounds[0]?, bounds[1]?];
        if end < start || end - start > MOST_ITEMS as i64 {
            let (subject, help) = match end < start {
                true => ("runs backwards", "the first bound is at most the second"),
                false => ("is too long", MOST_IN_WORDS),
            };
            return self.fail(e.origin, mistakes::names::bad_range(start, end, subject).help_if(Some(help.into())));
        }
        Ok((start, end))
    }

    /// Evaluates an integer constant; `subject` names it in messages.
    pub(crate) fn evaluate_integer(&mut self, e: &Expr, scope: &Scope, subject: &str) -> Res<i64> {
        let id: ExprId = self.evaluate_number(e, scope, subject)?;
        match self.exprs.value(id) {
            Some(x) if x.fract() == 0.0 && x.abs() < 1e9 => Ok(x as i64),
            Some(x) if x.fract() == 0.0 => self.fail(e.origin, mistakes::names::whole_number_too_large(subject, x)),
            Some(x) => self.fail(e.origin, mistakes::names::not_a_whole_number(subject, x)),
            None => self.fail(e.origin, mistakes::names::not_a_constant_number(subject)),
        }
    }
}
