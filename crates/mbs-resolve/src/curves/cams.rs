//! `joint contact = cam(lobe, face);`: two curves of the plane that touch, tangent to each other.
//!
//! The contact parameters s₁ and s₂ are massless unknowns. With p = c(s) in the world, the unit tangent t and n = t rotated by +90°:
//!
//! ```text
//! x, y      p₁ − p₂ = 0                         along     (p₁ − p₂)·t₁ = 0
//! tangent   t₁ × t₂ = 0                         apart     (p₁ − p₂)·n₁ = 0
//! ```
//!
//! s₁ and s₂ have no generalised force: where the curves touch, the multiplier of `tangent` is zero, and the multipliers of x and y \[N\] are a force
//! in the direction of the normal, on the second end. The rows are regular unless the curves have equal curvature at the contact. With
//! `redundant: resolve` the rows on the right replace x and y, at nearly twice the operations: a second cam between the same bodies imposes the
//! constraints of the first except one row, which is `apart` whatever the directions of the curves.

use std::borrow::Cow;

use mbs_definition::{Declaration, Expr, ExprKind, Origin};
use mbs_expr::{ExprId, JointId, MarkerId, Op};
use mbs_math::Vector;
use mbs_model::{Cam, CamSide, Domain, Joint, JointRow, Model, Quantity, plane};

use crate::mistakes;
use crate::names::Declaring;
use crate::resolvers::{CurveResolver, Resolves};
use crate::tables::CurvePoint;
use crate::text::plural;
use crate::value::Value;
use crate::{Declared, Reported, Res, Scope};

/// Name of the kind in the language.
pub(crate) const CAM: &str = "cam";

const ENDS: [&str; 2] = ["first", "second"];

impl<'a> Declaring<'_, 'a> {
    /// The ends of `cam(lobe, face)`.
    pub(crate) fn cam_kind_of(&self, d: &'a Declaration) -> Option<(String, &'a [Expr])> {
        match &d.value {
            Some(Expr { kind: ExprKind::Call(word, ends), .. }) if word.text == CAM => Some((CAM.to_owned(), ends)),
            _ => None,
        }
    }
}

