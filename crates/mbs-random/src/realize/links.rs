//! Joints between two bodies, and gears.

use super::Builder;
use super::declared::draw_declared;
use crate::catalogued::{self, Catalogued, Measure, RotationKind, TranslationKind};
use crate::declared::kinds;
use crate::description::{Closing, Gear, Link, LinkKind};
use crate::number::Number;
use crate::plan::{Coordinate, Joint, JointKind, Space};
use crate::world::{Attachment, Notation, Z, constant, rotate};

/// Least length of a rod.
pub(super) const SHORTEST: f64 = 0.05;

impl Builder {
    /// An attachment on a known body: at rest if it is on a body, and in a notation that its numbers admit.
    pub(super) fn settled(&self, raw: Attachment, body: Option<usize>) -> Attachment {
        let mut attachment = Attachment { body, ..raw };
        if let Some(b) = body {
            attachment.motion = [None; 4];
            if attachment.notation == Notation::Com {
                attachment.point = self.plan.bodies[b].com;
                attachment.angle = Number::literal(0.0);
            }
        } else if attachment.notation == Notation::Com {
            attachment.notation = Notation::Inline;
        }
        let is_rotated = attachment.angle.value != 0.0 || attachment.motion[2].is_some();
        attachment.notation = match attachment.notation {
            Notation::Inline | Notation::Vector if is_rotated => Notation::Angle,
            Notation::Vector | Notation::Nested | Notation::AxisX | Notation::AxisY if attachment.moves() => {
                Notation::Angle
            }
            notation => notation,
        };
        attachment
    }

    /// Connects body b to an earlier one; the joint determines the pose of b.
    pub(super) fn link(&mut self, link: &Link, parent: Option<usize>, b: usize) {
        let (from, to) = (self.settled(link.from, parent), self.settled(link.to, Some(b)));
        let kind = self.possible(link.kind, parent, b);
        let world = self.plan.world();
        let facing = from.facing(&world).value();
        let link_angle = link.angles[0].value;
        let angle = match (kind, rotation_kind(kind)) {
            (_, Some(RotationKind::Fixed)) => facing - to.angle.value,
            (_, Some(RotationKind::ByAngle)) if link.reversed => facing - link_angle - to.angle.value,
            (_, Some(RotationKind::ByAngle)) => facing + link_angle - to.angle.value,
            _ if self.plan.bodies[b].particle => 0.0,
            (LinkKind::Declared(k), _) => self.facing_of_second(k, link, facing) - to.angle.value,
            _ => link_angle,
        };
        self.plan.bodies[b].angle = angle;
        let offset = self.offset(kind, link, &from, angle + to.angle.value);
        let p = from.position(&world).map(|x| x.value());
        let arm = rotate(Z, constant(angle), to.point.map(|x| constant(x.value))).map(|x| x.value());
        (0..2).for_each(|k| self.plan.bodies[b].position[k] = p[k] + offset[k] - arm[k]);
        let length = link.computed.with_value(offset[0].hypot(offset[1]));
        self.join(kind, link, [from, to], length, link.angles[0]);
    }

    /// The kind that two bodies admit: with a particle, joints that need ends with axes become pins, and cams become rods.
    fn possible(&self, kind: LinkKind, parent: Option<usize>, b: usize) -> LinkKind {
        let particle = self.plan.is_particle(parent) || self.plan.is_particle(Some(b));
        let takes_particles = match kind {
            LinkKind::Catalogued(k) => catalogued::kinds(Space::Planar)[k].takes_particles(),
            LinkKind::Declared(k) => kinds(Space::Planar)[k].particles,
            LinkKind::Cam => false,
        };
        let plain = |name: &str| LinkKind::Catalogued(Catalogued::plain(Space::Planar, name).kind);
        match kind {
            kind if !particle || takes_particles => kind,
            LinkKind::Cam => plain("distance"),
            _ => plain("revolute"),
        }
    }

