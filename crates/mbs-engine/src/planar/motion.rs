//! Poses, velocities and accelerations of all bodies, parents first.
//!
//! ρ is the vector from the parent's origin to the body's, and u the velocity of the body's origin relative to the parent's axes:
//!
//! ```text
//! (1)  v = v_P + ω_P ẑ × ρ + u,                u = Σ c_k q̇_k,  ω = ω_P + w,  w = Σ w_k q̇_k
//! (2)  a = a_P + α_P ẑ × ρ − ω_P² ρ + 2 ω_P ẑ × u + u̇ + Σ c_k q̈_k,           α = α_P + Σ w_k q̈_k
//! (3)  u̇ = w² s                                where s rotates with the body about a point fixed in the parent
//!      u̇ = w² s + 2 w ẑ × Σ c_k q̇_k  over translations whose axes are fixed in the child
//! ```
//!
//! The axes of particles are parallel to the world's: ω = 0, ρ is only the part that rotates with the parent, and a torque does no work.

use mbs_math::{Vec2, Vector};

use crate::constants::Constants;
use crate::inputs::Inputs;
use crate::planar::link::{Link, Step, StepKind};
use crate::planar::mover::Mover;
use crate::planar::natural::{NaturalMotion, NaturalNumbers, NaturalPlan};
use crate::planar::plane::{Column, PointMotion, Wrench, ZERO, cos_sin, perpendicular, unit};
use crate::planar::posed::PoseState;
use crate::poses::{MOST_SPEEDS, PosePlan};
use crate::wrench::half_derivative;

/// Pose, velocity and acceleration of a body, world axes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BodyMotion {
    /// Angle θ, continuous over revolutions \[rad\].
    pub angle: f64,
    /// (cos, sin) of the angle.
    pub rotation: [f64; 2],
    /// Position of the origin \[m\].
    pub origin: Vec2<f64>,
    /// ρ, the vector from the parent's origin to this origin \[m\].
    pub offset: Vec2<f64>,
    /// s of (3).
    pub arm: Vec2<f64>,
    /// Angular velocity ω \[rad/s\].
    pub rate: f64,
    /// Velocity of the origin \[m/s\].
    pub velocity: Vec2<f64>,
    /// Angular acceleration α \[rad/s²\].
    pub angular_acceleration: f64,
    /// Acceleration of the origin \[m/s²\].
    pub acceleration: Vec2<f64>,
}

/// Ground.
pub(crate) const GROUND: BodyMotion = BodyMotion {
    angle: 0.0,
    rotation: [1.0, 0.0],
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

impl BodyMotion {
    /// Motion of a point fixed in the body, given in body axes.
    pub fn point(&self, local: Vec2<f64>) -> PointMotion {
        let arm = local.rotated(self.rotation);
        let normal = perpendicular(arm);
        PointMotion {
            arm,
            point: self.origin + arm,
            velocity: self.velocity + normal * self.rate,
            acceleration: self.acceleration + normal * self.angular_acceleration - arm * (self.rate * self.rate),
        }
    }
}

/// (cos, sin) of the sum of two angles.
fn compose(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    Vector(b).rotated(a).0
}

/// All bodies and the effects of coordinates on them.
#[derive(Clone, Debug)]
pub(crate) struct Motion {
    /// Motion of the body of each step.
    pub bodies: Vec<BodyMotion>,
    /// Motion of each body in natural coordinates.
    pub natural: Vec<NaturalMotion>,
    /// Column of each coordinate, of which those of steps are used: the velocity of that body relative to its parent per unit speed.
    pub columns: Vec<Column>,
    /// Rate of each column.
    pub column_rates: Vec<Column>,
    /// State of each pose of the model.
    pub poses: Vec<PoseState>,
}

/// Plans and constants to evaluate poses with.
#[derive(Clone, Copy)]
pub(crate) struct Posing<'a> {
    pub plans: &'a [PosePlan],
    pub constants: &'a Constants,
}

impl Motion {
    /// Motion of so many coordinates, with these steps, poses and number of bodies in natural coordinates.
    pub fn new(n: usize, steps: &[Step], natural: usize, poses: &[PosePlan]) -> Self {
        let poses = poses.iter().map(PoseState::new).collect();
        let natural = vec![NaturalMotion::ZERO; natural];
        let [columns, column_rates] = [vec![Column::ZERO; n], vec![Column::ZERO; n]];
        Motion { bodies: vec![GROUND; steps.len()], natural, columns, column_rates, poses }
    }

    /// Motion of the body of a step; `None` is ground.
    pub fn body(&self, step: Option<usize>) -> &BodyMotion {
        step.map_or(&GROUND, |s| &self.bodies[s])
    }

