//! The links of a tree of joints.

use mbs_expr::{BodyId, ExprId, JointId, MarkerId};
use mbs_model::{BodyKind, Model, Step};

use super::link_frames::choose_frames;
use super::links::{Constant, Link, LinkOwner, Mobilizer, Mount};
use crate::{Placement, Prescribed};

/// Builds the links of a tree, parents first, and the mount of each body: the link that it is fixed to, with its pose there.
///
/// `order` lists the bodies parents first; `prescribed` are the coordinates that are functions of time and have no link coordinate.
pub fn links(
    model: &Model,
    placements: &[Placement],
    order: &[BodyId],
    prescribed: &[Prescribed],
) -> (Vec<Link>, Vec<Mount>) {
    let mut chain =
        Chain { model, prescribed, links: Vec::new(), mounts: vec![Mount::default(); model.bodies.len()], q: 0, v: 0 };
    for &body in order {
        let has_children =
            placements.iter().any(|p| matches!(p, Placement::Joint { parent: Some(p), .. } if *p == body));
        chain.add_body(body, placements[body.index()], has_children);
    }
    let contains_joint = |j: JointId| {
        let is_on_joint = |p: &Placement| matches!(*p, Placement::Joint { joint, .. } if joint == j);
        placements.iter().any(is_on_joint)
    };
    // Declared coordinates of joints that close loops: no other link has them.
    for (pose, declared) in model.coordinates.poses.iter().enumerate().filter(|(_, pose)| !contains_joint(pose.joint)) {
        let (coordinates, speeds) = (declared.n_q() as u8, declared.n_v() as u8);
        let mobilizer = Mobilizer::Posed { pose: pose as u32, coordinates, speeds, reversed: false, moves: false };
        chain.add_link(Mount::default(), mobilizer, LinkOwner::Joint(declared.joint, 0, 0));
    }
    let (mut links, mut mounts) = (chain.links, chain.mounts);
    choose_frames(model, &mut links, &mut mounts);
    (links, mounts)
}

/// Links that are being built, with the numbers of coordinates and speeds so far.
struct Chain<'m> {
    model: &'m Model,
    prescribed: &'m [Prescribed],
    links: Vec<Link>,
    mounts: Vec<Mount>,
    q: usize,
    v: usize,
}

