//! The saddle system with the entries of M and G that are not zero in general, found at states of the mechanism.

use mbs_core::Error;
use mbs_saddle::{Pattern, Saddle};

/// The pattern of dense matrices, with the solver for it.
#[derive(Clone, Debug)]
pub(super) struct Sparsity {
    pattern: Pattern,
    /// Whether the pattern has each entry of M, of G, row-major.
    is_known: [Vec<bool>; 2],
    saddle: Saddle,
}

impl Sparsity {
    /// No entries but the diagonal of M, for n_v speeds and n_c rows; `massless`, `switched` and `scale` are those of [`Pattern`].
    pub fn new([n_v, n_c]: [usize; 2], massless: bool, switched: Vec<usize>, scale: f64) -> Self {
        let pattern = Pattern {
            n_v,
            n_c,
            mass: (0..n_v).map(|i| (i, i)).collect(),
            jacobian: Vec::new(),
            switched,
            massless,
            scale,
        };
        let is_diagonal = |k: usize| k / n_v == k % n_v;
        let is_known = [(0..n_v * n_v).map(is_diagonal).collect(), vec![false; n_c * n_v]];
        Sparsity { saddle: Saddle::new(&pattern), pattern, is_known }
    }

    /// Adds the entries of M and G that are not zero; both row-major.
    pub fn add(&mut self, mass: &[f64], jacobian: &[f64]) {
        let n = self.pattern.n_v;
        let mut grows = false;
        let [in_mass, in_jacobian] = &mut self.is_known;
        let lists = [(mass, in_mass, &mut self.pattern.mass), (jacobian, in_jacobian, &mut self.pattern.jacobian)];
        for (is_mass, (matrix, known, entries)) in [true, false].into_iter().zip(lists) {
            for (k, _) in matrix.iter().enumerate().filter(|(_, x)| **x != 0.0) {
                let (i, j) = (k / n, k % n);
                if !known[k] && (j <= i || !is_mass) {
                    known[k] = true;
                    entries.push((i, j));
                    grows = true;
                }
            }
        }
        if grows {
            self.pattern.mass.sort_unstable();
            self.pattern.jacobian.sort_unstable();
            self.saddle = Saddle::new(&self.pattern);
        }
    }

    /// Factors the system; the error is the row whose pivot vanishes.
    pub fn factor(&mut self, mass: &[f64], jacobian: &[f64]) -> Result<(), usize> {
        let [mass, jacobian] = self.entries(mass, jacobian);
        self.saddle.factor(&mass, &jacobian)
    }

    /// Replaces right sides by solutions, by the last factorisation.
    pub fn solve(&mut self, x: &mut [f64], mu: &mut [f64]) {
        self.saddle.solve(x, mu);
    }

    /// Solves M x + Gᵀ μ = f, G x = g for matrices that may have further entries, such as those of branches that no state before had taken.
    /// `x` and `mu` are f and g before.
    ///
    /// # Errors
    /// [`Error::Singular`] with the row whose pivot vanishes.
    pub fn factor_and_solve(
        &mut self,
        t: f64,
        [mass, jacobian]: [&[f64]; 2],
        [x, mu]: [&mut [f64]; 2],
    ) -> Result<(), Error> {
        self.add(mass, jacobian);
        let [mass, jacobian] = self.entries(mass, jacobian);
        self.saddle.factor_and_solve(t, &mass, &jacobian, x, mu)
    }

    fn entries(&self, mass: &[f64], jacobian: &[f64]) -> [Vec<f64>; 2] {
        let n = self.pattern.n_v;
        let pick =
            |entries: &[(usize, usize)], matrix: &[f64]| entries.iter().map(|(i, j)| matrix[i * n + j]).collect();
        [pick(&self.pattern.mass, mass), pick(&self.pattern.jacobian, jacobian)]
    }
}
