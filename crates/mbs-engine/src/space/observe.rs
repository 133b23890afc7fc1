//! Values of quantities of a spatial motion, for expressions.

use mbs_expr::MarkerId;
use mbs_math::Vector;

use super::frame::VectorMotion;
use super::motion::Motion;
use super::numbers::Numbers;
use super::plan::{Moving, Plan};
use super::vector::{Wrench, ZERO, unit};
use crate::inputs::Inputs;
use crate::natural::Affine;
use crate::tape::{Jet, Leaf, Values};

/// A motion with the plan and the numbers of the mechanism.
#[derive(Clone, Copy)]
pub(crate) struct Observer<'a> {
    pub plan: &'a Plan,
    pub numbers: &'a Numbers,
    pub motion: &'a Motion,
    pub ground: &'a Values,
}

impl Observer<'_> {
    /// Value of a leaf, its rate and half its second rate.
    pub fn leaf(&self, leaf: Leaf, at: &Inputs<'_>, z_rates: &[[f64; 2]]) -> Jet {
        let or_zero = |list: &[f64], i: usize| list.get(i).copied().unwrap_or(0.0);
        let component = |of: VectorMotion, c: u8| {
            let c = usize::from(c);
            [of.value[c], of.rate[c], 0.5 * of.second[c]]
        };
        match leaf {
            Leaf::Input(i) => [or_zero(at.u, i as usize), 0.0, 0.0],
            Leaf::Auxiliary(i) => {
                let [first, second] = z_rates.get(i as usize).copied().unwrap_or_default();
                [or_zero(at.z, i as usize), first, 0.5 * second]
            }
            Leaf::Time => [at.t, 1.0, 0.0],
            Leaf::Coordinate(_) | Leaf::Basic(..) => match (self.plan.coordinate(leaf), leaf) {
                (Some(i), _) => [at.q[i], self.motion.rates[i], 0.5 * self.motion.second_rates[i]],
                (None, Leaf::Basic(i, c)) => [self.numbers.basics[i as usize][usize::from(c)], 0.0, 0.0],
                (None, _) => [0.0; 3],
            },
            Leaf::Multiplier(i) => [or_zero(at.lambda, i), 0.0, 0.0],
            Leaf::Position(m, c) => component(self.point(m), c),
            Leaf::Direction(m, axis, c) => component(self.direction(m, axis), c),
            Leaf::AngularVelocity(m, c) => {
                let body = self.motion.body(self.plan.marker_bodies[m.index()]);
                let c = usize::from(c);
                [body.rate[c], body.angular_acceleration[c], 0.0]
            }
            // Reactions are in the buffers of an evaluation; angles occur in the plane only.
            Leaf::Reaction(..) | Leaf::Angle(_) => [0.0; 3],
        }
    }

    /// ∂(leaf)/∂(twist of its body at its origin).
    pub fn twist_derivative(&self, leaf: Leaf) -> Option<(usize, Wrench)> {
        let (marker, c) = match leaf {
            Leaf::Position(m, c) | Leaf::Direction(m, _, c) | Leaf::AngularVelocity(m, c) => (m, usize::from(c)),
            _ => return None,
        };
        let body = self.plan.marker_bodies[marker.index()]?;
        let wrench = match leaf {
            Leaf::Position(..) => {
                let arm = match self.plan.natural.index_of[body] {
                    Some(_) => self.point(marker).value - self.motion.bodies[body].origin,
                    None => self.motion.bodies[body].rotation * self.numbers.markers[marker.index()].point,
                };
                Wrench::from_force(arm, unit(c))
            }
            // ḋ = ω × d
            Leaf::Direction(_, axis, _) => Wrench::torque(self.direction(marker, axis).value.cross(unit(c))),
            _ => Wrench::torque(unit(c)),
        };
        Some((body, wrench))
    }

    /// ∂(leaf)/∂(origin and axes) of body `natural` in natural coordinates, which has the leaf's marker.
    pub fn affine_derivative(&self, leaf: Leaf, natural: usize) -> Affine<3> {
        let numbers = &self.numbers.natural[natural];
        match leaf {
            Leaf::Position(m, c) => Affine::from_force(self.numbers.markers[m.index()].point, unit(usize::from(c))),
            Leaf::Direction(m, axis, c) => Affine::on_direction(self.numbers.axis(m, axis), unit(usize::from(c))),
            Leaf::AngularVelocity(_, c) => self.motion.natural[natural].torque_on_axes(numbers, unit(usize::from(c))),
            _ => Affine::ZERO,
        }
    }

    /// Motion of a marker's axis.
    fn direction(&self, m: MarkerId, axis: u8) -> VectorMotion {
        if let Some(moving) = self.moving(m) {
            return match moving.has_axes {
                true => self.on_ground(moving.root + 3 + 3 * usize::from(axis)),
                false => VectorMotion { value: unit(usize::from(axis)), rate: ZERO, second: ZERO },
            };
        }
        let (body, local) = (self.plan.marker_bodies[m.index()], self.numbers.axis(m, axis));
        match body.and_then(|b| self.plan.natural.index_of[b]) {
            Some(k) => self.motion.natural[k].direction(&self.numbers.natural[k], local),
            None => self.motion.body(body).direction(local),
        }
    }

    /// Motion of a marker's origin.
    pub fn point(&self, m: MarkerId) -> VectorMotion {
        match self.moving(m) {
            Some(moving) => self.on_ground(moving.root),
            None => {
                let (body, local) = (self.plan.marker_bodies[m.index()], self.numbers.markers[m.index()].point);
                match body.and_then(|b| self.plan.natural.index_of[b]) {
                    Some(k) => self.motion.natural[k].point(local),
                    None => self.motion.body(body).point(local),
                }
            }
        }
    }

    /// The vector of three roots of the tape of ground.
    fn on_ground(&self, root: usize) -> VectorMotion {
        let part = |d: usize| Vector([0, 1, 2].map(|k| self.ground.coefficient(self.plan.ground.root(root + k), d)));
        VectorMotion { value: part(0), rate: part(1), second: part(2) * 2.0 }
    }

    fn moving(&self, m: MarkerId) -> Option<Moving> {
        self.plan.moving.iter().find(|x| x.marker == m).copied()
    }
}
