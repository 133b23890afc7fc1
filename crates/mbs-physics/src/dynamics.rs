//! Mass matrix and generalised forces of planar mechanisms in solver coordinates.
//!
//! Let aᵢ be the arm of coordinate i: of a rotation the part of the centre of mass in the rotated frame, of a translation its axis. All of M and
//! of the velocity-quadratic terms follow from two sums over the bodies that both coordinates move:
//!
//! ```text
//! (1)  Dᵢⱼ = Σ_b m_b (R aᵢ)·(R aⱼ)          Xᵢⱼ = Σ_b m_b (R aᵢ)×(R aⱼ)
//! (2)  rotations i, j: Mᵢⱼ = Dᵢⱼ (+ I on the diagonal)   rotation i, translation j: Mᵢⱼ = Xᵢⱼ   translations i, j: Mᵢⱼ = Dᵢⱼ
//! (3)  centrifugal, rotation j at ωⱼ:  rotation i: Qᵢ += ωⱼ² Xᵢⱼ        translation i: Qᵢ += ωⱼ² Dᵢⱼ
//! (4)  Coriolis, translation k at ṡ in a frame that rotates at ω:  rotation i: Qᵢ −= 2ωṡ Dᵢₖ     translation i: Qᵢ −= 2ωṡ Xₖᵢ
//! ```
//!
//! (2) is ∂²T/∂vᵢ∂vⱼ; (3) and (4) are −Σ_b m_b J_bᵀ J̇_b v, the generalised forces of the bias accelerations −ω² R a and 2ωṡ ẑ × R a.

use mbs_expr::{BodyId, ExprId, Function2, MarkerId, Scalar};
use mbs_math::Each;
use mbs_model::{Load, plane};

use crate::natural::sum_of_blocks;
use crate::{FrameSum, Mechanics, Motion, PlanarMechanics, Poses, SolverCoordinate};

/// Σ_b m_b (R aᵢ)·(R aⱼ) and Σ_b m_b (R aᵢ)×(R aⱼ).
#[derive(Clone, Copy)]
struct Products<S> {
    dot: S,
    cross: S,
}

impl<S: Scalar> Mechanics<'_, S> {
    /// Nonzero entries (i, j, Mᵢⱼ), i ≥ j, of the mass matrix with respect to the rates of the solver coordinates, in space with respect to the
    /// solver's speeds; each at most once.
    pub fn mass_matrix(&self) -> Vec<(usize, usize, S)> {
        match &self.poses {
            Poses::Planar(kinematics) => kinematics.projected_matrix(self.planar().motion_matrix()),
            Poses::Spatial(state) => {
                let mut entries = state.mass_matrix(self.tree, &state.regrouped(self.tree));
                entries.extend(self.natural_mass());
                entries
            }
        }
    }

    /// Bounds of the round-off in entries (i, j), i ≥ j, of the mass matrix of bodies in natural coordinates. They are `part` of a scale of each
    /// body: for its points its mass, for its vectors its mass times the square of its size.
    pub fn natural_mass_noise(&self, part: f64) -> Vec<(usize, usize, S)> {
        let is_point = |i: usize| match self.tree.solver[i] {
            SolverCoordinate::Basic(basic, _) => self.model.coordinates.natural.basics[basic as usize].is_point,
            _ => false,
        };
        let max = |a: S, b: S| a.binary(Function2::Max, b);
        let noise = |(body, block): (BodyId, Vec<(usize, usize, S)>)| {
            let largest = |point: bool| {
                let diagonal = block.iter().filter(|(i, j, _)| i == j && is_point(*i) == point);
                diagonal.fold(S::number(0.0), |most, (.., x)| max(most, *x))
            };
            let mass = largest(true);
            let second_moment = max(largest(false), mass * self.square_of_size(body));
            let scale = |i: usize| if is_point(i) { mass } else { second_moment };
            block.iter().map(|(i, j, _)| (*i, *j, S::number(part) * (scale(*i) * scale(*j)).sqrt())).collect()
        };
        sum_of_blocks(self.natural_masses().into_iter().map(noise))
    }

    /// Largest squared distance from a body's origin to its centre of mass and its basic points, in units of the square of its shortest
    /// vector.
    fn square_of_size(&self, body: BodyId) -> S {
        let Some(basis) = self.model.coordinates.natural.basis(body) else { return S::number(0.0) };
        let square = |v: [ExprId; 3]| {
            v.into_iter().fold(S::number(0.0), |sum, e| {
                let x = self.value(e);
                sum + x * x
            })
        };
        let com = square(self.model.bodies[body.index()].com);
        let most = basis.points.iter().fold(com, |most, (_, at)| most.binary(Function2::Max, square(*at)));
        let least = |least: S, (_, at): &(usize, [ExprId; 3])| least.binary(Function2::Min, square(*at));
        match basis.vectors.split_first() {
            Some(((_, first), others)) => most / others.iter().fold(square(*first), least),
            None => most,
        }
    }
}

