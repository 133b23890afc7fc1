//! Poses of planar bodies on joints of the tree: from the steps of the catalogue, from the poses that texts declare, and from functions of time.

use mbs_expr::{BodyId, ExprId, JointId, Scalar};
use mbs_math::{Each, Vector};
use mbs_model::{Joint, Step, plane};

use super::{BodyState, Driven, Kinematics, Motion, PoseInputs};
use crate::frame::rotate;
use crate::pose_evaluator::{PoseEvaluator, PoseMotion, Rate};
use crate::space::unit;
use crate::{FrameSum, SolverCoordinate};

/// Rate that multiplies a column of a declared pose.
#[derive(Clone, Copy)]
enum ColumnRate<S> {
    /// Rate of a solver coordinate.
    Coordinate(usize),
    /// Rate of a prescribed coordinate.
    Prescribed(S),
}

impl<S> ColumnRate<S> {
    fn is_prescribed(&self) -> bool {
        matches!(self, ColumnRate::Prescribed(_))
    }
}

/// Steps of a joint: translations along axes of the first end, then a rotation.
struct Steps<S> {
    /// Solver coordinate of each translation, its value, and its direction in the axes of the first end.
    translations: Vec<(usize, S, [S; 2])>,
    rotation: JointRotation<S>,
}

/// The rotation of a joint's second end.
#[derive(Clone, Copy)]
enum JointRotation<S> {
    /// By a constant angle from the first end.
    Constant(S),
    /// To an absolute angle of the body, which is a solver coordinate: its index and value.
    Absolute(usize, S),
    /// By an angle that is no coordinate: of a particle, whose axes stay the world's.
    Unmeasured,
}

/// Mount of a body on a joint of the tree, without the joint's own motion.
struct JointMount<S> {
    /// World position of the inboard marker.
    point: FrameSum<S>,
    /// The parent's frame.
    frame: usize,
    /// Angle of the parent's x axis from the frame's.
    offset: S,
    /// Angle of the child's x axis from the parent's where the joint's angle is zero.
    alignment: S,
    /// Angles of the inboard and the outboard marker in their bodies.
    marker_angles: [S; 2],
    /// Whether the body is the joint's first end.
    reversed: bool,
    /// Motions that move the body.
    support: Vec<usize>,
}

/// Pose of the outboard body of a joint: its frame, the angle of its x axis from the frame's, and the world position of the outboard marker.
struct OutboardPose<S> {
    frame: usize,
    offset: S,
    point: FrameSum<S>,
}

impl<S: Scalar> Kinematics<S> {
    /// Pose of a body on a joint of the tree. The body is the joint's second end, its first where `reversed`.
    pub(super) fn joint_pose(
        &mut self,
        inputs: &PoseInputs<'_, S>,
        body: BodyId,
        id: JointId,
        parent: Option<BodyId>,
        reversed: bool,
    ) -> BodyState<S> {
        let (model, zero) = (inputs.model, S::number(0.0));
        let joint = model.joint(id);
        let ends = if reversed { [joint.ends[1], joint.ends[0]] } else { joint.ends };
        let [inboard, outboard] = ends.map(|m| &model.markers[m.index()]);
        let base = parent.and_then(|p| self.bodies[p.index()].clone());
        let [point, arm] = [inboard, outboard].each(|m| inputs.values(plane(m.point)));
        let marker_angles = inputs.values([inboard.angle, outboard.angle]);
        let mut mount = JointMount {
            point: base.as_ref().map_or_else(|| FrameSum::zero().plus(0, point), |base| base.point(point)),
            frame: base.as_ref().map_or(0, |base| base.frame),
            offset: base.as_ref().map_or(zero, |base| base.offset),
            alignment: marker_angles[0] - marker_angles[1],
            marker_angles,
            reversed,
            support: base.as_ref().map_or(Vec::new(), |base| base.support.clone()),
        };
        let pose = match (joint.pose(), inputs.tree.prescribed(id, 0)) {
            (Some(pose), _) => self.pose_from_declaration(inputs, &mut mount, id, pose),
            (None, Some(prescribed)) => self.pose_from_prescription(inputs, &mut mount, id, prescribed),
            (None, None) => {
                let steps = joint_steps(inputs, body, id, joint);
                self.pose_from_steps(&mut mount, base.as_ref(), steps)
            }
        };
        let mut path = base.as_ref().map_or(vec![(0, None)], |base| base.path.clone());
        let OutboardPose { frame, offset, point } = pose;
        if frame != mount.frame {
            if let Some(last) = path.last_mut() {
                last.1 = Some(body);
            }
            path.push((frame, None));
        }
        let mut support = mount.support;
        support.sort_unstable();
        let offset_rotation = (!offset.is_zero()).then(|| {
            let (s, c) = offset.sin_cos();
            (c, s)
        });
        let com = FrameSum::zero();
        let mut state = BodyState { frame, offset, offset_rotation, origin: point, com, support, basis: None, path };
        let arm = state.to_frame(arm);
        state.origin = state.origin.minus(frame, arm);
        state.com = state.point(inputs.values(plane(model.bodies[body.index()].com)));
        state
    }

