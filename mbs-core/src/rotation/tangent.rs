//! Coordinates of mechanisms and their speeds, where some of the coordinates are parameters of attitudes.

use super::{Attitude, rotate_back};
use crate::{DenseWorkspace, Mechanism, RankDeficiency, solve_symmetric};

/// A ball joint or a floating body among the coordinates of a mechanism: parameters of an attitude, with ω in the axes of the rotated frame
/// as speeds. For a floating body a displacement and its speeds precede them. Generated types list their rotating parts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RotatingPart {
    /// Kind of the attitude's parameters.
    pub attitude: Attitude,
    /// Index of its first coordinate.
    pub first_coordinate: usize,
    /// Index of its first speed.
    pub first_speed: usize,
    /// Displacement in addition to the rotation.
    pub displacement: Displacement,
}

/// Displacement of a rotating part, and the axes of its speeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Displacement {
    /// No displacement: the part has 3 speeds, ω.
    None,
    /// ṙ = w, with w the first three of 6 speeds, in the axes of the parent frame.
    World,
    /// ṙ = R w: w is in the axes of the rotated frame.
    Body,
}

impl RotatingPart {
    /// Number of displacement coordinates.
    fn displacements(&self) -> usize {
        if self.displacement == Displacement::None { 0 } else { 3 }
    }

    /// Writes the speeds of the part; returns the indices of the coordinate and of the speed after it.
    fn speeds_of_rates(&self, q: &[f64], rates: &[f64], v: &mut [f64]) -> (usize, usize) {
        let (first, speed, shift) = (self.first_coordinate, self.first_speed, self.displacements());
        let (attitude, end) = (first + shift, first + shift + self.attitude.n_q());
        if shift > 0 {
            let mut w = [rates[first], rates[first + 1], rates[first + 2]];
            if self.displacement == Displacement::Body {
                w = rotate_back(self.attitude.quaternion_of(&q[attitude..end]), w);
            }
            v[speed..speed + 3].copy_from_slice(&w);
        }
        let omega = self.attitude.angular_velocity(&q[attitude..end], &rates[attitude..end]);
        v[speed + shift..speed + shift + 3].copy_from_slice(&omega);
        (end, speed + shift + 3)
    }
}

/// v with N(q) v nearest to rates q̇: by the attitude for rotating parts, v = q̇ for all other coordinates.
///
/// `rotating` is in the order of the coordinates; q and q̇ have n_q values, v has n_v.
pub fn speeds_of_rates(rotating: &[RotatingPart], q: &[f64], rates: &[f64], v: &mut [f64]) {
    let (mut i, mut j) = (0, 0);
    for part in rotating {
        v[j..part.first_speed].copy_from_slice(&rates[i..part.first_coordinate]);
        (i, j) = part.speeds_of_rates(q, rates, v);
    }
    v[j..].copy_from_slice(&rates[i..]);
}

/// Coordinates and speeds of a joint whose kind declares its speeds, q̇ = N(q) u. Generated types list such joints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeclaredSpeeds {
    /// Index of its first coordinate.
    pub first_coordinate: usize,
    /// Number of coordinates, at most [`DeclaredSpeeds::MOST`].
    pub coordinates: usize,
    /// Index of its first speed.
    pub first_speed: usize,
    /// Number of speeds, at most that of coordinates.
    pub speeds: usize,
}

impl DeclaredSpeeds {
    /// Largest number of coordinates of such a joint.
    pub const MOST: usize = 12;
}

