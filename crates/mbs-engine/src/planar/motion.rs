//! Poses, velocities and accelerations of all bodies, parents first.
//!
//! With ρ the origin of a body seen from its parent's, u the velocity of the former relative to the latter's axes:
//!
//! ```text
//! (1)  v = v_P + ω_P ẑ × ρ + u,                u = Σ c_k q̇_k,  ω = ω_P + w,  w = Σ w_k q̇_k
//! (2)  a = a_P + α_P ẑ × ρ − ω_P² ρ + 2 ω_P ẑ × u + u̇ + Σ c_k q̈_k,           α = α_P + Σ w_k q̈_k
//! (3)  u̇ = w² s                                where s turns with the body about a point that the parent carries
//!      u̇ = w² s + 2 w ẑ × (c_0 q̇_0 + c_1 q̇_1)  for a free joint whose coordinates are measured in the child's own axes
//! ```
//!
//! Particles keep the world's axes: ω = 0, ρ is only what the parent carries round, and a torque on them moves nothing.

use crate::constants::Constants;
use crate::planar::plane::{Column, Vector, Wrench, minus, plus, rotated, scaled, turned};
use crate::planar::posed::PoseState;
use crate::poses::{MOST_SPEEDS, PosePlan};

/// How a body follows its parent; numbers that depend on parameters are in [`Link`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StepKind {
    /// x, y and (rigid bodies) θ of its origin in the world.
    World,
    /// Turns on a pin.
    Revolute,
    /// Slides along an axis of the parent.
    Prismatic,
    /// Held.
    Fixed,
    /// Position in the axes of the joint's first end, and angle (rigid bodies).
    Free,
    /// As the text of the joint's kind says: index of the pose.
    Posed(usize),
}

/// One body in the order of the tree.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    /// What places it.
    pub kind: StepKind,
    /// Step of the parent, `None` for ground.
    pub parent: Option<usize>,
    /// First coordinate and speed.
    pub first: usize,
    /// Number of coordinates.
    pub dofs: usize,
    /// The body is the joint's first end.
    pub reversed: bool,
    /// It is a rigid body, not a particle.
    pub turns: bool,
}

impl Step {
    /// Its coordinates.
    pub fn range(&self) -> std::ops::Range<usize> {
        self.first..self.first + self.dofs
    }
}

/// The numbers of a step that depend on parameters alone.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Link {
    /// Inboard marker in the parent's axes.
    pub inboard: Vector,
    /// (cos, sin) of its angle.
    pub inboard_turn: (f64, f64),
    /// Outboard marker in the body's axes.
    pub outboard: Vector,
    /// (cos, sin) of its angle.
    pub outboard_turn: (f64, f64),
    /// Angle of the body from the parent's, without the coordinate.
    pub alignment: f64,
    /// (cos, sin) of it.
    pub turn: (f64, f64),
    /// Slide in the parent's axes, towards the child.
    pub axis: Vector,
}

/// Where a body is and how it moves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BodyMotion {
    /// Angle, unwrapped.
    pub angle: f64,
    /// (cos, sin) of it.
    pub turn: (f64, f64),
    /// Origin, world.
    pub origin: Vector,
    /// Origin as seen from the parent's.
    pub offset: Vector,
    /// s of (3).
    pub arm: Vector,
    /// Of the angle.
    pub rate: f64,
    /// Of the origin.
    pub velocity: Vector,
    /// Second rate of the angle.
    pub angular_acceleration: f64,
    /// Of the origin.
    pub acceleration: Vector,
}

/// Ground.
pub(crate) const GROUND: BodyMotion = BodyMotion {
    angle: 0.0,
    turn: (1.0, 0.0),
    origin: [0.0; 2],
    offset: [0.0; 2],
    arm: [0.0; 2],
    rate: 0.0,
    velocity: [0.0; 2],
    angular_acceleration: 0.0,
    acceleration: [0.0; 2],
};