impl<S: Scalar> PlanarMechanics<'_, '_, S> {
    /// Nonzero entries (i, j, M̂ᵢⱼ), i ≥ j, of the mass matrix with respect to the rates of all motions: of the coordinates, then of functions of
    /// coordinates.
    fn motion_matrix(&self) -> Vec<(usize, usize, S)> {
        let mut entries = Vec::new();
        for i in 0..self.kinematics.motions.len() {
            for j in self.coupled(i) {
                if j > i {
                    continue;
                }
                let value = match (self.kinematics.motions[i], self.kinematics.motions[j]) {
                    (Motion::Algebraic | Motion::Basic { .. }, _) | (_, Motion::Algebraic | Motion::Basic { .. }) => {
                        continue;
                    }
                    (Motion::Rotation { frame }, Motion::Rotation { .. }) if i == j => self.rotated_inertia(i, frame),
                    (Motion::Translation { .. }, Motion::Translation { .. }) if i == j => self.moved_mass(i),
                    (Motion::Rotation { .. }, Motion::Translation { .. }) => self.products(i, j).cross,
                    (Motion::Translation { .. }, Motion::Rotation { .. }) => self.products(j, i).cross,
                    _ => self.products(i, j).dot,
                };
                if !value.is_zero() {
                    entries.push((i, j, value));
                }
            }
        }
        entries.extend(self.natural_mass());
        entries
    }

    /// Σ m |a|² + Σ I over the bodies that motion i rotates with `frame`.
    fn rotated_inertia(&self, i: usize, frame: usize) -> S {
        let mut sum = S::number(0.0);
        for b in self.moved(i) {
            let body = &self.model.bodies[b.index()];
            let a = self.kinematics.body(b).com.part(frame);
            sum = sum + self.value(body.mass) * (a[0] * a[0] + a[1] * a[1]);
            if self.kinematics.body(b).frame == frame {
                sum = sum + self.value(body.inertia[2]);
            }
        }
        sum
    }

    /// Σ m over the bodies that motion i moves.
    fn moved_mass(&self, i: usize) -> S {
        let masses = self.moved(i).map(|b| self.value(self.model.bodies[b.index()].mass));
        masses.fold(S::number(0.0), |sum, m| sum + m)
    }

