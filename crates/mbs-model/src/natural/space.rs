//! Basics in space: which points and vectors place bodies, which of them bodies share, and the rows that keep bodies rigid.
//!
//! A joint that holds a point, or a direction, of one body on that of another needs no equation for it where both are basic.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::{Basic, Basis, Natural};
use crate::check::{default_variables, in_formulation};
use crate::mechanics::{Mechanics, Tree};
use crate::{
    BodyId, BodyKind, ExprId, Formulation, JointId, JointKind, MarkerId, Model, Op, Row, RowLevel, Series, Step,
};

/// A point of a body, or of ground, or a vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    body: Option<BodyId>,
    is_point: bool,
    at: [ExprId; 3],
}

/// Rows of a joint that say no more than that places are the same: one pair, or three vectors of bodies that do not turn.
struct Link {
    joint: JointId,
    rows: std::ops::Range<usize>,
    pairs: Vec<[Place; 2]>,
}

/// How much of a vector the others of a basis must leave, as a part of its length.
const LEAST_HEIGHT: f64 = 0.1;
/// Points that are closer to the first than this are not basic, relative to the farthest.
const LEAST_DISTANCE: f64 = 1e-2;

/// What bodies that are `members` are placed by.
pub fn basics(model: &mut Model, members: &[bool]) -> Natural {
    let axes = [0, 1, 2].map(|k| unit(model, k));
    let links = links(model, members, axes);
    let body_model = in_formulation(model, Formulation::Body);
    let tree = Tree::new(&body_model);
    let rest = vec![Series::<1>::constant(0.0); tree.n_q()];
    let constants = Mechanics::at_solver(&body_model, &tree, default_variables(&body_model, &tree), rest);
    let number = |v: [ExprId; 3]| v.map(|e| constants.value(e).value());
    let bodies = (0..members.len()).filter(|b| members[*b]).map(|b| BodyId(b as u32));
    let chosen: BTreeMap<BodyId, Vec<Place>> =
        bodies.map(|body| (body, chosen(model, body, &links, axes, &number))).collect();
    let mut sharing = Sharing { chosen: &chosen, groups: Vec::new() };
    let shared: Vec<&Link> = links.iter().filter(|link| sharing.join_all(&link.pairs)).collect();
    let groups = sharing.groups;
    let mut builder = Builder { model, groups, natural: Natural::default(), basics: BTreeMap::new() };
    builder.place(&chosen, &shared);
    builder.keep_rigid(&chosen, &number);
    builder.natural
}

fn unit(model: &mut Model, axis: usize) -> [ExprId; 3] {
    [0, 1, 2].map(|k| model.exprs.number(if k == axis { 1.0 } else { 0.0 }))
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    (0..3).map(|k| a[k] * b[k]).sum()
}