    /// World displacement from the earlier body's end to the later one's, whose marker faces `facing`.
    fn offset(&self, kind: LinkKind, link: &Link, from: &Attachment, facing: f64) -> [f64; 2] {
        let [x, y, _] = axis(link).map(|x| x.value);
        let [x, y] = [x / x.hypot(y), y / x.hypot(y)];
        let from_facing = from.facing(&self.plan.world()).value();
        // The axis is fixed in the first end of the joint.
        let base_angle = if link.reversed { facing } else { from_facing };
        let rotated = |x: f64, y: f64| {
            let [x, y, _] = rotate(Z, constant(base_angle), [x, y, 0.0].map(constant)).map(|x| x.value());
            [x, y]
        };
        match kind {
            LinkKind::Declared(k) => {
                let [x, y, _] = draw_declared(Space::Planar, k, link).0.position.map(|x| x.value());
                let sign = if link.reversed { -1.0 } else { 1.0 };
                rotated(x * sign, y * sign)
            }
            kind => match (translation_kind(kind), link.offset.map(|x| x.value)) {
                (Some(TranslationKind::Fixed), _) => [0.0; 2],
                (Some(TranslationKind::Along), [s, ..]) => rotated(x * s, y * s),
                (Some(TranslationKind::Anywhere), [x, y, _]) => [x, y],
                (_, [x, y, _]) if x.hypot(y) < SHORTEST => [0.3, 0.0],
                (_, [x, y, _]) => [x, y],
            },
        }
    }

    /// Declares the joint; `length` is used for rods, `angle` for welds.
    fn join(&mut self, kind: LinkKind, link: &Link, [from, to]: [Attachment; 2], length: Number, angle: Number) {
        let kind = match kind {
            LinkKind::Catalogued(kind) => {
                let [zero, one] = [0.0, 1.0].map(Number::literal);
                let by = catalogued::kinds(Space::Planar)[kind].rotation == RotationKind::ByAngle;
                let number = if by { angle } else { length };
                let axes = [axis(link), [zero; 3], [zero; 3]];
                JointKind::Catalogued(Catalogued { space: Space::Planar, kind, axes, number, radii: [one; 3] })
            }
            LinkKind::Cam => self.cam(link, [&from, &to]),
            LinkKind::Declared(k) => JointKind::Declared(draw_declared(Space::Planar, k, link).1),
        };
        self.push(kind, link, [from, to]);
    }

    /// Declares a joint, its ends exchanged where the link is reversed.
    pub(super) fn push(&mut self, kind: JointKind, link: &Link, [from, to]: [Attachment; 2]) {
        let ends = if link.reversed { [to, from] } else { [from, to] };
        let (name, kind) = (format!("j{}", self.plan.joints.len()), self.declared_joint(kind, link));
        let cut = link.cut && !matches!(kind, JointKind::Cam(_));
        self.plan.joints.push(Joint { name, kind, ends, cut, rank: link.rank, enabled: None });
    }

    /// Adds a joint between two bodies with known poses, from which its numbers follow.
    pub(super) fn closing(&mut self, closing: &Closing) {
        let link = &closing.link;
        let count = self.plan.bodies.len();
        // The later body is not ground; the other one is any different body or ground.
        let b = closing.between[1] % count;
        let parent = match closing.between[0] % count {
            0 => None,
            k => Some(if k - 1 < b { k - 1 } else { k }),
        };
        if self.plan.is_spatial() {
            return self.close_in_space(link, parent, b);
        }
        let kind = self.possible(link.kind, parent, b);
        let (from, mut to) = (self.settled(link.from, parent), self.settled(link.to, Some(b)));
        let world = self.plan.world();
        let ([x, y, _], angle) = (self.plan.bodies[b].position, self.plan.bodies[b].angle);
        let facing = from.facing(&world).value();
        let style = |x: f64| link.computed.with_value(x);
        let wanted_facing = match (kind, rotation_kind(kind)) {
            (_, Some(RotationKind::Fixed)) => facing,
            (LinkKind::Declared(k), _) => self.facing_of_second(k, link, facing),
            _ => angle + to.angle.value,
        };
        if wanted_facing != angle + to.angle.value && !self.plan.is_particle(Some(b)) {
            to.angle = style(wanted_facing - angle);
            to.notation = Notation::Angle;
        }
        let joint_angle = match link.reversed {
            true => facing - angle - to.angle.value,
            false => angle + to.angle.value - facing,
        };
        let p = from.position(&world).map(|x| x.value());
        let mut length = 0.0;
        match (kind, translation_kind(kind)) {
            (_, Some(TranslationKind::Anywhere)) => {}
            (LinkKind::Cam, _) | (_, Some(TranslationKind::Around)) => {
                let q = to.position(&world).map(|x| x.value());
                length = (q[0] - p[0]).hypot(q[1] - p[1]);
                if length < SHORTEST {
                    return;
                }
            }
            _ => {
                let offset = self.offset(kind, link, &from, angle + to.angle.value);
                let r = [p[0] + offset[0] - x, p[1] + offset[1] - y, 0.0].map(constant);
                let [x, y, z] = crate::world::rotate(Z, constant(-angle), r).map(|x| x.value());
                to.point = [style(x), style(y), Number::literal(z)];
                if to.notation == Notation::Com {
                    to.notation = Notation::Inline;
                }
            }
        }
        self.join(kind, link, [from, to], style(length), style(joint_angle));
        self.settle_closing();
    }

