//! M x = f for bodies in natural coordinates, whose M is constant.

use mbs_saddle::{Pattern, Saddle};

/// Solver for the speeds of basics, with a unit matrix for other speeds.
#[derive(Clone, Debug)]
pub(crate) struct NaturalMass {
    saddle: Saddle,
    /// Entries of M, then ones.
    entries: Vec<f64>,
}

impl NaturalMass {
    /// A solver for n_v speeds with the entries of M at `pattern`, (i, j) with i ≥ j; `None` if there are none.
    pub fn new(n_v: usize, pattern: &[(usize, usize)]) -> Option<Self> {
        let others = (0..n_v).map(|i| (i, i)).filter(|entry| !pattern.contains(entry));
        let mass: Vec<_> = pattern.iter().copied().chain(others).collect();
        let entries = vec![1.0; mass.len()];
        let (jacobian, switched) = (Vec::new(), Vec::new());
        let whole = Pattern { n_v, n_c: 0, mass, jacobian, switched, massless: false, scale: 1.0 };
        (!pattern.is_empty()).then(|| NaturalMass { saddle: Saddle::new(&whole), entries })
    }

    /// Replaces f by x; `mass` are the entries at the pattern.
    ///
    /// # Errors
    /// The speed whose pivot vanishes.
    pub fn solve(&mut self, mass: &[f64], x: &mut [f64]) -> Result<(), usize> {
        self.entries[..mass.len()].copy_from_slice(mass);
        self.saddle.factor(&self.entries, &[])?;
        self.saddle.solve(x, &mut []);
        Ok(())
    }
}
