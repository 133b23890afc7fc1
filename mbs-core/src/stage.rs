//! Values of a stage of generated code.

use core::cell::OnceCell;

/// Values that later functions read, computed at the first request, with the row whose pivot vanishes.
#[derive(Clone, Debug)]
pub struct StageValues<const N: usize>(OnceCell<([f64; N], Option<usize>)>);

impl<const N: usize> StageValues<N> {
    /// No values yet.
    #[inline]
    pub const fn new() -> Self {
        StageValues(OnceCell::new())
    }

    /// The values, which the first request computes: `compute` writes them and returns the row whose pivot vanishes.
    #[inline]
    pub fn get(&self, compute: impl FnOnce(&mut [f64; N]) -> Option<usize>) -> &([f64; N], Option<usize>) {
        if self.0.get().is_none() {
            let mut values = [0.0; N];
            let singular = compute(&mut values);
            let _ = self.0.set((values, singular));
        }
        // `get_or_init` has a panic path, for initialisers that request themselves.
        self.0.get().unwrap_or(&([0.0; N], None))
    }

    /// Computes the values in place unless they are known, which saves the copy of [`StageValues::get`].
    #[inline]
    pub fn compute(&mut self, compute: impl FnOnce(&mut [f64; N]) -> Option<usize>) {
        if self.0.get().is_some() {
            return;
        }
        self.0 = OnceCell::from(([0.0; N], None));
        if let Some((values, singular)) = self.0.get_mut() {
            *singular = compute(values);
        }
    }
}

impl<const N: usize> Default for StageValues<N> {
    fn default() -> Self {
        StageValues::new()
    }
}
