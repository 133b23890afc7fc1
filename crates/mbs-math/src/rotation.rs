//! Rotations: unit quaternions, and attitudes in other parameters, with their rates.
//!
//! A rotation maps components in B to components in W: x_W = R_WB x_B. Quaternions are `[e0, e1, e2, e3]`, scalar first,
//! with Hamilton's product, so that R_WC = R_WB R_BC is q_WC = q_WB ∘ q_BC; q and −q are the same rotation. Matrices are
//! arrays of rows. Angular velocities ω and rotation vectors δ have components in body axes B: q̇ = ½ q ∘ (0, ω).
//!
//! - Quaternions: [`product`], [`conjugate`], [`rotate`], [`matrix_of`], [`axis_angle`], [`random`], … on `[T; 4]`;
//! - the manifold of rotations: [`exp`] and [`log`], [`plus`] (⊕) and [`minus`] (⊖), [`cayley`];
//! - parameters: [`Attitude`] converts five kinds, and relates their rates to ω, q̇ = N(q) ω and back.
//!
//! Functions of angles call the scalar functions of [`math`](crate::math) in `f64`, for `f32` too.

mod attitude;
mod attitude_rates;
mod euler;
mod exponential;
mod quaternion;
mod rodrigues;
mod rotation_vector;
mod sequence;
mod space;

pub use attitude::Attitude;
pub use exponential::{cayley, exp, inverse_cayley, log, minus, plus};
pub use quaternion::{
    axis_and_angle, axis_angle, conjugate, flip, matrix_of, nearer, norm, normalize_at, normalized, product,
    quaternion_of, random, rotate, rotate_back,
};
pub use sequence::{Axis, InvalidSequence, Sequence};
pub use space::{compose, cross, inner, transform, transposed};
