//! Tests of the saddle solver: random systems against Gaussian elimination, closed forms, and singular systems.

mod limits;
mod patterns;
mod solutions;
mod timing;

use super::*;

/// Uniform numbers: SplitMix64 (Steele, Lea & Flood 2014).
pub(super) struct Random(pub u64);

impl Random {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number in [low, high).
    pub fn within(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.bits() % n as u64) as usize
    }
}

/// A pattern with the values of its entries.
#[derive(Clone, Debug)]
pub(super) struct System {
    pub pattern: Pattern,
    pub mass: Vec<f64>,
    pub jacobian: Vec<f64>,
}

impl System {
    /// One solver for each method.
    pub fn solvers(&self) -> [Saddle; 2] {
        [Method::Packed, Method::Sparse].map(|method| {
            Saddle::with_method(&self.pattern, &Entries::new(&self.pattern), elimination(&self.pattern), method)
        })
    }

    /// K, row-major.
    pub fn matrix(&self) -> Vec<f64> {
        let (n_v, n) = (self.pattern.n_v, self.pattern.n_v + self.pattern.n_c);
        let mut matrix = vec![0.0; n * n];
        let mut add = |i: usize, j: usize, value: f64| {
            matrix[i * n + j] += value;
            if i != j {
                matrix[j * n + i] += value;
            }
        };
        self.pattern.mass.iter().zip(&self.mass).for_each(|((i, j), m)| add(*i, *j, *m));
        self.pattern.jacobian.iter().zip(&self.jacobian).for_each(|((r, c), g)| add(n_v + r, *c, *g));
        matrix
    }

    /// Solution for a right side, by Gaussian elimination.
    pub fn reference(&self, right: &[f64]) -> Vec<f64> {
        gauss(self.matrix(), right.to_vec())
    }

    pub fn right(&self, random: &mut Random) -> Vec<f64> {
        (0..self.pattern.n_v + self.pattern.n_c).map(|_| random.within(-1.0, 1.0)).collect()
    }
}

/// The strict order of a pattern.
pub(super) fn elimination(pattern: &Pattern) -> Elimination {
    eliminate(pattern.n_v, pattern.n_c, &Entries::new(pattern).pairs())
}

/// Multiply–subtract operations on entries below the diagonal.
pub(super) fn updates(elimination: &Elimination) -> usize {
    elimination.columns.iter().map(|column| column.len() * column.len().saturating_sub(1) / 2).sum()
}

/// Factors and solves with all unknowns in one list.
pub(super) fn solve(saddle: &mut Saddle, system: &System, right: &[f64]) -> Result<Vec<f64>, usize> {
    saddle.factor(&system.mass, &system.jacobian)?;
    let mut unknowns = right.to_vec();
    let (x, mu) = unknowns.split_at_mut(system.pattern.n_v);
    saddle.solve(x, mu);
    Ok(unknowns)
}

/// Gaussian elimination with partial pivoting.
fn gauss(mut a: Vec<f64>, mut b: Vec<f64>) -> Vec<f64> {
    let n = b.len();
    for k in 0..n {
        let pivot = (k..n).max_by(|i, j| a[i * n + k].abs().total_cmp(&a[j * n + k].abs())).expect("k < n");
        (0..n).for_each(|j| a.swap(k * n + j, pivot * n + j));
        b.swap(k, pivot);
        for i in k + 1..n {
            let factor = a[i * n + k] / a[k * n + k];
            (k..n).for_each(|j| a[i * n + j] -= factor * a[k * n + j]);
            b[i] -= factor * b[k];
        }
    }
    for k in (0..n).rev() {
        let known: f64 = (k + 1..n).map(|j| a[k * n + j] * b[j]).sum();
        b[k] = (b[k] - known) / a[k * n + k];
    }
    b
}

/// Largest difference over the largest entry.
pub(super) fn deviation(found: &[f64], expected: &[f64]) -> f64 {
    let largest =
        |x: &mut dyn Iterator<Item = f64>| x.fold(0.0_f64, |a, b| if b.is_nan() { b } else { a.max(b.abs()) });
    let size = largest(&mut expected.iter().copied());
    largest(&mut found.iter().zip(expected).map(|(a, b)| a - b)) / size.max(f64::MIN_POSITIVE)
}