    /// Origin of a body.
    pub fn origin(&self, mover: Mover) -> Vec2<f64> {
        match mover {
            Mover::Step(s) => self.bodies[s].origin,
            Mover::Natural(k) => self.natural[k].position.origin,
        }
    }

    /// Angle of a body, continuous over revolutions \[rad\].
    pub fn angle(&self, mover: Mover) -> f64 {
        match mover {
            Mover::Step(s) => self.bodies[s].angle,
            Mover::Natural(k) => self.natural[k].angle[0],
        }
    }

    /// Updates bodies in natural coordinates.
    pub fn update_natural(&mut self, plans: &[NaturalPlan], numbers: &[NaturalNumbers], at: &Inputs<'_>) {
        for ((motion, plan), numbers) in self.natural.iter_mut().zip(plans).zip(numbers) {
            *motion = NaturalMotion::new(plan, numbers, at);
        }
    }

    /// Updates poses and columns at coordinates q.
    pub fn update_poses(&mut self, steps: &[Step], links: &[Link], posing: Posing<'_>, q: &[f64]) {
        for (i, (step, link)) in steps.iter().zip(links).enumerate() {
            let parent = *self.body(step.parent);
            let q = &q[step.range()];
            let columns = &mut self.columns[step.range()];
            let mut body = BodyMotion { ..GROUND };
            match step.kind {
                StepKind::World => {
                    body.origin = Vector([q[0], q[1]]);
                    body.offset = body.origin;
                    if step.is_rigid {
                        body.angle = q[2];
                        body.rotation = cos_sin(q[2]);
                        columns[2] = Column { velocity: ZERO, rate: 1.0 };
                    }
                    columns[0] = Column { velocity: unit(0), rate: 0.0 };
                    columns[1] = Column { velocity: unit(1), rate: 0.0 };
                }
                StepKind::Joint { .. } => set_joint_pose(&mut body, &parent, step, link, q, columns),
                StepKind::Posed(pose) => {
                    let state = &mut self.poses[pose];
                    state.set(&posing.plans[pose], posing.constants, (link, step.reversed), q);
                    body.angle = parent.angle + state.angle;
                    body.rotation = cos_sin(body.angle);
                    body.offset = state.offset.rotated(parent.rotation);
                    for (to, of) in columns.iter_mut().zip(&state.columns) {
                        *to = Column { velocity: of.velocity.rotated(parent.rotation), rate: of.rate };
                    }
                }
            }
            if step.kind != StepKind::World {
                body.origin = parent.origin + body.offset;
                if !step.is_rigid {
                    // A particle does not rotate: its arm becomes part of the offset.
                    body.offset += body.arm;
                    body.arm = ZERO;
                }
            }
            self.bodies[i] = body;
        }
    }

    /// Updates velocities at speeds v and accelerations at q̈ = a: (1), (2), (3). An empty slice stands for zeros.
    pub fn update_rates(&mut self, steps: &[Step], links: &[Link], posing: Posing<'_>, v: &[f64], a: &[f64]) {
        for (i, (step, link)) in steps.iter().zip(links).enumerate() {
            let parent = *self.body(step.parent);
            let range = step.range();
            let v = v.get(range.clone()).unwrap_or(&REST[..step.dofs]);
            let bias = self.relative_bias(i, step, link, posing, v);
            let columns = &self.columns[range.clone()];
            let Column { velocity: relative, rate: w } = combined(columns, v);
            let body = &mut self.bodies[i];
            let rho = body.offset;
            body.rate = if step.is_rigid { parent.rate + w } else { 0.0 };
            body.velocity = parent.velocity + perpendicular(rho) * parent.rate + relative;
            let mut acceleration = parent.acceleration + perpendicular(rho) * parent.angular_acceleration;
            acceleration -= rho * (parent.rate * parent.rate);
            if step.rotates_with_parent() {
                acceleration += perpendicular(relative) * (2.0 * parent.rate);
            }
            acceleration += bias.velocity;
            let accelerating = a.get(range).map_or(Column::ZERO, |a| combined(columns, a));
            let alpha = parent.angular_acceleration + bias.rate + accelerating.rate;
            body.angular_acceleration = if step.is_rigid { alpha } else { 0.0 };
            body.acceleration = acceleration + accelerating.velocity;
        }
    }

    /// u̇ and ẇ of a step at its speeds and q̈ = 0: (3), or those of a declared pose.
    fn relative_bias(&mut self, i: usize, step: &Step, link: &Link, posing: Posing<'_>, v: &[f64]) -> Column {
        if let StepKind::Posed(pose) = step.kind {
            let bias = self.poses[pose].bias(&posing.plans[pose], posing.constants, (link, step.reversed), v);
            let rotation = self.body(step.parent).rotation;
            return Column { velocity: bias.velocity.rotated(rotation), ..bias };
        }
        let columns = &self.columns[step.range()];
        let w = combined(columns, v).rate;
        let mut velocity = self.bodies[i].arm * (w * w);
        let body_fixed = step.body_fixed_translations();
        if body_fixed > 0 {
            let translation = combined(&columns[..body_fixed], &v[..body_fixed]).velocity;
            velocity += perpendicular(translation) * (2.0 * w);
        }
        Column { velocity, rate: 0.0 }
    }