    /// Keeps the joint that was added last, unless it depends on others.
    pub(super) fn settle_closing(&mut self) {
        if self.acceptable() {
            self.closed = true;
        } else if let Some(Joint { kind: JointKind::Declared(declared), .. }) = self.plan.joints.pop() {
            self.plan.posed.truncate(declared.first);
        }
    }

    /// Whether bodies of the loop may start at undeclared poses: another joint than those of the loop may then be their inboard joint, and
    /// coordinates that are displacements are measured on declared poses.
    pub(super) fn starts_anywhere(&self) -> bool {
        let spatial = self.plan.is_spatial();
        let has_displacement = |joint: &Joint| match joint.kind {
            JointKind::Declared(declared) => declared.kind().has_coordinates,
            JointKind::Catalogued(catalogued) => {
                let measures = catalogued.measures();
                catalogued.kind().spans() && measures.iter().any(|m| spatial || matches!(m, Measure::Displacement(..)))
            }
            _ => false,
        };
        let chained = |end: &Attachment| end.body.is_some_and(|b| self.plan.bodies[b].name.starts_with("link"));
        let family_count = self.plan.family.as_ref().map_or(0, |f| f.count);
        self.closed
            && self.plan.joints[family_count..].iter().any(|j| has_displacement(j) && j.ends.iter().any(chained))
    }

    /// A gear between two angles of different joints.
    pub(super) fn gear(&mut self, gear: &Gear) {
        let angles: Vec<Coordinate> = self.plan.coordinates().into_iter().filter(|c| self.plan.is_angle(*c)).collect();
        if angles.len() < 2 {
            return;
        }
        let a = gear.of[0] % angles.len();
        let b = (a + 1 + gear.of[1] % (angles.len() - 1)) % angles.len();
        let of = [angles[a], angles[b]];
        let [x, y] = of.map(|c| self.plan.coordinate(c, &self.plan.world()).value());
        let offset = gear.computed.with_value(x - gear.ratio.value * y);
        let kind = JointKind::Gear { of, ratio: gear.ratio, offset };
        let zero = Attachment::origin(None);
        let name = format!("j{}", self.plan.joints.len());
        self.plan.joints.push(Joint { name, kind, ends: [zero; 2], cut: false, rank: gear.rank, enabled: None });
        if !self.acceptable() {
            self.plan.joints.pop();
        }
    }
}

/// The axis of a link; never of length zero.
fn axis(link: &Link) -> [Number; 3] {
    let [one, zero] = [1.0, 0.0].map(Number::literal);
    match link.axes[0].map(|x| x.value) {
        [x, y, _] if x.hypot(y) < SHORTEST => [one, zero, zero],
        _ => link.axes[0],
    }
}

/// The translation of a kind of the catalogue.
fn translation_kind(kind: LinkKind) -> Option<TranslationKind> {
    let LinkKind::Catalogued(k) = kind else { return None };
    Some(catalogued::kinds(Space::Planar)[k].translation)
}

/// The rotation of a kind of the catalogue.
fn rotation_kind(kind: LinkKind) -> Option<RotationKind> {
    let LinkKind::Catalogued(k) = kind else { return None };
    Some(catalogued::kinds(Space::Planar)[k].rotation)
}
