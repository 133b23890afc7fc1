//! The saddle system of constrained multibody dynamics, solved again and again with one sparsity pattern:
//!
//! ```text
//! (1)  M x + Gᵀ μ = f        M n_v × n_v symmetric, positive definite on ker G
//!      G x        = g        G n_c × n_v, of full rank except in singular configurations
//! ```
//!
//! [`Saddle::new`] analyses the pattern once: it chooses an elimination order, the pattern of L, and the slot of each value.
//! [`Saddle::factor`] and [`Saddle::solve`] evaluate L D Lᵀ = P K Pᵀ in that order without pivoting and without allocating.
//!
//! The order is *strict*: a multiplier is eliminated after all speeds of its row. At any time, the unknowns eliminated so far are speeds S
//! and rows R that vanish outside S, so that G_RS has full rank. If M is positive definite, −G_RS M_SS⁻¹ G_RSᵀ is negative definite
//! and the leading block of K has |S| positive and |R| negative eigenvalues. A pivot is the ratio of two successive leading
//! determinants: positive for a speed, negative for a row, in every configuration. (Vanderbei 1995, SIAM J. Optim. 5, 100–113,
//! proves this for any order where a negative definite block replaces 0.)
//!
//! Massless speeds have no pivot in (1). Where there may be some, the equivalent system
//!
//! ```text
//! (2)  (M + Gᵀ S G) x + Gᵀ μ = f + Gᵀ S g,   G x = g,   S = diag(s_r)
//! ```
//!
//! is solved for x and μ. M + Gᵀ S G is positive definite for all s_r > 0 if M is positive semidefinite, and definite on ker G.
//! s_r Σ g² of a row is chosen of the size of masses, so that the two terms, and the terms of all rows, are of comparable size for any scaling
//! of the rows.
//!
//! A row that is switched off has no entry in G. −1 on its diagonal then gives μ = 0, and does not change the signs of the other pivots.
//!
//! A pivot d vanishes if |d| ≤ [`PIVOT_TOLERANCE`] times the sum of the absolute terms that formed it, as in generated code, or if
//! it is not finite. [`Saddle::fallback`] then solves (1) densely with pivoting, as generated code does.

mod fallback;
mod order;
mod packed;
mod sparse;
#[cfg(test)]
mod tests;

use mbs_core::Error;

use fallback::Fallback;
use order::{Elimination, eliminate};
use packed::Packed;
use sparse::Sparse;

/// The matrix that the solver uses as M.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Metric {
    /// From masses and inertias.
    Mass,
    /// The unit matrix in the solver's coordinates, for mechanisms without mass.
    Unit,
}

/// A pivot d is regular if |d| > `PIVOT_TOLERANCE` · (sum of the absolute terms that formed it): rounding errors of the terms are then at most
/// 1e-3 of the smallest regular pivot.
pub const PIVOT_TOLERANCE: f64 = 1e-12;

/// Longest lists for which [`Packed`] is used: 256 kB, the size of a second-level cache, for about a thousand planar bodies in chains
/// and loops. Above this limit [`Sparse`] is used, whose memory grows with the entries of L alone.
///
/// Packed columns are faster below and above the limit. Measured times of a factorisation and one solve in µs (`tests::timing`; one
/// core of an Intel Xeon, no flags): four-bars and Andrews' mechanism in body coordinates, bars as parallel four-bars, k × k nets of pinned
/// bodies, and full matrices with two rows.
///
/// | | unknowns | entries of L | updates | packed | faer |
/// |---|---|---|---|---|---|
/// | four-bar | 17 | 40 | 36 | 0.25 | 0.55 |
/// | Andrews | 41 | 122 | 168 | 0.75 | 1.45 |
/// | bars 10 | 125 | 391 | 513 | 2.3 | 4.8 |
/// | bars 33 | 401 | 1,288 | 1,732 | 7.9 | 15 |
/// | bars 150 | 1,805 | 5,851 | 7,933 | 36 | 72 |
/// | net 6 | 200 | 986 | 2,579 | 5.8 | 10 |
/// | net 20 | 2,342 | 25,779 | 312,305 | 245 | 406 |
/// | net 40 | 9,482 | 143,925 | 3,213,693 | 1,830 | 3,220 |
/// | full 20 | 22 | 202 | 1,174 | 1.5 | 2.5 |
/// | full 80 | 82 | 3,172 | 82,194 | 31 | 80 |
///
/// A dense L D Lᵀ in this order, with rows that start at their first entry, took 0.40, 1.45, 17 and 330 µs for the first four:
/// less than faer up to 41 unknowns, never less than packed columns.
const PACKED_LIMIT: usize = 1 << 16;

