//! Which points of bodies are basic ones, and which of them bodies share.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::check::{default_variables, in_formulation};
use crate::mechanics::{Mechanics, Tree};
use crate::{BodyId, BodyKind, ExprId, Formulation, Joint, JointId, JointKind, MarkerId, Model, Op, Series};

/// A point of a body, or of ground.
pub type Place = (Option<BodyId>, [ExprId; 3]);

/// The points that are chosen.
#[derive(Debug, Default)]
pub struct Choice {
    /// Of each body in natural coordinates.
    pub points: BTreeMap<BodyId, Vec<[ExprId; 3]>>,
    /// Joints that cost no equation, with a place of the point that is shared.
    pub shared: Vec<(JointId, Place)>,
    /// The same at default parameters \[m\].
    pub places: BTreeMap<BodyId, Vec<[f64; 3]>>,
    /// Places that are one point, if more than one.
    groups: Vec<Vec<Place>>,
}

impl Choice {
    /// Of the bodies that are `members`.
    pub fn of(model: &Model, members: &[bool]) -> Choice {
        let body_model = in_formulation(model, Formulation::Body);
        let tree = Tree::new(&body_model);
        let rest = vec![Series::<1>::constant(0.0); tree.n()];
        let constants = Mechanics::at_solver(&body_model, &tree, default_variables(&body_model, &tree), rest);
        let number = |e: ExprId| constants.value(e).value();
        let between = |[a, b]: [[ExprId; 3]; 2]| distance(&a.map(number), &b.map(number));
        let pins = pins(model, members);
        let mut choice = Choice::default();
        for b in (0..members.len()).filter(|b| members[*b]) {
            let body = BodyId(b as u32);
            let points = match &model.bodies[b].basis {
                Some(stated) => stated.points.clone(),
                None => points_of(model, body, &pins, &between),
            };
            choice.places.insert(body, points.iter().map(|at| at.map(number)).collect());
            choice.points.insert(body, points);
        }
        for (joint, ends) in pins {
            choice.join(joint, ends);
        }
        choice
    }

    /// The place that stands for all that are the same point: ground's if it is among them.
    pub fn representative(&self, place: Place) -> Place {
        let group = self.groups.iter().find(|group| group.contains(&place));
        group.map_or(place, |group| *group.iter().find(|p| p.0.is_none()).unwrap_or(&group[0]))
    }

    /// Makes the ends of a pin one point, where both are basic and it makes no two points of a body one, nor holds a body.
    fn join(&mut self, joint: JointId, ends: [Place; 2]) {
        let is_basic = |(body, at): &Place| body.is_none_or(|b| self.points.get(&b).is_some_and(|p| p.contains(at)));
        if !ends.iter().all(is_basic) {
            return;
        }
        let [a, b] = ends.map(|end| self.group_of(end));
        if a == b {
            return;
        }
        let mut merged = a.clone();
        merged.extend(b.iter().copied());
        let once = |place: &Place| merged.iter().filter(|other| other.0 == place.0).count() == 1;
        if !merged.iter().all(once) {
            return;
        }
        if merged.iter().any(|place| place.0.is_none()) && merged.iter().any(|place| self.is_held_beside(*place)) {
            return;
        }
        self.groups.retain(|group| *group != a && *group != b);
        self.groups.push(merged);
        self.shared.push((joint, ends[0]));
    }

    fn group_of(&self, place: Place) -> Vec<Place> {
        self.groups.iter().find(|group| group.contains(&place)).cloned().unwrap_or_else(|| vec![place])
    }

    /// Whether another basic point of the same body is one of ground's.
    fn is_held_beside(&self, (body, at): Place) -> bool {
        let Some(points) = body.and_then(|b| self.points.get(&b)) else { return false };
        let others = points.iter().filter(|other| **other != at);
        others.into_iter().any(|other| self.representative((body, *other)).0.is_none())
    }
}

/// |b − a|
pub fn distance(a: &[f64; 3], b: &[f64; 3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (b - a) * (b - a)).sum::<f64>().sqrt()
}

/// Pins that stay, between what natural coordinates place, with their ends.
fn pins(model: &Model, members: &[bool]) -> Vec<(JointId, [Place; 2])> {
    let is_time = |e: ExprId| model.exprs.any(e, &|op| op == Op::Time);
    let on_member = |m: MarkerId| {
        let marker = &model.markers[m.index()];
        marker.body.map_or_else(|| !marker.point.into_iter().any(is_time), |b| members[b.index()])
    };
    let place = |m: MarkerId| (model.markers[m.index()].body, model.markers[m.index()].point);
    let is_pin = |joint: &Joint| {
        joint.kind == JointKind::Revolute && joint.enabled.is_none() && joint.ends.into_iter().all(on_member)
    };
    let joints = (0..).map(JointId).zip(&model.joints).filter(|(_, joint)| is_pin(joint));
    joints.map(|(id, joint)| (id, joint.ends.map(place))).filter(|(_, [a, b])| a.0 != b.0).collect()
}

/// Up to two points of a rigid body that states none: those with most pins first, its centre of mass where there is none. The one of a particle.
fn points_of(
    model: &Model,
    body: BodyId,
    pins: &[(JointId, [Place; 2])],
    between: &dyn Fn([[ExprId; 3]; 2]) -> f64,
) -> Vec<[ExprId; 3]> {
    let declared = &model.bodies[body.index()];
    let mut pinned: Vec<([ExprId; 3], usize)> = Vec::new();
    for (_, at) in pins.iter().flat_map(|(_, ends)| ends).filter(|place| place.0 == Some(body)) {
        match pinned.iter_mut().find(|p| p.0 == *at) {
            Some(known) => known.1 += 1,
            None => pinned.push((*at, 1)),
        }
    }
    pinned.sort_by_key(|p| Reverse(p.1));
    let Some((first, _)) = pinned.first().copied().filter(|_| declared.kind == BodyKind::Rigid) else {
        return vec![declared.com];
    };
    let longest = pinned.iter().map(|p| between([first, p.0])).fold(0.0, f64::max);
    let second = pinned.iter().map(|p| p.0).find(|at| between([first, *at]) > 1e-6 * longest);
    [first].into_iter().chain(second).collect()
}
