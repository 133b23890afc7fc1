//! Spatial joints: they determine poses of bodies, or their numbers follow from known poses; attitudes are far from singular ones.

use super::Builder;
use super::declared::{MIDDLE, draw_declared};
use super::links::SHORTEST;
use crate::catalogued::{Catalogued, RotationKind, TranslationKind, kinds};
use crate::description::{Link, LinkKind};
use crate::frame::{Frame, inner, outer, plus};
use crate::number::Number;
use crate::plan::{Joint, JointKind, Space};
use crate::world::{Attachment, Notation, Z};

/// Least sine of the angle between the axes of a cross.
const ASKEW: f64 = 0.3;
/// Least sine or cosine, which vanishes at a singular attitude, for which parameters of attitudes and angles of gimbals are used.
const REGULAR: f64 = 0.35;
/// Least radius of an ellipsoid.
const THINNEST: f64 = 0.2;
/// Largest azimuth, so that it is far from half a revolution, where rounding decides its sign.
const WIDEST: f64 = 3.0;
/// Largest angle of Rodrigues parameters.
const LARGEST_ROTATION: f64 = 2.4;

impl Builder {
    /// The kind of joint that two bodies admit, without a radius or an angle that follows from poses.
    fn possible_in_space(&self, link: &Link, bodies: [Option<usize>; 2]) -> JointKind {
        let particle = bodies.into_iter().any(|b| self.plan.is_particle(b));
        let ball = || Catalogued::plain(Space::Spatial, "spherical").kind;
        let kind = match link.kind {
            LinkKind::Catalogued(kind) if particle && !kinds(Space::Spatial)[kind].takes_particles() => ball(),
            LinkKind::Catalogued(kind) => kind,
            LinkKind::Declared(_) if particle => ball(),
            LinkKind::Declared(k) => return JointKind::Declared(draw_declared(Space::Spatial, k, link).1),
            LinkKind::Cam => unreachable!("a mechanism of space has no cams"),
        };
        let steps = &kinds(Space::Spatial)[kind];
        let mut axes = link.axes.map(|axis| if length(axis) < SHORTEST { literal(Z) } else { axis });
        if steps.rotation == RotationKind::Cross {
            let [i, j] = steps.rotation_axes;
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
        let frame = Frame::from_attachment(&from, &self.plan.world());
        let local_frame = Frame::from_attachment(&Attachment { body: None, ..to }, &self.plan.world());
        let body = if self.plan.bodies[b].particle {
            let r = if link.reversed {
                local_frame.outward(motion.position).map(|x| -x)
            } else {
                frame.outward(motion.position)
            };
            let position = [0, 1, 2].map(|k| frame.position[k] + r[k] - local_frame.position[k]);
            Frame::rotated(position, Z, 0.0)
        } else {
            let motion = if link.reversed { motion.inverse() } else { motion };
            frame.then(&motion).then(&local_frame.inverse())
        };
        let (about, angle) = body.axis_angle();
        let target = &mut self.plan.bodies[b];
        (target.position, target.about, target.angle) = (body.position, about, angle);
        self.push(kind, link, [from, to]);
    }

    /// Adds a joint between two bodies with known poses, from which the attachment of its second end follows.
    pub(super) fn close_in_space(&mut self, link: &Link, parent: Option<usize>, b: usize) {
        let (from, to) = (self.settled(link.from, parent), self.settled(link.to, Some(b)));
        let mut kind = self.possible_in_space(link, [parent, Some(b)]);
        let motion = motion(&mut kind, link);
        let (first, mut second) = if link.reversed { (to, from) } else { (from, to) };
        let world = self.plan.world();
        let (start, mut end) = (Frame::from_attachment(&first, &world), Frame::from_attachment(&second, &world));
        let target = start.then(&motion);
        match &mut kind {
            JointKind::Catalogued(joint) => {
                let (translation, rotation) = (joint.kind().translation, joint.kind().rotation);
                if !rotation.is_any() {
                    end.axes = target.axes;
                }
                if translation == TranslationKind::Ellipsoid {
                    let out = start.outward(joint.on_ellipsoid(&start.inverse().then(&end)));
                    end.position = plus(start.position, 1.0, out);
                } else if !matches!(translation, TranslationKind::Anywhere | TranslationKind::Around) {
                    end.position = target.position;
                }
                self.adjust(&mut second, &end, link);
                let end = start.inverse().then(&Frame::from_attachment(&second, &world));
                match (translation, rotation) {
                    (TranslationKind::Around, _) => joint.number.value = inner(end.position, end.position).sqrt(),
                    (_, RotationKind::ConstantAngle) => joint.number.value = joint.angle_between_axes(&end),
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

    /// Moves an attachment on its body such that its world frame becomes `target`.
    fn adjust(&self, attachment: &mut Attachment, target: &Frame, link: &Link) {
        let world = self.plan.world();
        let now = Frame::from_attachment(attachment, &world);
        if now == *target {
            return;
        }
        let owner = Frame::from_attachment(&Attachment::origin(attachment.body), &world);
        let local = owner.inverse().then(target);
        attachment.point = local.position.map(|x| link.computed.with_value(x));
        if now.axes != target.axes {
            let (about, angle) = local.axis_angle();
            (attachment.about, attachment.angle) = (about, link.computed.with_value(angle));
        }
        if attachment.notation == Notation::Com {
            attachment.notation = Notation::Inline;
        }
        *attachment = self.settled(*attachment, attachment.body);
    }

    /// Replaces attitude representations that are singular near the pose by quaternions. If poses are left out, assembly starts without
    /// rotation, where proper Euler angles are singular.
    pub(super) fn settle_attitudes(&mut self) {
        let world = self.plan.world();
        let mut wrong = Vec::new();
        for (b, body) in self.plan.bodies.iter().enumerate() {
            let Some(attitude) = body.attitude else { continue };
            let local_frame = Frame::from_attachment(&Attachment::origin(Some(b)), &world);
            let joints = self.plan.joints.iter().filter(|j| attitude_of(j) == Some(b));
            let relative = joints.map(|j| {
                let [first, second] = j.ends.map(|e| Frame::from_attachment(&e, &world));
                first.inverse().then(&second)
            });
            let start = (!self.exact).then(|| Frame::rotated([0.0; 3], Z, 0.0));
            if [local_frame].into_iter().chain(start).chain(relative).any(|frame| !is_regular(attitude, &frame)) {
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
        JointKind::Catalogued(catalogued) if catalogued.kind().has_attitude() => {
            joint.ends[1].body.or(joint.ends[0].body)
        }
        _ => None,
    }
}

/// Whether parameters of an attitude are far from singular.
fn is_regular(attitude: &str, frame: &Frame) -> bool {
    let Some(sequence) = attitude.strip_prefix("euler(") else {
        return attitude != "rodrigues" || frame.axis_angle().1 < LARGEST_ROTATION;
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
    match (joint.kind().translation, joint.kind().rotation) {
        (TranslationKind::Around, _) if joint.kind().spans() => !is_off_poles(end.position),
        (TranslationKind::Around, _) => joint.number.value < SHORTEST,
        (_, RotationKind::ConstantAngle) => joint.number.value.sin() < ASKEW,
        (_, RotationKind::Gimbal) => end.angles([0, 1, 2]).0 < REGULAR,
        _ => false,
    }
}

/// Whether azimuth and elevation of a point on a sphere are far from singular.
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

/// The second axis, or a coordinate axis if that is nearly parallel to the first.
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
    let (mut displacements, mut angles) = (link.offset.map(|x| x.value), link.angles.map(|x| x.value));
    let joint = match kind {
        JointKind::Catalogued(joint) => joint,
        JointKind::Declared(declared) => return draw_declared(Space::Spatial, declared.kind, link).0.frame(),
        JointKind::Cam(_) | JointKind::Gear { .. } => unreachable!("it is not an inboard joint of a spatial body"),
    };
    let (translation, rotation) = (joint.kind().translation, joint.kind().rotation);
    if translation == TranslationKind::Around {
        if !is_off_poles(displacements) {
            displacements = [0.3, 0.0, 0.0];
        }
        joint.number.value = inner(displacements, displacements).sqrt();
    }
    if rotation.is_any() {
        angles[1] = angles[1].clamp(-MIDDLE, MIDDLE);
    }
    let motion = joint.motion(displacements, angles);
    if rotation == RotationKind::ConstantAngle {
        joint.number.value = joint.angle_between_axes(&motion);
        if joint.number.value.sin() < ASKEW {
            *joint = Catalogued::plain(Space::Spatial, "free");
        }
    }
    motion
}
