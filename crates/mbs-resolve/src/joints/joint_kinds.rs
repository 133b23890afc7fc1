//! Declared kinds of joints: given by equations between two ends, or by the pose of the second end in the first as a function of coordinates.
//!
//! The text of a kind is resolved once for each joint, in a scope where the ends are markers, and the arguments and coordinates have values.

mod fields;
mod pose;
mod rows;

use std::borrow::Cow;

use mbs_definition::{Declaration, Expr, ExprKind, Item, JointKindDeclaration, Parameter};
use mbs_expr::{ExprId, JointId, MarkerId, Op};
use mbs_model::catalog::{self, Ends};
use mbs_model::{Joint, JointRow, Motion, Step};

use crate::joints::EndRequirement;
use crate::mistakes::{self, joints::KindContents};
use crate::names::Declaring;
use crate::resolvers::{JointResolver, Resolves};
use crate::scope::Bound;
use crate::scope::Found;
use crate::tables::DeclaredKind;
use crate::text::plural;
use crate::value::Value;
use crate::values::arguments::Given;
use crate::{Declared, Res, Scope};

/// Largest number of coordinates of a joint.
const MOST_COORDINATES: usize = 12;

/// A joint of a declared kind, under construction.
pub(crate) struct PendingJoint<'a> {
    kind: &'a JointKindDeclaration,
    joint: JointId,
    ends: [MarkerId; 2],
    /// Scope of the text that declares the kind.
    scope: Scope,
}

/// Coordinates of a joint.
#[derive(Default)]
pub(crate) struct Coordinates {
    names: Vec<String>,
    starts: Vec<ExprId>,
    angles: Vec<bool>,
    quaternions: Vec<u8>,
}

