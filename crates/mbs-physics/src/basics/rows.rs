//! Named basics, and the rows that keep bodies rigid.

use std::collections::BTreeMap;

use mbs_definition::Space;
use mbs_expr::{BodyId, ExprId, Op};
use mbs_math::{Vec3, Vector};
use mbs_model::{Basic, Basis, Model, Natural, Row, RowId, RowLevel};

use super::coincidences::{Candidate, Coincidence};
use super::selection::representative;

/// Builds natural coordinates and their rows from the selected basic points and vectors.
pub struct Builder<'m> {
    pub model: &'m mut Model,
    /// Candidates that are one: [`Sharing::groups`](super::Sharing).
    pub groups: Vec<Vec<Candidate>>,
    pub natural: Natural,
    /// Indices into [`Natural::basics`], by representative.
    pub basics: BTreeMap<Candidate, usize>,
}

/// A direction of a body, in terms of basics: indices into [`Natural::basics`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Direction {
    /// From the first basic point to the second.
    Between([usize; 2]),
    /// A basic vector.
    Vector(usize),
}

/// A direction with its components in body axes, and their values at default parameters.
type KnownDirection = (Direction, [ExprId; 3], Vec3<f64>);

/// Returns, for two differences from a common point, the direction between their ends, with its squared length.
fn third_side(a: &KnownDirection, b: &KnownDirection) -> Option<(Direction, f64)> {
    let (Direction::Between([from, end]), Direction::Between([other, to])) = (a.0, b.0) else { return None };
    (from == other && end != to).then(|| (Direction::Between([end, to]).unsigned(), (b.2 - a.2).square()))
}

impl Direction {
    /// Returns the direction without its sign: indices of `Between` in ascending order.
    fn unsigned(self) -> Self {
        match self {
            Direction::Between([a, b]) => Direction::Between([a.min(b), a.max(b)]),
            vector => vector,
        }
    }
}

