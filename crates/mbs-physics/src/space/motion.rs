//! Poses, velocities and accelerations of links: from ground outwards, each in its own axes.
//!
//! With a frame displaced by d and rotated by R relative to its parent, ω, v of the origin and their rates α, a (relative to ground):
//!
//! ```text
//! (1)  v' = Rᵀ (v + ω × d)      a' = Rᵀ (a + α × d + ω × (ω × d))
//! (2)  revolute n q:  ω' = ω + n q̇    α' = α + n q̈ + ω × n q̇       prismatic n q:  v' = v + n q̇    a' = a + n q̈ + 2 ω × n q̇
//! (3)  ball u:     ω' = ω + u      α' = α + u̇ + ω × u
//! (4)  twist (w, u) in the child's axes:  v' += w    a' += ẇ + u × w + 2 ω × w    and (3)
//! ```
//!
//! Featherstone (2008), *Rigid Body Dynamics Algorithms*, §2 and §5.

use std::f64::consts::FRAC_PI_2;

use mbs_expr::{ExprId, Scalar};
use mbs_math::{Each, Mat3, Vector};
use mbs_model::Model;

use super::attitude::rotation;
use super::declared_pose::DeclaredPose;
use super::fixed::{Fixed, constant_parts, constant_pose};
use super::links::{Constant, Link, Mobilizer};
use super::moments::body_moments;
use super::state::{Linear, LinkInputs, LinkState, SpaceState};
use super::transform::{Moments, Part, Transform};
use super::variable_twists::VariableTwists;
use super::vector::{Matrix3, Vector3, axis_vector, identity, is_zero, unit, zero};
use crate::Tree;
use crate::pose_evaluator::PoseEvaluator;

/// ω̃ω̃ + α̃.
fn acceleration_matrix<S: Scalar>(w: Vector3<S>, a: Vector3<S>) -> Matrix3<S> {
    let [xx, yy, zz] = w.map(|x| x * x).0;
    let (xy, xz, yz) = (w[0] * w[1], w[0] * w[2], w[1] * w[2]);
    Mat3([
        Vector([-(yy + zz), xy - a[2], xz + a[1]]),
        Vector([xy + a[2], -(xx + zz), yz - a[0]]),
        Vector([xz - a[1], yz + a[0], -(xx + yy)]),
    ])
}

impl<S: Scalar> SpaceState<S> {
    /// Poses, velocities and accelerations of all links, with the moments of the bodies on them, and of all basics.
    pub fn new(model: &Model, tree: &Tree, inputs: &LinkInputs<'_, S>) -> Self {
        let mut state = SpaceState::empty();
        for link in &tree.links {
            let link_state = state.link_state(model, link, inputs);
            state.links.push(link_state);
        }
        for (body, mount) in model.bodies.iter().zip(&tree.mounts) {
            let compose = |pose: Fixed<S>, c: &Constant| pose.compose(&constant_pose(model, *c, inputs.value));
            let pose = mount.poses.iter().fold(Fixed::identity(), compose);
            if let Some(link) = mount.link {
                let centroidal = matches!(tree.links[link].mobilizer, Mobilizer::Free { com: Some(_), .. });
                let moments = body_moments(body, &pose, centroidal, inputs.value);
                let sum = &mut state.links[link].moments;
                *sum = *sum + moments;
            }
            state.bodies.push((mount.link, pose));
        }
        state.set_basics(model, tree, inputs);
        state
    }