    /// Pose from the declaration of the joint's kind, at its coordinates, of which some may be prescribed.
    fn pose_from_declaration(
        &mut self,
        inputs: &PoseInputs<'_, S>,
        mount: &mut JointMount<S>,
        id: JointId,
        pose: u32,
    ) -> OutboardPose<S> {
        let (model, zero) = (inputs.model, S::number(0.0));
        let posing = PoseEvaluator::new(model, &model.coordinates.poses[pose as usize], inputs.value, inputs.t);
        let (mut rates, mut q, mut a) = (Vec::new(), Vec::new(), Vec::new());
        for k in 0..posing.pose.n_q() as u8 {
            let free = inputs.solver_coordinate(SolverCoordinate::Posed(id, k));
            let prescribed = inputs.tree.prescribed(id, k).map_or(zero, inputs.value);
            rates.push(free.map_or(ColumnRate::Prescribed(prescribed.rate()), |(i, _)| ColumnRate::Coordinate(i)));
            q.push(free.map_or(prescribed, |(_, q)| q));
            a.push(free.map_or(prescribed.rate().rate(), |_| zero));
        }
        let v: Vec<S> = q.iter().map(|q| q.rate()).collect();
        let motion = posing.motion(&q, &v, &a);
        let prescribed = (0..).zip(&rates).zip(&motion.columns).filter(|((_, rate), _)| rate.is_prescribed());
        self.prescribed.extend(prescribed.map(|((k, _), column)| (id, k, *column)));
        self.pose_from_motion(mount, &motion, posing.angle(&q), &rates)
    }

    /// Pose from the joint's only step, whose coordinate is a function of time.
    fn pose_from_prescription(
        &mut self,
        inputs: &PoseInputs<'_, S>,
        mount: &mut JointMount<S>,
        id: JointId,
        prescribed: ExprId,
    ) -> OutboardPose<S> {
        let x = (inputs.value)(prescribed);
        let zero = S::number(0.0);
        let (column, angle) = match inputs.model.joint(id).steps()[0] {
            Step::Prismatic { axis: [x, y, _] } => {
                let axis = inputs.values([x, y]);
                (Rate { linear: Vector([axis[0], axis[1], zero]), ..Rate::zero() }, zero)
            }
            _ => (Rate { angular: unit(2), ..Rate::zero() }, x),
        };
        self.prescribed.push((id, 0, column));
        let motion = PoseMotion::from_column(column, x);
        self.pose_from_motion(mount, &motion, angle, &[ColumnRate::Prescribed(x.rate())])
    }

    /// Pose from the steps of the joint.
    fn pose_from_steps(
        &mut self,
        mount: &mut JointMount<S>,
        parent: Option<&BodyState<S>>,
        steps: Steps<S>,
    ) -> OutboardPose<S> {
        let JointMount { frame: parent_frame, offset, alignment, marker_angles, reversed, .. } = *mount;
        let signed = |x: S| if reversed { -x } else { x };
        let (frame, offset) = match steps.rotation {
            JointRotation::Absolute(i, angle) => {
                mount.support.push(i);
                (self.add_frame(i, angle), S::number(0.0))
            }
            JointRotation::Unmeasured => (0, S::number(0.0)),
            JointRotation::Constant(angle) => (parent_frame, offset + alignment + signed(angle)),
        };
        let mut point = mount.point.clone();
        for (i, coordinate, axis) in steps.translations {
            // The axis is fixed in the first end. Where both frames are parallel, the parent's is used.
            let axis = axis.each(signed);
            let in_parent = |angle: S| {
                let in_body = rotate(angle, axis);
                (parent_frame, parent.map_or(in_body, |parent| parent.to_frame(in_body)))
            };
            let (axis_frame, axis) = match steps.rotation {
                JointRotation::Constant(angle) if reversed => in_parent(marker_angles[0] - angle),
                _ if reversed => (frame, rotate(marker_angles[1], axis)),
                _ => in_parent(marker_angles[0]),
            };
            self.motions[i] = Motion::Translation { frame: axis_frame, axis };
            mount.support.push(i);
            point = point.plus(axis_frame, axis.each(|x| x * coordinate));
        }
        OutboardPose { frame, offset, point }
    }

