//! Basic points and vectors that a declaration states, and the numbers of them that determine the pose of a body.

use mbs_definition::Space;
use mbs_expr::ExprId;

/// Basic points and vectors that a body states: `coordinates: natural { points: […], vectors: […] }`.
///
/// Their directions are the differences of points from the first point, and the vectors. There is one direction, or as many as the space has
/// dimensions, independent at default parameters. A body in space with one direction is a bar, without rotation about it. All values are
/// made of constants and parameters.
#[derive(Clone, Debug, Default)]
pub struct StatedBasis {
    /// Positions of the points in body axes \[m\].
    pub points: Vec<[ExprId; 3]>,
    /// Components of the vectors in body axes, as they are stated: of any nonzero length.
    pub vectors: Vec<[ExprId; 3]>,
}

/// Number of points and number of vectors of a basis.
type BasisSize = [usize; 2];

const PARTICLE_SIZES: &[BasisSize] = &[[1, 0]];
const PLANAR_SIZES: &[BasisSize] = &[[1, 1], [2, 0], [1, 2], [2, 1], [3, 0]];
const SPATIAL_SIZES: &[BasisSize] = &[[1, 1], [2, 0], [1, 3], [2, 2], [3, 1], [4, 0]];

/// The numbers of points and vectors that determine the pose of a particle, or of a rigid body in the plane or in space.
pub fn basis_sizes(space: Space, is_particle: bool) -> &'static [BasisSize] {
    match (is_particle, space) {
        (true, _) => PARTICLE_SIZES,
        (false, Space::Planar) => PLANAR_SIZES,
        (false, Space::Spatial) => SPATIAL_SIZES,
    }
}

/// Text of the numbers of points and vectors: "1 point", "2 points + 1 vector".
pub fn basis_size_text([points, vectors]: BasisSize) -> String {
    let count = |n: usize, noun: &str| match n {
        1 => format!("1 {noun}"),
        _ => format!("{n} {noun}s"),
    };
    match (points, vectors) {
        (_, 0) => count(points, "point"),
        (0, _) => count(vectors, "vector"),
        _ => format!("{} + {}", count(points, "point"), count(vectors, "vector")),
    }
}

/// A direction that depends on those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dependent {
    /// Its length is zero: a point coincides with the first point.
    Zero(usize),
    /// It is a linear combination of the directions before it.
    Spanned(usize),
}

impl Dependent {
    /// Returns the first dependent direction: its component normal to those before it is less than a millionth of its length (Gram-Schmidt), or
    /// its length is less than 10⁻⁹ `size`.
    pub fn find_first(directions: &[[f64; 3]], size: f64) -> Option<Dependent> {
        let dot = |a: &[f64; 3], b: &[f64; 3]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let length = |a: &[f64; 3]| dot(a, a).sqrt();
        let mut units: Vec<[f64; 3]> = Vec::new();
        for (i, direction) in directions.iter().enumerate() {
            if length(direction) <= 1e-9 * size {
                return Some(Dependent::Zero(i));
            }
            let normal = units.iter().fold(*direction, |rest, unit| {
                let component = dot(&rest, unit);
                [0, 1, 2].map(|k| rest[k] - component * unit[k])
            });
            if length(&normal) <= 1e-6 * length(direction) {
                return Some(Dependent::Spanned(i));
            }
            units.push(normal.map(|x| x / length(&normal)));
        }
        None
    }
}