    /// State of a link whose parent has one.
    fn link_state(&self, model: &Model, link: &Link, inputs: &LinkInputs<'_, S>) -> LinkState<S> {
        let coordinates = LinkCoordinates::new(link, inputs);
        let compose = |pose: Fixed<S>, c: &Constant| pose.compose(&constant_pose(model, *c, inputs.value));
        let before = link.fixed_poses.iter().fold(Fixed::identity(), compose);
        let mut parts = constant_parts(model, &link.fixed_poses, inputs.value);
        let parent = link.parent.map(|p| &self.links[p]);
        let fixed = parts.len();
        let mut motion = FrameMotion::fixed_on(parent, inputs.gravity);
        parts.iter().for_each(|part| motion.apply_part(part));
        let moved = motion.apply_mobilizer(model, link, inputs, &coordinates);
        parts.extend(moved.parts);
        let transform = Transform { parts };
        let outer = parent.map_or_else(identity, |p| p.rotation);
        let start = transform.origin();
        let origin = parent.map_or(start, |p| p.origin + p.rotation * start);
        LinkState {
            rotation: transform.rotation_after(&outer),
            origin,
            transform,
            omega: motion.omega,
            alpha: motion.alpha,
            velocity: motion.velocity,
            acceleration: motion.acceleration,
            proper: motion.proper,
            spin: acceleration_matrix(motion.omega, motion.alpha),
            fixed,
            arm: moved.arm,
            before: before.rotation,
            q: coordinates.q,
            axis: moved.axis,
            variable: moved.variable,
            moments: Moments::zero(),
        }
    }

    /// World position \[m\] of the point `r` of a body, in body axes, with its first and second rates.
    pub fn point(&self, body: usize, r: Vector3<S>) -> Vector3<S> {
        if let Some(basis) = self.basis(body) {
            return with_rates(self.natural_point(basis, r));
        }
        let (link, pose) = &self.bodies[body];
        let u = pose.point(r);
        let Some(link) = link.map(|l| &self.links[l]) else { return u };
        let world = |v: Vector3<S>| link.rotation * v;
        let position = link.origin + world(u);
        let velocity = link.world_sum(link.velocity, link.omega.cross(u));
        let acceleration = link.world_sum(link.acceleration, link.spin * u);
        with_rates([position, velocity, acceleration])
    }

    /// World components of the vector `d` of a body, in body axes, with their first and second rates.
    pub fn direction(&self, body: usize, d: Vector3<S>) -> Vector3<S> {
        if let Some(basis) = self.basis(body) {
            return with_rates(self.natural_vector(basis, d));
        }
        let (link, pose) = &self.bodies[body];
        let d = pose.rotate(d);
        let Some(link) = link.map(|l| &self.links[l]) else { return d };
        with_rates([d, link.omega.cross(d), link.spin * d].each(|v| link.rotation * v))
    }

    /// World components of a body's angular velocity \[rad/s\], with their rates.
    pub fn angular_velocity(&self, body: usize) -> Vector3<S> {
        if let Some(basis) = self.basis(body) {
            let [w, a] = self.natural_angular_velocity(basis);
            return w.zip(a, S::with_rate);
        }
        let Some(link) = self.bodies[body].0.map(|l| &self.links[l]) else { return zero() };
        let (w, a) = (link.rotation * link.omega, link.rotation * link.alpha);
        w.zip(a, S::with_rate)
    }
}

/// A vector with its first and second rates.
fn with_rates<S: Scalar>([x, v, a]: [Vector3<S>; 3]) -> Vector3<S> {
    x.zip(v.zip(a, S::with_rate), S::with_rate)
}

/// Motion of a frame, which starts as that of the parent and becomes that of the link, part by part.
struct FrameMotion<S> {
    omega: Vector3<S>,
    alpha: Vector3<S>,
    velocity: Linear<S>,
    acceleration: Linear<S>,
    proper: Linear<S>,
    spin: Matrix3<S>,
}

/// All coordinates, speeds and accelerations of a link, prescribed ones included.
struct LinkCoordinates<S> {
    q: Vec<S>,
    v: Vec<S>,
    a: Vec<S>,
}

impl<S: Scalar> LinkCoordinates<S> {
    fn new(link: &Link, inputs: &LinkInputs<'_, S>) -> Self {
        let speeds = link.first_v..link.first_v + link.mobilizer.speeds();
        let rate = |e: ExprId| if inputs.prescribed_move { (inputs.value)(e).rate() } else { S::number(0.0) };
        let coordinates = link.first_q..link.first_q + link.mobilizer.coordinates();
        let q = link.with_prescribed(&inputs.q[coordinates], inputs.value);
        let v = link.with_prescribed(&inputs.v[speeds.clone()], rate);
        let a = link.with_prescribed(&inputs.a[speeds], |e| rate(e).rate());
        LinkCoordinates { q, v, a }
    }
}

