//! Axes of vectors, the operators `in` and `at`, and the markers that they make.

use std::rc::Rc;

use mbs_definition::{Expr, ExprKind, Origin, Space};
use mbs_expr::{BodyId, ExprId, MarkerId, Scalar};
use mbs_math::Vector;
use mbs_model::catalog::{Geometry, Scene};
use mbs_model::{BodyKind, Marker, Rotation, Surface};

use crate::mistakes;
use crate::resolvers::{Resolves, VectorResolver};
use crate::tables::Bodies;
use crate::tables::MarkerLocation;
use crate::value::{Axes, Value};
use crate::values::rotations::{rotate_vector, transposed};
use crate::{Res, Resolver, Scope};

impl Resolver<'_> {
    /// Whether the mechanism moves in the plane.
    pub(crate) fn is_planar(&self) -> bool {
        self.definition.space == Space::Planar
    }

    /// Number of components of a vector.
    pub(crate) fn dimension(&self) -> usize {
        if self.is_planar() { 2 } else { 3 }
    }

    /// Example of a vector, for help.
    pub(crate) fn coordinates_example(&self) -> &'static str {
        if self.is_planar() { "[x, y]" } else { "[x, y, z]" }
    }

    /// A vector as a value.
    pub(crate) fn vector_value(&self, v: [ExprId; 3], axes: Axes) -> Value {
        Value::Vector(v[..self.dimension()].to_vec(), axes)
    }

    /// Axes of a marker, which are those of its body unless it is rotated.
    pub(crate) fn marker_axes(&self, m: MarkerId) -> Axes {
        let marker = &self.bodies.markers[m.index()];
        let parallel = self.exprs.value(marker.angle) == Some(0.0) && marker.rotation.is_none();
        if parallel { self.bodies.body_axes(marker.body) } else { Axes::Marker(m) }
    }

    /// Name of a marker at a point: `crank at [0.1, 0]`.
    fn point_name(&self, body: Option<BodyId>, point: [ExprId; 3]) -> String {
        let owner = body.map_or("ground", |b| &self.bodies.all[b.index()].name);
        let numbers = point.map(|c| self.exprs.value(c).map_or_else(|| "…".to_string(), |x| x.to_string()));
        format!("{owner} at [{}]", numbers[..self.dimension()].join(", "))
    }
}

impl Bodies {
    /// Axes of a body; those of particles and ground are the world's.
    pub(crate) fn body_axes(&self, body: Option<BodyId>) -> Axes {
        match body {
            Some(b) if self.all[b.index()].kind == BodyKind::Rigid => Axes::Body(b),
            _ => Axes::World,
        }
    }

    /// Whether two axes are parallel by declaration: markers of one body rotated by the same angle.
    pub(crate) fn are_parallel_axes(&self, a: Axes, b: Axes) -> bool {
        let rotated = |m: MarkerId| {
            let marker = &self.markers[m.index()];
            (marker.body, marker.angle, marker.rotation)
        };
        match (a, b) {
            (Axes::Marker(m), Axes::Marker(n)) => rotated(m) == rotated(n),
            _ => a == b,
        }
    }
}