/// As [`speeds_of_rates`], for a mechanism that also has such joints: their speeds are u = (NᵀN)⁻¹Nᵀ q̇, with N column by column from
/// [`Mechanism::coordinate_rates`]. Where its columns are dependent, u is not finite.
///
/// Both lists are in the order of the coordinates.
pub fn speeds_of_declared_rates<M: Mechanism>(
    mechanism: &M,
    (t, q): (f64, &[f64]),
    rotating: &[RotatingPart],
    declared: &[DeclaredSpeeds],
    rates: &[f64],
    v: &mut [f64],
) {
    let (mut i, mut j) = (0, 0);
    let (mut rotating, mut declared) = (rotating.iter().peekable(), declared.iter().peekable());
    while let Some(first) = [rotating.peek().map(|p| p.first_coordinate), declared.peek().map(|p| p.first_coordinate)]
        .into_iter()
        .flatten()
        .min()
    {
        let gap = first - i;
        v[j..j + gap].copy_from_slice(&rates[i..first]);
        if let Some(part) = rotating.next_if(|part| part.first_coordinate == first) {
            (i, j) = part.speeds_of_rates(q, rates, v);
        }
        if let Some(joint) = declared.next_if(|joint| joint.first_coordinate == first) {
            joint.speeds_of_rates(mechanism, (t, q), rates, v);
            (i, j) = (first + joint.coordinates, joint.first_speed + joint.speeds);
        }
    }
    v[j..].copy_from_slice(&rates[i..]);
}

impl DeclaredSpeeds {
    fn speeds_of_rates<M: Mechanism>(&self, mechanism: &M, (t, q): (f64, &[f64]), rates: &[f64], v: &mut [f64]) {
        const MOST: usize = DeclaredSpeeds::MOST;
        let (mut column, mut unit, ..) = mechanism.storage();
        let mut normal = column.clone();
        normal.as_mut().copy_from_slice(q);
        mechanism.normalize(normal.as_mut());
        let range = self.first_coordinate..self.first_coordinate + self.coordinates;
        let n = self.speeds;
        let mut columns = [[0.0; MOST]; MOST];
        for (k, to) in columns[..n].iter_mut().enumerate() {
            crate::differentiable::set_unit(unit.as_mut(), self.first_speed + k);
            mechanism.coordinate_rates(t, normal.as_ref(), unit.as_ref(), column.as_mut());
            to[..self.coordinates].copy_from_slice(&column.as_ref()[range.clone()]);
        }
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let (mut square, mut x) = ([0.0; MOST * MOST], [0.0; MOST]);
        for (k, entry) in square[..n * n].iter_mut().enumerate() {
            *entry = dot(&columns[k / n], &columns[k % n]);
        }
        x.iter_mut().zip(&columns[..n]).for_each(|(x, column)| *x = dot(column, &rates[range.clone()]));
        let (mut scale, mut solution, mut order) = ([0.0; MOST], [0.0; MOST], [0; MOST]);
        let workspace = DenseWorkspace { scale: &mut scale[..n], solution: &mut solution[..n], order: &mut order[..n] };
        let solved = solve_symmetric(t, &mut square[..n * n], &mut x[..n], RankDeficiency::Error, workspace);
        let speeds = &mut v[self.first_speed..self.first_speed + n];
        match solved {
            Ok(_) => speeds.copy_from_slice(&x[..n]),
            Err(_) => speeds.fill(f64::NAN),
        }
    }
}

/// C(v) of (δθ)˙ = δv + C δθ, n_v × n_v, row-major: −ω̃ where a part rotates, and (δp)˙ = δw − ω × δp − w × δφ where its
/// displacement p has [`Displacement::Body`]. `matrix` is overwritten.
pub fn transitivity(rotating: &[RotatingPart], v: &[f64], matrix: &mut [f64]) {
    matrix.fill(0.0);
    let n = v.len();
    let mut subtract = |row: usize, column: usize, x: &[f64]| {
        for (i, j, k) in [(0, 1, 2), (1, 2, 0), (2, 0, 1)] {
            matrix[(row + i) * n + column + j] = x[k];
            matrix[(row + j) * n + column + i] = -x[k];
        }
    };
    for part in rotating {
        let speed = part.first_speed;
        let angular = speed + part.displacements();
        let omega = &v[angular..angular + 3];
        subtract(angular, angular, omega);
        if part.displacement == Displacement::Body {
            subtract(speed, speed, omega);
            subtract(speed, angular, &v[speed..speed + 3]);
        }
    }
}