    /// Bodies that motion i moves, ascending.
    fn moved(&self, i: usize) -> impl Iterator<Item = BodyId> + '_ {
        self.kinematics.moved[i].iter().copied()
    }

    /// Motions that move a body which motion i moves, ascending.
    fn coupled(&self, i: usize) -> Vec<usize> {
        let mut list: Vec<usize> = Vec::new();
        self.moved(i).for_each(|b| list.extend(&self.kinematics.body(b).support));
        list.sort_unstable();
        list.dedup();
        list
    }

    /// The sums (1). Arms of one motion that are equal for several bodies are factored out, so that the other factor is one first moment
    /// Σ m a per group.
    fn products(&self, i: usize, j: usize) -> Products<S> {
        let common: Vec<BodyId> = self.moved(i).filter(|b| self.kinematics.body(*b).support.contains(&j)).collect();
        let (by_i, by_j) = (self.groups(i, &common), self.groups(j, &common));
        let zero = S::number(0.0);
        let mut sum = Products { dot: zero, cross: zero };
        let swap = by_j.len() < by_i.len();
        let (lead, other, groups) = if swap { (j, i, by_j) } else { (i, j, by_i) };
        for group in groups {
            let (lead_frame, a) = self.arm(lead, group[0]).expect("the coordinate moves the group");
            let mut h = [zero; 2];
            let mut other_frame = 0;
            for &b in &group {
                let m = self.value(self.model.bodies[b.index()].mass);
                let (frame, u) = self.arm(other, b).expect("the coordinate moves the group");
                other_frame = frame;
                h = [h[0] + m * u[0], h[1] + m * u[1]];
            }
            let (a, h) = if lead_frame == other_frame {
                (a, h)
            } else {
                (self.kinematics.world(lead_frame, a), self.kinematics.world(other_frame, h))
            };
            let cross = a[0] * h[1] - a[1] * h[0];
            sum.dot = sum.dot + (a[0] * h[0] + a[1] * h[1]);
            sum.cross = if swap { sum.cross - cross } else { sum.cross + cross };
        }
        sum
    }

    /// Bodies grouped by equal arms of a motion: all arms of a translation are equal, those of a rotation are equal outboard of the same joint.
    fn groups(&self, i: usize, bodies: &[BodyId]) -> Vec<Vec<BodyId>> {
        let Motion::Rotation { frame } = self.kinematics.motions[i] else {
            return if bodies.is_empty() { Vec::new() } else { vec![bodies.to_vec()] };
        };
        let mut groups: Vec<(BodyId, Vec<BodyId>)> = Vec::new();
        for &b in bodies {
            let beyond = self.kinematics.body(b).path.iter().find(|part| part.0 == frame).and_then(|part| part.1);
            let key = beyond.unwrap_or(b);
            match groups.iter_mut().find(|g| g.0 == key) {
                Some(group) => group.1.push(b),
                None => groups.push((key, vec![b])),
            }
        }
        groups.into_iter().map(|g| g.1).collect()
    }

    /// Generalised forces Q along the solver coordinates: gravity, (3), (4), and the loads of all forces. `gradient` returns the derivatives of an
    /// expression with respect to the solver coordinates. Shape: n_v.
    pub fn generalized_forces(&self, gradient: &dyn Fn(ExprId) -> Vec<S>) -> Vec<S> {
        let mut forces = self.velocity_terms();
        self.add_all_loads(gradient, &mut forces);
        forces
    }

    /// Generalised forces of gravity and of the loads of all forces along the solver coordinates: Q without its velocity terms. Shape: n_v.
    pub fn all_loads(&self, gradient: &dyn Fn(ExprId) -> Vec<S>) -> Vec<S> {
        let mut forces = vec![S::number(0.0); self.kinematics.motions.len()];
        self.add_all_loads(gradient, &mut forces);
        forces
    }

    fn add_all_loads(&self, gradient: &dyn Fn(ExprId) -> Vec<S>, forces: &mut [S]) {
        if let Some(g) = self.model.loads.gravity {
            let g = plane(g).each(|e| self.value(e));
            for (q, load) in forces.iter_mut().zip(self.gravity_loads(g)) {
                *q = *q + load;
            }
        }
        for force in &self.model.loads.forces {
            for load in &force.loads {
                self.add_load(load, gradient, forces);
            }
        }
    }

    /// Generalised forces of gravity alone; `g` \[m/s²\] in world axes.
    fn gravity_loads(&self, g: [S; 2]) -> Vec<S> {
        let zero = S::number(0.0);
        let load = |i: usize| {
            let mut h = [zero; 2];
            let mut in_frame = 0;
            for b in self.moved(i) {
                let m = self.value(self.model.bodies[b.index()].mass);
                let (frame, a) = self.arm(i, b).expect("it moves the body");
                in_frame = frame;
                h = [h[0] + m * a[0], h[1] + m * a[1]];
            }
            if let Motion::Basic { component, .. } = self.kinematics.motions[i] {
                let column = basic_column(h, component);
                return column[0] * g[0] + column[1] * g[1];
            }
            let h = self.kinematics.world(in_frame, h);
            match self.kinematics.motions[i] {
                Motion::Rotation { .. } => h[0] * g[1] - h[1] * g[0],
                Motion::Translation { .. } => h[0] * g[0] + h[1] * g[1],
                Motion::Algebraic | Motion::Basic { .. } => zero,
            }
        };
        let loads = (0..self.kinematics.motions.len()).map(load).collect();
        self.kinematics.projected(loads)
    }

    /// The velocity-quadratic terms (3) and (4): Q without any load. Shape: n_v.
    pub fn velocity_terms(&self) -> Vec<S> {
        let zero = S::number(0.0);
        let n = self.kinematics.motions.len();
        let rates: Vec<S> = (0..n).map(|i| self.motion_rate(i)).collect();
        let rate = |i: usize| rates[i];
        let mut forces = vec![zero; n];
        for (i, force) in forces.iter_mut().enumerate() {
            for j in self.coupled(i) {
                let term = match (self.kinematics.motions[i], self.kinematics.motions[j]) {
                    (Motion::Algebraic | Motion::Basic { .. }, _) | (_, Motion::Algebraic | Motion::Basic { .. }) => {
                        continue;
                    }
                    (Motion::Rotation { .. }, Motion::Rotation { .. }) if i == j => continue,
                    (Motion::Rotation { .. }, Motion::Rotation { .. }) => rate(j) * rate(j) * self.products(i, j).cross,
                    (Motion::Translation { .. }, Motion::Rotation { .. }) => {
                        rate(j) * rate(j) * self.products(i, j).dot
                    }
                    (moved, Motion::Translation { frame, .. }) => {
                        let Some(rotation) = self.kinematics.frames[frame].coordinate else { continue };
                        let product = match moved {
                            Motion::Rotation { .. } => self.products(i, j).dot,
                            _ if i == j => continue,
                            _ => self.products(j, i).cross,
                        };
                        -(S::number(2.0) * (rate(rotation) * rate(j)) * product)
                    }
                };
                *force = *force + term;
            }
        }
        self.subtract_bias_forces(&mut forces);
        self.kinematics.projected(forces)
    }

    /// Subtracts M̂ β with the biases β of the driven motions, which are zero for coordinates.
    fn subtract_bias_forces(&self, forces: &mut [S]) {
        if self.kinematics.driven.is_empty() {
            return;
        }
        let biases: Vec<S> = (0..forces.len()).map(|i| self.kinematics.driven_motion(i).bias).collect();
        for (i, j, m) in self.motion_matrix() {
            forces[i] = forces[i] - m * biases[j];
            if i != j {
                forces[j] = forces[j] - m * biases[i];
            }
        }
    }

    /// Rate of motion i.
    fn motion_rate(&self, i: usize) -> S {
        if i < self.tree.n() {
            return self.coordinates[i].rate();
        }
        let driven = self.kinematics.driven_motion(i);
        driven.derivatives.into_iter().fold(driven.partial_rate, |sum, (k, x)| sum + x * self.coordinates[k].rate())
    }

    /// Adds one load to the generalised forces `forces`; `gradient` as for [`Self::generalized_forces`].
    pub fn add_load(&self, load: &Load, gradient: &dyn Fn(ExprId) -> Vec<S>, forces: &mut [S]) {
        match *load {
            Load::Force { at, force } => self.add_force(at, plane(force).each(|e| self.value(e)), forces),
            Load::Torque { on, torque } => self.add_torque(on, self.value(torque[2]), forces),
            Load::Generalized { coordinate, value } => {
                let value = self.value(value);
                for (q, derivative) in forces.iter_mut().zip(gradient(coordinate)) {
                    *q = *q + derivative * value;
                }
            }
            Load::Potential(potential) => {
                for (q, derivative) in forces.iter_mut().zip(gradient(potential)) {
                    *q = *q - derivative;
                }
            }
        }
    }

    /// Adds a force \[N\], world axes, at a marker.
    fn add_force(&self, at: MarkerId, force: [S; 2], forces: &mut [S]) {
        for (q, column) in forces.iter_mut().zip(self.point_columns(at)) {
            *q = *q + (column[0] * force[0] + column[1] * force[1]);
        }
    }

    /// Adds a torque \[N m\] about z on a marker's body.
    fn add_torque(&self, on: MarkerId, torque: S, forces: &mut [S]) {
        let Some(body) = self.model.markers[on.index()].body else { return };
        for (i, derivative) in self.angle_derivatives(body) {
            forces[i] = forces[i] + derivative * torque;
        }
    }

    /// ∂p/∂q̂ of the world position p of a marker: one world vector for each solver coordinate.
    pub fn point_columns(&self, at: MarkerId) -> Vec<[S; 2]> {
        let zero = [S::number(0.0); 2];
        let marker = &self.model.markers[at.index()];
        let Some(body) = marker.body else { return vec![zero; self.tree.n()] };
        let state = self.kinematics.body(body);
        let point = state.point(plane(marker.point).each(|e| self.value(e)));
        let column = |i: usize| if state.support.contains(&i) { self.point_column(&point, i) } else { zero };
        let all: Vec<[S; 2]> = (0..self.kinematics.motions.len()).map(column).collect();
        let [x, y] = [0, 1].map(|c| self.kinematics.projected(all.iter().map(|column| column[c]).collect()));
        x.into_iter().zip(y).map(|(x, y)| [x, y]).collect()
    }

    /// Derivative of the position of a point with respect to a motion that moves it, world axes.
    pub(super) fn point_column(&self, point: &FrameSum<S>, i: usize) -> [S; 2] {
        match self.kinematics.motions[i] {
            Motion::Rotation { frame } => {
                let w = self.kinematics.world(frame, point.part(frame));
                [-w[1], w[0]]
            }
            Motion::Translation { frame, axis } => self.kinematics.world(frame, axis),
            Motion::Basic { frame, component } => basic_column(point.part(frame), component),
            Motion::Algebraic => [S::number(0.0); 2],
        }
    }

    /// ∂θ/∂q̂ of the angle of a body: (coordinate, derivative), without those that are zero.
    pub fn angle_derivatives(&self, body: BodyId) -> Vec<(usize, S)> {
        if let Some(derivatives) = self.natural_angle_derivatives(body) {
            return derivatives;
        }
        let motion = self.kinematics.frames[self.kinematics.body(body).frame].coordinate;
        motion.map_or_else(Vec::new, |motion| self.kinematics.driven_motion(motion).derivatives)
    }
}

/// Derivative of (α + β ẑ×) b with respect to component x (0) or y (1) of b.
fn basic_column<S: Scalar>([alpha, beta]: [S; 2], component: u8) -> [S; 2] {
    if component == 0 { [alpha, beta] } else { [-beta, alpha] }
}
