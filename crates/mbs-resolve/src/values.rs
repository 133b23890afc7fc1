//! Evaluates expressions to typed values. Arithmetic is in `algebra`, calls of functions are in `functions`.

pub(crate) mod algebra;
pub(crate) mod arguments;
pub(crate) mod declared;
pub(crate) mod fields;
pub(crate) mod formulas;
pub(crate) mod frames;
pub(crate) mod functions;
pub(crate) mod lifts;
pub(crate) mod numeric;
pub(crate) mod observables;
pub(crate) mod rotations;
pub(crate) mod splines;

use std::rc::Rc;

use mbs_definition::{BinaryOp, Expr, ExprKind, Ident, Origin, UnaryOp};
use mbs_expr::{Comparison, ExprId, Op};

use crate::mistakes;
use crate::names::RESERVED;
use crate::resolvers::Resolves;
use crate::scope::Bound;
use crate::scope::Found;
use crate::value::{Axes, Value};
use crate::{Category, DEEPEST, MOST_STEPS, Phase, Reported, Res, Resolver, Scope, State};

impl Resolver<'_> {
    /// The value of an expression.
    pub(crate) fn eval(&mut self, e: &Expr, scope: &Scope) -> Res<Value> {
        self.progress.steps += 1;
        if self.progress.steps > MOST_STEPS {
            if self.progress.steps == MOST_STEPS + 1 {
                self.report(e.origin, mistakes::values::too_many_expressions(MOST_STEPS));
            }
            return Err(Reported);
        }
        if self.progress.depth >= DEEPEST {
            return self.fail(e.origin, mistakes::values::expression_nested_too_deep(DEEPEST));
        }
        self.progress.depth += 1;
        let value = self.in_scope(scope, |r| r.eval_kind(e, scope));
        self.progress.depth -= 1;
        value
    }

    fn eval_kind(&mut self, e: &Expr, scope: &Scope) -> Res<Value> {
        match &e.kind {
            ExprKind::Number(x) if x.is_subnormal() => self.fail(e.origin, mistakes::values::number_too_small()),
            ExprKind::Number(x) if x.is_finite() => Ok(Value::Number(self.exprs.constant(*x))),
            ExprKind::Number(_) => self.fail(e.origin, mistakes::values::number_too_large()),
            ExprKind::Name(name) => self.eval_name(name, e.origin, scope),
            ExprKind::Field(inner, field) => match self.full_path(e, scope)? {
                Some(full) => self.name_value(&full, field.origin, scope),
                None => {
                    let value = self.eval(inner, scope)?;
                    self.field_resolver().field(value, inner, field)
                }
            },
            ExprKind::Index(inner, index) => self.eval_index(inner, index, scope),
            ExprKind::Range(..) => self.fail(e.origin, mistakes::values::range_is_no_value()),
            ExprKind::Unary(op, inner) => {
                let value = self.eval(inner, scope)?;
                match op {
                    UnaryOp::Neg => {
                        let (is_odd, before) = (value.components().is_none(), self.mistakes.errors.list().len());
                        let result = self.vectors().negated(value, e.origin);
                        if is_odd {
                            self.report_passed(Some(inner), before, scope);
                        }
                        result
                    }
                    UnaryOp::Not => {
                        let test = self.as_truth(value, inner.origin)?;
                        let [no, yes] = [0.0, 1.0].map(|x| self.exprs.constant(x));
                        Ok(Value::Truth(self.exprs.choose(test, no, yes)))
                    }
                }
            }
            ExprKind::Binary(..) => self.eval_binary(e, scope),
            ExprKind::Call(function, arguments) => self.function_resolver().eval_call(function, arguments, scope),
            ExprKind::If(test, then, otherwise) => {
                let test = self.evaluate_truth(test, scope);
                let (then, otherwise) = (self.eval(then, scope), self.eval(otherwise, scope));
                self.vectors().choice(test?, then?, otherwise?, e.origin)
            }
            ExprKind::Sum { body, variable, over } => self.eval_sum(e.origin, body, variable, over, scope),
            ExprKind::Vector(items) => self.eval_vector(items, e.origin, scope),
            ExprKind::In(inner, frame) => self.vectors().eval_in(inner, frame, scope),
            ExprKind::At(inner, point) => self.vectors().eval_at(inner, point, scope, None),
            ExprKind::Broken => {
                self.mistakes.broken = true;
                Err(Reported)
            }
        }
    }

    /// Evaluates a binary operation; left-leaning chains a + b + c + … of any length need no recursion.
    fn eval_binary(&mut self, e: &Expr, scope: &Scope) -> Res<Value> {
        let mut spine: Vec<(BinaryOp, &Expr, Origin)> = Vec::new();
        let mut left = e;
        while let ExprKind::Binary(op, inner, right) = &left.kind {
            spine.push((*op, right, left.origin));
            left = inner;
        }
        let mut value = self.eval(left, scope);
        let mut left = Some(left);
        for (op, right, origin) in spine.into_iter().rev() {
            if let (Ok(Value::Choice(choice, slot)), BinaryOp::Equal | BinaryOp::NotEqual) = (&value, op) {
                value = self.compare_choice(*choice, *slot, op, right, scope);
                continue;
            }
            if matches!((&value, op), (Err(Reported), BinaryOp::Equal | BinaryOp::NotEqual))
                && matches!(right.kind, ExprKind::Name(_))
            {
                // The name may be the word of a choice whose mistake has been reported.
                continue;
            }
            let operand = self.eval(right, scope);
            value = match (value, operand) {
                (Ok(a), Ok(b)) => {
                    let is_nonnumeric = [a.components().is_none(), b.components().is_none()];
                    let before = self.mistakes.errors.list().len();
                    let result = self.vectors().binary(op, a, b, origin);
                    if result.is_err() {
                        let nonnumeric =
                            [left, Some(right)].into_iter().zip(is_nonnumeric).filter(|(_, nonnumeric)| *nonnumeric);
                        nonnumeric.for_each(|(e, _)| self.report_passed(e, before, scope));
                    }
                    result
                }
                _ => Err(Reported),
            };
            left = None;
        }
        value
    }

    /// Compares a choice with one of its words: `gear == low`, `gear != low`.
    fn compare_choice(&mut self, choice: ExprId, slot: usize, op: BinaryOp, right: &Expr, scope: &Scope) -> Res<Value> {
        let words = self.names.words_of(slot);
        let word = self.word_of(&words, right, scope)?;
        let [no, yes] = [0.0, 1.0].map(|x| self.exprs.constant(x));
        let (then, otherwise) = if op == BinaryOp::Equal { (yes, no) } else { (no, yes) };
        Ok(Value::Truth(self.exprs.push(Op::Select(Comparison::Equal, [choice, word, then, otherwise]))))
    }

    pub(crate) fn eval_name(&mut self, name: &str, origin: Origin, scope: &Scope) -> Res<Value> {
        match self.names.find_name(name, scope) {
            Found::Bound(Bound::Index(i)) => Ok(Value::Number(self.exprs.constant(i as f64))),
            Found::Bound(Bound::Argument(value)) => Ok(value),
            Found::Bound(Bound::Given(i)) => {
                self.mistakes.uses_of_passed.insert(origin, i);
                let value = self.passed_value(i)?;
                self.function_resolver().check_given(&value, name, origin, scope)?;
                Ok(value)
            }
            Found::Declared(full) => self.name_value(&full, origin, scope),
        }
    }

    /// Value of a full name.
    pub(crate) fn declared_value(&mut self, name: &str, origin: Origin, scope: &Scope) -> Res<Value> {
        self.check_phase(name, origin)?;
        match name {
            "t" => return Ok(Value::Number(self.exprs.push(Op::Time))),
            "PI" => return Ok(Value::Number(self.exprs.constant(std::f64::consts::PI))),
            "TAU" => return Ok(Value::Number(self.exprs.constant(std::f64::consts::TAU))),
            "true" | "false" => return Ok(Value::Truth(self.exprs.constant(f64::from(u8::from(name == "true"))))),
            "ground" => return Ok(Value::Body(None)),
            "bodies" => {
                let set = self
                    .bodies
                    .all
                    .iter()
                    .enumerate()
                    .map(|(b, body)| (mbs_expr::BodyId(b as u32), body.origin_marker));
                return Ok(Value::Set(Rc::new(set.collect())));
            }
            "kinetic_energy" => return self.force_resolver().energy(0, origin),
            "potential_energy" => return self.force_resolver().energy(1, origin),
            "com" => {
                return self.fail(origin, mistakes::values::com_alone());
            }
            _ => {}
        }
        if self.names.bad.contains(name) {
            return Err(Reported);
        }
        if let Some(slot) = self.names.full.get(name).copied() {
            self.names.slots[slot].used = true;
            return self.resolve_slot(slot, origin);
        }
        if let Some(members) = self.names.families.get(name).cloned().filter(|_| self.progress.phase > Phase::Names) {
            return self.family_bodies(name, &members, origin);
        }
        if self.names.is_group(name) {
            return self.group_bodies(name, origin);
        }
        self.fail_unknown(name, origin, scope)
    }

    /// Refuses names that may not be used yet: sizes, bounds and indices read constants only, and defaults no energies.
    fn check_phase(&mut self, name: &str, origin: Origin) -> Res<()> {
        let constant = match name {
            "PI" | "TAU" | "true" | "false" | "com" => true,
            _ if RESERVED.contains(&name) => false,
            _ => self.names.full.get(name).is_none_or(|slot| self.names.slots[*slot].category == Category::Const),
        };
        let energy = matches!(name, "kinetic_energy" | "potential_energy");
        if !constant && (self.progress.phase == Phase::Names || (energy && self.progress.phase < Phase::Rest)) {
            return self.fail(origin, mistakes::names::name_not_constant(name));
        }
        Ok(())
    }

    /// All bodies `link[0]`, `link[1]`, … as a set.
    fn family_bodies(&mut self, name: &str, members: &[usize], origin: Origin) -> Res<Value> {
        let mut set = Vec::new();
        for slot in members {
            let slot = &self.names.slots[*slot];
            if !matches!(slot.category, Category::Body | Category::Particle) {
                return self.fail(origin, mistakes::values::indexed_name(name, &slot.name));
            }
            let body = mbs_expr::BodyId(slot.index as u32);
            set.push((body, self.bodies.all[slot.index].origin_marker));
        }
        Ok(Value::Set(Rc::new(set)))
    }

    /// Value of a declared name, resolved now if it was not yet.
    pub(crate) fn resolve_slot(&mut self, slot: usize, origin: Origin) -> Res<Value> {
        let s = &self.names.slots[slot];
        let (index, scope) = (s.index, s.scope.clone());
        match (&s.state, s.category) {
            (State::Done(value), _) => return Ok(value.clone()),
            (State::Bad, _) => return Err(Reported),
            (_, Category::Body | Category::Particle) => return Ok(Value::Body(Some(mbs_expr::BodyId(index as u32)))),
            (_, Category::Joint) => return Ok(Value::Joint(mbs_expr::JointId(index as u32))),
            (_, Category::Force | Category::Potential) => return Ok(Value::Force(index)),
            (_, Category::Drive | Category::Prescribe | Category::Constraint | Category::Coupling) => {
                return Ok(Value::Equation(index));
            }
            (_, Category::Curve) => return Ok(Value::Curve(slot)),
            (_, Category::Function) => {
                return self.fail(origin, mistakes::values::function_without_arguments(&s.name));
            }
            (State::Busy, _) => {
                return self.fail(origin, mistakes::values::refers_to_itself(&s.name));
            }
            (State::Waiting, Category::Const | Category::Let | Category::Marker) => {}
            (State::Waiting, _) => {
                return self.fail(origin, mistakes::values::not_known_here(&s.name));
            }
        }
        let category = s.category;
        self.names.slots[slot].state = State::Busy;
        let value = self.in_scope(&scope, |r| match category {
            Category::Marker => r.body_resolver().declared_marker(slot),
            _ => r.named_value(slot),
        });
        self.names.slots[slot].state = value.as_ref().map_or(State::Bad, |v| State::Done(v.clone()));
        value
    }

    fn eval_index(&mut self, inner: &Expr, index: &Expr, scope: &Scope) -> Res<Value> {
        if let Some(full) = self.family_member(inner, index, scope)? {
            // `link[i]` is the name of a declared item.
            self.check_phase(&full, inner.origin)?;
            return self.name_value(&full, index.origin, scope);
        }
        let value = self.eval(inner, scope)?;
        if !matches!(value, Value::Vector(..) | Value::Matrix(..)) {
            return self.fail(index.origin, mistakes::values::no_elements(value.describe()));
        }
        let length = value.shape()[0];
        let (start, end, slice) = match &index.kind {
            ExprKind::Range(..) => {
                let (start, end) = self.evaluate_range(index, scope)?;
                (start, end, true)
            }
            _ => {
                let i = self.evaluate_integer(index, scope, "an index")?;
                (i, i + 1, false)
            }
        };
        if start < 0 || end as usize > length || start == end {
            return self.fail(index.origin, mistakes::values::index_out_of_bounds(value.describe(), length));
        }
        let (start, end) = (start as usize, end as usize);
        Ok(match (value, slice) {
            (Value::Vector(v, _), false) => Value::Number(v[start]),
            (Value::Vector(v, axes), true) => {
                let axes = if end - start == length { axes } else { Axes::Unstated };
                Value::Vector(v[start..end].to_vec(), axes)
            }
            (Value::Matrix(m, columns), false) => {
                Value::Vector(m[start * columns..end * columns].to_vec(), Axes::Unstated)
            }
            (Value::Matrix(m, columns), true) => Value::Matrix(m[start * columns..end * columns].to_vec(), columns),
            _ => unreachable!("checked above"),
        })
    }

    fn eval_sum(&mut self, origin: Origin, body: &Expr, variable: &Ident, over: &Expr, scope: &Scope) -> Res<Value> {
        let (start, end) = self.evaluate_range(over, scope)?;
        let mut sum: Option<Value> = None;
        for i in start..end {
            let term = self.eval(body, &scope.with_index(&variable.text, i))?;
            sum = Some(match sum {
                None => term,
                Some(sum) => self.vectors().binary(BinaryOp::Add, sum, term, origin)?,
            });
        }
        match sum {
            None => Ok(Value::Number(self.exprs.constant(0.0))),
            Some(sum) if sum.components().is_some() => Ok(sum),
            Some(sum) => self.fail(body.origin, mistakes::values::not_summable(sum.describe())),
        }
    }

    /// `[a, b]` is a vector, `[[a, b], [c, d]]` a matrix.
    fn eval_vector(&mut self, items: &[Expr], origin: Origin, scope: &Scope) -> Res<Value> {
        let values: Vec<_> = items.iter().map(|item| self.eval(item, scope)).collect();
        let values = values.into_iter().collect::<Res<Vec<_>>>()?;
        let Some(first) = values.first() else {
            return self.fail(origin, mistakes::values::empty_vector());
        };
        let shape = first.shape();
        let mut components: Vec<ExprId> = Vec::new();
        for (value, item) in values.iter().zip(items) {
            match value {
                Value::Number(_) | Value::Vector(..) if value.shape() == shape => {
                    components.extend(value.components().expect("numbers and vectors have components"));
                }
                Value::Number(_) | Value::Vector(..) => {
                    return self.fail(item.origin, mistakes::values::rows_of_different_lengths());
                }
                _ => {
                    return self.fail(item.origin, mistakes::values::component_is_no_number(value.describe()));
                }
            }
        }
        match shape[..] {
            [] => Ok(Value::Vector(components, Axes::Unstated)),
            [columns] => Ok(Value::Matrix(components, columns)),
            _ => self.fail(origin, mistakes::quantities::too_many_indices()),
        }
    }

    /// The expression of a truth value, 1 or 0; an error for other values.
    pub(crate) fn as_truth(&mut self, value: Value, origin: Origin) -> Res<ExprId> {
        match value {
            Value::Truth(truth) => Ok(truth),
            _ => self.fail(origin, mistakes::values::not_a_truth_value(value.describe())),
        }
    }

    /// Evaluates a truth value, 1 or 0.
    pub(crate) fn evaluate_truth(&mut self, e: &Expr, scope: &Scope) -> Res<ExprId> {
        let value = self.eval(e, scope)?;
        self.as_truth(value, e.origin)
    }

    /// Evaluates a number; `subject` names it in the message for other values.
    pub(crate) fn evaluate_number(&mut self, e: &Expr, scope: &Scope, subject: &str) -> Res<ExprId> {
        match self.eval(e, scope)? {
            Value::Number(id) => Ok(id),
            other => self.fail(e.origin, mistakes::values::not_a_number(subject, other.describe())),
        }
    }

    /// Evaluates a vector of the mechanism's space, with its axes; z = 0 in the plane. `subject` names it in messages.
    pub(crate) fn evaluate_vector(&mut self, e: &Expr, scope: &Scope, subject: &str) -> Res<([ExprId; 3], Axes)> {
        match self.eval(e, scope)? {
            Value::Vector(v, axes) if v.len() == self.dimension() => Ok((self.vectors().padded(&v), axes)),
            other => {
                let code = mistakes::code_of_shape(matches!(other, Value::Vector(..)));
                self.fail(
                    e.origin,
                    mistakes::values::not_a_vector(code, subject, self.dimension(), other.describe()).help_if(Some(
                        if self.dimension() == 2 { "write `[x, y]`" } else { "write `[x, y, z]`" }.into(),
                    )),
                )
            }
        }
    }
}
