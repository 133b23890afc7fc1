//! The saddle system of constrained multibody dynamics, solved again and again with one sparsity pattern:
//!
//! ```text
//! (1)  M x + Gᵀ μ = f        M n_v × n_v symmetric, positive definite on ker G
//!      G x        = g        G n_c × n_v, of full rank except in singular poses
//! ```
//!
//! Work is split in two. [`Saddle::new`] analyses the pattern: an elimination order, the pattern of L, where each value goes.
//! [`Saddle::factor`] and [`Saddle::solve`] run L D Lᵀ = P K Pᵀ in that order without pivoting and without allocating.
//!
//! The order is *strict*: a multiplier is eliminated after all speeds of its row. At any time, the unknowns eliminated so far are speeds S
//! and rows R that vanish outside S, so that G_RS has full rank. If M is positive definite, −G_RS M_SS⁻¹ G_RSᵀ is negative definite
//! and the leading block of K has |S| positive and |R| negative eigenvalues. A pivot is the ratio of two successive leading
//! determinants: positive for a speed, negative for a row, in every configuration. (Vanderbei 1995, SIAM J. Optim. 5, 100–113,
//! has the same for a negative definite block in place of 0, and any order.)
//!
//! Speeds without mass of their own would never have a pivot. Where there may be some, the same x and μ come from
//!
//! ```text
//! (2)  (M + Gᵀ S G) x + Gᵀ μ = f + Gᵀ S g,   G x = g,   S = diag(s_r)
//! ```
//!
//! M + Gᵀ S G is positive definite for all s_r > 0 if M is positive semidefinite, and definite on ker G. s_r Σ g² of a row is of the size of
//! masses, so that neither term drowns the other, nor one row the others, whatever they are multiplied by.
//!
//! A row that is switched off has no entry in G. −1 on its diagonal then gives μ = 0, and leaves the signs of all pivots.
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

/// The matrix M of the solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Metric {
    /// From masses and inertias.
    Mass,
    /// One for each solver coordinate, for mechanisms whose motions have no mass.
    Unit,
}

/// A pivot d is regular if |d| > `PIVOT_TOLERANCE` · (sum of the absolute terms that formed it): a few rounding errors of these are
/// 1e-3 of the smallest pivot at most.
pub(crate) const PIVOT_TOLERANCE: f64 = 1e-12;

/// Longest lists for which [`Packed`] is taken: 256 kB, what a second-level cache holds, or some thousand planar bodies in chains
/// and loops. Beyond it [`Sparse`], whose memory grows with the entries of L alone, and which a library keeps.
///
/// Time is no reason to change earlier. Measured, factorisation and one solve in µs (`linear::tests::timing`; one core of an Intel
/// Xeon, no flags): four-bars and Andrews' mechanism in body coordinates, bars as parallel four-bars, k × k nets of pinned
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
/// A dense L D Lᵀ in the same order, rows starting at their first entry, took 0.40, 1.45, 17 and 330 µs for the first four:
/// less than faer up to 41 unknowns, never less than packed columns.
const PACKED_LIMIT: usize = 1 << 16;

/// Where K = [M Gᵀ; G 0] has entries. Repeated entries add up.
#[derive(Clone, Debug)]
pub(crate) struct Pattern {
    /// Number of speeds.
    pub n_v: usize,
    /// Number of rows.
    pub n_c: usize,
    /// Entries (i, j) of M with i ≥ j.
    pub mass: Vec<(usize, usize)>,
    /// Entries (row, column) of G.
    pub jacobian: Vec<(usize, usize)>,
    /// Rows that can be switched off: G has zeros there then.
    pub switched: Vec<usize>,
    /// Whether M may be singular, off ker G: solve (2). Missing diagonal entries of M imply it.
    pub massless: bool,
    /// s_r Σ g² of each row in (2), a typical diagonal entry of M, > 0.
    pub scale: f64,
}