impl<'a> Declaring<'_, 'a> {
    /// Declares the kinds of joints first, since they may be used before their declaration.
    pub(crate) fn declare_joint_kinds(&mut self, items: &'a [Item], scope: &Scope) {
        for item in items {
            if let Item::JointKind(kind) = item
                && (!self.count_item(kind.name.origin) || self.declare_joint_kind(kind, scope).is_err())
            {
                self.resolver.names.bad.insert(format!("{}{}", scope.prefix(), kind.name.text));
            }
        }
    }

    fn declare_joint_kind(&mut self, kind: &'a JointKindDeclaration, scope: &Scope) -> Res<()> {
        let name = &kind.name;
        self.resolver.check_name(&name.text, name.origin, scope)?;
        if catalog::joints(self.resolver.definition.space).iter().any(|known| known.name == name.text) {
            return self.fail(name.origin, mistakes::joints::kind_of_the_language(&name.text));
        }
        let full = format!("{}{}", scope.prefix(), name.text);
        if self.resolver.names.joint_kinds.contains_key(&full)
            || self.resolver.names.parts.contains_key(&full)
            || self.resolver.names.full.contains_key(&full)
        {
            return self.fail(name.origin, mistakes::joints::kind_declared_twice(&full));
        }
        if kind.parameters.len() < 2 {
            let n = kind.parameters.len();
            return self.fail(name.origin, mistakes::joints::wrong_ends_of_kind(&name.text, n, plural(n)));
        }
        self.check_kind_names(kind)?;
        self.check_kind_items(kind)?;
        self.resolver.names.joint_kinds.insert(full, DeclaredKind { kind, scope: scope.clone() });
        Ok(())
    }

    /// Checks that ends, arguments, coordinates and speeds have different names.
    fn check_kind_names(&mut self, kind: &JointKindDeclaration) -> Res<()> {
        let parameters = kind.parameters.iter().map(|p| &p.name);
        let coordinates = kind.coordinates.iter().map(|c| &c.name);
        let names: Vec<_> = parameters.chain(coordinates).chain(kind.speeds.iter().map(|s| &s.name)).collect();
        for (i, name) in names.iter().enumerate() {
            self.resolver.check_plain_name(&name.text, name.origin)?;
            if names[..i].iter().any(|earlier| earlier.text == name.text) {
                return self.fail(name.origin, mistakes::joints::declared_twice_in_kind(&name.text, &kind.name.text));
            }
        }
        Ok(())
    }

    /// Checks that a kind is given either by equations or by a pose.
    fn check_kind_items(&mut self, kind: &JointKindDeclaration) -> Res<()> {
        if kind.rows.iter().any(|row| row.equation.kind == ExprKind::Broken) {
            self.resolver.mistakes.broken = true;
            return Err(crate::Reported);
        }
        let name = &kind.name.text;
        let (origin, contents) = match (&kind.pose, kind.rows.first(), kind.coordinates.first()) {
            (Some(_), Some(row), _) => (row.equation.origin, KindContents::PoseAndEquations),
            (Some(pose), None, None) => (pose.word.origin, KindContents::PoseWithoutCoordinates),
            (None, _, Some(coordinate)) => (coordinate.name.origin, KindContents::CoordinatesWithoutPose),
            (None, None, None) => (kind.name.origin, KindContents::Nothing),
            _ => match (kind.speeds.first(), &kind.kinematics) {
                (Some(speed), None) => (speed.name.origin, KindContents::SpeedsWithoutKinematics),
                (None, Some(rates)) => (rates.origin, KindContents::KinematicsWithoutSpeeds),
                _ => return Ok(()),
            },
        };
        self.fail(origin, mistakes::joints::kind_contents(name, contents))
    }

    /// The full name of a joint's declared kind, and the ends of the joint; `None` for kinds of the catalogue.
    pub(crate) fn declared_kind_of(&mut self, d: &'a Declaration, scope: &Scope) -> Res<Option<(String, &'a [Expr])>> {
        let Some(Expr { kind: ExprKind::Call(word, ends), .. }) = &d.value else { return Ok(None) };
        let (full, ends) = match self.resolver.qualified_name(word, ends, scope)? {
            Some((full, ends)) => (full, ends),
            None => match self.resolver.names.find_name(&word.text, scope) {
                Found::Declared(full) => (full.into_owned(), &ends[..]),
                Found::Bound(_) => return Ok(None),
            },
        };
        if self.resolver.names.joint_kinds.contains_key(&full) {
            return Ok(Some((full, ends)));
        }
        if self.resolver.names.bad.contains(&full) {
            return Err(crate::Reported);
        }
        Ok(None)
    }
}