/// Speeds of a body at rest.
const REST: [f64; MOST_SPEEDS] = [0.0; MOST_SPEEDS];

/// A point and its first two derivatives.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PointMotion {
    /// From the origin of its body, world axes.
    pub arm: Vector,
    /// World position.
    pub point: Vector,
    /// Velocity.
    pub velocity: Vector,
    /// Acceleration.
    pub acceleration: Vector,
}

impl BodyMotion {
    /// A point given in body axes.
    pub fn point(&self, local: Vector) -> PointMotion {
        let arm = rotated(self.turn, local);
        let normal = turned(arm);
        PointMotion {
            arm,
            point: plus(self.origin, arm),
            velocity: plus(self.velocity, scaled(self.rate, normal)),
            acceleration: minus(
                plus(self.acceleration, scaled(self.angular_acceleration, normal)),
                scaled(self.rate * self.rate, arm),
            ),
        }
    }
}

/// (cos, sin).
pub(crate) fn turn_by(angle: f64) -> (f64, f64) {
    let (sin, cos) = mbs_core::math::sin_cos(angle);
    (cos, sin)
}

/// Two rotations after each other.
fn composed(a: (f64, f64), b: (f64, f64)) -> (f64, f64) {
    (a.0 * b.0 - a.1 * b.1, a.1 * b.0 + a.0 * b.1)
}

/// All bodies and what their coordinates do to them.
#[derive(Clone, Debug)]
pub(crate) struct Motion {
    /// By step.
    pub bodies: Vec<BodyMotion>,
    /// By coordinate that moves a body: the effect on that body, relative to its parent.
    pub columns: Vec<Column>,
    /// By pose of the model.
    pub poses: Vec<PoseState>,
}

/// What evaluates poses.
#[derive(Clone, Copy)]
pub(crate) struct Posing<'a> {
    pub plans: &'a [PosePlan],
    pub constants: &'a Constants,
}

