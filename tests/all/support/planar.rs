//! Planar bodies in (x, y, θ) with the origin at the centre of mass, pins and slides, solved densely.

use mbs::{
    Condition, Describe, Energy, Error, Eventful, Item, Level, Mechanism, Momenta, Pose, RankDeficiency, Sizes,
    StateView,
};

const GRAVITY: f64 = 9.81;

#[derive(Clone)]
pub struct Body {
    pub name: &'static str,
    pub mass: f64,
    pub inertia: f64,
    /// x, y, θ.
    pub guess: [f64; 3],
}

/// A point of a body, relative to its centre of mass in body axes, or a point of ground.
#[derive(Clone, Copy)]
pub struct Point {
    pub body: Option<usize>,
    pub at: [f64; 2],
}

#[derive(Clone)]
pub struct Joint {
    name: &'static str,
    is_prismatic: bool,
    ends: [Point; 2],
    names: [String; 4],
}

impl Joint {
    /// Two rows: first point minus second point.
    pub fn pin(name: &'static str, first: Point, second: Point) -> Self {
        let part = |part: &str| format!("{name}.{part}");
        Joint {
            name,
            is_prismatic: false,
            ends: [first, second],
            names: [part("x"), part("y"), part("first"), part("second")],
        }
    }

    /// Two rows, height and angle of ground minus those of the second body: a slide along x.
    pub fn slide(name: &'static str, first: Point, second: Point) -> Self {
        let names =
            [format!("{name}.normal"), format!("{name}.angle"), format!("{name}.first"), format!("{name}.second")];
        Joint { name, is_prismatic: true, ends: [first, second], names }
    }
}

/// A linear spring of free length 0.
#[derive(Clone)]
pub struct Spring {
    name: &'static str,
    stiffness: f64,
    ends: [Point; 2],
    names: [String; 2],
}

impl Spring {
    pub fn new(name: &'static str, stiffness: f64, first: Point, second: Point) -> Self {
        let names = [format!("{name}.first"), format!("{name}.second")];
        Spring { name, stiffness, ends: [first, second], names }
    }
}

/// Whether a mechanism implements `ends`, which it need not.
#[derive(Clone, Copy, PartialEq)]
pub enum Ends {
    Reported,
    Unreported,
}

#[derive(Clone)]
pub struct Planar {
    pub name: &'static str,
    pub bodies: Vec<Body>,
    pub joints: Vec<Joint>,
    pub springs: Vec<Spring>,
    pub ends: Ends,
    pub markers: Vec<(&'static str, Point)>,
    /// Rates of the first bodies, as conditions of assembly \[rad/s\].
    pub rates: Vec<f64>,
    /// A built-in load: its point, force in world axes \[N\] and torque \[N m\].
    pub wrench: Option<(Point, [f64; 2], f64)>,
}

impl Planar {
    fn points(&self) -> impl Iterator<Item = (&str, Point)> {
        let ends = self.joints.iter().flat_map(|j| [(&*j.names[2], j.ends[0]), (&*j.names[3], j.ends[1])]);
        let coms = (0..self.bodies.len()).map(|b| ("com", Point { body: Some(b), at: [0.0; 2] }));
        let springs = self.springs.iter().flat_map(|s| [(&*s.names[0], s.ends[0]), (&*s.names[1], s.ends[1])]);
        ends.chain(springs).chain(self.markers.iter().copied()).chain(coms)
    }

    /// Position in world axes, the arm R s from the centre of mass, and ω² R s.
    fn point_motion(&self, q: &[f64], v: &[f64], point: Point) -> ([f64; 2], [f64; 2], [f64; 2]) {
        let Some(b) = point.body else { return (point.at, [0.0; 2], [0.0; 2]) };
        let (s, c) = mbs::math::sin_cos(q[3 * b + 2]);
        let arm = [c * point.at[0] - s * point.at[1], s * point.at[0] + c * point.at[1]];
        let square = v[3 * b + 2] * v[3 * b + 2];
        ([q[3 * b] + arm[0], q[3 * b + 1] + arm[1]], arm, [square * arm[0], square * arm[1]])
    }

    /// G (n_c × n_v, row-major) and γ.
    fn rows(&self, q: &[f64], v: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let n = 3 * self.bodies.len();
        let (mut g, mut gamma) = (vec![0.0; 2 * self.joints.len() * n], vec![0.0; 2 * self.joints.len()]);
        for (j, joint) in self.joints.iter().enumerate() {
            for (end, sign) in joint.ends.into_iter().zip([1.0, -1.0]) {
                let (_, arm, center) = self.point_motion(q, v, end);
                let Some(b) = end.body else { continue };
                let (first, second) = (2 * j * n + 3 * b, (2 * j + 1) * n + 3 * b);
                if joint.is_prismatic {
                    (g[first + 1], g[first + 2], gamma[2 * j]) = (sign, sign * arm[0], gamma[2 * j] + sign * center[1]);
                    g[second + 2] = sign;
                } else {
                    (g[first], g[first + 2], gamma[2 * j]) = (sign, -sign * arm[1], gamma[2 * j] + sign * center[0]);
                    (g[second + 1], g[second + 2]) = (sign, sign * arm[0]);
                    gamma[2 * j + 1] += sign * center[1];
                }
            }
        }
        (g, gamma)
    }

