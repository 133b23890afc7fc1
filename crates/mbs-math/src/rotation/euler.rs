//! Euler angles (a, b, c) of a sequence of axes i, j, k: R_WB = R_i(a) R_j(b) R_k(c).
//!
//! Let ε = ±1 with e_i × e_j = ε e_m, m the axis other than i and j: k = m in a Tait–Bryan sequence, k = i in a proper one. In
//! the frame C before the last rotation, ω_C = R_k(c) ω_B, and with primes for components in C:
//!
//! 1. Tait–Bryan: ω'_i = ȧ cos b, ω'_j = ḃ, ω'_k = ċ + ε ȧ sin b;
//! 2. proper: ω'_m = ε ȧ sin b, ω'_j = ḃ, ω'_i = ċ + ȧ cos b;
//! 3. for the inverse, these are solved for ȧ, ḃ, ċ: singular where cos b = 0 (1), sin b = 0 (2);
//! 4. for Ṅ ω, they are differentiated at constant ω_B: dω_C/dt = ċ e_k × ω_C.
//!
//! From quaternions, a proper sequence has e0 = cos ½b cos s, e_i = cos ½b sin s, e_j = sin ½b cos t, e_m = ε sin ½b sin t
//! with the half sum s = ½(a + c) and the half difference t = ½(a − c). Since R_j(−π/2) takes e_k to −ε e_i, a
//! Tait–Bryan sequence times R_j(π/2) is R_i(a) R_j(b + π/2) R_i(−ε c), a proper one.
//!
//! Sources: Diebel (2006), Representing attitude, Euler angles; Bernardes & Viollet (2022), Quaternion to Euler angles
//! conversion, PLoS ONE 17(11).

use core::f64::consts::{FRAC_PI_2, PI, TAU};

use super::space::cross;
use super::{Axis, Sequence, product};
use crate::math::{atan2, floor, hypot, sin_cos};

/// Below this ratio of the sine and cosine of ½b, the half difference or the half sum is round-off.
const LOCKED: f64 = 4.0 * f64::EPSILON;

/// i, j, m and ε of the module header.
struct Frame {
    i: usize,
    j: usize,
    m: usize,
    epsilon: f64,
    is_proper: bool,
}

impl Frame {
    fn new(sequence: Sequence) -> Self {
        let [i, j, _] = sequence.axes().map(index);
        let m = 3 - i - j;
        let epsilon = if (i + 1) % 3 == j { 1.0 } else { -1.0 };
        Frame { i, j, m, epsilon, is_proper: sequence.is_proper() }
    }

    /// The last axis k of the sequence.
    fn last(&self) -> usize {
        if self.is_proper { self.i } else { self.m }
    }
}

fn index(axis: Axis) -> usize {
    match axis {
        Axis::X => 0,
        Axis::Y => 1,
        Axis::Z => 2,
    }
}

fn unit(k: usize) -> [f64; 3] {
    core::array::from_fn(|i| f64::from(i == k))
}

/// R_k(angle) x.
fn rotate_about(k: usize, angle: f64, x: [f64; 3]) -> [f64; 3] {
    let ((sin, cos), (l, m)) = (sin_cos(angle), ((k + 1) % 3, (k + 2) % 3));
    let mut y = x;
    y[l] = cos * x[l] - sin * x[m];
    y[m] = sin * x[l] + cos * x[m];
    y
}

/// q_i(a) ∘ q_j(b) ∘ q_k(c).
pub(super) fn quaternion(sequence: Sequence, angles: [f64; 3]) -> [f64; 4] {
    let mut q = [1.0, 0.0, 0.0, 0.0];
    for (axis, angle) in sequence.axes().into_iter().zip(angles) {
        let (sin, cos) = sin_cos(0.5 * angle);
        let mut rotation = [cos, 0.0, 0.0, 0.0];
        rotation[1 + index(axis)] = sin;
        q = product(q, rotation);
    }
    q
}

/// The angles with a and c in (−π, π\], and b in \[0, π\] (proper) or \[−π/2, π/2\]. In gimbal lock, where only a + c or a
/// − c is determined, c is `free`.
pub(super) fn angles(sequence: Sequence, q: [f64; 4], free: f64) -> [f64; 3] {
    let Frame { i, j, m, epsilon, is_proper } = Frame::new(sequence);
    let (e0, ei, ej, em) = (q[0], q[1 + i], q[1 + j], epsilon * q[1 + m]);
    // cos ½b (cos s, sin s) and sin ½b (cos t, sin t), with b + π/2 for b where Tait–Bryan.
    let (sum, difference, shift, sign) = if is_proper {
        ([e0, ei], [ej, em], 0.0, 1.0)
    } else {
        ([e0 - ej, ei - em], [ej + e0, em + ei], FRAC_PI_2, -epsilon)
    };
    let (cos, sin) = (hypot(sum[0], sum[1]), hypot(difference[0], difference[1]));
    let b = 2.0 * atan2(sin, cos) - shift;
    let (s, t) = (atan2(sum[1], sum[0]), atan2(difference[1], difference[0]));
    // sign · c is the last angle of the proper sequence.
    if sin <= LOCKED * cos {
        [wrap(2.0 * s - sign * free), b, free]
    } else if cos <= LOCKED * sin {
        [wrap(2.0 * t + sign * free), b, free]
    } else {
        [wrap(s + t), b, wrap(sign * (s - t))]
    }
}

