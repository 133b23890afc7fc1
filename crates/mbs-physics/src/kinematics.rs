//! Poses of planar bodies from solver coordinates.
//!
//! A world vector is kept as a sum Σ R_f u_f over frames f with components u_f in the frame: what a frame carries stays
//! parameter-only, and one point costs one rotation per frame on its path.

mod joints;
mod natural;

use std::collections::BTreeMap;

use mbs_expr::{BodyId, ExprId, JointId, Scalar};
use mbs_model::{Model, plane};

use crate::natural::basis::PlacedBasis;
use crate::posed::Rate;
use crate::{Frame, FrameSum, Placement, SolverCoordinate, Tree};

/// Pose of a body.
#[derive(Clone, Debug)]
pub struct BodyState<S> {
    /// Frame that it rotates with.
    pub frame: usize,
    /// Angle of the body's x axis from the frame's, constant.
    pub offset: S,
    /// (cos, sin) of the offset; `None` if it is zero.
    pub turn: Option<(S, S)>,
    /// Origin.
    pub origin: FrameSum<S>,
    /// Centre of mass.
    pub com: FrameSum<S>,
    /// Solver coordinates that move it, ascending.
    pub support: Vec<usize>,
    /// Basic points and vectors that it is a combination of, in natural coordinates.
    pub basis: Option<Box<PlacedBasis<S>>>,
    /// For each frame on its path the child that leaves it towards this body (`None`: the body is in the frame itself).
    pub leaves: Vec<(usize, Option<BodyId>)>,
}

impl<S: Scalar> BodyState<S> {
    /// Body axes → frame axes.
    pub fn to_frame(&self, r: [S; 2]) -> [S; 2] {
        match self.turn {
            None => r,
            Some((c, s)) => [c * r[0] - s * r[1], s * r[0] + c * r[1]],
        }
    }

    /// The point r (body axes).
    pub fn point(&self, r: [S; 2]) -> FrameSum<S> {
        if let Some(basis) = &self.basis {
            return basis.point(r);
        }
        self.origin.clone().plus(self.frame, self.to_frame(r))
    }
}

/// Motion that a solver coordinate gives to the points that it supports: rotation about a point, or translation along an axis.
#[derive(Clone, Copy, Debug)]
pub enum Motion<S> {
    /// ∂r/∂θ = ẑ × (part of r in the frame).
    Turn {
        /// The frame.
        frame: usize,
    },
    /// ∂r/∂s = R_frame axis, a unit vector.
    Slide {
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
    /// Moves no body, or moves it through other motions.
    Algebraic,
}

/// A motion that is a function of coordinates and time: of a joint whose kind the text declares, or whose coordinate it prescribes.
#[derive(Clone, Debug)]
pub struct Driven<S> {
    /// Coordinates with their x_i, in the rate x˙ = Σ x_i q̇_i + x_t.
    pub derivatives: Vec<(usize, S)>,
    /// x_t.
    pub drift: S,
    /// Velocity-dependent part of ẍ (bias): Σ ẋ_i q̇_i + ẋ_t.
    pub bend: S,
}

/// Frames, bodies and motions at one set of solver coordinates.
#[derive(Clone, Debug)]
pub struct Kinematics<S> {
    /// Frames; 0 is the world.
    pub frames: Vec<Frame<S>>,
    /// Bodies by id; filled parents first.
    pub bodies: Vec<Option<BodyState<S>>>,
    /// Motion of each solver coordinate; then motions that are functions of coordinates.
    pub motions: Vec<Motion<S>>,
    /// Functions of these last motions, in the same order.
    pub driven: Vec<Driven<S>>,
    /// Bodies each motion moves, ascending.
    pub moved: Vec<Vec<BodyId>>,
    /// Basic points and vectors of natural coordinates that are placed, with their frames.
    pub basics: Vec<(usize, usize)>,
    /// Prescribed coordinates (joint, number) with the motion of the joint's second end relative to the first, in the first end's axes.
    pub given: Vec<(JointId, u8, Rate<S>)>,
}

/// Everything that the place of a body depends on.
pub struct Placing<'a, S> {
    /// The model.
    pub model: &'a Model,
    /// Its coordinates.
    pub tree: &'a Tree,
    /// Values of the solver coordinates.
    pub coordinates: &'a [S],
    /// Time \[s\].
    pub t: S,
    /// Evaluates the expressions of markers, axes and centres of mass.
    pub value: &'a dyn Fn(ExprId) -> S,
}

impl<S: Scalar> Placing<'_, S> {
    /// Values of expressions.
    fn values<const N: usize>(&self, all: [ExprId; N]) -> [S; N] {
        all.map(self.value)
    }

    /// Index and value of a solver coordinate, if the formulation has it.
    fn coordinate(&self, wanted: SolverCoordinate) -> Option<(usize, S)> {
        self.tree.index_of(wanted).map(|i| (i, self.coordinates[i]))
    }
}

