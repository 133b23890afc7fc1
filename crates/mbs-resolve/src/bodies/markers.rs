//! Declared markers: their locations and the rotations of their axes.
//!
//! In space the axes of a marker are those of its base, the body or marker that it is fixed on, unless they are given: by `rotation`, by one axis
//! (`x`, `y`, `z`, or `normal`, which is z), or by two. An axis that is not given follows by these rules from the axes e of the base.
//!
//! 1. One axis: z is completed by x, the others by z, which is e_x or e_z made perpendicular to the given axis; e_y replaces it where the given axis
//!    is within about 26° of it (|cos| > 0.9) at the default parameters.
//! 2. Two axes: z is kept, or x where z is not given, and the other made perpendicular to it.
//! 3. The third axis is the cross product that makes the frame right-handed.

use mbs_definition::{Argument, ExprKind, Origin};
use mbs_expr::{ExprId, MarkerId, Scalar};
use mbs_model::{Domain, Rotation, Surface};

use crate::mistakes;
use crate::resolvers::{BodyResolver, Resolves};
use crate::tables::MarkerLocation;
use crate::value::{Axes, Value};
use crate::values::rotations::composed;
use crate::{Declared, Reported, Res, Scope};

const X: usize = 0;
const Y: usize = 1;
const Z: usize = 2;

/// |cos| above which an axis is too close to complete another one.
const CLOSE: f64 = 0.9;

/// Rotation of a marker's axes from those of its base.
enum MarkerRotation {
    /// Angle, in the plane.
    Angle(ExprId),
    /// In space.
    Rotation(Rotation),
}

