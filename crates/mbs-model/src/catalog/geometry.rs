//! Positions, axes and angles of markers as expressions. What does not depend on the configuration is folded: markers on
//! ground are where they are declared, particles do not turn.

#![allow(non_snake_case)] // monogram notation

use mbs_definition::Space;
use mbs_expr::{CalledFunction, ExprId, Exprs, MarkerId, Op};

use crate::{Attitude, Body, BodyKind, Marker, Rotation, VelocityAxes};

/// The arena together with the markers it speaks of.
#[derive(Debug)]
pub struct Geometry<'m> {
    /// The arena.
    pub exprs: &'m mut Exprs,
    /// All markers.
    pub markers: &'m [Marker],
    /// All bodies.
    pub bodies: &'m [Body],
    /// Planar or spatial.
    pub space: Space,
    /// The functions that expressions call.
    pub functions: &'m [CalledFunction],
}

impl Geometry<'_> {
    /// Whether a marker's body is a particle.
    pub fn on_particle(&self, m: MarkerId) -> bool {
        self.markers[m.index()].body.is_some_and(|b| self.bodies[b.index()].kind == BodyKind::Particle)
    }

    /// World components of a marker's origin p_WM.
    pub fn position(&mut self, m: MarkerId) -> [ExprId; 3] {
        let marker = &self.markers[m.index()];
        match marker.body {
            None => marker.point,
            Some(_) => self.vector(|g, c| g.exprs.push(Op::Position(m, c))),
        }
    }

    /// A vector of the mechanism's space: z = 0 in the plane.
    fn vector(&mut self, component: impl Fn(&mut Self, u8) -> ExprId) -> [ExprId; 3] {
        let (x, y) = (component(self, 0), component(self, 1));
        let z = if self.space == Space::Planar { self.exprs.number(0.0) } else { component(self, 2) };
        [x, y, z]
    }

    /// World components of a marker's axes.
    pub fn axes(&mut self, m: MarkerId) -> Rotation {
        let marker = &self.markers[m.index()];
        if marker.body.is_some() && !self.on_particle(m) {
            let [zero, one] = [0.0, 1.0].map(|x| self.exprs.number(x));
            let [x, y] = [0, 1].map(|axis| self.vector(|g, c| g.exprs.push(Op::Direction(m, axis, c))));
            return match self.space {
                Space::Planar => [x, y, [zero, zero, one]],
                Space::Spatial => [x, y, self.vector(|g, c| g.exprs.push(Op::Direction(m, 2, c)))],
            };
        }
        if let Some(rotation) = marker.rotation {
            return rotation;
        }
        let cos = self.exprs.unary(mbs_expr::Function::Cos, marker.angle);
        let sin = self.exprs.unary(mbs_expr::Function::Sin, marker.angle);
        let [zero, one] = [0.0, 1.0].map(|x| self.exprs.number(x));
        [[cos, sin, zero], [self.exprs.neg(sin), cos, zero], [zero, zero, one]]
    }

    /// Angle of a marker's x axis from the world's, unwrapped.
    pub fn angle(&mut self, m: MarkerId) -> ExprId {
        let marker = &self.markers[m.index()];
        if marker.body.is_some() && !self.on_particle(m) {
            return self.exprs.push(Op::Angle(m));
        }
        marker.angle
    }

    /// World components of the angular velocity ω_WM of a marker's frame; in space. Particles and markers at rest on ground do not
    /// turn. Where the axes eₖ of a marker on ground move with time, ω = ½ Σ eₖ × ėₖ.
    pub fn angular_velocity(&mut self, m: MarkerId) -> [ExprId; 3] {
        let zero = self.exprs.number(0.0);
        if self.markers[m.index()].body.is_some() {
            return if self.on_particle(m) {
                [zero; 3]
            } else {
                [0, 1, 2].map(|c| self.exprs.push(Op::AngularVelocity(m, c)))
            };
        }
        let mut twice = [zero; 3];
        for axis in self.axes(m) {
            let rate = axis.map(|x| self.exprs.rate(x));
            let turn = self.cross(axis, rate);
            twice = self.plus(twice, turn);
        }
        let half = self.exprs.number(0.5);
        self.scaled(half, twice)
    }

    /// Angular velocity of the second end relative to the first, in the second end's axes: R_QW (ω_WQ − ω_WP); in space.
    pub fn relative_angular_velocity(&mut self, [p, q]: [MarkerId; 2]) -> [ExprId; 3] {
        let (omega_WP, omega_WQ) = (self.angular_velocity(p), self.angular_velocity(q));
        let relative = self.minus(omega_WQ, omega_WP);
        self.from_world(q, relative)
    }

    /// The body whose choices a joint between two ends follows: the second end's, the first's where the second is ground.
    fn followed(&self, ends: [MarkerId; 2]) -> Option<&Body> {
        let body = |m: MarkerId| self.markers[m.index()].body;
        body(ends[1]).or_else(|| body(ends[0])).map(|b| &self.bodies[b.index()])
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
    pub fn to_world(&mut self, m: MarkerId, v: [ExprId; 3]) -> [ExprId; 3] {
        let [x, y, z] = self.axes(m);
        let world = [0, 1, 2].map(|c| self.exprs.dot(&v, &[x[c], y[c], z[c]]));
        self.exprs.set_given_in(world, m, v);
        world
    }

    /// Components in a marker's axes of a vector given in world axes: R_MW v_W.
    pub fn from_world(&mut self, m: MarkerId, v: [ExprId; 3]) -> [ExprId; 3] {
        self.axes(m).map(|axis: [ExprId; 3]| self.exprs.dot(&v, &axis))
    }

    /// a + b.
    pub fn plus(&mut self, a: [ExprId; 3], b: [ExprId; 3]) -> [ExprId; 3] {
        [0, 1, 2].map(|c| self.exprs.add(a[c], b[c]))
    }

    /// a × b.
    pub fn cross(&mut self, a: [ExprId; 3], b: [ExprId; 3]) -> [ExprId; 3] {
        [(1, 2), (2, 0), (0, 1)].map(|(i, k)| {
            let (first, second) = (self.exprs.mul(a[i], b[k]), self.exprs.mul(a[k], b[i]));
            self.exprs.sub(first, second)
        })
    }

    /// a − b.
    pub fn minus(&mut self, a: [ExprId; 3], b: [ExprId; 3]) -> [ExprId; 3] {
        [0, 1, 2].map(|c| self.exprs.sub(a[c], b[c]))
    }

    /// Displacement p_Q − p_P, world axes.
    pub fn displacement(&mut self, p: MarkerId, q: MarkerId) -> [ExprId; 3] {
        let (p, q) = (self.position(p), self.position(q));
        self.minus(q, p)
    }

    /// s v.
    pub fn scaled(&mut self, s: ExprId, v: [ExprId; 3]) -> [ExprId; 3] {
        v.map(|x| self.exprs.mul(s, x))
    }
}