/// Pattern of the entries of K = [M Gᵀ; G 0]. Repeated entries are added.
#[derive(Clone, Debug)]
pub struct Pattern {
    /// Number of speeds.
    pub n_v: usize,
    /// Number of rows.
    pub n_c: usize,
    /// Entries (i, j) of M with i ≥ j.
    pub mass: Vec<(usize, usize)>,
    /// Entries (row, column) of G.
    pub jacobian: Vec<(usize, usize)>,
    /// Rows that can be switched off; their entries of G are then zero.
    pub switched: Vec<usize>,
    /// Whether M may be singular outside ker G, so that (2) is solved. Missing diagonal entries of M imply it.
    pub massless: bool,
    /// s_r Σ g² of each row in (2), a typical diagonal entry of M, > 0.
    pub scale: f64,
}

/// Solver of (1) for one pattern, with all its work space.
#[derive(Clone, Debug)]
pub struct Saddle {
    pattern: Pattern,
    /// Unknown at each position of the elimination order: speeds are `0..n_v`, rows follow.
    order: Vec<usize>,
    /// Position of each unknown in the elimination order.
    positions: Vec<usize>,
    /// Slot of each entry of M, then of G, in the values of the factorisation.
    slots: Vec<u32>,
    /// Slot of the diagonal of each row that can be switched off, and whether it was off at the last factorisation.
    switched: Vec<(u32, bool)>,
    /// Gᵀ S G, entry by entry; empty unless (2) is solved.
    products: Vec<Product>,
    /// Entries of G of the last factorisation, for Gᵀ S g; empty unless (2) is solved.
    jacobian: Vec<f64>,
    /// s_r of the last factorisation; empty unless (2) is solved.
    weights: Vec<f64>,
    /// Right side and solution in the elimination order.
    right: Vec<f64>,
    factorization: Factorization,
    fallback: Option<Fallback>,
}

/// Adds s_r times two entries of a row of G to a slot.
#[derive(Clone, Copy, Debug)]
struct Product {
    slot: u32,
    left: u32,
    right: u32,
}

#[derive(Clone, Debug)]
enum Factorization {
    Packed(Packed),
    Sparse(Sparse),
}

/// Choice of the factorisation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Method {
    Packed,
    Sparse,
}

impl Method {
    fn new(elimination: &Elimination, limit: usize) -> Method {
        if Packed::list_len(&elimination.columns) <= limit { Method::Packed } else { Method::Sparse }
    }
}

impl Saddle {
    /// Analyses a pattern and allocates all work space.
    pub fn new(pattern: &Pattern) -> Saddle {
        let entries = Entries::new(pattern);
        let elimination = eliminate(pattern.n_v, pattern.n_c, &entries.pairs());
        let method = Method::new(&elimination, PACKED_LIMIT);
        Saddle::with_method(pattern, &entries, elimination, method)
    }

