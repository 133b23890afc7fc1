//! Values of quantities of a planar motion, for expressions and rows.

use mbs_expr::MarkerId;
use mbs_math::{Vec2, Vector};

use crate::inputs::Inputs;
use crate::natural::Affine;
use crate::planar::motion::{BodyMotion, GROUND, Motion};
use crate::planar::mover::Mover;
use crate::planar::numbers::Numbers;
use crate::planar::plan::Plan;
use crate::planar::plane::{PointMotion, Wrench, ZERO, cos_sin, perpendicular, unit};
use crate::planar::rows::{End, Turning};
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
        match leaf {
            Leaf::Input(i) => [or_zero(at.u, i as usize), 0.0, 0.0],
            Leaf::Auxiliary(i) => {
                let [first, second] = z_rates.get(i as usize).copied().unwrap_or_default();
                [or_zero(at.z, i as usize), first, 0.5 * second]
            }
            Leaf::Time => [at.t, 1.0, 0.0],
            Leaf::Coordinate(_) | Leaf::Basic(..) => match (self.plan.coordinate(leaf), leaf) {
                (Some(i), _) => [at.q[i], or_zero(at.v, i), 0.5 * or_zero(at.a, i)],
                (None, Leaf::Basic(i, c)) => [self.numbers.basics[i as usize][usize::from(c)], 0.0, 0.0],
                (None, _) => [0.0; 3],
            },
            Leaf::Multiplier(i) => [or_zero(at.lambda, i), 0.0, 0.0],
            // Reactions are in the buffers of an evaluation; the other leaves occur in space only.
            Leaf::Reaction(..) | Leaf::AngularVelocity(..) => [0.0; 3],
            Leaf::Position(m, c) => {
                let p = self.point(m);
                let c = c as usize;
                [p.point[c], p.velocity[c], 0.5 * p.acceleration[c]]
            }
            Leaf::Direction(m, axis, c) => {
                let c = c as usize;
                if let Some(Mover::Natural(k)) = self.plan.marker_movers[m.index()] {
                    let (u, body) = (self.axis_in_body(m, axis), &self.motion.natural[k]);
                    let [d, rate, second] =
                        [body.position, body.velocity, body.acceleration].map(|x| x.direction(u)[c]);
                    return [d, rate, 0.5 * second];
                }
                let Turning { rate, angular_acceleration, .. } = self.turning(m);
                let d = self.direction(m, axis);
                let n = perpendicular(d);
                [d[c], rate * n[c], 0.5 * (angular_acceleration * n[c] - rate * rate * d[c])]
            }
            Leaf::Angle(m) => {
                if let Some(root) = self.moving(m) {
                    return self.on_ground(root + 2);
                }
                let [angle, rate, second] = match self.plan.marker_movers[m.index()] {
                    Some(Mover::Natural(k)) => self.motion.natural[k].angle,
                    _ => {
                        let body = self.body(m);
                        [body.angle, body.rate, body.angular_acceleration]
                    }
                };
                [angle + self.numbers.angles[m.index()], rate, 0.5 * second]
            }
        }
    }

    /// ∂(leaf)/∂(twist of its body at its origin).
    pub fn twist_derivative(&self, leaf: Leaf) -> Option<(Mover, Wrench)> {
        let mover = self.plan.marker_movers[leaf.marker()?.index()]?;
        let wrench = match leaf {
            Leaf::Position(m, c) => Wrench::from_force(self.point(m).arm, unit(usize::from(c))),
            Leaf::Direction(m, axis, c) => Wrench::torque(perpendicular(self.direction(m, axis))[c as usize]),
            Leaf::Angle(_) => Wrench::torque(1.0),
            _ => return None,
        };
        Some((mover, wrench))
    }

    /// ∂(leaf)/∂(origin and axes) of body `natural` in natural coordinates, which has the leaf's marker.
    pub fn affine_derivative(&self, leaf: Leaf, natural: usize) -> Affine<2> {
        let body = &self.motion.natural[natural];
        match leaf {
            Leaf::Position(m, c) => Affine::from_force(self.numbers.points[m.index()], unit(usize::from(c))),
            Leaf::Direction(m, axis, c) => Affine::on_direction(self.axis_in_body(m, axis), unit(usize::from(c))),
            Leaf::Angle(_) => body.torque_on_axes(1.0 / body.position.axes[0].square()),
            _ => Affine::ZERO,
        }
    }

    /// Forces on origin and axes of body `natural` that a load along a leaf exerts. A load along an angle is a torque, whose power is that of
    /// x̂ × dx̂/dt, also where x̂ is no unit vector.
    pub fn natural_load(&self, leaf: Leaf, natural: usize) -> Affine<2> {
        match leaf {
            Leaf::Angle(_) => self.motion.natural[natural].torque_on_axes(1.0),
            _ => self.affine_derivative(leaf, natural),
        }
    }

    /// Motion of the step that moves a marker; of ground for other markers.
    fn body(&self, m: MarkerId) -> &BodyMotion {
        match self.plan.marker_movers[m.index()] {
            Some(Mover::Step(s)) => &self.motion.bodies[s],
            Some(Mover::Natural(_)) | None => &GROUND,
        }
    }

    /// A marker's axis in the axes of its body, or of [`Self::turning`].
    fn axis_in_body(&self, m: MarkerId, axis: u8) -> Vec2<f64> {
        unit(usize::from(axis)).rotated(self.numbers.rotations[m.index()])
    }

    /// Direction of a marker's axis, world axes.
    fn direction(&self, m: MarkerId, axis: u8) -> Vec2<f64> {
        let in_body = self.axis_in_body(m, axis);
        match self.plan.marker_movers[m.index()] {
            Some(Mover::Natural(k)) => self.motion.natural[k].position.direction(in_body),
            _ => in_body.rotated(self.turning(m).rotation),
        }
    }

    /// Motion of a marker's origin.
    pub fn point(&self, m: MarkerId) -> PointMotion {
        let local = self.numbers.points[m.index()];
        match self.plan.marker_movers[m.index()] {
            Some(Mover::Step(s)) => self.motion.bodies[s].point(local),
            Some(Mover::Natural(k)) => self.motion.natural[k].point(local),
            None => match self.moving(m) {
                Some(root) => {
                    let [x, y] = [0, 1].map(|k| self.on_ground(root + k));
                    let [point, velocity, half] = [0, 1, 2].map(|d| Vector([x[d], y[d]]));
                    PointMotion { arm: ZERO, point, velocity, acceleration: half * 2.0 }
                }
                None => PointMotion { point: local, ..PointMotion::REST },
            },
        }
    }

    /// A marker on a step or on ground as an end of a row.
    pub fn end(&self, m: MarkerId) -> End {
        End { point: self.point(m), turning: self.turning(m) }
    }

    /// Rotation of the step of a marker, or of a marker that moves on ground.
    fn turning(&self, m: MarkerId) -> Turning {
        if let (None, Some(root)) = (self.plan.marker_movers[m.index()], self.moving(m)) {
            let [angle, rate, half] = self.on_ground(root + 2);
            return Turning { rotation: cos_sin(angle), rate, angular_acceleration: 2.0 * half };
        }
        let BodyMotion { rotation, rate, angular_acceleration, .. } = *self.body(m);
        Turning { rotation, rate, angular_acceleration }
    }

    fn on_ground(&self, root: usize) -> Jet {
        let node = self.plan.ground.root(root);
        [0, 1, 2].map(|d| self.ground.coefficient(node, d))
    }

    /// First root of a marker on ground that depends on time.
    fn moving(&self, m: MarkerId) -> Option<usize> {
        self.plan.moving.iter().find(|x| x.0 == m).map(|x| x.1)
    }
}
