//! Chooses the redundant rows to leave out among rows that depend on each other.
//!
//! At a pose, d of the rows G depend on the others: zᵀ G = 0 for d orthonormal columns z (1), where the rows of G have unit length. Without
//! the rows D the others keep their rank if and only if the block Z_D is regular; the larger its pivots, the better they are conditioned.
//! The pivots change from pose to pose, and where one vanishes the remaining rows are singular although the mechanism is not. So D is chosen
//! for all poses of a path together, one row after the other, each by its worst pose (2). Poses near a singular configuration of the mechanism
//! have less weight: σ is the smallest singular value of G except d zeros (3).
//!
//! ```text
//! (1)  Zᵀ G = 0,  Zᵀ Z = 1
//! (2)  r₁ = argmax_r min_poses |z_r| / σ,  then r₂ likewise with the component of each z_r normal to z_r₁, …
//! (3)  σ² = λ_min(G Gᵀ + Z Zᵀ)
//! ```

use std::cmp::Reverse;

use mbs_core::math::irrational;
use mbs_physics::linear::{SparseRow, combinations};

use super::Context;
use super::assemble::{Wanted, assemble};
use super::rank::{generic_poses, project};

/// Among rows that score at least this fraction of the best, the last is left out.
const NEARLY_AS_WELL: f64 = 0.3;
/// Rows that score below this are kept.
const NEEDED: f64 = 1e-6;
/// Least |z_r| of a row that takes part in the dependences.
const TAKES_PART: f64 = 1e-6;

/// Left null spaces of some rows, at poses where their dimension d is the usual one.
pub struct NullSpaces {
    /// For each pose σ, and z_r of each row, d values.
    poses: Vec<(f64, Vec<Vec<f64>>)>,
    /// The combinations Σ bₖ rowₖ = 0 at the first pose away from the given one, if any; b by index into the rows.
    pub combinations: Vec<SparseRow>,
    /// Solver coordinates of the pose of `combinations`.
    pub pose: Vec<f64>,
}

impl NullSpaces {
    /// Null spaces of `rows` at an assembled pose and at poses that the mechanism can move to with the position rows `constraints`; `None` where
    /// the rows are independent at most of these poses. A few poses may be singular, or lie on another branch, where the rows that are dependent
    /// here lock the mechanism.
    pub fn new(context: &Context<'_>, rows: &[usize], constraints: Vec<usize>, pose: &[f64]) -> Option<NullSpaces> {
        let mut poses = generic_poses(context, constraints.clone(), pose);
        poses.extend(poses_on_path(context, constraints, pose));
        if poses.is_empty() {
            // A structure that cannot move has no other pose.
            poses.push(pose.to_vec());
        }
        let found: Vec<Dependences> = poses.into_iter().map(|q| Dependences::new(context, rows, q)).collect();
        let count = |d: usize| found.iter().filter(|f| f.combinations.len() == d).count();
        let d =
            found.iter().map(|f| f.combinations.len()).max_by_key(|d| (count(*d), Reverse(*d))).filter(|d| *d > 0)?;
        let here = Dependences::new(context, rows, pose.to_vec());
        let mut regular: Vec<Dependences> =
            found.into_iter().chain([here]).filter(|f| f.combinations.len() == d).collect();
        let measured = |f: &Dependences| {
            let z = f.null_space();
            (f.smallest_singular_value(&z), z)
        };
        let poses = regular.iter().map(measured).collect();
        let Dependences { pose, combinations, .. } = regular.swap_remove(0);
        Some(NullSpaces { poses, combinations, pose })
    }

    /// Chooses d redundant rows by (2), in the order of choice. Each is a row that the first of `permitted` accepts; where all of those are
    /// needed, one that the next accepts.
    pub fn choose_redundant(mut self, permitted: &[&dyn Fn(usize) -> bool]) -> Vec<usize> {
        let mut chosen = Vec::new();
        while let Some(r) = permitted.iter().find_map(|may| self.best_row(may)) {
            chosen.push(r);
            self.poses.iter_mut().for_each(|(_, z)| remove_component(z, r));
        }
        chosen
    }

    /// The last of the permitted rows whose score is near the best.
    fn best_row(&self, may: &dyn Fn(usize) -> bool) -> Option<usize> {
        let most = self.poses.iter().map(|p| p.0).fold(0.0, f64::max);
        let worst = |r: usize| self.poses.iter().map(|(s, z)| norm(&z[r]) * most / s).fold(f64::INFINITY, f64::min);
        let scores: Vec<(usize, f64)> = (0..self.poses[0].1.len()).filter(|r| may(*r)).map(|r| (r, worst(r))).collect();
        let best = scores.iter().map(|s| s.1).fold(0.0, f64::max);
        scores.into_iter().rev().find(|s| s.1 > NEEDED && s.1 >= NEARLY_AS_WELL * best).map(|s| s.0)
    }

    /// Whether a row takes part in any of the dependences.
    pub fn takes_part(&self, row: usize) -> bool {
        self.poses.iter().any(|(_, z)| norm(&z[row]) > TAKES_PART)
    }
}

/// Dependences of rows at one pose.
struct Dependences {
    pose: Vec<f64>,
    combinations: Vec<SparseRow>,
    /// Rows scaled to unit length, with coordinates in their scales.
    units: Vec<SparseRow>,
    /// Lengths of the rows; 1 for a row of zeros.
    lengths: Vec<f64>,
}

