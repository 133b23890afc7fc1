//! Axes of vectors, `in`, `at`, and markers made on the way.

use std::rc::Rc;

use mbs_definition::{Expr, ExprKind, Origin, Space};
use mbs_expr::{BodyId, ExprId, MarkerId, Scalar};
use mbs_math::Vector;
use mbs_model::catalog::{Geometry, Scene};
use mbs_model::{BodyKind, Marker, Rotation, Surface};

use crate::mistakes::{self, Mistake};
use crate::resolvers::{Resolves, VectorResolver};
use crate::tables::Bodies;
use crate::tables::Place;
use crate::value::{Axes, Value};
use crate::values::rotations::{rotated, transposed};
use crate::{Res, Resolver, Scope};

impl Resolver<'_> {
    /// Whether the mechanism moves in the plane.
    pub(crate) fn planar(&self) -> bool {
        self.definition.space == Space::Planar
    }

    /// How many components a vector has.
    pub(crate) fn dimension(&self) -> usize {
        if self.planar() { 2 } else { 3 }
    }

    /// How to write a vector, for help.
    pub(crate) fn coordinates_example(&self) -> &'static str {
        if self.planar() { "[x, y]" } else { "[x, y, z]" }
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

    /// `crank at [0.1, 0]`.
    fn place_name(&self, body: Option<BodyId>, point: [ExprId; 3]) -> String {
        let owner = body.map_or("ground", |b| &self.bodies.all[b.index()].name);
        let numbers = point.map(|c| self.exprs.value(c).map_or_else(|| "…".to_string(), |x| x.to_string()));
        format!("{owner} at [{}]", numbers[..self.dimension()].join(", "))
    }
}

impl Bodies {
    /// Axes of a body: particles do not turn.
    pub(crate) fn body_axes(&self, body: Option<BodyId>) -> Axes {
        match body {
            Some(b) if self.all[b.index()].kind == BodyKind::Rigid => Axes::Body(b),
            _ => Axes::World,
        }
    }

    /// Whether two axes are parallel by declaration: markers of one body rotated by the same angle.
    pub(crate) fn same_axes(&self, a: Axes, b: Axes) -> bool {
        let turned = |m: MarkerId| {
            let marker = &self.markers[m.index()];
            (marker.body, marker.angle, marker.rotation)
        };
        match (a, b) {
            (Axes::Marker(m), Axes::Marker(n)) => turned(m) == turned(n),
            _ => a == b,
        }
    }
}

