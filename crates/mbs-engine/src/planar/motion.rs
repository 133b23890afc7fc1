//! Poses, velocities and accelerations of all bodies, parents first.
//!
//! With ρ the origin of a body seen from its parent's, u the velocity of the former relative to the latter's axes:
//!
//! ```text
//! (1)  v = v_P + ω_P ẑ × ρ + u,                u = Σ c_k q̇_k,  ω = ω_P + w,  w = Σ w_k q̇_k
//! (2)  a = a_P + α_P ẑ × ρ − ω_P² ρ + 2 ω_P ẑ × u + u̇ + Σ c_k q̈_k,           α = α_P + Σ w_k q̈_k
//! (3)  u̇ = w² s                                where s turns with the body about a point that the parent carries
//!      u̇ = w² s + 2 w ẑ × Σ c_k q̇_k  over slides, where they are along the child's own axes
//! ```
//!
//! Particles keep the world's axes: ω = 0, ρ is only the part that rotates with the parent, and a torque on them moves nothing.

use mbs_math::{Vec2, Vector};

use crate::constants::Constants;
use crate::planar::link::{Link, Step, StepKind};
use crate::planar::plane::{Column, Wrench, ZERO, across, unit};
use crate::planar::posed::PoseState;
use crate::poses::{MOST_SPEEDS, PosePlan};

/// Where a body is and how it moves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BodyMotion {
    /// Angle, unwrapped.
    pub angle: f64,
    /// (cos, sin) of it.
    pub turn: [f64; 2],
    /// Origin, world.
    pub origin: Vec2<f64>,
    /// Origin as seen from the parent's.
    pub offset: Vec2<f64>,
    /// s of (3).
    pub arm: Vec2<f64>,
    /// Rate of the angle.
    pub rate: f64,
    /// Velocity of the origin.
    pub velocity: Vec2<f64>,
    /// Second derivative of the angle.
    pub angular_acceleration: f64,
    /// Acceleration of the origin.
    pub acceleration: Vec2<f64>,
}

/// Ground.
pub(crate) const GROUND: BodyMotion = BodyMotion {
    angle: 0.0,
    turn: [1.0, 0.0],
    origin: ZERO,
    offset: ZERO,
    arm: ZERO,
    rate: 0.0,
    velocity: ZERO,
    angular_acceleration: 0.0,
    acceleration: ZERO,
};

/// Speeds of a body at rest.
const REST: [f64; MOST_SPEEDS] = [0.0; MOST_SPEEDS];

/// A point and its first two derivatives.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PointMotion {
    /// From the origin of its body, world axes.
    pub arm: Vec2<f64>,
    /// World position.
    pub point: Vec2<f64>,
    /// Velocity.
    pub velocity: Vec2<f64>,
    /// Acceleration.
    pub acceleration: Vec2<f64>,
}

impl PointMotion {
    /// At rest in the origin.
    pub const REST: PointMotion = PointMotion { arm: ZERO, point: ZERO, velocity: ZERO, acceleration: ZERO };
}

impl BodyMotion {
    /// A point given in body axes.
    pub fn point(&self, local: Vec2<f64>) -> PointMotion {
        let arm = local.turned(self.turn);
        let normal = across(arm);
        PointMotion {
            arm,
            point: self.origin + arm,
            velocity: self.velocity + normal * self.rate,
            acceleration: self.acceleration + normal * self.angular_acceleration - arm * (self.rate * self.rate),
        }
    }
}

/// (cos, sin).
pub(crate) fn turn_by(angle: f64) -> [f64; 2] {
    let (sin, cos) = mbs_core::math::sin_cos(angle);
    [cos, sin]
}

/// Two rotations after each other.
fn composed(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    Vector(b).turned(a).0
}

/// All bodies and the effects of coordinates on them.
#[derive(Clone, Debug)]
pub(crate) struct Motion {
    /// By step.
    pub bodies: Vec<BodyMotion>,
    /// By coordinate that moves a body: the effect on that body, relative to its parent.
    pub columns: Vec<Column>,
    /// By pose of the model.
    pub poses: Vec<PoseState>,
}

/// Plans and constants to evaluate poses with.
#[derive(Clone, Copy)]
pub(crate) struct Posing<'a> {
    pub plans: &'a [PosePlan],
    pub constants: &'a Constants,
}

impl Motion {
    pub fn new(steps: &[Step], poses: &[PosePlan]) -> Self {
        let dofs = steps.iter().map(|s| s.dofs).sum();
        let poses = poses.iter().map(PoseState::new).collect();
        Motion { bodies: vec![GROUND; steps.len()], columns: vec![Column::ZERO; dofs], poses }
    }

    /// A body, or ground.
    pub fn body(&self, step: Option<usize>) -> &BodyMotion {
        step.map_or(&GROUND, |s| &self.bodies[s])
    }

