//! Momentum and kinetic energy of bodies and sets.

use super::value::{Axes, Value};
use super::{Res, Resolver};
use crate::{Body, BodyId, BodyKind, ExprId, Op, Origin};

impl Resolver<'_> {
    /// The bodies whose momentum is meant.
    pub(super) fn body_set(&mut self, value: &Value, origin: Origin) -> Res<Vec<BodyId>> {
        match value {
            Value::Body(Some(b)) => Ok(vec![*b]),
            Value::Set(set) => Ok(set.iter().map(|(body, _)| *body).collect()),
            other => {
                let message = format!("momentum is that of a body or set, not of {}", other.describe());
                self.fail("MBS020", origin, message, None)
            }
        }
    }

    /// Mass, position and velocity of a body's centre of mass, world axes.
    pub(super) fn com_motion(&mut self, body: BodyId, origin: Origin) -> Res<(ExprId, [ExprId; 3], [ExprId; 3])> {
        let mass = self.known_mass(body)?;
        let com = self.com_marker(body, origin)?;
        let p = self.geometry().position(com);
        Ok((mass, p, p.map(|x| self.exprs.rate(x))))
    }

    /// Σ m v_com.
    pub(super) fn momentum(&mut self, value: &Value, origin: Origin) -> Res<Value> {
        let mut sum = [self.exprs.number(0.0); 3];
        for body in self.body_set(value, origin)? {
            let (mass, _, v) = self.com_motion(body, origin)?;
            let p = self.geometry().scaled(mass, v);
            sum = self.geometry().plus(sum, p);
        }
        Ok(self.vector_value(sum, Axes::World))
    }

    /// Σ (p_com − p_about) × m v_com + R I Rᵀ ω, with velocities as the frame of the mechanism sees them; about z alone in the plane.
    pub(super) fn angular_momentum(&mut self, set: Vec<BodyId>, about: [ExprId; 3], origin: Origin) -> Res<Value> {
        let mut sum = [self.exprs.number(0.0); 3];
        for body in set {
            let (mass, p, v) = self.com_motion(body, origin)?;
            let r = self.geometry().minus(p, about);
            let moment = self.geometry().cross(r, v);
            let orbital = self.geometry().scaled(mass, moment);
            let own = self.own_momentum(body);
            let both = self.geometry().plus(orbital, own);
            sum = self.geometry().plus(sum, both);
        }
        Ok(if self.planar() { Value::Number(sum[2]) } else { self.vector_value(sum, Axes::World) })
    }

    /// T = ½ m |v_com|² + ½ ω·I ω of a body.
    pub(super) fn kinetic_energy_of(&mut self, body: BodyId, origin: Origin) -> Res<[ExprId; 2]> {
        let half = self.exprs.number(0.5);
        let (mass, _, v) = self.com_motion(body, origin)?;
        let speed_squared = self.exprs.dot(&v, &v);
        let moving = self.exprs.mul(mass, speed_squared);
        let turning = self.turning_energy(body);
        Ok([moving, turning].map(|twice| self.exprs.mul(half, twice)))
    }

    /// Angular velocity in the plane; zero for particles.
    fn spin(&mut self, body: BodyId) -> ExprId {
        let b = &self.bodies[body.index()];
        if b.kind == BodyKind::Particle {
            return self.exprs.number(0.0);
        }
        let angle = self.exprs.push(Op::Angle(b.origin_marker));
        self.exprs.rate(angle)
    }

    /// ω and I ω of a body in space, in its axes.
    pub(super) fn body_spin(&mut self, body: BodyId) -> [[ExprId; 3]; 2] {
        let origin_marker = self.bodies[body.index()].origin_marker;
        let omega = self.geometry().angular_velocity(origin_marker);
        let omega = self.geometry().from_world(origin_marker, omega);
        [omega, self.tensor_times(body, omega)]
    }

    /// I v of a vector in the axes of a body in space.
    pub(super) fn tensor_times(&mut self, body: BodyId, v: [ExprId; 3]) -> [ExprId; 3] {
        let Body { inertia: [xx, yy, zz, xy, xz, yz], .. } = self.bodies[body.index()];
        [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]].map(|row| self.exprs.dot(&row, &v))
    }

    /// I ω about the centre of mass, world axes.
    fn own_momentum(&mut self, body: BodyId) -> [ExprId; 3] {
        if self.planar() {
            let (inertia, omega) = (self.bodies[body.index()].inertia[2], self.spin(body));
            let zero = self.exprs.number(0.0);
            return [zero, zero, self.exprs.mul(inertia, omega)];
        }
        let [_, momentum] = self.body_spin(body);
        let origin = self.bodies[body.index()].origin_marker;
        self.geometry().to_world(origin, momentum)
    }

    /// ω·I ω.
    fn turning_energy(&mut self, body: BodyId) -> ExprId {
        if self.planar() {
            let (inertia, omega) = (self.bodies[body.index()].inertia[2], self.spin(body));
            let square = self.exprs.mul(omega, omega);
            return self.exprs.mul(inertia, square);
        }
        let [omega, momentum] = self.body_spin(body);
        self.exprs.dot(&omega, &momentum)
    }
}