/// Result of a mobilizer, apart from the motion of the frame.
struct Mobilized<S> {
    /// Moving parts of the pose.
    parts: Vec<Part<S>>,
    /// [`LinkState::axis`].
    axis: Vector3<S>,
    /// [`LinkState::arm`].
    arm: Vector3<S>,
    /// [`LinkState::variable`].
    variable: Option<VariableTwists<S>>,
}

impl<S: Scalar> Mobilized<S> {
    fn from_parts(parts: Vec<Part<S>>) -> Self {
        Mobilized { parts, axis: zero(), arm: zero(), variable: None }
    }
}

/// Parts of the pose of a free link with the displacement p and the rotation R of the joint's second end.
fn free_parts<S: Scalar>((r, p): (Matrix3<S>, Vector3<S>), reversed: bool) -> Vec<Part<S>> {
    match reversed {
        false => vec![Part::Translation(p), Part::Rotation(r)],
        // (R, p) is the parent's pose in the child.
        true => vec![Part::Rotation(r.transpose()), Part::Translation(zero() - p)],
    }
}

/// Twists of a link that depend on its coordinates.
fn variable_twists<S: Scalar>(
    model: &Model,
    link: &Link,
    inputs: &LinkInputs<'_, S>,
    LinkCoordinates { q, v, a }: &LinkCoordinates<S>,
) -> VariableTwists<S> {
    let Mobilizer::Posed { pose, reversed, moves, .. } = link.mobilizer else {
        return VariableTwists::new(&link.mobilizer, q, (v, a), inputs.value);
    };
    let pose = &model.coordinates.poses[pose as usize];
    let posing = PoseEvaluator::new(model, pose, inputs.value, inputs.t);
    let declared = match moves {
        true => DeclaredPose::new(&posing, q, (v, a), reversed),
        false => DeclaredPose::immobile(&posing, q),
    };
    VariableTwists::from_declared_pose(declared.separate_prescribed(&link.prescribed), (v, a))
}

impl<S: Scalar> FrameMotion<S> {
    /// Motion of a frame that is fixed on a parent and coincident with its frame; `None` is ground.
    fn fixed_on(parent: Option<&LinkState<S>>, gravity: Vector3<S>) -> Self {
        let at_rest = Linear::Link(zero());
        match parent {
            Some(p) => FrameMotion {
                omega: p.omega,
                alpha: p.alpha,
                velocity: p.velocity,
                acceleration: p.acceleration,
                proper: p.proper,
                spin: p.spin,
            },
            None => FrameMotion {
                omega: zero(),
                alpha: zero(),
                velocity: at_rest,
                acceleration: at_rest,
                proper: Linear::Link(zero() - gravity),
                spin: Mat3([zero(); 3]),
            },
        }
    }

