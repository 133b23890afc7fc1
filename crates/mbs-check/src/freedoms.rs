//! Motions that the rows leave free, one at a time.
//!
//! Motions that all rows but drives leave free are the null space of Ĝ. It is looked at through the twists across joints, which no
//! formulation changes: bodies that no joint ties to ground, and algebraic coordinates, count as if joints held them. With A those
//! twists along an orthonormal basis, motions c are chosen one after the other:
//!
//! (1)  W ← all motions; for each joint j in order: W' = {c ∈ W: A_j c = 0}, and W ← W' unless W' ⊂ span(chosen)
//! (2)  the same for each component of each twist
//! (3)  c ∈ W orthogonal to W ∩ span(chosen)
//!
//! No joint that moves in a motion could stay still in it, unless motions chosen before it did the rest.

use std::fmt;

use mbs_definition::Space;
use mbs_expr::{BodyId, JointId, Series, StandIn};
use mbs_model::{BodyKind, Model};
use mbs_physics::linear::{SparseRow, combinations};
use mbs_physics::{Mechanics, SolverCoordinate, Tree, default_variables};

use super::elements::is_drive;
use super::mass::moving;
use super::{Checked, Unknown, blame, numeric_sample, size, without_noise};

/// Most motions that are described.
const MOST: usize = 40;

/// Below this part of the largest, a twist is none.
const STILL: f64 = 1e-6;

/// A way to move that rows leave free, drives not counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FreeMotion {
    /// Joints with motion in them, in declaration order.
    pub joints: Vec<String>,
    /// Bodies that move.
    pub bodies: Vec<String>,
    /// Algebraic coordinates that change.
    pub coordinates: Vec<String>,
    /// Whether bodies turn as one in joints with others that stay where they are, as a bar does about its line.
    pub is_internal: bool,
    /// How the only joint, the bodies that no joint ties to ground, or those of an internal motion move: `turns about z`.
    manner: String,
}

impl fmt::Display for FreeMotion {
    /// "joint `pin` turns: body `crank` moves".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = |one: &str, many: &str, of: &[String]| {
            let word = if of.len() == 1 { one } else { many };
            format!("{word} {}", in_words(of))
        };
        let (joints, bodies) = (names("joint", "joints", &self.joints), names("body", "bodies", &self.bodies));
        let s = if self.bodies.len() == 1 { "s" } else { "" };
        // Several bodies `turn about z`.
        let manner = match self.bodies.len() {
            1 => self.manner.clone(),
            _ => self.manner.replacen("s ", " ", 1).trim_end_matches('s').to_owned(),
        };
        if self.is_internal {
            return write!(f, "internal: {bodies} {manner} in {joints}, nothing else moves");
        }
        match (&self.joints[..], &self.bodies[..]) {
            ([], []) => write!(f, "{} change", names("coordinate", "coordinates", &self.coordinates))?,
            ([], _) => write!(f, "{bodies} {manner}")?,
            ([_], []) => write!(f, "{joints} {}", self.manner)?,
            ([_], _) => write!(f, "{joints} {}: {bodies} move{s}", self.manner)?,
            (_, []) => write!(f, "{joints} move together")?,
            _ => write!(f, "{joints} move together: {bodies} move{s}")?,
        }
        Ok(())
    }
}

/// `a`, `b` and `c`; of more than eight the first seven.
fn in_words(names: &[String]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match &quoted[..] {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] if first.len() < 8 => format!("{} and {last}", first.join(", ")),
        all => format!("{} and {} more", all[..7].join(", "), all.len() - 7),
    }
}

/// The motions that rows leave free in the assembled pose of a mechanism that [`check`](super::check) has found sound, each with few
/// joints; as many as [`Checked::freedoms`] less prescribed coordinates of the tree. `None` where more than 40 are free, or the pose
/// has others than the mechanism elsewhere.
pub fn free_motions(model: &Model, tree: &Tree, checked: &Checked) -> Option<Vec<FreeMotion>> {
    if checked.freedoms > MOST {
        return None;
    }
    let model = &*model.with_stand_ins(StandIn::Generic);
    let basis = null_space(model, tree, &checked.assembled);
    if basis.len() + tree.prescribed.len() != checked.freedoms {
        return None;
    }
    let parts = Parts::of(model, tree);
    let motions = Motions::new(model, tree, &checked.assembled, &parts, &basis)?;
    Some(motions.chosen().iter().map(|c| motions.described(c, &parts)).collect())
}

