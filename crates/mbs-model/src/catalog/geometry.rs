//! Positions, axes and angles of markers as expressions. What does not depend on the configuration is folded: markers on
//! ground are where they are declared, particles do not turn.

use crate::{Body, BodyKind, ExprId, Exprs, Marker, MarkerId, Op};

/// The arena together with the markers it speaks of.
#[derive(Debug)]
pub struct Geometry<'m> {
    /// The arena.
    pub exprs: &'m mut Exprs,
    /// All markers.
    pub markers: &'m [Marker],
    /// All bodies.
    pub bodies: &'m [Body],
}

impl Geometry<'_> {
    /// Whether a marker's body is a particle.
    pub fn on_particle(&self, m: MarkerId) -> bool {
        self.markers[m.index()].body.is_some_and(|b| self.bodies[b.index()].kind == BodyKind::Particle)
    }

    /// World components of a marker's origin p_WM.
    pub fn position(&mut self, m: MarkerId) -> [ExprId; 2] {
        let marker = &self.markers[m.index()];
        match marker.body {
            None => marker.point,
            Some(_) => [0, 1].map(|c| self.exprs.push(Op::Position(m, c))),
        }
    }

    /// World components of a marker's x and y axes.
    pub fn axes(&mut self, m: MarkerId) -> [[ExprId; 2]; 2] {
        let marker = &self.markers[m.index()];
        if marker.body.is_some() && !self.on_particle(m) {
            return [0, 1].map(|axis| [0, 1].map(|c| self.exprs.push(Op::Direction(m, axis, c))));
        }
        let cos = self.exprs.unary(crate::Function::Cos, marker.angle);
        let sin = self.exprs.unary(crate::Function::Sin, marker.angle);
        [[cos, sin], [self.exprs.neg(sin), cos]]
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
    pub fn to_world(&mut self, m: MarkerId, v: [ExprId; 2]) -> [ExprId; 2] {
        let [x, y] = self.axes(m);
        [0, 1].map(|c| self.exprs.dot(&v, &[x[c], y[c]]))
    }

    /// Components in a marker's axes of a vector given in world axes: R_MW v_W.
    pub fn from_world(&mut self, m: MarkerId, v: [ExprId; 2]) -> [ExprId; 2] {
        self.axes(m).map(|axis| self.exprs.dot(&v, &axis))
    }

    /// a − b.
    pub fn minus(&mut self, a: [ExprId; 2], b: [ExprId; 2]) -> [ExprId; 2] {
        [0, 1].map(|c| self.exprs.sub(a[c], b[c]))
    }

    /// Displacement p_Q − p_P, world axes.
    pub fn displacement(&mut self, p: MarkerId, q: MarkerId) -> [ExprId; 2] {
        let (p, q) = (self.position(p), self.position(q));
        self.minus(q, p)
    }

    /// s v.
    pub fn scaled(&mut self, s: ExprId, v: [ExprId; 2]) -> [ExprId; 2] {
        v.map(|x| self.exprs.mul(s, x))
    }
}
