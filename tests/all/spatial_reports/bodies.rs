//! Bodies in space with the origin at the centre of mass, balls, hinges and springs, by hand and solved densely.
//!
//! A body has (p, e), position and unit quaternion, and (v, ω), velocity in world axes and angular velocity in body axes: n_q = 7 and
//! n_v = 6 of each. With a point s of a body, R = R(e), axes a of the first end and b of the second:
//!
//! 1. p_P = p + R s, ṗ_P = v + R (ω × s), p̈_P = v̇ + R (ω̇ × s) + R (ω × (ω × s))
//! 2. a joint has the rows p_P − p_Q = 0; a hinge has two more, a·bᵢ = 0, whose rates are (ω_A − ω_B)·(a × bᵢ)
//! 3. M = diag(m, m, m, I), Q = (m g; −ω × I ω) plus spring forces
//! 4. the second end receives +λ: the force of the rows 1 to 3, and the moment Σ λᵢ (a × bᵢ)

use mbs::nalgebra::{DMatrix, DVector, Matrix3, Quaternion, UnitQuaternion, Vector3};
use mbs::{Describe, Energy, Error, Eventful, Item, Mechanism, Momenta, Pose, Reaction, Sizes, StateView};

type V3 = Vector3<f64>;

pub const GRAVITY: f64 = 9.81;

pub struct Body {
    pub name: &'static str,
    pub mass: f64,
    /// Principal moments of inertia.
    pub inertia: V3,
    pub position: V3,
    pub attitude: UnitQuaternion<f64>,
}

/// A point of a body, from its centre of mass and in its axes, or of ground.
#[derive(Clone, Copy)]
pub struct Point {
    pub body: Option<usize>,
    pub at: V3,
}

pub struct Joint {
    pub name: &'static str,
    pub ends: [Point; 2],
    /// For a hinge: its axis on the first body, and two directions of the second that stay perpendicular to it.
    pub hinge: Option<(V3, [V3; 2])>,
}

/// A linear spring of free length 0.
pub struct Spring {
    pub name: &'static str,
    pub stiffness: f64,
    pub ends: [Point; 2],
}

pub struct Bodies {
    pub name: &'static str,
    pub bodies: Vec<Body>,
    pub joints: Vec<Joint>,
    pub springs: Vec<Spring>,
    pub markers: Vec<(&'static str, Point)>,
    /// Initial angular rate of all bodies about the z axis through the origin \[rad/s\].
    pub spin: f64,
    /// Names of markers, by [`Bodies::named`].
    pub names: Vec<String>,
}

/// Motion of an end in world axes: its position, the rotation R and the angular velocity of its body, and the arm R s.
struct PointMotion {
    position: V3,
    rotation: Matrix3<f64>,
    omega: V3,
    arm: V3,
}

impl Bodies {
    /// Fills in the names of all items.
    pub fn named(mut self) -> Self {
        let ends = |name: &str| ["first", "second"].map(|end| format!("{name}.{end}"));
        let connected = self.joints.iter().map(|j| j.name).chain(self.springs.iter().map(|s| s.name));
        self.names = connected.flat_map(ends).collect();
        self.names.extend(self.markers.iter().map(|(name, _)| (*name).to_owned()));
        self.names.extend(self.bodies.iter().map(|body| format!("{}.com", body.name)));
        self
    }

    fn points(&self) -> Vec<Point> {
        let joints = self.joints.iter().flat_map(|j| j.ends);
        let springs = self.springs.iter().flat_map(|s| s.ends);
        let markers = self.markers.iter().map(|(_, point)| *point);
        let coms = (0..self.bodies.len()).map(|b| Point { body: Some(b), at: V3::zeros() });
        joints.chain(springs).chain(markers).chain(coms).collect()
    }

    fn point_motion(q: &[f64], v: &[f64], point: Point) -> PointMotion {
        let Some(b) = point.body else {
            return PointMotion {
                position: point.at,
                rotation: Matrix3::identity(),
                omega: V3::zeros(),
                arm: V3::zeros(),
            };
        };
        let rotation = attitude(&q[7 * b..]).to_rotation_matrix().into_inner();
        let omega = if v.is_empty() { V3::zeros() } else { rotation * vector(&v[6 * b + 3..]) };
        let arm = rotation * point.at;
        PointMotion { position: vector(&q[7 * b..]) + arm, rotation, omega, arm }
    }

