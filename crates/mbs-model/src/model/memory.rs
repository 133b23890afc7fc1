//! Memories of angles and quaternions, for formulations in which no coordinate counts their revolutions or keeps their sign.

use mbs_expr::ExprId;

use super::Model;

/// The last value of an angle, or of a component of a quaternion. `mbs_check::keep_branches` states the formulas (1) and (2).
#[derive(Clone, Debug)]
pub struct Memory {
    /// The value on the branch nearest to the memory: (1) or (2).
    pub value: ExprId,
    /// The principal value p, without a memory.
    pub principal: ExprId,
    /// The memory in the declared state.
    pub start: f64,
    /// Kind of quantity that it stores.
    pub kind: MemoryKind,
}

/// Kind of quantity that a memory stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemoryKind {
    /// An angle: (1).
    Angle,
    /// A component of a quaternion: (2).
    Quaternion,
}

impl Model {
    /// Number of values that a state contains in z: auxiliary states, then memories.
    pub fn n_stored(&self) -> usize {
        self.n_z() + self.quantities.memories.len()
    }

    /// Values of z in the declared state: auxiliary states, then memories.
    pub fn stored_defaults(&self) -> impl Iterator<Item = f64> {
        let declared = self.quantities.auxiliary.iter().flat_map(|a| a.quantity.default.iter().copied());
        declared.chain(self.quantities.memories.iter().map(|m| m.start))
    }
}
