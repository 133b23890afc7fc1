//! Selection of basic points and vectors, and of those that bodies share.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use mbs_definition::Space;
use mbs_expr::{BodyId, ExprId};
use mbs_math::{Vec3, Vector};
use mbs_model::{BodyKind, Model};

use super::coincidences::{Candidate, Coincidence};

/// Smallest height of a basis vector over the span of the others, relative to its length.
const LEAST_HEIGHT: f64 = 0.1;
/// Smallest distance of a basic point from the first one, relative to that of the farthest point.
const LEAST_DISTANCE: f64 = 1e-2;

/// Selects the basic points and vectors of a body: those that the body declares, if any; else the point of a particle; else, for a rigid body,
/// one point, and points and vectors in three independent directions from it (in the plane one). Points and vectors that most joints constrain
/// are preferred; axes of the body complete the basis where these are too few. `axes` are the unit vectors, `evaluate` returns components at
/// default parameters.
pub fn select_basis(
    model: &Model,
    body: BodyId,
    coincidences: &[Coincidence],
    axes: [[ExprId; 3]; 3],
    evaluate: &dyn Fn([ExprId; 3]) -> [f64; 3],
) -> Vec<Candidate> {
    let declared = &model.bodies[body.index()];
    if let Some(stated) = &declared.basis {
        let candidate =
            |is_point: bool| move |x: &[ExprId; 3]| Candidate { body: Some(body), is_point, components: *x };
        return stated.points.iter().map(candidate(true)).chain(stated.vectors.iter().map(candidate(false))).collect();
    }
    // Candidate, whether it is one of several pairs that can only be shared together, number of joints that constrain it.
    let mut constrained: Vec<(Candidate, bool, usize)> = Vec::new();
    for coincidence in coincidences {
        for candidate in coincidence.pairs.iter().flatten().filter(|c| c.body == Some(body)) {
            match constrained.iter_mut().find(|(known, ..)| known == candidate) {
                Some((.., count)) => *count += 1,
                None => constrained.push((*candidate, coincidence.pairs.len() > 1, 1)),
            }
        }
    }
    constrained.sort_by_key(|(c, together, count)| (!together, !c.is_point, Reverse(*count)));
    let center = Candidate { body: Some(body), is_point: true, components: declared.com };
    if declared.kind == BodyKind::Particle {
        return vec![center];
    }
    let first = constrained.iter().map(|(c, ..)| *c).find(|c| c.is_point).unwrap_or(center);
    let from_first = |c: &Candidate| {
        let [x, origin] = [evaluate(c.components), evaluate(first.components)].map(Vector);
        if c.is_point { x - origin } else { x }
    };
    let farthest = constrained.iter().filter(|(c, ..)| c.is_point).map(|(c, ..)| from_first(c));
    let farthest = farthest.map(Vec3::square).fold(0.0, f64::max);
    let body_axes = axes.map(|components| Candidate { body: Some(body), is_point: false, components });
    let directions = if model.space == Space::Planar { 1 } else { 3 };
    let mut basis = vec![first];
    // Orthonormal vectors that span the directions found so far.
    let mut spanned: Vec<Vec3<f64>> = Vec::new();
    let height = |spanned: &[Vec3<f64>], d: Vec3<f64>| spanned.iter().fold(d, |d, e| d - *e * d.dot(*e));
    for (candidate, ..) in constrained.iter().filter(|(c, ..)| *c != first) {
        let d = from_first(candidate);
        let (normal, square) = (height(&spanned, d), d.square());
        let is_far = !candidate.is_point || square > LEAST_DISTANCE * LEAST_DISTANCE * farthest;
        if spanned.len() < directions && is_far && normal.square() > LEAST_HEIGHT * LEAST_HEIGHT * square {
            spanned.push(normal / normal.square().sqrt());
            basis.push(*candidate);
        }
    }
    while spanned.len() < directions {
        let heights = body_axes.map(|c| height(&spanned, Vector(evaluate(c.components))));
        let best = (0..3).rev().max_by(|a, b| {
            let [a, b] = [a, b].map(|k| heights[*k].square());
            // Among axes that are equally far off up to rounding, the first is taken.
            if (a - b).abs() <= 1e-9 { std::cmp::Ordering::Equal } else { a.total_cmp(&b) }
        });
        let best = best.unwrap_or(0);
        spanned.push(heights[best] / heights[best].square().sqrt());
        basis.push(body_axes[best]);
    }
    basis
}

/// Groups of points and vectors that bodies share.
pub struct Sharing<'a> {
    /// Basic points and vectors of each body.
    pub bases: &'a BTreeMap<BodyId, Vec<Candidate>>,
    /// Those that are one, in groups of two or more.
    pub groups: Vec<Vec<Candidate>>,
}

/// Representative of a point or vector in its group: the one on ground, if there is one, else the first.
pub fn representative(groups: &[Vec<Candidate>], candidate: Candidate) -> Candidate {
    let group = groups.iter().find(|group| group.contains(&candidate));
    group.map_or(candidate, |group| *group.iter().find(|p| p.body.is_none()).unwrap_or(&group[0]))
}

impl Sharing<'_> {
    /// Merges the two groups of every pair, or of none if one pair cannot be merged; returns whether it has.
    pub fn join_all(&mut self, pairs: &[[Candidate; 2]]) -> bool {
        let before = self.groups.clone();
        let joined = pairs.iter().all(|ends| self.join(*ends, pairs));
        if !joined {
            self.groups = before;
        }
        joined
    }

    /// Merges the groups of a pair, if both candidates are basic, no body has two members in the merged group, and no body gets a second point,
    /// or a second vector, on ground other than by `pairs`. Returns whether it has.
    fn join(&mut self, ends: [Candidate; 2], pairs: &[[Candidate; 2]]) -> bool {
        let is_basic = |c: &Candidate| c.body.is_none_or(|b| self.bases.get(&b).is_some_and(|basis| basis.contains(c)));
        if !ends.iter().all(is_basic) {
            return false;
        }
        let [a, b] = ends.map(|end| self.group_of(end));
        if a == b {
            return false;
        }
        let merged = [&a[..], &b[..]].concat();
        let is_only = |c: &Candidate| merged.iter().filter(|other| other.body == c.body).count() == 1;
        let is_fixed = |group: &[Candidate]| group.iter().any(|c| c.body.is_none());
        let newly_fixed: &[Candidate] = match (is_fixed(&a), is_fixed(&b)) {
            (true, false) => &b,
            (false, true) => &a,
            _ => &[],
        };
        if !merged.iter().all(is_only) || newly_fixed.iter().any(|c| self.has_other_on_ground(c, pairs)) {
            return false;
        }
        self.groups.retain(|group| *group != a && *group != b);
        self.groups.push(merged);
        true
    }

    fn group_of(&self, candidate: Candidate) -> Vec<Candidate> {
        self.groups.iter().find(|group| group.contains(&candidate)).cloned().unwrap_or_else(|| vec![candidate])
    }

    /// Whether another basic point, or another basic vector, of the same body is fixed on ground; those of `pairs` do not count.
    fn has_other_on_ground(&self, candidate: &Candidate, pairs: &[[Candidate; 2]]) -> bool {
        let Some(basis) = candidate.body.and_then(|b| self.bases.get(&b)) else { return false };
        let together = |other: &Candidate| pairs.len() > 1 && pairs.iter().flatten().any(|c| c == other);
        let others = basis.iter().filter(|other| other.is_point == candidate.is_point && *other != candidate);
        let mut others = others.filter(|other| !together(other));
        others.any(|other| representative(&self.groups, *other).body.is_none())
    }
}
