//! Poses, velocities and accelerations of links: from ground outwards, each in its own axes.
//!
//! With a frame shifted by d and turned by R from its parent, ω, v of the origin and their rates α, a (as seen from ground):
//!
//! ```text
//! (1)  v' = Rᵀ (v + ω × d)      a' = Rᵀ (a + α × d + ω × (ω × d))
//! (2)  turn n q:   ω' = ω + n q̇    α' = α + n q̈ + ω × n q̇          slide n q:  v' = v + n q̇    a' = a + n q̈ + 2 ω × n q̇
//! (3)  ball u:     ω' = ω + u      α' = α + u̇ + ω × u
//! (4)  twist (w, u) in the child's axes:  v' += w    a' += ẇ + u × w + 2 ω × w    and (3)
//! ```
//!
//! Featherstone (2008), *Rigid Body Dynamics Algorithms*, §2 and §5.

use std::f64::consts::FRAC_PI_2;

use mbs_expr::{ExprId, Scalar};
use mbs_math::{Mat3, Vector};
use mbs_model::Model;

use super::attitude::rotation;
use super::fixed::{Fixed, constant, constant_parts};
use super::guided::Guided;
use super::links::{Constant, Freedom, Link};
use super::moments::body_moments;
use super::posed::Posed;
use super::state::{Given, Linear, LinkState, SpaceState};
use super::transform::{Moments, Part, Transform};
use super::vector::{Matrix3, Vector3, along_axis, identity, is_zero, unit, zero};
use crate::Tree;
use crate::posed::Posing;

/// ω̃ω̃ + α̃.
fn spin<S: Scalar>(w: Vector3<S>, a: Vector3<S>) -> Matrix3<S> {
    let [xx, yy, zz] = w.map(|x| x * x).0;
    let (xy, xz, yz) = (w[0] * w[1], w[0] * w[2], w[1] * w[2]);
    Mat3([
        Vector([-(yy + zz), xy - a[2], xz + a[1]]),
        Vector([xy + a[2], -(xx + zz), yz - a[0]]),
        Vector([xz - a[1], yz + a[0], -(xx + yy)]),
    ])
}

impl<S: Scalar> SpaceState<S> {
    /// Places all links.
    pub fn new(model: &Model, tree: &Tree, given: &Given<'_, S>) -> Self {
        let mut state = SpaceState::empty();
        for link in &tree.links {
            let placed = state.place(model, link, given);
            state.links.push(placed);
        }
        for (body, stand) in model.bodies.iter().zip(&tree.stands) {
            let pose = stand.poses.iter().fold(Fixed::identity(), |f, c| f.then(&constant(model, *c, given.value)));
            if let Some(link) = stand.link {
                let centred = matches!(tree.links[link].freedom, Freedom::Float { com: Some(_), .. });
                let moments = body_moments(body, &pose, centred, given.value);
                let sum = &mut state.links[link].moments;
                *sum = *sum + moments;
            }
            state.bodies.push((stand.link, pose));
        }
        state.place_basics(model, tree, given);
        state
    }

    fn place(&self, model: &Model, link: &Link, given: &Given<'_, S>) -> LinkState<S> {
        let own = Own::of(link, given);
        let before = link.before.iter().fold(Fixed::identity(), |f, c| f.then(&constant(model, *c, given.value)));
        let mut parts = constant_parts(model, &link.before, given.value);
        let parent = link.parent.map(|p| &self.links[p]);
        let fixed = parts.len();
        let mut at = Carried::on(parent, given.gravity);
        parts.iter().for_each(|part| at.pass(part));
        let moved = at.follow(model, link, given, &own);
        parts.extend(moved.parts);
        let transform = Transform { parts };
        let outer = parent.map_or_else(identity, |p| p.rotation);
        let start = transform.origin();
        let origin = parent.map_or(start, |p| p.origin + p.rotation * start);
        LinkState {
            rotation: transform.rotation_after(&outer),
            origin,
            transform,
            omega: at.omega,
            alpha: at.alpha,
            velocity: at.velocity,
            acceleration: at.acceleration,
            proper: at.proper,
            spin: spin(at.omega, at.alpha),
            fixed,
            arm: moved.arm,
            before: before.rotation,
            q: own.q,
            axis: moved.axis,
            guided: moved.guided,
            moments: Moments::zero(),
        }
    }