impl<'a> JointResolver<'_, 'a> {
    /// Resolves a joint of a declared kind.
    pub(crate) fn declared_joint(&mut self, joint: JointId, slot: usize, full: &str, ends: &'a [Expr]) -> Res<Joint> {
        let s = &self.resolver.names.slots[slot];
        let (scope, name) = (s.scope.clone(), s.name.clone());
        let (Declared::Item(d), Some(DeclaredKind { kind, scope: outside })) =
            (s.declared, self.resolver.names.joint_kinds.get(full))
        else {
            return Err(crate::Reported);
        };
        let (kind, inside) = (*kind, outside.instance_of(&name));
        let requirement =
            EndRequirement { name: &kind.name.text, ends: Ends::Two, requires_rotation: kind.pose.is_some() };
        self.check_count(requirement, d, &name, ends)?;
        let values = self.ends(requirement, ends, &name, &scope)?;
        let markers = self.end_markers(requirement, &values, ends)?;
        let markers = [markers[0], markers[1]];
        self.check_different_bodies(markers, &format!("joint `{name}`"), ends[1].origin)?;
        let mut pending = PendingJoint { kind, joint, ends: markers, scope: inside };
        for (parameter, marker) in kind.parameters.iter().zip(markers) {
            pending.scope = pending.scope.bind(&parameter.name.text, Bound::Argument(Value::Marker(marker)));
        }
        let (cut, enabled) = self.declared_arguments(&mut pending, d, &name, &scope)?;
        if let (Some(_), Some(_)) = (&kind.pose, enabled) {
            return self.fail(d.name.ident.origin, mistakes::joints::kind_not_switched(&name, &kind.name.text));
        }
        let inside = pending.scope.clone();
        let (rows, coordinates, pose) = self.in_scope(&inside, |r| match kind.pose {
            None => Ok((r.kind_rows(&pending)?, Vec::new(), None)),
            Some(_) => {
                let (pose, names) = r.joint_pose(&mut pending)?;
                Ok((r.pose_rows(&pending, &pose), names, Some(pose)))
            }
        })?;
        let measured = coordinates.into_iter().enumerate().map(|(k, name)| {
            // It is a coordinate in every formulation, since no expression measures it.
            (Cow::from(name), self.resolver.exprs.push(Op::JointCoordinate(joint, k as u8)))
        });
        let coordinates: Vec<_> = measured.collect();
        let sizes = pose.as_ref().map(|pose| (pose.n_q() as u8, pose.n_v() as u8));
        let index = self.resolver.joints.poses.len() as u32;
        self.resolver.joints.poses.extend(pose);
        let step = sizes.map(|(coordinates, speeds)| Step::Posed { pose: index, coordinates, speeds });
        Ok(Joint {
            name,
            origin: d.name.ident.origin,
            docs: d.docs.clone(),
            // Builders write full names.
            kind_name: Cow::from(kind.name.text.rsplit('.').next().unwrap_or_default().to_owned()),
            ends: markers.map(|m| self.field_resolver().marker_to_draw(m)),
            rows: rows.into_iter().map(|(name, row)| JointRow::general(name, row)).collect(),
            ties: vec![None; coordinates.len()],
            by_previous: Vec::new(),
            coordinates,
            motion: step.map(|step| Motion { steps: vec![step], angle: None }),
            geared: None,
            cut: cut || enabled.is_some(),
            enabled,
        })
    }

    /// Binds the arguments of the joint in the scope of its kind; returns `cut` and `enabled`.
    fn declared_arguments(
        &mut self,
        pending: &mut PendingJoint<'_>,
        d: &Declaration,
        name: &str,
        scope: &Scope,
    ) -> Res<(bool, Option<ExprId>)> {
        let parameters: &[Parameter] = &pending.kind.parameters[2..];
        let mut known: Vec<&str> = parameters.iter().map(|p| p.name.text.as_str()).collect();
        let n = known.len();
        known.extend(["enabled", "cut"]);
        let owner = format!("joint `{name}`");
        let Given { found, strange } = self.argument_resolver().arguments(&owner, &d.arguments, &known);
        for (parameter, given) in parameters.iter().zip(&found) {
            let subject = format!("`{}` of {owner}", parameter.name.text);
            let (value, origin) = match (given, &parameter.default) {
                (Some(given), _) => (self.resolver.eval(&given.value, scope)?, given.value.origin),
                (None, Some(default)) => {
                    let inside = pending.scope.clone();
                    (self.in_scope(&inside, |r| r.resolver.eval(default, &inside))?, default.origin)
                }
                (None, None) if strange => return Err(crate::Reported),
                (None, None) => {
                    let missing = mistakes::joints::missing_parameter(&owner, &parameter.name.text);
                    return self.fail(d.name.ident.origin, missing);
                }
            };
            let parts = match &value {
                Value::Rotation(axes, _) => axes.concat(),
                other => other.components().map(<[ExprId]>::to_vec).unwrap_or_default(),
            };
            for x in parts {
                self.argument_resolver().parametric(x, origin, &subject)?;
            }
            pending.scope = pending.scope.bind(&parameter.name.text, Bound::Argument(value));
        }
        let enabled = self.argument_resolver().switch_of_rows(found[n], &owner, scope)?;
        Ok((self.cut(found[n + 1], scope)?, enabled))
    }
}