    /// Applies the mobilizer of a link.
    fn apply_mobilizer(
        &mut self,
        model: &Model,
        link: &Link,
        inputs: &LinkInputs<'_, S>,
        coordinates: &LinkCoordinates<S>,
    ) -> Mobilized<S> {
        let o = S::number(0.0);
        let LinkCoordinates { q, v, a } = coordinates;
        match link.mobilizer.unprescribed() {
            Mobilizer::Revolute { axis, sign, offset } => self.apply_revolute(axis, sign, offset, coordinates),
            Mobilizer::Prismatic { axis, sign } => {
                let axis = Vector(axis).map(|e| signed(sign, (inputs.value)(e)));
                let shift = Part::Translation(axis * q[0]);
                self.apply_part(&shift);
                self.add_linear(axis * v[0], axis * a[0]);
                Mobilized { axis, ..Mobilized::from_parts(vec![shift]) }
            }
            Mobilizer::Screw { advance, sign } => {
                let h = (inputs.value)(advance);
                let parts = self.apply_screw(h, sign, [q[0], v[0], a[0]]).to_vec();
                Mobilized { axis: axis_vector(2, h), ..Mobilized::from_parts(parts) }
            }
            Mobilizer::Translation => {
                let shift = Part::Translation(Vector([q[0], q[1], q[2]]));
                self.apply_part(&shift);
                self.add_linear(Vector([v[0], v[1], v[2]]), Vector([a[0], a[1], a[2]]));
                Mobilized::from_parts(vec![shift])
            }
            Mobilizer::Ball { attitude, reversed } => {
                let r = rotation(attitude, q);
                let r = if reversed { r.transpose() } else { r };
                self.apply_rotation(r, Vector([v[0], v[1], v[2]]), Vector([a[0], a[1], a[2]]))
            }
            Mobilizer::Line { attitude, reversed: false } => {
                self.apply_rotation(rotation(attitude, q), Vector([v[0], v[1], o]), Vector([a[0], a[1], o]))
            }
            Mobilizer::Line { .. }
            | Mobilizer::Ellipsoid { .. }
            | Mobilizer::Orbit { .. }
            | Mobilizer::Posed { .. } => self.apply_variable_twists(variable_twists(model, link, inputs, coordinates)),
            Mobilizer::Prescribed(_) => unreachable!("the mobilizer is unprescribed"),
            Mobilizer::Free { attitude, reversed, com, .. } => {
                let pose = (rotation(attitude, &q[3..]), Vector([q[0], q[1], q[2]]));
                let linear = [v, a].each(|x| Vector([x[0], x[1], x[2]]));
                let angular = [v, a].each(|x| Vector([x[3], x[4], x[5]]));
                if let Some((body, marker)) = com {
                    let arm = zero() - constant_pose(model, Constant::FromCom(marker, body), inputs.value).point;
                    let parts = self.apply_centroidal(pose, arm, linear, angular, inputs.gravity);
                    return Mobilized { arm, ..Mobilized::from_parts(parts) };
                }
                let parts = free_parts(pose, reversed);
                parts.iter().for_each(|part| self.apply_part(part));
                self.add_twist((linear[0], angular[0]), (linear[1], angular[1]));
                Mobilized::from_parts(parts)
            }
        }
    }

    /// Applies a rotation about a coordinate axis.
    fn apply_revolute(&mut self, k: usize, sign: f64, offset: f64, coordinates: &LinkCoordinates<S>) -> Mobilized<S> {
        let (sin, cos) = sin_cos_with_offset(coordinates.q[0], offset);
        let part = Part::AxisRotation { axis: k, cos, sin: signed(sign, sin) };
        self.apply_part(&part);
        self.add_angular(unit(k) * signed(sign, coordinates.v[0]), unit(k) * signed(sign, coordinates.a[0]));
        Mobilized { axis: axis_vector(k, S::number(sign)), ..Mobilized::from_parts(vec![part]) }
    }

    /// Applies a rotation about the origin, with the relative angular velocity and its rate in the rotated axes.
    fn apply_rotation(&mut self, r: Matrix3<S>, rate: Vector3<S>, acceleration: Vector3<S>) -> Mobilized<S> {
        let part = Part::Rotation(r);
        self.apply_part(&part);
        self.add_angular(rate, acceleration);
        Mobilized::from_parts(vec![part])
    }

    /// Applies a motion with twists that depend on the coordinates.
    fn apply_variable_twists(&mut self, twists: VariableTwists<S>) -> Mobilized<S> {
        let parts = twists.parts();
        let (rate, second) = (twists.velocity(), twists.acceleration());
        match twists.pose().and_then(|pose| pose.forward.as_ref()) {
            Some(forward) => {
                self.apply_part(&Part::Translation(forward.displacement));
                self.add_linear(forward.velocity.linear, forward.acceleration.linear);
                forward.rotations.iter().for_each(|part| self.apply_part(part));
            }
            None => {
                parts.iter().for_each(|part| self.apply_part(part));
                self.add_linear(rate.linear, second.linear);
            }
        }
        self.add_angular(rate.angular, second.angular);
        Mobilized { variable: Some(twists), ..Mobilized::from_parts(parts) }
    }

