//! Momentum and kinetic energy of bodies and sets.

use mbs_definition::Origin;
use mbs_expr::{BodyId, ExprId};
use mbs_model::catalog::geometry::rate;
use mbs_model::rotational;

use crate::Res;
use crate::mistakes;
use crate::resolvers::{BodyResolver, Resolves};
use crate::value::{Axes, Value};

impl<'a> BodyResolver<'_, 'a> {
    /// The bodies of a value: a body, a marker's body or a set.
    pub(crate) fn body_set(&mut self, value: &Value, origin: Origin) -> Res<Vec<BodyId>> {
        match value {
            Value::Body(Some(b)) => Ok(vec![*b]),
            Value::Set(set) => Ok(set.iter().map(|(body, _)| *body).collect()),
            other => self.fail(origin, mistakes::bodies::momentum_of_no_body(other.describe())),
        }
    }

    /// Mass, position and velocity of a body's centre of mass, world axes.
    pub(crate) fn com_motion(&mut self, body: BodyId, origin: Origin) -> Res<(ExprId, [ExprId; 3], [ExprId; 3])> {
        let mass = self.known_mass(body)?;
        let com = self.com_marker(body, origin)?;
        let [p, v] = self.vectors().write(|g| [g.position(com), rate(g.position(com))].map(|v| g.ids(v)));
        Ok((mass, p, v))
    }

    /// Linear momentum Σ m v_com \[kg m/s\], world axes.
    pub(crate) fn momentum(&mut self, value: &Value, origin: Origin) -> Res<Value> {
        let mut sum = [self.resolver.exprs.constant(0.0); 3];
        for body in self.body_set(value, origin)? {
            let (mass, _, v) = self.com_motion(body, origin)?;
            sum = self.vectors().write(|g| g.ids(g.vector(sum) + g.expr(mass) * g.vector(v)));
        }
        Ok(self.resolver.vector_value(sum, Axes::World))
    }

    /// Angular momentum Σ (p_com − p_about) × m v_com + R I Rᵀ ω about a point \[kg m²/s\], world axes, with velocities relative to the frame of the
    /// mechanism; in the plane its z component.
    pub(crate) fn angular_momentum(&mut self, set: Vec<BodyId>, about: [ExprId; 3], origin: Origin) -> Res<Value> {
        let mut sum = [self.resolver.exprs.constant(0.0); 3];
        for body in set {
            let (mass, p, v) = self.com_motion(body, origin)?;
            sum = self.vectors().write(|g| {
                let [p, v, about, sum] = [p, v, about, sum].map(|v| g.vector(v));
                let orbital = g.expr(mass) * (p - about).cross(v);
                g.ids(sum + (orbital + rotational::momentum(g, body)))
            });
        }
        Ok(if self.resolver.is_planar() { Value::Number(sum[2]) } else { self.resolver.vector_value(sum, Axes::World) })
    }

    /// Kinetic energy of a body: its parts ½ m |v_com|² and ½ ω·I ω \[J\].
    pub(crate) fn body_kinetic_energy(&mut self, body: BodyId, origin: Origin) -> Res<[ExprId; 2]> {
        let (mass, _, v) = self.com_motion(body, origin)?;
        Ok(self.vectors().write(|g| {
            let moving = g.expr(mass) * g.vector(v).square();
            [moving, rotational::twice_energy(g, body)].map(|twice| g.id(0.5 * twice))
        }))
    }
}
