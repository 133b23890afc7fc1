//! Basics by name, and the rows that keep bodies rigid.

use std::collections::BTreeMap;

use mbs_definition::Space;
use mbs_expr::{BodyId, ExprId, Op};
use mbs_math::{Vec3, Vector};
use mbs_model::{Basic, Basis, Model, Natural, Row, RowId, RowLevel};

use super::choice::representative;
use super::links::{Link, Place};

/// Builds natural coordinates and their rows from the chosen basic points and vectors.
pub struct Builder<'m> {
    pub model: &'m mut Model,
    pub groups: Vec<Vec<Place>>,
    pub natural: Natural,
    pub basics: BTreeMap<Place, usize>,
}

/// A vector of a body, by basics.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Direction {
    /// From the first basic point to the second.
    Between([usize; 2]),
    Along(usize),
}

/// A direction with its components in body axes, and these at default parameters.
type Known = (Direction, [ExprId; 3], Vec3<f64>);

/// Returns, for two differences from a common point, the direction between their ends, with its squared length.
fn third_side(a: &Known, b: &Known) -> Option<(Direction, f64)> {
    let (Direction::Between([from, end]), Direction::Between([other, to])) = (a.0, b.0) else { return None };
    (from == other && end != to).then(|| (Direction::Between([end, to]).unsigned(), (b.2 - a.2).square()))
}

impl Direction {
    /// Returns the direction without its sign: indices of `Between` in ascending order.
    fn unsigned(self) -> Self {
        match self {
            Direction::Between([a, b]) => Direction::Between([a.min(b), a.max(b)]),
            along => along,
        }
    }
}

impl Builder<'_> {
    /// Writes the basics with their names, and records which of them joints share.
    pub fn place(&mut self, chosen: &BTreeMap<BodyId, Vec<Place>>, shared: &[&Link]) {
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

    /// Names of the basics that a body does not share: `body.point`, `body.axis_x`, in the plane `body.axis`; for declared ones
    /// `body.point[0]`, `body.vector`.
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
            (false, None, _) if self.model.space == Space::Planar => "axis".to_owned(),
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
            Some((joint, ..)) if place.is_point && self.model.space == Space::Planar => joint.clone(),
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
    pub fn keep_rigid(&mut self, chosen: &BTreeMap<BodyId, Vec<Place>>, number: &dyn Fn([ExprId; 3]) -> [f64; 3]) {
        let mut kept: Vec<([Direction; 2], f64)> = Vec::new();
        for body in chosen.keys() {
            let Some(basis) = self.natural.basis(*body).cloned() else { continue };
            let directions = self.directions(&basis, number);
            let n = directions.len();
            let names = ["u", "v", "w"];
            let squares = (0..n).map(|k| [k, k]);
            let mixed = [[1, 2], [0, 2], [0, 1]].into_iter().filter(|pair| pair[1] < n);
            for [i, k] in squares.chain(mixed) {
                let [a, b] = [&directions[i], &directions[k]];
                let value = a.2.dot(b.2);
                let mut pair = [a.0, b.0].map(Direction::unsigned);
                pair.sort_unstable();
                let size = (a.2.square() * b.2.square()).sqrt();
                let is_kept = |pair: [Direction; 2], value: f64, size: f64| {
                    let is_same = |known: &f64| (known.abs() - value.abs()).abs() <= 1e-9 * size;
                    kept.iter().any(|(other, known)| *other == pair && is_same(known))
                };
                // Among three sides of a triangle, the length of the third fixes the angle between the others.
                let is_third_kept = third_side(a, b).is_some_and(|(side, square)| is_kept([side; 2], square, square));
                if self.is_fixed(a.0) && self.is_fixed(b.0) || is_kept(pair, value, size) || is_third_kept {
                    continue;
                }
                kept.push((pair, value));
                let name = match n {
                    1 => "rigid".to_owned(),
                    _ => format!("rigid.{}{}", names[i], names[k]),
                };
                let components = [a, b].map(|d| self.components(d.0));
                let residual =
                    self.model.exprs.write(|w| w.id(w.dot(&components[0], &components[1]) - w.dot(&a.1, &b.1)));
                let declared = &self.model.bodies[body.index()];
                self.natural.rows.push(Row {
                    id: RowId::Rigid(*body, kept.len() as u32),
                    name: format!("{}.{name}", declared.name),
                    basic: None,
                    origin: declared.origin,
                    residual,
                    enabled: None,
                    level: RowLevel::Position,
                });
            }
            for (k, b) in directions.iter().enumerate() {
                let thirds = directions[..k].iter().filter_map(|a| third_side(a, b));
                kept.extend(thirds.map(|(side, square)| ([side; 2], square)));
            }
        }
    }

    /// Differences of points to the first, then vectors; with components in body axes, and these at default parameters.
    fn directions(&mut self, basis: &Basis, number: &dyn Fn([ExprId; 3]) -> [f64; 3]) -> Vec<Known> {
        let (first, from) = basis.points[0];
        let start = Vector(number(from));
        let mut all = Vec::new();
        for (i, at) in &basis.points[1..] {
            let end = Vector(number(*at));
            let apart = self.model.exprs.write(|w| w.ids(w.vector(*at) - w.vector(from)));
            all.push((Direction::Between([first, *i]), apart, end - start));
        }
        all.extend(basis.vectors.iter().map(|(i, at)| (Direction::Along(*i), *at, Vector(number(*at)))));
        all
    }

    /// World components of the only direction of a bar, and those in body axes.
    pub fn only_direction(
        &mut self,
        basis: &Basis,
        number: &dyn Fn([ExprId; 3]) -> [f64; 3],
    ) -> ([ExprId; 3], [ExprId; 3]) {
        let (direction, along, _) = self.directions(basis, number)[0];
        (self.components(direction), along)
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
        let zero = exprs.number(0.0);
        let dimensions = if self.model.space == Space::Planar { 2 } else { 3 };
        let mut of =
            |i: usize| [0, 1, 2].map(|c| if c < dimensions { exprs.push(Op::Basic(i as u32, c)) } else { zero });
        match direction {
            Direction::Along(i) => of(i),
            Direction::Between([a, b]) => {
                let [a, b] = [of(a), of(b)];
                exprs.write(|w| w.ids(w.vector(b) - w.vector(a)))
            }
        }
    }
}