    /// World position of a point fixed in a body, with its rates.
    pub fn point(&self, body: usize, r: Vector3<S>) -> Vector3<S> {
        if let Some(basis) = self.basis(body) {
            return with_rates(self.natural_point(basis, r));
        }
        let (link, pose) = &self.bodies[body];
        let u = pose.point(r);
        let Some(link) = link.map(|l| &self.links[l]) else { return u };
        let world = |v: Vector3<S>| link.rotation * v;
        let position = link.origin + world(u);
        let velocity = link.world(link.velocity, link.omega.cross(u));
        let acceleration = link.world(link.acceleration, link.spin * u);
        with_rates([position, velocity, acceleration])
    }

    /// World components of a direction fixed in a body, with its rates.
    pub fn direction(&self, body: usize, d: Vector3<S>) -> Vector3<S> {
        if let Some(basis) = self.basis(body) {
            return with_rates(self.natural_vector(basis, d));
        }
        let (link, pose) = &self.bodies[body];
        let d = pose.up(d);
        let Some(link) = link.map(|l| &self.links[l]) else { return d };
        with_rates([d, link.omega.cross(d), link.spin * d].map(|v| link.rotation * v))
    }

    /// World components of a body's angular velocity, with their rates.
    pub fn angular_velocity(&self, body: usize) -> Vector3<S> {
        if let Some(basis) = self.basis(body) {
            let [w, a] = self.natural_spin(basis);
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

/// Motion of a frame on its way from a parent to a link.
struct Carried<S> {
    omega: Vector3<S>,
    alpha: Vector3<S>,
    velocity: Linear<S>,
    acceleration: Linear<S>,
    proper: Linear<S>,
    spin: Matrix3<S>,
}

/// All coordinates, speeds and accelerations of a link, those that are functions of time included.
struct Own<S> {
    q: Vec<S>,
    v: Vec<S>,
    a: Vec<S>,
}

impl<S: Scalar> Own<S> {
    fn of(link: &Link, given: &Given<'_, S>) -> Self {
        let speeds = link.first_v..link.first_v + link.freedom.speeds();
        let rate = |e: ExprId| if given.passes { (given.value)(e).rate() } else { S::number(0.0) };
        let q = link.all(&given.q[link.first_q..link.first_q + link.freedom.coordinates()], given.value);
        let v = link.all(&given.v[speeds.clone()], rate);
        let a = link.all(&given.a[speeds], |e| rate(e).rate());
        Own { q, v, a }
    }
}

/// A motion of a link along its own coordinates, beside what it makes of the motion of the frame.
struct Moved<S> {
    /// Moving parts of the pose.
    parts: Vec<Part<S>>,
    /// [`LinkState::axis`].
    axis: Vector3<S>,
    /// [`LinkState::arm`].
    arm: Vector3<S>,
    /// [`LinkState::guided`].
    guided: Option<Guided<S>>,
}

impl<S: Scalar> Moved<S> {
    fn by(parts: Vec<Part<S>>) -> Self {
        Moved { parts, axis: zero(), arm: zero(), guided: None }
    }
}

/// Steps of the pose of a link that floats relative to its parent, or its parent relative to it.
fn floating<S: Scalar>((r, p): (Matrix3<S>, Vector3<S>), reversed: bool) -> Vec<Part<S>> {
    match reversed {
        false => vec![Part::Shift(p), Part::Rotate(r)],
        // The parent's pose in the child is (r, p).
        true => vec![Part::Rotate(r.transpose()), Part::Shift(zero() - p)],
    }
}

/// The motion of a link along a guide, or as a pose that a text declares, with its coordinates, speeds and accelerations.
fn guided_by<S: Scalar>(model: &Model, link: &Link, given: &Given<'_, S>, Own { q, v, a }: &Own<S>) -> Guided<S> {
    let Freedom::Posed { pose, reversed, moves, .. } = link.freedom else {
        return Guided::new(&link.freedom, q, (v, a), given.value);
    };
    let pose = &model.poses[pose as usize];
    let posing = Posing { model, pose, constant: given.value, t: given.t };
    let posed = match moves {
        true => Posed::new(&posing, q, (v, a), reversed),
        false => Posed::still(&posing, q),
    };
    Guided::posed(posed.without(&link.given), (v, a))
}

impl<S: Scalar> Carried<S> {
    fn on(parent: Option<&LinkState<S>>, gravity: Vector3<S>) -> Self {
        let still = Linear::Own(zero());
        match parent {
            Some(p) => Carried {
                omega: p.omega,
                alpha: p.alpha,
                velocity: p.velocity,
                acceleration: p.acceleration,
                proper: p.proper,
                spin: p.spin,
            },
            None => Carried {
                omega: zero(),
                alpha: zero(),
                velocity: still,
                acceleration: still,
                proper: Linear::Own(zero() - gravity),
                spin: Mat3([zero(); 3]),
            },
        }
    }

    /// Moves with a link along its own coordinates.
    fn follow(&mut self, model: &Model, link: &Link, given: &Given<'_, S>, own: &Own<S>) -> Moved<S> {
        let o = S::number(0.0);
        let Own { q, v, a } = own;
        match link.freedom.moved() {
            Freedom::Turn { axis, sign, offset } => self.turn_about(axis, sign, offset, own),
            Freedom::Slide { axis, sign } => {
                let axis = Vector(axis.map(|e| signed(sign, (given.value)(e))));
                let shift = Part::Shift(axis * q[0]);
                self.pass(&shift);
                self.slide(axis * v[0], axis * a[0]);
                Moved { axis, ..Moved::by(vec![shift]) }
            }
            Freedom::Screw { advance, sign } => {
                let h = (given.value)(advance);
                let parts = self.screw(h, sign, [q[0], v[0], a[0]]).to_vec();
                Moved { axis: along_axis(2, h), ..Moved::by(parts) }
            }
            Freedom::Shift => {
                let shift = Part::Shift(Vector([q[0], q[1], q[2]]));
                self.pass(&shift);
                self.slide(Vector([v[0], v[1], v[2]]), Vector([a[0], a[1], a[2]]));
                Moved::by(vec![shift])
            }
            Freedom::Ball { attitude, reversed } => {
                let r = rotation(attitude, q);
                let r = if reversed { r.transpose() } else { r };
                self.rotate(r, Vector([v[0], v[1], v[2]]), Vector([a[0], a[1], a[2]]))
            }
            Freedom::Line { attitude, reversed: false } => {
                self.rotate(rotation(attitude, q), Vector([v[0], v[1], o]), Vector([a[0], a[1], o]))
            }
            Freedom::Line { .. } | Freedom::Ellipsoid { .. } | Freedom::Orbit { .. } | Freedom::Posed { .. } => {
                self.follow_guide(guided_by(model, link, given, own))
            }
            Freedom::Given(_) => unreachable!("it moves as if it were free"),
            Freedom::Float { attitude, reversed, com, .. } => {
                let pose = (rotation(attitude, &q[3..]), Vector([q[0], q[1], q[2]]));
                let linear = [v, a].map(|x| Vector([x[0], x[1], x[2]]));
                let angular = [v, a].map(|x| Vector([x[3], x[4], x[5]]));
                if let Some((body, marker)) = com {
                    let arm = zero() - constant(model, Constant::FromCom(marker, body), given.value).point;
                    let parts = self.float_from_ground(pose, arm, linear, angular, given.gravity);
                    return Moved { arm, ..Moved::by(parts) };
                }
                let parts = floating(pose, reversed);
                parts.iter().for_each(|part| self.pass(part));
                self.float((linear[0], angular[0]), (linear[1], angular[1]));
                Moved::by(parts)
            }
        }
    }

    /// Turns about a coordinate axis.
    fn turn_about(&mut self, k: usize, sign: f64, offset: f64, own: &Own<S>) -> Moved<S> {
        let (sin, cos) = turned_by(own.q[0], offset);
        let turn = Part::Turn { axis: k, cos, sin: signed(sign, sin) };
        self.pass(&turn);
        self.turn(unit(k) * signed(sign, own.v[0]), unit(k) * signed(sign, own.a[0]));
        Moved { axis: along_axis(k, S::number(sign)), ..Moved::by(vec![turn]) }
    }

    /// Rotates about the origin, with the relative angular velocity and its rate.
    fn rotate(&mut self, r: Matrix3<S>, rate: Vector3<S>, acceleration: Vector3<S>) -> Moved<S> {
        let part = Part::Rotate(r);
        self.pass(&part);
        self.turn(rate, acceleration);
        Moved::by(vec![part])
    }

    /// Moves along a guide, or as a pose that a text declares.
    fn follow_guide(&mut self, by: Guided<S>) -> Moved<S> {
        let parts = by.parts();
        let (rate, second) = (by.velocity(), by.acceleration());
        match by.pose().and_then(|pose| pose.ahead.as_ref()) {
            Some(ahead) => {
                self.pass(&Part::Shift(ahead.shift));
                self.slide(ahead.velocity.shift, ahead.acceleration.shift);
                ahead.turns.iter().for_each(|part| self.pass(part));
            }
            None => {
                parts.iter().for_each(|part| self.pass(part));
                self.slide(rate.linear, second.linear);
            }
        }
        self.turn(rate.angular, second.angular);
        Moved { guided: Some(by), ..Moved::by(parts) }
    }

    /// (1)
    fn pass(&mut self, part: &Part<S>) {
        match part {
            Part::Shift(d) => {
                let bent = self.spin * *d;
                self.velocity = self.velocity.map(|v| v + self.omega.cross(*d));
                self.acceleration = self.acceleration.map(|a| a + bent);
                self.proper = self.proper.map(|a| a + bent);
            }
            _ => {
                for linear in [&mut self.velocity, &mut self.acceleration, &mut self.proper] {
                    *linear = linear.map(|v| part.down(v));
                }
                (self.omega, self.alpha) = (part.down(self.omega), part.down(self.alpha));
                self.spin = spin(self.omega, self.alpha);
            }
        }
    }

    /// (2) and (3): ω and α are the parent's in the child's axes.
    fn turn(&mut self, rate: Vector3<S>, acceleration: Vector3<S>) {
        self.alpha = self.alpha + acceleration + self.omega.cross(rate);
        self.omega += rate;
    }

    /// (2)
    fn slide(&mut self, rate: Vector3<S>, rate_dot: Vector3<S>) {
        let more = rate_dot + self.omega.cross(rate) * S::number(2.0);
        self.velocity = self.velocity.map(|v| v + rate);
        self.acceleration = self.acceleration.map(|a| a + more);
        self.proper = self.proper.map(|a| a + more);
    }

    /// (4)
    fn float(&mut self, (w, u): (Vector3<S>, Vector3<S>), (w_dot, u_dot): (Vector3<S>, Vector3<S>)) {
        self.slide(w, w_dot + u.cross(w));
        self.turn(u, u_dot);
    }

    /// Turns about z and advances by h for each radian, with the angle and its rates; the steps of the pose.
    fn screw(&mut self, h: S, sign: f64, [q, v, a]: [S; 3]) -> [Part<S>; 2] {
        let z = unit(2);
        let (sin, cos) = q.sin_cos();
        let shift = Part::Shift(along_axis(2, signed(sign, h * q)));
        self.pass(&shift);
        self.slide(z * signed(sign, h * v), z * signed(sign, h * a));
        let turn = Part::Turn { axis: 2, cos, sin: signed(sign, sin) };
        self.pass(&turn);
        self.turn(z * signed(sign, v), z * signed(sign, a));
        [shift, turn]
    }

    /// Floats with absolute speeds, nothing but ground carrying it: velocity and acceleration of a point at `arm`, then angular ones; the steps
    /// of the pose.
    fn float_from_ground(
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
        let arm = (!is_zero(arm)).then_some(Part::Shift(arm));
        [Part::Shift(p), Part::Rotate(r)].into_iter().chain(arm).collect()
    }
}

/// ± x.
fn signed<S: Scalar>(sign: f64, x: S) -> S {
    if sign < 0.0 { -x } else { x }
}

/// Sine and cosine of q + offset; quarter turns of the offset cost nothing.
fn turned_by<S: Scalar>(q: S, offset: f64) -> (S, S) {
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
