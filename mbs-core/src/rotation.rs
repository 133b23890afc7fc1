//! Rotations: unit quaternions, and attitudes in other parameters.
//!
//! A rotation maps components in B to components in W: x_W = R_WB x_B. Quaternions are `[e0, e1, e2, e3]`, scalar first,
//! with Hamilton's product, so that R_WC = R_WB R_BC is q_WC = q_WB ∘ q_BC; q and −q are the same rotation. Matrices are
//! arrays of rows. Angular velocities ω and rotations δ are in body axes B: q̇ = ½ q ∘ (0, ω).
//!
//! - Quaternions: [`product`], [`conjugate`], [`rotate`], [`matrix_of`], [`axis_angle`], [`random`], … on `[T; 4]`;
//! - the manifold of rotations: [`exp`] and [`log`], [`plus`] (⊕) and [`minus`] (⊖), [`cayley`];
//! - parameters: [`Attitude`] converts five kinds, and relates their rates to ω, q̇ = N(q) ω and back.
//!
//! Functions of angles call the scalar functions of [`math`](crate::math) in `f64`, whatever the number type.

mod tangent;

pub use mbs_math::rotation::*;
pub use tangent::{
    DeclaredSpeeds, Displacement, RotatingPart, speeds_of_declared_rates, speeds_of_rates, transitivity,
};
