//! Resolves parameters, inputs, states, coordinates, constants and `let`s.

use mbs_definition::{Declaration, Expr, ExprKind, Origin};
use mbs_expr::{ExprId, Op};
use mbs_model::{Auxiliary, AuxiliaryKind, DerivedParameter, Domain, Model, Quantity};

use crate::mistakes;
use crate::resolvers::{QuantityPhase, Resolves};
use crate::tables::Names;
use crate::text::text;
use crate::value::{Axes, Value, describe_shape};
use crate::{Category, Declared, MOST_IN_WORDS, MOST_ITEMS, Reported, Res, Resolver, Scope, State, did_you_mean};

/// Default of a quantity: numbers with their shape and axes.
struct Start {
    numbers: Vec<f64>,
    /// Expressions of the numbers.
    formulas: Vec<ExprId>,
    shape: Vec<usize>,
    axes: Axes,
}

impl<'a> QuantityPhase<'_, 'a> {
    /// After this pass: every parameter, input, state and coordinate has its index and its default; constants are numbers.
    pub(crate) fn resolve(&mut self) {
        let mut discrete = Vec::new();
        for slot in 0..self.resolver.names.slots.len() {
            let origin = self.resolver.names.slots[slot].declared.origin();
            match self.resolver.names.slots[slot].category {
                Category::Const => {
                    let _ = self.resolver.resolve_slot(slot, origin);
                }
                Category::Param | Category::Input | Category::State | Category::Coordinate => {
                    self.resolve_quantity(slot);
                }
                Category::Discrete | Category::Switch => discrete.push(slot),
                _ => {}
            }
        }
        // Discrete variables are the last of z.
        for slot in discrete {
            self.resolve_quantity(slot);
        }
    }

    fn resolve_quantity(&mut self, slot: usize) {
        let scope = self.resolver.names.slots[slot].scope.clone();
        self.resolver.names.slots[slot].state = match self.in_scope(&scope, |r| r.quantity(slot)) {
            Ok(value) => State::Done(value),
            Err(Reported) => State::Bad,
        };
    }

    fn quantity(&mut self, slot: usize) -> Res<Value> {
        let s = &self.resolver.names.slots[slot];
        let (category, scope, name) = (s.category, s.scope.clone(), s.name.clone());
        let (start, frame, docs) = match s.declared {
            Declared::Function(_) => return Err(Reported),
            Declared::Gravity(setting) => {
                let start = self.default_value("gravity", setting.value.as_ref(), &[], &scope)?;
                let axes = (start.shape == [self.resolver.dimension()]).then_some(Axes::World);
                (start, axes, String::new())
            }
            Declared::Item(d) if category == Category::Switch || !d.variants.is_empty() => {
                return self.chosen_value(slot, d, &scope);
            }
            Declared::Item(d) => {
                let known: &[&str] = if category == Category::State { &["rate"] } else { &[] };
                let owner = format!("{} `{name}`", d.category.text);
                self.argument_resolver().arguments(&owner, &d.arguments, known);
                let shape = self.resolver.declared_shape(d, &scope)?;
                let frame = d.frame.as_ref().map(|frame| self.vectors().frame_axes(frame, &scope)).transpose()?;
                let start = self.initial_value(d, category, &name, &shape, &scope)?;
                (start, frame, d.docs.clone())
            }
        };
        let origin = self.resolver.names.slots[slot].declared.origin();
        let Start { numbers: default, formulas, shape, axes } = start;
        let dimension = self.resolver.dimension();
        if frame.is_some() && shape != [dimension] {
            return self
                .fail(origin, mistakes::quantities::axes_of_no_vector(&name, describe_shape(&shape), dimension));
        }
        let axes = self.vectors().common_axes(axes, frame.unwrap_or(Axes::Unstated), origin)?;
        if self.resolver.exprs.len() > u32::MAX as usize / 2 || default.len() > MOST_ITEMS {
            return self.fail(origin, mistakes::quantities::too_many_components(&name, MOST_ITEMS));
        }
        let offset = self.flat_size(category);
        let op = match category {
            Category::Param => Op::Parameter,
            Category::Input => Op::Input,
            Category::State | Category::Discrete | Category::Switch => Op::Auxiliary,
            _ => Op::Algebraic,
        };
        let components: Vec<ExprId> =
            (offset..offset + default.len()).map(|flat| self.resolver.exprs.push(op(flat as u32))).collect();
        let quantity = Quantity { name, origin, docs, offset, shape: shape.clone(), default, domain: Domain::Finite };
        match category {
            Category::Param => {
                self.resolver.quantities.defaults.extend(&quantity.default);
                let formulas =
                    (offset..).zip(formulas).filter(|(_, formula)| self.resolver.exprs.mentions(*formula).parameter);
                self.resolver
                    .quantities
                    .derived
                    .extend(formulas.map(|(parameter, formula)| DerivedParameter { parameter, formula }));
                self.resolver.quantities.parameters.push(quantity);
            }
            Category::Input => self.resolver.quantities.inputs.push(quantity),
            Category::State => {
                self.resolver.quantities.auxiliary.push(Auxiliary {
                    quantity,
                    rates: Vec::new(),
                    kind: AuxiliaryKind::Continuous,
                });
            }
            Category::Discrete => self.push_discrete(quantity, AuxiliaryKind::Discrete),
            _ => self.resolver.quantities.algebraic.push(quantity),
        }
        Ok(match shape[..] {
            [] => Value::Number(components[0]),
            [_] => Value::Vector(components, axes),
            _ => Value::Matrix(components, shape[1]),
        })
    }

    fn push_discrete(&mut self, quantity: Quantity, kind: AuxiliaryKind) {
        let rates = vec![self.resolver.exprs.constant(0.0); quantity.size()];
        self.resolver.quantities.auxiliary.push(Auxiliary { quantity, rates, kind });
    }

    /// Resolves `switch clutch = on;` and `discrete gear: enum { low, high } = low;`.
    fn chosen_value(&mut self, slot: usize, d: &Declaration, scope: &Scope) -> Res<Value> {
        let (category, name) = (self.resolver.names.slots[slot].category, self.resolver.names.slots[slot].name.clone());
        let (origin, word, plain) = (d.name.ident.origin, &d.category.text, &d.name.ident.text);
        self.argument_resolver().arguments(&format!("{word} `{name}`"), &d.arguments, &[]);
        if category != Category::Switch && category != Category::Discrete {
            return self.fail(d.variants[0].origin, mistakes::quantities::not_a_choice(word, &name, plain));
        }
        if let Some(size) = d.shape.first().or(d.frame.as_ref()) {
            return self.fail(size.origin, mistakes::quantities::choice_with_shape(word, &name));
        }
        let words: Vec<String> = d.variants.iter().map(|v| v.text.clone()).collect();
        if let Some(i) = (1..words.len()).find(|i| words[..*i].contains(&words[*i])) {
            return self.fail(d.variants[i].origin, mistakes::quantities::word_twice(&words[i], &name));
        }
        let start = match (category, &d.value) {
            (Category::Switch, _) if !words.is_empty() => {
                return self.fail(d.variants[0].origin, mistakes::quantities::switch_with_words(&name, plain));
            }
            (Category::Switch, None) => {
                return self.fail(origin, mistakes::quantities::switch_without_start(&name, plain));
            }
            (_, None) => {
                return self.fail(origin, mistakes::quantities::choice_without_start(&name, &words[0]));
            }
            (Category::Switch, Some(value)) => self.resolver.on_or_off(value, scope)?,
            (_, Some(value)) => self.resolver.word_of(&words, value, scope)?,
        };
        let Some(start) = self.resolver.at_defaults(start) else {
            let value = d.value.as_ref().map_or(origin, |value| value.origin);
            return self.fail(value, mistakes::quantities::start_not_parametric(&name));
        };
        let offset = self.flat_size(category);
        let kind = if category == Category::Switch { AuxiliaryKind::Switch } else { AuxiliaryKind::Choice(words) };
        let quantity = Quantity {
            name,
            origin,
            docs: d.docs.clone(),
            offset,
            shape: Vec::new(),
            default: vec![start],
            domain: Domain::Finite,
        };
        let value = self.resolver.exprs.push(Op::Auxiliary(offset as u32));
        let is_switch = kind == AuxiliaryKind::Switch;
        self.push_discrete(quantity, kind);
        Ok(if is_switch { Value::Truth(value) } else { Value::Choice(value, slot) })
    }

    fn flat_size(&self, category: Category) -> usize {
        match category {
            Category::Param => self.resolver.quantities.defaults.len(),
            Category::Input => Model::flat_size(&self.resolver.quantities.inputs),
            Category::State | Category::Discrete | Category::Switch => {
                self.resolver.quantities.auxiliary.iter().map(|a| a.quantity.size()).sum()
            }
            _ => Model::flat_size(&self.resolver.quantities.algebraic),
        }
    }

    fn initial_value(
        &mut self,
        d: &Declaration,
        category: Category,
        name: &str,
        shape: &[usize],
        scope: &Scope,
    ) -> Res<Start> {
        let zeros = || {
            let numbers = vec![0.0; shape.iter().product()];
            Start { numbers, formulas: Vec::new(), shape: shape.to_vec(), axes: Axes::Unstated }
        };
        match (category, &d.value) {
            (Category::Input, None) | (Category::Coordinate, None) => Ok(zeros()),
            (Category::Input, Some(value)) => self.fail(value.origin, mistakes::quantities::input_with_value(name)),
            _ => self.default_value(name, d.value.as_ref(), shape, scope),
        }
    }

    /// Evaluates a default to numbers; without a declared shape it has the shape of its value.
    fn default_value(&mut self, name: &str, value: Option<&Expr>, shape: &[usize], scope: &Scope) -> Res<Start> {
        let Some(e) = value else {
            let slot = self.resolver.names.full.get(name).copied();
            let origin = slot.map_or(Origin::NONE, |s| self.resolver.names.slots[s].declared.origin());
            return self.fail(origin, mistakes::quantities::start_missing(name));
        };
        let value = self.resolver.eval(e, scope)?;
        let Some(components) = value.components() else {
            return self.fail(e.origin, mistakes::quantities::not_made_of_numbers(name, value.describe()));
        };
        if !shape.is_empty() && value.shape() != shape {
            return self.fail(
                e.origin,
                mistakes::quantities::value_of_another_shape(name, describe_shape(shape), value.describe()),
            );
        }
        let mut numbers = Vec::new();
        for x in components {
            self.argument_resolver().parametric(*x, e.origin, &format!("the default of `{name}`"))?;
            if self.resolver.exprs.mentions(*x).opaque {
                return self.fail(e.origin, mistakes::quantities::default_of_unknown_function(name));
            }
            match self.resolver.at_defaults(*x) {
                Some(number) if number.is_finite() => numbers.push(number),
                _ => return self.fail(e.origin, mistakes::quantities::default_not_finite(name)),
            }
        }
        let axes = if let Value::Vector(_, axes) = &value { *axes } else { Axes::Unstated };
        Ok(Start { numbers, formulas: components.to_vec(), shape: value.shape(), axes })
    }
}

