//! The generic engine: runs any declared mechanism without compiling it.
//!
//! [`Engine`] reads a `.mbs` text, or takes a model from the [`builder`], checks it as the compiler does, and implements
//! [`Mechanism`](mbs_core::Mechanism), so that integrators, assembly, simulation and reports work with it. It does not depend on the compiler;
//! tests compare the two.
//!
//! # Evaluation
//!
//! Planar mechanisms (`planar`) and spatial ones (`space`) are evaluated in the user's coordinates and speeds:
//!
//! 1. Poses, velocities and accelerations of bodies at v̇ = 0, parents first (`motion`); in space for each elementary motion of a joint
//!    (`link`), with q̇ = N v of any attitude representation.
//! 2. Loads from expressions on a tape, with their rates; gradients of potentials and coordinates by reverse sweeps (`tape`).
//! 3. Accelerations of mechanisms without rows by articulated bodies, linear in the number of bodies (`recursion`).
//! 4. Otherwise M by composite bodies, Q by Newton–Euler, G and γ by tapes, or by hand-written formulas for the basic equations of planar
//!    joints (`rows`), into a fixed sparsity pattern.
//! 5. Accelerations and multipliers from [M Gᵀ; G 0] by LDLᵀ, in an order in which a multiplier follows the speeds of its row (mbs-saddle): the
//!    pattern is analysed once and factored at every evaluation, on packed columns where it is small and by faer where it is large.
//!
//! Bodies in natural coordinates are no part of the recursions: their M is constant, and loads and derivatives act on their basics through
//! constant coefficients (`natural`).
//!
//! Evaluations allocate nothing, except those of second derivatives of rows (`hessian`), which use the formulas of mbs-physics on series and
//! dual numbers.
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
mod mechanism;
mod momenta;
mod natural;
mod operators;
mod options;
mod plan;
mod planar;
mod poses;
mod prescribed;
mod products;
mod space;
mod tape;
mod wrench;

pub use engine::Engine;
pub use failure::Failure;
#[doc(inline)]
pub use mbs_builder as builder;
#[doc(inline)]
pub use mbs_model::Formulation;
pub use options::Options;
