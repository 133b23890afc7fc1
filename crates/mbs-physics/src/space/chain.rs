//! Which links a tree of joints has.

use mbs_expr::{BodyId, ExprId, JointId, MarkerId};
use mbs_model::{BodyKind, Model, Step};

use super::gauge::choose_frames;
use super::links::{Constant, Freedom, Link, LinkOwner, Stand};
use crate::{Placement, Prescribed};

/// Links of a tree, parents first, and where each body stands.
pub fn links(
    model: &Model,
    placements: &[Placement],
    order: &[BodyId],
    prescribed: &[Prescribed],
) -> (Vec<Link>, Vec<Stand>) {
    let mut chain =
        Chain { model, prescribed, links: Vec::new(), stands: vec![Stand::default(); model.bodies.len()], q: 0, v: 0 };
    for &body in order {
        let carries = placements.iter().any(|p| matches!(p, Placement::Joint { parent: Some(p), .. } if *p == body));
        chain.place(body, placements[body.index()], carries);
    }
    let spans = |j: JointId| {
        let is = |p: &Placement| matches!(*p, Placement::Joint { joint, .. } if joint == j);
        placements.iter().any(is)
    };
    // Coordinates of joints that close loops, which nothing else is.
    for (pose, of) in model.poses.iter().enumerate().filter(|(_, pose)| !spans(pose.joint)) {
        let (coordinates, speeds) = (of.n_q() as u8, of.n_v() as u8);
        let freedom = Freedom::Posed { pose: pose as u32, coordinates, speeds, reversed: false, moves: false };
        chain.push(Stand::default(), freedom, LinkOwner::Joint(of.joint, 0, 0));
    }
    let (mut links, mut stands) = (chain.links, chain.stands);
    choose_frames(model, &mut links, &mut stands);
    (links, stands)
}

struct Chain<'m> {
    model: &'m Model,
    prescribed: &'m [Prescribed],
    links: Vec<Link>,
    stands: Vec<Stand>,
    q: usize,
    v: usize,
}