    /// Updates the rates of columns at speeds v: ċ_k = ω_P ẑ × c_k + Σ ∂²d/∂q_k∂q_l q̇_l, whose sum is half the derivative of u̇ with respect to
    /// q̇_k. Requires the rates of bodies at v.
    pub fn update_column_rates(&mut self, steps: &[Step], links: &[Link], posing: Posing<'_>, v: &[f64]) {
        for (i, (step, link)) in steps.iter().zip(links).enumerate() {
            let parent_rate = if step.rotates_with_parent() { self.body(step.parent).rate } else { 0.0 };
            for (k, dof) in step.range().enumerate() {
                let bias = |v: &[f64]| self.relative_bias(i, step, link, posing, v);
                let relative = half_derivative(bias, &v[step.range()], k);
                let velocity = perpendicular(self.columns[dof].velocity) * parent_rate + relative.velocity;
                self.column_rates[dof] = Column { velocity, rate: relative.rate };
            }
        }
    }

    /// ρ̇ of body i.
    pub fn offset_rate(&self, step: &Step, i: usize) -> Vec2<f64> {
        let (body, parent) = (&self.bodies[i], self.body(step.parent));
        if step.rotates_with_parent() {
            body.velocity - parent.velocity
        } else {
            perpendicular(body.offset) * parent.rate
        }
    }

    /// Shifts a wrench on body i, about its origin, to the origin of the parent. A particle transmits no torque.
    pub fn shifted_to_parent(&self, step: &Step, i: usize, wrench: Wrench) -> Wrench {
        let transmitted = if step.is_rigid { wrench } else { Wrench { torque: 0.0, ..wrench } };
        transmitted.shifted(self.bodies[i].offset)
    }

    /// Projects a wrench on one body onto the speeds that move the body, Jᵀ w. `wrench` may be a load, or the derivative ∂x/∂(twist of the
    /// body at its origin), whose projection is a part of ∂x/∂v. `add` receives the index of each speed and its value, from the body to the
    /// root.
    pub fn project_wrench(&self, steps: &[Step], step: usize, wrench: Wrench, mut add: impl FnMut(usize, f64)) {
        let (mut wrench, mut next) = (wrench, Some(step));
        while let Some(i) = next {
            let step = &steps[i];
            for dof in step.range() {
                add(dof, self.columns[dof].power(wrench));
            }
            wrench = self.shifted_to_parent(step, i, wrench);
            next = step.parent;
        }
    }
}

/// Sets pose and columns of a body whose step is a [`StepKind::Joint`]: translations, then a rotation.
fn set_joint_pose(
    body: &mut BodyMotion,
    parent: &BodyMotion,
    step: &Step,
    link: &Link,
    q: &[f64],
    columns: &mut [Column],
) {
    let StepKind::Joint { translations, rotates } = step.kind else { return };
    let sign = if step.reversed { -1.0 } else { 1.0 };
    let (displacements, angle) = q.split_at(translations);
    match angle {
        [angle] => {
            body.angle = parent.angle + link.alignment + sign * angle;
            body.rotation = cos_sin(body.angle);
        }
        // The axes of a particle are parallel to the world's at any rotation of the other end.
        _ if rotates => {}
        _ => {
            body.angle = parent.angle + link.alignment;
            body.rotation = compose(parent.rotation, link.rotation);
        }
    }
    let axes_rotation = if step.reversed && rotates { body.rotation } else { parent.rotation };
    let outboard = link.outboard.rotated(body.rotation);
    let mut displacement = ZERO;
    for ((axis, q), column) in link.axes.iter().zip(displacements).zip(columns.iter_mut()) {
        let axis = axis.rotated(axes_rotation);
        displacement += axis * *q;
        *column = Column { velocity: axis, rate: 0.0 };
    }
    body.offset = link.inboard.rotated(parent.rotation) + displacement - outboard;
    if rotates {
        body.arm = if step.reversed { outboard - displacement } else { outboard };
        if let [column] = &mut columns[translations..] {
            *column = Column { velocity: perpendicular(body.arm) * -sign, rate: sign };
        }
    }
}

/// Σ c_k x_k.
fn combined(columns: &[Column], x: &[f64]) -> Column {
    let mut sum = Column::ZERO;
    columns.iter().zip(x).for_each(|(c, x)| sum += *c * *x);
    sum
}
