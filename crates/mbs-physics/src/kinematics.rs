//! Poses of planar bodies from solver coordinates.
//!
//! A world vector is kept as a sum Σ R_f u_f over frames f with components u_f in the frame: what a frame carries stays
//! parameter-only, and one point costs one rotation per frame on its path.

use std::collections::BTreeMap;

use mbs_expr::{BodyId, JointId, Scalar};
use mbs_math::Vector;
use mbs_model::{Model, Step, plane};

use crate::frame::rotate;
use crate::natural::PlacedBasis;
use crate::posed::{Moving, Posing, Rate};
use crate::space::unit;
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
    pub slopes: Vec<(usize, S)>,
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

/// Rate that multiplies a column of a pose.
#[derive(Clone, Copy)]
enum Own<S> {
    /// Rate of a solver coordinate.
    Coordinate(usize),
    /// Rate of a function of time.
    Given(S),
}

impl<S> Own<S> {
    fn is_given(&self) -> bool {
        matches!(self, Own::Given(_))
    }
}

/// Steps of a joint: slides along axes of the first end, then a rotation.
struct Composed<S> {
    /// Solver coordinate of each slide, its value, and its direction in the axes of the first end.
    slides: Vec<(usize, S, [S; 2])>,
    turning: Turning<S>,
}

/// The rotation of a joint's second end.
#[derive(Clone, Copy)]
enum Turning<S> {
    /// By a constant angle from the first end.
    By(S),
    /// To an absolute angle of the body, which is a solver coordinate.
    To(usize, S),
    /// By an angle that is no coordinate: of a particle, whose axes stay the world's.
    Unmeasured,
}

/// Where a posed body stands.
struct Seat<S> {
    /// Point of the inboard marker.
    at: FrameSum<S>,
    frame: usize,
    /// Angle of the parent's x axis from the frame's.
    offset: S,
    /// Angle of the child's x axis from the parent's, without the pose.
    alignment: S,
    /// Angles of the inboard and the outboard marker in their bodies.
    facing: [S; 2],
    reversed: bool,
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