    fn n_rows(&self) -> usize {
        self.joints.iter().map(rows_of).sum()
    }

    /// Residuals Φ, Jacobian G and right-hand sides γ.
    fn rows(&self, q: &[f64], v: &[f64]) -> (Vec<f64>, DMatrix<f64>, DVector<f64>) {
        let (n_c, n_v) = (self.n_rows(), 6 * self.bodies.len());
        let (mut phi, mut g, mut gamma) = (Vec::new(), DMatrix::zeros(n_c, n_v), DVector::zeros(n_c));
        for joint in &self.joints {
            let first_row = phi.len();
            let [first, second] = joint.ends.map(|end| Self::point_motion(q, v, end));
            phi.extend((first.position - second.position).iter());
            for (end, motion, sign) in [(joint.ends[0], &first, 1.0), (joint.ends[1], &second, -1.0)] {
                let Some(b) = end.body else { continue };
                let spun = -sign * motion.arm.cross_matrix() * motion.rotation;
                g.fixed_view_mut::<3, 3>(first_row, 6 * b).copy_from(&(sign * Matrix3::identity()));
                g.fixed_view_mut::<3, 3>(first_row, 6 * b + 3).copy_from(&spun);
                let central = -sign * motion.omega.cross(&motion.omega.cross(&motion.arm));
                let mut part = gamma.fixed_rows_mut::<3>(first_row);
                part += central;
            }
            for (a, b) in perpendicular_pairs(joint, &first, &second) {
                let (row, across, relative) = (phi.len(), a.cross(&b), first.omega - second.omega);
                let rate = first.omega.cross(&a).cross(&b) + a.cross(&second.omega.cross(&b));
                phi.push(a.dot(&b));
                gamma[row] = -relative.dot(&rate);
                for (end, motion, sign) in [(joint.ends[0], &first, 1.0), (joint.ends[1], &second, -1.0)] {
                    let Some(b) = end.body else { continue };
                    let part = sign * motion.rotation.tr_mul(&across);
                    g.fixed_view_mut::<1, 3>(row, 6 * b + 3).copy_from(&part.transpose());
                }
            }
        }
        (phi, g, gamma)
    }

    fn masses(&self) -> DVector<f64> {
        let parts = self.bodies.iter().flat_map(|b| [b.mass, b.mass, b.mass, b.inertia.x, b.inertia.y, b.inertia.z]);
        DVector::from_iterator(6 * self.bodies.len(), parts)
    }
}

fn rows_of(joint: &Joint) -> usize {
    if joint.hinge.is_some() { 5 } else { 3 }
}

/// The pairs of directions of a hinge that stay perpendicular, in world axes.
fn perpendicular_pairs(joint: &Joint, first: &PointMotion, second: &PointMotion) -> Vec<(V3, V3)> {
    let pairs = |(axis, across): (V3, [V3; 2])| across.map(|b| (first.rotation * axis, second.rotation * b));
    joint.hinge.map_or(Vec::new(), |hinge| pairs(hinge).to_vec())
}

fn attitude(q: &[f64]) -> UnitQuaternion<f64> {
    UnitQuaternion::new_unchecked(Quaternion::new(q[3], q[4], q[5], q[6]))
}

fn vector(x: &[f64]) -> V3 {
    V3::new(x[0], x[1], x[2])
}

impl Mechanism for Bodies {
    type Coordinates = Box<[f64]>;
    type Speeds = Box<[f64]>;
    type Multipliers = Box<[f64]>;
    type Auxiliary = Box<[f64]>;
    type Inputs = Box<[f64]>;
    type Scratch = Box<[f64]>;

    fn sizes(&self) -> Sizes {
        let (n, n_c) = (self.bodies.len(), self.n_rows());
        Sizes {
            n_q: 7 * n,
            n_v: 6 * n,
            n_c,
            n_position: n_c,
            n_velocity: n_c,
            n_outputs: 1,
            n_bodies: n,
            n_markers: self.points().len(),
            n_joints: self.joints.len(),
            n_forces: self.springs.len(),
            ..Sizes::default()
        }
    }

