//! Resolves joints, and the ends and arguments of joints and forces; the catalogue makes the equations.

pub(crate) mod gears;
pub(crate) mod joint_kinds;
pub(crate) mod torsion_angles;

use std::borrow::Cow;

use mbs_definition::{self, Declaration, Expr, ExprKind, Origin};
use mbs_expr::{BodyId, ExprId, JointId, MarkerId, Op};
use mbs_model::catalog::{Argued, Argument, ArgumentDependence, Arguments, Build, Ends, Kind, Shape, gear};
use mbs_model::{Joint, JointRow};

use crate::mistakes;
use crate::resolvers::{JointResolver, Resolves};
use crate::text::plural;
use crate::value::{Axes, Value};
use crate::values::arguments::Given;
use crate::{Category, Declared, Reported, Res, Resolver, Scope, State};

/// Arguments that all joints, or all forces, have in addition to those of their kinds.
pub(crate) struct CommonArguments {
    /// `cut: true`.
    pub cut: bool,
    /// `enabled: …`.
    pub enabled: Option<ExprId>,
}

/// The ends that a kind requires.
#[derive(Clone, Copy)]
pub(crate) struct EndRequirement<'k> {
    pub name: &'k str,
    pub ends: Ends,
    pub requires_rotation: bool,
}

impl From<&'static Kind> for EndRequirement<'static> {
    fn from(kind: &'static Kind) -> Self {
        EndRequirement { name: kind.name, ends: kind.ends, requires_rotation: kind.requires_rotation }
    }
}

