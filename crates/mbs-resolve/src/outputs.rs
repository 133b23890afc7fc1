//! Rates of states, `initial` conditions and outputs, once bodies, joints, rows and forces are known.

use mbs_definition::{Condition, Expr, ExprKind, Origin};
use mbs_expr::ExprId;
use mbs_model::{InitialCondition, Output, RowLevel};

use crate::mistakes;
use crate::resolvers::Resolves;
use crate::text::text;
use crate::value::Value;
use crate::{Category, Declared, Reported, Res, Resolver, Scope, State};

/// Resolves rates of states, `initial` conditions and outputs.
#[derive(Debug)]
pub(crate) struct OutputPhase<'r, 'a> {
    pub resolver: &'r mut Resolver<'a>,
    pub conditions: Vec<InitialCondition>,
    pub outputs: Vec<Output>,
}

impl<'a> Resolves<'a> for OutputPhase<'_, 'a> {
    fn resolver(&mut self) -> &mut Resolver<'a> {
        self.resolver
    }
}

impl<'a> OutputPhase<'_, 'a> {
    /// Resolves unused `let`s, rates of states, `initial` conditions and outputs.
    pub(crate) fn resolve(&mut self, initial: &[(&'a Condition, Scope)]) {
        let mut state = 0;
        let mut outputs = Vec::new();
        for slot in 0..self.resolver.names.slots.len() {
            let (origin, scope) =
                (self.resolver.names.slots[slot].declared.origin(), self.resolver.names.slots[slot].scope.clone());
            match self.resolver.names.slots[slot].category {
                Category::Let => {
                    let _ = self.resolver.resolve_slot(slot, origin);
                }
                Category::State if matches!(self.resolver.names.slots[slot].state, State::Done(_)) => {
                    if let Ok(rates) = self.in_scope(&scope, |r| r.state_rates(slot)) {
                        self.resolver.quantities.auxiliary[state].rates = rates;
                    }
                    state += 1;
                }
                Category::Output => {
                    outputs.extend(self.in_scope(&scope, |r| r.output(slot)).ok());
                }
                _ => {}
            }
        }
        for (condition, scope) in initial {
            let _: Res<()> = self.in_scope(scope, |r| r.condition(condition, scope));
        }
        self.check_states_in_rows();
        for (output, origin) in outputs {
            let _: Res<()> = self.second_rates_known(&output, origin);
            self.outputs.push(output);
        }
        self.check_functions();
    }

    /// Checks the rates of states that rows read. Rows are differentiated, position rows twice: a rate must not contain an input, and in position
    /// rows neither speeds nor states whose rates contain inputs.
    fn check_states_in_rows(&mut self) {
        let equations = self.resolver.equations.all.iter().flatten();
        let rows: Vec<(Origin, String, RowLevel, ExprId)> =
            equations.flat_map(|e| e.rows.iter().map(|row| (e.origin, e.name.clone(), e.level, *row))).collect();
        for (origin, owner, level, row) in rows {
            for flat in self.resolver.exprs.differentiated_states(row, 0) {
                let Some(state) = self.resolver.auxiliary_at(flat) else { continue };
                let Some(rate) = state.rates.get(flat - state.quantity.offset).copied() else { continue };
                let (m, name) = (self.resolver.exprs.mentions(rate), &state.quantity.name);
                let subject = match level {
                    RowLevel::Acceleration => continue,
                    _ if m.input => "an input",
                    RowLevel::Position if self.second_rate_has_input(rate) => "an input, through another state",
                    RowLevel::Position if m.order.is_some_and(|order| order > 0) => "velocities",
                    _ => continue,
                };
                let help = match subject {
                    "velocities" => "a row of positions takes states whose rates depend on time, positions and states",
                    _ => "rows are differentiated, those of positions twice: put a `state` with its `rate:` in between",
                };
                let _: Res<()> = self.fail(
                    origin,
                    mistakes::outputs::row_depends_on_rate(&owner, name, subject).help_if(Some(help.into())),
                );
            }
        }
    }

    fn second_rate_has_input(&self, rate: ExprId) -> bool {
        self.resolver.exprs.differentiated_states(rate, 0).into_iter().any(|flat| {
            let state = self.resolver.auxiliary_at(flat);
            let rate = state.and_then(|state| state.rates.get(flat - state.quantity.offset));
            rate.is_some_and(|rate| self.resolver.exprs.mentions(*rate).input)
        })
    }

    fn state_rates(&mut self, slot: usize) -> Res<Vec<ExprId>> {
        let s = &self.resolver.names.slots[slot];
        let (scope, name, state) = (s.scope.clone(), s.name.clone(), s.state.clone());
        let (Declared::Item(d), State::Done(state)) = (s.declared, state) else { return Err(Reported) };
        let Some(rate) = d.arguments.iter().find(|a| a.name.text == "rate") else {
            if !d.arguments.is_empty() {
                return Err(Reported); // a misspelt one, reported with the quantities
            }
            return self.fail(d.name.ident.origin, mistakes::outputs::state_without_rate(&name));
        };
        let value = self.resolver.eval(&rate.value, &scope)?;
        if value.components().is_none() || value.shape() != state.shape() {
            return self.fail(
                rate.value.origin,
                mistakes::outputs::rate_of_another_shape(&name, state.describe(), value.describe()),
            );
        }
        if let (Value::Vector(_, a), Value::Vector(_, b)) = (&state, &value) {
            self.vectors().common_axes(*a, *b, rate.value.origin)?;
        }
        let rates = value.components().expect("just checked").to_vec();
        for x in &rates {
            self.argument_resolver().without_accelerations(
                *x,
                rate.value.origin,
                &format!("the rate of state `{name}`"),
            )?;
        }
        Ok(rates)
    }

    /// Resolves an output; returns it with the origin of its value.
    fn output(&mut self, slot: usize) -> Res<(Output, Origin)> {
        let s = &self.resolver.names.slots[slot];
        let (scope, name) = (s.scope.clone(), s.name.clone());
        let Declared::Item(d) = s.declared else { return Err(Reported) };
        self.argument_resolver().arguments(&format!("output `{name}`"), &d.arguments, &[]);
        let origin = d.value.as_ref().map_or(d.name.ident.origin, |value| value.origin);
        let mut value = match (&d.value, &d.name.index) {
            (Some(e), _) => self.resolver.eval(e, &scope)?,
            // `output charge;` publishes a name, `output k[i];` one of a family.
            (None, index) => {
                let ident = &d.name.ident;
                let plain = Expr { kind: ExprKind::Name(ident.text.clone()), origin };
                let kind = match index {
                    None => plain.kind,
                    Some(index) => ExprKind::Index(Box::new(plain), Box::new(index.clone())),
                };
                self.resolver.eval(&Expr { kind, origin }, &scope)?
            }
        };
        if let Some(frame) = &d.frame {
            let axes = self.vectors().frame_axes(frame, &scope)?;
            value = self.vectors().value_in_axes(value, axes, origin)?;
        }
        let value = value.into_matrix();
        let Some(values) = value.components().map(<[ExprId]>::to_vec) else {
            return self.fail(origin, mistakes::outputs::not_an_output(&name, value.describe()));
        };
        if !d.shape.is_empty() {
            let sizes =
                d.shape.iter().map(|size| self.resolver.evaluate_integer(size, &scope, "a size")).collect::<Vec<_>>();
            let sizes = sizes.into_iter().collect::<Res<Vec<_>>>()?;
            if value.shape().iter().map(|n| *n as i64).ne(sizes) {
                return self.fail(origin, mistakes::outputs::output_of_size(&name, value.describe()));
            }
        }
        if values.iter().any(|x| self.resolver.exprs.order(*x).is_some_and(|n| n > 2)) {
            return self.fail(origin, mistakes::outputs::output_has_rates_of_accelerations(&name));
        }
        let shape = value.shape();
        Ok((Output { name, origin: d.name.ident.origin, docs: d.docs.clone(), shape, values }, origin))
    }

    /// Refuses second rates of states whose `rate` contains an input, since rates of inputs are not known. Rates of states can be in outputs
    /// only.
    fn second_rates_known(&mut self, output: &Output, origin: Origin) -> Res<()> {
        let states = output.values.iter().flat_map(|x| self.resolver.exprs.differentiated_states(*x, 2));
        let unknown = states.filter_map(|flat| {
            let state = self.resolver.auxiliary_at(flat)?;
            let rate = state.rates.get(flat - state.quantity.offset)?;
            self.resolver.exprs.mentions(*rate).input.then(|| state.quantity.name.clone())
        });
        let Some(state) = unknown.min() else { return Ok(()) };
        self.fail(origin, mistakes::outputs::second_rate_unknown(&state))
    }

    /// Resolves `target = value` or `target ~ value`; adds one condition for each component.
    fn condition(&mut self, condition: &Condition, scope: &Scope) -> Res<()> {
        let (target_expr, value_expr) = (&condition.target, &condition.value);
        let values = (self.resolver.eval(target_expr, scope), self.resolver.eval(value_expr, scope));
        let (target, value) = (values.0?, values.1?);
        let name = self.resolver.names.text_in(target_expr, scope);
        let (Some(targets), Some(numbers)) = (target.components(), value.components()) else {
            let other = if target.components().is_none() { &target } else { &value };
            return self.fail(target_expr.origin, mistakes::outputs::not_a_condition_value(other.describe()));
        };
        if target.shape() != value.shape() {
            return self.fail(
                value_expr.origin,
                mistakes::quantities::value_of_another_shape(&name, target.describe(), value.describe()),
            );
        }
        if let (Value::Vector(_, a), Value::Vector(_, b)) = (&target, &value) {
            self.vectors().common_axes(*a, *b, value_expr.origin)?;
        }
        let vector = !target.shape().is_empty();
        for (k, (target, value)) in targets.iter().zip(numbers).enumerate() {
            let subject = format!("the value of `{name}`");
            self.argument_resolver().parametric(*value, value_expr.origin, &subject)?;
            self.argument_resolver().in_domain(*value, mbs_model::Domain::Finite, value_expr.origin, &subject)?;
            let m = self.resolver.exprs.mentions(*target);
            let level = match m.order {
                Some(0) => RowLevel::Position,
                Some(1) => RowLevel::Velocity,
                None => {
                    let help =
                        m.auxiliary.then(|| format!("write its initial value as `state {} = …`", text(target_expr)));
                    return self
                        .fail(target_expr.origin, mistakes::outputs::condition_on_no_coordinate(&name).help_if(help));
                }
                Some(_) => {
                    return self.fail(target_expr.origin, mistakes::outputs::condition_of_no_level(&name));
                }
            };
            if m.input || m.auxiliary {
                return self.fail(target_expr.origin, mistakes::outputs::condition_depends_on_input(&name));
            }
            let name = if vector { format!("{name}[{k}]") } else { name.clone() };
            let (origin, exact) = (target_expr.origin, condition.exact);
            self.conditions.push(InitialCondition { name, origin, target: *target, value: *value, exact, level });
        }
        Ok(())
    }
}