    fn masses(&self) -> impl Iterator<Item = f64> {
        self.bodies.iter().flat_map(|b| [b.mass, b.mass, b.inertia])
    }
}

impl Mechanism for Planar {
    type Coordinates = Box<[f64]>;
    type Speeds = Box<[f64]>;
    type Multipliers = Box<[f64]>;
    type Auxiliary = Box<[f64]>;
    type Inputs = Box<[f64]>;
    type Scratch = Box<[f64]>;

    fn sizes(&self) -> Sizes {
        let (n, n_c) = (self.bodies.len(), 2 * self.joints.len());
        Sizes {
            n_q: 3 * n,
            n_v: 3 * n,
            n_c,
            n_position: n_c,
            n_velocity: n_c,
            n_u: 1,
            n_outputs: 2,
            n_bodies: n,
            n_markers: self.points().count(),
            n_joints: self.joints.len(),
            n_forces: self.springs.len(),
            n_conditions: self.rates.len(),
            ..Sizes::default()
        }
    }

    fn storage(&self) -> (Box<[f64]>, Box<[f64]>, Box<[f64]>, Box<[f64]>, Box<[f64]>, Box<[f64]>) {
        let zeros = |n: usize| vec![0.0; n].into_boxed_slice();
        let Sizes { n_v, n_c, n_conditions: n, .. } = self.sizes();
        (zeros(n_v), zeros(n_v), zeros(n_c), zeros(0), zeros(1), zeros(n * (n_v + n + 2)))
    }

    fn guess(&self, q: &mut [f64], v: &mut [f64], _: &mut [f64]) {
        v.fill(0.0);
        for (q, x) in q.iter_mut().zip(self.bodies.iter().flat_map(|b| b.guess)) {
            *q = x;
        }
    }

    fn accelerations(&self, at: StateView, a: &mut [f64], lambda: &mut [f64]) -> Result<(), Error> {
        let (_, gamma) = self.rows(at.q, at.v);
        let mut forces = vec![0.0; at.v.len()];
        self.generalized_forces(at, &mut forces);
        self.solve(at, &forces, &gamma, a, lambda)
    }

    fn solve(&self, at: StateView, f: &[f64], g: &[f64], x: &mut [f64], mu: &mut [f64]) -> Result<(), Error> {
        let StateView { t, q, .. } = at;
        let (n_v, n_c) = (x.len(), mu.len());
        let n = n_v + n_c;
        let (rows, _) = self.rows(q, &vec![0.0; n_v]);
        let mut matrix = vec![0.0; n * n];
        for (i, mass) in self.masses().enumerate() {
            matrix[i * n + i] = mass;
        }
        for c in 0..n_c {
            for i in 0..n_v {
                matrix[i * n + n_v + c] = rows[c * n_v + i];
                matrix[(n_v + c) * n + i] = rows[c * n_v + i];
            }
        }
        let mut rhs = [f, g].concat();
        super::solve_dense(t, &mut matrix, &mut rhs, RankDeficiency::Error)?;
        x.copy_from_slice(&rhs[..n_v]);
        mu.copy_from_slice(&rhs[n_v..]);
        Ok(())
    }

    fn position_residuals(&self, at: StateView, phi: &mut [f64]) {
        let StateView { q, .. } = at;
        for (joint, phi) in self.joints.iter().zip(phi.chunks_mut(2)) {
            let [first, second] = joint.ends.map(|end| self.point_motion(q, &vec![0.0; q.len()], end).0);
            let angle = joint.ends[1].body.map_or(0.0, |b| q[3 * b + 2]);
            let rows = [[first[0] - second[0], first[1] - second[1]], [first[1] - second[1], -angle]];
            phi.copy_from_slice(&rows[usize::from(joint.is_prismatic)]);
        }
    }

    fn velocity_residuals(&self, at: StateView, psi: &mut [f64]) {
        let StateView { q, v, .. } = at;
        let (g, _) = self.rows(q, v);
        for (psi, row) in psi.iter_mut().zip(g.chunks(v.len())) {
            *psi = row.iter().zip(v).map(|(g, v)| g * v).sum();
        }
    }

