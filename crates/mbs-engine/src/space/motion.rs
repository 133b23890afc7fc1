//! Poses, velocities and accelerations of all links and bodies, parents first, in world axes.
//!
//! ρ is the vector from the parent's origin to the link's; u and w are the relative velocity and angular velocity (see `link`):
//!
//! ```text
//! (1)  v = v_P + ω_P × ρ + u                                  ω = ω_P + w
//! (2)  a = a_P + α_P × ρ + ω_P × (ω_P × ρ) + 2 ω_P × u + b + Σ c_k v̇_k       α = α_P + ω_P × w + Σ w_k v̇_k
//! ```
//!
//! Featherstone (2008), *Rigid Body Dynamics Algorithms*, ch. 4, with vectors in world axes about the origin of each link.

use crate::constants::Constants;
use crate::poses::{MOST_SPEEDS, PosePlan};

use super::frame::{Frame, GROUND};
use super::link::{Kind, Relative, Shape};
use super::natural::{NaturalMotion, NaturalNumbers, NaturalPlan};
use super::posed::PoseState;
use super::vector::{Column, FixedPose, IDENTITY, Wrench, ZERO};
use crate::wrench::half_derivative;

/// One elementary motion in the order of the tree.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Link {
    pub kind: Kind,
    /// The inboard link, `None` for ground.
    pub parent: Option<usize>,
    /// First coordinate and their number.
    pub first_q: usize,
    pub coordinates: usize,
    /// First speed and their number.
    pub first_v: usize,
    pub speeds: usize,
}

impl Link {
    /// Its coordinates.
    pub fn coordinates(&self) -> std::ops::Range<usize> {
        self.first_q..self.first_q + self.coordinates
    }

    /// Its speeds.
    pub fn speeds(&self) -> std::ops::Range<usize> {
        self.first_v..self.first_v + self.speeds
    }
}

/// Speeds of a link at rest.
const REST: [f64; MOST_SPEEDS] = [0.0; MOST_SPEEDS];

/// All links and bodies, and the columns of their Jacobians.
#[derive(Clone, Debug)]
pub(crate) struct Motion {
    /// Frame of each link.
    pub links: Vec<Frame>,
    /// Frame of each body; offsets are from the origins of their links.
    pub bodies: Vec<Frame>,
    /// Motion of each body in natural coordinates.
    pub natural: Vec<NaturalMotion>,
    /// Column of each speed that moves a link: the velocity of that link relative to its parent per unit speed.
    pub columns: Vec<Column>,
    /// Rate of each column where speeds are the rates of coordinates.
    pub column_rates: Vec<Column>,
    /// q̇ and q̈ of all coordinates.
    pub rates: Vec<f64>,
    pub second_rates: Vec<f64>,
    /// State of each pose of the model.
    pub poses: Vec<PoseState>,
}

/// The parts of a plan that a motion needs.
#[derive(Clone, Copy)]
pub(crate) struct Tree<'a> {
    pub links: &'a [Link],
    /// Link of each body.
    pub link_of: &'a [Option<usize>],
    /// Pose of each link's base in its parent.
    pub bases: &'a [FixedPose],
    pub shapes: &'a [Shape],
    /// Pose of each body in its link.
    pub attachments: &'a [FixedPose],
    pub natural: &'a [NaturalPlan],
    pub natural_numbers: &'a [NaturalNumbers],
    pub poses: &'a [PosePlan],
    pub constants: &'a Constants,
}

impl Motion {
    /// Motion of so many bodies, of which `natural` are in natural coordinates, and coordinates.
    pub fn new(links: &[Link], [bodies, natural, coordinates]: [usize; 3], poses: &[PosePlan]) -> Self {
        let speeds = links.iter().map(|l| l.speeds).sum();
        Motion {
            links: vec![GROUND; links.len()],
            bodies: vec![GROUND; bodies],
            natural: vec![NaturalMotion::ZERO; natural],
            columns: vec![Column::ZERO; speeds],
            column_rates: vec![Column::ZERO; speeds],
            rates: vec![0.0; coordinates],
            second_rates: vec![0.0; coordinates],
            poses: poses.iter().map(PosePlan::new_state).collect(),
        }
    }

    /// Frame of a body; `None` is ground.
    pub fn body(&self, body: Option<usize>) -> &Frame {
        body.map_or(&GROUND, |b| &self.bodies[b])
    }

