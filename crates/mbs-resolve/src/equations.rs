//! Resolves drives, prescribed coordinates, constraints and couplings.

pub(crate) mod exclusive;
pub(crate) mod prescriptions;

use mbs_definition::{BinaryOp, Expr, ExprKind, Origin};
use mbs_expr::{ExprId, Function2};
use mbs_model::{Equation, EquationCategory, RowLevel};

use crate::mistakes;
use crate::resolvers::{EquationPhase, Resolves};
use crate::value::{Axes, Value};
use crate::{Category, Declared, Reported, Res, Resolver, Scope, State};

impl<'a> EquationPhase<'_, 'a> {
    /// After this pass: all rows exist, so that loads have the indices of their multipliers.
    pub(crate) fn resolve(&mut self) {
        self.resolver.equations.all = (0..self.resolver.equations.slots.len()).map(|_| None).collect();
        self.resolver.equations.axes = vec![None; self.resolver.equations.slots.len()];
        for e in 0..self.resolver.equations.slots.len() {
            let slot = self.resolver.equations.slots[e];
            let scope = self.resolver.names.slots[slot].scope.clone();
            match self.in_scope(&scope, |r| r.equation(slot)) {
                Ok((equation, axes)) => {
                    self.resolver.equations.axes[e] = axes;
                    self.resolver.equations.all[e] = Some(equation);
                }
                Err(Reported) => self.resolver.names.slots[slot].state = State::Bad,
            }
        }
        let mut next: usize = self.resolver.joints.all.iter().flatten().map(|joint| joint.rows.len()).sum();
        let mut first = Vec::new();
        for equation in &self.resolver.equations.all {
            first.push(next as u32);
            next += equation.as_ref().map_or(0, |equation| equation.rows.len());
        }
        self.resolver.equations.rows = Some(first);
    }

    fn equation(&mut self, slot: usize) -> Res<(Equation, Option<Axes>)> {
        let s = &self.resolver.names.slots[slot];
        let (scope, name, s_category) = (s.scope.clone(), s.name.clone(), s.category);
        let category = match s_category {
            Category::Drive | Category::Prescribe => EquationCategory::Drive,
            Category::Coupling => EquationCategory::Coupling,
            _ => EquationCategory::Constraint,
        };
        let Declared::Item(d) = s.declared else { return Err(Reported) };
        let owner = format!("{} `{name}`", d.category.text);
        let given = self.argument_resolver().arguments(&owner, &d.arguments, &["enabled"]);
        let enabled = self.argument_resolver().switch_of_rows(given.found[0], &owner, &scope);
        let Some(e) = &d.value else {
            return self
                .fail(d.name.ident.origin, mistakes::equations::equation_missing(&owner, &d.category.text, &name));
        };
        let residual = self.resolver.residual(e, &owner, &scope)?;
        let rows = residual.components().expect("differences have components").to_vec();
        let level = self.resolver.row_level(&rows, &owner, e.origin)?;
        let axes = if let Value::Vector(_, axes) = residual { Some(axes) } else { None };
        let prescribes = match s_category {
            Category::Prescribe => Some(self.prescription(e, given.found[0], &scope)?),
            _ => None,
        };
        let (origin, docs) = (d.name.ident.origin, d.docs.clone());
        Ok((Equation { name, origin, docs, category, rows, level, enabled: enabled?, prescribes }, axes))
    }
}

impl Resolver<'_> {
    /// The residual left − right of an equation between numbers or vectors.
    pub(crate) fn residual(&mut self, e: &Expr, owner: &str, scope: &Scope) -> Res<Value> {
        let (left, right, frame) = self.sides(e, owner)?;
        let values = (self.eval(left, scope), self.eval(right, scope));
        let (mut left_value, mut right_value) = (values.0?, values.1?);
        if let Some(frame) = frame {
            let axes = self.vectors().frame_axes(frame, scope)?;
            left_value = self.vectors().value_in_axes(left_value, axes, left.origin)?;
            right_value = self.vectors().value_in_axes(right_value, axes, right.origin)?;
        }
        let table = |value: &Value| matches!(value, Value::Matrix(..) | Value::Rotation(..));
        if table(&left_value) || table(&right_value) {
            return self.fail(e.origin, mistakes::equations::not_between_numbers_or_vectors());
        }
        if left_value.shape() != right_value.shape() && left_value.components().is_some() {
            return self.fail(
                e.origin,
                mistakes::equations::sides_of_different_shapes(owner, left_value.describe(), right_value.describe()),
            );
        }
        self.vectors().sum(Function2::Sub, &left_value, &right_value, e.origin)
    }

    /// Left and right sides of `==`, and the frame of `a == b in frame`, in which both are expressed.
    pub(crate) fn sides<'e>(&mut self, e: &'e Expr, owner: &str) -> Res<(&'e Expr, &'e Expr, Option<&'e Expr>)> {
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
            _ => self.fail(e.origin, mistakes::equations::not_an_equation(owner)),
        }
    }

    pub(crate) fn row_level(&mut self, rows: &[ExprId], owner: &str, origin: Origin) -> Res<RowLevel> {
        let mut levels = Vec::new();
        for row in rows {
            let m = self.exprs.mentions(*row);
            if m.multiplier {
                return self.fail(origin, mistakes::equations::row_depends_on_load_of_row(owner));
            }
            // Rows of accelerations are not differentiated: they may contain expressions without a rate.
            if m.input && m.order != Some(2) {
                return self.fail(origin, mistakes::equations::row_depends_on_input(owner));
            }
            match m.order {
                None => return self.fail(origin, mistakes::equations::depends_on_no_coordinate(owner)),
                Some(0) => levels.push(RowLevel::Position),
                Some(1) => levels.push(RowLevel::Velocity),
                Some(2) if m.auxiliary_rates > 0 => {
                    return self.fail(origin, mistakes::equations::row_depends_on_rate_of_state(owner));
                }
                Some(2) => levels.push(RowLevel::Acceleration),
                Some(_) => {
                    return self.fail(origin, mistakes::equations::row_has_rates_of_accelerations(owner));
                }
            }
        }
        if levels.iter().any(|level| *level != levels[0]) {
            return self.fail(origin, mistakes::equations::components_differ_in_level(owner));
        }
        Ok(levels[0])
    }
}