impl<'a> VectorResolver<'_, 'a> {
    /// Components of a vector of this space; z = 0 in the plane.
    pub(crate) fn padded(&mut self, v: &[ExprId]) -> [ExprId; 3] {
        let zero = self.resolver.exprs.constant(0.0);
        [0, 1, 2].map(|c| v.get(c).copied().unwrap_or(zero))
    }

    /// Components in body axes of a vector in a marker's axes.
    pub(crate) fn turned(&mut self, place: &Place, v: [ExprId; 3]) -> [ExprId; 3] {
        if let Some(rotation) = place.rotation {
            return rotated(&mut self.resolver.exprs, rotation, v);
        }
        self.resolver.exprs.write(|w| {
            let (sin, cos) = w.expr(place.angle).sin_cos();
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
    pub(crate) fn axes(&mut self, m: MarkerId) -> Rotation {
        self.write(|g| g.axes(m).map(|axis| g.ids(axis)))
    }

    /// World components of a vector of the plane given in a marker's axes.
    pub(crate) fn world_in_plane(&mut self, m: MarkerId, [x, y]: [ExprId; 2]) -> [ExprId; 3] {
        self.write(|g| g.ids(g.to_world(m, Vector([g.expr(x), g.expr(y), 0.0.into()]))))
    }

    /// A vector in other axes. Unstated axes are taken for the ones wanted.
    pub(crate) fn in_axes(&mut self, v: [ExprId; 3], from: Axes, to: Axes) -> [ExprId; 3] {
        if self.resolver.bodies.same_axes(from, to) || from == Axes::Unstated || to == Axes::Unstated {
            return v;
        }
        let marker = |r: &Self, axes| match axes {
            Axes::Body(b) => Some(r.resolver.bodies.all[b.index()].origin_marker),
            Axes::Marker(m) => Some(m),
            _ => None,
        };
        let (source, target) = (marker(self, from), marker(self, to));
        if let (Some(a), Some(b), false) = (source, target, self.resolver.planar())
            && self.resolver.bodies.markers[a.index()].body == self.resolver.bodies.markers[b.index()].body
        {
            // Turned against each other by a rotation that does not depend on the pose.
            let [a, b] = [a, b].map(|m| self.resolver.bodies.markers[m.index()].rotation);
            let on_body = a.map_or(v, |r| rotated(&mut self.resolver.exprs, r, v));
            return b.map_or(on_body, |r| rotated(&mut self.resolver.exprs, transposed(r), on_body));
        }
        self.write(|g| {
            let v = g.vector(v);
            let world = source.map_or(v, |m| g.to_world(m, v));
            g.ids(target.map_or(world, |m| g.from_world(m, world)))
        })
    }

    /// `v in frame`.
    pub(crate) fn eval_in(&mut self, inner: &Expr, frame: &Expr, scope: &Scope) -> Res<Value> {
        let (value, axes) = (self.resolver.eval(inner, scope), self.axes_of(frame, scope));
        self.value_in(value?, axes?, inner.origin)
    }

    pub(crate) fn value_in(&mut self, value: Value, axes: Axes, origin: Origin) -> Res<Value> {
        match value {
            Value::Vector(v, from) if v.len() == self.resolver.dimension() => {
                let v = self.padded(&v);
                let turned = self.in_axes(v, from, axes);
                Ok(self.resolver.vector_value(turned, axes))
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
    pub(crate) fn axes_of(&mut self, frame: &Expr, scope: &Scope) -> Res<Axes> {
        match self.resolver.eval(frame, scope)? {
            Value::Body(body) => Ok(self.resolver.bodies.body_axes(body)),
            Value::Marker(m) => Ok(self.resolver.marker_axes(m)),
            other => self.fail(frame.origin, mistakes::values::axes_of_no_body(other.describe())),
        }
    }

    /// `crank at [x, y]`, `crank at com`, `bodies at com`; `name` is for the marker made.
    pub(crate) fn eval_at(&mut self, inner: &Expr, place: &Expr, scope: &Scope, name: Option<&str>) -> Res<Value> {
        let com = matches!(&place.kind, ExprKind::Name(n) if n == "com");
        let owner = self.resolver.eval(inner, scope);
        if com {
            return self.at_com(owner?, place.origin);
        }
        let point = self.resolver.eval(place, scope);
        let owner = owner?;
        let set = match &owner {
            Value::Set(set) => Some(set.clone()),
            _ => None,
        };
        if let Some(set) = set {
            let point = point?;
            let mut placed = Vec::new();
            for (body, m) in set.iter() {
                placed.push((*body, self.marker_at(*m, point.clone(), place, None)?));
            }
            return Ok(Value::Set(Rc::new(placed)));
        }
        let base = self.as_marker(&owner, inner.origin)?;
        Ok(Value::Marker(self.marker_at(base, point?, place, name)?))
    }

    fn at_com(&mut self, owner: Value, origin: Origin) -> Res<Value> {
        match owner {
            Value::Body(Some(b)) => Ok(Value::Marker(self.body_resolver().com_marker(b, origin)?)),
            Value::Set(set) => {
                let mut placed = Vec::new();
                for (body, _) in set.iter() {
                    placed.push((*body, self.body_resolver().com_marker(*body, origin)?));
                }
                Ok(Value::Set(Rc::new(placed)))
            }
            other => self.fail(origin, mistakes::values::no_centre_of_mass(other.describe())),
        }
    }

    /// Marker at a point given in another marker's axes.
    pub(crate) fn marker_at(
        &mut self,
        base: MarkerId,
        point: Value,
        place: &Expr,
        name: Option<&str>,
    ) -> Res<MarkerId> {
        let (v, axes) = match point {
            Value::Vector(v, axes) if v.len() == self.resolver.dimension() => (self.padded(&v), axes),
            other => {
                let code = mistakes::code_of_shape(matches!(other, Value::Vector(..)));
                return self.fail(
                    place.origin,
                    mistakes::values::offset_of_another_shape(
                        code,
                        self.resolver.dimension(),
                        other.describe(),
                        self.resolver.coordinates_example(),
                    ),
                );
            }
        };
        let own = self.resolver.marker_axes(base);
        self.expect_axes(axes, own, place.origin, "the place")?;
        let marker = &self.resolver.bodies.markers[base.index()];
        let (body, stands) = (marker.body, Place::from(marker));
        for x in v {
            self.fixed_point(x, body, place.origin)?;
        }
        let turned = self.turned(&stands, v);
        let point = self.resolver.exprs.write(|w| w.ids(w.vector(stands.point) + w.vector(turned)));
        let name = name.map_or_else(|| self.resolver.place_name(body, point), str::to_string);
        Ok(self.marker(name, body, Place { point, ..stands }))
    }

    /// A place is fixed in its body; on ground it may move with time.
    pub(crate) fn fixed_point(&mut self, x: ExprId, body: Option<BodyId>, origin: Origin) -> Res<()> {
        let m = self.resolver.exprs.mentions(x);
        if m.order.is_some() || m.input || m.auxiliary || (m.time && body.is_some()) {
            let message = match body {
                Some(_) => "a place on a body is made of constants and parameters",
                None => "a place on ground is made of constants, parameters and time",
            };
            return self.fail(origin, Mistake::new("MBS024", message));
        }
        Ok(())
    }

    /// The marker at a place, an existing one if there is the same.
    pub(crate) fn marker(&mut self, name: String, body: Option<BodyId>, place: Place) -> MarkerId {
        if let Some(m) = self.resolver.bodies.marker_ids.get(&(body, place)) {
            return *m;
        }
        self.new_marker(name, body, place)
    }

    /// A marker of its own.
    pub(crate) fn new_marker(&mut self, name: String, body: Option<BodyId>, place: Place) -> MarkerId {
        let m = MarkerId(self.resolver.bodies.markers.len() as u32);
        let Place { point, angle, rotation } = place;
        let surface = Surface::default();
        self.resolver.bodies.markers.push(Marker { name, body, point, angle, rotation, drawn: false, surface });
        self.resolver.bodies.marker_ids.entry((body, place)).or_insert(m);
        m
    }

    /// The marker at the world's origin.
    pub(crate) fn ground_marker(&mut self) -> MarkerId {
        let zero = self.resolver.exprs.constant(0.0);
        self.marker("ground".into(), None, Place { point: [zero; 3], angle: zero, rotation: None })
    }

    /// A body (its origin) or marker as a marker.
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

    /// The message for what needs a particle to turn.
    pub(crate) fn check_turns(&mut self, m: MarkerId, origin: Origin, help: &str) -> Res<()> {
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