    fn generalized_forces(&self, at: StateView, forces: &mut [f64]) {
        forces.fill(0.0);
        for (b, body) in self.bodies.iter().enumerate() {
            forces[3 * b + 1] = -body.mass * GRAVITY;
        }
        forces[2] += at.u[0];
        for spring in &self.springs {
            let [first, second] = spring.ends.map(|end| self.point_motion(at.q, at.v, end));
            let pull = [0, 1].map(|i| spring.stiffness * (second.0[i] - first.0[i]));
            for (end, (_, arm, _), sign) in [(spring.ends[0], first, 1.0), (spring.ends[1], second, -1.0)] {
                let Some(b) = end.body else { continue };
                forces[3 * b] += sign * pull[0];
                forces[3 * b + 1] += sign * pull[1];
                forces[3 * b + 2] += sign * (arm[0] * pull[1] - arm[1] * pull[0]);
            }
        }
        if let Some((point, [x, y], torque)) = self.wrench {
            let (b, (_, arm, _)) = (point.body.unwrap(), self.point_motion(at.q, at.v, point));
            forces[3 * b] += x;
            forces[3 * b + 1] += y;
            forces[3 * b + 2] += torque + arm[0] * y - arm[1] * x;
        }
    }

    fn energy(&self, at: StateView) -> Energy {
        let kinetic = self.masses().zip(at.v).map(|(m, v)| 0.5 * m * v * v).sum();
        let height = |(b, body): (usize, &Body)| body.mass * GRAVITY * at.q[3 * b + 1];
        let stored = |spring: &Spring| {
            let [first, second] = spring.ends.map(|end| self.point_motion(at.q, at.v, end).0);
            0.5 * spring.stiffness * ((second[0] - first[0]).powi(2) + (second[1] - first[1]).powi(2))
        };
        let potential = self.bodies.iter().enumerate().map(height).chain(self.springs.iter().map(stored)).sum();
        Energy { kinetic, potential }
    }

    fn outputs(&self, at: StateView, a: &[f64], _: &[f64], outputs: &mut [f64]) {
        let last = self.bodies.len() - 1;
        outputs.copy_from_slice(&[at.q[3 * last], a[3 * last + 2]]);
    }

    fn poses(&self, at: StateView, poses: &mut [Pose]) {
        let StateView { q, .. } = at;
        for (pose, q) in poses.iter_mut().zip(q.chunks(3)) {
            let (s, c) = (0.5 * q[2]).sin_cos();
            *pose = Pose { position: [q[0], q[1], 0.0], attitude: [c, 0.0, 0.0, s] };
        }
    }

    fn body_jacobians(&self, at: StateView, jacobians: &mut [f64]) {
        let StateView { q, .. } = at;
        jacobians.fill(0.0);
        for b in 0..self.bodies.len() {
            for (row, column) in [(0, 0), (1, 1), (5, 2)] {
                jacobians[(6 * b + row) * q.len() + 3 * b + column] = 1.0;
            }
        }
    }

    fn initial_condition(&self, condition: usize, at: StateView, gradient: &mut [f64]) -> Condition {
        gradient.fill(0.0);
        gradient[3 * condition + 2] = 1.0;
        Condition { residual: at.v[3 * condition + 2] - self.rates[condition], level: Level::Velocity }
    }
}

impl Describe for Planar {
    fn marker_positions(&self, at: StateView, positions: &mut [[f64; 3]]) {
        let StateView { q, .. } = at;
        for (position, (_, point)) in positions.iter_mut().zip(self.points()) {
            let ([x, y], ..) = self.point_motion(q, &vec![0.0; q.len()], point);
            *position = [x, y, 0.0];
        }
    }

    fn marker_body(&self, marker: usize) -> Option<usize> {
        self.points().nth(marker).unwrap().1.body
    }

    fn ends(&self, item: Item) -> Option<[usize; 2]> {
        let first = match item {
            Item::Joint(i) => 2 * i,
            Item::Force(i) => 2 * (self.joints.len() + i),
            _ => return None,
        };
        (self.ends == Ends::Reported).then_some([first, first + 1])
    }

    fn name(&self, item: Item) -> &str {
        match item {
            Item::Mechanism => self.name,
            Item::Row(i) => &self.joints[i / 2].names[i % 2],
            Item::Output(i) => ["stroke", "last_acceleration"][i],
            Item::Body(i) => self.bodies[i].name,
            Item::Input(_) => "torque",
            Item::Joint(i) => self.joints[i].name,
            Item::Force(i) => self.springs[i].name,
            Item::Marker(i) => match self.points().nth(i) {
                Some(("com", point)) => {
                    COM_NAMES.iter().find(|n| n.starts_with(self.bodies[point.body.unwrap()].name)).unwrap()
                }
                found => found.unwrap().0,
            },
            _ => "",
        }
    }
}

impl Eventful for Planar {}
impl Momenta for Planar {}

const COM_NAMES: [&str; 7] =
    ["crank.com", "coupler.com", "rocker.com", "rod.com", "piston.com", "upper.com", "lower.com"];
