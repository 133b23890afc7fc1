//! Joints of space: they place bodies, or take their numbers from placed bodies; attitudes stay away from singular ones.

use super::Builder;
use super::declared::{MIDDLE, drawn};
use super::links::SHORTEST;
use crate::catalogued::{Catalogued, Slide, Turning, kinds};
use crate::description::{Link, LinkKind};
use crate::frame::{Frame, inner, outer, plus};
use crate::number::Number;
use crate::plan::{Joint, JointKind, Space};
use crate::world::{Place, Write, Z};

/// Least sine of the angle between the axes of a cross.
const ASKEW: f64 = 0.3;
/// Least sine or cosine, which vanishes at a singular attitude, for which parameters of attitudes and angles of gimbals are used.
const REGULAR: f64 = 0.35;
/// Least radius of an ellipsoid.
const THINNEST: f64 = 0.2;
/// Largest azimuth, so that it is measured away from a half revolution, where rounding decides its sign.
const WIDEST: f64 = 3.0;
/// Largest angle of Rodrigues parameters.
const LARGEST_TURN: f64 = 2.4;

impl Builder {
    /// The joint as two bodies admit it, apart from a radius or an angle that follows from poses.
    fn possible_in_space(&self, link: &Link, bodies: [Option<usize>; 2]) -> JointKind {
        let particle = bodies.into_iter().any(|b| self.is_particle(b));
        let ball = || Catalogued::plain(Space::Spatial, "spherical").kind;
        let kind = match link.kind {
            LinkKind::Catalogued(kind) if particle && !kinds(Space::Spatial)[kind].takes_particles() => ball(),
            LinkKind::Catalogued(kind) => kind,
            LinkKind::Declared(_) if particle => ball(),
            LinkKind::Declared(k) => return JointKind::Declared(drawn(Space::Spatial, k, link).1),
            LinkKind::Cam => unreachable!("a mechanism of space has no cams"),
        };
        let steps = &kinds(Space::Spatial)[kind];
        let mut axes = link.axes.map(|axis| if length(axis) < SHORTEST { literal(Z) } else { axis });
        if steps.turning == Turning::Cross {
            let [i, j] = steps.turn_axes;
            axes[j] = askew(axes[i], axes[j]);
        }
        let radii = link.offset.map(|x| x.with_value(THINNEST + x.value.abs()));
        let number = link.computed.with_value(link.offset[0].value);
        JointKind::Catalogued(Catalogued { space: Space::Spatial, kind, axes, number, radii })
    }

    /// Connects body b to an earlier one; the joint determines the pose of b.
    pub(super) fn link_in_space(&mut self, link: &Link, parent: Option<usize>, b: usize) {
        let (from, to) = (self.settled(link.from, parent), self.settled(link.to, Some(b)));
        let mut kind = self.possible_in_space(link, [parent, Some(b)]);
        let motion = motion(&mut kind, link);
        let place = Frame::of(&from, &self.plan.world());
        let own = Frame::of(&Place { body: None, ..to }, &self.plan.world());
        let body = if self.plan.bodies[b].particle {
            let r =
                if link.reversed { own.outward(motion.position).map(|x| -x) } else { place.outward(motion.position) };
            let position = [0, 1, 2].map(|k| place.position[k] + r[k] - own.position[k]);
            Frame::turned(position, Z, 0.0)
        } else {
            let motion = if link.reversed { motion.inverse() } else { motion };
            place.then(&motion).then(&own.inverse())
        };
        let (about, angle) = body.turn();
        let placed = &mut self.plan.bodies[b];
        (placed.position, placed.about, placed.angle) = (body.position, about, angle);
        self.push(kind, link, [from, to]);
    }

    /// A joint between two bodies that are placed: the place of its second end follows from their poses.
    pub(super) fn close_in_space(&mut self, link: &Link, parent: Option<usize>, b: usize) {
        let (from, to) = (self.settled(link.from, parent), self.settled(link.to, Some(b)));
        let mut kind = self.possible_in_space(link, [parent, Some(b)]);
        let motion = motion(&mut kind, link);
        let (first, mut second) = if link.reversed { (to, from) } else { (from, to) };
        let world = self.plan.world();
        let (start, mut end) = (Frame::of(&first, &world), Frame::of(&second, &world));
        let target = start.then(&motion);
        match &mut kind {
            JointKind::Catalogued(joint) => {
                let (slide, turning) = (joint.kind().slide, joint.kind().turning);
                if !turning.is_any() {
                    end.axes = target.axes;
                }
                if slide == Slide::Ellipsoid {
                    let out = start.outward(joint.on_ellipsoid(&start.inverse().then(&end)));
                    end.position = plus(start.position, 1.0, out);
                } else if !matches!(slide, Slide::Anywhere | Slide::Around) {
                    end.position = target.position;
                }
                self.adjust(&mut second, &end, link);
                let end = start.inverse().then(&Frame::of(&second, &world));
                match (slide, turning) {
                    (Slide::Around, _) => joint.number.value = inner(end.position, end.position).sqrt(),
                    (_, Turning::Lean) => joint.number.value = joint.lean(&end),
                    _ => {}
                }
                if is_singular(joint, &end) {
                    return;
                }
            }
            _ => self.adjust(&mut second, &target, link),
        }
        self.push(kind, link, if link.reversed { [second, first] } else { [first, second] });
        self.settle_closing();
    }