    /// Changes to a frame that is fixed in the current one at a part of a pose: (1).
    fn apply_part(&mut self, part: &Part<S>) {
        match part {
            Part::Translation(d) => {
                let relative = self.spin * *d;
                self.velocity = self.velocity.map(|v| v + self.omega.cross(*d));
                self.acceleration = self.acceleration.map(|a| a + relative);
                self.proper = self.proper.map(|a| a + relative);
            }
            _ => {
                for linear in [&mut self.velocity, &mut self.acceleration, &mut self.proper] {
                    *linear = linear.map(|v| part.in_child_axes(v));
                }
                (self.omega, self.alpha) = (part.in_child_axes(self.omega), part.in_child_axes(self.alpha));
                self.spin = acceleration_matrix(self.omega, self.alpha);
            }
        }
    }

    /// Adds an angular velocity and its rate, in the axes of the frame: (2) and (3). ω and α are those of the coincident frame fixed in the parent.
    fn add_angular(&mut self, rate: Vector3<S>, acceleration: Vector3<S>) {
        self.alpha = self.alpha + acceleration + self.omega.cross(rate);
        self.omega += rate;
    }

    /// Adds a velocity of the origin and its rate, in the axes of the frame: (2).
    fn add_linear(&mut self, rate: Vector3<S>, rate_dot: Vector3<S>) {
        let acceleration = rate_dot + self.omega.cross(rate) * S::number(2.0);
        self.velocity = self.velocity.map(|v| v + rate);
        self.acceleration = self.acceleration.map(|a| a + acceleration);
        self.proper = self.proper.map(|a| a + acceleration);
    }

    /// Adds a twist and its rate, in the axes of the frame: (4).
    fn add_twist(&mut self, (w, u): (Vector3<S>, Vector3<S>), (w_dot, u_dot): (Vector3<S>, Vector3<S>)) {
        self.add_linear(w, w_dot + u.cross(w));
        self.add_angular(u, u_dot);
    }

    /// Applies a rotation about z with an advance of h for each radian, given the angle and its rates; returns the parts of the pose.
    fn apply_screw(&mut self, h: S, sign: f64, [q, v, a]: [S; 3]) -> [Part<S>; 2] {
        let z = unit(2);
        let (sin, cos) = q.sin_cos();
        let shift = Part::Translation(axis_vector(2, signed(sign, h * q)));
        self.apply_part(&shift);
        self.add_linear(z * signed(sign, h * v), z * signed(sign, h * a));
        let rotation = Part::AxisRotation { axis: 2, cos, sin: signed(sign, sin) };
        self.apply_part(&rotation);
        self.add_angular(z * signed(sign, v), z * signed(sign, a));
        [shift, rotation]
    }

    /// Applies the motion of a free link on ground with its origin at a centre of mass: pose of the joint's second end, vector from there to the
    /// origin, velocity and acceleration of the origin in world axes, angular velocity and its rate. Returns the parts of the pose.
    fn apply_centroidal(
        &mut self,
        (r, p): (Matrix3<S>, Vector3<S>),
        arm: Vector3<S>,
        [w, w_dot]: [Vector3<S>; 2],
        [u, u_dot]: [Vector3<S>; 2],
        gravity: Vector3<S>,
    ) -> Vec<Part<S>> {
        (self.omega, self.alpha) = (u, u_dot);
        self.velocity = Linear::World(w);
        self.acceleration = Linear::World(w_dot);
        self.proper = Linear::World(w_dot - gravity);
        let arm = (!is_zero(arm)).then_some(Part::Translation(arm));
        [Part::Translation(p), Part::Rotation(r)].into_iter().chain(arm).collect()
    }
}

/// ± x.
fn signed<S: Scalar>(sign: f64, x: S) -> S {
    if sign < 0.0 { -x } else { x }
}

/// Sine and cosine of q + offset; multiples of π/2 in the offset cost no operations.
fn sin_cos_with_offset<S: Scalar>(q: S, offset: f64) -> (S, S) {
    let quarters = (offset / FRAC_PI_2).round();
    let rest = offset - quarters * FRAC_PI_2;
    let (sin, cos) = if rest.abs() < 1e-14 { q.sin_cos() } else { (q + S::number(rest)).sin_cos() };
    match (quarters as i64).rem_euclid(4) {
        0 => (sin, cos),
        1 => (cos, -sin),
        2 => (-sin, -cos),
        _ => (-cos, sin),
    }
}