    fn storage(&self) -> (Box<[f64]>, Box<[f64]>, Box<[f64]>, Box<[f64]>, Box<[f64]>, Box<[f64]>) {
        let zeros = |n: usize| vec![0.0; n].into_boxed_slice();
        let Sizes { n_q, n_v, n_c, .. } = self.sizes();
        (zeros(n_q), zeros(n_v), zeros(n_c), zeros(0), zeros(0), zeros(0))
    }

    fn guess(&self, q: &mut [f64], v: &mut [f64], _: &mut [f64]) {
        let spin = V3::z() * self.spin;
        for (body, (q, v)) in self.bodies.iter().zip(q.chunks_mut(7).zip(v.chunks_mut(6))) {
            q[..3].copy_from_slice(body.position.as_slice());
            q[3..].copy_from_slice(&[body.attitude.w, body.attitude.i, body.attitude.j, body.attitude.k]);
            v[..3].copy_from_slice(spin.cross(&body.position).as_slice());
            v[3..].copy_from_slice(body.attitude.inverse_transform_vector(&spin).as_slice());
        }
    }

    fn accelerations(&self, at: StateView, a: &mut [f64], lambda: &mut [f64]) -> Result<(), Error> {
        let (_, _, gamma) = self.rows(at.q, at.v);
        let mut forces = vec![0.0; at.v.len()];
        self.generalized_forces(at, &mut forces);
        self.solve(at, &forces, gamma.as_slice(), a, lambda)
    }

    fn solve(&self, at: StateView, f: &[f64], g: &[f64], x: &mut [f64], mu: &mut [f64]) -> Result<(), Error> {
        let StateView { t, q, .. } = at;
        let (_, rows, _) = self.rows(q, &[]);
        let inverse = DMatrix::from_diagonal(&self.masses().map(|m| 1.0 / m));
        let free = &inverse * DVector::from_column_slice(f);
        let schur = (&rows * &inverse * rows.transpose()).cholesky().ok_or(Error::Singular { row: x.len(), t })?;
        let multipliers = schur.solve(&(&rows * &free - DVector::from_column_slice(g)));
        x.copy_from_slice((free - inverse * rows.transpose() * &multipliers).as_slice());
        mu.copy_from_slice(multipliers.as_slice());
        Ok(())
    }

    fn position_residuals(&self, at: StateView, phi: &mut [f64]) {
        let StateView { q, .. } = at;
        phi.copy_from_slice(&self.rows(q, &[]).0);
    }

    fn velocity_residuals(&self, at: StateView, psi: &mut [f64]) {
        let StateView { q, v, .. } = at;
        psi.copy_from_slice((self.rows(q, v).1 * DVector::from_column_slice(v)).as_slice());
    }

    fn coordinate_rates(&self, _: f64, q: &[f64], v: &[f64], rates: &mut [f64]) {
        for (rates, (q, v)) in rates.chunks_mut(7).zip(q.chunks(7).zip(v.chunks(6))) {
            let rate = attitude(q).into_inner() * Quaternion::from_imag(0.5 * vector(&v[3..]));
            rates.copy_from_slice(&[v[0], v[1], v[2], rate.w, rate.i, rate.j, rate.k]);
        }
    }

    fn normalize(&self, q: &mut [f64]) {
        for q in q.chunks_mut(7) {
            let length = attitude(q).norm();
            q[3..].iter_mut().for_each(|e| *e /= length);
        }
    }

    fn generalized_forces(&self, at: StateView, forces: &mut [f64]) {
        for (b, body) in self.bodies.iter().enumerate() {
            let omega = vector(&at.v[6 * b + 3..]);
            let gyroscopic = -omega.cross(&body.inertia.component_mul(&omega));
            forces[6 * b..][..3].copy_from_slice(&[0.0, 0.0, -body.mass * GRAVITY]);
            forces[6 * b + 3..][..3].copy_from_slice(gyroscopic.as_slice());
        }
        for spring in &self.springs {
            let [first, second] = spring.ends.map(|end| Self::point_motion(at.q, at.v, end));
            let pull = spring.stiffness * (second.position - first.position);
            for (end, motion, pull) in [(spring.ends[0], first, pull), (spring.ends[1], second, -pull)] {
                let Some(b) = end.body else { continue };
                let moment = motion.rotation.tr_mul(&motion.arm.cross(&pull));
                for i in 0..3 {
                    forces[6 * b + i] += pull[i];
                    forces[6 * b + 3 + i] += moment[i];
                }
            }
        }
    }