/// The angles of the attitude `q` nearest to `hint`, which may be beyond ±π: (a, b, c), or (a + π, −b, c + π) where proper and
/// (a + π, π − b, c + π) where not, each angle plus a multiple of 2π. In gimbal lock c is that of the hint.
pub(super) fn nearest_angles(sequence: Sequence, q: [f64; 4], hint: [f64; 3]) -> [f64; 3] {
    let [a, b, c] = angles(sequence, q, hint[2]);
    let other = if sequence.is_proper() { -b } else { PI - b };
    let candidates = [[a, b, c], [a + PI, other, c + PI]].map(|angles| {
        let near: [f64; 3] = core::array::from_fn(|k| hint[k] + wrap(angles[k] - hint[k]));
        let distance: f64 = near.iter().zip(hint).map(|(x, y)| (x - y) * (x - y)).sum();
        (near, distance)
    });
    if candidates[1].1 < candidates[0].1 { candidates[1].0 } else { candidates[0].0 }
}

/// The angles of the same attitude in the ranges of [`angles`].
pub(super) fn principal(sequence: Sequence, angles: [f64; 3]) -> [f64; 3] {
    let [a, b, c] = angles.map(wrap);
    let is_principal = if sequence.is_proper() { b >= 0.0 } else { b.abs() <= FRAC_PI_2 };
    let other = if sequence.is_proper() { -b } else { PI - b };
    if is_principal { [a, b, c] } else { [a + PI, other, c + PI].map(wrap) }
}

/// x plus a multiple of 2π, in (−π, π\].
fn wrap(x: f64) -> f64 {
    let revolutions = floor(0.5 - x / TAU);
    if revolutions == 0.0 { x } else { x + TAU * revolutions }
}

/// |cos b| for Tait–Bryan sequences, |sin b| for proper ones: the size of the determinant of N⁻¹.
pub(super) fn regularity(sequence: Sequence, angles: [f64; 3]) -> f64 {
    let (sin, cos) = sin_cos(angles[1]);
    if sequence.is_proper() { sin.abs() } else { cos.abs() }
}

/// Equations 3: (ȧ, ḃ, ċ).
pub(super) fn rates(sequence: Sequence, angles: [f64; 3], omega: [f64; 3]) -> [f64; 3] {
    let frame = Frame::new(sequence);
    let w = rotate_about(frame.last(), angles[2], omega);
    solve(&frame, angles[1], w, [0.0; 3])
}

/// ω in B, by equations 1 and 2 and the inverse rotation R_k(−c).
pub(super) fn angular_velocity(sequence: Sequence, angles: [f64; 3], rates: [f64; 3]) -> [f64; 3] {
    let frame = Frame::new(sequence);
    let Frame { i, j, m, epsilon, is_proper } = frame;
    let ((sin, cos), [a, b, c]) = (sin_cos(angles[1]), rates);
    let mut w = [0.0; 3];
    w[j] = b;
    (w[i], w[m]) = if is_proper { (c + a * cos, epsilon * a * sin) } else { (a * cos, c + epsilon * a * sin) };
    rotate_about(frame.last(), -angles[2], w)
}

/// Equations 4: Ṅ ω.
pub(super) fn bias(sequence: Sequence, angles: [f64; 3], omega: [f64; 3]) -> [f64; 3] {
    let frame = Frame::new(sequence);
    let Frame { i, m, epsilon, .. } = frame;
    let (k, (sin, cos)) = (frame.last(), sin_cos(angles[1]));
    let w = rotate_about(k, angles[2], omega);
    let [a, b, c] = solve(&frame, angles[1], w, [0.0; 3]);
    // Contribution of the products of rates to dω_C/dt in equations 1 and 2.
    let mut known = [0.0; 3];
    (known[i], known[m]) = (-a * b * sin, epsilon * a * b * cos);
    solve(&frame, angles[1], cross(unit(k), w).map(|x| c * x), known)
}

/// Solves equations 1 or 2 for the rates, with w − known on the left side.
fn solve(frame: &Frame, b: f64, w: [f64; 3], known: [f64; 3]) -> [f64; 3] {
    let &Frame { i, j, m, epsilon, is_proper } = frame;
    let (sin, cos) = sin_cos(b);
    let w: [f64; 3] = core::array::from_fn(|k| w[k] - known[k]);
    if is_proper {
        let a = epsilon * w[m] / sin;
        [a, w[j], w[i] - a * cos]
    } else {
        let a = w[i] / cos;
        [a, w[j], w[m] - epsilon * a * sin]
    }
}