impl<S: Scalar> Kinematics<S> {
    /// Only the world, nothing placed.
    pub fn new(model: &Model, tree: &Tree) -> Self {
        let world = Frame { angle: S::number(0.0), cos: S::number(1.0), sin: S::number(0.0), coordinate: None };
        Kinematics {
            frames: vec![world],
            bodies: vec![None; model.bodies.len()],
            motions: vec![Motion::Algebraic; tree.n()],
            driven: Vec::new(),
            moved: vec![Vec::new(); tree.n()],
            given: Vec::new(),
            basics: Vec::new(),
        }
    }

    /// Nothing at all.
    pub(super) fn empty() -> Self {
        Kinematics {
            frames: Vec::new(),
            bodies: Vec::new(),
            motions: Vec::new(),
            driven: Vec::new(),
            moved: Vec::new(),
            given: Vec::new(),
            basics: Vec::new(),
        }
    }

    /// Places one body whose parent is placed.
    pub fn place(&mut self, placing: &Placing<'_, S>, body: BodyId) {
        let state = match placing.tree.placements[body.index()] {
            Placement::Natural => {
                self.place_naturally(placing.model, placing.tree, body, placing.coordinates, placing.value)
            }
            Placement::Free { .. } => self.place_freely(placing, body),
            Placement::Joint { joint, parent, reversed } => self.place_on_joint(placing, body, joint, parent, reversed),
        };
        for &i in &state.support {
            let at = self.moved[i].partition_point(|b| *b < body);
            self.moved[i].insert(at, body);
        }
        self.bodies[body.index()] = Some(state);
    }

    /// By coordinates of its own: those of its centre of mass in the world, and its angle.
    fn place_freely(&mut self, placing: &Placing<'_, S>, body: BodyId) -> BodyState<S> {
        let com = placing.values(plane(placing.model.bodies[body.index()].com));
        let mut support = Vec::new();
        let mut at = FrameSum::zero();
        for axis in 0..2 {
            let own = placing.coordinate(SolverCoordinate::World(body, axis));
            let (i, coordinate) = own.expect("a free body has world coordinates");
            let unit = [S::number(1.0 - f64::from(axis)), S::number(f64::from(axis))];
            self.motions[i] = Motion::Slide { frame: 0, axis: unit };
            at = at.plus(0, [unit[0] * coordinate, unit[1] * coordinate]);
            support.push(i);
        }
        let turn = placing.coordinate(SolverCoordinate::Turn(body));
        let frame = turn.map_or(0, |(i, angle)| self.add_frame(i, angle));
        support.extend(turn.map(|(i, _)| i));
        let leaves = if frame == 0 { vec![(0, None)] } else { vec![(0, Some(body)), (frame, None)] };
        let origin = at.clone().minus(frame, com);
        BodyState { frame, offset: S::number(0.0), turn: None, origin, com: at, support, basis: None, leaves }
    }

    fn drive(&mut self, driven: Driven<S>, motion: Motion<S>) -> usize {
        self.motions.push(motion);
        self.driven.push(driven);
        self.moved.push(Vec::new());
        self.motions.len() - 1
    }

    /// Function that drives a motion; for a motion that is a coordinate, that coordinate.
    pub fn driven_by(&self, motion: usize) -> Driven<S> {
        let zero = S::number(0.0);
        match motion.checked_sub(self.motions.len() - self.driven.len()) {
            Some(k) => self.driven[k].clone(),
            None => Driven { derivatives: vec![(motion, S::number(1.0))], drift: zero, bend: zero },
        }
    }

    /// Generalised forces Bᵀ f of forces f along motions, x˙ = B q̇.
    pub fn projected(&self, mut along: Vec<S>) -> Vec<S> {
        let n = self.motions.len() - self.driven.len();
        let driven = along.split_off(n);
        for (of, f) in self.driven.iter().zip(driven).filter(|(_, f)| !f.is_zero()) {
            for (i, derivative) in &of.derivatives {
                along[*i] = along[*i] + *derivative * f;
            }
        }
        along
    }

    /// Bᵀ M B of the entries i ≥ j of M, as such entries.
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
            let [rows, columns] = [i, j].map(|i| self.driven_by(i).derivatives);
            for (a, of_row) in &rows {
                for (b, of_column) in &columns {
                    let x = *of_row * m * *of_column;
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

    fn add_frame(&mut self, coordinate: usize, angle: S) -> usize {
        let (sin, cos) = angle.sin_cos();
        self.frames.push(Frame { angle, cos, sin, coordinate: Some(coordinate) });
        self.motions[coordinate] = Motion::Turn { frame: self.frames.len() - 1 };
        self.frames.len() - 1
    }

    /// A placed body.
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

    /// Absolute angle of a body.
    pub fn angle(&self, body: BodyId) -> S {
        let state = self.body(body);
        self.frames[state.frame].angle + state.offset
    }
}