impl<'a> JointResolver<'_, 'a> {
    /// After this pass: joints have rows and coordinates.
    pub(crate) fn resolve_joints(&mut self) {
        for j in 0..self.resolver.joints.slots.len() {
            let origin = self.resolver.names.slots[self.resolver.joints.slots[j]].declared.origin();
            let _: Res<()> = self.ready_joint(JointId(j as u32), origin);
        }
    }

    /// Resolves a joint unless that has been done.
    pub(crate) fn ready_joint(&mut self, j: JointId, origin: Origin) -> Res<()> {
        self.resolver.joints.all.resize_with(self.resolver.joints.slots.len(), || None);
        let slot = self.resolver.joints.slots[j.index()];
        match &self.resolver.names.slots[slot].state {
            State::Done(_) => return Ok(()),
            State::Bad => return Err(Reported),
            State::Busy => {
                return self
                    .fail(origin, mistakes::joints::joint_depends_on_itself(&self.resolver.names.slots[slot].name));
            }
            State::Waiting => self.resolver.names.slots[slot].state = State::Busy,
        }
        let scope = self.resolver.names.slots[slot].scope.clone();
        let done = self
            .in_scope(&scope, |r| match r.resolver.names.slots[slot].declared_kind.clone() {
                Some((kind, ends)) if kind == crate::curves::cams::CAM => r.curve_resolver().cam(slot, ends),
                Some((kind, ends)) => r.declared_joint(j, slot, &kind, ends),
                None => r.joint(j, slot),
            })
            .map(|joint| self.resolver.joints.all[j.index()] = Some(joint));
        self.resolver.names.slots[slot].state = if done.is_ok() { State::Done(Value::Joint(j)) } else { State::Bad };
        done
    }

    fn joint(&mut self, j: JointId, slot: usize) -> Res<Joint> {
        let s = &self.resolver.names.slots[slot];
        let (scope, name) = (s.scope.clone(), s.name.clone());
        let (Declared::Item(d), Some((kind, ends))) = (s.declared, s.kind) else { return Err(Reported) };
        let counted = self.check_count(kind.into(), d, &name, ends);
        let values = self.ends(kind.into(), ends, &name, &scope);
        counted?;
        let origin = d.name.ident.origin;
        let (parts, markers, common) = if let Build::Gear = kind.build {
            let (arguments, common) = self.kind_arguments(kind, d, &name, &[], &scope);
            let (values, arguments) = (values?, arguments?);
            let (angles, carrier, markers) = self.gear(&name, d, ends, &values, &scope)?;
            let parts = self.vectors().write(|g| gear(g, angles, &Arguments::new(g, kind, &arguments), carrier));
            (parts, markers, common)
        } else {
            let markers = values.and_then(|values| self.end_markers(kind.into(), &values, ends));
            let known = markers.as_deref().unwrap_or_default();
            let (arguments, common) = self.kind_arguments(kind, d, &name, known, &scope);
            let (markers, arguments) = (markers?, arguments?);
            let [a, b] = [markers[0], markers[1]];
            self.check_different_bodies([a, b], &format!("joint `{name}`"), ends[1].origin)?;
            let parts = self.vectors().write(|g| kind.join(g, j, [a, b], &Arguments::new(g, kind, &arguments)));
            (parts, [self.field_resolver().marker_to_draw(a), self.field_resolver().marker_to_draw(b)], common)
        };
        let common = common?;
        assert_eq!(parts.rows.len(), kind.rows.len(), "{}", kind.name);
        let rows = kind.rows.iter().zip(parts.rows);
        let rows = rows.map(|(name, (residual, basic))| JointRow { name: Cow::from(*name), residual, basic }).collect();
        let components = kind.coordinates.iter().flat_map(|c| c.components.iter().copied());
        Ok(Joint {
            name,
            origin,
            docs: d.docs.clone(),
            kind_name: kind.name.into(),
            ends: markers,
            rows,
            coordinates: components.map(Cow::from).zip(parts.coordinates).collect(),
            ties: parts.ties,
            by_previous: parts.by_previous,
            motion: parts.motion,
            geared: parts.geared,
            cut: common.cut || common.enabled.is_some(),
            enabled: common.enabled,
        })
    }

    /// Refuses a joint or force between two markers of one body (`MBS016`).
    pub(crate) fn check_different_bodies(&mut self, [a, b]: [MarkerId; 2], owner: &str, origin: Origin) -> Res<()> {
        if self.resolver.bodies.markers[a.index()].body != self.resolver.bodies.markers[b.index()].body {
            return Ok(());
        }
        let body = self.resolver.axes_owner(self.resolver.bodies.markers[a.index()].body);
        self.fail(origin, mistakes::joints::both_ends_on_one_body(owner, &body))
    }

    /// Checks the number of ends (`MBS014`).
    pub(crate) fn check_count(
        &mut self,
        kind: EndRequirement<'_>,
        d: &Declaration,
        name: &str,
        ends: &[Expr],
    ) -> Res<()> {
        let (right, takes) = match kind.ends {
            Ends::Two | Ends::TwoJoints | Ends::TwoCurves => (ends.len() == 2, "joins 2"),
            Ends::OneOrTwo => (ends.len() == 1 || ends.len() == 2, "takes 1 or 2"),
            Ends::Coordinate => (ends.len() == 1, "takes 1"),
        };
        if right {
            return Ok(());
        }
        let mut suggested: Vec<String> = ends.iter().take(2).map(crate::text::text).collect();
        let mut others: Vec<String> = match kind.ends {
            Ends::Two | Ends::OneOrTwo => self.resolver.bodies.all.iter().map(|b| b.name.clone()).collect(),
            Ends::TwoCurves => {
                let curves = self.resolver.names.slots.iter().filter(|slot| slot.category == Category::Curve);
                curves.map(|slot| slot.name.clone()).filter(|name| !suggested.contains(name)).collect()
            }
            _ => self
                .resolver
                .joints
                .slots
                .iter()
                .map(|s| self.resolver.names.slots[*s].name.clone())
                .filter(|n| n != name)
                .collect(),
        };
        // Bodies declared after the named one come first, since chains are declared in order.
        if let Some(at) = others.iter().position(|o| suggested.first().is_some_and(|s| s.split(' ').next() == Some(o)))
        {
            others.rotate_left(at + 1);
            others.pop();
        }
        let expected = if kind.ends == Ends::Coordinate { 1 } else { 2 };
        suggested.truncate(expected);
        let filler = ["a".to_string(), "b".to_string()];
        suggested.extend(others.into_iter().chain(filler).take(expected - suggested.len()));
        let origin = d.value.as_ref().map_or(d.name.ident.origin, |value| value.origin);
        self.fail(
            origin,
            mistakes::joints::wrong_number_of_ends(
                &d.category.text,
                name,
                ends.len(),
                plural(ends.len()),
                kind.name,
                takes,
                suggested.join(", "),
            ),
        )
    }

    pub(crate) fn ends(
        &mut self,
        kind: EndRequirement<'_>,
        ends: &[Expr],
        name: &str,
        scope: &Scope,
    ) -> Res<Vec<Value>> {
        let mut values = Vec::new();
        for (i, end) in ends.iter().enumerate() {
            let which = match (ends.len(), i) {
                (1, _) => "end",
                (_, 0) => "first",
                _ => "second",
            };
            let (given, given_scope) = self.resolver.names.argument_behind(end, scope);
            values.push(match &given.kind {
                ExprKind::At(inner, point) if matches!(kind.ends, Ends::Two | Ends::OneOrTwo) => {
                    let name = format!("{name}.{which}");
                    self.in_scope(&given_scope, |r| r.vectors().eval_at(inner, point, &given_scope, Some(&name)))
                }
                _ => self.resolver.eval(end, scope),
            });
        }
        values.into_iter().collect()
    }

    pub(crate) fn end_markers(
        &mut self,
        kind: EndRequirement<'_>,
        values: &[Value],
        ends: &[Expr],
    ) -> Res<Vec<MarkerId>> {
        let mut markers = Vec::new();
        for (value, end) in values.iter().zip(ends) {
            if !matches!(value, Value::Body(_) | Value::Marker(_)) {
                return self.fail(
                    end.origin,
                    mistakes::joints::end_is_no_body_or_marker(
                        kind.name,
                        value.describe(),
                        self.resolver.coordinates_example(),
                    ),
                );
            }
            let m = self.vectors().as_marker(value, end.origin)?;
            if kind.requires_rotation {
                self.vectors().check_can_rotate(m, end.origin, &format!("`{}` needs one", kind.name))?;
            }
            markers.push(m);
        }
        Ok(markers)
    }

    /// Values of a kind's arguments, and of the arguments that all kinds of a category have. Axes are given in the axes of the first end.
    pub(crate) fn kind_arguments(
        &mut self,
        kind: &'static Kind,
        d: &Declaration,
        name: &str,
        ends: &[MarkerId],
        scope: &Scope,
    ) -> (Res<Vec<Argued>>, Res<CommonArguments>) {
        let first = (ends.len() == 2).then(|| ends[0]);
        let owner = format!("{} `{name}`", d.category.text);
        let mut known: Vec<&str> = kind.arguments.iter().map(|a| a.name).collect();
        let is_joint = d.category.text == "joint";
        known.push("enabled");
        if is_joint {
            known.push("cut");
        }
        let Given { found: given, strange } = self.argument_resolver().arguments(&owner, &d.arguments, &known);
        let mut values = Vec::new();
        for (argument, given) in kind.arguments.iter().zip(&given) {
            values.push(match (given, argument.default) {
                (Some(given), _) => {
                    let value = self.kind_argument(argument, &owner, &given.value, first, scope);
                    value.inspect(|value| self.suggest_names(name, argument, *value))
                }
                (None, Some(default)) => {
                    let stated = match argument.surface {
                        true => self.force_resolver().stated_by_ends(&owner, argument.name, ends, d.name.ident.origin),
                        false => Ok(None),
                    };
                    stated.map(|x| x.map_or_else(|| default.map(|x| self.resolver.exprs.constant(x)), |x| [x; 3]))
                }
                (None, None) if strange => Err(Reported),
                (None, None) => self.fail(
                    d.name.ident.origin,
                    mistakes::joints::argument_missing(&owner, argument.name, argument.docs),
                ),
            });
        }
        let enabled = match is_joint {
            true => self.argument_resolver().switch_of_rows(given[kind.arguments.len()], &owner, scope),
            false => self.argument_resolver().switch_of_force(given[kind.arguments.len()], &owner, scope),
        };
        let cut = self.cut(given.get(kind.arguments.len() + 1).copied().flatten(), scope);
        let common = enabled.and_then(|enabled| Ok(CommonArguments { cut: cut?, enabled }));
        (values.into_iter().collect(), common)
    }

    /// Names parameters derived from others after the argument that they give: `spring.stiffness`.
    fn suggest_names(&mut self, owner: &str, argument: &Argument, value: Argued) {
        let is_vector = !matches!(argument.shape, Shape::Number);
        let mut seen = Vec::new();
        for (x, component) in value.into_iter().zip(["x", "y", "z"]) {
            let m = self.resolver.exprs.mentions(x);
            let is_computed = matches!(
                self.resolver.exprs.op(x),
                Op::Unary(..) | Op::Binary(..) | Op::Select(..) | Op::Called { .. }
            );
            if is_computed && m.order.is_none() && !m.time && !m.input && !m.auxiliary && !seen.contains(&x) {
                let component = if is_vector { format!(".{component}") } else { String::new() };
                self.resolver.exprs.suggest(x, format!("{owner}.{}{component}", argument.name));
                seen.push(x);
            }
        }
    }

    /// `cut: true`.
    pub(crate) fn cut(&mut self, given: Option<&mbs_definition::Argument>, scope: &Scope) -> Res<bool> {
        let Some(given) = given else { return Ok(false) };
        match self.resolver.eval(&given.value, scope)? {
            Value::Truth(x) if self.resolver.exprs.value(x).is_some() => Ok(self.resolver.exprs.value(x) == Some(1.0)),
            _ => self.fail(given.value.origin, mistakes::joints::cut_is_no_truth()),
        }
    }

    fn kind_argument(
        &mut self,
        argument: &Argument,
        owner: &str,
        value: &Expr,
        first: Option<MarkerId>,
        scope: &Scope,
    ) -> Res<Argued> {
        let subject = format!("`{}` of {owner}", argument.name);
        let v = match argument.shape {
            Shape::Number => [self.resolver.evaluate_number(value, scope, &subject)?; 3],
            Shape::Function => return self.force_resolver().height(value, &subject, scope),
            // The function that makes the load reads it.
            Shape::Carrier => return Ok([self.resolver.exprs.constant(0.0); 3]),
            Shape::World => {
                let (v, axes) = self.resolver.evaluate_vector(value, scope, &subject)?;
                self.vectors().reexpress(v, axes, Axes::World)
            }
            Shape::Stated => {
                let (v, axes) = self.resolver.evaluate_vector(value, scope, &subject)?;
                if axes == Axes::Unstated {
                    return self.fail(value.origin, mistakes::joints::axes_not_stated(&subject));
                }
                self.vectors().reexpress(v, axes, Axes::World)
            }
            Shape::Axis | Shape::Diagonal => {
                let (v, axes) = self.resolver.evaluate_vector(value, scope, &subject)?;
                let marker_axes = first.map(|m| self.resolver.marker_axes(m)).ok_or(Reported)?;
                self.vectors().expect_axes(axes, marker_axes, value.origin, &subject)?;
                v
            }
        };
        for x in v {
            match argument.dependence {
                ArgumentDependence::Parameters => {
                    self.argument_resolver().parametric(x, value.origin, &subject)?;
                    self.argument_resolver().in_domain(x, argument.domain, value.origin, &subject)?;
                }
                ArgumentDependence::Velocities => {
                    self.argument_resolver().without_accelerations(x, value.origin, &subject)?;
                    let m = self.resolver.exprs.mentions(x);
                    if m.order.is_none() && !m.input && !m.auxiliary && !m.time {
                        self.argument_resolver().in_domain(x, argument.domain, value.origin, &subject)?;
                    }
                }
            }
        }
        if argument.shape == Shape::Axis {
            self.body_resolver().check_axis(v, value.origin)?;
            return Ok(self.body_resolver().unit_vector(v));
        }
        Ok(v)
    }
}

impl Resolver<'_> {
    fn axes_owner(&self, body: Option<BodyId>) -> String {
        body.map_or_else(|| "ground".to_string(), |b| self.bodies.all[b.index()].name.clone())
    }
}
