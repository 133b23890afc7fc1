//! Mathematics without reference to mechanisms: scalar functions ([`math`]), slices, vectors ([`Vector`], [`Mat3`]), [`rotation`]s, splines
//! ([`CubicSpline`],
//! [`BicubicSpline`]), and [`Phasor`]s. The crate is `no_std`, needs no allocator, and gives the same bits on every target.
#![no_std]

#[cfg(feature = "std")]
extern crate std;

mod eigen;
mod linear;
pub mod math;
mod nearest;
mod phasor;
mod real;
pub mod rotation;
pub mod spline;
mod vector;

pub use eigen::symmetric_eigenvalues;
pub use linear::{Each, Mat3, Ring, Vec2, Vec3, Vector};
pub use nearest::nearest;
pub use phasor::{Phasor, harmonic};
pub use real::Real;
pub use spline::{Beyond, BicubicSpline, CubicSpline, Ends, GridError, SplineError};
pub use vector::{add_scaled, all_finite, dot, largest, matrix_of_rows, max_norm, negate, set_sum_scaled};
