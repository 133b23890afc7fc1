//! Describes the motions that the rows leave free, one for each degree of freedom.
//!
//! The motions that all rows except drives leave free are the null space of Ĝ. They are described by the twists across joints, which do not depend on
//! the formulation; bodies that no joint connects to ground count as joined to ground, and algebraic coordinates as joints. With A the twists of
//! an orthonormal basis of motions, motions c are chosen one after the other:
//!
//! (1)  W ← all motions; for each joint j in order: W' = {c ∈ W: A_j c = 0}, and W ← W' unless W' ⊂ span(chosen)
//! (2)  as (1), for each component of each twist
//! (3)  c ∈ W orthogonal to W ∩ span(chosen)
//!
//! So each motion moves few joints: if one of its joints were at rest, the motion would be a combination of those chosen before.

use std::fmt;

use mbs_definition::Space;
use mbs_expr::{BodyId, JointId, Series, StandIn};
use mbs_model::{BodyKind, Model};
use mbs_physics::linear::{SparseRow, combinations};
use mbs_physics::{Mechanics, SolverCoordinate, Tree, default_variables};

use super::elements::is_drive;
use super::mass::mechanics_in_motion;
use super::{Checked, Context, mechanism_size, numeric_sample};

/// Largest number of motions that are described.
const MOST: usize = 40;

/// A twist below this part of the largest is zero.
const STILL: f64 = 1e-6;

/// A motion that all rows except drives leave free.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FreeMotion {
    /// Joints whose ends move relative to each other, in declaration order.
    pub joints: Vec<String>,
    /// Bodies that move.
    pub bodies: Vec<String>,
    /// Algebraic coordinates that change.
    pub coordinates: Vec<String>,
    /// Whether bodies rotate together in joints with others that do not move, as a bar between ball joints spins about its line.
    pub is_internal: bool,
    /// Verb for the only joint, the bodies that no joint connects to ground, or those of an internal motion: `rotates about z`.
    manner: String,
}

impl fmt::Display for FreeMotion {
    /// "joint `pin` rotates: body `crank` moves".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = |singular: &str, plural: &str, list: &[String]| {
            let noun = if list.len() == 1 { singular } else { plural };
            format!("{noun} {}", listed(list))
        };
        let (joints, bodies) = (names("joint", "joints", &self.joints), names("body", "bodies", &self.bodies));
        let s = if self.bodies.len() == 1 { "s" } else { "" };
        // Several bodies `rotate about z`.
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

/// Names as text: "`a`, `b` and `c`"; of more than eight the first seven, and the number of the others.
fn listed(names: &[String]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match &quoted[..] {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] if first.len() < 8 => format!("{} and {last}", first.join(", ")),
        all => format!("{} and {} more", all[..7].join(", "), all.len() - 7),
    }
}

/// The motions that rows leave free in the assembled pose of a mechanism that has passed [`check`](super::check), chosen so that each moves few
/// joints. Their number is [`Checked::freedoms`] less the prescribed coordinates of the tree. `None` where there are more than 40, or where the
/// number at the pose differs from that.
pub fn free_motions(model: &Model, tree: &Tree, checked: &Checked) -> Option<Vec<FreeMotion>> {
    if checked.freedoms > MOST {
        return None;
    }
    let model = &*model.with_stand_ins(StandIn::Generic);
    let basis = null_space(model, tree, &checked.assembled);
    if basis.len() + tree.prescribed.len() != checked.freedoms {
        return None;
    }
    let parts = Parts::new(model, tree);
    let motions = Motions::new(model, tree, &checked.assembled, &parts, &basis)?;
    Some(motions.choose().iter().map(|c| motions.describe(c, &parts)).collect())
}

/// A basis of the solver's speeds that rows except drives leave free. Of the rows that can be switched, those that are on in the first combination
/// take part.
fn null_space(model: &Model, tree: &Tree, pose: &[f64]) -> Vec<Vec<f64>> {
    let evaluate = numeric_sample(model, tree);
    let sample = Context::new(model, tree, &evaluate, pose.to_vec()).sample(pose, false);
    let off = model.combinations().into_iter().next().unwrap_or_default();
    let is_active =
        |r: &usize| !is_drive(model, tree, *r) && !tree.rows[*r].element().is_some_and(|e| off.contains(&e));
    let mut columns = vec![SparseRow::new(); tree.n()];
    for r in (0..tree.rows.len()).filter(is_active) {
        for (i, x) in &sample.jacobian[r] {
            columns[*i].insert(r, *x);
        }
    }
    let dense = |c: SparseRow| (0..tree.n()).map(|i| c.get(&i).copied().unwrap_or(0.0)).collect();
    combinations(&columns).into_iter().map(|(_, c)| dense(c)).collect()
}