impl<'a> BodyResolver<'_, 'a> {
    /// Resolves a declared marker, `marker m = rod at [x, y] { … }`. Its axes are given by `angle:`, `x:`, `y:` or `normal:` in the plane, and by
    /// `x:`,
    /// `y:`, `z:`, `normal:` or `rotation:` in space; `friction:`, `restitution:` and `normal:` are properties of its surface.
    pub(crate) fn declared_marker(&mut self, slot: usize) -> Res<Value> {
        let s = &self.resolver.names.slots[slot];
        let (scope, name) = (s.scope.clone(), s.name.clone());
        let Declared::Item(d) = s.declared else { return Err(Reported) };
        let known: &[&str] = match self.resolver.is_planar() {
            true => &["friction", "restitution", "angle", "x", "y", "normal"],
            false => &["friction", "restitution", "rotation", "x", "y", "z", "normal"],
        };
        let given = self.argument_resolver().arguments(&format!("marker `{name}`"), &d.arguments, known).found;
        let Some(value) = &d.value else {
            return self.fail(
                d.name.ident.origin,
                mistakes::bodies::marker_without_place(&name, self.resolver.coordinates_example()),
            );
        };
        // In space a marker with its own axes is separate from the marker at the point.
        let own_name = (self.resolver.is_planar() || d.arguments.is_empty()).then_some(name.as_str());
        let base = match &value.kind {
            ExprKind::At(inner, location) => self.vectors().eval_at(inner, location, &scope, own_name)?,
            _ => self.resolver.eval(value, &scope)?,
        };
        let base = self.vectors().as_marker(&base, value.origin)?;
        let surface = self.surface(&given, &scope);
        let rotation_arguments = given.into_iter().skip(2);
        let given: Vec<&Argument> = rotation_arguments.flatten().collect();
        let rotation = if self.resolver.is_planar() {
            self.planar_rotation(&name, &given, base, &scope)?
        } else {
            self.spatial_rotation(&name, &given, base, &scope)?.map(MarkerRotation::Rotation)
        };
        let surface = surface?;
        let marker = &self.resolver.bodies.markers[base.index()];
        let (body, location) = (marker.body, MarkerLocation::from(marker));
        let m = match rotation {
            // Other markers may have this location, and the surface belongs to the declared one only.
            None if marker.name == name && !surface.is_stated() => base,
            None => self.vectors().new_marker(name, body, location),
            Some(MarkerRotation::Angle(rotation)) => {
                let angle = self.resolver.exprs.write(|w| w.id(w.expr(location.angle) + w.expr(rotation)));
                self.vectors().new_marker(name, body, MarkerLocation { angle, ..location })
            }
            Some(MarkerRotation::Rotation(rotation)) => {
                let orientation =
                    location.rotation.map_or(rotation, |base| composed(&mut self.resolver.exprs, base, rotation));
                let rotation = Some(orientation).filter(|r| !self.is_identity(r));
                self.vectors().new_marker(name, body, MarkerLocation { rotation, ..location })
            }
        };
        self.resolver.bodies.markers[m.index()].surface = surface;
        Ok(Value::Marker(self.field_resolver().marker_to_draw(m)))
    }

    /// Surface properties from the arguments of a marker: friction and restitution come first in `given`, the normal last.
    fn surface(&mut self, given: &[Option<&Argument>], scope: &Scope) -> Res<Surface> {
        let coefficient = |r: &mut Self, argument: Option<&Argument>| -> Res<Option<ExprId>> {
            let Some(Argument { name, value, .. }) = argument else { return Ok(None) };
            let subject = format!("`{}`", name.text);
            let x = r.resolver.evaluate_number(value, scope, &subject)?;
            r.argument_resolver().parametric(x, value.origin, &subject)?;
            r.argument_resolver().in_domain(x, Domain::NonNegative, value.origin, &subject)?;
            Ok(Some(x))
        };
        let (friction, restitution) = (coefficient(self, given[0]), coefficient(self, given[1]));
        let has_normal = given.last().is_some_and(Option::is_some);
        Ok(Surface { has_normal, friction: friction?, restitution: restitution? })
    }

    fn given_twice<V>(&mut self, name: &str, second: &Argument, help: &str) -> Res<V> {
        self.fail(second.name.origin, mistakes::bodies::axes_given_twice(name).help_if(Some(help.into())))
    }

    /// Angle by which a marker's axes are rotated from those of its base marker.
    fn planar_rotation(
        &mut self,
        name: &str,
        given: &[&Argument],
        base: MarkerId,
        scope: &Scope,
    ) -> Res<Option<MarkerRotation>> {
        let Argument { name: argument, value, .. } = match given {
            [] => return Ok(None),
            [argument] => argument,
            [_, second, ..] => return self.given_twice(name, second, "give one of `angle`, `x`, `y`, `normal`"),
        };
        let body = self.resolver.bodies.markers[base.index()].body;
        if argument.text == "angle" {
            let angle = self.resolver.evaluate_number(value, scope, "`angle`")?;
            self.vectors().fixed_point(angle, body, value.origin)?;
            return Ok(Some(MarkerRotation::Angle(angle)));
        }
        let [x, y, _] = self.marker_axis(&argument.text, value, base, scope)?;
        // The x axis of a marker with the y axis (a, b), or that normal, is (b, −a).
        let is_x = argument.text == "x";
        Ok(Some(MarkerRotation::Angle(self.resolver.exprs.write(|w| {
            let [x, y] = [x, y].map(|x| w.expr(x));
            w.id(if is_x { y.atan2(x) } else { (-x).atan2(y) })
        }))))
    }

    /// Components of a given axis, in the axes of the base.
    fn marker_axis(
        &mut self,
        name: &str,
        value: &mbs_definition::Expr,
        base: MarkerId,
        scope: &Scope,
    ) -> Res<[ExprId; 3]> {
        let subject = format!("`{name}`");
        let (v, axes) = self.resolver.evaluate_vector(value, scope, &subject)?;
        let base_axes = self.resolver.marker_axes(base);
        self.vectors().expect_axes(axes, base_axes, value.origin, &subject)?;
        let body = self.resolver.bodies.markers[base.index()].body;
        for c in v {
            self.vectors().fixed_point(c, body, value.origin)?;
        }
        self.check_axis(v, value.origin)?;
        Ok(v)
    }

    /// Rotation from the base to the marker: the marker's axes, in those of the base. `None` if no axes are given.
    fn spatial_rotation(
        &mut self,
        name: &str,
        given: &[&Argument],
        base: MarkerId,
        scope: &Scope,
    ) -> Res<Option<Rotation>> {
        let is_rotation = |a: &&Argument| a.name.text == "rotation";
        match given {
            [] => return Ok(None),
            [Argument { value, .. }] if is_rotation(&given[0]) => {
                let base_axes = self.resolver.marker_axes(base);
                let rotation = self.rotation(value, scope, &format!("`rotation` of marker `{name}`"), base_axes)?;
                let body = self.resolver.bodies.markers[base.index()].body;
                for x in rotation.concat() {
                    self.vectors().fixed_point(x, body, value.origin)?;
                }
                return Ok(Some(rotation));
            }
            [_, second, ..] if given.iter().any(is_rotation) => {
                return self.given_twice(name, second, "give `rotation`, or one or two axes");
            }
            [_, _, third, ..] => return self.given_twice(name, third, "give one or two axes"),
            _ => {}
        }
        let mut axes: [Option<[ExprId; 3]>; 3] = [None; 3];
        for argument in given {
            let axis = match argument.name.text.as_str() {
                "x" => X,
                "y" => Y,
                _ => Z,
            };
            if axes[axis].is_some() {
                return self.given_twice(name, argument, "`normal` is another word for `z`");
            }
            axes[axis] = Some(self.marker_axis(&argument.name.text, &argument.value, base, scope)?);
        }
        let kept = [Z, X, Y].into_iter().find(|axis| axes[*axis].is_some()).ok_or(Reported)?;
        let kept_axis = axes[kept].ok_or(Reported)?;
        let first = self.unit_vector(kept_axis);
        let other = (0..3).find(|axis| *axis != kept && axes[*axis].is_some());
        let (second, direction) = match other.and_then(|other| Some((other, axes[other]?))) {
            Some(two) => two,
            None => self.completing_axis(kept, first),
        };
        let normal = self.perpendicular(direction, first);
        if self.is_zero(normal, direction) {
            return self.fail(given[given.len() - 1].value.origin, mistakes::bodies::parallel_axes(name));
        }
        let normal = self.unit_vector(normal);
        // e_x × e_y = e_z and its cyclic permutations.
        let third = 3 - kept - second;
        let product = if (kept + 1) % 3 == second { [first, normal] } else { [normal, first] };
        let mut frame = [first; 3];
        frame[second] = normal;
        frame[third] = self.vectors().write(|g| g.ids(g.vector(product[0]).cross(g.vector(product[1]))));
        Ok(Some(frame))
    }

    /// Index of the axis that completes a given one, and the direction from which it is made: rule 1.
    fn completing_axis(&mut self, kept: usize, unit: [ExprId; 3]) -> (usize, [ExprId; 3]) {
        let second = if kept == Z { X } else { Z };
        let close = self.resolver.at_defaults(unit[second]).is_some_and(|cos| cos.abs() > CLOSE);
        let from = if close { Y } else { second };
        (second, [0, 1, 2].map(|c| self.resolver.exprs.constant(f64::from(u8::from(c == from)))))
    }

    /// The part v − (v·û) û of a vector normal to a unit vector û.
    fn perpendicular(&mut self, v: [ExprId; 3], unit: [ExprId; 3]) -> [ExprId; 3] {
        self.vectors().write(|g| {
            let [v, unit] = [v, unit].map(|v| g.vector(v));
            g.ids(v - v.dot(unit) * unit)
        })
    }

    /// Whether a vector vanishes at the default parameters, relative to the length of another one.
    fn is_zero(&self, v: [ExprId; 3], scale: [ExprId; 3]) -> bool {
        let length = |v: [ExprId; 3]| {
            let [x, y, z] = v.map(|x| self.resolver.at_defaults(x));
            Some(x?.hypot(y?).hypot(z?))
        };
        matches!((length(v), length(scale)), (Some(v), Some(scale)) if v <= 1e-12 * scale)
    }

    /// Whether a rotation is the identity.
    fn is_identity(&self, r: &Rotation) -> bool {
        (0..9).all(|i| self.resolver.exprs.value(r[i / 3][i % 3]) == Some(f64::from(u8::from(i % 4 == 0))))
    }

    /// Refuses an axis of zero length at the default parameters.
    pub(crate) fn check_axis(&mut self, v: [ExprId; 3], origin: Origin) -> Res<()> {
        let [Some(x), Some(y), Some(z)] = v.map(|x| self.resolver.at_defaults(x)) else { return Ok(()) };
        let length = x.hypot(y).hypot(z);
        if length == 0.0 {
            let example = if self.resolver.is_planar() { "[1, 0]" } else { "[1, 0, 0]" };
            return self.fail(origin, mistakes::bodies::axis_of_length_zero(example));
        }
        if !length.is_finite() {
            return self.fail(origin, mistakes::bodies::axis_not_finite());
        }
        if !(length * length).is_normal() {
            return self.fail(origin, mistakes::bodies::axis_length_may_vanish());
        }
        Ok(())
    }

    /// The unit vector v/|v|; its components are constants where those of v are.
    pub(crate) fn unit_vector(&mut self, v: [ExprId; 3]) -> [ExprId; 3] {
        self.resolver.exprs.write(|w| {
            let square = w.vector(v).square();
            if square.literal() == Some(1.0) {
                return v;
            }
            let norm = square.sqrt();
            // A component that is the constant zero stays zero, whatever the norm depends on.
            w.ids(w.vector(v).map(|x| if x.is_zero() { x } else { x / norm }))
        })
    }

    /// Evaluates a rotation into the axes `expected`; it may have no stated axes.
    pub(crate) fn rotation(
        &mut self,
        e: &mbs_definition::Expr,
        scope: &Scope,
        subject: &str,
        expected: Axes,
    ) -> Res<Rotation> {
        match self.resolver.eval(e, scope)? {
            Value::Rotation(r, axes) => {
                let to = axes.map_or(Axes::Unstated, |[to, _]| to);
                self.vectors().expect_axes(to, expected, e.origin, subject)?;
                Ok(r)
            }
            other => self.fail(e.origin, mistakes::bodies::not_a_rotation(subject, other.describe())),
        }
    }
}
