//! Memories of angles and quaternions for which no coordinate counts revolutions or keeps the sign.

use mbs_expr::ExprId;

use super::Model;

/// The last value of an angle, or of a component of a quaternion.
#[derive(Clone, Debug)]
pub struct Memory {
    /// The value nearest to the memory: (1) or (2).
    pub value: ExprId,
    /// The value without a memory: p.
    pub principal: ExprId,
    /// The memory of the declared state.
    pub start: f64,
    /// Quantity that it remembers.
    pub kind: MemoryKind,
}

/// Quantity that a memory remembers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemoryKind {
    /// An angle: (1).
    Angle,
    /// A component of a quaternion: (2).
    Quaternion,
}

impl Model {
    /// Number of values that a state holds in z: auxiliary states, then memories.
    pub fn n_stored(&self) -> usize {
        self.n_z() + self.memories.len()
    }

    /// Values of z in the declared state: auxiliary states, then memories.
    pub fn stored_defaults(&self) -> impl Iterator<Item = f64> {
        let declared = self.auxiliary.iter().flat_map(|a| a.quantity.default.iter().copied());
        declared.chain(self.memories.iter().map(|m| m.start))
    }
}