/// A basis of the solver's speeds that rows leave free; of alternatives those of the first combination hold.
fn null_space(model: &Model, tree: &Tree, pose: &[f64]) -> Vec<Vec<f64>> {
    let unknown = Unknown::near(model, tree, pose);
    let sizes = blame::Bodies::new(model, tree).row_sizes(model, tree, pose);
    let numeric = numeric_sample(model, tree);
    let sample = without_noise(&numeric, sizes, &unknown)(pose, false);
    let off = model.combinations().into_iter().next().unwrap_or_default();
    let holds = |r: &usize| !is_drive(model, tree, *r) && !tree.rows[*r].element().is_some_and(|e| off.contains(&e));
    let mut columns = vec![SparseRow::new(); tree.n()];
    for r in (0..tree.rows.len()).filter(holds) {
        for (i, x) in &sample.jacobian[r] {
            columns[*i].insert(r, *x);
        }
    }
    let dense = |c: SparseRow| (0..tree.n()).map(|i| c.get(&i).copied().unwrap_or(0.0)).collect();
    combinations(&columns).into_iter().map(|(_, c)| dense(c)).collect()
}

/// A thing whose motion counts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    /// The second end of a joint against the first.
    Joint(JointId),
    /// A body that no joint ties to ground, against ground.
    Body(BodyId),
    /// An algebraic coordinate: index into the solver's.
    Coordinate(usize),
}

/// All parts, and what they join.
struct Parts<'m> {
    model: &'m Model,
    tree: &'m Tree,
    list: Vec<Part>,
}

impl<'m> Parts<'m> {
    fn of(model: &'m Model, tree: &'m Tree) -> Self {
        let joints: Vec<JointId> = (0..model.joints.len() as u32).map(JointId).collect();
        let joins = |j: &JointId| model.joint(*j).geared.is_none();
        let mut parts = Parts { model, tree, list: joints.into_iter().filter(joins).map(Part::Joint).collect() };
        // Bodies reached from ground; where that stops, the next body counts as held by ground.
        let mut reached = vec![false; model.bodies.len()];
        loop {
            parts.spread(&mut reached);
            let Some(b) = reached.iter().position(|reached| !reached) else { break };
            reached[b] = true;
            parts.list.push(Part::Body(BodyId(b as u32)));
        }
        let is_algebraic = |c: &SolverCoordinate| matches!(c, SolverCoordinate::Algebraic(_));
        parts.list.extend((0..tree.n()).filter(|i| is_algebraic(&tree.solver[*i])).map(Part::Coordinate));
        parts
    }

    /// Both bodies of a joint; `None` is ground.
    fn ends(&self, j: JointId) -> [Option<BodyId>; 2] {
        self.model.joint(j).ends.map(|end| self.model.markers[end.index()].body)
    }

    fn joints(&self) -> impl Iterator<Item = JointId> + '_ {
        self.list.iter().filter_map(|part| if let Part::Joint(j) = part { Some(*j) } else { None })
    }

    fn spread(&self, reached: &mut [bool]) {
        loop {
            let is_reached = |b: Option<BodyId>, reached: &[bool]| b.is_none_or(|b| reached[b.index()]);
            let next = self.joints().flat_map(|j| {
                let [a, b] = self.ends(j);
                [(a, b), (b, a)]
            });
            let mut next = next.filter(|(a, b)| is_reached(*a, reached) && !is_reached(*b, reached));
            let Some(b) = next.find_map(|(_, b)| b) else { return };
            reached[b.index()] = true;
        }
    }
}

/// Velocity over the size of the mechanism, and angular velocity.
type Twist = [f64; 6];

/// The free motions: what moves along an orthonormal basis of them.
struct Motions {
    /// Twists of all bodies at their centres of mass, for each basis motion.
    bodies: Vec<Vec<Twist>>,
    /// Twists of all parts, for each basis motion; orthonormal.
    parts: Vec<Vec<Twist>>,
    is_spatial: bool,
}

