//! Basic points and vectors that a declaration chooses, and which of them place a body.

use mbs_definition::Space;
use mbs_expr::ExprId;

/// Basic points and vectors that a body states: `coordinates: natural { points: […], vectors: […] }`.
///
/// Their directions, differences of points from the first one and vectors, are one or as many as the space has dimensions, and at default
/// parameters independent; one direction makes a body of space a bar, which does not turn about it. All are made of constants and parameters.
#[derive(Clone, Debug, Default)]
pub struct StatedBasis {
    /// Where the points are in body axes \[m\].
    pub points: Vec<[ExprId; 3]>,
    /// Components of the vectors in body axes, as they are stated: of any length but zero.
    pub vectors: Vec<[ExprId; 3]>,
}

/// Numbers of points and vectors.
type Kind = [usize; 2];

const OF_PARTICLES: &[Kind] = &[[1, 0]];
const OF_THE_PLANE: &[Kind] = &[[1, 1], [2, 0], [1, 2], [2, 1], [3, 0]];
const OF_SPACE: &[Kind] = &[[1, 1], [2, 0], [1, 3], [2, 2], [3, 1], [4, 0]];

/// How many points and vectors place a particle, or a rigid body of a space.
pub fn kinds(space: Space, is_particle: bool) -> &'static [Kind] {
    match (is_particle, space) {
        (true, _) => OF_PARTICLES,
        (false, Space::Planar) => OF_THE_PLANE,
        (false, Space::Spatial) => OF_SPACE,
    }
}

/// "1 point", "2 points + 1 vector".
pub fn counted([points, vectors]: Kind) -> String {
    let of = |n: usize, what: &str| match n {
        1 => format!("1 {what}"),
        _ => format!("{n} {what}s"),
    };
    match (points, vectors) {
        (_, 0) => of(points, "point"),
        (0, _) => of(vectors, "vector"),
        _ => format!("{} + {}", of(points, "point"), of(vectors, "vector")),
    }
}

/// A direction that those before it hold already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dependent {
    /// It has no length: a point at the place of the first.
    Lengthless(usize),
    /// It is a sum of the others.
    Spanned(usize),
}

impl Dependent {
    /// The first such among directions: that of which those before it leave less than a millionth (Gram & Schmidt). Lengths are compared with
    /// `size`.
    pub fn first(directions: &[[f64; 3]], size: f64) -> Option<Dependent> {
        let dot = |a: &[f64; 3], b: &[f64; 3]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let length = |a: &[f64; 3]| dot(a, a).sqrt();
        let mut units: Vec<[f64; 3]> = Vec::new();
        for (i, direction) in directions.iter().enumerate() {
            if length(direction) <= 1e-9 * size {
                return Some(Dependent::Lengthless(i));
            }
            let left = units.iter().fold(*direction, |left, unit| {
                let along = dot(&left, unit);
                [0, 1, 2].map(|k| left[k] - along * unit[k])
            });
            if length(&left) <= 1e-6 * length(direction) {
                return Some(Dependent::Spanned(i));
            }
            units.push(left.map(|x| x / length(&left)));
        }
        None
    }
}
