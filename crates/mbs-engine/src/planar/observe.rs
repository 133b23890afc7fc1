//! Values of quantities of a planar motion, for expressions and rows.

use mbs_expr::MarkerId;
use mbs_math::{Vec2, Vector};

use crate::inputs::Inputs;
use crate::planar::motion::{Motion, PointMotion};
use crate::planar::numbers::Numbers;
use crate::planar::plan::Plan;
use crate::planar::plane::{Wrench, ZERO, perpendicular, unit};
use crate::planar::rows::End;
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
            Leaf::Coordinate(i) => [at.q[i], or_zero(at.v, i), 0.5 * or_zero(at.a, i)],
            Leaf::Multiplier(i) => [or_zero(at.lambda, i), 0.0, 0.0],
            // Reactions are in the buffers of an evaluation; the other leaves occur in space only.
            Leaf::Reaction(..) | Leaf::AngularVelocity(..) => [0.0; 3],
            Leaf::Position(m, c) => {
                let p = self.point(m);
                let c = c as usize;
                [p.point[c], p.velocity[c], 0.5 * p.acceleration[c]]
            }
            Leaf::Direction(m, axis, c) => {
                let body = self.motion.body(self.plan.marker_steps[m.index()]);
                let d = self.direction(m, axis);
                let n = perpendicular(d);
                let c = c as usize;
                let second = body.angular_acceleration * n[c] - body.rate * body.rate * d[c];
                [d[c], body.rate * n[c], 0.5 * second]
            }
            Leaf::Angle(m) => {
                let body = self.motion.body(self.plan.marker_steps[m.index()]);
                let angle = body.angle + self.numbers.angles[m.index()];
                [angle, body.rate, 0.5 * body.angular_acceleration]
            }
        }
    }

    /// ∂(leaf)/∂(twist of its body at its origin).
    pub fn twist_derivative(&self, leaf: Leaf) -> Option<(usize, Wrench)> {
        match leaf {
            Leaf::Position(m, c) => {
                let step = self.plan.marker_steps[m.index()]?;
                let arm = self.numbers.points[m.index()].rotated(self.motion.bodies[step].rotation);
                Some((step, Wrench::from_force(arm, unit(usize::from(c)))))
            }
            Leaf::Direction(m, axis, c) => {
                let step = self.plan.marker_steps[m.index()]?;
                let n = perpendicular(self.direction(m, axis));
                Some((step, Wrench::torque(n[c as usize])))
            }
            Leaf::Angle(m) => Some((self.plan.marker_steps[m.index()]?, Wrench::torque(1.0))),
            _ => None,
        }
    }

    /// Direction of a marker's axis, world axes.
    fn direction(&self, m: MarkerId, axis: u8) -> Vec2<f64> {
        let body = self.motion.body(self.plan.marker_steps[m.index()]);
        unit(usize::from(axis)).rotated(self.numbers.rotations[m.index()]).rotated(body.rotation)
    }

    /// Motion of a marker's origin.
    pub fn point(&self, m: MarkerId) -> PointMotion {
        match self.plan.marker_steps[m.index()] {
            Some(step) => self.motion.bodies[step].point(self.numbers.points[m.index()]),
            None => match self.moving(m) {
                Some(root) => {
                    let [x, y] = [0, 1].map(|k| self.on_ground(root + k));
                    let [point, velocity, half] = [0, 1, 2].map(|d| Vector([x[d], y[d]]));
                    PointMotion { arm: ZERO, point, velocity, acceleration: half * 2.0 }
                }
                None => PointMotion { point: self.numbers.points[m.index()], ..PointMotion::REST },
            },
        }
    }

    /// A marker as an end of a row.
    pub fn end(&self, m: MarkerId) -> End {
        let point = self.point(m);
        if let (None, Some(root)) = (self.plan.marker_steps[m.index()], self.moving(m)) {
            let [angle, rate, half] = self.on_ground(root + 2);
            return End {
                point,
                rotation: crate::planar::motion::cos_sin(angle),
                rate,
                angular_acceleration: 2.0 * half,
            };
        }
        let body = self.motion.body(self.plan.marker_steps[m.index()]);
        End { point, rotation: body.rotation, rate: body.rate, angular_acceleration: body.angular_acceleration }
    }

    fn on_ground(&self, root: usize) -> Jet {
        let node = self.plan.ground.root(root);
        [0, 1, 2].map(|d| self.ground.coefficient(node, d))
    }

    fn moving(&self, m: MarkerId) -> Option<usize> {
        self.plan.moving.iter().find(|x| x.0 == m).map(|x| x.1)
    }
}
