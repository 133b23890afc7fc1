//! Positions, axes and angles of markers as expressions. Values that do not depend on the configuration are folded: markers on ground have
//! their declared positions, and particles do not rotate.

#![allow(non_snake_case)] // monogram notation

use mbs_definition::Space;
use mbs_expr::{CalledFunction, Expr, ExprId, Exprs, MarkerId, Op, Scalar, Writer};
use mbs_math::{Mat3, Vec3, Vector};

use crate::{Attitude, Body, BodyKind, Marker, VelocityAxes};

/// The parts of a mechanism to which formulas refer, without its expressions.
#[derive(Clone, Copy, Debug)]
pub struct Scene<'e> {
    /// All markers.
    pub markers: &'e [Marker],
    /// All bodies.
    pub bodies: &'e [Body],
    /// Planar or spatial.
    pub space: Space,
    /// The functions that expressions call.
    pub functions: &'e [CalledFunction],
}

impl Scene<'_> {
    /// Whether a marker's body is a particle.
    pub fn on_particle(&self, m: MarkerId) -> bool {
        self.markers[m.index()].body.is_some_and(|b| self.bodies[b.index()].kind == BodyKind::Particle)
    }

    /// Writes formulas into expressions.
    pub fn write<R>(self, exprs: &mut Exprs, formulas: impl FnOnce(&Geometry<'_>) -> R) -> R {
        exprs.write(|writer| formulas(&Geometry { writer, scene: self }))
    }
}

/// A writer of formulas, with the mechanism to which they refer.
#[derive(Clone, Copy, Debug)]
pub struct Geometry<'e> {
    /// The writer, which contains the expressions.
    pub writer: &'e Writer,
    /// The mechanism.
    pub scene: Scene<'e>,
}

