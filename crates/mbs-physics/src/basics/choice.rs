//! Which points and vectors are basic ones, and which of them bodies share.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use mbs_definition::Space;
use mbs_expr::{BodyId, ExprId};
use mbs_math::{Vec3, Vector};
use mbs_model::{BodyKind, Model};

use super::links::{Link, Place};

/// Smallest height of a basis vector over the span of the others, relative to its length.
const LEAST_HEIGHT: f64 = 0.1;
/// Smallest distance of a basic point from the first one, relative to that of the farthest point.
const LEAST_DISTANCE: f64 = 1e-2;

/// Chooses the basic points and vectors of a body: those that the body declares, if any; else the point of a particle; else, for a rigid
/// body, one point, and points and vectors in three independent directions from it (in the plane one). Locations and directions that most
/// joints constrain are preferred; the body's own axes fill up where these are not enough.
pub fn chosen(
    model: &Model,
    body: BodyId,
    links: &[Link],
    axes: [[ExprId; 3]; 3],
    number: &dyn Fn([ExprId; 3]) -> [f64; 3],
) -> Vec<Place> {
    let declared = &model.bodies[body.index()];
    if let Some(stated) = &declared.basis {
        let of = |is_point: bool| move |at: &[ExprId; 3]| Place { body: Some(body), is_point, at: *at };
        return stated.points.iter().map(of(true)).chain(stated.vectors.iter().map(of(false))).collect();
    }
    // With how many joints hold them; those that only serve together come first.
    let mut held: Vec<(Place, bool, usize)> = Vec::new();
    for link in links {
        for place in link.pairs.iter().flatten().filter(|place| place.body == Some(body)) {
            match held.iter_mut().find(|(known, ..)| known == place) {
                Some((.., count)) => *count += 1,
                None => held.push((*place, link.pairs.len() > 1, 1)),
            }
        }
    }
    held.sort_by_key(|(place, together, count)| (!together, !place.is_point, Reverse(*count)));
    let center = Place { body: Some(body), is_point: true, at: declared.com };
    if declared.kind == BodyKind::Particle {
        return vec![center];
    }
    let first = held.iter().map(|(place, ..)| *place).find(|place| place.is_point).unwrap_or(center);
    let from_first = |place: &Place| {
        let [at, from] = [number(place.at), number(first.at)].map(Vector);
        if place.is_point { at - from } else { at }
    };
    let farthest = held.iter().filter(|(place, ..)| place.is_point).map(|(place, ..)| from_first(place));
    let farthest = farthest.map(Vec3::square).fold(0.0, f64::max);
    let own = axes.map(|at| Place { body: Some(body), is_point: false, at });
    let directions = if model.space == Space::Planar { 1 } else { 3 };
    let mut places = vec![first];
    // Orthonormal.
    let mut spanned: Vec<Vec3<f64>> = Vec::new();
    let height = |spanned: &[Vec3<f64>], d: Vec3<f64>| spanned.iter().fold(d, |d, e| d - *e * d.dot(*e));
    for (place, ..) in held.iter().filter(|(place, ..)| *place != first) {
        let d = from_first(place);
        let (left, square) = (height(&spanned, d), d.square());
        let is_far = !place.is_point || square > LEAST_DISTANCE * LEAST_DISTANCE * farthest;
        if spanned.len() < directions && is_far && left.square() > LEAST_HEIGHT * LEAST_HEIGHT * square {
            spanned.push(left / left.square().sqrt());
            places.push(*place);
        }
    }
    while spanned.len() < directions {
        let heights = own.map(|place| height(&spanned, Vector(number(place.at))));
        let best = (0..3).rev().max_by(|a, b| {
            let [a, b] = [a, b].map(|k| heights[*k].square());
            // Among axes that are equally far off up to rounding, the first is taken.
            if (a - b).abs() <= 1e-9 { std::cmp::Ordering::Equal } else { a.total_cmp(&b) }
        });
        let best = best.unwrap_or(0);
        spanned.push(heights[best] / heights[best].square().sqrt());
        places.push(own[best]);
    }
    places
}

/// Groups of points and vectors that bodies share.
pub struct Sharing<'a> {
    /// Basic points and vectors of each body.
    pub chosen: &'a BTreeMap<BodyId, Vec<Place>>,
    pub groups: Vec<Vec<Place>>,
}

/// Representative of a point or vector in its group: the one on ground, if there is one, else the first.
pub fn representative(groups: &[Vec<Place>], place: Place) -> Place {
    let group = groups.iter().find(|group| group.contains(&place));
    group.map_or(place, |group| *group.iter().find(|p| p.body.is_none()).unwrap_or(&group[0]))
}

impl Sharing<'_> {
    /// Makes the places of all pairs one, or of none.
    pub fn join_all(&mut self, pairs: &[[Place; 2]]) -> bool {
        let before = self.groups.clone();
        let joined = pairs.iter().all(|ends| self.join(*ends, pairs));
        if !joined {
            self.groups = before;
        }
        joined
    }

    /// Makes two places one, where both are basic and it makes no two places of a body one, nor holds a body beyond what the other pairs do.
    fn join(&mut self, ends: [Place; 2], pairs: &[[Place; 2]]) -> bool {
        let is_basic =
            |place: &Place| place.body.is_none_or(|b| self.chosen.get(&b).is_some_and(|places| places.contains(place)));
        if !ends.iter().all(is_basic) {
            return false;
        }
        let [a, b] = ends.map(|end| self.group_of(end));
        if a == b {
            return false;
        }
        let merged = [&a[..], &b[..]].concat();
        let once = |place: &Place| merged.iter().filter(|other| other.body == place.body).count() == 1;
        let is_fixed = |group: &[Place]| group.iter().any(|place| place.body.is_none());
        let fixed_now: &[Place] = match (is_fixed(&a), is_fixed(&b)) {
            (true, false) => &b,
            (false, true) => &a,
            _ => &[],
        };
        if !merged.iter().all(once) || fixed_now.iter().any(|place| self.is_held_beside(place, pairs)) {
            return false;
        }
        self.groups.retain(|group| *group != a && *group != b);
        self.groups.push(merged);
        true
    }

    fn group_of(&self, place: Place) -> Vec<Place> {
        self.groups.iter().find(|group| group.contains(&place)).cloned().unwrap_or_else(|| vec![place])
    }

    /// Whether another basic point, or another vector, of the same body is one of ground's, but for what the pairs hold.
    fn is_held_beside(&self, place: &Place, pairs: &[[Place; 2]]) -> bool {
        let Some(places) = place.body.and_then(|b| self.chosen.get(&b)) else { return false };
        let together = |other: &Place| pairs.len() > 1 && pairs.iter().flatten().any(|place| place == other);
        let others = places.iter().filter(|other| other.is_point == place.is_point && *other != place);
        let mut others = others.filter(|other| !together(other));
        others.any(|other| representative(&self.groups, *other).body.is_none())
    }
}