    /// Updates poses and columns at coordinates q, velocities and accelerations at speeds v and v̇ = a. An empty slice stands for zeros.
    pub fn run(&mut self, tree: Tree<'_>, [q, v, a]: [&[f64]; 3]) {
        for (i, link) in tree.links.iter().enumerate() {
            let parent = link.parent.map_or(GROUND, |p| self.links[p]);
            let link_values = |x: &[f64]| -> [f64; MOST_SPEEDS] {
                let given = x.get(link.speeds()).unwrap_or(&REST[..link.speeds]);
                std::array::from_fn(|k| given.get(k).copied().unwrap_or(0.0))
            };
            let (v, a) = (link_values(v), link_values(a));
            let columns = &mut self.columns[link.speeds()];
            let state = (&q[link.coordinates()], &v[..link.speeds]);
            let pose = match link.kind {
                Kind::Posed { pose, reversed, moves, .. } => {
                    self.poses[pose].set(&tree.poses[pose], tree.constants, state, reversed);
                    Some(&self.poses[pose]).filter(|_| moves)
                }
                _ => None,
            };
            let (frame, bias) = link_frame(link, &tree.bases[i], &tree.shapes[i], &parent, state, pose, columns);
            self.links[i] = frame;
            set_rates(&mut self.links[i], link, &parent, columns, &v[..link.speeds], &a[..link.speeds], bias);
            let (rates, second) = (&mut self.rates[link.coordinates()], &mut self.second_rates[link.coordinates()]);
            if let Kind::Posed { pose, .. } = link.kind {
                self.poses[pose].rates(&v[..link.speeds], false, rates);
                self.poses[pose].rates(&a[..link.speeds], true, second);
                continue;
            }
            link.kind.rates(&q[link.coordinates()], &v[..link.speeds], rates);
            link.kind.second_rates(&q[link.coordinates()], &v[..link.speeds], &a[..link.speeds], second);
        }
        for (body, (link, pose)) in self.bodies.iter_mut().zip(tree.link_of.iter().zip(tree.attachments)) {
            *body = link.map_or(GROUND, |l| self.links[l]).fixed_frame(pose);
        }
        // Basics and algebraic coordinates follow the columns: their rates are their speeds.
        let moved: usize = tree.links.iter().map(|l| l.coordinates).sum();
        for (k, (rate, second)) in self.rates[moved..].iter_mut().zip(&mut self.second_rates[moved..]).enumerate() {
            let at = self.columns.len() + k;
            (*rate, *second) = (v.get(at).copied().unwrap_or(0.0), a.get(at).copied().unwrap_or(0.0));
        }
        let bodies = tree.natural.iter().zip(tree.natural_numbers);
        for (motion, (plan, numbers)) in self.natural.iter_mut().zip(bodies) {
            *motion = NaturalMotion::new(plan, numbers, [q, &self.rates, &self.second_rates]);
            self.bodies[plan.body.index()] = motion.frame(numbers);
        }
    }

    /// Updates the rates of columns at coordinates q and speeds v = q̇. Requires poses and rates of links there.
    ///
    /// In the base's axes ċ_k = Σ ∂²d/∂q_k∂q_l q̇_l, half the derivative of b with respect to q̇_k. The axial vector of the skew part of R̈ Rᵀ
    /// has half the derivative ẇ_k + ½ w_k × w, since d/dt(∂R/∂q_k Rᵀ) = ∂²R/∂q_k∂q_l q̇_l Rᵀ − w̃_k w̃.
    pub fn update_column_rates(&mut self, tree: Tree<'_>, [q, v]: [&[f64]; 2]) {
        for (i, link) in tree.links.iter().enumerate() {
            let parent = link.parent.map_or(GROUND, |p| self.links[p]);
            let axes = parent.rotation * tree.bases[i].rotation;
            let (q, v) = (&q[link.coordinates()], &v[link.speeds()]);
            for (k, column) in link.speeds().enumerate() {
                let bias = |v: &[f64]| match link.kind {
                    Kind::Posed { moves: false, .. } => Column::ZERO,
                    Kind::Posed { pose, reversed, .. } => {
                        self.poses[pose].bias_of_rates(&tree.poses[pose], tree.constants, (q, v), reversed)
                    }
                    kind => {
                        let shape = &tree.shapes[i];
                        let velocity = kind.guided_bias(shape, q, &kind.pose(shape, q), v);
                        Column { velocity, ..Column::ZERO }
                    }
                };
                let relative = half_derivative(bias, v, k);
                let Column { velocity, rate } = self.columns[column];
                let relative_rate = self.links[i].rate - parent.rate;
                self.column_rates[column] = Column {
                    velocity: parent.rate.cross(velocity) + axes * relative.velocity,
                    rate: parent.rate.cross(rate) + axes * relative.rate - rate.cross(relative_rate) * 0.5,
                };
            }
        }
    }

