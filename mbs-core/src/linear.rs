//! Dense linear algebra on slices, without an allocator: common work space, and a file for each way to choose pivots.
//!
//! - [`symmetric`]: complete pivoting of a scaled symmetric, in general indefinite matrix, which reveals its rank;
//! - [`saddle`]: [M Gᵀ; G 0] put together for it;
//! - [`blocks`]: partial pivoting of scaled rows, several right sides, matrices in blocks of their own storage;
//! - [`square`]: partial pivoting whose order of rows lasts from pose to pose, and signs of leading minors;
//! - [`definite`]: the largest diagonal of a matrix without negative eigenvalues.

pub(crate) mod blocks;
pub(crate) mod definite;
mod saddle;
pub(crate) mod square;
mod symmetric;

pub use saddle::{SaddleWorkspace, solve_saddle};
pub use symmetric::{DenseWorkspace, RankDeficiency, solve_symmetric};