/// Solver of (1) for one pattern, with all its work space.
#[derive(Clone, Debug)]
pub(crate) struct Saddle {
    pattern: Pattern,
    /// Unknown at each place of the elimination order: speeds are `0..n_v`, rows follow.
    order: Vec<usize>,
    /// Place of each unknown.
    places: Vec<usize>,
    /// Slot of each entry of M, then of G, in the values of the factorisation.
    slots: Vec<u32>,
    /// Slots of the diagonal of rows that can be switched off, and whether they were at the last factorisation.
    switched: Vec<(u32, bool)>,
    /// Gᵀ S G, entry by entry; empty unless (2) is solved.
    products: Vec<Product>,
    /// Entries of G of the last factorisation, for Gᵀ S g; empty unless (2) is solved.
    jacobian: Vec<f64>,
    /// s_r of the last factorisation; empty unless (2) is solved.
    weights: Vec<f64>,
    /// Right side and solution by place.
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

/// Which of them.
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
    pub(crate) fn new(pattern: &Pattern) -> Saddle {
        let entries = Entries::new(pattern);
        let elimination = eliminate(pattern.n_v, pattern.n_c, &entries.pairs());
        let method = Method::new(&elimination, PACKED_LIMIT);
        Saddle::with(pattern, &entries, elimination, method)
    }

    fn with(pattern: &Pattern, entries: &Entries, elimination: Elimination, method: Method) -> Saddle {
        let Elimination { order, columns } = elimination;
        let n = order.len();
        let mut places = vec![0; n];
        order.iter().enumerate().for_each(|(place, unknown)| places[*unknown] = place);
        let placed = |(a, b): (usize, usize)| (places[a].max(places[b]), places[a].min(places[b]));
        let factorization = match method {
            Method::Packed => Factorization::Packed(Packed::new(&columns)),
            Method::Sparse => Factorization::Sparse(Sparse::new(n, entries.pairs().into_iter().map(placed).collect())),
        };
        let slot = |pair| {
            let (i, j) = placed(pair);
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
            places,
            factorization,
        }
    }

    /// Factors K; `mass` and `jacobian` hold values in the order of the pattern.
    ///
    /// # Errors
    /// Index into (v, λ) of the first pivot that vanishes. There is no factorisation then until the next success.
    pub(crate) fn factor(&mut self, mass: &[f64], jacobian: &[f64]) -> Result<(), usize> {
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
            weigh(&self.pattern, jacobian, &mut self.weights);
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
        vanished.map_err(|place| self.order[place])
    }

    /// Solves (1) in place with the last factorisation: `x` holds f and becomes x, `mu` holds g and becomes μ.
    pub(crate) fn solve(&mut self, x: &mut [f64], mu: &mut [f64]) {
        debug_assert_eq!((x.len(), mu.len()), (self.pattern.n_v, self.pattern.n_c));
        let (of_x, of_mu) = self.places.split_at(self.pattern.n_v);
        let right = &mut self.right;
        of_x.iter().zip(x.iter()).for_each(|(place, f)| right[*place] = *f);
        of_mu.iter().zip(mu.iter()).for_each(|(place, g)| right[*place] = *g);
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
        of_x.iter().zip(x).for_each(|(place, x)| *x = right[*place]);
        of_mu.iter().zip(mu).for_each(|(place, mu)| *mu = right[*place]);
    }

    /// Solves (1) in place after [`Saddle::factor`] has named `row`: dense, with complete pivoting, (2/3)(n_v + n_c)³ operations.
    ///
    /// # Errors
    /// [`Error::Singular`] with the row that has no pivot; with `row` itself where there are more than 64 unknowns.
    /// [`Error::NotFinite`] if a value is not finite.
    pub(crate) fn fallback(
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

/// s_r = scale / Σ g². A row without entries has none to weigh.
fn weigh(pattern: &Pattern, jacobian: &[f64], weights: &mut [f64]) {
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

    /// All of them and the diagonal, repetitions included.
    fn pairs(&self) -> Vec<(usize, usize)> {
        let products = self.products.iter().map(|(pair, ..)| *pair);
        let diagonal = (0..self.n).map(|i| (i, i));
        self.plain.iter().copied().chain(products).chain(diagonal).collect()
    }
}
