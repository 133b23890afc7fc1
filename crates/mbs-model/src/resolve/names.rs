//! Names first: loops unrolled, every declaration gets a slot, before anything is evaluated but loop bounds and indices.

use super::{Category, Declared, Resolver, Scope, Slot, State, did_you_mean, events};
use super::{MOST_ITEMS, Reported, Res};
use crate::catalog::{self, Kind};
use crate::definition::{Declaration, Expr, ExprKind, Item, Loop, Name, Report, Setting, Space};
use crate::{ExprId, Origin};

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
    ("constraint", Category::Constraint),
    ("coupling", Category::Coupling),
];

/// Categories of later versions.
const LATER: &[&str] =
    &["prescribe", "curve", "event", "part", "import", "report", "stop", "speed", "contact", "frame", "impulse"];

/// Names the language gives a meaning.
pub(super) const RESERVED: &[&str] =
    &["t", "PI", "TAU", "ground", "bodies", "com", "kinetic_energy", "potential_energy", "true", "false"];

/// The word of a category.
pub(super) fn word(category: Category) -> &'static str {
    CATEGORIES.iter().find(|(_, c)| *c == category).map_or("function", |(word, _)| *word)
}

impl<'a> Resolver<'a> {
    pub(super) fn declare_names(&mut self, items: &'a [Item]) {
        self.declare_groups(items);
        self.announce(items);
        // Functions are not evaluated where they are declared, constants may call them.
        self.declare_functions(items);
        // Constants outside loops come first: they size the loops.
        for item in items {
            if let Item::Declaration(d) = item
                && d.category.text == "const"
            {
                self.declare(d, &Scope::default());
            }
        }
        self.walk(items, &Scope::default());
        self.lenient |= self.items > MOST_ITEMS;
    }

    /// Every name that some declaration will give a slot.
    fn announce(&mut self, items: &'a [Item]) {
        for item in items {
            match item {
                Item::Declaration(d) if d.category.text != "output" => {
                    self.announced.insert(&d.name.ident.text);
                }
                Item::Loop(l) => self.announce(&l.items),
                _ => {}
            }
        }
    }

    fn walk(&mut self, items: &'a [Item], scope: &Scope) {
        let top = scope.is_top();
        for item in items {
            if self.items > MOST_ITEMS {
                return;
            }
            match item {
                Item::Declaration(d) if top && d.category.text == "const" => {}
                Item::Declaration(d) => self.declare(d, scope),
                Item::Setting(s) if top => self.declare_setting(s),
                Item::Setting(s) => {
                    let message = format!("setting `{}` inside `for`", s.name.text);
                    self.errors.push("MBS027", s.name.origin, message, Some("write it outside the loop".into()));
                }
                Item::Initial(conditions) => {
                    self.initial.extend(conditions.iter().map(|c| (c, scope.clone())));
                }
                Item::Loop(l) => self.unroll(l, scope),
                Item::Function(_) if top => {}
                Item::Function(f) => {
                    let message = format!("function `{}` inside `for`", f.name.text);
                    let help = Some("write it outside the loop, with the index as a parameter".into());
                    self.errors.push("MBS027", f.name.origin, message, help);
                    self.bad_names.insert(f.name.text.clone());
                }
                Item::Event(_) | Item::Report(_) | Item::Stop(..) => self.declare_event(item, scope),
                Item::Group(_) => {}
                Item::Solid(solid) => self.given_solids.push(solid),
                Item::Limits(limits) => self.given_limits.push(limits),
                Item::Reserved(keyword) => {
                    self.lenient = true;
                    let _: Res<()> = self.later(keyword.origin, &keyword.text);
                }
            }
        }
    }

    fn declare_setting(&mut self, setting: &'a Setting) {
        self.settings.push(setting);
        if setting.name.text == "gravity" && setting.tunable {
            self.add_slot("gravity".into(), None, Category::Param, Declared::Gravity(setting), &Scope::default());
        }
    }

    fn declare_event(&mut self, item: &'a Item, scope: &Scope) {
        let Some(given) = events::Given::of(item) else { return };
        match given {
            events::Given::Report(Report::On(events)) => self.given_reports.push((events, scope.clone())),
            _ => self.given_events.push((given, scope.clone())),
        }
    }

    fn unroll(&mut self, l: &'a Loop, scope: &Scope) {
        let Ok((start, end)) = self.loop_range(l, scope) else {
            // What the body would have declared is unknown: stay silent about it.
            self.distrust(&l.items);
            return;
        };
        for i in start..end {
            if !self.count_item(l.over.origin) {
                return;
            }
            self.walk(&l.items, &scope.with(&l.variables[0].text, i));
        }
    }

    fn loop_range(&mut self, l: &Loop, scope: &Scope) -> Res<(i64, i64)> {
        if let ExprKind::Call(function, _) = &l.over.kind
            && function.text == "pairs"
        {
            return self.later(function.origin, "pairs");
        }
        if l.over.kind == ExprKind::Broken {
            self.broken = true;
            return Err(Reported);
        }
        let [variable] = &l.variables[..] else {
            let message = format!("{} loop variables over a range", l.variables.len());
            return self.fail("MBS027", l.over.origin, message, Some("write `for i in 0..n`".into()));
        };
        self.check_name(&variable.text, variable.origin)?;
        self.range(&l.over, scope)
    }