impl Resolver<'_> {
    /// Evaluates `on`, `off`, or a truth value; 1 is on.
    pub(crate) fn on_or_off(&mut self, value: &Expr, scope: &Scope) -> Res<ExprId> {
        if self.full_path(value, scope)?.is_none()
            && let Some(is_on) = self.word_behind(value, scope, &["off", "on"])
        {
            return Ok(self.exprs.constant(is_on as f64));
        }
        self.evaluate_truth(value, scope)
    }

    /// The state or discrete variable that a flat index of z belongs to.
    pub(crate) fn auxiliary_at(&self, flat: usize) -> Option<&Auxiliary> {
        self.quantities.auxiliary.iter().rfind(|a| a.quantity.offset <= flat)
    }

    /// The index of a word of a choice, as an expression.
    pub(crate) fn word_of(&mut self, words: &[String], value: &Expr, scope: &Scope) -> Res<ExprId> {
        let known: Vec<&str> = words.iter().map(String::as_str).collect();
        if let Some(i) = self.word_behind(value, scope, &known) {
            return Ok(self.exprs.constant(i as f64));
        }
        let given = self.names.argument_behind(value, scope).0;
        if let ExprKind::Name(name) = &given.kind {
            self.take_for_word(value, scope);
            let help = did_you_mean(name, known).or_else(|| Some(format!("it is one of `{}`", words.join("`, `"))));
            return self.fail(value.origin, mistakes::quantities::none_of_its_words(name).help_if(help));
        }
        if value.kind == ExprKind::Broken {
            self.mistakes.broken = true;
            return Err(Reported);
        }
        let but = if std::ptr::eq(given, value) { String::new() } else { format!(", not `{}`", text(given)) };
        self.fail(value.origin, mistakes::quantities::not_a_word(&but, words.join("`, `")))
    }

    /// Sizes after the colon.
    fn declared_shape(&mut self, d: &Declaration, scope: &Scope) -> Res<Vec<usize>> {
        let mut shape = Vec::new();
        for size in &d.shape {
            let n = self.evaluate_integer(size, scope, "a size")?;
            if n < 1 || n > MOST_ITEMS as i64 {
                let help = if n < 1 { "sizes start at 1" } else { MOST_IN_WORDS };
                return self.fail(size.origin, mistakes::quantities::bad_size(n).help_if(Some(help.into())));
            }
            shape.push(n as usize);
        }
        let name = &d.name.ident;
        if shape.len() > 2 {
            return self.fail(name.origin, mistakes::quantities::too_many_indices());
        }
        if shape.iter().product::<usize>() > MOST_ITEMS {
            return self.fail(name.origin, mistakes::quantities::too_many_components(&name.text, MOST_ITEMS));
        }
        Ok(shape)
    }

    /// Value of a constant or `let`.
    pub(crate) fn named_value(&mut self, slot: usize) -> Res<Value> {
        let s = &self.names.slots[slot];
        let (category, scope, name) = (s.category, s.scope.clone(), s.name.clone());
        let Declared::Item(d) = s.declared else {
            unreachable!("only parameters come from settings");
        };
        let word = &d.category.text;
        self.argument_resolver().arguments(&format!("{word} `{name}`"), &d.arguments, &[]);
        let shape = self.declared_shape(d, &scope)?;
        let Some(e) = &d.value else {
            return self.fail(d.name.ident.origin, mistakes::quantities::value_missing(word, &name));
        };
        let mut value = self.eval(e, &scope)?;
        if let Some(frame) = &d.frame {
            let axes = self.vectors().frame_axes(frame, &scope)?;
            value = self.vectors().value_in_axes(value, axes, e.origin)?;
        }
        if !d.shape.is_empty() && value.shape() != shape {
            return self.fail(
                e.origin,
                mistakes::quantities::value_of_another_shape(&name, describe_shape(&shape), value.describe()),
            );
        }
        if category == Category::Const {
            self.check_constant(&value, &name, e.origin)?;
        }
        Ok(value)
    }

    fn check_constant(&mut self, value: &Value, name: &str, origin: Origin) -> Res<()> {
        let truth;
        let components = match value {
            Value::Truth(x) => {
                truth = [*x];
                &truth[..]
            }
            Value::Rotation(r, _) => r.as_flattened(),
            _ => match value.components() {
                Some(components) => components,
                None => {
                    return self.fail(origin, mistakes::quantities::constant_of_no_numbers(name, value.describe()));
                }
            },
        };
        for x in components {
            match self.exprs.value(*x) {
                Some(number) if number.is_finite() => {}
                Some(_) => return self.fail(origin, mistakes::quantities::constant_not_finite(name)),
                None => {
                    let opaque = self.exprs.mentions(*x).opaque;
                    let help = Some(if opaque { "use `let`" } else { "use `let` or `param`" }.into());
                    return self.fail(origin, mistakes::quantities::constant_of_variables(name).help_if(help));
                }
            }
        }
        Ok(())
    }
}

impl<'a> Names<'a> {
    /// The words of the choice in a slot.
    pub(crate) fn words_of(&self, slot: usize) -> Vec<String> {
        let Declared::Item(d) = self.slots[slot].declared else { return Vec::new() };
        d.variants.iter().map(|v| v.text.clone()).collect()
    }
}
