//! Joints and forces of space.

use super::Kind;

/// The joints of space.
pub static SPATIAL_JOINTS: &[Kind] = &[];

/// The forces of space.
pub static SPATIAL_FORCES: &[Kind] = &[];