    /// Poses and columns at coordinates q.
    pub fn place(&mut self, (steps, links): (&[Step], &[Link]), posing: Posing<'_>, q: &[f64]) {
        for (i, (step, link)) in steps.iter().zip(links).enumerate() {
            let parent = *self.body(step.parent);
            let q = &q[step.range()];
            let columns = &mut self.columns[step.range()];
            let mut body = BodyMotion { ..GROUND };
            match step.kind {
                StepKind::World => {
                    body.origin = Vector([q[0], q[1]]);
                    body.offset = body.origin;
                    if step.turns {
                        body.angle = q[2];
                        body.turn = turn_by(q[2]);
                        columns[2] = Column { velocity: ZERO, rate: 1.0 };
                    }
                    columns[0] = Column { velocity: unit(0), rate: 0.0 };
                    columns[1] = Column { velocity: unit(1), rate: 0.0 };
                }
                StepKind::Joint { slides, turns } => {
                    joint(&mut body, &parent, (step, link), (slides, turns), q, columns);
                }
                StepKind::Posed(pose) => {
                    let state = &mut self.poses[pose];
                    state.set(&posing.plans[pose], posing.constants, (link, step.reversed), q);
                    body.angle = parent.angle + state.angle;
                    body.turn = turn_by(body.angle);
                    body.offset = state.offset.turned(parent.turn);
                    for (to, of) in columns.iter_mut().zip(&state.columns) {
                        *to = Column { velocity: of.velocity.turned(parent.turn), rate: of.rate };
                    }
                }
            }
            if step.kind != StepKind::World {
                body.origin = parent.origin + body.offset;
                if !step.turns {
                    // A particle does not rotate: its arm becomes part of the offset.
                    body.offset += body.arm;
                    body.arm = ZERO;
                }
            }
            self.bodies[i] = body;
        }
    }

    /// Velocities at speeds v and accelerations at q̈ = a: (1), (2), (3). An empty slice stands for zeros.
    pub fn drive(&mut self, (steps, links): (&[Step], &[Link]), posing: Posing<'_>, v: &[f64], a: &[f64]) {
        for (i, (step, link)) in steps.iter().zip(links).enumerate() {
            let parent = *self.body(step.parent);
            let range = step.range();
            let columns = &self.columns[range.clone()];
            let v = v.get(range.clone()).unwrap_or(&REST[..step.dofs]);
            let bias = match step.kind {
                StepKind::Posed(pose) => {
                    let of = (link, step.reversed);
                    self.poses[pose].bias(&posing.plans[pose], posing.constants, of, v)
                }
                _ => Column::ZERO,
            };
            let Column { velocity: relative, rate: w } = combined(columns, v);
            let body = &mut self.bodies[i];
            let rho = body.offset;
            body.rate = if step.turns { parent.rate + w } else { 0.0 };
            body.velocity = parent.velocity + across(rho) * parent.rate + relative;
            let mut acceleration = parent.acceleration + across(rho) * parent.angular_acceleration;
            acceleration -= rho * (parent.rate * parent.rate);
            if step.turns || !step.reversed {
                acceleration += across(relative) * (2.0 * parent.rate);
            }
            acceleration += body.arm * (w * w);
            acceleration += bias.velocity.turned(parent.turn);
            let own = step.own_slides();
            if own > 0 {
                let slide = combined(&columns[..own], &v[..own]).velocity;
                acceleration += across(slide) * (2.0 * w);
            }
            let own = a.get(range).map_or(Column::ZERO, |a| combined(columns, a));
            let alpha = parent.angular_acceleration + bias.rate + own.rate;
            body.angular_acceleration = if step.turns { alpha } else { 0.0 };
            body.acceleration = acceleration + own.velocity;
        }
    }

    /// A wrench on a body, about its origin, as it acts on the parent about the parent's.
    pub fn carried(&self, step: &Step, i: usize, wrench: Wrench) -> Wrench {
        let held = if step.turns { wrench } else { Wrench { torque: 0.0, ..wrench } };
        held.shifted(self.bodies[i].offset)
    }

    /// Adds the part of ∂x/∂v that acts through one body: `wrench` is that derivative with respect to the body's twist at its
    /// origin; `add` receives one value for each speed from the body down to the root.
    pub fn spread(&self, steps: &[Step], step: usize, wrench: Wrench, mut add: impl FnMut(usize, f64)) {
        let (mut wrench, mut next) = (wrench, Some(step));
        while let Some(i) = next {
            let step = &steps[i];
            for dof in step.range() {
                add(dof, self.columns[dof].power(wrench));
            }
            wrench = self.carried(step, i, wrench);
            next = step.parent;
        }
    }
}

/// Pose of a body on a joint that slides, then turns.
fn joint(
    body: &mut BodyMotion,
    parent: &BodyMotion,
    (step, link): (&Step, &Link),
    (slides, turns): (usize, bool),
    q: &[f64],
    columns: &mut [Column],
) {
    let sign = if step.reversed { -1.0 } else { 1.0 };
    let (along, angle) = q.split_at(slides);
    match angle {
        [angle] => {
            body.angle = parent.angle + link.alignment + sign * angle;
            body.turn = turn_by(body.angle);
        }
        // A particle's axes stay the world's, whatever the other end does.
        _ if turns => {}
        _ => {
            body.angle = parent.angle + link.alignment;
            body.turn = composed(parent.turn, link.turn);
        }
    }
    let carrier = if step.reversed && turns { body.turn } else { parent.turn };
    let outboard = link.outboard.turned(body.turn);
    let mut displacement = ZERO;
    for ((axis, q), column) in link.axes.iter().zip(along).zip(columns.iter_mut()) {
        let axis = axis.turned(carrier);
        displacement += axis * *q;
        *column = Column { velocity: axis, rate: 0.0 };
    }
    body.offset = link.inboard.turned(parent.turn) + displacement - outboard;
    if turns {
        body.arm = if step.reversed { outboard - displacement } else { outboard };
        if let [column] = &mut columns[slides..] {
            *column = Column { velocity: across(body.arm) * -sign, rate: sign };
        }
    }
}

/// Σ c_k x_k.
fn combined(columns: &[Column], x: &[f64]) -> Column {
    let mut sum = Column::ZERO;
    columns.iter().zip(x).for_each(|(c, x)| sum += *c * *x);
    sum
}