impl Motion {
    pub fn new(steps: &[Step], poses: &[PosePlan]) -> Self {
        let dofs = steps.iter().map(|s| s.dofs).sum();
        let poses = poses.iter().map(PoseState::new).collect();
        Motion { bodies: vec![GROUND; steps.len()], columns: vec![Column::default(); dofs], poses }
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
                    body.origin = [q[0], q[1]];
                    body.offset = body.origin;
                    if step.turns {
                        body.angle = q[2];
                        body.turn = turn_by(q[2]);
                        columns[2] = Column { velocity: [0.0; 2], rate: 1.0 };
                    }
                    columns[0] = Column { velocity: [1.0, 0.0], rate: 0.0 };
                    columns[1] = Column { velocity: [0.0, 1.0], rate: 0.0 };
                }
                StepKind::Revolute => {
                    let sign = if step.reversed { -1.0 } else { 1.0 };
                    if let [angle] = q {
                        body.angle = parent.angle + link.alignment + sign * angle;
                        body.turn = turn_by(body.angle);
                    }
                    body.arm = rotated(body.turn, link.outboard);
                    body.offset = minus(rotated(parent.turn, link.inboard), body.arm);
                    if let [column] = columns {
                        *column = Column { velocity: scaled(-sign, turned(body.arm)), rate: sign };
                    }
                }
                StepKind::Prismatic => {
                    hold(&mut body, &parent, link);
                    let axis = rotated(parent.turn, link.axis);
                    body.offset = plus(body.offset, scaled(q[0], axis));
                    columns[0] = Column { velocity: axis, rate: 0.0 };
                }
                StepKind::Fixed => hold(&mut body, &parent, link),
                StepKind::Posed(pose) => {
                    let state = &mut self.poses[pose];
                    state.set(&posing.plans[pose], posing.constants, (link, step.reversed), q);
                    body.angle = parent.angle + state.angle;
                    body.turn = turn_by(body.angle);
                    body.offset = rotated(parent.turn, state.offset);
                    for (to, of) in columns.iter_mut().zip(&state.columns) {
                        *to = Column { velocity: rotated(parent.turn, of.velocity), rate: of.rate };
                    }
                }
                StepKind::Free => free(&mut body, &parent, (step, link), q, columns),
            }
            if step.kind != StepKind::World {
                body.origin = plus(parent.origin, body.offset);
                if !step.turns {
                    // What the particle's own axes hold is not carried round.
                    body.offset = plus(body.offset, body.arm);
                    body.arm = [0.0; 2];
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
                _ => Column::default(),
            };
            let (relative, w) = combined(columns, v);
            let body = &mut self.bodies[i];
            let rho = body.offset;
            body.rate = if step.turns { parent.rate + w } else { 0.0 };
            body.velocity = plus(plus(parent.velocity, scaled(parent.rate, turned(rho))), relative);
            let mut acceleration = plus(parent.acceleration, scaled(parent.angular_acceleration, turned(rho)));
            acceleration = minus(acceleration, scaled(parent.rate * parent.rate, rho));
            if step.turns || !step.reversed {
                acceleration = plus(acceleration, scaled(2.0 * parent.rate, turned(relative)));
            }
            acceleration = plus(acceleration, scaled(w * w, body.arm));
            acceleration = plus(acceleration, rotated(parent.turn, bias.velocity));
            if step.kind == StepKind::Free && step.reversed && step.turns {
                let (slide, _) = combined(&columns[..2], &v[..2]);
                acceleration = plus(acceleration, scaled(2.0 * w, turned(slide)));
            }
            let (own, alpha) = a.get(range).map_or(([0.0; 2], 0.0), |a| combined(columns, a));
            body.angular_acceleration = if step.turns { parent.angular_acceleration + bias.rate + alpha } else { 0.0 };
            body.acceleration = plus(acceleration, own);
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

/// Pose of a body that does not turn relative to its parent, before it slides.
fn hold(body: &mut BodyMotion, parent: &BodyMotion, link: &Link) {
    body.angle = parent.angle + link.alignment;
    body.turn = composed(parent.turn, link.turn);
    body.offset = minus(rotated(parent.turn, link.inboard), rotated(body.turn, link.outboard));
}

/// Pose of a body on a free joint.
fn free(body: &mut BodyMotion, parent: &BodyMotion, (step, link): (&Step, &Link), q: &[f64], columns: &mut [Column]) {
    let sign = if step.reversed { -1.0 } else { 1.0 };
    // A particle's axes stay the world's, whatever the other end does.
    if let Some(angle) = q.get(2) {
        body.angle = parent.angle + link.alignment + sign * angle;
        body.turn = turn_by(body.angle);
    }
    let own = composed(body.turn, link.outboard_turn);
    let axes = if step.reversed { own } else { composed(parent.turn, link.inboard_turn) };
    let displacement = rotated(axes, [q[0], q[1]]);
    let outboard = rotated(body.turn, link.outboard);
    body.arm = if step.reversed { plus(displacement, outboard) } else { outboard };
    let at = plus(rotated(parent.turn, link.inboard), scaled(sign, displacement));
    body.offset = minus(at, outboard);
    for (k, column) in columns.iter_mut().enumerate() {
        *column = match k {
            2 => Column { velocity: scaled(-sign, turned(body.arm)), rate: sign },
            _ => {
                let unit = [1.0 - k as f64, k as f64];
                Column { velocity: scaled(sign, rotated(axes, unit)), rate: 0.0 }
            }
        };
    }
}

/// Σ c_k x_k.
fn combined(columns: &[Column], x: &[f64]) -> (Vector, f64) {
    let (mut velocity, mut rate) = ([0.0; 2], 0.0);
    for (c, x) in columns.iter().zip(x) {
        velocity = plus(velocity, scaled(*x, c.velocity));
        rate += x * c.rate;
    }
    (velocity, rate)
}