impl Motions {
    /// `None` where some motion moves nothing.
    fn new(model: &Model, tree: &Tree, pose: &[f64], parts: &Parts<'_>, basis: &[Vec<f64>]) -> Option<Self> {
        let length = size(model, tree, pose);
        let still = Velocities::new(model, tree, pose, &vec![0.0; tree.n()]);
        let mut motions = Motions { bodies: Vec::new(), parts: Vec::new(), is_spatial: model.space == Space::Spatial };
        for speeds in basis {
            let velocities = Velocities::new(model, tree, pose, speeds).without(&still);
            let twist = |part: &Part| match *part {
                Part::Joint(j) => velocities.across(parts, j, length),
                Part::Body(b) => velocities.of(b, length),
                Part::Coordinate(i) => [speeds[i], 0.0, 0.0, 0.0, 0.0, 0.0],
            };
            motions.parts.push(parts.list.iter().map(twist).collect());
            motions.bodies.push((0..model.bodies.len() as u32).map(|b| velocities.of(BodyId(b), length)).collect());
        }
        motions.orthonormal()
    }

    fn orthonormal(mut self) -> Option<Self> {
        for i in 0..self.parts.len() {
            let before = norm(&self.parts[i]);
            for _ in 0..2 {
                for k in 0..i {
                    let share: f64 = dot_all(&self.parts[i], &self.parts[k]);
                    self.add(i, k, -share);
                }
            }
            let after = norm(&self.parts[i]);
            if !(after > STILL * before && after.is_finite()) {
                return None;
            }
            self.add(i, i, 1.0 / after - 1.0);
        }
        Some(self)
    }

    /// Adds a multiple of one basis motion to another.
    fn add(&mut self, to: usize, from: usize, factor: f64) {
        for list in [&mut self.bodies, &mut self.parts] {
            let added = list[from].clone();
            for (to, from) in list[to].iter_mut().zip(&added) {
                (0..6).for_each(|k| to[k] += factor * from[k]);
            }
        }
    }

    /// Motions as (1) to (3) choose them, along the basis.
    fn chosen(&self) -> Vec<Vec<f64>> {
        let n = self.parts.len();
        let parts = self.parts.first().map_or(0, Vec::len);
        let row = |part: usize, k: usize| -> Vec<f64> { self.parts.iter().map(|m| m[part][k]).collect() };
        let (mut chosen, mut span): (Vec<Vec<f64>>, Vec<Vec<f64>>) = (Vec::new(), Vec::new());
        for _ in 0..n {
            let mut left: Vec<Vec<f64>> = (0..n).map(|i| unit(n, i)).collect();
            let mut silence = |rows: &[Vec<f64>]| {
                if rows.iter().all(|row| left.iter().all(|c| dot(c, row).abs() <= STILL)) {
                    return;
                }
                let less = kernel(&left, rows);
                if less.iter().any(|c| length(&beyond(c, &span)) > STILL) {
                    left = less;
                }
            };
            (0..parts).for_each(|part| silence(&(0..6).map(|k| row(part, k)).collect::<Vec<_>>()));
            for part in 0..parts {
                (0..6).rev().for_each(|k| silence(&[row(part, k)]));
            }
            let motion = outside(&left, &span);
            let new = beyond(&motion, &span);
            let size = length(&new);
            span.push(new.iter().map(|x| x / size).collect());
            chosen.push(motion);
        }
        chosen
    }

    /// Twists of a motion.
    fn along(&self, motion: &[f64], list: &[Vec<Twist>]) -> Vec<Twist> {
        let count = list.first().map_or(0, Vec::len);
        let sum = |i: usize| [0, 1, 2, 3, 4, 5].map(|k| motion.iter().zip(list).map(|(c, m)| c * m[i][k]).sum());
        (0..count).map(sum).collect()
    }

    fn described(&self, motion: &[f64], parts: &Parts<'_>) -> FreeMotion {
        let model = parts.model;
        let (bodies, twists) = (self.along(motion, &self.bodies), self.along(motion, &self.parts));
        let moving: Vec<usize> = moving_among(&bodies);
        let active: Vec<usize> = moving_among(&twists);
        let joint = |i: &usize| match parts.list[*i] {
            Part::Joint(j) => Some(model.joint(j).name.clone()),
            _ => None,
        };
        let coordinate = |i: &usize| match parts.list[*i] {
            Part::Coordinate(i) => Some(coordinate_name(parts.tree, model, i)),
            _ => None,
        };
        let is_internal = is_internal(parts, &bodies, &moving, &active);
        let manner = match (active.as_slice(), moving.first()) {
            (_, Some(b)) if is_internal => {
                let [.., x, y, z] = bodies[*b];
                manner(&[0.0, 0.0, 0.0, x, y, z], self.is_spatial).replacen("turns", "spins", 1)
            }
            ([i], _) if !matches!(parts.list[*i], Part::Coordinate(_)) => manner(&twists[*i], self.is_spatial),
            _ => "moves".to_owned(),
        };
        FreeMotion {
            joints: active.iter().filter_map(joint).collect(),
            bodies: moving.iter().map(|b| model.bodies[*b].name.clone()).collect(),
            coordinates: active.iter().filter_map(coordinate).collect(),
            is_internal,
            manner,
        }
    }
}

