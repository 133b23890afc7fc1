//! Placing bodies of the plane on joints of the tree: by the steps of the catalogue, by the poses that texts declare, and by functions of time.

use mbs_expr::{BodyId, ExprId, JointId, Scalar};
use mbs_math::Vector;
use mbs_model::{Joint, Step, plane};

use super::{BodyState, Driven, Kinematics, Motion, Placing};
use crate::frame::rotate;
use crate::posed::{Moving, Posing, Rate};
use crate::space::unit;
use crate::{FrameSum, SolverCoordinate};

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

/// Where a joint of the tree holds its body.
struct Seat<S> {
    /// Point of the inboard marker.
    at: FrameSum<S>,
    /// The parent's frame.
    frame: usize,
    /// Angle of the parent's x axis from the frame's.
    offset: S,
    /// Angle of the child's x axis from the parent's, without the pose.
    alignment: S,
    /// Angles of the inboard and the outboard marker in their bodies.
    facing: [S; 2],
    /// Whether the body is the joint's first end.
    reversed: bool,
    /// Solver coordinates and motions that move the body.
    support: Vec<usize>,
}

/// How a joint places its body: frame, angle of the body's x axis from the frame's, and the point of the outboard marker.
struct Placed<S> {
    frame: usize,
    offset: S,
    at: FrameSum<S>,
}

impl<S: Scalar> Kinematics<S> {
    /// Places a body by a joint of the tree, whose first end it is where `reversed`.
    pub(super) fn place_on_joint(
        &mut self,
        placing: &Placing<'_, S>,
        body: BodyId,
        id: JointId,
        parent: Option<BodyId>,
        reversed: bool,
    ) -> BodyState<S> {
        let (model, zero) = (placing.model, S::number(0.0));
        let joint = model.joint(id);
        let ends = if reversed { [joint.ends[1], joint.ends[0]] } else { joint.ends };
        let [inboard, outboard] = ends.map(|m| &model.markers[m.index()]);
        let base = parent.and_then(|p| self.bodies[p.index()].clone());
        let [point, arm] = [inboard, outboard].map(|m| placing.values(plane(m.point)));
        let facing = placing.values([inboard.angle, outboard.angle]);
        let mut seat = Seat {
            at: base.as_ref().map_or_else(|| FrameSum::zero().plus(0, point), |base| base.point(point)),
            frame: base.as_ref().map_or(0, |base| base.frame),
            offset: base.as_ref().map_or(zero, |base| base.offset),
            alignment: facing[0] - facing[1],
            facing,
            reversed,
            support: base.as_ref().map_or(Vec::new(), |base| base.support.clone()),
        };
        let placed = match (joint.pose(), placing.tree.prescribed(id, 0)) {
            (Some(pose), _) => self.place_by_pose(placing, &mut seat, id, pose),
            (None, Some(given)) => self.place_by_function(placing, &mut seat, id, given),
            (None, None) => {
                let steps = composed(placing, body, id, joint);
                self.compose(&mut seat, base.as_ref(), steps)
            }
        };
        let mut leaves = base.as_ref().map_or(vec![(0, None)], |base| base.leaves.clone());
        let Placed { frame, offset, at } = placed;
        if frame != seat.frame {
            if let Some(last) = leaves.last_mut() {
                last.1 = Some(body);
            }
            leaves.push((frame, None));
        }
        let mut support = seat.support;
        support.sort_unstable();
        let turn = (!offset.is_zero()).then(|| {
            let (s, c) = offset.sin_cos();
            (c, s)
        });
        let com = FrameSum::zero();
        let mut state = BodyState { frame, offset, turn, origin: at, com, support, basis: None, leaves };
        let arm = state.to_frame(arm);
        state.origin = state.origin.minus(frame, arm);
        state.com = state.point(placing.values(plane(model.bodies[body.index()].com)));
        state
    }

    /// By the pose that its kind declares, of its coordinates or functions of time in place of some.
    fn place_by_pose(&mut self, placing: &Placing<'_, S>, seat: &mut Seat<S>, id: JointId, pose: u32) -> Placed<S> {
        let (model, zero) = (placing.model, S::number(0.0));
        let posing = Posing { model, pose: &model.poses[pose as usize], constant: placing.value, t: placing.t };
        let (mut own, mut q, mut a) = (Vec::new(), Vec::new(), Vec::new());
        for k in 0..posing.pose.n_q() as u8 {
            let at = placing.coordinate(SolverCoordinate::Posed(id, k));
            let given = placing.tree.prescribed(id, k).map_or(zero, placing.value);
            own.push(at.map_or(Own::Given(given.rate()), |(i, _)| Own::Coordinate(i)));
            q.push(at.map_or(given, |(_, q)| q));
            a.push(at.map_or(given.rate().rate(), |_| zero));
        }
        let v: Vec<S> = q.iter().map(|q| q.rate()).collect();
        let moving = posing.moving(&q, &v, &a);
        let given = (0..).zip(&own).zip(&moving.columns).filter(|((_, own), _)| own.is_given());
        self.given.extend(given.map(|((k, _), column)| (id, k, *column)));
        self.pose(seat, &moving, posing.angle(&q), &own)
    }