    /// Places one body whose parent is placed. `value` evaluates the expressions of markers, axes and centres of mass.
    pub fn place(
        &mut self,
        model: &Model,
        tree: &Tree,
        body: BodyId,
        (coordinates, t): (&[S], S),
        value: &dyn Fn(mbs_expr::ExprId) -> S,
    ) {
        let zero = S::number(0.0);
        let declared = &model.bodies[body.index()];
        let com = plane(declared.com).map(value);
        let find = |wanted: SolverCoordinate| tree.index_of(wanted);
        let turn = find(SolverCoordinate::Turn(body));
        let state = match tree.placements[body.index()] {
            Placement::Natural => self.place_naturally(model, tree, body, coordinates, value),
            Placement::Free { .. } => {
                let mut support = Vec::new();
                let mut at = FrameSum::zero();
                for axis in 0..2 {
                    let i = find(SolverCoordinate::World(body, axis)).expect("a free body has world coordinates");
                    let unit = [S::number(1.0 - f64::from(axis)), S::number(f64::from(axis))];
                    self.motions[i] = Motion::Slide { frame: 0, axis: unit };
                    at = at.plus(0, [unit[0] * coordinates[i], unit[1] * coordinates[i]]);
                    support.push(i);
                }
                let frame = turn.map_or(0, |i| self.add_frame(i, coordinates[i]));
                support.extend(turn);
                let leaves = if frame == 0 { vec![(0, None)] } else { vec![(0, Some(body)), (frame, None)] };
                let origin = at.clone().minus(frame, com);
                BodyState { frame, offset: zero, turn: None, origin, com: at, support, basis: None, leaves }
            }
            Placement::Joint { joint, parent, reversed } => {
                let joint_id = joint;
                let joint = model.joint(joint);
                let ends = if reversed { [joint.ends[1], joint.ends[0]] } else { joint.ends };
                let [inboard, outboard] = ends.map(|m| &model.markers[m.index()]);
                let base = parent.and_then(|p| self.bodies[p.index()].clone());
                let at = match &base {
                    Some(state) => state.point(plane(inboard.point).map(value)),
                    None => FrameSum::zero().plus(0, plane(inboard.point).map(value)),
                };
                let (parent_frame, parent_offset) = base.as_ref().map_or((0, zero), |s| (s.frame, s.offset));
                let mut support = base.as_ref().map_or(Vec::new(), |s| s.support.clone());
                let mut leaves = base.as_ref().map_or(vec![(0, None)], |s| s.leaves.clone());
                // Angle of the child's x axis from the parent's, without the joint's own coordinate.
                let alignment = value(inboard.angle) - value(outboard.angle);
                let facing = [inboard, outboard].map(|m| value(m.angle));
                let seat =
                    Seat { at: at.clone(), frame: parent_frame, offset: parent_offset, alignment, facing, reversed };
                let motion = joint.motion.as_ref().expect("joints of the tree place bodies");
                let (frame, offset, at) = match (joint.pose(), tree.prescribed(joint_id, 0)) {
                    (Some(pose), _) => {
                        let posing = Posing { model, pose: &model.poses[pose as usize], constant: value, t };
                        let (mut own, mut q, mut a) = (Vec::new(), Vec::new(), Vec::new());
                        for k in 0..posing.pose.n_q() as u8 {
                            let at = find(SolverCoordinate::Posed(joint_id, k));
                            let given = tree.prescribed(joint_id, k).map_or(zero, value);
                            own.push(at.map_or(Own::Given(given.rate()), Own::Coordinate));
                            q.push(at.map_or(given, |i| coordinates[i]));
                            a.push(at.map_or(given.rate().rate(), |_| zero));
                        }
                        let v: Vec<S> = q.iter().map(|q| q.rate()).collect();
                        let moving = posing.moving(&q, &v, &a);
                        let given = (0..).zip(&own).zip(&moving.columns).filter(|((_, own), _)| own.is_given());
                        self.given.extend(given.map(|((k, _), column)| (joint_id, k, *column)));
                        self.pose(seat, (&moving, posing.angle(&q)), (&own, &mut support))
                    }
                    // Its only step.
                    (None, Some(given)) => {
                        let given = value(given);
                        let (one, angle) = match motion.steps[0] {
                            Step::Slide { axis: [x, y, _] } => {
                                (Rate { shift: Vector([value(x), value(y), zero]), ..Rate::zero() }, zero)
                            }
                            _ => (Rate { spin: unit(2), ..Rate::zero() }, given),
                        };
                        let moving = Moving::along(one, given);
                        self.given.push((joint_id, 0, one));
                        self.pose(seat, (&moving, angle), (&[Own::Given(given.rate())], &mut support))
                    }
                    (None, None) => {
                        let slides = motion.steps.iter().zip(0..).filter_map(|(step, k)| match *step {
                            Step::Slide { axis: [x, y, _] } => {
                                let i = find(SolverCoordinate::Slide(joint_id, k)).expect("a joint of the tree slides");
                                Some((i, coordinates[i], [x, y].map(value)))
                            }
                            _ => None,
                        });
                        let slides = slides.collect();
                        let turning = match turn {
                            _ if !joint.turns() => Turning::By(motion.angle.map_or(zero, value)),
                            Some(i) => Turning::To(i, coordinates[i]),
                            None => Turning::Unmeasured,
                        };
                        self.compose(seat, base.as_ref(), Composed { slides, turning }, &mut support)
                    }
                };
                if frame != parent_frame {
                    if let Some(last) = leaves.last_mut() {
                        last.1 = Some(body);
                    }
                    leaves.push((frame, None));
                }
                support.sort_unstable();
                let turn = (!offset.is_zero()).then(|| {
                    let (s, c) = offset.sin_cos();
                    (c, s)
                });
                let nowhere = FrameSum::zero();
                let mut state =
                    BodyState { frame, offset, turn, origin: at, com: nowhere, support, basis: None, leaves };
                let arm = state.to_frame(plane(outboard.point).map(value));
                state.origin = state.origin.minus(frame, arm);
                state.com = state.point(com);
                state
            }
        };
        for &i in &state.support {
            let at = self.moved[i].partition_point(|b| *b < body);
            self.moved[i].insert(at, body);
        }
        self.bodies[body.index()] = Some(state);
    }

