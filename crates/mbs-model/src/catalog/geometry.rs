//! Positions, axes and angles of markers as expressions. Values that do not depend on the configuration are folded: markers on ground are
//! where they are declared, particles do not rotate.

#![allow(non_snake_case)] // monogram notation

use mbs_definition::Space;
use mbs_expr::{CalledFunction, Expr, ExprId, Exprs, MarkerId, Op, Scalar, Writer};
use mbs_math::{Mat3, Vec3, Vector};

use crate::{Attitude, Body, BodyKind, Marker, VelocityAxes};

/// Parts of a mechanism that formulas read, apart from its expressions.
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

/// Expressions that formulas are written into, with the markers that they refer to.
#[derive(Clone, Copy, Debug)]
pub struct Geometry<'e> {
    /// The expressions.
    pub writer: &'e Writer,
    /// The mechanism.
    pub scene: Scene<'e>,
}

impl<'e> Geometry<'e> {
    /// Returns an existing expression.
    pub fn expr(&self, id: ExprId) -> Expr<'e> {
        self.writer.expr(id)
    }

    /// Expressions as a vector.
    pub fn vector<const N: usize>(&self, ids: [ExprId; N]) -> Vector<Expr<'e>, N> {
        self.writer.vector(ids)
    }

    /// Where a formula has been written.
    pub fn id(&self, expr: Expr<'e>) -> ExprId {
        self.writer.id(expr)
    }

    /// Where the components of a vector have been written.
    pub fn ids<const N: usize>(&self, vector: Vector<Expr<'e>, N>) -> [ExprId; N] {
        self.writer.ids(vector)
    }

    /// Where several formulas have been written.
    pub fn all_ids(&self, exprs: impl IntoIterator<Item = Expr<'e>>) -> Vec<ExprId> {
        exprs.into_iter().map(|x| self.id(x)).collect()
    }

    /// Whether a marker's body is a particle.
    pub fn on_particle(&self, m: MarkerId) -> bool {
        self.scene.on_particle(m)
    }

    /// World components of a marker's origin p_WM.
    pub fn position(&self, m: MarkerId) -> Vec3<Expr<'e>> {
        let marker = &self.scene.markers[m.index()];
        match marker.body {
            None => self.writer.vector(marker.point),
            Some(_) => self.in_space(|c| Op::Position(m, c)),
        }
    }

    /// A vector of the mechanism's space: z = 0 in the plane.
    fn in_space(&self, component: impl Fn(u8) -> Op) -> Vec3<Expr<'e>> {
        let [x, y] = [0, 1].map(|c| self.writer.op(component(c)));
        let z = if self.scene.space == Space::Planar { 0.0.into() } else { self.writer.op(component(2)) };
        Vector([x, y, z])
    }

    /// World components of a marker's axes.
    pub fn axes(&self, m: MarkerId) -> [Vec3<Expr<'e>>; 3] {
        let marker = &self.scene.markers[m.index()];
        if marker.body.is_some() && !self.on_particle(m) {
            let direction = |axis| self.in_space(|c| Op::Direction(m, axis, c));
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

    /// Angle of a marker's x axis from the world's, unwrapped.
    pub fn angle(&self, m: MarkerId) -> Expr<'e> {
        let marker = &self.scene.markers[m.index()];
        if marker.body.is_some() && !self.on_particle(m) {
            return self.writer.op(Op::Angle(m));
        }
        self.writer.expr(marker.angle)
    }

    /// World components of the angular velocity ω_WM of a marker's frame. Particles and markers at rest on ground do not
    /// turn. Where the axes eₖ of a marker on ground move with time, ω = ½ Σ eₖ × ėₖ.
    pub fn angular_velocity(&self, m: MarkerId) -> Vec3<Expr<'e>> {
        if self.scene.space == Space::Planar {
            return Vector([0.0.into(), 0.0.into(), self.angle(m).rate()]);
        }
        if self.scene.markers[m.index()].body.is_some() {
            return if self.on_particle(m) { zero() } else { self.in_space(|c| Op::AngularVelocity(m, c)) };
        }
        let twice = self.axes(m).into_iter().map(|axis| axis.cross(rate(axis))).fold(zero(), |sum, turn| sum + turn);
        Expr::from(0.5) * twice
    }

    /// Angular velocity of the second end relative to the first, in the second end's axes: R_QW (ω_WQ − ω_WP).
    pub fn relative_angular_velocity(&self, [p, q]: [MarkerId; 2]) -> Vec3<Expr<'e>> {
        let (omega_WP, omega_WQ) = (self.angular_velocity(p), self.angular_velocity(q));
        self.from_world(q, omega_WQ - omega_WP)
    }

    /// The body whose choices a joint between two ends follows: the second end's, the first's where the second is ground.
    fn followed(&self, ends: [MarkerId; 2]) -> Option<&Body> {
        let body = |m: MarkerId| self.scene.markers[m.index()].body;
        body(ends[1]).or_else(|| body(ends[0])).map(|b| &self.scene.bodies[b.index()])
    }

    /// Parameters of the attitude of a joint that turns about a point: those of the second end's body, of the first's where the
    /// second is ground.
    pub fn attitude(&self, ends: [MarkerId; 2]) -> Attitude {
        self.followed(ends).map(|body| body.attitude).unwrap_or_default()
    }

    /// Axes of the linear speeds of a free joint: as its body's.
    pub fn velocity_axes(&self, ends: [MarkerId; 2]) -> VelocityAxes {
        self.followed(ends).map(|body| body.velocity_axes).unwrap_or_default()
    }

    /// World components of a vector given in a marker's axes: R_WM v_M.
    pub fn to_world(&self, m: MarkerId, v: Vec3<Expr<'e>>) -> Vec3<Expr<'e>> {
        let R_WM = Mat3::of_columns(self.axes(m));
        // Each component as v·(row of R): the order of factors that all of the catalogue has.
        let world = Vector(R_WM.0.map(|row| v.dot(row)));
        let (ids, components) = (self.writer.ids(world), self.writer.ids(v));
        self.writer.edit(|exprs| exprs.set_given_in(ids, m, components));
        world
    }

    /// Components in a marker's axes of a vector given in world axes: R_MW v_W.
    pub fn from_world(&self, m: MarkerId, v: Vec3<Expr<'e>>) -> Vec3<Expr<'e>> {
        Vector(self.axes(m).map(|axis| v.dot(axis)))
    }

    /// Displacement p_Q − p_P, world axes.
    pub fn displacement(&self, p: MarkerId, q: MarkerId) -> Vec3<Expr<'e>> {
        self.position(q) - self.position(p)
    }
}

/// Unit vector along axis k.
pub fn unit<'e>(k: usize) -> Vec3<Expr<'e>> {
    Vector([0, 1, 2].map(|i| Expr::from(if i == k { 1.0 } else { 0.0 })))
}

/// Zero.
pub fn zero<'e>() -> Vec3<Expr<'e>> {
    Vector([0.0.into(); 3])
}

/// The rates of components.
pub fn rate<const N: usize>(v: Vector<Expr<'_>, N>) -> Vector<Expr<'_>, N> {
    v.map(Scalar::rate)
}
