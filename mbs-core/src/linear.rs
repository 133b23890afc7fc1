//! Dense linear algebra on slices, without an allocator. Each file has one strategy of pivoting.
//!
//! - [`symmetric`]: complete pivoting of a scaled symmetric, in general indefinite matrix, which reveals its rank;
//! - [`saddle`]: [M Gᵀ; G 0], assembled and solved by that;
//! - [`blocks`]: partial pivoting of scaled rows, several right sides, matrices in blocks of separate storage;
//! - [`square`]: partial pivoting with an order of rows that is reused from pose to pose, and signs of leading minors;
//! - [`columns`]: no pivoting, a sparse factor for many right sides;
//! - [`definite`]: pivoting by the largest diagonal entry of a positive semidefinite matrix.

pub(crate) mod blocks;
mod columns;
pub(crate) mod definite;
mod saddle;
pub(crate) mod square;
mod symmetric;

#[cfg(feature = "std")]
pub use columns::solve_columns_fused;
pub use columns::{NO_SCALE, SWAP, solve_columns_plain, substitute};
pub use saddle::{SaddleWorkspace, solve_saddle};
pub use symmetric::{DenseWorkspace, RankDeficiency, solve_symmetric};
