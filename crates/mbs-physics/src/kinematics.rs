//! Poses of planar bodies from solver coordinates.
//!
//! A world vector is stored as a sum Σ R_f u_f over frames f with components u_f in their axes: components of vectors that are fixed in a frame
//! depend on parameters alone, and one point costs one rotation for each frame on its path.

mod joints;
mod natural;

use std::collections::BTreeMap;

use mbs_expr::{BodyId, ExprId, JointId, Scalar};
use mbs_model::{Model, plane};

use crate::natural::basis::PlacedBasis;
use crate::pose_evaluator::Rate;
use crate::{Frame, FrameSum, Placement, SolverCoordinate, Tree};

/// Pose of a body.
#[derive(Clone, Debug)]
pub struct BodyState<S> {
    /// Index of the frame that it is fixed in.
    pub frame: usize,
    /// Angle of the body's x axis from the frame's, constant.
    pub offset: S,
    /// (cos, sin) of the offset; `None` if it is zero.
    pub offset_rotation: Option<(S, S)>,
    /// Origin.
    pub origin: FrameSum<S>,
    /// Centre of mass.
    pub com: FrameSum<S>,
    /// Motions that move it, ascending.
    pub support: Vec<usize>,
    /// Basic points and vectors that it is a combination of, in natural coordinates.
    pub basis: Option<Box<PlacedBasis<S>>>,
    /// For each frame on its path from ground the first body beyond it on that path; `None` for the frame that the body is fixed in.
    pub path: Vec<(usize, Option<BodyId>)>,
}

impl<S: Scalar> BodyState<S> {
    /// Components in frame axes of a vector that is given in body axes.
    pub fn to_frame(&self, r: [S; 2]) -> [S; 2] {
        match self.offset_rotation {
            None => r,
            Some((c, s)) => [c * r[0] - s * r[1], s * r[0] + c * r[1]],
        }
    }

    /// World position of the point `r`, given in body axes.
    pub fn point(&self, r: [S; 2]) -> FrameSum<S> {
        if let Some(basis) = &self.basis {
            return basis.point(r);
        }
        self.origin.clone().plus(self.frame, self.to_frame(r))
    }
}

/// Derivative of the positions r of the points that a motion moves: a rotation about a point, or a translation along an axis.
#[derive(Clone, Copy, Debug)]
pub enum Motion<S> {
    /// ∂r/∂θ = ẑ × (part of r in the frame).
    Rotation {
        /// The frame.
        frame: usize,
    },
    /// ∂r/∂s = R_frame axis, a unit vector.
    Translation {
        /// The frame of the axis.
        frame: usize,
        /// Components in it.
        axis: [S; 2],
    },
    /// A component of a basic point or vector b, which is a frame's (cos, sin): r = Σ (α + β ẑ×) b.
    Basic {
        /// The frame.
        frame: usize,
        /// x (0) or y (1).
        component: u8,
    },
    /// Moves no body, or moves bodies through other motions alone.
    Algebraic,
}

/// A motion x that is a function of coordinates and time: of a joint whose kind the text declares, or whose coordinate it prescribes.
#[derive(Clone, Debug)]
pub struct Driven<S> {
    /// Coordinates q_i with x_i = ∂x/∂q_i, in the rate ẋ = Σ x_i q̇_i + x_t.
    pub derivatives: Vec<(usize, S)>,
    /// x_t = ∂x/∂t.
    pub partial_rate: S,
    /// Bias: the part of ẍ that does not depend on q̈, Σ ẋ_i q̇_i + ẋ_t.
    pub bias: S,
}

/// Frames, bodies and motions at one set of solver coordinates.
#[derive(Clone, Debug)]
pub struct Kinematics<S> {
    /// Frames, parents first; 0 is the world.
    pub frames: Vec<Frame<S>>,
    /// Poses by body; added parents first.
    pub bodies: Vec<Option<BodyState<S>>>,
    /// Motion of each solver coordinate, then motions that are functions of coordinates.
    pub motions: Vec<Motion<S>>,
    /// The functions of these last motions, in the same order.
    pub driven: Vec<Driven<S>>,
    /// Bodies that each motion moves, ascending.
    pub moved: Vec<Vec<BodyId>>,
    /// Indices of the basic points and vectors that have been evaluated, with their frames.
    pub basics: Vec<(usize, usize)>,
    /// Prescribed coordinates (joint, index) with the motion of the joint's second end relative to the first per unit rate, in the first end's axes.
    pub prescribed: Vec<(JointId, u8, Rate<S>)>,
}