/// What joints hold, between what natural coordinates place: attitudes first, then points, then vectors.
fn links(model: &mut Model, members: &[bool], axes: [[ExprId; 3]; 3]) -> Vec<Link> {
    let is_time = |model: &Model, e: ExprId| model.exprs.any(e, &|op| op == Op::Time);
    let on_member = |model: &Model, m: MarkerId| {
        let marker = &model.markers[m.index()];
        let parts = marker.point.into_iter().chain(marker.rotation.into_iter().flatten().flatten());
        marker.body.map_or_else(|| !parts.into_iter().any(|e| is_time(model, e)), |b| members[b.index()])
    };
    // Rows that others imply can only be left out where they are.
    let spanning = model.redundant.is_some().then(|| Tree::new(&in_formulation(model, Formulation::Joint)));
    let closes = |j: JointId| spanning.as_ref().is_some_and(|tree| !tree.spans(j));
    let (mut frames, mut points, mut vectors) = (Vec::new(), Vec::new(), Vec::new());
    for j in 0..model.joints.len() {
        let joint = &model.joints[j];
        let ends = joint.ends;
        let bodies = ends.map(|m| model.markers[m.index()].body);
        let is_spatial = joint.kind == JointKind::Spatial && joint.enabled.is_none();
        if !is_spatial
            || closes(JointId(j as u32))
            || bodies[0] == bodies[1]
            || !ends.iter().all(|m| on_member(model, *m))
        {
            continue;
        }
        let names: Vec<&str> = joint.rows.iter().map(|(name, _)| &**name).collect();
        let at = |wanted: &[&str]| names.windows(wanted.len()).position(|part| part == wanted);
        let turned = joint.steps.iter().find_map(|step| match *step {
            Step::Turn { axis } | Step::Screw { axis, .. } => Some(axis),
            _ => None,
        });
        let (point, tilt, turn) =
            (at(&["x", "y", "z"]), at(&["tilt_normal", "tilt_binormal"]), at(&["turn_x", "turn_y", "turn_z"]));
        let joint = JointId(j as u32);
        if let Some(first) = point {
            let place = |m: MarkerId| {
                let marker = &model.markers[m.index()];
                Place { body: marker.body, is_point: true, at: marker.point }
            };
            points.push(Link { joint, rows: first..first + 3, pairs: vec![ends.map(place)] });
        }
        let mut vector = |axis: [ExprId; 3]| {
            ends.map(|m| Place { body: model.markers[m.index()].body, is_point: false, at: in_body(model, m, axis) })
        };
        match (tilt, turned, turn) {
            (Some(first), Some(axis), _) => {
                vectors.push(Link { joint, rows: first..first + 2, pairs: vec![vector(axis)] });
            }
            (_, _, Some(first)) => {
                frames.push(Link { joint, rows: first..first + 3, pairs: axes.map(vector).to_vec() });
            }
            _ => {}
        }
    }
    frames.into_iter().chain(points).chain(vectors).collect()
}

/// A vector of a marker in the axes of its body.
fn in_body(model: &mut Model, marker: MarkerId, v: [ExprId; 3]) -> [ExprId; 3] {
    let Some(axes) = model.markers[marker.index()].rotation else { return v };
    [0, 1, 2].map(|k| {
        let row = axes.map(|axis| axis[k]);
        model.exprs.dot(&row, &v)
    })
}

/// What the body states; else the point of a particle, of a rigid body a point, and points and vectors in three directions from it: those that most joints hold, and its
/// own axes where these are not enough.
fn chosen(
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
        let [at, from] = [number(place.at), number(first.at)];
        if place.is_point { [0, 1, 2].map(|k| at[k] - from[k]) } else { at }
    };
    let farthest = held.iter().filter(|(place, ..)| place.is_point).map(|(place, ..)| from_first(place));
    let farthest = farthest.map(|d| dot(d, d)).fold(0.0, f64::max);
    let own = axes.map(|at| Place { body: Some(body), is_point: false, at });
    let mut places = vec![first];
    // Orthonormal.
    let mut spanned: Vec<[f64; 3]> = Vec::new();
    let height = |spanned: &[[f64; 3]], d: [f64; 3]| {
        spanned.iter().fold(d, |d, e| {
            let along = dot(d, *e);
            [0, 1, 2].map(|k| d[k] - along * e[k])
        })
    };
    for (place, ..) in held.iter().filter(|(place, ..)| *place != first) {
        let d = from_first(place);
        let (left, square) = (height(&spanned, d), dot(d, d));
        let is_far = !place.is_point || square > LEAST_DISTANCE * LEAST_DISTANCE * farthest;
        if spanned.len() < 3 && is_far && dot(left, left) > LEAST_HEIGHT * LEAST_HEIGHT * square {
            let length = dot(left, left).sqrt();
            spanned.push(left.map(|x| x / length));
            places.push(*place);
        }
    }
    while spanned.len() < 3 {
        let heights = own.map(|place| height(&spanned, number(place.at)));
        let best = (0..3).rev().max_by(|a, b| {
            let [a, b] = [a, b].map(|k| dot(heights[*k], heights[*k]));
            // Of axes that are as far off but for rounding the first.
            if (a - b).abs() <= 1e-9 { std::cmp::Ordering::Equal } else { a.total_cmp(&b) }
        });
        let best = best.unwrap_or(0);
        let length = dot(heights[best], heights[best]).sqrt();
        spanned.push(heights[best].map(|x| x / length));
        places.push(own[best]);
    }
    places
}

