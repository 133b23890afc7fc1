//! Links of a tree: every elementary motion of a joint is one, and every body is fixed to one or to ground.
//!
//! They are made from placements, joints and their steps alone. The compiler has links of its own, with other frames, in the same order
//! of coordinates and speeds.

use mbs_expr::{BodyId, ExprId, JointId, MarkerId};
use mbs_model::{BodyKind, Model, Step};
use mbs_physics::{InterfaceCoordinate, InterfaceSpeed, Placement, Tree};

use super::link::{Kind, described};
use super::motion::Link;

/// A constant pose between one frame and the next.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Part {
    /// A marker in its body.
    Marker(MarkerId),
    /// A body in its marker.
    Inverse(MarkerId),
}

/// Expressions of the numbers of a link.
#[derive(Clone, Debug, Default)]
pub(crate) struct Geometry {
    /// From the parent to the link's base.
    pub before: Vec<Part>,
    /// Unit vector of the motion; zero where it has none.
    pub axis: Option<[ExprId; 3]>,
    /// Advance of a screw per radian, or radius of an orbit.
    pub advance: Option<ExprId>,
    /// Radii of an ellipsoid.
    pub radii: Option<[ExprId; 3]>,
    /// −1 where the joint's first end is the child.
    pub way: f64,
}

/// Attachment of a body: on a link or on ground, at a constant pose.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stand {
    pub link: Option<usize>,
    pub poses: Vec<Part>,
}

/// Links, parents first, and the attachment of each body.
#[derive(Clone, Debug, Default)]
pub(crate) struct Links {
    pub links: Vec<Link>,
    pub geometry: Vec<Geometry>,
    pub stands: Vec<Stand>,
}

impl Links {
    /// Links of a model in the coordinates of a tree.
    pub fn new(model: &Model, tree: &Tree) -> Links {
        let stands = vec![Stand::default(); model.bodies.len()];
        let mut links = Links { stands, ..Links::default() };
        for &body in &tree.order {
            match tree.placements[body.index()] {
                Placement::Natural => unreachable!("natural coordinates have an evaluation of their own"),
                Placement::Free { joint: None, .. } => links.place_freely(model, tree, body),
                Placement::Free { joint: Some(joint), reversed } => {
                    links.place((model, tree), body, joint, (None, reversed));
                }
                Placement::Joint { joint, parent, reversed } => {
                    links.place((model, tree), body, joint, (parent, reversed));
                }
            }
        }
        for (pose, of) in model.poses.iter().enumerate() {
            if !tree.contains_joint(of.joint) {
                let (coordinates, speeds) = (of.n_q(), of.n_v());
                let kind = Kind::Posed { pose, coordinates, speeds, reversed: false, moves: false };
                let first_q = tree.interface.iter().position(|c| *c == InterfaceCoordinate::Joint(of.joint, 0));
                let first_v = tree.speeds.iter().position(|c| *c == InterfaceSpeed::Joint(of.joint, 0));
                links.push(Stand::default(), kind, (first_q, first_v), Geometry::default());
            }
        }
        links
    }

    /// A body with coordinates of its own.
    fn place_freely(&mut self, model: &Model, tree: &Tree, body: BodyId) {
        let declared = &model.bodies[body.index()];
        let kind = match declared.kind {
            BodyKind::Particle => Kind::Shift,
            BodyKind::Rigid => {
                let attitude = described(declared.attitude);
                Kind::Float { attitude, velocity: declared.velocity_axes, reversed: false }
            }
        };
        let first_q = tree.interface.iter().position(|c| *c == InterfaceCoordinate::Body(body, 0));
        let first_v = tree.speeds.iter().position(|c| *c == InterfaceSpeed::Body(body, 0));
        let link = self.push(Stand::default(), kind, (first_q, first_v), Geometry::default());
        self.stands[body.index()] = Stand { link: Some(link), poses: Vec::new() };
    }

    /// A body at the end of a joint.
    fn place(
        &mut self,
        (model, tree): (&Model, &Tree),
        body: BodyId,
        id: JointId,
        (parent, reversed): (Option<BodyId>, bool),
    ) {
        let joint = model.joint(id);
        let [inboard, outboard] = if reversed { [joint.ends[1], joint.ends[0]] } else { joint.ends };
        let mut stand = parent.map_or_else(Stand::default, |p| self.stands[p.index()].clone());
        stand.poses.push(Part::Marker(inboard));
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
        for (step, at) in steps {
            let mut radii = None;
            let (kind, axis, advance) = match step {
                Step::Revolute { axis } => (Kind::Turn, Some(axis), None),
                Step::Prismatic { axis } => (Kind::Slide, Some(axis), None),
                Step::Screw { axis, advance } => (Kind::Screw, Some(axis), Some(advance)),
                Step::Ball { attitude } => (Kind::Ball { attitude: described(attitude), reversed }, None, None),
                Step::Line { attitude } => (Kind::Line { attitude: described(attitude), reversed }, None, None),
                Step::Ellipsoid { radii: given, attitude } => {
                    radii = Some(given);
                    (Kind::Ellipsoid { attitude: described(attitude), reversed }, None, None)
                }
                Step::Orbit { radius } => (Kind::Orbit, None, Some(radius)),
                Step::Posed { pose, coordinates, speeds } => {
                    let (coordinates, speeds) = (usize::from(coordinates), usize::from(speeds));
                    (Kind::Posed { pose: pose as usize, coordinates, speeds, reversed, moves: true }, None, None)
                }
                Step::Free { attitude, velocity } => {
                    (Kind::Float { attitude: described(attitude), velocity, reversed }, None, None)
                }
            };
            let way = if reversed { -1.0 } else { 1.0 };
            let link = self.push(stand, kind, at, Geometry { before: Vec::new(), axis, advance, radii, way });
            stand = Stand { link: Some(link), poses: Vec::new() };
        }
        stand.poses.push(Part::Inverse(outboard));
        self.stands[body.index()] = stand;
    }

    fn push(
        &mut self,
        from: Stand,
        kind: Kind,
        (first_q, first_v): (Option<usize>, Option<usize>),
        geometry: Geometry,
    ) -> usize {
        let (first_q, first_v) = first_q.zip(first_v).expect("what moves has coordinates and speeds");
        let (coordinates, speeds) = kind.sizes();
        self.links.push(Link { kind, parent: from.link, first_q, coordinates, first_v, speeds });
        self.geometry.push(Geometry { before: from.poses, ..geometry });
        self.links.len() - 1
    }
}