    fn with_method(pattern: &Pattern, entries: &Entries, elimination: Elimination, method: Method) -> Saddle {
        let Elimination { order, columns } = elimination;
        let n = order.len();
        let mut positions = vec![0; n];
        order.iter().enumerate().for_each(|(position, unknown)| positions[*unknown] = position);
        let position_pair = |(a, b): (usize, usize)| (positions[a].max(positions[b]), positions[a].min(positions[b]));
        let factorization = match method {
            Method::Packed => Factorization::Packed(Packed::new(&columns)),
            Method::Sparse => {
                Factorization::Sparse(Sparse::new(n, entries.pairs().into_iter().map(position_pair).collect()))
            }
        };
        let slot = |pair| {
            let (i, j) = position_pair(pair);
            let slot = match &factorization {
                Factorization::Packed(packed) => packed.slot(i, j),
                Factorization::Sparse(sparse) => sparse.slot(i, j),
            };
            u32::try_from(slot).expect("a factor has fewer than 2³² entries")
        };
        let slots = entries.plain.iter().map(|pair| slot(*pair)).collect();
        let products = entries.products.iter().map(|(pair, left, right)| Product {
            slot: slot(*pair),
            left: *left as u32,
            right: *right as u32,
        });
        let switched = pattern.switched.iter().map(|r| (slot((pattern.n_v + r, pattern.n_v + r)), false)).collect();
        Saddle {
            slots,
            switched,
            products: products.collect(),
            jacobian: vec![0.0; if entries.products.is_empty() { 0 } else { pattern.jacobian.len() }],
            weights: vec![0.0; if entries.products.is_empty() { 0 } else { pattern.n_c }],
            right: vec![0.0; n],
            fallback: Fallback::new(pattern.n_v, pattern.n_c),
            pattern: pattern.clone(),
            order,
            positions,
            factorization,
        }
    }

    /// Factors K; `mass` and `jacobian` contain values in the order of the pattern.
    ///
    /// # Errors
    /// Index into (v, λ) of the first pivot that vanishes. There is no factorisation then until the next success.
    pub fn factor(&mut self, mass: &[f64], jacobian: &[f64]) -> Result<(), usize> {
        debug_assert_eq!((mass.len(), jacobian.len()), (self.pattern.mass.len(), self.pattern.jacobian.len()));
        let values = match &mut self.factorization {
            Factorization::Packed(packed) => packed.values(),
            Factorization::Sparse(sparse) => sparse.values(),
        };
        values.fill(0.0);
        let (of_mass, of_jacobian) = self.slots.split_at(self.pattern.mass.len());
        of_mass.iter().zip(mass).for_each(|(slot, m)| values[*slot as usize] += m);
        of_jacobian.iter().zip(jacobian).for_each(|(slot, g)| values[*slot as usize] += g);
        for (r, (slot, is_off)) in self.pattern.switched.iter().zip(&mut self.switched) {
            let mut entries = self.pattern.jacobian.iter().zip(jacobian);
            *is_off = entries.all(|((row, _), g)| row != r || *g == 0.0);
            values[*slot as usize] -= f64::from(u8::from(*is_off));
        }
        if !self.products.is_empty() {
            set_weights(&self.pattern, jacobian, &mut self.weights);
            for product in &self.products {
                let (left, right) = (jacobian[product.left as usize], jacobian[product.right as usize]);
                let (row, _) = self.pattern.jacobian[product.left as usize];
                values[product.slot as usize] += self.weights[row] * left * right;
            }
            self.jacobian.copy_from_slice(jacobian);
        }
        let vanished = match &mut self.factorization {
            Factorization::Packed(packed) => packed.factor(),
            Factorization::Sparse(sparse) => sparse.factor(),
        };
        vanished.map_err(|position| self.order[position])
    }

    /// Solves (1) in place with the last factorisation: `x` contains f and becomes x, `mu` contains g and becomes μ.
    pub fn solve(&mut self, x: &mut [f64], mu: &mut [f64]) {
        debug_assert_eq!((x.len(), mu.len()), (self.pattern.n_v, self.pattern.n_c));
        let (of_x, of_mu) = self.positions.split_at(self.pattern.n_v);
        let right = &mut self.right;
        of_x.iter().zip(x.iter()).for_each(|(position, f)| right[*position] = *f);
        of_mu.iter().zip(mu.iter()).for_each(|(position, g)| right[*position] = *g);
        for (r, (_, is_off)) in self.pattern.switched.iter().zip(&self.switched) {
            if *is_off {
                right[of_mu[*r]] = 0.0;
            }
        }
        for ((row, column), g) in self.pattern.jacobian.iter().zip(&self.jacobian) {
            right[of_x[*column]] += self.weights[*row] * g * mu[*row];
        }
        match &mut self.factorization {
            Factorization::Packed(packed) => packed.solve(right),
            Factorization::Sparse(sparse) => sparse.solve(right),
        }
        of_x.iter().zip(x).for_each(|(position, x)| *x = right[*position]);
        of_mu.iter().zip(mu).for_each(|(position, mu)| *mu = right[*position]);
    }