impl Chain<'_> {
    fn place(&mut self, body: BodyId, placement: Placement, carries: bool) {
        let declared = &self.model.bodies[body.index()];
        let (joint, parent, reversed) = match placement {
            Placement::Free { joint: None, .. } => {
                let marker = declared.origin_marker;
                if declared.kind == BodyKind::Particle {
                    self.push(Stand::default(), Freedom::Shift, LinkOwner::Body(body));
                    return self.stand(body, None, marker);
                }
                let com = (!carries).then_some((body, marker));
                let (attitude, velocity) = (declared.attitude, declared.velocity_axes);
                let freedom = Freedom::Float { attitude, velocity, reversed: false, com };
                self.push(Stand::default(), freedom, LinkOwner::Body(body));
                return self.stand(body, com, marker);
            }
            // It stands on basic points and vectors.
            Placement::Natural => return,
            Placement::Free { joint: Some(joint), reversed } => (joint, None, reversed),
            Placement::Joint { joint, parent, reversed } => (joint, parent, reversed),
        };
        let joint_id = joint;
        let joint = self.model.joint(joint);
        let [inboard, outboard] = if reversed { [joint.ends[1], joint.ends[0]] } else { joint.ends };
        let mut stand = parent.map_or_else(Stand::default, |p| self.stands[p.index()].clone());
        stand.poses.push(Constant::Marker(inboard));
        let mut first = (0, 0);
        let numbered = joint.steps().iter().map(|step| {
            let at = first;
            first = (at.0 + step.coordinates() as u8, at.1 + step.speeds() as u8);
            (*step, LinkOwner::Joint(joint_id, at.0, at.1))
        });
        let mut steps: Vec<(Step, LinkOwner)> = numbered.collect();
        if reversed {
            steps.reverse();
        }
        let com = (!carries && parent.is_none() && !reversed).then_some((body, outboard));
        for (step, owner) in steps {
            stand = self.step(stand, step, owner, reversed, com);
        }
        let floats = joint.steps().iter().any(|s| matches!(s, Step::Free { .. }));
        match com.filter(|_| floats) {
            Some(com) => self.stand(body, Some(com), outboard),
            None => {
                stand.poses.push(Constant::Inverse(outboard));
                self.stands[body.index()] = stand;
            }
        }
    }

    /// The body of the last link, by its marker.
    fn stand(&mut self, body: BodyId, com: Option<(BodyId, MarkerId)>, marker: MarkerId) {
        let mut poses: Vec<Constant> = com.map(|(body, marker)| Constant::FromCom(marker, body)).into_iter().collect();
        poses.push(Constant::Inverse(marker));
        self.stands[body.index()] = Stand { link: Some(self.links.len() - 1), poses };
    }

    /// Adds the link of a step; what follows stands on it.
    fn step(
        &mut self,
        mut from: Stand,
        step: Step,
        owner: LinkOwner,
        reversed: bool,
        com: Option<(BodyId, MarkerId)>,
    ) -> Stand {
        let way = if reversed { -1.0 } else { 1.0 };
        let mut after = Vec::new();
        let freedom = match step {
            Step::Turn { axis } => match coordinate_axis(self.model, axis) {
                Some((axis, sign)) => Freedom::Turn { axis, sign: sign * way, offset: 0.0 },
                None => {
                    from.poses.push(Constant::Align(axis));
                    after.push(Constant::Unalign(axis));
                    Freedom::Turn { axis: 2, sign: way, offset: 0.0 }
                }
            },
            Step::Slide { axis } => Freedom::Slide { axis, sign: way },
            Step::Screw { axis, advance } => {
                from.poses.push(Constant::Align(axis));
                after.push(Constant::Unalign(axis));
                Freedom::Screw { advance, sign: way }
            }
            Step::Ball { attitude } => Freedom::Ball { attitude, reversed },
            Step::Line { attitude } => Freedom::Line { attitude, reversed },
            Step::Ellipsoid { radii, attitude } => Freedom::Ellipsoid { radii, attitude, reversed },
            Step::Orbit { radius } => Freedom::Orbit { radius, sign: way },
            Step::Posed { pose, coordinates, speeds } => {
                Freedom::Posed { pose, coordinates, speeds, reversed, moves: true }
            }
            Step::Free { attitude, velocity } => Freedom::Float { attitude, velocity, reversed, com },
        };
        self.push(from, freedom, owner);
        Stand { link: Some(self.links.len() - 1), poses: after }
    }

    fn push(&mut self, from: Stand, freedom: Freedom, owner: LinkOwner) {
        let (first_q, first_v) = (self.q, self.v);
        let given = self.given(&freedom, owner);
        let freedom = freedom.given(given.len());
        self.q += freedom.coordinates();
        self.v += freedom.speeds();
        self.links.push(Link { parent: from.link, before: from.poses, freedom, first_q, first_v, owner, given });
    }

    /// Numbers and values of a step's coordinates that are prescribed.
    fn given(&self, freedom: &Freedom, owner: LinkOwner) -> Vec<(u8, ExprId)> {
        let LinkOwner::Joint(joint, first, _) = owner else { return Vec::new() };
        let own = first..first + freedom.coordinates() as u8;
        let mine = |p: &&Prescribed| p.joint == joint && own.contains(&p.coordinate);
        let mut given: Vec<(u8, ExprId)> =
            self.prescribed.iter().filter(mine).map(|p| (p.coordinate - first, p.value)).collect();
        given.sort_unstable_by_key(|g| g.0);
        given
    }
}

/// Which coordinate axis a literal axis is, and its sign.
fn coordinate_axis(model: &Model, axis: [ExprId; 3]) -> Option<(usize, f64)> {
    let numbers = axis.map(|e| model.exprs.value(e));
    let others = |k: usize| (0..3).all(|i| i == k || numbers[i] == Some(0.0));
    (0..3).find_map(|k| numbers[k].filter(|x| x.abs() == 1.0 && others(k)).map(|x| (k, x)))
}
