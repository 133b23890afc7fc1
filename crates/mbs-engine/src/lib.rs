//! The generic engine: runs any declared mechanism without compiling it.
//!
//! [`Engine`] reads a `.mbs` text, or takes a model from the [`builder`], checks it as the compiler does, and implements
//! [`Mechanism`](mbs_core::Mechanism): integrators, assembly, simulation and reports work on it unchanged. It knows nothing of
//! the compiler; the two are compared with each other.
//!
//! # How it evaluates
//!
//! In the plane (`planar`) and in space (`space`), in the user's coordinates and speeds:
//!
//! 1. Bodies, parents first: poses, velocities, accelerations at v̇ = 0 (`motion`); in space of every elementary motion of a joint
//!    (`link`), and q̇ = N v with attitudes of any parameters.
//! 2. Loads: expressions on a tape with their rates; gradients of potentials and coordinates by reverse sweeps (`tape`).
//! 3. Without rows: articulated bodies, linear in the number of bodies (`recursion`).
//! 4. With rows: M by composite bodies, Q by Newton–Euler, G and γ by tapes, in the plane by hand for the basic equations of joints
//!    (`rows`), into a fixed sparsity pattern.
//! 5. [M Gᵀ; G 0] by LDLᵀ in an order in which a multiplier follows the speeds of its row (`linear`): analysed once, factored
//!    at every evaluation, dense where it is small and by faer where it is large.
//!
//! Evaluations allocate nothing, except those in natural coordinates and of second derivatives of rows (`hessian`), which use the model's
//! own physics on series and dual numbers.
#![forbid(unsafe_code)]

mod constants;
mod declared_speeds;
mod derivatives;
mod describe;
mod dynamics;
mod engine;
mod events;
mod failure;
mod hessian;
mod inputs;
mod kind;
mod linear;
mod mechanism;
mod momenta;
mod natural;
mod operators;
mod options;
mod planar;
mod poses;
mod prescribed;
mod products;
mod space;
mod tape;
#[cfg(test)]
mod testing;
mod wrench;

pub use engine::Engine;
pub use failure::Failure;
#[doc(inline)]
pub use mbs_builder as builder;
#[doc(inline)]
pub use mbs_model::Formulation;
pub use options::Options;