    fn distrust(&mut self, items: &'a [Item]) {
        for item in items {
            match item {
                Item::Declaration(d) => {
                    self.bad_names.insert(d.name.ident.text.clone());
                }
                Item::Function(f) => {
                    self.bad_names.insert(f.name.text.clone());
                }
                Item::Loop(l) => self.distrust(&l.items),
                Item::Reserved(_) => self.lenient = true,
                Item::Setting(_)
                | Item::Initial(_)
                | Item::Event(_)
                | Item::Report(_)
                | Item::Stop(..)
                | Item::Group(_)
                | Item::Solid(_)
                | Item::Limits(_) => {}
            }
        }
    }

    /// Counts an unrolled item; false when there are too many.
    pub(super) fn count_item(&mut self, origin: Origin) -> bool {
        self.items += 1;
        if self.items == MOST_ITEMS + 1 {
            let message = format!("the mechanism unrolls to more than {MOST_ITEMS} items");
            self.errors.push("MBS039", origin, message, None);
        }
        self.items <= MOST_ITEMS
    }

    fn declare(&mut self, d: &'a Declaration, scope: &Scope) {
        if !self.count_item(d.name.ident.origin) || self.try_declare(d, scope).is_ok() {
            return;
        }
        if d.category.text != "output" {
            self.bad_names.insert(d.name.ident.text.clone());
        }
    }

    fn try_declare(&mut self, d: &'a Declaration, scope: &Scope) -> Res<()> {
        let word = &d.category;
        let known = CATEGORIES.iter().any(|(name, _)| *name == word.text);
        if d.value.as_ref().is_some_and(|value| value.kind == ExprKind::Broken) && (!known || d.name.ident == *word) {
            // The category or the name was missing; the front end has said so.
            self.broken = true;
            return Err(Reported);
        }
        let Some((_, category)) = CATEGORIES.iter().find(|(name, _)| *name == word.text) else {
            if LATER.contains(&word.text.as_str()) {
                return self.later(word.origin, &word.text);
            }
            let help = did_you_mean(&word.text, CATEGORIES.iter().map(|(name, _)| *name));
            return self.fail("MBS012", word.origin, format!("unknown category `{}`", word.text), help);
        };
        if *category != Category::Output {
            self.check_name(&d.name.ident.text, d.name.ident.origin)?;
        }
        let name = self.full_name(&d.name, scope)?;
        let kind = match category {
            Category::Joint => Some(self.kind_of(d, catalog::joints, ("joint", "force"), catalog::forces)?),
            Category::Force => Some(self.kind_of(d, catalog::forces, ("force", "joint"), catalog::joints)?),
            _ => None,
        };
        let family = d.name.index.as_ref().map(|_| d.name.ident.text.clone());
        let slot = self.add_slot(name, family, *category, Declared::Item(d), scope);
        self.slots[slot].kind = kind;
        Ok(())
    }

    pub(super) fn add_slot(
        &mut self,
        name: String,
        family: Option<String>,
        category: Category,
        declared: Declared<'a>,
        scope: &Scope,
    ) -> usize {
        let slot = self.slots.len();
        let twin = if category == Category::Output { None } else { self.same_in_rust(&name) };
        let taken = match category {
            Category::Output => {
                self.output_slots.push(slot);
                self.output_names.insert(name.clone(), slot)
            }
            _ => {
                // `link` and `link[0]` would be told apart nowhere.
                let taken = self.names.get(&name).or_else(|| self.names.get(family.as_deref()?)).copied();
                let taken = taken.or_else(|| self.families.get(&name).map(|members| members[0]));
                let taken = taken.or(twin);
                if taken.is_none() {
                    self.names.insert(name.clone(), slot);
                    if let Some(family) = family {
                        self.families.entry(family).or_default().push(slot);
                    }
                }
                taken
            }
        };
        if let Some(first) = taken {
            let (other, here) = (self.slots[first].declared.origin(), declared.origin());
            let help = if other == here && !scope.is_top() {
                Some(format!("names inside `for` carry the index: `{name}[{}]`", scope_variable(scope)))
            } else if twin == Some(first) {
                Some(format!("`{}` and `{name}` would have one name in Rust", self.slots[first].name))
            } else {
                Some("give one of them another name".into())
            };
            // Constants are read first: the later place in the text is the duplicate. Of a name that an import makes, that of the other.
            let place = if twin == Some(first) { here.min(other) } else { here.max(other) };
            self.errors.push("MBS011", place, format!("`{name}` is declared twice"), help);
            if category != Category::Output {
                // Which one a reference means is unknown: stay silent about it.
                let base = name.split('[').next().unwrap_or_default();
                self.bad_names.extend([name.clone(), base.to_string()]);
            }
        }
        let index = match category {
            Category::Body | Category::Particle => {
                self.body_slots.push(slot);
                self.add_body(&name, category == Category::Particle, declared)
            }
            Category::Joint => push(&mut self.joint_slots, slot),
            Category::Force | Category::Potential => push(&mut self.force_slots, slot),
            Category::Drive | Category::Constraint | Category::Coupling => push(&mut self.equation_slots, slot),
            _ => 0,
        };
        let scope = scope.clone();
        self.slots.push(Slot { name, category, declared, scope, index, kind: None, state: State::Waiting });
        slot
    }

