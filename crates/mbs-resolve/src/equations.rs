//! Drives, prescribed coordinates, constraints and couplings; `initial` conditions; outputs; rates of states.

use mbs_definition::{BinaryOp, Condition, Expr, ExprKind, Origin};
use mbs_expr::{ExprId, Function2};
use mbs_model::{Equation, EquationCategory, InitialCondition, Output, RowLevel};

use super::text::text;
use super::value::{Axes, Value};
use super::{Category, Declared, Reported, Res, Resolver, Scope, State};

impl Resolver<'_> {
    /// After this pass: all rows exist, so that loads have numbers.
    pub(super) fn resolve_equations(&mut self) {
        self.equations.all = (0..self.equations.slots.len()).map(|_| None).collect();
        self.equations.axes = vec![None; self.equations.slots.len()];
        for e in 0..self.equations.slots.len() {
            let slot = self.equations.slots[e];
            let scope = self.names.slots[slot].scope.clone();
            match self.within(&scope, |r| r.equation(slot)) {
                Ok((equation, axes)) => {
                    self.equations.axes[e] = axes;
                    self.equations.all[e] = Some(equation);
                }
                Err(Reported) => self.names.slots[slot].state = State::Bad,
            }
        }
        let mut next: usize = self.joints.all.iter().flatten().map(|joint| joint.rows.len()).sum();
        let mut first = Vec::new();
        for equation in &self.equations.all {
            first.push(next as u32);
            next += equation.as_ref().map_or(0, |equation| equation.rows.len());
        }
        self.equations.rows = Some(first);
    }

    fn equation(&mut self, slot: usize) -> Res<(Equation, Option<Axes>)> {
        let s = &self.names.slots[slot];
        let (scope, name, s_category) = (s.scope.clone(), s.name.clone(), s.category);
        let category = match s_category {
            Category::Drive | Category::Prescribe => EquationCategory::Drive,
            Category::Coupling => EquationCategory::Coupling,
            _ => EquationCategory::Constraint,
        };
        let Declared::Item(d) = s.declared else { return Err(Reported) };
        let owner = format!("{} `{name}`", d.category.text);
        let given = self.arguments(&owner, &d.arguments, &["enabled"]);
        let enabled = self.switch_of_rows(given.found[0], &owner, &scope);
        let Some(e) = &d.value else {
            let help = Some(format!("write `{} {name} = left == right;`", d.category.text));
            return self.fail("MBS018", d.name.ident.origin, format!("{owner} needs an equation"), help);
        };
        let residual = self.residual(e, &owner, &scope)?;
        let rows = residual.components().expect("differences have components").to_vec();
        let level = self.row_level(&rows, &owner, e.origin)?;
        let axes = if let Value::Vector(_, axes) = residual { Some(axes) } else { None };
        let prescribes = match s_category {
            Category::Prescribe => Some(self.prescription(e, given.found[0], &scope)?),
            _ => None,
        };
        let (origin, docs) = (d.name.ident.origin, d.docs.clone());
        Ok((Equation { name, origin, docs, category, rows, level, enabled: enabled?, prescribes }, axes))
    }

    /// Left − right of an equation between numbers or vectors.
    pub(super) fn residual(&mut self, e: &Expr, owner: &str, scope: &Scope) -> Res<Value> {
        let (left, right, frame) = self.sides(e, owner)?;
        let values = (self.eval(left, scope), self.eval(right, scope));
        let (mut left_value, mut right_value) = (values.0?, values.1?);
        if let Some(frame) = frame {
            let axes = self.axes_of(frame, scope)?;
            left_value = self.value_in(left_value, axes, left.origin)?;
            right_value = self.value_in(right_value, axes, right.origin)?;
        }
        let table = |value: &Value| matches!(value, Value::Matrix(..) | Value::Rotation(..));
        if table(&left_value) || table(&right_value) {
            return self.fail("MBS020", e.origin, "an equation is between numbers or vectors", None);
        }
        if left_value.shape() != right_value.shape() && left_value.components().is_some() {
            let message = format!("{owner} equates {} with {}", left_value.describe(), right_value.describe());
            return self.fail("MBS021", e.origin, message, None);
        }
        self.sum(Function2::Sub, &left_value, &right_value, e.origin)
    }

    /// Left and right of `==`; `a == b in frame` re-expresses both.
    pub(super) fn sides<'e>(&mut self, e: &'e Expr, owner: &str) -> Res<(&'e Expr, &'e Expr, Option<&'e Expr>)> {
        match &e.kind {
            ExprKind::Binary(BinaryOp::Equal, left, right) => Ok((left, right, None)),
            ExprKind::In(inner, frame) if matches!(inner.kind, ExprKind::Binary(BinaryOp::Equal, ..)) => {
                let (left, right, _) = self.sides(inner, owner)?;
                Ok((left, right, Some(frame)))
            }
            ExprKind::Broken => {
                self.mistakes.broken = true;
                Err(Reported)
            }
            _ => self.fail(
                "MBS033",
                e.origin,
                format!("{owner} is not an equation"),
                Some("write `left == right`".into()),
            ),
        }
    }

    pub(super) fn row_level(&mut self, rows: &[ExprId], owner: &str, origin: Origin) -> Res<RowLevel> {
        let mut levels = Vec::new();
        for row in rows {
            let m = self.exprs.mentions(*row);
            if m.multiplier {
                return self.fail("MBS034", origin, format!("{owner} depends on the load of a row: circular"), None);
            }
            // Rows of accelerations are not differentiated: they may hold what has no rate.
            if m.input && m.order != Some(2) {
                let help = Some("rows are differentiated: use functions of time, a `state`, or a force".into());
                return self.fail("MBS035", origin, format!("{owner} depends on an input"), help);
            }
            match m.order {
                None => return self.fail("MBS036", origin, format!("{owner} depends on no coordinate"), None),
                Some(0) => levels.push(RowLevel::Position),
                Some(1) => levels.push(RowLevel::Velocity),
                Some(2) if m.auxiliary_rates > 0 => {
                    let help = Some("write what the `rate:` of the state is".into());
                    return self.fail("MBS034", origin, format!("{owner} depends on the rate of a state"), help);
                }
                Some(2) => levels.push(RowLevel::Acceleration),
                Some(_) => {
                    return self.fail("MBS034", origin, format!("{owner} has rates of accelerations"), None);
                }
            }
        }
        if levels.iter().any(|level| *level != levels[0]) {
            let help = Some("write one equation per component".into());
            return self.fail("MBS034", origin, format!("the components of {owner} differ in level"), help);
        }
        Ok(levels[0])
    }

    /// `let`s that nothing used, rates of states, `initial` and outputs.
    pub(super) fn resolve_rest(&mut self) {
        let mut state = 0;
        let mut outputs = Vec::new();
        for slot in 0..self.names.slots.len() {
            let (origin, scope) = (self.names.slots[slot].declared.origin(), self.names.slots[slot].scope.clone());
            match self.names.slots[slot].category {
                Category::Let => {
                    let _ = self.resolve_slot(slot, origin);
                }
                Category::State if matches!(self.names.slots[slot].state, State::Done(_)) => {
                    if let Ok(rates) = self.within(&scope, |r| r.state_rates(slot)) {
                        self.quantities.auxiliary[state].rates = rates;
                    }
                    state += 1;
                }
                Category::Output => {
                    outputs.extend(self.within(&scope, |r| r.output(slot)).ok());
                }
                _ => {}
            }
        }
        for (condition, scope) in std::mem::take(&mut self.statements.initial) {
            let _: Res<()> = self.within(&scope, |r| r.condition(condition, &scope));
        }
        self.check_states_in_rows();
        for (output, origin) in outputs {
            let _: Res<()> = self.second_rates_known(&output, origin);
            self.outputs.push(output);
        }
        self.check_functions();
    }

    /// Rows are differentiated, positions twice: rates of states in them depend on what has rates of its own.
    fn check_states_in_rows(&mut self) {
        let equations = self.equations.all.iter().flatten();
        let rows: Vec<(Origin, String, RowLevel, ExprId)> =
            equations.flat_map(|e| e.rows.iter().map(|row| (e.origin, e.name.clone(), e.level, *row))).collect();
        for (origin, owner, level, row) in rows {
            for flat in self.exprs.auxiliary_below(row, 0) {
                let Some(state) = self.auxiliary_at(flat) else { continue };
                let Some(rate) = state.rates.get(flat - state.quantity.offset).copied() else { continue };
                let (m, name) = (self.exprs.mentions(rate), &state.quantity.name);
                let what = match level {
                    RowLevel::Acceleration => continue,
                    _ if m.input => "an input",
                    RowLevel::Position if self.second_rate_has_input(rate) => "an input, through another state",
                    RowLevel::Position if m.order.is_some_and(|order| order > 0) => "velocities",
                    _ => continue,
                };
                let message = format!("`{owner}` depends on state `{name}`, whose rate depends on {what}");
                let help = match what {
                    "velocities" => "a row of positions takes states whose rates depend on time, positions and states",
                    _ => "rows are differentiated, those of positions twice: put a `state` with its `rate:` in between",
                };
                let _: Res<()> = self.fail("MBS035", origin, message, Some(help.into()));
            }
        }
    }

    fn second_rate_has_input(&self, rate: ExprId) -> bool {
        self.exprs.auxiliary_below(rate, 0).into_iter().any(|flat| {
            let state = self.auxiliary_at(flat);
            let rate = state.and_then(|state| state.rates.get(flat - state.quantity.offset));
            rate.is_some_and(|rate| self.exprs.mentions(*rate).input)
        })
    }

    fn state_rates(&mut self, slot: usize) -> Res<Vec<ExprId>> {
        let s = &self.names.slots[slot];
        let (scope, name, state) = (s.scope.clone(), s.name.clone(), s.state.clone());
        let (Declared::Item(d), State::Done(state)) = (s.declared, state) else { return Err(Reported) };
        let Some(rate) = d.arguments.iter().find(|a| a.name.text == "rate") else {
            if !d.arguments.is_empty() {
                return Err(Reported); // a misspelt one, reported with the quantities
            }
            let help = Some(format!("write `state {name} = 0 {{ rate: … }}`"));
            return self.fail("MBS018", d.name.ident.origin, format!("state `{name}` needs its `rate`"), help);
        };
        let value = self.eval(&rate.value, &scope)?;
        if value.components().is_none() || value.shape() != state.shape() {
            let message = format!("state `{name}` is {}, its rate is {}", state.describe(), value.describe());
            return self.fail("MBS021", rate.value.origin, message, None);
        }
        if let (Value::Vector(_, a), Value::Vector(_, b)) = (&state, &value) {
            self.common_axes(*a, *b, rate.value.origin)?;
        }
        let rates = value.components().expect("just checked").to_vec();
        for x in &rates {
            self.without_accelerations(*x, rate.value.origin, &format!("the rate of state `{name}`"))?;
        }
        Ok(rates)
    }

    /// An output with the origin of its value.
    fn output(&mut self, slot: usize) -> Res<(Output, Origin)> {
        let s = &self.names.slots[slot];
        let (scope, name) = (s.scope.clone(), s.name.clone());
        let Declared::Item(d) = s.declared else { return Err(Reported) };
        self.arguments(&format!("output `{name}`"), &d.arguments, &[]);
        let origin = d.value.as_ref().map_or(d.name.ident.origin, |value| value.origin);
        let mut value = match (&d.value, &d.name.index) {
            (Some(e), _) => self.eval(e, &scope)?,
            // `output charge;` publishes a name, `output k[i];` one of a family.
            (None, index) => {
                let ident = &d.name.ident;
                let plain = Expr { kind: ExprKind::Name(ident.text.clone()), origin };
                let kind = match index {
                    None => plain.kind,
                    Some(index) => ExprKind::Index(Box::new(plain), Box::new(index.clone())),
                };
                self.eval(&Expr { kind, origin }, &scope)?
            }
        };
        if let Some(frame) = &d.frame {
            let axes = self.axes_of(frame, &scope)?;
            value = self.value_in(value, axes, origin)?;
        }
        let value = value.into_matrix();
        let Some(values) = value.components().map(<[ExprId]>::to_vec) else {
            let message = format!("output `{name}` is a number, vector, matrix or rotation, not {}", value.describe());
            return self.fail("MBS020", origin, message, None);
        };
        if !d.shape.is_empty() {
            let sizes = d.shape.iter().map(|size| self.whole(size, &scope, "a size")).collect::<Vec<_>>();
            let sizes = sizes.into_iter().collect::<Res<Vec<_>>>()?;
            if value.shape().iter().map(|n| *n as i64).ne(sizes) {
                let message = format!("the value of output `{name}` is {}", value.describe());
                return self.fail("MBS021", origin, message, None);
            }
        }
        if values.iter().any(|x| self.exprs.order(*x).is_some_and(|n| n > 2)) {
            return self.fail("MBS034", origin, format!("output `{name}` has rates of accelerations"), None);
        }
        let shape = value.shape();
        Ok((Output { name, origin: d.name.ident.origin, docs: d.docs.clone(), shape, values }, origin))
    }

    /// The second rate of a state is the rate of its `rate`, which an input in it leaves unknown. Rates of states stand in outputs
    /// alone.
    fn second_rates_known(&mut self, output: &Output, origin: Origin) -> Res<()> {
        let states = output.values.iter().flat_map(|x| self.exprs.auxiliary_below(*x, 2));
        let unknown = states.filter_map(|flat| {
            let state = self.auxiliary_at(flat)?;
            let rate = state.rates.get(flat - state.quantity.offset)?;
            self.exprs.mentions(*rate).input.then(|| state.quantity.name.clone())
        });
        let Some(state) = unknown.min() else { return Ok(()) };
        let message = format!("the second rate of state `{state}` is not known: its rate holds an input");
        self.fail("MBS035", origin, message, Some("make the input a `state` with its `rate:`".into()))
    }

    /// `target = value` or `target ~ value`, one condition per component.
    fn condition(&mut self, condition: &Condition, scope: &Scope) -> Res<()> {
        let (target_expr, value_expr) = (&condition.target, &condition.value);
        let values = (self.eval(target_expr, scope), self.eval(value_expr, scope));
        let (target, value) = (values.0?, values.1?);
        let name = self.text_in(target_expr, scope);
        let (Some(targets), Some(numbers)) = (target.components(), value.components()) else {
            let other = if target.components().is_none() { &target } else { &value };
            let message = format!("a condition is between numbers or vectors, not {}", other.describe());
            return self.fail("MBS020", target_expr.origin, message, None);
        };
        if target.shape() != value.shape() {
            let message = format!("`{name}` is {}, its value is {}", target.describe(), value.describe());
            return self.fail("MBS021", value_expr.origin, message, None);
        }
        if let (Value::Vector(_, a), Value::Vector(_, b)) = (&target, &value) {
            self.common_axes(*a, *b, value_expr.origin)?;
        }
        let vector = !target.shape().is_empty();
        for (k, (target, value)) in targets.iter().zip(numbers).enumerate() {
            let what = format!("the value of `{name}`");
            self.parametric(*value, value_expr.origin, &what)?;
            self.in_domain(*value, mbs_model::Domain::Finite, value_expr.origin, &what)?;
            let m = self.exprs.mentions(*target);
            let level = match m.order {
                Some(0) => RowLevel::Position,
                Some(1) => RowLevel::Velocity,
                None => {
                    let help =
                        m.auxiliary.then(|| format!("write its initial value as `state {} = …`", text(target_expr)));
                    return self.fail("MBS036", target_expr.origin, format!("`{name}` depends on no coordinate"), help);
                }
                Some(_) => {
                    let message = format!("`{name}` is neither a position nor a velocity");
                    return self.fail("MBS034", target_expr.origin, message, None);
                }
            };
            if m.input || m.auxiliary {
                let message = format!("`{name}` depends on an input or state");
                return self.fail("MBS035", target_expr.origin, message, None);
            }
            let name = if vector { format!("{name}[{k}]") } else { name.clone() };
            let (origin, exact) = (target_expr.origin, condition.exact);
            self.equations.conditions.push(InitialCondition {
                name,
                origin,
                target: *target,
                value: *value,
                exact,
                level,
            });
        }
        Ok(())
    }
}
