//! Patterns of mechanisms, and random ones.

use super::{Pattern, Random, System};

/// Coupling of the three speeds of a planar body by rows and masses.
#[derive(Clone, Copy, Debug)]
pub enum Frame {
    /// Speeds of the centre of mass: M is diagonal, the x row of a pin has x and θ.
    Centre,
    /// Speeds of another point: M has full 3 × 3 blocks, and a row contains all three speeds.
    Full,
}

/// Bodies in the plane, three speeds each, joined by pins, two rows each. Body 0 is ground.
pub fn pinned(bodies: usize, pins: &[(usize, usize)], frame: Frame) -> Pattern {
    let full = matches!(frame, Frame::Full);
    let mut mass = Vec::new();
    for body in 0..bodies {
        let block = (0..3).flat_map(|i| (0..=i).map(move |j| (i, j)));
        mass.extend(block.filter(|(i, j)| full || i == j).map(|(i, j)| (3 * body + i, 3 * body + j)));
    }
    let mut jacobian = Vec::new();
    for (k, (a, b)) in pins.iter().enumerate() {
        for r in 0..2 {
            for body in [a, b].into_iter().filter(|body| **body > 0) {
                let columns = (0..3).filter(|c| full || *c == r || *c == 2);
                jacobian.extend(columns.map(|c| (2 * k + r, 3 * (body - 1) + c)));
            }
        }
    }
    Pattern { n_v: 3 * bodies, n_c: 2 * pins.len(), mass, jacobian, switched: vec![], massless: false, scale: 1.0 }
}

/// n parallel four-bars: n + 1 links on ground, joined by n couplers. One is the four-bar: 9 speeds, 8 rows.
pub fn four_bars(n: usize, frame: Frame) -> Pattern {
    let bearings = (1..n + 2).map(|link| (0, link));
    let ends = (0..n).flat_map(|i| [(i + 1, n + 2 + i), (n + 2 + i, i + 2)]);
    pinned(2 * n + 1, &bearings.chain(ends).collect::<Vec<_>>(), frame)
}

/// Andrews' squeezer: 21 speeds, 20 rows.
pub fn andrews(frame: Frame) -> Pattern {
    let pins = [(0, 1), (1, 2), (2, 3), (3, 0), (2, 4), (4, 5), (5, 0), (2, 6), (6, 7), (7, 0)];
    pinned(7, &pins, frame)
}

/// n links, the first and the last on ground.
pub fn chain(n: usize, frame: Frame) -> Pattern {
    let pins: Vec<_> = (0..=n).map(|i| (i, if i == n { 0 } else { i + 1 })).collect();
    pinned(n, &pins, frame)
}

/// A net of k × k bodies: rows of chains, joined at every second body.
pub fn net(k: usize, frame: Frame) -> Pattern {
    let body = |i: usize, j: usize| 1 + i * k + j;
    let mut pins = vec![(0, 1)];
    for i in 0..k {
        for j in 0..k {
            pins.extend((j + 1 < k).then(|| (body(i, j), body(i, j + 1))));
            pins.extend((i + 1 < k && (i + j) % 2 == 0).then(|| (body(i, j), body(i + 1, j))));
        }
    }
    pinned(k * k, &pins, frame)
}

/// A full M, as of joint coordinates, with n_c rows of four entries.
pub fn full(n_v: usize, n_c: usize) -> Pattern {
    let mass = (0..n_v).flat_map(|i| (0..=i).map(move |j| (i, j))).collect();
    let jacobian = (0..n_c).flat_map(|r| (0..4.min(n_v)).map(move |k| (r, (7 * r + k) % n_v))).collect();
    Pattern { n_v, n_c, mass, jacobian, switched: vec![], massless: false, scale: 1.0 }
}

/// Random values for a pattern: M is diagonally dominant, hence positive definite, and G has random entries. Masses of the speeds
/// `without_mass` are zero.
pub fn filled(pattern: Pattern, without_mass: &[usize], random: &mut Random) -> System {
    let mut mass = vec![0.0; pattern.mass.len()];
    let mut diagonal = vec![0.5; pattern.n_v];
    for (k, (i, j)) in pattern.mass.iter().enumerate() {
        if i != j && !without_mass.contains(i) && !without_mass.contains(j) {
            mass[k] = random.within(-1.0, 1.0);
            diagonal[*i] += mass[k].abs();
            diagonal[*j] += mass[k].abs();
        }
    }
    for (m, (i, _)) in mass.iter_mut().zip(&pattern.mass).filter(|(_, (i, j))| i == j) {
        *m = if without_mass.contains(i) { 0.0 } else { diagonal[*i] + random.within(0.0, 2.0) };
    }
    let jacobian = pattern.jacobian.iter().map(|_| random.within(-1.0, 1.0)).collect();
    System { pattern, mass, jacobian }
}

/// Up to 24 speeds with random couplings, and rows for at most half of them; row r has the entry 2 in column 2 r, so that G is far from rank
/// deficiency.
pub fn random(random: &mut Random) -> System {
    let n_v = 1 + random.below(24);
    let n_c = random.below(n_v / 2 + 1);
    let mut mass: Vec<(usize, usize)> = (0..n_v).map(|i| (i, i)).collect();
    for i in 1..n_v {
        mass.extend((0..i).filter(|_| random.below(4) == 0).map(|j| (i, j)));
    }
    let mut jacobian = Vec::new();
    for r in 0..n_c {
        jacobian.extend((0..n_v).filter(|j| *j == 2 * r || random.below(6) == 0).map(|j| (r, j)));
    }
    let pattern = Pattern { n_v, n_c, mass, jacobian, switched: vec![], massless: false, scale: 1.0 };
    let mut system = filled(pattern, &[], random);
    for (g, (r, j)) in system.jacobian.iter_mut().zip(&system.pattern.jacobian) {
        *g = if *j == 2 * r { 2.0 } else { 0.3 * *g };
    }
    system
}
