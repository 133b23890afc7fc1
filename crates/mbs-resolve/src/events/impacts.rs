//! Impacts in handlers of events, `impulse(a, b) { … }`: their ends, direction and coefficient of restitution.

use mbs_definition::{Argument, Expr, Origin};
use mbs_expr::{Expr as Formula, ExprId, MarkerId, Op, Scalar};
use mbs_model::{Event, RowLevel};

use crate::events::EventPhase;
use crate::mistakes;
use crate::resolvers::{ForceResolver, Resolves};
use crate::value::{Axes, Value};
use crate::{Reported, Res, Scope};

impl<'a> EventPhase<'_, 'a> {
    /// Newton's law of impacts: after the impact, the component of the relative velocity in the impact direction is −restitution times that before.
    pub(crate) fn impulse(
        &mut self,
        origin: Origin,
        ends: &[Expr],
        arguments: &[Argument],
        event: &mut Event,
        scope: &Scope,
    ) -> Res<()> {
        let given = self.argument_resolver().arguments("`impulse`", arguments, &["direction", "restitution"]);
        let [first, second] = ends else {
            return self.fail(origin, mistakes::events::impulse_between_no_ends(ends.len()));
        };
        let values = (self.resolver.eval(first, scope), self.resolver.eval(second, scope));
        let values = (values.0?, values.1?);
        let markers =
            (self.vectors().as_marker(&values.0, first.origin), self.vectors().as_marker(&values.1, second.origin));
        let (first, second) = (markers.0?, markers.1?);
        let direction = match given.found[0] {
            Some(direction) => self.impact_direction(direction, scope)?,
            None if given.strange => return Err(Reported),
            None => self.stated_normal([first, second], origin)?,
        };
        let restitution = match given.found[1] {
            Some(argument) => self.impact_restitution(argument, scope)?,
            None => {
                let stated =
                    self.force_resolver().stated_by_ends("`impulse`", "restitution", &[first, second], origin)?;
                stated.unwrap_or_else(|| self.resolver.exprs.constant(0.0))
            }
        };
        let (approach, after) = self.resolver.exprs.write(|w| {
            let length = w.dot(&direction, &direction).sqrt();
            let approach = (0..).zip(&direction).fold(Formula::from(0.0), |sum, (c, component)| {
                let gap = w.op(Op::Position(second, c)) - w.op(Op::Position(first, c));
                sum + w.expr(*component) / length * gap.rate()
            });
            (w.id(approach), w.id(-(w.expr(restitution) * approach)))
        });
        self.impose_condition("impulse".into(), origin, approach, after, RowLevel::Velocity, event);
        Ok(())
    }

    /// World components of the direction of an impact.
    fn impact_direction(&mut self, direction: &Argument, scope: &Scope) -> Res<Vec<ExprId>> {
        let origin = direction.value.origin;
        let found = self.resolver.eval(&direction.value, scope)?;
        let dimension = self.resolver.dimension();
        if !matches!(&found, Value::Vector(v, _) if v.len() == dimension) {
            return self.fail(origin, mistakes::events::not_a_direction(dimension, found.describe()));
        }
        let Value::Vector(direction, _) = self.vectors().value_in_axes(found, Axes::World, origin)? else {
            return Err(Reported);
        };
        let padded = self.vectors().padded(&direction);
        self.body_resolver().check_axis(padded, origin)?;
        Ok(direction)
    }

    /// Direction from the first end to the second: the normal that the first declares, or minus that of the second.
    fn stated_normal(&mut self, [first, second]: [MarkerId; 2], origin: Origin) -> Res<Vec<ExprId>> {
        let has_normal = |r: &Self, m: MarkerId| r.resolver.bodies.markers[m.index()].surface.has_normal;
        let dimension = self.resolver.dimension();
        if has_normal(self, first) {
            return Ok(self.field_resolver().normal(first)[..dimension].to_vec());
        }
        if has_normal(self, second) {
            let normal = self.field_resolver().normal(second);
            let against = self.resolver.exprs.write(|w| w.ids(-w.vector(normal)));
            return Ok(against[..dimension].to_vec());
        }
        self.fail(
            origin,
            mistakes::events::impulse_without_direction(if self.resolver.is_planar() { "[0, 1]" } else { "[0, 0, 1]" }),
        )
    }

    fn impact_restitution(&mut self, argument: &Argument, scope: &Scope) -> Res<ExprId> {
        let origin = argument.value.origin;
        let found = self.resolver.eval(&argument.value, scope)?;
        let Value::Number(x) = found else {
            return self.fail(origin, mistakes::events::restitution_is_no_number(found.describe()));
        };
        let value = self.argument_resolver().finite_at_defaults(x, origin, "the restitution")?;
        if let Some(value) = value.filter(|value| *value < 0.0) {
            return self.fail(origin, mistakes::events::negative_restitution(value));
        }
        Ok(x)
    }
}

impl<'a> ForceResolver<'_, 'a> {
    /// Coefficient (`friction` or `restitution`) that the marker of one end declares for its surface; an error if several do.
    pub(crate) fn stated_by_ends(
        &mut self,
        owner: &str,
        word: &str,
        ends: &[MarkerId],
        origin: Origin,
    ) -> Res<Option<ExprId>> {
        let stated = |m: &MarkerId| self.resolver.bodies.markers[m.index()].surface.coefficient(word);
        match ends.iter().filter_map(stated).collect::<Vec<_>>()[..] {
            [] => Ok(None),
            [x] => Ok(Some(x)),
            _ => self.fail(origin, mistakes::events::both_ends_state(owner, word)),
        }
    }
}