/// Everything that the pose of a planar body depends on, apart from its parent's pose.
pub struct PoseInputs<'a, S> {
    /// The model.
    pub model: &'a Model,
    /// The coordinates of its formulation.
    pub tree: &'a Tree,
    /// Values of the solver coordinates, n_v.
    pub coordinates: &'a [S],
    /// Time \[s\].
    pub t: S,
    /// Values of the expressions of markers, axes and centres of mass.
    pub value: &'a dyn Fn(ExprId) -> S,
}

impl<S: Scalar> PoseInputs<'_, S> {
    /// Values of expressions.
    fn values<const N: usize>(&self, all: [ExprId; N]) -> [S; N] {
        all.map(self.value)
    }

    /// Index and value of a solver coordinate, if the formulation has it.
    fn solver_coordinate(&self, wanted: SolverCoordinate) -> Option<(usize, S)> {
        self.tree.solver_index(wanted).map(|i| (i, self.coordinates[i]))
    }
}

impl<S: Scalar> Kinematics<S> {
    /// Only the world: no body has a pose.
    pub fn new(model: &Model, tree: &Tree) -> Self {
        let world = Frame { angle: S::number(0.0), cos: S::number(1.0), sin: S::number(0.0), coordinate: None };
        Kinematics {
            frames: vec![world],
            bodies: vec![None; model.bodies.len()],
            motions: vec![Motion::Algebraic; tree.n()],
            driven: Vec::new(),
            moved: vec![Vec::new(); tree.n()],
            prescribed: Vec::new(),
            basics: Vec::new(),
        }
    }

    /// No frames at all, as a placeholder.
    pub(super) fn empty() -> Self {
        Kinematics {
            frames: Vec::new(),
            bodies: Vec::new(),
            motions: Vec::new(),
            driven: Vec::new(),
            moved: Vec::new(),
            prescribed: Vec::new(),
            basics: Vec::new(),
        }
    }

    /// Evaluates and stores the pose of a body whose parent has one.
    pub fn add_body(&mut self, inputs: &PoseInputs<'_, S>, body: BodyId) {
        let state = match inputs.tree.placements[body.index()] {
            Placement::Natural => self.natural_pose(inputs.model, inputs.tree, body, inputs.coordinates, inputs.value),
            Placement::Free { .. } => self.free_pose(inputs, body),
            Placement::Joint { joint, parent, reversed } => self.joint_pose(inputs, body, joint, parent, reversed),
        };
        for &i in &state.support {
            let index = self.moved[i].partition_point(|b| *b < body);
            self.moved[i].insert(index, body);
        }
        self.bodies[body.index()] = Some(state);
    }

    /// Pose of a free body from the world coordinates of its centre of mass and its angle.
    fn free_pose(&mut self, inputs: &PoseInputs<'_, S>, body: BodyId) -> BodyState<S> {
        let com = inputs.values(plane(inputs.model.bodies[body.index()].com));
        let mut support = Vec::new();
        let mut position = FrameSum::zero();
        for axis in 0..2 {
            let found = inputs.solver_coordinate(SolverCoordinate::World(body, axis));
            let (i, coordinate) = found.expect("a free body has world coordinates");
            let unit = [S::number(1.0 - f64::from(axis)), S::number(f64::from(axis))];
            self.motions[i] = Motion::Translation { frame: 0, axis: unit };
            position = position.plus(0, [unit[0] * coordinate, unit[1] * coordinate]);
            support.push(i);
        }
        let rotation = inputs.solver_coordinate(SolverCoordinate::Angle(body));
        let frame = rotation.map_or(0, |(i, angle)| self.add_frame(i, angle));
        support.extend(rotation.map(|(i, _)| i));
        let path = if frame == 0 { vec![(0, None)] } else { vec![(0, Some(body)), (frame, None)] };
        let origin = position.clone().minus(frame, com);
        let offset = S::number(0.0);
        BodyState { frame, offset, offset_rotation: None, origin, com: position, support, basis: None, path }
    }