impl<'a> VectorResolver<'_, 'a> {
    /// Three components of a vector of the mechanism's space; z = 0 in the plane.
    pub(crate) fn padded(&mut self, v: &[ExprId]) -> [ExprId; 3] {
        let zero = self.resolver.exprs.constant(0.0);
        [0, 1, 2].map(|c| v.get(c).copied().unwrap_or(zero))
    }

    /// Body components of a vector that is given in the axes of a marker.
    pub(crate) fn in_body_axes(&mut self, location: &MarkerLocation, v: [ExprId; 3]) -> [ExprId; 3] {
        if let Some(rotation) = location.rotation {
            return rotate_vector(&mut self.resolver.exprs, rotation, v);
        }
        self.resolver.exprs.write(|w| {
            let (sin, cos) = w.expr(location.angle).sin_cos();
            let [x, y, z] = w.vector(v).0;
            w.ids(Vector([x * cos + y * -sin, x * sin + y * cos, z]))
        })
    }

    /// Writes formulas of positions and axes of markers.
    pub(crate) fn write<R>(&mut self, formulas: impl FnOnce(&Geometry<'_>) -> R) -> R {
        let space = self.resolver.definition.space;
        let scene = Scene {
            markers: &self.resolver.bodies.markers,
            bodies: &self.resolver.bodies.all,
            space,
            functions: &self.resolver.functions.called,
        };
        scene.write(&mut self.resolver.exprs, formulas)
    }

    /// World components of a marker's axes.
    pub(crate) fn world_axes(&mut self, m: MarkerId) -> Rotation {
        self.write(|g| g.axes(m).map(|axis| g.ids(axis)))
    }

    /// World components of a vector of the plane given in a marker's axes.
    pub(crate) fn world_in_plane(&mut self, m: MarkerId, [x, y]: [ExprId; 2]) -> [ExprId; 3] {
        self.write(|g| g.ids(g.to_world(m, Vector([g.expr(x), g.expr(y), 0.0.into()]))))
    }

    /// A vector expressed in other axes. Unstated axes are assumed to be those of the result.
    pub(crate) fn reexpress(&mut self, v: [ExprId; 3], from: Axes, target: Axes) -> [ExprId; 3] {
        if self.resolver.bodies.are_parallel_axes(from, target) || from == Axes::Unstated || target == Axes::Unstated {
            return v;
        }
        let marker = |r: &Self, axes| match axes {
            Axes::Body(b) => Some(r.resolver.bodies.all[b.index()].origin_marker),
            Axes::Marker(m) => Some(m),
            _ => None,
        };
        let (source, target) = (marker(self, from), marker(self, target));
        if let (Some(a), Some(b), false) = (source, target, self.resolver.is_planar())
            && self.resolver.bodies.markers[a.index()].body == self.resolver.bodies.markers[b.index()].body
        {
            // Both markers are on one body: the rotation between them does not depend on the pose.
            let [a, b] = [a, b].map(|m| self.resolver.bodies.markers[m.index()].rotation);
            let on_body = a.map_or(v, |r| rotate_vector(&mut self.resolver.exprs, r, v));
            return b.map_or(on_body, |r| rotate_vector(&mut self.resolver.exprs, transposed(r), on_body));
        }
        self.write(|g| {
            let v = g.vector(v);
            let world = source.map_or(v, |m| g.to_world(m, v));
            g.ids(target.map_or(world, |m| g.from_world(m, world)))
        })
    }

    /// `v in frame`.
    pub(crate) fn eval_in(&mut self, inner: &Expr, frame: &Expr, scope: &Scope) -> Res<Value> {
        let (value, axes) = (self.resolver.eval(inner, scope), self.frame_axes(frame, scope));
        self.value_in_axes(value?, axes?, inner.origin)
    }

    pub(crate) fn value_in_axes(&mut self, value: Value, axes: Axes, origin: Origin) -> Res<Value> {
        match value {
            Value::Vector(v, from) if v.len() == self.resolver.dimension() => {
                let v = self.padded(&v);
                let rotated = self.reexpress(v, from, axes);
                Ok(self.resolver.vector_value(rotated, axes))
            }
            other => {
                let code = mistakes::code_of_shape(matches!(other, Value::Vector(..)));
                self.fail(
                    origin,
                    mistakes::values::axes_of_another_shape(code, self.resolver.dimension(), other.describe()),
                )
            }
        }
    }

    /// Axes of the body or marker after `in`.
    pub(crate) fn frame_axes(&mut self, frame: &Expr, scope: &Scope) -> Res<Axes> {
        match self.resolver.eval(frame, scope)? {
            Value::Body(body) => Ok(self.resolver.bodies.body_axes(body)),
            Value::Marker(m) => Ok(self.resolver.marker_axes(m)),
            other => self.fail(frame.origin, mistakes::values::axes_of_no_body(other.describe())),
        }
    }

    /// Evaluates `crank at [x, y]`, `crank at com` or `bodies at com`; `name` is the name of a marker that it makes.
    pub(crate) fn eval_at(&mut self, inner: &Expr, location: &Expr, scope: &Scope, name: Option<&str>) -> Res<Value> {
        let com = matches!(&location.kind, ExprKind::Name(n) if n == "com");
        let owner = self.resolver.eval(inner, scope);
        if com {
            return self.com_markers(owner?, location.origin);
        }
        let point = self.resolver.eval(location, scope);
        let owner = owner?;
        let set = match &owner {
            Value::Set(set) => Some(set.clone()),
            _ => None,
        };
        if let Some(set) = set {
            let point = point?;
            let mut markers = Vec::new();
            for (body, m) in set.iter() {
                markers.push((*body, self.marker_at(*m, point.clone(), location, None)?));
            }
            return Ok(Value::Set(Rc::new(markers)));
        }
        let base = self.as_marker(&owner, inner.origin)?;
        Ok(Value::Marker(self.marker_at(base, point?, location, name)?))
    }

    fn com_markers(&mut self, owner: Value, origin: Origin) -> Res<Value> {
        match owner {
            Value::Body(Some(b)) => Ok(Value::Marker(self.body_resolver().com_marker(b, origin)?)),
            Value::Set(set) => {
                let mut markers = Vec::new();
                for (body, _) in set.iter() {
                    markers.push((*body, self.body_resolver().com_marker(*body, origin)?));
                }
                Ok(Value::Set(Rc::new(markers)))
            }
            other => self.fail(origin, mistakes::values::no_centre_of_mass(other.describe())),
        }
    }

    /// Marker at a point that is given in the axes of a base marker, relative to it.
    pub(crate) fn marker_at(
        &mut self,
        base: MarkerId,
        point: Value,
        location: &Expr,
        name: Option<&str>,
    ) -> Res<MarkerId> {
        let (v, axes) = match point {
            Value::Vector(v, axes) if v.len() == self.resolver.dimension() => (self.padded(&v), axes),
            other => {
                let code = mistakes::code_of_shape(matches!(other, Value::Vector(..)));
                return self.fail(
                    location.origin,
                    mistakes::values::offset_of_another_shape(
                        code,
                        self.resolver.dimension(),
                        other.describe(),
                        self.resolver.coordinates_example(),
                    ),
                );
            }
        };
        let base_axes = self.resolver.marker_axes(base);
        self.expect_axes(axes, base_axes, location.origin, "the location")?;
        let marker = &self.resolver.bodies.markers[base.index()];
        let (body, base_location) = (marker.body, MarkerLocation::from(marker));
        for x in v {
            self.fixed_point(x, body, location.origin)?;
        }
        let rotated = self.in_body_axes(&base_location, v);
        let point = self.resolver.exprs.write(|w| w.ids(w.vector(base_location.point) + w.vector(rotated)));
        let name = name.map_or_else(|| self.resolver.point_name(body, point), str::to_string);
        Ok(self.find_or_add_marker(name, body, MarkerLocation { point, ..base_location }))
    }

    /// Checks that a point is fixed in its body; on ground it may depend on time.
    pub(crate) fn fixed_point(&mut self, x: ExprId, body: Option<BodyId>, origin: Origin) -> Res<()> {
        let m = self.resolver.exprs.mentions(x);
        if m.order.is_some() || m.input || m.auxiliary || (m.time && body.is_some()) {
            return self.fail(origin, mistakes::values::location_not_fixed(body.is_none()));
        }
        Ok(())
    }

    /// The marker of a body at a location: an existing one, or else a new one.
    pub(crate) fn find_or_add_marker(
        &mut self,
        name: String,
        body: Option<BodyId>,
        location: MarkerLocation,
    ) -> MarkerId {
        if let Some(m) = self.resolver.bodies.marker_ids.get(&(body, location)) {
            return *m;
        }
        self.new_marker(name, body, location)
    }

    /// Adds a marker, also where another has this location.
    pub(crate) fn new_marker(&mut self, name: String, body: Option<BodyId>, location: MarkerLocation) -> MarkerId {
        let m = MarkerId(self.resolver.bodies.markers.len() as u32);
        let MarkerLocation { point, angle, rotation } = location;
        let surface = Surface::default();
        self.resolver.bodies.markers.push(Marker { name, body, point, angle, rotation, drawn: false, surface });
        self.resolver.bodies.marker_ids.entry((body, location)).or_insert(m);
        m
    }

    /// The marker at the world's origin.
    pub(crate) fn ground_marker(&mut self) -> MarkerId {
        let zero = self.resolver.exprs.constant(0.0);
        self.find_or_add_marker("ground".into(), None, MarkerLocation { point: [zero; 3], angle: zero, rotation: None })
    }

    /// The marker of a value: a marker, or the origin of a body.
    pub(crate) fn as_marker(&mut self, value: &Value, origin: Origin) -> Res<MarkerId> {
        match value {
            Value::Marker(m) => Ok(*m),
            Value::Body(Some(b)) => Ok(self.resolver.bodies.all[b.index()].origin_marker),
            Value::Body(None) => Ok(self.ground_marker()),
            other => self.fail(
                origin,
                mistakes::values::not_a_body_or_marker(other.describe(), self.resolver.coordinates_example()),
            ),
        }
    }

    /// Refuses the marker of a particle where a rotation is needed.
    pub(crate) fn check_can_rotate(&mut self, m: MarkerId, origin: Origin, help: &str) -> Res<()> {
        if !self.write(|g| g.on_particle(m)) {
            return Ok(());
        }
        let body = self.resolver.bodies.markers[m.index()].body.expect("particles are bodies");
        self.fail(
            origin,
            mistakes::values::particle_without_rotation(&self.resolver.bodies.all[body.index()].name)
                .help_if(Some(help.to_string())),
        )
    }
}
