//! Memories of an interpreted program.

use std::borrow::Cow;

use mbs_compiler::interp::Inputs;
use mbs_compiler::kernels::{DECLARED_MEMORIES, MEMORIES};

use super::Interpreted;

impl Interpreted {
    /// Auxiliary states and memories, n_stored; zeros for memories that `z` lacks.
    pub(super) fn complete_memories<'z>(&self, z: &'z [f64]) -> Cow<'z, [f64]> {
        let n = self.compiled.model.n_stored();
        if z.len() >= n {
            return Cow::Borrowed(z);
        }
        let mut stored = z.to_vec();
        stored.resize(n, 0.0);
        Cow::Owned(stored)
    }

    /// Overwrites the memories in `z` with the values at a configuration that are nearest to them.
    pub(super) fn update_memories(&self, t: f64, q: &[f64], z: &mut [f64]) {
        self.replace_memories(MEMORIES, t, q, z);
    }

    /// Initialises memories with the revolutions that initial values and guesses declare.
    pub(super) fn initialize_memories(&self, q: &[f64], z: &mut [f64]) {
        if !self.compiled.model.start.declared_memories.is_empty() {
            self.replace_memories(DECLARED_MEMORIES, 0.0, q, z);
        }
    }

    /// Overwrites the memories in `z` with the results of a kernel.
    fn replace_memories(&self, kernel: &str, t: f64, q: &[f64], z: &mut [f64]) {
        let values = self.single_output(kernel, Inputs { t, q, z, ..Inputs::default() });
        z.iter_mut().skip(self.compiled.model.n_z()).zip(values).for_each(|(memory, value)| *memory = value);
    }
}