impl<'a> CurveResolver<'_, 'a> {
    /// A joint between two curves.
    pub(crate) fn cam(&mut self, slot: usize, ends: &'a [Expr]) -> Res<Joint> {
        let s = &self.resolver.names.slots[slot];
        let (scope, name) = (s.scope.clone(), s.name.clone());
        let Declared::Item(d) = s.declared else { return Err(Reported) };
        if !self.resolver.is_planar() {
            return self.fail_unsupported(d.name.ident.origin, CAM);
        }
        let [first, second] = ends else {
            return self
                .fail(d.name.ident.origin, mistakes::curves::wrong_ends_of_cam(&name, ends.len(), plural(ends.len())));
        };
        let owner = format!("joint `{name}`");
        let given = self.argument_resolver().arguments(&owner, &d.arguments, &["first", "second"]);
        let starts =
            [0, 1].map(|i| given.found[i].map(|argument| self.contact_start(&argument.value, ENDS[i], &scope)));
        let curves = [self.curve_of_end(first, &scope), self.curve_of_end(second, &scope)];
        let mut unknown = |i: usize| -> Res<ExprId> {
            let start = starts[i].transpose()?.unwrap_or(0.0);
            Ok(self.contact_parameter(format!("{name}.{}", ENDS[i]), d.name.ident.origin, start))
        };
        let unknowns = [unknown(0)?, unknown(1)?];
        let curves = [curves[0]?, curves[1]?];
        let [a, b] = [self.trace_curve(curves[0], unknowns[0])?, self.trace_curve(curves[1], unknowns[1])?];
        self.joint_resolver().check_different_bodies(
            [a.marker, b.marker],
            &format!("joint `{name}`"),
            second.origin,
        )?;
        let rows = self.contact_rows(&a, &b);
        let joint = JointId(self.resolver.names.slots[slot].index as u32);
        self.resolver.joints.cams.insert(joint, [a, b]);
        let mut side = |i: usize, traced: &CurvePoint| -> Res<CamSide> {
            let range = self.range_of_curve(curves[i])?.filter(|_| given.found[i].is_none());
            let Op::Algebraic(unknown) = self.resolver.exprs.op(unknowns[i]) else { unreachable!("it is made here") };
            let ([x, y, _], [u, v, _]) = (self.curve_point(traced), self.curve_tangent(traced));
            Ok(CamSide {
                curve: self.resolver.names.curve_index(curves[i]),
                unknown,
                range,
                point: [x, y],
                tangent: [u, v],
            })
        };
        let sides = [side(0, &a)?, side(1, &b)?];
        self.resolver.joints.contacts.push(Cam { joint, sides });
        let markers: [MarkerId; 2] =
            [self.field_resolver().marker_to_draw(a.marker), self.field_resolver().marker_to_draw(b.marker)];
        Ok(Joint {
            name,
            origin: d.name.ident.origin,
            docs: d.docs.clone(),
            kind_name: CAM.into(),
            ends: markers,
            rows: rows.into_iter().map(|(name, row)| JointRow::general(name, row)).collect(),
            ties: vec![None; 2],
            by_previous: Vec::new(),
            coordinates: ENDS.into_iter().map(Cow::from).zip(unknowns).collect(),
            motion: None,
            geared: None,
            cut: false,
            enabled: None,
        })
    }

    /// Adds a massless unknown, a contact parameter.
    fn contact_parameter(&mut self, name: String, origin: Origin, start: f64) -> ExprId {
        let offset = Model::flat_size(&self.resolver.quantities.algebraic);
        let (docs, shape, default) = (String::new(), Vec::new(), vec![start]);
        self.resolver.quantities.algebraic.push(Quantity {
            name,
            origin,
            docs,
            offset,
            shape,
            default,
            domain: Domain::Finite,
        });
        self.resolver.exprs.push(Op::Algebraic(offset as u32))
    }

    fn curve_of_end(&mut self, end: &Expr, scope: &Scope) -> Res<usize> {
        let value = self.resolver.eval(end, scope)?;
        self.as_curve(&value, end, CAM)
    }

    /// The slot of a curve that is an end of something.
    pub(crate) fn as_curve(&mut self, value: &Value, end: &Expr, owner: &str) -> Res<usize> {
        match value {
            Value::Curve(slot) => Ok(*slot),
            other => self.fail(end.origin, mistakes::curves::end_is_no_curve(owner, other.describe())),
        }
    }

    /// The contact parameter from which assembly starts on a curve.
    fn contact_start(&mut self, value: &Expr, which: &str, scope: &Scope) -> Res<f64> {
        let subject = format!("`{which}`");
        let x = self.resolver.evaluate_number(value, scope, &subject)?;
        self.argument_resolver().parametric(x, value.origin, &subject)?;
        match self.argument_resolver().finite_at_defaults(x, value.origin, &subject)? {
            Some(start) => Ok(start),
            None => self.fail(value.origin, mistakes::curves::start_of_unknown_function(&subject)),
        }
    }

    fn contact_rows(&mut self, a: &CurvePoint, b: &CurvePoint) -> Vec<(Cow<'static, str>, ExprId)> {
        let [p, q] = [a, b].map(|traced| self.curve_point(traced));
        let [t, u] = [a, b].map(|traced| self.curve_tangent(traced));
        let is_reduced = self.resolver.chosen.redundant.is_some();
        let rows = self.resolver.exprs.write(|w| {
            let [p, q, t, u] = [p, q, t, u].map(|v| w.vector(plane(v)));
            let (gap, tangent) = (p - q, t.cross(u));
            let rows = if is_reduced {
                let normal = Vector([-t[1], t[0]]);
                [("tangent", tangent), ("along", gap.dot(t)), ("apart", gap.dot(normal))]
            } else {
                [("x", gap[0]), ("y", gap[1]), ("tangent", tangent)]
            };
            rows.map(|(name, row)| (name, w.id(row)))
        });
        rows.into_iter().map(|(name, row)| (name.into(), row)).collect()
    }
}