    fn reactions(&self, at: StateView, _: &[f64], lambda: &[f64], reactions: &mut [Reaction]) {
        let mut rest = lambda;
        for (joint, reaction) in self.joints.iter().zip(reactions) {
            let [first, second] = joint.ends.map(|end| Self::point_motion(at.q, at.v, end));
            let (part, after) = rest.split_at(rows_of(joint));
            let pairs = perpendicular_pairs(joint, &first, &second);
            let moment: V3 = pairs.iter().zip(&part[3..]).map(|((a, b), lambda)| a.cross(b) * *lambda).sum();
            *reaction =
                Reaction { point: second.position.into(), force: [part[0], part[1], part[2]], torque: moment.into() };
            rest = after;
        }
    }

    fn energy(&self, at: StateView) -> Energy {
        let kinetic = self.masses().iter().zip(at.v).map(|(m, v)| 0.5 * m * v * v).sum();
        let height = |(b, body): (usize, &Body)| body.mass * GRAVITY * at.q[7 * b + 2];
        let stored = |spring: &Spring| {
            let [first, second] = spring.ends.map(|end| Self::point_motion(at.q, at.v, end).position);
            0.5 * spring.stiffness * (second - first).norm_squared()
        };
        let potential = self.bodies.iter().enumerate().map(height).chain(self.springs.iter().map(stored)).sum();
        Energy { kinetic, potential }
    }

    fn outputs(&self, at: StateView, _: &[f64], _: &[f64], outputs: &mut [f64]) {
        outputs[0] = at.q[at.q.len() - 5];
    }

    fn poses(&self, at: StateView, poses: &mut [Pose]) {
        let StateView { q, .. } = at;
        for (pose, q) in poses.iter_mut().zip(q.chunks(7)) {
            *pose = Pose { position: [q[0], q[1], q[2]], attitude: [q[3], q[4], q[5], q[6]] };
        }
    }

    fn body_jacobians(&self, at: StateView, jacobians: &mut [f64]) {
        let StateView { q, .. } = at;
        let n_v = 6 * self.bodies.len();
        jacobians.fill(0.0);
        for (b, q) in q.chunks(7).enumerate() {
            let rotation = attitude(q).to_rotation_matrix().into_inner();
            for i in 0..3 {
                jacobians[(6 * b + i) * n_v + 6 * b + i] = 1.0;
                for j in 0..3 {
                    jacobians[(6 * b + 3 + i) * n_v + 6 * b + 3 + j] = rotation[(i, j)];
                }
            }
        }
    }
}

impl Describe for Bodies {
    fn is_spatial(&self) -> bool {
        true
    }

    fn marker_positions(&self, at: StateView, positions: &mut [[f64; 3]]) {
        let StateView { q, .. } = at;
        for (position, point) in positions.iter_mut().zip(self.points()) {
            *position = Self::point_motion(q, &[], point).position.into();
        }
    }

    fn marker_body(&self, marker: usize) -> Option<usize> {
        self.points()[marker].body
    }

    fn ends(&self, item: Item) -> Option<[usize; 2]> {
        let first = match item {
            Item::Joint(i) => 2 * i,
            Item::Force(i) => 2 * (self.joints.len() + i),
            _ => return None,
        };
        Some([first, first + 1])
    }

    fn name(&self, item: Item) -> &str {
        match item {
            Item::Mechanism => self.name,
            Item::Output(_) => "height",
            Item::Body(i) => self.bodies[i].name,
            Item::Joint(i) => self.joints[i].name,
            Item::Force(i) => self.springs[i].name,
            Item::Marker(i) => &self.names[i],
            _ => "",
        }
    }
}

impl Eventful for Bodies {}
impl Momenta for Bodies {}