impl Dependences {
    fn new(context: &Context<'_>, rows: &[usize], pose: Vec<f64>) -> Dependences {
        let jacobian = context.sample(&pose, false).jacobian;
        let rows: Vec<SparseRow> = rows.iter().map(|r| jacobian[*r].clone()).collect();
        let combinations = combinations(&rows).into_iter().map(|c| c.1).collect();
        let scaled = |row: SparseRow| row.into_iter().map(|(i, g)| (i, g * context.scales[i])).collect();
        let mut units: Vec<SparseRow> = rows.into_iter().map(scaled).collect();
        let length = |row: &SparseRow| row.values().map(|g| g * g).sum::<f64>().sqrt();
        let lengths: Vec<f64> = units.iter().map(length).map(|l| if l > 0.0 { l } else { 1.0 }).collect();
        units.iter_mut().zip(&lengths).for_each(|(row, l)| row.values_mut().for_each(|g| *g /= l));
        Dependences { pose, combinations, units, lengths }
    }

    /// σ of (3), by inverse iteration on a Cholesky factor.
    fn smallest_singular_value(&self, z: &[Vec<f64>]) -> f64 {
        let entry = |i: usize, j: usize| {
            let product = |(c, g): (&usize, &f64)| self.units[j].get(c).map_or(0.0, |h| g * h);
            self.units[i].iter().map(product).sum::<f64>() + dot(&z[i], &z[j])
        };
        // L of L Lᵀ, row by row.
        let m = self.units.len();
        let mut l: Vec<Vec<f64>> = Vec::with_capacity(m);
        for i in 0..m {
            let mut row: Vec<f64> = Vec::with_capacity(i + 1);
            for (j, above) in l.iter().enumerate() {
                row.push((entry(i, j) - dot(&row, &above[..j])) / above[j]);
            }
            let pivot = entry(i, i) - dot(&row, &row);
            if pivot.is_nan() || pivot <= 0.0 {
                return f64::MIN_POSITIVE;
            }
            row.push(pivot.sqrt());
            l.push(row);
        }
        let mut x: Vec<f64> = (0..m).map(|i| irrational(1.0, i)).collect();
        let mut inverse = 1.0;
        for _ in 0..4 {
            normalise(&mut x);
            for i in 0..m {
                x[i] = (x[i] - dot(&l[i][..i], &x[..i])) / l[i][i];
            }
            for i in (0..m).rev() {
                x[i] /= l[i][i];
                let (before, rest) = x.split_at_mut(i);
                before.iter_mut().zip(&l[i]).for_each(|(x, l)| *x -= l * rest[0]);
            }
            inverse = norm(&x);
        }
        inverse.recip().sqrt()
    }

    /// Z of (1) by rows: combinations of rows of unit length, made orthonormal by two passes of Gram and Schmidt's method.
    fn null_space(&self) -> Vec<Vec<f64>> {
        let mut columns: Vec<Vec<f64>> = Vec::new();
        for combination in &self.combinations {
            let mut z = vec![0.0; self.lengths.len()];
            combination.iter().for_each(|(r, b)| z[*r] = b * self.lengths[*r]);
            normalise(&mut z);
            for _ in 0..2 {
                columns.iter().for_each(|c| orthogonalise(&mut z, c));
                normalise(&mut z);
            }
            columns.push(z);
        }
        (0..self.lengths.len()).map(|r| columns.iter().map(|c| c[r]).collect()).collect()
    }
}

/// Poses on a path of a mechanism through a pose, forwards and backwards. Where several directions are free, the path keeps its direction.
fn poses_on_path(context: &Context<'_>, constraints: Vec<usize>, pose: &[f64]) -> Vec<Vec<f64>> {
    /// In radians, or sizes of the mechanism.
    const STEP: f64 = 0.3;
    let wanted = Wanted::rows(constraints);
    // Half a revolution in each direction for small mechanisms, fewer steps for large ones.
    let steps = (600 / pose.len().max(1)).clamp(3, 11);
    let mut found = Vec::new();
    for sign in [1.0, -1.0] {
        let (mut q, mut direction) = (pose.to_vec(), Vec::new());
        for k in 0..steps {
            if k == 0 {
                let pattern = |(i, s): (usize, &f64)| sign * s * irrational(1.0, i);
                direction = context.scales.iter().enumerate().map(pattern).collect();
            }
            let Some(onwards) = project(context, &wanted, &q, direction) else { break };
            let size = onwards.iter().zip(&context.scales).map(|(d, s)| (d / s).abs()).fold(0.0, f64::max);
            if size < 1e-9 {
                break;
            }
            direction = onwards.into_iter().map(|d| STEP / size * d).collect();
            let Some(next) = assemble(context, &wanted, context.displaced(&q, &direction)) else { break };
            q = next;
            found.push(q.clone());
        }
    }
    found
}

/// Removes the component in the direction of z_r from all z.
fn remove_component(z: &mut [Vec<f64>], r: usize) {
    let mut direction = z[r].clone();
    normalise(&mut direction);
    z.iter_mut().for_each(|z| orthogonalise(z, &direction));
}

/// Removes the component in the direction of a unit vector.
fn orthogonalise(z: &mut [f64], direction: &[f64]) {
    let part = dot(z, direction);
    z.iter_mut().zip(direction).for_each(|(x, y)| *x -= part * y);
}

fn dot(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(x, y)| x * y).sum()
}

fn norm(z: &[f64]) -> f64 {
    dot(z, z).sqrt()
}

/// Scales a vector to unit length; zero stays.
fn normalise(z: &mut [f64]) {
    let length = norm(z);
    if length > 0.0 {
        z.iter_mut().for_each(|x| *x /= length);
    }
}