/// A part of the mechanism whose motion is described.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    /// A joint: the motion of its second end relative to the first.
    Joint(JointId),
    /// A body that no joint connects to ground: its motion relative to ground.
    Body(BodyId),
    /// An algebraic coordinate: index into the solver's.
    Coordinate(usize),
}

/// All parts of a mechanism.
struct Parts<'m> {
    model: &'m Model,
    tree: &'m Tree,
    list: Vec<Part>,
}

impl<'m> Parts<'m> {
    fn new(model: &'m Model, tree: &'m Tree) -> Self {
        let joints: Vec<JointId> = (0..model.joints.len() as u32).map(JointId).collect();
        let joins = |j: &JointId| model.joint(*j).geared.is_none();
        let mut parts = Parts { model, tree, list: joints.into_iter().filter(joins).map(Part::Joint).collect() };
        // Bodies that joints connect to ground. Where there are no more, the next body counts as joined to ground.
        let mut connected = vec![false; model.bodies.len()];
        loop {
            parts.extend_connected(&mut connected);
            let Some(b) = connected.iter().position(|connected| !connected) else { break };
            connected[b] = true;
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

    /// Marks all bodies that joints connect to ground or to a marked body.
    fn extend_connected(&self, connected: &mut [bool]) {
        loop {
            let is_connected = |b: Option<BodyId>, connected: &[bool]| b.is_none_or(|b| connected[b.index()]);
            let next = self.joints().flat_map(|j| {
                let [a, b] = self.ends(j);
                [(a, b), (b, a)]
            });
            let mut next = next.filter(|(a, b)| is_connected(*a, connected) && !is_connected(*b, connected));
            let Some(b) = next.find_map(|(_, b)| b) else { return };
            connected[b.index()] = true;
        }
    }
}

/// Velocity divided by the size of the mechanism, and angular velocity \[rad/s\], in world axes.
type Twist = [f64; 6];

/// The free motions: twists for each motion of an orthonormal basis.
struct Motions {
    /// Twists of all bodies at their centres of mass, for each basis motion.
    bodies: Vec<Vec<Twist>>,
    /// Twists of all parts, for each basis motion; orthonormal.
    parts: Vec<Vec<Twist>>,
    is_spatial: bool,
}

impl Motions {
    /// `None` where a motion of the basis moves no part.
    fn new(model: &Model, tree: &Tree, pose: &[f64], parts: &Parts<'_>, basis: &[Vec<f64>]) -> Option<Self> {
        let length = mechanism_size(model, tree, pose);
        let still = Velocities::new(model, tree, pose, &vec![0.0; tree.n()]);
        let mut motions = Motions { bodies: Vec::new(), parts: Vec::new(), is_spatial: model.space == Space::Spatial };
        for speeds in basis {
            let velocities = Velocities::new(model, tree, pose, speeds).without(&still);
            let twist = |part: &Part| match *part {
                Part::Joint(j) => velocities.joint_twist(parts, j, length),
                Part::Body(b) => velocities.body_twist(b, length),
                Part::Coordinate(i) => [speeds[i], 0.0, 0.0, 0.0, 0.0, 0.0],
            };
            motions.parts.push(parts.list.iter().map(twist).collect());
            let bodies = (0..model.bodies.len() as u32).map(|b| velocities.body_twist(BodyId(b), length));
            motions.bodies.push(bodies.collect());
        }
        motions.orthonormalise()
    }

    /// Makes the twists of the parts orthonormal by Gram and Schmidt's method; `None` where the motions are dependent.
    fn orthonormalise(mut self) -> Option<Self> {
        for i in 0..self.parts.len() {
            let before = norm(&self.parts[i]);
            for _ in 0..2 {
                for k in 0..i {
                    let share: f64 = dot_all(&self.parts[i], &self.parts[k]);
                    self.add_multiple(i, k, -share);
                }
            }
            let after = norm(&self.parts[i]);
            if !(after > STILL * before && after.is_finite()) {
                return None;
            }
            self.add_multiple(i, i, 1.0 / after - 1.0);
        }
        Some(self)
    }

    /// Adds a multiple of one basis motion to another.
    fn add_multiple(&mut self, to: usize, from: usize, factor: f64) {
        for list in [&mut self.bodies, &mut self.parts] {
            let added = list[from].clone();
            for (to, from) in list[to].iter_mut().zip(&added) {
                (0..6).for_each(|k| to[k] += factor * from[k]);
            }
        }
    }

    /// The motions that (1) to (3) choose, as coefficients of the basis.
    fn choose(&self) -> Vec<Vec<f64>> {
        let n = self.parts.len();
        let parts = self.parts.first().map_or(0, Vec::len);
        let row = |part: usize, k: usize| -> Vec<f64> { self.parts.iter().map(|m| m[part][k]).collect() };
        let (mut chosen, mut span): (Vec<Vec<f64>>, Vec<Vec<f64>>) = (Vec::new(), Vec::new());
        for _ in 0..n {
            let mut remaining: Vec<Vec<f64>> = (0..n).map(|i| unit(n, i)).collect();
            let mut fix = |rows: &[Vec<f64>]| {
                if rows.iter().all(|row| remaining.iter().all(|c| dot(c, row).abs() <= STILL)) {
                    return;
                }
                let fewer = kernel(&remaining, rows);
                if fewer.iter().any(|c| length(&orthogonal_part(c, &span)) > STILL) {
                    remaining = fewer;
                }
            };
            (0..parts).for_each(|part| fix(&(0..6).map(|k| row(part, k)).collect::<Vec<_>>()));
            for part in 0..parts {
                (0..6).rev().for_each(|k| fix(&[row(part, k)]));
            }
            let motion = most_orthogonal(&remaining, &span);
            let new = orthogonal_part(&motion, &span);
            let size = length(&new);
            span.push(new.iter().map(|x| x / size).collect());
            chosen.push(motion);
        }
        chosen
    }

    /// Twists of a motion, given as coefficients of the basis; `list` are the twists of the basis.
    fn twists(&self, motion: &[f64], list: &[Vec<Twist>]) -> Vec<Twist> {
        let count = list.first().map_or(0, Vec::len);
        let sum = |i: usize| [0, 1, 2, 3, 4, 5].map(|k| motion.iter().zip(list).map(|(c, m)| c * m[i][k]).sum());
        (0..count).map(sum).collect()
    }

    fn describe(&self, motion: &[f64], parts: &Parts<'_>) -> FreeMotion {
        let model = parts.model;
        let (bodies, twists) = (self.twists(motion, &self.bodies), self.twists(motion, &self.parts));
        let moving: Vec<usize> = moving_indices(&bodies);
        let active: Vec<usize> = moving_indices(&twists);
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
                motion_verb(&[0.0, 0.0, 0.0, x, y, z], self.is_spatial).replacen("rotates", "spins", 1)
            }
            ([i], _) if !matches!(parts.list[*i], Part::Coordinate(_)) => motion_verb(&twists[*i], self.is_spatial),
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

/// Whether bodies rotate without relative motion, in joints with two or more others (ground included) that do not move.
fn is_internal(parts: &Parts<'_>, twists: &[Twist], moving: &[usize], active: &[usize]) -> bool {
    let is_moving = |b: Option<BodyId>| b.is_some_and(|b| moving.contains(&b.index()));
    let size = norm(twists);
    let rotates = |b: &usize| length(&twists[*b][3..]) > STILL * size;
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
    moving.iter().all(rotates) && neighbours.len() > 1
}

/// Verb for a twist: `rotates about z`, `slides along x`, `moves`; a rotation in the plane is given without its axis.
fn motion_verb(twist: &Twist, is_spatial: bool) -> String {
    let [velocity, omega] = [[0, 1, 2], [3, 4, 5]].map(|indices| indices.map(|k| twist[k]));
    let axis_name = |v: [f64; 3]| {
        let size = length(&v);
        (0..3).find(|k| v[*k].abs() > (1.0 - STILL) * size).map(|k| ["x", "y", "z"][k])
    };
    let largest = length(&velocity).max(length(&omega));
    let [translates, rotates] = [velocity, omega].map(|v| length(&v) > STILL * largest);
    match (translates, rotates) {
        (true, false) => axis_name(velocity).map_or("slides".to_owned(), |axis| format!("slides along {axis}")),
        (false, true) if is_spatial => {
            axis_name(omega).map_or("rotates".to_owned(), |axis| format!("rotates about {axis}"))
        }
        (false, true) => "rotates".to_owned(),
        _ => "moves".to_owned(),
    }
}

/// Indices of the twists that are not zero.
fn moving_indices(twists: &[Twist]) -> Vec<usize> {
    let largest = twists.iter().map(|t| length(t)).fold(0.0, f64::max);
    (0..twists.len()).filter(|i| length(&twists[*i]) > STILL * largest).collect()
}

/// Velocities of all bodies.
struct Velocities {
    /// Position and velocity of each centre of mass, and the angular velocity of its body, zero for a particle; world components, SI.
    bodies: Vec<[[f64; 3]; 3]>,
    /// World positions of the second ends of joints.
    points: Vec<[f64; 3]>,
    particles: Vec<bool>,
}

impl Velocities {
    fn new(model: &Model, tree: &Tree, pose: &[f64], speeds: &[f64]) -> Self {
        let mechanics: Mechanics<'_, Series<2>> =
            mechanics_in_motion(model, tree, default_variables(model, tree), pose, speeds);
        let is_particle = |b: usize| model.bodies[b].kind == BodyKind::Particle;
        let velocities = |b: usize| {
            let com = mechanics.marker_point(model.bodies[b].com_marker);
            let spin = match is_particle(b) {
                true => [0.0; 3],
                false => mechanics.angular_velocity(BodyId(b as u32)).map(Series::value).0,
            };
            [com.map(Series::value).0, com.map(|x| x.derivative(1)).0, spin]
        };
        Velocities {
            bodies: (0..model.bodies.len()).map(velocities).collect(),
            points: model.joints.iter().map(|j| mechanics.marker_point(j.ends[1]).map(Series::value).0).collect(),
            particles: (0..model.bodies.len()).map(is_particle).collect(),
        }
    }

    /// The differences from the velocities at zero speeds, which are those of prescribed motions.
    fn without(mut self, still: &Velocities) -> Self {
        for (body, still) in self.bodies.iter_mut().zip(&still.bodies) {
            (1..3).for_each(|i| (0..3).for_each(|k| body[i][k] -= still[i][k]));
        }
        self
    }

    /// Twist of a body at its centre of mass; `length` is the size of the mechanism.
    fn body_twist(&self, body: BodyId, length: f64) -> Twist {
        let [_, v, w] = self.bodies[body.index()];
        [v[0] / length, v[1] / length, v[2] / length, w[0], w[1], w[2]]
    }

    /// Twist of a joint's second end relative to the first, at the second; rotations relative to a particle count as zero.
    fn joint_twist(&self, parts: &Parts<'_>, joint: JointId, length: f64) -> Twist {
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

/// Unit vector i of n components.
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

/// The part of a vector orthogonal to an orthonormal list.
fn orthogonal_part(vector: &[f64], span: &[Vec<f64>]) -> Vec<f64> {
    let mut rest = vector.to_vec();
    for _ in 0..2 {
        for known in span {
            let share = dot(&rest, known);
            rest.iter_mut().zip(known).for_each(|(x, k)| *x -= share * k);
        }
    }
    rest
}

/// An orthonormal basis of the vectors of a subspace that are orthogonal to all `rows`; `subspace` is an orthonormal basis, too.
fn kernel(subspace: &[Vec<f64>], rows: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let d = subspace.len();
    let mut fixed: Vec<Vec<f64>> = Vec::new();
    for row in rows {
        let components: Vec<f64> = subspace.iter().map(|w| dot(w, row)).collect();
        let rest = orthogonal_part(&components, &fixed);
        let size = length(&rest);
        if size > STILL {
            fixed.push(rest.into_iter().map(|x| x / size).collect());
        }
    }
    // Parts of the unit vectors orthogonal to the fixed directions, the longest first.
    let mut rests: Vec<Vec<f64>> = (0..d).map(|i| orthogonal_part(&unit(d, i), &fixed)).collect();
    let mut free: Vec<Vec<f64>> = Vec::new();
    for _ in fixed.len()..d {
        let longest = (0..rests.len()).rev().max_by(|a, b| length(&rests[*a]).total_cmp(&length(&rests[*b])));
        let Some(longest) = longest else { break };
        let rest = rests.remove(longest);
        let size = length(&rest);
        let new = [rest.iter().map(|x| x / size).collect::<Vec<f64>>()];
        rests.iter_mut().for_each(|vector| *vector = orthogonal_part(vector, &new));
        let component = |k: usize| new[0].iter().zip(subspace).map(|(c, w)| c * w[k]).sum();
        free.push((0..subspace[0].len()).map(component).collect());
    }
    free
}

/// A unit vector of a subspace, orthogonal to the intersection of the subspace with a span.
fn most_orthogonal(subspace: &[Vec<f64>], span: &[Vec<f64>]) -> Vec<f64> {
    let parts: Vec<Vec<f64>> = subspace.iter().map(|w| orthogonal_part(w, span)).collect();
    let longest = parts.iter().max_by(|a, b| length(a).total_cmp(&length(b))).cloned().unwrap_or_default();
    let shares: Vec<f64> = parts.iter().map(|b| dot(b, &longest)).collect();
    let sum: Vec<f64> = (0..longest.len()).map(|k| shares.iter().zip(subspace).map(|(c, w)| c * w[k]).sum()).collect();
    let size = length(&sum);
    sum.into_iter().map(|x| x / size).collect()
}