    /// Moves a body by the steps of its joint.
    fn compose(
        &mut self,
        seat: Seat<S>,
        parent: Option<&BodyState<S>>,
        steps: Composed<S>,
        support: &mut Vec<usize>,
    ) -> (usize, S, FrameSum<S>) {
        let Seat { mut at, frame: inner, offset, alignment, facing, reversed } = seat;
        let way = |x: S| if reversed { -x } else { x };
        let (frame, offset) = match steps.turning {
            Turning::To(i, angle) => {
                support.push(i);
                (self.add_frame(i, angle), S::number(0.0))
            }
            Turning::Unmeasured => (0, S::number(0.0)),
            Turning::By(angle) => (inner, offset + alignment + way(angle)),
        };
        for (i, coordinate, axis) in steps.slides {
            // The axis is fixed in the first end. Where frames are parallel, the inboard marker's axes serve.
            let axis = axis.map(way);
            let in_parent = |facing: S| {
                let in_body = rotate(facing, axis);
                (inner, parent.map_or(in_body, |parent| parent.to_frame(in_body)))
            };
            let (carrier, along) = match steps.turning {
                Turning::By(angle) if reversed => in_parent(facing[0] - angle),
                _ if reversed => (frame, rotate(facing[1], axis)),
                _ => in_parent(facing[0]),
            };
            self.motions[i] = Motion::Slide { frame: carrier, axis: along };
            support.push(i);
            at = at.plus(carrier, along.map(|x| x * coordinate));
        }
        (frame, offset, at)
    }

    /// Moves a body by the pose of its joint. A displacement stands in the axes of the joint's first end, as slides along them; it turns by
    /// an angle of its own where the pose does.
    fn pose(
        &mut self,
        seat: Seat<S>,
        (moving, angle): (&Moving<S>, S),
        (own, support): (&[Own<S>], &mut Vec<usize>),
    ) -> (usize, S, FrameSum<S>) {
        let Seat { mut at, frame: parent, offset, alignment, facing, reversed } = seat;
        let seat_offset = offset;
        let way = |x: S| if reversed { -x } else { x };
        let driven = |x: &dyn Fn(&Rate<S>) -> S| {
            let mut driven = Driven { slopes: Vec::new(), drift: S::number(0.0), bend: x(&moving.acceleration) };
            for (own, slope) in own.iter().zip(&moving.columns).map(|(own, column)| (own, x(column))) {
                match *own {
                    Own::Coordinate(i) if !slope.is_zero() => driven.slopes.push((i, slope)),
                    Own::Coordinate(_) => {}
                    Own::Given(rate) => driven.drift = driven.drift + slope * rate,
                }
            }
            driven
        };
        let (frame, offset) = match moving.columns.iter().all(|column| column.spin[2].is_zero()) {
            true => (parent, offset + alignment + way(angle)),
            false => {
                let mut turn = driven(&|rate| way(rate.spin[2]));
                if let Some(outer) = self.frames[parent].coordinate {
                    let outer = self.driven_by(outer);
                    turn.slopes.extend(outer.slopes);
                    turn.drift = turn.drift + outer.drift;
                    turn.bend = turn.bend + outer.bend;
                }
                let motion = self.drive(turn, Motion::Algebraic);
                support.push(motion);
                let absolute = self.frames[parent].angle + offset + alignment + way(angle);
                (self.add_frame(motion, absolute), S::number(0.0))
            }
        };
        // Axes of the first end in the frame that it turns with.
        let (carrier, turned) = match reversed {
            false => (parent, seat_offset + facing[0]),
            true => (frame, offset + facing[1]),
        };
        for axis in 0..2 {
            // Numbers that are zero in this state need not be zero in others.
            let still = moving.columns.iter().all(|column| column.shift[axis].is_zero());
            if still && moving.shift[axis].is_zero() {
                continue;
            }
            let unit = [S::number(1.0 - axis as f64), S::number(axis as f64)];
            let along = rotate(turned, unit).map(way);
            let slide = driven(&|rate| rate.shift[axis]);
            support.push(self.drive(slide, Motion::Slide { frame: carrier, axis: along }));
            at = at.plus(carrier, along.map(|x| x * moving.shift[axis]));
        }
        (frame, offset, at)
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
            None => Driven { slopes: vec![(motion, S::number(1.0))], drift: zero, bend: zero },
        }
    }

    /// Generalised forces Bᵀ f of forces f along motions, x˙ = B q̇.
    pub fn projected(&self, mut along: Vec<S>) -> Vec<S> {
        let n = self.motions.len() - self.driven.len();
        let driven = along.split_off(n);
        for (of, f) in self.driven.iter().zip(driven).filter(|(_, f)| !f.is_zero()) {
            for (i, slope) in &of.slopes {
                along[*i] = along[*i] + *slope * f;
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
            let [rows, columns] = [i, j].map(|i| self.driven_by(i).slopes);
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
