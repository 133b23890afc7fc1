//! Links of a tree: each elementary motion of a joint is a link, and each body is fixed to a link or to ground.
//!
//! Links are derived from placements, joints and their steps. The compiler has other links with other frames, in the same order of
//! coordinates and speeds.

use mbs_expr::{BodyId, ExprId, JointId, MarkerId};
use mbs_model::{BodyKind, Model, Step};
use mbs_physics::{InterfaceCoordinate, InterfaceSpeed, Placement, Tree};

use super::link::{Kind, core_attitude};
use super::motion::Link;

/// A constant pose between one frame and the next.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Part {
    /// The pose of a marker in its body.
    Marker(MarkerId),
    /// The pose of a body in its marker.
    Inverse(MarkerId),
}

/// Expressions of the numbers of a link.
#[derive(Clone, Debug, Default)]
pub(crate) struct Geometry {
    /// Constant poses from the parent to the link's base.
    pub before: Vec<Part>,
    /// Unit vector of the motion; zero where it has none.
    pub axis: Option<[ExprId; 3]>,
    /// Advance of a screw per radian, or radius of an orbit.
    pub advance: Option<ExprId>,
    /// Radii of an ellipsoid.
    pub radii: Option<[ExprId; 3]>,
    /// −1 where the joint's first end is the child.
    pub sign: f64,
}

/// Attachment of a body: the link, or ground, that it is fixed to, and its constant pose there.
#[derive(Clone, Debug, Default)]
pub(crate) struct Attachment {
    pub link: Option<usize>,
    pub poses: Vec<Part>,
}

/// Links, parents first, and the attachment of each body.
#[derive(Clone, Debug, Default)]
pub(crate) struct Links {
    pub links: Vec<Link>,
    pub geometry: Vec<Geometry>,
    pub attachments: Vec<Attachment>,
}

impl Links {
    /// Links of a model in the coordinates of a tree.
    pub fn new(model: &Model, tree: &Tree) -> Links {
        let attachments = vec![Attachment::default(); model.bodies.len()];
        let mut links = Links { attachments, ..Links::default() };
        for &body in &tree.order {
            match tree.placements[body.index()] {
                Placement::Natural => {}
                Placement::Free { joint: None, .. } => links.add_free_body(model, tree, body),
                Placement::Free { joint: Some(joint), reversed } => {
                    links.add_joint_body(model, tree, body, joint, None, reversed);
                }
                Placement::Joint { joint, parent, reversed } => {
                    links.add_joint_body(model, tree, body, joint, parent, reversed);
                }
            }
        }
        for (pose, of) in model.coordinates.poses.iter().enumerate() {
            if !tree.contains_joint(of.joint) {
                let (coordinates, speeds) = (of.n_q(), of.n_v());
                let kind = Kind::Posed { pose, coordinates, speeds, reversed: false, moves: false };
                let first_q = tree.interface.iter().position(|c| *c == InterfaceCoordinate::Joint(of.joint, 0));
                let first_v = tree.speeds.iter().position(|c| *c == InterfaceSpeed::Joint(of.joint, 0));
                links.push(Attachment::default(), kind, first_q, first_v, Geometry::default());
            }
        }
        links
    }

    /// Adds the link of a body in body coordinates.
    fn add_free_body(&mut self, model: &Model, tree: &Tree, body: BodyId) {
        let declared = &model.bodies[body.index()];
        let kind = match declared.kind {
            BodyKind::Particle => Kind::Shift,
            BodyKind::Rigid => {
                let attitude = core_attitude(declared.attitude);
                Kind::Float { attitude, velocity: declared.velocity_axes, reversed: false }
            }
        };
        let first_q = tree.interface.iter().position(|c| *c == InterfaceCoordinate::Body(body, 0));
        let first_v = tree.speeds.iter().position(|c| *c == InterfaceSpeed::Body(body, 0));
        let link = self.push(Attachment::default(), kind, first_q, first_v, Geometry::default());
        self.attachments[body.index()] = Attachment { link: Some(link), poses: Vec::new() };
    }

    /// Adds the links of a joint, and attaches the body to the last one.
    fn add_joint_body(
        &mut self,
        model: &Model,
        tree: &Tree,
        body: BodyId,
        id: JointId,
        parent: Option<BodyId>,
        reversed: bool,
    ) {
        let joint = model.joint(id);
        let [inboard, outboard] = if reversed { [joint.ends[1], joint.ends[0]] } else { joint.ends };
        let mut attachment = parent.map_or_else(Attachment::default, |p| self.attachments[p.index()].clone());
        attachment.poses.push(Part::Marker(inboard));
        let (mut q, mut v) = (0, 0);
        let mut steps = Vec::new();
        for step in joint.steps() {
            let first_q = tree.interface.iter().position(|c| *c == InterfaceCoordinate::Joint(id, q));
            let first_v = tree.speeds.iter().position(|c| *c == InterfaceSpeed::Joint(id, v));
            steps.push((*step, (first_q, first_v)));
            (q, v) = (q + step.coordinates() as u8, v + step.speeds() as u8);
        }
        if reversed {
            steps.reverse();
        }
        for (step, (first_q, first_v)) in steps {
            let mut radii = None;
            let (kind, axis, advance) = match step {
                Step::Revolute { axis } => (Kind::Rotation, Some(axis), None),
                Step::Prismatic { axis } => (Kind::Translation, Some(axis), None),
                Step::Screw { axis, advance } => (Kind::Screw, Some(axis), Some(advance)),
                Step::Ball { attitude } => (Kind::Ball { attitude: core_attitude(attitude), reversed }, None, None),
                Step::Line { attitude } => (Kind::Line { attitude: core_attitude(attitude), reversed }, None, None),
                Step::Ellipsoid { radii: given, attitude } => {
                    radii = Some(given);
                    (Kind::Ellipsoid { attitude: core_attitude(attitude), reversed }, None, None)
                }
                Step::Orbit { radius } => (Kind::Orbit, None, Some(radius)),
                Step::Posed { pose, coordinates, speeds } => {
                    let (coordinates, speeds) = (usize::from(coordinates), usize::from(speeds));
                    (Kind::Posed { pose: pose as usize, coordinates, speeds, reversed, moves: true }, None, None)
                }
                Step::Free { attitude, velocity } => {
                    (Kind::Float { attitude: core_attitude(attitude), velocity, reversed }, None, None)
                }
            };
            let sign = if reversed { -1.0 } else { 1.0 };
            let geometry = Geometry { before: Vec::new(), axis, advance, radii, sign };
            let link = self.push(attachment, kind, first_q, first_v, geometry);
            attachment = Attachment { link: Some(link), poses: Vec::new() };
        }
        attachment.poses.push(Part::Inverse(outboard));
        self.attachments[body.index()] = attachment;
    }

    fn push(
        &mut self,
        from: Attachment,
        kind: Kind,
        first_q: Option<usize>,
        first_v: Option<usize>,
        geometry: Geometry,
    ) -> usize {
        let (first_q, first_v) = first_q.zip(first_v).expect("what moves has coordinates and speeds");
        let (coordinates, speeds) = kind.sizes();
        self.links.push(Link { kind, parent: from.link, first_q, coordinates, first_v, speeds });
        self.geometry.push(Geometry { before: from.poses, ..geometry });
        self.links.len() - 1
    }
}