    /// Adds a motion that is a function of coordinates, and returns its index.
    fn add_driven_motion(&mut self, driven: Driven<S>, motion: Motion<S>) -> usize {
        self.motions.push(motion);
        self.driven.push(driven);
        self.moved.push(Vec::new());
        self.motions.len() - 1
    }

    /// Motion i as a function of coordinates and time; for the motion of a coordinate that coordinate, without bias.
    pub fn driven_motion(&self, motion: usize) -> Driven<S> {
        let zero = S::number(0.0);
        match motion.checked_sub(self.motions.len() - self.driven.len()) {
            Some(k) => self.driven[k].clone(),
            None => Driven { derivatives: vec![(motion, S::number(1.0))], partial_rate: zero, bias: zero },
        }
    }

    /// Generalised forces Bᵀ f along the solver coordinates from forces `f` along all motions, where ẋ = B q̇ + x_t. Returns n_v numbers.
    pub fn projected(&self, mut f: Vec<S>) -> Vec<S> {
        let n = self.motions.len() - self.driven.len();
        let driven = f.split_off(n);
        for (motion, force) in self.driven.iter().zip(driven).filter(|(_, force)| !force.is_zero()) {
            for (i, derivative) in &motion.derivatives {
                f[*i] = f[*i] + *derivative * force;
            }
        }
        f
    }

    /// Nonzero entries (i, j), i ≥ j, of Bᵀ M B, from such entries of a symmetric M over all motions.
    pub fn projected_matrix(&self, entries: Vec<(usize, usize, S)>) -> Vec<(usize, usize, S)> {
        if self.driven.is_empty() {
            return entries;
        }
        let mut sums: BTreeMap<(usize, usize), S> = BTreeMap::new();
        let mut add = |i: usize, j: usize, x: S| {
            let sum = sums.entry((i, j)).or_insert(S::number(0.0));
            *sum = *sum + x;
        };
        for (i, j, m) in entries {
            let [rows, columns] = [i, j].map(|i| self.driven_motion(i).derivatives);
            for (a, row_derivative) in &rows {
                for (b, column_derivative) in &columns {
                    let x = *row_derivative * m * *column_derivative;
                    // Below the diagonal, of M and of its mirror image.
                    if a >= b {
                        add(*a, *b, x);
                    }
                    if i != j && b >= a {
                        add(*b, *a, x);
                    }
                }
            }
        }
        sums.into_iter().filter(|(_, x)| !x.is_zero()).map(|((i, j), x)| (i, j, x)).collect()
    }

    /// Adds a frame at an absolute angle that a motion rotates, and returns its index.
    fn add_frame(&mut self, coordinate: usize, angle: S) -> usize {
        let (sin, cos) = angle.sin_cos();
        self.frames.push(Frame { angle, cos, sin, coordinate: Some(coordinate) });
        self.motions[coordinate] = Motion::Rotation { frame: self.frames.len() - 1 };
        self.frames.len() - 1
    }

    /// The pose of a body that has one.
    pub fn body(&self, body: BodyId) -> &BodyState<S> {
        self.bodies[body.index()].as_ref().expect("bodies are placed parents first")
    }

    /// R_f u in world axes.
    pub fn world(&self, frame: usize, u: [S; 2]) -> [S; 2] {
        if frame == 0 {
            return u;
        }
        let f = &self.frames[frame];
        [f.cos * u[0] - f.sin * u[1], f.sin * u[0] + f.cos * u[1]]
    }

    /// World components of a vector.
    pub fn world_sum(&self, v: &FrameSum<S>) -> [S; 2] {
        let mut sum = [S::number(0.0); 2];
        for (frame, u) in &v.parts {
            let w = self.world(*frame, *u);
            sum = [sum[0] + w[0], sum[1] + w[1]];
        }
        sum
    }

    /// Angle \[rad\] of a body's x axis from the world's.
    pub fn angle(&self, body: BodyId) -> S {
        let state = self.body(body);
        self.frames[state.frame].angle + state.offset
    }
}
