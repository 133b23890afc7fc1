//! Basic points and vectors in the declarations of bodies in natural coordinates.

use super::Printer;
use crate::number::digits;

/// Numbers of points and vectors; `None` states neither.
const KINDS: [Option<[usize; 2]>; 7] =
    [None, Some([1, 1]), Some([2, 0]), Some([1, 2]), Some([2, 1]), Some([3, 0]), Some([1, 2])];
/// Vectors, no two of them parallel, and none along an axis.
const VECTORS: [[f64; 2]; 3] = [[0.6, 0.8], [-0.5, 1.25], [2.0, 0.25]];
/// Points in addition to those of joints.
const POINTS: [[f64; 2]; 3] = [[0.3, -0.2], [-0.45, 0.1], [0.15, 0.7]];

impl Printer<'_> {
    /// ` { points: […], vectors: […] }` of a body in natural coordinates, or nothing; points of its joints come first, then others.
    pub(super) fn basis(&mut self, b: usize) -> String {
        let body = &self.plan.bodies[b];
        if self.plan.is_spatial() {
            return self.basis_in_space(b);
        }
        let bits = body.angle.to_bits();
        let drawn = usize::from((bits ^ bits >> 16 ^ bits >> 32 ^ bits >> 48) as u16);
        let Some([points, vectors]) = KINDS[drawn % KINDS.len()] else { return String::new() };
        let ends =
            self.plan.joints.iter().flat_map(|joint| &joint.ends).filter(|attachment| attachment.body == Some(b));
        let pinned = ends.map(|attachment| [attachment.point[0].value, attachment.point[1].value]);
        let mut chosen: Vec<[f64; 2]> = Vec::new();
        let vectors_from = &VECTORS[drawn % 2..];
        let (points, vectors) = if body.particle { (1, 0) } else { (points, vectors) };
        for point in pinned.chain(POINTS) {
            // A further point differs from the first, is not in the direction of the vector from it, and not in line with two others.
            let from = |p: &[f64; 2], q: &[f64; 2]| [q[0] - p[0], q[1] - p[1]];
            let cross = |u: [f64; 2], v: [f64; 2]| (u[0] * v[1] - u[1] * v[0]).abs();
            let good = match &chosen[..] {
                [] => true,
                [first] => {
                    let offset = from(first, &point);
                    offset[0].hypot(offset[1]) > 0.05
                        && (vectors == 0 || cross(offset, vectors_from[0]) > 0.05 * offset[0].hypot(offset[1]))
                }
                [first, second, ..] => cross(from(first, second), from(first, &point)) > 0.01,
            };
            if good && chosen.len() < points {
                chosen.push(point);
            }
        }
        if chosen.len() < points {
            return String::new();
        }
        let list = |all: &[[f64; 2]]| {
            let each: Vec<String> = all.iter().map(|[x, y]| format!("[{}, {}]", digits(*x), digits(*y))).collect();
            each.join(", ")
        };
        self.features.add(format!("basis of {points} points and {vectors} vectors"));
        let vectors = match vectors {
            0 => String::new(),
            n => format!(", vectors: [{}]", list(&vectors_from[..n])),
        };
        format!(" {{ points: [{}]{vectors} }}", list(&chosen))
    }

    /// Basis in space: the point of one joint first, then others; empty, thus automatic, where the directions are nearly in one plane.
    fn basis_in_space(&mut self, b: usize) -> String {
        let body = &self.plan.bodies[b];
        let bits = body.angle.to_bits();
        let drawn = usize::from((bits ^ bits >> 16 ^ bits >> 32 ^ bits >> 48) as u16) % 6;
        if drawn > 3 {
            return String::new();
        }
        let (points, vectors) = if body.particle { (1, 0) } else { (drawn + 1, 3 - drawn) };
        let ends = self.plan.joints.iter().flat_map(|joint| &joint.ends);
        let joint_points =
            ends.filter(|attachment| attachment.body == Some(b)).map(|attachment| attachment.point.map(|x| x.value));
        let chosen: Vec<[f64; 3]> = joint_points.take(1).chain(SPATIAL_POINTS).take(points).collect();
        let from_first = chosen[1..].iter().map(|p| [0, 1, 2].map(|k| p[k] - chosen[0][k]));
        let directions: Vec<[f64; 3]> = from_first.chain(DIRECTIONS.into_iter().take(vectors)).collect();
        if let [a, b, c] = directions[..] {
            let cross = [b[1] * c[2] - b[2] * c[1], b[2] * c[0] - b[0] * c[2], b[0] * c[1] - b[1] * c[0]];
            let size = |v: [f64; 3]| v.iter().map(|x| x * x).sum::<f64>().sqrt();
            let volume = (0..3).map(|k| a[k] * cross[k]).sum::<f64>().abs();
            if volume < 0.1 * size(a) * size(b) * size(c) {
                return String::new();
            }
        }
        let list = |all: &[[f64; 3]]| {
            let each = all.iter().map(|v| format!("[{}]", v.map(digits).join(", ")));
            each.collect::<Vec<String>>().join(", ")
        };
        self.features.add(format!("basis of {points} points and {vectors} vectors in space"));
        let vectors = match vectors {
            0 => String::new(),
            n => format!(", vectors: [{}]", list(&DIRECTIONS[..n])),
        };
        format!(" {{ points: [{}]{vectors} }}", list(&chosen))
    }
}

const SPATIAL_POINTS: [[f64; 3]; 4] = [[0.1, -0.2, 0.05], [0.6, 0.1, -0.1], [-0.2, 0.4, 0.2], [0.0, 0.1, 0.7]];
const DIRECTIONS: [[f64; 3]; 3] = [[1.0, 0.1, 0.0], [0.0, 0.5, 0.2], [0.1, 0.0, 1.0]];