    /// Moves a place on its body to where it must be in the world.
    fn adjust(&self, place: &mut Place, target: &Frame, link: &Link) {
        let world = self.plan.world();
        let now = Frame::of(place, &world);
        if now == *target {
            return;
        }
        let owner = Frame::of(&Place::origin(place.body), &world);
        let local = owner.inverse().then(target);
        place.point = local.position.map(|x| link.computed.with_value(x));
        if now.axes != target.axes {
            let (about, angle) = local.turn();
            (place.about, place.angle) = (about, link.computed.with_value(angle));
        }
        if place.write == Write::Com {
            place.write = Write::Inline;
        }
        *place = self.settled(*place, place.body);
    }

    /// Replaces attitude representations that are singular near the pose by quaternions. Where poses are left out, assembly starts at no
    /// rotation, where proper Euler angles are singular.
    pub(super) fn settle_attitudes(&mut self) {
        let world = self.plan.world();
        let mut wrong = Vec::new();
        for (b, body) in self.plan.bodies.iter().enumerate() {
            let Some(attitude) = body.attitude else { continue };
            let own = Frame::of(&Place::origin(Some(b)), &world);
            let joints = self.plan.joints.iter().filter(|j| attitude_of(j) == Some(b));
            let relative = joints.map(|j| {
                let [first, second] = j.ends.map(|e| Frame::of(&e, &world));
                first.inverse().then(&second)
            });
            let start = (!self.exact).then(|| Frame::turned([0.0; 3], Z, 0.0));
            if [own].into_iter().chain(start).chain(relative).any(|frame| !is_regular(attitude, &frame)) {
                wrong.push(b);
            }
        }
        for b in wrong {
            self.plan.bodies[b].attitude = None;
        }
    }
}

/// The body whose attitude a joint's `q` are.
fn attitude_of(joint: &Joint) -> Option<usize> {
    match joint.kind {
        JointKind::Catalogued(own) if own.kind().has_attitude() => joint.ends[1].body.or(joint.ends[0].body),
        _ => None,
    }
}

/// Whether parameters of an attitude are far from singular.
fn is_regular(attitude: &str, frame: &Frame) -> bool {
    let Some(sequence) = attitude.strip_prefix("euler(") else {
        return attitude != "rodrigues" || frame.turn().1 < LARGEST_TURN;
    };
    let mut axes = sequence.bytes().map(|c| usize::from(c.wrapping_sub(b'x')));
    let [i, j, k] = [(); 3].map(|()| axes.next().unwrap_or(0));
    match i == k {
        true => frame.axes[i][i].abs() < (1.0 - REGULAR * REGULAR).sqrt(),
        false => frame.angles([i, j, k]).0 > REGULAR,
    }
}

/// Whether the coordinates or the rows of a joint between placed bodies are singular, with its second end in the first.
fn is_singular(joint: &Catalogued, end: &Frame) -> bool {
    match (joint.kind().slide, joint.kind().turning) {
        (Slide::Around, _) if joint.kind().spans() => !is_off_poles(end.position),
        (Slide::Around, _) => joint.number.value < SHORTEST,
        (_, Turning::Lean) => joint.number.value.sin() < ASKEW,
        (_, Turning::Gimbal) => end.angles([0, 1, 2]).0 < REGULAR,
        _ => false,
    }
}

/// Whether a place on a sphere has an azimuth and an elevation that are far from singular.
fn is_off_poles([x, y, z]: [f64; 3]) -> bool {
    let flat = x.hypot(y);
    let far = flat.hypot(z);
    far > SHORTEST && flat > REGULAR * far && y.atan2(x).abs() < WIDEST
}

fn length(axis: [Number; 3]) -> f64 {
    let axis = axis.map(|x| x.value);
    inner(axis, axis).sqrt()
}

fn literal(v: [f64; 3]) -> [Number; 3] {
    v.map(Number::literal)
}

/// The second axis, or a coordinate axis, such that it is not close to parallel to the first.
fn askew(first: [Number; 3], second: [Number; 3]) -> [Number; 3] {
    let candidates = [second, literal([0.0, 1.0, 0.0]), literal(Z), literal([1.0, 0.0, 0.0])];
    let sine = |axis: [Number; 3]| {
        let w = outer(first.map(|x| x.value), axis.map(|x| x.value));
        inner(w, w).sqrt() / (length(first) * length(axis))
    };
    candidates.into_iter().find(|axis| sine(*axis) > ASKEW).expect("coordinate axes are not all parallel to one")
}

/// Pose of the second end in the first by the numbers of a link; a radius or an angle that follows is stored in the joint.
fn motion(kind: &mut JointKind, link: &Link) -> Frame {
    let (mut slides, mut turns) = (link.offset.map(|x| x.value), link.turns.map(|x| x.value));
    let joint = match kind {
        JointKind::Catalogued(joint) => joint,
        JointKind::Declared(declared) => return drawn(Space::Spatial, declared.kind, link).0.frame(),
        JointKind::Cam(_) | JointKind::Gear { .. } => unreachable!("they place no body of space"),
    };
    let (slide, turning) = (joint.kind().slide, joint.kind().turning);
    if slide == Slide::Around {
        if !is_off_poles(slides) {
            slides = [0.3, 0.0, 0.0];
        }
        joint.number.value = inner(slides, slides).sqrt();
    }
    if turning.is_any() {
        turns[1] = turns[1].clamp(-MIDDLE, MIDDLE);
    }
    let motion = joint.motion(slides, turns);
    if turning == Turning::Lean {
        joint.number.value = joint.lean(&motion);
        if joint.number.value.sin() < ASKEW {
            *joint = Catalogued::plain(Space::Spatial, "free");
        }
    }
    motion
}