impl<'e> Geometry<'e> {
    /// Returns an existing expression.
    pub fn expr(&self, id: ExprId) -> Expr<'e> {
        self.writer.expr(id)
    }

    /// Existing expressions as a vector.
    pub fn vector<const N: usize>(&self, ids: [ExprId; N]) -> Vector<Expr<'e>, N> {
        self.writer.vector(ids)
    }

    /// The id of a formula.
    pub fn id(&self, expr: Expr<'e>) -> ExprId {
        self.writer.id(expr)
    }

    /// The ids of the components of a vector.
    pub fn ids<const N: usize>(&self, vector: Vector<Expr<'e>, N>) -> [ExprId; N] {
        self.writer.ids(vector)
    }

    /// The ids of several formulas.
    pub fn all_ids(&self, exprs: impl IntoIterator<Item = Expr<'e>>) -> Vec<ExprId> {
        exprs.into_iter().map(|x| self.id(x)).collect()
    }

    /// Whether a marker's body is a particle.
    pub fn on_particle(&self, m: MarkerId) -> bool {
        self.scene.on_particle(m)
    }

    /// World components of a marker's origin, p_WM \[m\].
    pub fn position(&self, m: MarkerId) -> Vec3<Expr<'e>> {
        let marker = &self.scene.markers[m.index()];
        match marker.body {
            None => self.writer.vector(marker.point),
            Some(_) => self.vector_of_ops(|c| Op::Position(m, c)),
        }
    }

    /// A vector of operations; z = 0 in the plane.
    fn vector_of_ops(&self, component: impl Fn(u8) -> Op) -> Vec3<Expr<'e>> {
        let [x, y] = [0, 1].map(|c| self.writer.op(component(c)));
        let z = if self.scene.space == Space::Planar { 0.0.into() } else { self.writer.op(component(2)) };
        Vector([x, y, z])
    }

    /// World components of a marker's x, y and z axes.
    pub fn axes(&self, m: MarkerId) -> [Vec3<Expr<'e>>; 3] {
        let marker = &self.scene.markers[m.index()];
        if marker.body.is_some() && !self.on_particle(m) {
            let direction = |axis| self.vector_of_ops(|c| Op::Direction(m, axis, c));
            return match self.scene.space {
                Space::Planar => [direction(0), direction(1), unit(2)],
                Space::Spatial => [0, 1, 2].map(direction),
            };
        }
        if let Some(rotation) = marker.rotation {
            return rotation.map(|axis| self.writer.vector(axis));
        }
        let (sin, cos) = self.writer.expr(marker.angle).sin_cos();
        let zero = Expr::from(0.0);
        [Vector([cos, sin, zero]), Vector([-sin, cos, zero]), unit(2)]
    }

    /// Angle of a marker's x axis from the world's \[rad\], continuous over revolutions.
    pub fn angle(&self, m: MarkerId) -> Expr<'e> {
        let marker = &self.scene.markers[m.index()];
        if marker.body.is_some() && !self.on_particle(m) {
            return self.writer.op(Op::Angle(m));
        }
        self.writer.expr(marker.angle)
    }

    /// World components of the angular velocity ω_WM of a marker's frame \[rad/s\]. It is zero for particles. For a marker on ground whose axes
    /// eₖ are functions of time it is ω = ½ Σ eₖ × ėₖ.
    pub fn angular_velocity(&self, m: MarkerId) -> Vec3<Expr<'e>> {
        if self.scene.space == Space::Planar {
            return Vector([0.0.into(), 0.0.into(), self.angle(m).rate()]);
        }
        if self.scene.markers[m.index()].body.is_some() {
            return if self.on_particle(m) { zero() } else { self.vector_of_ops(|c| Op::AngularVelocity(m, c)) };
        }
        let twice = self.axes(m).into_iter().map(|axis| axis.cross(rate(axis))).fold(zero(), |sum, x| sum + x);
        Expr::from(0.5) * twice
    }

    /// Angular velocity of the second end relative to the first, in the second end's axes: R_QW (ω_WQ − ω_WP).
    pub fn relative_angular_velocity(&self, [p, q]: [MarkerId; 2]) -> Vec3<Expr<'e>> {
        let (omega_WP, omega_WQ) = (self.angular_velocity(p), self.angular_velocity(q));
        self.from_world(q, omega_WQ - omega_WP)
    }

    /// The body whose attitude parameters and velocity axes a joint uses: the second end's body, or the first end's if the second is ground.
    fn reference_body(&self, ends: [MarkerId; 2]) -> Option<&Body> {
        let body = |m: MarkerId| self.scene.markers[m.index()].body;
        body(ends[1]).or_else(|| body(ends[0])).map(|b| &self.scene.bodies[b.index()])
    }

    /// Kind of attitude parameters of a joint with a rotation about a point: that of the second end's body, or of the first end's if the
    /// second is ground.
    pub fn attitude(&self, ends: [MarkerId; 2]) -> Attitude {
        self.reference_body(ends).map(|body| body.attitude).unwrap_or_default()
    }

    /// Axes of the linear speeds of a free joint: those of the same body as in [`Self::attitude`].
    pub fn velocity_axes(&self, ends: [MarkerId; 2]) -> VelocityAxes {
        self.reference_body(ends).map(|body| body.velocity_axes).unwrap_or_default()
    }

    /// World components of a vector with components in a marker's axes: R_WM v_M.
    pub fn to_world(&self, m: MarkerId, v: Vec3<Expr<'e>>) -> Vec3<Expr<'e>> {
        let R_WM = Mat3::of_columns(self.axes(m));
        // Each component is v·(row of R): the whole catalogue has this order of factors.
        let world = Vector(R_WM.0.map(|row| v.dot(row)));
        let (ids, components) = (self.writer.ids(world), self.writer.ids(v));
        self.writer.edit(|exprs| exprs.set_declared_components(ids, m, components));
        world
    }

    /// Components in a marker's axes of a vector with world components: R_MW v_W.
    pub fn from_world(&self, m: MarkerId, v: Vec3<Expr<'e>>) -> Vec3<Expr<'e>> {
        Vector(self.axes(m).map(|axis| v.dot(axis)))
    }

    /// Displacement p_Q − p_P, world axes \[m\].
    pub fn displacement(&self, p: MarkerId, q: MarkerId) -> Vec3<Expr<'e>> {
        self.position(q) - self.position(p)
    }
}

/// Unit vector of axis k.
pub fn unit<'e>(k: usize) -> Vec3<Expr<'e>> {
    Vector([0, 1, 2].map(|i| Expr::from(if i == k { 1.0 } else { 0.0 })))
}

/// The zero vector.
pub fn zero<'e>() -> Vec3<Expr<'e>> {
    Vector([0.0.into(); 3])
}

/// The rates of the components of a vector.
pub fn rate<const N: usize>(v: Vector<Expr<'_>, N>) -> Vector<Expr<'_>, N> {
    v.map(Scalar::rate)
}