    /// Adds Nᵀ x of a link to `sums`: x are loads on its coordinates q, `sums` generalised forces of its speeds.
    pub fn project_coordinate_loads(&self, link: &Link, q: &[f64], x: &[f64], sums: &mut [f64]) {
        match link.kind {
            Kind::Posed { pose, .. } => self.poses[pose].project(x, sums),
            kind => kind.project(q, x, sums),
        }
    }

    /// Projects a wrench on one link onto the speeds that move the link, Jᵀ w. `wrench` may be a load, or the derivative ∂x/∂(twist of the
    /// link at its origin), whose projection is a part of ∂x/∂v. `add` receives the index of each speed and its value, from the link to the
    /// root.
    pub fn project_wrench(&self, links: &[Link], link: usize, wrench: Wrench, mut add: impl FnMut(usize, f64)) {
        let (mut wrench, mut next) = (wrench, Some(link));
        while let Some(i) = next {
            for k in links[i].speeds() {
                add(k, self.columns[k].power(wrench));
            }
            wrench = wrench.shifted(self.links[i].offset);
            next = links[i].parent;
        }
    }
}

/// Frame of a link with its pose alone, and the bias b of guided and declared motions, world axes. Overwrites `columns`.
fn link_frame(
    link: &Link,
    base: &FixedPose,
    shape: &Shape,
    parent: &Frame,
    (q, v): (&[f64], &[f64]),
    pose: Option<&PoseState>,
    columns: &mut [Column],
) -> (Frame, Column) {
    let axes = parent.rotation * base.rotation;
    let (at, bias) = match (pose, link.kind) {
        (Some(pose), _) => {
            columns.copy_from_slice(&pose.columns);
            (pose.relative(), pose.bias)
        }
        (None, Kind::Posed { .. }) => {
            columns.fill(Column::ZERO);
            (Relative { displacement: ZERO, rotation: IDENTITY }, Column::ZERO)
        }
        (None, kind) => {
            let at = kind.pose(shape, q);
            kind.columns(shape, q, &at, columns);
            let velocity = kind.guided_bias(shape, q, &at, v);
            (at, Column { velocity, ..Column::ZERO })
        }
    };
    let in_world = |c: Column| Column { velocity: axes * c.velocity, rate: axes * c.rate };
    columns.iter_mut().for_each(|c| *c = in_world(*c));
    let bias = in_world(bias);
    let offset = parent.rotation * base.point + axes * at.displacement;
    (Frame { rotation: axes * at.rotation, origin: parent.origin + offset, offset, ..GROUND }, bias)
}

/// Sets velocities and accelerations of a frame: (1) and (2).
fn set_rates(frame: &mut Frame, link: &Link, parent: &Frame, columns: &[Column], v: &[f64], a: &[f64], bias: Column) {
    let combined = |x: &[f64]| {
        let mut sum = Column::ZERO;
        columns.iter().zip(x).for_each(|(c, x)| sum += *c * *x);
        sum
    };
    let (moving, accelerating) = (combined(v), combined(a));
    let offset = parent.fixed_vector(frame.offset);
    frame.rate = parent.rate + moving.rate;
    frame.velocity = parent.velocity + offset.rate + moving.velocity;
    let relative = parent.rate.cross(moving.rate) + bias.rate + accelerating.rate;
    frame.angular_acceleration = parent.angular_acceleration + relative;
    let coriolis = parent.rate.cross(moving.velocity) * 2.0 + link.kind.bias(columns, v, moving);
    let relative = coriolis + bias.velocity + accelerating.velocity;
    frame.acceleration = parent.acceleration + offset.second + relative;
}