/// Which places are one.
struct Sharing<'a> {
    /// Basic points and vectors of each body.
    chosen: &'a BTreeMap<BodyId, Vec<Place>>,
    groups: Vec<Vec<Place>>,
}

/// The place that stands for all that are the same: ground's if it is among them.
fn representative(groups: &[Vec<Place>], place: Place) -> Place {
    let group = groups.iter().find(|group| group.contains(&place));
    group.map_or(place, |group| *group.iter().find(|p| p.body.is_none()).unwrap_or(&group[0]))
}

impl Sharing<'_> {
    /// Makes the places of all pairs one, or of none.
    fn join_all(&mut self, pairs: &[[Place; 2]]) -> bool {
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

struct Builder<'m> {
    model: &'m mut Model,
    groups: Vec<Vec<Place>>,
    natural: Natural,
    basics: BTreeMap<Place, usize>,
}

/// A vector of a body, by basics.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Direction {
    /// From the first to the second.
    Between([usize; 2]),
    Along(usize),
}

impl Direction {
    /// The same of one that points the other way.
    fn unsigned(self) -> Self {
        match self {
            Direction::Between([a, b]) => Direction::Between([a.min(b), a.max(b)]),
            along => along,
        }
    }
}

impl Builder<'_> {
    /// Basics by name, and what joints share of them.
    fn place(&mut self, chosen: &BTreeMap<BodyId, Vec<Place>>, shared: &[&Link]) {
        self.natural.bodies = vec![None; self.model.bodies.len()];
        for (body, places) in chosen {
            let names = self.own_names(*body, places);
            let named = places.iter().zip(names);
            let found: Vec<(usize, Place)> =
                named.map(|(place, name)| (self.basic(*place, name, shared), *place)).collect();
            let of = |is_point: bool| {
                let own = found.iter().filter(move |(_, place)| place.is_point == is_point);
                own.map(|(i, place)| (*i, place.at)).collect()
            };
            self.natural.bodies[body.index()] = Some(Basis { points: of(true), vectors: of(false) });
        }
        for link in shared {
            for [end, _] in &link.pairs {
                let basic = self.basics[&representative(&self.groups, *end)];
                self.natural.shared.push((link.joint, basic));
            }
            self.natural.replaced.extend(link.rows.clone().map(|row| (link.joint, row)));
        }
    }

    /// What the basics of a body are called that it does not share: `body.point`, `body.axis_x`; as stated `body.point[0]`, `body.vector`.
    fn own_names(&self, body: BodyId, places: &[Place]) -> Vec<String> {
        let declared = &self.model.bodies[body.index()];
        let of = |is_point: bool| places.iter().filter(move |place| place.is_point == is_point).count();
        let [points, vectors] = [of(true), of(false)];
        let is_one = |e: ExprId, k: bool| self.model.exprs.value(e) == Some(f64::from(u8::from(k)));
        let own_axis = |at: [ExprId; 3]| (0..3).find(|k| (0..3).all(|c| is_one(at[c], c == *k)));
        let name = |(i, place): (usize, &Place)| match (place.is_point, &declared.basis, own_axis(place.at)) {
            (true, ..) if points == 1 => "point".to_owned(),
            (true, ..) => format!("point[{i}]"),
            (false, Some(_), _) if vectors == 1 => "vector".to_owned(),
            (false, Some(_), _) => format!("vector[{}]", i - points),
            (false, None, Some(k)) => format!("axis_{}", ["x", "y", "z"][k]),
            (false, None, None) => format!("axis[{}]", i - points),
        };
        places.iter().enumerate().map(|named| format!("{}.{}", declared.name, name(named))).collect()
    }

    /// The basic point or vector at a place, made now if not yet: called after a joint that shares it, or by its own name.
    fn basic(&mut self, place: Place, own: String, shared: &[&Link]) -> usize {
        let at = representative(&self.groups, place);
        if let Some(known) = self.basics.get(&at) {
            return *known;
        }
        let found = shared.iter().find_map(|link| {
            let k = link.pairs.iter().position(|pair| representative(&self.groups, pair[0]) == at)?;
            Some((&self.model.joint(link.joint).name, k, link.pairs.len()))
        });
        let name = match found {
            Some((joint, ..)) if place.is_point => format!("{joint}.point"),
            Some((joint, _, 1)) => format!("{joint}.axis"),
            Some((joint, k, _)) => format!("{joint}.axis_{}", ["x", "y", "z"][k]),
            None => own,
        };
        self.natural.basics.push(Basic { name, is_point: at.is_point, body: at.body, at: at.at });
        self.basics.insert(at, self.natural.basics.len() - 1);
        self.natural.basics.len() - 1
    }

    /// d·e = const of the directions of each body, but for what another body, or ground, keeps.
    fn keep_rigid(&mut self, chosen: &BTreeMap<BodyId, Vec<Place>>, number: &dyn Fn([ExprId; 3]) -> [f64; 3]) {
        let mut kept: Vec<([Direction; 2], f64)> = Vec::new();
        for body in chosen.keys() {
            let Some(basis) = self.natural.basis(*body).cloned() else { continue };
            let directions = self.directions(&basis, number);
            let n = directions.len();
            let names = ["u", "v", "w"];
            let squares = (0..n).map(|k| [k, k]);
            let mixed = [[1, 2], [0, 2], [0, 1]].into_iter().filter(|pair| n == 3 && pair[1] < n);
            for [i, k] in squares.chain(mixed) {
                let [a, b] = [&directions[i], &directions[k]];
                let value = dot(a.2, b.2);
                let mut pair = [a.0, b.0].map(Direction::unsigned);
                pair.sort_unstable();
                let size = (dot(a.2, a.2) * dot(b.2, b.2)).sqrt();
                let is_same = |known: &f64| (known.abs() - value.abs()).abs() <= 1e-9 * size;
                if self.is_fixed(a.0) && self.is_fixed(b.0)
                    || kept.iter().any(|(other, known)| *other == pair && is_same(known))
                {
                    continue;
                }
                kept.push((pair, value));
                let name = match n {
                    1 => "rigid".to_owned(),
                    _ => format!("rigid.{}{}", names[i], names[k]),
                };
                let components = [a, b].map(|d| self.components(d.0));
                let exprs = &mut self.model.exprs;
                let [product, constant] = [exprs.dot(&components[0], &components[1]), exprs.dot(&a.1, &b.1)];
                let residual = exprs.sub(product, constant);
                let declared = &self.model.bodies[body.index()];
                self.natural.rows.push(Row {
                    name: format!("{}.{name}", declared.name),
                    joint: None,
                    equation: None,
                    body: Some(*body),
                    origin: declared.origin,
                    residual,
                    enabled: None,
                    level: RowLevel::Position,
                });
            }
        }
    }

    /// Differences of points to the first, then vectors; with components in body axes, and these at default parameters.
    fn directions(
        &mut self,
        basis: &Basis,
        number: &dyn Fn([ExprId; 3]) -> [f64; 3],
    ) -> Vec<(Direction, [ExprId; 3], [f64; 3])> {
        let (first, from) = basis.points[0];
        let start = number(from);
        let mut all = Vec::new();
        for (i, at) in &basis.points[1..] {
            let (exprs, end) = (&mut self.model.exprs, number(*at));
            let apart = [0, 1, 2].map(|k| exprs.sub(at[k], from[k]));
            all.push((Direction::Between([first, *i]), apart, [0, 1, 2].map(|k| end[k] - start[k])));
        }
        all.extend(basis.vectors.iter().map(|(i, at)| (Direction::Along(*i), *at, number(*at))));
        all
    }

    fn is_fixed(&self, direction: Direction) -> bool {
        let on_ground = |i: usize| self.natural.basics[i].body.is_none();
        match direction {
            Direction::Between([a, b]) => on_ground(a) && on_ground(b),
            Direction::Along(i) => on_ground(i),
        }
    }

    fn components(&mut self, direction: Direction) -> [ExprId; 3] {
        let exprs = &mut self.model.exprs;
        let mut of = |i: usize| [0, 1, 2].map(|c| exprs.push(Op::Basic(i as u32, c)));
        match direction {
            Direction::Along(i) => of(i),
            Direction::Between([a, b]) => {
                let [a, b] = [of(a), of(b)];
                [0, 1, 2].map(|k| exprs.sub(b[k], a[k]))
            }
        }
    }
}