impl Chain<'_> {
    /// Adds the links that place a body, and its mount; its parent has been added.
    fn add_body(&mut self, body: BodyId, placement: Placement, has_children: bool) {
        let declared = &self.model.bodies[body.index()];
        let (joint, parent, reversed) = match placement {
            Placement::Free { joint: None, .. } => {
                let marker = declared.origin_marker;
                if declared.kind == BodyKind::Particle {
                    self.add_link(Mount::default(), Mobilizer::Translation, LinkOwner::Body(body));
                    return self.set_mount(body, None, marker);
                }
                let com = (!has_children).then_some((body, marker));
                let (attitude, velocity) = (declared.attitude, declared.velocity_axes);
                let mobilizer = Mobilizer::Free { attitude, velocity, reversed: false, com };
                self.add_link(Mount::default(), mobilizer, LinkOwner::Body(body));
                return self.set_mount(body, com, marker);
            }
            // Basic points and vectors place it.
            Placement::Natural => return,
            Placement::Free { joint: Some(joint), reversed } => (joint, None, reversed),
            Placement::Joint { joint, parent, reversed } => (joint, parent, reversed),
        };
        let joint_id = joint;
        let joint = self.model.joint(joint);
        let [inboard, outboard] = if reversed { [joint.ends[1], joint.ends[0]] } else { joint.ends };
        let mut mount = parent.map_or_else(Mount::default, |p| self.mounts[p.index()].clone());
        mount.poses.push(Constant::Marker(inboard));
        let mut first = (0, 0);
        let numbered = joint.steps().iter().map(|step| {
            let index = first;
            first = (index.0 + step.coordinates() as u8, index.1 + step.speeds() as u8);
            (*step, LinkOwner::Joint(joint_id, index.0, index.1))
        });
        let mut steps: Vec<(Step, LinkOwner)> = numbered.collect();
        if reversed {
            steps.reverse();
        }
        let com = (!has_children && parent.is_none() && !reversed).then_some((body, outboard));
        for (step, owner) in steps {
            mount = self.add_step(mount, step, owner, reversed, com);
        }
        let is_free = joint.steps().iter().any(|s| matches!(s, Step::Free { .. }));
        match com.filter(|_| is_free) {
            Some(com) => self.set_mount(body, Some(com), outboard),
            None => {
                mount.poses.push(Constant::Inverse(outboard));
                self.mounts[body.index()] = mount;
            }
        }
    }

    /// Fixes a body to the last link, whose frame is that of the body's `marker`, at the centre of mass where `com` is given.
    fn set_mount(&mut self, body: BodyId, com: Option<(BodyId, MarkerId)>, marker: MarkerId) {
        let mut poses: Vec<Constant> = com.map(|(body, marker)| Constant::FromCom(marker, body)).into_iter().collect();
        poses.push(Constant::Inverse(marker));
        self.mounts[body.index()] = Mount { link: Some(self.links.len() - 1), poses };
    }

    /// Adds the link of a step, and returns the mount of the next frame: that link with a constant pose.
    fn add_step(
        &mut self,
        mut from: Mount,
        step: Step,
        owner: LinkOwner,
        reversed: bool,
        com: Option<(BodyId, MarkerId)>,
    ) -> Mount {
        let direction = if reversed { -1.0 } else { 1.0 };
        let mut after = Vec::new();
        let mobilizer = match step {
            Step::Revolute { axis } => match coordinate_axis(self.model, axis) {
                Some((axis, sign)) => Mobilizer::Revolute { axis, sign: sign * direction, offset: 0.0 },
                None => {
                    from.poses.push(Constant::Align(axis));
                    after.push(Constant::Unalign(axis));
                    Mobilizer::Revolute { axis: 2, sign: direction, offset: 0.0 }
                }
            },
            Step::Prismatic { axis } => Mobilizer::Prismatic { axis, sign: direction },
            Step::Screw { axis, advance } => {
                from.poses.push(Constant::Align(axis));
                after.push(Constant::Unalign(axis));
                Mobilizer::Screw { advance, sign: direction }
            }
            Step::Ball { attitude } => Mobilizer::Ball { attitude, reversed },
            Step::Line { attitude } => Mobilizer::Line { attitude, reversed },
            Step::Ellipsoid { radii, attitude } => Mobilizer::Ellipsoid { radii, attitude, reversed },
            Step::Orbit { radius } => Mobilizer::Orbit { radius, sign: direction },
            Step::Posed { pose, coordinates, speeds } => {
                Mobilizer::Posed { pose, coordinates, speeds, reversed, moves: true }
            }
            Step::Free { attitude, velocity } => Mobilizer::Free { attitude, velocity, reversed, com },
        };
        self.add_link(from, mobilizer, owner);
        Mount { link: Some(self.links.len() - 1), poses: after }
    }

    /// Adds a link that moves relative to a mount, and numbers its coordinates and speeds.
    fn add_link(&mut self, from: Mount, mobilizer: Mobilizer, owner: LinkOwner) {
        let (first_q, first_v) = (self.q, self.v);
        let prescribed = self.prescribed_coordinates(&mobilizer, owner);
        let mobilizer = mobilizer.with_prescribed(prescribed.len());
        self.q += mobilizer.coordinates();
        self.v += mobilizer.speeds();
        let (parent, fixed_poses) = (from.link, from.poses);
        self.links.push(Link { parent, fixed_poses, mobilizer, first_q, first_v, owner, prescribed });
    }

    /// Indices and values of a step's coordinates that are prescribed, ascending.
    fn prescribed_coordinates(&self, mobilizer: &Mobilizer, owner: LinkOwner) -> Vec<(u8, ExprId)> {
        let LinkOwner::Joint(joint, first, _) = owner else { return Vec::new() };
        let range = first..first + mobilizer.coordinates() as u8;
        let is_of_step = |p: &&Prescribed| p.joint == joint && range.contains(&p.coordinate);
        let mut found: Vec<(u8, ExprId)> =
            self.prescribed.iter().filter(is_of_step).map(|p| (p.coordinate - first, p.value)).collect();
        found.sort_unstable_by_key(|p| p.0);
        found
    }
}

/// Index and sign of the coordinate axis that an axis is as a literal; `None` for any other axis.
fn coordinate_axis(model: &Model, axis: [ExprId; 3]) -> Option<(usize, f64)> {
    let numbers = axis.map(|e| model.exprs.value(e));
    let others = |k: usize| (0..3).all(|i| i == k || numbers[i] == Some(0.0));
    (0..3).find_map(|k| numbers[k].filter(|x| x.abs() == 1.0 && others(k)).map(|x| (k, x)))
}