    /// Factors K and solves (1) in place, densely where a pivot vanishes. Arguments as for [`Saddle::factor`] and [`Saddle::solve`].
    ///
    /// # Errors
    /// As [`Saddle::fallback`].
    pub fn factor_and_solve(
        &mut self,
        t: f64,
        mass: &[f64],
        jacobian: &[f64],
        x: &mut [f64],
        mu: &mut [f64],
    ) -> Result<(), Error> {
        match self.factor(mass, jacobian) {
            Ok(()) => {
                self.solve(x, mu);
                Ok(())
            }
            Err(row) => self.fallback(t, row, mass, jacobian, x, mu),
        }
    }

    /// Solves (1) in place after [`Saddle::factor`] has returned `row`: dense, with complete pivoting, (2/3)(n_v + n_c)³ operations.
    ///
    /// # Errors
    /// [`Error::Singular`] with the row that has no pivot; with `row` itself where there are more than 64 unknowns.
    /// [`Error::NotFinite`] if a value is not finite.
    pub fn fallback(
        &mut self,
        t: f64,
        row: usize,
        mass: &[f64],
        jacobian: &[f64],
        x: &mut [f64],
        mu: &mut [f64],
    ) -> Result<(), Error> {
        let Some(fallback) = &mut self.fallback else { return Err(Error::Singular { row, t }) };
        fallback.assemble(&self.pattern, mass, jacobian);
        fallback.solve(t, &self.pattern.switched, x, mu)
    }
}

/// Sets s_r = scale / Σ g². The weight of a row without entries is not used.
fn set_weights(pattern: &Pattern, jacobian: &[f64], weights: &mut [f64]) {
    weights.fill(0.0);
    pattern.jacobian.iter().zip(jacobian).for_each(|((row, _), g)| weights[*row] += g * g);
    let weight = |square: f64| if square > 0.0 { pattern.scale / square } else { 0.0 };
    weights.iter_mut().for_each(|square| *square = weight(*square));
}

/// Entries of the matrix that is factored, as pairs of unknowns.
struct Entries {
    /// Entries of M, then of G.
    plain: Vec<(usize, usize)>,
    /// Entries of Gᵀ S G, with the two entries of G; empty unless (2) is solved.
    products: Vec<((usize, usize), usize, usize)>,
    /// Number of unknowns.
    n: usize,
}

impl Entries {
    fn new(pattern: &Pattern) -> Entries {
        let n_v = pattern.n_v;
        let jacobian = pattern.jacobian.iter().map(|(row, column)| (n_v + row, *column));
        let plain: Vec<(usize, usize)> = pattern.mass.iter().copied().chain(jacobian).collect();
        let mut diagonal = vec![false; n_v];
        pattern.mass.iter().filter(|(i, j)| i == j).for_each(|(i, _)| diagonal[*i] = true);
        let mut products = Vec::new();
        if pattern.massless || diagonal.contains(&false) {
            let mut rows = vec![Vec::new(); pattern.n_c];
            pattern.jacobian.iter().enumerate().for_each(|(k, (row, column))| rows[*row].push((*column, k)));
            for row in &rows {
                for (i, left) in row {
                    let lower = row.iter().filter(|(j, _)| j <= i);
                    products.extend(lower.map(|(j, right)| ((*i, *j), *left, *right)));
                }
            }
        }
        Entries { plain, products, n: n_v + pattern.n_c }
    }

    /// All entries and the diagonal; they may repeat.
    fn pairs(&self) -> Vec<(usize, usize)> {
        let products = self.products.iter().map(|(pair, ..)| *pair);
        let diagonal = (0..self.n).map(|i| (i, i));
        self.plain.iter().copied().chain(products).chain(diagonal).collect()
    }
}