    /// Pose from the motion of the joint's second end relative to its first. The displacement becomes translations along the axes of the first
    /// end; the rotation, where there is one, a frame with a driven angle.
    fn pose_from_motion(
        &mut self,
        mount: &mut JointMount<S>,
        motion: &PoseMotion<S>,
        angle: S,
        rates: &[ColumnRate<S>],
    ) -> OutboardPose<S> {
        let JointMount { frame: parent, offset: mount_offset, alignment, marker_angles, reversed, .. } = *mount;
        let signed = |x: S| if reversed { -x } else { x };
        let driven = |x: &dyn Fn(&Rate<S>) -> S| {
            let bias = x(&motion.acceleration);
            let mut driven = Driven { derivatives: Vec::new(), partial_rate: S::number(0.0), bias };
            for (rate, derivative) in rates.iter().zip(&motion.columns).map(|(rate, column)| (rate, x(column))) {
                match *rate {
                    ColumnRate::Coordinate(i) if !derivative.is_zero() => driven.derivatives.push((i, derivative)),
                    ColumnRate::Coordinate(_) => {}
                    ColumnRate::Prescribed(rate) => driven.partial_rate = driven.partial_rate + derivative * rate,
                }
            }
            driven
        };
        let (frame, offset) = match motion.columns.iter().all(|column| column.angular[2].is_zero()) {
            true => (parent, mount_offset + alignment + signed(angle)),
            false => {
                let mut rotation = driven(&|rate| signed(rate.angular[2]));
                if let Some(outer) = self.frames[parent].coordinate {
                    let outer = self.driven_motion(outer);
                    rotation.derivatives.extend(outer.derivatives);
                    rotation.partial_rate = rotation.partial_rate + outer.partial_rate;
                    rotation.bias = rotation.bias + outer.bias;
                }
                let index = self.add_driven_motion(rotation, Motion::Algebraic);
                mount.support.push(index);
                let absolute = self.frames[parent].angle + mount_offset + alignment + signed(angle);
                (self.add_frame(index, absolute), S::number(0.0))
            }
        };
        // The frame of the first end, and the angle of its axes there.
        let (axis_frame, axis_angle) = match reversed {
            false => (parent, mount_offset + marker_angles[0]),
            true => (frame, offset + marker_angles[1]),
        };
        let mut point = mount.point.clone();
        for axis in 0..2 {
            // Numbers that are zero in this state need not be zero in others.
            let is_fixed = motion.columns.iter().all(|column| column.linear[axis].is_zero());
            if is_fixed && motion.displacement[axis].is_zero() {
                continue;
            }
            let unit = [S::number(1.0 - axis as f64), S::number(axis as f64)];
            let direction = rotate(axis_angle, unit).map(signed);
            let translation = driven(&|rate| rate.linear[axis]);
            let index = self.add_driven_motion(translation, Motion::Translation { frame: axis_frame, axis: direction });
            mount.support.push(index);
            point = point.plus(axis_frame, direction.each(|x| x * motion.displacement[axis]));
        }
        OutboardPose { frame, offset, point }
    }
}

/// The steps of a joint with the values of their coordinates.
fn joint_steps<S: Scalar>(inputs: &PoseInputs<'_, S>, body: BodyId, id: JointId, joint: &Joint) -> Steps<S> {
    let translations = (0..).zip(joint.steps()).filter_map(|(k, step)| match *step {
        Step::Prismatic { axis: [x, y, _] } => {
            let found = inputs.solver_coordinate(SolverCoordinate::Displacement(id, k));
            let (i, coordinate) = found.expect("a translation of a joint of the tree has a coordinate");
            Some((i, coordinate, inputs.values([x, y])))
        }
        _ => None,
    });
    let angle = joint.motion.as_ref().and_then(|motion| motion.angle);
    let rotation = match inputs.solver_coordinate(SolverCoordinate::Angle(body)) {
        _ if !joint.has_revolute_step() => JointRotation::Constant(angle.map_or(S::number(0.0), inputs.value)),
        Some((i, angle)) => JointRotation::Absolute(i, angle),
        None => JointRotation::Unmeasured,
    };
    Steps { translations: translations.collect(), rotation }
}