    /// By its only step, whose coordinate is a function of time.
    fn place_by_function(
        &mut self,
        placing: &Placing<'_, S>,
        seat: &mut Seat<S>,
        id: JointId,
        given: ExprId,
    ) -> Placed<S> {
        let given = (placing.value)(given);
        let zero = S::number(0.0);
        let (one, angle) = match placing.model.joint(id).steps()[0] {
            Step::Slide { axis: [x, y, _] } => {
                let [x, y] = placing.values([x, y]);
                (Rate { shift: Vector([x, y, zero]), ..Rate::zero() }, zero)
            }
            _ => (Rate { spin: unit(2), ..Rate::zero() }, given),
        };
        self.given.push((id, 0, one));
        self.pose(seat, &Moving::along(one, given), angle, &[Own::Given(given.rate())])
    }

    /// Moves a body by the steps of its joint.
    fn compose(&mut self, seat: &mut Seat<S>, parent: Option<&BodyState<S>>, steps: Composed<S>) -> Placed<S> {
        let Seat { frame: inner, offset, alignment, facing, reversed, .. } = *seat;
        let way = |x: S| if reversed { -x } else { x };
        let (frame, offset) = match steps.turning {
            Turning::To(i, angle) => {
                seat.support.push(i);
                (self.add_frame(i, angle), S::number(0.0))
            }
            Turning::Unmeasured => (0, S::number(0.0)),
            Turning::By(angle) => (inner, offset + alignment + way(angle)),
        };
        let mut at = seat.at.clone();
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
            seat.support.push(i);
            at = at.plus(carrier, along.map(|x| x * coordinate));
        }
        Placed { frame, offset, at }
    }

    /// Moves a body by the pose of its joint. A displacement stands in the axes of the joint's first end, as slides along them; it turns by
    /// an angle of its own where the pose does.
    fn pose(&mut self, seat: &mut Seat<S>, moving: &Moving<S>, angle: S, own: &[Own<S>]) -> Placed<S> {
        let Seat { frame: parent, offset, alignment, facing, reversed, .. } = *seat;
        let seat_offset = offset;
        let way = |x: S| if reversed { -x } else { x };
        let driven = |x: &dyn Fn(&Rate<S>) -> S| {
            let mut driven = Driven { derivatives: Vec::new(), drift: S::number(0.0), bend: x(&moving.acceleration) };
            for (own, derivative) in own.iter().zip(&moving.columns).map(|(own, column)| (own, x(column))) {
                match *own {
                    Own::Coordinate(i) if !derivative.is_zero() => driven.derivatives.push((i, derivative)),
                    Own::Coordinate(_) => {}
                    Own::Given(rate) => driven.drift = driven.drift + derivative * rate,
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
                    turn.derivatives.extend(outer.derivatives);
                    turn.drift = turn.drift + outer.drift;
                    turn.bend = turn.bend + outer.bend;
                }
                let motion = self.drive(turn, Motion::Algebraic);
                seat.support.push(motion);
                let absolute = self.frames[parent].angle + offset + alignment + way(angle);
                (self.add_frame(motion, absolute), S::number(0.0))
            }
        };
        // Axes of the first end in the frame that it turns with.
        let (carrier, turned) = match reversed {
            false => (parent, seat_offset + facing[0]),
            true => (frame, offset + facing[1]),
        };
        let mut at = seat.at.clone();
        for axis in 0..2 {
            // Numbers that are zero in this state need not be zero in others.
            let still = moving.columns.iter().all(|column| column.shift[axis].is_zero());
            if still && moving.shift[axis].is_zero() {
                continue;
            }
            let unit = [S::number(1.0 - axis as f64), S::number(axis as f64)];
            let along = rotate(turned, unit).map(way);
            let slide = driven(&|rate| rate.shift[axis]);
            seat.support.push(self.drive(slide, Motion::Slide { frame: carrier, axis: along }));
            at = at.plus(carrier, along.map(|x| x * moving.shift[axis]));
        }
        Placed { frame, offset, at }
    }
}

/// The steps of a joint with the values of their coordinates.
fn composed<S: Scalar>(placing: &Placing<'_, S>, body: BodyId, id: JointId, joint: &Joint) -> Composed<S> {
    let slides = (0..).zip(joint.steps()).filter_map(|(k, step)| match *step {
        Step::Slide { axis: [x, y, _] } => {
            let own = placing.coordinate(SolverCoordinate::Slide(id, k));
            let (i, coordinate) = own.expect("a joint of the tree slides");
            Some((i, coordinate, placing.values([x, y])))
        }
        _ => None,
    });
    let angle = joint.motion.as_ref().and_then(|motion| motion.angle);
    let turning = match placing.coordinate(SolverCoordinate::Turn(body)) {
        _ if !joint.turns() => Turning::By(angle.map_or(S::number(0.0), placing.value)),
        Some((i, angle)) => Turning::To(i, angle),
        None => Turning::Unmeasured,
    };
    Composed { slides: slides.collect(), turning }
}
