//! Positions, axes and angles of markers as expressions. What does not depend on the configuration is folded: markers on
//! ground are where they are declared, particles do not turn.

use crate::definition::Space;
use crate::{Body, BodyKind, ExprId, Exprs, Marker, MarkerId, Op, Rotation};

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
            let [x, y, z] = [0, 1, 2].map(|axis| self.vector(|g, c| g.exprs.push(Op::Direction(m, axis, c))));
            return [x, y, if self.space == Space::Planar { [zero, zero, one] } else { z }];
        }
        if let Some(rotation) = marker.rotation {
            return rotation;
        }
        let cos = self.exprs.unary(crate::Function::Cos, marker.angle);
        let sin = self.exprs.unary(crate::Function::Sin, marker.angle);
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

    /// World components of a vector given in a marker's axes: R_WM v_M.
    pub fn to_world(&mut self, m: MarkerId, v: [ExprId; 3]) -> [ExprId; 3] {
        let [x, y, z] = self.axes(m);
        [0, 1, 2].map(|c| self.exprs.dot(&v, &[x[c], y[c], z[c]]))
    }

    /// Components in a marker's axes of a vector given in world axes: R_MW v_W.
    pub fn from_world(&mut self, m: MarkerId, v: [ExprId; 3]) -> [ExprId; 3] {
        self.axes(m).map(|axis: [ExprId; 3]| self.exprs.dot(&v, &axis))
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