impl Builder<'_> {
    /// Adds the basics with their names, the basis of each body, and the joints that share basics, with the rows that this makes unnecessary.
    pub fn add_basics(&mut self, bases: &BTreeMap<BodyId, Vec<Candidate>>, shared: &[&Coincidence]) {
        self.natural.bodies = vec![None; self.model.bodies.len()];
        for (body, candidates) in bases {
            let names = self.unshared_names(*body, candidates);
            let named = candidates.iter().zip(names);
            let found: Vec<(usize, Candidate)> =
                named.map(|(candidate, name)| (self.index_or_add(*candidate, name, shared), *candidate)).collect();
            let select = |is_point: bool| {
                let selected = found.iter().filter(move |(_, c)| c.is_point == is_point);
                selected.map(|(i, c)| (*i, c.components)).collect()
            };
            self.natural.bodies[body.index()] = Some(Basis { points: select(true), vectors: select(false) });
        }
        for coincidence in shared {
            for [end, _] in &coincidence.pairs {
                let basic = self.basics[&representative(&self.groups, *end)];
                self.natural.shared.push((coincidence.joint, basic));
            }
            self.natural.replaced.extend(coincidence.rows.clone().map(|row| (coincidence.joint, row)));
        }
    }

    /// Names of the basics that a body does not share: `body.point`, `body.axis_x`, in the plane `body.axis`; for declared ones
    /// `body.point[0]`, `body.vector`.
    fn unshared_names(&self, body: BodyId, candidates: &[Candidate]) -> Vec<String> {
        let declared = &self.model.bodies[body.index()];
        let count = |is_point: bool| candidates.iter().filter(move |c| c.is_point == is_point).count();
        let [points, vectors] = [count(true), count(false)];
        let is_literal = |e: ExprId, one: bool| self.model.exprs.value(e) == Some(f64::from(u8::from(one)));
        let body_axis = |x: [ExprId; 3]| (0..3).find(|k| (0..3).all(|c| is_literal(x[c], c == *k)));
        let name = |(i, candidate): (usize, &Candidate)| match (
            candidate.is_point,
            &declared.basis,
            body_axis(candidate.components),
        ) {
            (true, ..) if points == 1 => "point".to_owned(),
            (true, ..) => format!("point[{i}]"),
            (false, Some(_), _) if vectors == 1 => "vector".to_owned(),
            (false, Some(_), _) => format!("vector[{}]", i - points),
            (false, None, _) if self.model.space == Space::Planar => "axis".to_owned(),
            (false, None, Some(k)) => format!("axis_{}", ["x", "y", "z"][k]),
            (false, None, None) => format!("axis[{}]", i - points),
        };
        candidates.iter().enumerate().map(|named| format!("{}.{}", declared.name, name(named))).collect()
    }

    /// Index of the basic point or vector of a candidate, which is added if it is not known: named after the first joint that shares it, or
    /// `unshared_name`.
    fn index_or_add(&mut self, candidate: Candidate, unshared_name: String, shared: &[&Coincidence]) -> usize {
        let key = representative(&self.groups, candidate);
        if let Some(known) = self.basics.get(&key) {
            return *known;
        }
        let found = shared.iter().find_map(|coincidence| {
            let k = coincidence.pairs.iter().position(|pair| representative(&self.groups, pair[0]) == key)?;
            Some((&self.model.joint(coincidence.joint).name, k, coincidence.pairs.len()))
        });
        let name = match found {
            Some((joint, ..)) if candidate.is_point && self.model.space == Space::Planar => joint.clone(),
            Some((joint, ..)) if candidate.is_point => format!("{joint}.point"),
            Some((joint, _, 1)) => format!("{joint}.axis"),
            Some((joint, k, _)) => format!("{joint}.axis_{}", ["x", "y", "z"][k]),
            None => unshared_name,
        };
        let Candidate { body, is_point, components } = key;
        self.natural.basics.push(Basic { name, is_point, body, components });
        self.basics.insert(key, self.natural.basics.len() - 1);
        self.natural.basics.len() - 1
    }

    /// Adds rows d·e = const of the directions of each body, except products that the rows of another body, or ground, already keep constant.
    /// `evaluate` returns components at default parameters.
    pub fn add_rigid_rows(
        &mut self,
        bases: &BTreeMap<BodyId, Vec<Candidate>>,
        evaluate: &dyn Fn([ExprId; 3]) -> [f64; 3],
    ) {
        let mut kept: Vec<([Direction; 2], f64)> = Vec::new();
        for body in bases.keys() {
            let Some(basis) = self.natural.basis(*body).cloned() else { continue };
            let directions = self.directions(&basis, evaluate);
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
                let is_constant = |pair: [Direction; 2], value: f64, size: f64| {
                    let is_equal = |known: &f64| (known.abs() - value.abs()).abs() <= 1e-9 * size;
                    kept.iter().any(|(other, known)| *other == pair && is_equal(known))
                };
                // Among three sides of a triangle, the length of the third fixes the angle between the others.
                let is_triangle = third_side(a, b).is_some_and(|(side, square)| is_constant([side; 2], square, square));
                if self.is_fixed(a.0) && self.is_fixed(b.0) || is_constant(pair, value, size) || is_triangle {
                    continue;
                }
                kept.push((pair, value));
                let name = match n {
                    1 => "rigid".to_owned(),
                    _ => format!("rigid.{}{}", names[i], names[k]),
                };
                let components = [a, b].map(|d| self.world_components(d.0));
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

    /// Directions of a basis: differences of points from the first, then vectors.
    fn directions(&mut self, basis: &Basis, evaluate: &dyn Fn([ExprId; 3]) -> [f64; 3]) -> Vec<KnownDirection> {
        let (first, from) = basis.points[0];
        let start = Vector(evaluate(from));
        let mut all = Vec::new();
        for (i, point) in &basis.points[1..] {
            let end = Vector(evaluate(*point));
            let difference = self.model.exprs.write(|w| w.ids(w.vector(*point) - w.vector(from)));
            all.push((Direction::Between([first, *i]), difference, end - start));
        }
        all.extend(basis.vectors.iter().map(|(i, u)| (Direction::Vector(*i), *u, Vector(evaluate(*u)))));
        all
    }

    /// The only direction of a bar: its world components, and those in body axes.
    pub fn bar_direction(
        &mut self,
        basis: &Basis,
        evaluate: &dyn Fn([ExprId; 3]) -> [f64; 3],
    ) -> ([ExprId; 3], [ExprId; 3]) {
        let (direction, in_body, _) = self.directions(basis, evaluate)[0];
        (self.world_components(direction), in_body)
    }

    /// Whether all basics of a direction are fixed on ground.
    fn is_fixed(&self, direction: Direction) -> bool {
        let on_ground = |i: usize| self.natural.basics[i].body.is_none();
        match direction {
            Direction::Between([a, b]) => on_ground(a) && on_ground(b),
            Direction::Vector(i) => on_ground(i),
        }
    }

    /// World components of a direction, as expressions of basics.
    fn world_components(&mut self, direction: Direction) -> [ExprId; 3] {
        let exprs = &mut self.model.exprs;
        let zero = exprs.constant(0.0);
        let dimensions = if self.model.space == Space::Planar { 2 } else { 3 };
        let mut basic =
            |i: usize| [0, 1, 2].map(|c| if c < dimensions { exprs.push(Op::Basic(i as u32, c)) } else { zero });
        match direction {
            Direction::Vector(i) => basic(i),
            Direction::Between([a, b]) => {
                let [a, b] = [basic(a), basic(b)];
                exprs.write(|w| w.ids(w.vector(b) - w.vector(a)))
            }
        }
    }
}