/// Name of an algebraic coordinate.
fn coordinate_name(tree: &Tree, model: &Model, i: usize) -> String {
    let name = tree.speed_name(model, i);
    name.strip_prefix("rate(").and_then(|name| name.strip_suffix(')')).map_or(name.clone(), str::to_owned)
}

/// Whether bodies turn, with no motion in joints between them, in joints with two or more others (ground is one) that stay where they are.
fn is_internal(parts: &Parts<'_>, twists: &[Twist], moving: &[usize], active: &[usize]) -> bool {
    let is_moving = |b: Option<BodyId>| b.is_some_and(|b| moving.contains(&b.index()));
    let size = norm(twists);
    let turns = |b: &usize| length(&twists[*b][3..]) > STILL * size;
    let mut neighbours: Vec<Option<BodyId>> = Vec::new();
    for i in active {
        let Part::Joint(j) = parts.list[*i] else { return false };
        let [a, b] = parts.ends(j);
        match [is_moving(a), is_moving(b)] {
            [true, false] => neighbours.push(b),
            [false, true] => neighbours.push(a),
            _ => return false,
        }
    }
    neighbours.sort_unstable();
    neighbours.dedup();
    moving.iter().all(turns) && neighbours.len() > 1
}

/// `turns about z`, `slides along x`, `moves`; without axes in the plane for a turn.
fn manner(twist: &Twist, is_spatial: bool) -> String {
    let [slide, turn] = [[0, 1, 2], [3, 4, 5]].map(|of| of.map(|k| twist[k]));
    let along = |v: [f64; 3]| {
        let size = length(&v);
        (0..3).find(|k| v[*k].abs() > (1.0 - STILL) * size).map(|k| ["x", "y", "z"][k])
    };
    let largest = length(&slide).max(length(&turn));
    let [slides, turns] = [slide, turn].map(|v| length(&v) > STILL * largest);
    match (slides, turns) {
        (true, false) => along(slide).map_or("slides".to_owned(), |axis| format!("slides along {axis}")),
        (false, true) if is_spatial => along(turn).map_or("turns".to_owned(), |axis| format!("turns about {axis}")),
        (false, true) => "turns".to_owned(),
        _ => "moves".to_owned(),
    }
}

/// Those that move.
fn moving_among(twists: &[Twist]) -> Vec<usize> {
    let largest = twists.iter().map(|t| length(t)).fold(0.0, f64::max);
    (0..twists.len()).filter(|i| length(&twists[*i]) > STILL * largest).collect()
}

/// Velocities of all bodies.
struct Velocities {
    /// Location and velocity of each centre of mass, and the angular velocity of its body, zero for a particle.
    bodies: Vec<[[f64; 3]; 3]>,
    /// Locations of the second ends of joints.
    points: Vec<[f64; 3]>,
    particles: Vec<bool>,
}

impl Velocities {
    fn new(model: &Model, tree: &Tree, pose: &[f64], speeds: &[f64]) -> Self {
        let mechanics: Mechanics<'_, Series<2>> = moving(model, tree, default_variables(model, tree), pose, speeds);
        let is_particle = |b: usize| model.bodies[b].kind == BodyKind::Particle;
        let of = |b: usize| {
            let com = mechanics.marker_point(model.bodies[b].com_marker);
            let spin = match model.space {
                _ if is_particle(b) => [0.0; 3],
                Space::Planar => [0.0, 0.0, mechanics.kinematics.angle(BodyId(b as u32)).derivative(1)],
                Space::Spatial => mechanics.space.angular_velocity(b).map(Series::value).0,
            };
            [com.map(Series::value).0, com.map(|x| x.derivative(1)).0, spin]
        };
        Velocities {
            bodies: (0..model.bodies.len()).map(of).collect(),
            points: model.joints.iter().map(|j| mechanics.marker_point(j.ends[1]).map(Series::value).0).collect(),
            particles: (0..model.bodies.len()).map(is_particle).collect(),
        }
    }

    /// Less those of what moves with time alone.
    fn without(mut self, still: &Velocities) -> Self {
        for (body, still) in self.bodies.iter_mut().zip(&still.bodies) {
            (1..3).for_each(|i| (0..3).for_each(|k| body[i][k] -= still[i][k]));
        }
        self
    }