    fn kind_of(
        &mut self,
        d: &'a Declaration,
        table: fn(Space) -> &'static [Kind],
        (category, other_category): (&str, &str),
        other_table: fn(Space) -> &'static [Kind],
    ) -> Res<(&'static Kind, &'a [Expr])> {
        let name = &d.name.ident;
        let space = self.definition.space;
        let (kinds, others) = (table(space), other_table(space));
        let example = kinds.first().map_or("kind", |kind| kind.name);
        let (word, ends, origin) = match d.value.as_ref().map(|value| (&value.kind, value.origin)) {
            Some((ExprKind::Call(word, ends), _)) => (&word.text, &ends[..], word.origin),
            Some((ExprKind::Broken, _)) => {
                self.broken = true;
                return Err(Reported);
            }
            Some((ExprKind::Name(word), origin)) if kinds.iter().any(|k| k.name == word) => (word, &[][..], origin),
            found => {
                let origin = found.map_or(name.origin, |(_, origin)| origin);
                let help = format!("write `{category} {} = {example}(…);`", name.text);
                return self.fail("MBS013", origin, format!("{category} `{}` has no kind", name.text), Some(help));
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
            did_you_mean(word, kinds.iter().map(|k| k.name))
        };
        self.fail("MBS013", origin, format!("unknown kind of {category} `{word}`"), help)
    }

    /// `link[0]`.
    pub(super) fn full_name(&mut self, name: &Name, scope: &Scope) -> Res<String> {
        match &name.index {
            None => Ok(name.ident.text.clone()),
            Some(index) => {
                let i = self.whole(index, scope, "an index")?;
                if i < 0 {
                    return self.fail("MBS025", index.origin, format!("index {i} is negative"), None);
                }
                Ok(format!("{}[{i}]", name.ident.text))
            }
        }
    }

    pub(super) fn check_name(&mut self, name: &str, origin: Origin) -> Res<()> {
        if RESERVED.contains(&name) {
            let help = Some("choose another name".into());
            return self.fail("MBS028", origin, format!("`{name}` is reserved"), help);
        }
        self.check_no_group(name, origin)?;
        let own = match name.split_once('.') {
            Some((group, own)) if self.groups.contains_key(group) => own,
            _ => name,
        };
        let mut characters = own.chars();
        let plain = characters.next().is_some_and(|c| c.is_alphabetic() || c == '_')
            && characters.all(|c| c.is_alphanumeric() || c == '_')
            && own.chars().any(|c| c != '_');
        if !plain {
            return self.fail("MBS028", origin, format!("`{name}` is not a plain identifier"), None);
        }
        Ok(())
    }

    /// Both ends of a range of whole-number constants.
    pub(super) fn range(&mut self, e: &Expr, scope: &Scope) -> Res<(i64, i64)> {
        let ExprKind::Range(start, end) = &e.kind else {
            if matches!(e.kind, ExprKind::Broken) {
                self.broken = true;
                return Err(Reported);
            }
            let help = Some("write `0..n`".into());
            return self.fail("MBS025", e.origin, "a range of whole numbers is expected", help);
        };
        let bounds = [start, end].map(|bound| self.whole(bound, scope, "a bound"));
        let [start, end] = [bounds[0]?, bounds[1]?];
        if end < start || end - start > MOST_ITEMS as i64 {
            let what = if end < start { "runs backwards" } else { "is too long" };
            return self.fail("MBS025", e.origin, format!("range {start}..{end} {what}"), None);
        }
        Ok((start, end))
    }

    /// A whole-number constant.
    pub(super) fn whole(&mut self, e: &Expr, scope: &Scope, what: &str) -> Res<i64> {
        let id: ExprId = self.number(e, scope, what)?;
        match self.exprs.value(id) {
            Some(x) if x.fract() == 0.0 && x.abs() < 1e9 => Ok(x as i64),
            Some(x) => self.fail("MBS025", e.origin, format!("{what} is a whole number, not {x}"), None),
            None => {
                let help = Some("use `const` instead of `param`, `input` or `let`".into());
                self.fail("MBS024", e.origin, format!("{what} is a whole-number constant"), help)
            }
        }
    }
}

fn scope_variable(scope: &Scope) -> &str {
    scope.bindings().next().map_or("i", |(name, _)| name)
}

fn push(list: &mut Vec<usize>, slot: usize) -> usize {
    list.push(slot);
    list.len() - 1
}