    /// Twist of a body at its centre of mass.
    fn of(&self, body: BodyId, length: f64) -> Twist {
        let [_, v, w] = self.bodies[body.index()];
        [v[0] / length, v[1] / length, v[2] / length, w[0], w[1], w[2]]
    }

    /// Twist of a joint's second end against the first, at the second.
    fn across(&self, parts: &Parts<'_>, joint: JointId, length: f64) -> Twist {
        let point = self.points[joint.index()];
        let at_point = |body: Option<BodyId>| -> Twist {
            let Some(b) = body else { return [0.0; 6] };
            let [com, v, w] = self.bodies[b.index()];
            let r = [0, 1, 2].map(|k| point[k] - com[k]);
            let u = [w[1] * r[2] - w[2] * r[1], w[2] * r[0] - w[0] * r[2], w[0] * r[1] - w[1] * r[0]];
            [(v[0] + u[0]) / length, (v[1] + u[1]) / length, (v[2] + u[2]) / length, w[0], w[1], w[2]]
        };
        let ends = parts.ends(joint);
        let [a, b] = ends.map(at_point);
        let of_particle = ends.into_iter().flatten().any(|b| self.particles[b.index()]);
        [0, 1, 2, 3, 4, 5].map(|k| if of_particle && k > 2 { 0.0 } else { b[k] - a[k] })
    }
}

fn unit(n: usize, i: usize) -> Vec<f64> {
    (0..n).map(|k| if k == i { 1.0 } else { 0.0 }).collect()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn length(a: &[f64]) -> f64 {
    dot(a, a).sqrt()
}

fn dot_all(a: &[Twist], b: &[Twist]) -> f64 {
    a.iter().zip(b).map(|(a, b)| dot(a, b)).sum()
}

fn norm(a: &[Twist]) -> f64 {
    dot_all(a, a).sqrt()
}

/// The part of a vector outside the span of an orthonormal list.
fn beyond(vector: &[f64], span: &[Vec<f64>]) -> Vec<f64> {
    let mut rest = vector.to_vec();
    for _ in 0..2 {
        for known in span {
            let share = dot(&rest, known);
            rest.iter_mut().zip(known).for_each(|(x, k)| *x -= share * k);
        }
    }
    rest
}

/// An orthonormal basis of what some rows leave of a subspace that has one.
fn kernel(subspace: &[Vec<f64>], rows: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let d = subspace.len();
    let mut held: Vec<Vec<f64>> = Vec::new();
    for row in rows {
        let along: Vec<f64> = subspace.iter().map(|w| dot(w, row)).collect();
        let rest = beyond(&along, &held);
        let size = length(&rest);
        if size > STILL {
            held.push(rest.into_iter().map(|x| x / size).collect());
        }
    }
    // Unit vectors without the parts that are taken, the longest first.
    let mut left: Vec<Vec<f64>> = (0..d).map(|i| beyond(&unit(d, i), &held)).collect();
    let mut free: Vec<Vec<f64>> = Vec::new();
    for _ in held.len()..d {
        let Some(at) = (0..left.len()).rev().max_by(|a, b| length(&left[*a]).total_cmp(&length(&left[*b]))) else {
            break;
        };
        let rest = left.remove(at);
        let size = length(&rest);
        let new = [rest.iter().map(|x| x / size).collect::<Vec<f64>>()];
        left.iter_mut().for_each(|vector| *vector = beyond(vector, &new));
        let component = |k: usize| new[0].iter().zip(subspace).map(|(c, w)| c * w[k]).sum();
        free.push((0..subspace[0].len()).map(component).collect());
    }
    free
}

/// A unit vector of a subspace orthogonal to what that shares with a span.
fn outside(subspace: &[Vec<f64>], span: &[Vec<f64>]) -> Vec<f64> {
    let beyond: Vec<Vec<f64>> = subspace.iter().map(|w| beyond(w, span)).collect();
    let most = beyond.iter().max_by(|a, b| length(a).total_cmp(&length(b))).cloned().unwrap_or_default();
    let shares: Vec<f64> = beyond.iter().map(|b| dot(b, &most)).collect();
    let sum: Vec<f64> = (0..most.len()).map(|k| shares.iter().zip(subspace).map(|(c, w)| c * w[k]).sum()).collect();
    let size = length(&sum);
    sum.into_iter().map(|x| x / size).collect()
}
